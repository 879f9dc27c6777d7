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
from bot.model.tables import PostKind, Seat, Table, TableState, Terms, Timer
from bot.play import terms as terms_of
from bot.play.hand import dealing, dealing_in, settling, shuffle_inputs
from bot.play.session import chips, decks
from bot.play.session.session import Session
from bot.play.table import blocked_players, seats
from bot.pure.ofc.deck import DealInputs
from bot.pure.ofc.refusals import Refused
from bot.pure.solver.levels import Level


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOffer:
    """The table that a player wants to open, or that an event opens."""

    guild: GuildId
    channel: int
    host: Player
    language: str
    terms: Terms
    computers: tuple[Player, ...] = ()
    """Computers that sit down with the host."""
    parent: int | None = None
    """Parent channel if ``channel`` is a thread."""
    manager: bool = False
    """True if the host manages the server."""
    roles: frozenset[int] = frozenset()
    """The host's roles in the server."""
    private: bool = False
    threaded: bool = False
    """True if hands will be played in the table's own thread."""
    invited: tuple[Player, ...] = ()
    """Players for whom it's opened."""


def open_table(s: Session, offer: TableOffer, *, cause: str) -> Table:
    """Open a table with its host seated, and commit to the first deck; raises Refused."""
    table = seated(s, offer, cause=cause)
    _wait_in_lobby(s, table)
    return s.save(table)


def seated(s: Session, offer: TableOffer, *, cause: str) -> Table:
    """Return a new table with its host and computers seated. No closing time is set yet. Raises Refused."""
    s.check_not_repeated(cause)
    _check_offer(s, offer)
    _check_server(s, offer)
    table = new_table(s, offer)
    s.note(table, "opened", actor=offer.host, cause=cause)
    for player in (offer.host, *offer.computers):
        seats.sit_down(s, table, player)
    return table


def objection(s: Session, offer: TableOffer) -> Refused | None:
    """Return the reason why an offer can't be opened; None if it can. Doesn't change anything."""
    try:
        _check_offer(s, offer)
        _check_server(s, offer)
        if not offer.terms.practice:
            seats.require_balanced(s, offer.guild)
            chips.require_buy_in(s, offer.guild, offer.host, need=offer.terms.buy_in)
    except Refused as refused:
        return refused
    return None


def new_table(
    s: Session, offer: TableOffer, *, event_no: int | None = None, number_in_event: int | None = None
) -> Table:
    """Return a new empty table, which is an event's if ``event_no`` is given. The offer must have been checked."""
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
        number_in_event=number_in_event,
        private=offer.private,
        threaded=offer.threaded,
        invited=offer.invited,
        in_words=s.tx.choices.server(offer.guild).in_words,
    )
    table = shuffle_inputs.commit(s, table)
    s.tx.tables.save(table)
    return table


def buy_in_of(point_value: int, *, chosen: int | None) -> int:
    """Return the chips of a buy-in: ``chosen``, or the default if it's None; 0 at a practice table."""
    if not point_value:
        return 0
    return point_value * DEFAULT_BUY_IN_POINTS if chosen is None else chosen


def time_limits(pace: Pace) -> dict[str, int]:
    """Return the ``shortest`` and ``longest`` time of a pace (seconds) for a refusal."""
    shortest, longest = LIMITS[pace]
    return {"shortest": shortest, "longest": longest}


def _check_server(s: Session, offer: TableOffer) -> None:
    """Raise Refused if the server doesn't allow the table or its host. Games against computers need no host role."""
    if offer.private:
        return
    server = s.tx.choices.server(offer.guild)
    if not server.has_tables_in(offer.channel, offer.parent):
        raise Refused(TableReason.NOT_HERE, channels=",".join(map(str, server.channels)))
    may_host = server.host_role is None or offer.manager or bool(offer.computers) or server.host_role in offer.roles
    if not may_host:
        raise Refused(TableReason.MAY_NOT_HOST, role=str(server.host_role))


def _check_offer(s: Session, offer: TableOffer) -> None:
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


