"""Invoices and LNURLs: a card below the note, a page with a code for a wallet, by keyboard, on a phone and a desk."""

import json
import secrets
import time

from playwright.sync_api import expect

from conftest import publish_nearby, wait_for
from lightning import invoice
from looking import SIZES, holds_in_both
from nostr import N, Author

# The example of LUD-01; nothing is asked of it.
LNURL = (
    "LNURL1DP68GURN8GHJ7UM9WFMXJCM99E3K7MF0V9CXJ0M385EKVCENXC6R2C35XVUKXEFCV5MKVV34X5EKZD3EV56NYD3HXQURZEPEXEJXXEPNXSCRVWFNV9"
    "NXZCN9XQ6XYEFHVGCXXCMYXYMNSERXFQ5FNS"
)

# The first example of BOLT-11, run out long ago.
INVOICE = (
    "lnbc1pvjluezsp5zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zygspp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypq"
    "dpl2pkx2ctnv5sxxmmwwd5kgetjypeh2ursdae8g6twvus8g6rfwvs8qun0dfjkxaq9qrsgq357wnc5r2ueh7ck6q93dj32dlqnls087fxdwk8qakdyafkq3y"
    "ap9us6v52vjjsrvywa6rt52cm9r9zqt8r2t7mlcwspyetp5h2tztugp9lfyql"
)


@SIZES
def test_an_lnurl_that_is_pasted_has_a_code_for_a_wallet(visit, size):
    page = visit("/search", viewport=size)
    box = page.get_by_role("searchbox").first
    box.fill(f"lightning:{LNURL}")
    box.press("Enter")
    page.wait_for_url("**/invoices/lnurl1*")
    expect(page.get_by_role("heading", level=1)).to_have_text("Pay to service.com")
    expect(page.locator("svg.qr")).to_be_visible()
    expect(page.get_by_role("link", name="Pay with a wallet")).to_have_attribute("href", f"lightning:{LNURL.lower()}")
    holds_in_both(page, f"lnurl-{size['width']}")


@SIZES
def test_an_invoice_that_has_run_out_says_so_and_has_no_code(visit, size):
    page = visit(f"/invoices/{INVOICE}", viewport=size)
    expect(page.locator("main")).to_contain_text("Please consider supporting this project")
    expect(page.locator("main")).to_contain_text("it cannot any more")
    expect(page.locator("svg.qr")).to_have_count(0)
    holds_in_both(page, f"invoice-{size['width']}")


def test_a_note_has_a_card_with_a_code_and_hostile_words_stay_words(visit):
    page = visit("/home", news=False)
    asked = invoice("25u", "<img src=x onerror=alert(1)> a loaf", expiry=86400)
    forged = asked[:-1] + ("p" if asked.endswith("q") else "q")
    late = invoice("1m", "a jar of honey", at=time.time() - 7200, expiry=60)
    seller = Author(secrets.randbelow(N - 1) + 1)
    notes = [seller.event(1, f"For sale today.\n\n{text}") for text in [asked, late, forged]]
    publish_nearby(page, notes)
    wait_for(page, f"/note/{notes[0]['id']}", ".note.is-focus .invoice")
    card = page.locator(".note.is-focus .invoice")
    expect(card).to_contain_text("Lightning invoice for 2,500 sats")
    expect(card).to_contain_text("<img src=x onerror=alert(1)> a loaf")
    expect(card).to_contain_text("Can be paid until")
    expect(card.get_by_role("link", name="Pay with a wallet")).to_have_attribute("href", f"lightning:{asked}")
    expect(page.locator(".note.is-focus .note-text")).to_have_text("For sale today.")
    expect(card.locator("svg.qr")).to_be_hidden()
    card.locator("summary").press("Enter")
    expect(card.locator("svg.qr")).to_be_visible()
    # Drawn like the lines of an icon, no camera would read it.
    stroke = card.locator("svg.qr path").evaluate("path => getComputedStyle(path).stroke")
    assert stroke == "none"
    holds_in_both(page, "invoice-card")
    wait_for(page, f"/note/{notes[1]['id']}", ".note.is-focus .invoice")
    expect(card).to_contain_text("it cannot any more")
    expect(card.get_by_role("link")).to_have_count(0)
    wait_for(page, f"/note/{notes[2]['id']}", ".note.is-focus .note-text")
    expect(page.locator(".note.is-focus .note-text")).to_contain_text(forged)
    expect(card).to_have_count(0)
    assert page.evaluate("window.ran") == []


@SIZES
def test_what_was_paid_for_a_note_stands_on_its_page(open_page, size):
    page = open_page("/home", viewport=size, news=False)
    # Of what people of the simulated network wrote before it began, about a third was paid for; what they write since
    # then stands before it, and fills the page within a quarter of an hour.
    wait_for(page, "/home", ".note a[href$='#zaps']")
    paid = page.locator(".note a[href$='#zaps']").first
    words = paid.get_attribute("aria-label")
    assert " sats in " in words
    paid.press("Enter")
    page.wait_for_url("**/note/*#zaps")
    zaps = page.locator("#zaps")
    expect(zaps.get_by_role("heading", level=2)).to_contain_text(" sats in ")
    expect(zaps.locator("li").first).to_contain_text("sats")
    # Somebody claims to have paid five million.
    expect(zaps).not_to_contain_text("5,000,000")
    holds_in_both(page, f"zaps-{size['width']}")


def test_a_profile_shows_where_its_person_is_paid_by_keyboard(visit):
    page = visit("/home", news=False)
    seller = Author(secrets.randbelow(N - 1) + 1)
    publish_nearby(page, [seller.event(0, json.dumps({"name": "Wheatear", "lud16": "wheatear@pay.example"}))])
    wait_for(page, f"/people/{seller.key}", ".pay-address")
    place = page.locator(".pay-address")
    expect(place.locator("summary")).to_have_text("wheatear@pay.example")
    expect(place.locator("svg.qr")).to_be_hidden()
    place.locator("summary").press("Enter")
    expect(place.locator("svg.qr")).to_be_visible()
    link = place.get_by_role("link", name="Pay with a wallet")
    assert link.get_attribute("href").startswith("lightning:lnurl1")
    holds_in_both(page, "pay-address")
