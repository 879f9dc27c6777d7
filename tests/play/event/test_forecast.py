"""Forecasts of an event's length: their ranges in every format, and the factors that lengthen them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.model.clock import Clock, Pace
from bot.model.ids import TableKey
from bot.play.event.trials.forecast import HOUR, MINUTE, EventProgress, Forecast, forecast, left
from bot.play.event.trials.play_speed import MIN_HANDS, SampledPeriod
from bot.play.event.trials.simulator import HandSpread, PlaySpeed
from bot.pure.event.structure import PRESETS, Format, Structure
from bot.pure.ofc.presets import PINEAPPLE
from bot.pure.ofc.presets import PRESETS as GAMES
from tests.play.world import ANN, BOB, GUILD, PER_TURN, World

TEMPO = PlaySpeed(turn=12_000, between=12_000, seating=30_000, limit=60_000)
SWING = HandSpread(pair=9.0, fantasyland=0.15)
GAME = GAMES["pineapple"]


def told(structure: Structure, people: int = 9, *, tempo: PlaySpeed = TEMPO, swing: HandSpread = SWING) -> Forecast:
    return forecast(structure, GAME, tempo, swing, people=people)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("people", [2, 5, 9])
def test_every_format_has_a_range(preset: str, people: int) -> None:
    found = told(PRESETS[preset], people)
    assert 2 * MINUTE < found.low < found.middle < found.high < 48 * HOUR
    assert found == told(PRESETS[preset], people), "the same question has the same answer"


def test_nobody_plays_alone() -> None:
    with pytest.raises(ValueError, match="at least two players"):
        told(PRESETS["chaipo"], 1)


@pytest.mark.parametrize("preset", ["chaipo", "heads_up", "double", "shootout"])
def test_more_people_play_longer(preset: str) -> None:
    assert told(PRESETS[preset], 3).middle < told(PRESETS[preset], 17).middle


@pytest.mark.parametrize("preset", ["chaipo", "heads_up", "league"])
def test_slower_people_and_smaller_points_take_longer(preset: str) -> None:
    usual = told(PRESETS[preset])
    assert told(PRESETS[preset], tempo=replace(TEMPO, turn=24_000)).middle > 1.4 * usual.middle
    assert told(PRESETS[preset], tempo=replace(TEMPO, turn=900_000)) == told(
        PRESETS[preset], tempo=replace(TEMPO, turn=600_000)
    ), "the clock ends a turn"
    if PRESETS[preset].format not in (Format.LEAGUE, Format.DUPLICATE):
        assert (
            told(PRESETS[preset], swing=HandSpread(pair=4.0)).middle
            > told(PRESETS[preset], swing=HandSpread(pair=12.0)).middle
        )


def test_breaks_waits_and_later_entries_count() -> None:
    tournament, league = PRESETS["chaipo"], PRESETS["league"]
    with_breaks = replace(tournament, break_levels=1, break_minutes=30)
    assert told(with_breaks).middle > told(tournament).middle + 30 * MINUTE
    again = replace(tournament, late_levels=4, reentries=3)
    assert told(again).middle > told(tournament).middle
    over_days = replace(league, round_hours=24)
    assert 4 * 24 * HOUR < told(over_days).middle < 5 * 24 * HOUR


@pytest.mark.parametrize("hours", [1, 24, 168])
def test_waits_between_rounds_are_not_spread(hours: int) -> None:
    found = told(replace(PRESETS["league"], rounds=5, round_hours=hours))
    waits, played = 4 * hours * HOUR, told(replace(PRESETS["league"], rounds=1))
    assert found.low >= waits, "the last round can't begin earlier"
    if hours >= 24:  # longer than any round takes
        assert found.low >= waits + 0.5 * played.low
        assert found.high <= waits + 2 * played.high


def test_breaks_are_not_spread() -> None:
    usual = told(PRESETS["chaipo"])
    rested = told(replace(PRESETS["chaipo"], break_levels=1, break_minutes=600))
    breaks, played = divmod(rested.low, 600 * MINUTE)
    assert breaks >= 2
    assert played < usual.high, "whole breaks, and the time that is played"


def test_levels_in_minutes_end_it_whatever_people_do() -> None:
    quick = replace(PRESETS["chaipo"], level_hands=0, level_minutes=5)
    slow = replace(PRESETS["chaipo"], level_hands=0, level_minutes=20)
    assert told(quick).middle < told(slow).middle


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_range(game: str) -> None:
    structure = replace(PRESETS["chaipo"], table_seats=max(2, min(3, GAMES[game].max_seats)))
    found = forecast(structure, GAMES[game], TEMPO, SWING, people=6)
    assert 0 < found.low < found.high


# the playing speed of a server


async def played_quickly(world: World, key: TableKey) -> None:
    """The running hand, with two seconds a turn."""
    while (view := await world.play.look(key)).waiting:
        world.now += 2_000
        await world.place_cards(key, view.waiting[0])


async def lasting(world: World, clock: Clock = PER_TURN, structure: Structure | None = None) -> Forecast:
    found = await world.events.forecast(GUILD, structure or PRESETS["sit_and_go"], PINEAPPLE, clock, people=3)
    assert found is not None
    return found


async def test_a_server_is_told_by_its_own_hands_once_there_are_some(world: World) -> None:
    unknown = await lasting(world)
    key = await world.table(ANN, BOB)
    await world.start(key)
    for _ in range(MIN_HANDS - 1):
        await played_quickly(world, key)
        await world.next_hand(key)
    assert await lasting(world) == unknown, "too few hands tell nothing"
    await played_quickly(world, key)
    quick = await lasting(world)
    assert quick.middle < 0.6 * unknown.middle
    assert await lasting(world, Clock(pace=Pace.CORRESPONDENCE, seconds=86_400)) != quick


async def test_a_pace_is_learnt_from_hands_of_the_time_that_counts_alone(world: World) -> None:
    unknown, began = await lasting(world), world.now
    key = await world.table(ANN, BOB)
    await world.start(key)
    for _ in range(MIN_HANDS):
        await played_quickly(world, key)
        await world.next_hand(key)
    quick = await lasting(world)
    assert quick != unknown
    for span, told in (
        (SampledPeriod(since=began), quick),
        (SampledPeriod(since=world.now), unknown),
        (SampledPeriod(since=began, until=began), unknown),
        (SampledPeriod(since=began, until=world.now), quick),
    ):
        world.events.learn_pace(span)
        assert await lasting(world) == told, span


async def test_too_few_people_have_no_forecast(world: World) -> None:
    assert await world.events.forecast(GUILD, PRESETS["chaipo"], PINEAPPLE, PER_TURN, people=1) is None


# an event that runs


def more(progress: EventProgress, structure: Structure = PRESETS["chaipo"], *, people: int = 9) -> int | None:
    return left(structure, GAME, TEMPO, SWING, people=people, progress=progress)


def test_what_is_left_of_a_freezeout_follows_from_its_stacks() -> None:
    whole = more(EventProgress(passed=0, tables=((10_000,) * 3,) * 3))
    nearly = more(EventProgress(passed=3_600_000, tables=((80_000, 500),), hands=40), people=9)
    assert whole is not None
    assert nearly is not None
    assert nearly < whole / 3
    assert nearly > 0


def test_what_is_left_of_a_league_are_its_rounds() -> None:
    league = PRESETS["league"]
    first, last = (more(EventProgress(passed=0, round=number), league) for number in (1, league.rounds))
    assert first is not None
    assert last is not None
    assert last < first / 2


@pytest.mark.parametrize(("hands", "passed"), [(0, 0), (2, 3 * HOUR), (6, 10 * HOUR)])
def test_what_is_left_of_a_league_waits_for_the_hour_of_its_next_round(hands: int, passed: int) -> None:
    league = replace(PRESETS["league"], rounds=2, round_hours=24)
    ends = more(EventProgress(passed=passed, round=1, hands=hands, round_passed=passed), league)
    last = more(EventProgress(passed=passed, round=2, hands=0), league)
    assert ends is not None
    assert last is not None
    assert 24 * HOUR - passed + 0.5 * last < ends < 24 * HOUR - passed + 2.5 * last


def test_nothing_is_said_once_it_lasts_longer_than_any_evening_that_was_played_through() -> None:
    bracket = PRESETS["heads_up"]
    assert more(EventProgress(passed=0), bracket) is not None
    assert more(EventProgress(passed=100 * HOUR), bracket) is None
