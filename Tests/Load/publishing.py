"""Publishers that count what was acknowledged, and a look at what is there."""
import json
import time

from sockets import Socket

# Ids in one question.
PORTION = 50


class Publisher:
    """Publishes in bursts; what was acknowledged before the other side fell silent is remembered."""

    def __init__(self, port, source):
        self.socket, self.acknowledged, self.refused = Socket(port, source), [], []

    def publish(self, events):
        """All of them at once, then their answers; an error where the program goes in the middle."""
        for event in events:
            self.socket.send('["EVENT",' + event + "]")
        for _ in events:
            answer = json.loads(self.socket.message())
            if answer[0] != "OK":
                raise ConnectionError(f"not an answer to an event: {answer}")
            (self.acknowledged if answer[2] else self.refused).append(answer[1])

    def close(self):
        self.socket.close()


def there(port, source, identities):
    """Which of these events the program gives to who asks for them."""
    found, socket = set(), Socket(port, source)
    for start in range(0, len(identities), PORTION):
        ask(socket, f"t{start}", identities[start:start + PORTION], found)
    socket.close()
    return found


def ask(socket, name, identities, found):
    """One question, asked again where the program wants a pause."""
    while True:
        socket.send(json.dumps(["REQ", name, {"ids": identities}]))
        while (answer := json.loads(socket.message()))[0] == "EVENT":
            found.add(answer[2]["id"])
        if answer[0] == "EOSE":
            socket.send(json.dumps(["CLOSE", name]))
            return
        if answer[0] != "CLOSED" or not answer[2].startswith("rate-limited:"):
            raise ConnectionError(f"what is stored could not be read: {answer}")
        time.sleep(1)
