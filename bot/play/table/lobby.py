"""Tables before, between and after hands: open, join, leave, start, close."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.model.clock import LIMITS, Clock, Pace
from bot.model.hands import HandRecord, HandState
from bot.model.ids import COMPUTERS, GuildId, Player, TableKey, is_computer
from bot.model.limits import CORRESPONDENCE_LOBBY_MS, DEFAULT_BUY_IN_POINTS, MIN_BUY_IN_POINTS
from bot.model.reasons import TableReason
from bot.model.refusals import Stale
from bot.model.tables import Post, Seat, Table, TableState, Terms, Timer
from bot.play import terms as terms_of
from bot.play.hand import dealing, settling, shuffle_inputs, who_plays
from bot.play.session import chips, decks
from bot.play.session.session import Session
from bot.play.table import company, seats
from bot.pure.ofc.deck import Dealt
from bot.pure.ofc.refusals import Refused
from bot.pure.solver.levels import Level


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """The table that somebody wants to open, or that an event opens."""

    guild: GuildId
    channel: int
    host: Player
    language: str
    terms: Terms
    computers: tuple[Player, ...] = ()
    """Those who sit down with the host."""
    parent: int | None = None
    """The channel whose thread the channel is."""
    manager: bool = False
    """True when the host manages the server."""
    roles: frozenset[int] = frozenset()
    """Those that the host has in the server."""
    private: bool = False
    threaded: bool = False
    """True where hands are to be played in a thread of the table's own."""
    invited: tuple[Player, ...] = ()
    """The players that it is opened for."""


def open_table(s: Session, offer: Offer, *, cause: str) -> Table:
    """Open a table with its host seated, and commit to the first deck; raises Refused."""
    table = seated(s, offer, cause=cause)
    _wait_in_lobby(s, table)
    return s.save(table)


def seated(s: Session, offer: Offer, *, cause: str) -> Table:
    """A table that may be opened, with its host and computers; nothing says yet when it closes. Raises Refused."""
    s.once(cause)
    _check_offer(s, offer)
    _check_server(s, offer)
    table = new_table(s, offer)
    s.note(table, "opened", actor=offer.host, cause=cause)
    for player in (offer.host, *offer.computers):
        seats.sit_down(s, table, player)
    return table


def objection(s: Session, offer: Offer) -> Refused | None:
    """Why a table cannot be opened as it is offered; None where it can. Nothing is changed."""
    try:
        _check_offer(s, offer)
        _check_server(s, offer)
        if not offer.terms.practice:
            seats.demand_books(s, offer.guild)
            chips.demand_buy_in(s, offer.guild, offer.host, need=offer.terms.buy_in)
    except Refused as refused:
        return refused
    return None


def new_table(s: Session, offer: Offer, *, event_no: int | None = None) -> Table:
    """A table with nobody at it, of its own or of an event; what was offered has been checked."""
    table = Table(
        key=TableKey(guild=offer.guild, table=s.tx.tables.next_number(offer.guild)),
        channel=offer.channel,
        host=offer.host,
        language=offer.language,
        terms=offer.terms,
        state=TableState.LOBBY,
        created_at=s.now,
        commitment=b"",
        sealed_seed=b"",
        event_no=event_no,
        private=offer.private,
        threaded=offer.threaded,
        invited=offer.invited,
        in_words=s.tx.choices.server(offer.guild).in_words,
    )
    table = shuffle_inputs.commit(s, table)
    s.tx.tables.save(table)
    return table


def buy_in_of(point_value: int, *, chosen: int | None) -> int:
    """The chips that a seat brings: as chosen, or the usual points; none at a practice table."""
    if not point_value:
        return 0
    return point_value * DEFAULT_BUY_IN_POINTS if chosen is None else chosen


def time_limits(pace: Pace) -> dict[str, int]:
    """The ``shortest`` and ``longest`` time of a pace in seconds, as a refusal tells them."""
    shortest, longest = LIMITS[pace]
    return {"shortest": shortest, "longest": longest}


