"""Private circles: two people in browsers of their own talk, and see each other on a map, over the demo's relays."""

import http.server
import json
import re
import struct
import threading
import urllib.parse
import zlib

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE, wait_for
from looking import holds_in_both
from map_page import tile
from program import Program, fetch
from test_messages import PATIENCE, robin_and_heron

MILL = {"latitude": 52.5163, "longitude": 13.3777, "accuracy": 20}
WEIR = {"latitude": 52.5208, "longitude": 13.4095, "accuracy": 35}


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    running = Program(tmp_path_factory.mktemp("circles")).start()
    yield running
    running.stop()


@pytest.fixture(scope="module")
def people(chromium, home):
    places = ({"geolocation": place, "permissions": ["geolocation"]} for place in (MILL, WEIR))
    yield from robin_and_heron(chromium, home, *places)


@pytest.fixture(scope="module")
def circle(people):
    """Robin's circle, into which Heron was let; its address."""
    robin, heron = people
    page = robin.page
    page.goto("/circles")
    page.get_by_role("link", name="New circle, or join one").first.click()
    page.get_by_label("What is it called?").fill("The weir")
    page.get_by_role("button", name="Make the circle").click()
    # The field may be there before its text is.
    expect(page.get_by_label("Link", exact=True)).to_have_value(re.compile("^whistle://invite/"))
    link = page.get_by_label("Link", exact=True).input_value()
    heron.page.goto("/circles/new")
    heron.page.get_by_label("The code or link you were given").fill(link)
    heron.page.get_by_role("button", name="Ask to join").click()
    expect(heron.page.locator(".notice")).to_contain_text("You are in when an admin lets you in")
    expect(page.get_by_role("heading", name="Asking to join")).to_be_visible(timeout=PATIENCE)
    address = page.url.removesuffix("/invitations")
    # They stand on the page of people, too.
    page.goto(address + "/people")
    expect(page.get_by_role("heading", name="Asking to join")).to_be_visible()
    page.get_by_role("button", name="Let them in").click()
    page.goto(address + "/people")
    expect(page.locator("#members")).to_have_text("2 people in this circle", timeout=PATIENCE)
    expect(heron.page.get_by_role("link", name="The weir")).to_be_visible(timeout=PATIENCE)
    return address


def test_what_one_says_the_other_reads_without_reloading(people, circle):
    robin, heron = people
    for one in people:
        one.page.goto(circle)
        one.page.evaluate("window.untouched = true")
    robin.write("Sunday at the weir?")
    expect(heron.message("Sunday at the weir?")).to_be_visible(timeout=PATIENCE)
    heron.write("I bring the boat")
    expect(robin.message("I bring the boat")).to_be_visible(timeout=PATIENCE)
    for one in people:
        assert one.page.evaluate("window.untouched"), "the page was not loaded again"


def share(page, circle, blur=""):
    page.goto(circle + "/map")
    page.get_by_label("How often").select_option("10")
    page.get_by_label("Precision").select_option(blur)
    page.get_by_role("button", name="Share my location").click()
    expect(page.locator(".sharing-words")).to_contain_text("Location sharing is on")
    expect(page.locator(".sharing-words")).to_contain_text("Last sent", timeout=PATIENCE)


def pins_of(page):
    return {pin["name"]: pin for pin in json.loads(page.locator("#pins").text_content())["pins"]}


def pin_of(page, name, holds):
    """Opens a map anew until what it says of somebody holds: what was shared before may still stand there."""
    for _ in range(120):
        page.reload()
        pin = pins_of(page)[name]
        if holds(pin):
            break
        page.wait_for_timeout(500)
    assert holds(pin), pin
    return pin


