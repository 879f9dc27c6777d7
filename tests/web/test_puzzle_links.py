"""Links to the page with puzzles: theirs who used the command, also outside servers; and messages that follow it."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from functools import partial
from random import Random

import pytest

from bot.model.ids import GuildId
from bot.model.puzzles import PuzzleName
from bot.play.trainer.known_puzzles import known_puzzles
from bot.pure.ofc.cards import DISCARD
from bot.text.words import words_for
from bot.web.personal_links import GOOD_MS
from tests.discord.club import Club, Screen
from tests.discord.forge import deliver, forged_press
from tests.discord.forms import settings_page
from tests.discord.messages import walk
from tests.discord.test_outside import PLACES, Outside
from tests.discord.test_puzzle import current, drafted, solution, wrong
from tests.web.open_pages import Json, Open, Sight, key_of
from tests.web.test_races import Run, race, spread

URL = "https://cards.example.org"
EN = words_for("en")
SEED = 54
RACES = 30


@pytest.fixture
def page_url() -> str:
    return URL


def puzzle_link(screen: Screen) -> str:
    """Return the address of the page in a puzzle's message; empty if there is none."""
    urls = [str(part["url"]) for part in walk(screen.components) if "/table?puzzle#" in str(part.get("url"))]
    assert len(urls) <= 1
    return next(iter(urls), "")


async def opening(sight: Sight, **said: object) -> Json:
    """Open a page; returns the first view, or why there is none."""
    await sight.say(type="open", puzzle=True, **said)
    return await sight.until(lambda told: told["type"] in ("snapshot", "current", "bye"))


def name_of(view: Json) -> PuzzleName:
    return PuzzleName(view["mine"]["turn"].partition(".")[0])


def moved(letters: str) -> str:
    return letters.replace(DISCARD, ".")


async def test_the_puzzle_leads_to_its_page_in_both_languages(club: Club, door: Open) -> None:
    for name in ("alice", "hanako"):
        screen = await club.slash(name, "puzzle")
        link = puzzle_link(screen)
        assert link.startswith(f"{URL}/table?puzzle#{club.guild.id}.")
        assert club.words(name)("puzzle.button.page") in json.dumps(screen.components, ensure_ascii=False)
        async with door.socket() as sight:
            assert (await opening(sight, **key_of(link)))["type"] == "snapshot"
            assert name_of(sight.view) == (await current(club, name)).name
            assert sight.words["language"] == club.words(name).language.code
            answer = await sight.ask("confirm", moved(solution(name_of(sight.view)).best))
            assert answer["outcome"] == "done"
            assert sight.view["puzzle"]["solution"]["right"]
    assert "table?puzzle#" not in json.dumps([screen.components for screen in club.public()])


async def test_a_bot_without_pages_offers_none(club: Club) -> None:
    club.bot.links.url = ""
    assert not puzzle_link(await club.slash("alice", "puzzle"))


@PLACES
async def test_it_works_outside_servers(club: Club, door: Open, context: int) -> None:
    alice = Outside(club, context)
    link = puzzle_link(await alice.slash("puzzle"))
    assert link.startswith(f"{URL}/table?puzzle#0.")
    key = key_of(link)
    async with door.socket() as sight:
        await opening(sight, **key)
        assert name_of(sight.view) == (await current(club, "alice")).name
        assert (await sight.ask("stream"))["outcome"] == "stale"
        assert (await sight.ask("confirm", moved(solution(name_of(sight.view)).best)))["outcome"] == "done"
    async with door.socket() as sight:
        told = await opening(sight, token=key["token"])
        assert told["type"] == "snapshot", "the page keeps its token"


