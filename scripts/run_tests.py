#!/usr/bin/env python3
"""Runs the Swift tests that were built, in groups, and says how long each part took.

    scripts/run_tests.py                 every group
    scripts/run_tests.py NostrRelay      the tests of one target

Only what a person must see is printed: failures, what was skipped, closing lines; the whole output of each part lies in the
build folder under test-logs/. A part that says nothing for twenty minutes has hung: the tests that have begun and not
ended are named, the program's stacks are shown where gdb is installed, and the part has failed. What fails among all
others is run once more by itself, and named as unsteady if it passes then (once_more.py).
"""
import os
import platform
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import threading
import time

import once_more
import timing

# The longest test of all takes a minute and a half where nothing else is at work, and says nothing meanwhile.
SILENCE = 1200
BEGAN = re.compile(r'^\W*Test (?:"(.*)"|(\S+\(.*?\))) started\.$')
ENDED = re.compile(r'^\W*Test (?:"(.*)"|(\S+\(.*?\)))(?: with \d+ test cases?)? (?:passed|failed|skipped)\b')
# What went wrong, with the lines that explain it; what was left out; and what a program says as it dies.
NOTABLE = re.compile(
    r"^\W*(?:(?:Test|Suite) .* (?:recorded an? |failed after|skipped)|.*(?:Fatal error|crashed|\*\*\*))")
DETAIL = re.compile(r"^\s*↳")
TELLING = re.compile(r"^\W*Test run with \d+ tests?")

# Accounts at work are many tasks each, which a hundred suites at once would starve: they have a process of their own.
ACCOUNTS = r"^(NostrClientTests|CirclesTests)\."
# Tests over real sockets have real deadlines, so each suite is serial and the processors are not kept busy by others;
# as they mostly wait, these processes stand beside each other.
PROGRAMS = r"^LinnetTests\."
# Two thirds of the time of those, most of which commands wait for relays: they run beside the rest. Each test has
# directories of its own, and its relays the ports that the system gives.
CIRCLES = r"^LinnetTests\.Circle\w*CommandTests\b"
COMMANDS = r"^LinnetTests\.(RelaysCommandTests|PrivateMessageCommandTests|MediaProgramTests)\b"
PEERS = r"^Interop\."
SOCKETS = r"^(WebSocketNIOTests|OpenWebTests|DBusTests|NostrWorldTests|PushProxyTests|BlossomServerTests)\."
# Left alone, all tests begin at once, and on a busy machine each then waits for all others beyond any time limit.
A_FEW_AT_ONCE = ["--experimental-maximum-parallelization-width", "8"]
ONE_BY_ONE = ["--no-parallel"]

GROUPS = [
    [("units", [*(word for group in (ACCOUNTS, PROGRAMS, PEERS, SOCKETS) for word in ("--skip", group)), *A_FEW_AT_ONCE])],
    [("accounts", ["--filter", ACCOUNTS, *A_FEW_AT_ONCE])],
    [
        ("programs", ["--filter", PROGRAMS, "--skip", CIRCLES, "--skip", COMMANDS, *ONE_BY_ONE]),
        ("circles", ["--filter", CIRCLES, *ONE_BY_ONE]),
        ("commands", ["--filter", COMMANDS, *ONE_BY_ONE]),
        ("peers", ["--filter", PEERS, *ONE_BY_ONE]),
        ("sockets", ["--filter", SOCKETS, *ONE_BY_ONE]),
    ],
]


def one_target(name):
    """The group of one target's tests; `NostrRelay` and `NostrRelayTests` are the same."""
    target = name if name in ("Interop", "Hostile") or name.endswith("Tests") else name + "Tests"
    is_serial = any(re.match(group, target + ".") for group in (PROGRAMS, PEERS, SOCKETS))
    return [[(target, ["--filter", rf"^{re.escape(target)}\.", *(ONE_BY_ONE if is_serial else A_FEW_AT_ONCE)])]]


