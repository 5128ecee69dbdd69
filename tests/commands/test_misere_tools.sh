#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tools/studies/misere-claims finds that all claims hold. tools/studies/annulus finds that all laws hold, even
# if it is stopped and resumed.
#   test_misere_tools.sh PLYBASE SOURCE [CELLS COLUMNS]
tools=$(realpath "$2")/tools cells=${3:-12} columns=${4:-8}
. "$(dirname "$0")/../support/checks.sh"

# ---- claims ----
ask_claims() {
    "$tools/studies/misere-claims" --plybase "$plybase" --cells "$cells" --columns "$columns" \
        --tables 0.01 --table-cells "$cells" --answers "$@"
}
ask_claims answers >claims || fail "a claim does not hold: $(cat claims)"
[ "$(grep -c ' holds ' claims)" -ge 20 ] || fail "claims are missing: $(cat claims)"
grep -q 'DOES NOT HOLD' claims && fail "$(grep 'DOES NOT HOLD' claims)"
"$tools/studies/misere-claims" --plybase "$plybase" --cells 11 >output 2>&1
[ $? -eq 2 ] || fail "too few cells: $(cat output)"

# Known answers are not computed again, incomplete ones are; answers of other programs are refused.
lines=$(wc -l <answers)
cp answers cut && truncate -s -3 cut
for kept in answers cut; do
    ask_claims $kept | cmp - claims || fail "other claims from $kept"
    [ "$(wc -l <$kept)" -eq "$lines" ] || fail "$kept has $(wc -l <$kept) lines, not $lines"
done
sed '1s/plybase [0-9.]*/plybase 0.0/' answers >old
ask_claims old 2>&1 | grep -q 'old has answers of another version, plybase 0.0' ||
    fail "old answers"
echo '{}' >other
ask_claims other 2>&1 | grep -q 'other was not written by this tool' || fail "other answers"
grep -q '^Table I, by tables  *holds .* [0-9]* boards of at most' claims || fail "no tables"

# If the command reports that every strategy fails, the claims fail.
cat >liar <<END
#!/bin/sh
"$plybase" "\$@" | sed 's/"holds": *true/"holds":false,"was":true/'
END
chmod +x liar
"$tools/studies/misere-claims" --plybase ./liar --cells 12 --columns 8 >output && fail "a liar is believed"
[ "$(grep -c 'DOES NOT HOLD' output)" -ge 10 ] || fail "only some claims fail: $(cat output)"

# ---- the annulus ----
study=("$tools/studies/annulus" --plybase "$plybase" --rings 7 --odd-rings 9 --csv boards.csv)
"${study[@]}" --cells 6 >first 2>talk || fail "a law is broken: $(cat first)"
cp boards.csv half.csv
"${study[@]}" --cells 8 >second 2>>talk || fail "a law is broken: $(cat second)"
head -c "$(stat -c %s half.csv)" boards.csv | cmp - half.csv || fail "rows were made again"
cp boards.csv whole.csv
head -c -5 whole.csv >boards.csv
"${study[@]}" --cells 8 >third 2>>talk || fail "after a row that was cut short"
cmp <(cut -d, -f 1-7 whole.csv) <(cut -d, -f 1-7 boards.csv) || fail "other rows after that"
grep -q '^connect-9x1-k3-misere-cylinder,9,1,3,draw,,' boards.csv || fail "no ring of width 9"
grep -q '^connect-4x2-k3-misere-cylinder,4,2,3,loss,5,.*,take-even,second,win,5,5,' boards.csv ||
    fail "no board 4x2: $(grep 4x2-k3 boards.csv)"
sed -i 's/^\(connect-4x2-k3-misere-cylinder,4,2,3\),loss/\1,win/' boards.csv
"${study[@]}" --cells 8 >output 2>&1 && fail "a broken law is not detected"
grep -q 'not so: connect-4x2-k3-misere-cylinder win' output || fail "$(cat output)"
echo 'a,b' >other.csv
"$tools/studies/annulus" --plybase "$plybase" --csv other.csv >output 2>&1 && fail "a file of another program was accepted"
grep -q 'was not written by this tool' output || fail "$(cat output)"

[ $failures -eq 0 ]
