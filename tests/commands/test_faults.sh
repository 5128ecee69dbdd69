#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds that are killed, interrupted, started twice or have a full disk. In every case the same
# command resumes and produces the same bytes, and until then there is no table.
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
        sed 's/^/    /' said
    fi
}

is() { [ "$1" = "$2" ]; }
absent() { [ ! -e "$1" ]; }

# sentence PATTERN: besides its progress, the build printed one sentence, and it matches.
sentence() {
    [ "$(grep -c '^plybase: ' said)" -eq 1 ] && grep -qE -- "^plybase: .*$1" said &&
        ! grep -vE '^(plybase: |resuming|forward|backward|writing)' said
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

# finished FILE RIGHT: check the files of a build that succeeded.
finished() {
    check "$1 and $2 differ" cmp "$1" "$2"
    check "$1.part is still there" absent "$1.part"
}

# build FILE ARGUMENT...: sets `said` to its messages and `status` to its exit status.
build() {
    "$plybase" build $game -o "$@" >said 2>&1
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

# disturb SIGNAL: send a signal at a random moment to a build, perhaps a resumed one, with a random
# number of threads, that saves every ply or not.
disturb() {
    local pid delay=$((RANDOM % duration)) threads=$((1 + RANDOM % 4)) save=$((RANDOM % 2 * 30))
    env --default-signal=INT "$plybase" build $game -o $table --threads $threads \
        --save-every $save >said 2>&1 &
    pid=$!
    sleep "$((delay / 1000)).$(printf %03d $((delay % 1000)))"
    kill -"$1" $pid 2>/dev/null
    wait $pid 2>/dev/null
    status=$?
}

# disturb_often SIGNAL TIMES WANTED: repeat until the signal has ended TIMES builds with status
# WANTED. A signal during the loading of the program ends it without a message, which is rare.
disturb_often() {
    local met=0 rounds=0 silent=0
    while [ $met -lt "$2" ]; do
        disturb "$1"
        if [ $status -eq 0 ]; then
            finished $table whole.plb
            rm -f $table
            rounds=$((rounds + 1))
        else
            check "a build that meets SIG$1 ends with $3, not $status" is $status "$3"
            [ -s said ] || silent=$((silent + 1))
            [ "$1" != INT ] || [ ! -s said ] ||
                check "Ctrl-C is answered" sentence "interrupted; the same command resumes it .*part"
            unfinished $table
            met=$((met + 1))
        fi
    done
    [ "$1" != INT ] || check "Ctrl-C is mostly answered, $silent times not" [ $silent -le $(($2 / 2)) ]
    build $table
    check "the last build" is $status 0
    finished $table whole.plb
    rm -f $table
    echo "SIG$1: $met builds ended by it, $((rounds + 1)) went on to their end"
}

{ disturb_often KILL 30 137; } 2>lost
disturb_often INT 8 130
disturb_often TERM 2 143

# ---- a second builder ----

# hold FILE SCRATCH [OPTION]: a build that stops itself when it has created a scratch file. The library
# is given without its folder, whose path may have a blank, at which LD_PRELOAD would end.
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
    mv held said
}

hold $table reach.05
for option in --threads=1 --force; do
    build $table $option
    check "a second builder is refused" is $status 1
    check "a second builder is told why" sentence "another process is building in $table.part"
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
check "what was begun by force is resumed" grep -q "^resuming the backward pass" said
finished $table whole.plb
rm -f $table old.plb

# ---- no more space ----

# starve KIB FILE: a build with a file size limit.
starve() {
    (ulimit -f "$1" && exec "$plybase" build $game -o "$2") >said 2>&1
    status=$?
}

# go_hungry FILE RIGHT KIB...: increasing limits, all too low, then none.
go_hungry() {
    local file=$1 right=$2 limit
    shift 2
    for limit; do
        starve "$limit" "$file"
        check "with files of $limit KiB the build must fail" is $status 1
        check "a limit of $limit KiB is told" \
            sentence "cannot (write|create) .*$file.part/.*: (File too large|No space left).*resumes"
        unfinished "$file"
    done
    build "$file"
    check "with space the build goes on" is $status 0
    finished "$file" "$right"
    rm -f "$file"
}

go_hungry $table whole.plb 1 16 64 128 160

# fill_disk SCRATCH: another program fills the disk when the build has created a scratch file. Without a
# resumed build, so that the file does not exist before the build has checked the disk.
fill_disk() {
    rm -rf disk/$table.part
    hold disk/$table "$1"
    cat /dev/zero >disk/filler 2>/dev/null
    release
    rm disk/filler
    check "a disk that is full after $1 must end the build" is $status 1
    check "a full disk is told" sentence "cannot (write|create) .*disk/.*: No space left.*resumes"
    unfinished disk/$table
}

# A disk that is too small from the beginning, then grows.
grow_disk() {
    local size
    for size in 8 24 48 64 4096; do
        mount -o remount,size=${size}k disk
        build disk/$table
        [ $status -ne 0 ] || break
        check "a disk of $size KiB must end the build" is $status 1
        check "a disk of $size KiB is told" \
            sentence "No space left.*the same command resumes it when there is more free space|needs up to .* of disk"
        unfinished disk/$table
    done
    check "a disk of $size KiB suffices" is $status 0
}

# fill_up FREE: another program leaves FREE KiB of the disk.
fill_up() {
    local free
    free=$(df --output=avail -k disk | tail -1)
    head -c $(((free - $1) * 1024)) /dev/zero >disk/filler
}

# just_enough: a disk of the forecast size; the files of a build count when it resumes.
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
    if "$plybase" export whole.plb -o disk/rows.csv 2>said; then
        check "an export is too big for its disk" false
    fi
    check "its size is told before it begins" \
        sentence 'disk/rows.csv needs about [0-9.]+ MiB for [0-9,]+ rows and [0-9.]+ MiB are free: '
    if "$plybase" export whole.plb -o - >disk/rows.csv 2>said; then
        check "a stream is too big for its disk" false
    fi
    check "nothing is written before that is seen" test ! -s disk/rows.csv
    rm disk/rows.csv
    for scratch in reach.03 reach.10 table.21 table.19; do fill_disk $scratch; done
    build disk/$table
    check "when there is space again the build goes on" is $status 0
    finished disk/$table whole.plb
    rm -f disk/$table
    just_enough
    fill_up 0
    build disk/$table
    check "a full disk does not matter to a table that is there" is $status 0
    check "it is found complete" grep -q "complete already" said
    rm -f disk/$table disk/filler
    mount -o remount,size=16m disk
fi

# ---- a trial beside an unfinished build ----

hold $table table.12
kill -INT $builder
release
find $table.part | sort >before
"$plybase" plan $game --trial 19 -o $table >/dev/null 2>said
check "a trial beside an unfinished build" is $? 0
find $table.part 2>/dev/null | sort >after
check "a trial leaves an unfinished build alone" cmp before after
check "a trial is tidied up" absent $table.trial.part
build $table
finished $table whole.plb
rm -f $table

# A small game, whose table is larger than its scratch files: here LMDB finds the disk full.
game=connect-3x3-k3 board=3/3/3
build small.plb
go_hungry $table small.plb 4 8 12 16 20
if mountpoint -q disk; then
    grow_disk
    finished disk/$table small.plb
else
    echo "SKIPPED: full disks; a tmpfs cannot be mounted here"
fi

echo "$checks checks, $failures failed"
[ $failures -eq 0 ]
