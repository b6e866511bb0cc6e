"""Choosing what is read above home, with a demo person of one's own: the choice is kept."""

import re

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE, wait_for
from looking import holds_in_both

# What the demo person has: its name on the button, and where it leads.
FEEDS = [
    ("Trending", "/trending"),
    ("Birders", "/lists/30000/notes?d=birders"),
    ("Outdoors", "/lists/30015/notes?d=outdoors"),
    ("Bookmarks", "/lists/10003/notes"),
    ("Read again", "/lists/30003/notes?d=read-again"),
    ("Harbour", "/lists/30002/notes?d=harbour"),
]


def has_lists(page):
    """Lists come from relays a moment after the first login."""
    for title, path in FEEDS:
        wait_for(page, "/home", f".feeds button:text-is('{title}')")


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desk"])
def test_each_feed_is_chosen_by_keyboard_and_shows_notes(open_page, viewport):
    page = open_page("/home", viewport=viewport)
    has_lists(page)
    name = "phone" if viewport == PHONE else "desk"
    for title, path in FEEDS:
        page.locator(".feeds > summary").focus()
        page.keyboard.press("Enter")
        button = page.get_by_role("button", name=title, exact=True)
        expect(button).to_be_visible()
        if title == "Trending":
            holds_in_both(page, f"feeds-open-{name}")
        button.focus()
        page.keyboard.press("Enter")
        page.wait_for_url(f"**{path}")
        expect(page.locator(".feeds > summary strong")).to_have_text(title)
        # What people reacted to is counted from what has come by now.
        wait_for(page, path, ".note")
        holds_in_both(page, f"feed-{path.split('/')[1 if title == 'Trending' else 2].split('?')[0]}-{name}")


def test_a_topic_is_written_without_scripts_and_the_choice_outlives_a_new_login(open_page, chromium, own_program):
    page = open_page("/home", java_script_enabled=False)
    page.locator(".feeds > summary").click()
    page.get_by_label("A relay or a #topic").fill("no such thing")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_text("Write the address of a relay, or a topic")).to_be_visible()
    page.locator(".feeds > summary").click()
    page.get_by_label("A relay or a #topic").fill("#Birds")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("#birds")
    expect(page).to_have_url(own_program.base + "/tags/birds")
    page.goto("/settings")
    page.get_by_role("button", name="Make a login link").click()
    link = page.locator("section[aria-labelledby='device-title'] .npub").inner_text()
    context = chromium.new_context(base_url=own_program.base)
    fresh = context.new_page()
    fresh.goto(link)
    expect(fresh).to_have_url(own_program.base + "/tags/birds")
    fresh.goto("/home")
    fresh.locator(".feeds > summary").click()
    with fresh.expect_navigation():
        fresh.get_by_role("button", name="Following", exact=True).click()
    fresh.goto("/")
    expect(fresh).to_have_url(own_program.base + "/home")
    context.close()


def test_a_server_that_counts_is_asked_where_that_was_chosen(open_page):
    page = open_page("/trending")
    expect(page.get_by_role("link", name="All time")).to_have_count(0)
    page.goto("/settings")
    expect(page.get_by_label("Its address")).to_have_value(re.compile(r"^ws://127\.0\.0\.1:"))
    page.get_by_label("Offer what a server counts, too").check()
    page.locator("form[action='/settings/trending']").get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    wait_for(page, "/trending?by=reactions&within=all&from=server", ".note")
    expect(page.get_by_role("link", name="All time")).to_have_attribute("aria-current", "true")
    expect(page.locator(".side", has_text="A server chose these notes")).to_have_count(1)
    wait_for(page, "/trending/topics?within=7d&from=server", ".trends a.name")
    wait_for(page, "/trending/people?within=7d&from=server", ".people-list a")
    page.goto("/settings")
    page.get_by_label("Offer what a server counts, too").uncheck()
    page.locator("form[action='/settings/trending']").get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()


def test_what_is_trending_is_counted_otherwise_by_its_links(open_page):
    page = open_page("/trending", viewport=PHONE)
    page.get_by_role("link", name="Reposts").click()
    page.wait_for_url("**by=reposts**")
    page.get_by_role("link", name="30 days").click()
    page.wait_for_url("**within=30d**")
    expect(page.get_by_role("link", name="Reposts")).to_have_attribute("aria-current", "true")
    wait_for(page, page.url, ".note")
    expect(page.locator("[data-older]")).to_have_count(0)
    expect(page.get_by_role("link", name="All time")).to_have_count(0)
    page.goto("/settings")
    page.get_by_label("Offer what a server counts, too").check()
    page.get_by_label("Its address").fill("")
    page.locator("form[action='/settings/trending']").get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    expect(page.get_by_label("Offer what a server counts, too")).not_to_be_checked()


@pytest.mark.parametrize("viewport, name", [(PHONE, "phone"), (DESKTOP, "desk")], ids=["phone", "desk"])
def test_trending_topics_and_people_are_reached_by_keyboard_and_hold(open_page, viewport, name):
    page = open_page("/trending", viewport=viewport)
    tabs = page.get_by_role("navigation", name="What is trending")
    tabs.get_by_role("link", name="Topics").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/trending/topics")
    page.get_by_role("link", name="30 days").click()
    page.wait_for_url("**within=30d**")
    wait_for(page, page.url, ".trends li")
    expect(page.locator(".trends li").first).to_contain_text("people")
    holds_in_both(page, f"trending-topics-{name}")
    topic = page.locator(".trends a.name").first
    title = topic.inner_text()
    topic.click()
    expect(page.locator("h1")).to_have_text(title)
    wait_for(page, "/trending/people?within=30d", ".people-list a")
    holds_in_both(page, f"trending-people-{name}")


def test_trending_topics_are_read_without_scripts(open_page):
    page = open_page(java_script_enabled=False)
    wait_for(page, "/trending/topics?within=30d", ".trends a.name")
