#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Text output: lines of at most 80 characters, a line for each of several games, and --quiet.
#   test_screen.sh PLYBASE
. "$(dirname "$0")/../support/checks.sh"

table=connect-4x4-k4.plb
"$plybase" build connect-4x4-k4 2>/dev/null || fail "no table"

# ---- lines fit a screen ----
fits() { # ARGUMENT...: there is output, and no line is longer than 80 characters
    checks=$((checks + 1))
    output=$("$plybase" "$@")
    [ -n "$output" ] && ! grep -qE '^.{81}' <<<"$output" || fail "$* prints nothing or long lines"
}
fits count connect-30x3-k3
also '^  all +[0-9]{23,} +[0-9]{23,}$'
fits count --totals connect-12x4-k4 connect-20x2-k3 connect-4x4-k4
also '^connect-12x4-k4 +17,631,656,694,578,591 +8,706,698,581,308,197 +[0-9.]+ rounded$'
fits stats $table
fits plan connect-7x6-k4 --plies

# ---- several games: one line each ----
several=("$plybase" solve connect-4x4-k4 mnk-3x3-k3-misere connect-4x4-k3)
expect 0 '^game +value +plies +nodes +seconds$' "${several[@]}"
expect 0 '^connect-4x4-k3 +win +9 ' "${several[@]}" --distance
expect 0 '^connect-4x4-k4 +draw +- +[0-9,]+ +[0-9.]+$' "${several[@]}"
expect 0 '^."spec":"mnk-3x3-k3-misere",.*"value":"draw"' "${several[@]}" --json
[ "$("${several[@]}" | wc -l)" -eq 4 ] || fail 'a line for each of several games'
expect 1 '^connect-4x4-k3 +win ' "$plybase" solve connect-6x6-k4 connect-4x4-k3 --nodes 1000
expect 1 '^plybase: connect-6x6-k4: not solved within 1,000 nodes' \
    "$plybase" solve connect-6x6-k4 connect-4x4-k3 --nodes 1000
refuse 2 "connect-5" "$plybase" solve connect-4x4-k4 connect-4x4-k3 connect-5
refuse 2 'with several SPECs only empty boards are solved' "${several[@]}" --moves
expect 2 'Usage' "$plybase"

# ---- a table whose name does not end in .plb ----
expect 0 '^out.txt does not end in .plb: .plybase serve FOLDER. and open_tables' \
    "$plybase" build mnk-3x3-k3 -o out.txt
[ "$("$plybase" build mnk-3x3-k3 2>&1 | grep -c 'does not end')" -eq 0 ] || fail "the message appears with .plb"

# ---- quiet ----
for what in 'build connect-4x4-k4 -f' 'build connect-4x4-k4' 'verify connect-4x4-k4.plb'; do
    # shellcheck disable=SC2086
    expect 0 '^$' "$plybase" $what --quiet
done
"$plybase" strategy numeric-3x3 -o nine.plb >/dev/null 2>&1 || fail "no strategy"
expect 0 '^$' "$plybase" verify nine.plb -q
refuse 1 'needs about .* of memory' "$plybase" build connect-6x5-k4 -q --memory 1M
head -c 20000 connect-4x4-k4.plb >cut.plb
expect 1 '.' "$plybase" verify -q cut.plb

conclude
