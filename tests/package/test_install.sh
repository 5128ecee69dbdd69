#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The installation can be used: two foreign projects, in C and C++, find it by CMake and by
# pkg-config, and their programs answer from a table like the installed command. Links of the
# documents are valid, and the example compiles. The prefix is moved after the installation, so
# no file may contain the old path.
#   test_install.sh BUILD_FOLDER
set -euo pipefail
build=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$here"/{find_package,pkg_config,ask.c,ask.cpp} "$work"
cd "$work"
unset LD_LIBRARY_PATH PKG_CONFIG_PATH

cmake --install "$build" --prefix "$work/first" >/dev/null
mv first "pre fix"
prefix="$work/pre fix"
failures=0
fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# ---- all files are installed ----
for file in bin/plybase include/plybase.h include/plybase_vocabulary.h 'lib*/libplybase.so.1' 'lib*/libplybase.a' \
    'lib*/pkgconfig/plybase.pc' 'lib*/cmake/plybase/plybaseConfig.cmake' \
    share/man/man1/plybase.1 share/man/man1/plybase-{build,serve}.1 share/man/man3/plybase.3 \
    share/bash-completion/completions/plybase share/fish/vendor_completions.d/plybase.fish \
    share/zsh/site-functions/_plybase \
    share/doc/plybase/{copyright,README.md,probe/MANUAL.md,tables/FORMAT.md}; do
    # Multiarch puts libraries one folder deeper.
    find "$prefix" -path "$prefix/${file/lib\*/lib*}" | grep -q . || fail "$file is not installed"
done
"$here/../commands/test_readme.py" "$prefix/share/doc/plybase" || fail "installed documents have broken links"
if grep -rIlF -e "$work/first" -e "$build" "$prefix"; then fail "these files remember a folder"; fi

# ---- the command works, and its table answers ----
plybase="$prefix/bin/plybase"
"$plybase" build connect-4x4-k4 -o table.plb 2>/dev/null
positions=("" 1 12 1213 12131 223344 1213141)
for moves in "${positions[@]}"; do echo "$moves"; done >lines
sed 1d lines | "$plybase" probe table.plb --moves - |
    sed -E 's/^[^\t]*\t([a-z]+)\t[^\t]*\t([^,]*).*/\1 \2/' >answers
{ echo "draw 1"; cat answers; } >expected

# ---- one version: in tables, in the files that find the library, and in manual pages ----
version=$("$plybase" info table.plb | sed -n 's/^builder *plybase //p')
[ -n "$version" ] || fail "the table names no version"
for file in plybase.pc plybaseConfigVersion.cmake; do
    grep -qE "^(Version: |set\(PACKAGE_VERSION )\"?$version(\"|$)" \
        "$(find "$prefix" -name "$file")" || fail "$file is not of version $version"
done
for page in man1/plybase.1 man1/plybase-build.1 man3/plybase.3; do
    grep -qx "\.Os Plybase $version" "$prefix/share/man/$page" || fail "$page is not of version $version"
done

# expect_answers PROGRAM
expect_answers() {
    "$1" table.plb "${positions[@]}" >got 2>&1 || fail "$1 ends with an error"
    diff expected got || fail "$1 answers otherwise"
    if "$1" nothing.plb >got 2>&1; then fail "$1 opened a table that is not there"; fi
}

# ---- find_package ----
build_found() {
    CMAKE_PREFIX_PATH="$prefix" cmake -S find_package -B built -DWANTED_VERSION="$version" &&
        cmake --build built
}
build_found >log 2>&1 || { cat log; fail "find_package"; }
for program in ask_c ask_cpp ask_static; do expect_answers "built/$program"; done

# ---- pkg-config (make cannot handle flags with blanks) ----
mv "pre fix" prefix
pc=$(find "$work/prefix" -name plybase.pc)
PKG_CONFIG_PATH=$(dirname "$pc") make -C pkg_config >log 2>&1 || { cat log; fail "pkg-config"; }
for program in ask_c ask_cpp ask_static; do expect_answers "pkg_config/$program"; done

# ---- the examples that are installed ----
examples=prefix/share/doc/plybase/probe/examples
{ CMAKE_PREFIX_PATH="$work/prefix" cmake -S $examples -B examples && cmake --build examples; } >log 2>&1 ||
    { cat log; fail "the examples do not compile"; }
examples/random_probes table.plb 100 >got || fail "random_probes"
[ -s got ] || fail "random_probes prints nothing"
got=$(echo 1213121 | examples/table_engine table.plb)
[ "$got" = $'-\tloss\t0' ] || fail "table_engine says $got"
# The Python package finds the library from the command in PATH.
PATH="$work/prefix/bin:$PATH" PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$here/../../probe/python" \
    python3 $examples/tutorial.py table.plb --picture board.svg >got || fail "tutorial.py"
grep -q '^the empty board: draw for x$' got || fail "tutorial.py says $(cat got)"
[[ $(cat board.svg) == '<svg '*'</svg>' ]] || fail "tutorial.py draws no picture"

echo "$failures failed"
[ $failures -eq 0 ]
