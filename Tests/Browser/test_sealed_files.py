"""Sealed files: what friends sent is opened here, what one sends goes out encrypted, in messages and in a circle."""

import re
import struct
import zlib

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, HANDED, PHONE, wait_for
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
    assert image.get_attribute("alt") == "Hills, one behind the other"
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
    expect(page.locator(".talk-missing")).to_contain_text("not the one that was sent", timeout=PATIENCE)


def test_a_picture_and_words_go_out_by_keyboard(open_page, talks):
    page = open_page(talks["right"])
    before = page.locator(".talk-item.is-own .talk-picture").count()
    page.locator("#text").focus()
    page.locator(".pen-attach input").set_input_files(PICTURE)
    expect(page.locator(".pen .upload")).to_contain_text("weir.png")
    page.locator("#text").focus()
    page.keyboard.type("The weir, this morning")
    page.keyboard.press("Enter")
    image = page.locator(".talk-item.is-own .talk-picture img").last
    expect(page.locator(".talk-item.is-own .talk-picture")).to_have_count(before + 1, timeout=PATIENCE)
    wait_until_drawn(page, image)
    expect(page.locator(".talk-item.is-own").last).to_contain_text("The weir, this morning")
    expect(page.locator(".pen .upload")).to_have_count(0)
    assert page.locator(".pen-attach input").evaluate("input => input.files.length") == 0


def test_pictures_are_dropped_and_pasted_into_a_message_with_words_for_who_cannot_see_them(open_page, talks):
    page = open_page(talks["right"])
    shown = page.locator(".talk-item.is-own .talk-picture img")
    before = shown.count()
    # Anywhere on the conversation.
    page.evaluate(HANDED, [".talk-head", "drop", "dropped.png", list(png(colour=(10, 120, 10)))])
    page.evaluate(HANDED, ["#text", "paste", "pasted.png", list(png(colour=(120, 10, 10)))])
    page.locator(".pen-attach input").set_input_files(
        [PICTURE, {"name": "third.png", "mimeType": "image/png", "buffer": png(colour=(10, 10, 120))}])
    rows = page.locator(".pen .upload")
    expect(rows).to_have_count(4)
    # Nothing has left the browser yet.
    expect(shown).to_have_count(before)
    page.get_by_label("What can be seen or heard in dropped.png").fill("All green")
    page.get_by_label("What can be seen or heard in pasted.png").fill("All red")
    page.get_by_role("button", name="Remove weir.png").focus()
    page.keyboard.press("Enter")
    expect(rows).to_have_count(3)
    page.get_by_role("button", name="Move third.png up").focus()
    page.keyboard.press("Enter")
    expect(rows.nth(1)).to_contain_text("third.png")
    holds_in_both(page, "sealed-pen")
    page.locator("#text").fill("Three colours")
    page.locator("#text").press("Enter")
    expect(shown).to_have_count(before + 3, timeout=PATIENCE)
    expect(rows).to_have_count(0)
    # In the order of the rows.
    expect(shown.nth(before)).to_have_attribute("alt", "All green")
    expect(shown.nth(before + 1)).to_have_attribute("alt", "An encrypted picture")
    expect(shown.nth(before + 2)).to_have_attribute("alt", "All red")
    expect(page.locator(".talk-item.is-own").last).to_contain_text("Three colours")
    wait_until_drawn(page, shown.last)
    # Words that are pasted stay words, and those that were sent are gone.
    expect(page.locator("#text")).to_have_value("")


def test_a_file_that_did_not_go_says_why_and_goes_when_it_is_tried_again(open_page, talks):
    page = open_page(talks["right"])
    shown = page.locator(".talk-item.is-own .talk-picture")
    before = shown.count()
    answers = [{"status": 422, "body": "No media server took the file. a.example: The server does not answer."}]

    def answer(route):
        if route.request.method == "POST" and answers:
            route.fulfill(**answers.pop())
        else:
            route.continue_()

    page.route(f"**{talks['right']}", answer)
    page.locator(".pen-attach input").set_input_files(PICTURE)
    page.locator("#text").fill("Again")
    page.locator("#text").press("Enter")
    row = page.locator(".pen .upload")
    expect(row.locator(".problem")).to_contain_text("a.example: The server does not answer.")
    # The words wait for their file.
    expect(page.locator("#text")).to_have_value("Again")
    expect(shown).to_have_count(before)
    page.get_by_role("button", name="Try weir.png again").focus()
    page.keyboard.press("Enter")
    expect(shown).to_have_count(before + 1, timeout=PATIENCE)
    expect(row).to_have_count(0)
    expect(page.locator(".talk-item.is-own").last).to_contain_text("Again")


def test_a_phone_offers_its_camera_for_a_message(open_page, talks):
    page = open_page(talks["right"], viewport=PHONE, has_touch=True, is_mobile=True)
    camera = page.locator("input[name=camera]")
    expect(page.locator(".pen-camera")).to_be_visible()
    assert camera.get_attribute("capture") == "environment" and "image/*" in camera.get_attribute("accept")
    camera.set_input_files({"name": "shot.png", "mimeType": "image/png", "buffer": png()})
    expect(page.locator(".pen .upload")).to_contain_text("shot.png")
    page.get_by_role("button", name="Remove shot.png").click()
    expect(page.locator(".pen .upload")).to_have_count(0)


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
    expect(line.locator(".talk-picture img")).to_have_attribute("alt", "An encrypted picture: weir.png")


