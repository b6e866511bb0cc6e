"""Everything with the keyboard alone."""

import re

from playwright.sync_api import expect

from conftest import undo_for, wait_for


def test_the_first_stop_skips_to_the_content(visit):
    page = visit("/home")
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_text("Skip to content")
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


def test_notes_are_walked_liked_opened_and_answered(visit):
    page = visit("/settings", news=False)
    undo_for(page, 60)
    page.goto("/home")
    page.keyboard.press("j")
    page.keyboard.press("j")
    second = page.locator(".note").nth(1)
    expect(second).to_be_focused()
    page.keyboard.press("k")
    first = page.locator(".note").first
    expect(first).to_be_focused()
    page.keyboard.press("l")
    expect(first.locator(".act-like")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#say")).to_have_text("Liked", timeout=30000)
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url("**/note/*")
    page.keyboard.press("r")
    page.wait_for_url("**/compose?reply=*")
    text = page.locator("#text")
    expect(text).to_be_focused()
    page.keyboard.type("By keyboard :tea")
    expect(page.locator("#completions .completion").first).to_be_visible()
    page.keyboard.press("Enter")
    expect(text).to_have_value("By keyboard 🍵 ")
    page.keyboard.press("Control+Enter")
    page.wait_for_url(re.compile("/(home|note)"))
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    page.get_by_role("button", name="Undo").press("Enter")
    expect(page.locator("#text")).to_have_value(re.compile("By keyboard 🍵"))
    undo_for(page, 10)


def test_people_are_named_while_writing(visit):
    page = visit("/home")
    # Names come with profiles, a moment after the first login.
    wait_for(page, "/compose/complete?word=%40a", ".completion")
    page.goto("/compose")
    page.keyboard.type("Hello @a")
    option = page.locator("#completions .completion").first
    expect(option).to_be_visible()
    name = option.get_attribute("data-name")
    page.keyboard.press("Enter")
    expect(page.locator("#text")).to_have_value(f"Hello @{name} ")
    page.get_by_role("button", name="Preview").press("Enter")
    expect(page.locator(".preview .mention")).to_have_text(f"@{name}")


def test_places_have_keys(visit):
    page = visit("/home")
    for keys, path in [("gr", "/relays"), ("gs", "/settings"), ("gh", "/home"), ("n", "/compose")]:
        for key in keys:
            page.keyboard.press(key)
        page.wait_for_url(f"**{path}")
    page.goto("/home")
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type("bread")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?q=bread")
    page.goto("/home")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_whatever_has_the_focus_shows_it(visit):
    page = visit("/home", news=False)
    for _ in range(25):
        page.keyboard.press("Tab")
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none", page.evaluate("document.activeElement.outerHTML.slice(0, 200)")
