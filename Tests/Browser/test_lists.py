"""Lists, marks, drafts and the time machine, with a demo person of one's own."""

import re

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE, send_now, undo_for, wait_for
from looking import holds_in_both, shot, violations


@pytest.fixture
def page(open_page):
    return open_page()


def strangers_note(page):
    own = page.locator(".nav-item[href^='/people/']").get_attribute("href").rsplit("/", 1)[-1]
    # What somebody reposted may be by a person one does not follow.
    strangers = f".feed .note:not([data-author='{own}']):not(:has(.note-why))"
    # What comes once home is drawn waits behind a button, and the first that is there may be all one's own.
    wait_for(page, "/home", strangers)
    # This one, whatever comes above it meanwhile.
    return page.locator(f".note[data-id='{page.locator(strangers).first.get_attribute('data-id')}']")


def read_down_to(page, selector):
    """Scrolls until it is there: more may have come since than a page shows, and relays have 15 s for each part.

    Opened anew from time to time: what comes late, and belongs deep between those that are shown, is there then.
    """
    for turn in range(1, 1500):
        if page.locator(selector).count():
            break
        if turn % 300:
            page.keyboard.press("End")
            page.wait_for_timeout(200)
        else:
            page.reload()
    expect(page.locator(selector)).to_have_count(1)


def test_a_muted_person_is_gone_at_once_and_undo_brings_them_back(page):
    note = strangers_note(page)
    author, mark = note.get_attribute("data-author"), note.get_attribute("data-id")
    note.locator(".act-more").click()
    page.locator("#note-menu").get_by_role("button", name=re.compile("^Mute (?!this)")).click()
    expect(page.locator(".toast")).to_contain_text("You no longer see")
    expect(page.locator(f".note[data-author='{author}']:visible")).to_have_count(0)
    page.reload()
    page.locator(".note").first.wait_for()
    expect(page.locator(f".note[data-author='{author}']")).to_have_count(0)
    page.goto(f"/people/{author}")
    expect(page.locator("h1 .chip")).to_have_text("Muted")
    page.goto("/lists/10000")
    expect(page.locator(f".part.is-private .entry a[href='/people/{author}']")).to_have_count(1)
    page.goto(f"/people/{author}")
    page.locator(".menu summary").click()
    page.get_by_role("button", name=re.compile("^Unmute")).click()
    expect(page.locator(".notice")).to_contain_text("No longer muted")
    page.goto("/home")
    read_down_to(page, f".feed .note[data-id='{mark}']")


def test_a_mute_is_undone_where_it_was_done(page):
    note = strangers_note(page)
    author = note.get_attribute("data-author")
    note.locator(".act-more").focus()
    page.keyboard.press("Enter")
    page.locator("#note-menu button").first.wait_for()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#note-menu button").nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(f".note[data-author='{author}']:visible")).to_have_count(0)
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.locator(f".note[data-author='{author}']:visible").first).to_be_visible()


@pytest.mark.parametrize("step", [3000, -3000])
def test_the_menu_stays_in_sight_when_the_feed_moves_while_it_opens(page, step):
    page.locator(".note").nth(3).wait_for()
    page.evaluate("scrollTo(0, 3000)")
    page.evaluate(
        """step => {
          const real = window.fetch;
          window.fetch = async (...all) => {
            const answer = await real(...all);
            if (String(all[0]).includes("back=")) scrollBy(0, step);
            return answer;
          };
        }""", step)
    # Found and clicked in one go: a note that somebody likes meanwhile is drawn anew.
    page.evaluate(
        "() => [...document.querySelectorAll('.act-more')].find((one) => one.getBoundingClientRect().top > 100).click()")
    menu = page.locator("#note-menu")
    menu.wait_for()
    box = menu.bounding_box()
    assert box["y"] >= 0 and box["y"] + box["height"] <= page.viewport_size["height"], box


