"""A board set in Fantasyland is the best of all boards from its cards, and unseen cards don't influence it."""

from dataclasses import replace
from functools import reduce
from itertools import combinations
from random import Random

import numpy as np
import pytest

from bot.base.solver_data import load_arrays
from bot.play.queries.reviews import arrangement
from bot.pure.ofc.cards import BOARD_CARDS, EMPTY, ROWS, Card, RowCards, full_deck
from bot.pure.ofc.hand import Hand, HandStatus, PlaceCards, decide, evolve
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.placement import check_placement, place
from bot.pure.ofc.presets import CLASSIC, JOKER_PINEAPPLE, PINEAPPLE, PRESETS, PROGRESSIVE, TWO_SEVEN_PINEAPPLE
from bot.pure.ofc.scoring import Board, in_order, resolve, score_hand, stays
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import view_for
from bot.pure.solver.arrange import best_arrangement
from bot.pure.solver.boards import single_board
from bot.pure.solver.fantasyland import RowValues, against, set_board
from bot.pure.solver.field import KnownOpponent
from bot.pure.solver.levels import Computers, Level
from bot.pure.solver.outcomes import Scorer, board_codes
from bot.pure.solver.row_tables import coded_sets
from bot.pure.solver.search import Effort
from bot.pure.solver.setting import all_boards
from bot.pure.solver.visible_cards import boards_met, known
from tests.pure.solver.test_field import BONUSES, finals_of
from tests.pure.solver.test_levels import opened, redealt, seen, sizes
from tests.pure.solver.test_outcomes import some_boards

QUICK = Computers(load_arrays, Effort(rounds=()), evaluators=len(PRESETS))
STRICT = house_variant("classic", {"strict_rows": "on"})


def met(variant: Variant, count: int, *, seed: int) -> KnownOpponent:
    scorer = Scorer(variant)
    return KnownOpponent(scorer, finals_of(scorer, some_boards(variant, Random(seed), count)))


def dealt(variant: Variant, count: int, *, seed: int) -> tuple[Card, ...]:
    deck = list(full_deck(decks=variant.decks, jokers=variant.jokers))
    return tuple(Random(seed).sample(deck, count))


def worth(known: KnownOpponent, scorer: Scorer, cards: tuple[Card, ...], letters: str, *, staying: float) -> float:
    """Return a board's value by the rules of the table, against each of the boards."""
    check_placement(EMPTY, cards, letters, to_place=BOARD_CARDS)
    rows, _ = place(EMPTY, cards, letters)
    finals = scorer.finals(board_codes(single_board(rows)))
    game = scorer.variant
    strengths = resolve(game, rows)
    kept = in_order(game, strengths) and game.fantasyland is not None and stays(game.fantasyland, strengths)
    return float(known.each(finals).mean() + finals.legal[0] * finals.royalties[0] + staying * kept)


def most(known: KnownOpponent, scorer: Scorer, cards: tuple[Card, ...], *, staying: float) -> float:
    """The most that any board of these cards is worth."""
    shapes, best = all_boards(), -np.inf
    criterion = against(scorer, (known,))
    for some in combinations(cards, BOARD_CARDS):
        threes, fives = (coded_sets(some, range(BOARD_CARDS), size=size)[0] for size in (3, 5))
        finals = scorer.finals((threes[shapes.front], fives[shapes.middle], fives[shapes.back]))
        kept = np.zeros(len(finals.legal), dtype=np.bool_)
        for keeps, at in zip(criterion.stays, finals.places, strict=True):
            kept |= keeps[at]
        worths = known.points(finals) + finals.royalties + staying * kept
        best = max(best, float(worths[finals.legal].max()))
    return best


