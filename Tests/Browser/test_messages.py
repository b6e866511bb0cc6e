"""Private messages: people in browsers of their own write to each other through the relays of the simulated network."""

import re

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE, WATCH, enter, skip_to_home, wait_for
from looking import holds_in_both
from program import Program, fetch

# Keys are made with scrypt, wraps are carried by slow relays, and both share the machine with a whole network.
PATIENCE = 90000
PASSPHRASE = "a long passphrase"


class Friend:
    """Somebody with an account and a browser of their own."""

    def __init__(self, chromium, program, name, **options):
        self.name = name
        self.context = chromium.new_context(base_url=program.base, viewport=DESKTOP, **options)
        self.context.set_default_timeout(PATIENCE)
        self.page = self.context.new_page()
        self.problems = []
        self.page.add_init_script(WATCH)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        # A page left with words in it asks first; these tests mean to leave.
        self.page.on("dialog", lambda dialog: dialog.accept())

    def make_key(self, link):
        self.page.goto(link)
        self.page.goto("/welcome")
        self.page.get_by_text("Create a new key").click()
        door = self.page.locator("details[open]")
        door.get_by_label("Name").fill(self.name)
        door.get_by_label("Passphrase", exact=True).fill(PASSPHRASE)
        door.get_by_label("Passphrase again").fill(PASSPHRASE)
        door.get_by_role("button", name="Create").click()
        skip_to_home(self.page)
        return self.learn_key()

    def learn_key(self):
        self.page.goto("/home")
        self.key = self.page.locator(".nav-item[href^='/people/']").get_attribute("href").rsplit("/", 1)[-1]
        return self

    def open_messages(self):
        self.page.goto("/messages")
        expect(self.page.locator("[data-mail][data-access=open]")).to_be_visible(timeout=PATIENCE)

    def begin(self, people, text, subject=""):
        """Writes a first message; returns the address of the conversation."""
        self.page.goto("/messages/new")
        self.page.get_by_label("To", exact=True).fill(", ".join(person.key for person in people))
        self.page.get_by_label("Subject").fill(subject)
        self.page.get_by_label("Message", exact=True).fill(text)
        self.page.get_by_role("button", name="Send").click()
        self.page.wait_for_url(re.compile("/messages/[0-9a-f]{32}"))
        return self.page.url

    def write(self, text):
        """Writes into the open conversation."""
        # Whoever came by a link may see the page before its script runs; without it Enter is a new line.
        self.page.wait_for_load_state()
        field = self.page.locator("#text")
        field.fill(text)
        field.press("Enter")
        expect(self.message(text)).to_be_visible()
        expect(field).to_have_value("")

    def message(self, text):
        return self.page.locator(".talk-item", has=self.page.locator(".bubble", has_text=text))


def robin_and_heron(chromium, program, robins=None, herons=None):
    """Yields two people of one program, each with a key of their own, and lets them go; options are of their browsers."""
    context = chromium.new_context(base_url=program.base)
    page = context.new_page()
    enter(page, program)
    both = []
    for name, options in (("Robin", robins), ("Heron", herons)):
        page.goto("/settings")
        page.get_by_role("button", name="Make a login link").click()
        link = page.get_by_text(re.compile("^http://.*token=")).inner_text()
        both.append(Friend(chromium, program, name, **(options or {})).make_key(link))
    context.close()
    yield both
    for one in both:
        one.context.close()
        assert one.problems == []


@pytest.fixture(scope="module")
def mail_program(tmp_path_factory):
    running = Program(tmp_path_factory.mktemp("linnet-mail")).start()
    yield running
    running.stop()


@pytest.fixture(scope="module")
def friends(chromium, mail_program):
    """The demo person, Wren and Finch, who do not know each other."""
    first = Friend(chromium, mail_program, "demo")
    enter(first.page, mail_program)
    first.learn_key()
    others = []
    for name in ["Wren", "Finch"]:
        first.page.goto("/settings")
        first.page.get_by_role("button", name="Make a login link").click()
        link = first.page.get_by_text(re.compile("^http://.*token=")).inner_text()
        others.append(Friend(chromium, mail_program, name).make_key(link))
    everybody = [first, *others]
    for friend in everybody:
        friend.open_messages()
    yield everybody
    for friend in everybody:
        friend.context.close()
        assert friend.problems == []


