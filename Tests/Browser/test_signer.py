"""The signer: an app of another make pairs with it over a relay and asks; a person decides in the browser."""

import json
import re
import urllib.parse

import pytest
from playwright.sync_api import expect

from bunker import App, conversation_key, encrypt
from conftest import DESKTOP, PHONE, WATCH, enter, skip_to_home, wait_for
from looking import holds_in_both, violations
from program import Program, free_port

PATIENCE = 60000
# Opening a key takes many seconds in a build for tests on a busy machine.
CHECKED = 300000


@pytest.fixture(scope="module")
def person(chromium, program, session):
    """A browser at the signer, which listens on a relay that takes what it is given."""
    context = chromium.new_context(storage_state=session, base_url=program.base, viewport=DESKTOP)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.add_init_script(WATCH)
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    yield page
    context.close()
    assert problems == []


def unpair(page, app):
    page.goto(app)
    if page.get_by_role("heading", name="Unpair").count():
        page.get_by_role("heading", name="Unpair").click()
        page.get_by_role("button", name="Unpair it").click()
        page.wait_for_url("**/signer/apps")


def token(page):
    page.goto("/signer/connect")
    return page.get_by_label("Token of your signer").input_value()


@pytest.fixture
def pair(person):
    """Pairs apps by the signer's token; they are unpaired and closed in the end."""
    apps = []

    def paired(name, trust="medium"):
        text = token(person)
        relays = urllib.parse.parse_qs(urllib.parse.urlparse(text).query)["relay"]
        app = App(relays[0], name)
        apps.append(app)
        app.connect(text)
        app.page = f"/signer/app?app=remote%3A{app.author.key}"
        if trust != "medium":
            person.goto(app.page)
            person.locator(f"[name=trust][value={trust}]").check()
            person.locator("form", has=person.get_by_label("What you call it")).get_by_role("button").click()
            expect(person.locator(".notice")).to_contain_text("Saved.")
        return app

    yield paired
    for app in apps:
        unpair(person, app.page)
        app.close()


def of(page, app):
    return page.locator("[data-ask]", has_text=app.name)


def test_a_request_shows_itself_and_is_approved(person, pair):
    app = pair("Radio Lark")
    person.goto("/signer")
    name = app.sign(0, json.dumps({"name": "Someone", "about": "Signed by a signer"}))
    ask = of(person, app)
    expect(ask).to_be_visible(timeout=PATIENCE)
    expect(ask).to_contain_text("claims this name")
    expect(person).to_have_title(re.compile(r"^\(1\) Signer"))
    expect(person.locator(".nav-item[href='/signer'] [data-signer-badge]")).to_have_text(re.compile("1"))
    expect(person.locator("#say")).to_contain_text("Radio Lark")
    assert not app.is_answered(name)
    ask.get_by_role("button", name="Approve").click()
    answer = app.answer(name)
    event = json.loads(answer["result"])
    assert event["pubkey"] == app.person and event["kind"] == 0 and len(event["sig"]) == 128
    expect(ask).to_have_count(0)
    expect(person).to_have_title(re.compile(r"^Signer"))


def test_other_pages_count_what_waits(person, pair):
    app = pair("Tern Post")
    person.goto("/settings")
    name = app.sign(0, "{}")
    badge = person.locator(".nav-item[href='/signer'] [data-signer-badge]")
    expect(badge).to_be_visible(timeout=PATIENCE)
    expect(person).to_have_title(re.compile(r"^\(1\) Settings"))
    person.goto("/signer")
    of(person, app).get_by_role("button", name="Refuse", exact=True).click()
    assert app.answer(name)["error"]
    expect(badge).to_be_hidden()


def test_what_was_refused_is_said_to_be_so_and_waits_nowhere(person, pair):
    app = pair("Shy Plover")
    person.goto("/signer")
    name = app.sign(0, "{}")
    ask = of(person, app)
    request = ask.locator(".ask-headline a").get_attribute("href")
    ask.get_by_role("button", name="Refuse", exact=True).click()
    assert app.answer(name)["error"]
    expect(ask).to_have_count(0)
    person.reload()
    expect(person.get_by_role("heading", name="Nothing to approve")).to_be_visible()
    expect(ask).to_have_count(0)
    expect(person.locator(".nav-item[href='/signer'] [data-signer-badge]")).to_be_hidden()
    person.goto(request)
    expect(person.get_by_role("heading", name="This request is no longer pending")).to_be_visible()
    person.goto("/notifications")
    expect(person.get_by_text("waits in the signer")).to_have_count(0)
    person.goto("/signer/activity?q=Shy+Plover")
    expect(person.locator(".outcome.is-refused")).to_have_text("Refused")


