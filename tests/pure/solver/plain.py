"""The last street by the rules only: each placement is scored like at the table, without the solver."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations, product

from bot.pure.ofc.cards import DISCARD, ROWS, Card, RowCards
from bot.pure.ofc.hand import Hand, HandStatus, PlaceCards, decide, evolve, start
from bot.pure.ofc.placement import place
from bot.pure.ofc.scoring import Board, score_hand
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import HandView, view_for
from tests.pure.solver.hands import Chooser, shuffled_deck


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A decision on the last street: the viewer's rows and cards, and the others' visible rows."""

    view: HandView
    rows: RowCards
    held: tuple[Card, ...]
    others: tuple[RowCards, ...]


def seen_in(view: HandView) -> Seen:
    """Return the state that the player to act sees."""
    assert view.mine
    rows = [_open(seat.rows) for seat in view.seats]
    others = tuple(row for seat, row in enumerate(rows) if seat != view.you)
    assert view.you is not None
    held = tuple(card for card in view.mine.held if card is not None)
    return Seen(view=view, rows=rows[view.you], held=held, others=others)


def _open(rows: Sequence[Sequence[Card | None]]) -> RowCards:
    front, middle, back = (tuple(card for card in row if card is not None) for row in rows)
    return front, middle, back


def decisions(variant: Variant, chooser: Chooser, *, seats: int, street: int, seed: int) -> Iterator[Seen]:
    """Every decision on a street of one hand, whose players all choose alike."""
    names = [str(seat) for seat in range(seats)]
    deck = shuffled_deck(variant, seed)
    opening = start(variant, deck, players=names, fantasyland=[0] * seats, button=seats - 1)
    hand = reduce(evolve, opening, Hand(variant=variant, deck=deck))
    while hand.status is HandStatus.PLAYING:
        view = view_for(hand, names[hand.waiting[0]])
        if hand.street == street:
            yield seen_in(view)
        hand = reduce(evolve, decide(hand, PlaceCards(seat=hand.waiting[0], rows=chooser(view))), hand)


def ways(rows: RowCards, held: Sequence[Card], to_place: int) -> list[str]:
    """Every placement that there is room for."""
    room = {row.value: row.size - len(cards) for row, cards in zip(ROWS, rows, strict=True)}
    room[DISCARD] = len(held) - to_place
    found = ("".join(letters) for letters in product(room, repeat=len(held)))
    return [letters for letters in found if all(letters.count(letter) <= free for letter, free in room.items())]


def total(variant: Variant, boards: Sequence[RowCards], seat: int, worth: Mapping[int, float]) -> float:
    """Return a seat's points against all others, including the value of Fantasyland for each."""
    score = score_hand(variant, [Board(rows=rows) for rows in boards])
    enters = [worth.get(board.next_fantasyland, 0.0) for board in score.boards]
    return score.points[seat] + len(boards) * enters[seat] - sum(enters)


def on_the_button(seen: Seen, worth: Mapping[int, float]) -> dict[str, float]:
    """Return each placement's points when all other boards are visible."""
    game = seen.view.variant
    found = {}
    for letters in ways(seen.rows, seen.held, seen.view.to_place):
        board, _ = place(seen.rows, seen.held, letters)
        found[letters] = total(game, [board, *seen.others], 0, worth)
    return found


def before_the_button(
    seen: Seen, unseen: Sequence[Card], worth: Mapping[int, float], some: Sequence[str]
) -> dict[str, float]:
    """Return each placement's average points over all cards of the last player, who answers with the best placement.

    The last player's board is the last of the other boards.
    """
    game = seen.view.variant
    rule = game.streets[-1]
    *others, last = seen.others
    deals = list(combinations(unseen, rule.deal))
    found = dict.fromkeys(some, 0.0)
    for deal in deals:
        boards = [place(last, deal, letters)[0] for letters in ways(last, deal, rule.to_place)]
        answers = {tuple(map(frozenset, board)): board for board in boards}
        for letters in some:
            mine, _ = place(seen.rows, seen.held, letters)
            tables = [[mine, *others, answer] for answer in answers.values()]
            best = max(tables, key=lambda boards: total(game, boards, len(boards) - 1, worth))
            found[letters] += total(game, best, 0, worth) / len(deals)
    return found