def _check_room(s: Session, offer: TableOffer) -> None:
    """Raise Refused if the host, channel or server has too many open tables."""
    counts, policy = s.tx.tables.open_counts(offer.guild, channel=offer.channel, host=offer.host), s.policy
    for have, most, reason in (
        (counts.lobbies_of_host, policy.lobbies_per_player, TableReason.TOO_MANY_LOBBIES),
        (counts.lobbies_in_channel, policy.lobbies_per_channel, TableReason.CHANNEL_WAITS),
        (counts.tables_in_channel, policy.tables_per_channel, TableReason.CHANNEL_FULL),
        (counts.tables, policy.tables_per_server, TableReason.SERVER_FULL),
    ):
        if have >= most:
            raise Refused(reason, most=most)


def check_computers(s: Session, guild: GuildId, host: Player, *, more: int) -> None:
    """Raise Refused if there are too many computers. They share one processor with the presses of all servers."""
    if not more:
        return
    if s.tx.tables.computers(host=host) + more > s.policy.computers_per_host:
        raise Refused(TableReason.OWN_COMPUTERS_BUSY, most=s.policy.computers_per_host)
    if s.tx.tables.computers(guild) + more > s.policy.computers_per_server:
        raise Refused(TableReason.SERVER_COMPUTERS_BUSY, most=s.policy.computers_per_server)
    if s.tx.tables.computers() + more > s.policy.computers:
        raise Refused(TableReason.COMPUTERS_BUSY, most=s.policy.computers)


def _check_seats_held(s: Session, guild: GuildId, player: Player, clock: Clock) -> None:
    """Raise Refused if the player has too many tables. There are separate limits for live and correspondence tables."""
    held = [table for table in s.tx.tables.tables_of(guild, player) if table.terms.clock.quiet == clock.quiet]
    most = s.policy.slow_tables_per_player if clock.quiet else s.policy.tables_per_player
    if len(held) >= most:
        if clock.quiet:
            raise Refused(TableReason.TOO_MANY_SLOW_TABLES, most=most)
        raise Refused(TableReason.TOO_MANY_TABLES, most=most, slow=s.policy.slow_tables_per_player)


def join(
    s: Session, key: TableKey, player: Player, *, number: int | None = None, terms: str | None = None, cause: str
) -> Table:
    """Take a seat with the table's buy-in. During a hand, the newcomer waits for the next.

    ``terms`` are the ones that the player was shown. Raises Refused, or OtherTerms.
    """
    s.check_not_repeated(cause)
    table = seats.own_table(s, key, player)
    seats.require_not_removed(s, table, player)
    seated = s.tx.tables.seats(key)
    if any(seat.player == player for seat in seated):
        raise Refused(TableReason.ALREADY_SEATED)
    if len(seated) >= table.terms.max_seats:
        raise Refused(TableReason.TABLE_FULL, seats=table.terms.max_seats)
    if not is_computer(player):
        blocked_players.require_no_block(s, key.guild, player, [seat.player for seat in seated])
        _check_seats_held(s, key.guild, player, table.terms.clock)
    # Only levels change the terms of an open table.
    first = table.terms.limits.point_value(1) in (None, table.terms.point_value)
    terms_of.require_unchanged(terms, terms_of.of_seat(table.terms), settled=first)
    seats.sit_down(s, table, player, number=number, entropy="" if is_computer(player) else cause)
    s.note(table, "joined", actor=player, cause=cause)
    if table.terms.starts_with and table.state is TableState.LOBBY:
        return _join_queue(s, table)
    return s.save(seats.go_on(s, table))


def _join_queue(s: Session, table: Table) -> Table:
    """Deal if enough players are in the queue."""
    if len(s.dealt_in(table)) >= table.terms.starts_with:
        return _deal_first(s, table)
    _wait_in_lobby(s, table)
    return s.save(table)


def join_computer(s: Session, key: TableKey, player: Player, *, level: Level, cause: str) -> Table:
    """Seat a computer of ``level`` at the host's practice table; raises Refused."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Departure:
    """The outcome of a player's wish to leave."""

    table: Table
    chips: int | None
    """Chips that went back to the player's wallet; None if they keep the seat until the hand is over."""


