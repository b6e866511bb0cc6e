"""An app of nostr-sdk whose key is with a signer (NIP-46); does what standard input says, one JSON array per line.

usage: sdk_app.py
["token", bunker uri]                 -> ["paired", key]
["invite", relay, …]                  -> ["invitation", nostrconnect uri]; then ["await"] -> ["paired", key]
["sign", kind, content]               -> [event]
["nip04_encrypt", key, text]          -> [payload]           (and nip04_decrypt, nip44_encrypt, nip44_decrypt)
["pings", count]                      -> [seconds, …], the round trips of so many signatures one after the other
What fails is answered with ["failed", words].
"""
import asyncio
import datetime
import json
import sys
import time
import urllib.parse

import nostr_sdk

PATIENCE = datetime.timedelta(seconds=30)


class App:
    def __init__(self):
        self.keys = nostr_sdk.Keys.generate()
        self.signer = None
        self.key = None

    def open(self, uri):
        parsed = nostr_sdk.NostrConnectUri.parse(uri)
        self.signer = nostr_sdk.NostrConnect(parsed, self.keys, PATIENCE, None)

    async def wait(self):
        self.key = await self.signer.get_public_key_async()
        return ["paired", self.key.to_hex()]

    async def do(self, command, *arguments):
        if command == "token":
            self.open(arguments[0])
            return await self.wait()
        if command == "invite":
            query = [("relay", relay) for relay in arguments]
            query += [("metadata", json.dumps({"name": "sdk app"})), ("secret", "a secret of the app")]
            uri = f"nostrconnect://{self.keys.public_key().to_hex()}?{urllib.parse.urlencode(query)}"
            uri = uri.replace("+", "%20")
            self.open(uri)
            self.waiting = asyncio.create_task(self.wait())
            return ["invitation", uri]
        if command == "await":
            return await self.waiting
        if command == "sign":
            return [(await self.sign(*arguments)).as_json()]
        if command == "pings":
            times = []
            for number in range(arguments[0]):
                start = time.perf_counter()
                await self.sign(1, f"note {number}")
                times.append(str(time.perf_counter() - start))
            return times
        key, text = arguments
        return [await getattr(self.signer, f"{command}_async")(nostr_sdk.PublicKey.parse(key), text)]

    async def sign(self, kind, content):
        unsigned = nostr_sdk.EventBuilder(nostr_sdk.Kind(kind), content).finalize_unsigned(self.key)
        return await self.signer.sign_event_async(unsigned)


async def main():
    loop = asyncio.get_running_loop()
    nostr_sdk.uniffi_set_event_loop(loop)
    app = App()
    print(json.dumps(["ready"]), flush=True)
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        try:
            answer = await app.do(*json.loads(line))
        except Exception as error:  # the words are the answer
            answer = ["failed", str(error)]
        print(json.dumps(answer), flush=True)


asyncio.run(main())
