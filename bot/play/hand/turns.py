"""The clock of a hand: turns begin, are told by a message, are called again, and run out. Nothing is placed here.

Where an outage, or another time zone of the server, moves the clocks of a table with weekends off, its players have
afterwards what they had left before, counted without the weekends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from bot.model.choices import Vacation
from bot.model.clock import LATE_MS, REMINDED_FROM_MS, UNTOLD_MS, Pace, spent
from bot.model.errors import HandLostError
from bot.model.ids import GuildId, Player, TableKey, is_computer
from bot.model.tables import Seat, ShownTurn, Table, TableState, Timer
from bot.model.weekends import Week
from bot.ofc.cards import BOARD_CARDS, DISCARD, EMPTY, RowCards
from bot.ofc.clock_placement import clock_placement
from bot.ofc.hand import Hand, HandSeat, seat_of
from bot.ofc.outlook import outlook
from bot.ofc.placement import OPEN, place
from bot.ofc.refusals import Refused
from bot.ofc.view import HandView, unseen, view_for
from bot.play.session.session import Session
from bot.solver.arrange import completed

WRONG_MS = 5_000
"""A countdown that is wrong by less is not worth another drawing."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of the running hand."""

    player: Player
    street: int
    """0 in Fantasyland, which no street of the others makes another turn."""


Thought = tuple[Turn, str]
"""A turn, and the draft around which its whole board is to be set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Late:
    """A running hand, and the people whose turn in it has run out."""

    hand: Hand
    players: Sequence[Player]
    drafts: Mapping[Player, str]
    """The cards that they have placed and not confirmed, where they have."""


def start(s: Session, table: Table, hand: Hand, *, known: bool = False) -> None:
    """Start the clock of everybody whose turn begins; people who are away have no time.

    It stands until a message has told the turn, unless it is ``known``.
    """
    begins, people = False, _people(s, table, hand)
    for seat in people:
        if seat.away:
            s.tx.save_seat(table.key, replace(seat, deadline=min(s.now, seat.deadline or s.now), remind_at=None))
        elif seat.deadline is None:
            _begin_turn(s, table, seat, hand)
            begins = True
    if all(seat.away for seat in people):
        s.tx.set_timer(table.key, Timer.UNTOLD, None)
    elif begins and s.published and not known and not table.private:
        s.tx.set_timer(table.key, Timer.UNTOLD, s.now + UNTOLD_MS)
    set_alarms(s, table)
    computers = any(is_computer(hand.seats[n].player) for n in {*hand.waiting, *hand.setting})
    thought = s.now + (0 if table.private else s.policy.computer_ms)
    s.tx.set_timer(table.key, Timer.COMPUTER, thought if computers else None)
    if table.private:
        wait_for_player(s, table)


def wait_for_player(s: Session, table: Table) -> None:
    """A private table closes by itself once its player has done nothing for long."""
    s.tx.set_timer(table.key, Timer.LOBBY, s.now + s.policy.practice_ms)


def _begin_turn(s: Session, table: Table, seat: Seat, hand: Hand) -> None:
    """All the time of a turn, from now on."""
    whole_board = sets_whole_board(hand, seat.player)
    clock, wishes = table.terms.clock, s.tx.wishes(table.key.guild, seat.player)
    turn = clock.turn_ms(whole_board=whole_board, left_ms=seat.left_ms, bank_ms=seat.bank_ms)
    # When a quarter of it is left.
    reminds = wishes.reminders and clock.pace is not Pace.NONE and turn >= REMINDED_FROM_MS
    remind_at = s.now + turn * 3 // 4 if reminds else None
    begun = replace(seat, deadline=s.now + turn, remind_at=remind_at, reminded=False)
    if (week := week_of(s, table)) is not None:
        begun = moved(begun, lambda at: week.deadline(s.now, at - s.now))
    vacation = wishes.vacation(s.now) if table.rests else None
    s.tx.save_seat(table.key, begun if vacation is None else put_off(begun, vacation, week, now=s.now))


def week_of(s: Session, table: Table) -> Week | None:
    """The week in which a table has its weekends off, by the server's time zone; None where clocks run every day."""
    return Week(s.tx.server(table.key.guild).zone) if table.rests and table.terms.weekends_off else None


def later(s: Session, table: Table, ms: int) -> int:
    """When so much time of a table's clock is over from now on."""
    return _after(week_of(s, table), s.now, ms)


def _after(week: Week | None, at: int, ms: int) -> int:
    return at + ms if week is None else week.deadline(at, ms)


