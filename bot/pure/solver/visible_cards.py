"""Translation of a view into a decision: the player's unseen cards, and the opponents' possible boards."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from bot.pure.ofc.cards import BOARD_CARDS, Card, full_deck
from bot.pure.ofc.naturals import natural_of
from bot.pure.ofc.view import Facing, HandView, SeatView
from bot.pure.solver.boards import Boards, children, counts_of, single_board
from bot.pure.solver.evaluator import Evaluator
from bot.pure.solver.field import Field, KnownOpponent, LastToAct, Opponent, TypicalOpponent, every_deal, fouled
from bot.pure.solver.outcomes import OpponentBoards, board_codes, nobody
from bot.pure.solver.row_tables import Ints
from bot.pure.solver.search import Spot

SETS, OF_EACH_SET = 16, 16
"""Independent sets of an opponent's boards in a review, and boards per set. Their spread shows the sampling error."""
PLAYED_OUT = 64
"""Sampled completions per opponent's board."""
_OTHERS = 16
"""Salt for boards other than those on which a master chooses."""
_FULL = 1.0
"""Probability that a surrendered board is a foul."""


_BACK = 99
"""Number of a face-down card in the seed."""
_BREAK = 100


def known(cards: Facing) -> tuple[Card, ...]:
    """Return the cards that are face up."""
    return tuple(card for card in cards if card is not None)


def cards_to_place(view: HandView) -> tuple[Card, ...]:
    """Return the cards that the viewer must place; raises ValueError if they have no seat or nothing to place."""
    if view.mine is None:
        raise ValueError("only a player can place cards")
    cards = known(view.mine.held)
    if not cards:
        raise ValueError("there are no cards to place")
    return cards


def declares(view: HandView) -> bool:
    """True if the viewer was dealt a natural. Computers always declare it, because it pays against any board."""
    mine = view.mine
    if mine is None or mine.fantasyland or view.to_place != BOARD_CARDS:
        return False
    return natural_of(known(mine.held), view.variant.naturals) is not None


def seen_cards(view: HandView) -> tuple[Card, ...]:
    """Return all cards that the viewer has seen, in seat order."""
    return tuple(chain.from_iterable(known((*chain(*seat.rows), *seat.held, *seat.discards)) for seat in view.seats))


def unseen_by(view: HandView) -> Ints:
    """Return the number of unseen copies of each card, of shape (54,)."""
    deck = counts_of(full_deck(decks=view.variant.decks, jokers=view.variant.jokers))
    return deck - counts_of(seen_cards(view))


def board_in(view: HandView) -> Boards:
    """Return the viewer's own board; raises ValueError if they have no seat."""
    if view.mine is None:
        raise ValueError("only a player has a board")
    front, middle, back = (known(row) for row in view.mine.rows)
    return single_board((front, middle, back))


def rivals_in(view: HandView, evaluator: Evaluator) -> OpponentBoards:
    """Return all opponents averaged into one rival."""
    return together([_by_steps(final, evaluator) for final in _finals_in(view, evaluator)])


def boards_met(view: HandView, evaluator: Evaluator, *, others: bool = False) -> tuple[KnownOpponent, ...]:
    """Return each opponent's possible boards, for a viewer who sets a whole board.

    These are the face-up board, sampled completions of an unfinished one, or sampled boards if no card is visible.
    ``others`` picks samples other than those on which a master chooses. The result is empty without opponents, or if
    there is no sample.
    """
    found = []
    for number, seat in enumerate(view.seats):
        if number == view.you:
            continue
        met = _met(seat, evaluator, view, others=others)
        if met is None:
            return ()
        found.append(met)
    return tuple(found)


def _met(seat: SeatView, evaluator: Evaluator, view: HandView, *, others: bool) -> KnownOpponent | None:
    if seat.forfeited:
        return fouled(evaluator.scorer)
    board, after = _shown(seat), _streets_shown(seat, evaluator)
    if after == 0:
        return evaluator.opponent_boards(seat.fantasyland, others=others)
    if after < evaluator.last:
        some = np.zeros(PLAYED_OUT, dtype=np.intp)
        chance = seeded_generator(view, *[_OTHERS] * others)
        board = evaluator.played_out(board.at(some), unseen_by(view)[None][some], chance, after=after)
    return KnownOpponent(evaluator.scorer, evaluator.scorer.finals(board_codes(board)))


def build_spot(view: HandView, evaluator: Evaluator, *salt: int, boards: int = PLAYED_OUT, sets: int = 1) -> Spot:
    """Return the decision that the viewer faces; raises ValueError if they have no seat.

    ``salt`` varies the opponents' sampled boards, of which there are ``boards`` each. On streets where only the
    opponents' average counts, they are sampled in ``sets`` independent sets.
    """
    if view.mine is None:
        raise ValueError("only a player can place cards")
    compares = evaluator.compares(view.street)
    finals = _finals_in(view, evaluator, *salt, boards=boards)
    return Spot(
        board=board_in(view),
        held=known(view.mine.held),
        street=view.street,
        unseen=unseen_by(view),
        rivals=together([_by_steps(final, evaluator, 1 if compares else sets) for final in finals]),
        field=_field(view, evaluator, finals, others=bool(salt)) if compares else None,
    )


def reviewed_spot(view: HandView, evaluator: Evaluator, *salt: int) -> Spot:
    """Like :func:`build_spot`, with enough samples for a review to estimate the sampling error.

    Opponents that are compared individually need the same number of boards, so one in Fantasyland limits all of them to
    its sample size.
    """
    in_fantasyland = any(seat.fantasyland for number, seat in enumerate(view.seats) if number != view.you)
    few = in_fantasyland and evaluator.compares(view.street)
    return build_spot(view, evaluator, *salt, boards=PLAYED_OUT if few else SETS * OF_EACH_SET, sets=SETS)


