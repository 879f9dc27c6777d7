"""Cache of replayed hands, so that the next read replays only new facts."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock

from bot.model.hands import HandRecord
from bot.pure.ofc.cards import Card
from bot.pure.ofc.hand import Hand, audit
from bot.pure.ofc.log import Fact

MAX_HANDS = 4096
"""Maximum number of cached hands, each of a few kilobytes. The least recently used are dropped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _CachedHand:
    deal: tuple[object, ...] = field(repr=False)
    """Everything that determines the deck."""
    facts: tuple[Fact, ...] = field(repr=False)
    hand: Hand = field(repr=False)


class HandCache:
    """Cached hands by id, with the facts that each was replayed from.

    A cached hand is used only for a log that begins with exactly those facts. So a rollback needs no invalidation, and
    the cache can be dropped at any time.
    """

    def __init__(self, most: int = MAX_HANDS) -> None:
        self._most = most
        self._hands: OrderedDict[str, _CachedHand] = OrderedDict()
        self._lock = Lock()

    def hand(self, name: str, record: HandRecord, facts: Sequence[Fact], deck: Callable[[], tuple[Card, ...]]) -> Hand:
        """Return the hand that results from ``facts``; ``deck`` is called only if it isn't cached. Raises LogError."""
        with self._lock:
            cached = self._hands.get(name)
        deal = (record.variant, record.sealed_seed, record.entropy)
        known = cached is not None and cached.deal == deal and cached.facts == tuple(facts[: len(cached.facts)])
        if cached is None or not known:
            hand = audit(record.variant, deck(), facts)
        elif len(facts) == len(cached.facts):
            hand = cached.hand
        else:
            hand = audit(record.variant, cached.hand.deck, facts[len(cached.facts) :], since=cached.hand)
        with self._lock:
            self._hands[name] = _CachedHand(deal=deal, facts=tuple(facts), hand=hand)
            self._hands.move_to_end(name)
            while len(self._hands) > self._most:
                self._hands.popitem(last=False)
        return hand

    def begin(self, name: str, record: HandRecord, facts: Sequence[Fact], hand: Hand) -> None:
        """Cache a hand that was just dealt."""
        with self._lock:
            deal = (record.variant, record.sealed_seed, record.entropy)
            self._hands[name] = _CachedHand(deal=deal, facts=tuple(facts), hand=hand)

    def grow(self, name: str, before: Hand, facts: Sequence[Fact], after: Hand) -> None:
        """Replace the cached hand ``before`` with ``after``, the hand after ``facts``, unless another one is cached."""
        with self._lock:
            cached = self._hands.get(name)
            if cached is not None and cached.hand is before:
                self._hands[name] = replace(cached, facts=(*cached.facts, *facts), hand=after)
