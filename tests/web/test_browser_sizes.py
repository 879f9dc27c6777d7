"""The page on small phones, in landscape, and for players at two tables."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from pytest_asyncio import fixture

from bot.run.playground.page import ChannelPage
from bot.text.languages import LANGUAGES
from bot.text.words import Words, words_for
from bot.web.plain import plain
from tests.discord.club import Club, fantasyland_letters
from tests.in_turn import in_turn
from tests.web.browser import DESK, PHONE, Tab, browsing
from tests.web.open_pages import Open, served
from tests.web.test_browser import tab, three

pytestmark = pytest.mark.browser

SMALL = (({"width": 320, "height": 568}, 30), ({"width": 568, "height": 320}, 25), ({"width": 844, "height": 390}, 46))
"""Small phones, one of them in landscape, and the minimum width of the player's own cards."""

BELOW_TOOLBAR = """() => Math.abs(document.getElementById("table-frame").getBoundingClientRect().top
  - document.getElementById("toolbar").getBoundingClientRect().bottom) <= 1"""
"""The table begins where the toolbar ends."""

COUNTS_LAYOUTS = """() => {
  const put = CSSStyleDeclaration.prototype.setProperty;
  window.layouts = 0;
  CSSStyleDeclaration.prototype.setProperty = function (name, ...told) {
    window.layouts += name === "--own";
    return put.call(this, name, ...told);
  };
}"""

OUTSIDE = """() => {
  const popover = "#toolbar details[open] .session-menu-popover";
  const all = [...document.querySelectorAll(`#toolbar > :not([role=status]), ${popover}`)]
    .filter((one) => one.checkVisibility());
  const parts = all.filter((one) => {
    const { left, right, top } = one.getBoundingClientRect();
    return left < 0 || top < 0 || right > innerWidth;
  });
  return { seen: all.length, parts: parts.map((one) => one.outerHTML.slice(0, 80)) };
}"""
"""Measures the playground's toolbar and the part of it that is off the screen."""


APART = """all => all.map((row) => {
  const text = document.createRange();
  text.selectNodeContents(row.querySelector(".made"));
  const line = parseFloat(getComputedStyle(row.querySelector(".made")).lineHeight);
  const { top, height } = text.getBoundingClientRect();
  const next = row.nextElementSibling?.querySelector(".slots")?.getBoundingClientRect().top ?? Infinity;
  const [first, last] = [top + (height - line) / 2, top + (height + line) / 2];
  return Math.min(first - row.querySelector(".slots").getBoundingClientRect().bottom, next - last);
})"""
"""Measures the distances between opponents' hand names and the cards above and below."""

BELOW_CHIPS = """all => all.map((seat) => {
  const text = document.createRange();
  text.selectNodeContents(seat.querySelector(".note"));
  return seat.querySelector(".slots").getBoundingClientRect().top - text.getBoundingClientRect().bottom;
})"""
"""Measures the distances between opponents' chips and their cards."""

CUT = "one => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight"
"""Not all of it is seen."""

SHOWN = "one => one.offsetWidth > 1"
"""It's there for the eye too."""


@fixture(loop_scope="session")
async def opened_earning(earning: Club) -> AsyncIterator[Open]:
    """Serve the pages of the club in which Alice earns Fantasyland."""
    async with served(earning) as opened:
        yield opened


def words_of(name: str) -> Words:
    """Return the words in a member's language."""
    return words_for("ja" if name == "hanako" else "en")


async def seen_whole(page: Tab, *, others: int) -> None:
    """Check that a street can be played: everything is on the screen, and large enough to read and tap."""
    for size, least in SMALL:
        await page.sized(size)
        await page.fits()
        # Three opponents leave less space.
        own = least if others < 3 else 0.8 * least
        assert await page.width("#own .board .slot, #own .board .card") >= own, size
        assert await page.width("#tray .card") >= own, size
        assert await page.width("#others .slot, #others .card") >= 15, size
        assert await page.at("#others .seat").count() == others
        assert await page.at("#bar .main").is_visible()


