"""Many pages of one browser: one stream of news between them, none for hidden ones, and every page loads."""

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, send_now

# Lets a test say that nobody looks at a page: a browser without a screen shows all its pages.
HIDING = """
  Object.defineProperty(Document.prototype, "hidden", { get: () => window.isOutOfSight ?? false });
  Object.defineProperty(Document.prototype, "visibilityState", { get: () => (window.isOutOfSight ? "hidden" : "visible") });
  window.putOutOfSight = (isOut) => {
    window.isOutOfSight = isOut;
    document.dispatchEvent(new Event("visibilitychange"));
  };
"""
# A page on a busy machine may answer late, and is not to be taken for one that sleeps: that is no subject here.
PATIENT = """
  const later = window.setTimeout;
  window.setTimeout = (work, wait, ...given) => later(work, wait === 3000 ? 600000 : wait, ...given);
"""
WITHOUT_LOCKS = "Object.defineProperty(Navigator.prototype, 'locks', { get: () => undefined });"


class Tabs:
    """Pages of one browser, and the streams of news they have open."""

    def __init__(self, chromium, program, session):
        self.context = chromium.new_context(viewport=DESKTOP, storage_state=session, base_url=program.base)
        self.context.set_default_timeout(60000)
        self.context.add_init_script(HIDING)
        self.context.add_init_script(PATIENT)
        self.asked = []
        self.ended = []
        self.context.on("request", lambda request: self.note(request, self.asked))
        self.context.on("requestfinished", lambda request: self.note(request, self.ended))
        self.context.on("requestfailed", lambda request: self.note(request, self.ended))

    def note(self, request, where):
        if "/events?" in request.url:
            where.append(request)

    @property
    def open(self):
        return len(self.asked) - len(self.ended)

    def open_of(self, page):
        """How many streams one page has open, whatever became of those of pages that were closed."""
        mine = [request for request in self.asked if request.frame.page == page]
        return len([request for request in mine if request not in self.ended])

    def until(self, holds, what):
        page = self.context.pages[0]
        for _ in range(1200):
            if holds():
                return
            page.wait_for_timeout(50)
        raise AssertionError(f"never came: {what}")

    def visit(self, path="/home"):
        page = self.context.new_page()
        page.goto(path)
        page.locator(".note").first.wait_for()
        return page

    def until_open(self, count):
        self.until(lambda: self.open == count, f"{count} streams, not {self.open}")


@pytest.fixture
def tabs(chromium, program, session):
    tabs = Tabs(chromium, program, session)
    yield tabs
    tabs.context.close()


def publish(tabs, words):
    page = tabs.context.new_page()
    page.goto("/compose")
    page.get_by_label("Your note").fill(words)
    page.get_by_role("button", name="Publish").click()
    send_now(page)
    page.close()


def hears(page, words):
    """The note stands on the page, at once or when what waits is asked for; others may come before or above it."""
    note = page.locator(f".note:has-text('{words}')").first
    for _ in range(240):
        if note.count():
            break
        page.evaluate("() => document.querySelector('#waiting:not([hidden])')?.click()")
        page.wait_for_timeout(500)
    expect(note).to_be_visible()


def test_ten_tabs_load_share_one_stream_and_all_hear_of_a_new_note(tabs):
    pages = [tabs.visit() for _ in range(10)]
    tabs.until_open(1)
    assert len(tabs.asked) == 1, "one page listens for all"
    publish(tabs, "A heron stands in ten tabs.")
    for page in pages:
        hears(page, "A heron stands in ten tabs.")
    # Any of them still goes on to another page at once.
    for page in pages[::3]:
        page.goto("/settings")
        expect(page.get_by_role("heading", level=1)).to_have_text("Settings")


def test_when_the_page_that_listens_goes_another_one_listens(tabs):
    first, second = tabs.visit(), tabs.visit()
    tabs.until_open(1)
    first.close()
    tabs.until(lambda: len(tabs.asked) == 2, "the other one listens")
    publish(tabs, "A bittern booms in the second tab.")
    hears(second, "A bittern booms in the second tab.")


