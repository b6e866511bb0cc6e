#!/usr/bin/env bash
# Fetches the official test vectors from their public repositories into ../shared/vectors (or LINNET_VECTORS).
set -euo pipefail
cd "$(dirname "$0")/.."
into=${LINNET_VECTORS:-../shared/vectors}
raw() { # repository commit path
    curl -fsSL "https://raw.githubusercontent.com/$1/$2/$3"
}
keep() { # target, content from standard input; whole or not at all
    mkdir -p "$into/$(dirname "$1")"
    cat >"$into/$1.part"
    [ -s "$into/$1.part" ] || { rm -f "$into/$1.part"; echo "nothing came for $1" >&2; return 1; }
    mv "$into/$1.part" "$into/$1"
}
get() { # repository commit path target: copied byte for byte
    [ -s "$into/$4" ] && { echo "have $4"; return; }
    echo "fetching $4"
    raw "$1" "$2" "$3" | keep "$4"
}
get bitcoin/bips 7fe0b034ec967b52a5a28276419117326df93263 bip-0340/test-vectors.csv bitcoin/bip340-test-vectors.csv
get trezor/python-mnemonic b57a5ad77a981e743f4167ab2f7927a55c1e82a8 vectors.json bitcoin/bip39-trezor-vectors.json
get paulmillr/nip44 671a1f04bcfacaf125b0db68adc45bc9ce0e763b nip44.vectors.json nostr/nip44.vectors.json

# The MLS working group's, with the text that says what is in them.
mls=cfd450286d1bfd9cd2519b95c80f9771f94a5b1a
get mlswg/mls-implementations "$mls" test-vectors.md mls/FORMAT.md
for name in crypto-basics deserialization key-schedule message-protection messages passive-client-handling-commit \
    passive-client-welcome psk_secret secret-tree transcript-hashes tree-math tree-operations tree-validation treekem welcome
do
    get mlswg/mls-implementations "$mls" "test-vectors/$name.json" "mls/$name.json"
done

get C2SP/wycheproof dac1dd4729fd1f8dd9e1e9f3dce51d783da6c166 testvectors_v1/xchacha20_poly1305_test.json wycheproof/xchacha20_poly1305_test.json

# The examples of NIP-06 stand in its text, one "name: value" a line, a rule between them; they become JSON.
if [ -s "$into/nostr/nip06-examples.json" ]; then
    echo "have nostr/nip06-examples.json"
else
    echo "extracting nostr/nip06-examples.json"
    raw nostr-protocol/nips db5fe3de8c5d1443b634c9bbf66ecb004f337057 06.md | python3 -c '
import json, re, sys
names = {"mnemonic": "mnemonic", "private key (hex)": "private_key", "nsec": "nsec", "public key (hex)": "public_key",
         "npub": "npub"}
examples = [{}]
for line in sys.stdin.read().split("### Test vectors")[1].splitlines():
    if line.startswith("---"):
        examples.append({})
    found = re.match(r"([a-z() ]+): (.+?)\\?$", line)
    if found and found[1] in names:
        examples[-1][names[found[1]]] = found[2]
for example in examples:
    example["path"] = "m/44\u0027/1237\u0027/0\u0027/0/0"
print(json.dumps(examples, indent=1))' | keep nostr/nip06-examples.json
fi
