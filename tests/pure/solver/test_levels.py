"""Computer players of every level: legal placements, from visible cards only, and deterministic."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import reduce
from random import Random

import numpy as np
import pytest

from bot.base.solver_data import load_arrays
from bot.play.queries.reviews import arrangement
from bot.pure.ofc.cards import EMPTY, Card, RowCards, cards_text, full_deck, parse_cards
from bot.pure.ofc.hand import Hand, HandSeat, HandStatus, PlaceCards, decide, evolve, start
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.placement import check_placement, place
from bot.pure.ofc.presets import (
    CHINESE,
    CLASSIC,
    JOKER_PINEAPPLE,
    OPEN_THIRTEEN,
    PINEAPPLE,
    PRESETS,
    PROGRESSIVE,
    TURBO_PINEAPPLE,
    TWO_SEVEN_PINEAPPLE,
)
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import HandView, SeatView, view_for
from bot.pure.solver.boards import single_board
from bot.pure.solver.evaluator import base_game
from bot.pure.solver.levels import Computers, Level
from bot.pure.solver.search import Effort, not_clearly_behind, search_ahead
from bot.pure.solver.visible_cards import build_spot, cards_to_place
from tests.pure.ofc.games import OWN_CLOCK
from tests.pure.solver.hands import FAMILY

COMPUTERS = Computers(load_arrays, evaluators=1)
QUICK = Effort(rounds=((4, 12),), boards=24)
HASTY = Computers(load_arrays, QUICK, evaluators=1)


def opened(variant: Variant, *, seed: int, seats: int, fantasyland: int = 0) -> Hand:
    deck = list(full_deck(decks=variant.decks, jokers=variant.jokers))
    Random(seed).shuffle(deck)
    names = [str(seat) for seat in range(seats)]
    cards = [fantasyland] + [0] * (seats - 1)
    opening = start(variant, tuple(deck), players=names, fantasyland=cards, button=0)
    return reduce(evolve, opening, Hand(variant=variant, deck=tuple(deck)))


def played_by(hand: Hand, level: Level) -> Hand:
    while hand.status is HandStatus.PLAYING:
        seat = hand.waiting[0]
        view = view_for(hand, hand.seats[seat].player)
        rows = HASTY.choose(view, level)
        check_placement(
            EMPTY if hand.seats[seat].fantasyland else hand.seats[seat].rows,
            hand.seats[seat].held,
            rows,
            to_place=view.to_place,
        )
        hand = reduce(evolve, decide(hand, PlaceCards(seat=seat, rows=rows)), hand)
    return hand


@pytest.mark.parametrize("variant", FAMILY)
@pytest.mark.parametrize("level", [Level.CASUAL, Level.MASTER])
def test_every_level_plays_every_game_to_its_end(variant: Variant, level: Level) -> None:
    hand = played_by(opened(variant, seed=3, seats=variant.min_seats), level)
    assert hand.status is HandStatus.ENDED


def test_the_board_set_for_a_player_is_the_one_a_master_would_set() -> None:
    cards = parse_cards("AsAhKhJs10s8c6h5s4s4h4c3s3h")
    hand = opened(CHINESE, seed=1, seats=2)
    hand = replace(hand, seats=(replace(hand.seats[0], held=cards), *hand.seats[1:]))
    view = view_for(hand, hand.seats[0].player)
    letters = arrangement(view)(COMPUTERS)
    front, *_ = place(EMPTY, cards, letters)[0]
    assert sorted(front) == sorted(parse_cards("8c4s4c")), "two flushes either way, and a pair above them"
    assert letters == COMPUTERS.choose(view, Level.MASTER)


def test_a_master_plays_against_somebody_in_fantasyland() -> None:
    for variant in (PROGRESSIVE, OWN_CLOCK):
        hand = played_by(opened(variant, seed=5, seats=2, fantasyland=15), Level.MASTER)
        assert hand.status is HandStatus.ENDED


@pytest.mark.parametrize("level", Level)
def test_other_cards_in_the_dark_change_nothing(level: Level) -> None:
    """Changes of the deck and the opponent's discards don't change a decision."""
    hand = opened(PINEAPPLE, seed=11, seats=2)
    for _ in range(5):
        seat = hand.waiting[0]
        view = view_for(hand, str(seat))
        choice = HASTY.choose(view, level)
        hidden = [card for card in full_deck() if card not in seen(view)]
        Random(1).shuffle(hidden)
        assert HASTY.choose(view_for(redealt(hand, seat, hidden), str(seat)), level) == choice
        hand = reduce(evolve, decide(hand, PlaceCards(seat=seat, rows=choice)), hand)


def seen(view: HandView) -> set[Card]:
    return {
        card
        for seat in view.seats
        for row in (*seat.rows, seat.held, seat.discards)
        for card in row
        if card is not None
    }


def redealt(hand: Hand, seat: int, hidden: list[Card]) -> Hand:
    """The hand with other cards wherever this seat sees none."""
    cards = iter(hidden)
    seats = [other if number == seat else _in_the_dark(other, cards) for number, other in enumerate(hand.seats)]
    return replace(hand, seats=tuple(seats), deck=hand.deck[: hand.dealt] + tuple(cards))


def _in_the_dark(other: HandSeat, cards: Iterator[Card]) -> HandSeat:
    held = tuple(next(cards) for _ in other.held)
    return replace(other, held=held, discards=tuple(next(cards) for _ in other.discards))


def on_street(
    street: int, board: str, held: str, *, opponent: str, discards: str, variant: Variant = PINEAPPLE
) -> HandView:
    """A view in a game between two."""
    hand = opened(variant, seed=1, seats=2)
    mine, theirs = (rows_of(text) for text in (board, opponent))
    seats = (
        replace(hand.seats[0], rows=theirs, shown=sizes(theirs), held=(), placed_street=street),
        replace(
            hand.seats[1],
            rows=mine,
            shown=sizes(mine),
            held=parse_cards(held),
            discards=parse_cards(discards),
            placed_street=street - 1,
        ),
    )
    return view_for(replace(hand, seats=seats, street=street), "1")


def sizes(rows: RowCards) -> tuple[int, int, int]:
    front, middle, back = map(len, rows)
    return front, middle, back


def rows_of(text: str) -> RowCards:
    front, middle, back = map(parse_cards, text.split("/"))
    return front, middle, back


def best(view: HandView) -> dict[str, str]:
    """Return a master's row for each card."""
    assert view.mine
    cards = [card for card in view.mine.held if card is not None]
    letters = COMPUTERS.choose(view, Level.MASTER)
    return {cards_text([card]): letter for card, letter in zip(cards, letters, strict=True)}


