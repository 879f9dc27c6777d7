"""The end of a hand, which is settled or voided."""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from dataclasses import replace

from bot.base.logs import about
from bot.model.careers import won_by
from bot.model.errors import HandLostError
from bot.model.hands import HandState, Result
from bot.model.ids import Player, is_computer
from bot.model.standings import Paid
from bot.model.tables import PostKind, Table, TableState, Timer
from bot.play import badges
from bot.play.bank import seasons
from bot.play.hand import off_days, rating_updates, turns
from bot.play.session.session import Session
from bot.pure.ofc.hand import Hand
from bot.pure.ofc.log import HandVoided
from bot.pure.ofc.ranks import Category
from bot.pure.ofc.scoring import BoardScore, HandScore
from bot.pure.ofc.settlement import Stakes, settle

log = logging.getLogger(__name__)


def settle_hand(s: Session, table: Table, hand: Hand) -> Table:
    """Score the hand, move chips, store results and Fantasylands, and schedule the next hand."""
    players = [Player(seat.player) for seat in hand.seats]
    paid = _pay(s, table, hand, players)
    results = _results(table, hand, players, paid, placed=s.tx.hands.placed_by(table.key, table.hand_no))
    lesson = rating_updates.learn(s, table.key.guild, [results], at=s.now) if results[0].ranked else 0
    season = seasons.running(s, table.key.guild)
    number = season.number if season else 0
    kept = s.tx.results.add(table.key, table.hand_no, results, at=s.now, lesson=lesson, season=number, paid=paid)
    badges.note_hand(s, table.key, table.hand_no, kept)
    _note_fantasyland(s, table, results)
    return _end(s, table, state=HandState.SETTLED, post=PostKind.RESULT, button=_next_button(s, table, results))


def _pay(s: Session, table: Table, hand: Hand, players: Sequence[Player]) -> Paid:
    """Move chips between the stacks; return the chips paid per pair of payer and payee."""
    limits = table.terms.limits
    stakes = Stakes(point_value=table.terms.point_value, win_cap=limits.win_cap, bust_is_final=limits.bust_is_final)
    stacks = [s.tx.ledger.stack(table.key, player) for player in players]
    paid = {}
    for payment in settle(hand.score, stacks=stacks, button=hand.button, stakes=stakes):
        payer, payee = players[payment.payer], players[payment.payee]
        paid[payer, payee] = payment.chips
        s.tx.ledger.pay(
            table.key,
            payer=payer,
            payee=payee,
            chips=payment.chips,
            hand_no=table.hand_no,
            at=s.now,
            kind="hand" if table.event_no is None else "event_hand",
        )
    return paid


def _results(
    table: Table, hand: Hand, players: Sequence[Player], paid: Paid, *, placed: Collection[Player]
) -> list[Result]:
    # An event's chips have a value only within the event.
    ranked = not table.terms.practice and table.event_no is None and not any(is_computer(player) for player in players)
    score = hand.score
    return [
        Result(
            player=player,
            points=score.points[number],
            chips=won_by(player, paid),
            fantasyland=score.boards[number].next_fantasyland,
            foul=score.boards[number].foul,
            ranked=ranked,
            game=table.terms.variant.key,
            royalties=score.boards[number].royalties,
            in_fantasyland=bool(hand.seats[number].fantasyland),
            seat=number,
            met=len(players) - 1,
            scoops=_scoops(score, number),
            royal=_holds_royal_flush(score.boards[number]),
            played=is_computer(player) or player in placed,
        )
        for number, player in enumerate(players)
    ]


def _scoops(score: HandScore, seat: int) -> int:
    """Return the number of opponents that a seat scooped."""
    return sum(pair.scoop == (1 if pair.first == seat else -1) for pair in score.pairs if seat in pair[:2])


def _holds_royal_flush(board: BoardScore) -> bool:
    return not board.foul and any(row.category is Category.ROYAL_FLUSH for row in board.rows or ())


def _note_fantasyland(s: Session, table: Table, results: Sequence[Result]) -> None:
    cards = {result.player: result.fantasyland for result in results}
    for seat in s.dealt_in(table):
        s.tx.tables.save_seat(table.key, replace(seat, fantasyland=cards[seat.player]))


def _next_button(s: Session, table: Table, results: Sequence[Result]) -> int:
    """Return the next button, which stays put during Fantasyland and otherwise moves one seat clockwise."""
    if table.terms.variant.freeze_button and any(result.fantasyland for result in results):
        return table.button
    numbers = [seat.number for seat in s.dealt_in(table)]
    return next((n for n in numbers if n > table.button), numbers[0])


def void(s: Session, table: Table, *, reason: str, post: PostKind | None = PostKind.VOID) -> Table:
    """Void the running hand. No chips are paid, Fantasyland carries over, and the seed is revealed.

    ``post`` is the announcement; None if another message announces it. Neither the seed nor the log is needed, so even
    a damaged hand can be voided.
    """
    s.tx.hands.append(table.key, [HandVoided(reason=reason)], hand_no=table.hand_no, actor=None, cause=None, at=s.now)
    return _end(s, table, state=HandState.VOID, post=post, button=table.button, reason=reason)


def void_lost_hand(s: Session, table: Table, error: HandLostError) -> Table:
    """Void the running hand because its seed or log is lost."""
    with about(guild=table.key.guild, table=table.key.table, hand=table.hand_no):
        log.error("table %s/%s: hand %s is void: %s", table.key.guild, table.key.table, table.hand_no, error)
    return void(s, table, reason=error.reason)


def _end(
    s: Session, table: Table, *, state: HandState, post: PostKind | None, button: int, reason: str | None = None
) -> Table:
    """End a hand and schedule the next one after a pause. ``post`` is the announcement; None for no message."""
    record = s.tx.hands.get(table.key, table.hand_no)
    assert record is not None
    s.tx.hands.save(table.key, replace(record, state=state, ended_at=s.now, reason=reason))
    turns.end(s, table)
    if table.private:
        # The player's panel shows the result and a button for the next hand.
        turns.wait_for_player(s, table)
    else:
        # At an event's table, the director deals at the event's pace.
        own_pause = 0 if table.event_no is not None else table.terms.clock.pause_ms
        s.tx.timers.set_timer(table.key, Timer.NEXT_HAND, off_days.later(s, table, own_pause or s.policy.next_hand_ms))
    if post is not None and not table.private:
        s.tx.outbox.post(table.key, post, hand_no=table.hand_no, at=s.now)
    return s.save(replace(table, state=TableState.BETWEEN, turn_since=None, button=button))
