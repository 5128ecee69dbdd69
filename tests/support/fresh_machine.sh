#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Run as root on a machine that has git but none of the packages of the project. Checks that an
# ordinary user is told which packages to install, and can then build and solve; and that root can
# install the packages of the tests, and the short ones pass; from a path with a space. Adds a user
# and installs packages: only for a disposable system.
#   fresh_machine.sh REPOSITORY
set -euo pipefail
repository=$(realpath "$1")
user=ann
folder="/home/$user/my projects/ply base"

fail() {
    echo "FAILED: $*"
    exit 1
}

# step WHAT COMMAND...
step() {
    local began=$SECONDS
    echo "==== $1"
    "${@:2}" || fail "$1"
    echo "==== $1: $((SECONDS - began)) s"
}

as_user() { runuser --login $user --command "cd '$folder' && $*"; }

user_is_told() {
    local words
    if words=$(as_user tools/quickstart 2>&1); then fail "nothing was missing: $words"; fi
    told=$(grep -E '^ +apt-get update && apt-get install .*gcc' <<<"$words") || fail "$words"
    echo "$told"
}
run_told_line() { DEBIAN_FRONTEND=noninteractive bash -c "${told/ install / install -y }" >/dev/null; }

useradd --create-home --shell /bin/bash $user
mkdir -p "${folder%/*}"
git clone --quiet "$repository" "$folder"
chown -R $user: "${folder%/*}"
cd "$folder"
step "a user without packages is told which" user_is_told
step "the line that the user was told" run_told_line
step "tools/quickstart as a user" as_user tools/quickstart
step "what it built can be installed" cmake --install build --prefix "$HOME/installed"
chown -R root: "${folder%/*}"
step "tools/test -L short as root" tools/test -L short
echo "A fresh machine works: $SECONDS s."
