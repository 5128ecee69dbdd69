#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The command: output, refusals, exit status.
#   test_command.sh PLYBASE
. "$(dirname "$0")/../support/checks.sh"

# ---- build: a table is built, and a second build finds it complete ----
expect 0 'connect-4x4-k4.plb: 161,029 positions' "$plybase" build connect-4x4-k4
expect 0 'complete already' "$plybase" build connect-4x4-k4
# A log has at most one line per second, not one for each of 34 steps.
[ "$("$plybase" build connect-4x4-k4 -o quiet.plb 2>&1 | wc -l)" -lt 10 ] ||
    fail "a short build fills a log"
expect 0 "positions not counted independently" "$plybase" build connect-4x4-k4 --force
expect 0 '161,029 positions' "$plybase" build connect-4x4-k4 --force --threads 1
expect 0 '5,478 positions' "$plybase" build mnk-3x3-k3 -o xo.plb --memory 512M
# Counting is for K up to 8; a build of a larger K is not counted.
expect 0 '6,046 positions' "$plybase" build connect-9x1-k9 -o wide.plb
expect 0 'which .plybase count. does not take' "$plybase" verify wide.plb
[ ! -e connect-4x4-k4.plb.part ] || fail "scratch was left"

# ---- the table is read ----
table=connect-4x4-k4.plb
expect 0 '^ +8 +5,084 +48 +1,313 +3,012 +759$' "$plybase" stats $table
expect 0 '^ply,total,terminal,won,drawn,lost$' "$plybase" stats $table --csv
expect 0 '^8,5084,48,1313,3012,759$' "$plybase" stats $table --csv
expect 0 '"ply":8,"total":"5084","terminal":"48",' "$plybase" stats $table --json
expect 0 'positions    161,029' "$plybase" info $table
expect 0 '"positions":"161029",' "$plybase" info $table --json
expect 0 '"spec":"mnk-3x3-k3"' "$plybase" info xo.plb $table --json
[ "$("$plybase" info xo.plb $table | grep -c '^game ')" -eq 2 ] || fail "info of two tables"
[ "$("$plybase" info xo.plb $table --json | wc -l)" -eq 2 ] || fail "info of two tables as JSON"
expect 1 'positions    161,029' "$plybase" info none.plb $table
expect 1 'cannot open none.plb' "$plybase" info none.plb $table

expect 0 'connect-WxH-kK' "$plybase" games
expect 0 '^    8 +5,084 ' "$plybase" plan connect-4x4-k4 --plies
expect 0 '^ranks      3 of 1 thread each, network of 10 Gbit/s$' "$plybase" plan connect-5x5-k4 --ranks 3 -t 1
expect 2 '^plybase: --network 10: a number from 1,000,000 to' "$plybase" plan connect-5x5-k4 --ranks 3 --network 10
expect 0 '^received   .*iB by all ranks$' "$plybase" plan connect-7x7-k4 --ranks 16 -t 64 --plies
also '^ 40  .*iB, .*iB  '
expect 0 '^limit      the network$' "$plybase" plan connect-7x7-k4 --ranks 16 -t 64 --network 10M
expect 0 '^disk       .*iB for rank 0, .*iB for each of the others$' "$plybase" plan connect-7x7-k4 --ranks 16 -t 64 --shards
also ', writing 14 s$'
expect 1 '^does not fit: needs .* of memory at ply [0-9]+, has 1.0 MiB \(--memory\)$' \
    "$plybase" plan connect-6x5-k4 --ranks 16 -t 64 --memory 1M
expect 2 'a table of keys is built by one rank' "$plybase" plan numeric-3x3 --ranks 2
expect 2 'it has no trial' "$plybase" plan connect-4x4-k4 --ranks 2 --trial 3
expect 0 '"spec":"connect-7x7-k4","ranks":16,"threads":64,.*"fits":true,"seconds":[0-9].*"limit":"the disk of rank 0",' \
    "$plybase" plan connect-7x7-k4 --ranks 16 -t 64 --json
expect 1 '"fits":false,"seconds":null,.*"limit":null,"plies":\[\{"ply":0,"processor_seconds":' \
    "$plybase" plan connect-6x5-k4 --ranks 16 -t 64 --memory 1M --json
expect 0 '^game       connect-4x4-k4$' "$plybase" plan connect-4x4-k4
expect 0 'positions  161,029, counted' "$plybase" plan connect-4x4-k4
expect 0 'positions  161,029, counted' "$plybase" plan connect-4x4-k4 --engine keys
expect 0 '^time .* with 1 thread$' "$plybase" plan connect-4x4-k4 --threads 1
expect 0 '^    6 +3,350 ' "$plybase" plan connect-5x5-k4 --plies
expect 0 '^   15 +3,231,341 +2,142,855' "$plybase" plan connect-5x5-k4 --plies
expect 0 'positions  69,763,700, counted' "$plybase" plan connect-5x5-k4
for command in plan build; do # both refuse what does not fit, without a time
    expect 1 '([0-9.]+ MiB of memory, has|needs about .* and may use) 400 MiB \(--memory\)$' \
        "$plybase" $command connect-7x6-k4 --memory 400M
done
for spec in connect-4x3-k3 connect-5x4-k4 mnk-3x3-k3; do # the printed amount of memory suffices
    size=$("$plybase" plan $spec -t 1 | sed -n 's/^memory *\([0-9.]*\) MiB needed;.*/\1M/p')
    expect 0 'positions' "$plybase" build $spec -t 1 -o sufficient.plb --force --memory "$size"
done
expect 1 '^does not fit: needs .* of memory, has [0-9.]+ [KMG]iB; and .* of disk, has [0-9.]+ GiB$' \
    "$plybase" plan connect-8x7-k4
expect 1 '"fits":false,"seconds":null' "$plybase" plan connect-7x6-k4 --memory 400M --json
expect 0 '"fits":true,"seconds":[0-9]' "$plybase" plan connect-4x4-k4 --json
expect 0 '^disk +[0-9.]+ MiB for the table and the work on it; .* are free$' \
    "$plybase" plan connect-5x5-k4
