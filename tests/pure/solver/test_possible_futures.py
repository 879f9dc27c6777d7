"""The computer opponent: legal placements, from visible cards only, and sound play."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

import pytest

from bot.pure.ofc.cards import Card, full_deck, parse_cards
from bot.pure.ofc.hand import Hand, HandSeat
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.placement import check_placement
from bot.pure.ofc.presets import (
    CHINESE,
    CLASSIC,
    JOKER_PINEAPPLE,
    OPEN_THIRTEEN,
    PINEAPPLE,
    PRESETS,
    THIRTEEN,
    TWO_SEVEN_PINEAPPLE,
)
from bot.pure.ofc.scoring import BoardScore
from bot.pure.ofc.variants import Street, Variant
from bot.pure.ofc.view import view_for
from bot.pure.solver.arrange import best_arrangement
from bot.pure.solver.possible_futures import choose_placement
from tests.pure.ofc.games import DOUBLE_JOKER, VARIANTS, Played, any_act, any_opening, opened, rows
from tests.pure.solver.hands import alike

ALL_AT_ONCE = replace(PINEAPPLE, key="all_at_once", streets=(Street(13, 13),), fantasyland=None)
JOKER_TURBO = house_variant("turbo_pineapple", {"jokers": "1", "order": "all_together", "strict_rows": "on"})
DOUBLE_LOW = house_variant("two_seven", {"decks": "2", "seats": "6"})
GAMES = (*VARIANTS, ALL_AT_ONCE, JOKER_TURBO, DOUBLE_LOW)
UNLIKE = (PINEAPPLE, TWO_SEVEN_PINEAPPLE, JOKER_PINEAPPLE, OPEN_THIRTEEN, DOUBLE_JOKER, JOKER_TURBO, DOUBLE_LOW)
"""Games of which no two are placed alike."""


def shuffled(variant: Variant, *, seed: int) -> tuple[Card, ...]:
    deck = list(full_deck(decks=variant.decks, jokers=variant.jokers))
    Random(seed).shuffle(deck)
    return tuple(deck)


def choice(hand: Hand, seat: int) -> str:
    """Return the computer's placement for a seat."""
    return choose_placement(view_for(hand, hand.seats[seat].player))


def played_by_computers(played: Played) -> Played:
    while waiting := played.hand.waiting:
        played = played.place_cards(waiting[0], choice(played.hand, waiting[0]))
    return played


def on_the_last_street(board: str, held: str) -> str:
    """Return the placement that ends this Pineapple board with these three cards."""
    return placed(PINEAPPLE, board, held, street=len(PINEAPPLE.streets))


def placed(variant: Variant, board: str, held: str, *, street: int) -> str:
    seats = (
        HandSeat(player="p0", fantasyland=0, rows=rows(board), held=parse_cards(held), placed_street=street - 1),
        HandSeat(player="p1", fantasyland=0, placed_street=street),
    )
    return choice(Hand(variant=variant, deck=full_deck(), seats=seats, button=1, street=street), 0)


@pytest.mark.parametrize(
    "variant", [pytest.param(game, id=game.key, marks=[pytest.mark.deep] * alike(game)) for game in GAMES]
)
def test_the_computer_plays_a_whole_hand(variant: Variant) -> None:
    played = played_by_computers(opened(variant, seats=variant.min_seats, deck=shuffled(variant, seed=1)))
    assert sum(played.hand.score.points) == 0


@pytest.mark.parametrize("variant", UNLIKE, ids=lambda variant: variant.key)
def test_whatever_was_placed_before_the_computer_goes_on_from_it(variant: Variant) -> None:
    chance = Random(variant.key)
    played = any_opening(variant, chance)
    while waiting := played.hand.waiting:
        if played.hand.street > 1 and not played.hand.seats[waiting[0]].fantasyland:
            played.place_cards(waiting[0], choice(played.hand, waiting[0]))
        played = played.then(any_act(played.hand, waiting[0], chance))


@pytest.mark.deep
@pytest.mark.parametrize("variant", GAMES, ids=lambda variant: variant.key)
def test_whatever_was_placed_before_in_many_hands_the_computer_goes_on_from_it(variant: Variant) -> None:
    for seed in range(8):
        chance = Random(seed)
        played = any_opening(variant, chance)
        while waiting := played.hand.waiting:
            for seat in waiting:
                played.place_cards(seat, choice(played.hand, seat))
            played = played.then(any_act(played.hand, waiting[0], chance))


def test_the_same_view_is_always_answered_alike() -> None:
    hand = opened(PINEAPPLE, deck=shuffled(PINEAPPLE, seed=2)).hand
    assert choice(hand, 1) == choice(hand, 1)


def test_cards_that_the_computer_may_not_see_do_not_move_it() -> None:
    deck = shuffled(PINEAPPLE, seed=3)
    mine, others = deck[:5], list(deck[5:])
    chosen = set()
    for seed in range(3):
        Random(seed).shuffle(others)
        chosen.add(choice(opened(PINEAPPLE, deck=(*mine, *others)).hand, 1))
    assert len(chosen) == 1


