"""The first run of somebody who has never heard of Nostr: from a new key to a home page with notes."""

import json
import os
import pathlib
import re
import time
import urllib.parse

import pytest
import websocket
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE, WATCH, send_now
from looking import shot, sticks_out, violations
from nostr import Author, publish

PASSPHRASE = "a long passphrase"
# A search waits eight seconds for a relay that never answers, and the machine may be busy with other tests.
SEARCHED = 120000


@pytest.fixture
def newcomer(chromium, own_program, demo):
    """Opens a fresh browser at the doors, logged in and nobody yet."""
    contexts, problems = [], []

    def open_page(**options):
        demo.goto("/settings")
        demo.get_by_role("button", name="Make a login link").click()
        link = demo.get_by_text(re.compile("^http://.*token=")).inner_text()
        context = chromium.new_context(base_url=own_program.base, **{"viewport": PHONE, **options})
        context.set_default_timeout(60000)
        contexts.append(context)
        page = context.new_page()
        page.add_init_script(WATCH)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(link)
        page.goto("/welcome")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert problems == []


def make_key(page, name):
    page.get_by_text("Create a new key").click()
    door = page.locator("details[open]")
    door.get_by_label("Name").fill(name)
    door.get_by_label("Passphrase", exact=True).fill(PASSPHRASE)
    door.get_by_label("Passphrase again").fill(PASSPHRASE)
    door.get_by_role("button", name="Create").click()
    page.wait_for_url("**/start/key")


def look(page, name):
    """No violation axe knows and nothing sticking out; a screenshot in light and dark, on this device and the other."""
    size = page.viewport_size
    for scheme in ["dark", "light"]:
        page.emulate_media(color_scheme=scheme)
        assert violations(page) == [], f"{name}, {scheme}"
        for device, other in [("desktop", DESKTOP), ("phone", PHONE)]:
            page.set_viewport_size(other)
            shot(page, f"first-{name}-{device}-{scheme}", full_page=True)
            assert sticks_out(page) == 0, name
        page.set_viewport_size(size)
    assert page.evaluate("window.ran") == []


def own_key(page):
    return page.locator(".nav-item[href^='/people/']").get_attribute("href").rsplit("/", 1)[-1]


def test_the_whole_first_run_on_a_phone(newcomer):
    page = newcomer()
    begun = time.monotonic()
    make_key(page, "Wren Newcomer")

    # The key, shown once.
    expect(page.get_by_role("heading", level=1)).to_have_text("Keep your key safe")
    expect(page.get_by_label("Your key, encrypted with your passphrase")).to_have_value(re.compile("^ncryptsec1"))
    look(page, "key")
    page.get_by_text("Write it down as 12 words").click()
    page.get_by_label("Passphrase", exact=True).fill("not it")
    page.get_by_role("button", name="Show the words").click()
    expect(page.get_by_role("alert")).to_contain_text("Wrong passphrase")
    page.get_by_text("Write it down as 12 words").click()
    page.get_by_label("Passphrase", exact=True).fill(PASSPHRASE)
    page.get_by_role("button", name="Show the words").click()
    expect(page.locator(".seed-words li")).to_have_count(12)
    page.goto("/start/key")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a file").click()
    assert pathlib.Path(download.value.path()).read_text().startswith("ncryptsec1")
    page.get_by_role("button", name="I have a copy").click()

    # Relays that others use and that answer, found meanwhile.
    page.wait_for_url("**/start/relays")
    rows = page.locator(".first-relays li")
    expect(rows.first).to_be_visible(timeout=SEARCHED)
    expect(page.locator("#step-status")).to_contain_text("relay lists of other people", timeout=SEARCHED)
    expect(rows.first).to_contain_text(re.compile(r"people use it · answers in \d+ ms"))
    chosen = page.locator(".first-relays select").evaluate_all("all => all.filter((one) => one.value === 'both').length")
    assert 1 <= chosen <= 3
    look(page, "relays")
    page.get_by_role("button", name="Publish these relays").click()
    expect(page.locator(".receipt.is-accepted").first).to_be_visible()
    expect(page.locator("#step-status")).to_contain_text("published")
    look(page, "relays-published")
    page.get_by_role("link", name="Continue").click()

    # The profile, with the name that the key was made with.
    page.wait_for_url("**/start/profile")
    expect(page.get_by_label("Name")).to_have_value("Wren Newcomer")
    page.get_by_label("Lightning address").fill("nonsense")
    page.get_by_role("button", name="Save and continue").click()
    expect(page.locator(".field .problem")).to_be_visible()
    page.get_by_label("Lightning address").fill("")
    page.get_by_label("About you").fill("New here.")
    look(page, "profile")
    page.get_by_role("button", name="Save and continue").click()

    # People who are writing now.
    page.wait_for_url("**/start/people")
    people = page.locator(".first-person input")
    expect(people.first).to_be_visible(timeout=SEARCHED)
    page.get_by_role("button", name="Follow those you ticked").click()
    expect(page.get_by_role("alert")).to_contain_text("Choose somebody")
    look(page, "people")
    page.get_by_role("button", name="Follow everybody here").click()

    # Topics.
    page.wait_for_url("**/start/topics")
    topics = page.locator(".first-topic")
    expect(topics.first).to_be_visible(timeout=SEARCHED)
    topics.nth(0).click()
    page.get_by_label("Others").fill("#knitting bread")
    look(page, "topics")
    page.get_by_role("button", name="Save and continue").click()

    # A first note, with time to undo it.
    page.wait_for_url("**/start/note")
    note = page.get_by_label("Your first note")
    expect(note).to_have_value("#introductions\n\n")
    page.get_by_role("button", name="Publish and go to Home").click()
    expect(page.get_by_role("alert")).to_contain_text("Write a few words")
    note.fill("#introductions\n\nHello, I am Wren and I bake.")
    look(page, "note")
    page.get_by_role("button", name="Publish and go to Home").click()
    # What is looked at first is there for ten seconds.
    page.wait_for_url("**/home*", wait_until="commit")
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    expect(page.locator("#held-bar")).to_contain_text(re.compile(r"\d+ s"))
    send_now(page)
    expect(page.locator(".note.is-focus")).to_contain_text("I am Wren")
    expect(page.locator(".note.is-focus a[href='/tags/introductions']")).to_be_visible()
    # The own note, the newest of all, hides none of those that others wrote before.
    page.goto("/home")
    key = own_key(page)
    others = page.locator(f".note:not(:has(.name a[href='/people/{key}']))")
    expect(others.first).to_be_visible(timeout=60000)
    print(f"first run, screenshots and checks included: {time.monotonic() - begun:.1f} s")
    expect(page.locator(".note", has_text="I am Wren").first).to_be_visible()
    # It is over: nobody is led through it twice, and the key is not shown again.
    page.goto("/")
    page.wait_for_url("**/home")
    page.goto("/start/key")
    page.wait_for_url("**/home")