expect 0 'positions  2,913,746, counted' "$plybase" plan connect-5x4-k4-cylinder
expect 0 '^   17 +~[0-9.e+]+ +[0-9,]+' "$plybase" plan connect-6x5-k4-cylinder --plies
expect 0 'positions  ~[0-9.e+]*, sampled' "$plybase" plan connect-6x5-k4-cylinder
expect 0 '"spec":"connect-4x4-k4","positions":"161029","exact":true' "$plybase" plan connect-4x4-k4 --json
expect 1 '"positions":"1295362125552","exact":true' "$plybase" plan --memory 1M connect-9x4-k4 --json
expect 0 '^ 10 .*KiB' "$plybase" plan connect-4x4-k4 --trial 10
expect 0 'memory .* for these plies' "$plybase" plan connect-4x4-k4 --values dtm --trial 0 -o tried
[ -z "$(find . -name '*.part')" ] || fail "a trial is left"
refuse 2 'the last ply of connect-4x4-k4 is 16' "$plybase" plan connect-4x4-k4 --trial 17
expect 2 'trial x: a number from 0 to 64 is needed' "$plybase" plan connect-4x4-k4 --trial x
expect 0 '^o to move: draw$' "$plybase" probe $table 4/4/4/1x2
expect 0 '^o to move: draw$' "$plybase" probe $table --moves 2
expect 0 '^  4    draw$' "$plybase" probe $table --moves 121314
expect 0 '"position":"4/4/4/1x2","to_move":"o","over":false,"value":"draw"' \
    "$plybase" probe $table --json 4/4/4/1x2
expect 0 '"ply":1,"winner":null,"group":\[\],"moves":\[\{"move":"[1-4]","cell":"[a-d][1-4]",.*,"position":"4/4/4/ox2"\}.*\]\}$' \
    "$plybase" probe $table --json 4/4/4/1x2
expect 0 '"over":true,.*"ply":7,"winner":"x","group":\["a1","a2","a3","a4"\],"moves":\[\]\}$' \
    "$plybase" probe $table --json --moves 1213141
expect 0 'the game is over: loss for o' "$plybase" probe $table --moves 1213141
expect 0 'x to move: draw' "$plybase" probe xo.plb 3/3/3
expect 0 'Usage: plybase build' "$plybase" build --help
expect 0 'Usage: plybase COMMAND' "$plybase" --help
expect 0 'Usage: plybase COMMAND' "$plybase" -h
expect 0 'Usage: plybase COMMAND' "$plybase" help
expect 0 'Usage: plybase verify .*FILE' "$plybase" help verify
expect 2 "there is no command 'verfy'" "$plybase" help verfy
expect 0 '^plybase [0-9]+\.[0-9]+\.[0-9]+$' "$plybase" --version
expect 0 '^plybase [0-9]+\.[0-9]+\.[0-9]+$' "$plybase" -V

# ---- distances, best moves and lines, by search and from a table with distances ----
expect 0 '41,750 positions' "$plybase" build connect-4x4-k3 -o k3.plb
expect 0 '41,750 positions' "$plybase" build connect-4x4-k3 --values dtm -o k3-dtm.plb
expect 0 '^o to move: draw$' "$plybase" best $table 4/4/4/1x2
expect 0 '^best moves: 1 2 3 4$' "$plybase" best $table 4/4/4/4
for file in k3.plb k3-dtm.plb; do
    expect 0 '^x to move: win in 9 plies$' "$plybase" best $file 4/4/4/4
    expect 0 '^best moves: 2 3$' "$plybase" best $file 4/4/4/4
    expect 0 '"value":"win","dtm_plies":9,"least_plies":9,"most_plies":9,"exact":true,"moves":\[\{"move":"2","cell":"b1","value":"win","dtm_plies":8,"position":"4/4/4/1x2"}' \
        "$plybase" best $file --json 4/4/4/4
    expect 0 '^x wins at ply 9$' "$plybase" line $file 4/4/4/4
    expect 0 '"final":"[^"]*","winner":"x","end_ply":9' "$plybase" line $file 4/4/4/4 --json
done
"$plybase" line k3.plb 4/4/4/4 >by_search
"$plybase" line k3-dtm.plb 4/4/4/4 | diff by_search - || fail "the line by search and that of the table differ"
expect 0 '"value":"draw","dtm_plies":null,"least_plies":null,"most_plies":null,"exact":true' \
    "$plybase" best $table --json 4/4/4/4
expect 0 'the game is over: loss for o' "$plybase" best $table --moves 1213141
expect 0 '"over":true,"value":"loss","dtm_plies":0' "$plybase" best $table --moves 1213141 --json
expect 0 'the game is over: loss for o' "$plybase" line $table --moves 1213141
expect 0 '^draw at ply 16$' "$plybase" line $table 4/4/4/4
expect 0 '"winner":null,"end_ply":16' "$plybase" line $table 4/4/4/4 --json
# Two positions, the second for another board: the first is answered.
expect 1 'draw at ply 16' "$plybase" line $table 4/4/4/4 5/5
# Limits.
expect 1 '^x to move: win in [0-9]+ to 15 plies, stopped after 1 nodes, ' \
    "$plybase" best k3.plb 4/4/4/4 --nodes 1
expect 1 '^most promising: ' "$plybase" best k3.plb 4/4/4/4 --seconds 0.000000001
expect 1 '"exact":false' "$plybase" best k3.plb 4/4/4/4 --nodes 1 --json --memory 64K
refuse 1 'stopped before the line was found' "$plybase" line k3.plb 4/4/4/4 --nodes 1
expect 0 '^x to move: win in 9 plies$' "$plybase" best k3-dtm.plb 4/4/4/4 --nodes 1
# Usage.
for command in best line; do
    expect 2 'nodes' "$plybase" $command $table 4/4/4/4 --nodes 0
    expect 2 'seconds' "$plybase" $command $table 4/4/4/4 --seconds soon
    expect 2 'memory' "$plybase" $command $table 4/4/4/4 --memory lots
    refuse 1 'impossible piece counts' "$plybase" $command $table 4/4/4/ooo1
    refuse 1 'column is full' "$plybase" $command $table --moves 11111
    refuse 1 'cannot open nothing.plb' "$plybase" $command nothing.plb 4/4/4/4
    expect 0 "Usage: plybase $command .*FILE .POSITION" "$plybase" $command --help
