#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A person against a table: scripted games, every refusal, and random play against a table, which must
# always reach the value of the position.
#   test_play.sh PLYBASE
. "$(dirname "$0")/../support/checks.sh"
seed=20261121

# play STATUS PATTERN LINES ARGUMENT...: LINES, separated by blanks, are the input; the
# pattern, an extended regular expression, matches a line of the output.
play() {
    local status=$1 pattern=$2 lines output got
    read -ra lines <<<"$3"
    shift 3
    output=$(printf '%s\n' "${lines[@]}" | timeout 60 "$plybase" play "$@" 2>&1)
    got=$?
    checks=$((checks + 1))
    if [ $got -ne "$status" ] || ! grep -qE -- "$pattern" <<<"$output"; then
        fail "play $* <<<'${lines[*]}': expected status $status and /$pattern/, got $got and:"
        sed 's/^/    /' <<<"$output"
    fi
}

# count NUMBER PATTERN FILE: this many lines match the pattern.
count() {
    checks=$((checks + 1))
    [ "$(grep -cE -- "$2" "$3")" -eq "$1" ] || fail "$3: /$2/ in $(grep -cE -- "$2" "$3") lines, not $1"
}

for spec in connect-4x4-k4 connect-4x4-k4-misere connect-12x2-k2 mnk-3x3-k3 mnk-3x3-k3-misere \
    square-3x3; do
    "$plybase" build $spec 2>/dev/null || fail "build $spec"
done
"$plybase" build connect-4x4-k4-misere --values dtm -o distances.plb 2>/dev/null ||
    fail "build with distances"
four=connect-4x4-k4.plb xo=mnk-3x3-k3.plb

# ---- a whole session, word for word ----
cat >expected <<'END'
mnk-3x3-k3: the player who completes 3 in a row wins. You are x, I am o.
Moves are cells a1 to c3; help lists the commands.
  3 . . .
  2 . . .
  1 . . .
    a b c
I play b2.
  3 . . .
  2 . o .
  1 x . .
    a b c
Best is a2: draw; 5 of 6 replies lose value.
I play c1.
  3 . . .
  2 . o .
  1 x x o
    a b c
x to move: draw
  a3   draw
  a2   loss in 1 ply
  b3   loss in 1 ply
  c2   loss in 1 ply
  c3   loss in 1 ply
END
printf 'a1\nhint\nb1\nanalyse\n' | "$plybase" play $xo >got || fail "the exit status at the end of input"
diff expected got || fail "a session"
checks=$((checks + 1))

# ---- numbers ----
"$plybase" build numeric-3x3 2>/dev/null || fail "build numeric-3x3"
numbers=numeric-3x3.plb
play 0 '^I play [2468]@[abc][123]\.$' 5@b2 $numbers
play 0 '^I play [13579]@[abc][123]\.$' '' $numbers --second
play 0 '^Best is [1379]@(a2|b1|b3|c2): win in 9 plies\.$' hint $numbers
play 0 '^  7@c3 draw$' analyse $numbers --moves 5@b2,2@a1
play 0 '^5@b2,2@a1$' moves $numbers --moves 5@b2,2@a1
play 0 '^5@b2,2@a1,7@c3,[468]@' '7@c3 moves' $numbers --moves 5@b2,2@a1
play 0 ': the cell is taken\.$' 3@b2 $numbers --moves 5@b2,2@a1
play 0 ": the number is the opponent's\.$" 8@c3 $numbers --moves 5@b2,2@a1
play 0 ': the number was played before\.$' 5@c3 $numbers --moves 5@b2,2@a1
play 0 'no number of the game .*: these are 1 to 9\.$' 12@c3 $numbers
play 0 '^One move at a time, please\.$' 5@b2,2@a1 $numbers
play 0 "^'7@d1' is neither a move nor a command; moves are a number, @ and a cell a1 to c3, " 7@d1 $numbers
play 0 "^'5' is neither a move nor a command" 5 $numbers

