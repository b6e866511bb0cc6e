import collections
import faulthandler
import gc
import json
import os
import pathlib
import re
import threading
import time
import traceback

import greenlet
import pytest
import websocket
from playwright.sync_api import Page, expect, sync_playwright

from nostr import publish
from program import PATIENCE, Program
from slow_relay import SlowRelay

# How many seconds each file took when all tests passed last, kept with the build; nothing depends on it being there.
TIMES = pathlib.Path(os.environ.get("LINNET_BUILD") or pathlib.Path(__file__).parents[2] / ".build") / "browser-times.json"
TOOK = collections.Counter()
# So many seconds no test takes, however busy the machine. Its file is begun anew by another process, so it counts twice.
HUNG = 300
STANDARD_ERROR = pytest.StashKey()

# Programs of the tests share two processors, and have just begun.
expect.set_options(timeout=30000)

# An expression is compiled at every look, which the pages' security policy refuses from the second on; a function once.
WAIT_FOR_FUNCTION = Page.wait_for_function


def wait_for_function(page, expression, **options):
    assert "=>" in expression, f"no function: {expression}"
    return WAIT_FOR_FUNCTION(page, expression, **options)


Page.wait_for_function = wait_for_function

# What its assertions compared is told as it is for those of tests.
pytest.register_assert_rewrite("looking")

DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}
# Notices whatever would have run: dialogs, and refusals of the content security policy.
WATCH = """
  window.ran = [];
  for (const name of ["alert", "confirm", "prompt"]) window[name] = () => { window.ran.push(name); };
  document.addEventListener("securitypolicyviolation", (event) => window.ran.push(event.violatedDirective));
"""


def pytest_configure(config):
    # Where tests and this file are loaded and run, what stands there is captured, and lost with the process.
    config.stash[STANDARD_ERROR] = os.fdopen(os.dup(2), "w")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Lets the longest files begin first, so that none is alone at the end."""
    counts = collections.Counter(item.module.__name__ for item in items)
    known = json.loads(TIMES.read_text()) if TIMES.exists() else {}

    def seconds(name):
        return known.get(name, 5 * counts[name])

    items.sort(key=lambda item: (-seconds(item.module.__name__), item.module.__name__))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """Ends a process whose test waits for something that has no end; where it waits is printed, and it has failed."""
    watch = threading.Timer(HUNG, end_hung, [item])
    watch.daemon = True
    watch.start()
    try:
        return (yield)
    finally:
        watch.cancel()


def end_hung(item):
    """Says where a test waits, and ends its process."""
    output = item.config.stash[STANDARD_ERROR]
    print(f"\nhung for {HUNG} s: {item.nodeid}", file=output, flush=True)
    faulthandler.dump_traceback(file=output)
    # A test that waits for a page stands in one of these, and in no thread's stack.
    for one in [one for one in gc.get_objects() if isinstance(one, greenlet.greenlet) and one.gr_frame]:
        print(f"greenlet {one}", *traceback.format_stack(one.gr_frame), sep="\n", file=output, flush=True)
    os._exit(1)


def pytest_runtest_logreport(report):
    TOOK[pathlib.PurePath(report.nodeid.split("::")[0]).stem] += report.duration


def pytest_sessionfinish(session):
    """Keeps the times of a whole run; told by the process that hears of every test."""
    config = session.config
    is_whole = session.testsfailed == 0 and not config.option.keyword and config.args == ["Tests/Browser"]
    if is_whole and not hasattr(config, "workerinput"):
        TIMES.parent.mkdir(parents=True, exist_ok=True)
        TIMES.write_text(json.dumps({name: round(took) for name, took in TOOK.most_common()}))


def pytest_terminal_summary(terminalreporter):
    longest = ", ".join(f"{name} {took:.0f} s" for name, took in TOOK.most_common(8))
    terminalreporter.write_line(f"longest: {longest}")


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as playwright:
        path = os.environ.get("LINNET_CHROMIUM_SHELL") or os.environ.get("LINNET_CHROMIUM")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    running = Program(tmp_path_factory.mktemp("linnet")).start()
    yield running
    running.stop()


@pytest.fixture
def relay():
    """A relay on this machine that does what a test wants; who did not choose it is not to be led there by others."""
    running = SlowRelay().start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def session(chromium, program):
    """The cookies of a browser in which one is a person of the simulated network."""
    return cookies(chromium, program)


@pytest.fixture
def visit(chromium, program, session):
    """Opens a page in a fresh window that is logged in; every script error fails the test."""
    yield from windows(chromium, program, session, 30000)


@pytest.fixture(scope="module")
def own_program(request, tmp_path_factory):
    """A program for the tests of one file: nobody else finds what they change."""
    running = Program(tmp_path_factory.mktemp(request.module.__name__.removeprefix("test_"))).start()
    yield running
    running.stop()


@pytest.fixture(scope="module")
def demo(chromium, own_program):
    """A page of a person of the simulated network; it makes the login links of the others."""
    context = chromium.new_context(base_url=own_program.base)
    page = context.new_page()
    enter(page, own_program)
    yield page
    context.close()


@pytest.fixture(scope="module")
def own_state(chromium, own_program):
    """As `session`, of the file's own program."""
    return cookies(chromium, own_program)


