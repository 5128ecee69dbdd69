#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The image of tools/Containerfile serves a folder as the user nobody, with read-only access. Needs podman or
# buildah, or root to install buildah. If no registry can be reached, mmdebstrap makes the base image.
#   test_container.sh SOURCE_FOLDER COMMAND
set -euo pipefail
source=$(realpath "$1")
plybase=$(realpath "$2")
skip() {
    echo "SKIPPED: no image is built, as $*"
    exit 77
}

base=docker.io/library/debian:bookworm-slim
command -v podman buildah >/dev/null || "$source/tools/checks/packages" container || true
export BUILDAH_ISOLATION=${BUILDAH_ISOLATION:-chroot} # works in a container, too
if command -v podman >/dev/null; then tool=podman; else tool=buildah; fi
command -v $tool >/dev/null || skip "neither podman nor buildah can be installed"
work=$(mktemp -d)
image=localhost/plybase-test-$$ own_base='' container='' remove=rm
cleanup() {
    [ -z "$container" ] || $tool $remove "$container" >/dev/null || true
    $tool rmi "$image" $own_base >/dev/null 2>&1 || true
    rm -rf "$work"
}
trap cleanup EXIT
if ! timeout 300 $tool pull "$base" >"$work/log" 2>&1; then
    tail -n 1 "$work/log"
    mmdebstrap --quiet --variant=minbase bookworm "$work/base.tar" || skip "there is no base image, and no mmdebstrap"
    own_base=localhost/plybase-base-$$
    printf 'FROM scratch\nADD base.tar /\n' | $tool build -t $own_base -f - "$work" >/dev/null
    base=$own_base
fi

mkdir "$work/endgames"
chmod 755 "$work" "$work/endgames"
"$plybase" build connect-4x4-k4 -o "$work/endgames/connect-4x4-k4.plb" 2>/dev/null
$tool build --network host --build-arg BASE="$base" --build-arg BUILD_TYPE=None \
    -t "$image" -f "$source/tools/Containerfile" "$source" >"$work/log" 2>&1 ||
    { tail -n 40 "$work/log"; echo "FAILED: the image is not built"; exit 1; }

port=$((20000 + $$ % 20000))
if [ $tool = podman ]; then
    remove="rm -f"
    container=$(podman run -d -p "127.0.0.1:$port:8080" -v "$work/endgames:/tables:ro" "$image")
else # buildah does not run entry points
    container=$(buildah from "$image")
    buildah run -v "$work/endgames:/tables:ro" --network host "$container" -- \
        timeout 60 plybase serve --listen "127.0.0.1:$port" /tables >"$work/served" 2>&1 &
    buildah inspect --type image "$image" | grep -A 6 '"Entrypoint"' | grep -q /tables ||
        { echo "FAILED: the image starts nothing"; exit 1; }
fi
for _ in {1..100}; do
    if curl -s "http://127.0.0.1:$port/v1/tables/connect-4x4-k4/positions?moves=1" >"$work/answer"; then break; fi
    sleep 0.1
done
value=$("$plybase" probe "$work/endgames/connect-4x4-k4.plb" --moves 1 --json | grep -o '"value": *"[a-z]*"' | head -n 1 | tr -d ' ')
grep -qF "$value" "$work/answer" || { cat "$work"/{answer,served} || true; echo "FAILED: the answer is not $value"; exit 1; }
echo "built and asked with $tool: $value"
