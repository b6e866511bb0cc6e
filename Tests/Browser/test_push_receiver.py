"""A push wakes the signer on a machine of one's own: by Web Push, by a socket that starts it, and by a distributor."""

import base64
import http.client
import http.server
import json
import os
import pathlib
import queue
import re
import socket
import subprocess
import threading
import time
import urllib.parse

import pytest

from bunker import App
from nostr import Author
from program import PATIENCE, wait_until
from test_push import PushProxy, PushService

# What is promised of a signer that a push wakes; unit: seconds from the request to its answer.
WOKEN_WITHIN = 30
SECRET = 0x1234567890ABCDEF1234567890ABCDEF1234567890ABCDEF1234567890ABCDEF
KEYRING = """#!/bin/sh
case $1 in store) exec cat >'{kept}';; *) exec cat '{kept}';; esac
"""


class Run:
    """A command of Linnet's while it runs."""

    def __init__(self, machine, *words):
        command = [os.environ["LINNET_BIN"], *words]
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=machine.environment)
        self.lines = queue.Queue()
        threading.Thread(target=lambda: [self.lines.put(line) for line in self.process.stdout], daemon=True).start()

    def line(self, pattern):
        while True:
            found = re.search(pattern, self.lines.get(timeout=PATIENCE))
            if found:
                return found

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=60)


class Machine:
    """A person's machine: a keyring that is open, a key in it, an app paired with its signer, and a relay between them."""

    def __init__(self, folder):
        self.folder = folder
        self.data = folder / "linnet"
        tools = folder / "tools"
        tools.mkdir()
        tool = tools / "secret-tool"
        tool.write_text(KEYRING.format(kept=folder / "kept"))
        tool.chmod(0o700)
        self.environment = {"PATH": f"{tools}:/usr/bin:/bin", "HOME": str(folder)}
        self.running = []
        self.relay = self.start("relay", "--port", "0", "--data", str(folder / "relay")).line(r"relay (ws://\S+)")[1]
        self.run("account", "add", "--keyring", "--sec-file", "-", input=f"{SECRET:064x}\n")

    def start(self, *words):
        run = Run(self, *words)
        self.running.append(run)
        return run

    def run(self, *words, input=""):
        done = subprocess.run(
            [os.environ["LINNET_BIN"], *words, "--data", str(self.data)], input=input, capture_output=True, text=True,
            env=self.environment, timeout=120)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def pair(self):
        """An app that may sign everything, paired while the signer ran."""
        signer = self.start("bunker", "--trust", "full", "--relay", self.relay, "--data", str(self.data))
        token = signer.line(r"(bunker://[^\s\"]+)")[1].replace("\\/", "/")
        app = App(self.relay, "Night Heron").connect(token)
        self.run("signer", "relays", "--add", self.relay)
        signer.stop()
        return app

    def stop(self):
        for run in self.running:
            if run.process.poll() is None:
                run.stop()


class Forwarding(PushService):
    """A proxy with TLS before the receiver, as nginx or a tunnel would be; a distributor speaks ntfy besides."""

    def __init__(self, folder):
        self.target = None
        self.topics = {}
        self.came = threading.Condition()
        super().__init__(folder)
        # The distributor itself, behind its proxy with TLS.
        self.plain = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        threading.Thread(target=self.plain.serve_forever, daemon=True).start()

    @property
    def origin(self):
        return f"https://localhost:{self.server.server_port}"

    def handler(self):
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                path = urllib.parse.urlparse(self.path)
                if path.path.startswith("/up"):
                    assert path.query == "up=1"
                    with service.came:
                        service.topics.setdefault(path.path, []).append(base64.b64encode(body).decode())
                        service.came.notify_all()
                    status = 200
                else:
                    status = service.forward(self.path, body)
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def do_GET(self):
                topic = urllib.parse.urlparse(self.path).path.removesuffix("/json")
                self.send_response(200)
                self.end_headers()
                self.say({"id": "open1", "event": "open", "topic": topic})
                sent = 0
                while True:
                    with service.came:
                        if len(service.topics.get(topic, [])) == sent:
                            service.came.wait(timeout=2)
                        messages = service.topics.get(topic, [])[sent:]
                    if not messages:
                        self.say({"id": "alive", "event": "keepalive", "topic": topic})
                    for message in messages:
                        sent += 1
                        self.say({"id": f"m{sent}", "event": "message", "message": message, "encoding": "base64"})

            def say(self, line):
                self.wfile.write((json.dumps(line) + "\n").encode())
                self.wfile.flush()

            def log_message(self, *_):
                pass

        return Handler

    def forward(self, path, body):
        connection = http.client.HTTPConnection("127.0.0.1", self.target, timeout=30)
        connection.request("POST", path, body)
        return connection.getresponse().status


