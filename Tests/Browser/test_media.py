"""Pictures, films and sounds: told, in their room, from elsewhere when they are gone, and behind their warning."""

from playwright.sync_api import expect

from conftest import PHONE
from looking import SIZES, holds_in_both, in_both, shot, violations


def thread(visit, title, **options):
    """The page of a post that people of the simulated network made today."""
    page = visit("/home", **options)
    note = page.locator(".note", has=page.get_by_text(title, exact=True)).first
    for turn in range(300):
        if note.count():
            break
        # Where the program has just begun, its people are still being asked.
        if turn % 30 == 29:
            page.reload()
        page.keyboard.press("End")
        page.wait_for_timeout(200)
    path = f"/note/{note.get_attribute('data-id')}"
    page.goto(path)
    page.locator(".note.is-focus").wait_for()
    return page, page.locator(".note.is-focus")


@SIZES
def test_pictures_of_a_post_are_told_and_stand_side_by_side(size, visit):
    page, note = thread(visit, "Four from the walk", viewport=size)
    pictures = note.locator("a.picture")
    expect(pictures).to_have_count(4)
    words = [picture.get_attribute("alt") for picture in note.locator("a.picture > img:not(.blur)").all()]
    assert sum(word.startswith("Picture by ") for word in words) == 1
    boxes = [picture.bounding_box() for picture in pictures.all()]
    assert all(abs(box["width"] - box["height"]) < 2 for box in boxes)
    assert len({round(box["y"]) for box in boxes}) < 4
    holds_in_both(page, f"media-post-{size['width']}")
    # By keyboard: the first is shown large, the next by the arrow, and Escape leads back.
    pictures.first.focus()
    page.keyboard.press("Enter")
    viewer = page.locator(".viewer")
    expect(viewer.locator("img")).to_have_attribute("alt", words[0])
    page.keyboard.press("ArrowRight")
    expect(viewer).to_contain_text("2 of 4")
    page.keyboard.press("Escape")
    expect(viewer).to_be_hidden()


@SIZES
def test_people_in_a_picture_are_pointed_at_and_reached_by_keyboard(size, visit):
    page, note = thread(visit, "From an old server", viewport=size)
    marks = note.locator("a.mark")
    expect(marks).to_have_count(2)
    # Names come with profiles.
    expect(note.get_by_text("In the picture:")).to_be_visible()
    # At one moment, so that nothing moves in between.
    centres = note.evaluate("""(note) => {
        const picture = note.querySelector("a.picture").getBoundingClientRect();
        return [...note.querySelectorAll(".mark-dot")].map((dot) => {
            const place = dot.getBoundingClientRect();
            return (place.x + place.width / 2 - picture.x) / picture.width;
        });
    }""")
    assert abs(centres[0] - 0.25) < 0.06 and abs(centres[1] - 0.75) < 0.06, centres
    holds_in_both(page, f"media-people-{size['width']}")
    note.locator("a.picture").focus()
    page.keyboard.press("Tab")
    expect(marks.first).to_be_focused()
    shot(page, f"media-people-focus-{size['width']}")
    path = marks.first.get_attribute("href")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{path}")


@SIZES
def test_nothing_moves_when_a_picture_comes_even_one_of_another_shape(size, visit):
    page, note = thread(visit, "The wrong way round", viewport=size)
    held, passes = [], []
    # Whenever it is asked for, it waits until then, and not longer.
    page.route("**/photograph/**", lambda route: route.continue_() if passes else held.append(route))
    page.reload()
    note.locator("a.picture .blur").wait_for()
    before = note.locator("a.picture").bounding_box()
    assert before["height"] > 100
    passes.append(True)
    for route in held:
        route.continue_()
    image = note.locator("a.picture > img:not(.blur)")
    expect(image).to_have_js_property("complete", True)
    page.wait_for_function("(image) => image.naturalWidth > 0", arg=image.element_handle())
    after = note.locator("a.picture").bounding_box()
    assert (before["width"], before["height"]) == (after["width"], after["height"])


def test_a_picture_whose_first_address_is_dead_is_shown_from_another(visit):
    page, note = thread(visit, "From an old server")
    image = note.locator("a.picture > img:not(.blur)")
    page.wait_for_function("(image) => image.complete && image.naturalWidth > 0", arg=image.element_handle())
    assert "/photograph/" in image.get_attribute("src")
    assert image.get_attribute("data-else") is None
    assert "/photograph/" in note.locator("a.picture").get_attribute("href")


def test_what_is_behind_a_warning_is_neither_seen_nor_loaded_before_it_is_opened(visit):
    page, note = thread(visit, "Not for everybody")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    note.locator(".warned > summary").wait_for()
    expect(note.locator("a.picture")).to_be_hidden()
    page.wait_for_timeout(500)
    address = note.locator("a.picture > img:not(.blur)").evaluate("(image) => image.src")
    assert address not in asked
    note.locator(".warned > summary").focus()
    with page.expect_request(address):
        page.keyboard.press("Enter")
    expect(note.locator("a.picture")).to_be_visible()
    assert violations(page) == []


def test_a_film_has_its_picture_its_length_and_its_chapters(visit):
    page, note = thread(visit, "A film of the harbour", viewport=PHONE)
    film = note.locator("video")
    assert film.get_attribute("preload") == "none" and "/photograph/" in film.get_attribute("poster")
    assert film.get_attribute("aria-label") == "Waves go out and come in again"
    expect(note).to_contain_text("0:06")
    note.locator(".chapters summary").click()
    expect(note.locator(".chapters li")).to_have_count(2)
    for scheme in in_both(page):
        assert violations(page) == []
        shot(page, f"media-film-phone-{scheme}")


@SIZES
def test_a_picture_is_added_by_its_address_without_scripts(size, visit):
    page = visit("/compose", java_script_enabled=False, viewport=size)
    page.get_by_label("Your note").fill("Look what came.")
    page.get_by_text("Add a picture, film or sound by its address").click()
    page.get_by_label("Its address").fill("https://pictures.example/heron.jpg")
    page.locator("#file-words").fill("A heron at dawn")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_text("A heron at dawn")).to_be_visible()
    expect(page.get_by_label("https://pictures.example/heron.jpg")).to_be_checked()
    expect(page.get_by_label("Your note")).to_have_value("Look what came.")
    shot(page, f"media-attach-{size['width']}")


def test_a_portrait_that_is_gone_leaves_the_feathers(visit):
    page = visit("/home", news=False)
    page.locator(".avatar img + img").first.evaluate("""(one) => {
        one.parentElement.id = "face";
        one.src = "/nothing-here.png";
    }""")
    expect(page.locator("#face img")).to_have_count(1)