def _check_server(s: Session, offer: Offer) -> None:
    """Raise Refused where the server wants no table, or none of this host's; all may play the computer."""
    if offer.private:
        return
    server = s.tx.choices.server(offer.guild)
    if not server.has_tables_in(offer.channel, offer.parent):
        raise Refused(TableReason.NOT_HERE, channels=",".join(map(str, server.channels)))
    may_host = server.host_role is None or offer.manager or bool(offer.computers) or server.host_role in offer.roles
    if not may_host:
        raise Refused(TableReason.MAY_NOT_HOST, role=str(server.host_role))


def _check_offer(s: Session, offer: Offer) -> None:
    terms = offer.terms
    variant, limits = terms.variant, terms.limits
    if not variant.min_seats <= terms.max_seats <= variant.max_seats:
        raise Refused(TableReason.TOO_MANY_SEATS, least=variant.min_seats, most=variant.max_seats)
    if offer.computers and not terms.practice:
        raise Refused(TableReason.COMPUTER_NEEDS_PRACTICE)
    if terms.starts_with and not variant.min_seats <= terms.starts_with <= terms.max_seats:
        raise Refused(TableReason.TOO_MANY_SEATS, least=variant.min_seats, most=terms.max_seats)
    if len(offer.computers) >= terms.max_seats:
        raise Refused(TableReason.TOO_MANY_SEATS, least=variant.min_seats, most=terms.max_seats)
    if limits.levels and (limits.level_hands < 1 or min(limits.levels) < 1 or terms.practice):
        raise Refused(TableReason.BAD_LEVELS)
    shortest, longest = LIMITS[terms.clock.pace]
    if not shortest <= terms.clock.seconds <= longest:
        raise Refused(TableReason.BAD_TIME, **time_limits(terms.clock.pace))
    if terms.weekends_off and not terms.clock.quiet:
        raise Refused(TableReason.WEEKENDS_NEED_DAYS)
    least = MIN_BUY_IN_POINTS * terms.point_value
    if terms.buy_in < least:
        raise Refused(TableReason.BUY_IN_TOO_SMALL, least=least)
    _check_seats_held(s, offer.guild, offer.host, terms.clock)
    _check_room(s, offer)
    check_computers(s, offer.guild, offer.host, more=len(offer.computers))


def _check_room(s: Session, offer: Offer) -> None:
    """Nobody fills a channel or a server with tables."""
    counts, policy = s.tx.tables.open_counts(offer.guild, channel=offer.channel, host=offer.host), s.policy
    for have, most, reason in (
        (counts.lobbies_of_host, policy.lobbies_a_player, TableReason.TOO_MANY_LOBBIES),
        (counts.lobbies_in_channel, policy.lobbies_a_channel, TableReason.CHANNEL_WAITS),
        (counts.tables_in_channel, policy.tables_a_channel, TableReason.CHANNEL_FULL),
        (counts.tables, policy.tables_a_server, TableReason.SERVER_FULL),
    ):
        if have >= most:
            raise Refused(reason, most=most)


def check_computers(s: Session, guild: GuildId, host: Player, *, more: int) -> None:
    """Computers share one processor, with all servers and with everybody's presses."""
    if not more:
        return
    if s.tx.tables.computers(host=host) + more > s.policy.computers_a_host:
        raise Refused(TableReason.OWN_COMPUTERS_BUSY, most=s.policy.computers_a_host)
    if s.tx.tables.computers(guild) + more > s.policy.computers_a_server:
        raise Refused(TableReason.SERVER_COMPUTERS_BUSY, most=s.policy.computers_a_server)
    if s.tx.tables.computers() + more > s.policy.computers:
        raise Refused(TableReason.COMPUTERS_BUSY, most=s.policy.computers)


def _check_seats_held(s: Session, guild: GuildId, player: Player, clock: Clock) -> None:
    """So many quick tables one can follow at a time, and many more by correspondence."""
    held = [table for table in s.tx.tables.tables_of(guild, player) if table.terms.clock.quiet == clock.quiet]
    most = s.policy.slow_tables_a_player if clock.quiet else s.policy.tables_a_player
    if len(held) >= most:
        if clock.quiet:
            raise Refused(TableReason.TOO_MANY_SLOW_TABLES, most=most)
        raise Refused(TableReason.TOO_MANY_TABLES, most=most, slow=s.policy.slow_tables_a_player)