class WakeMemory:
    """The most memory of its own that a `linnet-wake` of a machine has held, in MB; pages of its file are the kernel's."""

    def __init__(self, machine):
        self.mine = str(machine.data).encode()
        self.peak = 0.0
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.look, daemon=True)
        self.thread.start()

    def look(self):
        while not self.over.wait(0.002):
            for process in pathlib.Path("/proc").glob("[0-9]*"):
                try:
                    if (process / "comm").read_text() != "linnet-wake\n":
                        continue
                    if self.mine in (process / "cmdline").read_bytes().split(b"\0"):
                        held = re.search(r"RssAnon:\s+(\d+) kB", (process / "status").read_text())
                        self.peak = max(self.peak, int(held[1]) / 1024 if held else 0)
                except OSError:
                    pass  # it has ended meanwhile

    def stop(self):
        self.over.set()
        self.thread.join()
        return self.peak


def listen_as_a_socket_unit(machine):
    """What `linnet-push.socket` with `Accept=yes` does: a process for each connection, which is its input and output."""
    listener = socket.create_server(("127.0.0.1", 0))

    def accept():
        while True:
            connection, _ = listener.accept()
            program = os.path.join(os.path.dirname(os.environ["LINNET_BIN"]), "linnet-wake")
            subprocess.Popen(
                [program, "--received", "--data", str(machine.data)], stdin=connection, stdout=connection,
                stderr=subprocess.DEVNULL, env=machine.environment)
            connection.close()

    threading.Thread(target=accept, daemon=True).start()
    return listener.getsockname()[1]


@pytest.fixture
def machine(tmp_path):
    made = Machine(tmp_path)
    yield made
    made.stop()


@pytest.fixture
def proxy():
    made = PushProxy()
    yield made
    made.stop()


@pytest.mark.parametrize("way", ["receive", "socket", "ntfy"])
def test_a_request_is_answered_while_nothing_of_the_signer_runs(way, machine, proxy, tmp_path):
    app = machine.pair()
    service = Forwarding(tmp_path)
    (tmp_path / "proxy").mkdir()
    proxy.start(tmp_path / "proxy", machine.relay, service)
    place = ["--ntfy", service.origin] if way == "ntfy" else ["--at", service.origin + "/wake"]
    told = json.loads(machine.run("signer", "push", "register", "--proxy", proxy.url, *place))
    assert told["devices"] == ["unifiedpush" if way == "ntfy" else "webpush"] and told["apps"] == [app.author.key]
    assert (machine.data / "push-receiver").stat().st_mode & 0o77 == 0
    assert proxy.health()["unique_pubkeys"] == 1
    wait_until(lambda: proxy.health()["relays_live"] > 0)
    if way == "socket":
        service.target = listen_as_a_socket_unit(machine)
    else:
        receiver = machine.start(
            "signer", "push", "receive", "--listen", "127.0.0.1:0", "--data", str(machine.data),
            *(["--distributor", f"http://127.0.0.1:{service.plain.server_port}"] if way == "ntfy" else []))
        found = receiver.line(r"receiving (?:http://127.0.0.1:(\d+)|from)")
        service.target = int(found[1]) if found[1] else None

    memory = WakeMemory(machine)
    began = time.monotonic()
    answer = app.answer(app.sign(1, "signed by nobody who is awake"), timeout=PATIENCE)
    took = time.monotonic() - began
    event = json.loads(answer["result"])
    assert event["pubkey"] == Author(SECRET).key and event["content"] == "signed by nobody who is awake"
    held = memory.stop()
    print(f"{way}: from request to answer in {took:.2f} s, linnet-wake held {held:.1f} MB")
    assert took <= WOKEN_WITHIN
    assert held > 0
    if "release" in os.environ["LINNET_BIN"]:
        assert held <= 24
    if way == "receive":
        assert service.forward("/wake/somebody-guesses", b"x" * 200) == 404

    told = json.loads(machine.run("signer", "push", "unregister"))
    assert told["devices"] == [] and told["apps"] == []
    assert proxy.health()["unique_pubkeys"] == 0
    app.close()
