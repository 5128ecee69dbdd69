#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tools/measure/compare-searches compares answers and times: test_compare_searches.sh PLYBASE SOURCE
compare=$2/tools/measure/compare-searches
# shellcheck source=SCRIPTDIR/../support/checks.sh
. "$(dirname "$0")/../support/checks.sh"

printf '44\n4433\tloss\n\n' >moves
printf '%s\n' '#!/bin/sh' "\"$plybase\" \"\$@\" | sed '2s/draw\\|win\\|loss/error/'" >wrong
printf '%s\n' '#!/bin/sh' 'sed "s/\$/ 0/"' >peer
printf '%s\n' '#!/bin/sh' 'head -n 1' >short
chmod +x wrong peer short

solve=("$compare" "$plybase" connect-4x4-k4 --runs 1)
expect 0 '^ +[0-9.]+ s  x   1\.00 +[0-9,]+ nodes  /' "${solve[@]}" moves --moves --distance
expect 0 ' nodes  /.*/plybase$' "${solve[@]}" moves --moves --other "$plybase"
expect 1 'wrong  ANSWERS DIFFER$' "${solve[@]}" moves --moves --other ./wrong
expect 0 ' \./peer$' "${solve[@]}" moves --moves --peer ./peer
expect 1 'short: exit status 0, 1 answers to 3 positions' "${solve[@]}" moves --moves --peer ./short
expect 2 '--peer needs --moves' "${solve[@]}" moves --peer ./peer
expect 2 'nowhere: No such file' "${solve[@]}" nowhere
conclude