def join(
    s: Session, key: TableKey, player: Player, *, number: int | None = None, terms: str | None = None, cause: str
) -> Table:
    """Take a seat with the table's buy-in; while a hand runs the newcomer waits for the next.

    ``terms`` are those that the player was shown. Raises Refused, or OtherTerms.
    """
    s.once(cause)
    table = seats.own_table(s, key, player)
    seats.demand_welcome(s, table, player)
    seated = s.tx.tables.seats(key)
    if any(seat.player == player for seat in seated):
        raise Refused(TableReason.ALREADY_SEATED)
    if len(seated) >= table.terms.max_seats:
        raise Refused(TableReason.TABLE_FULL, seats=table.terms.max_seats)
    if not is_computer(player):
        company.demand_seat(s, key.guild, player, [seat.player for seat in seated])
        _check_seats_held(s, key.guild, player, table.terms.clock)
    # Levels alone change the terms of an open table.
    first = table.terms.limits.point_value(1) in (None, table.terms.point_value)
    terms_of.demand(terms, terms_of.of_seat(table.terms), settled=first)
    seats.sit_down(s, table, player, number=number, entropy="" if is_computer(player) else cause)
    s.note(table, "joined", actor=player, cause=cause)
    if table.terms.starts_with and table.state is TableState.LOBBY:
        return _join_queue(s, table)
    return s.save(seats.go_on(s, table))


def _join_queue(s: Session, table: Table) -> Table:
    """Deal once enough wait."""
    if len(s.dealt_in(table)) >= table.terms.starts_with:
        return _deal_first(s, table)
    _wait_in_lobby(s, table)
    return s.save(table)


def join_computer(s: Session, key: TableKey, player: Player, *, level: Level, cause: str) -> Table:
    """The host seats a computer of this level at their practice table; raises Refused."""
    table = seats.own_table(s, key, player)
    if table.host != player:
        raise Refused(TableReason.NOT_HOST, player=table.host)
    if not table.terms.practice:
        raise Refused(TableReason.COMPUTER_NEEDS_PRACTICE)
    seated_now = {seat.player for seat in s.tx.tables.seats(key)}
    free = [computer for computer in COMPUTERS[level] if computer not in seated_now]
    if not free:
        raise Refused(TableReason.TABLE_FULL, seats=table.terms.max_seats)
    check_computers(s, key.guild, table.host, more=1)
    return join(s, key, free[0], cause=cause)


def leave(s: Session, key: TableKey, player: Player, *, cause: str) -> Table:
    """Stand up now, or after the hand and any Fantasyland when one is running; raises Refused.

    At an event's table the seat stays: its player sits out, and the clock places for them at once.
    """
    s.once(cause)
    table = s.open_table(key, player)
    seat = s.seat(table, player)
    if table.event_no is not None:
        return seats.be_absent(s, table, seat, cause=cause)
    s.note(table, "leaves", actor=player, cause=cause)
    return go(s, table, seat)


def go(s: Session, table: Table, seat: Seat) -> Table:
    """Somebody stands up as soon as they play no hand."""
    alone = all(other.computer for other in s.tx.tables.seats(table.key) if other.player != seat.player)
    begun = table.state in (TableState.PLAYING, TableState.BETWEEN)
    if begun and seat.dealt_in and not (alone and table.terms.practice):
        s.tx.tables.save_seat(table.key, replace(seat, leaving=True))
        return s.save(table)
    seats.stand_up(s, table, seat)
    return s.save(_after_leaving(s, table))


def _after_leaving(s: Session, table: Table) -> Table:
    """A table without people closes; a table whose host left passes to the next of them."""
    people = seats.people_at(s, table)
    if not people:
        return close(s, table, reason="empty")
    return table if table.host in people else replace(table, host=people[0])