@pytest.mark.parametrize("count", [2, 3, 4])
async def test_a_street_needs_no_scrolling_on_a_small_phone(club: Club, opened: Open, count: int) -> None:
    players = ("alice", "hanako", "bob", "carol")[:count]
    if count == 4:
        club.newcomer("carol")
    await club.open_table(*players, game="classic" if count == 4 else "pineapple")
    # With one card per street, only the player to act has a card.
    for _ in range(1 if count == 4 else 2):
        for name in ("alice", "hanako"):
            async with tab(opened, club, name, PHONE, has_touch=True) as page:
                await seen_whole(page, others=len(players) - 1)
                # A row can also be tapped next to its cards, where its hand is named.
                await page.at(".row.open").last.tap(position={"x": 20, "y": 20})
                await page.at(".board:not(.pending) button.card").wait_for()
                await seen_whole(page, others=len(players) - 1)
        for _ in players:
            await club.play_turn(await club.on_turn())


@pytest.mark.parametrize("players", [2, 3])
async def test_five_cards_stand_in_even_lines_on_a_phone_that_lies(club: Club, opened: Open, players: int) -> None:
    await club.open_table(*("alice", "bob", "hanako")[:players])
    async with tab(opened, club, await club.on_turn(), PHONE) as page:
        for size in (PHONE, *(size for size, _ in SMALL)):
            await page.sized(size)
            tops: list[int] = await page.at("#tray [data-card]").evaluate_all("all => all.map(one => one.offsetTop)")
            assert len(tops) == 5
            lines = sorted(tops.count(top) for top in set(tops))
            assert lines in ([5], [2, 3]), size


async def test_what_others_have_made_touches_no_cards(club: Club, opened: Open) -> None:
    await club.open_table("alice", "bob", "hanako")
    async with tab(opened, club, "alice", PHONE) as page:
        await club.play_hand()
        await page.at("#result").wait_for()
        for size in (PHONE, DESK, {"width": 844, "height": 390}):
            await page.sized(size)
            apart = await page.at("#others .row").evaluate_all(APART)
            assert len(apart) == 6
            assert min(apart) > 0, (size, apart)


async def test_the_chips_of_others_touch_no_cards(club: Club, opened: Open) -> None:
    name = await three(club)
    async with tab(opened, club, name, DESK) as page:
        for size in (DESK, {"width": 820, "height": 1180}):
            await page.sized(size)
            await page.fits()
            apart = await page.at("#others .seat").evaluate_all(BELOW_CHIPS)
            assert len(apart) == 2
            assert min(apart) >= 3, (size, apart)


async def test_the_way_back_from_a_retry_stays_on_the_line_of_confirm(club: Club, opened: Open) -> None:
    await club.open_table("alice", "hanako")
    await club.play_hand()
    for name in ("alice", "hanako"):
        async with tab(opened, club, name, PHONE) as page:
            await page.at('#bar [data-key="retry"]').click()
            await page.at('#bar [data-key="end_retry"]').wait_for()
            for size in (PHONE, SMALL[0][0]):
                await page.sized(size)
                await page.fits()
                tops = await page.at("#bar button").evaluate_all("all => all.map(one => one.offsetTop)")
                assert len(tops) == 4
                assert len(set(tops)) == 1, (name, size, tops)


@in_turn("name", "alice", "hanako")
async def test_beside_the_chat_the_boards_of_others_can_be_read_once_a_hand_is_over(
    club: Club, opened: Open, name: str
) -> None:
    await club.open_table("alice", "bob", "hanako")
    async with tab(opened, club, name, {"width": 770, "height": 800}) as page:
        await club.play_hand()
        await page.at("#result").wait_for()
        await page.sized({"width": 770, "height": 860})
        await page.fits()
        assert await page.width("#others .card") >= 22
        assert await page.width("#own .board .card") >= 60


