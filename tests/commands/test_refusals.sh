#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every mistake gets one sentence that names it, and an exit status: 2 for a mistake in the command
# line, 1 for a problem with files or positions.
#   test_refusals.sh PLYBASE
. "$(dirname "$0")/../support/checks.sh"

"$plybase" build mnk-3x3-k3 2>/dev/null || fail "no table"
table=mnk-3x3-k3.plb

# ---- names that are too long for a message, empty, or not valid text ----
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
refuse 1 "there is no file a\\?b\\?; 'a\\?b\\?' is not a game" "$plybase" probe $'a\nb\e' 9

# ---- a strategy in place of a table, and a table in place of a strategy ----
"$plybase" strategy numeric-3x3 -o nine.plb >/dev/null 2>&1 || fail "no strategy"
cp nine.plb kept.plb
for force in '' --force; do
    # shellcheck disable=SC2086 # no argument where it is empty
    refuse 1 'nine.plb exists and is a strategy, not a table: choose another output with -o' \
        "$plybase" build mnk-3x3-k3 -o nine.plb $force
done
cmp -s nine.plb kept.plb || fail "a strategy was lost"
refuse 1 'nine.plb is a strategy, which has neither counts nor lists' "$plybase" stats nine.plb
refuse 1 'mnk-3x3-k3.plb exists and is not a strategy' \
    "$plybase" strategy mnk-3x3-k3.plb -p first -o mnk-3x3-k3.plb --force

# ---- bytes after the end of a table are reported, and the answer is printed ----
cp $table long.plb
printf 'more' >>long.plb
for arguments in 'probe long.plb 3/3/3' 'best long.plb 3/3/3' 'line long.plb 3/3/3' 'stats long.plb'; do
    # shellcheck disable=SC2086
    "$plybase" $arguments >answer 2>messages || fail "$arguments is not answered"
    # shellcheck disable=SC2086
    cmp -s answer <("$plybase" ${arguments/long.plb/$table}) || fail "$arguments: another answer"
    grep -q '^plybase: long.plb has 4 bytes after the end of the table' messages || fail "$arguments: no message"
done
expect 1 'continues after its last page' "$plybase" verify long.plb

# ---- columns do not shift, whatever a line contains ----
"$plybase" build connect-4x4-k3 -o k3.plb 2>/dev/null || fail "no table"
lines_give() { # NAME STATUS EXPECTED COMMAND...: check the answers to the standard input
    "${@:4}" >actual
    local status=$?
    checks=$((checks + 1))
    if [ $status -ne "$2" ] || ! cmp -s <(printf '%s\n' "$3") actual; then
        fail "$1: status $status and"
        cat -A actual
    fi
}
second=$'?\terror\t\'?\': character 1 is not x, o, a digit, . or /\n4/4/4/4\terror\t\'4/4/4/4\' is followed by a blank and \'win\': only one position is read here, one a line, without blanks in it; --input reads lists with more columns'
for command in probe best line; do
    lines_give "$command, a second column" 1 "$second" \
        "$plybase" $command k3.plb - < <(printf '?\n4/4/4/4\twin\n')
done
lines_give 'solve, a second column' 1 "$second" \
    "$plybase" solve connect-4x4-k3 - < <(printf '?\n4/4/4/4\twin\n')
lines_give 'a byte order mark, blanks and CR' 0 \
    $'4/4/4/4 \twin\t-\t1,2,3,4\n4/4/4/..X.\tloss\t-\t1,2,3,4' \
    "$plybase" probe k3.plb - < <(printf '\xef\xbb\xbf4/4/4/4 \t\r\n4/4/4/..X.\r\n')
for command in probe best line; do
    lines_give "$command, moves and a score" 1 \
        $'?\terror\t\'?\': no move at character 1; moves are columns such as 4, one character each\n33 1\terror\t\'33\' is followed by a blank and \'1\': only one position is read here, one a line, without blanks in it; --input reads lists with more columns' \
        "$plybase" $command k3.plb --moves - < <(printf '?\n33 1\n')