@pytest.mark.parametrize(
    ("variant", "cards", "boards", "deals"),
    [
        (CLASSIC, 13, 100, 3),
        (CLASSIC, 13, 1, 3),
        (STRICT, 13, 70, 2),
        (BONUSES, 13, 30, 3),
        (PINEAPPLE, 14, 100, 1),
        pytest.param(PINEAPPLE, 14, 200, 40, marks=pytest.mark.deep),
        pytest.param(PROGRESSIVE, 16, 100, 4, marks=pytest.mark.deep),
    ],
    ids=["classic", "open_board", "strict", "bonuses", "fourteen", "deep_fourteen", "deep_sixteen"],
)
def test_no_board_of_these_cards_wins_more(variant: Variant, cards: int, boards: int, deals: int) -> None:
    scorer = Scorer(variant)
    others = 0
    for seed in range(deals):
        known_boards, held = met(variant, boards, seed=seed), dealt(variant, cards, seed=seed)
        letters = set_board(scorer, held, (known_boards,), staying=9)
        found = worth(known_boards, scorer, held, letters, staying=9)
        assert found == pytest.approx(most(known_boards, scorer, held, staying=9), abs=1e-3)
        others += found > worth(known_boards, scorer, held, best_arrangement(variant, held, 9), staying=9) + 1e-3
    assert others, "some of them are not the boards that are paid most by themselves"


def test_fouls_that_every_board_scoops_hide_no_better_board() -> None:
    """A sixth of these boards are fouls. They were missing from the most that a board can win."""
    scorer = Scorer(PINEAPPLE)
    known, held = met(PINEAPPLE, 200, seed=4), dealt(PINEAPPLE, 14, seed=4)
    assert known.fouls > 0.1
    found = worth(known, scorer, held, set_board(scorer, held, (known,), staying=9), staying=9)
    assert found == pytest.approx(most(known, scorer, held, staying=9), abs=1e-3)


def counted(criterion: RowValues, held: tuple[Card, ...], letters: str) -> float:
    """Return the value of the rows one by one, including staying."""
    game = criterion.scorer.variant
    strengths = resolve(game, place(EMPTY, held, letters)[0])
    if not in_order(game, strengths):
        return -np.inf
    assert game.fantasyland
    worth_of_rows = sum(criterion.of_row(*row) for row in zip(ROWS, strengths, strict=True))
    return worth_of_rows + 9 * stays(game.fantasyland, strengths)


@pytest.mark.parametrize("variant", [TWO_SEVEN_PINEAPPLE, JOKER_PINEAPPLE], ids=lambda variant: variant.key)
def test_lows_and_jokers_are_set_for_rows_as_well(variant: Variant) -> None:
    """These games are searched by the value of each row, because the search can evaluate that."""
    scorer, others = Scorer(variant), 0
    for seed in range(4):
        known_boards, held = met(variant, 64, seed=seed), dealt(variant, 14, seed=seed)
        criterion = against(scorer, (known_boards,))

        found, plain = set_board(scorer, held, (known_boards,), staying=9), best_arrangement(variant, held, 9)
        assert counted(criterion, held, found) >= counted(criterion, held, plain) - 1e-2
        others += found != plain
    assert others


def in_fantasyland(variant: Variant, *, seed: int, seats: int, streets: int) -> Hand:
    """Return a hand with ``streets`` streets placed by the others, where the first seat still has to set its board."""
    hand = opened(variant, seed=seed, seats=seats, fantasyland=14)
    while hand.status is HandStatus.PLAYING:
        seat = next((seat for seat in hand.waiting if seat and len_placed(hand.seats[seat].rows) < streets), None)
        if seat is None:
            break
        letters = QUICK.choose(view_for(hand, str(seat)), Level.MASTER)
        hand = reduce(evolve, decide(hand, PlaceCards(seat=seat, rows=letters)), hand)
    return hand


def len_placed(rows: RowCards) -> int:
    """Return the number of streets on a board."""
    return max(0, sum(map(len, rows)) - 3) // 2


