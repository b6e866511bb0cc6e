"""What pages say is so: of notes that are on their way, of keys, of a home without follows, of apps that never answered."""

import json
import re
import time
import urllib.parse

import pytest
import websocket
from playwright.sync_api import expect

from bunker import App, Signer
from conftest import PHONE, WATCH, skip_to_home, undo_for, wait_for, write_only_to
from nostr import Author, publish
from test_remote_signer import Extension
from test_signer import token

PASSPHRASE = "a long passphrase"
# Long enough for the ten seconds in which a note can be taken back, on a machine that is busy; half of the time for which a
# signer that is silent is waited for.
PATIENCE = 60000
# An nsec whose last letter is another.
MISTYPED = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe4"
# An extension that says who it is and then never answers again, as a phone that is switched off.
SILENT = """
  window.nostr = {
    getPublicKey: () => window.extension("getPublicKey", null),
    signEvent: (event) => event.kind === 1 ? new Promise(() => {}) : window.extension("signEvent", event),
  };
"""


@pytest.fixture
def person(chromium, own_program, demo):
    """A window of the same person."""
    context = chromium.new_context(base_url=own_program.base, storage_state=demo.context.storage_state())
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


@pytest.fixture
def newcomer(chromium, own_program, demo):
    """Opens a browser that is logged in and nobody yet."""
    contexts, problems = [], []

    def open_page(*scripts, **options):
        context = chromium.new_context(base_url=own_program.base, **options)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        for script in [WATCH, *scripts]:
            page.add_init_script(script)
        page.on("pageerror", lambda error: problems.append(str(error)))
        demo.goto("/settings")
        demo.get_by_role("button", name="Make a login link").click()
        page.goto(demo.get_by_text(re.compile("^http://.*token=")).inner_text())
        page.goto("/welcome")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert problems == []


def door(page, title):
    page.get_by_text(title).click()
    return page.locator("details[open]")


def become(page, name):
    """A new key that follows nobody."""
    create = door(page, "Create a new key")
    create.get_by_label("Name").fill(name)
    create.get_by_label("Passphrase", exact=True).fill(PASSPHRASE)
    create.get_by_label("Passphrase again").fill(PASSPHRASE)
    create.get_by_role("button", name="Create").click()
    skip_to_home(page)


def relay_of(page):
    """A relay of the simulated network, where the signer of the page's person listens."""
    return urllib.parse.parse_qs(urllib.parse.urlparse(token(page)).query)["relay"][0]


def hand_over(page, text):
    page.goto("/compose")
    page.get_by_label("Your note").fill(text)
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_role("button", name="Undo")).to_be_visible()


def test_a_home_without_follows_says_so_at_once(newcomer):
    page = newcomer(viewport=PHONE)
    become(page, "Dunlin")
    expect(page.get_by_text("You follow nobody yet")).to_be_visible()
    expect(page.get_by_text("Asking relays", exact=True)).to_have_count(0)


def test_the_bar_about_a_note_follows_to_other_pages(newcomer):
    page = newcomer(java_script_enabled=False)
    become(page, "Knot")
    undo_for(page, 60, has_scripts=False)
    hand_over(page, "Said on one page, taken back on another.")
    page.goto("/settings")
    expect(page.locator("[data-held]")).to_contain_text("Publishing in")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_label("Your note")).to_have_value("Said on one page, taken back on another.")
    page.goto("/settings")
    expect(page.locator("[data-held]")).to_have_count(0)


def test_published_is_said_once_a_relay_has_it_and_not_before(newcomer):
    page = newcomer()
    become(page, "Sanderling")
    write_only_to(page, "wss://elsewhere.example")
    hand_over(page, "No relay has this.")
    held = page.locator("[data-held]")
    expect(held).to_contain_text("Waiting for a relay", timeout=PATIENCE)
    expect(held).not_to_contain_text("Published")
    page.get_by_role("link", name="Receipts").click()
    expect(page.locator("#receipts")).to_contain_text("elsewhere.example")
    expect(page.locator("#receipts")).not_to_contain_text(re.compile(r"Accepted by [1-9]"))


