"""The honest: somebody who publishes and asks, and a person who looks at the home page."""
import http.client
import json
import re
import threading
import time
import urllib.parse

from sockets import HUNG, Socket

# Not this machine's own address, for which places may be kept.
ADDRESS = "127.3.0.1"


class Visitor:
    """Publishes an event, then asks for it by its id; measures each."""

    def __init__(self, port, events):
        self.socket, self.events, self.count = Socket(port, ADDRESS), iter(events), 0
        self.acknowledged = []

    def step(self, note):
        event = next(self.events)
        began = time.perf_counter()
        self.socket.send('["EVENT",' + event + "]")
        answer = json.loads(self.socket.message())
        note("EVENT", time.perf_counter() - began)
        identity = json.loads(event)["id"]
        if answer[:3] != ["OK", identity, True]:
            raise ConnectionError(f"an event was refused: {answer[3]}")
        self.acknowledged.append(identity)
        self.ask(identity, note)

    def ask(self, identity, note):
        """Asks for an event and waits for it and for the end of what is stored."""
        self.count += 1
        began = time.perf_counter()
        self.socket.send(json.dumps(["REQ", f"h{self.count}", {"ids": [identity]}]))
        found = 0
        while (answer := json.loads(self.socket.message()))[0] == "EVENT":
            found += 1
        note("REQ", time.perf_counter() - began)
        if answer[0] != "EOSE" or found != 1:
            raise ConnectionError(f"an event that was acknowledged was not found: {answer}")
        self.socket.send(json.dumps(["CLOSE", f"h{self.count}"]))


class Person:
    """A browser that is logged in, on an account that only reads."""

    def __init__(self, link, key):
        address = urllib.parse.urlsplit(link)
        self.port, self.host = address.port, f"127.0.0.1:{address.port}"
        answer, _ = self.fetch("GET", f"{address.path}?{address.query}")
        self.cookie = answer.getheader("set-cookie").split(";")[0]
        _, page = self.fetch("GET", "/welcome")
        token = re.search(r'name="csrf" value="([^"]+)"', page).group(1)
        answer, page = self.fetch("POST", "/welcome/read", urllib.parse.urlencode({"csrf": token, "public": key}))
        if answer.status != 303:
            raise ConnectionError(f"the account was not opened: {answer.status}")

    def fetch(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=HUNG)
        headers = {"Host": self.host, "Cookie": getattr(self, "cookie", "")}
        if body:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        page = answer.read().decode()
        connection.close()
        return answer, page

    def step(self, note):
        began = time.perf_counter()
        answer, _ = self.fetch("GET", "/home")
        note("page", time.perf_counter() - began)
        if answer.status != 200:
            raise ConnectionError(f"the home page answered {answer.status}")


class Measured:
    """Steps of an honest client, one after the other with a pause, on a thread of their own."""

    def __init__(self, client, pause):
        self.client, self.pause, self.times, self.failure = client, pause, {}, None

    def note(self, what, seconds):
        self.times.setdefault(what, []).append(seconds)

    def run(self, seconds=None, steps=None):
        """Goes on for some seconds, or for so many steps; a step that has begun is measured to its end."""
        self.times, ends, done = {}, time.monotonic() + (seconds or 1e9), 0
        try:
            while time.monotonic() < ends and done != steps:
                self.client.step(self.note)
                done += 1
                time.sleep(self.pause)
        except (OSError, ConnectionError, http.client.HTTPException, StopIteration) as failure:
            self.failure = self.failure or f"{type(failure).__name__}: {failure}"


def side_by_side(measured, **options):
    """Lets several clients go on at the same time."""
    threads = [threading.Thread(target=one.run, kwargs=options) for one in measured]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
