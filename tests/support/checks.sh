# SPDX-License-Identifier: MIT
# Helpers for tests of the command, to be sourced by a test whose first argument is the command. Sets
# $plybase, goes to a new empty folder, and counts checks and failures.
# shellcheck shell=bash
set -u
plybase=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0 checks=0

fail() {
    failures=$((failures + 1))
    echo "FAILED: $*"
}

# expect STATUS PATTERN COMMAND...: the exit status, and an extended regular expression that the
# output matches (stdout and stderr).
expect() {
    local status=$1 pattern=$2 got
    shift 2
    output=$("$@" 2>&1 </dev/null; echo "=$?") # `refuse` and `also` read it
    got=${output##*=} output=${output%=*}
    checks=$((checks + 1))
    if [ "$got" -ne "$status" ] || ! grep -qE -- "$pattern" <<<"${output%$'\n'}"; then
        fail "$*"
        echo "  expected status $status and /$pattern/"
        echo "  got status $got and:"
        sed 's/^/    /' <<<"$output"
    fi
}

# also PATTERN: the output of the last `expect` or `refuse` matches this, too.
also() {
    checks=$((checks + 1))
    grep -qE -- "$1" <<<"$output" || fail "no /$1/ in: $output"
}

# refuse STATUS PATTERN COMMAND...: as expect; the output must be one line.
refuse() {
    expect "$@"
    local ends=${output//[!$'\n']/}
    if [ ${#ends} -ne 1 ]; then
        fail "${*:3}"
        echo "  ${#ends} lines instead of one sentence"
    fi
}

# The last command of a test.
conclude() {
    echo "$checks checks, $failures failed"
    [ $failures -eq 0 ]
}
