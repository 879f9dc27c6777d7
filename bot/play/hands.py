"""Playing a hand at a table: deal, lay, time out, settle. Every step is one transaction."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.logs import about
from bot.ofc.deck import Dealt, commitment
from bot.ofc.hand import Hand, HandStatus, Lay, Surrender, decide, evolve, seat_of
from bot.ofc.hand import start as start_hand
from bot.ofc.log import By, Fact, HandVoided
from bot.ofc.placement import automatic_placement
from bot.ofc.refusals import Refused
from bot.ofc.settlement import Stakes, settle
from bot.play import decks
from bot.play.clock import BANK_REFILL_MS, LATE_MS, UNTOLD_MS, reminder_at, spent
from bot.play.model import (
    HandRecord,
    HandState,
    Player,
    Post,
    Result,
    Seat,
    SharedDeal,
    ShownTurn,
    Table,
    TableKey,
    TableState,
    Timer,
    is_computer,
)
from bot.play.ports import HandLostError
from bot.play.refusals import PlayReason, Stale
from bot.play.session import Session
from bot.solver.arrange import best_arrangement

log = logging.getLogger(__name__)

WRONG_MS = 5_000
"""A countdown that is wrong by less is not worth another drawing."""


def dealt_in(s: Session, table: Table) -> list[Seat]:
    """The seats that play, in order."""
    return [seat for seat in s.tx.seats(table.key) if seat.dealt_in]


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedDeck:
    """A deck that several tables are dealt: what it is shuffled from."""

    deal: SharedDeal
    seed: bytes


def deal(s: Session, table: Table, *, board: SharedDeck | None = None) -> Table:
    """Deal the next hand from the committed seed, or from a shared deck, and commit to the one after it."""
    seats = dealt_in(s, table)
    numbers = [seat.number for seat in seats]
    button = next((n for n in numbers if n >= table.button), numbers[0])
    record = HandRecord(
        hand_no=table.hand_no + 1,
        variant=table.variant,
        state=HandState.PLAYING,
        commitment=b"",
        sealed_seed=b"",
        entropy=tuple((seat.player, seat.entropy) for seat in seats),
        point_value=_point_value(table, seats),
        started_at=s.now,
    )
    dealt = Dealt(button=numbers.index(button), fantasyland=tuple(seat.fantasyland for seat in seats))
    record = (
        decks.with_seed(s.vault, table, record, dealt) if board is None else _from_board(s, table.key, record, board)
    )
    for seat in s.tx.seats(table.key):
        # Newcomers who wait as well: what they gave was known before the next seed is.
        bank = min(table.clock.bank_ms, seat.bank_ms + BANK_REFILL_MS)
        s.save_seat(table, seat, entropy="", left_ms=table.clock.budget_ms, bank_ms=bank, deadline=None, remind_at=None)
    s.tx.add_hand(table.key, record)
    # The message of an event's table was posted a moment ago, when many others were: it need not be posted again.
    at_events_first_hand = table.event_no is not None and table.hand_no == 0
    if decks.used_up(table, record):
        table = s.committed(replace(table, hand_no=record.hand_no))
    table = replace(
        table,
        state=TableState.PLAYING,
        hand_no=record.hand_no,
        point_value=record.point_value,
        button=button,
        message=table.message if at_events_first_hand else None,
        retired=table.retired if at_events_first_hand else table.message or table.retired,
    )
    try:
        deck = decks.deck(table.key, record, decks.seed(s.vault, table.key, record))
    except HandLostError as error:
        return lost(s, table, error)
    events = start_hand(
        record.variant,
        deck,
        players=[seat.player for seat in seats],
        fantasyland=dealt.fantasyland,
        button=dealt.button,
    )
    s.tx.append(table.key, events, hand_no=record.hand_no, actor=None, cause=None, at=s.now)
    hand = Hand(variant=record.variant, deck=deck)
    for event in events:
        hand = evolve(hand, event)
    _set_clock(s, table, hand)
    return s.change(table, turn_since=s.now, stood_still=0)


def _from_board(s: Session, key: TableKey, record: HandRecord, board: SharedDeck) -> HandRecord:
    return replace(
        record,
        shared=board.deal,
        commitment=commitment(hand_id=board.deal.name, seed=board.seed),
        sealed_seed=s.vault.seal(board.seed, hand_id=record.id_at(key)),
    )


def _point_value(table: Table, seats: Sequence[Seat]) -> int:
    """The point value of the next hand; it does not rise while somebody is in Fantasyland."""
    if any(seat.fantasyland for seat in seats):
        return table.point_value
    rising = table.limits.point_value(table.hand_no + 1)
    return table.point_value if rising is None else rising


def lay(
    s: Session,
    key: TableKey,
    player: Player,
    *,
    hand_no: int,
    street: int,
    rows: str,
    cause: str | None,
    declare: bool = False,
) -> Table:
    """A player lays a street or sets Fantasyland, perhaps declaring a natural.

    Raises Refused, or Stale for an earlier street or hand.
    """
    s.once(cause)
    table, hand = _running(s, key, hand_no)
    number = seat_of(hand, player)
    seat = hand.seats[number]
    if not seat.fantasyland and (street != hand.street or seat.laid_street == street):
        raise Stale
    by = By.COMPUTER if is_computer(player) else By.PLAYER
    check_penalty(s, table, player)
    events = decide(hand, Lay(seat=number, rows=rows, by=by, declare=declare))
    if by is By.PLAYER:
        _has_acted(s, table, player, cause)
    return _apply(s, table, hand, events, actor=player, cause=cause)


def surrender(s: Session, key: TableKey, player: Player, *, hand_no: int, cause: str) -> Table:
    """A player gives his thirteen cards up for the fixed price; raises Refused or Stale."""
    s.once(cause)
    table, hand = _running(s, key, hand_no)
    number = seat_of(hand, player)
    check_penalty(s, table, player)
    events = decide(hand, Surrender(seat=number))
    _has_acted(s, table, player, cause)
    return _apply(s, table, hand, events, actor=player, cause=cause)


def check_penalty(s: Session, table: Table, player: Player) -> None:
    """Raise Refused for who serves a penalty in an event or was disqualified: the clock lays for him."""
    entrant = None if table.event is None else s.tx.entrant(table.event, player)
    if entrant is not None and entrant.disqualified:
        raise Refused(PlayReason.DISQUALIFIED)
    if entrant is not None and entrant.penalty:
        raise Refused(PlayReason.SERVES_PENALTY, count=entrant.penalty)


def _running(s: Session, key: TableKey, hand_no: int) -> tuple[Table, Hand]:
    table = s.open_table(key)
    if table.state is not TableState.PLAYING or table.hand_no != hand_no:
        raise Stale
    return table, s.hand(key, hand_no)[1]


def _has_acted(s: Session, table: Table, player: Player, cause: str | None) -> None:
    """Stop the clock of a player who has acted by himself."""
    seat = s.seat(table, player)
    left, bank = seat.left_ms, seat.bank_ms
    if seat.deadline is not None and not _is_untold(s, table):
        left, bank = spent(left, bank, remaining_ms=seat.deadline - s.now)
    s.save_seat(
        table,
        seat,
        away=False,
        timeouts=0,
        entropy=s.entropy_after(seat, cause),
        deadline=None,
        remind_at=None,
        left_ms=left,
        bank_ms=bank,
    )


Turn = tuple[str, int]
"""A player and a street of the running hand, 0 for Fantasyland."""


def due(s: Session, table: Table, hand: Hand) -> list[Player]:
    """The people whose turn has run out."""
    seats, untold = [s.seat(table, player) for player in _people(hand)], _is_untold(s, table)
    running = [seat for seat in seats if seat.away or not untold]
    return [seat.player for seat in running if seat.deadline is None or seat.deadline <= s.now]


def run_out(s: Session, key: TableKey) -> tuple[Hand, list[Player]] | None:
    """The running hand and the people whose turn in it has run out; None when nobody's has."""
    table = s.table(key)
    if table.state is not TableState.PLAYING:
        return None
    hand = s.hand(key, table.hand_no)[1]
    players = due(s, table, hand)
    return (hand, players) if players else None


