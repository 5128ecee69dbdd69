#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tools/checks/check-layers finds violations that are added to a copy of the tree: test_layers.sh SOURCE
set -uo pipefail
source=$1
failures=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# plant FILE LINE TEXT: when this line is added to the file, the check fails and prints the text.
plant() {
    cp "$folder/$1" "$folder/kept"
    echo "$2" >>"$folder/$1"
    output=$("$source/tools/checks/check-layers" "$folder") &&
        { echo "FAILED: $2 in $1 is not found"; failures=$((failures + 1)); }
    grep -qFx -- "$3" <<<"$output" ||
        { echo "FAILED: $2 in $1: '$3' is not printed, but"; echo "$output"; failures=$((failures + 1)); }
    mv "$folder/kept" "$folder/$1"
}

"$source/tools/checks/check-layers" || failures=$((failures + 1)) # the tree itself
cp -r "$source"/{tables,builder,probe,tools} "$folder"
plant tables/index/index.c '#include "builder/build.h"' 'tables/index/index -> builder/build'
plant tables/store/store.h '#include "tables/games/game.h"' 'tables/store/store -> tables/games/game'
plant builder/build.h '#include "probe/outcome.h"' 'builder/build -> probe/outcome'
plant builder/planes/kernels.h '#include "builder/slabs/ply_pass.h"' \
    'builder/planes/kernels -> builder/slabs/ply_pass'
plant probe/lookup.h '#include "tables/count/position_count.h"' \
    'probe/lookup -> tables/count/position_count'
plant tools/search/plain_game.c '#include "tables/games/game.h"' \
    'tools/search/plain_game -> tables/games/game'
plant tools/terminal/board.c '#include "tables/games/game.h"' 'tools/terminal/board -> tables/games/game'
plant tools/terminal/quantity.h '#include "tools/commands/commands.h"' \
    'tools/terminal/quantity -> tools/commands/commands'
plant tools/commands/command_probe.c '#include <jansson.h>' \
    'tools/commands/command_probe -> <jansson.h>'
plant probe/examples/random_probes.c '#include "tables/index/index.h"' \
    'probe/examples/random_probes -> tables/index/index'
# An indirect include.
plant tables/games/rules.h '#include "tables/index/index.h"' \
    'tools/search/forward_search -> tables/games/stone_rules -> tables/games/rules -> tables/index/index'

# A file that is too short.
echo 'int plb_nothing;' >"$folder/tables/games/nothing.c"
output=$("$source/tools/checks/check-layers" "$folder")
grep -qFx 'tables/games/nothing.c has fewer than 60 lines and no reason' <<<"$output" ||
    { echo "FAILED: a file of one line is not found: $output"; failures=$((failures + 1)); }
echo "$failures failed"
[ $failures -eq 0 ]