def test_two_share_with_low_power_on(people, circle):
    robin, heron = (one.page for one in people)
    for page in (robin, heron):
        page.goto(circle + "/settings")
        page.get_by_label("How often").select_option("10")
        page.get_by_label("Precision").select_option("")
        page.get_by_label("Save battery").check()
        page.get_by_label("Low battery").select_option("30")
        page.locator("section", has=page.locator("#place")).get_by_role("button", name="Save").click()
        expect(page.locator(".notice")).to_contain_text("Saved.")
        expect(page.get_by_label("Save battery")).to_be_checked()
        expect(page.get_by_label("Low battery")).to_have_value("30")
        # To choose how is not to share.
        expect(page.get_by_text("You are not sharing your location with this circle.")).to_be_visible()
        share(page, circle)
        # Less often than the ten seconds that were chosen.
        assert int(page.locator("form.sharing").get_attribute("data-interval")) >= 30
        expect(page.locator(".sharing-words")).to_contain_text("every 10 seconds, saving battery")
    near = re.compile(r"within 20\sm")
    expect(heron.locator(".map-person", has_text="Robin")).to_contain_text(near, timeout=PATIENCE)
    expect(robin.locator(".map-person", has_text="Heron")).to_contain_text(re.compile(r"within 35\sm"), timeout=PATIENCE)
    for page in (robin, heron):
        page.get_by_role("button", name="Stop", exact=True).click()
        expect(page.get_by_role("button", name="Share my location")).to_be_visible()
        page.goto(circle + "/settings")
        page.get_by_label("Save battery").uncheck()
        page.locator("section", has=page.locator("#place")).get_by_role("button", name="Save").click()
        expect(page.locator(".notice")).to_contain_text("Saved.")
        expect(page.get_by_label("Save battery")).not_to_be_checked()


def test_each_sees_on_a_map_where_the_other_is_and_goes(people, circle):
    robin, heron = (one.page for one in people)
    share(robin, circle)
    share(heron, circle, blur="1000")
    # 2.2 km to the east; Heron is somewhere in a square of a kilometre.
    row = robin.locator(".map-person", has_text="Heron")
    expect(row).to_contain_text(re.compile(r"\d[.\d]*\skm .*east of you"), timeout=PATIENCE)
    expect(heron.locator(".map-person", has_text="Robin")).to_contain_text(re.compile(r"within 20\sm"), timeout=PATIENCE)
    pin_of(heron, "Robin", lambda pin: (pin["lat"], pin["lon"]) == (MILL["latitude"], MILL["longitude"]))
    heron.locator("[data-sharing-state]").wait_for()
    blurred = pin_of(robin, "Heron", lambda pin: pin["lat"] is not None and pin["accuracy"] >= 500)
    assert (blurred["lat"], blurred["lon"]) != (WEIR["latitude"], WEIR["longitude"])
    assert abs(blurred["lat"] - WEIR["latitude"]) < 0.02
    # Heron names where Robin is; Robin rests, walks off unseen, and goes on.
    heron.get_by_text("Places and trails").click()
    heron.get_by_label("Name", exact=True).fill("The mill")
    heron.get_by_label("Where", exact=True).select_option(label="Where Robin is")
    heron.get_by_role("button", name="Name this place").click()
    expect(heron.locator(".map-person", has_text="Robin")).to_contain_text("at The mill")
    heron.evaluate("window.untouched = true")
    # Nobody looks at Heron's page from here on: what Linnet notices there is told by the browser.
    people[1].context.grant_permissions(["geolocation", "notifications"])
    heron.reload()
    heron.locator("[data-sharing-state]").wait_for()
    heron.evaluate("""() => {
        window.told = [];
        document.hasFocus = () => false;
        const tell = (title, options) => { window.told.push(options.body); return Promise.resolve(); };
        ServiceWorkerRegistration.prototype.showNotification = tell;
        window.Notification = class extends EventTarget {
            static permission = "granted";
            constructor(title, options) { super(); tell(title, options); }
        };
    }""")
    heron.evaluate("window.untouched = true")
    robin.get_by_role("button", name="Pause", exact=True).click()
    expect(robin.locator(".sharing-words")).to_contain_text("Location sharing is paused")
    expect(heron.locator(".map-person", has_text="Robin")).to_contain_text("sharing is paused", timeout=PATIENCE)
    people[0].context.set_geolocation({"latitude": 52.6, "longitude": 13.5, "accuracy": 5})
    robin.get_by_role("button", name="Resume").click()
    expect(heron.locator(".map-person", has_text="Robin")).to_contain_text(re.compile(r"within 5\sm"), timeout=PATIENCE)
    assert heron.evaluate("window.untouched"), "the page was not loaded again"
    expect(heron.locator(".circle-notices")).to_contain_text("Robin left The mill", timeout=PATIENCE)
    heron.wait_for_function("() => window.told.includes('Robin left The mill')", timeout=PATIENCE)
    for page in (robin, heron):
        page.get_by_role("button", name="Stop", exact=True).click()
        expect(page.get_by_role("button", name="Share my location")).to_be_visible()