def test_three_of_a_kind_on_the_last_street_fills_the_back() -> None:
    view = on_street(5, "Qh3d/7c7dKs2s/AhAdThTc5c", "QdKhTs", opponent="Kd9h/4c4d8s8h/JhJd6h6c", discards="2d9c3c")
    assert best(view) == {"Qd": "F", "Kh": "M", "Ts": "D"}


def test_a_pair_that_would_foul_is_not_placed_in_front() -> None:
    view = on_street(5, "Ah3d/7c7dKs2s/9h9dThTc5c", "AdKh4s", opponent="Kd9s/4c4d8s8h/JhJd6h6c", discards="2d9c3c")
    placed = best(view)
    assert not (placed["Ad"] == "F" and placed["Kh"] != "M")


def test_a_made_flush_is_completed() -> None:
    view = on_street(4, "Kd3s/7c7d5s/AhJh9h4h", "2hTsQc", opponent="Kc/4c4d8s/JcJd6s6c", discards="2d9c")
    assert best(view)["2h"] == "B"


def test_queens_go_in_front_of_a_board_that_bears_them() -> None:
    view = on_street(4, "Qc/KcKd7h7d/AhAsTh9d", "QdQs2c", opponent="Kh/4c4d8s6s/JcJd6h6c", discards="2d3d")
    assert best(view)["Qd"] == "F" or best(view)["Qs"] == "F"


def test_a_full_house_is_filled_in_the_back_before_two_pair_grow_in_the_middle() -> None:
    view = on_street(5, "Kh9d/5c5d8s2h/AhAdKsKc", "AcJd3s", opponent="Qh4d/4c4s8d6s/JcJh6h6c", discards="2d3d4h")
    placed = best(view)
    assert placed["Ac"] == "B"


def test_the_best_low_is_completed_in_the_middle() -> None:
    view = on_street(
        3, "Qc/7c5d4h/AhAd9s", "2s3dKc", opponent="Kd9h/8c6c3h/JcJd", discards="Th", variant=TWO_SEVEN_PINEAPPLE
    )
    assert COMPUTERS.evaluate(view, QUICK)
    assert best(view) == {"2s": "M", "3d": "M", "Kc": "D"}


