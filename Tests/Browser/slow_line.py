"""How long home takes over a line like 3G on a slow phone: 1.6 Mbit/s, 150 ms, a processor four times slower.

Not a test: times depend on the machine. Run as `scripts/browser.sh Tests/Browser/slow_line.py`, or with LINNET_BIN and
LINNET_CHROMIUM set as `python3 Tests/Browser/slow_line.py [path …]`; it prints a line of JSON per visit, the first one of
them with nothing in the browser's store.
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
    return {"path": path, **rounded, "bytes": {name: round(size) for name, size in bytes_by_kind.items()}}


def main(paths):
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as data:
        chromium = playwright.chromium.launch(executable_path=os.environ.get("LINNET_CHROMIUM"), args=["--no-sandbox"])
        program = Program(pathlib.Path(data)).start()
        context = chromium.new_context()
        enter(context.new_page(), program)
        state = context.storage_state()
        context.close()
        for path in paths:
            for _ in range(ROUNDS):
                print(json.dumps(visit(chromium, program, state, path)), flush=True)
        program.stop()
        chromium.close()


if __name__ == "__main__":
    main(sys.argv[1:] or ["/home"])