def start(s: Session, key: TableKey, player: Player, *, cause: str) -> Table:
    """The host deals, or anybody at the table while the host sits out; raises Refused."""
    s.once(cause)
    table = seats.own_table(s, key, player)
    if table.state is not TableState.LOBBY:
        raise Refused(TableReason.ALREADY_STARTED)
    dealt_in = s.dealt_in(table)
    if table.host != player and (_plays(dealt_in, table.host) or not _plays(dealt_in, player)):
        raise Refused(TableReason.ONLY_HOST_STARTS, player=table.host)
    if len(dealt_in) < table.terms.variant.min_seats:
        raise Refused(TableReason.TOO_FEW_PLAYERS, need=table.terms.variant.min_seats, have=len(dealt_in))
    seat = s.seat(table, player)
    s.tx.tables.save_seat(table.key, replace(seat, entropy=shuffle_inputs.entropy_after(s, seat, cause)))
    s.note(table, "started", actor=player, cause=cause)
    return _deal_first(s, table)


def _deal_first(s: Session, table: Table) -> Table:
    """Deal at a table that has waited in its lobby."""
    seats.end_waiting(s, table)
    return dealing.deal(s, table)


def _plays(dealt_in: Sequence[Seat], player: Player) -> bool:
    return any(seat.player == player for seat in dealt_in)


def cancel(s: Session, key: TableKey, player: Player, *, cause: str) -> Table:
    """The host closes the table before a hand is dealt; everybody gets their chips back. Raises Refused."""
    s.once(cause)
    table = seats.own_table(s, key, player)
    if table.host != player:
        raise Refused(TableReason.NOT_HOST, player=table.host)
    if table.state is not TableState.LOBBY:
        raise Refused(TableReason.ALREADY_STARTED)
    s.note(table, "cancelled", actor=player, cause=cause)
    return close(s, table, reason="cancelled")


def close(s: Session, table: Table, *, reason: str) -> Table:
    """Close for good: a running hand is void, chips go back, and every seed is revealed.

    One message tells all of that at the end of the channel, in place of the table's own. A table where no hand was
    dealt says it where it stands; those of events stay as they are, because their event tells what came of them.
    """
    told_apart = table.event_no is None and bool(table.hand_no)
    if table.state is TableState.PLAYING:
        table = settling.void(s, table, reason=reason, post=None if told_apart else Post.VOID)
    for seat in s.tx.tables.seats(table.key):
        seats.stand_up(s, table, seat)
    for timer in Timer:
        s.tx.timers.set_timer(table.key, timer, None)
    s.tx.hands.save(table.key, _undealt(s, table, reason=None))
    s.note(table, "closed")
    if table.hand_no and table.event_no is None and not table.private:
        # What becomes of an event's tables is told by the event.
        s.tx.outbox.post(table.key, Post.CLOSED, hand_no=table.hand_no, at=s.now)
    if told_apart:
        table = replace(table, message=None, retired=table.message or table.retired)
    return s.save(replace(table, state=TableState.CLOSED, closed_reason=reason, turn_since=None))


def after_restore(s: Session, table: Table) -> Table:
    """Go on at a table of a database that was put back from a copy.

    Since the copy was made its running hand may have been ended and its next deck dealt and revealed. So the running
    hand is void, and the next one is never dealt; the one after it gets a seed of its own.
    """
    if table.state is TableState.PLAYING:
        table = settling.void(s, table, reason="restored")
    elif not table.private:
        s.tx.outbox.post(table.key, Post.VOID, hand_no=table.hand_no + 1, at=s.now)
    s.tx.hands.save(table.key, _undealt(s, table, reason="restored"))
    for seat in s.tx.tables.seats(table.key):
        # What was given so far must not be known when the new seed is drawn.
        s.tx.tables.save_seat(table.key, replace(seat, entropy=""))
    return s.save(shuffle_inputs.commit(s, replace(table, hand_no=table.hand_no + 1)))