def leave(s: Session, key: TableKey, player: Player, *, cause: str) -> Departure:
    """Stand up now, or after the current hand and any Fantasyland; raises Refused.

    At an event's table, the player keeps the seat, sits out, and is auto-placed immediately.
    """
    s.check_not_repeated(cause)
    table = s.open_table(key, player)
    seat = s.seat(table, player)
    if table.event_no is not None:
        return Departure(table=seats.be_absent(s, table, seat, cause=cause), chips=None)
    s.note(table, "leaves", actor=player, cause=cause)
    stack = s.tx.ledger.stack(key, player)
    after = go(s, table, seat)
    stays = any(other.player == player for other in s.tx.tables.seats(key))
    return Departure(table=after, chips=None if stays else stack)


def go(s: Session, table: Table, seat: Seat) -> Table:
    """Stand a player up now, or after the hand if they are dealt in."""
    alone = all(other.computer for other in s.tx.tables.seats(table.key) if other.player != seat.player)
    begun = table.state in (TableState.PLAYING, TableState.BETWEEN)
    if begun and seat.dealt_in and not (alone and table.terms.practice):
        s.tx.tables.save_seat(table.key, replace(seat, leaving=True))
        return s.save(table)
    seats.stand_up(s, table, seat)
    return s.save(_after_leaving(s, table))


def _after_leaving(s: Session, table: Table) -> Table:
    """Close a table without players. If the host has left, the next player becomes host."""
    people = seats.people_at(s, table)
    if not people:
        return close(s, table, reason="empty")
    return table if table.host in people else replace(table, host=people[0])


def start(s: Session, key: TableKey, player: Player, *, cause: str) -> Table:
    """Deal the first hand for the host, or for any player while the host sits out; raises Refused."""
    s.check_not_repeated(cause)
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
    """Deal the first hand after the lobby."""
    seats.end_waiting(s, table)
    return dealing.deal(s, table)


def _plays(dealt_in: Sequence[Seat], player: Player) -> bool:
    return any(seat.player == player for seat in dealt_in)


def cancel(s: Session, key: TableKey, player: Player, *, cause: str) -> Table:
    """Close the host's table before its first hand, and return all chips. Raises Refused."""
    s.check_not_repeated(cause)
    table = seats.own_table(s, key, player)
    if table.host != player:
        raise Refused(TableReason.NOT_HOST, player=table.host)
    if table.state is not TableState.LOBBY:
        raise Refused(TableReason.ALREADY_STARTED)
    s.note(table, "cancelled", actor=player, cause=cause)
    return close(s, table, reason="cancelled")


def close(s: Session, table: Table, *, reason: str) -> Table:
    """Close a table permanently. A running hand is void, chips go back to wallets, and all seeds are revealed.

    One new message in the channel reports this and replaces the table's own. If no hand was dealt, the table's current
    message shows it instead. Events' tables keep their message, because the event announces the outcome.
    """
    disambiguate = table.event_no is None and bool(table.hand_no)
    if table.state is TableState.PLAYING:
        table = settling.void(s, table, reason=reason, post=None if disambiguate else PostKind.VOID)
    for seat in s.tx.tables.seats(table.key):
        seats.stand_up(s, table, seat)
    for timer in Timer:
        s.tx.timers.set_timer(table.key, timer, None)
    s.tx.hands.save(table.key, _undealt(s, table, reason=None))
    s.note(table, "closed")
    if table.hand_no and table.event_no is None and not table.private:
        # The event announces the outcome of its tables.
        s.tx.outbox.post(table.key, PostKind.CLOSED, hand_no=table.hand_no, at=s.now)
    if disambiguate:
        table = replace(table, message=None, retired=table.message or table.retired)
    return s.save(replace(table, state=TableState.CLOSED, closed_reason=reason, turn_since=None))


def after_restore(s: Session, table: Table) -> Table:
    """Resume a table after its database was restored from a copy.

    Since the copy was made, the running hand may have ended, and the next deck may have been revealed. So the running
    hand is void, the next one is never dealt, and the one after it gets a new seed.
    """
    if table.state is TableState.PLAYING:
        table = settling.void(s, table, reason="restored")
    elif not table.private:
        s.tx.outbox.post(table.key, PostKind.VOID, hand_no=table.hand_no + 1, at=s.now)
    s.tx.hands.save(table.key, _undealt(s, table, reason="restored"))
    for seat in s.tx.tables.seats(table.key):
        # Earlier inputs are known before the new seed is drawn, so they must not be used with it.
        s.tx.tables.save_seat(table.key, replace(seat, entropy=""))
    return s.save(shuffle_inputs.commit(s, replace(table, hand_no=table.hand_no + 1)))


