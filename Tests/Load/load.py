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
import math
import os
import shutil
import subprocess
import sys
import tempfile
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
# How often the program is killed.
KILLS, FEW_KILLS = 500, 10
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

    def attackers(self):
        return subprocess.Popen(
            [sys.executable, f"{HERE}/attacks.py", self.name, str(self.target.port), str(self.count), self.events],
            stdout=subprocess.DEVNULL if self.options.short else None, stderr=subprocess.DEVNULL)

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
    attackers, peak = scene.attackers(), memory
    try:
        # A moment for all attackers to come.
        time.sleep(2)
        side_by_side(scene.everybody, seconds=scene.options.seconds)
        peak = target.memory
    finally:
        attackers.kill()
        attackers.wait()
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
    table.check(title, f"memory, {scene.options.rest} s after", f"{size(target.memory)} (attacked {size(peak)})",
                f"≤ {GROWTH} × before {size(memory)}", target.memory <= GROWTH * memory)
    settle_sockets(scene, descriptors)
    check_sockets(scene, table, descriptors)


def held(scene, before):
    """Whether the attacked program has more sockets than before and than the control, which dials relays as it does."""
    return scene.target.descriptors > max(before, scene.control.descriptors)


def settle_sockets(scene, before):
    """Waits until sockets are given back: each of the two programs dials relays at moments of its own."""
    for _ in range(600):
        if not held(scene, before):
            break
        time.sleep(0.1)


def check_sockets(scene, table, before):
    table.check(scene.title, "sockets after", str(scene.target.descriptors),
                f"as before: {before}, or the control: {scene.control.descriptors}", not held(scene, before))


def count(scene, table):
    """The short form: everything asked is answered, everything acknowledged is there, every socket is given back."""
    title, target = scene.title, scene.target
    side_by_side(scene.everybody, steps=2)
    descriptors = target.descriptors
    attackers = scene.attackers()
    try:
        side_by_side(scene.everybody, steps=STEPS)
    finally:
        attackers.kill()
        attackers.wait()
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
    settle_sockets(scene, descriptors)
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


def main():
    parser = argparse.ArgumentParser(description="Attacks the built program and says what holds.")
    parser.add_argument("attack", nargs="*", help="which attacks; all where none is named")
    parser.add_argument("--program", choices=["relay", "serve"], help="only what meets this one")
    parser.add_argument("--binary", default=os.environ.get("LINNET_BIN"), help="the program (or LINNET_BIN)")
    parser.add_argument("--seconds", type=float, default=10, help="how long each attack is measured")
    parser.add_argument("--rest", type=float, default=RESTS, help="when memory is looked at after it")
    parser.add_argument("--short", action="store_true", help="counts instead of times")
    options = parser.parse_args(namespace=Options())
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
