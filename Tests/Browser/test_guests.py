"""Guest links: a stranger without a session sees in a browser where somebody is, until the link ends or is taken back."""

import base64
import pathlib
import re
import urllib.parse

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE, WATCH, enter
from looking import holds_in_both
from program import Program
from test_circles import MILL, share
from test_messages import PATIENCE, Friend

AWAY = {"latitude": 52.5401, "longitude": 13.4211, "accuracy": 8}


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    with open(tmp_path_factory.mktemp("logs") / "errors", "w+") as file:
        yield file


@pytest.fixture(scope="module")
def home(tmp_path_factory, log):
    running = Program(tmp_path_factory.mktemp("guests"), options=["--log-level", "trace"], log=log).start()
    yield running
    running.stop()


@pytest.fixture(scope="module")
def robin(chromium, home):
    """Somebody with a key of their own."""
    door = chromium.new_context(base_url=home.base)
    page = door.new_page()
    enter(page, home)
    page.goto("/settings")
    page.get_by_role("button", name="Make a login link").click()
    link = page.get_by_text(re.compile("^http://.*token=")).inner_text()
    door.close()
    one = Friend(chromium, home, "Robin", geolocation=MILL, permissions=["geolocation"]).make_key(link)
    yield one
    one.context.close()
    assert one.problems == []


@pytest.fixture(scope="module")
def circle(robin):
    """Robin's circle; its address."""
    page = robin.page
    page.goto("/circles/new")
    page.get_by_label("What is it called?").fill("The weir")
    page.get_by_role("button", name="Make the circle").click()
    page.get_by_label("Link", exact=True).wait_for()
    return page.url.removesuffix("/invitations")


class Stranger:
    """A browser that never was here; everything it sends is kept."""

    def __init__(self, chromium, **options):
        self.context = chromium.new_context(viewport=DESKTOP, **options)
        self.context.set_default_timeout(PATIENCE)
        self.page = self.context.new_page()
        self.page.add_init_script(WATCH)
        self.problems, self.sent, self.asked = [], [], []
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("request", self.keep)
        self.page.on("websocket", lambda socket: socket.on("framesent", lambda frame: self.sent.append(str(frame))))

    def keep(self, request):
        self.asked.append(request.url)
        self.sent += [request.url, str(request.headers), request.post_data or ""]

    def close(self):
        assert self.page.evaluate("window.ran") == []
        assert self.problems == []
        self.context.close()


@pytest.fixture
def stranger(chromium):
    one = Stranger(chromium)
    yield one
    one.close()


def make(page, circle, hours="1", note="", to=None):
    """Makes a guest link; gives its address."""
    page.goto(circle + "/settings")
    section = page.locator("section", has=page.locator("#guests"))
    if not section.get_by_label("It works for").is_visible():
        section.get_by_text("New guest link").click()
    section.get_by_label("It works for").select_option(hours)
    section.get_by_label("Who it is for").fill(note)
    if to:
        section.get_by_label("Page it opens").fill(to)
    section.get_by_role("button", name="Make a guest link").click()
    expect(page.locator(".notice")).to_contain_text("The guest link is made")
    link = page.locator(".guest-link", has_text=note).last.get_by_label("Link", exact=True).input_value()
    assert "/guest#" in link
    return link


def link_parts(link):
    fragment = link.split("#")[1]
    raw = base64.urlsafe_b64decode(fragment + "=" * (-len(fragment) % 4))
    return fragment, raw


def state(page, words):
    expect(page.locator("[data-guest-state]")).to_contain_text(words, timeout=PATIENCE)