def test_always_is_remembered_and_can_be_forgotten(person, pair):
    app = pair("Finch Notes")
    person.goto("/signer")
    first = app.sign(30078, "one", [["d", "a"]])
    of(person, app).get_by_role("button", name="Always").click()
    assert json.loads(app.answer(first)["result"])["content"] == "one"
    second = app.sign(30078, "two", [["d", "a"]])
    assert json.loads(app.answer(second)["result"])["content"] == "two"
    person.goto(app.page)
    row = person.locator(".entry", has_text="sign_event:30078")
    expect(row).to_contain_text("your choice")
    row.get_by_role("button", name="Forget").click()
    expect(person.locator(".notice")).to_be_visible()
    third = app.sign(30078, "three", [["d", "a"]])
    person.goto("/signer")
    expect(of(person, app)).to_be_visible(timeout=PATIENCE)
    assert not app.is_answered(third)
    of(person, app).get_by_role("button", name="Refuse", exact=True).click()
    assert app.answer(third)["error"]


def test_a_great_loss_needs_a_second_step(person, pair):
    app = pair("Careless Gull")
    person.goto("/signer")
    name = app.sign(3, "", [["p", app.author.key]])
    ask = of(person, app)
    expect(ask).to_contain_text("would go", timeout=PATIENCE)
    expect(ask.get_by_role("button", name="Approve")).to_have_count(0)
    ask.get_by_role("link", name="See what would go").click()
    person.wait_for_url("**/signer/requests/*")
    expect(person.locator(".difference.is-lost li").nth(5)).to_be_visible()
    expect(person.get_by_role("button", name="Refuse and restore")).to_be_visible()
    person.get_by_role("button", name="Approve…").click()
    step = person.locator("#second-step")
    expect(step).to_be_visible()
    assert not app.is_answered(name)
    step.get_by_role("button", name="Yes, lose them").click()
    person.wait_for_url("**/signer")
    assert json.loads(app.answer(name)["result"])["kind"] == 3


def test_requests_that_are_alike_are_decided_together_by_key(person, pair):
    app = pair("Ana's reader", trust="low")
    person.goto("/signer")
    key = conversation_key(app.author.secret, app.person)
    names = [app.ask("nip44_decrypt", app.author.key, encrypt(f"secret {n}", key)) for n in range(5)]
    ask = of(person, app)
    expect(ask).to_contain_text("5 requests to read what is encrypted to you", timeout=PATIENCE)
    person.keyboard.press("j")
    expect(ask).to_be_focused()
    person.keyboard.press("a")
    assert [app.answer(name)["result"] for name in names] == [f"secret {n}" for n in range(5)]
    expect(ask).to_have_count(0)
    assert person.evaluate("document.activeElement.closest('#asks') !== null"), "focus stays at the list"


def test_an_app_is_paired_by_its_token(person):
    text = token(person)
    relay = urllib.parse.parse_qs(urllib.parse.urlparse(text).query)["relay"][0]
    app = App(relay, "Wren & Co")
    person.goto("/signer/connect?uri=" + urllib.parse.quote(app.token("sign_event:1,sign_event:0"), safe=""))
    # The token stays in no history.
    expect(person).not_to_have_url(re.compile("uri="))
    expect(person.get_by_role("heading", name="claims to be “Wren & Co”")).to_be_visible()
    expect(person.get_by_label("sign a note")).not_to_be_checked()
    expect(person.get_by_label("sign your profile")).not_to_be_checked()
    person.get_by_label("sign a note").check()
    person.get_by_label("What you call it").fill("The wren")
    person.get_by_role("button", name="Pair").click()
    app.await_signer()
    expect(person.get_by_role("heading", name="The wren")).to_be_visible(timeout=PATIENCE)
    assert json.loads(app.answer(app.sign(1, "Granted at pairing"))["result"])["content"] == "Granted at pairing"
    waiting = app.sign(0, "{}")
    person.goto("/signer")
    expect(person.locator("[data-ask]", has_text="The wren")).to_be_visible(timeout=PATIENCE)
    page = f"/signer/app?app=remote%3A{app.author.key}"
    person.goto(page)
    expect(person.locator(".entry", has_text="sign_event:0")).to_contain_text("asked for, not given")
    unpair(person, page)
    assert not app.is_answered(waiting) or app.answer(waiting)["error"]
    app.close()