# ---- refusals say what is wrong, and what would be right ----
play 0 '^Column 1 is full; there is room in 2, 3 and 4\.$' '1 1' $four --moves 111
play 0 '^Column 5 is off the board, which has the columns 1 to 4\.$' 5 $four
play 0 '^Column 0 is off the board' 0 $four
play 0 '^Column 99999999999999999999 is off the board' 99999999999999999999 $four
play 0 '^Column 10 is off the board, which has the columns 1 to 9 and a to c\.$' 10 connect-12x2-k2.plb
play 0 "^'b3' is neither a move nor a command; moves are columns 1 to 4, help lists the commands\.$" \
    b3 $four
play 0 '^a1 is taken by x; empty cells are drawn as dots\.$' 'a1 a1' $xo
play 0 '^d1 is off the board, which has the cells a1 to c3\.$' d1 $xo
play 0 '^(a4|a0) is off the board' 'a4' $xo
play 0 '^a0 is off the board' 'a0' $xo
play 0 '^zzzzzzzzzzzzzzzzzzzz99999999999999999999 is off the board' \
    zzzzzzzzzzzzzzzzzzzz99999999999999999999 $xo
play 0 "^'1' is neither a move nor a command; moves are cells a1 to c3" 1 $xo
play 0 "^'01' is neither a move nor a command; moves are columns 1 to 4" 01 $four
play 0 "^'a01' is neither a move nor a command; moves are cells a1 to c3" a01 $xo
play 0 "^'castle' is neither a move nor a command" castle $xo
play 0 "^'h' is short for several commands; help lists them\.$" h $xo
play 0 '^There is no move of yours to take back\.$' undo $xo
play 0 '^There is no move of yours to take back\.$' undo $xo --second
play 0 '^The game is over: undo takes a move back, new starts again\.$' '1 2' $four --moves 121314
play 0 '^The game is over: there is no move\.$' '1 hint' $four --moves 121314
play 0 '^The game is over: there is no move\.$' '1 analyse' $four --moves 121314

# ---- commands ----
play 0 '^Best is 1: win in 1 ply\.$' hint $four --moves 121314
play 0 '^x to move: win in 1 ply$' analyse $four --moves 121314
play 0 '^  1    win$' a $four --moves 121314
play 0 '^  [234]    (draw|loss.*)$' ANALYSE $four --moves 121314
play 0 '^Best is [1-4]: loss in [0-9]+ plies\.$' hint connect-4x4-k4-misere.plb
play 0 '^x to move: loss in [0-9]+ plies$' analyse connect-4x4-k4-misere.plb
play 0 '^2 moves taken back\.$' 'a1 undo' $xo
play 0 '^1 move taken back\.$' '1 undo' $four --moves 121314
play 0 '^You are o now\.$' swap $xo
play 0 '^I play 1\.$' swap $four --moves 121314
play 0 '^The game is over: I win\.$' swap $four --moves 121314
play 0 '^no moves yet$' moves $xo
play 0 '^no moves yet$' 'a1 undo moves' $xo
play 0 '^no moves yet$' 'a1 new moves' $xo
play 0 '^a1b2$' 'a1 moves' $xo
play 0 '^1213141$' '1 moves' $four --moves 121314
play 0 '^after x2/3/2o: b2a1$' 'b2 moves' $xo --board x2/3/2o
play 0 '^  analyse +every move' help $xo
play 0 '^  analyse +every move' '?' $xo
play 0 '^You are o now' 's' $xo
[ "$(printf 'quit\nundo\n' | "$plybase" play $xo | grep -c 'take back')" -eq 0 ] ||
    fail "quit does not end the game"
[ "$(printf 'board\n' | "$plybase" play $xo | grep -c 'a b c')" -eq 2 ] || fail "board"

# ---- on a terminal libedit, if it can be loaded, recalls a line ----
# answers NUMBER ASSIGNMENT: so many answers to `2` and the key for the line before.
answers() {
    local got
    got=$(printf '2\n\033[A\nquit\n' | env TERM=xterm "$2" script -qec "'$plybase' play $four" /dev/null | grep -c '^I play')
    checks=$((checks + 1))
    [ "$got" -eq "$1" ] || fail "$got answers on a terminal with $2, not $1"
}
mkdir broken
touch broken/libedit.so.{0,2}
if [[ $(PATH=$PATH:/usr/sbin ldconfig -p) == *libedit.so.[02]* ]]; then answers 2 "HOME=$work"; fi
answers 1 "LD_LIBRARY_PATH=$work/broken"