def test_pictures_are_dropped_and_pasted_into_a_circle(open_page, circle):
    page = open_page(circle)
    shown = page.locator(".talk-item.is-own .talk-picture img")
    before = shown.count()
    page.evaluate(HANDED, [".talk-head", "drop", "dropped.png", list(png(colour=(10, 120, 10)))])
    page.evaluate(HANDED, ["#text", "paste", "pasted.png", list(png(colour=(120, 10, 10)))])
    expect(page.locator(".pen .upload")).to_have_count(2)
    # A circle's files have no words of their own; that is said where they are chosen.
    expect(page.locator(".pen .upload [data-alt]")).to_have_count(0)
    expect(page.locator("[data-files-hint]")).to_be_visible()
    page.locator("#text").fill("Green, then red")
    page.get_by_role("button", name="Send", exact=True).click()
    expect(shown).to_have_count(before + 2, timeout=PATIENCE)
    expect(page.locator("[data-files-hint]")).to_be_hidden()
    expect(shown.nth(before)).to_have_attribute("alt", "An encrypted picture: dropped.png")
    expect(shown.nth(before + 1)).to_have_attribute("alt", "An encrypted picture: pasted.png")
    expect(page.locator(".talk-item.is-own").last).to_contain_text("Green, then red")


def test_a_picture_of_a_circle_is_set_for_other_programs_too(open_page, circle):
    page = open_page(f"{circle}/settings")
    page.locator("#picture-file").set_input_files(PICTURE)
    page.get_by_label("Also for members with other programs").check()
    page.get_by_role("button", name="Set picture").click()
    # It goes once it is drawn.
    expect(page.locator(".notice")).to_contain_text("on its way to the others")
    wait_for(page, circle, ".talk-head img[src*='/pictures/circle/']")
    wait_until_drawn(page, page.locator(".talk-head img").first)


def change_server(page, act, server):
    """Adds a media server to one's list, or removes it."""
    host = server.split("//")[-1].split(":")[0]
    row = page.locator(".media-servers li", has_text=host)
    if act == "add":
        page.get_by_label("Add a server").fill(server)
        page.get_by_role("button", name="Add", exact=True).click()
        expect(row).to_have_count(1, timeout=PATIENCE)
    else:
        page.get_by_role("button", name=f"Remove {host}").click()
        expect(row).to_have_count(0, timeout=PATIENCE)


@pytest.fixture
def no_server(open_page):
    """Leaves a server alone on one's list that nobody answers at; gives what puts the others back, at the end too."""
    page = open_page("/files/servers")
    wait_for(page, "/files/servers", ".media-servers li:has-text('linden.localhost')")
    before = page.locator(".media-servers .relay-name").all_text_contents()
    change_server(page, "add", "https://gone.example")
    for server in before:
        change_server(page, "remove", server)
    left = list(before)

    def put_back():
        page.goto("/files/servers")
        while left:
            change_server(page, "add", left.pop(0))
            if len(left) == len(before) - 1:
                change_server(page, "remove", "https://gone.example")

    yield put_back
    put_back()


def test_a_file_waits_where_no_server_takes_it_and_goes_once_one_does(open_page, talks, no_server):
    page = open_page(talks["right"])
    shown = page.locator(".talk-item.is-own .talk-picture")
    before = shown.count()
    waiting = page.locator("[data-unsent] li")
    for words in ["Not this one", "Late, but there"]:
        page.locator(".pen-attach input").set_input_files(PICTURE)
        page.locator("#text").fill(words)
        page.locator("#text").press("Enter")
        row = waiting.filter(has_text=words)
        expect(row).to_contain_text("gone.example", timeout=PATIENCE)
        expect(row).to_contain_text("tried again by itself")
        expect(page.locator(".pen .upload")).to_have_count(0)
        expect(page.locator("#text")).to_have_value("")
    expect(shown).to_have_count(before)
    holds_in_both(page, "sealed-unsent")
    waiting.filter(has_text="Not this one").get_by_role("button", name="Remove weir.png").focus()
    page.keyboard.press("Enter")
    expect(waiting).to_have_count(1)
    expect(page.locator("[data-unsent] [role=status]")).to_have_text("1 file is not sent yet")
    expect(page.locator("[data-unsent] [role=status] button")).to_have_count(0)
    no_server()
    page.get_by_role("button", name="Try again to send weir.png").focus()
    page.keyboard.press("Enter")
    expect(shown).to_have_count(before + 1, timeout=PATIENCE)
    expect(page.locator(".talk-item.is-own").last).to_contain_text("Late, but there", timeout=PATIENCE)
    expect(waiting).to_have_count(0)
    expect(page.locator(".talk-item", has_text="Not this one")).to_have_count(0)


def test_a_file_goes_with_the_first_message_of_a_conversation(open_page):
    page = open_page("/messages/new")
    stranger = "npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6"
    page.get_by_label("To", exact=True).fill(stranger)
    page.get_by_label("Attach a file").set_input_files(PICTURE)
    page.get_by_label("What can be seen or heard in it").fill("The weir from above")
    page.get_by_role("button", name="Send", exact=True).click()
    page.wait_for_url(re.compile("/messages/[0-9a-f]{32}"))
    image = page.locator(".talk-item.is-own .talk-picture img").last
    wait_until_drawn(page, image)
    expect(image).to_have_attribute("alt", "The weir from above")
    # What it looks like from far away stands in the page, and in no address.
    assert page.locator(".talk-picture .veil path").count() == 36
    assert page.locator(".talk-picture [src*='placeholder']").count() == 0


@pytest.mark.parametrize("name", ["right", "wrong", "circle"])
def test_has_no_violation_and_no_surprise(name, open_page, talks, circle):
    path = circle if name == "circle" else talks[name]
    for device, size in [("desktop", DESKTOP), ("phone", PHONE), ("narrow", {"width": 360, "height": 740})]:
        page = open_page(path, viewport=size)
        page.wait_for_timeout(600)
        holds_in_both(page, f"sealed-{name}-{device}")
        assert page.evaluate("window.ran") == []
