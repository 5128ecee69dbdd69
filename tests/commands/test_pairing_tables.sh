#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# No pairing proof contradicts a table: for all positions of small boards, and for samples of each ply of
# larger boards; or for samples of the given size of the given boards.
#   test_pairing_tables.sh PLYBASE MEASURE_PAIRINGS [SAMPLES SPEC...]
set -euo pipefail
plybase=$(realpath "$1")
measure=$(realpath "$2")
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# check SAMPLES SPEC: try to prove for both players of SAMPLES positions per ply; 0: of all positions.
check() {
    "$plybase" build "$2" -o table.plb --force 2>messages || { cat messages; exit 1; }
    "$measure" table.plb "$1" 20000 >shares || { echo "FAILED: $2"; cat shares; exit 1; }
    grep -q '^0 contradictions$' shares || { echo "FAILED: $2"; cat shares; exit 1; }
    awk -v spec="$2" '$1 == "all" { print spec, $2, "claims,", $3 + $4, "% proven"
                                    exit !($2 > 500 && $3 + $4 > 1) }' shares
}

if [ $# -gt 0 ]; then
    for spec in "${@:2}"; do check "$1" "$spec"; done
    exit
fi
# Boards with and without the suffix, or those that the commit selects.
IFS=/ read -r first step <<<"${PLYBASE_FAULTS:-1/1}"
suffixes=("" -misere)
[ "$step" -eq 1 ] || suffixes=("${suffixes[first % 2]}")
for suffix in "${suffixes[@]}"; do
    check 0 mnk-3x3-k3$suffix
    check 0 mnk-4x2-k3$suffix-cylinder
    for spec in mnk-4x3-k3 mnk-4x4-k4 square-4x4 mnk-5x4-k4; do
        check 60 $spec$suffix
    done
done
