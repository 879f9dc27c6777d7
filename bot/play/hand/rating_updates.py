"""Updates of ratings within the transaction that settles a hand.

A server's lessons are numbered in the order of settlement, and results store the numbers. So ratings can be recomputed
from the results (``bot/store/rating_checks.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.model.hands import Result
from bot.model.ids import GuildId, Player, TableKey, is_computer
from bot.play.hand import hand_log
from bot.play.session import chips
from bot.play.session.session import Session
from bot.pure.rating.model import MODEL, RatingVersion, Score, group_of, luck_key, taught
from bot.store.rating_checks import replayed


def learn(s: Session, guild: GuildId, tables: Sequence[Sequence[Result]], *, at: int) -> int:
    """Learn from a hand that ended at ``at``, or from all tables of a board; return the lesson's number.

    It's 0 if nothing can be learned, because the game has no rating group or a player is back from a deletion. It's
    unknown how many hands such players have played together, so they could repeatedly pose as new opponents. Call this
    before the hand is added to the totals, which are used to count those hands.
    """
    group = group_of(tables[0][0].game)
    players = [result.player for results in tables for result in results]
    if group is None or chips.is_back(s, guild, players):
        return 0
    tx = s.tx
    scores = [[Score(player=result.player, points=result.points) for result in results] for results in tables]
    together = tx.careers.lessons_together(guild, players) if len(tables) == 1 else {}
    key = luck_key(group, scores)
    after = taught(
        group, scores, tx.ratings.ratings(guild, group.key, players), tx.ratings.luck(guild, key), together, at=at
    )
    tx.ratings.save_ratings(guild, group.key, after.ratings)
    tx.ratings.save_luck(guild, key, after.luck)
    book = tx.ratings.rating_book(guild) or RatingVersion()
    book = replace(book, lessons=book.lessons + 1)
    tx.ratings.save_rating_book(guild, book)
    return book.lessons


def learn_board(s: Session, tables: Sequence[tuple[TableKey, int]]) -> None:
    """Learn from hands with the same deck, except from tables with computers or players back from a deletion."""
    results = {key: s.tx.results.of(key, hand_no) for key, hand_no in tables}
    of_people = [
        (key, hand_no)
        for key, hand_no in sorted(tables, key=lambda one: one[0].table)
        if results[key]
        and not any(is_computer(result.player) for result in results[key])
        and not chips.is_back(s, key.guild, [result.player for result in results[key]])
    ]
    if len(of_people) < 2:
        return
    seated = [sorted(results[key], key=lambda result: result.seat) for key, _ in of_people]
    ends = [hand_log.record_of(s, key, hand_no).ended_at or 0 for key, hand_no in of_people]
    lesson = learn(s, tables[0][0].guild, seated, at=max(ends))
    for key, hand_no in of_people:
        s.tx.ratings.note_lesson(key, hand_no, lesson)


def catch_up(s: Session) -> None:
    """Recompute ratings that are missing or were made by another model."""
    tx = s.tx
    for guild in tx.ratings.rated_guilds():
        book = tx.ratings.rating_book(guild)
        assert book is not None
        if book.model != MODEL:
            ledger = replayed(tx, guild)
            tx.ratings.forget_ratings(guild)
            for (group, player), rating in ledger.ratings.items():
                tx.ratings.save_ratings(guild, group, {Player(player): rating})
            for key, luck in ledger.luck.items():
                tx.ratings.save_luck(guild, key, luck)
            tx.ratings.save_rating_book(guild, replace(book, model=MODEL))
