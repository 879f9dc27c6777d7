"""Rulings on the public page of an event: corrected rounds, and the list of rulings without reasons."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from random import Random

import pytest

from bot.model.choices import MemberSettings
from bot.model.ids import Player
from bot.play.event.floor import sheets
from bot.play.event.organisers import late_rulings, organiser
from bot.pure.event.structure import Format
from bot.text.languages import LANGUAGES
from bot.text.words import words_for
from bot.web.events.csv_file import as_csv
from bot.web.events.document import EventDocument, as_json
from tests.play.event.event_world import GUILD, Scene, structure
from tests.play.event.storage import close_what_is_open
from tests.web.test_event_pages import (
    NAMES,
    PEOPLE,
    SWISS,
    Reader,
    document,
    everything,
    page,
    play,
    published,
)

WHY = "two accounts"


@pytest.fixture(autouse=True)
def _storages() -> Iterator[None]:
    yield
    close_what_is_open()


@pytest.fixture
def over() -> Scene:
    """A Swiss league that is over."""
    scene = Scene(4)
    scene.announce(SWISS, series="Fridays")
    published(scene)
    scene.register(*PEOPLE[:5])
    scene.start()
    scene.go_on()
    play(scene, Random(1), 40)
    scene.ends()
    return scene


def newest(scene: Scene) -> int:
    return max(fact.number for kind in ("corrected", "struck", "series_changed") for fact in scene.log(kind))


def sums(made: EventDocument) -> dict[int, int]:
    """Return the points of each player in all rounds, and those outside of them."""
    total = {line.player.number: line.adjusted for line in made.standings}
    for table in (table for one in made.pairings for table in one.pairings):
        for person, points in zip(table.players, table.points, strict=True):
            total[person.number] += points or 0
    return total


def scores(made: EventDocument) -> dict[int, int]:
    return {line.player.number: line.points or 0 for line in made.standings}


def match_of(scene: Scene, number: int) -> tuple[Player, Player]:
    first, second = sheets.sat_together(scene.committed, scene.event)[number][0]
    return first, second


def test_a_corrected_match_shows_in_its_round_on_the_page_and_in_both_files(over: Scene) -> None:
    before, (player, other) = document(over), match_of(over, 2)
    over.organise(late_rulings.correct, player, amount=-15, round_no=2, why=WHY)
    made = document(over)
    (ruling,) = made.rulings
    name, against = (NAMES[PEOPLE.index(one)] for one in (player, other))
    assert ruling.player is not None
    assert ruling.against is not None
    assert (ruling.kind, ruling.player.name, ruling.amount) == ("points", name, -15)
    assert (ruling.round, ruling.against.name) == (2, against)
    assert sums(made) == scores(made) != scores(before)
    for was, now in zip(before.pairings, made.pairings, strict=True):
        for table, corrected in zip(was.pairings, now.pairings, strict=True):
            mine = now.number == 2 and name in [person.name for person in table.players]
            assert corrected.corrected is mine
            changes = {
                person.name: (new or 0) - (old or 0)
                for person, old, new in zip(table.players, table.points, corrected.points, strict=True)
            }
            assert changes == ({name: -15, against: 15} if mine else dict.fromkeys(changes, 0))
    assert json.loads(as_json(made))["pairings"][1]["pairings"][0]["corrected"] is True
    rows = csv.DictReader(io.StringIO(as_csv(made, words_for("en")).decode("utf-8-sig")))
    assert {int(row["number"]): int(row["points"]) for row in rows} == scores(made)
    for code in LANGUAGES:
        words, told = words_for(code), Reader(page(document(over, code)))
        assert words("event_page.rulings") in told.headings
        values: dict[str, str | int] = {
            "round": 2,
            "player": name,
            "against": against,
            "amount": words.signed(-15),
            "opposite": "+15",
        }
        assert any(words("event_page.ruling.points_round_match", count=15, **values) in text for text in told.text)
        assert any(words("event_page.corrected") in text for text in told.text)
    over.organise(late_rulings.undo, number=newest(over))
    assert document(over) == before


def test_points_outside_of_the_rounds_are_said_next_to_the_total(over: Scene) -> None:
    (player, _), before = match_of(over, 1), document(over)
    over.organise(late_rulings.correct, player, amount=8, why=WHY)
    made = document(over)
    assert made.pairings == before.pairings
    assert sums(made) == scores(made) != scores(before)
    (line,) = [line for line in made.standings if line.adjusted]
    assert (line.player.name, line.adjusted) == (NAMES[PEOPLE.index(player)], 8)
    rows = csv.DictReader(io.StringIO(as_csv(made, words_for("en")).decode("utf-8-sig")))
    assert [row["adjusted"] for row in rows if row["adjusted"] != "0"] == ["8"]
    for code in LANGUAGES:
        words, told = words_for(code), Reader(page(document(over, code))).text
        assert any(words("event_page.adjusted", points="+8") in text for text in told)
        ruling = words("event_page.ruling.points", count=8, player=str(line.player.name), amount="+8")
        assert any(ruling in text for text in told)


def test_points_and_chips_given_during_play_are_listed() -> None:
    for form, kind in ((Format.LEAGUE, "points"), (Format.TOURNAMENT, "chips")):
        scene = Scene(4)
        scene.announce(structure(form))
        published(scene)
        scene.register(*PEOPLE[2:5])
        scene.start()
        scene.go_on()
        if kind == "chips":
            scene.hand(1)  # a stack is changed between two hands
        scene.organise(organiser.adjust, PEOPLE[2], amount=20, why=WHY)
        made = document(scene)
        assert [(one.kind, one.amount, one.round) for one in made.rulings] == [(kind, 20, None)]
        assert sum(line.adjusted for line in made.standings) == (20 if kind == "points" else 0)
        for code in LANGUAGES:
            told = page(document(scene, code))
            assert words_for(code)(f"event_page.ruling.{kind}", count=20, player="花子", amount="+20") in told


def test_strikes_and_moves_to_another_series_are_listed_until_they_are_undone(over: Scene) -> None:
    words, winner = words_for("en"), over.places()[0]
    over.organise(late_rulings.strike, winner, why=WHY)
    assert [one.kind for one in document(over).rulings] == ["struck"]
    name = NAMES[PEOPLE.index(winner)]
    assert any(words("event_page.ruling.struck", player=name) in text for text in Reader(page(document(over))).text)
    over.organise(late_rulings.undo, number=newest(over))
    assert document(over).rulings == ()
    over.organise(late_rulings.to_series, "Mondays", why=WHY)
    assert words("event_page.ruling.series") in page(document(over))
    over.organise(late_rulings.to_series, "", why=WHY)
    assert words("event_page.ruling.series_none") in page(document(over))


def test_the_list_of_rulings_has_no_reasons_and_no_names_of_hidden_players(over: Scene) -> None:
    player, other = match_of(over, 2)
    hidden = MemberSettings(profile_visible=False)
    for one in (player, other):
        over.write(lambda s, one=one: s.tx.choices.save_member_settings(GUILD, one, hidden))  # type: ignore[misc]
    over.organise(late_rulings.correct, player, amount=-15, round_no=2, why=WHY)
    over.organise(late_rulings.strike, other, why=WHY)
    told = everything(over, seen=True)
    assert WHY not in told
    for one in (player, other):
        assert NAMES[PEOPLE.index(one)] not in told.replace("&lt;", "<").replace("&gt;", ">")
        assert one not in told
