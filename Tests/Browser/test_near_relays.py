"""Relays in private networks that others chose: said where they are wanted, allowed by a button, and reached then."""

import base64
import json
import os
import re

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE, write_only_to
from looking import fits_in_both, holds_in_both
from nostr import Author
from test_messages import PATIENCE, robin_and_heron

GIFT_WRAP = 1059


@pytest.fixture(scope="module")
def people(chromium, own_program):
    yield from robin_and_heron(chromium, own_program)


@pytest.fixture
def plain(chromium, own_program, people):
    """Opens a page as Heron on a phone, without scripts."""
    contexts = []

    def opening(path):
        state = people[1].context.storage_state()
        context = chromium.new_context(
            storage_state=state, viewport=PHONE, base_url=own_program.base, java_script_enabled=False)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.goto(path)
        return page

    yield opening
    for context in contexts:
        context.close()


def reload_until(page, locator):
    """Opens the page again until something is there: a relay is refused, or tried, in the background."""
    for _ in range(120):
        if locator.count():
            break
        page.wait_for_timeout(500)
        page.reload()
    expect(locator.first).to_be_visible()


def join(robin, heron):
    """Robin makes a circle and lets Heron in; gives the circle's address."""
    page = robin.page
    page.goto("/circles/new")
    page.get_by_label("What is it called?").fill("The weir")
    page.get_by_role("button", name="Make the circle").click()
    # The field may be there before its text is.
    expect(page.get_by_label("Link", exact=True)).to_have_value(re.compile("^whistle://invite/"))
    heron.page.goto("/circles/new")
    heron.page.get_by_label("The code or link you were given").fill(page.get_by_label("Link", exact=True).input_value())
    heron.page.get_by_role("button", name="Ask to join").click()
    expect(page.get_by_role("heading", name="Asking to join")).to_be_visible(timeout=PATIENCE)
    address = page.url.removesuffix("/invitations")
    page.goto(address + "/people")
    page.get_by_role("button", name="Let them in").click()
    expect(heron.page.get_by_role("link", name="The weir")).to_be_visible(timeout=PATIENCE)
    return address


def test_a_circle_at_such_a_relay_says_so_and_is_read_once_that_is_allowed(people, relay):
    robin, heron = people
    write_only_to(robin.page, relay.address)
    address = join(robin, heron)
    robin.page.goto(address)
    robin.write("Sunday at the weir?")
    page = heron.page
    page.goto(address)
    allow = page.get_by_role("button", name=f"Allow {relay.address}")
    reload_until(page, allow)
    warning = page.get_by_role("region", name="Relays of this circle")
    expect(warning).to_contain_text("is in a private network")
    reload_until(page, page.locator("[data-talk-state]", has_text="No relay of this circle is connected"))
    for name, size in (("desk", DESKTOP), ("phone", PHONE)):
        page.set_viewport_size(size)
        for tab in ("", "/people", "/map"):
            page.goto(address + tab)
            expect(allow).to_be_visible()
            holds_in_both(page, f"near-circle{tab.replace('/', '-')}-{name}")
    page.goto(address)
    allow.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".notice")).to_contain_text(f"You allowed {relay.address}")
    holds_in_both(page, "near-circle-allowed")
    expect(allow).to_have_count(0)
    # Long before the minute is over that a refused relay rests.
    expect(heron.message("Sunday at the weir?")).to_be_visible(timeout=30000)
    page.reload()
    expect(warning).to_have_count(0)
    # It is taken back where all that were allowed are listed.
    page.goto("/relays")
    page.get_by_role("button", name=f"Take back {relay.address}").click()
    expect(page.locator(".notice")).to_contain_text("again unless you allow it")
    page.set_viewport_size(DESKTOP)


def test_an_invitation_to_such_a_relay_says_so_and_is_answered_there_once_that_is_allowed(people, relay, plain):
    _, heron = people
    stranger = Author(int.from_bytes(os.urandom(31), "big"))
    code = json.dumps({"relay": relay.address, "inviterNpub": stranger.key, "groupId": "0a0b0c", "name": "The mill"})
    page = heron.page
    page.goto("/circles/new")
    page.get_by_label("The code or link you were given").fill(base64.b64encode(code.encode()).decode())
    page.get_by_role("button", name="Ask to join").click()
    expect(page.locator(".notice")).to_contain_text("You are in when an admin lets you in")
    allow = page.get_by_role("button", name=f"Allow {relay.address}")
    # The page shows by itself what came of the first try.
    expect(allow).to_be_visible(timeout=PATIENCE)
    holds_in_both(page, "near-invitation-desk")
    phone = plain("/circles")
    expect(phone.get_by_text("that the invitation names")).to_be_visible()
    fits_in_both(phone, "near-invitation-phone")
    phone.get_by_role("button", name=f"Allow {relay.address}").click()
    expect(phone.locator(".notice")).to_contain_text(f"You allowed {relay.address}")
    relay.wait_for(GIFT_WRAP, 1)
    expect(allow).to_have_count(0, timeout=PATIENCE)


def test_a_search_at_such_a_relay_says_so_and_goes_there_once_that_is_allowed(relay, plain, people):
    page = plain("/search")
    page.locator(".search-more summary").click()
    page.get_by_label("Or only this relay").fill(relay.address)
    page.get_by_role("searchbox").fill("heron")
    page.locator("form.search-form").get_by_role("button", name="Search").click()
    allow = page.get_by_role("button", name=f"Allow {relay.address}")
    reload_until(page, allow)
    expect(page.get_by_text("is in a private network and was not asked.")).to_be_visible()
    fits_in_both(page, "near-search-phone")
    allow.click()
    expect(page.locator(".notice")).to_contain_text(f"You allowed {relay.address}")
    reload_until(page, page.get_by_text("1 relay answered."))
    fits_in_both(page, "near-search-allowed-phone")
