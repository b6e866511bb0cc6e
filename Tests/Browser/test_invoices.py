"""Invoices and LNURLs: a card below the note, a page with a code for a wallet, by keyboard, on a phone and a desk."""

from playwright.sync_api import expect

from looking import SIZES, holds_in_both

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
