#!/usr/bin/env bash
# Makes .venv-peers with Nostr programs that are not ours, for Tests/Interop; does nothing when it is there.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=.venv-peers
wanted="nostr-sdk==0.45.1 nostr-relay==1.14 monstr==0.1.9"
if [ "$(cat "$venv/wanted" 2>/dev/null)" = "$wanted" ]; then exit 0; fi
python3 -m venv --clear "$venv"
# shellcheck disable=SC2086 # several words on purpose
"$venv/bin/pip" install --quiet --disable-pip-version-check $wanted
"$venv/bin/python" -c 'import nostr_sdk, nostr_relay, monstr.signing.nip46'
echo "$wanted" >"$venv/wanted"
