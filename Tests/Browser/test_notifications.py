"""Notifications: who answered, reacted, followed and called in a chat, what is unread, and marking it as read."""

import re
import time

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE, enter, publish_nearby, wait_for
from looking import holds_in_both
from nostr import Author

# Lines of chats lead to their streams, and who begins to follow to nowhere.
OF_NOTES = ".happening:not(.is-chat, .is-follow)"


def rows(page, of=".happening"):
    """What happened, once relays have told it."""
    wait_for(page, page.url, of)
    return page.locator(of)


@pytest.mark.parametrize("size", [PHONE, DESKTOP, {"width": 360, "height": 740}], ids=["phone", "desktop", "narrow"])
def test_a_row_says_who_did_what_and_leads_there(visit, size):
    page = visit("/notifications", viewport=size)
    found = rows(page, OF_NOTES)
    expect(page.locator("h1")).to_have_text("Notifications")
    expect(found.first.locator(".happening-words")).not_to_be_empty()
    holds_in_both(page, f"notifications-{size['width']}")
    found.locator("a.when").first.click()
    page.wait_for_url("**/note/*")


def test_one_sort_is_looked_at_alone_by_keyboard(visit):
    page = visit("/home")
    page.keyboard.press("g")
    page.keyboard.press("i")
    page.wait_for_url("**/notifications")
    rows(page, ".happening.is-reply")
    link = page.get_by_role("navigation", name="Which notifications").get_by_role("link", name="Replies")
    link.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/notifications?only=replies")
    expect(page.locator(".happening.is-reply").first).to_be_visible()
    expect(page.locator(".happening:not(.is-reply)")).to_have_count(0)


def test_who_begins_to_follow_is_told_in_one_line(visit):
    page = visit("/home")
    own = page.locator(".nav-item[href^='/people/']").get_attribute("href").rsplit("/", 1)[-1]
    stranger = Author(77_001)
    now = int(time.time())
    events = [
        stranger.event(0, '{"name":"Wren"}', at=now - 5),
        stranger.event(3, "", [["p", own]], at=now),
    ]
    publish_nearby(page, events)
    page.set_viewport_size(PHONE)
    # Others may begin to follow as well, and names come after.
    wait_for(page, "/notifications?only=followers", ".happening.is-follow a.name:text-is('Wren')")
    row = page.locator(".happening.is-follow")
    expect(row).to_have_count(1)
    expect(row.locator(".happening-words")).to_have_text(re.compile("follows? you"))
    holds_in_both(page, "notifications-followers")
    row.locator("a.name:text-is('Wren')").press("Enter")
    page.wait_for_url("**/people/*")
    expect(page.locator("#person-name")).to_contain_text("Wren")


def test_a_line_to_you_in_a_live_chat_is_told_and_leads_to_the_stream(visit):
    chat = visit("/streams")
    chat.get_by_role("link", name="Morning at the harbour").press("Enter")
    chat.wait_for_url("**/streams/naddr1*")
    pen = chat.get_by_label("Write in the chat")
    pen.fill("Does anybody hear the foghorn?")
    pen.press("Enter")
    expect(pen).to_have_value("")
    # Somebody answers within minutes; the answer stands in one row of its own.
    page = visit("/notifications?only=chats", viewport={"width": 360, "height": 740})
    row = page.locator(".happening.is-chat")
    for _ in range(150):
        if row.count():
            break
        page.wait_for_timeout(2000)
        page.reload()
    expect(row.first.locator(".happening-words")).to_have_text(re.compile("in a live chat"))
    expect(page.locator(".happening:not(.is-chat)")).to_have_count(0)
    # A chat is answered where it is.
    expect(row.get_by_role("link", name="Reply to")).to_have_count(0)
    holds_in_both(page, "notifications-chats")
    row.first.locator("a.when").press("Enter")
    page.wait_for_url("**/streams/naddr1*")
    expect(page.get_by_role("heading", name="Chat")).to_be_visible()


def test_what_comes_shows_itself_and_is_read_when_that_is_said(visit):
    page = visit("/notifications")
    rows(page)
    # People of the simulated network notice what one writes.
    writing = visit("/compose")
    writing.locator("textarea[name=text]").fill("Is anybody about this evening?")
    writing.locator("textarea[name=text]").press("Control+Enter")
    badge = page.locator(".nav-item[href='/notifications'] [data-notifications]")
    expect(badge).to_be_visible(timeout=180000)
    expect(page.locator(".happening.is-unread").first).to_be_visible(timeout=180000)
    # What comes after a page was drawn is not read yet, and stays unread.
    still = visit("/notifications", news=False)
    unread = still.locator(".happening.is-unread").evaluate_all("(rows) => rows.map((row) => row.id)")
    assert unread
    still.get_by_role("button", name="Mark all read").click()
    expect(still.get_by_text("All notifications are marked as read.")).to_be_visible()
    expect(still.locator(", ".join(f"#{row}.is-unread" for row in unread))).to_have_count(0)


def test_what_is_shown_is_chosen(visit):
    page = visit("/notifications", java_script_enabled=False)
    rows(page, ".happening.is-reaction")

    def choose(shown):
        page.locator("summary", has_text="What is shown").click()
        page.get_by_role("checkbox", name="Reactions").set_checked(shown)
        with page.expect_navigation():
            page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("Saved.")).to_be_visible()

    choose(False)
    expect(page.locator(".happening").first).to_be_visible()
    expect(page.locator(".happening.is-reaction")).to_have_count(0)
    choose(True)
    expect(page.locator(".happening.is-reaction").first).to_be_visible()


def test_who_asks_to_join_a_circle_waits_on_top_and_is_reached_by_keyboard(chromium, own_program, asks_to_join):
    context = chromium.new_context(base_url=own_program.base, viewport=DESKTOP)
    page = context.new_page()
    enter(page, own_program)
    asks_to_join(page, own_program)
    page.set_viewport_size(PHONE)
    wait_for(page, "/notifications", ".wait-row:has-text('asks to join The weir')")
    holds_in_both(page, "notifications-waiting")
    page.locator(".wait-row", has_text="asks to join The weir").press("Enter")
    page.wait_for_url("**/circles/*/people")
    expect(page.get_by_role("heading", name="Asking to join")).to_be_visible()
    context.close()


def test_a_tone_is_played_by_choice_for_what_is_new(visit):
    # What really comes would count, too.
    page = visit("/settings", news=False)
    page.add_init_script(
        """window.tones = 0;
        window.AudioContext = class extends window.AudioContext {
            constructor() { super(); window.tones += 1; }
        };"""
    )

    def comes(seconds_ago):
        page.evaluate("localStorage.removeItem('linnet-tone')")
        page.evaluate(
            """(ago) => document.dispatchEvent(new CustomEvent("linnet:notifications", {
                detail: { unread: (window.counted = (window.counted ?? 200) + 1), newest: Date.now() / 1000 - ago },
            }))""",
            seconds_ago,
        )

    def is_silent():
        page.wait_for_timeout(500)
        return page.evaluate("window.tones") == 0

    page.goto("/home")
    comes(0)
    assert is_silent(), "nobody asked for it"
    page.goto("/settings")
    box = page.get_by_label("Play a short tone when something new concerns you")
    # A choice is saved as it is made.
    box.click()
    page.wait_for_url("**/settings?saved=1")
    page.goto("/home")
    comes(86_400)
    assert is_silent(), "it was there before"
    comes(0)
    page.wait_for_function("() => window.tones === 1")
    page.goto("/settings")
    box.click()
    page.wait_for_url("**/settings?saved=1")
