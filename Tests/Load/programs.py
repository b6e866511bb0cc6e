"""Linnet as a process of its own, and what it costs."""
import os
import re
import shutil
import subprocess

import nostr_sdk

from sockets import HUNG


class NotStarted(Exception):
    """The program ended before it said where it listens; its log has why."""


def quiet():
    """An environment without settings of the person who runs this."""
    return {"PATH": os.environ["PATH"]}


class Program:
    """`linnet relay` or `linnet serve` on a free port, over a data directory or a copy of one."""

    def __init__(self, binary, command, data, seed=None, log=None, through=(), more=()):
        if seed:
            shutil.copytree(seed, data)
        # Nothing is asked of the open network: where the indexer would be, nobody listens.
        options = ["--indexer", "ws://127.0.0.1:9"] if command == "serve" else []
        self.log = open(log or f"{data}.log", "w", encoding="utf-8")  # pylint: disable=consider-using-with
        self.process = subprocess.Popen(
            [*through, binary, command, "--port", "0", "--data", data, *options, *more], stdout=subprocess.PIPE,
            stderr=self.log, text=True, env=quiet())
        self.line = self.process.stdout.readline().partition(" ")[2].strip()
        if not self.line:
            self.log.close()
            raise NotStarted(f"{command} ended with {self.process.wait()}")
        self.port = int(re.search(r":(\d+)", self.line).group(1))

    @property
    def memory(self):
        """Resident bytes."""
        with open(f"/proc/{self.process.pid}/status", encoding="utf-8") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1)) * 1024

    @property
    def descriptors(self):
        """How many sockets it holds; files it opens as it needs them, and keeps."""
        folder, count = f"/proc/{self.process.pid}/fd", 0
        for name in os.listdir(folder):
            try:
                count += os.readlink(f"{folder}/{name}").startswith("socket:")
            except FileNotFoundError:  # closed meanwhile
                pass
        return count

    @property
    def is_running(self):
        return self.process.poll() is None

    def kill(self):
        """SIGKILL: nothing of it runs any more."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.log.close()

    def end(self):
        """Ends it as Ctrl-C does; the status it ended with."""
        self.process.terminate()
        try:
            return self.process.wait(HUNG)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()
        finally:
            self.log.close()


def signed(keys, count, start, words):
    """Notes of some length, one a second."""
    notes = []
    for number in range(count):
        text = " ".join(words[(number * step + step) % len(words)] for step in range(1, 25)) + f" {number}"
        builder = nostr_sdk.EventBuilder(nostr_sdk.Kind(1), text).tags([nostr_sdk.Tag.hashtag(words[number % len(words)])])
        stamped = builder.custom_created_at(nostr_sdk.Timestamp.from_secs(start + number))
        notes.append(stamped.finalize(keys).as_json())
    return notes


def seeded(binary, folder, notes):
    """A data directory that holds some notes."""
    with open(f"{folder}/seed.jsonl", "w", encoding="utf-8") as file:
        file.write("\n".join(notes) + "\n")
    subprocess.run(
        [binary, "import", f"{folder}/seed.jsonl", "--data", f"{folder}/seed"], check=True,
        stdout=subprocess.DEVNULL, env=quiet())
    return f"{folder}/seed"
