"""Waking a browser: its subscription goes to a push proxy, and a request for the signer comes back as a push."""

import base64
import datetime
import hmac
import http.server
import ipaddress
import json
import os
import queue
import re
import ssl
import subprocess
import threading
import urllib.parse
import urllib.request

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.x509.oid import NameOID
from playwright.sync_api import Error, expect

from bunker import App
from conftest import DESKTOP, enter
from program import PATIENCE, Program, free_port, pause_of, wait_until
from test_signer import token

# No browser without an account of its maker's has a push service, so this one has a stand-in; the rest is real.
PUSH_MANAGER = """
  (() => {
    // A blank page keeps nothing.
    if (!location.protocol.startsWith("http")) return;
    Notification.requestPermission = async () => "granted";
    let kept = JSON.parse(localStorage.getItem("stand-in") ?? "null");
    const keep = (value) => { kept = value; localStorage.setItem("stand-in", JSON.stringify(value)); };
    const subscription = () => kept && {
      toJSON: () => kept,
      unsubscribe: async () => { keep(null); return true; },
    };
    Object.defineProperty(PushManager.prototype, "getSubscription", { value: async () => subscription() });
    Object.defineProperty(PushManager.prototype, "subscribe", { value: async (options) => {
      if (!options.userVisibleOnly) throw new DOMException("silent", "NotAllowedError");
      keep(JSON.parse(await window.pushService([...new Uint8Array(options.applicationServerKey)])));
      return subscription();
    } });
  })();
"""


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class PushService:
    """Takes pushes by TLS as a browser's push service does (RFC 8030), and opens them as the browser would (RFC 8291)."""

    def __init__(self, folder):
        self.pushes = queue.Queue()
        self.secret = os.urandom(16)
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.roots = folder / "roots.pem"
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate(folder))
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def certificate(self, folder):
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
        names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
        now = datetime.datetime.now(datetime.timezone.utc)
        made = (
            x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
            .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=1))
            .add_extension(x509.SubjectAlternativeName(names), critical=False)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .sign(key, hashes.SHA256())
        )
        self.roots.write_bytes(made.public_bytes(serialization.Encoding.PEM))
        both = folder / "service.pem"
        both.write_bytes(self.roots.read_bytes() + key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
        return both

    def handler(self):
        pushes = self.pushes

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                pushes.put((self.path, self.headers, body))
                self.send_response(201)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        return Handler

    def point(self):
        return self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)

    def subscribe(self, application_key):
        """A subscription bound to the key of whoever may push."""
        self.application_key = bytes(application_key)
        endpoint = f"https://localhost:{self.server.server_port}/push/" + base64url(os.urandom(24))
        keys = {"p256dh": base64url(self.point()), "auth": base64url(self.secret)}
        return json.dumps({"endpoint": endpoint, "expirationTime": None, "keys": keys})

    def open(self, body):
        salt, length = body[:16], body[20]
        sender, cipher = body[21 : 21 + length], body[21 + length :]
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        one = hmac.digest(hmac.digest(self.secret, shared, "sha256"),
                          b"WebPush: info\0" + self.point() + sender + b"\1", "sha256")
        root = hmac.digest(salt, one, "sha256")
        key = hmac.digest(root, b"Content-Encoding: aes128gcm\0\1", "sha256")[:16]
        nonce = hmac.digest(root, b"Content-Encoding: nonce\0\1", "sha256")[:12]
        return AESGCM(key).decrypt(nonce, cipher, None).rstrip(b"\0")[:-1]