def test_works_without_scripts(chromium, program, session, person, pair):
    app = pair("Plain Dove")
    context = chromium.new_context(storage_state=session, base_url=program.base, java_script_enabled=False)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    name = app.sign(30078, "plain", [["d", "plain"]])
    wait_for(page, "/signer", f"[data-ask]:has-text('{app.name}')")
    of(page, app).get_by_role("button", name="Approve").click()
    expect(page.locator(".notice")).to_contain_text("approved")
    assert json.loads(app.answer(name)["result"])["kind"] == 30078
    page.goto("/signer/activity?q=Plain+Dove")
    expect(page.locator(".line").first).to_contain_text("Plain Dove")
    context.close()


def test_the_log_is_exported(person, pair):
    app = pair("Ledger Owl")
    app.answer(app.sign(1, "For the log"))
    person.goto("/signer/activity?q=Ledger+Owl")
    with person.expect_download() as started:
        person.get_by_role("link", name="Export").click()
    lines = [json.loads(line) for line in open(started.value.path(), encoding="utf-8")]
    assert {"sign_event"} <= {line["method"] for line in lines} and all("Owl" in line["title"] for line in lines)


@pytest.fixture(scope="module")
def waiting(person):
    """Every sort of request waits, so that the pages have something to show."""
    text = token(person)
    app = App(urllib.parse.parse_qs(urllib.parse.urlparse(text).query)["relay"][0], "Show <b>Room</b>")
    app.connect(text)
    app.sign(0, json.dumps({"name": "Changed", "about": "New words about me"}))
    app.sign(3, "", [["p", app.author.key]])
    app.sign(30078, json.dumps({"setting": True}), [["d", "settings"]])
    app.sign(7375, "sealed")
    person.goto("/signer")
    # Those that came within half a second are one card; how many that is depends on the machine.
    expect(person.locator("#asks")).to_have_attribute("data-count", "4", timeout=PATIENCE)
    loss = person.locator("[data-ask].has-loss").get_attribute("data-ask")
    other = person.locator("[data-ask]:not(.has-loss)").first.get_attribute("data-ask")
    yield {
        "signer": "/signer", "signer-request": f"/signer/requests/{other}", "signer-loss": f"/signer/requests/{loss}",
        "signer-apps": "/signer/apps", "signer-app": f"/signer/app?app=remote%3A{app.author.key}",
        "signer-connect": "/signer/connect", "signer-activity": "/signer/activity", "signer-relays": "/signer/relays",
        "signer-token": "/signer/connect?uri=" + urllib.parse.quote(app.token("sign_event:1,nip44_decrypt"), safe=""),
        "signer-settings": "/signer/settings", "signer-gone": "/signer/requests/" + "0" * 64,
    }
    unpair(person, f"/signer/app?app=remote%3A{app.author.key}")
    app.close()


PAGES = ["signer", "signer-request", "signer-loss", "signer-apps", "signer-app", "signer-connect", "signer-token"]
PAGES += ["signer-activity", "signer-relays", "signer-settings", "signer-gone"]


@pytest.mark.parametrize("name", PAGES)
def test_has_no_violation_and_no_surprise(name, visit, waiting):
    for device, size in [("desktop", DESKTOP), ("phone", PHONE)]:
        page = visit(waiting[name], viewport=size)
        page.wait_for_timeout(400)
        holds_in_both(page, f"{name}-{device}", full_page=True)
        assert page.evaluate("window.ran") == []
        page.context.close()


def test_what_an_unpaired_app_asked_for_waits_no_more(person, waiting):
    unpair(person, waiting["signer-app"])
    person.goto("/signer")
    expect(person.get_by_role("heading", name="Nothing to approve")).to_be_visible(timeout=PATIENCE)


