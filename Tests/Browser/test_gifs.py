"""GIFs: found on relays and at a host, chosen for a note, brought to one's own servers, and shown."""

from playwright.sync_api import expect

from conftest import PHONE, send_now
from looking import SIZES, holds, holds_in_both

KEY = "linnet-world-key"


def picker(open_page, text="With a GIF", **options):
    page = open_page("/compose", **options)
    page.get_by_label("Your note").fill(text)
    page.get_by_role("button", name="Add a GIF").click()
    page.get_by_role("heading", name="Add a GIF").wait_for()
    # Where the program has just begun, its relays are still being asked.
    search_until(page, page.get_by_role("button", name="The sun comes up"))
    return page


def search_until(page, locator):
    """Searches again until something is found: the page shows what there is when it is asked."""
    for _ in range(60):
        page.wait_for_load_state()
        if locator.count():
            break
        page.wait_for_timeout(1000)
        page.get_by_role("button", name="Search", exact=True).click()
    expect(locator).not_to_have_count(0)


def publish(page, text):
    # Its script takes what is held out of the address, maybe before anybody looks.
    page.get_by_role("button", name="Publish", exact=True).click()
    send_now(page)
    note = page.locator(".note", has_text=text).first
    note.wait_for()
    return note


@SIZES
def test_the_page_of_gifs_is_usable_by_everybody(size, open_page):
    page = picker(open_page, viewport=size)
    assert page.get_by_role("button", name="A spider jumps").count() == 0
    expect(page.locator(".gif-picture").first).to_be_visible()
    page.wait_for_function("() => [...document.querySelectorAll('.gif-picture')].some((one) => one.naturalWidth > 0)")
    # Small pictures come from this machine alone.
    sources = page.locator(".gif-picture").evaluate_all("all => all.map((one) => new URL(one.src).origin)")
    assert sources and all(source == page.evaluate("location.origin") for source in sources)
    holds_in_both(page, f"gifs-{size['width']}")


def test_a_gif_is_found_chosen_by_keyboard_and_goes_out_with_the_note(open_page):
    page = picker(open_page, "Listen to these waves")
    page.get_by_label("What should it show?").fill("waves")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="The sun comes up")).to_have_count(0)
    search_until(page, page.locator(".gif"))
    expect(page.locator(".gif")).to_have_count(1)
    page.locator(".gif").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Your note")).to_have_value("Listen to these waves", timeout=60000)
    expect(page.get_by_role("group", name="Pictures and files of this draft")).to_contain_text("linden.localhost")
    note = publish(page, "Listen to these waves")
    picture = note.locator(".media img:not(.blur)")
    expect(picture).to_have_attribute("alt", "Waves come in and go out")
    assert "linden.localhost" in picture.get_attribute("src")


def test_it_works_without_scripts_and_a_lie_is_not_taken(open_page):
    page = picker(open_page, "Plain", java_script_enabled=False, viewport=PHONE)
    page.get_by_role("button", name="Rain on the window").click()
    expect(page.get_by_role("alert")).to_contain_text("not the one its author described", timeout=60000)
    # Its first address leads nowhere, its second does.
    page.get_by_role("button", name="A ball bounces").click()
    expect(page.get_by_label("Your note")).to_have_value("Plain", timeout=60000)
    expect(page.get_by_role("group", name="Pictures and files of this draft")).to_contain_text("A ball bounces")
    page.get_by_role("button", name="Add a GIF").click()
    page.get_by_role("button", name="Back to the note").click()
    expect(page.get_by_role("group", name="Pictures and files of this draft")).to_contain_text("A ball bounces")
    page.get_by_role("button", name="Publish", exact=True).click()
    page.wait_for_url("**held=**")


def test_a_host_is_asked_once_there_is_a_key(open_page):
    page = open_page("/settings/gifs")
    holds(page, "gif-settings")
    page.get_by_label("Your key for it").fill(KEY)
    page.get_by_label("Children with a grown-up beside them (PG)").check()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("A key is kept")).to_be_visible()
    page.wait_for_load_state()
    assert KEY not in page.content()
    page = picker(open_page)
    host = page.get_by_role("region", name="Powered by GIPHY")
    search_until(page, host.get_by_role("button", name="The sun comes up"))
    assert KEY not in page.content()
    holds(page, "gifs-host", full_page=True)
    page = open_page("/settings/gifs")
    page.get_by_label("Your key for it").fill("some-other-key")
    page.get_by_role("button", name="Save", exact=True).click()
    page = picker(open_page)
    expect(page.get_by_role("alert")).to_contain_text("does not know your key")
    page = open_page("/settings/gifs")
    page.get_by_role("button", name="Forget the key").click()
    expect(page.get_by_text("Without a key")).to_be_visible()
