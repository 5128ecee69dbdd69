#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# plybase count as people type it: what it prints, how it refuses, and how it goes on after an
# interruption.
#   test_count.sh PLYBASE
. "$(dirname "$0")/../support/checks.sh"

# ---- positions are counted, as tables have them and beyond ----
table=connect-4x4-k4.plb
expect 0 'connect-4x4-k4.plb: 161,029 positions' "$plybase" build connect-4x4-k4
for ply in 0 8 16; do
    row=$("$plybase" stats $table --csv | cut -d, -f1-3 | grep "^$ply,")
    expect 0 "^$row\$" "$plybase" count connect-4x4-k4 --csv
done
expect 0 '^  all +161,029 +21,404$' "$plybase" count connect-4x4-k4-misere
expect 0 '^connect-4x4-k4 +161,029 +21,404 +161029 the same, ' "$plybase" count -t connect-4x4-k4
expect 0 '^connect-2x2-k4,18,0,18,' "$plybase" count --csv connect-2x2-k4 connect-20x1-k4
expect 0 '^connect-20x2-k3 +[0-9,]{18,} ' "$plybase" count --totals connect-20x2-k3
expect 0 '"total":"[0-9]{19,}"' "$plybase" count --json connect-50x1-k4
expect 0 '"ply":8,"total":5084,"terminal":48}' "$plybase" count --json connect-4x4-k4
expect 0 '^  all +22,035 +10,956$' "$plybase" count connect-4x4-k3-cylinder
expect 0 '^connect-4x4-k4-cylinder +150,401 +29,120 +-, ' \
    "$plybase" count -t connect-4x4-k4-cylinder
expect 0 '^connect-4x4-k3-cylinder-misere,22035,10956,,' \
    "$plybase" count --csv connect-4x4-k3-cylinder-misere connect-3x7-k4-misere-cylinder
refuse 2 "cannot read '-misere'" "$plybase" count connect-4x4-k4-misere-cylinder-misere
refuse 2 'mnk-3x3-k3 is not counted: counts are of boards connect-WxH-kK' "$plybase" count mnk-3x3-k3
refuse 2 "after 'connect-' comes the board as WIDTHxHEIGHT" "$plybase" count connect-7
refuse 1 '99x2 cells: boards of 1 to 64 columns and 1 to 30 rows' "$plybase" count connect-99x2-k4
refuse 1 '60x3 with k4 is too big to be counted: its columns can be filled in too many ways$' "$plybase" count connect-60x3-k4
refuse 2 'either SPECs, such as connect-7x6-k4, or --published' "$plybase" count
refuse 2 '--csv or --json, not both' "$plybase" count -cj connect-4x4-k4
expect 1 'is not counted within 0.2 s, nor [0-9]+ after it: --seconds may be more$' \
    "$plybase" count --published --seconds 0.2
refuse 1 'connect-9x7-k4 is not counted within 0.1 s: --seconds may be more$' \
    "$plybase" count connect-9x7-k4 --seconds 0.1
refuse 2 "--answers '': a file is needed" "$plybase" count connect-4x4-k4 --answers ''
little=("$plybase" count --totals --threads 1 connect-7x6-k4 connect-4x4-k4 --memory 18M)
expect 1 '^plybase: connect-7x6-k4 is not counted within 18.0 MiB of memory: --memory ' "${little[@]}"
expect 1 '^connect-4x4-k4 +161,029 ' "${little[@]}"

# ---- what is counted is kept ----
kept=("$plybase" count --totals --threads 1 --answers answers)
expect 0 '^connect-4x4-k4 +161,029 +21,404 +161029 the same, ' "${kept[@]}" connect-4x4-k4
expect 0 '^connect-4x4-k4-cylinder +150,401 +29,120 +-, ' "${kept[@]}" connect-4x4-k4-cylinder
expect 0 '^3 answers$' wc -l answers
# What is there is not counted again, whether or not it would fit in memory: it is just read.
expect 0 '^connect-4x4-k4 +161,029 ' "${kept[@]}" connect-4x4-k4 connect-4x4-k4-cylinder
expect 0 '"total":161029,"terminal":21404,' "$plybase" count --json -a answers connect-4x4-k4-misere
expect 0 '^3 answers$' wc -l answers

# In little memory a board has parts. Without the line of the whole they are put together again;
# without some of them, these are counted.
expect 0 '^connect-6x5-k4 +2,818,972,642 +929,946,206 ' "${kept[@]}" --memory 24M connect-6x5-k4
lines=$(wc -l <answers)
[ "$lines" -gt 6 ] || fail "parts are kept: $lines lines"
whole=$(tail -n 1 answers)
sed -i '$d' answers
expect 0 '^connect-6x5-k4 +2,818,972,642 +929,946,206 ' "${kept[@]}" connect-6x5-k4
[ "$(tail -n 1 answers)" = "$whole" ] || fail 'the whole is the same, put together from its parts'
sed -i '$d;5d' answers
expect 0 '^connect-6x5-k4 +2,818,972,642 +929,946,206 ' "${kept[@]}" connect-6x5-k4
expect 0 "^$lines answers\$" wc -l answers

