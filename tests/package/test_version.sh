#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Only CMakeLists.txt has the version. Two other files name versions, those of the
# past: the list of changes, and the digests of tables, with the version that wrote them.
#   test_version.sh SOURCE_FOLDER VERSION
set -euo pipefail
cd "$1"
version=$2

list_files() {
    git ls-files 2>/dev/null || find . -type f -not -path './build/*' -printf '%P\n'
}
mapfile -t files < <(list_files | grep -vxE '\.github/CHANGES\.md|tables/data/digests\.tsv')
[ ${#files[@]} -gt 300 ] || { echo "FAILED: there are ${#files[@]} files"; exit 1; }
found=$(grep -nE "(^|[^0-9.])${version//./\\.}([^0-9.]|\.?\$)" -- "${files[@]}" || true)
[ "$found" = "CMakeLists.txt:$(grep -n '^project(plybase VERSION ' CMakeLists.txt)" ] ||
    { printf 'FAILED: only CMakeLists.txt says that this is %s, and only once:\n%s\n' "$version" "$found"; exit 1; }
grep -qx "## $version" .github/CHANGES.md || { echo "FAILED: no section for $version in .github/CHANGES.md"; exit 1; }
