"""Files on media servers: uploading with a note, the page of one's files, the list of servers."""

import re
import struct
import zlib

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, HANDED, PHONE, send_now, undo_for, wait_for
from looking import holds, holds_in_both
from test_media import thread


def png(colour):
    """A picture of one colour, 8 by 8 dots."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = b"".join(b"\0" + bytes(colour) * 8 for _ in range(8))
    head = struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def picture(name, colour):
    return {"name": name, "mimeType": "image/png", "buffer": png(colour)}


def bitmap(side, colour):
    """A picture of a format that is not prepared here and that every browser reads."""
    rows = bytes(reversed(colour)) * side * side
    head = b"BM" + struct.pack("<IHHI", 54 + len(rows), 0, 0, 54)
    return head + struct.pack("<IiiHHIIiiII", 40, side, side, 1, 24, 0, len(rows), 2835, 2835, 0, 0) + rows


def test_two_pictures_go_out_with_a_note_in_the_order_chosen(open_page):
    page = open_page("/settings")
    undo_for(page, 60)
    page.goto("/compose")
    page.get_by_label("Your note").fill("Two colours")
    page.get_by_label("Add files").set_input_files([picture("red.png", (200, 0, 0)), picture("blue.png", (0, 0, 200))])
    rows = page.locator(".uploads .upload")
    expect(rows).to_have_count(2)
    expect(page.locator(".upload[data-standing=stored]")).to_have_count(2, timeout=60000)
    page.get_by_label("What can be seen or heard in red.png").fill("All red")
    page.get_by_label("What can be seen or heard in blue.png").fill("All blue")
    # By keyboard: the second goes up.
    page.get_by_role("button", name="Move blue.png up").focus()
    page.keyboard.press("Enter")
    expect(rows.first).to_contain_text("blue.png")
    page.get_by_role("button", name="Publish", exact=True).click()
    send_now(page)
    note = page.locator(".note", has_text="Two colours").first
    note.wait_for()
    pictures = note.locator(".media img:not(.blur)")
    expect(pictures).to_have_count(2)
    expect(pictures.nth(0)).to_have_attribute("alt", "All blue")
    expect(pictures.nth(1)).to_have_attribute("alt", "All red")


def test_a_note_with_a_file_works_without_scripts(open_page):
    page = open_page("/compose", java_script_enabled=False)
    page.get_by_label("Your note").fill("Green, without scripts")
    page.get_by_label("Add files").set_input_files([picture("green.png", (0, 160, 0))])
    page.locator("#upload-alt").fill("All green")
    page.get_by_role("button", name="Preview", exact=True).click()
    expect(page.get_by_role("group", name="Pictures and files of this draft").or_(page.locator(".upload"))).to_be_visible()
    page.get_by_role("button", name="Publish", exact=True).click()
    page.wait_for_url("**held=**")


def test_my_files_lists_copies_and_deletes(open_page):
    page = open_page("/files")
    page.get_by_label("Files", exact=True).set_input_files([picture("grey.png", (90, 90, 90))])
    page.get_by_role("button", name="Upload", exact=True).click()
    expect(page.locator(".upload[data-standing=stored]")).to_have_count(1, timeout=60000)
    row = page.locator(".file-row", has_text="grey.png")
    # The other servers are asked after the first has it. One wants to be paid, one is not believed; both say so.
    words = [
        "linden.localhost", "toll.localhost: The server wants to be paid first.",
        "mirage.localhost: The server says it has a different file",
    ]
    told = "".join(f":has-text('{one}')" for one in words)
    wait_for(page, "/files", f".file-row:has-text('grey.png'){told}")
    expect(row).to_have_count(1)
    row.locator("summary", has_text="Delete").focus()
    page.keyboard.press("Enter")
    row.get_by_role("button", name="Delete grey.png from all servers").click()
    expect(page.locator(".file-row", has_text="grey.png")).to_have_count(0)


def test_what_is_gone_is_found_by_its_hash(open_page, own_program):
    page = open_page("/search?q=server+that+is+no+more")
    found = page.locator(".note img[alt='Hills from an old server']").first
    found.wait_for(state="attached")
    # Asked of whichever stands there: relays that answer meanwhile have the page draw its notes anew.
    page.wait_for_function("""() => {
        const image = document.querySelector(".note img[alt='Hills from an old server']");
        image?.scrollIntoView({ block: "center" });
        return image?.naturalWidth > 0 && image.src.includes("/media/");
    }""")


def test_servers_are_put_in_order_added_and_removed(open_page):
    page = open_page("/files/servers")
    # Where the program has just begun, the list is still being looked for.
    wait_for(page, "/files/servers", ".media-servers li:first-child:has-text('ember.localhost')")
    page.get_by_role("button", name="Move linden.localhost up").click()
    expect(page.locator(".media-servers li").first).to_contain_text("linden.localhost")
    page.get_by_label("Add a server").fill("nonsense")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("not the address of a server")
    page.get_by_label("Add a server").fill("blossom.example")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator(".media-servers")).to_contain_text("https://blossom.example")
    page.get_by_role("button", name="Remove blossom.example").click()
    expect(page.locator(".media-servers")).not_to_contain_text("blossom.example")
    # The server for when there is no list is kept, and so is that there is to be none.
    usual = page.get_by_label("Server to use while your list names none")
    save = page.locator("form[action='/files/servers/usual']").get_by_role("button", name="Save")
    before = usual.input_value()
    usual.fill("nonsense")
    save.click()
    expect(page.get_by_role("alert")).to_contain_text("not the address of a server")
    expect(usual).to_have_value(before)
    for written, kept in (("home.example", "https://home.example"), ("", "")):
        usual.fill(written)
        with page.expect_navigation():
            save.click()
        page.goto("/files/servers")
        expect(usual).to_have_value(kept)


@pytest.mark.parametrize("view", ["wide", "narrow"])
@pytest.mark.parametrize("path", ["/files", "/files/servers", "/compose", "/profile/edit"])
def test_pages_of_files_are_accessible(open_page, path, view):
    page = open_page(path, viewport=DESKTOP if view == "wide" else PHONE)
    page.locator("h1").first.wait_for()
    holds_in_both(page, f"files{path.replace('/', '-')}-{view}", full_page=True)


def test_pictures_are_dropped_and_pasted_told_how_far_they_are_and_taken_back(open_page):
    page = open_page("/compose")
    page.get_by_label("Your note").fill("Dropped and pasted")
    page.evaluate(HANDED, ["form[data-compose]", "drop", "dropped.png", list(png((10, 120, 10)))])
    page.evaluate(HANDED, ["#text", "paste", "pasted.png", list(png((120, 10, 10)))])
    rows = page.locator(".uploads .upload")
    expect(rows).to_have_count(2)
    expect(page.get_by_label("How much of dropped.png is sent")).to_have_count(1)
    expect(page.locator(".upload[data-standing=stored]")).to_have_count(2, timeout=60000)
    assert page.get_by_label("How much of dropped.png is sent").evaluate("bar => bar.value") >= 50
    page.get_by_role("button", name="Remove pasted.png").focus()
    page.keyboard.press("Enter")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("dropped.png")
    # Words that are pasted stay words.
    expect(page.get_by_label("Your note")).to_have_value("Dropped and pasted")


def test_a_file_is_published_as_an_event_of_its_own(open_page):
    page = open_page("/files")
    page.get_by_label("Files", exact=True).set_input_files([picture("violet.png", (120, 0, 160))])
    page.get_by_role("button", name="Upload", exact=True).click()
    expect(page.locator(".upload[data-standing=stored]")).to_have_count(1, timeout=60000)
    page.reload()
    row = page.locator(".file-row", has_text="violet.png")
    row.locator("summary", has_text="Publish as a file").focus()
    page.keyboard.press("Enter")
    row.get_by_label("What to say about it").fill("All violet #colours")
    holds(page, "files-publish")
    row.get_by_role("button", name="Publish", exact=True).click()
    page.wait_for_url("**/note/**")
    expect(page.locator("main")).to_contain_text("All violet")


def test_a_profile_picture_and_a_banner_are_uploaded(open_page):
    page = open_page("/profile/edit")
    page.locator("#u-picture").set_input_files([picture("face.png", (200, 160, 0))])
    page.locator("#u-banner").set_input_files([picture("wide.png", (0, 160, 200))])
    page.get_by_role("button", name="Save", exact=True).click()
    page.wait_for_url("**/people/**")
    page.goto("/profile/edit")
    places = [page.locator(f"input[name={name}]").input_value() for name in ["picture", "banner"]]
    # Which of the servers is first, another test changes.
    assert all(re.fullmatch(r"http://(linden|ember)\.localhost:\d+/[0-9a-f]{64}\.png", place) for place in places), places
    assert places[0] != places[1]


def test_a_picture_that_is_not_prepared_here_is_drawn_anew_by_the_browser(open_page):
    page = open_page("/compose")
    page.get_by_label("Add files").set_input_files(
        [{"name": "squares.bmp", "mimeType": "image/bmp", "buffer": bitmap(64, (20, 90, 160))}])
    expect(page.locator(".upload[data-standing=stored]")).to_have_count(1, timeout=60000)
    page.goto("/files")
    expect(page.locator(".file-row", has_text="squares.jpg")).to_have_count(1)


def test_a_film_goes_out_with_a_still_that_the_browser_drew(open_page):
    page, theirs = thread(open_page, "A film of the harbour")
    source = theirs.locator("video").evaluate("film => film.currentSrc || film.src || film.querySelector('source').src")
    film = page.request.get(source)
    assert film.ok
    undo_for(page, 60)
    page.goto("/compose")
    page.get_by_label("Your note").fill("Waves of mine")
    page.get_by_label("Add files").set_input_files(
        [{"name": "waves.mp4", "mimeType": "video/mp4", "buffer": film.body()}])
    expect(page.locator(".upload[data-standing=stored]")).to_have_count(1, timeout=60000)
    page.get_by_role("button", name="Publish", exact=True).click()
    send_now(page)
    note = page.locator(".note", has_text="Waves of mine").first
    note.wait_for()
    expect(note.locator("video")).to_have_attribute("poster", re.compile(r"[0-9a-f]{64}\.jpg"))


def test_an_upload_is_taken_back_while_it_is_on_its_way(open_page):
    page = open_page("/settings")
    undo_for(page, 60)
    page.goto("/compose")
    page.get_by_label("Your note").fill("Without the picture")
    waiting = []
    page.route("**/files", lambda route: waiting.append(route))
    page.get_by_label("Add files").set_input_files([picture("slow.png", (30, 30, 30))])
    remove = page.get_by_role("button", name="Remove slow.png")
    expect(remove).to_be_visible()
    page.get_by_role("button", name="Publish", exact=True).click()
    # The note is not handed over without it.
    expect(page.locator("#say")).to_have_text("Wait until the files are here.")
    assert page.url.endswith("/compose")
    remove.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".uploads .upload")).to_have_count(0)
    page.unroute("**/files")
    page.get_by_role("button", name="Publish", exact=True).click()
    # A script takes the note's name out of the address at once; the bar about it stays.
    expect(page.locator("#held-bar").get_by_role("button", name="Undo")).to_be_visible()
