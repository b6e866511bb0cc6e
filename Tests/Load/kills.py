"""Ends the program by SIGKILL in bursts of events and in imports, and asks each time for all that was acknowledged."""
import json
import os
import random
import subprocess
import tempfile
import threading
import time

import nostr_sdk

from attacks import WORDS, address
from programs import Program, quiet, signed
from publishing import Publisher, there

PUBLISHERS, BURST, LINES = 4, 40, 3000


class Kills:
    """One data directory that is killed at again and again."""

    def __init__(self, binary, table, folder, count):
        self.binary, self.table, self.count = binary, table, count
        self.data, self.folder = f"{folder}/killed", folder
        os.mkdir(self.data)
        self.keys, self.made = nostr_sdk.Keys.generate(), 0
        self.acknowledged, self.fresh, self.batches = [], [], []
        self.lost, self.interrupted = 0, 0

    def events(self, count):
        self.made += count
        return signed(self.keys, count, int(time.time()) - 5_000_000 + self.made, WORDS)

    def publish(self, port, number, until, acknowledged):
        """Bursts until the program is gone."""
        publisher = None
        try:
            publisher = Publisher(port, address(number))
            while time.monotonic() < until:
                publisher.publish(self.batches[number].pop())
        except (OSError, ConnectionError, IndexError):
            pass
        if publisher:
            acknowledged += publisher.acknowledged
            publisher.close()

    def kill_relay(self):
        """Starts the program, looks for what was acknowledged last, and kills it in a burst."""
        self.batches = [[self.events(BURST) for _ in range(4)] for _ in range(PUBLISHERS)]
        program = Program(self.binary, "relay", self.data)
        self.look(program, self.fresh)
        lists = [[] for _ in range(PUBLISHERS)]
        until = time.monotonic() + 30
        threads = [threading.Thread(target=self.publish, args=(program.port, number, until, lists[number]))
                   for number in range(PUBLISHERS)]
        for thread in threads:
            thread.start()
        time.sleep(random.uniform(0, 0.12))
        self.interrupted += any(thread.is_alive() for thread in threads)
        program.kill()
        for thread in threads:
            thread.join()
        self.fresh = [identity for one in lists for identity in one]
        self.acknowledged += self.fresh

    def kill_import(self):
        """Kills an import in the middle, and lets it end when it is run again; what it says then counts."""
        with tempfile.NamedTemporaryFile("w", dir=self.folder, suffix=".jsonl", encoding="utf-8") as file:
            events = self.events(LINES)
            file.write("\n".join(events) + "\n")
            file.flush()
            command = [self.binary, "import", file.name, "--data", self.data]
            with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=quiet()) as run:
                time.sleep(random.uniform(0.02, 0.25))
                self.interrupted += run.poll() is None
                run.kill()
            again = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=quiet())
            told = json.loads(again.stdout)
        if told["stored"] + told["duplicate"] == LINES:
            self.fresh = self.fresh + [json.loads(event)["id"] for event in events]
            self.acknowledged += self.fresh[-LINES:]

    def look(self, program, identities):
        self.lost += len(set(identities) - there(program.port, address(200), identities))

    def run(self):
        for number in range(self.count):
            # An import is looked at by the program that starts next.
            if number % 5 == 4:
                self.kill_import()
            else:
                self.kill_relay()
        # So many questions as for everything at once are more than one client may ask.
        program = Program(self.binary, "relay", self.data, more=["--no-rate-limits"])
        missed = self.lost
        self.look(program, self.acknowledged)
        status = program.end()
        self.table.note("kills", "in the middle of work", f"{self.interrupted} of {self.count}")
        self.table.check("kills", "missed at a next start", str(missed), "= 0", missed == 0)
        self.table.check("kills", "acknowledged and there", str(len(self.acknowledged) - self.lost + missed),
                         f"= {len(self.acknowledged)}", self.lost == 0 and len(self.acknowledged) > self.count)
        self.table.check("kills", "ended in order after them", str(status), "= 0", status == 0)