def put_off(seat: Seat, vacation: Vacation, week: Week | None, *, now: int) -> Seat:
    """A seat whose clock stands for a vacation."""
    return moved(seat, lambda at: vacation.put_off(at, now=now, week=week))


def brought_forward(seat: Seat, vacation: Vacation, week: Week | None, *, now: int) -> Seat:
    """The same seat once the vacation ends now, or is called off."""
    return moved(seat, lambda at: vacation.brought_forward(at, now=now, week=week))


def moved(seat: Seat, to: Callable[[int], int]) -> Seat:
    """A seat whose turn runs out, and is reminded of, at other times."""
    deadline = None if seat.deadline is None else to(seat.deadline)
    return replace(seat, deadline=deadline, remind_at=None if seat.remind_at is None else to(seat.remind_at))


def rest(s: Session, table: Table) -> None:
    """Put off what ran out in a vacation after all, because an outage had moved it there."""
    week = week_of(s, table)
    for seat in s.tx.seats(table.key) if table.rests else ():
        vacation = s.tx.wishes(table.key.guild, seat.player).vacation(s.now)
        if vacation and seat.deadline is not None and vacation.begins <= seat.deadline <= s.now:
            s.tx.save_seat(table.key, moved(seat, partial(_after_vacation, vacation, week)))


def _after_vacation(vacation: Vacation, week: Week | None, at: int) -> int:
    if week is None:
        return at + vacation.ends - vacation.begins
    return week.deadline(vacation.ends, week.counted(vacation.begins, at))


def acted(s: Session, table: Table, player: Player, *, cause: str | None, ahead: bool = False) -> None:
    """A player has acted by themselves: their clock stops, and they are neither away nor late any more.

    Who has acted ``ahead`` of their turn was there then, and is as away as they have been since.
    """
    seat = s.seat(table, player)
    left, bank = seat.left_ms, seat.bank_ms
    if seat.deadline is not None and not _is_untold(s, table):
        left, bank = spent(left, bank, remaining_ms=seat.deadline - s.now)
    rested = replace(
        seat,
        away=seat.away and ahead,
        timeouts=0,
        draft="",
        draft_for="",
        ahead=None,
        entropy=s.entropy_after(seat, cause),
        left_ms=left,
        bank_ms=bank,
        deadline=None,
        remind_at=None,
    )
    s.tx.save_seat(table.key, rested)


def missed(s: Session, table: Table, player: Player) -> None:
    """A player's turn has run out: nothing is left of their time, and after several in a row they are away."""
    seat = s.seat(table, player)
    timeouts = seat.timeouts + 1
    away = seat.away or timeouts >= s.policy.timeouts_until_away
    seat = replace(seat, timeouts=timeouts, away=away, left_ms=0, bank_ms=0, draft="", draft_for="", ahead=None)
    s.tx.save_seat(table.key, replace(seat, deadline=None, remind_at=None))


def end(s: Session, table: Table) -> None:
    """The hand is over, and with it every turn."""
    for seat in s.tx.seats(table.key):
        if seat.deadline is not None:
            s.tx.save_seat(table.key, replace(seat, deadline=None, remind_at=None))
    for timer in (Timer.TURN, Timer.REMIND, Timer.UNTOLD, Timer.COMPUTER):
        s.tx.set_timer(table.key, timer, None)


def told(s: Session, table: Table, turn: ShownTurn) -> None:
    """A message has told a turn: its clock runs. Where it came late, everybody on turn has all their
    time from now on.

    A turn that was told before, or is over, changes nothing.
    """
    untold_until = s.tx.timers(table.key).get(Timer.UNTOLD)
    if untold_until is None or table.hand_no != turn.hand_no:
        return
    try:
        hand = s.hand(table.key, table.hand_no)
    except HandLostError:
        return  # it will be void
    waiting = [seat for seat in _people(s, table, hand) if not seat.away]
    if hand.street != turn.street or not {seat.player for seat in waiting} <= turn.players:
        return
    s.tx.set_timer(table.key, Timer.UNTOLD, None)
    if late := late_by(untold_until, now=s.now):
        for seat in waiting:
            _put_off(s, table, seat, ms=late)
    set_alarms(s, table)
    until = min((s.seat(table, seat.player).deadline or 0 for seat in waiting), default=0)
    if turn.until is not None and until - turn.until >= WRONG_MS:
        s.save(table)


