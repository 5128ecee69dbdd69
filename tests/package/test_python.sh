#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The Python package answers like the command, and can be installed without a network.
#   test_python.sh PLYBASE LIBRARY PACKAGE_FOLDER
set -euo pipefail
command -v python3 >/dev/null || { echo "no python3: skipped"; exit 77; }
package=$(realpath "$3")
PLYBASE_COMMAND=$(realpath "$1")
PLYBASE_LIBRARY=$(realpath "$2")
export PLYBASE_COMMAND PLYBASE_LIBRARY PYTHONDONTWRITEBYTECODE=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

PYTHONPATH="$package" python3 -W error -m unittest discover -s "$package/tests"
PLYBASE_LIBRARY=/nowhere PYTHONPATH="$package" python3 -m pydoc plybase >help.txt
grep -q probe_wdl help.txt ||
    { echo "FAILED: without the library there is no help"; exit 1; }

# ---- its type hints ----
if python3 -m mypy --version >/dev/null 2>&1; then
    python3 -m mypy --strict --cache-dir "$work/mypy" "$package/plybase"
    cat >typed.py <<'EOF'
from array import array
from typing import List, Optional, Union

import plybase

with plybase.open("any.plb") as table:
    wdl: int = table.probe_wdl("3/3/3")
    dtm: Optional[int] = table.probe_dtm((0, 0))
    either: Union[int, str, None] = table.get_wdl(moves="a1", default="refused")
    best: plybase.Best = table.find_best(moves="a1", seconds=1.5)
    line: List[plybase.Move] = table.mainline(moves="a1", nodes=1000)
    values: List[int] = table.probe_many(moves=["a1", "a1b1"])
    answers: plybase.Answers = table.probe_many(x=array("Q", [0]), o=array("Q", [0]))
    won_by: Optional[str] = table.winner("3/3/3")
    after: plybase.Bitboards = table.push(next(table.positions(3)), line[0])
    board = plybase.Board(table, moves="a1")
    board.push(board.legal_moves[0])
    ended: Optional[plybase.State] = board.outcome()
    sum_of_values: int = table.probe(board).value + best.value + line[0].value + line[0].wdl
with plybase.open_tables("folder") as tables:
    again: plybase.Table = tables["mnk-3x3-k3"]
EOF
    MYPYPATH="$package" python3 -m mypy --strict --cache-dir "$work/mypy" typed.py
else
    echo "no mypy: type hints are not checked"
fi

# ---- the wheel is complete: Python can run from it as from a folder ----
PYTHONPATH="$package" python3 -c 'import build_backend as b; b.build_wheel("."); b.build_sdist(".")'
wheel=$(echo "$work"/plybase-*-py3-none-any.whl)
"$PLYBASE_COMMAND" build mnk-3x3-k3 2>/dev/null
script='import plybase; print(plybase.open("mnk-3x3-k3.plb").probe_wdl("3/3/3"), plybase.__file__)'
# answer_from FOLDER_OR_WHEEL
answer_from() {
    local output
    output=$(PYTHONPATH="$1" python3 -c "$script")
    [[ $output == "0 $1/"* ]] || { echo "FAILED: from $1: $output"; exit 1; }
}
answer_from "$wheel"

# ---- pip accepts the folder and the source archive; the test `readme` makes an environment ----
if python3 -m pip --version >/dev/null 2>&1; then
    install="python3 -m pip --quiet --disable-pip-version-check install --no-index"
    $install --target "$work/site" "$package"
    answer_from "$work/site"
    [ -e "$work/site/plybase/py.typed" ] || { echo "FAILED: py.typed is not installed"; exit 1; }
    $install --target "$work/own place" "$work"/plybase-*.tar.gz
    answer_from "$work/own place"
else
    echo "no pip: installation is not tested"
fi
[ -z "$(git -C "$package" status --porcelain --ignored -- '*.egg-info' build dist 2>/dev/null)" ] ||
    { echo "FAILED: the installation left files in $package"; exit 1; }
