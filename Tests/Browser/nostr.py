"""Just enough Nostr to say hostile things: BIP-340 signing and publishing."""

import hashlib
import json
import time

import websocket

P = 2**256 - 2**32 - 977
N = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
G = (
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
)


def add(a, b):
    if a is None or b is None:
        return a or b
    if a[0] == b[0] and a[1] != b[1]:
        return None
    slope = 3 * a[0] * a[0] * pow(2 * a[1], -1, P) if a == b else (b[1] - a[1]) * pow(b[0] - a[0], -1, P)
    x = (slope * slope - a[0] - b[0]) % P
    return x, (slope * (a[0] - x) - a[1]) % P


def multiply(point, scalar):
    total = None
    while scalar:
        if scalar & 1:
            total = add(total, point)
        point = add(point, point)
        scalar >>= 1
    return total


def tagged(tag, *parts):
    digest = hashlib.sha256(tag.encode()).digest()
    return int.from_bytes(hashlib.sha256(digest + digest + b"".join(parts)).digest(), "big")


class Author:
    """Someone who signs events."""

    def __init__(self, secret):
        point = multiply(G, secret)
        self.secret = secret if point[1] % 2 == 0 else N - secret
        self.key_bytes = point[0].to_bytes(32, "big")
        self.key = self.key_bytes.hex()

    def sign(self, digest):
        nonce = tagged("BIP0340/nonce", self.secret.to_bytes(32, "big"), self.key_bytes, digest) % N
        point = multiply(G, nonce)
        nonce = nonce if point[1] % 2 == 0 else N - nonce
        r = point[0].to_bytes(32, "big")
        challenge = tagged("BIP0340/challenge", r, self.key_bytes, digest) % N
        return (r + ((nonce + challenge * self.secret) % N).to_bytes(32, "big")).hex()

    def event(self, kind, content, tags=(), at=None):
        event = {"pubkey": self.key, "created_at": int(at or time.time()), "kind": kind, "tags": list(tags), "content": content}
        fields = [0, event["pubkey"], event["created_at"], kind, event["tags"], content]
        digest = hashlib.sha256(json.dumps(fields, separators=(",", ":"), ensure_ascii=False).encode()).digest()
        return {**event, "id": digest.hex(), "sig": self.sign(digest)}


def publish(relay, events):
    """Offers events to one relay; returns the ids it took."""
    taken = []
    socket = websocket.create_connection(relay, timeout=15)
    try:
        for event in events:
            socket.send(json.dumps(["EVENT", event]))
        while len(taken) < len(events):
            text = socket.recv()
            if not text:
                break  # it hung up
            answer = json.loads(text)
            if answer[0] == "OK" and answer[2]:
                taken.append(answer[1])
            elif answer[0] == "OK":
                break
    finally:
        socket.close()
    return taken