def test_a_set_is_made_filled_opened_to_all_and_deleted(page):
    page.goto("/lists")
    page.get_by_text("New list").click()
    page.get_by_label("What it holds").select_option(label="Follow set")
    page.get_by_label("Name").fill("Choir")
    page.get_by_role("button", name="Make the list").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Choir")
    field = page.get_by_label("Add to the list")
    field.press_sequentially("@a")
    option = page.locator("#completions .completion").first
    option.wait_for()
    name = option.get_attribute("data-name")
    field.press("Enter")
    page.get_by_role("button", name="Add privately").click()
    expect(page.locator(".notice")).to_contain_text(f"{name} is on the list.")
    entry = page.locator(".part.is-private .entry")
    expect(entry).to_contain_text(name)
    entry.get_by_role("button", name=re.compile("to everybody")).click()
    expect(page.locator(".part:not(.is-private) .entry")).to_contain_text(name)
    page.locator(".notice").get_by_role("button", name="Undo").click()
    expect(page.locator(".part.is-private .entry")).to_contain_text(name)
    page.get_by_text("Name and deletion").click()
    page.get_by_role("button", name="Delete this list").click()
    page.wait_for_url("**/lists")
    expect(page.locator(".row", has_text="Choir")).to_have_count(0)


def test_an_earlier_follow_list_is_restored(page):
    note = strangers_note(page)
    page.goto(note.locator(".name a").first.get_attribute("href"))
    person = page.url
    page.get_by_role("button", name="Following").click()
    expect(page.get_by_role("button", name="Follow", exact=True)).to_be_visible()
    page.goto("/history/3")
    current = page.locator(".revision").first
    expect(current).to_contain_text("1 follow removed")
    page.locator(".revision").nth(1).get_by_text("Restore…").click()
    page.locator(".revision").nth(1).get_by_role("button", name="Restore this version").click()
    expect(page.locator(".notice")).to_contain_text("Restored")
    expect(page.locator(".revision").first).to_contain_text("1 follow added")
    page.goto(person)
    expect(page.get_by_role("button", name="Following")).to_be_visible()


def test_a_draft_is_kept_and_gone_on_with(page):
    undo_for(page, 60)
    page.goto("/compose")
    page.get_by_label("Your note").fill("Half a thought about kettles")
    page.get_by_role("button", name="Save draft").click()
    page.wait_for_url("**/drafts*")
    draft = page.locator(".entry", has_text="Half a thought about kettles")
    expect(draft).to_have_count(1)
    page.goto("/compose")
    expect(page.get_by_label("Your note")).to_have_value("")
    page.goto("/drafts")
    draft.get_by_role("link", name="Continue").click()
    text = page.get_by_label("Your note")
    expect(text).to_have_value("Half a thought about kettles")
    text.fill("A whole thought about kettles")
    page.get_by_role("button", name="Publish").click()
    send_now(page)
    expect(page.locator(".note.is-focus")).to_contain_text("A whole thought about kettles")
    # It goes once the note is published.
    wait_for(page, "/drafts", "main:not(:has(.entry:has-text('thought about kettles')))")
    expect(page.get_by_role("heading", name="Drafts")).to_be_visible()
    expect(draft).to_have_count(0)


def test_a_draft_leaves_an_open_page_of_drafts_as_its_note_is_sent(page):
    undo_for(page, 60)
    page.goto("/compose")
    page.get_by_label("Your note").fill("A thought about ladles")
    page.get_by_role("button", name="Save draft").click()
    page.wait_for_url("**/drafts*")
    page.locator(".entry", has_text="A thought about ladles").get_by_role("link", name="Continue").click()
    page.get_by_role("button", name="Publish").click()
    page.locator("#held-bar").get_by_role("button", name="Send now").wait_for()
    other = page.context.new_page()
    other.goto("/drafts")
    draft = other.locator(".entry", has_text="A thought about ladles")
    expect(draft).to_have_count(1)
    other.evaluate("window.untouched = true")
    send_now(page)
    expect(draft).to_have_count(0)
    assert other.evaluate("window.untouched")
    other.close()


