"""Keys elsewhere: a browser's extension (a fake `window.nostr`), and the doors for bunkers."""

import os
import re
import time

import pytest
from playwright.sync_api import expect

from bunker import conversation_key, decrypt, encrypt
from conftest import WATCH, enter, undo_for
from nostr import Author
from test_messages import PATIENCE, Friend

PASSPHRASE = "a long passphrase"
OWNER = Author(0x5EED_0007)
EXTENSION = """
  window.nostr = {
    getPublicKey: () => window.extension("getPublicKey", null),
    signEvent: (event) => window.extension("signEvent", event),
    nip44: {
      encrypt: (key, text) => window.extension("encrypt", [key, text]),
      decrypt: (key, text) => window.extension("decrypt", [key, text]),
    },
  };
"""


class Extension:
    """Signs and encrypts as a browser's extension does; `refuses` makes it say no."""

    def __init__(self):
        self.asked = []
        self.signed = []
        self.refuses = False

    def __call__(self, method, argument):
        self.asked.append(method)
        if method == "getPublicKey":
            return OWNER.key
        if self.refuses:
            raise RuntimeError("the person said no")
        if method == "signEvent":
            self.signed.append(argument["kind"])
            return OWNER.event(argument["kind"], argument["content"], argument["tags"], argument["created_at"])
        conversation = conversation_key(OWNER.secret, argument[0])
        return (encrypt if method == "encrypt" else decrypt)(argument[1], conversation)


@pytest.fixture(scope="module")
def chromium(chromium):
    """The whole browser: one without windows does not say when a window is closed, and its extension would be waited for."""
    given = os.environ.get("LINNET_CHROMIUM")
    browser = chromium.browser_type.launch(
        executable_path=given, channel=None if given else "chromium", args=["--no-sandbox"])
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def state(chromium, own_program):
    context = chromium.new_context(base_url=own_program.base)
    page = context.new_page()
    enter(page, own_program)
    # Whoever is followed is known from then on, and the demo person is to stay a stranger.
    own = page.locator(".nav-item[href^='/people/']").get_attribute("href").rsplit("/", 1)[-1]
    note = page.locator(f".note:not([data-author='{own}'])").first
    # The first notes may all be one's own, and what came since waits until it is asked for.
    for _ in range(60):
        if note.count():
            break
        page.wait_for_timeout(1000)
        page.reload()
    own_program.author = f"/people/{note.get_attribute('data-author')}"
    kept = context.storage_state()
    context.close()
    return kept


@pytest.fixture
def window(chromium, own_program, state):
    """Opens a window of a browser, with or without an extension."""
    contexts = []

    def open_window(extension=None):
        context = chromium.new_context(base_url=own_program.base, storage_state=state)
        context.set_default_timeout(30000)
        contexts.append(context)
        context.add_init_script(WATCH)
        if extension:
            context.expose_function("extension", extension)
            context.add_init_script(EXTENSION)
        return context.new_page()

    yield open_window
    for context in contexts:
        context.close()


def door(page, title):
    page.goto("/welcome")
    page.locator("summary", has_text=title).click()
    return page.locator("details[open]")


def log_in(page):
    opened = door(page, "Use a browser extension")
    opened.get_by_role("button", name="Ask the extension").click()
    page.wait_for_url("**/home")


def test_without_an_extension_the_door_says_so(window):
    page = window()
    opened = door(page, "Use a browser extension")
    expect(opened.get_by_role("button")).to_be_disabled()
    expect(opened).to_contain_text("No extension for Nostr")


def write(page, text):
    page.goto("/compose")
    page.get_by_label("Your note").fill(text)
    page.get_by_role("button", name="Publish").click()


def test_an_extension_logs_in_and_signs_what_is_written(window):
    extension = Extension()
    page = window(extension)
    log_in(page)
    assert extension.asked[:2] == ["getPublicKey", "signEvent"]
    undo_for(page, 60)
    write(page, "signed in the browser")
    page.get_by_role("button", name="Send now").click()
    page.wait_for_url("**/note/*")
    expect(page.locator(".note.is-focus")).to_contain_text("signed in the browser")
    assert page.evaluate("window.ran") == []


def test_an_extension_signs_likes_follows_and_profiles(window, own_program):
    extension = Extension()
    page = window(extension)
    log_in(page)
    page.goto(own_program.author)
    page.get_by_role("button", name="Follow", exact=True).click()
    expect(page.get_by_role("button", name="Following")).to_be_visible()
    like = page.locator(".note .act[data-key=l]")
    like.first.click()
    # Whichever it was: the list may be drawn anew. And it is signed before the page is left, with the way to the extension.
    expect(page.locator(".note .act[data-key=l][aria-pressed=true]:not(.is-busy)")).to_have_count(1)
    page.goto("/profile/edit")
    page.get_by_label("Name", exact=True).fill("Jay")
    page.get_by_role("button", name="Save").click()
    page.wait_for_url("**/people/*")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Jay")
    assert {3, 7, 0} <= set(extension.signed)
    assert page.evaluate("window.ran") == []


