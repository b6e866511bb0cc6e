#!/usr/bin/env bash
# Builds the documentation of every library into .build/docs, and fails where it is missing or untrue: what check_docs.py
# finds, a ``symbol link`` that leads nowhere, a library without a catalogue, an example that does not compile.
# Uses the debug build that `make test` made.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${LINNET_BUILD:-$PWD/.build}
out=$build/docs
work=$out/work
failed=0
fail() { echo "docs: $1" >&2; failed=1; }

# shellcheck disable=SC2086 # several words on purpose
bin=$(swift build ${LINNET_BUILD_FLAGS:-} --show-bin-path)
symbols=$(dirname "$bin")/symbolgraph
rm -rf "$out" "$symbols"
mkdir -p "$work"
if ! swift package ${LINNET_BUILD:+--scratch-path "$LINNET_BUILD"} dump-symbol-graph --skip-synthesized-members --emit-extension-block-symbols >"$work/log" 2>&1; then
    cat "$work/log"
    exit 1
fi
python3 scripts/check_docs.py "$symbols" || failed=1

# docc comes with the toolchain, beside swift.
docc=$(swiftc -print-target-info | sed -n 's|.*"runtimeResourcePath" *: *"\(.*\)/lib/swift".*|\1/bin/docc|p')
if [ ! -x "$docc" ]; then
    [ "${CI:-}" = true ] && failed=1
    echo "docs: this Swift toolchain has no docc, so the catalogues were not built"
    exit $failed
fi

# Package.swift lists the libraries in layer order, so each may link to all before it.
libraries=$(sed -n 's/.*\.library(name: "\([^"]*\)".*/\1/p' Package.swift)
archives=()
convert=("$docc" convert --enable-experimental-external-link-support --disable-parameters-and-returns-validation
    --ide-console-output)
for library in $libraries; do
    catalogue=Sources/$library/$library.docc
    [ -f "$catalogue/$library.md" ] || { fail "$library has no $catalogue/$library.md"; continue; }
    mkdir -p "$work/$library"
    for graph in "$symbols/$library".symbols.json "$symbols/$library"@*.symbols.json; do
        [ -f "$graph" ] && cp "$graph" "$work/$library/"
    done
    archive=$work/$library.doccarchive
    "${convert[@]}" "$catalogue" --additional-symbol-graph-dir "$work/$library" --output-path "$archive" \
        --fallback-display-name "$library" --fallback-bundle-identifier "linnet.$library" \
        >"$work/problems" 2>&1 || { cat "$work/problems"; fail "$library could not be built"; continue; }
    if grep -E '(warning|error):' "$work/problems"; then fail "$library has broken documentation"; fi
    archives+=("$archive")
    convert+=(--dependency "$archive")
done

# The Swift blocks of one page together are the body of one function.
examples=()
for page in Sources/*/*.docc/*.md; do
    example=$work/$(basename "$page" .md | tr -c '[:alnum:]\n' _)Example.swift
    awk -v page="$PWD/$page" -v name="$(basename "$example" .swift)" '
        /^```swift$/ { inside = 1; body = body "#sourceLocation(file: \"" page "\", line: " FNR + 1 ")\n"; next }
        /^```$/ { inside = 0; next }
        inside && /^import / { imports = imports $0 "\n"; body = body "\n"; next }
        inside { body = body $0 "\n" }
        END { printf "%s\nfunc %s() async throws {\n%s}\n", imports, name, body }' "$page" >"$example"
    examples+=("$example")
done
compile=(swiftc -typecheck -swift-version 6 -warnings-as-errors -I "$bin/Modules")
while read -r flag; do compile+=(-Xcc "$flag"); done \
    < <(grep -ohE -- '-fmodule-map-file=[^"]*' "$build/debug.yaml" | sort -u)
# Where the headers of system libraries are, as the package manager asks for them.
for flag in $(pkg-config --cflags $(sed -n 's/.*pkgConfig: "\([^"]*\)".*/\1/p' Package.swift)); do compile+=(-Xcc "$flag"); done
"${compile[@]}" "${examples[@]}" || fail "an example does not compile"

[ "$failed" = 0 ] || exit 1
"$docc" merge "${archives[@]}" --synthesized-landing-page-name Linnet \
    --synthesized-landing-page-topics-style list --output-path "$out/Linnet.doccarchive"
rm -rf "$work"
echo "docs: ${#archives[@]} libraries, ${#examples[@]} pages with examples; read them with:"
echo "    python3 -m http.server --directory $out/Linnet.doccarchive  # then open /documentation"
