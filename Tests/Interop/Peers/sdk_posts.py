"""A person of nostr-sdk who posts what standard input says, and reads what others posted; one JSON array per line.

usage: sdk_posts.py RELAY SECRET
["publish", kind, content, [tag, …], seconds] -> ["published", id] or ["refused", words]; dated that many seconds ahead
["read", filter] -> ["found", event, …], each with an id and a signature that nostr-sdk believes, or ["forged", id, …]
What fails is answered with ["failed", words].
"""
import asyncio
import datetime
import json
import sys
import time

import nostr_sdk

ONE_MINUTE = datetime.timedelta(seconds=60)


class Session:
    def __init__(self, address, secret):
        self.keys = nostr_sdk.Keys.parse(secret)
        self.relay = nostr_sdk.RelayUrl.parse(address)
        self.client = nostr_sdk.ClientBuilder().build()

    async def connect(self):
        await self.client.add_relay(self.relay)
        await self.client.connect(and_wait=ONE_MINUTE)

    async def publish(self, kind, content, tags, ahead):
        moment = nostr_sdk.Timestamp.from_secs(int(time.time()) + ahead)
        builder = nostr_sdk.EventBuilder(nostr_sdk.Kind(kind), content).custom_created_at(moment)
        event = builder.tags([nostr_sdk.Tag.parse(tag) for tag in tags]).finalize(self.keys)
        output = await self.client.send_event(event)
        if output.success:
            return ["published", output.id.to_hex()]
        return ["refused", " ".join(output.failed.values())]

    async def read(self, wanted):
        filters = [nostr_sdk.Filter.from_json(json.dumps(wanted))]
        events = await self.client.fetch_events(
            nostr_sdk.ReqTarget.single(self.relay, filters), timeout=ONE_MINUTE)
        events = list(events)
        forged = [event.id().to_hex() for event in events if not event.verify()]
        return ["forged", *forged] if forged else ["found", *(event.as_json() for event in events)]


async def main():
    loop = asyncio.get_running_loop()
    nostr_sdk.uniffi_set_event_loop(loop)
    session = Session(*sys.argv[1:])
    await session.connect()
    print(json.dumps(["ready", session.keys.public_key().to_hex()]), flush=True)
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        name, *arguments = json.loads(line)
        try:
            answer = await {"publish": session.publish, "read": session.read}[name](*arguments)
        except Exception as error:  # the words are the answer
            answer = ["failed", str(error)]
        print(json.dumps(answer), flush=True)
    await session.client.shutdown()


asyncio.run(main())
