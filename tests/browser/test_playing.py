"""Playing in a real browser: without scripts, with two tabs, with an impatient finger, with the keyboard alone."""

import re

from playwright.sync_api import Browser, Locator, Page, expect

from tests.service.pages.parlour import Parlour


def taken(parlour: Parlour, match: str, after: int) -> int:
    """How many actions came by link since a version."""
    lines = parlour.site.desk.history(match, after)
    return sum(line.type == "action.taken" and b'"via":"link"' in bytes(line.by) for line in lines)


def filled(page: Page, name: str = "Ann") -> Locator:
    """The start page with a name and an address in it, and the button that starts the match."""
    page.goto("/")
    page.get_by_label("Your name").fill(name)
    page.get_by_label("Your mail address").fill("ann@example.org")
    return page.get_by_role("button", name="Start the match")


def test_a_match_is_started_from_the_first_page(page: Page, parlour: Parlour):
    filled(page).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("A mail is under way")
    expect(page.get_by_text("ann@example.org")).to_be_visible()
    assert len(parlour.site.redis.keys("*:ev")) == 1


def test_a_double_click_starts_one_match(page: Page, parlour: Parlour):
    filled(page).dblclick()
    expect(page.get_by_role("heading", level=1)).to_have_text("A mail is under way")
    assert len(parlour.site.redis.keys("*:ev")) == 1


def test_what_was_typed_stays_when_something_is_wrong(page: Page):
    start = filled(page, "Ann www.evil.com")
    page.get_by_text("More options").click()
    page.get_by_label("Goals to win").fill("2")
    start.click()
    expect(page.get_by_label("Your name")).to_have_value("Ann www.evil.com")
    expect(page.get_by_label("Your name")).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label("Goals to win")).to_have_value("2")
    expect(page.get_by_label("Your name")).to_have_accessible_description(re.compile("^A name must not look like a mail or web address"))


def test_a_choice_from_the_mail_is_one_click_away(page: Page, parlour: Parlour):
    match = parlour.choosing("Ann")
    line = parlour.legal(match)[1]
    page.goto(parlour.link(match, choice=2))
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Play {line}?")
    expect(page.get_by_role("radio", name=line)).to_be_checked()
    page.get_by_role("button", name=f"Play {line}").click()
    expect(page.get_by_role("heading", name="you have played").or_(page.get_by_role("heading", name="you played"))).to_be_visible()
    assert taken(parlour, match.id, match.version) == 1


def test_a_double_click_plays_once(page: Page, parlour: Parlour):
    match = parlour.choosing("Ann")
    page.goto(parlour.link(match, choice=1))
    page.get_by_role("button", name=re.compile("^Play (?!the|this)")).dblclick()
    expect(page.get_by_text("you have played").or_(page.get_by_text("you played")).first).to_be_visible()
    assert taken(parlour, match.id, match.version) == 1


def test_going_back_and_sending_again_plays_once(page: Page, parlour: Parlour):
    match = parlour.choosing("Ann")
    link = parlour.link(match, choice=1)
    page.goto(link)
    page.get_by_role("button", name=re.compile("^Play (?!the|this)")).click()
    page.wait_for_load_state()  # a text without its style sheet has other line breaks
    shown = page.inner_text("main")
    page.go_back()
    page.goto(link)
    assert page.inner_text("main") == shown
    assert taken(parlour, match.id, match.version) == 1


def test_two_tabs_play_once_and_the_second_reads_what_counts(page: Page, parlour: Parlour):
    match = parlour.choosing("Ann")
    first, second = parlour.legal(match)[:2]
    page.goto(parlour.link(match, choice=1))
    other = page.context.new_page()
    other.goto(parlour.link(match, choice=2))
    page.get_by_role("button", name=re.compile("^Play (?!the|this)")).click()
    other.get_by_role("button", name=re.compile("^Play (?!the|this)")).click()
    expect(other.get_by_role("alert")).to_contain_text(f"“{second}” was not played: at that point you had already played {first}, and that counts.")
    assert taken(parlour, match.id, match.version) == 1


def test_the_keyboard_alone_is_enough(page: Page, parlour: Parlour):
    match = parlour.choosing("Ann")
    second = parlour.legal(match)[1]
    page.goto(parlour.link(match))
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the page")).to_be_focused()
    page.keyboard.press("Enter")
    radios = page.get_by_role("radio")
    for _ in range(20):
        page.keyboard.press("Tab")
        if radios.first.evaluate("radio => document.activeElement === radio"):
            break
    expect(radios.first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name=second)).to_be_checked()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Play the ticked action")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("you have played").or_(page.get_by_text("you played")).first).to_be_visible()
    assert taken(parlour, match.id, match.version) == 1


def test_a_line_can_be_written_instead(page: Page, parlour: Parlour):
    match = parlour.choosing("Ann")
    page.goto(parlour.link(match))
    field = page.get_by_label("Or write it, as in a reply by mail")
    field.fill("castle")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Not played: “castle” is no action of Fourfold")
    expect(field).to_have_value("castle")
    field.fill(parlour.legal(match)[0])
    page.keyboard.press("Enter")
    expect(page.get_by_text("you have played").or_(page.get_by_text("you played")).first).to_be_visible()


def test_a_match_is_played_to_its_end_by_links(page: Page, parlour: Parlour):
    match = parlour.start("Ann", options={"goals_to_win": 1})
    while match.status == "live":
        page.goto(parlour.link(match))
        page.get_by_role("radio").last.check()
        page.get_by_role("button", name="Play the ticked action").click()
        match = parlour.bots(match)
    page.reload()
    expect(page.get_by_text("The match is over, by goals")).to_be_visible()
    page.get_by_role("link", name="The full history").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Everything that happened")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the history").click()
    assert download.value.suggested_filename == f"fourfold-{match.id}.ndjson"


def test_a_machine_that_opens_every_link_twice_changes_nothing(browser: Browser, base: str, parlour: Parlour):
    match = parlour.choosing("Ann")
    waiting = parlour.start("Cy", invited="Bo")
    context = browser.new_context(base_url=base)  # with scripts, as a scanner's browser has them
    tab = context.new_page()
    links = [parlour.link(match, choice=choice) for choice in range(len(parlour.legal(match)) + 1)]
    links += [parlour.link(match, "view"), parlour.link(match, "resign"), parlour.link(waiting, "join", seat="east")]
    before = parlour.written()
    for link in links * 2:
        response = tab.goto(link)
        assert response
        assert response.status == 200
    for address in {anchor.evaluate("a => a.href") for anchor in tab.get_by_role("link").all()}:
        context.request.get(address)
        context.request.head(address)
    context.close()
    assert parlour.written() == before
    assert (parlour.look(match).version, parlour.look(waiting).version) == (match.version, waiting.version)
