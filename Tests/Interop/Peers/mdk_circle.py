"""A member of circles as a whole program: MDK for the groups, nostr-sdk for the relay; no code of ours.

usage: mdk_circle.py RELAY SECRET-KEY
Reads one JSON array per line and answers each with one; events wait until a command reads them.

["announce"]                   -> [event id]: relay lists (10002, 10050, 10051) and a key package
["found", name, person, …]     -> [group]: a group with those whose key packages are on the relay, who get Welcomes
["ask", group, inviter, name]  -> [event id]: asks to be let in, as Whistle does (rumor 1080)
["welcomed"]                   -> [group, inviter, name]: takes the next Welcome
["say", group, kind, content]  -> [event id]
["add", group, person]         -> [event id] and likewise remove, rename, promote, update
["leave", group]               -> [event id]
["stage", group]               -> [event id]: makes a commit and keeps it back
["commit", group]              -> [event id]: publishes it after all, and merges it before reading anything
["concede", group]             -> [event id]: publishes it after all, and first merges what others published before
["share", group, folder]       -> [event id, sealed picture]: names a picture (MIP-04) that lies in a folder of the web
["opened", group, sealed]      -> [file] of the next message that names one; both in hex
["dress", group]               -> [event id, sealed picture]: gives the group a picture (MIP-01)
["dressed", group, sealed]     -> [picture] that the group has, in hex
["hear", group]                -> [author, kind, content] of the next message, after whatever comes before it
["until", group, epoch]        -> [epoch], after whatever leads there
["all", group]                 -> [what it was, …] of everything on the relay that was not read yet
["state", group]               -> [epoch, SHA-256 of the encoded tree, name, member, …]
A commit is merged when the relay took it, and Welcomes go out after that. What fails is answered with ["failed", words].
"""
import asyncio
import datetime
import json
import os
import struct
import sys
import tempfile
import zlib

import nostr_sdk
from mdk import mdk_uniffi

ONE_MINUTE = datetime.timedelta(seconds=60)
PATIENCE = 100  # seconds, fewer than the test waits for an answer
KINDS = ("application_message", "proposal", "pending_proposal", "commit", "unprocessable", "ignored_proposal",
         "previously_failed", "external_join_proposal")
NOTHING = {name: None for name in ("name", "description", "image_hash", "image_key", "image_nonce", "relays", "admins")}


def picture():
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0)
    rows = zlib.compress((b"\0" + bytes((150, 70, 50)) * 8) * 8)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