def test_a_fresh_account_has_a_home_with_notes_and_nothing_to_type(newcomer):
    page = newcomer()
    make_key(page, "Quick Wren")
    # From here on nothing is typed: what it takes is what the program takes. Fifteen seconds are meant on a machine of its
    # own; here others take most of it, so that it is told and not judged.
    begun = time.monotonic()
    page.get_by_role("button", name="I have a copy").click()
    page.get_by_role("button", name="Publish these relays").click()
    page.get_by_role("link", name="Continue").click()
    page.wait_for_url("**/start/profile")
    page.get_by_role("button", name="Save and continue").click()
    page.get_by_role("button", name="Follow everybody here").click(timeout=SEARCHED)
    page.wait_for_url("**/start/topics")
    page.locator(".first-topic").first.click(timeout=SEARCHED)
    page.get_by_role("button", name="Save and continue").click()
    # Every step has a button of that name.
    page.wait_for_url("**/start/note")
    page.get_by_role("button", name="Skip this step").click()
    page.wait_for_url("**/home")
    page.locator(".note").first.wait_for()
    print(f"a home page with notes after {time.monotonic() - begun:.1f} s")


def test_by_keyboard_alone(newcomer):
    page = newcomer(viewport=DESKTOP)
    make_key(page, "Key Wren")

    def reach(button):
        for _ in range(120):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.textContent.trim()") == button:
                return page.keyboard.press("Enter")
        pytest.fail(f"{button} is not reached by keyboard")

    reach("I have a copy, continue")
    page.wait_for_url("**/start/relays")
    expect(page.get_by_role("button", name="Publish these relays")).to_be_visible(timeout=SEARCHED)
    reach("Publish these relays")
    expect(page.get_by_role("link", name="Continue")).to_be_visible()
    reach("Continue")
    page.wait_for_url("**/start/profile")
    reach("Save and continue")
    page.wait_for_url("**/start/people")
    expect(page.locator(".first-person").first).to_be_visible(timeout=SEARCHED)
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.type") == "checkbox":
            break
    page.keyboard.press("Space")
    expect(page.locator(".first-person input:checked")).to_have_count(1)
    reach("Follow those you ticked")
    page.wait_for_url("**/start/topics")
    reach("Skip this step")
    page.wait_for_url("**/start/note")
    page.get_by_label("Your first note").focus()
    page.keyboard.press("Control+End")
    page.keyboard.type("Hello by keyboard.")
    reach("Publish and go to Home")
    # It is there for ten seconds.
    page.wait_for_url("**/home*", wait_until="commit")
    page.get_by_role("button", name="Undo").press("Enter")
    expect(page.locator("#text")).to_have_value(re.compile("Hello by keyboard"))