def test_a_note_of_a_key_that_was_locked_meanwhile_waits_in_sight_and_goes_out(newcomer):
    page = newcomer()
    become(page, "Turnstone")
    undo_for(page, 30)
    # With work to be done it is signed only when its time has come.
    page.goto("/settings")
    page.get_by_label("Notes", exact=True).fill("1")
    page.locator("form[action='/settings/work']").get_by_role("button", name="Save").click()
    hand_over(page, "Locked before it was signed.")
    page.goto("/keys")
    page.locator("main").get_by_role("button", name="Lock now").click()
    strip = page.locator("#locked")
    expect(strip).to_contain_text("A note that you wrote waits for it.")
    page.goto("/home")
    expect(strip).to_contain_text("A note that you wrote waits for it.")
    page.goto("/unlock")
    page.get_by_label("Passphrase").fill(PASSPHRASE)
    page.get_by_role("button", name="Unlock").click()
    expect(strip).to_have_count(0)
    profile = page.locator(".nav-item[href^='/people/']").first.get_attribute("href")
    # It goes out when its time has come.
    wait_for(page, profile, ".note:has-text('Locked before it was signed.')")


def test_a_signer_that_is_silent_holds_up_notes_of_nobody_else(newcomer):
    silent = newcomer()
    silent.context.expose_function("extension", Extension())
    silent.add_init_script(SILENT)
    silent.goto("/welcome")
    door(silent, "Use a browser extension").get_by_role("button", name="Ask the extension").click()
    silent.wait_for_url("**/home")
    undo_for(silent, 60)
    hand_over(silent, "Nobody signs this.")
    silent.get_by_role("button", name="Send now").click()
    other = newcomer()
    become(other, "Whimbrel")
    undo_for(other, 60)
    hand_over(other, "Signed while another waits.")
    other.get_by_role("button", name="Send now").click()
    other.wait_for_url("**/note/*", timeout=PATIENCE)
    expect(other.locator(".note.is-focus")).to_contain_text("Signed while another waits.")


def test_send_now_waits_for_no_signer_and_says_who_is_waited_for(newcomer, person):
    signer = Signer(relay_of(person), silent=[1])
    # Without scripts, so that only an answer of the program changes the page.
    page = newcomer(java_script_enabled=False)
    elsewhere = door(page, "Use a signer elsewhere")
    elsewhere.get_by_label("What your signer shows").fill(signer.token)
    elsewhere.get_by_label("Passphrase", exact=True).fill(PASSPHRASE)
    elsewhere.get_by_label("Passphrase again").fill(PASSPHRASE)
    elsewhere.get_by_role("button", name="Connect").click()
    page.wait_for_url("**/home")
    undo_for(page, 60, has_scripts=False)
    hand_over(page, "My signer says nothing.")
    page.get_by_role("button", name="Send now").click()
    bar = page.locator("[data-held]")
    expect(bar).to_contain_text("Waiting for your signer…", timeout=PATIENCE)
    page.goto("/settings")
    expect(bar).to_contain_text("Waiting for your signer…")
    signer.close()


def test_a_mistyped_key_and_a_passphrase_typed_twice_otherwise_are_told(newcomer):
    page = newcomer()
    bring = door(page, "Bring your key")
    bring.get_by_label("Secret key").fill(MISTYPED)
    bring.get_by_label("Passphrase", exact=True).fill(PASSPHRASE)
    bring.get_by_label("New passphrase again").fill(PASSPHRASE)
    bring.get_by_role("button", name="Import").click()
    expect(page.get_by_role("alert")).to_contain_text("mistyped")
    assert MISTYPED not in page.content() and MISTYPED not in page.url
    create = door(page, "Create a new key")
    create.get_by_label("Name").fill("Ruff")
    create.get_by_label("Passphrase", exact=True).fill(PASSPHRASE)
    create.get_by_label("Passphrase again").fill("another long one")
    create.get_by_role("button", name="Create").click()
    expect(page.get_by_role("alert")).to_contain_text("differ")
    assert "/welcome" in page.url, "no key was made"


