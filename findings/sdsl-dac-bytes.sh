#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The packed integers of SDSL, dac_vector, come back wrong from 2^31 on if they are cut into bytes.
#
# Version: the packages libsdsl-dev and libsdsl3 2.1.1+dfsg-3 of Debian 12.
# Behaviour: dac_vector<B> stores integers of 64 bits as pieces of B bits, so that small ones, such as
# counts or offsets, take little room. Any B below 64 compiles. But with B = 8, 16 or 32 the pieces are
# read as a C integer of 32 bits and shifted in that type: a value with bit 31 comes back with all higher
# bits set, and values from 2^32 on are wrong, too. Nothing is reported. We tried every B from 1 to 63:
# the other 60 were right, also the default of 4. Bytes are the natural choice, and the wrong one.
# Output of this script:
#   libsdsl-dev 2.1.1+dfsg-3
#   seen: with 8 bits, 2147483647 comes back as it was
#   seen: with 8 bits, 2147483648 comes back as 18446744071562067968
#   seen: with 16 bits, 2147483648 comes back as 18446744071562067968
#   seen: with 8, 16 and 32 bits, 4531985219092 comes back wrong
#   seen: with 4, 7 and 9 bits, all three come back as they were
#
# Downloads the packages into a temporary folder and installs nothing; needs g++. Exit status 1: the
# behaviour differs, or a package cannot be downloaded.
#   findings/sdsl-dac-bytes.sh
set -euo pipefail
case ${1:-} in
    -h | --help) sed -n '3,/^[^#]/s/^# \?//p' "$0" && exit ;;
    ?*) echo "findings/sdsl-dac-bytes.sh: unknown argument $1; see --help" >&2 && exit 2 ;;
esac
version=2.1.1+dfsg-3
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cd "$folder"
apt-get -q download "libsdsl-dev=$version" "libsdsl3=$version" >/dev/null 2>&1 ||
    { echo "libsdsl-dev $version cannot be downloaded" >&2; exit 1; }
for package in *.deb; do dpkg-deb -x "$package" .; done
cat >try.cpp <<'EOF'
#include <cstdio>
#include <sdsl/vectors.hpp>

// Prints the bits of a piece, and each value that was stored with the one that is read.
template <uint8_t bits>
void store() {
    const uint64_t values[] = {2147483647, 2147483648, 4531985219092};
    sdsl::int_vector<64> plain(3);
    for (int i = 0; i < 3; i++) plain[i] = values[i];
    sdsl::dac_vector<bits> packed(plain);
    for (int i = 0; i < 3; i++)
        std::printf("%d %lu %lu%s\n", bits, values[i], (uint64_t)packed[i],
                    packed[i] == values[i] ? "" : " wrong");
}

int main() {
    store<4>(), store<7>(), store<8>(), store<9>(), store<16>(), store<32>();
}
EOF
libraries=usr/lib/x86_64-linux-gnu
g++ -std=c++14 -O1 -w -Iusr/include try.cpp -L$libraries -lsdsl -o try
said=$(LD_LIBRARY_PATH=$libraries ./try)

failures=0
# seen TEXT PATTERN...: prints whether the program printed a line for each of the patterns.
seen() {
    local pattern
    for pattern in "${@:2}"; do
        grep -qxE "$pattern" <<<"$said" || { echo "NOT SEEN: $1" && failures=1 && return; }
    done
    echo "seen: $1"
}
right() { printf '%s\n' "$1 2147483647 2147483647" "$1 2147483648 2147483648" "$1 4531985219092 4531985219092"; }
mapfile -t others < <(right 4 && right 7 && right 9)
echo "libsdsl-dev $version"
seen "with 8 bits, 2147483647 comes back as it was" "8 2147483647 2147483647"
seen "with 8 bits, 2147483648 comes back as 18446744071562067968" "8 2147483648 18446744071562067968 wrong"
seen "with 16 bits, 2147483648 comes back as 18446744071562067968" "16 2147483648 18446744071562067968 wrong"
seen "with 8, 16 and 32 bits, 4531985219092 comes back wrong" {8,16,32}" 4531985219092 [0-9]+ wrong"
seen "with 4, 7 and 9 bits, all three come back as they were" "${others[@]}"
exit $failures
