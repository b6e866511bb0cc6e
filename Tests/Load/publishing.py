"""Publishers that count what was acknowledged, and a look at what is there."""
import json

from sockets import Socket

# Ids in one question.
PORTION = 50


class Publisher:
    """Publishes in bursts; what was acknowledged before the other side fell silent is remembered."""

    def __init__(self, port, source):
        self.socket, self.acknowledged, self.refused = Socket(port, source, deadline=30), [], []

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
        name = f"t{start}"
        socket.send(json.dumps(["REQ", name, {"ids": identities[start:start + PORTION]}]))
        while (answer := json.loads(socket.message()))[0] == "EVENT":
            found.add(answer[2]["id"])
        if answer[0] != "EOSE":
            raise ConnectionError(f"what is stored could not be read: {answer}")
        socket.send(json.dumps(["CLOSE", name]))
    socket.close()
    return found
