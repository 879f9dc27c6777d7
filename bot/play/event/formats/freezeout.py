"""Sit & Gos and scheduled tournaments: levels, table balancing, the bubble and the final table.

The rules follow live card rooms (TDA; for Fantasyland, TonyBet's OFC tournaments). Tables are broken and balanced
between hands, but not at a table with a running or pending Fantasyland. On the bubble, play is hand for hand, and all
tables wait for the last Fantasyland hand. If levels are counted in hands, no table is more than one hand ahead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.model.clock import MINUTE
from bot.model.events import Notice
from bot.model.ids import Player, TableId
from bot.model.tables import WaitReason
from bot.play.event.floor import floor
from bot.play.event.floor.draws import event_id
from bot.play.event.floor.event_state import EventState, TableInPlay
from bot.play.event.floor.floor import OpeningTable
from bot.play.event.formats import handicaps, seeding
from bot.play.session.chips import pool_of
from bot.pure.event.draw import draw
from bot.pure.event.seating import (
    BreakStep,
    MoveStep,
    OpenStep,
    SeatingTable,
    SeatStep,
    deal_out,
    first_to_act,
    next_step,
)

MAX_STEPS = 2000


@dataclass(frozen=True, slots=True)
class TableMove:
    """A player's move to another table."""

    source: TableId | None
    """None for a player who had no seat."""
    target: TableId


Moves = dict[Player, TableMove]


def first_tables(field: EventState) -> list[OpeningTable]:
    """Return the first tables, as drawn or spread by seeds, and start the first level's clock."""
    if field.event.structure.level_minutes:
        field.save(replace(field.event, level_ends_at=field.s.now + field.event.structure.level_minutes * MINUTE))
    order = [entrant.player for entrant in sorted(field.playing, key=lambda entrant: entrant.number)]
    dealt = seeding.tables(field) or deal_out(order, field.event.structure.table_seats)
    return [OpeningTable(players=[Player(player) for player in players]) for players in dealt]


def open_table(field: EventState, group: OpeningTable) -> None:
    """Give the players of a first table their stacks and seats."""
    for player in group.players:
        give_entry(field, player)
    floor.open_table(field, group.players)


def give_entry(field: EventState, player: Player) -> None:
    """Issue the stack of a player's entry, including their handicap."""
    entry = field.entrants[player].entries
    cause = f"event:{field.key.number}:entry:{player}:{entry}"
    floor.issue_stack(field, player, handicaps.stack_of(field, player), cause=cause)


def go_on(field: EventState) -> bool:
    """Do everything that can be done now. True if at most one player is left, or only computers."""
    floor.remove_disqualified(field)
    floor.remove_gave_up(field)
    _levels_by_minutes(field)
    if not field.contested:
        return True
    moves: Moves = {}
    _requested_moves(field, moves)
    _even_out(field, moves)
    moved = [[player, way.source, way.target] for player, way in moves.items() if way.source != way.target]
    if moved:
        field.note("moved", moves=moved)
    if not _final_table(field, moved) and moved:
        floor.tell(field, Notice.MOVED, moves=moved)
    _bubble(field)
    _deal(field)
    return False


# levels and breaks


def _levels_by_minutes(field: EventState) -> None:
    structure = field.event.structure
    while (
        not structure.by_hands
        and not field.event.paused
        and field.event.level_ends_at is not None
        and field.event.level_ends_at <= field.s.now
    ):
        ended = field.event.level_ends_at
        reach_level(field, field.event.level + 1)
        rest = 0
        if _break_due(field, field.event.level):
            rest = structure.break_minutes * MINUTE
            _begin_break(field, field.event.level, until=ended + rest)
        field.save(replace(field.event, level_ends_at=ended + rest + structure.level_minutes * MINUTE))


def reach_level(field: EventState, level: int) -> None:
    """Raise the event's level when the first table plays it."""
    if level <= field.event.level:
        return
    # The event's message and the tables show the level, so it needs no message.
    field.save(replace(field.event, level=level))


def _break_due(field: EventState, level: int) -> bool:
    every = field.event.structure.break_levels
    return bool(every) and level // every > field.event.breaks