# In less memory two columns have parts, whatever the number of threads.
for little in '1 --memory 22M' '4 --memory 40M'; do
    # shellcheck disable=SC2086
    expect 0 '^connect-7x5-k4 +112,829,665,923 +43,202,775,359 ' \
        "$plybase" count --totals --threads $little connect-7x5-k4
done

# A line that was not written to its end, as in a power cut, is dropped; any other is believed only
# as it was written.
cp answers good
truncate -s -20 answers
expect 0 '^plybase: answers: the last line has no end and is dropped; its part is counted again$' \
    "${kept[@]}" connect-6x5-k4
cmp -s answers good || fail 'the last line is written again'
truncate -s -1 answers
expect 0 '^connect-6x5-k4 +2,818,972,642 ' "${kept[@]}" --seconds 0.1 connect-6x5-k4
cmp -s answers good || fail 'a last line that lacks only its end gets it'
sed -i '2s/161029/161028/; 2s/:0/:1/' answers
refuse 1 '^plybase: answers, line 2: not as it was written' "${kept[@]}" connect-4x4-k4
echo 'board (version 7),least,most,row,x,counts,check' >other
refuse 1 '^plybase: other was written by another version of plybase, whose parts are others$' \
    "$plybase" count -a other connect-4x4-k4
echo 'spec,total' >other
refuse 1 '^plybase: other is no file of counts: these begin with board .version [0-9]+.,column,least,most' \
    "$plybase" count connect-4x4-k4 --answers other
expect 0 '^spec,total$' cat other
printf 'my notes, without an end' >other
refuse 1 '^plybase: other is no file of counts: ' "$plybase" count connect-4x4-k4 -a other
expect 0 '^my notes, without an end$' cat other
head -c 20 good >other
expect 0 'connect-4x4-k4 +161,029 ' "$plybase" count -t connect-4x4-k4 -a other
expect 0 '^2 other$' wc -l other
for _ in 1 2; do expect 0 '^connect-4x4-k1000 +' "$plybase" count -t connect-4x4-k1000 -a other; done
expect 0 '^3 other$' wc -l other
sed 's/version [0-9]*/version 9/' good >other
refuse 1 '^plybase: other was written by another version of plybase' \
    "$plybase" count connect-4x4-k4 --answers other
refuse 1 '^plybase: none/answers: No such file or directory$' \
    "$plybase" count connect-4x4-k4 --answers none/answers
refuse 1 '^plybase: .: Is a directory$' "$plybase" count connect-4x4-k4 --answers .
refuse 1 '^plybase: /dev/zero is not a regular file, in which counts are kept$' \
    "$plybase" count connect-4x4-k4 --answers /dev/zero
exec 9<good
flock 9
refuse 1 '^plybase: good is in use by another process$' \
    "$plybase" count connect-4x4-k4 --answers good
exec 9<&-
# shellcheck disable=SC2016 # its own shell knows $0
refuse 1 '^plybase: new: File too large$' bash -c \
    'ulimit -f 0; "$0" count connect-4x4-k4 --answers new' "$plybase"
# shellcheck disable=SC2016 # a line that is longer than a buffer
expect 1 '^plybase: new: File too large$' bash -c \
    'ulimit -f 1; "$0" count connect-30x3-k4 --answers new' "$plybase"

# Interrupted, the same command goes on.
interrupted() {
    "${@:2}" &
    local pid=$!
    sleep "$1"
    kill -INT $pid
    wait $pid
}
seven=("${kept[@]}" connect-4x4-k4 connect-7x6-k4)
cp good answers
expect 130 '^plybase: interrupted; the same command goes on from answers$' interrupted 2 "${seven[@]}"
expect 130 '^connect-4x4-k4 +161,029 ' interrupted 2 "${seven[@]}"
cmp -s answers good || fail 'nothing of 7x6 is kept that is not done'

# On a terminal it says how far it is, and after two seconds how long it will take.
shown=$(script -qec "'$plybase' count connect-7x6-k4 --threads 1" /dev/null | tr '\r' '\n')
expect 0 'connect-7x6-k4  [0-9.]+ %, [0-9.]+ s left' echo "$shown"
expect 0 '^  all +4,531,985,219,092 +1,904,619,871,743' echo "$shown"
conclude
