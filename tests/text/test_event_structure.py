"""A structure in words: everything that was decided, and a sentence for everything that makes it impossible."""

import ast
import inspect
from collections.abc import Iterator
from dataclasses import replace

import pytest

from bot.chat.event.screens.lists import series_screen
from bot.model.clock import Clock, Pace
from bot.model.event_standings import EndedEvent, EventPlacing, SeriesTable, compute_standings
from bot.model.ids import Player
from bot.model.standings import places
from bot.pure.event import structure as structures
from bot.pure.event.scoring import Scoring, SeriesRule
from bot.pure.event.structure import PRESETS, Format, Leaving, NoShow, StructureError, check
from bot.pure.ofc.presets import PRESETS as GAMES
from bot.text.event_structure import (
    clock_text,
    format_name,
    how_played,
    place_name,
    prize_lines,
    structure_lines,
    structure_problem,
)
from bot.text.languages import LANGUAGES
from bot.text.words import words_for
from tests.discord.test_event_screen import text_of

ENGLISH = words_for("en")


def calls(name: str) -> Iterator[ast.Call]:
    """Yield calls to this name in the structure's code with a literal text as the first argument."""
    for node in ast.walk(ast.parse(inspect.getsource(structures))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
            yield node


def first_text(call: ast.Call) -> str:
    assert isinstance(call.args[0], ast.Constant)
    return str(call.args[0].value)


PROBLEMS = {first_text(call): {str(word.arg) for word in call.keywords} for call in calls("StructureError")}
LIMITED = sorted({first_text(call) for call in calls("_within")})


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("problem", PROBLEMS)
def test_every_problem_has_a_sentence_with_its_details(problem: str, language: str) -> None:
    entry = words_for(language).entries[f"structure.problem.{problem}"]
    assert entry.fields == PROBLEMS[problem]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("what", LIMITED)
def test_every_number_that_has_limits_is_named(what: str, language: str) -> None:
    words = words_for(language)
    told = structure_problem(StructureError("out_of_range", what=what, least=1, most=1000), words)
    assert words(f"structure.what.{what}") in told
    assert words.number(1000) in told


def test_a_structure_that_cannot_be_is_explained() -> None:
    with pytest.raises(StructureError) as refused:
        check(replace(PRESETS["chaipo"], payouts=(50, 30)), GAMES["pineapple"])
    assert structure_problem(refused.value, ENGLISH) == ENGLISH("structure.problem.payout_sum", sum="80")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_told(preset: str, language: str) -> None:
    words, structure = words_for(language), PRESETS[preset]
    assert format_name(structure.format, words)
    assert how_played(structure, words)
    text = "\n".join([*structure_lines(structure, words), *prize_lines(structure, words)])
    points = structure.format in (Format.LEAGUE, Format.DUPLICATE)
    assert (words("structure.stack", chips=words.number(structure.stack)) in text) != points
    assert words("structure.free") in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_shows_are_refunded_where_they_have_paid(language: str) -> None:
    words = words_for(language)
    for fee, key in ((0, "structure.check_in_drop_free"), (100, "structure.check_in_drop")):
        lines = structure_lines(replace(PRESETS["bicycle"], fee=fee), words)
        assert words(key, time=words("duration.minutes", count=15)) in lines


@pytest.mark.parametrize("language", LANGUAGES)
def test_players_read_that_leaving_means_giving_up_where_it_does(language: str) -> None:
    words = words_for(language)
    for preset, leaving, told in (
        ("chaipo", Leaving.REMOVE, True),
        ("chaipo", Leaving.BLIND, False),
        ("sit_and_go", Leaving.REMOVE, True),
        ("league", Leaving.REMOVE, False),
    ):
        lines = structure_lines(replace(PRESETS[preset], leaving=leaving), words)
        assert (words("structure.leaving_remove") in lines) is told


def test_what_is_special_is_told_and_what_is_not_there_is_left_out() -> None:
    text = "\n".join(structure_lines(PRESETS["bicycle"], ENGLISH))
    for sentence in (
        ENGLISH("structure.breaks", count=4, time="10 minutes"),
        ENGLISH("structure.late", count=4),
        ENGLISH("structure.reentries", count=1),
        ENGLISH("structure.check_in_drop_free", time="15 minutes"),
    ):
        assert sentence in text
        assert sentence not in "\n".join(structure_lines(PRESETS["heads_up"], ENGLISH))


@pytest.mark.parametrize("language", LANGUAGES)
def test_levels_by_hands_say_that_fantasyland_is_not_counted_where_there_is_one(language: str) -> None:
    words, chaipo = words_for(language), PRESETS["chaipo"]
    for fantasyland in (True, False):
        text = "\n".join(structure_lines(chaipo, words, fantasyland=fantasyland))
        assert (words("event_form.field.fantasyland") in text) == fantasyland


def test_levels_by_the_minute_and_who_does_not_come() -> None:
    timed = replace(PRESETS["chaipo"], level_hands=0, level_minutes=15, no_show=NoShow.BLIND, threads=False)
    text = "\n".join(structure_lines(timed, ENGLISH))
    assert "A new level every 15 minutes" in text
    assert ENGLISH("structure.check_in_blind", time="15 minutes") in text
    assert ENGLISH("structure.channel") in text


@pytest.mark.parametrize(("seats", "places"), [(3, "1st 100%"), (6, "1st 65% · 2nd 35%")])
def test_a_sit_and_go_with_prizes_says_what_each_place_is_paid(seats: int, places: str) -> None:
    paid = replace(PRESETS["sit_and_go"], most=seats, fee=500)
    assert ENGLISH("structure.payouts", places=places) in prize_lines(paid, ENGLISH)
    assert prize_lines(replace(paid, fee=0), ENGLISH) == [ENGLISH("structure.free"), ENGLISH("structure.ties.share")]


def test_prizes_are_told_in_chips_once_there_are_some_and_in_percent_before() -> None:
    structure = replace(PRESETS["chaipo"], fee=500, added=1000, payouts=(60, 40), titles=("Champion",), roles=(0, 7))
    before = prize_lines(structure, ENGLISH)
    assert ENGLISH("structure.payouts", places="1st 60% · 2nd 40%") in before
    assert ENGLISH("structure.titles", places="1st Champion") in before
    assert ENGLISH("structure.roles", places="2nd <@&7>") in before
    now = prize_lines(structure, ENGLISH, prizes=(1200, 800), pool=2000)
    assert ENGLISH("structure.prizes", places="1st 1,200 (60%) · 2nd 800 (40%)") in now
    early = prize_lines(structure, ENGLISH, prizes=(2000,), pool=2000, growing=True)
    assert ENGLISH("structure.prizes", places="1st 2,000") in early
    assert ENGLISH("structure.payouts", places="1st 60% · 2nd 40%") in early, "while others can still register"
    many = prize_lines(structure, ENGLISH, prizes=(100,) * 30, pool=3000)
    assert any(line.endswith(ENGLISH("event.more", count=21)) for line in many)


@pytest.mark.parametrize(
    ("place", "name"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (13, "13th"), (21, "21st"), (112, "112th")],
)
def test_places_are_counted(place: int, name: str) -> None:
    assert place_name(place, ENGLISH) == name
    assert place_name(place, words_for("ja")) == f"{place}位"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("pace", Pace)
def test_every_pace_is_told(pace: Pace, language: str) -> None:
    text = clock_text(Clock(pace=pace, seconds=120), words_for(language))
    assert ("2" in text) == (pace is not Pace.NONE)


def test_the_numbers_of_a_series_are_those_that_count_where_somebody_has_entered_again() -> None:
    people = [
        EventPlacing(player=Player(str(place)), entries=1 + (place < 4), place=place, prize=0, disqualified=False)
        for place in range(1, 7)
    ]
    held, rule = EndedEvent(number=1, structure=PRESETS["chaipo"], people=people), SeriesRule(Scoring.PRIZE)
    lines = compute_standings([held], rule)
    table = SeriesTable(
        name="Fridays",
        rule=rule,
        lines=lines,
        places=places([line.key for line in lines]),
        takes_part=True,
        newest=held,
        seasons=(),
        season=None,
    )
    assert [line.points for line in lines if line.points] == [500, 300, 200]
    told = ENGLISH("structure.series.numbers", count=6, points="1st 500 · 2nd 300 · 3rd 200 … 6th 0")
    assert told in text_of(series_screen(table, ENGLISH, "1"))
