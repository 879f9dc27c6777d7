"""Links from an analysis in Discord to its page: with the game and the position, and also outside servers."""

from __future__ import annotations

import asyncio
import json
from urllib.parse import parse_qs, urlsplit

import pytest

from bot.text.words import words_for
from bot.web.personal_links import GOOD_MS, MAX_LINK
from tests.discord.club import Club, Screen
from tests.discord.messages import walk
from tests.discord.test_analyse import LAST, LATE, SECOND
from tests.discord.test_outside import PLACES, Outside
from tests.web.open_pages import Open, key_of

URL = "https://cards.example.org"
EN = words_for("en")
LONG = "@17 +AsKsQsJsTs9s8s7s6s5s4s3s2sAhKhQhJh vs @17 @17"


@pytest.fixture
def page_url() -> str:
    return URL


def page_link(screen: Screen) -> str:
    """Return the address of the page in a message; empty if there is none."""
    urls = [str(part["url"]) for part in walk(screen.components) if "/table?analysis" in str(part.get("url"))]
    assert len(urls) <= 1
    return next(iter(urls), "")


def brought(link: str) -> str:
    """Return what a link tells the page, as a browser reads it."""
    return parse_qs(urlsplit(link).query)["analysis"][0]


async def test_the_command_and_its_answer_lead_to_the_page_in_both_languages(club: Club, door: Open) -> None:
    for name in ("alice", "hanako"):
        words = club.words(name)
        for options, given in (({}, "pineapple "), ({"position": SECOND}, f"pineapple {SECOND}")):
            screen = await club.slash(name, "analyse", **options)
            link = page_link(screen)
            assert link.startswith(f"{URL}/table?analysis=")
            assert brought(link) == given
            assert words("puzzle.button.page") in json.dumps(screen.components, ensure_ascii=False)
        async with door.socket() as sight:
            await sight.say(type="open", analysis=True, **key_of(link))
            await sight.until(lambda told: told["type"] == "snapshot")
            assert sight.view["puzzle"] is None
            answer = await sight.ask("analyse", game="pineapple", position=LAST)
            assert answer["analysis"]["placements"]
    assert "table?analysis" not in json.dumps([screen.components for screen in club.public()])


async def test_the_link_of_a_deeper_answer_leads_to_that_one(club: Club, door: Open) -> None:
    found = await club.slash("alice", "analyse", position=LATE)
    assert "&deeper" not in page_link(found)
    deeper = page_link(await club.tap("alice", found, found.find("an_deeper")))
    assert "&deeper#" in deeper
    assert brought(deeper) == f"pineapple {LATE}"


async def test_it_keeps_the_game_and_leaves_out_a_position_too_long_for_a_button(club: Club) -> None:
    links, player, guild = club.bot.links, club.player("alice"), club.key(0).guild
    link = links.analysis_link(guild, player, "en", game="ultimate", position=LONG)
    assert brought(link) == f"ultimate {LONG}"
    longest = links.analysis_link(guild, player, "en", game="ultimate", position=LONG * 9)
    assert brought(longest) == "ultimate"
    assert max(map(len, (link, longest))) <= MAX_LINK


async def test_a_bot_without_pages_offers_none(club: Club) -> None:
    club.bot.links.url = ""
    assert not page_link(await club.slash("alice", "analyse"))


@PLACES
async def test_it_works_outside_servers(club: Club, door: Open, context: int) -> None:
    link = page_link(await Outside(club, context).slash("analyse"))
    async with door.socket() as sight:
        await sight.say(type="open", analysis=True, **key_of(link))
        await sight.until(lambda told: told["type"] == "snapshot")
        assert (await sight.ask("analyse", game="pineapple", position=LAST))["outcome"] == "done"
        assert sight.view["seats"] == [], "no puzzle lies behind the position"
        assert [offer["verb"] for offer in sight.view["offers"]] == ["puzzle_next"]
        assert await club.bot.services.trainer.given(club.player("alice")) is None
        await sight.ask("puzzle_next")
        assert sight.view["mine"]["cards"]
        assert await club.bot.services.trainer.given(club.player("alice")) is not None


async def renewed(club: Club) -> None:
    """Wait until links have been renewed."""
    while club.bot.services.open_analyses._working:  # noqa: ASYNC110, SLF001
        await asyncio.sleep(0)
    await club.settle()


async def test_a_used_link_is_renewed_below_the_form_and_below_the_answer(club: Club, door: Open) -> None:
    for name, options in (("alice", {}), ("hanako", {"position": LAST})):
        used = page_link(await club.slash(name, "analyse", **options))
        async with door.socket() as sight:
            await sight.say(type="open", analysis=True, **key_of(used))
            await sight.until(lambda told: told["type"] == "snapshot")
        await renewed(club)
        (shown,) = club.private(name)
        assert page_link(shown) not in ("", used)
        assert brought(page_link(shown)) == brought(used)
        async with door.socket() as sight:
            await sight.say(type="open", analysis=True, **key_of(page_link(shown)))
            assert (await sight.until(lambda told: told["type"] in ("snapshot", "bye")))["type"] == "snapshot"


async def test_a_pressed_message_keeps_what_replaces_it(club: Club, door: Open) -> None:
    found = await club.slash("alice", "analyse", position=LATE)
    deeper = await club.tap("alice", found, found.find("an_deeper"))
    used = page_link(deeper)
    async with door.socket() as sight:
        await sight.say(type="open", analysis=True, **key_of(used))
        await sight.until(lambda told: told["type"] == "snapshot")
    await renewed(club)
    (shown,) = club.private("alice")
    assert shown.id == deeper.id
    assert EN("analysis.deeper") in shown.text
    assert page_link(shown) not in ("", used)


async def test_a_used_and_an_old_link_say_how_to_get_another(club: Club, door: Open) -> None:
    used = page_link(await club.slash("alice", "analyse"))
    async with door.socket() as sight:
        await sight.say(type="open", analysis=True, **key_of(used))
        await sight.until(lambda told: told["type"] == "snapshot")
    old = page_link(await club.slash("hanako", "analyse"))
    await club.pass_time(GOOD_MS // 1000 + 1)
    for link in (used, old):
        async with door.socket() as sight:
            await sight.say(type="open", analysis=True, **key_of(link))
            told = await sight.until(lambda told: told["type"] in ("snapshot", "bye"))
            assert (told["type"], told.get("said")) == ("bye", EN("analysis.page.link_over"))