def test_an_app_that_never_answered_is_not_listed_as_paired(person):
    page = person
    app = App(relay_of(page), "Phantom Owl")
    text = app.token("sign_event:1")
    # It closes before it could hear that it was let in.
    app.close()
    page.goto("/signer/connect?uri=" + urllib.parse.quote(text, safe=""))
    page.get_by_label("What you call it").fill("The phantom")
    page.get_by_role("button", name="Pair", exact=True).click()
    expect(page.get_by_role("heading", name="has not answered yet")).to_be_visible(timeout=PATIENCE)
    page.goto("/signer/apps")
    section = page.locator("section", has=page.get_by_role("heading", name="Not paired yet"))
    expect(section).to_contain_text("The phantom")


def test_a_note_stands_once_however_far_a_feed_is_read(person):
    page = person
    page.goto("/home")
    page.locator(".note").nth(9).wait_for()
    for _ in range(600):
        page.mouse.wheel(0, 3000)
        page.wait_for_timeout(100)
        pages = int(page.locator("form.feed").get_attribute("data-pages") or 1)
        if pages > 3 or page.locator("form.feed .feed-end").count():
            break
    expect(page.locator("form.feed")).to_have_attribute("data-pages", re.compile("^([2-9]|[1-9][0-9])$"))
    ids = page.locator("form.feed .note").evaluate_all("notes => notes.map((note) => note.dataset.id)")
    assert len(ids) == len(set(ids))


def test_a_note_and_its_repost_are_one_card(person):
    page = person
    page.goto("/home")
    page.goto(page.locator(".nav-item[href^='/people/']").get_attribute("href"))
    expect(page.locator(".aside li", has_text="ws://").first).to_be_visible()
    relays = [text for text in page.locator(".aside li").all_inner_texts() if text.startswith("ws://")]
    writer, reposter = Author(20_001), Author(20_002)
    now = int(time.time())
    note = writer.event(1, "Two people said this, and one wrote it.", at=now - 60)
    tags = [["e", note["id"], relays[0]], ["p", writer.key]]
    events = [one.event(10002, "", [["r", relay] for relay in relays[:2]], at=now - 90) for one in (writer, reposter)]
    events += [note, reposter.event(6, json.dumps(note), tags, at=now - 30)]
    taken = set()
    for relay in relays:
        try:
            taken |= set(publish(relay, events))
        except (OSError, websocket.WebSocketException):
            continue  # one of the dead or slow relays of the simulated network
    assert len(taken) == len(events)
    for one in (writer, reposter):
        page.goto(f"/people/{one.key}")
        page.get_by_role("button", name="Follow", exact=True).first.click()
        expect(page.get_by_role("button", name="Following").first).to_be_visible()
    card = f"form.feed .note[data-id='{note['id']}']"
    wait_for(page, "/home", f"{card} .note-why")
    expect(page.locator(card)).to_have_count(1)


@pytest.fixture(scope="module")
def long_thread(demo):
    """A note with more answers than three pages hold, on relays near the demo person; gives its id and theirs."""
    demo.goto("/home")
    demo.goto(demo.locator(".nav-item[href^='/people/']").get_attribute("href"))
    expect(demo.locator(".aside li", has_text="ws://").first).to_be_visible()
    writer, counting, began = Author(20_003), Author(20_004), int(time.time()) - 3600
    root = writer.event(1, "Who saw the first swallow?", at=began)
    tags = [["e", root["id"], "", "root"], ["p", writer.key]]
    answers = [counting.event(1, f"On day {day}.", tags, at=began + 1 + day) for day in range(650)]
    holders = []
    for relay in demo.locator(".aside li").all_inner_texts():
        if not relay.startswith("ws://"):
            continue
        try:
            # Not to those that are slow, nor to those that take a few in a row.
            asked = time.monotonic()
            is_quick = len(publish(relay, [root, *answers[:9]])) == 10 and time.monotonic() - asked < 3
            if is_quick and len(publish(relay, answers[9:])) == len(answers) - 9:
                holders.append(relay)
        except (OSError, websocket.WebSocketException):
            continue
    assert holders, "relays of the simulated network took them"
    listed = writer.event(10002, "", [["r", relay] for relay in holders[:3]], at=began - 60)
    assert all(publish(relay, [listed]) for relay in holders)
    # Where its writer is found is known before the conversation is asked for.
    wait_for(demo, f"/people/{writer.key}", f".note[data-id='{root['id']}']")
    return root["id"], [answer["id"] for answer in answers]


