#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds that are killed, interrupted, started twice, or run on a full disk. The same command then resumes
# and builds the same bytes; until then there is no table.
#   test_faults.sh PLYBASE LIBRARIES
# LIBRARIES is the folder of libheld_build.so.
set -u
plybase=$(realpath "$1")
libraries=$(realpath "$2")
work=$(mktemp -d)
trap 'umount "$work/disk" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
game=connect-7x3-k4 board=7/7/7 table=table.plb
failures=0 checks=0
seed=20240917
RANDOM=$seed
echo "seed: $seed"

# ---- checks ----

# check WHAT COMMAND...: the command must succeed.
check() {
    checks=$((checks + 1))
    if ! "${@:2}"; then
        failures=$((failures + 1))
        echo "FAILED: $1"
        sed 's/^/    /' messages
    fi
}

is() { [ "$1" = "$2" ]; }
absent() { [ ! -e "$1" ]; }

# sentence PATTERN: the build printed one sentence besides its progress, and the pattern matches it.
sentence() {
    [ "$(grep -c '^plybase: ' messages)" -eq 1 ] && grep -qE -- "^plybase: .*$1" messages &&
        ! grep -vE '^(plybase: |resuming|forward|backward|writing)' messages
}

not_finished() {
    local answer
    answer=$("$plybase" probe "$1" $board 2>&1)
    is $? 1 && grep -q 'not finished' <<<"$answer"
}

# unfinished FILE: check the files of a build that ended early. Only a killed build may have named the
# file without removing its scratch folder; then the file is complete.
unfinished() {
    if [ $status -eq 137 ] && [ -e "$1" ]; then
        check "$1 is not complete" cmp "$1" whole.plb
        return
    fi
    check "$1 has its name before it is complete" absent "$1"
    [ ! -e "$1.part" ] || check "probing $1 must say that it is not finished" not_finished "$1"
}

# finished FILE EXPECTED: check the files of a build that succeeded.
finished() {
    check "$1 and $2 differ" cmp "$1" "$2"
    check "$1.part is still there" absent "$1.part"
}

# build FILE ARGUMENT...: sets `messages` to its messages and `status` to its exit status.
build() {
    "$plybase" build $game -o "$@" >messages 2>&1
    status=$?
}

# ---- threads ----

milliseconds() { echo $(($(date +%s%N) / 1000000)); }

begun=$(milliseconds)
build whole.plb --threads 1
duration=$(($(milliseconds) - begun))
check "the undisturbed build" is $status 0
for threads in 2 4; do
    build threads.plb --threads $threads
    finished threads.plb whole.plb
    rm -f threads.plb
done
echo "an undisturbed build: $duration ms"

# ---- signals at random moments ----

# disturb SIGNAL: start or resume a build with a random number of threads, which saves every ply or not,
# and send it a signal at a random moment.
disturb() {
    local pid delay=$((RANDOM % duration)) threads=$((1 + RANDOM % 4)) save=$((RANDOM % 2 * 30))
    env --default-signal=INT "$plybase" build $game -o $table --threads $threads \
        --save-every $save >messages 2>&1 &
    pid=$!
    sleep "$((delay / 1000)).$(printf %03d $((delay % 1000)))"
    kill -"$1" $pid 2>/dev/null
    wait $pid 2>/dev/null
    status=$?
}

# disturb_often SIGNAL TIMES STATUS: repeat until the signal has ended TIMES builds with this status.
# A signal during the loading of the program ends it without a message, which is rare.
disturb_often() {
    local met=0 rounds=0 silent=0
    while [ $met -lt "$2" ]; do
        disturb "$1"
        if [ $status -eq 0 ]; then
            finished $table whole.plb
            rm -f $table
            rounds=$((rounds + 1))
        else
            check "SIG$1 ends a build with $3, not $status" is $status "$3"
            [ -s messages ] || silent=$((silent + 1))
            [ "$1" != INT ] || [ ! -s messages ] ||
                check "Ctrl-C has a message" sentence "interrupted; the same command resumes it .*part"
            unfinished $table
            met=$((met + 1))
        fi
    done
    [ "$1" != INT ] || check "Ctrl-C had no message $silent times" [ $silent -le $(($2 / 2)) ]
    build $table
    check "the last build" is $status 0
    finished $table whole.plb
    rm -f $table
    echo "SIG$1: $met builds ended by it, $((rounds + 1)) were completed"
}

{ disturb_often KILL 30 137; } 2>lost
disturb_often INT 8 130
disturb_often TERM 2 143

# ---- a second builder ----

# hold FILE SCRATCH [OPTION]: start a build that stops itself when it has created a scratch file. LD_PRELOAD
# has the name of the library only, because spaces in its path would separate names.
hold() {
    (
        export LD_LIBRARY_PATH=$libraries LD_PRELOAD=libheld_build.so PLYBASE_HELD_AT=$2
        exec env --default-signal=INT "$plybase" build $game -o "$1" "${@:3}" >held 2>&1
    ) &
    builder=$!
    while kill -0 $builder 2>/dev/null && ! is_held; do sleep 0.01; done
    check "a build is held when it has begun $2" is_held
}

is_held() { grep -qs "^State:.T" /proc/$builder/status; }

release() {
    kill -CONT $builder
    wait $builder
    status=$?
    mv held messages
}

hold $table reach.05
for option in --threads=1 --force; do
    build $table $option
    check "a second builder is refused" is $status 1
    check "a second builder gets a message" sentence "another process is building in $table.part"
    unfinished $table
