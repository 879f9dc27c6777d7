"""Puzzles of the day: drawing, answers, ratings and results. This module knows the solutions.

Rules:

1. A morning post asks a puzzle of medium difficulty, unless the last one isn't over. It ends a day later, when the
   next post is due, whether or not that goes out.
2. Servers whose days end at the same moment share a puzzle if none of them has had it. Others have different ones while
   there are enough, so no post gives away another server's solution. A server has each puzzle once before it has one
   again.
3. Each member answers once in each server. Until the day is over, no view says anything about the solution, the ratings
   don't change, and ``/puzzle`` gives the puzzle to no one (:mod:`bot.play.trainer.training`).
4. Then the first answer of everyone who hadn't met the puzzle is rated like one to ``/puzzle``. Someone who had may
   answer again, without an effect on the ratings.
5. The first post after that shows the result. A puzzle that was withdrawn is cancelled: nothing is rated, and it
   neither extends nor ends the server's streak.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import fields, replace
from functools import cache

from bot.model.bulletins import Bulletin, BulletinKind
from bot.model.ids import GuildId, Player
from bot.model.puzzles import DayAnswer, DayPuzzle, PuzzleName, PuzzleRecord
from bot.model.reasons import TrainerReason
from bot.model.refusals import Stale
from bot.play.audience import Audience, audience_of
from bot.play.session.session import Session
from bot.play.trainer.all_puzzles import found_traits, puzzle_named
from bot.play.trainer.known_puzzles import known_puzzles, withdrawn_puzzles
from bot.play.trainer.training import (
    check_letters,
    cost_of,
    counted_as,
    index_of,
    is_withdrawn,
    puzzle_view,
    rating_of,
    record,
)
from bot.play.trainer.views import (
    AskedView,
    CancelledView,
    DayAnswerView,
    DayChoice,
    DayPuzzleView,
    DayResultView,
    MorningPuzzle,
    PuzzleView,
)
from bot.pure.ofc.refusals import Refused
from bot.pure.trainer.puzzle import Puzzle, same_board

# drawing


@cache
def medium_puzzles() -> tuple[PuzzleName, ...]:
    """Return the names of the puzzles of medium difficulty: the middle half of those that come with the bot."""
    names = sorted(known_puzzles(), key=lambda name: (known_puzzles()[name].difficulty.mean, name))
    quarter = len(names) // 4
    return tuple(names[quarter : len(names) - quarter])


def _medium(s: Session) -> list[PuzzleName]:
    """Return the names of all puzzles of medium difficulty. A puzzle that's added changes nothing about the others."""
    shipped = medium_puzzles()
    means = [known_puzzles()[name].difficulty.mean for name in shipped]
    others = ((name, one.difficulty.mean) for name, one in found_traits(s).items() if name not in known_puzzles())
    return [*shipped, *(name for name, mean in others if means and means[0] <= mean <= means[-1])]


def _drawn(s: Session, before: Sequence[DayPuzzle], ends_at: int) -> PuzzleName | None:
    """Return the puzzle for a day of a server that has had ``before``; None if all were withdrawn."""
    s.tx.day_puzzles.hold()
    elsewhere, had = s.tx.day_puzzles.open_anywhere(s.now), Counter(day.puzzle for day in before)
    withdrawn = _withdrawn(s)

    def order(name: PuzzleName) -> tuple[bool, int, bool, bytes]:
        ends = elsewhere.get(name, set())
        digest = hashlib.sha256(f"{ends_at} {name}".encode()).digest()
        return bool(ends - {ends_at}), had[name], not ends, digest

    return min((name for name in _medium(s) if name not in withdrawn), key=order, default=None)


def _ask(s: Session, guild: GuildId, bulletin: Bulletin, days: Sequence[DayPuzzle], at: int) -> DayPuzzle | None:
    """Return the puzzle that the post for hour ``at`` asks, and store it; None if it asks none.

    ``days`` are the server's puzzles of the day. One whose post was never sent makes room for this one.
    """
    last = days[-1] if days else None
    if last is not None and last.asked_at == at:
        return last
    before = _sent(days, bulletin)
    if before and before[-1].ends_at > at:
        return None
    ends_at, number = bulletin.next_after(at), len(before) + 1
    # Nothing leads to a puzzle whose post wasn't sent, but a forged press may have answered it.
    kept = s.tx.day_puzzles.day(guild, number) if s.tx.day_puzzles.answers(guild, number) else None
    name = _drawn(s, before, ends_at) if kept is None else kept.puzzle
    if name is None:
        return None
    day = DayPuzzle(number=number, puzzle=name, asked_at=at, ends_at=ends_at)
    s.tx.day_puzzles.save(guild, day)
    return day


def _sent(days: Sequence[DayPuzzle], bulletin: Bulletin) -> Sequence[DayPuzzle]:
    """Return the puzzles without a newest one whose post was never sent."""
    return days[:-1] if days and days[-1].asked_at > bulletin.told else days