def test_a_stranger_sees_where_somebody_is_until_the_link_is_taken_back(robin, circle, stranger, home, log):
    page = robin.page
    link = make(page, circle, note="Gran")
    guest = stranger.page
    guest.goto(link)
    state(guest, "There is no location now")
    share(page, circle)
    state(guest, "This is where they are.")
    expect(guest.locator("[data-guest-where]")).to_have_text(f"{MILL['latitude']:.5f}, {MILL['longitude']:.5f}")
    expect(guest.locator("[data-guest-within]")).to_have_text("within 20 m")
    expect(guest.locator("[data-guest-end]")).to_contain_text("The link ends on")
    assert guest.get_by_role("link", name="Show on OpenStreetMap").get_attribute("href").startswith(
        "https://www.openstreetmap.org/?mlat=52.516300")
    # Nothing of who it is, of the circle, or of anybody else.
    for word in ("Robin", "The weir", "Gran", robin.key):
        assert word not in guest.content()
    # It moves without being loaded again.
    robin.context.set_geolocation(AWAY)
    expect(guest.locator("[data-guest-where]")).to_have_text(
        f"{AWAY['latitude']:.5f}, {AWAY['longitude']:.5f}", timeout=PATIENCE)
    page.goto(circle + "/map")
    page.get_by_role("button", name="Pause", exact=True).click()
    state(guest, "Sharing is paused")
    expect(guest.locator("[data-guest-place]")).to_be_hidden()
    assert str(AWAY["latitude"]) not in guest.content()
    page.get_by_role("button", name="Resume").click()
    state(guest, "This is where they are.")
    page.goto(circle + "/settings")
    item = page.locator(".guest-link", has_text="Gran")
    expect(item).to_contain_text("Location last sent")
    item.get_by_role("button", name="Take it back").click()
    expect(page.locator(".notice")).to_contain_text("taken back")
    state(guest, "This link was taken back.")
    assert str(AWAY["latitude"]) not in guest.content()
    # Who opens it later is told that there is nothing, or that it was taken back; never a place.
    guest.reload()
    expect(guest.locator("[data-guest-state]")).to_have_text(
        re.compile("taken back"), timeout=PATIENCE)
    expect(guest.locator("[data-guest-place]")).to_be_hidden()
    # The key is in nothing that was sent, to the server of the page or to relays, nor in what the server logs.
    fragment, raw = link_parts(link)
    secret = raw[1:33]
    forms = [fragment, secret.hex(), base64.b64encode(secret).decode(), base64.urlsafe_b64encode(secret).decode()[:-1]]
    # Not by the file that the program writes to: both would be at one place in it.
    logged = pathlib.Path(log.name).read_text(errors="replace")
    for form in forms:
        assert not [one for one in stranger.sent if form in str(one)]
        assert form not in logged
    assert len([one for one in stranger.sent if "REQ" in str(one)]) > 0
    # The page asks its server for its own files, and nobody else for anything.
    hosts = {urllib.parse.urlsplit(one).netloc for one in stranger.asked}
    assert hosts == {urllib.parse.urlsplit(link).netloc}
    paths = {urllib.parse.urlsplit(one).path for one in stranger.asked}
    assert all(path == "/guest" or path.startswith(("/assets/", "/favicon", "/manifest")) for path in paths), paths
    assert stranger.context.cookies() == []


def test_the_place_is_as_exact_as_the_circle_is_told(robin, circle, stranger):
    page = robin.page
    robin.context.set_geolocation(MILL)
    page.goto(circle + "/map")
    if page.get_by_role("button", name="Stop", exact=True).is_visible():
        page.get_by_role("button", name="Stop", exact=True).click()
    share(page, circle, blur="1000")
    link = make(page, circle, note="Blurred")
    # A new link asks for a new place; the page of the map tells where the browser is.
    page.goto(circle + "/map")
    guest = stranger.page
    guest.goto(link)
    state(guest, "This is where they are.")
    latitude, longitude = (float(one) for one in guest.locator("[data-guest-where]").inner_text().split(","))
    assert (latitude, longitude) != (MILL["latitude"], MILL["longitude"])
    assert abs(latitude - MILL["latitude"]) < 0.02 and abs(longitude - MILL["longitude"]) < 0.03
    assert int(re.search(r"\d+", guest.locator("[data-guest-within]").inner_text())[0]) >= 500


def test_a_list_that_is_drawn_anew_can_still_be_copied_from(robin, circle):
    page = robin.page
    make(page, circle, note="Copied")
    page.locator(".guest-link").first.evaluate("(item) => { item.dataset.before = 1; }")
    page.locator("h1").first.click()
    elsewhere = robin.context.new_page()
    share_again(elsewhere, circle)
    expect(page.locator(".guest-link[data-before]")).to_have_count(0, timeout=PATIENCE)
    expect(page.locator(".guest-link").first.get_by_role("button", name="Copy")).to_be_visible()
    elsewhere.close()


