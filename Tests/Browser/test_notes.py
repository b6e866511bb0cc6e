"""Notes by hand: a click opens one, a picture is shown large, what was done is taken back, and the menu of a note."""

import pathlib

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE

SHOTS = pathlib.Path(__file__).parents[2] / ".build" / "screenshots"


def shot(page, name):
    SHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SHOTS / f"{name}.png")


def clean(page):
    found = [(one["id"], [node["target"] for node in one["nodes"]][:3]) for one in Axe().run(page).response["violations"]]
    assert found == []


def test_a_click_on_a_note_opens_it_and_on_its_parts_does_what_they_do(visit):
    page = visit("/home")
    note = page.locator(".note:not(:has(.note-text a)):not(:has(.card))").first
    path = f"/note/{note.get_attribute('data-id')}"
    # Who reads already is shown nothing new above, which would push the words away under the pointer.
    page.keyboard.press("Shift")
    # Words that are being selected are read, not opened.
    box = note.locator(".note-text").bounding_box()
    page.mouse.move(box["x"] + 2, box["y"] + 8)
    page.mouse.down()
    page.mouse.move(box["x"] + 90, box["y"] + 10, steps=5)
    page.mouse.up()
    assert not page.evaluate("getSelection().isCollapsed")
    page.wait_for_timeout(300)
    assert page.url.endswith("/home")
    page.evaluate("getSelection().removeAllRanges()")
    with page.context.expect_page() as opened:
        note.locator(".note-head").click(button="middle", position={"x": 300, "y": 8})
    opened.value.wait_for_url(f"**{path}")
    with page.context.expect_page() as opened:
        note.locator(".note-head").click(modifiers=["Control"], position={"x": 300, "y": 8})
    opened.value.wait_for_url(f"**{path}")
    note.locator(".note-head").click(position={"x": 300, "y": 8})
    page.wait_for_url(f"**{path}")
    page.go_back()
    name = page.locator(".note .name a").first
    target = name.get_attribute("href")
    name.click()
    page.wait_for_url(f"**{target}")
    page.goto("/home")
    page.locator(".note").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/note/*")


def test_a_like_and_a_repost_are_taken_back_by_the_same_button(visit):
    page = visit("/home")
    note = page.locator(".note").nth(2)
    where = page.locator(f"#{note.get_attribute('id')}")
    for key, name in [("l", "Like"), ("t", "Repost")]:
        act = where.locator(f".act[data-key={key}]")
        before = act.inner_text()
        expect(act).to_have_attribute("aria-pressed", "false")
        act.click()
        expect(act).to_have_attribute("value", "1")
        expect(act).to_have_attribute("aria-pressed", "true")
        shot(page, f"acts-{key}-on")
        act.click()
        expect(act).to_have_attribute("value", "")
        expect(act).to_have_attribute("aria-pressed", "false")
        assert act.inner_text() == before
    page.reload()
    expect(where.locator(".act[data-key=l]")).to_have_attribute("aria-pressed", "false")


def test_without_scripts_a_like_is_taken_back_too(visit):
    page = visit("/home", java_script_enabled=False)
    note = page.locator(".note").nth(3)
    where = page.locator(f"#{note.get_attribute('id')}")
    for state in ["true", "false"]:
        where.locator(".act[data-key=l]").click()
        page.wait_for_url("**/home*")
        expect(where.locator(".act[data-key=l]")).to_have_attribute("aria-pressed", state)