@pytest.fixture(scope="module")
def talk(friends):
    """A conversation of the demo person and Wren, begun by the one and accepted by the other."""
    first, wren, _ = friends
    wren.open_messages()
    address = first.begin([wren], "Are the waxwings back?")
    requests = wren.page.locator(".mail-tabs .mail-count")
    expect(requests).to_have_text(re.compile("^1"), timeout=PATIENCE)
    assert wren.page.locator(".mail-row", has_text="waxwings").count() == 0, "strangers wait apart"
    wren.page.get_by_role("link", name="Requests").click()
    wren.page.locator(".mail-row", has_text="Are the waxwings back?").click()
    wren.page.wait_for_url(address)
    expect(wren.page.locator(".talk-request")).to_contain_text("not among the people you know")
    wren.page.get_by_role("button", name="Accept").click()
    expect(wren.message("Are the waxwings back?")).to_be_visible()
    expect(wren.page.locator(".talk-request")).to_have_count(0)
    assert wren.page.url == address, "the same people make the same room everywhere"
    return address


def test_an_answer_appears_without_reloading_and_says_where_it_is_stored(friends, talk):
    first, wren, _ = friends
    first.page.goto(talk)
    wren.page.goto(talk)
    first.page.evaluate("window.untouched = true")
    wren.write("Yes, since Sunday.")
    expect(first.message("Yes, since Sunday.")).to_be_visible(timeout=PATIENCE)
    expect(first.page.locator("#say")).to_contain_text("Yes, since Sunday.")
    assert first.page.evaluate("window.untouched"), "the page was not loaded again"
    phrase = wren.message("Yes, since Sunday.").locator(".talk-delivery")
    expect(phrase).to_have_text(re.compile(r"stored on ([1-9] of \d+ of )?.*relays"), timeout=PATIENCE)
    phrase.click()
    details = wren.page.locator(".talk-receipts")
    expect(details).to_contain_text("Your own copy")
    expect(details.locator(".receipt.is-accepted").first).to_contain_text("ws://")


def test_reactions_answers_and_deletions_reach_the_other(friends, talk):
    first, wren, _ = friends
    first.page.goto(talk)
    wren.page.goto(talk)
    first.write("Shall we go and look?")
    expect(wren.message("Shall we go and look?")).to_be_visible(timeout=PATIENCE)
    message = wren.message("Shall we go and look?")
    message.hover()
    message.locator(".talk-menu > summary").click()
    message.get_by_role("button", name="React 👍").click()
    expect(message.locator(".reaction.is-own")).to_contain_text("👍")
    expect(first.message("Shall we go and look?").locator(".reaction")).to_contain_text("👍", timeout=PATIENCE)
    # A press on one's own takes it back, for both.
    message.locator("button.reaction.is-own").click()
    expect(message.locator(".reaction")).to_have_count(0)
    expect(message.page.locator("#say")).to_have_text("Taken back")
    expect(first.message("Shall we go and look?").locator(".reaction")).to_have_count(0, timeout=PATIENCE)
    # Any other is picked on a page of its own.
    message.hover()
    message.locator(".talk-menu > summary").click()
    message.get_by_role("link", name="Another emoji…").click()
    wren.page.get_by_label("Another one").fill("🌱")
    wren.page.get_by_role("button", name="React", exact=True).click()
    expect(message.locator(".reaction.is-own")).to_contain_text("🌱")

    message.hover()
    message.locator(".talk-menu > summary").click()
    message.get_by_role("link", name="Reply").click()
    expect(wren.page.locator(".pen-reply")).to_contain_text("Shall we go and look?")
    wren.write("At six, by the gate.")
    answer = first.message("At six, by the gate.")
    expect(answer.locator(".talk-reply")).to_contain_text("Shall we go and look?", timeout=PATIENCE)

    wren.write("Bring the wrong binoculars.")
    expect(first.message("Bring the wrong binoculars.")).to_be_visible(timeout=PATIENCE)
    wrong = wren.message("Bring the wrong binoculars.")
    wrong.hover()
    wrong.locator(".talk-menu > summary").click()
    wrong.get_by_text("Delete…").click()
    wrong.get_by_role("button", name="Ask everyone to delete it").click()
    expect(wren.page.locator(".bubble", has_text="Bring the wrong binoculars.")).to_have_count(0)
    expect(first.page.locator(".bubble", has_text="Bring the wrong binoculars.")).to_have_count(0, timeout=PATIENCE)