def _finals_in(
    view: HandView, evaluator: Evaluator, *salt: int, boards: int = PLAYED_OUT
) -> list[Boards | OpponentBoards]:
    """Return each opponent's final board, as equally likely boards or as a distribution of typical rows."""
    unseen = unseen_by(view)
    others = [seat for number, seat in enumerate(view.seats) if number != view.you]
    return [_final(seat, evaluator, unseen, seeded_generator(view, *salt), boards=boards) for seat in others]


def _final(
    seat: SeatView, evaluator: Evaluator, unseen: Ints, chance: np.random.Generator, *, boards: int
) -> Boards | OpponentBoards:
    """Return one opponent's final board, as in :func:`_finals_in`."""
    if seat.forfeited:
        return OpponentBoards(np.full(1, _FULL, np.float32), nobody(1).wins)
    board, after = _shown(seat), _streets_shown(seat, evaluator)
    if after == evaluator.last:
        return board
    if seat.fantasyland:
        return evaluator.rivals_in_fantasyland(seat.fantasyland)
    if not after:
        return evaluator.usual
    some = np.zeros(boards, dtype=np.intp)
    return evaluator.played_out(board.at(some), unseen[None][some], chance, after=after)


def _by_steps(final: Boards | OpponentBoards, evaluator: Evaluator, sets: int = 1) -> OpponentBoards:
    """Split one opponent's boards into ``sets`` rivals of equal size."""
    if isinstance(final, OpponentBoards) or len(final) == 1:
        one = final if isinstance(final, OpponentBoards) else evaluator.scorer.rivals_from(final, 1)
        return one.at(np.zeros(sets, dtype=np.intp))
    return evaluator.scorer.rivals_from(final, len(final) // sets)


def _field(
    view: HandView, evaluator: Evaluator, finals: Sequence[Boards | OpponentBoards], *, others: bool
) -> Field | None:
    """Return the individual opponents. If exactly one of them still has to act, they reply to all visible boards."""
    if not finals:
        return None
    seats = [seat for number, seat in enumerate(view.seats) if number != view.you]
    found = [_opponent(*each, evaluator, others=others) for each in zip(seats, finals, strict=True)]
    beside = [one for one in found if isinstance(one, KnownOpponent) and one.open]
    to_act = [number for number, one in enumerate(found) if one not in beside and not seats[number].forfeited]
    if len(to_act) == 1 and view.street == evaluator.last and not view.variant.together(view.street):
        answering = _last_to_act(seats[to_act[0]], evaluator, unseen_by(view), beside, opponents=len(seats))
        found[to_act[0]] = answering or found[to_act[0]]
    return Field(tuple(found))


def _opponent(seat: SeatView, final: Boards | OpponentBoards, evaluator: Evaluator, *, others: bool) -> Opponent:
    if isinstance(final, Boards):
        return KnownOpponent(evaluator.scorer, evaluator.scorer.finals(board_codes(final)))
    set_there = evaluator.opponent_boards(seat.fantasyland, others=others) if seat.fantasyland else None
    return TypicalOpponent(evaluator.scorer, final) if seat.forfeited or set_there is None else set_there


def _last_to_act(
    seat: SeatView, evaluator: Evaluator, unseen: Ints, beside: Sequence[KnownOpponent], *, opponents: int
) -> LastToAct | None:
    """Return an opponent who still has to place the last street.

    Return None if the seat isn't in that position, or if there are too many possible deals.
    """
    rule = evaluator.variant.streets[-1]
    if seat.forfeited or seat.fantasyland or _streets_shown(seat, evaluator) != evaluator.last - 1:
        return None
    deals = every_deal(unseen, rule.deal)
    if deals is None:
        return None
    ways = children(_shown(seat), deals, to_place=rule.to_place)
    return LastToAct(evaluator.scorer, evaluator.weights, ways, deals=len(deals), beside=beside, opponents=opponents)


def _shown(seat: SeatView) -> Boards:
    front, middle, back = (known(row) for row in seat.rows)
    return single_board((front, middle, back))


def _streets_shown(seat: SeatView, evaluator: Evaluator) -> int:
    return _streets_placed(sum(len(known(row)) for row in seat.rows), evaluator)


def _streets_placed(cards: int, evaluator: Evaluator) -> int:
    """Return the number of streets finished by a board of ``cards`` cards; 0 if it isn't a whole number of streets."""
    placed = 0
    for number, street in enumerate(evaluator.variant.streets, 1):
        placed += street.to_place
        if placed == cards:
            return number
    return 0


def together(rivals: Sequence[OpponentBoards]) -> OpponentBoards:
    """Average all opponents into one rival. Each is scored separately, and all count equally."""
    if not rivals:
        return nobody(1)
    return OpponentBoards(
        np.stack([one.fouls for one in rivals]).mean(axis=0), np.stack([one.wins for one in rivals]).mean(axis=0)
    )


def seeded_generator(view: HandView, *salt: int) -> np.random.Generator:
    """Return a random generator seeded with the visible cards and ``salt``."""
    rows = chain.from_iterable((*seat.rows, seat.held, seat.discards) for seat in view.seats)
    cards = chain.from_iterable((*(_BACK if card is None else card for card in row), _BREAK) for row in rows)
    return np.random.default_rng([*salt, view.street, view.you or 0, *cards])
