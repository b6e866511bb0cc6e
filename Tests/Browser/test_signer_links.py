"""Signer links end to end: a page's link, the desktop, the approval page, and the callback."""

import hashlib
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import threading
import time
import urllib.parse

import pytest
from playwright.sync_api import expect

from nostr import G, N, P, add, multiply, tagged
from test_invoices import INVOICE
from test_push import PushService

pytestmark = pytest.mark.skipif(
    not all(shutil.which(name) for name in ("xdg-open", "xdg-mime", "Xvfb")), reason="there is no desktop to open links"
)
PATIENCE = 60
DRAFT = {"kind": 1, "content": "signed by a link: 50% + ü & more", "tags": [["t", "a+b"]], "created_at": 1700000000}


class Desktop:
    """A desktop of its own: what it opens pages with, and who takes the callbacks, write down what they are given."""

    def __init__(self, home, display):
        self.home = home
        self.opened = home / "opened"
        self.callbacks = home / "callbacks"
        self.environment = {
            **{name: os.environ[name] for name in ("PATH", "LINNET_BIN", "XDG_RUNTIME_DIR") if name in os.environ},
            "HOME": str(home),
            "XDG_DATA_HOME": str(home / "data"),
            "XDG_CONFIG_HOME": str(home / "config"),
            "XDG_DATA_DIRS": "/usr/local/share:/usr/share",
            "DISPLAY": display,
        }
        # A page is handed over in a file, so that nothing in it stands in the arguments.
        self.register("pages", ["x-scheme-handler/http", "x-scheme-handler/https", "text/html"], self.opened)
        self.register("client", ["x-scheme-handler/linnet-test-client"], self.callbacks)

    def register(self, name, types, written):
        """Makes a program that writes down what it is opened with, and gives it types of files or links."""
        program = self.home / name
        program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$1" >> "{written}"\n')
        program.chmod(0o755)
        entry = self.home / "data" / "applications" / f"{name}.desktop"
        entry.parent.mkdir(parents=True, exist_ok=True)
        mime = "".join(f"{type};" for type in types)
        entry.write_text(f"[Desktop Entry]\nType=Application\nName={name}\nExec={program} %u\nMimeType={mime}\n")
        for type in types:
            self.run("xdg-mime", "default", entry.name, type)

    def run(self, *command, **options):
        return subprocess.run(command, env=self.environment, check=True, timeout=PATIENCE, **options)

    def next(self, file, before=0):
        """The line that a program writes after those that were there."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            written = whole_lines(file)
            if len(written) > before:
                return written[before]
            time.sleep(0.1)
        raise AssertionError(f"nothing was opened: {file.name}")


@pytest.fixture(scope="module")
def display():
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x900x24", "-nolisten", "tcp"],
        pass_fds=[write], stderr=subprocess.DEVNULL,
    )
    os.close(write)
    number = os.fdopen(read).readline().strip()
    yield f":{number}"
    server.terminate()
    server.wait(timeout=PATIENCE)


@pytest.fixture(scope="module")
def desktop(tmp_path_factory, display, program):
    desktop = Desktop(tmp_path_factory.mktemp("desktop"), display)
    desktop.run(
        os.environ["LINNET_BIN"], "signer", "install-handler", "--demo", "--data", str(program.data),
        stderr=subprocess.DEVNULL,
    )
    return desktop


@pytest.fixture(scope="module")
def client():
    """A web app on loopback that links to the signer."""
    pages = {}

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = pages.get(self.path, "").encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    server.pages = pages
    server.base = f"http://127.0.0.1:{server.server_port}"
    yield server
    server.shutdown()


@pytest.fixture(scope="module")
def browser(chromium, desktop, client, program, session, tmp_path_factory):
    """Chromium on the desktop; its person has said once that these two sites may open links."""
    profile = tmp_path_factory.mktemp("profile")
    allowed = {client.base: {"nostrsigner": True}, program.base: {"linnet-test-client": True}}
    (profile / "Default").mkdir()
    (profile / "Default" / "Preferences").write_text(
        json.dumps({"protocol_handler": {"allowed_origin_protocol_pairs": allowed}})
    )
    context = chromium.browser_type.launch_persistent_context(
        str(profile), executable_path=os.environ.get("LINNET_CHROMIUM"), headless=False, args=["--no-sandbox"],
        env=desktop.environment,
    )
    context.set_default_timeout(PATIENCE * 1000)
    context.add_cookies(session["cookies"])
    yield context
    context.close()


def link(method, callback="linnet-test-client://ok?a=1", **parameters):
    parameters = {"type": method, "x-success": callback, "x-error": "linnet-test-client://err", **parameters}
    return f"nostrsigner://{method}?" + urllib.parse.urlencode(parameters, quote_via=urllib.parse.quote)


def approval(browser, desktop, before):
    """The approval page that the desktop was told to open, in the browser."""
    page = browser.new_page()
    opened = desktop.next(desktop.opened, before)
    assert "token" not in opened
    file = pathlib.Path(urllib.parse.unquote(opened.removeprefix("file://")))
    assert file.stat().st_mode & 0o777 == 0o600
    page.goto(file.as_uri())
    page.get_by_role("button", name="Approve").wait_for()
    return page


def whole_lines(file):
    """What a program has written down so far, without a line it is still at."""
    return file.read_text().split("\n")[:-1] if file.exists() else []


def lines(file):
    return len(whole_lines(file))


def values(url):
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query, strict_parsing=True))


def is_signed(event):
    """Whether id and signature fit (NIP-01, BIP-340)."""
    parts = [0, event["pubkey"], event["created_at"], event["kind"], event["tags"], event["content"]]
    digest = hashlib.sha256(json.dumps(parts, ensure_ascii=False, separators=(",", ":")).encode()).digest()
    x = int(event["pubkey"], 16)
    y = pow((pow(x, 3, P) + 7) % P, (P + 1) // 4, P)
    key = (x, y if y % 2 == 0 else P - y)
    r, s = bytes.fromhex(event["sig"][:64]), int(event["sig"][64:], 16)
    challenge = tagged("BIP0340/challenge", r, bytes.fromhex(event["pubkey"]), digest) % N
    point = add(multiply(G, s), multiply(key, N - challenge))
    return digest.hex() == event["id"] and point[1] % 2 == 0 and point[0] == int.from_bytes(r, "big")


def test_a_page_asks_and_its_app_gets_the_signature(browser, desktop, client):
    wanted = link("sign_event", event=json.dumps(DRAFT), id="4+2 %", returnType="event", **{"x-source": "A test"})
    client.pages["/"] = f'<!doctype html><a href="{wanted.replace("&", "&amp;")}">Sign with your signer</a>'
    opened, called = lines(desktop.opened), lines(desktop.callbacks)
    app = browser.new_page()
    app.goto(client.base)
    app.get_by_role("link").click()
    page = approval(browser, desktop, opened)
    for words in ["linnet-test-client:", "A test", "Nobody has checked", DRAFT["content"]]:
        expect(page.locator("main")).to_contain_text(words)
    page.get_by_role("button", name="Approve").click()
    callback = desktop.next(desktop.callbacks, called)
    assert callback.startswith("linnet-test-client://ok?a=1&")
    answer = values(callback)
    event = json.loads(answer["event"])
    assert answer["id"] == "4+2 %"
    assert answer["result"] == event["sig"]
    assert {name: event[name] for name in DRAFT} == DRAFT
    assert is_signed(event)


def test_a_refusal_goes_back_too(browser, desktop):
    opened, called = lines(desktop.opened), lines(desktop.callbacks)
    desktop.run("xdg-open", link("sign_event", event=json.dumps(DRAFT), id="no"))
    page = approval(browser, desktop, opened)
    page.get_by_role("button", name="Refuse").click()
    answer = desktop.next(desktop.callbacks, called)
    assert answer.startswith("linnet-test-client://err?code=user_cancelled&reason=")
    assert values(answer)["id"] == "no"


def test_a_warning_before_plaintext_reaches_a_server(browser, desktop):
    opened = lines(desktop.opened)
    peer = "4d4b6cd1361032ca9bd2aeb9d900aa4d45d9ead80ac9423374c451a7254d0766"
    wanted = link("nip44_decrypt", "https://app.example/cb", encryptedText="Ag==", pubkey=peer)
    desktop.run("xdg-open", wanted)
    page = approval(browser, desktop, opened)
    expect(page.locator("main")).to_contain_text("its server, and its logs, can keep it")
    # Nothing of it waits for whoever uses this program next.
    page.get_by_role("button", name="Refuse").click()
    expect(page.get_by_role("button", name="Refuse")).to_have_count(0)


def test_what_is_broken_is_refused_at_once(desktop):
    called = lines(desktop.callbacks)
    desktop.run("xdg-open", link("sign_event", event="nonsense", id="b"))
    assert values(desktop.next(desktop.callbacks, called))["code"] == "invalid_request"


LARGE = {**DRAFT, "content": "0123456789abcdef" * (300_000 // 16)}


def test_an_event_of_300_kilobytes_goes_by_the_pasteboard(browser, desktop, program):
    linnet, data = os.environ["LINNET_BIN"], f"{program.data}/demo"
    token = desktop.run(
        linnet, "pasteboard", "put", "--data", data, input=json.dumps(LARGE), text=True, capture_output=True).stdout.strip()
    opened, called = lines(desktop.opened), lines(desktop.callbacks)
    desktop.run("xdg-open", link("sign_event", pb=token, id="large", returnType="event"))
    page = approval(browser, desktop, opened)
    page.get_by_role("button", name="Approve").click()
    answer = values(desktop.next(desktop.callbacks, called))
    assert answer == {"a": "1", "result_ref": "pb:" + token, "id": "large"}
    taken = desktop.run(linnet, "pasteboard", "take", answer["result_ref"], "--data", data, text=True, capture_output=True)
    event = json.loads(taken.stdout)
    assert {name: event[name] for name in LARGE} == LARGE and is_signed(event)
    again = subprocess.run([linnet, "pasteboard", "take", token, "--data", data], env=desktop.environment)
    assert again.returncode == 1, "it is handed out once"


class Site(PushService):
    """A web app with TLS that takes answers: by a form, after which it shows a page of its own."""

    def handler(self):
        posted = self.pushes

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                fields = urllib.parse.parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
                posted.put((self.path, {name: values[0] for name, values in fields.items()}))
                self.send_response(303)
                self.send_header("Location", "/done")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def do_GET(self):
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b"<!doctype html><title>Signed</title><h1>Signed</h1>")

            def log_message(self, *_):
                pass

        return Handler


def test_an_event_of_300_kilobytes_is_posted_back_to_its_site(chromium, session, desktop, program, tmp_path):
    site = Site(tmp_path)
    callback = f"https://localhost:{site.server.server_port}/cb?a=1"
    wanted = link("sign_event", callback, event=json.dumps(LARGE), id="large", returnType="event")
    opened = lines(desktop.opened)
    # Longer than a desktop hands over, so the command reads it.
    desktop.run(
        os.environ["LINNET_BIN"], "sign-url", "--demo", "--data", str(program.data), "-", input=wanted, text=True)
    context = chromium.new_context(ignore_https_errors=True)
    context.set_default_timeout(PATIENCE * 1000)
    context.add_cookies(session["cookies"])
    page = approval(context, desktop, opened)
    address = page.url
    page.get_by_role("button", name="Approve").click()
    page.get_by_role("heading", name="Signed").wait_for()
    path, fields = site.pushes.get(timeout=PATIENCE)
    event = json.loads(fields["event"])
    assert path == "/cb?a=1" and fields["id"] == "large" and fields["result"] == event["sig"]
    assert {name: event[name] for name in LARGE} == LARGE and is_signed(event)
    # Gone back to, the page holds no answer any more and posts nothing.
    page.goto(address)
    page.get_by_text("The answer has gone to").wait_for()
    expect(page.locator("form")).to_have_count(0)
    assert site.pushes.empty()
    context.close()


def default(desktop, scheme):
    """The program of the desktop that has links of a scheme."""
    query = ("xdg-mime", "query", "default", f"x-scheme-handler/{scheme}")
    return desktop.run(*query, text=True, capture_output=True).stdout.strip()


def test_an_invoice_opens_its_page_where_no_wallet_has_such_links(browser, desktop, program):
    assert {default(desktop, scheme) for scheme in ("nostr", "lightning")} == {"linnet-links.desktop"}
    opened = lines(desktop.opened)
    desktop.run("xdg-open", f"lightning:{INVOICE}")
    page = browser.new_page()
    page.goto(pathlib.Path(urllib.parse.unquote(desktop.next(desktop.opened, opened).removeprefix("file://"))).as_uri())
    page.wait_for_url(f"**/invoices/{INVOICE}")
    expect(page.locator("main")).to_contain_text("Please consider supporting this project")


def test_a_wallet_keeps_the_links_that_it_has(desktop, program):
    desktop.register("wallet", ["x-scheme-handler/lightning"], desktop.home / "paid")
    desktop.run(
        os.environ["LINNET_BIN"], "signer", "install-handler", "--demo", "--data", str(program.data),
        stderr=subprocess.DEVNULL,
    )
    assert default(desktop, "lightning") == "wallet.desktop"
    assert default(desktop, "nostr") == "linnet-links.desktop"


def test_the_handler_can_be_taken_back(desktop, program):
    entry = pathlib.Path(desktop.environment["XDG_DATA_HOME"]) / "applications" / "linnet-signer-links.desktop"
    assert entry.exists()
    desktop.run(os.environ["LINNET_BIN"], "signer", "install-handler", "--uninstall", stderr=subprocess.DEVNULL)
    assert not entry.exists() and not (entry.parent / "linnet-links.desktop").exists()
    choices = pathlib.Path(desktop.environment["XDG_CONFIG_HOME"]) / "mimeapps.list"
    assert "linnet-signer" not in choices.read_text()
