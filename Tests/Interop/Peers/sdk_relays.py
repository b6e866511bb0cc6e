"""Relays on loopback from nostr-sdk that die and come back as standard input says, one JSON array per line.

usage: sdk_relays.py COUNT
Prints the ports of the relays, then that of one that takes connections and says nothing, of one that takes questions and
answers none, and one where nobody listens; ends when standard input ends.
["put", relay, [event, …]]  -> ["kept"]; whoever reads there is told, where the relay is up
["stop", relay]             -> ["stopped"]: its connections break, and nobody listens any more
["start", relay]            -> ["started"]: at the same port, with all that it held or was put there meanwhile
"""
import asyncio
import json
import pathlib
import random
import socket
import sys
import tempfile

import nostr_sdk
import websockets


def free_ports(count):
    """Below those that a system gives to others meanwhile, so that a relay finds its own again."""
    ports = []
    while len(ports) < count:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        if port not in ports:
            ports.append(port)
    return ports


class LocalRelay:
    def __init__(self, port, database):
        self.port, self.database, self.relay = port, database, None

    async def start(self):
        relay = (
            nostr_sdk.LocalRelayBuilder()
            .addr("127.0.0.1")
            .port(self.port)
            .database(self.database)
            .rate_limit(nostr_sdk.RateLimit(max_reqs=10_000, notes_per_minute=1_000_000))
            .build()
        )
        await relay.run()
        self.relay = relay

    def stop(self):
        self.relay.shutdown()
        self.relay = None

    async def put(self, events):
        # Together, as each is a transaction on the disk.
        statuses = await asyncio.gather(*(self.database.save_event(event) for event in events))
        assert all(status.is_success() for status in statuses), statuses
        if self.relay:
            for event in events:
                self.relay.notify_event(event)


async def say_nothing(reader, writer):
    await reader.read()
    writer.close()


async def answer_nothing(connection):
    async for _ in connection:
        pass


async def main():
    loop = asyncio.get_running_loop()
    nostr_sdk.uniffi_set_event_loop(loop)
    *ports, mute, deaf, closed = free_ports(int(sys.argv[1]) + 3)
    with tempfile.TemporaryDirectory() as folder:
        relays = []
        for port in ports:
            relay = LocalRelay(port, await nostr_sdk.NostrLmdb.open(str(pathlib.Path(folder, str(port)))))
            await relay.start()
            relays.append(relay)
        listener = await asyncio.start_server(say_nothing, "127.0.0.1", mute)
        server = await websockets.serve(answer_nothing, "127.0.0.1", deaf, close_timeout=0.1)
        print(json.dumps([str(port) for port in [*ports, mute, deaf, closed]]), flush=True)
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            command, number, *rest = json.loads(line)
            if command == "put":
                await relays[number].put([nostr_sdk.Event.from_json(event) for event in rest[0]])
                answer = "kept"
            elif command == "stop":
                relays[number].stop()
                answer = "stopped"
            else:
                await relays[number].start()
                answer = "started"
            print(json.dumps([answer]), flush=True)
        listener.close()
        server.close()
        for relay in relays:
            if relay.relay:
                relay.stop()


asyncio.run(main())