def _put_off(s: Session, table: Table, seat: Seat, *, ms: int) -> None:
    """So much later: all the time of a turn that has just begun, and no more of one that runs beside it."""
    week = week_of(s, table)
    s.tx.save_seat(table.key, moved(seat, lambda at: _after(week, at, ms)))


def late_by(untold_until: int, *, now: int) -> int:
    """For how long (ms) a turn should have been told by now; 0 while that is as it always is."""
    late = now - (untold_until - UNTOLD_MS)
    return late if late > LATE_MS else 0


def begin_untold(s: Session, table: Table) -> None:
    """No message could tell a turn for long: it goes on without one."""
    if table.state is TableState.PLAYING:
        set_alarms(s, table)


def remind(s: Session, table: Table) -> Table:
    """Call those again whose time is nearly over and who wish to be reminded."""
    for seat in s.tx.seats(table.key):
        if seat.remind_at is not None and seat.remind_at <= s.now:
            s.tx.save_seat(table.key, replace(seat, remind_at=None, reminded=True))
    set_alarms(s, table)
    return s.save(table)


def due(s: Session, table: Table, hand: Hand) -> list[Player]:
    """The people whose turn has run out."""
    untold = _is_untold(s, table)
    running = [seat for seat in _people(s, table, hand) if seat.away or not untold]
    return [seat.player for seat in running if seat.deadline is None or seat.deadline <= s.now]


def run_out(s: Session, key: TableKey) -> Late | None:
    """Those whose turn at a table has run out; None when nobody's has. Raises Refused, or HandLostError."""
    table = s.table(key)
    if table.state is not TableState.PLAYING:
        return None
    hand = s.hand(key, table.hand_no)
    players = due(s, table, hand)
    drafts = {player: drafted(s, table, hand, player) for player in players}
    return Late(hand=hand, players=players, drafts=drafts) if players else None


def boards_to_set(late: Late) -> dict[Turn, tuple[HandView, str]]:
    """What they see, and the draft, of those whose whole board the clock places: that takes a while, and is not for a
    transaction. A whole draft that stands needs no thought."""
    hand = late.hand
    return {
        turn_of(hand, player): (view_for(hand, player), late.drafts[player])
        for player in late.players
        if sets_whole_board(hand, player) and confirmed_by_clock(hand, player, late.drafts[player]) is None
    }


def drafted(s: Session, table: Table, hand: Hand, player: Player) -> str:
    """The letters that a player has chosen and not confirmed in this turn; empty for none, and during a penalty."""
    seat = s.seat(table, player)
    if not seat.draft or seat.draft_for != turn_name(table.hand_no, turn_of(hand, player).street):
        return ""
    try:
        s.check_penalty(table, player)
    except Refused:
        return ""
    return seat.draft if is_sound(hand, player, seat.draft) else ""


def turn_of(hand: Hand, player: Player) -> Turn:
    """The turn of a player that the hand waits for."""
    return Turn(player, 0 if hand.seats[seat_of(hand, player)].fantasyland else hand.street)


def sets_whole_board(hand: Hand, player: Player) -> bool:
    """True where all cards of a player are set at once."""
    return hand.variant.at_once or bool(hand.seats[seat_of(hand, player)].fantasyland)


def automatic_rows(hand: Hand, player: Player, draft: str = "") -> str:
    """The placement of the clock for a player: their draft where it is whole and does not foul, else their placed cards
    with the rest around them; without either what fouls least, or the best board where all is set at once.

    One letter for each card held, as in :class:`bot.ofc.hand.PlaceCards`.
    """
    if (confirmed := confirmed_by_clock(hand, player, draft)) is not None:
        return confirmed
    seat = hand.seats[seat_of(hand, player)]
    if sets_whole_board(hand, player):
        return completed(hand.variant, seat.held, draft)
    return completed_street(hand, player, draft) or clock_placement(
        hand.variant, seat.rows, seat.held, to_place=hand.rule.to_place
    )


def set_alarms(s: Session, table: Table) -> None:
    """Set the table's timers to the first deadline and the first reminder of its seats."""
    untold = _is_untold(s, table)
    seats = [seat for seat in s.tx.seats(table.key) if seat.away or not untold]
    deadlines = [seat.deadline for seat in seats if seat.deadline is not None]
    reminders = [seat.remind_at for seat in seats if seat.remind_at is not None]
    s.tx.set_timer(table.key, Timer.TURN, min(deadlines, default=None))
    s.tx.set_timer(table.key, Timer.REMIND, min(reminders, default=None))


