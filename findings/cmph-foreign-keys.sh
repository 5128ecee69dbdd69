#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A perfect hash function of CMPH numbers a foreign key beyond its table, also if it is "minimal".
#
# Version: the packages libcmph-dev and libcmph0 2.0.2-2 of Debian 12.
# Behaviour: a minimal perfect hash function maps n keys, such as the stored positions of a game, to the
# numbers 0 to n - 1. A foreign key gets a number as well. One expects it below n: the record at this
# place then tells whether the key is the right one. So it is with CHM and FCH. But with BMZ one foreign
# key in ten gets n or more, up to 4,294,967,295; with CHD and BDZ some get n itself. The header does not
# say so. Compare the answer with cmph_size() before using it as an index.
# Output of this script, for the functions of 256 and of 1000 keys, and 100000 foreign keys:
#   libcmph0 2.0.2-2
#   seen: all functions map their own keys to 0 to n - 1, each number once
#   seen: BMZ, 1000 keys: over 10000 foreign keys get n or more, some over four billion
#   seen: CHD, 1000 keys: some foreign keys get 1000, none gets more
#   seen: BDZ, 256 keys: some foreign keys get 256, none gets more
#   seen: CHM and FCH: all foreign keys get less than n
#
# Downloads the packages into a temporary folder and installs nothing; needs gcc. Exit status 1: the
# behaviour differs, or a package cannot be downloaded.
#   findings/cmph-foreign-keys.sh
set -euo pipefail
case ${1:-} in
    -h | --help) sed -n '3,/^[^#]/s/^# \?//p' "$0" && exit ;;
    ?*) echo "findings/cmph-foreign-keys.sh: unknown argument $1; see --help" >&2 && exit 2 ;;
esac
version=2.0.2-2
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cd "$folder"
apt-get -q download "libcmph-dev=$version" "libcmph0=$version" >/dev/null 2>&1 ||
    { echo "libcmph-dev $version cannot be downloaded" >&2; exit 1; }
for package in *.deb; do dpkg-deb -x "$package" .; done
cat >try.c <<'EOF'
#include <cmph.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { FOREIGN = 100000 };

static uint64_t state;

/* A random key of 8 bytes; a key does not come again for a long time (splitmix64). */
static uint64_t next_key(void) {
    uint64_t x = state += 0x9E3779B97F4A7C15;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
}

/* Prints: name, keys, whether its own keys are mapped one to one, foreign keys that get the number of
 * keys or more, and the highest number of a foreign key. */
static void compare(CMPH_ALGO algorithm, unsigned count) {
    static uint64_t keys[1000];
    static char used[1000];
    state = 1;
    srand(1);
    for (unsigned i = 0; i < count; i++) keys[i] = next_key(), used[i] = 0;
    cmph_io_adapter_t *source = cmph_io_struct_vector_adapter(keys, 8, 0, 8, count);
    cmph_config_t *config = cmph_config_new(source);
    cmph_config_set_algo(config, algorithm);
    cmph_t *function = cmph_new(config);
    int minimal = function && cmph_size(function) == count;
    for (unsigned i = 0; minimal && i < count; i++) {
        unsigned number = cmph_search(function, (const char *)&keys[i], 8);
        minimal = number < count && !used[number]++;
    }
    unsigned beyond = 0, highest = 0;
    for (unsigned i = 0; minimal && i < FOREIGN; i++) {
        uint64_t key = next_key();
        unsigned number = cmph_search(function, (const char *)&key, 8);
        beyond += number >= count;
        highest = number > highest ? number : highest;
    }
    printf("%s %u %s %u %u\n", cmph_names[algorithm], count, minimal ? "minimal" : "fails", beyond, highest);
}

int main(void) {
    compare(CMPH_BMZ, 1000);
    compare(CMPH_CHD, 1000);
    compare(CMPH_BDZ, 256);
    compare(CMPH_CHM, 1000);
    compare(CMPH_FCH, 1000);
}
EOF
libraries=usr/lib/x86_64-linux-gnu
gcc -O1 -w -Iusr/include try.c -L$libraries -lcmph -o try
said=$(LD_LIBRARY_PATH=$libraries ./try)

failures=0
# seen TEXT CONDITION: prints whether the condition, in the words of awk, holds for all lines.
seen() {
    if awk "{ name = \$1; n = \$2; kind = \$3; beyond = \$4; highest = \$5 } !($2) { exit 1 }" <<<"$said"; then
        echo "seen: $1"
    else
        echo "NOT SEEN: $1" && failures=1
    fi
}
echo "libcmph0 $version"
seen "all functions map their own keys to 0 to n - 1, each number once" 'kind == "minimal"'
seen "BMZ, 1000 keys: over 10000 foreign keys get n or more, some over four billion" \
    'name != "bmz" || beyond > 10000 && highest > 4e9'
seen "CHD, 1000 keys: some foreign keys get 1000, none gets more" 'name != "chd" || beyond > 0 && highest == n'
seen "BDZ, 256 keys: some foreign keys get 256, none gets more" 'name != "bdz" || beyond > 0 && highest == n'
seen "CHM and FCH: all foreign keys get less than n" 'name != "chm" && name != "fch" || beyond == 0 && highest < n'
exit $failures