def test_a_link_that_is_over_or_not_whole_says_so(robin, circle, stranger):
    page = robin.page
    link = make(page, circle, note="Over")
    fragment, raw = link_parts(link)
    base = link.split("#")[0]
    guest = stranger.page
    for broken in ("", "x", fragment[:60], fragment[:-5], "A" + fragment, "%%%", "<img src=x onerror=alert(1)>"):
        guest.goto("about:blank")
        guest.goto(f"{base}#{broken}")
        state(guest, "This link is not whole.")
        expect(guest.locator("[data-guest-place]")).to_be_hidden()
    # The end stands in the link itself: one that is over asks no relay.
    past = base64.urlsafe_b64encode(raw[:65] + (1_700_000_000).to_bytes(4, "big") + raw[69:]).decode().rstrip("=")
    stranger.sent.clear()
    guest.goto("about:blank")
    guest.goto(f"{base}#{past}")
    state(guest, "This link ended on")
    assert not [one for one in stranger.sent if "REQ" in str(one)]
    # Another secret opens nothing: a place that was made for another link is none.
    other = base64.urlsafe_b64encode(raw[:1] + bytes(32) + raw[33:]).decode().rstrip("=")
    guest.goto("about:blank")
    guest.goto(f"{base}#{other}")
    state(guest, "There is no location now")
    # Nobody is there.
    gone = raw[:69] + bytes([len(b"ws://127.0.0.1:2")]) + b"ws://127.0.0.1:2"
    guest.goto("about:blank")
    guest.goto(f"{base}#{base64.urlsafe_b64encode(gone).decode().rstrip('=')}")
    state(guest, "No relay that the link names can be reached")


def test_an_old_place_is_said_to_be_old(robin, circle, stranger):
    page = robin.page
    share_again(page, circle)
    link = make(page, circle, note="Old")
    page.goto(circle + "/map")
    guest = stranger.page
    guest.clock.install()
    guest.goto(link)
    state(guest, "This is where they are.")
    # Nobody tells anything any more, and half an hour passes.
    page.goto("about:blank")
    guest.clock.fast_forward("30:00")
    state(guest, "This is old")
    expect(guest.locator("[data-guest-place]")).to_be_visible()
    guest.clock.fast_forward("40:00")
    state(guest, "This link ended on")
    expect(guest.locator("[data-guest-place]")).to_be_hidden()


def share_again(page, circle):
    page.goto(circle + "/map")
    if page.get_by_role("button", name="Stop", exact=True).is_visible():
        page.get_by_role("button", name="Stop", exact=True).click()
    share(page, circle)


def test_a_page_that_decrypts_nothing_is_refused(robin, circle):
    page = robin.page
    page.goto(circle + "/settings")
    section = page.locator("section", has=page.locator("#guests"))
    if not section.get_by_label("It works for").is_visible():
        section.get_by_text("New guest link").click()
    before = page.locator(".guest-link").count()
    section.get_by_label("Page it opens").fill("http://linnet.example/guest")
    section.get_by_role("button", name="Make a guest link").click()
    expect(page.locator(".circle-page > .problem")).to_contain_text("begins with https://")
    expect(page.locator(".guest-link")).to_have_count(before)
    link = make(page, circle, note="Elsewhere", to="https://linnet.example/guest")
    assert link.startswith("https://linnet.example/guest#")


def test_every_page_can_be_used_by_everybody(chromium, robin, circle):
    """In light and dark, on a desk and in a hand; the pictures are there to be looked at."""
    page = robin.page
    share_again(page, circle)
    link = make(page, circle, note="Looked at")
    page.goto(circle + "/map")
    inside = robin.context.storage_state()
    for size, viewport in (("desk", DESKTOP), ("phone", PHONE)):
        for name, path, known in (("guest", link, None), ("guest-settings", circle + "/settings", inside)):
            context = chromium.new_context(storage_state=known, viewport=viewport)
            context.set_default_timeout(PATIENCE)
            one = context.new_page()
            one.goto(path)
            if known is None:
                # On a slow machine the place may be called old by now; the page looks the same but for the words.
                expect(one.locator("[data-guest-state]")).to_contain_text("This is", timeout=PATIENCE)
            else:
                one.locator("#guests").evaluate("(heading) => heading.scrollIntoView()")
            holds_in_both(one, f"{name}-{size}", full_page=known is None)
            context.close()


def test_without_scripts_the_page_says_what_it_needs(chromium, robin, circle):
    link = make(robin.page, circle, note="No scripts")
    context = chromium.new_context(java_script_enabled=False, viewport=PHONE)
    page = context.new_page()
    page.goto(link)
    expect(page.locator("noscript .problem, .guest .problem").first).to_contain_text("Allow scripts")
    context.close()
