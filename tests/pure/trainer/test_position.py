"""Positions as text: what is read is written again, and what can't be a position is refused with the reason."""

from __future__ import annotations

from functools import reduce

import pytest

from bot.pure.ofc.cards import cards_text
from bot.pure.ofc.hand import Hand, PlaceCards, decide, evolve, start
from bot.pure.ofc.placement import automatic_placement
from bot.pure.ofc.presets import CHINESE, CLASSIC, DOUBLE_PINEAPPLE, JOKER_PINEAPPLE, PINEAPPLE, PRESETS, TURBO
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import HandView, unseen, view_for
from bot.pure.trainer.position import PositionError, parse_position, position_in, view_of
from tests.pure.solver.hands import shuffled_deck

GAMES = sorted(PRESETS)


def views(variant: Variant, seats: int, seed: int) -> list[HandView]:
    """Return each player's view before each of their placements."""
    deck, names = shuffled_deck(variant, seed), [str(seat) for seat in range(seats)]
    hand = Hand(variant=variant, deck=deck)
    opening = start(variant, deck, players=names, fantasyland=[0] * seats, button=seats - 1)
    hand, found = reduce(evolve, opening, hand), []
    while hand.waiting:
        seat = hand.waiting[0]
        view = view_for(hand, names[seat])
        found.append(view)
        assert view.mine
        held = tuple(card for card in view.mine.held if card is not None)
        letters = automatic_placement(hand.seats[seat].rows, held, to_place=view.to_place)
        hand = reduce(evolve, decide(hand, PlaceCards(seat=seat, rows=letters)), hand)
    return found


@pytest.mark.parametrize("game", GAMES)
def test_every_view_of_a_hand_is_a_position_that_shows_the_same(game: str) -> None:
    variant = PRESETS[game]
    seen = views(variant, variant.min_seats if variant.min_seats > 2 else min(3, variant.max_seats), 5)
    assert len(seen) >= variant.min_seats * len(variant.streets)
    for view in seen:
        position = position_in(view)
        assert parse_position(str(position), variant) == position
        again = view_of(position, variant)
        assert again.street == view.street
        assert again.to_place == view.to_place
        assert unseen(again) == unseen(view)
        assert position_in(again) == position
        assert view.you is not None
        if variant.together(view.street):
            continue  # nobody sees who has placed
        # Those who act after the reader sit between them and the button.
        assert [seat.placed for seat in again.seats] == [
            view.seats[(view.you + number) % len(view.seats)].placed for number in range(len(view.seats))
        ]


def test_a_position_has_no_names_and_no_card_that_its_reader_does_not_see() -> None:
    view = views(PINEAPPLE, 3, 8)[-1]
    position = position_in(view)
    hidden = cards_text(unseen(view))
    shown = str(position).replace("vs", "")
    assert all(hidden[at : at + 2] not in shown for at in range(0, len(hidden), 2))
    assert {seat.player for seat in view_of(position, PINEAPPLE).seats} == {"0", "1", "2"}


@pytest.mark.parametrize(
    ("variant", "text"),
    [
        (PINEAPPLE, "Kd/7c7d/AsKs +QhQs2c vs Ah/9c9d/JsTs"),
        (PINEAPPLE, "Kd/7c7d6h/AsKs7s +QhQs2c -3h vs Ah/9c9d2d/JsTs8s @14"),
        (PINEAPPLE, "// +AsKsQd7d2c"),
        (PINEAPPLE, "@14 +KcKhKsQdJd9h9s8d2s3c4c5c8cTd vs Ah/9c9d2d/JsTs8s"),
        (CLASSIC, "Kd/7c7d/AsKs +Qh vs Ah/9c9d/JsTs Qd/8c8d/JhTh3d"),
        (JOKER_PINEAPPLE, "X1/7c7d/AsKs +QhX22c vs 3h/4h5h/6h7h"),
        (DOUBLE_PINEAPPLE, "As/7c7d/AsKs +QhQs2c vs Ah/9c9d/JsTs"),
        (CHINESE, "// +AsKsQsJsTs9s8s7s6s5s4s3s2s vs //"),
    ],
)
def test_what_is_read_is_written_again(variant: Variant, text: str) -> None:
    assert str(parse_position(text, variant)) == text


@pytest.mark.parametrize(
    ("variant", "text", "reason"),
    [
        (PINEAPPLE, "", "lacks a board"),
        (PINEAPPLE, "vs // ", "lacks a board"),
        (PINEAPPLE, "// +AsKsQd7d2c vs", "no board follows vs"),
        (PINEAPPLE, "AsKs +Qh", "has 1 rows"),
        (PINEAPPLE, "//", "5 cards to place, but 0"),
        (PINEAPPLE, "// +AsKs", "5 cards to place, but 2"),
        (PINEAPPLE, "// +AsKsQd7d2c +As", "wrong place"),
        (PINEAPPLE, "// AsKsQd7d2c", "wrong place"),
        (PINEAPPLE, "// +AsKsQd7d1c", "is not a card"),
        (PINEAPPLE, "// +AsKsQd7dAs", "As is there 2 times"),
        (PINEAPPLE, "// +AsKsQd7dX1", "X1 is not in the deck"),
        (PINEAPPLE, "// +AsKsQd7d2c -3c", "0 discards before"),
        (PINEAPPLE, "Kd3d4d5d/7c/ +QhQs2c", "takes 3"),
        (PINEAPPLE, "Kd/7c7d/As +QhQs2c", "no street begins with a board of 4 cards"),
        (PINEAPPLE, "Kd/7c7d/AsKs +QhQs2c vs Ah/9c9d/Js", "doesn't belong to street 2"),
        (PINEAPPLE, "Kd/7c7d/AsKs +QhQs2c vs Ah/9c9d/JsTs2d3d Ac/9h9s/JhTh", "come last"),
        (PINEAPPLE, "Kd/7c7d/AsKs +QhQs2c vs Ah/9c9d/JsTs2d3d-4d", "discards"),
        (PINEAPPLE, "// +AsKsQd7d2c vs // // //", "at most 3 players"),
        (PINEAPPLE, "// +AsKsQd7d2c vs @15", "Write @14"),
        (PINEAPPLE, "@x +AsKsQd7d2c", "no Fantasyland"),
        (TURBO, "@13 +AsKsQd7d2c", "13 cards to place, but 5"),
        (CHINESE, "// +AsKsQd7d2c", "13 cards to place, but 5"),
    ],
)
def test_what_is_no_position_is_refused_with_the_reason(variant: Variant, text: str, reason: str) -> None:
    with pytest.raises(PositionError, match=reason):
        parse_position(text, variant)


def test_the_public_has_no_position() -> None:
    deck = shuffled_deck(PINEAPPLE, 1)
    hand = Hand(variant=PINEAPPLE, deck=deck)
    hand = reduce(evolve, start(PINEAPPLE, deck, players=["0", "1"], fantasyland=[0, 0], button=1), hand)
    with pytest.raises(ValueError, match="only a player"):
        position_in(view_for(hand, None))