@pytest.mark.parametrize(("size", "least"), [(DESK, 82), ({"width": 844, "height": 390}, 46)])
async def test_who_watches_on_a_wide_screen_sees_large_boards(
    club: Club, opened: Open, size: dict[str, int], least: int
) -> None:
    """The text column has no board, so that the opponents' boards get the space."""
    await club.open_table("bob", "hanako")
    await club.play_turn(await club.on_turn())
    async with browsing() as driver:
        page = Tab(await driver.new_page(viewport=size))
        await page.page.goto(opened.address(club, "alice", query="?table=1"))
        await page.at("#others .seat").first.wait_for()
        await page.fits()
        assert await page.width("#others .slot, #others .card") >= least


async def test_what_grows_between_two_drawings_is_fitted_again(club: Club, opened: Open) -> None:
    """A countdown may come to need another line."""
    await club.open_table("alice", "bob", "hanako")
    async with tab(opened, club, await club.on_turn(), SMALL[0][0]) as page:
        await page.fits()
        await page.at("#told .status").first.evaluate("one => { one.style.fontSize = '60px'; }")
        await page.view.wait_for_function(
            "() => (main => main.scrollHeight <= main.clientHeight + 1)(document.getElementById('main'))"
        )
        await page.fits()


async def test_a_size_is_found_in_few_layouts(club: Club, opened: Open) -> None:
    """Each takes ten milliseconds on a slow phone, and the first card waits for them."""
    await three(club)
    took = {}
    async with tab(opened, club, await club.on_turn(), PHONE) as page:
        await page.at("#own .face").wait_for()  # with which sizes are found once more
        await page.view.evaluate(COUNTS_LAYOUTS)
        sizes = (DESK, {"width": 375, "height": 667}, *(size for size, _ in SMALL))
        for again in (False, True):
            for size in sizes:
                before = await page.view.evaluate("window.layouts")
                await page.sized(size)
                took[again, *size.values()] = await page.view.evaluate("window.layouts") - before
                await page.fits()
    first, later = ([layouts for (again, *_), layouts in took.items() if again is which] for which in (False, True))
    assert len(first) == len(later) == len(sizes)
    assert all(1 <= layouts <= 8 for layouts in first), took
    assert sum(first) <= 4 * len(first), took
    assert sum(later) == 0, "sizes that were found once are known"


@pytest.mark.parametrize("players", [("alice", "hanako"), ("alice", "bob", "hanako")])
async def test_a_finished_hand_scrolls_nothing_but_its_result_on_a_small_phone(
    club: Club, opened: Open, players: tuple[str, ...]
) -> None:
    await club.open_table(*players)
    async with tab(opened, club, "hanako", PHONE) as page:
        await club.play_hand()
        await page.at("#result").wait_for()
        for size, _ in SMALL:
            await page.sized(size)
            await page.fits()
            assert await page.at("#own .gained").is_visible()
        # The hand in the back is shown with its royalty. The longest name uses a second line if there is space.
        words, others = words_of("hanako"), page.at("#others .made")
        flush, full = (
            words("hand.straight_flush", rank="10"),
            words("hand.full_house", ranks=words("ranks.10"), others=words("ranks.9")),
        )
        assert await others.count() == 3 * (len(players) - 1)
        for size, made in ((PHONE, f"{flush} +15"), (SMALL[0][0], f"{full} +12")):
            await others.evaluate_all(
                "(all, text) => all.forEach((one, row) => { if (row % 3 === 2) one.textContent = text; })", made
            )
            await page.sized(size)
            await page.fits()
            assert await others.evaluate_all(f"all => all.filter({CUT}).length") == 0, size


