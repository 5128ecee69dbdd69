#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Mistakes and what cannot be done: each is answered by one sentence that names it, and by an exit
# status: 2 for a mistake in the command line, 1 for what went wrong with files and positions.
#   test_refusals.sh PLYBASE
. "$(dirname "$0")/../support/checks.sh"

"$plybase" build mnk-3x3-k3 2>/dev/null || fail "no table"
table=mnk-3x3-k3.plb

# ---- names that do not fit in a sentence, that are empty, and that are no text ----
folder=$(printf 'folder%.0s/' {1..60})
mkdir -p "$folder"
refuse 1 '^plybase: cannot open folder/.*\.\.\..*/none.plb: No such file or directory$' \
    "$plybase" probe "$folder/none.plb" 9
refuse 1 '\.\.\..*/x.csv: No such file or directory$' "$plybase" export $table -o "$folder/no/x.csv"
cp $table "$folder/x.csv"
refuse 1 '\.\.\..*/x.csv exists; --force replaces it$' "$plybase" export $table -o "$folder/x.csv"
refuse 1 '^plybase: .*\.\.\..*/x.csv is the wdl table of mnk-3x3-k3, not the wdl table of' \
    "$plybase" build mnk-3x3-k2 -o "$folder/x.csv"
refuse 1 "cannot open '': No such file or directory" "$plybase" probe '' 9
refuse 1 "cannot open a\\?b\\?: No such file" "$plybase" probe $'a\nb\e' 9

# ---- a strategy is no table, and a table no strategy ----
"$plybase" strategy numeric-3x3 -o nine.plb >/dev/null 2>&1 || fail "no strategy"
cp nine.plb kept.plb
for force in '' --force; do
    # shellcheck disable=SC2086 # no argument where it is empty
    refuse 1 'nine.plb exists and is a strategy, not a table: choose another output with -o' \
        "$plybase" build mnk-3x3-k3 -o nine.plb $force
done
cmp -s nine.plb kept.plb || fail "a strategy was lost"
refuse 1 'nine.plb is a strategy, which has neither counts nor lists' "$plybase" stats nine.plb
refuse 1 'mnk-3x3-k3.plb exists and is no strategy' \
    "$plybase" strategy mnk-3x3-k3.plb -p first -o mnk-3x3-k3.plb --force

# ---- mistakes in the command line ----
refuse 2 "^plybase: --threads '': a number from 1 to 1024 is needed$" "$plybase" build mnk-3x3-k3 -t ''
refuse 2 "--values '': wdl .* or dtm .* is needed" "$plybase" build mnk-3x3-k3 --values ''
refuse 2 "--memory '': a size such as" "$plybase" build mnk-3x3-k3 --memory ''
refuse 2 '--ply 10: mnk-3x3-k3 has plies 0 to 9' "$plybase" export $table -o - --ply 10
refuse 2 '--trial 10: the last ply of mnk-3x3-k3 is 9' "$plybase" plan mnk-3x3-k3 --trial 10
refuse 2 'strategies with names are of misere Connect-k' "$plybase" strategy connect-4x4-k4
refuse 2 'strategies with names are of misere Connect-k' "$plybase" strategy connect-4x4-k4 tally
refuse 2 'strategies with names are of misere Connect-k' "$plybase" strategy connect-4x4-k4 tally -v
refuse 2 'strategies with names are of misere Connect-k' "$plybase" play connect-4x4-k4 -s tally

# ---- the empty board of a wide one needs no move ----
refuse 0 'x to move: draw' "$plybase" solve connect-36x1-k37
refuse 1 'more than 35 columns: give the board instead' "$plybase" solve connect-36x1-k4 --moves 1

# ---- one is one ----
expect 0 '\(1 node in ' "$plybase" ring 3
expect 0 '^one.csv: 1 row, ' "$plybase" export $table --ply 0 -o one.csv

conclude
