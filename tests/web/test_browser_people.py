"""People on the page: faces with their clocks, and phrases. Neither moves a board or waits for anybody."""

from __future__ import annotations

from typing import Any

import pytest

from bot.chat.kit.faces import DisplayNames
from bot.model.clock import Pace
from bot.model.ids import GuildId
from bot.text.words import Words, words_for
from tests.discord.club import Club
from tests.web.browser import DESK, PHONE, Tab
from tests.web.open_pages import Open
from tests.web.test_browser import placed, tab, three
from tests.web.test_browser_sizes import opened_earning  # noqa: F401  (a fixture)
from tests.web.test_browser_views import Tabs, tabs  # noqa: F401  (a fixture)
from tests.web.webkit import webkit

pytestmark = pytest.mark.browser

EN = words_for("en")
SMALL = {"width": 320, "height": 568}
LYING = {"width": 667, "height": 375}
TOUCHED = 44
"""The least size of a control on a phone (pixels)."""
BOXES = """() => [
  ...document.querySelectorAll('#own :is(.board, .row, .slots), #tray, #others :is(.seat, .row), #bar'),
].map((one) => { const { x, y, width, height } = one.getBoundingClientRect(); return [x, y, width, height]; })"""
"""Where the boards are."""


def spoken(name: str, phrase: str, words: Words) -> str:
    """What a screen reader says of a phrase."""
    return words("page.words.named", name=name, text=words(f"page.words.phrase_{phrase}"))


async def lefts(page: Tab) -> list[float]:
    """The share of each player's clock that's left, as it's drawn."""
    found: list[float] = await page.view.evaluate(
        "() => [...document.querySelectorAll('.face.runs')]"
        ".map((one) => Number(getComputedStyle(one).getPropertyValue('--left')))"
    )
    return found


async def say(page: Tab, phrase: str) -> None:
    """Say something with two presses."""
    await page.at('[data-key="talk"]').click()
    await page.at(f'#phrases [data-key="phrase-{phrase}"]').click()
    await page.at("#phrases").wait_for(state="hidden")


async def test_who_sits_there_is_seen_beside_each_name(club: Club, opened: Open) -> None:
    turn = await three(club)
    async with tab(opened, club, "alice", PHONE) as page:
        await page.at("#own .face").wait_for()
        assert sorted(await page.at(".face").all_text_contents()) == ["A", "B", "花"]
        names = "all => all.map((one) => one.closest('.name').querySelector('b').textContent)"
        (dealer,) = await page.at(".dealer").evaluate_all(names)
        view = await club.look(1)
        assert view.hand
        assert dealer == club.shown(club.name_of(view.hand.seats[view.hand.button].player)).strip("*")
        assert await page.at(".dealer").get_attribute("aria-label") == EN("page.words.dealer")
        assert not any(EN("table.button") in text for text in await page.at(".note").all_text_contents())
        assert await page.at(".face.turn").evaluate_all(names) == [club.shown(turn).strip("*")]
        colours = await page.at(".face i").evaluate_all(
            "all => all.map((one) => getComputedStyle(one).backgroundColor)"
        )
        assert len({*colours}) == 3
        async with tab(opened, club, "bob", PHONE) as other:
            await other.at("#own .face").wait_for()
            for name in ("Alice", "Bob"):
                faces = [at.at(f'.name:has(bdi:text("{name}")) .face i') for at in (page, other)]
                colour = "one => getComputedStyle(one).backgroundColor"
                assert await faces[0].evaluate(colour) == await faces[1].evaluate(colour), name


async def test_a_clock_runs_out_around_a_face_without_an_animation(club: Club, opened: Open) -> None:
    await club.open_table("alice", "bob", clock="12s")
    name = await club.on_turn()
    async with tab(opened, club, name, DESK) as page:
        await page.at("#own .face.runs").wait_for()
        await page.view.wait_for_function(
            "() => Number(getComputedStyle(document.querySelector('.face.runs')).getPropertyValue('--left')) < 1"
        )
        assert all(0 < left < 1 for left in await lefts(page))
        await page.view.wait_for_function("() => document.getAnimations().length === 0")
        await page.at("#own .face.soon").wait_for()


async def test_with_less_motion_a_clock_stands_still(club: Club, opened: Open) -> None:
    await club.open_table("alice", "bob", clock="20s")
    name = await club.on_turn()
    async with tab(opened, club, name, PHONE, reduced_motion="reduce") as page:
        await page.at("#own .face.runs").wait_for()
        number = await page.at("#clock b").text_content()
        await page.page.wait_for_function("(was) => document.querySelector('#clock b').textContent !== was", arg=number)
        assert await lefts(page) == [1]
        assert await page.view.evaluate("() => document.getAnimations().length") == 0


