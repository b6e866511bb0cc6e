"""A relay on loopback from nostr-sdk; prints its address, ends when standard input ends.

usage: sdk_relay.py [auth]
"""
import asyncio
import socket
import sys

import nostr_sdk


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


async def main():
    nostr_sdk.uniffi_set_event_loop(asyncio.get_running_loop())
    port = free_port()
    builder = (
        nostr_sdk.LocalRelayBuilder()
        .addr("127.0.0.1")
        .port(port)
        .rate_limit(nostr_sdk.RateLimit(max_reqs=10_000, notes_per_minute=1_000_000))
    )
    if "auth" in sys.argv:
        mode = nostr_sdk.LocalRelayBuilderNip42Mode.BOTH
        builder = builder.nip42(nostr_sdk.LocalRelayBuilderNip42(mode=mode))
    relay = builder.build()
    await relay.run()
    print(f"ws://127.0.0.1:{port}", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    relay.shutdown()


asyncio.run(main())
