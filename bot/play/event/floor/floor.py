"""Actions at an event's tables: opening, seating, dealing, and accounting for a finished hand.

Accounting moves stacks, adds points, pays bounties and eliminates players.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import count

from bot.model.clock import ANNOUNCE_TIMEOUT_MS
from bot.model.errors import HandLostError
from bot.model.events import Entrant, EntrantState, EventTable, Notice
from bot.model.hands import HandRecord, HandState, Result
from bot.model.ids import Player, is_computer
from bot.model.tables import Limits, Seat, Terms, Timer, WaitReason
from bot.play.event.floor import absences, bounties
from bot.play.event.floor.event_state import EventState, TableInPlay, plays_for_chips
from bot.play.hand import dealing, dealing_in, hand_log, step_effects
from bot.play.session import chips
from bot.play.table import lobby, seats
from bot.pure.event.seating import worst_seat
from bot.pure.event.structure import Family, Format


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningTable:
    """The players of one of the first tables, in seat order."""

    players: Sequence[Player]
    round: int = 0
    match: int = 0


def tell(field: EventState, notice: Notice, **details: object) -> None:
    """Queue a message of the event for posting."""
    field.tx.outbox.post_event(field.key, notice, details, at=field.s.now)
    field.s.changed_events.add(field.key)


def issue_stack(field: EventState, player: Player, amount: int, *, cause: str) -> None:
    """Issue chips of the event into an entrant's purse."""
    field.tx.ledger.issue(
        field.key.guild,
        mint=chips.mint_of(field.key),
        payee=chips.purse_of(field.key, player),
        chips=amount,
        kind="event_stack",
        cause=cause,
        at=field.s.now,
    )


def take_stack(field: EventState, player: Player, *, cause: str, amount: int | None = None) -> None:
    """Take ``amount`` chips, or by default all of them, from an entrant's purse out of play."""
    purse = chips.purse_of(field.key, player)
    lies = field.tx.ledger.purse(field.key.guild, purse) if amount is None else amount
    if lies:
        field.tx.ledger.take_back(
            field.key.guild,
            mint=chips.mint_of(field.key),
            payer=purse,
            chips=lies,
            kind="event_stack",
            cause=cause,
            at=field.s.now,
        )


def open_table(
    field: EventState, players: Sequence[Player], *, round_no: int = 0, match: int = 0, played: int = 0
) -> TableInPlay:
    """Open a table of the event with ``players`` in seat order."""
    s, event = field.s, field.event
    structure = event.structure
    number = _free_number(field)
    offer = lobby.TableOffer(
        guild=event.key.guild,
        channel=event.channel_of(number),
        host=event.organiser,
        language=event.language,
        terms=Terms(
            variant=event.variant,
            point_value=structure.point_value(event.level) if plays_for_chips(event) else 0,
            buy_in=0,
            max_seats=structure.table_seats,
            clock=event.clock,
            limits=Limits(win_cap=structure.win_cap, bust_is_final=structure.bust_is_final),
        ),
    )
    table = lobby.new_table(s, offer, event_no=event.key.number, number_in_event=number)
    s.note(table, "opened")
    s.tx.timers.set_timer(table.key, Timer.NEXT_HAND, s.now + _seating_ms(field, players))
    info = EventTable(table=table.key.table, round=round_no, match=match, played=played, threaded=not structure.threads)
    s.tx.entrants.save_event_table(field.key, info)
    spot = TableInPlay(info=info, table=s.save(table), seats=[], stacks={}, pausing=True)
    field.spots[table.key.table] = spot
    for seat, player in enumerate(players):
        _take_seat(field, spot, player, number=seat)
    if players:
        s.save(spot.table)
        field.refresh(spot)
    return spot


def _free_number(field: EventState) -> int:
    """Return the lowest number that no open table of the event has."""
    taken = {spot.table.number for spot in field.spots.values()}
    return next(number for number in count(1) if number not in taken)


def _seating_ms(field: EventState, players: Sequence[Player]) -> int:
    """Return the pause before a table's first hand (ms). It's shorter for one player's Sit & Go against computers."""
    alone = sum(not is_computer(player) for player in players) == 1
    policy = field.s.policy
    return policy.next_hand_ms if alone and field.event.format is Format.SIT_AND_GO else policy.seating_ms