def test_a_fantasyland_board_is_the_best_one_and_may_be_set_again() -> None:
    played = opened(PINEAPPLE, fantasyland=(14, 0), deck=shuffled(PINEAPPLE, seed=4))
    best = best_arrangement(PINEAPPLE, played.hand.seats[0].held)
    assert choice(played.hand, 0) == best
    assert choice(played.place_cards(0, best).hand, 0) == best


def test_nobody_but_a_player_is_asked() -> None:
    with pytest.raises(ValueError, match="only a player"):
        choose_placement(view_for(opened(PINEAPPLE).hand, None))


def test_a_royal_flush_is_completed() -> None:
    assert on_the_last_street("QsQd/5c5d5h9s9c/AhKhQhJh", "3c2cTh")[2] == "B"


def test_a_pair_that_would_foul_stays_off_the_front() -> None:
    assert on_the_last_street("Qs3d/JcJd9h8s2c/AhKh8h7h", "Qd4hTc") == "DBF"


def test_a_foul_that_cannot_be_avoided_is_placed_all_the_same() -> None:
    letters = on_the_last_street("AsAdKs/2c3d4h7s/JhTc8d6s", "9c9dQh")
    check_placement(rows("AsAdKs/2c3d4h7s/JhTc8d6s"), parse_cards("9c9dQh"), letters, to_place=2)


def test_the_only_free_place_is_filled() -> None:
    assert placed(CLASSIC, "QsQd2c/5c5d5h9s9c/AhKhQhJh", "3c", street=9) == "B"


def test_three_of_a_kind_open_on_the_back() -> None:
    letters = choice(opened(PINEAPPLE, deck=_first(parse_cards("8c8d8hKd3c"))).hand, 1)
    assert letters[:3] == "BBB"


def test_the_queens_that_a_strong_board_carries_go_to_the_front() -> None:
    letters = placed(PINEAPPLE, "2c/7c7d7h/KsKdKh3s3h", "QsQd4h", street=4)
    assert letters == "FFD"


def test_a_middle_stays_a_low() -> None:
    letters = placed(TWO_SEVEN_PINEAPPLE, "Kc/7s5d4h2c/AhAdQhQs", "3c7d9h", street=4)
    assert letters[0] == "M"


def test_a_joker_in_the_hand_completes_a_royal_flush() -> None:
    letters = placed(JOKER_PINEAPPLE, "QsQd/5c5d5h9s9c/AhKhQhJh", "3cX12c", street=5)
    assert letters[1] == "B"


def test_a_joker_on_the_front_gives_way_to_a_weak_middle() -> None:
    letters = placed(JOKER_PINEAPPLE, "X1As/8s8dKcQc2d/JsJdJhTc", "7c9dTh", street=5)
    check_placement(rows("X1As/8s8dKcQc2d/JsJdJhTc"), parse_cards("7c9dTh"), letters, to_place=2)
    assert letters == "FDB"


@pytest.mark.parametrize("variant", [CHINESE, THIRTEEN], ids=lambda variant: variant.key)
def test_thirteen_cards_at_once_are_the_best_board(variant: Variant) -> None:
    hand = opened(variant, seats=4, deck=shuffled(variant, seed=5)).hand
    assert choice(hand, 1) == best_arrangement(variant, hand.seats[1].held)


def test_three_of_a_kind_that_the_head_pays_for_is_kept_there() -> None:
    assert placed(OPEN_THIRTEEN, "8s8d/2c3d4h5s6c/TsJdQhKcAs", "8h", street=9) == "F"


def _first(cards: Sequence[Card]) -> tuple[Card, ...]:
    """A deck that deals these cards first."""
    return (*cards, *(card for card in full_deck() if card not in cards))


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Totals over many boards."""

    foul_rate: float
    royalties: float
    """The mean over all boards; a foul has none."""

    @classmethod
    def of(cls, variant: Variant, *, hands: int) -> "Record":
        """The record of two computers against each other, without Fantasyland hands."""
        decks = (shuffled(variant, seed=seed) for seed in range(hands))
        games = (played_by_computers(opened(variant, seats=variant.min_seats, deck=deck)) for deck in decks)
        boards: list[BoardScore] = [board for played in games for board in played.hand.score.boards]
        return cls(
            foul_rate=sum(board.foul for board in boards) / len(boards),
            royalties=sum(board.royalties for board in boards) / len(boards),
        )


@pytest.mark.deep
def test_three_hundred_boards_of_pineapple_are_seldom_fouled_and_well_paid() -> None:
    record = Record.of(PINEAPPLE, hands=150)
    assert record.foul_rate < 0.15
    assert record.royalties > 2.5, "a greedy player who never risks a foul makes about 1.6"


@pytest.mark.deep
def test_three_hundred_boards_of_classic_are_seldom_fouled() -> None:
    record = Record.of(CLASSIC, hands=150)
    assert record.foul_rate < 0.18
    assert record.royalties > 1.0


@pytest.mark.deep
@pytest.mark.parametrize("variant", PRESETS.values(), ids=lambda variant: variant.key)
def test_no_game_is_fouled_often(variant: Variant) -> None:
    assert Record.of(variant, hands=30).foul_rate < 0.3
