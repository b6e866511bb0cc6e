"""An app by hand whose key is with a signer (NIP-46): no library of Nostr, its own NIP-44, answers read as nostr-tools does.

An answer with an error is a no, whatever else is in it; else its result counts; of several answers to one request the first.
Does what standard input says, one JSON array per line.

usage: plain_app.py
["token", bunker uri]       -> ["paired", key]
["invite", relay, …]        -> ["invitation", nostrconnect uri]; then ["await"] -> ["paired", key]
["ask", method, param, …]   -> [result]
["begin", method, param, …] -> [id], without waiting; then ["end", id] -> [result]
["sign", kind, content]     -> [event]
["last"]                    -> [the answer that came last, as it was decrypted]
What fails is answered with ["failed", words].
"""
import asyncio
import base64
import hashlib
import hmac
import json
import secrets
import sys
import time
import urllib.parse

import websockets
from coincurve import PrivateKey, PublicKey
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms

KIND = 24133
PATIENCE = 100


def conversation_key(secret, key):
    point = PublicKey(b"\x02" + bytes.fromhex(key)).multiply(secret.secret)
    return hmac.new(b"nip44-v2", point.format()[1:], hashlib.sha256).digest()


def message_keys(conversation, nonce):
    stream, block = b"", b""
    for number in (1, 2, 3):
        block = hmac.new(conversation, block + nonce + bytes([number]), hashlib.sha256).digest()
        stream += block
    return stream[:32], stream[32:44], stream[44:76]


def chacha20(key, nonce, data):
    return Cipher(algorithms.ChaCha20(key, bytes(4) + nonce), mode=None).encryptor().update(data)


def padded_length(length):
    if length <= 32:
        return 32
    power = 1 << (length - 1).bit_length()
    chunk = 32 if power <= 256 else power // 8
    return chunk * ((length - 1) // chunk + 1)


def encrypt(text, conversation):
    plain, nonce = text.encode(), secrets.token_bytes(32)
    key, stream_nonce, mac_key = message_keys(conversation, nonce)
    padded = len(plain).to_bytes(2, "big") + plain.ljust(padded_length(len(plain)), b"\0")
    sealed = chacha20(key, stream_nonce, padded)
    return base64.b64encode(b"\2" + nonce + sealed + hmac.new(mac_key, nonce + sealed, hashlib.sha256).digest()).decode()


def decrypt(payload, conversation):
    data = base64.b64decode(payload)
    nonce, sealed, mac = data[1:33], data[33:-32], data[-32:]
    key, stream_nonce, mac_key = message_keys(conversation, nonce)
    if data[0] != 2 or not hmac.compare_digest(mac, hmac.new(mac_key, nonce + sealed, hashlib.sha256).digest()):
        raise ValueError("not encrypted for this app")
    padded = chacha20(key, stream_nonce, sealed)
    return padded[2 : 2 + int.from_bytes(padded[:2], "big")].decode()


class App:
    def __init__(self):
        self.secret = PrivateKey()
        self.key = self.secret.public_key.format()[1:].hex()
        self.token_secret = secrets.token_hex(8)
        self.signer = None
        self.waiting = {}
        self.found = asyncio.get_running_loop().create_future()
        self.sockets = []
        self.last = None

    async def listen(self, relays):
        filters = {"kinds": [KIND], "#p": [self.key], "since": int(time.time()) - 10}
        for relay in relays:
            socket = await websockets.connect(relay)
            await socket.send(json.dumps(["REQ", "answers", filters]))
            self.sockets.append(socket)
            asyncio.create_task(self.read(socket))

    async def read(self, socket):
        try:
            async for text in socket:
                message = json.loads(text)
                if message[0] == "EVENT" and message[2]["pubkey"] != self.key:
                    self.take(message[2])
        except websockets.ConnectionClosed:
            self.sockets.remove(socket)

    def take(self, event):
        text = decrypt(event["content"], conversation_key(self.secret, event["pubkey"]))
        answer = json.loads(text)
        if answer.get("result") == self.token_secret and not self.found.done():
            self.found.set_result(event["pubkey"])
        if event["pubkey"] != self.signer or answer.get("result") == "auth_url":
            return
        request = self.waiting.get(answer["id"])
        if request is None or request.done():
            return
        self.last = text
        if answer.get("error"):
            request.set_exception(Exception(answer["error"]))
        elif answer.get("result"):
            request.set_result(answer["result"])

    async def begin(self, method, *params):
        name = secrets.token_hex(8)
        content = encrypt(json.dumps({"id": name, "method": method, "params": params}), conversation_key(self.secret, self.signer))
        self.waiting[name] = asyncio.get_running_loop().create_future()
        await self.publish({"kind": KIND, "content": content, "tags": [["p", self.signer]]})
        return name

    async def publish(self, event):
        event = {"pubkey": self.key, "created_at": int(time.time()), **event}
        fields = [0, event["pubkey"], event["created_at"], event["kind"], event["tags"], event["content"]]
        digest = hashlib.sha256(json.dumps(fields, separators=(",", ":"), ensure_ascii=False).encode()).digest()
        event |= {"id": digest.hex(), "sig": self.secret.sign_schnorr(digest).hex()}
        for socket in list(self.sockets):
            try:
                await socket.send(json.dumps(["EVENT", event]))
            except websockets.ConnectionClosed:
                pass  # The other relay has it.

    async def end(self, name):
        return await asyncio.wait_for(self.waiting[name], PATIENCE)

    async def ask(self, *request):
        return await self.end(await self.begin(*request))

    async def do(self, command, *arguments):
        if command == "token":
            parsed = urllib.parse.urlparse(arguments[0])
            query = urllib.parse.parse_qs(parsed.query)
            self.signer = parsed.netloc
            await self.listen(query["relay"])
            await self.ask("connect", self.signer, query["secret"][0])
            return ["paired", await self.ask("get_public_key")]
        if command == "invite":
            await self.listen(arguments)
            query = [("relay", relay) for relay in arguments] + [("secret", self.token_secret), ("name", "by hand")]
            return ["invitation", f"nostrconnect://{self.key}?{urllib.parse.urlencode(query, quote_via=urllib.parse.quote)}"]
        if command == "await":
            self.signer = await asyncio.wait_for(self.found, PATIENCE)
            return ["paired", await self.ask("get_public_key")]
        if command == "sign":
            kind, content = arguments
            draft = {"kind": kind, "content": content, "tags": [], "created_at": int(time.time())}
            return [await self.ask("sign_event", json.dumps(draft))]
        if command == "begin":
            return [await self.begin(*arguments)]
        if command == "end":
            return [await self.end(arguments[0])]
        if command == "ask":
            return [await self.ask(*arguments)]
        if command == "last":
            return [self.last]
        raise Exception("no such command")


async def main():
    loop = asyncio.get_running_loop()
    app = App()
    print(json.dumps(["ready"]), flush=True)
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        try:
            answer = await app.do(*json.loads(line))
        except Exception as error:  # the words are the answer
            answer = ["failed", f"{type(error).__name__} {error}"]
        print(json.dumps(answer), flush=True)


asyncio.run(main())
