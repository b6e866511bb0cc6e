#!/usr/bin/env bash
# Drives the built program with a real browser; makes its own Python environment on first use.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ ! -x .venv-browser/bin/pytest ]; then
    python3 -m venv .venv-browser
    .venv-browser/bin/pip install --quiet --disable-pip-version-check -r Tests/Browser/requirements.txt
fi

export LINNET_BIN="${LINNET_BIN:-$PWD/.build/debug/linnet}"
[ -x "$LINNET_BIN" ] || { echo "browser.sh: $LINNET_BIN is not built" >&2; exit 1; }
exec .venv-browser/bin/pytest -q Tests/Browser "$@"
