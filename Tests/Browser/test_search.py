"""A search finds while somebody types, leads straight to what was pasted, and works by keyboard and without scripts."""

import re

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE, wait_for
from looking import holds_in_both


def test_results_come_while_somebody_types(visit):
    page = visit("/search")
    page.get_by_role("searchbox").press_sequentially("bread", delay=60)
    # Who types slowly is shown what fits the beginning of a word as well.
    expect(page).to_have_url(re.compile(r"/search\?.*q=bread"))
    expect(page.locator("form.feed[data-search] .note").first).to_be_visible()
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.get_by_role("searchbox").fill("zzzzzzzz")
    expect(page.locator("form.feed[data-search]")).to_contain_text("Nothing found")


def test_relays_are_merged_in_without_a_reload(visit):
    page = visit("/search?q=bread")
    page.evaluate("window.stays = true")
    told = re.compile(r"(?<!None of )\b\d+ (of \d+ )?relays? answered")
    expect(page.locator(".search-hint")).to_contain_text(told, timeout=60000)
    expect(page.locator("form.feed[data-search] .note").first).to_be_visible()
    assert page.evaluate("window.stays")


def test_whatever_is_pasted_is_gone_to(visit):
    page = visit("/home")
    person = page.locator(".note .name a").first.get_attribute("href").rsplit("/", 1)[-1]
    page.goto(f"/search?q={person}")
    expect(page).to_have_url(re.compile(f"/people/{person}$"))
    page.goto("/search?q=%23birds")
    expect(page).to_have_url(re.compile("/tags/birds$"))
    page.goto("/search?q=wss%3A%2F%2Frelay.example")
    expect(page).to_have_url(re.compile(r"/relays/relay\?relay="))


def test_sorts_are_reached_by_keyboard(visit):
    page = visit("/search?q=bread")
    tabs = page.get_by_role("navigation", name="What is looked for")
    tabs.get_by_role("link", name="Articles").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**sort=articles**")
    expect(tabs.locator("[aria-current]")).to_have_text("Articles")


def test_a_secret_key_is_neither_searched_nor_shown(visit):
    page = visit("/search?q=nsec1" + "q" * 58)
    expect(page.locator("main")).to_contain_text("That is a secret key")
    expect(page.get_by_role("searchbox")).to_have_value("")


def test_a_secret_key_that_is_typed_goes_into_no_address(visit):
    page = visit("/search")
    page.get_by_role("searchbox").fill("nsec1" + "q" * 58)
    page.get_by_role("searchbox").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("That is a secret key")
    expect(page.get_by_role("searchbox")).to_have_value("")
    assert "nsec1" not in page.url


def test_an_address_of_a_signer_that_is_pasted_is_asked_of_nobody(visit):
    page = visit("/search")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_role("searchbox").fill(f"bunker://{'0' * 64}?relay=wss://one.example&secret=sesame")
    # As long as a search would take to begin by itself.
    page.wait_for_timeout(1500)
    page.get_by_role("searchbox").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("lets in whoever has it")
    expect(page.get_by_role("searchbox")).to_have_value("")
    assert "sesame" not in page.url and not [url for url in asked if "sesame" in url]


def test_it_works_without_scripts(visit):
    page = visit("/search", java_script_enabled=False)
    wait_for(page, "/search?q=bread&scope=here", ".note")
    page.goto("/search")
    page.get_by_role("searchbox").fill("bread")
    page.get_by_role("searchbox").press("Enter")
    expect(page.locator(".note").first).to_be_visible()
    page.locator(".search-more summary").click()
    page.get_by_label("None: only this machine").check()
    page.locator("form.search-form").get_by_role("button", name="Search").click()
    page.wait_for_url("**scope=here**")
    expect(page.locator(".note").first).to_be_visible()


@pytest.mark.parametrize("size", [DESKTOP, PHONE, {"width": 360, "height": 780}], ids=["desktop", "phone", "small"])
def test_the_whole_form_reads_well(visit, size):
    page = visit("/search?q=ada%40people.example&scope=listed", viewport=size)
    # A script asks whom the name leads to.
    expect(page.locator("[data-search-name]")).not_to_contain_text("Look up")
    holds_in_both(page, f"search-form-{size['width']}")
    assert page.evaluate("window.ran") == []


def test_who_follows_somebody_is_listed_by_keyboard_from_what_is_here(visit):
    page = visit("/home", viewport=PHONE)
    own = page.locator(".nav-item[href^='/people/']").first.get_attribute("href")
    # Lists of follows come from relays a moment after the first login.
    wait_for(page, f"{own}/followers", ".people-list .person-row")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Who follows")
    expect(page.locator(".list-lead").first).to_contain_text("by the lists of follows on this machine")
    holds_in_both(page, "followers-phone")
    row = page.locator(".person-row").first
    target = row.get_attribute("href")
    row.press("Enter")
    page.wait_for_url(f"**{target}")
    page.get_by_role("link", name=re.compile("^Who follows (you|them)$")).press("Enter")
    page.wait_for_url("**/followers")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Who follows")
