#!/usr/bin/env python3
"""Which tests failed, by the reports that test programs write (JUnit's XML), and whether they may run once more.

    scripts/once_more.py files REPORT     the files of a browser run's failed tests, one a line; exits 1 where none is to
                                          run once more
    scripts/once_more.py judge REPORT AGAIN   names what failed in one run only as unsteady; exits 1 where something
                                          failed in both, or the second run ended otherwise

A test that fails and then passes by itself is unsteady: something about it, or about the program, depends on what else
the machine does. That is a fault to be found, not a reason to hold back everything else; so it is run once more when all
others are done, and named at the end of the run. Of more than a few in one part none is run again.
"""
import os
import sys
import xml.etree.ElementTree

import timing

# So many at once are no accident.
MOST = 3


def failed(report):
    """The class and name of each test that failed; nothing where there is no report, as of a program that crashed."""
    return [(case.get("classname"), case.get("name")) for case in cases(report) if troubles(case)]


def issues(report):
    """How many failures the tests of a report have; what failed outside of any test is not among them."""
    return sum(len(troubles(case)) for case in cases(report))


def may_run(tests):
    return 0 < len(tests) <= MOST


def cases(report):
    try:
        return list(xml.etree.ElementTree.parse(report).iter("testcase"))
    except (OSError, xml.etree.ElementTree.ParseError):
        return []


def troubles(case):
    return case.findall("failure") + case.findall("error")


def is_crash(case):
    """Whether the process of a browser's tests ended in the midst, by itself or because a test had hung."""
    return any("crashed while running" in (trouble.get("message") or "") for trouble in troubles(case))


def note(name):
    """Remembers a test that passed only when it ran once more; the table at the end of a run names it."""
    with open(timing.unsteady(), "a", encoding="utf-8") as file:
        file.write(name + "\n")


def files(report):
    if any(is_crash(case) for case in cases(report)):
        return 1
    tests = failed(report)
    # A test may need what those before it in its file have done.
    names = sorted({name.replace(".", "/") + ".py" for name, _ in tests})
    if not may_run(tests) or not all(os.path.exists(name) for name in names):
        return 1
    print("\n".join(names))
    return 0


def judge(report, again):
    before, after = failed(report), failed(again)
    if set(before) & set(after) or not may_run(before + after) or any(is_crash(case) for case in cases(again)):
        return 1
    if not set(before) <= {(case.get("classname"), case.get("name")) for case in cases(again)}:
        return 1
    for name, test in before + after:
        note(f"{name}.{test}")
        print(f"UNSTEADY: {name}.{test} failed in one of two runs")
    return 0


def main():
    match sys.argv[1:]:
        case ["files", report]:
            return files(report)
        case ["judge", report, again]:
            return judge(report, again)
        case _:
            return __doc__


if __name__ == "__main__":
    sys.exit(main())