done
release
check "the first builder is not disturbed" is $status 0
finished $table whole.plb
rm -f $table

# ---- with --force ----

# --force begins anew. A build that replaces a table is resumed without it, after the table is moved.
build $table
hold $table table.12 --force
kill -INT $builder
release
check "a build by force says how it is resumed" \
    sentence "interrupted; once the old file is moved away, the same command without --force resumes it"
mv $table old.plb
check "the old table is as it was" cmp old.plb whole.plb
build $table
check "what was begun by force is resumed" grep -q "^resuming the backward pass" messages
finished $table whole.plb
rm -f $table old.plb

# ---- full disks ----

# run_limited KIB FILE: build with a file size limit.
run_limited() {
    (ulimit -f "$1" && exec "$plybase" build $game -o "$2") >messages 2>&1
    status=$?
}

# check_limits FILE EXPECTED KIB...: build with increasing limits, all too low, then without a limit.
check_limits() {
    local file=$1 expected=$2 limit
    shift 2
    for limit; do
        run_limited "$limit" "$file"
        check "with files of $limit KiB the build must fail" is $status 1
        check "a limit of $limit KiB has a message" \
            sentence "cannot (write|create) .*$file.part/.*: (File too large|No space left).*resumes"
        unfinished "$file"
    done
    build "$file"
    check "with space the build goes on" is $status 0
    finished "$file" "$expected"
    rm -f "$file"
}

check_limits $table whole.plb 1 16 64 128 160

# fill_disk SCRATCH: another program fills the disk when a new build, which has already checked the free
# space, has created a scratch file.
fill_disk() {
    rm -rf disk/$table.part
    hold disk/$table "$1"
    cat /dev/zero >disk/filler 2>/dev/null
    release
    rm disk/filler
    check "a disk that is full after $1 must end the build" is $status 1
    check "a full disk has a message" sentence "cannot (write|create) .*disk/.*: No space left.*resumes"
    unfinished disk/$table
}

# Build on a disk that is too small at first, and grows.
grow_disk() {
    local size
    for size in 8 24 48 64 4096; do
        mount -o remount,size=${size}k disk
        build disk/$table
        [ $status -ne 0 ] || break
        check "a disk of $size KiB must end the build" is $status 1
        check "a disk of $size KiB has a message" \
            sentence "No space left.*the same command resumes it when there is more free space|needs up to .* of disk"
        unfinished disk/$table
    done
    check "a disk of $size KiB suffices" is $status 0
}

# fill_up FREE: fill the disk except for FREE KiB.
fill_up() {
    local free
    free=$(df --output=avail -k disk | tail -1)
    head -c $(((free - $1) * 1024)) /dev/zero >disk/filler
}

# just_enough: build on a disk of the forecast size. When a build resumes, its own files count as free.
just_enough() {
    local need
    need=$("$plybase" plan $game --json | grep -o '"scratch_bytes":"[0-9]*' | cut -d'"' -f4)
    need=$((need / 1024 + 64))
    mount -o remount,size=${need}k disk
    hold disk/$table table.12
    kill -INT $builder
    release
    check "a build on a disk of the size that it needs is interrupted" is $status 130
    check "it has made more than what is free beyond its need" test \
        "$(df --output=avail -k disk | tail -1)" -lt $((need - 64))
    build disk/$table
    check "it resumes where what it has made is part of its need" is $status 0
    finished disk/$table whole.plb
}

mkdir disk
if mount -t tmpfs -o size=16m none disk 2>/dev/null; then
    if "$plybase" export whole.plb -o disk/rows.csv 2>messages; then
        check "an export is too big for its disk" false
    fi
    check "the size is in a message before the export begins" \
        sentence 'disk/rows.csv needs about [0-9.]+ MiB for [0-9,]+ rows and [0-9.]+ MiB are free: '
    if "$plybase" export whole.plb -o - >disk/rows.csv 2>messages; then
        check "a stream is too big for its disk" false
    fi
    check "nothing is written" test ! -s disk/rows.csv
    rm disk/rows.csv
    for scratch in reach.03 reach.10 table.21 table.19; do fill_disk $scratch; done
    build disk/$table
    check "when there is space again the build goes on" is $status 0
    finished disk/$table whole.plb
    rm -f disk/$table
    just_enough
    fill_up 0
    build disk/$table
    check "a full disk does not matter if the table exists" is $status 0
    check "it is found complete" grep -q "complete already" messages
    rm -f disk/$table disk/filler
    mount -o remount,size=16m disk
fi

# ---- a trial beside an unfinished build ----

hold $table table.12
kill -INT $builder
release
find $table.part | sort >before
"$plybase" plan $game --trial 19 -o $table >/dev/null 2>messages
check "a trial beside an unfinished build" is $? 0
find $table.part 2>/dev/null | sort >after
check "a trial leaves an unfinished build alone" cmp before after
check "a trial is tidied up" absent $table.trial.part
build $table
finished $table whole.plb
rm -f $table

# A small game, whose table is larger than its scratch files: LMDB finds that the disk is full.
game=connect-3x3-k3 board=3/3/3
build small.plb
check_limits $table small.plb 4 8 12 16 20
if mountpoint -q disk; then
    grow_disk
    finished disk/$table small.plb
else
    echo "SKIPPED: full disks; a tmpfs cannot be mounted here"
fi

echo "$checks checks, $failures failed"
[ $failures -eq 0 ]
