"""The map of a circle, on a page of its own: with the keyboard, at every latitude, with tiles and without."""

import math

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE, WATCH
from looking import SCHEMES, rules_within, shot, sticks_out, violations
from map_page import ASSETS, LEAFLET, MapPage, pin

HOME = (52.52, 13.405)
EARTH = 6_371_008.8
GROUNDS = ["plain", pytest.param("tiles", marks=pytest.mark.skipif(not LEAFLET.is_dir(), reason="no libjs-leaflet"))]
IN_VIEW = """() => [...document.querySelectorAll(".pin")].every((pin) => {
  const box = pin.getBoundingClientRect(), view = document.querySelector(".map-view").getBoundingClientRect();
  return box.left >= view.left && box.right <= view.right && box.top >= view.top && box.bottom <= view.bottom;
})"""


def family():
    lat, lon = HOME
    return [
        pin("ann", lat, lon, isSelf=True, accuracy=15, age=10),
        pin("bob", lat + 0.006, lon + 0.012, accuracy=120, age=130, trail=[[lat + 0.002, lon + 0.003, 1], [lat + 0.004, lon + 0.009, 2]]),
        pin("cleo", lat + 0.0001, lon + 0.0001, accuracy=8),
        pin("dora", lat - 0.004, lon - 0.01, battery=7, age=4000, state="nonetwork", words="No network there for an hour."),
        pin("emil", lat - 0.006, lon + 0.006, age=7500, state="paused", words="Paused until 18:00.", accuracy=300),
        pin("finn", None, None, age=None, state="norelay", words="No relay of the circle answers.", battery=None),
    ]


PLACES = [
    {"name": "Home", "lat": HOME[0], "lon": HOME[1], "radius": 120},
    {"name": "School", "lat": HOME[0] + 0.005, "lon": HOME[1] - 0.006, "radius": 150},
]


@pytest.fixture
def show(chromium):
    """Opens a page with a map; script errors and refusals of the policy fail the test."""
    opened, problems = [], []

    def open_page(pins=(), places=(), options=None, grants=None, here=None, script="", **more):
        served = MapPage(pins, places, **(options or {}))
        context = chromium.new_context(**{"viewport": DESKTOP, "reduced_motion": "reduce", "base_url": served.base, **more})
        opened.append((served, context))
        context.set_default_timeout(20000)
        if grants:
            context.grant_permissions(grants, origin=served.base)
        if here:
            context.set_geolocation(here)
        page = context.new_page()
        page.add_init_script(WATCH + script)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto("/")
        # The map is drawn once it knows its size, which the browser says after the ground is there.
        page.locator(".map[data-ground][data-scale]").wait_for()
        page.served = served
        return page

    yield open_page
    for served, context in opened:
        for page in context.pages:
            problems += page.evaluate("window.ran")
        context.close()
        served.close()
    assert problems == []


def centre(page, key):
    """Where a pin points, in the page."""
    return page.locator(f'.pin[data-key="{key}"]').evaluate(
        """(pin) => { const box = pin.getBoundingClientRect(), style = getComputedStyle(pin);
        const [x, y] = style.translate === "none" ? [0, 0] : style.translate.split(" ").map(parseFloat);
        return [box.left + box.width / 2 - (x || 0), box.bottom + 8 - (y || 0)]; }"""
    )


@pytest.mark.parametrize("ground", GROUNDS)
def test_people_are_chosen_on_the_map_and_in_the_list_alike(show, ground):
    page = show(family(), PLACES, {"tiles": ground == "tiles"})
    assert page.locator(".map").get_attribute("data-ground") == ground
    bob = page.get_by_role("listitem").filter(has_text="Bob").get_by_role("button")
    page.locator('.pin[data-key="bob"]').click()
    expect(bob).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#say")).to_contain_text("km north-east of you")
    dora = page.get_by_role("listitem").filter(has_text="Dora").get_by_role("button")
    dora.click()
    expect(page.locator('.pin[data-key="dora"]')).to_have_attribute("aria-pressed", "true")
    expect(page.locator('.pin[data-key="bob"]')).to_have_attribute("aria-pressed", "false")
    dora.click()
    expect(page.locator('.pin[aria-pressed="true"]')).to_have_count(0)