async def test_a_time_bank_is_another_colour_at_the_end_of_the_ring(club: Club, opened: Open) -> None:
    await club.open_table("alice", "bob", clock="live")
    view = await club.look(1)
    assert view.table.terms.clock.pace is Pace.LIVE
    async with tab(opened, club, await club.on_turn(), PHONE) as page:
        await page.at("#own .face.runs").wait_for()
        shares = await page.at("#own .face.runs").evaluate(
            "(one) => [one.style.getPropertyValue('--bank'), getComputedStyle(one).backgroundImage]"
        )
        assert 0 < float(shares[0]) < 1
        gold, blue = "rgb(255, 209, 102)", "rgb(143, 224, 255)"
        assert shares[1].index(blue) < shares[1].index(gold)


async def test_fantasyland_is_a_badge_with_its_cards(lucky: Club, opened_earning: Open) -> None:  # noqa: F811
    async with tab(opened_earning, lucky, "bob", PHONE) as page:
        badge = page.at("#others .badge.rainbow")
        await badge.wait_for()
        assert "14" in await badge.text_content()
        assert await badge.get_attribute("aria-label") == EN("page.words.in_fantasyland", cards=14)
        assert EN("table.in_fantasyland", count=14) not in await page.at("#others .note").text_content()
        await page.fits()


async def test_whoever_sits_out_has_a_badge(club: Club, opened: Open) -> None:
    await club.open_table("alice", "bob", clock="30s")
    await club.pass_time(31)
    await club.play_turn("alice")
    await club.pass_time(31)
    async with tab(opened, club, "alice", PHONE) as page:
        badge = page.at("#others .badge")
        await badge.wait_for()
        assert EN("page.words.away") in await badge.text_content()
        assert (await page.at("#others .note").text_content()).count(EN("page.words.away")) == 1


@pytest.mark.parametrize("size", [SMALL, PHONE, LYING, DESK], ids=lambda size: f"{size['width']}")
async def test_a_phrase_is_seen_and_heard_and_moves_nothing(club: Club, opened: Open, size: dict[str, int]) -> None:
    await three(club)
    async with tab(opened, club, "alice", size) as alice, tab(opened, club, "hanako", size) as hanako:
        for page in (alice, hanako):
            await page.at('[data-key="talk"]').wait_for()
        before = await hanako.view.evaluate(BOXES)
        await say(alice, "no_hurry")
        bubble = hanako.at("#others .bubble")
        await bubble.wait_for()
        ja = words_for("ja")
        assert await bubble.text_content() == ja("page.words.phrase_no_hurry")
        assert await hanako.at("#live").text_content() == spoken("Alice", "no_hurry", ja)
        assert await bubble.evaluate("one => one.closest('.seat').querySelector('b').textContent") == "Alice"
        assert await hanako.view.evaluate(BOXES) == before
        await hanako.fits()
        box = await bubble.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size["width"]
        # Whatever lies under it can be pressed.
        assert await bubble.evaluate("one => getComputedStyle(one).pointerEvents") == "none"
        await alice.at("#own .bubble").wait_for(state="attached")
        assert await alice.at("#own .bubble").text_content() == EN("page.words.phrase_no_hurry")
        await bubble.wait_for(state="detached")
        assert await hanako.view.evaluate(BOXES) == before


@pytest.mark.parametrize("name", ["alice", "hanako"])
async def test_phrases_are_large_enough_to_press(club: Club, opened: Open, name: str) -> None:
    await three(club)
    async with tab(opened, club, name, SMALL, has_touch=True) as page:
        await page.at('[data-key="talk"]').wait_for()
        for size in (SMALL, PHONE, LYING, DESK):
            await page.sized(size)
            await page.at('[data-key="talk"]').tap()
            await page.at("#phrases button").nth(7).wait_for()
            boxes = await page.at("#phrases .eight button").evaluate_all(
                "all => all.map((one) => [one.getBoundingClientRect(), one.scrollWidth <= one.clientWidth])"
            )
            assert len(boxes) == 8
            for box, whole in boxes:
                assert min(box["width"], box["height"]) >= TOUCHED
                assert whole
                assert box["left"] >= 0
                assert box["right"] <= size["width"]
                assert box["bottom"] <= size["height"]
            # The button itself is pressed a little beside its picture too.
            hit = await page.at('[data-key="talk"]').evaluate(
                """(one) => {
                  const { left, right, top, bottom } = one.getBoundingClientRect();
                  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
                  const around = [[x - 21, y], [x + 21, y], [x, y - 17], [x, y + 21]];
                  document.getElementById('phrases').hidePopover();
                  return around.map(([x, y]) => document.elementFromPoint(x, y) === one);
                }"""
            )
            assert hit == [True] * 4


