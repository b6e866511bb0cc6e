"""How long MDK takes, with its database in memory: one JSON line for each number of members on the command line.

Lower quartiles in milliseconds, as seen from Python: create_message and process_message of 100 characters, self_update and
process_update, add_member and process_add, join.
"""
import json
import sys
import time

import nostr_sdk
from mdk import mdk_uniffi

RELAYS = ["wss://relay.example.com"]


class Member:
    def __init__(self):
        self.keys = nostr_sdk.Keys.generate()
        self.own = self.keys.public_key().to_hex()
        self.mdk = mdk_uniffi.new_mdk_with_key(":memory:", bytes(32), None)

    def key_package(self):
        made = self.mdk.create_key_package_for_event(self.own, RELAYS)
        tags = [nostr_sdk.Tag.parse(tag) for tag in made.tags]
        builder = nostr_sdk.EventBuilder(nostr_sdk.Kind(30443), made.key_package).tags(tags)
        return builder.finalize(self.keys).as_json()

    def join(self, rumor):
        self.mdk.accept_welcome(self.mdk.process_welcome(rumor_id(rumor), rumor))


def rumor_id(rumor):
    return json.loads(rumor)["id"]


class Clock:
    def __init__(self):
        self.times = {}

    def time(self, name, work):
        start = time.perf_counter()
        result = work()
        self.times.setdefault(name, []).append(time.perf_counter() - start)
        return result

    def quartiles(self):
        return {name: sorted(times)[len(times) // 4] * 1000 for name, times in self.times.items()}


def measure(size):
    clock = Clock()
    alice, others = Member(), [Member() for _ in range(size - 1)]
    made = alice.mdk.create_group(
        alice.own, [other.key_package() for other in others], "g", "", RELAYS, [alice.own])
    group = made.group.mls_group_id
    alice.mdk.merge_pending_commit(group)
    joining = others[:3]
    for joiner, welcome in zip(joining, made.welcome_rumors_json):
        clock.time("join", lambda: joiner.join(welcome))
    bob = joining[0]
    for _ in range(100):
        message = clock.time(
            "create_message", lambda: alice.mdk.create_message(group, alice.own, "x" * 100, 9, None, None))
        assert clock.time("process_message", lambda: bob.mdk.process_message(message)).is_application_message()
    for _ in range(10):
        event = clock.time("self_update", lambda: alice.mdk.self_update(group)).evolution_event_json
        alice.mdk.merge_pending_commit(group)
        assert clock.time("process_update", lambda: bob.mdk.process_message(event)).is_commit()
    for _ in range(10):
        package = Member().key_package()
        event = clock.time("add_member", lambda: alice.mdk.add_members(group, [package])).evolution_event_json
        alice.mdk.merge_pending_commit(group)
        assert clock.time("process_add", lambda: bob.mdk.process_message(event)).is_commit()
    print(json.dumps({"n": size, **clock.quartiles()}), flush=True)


for text in sys.argv[1:]:
    measure(int(text))
