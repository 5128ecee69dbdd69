#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The Debian package says what it needs and puts everything below /usr. Installs nothing.
#   test_deb.sh BUILD_FOLDER
set -euo pipefail
command -v dpkg-shlibdeps >/dev/null || { echo "no Debian tools: skipped"; exit 77; }
build=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Everything is built; CPack believes a Makefile tree is not, and would build it again.
cpack --config "$build/CPackConfig.cmake" -G DEB -B "$work" -D CPACK_CMAKE_GENERATOR=Ninja >log 2>&1 ||
    { cat log; exit 1; }
deb=$(echo plybase_*.deb)
failures=0

# expect PATTERN COMMAND...: a line of the output is like that.
expect() {
    "${@:2}" | grep -E -- "$1" >/dev/null && return
    echo "FAILED: no /$1/ in: ${*:2}"
    failures=$((failures + 1))
}
expect '^plybase$' dpkg-deb --field "$deb" Package
for library in libc6 libgomp1 libjansson4 liblmdb0 liblz4-1 libxxhash0 libzstd1; do
    expect "(^|, )$library( |,|$)" dpkg-deb --field "$deb" Depends
done
for file in bin/plybase include/plybase.h 'lib/.*libplybase.so.0' share/man/man1/plybase.1 \
    share/doc/plybase/copyright; do
    expect " \./usr/$file" dpkg-deb --contents "$deb"
done
expect 'ldconfig' dpkg-deb --info "$deb" postinst
if dpkg-deb --contents "$deb" | awk '{ print $6 }' | grep -vE '^\./(usr/.*)?$'; then
    echo "FAILED: these files are not below /usr"
    failures=$((failures + 1))
fi

echo "$failures failed"
[ $failures -eq 0 ]
