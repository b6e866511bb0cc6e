"""How soon home is there with nine other pages open in the same browser, against home alone; and pages while notes come.

Not a test: times depend on the machine. `make ten-tabs`, or after `scripts/browser.sh --setup-only`
`LINNET_BIN=.build/release/linnet .venv-browser/bin/python Tests/Browser/ten_tabs.py`. It prints a line of JSON for 200 pages
fetched by HTTP while the simulated Nostr writes and notes are gathered, one for home alone, one for home as the tenth tab
(the middle of nine visits each, in ms since the navigation began), and one with the ratios. It ends with 1 where the tenth
tab is painted or there later than 1.25 times as late as home alone. A browser without a screen hides no page, so all ten are
at work.
"""

import http.client
import json
import pathlib
import sys
import tempfile
import time
import urllib.parse

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from conftest import DESKTOP, enter  # noqa: E402
from program import PATIENCE, Program  # noqa: E402
from slow_line import chromium_path  # noqa: E402

VISITS = 9
FETCHES = 200
PROMISED = 1.25


def fetched(program, state, paths):
    """How long pages take to come, by the connection of one browser; the paths in turn."""
    cookies = "; ".join(f"{one['name']}={one['value']}" for one in state["cookies"])
    headers = {"Host": urllib.parse.urlsplit(program.base).netloc, "Cookie": cookies, "Accept-Encoding": "gzip"}
    connection = http.client.HTTPConnection("127.0.0.1", program.port, timeout=PATIENCE)
    took = []
    for count in range(FETCHES):
        path = paths[count % len(paths)]
        began = time.perf_counter()
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        answer.read()
        took.append((1000 * (time.perf_counter() - began), path))
        assert answer.status == 200, f"{path}: {answer.status}"
    connection.close()
    took.sort()
    longest, slowest = took[-1]
    return {
        "pages fetched": len(took), "median": round(took[len(took) // 2][0], 1),
        "p99": round(took[-(-len(took) * 99 // 100) - 1][0], 1), "max": round(longest, 1), "slowest": slowest,
    }


def visit(context, path):
    """Opens a page in a tab of its own, and closes it."""
    page = context.new_page()
    page.goto(path, wait_until="load")
    page.wait_for_timeout(500)
    times = page.evaluate("""() => {
      const [entry] = performance.getEntriesByType("navigation");
      const paint = performance.getEntriesByName("first-contentful-paint")[0];
      return { paint: paint?.startTime, all: entry.loadEventEnd };
    }""")
    page.close()
    # What is not there counts as never.
    return {name: times.get(name) or float("inf") for name in ("paint", "all")}


def middle(context, path, others):
    # The first fills the browser's store, so that all that count find the same in it.
    visit(context, path)
    visits = [visit(context, path) for _ in range(VISITS)]
    figures = {name: round(sorted(one[name] for one in visits)[VISITS // 2], 1) for name in ("paint", "all")}
    print(json.dumps({"path": path, "other tabs": others, "middle of": VISITS, **figures}), flush=True)
    return figures


def entered(chromium, program):
    """The cookies of a demo person, and pages of all kinds that they see."""
    context = chromium.new_context(base_url=program.base)
    page = context.new_page()
    enter(page, program)
    thread = "/note/" + page.locator(".note").first.get_attribute("data-id")
    profile = page.locator(".nav-item[href^='/people/']").get_attribute("href")
    state = context.storage_state()
    context.close()
    return state, thread, profile


def main():
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as data:
        chromium = playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])
        program = Program(pathlib.Path(data)).start()
        state, thread, profile = entered(chromium, program)
        paths = ["/home", thread, profile, "/relays", "/notifications"]
        print(json.dumps(fetched(program, state, paths)), flush=True)

        context = chromium.new_context(storage_state=state, base_url=program.base, viewport=DESKTOP)
        context.set_default_timeout(60000)
        alone = middle(context, "/home", 0)
        others = [thread, profile, "/relays", "/notifications", "/settings", "/messages", "/circles", "/lists", "/signer"]
        for path in others:
            context.new_page().goto(path, wait_until="load")
        tenth = middle(context, "/home", len(others))
        ratios = {name: round(tenth[name] / alone[name], 2) for name in alone}
        print(json.dumps({"tenth tab to one alone": ratios, "promised": PROMISED}), flush=True)
        context.close()
        program.stop()
        chromium.close()
    return 0 if max(ratios.values()) <= PROMISED else 1


if __name__ == "__main__":
    sys.exit(main())