def test_values_come_with_what_they_rest_on() -> None:
    view = on_street(3, "Qc/7c7d/AhJh9h4h", "QdTs2c", opponent="Kd/4c4d/JcJd6h6c", discards="2d")
    found = COMPUTERS.evaluate(view, QUICK)
    assert len(found) > 10
    assert found[0].value == max(judged.value for judged in found[:4])
    assert all(0 <= judged.foul <= 1 and 0 <= judged.fantasyland <= 1 for judged in found)
    assert found[0].error > 0
    assert len({judged.letters for judged in found}) == len(found)


def test_what_is_clearly_worse_is_not_looked_at_again() -> None:
    """Aces go in the back of an empty board: no other look at the rest is worth its time."""
    view = dealt_first("AsAdAhAc2c")
    near, far = (COMPUTERS.evaluate(view, Effort(rounds=rounds)) for rounds in (((8, 60),), ((8, 60), (8, 240))))
    errors = {judged.letters: judged.error for judged in near}
    assert far[0].letters == near[0].letters
    unmoved = [judged for judged in far if judged.error == errors[judged.letters] > 0]
    assert 0 < len(unmoved) < 8


def test_what_may_be_the_best_is_looked_at_again_however_seldom_it_pays() -> None:
    """A placement that is behind, by less than its few deals can tell, isn't given up for steadier ones that are."""
    deals = np.arange(32)
    best, steady, bold = np.full(32, 3.0), 2.5 + 0.1 * (deals % 2), np.where(deals < 2, 30.0, 0.0)
    assert bold.mean() < steady.mean() < best.mean()
    assert not_clearly_behind(np.stack([best, steady, bold])).tolist() == [True, False, True]


def test_a_bold_placement_that_pays_is_found_in_every_suit() -> None:
    """It enters Fantasyland in a fifth of all hands and fouls half: too few of 16 deals may show what that wins."""
    between = on_street(3, "Qs/2dTd2c/7s5h6h", "2s7c3s", opponent="//", discards="7h")
    assert between.mine
    view = replace(between, seats=(between.mine,), you=0)
    for _ in range(4):
        assert COMPUTERS.evaluate(view)[0].letters == "MDB"
        view = replace(view, seats=tuple(map(in_the_next_suit, view.seats)))


def test_no_placement_promises_more_than_every_hand() -> None:
    """Boards with aces and kings among five cards are rare, so their values are estimates."""
    found = HASTY.evaluate(dealt_first("AsAdKsKd2c"))
    assert all(judged.foul + judged.fantasyland <= 1 + 1e-6 for judged in found)
    assert found[0].fantasyland > 0.4


def dealt_first(cards: str) -> HandView:
    """The first street of a game between two."""
    hand = opened(PINEAPPLE, seed=1, seats=2)
    seats = (hand.seats[0], replace(hand.seats[1], held=parse_cards(cards)))
    return view_for(replace(hand, seats=seats), "1")


def test_a_master_plays_for_what_is_counted() -> None:
    """Queens enter where that wins something, and would stay away where it cost as much."""
    view = on_street(4, "Qc/KcKd7h7d/AhAsTh9d", "QdQs2c", opponent="Kh/4c4d8s6s/JcJd6h6c", discards="2d3d")
    cost, won = (COMPUTERS.evaluate(view, QUICK, entering={14: worth}) for worth in (-30.0, 30.0))
    assert won[0].fantasyland > cost[0].fantasyland + 0.5
    assert COMPUTERS.choose(view, Level.MASTER, entering={14: 30.0}) == won[0].letters
    assert COMPUTERS.evaluate(view, QUICK) == COMPUTERS.evaluate(view, QUICK, entering=worth_of(PINEAPPLE))


def worth_of(variant: Variant) -> Mapping[int, float]:
    evaluator = COMPUTERS.evaluator(variant)
    assert evaluator
    return evaluator.worth


def test_nobody_but_a_player_is_advised() -> None:
    hand = opened(PINEAPPLE, seed=1, seats=2)
    with pytest.raises(ValueError, match="only a player"):
        COMPUTERS.choose(view_for(hand, None), Level.MASTER)


