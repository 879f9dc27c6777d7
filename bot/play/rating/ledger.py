"""Ratings in the transaction that settles: each hand is a lesson, and the lessons in their order make the ratings.

A server's lessons are numbered in the order in which they were settled, and its results keep the numbers. So everything
can be worked out once more from the results alone (:func:`replayed`), and comes to the same numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from bot.play.model import GuildId, Player, Result, TableKey, is_computer
from bot.play.rating.model import MODEL, Book, Taken
from bot.play.rating.ports import Ratings, tx_of
from bot.play.session import Session
from bot.rating.groups import Group, group_of
from bot.rating.lessons import Score, Tables, luck_key, taught
from bot.rating.model import Luck, Rating


@dataclass(slots=True, kw_only=True)
class Ledger:
    """All ratings of a server, by group and player, and the luck of its games by key."""

    ratings: dict[tuple[str, str], Rating] = field(default_factory=dict)
    luck: dict[str, Luck] = field(default_factory=dict)


def learn(s: Session, guild: GuildId, tables: Sequence[Sequence[Result]]) -> int:
    """Learn from a hand, or from the tables of a board, each in the order of seats; returns the lesson's number.

    It is 0 where nothing can be learned: the game is of no group.
    """
    group = group_of(tables[0][0].game)
    if group is None:
        return 0
    tx = tx_of(s)
    scores = [[Score(player=result.player, points=result.points) for result in results] for results in tables]
    players = [result.player for results in tables for result in results]
    key = luck_key(group, scores)
    after = taught(group, scores, tx.ratings(guild, group.key, players), tx.luck(guild, key))
    tx.save_ratings(guild, group.key, after.ratings)
    tx.save_luck(guild, key, after.luck)
    book = tx.rating_book(guild) or Book()
    book = replace(book, lessons=book.lessons + 1)
    tx.save_rating_book(guild, book)
    return book.lessons


def learn_board(s: Session, tables: Sequence[tuple[TableKey, int]]) -> None:
    """Learn from hands that were dealt the same deck. Those at which a computer sat teach nothing."""
    results = {key: s.tx.results(key, hand_no) for key, hand_no in tables}
    of_people = [
        (key, hand_no)
        for key, hand_no in sorted(tables, key=lambda one: one[0].table)
        if results[key] and not any(is_computer(result.player) for result in results[key])
    ]
    if len(of_people) < 2:
        return
    seated = [sorted(results[key], key=lambda result: result.seat) for key, _ in of_people]
    lesson = learn(s, tables[0][0].guild, seated)
    for key, hand_no in of_people:
        tx_of(s).note_lesson(key, hand_no, lesson)


def replayed(tx: Ratings, guild: GuildId) -> Ledger:
    """A server's ratings, worked out from its results alone."""
    ledger = Ledger()
    for group, tables in _lessons(tx.lessons(guild)):
        players = [(group.key, score.player) for table in tables for score in table]
        known = {player[1]: ledger.ratings[player] for player in players if player in ledger.ratings}
        key = luck_key(group, tables)
        after = taught(group, tables, known, ledger.luck.get(key, Luck()))
        ledger.ratings |= {(group.key, player): rating for player, rating in after.ratings.items()}
        ledger.luck[key] = after.luck
    return ledger


def problems(tx: Ratings, guild: GuildId) -> Iterator[str]:
    """What of a server's ratings is not what its results make; nothing while they wait to be made again."""
    book = tx.rating_book(guild)
    if book is None or book.model != MODEL:
        return
    wanted, kept = replayed(tx, guild), Ledger(ratings=tx.all_ratings(guild), luck=tx.all_luck(guild))
    for group, player in sorted(wanted.ratings.keys() | kept.ratings.keys()):
        if wanted.ratings.get((group, player)) != kept.ratings.get((group, player)):
            yield f"the rating of {player!r} in {group!r} is not what the results make"
    for key in sorted(wanted.luck.keys() | kept.luck.keys()):
        if wanted.luck.get(key) != kept.luck.get(key):
            yield f"the luck of {key!r} is not what the results make"


def catch_up(s: Session) -> None:
    """Make the ratings again that another model has made, or none yet."""
    tx = tx_of(s)
    for guild in tx.rated_guilds():
        book = tx.rating_book(guild)
        assert book is not None
        if book.model != MODEL:
            ledger = replayed(tx, guild)
            tx.forget_ratings(guild)
            for (group, player), rating in ledger.ratings.items():
                tx.save_ratings(guild, group, {Player(player): rating})
            for key, luck in ledger.luck.items():
                tx.save_luck(guild, key, luck)
            tx.save_rating_book(guild, replace(book, model=MODEL))


def _lessons(results: Iterable[Taken]) -> Iterator[tuple[Group, Tables]]:
    """The lessons in their order, from results by lesson, table and seat."""
    for _, lesson in groupby(results, key=lambda one: one.lesson):
        taken = list(lesson)
        group = group_of(taken[0].game)
        if group is not None:
            yield group, [[one.score for one in table] for _, table in groupby(taken, key=lambda one: one.table)]