@pytest.mark.parametrize("ground", GROUNDS)
def test_the_map_takes_no_style_of_other_parts(show, ground):
    page = show(family(), PLACES, {"tiles": ground == "tiles"})
    page.locator(".pin").first.wait_for()
    for sheet in sorted(ASSETS.glob("*.css")):
        # These are the map's own, and what holds on every page.
        if sheet.name not in ("map.css", "linnet.css"):
            assert rules_within(page, sheet.read_text(), ".map-stage") == [], sheet.name


def test_the_list_tells_who_is_where_and_why_it_is_old(show):
    page = show(family(), PLACES)
    row = lambda name: page.get_by_role("listitem").filter(has_text=name)
    expect(row("Ann")).to_contain_text("Ann (you)")
    expect(row("Ann")).to_contain_text("at Home")
    expect(row("Bob")).to_contain_text("2 min")
    expect(row("Bob")).to_contain_text("1.1\u00a0km north-east of you · within 120\u00a0m · battery 80\u00a0%")
    expect(row("Dora")).to_contain_text("No network there for an hour.")
    expect(row("Finn")).to_contain_text("No relay of the circle answers.")
    expect(row("Finn").get_by_role("button")).to_be_disabled()
    expect(page.locator(".pin")).to_have_count(5)


@pytest.mark.parametrize("ground", GROUNDS)
def test_the_map_obeys_the_keyboard(show, ground):
    page = show(family(), PLACES, {"tiles": ground == "tiles"})
    view = page.get_by_role("group", name="Map")
    page.keyboard.press("Tab")
    expect(view).to_be_focused()
    assert view.evaluate("(view) => getComputedStyle(view).outlineStyle") != "none"
    scale = lambda: float(page.locator(".map").get_attribute("data-scale"))
    start, x = scale(), centre(page, "dora")[0]
    page.keyboard.press("ArrowRight")
    page.wait_for_function("before => document.querySelector('.pin[data-key=dora]').getBoundingClientRect().left < before - 60", arg=x - 22)
    page.keyboard.press("+")
    page.wait_for_function("before => Number(document.querySelector('.map').dataset.scale) < before", arg=start)
    for _ in range(3):
        page.keyboard.press("-")
        page.wait_for_timeout(300) if ground == "tiles" else None
    page.wait_for_function("before => Number(document.querySelector('.map').dataset.scale) > before", arg=start)
    page.keyboard.press("Home")
    page.wait_for_function("before => Number(document.querySelector('.map').dataset.scale) === before", arg=start)
    assert page.evaluate(IN_VIEW)
    seen = []
    for _ in range(5):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.dataset.key"))
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    assert sorted(seen) == ["ann", "bob", "cleo", "dora", "emil"]
    page.keyboard.press("Enter")
    expect(page.locator(f'.pin[data-key="{seen[-1]}"]')).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(page.locator('.pin[aria-pressed="true"]')).to_have_count(0)


def test_a_pin_out_of_view_comes_into_it_with_the_focus(show):
    page = show(family(), PLACES)
    page.get_by_role("group", name="Map").focus()
    for _ in range(30):
        page.keyboard.press("ArrowRight")
    assert not page.evaluate(IN_VIEW)
    page.keyboard.press("Tab")
    view, pin_box = page.locator(".map-view").bounding_box(), page.locator(".pin:focus").bounding_box()
    assert view["x"] <= pin_box["x"] <= view["x"] + view["width"]


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("latitude", [0, 52, 80, -80])
def test_the_scale_is_true_at_every_latitude(show, latitude, ground):
    """Two people a known way apart along the parallel: the bar measures it as the sphere does."""
    apart = 1000 / (EARTH * math.cos(math.radians(latitude))) * 180 / math.pi
    page = show([pin("west", latitude, 20.0), pin("east", latitude, 20.0 + apart)], options={"tiles": ground == "tiles"})
    pixels = centre(page, "east")[0] - centre(page, "west")[0]
    bar = page.locator(".map-scale-bar").evaluate("(bar) => bar.getBoundingClientRect().width")
    metres = float(page.locator(".map").get_attribute("data-scale"))
    assert pixels * metres / bar == pytest.approx(1000, rel=0.02)
    words = page.locator(".map-scale-words").inner_text().replace("\u00a0", " ")
    assert words == (f"{metres:.0f} m" if metres < 1000 else f"{metres / 1000:.0f} km")


