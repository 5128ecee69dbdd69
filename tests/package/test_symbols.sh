#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The shared library exports exactly the functions that its headers declare.
#   test_symbols.sh LIBRARY HEADER
set -euo pipefail
LC_ALL=C
export LC_ALL

declared=$(sed -nE 's/^PLB_API .*[ *](plb_[a-z_]+)\(.*/\1/p' "${@:2}" | sort)
exported=$(nm -D --defined-only "$1" | awk '{ print $3 }' | sort)
marks=$(cat "${@:2}" | grep -c '^PLB_API ')

[ "$(wc -w <<<"$declared")" -eq "$marks" ] ||
    { echo "FAILED: $marks functions are marked PLB_API, these names were found: $declared"; exit 1; }
diff <(echo "$declared") <(echo "$exported") ||
    { echo "FAILED: < declared in the headers, > exported by the library"; exit 1; }
echo "$marks functions"
