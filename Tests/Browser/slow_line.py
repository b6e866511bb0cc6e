"""How long home takes over a line like 3G on a slow phone: 1.6 Mbit/s, 150 ms, a processor four times slower.

Not a test: times depend on the machine. `make slow-line`, or after `scripts/browser.sh --setup-only`
`LINNET_BIN=.build/release/linnet .venv-browser/bin/python Tests/Browser/slow_line.py [path …]`. It prints a line of JSON
per visit, each with nothing in the browser's store, and one with the middle of them. It ends with 1 where home's middle is
beyond what is promised: painted in 1 s, all there in 2.5 s, 100 kB without pictures.
"""

import json
import os
import pathlib
import sys
import tempfile

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from conftest import PHONE, enter  # noqa: E402
from program import Program  # noqa: E402

LINE = {"offline": False, "latency": 150, "downloadThroughput": 1_600_000 / 8, "uploadThroughput": 750_000 / 8}
ROUNDS = 5
PROMISED = {"paint": 1000, "all": 2500, "weight": 100_000}


def visit(chromium, program, state, path):
    context = chromium.new_context(storage_state=state, base_url=program.base, viewport=PHONE)
    page = context.new_page()
    page.set_default_timeout(60000)
    client = context.new_cdp_session(page)
    client.send("Network.enable")
    client.send("Network.emulateNetworkConditions", LINE)
    client.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    bytes_by_kind, kinds = {}, {}
    client.on("Network.responseReceived", lambda event: kinds.update({event["requestId"]: event["type"]}))

    def ended(event):
        kind = kinds.get(event["requestId"], "Other")
        bytes_by_kind[kind] = bytes_by_kind.get(kind, 0) + event["encodedDataLength"]

    client.on("Network.loadingFinished", ended)
    page.goto(path, wait_until="load")
    page.wait_for_timeout(500)
    times = page.evaluate("""() => {
      const [entry] = performance.getEntriesByType("navigation");
      const paint = performance.getEntriesByName("first-contentful-paint")[0];
      const { responseStart, responseEnd, loadEventEnd } = entry;
      return { first: responseStart, html: responseEnd, paint: paint?.startTime, all: loadEventEnd };
    }""")
    context.close()
    rounded = {name: round(value) for name, value in times.items() if value is not None}
    weight = round(sum(size for name, size in bytes_by_kind.items() if name != "Image"))
    return {"path": path, **rounded, "weight": weight, "bytes": {name: round(size) for name, size in bytes_by_kind.items()}}


def middle(visits):
    """The middle of each figure; what is not there counts as never."""
    found = {name: sorted(visit.get(name, float("inf")) for visit in visits)[len(visits) // 2] for name in PROMISED}
    return {"path": visits[0]["path"], "middle of": len(visits), **found}


def chromium_path():
    """A browser of this machine; `None` for the one that Playwright fetched."""
    found = [path for path in (os.environ.get("LINNET_CHROMIUM"), "/usr/bin/chromium") if path and os.access(path, os.X_OK)]
    return found[0] if found else None


def main(paths):
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as data:
        chromium = playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])
        program = Program(pathlib.Path(data)).start()
        context = chromium.new_context()
        enter(context.new_page(), program)
        state = context.storage_state()
        context.close()
        kept = True
        for path in paths:
            visits = []
            for _ in range(ROUNDS):
                visits.append(visit(chromium, program, state, path))
                print(json.dumps(visits[-1]), flush=True)
            figures = middle(visits)
            print(json.dumps(figures), flush=True)
            if path == "/home":
                kept = all(figures[name] <= most for name, most in PROMISED.items())
        program.stop()
        chromium.close()
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["/home"]))
