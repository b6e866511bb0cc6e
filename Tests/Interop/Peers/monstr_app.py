"""An app of monstr whose key is with a signer (NIP-46, in NIP-04); does what standard input says, one JSON array per line.

monstr speaks an older form of the standard: its connect names no secret, takes the answer for the key, and knows no tokens
of apps. What it lacks is added here; its sockets, its cipher and its messages are used.

usage: monstr_app.py
["token", bunker uri]       -> ["paired", key]
["invite", relay, …]        -> ["invitation", nostrconnect uri]; then ["await"] -> ["paired", key]
["ask", method, param, …]   -> [result]
["sign", kind, content]     -> [event]
What fails is answered with ["failed", words].
"""
import asyncio
import json
import sys
import urllib.parse

from monstr.encrypt import Keys
from monstr.event.event import Event
from monstr.signing.nip46 import NIP46Comm
from monstr.signing.signing import BasicKeySigner


class Line(NIP46Comm):
    """Remembers who answered."""

    def __init__(self, relays, keys):
        self.answers = asyncio.Queue()
        super().__init__(relay=relays, on_response=self.take, comm_signer=BasicKeySigner(keys))

    async def ado_event(self, the_client, sub_id, evt):
        self.sender = evt.pub_key
        if "?iv=" in evt.content:
            return await super().ado_event(the_client, sub_id, evt)
        # Whoever answers an invitation cannot know that monstr would rather have NIP-04.
        await self.take(json.loads(await self._comm_signer.nip44_decrypt(evt.content, evt.pub_key)))

    async def take(self, response):
        await self.answers.put((self.sender, response))


class App:
    def __init__(self):
        self.keys = Keys()
        self.secret = "a secret of the app"

    async def listen(self, relays):
        self.line = Line(relays, self.keys)
        self.line.run()
        await asyncio.sleep(1)

    async def request(self, method, *params):
        wanted = await self.line.do_request(method, list(params), self.signer)
        while True:
            _, response = await asyncio.wait_for(self.line.answers.get(), 100)
            if response["id"] == wanted:
                break
        if response.get("error"):
            raise Exception(response["error"])
        return response["result"]

    async def wait(self):
        while True:
            sender, response = await asyncio.wait_for(self.line.answers.get(), 100)
            if response["result"] == self.secret:
                self.signer = sender
                return ["paired", await self.request("get_public_key")]

    async def do(self, command, *arguments):
        if command == "token":
            parsed = urllib.parse.urlparse(arguments[0])
            query = urllib.parse.parse_qs(parsed.query)
            self.signer = parsed.netloc
            await self.listen(query["relay"])
            await self.request("connect", self.signer, query["secret"][0])
            return ["paired", await self.request("get_public_key")]
        if command == "invite":
            await self.listen(list(arguments))
            query = [("relay", relay) for relay in arguments] + [("secret", self.secret), ("name", "monstr app")]
            # A space as %20: in a secret `+` is itself, since secrets are often Base64.
            uri = f"nostrconnect://{self.keys.public_key_hex()}?" + urllib.parse.urlencode(query, quote_via=urllib.parse.quote)
            return ["invitation", uri]
        if command == "await":
            return await self.wait()
        if command == "sign":
            kind, content = arguments
            event = Event(kind=kind, content=content, pub_key=self.signer)
            return [await self.request("sign_event", json.dumps(event.data()))]
        if command == "ask":
            return [await self.request(*arguments)]
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
