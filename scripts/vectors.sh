#!/usr/bin/env bash
# Fetches the official test vectors from their public repositories into ../shared/vectors (or LINNET_VECTORS).
set -euo pipefail
cd "$(dirname "$0")/.."
into=${LINNET_VECTORS:-../shared/vectors}
get() { # repository commit path target
    mkdir -p "$into/$(dirname "$4")"
    [ -s "$into/$4" ] && { echo "have $4"; return; }
    echo "fetching $4"
    curl -fsSL -o "$into/$4" "https://raw.githubusercontent.com/$1/$2/$3"
}
get bitcoin/bips 7fe0b034ec967b52a5a28276419117326df93263 bip-0340/test-vectors.csv bitcoin/bip340-test-vectors.csv
get C2SP/wycheproof dac1dd4729fd1f8dd9e1e9f3dce51d783da6c166 testvectors_v1/xchacha20_poly1305_test.json wycheproof/xchacha20_poly1305_test.json