def whole_boards(hand: Hand, players: Sequence[Player]) -> bool:
    """True when the clock lays a whole board for one of them: that takes a while."""
    return hand.variant.at_once or any(hand.seats[seat_of(hand, player)].fantasyland for player in players)


def rows_of_clock(hand: Hand, players: Sequence[Player]) -> dict[Turn, str]:
    """What the clock lays for them. A whole board takes a while: this is not for inside of a transaction."""
    numbers = {player: seat_of(hand, player) for player in players}
    return {(player, _street(hand, number)): automatic_rows(hand, number) for player, number in numbers.items()}


def _street(hand: Hand, number: int) -> int:
    """The street that a seat lays; 0 in Fantasyland, which no street of the others makes another turn."""
    return 0 if hand.seats[number].fantasyland else hand.street


def time_out(s: Session, table: Table, rows: Mapping[Turn, str] | None = None) -> Table:
    """The clock lays for everybody whose turn has run out; two in a row mark a seat away.

    ``rows`` is what was worked out for them beforehand (:func:`rows_of_clock`).
    """
    try:
        hand = s.hand(table.key, table.hand_no)[1]
    except HandLostError as error:
        return lost(s, table, error)
    ready = rows or {}
    late = due(s, table, hand)
    if not late:
        # The alarm was that of somebody who has laid meanwhile.
        _set_clock(s, table, hand)
    for player in late:
        seat = s.seat(table, player)
        timeouts = seat.timeouts + 1
        s.save_seat(
            table,
            seat,
            timeouts=timeouts,
            away=seat.away or timeouts >= s.policy.timeouts_until_away,
            deadline=None,
            remind_at=None,
            left_ms=0,
            bank_ms=0,
        )
        number = seat_of(hand, player)
        letters = ready.get((player, _street(hand, number))) or automatic_rows(hand, number)
        events = decide(hand, Lay(seat=number, rows=letters, by=By.CLOCK))
        table = _apply(s, table, hand, events, actor=None, cause=None)
        for event in events:
            hand = evolve(hand, event)
    return table


