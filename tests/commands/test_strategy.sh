#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Strategies: making, verifying and using them.
#   test_strategy.sh PLYBASE
. "$(dirname "$0")/../support/checks.sh"

"$plybase" build connect-4x4-k4 2>/dev/null || fail "no table"
"$plybase" build connect-4x4-k3 2>/dev/null || fail "no table"

# ---- written ----
expect 0 's.plb: the second player of connect-4x4-k4 gets at least a draw: [0-9,]+ positions, ' \
    "$plybase" strategy connect-4x4-k4.plb --player second -o s.plb
expect 0 '"spec": ?"connect-4x4-k3","player": ?"first","claim": ?"win","choice": ?"fewest","look_ahead": ?5,"positions": ?"4",' \
    "$plybase" strategy connect-4x4-k3.plb -o w.plb --json
expect 0 'numeric-3x3 wins: 5 positions, .*, games of up to 9 plies, ' "$plybase" strategy numeric-3x3 -o n.plb
cp s.plb before.plb
expect 1 's.plb exists; --force replaces it' "$plybase" strategy connect-4x4-k4.plb -p second -o s.plb
cmp -s s.plb before.plb || fail "an existing file was changed"
expect 0 'at least a draw' "$plybase" strategy connect-4x4-k4.plb -p second -o s.plb --force
cmp -s s.plb before.plb || fail "the same command gave other bytes"
counts=()
for way in first forcing fewest; do
    expect 0 'wins' "$plybase" strategy numeric-3x3 -o "$way.plb" --choose $way --look-ahead 1
    counts+=("$("$plybase" info $way.plb --json | sed -E 's/.*"positions": ?"([0-9]+).*/\1/')")
done
[ "${counts[2]}" -le "${counts[1]}" ] && [ "${counts[1]}" -lt "${counts[0]}" ] ||
    fail "positions of first, forcing, fewest: ${counts[*]}"
[ "$(find . -name '*.plb?*' | wc -l)" -eq 0 ] || fail "a temporary file was left"

# A umask without the right to write does not matter.
[ "$(id -u)" -ne 0 ] || echo "NOT CHECKED: root may write whatever the umask is"
(umask 0222 && "$plybase" strategy numeric-3x3 -o masked.plb >/dev/null) && cmp -s masked.plb n.plb &&
    [ "$(stat -c %a masked.plb)" = 444 ] || fail "under umask 0222"

# The file gets its name when it is complete.
# shellcheck disable=SC2016
expect 1 'cannot write big.plb: the disk is full' \
    bash -c 'ulimit -f 8; "$0" strategy connect-4x4-k4.plb -p second -o big.plb' "$plybase"
[ "$(find . -name 'big.plb*' | wc -l)" -eq 0 ] || fail "half a strategy is left"
expect 0 'checking ply  0 +1 positions' "$plybase" verify n.plb
expect 0 'checking ply  0 +1 positions' "$plybase" strategy numeric-3x3 -o n.plb --force

# ---- refused ----
expect 1 'neither player can force a win in connect-4x4-k4: --player first or' \
    "$plybase" strategy connect-4x4-k4.plb -o x.plb
expect 1 'the second player has no such strategy: the first player can force a win' \
    "$plybase" strategy numeric-3x3 --player second -o x.plb
expect 2 'is made from its table: `plybase build connect-4x4-k4`' "$plybase" strategy connect-4x4-k4 -o x.plb
expect 1 's.plb is a strategy; a new one is made from a table' "$plybase" strategy s.plb -o x.plb
expect 1 'there is no table none.plb|cannot open none.plb' "$plybase" strategy none.plb -o x.plb
expect 2 'an output is needed' "$plybase" strategy numeric-3x3
expect 2 'first or second' "$plybase" strategy numeric-3x3 -o x.plb --player third
expect 2 'first, forcing or fewest' "$plybase" strategy numeric-3x3 -o x.plb --choose best
expect 2 'the number is odd' "$plybase" strategy numeric-3x3 -o x.plb --look-ahead 4
expect 2 'a file is needed' "$plybase" strategy numeric-3x3 -o .
[ ! -e x.plb ] || fail "a refused command left a file"

# ---- existing files ----
"$plybase" build connect-4x4-k3 -o table.plb 2>/dev/null
cp table.plb again.plb
expect 1 'table.plb exists and is not a strategy' "$plybase" strategy table.plb -o table.plb --force
expect 1 'table.plb exists and is not a strategy' "$plybase" strategy numeric-3x3 -o table.plb --force
cmp -s table.plb again.plb || fail "a table was replaced by a strategy"

# ---- interrupted ----
timeout -s INT 1 "$plybase" strategy numeric-4x4 -o s.plb --force >/dev/null 2>err
status=$?
[ $status -eq 124 ] && grep -q interrupted err || fail "an interrupt gave $status, $(cat err)"
cmp -s s.plb before.plb || fail "an interrupt changed the file that was there"

# ---- verified ----
expect 0 'connect-4x4-k4: good' "$plybase" verify s.plb
expect 0 'the first player wins' "$plybase" verify w.plb --threads 1
expect 0 '"good": ?true,.*"longest_plies": ?9' "$plybase" verify n.plb --json

# ---- probed ----
expect 0 'strategy     of the second player, who gets at least a draw' "$plybase" info s.plb
expect 0 '"player": ?"first","claim": ?"win"' "$plybase" info w.plb --json
expect 0 'x to move: at most a draw' "$plybase" probe s.plb 4/4/4/4
expect 0 '"bound": ?"at most"' "$plybase" probe s.plb 4/4/4/4 --json
expect 0 'o to move: at least a draw' "$plybase" probe s.plb --moves 1
expect 0 'x to move: win' "$plybase" probe w.plb 4/4/4/4
expect 0 'o to move: at least a draw' "$plybase" best s.plb --moves 1
expect 0 '"value": ?"draw".*"bound": ?"at least"' "$plybase" best s.plb --moves 1 --json
expect 0 'win in 1 to 16 plies' "$plybase" best w.plb 4/4/4/4
expect 0 '"exact": ?false' "$plybase" best w.plb 4/4/4/4 --json
unknown=0
for reply in 1 2 3 4; do
    "$plybase" probe s.plb --moves 1$reply 2>&1 | grep -q 'strategy has no answer' && unknown=$((unknown + 1))
done
[ $unknown -gt 0 ] && [ $unknown -lt 4 ] || fail "$unknown of 4 replies are unknown"
expect 1 'has no distances' "$plybase" line s.plb 4/4/4/4
for command in stats export; do
    arguments=()
    [ $command = export ] && arguments=(-o -)
    expect 1 'is a strategy, which has neither' "$plybase" $command s.plb "${arguments[@]}"
done

# ---- played ----
printf '1\nmoves\nswap\n' | "$plybase" play s.plb >played || fail "play failed"
grep -q 'You are x, I am o' played || fail "the person is not the opponent"
grep -q 'I play' played || fail "the strategy did not move"
grep -q 'moves of the second player alone' played || fail "no message that sides cannot be swapped"
expect 1 'you are the other one' "$plybase" play s.plb --second
printf '2@a1\n' | "$plybase" play n.plb | grep -c 'I play' | grep -qx '[12]' || fail "numbers are not played"

# ---- by name ----
expect 0 'take-even +second +win +49 +Corollary 1' "$plybase" strategy connect-8x8-k4-misere
expect 0 'take-other +first +draw +7 +Theorem 3' "$plybase" strategy connect-7x1-k3-misere
expect 0 '"name": ?"on-top","player": ?"second","claim": ?"draw"' "$plybase" strategy connect-3x4-k4-misere --json
expect 0 'rule: play in an even row' "$plybase" strategy connect-7x6-k4-misere take-even
expect 0 '^holds: 7,312 positions, longest game 37 plies$' "$plybase" strategy connect-7x6-k4-misere take-even --verify
expect 0 '^holds: 102,625 positions, longest game 49 plies$' "$plybase" strategy connect-8x8-k4-misere take-even --verify
expect 0 'holds also if the opponent may complete groups: [0-9]+ positions' \
    "$plybase" strategy connect-9x1-k3-misere take-other --verify --player second
expect 0 'ply  2 +7 positions' "$plybase" strategy connect-7x6-k4-misere take-even --verify
[ "$("$plybase" strategy connect-9x1-k3-misere take-other --verify 2>/dev/null | grep -c '^holds: ')" -eq 2 ] ||
    fail "not both players were verified"
expect 1 '^fails after 5241: the rule has no move$' "$plybase" strategy connect-5x3-k3-misere delayed-as-written --verify
expect 1 '"holds": ?false,.*"line": ?"5241"' \
    "$plybase" strategy connect-5x3-k3-misere delayed-as-written --verify --json
expect 0 '"holds": ?true,"positions": ?"7312","immune_positions": ?null,"longest_plies": ?37' \
    "$plybase" strategy connect-7x6-k4-misere take-even --verify --json
expect 1 'take-even does not apply to connect-7x5-k4-misere: the height is odd.*; `plybase strategy --force` tries it' \
    "$plybase" strategy connect-7x5-k4-misere take-even --verify
expect 1 '^fails after [1-7]{5}: the rule has no move$' \
    "$plybase" strategy connect-7x5-k4-misere take-even --verify --force
expect 1 'does not apply .*: here it is a strategy of the second player' \
    "$plybase" strategy connect-7x6-k4-misere take-even --player first
expect 2 'strategies with names are of misere Connect-k' "$plybase" strategy connect-4x4-k4 take-even
expect 2 'strategies with names are of misere Connect-k' "$plybase" strategy mnk-3x3-k3-misere
expect 2 "no strategy 'take-odd'; the strategies are take-even, " "$plybase" strategy connect-4x4-k4-misere take-odd
expect 2 'is one too many' "$plybase" strategy connect-4x4-k4-misere take-even on-top
expect 2 'verify needs the NAME' "$plybase" strategy connect-4x4-k4-misere --verify
expect 2 'a NAME goes with a SPEC' "$plybase" strategy s.plb take-even
expect 1 'do not fit the memory given' "$plybase" strategy connect-8x8-k4-misere take-even --verify --memory 64K
for rule in 'connect-6x4-k4-misere take-even' 'connect-4x3-k3-misere delayed-take-even' \
    'connect-5x3-k3-misere delayed-take-even' 'connect-9x1-k2-misere tally' 'connect-5x3-k2-misere delayed-take-even' \
    'connect-9x1-k3-misere canonical --player first' 'connect-9x1-k3-misere take-other --player second' \
    'connect-2x5-k3-misere on-top --player first' 'connect-6x3-k3-misere-cylinder delayed-take-even'; do
    # shellcheck disable=SC2086
    expect 0 'games of up to' "$plybase" strategy $rule -o rule.plb --force
    expect 0 ': good' "$plybase" verify rule.plb
done
expect 1 'delayed-as-written fails on connect-5x3-k3-misere after 5241: the rule has no move' \
    "$plybase" strategy connect-5x3-k3-misere delayed-as-written -o none.plb
[ ! -e none.plb ] || fail "a strategy that does not hold was written"

# ---- rings ----
expect 0 '^connect-9x1-k3-misere-cylinder: draw  \(123 nodes in ' "$plybase" ring 9
expect 0 '^connect-13x1-k3-misere-cylinder: the second player wins ' "$plybase" ring 3 13
expect 0 '"spec": ?"connect-5x1-k3-misere-cylinder","to_move": ?"x","value": ?"loss","nodes": ?7,' "$plybase" ring 5 --json
expect 2 'WIDTH is an odd number from 3 to 63, not .8.' "$plybase" ring 5 8
expect 2 'WIDTH is an odd number from 3 to 63, not .65.' "$plybase" ring 65
expect 2 'at least one WIDTH is needed' "$plybase" ring
timeout -s INT 2 "$plybase" ring 41 >out 2>err
status=$?
[ $status -eq 124 ] && grep -q interrupted err || fail "an interrupt of ring gave $status, $(cat err)"

# ---- damaged: every 397th byte is changed ----
size=$(stat -c %s w.plb)
for ((at = 7; at < size; at += 397)); do
    cp w.plb d.plb
    byte=$(od -An -tu1 -j $at -N 1 d.plb)
    printf "\\x$(printf %x $((byte ^ 65)))" | dd of=d.plb bs=1 seek=$at conv=notrunc status=none
    "$plybase" verify d.plb >out 2>&1
    status=$?
    [ $status -eq 1 ] || fail "byte $at changed: status $status, $(cat out)"
done
head -c $((size / 2)) w.plb >d.plb
expect 1 'd.plb' "$plybase" verify d.plb
expect 1 'd.plb' "$plybase" play d.plb

conclude