def test_the_menu_copies_and_leads_to_pages_that_ask(visit):
    page = visit("/home", permissions=["clipboard-read", "clipboard-write"])
    me = page.locator("body").get_attribute("data-account")
    note = page.locator(f".note:not([data-author='{me}'])").first
    key = note.get_attribute("data-id")
    note.locator(".act-more").click()
    menu = page.locator("#note-menu")
    shot(page, "note-menu-desktop-light")
    clean(page)
    for words, begin in [("Copy link", "nostr:nevent1"), ("Copy ID", key), ("Copy JSON", "{")]:
        menu.get_by_role("button", name=words).click()
        page.wait_for_function("navigator.clipboard.readText().then((text) => text.startsWith(%r))" % begin)
    menu.get_by_role("link", name="Report…").click()
    page.wait_for_url("**/report")
    clean(page)
    shot(page, "note-report-desktop-light")
    page.get_by_label("Spam").check()
    page.get_by_role("button", name="Report publicly").click()
    page.wait_for_url(f"**/note/{key}")
    expect(page.locator(".notice")).to_contain_text("Reported")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_note_of_ones_own_is_deleted_after_a_question(scheme, visit):
    page = visit("/compose", color_scheme=scheme, viewport=PHONE)
    page.get_by_label("Your note").fill(f"Not for long, {scheme}.")
    page.get_by_role("button", name="Publish").click()
    page.locator(".held button[formaction='/compose/now']").click()
    page.wait_for_url("**/note/*")
    page.get_by_role("link", name="Delete note…").click()
    page.wait_for_url("**/delete*")
    clean(page)
    shot(page, f"note-delete-phone-{scheme}")
    page.get_by_role("button", name="Delete note").click()
    page.wait_for_url("**/home")
    expect(page.get_by_text(f"Not for long, {scheme}.")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_picture_is_shown_large(scheme, size, visit):
    page = visit("/home", color_scheme=scheme, viewport=size)
    # Two pictures of one note, drawn here: which notes have pictures is chance.
    page.evaluate("""() => {
      const media = document.createElement("div");
      media.className = "media";
      for (const [index, src] of ["/favicon.svg", "/favicon.svg?2"].entries()) {
        const link = document.createElement("a");
        link.className = "picture";
        link.href = src;
        const image = document.createElement("img");
        image.src = src;
        image.alt = `Picture ${index + 1} by Marta`;
        link.append(image);
        media.append(link);
      }
      const body = document.querySelector(".note .note-body");
      for (const others of body.querySelectorAll(".media")) others.remove();
      body.append(media);
    }""")
    first = page.get_by_role("link", name="Picture 1 by Marta")
    first.click()
    viewer = page.get_by_role("dialog", name="Picture 1 by Marta")
    expect(viewer).to_be_visible()
    expect(viewer.get_by_role("button", name="Close")).to_be_focused()
    clean(page)
    shot(page, f"viewer-{'phone' if size == PHONE else 'desktop'}-{scheme}")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("dialog", name="Picture 2 by Marta, 2 of 2")).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("dialog", name="Picture 1 by Marta, 1 of 2")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog.viewer")).not_to_be_visible()
    expect(first).to_be_focused()
    assert page.url.endswith("/home")


def test_a_phone_has_five_labelled_tabs(visit):
    page = visit("/home", viewport=PHONE)
    tabs = page.locator(".nav .nav-item").filter(visible=True)
    assert [tab.locator("> span").first.inner_text() for tab in tabs.all()] == ["Home", "Messages", "Circles", "Search", "More"]
    for tab in tabs.all():
        words, box = tab.locator("> span").first.bounding_box(), tab.bounding_box()
        assert words["width"] > 15 and words["height"] > 8 and box["width"] >= 60 and box["height"] >= 44
        assert words["y"] + words["height"] <= PHONE["height"]
    page.get_by_role("button", name="More").click()
    for name in ["Signer", "Relays", "Settings"]:
        expect(page.locator("#drawer").get_by_role("link", name=name)).to_be_visible()


def test_relays_begin_with_ones_own_and_fold_the_rest(visit):
    page = visit("/relays")
    assert page.locator("main h2").first.inner_text() == "Your relays"
    fold = page.locator("details.fold")
    own = page.locator("section[aria-labelledby=own-relays-title] tbody tr")
    assert own.count() >= 1
    if fold.get_attribute("open") is not None:
        fold.locator("summary").click()
    expect(fold.locator("table")).not_to_be_visible()
    fold.locator("summary").click()
    expect(fold.locator("table")).to_be_visible()
    clean(page)