def test_a_location_that_no_device_gave_is_not_said_to_be_sent(chromium, people, circle):
    heron = people[1]
    state = heron.context.storage_state()
    context = chromium.new_context(storage_state=state, base_url=circle.rsplit("/circles", 1)[0], permissions=[])
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto("/circles/new")
    page.get_by_label("What is it called?").fill("Nobody else")
    page.get_by_role("button", name="Make the circle").click()
    page.get_by_label("Link", exact=True).wait_for()
    page.goto(page.url.removesuffix("/invitations") + "/map")
    page.get_by_role("button", name="Share my location").click()
    words = page.locator(".sharing-words")
    expect(words).to_contain_text("Nothing has been sent yet.")
    expect(page.locator("[data-sharing-state]")).to_contain_text("Location is blocked in this browser", timeout=PATIENCE)
    expect(words).to_contain_text("Nothing has been sent yet.")
    expect(words).not_to_contain_text("Last sent")
    page.get_by_role("button", name="Stop", exact=True).click()
    context.close()


def test_how_often_keys_are_renewed_is_chosen_and_kept(people, circle):
    page = people[0].page
    page.goto(circle + "/settings")
    expect(page.get_by_label("Renew them")).to_have_value("7")
    page.get_by_label("Renew them").select_option("30")
    page.locator("section", has=page.locator("#keys")).get_by_role("button", name="Save").click()
    expect(page.locator(".notice")).to_contain_text("Saved.")
    expect(page.get_by_label("Renew them")).to_have_value("30")
    expect(page.locator(".circle-facts")).to_contain_text("Up to date")


def test_an_admin_is_asked_about_whom_a_link_or_a_key_names(people, circle):
    robin, heron = people
    page = robin.page
    word = circle.rsplit("/", 1)[1]
    stranger = "7e" * 32
    page.goto("/circles/new")
    page.get_by_label("The code or link you were given").fill(f"whistle://addmember/{stranger}/{word}")
    page.get_by_role("button", name="Ask to join").click()
    expect(page.get_by_role("heading", name="Add this person?")).to_be_visible()
    page.get_by_role("button", name="Add to The weir").click()
    # Their key package is nowhere: nobody is said to be in.
    expect(page.locator(".circle-page > .problem")).to_contain_text("send them an invitation instead")
    page.goto(circle + "/invitations")
    page.get_by_label("Their npub, a name").fill(heron.key)
    page.get_by_role("button", name="Look up").click()
    expect(page.get_by_role("heading", name="Add this person?")).to_be_visible()
    expect(page.locator("section", has=page.locator("#newcomer"))).to_contain_text("Heron")
    page.goto(circle + "/invitations")
    page.get_by_label("Their npub, a name").fill("no key at all")
    page.get_by_role("button", name="Look up").click()
    expect(page.locator(".circle-page > .problem")).to_contain_text("That is not a person's key")
    # Who is no admin is told so.
    heron.page.goto(f"{circle}/invitations?add={stranger}")
    expect(heron.page.locator(".circle-page > .problem")).to_contain_text("Only an admin")


def test_a_link_for_a_browser_leads_into_the_form(people, circle):
    robin, heron = people
    page = robin.page
    page.goto(circle + "/invitations")
    page.get_by_text("A link for a browser").click()
    page.get_by_label("Web page it leads over").fill("https://home.example/circles/new")
    page.get_by_role("button", name="Make the link").click()
    # The field may be there before its text is.
    expect(page.get_by_label("Link for a browser")).to_have_value(re.compile("^https://home.example/circles/new#ey"))
    link = page.get_by_label("Link for a browser").input_value()
    expect(page.get_by_role("img", name="Link of an invitation to The weir")).to_be_visible()
    heron.page.goto("/circles/new#" + link.split("#")[1])
    expect(heron.page.get_by_label("The code or link you were given")).to_have_value(link.split("#")[1])
    expect(heron.page).not_to_have_url(re.compile("#"))


