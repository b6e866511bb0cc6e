"""Looking at a page: what axe finds, what sticks out of its window, and a picture of it for people to look at."""

import pathlib

import pytest
from axe_playwright_python.sync_playwright import Axe

from conftest import DESKTOP, PHONE

SHOTS = pathlib.Path(__file__).parents[2] / ".build" / "screenshots"
# What a test of a page's looks is run for.
SIZES = pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
SCHEMES = pytest.mark.parametrize("scheme", ["light", "dark"])


def shot(page, name, **options):
    """Takes a screenshot; options are Playwright's own."""
    SHOTS.mkdir(parents=True, exist_ok=True)
    page.wait_for_load_state("domcontentloaded")
    page.screenshot(path=SHOTS / f"{name}.png", **options)


def violations(page):
    """The rules that axe finds broken, each with the first places where; of the whole page, once that has come."""
    page.wait_for_load_state("domcontentloaded")
    # What comes by itself fades in for a moment, and is too pale until it is there.
    page.emulate_media(reduced_motion="reduce")
    found = Axe().run(page).response["violations"]
    return [(one["id"], [node["target"] for node in one["nodes"]][:3]) for one in found]


def sticks_out(page):
    """How many pixels of the page are beyond the side of its window."""
    return max(0, page.evaluate("document.documentElement.scrollWidth - innerWidth"))


def holds(page, name, **options):
    """No violation axe knows and nothing sticking out, as the page is now; `shot` takes the options."""
    shot(page, name, **options)
    assert violations(page) == [], name
    assert sticks_out(page) == 0, f"{name} sticks out sideways"


def fits_in_both(page, name):
    """In light and dark nothing sticks out; for pages whose scripts are off, where axe would never come to an end."""
    for scheme in in_both(page):
        shot(page, f"{name}-{scheme}")
        assert sticks_out(page) == 0, f"{name}-{scheme} sticks out sideways"


def in_both(page):
    """Light and dark, the page as it is then; it need not be loaded again, since nothing but style sheets tells them apart."""
    for scheme in ["light", "dark"]:
        page.emulate_media(color_scheme=scheme)
        yield scheme


def holds_in_both(page, name, **options):
    """It holds in light and in dark; `shot` takes the options."""
    for scheme in in_both(page):
        holds(page, f"{name}-{scheme}", **options)


def rules_within(page, css, root):
    """The selectors of a style sheet, by its text, that fit anything within a part of a page."""
    return page.evaluate(
        """([css, root]) => {
            const sheet = new CSSStyleSheet();
            sheet.replaceSync(css);
            const selectors = [];
            const walk = (rules) => {
                for (const rule of rules) {
                    if (rule.selectorText) selectors.push(rule.selectorText);
                    if (rule.cssRules) walk(rule.cssRules);
                }
            };
            walk(sheet.cssRules);
            const parts = [...document.querySelectorAll(root)];
            return selectors.filter((one) => parts.some((part) => part.matches(one) || part.querySelector(one)));
        }""",
        [css, root],
    )
