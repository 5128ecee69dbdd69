#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The Debian package, built without the tests and from a path with a space: it has
# the maintainer, the dependencies and the folders of Debian. Installs nothing.
#   test_deb.sh SOURCE_FOLDER
set -euo pipefail
command -v dpkg-shlibdeps >/dev/null || { echo "no Debian tools: skipped"; exit 77; }
source=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0
fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# configure OPTION...: without optimization, which takes most of the time.
configure() {
    cmake -S "$source" -B "a build" -DBUILD_TESTING=OFF -DCMAKE_INSTALL_PREFIX=/usr \
        -DCMAKE_BUILD_TYPE=None "$@" >log 2>&1
}
package() { cpack --config "a build/CPackConfig.cmake" >log 2>&1; }
# refuses WORDS COMMAND...: the command must fail with these words.
refuses() {
    if "${@:2}"; then fail "this succeeded: ${*:2}"; fi
    grep -qF -- "$1" log || { cat log; fail "no '$1' in the words of: ${*:2}"; }
}

# ---- a maintainer is required ----
refuses "should be of the form" configure -DPLYBASE_MAINTAINER="Ann Example"
configure -DPLYBASE_MAINTAINER= || { cat log; exit 1; }
if cmake --build "a build" --target help | grep ' test_'; then fail "there are tests"; fi
cmake --build "a build" -j "$(nproc)" >log 2>&1 || { cat log; exit 1; }
refuses "-DPLYBASE_MAINTAINER" package

# ---- the package ----
configure -DPLYBASE_MAINTAINER="Ann Example <ann@example.org>" || { cat log; exit 1; }
package || { cat log; exit 1; }
deb=$(echo plybase_*.deb)
libraries=lib/$(cc -print-multiarch)

# expect PATTERN COMMAND...: a line of the output must match.
expect() {
    "${@:2}" | grep -E -- "$1" >/dev/null && return
    fail "no /$1/ in: ${*:2}"
}
expect '^plybase$' dpkg-deb --field "$deb" Package
expect '^Ann Example <ann@example.org>$' dpkg-deb --field "$deb" Maintainer
for library in libc6 libjansson4 liblmdb0 liblz4-1 libzstd1; do
    expect "(^|, )$library( |,|$)" dpkg-deb --field "$deb" Depends
done
expect '^libedit2$' dpkg-deb --field "$deb" Recommends
for file in bin/plybase include/plybase.h share/man/man1/plybase.1 share/doc/plybase/copyright \
    share/doc/plybase/copyright.xxhash \
    "$libraries/libplybase.so.1" "$libraries/pkgconfig/plybase.pc"; do
    expect " \./usr/$file" dpkg-deb --contents "$deb"
done
expect 'ldconfig' dpkg-deb --info "$deb" postinst
if dpkg-deb --contents "$deb" | awk '{ print $6 }' | grep -vE '^\./(usr/.*)?$'; then
    fail "these files are not below /usr"
fi

echo "$failures failed"
[ $failures -eq 0 ]
