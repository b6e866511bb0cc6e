"""Accounts and keys: switching, locking, the passphrase, a backup, burning."""

import re

import pytest
from playwright.sync_api import expect

from conftest import enter, skip_to_home

PASSPHRASE = "a long passphrase"


@pytest.fixture
def page(chromium, own_program):
    """A browser in which one is a demo person, and Wren lives here too."""
    context = chromium.new_context(base_url=own_program.base)
    context.set_default_timeout(60000)
    page = context.new_page()
    if own_program.link:
        enter(page, own_program)
        own_program.link = None
        own_program.state = context.storage_state()
    else:
        context.add_cookies(own_program.state["cookies"])
        page.goto("/home")
    if page.get_by_role("button", name="Switch to Wren").count() == 0 and page.locator(".drawer-name", has_text="Wren").count() == 0:
        add_wren(page)
    yield page
    context.close()


def add_wren(page):
    page.goto("/welcome")
    page.get_by_text("Create a new key").click()
    door = page.locator("details[open]")
    door.get_by_label("Name").fill("Wren")
    door.get_by_label("Passphrase", exact=True).fill(PASSPHRASE)
    door.get_by_label("Passphrase again").fill(PASSPHRASE)
    door.get_by_role("button", name="Create").click()
    skip_to_home(page)
    # Relays are asked first whether there is a profile already.
    for _ in range(90):
        if page.locator(".me-name").inner_text() == "Wren":
            return
        page.wait_for_timeout(1000)
        page.goto("/home")
    pytest.fail("the name of a new account did not come")


def switch(page, name):
    page.goto("/home")
    page.get_by_role("button", name="More", exact=True).click()
    expect(page.locator("#drawer")).to_be_visible()
    button = page.get_by_role("button", name=re.compile(f"^Switch to {name}"))
    if button.count():
        button.click()
    else:
        page.keyboard.press("Escape")
    # Home is where it leads, and where it began.
    expect(page.locator(".me-name")).to_have_text(re.compile(rf"^\s*{name}\s*$"))


def other_name(page):
    page.goto("/home")
    names = page.locator("#drawer .drawer-accounts .drawer-name").all_text_contents()
    return next(name for name in names if name != "Wren")


def test_switching_keeps_the_pages_of_two_accounts_apart(page):
    demo = other_name(page)
    switch(page, "Wren")
    expect(page.locator(".me-name")).to_have_text("Wren")
    old = page.context.new_page()
    old.goto("/compose")
    old.get_by_label("Your note").fill("Only Wren says this.")
    switch(page, re.escape(demo))
    expect(page.locator(".me-name")).to_have_text(demo)
    expect(old.locator("#other-account")).to_be_visible(timeout=30000)
    old.get_by_role("button", name="Publish").click()
    expect(old.get_by_role("heading", level=1)).to_have_text("That did not work")
    page.goto("/compose")
    expect(page.get_by_label("Your note")).to_have_value("")
    old.close()


def test_the_drawer_works_by_keyboard(page):
    page.goto("/home")
    more = page.get_by_role("button", name="More", exact=True)
    more.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#drawer")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.locator("#drawer :focus")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("#drawer")).to_be_hidden()
    expect(more).to_be_focused()


def test_a_key_is_locked_and_its_passphrase_changed(page):
    switch(page, "Wren")
    page.goto("/keys")
    if page.get_by_role("button", name="Lock now").count() == 0:
        unlock(page, PASSPHRASE)
        page.goto("/keys")
    page.get_by_text("Change the passphrase").click()
    page.get_by_label("Passphrase now").fill(PASSPHRASE)
    page.get_by_label("New passphrase", exact=True).fill("another long one")
    page.get_by_label("New passphrase again").fill("another long one")
    page.get_by_role("button", name="Change it").click()
    expect(page.locator(".notice")).to_contain_text("The passphrase is changed")
    beside = page.context.new_page()
    beside.goto("/home")
    page.locator("main").get_by_role("button", name="Lock now").click()
    expect(page.locator("#locked")).to_be_visible()
    expect(beside.locator("#locked")).to_be_visible(timeout=30000)
    beside.close()
    page.get_by_role("link", name="Unlock to write").click()
    page.get_by_label("Passphrase").fill(PASSPHRASE)
    page.get_by_role("button", name="Unlock").click()
    expect(page.get_by_role("alert")).to_be_visible()
    unlock(page, "another long one")
    expect(page.locator("#locked")).to_have_count(0)
    page.goto("/keys")
    page.get_by_text("Change the passphrase").click()
    page.get_by_label("Passphrase now").fill("another long one")
    page.get_by_label("New passphrase", exact=True).fill(PASSPHRASE)
    page.get_by_label("New passphrase again").fill(PASSPHRASE)
    page.get_by_role("button", name="Change it").click()
    expect(page.locator(".notice")).to_contain_text("The passphrase is changed")


def unlock(page, passphrase):
    page.goto("/unlock")
    page.get_by_label("Passphrase").fill(passphrase)
    page.get_by_role("button", name="Unlock").click()
    page.wait_for_url("**/home")


def test_what_is_secret_is_shown_once_and_a_backup_is_a_file(page, tmp_path):
    switch(page, "Wren")
    page.goto("/keys")
    page.get_by_text("Encrypted key", exact=True).click()
    page.get_by_role("button", name="Show it").click()
    expect(page.locator("#ncryptsec")).to_have_value(re.compile("^ncryptsec1"))
    page.goto("/keys")
    assert "ncryptsec1" not in page.content()
    page.get_by_role("heading", name="Backup", exact=True).click()
    page.get_by_label("Passphrase of the file").fill("for the file only")
    page.get_by_label("Again", exact=True).fill("for the file only")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download the backup").click()
    path = tmp_path / "backup"
    waiting.value.save_as(path)
    assert waiting.value.suggested_filename.startswith("linnet-npub1")
    content = path.read_bytes()
    assert len(content) > 100 and b"Wren" not in content and b"nsec1" not in content


def test_a_burnt_account_is_gone(page):
    switch(page, "Wren")
    page.goto("/keys")
    page.get_by_text("Delete account from this machine").click()
    page.get_by_label("Type Wren").fill("Wrem")
    page.locator("#burn-pass").fill(PASSPHRASE)
    page.get_by_role("button", name="Delete account", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("Wren")
    page.get_by_label("Type Wren").fill("Wren")
    page.locator("#burn-pass").fill(PASSPHRASE)
    page.get_by_role("button", name="Delete account", exact=True).click()
    page.wait_for_url("**/welcome")
    assert "Wren" not in page.locator("main").inner_text()