done
marked=$(printf '\xef\xbb\xbf4\n')
[ "$("$plybase" annotate k3.plb - <<<"$marked" | head -1)" = 4 ] || fail "annotate shows a byte order mark"
[ "$("$plybase" probe k3.plb --json - <<<"$marked/" | head -c 16)" = '{"position":"4/"' ] ||
    fail "JSON shows a byte order mark"
"$plybase" play k3.plb <<<"$marked" | grep -q 'I play' || fail "play does not read a byte order mark"
lines_give 'openings' 0 $'\twin\t-\t1,2,3,4\nc1\tloss\t-\t1,2,3,4' \
    "$plybase" probe k3.plb --moves - < <(printf '\nc1\r\n')

# ---- mistakes in the command line ----
refuse 2 "^plybase: --threads '': a number from 1 to 1,024 is needed$" "$plybase" build mnk-3x3-k3 -t ''
refuse 2 "--values '': wdl .* or dtm .* is needed" "$plybase" build mnk-3x3-k3 --values ''
refuse 2 "--memory '': a size such as" "$plybase" build mnk-3x3-k3 --memory ''
refuse 2 '--ply 10: mnk-3x3-k3 has plies 0 to 9' "$plybase" export $table -o - --ply 10
refuse 2 '--trial 10: the last ply of mnk-3x3-k3 is 9' "$plybase" plan mnk-3x3-k3 --trial 10
refuse 1 'no move at character 1; moves are cells such as b3$' "$plybase" solve mnk-3x1-k3 --moves 3
refuse 2 '--shards needs --ranks$' "$plybase" plan mnk-3x3-k3 --shards
refuse 2 '--network needs --ranks$' "$plybase" plan mnk-3x3-k3 --network 10G
refuse 2 'strategies with names are of misere Connect-k' "$plybase" strategy connect-4x4-k4
refuse 2 'strategies with names are of misere Connect-k' "$plybase" strategy connect-4x4-k4 tally
refuse 2 'strategies with names are of misere Connect-k' "$plybase" strategy connect-4x4-k4 tally -v
refuse 2 'strategies with names are of misere Connect-k' "$plybase" play connect-4x4-k4 -s tally

refuse 2 'no command .buld.; did you mean plybase build\?' "$plybase" buld mnk-3x3-k3
for word in version -v; do
    refuse 2 'did you mean plybase --version\?' "$plybase" $word
done
refuse 2 "no command 'frobnicate'; plybase --help lists them$" "$plybase" frobnicate
refuse 2 'did you mean mnk-3x3-k3\?' "$plybase" build mnk-3x3
refuse 2 'did you mean connect-3x3-k3\?' "$plybase" build 3x3
refuse 2 'did you mean connect-4x3-k4\?' "$plybase" build 4x3
refuse 2 'no option --dtm; did you mean --values=dtm\? ' "$plybase" build mnk-3x3-k3 --dtm
refuse 2 'no option -j; did you mean --threads\? ' "$plybase" build mnk-3x3-k3 -j 2
refuse 2 'no option --port; did you mean --listen\? ' "$plybase" serve --port 9000
refuse 2 'no option --jsn; did you mean --json\? ' "$plybase" stats $table --jsn
refuse 2 'no option --quite; .*stats --help lists them$' "$plybase" stats $table --quite
refuse 2 '^plybase: -moves: an option of several letters has two dashes: --moves$' \
    "$plybase" probe $table -moves a1
refuse 2 '--moves: FILE POSITION is needed, and there is only a1$' "$plybase" probe --moves a1
refuse 2 '^plybase: --ply is given twice$' "$plybase" export $table --ply 4 --ply 5 -o p.csv
refuse 2 '^plybase: --force is given twice$' "$plybase" build mnk-3x3-k3 -f --force
for spec in Connect-7x6-k4 connect4 Connect-Four 7x6; do
    refuse 2 'did you mean connect-7x6-k4\?$' "$plybase" build $spec
done
refuse 2 'did you mean connect-5x5-k4\?$' "$plybase" solve connect-5X5
refuse 2 'did you mean mnk-3x3-k3\?$' "$plybase" plan TicTacToe
refuse 2 'did you mean connect-7x6-k4\?$' "$plybase" count connect4
refuse 2 '^plybase: mnk-3x3-k3.plb is the name of a table; here a game is needed: mnk-3x3-k3$' \
    "$plybase" play $table --strategy tally