def png(side, colour):
    """A square of one colour with a darker frame, and in its notes where it was taken."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    dark = bytes(value // 2 for value in colour)
    edge = side // 4
    rows = b"".join(
        b"\0" + b"".join(
            bytes(colour) if edge < x < side - edge and edge < y < side - edge else dark for x in range(side))
        for y in range(side))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
            + chunk(b"tEXt", b"Place\0GPS 52.5163 13.3777") + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def shown(image):
    """The sides of a picture that a page shows, and the bytes it came as."""
    expect(image).to_be_visible(timeout=PATIENCE)
    # It is fetched once it is in sight, and what stands around it may be drawn anew between two looks.
    for _ in range(300):
        image.evaluate("image => image.scrollIntoView({ block: 'nearest' })")
        *sides, source = image.evaluate("image => [image.naturalWidth, image.naturalHeight, image.src]")
        if sides[0] > 0:
            break
        image.page.wait_for_timeout(200)
    assert sides[0] > 0, "it is drawn"
    answer = fetch(image.page.context, source)
    assert answer.status == 200 and answer.headers["content-type"] == "image/jpeg"
    assert answer.headers["x-content-type-options"] == "nosniff" and answer.headers["cache-control"] == "no-store"
    return sides, answer.read()


def test_a_picture_that_one_chooses_is_seen_by_the_other(chromium, people, circle):
    robin, heron = people
    for one, colour in ((robin, (220, 90, 60)), (heron, (60, 120, 220))):
        page = one.page
        page.goto(circle + "/settings")
        page.get_by_label("Choose a picture").set_input_files(
            {"name": "me.png", "mimeType": "image/png", "buffer": png(600, colour)})
        expect(page.get_by_role("img", name="What the others will see")).to_be_visible()
        page.get_by_role("button", name="Show it to the circle").click()
        expect(page.locator(".notice")).to_contain_text("The others see it")
        expect(page.get_by_role("button", name="Take it back")).to_be_visible()
    # Somebody quick, or a slow phone: the button is pressed before the picture is drawn, while news of the circle draw
    # the people anew, and it goes all the same.
    robin.page.evaluate("""() => {
        const draw = window.createImageBitmap;
        window.createImageBitmap = (...given) => new Promise((done) => { window.goOn = () => done(draw(...given)); });
    }""")
    # Heron's picture may be arriving: only who is in a part keeps it from being drawn anew under the hand.
    field = robin.page.get_by_label("A picture of the circle")
    field.focus()
    expect(field).to_be_focused()
    field.set_input_files({"name": "weir.png", "mimeType": "image/png", "buffer": png(300, (90, 160, 90))})
    expect(robin.page.locator("form[data-picture='busy']")).to_have_count(1)
    robin.page.evaluate("""() => {
        document.activeElement.blur();
        for (const part of document.querySelectorAll("[data-circle-part]"))
            document.dispatchEvent(new CustomEvent("linnet:circle", { detail: part.dataset.circlePart }));
    }""")
    robin.page.get_by_role("button", name="Set picture").click()
    # The file is read before it is drawn, on a busy machine well after the button.
    robin.page.wait_for_function("() => window.goOn !== undefined")
    robin.page.evaluate("() => { window.goOn(); }")
    expect(robin.page.locator(".circle-picture img[src*='/pictures/circle/']")).to_be_visible(timeout=PATIENCE)
    # Among the people, in the chat, on the map and in the list.
    heron.page.goto(circle + "/people")
    row = heron.page.locator(".circle-person", has_text="Robin")
    sides, body = shown(row.locator(f"img[src*='/pictures/{robin.key}/']"))
    assert sides == [128, 128] and body.startswith(b"\xff\xd8\xff") and len(body) <= 12288
    assert b"GPS" not in body and b"Exif" not in body
    heron.page.goto(circle)
    shown(heron.page.locator(f".talk-item img[src*='/pictures/{robin.key}/']").last)
    # The picture of the circle comes by a change of the group, which may be later than the message with Robin's.
    wait_for(heron.page, circle, ".talk-head img[src*='/pictures/circle/']")
    shown(heron.page.locator(".talk-head img[src*='/pictures/circle/']"))
    shown(heron.page.locator(".mail-row img[src*='/pictures/circle/']"))
    heron.page.goto(circle + "/map")
    assert f"/pictures/{robin.key}/" in pins_of(heron.page)["Robin"]["picture"]
    # Only for who is signed in.
    address = heron.page.locator(".talk-head img[src*='/pictures/circle/']").evaluate("image => image.src")
    stranger = chromium.new_context()
    assert "image" not in fetch(stranger, address).headers["content-type"]
    stranger.close()
    # What is no picture is said so; what is taken back is gone everywhere.
    page = heron.page
    page.goto(circle + "/settings")
    page.get_by_label("Choose a picture").set_input_files(
        {"name": "no.png", "mimeType": "image/png", "buffer": b"no picture at all"})
    expect(page.get_by_text("This browser cannot read that file as a picture.")).to_be_visible()
    page.get_by_role("button", name="Take it back").click()
    expect(page.locator(".notice")).to_be_visible()
    page.wait_for_load_state()
    expect(page.get_by_role("button", name="Take it back")).to_have_count(0)
    expect(page.locator(f"img[src*='/pictures/{heron.key}/']")).to_have_count(0)


def test_without_scripts_a_file_is_checked_where_it_arrives(chromium, people, circle):
    robin, _ = people
    context = chromium.new_context(
        storage_state=robin.context.storage_state(), base_url=circle.rsplit("/circles", 1)[0], java_script_enabled=False)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(circle + "/settings")
    page.get_by_label("Choose a picture").set_input_files(
        {"name": "me.png", "mimeType": "image/png", "buffer": png(64, (220, 90, 60))})
    page.get_by_role("button", name="Show it to the circle").click()
    expect(page.locator(".circle-page > .problem")).to_have_text("This file is not a JPEG; choose one that is.")
    picture = page.locator(".circle-picture img[src*='/pictures/']").first
    small = fetch(context, urllib.parse.urljoin(page.url, picture.get_attribute("src"))).read()
    noted = small[:2] + b"\xff\xe1\x00\x12Exif\x00\x00GPS 52.516" + small[2:]
    page.get_by_label("Choose a picture").set_input_files(
        {"name": "me.jpg", "mimeType": "image/jpeg", "buffer": noted})
    page.get_by_role("button", name="Show it to the circle").click()
    expect(page.locator(".notice")).to_contain_text("The others see it")
    assert fetch(context, urllib.parse.urljoin(page.url, picture.get_attribute("src"))).read() == small
    context.close()


def test_what_is_no_invitation_is_said_so(people):
    page = people[1].page
    page.goto("/circles/new")
    page.get_by_label("The code or link you were given").fill("hello")
    page.get_by_role("button", name="Ask to join").click()
    expect(page.locator(".problem").first).to_have_text(
        "This is not an invitation to a circle; copy the whole code or link.")


class TileServer:
    """Squares of one colour, and what it was asked with."""

    def __init__(self):
        self.asked = []
        asked = self.asked

        class Answer(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append({name.lower(): value for name, value in self.headers.items()})
                self.send_response(200)
                self.send_header("Content-Type", "image/png")
                self.send_header("Cache-Control", "max-age=3600")
                self.end_headers()
                self.wfile.write(tile(220))

            def log_message(self, *_):
                """A test that fails says what it saw by itself."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.template = f"http://127.0.0.1:{self.server.server_port}/{{z}}/{{x}}/{{y}}.png"

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def test_tiles_come_through_linnet_from_the_source_that_was_named(people, circle):
    page = people[0].page
    page.goto("/settings/map")
    page.get_by_label("Address of the tiles").fill("http://tiles.example/{z}/{x}/{y}.png")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".problem")).to_contain_text("must begin with https://")
    server = TileServer()
    try:
        page.get_by_label("Address of the tiles").fill(server.template)
        page.get_by_label("Attribution").fill("© the mappers")
        page.get_by_label("Maximum zoom").fill("3")
        page.get_by_role("button", name="Save").click()
        expect(page.locator(".strip[role=status]")).to_have_text("Saved.")
        seen = []
        page.on("request", lambda request: seen.append(request.url))
        page.goto(circle + "/map")
        expect(page.locator(".map[data-ground=tiles] .leaflet-tile").first).to_be_visible()
        expect(page.locator(".map-attribution")).to_have_text("© the mappers")
        page.get_by_role("button", name="Keep this part for when there is no network").click()
        expect(page.locator("[data-keep-map] [role=status]")).to_contain_text("are here for when", timeout=PATIENCE)
        # The drawer shows the other account here by its picture, which comes from where its profile says.
        drawer = page.locator(".drawer img").evaluate_all("images => images.map((image) => image.src)")
        here = circle.split("/circles")[0] + "/"
        elsewhere = [url for url in seen if not url.startswith(here) and url not in drawer]
        assert elsewhere == [], "the page asks nobody but Linnet"
        assert server.asked
        for headers in server.asked:
            assert headers["user-agent"].startswith("Linnet/")
            assert not {"cookie", "referer", "origin", "accept-language"} & headers.keys()
    finally:
        server.close()
    asked = len(server.asked)
    page.reload()
    # Kept on this machine: the server of tiles is gone.
    page.wait_for_function("""() => {
        const tiles = [...document.querySelectorAll(".map[data-ground=tiles] .leaflet-tile")];
        return tiles.length > 0 && tiles.every((tile) => tile.naturalWidth > 0);
    }""")
    assert len(server.asked) == asked
    page.goto("/settings/map")
    page.get_by_role("button", name="Delete them").click()
    expect(page.locator(".strip[role=status]")).to_have_text("All kept pictures of maps are deleted.")
    page.get_by_label("Address of the tiles").fill("")
    page.get_by_role("button", name="Save").click()
    page.goto(circle + "/map")
    expect(page.locator(".map[data-ground=plain]")).to_be_visible()


