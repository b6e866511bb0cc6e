"""Links of notes are previewed: when they are in view, without moving anything, and not against the settings."""

from playwright.sync_api import expect

from looking import SIZES, holds_in_both

ESTUARY = "/search?q=estuary+waited&scope=here"


def wait_for_note(page, path):
    """The home timeline is gathered within seconds; a search of this machine finds what came."""
    for _ in range(60):
        if page.locator(".note").count():
            return
        page.wait_for_timeout(500)
        page.goto(path)
    expect(page.locator(".note").first).to_be_visible()


def test_a_page_is_previewed_and_is_there_at_once_the_next_time(open_page):
    page = open_page(ESTUARY)
    wait_for_note(page, ESTUARY)
    card = page.locator(".link-preview")
    expect(card).to_contain_text("Waiting for the estuary")
    expect(card).to_contain_text("heron.example")
    expect(card.locator("img")).to_have_count(1)
    assert card.get_attribute("href") == "https://heron.example/estuary"
    again = open_page(ESTUARY, java_script_enabled=False)
    expect(again.locator(".link-preview")).to_contain_text("Waiting for the estuary")


def test_what_has_no_preview_stays_a_link_of_the_same_height(open_page):
    path = "/search?q=%22full+report%22+pages&scope=here"
    page = open_page("/settings")
    # As it stands when it is opened; the results of a search that goes on would be drawn anew.
    page.route("**/search?*", lambda route: route.abort() if route.request.resource_type == "fetch" else route.fallback())
    page.goto(path)
    wait_for_note(page, path)
    card = page.locator(".link-preview")
    expect(card).to_contain_text("paper.example")
    expect(page.locator("[data-preview]")).to_have_count(0)
    page.reload()
    page.locator(".note").first.wait_for()
    expect(card).to_have_count(0)


def test_a_hostile_page_is_words(open_page):
    path = "/search?q=believe+somebody+sent&scope=here"
    page = open_page(path)
    wait_for_note(page, path)
    card = page.locator(".link-preview")
    expect(card).to_contain_text("<script>alert(1)</script>")
    assert "\u202e" not in card.inner_text()
    assert card.locator("img").count() == 0


@SIZES
def test_cards_read_well(open_page, size):
    page = open_page(ESTUARY, viewport=size)
    wait_for_note(page, ESTUARY)
    expect(page.locator(".link-preview")).to_contain_text("Waiting for the estuary")
    holds_in_both(page, f"preview-{size['width']}")


def test_who_wants_none_has_none(open_page):
    page = open_page("/settings")
    group = page.get_by_role("group", name="Preview links")
    expect(group).to_contain_text("learn the address of the machine Linnet runs on")
    group.get_by_label("Never").check()
    page.wait_for_url("**saved=1**")
    page.goto(ESTUARY)
    wait_for_note(page, ESTUARY)
    expect(page.locator(".link-preview")).to_have_count(0)
    page.goto("/settings")
    group.get_by_label("From people you follow").check()
    page.wait_for_url("**saved=1**")