# answering


def look(
    s: Session, guild: GuildId, player: Player, number: int
) -> DayPuzzleView | DayAnswerView | DayResultView | None:
    """Return a puzzle of the day, or its result once it's over; None if its answers have to be rated first.

    Raises Refused if there is none, or it was withdrawn.
    """
    day, puzzle, record = _known(s, guild, number)
    if day.ends_at <= s.now and not day.is_rated:
        return None
    answer = s.tx.day_puzzles.answer(guild, number, player)
    if day.is_rated:
        return _result(s, guild, day, puzzle, answer)
    return _puzzle(s, player, day, puzzle, record) if answer is None else _answered(day, puzzle, answer)


def today(s: Session, guild: GuildId) -> DayPuzzle | None:
    """Return the server's puzzle of the day, if one is open and its post has been sent."""
    day, told = s.tx.day_puzzles.last(guild), s.tx.bulletins.get(guild, BulletinKind.MORNING).told
    return day if day is not None and day.ends_at > s.now and day.asked_at <= told else None


def next_at(s: Session, guild: GuildId) -> int:
    """Return when the server's next puzzle of the day comes (ms); 0 if its morning posts have none."""
    bulletin = s.tx.bulletins.get(guild, BulletinKind.MORNING)
    return bulletin.next_after(s.now) if bulletin.puzzle else 0


def answer(
    s: Session, guild: GuildId, player: Player, number: int, name: PuzzleName, letters: str, *, cause: str
) -> DayAnswerView:
    """Store the player's answer to a puzzle of the day, which the result rates.

    Raises Stale if they've answered, the day is over or it has another puzzle, and Refused if it can't be answered so.
    """
    s.check_not_repeated(cause)
    day, puzzle, _ = _known(s, guild, number)
    is_over = day.is_rated or day.ends_at <= s.now
    if is_over or day.puzzle != name or s.tx.day_puzzles.answer(guild, number, player) is not None:
        raise Stale
    check_letters(puzzle, letters)
    given = DayAnswer(player=player, letters=letters, at=s.now, cause=cause)
    s.tx.day_puzzles.save_answer(guild, number, given)
    return _answered(day, puzzle, given)


def _known(s: Session, guild: GuildId, number: int) -> tuple[DayPuzzle, Puzzle, PuzzleRecord | None]:
    """Return a puzzle of the day with the puzzle and its record; raises Refused."""
    day = s.tx.day_puzzles.day(guild, number)
    if day is None:
        raise Refused(TrainerReason.NO_DAY_PUZZLE)
    puzzle, record = _open(s, day)
    if puzzle is None:
        raise Refused(TrainerReason.DAY_CANCELLED)
    return day, puzzle, record


def _open(s: Session, day: DayPuzzle) -> tuple[Puzzle | None, PuzzleRecord | None]:
    """Return a day's puzzle and its record. The puzzle is None if it was withdrawn, which cancels the day."""
    record = s.tx.puzzles.puzzle(day.puzzle)
    return (None if is_withdrawn(day.puzzle, record) else puzzle_named(s, day.puzzle)), record


def _withdrawn(s: Session) -> frozenset[PuzzleName]:
    return withdrawn_puzzles() | {record.name for record in s.tx.puzzles.puzzles() if record.withdrawn}


def _puzzle(s: Session, player: Player, day: DayPuzzle, puzzle: Puzzle, record: PuzzleRecord | None) -> DayPuzzleView:
    solver, attempts = s.tx.puzzles.solver(player), s.tx.puzzles.attempts(player, day.puzzle)
    view = puzzle_view(solver, day.puzzle, puzzle, attempts, record)
    shared = {field.name: getattr(view, field.name) for field in fields(PuzzleView)}
    return DayPuzzleView(**shared, day=day.number, ends_at=day.ends_at)


def _answered(day: DayPuzzle, puzzle: Puzzle, answer: DayAnswer) -> DayAnswerView:
    return DayAnswerView(
        day=day.number,
        name=day.puzzle,
        variant=puzzle.variant,
        position=puzzle.position,
        letters=answer.letters,
        ends_at=day.ends_at,
    )


# ratings


def has_unrated(s: Session, guild: GuildId) -> bool:
    """True if a day is over and :func:`rate_next` has something to do."""
    return s.tx.day_puzzles.unrated(guild, s.now) is not None


