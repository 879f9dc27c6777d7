"""Standings over events after rulings on them."""

from __future__ import annotations

from bot.model.event_standings import EndedEvent, EventPlacing, compute_standings, points_in
from bot.model.ids import Player
from bot.pure.event.scoring import BY_PLACE, Scoring
from bot.pure.event.structure import Format, Structure

PEOPLE = [Player(str(number)) for number in range(1, 7)]
TOURNAMENT = Structure(format=Format.TOURNAMENT, table_seats=3, most=6, least=2)


def event(*struck: int) -> EndedEvent:
    """Return an event that the players finished in order, and from which some places were struck later."""
    fair = [player for number, player in enumerate(PEOPLE, start=1) if number not in struck]
    order = [*fair, *(player for player in PEOPLE if player not in fair)]
    people = [
        EventPlacing(
            player=player,
            entries=1,
            place=place,
            prize=0,
            disqualified=player not in fair,
            struck=player not in fair,
            end_place=1 + PEOPLE.index(player),
        )
        for place, player in enumerate(order, start=1)
    ]
    return EndedEvent(number=1, structure=TOURNAMENT, people=people)


def test_a_final_table_counts_for_those_who_sat_at_it() -> None:
    finals = {line.player: line.finals for line in compute_standings([event(1)], BY_PLACE)}
    assert finals == {"2": 1, "3": 1, "4": 0, "5": 0, "6": 0}, "the fourth moves up to the third place, but was out"


def test_a_struck_player_has_no_result() -> None:
    lines = compute_standings([event(1), event()], BY_PLACE)
    struck = next(line for line in lines if line.player == "1")
    assert (struck.events, struck.wins, struck.places) == (1, 1, 1)
    assert PEOPLE[0] not in points_in(event(1), Scoring.PLACE)
    assert points_in(event(1), Scoring.PLACE)[PEOPLE[1]] == points_in(event(), Scoring.PLACE)[PEOPLE[0]]