@pytest.mark.parametrize("name", ["alice", "hanako"])
async def test_a_long_result_is_a_tap_away_on_a_phone_and_scrolls_nothing_inside(
    club: Club, opened: Open, name: str
) -> None:
    club.newcomer("carol")
    await club.open_table("alice", "bob", "hanako", "carol", game="classic")
    words = words_of(name)
    async with tab(opened, club, name, PHONE, has_touch=True) as page:
        await club.play_hand()
        await page.at("#result .duel").wait_for()
        for size in (PHONE, *(size for size, _ in SMALL)):
            await page.sized(size)
            await page.fits()
            result = page.at("#ended #result")
            assert await result.evaluate("one => one.scrollHeight - one.clientHeight") <= 0, size
            assert await page.at("#ended .duel tbody tr:visible").count() == 3, "one's own pairs"
            low = size["height"] <= 360
            assert await page.at("#ended .notes li:visible").count() >= (0 if low else 2)
            await page.at("#ended .all", has_text=words("page.words.details")).tap()
            lines = page.at("#sheet #result .pairs li")
            await lines.last.wait_for()
            assert await lines.count() >= 6, "each has played each"
            assert await page.at("#sheet #result").evaluate("one => one.scrollHeight - one.clientHeight") <= 0, size
            await page.page.keyboard.press("Escape")
            await page.at("#sheet").wait_for(state="hidden")
        await page.sized(DESK)
        assert await page.at("#ended .duel tbody tr:visible").count() == 6
        assert await page.at("#ended .all").is_hidden()


async def test_what_a_stack_has_limited_is_read_below_the_result_on_a_phone(club: Club, opened: Open) -> None:
    number = await club.open_table("alice", "bob", "hanako", stakes=10, buy_in=200)
    while True:
        await club.play_hand()
        hand = (await club.look(number)).table.hand_no
        paid = (await club.play.result(club.key(number), hand)).pairs
        if any(pair.chips < pair.owed for pair in paid):
            break
        await club.pass_time(15)
    for name in ("alice", "hanako"):
        async with tab(opened, club, name, {"width": 390, "height": 664}) as page:
            await page.at("#result .notes li").first.wait_for()
            await page.fits()
            order = words_of(name)("result.limit.order")
            first = page.at("#result .notes li").first
            assert order in str(await first.text_content())
            assert await first.evaluate(
                "one => one.getBoundingClientRect().bottom <= one.closest('#result').getBoundingClientRect().bottom"
            ), "it is read whole without scrolling"
            assert await first.evaluate("one => one.scrollWidth - one.clientWidth") <= 0


@pytest.mark.parametrize("name", ["alice", "hanako"])
async def test_another_table_that_waits_calls_and_a_tap_leads_there(club: Club, opened: Open, name: str) -> None:
    other = "bob"
    for table in (await club.open_table(name, other), await club.open_table(name, other)):
        if await club.on_turn(table) == name:
            await club.play_turn(name, table)
    words = words_of(name)
    async with tab(opened, club, name, PHONE) as page:
        assert await page.at("#call").is_hidden()
        assert "●" not in await page.page.title()
        shown = int(await page.at("#tables").input_value())
        elsewhere = 3 - shown
        title = await page.at(f'#tables option[value="{elsewhere}"]').text_content()
        assert await page.at("#tables").get_attribute("title") == await page.at("#title").text_content()
        await club.play_turn(other, elsewhere)
        told = words("page.words.turn_there", table=title)
        await page.at("#call b", has_text=told).wait_for()
        await page.view.wait_for_function(
            "() => /^[0-9]+:[0-9][0-9]$/.test(document.querySelector('#call .left').textContent)"
        )
        assert told in await page.at("#live").text_content()
        assert await page.page.title() == f"● {told}"
        waits = f"● {words('page.words.table_waits', table=title)}"
        assert await page.at(f'#tables option[value="{elsewhere}"]').text_content() == waits
        for size, _ in ((PHONE, 0), *SMALL):
            await page.sized(size)
            await page.fits()
        await page.sized(PHONE)
        await page.at("#call").click()
        await page.at("#title", has_text=title).wait_for(state="attached")
        await page.at("#tray").wait_for()
        assert await page.at("#call").is_hidden()


