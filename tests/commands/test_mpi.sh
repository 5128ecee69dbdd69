#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds by several ranks over MPI, with each installed implementation: the bytes are those of a build by
# one process, and wrong starts are refused in one sentence. 77: there is no MPI.
#   test_mpi.sh PLYBASE LIBRARIES
# LIBRARIES is the folder of libheld_build.so.
set -u
plybase=$(realpath "$1")
libraries=$(realpath "$2")
work=$(mktemp -d -p /dev/shm)
trap 'umount "$work/own" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0 checks=0
# By default Open MPI refuses root, and more ranks than processors; it looks for ssh even
# if all ranks are on this machine.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_plm=isolated
export OMPI_MCA_rmaps_base_oversubscribe=1

fail() {
    failures=$((failures + 1))
    echo "FAILED: $*"
    sed 's/^/    /' output
}

# run COMMAND...: sets `output` to its output and `status` to its exit status.
run() {
    checks=$((checks + 1))
    timeout 60 "$@" >output 2>&1
    status=$?
}

# refused PATTERN: the run failed with one sentence of plybase, which matches, and left no files.
refused() {
    [ $status -ne 0 ] && [ $status -ne 124 ] || fail "$mpi: exit status $status, not refused: $1"
    [ "$(grep -c '^plybase: ' output)" -eq 1 ] && grep -qE -- "^plybase: .*$1" output ||
        fail "$mpi: not refused by: $1"
    [ -z "$(ls | grep table)" ] || fail "$mpi: left $(ls -d table*) after: $1"
    rm -rf table*
}

