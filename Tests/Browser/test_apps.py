"""Apps for kinds that Linnet does not show: links beside what the event is, by keyboard, and none that leads astray."""

import json
import time

import pytest
from playwright.sync_api import expect

from conftest import PHONE, publish_nearby, wait_for
from looking import SIZES, holds_in_both
from nostr import Author

# Few programs know it, and nobody in the simulated network uses it.
KIND = 31_872


@pytest.fixture(scope="module")
def odd(program, chromium, session):
    """An event of a kind that is not shown, and apps of strangers for it, on the relays the demo person uses."""
    now = int(time.time())
    author = Author(20_001)
    event = author.event(KIND, "{}", [["d", "x"], ["alt", "A crossing of the bay"]], at=now - 60)
    pages = ["https://sail.example/a/<bech32>", "javascript:alert(1)//<bech32>", "http://plain.example/<bech32>"]
    events = [author.event(1, "I was out", at=now - 70), event]
    for index, template in enumerate(pages):
        content = json.dumps({"name": f"Sail <b>{index}</b>"})
        tags = [["d", str(index)], ["k", str(KIND)], ["web", template, "naddr"]]
        events.append(Author(20_010 + index).event(31990, content, tags, at=now - 50))
    context = chromium.new_context(storage_state=session, base_url=program.base)
    page = context.new_page()
    page.goto("/home")
    publish_nearby(page, events)
    context.close()
    return event["id"]


@SIZES
def test_apps_stand_beside_what_an_event_is(size, visit, odd):
    page = visit("/home", viewport=size)
    wait_for(page, f"/note/{odd}", ".apps a[target='_blank']")
    link = page.locator(".apps a[target='_blank']")
    expect(page.get_by_text("A crossing of the bay")).to_be_visible()
    expect(link).to_have_count(1)
    expect(link).to_have_text("Sail <b>0</b>")
    assert link.get_attribute("href").startswith("https://sail.example/a/naddr1")
    assert "noreferrer" in link.get_attribute("rel")
    expect(page.locator(".apps")).to_contain_text("nobody you follow recommends it")
    holds_in_both(page, f"apps-{size['width']}")
    link.focus()
    expect(link).to_be_focused()


def test_apps_are_there_without_scripts(visit, odd):
    page = visit("/home", viewport=PHONE, java_script_enabled=False)
    wait_for(page, f"/note/{odd}", ".apps")
    expect(page.get_by_role("heading", name="Apps that say they show it")).to_be_visible()
