#!/usr/bin/env python3
"""Attacks the built program while honest clients measure it, beside an idle second one, and says what holds.

    scripts/load.sh                       every attack (make load)
    scripts/load.sh questions pings       some of them
    scripts/load.sh kills disk            SIGKILL 500 times; files that go, are damaged, or have no room
    scripts/load.sh --short               small, with counts and no times

Each attack meets programs of its own: one that is attacked, and a control over a copy of the same store. Whatever the
machine does besides then slows both. Linux only: every address in 127/8 is this machine's there, and /proc says
what a program costs.
"""
import argparse
import concurrent.futures
import contextlib
import faulthandler
import math
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import nostr_sdk

from attacks import WORDS
from disk import Disk
from honest import ADDRESS, Measured, Person, Visitor, side_by_side
from kills import Kills
from programs import Program, seeded, signed
from sockets import Socket
from table import Table

HERE = os.path.dirname(os.path.abspath(__file__))
# The attack, the program it meets, how many attackers, how many in the short form.
ATTACKS = [
    ("questions", "relay", 200, 20), ("pings", "relay", 20, 4), ("forged", "relay", 8, 2), ("idle", "relay", 2000, 200),
    ("questions", "serve", 200, 20), ("search", "serve", 8, 4), ("pings", "serve", 20, 4), ("forged", "serve", 8, 2),
    ("idle", "serve", 2000, 200), ("bodies", "serve", 200, 20),
]
# What must hold.
LONGEST, RATIO, RATIO_AFTER, LONGEST_PAGE = 0.250, 20, 2, 0.500
GROWTH, MOST_IDLE = 1.5, 120e6
SETTLES, RESTS = 2, 30
EVENTS = 20_000
# So many seconds no socket stays that nobody is behind, however busy the machine.
GIVEN_BACK = 300
# How often the program is killed.
KILLS, FEW_KILLS = 500, 10
# The short form takes a minute; one that takes so many seconds has hung.
LONGEST_SHORT = 2400
# The short form: how often an honest client is served, and how many attacks go on at the same time.
STEPS, SIDE_BY_SIDE = 10, 3


def duration(seconds):
    return f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def size(count):
    return f"{count / 1e6:.0f} MB"


def at(times, share):
    """The time within which a share of all were served; for ever where none was."""
    ordered = sorted(times)
    return ordered[math.ceil(share * len(ordered)) - 1] if ordered else math.inf


