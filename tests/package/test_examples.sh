#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The example engine, with tables without distances, plays as tables with distances would, and
# sees no end beyond its horizon; of equal moves it plays the one with the most losing replies.
#   test_examples.sh PLYBASE TABLE_ENGINE
set -euo pipefail
engine=$(realpath "$2")
. "$(dirname "$0")/../support/checks.sh"

# Distinct positions of random games; the seed is fixed.
# play SPEC MOVE...
play() {
    local spec=$1
    shift
    "$plybase" build "$spec" --force -o wdl.plb 2>/dev/null
    "$plybase" build "$spec" --force -o dtm.plb --values dtm 2>/dev/null
    for game in {1..60}; do
        shuf -e "$@" -n $((game % 9 + 1)) --random-source=<(yes "$game") | tr -d '\n'
        echo
    done | sort -u >lines
    "$plybase" probe dtm.plb - --moves <lines | awk -F'\t' '$2 != "error"' >truth || true
    cut -f 1 truth >lines
    [ "$(wc -l <lines)" -gt 20 ] || fail "$spec: only $(wc -l <lines) positions"
    # 1. it searches to the end of every game
    "$engine" wdl.plb 16 <lines >far
    paste truth far | awk -F'\t' -v spec="$spec" '
        $2 != $6 || $3 != $7 || ($5 != "-" && index("," $4 ",", "," $5 ",") == 0) {print spec ": " $0; bad = 1}
        END {exit bad}' || fail "$spec: other moves, values or distances"
    # 2. it searches 2 plies: values are kept, and distances of more than 2 plies are not found
    "$plybase" probe wdl.plb - --moves <lines >truth
    "$engine" wdl.plb 2 <lines >near
    paste truth far near | awk -F'\t' -v spec="$spec" '
        $9 != $2 || $10 != ($7 != "-" && $7 <= 2 ? $7 : "-") ||
            ($8 != "-" && index("," $4 ",", "," $8 ",") == 0) {print spec ": " $0; bad = 1}
        END {exit bad}' || fail "$spec: other moves or values with a near horizon"
}

play connect-4x4-k3-misere 1 2 3 4 1 2 3 4 1 2 3 4
play mnk-3x3-k3 a1 a2 a3 b1 b2 b3 c1 c2 c3

# ---- every first move draws; after a corner seven replies of eight lose, more than after others ----
got=$(echo | "$engine" wdl.plb)
[ "$got" = $'a1\tdraw\t-' ] || fail "the first move is $got"

# ---- refusals ----
printf 'a1a1\nb2\n' | "$engine" wdl.plb >got && fail "a refused position exits with 0"
grep -q "^error.'a1a1': move a1 at character 3" got || fail "a refused position: $(cat got)"
[ "$(wc -l <got)" -eq 2 ] || fail "the line after a refused one has no answer"
"$engine" nothing.plb 2>got && fail "no table, and exits with 0"
grep -q "^table_engine: cannot open nothing.plb" got || fail "no table: $(cat got)"
"$engine" 2>got && fail "no argument, and exits with 0"
grep -q "^Usage: table_engine FILE" got || fail "no argument: $(cat got)"

conclude
