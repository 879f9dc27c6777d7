"""Marks for automatic placements: at the player's name until the next cards, in the result and in replays."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.chat.table.screens.panel import Panel, panel_screen
from bot.chat.table.screens.picture import describe_picture
from bot.chat.table.screens.replay import replay_screen
from bot.chat.table.screens.result import result_screens
from bot.chat.table.screens.screen import table_screen
from bot.model.ids import Player, TableKey
from bot.play.queries.results import ResultView
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import PRESETS
from bot.text.languages import LANGUAGES
from bot.text.words import words_for
from tests.discord.test_event_table_screen import faces, text_of
from tests.play.world import ANN, BOB, GUILD, FixedVault, World, best

WORDS = words_for("en")
TOGETHER = house_variant("pineapple", {"order": "all_together"}, name="Together")


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    world = World(tmp_path, fixed=FixedVault([b"k" * 32]))
    await world.open()
    yield world
    await world.close()


async def marked(world: World, key: TableKey) -> list[Player]:
    """Return the players whose names the table marks for an automatic placement."""
    shown = text_of(table_screen(await world.play.look(key), WORDS, faces()))
    lines = shown.split("\n")
    return [one for one in (ANN, BOB) if any(line.startswith(f"<@{one}>") and "⏰" in line for line in lines)]


async def test_opponents_see_that_the_clock_has_placed_until_the_player_places_again(world: World) -> None:
    key = await world.started(ANN, BOB)
    late = await world.turn(key)
    assert await marked(world, key) == []
    await world.time_out(key)
    other = await world.turn(key)
    assert other != late
    assert await marked(world, key) == [late]
    panel = text_of(panel_screen(Panel(view=await world.play.look(key, other)), WORDS, faces()))
    assert "⏰" in panel, "and beside the opponents' boards in one's own panel"
    await world.place_cards(key, other)
    assert await marked(world, key) == [late], "the cards of the clock still lie on top"
    await world.place_cards(key, late)
    assert await marked(world, key) == []


async def test_nobody_is_told_how_a_street_was_placed_that_lies_face_down(world: World) -> None:
    key = await world.started(ANN, BOB, variant=TOGETHER)
    await world.place_cards(key, ANN)
    bob = (await world.play.look(key)).place_of(BOB)
    assert bob is not None
    assert bob.seat.deadline is not None
    assert await marked(world, key) == []
    await world.later(bob.seat.deadline - world.now)
    assert await marked(world, key) == [BOB], "turned up, it tells"


async def test_a_clock_that_sets_a_fantasyland_is_told_at_the_end(world: World) -> None:
    key = await world.table(ANN, BOB)
    plans = await world.rig(key, lambda hand: hand.score.boards[0].next_fantasyland > 0, strategies={ANN: best})
    await world.start(key)
    await world.play_hand(key, plans)
    await world.next_hand(key)
    while (await world.turn(key)) == BOB:
        await world.place_cards(key, BOB)
    view = await world.time_out(key)
    assert view.hand is not None
    assert view.hand.over
    told = result_text(await world.play.result(key, 2), "en")
    assert WORDS("result.note.auto_board") in next(line for line in told.split("\n") if line.startswith(f"<@{ANN}>"))
    assert told.count(WORDS("result.note.auto_board")) == 1


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_result_and_a_replay_name_the_streets_that_the_clock_has_placed(world: World, language: str) -> None:
    key = await world.started(ANN, BOB)
    words, streets = words_for(language), []
    while (await world.play.look(key)).waiting:
        view = await world.play.look(key)
        assert view.hand is not None
        if view.waiting[0] == BOB and view.hand.street in (2, 4):
            streets.append(view.hand.street)
            await world.time_out(key)
        else:
            await world.place_cards(key, view.waiting[0])
    assert streets == [2, 4]
    told = result_text(await world.play.result(key, 1), language)
    named = words("result.note.auto", streets=words.list(["2", "4"]), count=2)
    assert [line.startswith(f"<@{BOB}>") for line in told.split("\n") if named in line] == [True]
    replay = await world.play.replay(key, 1, None)
    marks = [text_of(replay_screen(replay, step, words, faces())).count("⏰") for step in range(5)]
    assert marks == [0, 1, 0, 1, 0]


@pytest.mark.parametrize(("variant", "key_of"), [("pineapple", "auto_all"), ("chinese", "auto_board")])
async def test_who_placed_nothing_is_told_in_one_line_and_on_the_picture(
    world: World, variant: str, key_of: str
) -> None:
    key = await world.started(ANN, BOB, variant=PRESETS[variant])
    while (view := await world.play.look(key)).waiting:
        if view.waiting[0] == BOB:
            await world.time_out(key)
        else:
            await world.place_cards(key, view.waiting[0])
    result = await world.play.result(key, 1)
    drawn = faces()
    drawn.names.saw(GUILD, BOB, "Bob")
    assert WORDS(f"result.note.{key_of}") in result_text(result, "en")
    assert describe_picture(result, drawn.names, WORDS).count(WORDS("board.note_auto")) == 1


def result_text(result: ResultView, language: str) -> str:
    return "\n".join(text_of(page) for page in result_screens(result, words_for(language), faces()))
