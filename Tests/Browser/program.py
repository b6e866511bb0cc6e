"""The program under test: `linnet serve --demo` in a directory of its own."""

import os
import queue
import re
import signal
import subprocess
import threading
import urllib.parse
import urllib.request

PATIENCE = 90


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
        # Where what it logs goes; without it nowhere.
        self.log = log
        self.options = ["--world", world, *options]
        self.link = None
        self.base = None
        self.process = None

    def start(self):
        command = [os.environ["LINNET_BIN"], "serve", "--demo", "--port", str(self.port), "--data", str(self.data)]
        command += self.options
        errors = self.log or subprocess.DEVNULL
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
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
        with urllib.request.urlopen(f"{self.plain}/healthz", timeout=5) as answer:
            return answer.status == 200

    def stop(self):
        """Ends it as a service manager would; returns its exit status."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
