"""Seats of a table: taking one, sitting out and returning, changing seats, and adding chips.

Changes that would affect a running hand wait until it's over. Players who miss hands pay nothing, and keep their seat
and chips for a while. Players who are bust also keep their seat for a rebuy.
"""

from __future__ import annotations

from dataclasses import replace

from bot.model.ids import GuildId, Player, TableKey, is_computer, is_pseudonym
from bot.model.privacy import UsedRightKind
from bot.model.reasons import BankReason, EventReason, SeatReason
from bot.model.tables import Seat, Table, TableState, Timer
from bot.play import terms as terms_of
from bot.play.hand import dealing_in, off_days, step_effects
from bot.play.session import chips, memory
from bot.play.session.session import Session
from bot.pure.ofc.refusals import Refused


def own_table(s: Session, key: TableKey, player: Player) -> Table:
    """Return an open table that its host runs; raises Refused for an event's, because events seat and deal players."""
    table = s.open_table(key, player)
    if table.event_no is not None:
        raise Refused(EventReason.EVENT_TABLE)
    return table


def shared_table(s: Session, key: TableKey, player: Player) -> Table:
    """Return an open table that isn't private; raises Refused."""
    table = own_table(s, key, player)
    if table.private:
        raise Refused(SeatReason.NOTHING_AT_STAKE)
    return table


def chip_cause(table: Table) -> str:
    """Return the cause of a table's chip movement, so that each change moves chips only once."""
    return f"table:{table.key.table}:{table.version}"


# taking and leaving a seat


def sit_down(s: Session, table: Table, player: Player, *, number: int | None = None, entropy: str = "") -> None:
    """Seat a player with the buy-in, in seat ``number`` or the first free one. Raises Refused."""
    free = set(range(table.terms.max_seats)) - {seat.number for seat in s.tx.tables.seats(table.key)}
    if number is not None:
        _require_seat_number(table, number)
        if number not in free:
            raise Refused(SeatReason.SEAT_TAKEN)
    if not table.terms.practice:
        require_balanced(s, table.key.guild)
    chips.buy_in(s, table, player, cause=chip_cause(table))
    seat = Seat(
        number=min(free) if number is None else number,
        player=player,
        dealt_in=table.state is TableState.LOBBY,
        entropy=entropy,
        bank_ms=table.terms.clock.bank_ms,
    )
    s.tx.tables.save_seat(table.key, seat)


def stand_up(s: Session, table: Table, seat: Seat) -> None:
    """Empty a seat and return its chips to the wallet."""
    chips.cash_out(s.tx, table, seat.player, cause=chip_cause(table), now=s.now)
    s.tx.tables.remove_seat(table.key, seat.number)


def require_not_removed(s: Session, table: Table, player: Player) -> None:
    """Raise Refused if the player was removed from the table, even before a deletion."""
    was_removed = any(map(is_pseudonym, table.removed)) and memory.used(
        s, table.key.guild, player, UsedRightKind.REMOVAL, table.key.table
    )
    if was_removed or player in table.removed:
        raise Refused(SeatReason.REMOVED)


def require_balanced(s: Session, guild: GuildId) -> None:
    """Raise Refused if no chips may move because the server's books don't balance."""
    if guild in s.frozen:
        raise Refused(BankReason.BOOKS_WRONG)


# sitting out


def sit_out(s: Session, key: TableKey, player: Player, *, cause: str) -> Table:
    """Sit out from the next hand, or after Fantasyland, keeping seat and chips. Raises Refused."""
    s.check_not_repeated(cause)
    table, seat = _cash_seat(s, key, player)
    if seat.sits_out:
        raise Refused(SeatReason.SITS_OUT_ALREADY)
    if table.terms.starts_with and not table.hand_no:
        raise Refused(SeatReason.WAITS_IN_QUEUE)
    return _sit_out(s, table, seat, cause=cause)


def _sit_out(s: Session, table: Table, seat: Seat, *, cause: str | None) -> Table:
    s.note(table, "sits_out", actor=seat.player, cause=cause)
    dealt_in = seat.dealt_in and table.state is not TableState.LOBBY
    s.tx.tables.save_seat(table.key, replace(seat, out_since=table.hand_no, leaving=False, dealt_in=dealt_in))
    return s.save(table)


def may_sit_out(table: Table, seat: Seat) -> bool:
    """True if the player can sit out: at a cash table, and not while only waiting in a queue."""
    waits = bool(table.terms.starts_with) and not table.hand_no
    return table.cash and not (seat.sits_out or waits or seat.player in table.removed)


def sit_out_everywhere(s: Session, guild: GuildId, player: Player, *, cause: str) -> list[Table]:
    """Sit out at all tables of a server where that's possible, and return them. Raises Stale."""
    s.check_not_repeated(cause)
    done: list[Table] = []
    for table in s.tx.tables.tables_of(guild, player):
        seat = s.seat(table, player)
        if may_sit_out(table, seat):
            done.append(_sit_out(s, table, seat, cause=None if done else cause))
    return done