@pytest.fixture
def open_page(chromium, own_program, own_state):
    """As `visit`, of the file's own program."""
    yield from windows(chromium, own_program, own_state, 60000)


@pytest.fixture
def asks_to_join(chromium):
    """Lets a person make the circle “The weir”, and somebody new ask to join it while no page of theirs is open."""
    # It needs this file itself.
    from test_messages import Friend

    friends = []

    def asking(page, program):
        page.goto("/circles/new")
        page.get_by_label("What is it called?").fill("The weir")
        page.get_by_role("button", name="Make the circle").click()
        page.get_by_label("Link", exact=True).wait_for()
        link = page.get_by_label("Link", exact=True).input_value()
        page.goto("/settings")
        page.get_by_role("button", name="Make a login link").click()
        login = page.get_by_text(re.compile("^http://.*token=")).inner_text()
        page.goto("about:blank")
        heron = Friend(chromium, program, "Heron")
        friends.append(heron)
        heron.make_key(login)
        heron.page.goto("/circles/new")
        heron.page.get_by_label("The code or link you were given").fill(link)
        heron.page.get_by_role("button", name="Ask to join").click()
        expect(heron.page.locator(".notice")).to_contain_text("You are in when an admin lets you in")

    yield asking
    for friend in friends:
        friend.context.close()
    assert [friend.problems for friend in friends] == [[]] * len(friends)


def cookies(chromium, program):
    context = chromium.new_context()
    enter(context.new_page(), program)
    state = context.storage_state()
    context.close()
    return state


def windows(chromium, program, state, patience):
    """Yields what opens a page in a window of its own, and closes them all.

    Without `news` a page stays as it was drawn: people of the simulated network write at any moment.
    """
    contexts, problems = [], []

    def opening(path="/home", news=True, **options):
        options = {"viewport": DESKTOP, "storage_state": state, "base_url": program.base, **options}
        context = chromium.new_context(**options)
        context.set_default_timeout(patience)
        contexts.append(context)
        page = context.new_page()
        page.add_init_script(WATCH)
        page.on("pageerror", lambda error: problems.append(str(error)))
        if not news:
            # Its stream is opened and never answered: a page whose stream ends says that it is offline.
            page.route("**/events?**", lambda route: None)
        page.goto(path)
        return page

    yield opening
    for context in contexts:
        context.close()
    assert problems == []