class Part:
    """One process of tests."""

    def __init__(self, name, options, logs):
        self.name, self.log = name, os.path.join(logs, name + ".log")
        self.report = os.path.join(logs, name + ".xml")
        self.command = command() + options + ["--xunit-output", self.report]
        self.status, self.open_tests, self.closing, self.is_telling = None, {}, "", False

    def run(self, say):
        began = time.monotonic()
        if os.path.exists(self.report):
            os.remove(self.report)
        with open(self.log, "w", encoding="utf-8", buffering=1) as log:
            self.status = self.watch(log, say)
        seconds = time.monotonic() - began
        if self.status == 0 and not re.search(r"with [1-9]\d* tests?", self.closing):
            say(f"{self.name}: no test was found")
            self.status = 1
        timing.note(f"tests: {self.name}", seconds)

    def watch(self, log, say):
        reader, writer = pty.openpty()
        environment = {**os.environ, "NO_COLOR": "1", "TERM": "dumb"}
        child = subprocess.Popen(
            self.command, stdin=subprocess.DEVNULL, stdout=writer, stderr=writer, env=environment,
            start_new_session=True)
        os.close(writer)
        rest, last = b"", time.monotonic()
        while True:
            # Looked at before what it wrote, so that nothing is left to read of one that has ended.
            has_ended = child.poll() is not None
            ready, _, _ = select.select([reader], [], [], 0 if has_ended else 5)
            if ready:
                try:
                    data = os.read(reader, 65536)
                except OSError:  # Linux says so when the last writer is gone.
                    data = b""
                if data:
                    last = time.monotonic()
                    *lines, rest = (rest + data).split(b"\n")
                    for line in lines:
                        self.read(line.decode("utf-8", "replace").rstrip("\r"), log, say)
                    continue
            elif not has_ended:
                if time.monotonic() - last < SILENCE:
                    continue
                return self.give_up(child, say)
            # It has ended, though a program that a test left behind may hold its terminal open.
            os.close(reader)
            if rest:
                self.read(rest.decode("utf-8", "replace").rstrip("\r"), log, say)
            return child.wait()

    def read(self, line, log, say):
        log.write(line + "\n")
        if match := BEGAN.match(line):
            self.open_tests[match.group(1) or match.group(2)] = True
        elif match := ENDED.match(line):
            self.open_tests.pop(match.group(1) or match.group(2), None)
        if TELLING.match(line):
            self.closing = line
            say(line)
        elif NOTABLE.match(line) or (self.is_telling and DETAIL.match(line)):
            self.is_telling = True
            say(f"{self.name}: {line}")
        else:
            self.is_telling = False

    def failed_tests(self):
        """The tests that failed; none where it ended otherwise, or something failed outside of any test."""
        counted = re.search(r"with (\d+) issues?", self.closing)
        is_told = self.status == 1 and counted and int(counted.group(1)) == once_more.issues(self.report)
        return once_more.failed(self.report) if is_told else []

    def give_up(self, child, say):
        say(f"{self.name}: silent for {SILENCE} s; begun and not ended: "
            f"{'; '.join(self.open_tests) or 'none that was named'}")
        try:
            self.show_stacks(child)
        except (OSError, subprocess.TimeoutExpired) as failure:
            say(f"{self.name}: its stacks are not shown: {failure}")
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        return 124

    @staticmethod
    def show_stacks(child):
        if not shutil.which("gdb"):
            return
        found = subprocess.run(["pgrep", "-g", str(child.pid)], capture_output=True, text=True, check=False)
        for process in found.stdout.split():
            subprocess.run(
                ["gdb", "-p", process, "-batch", "-ex", "thread apply all bt 30"], stderr=subprocess.DEVNULL,
                timeout=600, check=False)


def run_once_more(parts, logs, say):
    """Runs what failed once more by itself; which parts have failed then."""
    found = {part: part.failed_tests() for part in parts}
    if not all(found.values()) or not once_more.may_run([test for tests in found.values() for test in tests]):
        return parts
    failed = []
    for part, tests in found.items():
        names = [f"{place}/{name}" for place, name in tests]
        say(f"once more, by itself: {', '.join(names)}")
        filters = [word for name in names for word in ("--filter", "^" + re.escape(name.split("(")[0]) + r"\(")]
        again = Part(part.name + "-again", [*filters, *ONE_BY_ONE], logs)
        again.run(say)
        if again.status != 0:
            failed.append(part)
            continue
        for name in names:
            once_more.note(name)
            say(f"UNSTEADY: {name} passed only by itself; what it said before: {part.log}")
    return failed


def command():
    """What starts the tests; directly where the bundle is a program, as the package manager runs one at a time."""
    if platform.system() == "Darwin":
        return ["swift", "test", *flags(), "--skip-build"]
    return [os.path.join(binaries(), "linnetPackageTests.xctest"), "--testing-library", "swift-testing"]


def flags():
    return os.environ.get("LINNET_BUILD_FLAGS", "").split()


def binaries():
    answer = subprocess.run(
        ["swift", "build", *flags(), "--show-bin-path"], capture_output=True, text=True, check=True)
    return answer.stdout.strip().splitlines()[-1]


def main():
    # A shell that starts us in the background has us ignore these, and the tests' programs would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    groups = one_target(sys.argv[1]) if sys.argv[1:] else GROUPS
    logs = os.path.join(timing.folder(), "test-logs")
    os.makedirs(logs, exist_ok=True)
    lock = threading.Lock()

    def say(text):
        with lock:
            print(text, flush=True)

    failed = []
    for group in groups:
        parts = [Part(name, options, logs) for name, options in group]
        say("testing: " + ", ".join(part.name for part in parts))
        if platform.system() == "Darwin":
            for part in parts:
                part.run(say)
        else:
            threads = [threading.Thread(target=part.run, args=(say,)) for part in parts]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        failed += [part for part in parts if part.status != 0]
    failed = run_once_more(failed, logs, say)
    for part in failed:
        say(f"FAILED: {part.name} (status {part.status}); all it said: {part.log}")
    return 1 if failed else 0


sys.exit(main())
