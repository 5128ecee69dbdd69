#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every script answers --help immediately, and refuses an unknown option in a sentence that
# names it, before it installs, builds or runs anything: test_scripts.sh SOURCE
set -uo pipefail
cd "$1" || exit 1
failures=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# Commands that must not be called.
for tool in apt-get dpkg-query sudo cmake ctest cppcheck clang-14 unshare mmdebstrap; do
    printf '#!/bin/sh\necho "%s $*" >>"%s/called"\nexit 1\n' $tool "$work" >"$work/$tool"
    chmod +x "$work/$tool"
done

scripts=0
for script in $(find tools .ci findings -type f -perm -u+x | sort); do
    scripts=$((scripts + 1))
    PATH="$work:$PATH" timeout 10 "$script" --help >"$work/output" 2>"$work/errors" </dev/null ||
        fail "$script --help: exit status $?"
    grep -q "$script" "$work/output" || fail "$script --help does not say how to call it"
    [ ! -s "$work/errors" ] || fail "$script --help: $(cat "$work/errors")"
    PATH="$work:$PATH" timeout 10 "$script" --no-such-option >"$work/output" 2>&1 </dev/null
    status=$?
    [ $status -eq 2 ] || fail "$script --no-such-option: exit status $status"
    tail -n 1 "$work/output" | grep -qE -- "--no-such-option|are required" || fail "$script: $(cat "$work/output")"
    [ ! -e "$work/called" ] || fail "$script called $(cat "$work/called")"
    rm -f "$work/called"
done
[ $scripts -ge 15 ] || fail "there are $scripts scripts"
echo "$scripts scripts, $failures failed"
[ $failures -eq 0 ]
