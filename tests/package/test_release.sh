#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tools/release-check makes a tarball of all files, and refuses invalid releases; the long
# test of the Debian package builds one. Works in a clone, with the current script and texts.
#   test_release.sh SOURCE_FOLDER
set -euo pipefail
source=$(realpath "$1")
git -C "$source" rev-parse --verify HEAD >/dev/null 2>&1 || { echo "no repository of git: skipped"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0
fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

export GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test@example.org GIT_CONFIG_GLOBAL=/dev/null
export GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@example.org
unset PLYBASE_MAINTAINER
git clone --quiet --shared --no-tags "$source" clone
cp "$source/CMakeLists.txt" clone
cp "$source/tools/release-check" clone/tools
cp "$source/.github/CHANGES.md" clone/.github
commit() { git -C clone add -A && git -C clone commit --quiet --allow-empty --no-verify -m "$1"; }
commit "as it is here"
version=$(sed -nE 's/^project\(plybase VERSION ([0-9.]+) .*/\1/p' "$source/CMakeLists.txt")

check() { clone/tools/release-check "$@" >log 2>&1; }
# refuses WORDS ARGUMENT...: it must fail with these words, and write nothing.
refuses() {
    if check "${@:2}"; then fail "this succeeded: release-check ${*:2}"; fi
    grep -qF -- "$1" log || { cat log; fail "no '$1' in the words of release-check ${*:2}"; }
    [ ! -e none ] || fail "release-check ${*:2} wrote files"
}

# ---- the files of a release ----
check --quick one || { cat log; exit 1; }
grep -q "v$version" log || fail "no word of the tag that is missing"
diff <(git -C clone ls-files | sort) \
    <(tar -tf "one/plybase-$version.tar.gz" | sed "s,^plybase-$version/,,; /\/\$/d; /^\$/d" | sort) ||
    fail "< files of the commit, > files of the tarball"
(cd one && sha256sum --quiet --check SHA256SUMS) || fail "SHA256SUMS"
[ "$(wc -l <"one/changes-$version.md")" -ge 3 ] || fail "there are no changes"
if grep '^## ' "one/changes-$version.md"; then fail "there are changes of other versions"; fi
if grep '](' "one/changes-$version.md"; then fail "links that lead nowhere from the page of a release"; fi
git -C clone tag "v$version"
check --quick two || { cat log; fail "with its tag"; }
cmp "one/plybase-$version.tar.gz" "two/plybase-$version.tar.gz" || fail "one commit has two tarballs"

# ---- the tarball suffices for a build, without git ----
tar -xf "one/plybase-$version.tar.gz"
cmake -S "plybase-$version" -B built -DBUILD_TESTING=OFF >log 2>&1 || { cat log; fail "the tarball is not configured"; }
"$source/tests/package/test_version.sh" "plybase-$version" "$version" || fail "the version in the tarball"

# ---- invalid releases ----
refuses "a new FOLDER" --quick
refuses "one exists" --quick one
refuses "PLYBASE_MAINTAINER" none
commit "another commit"
refuses "the tag v$version is that of another commit" --quick none
git -C clone tag v9.9.9
refuses "is v9.9.9, not v$version" --quick none
git -C clone tag -d v9.9.9 "v$version" >/dev/null
echo >>clone/README.md
refuses "README.md" --quick none
git -C clone checkout --quiet README.md
sed -i '0,/^## /s//## not /' clone/.github/CHANGES.md
commit "changes of another version"
refuses "the first section of .github/CHANGES.md is 'not $version'" --quick none

echo "$failures failed"
[ $failures -eq 0 ]