def seated_at(spots: Iterable[TableInPlay]) -> list[list[object]]:
    """Return each table's number and players, ``[number, [player, ...]]``, for a notice."""
    return [[spot.key.table, [seat.player for seat in spot.seats]] for spot in spots]


def sit(field: EventState, spot: TableInPlay, player: Player) -> None:
    """Seat a player with all chips in their purse. They are dealt in from the next ordinary hand."""
    number = worst_seat([seat.number for seat in spot.seats], spot.table.button, spot.table.terms.max_seats)
    _take_seat(field, spot, player, number=number)
    field.s.save(spot.table)
    field.refresh(spot)


def _take_seat(field: EventState, spot: TableInPlay, player: Player, *, number: int) -> None:
    s, table = field.s, spot.table
    purse = chips.purse_of(field.key, player)
    brings = s.tx.ledger.purse(field.key.guild, purse)
    if brings:
        s.tx.ledger.buy_in(table.key, player, brings, cause=seats.chip_cause(table), at=s.now, purse=purse)
    entrant = field.entrants.get(player)
    seat = Seat(
        number=number,
        player=player,
        dealt_in=table.hand_no == 0,
        away=entrant is not None and entrant.absent,
        entropy="" if entrant is None else entrant.adds,
        bank_ms=table.terms.clock.bank_ms,
    )
    s.tx.tables.save_seat(table.key, seat)
    if entrant is not None and entrant.adds:
        field.save_entrant(replace(entrant, adds=""))
    s.note(table, "joined", actor=player)


def unseat(field: EventState, spot: TableInPlay, player: Player) -> None:
    """Unseat a player and move their chips to their purse.

    Their absence and the entropy they added for the next shuffle carry over to their next table.
    """
    s, table = field.s, spot.table
    seat = next(seat for seat in spot.seats if seat.player == player)
    s.note(table, "stood_up", actor=player)
    seats.stand_up(s, table, seat)
    s.save(table)
    _remember_absence(field, seat)
    field.refresh(spot)


def _remember_absence(field: EventState, seat: Seat) -> None:
    entrant = field.entrants.get(seat.player)
    if entrant is not None:
        field.save_entrant(replace(entrant, absent=seat.away, adds=seat.entropy))


def close_table(field: EventState, spot: TableInPlay, *, reason: str) -> None:
    """Close a table of the event and move all stacks to the players' purses."""
    for seat in spot.people:
        _remember_absence(field, seat)
    lobby.close(field.s, spot.table, reason=reason)
    field.save_info(spot, replace(spot.info, over=True, waits=WaitReason.NOTHING))
    del field.spots[spot.info.table]


def wait(field: EventState, spot: TableInPlay, why: WaitReason) -> None:
    """Show at a table why it isn't dealing."""
    if spot.info.waits is not why:
        field.save_info(spot, replace(spot.info, waits=why))
        field.s.save(spot.table)
        field.refresh(spot)


def hold_unshown(field: EventState) -> None:
    """Extend the pause before a hand until the table's message is posted, up to a timeout.

    Tables that wait for another reason are skipped, because they were shown earlier or will be with their next hand.
    """
    s = field.s
    for spot in field.spots.values():
        if not s.published or not spot.idle:
            continue
        if spot.shown and spot.info.waits is WaitReason.SHOWING:
            s.tx.timers.set_timer(spot.key, Timer.NEXT_HAND, None)
            field.save_info(spot, replace(spot.info, waits=WaitReason.NOTHING))
            spot.pausing = False
        elif not spot.shown and not spot.pausing and spot.info.waits is WaitReason.NOTHING:
            s.tx.timers.set_timer(spot.key, Timer.NEXT_HAND, s.now + ANNOUNCE_TIMEOUT_MS)
            field.save_info(spot, replace(spot.info, waits=WaitReason.SHOWING))
            spot.pausing = True