async def test_a_used_an_old_and_an_invented_link_say_how_to_get_another(club: Club, door: Open) -> None:
    used = puzzle_link(await club.slash("alice", "puzzle"))
    async with door.socket() as sight:
        await opening(sight, **key_of(used))
    old = puzzle_link(await club.slash("hanako", "puzzle"))
    await club.pass_time(GOOD_MS // 1000 + 1)
    for link in (used, old, f"{URL}/table?puzzle#{club.guild.id}.{'x' * 43}", f"{URL}/table?puzzle#0.{'x' * 43}"):
        async with door.socket() as sight:
            told = await opening(sight, **key_of(link))
            assert (told["type"], told["again"]) == ("bye", False)
            assert told["said"] == EN("puzzle.page.link_over")


async def test_close_my_pages_closes_those_of_direct_messages_too(club: Club, door: Open) -> None:
    links = [puzzle_link(await club.slash("alice", "puzzle")), puzzle_link(await Outside(club, 1).slash("puzzle"))]
    keys = [key_of(link) for link in links]
    async with door.socket() as one, door.socket() as other:
        for sight, key in zip((one, other), keys, strict=True):
            await opening(sight, **key)
        screen = await settings_page(club, "alice", "pages_close")
        await club.tap("alice", screen, screen.find("pages_close"))
        for sight in (one, other):
            told = await sight.until(lambda told: told["type"] == "bye")
            assert told["said"] == EN("puzzle.page.closed")
    for key in keys:
        async with door.socket() as sight:
            assert (await opening(sight, token=key["token"]))["type"] == "bye"


async def test_a_member_who_left_the_server_loses_its_page_and_not_that_of_their_messages(
    club: Club, door: Open
) -> None:
    inside, outside = (
        key_of(puzzle_link(await club.slash("alice", "puzzle"))),
        key_of(puzzle_link(await Outside(club, 1).slash("puzzle"))),
    )
    async with door.socket() as one, door.socket() as other:
        await opening(one, **inside)
        await opening(other, **outside)
        assert list(club.bot.links.readers()) == [(GuildId(club.guild.id), club.player("alice"))]
        await club.bot.links.left(GuildId(club.guild.id), club.player("alice"))
        assert (await one.until(lambda told: told["type"] == "bye"))["said"] == EN("page.left")
        assert (await other.ask("puzzle_later"))["outcome"] == "done"


# messages and pages follow each other


async def settled(club: Club) -> None:
    """Wait until messages have followed."""
    while club.bot.services.open_puzzles._working:  # noqa: ASYNC110, SLF001
        await asyncio.sleep(0)
    await club.settle()


async def test_the_message_follows_the_page(club: Club, door: Open) -> None:
    screen = await club.slash("alice", "puzzle")
    first = puzzle_link(screen)
    async with door.socket() as sight:
        await opening(sight, **key_of(first))
        await settled(club)
        (now,) = club.private("alice")
        assert puzzle_link(now) not in ("", first), "the link was used"
        await sight.ask("confirm", moved(wrong(name_of(sight.view), shown=True)))
        await settled(club)
        (now,) = club.private("alice")
        assert EN("puzzle.answer.yours") in now.text
        await sight.ask("puzzle_next")
        await settled(club)
        (now,) = club.private("alice")
        assert EN("puzzle.went_on") in now.text
        assert EN("puzzle.ask") in now.text, "it goes on with the page"
        before = now.find("pz_later")["custom_id"]
        await sight.ask("puzzle_harder")
        await settled(club)
        (now,) = club.private("alice")
        assert (await current(club, "alice")).name == name_of(sight.view)
        assert now.find("pz_later")["custom_id"] != before


async def test_a_link_below_an_answer_opens_that_answer(club: Club, door: Open) -> None:
    panel = await club.slash("alice", "puzzle")
    name = (await current(club, "alice")).name
    panel = await drafted(club, "alice", panel, solution(name).best)
    answered = puzzle_link(await club.tap("alice", panel, panel.find("pz_confirm")))
    async with door.socket() as sight:
        await opening(sight, **key_of(answered))
        assert name_of(sight.view) == name
        assert sight.view["puzzle"]["solution"]["right"]
        await sight.ask("puzzle_next")
        assert name_of(sight.view) == (await current(club, "alice")).name != name
        await settled(club)
        (now,) = club.private("alice")
        assert EN("puzzle.went_on") in now.text
    other = puzzle_link(await club.slash("alice", "puzzle"))
    assert other not in ("", answered), "links to the answer and to the next puzzle differ"


async def test_the_page_follows_the_message(club: Club, door: Open) -> None:
    panel = await club.slash("alice", "puzzle")
    async with door.socket() as sight:
        await opening(sight, **key_of(puzzle_link(panel)))
        name = name_of(sight.view)
        panel = await drafted(club, "alice", panel, solution(name).best)
        await club.tap("alice", panel, panel.find("pz_confirm"))
        view = await sight.sees(lambda view: view["puzzle"]["solution"] is not None)
        assert name_of(view) == name
        (result,) = club.private("alice")
        await club.tap("alice", result, result.find("pz_next"))
        view = await sight.sees(lambda view: view["puzzle"]["solution"] is None)
        assert name_of(view) == (await current(club, "alice")).name != name


async def test_a_press_that_comes_too_late_shows_the_answer_and_says_so(club: Club, door: Open) -> None:
    first = await club.slash("alice", "puzzle")
    async with door.socket() as sight:
        await opening(sight, **key_of(puzzle_link(first)))
        panel = await drafted(club, "alice", first, solution(name_of(sight.view)).best)
        late = forged_press(club, "alice", panel, panel.find("pz_confirm")["custom_id"])
        await sight.ask("confirm", moved(wrong(name_of(sight.view), shown=False)))
        await deliver(late)
        shown = late.answers[-1]
        assert EN("puzzle.answered_before") in shown.text
        assert EN("puzzle.answer.your_placement") in shown.text


async def test_of_two_pages_and_a_typed_answer_one_wins(club: Club, opened: Open) -> None:
    rng, won = Random(SEED), Counter[str]()
    async with opened.eyes(club, "alice", puzzle=True) as one, opened.eyes(club, "alice", puzzle=True) as two:
        for _ in range(RACES):
            name = (await current(club, "alice")).name
            for sight in (one, two):
                await sight.ask("puzzle_next")
                assert name_of(sight.view) == name
            letters = ([*known_puzzles()[name].costs] * 3)[:3]
            panel = await drafted(club, "alice", await club.slash("alice", "puzzle"), letters[2])
            runs: list[Run] = [
                partial(one.ask, "confirm", moved(letters[0])),
                partial(two.ask, "confirm", moved(letters[1])),
                partial(club.press, "alice", panel, panel.find("pz_confirm")),
            ]
            first, second, pressed = await race(club, rng, runs)
            seen = await club.bot.services.trainer.look(club.player("alice"), name)
            outcomes = [first["outcome"], second["outcome"]]
            assert outcomes.count("done") <= 1
            winner = outcomes.index("done") if "done" in outcomes else 2
            assert seen.attempt.letters == letters[winner]  # type: ignore[union-attr]
            for answer in (first, second):
                assert answer["outcome"] == "done" or (answer["outcome"] == "stale" and answer["said"])
            assert pressed is not None
            assert (EN("puzzle.answered_before") in pressed.text) is (winner != 2)
            won[str(winner)] += 1
    spread(won)
