"""Somebody who is let into a circle late is told how much is still to be read, until all of it has come."""

import re

import pytest
from playwright.sync_api import expect

from conftest import add_own_relay, write_only_to
from test_messages import PASSPHRASE, PATIENCE, robin_and_heron

# What a circle's relay holds (MIP-03).
GROUP_EVENT = 445
SAID = [f"Line {number} of them" for number in range(1, 27)]


@pytest.fixture(scope="module")
def people(chromium, own_program):
    yield from robin_and_heron(chromium, own_program)


def ask_to_join(robin, heron):
    """Robin makes a circle, and Heron asks to join it and locks the key; gives the circle's address."""
    page = robin.page
    page.goto("/circles/new")
    page.get_by_label("What is it called?").fill("The weir")
    page.get_by_role("button", name="Make the circle").click()
    # The field may be there before its text is.
    expect(page.get_by_label("Link", exact=True)).to_have_value(re.compile("^whistle://invite/"))
    link = page.get_by_label("Link", exact=True).input_value()
    heron.page.goto("/circles/new")
    heron.page.get_by_label("The code or link you were given").fill(link)
    heron.page.get_by_role("button", name="Ask to join").click()
    expect(heron.page.locator(".notice")).to_contain_text("You are in when an admin lets you in")
    expect(page.get_by_role("heading", name="Asking to join")).to_be_visible(timeout=PATIENCE)
    heron.page.goto("/keys")
    heron.page.locator("main").get_by_role("button", name="Lock now").click()
    expect(heron.page.locator("#locked")).to_be_visible()
    return page.url.removesuffix("/invitations")


def let_in(robin, address):
    page = robin.page
    page.goto(address + "/people")
    page.get_by_role("button", name="Let them in").click()
    page.goto(address + "/people")
    expect(page.locator("#members")).to_have_text("2 people in this circle", timeout=PATIENCE)


def unlock(heron):
    heron.page.goto("/unlock")
    heron.page.get_by_label("Passphrase").fill(PASSPHRASE)
    heron.page.get_by_role("button", name="Unlock").click()
    expect(heron.page.locator("#locked")).to_have_count(0)


def expect_to_read(page, count):
    """Waits until at least so much is said to be still to be read."""
    page.wait_for_function(
        """(count) => {
            const words = document.querySelector("[data-talk-state]")?.textContent ?? "";
            return Number(words.match(/^Catching up, (\\d+) to read$/)?.[1] ?? 0) >= count;
        }""",
        arg=count, timeout=PATIENCE,
    )


def test_who_is_let_in_late_is_told_how_much_is_to_be_read_until_all_has_come(people, relay):
    robin, heron = people
    # A relay of a private network is reached by who named it alone.
    write_only_to(robin.page, relay.address)
    add_own_relay(heron.page, relay.address, "read")
    address = ask_to_join(robin, heron)
    let_in(robin, address)
    robin.page.goto(address)
    # The circle is at this relay.
    relay.wait_for(GROUP_EVENT, 1)
    before = relay.count(GROUP_EVENT)
    for line in SAID:
        robin.write(line)
    relay.wait_for(GROUP_EVENT, before + len(SAID))
    relay.hold(9)
    unlock(heron)
    page = heron.page
    page.goto("/circles")
    page.get_by_role("link", name="The weir").click()
    expect_to_read(page, 9)
    page.evaluate("window.untouched = true")
    relay.hold(18)
    expect_to_read(page, 18)
    expect(heron.message(SAID[0])).to_have_count(0)
    relay.let_go()
    expect(page.locator("[data-talk-state]")).to_have_text("", timeout=PATIENCE)
    for line in (SAID[0], SAID[-1]):
        expect(heron.message(line)).to_be_visible(timeout=PATIENCE)
    assert page.evaluate("window.untouched"), "the page was not loaded again"
    page.goto(address + "/settings")
    expect(page.locator(".circle-facts")).to_contain_text("Up to date")