class Member:
    def __init__(self, address, secret, folder):
        self.keys = nostr_sdk.Keys.parse(secret)
        self.own = self.keys.public_key().to_hex()
        self.address = address
        self.relay = nostr_sdk.RelayUrl.parse(address)
        self.client = nostr_sdk.ClientBuilder().build()
        self.mdk = mdk_uniffi.new_mdk_with_key(os.path.join(folder, "mdk.db"), bytes(32), None)
        self.gifts = asyncio.Queue()
        self.events = {}  # by the id that relays know a group by
        self.packages = {}  # by person
        self.arrival = asyncio.Event()
        self.seen = set()
        self.kept_back = {}

    async def start(self):
        await self.client.add_relay(self.relay)
        await self.client.connect(and_wait=ONE_MINUTE)
        await self.subscribe({"kinds": [1059], "#p": [self.own]})

    # The relay

    async def subscribe(self, filter):
        await self.client.subscribe(nostr_sdk.ReqTarget.single(self.relay, [self.filter(filter)]))

    @staticmethod
    def filter(filter):
        return nostr_sdk.Filter.from_json(json.dumps(filter))

    async def listen(self):
        notifications = self.client.notifications()
        while (notification := await notifications.next()) is not None:
            if notification.is_new_event():
                self.take(notification.event)

    def take(self, event):
        kind = event.kind().as_u16()
        if kind == 1059:
            self.gifts.put_nowait(event)
        elif kind == 445:
            group = next(tag.to_vec()[1] for tag in event.tags() if tag.to_vec()[0] == "h")
            self.events.setdefault(group, asyncio.Queue()).put_nowait(event)
        elif kind == 30443:
            self.packages[event.author().to_hex()] = event
            self.arrival.set()

    async def publish(self, event):
        output = await self.client.send_event(event)
        if not output.success:
            raise RuntimeError(" ".join(output.failed.values()))
        return event.id().to_hex()

    async def publish_json(self, text):
        event = nostr_sdk.Event.from_json(text)
        self.seen.add(event.id().to_hex())
        return await self.publish(event)

    async def sign(self, kind, content, tags):
        tags = [nostr_sdk.Tag.parse(tag) for tag in tags]
        event = nostr_sdk.EventBuilder(nostr_sdk.Kind(kind), content).tags(tags).finalize(self.keys)
        return event, await self.publish(event)

    async def package_of(self, person):
        await self.subscribe({"kinds": [30443], "authors": [person]})
        while person not in self.packages:
            self.arrival.clear()
            await asyncio.wait_for(self.arrival.wait(), PATIENCE)
        return self.packages[person].as_json()

    async def give(self, rumor, person):
        unsigned = nostr_sdk.UnsignedEvent.from_json(rumor)
        key = nostr_sdk.PublicKey.parse(person)
        return await self.publish(nostr_sdk.nip59_make_gift_wrap(self.keys, key, unsigned))

    # Coming in

    async def announce(self):
        await self.sign(10002, "", [["r", self.address]])
        for kind in (10050, 10051):
            await self.sign(kind, "", [["relay", self.address]])
        return [(await self.key_package())[1]]

    async def key_package(self):
        made = self.mdk.create_key_package_for_event(self.own, [self.address])
        return await self.sign(30443, made.key_package, made.tags)

    async def found(self, name, *people):
        packages = [await self.package_of(person) for person in people]
        made = self.mdk.create_group(self.own, packages, name, "", [self.address], [self.own])
        group = made.group.mls_group_id
        self.mdk.merge_pending_commit(group)
        await self.welcome(made.welcome_rumors_json, people)
        await self.attend(group)
        return [group]

    async def welcome(self, rumors, people):
        for rumor, person in zip(rumors, people, strict=True):
            await self.give(rumor, person)

    async def ask(self, group, inviter, name):
        event, _ = await self.key_package()
        content = {"type": "join-request", "v": 1, "groupId": group, "pubkey": self.own,
                   "keyPackage": event.as_json(), "name": name}
        builder = nostr_sdk.EventBuilder(nostr_sdk.Kind(1080), json.dumps(content))
        rumor = builder.finalize_unsigned(self.keys.public_key())
        return [await self.give(rumor.as_json(), inviter)]

    async def welcomed(self):
        while True:
            wrap = await asyncio.wait_for(self.gifts.get(), PATIENCE)
            gift = nostr_sdk.UnwrappedGift.from_gift_wrap(self.keys, wrap)
            rumor = gift.rumor()
            if rumor.kind().as_u16() == 444:
                break
        welcome = self.mdk.process_welcome(wrap.id().to_hex(), rumor.as_json())
        self.mdk.accept_welcome(welcome)
        await self.attend(welcome.mls_group_id)
        return [welcome.mls_group_id, gift.sender().to_hex(), welcome.group_name]

    async def attend(self, group):
        await self.subscribe({"kinds": [445], "#h": [self.mdk.get_group(group).nostr_group_id]})

    # Talking and changing

    async def say(self, group, kind, content):
        return [await self.publish_json(self.mdk.create_message(group, self.own, content, int(kind), None, None))]

    async def through(self, group, result, people=()):
        id = await self.publish_json(result.evolution_event_json)
        self.mdk.merge_pending_commit(group)
        await self.welcome(result.welcome_rumors_json or [], people)
        return [id]

    async def add(self, group, person):
        package = await self.package_of(person)
        return await self.through(group, self.mdk.add_members(group, [package]), [person])

    async def remove(self, group, person):
        return await self.through(group, self.mdk.remove_members(group, [person]))

    async def rename(self, group, name):
        update = mdk_uniffi.GroupDataUpdate(**NOTHING | {"name": name})
        return await self.through(group, self.mdk.update_group_data(group, update))

    async def promote(self, group, person):
        admins = sorted({*self.mdk.get_group(group).admin_pubkeys, person})
        update = mdk_uniffi.GroupDataUpdate(**NOTHING | {"admins": admins})
        return await self.through(group, self.mdk.update_group_data(group, update))

    async def update(self, group):
        return await self.through(group, self.mdk.self_update(group))

    async def leave(self, group):
        return [await self.publish_json(self.mdk.leave_group(group).evolution_event_json)]

    async def stage(self, group):
        self.kept_back[group] = self.mdk.self_update(group)
        return [json.loads(self.kept_back[group].evolution_event_json)["id"]]

    async def commit(self, group):
        return await self.through(group, self.kept_back.pop(group))

    async def concede(self, group):
        # MDK does not go back to an older commit once it has merged its own, and is in a branch of its own then.
        epoch = self.mdk.get_group(group).epoch
        id = await self.publish_json(self.kept_back.pop(group).evolution_event_json)
        while self.mdk.get_group(group).epoch == epoch:
            await self.next(group)
        return [id]

    # Reading

    async def process(self, group, event):
        """What an event was, and its message if it is one; a proposal that MDK commits at once is published so."""
        if event.id().to_hex() in self.seen:
            return "own", None
        self.seen.add(event.id().to_hex())
        try:
            result = self.mdk.process_message(event.as_json())
        except Exception as error:  # an event that does not open is no failure of ours
            return f"refused: {error}", None
        kind = next(kind for kind in KINDS if getattr(result, "is_" + kind)())
        if kind == "proposal":
            await self.through(group, result.result)
        return kind, json.loads(result.message.event_json) if kind == "application_message" else None

    async def next(self, group):
        queue = self.events.setdefault(self.mdk.get_group(group).nostr_group_id, asyncio.Queue())
        return await self.process(group, await asyncio.wait_for(queue.get(), PATIENCE))

    async def hear(self, group):
        while True:
            _, message = await self.next(group)
            if message:
                return [message["pubkey"], str(message["kind"]), message["content"]]

    # Files

    async def share(self, group, folder):
        sealed = self.mdk.encrypt_media_for_upload(group, picture(), "image/png", "weir.png")
        tags = self.mdk.create_media_imeta_tag(group, sealed, f"{folder}/{sealed.encrypted_hash.hex()}")
        event = self.mdk.create_message(group, self.own, "the weir", 9, tags, None)
        return [await self.publish_json(event), sealed.encrypted_data.hex()]

    async def opened(self, group, sealed):
        while True:
            _, message = await self.next(group)
            tags = [tag for tag in (message or {"tags": []})["tags"] if tag[0] == "imeta"]
            if tags:
                break
        reference = self.mdk.parse_media_imeta_tag(group, tags)
        return [self.mdk.decrypt_media_from_download(group, bytes.fromhex(sealed), reference).hex()]

    async def dress(self, group):
        made = mdk_uniffi.prepare_group_image_for_upload(picture(), "image/png")
        update = mdk_uniffi.GroupDataUpdate(**NOTHING | {
            "image_hash": made.encrypted_hash, "image_key": made.image_key, "image_nonce": made.image_nonce})
        return [*await self.through(group, self.mdk.update_group_data(group, update)), made.encrypted_data.hex()]

    async def dressed(self, group, sealed):
        known = self.mdk.get_group(group)
        image = (known.image_hash, known.image_key, known.image_nonce)
        return [mdk_uniffi.decrypt_group_image(bytes.fromhex(sealed), *image).hex()]

    async def until(self, group, epoch):
        while self.mdk.get_group(group).epoch < int(epoch):
            await self.next(group)
        return [str(self.mdk.get_group(group).epoch)]

    async def all(self, group):
        queue = self.events.setdefault(self.mdk.get_group(group).nostr_group_id, asyncio.Queue())
        heard = [(await self.process(group, queue.get_nowait()))[0] for _ in range(queue.qsize())]
        filter = self.filter({"kinds": [445], "#h": [self.mdk.get_group(group).nostr_group_id]})
        target = nostr_sdk.ReqTarget.single(self.relay, [filter])
        events = await self.client.fetch_events(target, timeout=ONE_MINUTE)
        events = sorted(events, key=lambda event: (event.created_at().as_secs(), event.id().to_hex()))
        return heard + [(await self.process(group, event))[0] for event in events]

    async def state(self, group):
        known = self.mdk.get_group(group)
        tree = self.mdk.get_ratchet_tree_info(group)
        return [str(known.epoch), tree.tree_hash, known.name, *sorted(self.mdk.get_members(group))]


COMMANDS = ("announce", "found", "ask", "welcomed", "say", "add", "remove", "rename", "promote", "update", "leave",
            "stage", "commit", "concede", "share", "opened", "dress", "dressed", "hear", "until", "all", "state")


async def main():
    loop = asyncio.get_running_loop()
    nostr_sdk.uniffi_set_event_loop(loop)
    with tempfile.TemporaryDirectory() as folder:
        member = Member(sys.argv[1], sys.argv[2], folder)
        await member.start()
        listening = asyncio.create_task(member.listen())
        print(json.dumps(["ready", member.own]), flush=True)
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            name, *arguments = json.loads(line)
            try:
                answer = await getattr(member, name)(*arguments) if name in COMMANDS else ["failed", name]
            except Exception as error:  # the words are the answer
                answer = ["failed", f"{type(error).__name__} {error}"]
            print(json.dumps(answer), flush=True)
        listening.cancel()
        await member.client.shutdown()


asyncio.run(main())