def remind(s: Session, table: Table) -> Table:
    """Call those again whose time is nearly over and who wish to be reminded."""
    for seat in s.tx.seats(table.key):
        if seat.remind_at is not None and seat.remind_at <= s.now:
            s.save_seat(table, seat, remind_at=None, reminded=True)
    _set_alarms(s, table)
    return s.change(table)


def told(s: Session, table: Table, turn: ShownTurn) -> None:
    """A message has told a turn: its clock runs. Where it came late, everybody on turn has all his time from now on.

    A turn that was told before, or is over, changes nothing.
    """
    untold_until = s.tx.timer(table.key, Timer.UNTOLD)
    if untold_until is None or table.hand_no != turn.hand_no:
        return
    try:
        hand = s.hand(table.key, table.hand_no)[1]
    except HandLostError:
        return  # it will be void
    waiting = _present(s, table, hand)
    if hand.street != turn.street or not {seat.player for seat in waiting} <= turn.players:
        return
    s.tx.clear_timer(table.key, Timer.UNTOLD)
    if late := late_by(untold_until, now=s.now):
        for seat in waiting:
            _put_off(s, table, seat, ms=late)
    _set_alarms(s, table)
    until = min((s.seat(table, seat.player).deadline or 0 for seat in waiting), default=0)
    if turn.until is not None and until - turn.until >= WRONG_MS:
        s.change(table)


def _put_off(s: Session, table: Table, seat: Seat, *, ms: int) -> None:
    """So much later: all the time of a turn that has just begun, and no more of one that runs beside it."""
    deadline = None if seat.deadline is None else seat.deadline + ms
    remind_at = None if seat.remind_at is None else seat.remind_at + ms
    s.save_seat(table, seat, deadline=deadline, remind_at=remind_at)


def late_by(untold_until: int, *, now: int) -> int:
    """For how long (ms) a turn should have been told by now; 0 while that is as it always is."""
    late = now - (untold_until - UNTOLD_MS)
    return late if late > LATE_MS else 0


def begin_untold(s: Session, table: Table) -> None:
    """No message could tell a turn for long: it goes on without one."""
    if table.state is TableState.PLAYING:
        _set_alarms(s, table)


def _is_untold(s: Session, table: Table) -> bool:
    return s.published and s.tx.timer(table.key, Timer.UNTOLD) is not None


