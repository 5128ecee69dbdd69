#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# plybase count: output and refusals. With `seconds`: also boards that take seconds, and 7x6.
#   test_count.sh PLYBASE [seconds]
. "$(dirname "$0")/../support/checks.sh"

# ---- counts agree with tables, and larger boards are counted ----
table=connect-4x4-k4.plb
expect 0 'connect-4x4-k4.plb: 161,029 positions' "$plybase" build connect-4x4-k4
for ply in 0 8 16; do
    row=$("$plybase" stats $table --csv | cut -d, -f1-3 | grep "^$ply,")
    expect 0 "^$row\$" "$plybase" count connect-4x4-k4 --csv
done
expect 0 '^  all +161,029 +21,404$' "$plybase" count connect-4x4-k4-misere
expect 0 '^connect-4x4-k4 +161,029 +21,404 +[0-9.]+ the same$' "$plybase" count -t connect-4x4-k4
expect 0 '^connect-2x2-k4,18,0,18,' "$plybase" count --csv connect-2x2-k4 connect-20x1-k4
expect 0 '^connect-20x2-k3 +[0-9,]{18,} ' "$plybase" count --totals connect-20x2-k3
expect 0 '"total":"[0-9]{19,}"' "$plybase" count --json connect-50x1-k4
expect 0 '"ply":8,"total":"5084","terminal":"48"}' "$plybase" count --json connect-4x4-k4
# JSON readers that read numbers as doubles get every digit.
expect 0 '"total":"17631656694578591".*"published":"17631656694578592"' "$plybase" count --json --totals connect-12x4-k4
expect 0 '^  all +22,035 +10,956$' "$plybase" count connect-4x4-k3-cylinder
expect 0 '^connect-4x4-k4-cylinder +150,401 +29,120 +[0-9.]+ -$' \
    "$plybase" count -t connect-4x4-k4-cylinder
expect 0 '^connect-4x4-k3-cylinder-misere,22035,10956,,' \
    "$plybase" count --csv connect-4x4-k3-cylinder-misere connect-3x7-k4-misere-cylinder
refuse 2 "cannot read '-misere'" "$plybase" count connect-4x4-k4-misere-cylinder-misere
refuse 2 'mnk-3x3-k3 is not counted: counts are of boards connect-WxH-kK' "$plybase" count mnk-3x3-k3
refuse 2 "after 'connect-' comes the board as WIDTHxHEIGHT" "$plybase" count connect-7
refuse 1 "'connect-3x99999999999999999999-k3': only boards of 1 to 64" "$plybase" count connect-3x99999999999999999999-k3
refuse 1 "'connect-99x2-k4': only boards of 1 to 64 columns and 1 to 30 rows can be counted" "$plybase" count connect-99x2-k4
refuse 1 '60x3 with k4 is too big to be counted: its columns can be filled in too many ways$' "$plybase" count connect-60x3-k4
refuse 2 'either SPECs, such as connect-7x6-k4, or --published' "$plybase" count
refuse 2 '--csv or --json, not both' "$plybase" count -cj connect-4x4-k4
expect 1 'is not counted within 0.2 s, nor [0-9]+ after it; more --seconds may help$' \
    "$plybase" count --published --seconds 0.2
refuse 1 'connect-9x7-k4 is not counted within 0.1 s; more --seconds may help$' \
    "$plybase" count connect-9x7-k4 --seconds 0.1
little=("$plybase" count --totals --threads 1 connect-7x6-k4 connect-4x4-k4 --memory 18M)
expect 1 '^plybase: connect-7x6-k4 is not counted within 18.0 MiB of memory; more --memory ' "${little[@]}"
also '^connect-4x4-k4 +161,029 '

# ---- recorded counts ----
# Counts agree with tables/count/counts.tsv, for one in three of the boards that take about a second; the commit
# selects them. There a published number is the count, or the double nearest to it.
takes='^second$'
[ "${2:-}" != seconds ] || takes='^seconds?$'
rows=$(grep '^connect-' "$(dirname "$0")/../../tables/count/counts.tsv")
[ "$(wc -l <<<"$rows")" -gt 50 ] || fail 'counts.tsv has too few rows'
tried=$(awk -F'\t' -v OFS=, -v takes="$takes" -v faults="${PLYBASE_FAULTS:-1/1}" '
    BEGIN { split(faults, turn, "/"); most = turn[2] < 3 ? turn[2] : 3 }
    $4 ~ takes && NR % most == turn[1] % most { print $1, $2, $3 }' <<<"$rows")
mapfile -t boards < <(cut -d, -f1 <<<"$tried")
diff - <("$plybase" count --totals --csv "${boards[@]}" | tail -n +2 | cut -d, -f1-3) <<<"$tried" ||
    fail 'counts: < of counts.tsv, > of plybase count'
cat >check.py <<'END'
import csv, re, sys
published = {}
for row in csv.reader(open(sys.argv[1])):
    if row and row[0].isdigit():
        published[int(row[0]), int(row[1])] = int(row[2])
for line in sys.stdin:
    board, positions, terminal, _, checked = line.rstrip("\n").split("\t")
    size = re.fullmatch(r"connect-(\d+)x(\d+)-k4", board)
    number = size and published.get((int(size[1]), int(size[2])))
    how = checked.split()
    assert int(terminal) < int(positions), line
    assert bool(number) == ("published" in how or "rounded" in how), line
    assert "published" not in how or number == int(positions), line
    assert "rounded" not in how or number == float(positions) != int(positions), line
END
python3 check.py "$(dirname "$0")/../data/connect4-position-counts.csv" <<<"$rows" ||
    fail 'counts.tsv and published numbers'

# A terminal shows the share that is done, and after two seconds the time left.
on_terminal() { # COMMAND
    script -qec "$1" /dev/null | tr '\r' '\n'
}
expect 0 'connect-7x6-k4  [0-9.]+ %, [0-9.]+ s left' \
    on_terminal "'$plybase' count connect-7x6-k4 --threads 1 --seconds 3"
expect 0 '^  all +161,029 +21,404' on_terminal "'$plybase' count connect-4x4-k4"
if [ "${2:-}" = seconds ]; then
    expect 0 '^  all +4,531,985,219,092 +1,904,619,871,743' on_terminal "'$plybase' count connect-7x6-k4"
fi
conclude