def deal(
    field: EventState,
    spot: TableInPlay,
    *,
    point_value: int = 0,
    shared: dealing.SharedDeck | None = None,
    button: int | None = None,
) -> None:
    """Deal the next hand at a table to every player. While a Fantasyland is pending, no players are added."""
    s, table = field.s, spot.table
    extra = spot.pending
    for seat in spot.seats:
        entrant = field.entrants.get(seat.player)
        s.tx.tables.save_seat(
            table.key,
            replace(
                seat,
                away=seat.away or (entrant is not None and (entrant.penalty > 0 or entrant.disqualified)),
                # A new clock starts with its full time bank.
                bank_ms=seat.bank_ms if table.terms.clock == field.event.clock else field.event.clock.bank_ms,
                dealt_in=seat.dealt_in if extra else True,
                fantasyland=seat.fantasyland if extra else 0,
            ),
        )
    if plays_for_chips(field.event) and not extra:
        table = replace(table, terms=replace(table.terms, point_value=point_value))
    clock = field.event.clock
    table = replace(table, button=table.button if button is None else button, terms=replace(table.terms, clock=clock))
    dealing.deal(s, table, shared=shared)
    field.save_info(
        spot,
        replace(
            spot.info,
            played=spot.info.played + (not extra),
            extra=extra,
            waits=WaitReason.NOTHING,
            board=field.event.board if shared else spot.info.board,
        ),
    )
    field.refresh(spot)


def account(field: EventState, spot: TableInPlay) -> None:
    """Account for finished hands: points, penalties served and eliminations. Each hand is counted once."""
    if not spot.idle:
        return
    # After a restore, two hands are accounted for together: the voided one and the skipped number.
    for hand_no in range(spot.info.accounted + 1, spot.table.hand_no + 1):
        _account_hand(field, spot, hand_no)


def _account_hand(field: EventState, spot: TableInPlay, hand_no: int) -> None:
    s, table = field.s, spot.table
    record = s.tx.hands.get(table.key, hand_no)
    results = {result.player: result for result in s.tx.results.of(table.key, hand_no)}
    field.save_info(spot, replace(spot.info, accounted=hand_no))
    field.show()  # the standings have changed
    if record is None or record.state is not HandState.SETTLED:
        _deal_again(field, spot, record)
        return
    for player, result in results.items():
        _count(field, spot, player, result)
    _put_out(field, spot, results, hand_no)
    note_returned(field)
    field.refresh(spot)


def _deal_again(field: EventState, spot: TableInPlay, record: HandRecord | None) -> None:
    """In a league, don't count a voided hand towards the number of hands, so that it's dealt again.

    In duplicate events it isn't dealt again, because other tables were dealt the same deck.
    """
    if not _adds_points(field) or record is None or record.state is not HandState.VOID:
        return
    if not spot.info.extra:
        field.save_info(spot, replace(spot.info, played=max(0, spot.info.played - 1)))


def _count(field: EventState, spot: TableInPlay, player: Player, result: Result) -> None:
    entrant = field.entrants.get(player)
    if entrant is None:
        return
    points = result.points if _adds_points(field) else 0
    left = max(0, entrant.penalty - 1)
    if entrant.penalty:
        field.note("penalty_served", player=player, table=spot.key.table, hand=spot.table.hand_no)
    field.save_entrant(replace(entrant, hands=entrant.hands + 1, score=entrant.score + points, penalty=left))
    if entrant.penalty and not left:
        follow_penalty(field, player)


def _adds_points(field: EventState) -> bool:
    """True in a league. A duplicate event compares tables, and in other formats chips decide."""
    return field.event.format.family is Family.ROUNDS and not field.event.hides_shared_decks


def _put_out(field: EventState, spot: TableInPlay, results: dict[Player, Result], hand_no: int) -> None:
    """Unseat the players without chips, and record the data that decides their places."""
    broke = [seat.player for seat in dealing_in.busted_seats(spot.table, spot.seats, spot.stacks)]
    if not broke:
        return
    if field.event.format.heads_up:
        # The bracket decides whether losing the match eliminates them.
        for player in broke:
            unseat(field, spot, player)
        return
    moment = next_moment(field)
    order = _clockwise(field, spot)
    for player in broke:
        unseat(field, spot, player)
        field.save_entrant(
            replace(
                field.entrants[player],
                state=EntrantState.OUT,
                out_moment=moment,
                out_stack=-results[player].chips,
                out_order=order.get(player, 0),
            )
        )
    field.note("out", players=broke, table=spot.key.table, hand=spot.table.hand_no)
    bounties.pay(field, spot, hand_no, broke, order)
    if field.event.format.family is Family.FREEZEOUT and field.contested:
        # The last eliminations are announced together with the winner.
        won = bounties.told(field, spot, hand_no)
        tell(field, Notice.OUT, players=_places(field, spot, broke), left=len(field.playing), **won)
    _end_fantasyland_alone(field, spot)