def test_an_app_elsewhere_is_told_where_its_person_can_approve(chromium, tmp_path):
    port = free_port()
    running = Program(tmp_path, port, ["--public-url", f"http://localhost:{port}"]).start()
    context = chromium.new_context(base_url=running.base)
    page = context.new_page()
    try:
        enter(page, running)
        text = token(page)
        app = App(urllib.parse.parse_qs(urllib.parse.urlparse(text).query)["relay"][0], "Far Away")
        app.connect(text)
        name = app.sign(0, json.dumps({"name": "Someone", "about": "Signed from afar"}))
        address = app.page(name)
        assert re.fullmatch(rf"http://localhost:{port}/signer/requests/[0-9a-f]{{64}}", address)
        # To the browser that is another host, where nobody is logged in.
        page.goto(address)
        expect(page.get_by_role("heading", level=1)).to_have_text("Log in")
        expect(page.get_by_role("button", name=re.compile("^Approve"))).to_have_count(0)
        page.goto(running.base + urllib.parse.urlparse(address).path)
        page.get_by_role("button", name=re.compile("^Approve")).click()
        assert json.loads(app.answer(name)["result"])["kind"] == 0
        app.close()
    finally:
        context.close()
        running.stop()


def test_the_passphrase_is_asked_for_again(chromium, tmp_path):
    running = Program(tmp_path).start()
    context = chromium.new_context(base_url=running.base, viewport=DESKTOP)
    page = context.new_page()
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    try:
        enter(page, running)
        page.set_default_timeout(CHECKED)
        page.goto("/signer/settings")
        # The demo person's key has none.
        expect(page.locator("#ask-passphrase")).to_contain_text("needs a key with a passphrase")
        page.goto("/welcome")
        page.get_by_text("Create a new key").click()
        door = page.locator("details[open]")
        door.get_by_label("Name").fill("Wren")
        door.get_by_label("Passphrase", exact=True).fill("a long passphrase")
        door.get_by_label("Passphrase again").fill("a long passphrase")
        door.get_by_role("button", name="Create").click()
        skip_to_home(page)
        page.goto("/signer/settings")
        setting = page.locator("#ask-passphrase")
        setting.get_by_label("Passphrase of your key").fill("a long passphrase")
        setting.get_by_role("button", name="Ask for it").click()
        expect(page.locator("#ask-passphrase").get_by_role("button", name="Ask no longer")).to_be_visible(timeout=CHECKED)

        text = token(page)
        app = App(urllib.parse.parse_qs(urllib.parse.urlparse(text).query)["relay"][0], "Asks Much")
        app.connect(text)
        page.goto("/signer")
        name = app.sign(0, json.dumps({"name": "Someone", "about": "Signed with the passphrase"}))
        ask = of(page, app)
        approve = ask.get_by_role("button", name="Approve")
        approve.click()
        expect(page.locator("#asks .problem")).to_contain_text("needs the passphrase", timeout=CHECKED)
        for typed, words in (("not it", "Wrong passphrase"), ("a long passphrase", None)):
            ask.get_by_label("Passphrase of your key").fill(typed)
            # What begins to wait meanwhile leaves what is typed where it is.
            if words:
                app.sign(1, "a note by the way")
                app.sign(30078, "data", [["d", typed]])
                expect(of(page, app)).to_have_count(2, timeout=CHECKED)
                ask = of(page, app).first
                expect(ask.get_by_label("Passphrase of your key")).to_have_value(typed)
            ask.get_by_role("button", name="Approve").click()
            if words:
                expect(page.locator("#asks .problem")).to_contain_text(words, timeout=CHECKED)
                expect(ask.get_by_label("Passphrase of your key")).to_have_value("")
                assert not app.is_answered(name)
        assert json.loads(app.answer(name, CHECKED / 1000)["result"])["kind"] == 0
        # A no needs nothing; what was answered leaves the page a moment later.
        expect(of(page, app)).to_have_count(1, timeout=CHECKED)
        of(page, app).get_by_role("button", name="Refuse", exact=True).click()
        expect(of(page, app)).to_have_count(0, timeout=CHECKED)
        # Nor is it got around by the page of the app.
        page.goto(f"/signer/app?app=remote%3A{app.author.key}")
        page.locator("[name=trust][value=full]").check()
        page.locator("form", has=page.get_by_label("What you call it")).get_by_role("button").click()
        expect(page.locator(".problem")).to_contain_text("needs the passphrase", timeout=CHECKED)
        assert violations(page) == []
        app.close()
        assert problems == []
    finally:
        context.close()
        running.stop()
