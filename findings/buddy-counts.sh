#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# BuDDy, a library of binary decision diagrams: a full node table counts as "false", and ln is log2.
#
# Version: the packages libbdd-dev and libbdd0c2 2.4+dfsg-1 of Debian 12.
# Behaviour: positions of a game can be counted as the satisfying assignments of a decision diagram.
# 1. bdd_setmaxnodenum limits the nodes. Diagrams are ints, and errors are negative ints. But an operation
#    that finds no room for a node does not return the error BDD_NODENUM (-17): it returns 0, which is the
#    diagram "false". Only the error handler is told. The default one ends the program; with
#    bdd_error_hook(NULL), or with a handler that returns, the program goes on and counts 0 positions.
# 2. bdd_satcountln, for counts that are too large for a double, is the logarithm to the base 2, and
#    that of no assignment is -1, as if it were half an assignment.
# Output of this script:
#   libbdd0c2 2.4+dfsg-1
#   seen: the diagram has 1096024843375 satisfying assignments if there are enough nodes
#   seen: with at most 2000 nodes it is 0, "false", and no result was negative
#   seen: a handler was called with BDD_NODENUM, and the result after its return is 0, too
#   seen: bdd_satcountln of 2^39 assignments is 39, that of none is -1
#
# Downloads the packages into a temporary folder and installs nothing; needs gcc. Exit status 1: the
# behaviour differs, or a package cannot be downloaded.
#   findings/buddy-counts.sh
set -euo pipefail
case ${1:-} in
    -h | --help) sed -n '3,/^[^#]/s/^# \?//p' "$0" && exit ;;
    ?*) echo "findings/buddy-counts.sh: unknown argument $1; see --help" >&2 && exit 2 ;;
esac
version=2.4+dfsg-1
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cd "$folder"
apt-get -q download "libbdd-dev=$version" "libbdd0c2=$version" >/dev/null 2>&1 ||
    { echo "libbdd-dev $version cannot be downloaded" >&2; exit 1; }
for package in *.deb; do dpkg-deb -x "$package" .; done
cat >try.c <<'EOF'
#include <bdd.h>
#include <stdio.h>

enum { PAIRS = 20 };

static int last_error, negative;

static void remember(int error) { last_error = error; }

static BDD keep(BDD f) {
    negative |= f < 0;
    return f < 0 ? f : bdd_addref(f);
}

/* "At least one pair (i, i + 20) has both": needs about 2^21 nodes in this order of variables. */
static void count(const char *name, int limit, bddinthandler handler) {
    bdd_init(1000, 100);
    bdd_gbc_hook(NULL);
    bdd_setvarnum(2 * PAIRS);
    bdd_setmaxincrease(1000000);
    bdd_setmaxnodenum(limit);
    bdd_error_hook(handler);
    last_error = negative = 0;
    BDD any = bddfalse;
    for (int i = 0; i < PAIRS; i++) {
        BDD both = keep(bdd_apply(bdd_ithvar(i), bdd_ithvar(i + PAIRS), bddop_and));
        BDD next = keep(bdd_apply(any, both, bddop_or));
        bdd_delref(both), bdd_delref(any);
        any = next;
    }
    printf("%s diagram %s count %.0f %s error %s\n", name, any == bddfalse ? "false" : "other",
           bdd_satcount(any), negative ? "negative" : "none negative",
           last_error == BDD_NODENUM ? "BDD_NODENUM" : "none");
    printf("%s ln %g %g\n", name, bdd_satcountln(bdd_ithvar(0)), bdd_satcountln(bddfalse));
    bdd_done();
}

int main(void) {
    count("unlimited", 0, remember);
    count("limited", 2000, NULL);
    count("handled", 2000, remember);
}
EOF
libraries=usr/lib/x86_64-linux-gnu:usr/lib
gcc -O1 -w -Iusr/include try.c -L"${libraries%:*}" -L"${libraries#*:}" -lbdd -lm -o try
said=$(LD_LIBRARY_PATH=$libraries ./try)

failures=0
# seen TEXT LINE: prints whether the program printed this line.
seen() {
    if grep -qxF "$2" <<<"$said"; then echo "seen: $1"; else echo "NOT SEEN: $1" && failures=1; fi
}
echo "libbdd0c2 $version"
seen "the diagram has 1096024843375 satisfying assignments if there are enough nodes" \
    "unlimited diagram other count 1096024843375 none negative error none"
seen "with at most 2000 nodes it is 0, \"false\", and no result was negative" \
    "limited diagram false count 0 none negative error none"
seen "a handler was called with BDD_NODENUM, and the result after its return is 0, too" \
    "handled diagram false count 0 none negative error BDD_NODENUM"
seen "bdd_satcountln of 2^39 assignments is 39, that of none is -1" "unlimited ln 39 -1"
exit $failures
