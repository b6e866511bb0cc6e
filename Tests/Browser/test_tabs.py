"""Many pages of one browser: one stream of news between them, none for hidden ones, and every page loads."""

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP

# Lets a test say that nobody looks at a page: a browser without a screen shows all its pages.
HIDING = """
  Object.defineProperty(Document.prototype, "hidden", { get: () => window.isOutOfSight ?? false });
  Object.defineProperty(Document.prototype, "visibilityState", { get: () => (window.isOutOfSight ? "hidden" : "visible") });
  window.putOutOfSight = (isOut) => {
    window.isOutOfSight = isOut;
    document.dispatchEvent(new Event("visibilitychange"));
  };
"""
WITHOUT_LOCKS = "Object.defineProperty(Navigator.prototype, 'locks', { get: () => undefined });"


class Tabs:
    """Pages of one browser, and the streams of news they have open."""

    def __init__(self, chromium, program, session):
        self.context = chromium.new_context(viewport=DESKTOP, storage_state=session, base_url=program.base)
        self.context.set_default_timeout(60000)
        self.context.add_init_script(HIDING)
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
        for _ in range(400):
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
        page = self.context.pages[0]
        for _ in range(200):
            if self.open == count:
                return
            page.wait_for_timeout(50)
        assert self.open == count


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
    page.get_by_role("button", name="Send now").click()
    page.wait_for_url("**/note/*")
    page.close()


def hears(page, words):
    """The note stands on the page, or it is told that there is one."""
    expect(page.locator(f"#waiting:not([hidden]), .note:has-text('{words}')").first).to_be_visible(timeout=60000)


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
    for _ in range(200):
        if len(tabs.asked) == 2:
            break
        second.wait_for_timeout(50)
    assert len(tabs.asked) == 2
    publish(tabs, "A bittern booms in the second tab.")
    hears(second, "A bittern booms in the second tab.")


def test_a_page_in_sight_takes_over_from_a_hidden_one_which_hears_of_notes_when_it_is_looked_at(tabs):
    hidden = tabs.visit()
    tabs.until_open(1)
    hidden.evaluate("putOutOfSight(true)")
    shown = tabs.visit()
    for _ in range(200):
        if len(tabs.asked) >= 2:
            break
        shown.wait_for_timeout(50)
    tabs.until_open(1)
    publish(tabs, "A crane is seen late.")
    hears(shown, "A crane is seen late.")
    expect(hidden.locator("#waiting")).to_be_hidden()
    assert hidden.locator(".note:has-text('A crane is seen late.')").count() == 0
    hidden.evaluate("putOutOfSight(false)")
    hears(hidden, "A crane is seen late.")
    assert tabs.open == 1


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
    waits = []
    for _ in range(10):
        page = tabs.visit()
        # What a browser that has no connection left holds back, it holds back between these two.
        waits.append(page.evaluate("""() => {
          const [entry] = performance.getEntriesByType("navigation");
          const files = performance.getEntriesByType("resource").filter((one) => one.requestStart > 0);
          return Math.max(...[entry, ...files].map((one) => one.requestStart - one.fetchStart));
        }"""))
    print([round(wait) for wait in waits])
    # Before, the seventh never loaded; a few files that share six connections wait a moment for each other.
    assert max(waits) < 5000


def test_pages_above_the_limit_do_not_take_the_stream_from_each_other_again_and_again(tabs):
    tabs.context.add_init_script(WITHOUT_LOCKS)
    # Two of four streams end for newer ones; were they to come back, others would end in turn.
    for _ in range(6):
        page = tabs.visit()
    tabs.until_open(4)
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
    expect(page.locator(".note:has-text('A curlew calls while the line is down.')")).to_be_visible()
    expect(page.locator("#waiting")).to_be_hidden()
