#!/usr/bin/env python3
"""Runs a test program and does not let it hang in silence.

    scripts/run_tests.py [--silence SECONDS] -- swift test …

Passes its output on line by line. When nothing was printed for so long, the tests that have begun and not ended are
named, the program's stacks are shown where gdb is installed, and the program is killed. Then the
program is run once more: losing everything to one wait is worse than a second look, and the names stand in the output.
"""
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time

BEGAN = re.compile(r'^\W*Test (?:"(.*)"|(\S+\(.*?\))) started\.$')
ENDED = re.compile(r'^\W*Test (?:"(.*)"|(\S+\(.*?\)))(?: with \d+ test cases?)? (?:passed|failed|skipped)\b')
HUNG = 124


def run(command, silence):
    """The exit status, and the tests that have begun and not ended when the program fell silent."""
    reader, writer = pty.openpty()
    environment = {**os.environ, "NO_COLOR": "1", "TERM": "dumb"}
    child = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=writer, stderr=writer, env=environment, start_new_session=True)
    os.close(writer)
    open_tests, rest, last = {}, b"", time.monotonic()
    while True:
        ready, _, _ = select.select([reader], [], [], 5)
        if not ready:
            if time.monotonic() - last < silence:
                continue
            show_stacks(child.pid)
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            return HUNG, list(open_tests)
        try:
            data = os.read(reader, 65536)
        except OSError:  # Linux says so when the last writer is gone.
            data = b""
        if not data:
            return child.wait(), []
        last = time.monotonic()
        *lines, rest = (rest + data.replace(b"\r\n", b"\n")).split(b"\n")
        for line in lines:
            text = line.decode("utf-8", "replace")
            print(text, flush=True)
            if match := BEGAN.match(text):
                open_tests[match.group(1) or match.group(2)] = True
            elif match := ENDED.match(text):
                open_tests.pop(match.group(1) or match.group(2), None)


def show_stacks(group):
    if not shutil.which("gdb"):
        return
    found = subprocess.run(["pgrep", "-g", str(group)], capture_output=True, text=True)
    for process in found.stdout.split():
        subprocess.run(
            ["gdb", "-p", process, "-batch", "-ex", "thread apply all bt 30"], stderr=subprocess.DEVNULL, timeout=120,
            check=False)


def main():
    arguments = sys.argv[1:]
    silence = 600
    if arguments[:1] == ["--silence"]:
        silence = int(arguments[1])
        arguments = arguments[2:]
    if arguments[:1] == ["--"]:
        arguments = arguments[1:]
    status, hung = run(arguments, silence)
    if status != HUNG:
        return status
    print(f"run_tests: silent for {silence} s; begun and not ended: {'; '.join(hung) or 'none that was named'}")
    print("run_tests: WARNING: the whole group is tried once more; the tests named above can hang and need mending")
    status, hung = run(arguments, silence)
    if status == HUNG:
        print(f"run_tests: silent again; begun and not ended: {'; '.join(hung) or 'none that was named'}")
    return status


sys.exit(main())
