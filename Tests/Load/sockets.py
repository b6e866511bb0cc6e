"""WebSockets and HTTP by hand, as small and as fast as an attacker would have them; RFC 6455."""
import asyncio
import socket
import struct

UPGRADE = ("GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
           "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
# So many seconds no answer takes, however busy the machine; what is measured is compared with bounds of its own.
HUNG = 600


def frame(payload, opcode=TEXT):
    """A client's frame; its mask is of zeros, which leaves the text as it is."""
    if isinstance(payload, str):
        payload = payload.encode()
    if len(payload) < 126:
        head = struct.pack(">BB", 0x80 | opcode, 0x80 | len(payload))
    elif len(payload) < 65536:
        head = struct.pack(">BBH", 0x80 | opcode, 0x80 | 126, len(payload))
    else:
        head = struct.pack(">BBQ", 0x80 | opcode, 0x80 | 127, len(payload))
    return head + bytes(4) + payload


class Socket:
    """An honest client's WebSocket: one thing at a time, and every wait has a deadline."""

    def __init__(self, port, source):
        self.socket = socket.create_connection(("127.0.0.1", port), HUNG, source_address=(source, 0))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.rest = b""
        self.socket.sendall(UPGRADE.format(port=port).encode())
        while b"\r\n\r\n" not in self.rest:
            self.rest += self.receive()
        head, _, self.rest = self.rest.partition(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 101"):
            raise ConnectionError(head.split(b"\r\n")[0].decode())

    def receive(self):
        data = self.socket.recv(1 << 16)
        if not data:
            raise ConnectionError("the other side hung up")
        return data

    def exactly(self, count):
        while len(self.rest) < count:
            self.rest += self.receive()
        data, self.rest = self.rest[:count], self.rest[count:]
        return data

    def send(self, text):
        self.socket.sendall(frame(text))

    def message(self):
        """The next text that comes; pings are answered on the way."""
        while True:
            first, length = self.exactly(2)
            if length == 126:
                length, = struct.unpack(">H", self.exactly(2))
            elif length == 127:
                length, = struct.unpack(">Q", self.exactly(8))
            payload = self.exactly(length)
            if first & 15 == PING:
                self.socket.sendall(frame(payload, PONG))
            elif first & 15 == CLOSE:
                raise ConnectionError("the other side said goodbye")
            elif first & 15 == TEXT:
                return payload

    def close(self):
        self.socket.close()


async def open_socket(port, source):
    """An attacker's WebSocket: its two ends, without a look at what comes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
    writer.write(UPGRADE.format(port=port).encode())
    await reader.readuntil(b"\r\n\r\n")
    return reader, writer


async def drain(reader):
    """Throws away what comes until the other side hangs up."""
    while await reader.read(1 << 20):
        pass