class PushProxy:
    """`linnet push-proxy` at a port that is known before it runs."""

    def __init__(self):
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process = None

    def start(self, folder, relay, service):
        command = [
            os.environ["LINNET_BIN"], "push-proxy", "--port", str(self.port), "--data", str(folder), "--url", self.url,
            "--relay", relay, "--allow-private", "--trusted-roots", str(service.roots)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        lines = queue.Queue()
        threading.Thread(target=lambda: [lines.put(line) for line in self.process.stdout], daemon=True).start()
        while not re.match("push-proxy http", lines.get(timeout=PATIENCE)):
            pass

    def health(self):
        with urllib.request.urlopen(self.url + "/health", timeout=PATIENCE) as answer:
            return json.load(answer)

    def stop(self):
        if self.process:
            self.process.terminate()
            self.process.wait(timeout=30)


@pytest.fixture
def proxy():
    made = PushProxy()
    yield made
    made.stop()


@pytest.fixture
def running(proxy, tmp_path):
    started = Program(tmp_path / "linnet", options=["--push-proxy", proxy.url]).start()
    yield started
    started.stop()


def opened(browser, running):
    """A page of the demo person; what went wrong on it is asserted in the end."""
    context = browser.new_context(base_url=running.base, viewport=DESKTOP)
    context.set_default_timeout(60000)
    problems = []
    page = context.new_page()
    page.on("pageerror", lambda error: problems.append(str(error)))
    enter(page, running)
    yield page
    context.close()
    assert problems == []


@pytest.fixture
def page(chromium, running):
    yield from opened(chromium, running)


@pytest.fixture
def page_that_notifies(chromium, running):
    """In the whole browser: what Playwright runs otherwise, without windows, shows no notifications."""
    given = os.environ.get("LINNET_CHROMIUM")
    try:
        browser = chromium.browser_type.launch(
            executable_path=given, channel=None if given else "chromium", args=["--no-sandbox"])
    except Error as error:
        pytest.skip(f"no whole Chromium here: {error}")
    for page in opened(browser, running):
        page.context.grant_permissions(["notifications"])
        yield page
    browser.close()


def test_a_browser_is_woken_when_a_request_comes_and_can_take_that_back(page, proxy, running, tmp_path):
    (tmp_path / "proxy").mkdir()
    service = PushService(tmp_path)
    page.context.expose_function("pushService", service.subscribe)
    page.context.add_init_script(PUSH_MANAGER)
    text = token(page)
    relay = urllib.parse.parse_qs(urllib.parse.urlparse(text).query)["relay"][0]
    app = App(relay, "Night Heron").connect(text)

    page.goto("/signer/settings")
    place = page.locator("[data-push]")
    expect(place).to_contain_text("never what is asked")
    place.get_by_role("button", name="Wake this browser").click()
    expect(place.locator("[data-push-state]")).to_have_text("The push proxy 127.0.0.1 does not answer, or wakes no browsers.", timeout=30000)
    assert page.evaluate("localStorage.getItem('stand-in')") in (None, "null"), "nothing is left of what did not work"

    proxy.start(tmp_path / "proxy", relay, service)
    place.get_by_role("button", name="Wake this browser").click()
    expect(place.locator("[data-push-state]")).to_contain_text("This browser is woken", timeout=30000)
    assert proxy.health()["unique_pubkeys"] == 1
    page.reload()
    expect(page.get_by_role("button", name="Stop waking it")).to_be_visible()

    wait_until(lambda: proxy.health()["relays_live"] > 0, pause_of(page))
    app.sign(0, json.dumps({"name": "Somebody else"}))
    path, headers, body = service.pushes.get(timeout=PATIENCE)
    assert path.startswith("/push/") and headers["Content-Encoding"] == "aes128gcm" and int(headers["TTL"]) > 0
    assert headers["Authorization"].endswith("k=" + base64url(service.application_key))
    assert json.loads(service.open(body))["signer_pubkey"] == app.person

    page.get_by_role("button", name="Stop waking it").click()
    expect(page.get_by_role("button", name="Wake this browser")).to_be_visible()
    assert proxy.health()["unique_pubkeys"] == 0
    app.close()


def test_a_browser_is_told_that_something_happened_in_a_circle_and_not_what(
    page, proxy, running, tmp_path, asks_to_join
):
    (tmp_path / "proxy").mkdir()
    service = PushService(tmp_path)
    page.context.expose_function("pushService", service.subscribe)
    page.context.add_init_script(PUSH_MANAGER)
    text = token(page)
    relay = urllib.parse.parse_qs(urllib.parse.urlparse(text).query)["relay"][0]
    proxy.start(tmp_path / "proxy", relay, service)
    page.goto("/signer/settings")
    page.get_by_role("button", name="Wake this browser").click()
    expect(page.locator("[data-push-state]")).to_contain_text("This browser is woken", timeout=30000)
    asks_to_join(page, running)
    path, headers, body = service.pushes.get(timeout=PATIENCE)
    assert path.startswith("/push/") and headers["Content-Encoding"] == "aes128gcm"
    assert service.open(body) == b'{"notice":true}'


def test_a_push_shows_that_a_request_may_wait_and_nothing_else(page_that_notifies):
    page = page_that_notifies
    page.goto("/signer/settings")
    page.evaluate("navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready)")
    developer = page.context.new_cdp_session(page)
    versions = []
    developer.on("ServiceWorker.workerRegistrationUpdated", lambda told: versions.extend(told["registrations"]))
    developer.send("ServiceWorker.enable")
    wait_until(lambda: versions, pause_of(page))

    def deliver(data):
        developer.send("ServiceWorker.deliverPushMessage", {
            "origin": page.url.split("/signer")[0], "registrationId": versions[0]["registrationId"], "data": data})

    deliver('{"title":"x"}')

    def told():
        return page.evaluate("""
            navigator.serviceWorker.ready.then((registration) => registration.getNotifications())
                .then((all) => all.map(({ title, body }) => [title, body]))
        """)

    def first_told():
        # A promise is always true to what waits for functions, so it is asked again and again here.
        for _ in range(600):
            if shown := told():
                return shown
            page.wait_for_timeout(50)

    request, notice = ["Linnet", "A request may wait for you."], ["Linnet", "There is something new for you."]
    assert first_told() == [request]
    page.evaluate("""
        navigator.serviceWorker.ready.then((registration) => registration.getNotifications())
            .then((all) => all.forEach((one) => one.close()))
    """)
    # What is no request is told as something of circles; who looks at the page sees it there and is not told.
    deliver('{"notice":true}')
    deliver('{"title":"x"}')
    assert first_told() == [request]
    developer.send("Emulation.setFocusEmulationEnabled", {"enabled": False})
    other = page.context.new_page()
    other.bring_to_front()
    for _ in range(600):
        if len(told()) > 1:
            break
        deliver('{"notice":true}')
        page.wait_for_timeout(50)
    assert sorted(told()) == [request, notice]

    # In quiet hours a request makes no sound.
    other.goto("/notifications")
    other.locator("summary", has_text="While no page is open").click()
    other.get_by_label("Quiet from").fill("00:00")
    other.get_by_label("Quiet until").fill("23:59")
    with other.expect_navigation():
        other.locator("form[action='/notifications/waking']").get_by_role("button", name="Save").click()
    expect(other.get_by_text("Saved.")).to_be_visible()
    page.evaluate("""
        navigator.serviceWorker.ready.then((registration) => registration.getNotifications())
            .then((all) => all.forEach((one) => one.close()))
    """)
    deliver('{"title":"x"}')
    assert first_told() == [request]
    silent = page.evaluate("""
        navigator.serviceWorker.ready.then((registration) => registration.getNotifications())
            .then((all) => all.map(({ silent }) => silent))
    """)
    assert silent == [True]

    # Whoever leaves requests out is shown one that is closed at once, so that the browser goes on; notices stay.
    other.goto("/notifications")
    other.locator("summary", has_text="While no page is open").click()
    choices = other.locator("form[action='/notifications/waking']")
    box = choices.locator("input[name='show-requests']")
    expect(box).to_be_checked()
    choices.locator("label.choice", has=other.locator("input[name='show-requests']")).click()
    expect(box).not_to_be_checked()
    with other.expect_navigation():
        choices.get_by_role("button", name="Save").click()
    page.evaluate("""
        navigator.serviceWorker.ready.then((registration) => registration.getNotifications())
            .then((all) => all.forEach((one) => one.close()))
    """)
    wish = "fetch('/notifications/quiet', { headers: { 'X-Linnet-Fragment': '1' } }).then((answer) => answer.text())"
    assert page.evaluate(wish) == "off"
    deliver('{"title":"x"}')
    for _ in range(600):
        if page.context.service_workers:
            break
        page.wait_for_timeout(50)
    worker = page.context.service_workers[0]
    worker.evaluate("""() => {
        self.shown = [];
        const show = self.registration.showNotification.bind(self.registration);
        self.registration.showNotification = (title, options) => {
            self.shown.push([options.tag, options.silent === true]);
            return show(title, options);
        };
    }""")
    for _ in range(3):
        deliver('{"title":"x"}')
    for _ in range(600):
        if worker.evaluate("() => self.shown"):
            break
        page.wait_for_timeout(50)
    assert worker.evaluate("() => self.shown")[0] == ["linnet-signer", True]
    # A page that is looked at tells what happened by itself.
    other.goto("about:blank")
    for _ in range(600):
        deliver('{"notice":true}')
        if notice in told():
            break
        page.wait_for_timeout(50)
    # Longer than the worker waits for Linnet. Nothing tells that it shows nothing, so time has to pass; a slow machine may
    # let a wrong worker pass here, and fails no right one.
    page.wait_for_timeout(3500)
    assert told() == [notice]