def _begin_break(field: EventState, level: int, *, until: int) -> None:
    """Begin the break before a level. Breaks skipped on the bubble aren't made up for."""
    field.save(replace(field.event, breaks=level // field.event.structure.break_levels, break_until=until))
    field.note("break", until=until)
    floor.tell(field, Notice.BREAK, until=until, level=level)


# seats


def _requested_moves(field: EventState, moves: Moves) -> None:
    """Carry out the moves that organisers have requested, if they are possible now."""
    for entrant in [e for e in field.playing if e.move_to is not None]:
        source = field.spot_of(entrant.player)
        target = None if entrant.move_to is None else field.spots.get(entrant.move_to)
        if source is None or target is None or target is source:
            field.save_entrant(replace(entrant, move_to=None))
        elif _is_free(field, source, target):
            field.save_entrant(replace(entrant, move_to=None))
            _move(field, entrant.player, source, target, moves)


def _is_free(field: EventState, source: TableInPlay, target: TableInPlay) -> bool:
    """True if a player can change tables now: no hand at the source, no Fantasyland at either, and a free seat."""
    room = len(target.seats) < field.event.structure.table_seats
    return source.idle and not source.pending and not target.pending and room


def moved_now(field: EventState, player: Player, source: TableInPlay, target: TableInPlay) -> bool:
    """Move a player immediately at an organiser's request. False if they can't be moved yet."""
    if not _is_free(field, source, target):
        return False
    field.note("moved", moves=[[player, source.key.table, target.key.table]])
    _move(field, player, source, target, {})
    return True


def _even_out(field: EventState, moves: Moves) -> None:
    """Seat waiting players, break tables that aren't needed, and balance the others, one step at a time."""
    came_from: dict[Player, TableId] = {}
    for _ in range(MAX_STEPS):
        waiting = _players_without_seat(field)
        step = next_step(
            [_now(spot) for spot in field.spots.values()],
            waiting=len(waiting),
            seats=field.event.structure.table_seats,
        )
        if step is None:
            return
        if isinstance(step, SeatStep):
            _seat(field, waiting[0], field.spots[TableId(step.table)], moves, came_from)
        elif isinstance(step, OpenStep):
            behind = min((spot.info.played for spot in field.spots.values()), default=0)
            spot = floor.open_table(field, [], played=behind)
            for player in waiting[: step.players]:
                _seat(field, player, spot, moves, came_from)
        elif isinstance(step, BreakStep):
            spot = field.spots[TableId(step.table)]
            for seat in spot.seats:
                came_from[seat.player] = spot.key.table
            field.note("broken", table=spot.key.table)
            floor.close_table(field, spot, reason="broken")
        else:
            _balance(field, step, moves)
    raise AssertionError("seating never ends")


def _now(spot: TableInPlay) -> SeatingTable:
    return SeatingTable(number=spot.key.table, players=len(spot.seats), idle=spot.idle, locked=spot.pending)


def _players_without_seat(field: EventState) -> list[Player]:
    """Return the players without a seat, in an order that anyone can verify from the event's seed."""
    names = field.unseated
    if len(names) < 2 or field.event.seed is None:
        return names
    label = f"moment {field.event.moment}"
    drawn = draw(names, event=event_id(field.event), label=label, seed=field.event.seed, entropy=())
    return [Player(name) for name in drawn]


def _seat(field: EventState, player: Player, spot: TableInPlay, moves: Moves, came_from: dict[Player, TableId]) -> None:
    floor.sit(field, spot, player)
    before = moves[player].source if player in moves else came_from.get(player)
    moves[player] = TableMove(before, spot.key.table)


def _balance(field: EventState, step: MoveStep, moves: Moves) -> None:
    source, target = field.spots[TableId(step.source)], field.spots[TableId(step.target)]
    kept = _seated_by_organiser(field, source)
    free = [seat for seat in source.seats if seat.player not in kept] or source.seats
    number = first_to_act([seat.number for seat in free], source.table.button)
    player = next(seat.player for seat in free if seat.number == number)
    _move(field, player, source, target, moves)


def _seated_by_organiser(field: EventState, spot: TableInPlay) -> frozenset[Player]:
    """Return the players that an organiser has moved to this table. Balancing moves other players if possible."""
    newest = {fact.details["player"]: fact.details["table"] for fact in field.tx.events.facts(field.key, "to_be_moved")}
    return frozenset(seat.player for seat in spot.seats if newest.get(seat.player) == spot.key.table)


def _move(field: EventState, player: Player, source: TableInPlay, target: TableInPlay, moves: Moves) -> None:
    floor.unseat(field, source, player)
    floor.sit(field, target, player)
    before = moves[player].source if player in moves else source.key.table
    moves[player] = TableMove(before, target.key.table)


# the final table and the bubble


def _final_table(field: EventState, moved: Sequence[object]) -> bool:
    """Announce the final table, with its players and the latest ``moved``. True if this call did."""
    event = field.event
    if event.final_table or len(field.spots) != 1 or len(field.playing) > event.structure.table_seats:
        return False
    spot = next(iter(field.spots.values()))
    drawn = sum(bool(entrant.number) for entrant in field.entrants.values())
    if len(spot.seats) != len(field.playing) or drawn <= event.structure.table_seats:
        return False
    field.save(replace(field.event, final_table=True))
    field.note("final_table", table=spot.key.table)
    players = [seat.player for seat in spot.seats]
    floor.tell(field, Notice.FINAL_TABLE, table=spot.key.table, players=players, moves=moved)
    return True


def paid_places(field: EventState) -> int:
    """Return the number of paid places; 0 if there are no prizes."""
    if field.tx.ledger.purse(field.key.guild, pool_of(field.key)) <= field.on_heads:
        return 0
    return len(field.payouts)


def _bubble(field: EventState) -> None:
    """Begin hand-for-hand play when the next elimination will be the last without a prize, and end it afterwards."""
    paid = paid_places(field)
    wanted = paid > 0 and len(field.playing) == paid + 1 and len(field.spots) > 1
    if wanted == field.event.hand_for_hand:
        return
    if not wanted and any(not spot.idle or spot.pending for spot in field.spots.values()):
        # A player still in a hand that was dealt at the same moment may bust together with those already out.
        return
    # All players who bust in hands still in progress are eliminated at the same moment.
    field.save(replace(field.event, hand_for_hand=wanted, moment=field.event.moment + wanted))
    if wanted:
        field.note("hand_for_hand", left=len(field.playing))
        floor.tell(field, Notice.HAND_FOR_HAND, paid=paid, left=len(field.playing))


# dealing


def _deal(field: EventState) -> None:
    """Deal at all tables that can, and show the reason at the others."""
    ready = [spot for spot in field.spots.values() if spot.idle and not spot.pausing]
    for spot in ready:
        if not floor.enough(spot):
            floor.wait(field, spot, WaitReason.PLAYERS)
    able = [spot for spot in field.spots.values() if floor.enough(spot)]
    ready = [spot for spot in ready if floor.enough(spot)]
    if field.event.structure.by_hands:
        _catch_up(field, able)
    if field.event.paused:
        _all_wait(field, ready, WaitReason.PAUSE)
        return
    _all_wait(field, [spot for spot in ready if spot.info.held], WaitReason.HELD)
    ready = [spot for spot in ready if not spot.info.held]
    for spot in [spot for spot in ready if spot.pending]:
        floor.deal(field, spot)
    ready = [spot for spot in ready if spot.idle]
    if field.event.break_until is not None:
        if field.s.now < field.event.break_until:
            _all_wait(field, ready, WaitReason.BREAK)
            return
        # The break's message has already given the time, and the tables show it.
        field.save(replace(field.event, break_until=None))
    if field.event.hand_for_hand:
        _deal_hand_for_hand(field, ready, able)
    elif field.event.structure.by_hands:
        _deal_by_hands(field, ready, able)
    else:
        for spot in ready:
            _deal_level(field, spot, field.event.level)


def _all_wait(field: EventState, spots: Iterable[TableInPlay], why: WaitReason) -> None:
    for spot in spots:
        floor.wait(field, spot, why)


def _deal_level(field: EventState, spot: TableInPlay, level: int) -> None:
    floor.deal(field, spot, point_value=field.event.structure.point_value(level))


def _level_of(field: EventState, spot: TableInPlay) -> int:
    """Return the level of a table's next hand. Balancing tables never lowers it."""
    if not field.event.structure.by_hands:
        return field.event.level
    return field.event.structure.level_of(spot.info.played + 1)


def _deal_hand_for_hand(field: EventState, ready: Sequence[TableInPlay], able: Sequence[TableInPlay]) -> None:
    """Deal at all tables together, once the last one has finished its hand and any Fantasyland hand."""
    if len(ready) < len(able):
        _all_wait(field, ready, WaitReason.HAND_FOR_HAND)
        return
    field.save(replace(field.event, moment=field.event.moment + 1))
    level = max((_level_of(field, spot) for spot in ready), default=0)
    reach_level(field, level)
    for spot in ready:
        _deal_level(field, spot, level)


def _catch_up(field: EventState, able: Sequence[TableInPlay]) -> None:
    """Let a table that fell two or more hands behind for lack of players catch up with the others' hand number."""
    most = max((spot.info.played for spot in able), default=0)
    least = min((spot.info.played for spot in able if spot.info.played >= most - 1), default=0)
    for spot in able:
        if spot.idle and spot.info.played < least:
            field.save_info(spot, replace(spot.info, played=least))


def _deal_by_hands(field: EventState, ready: Sequence[TableInPlay], able: Sequence[TableInPlay]) -> None:
    # The tables that are behind are dealt first, because that may let the others continue.
    for spot in sorted(ready, key=lambda spot: spot.info.played):
        if spot.info.played > min(other.info.played for other in able):
            floor.wait(field, spot, WaitReason.OTHERS)
            continue
        level = _level_of(field, spot)
        if not _break_due(field, level):
            reach_level(field, level)
            _deal_level(field, spot, level)
        elif all(other.idle and not other.pending and _level_of(field, other) >= level for other in able):
            _begin_break(field, level, until=field.s.now + field.event.structure.break_minutes * MINUTE)
            _all_wait(field, ready, WaitReason.BREAK)
            return
        else:
            floor.wait(field, spot, WaitReason.OTHERS)
