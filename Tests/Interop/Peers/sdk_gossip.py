"""nostr-sdk's outbox (gossip) client, which knows one indexer and finds out itself where people write.

usage: sdk_gossip.py INDEXER
["notes", key]  -> ["notes", [content, …]], of kind 1, and ["failed", words]
"""
import asyncio
import datetime
import json
import sys

import nostr_sdk

ONE_MINUTE = datetime.timedelta(seconds=60)


async def main(indexer):
    config = (nostr_sdk.GossipConfig().allowed(nostr_sdk.GossipAllowedRelays(local=True)).no_background_refresh()
              .sync_initial_timeout(datetime.timedelta(seconds=2)))
    client = (nostr_sdk.ClientBuilder().gossip(nostr_sdk.NostrGossip.in_memory()).gossip_config(config).build())
    await client.add_relay(nostr_sdk.RelayUrl.parse(indexer), nostr_sdk.RelayCapabilities.discovery())
    await client.connect(and_wait=ONE_MINUTE)
    print(json.dumps(["ready"]), flush=True)
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        _, key = json.loads(line)
        try:
            author = nostr_sdk.Filter().author(nostr_sdk.PublicKey.parse(key)).kind(nostr_sdk.Kind(1))
            events = await client.fetch_events(nostr_sdk.ReqTarget.auto([author]), timeout=ONE_MINUTE)
            answer = ["notes", [event.content() for event in events]]
        except Exception as error:  # the words are the answer
            answer = ["failed", str(error)]
        print(json.dumps(answer), flush=True)


asyncio.run(main(sys.argv[1]))