def test_every_page_can_be_used_by_everybody(chromium, people, circle):
    """In light and dark, on a desk and in a hand; the pictures are there to be looked at."""
    robin, _ = people
    state = robin.context.storage_state()
    for size, viewport in (("desk", DESKTOP), ("phone", PHONE)):
        context = chromium.new_context(storage_state=state, viewport=viewport)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        home = circle.rsplit("/circles", 1)[0]
        for name, path in (
            ("list", home + "/circles"), ("new", home + "/circles/new"), ("chat", circle),
            ("people", circle + "/people"), ("invitations", circle + "/invitations"),
            ("settings", circle + "/settings"), ("map", circle + "/map"), ("burn", circle + "/burn"),
            ("map-settings", home + "/settings/map"), ("place-settings", home + "/settings/place"),
        ):
            page.goto(path)
            page.locator("h1").first.wait_for()
            holds_in_both(page, f"circle-{name}-{size}")
        context.close()


def test_whom_one_mutes_has_marks_in_the_chat_and_is_shown_by_keyboard_to_who_asks(people, circle):
    robin, heron = people
    page = robin.page
    page.goto(f"{circle.rsplit('/circles', 1)[0]}/people/{heron.key}")
    page.locator(".menu summary").click()
    page.get_by_role("button", name=re.compile("^Mute")).click()
    expect(page.locator(".notice")).to_contain_text("Muted")
    page.goto(circle)
    marks = page.locator(".talk-muted")
    expect(marks.first).to_contain_text("You muted who wrote this.")
    expect(page.locator("#talk-log")).not_to_contain_text("I bring the boat")
    holds_in_both(page, "circle-muted")
    marks.first.get_by_role("link", name="Show what you muted here").press("Enter")
    page.wait_for_url("**/shown")
    expect(page.locator(".talk-item")).to_have_count(1)
    expect(marks).to_have_count(0)
    holds_in_both(page, "circle-unveiled")
    page.get_by_role("link", name="Hide again").click()
    expect(marks.first).to_be_visible()
    page.goto(circle + "/people")
    expect(page.locator(".circle-person .chip", has_text="Muted")).to_have_count(1)


