#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Fairy-Stockfish of Debian 12 does not know Connect-4, and plays chess without a message.
#
# Version: the package fairy-stockfish 11.1-1+b1.
# Behaviour: `cfour` is not in its list of variants. After `setoption name UCI_Variant value cfour` it
# prints nothing and sets up the board of chess, and `go` answers with a move of chess. So a program
# that compares values must first look for `var cfour` in the answer to `uci`.
# Output of this script:
#   fairy-stockfish 11.1-1+b1
#   seen: cfour is not among its variants
#   seen: nothing is printed when it is chosen
#   seen: the board and the move are those of chess
#
# Downloads the package into a temporary folder and installs nothing. Exit status 1: the behaviour
# differs, or the package cannot be downloaded.
#   findings/fairy-stockfish-cfour.sh
set -euo pipefail
case ${1:-} in
    -h | --help) sed -n '3,/^[^#]/s/^# \?//p' "$0" && exit ;;
    ?*) echo "findings/fairy-stockfish-cfour.sh: unknown argument $1; see --help" >&2 && exit 2 ;;
esac
version=11.1-1+b1
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cd "$folder"
apt-get -q download "fairy-stockfish=$version" >/dev/null 2>&1 ||
    { echo "fairy-stockfish $version cannot be downloaded" >&2; exit 1; }
dpkg-deb -x fairy-stockfish_*.deb .
said=$(printf 'uci\nsetoption name UCI_Variant value cfour\nisready\nposition startpos\nd\ngo depth 1\nquit\n' |
    usr/games/fairy-stockfish)

failures=0
# seen TEXT COMMAND...: prints whether the command succeeds.
seen() {
    if "${@:2}"; then echo "seen: $1"; else echo "NOT SEEN: $1" && failures=1; fi
}
offers_none() { grep -q 'UCI_Variant' <<<"$said" && ! grep -q 'UCI_Variant.* var cfour' <<<"$said"; }
says_nothing() { [ -z "$(sed -n '/^uciok/,/^readyok/p' <<<"$said" | sed '1d;$d')" ]; }
plays_chess() { grep -q 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR' <<<"$said" && grep -qE '^bestmove [a-h][1-8][a-h][1-8]' <<<"$said"; }
echo "fairy-stockfish $version"
seen "cfour is not among its variants" offers_none
seen "nothing is printed when it is chosen" says_nothing
seen "the board and the move are those of chess" plays_chess
exit $failures