async def test_the_title_stays_on_its_line_beside_one_more_button(club: Club, opened: Open) -> None:
    await three(club)
    async with tab(opened, club, "alice", PHONE) as page:
        await page.at('[data-key="talk"]').wait_for()
        lines = "one => one.offsetHeight / parseFloat(getComputedStyle(one).lineHeight)"
        assert await page.at("#title").evaluate(lines) < 1.5


async def test_a_player_is_muted_and_heard_again(club: Club, opened: Open) -> None:
    await three(club)
    async with tab(opened, club, "alice", DESK) as alice, tab(opened, club, "bob", DESK) as bob:
        await alice.at('[data-key="talk"]').click()
        mute = alice.at("#phrases .mute", has_text=EN("page.words.mute_player", player="Bob"))
        await mute.click()
        await alice.at('#phrases .mute[aria-pressed="true"]').wait_for()
        assert await mute.get_attribute("aria-pressed") == "true"
        assert await alice.at('#phrases .mute[aria-pressed="true"]').count() == 1
        await alice.page.goto("about:blank")
        await alice.page.goto(f"{opened.origin}/table#{opened.token(club, 'alice')}")
        await alice.at('[data-key="talk"]').click()
        await alice.at('#phrases .mute[aria-pressed="true"]').wait_for()
        await say(bob, "wow")
        await bob.at("#own .bubble").wait_for()
        # A phrase of someone else comes behind it, so by then the muted one would have been there.
        async with tab(opened, club, "hanako", DESK) as hanako:
            await say(hanako, "thanks")
            await alice.at("#others .bubble").wait_for()
        assert await alice.at(".bubble").all_text_contents() == [EN("page.words.phrase_thanks")]
        await mute.click()
        await alice.at('#phrases .mute[aria-pressed="true"]').wait_for(state="detached")
        await club.pass_time(6)
        await say(bob, "oops")
        await alice.at(".bubble", has_text=EN("page.words.phrase_oops")).wait_for()


async def test_who_watches_mutes_all_with_one_press(club: Club, opened: Open, tabs: Tabs) -> None:  # noqa: F811
    words = words_for("ja")
    await club.open_table("alice", "bob")
    page = await tabs.open(PHONE, "hanako")
    quiet = page.at('[data-key="quiet"]')
    await quiet.wait_for()
    async with tab(opened, club, "alice", PHONE) as alice:
        await say(alice, "good_luck")
        await page.at(".bubble").wait_for()
        assert await page.at(".bubble").text_content() == words("page.words.phrase_good_luck")
        assert await page.at("#phrases").count() == 0, "who watches says nothing"
        assert await quiet.get_attribute("aria-label") == words("page.words.mute")
        await quiet.click()
        await page.at('[data-key="quiet"][aria-pressed="true"]').wait_for()
        assert await page.at(".bubble").count() == 0, "at once"


async def test_everything_is_said_by_keys_alone(club: Club, opened: Open) -> None:
    name = await three(club)
    async with tab(opened, club, name, DESK) as page:
        await page.at('[data-key="talk"]').wait_for()
        keys = page.page.keyboard
        focused = "() => document.activeElement.dataset.key"
        await keys.press("p")
        await page.at("#phrases").wait_for()
        assert await page.view.evaluate(focused) == "phrase-good_luck"
        await keys.press("ArrowDown")
        await keys.press("ArrowRight")
        assert await page.view.evaluate(focused) == "phrase-thanks"
        await keys.press("f")
        assert await page.at('[data-row="F"] [data-card]').count() == 0, "letters place no card from here"
        await keys.press("Escape")
        await page.at("#phrases").wait_for(state="hidden")
        await keys.press("p")
        await page.at("#phrases").wait_for()
        await keys.press("p")
        await page.at("#phrases").wait_for(state="hidden")
        await keys.press("p")
        await page.at("#phrases").wait_for()
        await keys.press("2")
        await page.at("#phrases").wait_for(state="hidden")
        await page.at("#own .bubble").wait_for()
        assert await page.at("#own .bubble").text_content() == EN("page.words.phrase_nice_hand")
        await keys.press("f")
        await page.at('.board:not(.pending) [data-row="F"] [data-card]').wait_for()