def test_an_admin_ends_the_circle_for_everybody(people, circle):
    robin, heron = people
    page = heron.page
    page.goto(circle + "/settings")
    page.get_by_role("link", name="Leave and wipe everything here").click()
    expect(page.get_by_text("only an admin can end it for everybody")).to_be_visible()
    page.goto(circle)
    expect(page.locator("[data-pen]")).to_be_visible()
    page = robin.page
    page.goto(circle + "/settings")
    page.get_by_role("link", name="End this circle for everybody").click()
    expect(page.get_by_text("This removes the one other person from the circle")).to_be_visible()
    expect(page.get_by_text("What others saved stays with them.")).to_be_visible()
    page.get_by_label("type the name of the circle").fill("The mill")
    page.get_by_role("button", name="End it for everybody").click()
    expect(page.locator(".circle-page > .problem")).to_contain_text("Nothing was changed")
    page.get_by_label("type the name of the circle").fill("The weir")
    page.get_by_role("button", name="End it for everybody").click()
    expect(page.locator(".notice")).to_contain_text("The circle is being ended")
    expect(page.locator(".mail-rows")).not_to_contain_text("The weir", timeout=PATIENCE)
    # The open page says it by itself.
    expect(heron.page.locator(".circle-warning")).to_contain_text("You were removed", timeout=PATIENCE)
    expect(heron.page.locator("[data-pen]")).to_have_count(0)
    assert page.goto(circle).status == 404
    expect(page.get_by_text("There is no such circle here.")).to_be_visible()