@pytest.mark.parametrize("ground", GROUNDS)
def test_neighbours_across_the_date_line_are_neighbours(show, ground):
    page = show([pin("ann", -17.0, 179.99, isSelf=True), pin("bob", -17.0, -179.99)], options={"tiles": ground == "tiles"})
    assert float(page.locator(".map").get_attribute("data-scale")) <= 1000
    assert 20 < centre(page, "bob")[0] - centre(page, "ann")[0] < 700
    expect(page.get_by_role("listitem").filter(has_text="Bob")).to_contain_text("2.1\u00a0km east of you")


@pytest.mark.parametrize("ground", GROUNDS)
def test_who_crosses_the_date_line_stays_in_view(show, ground):
    page = show([pin("ann", -17.0, 179.999), pin("bob", -17.0, 179.95)], options={"tiles": ground == "tiles"})
    before = centre(page, "bob")
    page.evaluate("(pins) => updateMap(pins)", [pin("ann", -17.0, -179.9995), pin("bob", -17.0, 179.95)])
    assert page.evaluate(IN_VIEW)
    assert centre(page, "bob") == pytest.approx(before, abs=1)


def test_a_family_around_the_pole_fits_the_view(show):
    page = show([pin(f"p{turn}", 89.99, turn - 180.0) for turn in range(0, 360, 90)] + [pin("pole", 90, 0)])
    assert page.evaluate(IN_VIEW)
    page.get_by_role("group", name="Map").focus()
    for key in ["ArrowUp"] * 20 + ["-"] * 25 + ["+"] * 40 + ["Home"]:
        page.keyboard.press(key)
    assert page.evaluate(IN_VIEW)


def test_the_two_ends_of_the_earth_break_nothing(show):
    page = show([pin("ann", 40, 0, isSelf=True, trail=[[-40, 179, 1]]), pin("bob", -40, 180)])
    expect(page.locator(".pin")).to_have_count(2)
    assert "NaN" not in page.locator(".map-ground").inner_html()


def test_without_leaflet_there_is_a_map_all_the_same(show):
    page = show(family(), PLACES, {"tiles": True, "leaflet": False})
    assert page.locator(".map").get_attribute("data-ground") == "plain"
    expect(page.locator(".pin")).to_have_count(5)


@pytest.mark.skipif(not LEAFLET.is_dir(), reason="no libjs-leaflet")
def test_tiles_come_from_this_server_and_say_whose_they_are(show):
    page = show(family(), PLACES, {"tiles": True})
    page.locator(".leaflet-tile-loaded").first.wait_for()
    assert page.served.asked and all(path.startswith("/circles/tiles/") for path in page.served.asked)
    expect(page.locator(".map-attribution")).to_have_text("© the mappers")


@pytest.mark.parametrize("ground", GROUNDS)
def test_news_keeps_the_view_the_choice_and_the_focus(show, ground):
    page = show(family(), PLACES, {"tiles": ground == "tiles"})
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(400) if ground == "tiles" else None
    still, moving = centre(page, "dora"), centre(page, "bob")
    page.locator('.pin[data-key="bob"]').focus()
    page.keyboard.press("Enter")
    told = [one for one in family() if one["key"] != "emil"]
    told[1] = {**told[1], "lat": told[1]["lat"] + 0.001, "age": 0, "battery": 40}
    page.evaluate("(pins) => updateMap(pins)", told)
    expect(page.locator('.pin[data-key="bob"]')).to_be_focused()
    expect(page.locator('.pin[data-key="bob"]')).to_have_attribute("aria-pressed", "true")
    expect(page.locator('.pin[data-key="emil"]')).to_have_count(0)
    expect(page.get_by_role("listitem")).to_have_count(5)
    expect(page.get_by_role("listitem").filter(has_text="Bob")).to_contain_text("battery 40\u00a0%")
    assert centre(page, "dora") == pytest.approx(still, abs=1)
    # It glides there.
    for _ in range(100):
        if centre(page, "bob")[1] < moving[1] - 3:
            break
        page.wait_for_timeout(50)
    assert centre(page, "bob")[1] < moving[1] - 3
    # Also in the list.
    row = page.get_by_role("listitem").filter(has_text="Dora").get_by_role("button")
    row.focus()
    page.evaluate("(pins) => updateMap(pins)", list(reversed(told)))
    page.evaluate("(pins) => updateMap(pins)", told)
    expect(row).to_be_focused()


