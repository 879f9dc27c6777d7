"""Positions in the options of a menu, and the decisions of a hand from a file."""

from __future__ import annotations

from functools import reduce

import pytest

from bot.pure.notation.files import as_json, as_toml, read_history
from bot.pure.notation.history import UNKNOWN, HandHistory, build_history
from bot.pure.ofc.hand import Hand, HandStatus, PlaceCards, decide, evolve, start
from bot.pure.ofc.log import Fact
from bot.pure.ofc.placement import automatic_placement
from bot.pure.ofc.presets import CHINESE, PINEAPPLE, PRESETS
from bot.pure.ofc.variants import Variant
from bot.pure.solver.arrange import best_arrangement
from bot.pure.trainer.decisions import decisions
from bot.pure.trainer.packed import MAX_LENGTH, packed, unpacked
from bot.pure.trainer.position import PositionError, position_in
from tests.pure.solver.hands import shuffled_deck
from tests.pure.trainer.test_position import views

GAMES = sorted(PRESETS)
MANY = 5
"""Number of opponents whose full boards don't fit."""


@pytest.mark.parametrize("game", GAMES)
def test_every_position_is_short_and_read_again(game: str) -> None:
    variant = PRESETS[game]
    for view in views(variant, variant.max_seats, 7):
        position = position_in(view)
        assert unpacked(packed(position), variant) == position
        assert len(packed(position)) <= MAX_LENGTH or len(position.opponents) >= MANY


@pytest.mark.parametrize("text", ["", "a/b", "//+é", "@x+abc", "//+ab", "//+abcde|", "//+aaaaa", "a/b/c/d+efg"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(PositionError):
        unpacked(text, PINEAPPLE)


def played(variant: Variant, seats: int, *, fantasyland: int = 0, to: tuple[int, ...]) -> HandHistory:
    """Return a hand of plain placements, with the cards that the seats ``to`` may know."""
    deck, names = shuffled_deck(variant, 11), [f"10{seat}" for seat in range(seats)]
    facts: list[Fact] = list(
        start(variant, deck, players=names, fantasyland=[fantasyland, *[0] * (seats - 1)], button=seats - 1)
    )
    hand = reduce(evolve, facts, Hand(variant=variant, deck=deck))
    while hand.status is not HandStatus.ENDED:
        number = hand.waiting[0]
        seat = hand.seats[number]
        if seat.fantasyland or variant.at_once:
            letters = best_arrangement(variant, seat.held)
        else:
            to_place = variant.streets[hand.street - 1].to_place
            letters = automatic_placement(seat.rows, seat.held, to_place=to_place)
        more = decide(hand, PlaceCards(seat=number, rows=letters))
        hand, facts = reduce(evolve, more, hand), [*facts, *more]
    nothing = (0,) * seats
    return build_history(hand, facts, hand_id="1/2/3", to=to, stacks=nothing, chips=nothing)


@pytest.mark.parametrize("write", [as_toml, as_json])
def test_a_file_has_the_decisions_of_those_whose_cards_it_shows(write: object) -> None:
    assert callable(write)
    history = read_history(write(played(PINEAPPLE, 3, to=(1,)))).history
    found = decisions(history)
    # Nothing is discarded on the first street, so all of its cards are face up in the end.
    assert [(one.player, one.street) for one in found if one.street > 1] == [("101", street) for street in range(2, 6)]
    assert {one.player for one in found if one.street == 1} == {"100", "101", "102"}
    for one in found:
        assert UNKNOWN not in (*one.position.held, *one.position.discards)
        assert unpacked(packed(one.position), PINEAPPLE) == one.position


def test_each_decision_is_what_its_player_saw() -> None:
    found = decisions(played(PINEAPPLE, 2, to=(0, 1)))
    assert [(one.number, one.street) for one in found] == [(who, street) for who in (1, 2) for street in range(1, 6)]
    for one in found:
        ((other,), street) = one.position.opponents, one.street
        assert len(one.position.discards) == max(0, street - 2)
        placed = sum(map(len, other.rows))
        assert not other.discards
        # Player 1 acts first, so they haven't seen this street of player 2.
        streets = street if one.number == 2 else street - 1
        assert placed == (5 + 2 * (streets - 1) if streets else 0)


def test_a_whole_board_is_one_decision() -> None:
    found = decisions(played(PINEAPPLE, 2, fantasyland=14, to=(0, 1)))
    assert [one.street for one in found if one.player == "100"] == [0]
    assert [one.street for one in decisions(played(CHINESE, 2, to=(0, 1)))] == [0, 0]
