#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The LMDB of the npm package lmdb calls itself 0.9, but its files are not LMDB files for Debian's 0.9.
#
# Versions: npm lmdb 3.5.6; lmdb-utils and liblmdb0 0.9.24-1 of Debian 12.
# Behaviour: LMDB 0.9 has data format 1, and one expects that any LMDB 0.9 reads the files of another. The
# package lmdb, the usual one for Node.js, has a development version that reports 0.9.90: its format is 2,
# and a page header has eight bytes more. So Debian's LMDB does not find the magic number at byte 16, and
# says that the file is not an LMDB file, instead of MDB_VERSION_MISMATCH. The package as it is on npm does not
# read files of format 1 either, thus no tables. node-lmdb 0.10.1 reads them, if keys are Buffers; its
# ready-made program needs glibc 2.38, which is newer than Debian 12, so npm compiles it there.
# Output of this script:
#   seen: the LMDB of npm lmdb reports the version 0.9.90
#   seen: its file has the magic number at byte 24, and the format 2
#   seen: a file of Debian's mdb_load has the magic number at byte 16, and the format 1
#   seen: Debian's mdb_stat says of the file of npm that it is not an LMDB file
#
# Downloads the packages into a temporary folder and installs nothing; needs node and npm. Exit status
# 1: the behaviour differs, or a package cannot be downloaded.
#   findings/lmdb-npm-format.sh
set -euo pipefail
case ${1:-} in
    -h | --help) sed -n '3,/^[^#]/s/^# \?//p' "$0" && exit ;;
    ?*) echo "findings/lmdb-npm-format.sh: unknown argument $1; see --help" >&2 && exit 2 ;;
esac
version=0.9.24-1
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cd "$folder"
apt-get -q download "lmdb-utils=$version" "liblmdb0=$version" >/dev/null 2>&1 ||
    { echo "lmdb-utils $version cannot be downloaded" >&2; exit 1; }
for package in *.deb; do dpkg-deb -x "$package" .; done
echo '{"private": true}' >package.json
npm install --ignore-scripts --no-audit --no-fund lmdb@3.5.6 >npm.log 2>&1 ||
    { echo "npm cannot install lmdb 3.5.6" >&2; exit 1; }
cat >write.js <<'EOF'
const { open, version } = require('lmdb');
const database = open({ path: 'npm.mdb', noSubdir: true });
database.putSync('ply', 17);
database.close().then(() => console.log(version));
EOF
node write.js >version.txt

libraries=usr/lib/x86_64-linux-gnu
printf 'ply\n17\n' | LD_LIBRARY_PATH=$libraries usr/bin/mdb_load -n -T debian.mdb
LD_LIBRARY_PATH=$libraries usr/bin/mdb_stat -n debian.mdb >debian.txt
LD_LIBRARY_PATH=$libraries usr/bin/mdb_stat -n npm.mdb >npm.txt 2>&1 || true

failures=0
# seen TEXT COMMAND...: prints whether the command succeeds.
seen() {
    if "${@:2}"; then echo "seen: $1"; else echo "NOT SEEN: $1" && failures=1; fi
}
# begins FILE OFFSET FORMAT: are the magic number and this format at this byte of the file?
begins() { [ "$(od -An -tx4 -j "$2" -N 8 "$1")" = " beefc0de 0000000$3" ]; }
refused() { grep -q 'Entries: 1' debian.txt && grep -q 'not an LMDB file' npm.txt; }
seen "the LMDB of npm lmdb reports the version 0.9.90" grep -q 'LMDB 0\.9\.90' version.txt
seen "its file has the magic number at byte 24, and the format 2" begins npm.mdb 24 2
seen "a file of Debian's mdb_load has the magic number at byte 16, and the format 1" begins debian.mdb 16 1
seen "Debian's mdb_stat says of the file of npm that it is not an LMDB file" refused
exit $failures
