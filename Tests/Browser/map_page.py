"""A page with a map on it, served without the program: its assets, its policy, and what the test says of people."""

import html
import http.server
import json
import pathlib
import struct
import threading
import urllib.parse
import zlib

ASSETS = pathlib.Path(__file__).parents[2] / "Sources" / "WebUI" / "Assets"
LEAFLET = pathlib.Path("/usr/share/javascript/leaflet")
# As Guards/PageHeaders.swift sends it.
POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; "
    "font-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png"}
START = """
import { watchMaps, updateMap } from "./map.js";
import { watchSharing } from "./place.js";
watchMaps();
watchSharing();
window.updateMap = (pins) => updateMap(document.querySelector(".map"), pins);
"""


def pin(key, lat, lon, **more):
    """A person as the page tells of them."""
    told = {
        "key": key, "name": key.title(), "initials": key[:2].title(), "lat": lat, "lon": lon, "accuracy": 20, "age": 60,
        "sentAt": 1_790_000_000, "battery": 80, "state": "fresh", "words": "", "isSelf": False, "trail": [],
    }
    return {**told, **more}


def tile(shade):
    """A PNG of 256 by 256 pixels, a square of one colour with an edge."""
    rows = b"".join(
        b"\0" + b"".join((b"\xb0\xb0\xa0" if x == 0 or y == 0 else bytes((shade, 225, 215))) for x in range(256))
        for y in range(256)
    )

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", 256, 256, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class MapPage:
    """Serves one page until closed; `posts` is what it was sent, `asked` which tiles."""

    def __init__(self, pins=(), places=(), tiles=False, leaflet=True, sharing=None):
        self.pins, self.places, self.tiles, self.leaflet, self.sharing = list(pins), list(places), tiles, leaflet, sharing
        self.posts, self.asked = [], []
        page = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                kind, body = page.answer(self.path)
                self.reply(404 if body is None else 200, kind, body or b"")

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                page.posts.append(dict(urllib.parse.parse_qsl(body)))
                self.reply(200, "text/html", b"")

            def reply(self, status, kind, body):
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Security-Policy", POLICY)
                self.send_header("X-Content-Type-Options", "nosniff")
                self.send_header("Permissions-Policy", "geolocation=(self)")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            def handle_error(self, request, client_address):
                """A browser that leaves hangs up on its tiles: no failure of a test."""

        self.server = Server(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.base = f"http://127.0.0.1:{self.server.server_port}"

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, path):
        path = urllib.parse.urlsplit(path).path
        if path == "/":
            return "text/html; charset=utf-8", self.page().encode()
        if path == "/assets/start.js":
            return "text/javascript", START.encode()
        if path.startswith("/circles/tiles/"):
            self.asked.append(path)
            x, y = path.split("/")[-2:]
            return "image/png", tile(215 + 10 * ((int(x) + int(y)) % 2))
        folder = ASSETS
        if path.startswith("/assets/leaflet/"):
            if not self.leaflet:
                return "text/plain", None
            folder = LEAFLET
        file = folder / pathlib.PurePosixPath(path).name
        kind = TYPES.get(file.suffix)
        return (kind, file.read_bytes()) if kind and file.is_file() else ("text/plain", None)

    def page(self):
        data = json.dumps({"pins": self.pins, "places": self.places}).replace("<", "\\u003c")
        people = "".join(
            f'<li class="map-person" data-pin="{html.escape(one["key"])}"><span class="map-name">{html.escape(one["name"])}'
            f'</span> <span class="map-why">{html.escape(one["words"])}</span></li>'
            for one in self.pins
        )
        tiles = (
            'data-tiles="/circles/tiles/{z}/{x}/{y}" data-attribution="© the mappers" data-max-zoom="18" '
            'data-leaflet="/assets/leaflet/leaflet.js"'
        )
        sharing = ""
        if self.sharing is not None:
            sharing = (
                f'<form class="sharing" method="post" action="/share" data-circle="c" data-interval="{self.sharing}" data-low-battery="20">'
                '<input type="hidden" name="csrf" value="word"><p data-sharing-state></p></form>'
            )
        return f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Family</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/assets/linnet.css"><link rel="stylesheet" href="/assets/map.css">
<script type="module" src="/assets/start.js"></script></head>
<body><p id="say" class="visually-hidden" role="status"></p><div class="bare"><main><h1>Family</h1>
<script type="application/json" id="pins">{data}</script>
<div class="map" data-pins="pins" {tiles if self.tiles else ""}><ul class="map-people" data-people aria-label="People">{people}</ul></div>
{sharing}</main></div></body></html>"""