def _undealt(s: Session, table: Table, *, reason: str | None) -> HandRecord:
    """Return the committed hand that will never be dealt. Its seed is revealed too."""
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
    return decks.with_seed(s.vault, table, record, DealInputs(button=0, fantasyland=()))


def next_hand(s: Session, table: Table) -> Table:
    """End the pause after a hand: players leave and join, then the next hand is dealt.

    While Fantasyland is pending, no player may leave, join or start sitting out, except players who are bust.
    """
    s.tx.timers.set_timer(table.key, Timer.NEXT_HAND, None)
    seats.seat_out_busted(s, table)
    if not dealing_in.pends_fantasyland(table, s.dealt_in(table)):
        seats.change_players(s, table)
    seats.settle_in(s, table)
    table = _after_leaving(s, table)
    if not table.open:
        return table
    if len(s.dealt_in(table)) < table.terms.variant.min_seats:
        return _back_to_lobby(s, table)
    return dealing.deal(s, table)


def start_now(s: Session, key: TableKey, player: Player, *, hand_no: int, cause: str) -> Table:
    """Record that a player is ready for hand ``hand_no``, and deal it once all its players are ready.

    Raises Refused, or Stale if that hand isn't being waited for.
    """
    s.check_not_repeated(cause)
    table = seats.shared_table(s, key, player)
    seat = s.seat(table, player)
    if table.state is not TableState.BETWEEN or not table.terms.clock.pause_ms or hand_no != table.hand_no + 1:
        raise Stale
    s.note(table, "ready", actor=player, cause=cause)
    s.tx.tables.save_seat(table.key, replace(seat, ready_for=hand_no))
    playing = dealing_in.next_seats(table, s.tx.tables.seats(key), s.tx.ledger.stacks(key))
    if all(other.computer or other.ready_for == hand_no for other in playing):
        return next_hand(s, table)
    return s.save(table)


def _wait_in_lobby(s: Session, table: Table) -> None:
    """Set when a lobby closes automatically. Correspondence lobbies stay open longer.

    In a queue, that time runs for each player from when they joined.
    """
    patience = max(s.policy.lobby_ms, CORRESPONDENCE_LOBBY_MS) if table.terms.clock.quiet else s.policy.lobby_ms
    until = s.now + patience
    if table.terms.starts_with:
        waiting = [replace(seat, waits_until=seat.waits_until or until) for seat in s.tx.tables.seats(table.key)]
        for seat in waiting:
            s.tx.tables.save_seat(table.key, seat)
        until = min(seat.waits_until or until for seat in waiting)
    s.tx.timers.set_timer(table.key, Timer.LOBBY, until)


def end_wait(s: Session, table: Table) -> Table:
    """Close a lobby that has timed out, or remove the players who have timed out from a queue."""
    seats.unseat(
        s, table, [seat for seat in s.tx.tables.seats(table.key) if seat.waits_until and seat.waits_until <= s.now]
    )
    if not table.terms.starts_with or not s.tx.tables.seats(table.key):
        return close(s, table, reason=_closing_reason(s, table))
    _wait_in_lobby(s, table)
    return s.save(_after_leaving(s, table))


def _closing_reason(s: Session, table: Table) -> str:
    """Return the reason why no hand was dealt, as a sentence's key under ``closed``."""
    if table.private:
        return "practice_left"
    least, dealt_in = table.terms.variant.min_seats, s.dealt_in(table)
    if len(dealt_in) >= least:
        return "not_started"
    stacks = s.tx.ledger.stacks(table.key)
    resting = [seat for seat in s.tx.tables.seats(table.key) if seat.sits_out and stacks.get(seat.player)]
    return "waited_too_long" if dealt_in or len(resting) < least else "all_away"


def _back_to_lobby(s: Session, table: Table) -> Table:
    """Return to the lobby because too few players are left. Its message is posted again, below the last result."""
    _wait_in_lobby(s, table)
    retired = table.message or table.retired
    return s.save(replace(table, state=TableState.LOBBY, turn_since=None, message=None, retired=retired))