@pytest.mark.parametrize(("seats", "streets"), [(2, 0), (2, 2), (2, 5), (3, 3), (3, 5)])
def test_other_cards_in_the_dark_change_no_board_that_is_set(seats: int, streets: int) -> None:
    hand = in_fantasyland(PINEAPPLE, seed=21 + seats, seats=seats, streets=streets)
    view = view_for(hand, "0")
    assert view.mine
    assert [len(known(seat.rows[2])) > 0 for seat in view.seats[1:]] == [streets > 0] * (seats - 1)
    letters = arrangement(view)(QUICK)
    hidden = [card for card in full_deck() if card not in seen(view)]
    Random(1).shuffle(hidden)
    other = redealt(hand, 0, hidden)
    assert other != hand
    assert arrangement(view_for(other, "0"))(QUICK) == letters == QUICK.choose(view, Level.MASTER)


def won(held: tuple[Card, ...], letters: str, other: RowCards, staying: float) -> float:
    """Return the points of the hand, including the value of staying."""
    rows, _ = place(EMPTY, held, letters)
    score = score_hand(PINEAPPLE, [Board(rows=rows, fantasyland=14), Board(rows=other)])
    return score.points[0] + staying * (score.boards[0].next_fantasyland > 0)


def test_what_lies_open_decides_what_is_set() -> None:
    """Against visible boards, nothing wins more than the chosen board. The highest-paying board wins less in all cases
    but one."""
    others, evaluator = 0, QUICK.evaluator(PINEAPPLE)
    assert evaluator
    staying = evaluator.staying(14)
    for seed in (0, 27, 32, 39, 49):
        hand = opened(PINEAPPLE, seed=seed, seats=2, fantasyland=14)
        held = hand.seats[0].held
        cards = tuple(Random(seed).sample([card for card in full_deck() if card not in held], BOARD_CARDS))
        board, _ = place(EMPTY, cards, best_arrangement(PINEAPPLE, cards))
        opponent = replace(hand.seats[1], rows=board, shown=sizes(board), held=(), placed_street=5)
        view = view_for(replace(hand, seats=(hand.seats[0], opponent), street=5), "0")
        found = won(held, QUICK.arranged(view), board, staying)
        plain = won(held, best_arrangement(PINEAPPLE, held), board, staying)
        assert found >= plain - 1e-3
        others += found > plain
        if seed == 0:
            (open_board,) = boards_met(view, evaluator)
            royalties = score_hand(PINEAPPLE, [Board(rows=board), Board(rows=board)]).boards[0].royalties
            assert found == pytest.approx(
                most(open_board, evaluator.scorer, held, staying=staying) - royalties, abs=1e-3
            )
    assert others == 4


@pytest.mark.parametrize("variant", [one for one in PRESETS.values() if one.fantasyland], ids=lambda one: one.key)
def test_every_fantasyland_knows_what_is_played_beside_it(variant: Variant) -> None:
    """Other boards are chosen by than those that judge; fouls are among what is played, and none among what is set."""
    evaluator = QUICK.evaluator(variant)
    assert evaluator
    assert variant.fantasyland
    for cards in (0, *variant.fantasyland.numbers):
        chosen_by, judging = evaluator.opponent_boards(cards), evaluator.opponent_boards(cards, others=True)
        assert chosen_by
        assert judging
        assert len(chosen_by.finals.legal) == len(judging.finals.legal) >= 64
        assert [*chosen_by.finals.places[2]] != [*judging.finals.places[2]]
        assert chosen_by.finals.legal.all() == (cards > 0)
    hand = opened(variant, seed=1, seats=2, fantasyland=variant.fantasyland.numbers[0])
    view = view_for(hand, "0")
    assert view.mine
    rows, _ = place(EMPTY, known(view.mine.held), QUICK.arranged(view))
    assert in_order(variant, resolve(variant, rows))


def test_nobody_is_met_who_plays_alone() -> None:
    view = view_for(opened(PINEAPPLE, seed=1, seats=2, fantasyland=14), "0")
    assert view.mine
    alone = replace(view, seats=view.seats[:1])
    assert QUICK.arranged(alone) == best_arrangement(PINEAPPLE, known(view.mine.held))