def test_the_page_of_drafts_says_where_they_are(open_page):
    page = open_page("/drafts", java_script_enabled=False)
    question = page.get_by_role("heading", name="On your other devices too?")
    expect(question).to_be_visible()
    expect(page.get_by_text("on this Linnet only").first).to_be_visible()
    page.get_by_role("button", name="Only on this Linnet").focus()
    page.keyboard.press("Enter")
    expect(question).to_have_count(0)
    expect(page.get_by_text("Your other devices do not have them.")).to_be_visible()
    page.get_by_role("link", name="Relays for drafts").click()
    page.get_by_label("Add to the list").fill("wss://drafts.example")
    page.get_by_role("button", name="Add").click()
    expect(page.locator(".notice")).to_contain_text("is on the list.")
    page.goto("/drafts")
    expect(page.get_by_text("kept here and on drafts.example")).to_be_visible()
    page.goto("/lists/10013")
    page.get_by_role("button", name="Remove").first.click()
    expect(page.locator(".notice")).to_contain_text("is off the list.")
    page.goto("/drafts")
    page.locator("summary", has_text="Drafts of other apps").click()
    page.get_by_label("Relays to search beside your own").fill("nonsense")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("“nonsense” is not a relay")).to_be_visible()


def test_lists_work_without_scripts(open_page):
    page = open_page("/home", java_script_enabled=False)
    keep = page.get_by_role("button", name="Bookmark privately")
    # A note may be kept already.
    for place in range(2, 6):
        page.goto("/home")
        page.locator(".act-more").nth(place).click()
        expect(page.get_by_role("heading", level=1)).to_have_text("More for this note")
        page.wait_for_load_state()
        if keep.count():
            break
    keep.click()
    expect(page.locator(".notice")).to_contain_text("Kept")
    page.locator(".notice").get_by_role("button", name="Undo").click()
    expect(page.locator(".notice")).to_contain_text("No longer kept")
    page.goto("/lists/10000")
    page.get_by_label("Add to the list").fill("giveaway")
    page.get_by_role("button", name="Add privately").click()
    page.get_by_role("button", name="Remove giveaway").click()
    expect(page.locator(".notice")).to_contain_text("giveaway is off the list.")
    expect(page.get_by_role("button", name="Remove giveaway")).to_have_count(0)


PAGES = {
    "lists": "/lists", "mute-list": "/lists/10000", "bookmarks": "/lists/10003", "drafts": "/drafts", "draft-relays": "/lists/10013", "history": "/history",
    "versions": "/history/3", "keys": "/keys", "drawer": "/home", "note-menu": "/home", "settings-work": "/settings",
}


@pytest.mark.parametrize("name", PAGES)
def test_has_no_violation_and_no_surprise(name, open_page):
    for device, size in [("desktop", DESKTOP), ("phone", PHONE)]:
        page = open_page(PAGES[name], viewport=size)
        if name == "drawer":
            page.get_by_role("button", name="More", exact=True).click()
        if name == "note-menu":
            strangers_note(page).locator(".act-more").click()
            page.locator("#note-menu button").first.wait_for()
        page.wait_for_timeout(300)
        holds_in_both(page, f"{name}-{device}")
        page.context.close()