def test_fingers_and_wheel_move_and_zoom(show):
    page = show(family(), PLACES)
    box = page.locator(".map-view").bounding_box()
    before = centre(page, "dora")
    page.mouse.move(box["x"] + 300, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + 340, box["y"] + 80, steps=4)
    page.mouse.up()
    # The first pixels tell a drag from a click.
    assert centre(page, "dora") == pytest.approx([before[0] + 40, before[1] + 20], abs=12)
    before = float(page.locator(".map").get_attribute("data-scale"))
    page.mouse.wheel(0, 500)
    page.wait_for_function("before => Number(document.querySelector('.map').dataset.scale) > before", arg=before)
    page.evaluate("""() => {
      const view = document.querySelector(".map-view"), box = view.getBoundingClientRect();
      const touch = (kind, id, x) => view.dispatchEvent(new PointerEvent(kind, {
        pointerId: id, pointerType: "touch", clientX: box.left + x, clientY: box.top + 200, button: 0, bubbles: true }));
      view.setPointerCapture = () => {};
      touch("pointerdown", 11, 250); touch("pointerdown", 12, 350);
      touch("pointermove", 11, 100); touch("pointermove", 12, 500);
      touch("pointerup", 11, 100); touch("pointerup", 12, 500);
    }""")
    assert float(page.locator(".map").get_attribute("data-scale")) <= before


def test_what_is_told_of_people_cannot_bring_a_page_along(show):
    odd = pin("x", 1.0, 1.0, name="<img src=x onerror=alert(1)>", initials="<b>", words="<script>alert(1)</script>", picture="//elsewhere/x.png")
    page = show([odd, pin("y", "1", 1e9), pin("z", 95, 0)], [{"name": "<i>", "lat": 1, "lon": 1, "radius": -5}])
    expect(page.get_by_role("listitem")).to_have_count(3)
    expect(page.locator(".pin")).to_have_count(1)
    assert page.locator(".map img").count() == 0


def test_without_scripts_the_list_of_people_stands(chromium):
    served = MapPage(family())
    context = chromium.new_context(java_script_enabled=False, base_url=served.base)
    page = context.new_page()
    page.goto("/")
    expect(page.get_by_role("listitem").filter(has_text="Dora")).to_contain_text("No network there for an hour.")
    expect(page.locator(".map-stage")).to_have_count(0)
    context.close()
    served.close()


@pytest.mark.parametrize("size", ["desk", "phone"])
@SCHEMES
@pytest.mark.parametrize("ground", GROUNDS)
def test_the_map_is_accessible(show, ground, scheme, size):
    options = {"viewport": PHONE if size == "phone" else DESKTOP, "color_scheme": scheme}
    page = show(family(), PLACES, {"tiles": ground == "tiles", "sharing": 60}, **options)
    page.get_by_role("listitem").filter(has_text="Bob").get_by_role("button").click()
    assert violations(page) == []
    assert sticks_out(page) == 0
    page.evaluate("scrollTo(0, 0)")
    shot(page, f"map-{ground}-{scheme}-{size}", full_page=True)


# ---- Where this device is ----

HERE = {"latitude": 52.25, "longitude": 13.5, "accuracy": 12}


def wait_for_posts(page, count):
    for _ in range(600):
        if len(page.served.posts) >= count:
            return page.served.posts
        page.wait_for_timeout(50)
    raise AssertionError(f"{len(page.served.posts)} posts, not {count}")


def test_a_shared_place_is_posted_with_its_fields(show):
    page = show(options={"sharing": 60}, grants=["geolocation"], here=HERE)
    fix = wait_for_posts(page, 1)[0]
    assert (float(fix["lat"]), float(fix["lon"]), float(fix["acc"])) == (52.25, 13.5, 12)
    assert int(fix["ts"]) > 1_600_000_000
    assert fix["csrf"] == "word" and "error" not in fix and "alt" not in fix
    assert 0 <= int(fix.get("battery", 0)) <= 100
    expect(page.locator("form.sharing")).to_have_attribute("data-state", "fix")


