"""Every page: no violation axe knows, in light and dark, on a phone and a desk; and a screenshot of each."""

import urllib.parse

import pytest

from conftest import DESKTOP, PHONE, send_now
from looking import SIZES, holds_in_both

PAGES = [
    "home", "thread", "own-note", "person", "own-profile", "profile-edit", "search", "search-empty", "compose", "answer",
    "tag", "relays", "relay", "settings", "shortcuts", "missing", "unlock", "welcome", "login",
    "report-note", "report-person", "search-name", "note-menu", "followers",
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
        "followers": f"{person}/followers", "note-menu": f"/note/{answered}/menu",
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


# Pairs among what stands in the head of a person's page that lie over each other by more than lines of text do.
LYING_OVER = """() => {
  const head = document.querySelector("section.person");
  const parts = head.querySelectorAll(":scope > .avatar, .person-acts .button, h1, .handle, .address, .about, .person-facts span");
  const boxes = [...parts].filter((part) => part.checkVisibility()).map((part) => {
    const words = document.createRange();
    words.selectNodeContents(part);
    const isBox = part.matches(".avatar, .button");
    return [part, (isBox ? part : words).getBoundingClientRect()];
  });
  const found = [];
  for (const [one, a] of boxes) {
    for (const [other, b] of boxes) {
      if (one === other || one.contains(other) || other.contains(one)) continue;
      const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (width > 8 && height > 8) found.push(`${one.className || one.tagName} ${other.className || other.tagName}`);
    }
  }
  return found;
}"""


@pytest.mark.parametrize("name", ["person", "own-profile"])
@pytest.mark.parametrize("width", [PHONE["width"], 360])
def test_the_head_of_a_profile_is_drawn_right_on_a_phone(name, width, visit, addresses):
    page = visit(addresses[name], viewport={**PHONE, "width": width})
    assert page.evaluate(LYING_OVER) == []
    picture = page.locator("section.person > .avatar").bounding_box()
    assert picture["x"] >= 0 and picture["width"] == picture["height"]
    for button in page.locator(".person-acts .button").all():
        box = button.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width


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
