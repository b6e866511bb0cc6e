"""Servers on other ports of this machine, which browsers send the cookies of a shared host name."""

import http.server
import re
import threading

import pytest
from playwright.sync_api import expect



class Listener:
    """A server of somebody else on another port of this machine; keeps the cookies it is sent."""

    def __init__(self):
        seen = self.seen = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                seen.append((self.headers["Host"], self.headers["Cookie"]))
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                # A page that asks its own server again sends what `SameSite` keeps back from the first step.
                self.wfile.write(b"<!doctype html><h1>other</h1><img src=/again>" if self.path == "/" else b"")

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def listener():
    running = Listener()
    yield running
    running.server.shutdown()


@pytest.fixture
def person(chromium, program, session):
    context = chromium.new_context(storage_state=session, base_url=program.base)
    page = context.new_page()
    page.set_default_timeout(60000)
    yield page
    context.close()


def test_servers_on_other_ports_get_no_cookie(person, program, listener):
    person.goto("/home")
    person.locator(".note").first.wait_for()
    for name in ["localhost", "127.0.0.1", "linnet-000000000000000000000000.localhost", "other.localhost"]:
        person.goto(f"http://{name}:{listener.port}/")
        person.wait_for_load_state("networkidle")
    assert len(listener.seen) >= 8
    assert [cookie for _, cookie in listener.seen if cookie] == []
    # What keeps it back is the name alone.
    own = re.match(r"http://([^:]+):", program.base)[1]
    assert re.fullmatch(r"linnet-[0-9a-f]{24}\.localhost", own)
    person.goto("/settings")
    expect(person.get_by_role("heading", level=1)).to_have_text("Settings")


def test_the_plain_address_says_how_to_get_in_and_never_the_name(chromium, program):
    context = chromium.new_context(base_url=program.plain)
    page = context.new_page()
    page.goto("/home")
    expect(page.get_by_role("heading", level=1)).to_have_text("Log in")
    expect(page.locator("main")).to_contain_text("which ends in .localhost")
    own = re.match(r"http://([^:]+):", program.base)[1]
    assert own not in page.content()
    context.close()


def test_a_link_works_at_the_plain_address_too(person, chromium, program):
    person.goto("/settings")
    person.get_by_role("button", name="Make a login link").click()
    link = person.get_by_text(re.compile("^http://.*token=")).inner_text()
    assert link.startswith(program.base)
    context = chromium.new_context(base_url=program.plain)
    page = context.new_page()
    page.goto(link.replace(program.base, program.plain))
    page.goto("/settings")
    expect(page.get_by_role("heading", level=1)).to_have_text("Settings")
    # Forms and live pages hold there as well.
    before = page.locator(".choice", has=page.locator("[name=scheme]:checked")).locator(".choice-label").inner_text()
    page.get_by_label("Dark").check()
    page.get_by_role("button", name="Save").first.click()
    page.wait_for_url("**/settings?saved=1")
    # It is the look of everybody's pages in this program: it goes back to what it was.
    page.goto("/settings")
    page.get_by_label(before, exact=True).check()
    page.get_by_role("button", name="Save").first.click()
    page.wait_for_url("**/settings?saved=1")
    context.close()


def test_a_page_of_another_port_cannot_act_here(person, program, listener):
    person.goto("/home")
    person.goto(f"http://other.localhost:{listener.port}/")
    status = person.evaluate(
        """async (base) => {
            try { return (await fetch(base + "/settings", {method: "POST", credentials: "include",
                body: new URLSearchParams({media: "always"})})).status; } catch { return "refused"; }
        }""",
        program.base,
    )
    assert status in ("refused", 401, 403)
    streams = person.evaluate(
        """(base) => new Promise((done) => {
            const stream = new EventSource(base + "/events", {withCredentials: true});
            stream.onopen = () => done("open"); stream.onerror = () => { stream.close(); done("closed"); };
        })""",
        program.base,
    )
    assert streams == "closed"