@pytest.mark.parametrize("name", ["alice", "hanako"])
@pytest.mark.parametrize("game", ["thirteen", "double_classic"])
async def test_three_opponents_have_room_on_a_small_phone_and_on_a_desk(
    club: Club, opened: Open, game: str, name: str
) -> None:
    club.newcomer("carol")
    await club.open_table("alice", "bob", "hanako", "carol", game=game)
    async with tab(opened, club, name, PHONE) as page:
        assert await page.at("#others .seat").count() == 3
        for over in (False, True):
            if over:
                await club.play_hand()
                await page.at("#result").wait_for()
            for size, _ in SMALL:
                await page.sized(size)
                await page.fits()
                assert await page.width("#others .slot, #others .card") >= 14, size
                # "Front (head) 0/3" is read whole. A finished hand may leave it to screen readers.
                shown = [one for one in await page.at("#own .line button").all() if await one.evaluate(SHOWN)]
                assert over or len(shown) == 3, size
                assert not any([await one.evaluate(CUT) for one in shown]), size
            await page.sized(DESK)
            await page.fits()
            assert await page.width("#own .board .slot, #own .board .card") >= 50
            assert await page.width("#others .slot, #others .card") >= 30


@pytest.mark.parametrize("name", ["alice", "hanako"])
async def test_wide_letters_fit_on_a_small_phone(club: Club, opened: Open, name: str) -> None:
    """A result keeps its totals and a way to the rest, and the buttons share one line."""
    club.newcomer("carol")
    await club.open_table("alice", "bob", "hanako", "carol", game="thirteen")
    words = words_of(name)
    async with tab(opened, club, name, PHONE, has_touch=True) as page:
        await page.in_wide_letters()
        await club.play_hand()
        await page.at("#result .duel").wait_for()
        for size, _ in SMALL:
            await page.sized(size)
            await page.fits()
            assert await page.at("#ended .duel tbody tr:visible").count() == 3
            tops = await page.at("#bar button").evaluate_all("all => all.map(one => one.offsetTop)")
            assert len(tops) == 4
            assert len(set(tops)) == 1
            await page.at("#ended .all", has_text=words("page.words.details")).tap()
            await page.at("#sheet #result .notes li").nth(1).wait_for()
            await page.page.keyboard.press("Escape")
            await page.at("#sheet").wait_for(state="hidden")


async def test_a_hand_that_earns_fantasyland_scrolls_its_result_alone(earning: Club, opened_earning: Open) -> None:
    async with tab(opened_earning, earning, "alice", PHONE) as page:
        earned = plain(words_of("alice")("board.fantasyland_next", count=14), str)
        await page.at("#result .told").wait_for()
        for size in (PHONE, *(size for size, _ in SMALL)):
            await page.sized(size)
            await page.fits()
            # Only the result shows it.
            assert earned not in await page.at("#told").inner_text()
            assert "14" in await page.at("#result .told").inner_text()
        assert await page.at("#told .status").last.is_visible()


async def test_a_fantasyland_can_be_set_whatever_warns_on_the_smallest_phone(opened_earning: Open, lucky: Club) -> None:
    (size, _), *_ = SMALL
    async with tab(opened_earning, lucky, "alice", size) as page:
        letters = fantasyland_letters(await lucky.look(1, "alice"))
        warned = 0
        for place, letter in enumerate(letters):
            if letter == "D":
                continue
            await page.drag(place, letter)
            await page.fits()
            warned += await page.at("#told .danger").count()
        assert warned
        note = page.at("#own > .name .note")
        assert "14" in await note.locator(".badge").text_content()
        assert not await note.evaluate(CUT)
        await page.confirm()


