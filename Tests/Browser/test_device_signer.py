"""A signer on this device, asked by links: choosing it, coming in by it, and what an open account asks of it."""

import json
import re
import urllib.parse

import pytest
from playwright.sync_api import expect

from conftest import WATCH, undo_for
from looking import holds_in_both, shot
from nostr import Author

OWNER = Author(0x5EED_0016)
# Each reads links and writes answers in its own way: NIP-155, and the web form of NIP-55.
APPS = pytest.mark.parametrize("app", ["linnet", "amber"])


@pytest.fixture
def newcomer(chromium, own_program, demo):
    """Opens a browser that is logged in and nobody yet, at the page that asks which app has the key."""
    contexts, problems = [], []

    def open_page(**options):
        context = chromium.new_context(base_url=own_program.base, **options)
        context.set_default_timeout(60000)
        context.add_init_script(WATCH)
        context.on("weberror", lambda error: problems.append(str(error.error)))
        contexts.append(context)
        page = context.new_page()
        demo.goto("/settings")
        demo.get_by_role("button", name="Make a login link").click()
        page.goto(demo.get_by_text(re.compile("^http://.*token=")).inner_text())
        page.goto("/welcome")
        page.get_by_text("Use a signer on this device").click()
        page.get_by_role("link", name="Choose the app").click()
        page.wait_for_url("**/device-signer")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert problems == []


def ask(page, app):
    """Chooses an app; returns the link that is to open it."""
    page.locator(f"input[name=app][value={app}]").check()
    page.get_by_role("button", name="Ask it who you are").click()
    page.wait_for_url("**/device-signer/asked/*")
    expect(page.get_by_role("status")).to_contain_text("say yes there")
    return page.get_by_role("link", name="Open the signer").get_attribute("href")


def parameters(link):
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(link).query))


def drafted(link):
    """The event that a link asks to be signed."""
    path, _ = link.split("?", 1)
    payload = urllib.parse.unquote(path.removeprefix("nostrsigner:"))
    return json.loads(payload if payload.startswith("{") else parameters(link)["event"])


def answered(link, **changed):
    """Where a signer goes with its answer, as the app of the link would write it."""
    draft, given = {**drafted(link), **changed}, parameters(link)
    event = OWNER.event(draft["kind"], draft["content"], draft["tags"], draft["created_at"])
    text = urllib.parse.quote(json.dumps(event))
    if "callbackUrl" in given:
        return given["callbackUrl"] + text
    return given["x-success"] + f"&result={event['sig']}&event={text}&id={given['id']}"


def bring(page, address):
    """What the desktop does with an address that an app opens: it gives it to Linnet, in a page of its own."""
    page.goto("/open?url=" + urllib.parse.quote(address, safe=""))


@APPS
def test_an_app_of_this_device_lets_in(newcomer, app):
    page = newcomer()
    if app == "linnet":
        holds_in_both(page, "device-signer-choice")
    link = ask(page, app)
    assert link.startswith("linnet-signer://sign_event?" if app == "linnet" else "nostrsigner:%7B")
    assert drafted(link)["kind"] == 27235
    shot(page, "device-signer-asked")
    tab = page.context.new_page()
    bring(tab, answered(link))
    tab.wait_for_url("**/home")
    expect(tab.locator("body")).to_have_attribute("data-account", OWNER.key)
    # The page that waited goes on by itself.
    expect(page.get_by_role("heading", name="Ask your signer")).to_have_count(0)
    # The choice is remembered.
    page.goto("/device-signer")
    expect(page.locator("input[name=app]:checked")).to_have_value(app)


def test_an_app_of_this_device_lets_in_without_scripts(newcomer):
    page = newcomer(java_script_enabled=False)
    link = ask(page, "linnet")
    tab = page.context.new_page()
    bring(tab, answered(link))
    tab.wait_for_url("**/home")
    expect(page.get_by_role("heading", name="Ask your signer")).to_have_count(0)


def test_a_refusal_and_a_signature_for_something_else_let_nobody_in(newcomer):
    page = newcomer()
    link = ask(page, "linnet")
    refusal = parameters(link)["x-error"] + "&code=user_cancelled&reason=no"
    tab = page.context.new_page()
    bring(tab, refusal)
    expect(tab.get_by_role("heading", name="No answer to use")).to_be_visible()
    holds_in_both(tab, "device-signer-refused")
    tab.get_by_role("link", name="Ask again").click()
    bring(tab, answered(ask(tab, "linnet"), tags=[["u", "https://elsewhere.example/"]]))
    expect(tab.get_by_role("heading", name="No answer to use")).to_be_visible()
    # A browser that is logged in sees the person who is at home here; whose signer it was has not come.
    tab.goto("/home")
    expect(tab.locator("body")).to_have_attribute("data-account", re.compile("^[0-9a-f]{64}$"))
    expect(tab.locator("body")).not_to_have_attribute("data-account", OWNER.key)


def sign_what_is_asked(page, tab, kind):
    """Opens the links that a page shows in the app until an event of a kind is signed; the app's answers come in a tab."""
    done = set()
    for _ in range(90):
        links = page.locator("#signer-strip a").evaluate_all("links => links.map((link) => link.getAttribute('href'))")
        for link in links:
            if link in done or "sign_event" not in link:
                continue
            done.add(link)
            bring(tab, answered(link))
            expect(tab.get_by_role("heading", name="Done")).to_be_visible()
            if drafted(link)["kind"] == kind:
                return
        page.wait_for_timeout(1000)
    raise AssertionError(f"no event of kind {kind} was asked to be signed")


def test_an_open_account_asks_the_app_by_links_on_its_pages(newcomer):
    page = newcomer()
    tab = page.context.new_page()
    bring(tab, answered(ask(page, "linnet")))
    tab.wait_for_url("**/home")
    # A page of the account asks, too.
    tab.goto("/device-signer")
    undo_for(page, 60)
    page.goto("/compose")
    page.get_by_label("Your note").fill("Signed in an app of this device.")
    page.get_by_role("button", name="Publish").click()
    page.get_by_role("button", name="Send now").click()
    expect(page.locator("#signer-strip").get_by_role("link").first).to_be_visible()
    shot(page, "device-signer-strip")
    sign_what_is_asked(page, tab, 1)
    page.wait_for_url("**/note/*")
    expect(page.locator(".note.is-focus")).to_contain_text("Signed in an app of this device.")
    assert page.evaluate("window.ran") == []