# Distances by search, and the order of moves, agree with a table with distances.
for line in 1 12 112 1122 12131 112234 1213443 1122344 12341234 1234123443 11112222; do
    "$plybase" probe distances.plb --moves $line | sed -n '/to move/,$p' >stored
    echo analyse | "$plybase" play connect-4x4-k4-misere.plb --moves $line |
        sed -n '/to move/,$p' >searched
    grep -q 'to move' stored || fail "nothing to compare after $line"
    diff stored searched || fail "analyse after $line"
    checks=$((checks + 1))
done

# After the end of the game, swap, undo and new still work.
play 0 '^You are o now' '1 swap' $four --moves 121314
play 0 '^x to move: win in 1 ply$' '1 undo analyse' $four --moves 121314
play 0 '^121314$' '1 new moves' $four --moves 121314

# After a swap, the moves of both sides can be taken back.
play 0 '^2 moves taken back\.$' 'a1 swap undo' $xo
play 0 '^a1$' 'a1 swap undo moves' $xo

# ---- sides, and where the game begins ----
play 0 'You are x, I am o\.$' '' $xo
play 0 'You are o, I am x\.$' '' $xo --moves a1
play 0 'You are o, I am x\.$' '' $xo --second
play 0 '^I play [abc][123]\.$' '' $xo --second
play 0 '^I play [abc][123]\.$' '' $xo --moves a1 --first
play 0 '^The game is over: you win\.$' '1' $four --moves 121314
play 0 '^The game is over: I win\.$' '' $four --moves 121314 --second
play 0 '^The game is over: I win\.$' '' $four --moves 1213141
play 0 '^The game is over: a draw\.$' '' $xo --moves a1b2a3a2c2b1b3c3c1
play 0 'who completes 3 in a row loses\.' '' mnk-3x3-k3-misere.plb
play 0 '^The game is over: I win\.$' 'a3' mnk-3x3-k3-misere.plb --moves a1b1a2c2
play 0 'who completes a square wins\.' '' square-3x3.plb
play 0 '^The game is over: you win\.$' 'b2' square-3x3.plb --moves a1c1b1c2a2c3
play 0 '^The game is over: you win\.$' 'b' connect-12x2-k2.plb --moves a,1

# ---- bad start positions ----
play 1 'is off the 3x3 board' '' $xo --moves d9
play 1 'impossible piece counts' '' $xo --board xx1/3/3
play 1 'cannot open nothing.plb' '' nothing.plb
play 2 'a FILE.SPEC is needed: plybase play FILE.SPEC' ''
play 2 "'more' is one argument too many" '' $xo more
play 2 'exclude each other' '' $xo --first --second
play 2 'exclude each other' '' $xo --moves a1 --board 3/3/3
play 2 'auto, always or never' '' $xo --color blue
play 2 'a number from 0 on is needed' '' $xo --seed x
"$plybase" play $xo </dev/null >/dev/full 2>/dev/null
[ $? -eq 1 ] || fail "an answer that cannot be written"
"$plybase" play $xo <. >/dev/null 2>&1
[ $? -eq 1 ] || fail "a standard input that cannot be read"
checks=$((checks + 4))

# ---- colour and prompts ----
escape=$'\033'
play 0 "$escape" a1 $xo --color always
for when in auto never; do
    echo a1 | TERM=xterm "$plybase" play $xo --color $when | grep -q "$escape" &&
        fail "--color $when writes colours to a pipe"
done
printf 'a1\n' | "$plybase" play $xo | grep -q '> ' && fail "a prompt in a pipe"

