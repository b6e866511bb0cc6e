#!/usr/bin/env bash
# Drives the built program with a real browser; makes its own Python environment on first use.
#   scripts/browser.sh [pytest's options]
#   scripts/browser.sh --setup-only    only makes the environment, and fetches a browser where the system has none
set -euo pipefail
cd "$(dirname "$0")/.."
venv=.venv-browser

if ! cmp -s Tests/Browser/requirements.txt "$venv/wanted"; then
    echo "setup: making $venv with the Python programs that drive the browser"
    python3 -m venv --clear "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check --timeout 60 --retries 10 -r Tests/Browser/requirements.txt
    cp Tests/Browser/requirements.txt "$venv/wanted"
fi
for browser in "${LINNET_CHROMIUM:-}" /usr/bin/chromium; do
    if [ -x "$browser" ]; then export LINNET_CHROMIUM=$browser; break; fi
done
if [ -z "${LINNET_CHROMIUM:-}" ] && ! [ -e "$venv/chromium" ]; then
    echo "setup: fetching Chromium with Playwright"
    "$venv/bin/playwright" install --with-deps chromium
    touch "$venv/chromium"
fi
[ "${1:-}" != --setup-only ] || exit 0
# The one without windows takes a third of the time; what needs the whole browser starts that itself.
shell=/usr/bin/chromium-headless-shell
if [ -z "${LINNET_CHROMIUM_SHELL:-}" ] && [ -x "$shell" ]; then export LINNET_CHROMIUM_SHELL=$shell; fi

export LINNET_BIN="${LINNET_BIN:-${LINNET_BUILD:-$PWD/.build}/debug/linnet}"
[ -x "$LINNET_BIN" ] || { echo "browser.sh: $LINNET_BIN is not built; run make test" >&2; exit 1; }
# Tests mostly wait for pages: several files at once, each with programs of its own, use the time of two processors. In
# which order says conftest.py. It also ends a process whose test has hung: one is replaced, with a second that is all.
report="${LINNET_BUILD:-$PWD/.build}/browser.xml"
rm -f "$report"
status=0
"$venv/bin/pytest" -q -n "${LINNET_BROWSER_WORKERS:-3}" --max-worker-restart 1 --dist loadfile --no-loadscope-reorder \
    --junitxml "$report" Tests/Browser "$@" || status=$?
[ "$status" = 1 ] && [ $# = 0 ] || exit "$status"
# Their whole files, one after the other: a test may need what those before it have done.
files=$(python3 scripts/once_more.py files "$report") || exit 1
echo "browser: once more, by themselves: $files"
again="${report%.xml}-again.xml"
rm -f "$again"
"$venv/bin/pytest" -q --junitxml "$again" $files || echo "browser: something failed in the second run"
exec python3 scripts/once_more.py judge "$report" "$again"
