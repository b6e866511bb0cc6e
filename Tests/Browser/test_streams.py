"""Live streams: the list, a stream's chat with and without scripts, by keyboard and on a phone."""

import re

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE
from looking import holds_in_both
from pieces import listed, pictures

HARBOUR = "Morning at the harbour"


@pytest.fixture(scope="module")
def harbour(chromium, own_program, own_state):
    """The address of the stream with most people, once relays gave it."""
    context = chromium.new_context(storage_state=own_state, base_url=own_program.base)
    page = context.new_page()
    page.goto("/streams")
    page.get_by_role("link", name=HARBOUR).wait_for(timeout=60000)
    address = page.get_by_role("link", name=HARBOUR).get_attribute("href")
    context.close()
    return address


def lines(page):
    return page.locator("[data-stream-log] > .stream-line")


def is_known(page):
    """Waits until relays gave the stream itself: its page is loaded anew for it."""
    page.locator("[data-stream][data-known]").wait_for(timeout=60000)
    page.wait_for_load_state()


def test_list_tells_live_planned_and_ended_apart(open_page, harbour):
    page = open_page("/streams")
    live = page.get_by_role("region", name="Live now")
    expect(live.get_by_role("heading", level=3).first).to_have_text(HARBOUR)
    expect(page.get_by_role("region", name="Planned")).to_contain_text("Baking for a street party")
    ended = page.get_by_role("region", name="Ended")
    expect(ended).to_contain_text("Counting swifts from the tower")
    # It says that it is live, and was not updated for hours.
    expect(ended).to_contain_text("Somebody left the camera on")


def test_chat_leaves_out_the_muted_the_loud_and_forged_payments(open_page, harbour):
    page = open_page(harbour)
    is_known(page)
    expect(lines(page).nth(10)).to_be_visible()
    log = page.locator("[data-stream-log]")
    expect(log).to_contain_text("best harbour")
    expect(log).not_to_contain_text("nobody wants to see your harbour")
    expect(log).not_to_contain_text("look at me")
    expect(page.locator("[data-stream-state]")).to_contain_text("1,231 sats in 3 payments")
    expect(page.locator(".stream-line", has_text="FREE GULLS")).to_have_count(1)


def test_a_line_is_written_by_keyboard_and_others_come_without_reloading(open_page, harbour):
    page = open_page(harbour)
    is_known(page)
    expect(lines(page).nth(10)).to_be_visible()
    page.evaluate("window.stays = true")
    page.get_by_label("Write in the chat").focus()
    page.keyboard.type("hello from the keyboard")
    page.keyboard.press("Enter")
    own = lines(page).filter(has_text="hello from the keyboard")
    expect(own).to_have_count(1)
    expect(page.get_by_label("Write in the chat")).to_have_value("")
    before = page.locator("[data-stream-log] > :last-child").get_attribute("data-line")
    # Somebody else writes within a while.
    page.wait_for_function(
        "before => document.querySelector('[data-stream-log] > :last-child').dataset.line !== before",
        arg=before, timeout=120000)
    assert page.evaluate("window.stays")
    # The newest: old ones leave as others come, and which is the last may change meanwhile.
    answered = lines(page).filter(has=page.get_by_role("button", name="Like what")).last.get_attribute("data-line")
    other = page.locator(f"[data-stream-log] > [data-line='{answered}']")
    other.get_by_role("link", name="Reply to").press("Enter")
    expect(page.locator("[data-answering]")).to_be_visible()
    expect(page.get_by_label("Write in the chat")).to_be_focused()
    page.keyboard.type("an answer")
    page.keyboard.press("Enter")
    reply = lines(page).filter(has_text="an answer").locator(".stream-reply")
    expect(reply).to_have_attribute("href", f"#line-{answered}")
    expect(page.locator("[data-answering]")).to_be_hidden()
    mine = lines(page).filter(has_text="hello from the keyboard")
    mine.get_by_role("button", name="Delete this message").press("Enter")
    expect(mine).to_have_count(0)


