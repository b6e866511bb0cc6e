"""What is muted: gone from every page but for a mark, and shown to whoever asks for it."""

import re

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, enter
from looking import SIZES, holds_in_both


@pytest.fixture(scope="module")
def muted(chromium, own_program):
    """A person who answered a note of home, muted; with the conversation, and the browser's state."""
    context = chromium.new_context(base_url=own_program.base, viewport=DESKTOP)
    context.set_default_timeout(60000)
    page = context.new_page()
    enter(page, own_program)
    own = page.locator(".nav-item[href^='/people/']").get_attribute("href").rsplit("/", 1)[-1]
    found = None
    for _ in range(40):
        for path in page.eval_on_selector_all(".note a.when", "all => all.map(a => a.getAttribute('href'))")[:25]:
            page.goto(path)
            # At one moment: answers are drawn anew when more come.
            replies = page.evaluate("""() => {
                const asker = document.querySelector(".note.is-focus")?.dataset.author;
                return [...document.querySelectorAll(".replies .note")]
                    .map((note) => [note.dataset.author, note.querySelector(".name").innerText])
                    .filter(([author]) => asker && author !== asker);
            }""")
            # What they call themselves may still be on its way.
            named = [(author, name) for author, name in replies if author != own and not name.startswith("npub1")]
            if named:
                found = path, *named[0]
                break
        if found:
            break
        page.goto("/home")
        page.locator(".note").first.wait_for()
    assert found
    path, author, name = found
    page.goto(f"/people/{author}")
    page.locator(".menu summary").click()
    page.get_by_role("button", name=re.compile("^Mute")).click()
    expect(page.locator(".notice")).to_contain_text("Muted")
    state = context.storage_state()
    context.close()
    return {"path": path, "author": author, "name": name, "state": state}


@pytest.fixture(scope="module")
def own_state(muted):
    return muted["state"]


@SIZES
def test_a_conversation_has_a_mark_in_the_place_of_who_is_muted(open_page, muted, size):
    page = open_page(muted["path"], viewport=size)
    mark = page.locator(".hidden-note").first
    expect(mark).to_be_visible()
    expect(page.locator(f".note[data-author='{muted['author']}']")).to_have_count(0)
    holds_in_both(page, f"muted-{'desk' if size == DESKTOP else 'phone'}")


def test_it_is_shown_by_keyboard_to_whoever_asks(open_page, muted):
    page = open_page(muted["path"])
    page.locator(".hidden-note a").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**show=1*")
    expect(page.locator(f".note[data-author='{muted['author']}']").first).to_be_visible()
    page.get_by_role("link", name="Hide again").click()
    expect(page.locator(f".note[data-author='{muted['author']}']")).to_have_count(0)


def test_it_is_shown_without_scripts(open_page, muted):
    page = open_page(muted["path"], java_script_enabled=False)
    page.locator(".hidden-note a").first.click()
    expect(page.locator(f".note[data-author='{muted['author']}']").first).to_be_visible()


def test_their_page_says_so_and_names_them_only_when_asked(open_page, muted):
    page = open_page(f"/people/{muted['author']}")
    expect(page.locator("h1 .chip")).to_have_text("Muted")
    expect(page.locator("h1")).not_to_contain_text(muted["name"])
    page.get_by_role("link", name="Show their profile").click()
    expect(page.locator("h1")).to_contain_text(muted["name"])
    page.goto("/lists/10000")
    expect(page.locator("main")).to_contain_text(muted["name"])


def test_what_is_stored_of_them_is_deleted_by_keyboard(open_page, muted):
    page = open_page(f"/people/{muted['author']}")
    following = page.get_by_role("button", name="Following", exact=True)
    if following.count():
        expect(page.locator("main")).to_contain_text("unfollow them first")
        following.click()
        expect(page.get_by_role("button", name="Follow", exact=True)).to_be_visible()
        page.goto(f"/people/{muted['author']}")
    page.get_by_role("button", name="Delete it here").press("Enter")
    expect(page.locator(".notice")).to_contain_text("from this machine")
    holds_in_both(page, "muted-person-deleted")
