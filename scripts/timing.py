#!/usr/bin/env python3
"""How long the parts of a check took, as a table at its end.

    scripts/timing.py run NAME COMMAND…    runs a command and notes its time under a name
    scripts/timing.py begin                forgets what was noted
    scripts/timing.py table                prints what was noted, and which tests passed only when they ran once more
"""
import os
import subprocess
import sys
import time


def folder():
    path = os.environ.get("LINNET_BUILD") or ".build"
    os.makedirs(path, exist_ok=True)
    return path


def notes():
    return os.path.join(folder(), "timing.txt")


def unsteady():
    return os.path.join(folder(), "unsteady.txt")


def note(name, seconds):
    with open(notes(), "a", encoding="utf-8") as file:
        file.write(f"{seconds:.0f}\t{name}\n")


def run(name, command):
    began = time.monotonic()
    status = subprocess.call(command)
    note(name, time.monotonic() - began)
    return status


def table():
    if not os.path.exists(notes()):
        return
    with open(notes(), encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t", 1) for line in file]
    print("\n  seconds  part\n  -------  ----")
    for seconds, name in rows:
        print(f"  {int(seconds):7d}  {name}")
    if os.path.exists(unsteady()):
        with open(unsteady(), encoding="utf-8") as file:
            print("\nUNSTEADY, passed only when run once more by itself; find out why:\n" + file.read())


def main():
    match sys.argv[1:]:
        case ["run", name, *command] if command:
            sys.exit(run(name, command))
        case ["begin"]:
            for path in (notes(), unsteady()):
                if os.path.exists(path):
                    os.remove(path)
        case ["table"]:
            table()
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