def test_works_without_scripts(open_page, harbour):
    page = open_page(harbour, java_script_enabled=False)
    # Relays are asked by the first look; a page without scripts is looked at again.
    for _ in range(30):
        if lines(page).count() > 5:
            break
        page.wait_for_timeout(1000)
        page.reload()
    page.get_by_label("Write in the chat").fill("hello without scripts")
    page.get_by_role("button", name="Send").click()
    expect(lines(page).filter(has_text="hello without scripts")).to_have_count(1)


@pytest.mark.parametrize("device", ["desktop", "phone"])
def test_has_no_violation_and_fits(open_page, harbour, device):
    size = DESKTOP if device == "desktop" else PHONE
    for name, path in [("streams", "/streams"), ("stream", harbour)]:
        page = open_page(path, viewport=size)
        page.locator(".stream-card, .stream-line").first.wait_for()
        if name == "stream":
            is_known(page)
        page.wait_for_timeout(400)
        holds_in_both(page, f"{name}-{device}")


def film_page(open_page, harbour, plays, files=None, before=""):
    """The stream's page in a browser that says whether it plays lists of pieces (HLS); its place gives some files."""
    page = open_page("/streams")
    page.add_init_script(f"HTMLMediaElement.prototype.canPlayType = () => '{plays}'; {before}")

    def answer(route):
        body = (files or {}).get(route.request.url.split("/")[-1])
        route.fulfill(
            status=404 if body is None else 200, body=body or "", headers={"Access-Control-Allow-Origin": "*"})

    page.route(re.compile(r"/streams/[^/?]*\.(m3u8|mp4|m4s|ts)$"), answer)
    page.goto(harbour)
    is_known(page)
    return page


def press_play(page):
    page.locator("video[data-film]").evaluate("(film) => { film.muted = true; film.play().catch(() => {}); }")


def test_a_stream_in_pieces_plays_where_the_browser_has_no_player_for_it(open_page, harbour):
    init, pieces = pictures(8)
    names = [f"{number}.m4s" for number in range(len(pieces))]
    files = {"0.m3u8": listed(names), "init.mp4": init, **dict(zip(names, pieces))}
    page = film_page(open_page, harbour, "", files)
    page.wait_for_function("() => document.querySelector('video[data-film]')?.src.startsWith('blob:')")
    press_play(page)
    page.wait_for_function("() => document.querySelector('video[data-film]').currentTime > 2", timeout=60000)
    expect(page.locator("video[data-film]")).to_be_visible()
    expect(page.locator("[data-film-unplayable]")).to_be_hidden()
    assert page.evaluate("window.ran") == [], "the page's policy lets the player fetch, and play what it fetched"


def test_a_browser_without_a_way_to_be_handed_pieces_says_so_at_once(open_page, harbour):
    page = film_page(open_page, harbour, "", before="delete window.MediaSource; delete window.ManagedMediaSource;")
    expect(page.locator("[data-film-unplayable]")).to_be_visible()
    expect(page.locator("video[data-film]")).to_be_hidden()


def test_pieces_that_no_browser_is_handed_are_said_and_lead_to_a_player(open_page, harbour):
    page = film_page(open_page, harbour, "", {"0.m3u8": listed(["0.ts", "1.ts"], init=None)})
    page.wait_for_function("() => document.querySelector('video[data-film]')?.src.startsWith('blob:')")
    told = page.locator("[data-film-unplayable]")
    expect(told).to_be_hidden()
    press_play(page)
    expect(told).to_contain_text("This browser cannot play the stream")
    expect(told.get_by_role("link", name="Open it in a player")).to_have_attribute("href", re.compile(r"\.m3u8$"))
    expect(page.locator("video[data-film]")).to_be_hidden()
    assert page.locator("video[data-film]").evaluate("(film) => film.paused"), "what nobody sees makes no sound"
    holds_in_both(page, "stream-unplayable")


def test_a_film_that_cannot_be_loaded_says_so(open_page, harbour):
    page = film_page(open_page, harbour, "maybe")
    film = page.locator("video[data-film]")
    expect(film).to_be_visible()
    expect(page.locator("[data-film-unplayable]")).to_be_hidden()
    film.evaluate("(film) => { film.play().catch(() => {}); }")
    expect(page.locator("[data-film-failed]")).to_contain_text("could not be loaded")
    expect(film).to_be_hidden()
