"""What a page loads: how many bytes, each thing once, no style sheet missing, nothing that moves; counted, not timed."""

import json
import pathlib
import re
import urllib.parse

import pytest

from conftest import DESKTOP
from looking import SIZES
from map_page import LEAFLET, MapPage, pin
from program import fetch

ASSETS = pathlib.Path(__file__).parents[2] / "Sources" / "WebUI" / "Assets"
SHIFTS = """
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries()) {
      if (shift.hadRecentInput) continue;
      window.shifts.push([shift.value, shift.sources.map(({ node }) => node?.className ?? node?.nodeName)]);
    }
  }).observe({ type: "layout-shift", buffered: true });
"""
PAGES = [
    "/home", "/search?q=bread", "/compose", "/relays", "/settings", "/shortcuts", "/messages", "/messages/new", "/circles",
    "/signer", "/signer/settings", "/signer/connect", "/lists", "/drafts", "/history", "/keys", "/tags/birds",
    "/settings/maps", "/profile/edit", "/nothing-here",
]


class Loads:
    """Everything a page asks for until it is quiet, with the bytes that came over the line."""

    def __init__(self, page):
        self.sizes = {}
        self.addresses = []
        self.types = {}
        self.cached = set()
        names = {}
        client = page.context.new_cdp_session(page)
        client.send("Network.enable")

        def answered(event):
            names[event["requestId"]] = event["response"]["url"]
            self.addresses.append(event["response"]["url"])
            self.types[event["response"]["url"]] = event["response"]["mimeType"]
            if event["response"].get("fromDiskCache"):
                self.cached.add(event["response"]["url"])

        def ended(event):
            url = names.get(event["requestId"])
            if url:
                self.sizes[url] = self.sizes.get(url, 0) + event["encodedDataLength"]

        client.on("Network.responseReceived", answered)
        client.on("Network.loadingFinished", ended)

    def named(self, ending):
        return sorted({pathlib.PurePath(urllib.parse.urlparse(url).path).stem for url in self.addresses
                       if urllib.parse.urlparse(url).path.endswith(ending)})

    def without_pictures(self):
        return sum(size for url, size in self.sizes.items() if not self.types[url].startswith("image/"))


def hears_nothing(page):
    """What the page itself loads and how it is drawn is looked at, not what people write meanwhile."""
    page.add_init_script("""
      window.EventSource = class extends EventTarget { close() {} };
      // After three seconds such a page would say above everything that Linnet does not answer.
      const later = window.setTimeout;
      window.setTimeout = (work, wait, ...given) => (wait === 3000 ? 0 : later(work, wait, ...given));
    """)


def load(chromium, program, session, path, **options):
    context = chromium.new_context(storage_state=session, base_url=program.base, viewport=DESKTOP, **options)
    page = context.new_page()
    page.set_default_timeout(60000)
    hears_nothing(page)
    loads = Loads(page)
    page.goto(path, wait_until="load")
    page.wait_for_timeout(700)
    return context, page, loads


def test_home_is_lighter_than_a_hundred_thousand_bytes_without_pictures(chromium, program, session):
    # What is weighed is a whole page of notes: a short one goes on to older notes at once, where the program has just begun.
    context = chromium.new_context(storage_state=session, base_url=program.base)
    page = context.new_page()
    for _ in range(120):
        if fetch(context, f"{program.base}/home").read().count(b'<article class="note') >= 25:
            break
        page.wait_for_timeout(500)
    context.close()
    context, page, loads = load(chromium, program, session, "/home")
    assert page.locator(".note").count() >= 25
    weight = loads.without_pictures()
    print(json.dumps({"home": weight, "requests": len(loads.addresses), "sizes": loads.sizes}, indent=1))
    context.close()
    assert 10_000 < weight <= 100_000
    # How many pictures there are, those who write decide.
    assert len([url for url in loads.addresses if not loads.types[url].startswith("image/")]) <= 35
    files = [url for url in loads.addresses if "/assets/" in url or "/avatar/" in url or "/photo/" in url]
    twice = {url for url in files if files.count(url) > 1}
    assert files and twice == set(), "no picture, script or style sheet is fetched twice"


def test_settings_load_their_own_scripts_and_styles_alone(chromium, program, session):
    context, _, loads = load(chromium, program, session, "/settings")
    scripts, styles = loads.named(".js"), loads.named(".css")
    weight = sum(size for url, size in loads.sizes.items() if url.endswith((".js", ".css")))
    context.close()
    assert styles == ["linnet", "pages"]
    assert not {"messages", "signer", "map", "circles", "compose", "viewer", "nip07"} & set(scripts)
    assert len(scripts) <= 12
    assert weight <= 45_000, "it was 210 000"


def owners():
    """Which style sheets speak of a class."""
    found = {}
    for sheet in ASSETS.glob("*.css"):
        text = re.sub(r"/\*.*?\*/", "", sheet.read_text(), flags=re.S)
        for selectors in re.findall(r"([^{}]+)\{", text):
            for name in re.findall(r"\.([a-zA-Z][\w-]*)", selectors):
                found.setdefault(name, set()).add(sheet.stem)
    return found


def test_no_page_misses_a_style_sheet(chromium, program, session):
    known = owners()
    context = chromium.new_context(storage_state=session, base_url=program.base, viewport=DESKTOP)
    page = context.new_page()
    page.set_default_timeout(60000)
    missing = {}
    paths = list(PAGES)
    page.goto("/home")
    note = page.locator(".note").first
    paths.append(f"/note/{note.get_attribute('data-id')}")
    paths.append(f"/note/{note.get_attribute('data-id')}/menu")
    paths.append(note.locator(".name a").get_attribute("href"))
    for path in paths:
        page.goto(path)
        used, loaded = page.evaluate("""[
          [...new Set([...document.querySelectorAll("[class]")].flatMap((one) => [...one.classList]))],
          [...document.styleSheets].map((sheet) => sheet.href?.split("/").at(-1).replace(".css", "")),
        ]""")
        lost = {name: sorted(known[name]) for name in used if name in known and not known[name] & set(loaded)}
        if lost:
            missing[path] = lost
    context.close()
    assert missing == {}


@SIZES
@pytest.mark.parametrize("path", ["/home", "/circles", "/relays"])
def test_nothing_moves_once_it_is_drawn(path, size, chromium, program, session):
    context = chromium.new_context(storage_state=session, base_url=program.base, viewport=size)
    page = context.new_page()
    page.set_default_timeout(60000)
    page.add_init_script(SHIFTS)
    hears_nothing(page)
    page.goto(path, wait_until="load")
    page.wait_for_timeout(1200)
    shifts = page.evaluate("window.shifts")
    context.close()
    assert sum(value for value, _ in shifts) < 0.02, shifts


@SIZES
@pytest.mark.parametrize("ground", ["plain", "tiles"])
def test_nothing_moves_on_the_map_once_it_is_drawn(ground, size, chromium):
    if ground == "tiles" and not LEAFLET.is_dir():
        pytest.skip("no libjs-leaflet")
    served = MapPage([pin("ann", 52.52, 13.405, isSelf=True), pin("bob", 52.526, 13.417)], tiles=ground == "tiles")
    context = chromium.new_context(viewport=size, base_url=served.base, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(60000)
    page.add_init_script(SHIFTS)
    page.goto("/", wait_until="load")
    page.locator(".map[data-ground]").wait_for()
    page.locator(".pin").nth(1).wait_for()
    page.wait_for_timeout(700)
    shifts = page.evaluate("window.shifts")
    context.close()
    served.close()
    assert sum(value for value, _ in shifts) < 0.02, shifts
