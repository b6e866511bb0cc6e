#!/usr/bin/env bash
# Attacks the built program while honest clients measure it; options go to Tests/Load/load.py.
set -euo pipefail
cd "$(dirname "$0")/.."
# Every address in 127/8 is this machine's, and /proc says what a program costs.
if [ "$(uname -s)" != Linux ]; then
    echo "load.sh: skipped: attacks from many addresses are made on Linux only" >&2
    exit 0
fi
scripts/peers.sh
# The short form is one of the tests, and meets what they were built with.
kind=release
for option in "$@"; do if [ "$option" = --short ]; then kind=debug; fi; done
export LINNET_BIN="${LINNET_BIN:-${LINNET_BUILD:-$PWD/.build}/$kind/linnet}"
[ -x "$LINNET_BIN" ] || { echo "load.sh: $LINNET_BIN is not built; run make build, or make test for the short form" >&2; exit 1; }
# Thousands of sockets, and of those of the attackers' too.
ulimit -n "$(ulimit -Hn)"
exec .venv-peers/bin/python Tests/Load/load.py "$@"
