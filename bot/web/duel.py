"""The score of a hand as numbers, for the page that shows how each row was won."""

from __future__ import annotations

from collections.abc import Callable

from bot.chat.table.screens.picture import chips_of, special_reason
from bot.chat.table.screens.result import fantasyland_note, is_last
from bot.model.hands import Result
from bot.play.queries.results import PaidPair, ResultView
from bot.pure.ofc.scoring import BoardScore, HandScore, bonuses
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import HandView
from bot.text.words import Words
from bot.web.messages import Duel, PairScored, SeatScored


def first_seat(hand: HandView, you: str | None) -> int:
    """Return the seat shown first: the reader's own, or seat 0."""
    return next((number for number, seat in enumerate(hand.seats) if seat.player == you), 0)


def seats_from(first: int, count: int) -> list[int]:
    """Return the seats in the order shown: clockwise from ``first``."""
    return [(first + step) % count for step in range(count)]


def duel_of(result: ResultView, words: Words, plain: Callable[[str], str], *, first: int) -> Duel:
    """Return the score of a settled hand, with seats as they are shown from seat ``first``.

    ``plain`` turns sentences for Discord into plain text.
    """
    hand = result.hand
    assert hand is not None
    assert hand.score is not None
    boards, count = hand.score.boards, len(hand.seats)
    seats = []
    for number in seats_from(first, count):
        seat = hand.seats[number]
        line = next(line for line in result.results if line.player == seat.player)
        stays = bool(line.fantasyland and seat.fantasyland)
        seats.append(
            SeatScored(
                royalties=_royalties(boards[number]),
                points=line.points,
                chips=0 if result.table.terms.practice else line.chips,
                fantasyland=line.fantasyland,
                stays=stays,
                told=plain(_fantasyland(result, line, words, stays=stays)) if line.fantasyland else "",
            )
        )
    variant, score = result.record.variant, hand.score
    pairs = tuple(pair_scored(variant, score, pair, words, first=first) for pair in result.pairs)
    return Duel(seats=tuple(seats), pairs=pairs)


def _fantasyland(view: ResultView, result: Result, words: Words, *, stays: bool) -> str:
    if stays and not is_last(view):
        return words("page.stays", count=result.fantasyland)
    return fantasyland_note(view, result, words)


def _royalties(board: BoardScore) -> tuple[int, int, int]:
    """Return the royalties of each row; none for a board that was given up."""
    if board.rows is None:
        return 0, 0, 0
    front, middle, back = board.rows
    return front.royalty, middle.royalty, back.royalty


def pair_scored(variant: Variant, score: HandScore, paid: PaidPair, words: Words, *, first: int = 0) -> PairScored:
    """Return a pair's score and payment, with seats as they are shown from seat ``first``."""
    count = len(score.boards)
    near, far = sorted((paid.winner, paid.loser), key=lambda seat: (seat - first) % count)
    found = next(pair for pair in score.pairs if {*pair[:2]} == {near, far}).seen_by(near)
    bonus = bonuses(variant, found)
    return PairScored(
        first=(near - first) % count,
        second=(far - first) % count,
        rows=found.row_points,
        scoop=bonus.scoop,
        majority=bonus.majority,
        two_rows=bonus.two_rows,
        total=bonus.total,
        royalties=found.royalties,
        instead=found.natural,
        why=special_reason(score.boards[near], score.boards[far], found, words),
        points=found.points,
        payer=(paid.loser - first) % count,
        owed=paid.owed,
        chips=paid.chips,
        paid=chips_of(paid, words),
    )
