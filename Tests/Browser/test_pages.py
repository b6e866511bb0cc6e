"""Every page: no violation axe knows, in light and dark, on a phone and a desk; and a screenshot of each."""

import urllib.parse

import pytest

from conftest import DESKTOP, PHONE, send_now
from looking import SIZES, holds_in_both

PAGES = [
    "home", "thread", "own-note", "person", "own-profile", "profile-edit", "search", "search-empty", "compose", "answer",
    "tag", "relays", "relay", "settings", "shortcuts", "missing", "unlock", "welcome", "login",
    "report-note", "report-person", "search-name",
]


@pytest.fixture(scope="module")
def addresses(chromium, program, session):
    context = chromium.new_context(storage_state=session, base_url=program.base)
    page = context.new_page()
    page.set_default_timeout(60000)
    page.goto("/compose")
    page.get_by_label("Your note").fill("A note of one's own, for its page.")
    page.get_by_role("button", name="Publish").click()
    send_now(page)
    own_note = urllib.parse.urlparse(page.url).path
    page.goto("/relays")
    relay = page.locator("a.relay-name").first.get_attribute("href")
    page.goto("/home")
    own_page = page.locator(".nav-item[href^='/people/']").get_attribute("href")
    note = page.locator(f".note:not(:has(.name a[href='{own_page}']))").first
    notes = page.locator(".note:has(.act[aria-label^='Reply']:not([aria-label$=', ']))")
    answered = (notes if notes.count() else page.locator(".note")).first.get_attribute("data-id")
    person = note.locator(".name a").first.get_attribute("href")
    found = {
        "home": "/home", "thread": f"/note/{answered}", "own-note": own_note,
        "person": person, "report-person": f"{person}/report",
        "search-name": "/search/name?q=nobody@birds.example",
        "report-note": f"/note/{note.get_attribute('data-id')}/report",
        "own-profile": own_page,
        "profile-edit": "/profile/edit", "search": "/search?q=bread", "search-empty": "/search?q=zzzzzzzz",
        "compose": "/compose", "answer": f"/compose?reply={answered}", "tag": "/tags/birds", "relays": "/relays", "relay": relay,
        "settings": "/settings", "shortcuts": "/shortcuts", "missing": "/nothing-here", "unlock": "/unlock",
        "welcome": "/welcome", "login": "/login",
    }
    context.close()
    return found


@SIZES
@pytest.mark.parametrize("name", PAGES)
def test_has_no_violation_and_no_surprise(name, size, visit, addresses):
    page = visit(addresses[name], viewport=size)
    page.wait_for_timeout(400)
    holds_in_both(page, f"{name}-{'desktop' if size == DESKTOP else 'phone'}")
    assert page.evaluate("window.ran") == []


def test_targets_can_be_hit_with_a_thumb(visit):
    page = visit("/home", viewport=PHONE)
    small = page.evaluate(
        """[...document.querySelectorAll("button, .nav-item, .act, .button")]
             .filter((element) => element.checkVisibility())
             .map((element) => [element.className, element.getBoundingClientRect()])
             .filter(([, box]) => box.width > 0 && (box.width < 44 || box.height < 44)).map(([name]) => name)"""
    )
    assert small == []


def test_motion_stops_for_those_who_ask(visit):
    page = visit("/home", reduced_motion="reduce")
    moving = page.evaluate("document.getAnimations().filter((animation) => animation.playState === 'running').length")
    assert moving == 0