# on_terminal LINES VARIABLE... -- ARGUMENT...: the output of a game on a terminal, with escape sequences.
# LINES, separated by blanks, are typed.
on_terminal() {
    local lines=$1 variables=()
    shift
    while [ "$1" != -- ]; do variables+=("$1") && shift; done
    shift
    (for line in $lines; do sleep 0.2; printf '%b\r' "$line"; done; sleep 0.2; printf 'quit\r') |
        env LC_ALL=C.UTF-8 "${variables[@]}" python3 -c '
import pty, sys
sys.exit(pty.spawn(sys.argv[1:]))' "$plybase" play "$@" | tr -d '\r'
}
# without_escapes FILE: its text without escape sequences.
without_escapes() { sed -E "s/$escape\[[0-9;?]*[a-zA-Z]//g" "$1"; }

on_terminal 'a1' TERM=xterm -- $xo >session || fail "a game on a terminal"
grep -q "$escape" session || fail "no colour on a terminal"
without_escapes session >text
count 3 '^    ┌─────────────┐$' text       # the start, the person's move, the reply
count 1 '^  1 │ \(●\)  ·   ·  │$' text     # the person's move is seen before the reply
count 1 '^  1 │  ●   ·   ·  │$' text
count 1 '^  2 │  ·  \(○\)  ·  │$' text
count 3 '^       a   b   c  $' text
grep -q '^x ●> ' text || fail "no prompt on a terminal"
on_terminal 'a1' TERM=xterm NO_COLOR=1 -- $xo >session || fail "a game without colour"
grep -q "$escape\[1;3[14]m" session && fail "NO_COLOR is not respected"
on_terminal 'a1' TERM=dumb -- $xo >session || fail "a game on a dumb terminal"
count 0 "$escape" session
count 2 '^x> ' session
on_terminal 'a1' TERM=xterm LC_ALL=C -- $xo >session || fail "a game without UTF-8"
without_escapes session >text
count 1 '^  1 \| \(x\)  \.   \.  \|$' text

# Values of moves are drawn at their cells, and the group that ends the game is marked.
on_terminal 'analyse 1' TERM=xterm -- $four --moves 121314 >session || fail "an end on a terminal"
without_escapes session >text
count 1 '^       1   2   3   4  $' <(grep -A1 -B1 -F ' +  ' text)
count 4 '\[●\]' text
count 1 '^The game is over: you win\.$' text
on_terminal 'analyse' TERM=xterm -- $xo --moves a1b2b1c1 >session || fail "analyse on a terminal"
without_escapes session >text
count 1 '^  3 │  =  -1  -1  │$' text

# Lines can be edited, and earlier ones recalled: cursor up, twice, then return.
on_terminal 'a1 hint \033[A\033[A' TERM=xterm -- $xo >session || fail "editing on a terminal"
without_escapes session >text
count 1 '^a1 is taken by x' text
on_terminal 'b1\033[D\033[D\033[3~a' TERM=xterm -- $xo >session || fail "editing on a terminal"
without_escapes session >text
grep -q '^  1 │ (●)' text || fail "a line that was edited"
checks=$((checks + 15))

# ---- a person who plays randomly ----
# random_games NUMBER BEGIN CELL...: print the input of this many games: the commands BEGIN, then every cell
# once in random order. Moves to taken cells are refused.
random_games() {
    awk -v seed=$seed -v games="$1" -v begin="$2" -v cells="${*:3}" 'BEGIN {
        srand(seed)
        for (g = 0; g < games; g++) {
            n = split(cells, cell, " ")
            gsub(" ", "\n", begin)
            print begin
            for (; n; cell[at] = cell[n--]) { at = 1 + int(rand() * n); print cell[at] }
        }
    }'
}
cells='a1 a2 a3 b1 b2 b3 c1 c2 c3' columns='1 1 1 1 2 2 2 2 3 3 3 3 4 4 4 4'
echo "random games with seed $seed"

