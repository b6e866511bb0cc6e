"""Names, notes and addresses that try to be markup: nothing runs, and the policy never has to step in."""

import json
import time
import urllib.parse

import pytest
import websocket

from nostr import Author, publish

HOSTILE = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)' x='",
    "</textarea></title></style><svg onload=alert(1)>",
    "<iframe srcdoc='<script>parent.alert(1)</script>'></iframe>",
    "<a href=\"javascript:alert(1)\">click</a>",
    "javascript:alert(1)//https://a.example",
    "https://a.example/\"onmouseover=\"alert(1)",
    "https://a.example/x.png\"onerror=\"alert(1)",
    "{{{csrf}}} {{#own}}{{key}}{{/own}}",
    "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "\u202ekcatta\u202c <base href='https://evil.example'>",
    "<meta http-equiv=refresh content='0;url=https://evil.example'>",
    "#<img/src/onerror=alert(1)> :<img src=x onerror=alert(1)>:",
]


@pytest.fixture(scope="module")
def attack(program, chromium, session):
    """A stranger whose every field is hostile, known to the relays the demo person uses."""
    context = chromium.new_context(storage_state=session, base_url=program.base)
    page = context.new_page()
    page.goto("/home")
    page.goto(page.locator(".nav-item[href^='/people/']").get_attribute("href"))
    relays = [text for text in page.locator(".aside li").all_inner_texts() if text.startswith("ws://")]
    victim = page.locator(".note").first.get_attribute("data-id")
    own = page.url.rsplit("/", 1)[-1]
    context.close()
    now = int(time.time())
    authors = [Author(10_000 + index) for index in range(len(HOSTILE))]
    events = []
    for index, (author, text) in enumerate(zip(authors, HOSTILE)):
        fields = ["name", "display_name", "about", "picture", "banner", "website", "nip05"]
        profile = "{" + ",".join(f'"{field}":{quoted(text)}' for field in fields) + "}"
        tags = [["e", victim, "", "root"], ["p", own], ["t", text], ["content-warning", text], ["emoji", "x", text]]
        events += [
            author.event(0, profile, at=now - 60),
            author.event(10002, "", [["r", relay] for relay in relays[:2]], at=now - 60),
            author.event(1, text, tags[:3], at=now - 50 + index),
            author.event(1, "Warned: " + text, tags, at=now - 30 + index),
        ]
    taken = set()
    for relay in relays:
        try:
            taken |= set(publish(relay, events))
        except (OSError, websocket.WebSocketException):
            continue  # one of the dead or slow relays of the simulated network
    notes = [event["id"] for event in events if event["kind"] == 1 and event["id"] in taken]
    assert notes, "a relay of the simulated network took the hostile notes"
    return authors, notes, victim


def quoted(text):
    return json.dumps(text, ensure_ascii=False)


def test_profiles_and_notes_stay_text(visit, attack):
    authors, notes, victim = attack
    page = visit(f"/note/{victim}")
    paths = [f"/note/{victim}", "/home"] + [f"/note/{note}" for note in notes] + [f"/people/{author.key}" for author in authors]
    seen = 0
    for path in paths:
        page.goto(path)
        if path.rsplit("/", 1)[-1] in notes:
            # Where relays are still being asked, nothing hostile stands there yet.
            page.locator(".note.is-focus").wait_for()
        for warned in page.locator("details.warned > summary").all()[:3]:
            warned.click()
        assert page.evaluate("window.ran") == [], path
        assert page.url.endswith(path), "nothing led away"
        assert page.locator("main script, main iframe, main base, main style, main [onerror], main [onload], main [onmouseover]").count() == 0
        assert page.locator("a[href^='javascript' i]").count() == 0
        words = page.locator("main").inner_text()
        seen += any(text in words for text in ["alert(1)", "{{{csrf}}}", "evil.example"])
    assert seen >= len(notes), "each of the hostile notes was shown"


def test_what_is_typed_stays_text(visit):
    page = visit("/home")
    for text in HOSTILE:
        page.goto("/search?q=" + percent(text))
        assert page.evaluate("window.ran") == []
        page.goto("/compose?text=" + percent(text))
        assert page.locator("#text").input_value() == text
        page.get_by_role("button", name="Preview").click()
        page.locator(".preview").wait_for()
        assert page.evaluate("window.ran") == []


def test_a_form_of_another_site_does_nothing(chromium, program, session):
    context = chromium.new_context(storage_state=session)
    page = context.new_page()
    page.route("http://evil.example/", lambda route: route.fulfill(content_type="text/html", body=form(program)))
    page.goto("http://evil.example/")
    page.get_by_role("button").click()
    page.wait_for_url(f"{program.base}/**")
    assert "/login" in page.url or "another site" in page.content() or "login link" in page.content()
    context.close()


def form(program):
    return f"<form method=post action='{program.base}/settings'><input name=media value=always><button>go</button></form>"


def percent(text):
    return urllib.parse.quote(text, safe="")
