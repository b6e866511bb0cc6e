"""A relay that a test slows down: what it holds of circles comes as far as it may give, and it withholds the end of it."""

import base64
import hashlib
import json
import socket
import socketserver
import struct
import threading

# RFC 6455 §1.3.
HANDSHAKE = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
# Between two events of a circle while it is held back, so that pages see a number grow.
PAUSE = 0.05


def matches(event, wanted):
    """Whether a filter asks for an event (NIP-01); what it says of others is not looked at."""
    for name, values in wanted.items():
        if name in ("ids", "kinds", "authors"):
            if event[{"ids": "id", "kinds": "kind", "authors": "pubkey"}[name]] not in values:
                return False
        elif name.startswith("#"):
            if not any(tag[:1] == [name[1:]] and tag[1:2] and tag[1] in values for tag in event["tags"]):
                return False
        elif name == "since" and event["created_at"] < values or name == "until" and event["created_at"] > values:
            return False
    return True


class SlowRelay(socketserver.ThreadingTCPServer):
    """Takes every event and answers every question; what is asked about circles it answers as ``hold`` says."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Connection)
        self.address = f"ws://127.0.0.1:{self.server_address[1]}"
        self.events = {}
        self.connections = set()
        # How many events each question about circles may be given; without a number all, and the end is told.
        self.allowance = None
        self.news = threading.Condition()

    def start(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def stop(self):
        self.shutdown()
        self.server_close()
        with self.news:
            connections = list(self.connections)
        for connection in connections:
            connection.end()

    def hold(self, count):
        """Gives so many events to whoever asks about circles from here on, and does not say whether these are all."""
        with self.news:
            self.allowance = count
            self.news.notify_all()

    def let_go(self):
        self.hold(None)

    def wait_for(self, kind, count, timeout=90):
        """Waits until it holds so many events of a kind."""
        with self.news:
            assert self.news.wait_for(lambda: self.count(kind) >= count, timeout), f"{self.count(kind)} of kind {kind}"

    def count(self, kind):
        with self.news:
            return sum(event["kind"] == kind for event in self.events.values())

    def newest(self, kind):
        with self.news:
            found = [event for event in self.events.values() if event["kind"] == kind]
        return max(found, key=lambda event: event["created_at"])

    def keep(self, event):
        """Keeps an event, and tells whoever listens for such."""
        with self.news:
            if event["id"] in self.events:
                return
            # Those of kinds 20000 to 29999 are for who listens now.
            if not 20000 <= event["kind"] < 30000:
                self.events[event["id"]] = event
            readers = [
                (connection, name)
                for connection in self.connections
                for name, filters in connection.questions.items()
                if any(matches(event, wanted) for wanted in filters)
            ]
            self.news.notify_all()
        for connection, name in readers:
            try:
                connection.say("EVENT", name, event)
            except OSError:
                # It has just gone; its own thread notices.
                continue

    def stored(self, filters):
        """What it holds for a question, newest first, and no more of each filter than that allows."""
        newest = sorted(self.events.values(), key=lambda event: (-event["created_at"], event["id"]))
        found = {}
        for wanted in filters:
            some = [event for event in newest if matches(event, wanted)]
            found.update((event["id"], event) for event in some[: wanted.get("limit")])
        return sorted(found.values(), key=lambda event: (-event["created_at"], event["id"]))


class Connection(socketserver.StreamRequestHandler):
    """One client."""

    def setup(self):
        super().setup()
        self.questions = {}
        self.writing = threading.Lock()

    def handle(self):
        if not self.shake_hands():
            return
        with self.server.news:
            self.server.connections.add(self)
        try:
            while (text := self.read()) is not None:
                self.receive(json.loads(text))
        except OSError:
            pass
        finally:
            with self.server.news:
                self.server.connections.discard(self)
                self.questions = {}
                self.server.news.notify_all()

    def receive(self, message):
        word, *rest = message
        if word == "EVENT":
            self.server.keep(rest[0])
            self.say("OK", rest[0]["id"], True, "")
        elif word == "CLOSE":
            with self.server.news:
                self.questions.pop(rest[0], None)
                self.server.news.notify_all()
        elif word == "REQ":
            name, *filters = rest
            with self.server.news:
                # Together, so that no event is lost between what is held and what comes.
                self.questions[name] = filters
                stored = self.server.stored(filters)
            threading.Thread(target=self.answer, args=(name, filters, stored), daemon=True).start()

    def answer(self, name, filters, stored):
        is_about_circles = any("#h" in wanted for wanted in filters)
        try:
            for count, event in enumerate(stored):
                if is_about_circles and not self.may_go_on(name, filters, count):
                    return
                self.say("EVENT", name, event)
            if not is_about_circles or self.may_go_on(name, filters, float("inf")):
                self.say("EOSE", name)
        except OSError:
            return

    def may_go_on(self, name, filters, count):
        """Waits until an answer that has brought so many events may go on; not when nobody asks any more."""
        relay = self.server

        def is_asked():
            return self.questions.get(name) is filters

        with relay.news:
            relay.news.wait_for(lambda: not is_asked() or relay.allowance is None or count < relay.allowance)
            if relay.allowance is not None:
                relay.news.wait_for(lambda: not is_asked(), PAUSE)
            return is_asked()

    # WebSocket (RFC 6455)

    def shake_hands(self):
        lines = []
        while (line := self.rfile.readline().strip()):
            lines.append(line.partition(b":"))
        headers = {name.strip().lower(): value.strip() for name, _, value in lines[1:]}
        key = headers.get(b"sec-websocket-key")
        if key is None:
            # It says nothing of itself (NIP-11).
            self.wfile.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            return False
        answer = base64.b64encode(hashlib.sha1(key + HANDSHAKE).digest())
        self.wfile.write(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: " + answer + b"\r\n\r\n"
        )
        return True

    def read(self):
        """The next text; nothing once the other end has gone."""
        text = b""
        while True:
            head = self.rfile.read(2)
            if len(head) < 2:
                return None
            opcode, length = head[0] & 0x0F, head[1] & 0x7F
            if length >= 126:
                length = int.from_bytes(self.rfile.read(2 if length == 126 else 8), "big")
            mask = self.rfile.read(4) if head[1] & 0x80 else bytes(4)
            masked = self.rfile.read(length)
            data = bytes(byte ^ mask[place % 4] for place, byte in enumerate(masked))
            if opcode == CLOSE:
                return None
            if opcode == PING:
                self.send(PONG, data)
            elif opcode < CLOSE:
                text += data
                if head[0] & 0x80:
                    return text.decode()

    def say(self, *message):
        self.send(TEXT, json.dumps(message).encode())

    def send(self, opcode, data):
        length = len(data)
        if length < 126:
            size = bytes([length])
        elif length < 1 << 16:
            size = b"\x7e" + struct.pack(">H", length)
        else:
            size = b"\x7f" + struct.pack(">Q", length)
        with self.writing:
            self.wfile.write(bytes([0x80 | opcode]) + size + data)

    def end(self):
        try:
            self.request.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