def _places(field: EventState, spot: TableInPlay | None, broke: Sequence[Player]) -> list[list[object]]:
    """Return each player who is out with their place, ``[player, place]``, best first. ``spot`` is where they busted.

    If unfinished hands may still change a place (in hand-for-hand play), it's ``[player, best, worst]``.
    """
    moment, first = field.event.moment, len(field.playing) + 1
    fair = (e for e in field.entrants.values() if e.state is EntrantState.OUT and not e.disqualified)
    together = [e for e in fair if e.out_moment == moment]
    together.sort(key=lambda e: (-e.out_stack, e.out_order, e.number))
    stacks = [e.out_stack for e in together]
    others = [other for other in field.spots.values() if other is not spot and (not other.idle or other.pending)]
    told: list[list[object]] = []
    for at, entrant in enumerate(together):
        ahead = stacks.index(entrant.out_stack) if field.event.structure.shares_places else at
        worst = first + ahead
        below = sum(_may_go_out_below(other, entrant) for other in others) if field.event.hand_for_hand else 0
        if entrant.player in broke:
            told.append([entrant.player, worst - below, worst] if below else [entrant.player, worst])
    return told


def _may_go_out_below(spot: TableInPlay, entrant: Entrant) -> int:
    """Return the maximum number of players at a table still playing who can bust at the same moment and rank lower.

    They rank lower if they began the hand with fewer chips. At least one player is left at each table. In games with
    Fantasyland, all players count, because the stacks at the start of a Fantasyland hand aren't known yet.
    """
    known = spot.table.terms.variant.fantasyland is None
    fit = sum(not known or spot.stacks.get(seat.player, 0) <= entrant.out_stack for seat in spot.seats)
    return min(fit, len(spot.seats) - 1)


def next_moment(field: EventState) -> int:
    """Return a new moment of elimination. During hand-for-hand play, all tables share the moment of their deal."""
    if not field.event.hand_for_hand:
        field.save(replace(field.event, moment=field.event.moment + 1))
    return field.event.moment


def _clockwise(field: EventState, spot: TableInPlay) -> dict[Player, int]:
    """Return the position of each of the last hand's players, clockwise from its button."""
    try:
        hand = hand_log.hand_of(field.s, spot.key, spot.table.hand_no)
    except HandLostError:
        return {}
    return {Player(hand.seats[seat].player): place for place, seat in enumerate(hand.clockwise)}


def _end_fantasyland_alone(field: EventState, spot: TableInPlay) -> None:
    """End Fantasyland at a table where no opponents are left."""
    if spot.pending:
        return
    for seat in spot.seats:
        if seat.fantasyland:
            field.s.tx.tables.save_seat(spot.table.key, replace(seat, fantasyland=0))
            field.note("fantasyland_ended", player=seat.player)
    field.refresh(spot)


def attend(field: EventState, player: Player, *, away: bool) -> None:
    """Mark a player as back, or as away, which auto-places their cards from the current hand on.

    If they have no seat, it applies at their next table.
    """
    spot = field.spot_of(player)
    if spot is None:
        field.save_entrant(replace(field.entrants[player], absent=away))
        return
    seat = next(seat for seat in spot.seats if seat.player == player)
    deadline = None if seat.away and not away else seat.deadline
    field.s.tx.tables.save_seat(spot.table.key, replace(seat, away=away, timeouts=0, deadline=deadline))
    table = spot.table if spot.idle else step_effects.restart_clock(field.s, spot.table)
    field.s.save(table)
    field.refresh(spot)