@pytest.mark.parametrize("level", Level)
def test_nobody_is_advised_who_has_nothing_to_place(level: Level) -> None:
    hand = played_by(opened(PINEAPPLE, seed=1, seats=2), Level.CASUAL)
    for seat in ("0", "1"):
        with pytest.raises(ValueError, match="no cards to place"):
            HASTY.choose(view_for(hand, seat), level)
        with pytest.raises(ValueError, match="no cards to place"):
            HASTY.evaluate(view_for(hand, seat))


def test_where_the_others_sit_changes_nothing() -> None:
    """Swapping two opponents' seats doesn't change the position."""
    hand = opened(PINEAPPLE, seed=4, seats=3)
    for _ in range(5):
        seat = hand.waiting[0]
        rows = HASTY.choose(view_for(hand, str(seat)), Level.CASUAL)
        hand = reduce(evolve, decide(hand, PlaceCards(seat=seat, rows=rows)), hand)
    view = view_for(hand, str(hand.waiting[0]))
    mine, second, third = view.seats
    assert view.you == 0
    swapped = replace(view, seats=(mine, third, second))
    usual, turned = (COMPUTERS.evaluate(one, Effort(rounds=())) for one in (view, swapped))
    values = {one.letters: one.value for one in turned}
    # The opponents' future boards are drawn at random, so values are only approximately equal.
    assert [one.value for one in usual] == pytest.approx([values[one.letters] for one in usual], abs=0.5)


def test_a_board_set_at_once_is_not_evaluated_street_by_street() -> None:
    hand = opened(CHINESE, seed=1, seats=2)
    with pytest.raises(ValueError, match="set at once"):
        COMPUTERS.evaluate(view_for(hand, "0"))


def test_a_game_without_fitted_values_is_played_all_the_same() -> None:
    computers = Computers(lambda _: None)
    view = view_for(opened(PRESETS["turbo"], seed=2, seats=2), "1")
    assert computers.evaluate(view) == []
    assert len(computers.choose(view, Level.MASTER)) == 5


def test_a_house_is_played_with_what_a_game_has_taught_that_deals_alike() -> None:
    assert base_game(house_variant("pineapple", {"jokers": "1"})) == base_game(JOKER_PINEAPPLE) == "joker_pineapple"
    assert base_game(house_variant("pineapple", {"strict_rows": "on"})) == base_game(PROGRESSIVE) == "pineapple"
    assert base_game(OPEN_THIRTEEN) != base_game(CLASSIC) == "classic"
    assert base_game(house_variant("turbo", {"jokers": "1"})) is None


@pytest.mark.parametrize(("variant", "most"), [(PINEAPPLE, 96), (TURBO_PINEAPPLE, 16)])
def test_a_street_with_hundreds_of_ways_is_looked_at_over_fewer_deals(variant: Variant, most: int) -> None:
    view = view_for(opened(variant, seed=1, seats=2), "0")
    evaluator = COMPUTERS.evaluator(variant)
    assert evaluator
    cards = cards_to_place(view)
    boards = single_board((cards[:1], cards[1:3], cards[3:]))
    each, first = (
        search_ahead(evaluator, build_spot(view, evaluator), boards, np.random.default_rng(1), draws=96, times=times)
        for times in (1, 2)
    )
    assert each.shape[1] <= most
    assert first.shape[1] == min(96, 2 * each.shape[1])
    assert (each.shape[1] == most) == (variant is PINEAPPLE)


def test_suits_are_all_alike_to_a_master() -> None:
    """Before the last street no deal is drawn, only what the opponent may become: all but the same is expected."""
    view = on_street(4, "Kd3s/7c7d5s/AhJh9h4h", "2hTsQc", opponent="Kc/4c4d8s/JcJd6s6c", discards="2d9c")
    turned = replace(view, seats=tuple(map(in_the_next_suit, view.seats)))
    usual = {judged.letters: judged for judged in COMPUTERS.evaluate(view)}
    for judged in COMPUTERS.evaluate(turned):
        assert judged.foul == pytest.approx(usual[judged.letters].foul, abs=0.02)
        assert judged.royalties == pytest.approx(usual[judged.letters].royalties, abs=0.2)


def in_the_next_suit(seat: SeatView) -> SeatView:
    front, middle, back = (tuple(map(turn, row)) for row in seat.rows)
    held, discards = tuple(map(turn, seat.held)), tuple(map(turn, seat.discards))
    return replace(seat, rows=(front, middle, back), held=held, discards=discards)


def turn(card: Card | None) -> Card | None:
    """The card in the next suit."""
    return None if card is None else Card(card - card % 4 + (card + 1) % 4)
