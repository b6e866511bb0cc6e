#!/usr/bin/env bash
# Puts nginx where the benchmarks find it, to be measured beside the media server; does nothing when it is there.
#
# On Debian and Ubuntu only its program is taken out of its package: installed, it would begin to serve port 80.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=.peer-nginx
for place in "$folder/nginx" /usr/sbin/nginx /usr/local/sbin/nginx /opt/homebrew/bin/nginx /usr/local/bin/nginx; do
    if "$place" -v 2>/dev/null; then exit 0; fi
done
say() { printf 'nginx.sh: %s\n' "$*" >&2; }
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

if [ "$(uname -s)" = Darwin ]; then
    say "installing with brew: nginx"
    brew install -q nginx
    exit 0
fi
if ! command -v apt-get >/dev/null; then
    say "please install nginx; without it downloads of the media server are compared with nothing"
    exit 0
fi
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
chmod 755 "$box"
# Which of the two holds the program depends on the release.
fetch() { for name in nginx nginx-light; do (cd "$box" && apt-get download -qq "$name"); done; }
say "fetching nginx with apt"
if ! fetch 2>/dev/null; then
    as_root apt-get update -qq
    fetch || say "apt has no nginx here"
fi
for package in "$box"/*.deb; do if [ -f "$package" ]; then dpkg-deb -x "$package" "$box/out"; fi; done
mkdir -p "$folder"
if [ -x "$box/out/usr/sbin/nginx" ]; then cp "$box/out/usr/sbin/nginx" "$folder/nginx"; fi
if ! "$folder/nginx" -v; then
    say "nginx does not run here; without it downloads of the media server are compared with nothing"
fi
