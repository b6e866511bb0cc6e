"""The ciphers and gift wraps of nostr-sdk; does what standard input says, one JSON array per line.

["nip44_encrypt", secret, key, text]  -> [payload]           (and nip44_decrypt, nip04_encrypt, nip04_decrypt)
["nip49_encrypt", secret, passphrase] -> [ncryptsec]
["nip49_decrypt", ncryptsec, passphrase] -> [secret]
["wrap", secret, rumor, key, …]       -> [wrap, …], one for each key
["message", secret, key, text]        -> [wrap]
["unwrap", secret, wrap]              -> [sender, rumor]
["file", secret, key, file]           -> [wrap, sealed]: a message of kind 15; files in hex
["open_file", secret, wrap, sealed]   -> [sender, type, file] of such a message
["note", secret, text]                -> [event, the id that Python's own json and hashlib give it]
["believe", event]                    -> [] if nostr-sdk believes it
["rate", secret, key, text]           -> [encryptions per second, decryptions per second]
What fails is answered with ["failed", words].
"""
import hashlib
import json
import sys
import time

import nostr_sdk
from cryptography.hazmat.primitives.ciphers.aead import AESGCM


def pair(secret, key):
    return nostr_sdk.SecretKey.parse(secret), nostr_sdk.PublicKey.parse(key)


def nip44_encrypt(secret, key, text):
    return [nostr_sdk.nip44_encrypt(*pair(secret, key), text, nostr_sdk.Nip44Version.V2)]


def nip44_decrypt(secret, key, payload):
    return [nostr_sdk.nip44_decrypt(*pair(secret, key), payload)]


def nip04_encrypt(secret, key, text):
    return [nostr_sdk.nip04_encrypt(*pair(secret, key), text)]


def nip04_decrypt(secret, key, payload):
    return [nostr_sdk.nip04_decrypt(*pair(secret, key), payload)]


def nip49_encrypt(secret, passphrase):
    key = nostr_sdk.SecretKey.parse(secret)
    return [nostr_sdk.EncryptedSecretKey(key, passphrase, 8, nostr_sdk.KeySecurity.MEDIUM).to_bech32()]


def nip49_decrypt(text, passphrase):
    return [nostr_sdk.EncryptedSecretKey.from_bech32(text).decrypt(passphrase).to_hex()]


def wrap(secret, rumor, *people):
    keys = nostr_sdk.Keys.parse(secret)
    unsigned = nostr_sdk.UnsignedEvent.from_json(rumor)
    return [nostr_sdk.nip59_make_gift_wrap(keys, nostr_sdk.PublicKey.parse(key), unsigned).as_json() for key in people]


def message(secret, key, text):
    keys = nostr_sdk.Keys.parse(secret)
    return [nostr_sdk.nip17_make_private_msg(keys, nostr_sdk.PublicKey.parse(key), text).as_json()]


def unwrap(secret, text):
    gift = nostr_sdk.UnwrappedGift.from_gift_wrap(nostr_sdk.Keys.parse(secret), nostr_sdk.Event.from_json(text))
    return [gift.sender().to_hex(), gift.rumor().as_json()]


def file(secret, key, plain):
    # Some programs draw nonces of 16 bytes.
    cipher_key, nonce = AESGCM.generate_key(256), hashlib.sha256(plain.encode()).digest()[:16]
    sealed = AESGCM(cipher_key).encrypt(nonce, bytes.fromhex(plain), None)
    tags = [["p", key], ["file-type", "image/gif"], ["encryption-algorithm", "aes-gcm"],
            ["decryption-key", cipher_key.hex()], ["decryption-nonce", nonce.hex()],
            ["x", hashlib.sha256(sealed).hexdigest()]]
    builder = nostr_sdk.EventBuilder(nostr_sdk.Kind(15), "https://blobs.example/file")
    builder = builder.tags([nostr_sdk.Tag.parse(tag) for tag in tags])
    rumor = builder.finalize_unsigned(nostr_sdk.Keys.parse(secret).public_key())
    return [*wrap(secret, rumor.as_json(), key), sealed.hex()]


def open_file(secret, text, sealed):
    sender, rumor = unwrap(secret, text)
    fields = json.loads(rumor)
    said = {tag[0]: tag[1] for tag in fields["tags"]}
    sealed = bytes.fromhex(sealed)
    if fields["kind"] != 15 or said["encryption-algorithm"] != "aes-gcm":
        raise ValueError("no file")
    if hashlib.sha256(sealed).hexdigest() != said["x"] or int(said["size"]) != len(sealed):
        raise ValueError("another file")
    key, nonce = bytes.fromhex(said["decryption-key"]), bytes.fromhex(said["decryption-nonce"])
    plain = AESGCM(key).decrypt(nonce, sealed, None)
    if hashlib.sha256(plain).hexdigest() != said["ox"]:
        raise ValueError("another original")
    return [sender, said["file-type"], plain.hex()]


def note(secret, text):
    builder = nostr_sdk.EventBuilder(nostr_sdk.Kind(1), text).tags([nostr_sdk.Tag.parse(["t", text])])
    event = builder.finalize(nostr_sdk.Keys.parse(secret)).as_json()
    fields = json.loads(event)
    hashed = [0] + [fields[name] for name in ("pubkey", "created_at", "kind", "tags", "content")]
    text = json.dumps(hashed, separators=(",", ":"), ensure_ascii=False)
    return [event, hashlib.sha256(text.encode()).hexdigest()]


def believe(event):
    if not nostr_sdk.Event.from_json(event).verify():
        raise ValueError("not believed")
    return []


def rate(secret, key, text):
    secret, key = pair(secret, key)
    version = nostr_sdk.Nip44Version.V2
    payload = nostr_sdk.nip44_encrypt(secret, key, text, version)
    rates = []
    for work in (
        lambda: nostr_sdk.nip44_encrypt(secret, key, text, version),
        lambda: nostr_sdk.nip44_decrypt(secret, key, payload),
    ):
        best = 0
        for _ in range(3):
            start = time.perf_counter()
            for _ in range(2000):
                work()
            best = max(best, 2000 / (time.perf_counter() - start))
        rates.append(str(int(best)))
    return rates


COMMANDS = {
    work.__name__: work
    for work in (
        nip44_encrypt, nip44_decrypt, nip04_encrypt, nip04_decrypt, nip49_encrypt, nip49_decrypt, wrap, message,
        unwrap, file, open_file, note, believe, rate,
    )
}

print(json.dumps(["ready"]), flush=True)
for line in sys.stdin:
    name, *arguments = json.loads(line)
    try:
        answer = COMMANDS[name](*arguments)
    except Exception as error:  # the words are the answer
        answer = ["failed", str(error)]
    print(json.dumps(answer), flush=True)