@pytest.mark.parametrize("name", ["alice", "hanako"])
async def test_what_is_told_of_others_is_read_whole_on_a_small_phone(club: Club, opened: Open, name: str) -> None:
    await club.open_table("alice", "bob", "hanako")
    for _ in range(3):
        await club.play_turn(await club.on_turn())
    while (turn := await club.on_turn()) != name or "⏰" not in club.table_screen().text:
        if turn == "bob":
            await club.pass_time(10)
        else:
            await club.play_turn(turn)
    words = words_of(name)
    async with tab(opened, club, name, PHONE) as page:
        for size, _ in SMALL[:2]:
            await page.sized(size)
            assert [await note.evaluate(CUT) for note in await page.at("#others .note").all()] == [False, False]
        notes = await page.at("#others .note").all_text_contents()
        assert any(words("table.by_clock").split("⏰\u00a0")[-1] in note for note in notes), notes
        # No line ends behind the hyphen of "A-high".
        made = [text for text in await page.at(".made").all_text_contents() if text]
        assert made
        assert not any("-" in text for text in made)
        assert any(text.endswith("\u2011high") for text in made) == (name == "alice")


@pytest.mark.parametrize(("time", "told"), [("1d", ("24h", "24\n時間")), ("20m", ("20m", "20分"))])
async def test_the_ring_of_the_clock_has_the_units_of_its_reader(
    club: Club, opened: Open, time: str, told: tuple[str, str]
) -> None:
    await club.open_table("alice", "hanako", clock=time)
    for name, said in zip(("alice", "hanako"), told, strict=True):
        async with tab(opened, club, name, PHONE) as page:
            assert await page.at("#clock b").text_content() == said
            ring, text = [await page.at(part).bounding_box() for part in ("#clock", "#clock b")]
            assert ring["x"] + 3 <= text["x"]
            assert text["x"] + text["width"] <= ring["x"] + ring["width"] - 3
            assert ring["y"] + 3 <= text["y"]
            assert text["y"] + text["height"] <= ring["y"] + ring["height"] - 3


async def test_what_is_read_aloud_is_joined_as_japanese_is(club: Club, opened: Open) -> None:
    await club.open_table("alice", "hanako")
    async with tab(opened, club, "hanako", PHONE) as page:
        if await club.on_turn() == "alice":
            await club.play_turn("alice")
            await page.view.wait_for_function("() => document.querySelectorAll('#others .card').length === 5")
            said = str(await page.at("#live").text_content())
            assert said.startswith("Alice："), said
        named = await page.at("#own .line button, #others .row").evaluate_all(
            "all => all.map(one => one.getAttribute('aria-label'))"
        )
        assert len(named) == 6
        named.append(await page.at("#live").text_content())
        assert any("、" in one for one in named), named
        assert [one for one in named if set(one) & set(".,:")] == []


async def test_the_playgrounds_toolbar_and_its_menus_stay_on_the_screen_of_a_phone(club: Club) -> None:
    await club.open_table("alice", "bob")
    japanese = LANGUAGES["ja"]
    shown = ChannelPage(club.world, port=0, faces={}, language=japanese, wall_ms=club.world.now_ms)
    async with browsing() as driver, shown:
        club.forbid()
        club.backend.http_requests = list(club.backend.http_requests)
        page = await driver.new_page(viewport=PHONE)
        await page.goto(shown.address)
        # A press brings another button, and the toolbar one more line.
        await page.locator("#channel-timeline button:enabled", has_text=words_for("en")("button.my_hand")).last.click()
        await page.locator("#view-action-output").wait_for()
        await page.click("#table-toggle")
        await page.frame_locator("#table-frame").locator("#own .board").wait_for()
        menus = page.locator("#toolbar .session-menu")
        assert await menus.count() == 2
        for menu in await menus.all():
            await menu.locator("summary").click()
            popover = menu.locator(".session-menu-popover")
            for size in (PHONE, SMALL[0][0]):
                await page.set_viewport_size(size)
                await page.wait_for_function(BELOW_TOOLBAR)
                # Measure all at once, because the toolbar's message about a press disappears.
                outside = await page.evaluate(OUTSIDE)
                assert outside["seen"] > 5, outside
                assert outside["parts"] == [], (size, outside)
            # A press on the table closes it.
            await page.frame_locator("#table-frame").locator("#own .name").click()
            await popover.wait_for(state="hidden")
