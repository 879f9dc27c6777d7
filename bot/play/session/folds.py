"""Hands as they were folded from their logs, kept so that the next look folds only what is new."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock

from bot.model.hands import HandRecord
from bot.ofc.cards import Card
from bot.ofc.hand import Hand, audit
from bot.ofc.log import Fact

MOST_HANDS = 4096
"""Those looked at last; a hand takes a few kilobytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fold:
    record: HandRecord
    facts: tuple[Fact, ...] = field(repr=False)
    hand: Hand = field(repr=False)


class Folds:
    """A memory that cannot be wrong: it is used for a log that begins with the very events that it was made of.

    So it needs no word of a transaction that was rolled back, and may be dropped at any instant.
    """

    def __init__(self, most: int = MOST_HANDS) -> None:
        self._most = most
        self._folds: OrderedDict[str, _Fold] = OrderedDict()
        self._lock = Lock()

    def hand(self, name: str, record: HandRecord, facts: Sequence[Fact], deck: Callable[[], tuple[Card, ...]]) -> Hand:
        """The hand that these events make; ``deck`` is asked where nothing of it is known. Raises LogError."""
        with self._lock:
            fold = self._folds.get(name)
        known = fold is not None and _same_deal(fold.record, record) and fold.facts == tuple(facts[: len(fold.facts)])
        if fold is None or not known:
            hand = audit(record.variant, deck(), facts)
        elif len(facts) == len(fold.facts):
            hand = fold.hand
        else:
            hand = audit(record.variant, fold.hand.deck, facts[len(fold.facts) :], since=fold.hand)
        with self._lock:
            self._folds[name] = _Fold(record=record, facts=tuple(facts), hand=hand)
            self._folds.move_to_end(name)
            while len(self._folds) > self._most:
                self._folds.popitem(last=False)
        return hand

    def grow(self, name: str, before: Hand, facts: Sequence[Fact], after: Hand) -> None:
        """Know what these facts, which are decided, make of a hand that is known so; of another one nothing."""
        with self._lock:
            fold = self._folds.get(name)
            if fold is not None and fold.hand is before:
                self._folds[name] = replace(fold, facts=(*fold.facts, *facts), hand=after)


def _same_deal(one: HandRecord, other: HandRecord) -> bool:
    return (one.variant, one.sealed_seed, one.entropy) == (other.variant, other.sealed_seed, other.entropy)
