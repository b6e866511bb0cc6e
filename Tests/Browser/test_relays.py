"""One relay: its page, and the question whether it may learn who reads."""

import pathlib

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE

SHOTS = pathlib.Path(__file__).parents[2] / ".build" / "screenshots"


@pytest.fixture
def open_page(visit):
    SHOTS.mkdir(parents=True, exist_ok=True)
    return visit


def holds(page, name):
    """No violation axe knows and nothing sticking out, in light and dark; a screenshot of each."""
    for scheme in ["light", "dark"]:
        page.emulate_media(color_scheme=scheme)
        page.screenshot(path=SHOTS / f"{name}-{scheme}.png")
        told = [(found["id"], [node["target"] for node in found["nodes"]][:3]) for found in Axe().run(page).response["violations"]]
        assert told == [], f"{name}, {scheme}"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out sideways"


def strict_relay(page):
    """Goes to the page of a relay that shows its notes only to people it knows, and has not asked yet.

    The one there is stands on the person's own list, and is told; under its other name it is a stranger.
    """
    page.goto("/relays")
    for address in page.locator("a.relay-name").evaluate_all("(links) => links.map((link) => link.getAttribute('href'))"):
        page.goto(address)
        if page.get_by_text("It wants to know who everybody is.").count():
            stranger = page.locator(".relay-address").inner_text().replace("127.0.0.1", "localhost")
            page.goto(f"/relays/relay?relay={stranger}")
            expect(page.get_by_text("It has not asked, and would not be told.")).to_be_visible()
            return stranger
    raise AssertionError("there is no such relay in this world")


def test_a_relay_that_shows_its_notes_to_people_it_knows_is_answered_once_and_then_read(open_page):
    page = open_page("/relays", viewport=PHONE)
    address = strict_relay(page)
    page.get_by_role("link", name="Read its notes").click()
    strip = page.get_by_text("This relay shows its notes only to people it knows.")
    for _ in range(30):
        if strip.count():
            break
        page.wait_for_timeout(500)
        page.reload()
    expect(strip).to_be_visible()
    holds(page, "relay-asks-feed")
    expect(page.locator(".connection-words").first).to_contain_text("asks who you are")
    page.get_by_role("link", name="Answer").click()
    expect(page.locator("h1")).to_have_text("Relays that ask who you are")
    expect(page.get_by_text("for reading its notes")).to_be_visible()
    holds(page, "relay-question")
    name = address.split("://")[1]
    page.get_by_role("button", name=f"Always, to {name}").click()
    expect(page.get_by_text("may always know who you are")).to_be_visible()
    page.goto(f"/relays/notes?relay={address}")
    expect(page.locator(".note").first).to_be_visible(timeout=60000)
    expect(strip).to_have_count(0)
    # The answer is taken back on the relay's own page as well, without scripts, too.
    plain = open_page(f"/relays/relay?relay={address}", viewport=DESKTOP, java_script_enabled=False)
    expect(plain.get_by_text("It may always know who you are.")).to_be_visible()
    plain.get_by_role("button", name="Take the answer back").click()
    expect(plain.get_by_text("It has not asked, and would not be told.")).to_be_visible()


def test_a_relay_is_made_a_favourite_blocked_and_let_in_again_by_keyboard(open_page):
    page = open_page("/relays", viewport=DESKTOP)
    # Not the first ones, which other tests read.
    page.locator("details.fold > summary").first.click()
    page.locator("details.fold a.relay-name").last.click()
    address = page.locator(".relay-address").inner_text()
    page.get_by_role("button", name="Make it a favourite").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("is on “Favourite relays” now")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Make it a favourite")).to_be_visible()
    page.get_by_role("button", name="Block this relay").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Unblock this relay")).to_be_visible()
    expect(page.get_by_role("link", name="Read its notes")).to_have_count(0)
    expect(page.locator("main span.health")).to_have_text("Blocked")
    holds(page, "relay-blocked")
    page.goto("/lists/10006")
    expect(page.get_by_text(address)).to_be_visible()
    page.goto(f"/relays/relay?relay={address}")
    page.get_by_role("button", name="Unblock this relay").click()
    expect(page.get_by_role("link", name="Read its notes")).to_be_visible()