def test_a_battery_that_runs_low_is_told_at_once_and_once(show):
    page = show(options={"sharing": 3600}, grants=["geolocation"], here=HERE, script="""
      const battery = new EventTarget();
      battery.level = 0.3;
      navigator.getBattery = async () => battery;
      window.charge = (level) => { battery.level = level; battery.dispatchEvent(new Event("levelchange")); };
    """)
    assert wait_for_posts(page, 1)[0]["battery"] == "30"
    # The next place is due in an hour.
    expect(page.locator("form.sharing")).to_have_attribute("data-state", "fix")
    page.evaluate("charge(0.21)")
    page.evaluate("charge(0.19)")
    fix = wait_for_posts(page, 2)[1]
    assert fix["battery"] == "19" and float(fix["lat"]) == 52.25
    page.evaluate("charge(0.18)")
    page.wait_for_timeout(400)
    assert len(page.served.posts) == 2
    # Once more only after it had recovered.
    page.evaluate("charge(0.5)")
    page.evaluate("charge(0.1)")
    assert wait_for_posts(page, 3)[2]["battery"] == "10"


def test_a_refusal_is_posted_once_as_denied(show):
    page = show(options={"sharing": 60}, script=failing(1))
    assert wait_for_posts(page, 1)[0]["error"] == "denied"
    assert "lat" not in page.served.posts[0]
    expect(page.locator("[data-sharing-state]")).to_contain_text("Location is blocked")
    page.evaluate("for (let n = 0; n < 3; n += 1) window.fail()")
    page.wait_for_timeout(300)
    assert len(page.served.posts) == 1


def failing(code):
    """A device whose every question ends in an error of this code."""
    return f"""
      const answers = [];
      window.fail = () => answers.forEach((answer) => answer({{ code: {code}, message: "" }}));
      const ask = (found, failed) => {{ answers.push(failed); setTimeout(() => failed({{ code: {code}, message: "" }})); return 1; }};
      Object.defineProperty(navigator, "geolocation", {{ value: {{ watchPosition: ask, getCurrentPosition: ask, clearWatch() {{}} }} }});
    """


@pytest.mark.parametrize("code, word", [(2, "unavailable"), (3, "timeout")])
def test_other_failures_are_posted_by_their_names(show, code, word):
    page = show(options={"sharing": 60}, script=failing(code))
    assert wait_for_posts(page, 1)[0]["error"] == word


def test_a_real_refusal_of_the_browser_is_told(show):
    page = show(options={"sharing": 60}, grants=["notifications"])
    assert wait_for_posts(page, 1)[0]["error"] == "denied"


def test_sharing_keeps_its_interval_and_stops_with_its_form(show):
    page = show(options={"sharing": 10}, grants=["geolocation"], here=HERE, script="""
      // The interval comes when the test says so, however long that takes.
      const set = window.setInterval, began = performance.now();
      performance.now = () => began;
      window.setInterval = (work, wait) => {
        if (wait !== 10000) return set(work, wait);
        (window.timers ??= []).push(work);
        return 0;
      };
      const watch = navigator.geolocation.watchPosition.bind(navigator.geolocation);
      navigator.geolocation.watchPosition = (found, ...rest) =>
        watch((position) => { found(position); window.known = position.coords.latitude; }, ...rest);
      window.stops = 0;
      const clear = navigator.geolocation.clearWatch.bind(navigator.geolocation);
      navigator.geolocation.clearWatch = (id) => { window.stops += 1; clear(id); };
    """)
    wait_for_posts(page, 1)
    page.context.set_geolocation({**HERE, "latitude": 52.26})
    page.wait_for_function("() => known === 52.26")
    page.wait_for_timeout(400)
    assert len(page.served.posts) == 1
    # The turn of the interval, without waiting for it.
    page.evaluate("timers.forEach((work) => work())")
    assert float(wait_for_posts(page, 2)[1]["lat"]) == 52.26
    page.evaluate("document.querySelector('form.sharing').hidden = true")
    page.wait_for_function("() => stops === 1")
    page.evaluate("timers.forEach((work) => work())")
    page.context.set_geolocation({**HERE, "latitude": 52.27})
    page.wait_for_timeout(400)
    assert len(page.served.posts) == 2


@pytest.mark.parametrize("interval, is_exact", [(10, True), (59, True), (60, False), (3600, False)])
def test_only_who_is_followed_closely_costs_the_satellites(show, interval, is_exact):
    page = show(options={"sharing": interval}, script="""
      Object.defineProperty(navigator, "geolocation", { value: {
        watchPosition(found, failed, options) { window.asked = options; return 1; }, getCurrentPosition() {}, clearWatch() {} } });
    """)
    asked = page.evaluate("asked")
    assert asked["enableHighAccuracy"] is is_exact
    assert asked["maximumAge"] <= 60000 and 15000 <= asked["timeout"] <= 60000
