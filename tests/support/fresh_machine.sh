#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# On a machine that has git and nothing else of what the project needs, as root: the README's two
# commands work from a path with a space. An ordinary user is told what to have installed, and can
# work once it is. It adds a user and installs packages: only for a system that is thrown away.
#   fresh_machine.sh REPOSITORY
set -euo pipefail
repository=$(realpath "$1")
user=ann
folder="my projects/ply base"

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
what_was_told_works() { bash -c "$told" </dev/null >/dev/null; }

useradd --create-home --shell /bin/bash $user
for home in "$HOME" /home/$user; do
    mkdir -p "$home/${folder%/*}"
    git clone --quiet "$repository" "$home/$folder"
done
chown -R $user: "/home/$user/${folder%%/*}"

cd "$HOME/$folder"
step "a user without packages is told which" user_is_told
step "tools/quickstart as root" tools/quickstart
step "what it built can be installed" cmake --install build --prefix "$HOME/installed"
step "tools/test --brief as root" tools/test --brief
step "the line that the user was told" what_was_told_works
step "tools/quickstart as a user" as_user tools/quickstart
echo "A fresh machine works: $SECONDS s."
