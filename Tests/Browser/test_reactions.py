"""Reactions with any emoji, and packs of emoji: with a demo person of one's own."""

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE, wait_for
from looking import holds_in_both


def first_note(page):
    page.locator(".note").nth(2).wait_for()
    return page.locator(".note").nth(2).get_attribute("data-id")


@pytest.mark.parametrize("viewport, name", [(DESKTOP, "desk"), (PHONE, "phone")])
def test_without_scripts_one_picks_an_emoji_and_takes_it_back(open_page, viewport, name):
    page = open_page(viewport=viewport, java_script_enabled=False)
    note = first_note(page)
    page.goto(f"/note/{note}")
    page.get_by_role("link", name="React with an emoji…").first.click()
    expect(page.locator("h1")).to_have_text("React with an emoji")
    page.locator(".picker-emoji[value='🔥']").first.click()
    own = page.locator(".reaction.is-own")
    expect(own).to_contain_text("🔥")
    with page.expect_navigation():
        own.locator("button").click()
    expect(page.locator(".note.is-focus")).to_be_visible()
    expect(own).to_have_count(0)


@pytest.mark.parametrize("viewport, name", [(DESKTOP, "desk"), (PHONE, "phone")])
def test_the_pages_hold(open_page, viewport, name):
    page = open_page(viewport=viewport)
    note = first_note(page)
    page.goto(f"/note/{note}/react")
    holds_in_both(page, f"react-{name}")
    page.goto(f"/note/{note}")
    holds_in_both(page, f"reactions-{name}")
    wait_for(page, "/emoji/find", ".pack-row")
    holds_in_both(page, f"emoji-{name}")


@pytest.mark.parametrize("viewport, name", [(DESKTOP, "desk"), (PHONE, "phone")])
def test_the_page_of_a_pack_holds_and_is_left_by_keyboard(open_page, viewport, name):
    page = open_page(viewport=viewport)
    wait_for(page, "/emoji/find", ".pack-row")
    pack = page.locator(".pack-row a.name").first
    title = pack.inner_text()
    pack.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/emoji/naddr1*")
    expect(page.locator("h1")).to_have_text(title)
    expect(page.locator(".pack-emoji li").first).to_be_visible()
    holds_in_both(page, f"emoji-pack-{name}")
    page.get_by_role("link", name="Your emoji").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/emoji")


def test_the_menu_of_the_heart_offers_emoji_and_the_keyboard_picks_one(open_page):
    page = open_page()
    note = first_note(page)
    page.goto(f"/note/{note}")
    heart = page.locator(f".note[data-id='{note}'] .act-like")
    heart.click(button="right")
    menu = page.locator(".reaction-menu")
    expect(menu).to_be_visible()
    expect(menu.locator("button").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    heart.click(button="right")
    expect(menu.locator("button").first).to_be_focused()
    menu.locator(".picker-emoji[value='🌱']").first.focus()
    page.keyboard.press("Enter")
    expect(menu).to_be_hidden()
    expect(page.locator(".reaction.is-own")).to_contain_text("🌱")
    expect(heart).to_have_attribute("aria-pressed", "true")


def test_a_pack_is_adopted_its_emoji_offered_and_the_pack_left(open_page):
    page = open_page()
    wait_for(page, "/emoji/find", ".pack-row")
    row = page.locator(".pack-row").first
    row.get_by_role("button", name="Use ").click()
    used = page.locator("section[aria-labelledby='used-title'] .pack-row")
    expect(used).to_have_count(1)
    used.locator("a.name").click()
    expect(page.locator(".pack-emoji li").first).to_be_visible()
    page.goto("/home")
    note = first_note(page)
    page.goto(f"/note/{note}/react")
    own = page.get_by_role("group", name="Your own").locator("button").first
    expect(own).to_be_visible()
    code = own.get_attribute("value")
    with page.expect_navigation():
        own.click()
    page.goto(f"/note/{note}")
    expect(page.locator(f".reaction.is-own button[value='{code}']")).to_be_visible()
    page.goto("/emoji")
    page.get_by_role("button", name="Stop using").first.click()
    expect(page.locator("section[aria-labelledby='used-title'] .pack-row")).to_have_count(0)