def be_absent(s: Session, table: Table, seat: Seat, *, cause: str) -> Table:
    """Sit out at an event's table. The player is auto-placed immediately."""
    s.note(table, "sits_out", actor=seat.player, cause=cause)
    s.tx.tables.save_seat(table.key, replace(seat, away=True))
    if table.state is TableState.PLAYING:
        table = step_effects.restart_clock(s, table)
    return s.save(table)


def stay(s: Session, key: TableKey, player: Player, *, cause: str) -> Table:
    """Cancel leaving, or return from being away or sitting out; raises Refused."""
    s.check_not_repeated(cause)
    table = s.open_table(key, player)
    seat = s.seat(table, player)
    s.check_penalty(table, player)
    require_not_removed(s, table, player)
    if table.cash and not s.tx.ledger.stack(key, player):
        raise Refused(SeatReason.REBUY_FIRST)
    s.note(table, "stays", actor=player, cause=cause)
    deadline = None if seat.away else seat.deadline
    back = replace(seat, leaving=False, away=False, timeouts=0, deadline=deadline)
    if seat.sits_out:
        table = _come_back(s, table, back)
    else:
        s.tx.tables.save_seat(table.key, back)
    if seat.away and table.state is TableState.PLAYING:
        table = step_effects.restart_clock(s, table)
    return s.save(table)


def _come_back(s: Session, table: Table, seat: Seat) -> Table:
    """Deal a returning player into the next hand. A table that waited for them resumes."""
    waited = table.state is TableState.LOBBY
    s.tx.tables.save_seat(table.key, replace(seat, out_since=None, dealt_in=seat.dealt_in or waited))
    return go_on(s, table)


def go_on(s: Session, table: Table) -> Table:
    """Schedule the next hand of a table that has returned to its lobby, if there are enough players again."""
    waited = table.state is TableState.LOBBY and table.hand_no
    if not waited or len(s.dealt_in(table)) < table.terms.variant.min_seats:
        return table
    end_waiting(s, table)
    s.tx.timers.set_timer(table.key, Timer.NEXT_HAND, off_days.later(s, table, s.policy.next_hand_ms))
    return replace(table, state=TableState.BETWEEN)


def end_waiting(s: Session, table: Table) -> None:
    """End the waiting of a lobby or queue because cards are dealt."""
    s.tx.timers.set_timer(table.key, Timer.LOBBY, None)
    for seat in s.tx.tables.seats(table.key):
        if seat.waits_until is not None:
            s.tx.tables.save_seat(table.key, replace(seat, waits_until=None))


# rebuys and top-ups


def rebuy(s: Session, key: TableKey, player: Player, *, terms: str | None = None, cause: str) -> Table:
    """Rebuy at a seat without chips, and play on.

    ``terms`` name the chips that the player was shown. Raises Refused, or OtherTerms.
    """
    s.check_not_repeated(cause)
    table, seat = _cash_seat(s, key, player)
    if stack := s.tx.ledger.stack(key, player):
        raise Refused(SeatReason.HAS_CHIPS, have=stack)
    have = _spendable(s, table, player)
    brings = chips.rebuy_of(table, have)
    if not brings:
        raise Refused(SeatReason.WALLET_SHORT, need=chips.min_rebuy(table), have=have)
    terms_of.require_unchanged(terms, terms_of.of_chips(table, brings))
    s.note(table, "rebuys", actor=player, cause=cause)
    s.tx.ledger.buy_in(table.key, player, brings, cause=chip_cause(table), at=s.now, kind="rebuy")
    return s.save(_come_back(s, table, replace(seat, leaving=False, away=False, timeouts=0)))


def top_up(s: Session, key: TableKey, player: Player, *, terms: str | None = None, cause: str) -> Table:
    """Top a stack up to the buy-in, now or after the running hand.

    ``terms`` name the chips that the player was shown. Raises Refused, or OtherTerms.
    """
    s.check_not_repeated(cause)
    table, seat = _cash_seat(s, key, player)
    stack = s.tx.ledger.stack(key, player)
    _require_top_up(table, seat, stack)
    if not (have := _spendable(s, table, player)):
        raise Refused(SeatReason.WALLET_SHORT, need=1, have=have)
    takes = chips.top_up_of(table, stack=stack, wallet=have)
    terms_of.require_unchanged(terms, terms_of.of_top_up(table, seat, takes))
    s.note(table, "tops_up", actor=player, cause=cause)
    if terms_of.in_hand(table, seat):
        s.tx.tables.save_seat(table.key, replace(seat, tops_up=True))
    else:
        _fill(s, table, player)
    return s.save(table)


def _require_top_up(table: Table, seat: Seat, stack: int) -> None:
    if not table.terms.limits.top_up:
        raise Refused(SeatReason.NO_TOP_UPS)
    if not stack:
        raise Refused(SeatReason.REBUY_FIRST)
    if seat.tops_up:
        raise Refused(SeatReason.TOPS_UP_ALREADY)
    if stack >= table.terms.buy_in:
        raise Refused(SeatReason.STACK_FULL, most=table.terms.buy_in)