class Scene:
    """One attack: two programs, an honest client of each, and the attackers."""

    def __init__(self, options, name, command, count, seed, notes, key):
        self.options, self.name, self.count, self.events = options, name, count, f"{seed}.jsonl"
        self.title = f"{command}: {name}"
        folder = tempfile.mkdtemp(dir=os.path.dirname(seed))
        self.target = Program(options.binary, command, f"{folder}/target", seed)
        self.control = Program(options.binary, command, f"{folder}/control", seed)
        self.clients = {}
        for role, program in (("target", self.target), ("control", self.control)):
            clients = [Measured(Visitor(program.port, notes), 0.05)]
            if command == "serve":
                clients.append(Measured(Person(program.line, key), 0.2))
            self.clients[role] = clients
        self.everybody = [client for clients in self.clients.values() for client in clients]

    @contextlib.contextmanager
    def attacked(self, table):
        """An attack that goes on for as long as this is used: begun before, ended after."""
        with subprocess.Popen(
                [sys.executable, f"{HERE}/attacks.py", self.name, str(self.target.port), str(self.count), self.events],
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as attackers:
            try:
                # Until it is said that one is at work, what is measured here would be a program in peace.
                said = attackers.stdout.readline().strip()
                table.check(self.title, "the attackers", said or "turned away", "are at work", bool(said))
                yield
            finally:
                attackers.kill()

    def times(self):
        """What was measured since it was last looked at, as (what, of the target, of the control)."""
        found = {"target": {}, "control": {}}
        for role, clients in self.clients.items():
            for client in clients:
                found[role].update(client.times)
        return [(what, found["target"].get(what, []), found["control"].get(what, []))
                for what in sorted(found["control"])]

    def end(self):
        for program in (self.target, self.control):
            program.end()


def measure(scene, table):
    """The long form: times during and after, memory and descriptors before and after."""
    title, target = scene.title, scene.target
    side_by_side(scene.everybody, steps=20)
    time.sleep(1)
    memory, descriptors = target.memory, target.descriptors
    with scene.attacked(table):
        # A moment for all attackers to come.
        time.sleep(2)
        side_by_side(scene.everybody, seconds=scene.options.seconds)
        peak = target.memory
    ended = time.monotonic()
    for what, times, control in scene.times():
        worst, beside = at(times, 0.95), at(control, 0.95)
        shown = f"{duration(worst)} (worst {duration(at(times, 1))})"
        if what == "page":
            table.check(title, "home page, 95 %", shown, f"≤ {duration(LONGEST_PAGE)}; control {duration(beside)}",
                        worst <= LONGEST_PAGE)
        else:
            table.check(title, f"{what}, 95 %", shown,
                        f"≤ {duration(LONGEST)}, ≤ {RATIO} × control {duration(beside)}",
                        worst <= LONGEST and worst <= RATIO * beside)
    if scene.name == "idle":
        table.check(title, f"memory, {scene.count} sockets", size(peak), f"≤ {size(MOST_IDLE)}", peak <= MOST_IDLE)
    time.sleep(max(0, SETTLES - (time.monotonic() - ended)))
    side_by_side(scene.everybody, seconds=3)
    for what, times, control in scene.times():
        if what != "page":
            middle, beside = at(times, 0.5), at(control, 0.5)
            table.check(title, f"{what}, {SETTLES} s after", duration(middle),
                        f"≤ {RATIO_AFTER} × control {duration(beside)}", middle <= RATIO_AFTER * beside)
    time.sleep(max(0, scene.options.rest - (time.monotonic() - ended)))
    after = target.memory
    table.check(title, f"memory, {scene.options.rest} s after", f"{size(after)} (attacked {size(peak)})",
                f"≤ {GROWTH} × before {size(memory)}", after <= GROWTH * memory)
    check_sockets(scene, table, descriptors)


def check_sockets(scene, table, before):
    """Waits until the attacked program has no more sockets than before or than the control, which dials relays as it does.

    Each of the two dials at moments of its own, so what is judged is one look at both, not another one after it.
    """
    ends = time.monotonic() + GIVEN_BACK
    while True:
        after, control = scene.target.descriptors, scene.control.descriptors
        is_given_back = after <= max(before, control)
        if is_given_back or time.monotonic() > ends or not scene.target.is_running:
            break
        time.sleep(0.1)
    table.check(scene.title, "sockets after", str(after), f"as before: {before}, or the control: {control}",
                is_given_back)


def count(scene, table):
    """The short form: everything asked is answered, everything acknowledged is there, every socket is given back."""
    title, target = scene.title, scene.target
    side_by_side(scene.everybody, steps=2)
    descriptors = target.descriptors
    with scene.attacked(table):
        side_by_side(scene.everybody, steps=STEPS)
    for what, times, _ in scene.times():
        table.check(title, f"{what}, answered", str(len(times)), f"= {STEPS}", len(times) == STEPS)
    visitor = scene.clients["target"][0].client
    again = Visitor.__new__(Visitor)
    again.socket, again.count, found = Socket(target.port, ADDRESS), 0, 0
    for identity in visitor.acknowledged:
        again.ask(identity, lambda what, seconds: None)
        found += 1
    again.socket.close()
    table.check(title, "acknowledged and there", str(found), f"= {len(visitor.acknowledged)}",
                found == len(visitor.acknowledged))
    # Descriptors go back when the program has seen that the others left; when is no matter of this form.
    check_sockets(scene, table, descriptors)


def attack(scene, table):
    """One attack, and whether the program and its honest clients came through."""
    try:
        (count if scene.options.short else measure)(scene, table)
        for client in scene.everybody:
            if client.failure:
                table.check(scene.title, "an honest client", client.failure, "is served", False)
        table.check(scene.title, "the program", "runs" if scene.target.is_running else "ended", "runs",
                    scene.target.is_running)
    finally:
        scene.end()


def jobs_of(options, table, folder, scene):
    """All that is asked for, each to be called."""
    jobs = [lambda name=name, command=command, number=few if options.short else many:
            attack(scene(name, command, number), table)
            for name, command, many, few in ATTACKS if options.wants(name, command)]
    if options.wants("kills", "relay"):
        jobs.append(Kills(options.binary, table, folder, FEW_KILLS if options.short else KILLS).run)
    if options.wants("disk", "relay"):
        jobs += Disk(options.binary, table, f"{folder}/disk").cases()
    return jobs


class Options(argparse.Namespace):
    """What is asked for on the command line."""

    def wants(self, name, command):
        return (not self.attack or name in self.attack) and self.program in (None, command)


def give_up():
    """Shows where every thread waits, and ends this and what it started: else nobody hears of what hangs."""
    print(f"load: not through after {LONGEST_SHORT} s", file=sys.stderr, flush=True)
    faulthandler.dump_traceback()
    try:
        subprocess.run(["pkill", "-KILL", "-P", str(os.getpid())], check=False)
    finally:
        os._exit(1)


def main():
    parser = argparse.ArgumentParser(description="Attacks the built program and says what holds.")
    parser.add_argument("attack", nargs="*", help="which attacks; all where none is named")
    parser.add_argument("--program", choices=["relay", "serve"], help="only what meets this one")
    parser.add_argument("--binary", default=os.environ.get("LINNET_BIN"), help="the program (or LINNET_BIN)")
    parser.add_argument("--seconds", type=float, default=10, help="how long each attack is measured")
    parser.add_argument("--rest", type=float, default=RESTS, help="when memory is looked at after it")
    parser.add_argument("--short", action="store_true", help="counts instead of times")
    options = parser.parse_args(namespace=Options())
    if options.short:
        watch = threading.Timer(LONGEST_SHORT, give_up)
        watch.daemon = True
        watch.start()
    folder = tempfile.mkdtemp(prefix="linnet-load-")
    keys, now = nostr_sdk.Keys.generate(), int(time.time())
    stored, many_notes = (500, 100) if options.short else (EVENTS, 2000)
    seed = seeded(options.binary, folder, signed(keys, stored, now - 100_000, WORDS))
    notes = signed(nostr_sdk.Keys.generate(), many_notes, now - 10_000, WORDS)
    table = Table(is_whole=not options.short)
    try:
        # What is only counted may go on side by side.
        with concurrent.futures.ThreadPoolExecutor(SIDE_BY_SIDE if options.short else 1) as places:
            jobs = [places.submit(job) for job in
                    jobs_of(options, table, folder, lambda name, command, number: Scene(
                        options, name, command, number, seed, notes, keys.public_key().to_bech32()))]
            for job in jobs:
                job.result()
    finally:
        shutil.rmtree(folder)
    print(f"{table.failed} of {table.looks} bounds do not hold." if table.failed else
          f"load: {table.looks} bounds hold")
    sys.exit(1 if table.failed else 0)


if __name__ == "__main__":
    main()