def test_unread_marks_show_everywhere_and_go_once_read(friends, talk):
    # Nobody else writes to Wren; the people of the simulated network write to the demo person.
    first, wren, _ = friends
    first.page.goto(talk)
    wren.page.goto(talk)
    expect(wren.page.locator("#text")).to_be_visible()
    wren.page.goto("/home")
    badge = wren.page.locator("[data-unread]")
    expect(badge).to_be_hidden()
    first.write("Did you find the gate?")
    expect(badge).to_be_visible(timeout=PATIENCE)
    wren.page.goto("/messages")
    row = wren.page.locator(".mail-row.is-unread", has_text="Did you find the gate?")
    expect(row).to_be_visible()
    # The newest stands first.
    expect(wren.page.locator(".mail-row").first).to_contain_text("Did you find the gate?")
    row.click()
    expect(wren.page.locator("#unread + .talk-item")).to_contain_text("Did you find the gate?")
    wren.page.goto("/home")
    expect(badge).to_be_hidden()


def test_people_of_the_simulated_network_wrote_and_answer(friends):
    first = friends[0]
    first.page.goto("/messages")
    first.page.locator(".mail-row").nth(2).wait_for()
    first.page.goto("/messages/requests")
    first.page.locator(".mail-row").first.wait_for()
    first.page.goto("/messages")
    # Somebody who writes to one person: groups show two pictures.
    row = first.page.locator(".mail-row:not(:has(.avatars)):not(:has-text('Wren')):not(:has-text('yourself'))").first
    row.click()
    first.page.wait_for_url(re.compile("/messages/[0-9a-f]{32}"))
    others = first.page.locator(".talk-item:not(.is-own)")
    expect(others.first).to_be_visible()
    before = others.last.get_attribute("data-id")
    first.write("That is good to hear.")
    expect(others.last).not_to_have_attribute("data-id", before, timeout=PATIENCE)
    assert first.page.locator("#text").evaluate("field => field === document.activeElement"), "the pen is kept"


def test_three_people_talk_in_a_group_with_a_subject(friends, talk):
    first, wren, finch = friends
    finch.open_messages()
    address = wren.begin([first, finch], "Who brings the flask?", subject="Sunday at the mill")
    finch.page.goto("/messages/requests")
    row = finch.page.locator(".mail-row", has_text="Sunday at the mill")
    expect(row).to_be_visible(timeout=PATIENCE)
    row.click()
    expect(finch.message("Who brings the flask?")).to_be_visible()
    finch.write("I do.")
    expect(wren.message("I do.")).to_be_visible(timeout=PATIENCE)
    # Until a first message is here, there is no such conversation.
    wait_for(first.page, address, "#talk-log")
    expect(first.message("Who brings the flask?")).to_be_visible(timeout=PATIENCE)
    expect(first.message("I do.").locator(".talk-author")).to_contain_text("Finch", timeout=PATIENCE)
    expect(finch.message("I do.").locator(".talk-delivery")).to_contain_text("stored for all 2", timeout=PATIENCE)
    finch.page.goto("/messages")
    expect(finch.page.locator(".mail-row", has_text="Sunday at the mill")).to_be_visible()


def test_what_was_said_is_found_and_the_words_stay_out_of_addresses(friends, talk):
    first = friends[0]
    first.page.goto("/messages/search")
    first.page.get_by_role("searchbox").fill("waxwings")
    first.page.get_by_role("searchbox").press("Enter")
    hit = first.page.locator(".hits .mail-row", has_text="Are the waxwings back?")
    expect(hit).to_be_visible()
    assert "waxwings" not in first.page.url
    hit.click()
    expect(first.message("Are the waxwings back?")).to_be_in_viewport()


def test_a_secret_key_is_not_sent_and_nothing_private_rests_in_the_browser(friends, talk):
    first = friends[0]
    first.page.goto(talk)
    field = first.page.locator("#text")
    field.fill("my key is nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5")
    field.press("Enter")
    expect(first.page.get_by_role("alert")).to_contain_text("secret key")
    expect(field).to_have_value(re.compile("nsec1"))
    field.fill("A secret thought nobody was told.")
    kept = first.page.evaluate("JSON.stringify(localStorage) + JSON.stringify(sessionStorage)")
    assert "secret thought" not in kept and "nsec1" not in kept
    answer = fetch(first.context, talk)
    assert answer.headers["cache-control"] == "no-store"
    field.fill("")