def test_an_extension_reads_and_writes_messages(window, chromium, own_program):
    page = window(Extension())
    log_in(page)
    page.goto("/messages")
    expect(page.locator("[data-mail][data-access=open]")).to_be_visible(timeout=PATIENCE)
    # The relays where one reads messages are published by themselves, once the extension has signed that.
    end = time.monotonic() + PATIENCE / 1000
    while page.get_by_role("button", name="Use these relays").count() and time.monotonic() < end:
        page.wait_for_timeout(500)
        page.goto("/messages")
    page.goto("/settings")
    page.get_by_role("button", name="Make a login link").click()
    # Whoever comes in fresh is the demo person.
    friend = Friend(chromium, own_program, "demo")
    friend.page.goto(page.get_by_text(re.compile("^http://.*token=")).inner_text())
    friend.page.wait_for_url("**/home")
    friend.open_messages()
    friend.page.goto(f"/messages/new?to={OWNER.key}")
    friend.page.get_by_label("Message", exact=True).fill("For your extension alone")
    friend.page.get_by_role("button", name="Send").click()
    friend.page.wait_for_url(re.compile("/messages/[0-9a-f]{32}"))
    page.goto("/messages/requests")
    row = page.locator(".mail-row", has_text="For your extension alone")
    row.click(timeout=PATIENCE)
    page.get_by_role("button", name="Accept").click()
    field = page.locator("#text")
    field.fill("Read by it, and answered")
    field.press("Enter")
    expect(friend.message("Read by it, and answered")).to_be_visible(timeout=PATIENCE)
    friend.context.close()


def test_a_form_sent_before_the_scripts_are_there_asks_all_the_same(window):
    page = window(Extension())
    log_in(page)
    undo_for(page, 60)
    page.route("**/*.js", lambda route: route.abort())
    page.goto("/compose")
    # Only this page is without scripts: the answer to the form has its own, however fast it comes.
    page.unroute("**/*.js")
    page.get_by_label("Your note").fill("sent by the browser itself")
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Home")
    page.get_by_role("button", name="Send now").click()
    page.wait_for_url("**/note/*")
    expect(page.locator(".note.is-focus")).to_contain_text("sent by the browser itself")
    assert page.evaluate("window.ran") == []


def test_what_the_extension_refuses_is_said_on_the_page_it_was_asked_from(window):
    extension = Extension()
    page = window(extension)
    log_in(page)
    extension.refuses = True
    page.goto("/profile/edit")
    page.get_by_label("Name", exact=True).fill("Nobody")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("the person said no")


def test_a_refusal_is_told_and_costs_nothing(window):
    extension = Extension()
    extension.refuses = True
    page = window(extension)
    opened = door(page, "Use a browser extension")
    opened.get_by_role("button", name="Ask the extension").click()
    expect(page.get_by_role("alert")).to_contain_text("signed nothing")


def test_a_wrong_token_is_refused_at_its_door(window):
    page = window()
    opened = door(page, "Use a signer elsewhere")
    opened.get_by_label("What your signer shows").fill("nostrconnect://abc")
    opened.get_by_label("Passphrase", exact=True).fill(PASSPHRASE)
    opened.get_by_label("Passphrase again").fill(PASSPHRASE)
    opened.get_by_role("button", name="Connect").click()
    expect(page.get_by_role("alert")).to_contain_text("begins with bunker://")


def test_an_invitation_waits_and_can_be_given_up(window):
    page = window()
    opened = door(page, "Use a signer elsewhere")
    opened.get_by_label("Passphrase", exact=True).fill(PASSPHRASE)
    opened.get_by_label("Passphrase again").fill(PASSPHRASE)
    opened.get_by_role("button", name="Show an invitation").click()
    page.wait_for_url("**/pairing/*")
    expect(page.get_by_label("Show this to your signer")).to_have_value(re.compile(r"^nostrconnect://[0-9a-f]{64}\?relay="))
    expect(page.get_by_role("img", name="The invitation as a QR code")).to_be_visible()
    expect(page.get_by_role("status")).to_contain_text("Waiting for your signer")
    page.get_by_role("button", name="Give up").click()
    page.wait_for_url("**/welcome")


def test_a_signer_that_nobody_reaches_is_said_to_be_so(window):
    page = window()
    opened = door(page, "Use a signer elsewhere")
    opened.get_by_label("What your signer shows").fill(f"bunker://{OWNER.key}?relay=ws%3A%2F%2F127.0.0.1%3A9&secret=x")
    opened.get_by_label("Passphrase", exact=True).fill(PASSPHRASE)
    opened.get_by_label("Passphrase again").fill(PASSPHRASE)
    opened.get_by_role("button", name="Connect").click()
    page.wait_for_url("**/pairing/*")
    expect(page.get_by_role("status")).to_contain_text("No relay answers yet")
    page.get_by_role("button", name="Give up").click()