def test_a_page_in_sight_takes_over_from_a_hidden_one_which_hears_of_notes_when_it_is_looked_at(tabs):
    hidden = tabs.visit()
    tabs.until_open(1)
    hidden.evaluate("putOutOfSight(true)")
    # What others wrote may wait there already.
    words = hidden.locator("#waiting").evaluate("pill => pill.hidden ? '' : pill.textContent")
    shown = tabs.visit()
    tabs.until(lambda: len(tabs.asked) >= 2, "the shown one listens")
    tabs.until_open(1)
    publish(tabs, "A crane is seen late.")
    hears(shown, "A crane is seen late.")
    assert hidden.locator("#waiting").evaluate("pill => pill.hidden ? '' : pill.textContent") == words
    assert hidden.locator(".note:has-text('A crane is seen late.')").count() == 0
    hidden.evaluate("putOutOfSight(false)")
    hears(hidden, "A crane is seen late.")
    tabs.until_open(1)


def test_without_locks_a_page_in_sight_listens_for_itself_and_a_hidden_one_does_not(tabs):
    tabs.context.add_init_script(WITHOUT_LOCKS)
    first, second = tabs.visit(), tabs.visit()
    tabs.until(lambda: tabs.open_of(first) == tabs.open_of(second) == 1, "both listen for themselves")
    first.evaluate("putOutOfSight(true)")
    tabs.until(lambda: tabs.open_of(first) == 0, "the hidden one ends its stream")
    publish(tabs, "A stork is missed at first.")
    hears(second, "A stork is missed at first.")
    assert first.locator(".note:has-text('A stork is missed at first.')").count() == 0
    first.evaluate("putOutOfSight(false)")
    hears(first, "A stork is missed at first.")
    tabs.until(lambda: tabs.open_of(first) == 1, "it listens again")


def test_no_tab_of_ten_waits_for_a_connection(tabs):
    pages = []
    for _ in range(10):
        # The seventh never loaded when each held a connection; now one of the browser's six is held by all of them.
        pages.append(tabs.visit())
        tabs.until_open(1)
    # All at once they are answered, which nothing is for which no connection is left.
    asked = "() => { fetch('/healthz', { cache: 'no-store' }).then(({ ok }) => { window.isAnswered = ok; }); }"
    for page in pages:
        page.evaluate(asked)
    for page in pages:
        page.wait_for_function("() => window.isAnswered")


def test_pages_above_the_limit_do_not_take_the_stream_from_each_other_again_and_again(tabs):
    tabs.context.add_init_script(WITHOUT_LOCKS)
    # Two of four streams end for newer ones; were they to come back, others would end in turn.
    for _ in range(6):
        page = tabs.visit()
    tabs.until(lambda: (len(tabs.asked), tabs.open) == (6, 4), "two streams of six end")
    page.wait_for_timeout(6000)
    assert (len(tabs.asked), tabs.open) == (6, 4)


def test_pages_that_went_away_take_no_stream_from_one_that_is_open(tabs):
    tabs.context.add_init_script(WITHOUT_LOCKS)
    first, other = tabs.visit(), tabs.visit()
    for path in ["/settings", "/lists", "/signer", "/relays", "/search", "/messages", "/settings"]:
        with other.expect_event("request", lambda request: "/events?" in request.url):
            other.goto(path)
    tabs.until(lambda: tabs.open_of(other) == 1, "only the page it came to listens")
    publish(tabs, "An egret is heard of by who was there all along.")
    assert tabs.open_of(first) == 1
    hears(first, "An egret is heard of by who was there all along.")


def test_a_note_that_could_not_be_fetched_when_it_came_is_waiting(tabs):
    page = tabs.visit()
    tabs.until_open(1)
    # A page that has just opened shows at once what comes; here that fails.
    page.evaluate("performance.now = () => 1000")
    page.route("**/home/newer?*", lambda route: route.abort())
    publish(tabs, "A curlew calls while the line is down.")
    expect(page.locator("#waiting")).to_be_visible(timeout=60000)
    page.unroute("**/home/newer?*")
    page.locator("#waiting").click()
    hears(page, "A curlew calls while the line is down.")
    # What somebody else wrote meanwhile waits again, until that is asked for too.
    page.wait_for_function("""() => {
        const pill = document.querySelector("#waiting");
        if (!pill.hidden) pill.click();
        return pill.hidden;
    }""", polling=500)
