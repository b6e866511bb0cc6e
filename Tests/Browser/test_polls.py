"""Polls: votes by keyboard and without scripts, changed votes, and asking one."""

from playwright.sync_api import expect

from conftest import DESKTOP, PHONE, wait_for
from looking import holds_in_both


def ask(page, question, several=False):
    """Asks a poll of one's own, which nobody else votes in; returns its id."""
    page.goto("/compose/poll")
    page.get_by_label("Your question").fill(question)
    page.get_by_label("Answer 1", exact=True).fill("Tea")
    page.get_by_label("Answer 2", exact=True).fill("Coffee")
    page.get_by_label("Answer 3 (optional)").fill("Water")
    if several:
        page.get_by_label("Several answers").check()
    page.get_by_role("button", name="Publish").click()
    page.wait_for_url("**/note/*")
    return page.url.rsplit("/", 1)[-1]


def test_a_vote_is_cast_and_changed_by_keyboard(visit):
    page = visit("/home", viewport=DESKTOP)
    poll = ask(page, "What shall it be at dawn?")
    card = page.locator(f".poll[data-poll='{poll}']")
    expect(card.get_by_role("radio")).to_have_count(3)
    holds_in_both(page, "poll-open")
    # Enter in a field does nothing to any note.
    card.get_by_role("radio").first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(page.locator(".act[aria-pressed='true']")).to_have_count(0)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    own = card.locator(".poll-result.is-own")
    expect(own).to_contain_text("Coffee")
    expect(own).to_contain_text("100%")
    holds_in_both(page, "poll-voted")
    card.get_by_text("Change your vote").press("Enter")
    card.get_by_role("radio", name="Water").check()
    card.get_by_role("button", name="Change vote").press("Enter")
    expect(own).to_contain_text("Water")
    page.reload()
    expect(own).to_contain_text("Water")


def test_without_scripts_and_on_a_phone_several_answers_are_chosen(visit):
    page = visit("/home", viewport=PHONE, java_script_enabled=False)
    poll = ask(page, "What do you drink?", several=True)
    page.goto(f"/polls/{poll}")
    page.get_by_role("checkbox", name="Tea").check()
    page.get_by_role("checkbox", name="Water").check()
    page.get_by_role("button", name="Vote").click()
    expect(page.locator(".note .poll-result.is-own")).to_have_count(2)
    expect(page.get_by_role("heading", name="Results")).to_be_visible()


def test_pages_of_polls_hold_on_a_phone(visit):
    page = visit("/compose/poll", viewport=PHONE)
    holds_in_both(page, "poll-new-phone")
    page.get_by_role("button", name="More answers").click()
    expect(page.get_by_label("Answer 6 (optional)")).to_be_visible()
    page.get_by_role("button", name="Publish").click()
    expect(page.locator("#poll-question:invalid")).to_be_focused()
    poll = ask(page, "Is a phone wide enough?")
    page.goto(f"/polls/{poll}")
    holds_in_both(page, "poll-page-phone")
    page.get_by_role("link", name="People you follow").click()
    expect(page.locator("[aria-current='true']", has_text="People you follow")).to_be_visible()


def test_votes_of_some_are_counted_alone_by_keyboard(visit):
    page = visit("/home", viewport=PHONE)
    poll = ask(page, "Whose votes count?")
    # Lists come from relays a moment after the first login.
    wait_for(page, f"/polls/{poll}", "nav[aria-label='Whose votes count'] a:has-text('Birders')")
    voters = page.get_by_role("navigation", name="Whose votes count")
    voters.get_by_role("link", name="Birders").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**of=list*")
    expect(voters.locator("[aria-current='true']")).to_have_text("Birders")
    voters.get_by_role("link", name="Work of 16 bits").press("Enter")
    expect(page.get_by_text("attempts each")).to_be_visible()
    holds_in_both(page, "poll-voters-phone")


def test_polls_of_others_stand_on_home_with_votes_from_their_relays(visit):
    page = visit("/home", viewport=DESKTOP)
    asked = page.locator(".note", has_text="Do you run your own relay?")
    poll = asked.locator(".poll[aria-label='Poll']").first
    for turn in range(300):
        if poll.count():
            break
        # Where the program has just begun, its people are still being asked.
        if turn % 30 == 29:
            page.reload()
        page.keyboard.press("End")
        page.wait_for_timeout(200)
    wait_for(page, f"/polls/{poll.get_attribute('data-poll')}", "main :text('people voted')")
    holds_in_both(page, "poll-of-others")
