# Sourced by the Makefile: puts a Swift installed by swiftly on the PATH when there is no other.
if ! command -v swift >/dev/null 2>&1 && [ -f "${SWIFTLY_HOME_DIR:-$HOME/.local/share/swiftly}/env.sh" ]; then
    . "${SWIFTLY_HOME_DIR:-$HOME/.local/share/swiftly}/env.sh"
fi
