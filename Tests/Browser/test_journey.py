"""First run, home, thread, compose, receipt, restart: the main job from end to end."""

import re

from playwright.sync_api import expect

from conftest import send_now, skip_to_home, undo_for, wait_for
from program import Program, fetch


def test_a_first_visit_leads_through_everything_and_survives_a_restart(chromium, tmp_path):
    program = Program(tmp_path, world="town").start()
    try:
        context = chromium.new_context(base_url=program.base)
        context.set_default_timeout(60000)
        page = context.new_page()
        page.goto(program.link)
        expect(page.get_by_role("heading", level=1)).to_have_text("Your own home on Nostr")

        page.get_by_role("button", name="Be a demo person").click()
        page.wait_for_url("**/home")
        page.locator(".note").nth(5).wait_for()

        page.locator(".note .when").first.click()
        page.wait_for_url("**/note/*")
        expect(page.locator(".note.is-focus")).to_be_visible()

        undo_for(page, 60)
        page.goto("/compose")
        page.get_by_label("Your note").fill("The kettle is on. #tea")
        page.get_by_role("button", name="Preview").click()
        expect(page.locator(".preview")).to_contain_text("The kettle is on. #tea")
        page.get_by_role("button", name="Publish").click()
        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_label("Your note")).to_have_value("The kettle is on. #tea")
        page.get_by_role("button", name="Publish").click()
        send_now(page)
        expect(page.locator("#receipts")).to_contain_text(re.compile(r"Accepted by [1-9]\d* of \d+ relays"), timeout=60000)
        note = page.url
        # As it is drawn, without what scripts put above and below.
        known = fetch(context, f"{program.base}/home").read().decode().count("<article class=\"note")
        assert known > 5
        undo_for(page, 30)
        page.goto("/compose")
        page.get_by_label("Your note").fill("Still held when the program ends.")
        page.get_by_role("button", name="Publish").click()
        page.get_by_role("button", name="Undo").wait_for()
        program.stop()

        program.start()
        page.goto(program.link)
        if "/welcome" in page.url:
            page.get_by_role("button", name="Be a demo person").click()
        page.wait_for_url("**/home")
        assert page.locator(".note").count() >= known, "the feed is there at once"
        # It goes out once its time has come.
        wait_for(page, "/home", ".feed .note:has-text('Still held when the program ends.')")
        page.goto(note)
        expect(page.locator(".note.is-focus")).to_contain_text("The kettle is on.")
        expect(page.locator("#receipts")).to_contain_text(re.compile(r"Accepted by [1-9]"))
        context.close()
    finally:
        program.stop()


def test_a_new_key_is_made_with_a_passphrase(chromium, program, visit):
    # The other tests' browser makes the link, so that their account stays open there.
    settings = visit("/settings")
    settings.get_by_role("button", name="Make a login link").click()
    link = settings.get_by_text(re.compile("^http://.*token=")).inner_text()
    context = chromium.new_context(base_url=program.base)
    page = context.new_page()
    page.set_default_timeout(60000)
    page.goto(link)
    page.goto("/welcome")
    page.get_by_text("Create a new key").click()
    door = page.locator("details[open]")
    door.get_by_label("Name").fill("Wren")
    door.get_by_label("Passphrase", exact=True).fill("a long passphrase")
    door.get_by_label("Passphrase again").fill("another passphrase")
    door.get_by_role("button", name="Create").click()
    expect(page.get_by_role("alert")).to_contain_text("differ")
    door.get_by_label("Passphrase", exact=True).fill("a long passphrase")
    door.get_by_label("Passphrase again").fill("a long passphrase")
    door.get_by_role("button", name="Create").click()
    skip_to_home(page)
    assert "a long passphrase" not in page.content()
    context.close()


def test_works_without_scripts(visit):
    page = visit("/home", java_script_enabled=False)
    # Where the program has just begun there may not be more than a page yet.
    wait_for(page, "/home", "[data-older]")
    places = "notes => notes.map((note) => note.dataset.place)"
    shown = page.locator(".note").evaluate_all(places)
    with page.expect_navigation():
        page.get_by_role("link", name="Older notes").click()
    expect(page.locator(".note").first).to_be_visible()
    older = page.locator(".note").evaluate_all(places)
    assert older and set(older).isdisjoint(shown)
    page.goto("/compose")
    page.get_by_label("Your note").fill("Written without scripts.")
    page.get_by_role("button", name="Publish").click()
    page.get_by_role("button", name="Send now").click()
    expect(page.locator(".note.is-focus")).to_contain_text("Written without scripts.")


def test_new_notes_wait_until_asked_for_and_the_page_keeps_its_place(visit):
    page = visit("/settings")
    # What comes before anybody reads is shown at once: nothing of it is to be on its way when the reading begins.
    page.route("**/home/newer*", lambda route: route.abort())
    page.goto("/home")
    page.locator(".note").nth(9).wait_for()
    page.evaluate("scrollTo({ top: 1500, behavior: 'instant' })")
    # What is above and in sight has come, and takes no more room.
    page.wait_for_function("""() => [...document.querySelectorAll("form.feed img")].every((one) =>
        one.complete || one.getClientRects().length === 0 || one.getBoundingClientRect().top > innerHeight)""")
    page.unroute("**/home/newer*")
    first = page.locator(".note").first.get_attribute("id")
    place = page.evaluate("scrollY")
    waiting = page.locator("#waiting a")
    waiting.wait_for(timeout=120000)
    assert page.locator(".note").first.get_attribute("id") == first
    assert page.evaluate("scrollY") == place
    before = page.locator("form.feed .note").evaluate_all("notes => notes.map((note) => note.id)")
    waiting.click()
    # On top, or between two that were shown.
    page.wait_for_function(
        "(before) => [...document.querySelectorAll('form.feed .note')].some((note) => !before.includes(note.id))",
        arg=before)
    # Another may have come meanwhile, and waits again until that is asked for too.
    page.wait_for_function("""() => {
        const pill = document.querySelector("#waiting");
        if (!pill.hidden) pill.querySelector("a").click();
        return pill.hidden;
    }""", polling=500)