done

# ---- solve without a table, and verify by searches, with distances ----
solve=("$plybase" solve --memory 1M)
expect 0 '^4/4/4/4  x to move: win  \(' "${solve[@]}" connect-4x4-k3 4/4/4/4
expect 0 '^4/4/4/4  x to move: win in 9 plies  \(' "${solve[@]}" --distance connect-4x4-k3 4/4/4/4
expect 0 '^4/4/4/4  x to move: draw  \(' "${solve[@]}" --distance connect-4x4-k4 4/4/4/4
expect 0 '"proved":true,"value":"win",.*"dtm_plies":9}$' \
    "${solve[@]}" --distance --json connect-4x4-k3 4/4/4/4
expect 0 '"proved":true,"value":"draw",.*"dtm_plies":null}$' \
    "${solve[@]}" --distance --json connect-4x4-k4 4/4/4/4
expect 0 '"to_move":"o","proved":true,"value":"loss","nodes":0,.*"dtm_plies":0}$' \
    "${solve[@]}" --distance --json connect-4x4-k4 --moves 1213141
expect 0 '"nodes_per_second":[^,]*}$' "${solve[@]}" --json connect-4x4-k3 4/4/4/4
# 300 nodes suffice for the value without its distance, 200 for a bound, 50 for neither.
misere=(connect-4x4-k4-misere 4/4/4/4)
refuse 1 'loss, but its distance is not found within 300 nodes' \
    "${solve[@]}" --distance --nodes 300 "${misere[@]}"
expect 1 '"proved":false,"value":"loss",.*"dtm_plies":null}$' \
    "${solve[@]}" --distance --nodes 300 --json "${misere[@]}"
refuse 1 'not solved \(it is at most a draw\) within 200 nodes' \
    "${solve[@]}" --nodes 200 "${misere[@]}"
expect 1 '"proved":false,"value":null,.*"dtm_plies":null}$' \
    "${solve[@]}" --distance --nodes 50 --json "${misere[@]}"
expect 0 '^7/7/3x3/2ox3/2ox3/2ox3  the game is over: loss for o$' \
    "${solve[@]}" connect-7x6-k4 --moves 4343434
expect 0 '^4/4/4/4  x to move: draw  \(' "${solve[@]}" connect-4x4-k4 4/4/4/4 --threads 2
expect 0 '^4/4/4/4  x to move: draw  \(0 nodes' "${solve[@]}" connect-4x4-k4 4/4/4/4 --table $table
refuse 1 '^plybase: --table .*: this is a table of connect-4x4-k4; one of connect-4x4-k3 is needed$' \
    "${solve[@]}" connect-4x4-k3 4/4/4/4 --table $table
refuse 1 'for games of stones; .plybase probe. asks tables of numeric-3x3$' \
    "${solve[@]}" numeric-3x3 --table $table
refuse 1 'none.plb: No such file' "${solve[@]}" connect-4x4-k4 4/4/4/4 --table none.plb
expect 130 "not solved, interrupted after" \
    timeout --preserve-status -s INT 0.3 "$plybase" solve connect-7x6-k4 --distance
expect 0 '^  distance   9 plies$' "$plybase" verify k3-dtm.plb
expect 0 '"values":"dtm","good":true,.*"first_player":"win","first_player_dtm_plies":9,' \
    "$plybase" verify k3-dtm.plb --json
expect 0 '"values":"wdl","good":true,.*"first_player":"win","first_player_dtm_plies":null,' \
    "$plybase" verify k3.plb --json

# ---- colours, on a terminal that has them and if the user wants them ----
on_terminal() { # COMMAND...
    python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)' "$@"
}
for command in probe best line; do
    expect 0 $'\033\\[1;31mx' on_terminal env -u NO_COLOR TERM=xterm "$plybase" $command $table 4/4/4/1x2
    for setting in NO_COLOR=1 TERM=dumb; do
        [ -z "$(on_terminal env TERM=xterm $setting "$plybase" $command $table 4/4/4/1x2 | grep $'\033')" ] ||
            fail "$command is coloured with $setting"
    done
done

# ---- digests, and the seed of samples ----
expect 0 '^  seed       5$' "$plybase" verify --seed 5 k3.plb
expect 0 '"seed":"5",.*"chances":{"value":1.0,"block":1.0,"statistics_row":1.0}' \
    "$plybase" verify --seed 5 --json k3.plb
refuse 2 'seed' "$plybase" verify --seed 9223372036854775808 k3.plb
[ "$("$plybase" verify k3.plb 2>&1 | grep seed)" != "$("$plybase" verify k3.plb 2>&1 | grep seed)" ] ||
    fail "two runs of verify drew the same number"