async def test_who_talks_too_much_is_told_so_and_plays_on(club: Club, opened: Open) -> None:
    name = await three(club)
    async with tab(opened, club, name, PHONE) as page:
        await say(page, "thinking")
        await page.at("#own .bubble").wait_for()
        await say(page, "thinking")
        await page.at("#toast:not([hidden])").wait_for()
        assert await page.at("#toast").text_content() in {
            words_for(code)("refused.too_many_phrases", count=5) for code in ("en", "ja")
        }
        before = await placed(club, name)
        for key in "mf":
            await page.page.keyboard.press(key)
        await page.confirm()
        await page.at("#tray").wait_for(state="detached")
        assert await placed(club, name) == before + 2


async def test_webkit_has_faces_and_phrases_too(club: Club, opened: Open) -> None:
    await three(club)
    async with webkit() as found, tab(opened, club, "bob", DESK) as bob:
        await found.size(PHONE["width"], PHONE["height"])
        await found.go(f"{opened.origin}/table#{opened.token(club, 'alice')}")
        await found.there("#own .face")
        await say(bob, "good_game")
        await found.there("#others .bubble")
        text: Any = await found.run("() => document.querySelector('#others .bubble').textContent")
        assert text == EN("page.words.phrase_good_game")
        await found.click('[data-key="talk"]')
        await found.click('[data-key="phrase-thanks"]')
        await bob.at("#others .bubble").wait_for()
        assert await bob.at("#others .bubble").text_content() == EN("page.words.phrase_thanks")


JAPANESE = {
    "Alice": "佐藤さくら子",
    "Bob": "ボブ・マーリーさん",
    "Carol": "花咲か爺さんの弟子",
    "花子 Hanako": "花子さんの席",
}
WIDE_LETTERS = 4
SIZES = (PHONE, SMALL, {"width": 844, "height": 390}, {"width": 768, "height": 1024}, DESK)
LETTERS_SHOWN = """all => all.map((one) => {
  const letters = one.clientWidth / parseFloat(getComputedStyle(one).fontSize);
  // An ellipsis is as wide as a letter.
  return one.scrollWidth > one.clientWidth ? Math.floor(letters + .05) - 1 : 99;
})"""
CUT = """() => [...document.querySelectorAll('#own .row'), document.getElementById('result')].flatMap((one) => {
  const box = one.getBoundingClientRect();
  return [...one.querySelectorAll('.made, .mark, .duel, .duel :is(td, th)')].filter((part) => {
    const { left, right, top, bottom } = part.getBoundingClientRect();
    const low = part.closest('.row') && (top < box.top - 1 || bottom > box.bottom + 1);
    return part.checkVisibility() && (left < box.left - 1 || right > box.right + 1 || low);
  }).map((part) => part.outerHTML);
})"""
"""What's told of a row, or of who won what, and isn't all in its place."""


async def test_names_are_told_apart_and_points_read_at_the_end_of_a_hand_of_four(
    club: Club, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    saw = DisplayNames.saw

    def called(self: DisplayNames, guild: GuildId, player: str, name: str, *, username: str = "") -> None:
        saw(self, guild, player, JAPANESE.get(name, JAPANESE.get(name.capitalize(), name)), username=username)

    monkeypatch.setattr(DisplayNames, "saw", called)
    club.newcomer("carol")
    await club.open_table("alice", "bob", "hanako", "carol", game="classic")
    async with tab(opened, club, "hanako", PHONE, locale="ja", reduced_motion="reduce") as page:
        await page.at("#own .face").wait_for()

        async def read() -> None:
            names = page.at("#others .name b")
            assert set(await names.all_text_contents()) == set(JAPANESE.values()) - {"花子さんの席"}
            assert min(await names.evaluate_all(LETTERS_SHOWN)) >= WIDE_LETTERS, page.page.viewport_size

        for size in SIZES:
            await page.sized(size)
            await page.fits()
            await read()
        await club.play_hand()
        await page.at("#result .duel").wait_for()
        await page.at("#own .mark").first.wait_for()
        for size in SIZES:
            await page.sized(size)
            await page.fits()
            await read()
            assert await page.view.evaluate(CUT) == [], size