# Drawn games: the table plays both sides in turn and never loses.
for game in "$xo|$cells" "$four|$columns" "square-3x3.plb|$cells" "mnk-3x3-k3-misere.plb|$cells"; do
    table=${game%|*}
    # shellcheck disable=SC2086 # one word per cell
    random_games 200 'new swap' ${game#*|} | "$plybase" play "$table" --seed $seed >session ||
        fail "$table: random games"
    count 0 'you win' session
    count 200 '^The game is over: (I win|a draw)\.$' session
    grep -q 'I win' session || fail "$table: no random game was lost"
done

# Won games: the table wins all of them in the fewest moves.
# won_games TABLE REPLIES CELLS ARGUMENT...: it needs at most REPLIES replies per game.
won_games() {
    local table=$1 replies=$2
    # shellcheck disable=SC2086 # one word per cell
    random_games 50 new $3 | "$plybase" play "$table" "${@:4}" >session || fail "$*: random games"
    count 0 'you win|a draw' session
    count 50 'I win' session
    checks=$((checks + 1))
    awk -v most="$replies" '/ I am / { n = 0 } /^I play/ && ++n > most { exit 1 }' session ||
        fail "$*: a win takes more than $replies replies"
}
won_games $xo 3 "$cells" --second --moves a1b1
won_games mnk-3x3-k3-misere.plb 4 "$cells" --first --moves a1
won_games connect-4x4-k4-misere.plb 8 "$columns" --first

# Strategies by rule: none loses, and those that win do so in every game.
# by_rule 'a draw'|I\ win SPEC NAME CELLS ARGUMENT...
by_rule() {
    # shellcheck disable=SC2086 # one word per cell
    random_games 50 'hint new' $4 | "$plybase" play "$2" --strategy "$3" --seed $seed "${@:5}" >session ||
        fail "$*: random games"
    count 0 'you win' session
    count 50 "^The game is over: ($1)\.\$" session
    grep -q '^I played' session || fail "$*: no reason was given"
    checks=$((checks + 1))
}
by_rule 'I win' connect-4x4-k4-misere take-even "$columns"
by_rule 'I win' connect-4x3-k3-misere delayed-take-even '1 1 1 2 2 2 3 3 3 4 4 4'
by_rule 'I win' connect-5x3-k3-misere delayed-take-even '1 1 1 2 2 2 3 3 3 4 4 4 5 5 5'
by_rule 'I win' connect-4x4-k4-misere-cylinder take-even "$columns"
by_rule 'I win' connect-8x1-k2-misere tally '1 2 3 4 5 6 7 8'
by_rule 'I win|a draw' connect-6x1-k3-misere take-other '1 2 3 4 5 6' --first
by_rule 'I win|a draw' connect-6x1-k3-misere canonical '1 2 3 4 5 6' --second
by_rule 'I win|a draw' connect-2x4-k3-misere on-top '1 1 1 1 2 2 2 2' --second
printf '4\nhint\nanalyse\nswap\n4\n4\n4\n' | "$plybase" play connect-7x6-k4-misere --strategy take-even >session
count 1 '^My rule is take-even: .* It wins by ply 37 \(Theorem 1\)\.$' session
count 1 '^I played 4: it is on top of your last stone, in an even row' session
count 1 'I follow a rule and know no values' session
count 1 'I know moves of the second player alone' session
count 1 'Column 4 is full; there is room in 1, 2, 3, 5, 6 and 7' session
decline() {
    local pattern=$1
    "$plybase" play "${@:2}" </dev/null 2>&1 | grep -qE "$pattern" || fail "$*: not refused"
    checks=$((checks + 1))
}
decline 'does not apply to connect-7x5-k4-misere' connect-7x5-k4-misere --strategy take-even
decline 'here it is a strategy of the second player' connect-7x6-k4-misere --strategy take-even --second
decline 'there is no strategy' connect-7x6-k4-misere --strategy best
decline 'leave out --moves and --board' connect-7x6-k4-misere --strategy take-even --moves 1
mkdir locked
(cd locked && chmod a-w . && TMPDIR=$PWD/none "$plybase" play connect-7x6-k4-misere --strategy take-even \
    </dev/null >../session) || fail "a rule needs a file"

# The same seed gives the same games; another seed gives others.
game() { random_games 20 new "$cells" | "$plybase" play $xo --seed "$1"; }
cmp <(game 1) <(game 1) || fail "a seed does not repeat its games"
cmp -s <(game 1) <(game 2) && fail "all seeds play the same games"
checks=$((checks + 2))

conclude
