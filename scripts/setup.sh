#!/usr/bin/env bash
# Installs what Linnet needs and is not here yet, and says what it installs.
#   scripts/setup.sh run     to build and run
#   scripts/setup.sh test    also the browser and the Python programs that the tests talk to
set -euo pipefail
cd "$(dirname "$0")/.."
what=${1:-run}
say() { printf 'setup: %s\n' "$*"; }
as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; return; fi
    command -v sudo >/dev/null || { say "please install sudo, or run this as root: $*"; exit 1; }
    sudo "$@"
}

debian_missing() {
    local name
    for name in "$@"; do
        dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q 'install ok installed' || echo "$name"
    done
}

debian_install() {
    local missing
    missing=$(debian_missing "$@")
    [ -n "$missing" ] || return 0
    say "installing with apt:" $missing
    # Another one at work, as the system's own updates are, is waited for; a mirror that is slow is asked again.
    local patience=(-o DPkg::Lock::Timeout=600 -o Acquire::Retries=5)
    as_root apt-get update -qq "${patience[@]}"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${patience[@]}" $missing >/dev/null
}

brew_install() {
    local name
    for name in "$@"; do
        brew list --versions "$name" >/dev/null 2>&1 || { say "installing with brew: $name"; brew install -q "$name"; }
    done
}

install_libraries() {
    case "$(uname -s)" in
    Darwin)
        command -v brew >/dev/null || { say "please install Homebrew first: https://brew.sh"; exit 1; }
        brew_install secp256k1 qrencode libpq vips pkg-config ;;
    Linux)
        command -v apt-get >/dev/null || {
            say "this is neither Debian nor Ubuntu: please install libsecp256k1, libsqlite3, libqrencode, libpq and zlib with their headers, pkg-config, git, curl, python3, for maps Leaflet, and for publishing pictures libvips (8.13 or newer)"
            exit 1
        }
        debian_install libsecp256k1-dev libsqlite3-dev libqrencode-dev libpq-dev zlib1g-dev pkg-config git curl ca-certificates python3 libjs-leaflet libvips-tools ;;
    esac
}

# Swift's own installer; on Linux it also names the system packages a compiler needs.
install_swift() {
    . scripts/environment.sh
    if command -v swift >/dev/null; then return 0; fi
    say "installing Swift with swiftly (https://www.swift.org/install)"
    local box
    box=$(mktemp -d)
    case "$(uname -s)" in
    Darwin)
        curl -fsSL --retry 5 -o "$box/swiftly.pkg" https://download.swift.org/swiftly/darwin/swiftly.pkg
        installer -pkg "$box/swiftly.pkg" -target CurrentUserHomeDirectory
        "$HOME/.swiftly/bin/swiftly" init --assume-yes --quiet-shell-followup ;;
    Linux)
        debian_install binutils gnupg2 gcc g++ libc6-dev libcurl4-openssl-dev libedit2 libncurses-dev libxml2-dev libz3-dev tzdata unzip zlib1g-dev
        curl -fsSL --retry 5 "https://download.swift.org/swiftly/linux/swiftly-$(uname -m).tar.gz" | tar -xz -C "$box"
        "$box/swiftly" init --assume-yes --quiet-shell-followup --post-install-file "$box/after.sh"
        [ ! -s "$box/after.sh" ] || as_root bash "$box/after.sh" ;;
    esac
    rm -rf "$box"
}

# A browser for the browser tests: Debian's own; elsewhere the one Playwright brings.
install_browser() {
    if [ "$(uname -s)" = Linux ] && grep -q '^ID=debian' /etc/os-release; then
        debian_install chromium python3-venv openssl
        # Most browser tests run in it, in a third of the time; without it they run in the other.
        debian_install chromium-headless-shell || say "there is no Chromium without windows here; the tests use the other"
    elif [ "$(uname -s)" = Linux ]; then
        debian_install python3-venv openssl
    fi
}

# A screen without a display, and the programs by which a desktop opens links, for the tests of signer links.
install_desktop() {
    if [ "$(uname -s)" = Linux ]; then debian_install xvfb xdg-utils desktop-file-utils; fi
}

# The daemon of receivers, for the tests of gpsd; GeoClue's place on a bus is taken by a script.
install_receivers() {
    if [ "$(uname -s)" = Linux ]; then debian_install gpsd dbus-daemon; fi
}

# A Secret Service for the tests of the keyring: a message bus, GNOME's keyring and the program that speaks to it.
install_keyring() {
    if [ "$(uname -s)" = Linux ]; then debian_install dbus dbus-daemon gnome-keyring libsecret-tools; fi
}

# PostgreSQL for the tests of its registry, which run a server of their own in a temporary folder.
install_postgres() {
    case "$(uname -s)" in
    Darwin) brew_install postgresql@16 ;;
    Linux) debian_install postgresql openssl ;;
    esac
}

install_libraries
install_swift
if [ "$what" = test ]; then
    install_browser
    install_keyring
    install_receivers
    install_desktop
    install_postgres
    scripts/peers.sh
    scripts/browser.sh --setup-only
fi
