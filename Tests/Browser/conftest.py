import os

import pytest
from playwright.sync_api import sync_playwright

from program import Program

DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}
# Notices whatever would have run: dialogs, and refusals of the content security policy.
WATCH = """
  window.ran = [];
  for (const name of ["alert", "confirm", "prompt"]) window[name] = () => { window.ran.push(name); };
  document.addEventListener("securitypolicyviolation", (event) => window.ran.push(event.violatedDirective));
"""


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ.get("LINNET_CHROMIUM"), args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    running = Program(tmp_path_factory.mktemp("linnet")).start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def session(chromium, program):
    """The cookies of a browser in which one is a person of the simulated network."""
    context = chromium.new_context()
    page = context.new_page()
    enter(page, program)
    state = context.storage_state()
    context.close()
    return state


@pytest.fixture
def visit(chromium, program, session):
    """Opens a page in a fresh window that is logged in; every script error fails the test."""
    contexts = []
    problems = []

    def open_page(path, **options):
        options = {"viewport": DESKTOP, "storage_state": session, "base_url": program.base, **options}
        context = chromium.new_context(**options)
        context.set_default_timeout(30000)
        contexts.append(context)
        page = context.new_page()
        page.add_init_script(WATCH)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert problems == []


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