def test_a_private_bookmark_survives_a_restart(chromium, own_program, own_state):
    context = chromium.new_context(base_url=own_program.base, storage_state=own_state)
    context.set_default_timeout(60000)
    page = context.new_page()
    # A note may be kept already.
    page.goto("/lists/10003")
    kept = page.locator("a[href^='/note/']").evaluate_all("links => links.map((link) => link.pathname.slice(6))")
    page.goto("/home")
    page.locator(".note").nth(3).wait_for()
    free = "".join(f":not([data-id='{one}'])" for one in kept)
    mark = page.locator(f".feed .note{free}").first.get_attribute("data-id")
    page.locator(f".note[data-id='{mark}'] .act-more").click()
    page.get_by_role("button", name="Bookmark privately").click()
    expect(page.locator(".toast")).to_contain_text("Kept")
    own_program.stop()
    own_program.start()
    page.goto(own_program.link)
    if "/welcome" in page.url:
        page.get_by_role("button", name="Be a demo person").click()
    page.wait_for_url("**/home")
    page.goto("/lists/10003")
    if page.locator("#locked").count():
        page.goto("/welcome")
        page.get_by_role("button", name="Be a demo person").click()
        page.wait_for_url("**/home")
        page.goto("/lists/10003")
    expect(page.locator(f".part.is-private a[href='/note/{mark}']")).to_have_count(1)
    context.close()


def test_ones_relays_are_added_marked_and_taken_off_with_a_way_back(open_page):
    page = open_page("/relays")
    own = page.locator("section[aria-labelledby=own-list-title]")
    own.get_by_label("Add a relay").fill("no relay at all")
    own.get_by_role("button", name="Add").click()
    expect(own.get_by_role("alert")).to_contain_text("not a relay")
    expect(own.get_by_label("Add a relay")).to_have_value("no relay at all")
    own.get_by_label("Add a relay").fill("wss://elsewhere.example")
    own.get_by_label("What it is for").select_option("read")
    own.get_by_role("button", name="Add").click()
    expect(page.locator(".notice")).to_contain_text("You read elsewhere.example.")
    choice = own.get_by_label("What elsewhere.example is for")
    expect(choice).to_have_value("read")
    choice.select_option("write")
    own.get_by_role("button", name="Change elsewhere.example").click()
    # The choice itself says what was chosen, saved or not.
    expect(page.locator(".notice")).to_contain_text("You write to elsewhere.example.")
    expect(choice).to_have_value("write")
    choice.select_option("none")
    own.get_by_role("button", name="Change elsewhere.example").click()
    expect(choice).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(choice).to_have_value("write")
    assert violations(page) == []
    shot(page, "own-relays", full_page=True)
    # As well without scripts, on a phone in the dark.
    phone = open_page("/relays", viewport=PHONE, java_script_enabled=False, color_scheme="dark")
    shot(phone, "own-relays-phone-dark")
    choice = phone.get_by_label("What elsewhere.example is for")
    choice.select_option("none")
    phone.get_by_role("button", name="Change elsewhere.example").click()
    expect(choice).to_have_count(0)


def test_what_a_relay_or_a_set_of_relays_gives_out_is_read(open_page):
    page = open_page("/relays", viewport=PHONE)
    connected = "tr:has(.health.is-connected) a.relay-name"
    wait_for(page, "/relays", connected)
    relay = page.locator(connected).first
    address = relay.inner_text()
    relay.click()
    page.get_by_role("link", name="Read its notes").click()
    expect(page.locator("h1")).to_have_text(address)
    expect(page.locator(".note").first).to_be_visible(timeout=60000)
    page.goto("/lists")
    page.get_by_text("New list").click()
    page.get_by_label("What it holds").select_option("30002")
    page.get_by_label("Name").fill("Near")
    page.get_by_role("button", name="Make the list").click()
    expect(page.locator("h1")).to_have_text("Near")
    expect(page.get_by_role("link", name="Read what these relays give out")).to_have_count(0)
    page.get_by_label("Add to the list").fill(f"ws://{address}")
    page.locator("form.add button").first.click()
    page.get_by_role("link", name="Read what these relays give out").click()
    expect(page.locator("h1")).to_have_text("Near")
    expect(page.locator(".note").first).to_be_visible(timeout=60000)
    assert violations(page) == []
    shot(page, "relay-set-feed")