# Hands a picture to an element as dropping or pasting it does.
HANDED = """([selector, kind, name, bytes]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(bytes)], name, {type: "image/png"}));
    const given = kind === "drop"
        ? new DragEvent("drop", {bubbles: true, cancelable: true, dataTransfer: transfer})
        : new ClipboardEvent("paste", {bubbles: true, cancelable: true, clipboardData: transfer});
    document.querySelector(selector).dispatchEvent(given);
}"""


def enter(page, program):
    """Comes in by the login link, as a demo person, and waits for notes."""
    page.set_default_timeout(60000)
    page.goto(program.link)
    page.get_by_role("button", name="Be a demo person").click()
    page.wait_for_url("**/home")
    page.locator(".note").first.wait_for()


def skip_to_home(page):
    """Leaves the first run of a key that was just made, for tests whose subject is another."""
    page.wait_for_url("**/start/*")
    page.get_by_role("button", name="Skip everything, go to Home").click()
    page.wait_for_url("**/home")


def add_own_relay(page, address, use):
    """Adds a relay to a person's own list once that is published; gives the list's part of the page."""
    # The relays of somebody who chose none are published in the background.
    for _ in range(120):
        page.goto("/relays")
        own = page.locator("section[aria-labelledby=own-list-title]")
        if own.get_by_role("button", name="Change ").count():
            break
        page.wait_for_timeout(500)
    own.get_by_label("Add a relay").fill(address)
    own.get_by_label("What it is for").select_option(use)
    with page.expect_navigation():
        own.get_by_role("button", name="Add").click()
    expect(own.get_by_label(f"What {address.split('://')[1]} is for")).to_have_value(use)
    return own


def write_only_to(page, address):
    """Leaves a person one relay to which what they write goes."""
    own = add_own_relay(page, address, "write")
    # Rows are counted once all are there.
    page.wait_for_load_state()
    for name in own.locator("li .relay-name").all_inner_texts():
        if name in address:
            continue
        own.get_by_label(f"What {name} is for", exact=True).select_option("read")
        own.get_by_role("button", name=f"Change {name}", exact=True).click()
        # The field holds what was chosen already; that it was saved is said on the page that comes.
        expect(page.locator(".notice")).to_contain_text(f"You read {name}.")


def undo_for(page, seconds, has_scripts=True):
    """Lets a person take a note back for so long: on a busy machine ten seconds may pass before a page is there."""
    page.goto("/settings")
    field = page.get_by_label("Undo a note before it leaves")
    if field.input_value() == str(seconds):
        return
    with page.expect_navigation(url="**/settings?saved=1"):
        field.select_option(str(seconds))
        # With scripts a choice is saved as it is made.
        if not has_scripts:
            page.locator("form[action='/settings']").get_by_role("button", name="Save").click()
    expect(field).to_have_value(str(seconds))


def wait_for(page, path, locator):
    """Opens a page until something stands there: where the program has just begun, relays are still being asked."""
    end = time.monotonic() + 2 * PATIENCE
    while time.monotonic() < end:
        page.goto(path)
        if page.locator(locator).count():
            return
        page.wait_for_timeout(500)
    expect(page.locator(locator).first).to_be_visible()


def send_now(page):
    """Sends a note that is held, or follows one that was not held any more; ends on the page of the note."""
    bar = page.locator("#held-bar")
    with page.expect_navigation(url="**/note/*"):
        bar.get_by_role("button", name="Send now").or_(bar.locator("a[href^='/note/']")).click()


def publish_nearby(page, events):
    """Offers events to the relays of the person whose account is open, from their page; each was taken by one."""
    wait_for(page, page.locator(".nav-item[href^='/people/']").get_attribute("href"), ".aside li")
    taken = set()
    for relay in page.locator(".aside li").all_inner_texts():
        if not relay.startswith("ws://"):
            continue
        try:
            taken |= set(publish(relay, events))
        except (OSError, websocket.WebSocketException):
            continue  # one of the dead or slow relays of the simulated network
    assert {event["id"] for event in events} <= taken, "relays of the simulated network took them"
