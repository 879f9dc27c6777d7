"""Luck of the deal: zero on average, equal for both sides, and computed from the cards that a player has seen."""

import numpy as np
import pytest

from bot.base.solver_data import load_arrays
from bot.pure.ofc.cards import full_deck
from bot.pure.ofc.hand import audit
from bot.pure.ofc.presets import CLASSIC, PINEAPPLE, PROGRESSIVE, THIRTEEN
from bot.pure.solver.boards import Boards
from bot.pure.solver.levels import Computers, Level
from bot.pure.solver.luck import account, in_sight, iter_deals, luck_in, luck_of, luck_of_deals
from bot.pure.solver.network import Deals
from bot.pure.solver.search import Effort
from study.luck import Hands
from tests.pure.solver.hands import dealing, played_log, shuffled_deck

COMPUTERS = Computers(load_arrays, Effort(rounds=((3, 12),), boards=24), evaluators=1)
PLAYERS = [lambda view: COMPUTERS.choose(view, Level.MASTER)] * 2


def test_other_cards_are_as_likely_as_those_that_came() -> None:
    """So the luck of many deals is zero: 400 first streets, whose mean has to lie within three standard errors."""
    evaluator = COMPUTERS.evaluator(PINEAPPLE)
    assert evaluator
    count, chance = 400, np.random.default_rng(4)
    empty = Boards(np.zeros((count, 3), np.int32), np.zeros((count, 3), np.int32))
    order = chance.random((count, 52)).argsort(axis=1).astype(np.int32)
    unseen = np.repeat((np.arange(54) < 52).astype(np.int32)[None], count, axis=0)
    deals = Deals(unseen, evaluator.usual.at(np.zeros(count, dtype=np.intp)))
    found = luck_of_deals(evaluator, empty, deals, order[:, :5], street=1, draws=2, chance=chance)
    assert abs(found.mean()) < 3 * found.std() / np.sqrt(count)
    assert found.std() > 1


def test_most_of_a_result_is_luck() -> None:
    """In thirty hands played by networks, the result without luck is a third of the total."""
    evaluator = COMPUTERS.evaluator(PINEAPPLE)
    assert evaluator
    _, result, luck, in_sight = Hands(evaluator, np.random.default_rng(7), count=30, stray=0.0, draws=6).play()
    assert (result - luck).std() < result.std() / 2
    assert np.corrcoef(result, luck)[0, 1] > 0.9
    assert (result - luck).std() < (result - in_sight).std() < result.std(), "one's own deals are a part of it"


def test_what_one_wins_by_luck_the_other_loses() -> None:
    deck = shuffled_deck(PINEAPPLE, 4)
    facts = played_log(PINEAPPLE, deck, PLAYERS)
    deals = list(iter_deals(PINEAPPLE, deck, facts))
    assert [deal.view.street for deal in deals] == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    first, second = (account(COMPUTERS, PINEAPPLE, audit(PINEAPPLE, deck, facts).score, deals, seat) for seat in (0, 1))
    assert first.luck
    assert second.luck == pytest.approx(-first.luck)
    assert first.result == pytest.approx(-second.result)
    assert first.adjusted == pytest.approx(first.result - first.luck)


@pytest.mark.parametrize(("cards", "least", "most"), [("AhAdAcKhQh", 2, 20), ("2h7d9c4s6h", -10, 0)])
def test_good_cards_are_luck(cards: str, least: float, most: float) -> None:
    deck = dealing(cards)
    first, *_ = iter_deals(PINEAPPLE, deck, played_log(PINEAPPLE, deck, PLAYERS))
    found = luck_of(COMPUTERS, first)
    assert found is not None
    assert least < found < most


def test_the_luck_of_ones_own_deals_follows_from_what_one_has_seen() -> None:
    """Other discards of the opponent, and other cards that were never dealt, change nothing."""
    deck = shuffled_deck(PINEAPPLE, 4)
    facts = played_log(PINEAPPLE, deck, PLAYERS)
    hand = audit(PINEAPPLE, deck, facts)
    dark = [*hand.seats[1].discards, *deck[hand.dealt :]]
    moved = dict(zip(dark, (*dark[5:], *dark[:5]), strict=True))
    other = tuple(moved.get(card, card) for card in deck)
    first, second = (
        [in_sight(deal) for deal in iter_deals(PINEAPPLE, cards, facts) if deal.view.you == 0]
        for cards in (deck, other)
    )
    assert luck_in(COMPUTERS, first, 0) == luck_in(COMPUTERS, second, 0)


def test_cards_that_are_set_at_once_have_their_luck_too() -> None:
    deck = shuffled_deck(PROGRESSIVE, 4)
    deals = list(iter_deals(PROGRESSIVE, deck, played_log(PROGRESSIVE, deck, PLAYERS, fantasyland=[15, 0])))
    assert [(deal.view.street, len(deal.cards)) for deal in deals[:2]] == [(0, 15), (1, 5)]
    assert luck_of(COMPUTERS, deals[0]) not in (None, 0.0)
    deck = shuffled_deck(THIRTEEN, 4)
    first, *_ = iter_deals(THIRTEEN, deck, played_log(THIRTEEN, deck, PLAYERS * 2))
    assert luck_of(COMPUTERS, first) not in (None, 0.0)


def test_where_nothing_was_fitted_nobody_knows_the_luck() -> None:
    unread = Computers(lambda _: None, Effort(rounds=(), boards=12))
    deck = shuffled_deck(CLASSIC, 4)
    facts = played_log(CLASSIC, deck, [lambda view: unread.choose(view, Level.CASUAL)] * 2)
    found = account(unread, CLASSIC, audit(CLASSIC, deck, facts).score, list(iter_deals(CLASSIC, deck, facts)), 0)
    assert found.luck is None
    assert found.adjusted is None


def test_the_deck_is_dealt_in_the_order_of_the_log() -> None:
    deck = shuffled_deck(CLASSIC, 4)
    facts = played_log(CLASSIC, deck, [lambda view: COMPUTERS.choose(view, Level.CASUAL)] * 3)
    dealt = [card for deal in iter_deals(CLASSIC, deck, facts) for card in deal.cards]
    assert tuple(dealt) == deck[: len(dealt)]
    assert len(set(full_deck()) - set(dealt)) == 52 - 39
