"""Find errors in stored ratings by recomputing them from the results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby

from bot.model.ids import GuildId
from bot.pure.rating.model import (
    MODEL,
    Luck,
    RatedResult,
    Rating,
    RatingGroup,
    Tables,
    group_of,
    luck_key,
    pairs,
    taught,
)
from bot.store.transaction import Tx


@dataclass(slots=True, kw_only=True)
class RatingLedger:
    """All ratings of a server by group and player, and the luck of its games by key."""

    ratings: dict[tuple[str, str], Rating] = field(default_factory=dict)
    luck: dict[str, Luck] = field(default_factory=dict)


def replayed(tx: Tx, guild: GuildId) -> RatingLedger:
    """Return a server's ratings, recomputed only from its results."""
    ledger, together = RatingLedger(), Counter[tuple[str, str]]()
    for group, tables, at in _lessons(tx.ratings.lessons(guild)):
        players = [(group.key, score.player) for table in tables for score in table]
        known = {player[1]: ledger.ratings[player] for player in players if player in ledger.ratings}
        key = luck_key(group, tables)
        after = taught(group, tables, known, ledger.luck.get(key, Luck()), together, at=at)
        ledger.ratings |= {(group.key, player): rating for player, rating in after.ratings.items()}
        ledger.luck[key] = after.luck
        if len(tables) == 1:
            together.update(pairs(tables[0]))
    return ledger


def problems(tx: Tx, guild: GuildId) -> Iterator[str]:
    """Yield the differences between stored and recomputed ratings; none while a recomputation is pending."""
    book = tx.ratings.rating_book(guild)
    if book is None or book.model != MODEL:
        return
    wanted, kept = (
        replayed(tx, guild),
        RatingLedger(ratings=tx.ratings.all_ratings(guild), luck=tx.ratings.all_luck(guild)),
    )
    for group, player in sorted(wanted.ratings.keys() | kept.ratings.keys()):
        if wanted.ratings.get((group, player)) != kept.ratings.get((group, player)):
            yield f"the rating of {player!r} in {group!r} does not follow from the results"
    for key in sorted(wanted.luck.keys() | kept.luck.keys()):
        if wanted.luck.get(key) != kept.luck.get(key):
            yield f"the luck of {key!r} does not follow from the results"


def _lessons(results: Iterable[RatedResult]) -> Iterator[tuple[RatingGroup, Tables, int]]:
    """Yield the lessons in order, each with its time. ``results`` are sorted by lesson, table and seat."""
    for _, lesson in groupby(results, key=lambda one: one.lesson):
        taken = list(lesson)
        group = group_of(taken[0].game)
        if group is not None:
            tables = [[one.score for one in table] for _, table in groupby(taken, key=lambda one: one.table)]
            yield group, tables, max(one.at for one in taken)
