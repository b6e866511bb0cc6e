"""Drafts that another client left on a relay: found, opened, gone on with, and deleted there, too."""

import json
import os
import re
import time
import urllib.parse

import pytest
import websocket
from playwright.sync_api import expect

from bunker import conversation_key, encrypt
from conftest import enter, wait_for
from nostr import Author, publish

PASSPHRASE = "a long passphrase"
DRAFT = 31234
# Wisp names drafts by a UUID in capitals.
NAME = "6F1D0C9E-0E0B-4F5C-9B53-0B6C8E3A1B11"
PICTURE = "https://blossom.example/heron.jpg"


@pytest.fixture
def robin():
    return Author(int.from_bytes(os.urandom(31), "big"))


@pytest.fixture
def page(chromium, own_program, robin, relay):
    """Where Robin's own key was brought to Linnet, whose list names the relay."""
    context = chromium.new_context(base_url=own_program.base)
    page = context.new_page()
    enter(page, own_program)
    listed = robin.event(10002, "", [["r", relay.address]])
    page.goto("/relays")
    links = page.locator("a.relay-name").evaluate_all("(links) => links.map((link) => link.getAttribute('href'))")
    known = [urllib.parse.parse_qs(urllib.parse.urlsplit(link).query)["relay"][0] for link in links]
    assert any([offered(one, listed) for one in known]), "no relay of the world took the list"
    page.goto("/settings")
    page.get_by_role("button", name="Make a login link").click()
    link = page.get_by_text(re.compile("^http://.*token=")).inner_text()
    context.clear_cookies()
    page.goto(link)
    page.goto("/welcome")
    page.get_by_text("Bring your key").click()
    door = page.locator("details[open]")
    door.get_by_label("Secret key").fill(robin.secret.to_bytes(32, "big").hex())
    door.get_by_label("Passphrase", exact=True).fill(PASSPHRASE)
    door.get_by_label("New passphrase again").fill(PASSPHRASE)
    door.get_by_role("button", name="Import").click()
    page.wait_for_url("**/arriving")
    expect(page.locator(".first-found .is-looking")).to_have_count(0, timeout=120000)
    yield page
    context.close()


def offered(relay, event):
    """Whether a relay took an event; some of the world are dead, slow, or take nothing from strangers."""
    try:
        return publish(relay, [event]) == [event["id"]]
    except (OSError, ValueError, websocket.WebSocketException):
        return False


def wisp(author, name, content, at):
    """A draft as Wisp writes it: no date of its end, the author's key inside, no id and no signature."""
    tags = [["imeta", f"url {PICTURE}", "m image/jpeg", "dim 640x480"]]
    inner = {"kind": 1, "pubkey": author.key, "created_at": at, "tags": tags, "content": content}
    sealed = encrypt(json.dumps(inner), conversation_key(author.secret, author.key))
    return author.event(DRAFT, sealed, [["d", name], ["k", "1"]], at=at)


@pytest.fixture
def draft(relay, robin):
    """What waits at Robin's relay before Linnet knows the key."""
    made = wisp(robin, NAME, "A heron, begun on the phone", int(time.time()) - 600)
    assert publish(relay.address, [made]) == [made["id"]]
    return made


def test_a_draft_as_wisp_makes_it_opens_and_is_deleted(draft, page, relay, robin):
    row = page.locator(".entry", has_text="A heron, begun on the phone")
    wait_for(page, "/drafts", ".entry")
    expect(row).to_have_count(1)
    row.get_by_role("link", name="Continue").click()
    expect(page.get_by_label("Your note")).to_have_value("A heron, begun on the phone")
    expect(page.locator("main")).to_contain_text("blossom.example")
    page.goto("/drafts")
    row.get_by_role("button", name="Delete").click()
    expect(row).to_have_count(0)
    # Where it was found it goes, too: by a request (NIP-09), and by one without words in its place, as Wisp does.
    relay.wait_for(5, 1)
    relay.wait_for(DRAFT, 2)
    deletion = relay.newest(5)
    assert ["a", f"{DRAFT}:{robin.key}:{NAME}"] in deletion["tags"]
    blank = relay.newest(DRAFT)
    assert blank["content"] == "" and ["d", NAME] in blank["tags"]