# same RANKS SPEC [OPTION...]: the table of this many ranks equals that of one process.
same() {
    local measure="alone-${*:2}"
    measure=${measure// /-}
    [ -e "$measure" ] || "$plybase" build "${@:2}" -t 1 -m 500M -q -o "$measure" || fail "$* alone"
    run "$launcher" -n "$1" "$plybase" build "${@:2}" -t 1 -m 500M -o table.plb
    [ $status -eq 0 ] || fail "$mpi: $*: exit status $status"
    cmp "$measure" table.plb || fail "$mpi: $*: other bytes"
    [ "$(ls | grep -c table)" -eq 1 ] || fail "$mpi: $*: left $(ls -d table*)"
    rm -rf table*
}

# The same program with another version: the text of the version is replaced, by one of the same length.
version=$("$plybase" --version | sed -n '1s/^plybase //p')
mkdir other
ln -s "$(dirname "$plybase")"/libplybase-ranks-*.so other/
LC_ALL=C sed "s/${version//./\\.}/${version//[0-9]/9}/g" "$plybase" >other/plybase
chmod +x other/plybase
other/plybase --version >output
[ "$(head -n 1 output)" = "plybase ${version//[0-9]/9}" ] || fail "another version"

tried=0
for mpi in openmpi mpich; do
    launcher=mpirun.openmpi other=mpich
    [ $mpi = openmpi ] || launcher=mpiexec.hydra other=openmpi
    if ! command -v $launcher >/dev/null || ! "$plybase" --version | grep -q "ranks:.*$mpi"; then
        echo "SKIPPED: $mpi (tools/checks/packages mpi installs it; then run cmake again)"
        continue
    fi
    tried=$((tried + 1))
    "$plybase" build --help | grep -q "installed:.* $mpi" || fail "$mpi: build --help does not say"

    same 1 connect-5x5-k4
    same 2 connect-5x5-k4
    grep -qE '^2 ranks: .* [KM]iB received, .* % of the time waited, imbalance .* %$' output ||
        fail "$mpi: no summary of the ranks"
    same 5 connect-5x5-k4
    same 3 connect-5x5-k4 --values dtm
    same 3 connect-5x5-k4-misere
    same 2 connect-5x5-k4-cylinder
    same 2 mnk-5x4-k4
    same 3 numeric-3x3
    grep -q 'built by one rank; the other 2 wait' output || fail "$mpi: no message that one rank builds a table of keys"

    build=("$plybase" build connect-5x5-k4 -t 1 -o table.plb)
    run $launcher -n 3 "${build[@]}" --shards
    grep -q ' in 3 shards, ' output || fail "$mpi: shards"
    [ "$(echo table*)" = "table.plb table.plb.0 table.plb.1 table.plb.2" ] || fail "$mpi: left $(ls -d table*)"
    for file in alone-connect-5x5-k4 table.plb; do "$plybase" info --json $file | grep -o "\"id\":\"[^\"]*\""; done | uniq -c | grep -q "^ *2 " ||
        fail "$mpi: shards with another id"
    [ "$(stat -c %s table.plb.1)" -gt 100000 ] || fail "$mpi: shards of divided plies"
    rm -rf table*
    # A node with its own disk: its share fits, the whole table does not.
    kib=$("$plybase" plan connect-5x5-k4 --json | sed -n 's/.*"scratch_bytes":"\([0-9]*\)...",.*/\1/p')
    mkdir own
    if mount -t tmpfs -o size=$((kib * 2 / 3))k none own 2>/dev/null; then
        run $launcher -n 1 "${build[@]}" --shards : -wdir "$work/own" -n 1 "${build[@]}" --shards
        [ -e own/table.plb.1 ] || fail "$mpi: a shard on a disk of its own"
        umount own
    fi
    rm -rf own table*
    PLYBASE_MPI=$other run $launcher -n 2 "${build[@]}"
    refused "each(| of the processes that were started) would build alone"
    run $launcher -n 2 "${build[@]}" : -n 1 "${build[@]}" --values dtm
    refused "rank 2 on .*: it builds something else than rank 0"
    for specs in "connect-5x5-k4 numeric-3x3" "numeric-3x3 connect-5x5-k4" "numeric-3x3 numeric-2x2"; do
        run $launcher -n 1 "$plybase" build ${specs% *} -t 1 -o table.plb : \
            -n 1 "$plybase" build ${specs#* } -t 1 -o table.plb
        refused "rank 1 on .*: it builds something else than rank 0"
    done
    run $launcher -n 1 "${build[@]}" --shards : -n 1 "${build[@]:0:5}" -o other.plb --shards
    refused "rank 1 on .*: it builds something else than rank 0"
    run $launcher -n 1 "${build[@]}" : -n 1 other/plybase "${build[@]:1}"
    refused "rank 1 on .*: it is plybase [9.]*, and rank 0 is another version"
    run $launcher -n 1 "${build[@]}" : -n 1 "$plybase" build connect-5x5-k6 -t 1 -o table.plb
    refused "rank 1 on .*: connect-5x5-k6: no group fits on the board"
    run $launcher -n 1 "${build[@]}" : -n 1 "${build[@]}" --memory 5M
    refused "rank 1 on .*: connect-5x5-k4 needs about .* of memory and may use 5"
    if [ $mpi = openmpi ]; then
        run $launcher --bind-to core --mca rmaps_base_oversubscribe 0 -n 1 "${build[@]}" : \
            -n 1 "${build[@]:0:3}" -t 3 -o table.plb
        refused "rank 1 on .*: 3 threads would share 1 processor: .*--bind-to none"
    fi

    # A rank, or a single process, stops itself as it writes a ply. Then it is killed, which ends all ranks,
    # or the launcher is killed, or all get the signal to save and stop. Then this number of ranks resumes.
    record='trap : USR1; "$@"; status=$?; echo $status >>statuses; exit $status'
    held="echo \$\$ >victim; exec env LD_PRELOAD=$libraries/libheld_build.so PLYBASE_HELD_AT=values.17"
    for what in rank:1 launcher:2 USR1:3 alone:3; do
        checks=$((checks + 1))
        end=${what%:*} every=0
        [ $end != USR1 ] || every=1000
        job=($launcher -n 2 bash -c "$record" bash "${build[@]}" -s $every : -n 1)
        [ $end != alone ] || job=()
        "${job[@]}" sh -c "$held ${build[*]} -s $every" >output 2>&1 &
        job=$!
        for _ in $(seq 200); do
            grep -qs '^State:.*stopped' "/proc/$(cat victim 2>/dev/null)/status" && break
            sleep 0.05
        done
        if [ $end = launcher ]; then
            kill -9 $job
        elif [ $end = USR1 ]; then
            kill -USR1 $job
            sleep 0.5
            kill -CONT "$(cat victim)" || fail "$mpi: no rank to continue"
        else
            kill -9 "$(cat victim)" || fail "$mpi: no rank to kill"
        fi
        wait $job 2>/dev/null
        status=$?
        # After USR1 the launcher of MPICH 4.0.2 sometimes ends with 0, whatever its ranks do.
        [ $status -ne 0 ] || [ $mpi$end = mpichUSR1 ] || fail "$mpi: exit status $status after $what"
        # Open MPI 4.1.4 ends all when the first rank has ended, perhaps that of `held`, and returns its
        # status; a rank that waits then gets 195 (connection lost).
        [ $end != USR1 ] || { cat statuses output | grep -qE '^138$|Exit code: +138' &&
            ! grep -qvxE '138|195' statuses; } ||
            fail "$mpi: statuses $(cat statuses)"
        for _ in $(seq 100); do # ranks may live a second longer than their launcher
            flock -n table.plb.part/lock true && break
            sleep 0.05
        done
        [ ! -e table.plb ] || fail "$mpi: a table after $what"
        [ $end != USR1 ] || grep -q 'interrupted; the same command resumes it, also with another' output ||
            fail "$mpi: no message after $what"
        run $launcher -n ${what#*:} "${build[@]}"
        grep -qE 'resuming the backward pass at ply 1[78]' output || fail "$mpi: not resumed after $what"
        cmp alone-connect-5x5-k4 table.plb || fail "$mpi: other bytes after $what"
        [ "$(ls | grep -c table)" -eq 1 ] || fail "$mpi: left $(ls -d table*) after $what"
        rm -rf table* victim statuses
    done

    # A rank stops responding: the others name it, and all end.
    run $launcher -n 2 "${build[@]}" -p 5 : -n 1 sh -c "$held ${build[*]} -p 5"
    [ $status -ne 0 ] && [ $status -ne 124 ] || fail "$mpi: exit status $status after silence"
    [ "$(grep -c '^plybase: ' output)" -eq 1 ] &&
        grep -qE '^plybase: rank 2 on .* does not answer: nothing was heard of it for 5 s' output ||
        fail "$mpi: no message after silence: $(cat output)"
    for _ in $(seq 100); do kill -0 "$(cat victim)" 2>/dev/null && sleep 0.05 || break; done
    if kill -0 "$(cat victim)" 2>/dev/null; then fail "$mpi: a silent rank is left"; fi
    run $launcher -n 2 "${build[@]}"
    cmp alone-connect-5x5-k4 table.plb || fail "$mpi: other bytes after silence"
    rm -rf table* victim
done
[ $tried -gt 0 ] || exit 77
if ldd "$plybase" | grep -i mpi; then fail "the command is linked with MPI"; fi
LD_DEBUG=files "$plybase" build connect-4x4-k4 -o table.plb >output 2>&1
if grep -i 'libmpi\|libplybase-ranks' output; then fail "MPI is loaded without a launcher"; fi
PLYBASE_MPI=best run "$plybase" build connect-4x4-k4 -o table.plb
grep -q "PLYBASE_MPI is 'best' and may be openmpi, mpich or none" output || fail "a wrong PLYBASE_MPI"
echo "$tried implementations of MPI, $checks runs, $failures failed"
[ $failures -eq 0 ]
