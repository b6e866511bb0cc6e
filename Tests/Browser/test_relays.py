"""One relay: its page, and the question whether it may learn who reads."""

from playwright.sync_api import expect

from conftest import DESKTOP, PHONE, wait_for
from looking import SIZES, holds_in_both, rules_within
from map_page import ASSETS


def strict_relay(page):
    """Goes to the page of a relay that shows its notes only to people it knows, and has not asked yet.

    The one there is stands on the person's own list, and is told; under its other name it is a stranger.
    """
    # Which relays people use, and what those say of themselves, comes with time.
    for _ in range(10):
        page.goto("/relays")
        links = page.locator("a.relay-name").evaluate_all("(links) => links.map((link) => link.getAttribute('href'))")
        for address in links:
            page.goto(address)
            if page.get_by_text("It asks everyone to log in.").count():
                stranger = page.locator(".relay-address").inner_text().replace("127.0.0.1", "localhost")
                page.goto(f"/relays/relay?relay={stranger}")
                expect(page.get_by_text("It has not asked, and would not be told.")).to_be_visible()
                return stranger
    raise AssertionError("there is no such relay in this world")


def test_a_relay_that_shows_its_notes_to_people_it_knows_is_answered_once_and_then_read(visit):
    page = visit("/relays", viewport=PHONE)
    address = strict_relay(page)
    page.get_by_role("link", name="Read its notes").click()
    strip = page.get_by_text("This relay shows its notes only to people it knows.")
    page.wait_for_url("**/relays/notes?**")
    wait_for(page, page.url, ".strip:has-text('This relay shows its notes only to people it knows.')")
    holds_in_both(page, "relay-asks-feed")
    expect(page.locator(".connection-words").first).to_contain_text("asks who you are")
    page.get_by_role("link", name="Answer").click()
    expect(page.locator("h1")).to_have_text("Relays that ask who you are")
    expect(page.get_by_text("for reading its notes")).to_be_visible()
    holds_in_both(page, "relay-question")
    name = address.split("://")[1]
    page.get_by_role("button", name=f"Always, to {name}").click()
    expect(page.get_by_text("may always know who you are")).to_be_visible()
    page.goto(f"/relays/notes?relay={address}")
    expect(page.locator(".note").first).to_be_visible(timeout=60000)
    expect(strip).to_have_count(0)
    # The answer is taken back on the relay's own page as well, without scripts, too.
    plain = visit(f"/relays/relay?relay={address}", viewport=DESKTOP, java_script_enabled=False)
    expect(plain.get_by_text("It may always know who you are.")).to_be_visible()
    plain.get_by_role("button", name="Take the answer back").click()
    expect(plain.get_by_text("It has not asked, and would not be told.")).to_be_visible()


def test_a_relay_is_made_a_favourite_blocked_and_let_in_again_by_keyboard(visit):
    page = visit("/relays", viewport=DESKTOP)
    wait_for(page, "/relays", "details.fold a.relay-name")
    # It is open where one of them waits for an answer.
    if page.locator("details.fold").first.get_attribute("open") is None:
        page.locator("details.fold > summary").first.click()
    # Not the first ones, which other tests read.
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
    holds_in_both(page, "relay-blocked")
    page.goto("/lists/10006")
    expect(page.get_by_text(address)).to_be_visible()
    page.goto(f"/relays/relay?relay={address}")
    page.get_by_role("button", name="Unblock this relay").click()
    expect(page.get_by_role("link", name="Read its notes")).to_be_visible()


@SIZES
def test_the_chart_of_relays_takes_no_style_of_the_map(visit, size):
    page = visit("/relays", viewport=size)
    chart = ".relay-figure"
    wait_for(page, "/relays", f"{chart} svg path")
    assert rules_within(page, (ASSETS / "pages.css").read_text(), chart) != []
    assert rules_within(page, (ASSETS / "map.css").read_text(), chart) == []