def test_everything_with_the_keyboard_alone(friends, talk):
    first, wren, _ = friends
    page = wren.page
    page.goto("/home")
    # Together: the first of them waits for the second no longer than a person would.
    page.keyboard.type("gm")
    page.wait_for_url("**/messages")
    page.keyboard.press("j")
    expect(page.locator(".mail-row").first).to_be_focused()
    wanted = page.locator(f'.mail-row[href="{talk[talk.index("/messages/"):]}"]')
    for _ in range(10):
        if wanted.evaluate("row => row === document.activeElement"):
            break
        page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url(talk)
    text = page.locator("#text")
    expect(text).to_be_focused()
    page.keyboard.type("First line")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("second :tea")
    expect(page.locator("#completions .completion").first).to_be_visible()
    page.keyboard.press("Enter")
    expect(text).to_have_value("First line\nsecond 🍵 ")
    page.keyboard.press("Enter")
    expect(wren.message("second 🍵")).to_be_visible()
    # News may show it before the answer comes, which gives the focus back to the pen.
    expect(text).to_have_value("")
    page.keyboard.press("Escape")
    expect(wren.message("second 🍵")).to_be_focused()
    page.keyboard.press("l")
    expect(wren.message("second 🍵").locator(".reaction")).to_contain_text("❤")
    page.keyboard.press("r")
    expect(page.locator(".pen-reply")).to_contain_text("First line second")
    expect(text).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".pen-reply")).to_be_hidden()
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    page.wait_for_url("**/messages/new")
    expect(page.get_by_label("To", exact=True)).to_be_focused()


def test_enter_takes_what_fits_the_whole_word(friends, talk):
    """Linnet answers for the beginning of a word, one types on, and the next answer is slow."""
    page = friends[1].page
    page.goto(talk)
    text = page.locator("#text")
    text.focus()
    page.keyboard.type(":te")
    expect(page.locator("#completions .completion").first).to_be_visible()
    held = []
    with page.expect_request("**/compose/complete?word=%3Atea"):
        page.route("**/compose/complete?word=%3Atea", lambda route: held.append(route))
        page.keyboard.type("a")
    page.keyboard.press("Enter")
    expect(text).to_have_value(":tea")
    held[0].continue_()
    expect(text).to_have_value("🍵 ")
    page.unroute("**/compose/complete?word=%3Atea")
    text.fill("")


def test_works_without_scripts(chromium, mail_program, friends, talk):
    first = friends[0]
    context = chromium.new_context(
        base_url=mail_program.base, storage_state=first.context.storage_state(), java_script_enabled=False)
    page = context.new_page()
    page.goto(talk)
    page.get_by_label(re.compile("^Message to")).fill("Written without scripts.")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".talk-item").last).to_contain_text("Written without scripts.")
    expect(page.locator(".talk-item").last).to_be_in_viewport()
    context.close()


@pytest.mark.parametrize("name", ["messages", "requests", "conversation", "new-message", "message-search", "receipts"])
def test_has_no_violation_and_no_surprise(name, chromium, mail_program, friends, talk):
    first = friends[0]
    first.page.goto(talk)
    sent = first.page.locator(".talk-item.is-own").last.get_attribute("data-id")
    path = {
        "messages": "/messages", "requests": "/messages/requests", "conversation": talk, "new-message": "/messages/new",
        "message-search": "/messages/search", "receipts": f"{talk}/{sent}",
    }[name]
    for device, size in [("desktop", DESKTOP), ("phone", PHONE)]:
        context = chromium.new_context(
            base_url=mail_program.base, storage_state=first.context.storage_state(), viewport=size)
        page = context.new_page()
        page.add_init_script(WATCH)
        page.goto(path)
        page.wait_for_timeout(400)
        holds_in_both(page, f"{name}-{device}")
        assert page.evaluate("window.ran") == []
        context.close()


def test_a_restart_keeps_them_and_a_locked_account_shows_none(friends, talk, mail_program):
    """The last test of the file: it ends the sessions of all browsers."""
    first, wren, _ = friends
    mail_program.stop()
    mail_program.start()
    page = wren.page
    page.goto(mail_program.link)
    page.goto("/welcome")
    account = page.locator(".account", has_text="Wren")
    account.get_by_label("Passphrase of Wren").fill(PASSPHRASE)
    account.get_by_role("button", name="Unlock").click()
    page.wait_for_url("**/home")
    wren.open_messages()
    page.goto(talk)
    expect(wren.message("Are the waxwings back?")).to_be_visible()
    expect(wren.message("At six, by the gate.")).to_be_visible()
