"""Links that open Linnet: the browser is asked to give them, and each leads to a page that shows something or asks."""

import base64
import json
import urllib.parse

import pytest
from playwright.sync_api import expect

from looking import holds_in_both
from nostr import Author
from test_invoices import INVOICE

STRANGER = Author(0x5EED_0017).key
RELAY = urllib.parse.quote("wss://relay.example", safe="")
INVITATION = base64.b64encode(
    json.dumps({"relay": "wss://relay.example", "inviterNpub": STRANGER, "groupId": "0a0b0c", "name": "The mill"}).encode()
).decode()
# Writes down what a page asks its browser; as most, it does not let pages have a scheme that is not on its list.
REGISTER = """
  window.registered = [];
  navigator.registerProtocolHandler = (scheme, url) => {
    if (!/^(%s|web[+][a-z]+)$/.test(scheme)) throw new DOMException("not for pages", "SecurityError");
    if (new URL(url).origin !== location.origin || !url.includes("%%s")) throw new SyntaxError("not so");
    window.registered.push([scheme, url]);
  };
"""
# What each kind of link is like, what stands on the page that it leads to, and the button there that goes on.
LINKS = {
    "web+bunker": (f"//{STRANGER}?relay={RELAY}&secret=abc", "Use this signer?", "Connect"),
    "web+nostrconnect": (f"//{STRANGER}?relay={RELAY}&secret=abc&name=Sail", "claims to be “Sail”", "Pair"),
    "web+nostrsigner": (
        "?type=get_public_key&x-success=sail%3A%2F%2Fok&x-error=sail%3A%2F%2Fno&id=1", "An app asks your signer", "Look at it"),
    "web+whistle": (f"//invite/{INVITATION}", "The code or link you were given", "Ask to join"),
    "web+lightning": (INVOICE, "Please consider supporting this project", None),
}


def registered(page, known):
    """What the button of the settings asks a browser that knows some schemes."""
    page.add_init_script(REGISTER % known)
    page.goto("/settings")
    page.get_by_role("button", name="Let nostr: links open Linnet").click()
    return dict(page.evaluate("window.registered"))


def test_each_kind_of_link_that_the_browser_is_asked_for_leads_to_a_page(visit, program):
    page = visit("/home")
    found = registered(page, "nostr")
    state = page.locator("[data-handlers-state]")
    for scheme in found:
        expect(state).to_contain_text(f"{scheme}:")
    assert set(found) == {"nostr", "web+nostr", *LINKS}
    assert set(found.values()) == {f"{program.base}/open?url=%s"}
    own = page.locator("body").get_attribute("data-account")
    page.goto(f"/people/{own}")
    npub = page.locator(".aside .npub").inner_text()

    def follow(scheme, rest):
        answer = page.goto(found[scheme].replace("%s", urllib.parse.quote(f"{scheme}:{rest}", safe="")))
        assert answer.status == 200, scheme

    for scheme in ["nostr", "web+nostr"]:
        follow(scheme, npub)
        expect(page.locator(".aside .npub")).to_have_text(npub)
    for scheme, (rest, words, button) in LINKS.items():
        follow(scheme, rest)
        expect(page.locator("body")).to_contain_text(words)
        if button:
            expect(page.get_by_role("button", name=button, exact=True)).to_be_visible()
        holds_in_both(page, f"opened-{scheme}")


def test_a_browser_that_keeps_some_kinds_to_itself_is_said_to_give_the_others(visit):
    page = visit("/home")
    found = registered(page, "bitcoin")
    assert set(found) == {"web+nostr", *LINKS}
    expect(page.locator("[data-handlers-state]")).to_contain_text("Your browser was asked about web+nostr:,")


@pytest.mark.parametrize("has_scripts", [True, False], ids=["scripts", "no-scripts"])
def test_a_browser_that_gives_no_links_is_said_to_be_so(visit, has_scripts):
    page = visit("/home", java_script_enabled=has_scripts)
    page.add_init_script("delete Navigator.prototype.registerProtocolHandler;")
    page.goto("/settings")
    words = "This browser gives no links to pages." if has_scripts else "Only a script of this page can ask your browser."
    expect(page.locator("[data-handlers-state]")).to_have_text(words)
    expect(page.locator("[data-handlers]")).to_be_hidden()


def test_what_leads_nowhere_is_said_to_and_a_secret_is_not_repeated(visit):
    page = visit("/home")
    for address, status, words in [("gopher://hole", 404, "gopher"), ("nostr:nsec1abc", 400, "secret key")]:
        answer = page.goto("/open?url=" + urllib.parse.quote(address, safe=""))
        assert answer.status == status
        expect(page.get_by_role("alert")).to_contain_text(words)
        assert "nsec1abc" not in page.content()
