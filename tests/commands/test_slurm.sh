#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The job script of builder/CLUSTER.md with each installed launcher, on a SLURM of one node, which this test
# starts. It gets the signal that SLURM sends before the time limit, saves and stops; the same script resumes. 77: there is no SLURM or no MPI, or the user is not root.
#   test_slurm.sh PLYBASE DOCUMENT
set -u
case ${1:-} in -h | --help | '') sed -n '3,/^[^#]/s/^# \?//p' "$0" && exit ;; esac
plybase=$(realpath "$1")
document=$(realpath "$2")
for program in slurmctld slurmd munged srun sbatch; do
    command -v $program >/dev/null && continue
    echo "SKIPPED: $program is missing (Debian: slurmctld slurmd munge slurm-client)"
    exit 77
done
[ "$(id -u)" -eq 0 ] || { echo "SKIPPED: SLURM is started by root"; exit 77; }
work=$(mktemp -d)
PATH=$(dirname "$plybase"):$PATH
export SLURM_CONF=$work/slurm.conf
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
failures=0

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

fail() {
    failures=$((failures + 1))
    echo "FAILED: $*"
    sed 's/^/    /' output 2>/dev/null
}

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
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=60 State=UP
END
slurmctld -c && slurmd -c || { echo "SKIPPED: SLURM does not start here"; exit 77; }
for _ in $(seq 50); do sinfo -h -o %t 2>/dev/null | grep -q idle && break; sleep 0.2; done

plybase build connect-6x5-k4 -t 2 -m 1G -q -o alone.plb || fail "the build of one process"

# submit LAUNCH: submit the script of the document with this launcher; sets `job` to its number.
submit() {
    rm -f output
    sed -n '/^## SLURM/,/^## /p' "$document" | sed -n '/^```sh/,/^```/p' | grep -v '^```' |
        sed "s|^launch=.*|launch='$1'|; s|connect-7x7-k4|connect-6x5-k4|; s|/scratch/\$USER/7x7.plb|$work/table.plb|
            s|--memory 350G|--memory 900M --threads 1|" >job.sh
    job=$(sbatch --parsable --nodes=1 --ntasks-per-node=2 --cpus-per-task=1 --time=10 \
        --signal=B:USR1@60 --output="$work/output" job.sh)
}

# Wait until the job has ended; sets `status` to its exit status.
await() {
    for _ in $(seq 1200); do
        scontrol show job "$job" | grep -qE 'JobState=(COMPLETED|FAILED|CANCELLED|TIMEOUT)' && break
        sleep 0.1
    done
    status=$(scontrol show job "$job" | sed -n 's/.*ExitCode=\([0-9]*\):.*/\1/p')
}

tried=0
while read -r mpi launch; do
    command -v "${launch%% *}" >/dev/null && plybase --version | grep -q "ranks:.*$mpi" || {
        echo "SKIPPED: $launch ($mpi)"
        continue
    }
    tried=$((tried + 1))
    submit "$launch"
    for _ in $(seq 300); do grep -qs 'backward ply' output && break; sleep 0.1; done
    scancel --batch --signal=USR1 "$job" # as SLURM does with --signal=B:USR1
    await
    [ "$status" -ne 0 ] || fail "$launch: exit status $status after SIGUSR1"
    grep -q 'interrupted; the same command resumes it' output || fail "$launch: no message"
    [ ! -e table.plb ] || fail "$launch: a table after SIGUSR1"
    submit "$launch"
    await
    [ "$status" -eq 0 ] || fail "$launch: exit status $status"
    grep -q 'resuming the backward pass' output || fail "$launch: it does not resume"
    grep -q '^2 ranks: ' output || fail "$launch: it is not one job of two ranks"
    cmp alone.plb table.plb || fail "$launch: other bytes"
    rm -rf table*
done <<END
openmpi srun --mpi=pmix
mpich srun --mpi=pmi2
openmpi mpirun.openmpi --map-by slot --bind-to none
mpich mpiexec.hydra
END
[ $tried -gt 0 ] || exit 77
echo "$tried launchers, $failures failed"
[ $failures -eq 0 ]
