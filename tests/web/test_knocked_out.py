"""Players knocked out of an event see their finish next to their last hand, until they move on."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import replace

import pytest

from bot.model.ids import Player, TableKey
from bot.pure.event.structure import PRESETS
from bot.text.words import words_for
from bot.web.pages import Pages
from tests.play.test_every_record import event
from tests.play.world import ANN, GUILD, World
from tests.web.open_pages import kept
from tests.web.test_watching import told

EN = words_for("en")
ALL_IN = replace(PRESETS["chaipo"], threads=False, check_in_minutes=0, stack=1000, levels=(50, 6400), level_hands=1)
"""A single lost hand knocks a player out."""
FINISHED = EN("event_table.standing.out_at", event="Friday", place="·").replace("**", "").partition("·")


async def begun(world: World) -> list[TableKey]:
    """The tables of an event of six, with its first hands dealt."""
    key = await event(world, ALL_IN)
    await world.later(world.policy.seating_ms)
    return [line.table.key for line in (await world.events.look(key)).tables]


async def seated(world: World, key: TableKey) -> list[Player]:
    """The players of a table."""
    return [place.seat.player for place in (await world.play.look(key)).places]


@pytest.mark.parametrize("elsewhere", [True, False])
async def test_how_one_finished_stands_beside_the_last_hand(world: World, pages: Pages, elsewhere: bool) -> None:
    first, *_ = await begun(world)
    players = await seated(world, first)
    others = {player: await world.started(player, ANN) for player in players} if elsewhere else {}
    async with AsyncExitStack() as stack:
        lines = [await stack.enter_async_context(kept(pages, player)) for player in players]
        for line in lines:
            await line.say(type="look", table=first.table)
        await world.play_hand(first)
        await told(pages)
        left = await seated(world, first)
        (line,) = [line for player, line in zip(players, lines, strict=True) if player not in left]
        for _ in range(3):
            # The others play on, and other tables of theirs call without taking the place of this.
            await told(pages)
            assert line.view["table"] == first.table
            assert line.view["status"].split("\n")[-1] == f"{FINISHED[0]}6th{FINISHED[2]}"
            assert line.view["result"]["title"] == EN("result.title", hand=1)
            assert sum(map(len, line.own["rows"])) == 13
            assert [one["table"] for one in line.view["tables"] if one["chosen"]] == ([first.table] if others else [])
            await world.later(world.policy.next_hand_ms)
            await world.play_hand(first)
        assert (await world.play.look(first)).table.hand_no > 1
        if others:
            (there,) = [others[player] for player in players if player not in left]
            await line.say(type="look", table=there.table)
            assert line.view["table"] == there.table
            assert FINISHED[0] not in line.view["status"]


async def test_whoever_is_moved_is_shown_their_new_table(world: World, pages: Pages) -> None:
    first, *rest = await begun(world)
    async with AsyncExitStack() as stack:
        lines = {
            player: await stack.enter_async_context(kept(pages, player))
            for key in (first, *rest)
            for player in await seated(world, key)
        }
        before = {player: line.view["table"] for player, line in lines.items()}
        moved: set[Player] = set()
        for _ in range(8):
            for key in (first, *rest):
                if (await world.play.look(key)).table.open:
                    await world.play_hand(key)
                    await told(pages)
            await world.later(world.policy.next_hand_ms)
            await told(pages)
            moved = {one for one, line in lines.items() if line.view["table"] != before[one]}
            if moved:
                break
        assert moved
        for player in moved:
            assert lines[player].view["table"] == (await world.play.tables_of(GUILD, player))[0].key.table