def _present(s: Session, table: Table, hand: Hand) -> list[Seat]:
    """The people for whom the hand waits and who are not away."""
    return [seat for player in _people(hand) if not (seat := s.seat(table, player)).away]


def automatic_rows(hand: Hand, number: int) -> str:
    """What the clock lays for a seat: the lowest free rows, or the best board where all is set at once."""
    seat = hand.seats[number]
    if seat.fantasyland or hand.variant.at_once:
        return best_arrangement(hand.variant, seat.held)
    return automatic_placement(seat.rows, seat.held, lay=hand.rule.lay)


def _apply(
    s: Session, table: Table, hand: Hand, events: Sequence[Fact], *, actor: Player | None, cause: str | None
) -> Table:
    """Write the events; then settle the hand, or start the clock of whoever acts next."""
    s.tx.append(table.key, events, hand_no=table.hand_no, actor=actor, cause=cause, at=s.now)
    before = hand
    for event in events:
        hand = evolve(hand, event)
    if hand.status is HandStatus.ENDED:
        return _settle(s, table, hand)
    _set_clock(s, table, hand)
    if hand.street == before.street and set(hand.waiting) <= set(before.waiting):
        return s.change(table)
    return s.change(table, turn_since=s.now, stood_still=0)


def _set_clock(s: Session, table: Table, hand: Hand, *, known: bool = False) -> None:
    """Start the clock of everybody whose turn begins; people who are away have no time.

    It stands until a message has told the turn, unless it is ``known``.
    """
    begins, present = False, _present(s, table, hand)
    for player in _people(hand):
        seat = s.seat(table, player)
        if seat.away:
            s.save_seat(table, seat, deadline=min(s.now, seat.deadline or s.now), remind_at=None)
        elif seat.deadline is None:
            _begin_turn(s, table, seat, hand)
            begins = True
    if not present:
        s.tx.clear_timer(table.key, Timer.UNTOLD)
    elif begins and s.published and not known:
        s.tx.set_timer(table.key, Timer.UNTOLD, s.now + UNTOLD_MS)
    _set_alarms(s, table)
    _set_computer_clock(s, table, hand)


def _begin_turn(s: Session, table: Table, seat: Seat, hand: Hand) -> None:
    """All the time of a turn, from now on."""
    whole_board = bool(hand.seats[seat_of(hand, seat.player)].fantasyland) or hand.variant.at_once
    turn = table.clock.turn_ms(whole_board=whole_board, left_ms=seat.left_ms, bank_ms=seat.bank_ms)
    wished = s.tx.wants_reminders(table.key.guild, seat.player)
    remind_at = reminder_at(s.now, turn) if wished and table.clock.shown else None
    s.save_seat(table, seat, deadline=s.now + turn, remind_at=remind_at, reminded=False)


def _set_alarms(s: Session, table: Table) -> None:
    """The table's timers are those of whoever runs out first, and of whoever is reminded first."""
    untold = _is_untold(s, table)
    seats = [seat for seat in s.tx.seats(table.key) if seat.away or not untold]
    for timer, times in (
        (Timer.TURN, [seat.deadline for seat in seats if seat.deadline is not None]),
        (Timer.REMIND, [seat.remind_at for seat in seats if seat.remind_at is not None]),
    ):
        if times:
            s.tx.set_timer(table.key, timer, min(times))
        else:
            s.tx.clear_timer(table.key, timer)


def _people(hand: Hand) -> list[Player]:
    """The people for whom the hand waits."""
    return [Player(hand.seats[n].player) for n in hand.waiting if not is_computer(hand.seats[n].player)]


def _set_computer_clock(s: Session, table: Table, hand: Hand) -> None:
    s.tx.clear_timer(table.key, Timer.COMPUTER)
    if any(is_computer(hand.seats[n].player) for n in {*hand.waiting, *hand.setting}):
        s.tx.set_timer(table.key, Timer.COMPUTER, s.now + s.policy.computer_ms)


def restart_clock(s: Session, table: Table) -> Table:
    """Start the clocks of those who are on turn and have none, such as somebody who is back."""
    try:
        hand = s.hand(table.key, table.hand_no)[1]
    except HandLostError as error:
        return lost(s, table, error)
    _set_clock(s, table, hand, known=True)
    return table


