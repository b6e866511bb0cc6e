"""Just enough Lightning to ask for money: invoices as BOLT-11 has them, which nobody could pay."""

import hashlib
import time

from nostr import G, N, multiply

LETTERS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"


def groups(data, width=8):
    """Numbers of so many bits as numbers of five, padded with zeros at the end."""
    bits = "".join(f"{value:0{width}b}" for value in data)
    bits += "0" * (-len(bits) % 5)
    return [int(bits[at : at + 5], 2) for at in range(0, len(bits), 5)]


def checksum(prefix, values):
    total = 1
    for value in [ord(letter) >> 5 for letter in prefix] + [0] + [ord(letter) & 31 for letter in prefix] + values + [0] * 6:
        top, total = total >> 25, (total & 0x1FFFFFF) << 5 ^ value
        for bit, generator in enumerate([0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3]):
            total ^= generator if top >> bit & 1 else 0
    return [(total ^ 1) >> 5 * (5 - place) & 31 for place in range(6)]


def sign(secret, digest):
    """An ECDSA signature that its key can be recovered from, 65 bytes."""
    nonce = int.from_bytes(hashlib.sha256(secret.to_bytes(32, "big") + digest).digest(), "big") % N
    x, y = multiply(G, nonce)
    r, odd = x % N, y & 1
    s = pow(nonce, -1, N) * (int.from_bytes(digest, "big") + r * secret) % N
    if s > N // 2:
        s, odd = N - s, odd ^ 1
    return r.to_bytes(32, "big") + s.to_bytes(32, "big") + bytes([odd])


def invoice(amount, words, at=None, expiry=3600, secret=7):
    """Asks for an amount (`25u` are 2 500 sats) for something said in words."""
    def field(kind, data):
        return [kind, len(data) >> 5, len(data) & 31, *data]

    prefix = "lnbc" + amount
    values = groups([int(at or time.time())], width=35)
    values += field(1, groups(bytes([7] * 32))) + field(16, groups(bytes([9] * 32)))
    values += field(13, groups(words.encode())) + field(6, groups([expiry], width=25)) + field(24, [18])
    # Both that every payer knows must be known: bits 8 and 14.
    values += field(5, [1 << 4, 1 << 3, 0])
    bits = "".join(f"{value:05b}" for value in values)
    bits += "0" * (-len(bits) % 8)
    signed = prefix.encode() + bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits), 8))
    values += groups(sign(secret, hashlib.sha256(signed).digest()))
    return prefix + "1" + "".join(LETTERS[value] for value in values + checksum(prefix, values))
