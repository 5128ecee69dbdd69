#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Commands with little memory, and clocks that jump: a command succeeds, or says in one sentence why it
# cannot; it does not crash or hang.
#   test_limits.sh PLYBASE
# shellcheck source=../support/checks.sh
. "$(dirname "$0")/../support/checks.sh"

"$plybase" build connect-4x4-k4 -o table.plb --threads 1 2>/dev/null
"$plybase" build numeric-2x2 -o numbers.plb --threads 1 2>/dev/null

# ---- memory ----

# limited KIB COMMAND...: run the command with this much address space. It must succeed, or exit with 1 and
# print one sentence, besides progress and a message about fewer threads. 127: the program is not loaded.
limited() {
    local got sentences
    (ulimit -v "$1" && exec timeout 60 "$plybase" "${@:2}") >out 2>err </dev/null
    got=$?
    sentences=$(grep -hE '^(plybase|does not fit): ' out err | grep -vc 'threads (--threads)')
    checks=$((checks + 1))
    case $got in
        0 | 127) ;;
        1)
            refused=$((refused + 1))
            [ "$sentences" -eq 1 ] || fail "$* says $sentences sentences"
            ;;
        *) fail "$* ends with $got: $(tail -1 err)" ;;
    esac
}

refused=0
for kib in 11000 12000 13000 14000 16000 20000 32000 64000; do
    limited $kib solve connect-5x4-k4 --threads 8
    limited $kib solve mnk-3x3-k3 --distance
    limited $kib solve numeric-3x3 --question first
    limited $kib solve square-4x4 --seconds 0.2
    limited $kib plan connect-6x6-k4
    limited $kib count connect-5x5-k4
    limited $kib build connect-4x4-k4 -o limited.plb --force
    limited $kib probe table.plb 4/4/4/4
    limited $kib verify table.plb
    limited $kib export table.plb -o limited.csv --force
    limited $kib info numbers.plb
done
echo "$refused of $checks were refused"
[ "$refused" -gt 0 ] || fail "no limit was too low"

# The memory of a search is for known positions; less makes it slower, not wrong.
for size in 1 1K 64K 1M; do
    expect 0 'x to move: draw' "$plybase" solve connect-5x4-k4 --memory $size
    expect 0 'x to move: draw' "$plybase" solve mnk-3x3-k3 --memory $size
    expect 0 'x to move: ' "$plybase" solve numeric-2x2 --memory $size
done

# ---- clocks ----

jumping() { # jumping MONOTONIC COMMAND...: 1: only the wall clock jumps
    local dont=$1 ticker
    echo +0 >clock
    (for days in 1 20 300 4000 50000; do
        for sign in - +; do
            sleep 0.05
            echo "$sign${days}d" >clock.new && mv clock.new clock
        done
    done) &
    ticker=$!
    LD_PRELOAD=$faketime FAKETIME_TIMESTAMP_FILE=$PWD/clock FAKETIME_NO_CACHE=1 \
        FAKETIME_DONT_FAKE_MONOTONIC=$dont timeout 60 "${@:2}"
    local got=$?
    wait $ticker
    return $got
}

faketime=$(ls /usr/lib/*/faketime/libfaketimeMT.so.1 2>/dev/null)
if [ -n "$faketime" ]; then
    "$plybase" build connect-5x5-k4 -o whole.plb --threads 1 2>/dev/null
    for dont in 1 0; do
        expect 0 "69,763,700 positions" jumping $dont "$plybase" build connect-5x5-k4 -o clock.plb \
            --threads 1 --save-every 0
        expect 0 "" cmp clock.plb whole.plb
        rm -f clock.plb
    done
    expect 0 ': good' jumping 1 "$plybase" verify table.plb
    days=$(jumping 1 "$plybase" build connect-5x5-k4 -o clock.plb --threads 1 2>&1 | grep -c days)
    [ "$days" -eq 0 ] || fail "the time of a build is that of the wall clock"
else
    echo "SKIPPED: clocks; there is no faketime"
fi

conclude
