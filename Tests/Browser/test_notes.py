"""Notes by hand: a click opens one, a picture is shown large, what was done is taken back, and the menu of a note."""

import secrets

from playwright.sync_api import expect

from conftest import PHONE, publish_nearby, send_now, wait_for
from looking import SCHEMES, SIZES, in_both, shot, violations
from nostr import Author, N


def test_a_click_on_a_note_opens_it_and_on_its_parts_does_what_they_do(visit):
    # What is new above would push the words away under the pointer.
    page = visit("/home", news=False)
    note = page.locator(".note:has(.note-text:not([hidden])):not(:has(.note-text a, .card, .warned))").first
    path = f"/note/{note.get_attribute('data-id')}"
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
    # Nobody of the simulated network reads a stranger, so that counts are the test's own.
    note = Author(secrets.randbelow(N - 1) + 1).event(1, "Is anybody awake?")
    publish_nearby(page, [note])
    wait_for(page, f"/note/{note['id']}", ".note.is-focus .act-like")
    where = page.locator(".note.is-focus")
    for key in ["l", "t"]:
        act = where.locator(f".act[data-key={key}]")
        expect(act).to_have_text("")
        expect(act).to_have_attribute("aria-pressed", "false")
        act.click()
        expect(act).to_have_attribute("value", "1")
        expect(act).to_have_attribute("aria-pressed", "true")
        expect(act).to_have_text("1")
        shot(page, f"acts-{key}-on")
        act.click()
        expect(act).to_have_attribute("value", "")
        expect(act).to_have_attribute("aria-pressed", "false")
        expect(act).to_have_text("")
    page.reload()
    expect(where.locator(".act[data-key=l]")).to_have_attribute("aria-pressed", "false")


def test_without_scripts_a_like_is_taken_back_too(visit):
    page = visit("/home", java_script_enabled=False)
    note = page.locator(".note:has(.act-like[aria-pressed='false'])").nth(3)
    where = page.locator(f"#{note.get_attribute('id')}")
    for state in ["true", "false"]:
        with page.expect_navigation(url="**/home*"):
            where.locator(".act[data-key=l]").click()
        expect(where.locator(".act[data-key=l]")).to_have_attribute("aria-pressed", state)


def test_the_menu_copies_and_leads_to_pages_that_ask(visit):
    page = visit("/home", permissions=["clipboard-read", "clipboard-write"])
    me = page.locator("body").get_attribute("data-account")
    key = page.locator(f".note:not([data-author='{me}'])").first.get_attribute("data-id")
    page.locator(f".note[data-id='{key}'] .act-more").click()
    menu = page.locator("#note-menu")
    expect(menu.get_by_role("button").first).to_be_focused()
    shot(page, "note-menu-desktop-light")
    assert violations(page) == []
    for words, begin in [("Copy link", "nostr:nevent1"), ("Copy ID", key), ("Copy JSON", "{")]:
        menu.get_by_role("button", name=words).click()
        # A promise is no answer; what it brings is.
        page.wait_for_function(
            """(begin) => {
                navigator.clipboard.readText().then((text) => { window.copied = text; });
                return window.copied?.startsWith(begin);
            }""",
            arg=begin,
        )
    menu.get_by_role("link", name="Report…").click()
    page.wait_for_url("**/report")
    assert violations(page) == []
    shot(page, "note-report-desktop-light")
    page.get_by_label("Spam").check()
    page.get_by_role("button", name="Report publicly").click()
    page.wait_for_url(f"**/note/{key}")
    expect(page.locator(".notice")).to_contain_text("Reported")
    reports = page.locator("section.reports")
    expect(reports).to_contain_text("Spam")
    expect(reports).to_contain_text("by you")
    assert violations(page) == []


@SCHEMES
def test_a_note_of_ones_own_is_deleted_after_a_question(scheme, visit):
    page = visit("/compose", color_scheme=scheme, viewport=PHONE)
    page.get_by_label("Your note").fill(f"Not for long, {scheme}.")
    page.get_by_role("button", name="Publish").click()
    send_now(page)
    page.get_by_role("link", name="Delete note…").click()
    page.wait_for_url("**/delete*")
    assert violations(page) == []
    shot(page, f"note-delete-phone-{scheme}")
    page.get_by_role("button", name="Delete note").click()
    page.wait_for_url("**/home")
    page.locator(".note").first.wait_for()
    expect(page.get_by_text(f"Not for long, {scheme}.")).to_have_count(0)


@SIZES
def test_a_picture_is_shown_large(size, visit):
    page = visit("/home", news=False, viewport=size)
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
    for scheme in in_both(page):
        assert violations(page) == []
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
    assert [tab.locator("> span").first.inner_text() for tab in tabs.all()] == ["Home", "Notifications", "Messages", "Circles", "More"]
    for tab in tabs.all():
        words, box = tab.locator("> span").first.bounding_box(), tab.bounding_box()
        assert words["width"] > 15 and words["height"] > 8 and box["width"] >= 60 and box["height"] >= 44
        assert words["y"] + words["height"] <= PHONE["height"]
    page.locator(".nav").get_by_role("button", name="More").click()
    for name in ["Search", "Signer", "Relays", "Settings"]:
        expect(page.locator("#drawer").get_by_role("link", name=name)).to_be_visible()


def test_relays_begin_with_ones_own_and_fold_the_rest(visit):
    page = visit("/relays")
    # Those of others are known once it is known whom they belong to.
    wait_for(page, "/relays", "section[aria-labelledby=own-relays-title] tbody tr")
    wait_for(page, "/relays", "details.fold")
    expect(page.locator("section[aria-labelledby=own-relays-title] tbody tr").first).to_be_visible()
    expect(page.locator("main h2").first).to_have_text("Your relays")
    fold = page.locator("details.fold")
    if fold.get_attribute("open") is not None:
        fold.locator("summary").click()
    expect(fold.locator("table")).not_to_be_visible()
    fold.locator("summary").click()
    expect(fold.locator("table")).to_be_visible()
    assert violations(page) == []
