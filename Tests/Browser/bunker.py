"""Both ends of asking for signatures over a relay (NIP-46, NIP-44): an app that has no key, and a signer."""

import base64
import hashlib
import hmac
import json
import secrets
import threading
import time
import urllib.parse

import websocket
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms

from nostr import Author, N, P, multiply

KIND = 24133


def conversation_key(secret, key):
    x = int(key, 16)
    y = pow(x**3 + 7, (P + 1) // 4, P)
    shared = multiply((x, y), secret)[0].to_bytes(32, "big")
    return hmac.new(b"nip44-v2", shared, hashlib.sha256).digest()


def message_keys(conversation, nonce):
    keys, block = b"", b""
    for count in range(1, 4):
        block = hmac.new(conversation, block + nonce + bytes([count]), hashlib.sha256).digest()
        keys += block
    return keys[:32], keys[32:44], keys[44:76]


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
    cipher_key, cipher_nonce, mac_key = message_keys(conversation, nonce)
    padded = len(plain).to_bytes(2, "big") + plain + bytes(padded_length(len(plain)) - len(plain))
    cipher = chacha20(cipher_key, cipher_nonce, padded)
    mac = hmac.new(mac_key, nonce + cipher, hashlib.sha256).digest()
    return base64.b64encode(b"\x02" + nonce + cipher + mac).decode()


def decrypt(payload, conversation):
    data = base64.b64decode(payload)
    nonce, cipher, mac = data[1:33], data[33:-32], data[-32:]
    cipher_key, cipher_nonce, mac_key = message_keys(conversation, nonce)
    assert data[0] == 2 and hmac.compare_digest(mac, hmac.new(mac_key, nonce + cipher, hashlib.sha256).digest())
    padded = chacha20(cipher_key, cipher_nonce, cipher)
    return padded[2 : 2 + int.from_bytes(padded[:2], "big")].decode()


class Listener:
    """Somebody with a key of their own at one relay; what comes for it is read by a thread of its own."""

    def __init__(self, relay):
        self.relay = relay
        self.author = Author(secrets.randbelow(N - 1) + 1)
        self.socket = websocket.create_connection(relay, timeout=30)
        self.socket.settimeout(None)
        filters = {"kinds": [KIND], "#p": [self.author.key], "since": int(time.time()) - 10}
        self.socket.send(json.dumps(["REQ", "answers", filters]))
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        try:
            while True:
                message = json.loads(self.socket.recv())
                if message[0] == "EVENT" and message[2]["pubkey"] != self.author.key:
                    self.receive(message[2])
        except (websocket.WebSocketException, OSError, ValueError):
            return

    def close(self):
        self.socket.close()


class App(Listener):
    """Asks one signer."""

    def __init__(self, relay, name=None):
        self.name = name
        self.signer = None
        self.answers = {}
        self.sent = {}
        self.pages = {}
        self.news = threading.Condition()
        super().__init__(relay)

    def receive(self, event):
        key = conversation_key(self.author.secret, event["pubkey"])
        answer = json.loads(decrypt(event["content"], key))
        with self.news:
            if answer.get("result") == "auth_url":
                self.pages[answer["id"]] = answer["error"]
            else:
                self.answers.setdefault(answer["id"], []).append((event["pubkey"], answer))
            self.news.notify_all()

    def ask(self, method, *params):
        """Sends a request; returns its id."""
        name = secrets.token_hex(8)
        text = json.dumps({"id": name, "method": method, "params": list(params)})
        content = encrypt(text, conversation_key(self.author.secret, self.signer))
        event = self.author.event(KIND, content, [["p", self.signer]])
        self.sent[name] = json.dumps(["EVENT", event])
        self.socket.send(self.sent[name])
        return name

    def answer(self, name, timeout=30):
        """Waits for the answer to a request."""
        with self.news:
            assert self.news.wait_for(lambda: name in self.answers, timeout), "no answer came"
            return self.answers[name][-1][1]

    def page(self, name, timeout=30):
        """Waits to be told where a request can be approved ("Auth Challenges")."""
        with self.news:
            assert self.news.wait_for(lambda: name in self.pages, timeout), "no page was named"
            return self.pages[name]

    def has_answer(self, name, timeout):
        """Whether a request is answered within a time."""
        with self.news:
            return self.news.wait_for(lambda: name in self.answers, timeout)

    def is_answered(self, name):
        with self.news:
            return name in self.answers

    def sign(self, kind, content, tags=()):
        """Asks for a signature; returns the request's id."""
        draft = {"kind": kind, "content": content, "tags": list(tags), "created_at": int(time.time())}
        return self.ask("sign_event", json.dumps(draft))

    def connect(self, token):
        """Pairs by a signer's token, and asks whose it is."""
        parts = urllib.parse.urlparse(token)
        query = urllib.parse.parse_qs(parts.query)
        self.signer = parts.netloc
        claims = json.dumps({"name": self.name}) if self.name else ""
        asked = self.ask("connect", self.signer, query["secret"][0], "", claims)
        # Relays keep no such request: a signer that does not listen yet hears it when it is repeated.
        for _ in range(12):
            if self.has_answer(asked, 5):
                break
            self.socket.send(self.sent[asked])
        answer = self.answer(asked)
        assert answer["result"] in ("ack", query["secret"][0]), answer
        self.person = self.answer(self.ask("get_public_key"))["result"]
        return self

    def token(self, permissions=""):
        """The token a person brings to their signer."""
        self.secret = secrets.token_hex(8)
        fields = {"relay": self.relay, "secret": self.secret, "perms": permissions, "name": self.name or ""}
        query = urllib.parse.urlencode({name: value for name, value in fields.items() if value})
        return f"nostrconnect://{self.author.key}?{query}"

    def await_signer(self, timeout=60):
        """Waits for a signer that repeats the secret, and asks whose it is."""

        def found():
            for answers in self.answers.values():
                for signer, answer in answers:
                    if answer.get("result") == self.secret:
                        return signer
            return None

        with self.news:
            assert self.news.wait_for(found, timeout), "no signer came"
            self.signer = found()
        self.person = self.answer(self.ask("get_public_key"), timeout)["result"]
        return self


class Signer(Listener):
    """Does what whoever knows its token asks of its key, but says nothing about events of the kinds it is silent on."""

    def __init__(self, relay, silent=()):
        self.silent = set(silent)
        self.secret = secrets.token_hex(8)
        super().__init__(relay)

    @property
    def token(self):
        query = urllib.parse.urlencode({"relay": self.relay, "secret": self.secret})
        return f"bunker://{self.author.key}?{query}"

    def receive(self, event):
        key = conversation_key(self.author.secret, event["pubkey"])
        request = json.loads(decrypt(event["content"], key))
        answer = self.answer(request["method"], request["params"])
        if answer is not None:
            text = json.dumps({"id": request["id"], **answer})
            self.socket.send(json.dumps(["EVENT", self.author.event(KIND, encrypt(text, key), [["p", event["pubkey"]]])]))

    def answer(self, method, params):
        if method == "connect":
            return {"result": "ack"} if params[1:2] == [self.secret] else {"error": "another secret"}
        if method == "get_public_key":
            return {"result": self.author.key}
        if method == "sign_event":
            draft = json.loads(params[0])
            if draft["kind"] in self.silent:
                return None
            return {"result": json.dumps(self.author.event(draft["kind"], draft["content"], draft["tags"], draft["created_at"]))}
        if method in ("nip44_encrypt", "nip44_decrypt"):
            conversation = conversation_key(self.author.secret, params[0])
            return {"result": (encrypt if method == "nip44_encrypt" else decrypt)(params[1], conversation)}
        return {"error": f"{method} is not known here"}