def rate_next(s: Session, guild: GuildId) -> bool:
    """Rate one answer of a day that is over, or count a day whose answers are all rated; False if there is none.

    One transaction per answer never blocks other players for long.
    """
    day = s.tx.day_puzzles.unrated(guild, s.now)
    if day is None:
        return False
    answer = s.tx.day_puzzles.unrated_answer(guild, day.number)
    if answer is None:
        answers = s.tx.day_puzzles.answers(guild, day.number)
        puzzle = puzzle_named(s, day.puzzle)
        right = 0 if puzzle is None else sum(same_board(puzzle.position, one.letters, puzzle.best) for one in answers)
        s.tx.day_puzzles.save(guild, replace(day, people=len(answers), solved=right))
        return True
    puzzle, _ = _open(s, day)
    if puzzle is not None:
        _rate(s, answer.player, day.puzzle, puzzle)
    s.tx.day_puzzles.save_answer(guild, day.number, replace(answer, rated=True))
    return True


def _rate(s: Session, player: Player, name: PuzzleName, puzzle: Puzzle) -> None:
    """Rate the player's first answer to a puzzle in any server, unless they had met it before."""
    solver = s.tx.puzzles.solver(player)
    first = s.tx.day_puzzles.first_answer(player, name)
    if first is not None and not s.tx.puzzles.attempts(player, name):
        record(s, player, solver, name, puzzle, first.letters, cause=first.cause, rated=True, at=first.at)


# results


def morning(
    s: Session, guild: GuildId, bulletin: Bulletin, at: int, *, open_channels: Collection[int]
) -> MorningPuzzle:
    """Return the part of the morning post for hour ``at``, whose readers can see ``open_channels``.

    Repeating it for the same hour changes nothing. All answers of past days must have been rated.
    """
    days = s.tx.day_puzzles.of(guild)
    sent = _sent(days, bulletin)
    over = [day for day in sent if bulletin.told < day.ends_at <= at]
    asked = _ask(s, guild, bulletin, days, at) if bulletin.puzzle else None
    return MorningPuzzle(
        asked=None if asked is None else _asked(s, asked),
        result=_result_for_all(s, guild, over[-1], audience_of(s, guild, open_channels)) if over else None,
        streak=_streak(s, [day for day in sent if day.is_rated]),
    )


def _asked(s: Session, day: DayPuzzle) -> AskedView | None:
    """Return a new puzzle; None if it was withdrawn after a post for the same hour had asked it."""
    puzzle, record = _open(s, day)
    if puzzle is None:
        return None
    return AskedView(
        day=day.number,
        name=day.puzzle,
        variant=puzzle.variant,
        position=puzzle.position,
        difficulty=rating_of(record, puzzle),
        ends_at=day.ends_at,
    )


def _streak(s: Session, days: Sequence[DayPuzzle]) -> int:
    withdrawn, streak = _withdrawn(s), 0
    for day in reversed(days):
        if day.puzzle in withdrawn or puzzle_named(s, day.puzzle) is None:
            continue
        if not day.is_solved:
            break
        streak += 1
    return streak


def _result_for_all(s: Session, guild: GuildId, day: DayPuzzle, readers: Audience) -> DayResultView | CancelledView:
    puzzle, _ = _open(s, day)
    if puzzle is None:
        return CancelledView(day=day.number, asked_at=day.asked_at)
    return _result(s, guild, day, puzzle, readers=readers)


def _result(
    s: Session,
    guild: GuildId,
    day: DayPuzzle,
    puzzle: Puzzle,
    mine: DayAnswer | None = None,
    *,
    readers: Audience | None = None,
) -> DayResultView:
    """Return the result of a day that is over. Only a post with ``readers`` names members."""
    answers = s.tx.day_puzzles.answers(guild, day.number)
    best = [placement.letters for placement in puzzle.placements]
    players: dict[str, list[Player]] = {letters: [] for letters in best}
    for answer in answers:
        players.setdefault(_counted_as(puzzle, answer.letters, players), []).append(answer.player)
    others = [letters for letters in players if letters not in best]
    order = [*best, *sorted(others, key=lambda letters: (-len(players[letters]), cost_of(puzzle, letters)))]
    return DayResultView(
        day=day.number,
        asked_at=day.asked_at,
        name=day.puzzle,
        variant=puzzle.variant,
        position=puzzle.position,
        theme=puzzle.theme,
        placements=puzzle.placements,
        chosen=None if mine is None else index_of(puzzle, mine.letters),
        gap=puzzle.gap,
        choices=[_choice(puzzle, letters, players[letters], readers) for letters in order],
        people=day.people or 0,
        solved=day.solved or 0,
        mine=None if mine is None else order.index(_counted_as(puzzle, mine.letters, order)),
    )


def _choice(puzzle: Puzzle, letters: str, players: Sequence[Player], readers: Audience | None) -> DayChoice:
    named = () if readers is None else tuple(player for player in players if readers.may_name(player))
    return DayChoice(letters=letters, cost=cost_of(puzzle, letters), people=len(players), named=named)


def _counted_as(puzzle: Puzzle, letters: str, chosen: Collection[str]) -> str:
    """Return the placement in ``chosen`` that leads to the same board, or how the puzzle writes it."""
    same = (one for one in chosen if same_board(puzzle.position, one, letters))
    return next(same, counted_as(puzzle, letters))
