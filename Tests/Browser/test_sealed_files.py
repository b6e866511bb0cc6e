"""Sealed files: what friends sent is opened here, what one sends goes out encrypted, in messages and in a circle."""

import re
import struct
import zlib

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE, wait_for
from looking import holds_in_both
from program import fetch

PATIENCE = 60000


def png(width=60, height=40, colour=(150, 70, 50)):
    """A picture of one colour."""
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
    rows = b"".join(b"\0" + bytes(colour) * width for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


PICTURE = {"name": "weir.png", "mimeType": "image/png", "buffer": png()}
PAGE = {"name": "rye.html", "mimeType": "text/html", "buffer": b"<script>alert(1)</script>"}


@pytest.fixture
def open_page(open_page):
    def opening(path, **options):
        page = open_page(path, **options)
        # A page left with words in it asks first; these tests mean to leave.
        page.on("dialog", lambda dialog: dialog.accept())
        return page

    return opening


@pytest.fixture(scope="module")
def talks(chromium, own_program, own_state):
    """Where friends sent files: a picture and a page, and a picture that is another."""
    context = chromium.new_context(viewport=DESKTOP, storage_state=own_state, base_url=own_program.base)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    for _ in range(60):
        # All of it anew: who sent both is known by the page, which may come after the picture.
        found = {}
        page.goto("/messages")
        for path in page.locator(".mail-row").evaluate_all("rows => rows.map((row) => row.getAttribute('href'))"):
            page.goto(path)
            if page.locator(".talk-file a[download]").count():
                found["right"] = path
            elif page.locator(".talk-picture, .talk-missing").count():
                found["wrong"] = path
        if len(found) == 2:
            break
        page.wait_for_timeout(1000)
    context.close()
    assert set(found) == {"right", "wrong"}
    return found


def is_drawn(image):
    return image.evaluate("image => image.complete && image.naturalWidth > 0")


def wait_until_drawn(page, image):
    expect(image).to_be_visible(timeout=30000)
    for _ in range(300):
        # Fetched once it is in sight: a conversation goes to its newest line once more when its script begins.
        image.evaluate("image => image.scrollIntoView({ block: 'center' })")
        if is_drawn(image):
            return
        page.wait_for_timeout(200)
    assert is_drawn(image)


def test_a_picture_of_a_friend_is_shown_and_no_host_is_asked_by_the_browser(open_page, talks):
    page = open_page("/home")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(talks["right"])
    image = page.locator(".talk-picture img").first
    wait_until_drawn(page, image)
    assert image.get_attribute("src").startswith("/messages/")
    assert not [address for address in asked if "/sealed/" in address]
    answer = fetch(page.context, image.evaluate("image => image.src"))
    assert answer.headers["content-type"] == "image/png" and answer.headers["cache-control"] == "no-store"


def test_what_claims_to_be_a_page_is_saved_and_never_runs(open_page, talks):
    page = open_page(talks["right"])
    link = page.locator(".talk-file a[download]").first
    with page.expect_download() as saving:
        link.click()
    assert saving.value.suggested_filename == "file"
    with open(saving.value.path(), "rb") as file:
        assert b"<script>" in file.read()
    answer = fetch(page.context, link.evaluate("link => link.href"))
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-disposition"].startswith("attachment")
    assert page.evaluate("window.ran") == []


def test_a_picture_that_is_another_is_named_as_that(open_page, talks):
    page = open_page(talks["wrong"])
    page.locator(".talk-picture, .talk-missing").first.evaluate("one => one.scrollIntoView({ block: 'center' })")
    expect(page.locator(".talk-missing")).to_contain_text("another file than was sent", timeout=PATIENCE)


def test_a_picture_and_words_go_out_by_keyboard(open_page, talks):
    page = open_page(talks["right"])
    before = page.locator(".talk-item.is-own .talk-picture").count()
    page.locator("#text").focus()
    page.locator(".pen-attach input").set_input_files(PICTURE)
    expect(page.locator(".pen-attach")).to_contain_text("weir.png")
    page.keyboard.type("The weir, this morning")
    page.keyboard.press("Enter")
    image = page.locator(".talk-item.is-own .talk-picture img").last
    expect(page.locator(".talk-item.is-own .talk-picture")).to_have_count(before + 1, timeout=PATIENCE)
    wait_until_drawn(page, image)
    expect(page.locator(".talk-item.is-own").last).to_contain_text("The weir, this morning")
    expect(page.locator(".pen-attach")).to_contain_text("Attach a file")
    assert page.locator(".pen-attach input").evaluate("input => input.files.length") == 0


def test_a_file_goes_out_without_scripts(open_page, talks):
    page = open_page(talks["right"], java_script_enabled=False)
    page.locator("input[name=file]").set_input_files(PAGE)
    page.get_by_role("button", name="Send", exact=True).click()
    last = page.locator(".talk-item.is-own").last
    expect(last.locator("a[download]")).to_be_visible()
    path = last.locator("a[download]").get_attribute("href")
    answer = fetch(page.context, page.url.split("/messages")[0] + path)
    assert answer.read() == PAGE["buffer"]
    assert answer.headers["content-type"] == "application/octet-stream"


@pytest.fixture(scope="module")
def circle(chromium, own_program, own_state):
    """A circle of one's own."""
    context = chromium.new_context(viewport=DESKTOP, storage_state=own_state, base_url=own_program.base)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto("/circles/new")
    page.get_by_label("What is it called?").fill("Weir walkers")
    page.get_by_role("button", name="Make the circle").click()
    page.wait_for_url(re.compile("/circles/[0-9a-f]+/invitations"))
    path = re.search("/circles/[0-9a-f]+", page.url).group()
    context.close()
    return path


def test_a_picture_goes_out_in_a_circle(open_page, circle):
    page = open_page(circle)
    page.locator(".pen-attach input").set_input_files(PICTURE)
    page.locator("#text").fill("Look")
    page.locator("#text").press("Enter")
    line = page.locator(".talk-item.is-own", has_text="Look").last
    wait_until_drawn(page, line.locator(".talk-picture img"))
    expect(line).to_contain_text("weir.png")


def test_a_picture_of_a_circle_is_set_for_other_programs_too(open_page, circle):
    page = open_page(f"{circle}/settings")
    page.locator("#picture-file").set_input_files(PICTURE)
    page.get_by_label("Also for members with other programs").check()
    page.get_by_role("button", name="Set picture").click()
    # It goes once it is drawn.
    expect(page.locator(".notice")).to_contain_text("on its way to the others")
    wait_for(page, circle, ".talk-head img[src*='/pictures/circle/']")
    wait_until_drawn(page, page.locator(".talk-head img").first)


@pytest.mark.parametrize("name", ["right", "wrong", "circle"])
def test_has_no_violation_and_no_surprise(name, open_page, talks, circle):
    path = circle if name == "circle" else talks[name]
    for device, size in [("desktop", DESKTOP), ("phone", PHONE), ("narrow", {"width": 360, "height": 740})]:
        page = open_page(path, viewport=size)
        page.wait_for_timeout(600)
        holds_in_both(page, f"sealed-{name}-{device}")
        assert page.evaluate("window.ran") == []
