"""Films in pieces (HLS, of fragmented MP4), made while the tests run, and a place that gives them out as others do."""

import array
import fractions
import http.server
import io
import math
import struct
import threading
import time

import av

WIDTH, HEIGHT, RATE = 160, 90, 10
HERTZ = 48000


def boxes(data):
    """The outermost boxes of an MP4: each with its name."""
    at = 0
    while at < len(data):
        size, name = struct.unpack(">I4s", data[at:at + 8])
        yield name.decode(), data[at:at + size]
        at += size


def made(fill, options):
    """What is written into an MP4 whose pieces each stand by themselves: its beginning, and the pieces."""
    out = io.BytesIO()
    with av.open(out, "w", format="mp4", options=options) as film:
        fill(film)
    init, pieces = b"", []
    for name, box in boxes(out.getvalue()):
        if name in ("ftyp", "moov"):
            init += box
        elif name == "moof":
            pieces.append(box)
        elif name == "mdat":
            pieces[-1] += box
    return init, pieces


def later(film, seconds):
    """The same film on a clock that is ahead: live ones do not begin at nothing."""
    init, pieces = film
    at = init.index(b"mdhd") + 4
    (scale,) = struct.unpack(">I", init[at + 12:at + 16])

    def moved(piece):
        at = piece.index(b"tfdt") + 8
        (ticks,) = struct.unpack(">Q", piece[at:at + 8])
        return piece[:at] + struct.pack(">Q", ticks + seconds * scale) + piece[at + 8:]

    return init, [moved(piece) for piece in pieces]


def pictures(seconds, width=WIDTH, height=HEIGHT):
    """A film of VP9, which every browser plays; a piece each second."""

    def fill(film):
        stream = film.add_stream("libvpx-vp9", rate=RATE, options={"deadline": "realtime", "cpu-used": "8"})
        stream.width, stream.height, stream.pix_fmt, stream.gop_size = width, height, "yuv420p", RATE
        for number in range(seconds * RATE):
            frame = av.VideoFrame(width, height, "yuv420p")
            for plane, shade in zip(frame.planes, (40 + number % 100, 110, 140)):
                plane.update(bytes([shade]) * plane.buffer_size)
            frame.pts, frame.time_base = number, fractions.Fraction(1, RATE)
            film.mux(stream.encode(frame))
        film.mux(stream.encode(None))

    return made(fill, {"movflags": "frag_keyframe+empty_moov+default_base_moof"})


def sound(seconds):
    """A tone of Opus; a piece about each second."""

    def fill(film):
        stream = film.add_stream("libopus", rate=HERTZ, layout="mono")
        size = 960
        for number in range(seconds * HERTZ // size):
            frame = av.AudioFrame("s16", "mono", size)
            wave = (int(3000 * math.sin(2 * math.pi * 440 * (number * size + step) / HERTZ)) for step in range(size))
            frame.planes[0].update(array.array("h", wave).tobytes())
            frame.sample_rate, frame.pts, frame.time_base = HERTZ, number * size, fractions.Fraction(1, HERTZ)
            film.mux(stream.encode(frame))
        film.mux(stream.encode(None))

    init, pieces = made(fill, {"movflags": "empty_moov+default_base_moof", "frag_duration": "1000000"})
    return init, pieces[:seconds]


def listed(pieces, *, sequence=0, duration=1, init="init.mp4", ends=True, head=()):
    """A list of pieces, by their names; one that does not end is live."""
    lines = ["#EXTM3U", "#EXT-X-VERSION:7", f"#EXT-X-TARGETDURATION:{math.ceil(duration)}", f"#EXT-X-MEDIA-SEQUENCE:{sequence}"]
    lines += [*head, *([f'#EXT-X-MAP:URI="{init}"'] if init else [])]
    for piece in pieces:
        lines += [piece] if piece.startswith("#") else [f"#EXTINF:{duration:.3f},", piece]
    return "\n".join(lines + (["#EXT-X-ENDLIST"] if ends else [])) + "\n"


class LiveList:
    """A list that goes on: so many pieces are listed, one more each second, over and over from a film of a few."""

    def __init__(self, film, shown=8):
        self.init, self.pieces = film
        self.shown = shown
        self.begun = time.monotonic()

    def __call__(self):
        first = int(time.monotonic() - self.begun)
        return listed([f"live/{number}.m4s" for number in range(first, first + self.shown)], sequence=first, ends=False)

    def piece(self, number):
        """The pieces after the last are the first ones anew, on a clock that goes on."""
        rounds, place = divmod(number, len(self.pieces))
        return later((self.init, [self.pieces[place]]), rounds * len(self.pieces))[1][0]


class Host:
    """Gives files out on a port of its own until closed; `asked` is what it was asked for, each with its `Range`."""

    def __init__(self, files, shares=True, gives_parts=True):
        self.files, self.asked = dict(files), []
        host = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_OPTIONS(self):
                """Older browsers ask before they ask for a part."""
                self.send_response(204)
                if shares:
                    self.send_header("Access-Control-Allow-Origin", "*")
                    self.send_header("Access-Control-Allow-Headers", "Range")
                self.end_headers()

            def do_GET(self):
                name, part = self.path[1:], self.headers.get("Range")
                host.asked.append((name, part))
                body, status = host.body(name), 200
                if body is not None and part and gives_parts:
                    first, last = (int(number) for number in part.removeprefix("bytes=").split("-"))
                    body, status = body[first:last + 1], 206
                self.send_response(404 if body is None else status)
                if shares:
                    self.send_header("Access-Control-Allow-Origin", "*")
                self.send_header("Content-Length", str(len(body or b"")))
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            def handle_error(self, request, client_address):
                """A player that stops hangs up: no failure of a test."""

        self.server = Server(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.base = f"http://127.0.0.1:{self.server.server_port}"

    def body(self, name):
        if name.startswith("live/"):
            return self.files["live"].piece(int(name.removeprefix("live/").removesuffix(".m4s")))
        found = self.files.get(name)
        found = found() if callable(found) else found
        return found.encode() if isinstance(found, str) else found

    def names(self):
        return [name for name, _ in self.asked]

    def close(self):
        self.server.shutdown()
        self.server.server_close()
