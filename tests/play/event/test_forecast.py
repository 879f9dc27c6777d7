"""How long an event lasts, told beforehand: ranges in every format, and what makes them longer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.event.structure import PRESETS, Format, Structure
from bot.ofc.presets import PRESETS as GAMES
from bot.play.event.forecast import HOUR, MINUTE, Forecast, Swing, Tempo, forecast

TEMPO = Tempo(turn=12_000, between=12_000, seating=30_000, limit=60_000)
SWING = Swing(pair=9.0, fantasyland=0.15)
GAME = GAMES["pineapple"]


def told(structure: Structure, people: int = 9, *, tempo: Tempo = TEMPO, swing: Swing = SWING) -> Forecast:
    return forecast(structure, GAME, tempo, swing, people=people)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("people", [2, 3, 5, 9])
def test_every_format_has_a_range(preset: str, people: int) -> None:
    found = told(PRESETS[preset], people)
    assert 2 * MINUTE < found.low < found.middle < found.high < 48 * HOUR
    assert found == told(PRESETS[preset], people), "the same question has the same answer"


def test_nobody_plays_alone() -> None:
    with pytest.raises(ValueError, match="alone"):
        told(PRESETS["chaipo"], 1)


@pytest.mark.parametrize("preset", ["chaipo", "heads_up", "double", "shootout"])
def test_more_people_play_longer(preset: str) -> None:
    assert told(PRESETS[preset], 3).middle < told(PRESETS[preset], 17).middle


@pytest.mark.parametrize("preset", PRESETS)
def test_slower_people_and_smaller_points_take_longer(preset: str) -> None:
    usual = told(PRESETS[preset])
    assert told(PRESETS[preset], tempo=replace(TEMPO, turn=24_000)).middle > 1.4 * usual.middle
    assert told(PRESETS[preset], tempo=replace(TEMPO, turn=900_000)) == told(
        PRESETS[preset], tempo=replace(TEMPO, turn=600_000)
    ), "the clock ends a turn"
    if PRESETS[preset].format not in (Format.LEAGUE, Format.DUPLICATE):
        assert (
            told(PRESETS[preset], swing=Swing(pair=4.0)).middle > told(PRESETS[preset], swing=Swing(pair=12.0)).middle
        )


def test_breaks_waits_and_later_entries_count() -> None:
    tournament, league = PRESETS["chaipo"], PRESETS["league"]
    with_breaks = replace(tournament, break_levels=1, break_minutes=30)
    assert told(with_breaks).middle > told(tournament).middle + 30 * MINUTE
    again = replace(tournament, late_levels=4, reentries=3)
    assert told(again).middle > told(tournament).middle
    over_days = replace(league, round_hours=24)
    assert 4 * 24 * HOUR < told(over_days).middle < 5 * 24 * HOUR


def test_levels_in_minutes_end_it_whatever_people_do() -> None:
    quick = replace(PRESETS["chaipo"], level_hands=0, level_minutes=5)
    slow = replace(PRESETS["chaipo"], level_hands=0, level_minutes=20)
    assert told(quick).middle < told(slow).middle


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_range(game: str) -> None:
    structure = replace(PRESETS["chaipo"], table_seats=max(2, min(3, GAMES[game].max_seats)))
    found = forecast(structure, GAMES[game], TEMPO, SWING, people=6)
    assert 0 < found.low < found.high
