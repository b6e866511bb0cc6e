"""Private circles in the browser: one person on the pages, another on the command line, over the demo's relays."""

import json
import os
import pathlib
import re
import subprocess

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE, enter
from program import Program

SHOTS = pathlib.Path(__file__).parents[2] / ".build" / "screenshots"


class Other:
    """Somebody with a data directory of their own, on the command line."""

    def __init__(self, data, indexer):
        self.environment = {
            **os.environ, "LINNET_DATA": str(data), "LINNET_PASSWORD": "correct horse", "LINNET_INDEXERS": indexer}
        self.run("account", "add", "--generate", "--name", "Robin")

    def run(self, *arguments, text=""):
        done = subprocess.run(
            [os.environ["LINNET_BIN"], *arguments], input=text, capture_output=True, text=True, timeout=120,
            env=self.environment)
        return done

    def lines(self, *arguments, text=""):
        done = self.run(*arguments, text=text)
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    running = Program(tmp_path_factory.mktemp("circles")).start()
    yield running
    running.stop()


@pytest.fixture(scope="module")
def open_page(chromium, home):
    context = chromium.new_context(base_url=home.base)
    enter(context.new_page(), home)
    state = context.storage_state()
    context.close()
    contexts = []

    def opening(path="/circles", **options):
        one = chromium.new_context(
            **{"viewport": DESKTOP, "storage_state": state, "base_url": home.base, **options})
        one.set_default_timeout(60000)
        contexts.append(one)
        page = one.new_page()
        page.goto(path)
        return page

    yield opening
    for one in contexts:
        one.close()


def relay_of(page):
    page.goto("/relays")
    return re.search(r"ws://127\.0\.0\.1:\d+", page.content())[0]


def test_a_circle_is_made_joined_and_talked_in(open_page, tmp_path):
    page = open_page()
    page.get_by_role("link", name="New circle, or join one").first.click()
    page.get_by_label("What is it called?").fill("The weir")
    page.get_by_role("button", name="Make the circle").click()
    expect(page.locator("#members")).to_have_text("1 person in this circle")
    link = page.get_by_label("Link").input_value()
    assert link.startswith("whistle://invite/")
    other = Other(tmp_path / "robin", relay_of(open_page("/relays")))
    asked = other.lines("circle", "request", "-", "--name", "Robin", text=link + "\n")
    assert asked[0]["standing"] == "asked"
    expect(page.get_by_role("heading", name="Asking to join")).to_be_visible()
    page.get_by_role("button", name="Let them in").click()
    expect(page.locator("#members")).to_have_text("2 people in this circle")
    for _ in range(10):
        circles = other.lines("circle", "list")
        if circles and circles[0]["standing"] == "member":
            break
    assert circles[0]["name"] == "The weir"
    page.get_by_role("link", name="Chat").click()
    page.locator("#text").fill("Sunday at the weir?")
    page.keyboard.press("Enter")
    expect(page.locator(".talk-item.is-own .talk-text")).to_have_text("Sunday at the weir?")
    read = other.lines("circle", "read", "The weir")
    assert any(line.get("content") == "Sunday at the weir?" for line in read)
    other.lines("circle", "send", "The weir", "-", text="I bring the boat\n")
    expect(page.locator(".talk-item:not(.is-own) .talk-text")).to_have_text("I bring the boat")
    other.run("circle", "share", "The weir", "--accuracy", "20", text="52.5163 13.3777\n")
    page.get_by_role("link", name="Map").click()
    expect(page.locator(".map-person").nth(1)).to_contain_text("20 m")
    for viewport, theme in ((DESKTOP, "light"), (DESKTOP, "dark"), (PHONE, "light"), (PHONE, "dark")):
        for part in ("", "/people", "/map"):
            shot = open_page(page.url.removesuffix("/map") + part, viewport=viewport, color_scheme=theme)
            shot.locator("h1").wait_for()
            size = "phone" if viewport == PHONE else "desk"
            shot.screenshot(path=SHOTS / f"circle{part.replace('/', '-')}-{size}-{theme}.png")
            found = Axe().run(shot)
            assert found.violations_count == 0, found.generate_report()
            shot.context.close()


def test_what_is_no_invitation_is_said_so(open_page):
    page = open_page("/circles/new")
    page.get_by_label("The code or link you were given").fill("hello")
    page.get_by_role("button", name="Ask to join").click()
    expect(page.locator(".problem")).to_have_text("This is no invitation to a circle; copy the whole code or link.")