def follow_penalty(field: EventState, player: Player) -> None:
    """Let the bot play for a player with a penalty or who has left, and otherwise the player themselves."""
    attend(field, player, away=field.entrants[player].penalty > 0 or player in absences.leavers(field))


def remove_disqualified(field: EventState) -> None:
    """Eliminate disqualified players, except those whose table has a hand in progress."""
    for entrant in [e for e in field.playing if e.disqualified]:
        spot = field.spot_of(entrant.player)
        if spot is not None and not spot.idle:
            continue
        chips_left = field.chips(entrant.player)
        if spot is not None:
            unseat(field, spot, entrant.player)
        take_stack(field, entrant.player, cause=f"event:{field.key.number}:out:{entrant.player}")
        field.save_entrant(
            replace(
                field.entrants[entrant.player],
                state=EntrantState.OUT,
                out_moment=next_moment(field),
                out_stack=chips_left,
            )
        )
        if entrant.head:
            field.note("bounty_back", player=entrant.player, amount=entrant.head)
        if spot is not None:
            _end_fantasyland_alone(field, spot)


def note_returned(field: EventState) -> None:
    """Record the players who left a freezeout and have played again without saying that they're back."""
    for player in sorted(absences.returned(field)):
        field.note(absences.BACK_IN_SEAT, player=player)


def remove_gave_up(field: EventState) -> None:
    """Eliminate the players who have given up, once they've finished their hand and any Fantasyland.

    Their chips leave play. They take the place of a player who busts now. Of several, the one with more chips is placed
    higher. If no other fair player is left, the last of them stays in and wins.
    """
    held = {player: field.chips(player) for player in absences.gave_up(field) if field.entrants[player].playing}
    ready = [field.entrants[player] for player in held if _is_free_to_go(field, player)]
    fair = sum(not entrant.disqualified for entrant in field.playing)
    going = sorted(ready, key=lambda e: (held[e.player], -e.number))[: max(0, fair - 1)]
    if not going:
        return
    # Players who bust in a hand that's already over are placed lower, also in hand-for-hand play.
    field.save(replace(field.event, moment=field.event.moment + 1))
    for entrant in going:
        _remove(field, entrant, stack=held[entrant.player])
    gone = [entrant.player for entrant in reversed(going)]
    field.note("out", players=gone, gave_up=[held[player] for player in gone])
    if field.contested:  # otherwise they're announced together with the winner
        freezeout = field.event.format.family is Family.FREEZEOUT
        places = _places(field, None, gone) if freezeout else [[player, 0] for player in gone]
        tell(field, Notice.OUT, players=places, left=len(field.playing), gave_up=True)


def _is_free_to_go(field: EventState, player: Player) -> bool:
    """True if a player who has given up can leave their table now.

    In hand-for-hand play, all tables are still playing at the same moment until the last one has finished.
    """
    spot = field.spot_of(player)
    own = [] if spot is None else [spot]
    busy = any(not one.idle or one.pending for one in (field.spots.values() if field.event.hand_for_hand else own))
    return not busy and not field.entrants[player].disqualified


def _remove(field: EventState, entrant: Entrant, *, stack: int) -> None:
    """Take a player who has given up and all of their chips out of play."""
    player, spot = entrant.player, field.spot_of(entrant.player)
    if spot is not None:
        unseat(field, spot, player)
    take_stack(field, player, cause=f"event:{field.key.number}:gave_up:{player}:{entrant.entries}")
    field.save_entrant(
        replace(
            field.entrants[player],
            state=EntrantState.OUT,
            out_moment=field.event.moment,
            out_stack=stack,
            out_order=0,
            move_to=None,
        )
    )
    if entrant.head:
        field.note("bounty_back", player=player, amount=entrant.head)
    if spot is not None:
        _end_fantasyland_alone(field, spot)


def put_out_unseated(field: EventState) -> None:
    """Eliminate disqualified players without a seat."""
    for entrant in [e for e in field.playing if e.disqualified]:
        if field.spot_of(entrant.player) is None:
            field.save_entrant(replace(entrant, state=EntrantState.OUT, out_moment=next_moment(field)))


def enough(spot: TableInPlay) -> bool:
    """True if the table has enough players for a hand."""
    return len(spot.seats) >= spot.table.terms.variant.min_seats