digest=$("$plybase" info --digest k3.plb | sed -n 's/^xxh128  *//p')
expect 0 "\"file_xxh128\":\"$digest\"" "$plybase" verify --json k3.plb
expect 0 "\"file_xxh128\":\"$digest\"" "$plybase" info --json --digest k3.plb
[ ${#digest} -eq 32 ] || fail "'$digest' is no digest"

# ---- a changed byte is found everywhere, whatever the memory contained before ----
python3 - "$plybase" <<'END' || fail "verify of changed tables"
import os, subprocess, sys
table = open("k3.plb", "rb").read()
used = dict(os.environ, GLIBC_TUNABLES="glibc.malloc.tcache_count=0", MALLOC_PERTURB_="85")
crashes = 0
for byte in range(8192, len(table), 1999):
    changed = bytearray(table)
    changed[byte] ^= 0x55
    open("changed.plb", "wb").write(changed)
    status = subprocess.run([sys.argv[1], "verify", "changed.plb"], env=used, capture_output=True).returncode
    if status not in (0, 1):
        print(f"FAILED: verify of a table with byte {byte} changed ended with {status}")
        crashes += 1
sys.exit(crashes > 0)
END

# ---- batches: one line of output for each line of input, also for bad ones ----
printf '4/4/4/1x2\n\n4/4/4/xx2\n4/4/4/4\n4/4/4/4\0/4\n5/5\n' >batch
"$plybase" probe $table - <batch >answers
[ $? -eq 1 ] || fail "a batch with bad lines must end with 1"
printf '%s\n' \
    $'4/4/4/1x2\tdraw\t-\t1,2,3,4' \
    $'\terror\tan empty line is not a position' \
    $'4/4/4/xx2\terror\timpossible piece counts: 2 x and 0 o; x moves first, so x has as many stones as o or one more' \
    $'4/4/4/4\tdraw\t-\t1,2,3,4' \
    $'4/4/4/4\terror\tcharacter 8 of the line is a zero byte' \
    $'5/5\terror\t\'5/5\' is not a position of a 4x4 board: its row 1 from the top does not have 4 cells' >expected
diff expected answers || fail "a batch"
echo 4/4/4/4 | "$plybase" probe $table - >/dev/null ||
    fail "a good batch must end with 0"

# The same for every command that answers positions.
batch() { # STATUS LINE...: the expected answers to three lines of standard input
    printf '4/4/4/4\n121\n4/4/4/x2o\n' | "$plybase" "${@:5}" >answers 2>messages
    status=$?
    printf '%s\n' "$2" $'121\terror\t\'121\' is a list of moves, not a board: did you mean --moves 121?' \
        "$3" | diff - "$4" || fail "${*:5}: other answers"
    checks=$((checks + 1))
    [ $status -eq "$1" ] && [ ! -s messages ] ||
        fail "${*:5}: status $status"
}
for file in k3.plb k3-dtm.plb; do
    batch 1 $'4/4/4/4\twin\t9\t2,3' $'4/4/4/x2o\twin\t7\t1,2,3' answers best $file -
    batch 1 $'4/4/4/4\twin\t9\t2,1,2,2,1,1,3,1,3' $'4/4/4/x2o\twin\t7\t1,1,2,3,2,1,2' \
        answers line $file -
done
echo 4/4/4/4 | "$plybase" best k3.plb - --nodes 1 >answers
[ $? -eq 1 ] && grep -qE $'^4/4/4/4\twin\t[0-9]+-[0-9]+\t[1-4]' answers || fail "bounds in a batch"
echo 4/4/4/4 | "$plybase" best k3.plb - --json | grep -q '"dtm_plies":9,' || fail "best of a batch as JSON"
printf '4/4/4/xx2\n' | "$plybase" probe k3.plb - --json |
    grep -qE '^\{"position":"4/4/4/xx2","error":-22,"message":".*","code":"PLB_ECOUNTS"\}$' || fail "an error of a batch as JSON"
echo 4/4/4/4 | "$plybase" solve connect-4x4-k3 - --distance | grep -qE $'^4/4/4/4\twin\t9\t[0-9]+$' ||
    fail "solve with distances in a batch"
echo 4/4/4/4 | "$plybase" solve connect-4x4-k3 - --nodes 5 >answers
[ $? -eq 1 ] && grep -qE $'^4/4/4/4\t-\t-\t5$' answers || fail "an unsolved position of a batch"
echo 4/4/4/4 | "$plybase" solve connect-4x4-k3 - 2>said >/dev/full
[ $? -eq 1 ] && [ "$(cat said)" = "plybase: cannot write the output: No space left on device" ] ||
    fail "a list on a full disk: $(cat said)"
# Games of numbers.
expect 0 '^\.,\./\.,\.  x to move: loss  \(' "${solve[@]}" numeric-2x2
expect 0 '^\.,\.,\./\.,\.,\./\.,\.,\.  x to move: win in 9 plies  \(' "${solve[@]}" --distance numeric-3x3
expect 0 '^2,\.,9/\.,5,\./\.,\.,\.  o to move: win in 1 ply  \(' \
    "${solve[@]}" --distance numeric-3x3 --moves 9@c3,2@a3,5@b2
expect 0 'the first player can force a win  \(' "${solve[@]}" numeric-3x3 --question first
expect 0 'the first player cannot force a win by round 7  \(' \
    "${solve[@]}" numeric-3x3 --question first --by 7
expect 0 'the first player cannot force a win by round 3  \(' \
    "${solve[@]}" numeric-3x3 --question first --by 3 --moves 9@c3,2@a3,5@b2,4@b1,1@a1
expect 0 '^    8  *[1-9]' "${solve[@]}" numeric-3x3 --question first --depth-table
expect 0 '"question":"second","by_ply":null,"answer":false,"nodes":[1-9]' \
    "${solve[@]}" numeric-3x3 --question second --json
expect 0 '"by_ply":9,.*"depths":\[{"depth":0,"visited":1,' \
    "${solve[@]}" numeric-3x3 --question first --by 9 --json --depth-table
refuse 1 'no answer within 100 nodes; more --nodes' \
    "${solve[@]}" numeric-4x4 --question first --nodes 100
refuse 2 'question is for games of numbers' "${solve[@]}" connect-4x4-k3 --question first
refuse 2 'go with --question' "${solve[@]}" numeric-3x3 --by 7
refuse 2 'numeric-3x3 has 9 rounds' "${solve[@]}" numeric-3x3 --question first --by 10
refuse 2 '--question has no distance' "${solve[@]}" numeric-3x3 --question first --distance
refuse 2 'first or second' "${solve[@]}" numeric-3x3 --question third
refuse 1 'was played before' "${solve[@]}" numeric-3x3 --moves 5@b2,5@a1
# Tables of games of numbers.
expect 0 'numbers.plb: 9,003,966 positions' "$plybase" build numeric-3x3 --values dtm -o numbers.plb
expect 0 'each.plb: ' "$plybase" build numeric-2x2-each -o each.plb
expect 0 '^  all +9,003,966 +2,071,432 +2,911,201 +3,510,173 +2,582,592$' "$plybase" stats numbers.plb
expect 0 '^9,324072,155304,155304,168768,0$' "$plybase" stats numbers.plb --csv
expect 0 '^ +9 +win +1$' "$plybase" stats numbers.plb
expect 0 '^index        keys, 32,081 entries$' "$plybase" info numbers.plb
expect 0 '"symmetries":16,.*"index":"keys"' "$plybase" info numbers.plb --json
expect 0 '^  1@a2 win in 8 plies$' "$plybase" probe numbers.plb '.,.,./.,.,./.,.,.'
expect 0 '^  3@c3 loss in 3 plies$' "$plybase" probe numbers.plb --moves '5@b2,2@a1'
expect 0 '"move":"7@c3","cell":"c3","value":"draw","dtm_plies":null,"position":"\.,\.,7/\.,5,\./2,\.,\."' \
    "$plybase" probe numbers.plb --json --moves 5@b2,2@a1
expect 0 $'^2,\\.,9/\\.,5,\\./\\.,\\.,\\.\twin\t1\t4@b3,8@c1$' sh -c \
    "echo '2,.,9/.,5,./.,.,.' | '$plybase' probe numbers.plb -"
expect 0 "^  1 2'  \.$" "$plybase" probe each.plb "1,./2',."
expect 0 'the game is over: loss for x' "$plybase" probe each.plb "1,./2',."
expect 0 '^best moves: 7@c3 9@c3$' "$plybase" best numbers.plb --moves 5@b2,2@a1
expect 0 '^x wins at ply 9$' "$plybase" line numbers.plb '.,.,./.,.,./.,.,.'
expect 0 '^"1,\.,\./2,\.,\./3,\.,\.",3,o,win,3,8@c1 8@c3$' "$plybase" export numbers.plb --ply 3 -o -
expect 0 '810 values and distances proved, 0 ran out' "$plybase" verify numbers.plb
expect 0 '"good":true' "$plybase" verify each.plb --json
refuse 1 'the number 5 of x is on the board twice' "$plybase" probe numbers.plb '5,.,./2,.,5/.,4,.'
refuse 1 'number 2 of o is on the board twice' "$plybase" probe numbers.plb '2,.,9/.,5,./.,2,.'
refuse 1 'there is no number of the game' "$plybase" probe numbers.plb '11,.,./.,.,./.,.,.'
refuse 1 'continues after the end of the game' "$plybase" probe numbers.plb '8,1,6/3,5,./4,.,.'
refuse 1 'did you mean --moves 5@b2' "$plybase" probe numbers.plb 5@b2
refuse 1 'numeric-4x4 needs' "$plybase" build numeric-4x4 -o big.plb
refuse 1 'numeric-4x4 needs' "$plybase" build numeric-4x4 -o big.plb --memory 999T
[ ! -e big.plb ] || fail "a refused build left big.plb"
expect 0 'positions +~9.34e\+06, as many as if no game ended' "$plybase" plan numeric-3x3
expect 0 '^memory     [0-9.]+ MiB needed$' "$plybase" plan numeric-3x3
refuse 2 'solved by keys, not by slabs' "$plybase" build numeric-3x3 --engine slabs
refuse 2 'slabs .* or keys' "$plybase" build mnk-3x3-k3 --engine bdd
refuse 2 'a trial prints no JSON' "$plybase" plan connect-4x4-k4 --trial 10 --json
refuse 2 'a trial is of slabs' "$plybase" plan numeric-3x3 --trial 3
expect 0 'xo-keys.plb: 5,478 positions' "$plybase" build mnk-3x3-k3 --engine keys -o xo-keys.plb
expect 0 '^index +keys' "$plybase" info xo-keys.plb
expect 0 '"index":"slabs"' "$plybase" info xo.plb --json
echo '.,./.,.' | "$plybase" solve numeric-2x2 - --question second | grep -q $'\tyes\t[0-9]*$' ||
    fail "an answer on a line"
# A time limit applies to each position.
refuse 1 'not solved within 0.2 s; more --seconds may help' \
    "$plybase" solve connect-7x6-k4 7/7/7/7/7/7 --seconds 0.2
expect 0 '^4/4/4/4  x to move: win' "$plybase" solve connect-4x4-k3 4/4/4/4 --seconds 100
expect 1 $'^7/7/7/7/7/3x3\t-\t-\t' sh -c \
    "printf '7/7/7/7/7/7\\n7/7/7/7/7/3x3\\n' | '$plybase' solve connect-7x6-k4 - --seconds 0.0000001"

# ---- bad specs are usage errors ----
refuse 2 "'go-9x9' is not a game" "$plybase" build go-9x9
refuse 2 'a board has at most 64 cells' "$plybase" build connect-9x9-k4
refuse 2 "after 'connect-' comes the board" "$plybase" build connect-0x4-k4
refuse 2 'at most 64 cells' "$plybase" plan connect-99999999999x4-k4
refuse 2 'no group fits' "$plybase" build connect-4x4-k5
refuse 2 "cannot read '-upside'; the form is connect-WxH-kK\[-misere\]\[-cylinder\]$" \
    "$plybase" build connect-4x4-k4-upside
refuse 2 "cannot read '-misere'; the form is" "$plybase" build connect-4x4-k4-misere-misere
refuse 2 "'square-3x3-cylinder': a square game has no -cylinder; the form is square-WxH\[-misere\]$" "$plybase" build square-3x3-cylinder
expect 0 '^connect-4x3-k3-misere-cylinder.plb: ' "$plybase" build connect-4x3-k3-cylinder-misere
expect 0 '"spec":"connect-4x3-k3-misere-cylinder"' \
    "$plybase" plan --json connect-4x3-k3-cylinder-misere
refuse 2 'comes -kK' "$plybase" build connect-4x4
refuse 1 'is too big' "$plybase" build mnk-8x8-k5
refuse 1 'needs about .* of memory' "$plybase" build connect-6x5-k4 --memory 1M
expect 2 'threads' "$plybase" build connect-4x4-k4 --threads 0
expect 2 'memory' "$plybase" build connect-4x4-k4 --memory lots
expect 2 'SPEC' "$plybase" build
expect 2 'no command' "$plybase" solve-all

# ---- mistakes in arguments: one sentence says what is missing, or what would be right ----
refuse 2 'a SPEC such as connect-5x5-k4 is needed: plybase build SPEC$' "$plybase" build
refuse 2 'a FILE is needed: plybase probe FILE \[POSITION...\]$' "$plybase" probe
refuse 2 "'xo.plb' is one argument too many: plybase stats FILE$" "$plybase" stats $table xo.plb
refuse 2 'there is no option --fast; plybase build --help lists them' "$plybase" build --fast
refuse 2 'there is no option -x; plybase build --help lists them' "$plybase" build -x
refuse 2 '--s may mean --samples or --searches or --seed' "$plybase" verify --s 3 $table
refuse 2 '--memory needs a value: --memory=SIZE' "$plybase" build connect-4x4-k4 --memory
refuse 2 '--json=1: this option takes no value: --json$' "$plybase" info $table --json=1
refuse 2 '--threads 0: a number from 1 to 1,024 is needed' "$plybase" verify -t 0 $table
refuse 2 '--nodes 0: a number from 1 on is needed' "$plybase" verify --nodes 0 $table
refuse 2 '--values all: wdl .* or dtm .* is needed' "$plybase" plan connect-4x4-k4 --values all
for size in lots 1e30 inf 0 -1 '' 12X; do
    refuse 2 "memory ${size:-''}: a size such as 512M or 8G is needed" \
        "$plybase" build connect-4x4-k4 --memory "$size"
done
for size in 1T 99999999999999G 18446744073709551616 16777216T 2gb 512m 1.5g 64MiB; do
    expect 0 '161,029 positions' "$plybase" build connect-4x4-k4 -o sized.plb --force --memory $size
done
for command in build plan probe best line stats info verify solve export play games; do
    for option in -h --help; do
        expect 0 "^  -h, --help  +show this help and exit$" "$plybase" $command $option
    done
    [ -z "$("$plybase" $command --help | grep -A1 '^  -f' | grep -x '')" ] ||
        fail "$command --help has a blank line among options"
done

# ---- specs, files and their names ----
for command in probe best line; do
    expect 0 'x to move: draw' "$plybase" $command connect-4x4-k4 4/4/4/4
    refuse 1 "there is no table connect-4x4-k2.plb here; .plybase build connect-4x4-k2. makes it$" \
        "$plybase" $command connect-4x4-k2 4/4/4/4
done
for command in stats info verify play; do
    refuse 1 ".plybase build mnk-2x2-k2-misere-cylinder. makes it$" \
        "$plybase" $command mnk-2x2-k2-cylinder-misere.plb
done
refuse 2 "^plybase: $table is the name of a table; here a game is needed: connect-4x4-k4$" \
    "$plybase" solve $table 4/4/4/4
refuse 2 "^plybase: $table is the name of a table; here a game is needed: connect-4x4-k4$" "$plybase" build $table
mkdir folder
for command in build plan; do
    refuse 2 "^plybase: -o '': a file is needed, such as -o connect-7x7-k4.plb$" \
        "$plybase" $command connect-7x7-k4 -o ''
    refuse 2 "^plybase: -o -: a table cannot go to the standard output; .* -o connect-7x7-k4.plb$" \
        "$plybase" $command connect-7x7-k4 -o -
    for name in folder folder/ none/; do
        refuse 2 "^plybase: -o $name is a folder: a file is needed, such as -o ${name%/}/connect-7x7-k4.plb$" \
            "$plybase" $command connect-7x7-k4 -o $name
    done
    ln -s none/none.plb lost.plb
    refuse 2 '^plybase: -o lost.plb is a symbolic link to a file that does not exist: ' \
        "$plybase" $command connect-4x4-k4 -o lost.plb
    rm lost.plb || fail "the symbolic link is gone"
done
rmdir folder || fail "the folder is not empty"
refuse 1 '^plybase: /dev/zero is not a regular file, not a Plybase table$' "$plybase" verify /dev/zero
refuse 2 "'more' is one argument too many: plybase help COMMAND$" "$plybase" help probe more

# ---- bad positions: the message has the position and the reason ----
refuse 1 'a stone floats in the air: column 2, row 2' "$plybase" probe $table 4/4/1x2/4
refuse 1 'impossible piece counts' "$plybase" probe $table 4/4/4/ooo1
refuse 1 'not a position of a 4x4 board' "$plybase" probe $table 7/7/7/7/7/7
refuse 1 "character 8 is not x, o" "$plybase" probe $table '4/4/4/4|'
refuse 1 'continues after the end of the game' "$plybase" probe $table xo2/xo2/xo2/xo2
refuse 1 'cannot be reached' "$plybase" probe $table 4/4/x3/o3
refuse 1 'no move at character 2' "$plybase" probe $table --moves 1-
refuse 1 'off the 4x4 board$' "$plybase" probe $table --moves 15
refuse 1 'column is full' "$plybase" probe $table --moves 11111
refuse 1 "^plybase: '15': move 5 at character 2 is off the 4x4 board; and a list of moves needs --moves$" \
    "$plybase" probe $table 15
refuse 1 'column is full; and a list of moves needs --moves' "$plybase" probe $table 11111
refuse 1 'its row 1 from the top does not have 4 cells' "$plybase" probe $table 1o
for command in probe best line "solve connect-4x4-k4"; do
    # shellcheck disable=SC2086 # words
    [[ $command == solve* ]] && set -- $command || set -- $command $table
    refuse 1 "^plybase: '121' is a list of moves, not a board: did you mean --moves 121\\?$" \
        "$plybase" "$@" 121
    refuse 1 "^plybase: '4/4/4/x3' is a board, not a list of moves: leave out --moves$" \
        "$plybase" "$@" --moves 4/4/4/x3
done
refuse 1 "is a list of moves, not a board: did you mean --moves a1b2" "$plybase" probe xo.plb a1b2
refuse 1 'comes after the end of the game' "$plybase" probe $table --moves 12131412
refuse 1 'cell is taken' "$plybase" probe xo.plb --moves a1a1

# ---- bad files ----
refuse 1 'cannot open nothing.plb: No such file' "$plybase" probe nothing.plb 4/4/4/4
echo "this is a text, no table" >text.plb
refuse 1 'text.plb is not a Plybase table' "$plybase" stats text.plb
refuse 1 'text.plb exists and is not a Plybase table' "$plybase" build connect-4x4-k4 -o text.plb
refuse 1 'text.plb exists and is not' "$plybase" build connect-4x4-k4 -o text.plb --force
[ "$(cat text.plb)" = "this is a text, no table" ] ||
    fail "a file that is no table was touched"
refuse 1 'xo.plb is the wdl table of mnk-3x3-k3, not the wdl table of connect-4x4-k4' \
    "$plybase" build connect-4x4-k4 -o xo.plb
head -c 20000 $table >short.plb
refuse 1 'short.plb is cut short' "$plybase" probe short.plb 4/4/4/4
: >empty.plb
refuse 1 'empty.plb' "$plybase" probe empty.plb 4/4/4/4
refuse 1 'cannot create /nowhere' "$plybase" build connect-4x4-k4 -o /nowhere/x.plb
refuse 1 'cannot (create|open) /proc/x.plb' "$plybase" build connect-4x4-k4 -o /proc/x.plb

bend() { # FILE AT: change a byte
    local byte
    byte=$(od -An -tu1 -j "$2" -N1 "$1")
    printf "\\x$(printf %x $((byte ^ 0x55)))" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}
# One changed byte, anywhere, is an error or changes no answer, never a crash.
"$plybase" probe $table --json 4/4/4/1x2 2/1o2/1x2/xo2 >expected 2>/dev/null
size=$(stat -c %s $table)
for ((at = 7; at < size; at += 997)); do
    cp $table damaged.plb
    bend damaged.plb $at
    timeout 10 "$plybase" probe damaged.plb --json 4/4/4/1x2 2/1o2/1x2/xo2 >actual 2>/dev/null
    status=$?
    checks=$((checks + 1))
    [ $status -le 1 ] && { [ $status -eq 1 ] || cmp -s expected actual; } || fail "byte $at changed: status $status"
done
# Two blocks are damaged: each line of a list has the error of its own position.
cp $table damaged.plb
bend damaged.plb 20154
bend damaged.plb 20302
printf '1122\n123412\n11\n' | "$plybase" solve connect-4x4-k4 --table damaged.plb --moves - >got
printf '%s\n' $'1122\terror\tdamaged.plb is damaged: block 0 of ply 4 is not as written' \
    $'123412\terror\tdamaged.plb is damaged: block 0 of ply 6 is not as written' $'11\tdraw\t-\t0' |
    diff - got || fail "errors of a list with --table"

# ---- interruption: the status is that of the signal ----
catches_interrupts() { # PID
    [ "$(cat /proc/"$1"/comm 2>/dev/null)" = "$(basename "$plybase")" ] &&
        ((0x$(sed -n 's/^SigCgt:[[:space:]]*//p' /proc/"$1"/status) >> 1 & 1))
}
# interrupted SIGNAL SECONDS COMMAND...: send the signal SECONDS after the command has set its handlers.
interrupted() {
    local pid
    env --default-signal=INT "${@:3}" >/dev/null & # a script starts jobs (&) with SIGINT ignored
    pid=$!
    until catches_interrupts $pid || ! kill -0 $pid 2>/dev/null; do sleep 0.01; done
    sleep "$2"
    kill -"$1" $pid
    wait $pid
}
"$plybase" build connect-5x5-k4-misere -o long.plb 2>/dev/null
# A signal that the parent ignores stays ignored, as in a background job of a script.
for signal in INT TERM HUP; do
    expect 1 'not solved within 1,000,000 nodes' timeout --preserve-status -s $signal 0.1 \
        env --ignore-signal=$signal "$plybase" solve connect-7x6-k4 --nodes 1000000
done
# Plies that are checked by samples have one line of progress, too.
"$plybase" verify long.plb --blocks 1 --samples 1 --searches 0 2>&1 >/dev/null |
    grep -o '^[a-z]* *ply *[0-9]*' | sort >progress
grep -q values progress && [ -z "$(uniq -d progress)" ] || fail "verify: no progress, or twice: $(uniq -d progress)"
slow_positions=(5/5/5/5/5 5/5/5/5/2x2 5/5/5/5/1x3 5/5/5/5/x4 5/5/5/5/3x1 5/5/5/5/4x)
for _ in 1 2 3; do slow_positions+=("${slow_positions[@]}"); done
expect 130 '^plybase: interrupted; the same command .* \(big.plb.part\)$' \
    interrupted INT 0.2 "$plybase" build connect-6x5-k4-cylinder -o big.plb --threads 1
expect 143 '^plybase: interrupted; the same command .* \(big.plb.part\)$' \
    interrupted TERM 0.5 "$plybase" build connect-6x5-k4-cylinder -o big.plb --threads 1
expect 138 '^plybase: interrupted; the same command .* \(big.plb.part\)$' \
    interrupted USR1 0.5 "$plybase" build connect-6x5-k4-cylinder -o big.plb --threads 1
expect 130 '^resuming the (forward|backward) pass at ply [0-9]+; [0-9.]+ % is done$' \
    interrupted INT 0.5 "$plybase" build connect-6x5-k4-cylinder -o big.plb --threads 1
expect 130 'interrupted' interrupted INT 0.2 "$plybase" plan connect-6x5-k4 --threads 1 --trial 5
expect 130 'interrupted; nothing was written' \
    interrupted INT 0.5 "$plybase" export long.plb -o rows.csv
expect 130 'interrupted after' interrupted INT 0.3 "$plybase" solve connect-7x6-k4 7/7/7/7/7/7
# These two answer one position after another; a line is answered as soon as it is complete.
expect 130 '' interrupted INT 0.3 "$plybase" line long.plb --memory 1K "${slow_positions[@]}"
expect 130 '' interrupted INT 0.3 "$plybase" best long.plb --memory 1K "${slow_positions[@]}"
expect 130 'interrupted; what was checked so far is right' \
    interrupted INT 0.5 "$plybase" verify --all long.plb
rm -rf big.plb.part long.plb

# ---- a build that is killed at any moment resumes and produces the same bytes ----
"$plybase" build connect-5x4-k4 -o whole.plb 2>/dev/null
for delay in 0.01 0.03 0.05 0.08; do
    { timeout -s KILL $delay "$plybase" build connect-5x4-k4 -o killed.plb; } 2>/dev/null
    [ -e killed.plb ] || expect 1 'not finished|No such file' "$plybase" probe killed.plb 5/5/5/5
    # A killed process keeps its lock until the system has removed it.
    [ ! -e killed.plb.part/lock ] || flock -w 10 killed.plb.part/lock true
done
expect 0 '3,945,711 positions|complete already' "$plybase" build connect-5x4-k4 -o killed.plb
cmp whole.plb killed.plb || fail "killed.plb has other bytes"

# ---- a full disk, here a file size limit: a clear message, and the build resumes later ----
# limited BLOCKS COMMAND...: run the command with files of so many blocks.
limited() { (ulimit -f "$1" && "${@:2}"); }
expect 1 'cannot write .*; the same command resumes it when there is more free space' \
    limited 32 "$plybase" build connect-5x4-k4 -o full.plb
[ ! -e full.plb ] || fail "a half-written table has a name"
expect 0 '3,945,711 positions' "$plybase" build connect-5x4-k4 -o full.plb
cmp whole.plb full.plb || fail "full.plb has other bytes"

expect 1 'cannot write full.svg: File too large' limited 0 "$plybase" stats whole.plb --svg full.svg
expect 1 'cannot write the output: File too large' limited 0 bash -c '"$0" info whole.plb >full.txt' "$plybase"

# ---- the system allows fewer threads than requested, here for lack of address space ----
# within KILOBYTES ARGUMENT...: run the command with this much address space.
within() { (ulimit -v "$1" && "$plybase" "${@:2}" --threads 64); }
fewer='the system allows only [0-9]+ of 64 threads'
expect 0 "$fewer" within 250000 build connect-5x4-k4 -o few.plb
cmp whole.plb few.plb || fail "few.plb has other bytes"
expect 0 "$fewer" within 250000 export few.plb --ply 1 -o -
for kilobytes in 20000 60000 100000 250000; do
    # If this is too little, the command must say so, not the thread library.
    for arguments in "build connect-4x4-k4 --force -o few.plb" "verify $table"; do
        checks=$((checks + 1))
        # shellcheck disable=SC2086
        within $kilobytes $arguments >messages 2>&1 || grep -q '^plybase: .* memory ' messages ||
            fail "within $kilobytes $arguments: $(cat messages)"
    done
done

# ---- proofs by pairing ----
pairing=("$plybase" pairing)
expect 0 '^x cannot complete a group: at most a draw for x \(10 open groups\)$' "${pairing[@]}" mnk-4x4-k4
expect 0 '^    A FlatStar a=[a-d][1-4] .* \(abc adg bdf beh ceg fgh\)$' "${pairing[@]}" mnk-4x4-k4
expect 0 '^    B pair [a-d][1-4] [a-d][1-4]$' "${pairing[@]}" mnk-4x4-k4
expect 1 '^nothing is proven for o: the open groups have no pairing \(10' \
    "${pairing[@]}" mnk-4x4-k4 --rule pairing
expect 0 '^x need never complete a group: at least a draw for x' "${pairing[@]}" mnk-4x4-k4-misere
expect 1 '^nothing is proven for o' "${pairing[@]}" mnk-4x4-k4-misere --player o
expect 1 'no set matching was found in 50 steps; more --steps may help' \
    "${pairing[@]}" mnk-5x5-k4 --player x --steps 50
expect 1 '^  b2   x no proof         o at most a draw$' "${pairing[@]}" mnk-3x3-k3 --moves
expect 1 '^  b2   o at most a draw$' "${pairing[@]}" mnk-3x3-k3 --moves --player o
expect 1 'the game is over: there are no moves' "${pairing[@]}" mnk-3x3-k3 xxx/oo1/3 --moves --player o
for position in 3/1x1/3 b2; do
    expect 0 '^o cannot complete a group: at most a draw for o \(4 open groups\)$' \
        "${pairing[@]}" mnk-3x3-k3 $position
done
expect 0 '"name":"FlatStar","markers":\{"a":"[a-d][1-4]",.*"groups":\["abc","adg"' \
    "${pairing[@]}" mnk-4x4-k4 --json
expect 0 '"rule":"pairing",.*"verdict":"proven",.*\{"name":"pair","cells":\["[abc][123]","' \
    "${pairing[@]}" mnk-3x3-k3 b2 --json --rule pairing --player o
expect 1 '"moves":\[\{"spec":"mnk-3x3-k3","position":"3/3/x2",.*"move":"a1"\}' \
    "${pairing[@]}" mnk-3x3-k3 --json --moves
expect 0 '^FlatStar/Line +8 +8 +7 +7 +6 +6 +1.14 1.14 +17 +19  mnk-5x5-k4 ' \
    "${pairing[@]}" --configurations
expect 0 '^\{"configurations":\[\{"name":"Triangle","groups":\["ab","adc","bec"\],' \
    "${pairing[@]}" --configurations --json
refuse 2 'with gravity a player cannot choose any cell' "${pairing[@]}" connect-4x4-k4
refuse 2 'numbers have sums' "${pairing[@]}" numeric-3x3
refuse 2 'SPEC is missing' "${pairing[@]}"
refuse 2 'one POSITION at a time' "${pairing[@]}" mnk-3x3-k3 b2 a1
refuse 2 "leave 'mnk-3x3-k3' out" "${pairing[@]}" --configurations mnk-3x3-k3
refuse 2 'pairing or set-matching' "${pairing[@]}" mnk-3x3-k3 --rule pairs
refuse 2 'x or o' "${pairing[@]}" mnk-3x3-k3 --player first
refuse 1 'character 5 is not x, o' "${pairing[@]}" mnk-3x3-k3 3/1xq/3
refuse 1 'impossible piece counts' "${pairing[@]}" mnk-3x3-k3 3/xx1/3

# ---- stdin, stdout and stderr are closed: no other file gets their descriptors ----
closed() { "$plybase" build connect-5x4-k4 -o closed.plb <&- >&- 2>&-; }
expect 0 '^$' closed
cmp whole.plb closed.plb || fail "closed.plb has other bytes"
no_input() { "$plybase" probe whole.plb - <&-; }
refuse 1 'cannot read the standard input' no_input
no_output() { "$plybase" info whole.plb >&-; }
refuse 1 'cannot write the output' no_output

conclude
