"""Every page: no violation axe knows, in light and dark, on a phone and a desk; and a screenshot of each."""

import pathlib
import urllib.parse

import pytest
from axe_playwright_python.sync_playwright import Axe

from conftest import DESKTOP, PHONE

SHOTS = pathlib.Path(__file__).parents[2] / ".build" / "screenshots"
PAGES = [
    "home", "thread", "own-note", "person", "own-profile", "profile-edit", "search", "search-empty", "compose", "answer",
    "tag", "relays", "relay", "settings", "shortcuts", "missing", "unlock", "welcome", "login",
]


@pytest.fixture(scope="module")
def addresses(chromium, program, session):
    context = chromium.new_context(storage_state=session, base_url=program.base)
    page = context.new_page()
    page.set_default_timeout(60000)
    page.goto("/compose")
    page.get_by_label("Your note").fill("A note of one's own, for its page.")
    page.get_by_role("button", name="Publish").click()
    page.get_by_role("button", name="Send now").click()
    page.wait_for_url("**/note/*")
    own_note = urllib.parse.urlparse(page.url).path
    page.goto("/relays")
    relay = page.locator("a.relay-name").first.get_attribute("href")
    page.goto("/home")
    own_page = page.locator(".nav-item[href^='/people/']").get_attribute("href")
    note = page.locator(f".note:not(:has(.name a[href='{own_page}']))").first
    notes = page.locator(".note:has(.act[aria-label^='Reply']:not([aria-label$=', ']))")
    answered = (notes if notes.count() else page.locator(".note")).first.get_attribute("data-id")
    found = {
        "home": "/home", "thread": f"/note/{answered}", "own-note": own_note,
        "person": note.locator(".name a").first.get_attribute("href"),
        "own-profile": own_page,
        "profile-edit": "/profile/edit", "search": "/search?q=bread", "search-empty": "/search?q=zzzzzzzz",
        "compose": "/compose", "answer": f"/compose?reply={answered}", "tag": "/tags/birds", "relays": "/relays", "relay": relay,
        "settings": "/settings", "shortcuts": "/shortcuts", "missing": "/nothing-here", "unlock": "/unlock",
        "welcome": "/welcome", "login": "/login",
    }
    context.close()
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_has_no_violation_and_no_surprise(name, scheme, visit, addresses):
    SHOTS.mkdir(parents=True, exist_ok=True)
    for device, size in [("desktop", DESKTOP), ("phone", PHONE)]:
        page = visit(addresses[name], viewport=size, color_scheme=scheme)
        page.wait_for_timeout(400)
        page.screenshot(path=SHOTS / f"{name}-{device}-{scheme}.png")
        violations = Axe().run(page).response["violations"]
        told = [(found["id"], [node["target"] for node in found["nodes"]][:3]) for found in violations]
        assert told == [], f"{name} on a {device}, {scheme}"
        assert page.evaluate("window.ran") == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out sideways"
        page.context.close()


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