refuse 2 "^plybase: 'mnk-99999999999999999999x3-k3': a board has at most 64 cells$" \
    "$plybase" build mnk-99999999999999999999x3-k3
refuse 2 "^plybase: 'foo' is one argument too many: plybase games$" "$plybase" games foo
expect 0 '^Usage: plybase COMMAND' "$plybase" help --help
expect 0 '^Usage: plybase build ' "$plybase" --help build

# ---- forms of numbers, and tables named by their games ----
for number in 1e2 0.1k 1_00; do
    [ $number = 0.1k ] && status=2 || status=0
    expect $status '' "$plybase" export $table --sample $number -o - --seed 1
done
[ "$("$plybase" export $table --sample 1e2 -o - | wc -l)" -eq 101 ] || fail "1e2 is not 100"
expect 0 'x to move: draw' "$plybase" probe mnk-3x3-k3 3/3/3
expect 0 'xxh128' "$plybase" info mnk-3x3-k3 --digest
refuse 1 'there is no table mnk-3x3-k2.plb here; .plybase build mnk-3x3-k2. makes it' \
    "$plybase" probe mnk-3x3-k2 3/3/3
mkdir -p one two 'three folders'
for where in one two 'three folders'; do cp $table "$where"; done
named_in() { # FILE COMMAND...: the game is found in this file
    expect 0 "^plybase: mnk-3x3-k3: the table is $1\$" "${@:2}"
}
nowhere='there is no table mnk-3x3-k3.plb here'
for command in stats info verify probe best line 'export -o -' play 'site -f -o site' 'picture -o -'; do
    # shellcheck disable=SC2086 # a command and its options
    {
        named_in $table "$plybase" $command mnk-3x3-k3
        PLYBASE_PATH=two named_in $table "$plybase" $command mnk-3x3-k3
        mv $table away.plb
        PLYBASE_PATH=:none:two:one named_in two/$table "$plybase" $command mnk-3x3-k3
        PLYBASE_PATH=two named_in one/$table "$plybase" $command mnk-3x3-k3 --tables one
        named_in "three folders/$table" "$plybase" $command -T "three folders" mnk-3x3-k3
        build='`plybase build mnk-3x3-k3` makes it' refuses='refuse 1'
        if [ "$command" = 'picture -o -' ]; then # it draws the board without values
            build+='; without it there are no values' refuses='expect 0'
        fi
        PLYBASE_PATH=none:no $refuses "$nowhere or in .PLYBASE_PATH \(none:no\); $build\$" \
            "$plybase" $command mnk-3x3-k3
        $refuses "$nowhere; $build\$" "$plybase" $command mnk-3x3-k3
        PLYBASE_PATH='' $refuses "no table mnk-3x3-k3.plb in no or here; $build\$" \
            "$plybase" $command mnk-3x3-k3 --tables no
        refuse 1 "^plybase: there is no file connect-9x9-k4; .* a board has at most 64 cells$" \
            "$plybase" $command connect-9x9-k4
        refuse 1 '; did you mean connect-7x6-k4\?$' "$plybase" $command connect4
        mv away.plb $table
        expect 0 '' "$plybase" $command $table --tables two
    }
done
[ -z "$("$plybase" stats $table --tables two 2>&1 >/dev/null)" ] || fail "a message about a file that was named"

expect 0 '^$' "$plybase" verify --quiet mnk-3x3-k3

# ---- without a position the empty board is probed ----
for command in probe best line; do
    cmp -s <("$plybase" $command $table) <("$plybase" $command $table 3/3/3) ||
        fail "$command answers another position than the empty board"
done

# ---- on a wide board, the empty list of moves is read ----
refuse 0 'x to move: draw' "$plybase" solve connect-36x1-k37
refuse 1 'more than 35 columns: give the board instead' "$plybase" solve connect-36x1-k4 --moves 1

# ---- singular and plural ----
expect 0 '\(1 node in ' "$plybase" ring 3
expect 0 '^one.csv: 1 row, ' "$plybase" export $table --ply 0 -o one.csv

conclude
