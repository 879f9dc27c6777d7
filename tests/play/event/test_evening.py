"""Some whole events from seeds; ``python -m tests.play.event`` plays thousands."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from bot.model.ids import TableId
from bot.play.event.floor.event_state import EventState
from bot.play.event.office import views
from bot.pure.event.pairings import Pairings
from tests.databases import DATABASES, POSTGRES, SQLITE
from tests.play.event.evening import BrokenPromiseError, Evening
from tests.play.event.told_model import FORMS, ToldEvening

LONG_DUEL = 12
"""An evening of 22 people and 460 hands, which takes as long as all the others to 20."""


@pytest.mark.parametrize(
    "seeds",
    [
        *(range(1, 6), range(6, LONG_DUEL), range(LONG_DUEL + 1, 21)),
        *(pytest.param(seeds, marks=pytest.mark.deep) for seeds in (range(LONG_DUEL, LONG_DUEL + 1), range(21, 41))),
    ],
    ids=lambda seeds: f"{seeds[0]}-{seeds[-1]}",
)
def test_events_of_every_format_come_to_a_fair_end_whatever_happens(seeds: range) -> None:
    for seed in seeds:
        Evening(seed).run()


def test_a_seed_gives_the_same_event_again() -> None:
    once, again = Evening(3), Evening(3)
    once.run()
    again.run()
    assert (once.steps, once.counts, once.tale) == (again.steps, again.counts, again.tale)


def test_a_seed_gives_the_same_event_on_both_databases() -> None:
    told = []
    for kind in (SQLITE, POSTGRES):
        with DATABASES.playing_on(kind):
            evening = Evening(5)
            evening.run()
            told.append((evening.steps, evening.counts, evening.tale))
    assert told[0] == told[1]


def told(seeds: Iterable[int], pairings: Pairings | None = None) -> Counter[str]:
    """Play events from ``seeds``, compare each player's view with the model, and return the counts."""
    seen: Counter[str] = Counter()
    for seed in seeds:
        evening = ToldEvening(seed, pairings=pairings)
        seen[f"{evening.form.value} {evening.run().phase.value}"] += 1
        seen["compared"] += evening.compared
        seen += evening.counts
    return seen


@pytest.mark.parametrize("first", [0, 5, 10])
def test_everybody_is_told_their_state_and_rank_as_an_independent_model_has_them(first: int) -> None:
    """Fields from 2 to 17, each format in turn."""
    seen = told(range(first, 80, 21))
    assert seen["compared"] > 50


def test_a_swiss_league_is_told_as_the_model_has_it_with_what_the_opponents_have() -> None:
    seen = told(range(5, 60, 11), Pairings.SWISS)
    assert seen["league ended"] >= 3
    assert seen["met"] > 10


def test_whoever_took_the_seat_of_another_has_not_made_them_forgotten() -> None:
    """In this Swiss league, a player is disqualified mid-round and another takes the seat."""
    assert told([3710])["met"] > 0


def test_a_round_whose_cards_were_held_at_one_table_alone_counts_nothing_and_is_told() -> None:
    """In this duplicate event, one hand per deck of round 1 is void, so its players score 0 in that round."""
    seen = told([15361])
    assert (seen["rows"], seen["void"]) == (4, 2)


def test_a_round_robin_is_told_as_the_model_has_it() -> None:
    seen = told(range(5, 49, 11), Pairings.ALL)
    assert seen["compared"] > 10


@pytest.mark.parametrize("pairings", Pairings)
def test_leagues_with_players_who_leave_and_return_are_told_as_the_model_has_them(pairings: Pairings) -> None:
    seen = told(range(10, 30, 2), pairings)
    assert seen["leave"] > 3
    assert seen["return"] > 0
    assert seen["byes"] > 0


def test_tournaments_and_shoot_outs_that_players_leave_are_told_as_the_model_has_them() -> None:
    """Sit & Gos, tournaments and shoot-outs with 10 to 13 players, who keep their seats or give up."""
    seen = told(first + number for first in range(40, 60, 5) for number in (2, 3, 4))
    assert seen["leave"] > 10
    assert seen["return"] > 3
    assert seen["gave up"] > 3


@pytest.mark.parametrize("wrong", ["place", "tied", "table"])
def test_the_model_sees_what_is_told_wrongly(monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
    lines = views._lines  # noqa: SLF001

    def lying(field: EventState) -> Iterator[views.StandingsLine]:
        for line in lines(field):
            lies: dict[str, Any] = {"place": line.place + 1, "tied": not line.tied, "table": TableId(99)}
            yield replace(line, **{wrong: lies[wrong]}) if line.entrant.hands > 1 else line

    monkeypatch.setattr(views, "_lines", lying)
    with pytest.raises(BrokenPromiseError, match="is told"):
        told(range(0, 80, 16))


@pytest.mark.deep
def test_everybody_is_told_their_state_and_rank_in_240_events() -> None:
    seen = told(range(240))
    for form in FORMS:
        assert seen[f"{form.value} ended"] > 20
    assert seen["kills"] > 0
    assert seen["void"] > 0
    assert seen["rows"] > 100
    assert seen["again"] > 0