def test_notes_older_than_those_shown_come_to_their_place_without_a_reload(visit):
    page = visit("/home")
    page.locator(".note").nth(9).wait_for()
    whole = fetch(page.context, page.url).read().decode()
    updates = []
    page.route("**/events?*", lambda route: updates.append(route))
    page.route("**/home", lambda route: route.fulfill(body=whole, content_type="text/html"))
    # Nor does the next page come, however short this one is.
    page.route(re.compile(r"/home\?"), lambda route: route.abort())
    with page.expect_request("**/events?*"):
        page.reload()
    notes = page.locator("form.feed .note")
    ids = notes.evaluate_all("notes => notes.map((note) => note.id)")
    # As the page is that was drawn before relays had answered.
    page.evaluate(
        "() => document.querySelectorAll('form.feed .more, form.feed .note:nth-of-type(3n + 2), "
        "form.feed .note:nth-of-type(3n)').forEach((one) => one.remove())"
    )
    assert notes.count() < len(ids)
    # Somebody reads, so that what comes late waits; what came to its place by itself waits no more.
    page.mouse.wheel(0, 1)
    page.wait_for_function("() => scrollY > 0")
    shown = notes.evaluate_all("notes => notes.map((note) => note.id)")
    late = " ".join(one.removeprefix("n-") for one in ids if one not in shown)
    updates[0].fulfill(
        content_type="text/event-stream", body=f"event: notes\ndata: {late}\n\nevent: older\ndata: 1\n\n")
    expect(notes).to_have_count(len(ids))
    assert notes.evaluate_all("notes => notes.map((note) => note.id)") == ids
    expect(page.locator("#waiting [data-words]")).to_have_text(re.compile("new note"))
    expect(page.locator("#waiting")).to_be_hidden()
    expect(page.locator("form.feed .more, form.feed .feed-end")).to_have_count(1)


def test_a_note_that_comes_late_waits_and_stands_between_those_that_are_shown(visit):
    page = visit("/home")
    page.locator(".note").nth(9).wait_for()
    updates = []
    page.route("**/events?*", lambda route: updates.append(route))
    with page.expect_request("**/events?*"):
        page.reload()
    notes = page.locator("form.feed .note")
    ids = notes.evaluate_all("notes => notes.map((note) => note.id)")
    # As the page is to which nobody brought the fourth and the sixth yet, and that somebody reads.
    page.mouse.wheel(0, 300)
    late = [notes.nth(3), notes.nth(5)]
    marks = [note.get_attribute("data-place") for note in late]
    for note in reversed(late):
        note.evaluate("note => note.remove()")
    # One that is on the page, a repost of it, and one below all that was read, are no news.
    below = f"1-{'0' * 64}"
    repost = f"9999999999-{'0' * 64}-{notes.first.get_attribute('data-id')}"
    words = " ".join([*marks, notes.first.get_attribute("data-place"), repost, below])
    updates[0].fulfill(content_type="text/event-stream", body=f"event: notes\ndata: {words}\n\n")
    waiting = page.locator("#waiting a")
    expect(waiting).to_have_text("2 new notes")
    assert notes.count() == len(ids) - 2
    before = notes.evaluate_all("notes => notes.map((note) => note.id)")
    waiting.click()
    expect(page.locator("#say")).to_have_text(re.compile("new notes shown"))
    # What others write meanwhile may come with them, on top.
    shown = notes.evaluate_all("notes => notes.map((note) => note.id)")
    assert [one for one in shown if one in ids] == ids
    first = next(one for one in shown if one not in before)
    assert page.evaluate("document.activeElement.id") == first
    expect(page.locator(f"[id='{first}']")).to_be_in_viewport()


def test_what_waits_and_is_nothing_to_see_is_said_and_waits_no_more(visit):
    page = visit("/home")
    page.locator(".note").nth(9).wait_for()
    updates = []
    page.route("**/events?*", lambda route: updates.append(route))
    # As the answer is about a repost of a note that nobody has.
    page.route("**/home/newer*", lambda route: route.fulfill(body="<form class='feed'></form>", content_type="text/html"))
    with page.expect_request("**/events?*"):
        page.reload()
    page.mouse.wheel(0, 300)
    page.wait_for_function("() => scrollY > 0")
    updates[0].fulfill(content_type="text/event-stream", body=f"event: notes\ndata: 9999999999-{'0' * 64}\n\n")
    waiting = page.locator("#waiting a")
    expect(waiting).to_have_text("1 new note")
    waiting.click()
    expect(page.locator("#say")).to_have_text("Nothing else is new")
    expect(waiting).to_be_hidden()
    expect(page.locator("form.feed .note").first).to_be_focused()


def test_scrolling_has_no_end_and_comes_back_where_it_was(visit):
    page = visit("/home")
    # Relays are asked for more on the way.
    for _ in range(600):
        page.mouse.wheel(0, 3000)
        page.wait_for_timeout(100)
        if page.locator(".note").count() > 70:
            break
    assert page.locator(".note").count() > 70
    note = page.locator(".note").nth(65)
    note.evaluate("note => note.scrollIntoView({ block: 'center' })")
    mark = note.get_attribute("id")
    note.locator(".when").first.click()  # one that quotes another has two
    page.wait_for_url("**/note/*")
    page.go_back()
    page.wait_for_url("**/home")
    expect(page.locator(f'[id="{mark}"]')).to_be_in_viewport(timeout=30000)
