"""One member of Marmot groups, by MDK; does what standard input says, one JSON array per line.

argv: the member's secret key
["key_package"]               -> [event], to be signed already
["create", name, event, ...]  -> [group id, id on relays, welcome rumor, ...]
["join", rumor]               -> [group id]
["say", group, text]          -> [event]
["process", group, event]     -> [what it was, content of a message, or the commit of a proposal]
["add", group, event]         -> [event, welcome rumor]
["remove", group, key]        -> [event]
["update", group]             -> [event]
["leave", group]              -> [event]
["merge", group]              -> ["merged"]
["state", group]              -> [epoch, SHA-256 of the encoded tree, members, name]
What fails is answered with ["failed", words].
"""
import json
import os
import secrets
import sys
import tempfile

import nostr_sdk
from mdk import mdk_uniffi

RELAYS = ["wss://relay.example.com"]
KINDS = ("application_message", "proposal", "pending_proposal", "commit", "unprocessable", "ignored_proposal",
         "previously_failed", "external_join_proposal")

keys = nostr_sdk.Keys.parse(sys.argv[1])
own = keys.public_key().to_hex()
folder = tempfile.TemporaryDirectory()
mdk = mdk_uniffi.new_mdk_with_key(os.path.join(folder.name, "mdk.db"), bytes(32), None)


def key_package():
    made = mdk.create_key_package_for_event(own, RELAYS)
    tags = [nostr_sdk.Tag.parse(tag) for tag in made.tags]
    return [nostr_sdk.EventBuilder(nostr_sdk.Kind(30443), made.key_package).tags(tags).finalize(keys).as_json()]


def create(name, *packages):
    made = mdk.create_group(own, list(packages), name, "", RELAYS, [own])
    mdk.merge_pending_commit(made.group.mls_group_id)
    return [made.group.mls_group_id, made.group.nostr_group_id, *made.welcome_rumors_json]


def join(rumor):
    welcome = mdk.process_welcome(secrets.token_hex(32), rumor)
    mdk.accept_welcome(welcome)
    return [welcome.mls_group_id]


def say(group, text):
    return [mdk.create_message(group, own, text, 9, None, None)]


def process(group, event):
    result = mdk.process_message(event)
    kind = next(kind for kind in KINDS if getattr(result, "is_" + kind)())
    if kind == "application_message":
        return [kind, json.loads(result.message.event_json)["content"]]
    return [kind, result.result.evolution_event_json] if kind == "proposal" else [kind]


def add(group, package):
    made = mdk.add_members(group, [package])
    return [made.evolution_event_json, *made.welcome_rumors_json]


def remove(group, key):
    return [mdk.remove_members(group, [key]).evolution_event_json]


def update(group):
    return [mdk.self_update(group).evolution_event_json]


def leave(group):
    return [mdk.leave_group(group).evolution_event_json]


def merge(group):
    mdk.merge_pending_commit(group)
    return ["merged"]


def state(group):
    tree = mdk.get_ratchet_tree_info(group)
    return [str(mdk.get_group(group).epoch), tree.tree_hash, str(len(mdk.get_members(group))), mdk.get_group(group).name]


COMMANDS = {
    work.__name__: work
    for work in (key_package, create, join, say, process, add, remove, update, leave, merge, state)
}

print(json.dumps(["ready", own]), flush=True)
for line in sys.stdin:
    name, *arguments = json.loads(line)
    try:
        answer = COMMANDS[name](*arguments)
    except Exception as error:  # the words are the answer
        answer = ["failed", str(error)]
    print(json.dumps(answer), flush=True)
