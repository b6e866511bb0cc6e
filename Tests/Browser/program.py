"""The program under test: `linnet serve --demo` in a directory of its own."""

import os
import queue
import random
import re
import signal
import socket
import subprocess
import tempfile
import threading
import time
import urllib.parse
import urllib.request

PATIENCE = 90


def free_port():
    """A port for what is started later: none of those that are handed out to whoever asks for any."""
    while True:
        port = random.randrange(20000, 32000)
        try:
            with socket.create_server(("127.0.0.1", port)):
                return port
        except OSError:
            continue


def wait_until(holds, pause=time.sleep):
    """Asks ten times a second until it holds; pausing with `pause_of` a page, what happens there is heard meanwhile."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, f"not within {PATIENCE} s"
        pause(0.1)


def pause_of(page):
    """What pauses for some seconds and hears of what happens on a page."""
    return lambda seconds: page.wait_for_timeout(1000 * seconds)


def fetch(context, address):
    """What a browser is answered at an address, with its cookies.

    Not by Playwright's own requests: those are made by a program that cannot look up a name below localhost.
    """
    parts = urllib.parse.urlsplit(address)
    cookies = "; ".join(f"{one['name']}={one['value']}" for one in context.cookies(address))
    plain = f"http://127.0.0.1:{parts.port}{parts.path}"
    return urllib.request.urlopen(urllib.request.Request(plain, headers={"Cookie": cookies}), timeout=PATIENCE)


class Program:
    """Runs until stopped; started again it finds what it left.

    Its simulated Nostr is a small one; tests whose subject is the network ask for the town.
    """

    def __init__(self, data, port=0, options=(), world="hamlet", log=None):
        self.data = data
        self.port = port
        # Where what it logs goes; without it, what it said last is told when it fails.
        self.log = log or tempfile.TemporaryFile("w+", errors="replace")
        self.options = ["--world", world, *options]
        self.link = None
        self.base = None
        self.process = None

    def start(self):
        command = [os.environ["LINNET_BIN"], "serve", "--demo", "--port", str(self.port), "--data", str(self.data)]
        command += self.options
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.log, text=True)
        lines = queue.Queue()
        threading.Thread(target=lambda: [lines.put(line) for line in self.process.stdout], daemon=True).start()
        while True:
            found = re.match(r"open ((http://[^/]+:(\d+))/\S+)", lines.get(timeout=PATIENCE))
            if found:
                break
        self.link, self.base, self.port = found[1], found[2], int(found[3])
        return self

    @property
    def plain(self):
        """Where programs find it that cannot look up a name below localhost."""
        return f"http://127.0.0.1:{self.port}"

    def is_healthy(self):
        with urllib.request.urlopen(f"{self.plain}/healthz", timeout=PATIENCE) as answer:
            return answer.status == 200

    def stop(self):
        """Ends it as a service manager would; a program that fails at that, or had failed, fails the test."""
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = f"killed, {self.process.wait()}"
        assert status == 0, f"linnet ended with {status}:\n{self.last_words()}"

    def last_words(self):
        if self.log.readable() and self.log.seekable():
            self.log.seek(0)
            return "".join(self.log.readlines()[-60:])
        return ""