def test_it_goes_on_where_it_was_and_every_step_can_be_skipped(newcomer, own_program):
    page = newcomer(java_script_enabled=False)
    make_key(page, "Late Wren")
    page.get_by_role("button", name="I have a copy").click()
    page.wait_for_url("**/start/relays")
    # Without scripts the page looks again by itself.
    expect(page.get_by_role("button", name="Publish these relays")).to_be_visible(timeout=SEARCHED)
    page.get_by_role("button", name="Publish these relays").click()
    page.get_by_role("link", name="Continue").click()
    page.wait_for_url("**/start/profile")
    # The browser is closed and opened again, at the front door.
    page.goto("/home")
    page.goto("/")
    page.wait_for_url("**/start/profile")
    expect(page.locator("[aria-current=step]")).to_contain_text("Profile")
    expect(page.locator(".first-count")).to_have_text("Step 3 of 6")
    for step in ["profile", "people", "topics", "note"]:
        page.wait_for_url(f"**/start/{step}")
        page.get_by_role("button", name="Skip this step").click()
    page.wait_for_url("**/home")


def test_a_key_that_is_brought_is_looked_up_with_progress(newcomer):
    page = newcomer()
    page.get_by_text("Bring your key").click()
    door = page.locator("details[open]")
    door.get_by_label("Secret key").fill("7f" * 32)
    door.get_by_label("Passphrase", exact=True).fill(PASSPHRASE)
    door.get_by_label("New passphrase again").fill(PASSPHRASE)
    door.get_by_role("button", name="Import").click()
    page.wait_for_url("**/arriving")
    expect(page.locator(".first-found li").first).to_contain_text("Your relay list")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    look(page, "arriving")
    expect(page.locator(".first-found .is-looking")).to_have_count(0, timeout=SEARCHED)
    page.get_by_role("link", name="Go to Home").click()
    page.wait_for_url("**/home")


def offered(relay, events):
    """Whether a relay took all of them; some of the world are dead, slow, or take nothing from strangers."""
    try:
        return len(publish(relay, events)) == len(events)
    except (OSError, ValueError, websocket.WebSocketException):
        return False


def somebody_who_was_here_before(demo):
    """A key with a profile, relays and people it follows, all of it on relays of the world."""
    demo.goto("/home")
    demo.locator(".note").nth(5).wait_for()
    people = sorted(set(demo.locator(".note").evaluate_all("(notes) => notes.map((note) => note.dataset.author)")))[:4]
    demo.goto("/relays")
    links = demo.locator("a.relay-name").evaluate_all("(links) => links.map((link) => link.getAttribute('href'))")
    relays = [urllib.parse.parse_qs(urllib.parse.urlsplit(link).query)["relay"][0] for link in links]
    robin = Author(int.from_bytes(os.urandom(31), "big"))
    events = [
        robin.event(0, json.dumps({"name": "Robin Returner", "about": "Back again."})),
        robin.event(3, "", [["p", key] for key in people]),
        robin.event(10050, "", [["relay", relays[0]]]),
    ]
    held = [relay for relay in relays if offered(relay, events)]
    assert held, "no relay of the world took it"
    # An indexer takes lists and no notes.
    note = robin.event(1, "Back on the pier tomorrow.")
    writes = [relay for relay in held if offered(relay, [note])][:2]
    assert writes, "no relay of the world took a note"
    list_of_relays = robin.event(10002, "", [["r", relay] for relay in writes])
    assert any([offered(relay, [list_of_relays]) for relay in held])
    return robin, people


def test_a_key_that_is_brought_finds_its_person_with_profile_follows_and_relays(newcomer, demo):
    robin, people = somebody_who_was_here_before(demo)
    page = newcomer()
    page.get_by_text("Bring your key").click()
    door = page.locator("details[open]")
    door.get_by_label("Secret key").fill(robin.secret.to_bytes(32, "big").hex())
    door.get_by_label("Passphrase", exact=True).fill(PASSPHRASE)
    door.get_by_label("New passphrase again").fill(PASSPHRASE)
    door.get_by_role("button", name="Import").click()
    page.wait_for_url("**/arriving")
    found = page.locator(".first-found li.is-found")
    for title in ["Your relay list", "Your profile", "Where you receive private messages"]:
        expect(found.filter(has_text=title)).to_be_visible(timeout=SEARCHED)
    expect(found.filter(has_text="People you follow")).to_contain_text(f"{len(people)} people", timeout=SEARCHED)
    expect(found.filter(has_text="Your recent notes")).to_contain_text("1 note", timeout=SEARCHED)
    expect(page.locator("progress")).to_have_attribute("max", str(len(people)))
    expect(page.locator("#step-status")).to_contain_text("is here", timeout=SEARCHED)
    look(page, "arrived")
    page.get_by_role("link", name="Go to Home").click()
    page.wait_for_url("**/home")
    assert own_key(page) == robin.key
    expect(page.locator(".note").first).to_be_visible(timeout=SEARCHED)
    page.goto(f"/people/{robin.key}")
    expect(page.locator("h1").first).to_contain_text("Robin Returner")
