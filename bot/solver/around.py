"""A whole board around cards that somebody has placed already: legal, and as good as exchanges of cards make it.

The best board of all cards is the beginning, with what was placed put where it is. From a legal board any two cards
that were not placed change their rows as long as that earns more. It is not proven to be the best.

Source: docs/rules.md, "Fantasyland", "Setting the board".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from bot.ofc.cards import Card
from bot.ofc.outlook import filled
from bot.ofc.placement import OPEN, place, preview
from bot.ofc.rows import DISCARD, EMPTY
from bot.ofc.scoring import in_order, resolve
from bot.ofc.variants import Variant
from bot.solver.arrange import STAY_POINTS, best_arrangement

ROUNDS = 20
"""Exchanges after one another: a board is as good as it gets long before."""
_Worth = tuple[bool, int, tuple[int, ...]]


def completed(variant: Variant, cards: Sequence[Card], draft: str) -> str:
    """The placement of 13 to 17 cards, with those of the draft where it has them.

    Where nothing is placed, or where what is placed can only foul, it is the best arrangement.
    """
    best = best_arrangement(variant, cards)
    if not any(letter in "FMB" for letter in draft):
        return best
    begun = _begun(variant, cards, draft)
    if begun is None:
        return best
    return _improved(variant, cards, begun, draft)


def _begun(variant: Variant, cards: Sequence[Card], draft: str) -> str | None:
    """Some legal board around the draft; None where there is none."""
    rows, _ = place(EMPTY, cards, draft)
    left = [number for number, letter in enumerate(draft) if letter == OPEN]
    board = filled(variant, rows, tuple(cards[number] for number in left))
    if board is None:
        return None
    letters = list(draft.replace(OPEN, DISCARD))
    for row, held, before in zip("FMB", board, rows, strict=True):
        for card in held[len(before) :]:
            number = next(n for n in left if cards[n] == card)
            left.remove(number)
            letters[number] = row
    return "".join(letters)


def _improved(variant: Variant, cards: Sequence[Card], letters: str, draft: str) -> str:
    worth = _worth(variant, cards, letters)
    for _ in range(ROUNDS):
        found = max(((_worth(variant, cards, other), other) for other in _exchanged(letters, draft)), default=None)
        if found is None or found[0] <= worth:
            break
        worth, letters = found
    return letters


def _exchanged(letters: str, draft: str) -> Iterator[str]:
    free = [number for number, letter in enumerate(draft) if letter == OPEN]
    for one, other in combinations(free, 2):
        if letters[one] != letters[other]:
            changed = list(letters)
            changed[one], changed[other] = letters[other], letters[one]
            yield "".join(changed)


def _worth(variant: Variant, cards: Sequence[Card], letters: str) -> _Worth:
    """Whether a board is legal, what it earns, and its rows from the back."""
    rows, _ = place(EMPTY, cards, letters)
    strengths = resolve(variant, rows)
    if not in_order(variant, strengths):
        return False, 0, ()
    seen = preview(variant, rows, fantasyland=len(cards) if variant.fantasyland else 0)
    stays = STAY_POINTS if seen.next_fantasyland else 0
    return True, sum(points or 0 for points in seen.royalties) + stays, tuple(reversed(strengths))
