#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The job script of builder/CLUSTER.md with each installed launcher, on a SLURM of one node, which this test
# starts. One job saves after the signal that SLURM sends before the time limit; another one is ended at its time
# limit. The same script resumes both. All jobs run at the same time, with one rank stopped, for about 100 s.
# 77: there is no SLURM or no MPI, or the user is not root.
#   test_slurm.sh PLYBASE DOCUMENT LIBRARIES
# LIBRARIES is the folder of libheld_build.so.
set -u
case ${1:-} in -h | --help | '') sed -n '3,/^[^#]/s/^# \?//p' "$0" && exit ;; esac
plybase=$(realpath "$1")
document=$(realpath "$2")
libraries=$(realpath "$3")
for program in slurmctld slurmd munged srun sbatch; do
    command -v $program >/dev/null && continue
    echo "SKIPPED: $program is missing (tools/checks/packages slurm installs it)"
    exit 77
done
[ "$(id -u)" -eq 0 ] || { echo "SKIPPED: SLURM is started by root"; exit 77; }
work=$(mktemp -d)
PATH=$work:$PATH
export SLURM_CONF=$work/slurm.conf
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

stop_daemons() {
    for daemon in slurmd slurmctld munged; do
        [ ! -s "$work/$daemon.pid" ] || kill "$(cat "$work/$daemon.pid")"
    done
    sleep 1
    rm -rf "$work"
}
trap stop_daemons EXIT
cd "$work" || exit 1
mkdir state spool

head -c 1024 /dev/urandom >munge.key
chmod 400 munge.key
munged --force --socket="$work/munge.sock" --key-file="$work/munge.key" --seed-file="$work/seed" \
    --log-file="$work/munged.log" --pid-file="$work/munged.pid"
host=$(hostname -s)
cat >slurm.conf <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.sock
SlurmctldPort=16817
SlurmdPort=16818
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
NodeName=$host NodeAddr=127.0.0.1 CPUs=16 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=60 State=UP
END
slurmctld -c && slurmd -c || { echo "SKIPPED: SLURM does not start here"; exit 77; }
for _ in $(seq 50); do sinfo -h -o %t 2>/dev/null | grep -q idle && break; sleep 0.2; done

"$plybase" build connect-5x5-k4 -q -o alone.plb || exit 1
# The command of the jobs: while there is a file `hold`, rank 1 stops itself as it writes ply 17.
cat >plybase <<END
#!/bin/sh
rank=\${OMPI_COMM_WORLD_RANK:-\${PMI_RANK:-\$PMIX_RANK}}
if [ -e hold ] && [ "\$rank" = 1 ]; then
    echo \$\$ >victim
    export LD_PRELOAD=$libraries/libheld_build.so PLYBASE_HELD_AT=values.17
fi
exec $plybase "\$@"
END
chmod +x plybase

fail() {
    echo "FAILED: $launch, $end: $*" >>failures
    sed 's/^/    /' output >>failures
}

# run_job OPTION...: start the script of the document, with these options of sbatch; sets `job` to its number.
run_job() {
    rm -f output
    sed -n '/^## SLURM/,/^## /p' "$document" | sed -n '/^```sh/,/^```/p' | grep -v '^```' |
        sed "s| --exclusive||; /^#SBATCH --signal/d; s|^launch=.*|launch='$launch'|
            s|connect-7x7-k4|connect-5x5-k4|; s|/scratch/\$USER/7x7.plb|table.plb|
            s|--memory 350G|--memory 500M --threads 1|; s|--save-every 900|--save-every $every|" >job.sh
    job=$(sbatch --parsable --nodes=1 --ntasks-per-node=2 --cpus-per-task=1 --output=output "$@" job.sh)
}

# Wait until the job has ended; sets `state` and `status` to its state and exit status.
await() {
    for _ in $(seq 400); do
        scontrol show job "$job" >description
        state=$(sed -n 's/.*JobState=\([A-Z]*\).*/\1/p' description)
        status=$(sed -n 's/.*ExitCode=\([0-9]*\):.*/\1/p' description)
        case $state in COMPLETED | FAILED | CANCELLED | TIMEOUT | NODE_FAIL) break ;; esac
        sleep 0.5
    done
}

# Has the stopped rank got SIGUSR1?
is_signalled() {
    local signals
    signals=$(sed -n 's/^ShdPnd:\s*//p' "/proc/$(cat victim 2>/dev/null)/status" 2>/dev/null)
    [ $((0x${signals:-0} & 0x200)) -ne 0 ]
}

# SLURM sends SIGUSR1 30 to 60 s after the beginning.
stop_by_signal() {
    run_job --time=2 --signal=B:USR1@60
    for _ in $(seq 900); do is_signalled && break || sleep 0.1; done
    kill -CONT "$(cat victim)"
    await
    [ "$state" != TIMEOUT ] || fail "the time limit was reached"
    # The launcher of MPICH 4.0.2 sometimes ends with 0, whatever its ranks do.
    [ "$status" -eq 138 ] || [ "$mpi$status" = mpich0 ] || fail "exit status $status"
}

# SLURM sends SIGCONT and SIGTERM 60 to 90 s after the beginning.
stop_by_limit() {
    run_job --time=1
    await
    [ "$state" = TIMEOUT ] || fail "the job ended as $state"
}

# In a folder of its own: a job that is stopped in this way, and one that resumes.
try_launcher() {
    local mpi=$1 launch=$2 end=$3 every=$4
    touch hold
    stop_by_$end
    [ ! -e table.plb ] || fail "a table"
    # At the time limit mpirun of Open MPI leaves no time for a save.
    [ $every -eq 0 ] || grep -q 'interrupted; the same command resumes it' output || fail "no message"
    rm hold
    run_job --time=10
    await
    [ "$status" -eq 0 ] || fail "exit status $status of the second job"
    grep -q 'resuming the backward pass at ply 1[78]' output || fail "the second job does not resume"
    grep -q '^2 ranks: ' output || fail "it is not one job of two ranks"
    cmp ../alone.plb table.plb || fail "other bytes"
}

tried=0 jobs=()
while read -r mpi launch; do
    command -v "${launch%% *}" >/dev/null && "$plybase" --version | grep -q "ranks:.*$mpi" || {
        echo "SKIPPED: $launch ($mpi)"
        continue
    }
    tried=$((tried + 1))
    for end in signal limit; do
        every=900
        [ "${launch%% *}$end" != mpirun.openmpilimit ] || every=0
        mkdir $tried-$end
        (cd $tried-$end && try_launcher "$mpi" "$launch" $end $every) &
        jobs+=($!)
    done
done <<END
openmpi srun --mpi=pmix
mpich srun --mpi=pmi2
openmpi mpirun.openmpi --map-by slot --bind-to none
mpich mpiexec.hydra
END
[ $tried -gt 0 ] || exit 77
wait "${jobs[@]}"
cat ./*/failures 2>/dev/null
failures=$(cat ./*/failures 2>/dev/null | grep -c '^FAILED')
echo "$tried launchers, $failures failed"
[ "$failures" -eq 0 ]