def _undealt(s: Session, table: Table, *, reason: str | None) -> HandRecord:
    """The hand that was committed to and will never be dealt: its seed is revealed too."""
    record = HandRecord(
        hand_no=table.hand_no + 1,
        variant=table.terms.variant,
        state=HandState.UNDEALT,
        commitment=b"",
        sealed_seed=b"",
        entropy=(),
        point_value=table.terms.point_value,
        started_at=s.now,
        ended_at=s.now,
        reason=reason,
    )
    return decks.with_seed(s.vault, table, record, Dealt(button=0, fantasyland=()))


def next_hand(s: Session, table: Table) -> Table:
    """End the pause after a hand: people leave and come, then the next hand is dealt.

    While Fantasyland is pending nobody leaves, comes or begins to sit out, but for those who have lost everything.
    """
    s.tx.timers.set_timer(table.key, Timer.NEXT_HAND, None)
    seats.seat_out_busted(s, table)
    if not who_plays.pends_fantasyland(table, s.dealt_in(table)):
        seats.change_players(s, table)
    seats.settle_in(s, table)
    table = _after_leaving(s, table)
    if not table.open:
        return table
    if len(s.dealt_in(table)) < table.terms.variant.min_seats:
        return _back_to_lobby(s, table)
    return dealing.deal(s, table)


def start_now(s: Session, key: TableKey, player: Player, *, hand_no: int, cause: str) -> Table:
    """A player does not want to wait for the next hand, ``hand_no``; once all who play it have said so it is dealt.

    Raises Refused, or Stale where nobody waits for it any more.
    """
    s.once(cause)
    table = seats.shared_table(s, key, player)
    seat = s.seat(table, player)
    if table.state is not TableState.BETWEEN or not table.terms.clock.pause_ms or hand_no != table.hand_no + 1:
        raise Stale
    s.note(table, "ready", actor=player, cause=cause)
    s.tx.tables.save_seat(table.key, replace(seat, ready_for=hand_no))
    playing = who_plays.next_seats(table, s.tx.tables.seats(key), s.tx.ledger.stacks(key))
    if all(other.computer or other.ready_for == hand_no for other in playing):
        return next_hand(s, table)
    return s.save(table)


def _wait_in_lobby(s: Session, table: Table) -> None:
    """A lobby closes by itself; people who play by correspondence come when they come.

    In a queue each waits for so long from when they came.
    """
    patience = max(s.policy.lobby_ms, CORRESPONDENCE_LOBBY_MS) if table.terms.clock.quiet else s.policy.lobby_ms
    until = s.now + patience
    if table.terms.starts_with:
        waiting = [replace(seat, waits_until=seat.waits_until or until) for seat in s.tx.tables.seats(table.key)]
        for seat in waiting:
            s.tx.tables.save_seat(table.key, seat)
        until = min(seat.waits_until or until for seat in waiting)
    s.tx.timers.set_timer(table.key, Timer.LOBBY, until)


def waited(s: Session, table: Table) -> Table:
    """A lobby has waited too long: it closes, or those leave the queue who have waited so long."""
    seats.let_go(
        s, table, [seat for seat in s.tx.tables.seats(table.key) if seat.waits_until and seat.waits_until <= s.now]
    )
    if not table.terms.starts_with or not s.tx.tables.seats(table.key):
        return close(s, table, reason=_why_it_waited(s, table))
    _wait_in_lobby(s, table)
    return s.save(_after_leaving(s, table))


def _why_it_waited(s: Session, table: Table) -> str:
    """The reason for which nothing was dealt, as its sentence under ``closed`` is called."""
    if table.private:
        return "practice_left"
    least, dealt_in = table.terms.variant.min_seats, s.dealt_in(table)
    if len(dealt_in) >= least:
        return "not_started"
    stacks = s.tx.ledger.stacks(table.key)
    resting = [seat for seat in s.tx.tables.seats(table.key) if seat.sits_out and stacks.get(seat.player)]
    return "waited_too_long" if dealt_in or len(resting) < least else "all_away"


def _back_to_lobby(s: Session, table: Table) -> Table:
    """Too few are left for a hand: its message is posted anew, below the result of the last one."""
    _wait_in_lobby(s, table)
    retired = table.message or table.retired
    return s.save(replace(table, state=TableState.LOBBY, turn_since=None, message=None, retired=retired))
