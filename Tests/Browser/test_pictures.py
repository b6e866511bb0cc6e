"""Pictures of others by way of this program: the browser meets no other server, and what is kept can be emptied."""

from urllib.parse import urlsplit

from playwright.sync_api import expect

from conftest import PHONE, wait_for
from looking import SIZES, holds, holds_in_both
from program import pause_of, wait_until


CHOICE = "Fetch pictures, emoji, films and sounds through this Linnet"


# The pictures of people, over their drawn feathers.
FACES = ".note .avatar img[src^='/picture/small']"


def save(page):
    """The page comes again, with what is kept."""
    with page.expect_navigation():
        page.get_by_role("button", name="Save", exact=True).click()


def choose(page, fetched):
    page.goto("/settings/pictures")
    page.get_by_label(CHOICE).set_checked(fetched)
    save(page)
    expect(page.get_by_label(CHOICE)).to_be_checked(checked=fetched)


def show_faces(page):
    """Opens home once it is known who has a picture, and waits for one."""
    wait_for(page, "/home", FACES)
    page.wait_for_function(
        "(faces) => [...document.querySelectorAll(faces)].some((image) => image.naturalWidth > 0)", arg=FACES)


def test_people_are_shown_and_the_browser_meets_no_server_of_theirs(open_page):
    page = open_page("/home", viewport=PHONE)
    choose(page, True)
    home = urlsplit(page.url).netloc
    strange = []
    page.on("request", lambda request: urlsplit(request.url).netloc != home and strange.append(request.url))
    show_faces(page)
    for _ in range(4):
        page.keyboard.press("End")
        page.wait_for_timeout(300)
    assert strange == []
    # The page of a person has them large, with what is behind them.
    page.locator(".note:has(> .avatar img[src^='/picture/small']) h2.name a").first.click()
    page.locator(".person").wait_for()
    page.wait_for_function(
        """() => {
            const [portrait] = document.querySelectorAll(".person img[src^='/picture/']");
            return portrait?.naturalWidth > 0;
        }""")
    assert strange == []


def posted_today(page, words, player):
    """The player of what somebody of the simulated network posted today, on its page."""
    note = page.locator(".note", has=page.get_by_text(words)).filter(has=page.locator(player)).first
    for turn in range(300):
        if note.count():
            break
        # Where the program has just begun, its people are still being asked.
        if turn % 30 == 29:
            page.reload()
        page.keyboard.press("End")
        page.wait_for_timeout(200)
    page.goto(f"/note/{note.get_attribute('data-id')}")
    page.locator(".note.is-focus").wait_for()
    return page.locator(f".note.is-focus {player}").first


def test_films_and_sounds_play_and_the_browser_meets_no_server_of_theirs(open_page):
    page = open_page("/home")
    choose(page, True)
    home = urlsplit(page.url).netloc
    strange, blocked = [], []
    page.on("request", lambda request: urlsplit(request.url).netloc != home and strange.append(request.url))
    page.on("console", lambda message: "Content Security Policy" in message.text and blocked.append(message.text))
    answer = page.goto("/home")
    assert "media-src 'self';" in answer.headers["content-security-policy"]
    sound = posted_today(page, "Heard this morning:", "audio")
    assert sound.locator("source").first.get_attribute("src").startswith("/recording?url=")
    # A sound that was made in code plays in every browser; a part of it is asked for where it is set to go on.
    with page.expect_response("**/recording?**") as response:
        sound.evaluate("(sound) => { sound.muted = true; sound.play(); }")
    page.wait_for_function("(sound) => sound.currentTime > 0", arg=sound.element_handle())
    heard = response.value
    assert sound.evaluate("(sound) => sound.duration") > 1
    assert heard.status in (200, 206) and heard.headers["content-type"] == "audio/wav"
    assert heard.headers["accept-ranges"] == "bytes"
    page.goto("/home")
    film = posted_today(page, "A film of the harbour", "video")
    assert film.get_attribute("poster").startswith("/picture/wide?url=")
    # Whether it plays is for the browser's own decoders to say; that it asks nobody else is not.
    film.evaluate("(film) => { film.muted = true; film.play().catch(() => {}); }")
    page.wait_for_timeout(1000)
    part = page.evaluate(
        """async (address) => {
            const answer = await fetch(address, { headers: { Range: "bytes=4-7" } });
            return [answer.status, await answer.text(), answer.headers.get("content-type")];
        }""",
        film.locator("source").first.get_attribute("src"),
    )
    assert part == [206, "ftyp", "video/mp4"]
    assert strange == [] and blocked == []


def test_a_picture_that_is_another_file_than_its_author_says_is_not_shown(open_page):
    page = open_page("/home")
    choose(page, True)
    page.goto("/home")
    posted_today(page, "Exchanged on the way", "a.picture")
    pictures = page.locator(".note.is-focus a.picture > img:not(.blur)")
    expect(pictures).to_have_count(2)
    wrong, right = pictures.all()
    expect(right).to_have_attribute("alt", "The first light, as it was uploaded")
    for picture in (right, wrong):
        picture.scroll_into_view_if_needed()
    page.wait_for_function("(image) => image.complete && image.naturalWidth > 0", arg=right.element_handle())
    page.wait_for_function(
        "(image) => image.complete && image.naturalWidth === 0 && !image.dataset.else", arg=wrong.element_handle())


@SIZES
def test_the_page_says_what_is_kept_and_empties_it_by_keyboard(size, open_page):
    page = open_page("/home", news=False, viewport=size)
    choose(page, True)
    fetched = set()
    page.on("request", lambda request: "/picture/" in request.url and fetched.add(request))
    page.on("requestfinished", lambda request: fetched.discard(request))
    page.on("requestfailed", lambda request: fetched.discard(request))
    show_faces(page)
    # What comes after all was deleted would be kept.
    wait_until(lambda: not fetched, pause_of(page))
    page.route("**/picture/**", lambda route: route.abort())
    page.goto("/settings/pictures")
    kept = page.get_by_role("region", name="What is kept")
    expect(kept).to_contain_text("of 268.4 MB")
    holds_in_both(page, f"pictures-{size['width']}")
    expect(kept.get_by_role("button", name="Delete them all")).to_be_enabled()
    kept.get_by_role("button", name="Delete them all").focus()
    page.keyboard.press("Enter")
    expect(kept).to_contain_text("Nothing is kept.")
    expect(kept.get_by_role("button", name="Delete them all")).to_be_disabled()


def test_it_works_without_scripts_and_can_be_taken_back(open_page):
    page = open_page("/settings", java_script_enabled=False)
    page.get_by_role("link", name="Pictures of others").click()
    choose(page, True)
    page.get_by_label("Keep at most, in MB").fill("64")
    save(page)
    expect(page.get_by_label("Keep at most, in MB")).to_have_value("64")
    page.get_by_label("Keep at most, in MB").fill("256")
    save(page)
    choose(page, False)
    page.goto("/home")
    page.locator(".note").first.wait_for()
    expect(page.locator("img[src^='/picture/']")).to_have_count(0)


def test_a_phone_offers_its_camera(open_page):
    page = open_page("/compose", viewport=PHONE, has_touch=True, is_mobile=True)
    camera = page.locator("input[name=camera]")
    expect(camera).to_be_visible()
    assert camera.get_attribute("capture") == "environment" and camera.get_attribute("accept") == "image/*"
    holds(page, "compose-camera")
    desk = open_page("/compose")
    expect(desk.locator("label.camera")).to_be_hidden()
