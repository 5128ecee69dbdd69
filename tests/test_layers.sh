#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tools/check-layers finds what is planted in a copy of the tree: test_layers.sh SOURCE
set -uo pipefail
source=$1
failures=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# plant FILE LINE TEXT: with this line, the check fails and says this.
plant() {
    cp "$folder/$1" "$folder/kept"
    echo "$2" >>"$folder/$1"
    said=$("$source/tools/check-layers" "$folder") &&
        { echo "FAILED: $2 in $1 is not found"; failures=$((failures + 1)); }
    grep -qFx -- "$3" <<<"$said" ||
        { echo "FAILED: $2 in $1: '$3' is not said, but"; echo "$said"; failures=$((failures + 1)); }
    mv "$folder/kept" "$folder/$1"
}

"$source/tools/check-layers" || failures=$((failures + 1)) # the tree itself
cp -r "$source"/{tables,builder,probe,tools} "$folder"
plant tables/index.c '#include "builder/build.h"' 'tables/index -> builder/build'
plant builder/build.h '#include "probe/resolve.h"' 'builder/build -> probe/resolve'
plant probe/lookup.h '#include "tables/settle.h"' 'probe/lookup -> tables/settle'
plant tools/search/naive_rules.c '#include "tables/game.h"' 'tools/search/naive_rules -> tables/game'
plant tools/board.c '#include "tables/game.h"' 'tools/board -> tables/game'
plant tools/quantity.h '#include "tools/commands/plan_trial.h"' \
    'tools/quantity -> tools/commands/plan_trial'
plant tools/commands/command_probe.c '#include <jansson.h>' \
    'tools/commands/command_probe -> <jansson'
# What a module does not include itself.
plant tables/rules.h '#include "tables/index.h"' \
    'tools/search/forward_search -> tables/stones -> tables/rules -> tables/index'
plant tools/quantity.h '/* Must not know: colours. */' \
    'tools/quantity.h promises what no law here checks'

echo "$failures failed"
[ $failures -eq 0 ]