def _cash_seat(s: Session, key: TableKey, player: Player) -> tuple[Table, Seat]:
    """Return a cash table and the player's seat; raises Refused."""
    table = own_table(s, key, player)
    if table.terms.practice:
        raise Refused(SeatReason.NOTHING_AT_STAKE)
    require_not_removed(s, table, player)
    return table, s.seat(table, player)


def _spendable(s: Session, table: Table, player: Player) -> int:
    """Return the chips in the player's wallet; raises Refused if they can't be moved."""
    if not table.terms.practice:
        require_balanced(s, table.key.guild)
    chips.require_unfrozen(s, table.key.guild, player)
    return chips.wallet(s, table.key.guild, player)


def _fill(s: Session, table: Table, player: Player) -> None:
    """Top a stack up to the buy-in, limited by the wallet."""
    wallet = s.tx.ledger.wallet(table.key.guild, player)
    more = chips.top_up_of(table, stack=s.tx.ledger.stack(table.key, player), wallet=wallet)
    if more:
        s.tx.ledger.buy_in(table.key, player, more, cause=chip_cause(table), at=s.now, kind="top_up")


# changing seats


def change_seat(s: Session, key: TableKey, player: Player, number: int, *, cause: str) -> Table:
    """Move to seat ``number``, now or after the running hand. The player's own seat cancels a move. Raises Refused."""
    s.check_not_repeated(cause)
    table = shared_table(s, key, player)
    require_not_removed(s, table, player)
    seat = s.seat(table, player)
    _require_seat_number(table, number)
    others = [other for other in s.tx.tables.seats(key) if other.player != player]
    if number in {taken for other in others for taken in (other.number, other.moves_to)}:
        raise Refused(SeatReason.SEAT_TAKEN)
    s.note(table, "changes_seat", actor=player, cause=cause)
    if terms_of.in_hand(table, seat):
        s.tx.tables.save_seat(table.key, replace(seat, moves_to=None if number == seat.number else number))
    else:
        _move(s, table, seat, number)
    return s.save(table)


def _require_seat_number(table: Table, number: int) -> None:
    if not 0 <= number < table.terms.max_seats:
        raise Refused(SeatReason.NO_SUCH_SEAT, seats=table.terms.max_seats)


def _move(s: Session, table: Table, seat: Seat, number: int) -> None:
    s.tx.tables.remove_seat(table.key, seat.number)
    s.tx.tables.save_seat(table.key, replace(seat, number=number, moves_to=None))


# between two hands


def seat_out_busted(s: Session, table: Table) -> None:
    """Let bust players wait for a rebuy. Those who want to leave stand up."""
    for seat in dealing_in.busted_seats(table, s.tx.tables.seats(table.key), s.tx.ledger.stacks(table.key)):
        if seat.leaving:
            unseat(s, table, [seat])
        else:
            out = seat.out_since if seat.sits_out else table.hand_no
            s.tx.tables.save_seat(table.key, replace(seat, dealt_in=False, fantasyland=0, out_since=out))


def change_players(s: Session, table: Table) -> None:
    """Let leaving players go, sit out players who are away, and deal in all others."""
    unseat(s, table, [seat for seat in s.tx.tables.seats(table.key) if dealing_in.should_leave(table, seat)])
    for seat in s.tx.tables.seats(table.key):
        out = table.hand_no if seat.away and not seat.sits_out else seat.out_since
        s.tx.tables.save_seat(table.key, replace(seat, dealt_in=out is None, fantasyland=0, out_since=out))


def unseat(s: Session, table: Table, seats: list[Seat]) -> None:
    """Stand players up. Those who didn't ask to leave are notified, because they were away."""
    for seat in seats:
        is_lost = dealing_in.should_leave(table, seat) and not seat.leaving
        s.note(table, "lost_seat" if is_lost else "stood_up", actor=seat.player)
        stand_up(s, table, seat)


def settle_in(s: Session, table: Table) -> None:
    """Apply changes requested during the hand: move seats and top up."""
    for seat in s.tx.tables.seats(table.key):
        if seat.moves_to is not None:
            _move_if_free(s, table, seat, seat.moves_to)
    for seat in s.tx.tables.seats(table.key):
        if seat.tops_up:
            s.tx.tables.save_seat(table.key, replace(seat, tops_up=False))
            if table.key.guild not in s.frozen and chips.why_frozen(s, table.key.guild, seat.player) is None:
                _fill(s, table, seat.player)


def _move_if_free(s: Session, table: Table, seat: Seat, number: int) -> None:
    """Move a player to seat ``number`` unless a newcomer has taken it."""
    taken = any(other.number == number for other in s.tx.tables.seats(table.key))
    _move(s, table, seat, seat.number if taken else number)


def people_at(s: Session, table: Table) -> list[Player]:
    """Return the players at the table by seat, without computers."""
    return [seat.player for seat in s.tx.tables.seats(table.key) if not is_computer(seat.player)]