def shown_answers(page):
    return page.locator(".replies .note").evaluate_all("notes => notes.map((note) => note.dataset.id)")


def test_a_long_thread_is_read_to_its_end_by_scrolling(person, long_thread):
    page = person
    root, answers = long_thread
    wait_for(page, f"/note/{root}", ".note.is-focus")
    expect(page.locator("form.thread:not([data-loading])")).to_have_count(1, timeout=PATIENCE)
    for _ in range(600):
        if page.locator("[data-more-answers]").count() == 0:
            break
        page.mouse.wheel(0, 20_000)
        page.wait_for_timeout(100)
    expect(page.locator("[data-more-answers]")).to_have_count(0)
    assert shown_answers(page) == answers


def test_a_long_thread_is_read_to_its_end_without_scripts(demo, chromium, own_program, long_thread):
    root, answers = long_thread
    state = demo.context.storage_state()
    context = chromium.new_context(base_url=own_program.base, storage_state=state, java_script_enabled=False)
    page = context.new_page()
    wait_for(page, f"/note/{root}", "form.thread:not([data-loading]) .note.is-focus")
    found = shown_answers(page)
    while page.locator("[data-more-answers]").count():
        with page.expect_navigation(url="**after=*"):
            page.get_by_role("link", name="More replies").click()
        found += shown_answers(page)
    context.close()
    assert found == answers


# A page of a conversation whose first answers came after later ones were shown: parts are put to their places, and a link
# stays where others may be missing.
LATE = """async () => {
  const feed = performance.getEntriesByType("resource").find(({ name }) => name.endsWith("/feed.js")).name;
  const { addAnswers } = await import(feed);
  const part = (...names) => {
    const made = document.createElement("div");
    for (const name of names) {
      const node = document.createElement("p");
      if (name === "more") node.className = name;
      else node.id = `late-${name}`;
      made.append(node);
    }
    return made;
  };
  const here = part("5", "6", "more");
  document.body.append(here);
  const words = () => [...here.children].map((node) => node.id.replace("late-", "") || "more").join(" ");
  addAnswers(here, part("1", "2", "more"));
  const open = words();
  addAnswers(here, part("3", "4", "more"), here.querySelector(".more"));
  const smaller = words();
  addAnswers(here, part("5", "6", "more"), here.querySelector(".more"));
  return [open, smaller, words()];
}"""


def test_answers_that_come_late_leave_no_gap(person, long_thread):
    page = person
    wait_for(page, f"/note/{long_thread[0]}", ".note.is-focus")
    page.wait_for_load_state()
    assert page.evaluate(LATE) == ["1 2 more 5 6 more", "1 2 3 4 more 5 6 more", "1 2 3 4 5 6 more"]


# What the server says of a repost by address names no note, and after a reconnect its card says it again with the note.
CARDS = """async (named) => {
  const live = performance.getEntriesByType("resource").find(({ name }) => name.endsWith("/live.js")).name;
  const { cardsOf } = await import(live);
  return named.map((marks) => cardsOf(marks));
}"""


def test_a_repost_by_address_is_counted_once(person):
    page = person
    wait_for(page, "/home", "form.feed .note")
    page.wait_for_load_state()
    named = [["5-re", "5-re-no"], ["5-re"], ["5-re", "5-re-no", "3-no", "4-qu-no", "9-ot"], ["5-re", "6-no"], []]
    assert page.evaluate(CARDS, named) == [1, 1, 2, 2, 0]
