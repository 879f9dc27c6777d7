"""Every request that a page can send, from every kind of page without a seat. None does or tells what it mustn't.

Seats are refused by the game, and guests, streams and puzzles have none, whatever their pages ask.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, get_args

import pytest

from bot.web.messages import Subject, Verb
from bot.web.pages import Pages
from bot.web.personal_links import OUTSIDE
from bot.web.tokens import PageReader
from tests.play.world import ANN, BOB, CHANNEL, CLEO, DAN, EVE, GUILD, World
from tests.web.open_pages import Json, Kept, kept
from tests.web.test_looking_back import allow_links, guest, hand_link
from tests.web.test_seats import everything
from tests.web.test_streams import hand_link as stream_link
from tests.web.test_watching import all_see

KINDS = ("watcher", "guest", "stream", "overlay", "puzzle", "puzzle outside")
ONLY_SHOW = ("stream", "overlay")
"""Pages whose requests aren't answered."""
WITHOUT_A_SEAT = {"stream", "stream_renew", "stream_end", "end_retry"}
"""What everyone in a server may do. It changes no table."""
NOWHERE = 2**53 - 1


@asynccontextmanager
async def opened(pages: Pages, kind: str, link: str) -> AsyncIterator[Kept]:
    """Open a page of this kind. Eve has no seat, and Ann's page for streams forgets hers."""
    if kind == "guest":
        async with guest(pages, link) as page:
            yield page
        return
    player, where = ANN if kind == "overlay" else EVE, OUTSIDE if kind == "puzzle outside" else GUILD
    reader: PageReader | None = PageReader(guild=where, player=player, locale="en-US")
    if kind == "stream":
        reader = await pages.stream(await stream_link(pages, ANN))
    assert reader is not None
    line, puzzle = Kept(pages=pages), kind.startswith("puzzle")
    async with pages.opened(reader, line, table=0, has="", overlay=kind == "overlay", puzzle=puzzle) as line.page:
        await line.look()
        yield line


async def scene(world: World, pages: Pages) -> tuple[str, list[Json]]:
    """A hand that's over, the next one, and a hand at a table that nobody may watch.

    Returns the link to the first, and a message from each player's page.
    """
    all_see(pages)
    await allow_links(world, ANN, BOB)
    key = await world.started(ANN, BOB)
    await world.play_hand(key)
    link = await hand_link(pages)
    await world.next_hand(key)
    hidden = await world.started(CLEO, DAN)
    await world.play.let_watch(hidden, CLEO, watched=False)
    sent = []
    for player in (ANN, BOB, CLEO, DAN):
        async with kept(pages, player) as page:
            sent.append(page.intent("confirm", "FMMBB") | {"phrase": "wow"})
    return link, sent


def answer(kind: str, came: list[Json], what: Any) -> str:
    """Return the outcome of a request; empty for a page that isn't answered."""
    if kind in ONLY_SHOW:
        assert came == [], what
        return ""
    (told,) = [message for message in came if message["type"] == "answer"]
    assert told["outcome"] in ("done", "refused", "stale"), (what, told)
    assert told["said"] or told["outcome"] == "done", (what, told)
    return str(told["outcome"])


@pytest.mark.parametrize("kind", KINDS)
async def test_no_request_without_a_seat_changes_a_table(world: World, pages: Pages, kind: str) -> None:
    link, sent = await scene(world, pages)
    before = await everything(world)
    async with opened(pages, kind, link) as page:
        for number, message in enumerate(sent):
            for verb in get_args(Verb):
                came = await page.say(**message | {"id": f"{number}-of-{verb}", "verb": verb})
                outcome = answer(kind, came, (verb, message))
                assert outcome != "done" or verb in WITHOUT_A_SEAT or verb.startswith("puzzle"), (verb, message)
            draft = {"type": "draft", **{part: message[part] for part in ("table", "turn", "letters")}}
            assert answer(kind, await page.say(**draft), draft) != "done"
    assert await everything(world) == before


@pytest.mark.parametrize("kind", KINDS)
async def test_nothing_is_read_without_a_seat_but_what_everyone_sees(world: World, pages: Pages, kind: str) -> None:
    link, sent = await scene(world, pages)
    shown, hidden = sent[0]["table"], sent[2]["table"]
    async with opened(pages, kind, link) as page:
        before = len(page.came)
        found = set()
        for table in (0, shown, hidden, NOWHERE):
            for hand in (0, 1, 2, NOWHERE):
                for number, what in enumerate(get_args(Subject)):
                    name = f"{number}-of-{table}-{hand}"
                    came = await page.say(type="read", id=name, what=what, table=table, hand=hand)
                    if answer(kind, came, (what, table, hand)) == "done":
                        found.add((what, table, hand))
        # The choices for an analysis are the same for everyone, whatever is asked.
        analyses = {("analysis", table, hand) for table in (0, shown, hidden, NOWHERE) for hand in (0, 1, 2, NOWHERE)}
        everywhere = {("rules", shown, hand) for hand in (0, 1, 2, NOWHERE)}
        everywhere |= {("invite", shown, hand) for hand in (0, 1, 2, NOWHERE)}
        puzzles = {(what, table, hand) for what, table, hand in found if what in ("puzzles", "rules")}
        assert found == {
            "watcher": everywhere | analyses | {(what, shown, 1) for what in ("past", "file", "link")},
            "guest": {(what, *hand) for what in ("past", "file", "link") for hand in ((0, 0), (shown, 1))},
            "puzzle": puzzles | analyses,
            "puzzle outside": puzzles | analyses,
        }.get(kind, set())
        choices = [one["analysis"] for one in page.came if one["type"] == "found" and one["analysis"]]
        assert len({json.dumps(one) for one in choices}) == int(analyses <= found)
        if kind == "guest":
            told = json.dumps(page.came[before:]).replace("\\", "")
            assert not [one for one in (ANN, BOB, GUILD, CHANNEL) if f'"{one}"' in told or f"/{one}" in told]


async def test_a_guests_page_looks_at_nothing_else(world: World, pages: Pages) -> None:
    link, sent = await scene(world, pages)
    async with guest(pages, link) as page:
        for table in (sent[0]["table"], sent[2]["table"], NOWHERE):
            for beside in (False, True):
                await page.say(type="look", table=table, beside=beside)
                assert (page.view["table"], page.view["seats"], page.view["beside"]) == (0, [], [])
