#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The compressed bit vector of SDSL, rrr_vector, answers wrongly in a debug build if its blocks are long.
#
# Version: the packages libsdsl-dev and libsdsl3 2.1.1+dfsg-3 of Debian 12, with g++ 12.
# Behaviour: rrr_vector stores a bit vector, such as a plane of a table, with rank and select. Its first
# template parameter is the number of bits of a block; the header accepts 3 to 256, and longer blocks
# compress better. From 197 on, [] and rank are wrong without an error in a program that is compiled
# without -O, and right with -O2. A block is stored as a number below C(bits, ones), and from C(197, 98)
# on these can need more than 192 bits. To read them, the header shifts a number of 64 bits by 64, which
# C++ leaves undefined (operator>> in sdsl/uint128_t.hpp). We tried all lengths from 4 to 255: those up to
# 196 were right. With -O1 a program with one or two lengths was right, one with all lengths was wrong
# from 197 on. So keep to 196 bits.
# Output of this script, for 5000 random bits:
#   libsdsl-dev 2.1.1+dfsg-3
#   seen: blocks of 63 and 196 bits are right without -O
#   seen: blocks of 200 and 255 bits are wrong without -O, bits and ranks
#   seen: blocks of 255 bits are right without -O if one bit in 100 is 1
#   seen: all are right with -O2
#
# Downloads the packages into a temporary folder and installs nothing; needs g++. Exit status 1: the
# behaviour differs, or a package cannot be downloaded.
#   findings/sdsl-rrr-blocks.sh
set -euo pipefail
case ${1:-} in
    -h | --help) sed -n '3,/^[^#]/s/^# \?//p' "$0" && exit ;;
    ?*) echo "findings/sdsl-rrr-blocks.sh: unknown argument $1; see --help" >&2 && exit 2 ;;
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
#include <random>
#include <sdsl/bit_vectors.hpp>

// Prints the block size, the share of ones, and how many bits and ranks are wrong.
template <uint16_t block>
void compare(unsigned percent) {
    std::mt19937_64 random(block);
    sdsl::bit_vector plain(5000);
    for (size_t i = 0; i < plain.size(); i++) plain[i] = random() % 100 < percent;
    sdsl::rrr_vector<block> packed(plain);
    typename sdsl::rrr_vector<block>::rank_1_type rank(&packed);
    size_t ones = 0, bits = 0, ranks = 0;
    for (size_t i = 0; i < plain.size(); i++) {
        bits += packed[i] != plain[i];
        ranks += rank(i) != ones;
        ones += plain[i];
    }
    std::printf("%d %u%% %s %s\n", block, percent, bits ? "wrong" : "right", ranks ? "wrong" : "right");
}

int main() {
    compare<63>(50);
    compare<196>(50);
    compare<200>(50);
    compare<255>(50);
    compare<255>(1);
}
EOF
libraries=usr/lib/x86_64-linux-gnu
for level in 0 2; do
    g++ -std=c++14 -O$level -w -Iusr/include try.cpp -L$libraries -lsdsl -o try
    LD_LIBRARY_PATH=$libraries ./try >said.$level
done

failures=0
# seen TEXT FILE LINE...: prints whether the file has all these lines.
seen() {
    local line
    for line in "${@:3}"; do
        grep -qxF "$line" "$2" || { echo "NOT SEEN: $1" && failures=1 && return; }
    done
    echo "seen: $1"
}
echo "libsdsl-dev $version"
seen "blocks of 63 and 196 bits are right without -O" said.0 "63 50% right right" "196 50% right right"
seen "blocks of 200 and 255 bits are wrong without -O, bits and ranks" said.0 \
    "200 50% wrong wrong" "255 50% wrong wrong"
seen "blocks of 255 bits are right without -O if one bit in 100 is 1" said.0 "255 1% right right"
seen "all are right with -O2" said.2 {63,196,200,255}" 50% right right" "255 1% right right"
exit $failures