def _is_untold(s: Session, table: Table) -> bool:
    return s.published and s.tx.timers(table.key).get(Timer.UNTOLD) is not None


def _people(s: Session, table: Table, hand: Hand) -> list[Seat]:
    """The seats of the people that the hand waits for."""
    players = [Player(hand.seats[number].player) for number in hand.waiting]
    return [s.seat(table, player) for player in players if not is_computer(player)]


# Drafts: what somebody has placed and not confirmed, and what becomes of it when their time is over.
#
# Letters alone, never a card. A draft is kept for one turn; whatever stands there for another one counts for nothing.


def turn_name(hand_no: int, street: int) -> str:
    """The turn that a draft is for; street 0 in Fantasyland."""
    return f"{hand_no}.{street}"


def is_sound(hand: Hand, player: str, letters: str) -> bool:
    """True for a draft that a player could have made of the cards that they hold."""
    seat, rows, to_place = _task(hand, player)
    if len(letters) != len(seat.held) or set(letters) - {*"FMB", DISCARD, OPEN}:
        return False
    try:
        place(rows, seat.held, letters)
    except Refused:
        return False
    placed = sum(letter in "FMB" for letter in letters)
    return 0 < placed <= to_place and letters.count(DISCARD) <= len(letters) - to_place


def confirmed_by_clock(hand: Hand, player: str, letters: str) -> str | None:
    """A sound draft that is whole and doesn't foul for certain; None for any other."""
    seat, rows, to_place = _task(hand, player)
    if not letters or sum(letter in "FMB" for letter in letters) != to_place:
        return None
    whole = letters.replace(OPEN, DISCARD)
    return None if _is_lost(hand, player, place(rows, seat.held, whole)[0]) else whole


def is_kept(draft: str, letters: str) -> bool:
    """True for a placement that holds a draft: what its player has placed stands where they put it."""
    return bool(draft) and all(one in (OPEN, two) for one, two in zip(draft, letters, strict=True))


def completed_street(hand: Hand, player: str, letters: str) -> str | None:
    """A street's draft with the rest placed by the clock around it; None where that can only foul, or for no draft."""
    seat, rows, to_place = _task(hand, player)
    if not letters:
        return None
    placed = sum(letter in "FMB" for letter in letters)
    left = [number for number, letter in enumerate(letters) if letter == OPEN]
    drafted, _ = place(rows, seat.held, letters)
    rest = iter(
        clock_placement(hand.variant, drafted, [seat.held[number] for number in left], to_place=to_place - placed)
    )
    whole = "".join(next(rest) if letter == OPEN else letter for letter in letters)
    return None if _is_lost(hand, player, place(rows, seat.held, whole)[0]) else whole


def _task(hand: Hand, player: str) -> tuple[HandSeat, RowCards, int]:
    """A seat, the board on which its player places, and how many cards."""
    seat = hand.seats[seat_of(hand, player)]
    return (seat, EMPTY, BOARD_CARDS) if seat.fantasyland else (seat, seat.rows, hand.rule.to_place)


def _is_lost(hand: Hand, player: str, rows: RowCards) -> bool:
    return outlook(hand.variant, rows, unseen(view_for(hand, player))).lost


def after_outage(s: Session, table: Table, *, begins: int, ends: int) -> None:
    """Clocks were put off by the length of an outage, which may have led over a weekend or been one."""
    week = week_of(s, table)
    if week is not None:
        # A machine's clock that was set back leaves the same time as well: then the end is before the beginning.
        _move(s, table, lambda at: week.deadline(ends, week.counted(begins, at - (ends - begins))))


def zone_changed(s: Session, guild: GuildId, before: Week) -> None:
    """The server has chosen another time zone: its weekends begin and end at other times."""
    for key in s.tx.open_with_weekends_off():
        table = s.table(key)
        week = week_of(s, table)
        if key.guild != guild or week is None:
            continue

        _move(s, table, lambda at, week=week: week.deadline(s.now, before.counted(s.now, at)))  # type: ignore[misc]
        s.save(table)


def _move(s: Session, table: Table, to: Callable[[int], int]) -> None:
    for seat in s.tx.seats(table.key):
        if seat.away:
            continue  # the clock places for them at once
        s.tx.save_seat(table.key, moved(seat, to))
    if table.state is TableState.PLAYING:
        set_alarms(s, table)
    due_at = s.tx.timers(table.key).get(Timer.NEXT_HAND)
    if due_at is not None:
        s.tx.set_timer(table.key, Timer.NEXT_HAND, to(due_at))