def _settle(s: Session, table: Table, hand: Hand) -> Table:
    """Score the hand, move the chips, note results and Fantasyland; the next hand is due after a pause."""
    score = hand.score
    players = [Player(seat.player) for seat in hand.seats]
    stacks = [s.tx.stack(table.key, player) for player in players]
    stakes = Stakes(
        point_value=table.point_value,
        win_cap=table.limits.win_cap,
        bust_is_final=table.limits.bust_is_final,
    )
    payments = settle(score, stacks=stacks, button=hand.button, stakes=stakes)
    won = [0] * len(players)
    for payment in payments:
        won[payment.payer] -= payment.chips
        won[payment.payee] += payment.chips
        s.tx.pay(
            table.key,
            payer=players[payment.payer],
            payee=players[payment.payee],
            chips=payment.chips,
            hand_no=table.hand_no,
            at=s.now,
            kind="hand" if table.event_no is None else "event_hand",
        )
    # Chips of an event are worth something in the event only.
    ranked = not table.practice and table.event_no is None and not any(is_computer(player) for player in players)
    results = [
        Result(
            player=player,
            points=score.points[number],
            chips=won[number],
            fantasyland=score.boards[number].next_fantasyland,
            foul=score.boards[number].foul,
            ranked=ranked,
        )
        for number, player in enumerate(players)
    ]
    s.tx.add_results(table.key, table.hand_no, results, at=s.now)
    _note_fantasyland(s, table, results)
    return _end(s, table, state=HandState.SETTLED, post=Post.RESULT, button=_next_button(s, table, results))


def _note_fantasyland(s: Session, table: Table, results: Sequence[Result]) -> None:
    cards = {result.player: result.fantasyland for result in results}
    for seat in dealt_in(s, table):
        s.save_seat(table, seat, fantasyland=cards[seat.player])


def _next_button(s: Session, table: Table, results: Sequence[Result]) -> int:
    """The seat that has the button next: it stays for Fantasyland, otherwise it moves one seat clockwise."""
    if table.variant.freeze_button and any(result.fantasyland for result in results):
        return table.button
    numbers = [seat.number for seat in dealt_in(s, table)]
    return next((n for n in numbers if n > table.button), numbers[0])


def _end(s: Session, table: Table, *, state: HandState, post: Post, button: int, reason: str | None = None) -> Table:
    """Close the books of a hand; the next one is dealt after a pause."""
    record = s.tx.hand(table.key, table.hand_no)
    assert record is not None
    s.tx.save_hand(table.key, replace(record, state=state, ended_at=s.now, reason=reason))
    for seat in s.tx.seats(table.key):
        if seat.deadline is not None:
            s.save_seat(table, seat, deadline=None, remind_at=None)
    for timer in (Timer.TURN, Timer.REMIND, Timer.UNTOLD, Timer.COMPUTER):
        s.tx.clear_timer(table.key, timer)
    s.tx.set_timer(table.key, Timer.NEXT_HAND, s.now + s.policy.next_hand_ms)
    s.tx.post(table.key, post, hand_no=table.hand_no, at=s.now)
    return s.change(table, state=TableState.BETWEEN, turn_since=None, button=button)


def void(s: Session, table: Table, *, reason: str) -> Table:
    """Cancel the running hand: nobody pays, Fantasyland is kept for the next hand, the seed is revealed.

    It asks neither the seed nor the log, so that no hand is too damaged to be cancelled.
    """
    s.tx.append(table.key, [HandVoided(reason=reason)], hand_no=table.hand_no, actor=None, cause=None, at=s.now)
    return _end(s, table, state=HandState.VOID, post=Post.VOID, button=table.button, reason=reason)


def lost(s: Session, table: Table, error: HandLostError) -> Table:
    """The running hand cannot be told any more: it is void, and never guessed."""
    with about(guild=table.key.guild, table=table.key.table, hand=table.hand_no):
        log.error("table %s/%s: hand %s is void: %s", table.key.guild, table.key.table, table.hand_no, error)
    return void(s, table, reason=error.reason)
