"""A client from nostr-sdk that does what standard input says, one JSON array per line, and answers likewise.

usage: sdk_client.py RELAY
["publish", "content"]     -> ["published", id] or ["refused", words]
["delete", id]             -> the same
["fetch", filter]          -> ["fetched", [id, …]]
["subscribe", filter]      -> ["subscribed"], then ["live", id] for each event
"""
import asyncio
import datetime
import json
import sys

import nostr_sdk

ONE_MINUTE = datetime.timedelta(seconds=60)


class Session:
    def __init__(self, address):
        self.keys = nostr_sdk.Keys.generate()
        self.relay = nostr_sdk.RelayUrl.parse(address)
        authenticator = nostr_sdk.SignerAuthenticator(self.keys)
        self.client = nostr_sdk.ClientBuilder().authenticator(authenticator).build()

    async def connect(self):
        await self.client.add_relay(self.relay)
        await self.client.connect(and_wait=ONE_MINUTE)

    async def send(self, event):
        try:
            output = await self.client.send_event(event)
        except Exception as error:  # the words are the answer
            return ["refused", str(error)]
        if output.success:
            return ["published", output.id.to_hex()]
        return ["refused", " ".join(output.failed.values())]

    async def do(self, command, argument):
        if command == "publish":
            return await self.send(nostr_sdk.EventBuilder(nostr_sdk.Kind(1), argument).finalize(self.keys))
        if command == "delete":
            builder = nostr_sdk.EventBuilder(nostr_sdk.Kind(5), "")
            tags = [nostr_sdk.Tag.parse(["e", argument])]
            return await self.send(builder.tags(tags).finalize(self.keys))
        filters = [nostr_sdk.Filter.from_json(json.dumps(argument))]
        if command == "fetch":
            target = nostr_sdk.ReqTarget.single(self.relay, filters)
            events = await self.client.fetch_events(target, timeout=ONE_MINUTE)
            return ["fetched", [event.id().to_hex() for event in events]]
        await self.client.subscribe(nostr_sdk.ReqTarget.single(self.relay, filters))
        return ["subscribed"]

    async def listen(self):
        notifications = self.client.notifications()
        while True:
            notification = await notifications.next()
            if notification is None:
                return
            if notification.is_new_event():
                say(["live", notification.event.id().to_hex()])


def say(answer):
    print(json.dumps(answer), flush=True)


async def main():
    loop = asyncio.get_running_loop()
    nostr_sdk.uniffi_set_event_loop(loop)
    session = Session(sys.argv[1])
    await session.connect()
    say(["ready", session.keys.public_key().to_hex()])
    listening = asyncio.create_task(session.listen())
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        say(await session.do(*json.loads(line)))
    listening.cancel()
    await session.client.shutdown()


asyncio.run(main())
