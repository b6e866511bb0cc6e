"""Articles: read, commented on, by keyboard, wide and narrow, light and dark."""

import re

from playwright.sync_api import expect

from conftest import DESKTOP, PHONE, publish_nearby, send_now, wait_for
from looking import SIZES, holds_in_both, violations
from nostr import Author

GUIDE = "A guide to linnets"
LINK = ".note a[href^='/article/naddr1']"


def open_guide(page):
    """Opens the article that has all of what one may hold, from the note that names it."""
    wait_for(page, "/search?q=Written+at+last", LINK)
    page.locator(LINK).first.click()
    page.wait_for_url("**/article/naddr1*")
    expect(page.locator("h1")).to_have_text(GUIDE)


@SIZES
def test_an_article_is_read_without_html_and_without_a_fault(visit, size):
    page = visit("/home", viewport=size)
    open_guide(page)
    text = page.locator(".long-text")
    expect(text.locator("strong", has_text="chestnut")).to_be_visible()
    expect(text.locator("pre code")).to_contain_text("linnet: 14")
    expect(text).to_contain_text("<b>HTML</b>")
    expect(text.locator("img")).to_have_attribute("alt", "A linnet on gorse")
    expect(text.locator("blockquote")).to_be_visible()
    holds_in_both(page, f"article-{'desk' if size == DESKTOP else 'phone'}", full_page=True)
    assert page.evaluate("window.ran") == []


def test_a_comment_is_written_by_keyboard_and_stands_under_the_article(visit):
    page = visit("/home")
    open_guide(page)
    address = page.url
    page.get_by_role("link", name=re.compile("Write a comment")).focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/compose?**")
    page.locator("textarea[name=text]").first.fill("A comment from the keyboard")
    page.keyboard.press("Control+Enter")
    page.wait_for_url(lambda url: "/compose" not in url)
    send_now(page)
    page.goto(address)
    expect(page.locator(".replies")).to_contain_text("A comment from the keyboard")


def test_a_list_that_somebody_shows_is_read_as_a_feed(visit):
    page = visit("/home")
    # Who of the simulated network shows one is chance.
    friend = Author(77_002)
    kind_people = friend.event(30000, "", [["d", "kind"], ["title", "Kind people"], ["p", Author(77_003).key]])
    publish_nearby(page, [friend.event(0, '{"name":"Siskin"}'), kind_people])
    shown = ".shared-lists a.name[href*='/lists/3000']"
    wait_for(page, f"/people/{friend.key}", shown)
    page.locator(shown).press("Enter")
    page.wait_for_url("**/lists/3000*")
    expect(page.locator(".list-lead")).to_contain_text("A list by")
    page.set_viewport_size(PHONE)
    holds_in_both(page, "shared-list")


def test_an_article_is_liked_and_the_like_taken_back(visit):
    page = visit("/home")
    open_guide(page)
    like = page.locator(".article-page .act-like")
    like.click()
    expect(like).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#say")).to_have_text("Liked")
    expect(page.locator(".strip.alarm:visible")).to_have_count(0)
    like.click()
    # What it is worth once it is taken back; before, a like is only shown as such.
    expect(like).to_have_attribute("value", "")
    expect(like).to_have_attribute("aria-pressed", "false")
    page.reload()
    expect(page.locator(".article-page .act-like")).to_have_attribute("aria-pressed", "false")


def test_an_article_is_a_card_among_its_authors_notes(visit):
    page = visit("/home")
    open_guide(page)
    page.locator(".article-by .name").click()
    page.wait_for_url("**/people/*")
    card = page.locator(".article-card", has_text=GUIDE).first
    card.wait_for()
    card.get_by_role("link", name=GUIDE).click()
    page.wait_for_url("**/article/naddr1*")


def test_an_article_is_read_without_scripts(visit):
    page = visit("/home", java_script_enabled=False)
    wait_for(page, "/search?q=Written+at+last", LINK)
    page.locator(LINK).first.click()
    expect(page.locator("h1")).to_have_text(GUIDE)


def test_a_person_shows_pins_and_what_they_do(visit):
    page = visit("/home")
    own = page.locator(".nav-item[href^='/people/']").get_attribute("href")
    wait_for(page, own, ".pinned .card")
    page.locator(".status-form summary").click()
    page.locator("#status-type").select_option("music")
    page.locator("#status").fill("Two Herons")
    page.get_by_role("button", name="Set status").click()
    expect(page.locator(".person-status")).to_contain_text("Two Herons")
    assert violations(page) == []
