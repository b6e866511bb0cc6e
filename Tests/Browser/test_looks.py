"""Looks: every theme can be read, light and dark, on a phone and a desk; a choice holds at once."""

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE
from looking import SIZES, holds_in_both, in_both, sticks_out, violations

THEMES = ["linnet", "nord", "dracula", "gruvbox", "monochrome"]
DEFAULT = {"theme": "linnet", "scheme": "system", "accent": "theme", "text": "normal", "motion": "system"}


@pytest.fixture(autouse=True)
def as_before(chromium, program, session):
    """Whoever comes next in this browser finds the look as it was."""
    yield
    context = chromium.new_context(storage_state=session, base_url=program.base)
    page = context.new_page()
    page.goto("/settings")
    choose(page, **DEFAULT)
    context.close()


def choose(page, colour=None, **choices):
    """Chooses on the settings page, which is open, and sends the form."""
    for name, value in choices.items():
        page.locator(f"input[name={name}][value={value}]").check()
    if colour:
        page.locator("input[name=colour]").fill(colour)
    page.get_by_role("button", name="Save the look").click()
    page.wait_for_url("**/settings?saved=1")


@pytest.mark.parametrize("theme", THEMES)
def test_a_theme_can_be_read(theme, visit):
    choose(visit("/settings"), theme=theme)
    for name, path in [("home", "/home"), ("settings", "/settings")]:
        for device, size in [("desktop", DESKTOP), ("phone", PHONE)]:
            page = visit(path, viewport=size)
            page.wait_for_timeout(400)
            holds_in_both(page, f"look-{theme}-{name}-{device}")
            assert page.evaluate("window.ran") == [], "the policy lets the sheet in"
            page.context.close()


@pytest.mark.parametrize("colour", ["#ffff00", "#ffffff", "#000000", "#808080"])
def test_any_accent_can_be_read(colour, visit):
    choose(visit("/settings"), accent="own", colour=colour)
    page = visit("/settings")
    for scheme in in_both(page):
        expect(page.get_by_text("Your accent is hard to read")).to_be_visible()
        expect(page.locator("input[name=colour]")).to_have_value(colour)
        assert violations(page) == [], f"{colour}, {scheme}"


def test_light_and_dark_hold_whatever_the_system_says(visit):
    page = visit("/settings", color_scheme="light")
    light = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    choose(page, theme="nord", scheme="dark")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(46, 52, 64)" != light
    assert page.locator("meta[name=theme-color]").get_attribute("content") == "#2e3440"


@SIZES
def test_large_text_is_larger_and_fits(size, visit):
    choose(visit("/settings"), text="large")
    for path in ["/home", "/settings", "/messages", "/relays"]:
        page = visit(path, viewport=size)
        assert page.evaluate("getComputedStyle(document.body).fontSize") == "18px"
        assert sticks_out(page) == 0, path
        page.context.close()


def test_nothing_moves_where_less_motion_was_chosen(visit):
    choose(visit("/settings"), motion="less")
    page = visit("/home", reduced_motion="no-preference")
    page.wait_for_timeout(400)
    moving = page.evaluate("document.getAnimations().filter((animation) => animation.playState === 'running').length")
    assert moving == 0
    assert page.evaluate("document.documentElement.dataset.motion") == "less"


def test_without_scripts_and_by_keyboard(visit):
    page = visit("/settings", java_script_enabled=False)
    page.locator("input[name=theme]:checked").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("input[name=theme][value=nord]")).to_be_checked()
    page.keyboard.press("Enter")
    page.wait_for_url("**/settings?saved=1")
    expect(page.locator("link[href^='/theme.css?look=nord-']")).to_have_count(1)
    expect(page.locator("input[name=colour]")).to_be_hidden()
    page.locator("input[name=accent][value=own]").check()
    expect(page.locator("input[name=colour]")).to_be_visible()


def test_a_default_look_asks_for_no_further_sheet(visit):
    page = visit("/home")
    expect(page.locator("link[href^='/theme.css']")).to_have_count(0)
