"""The director. After each change, it does what the event's rules require, in the same transaction.

It's called through ``Session.events_to_direct`` when an event's table finishes a hand, a Sit & Go fills up, a player
registers late, an organiser uses a tool, or the event's alarm is due. So an event can end without an organiser.

Rules of thumb:

1. Decide from the current state, never from the latest change. Each check loads the field, does what can be done,
   and sets the next alarm. Repeating a check changes nothing, and a crash between two checks loses nothing.
2. This module and ``freezeout``, ``knockout`` and ``rounds`` decide when to act. ``floor`` acts at a table. The
   three formats don't depend on each other.
3. Make changes through the ``EventState``, so that it always matches the database.
4. Finish a running hand. Players move, leave and arrive between hands. Only calling the event off voids hands.
5. Move chips between accounts. Fees and prizes go through the event's pool, stacks come from the event's mint and
   return to it. Each movement has a cause, which the ledger accepts only once.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from bot.model.events import Entrant, EntrantState, EventPosting, Notice, Phase
from bot.model.ids import EventKey, Player, is_computer
from bot.model.reasons import OrganiserReason
from bot.play import badges
from bot.play.event.floor import absences, bounties, draws, floor
from bot.play.event.floor.event_state import (
    EventState,
    call_at,
    final_places,
    next_alarm,
    plays_for_chips,
    rank_entrants,
    read_field,
)
from bot.play.event.floor.floor import tell
from bot.play.event.formats import brackets, freezeout, handicaps, knockout, rounds, seeding
from bot.play.event.office import (
    doubtful_start,
    flights,
    leaving,
    permissions,
    roll_call,
    series_ends,
    stand_bys,
    waiting_list,
)
from bot.play.event.office.opening import announce_next
from bot.play.session import chips
from bot.play.session.session import Session
from bot.play.table import seats
from bot.pure.event.draw import START, draw
from bot.pure.event.payouts import prizes
from bot.pure.event.seeding import SeededBy
from bot.pure.event.structure import Family, Format, NoShow
from bot.pure.event.ties import split
from bot.pure.ofc.deck import Entropy
from bot.pure.ofc.refusals import Refused

log = logging.getLogger(__name__)

WITHOUT_PLACE = ("channel_gone", "guild_gone")
"""Reasons for calling an event off that also end its repetition, because there is no channel left."""
MAX_PASSES = 50
OPENED_AT_ONCE = 12
"""Maximum number of first tables opened per transaction."""


def follow(s: Session) -> None:
    """Direct every event queued in ``s.events_to_direct``, including those added along the way."""
    for _ in range(MAX_PASSES):
        if not s.events_to_direct:
            return
        direct(s, s.events_to_direct.pop())
    raise AssertionError("the director never finishes")


def direct(s: Session, key: EventKey) -> None:
    """Do everything that can be done for an event now, and set its next alarm."""
    field = read_field(s, key)
    if field.event.phase.over:
        return
    if error := draws.lost(s, field.event):
        log.error("event %s/%s is cancelled: %s", key.guild, key.number, error)
        call_off(field, reason=error.reason)
    if field.event.phase.before:
        _before_start(field)
    all_open = field.event.phase is not Phase.RUNNING or _open_first(field)
    if field.event.phase is Phase.RUNNING and all_open:
        _run(field)
    _set_alarm(field, at_once=not all_open)
    s.events_to_direct.discard(key)


def _set_alarm(field: EventState, *, at_once: bool) -> None:
    """Set the event's alarm, if the old one has rung or something is due earlier."""
    event, now = field.event, field.s.now
    wanted = next_alarm(event, now=now)
    if wanted is not None and event.phase.before:
        offers = [one.offered_until for one in field.waiting.values() if one.offered_until is not None]
        asks_at = doubtful_start.ask_at(field)
        wanted = min([wanted, *(max(now + 1, at) for at in (*offers, *asks_at))])
    if wanted is not None and event.phase is Phase.RUNNING and rounds.is_between_rounds(field):
        wanted = max(now + 1, rounds.next_look_at(field))
    if not event.phase.over and (waiting := roll_call.waiting(field)) is not None:
        ends = max(now + 1, roll_call.ends_at(waiting))
        # In events that play for chips, play goes on during a roll call.
        plays_on = wanted is not None and event.phase is Phase.RUNNING and plays_for_chips(event)
        wanted = min(ends, wanted or ends) if plays_on else ends
    if at_once:
        wanted = now
    due = event.alarm_at
    rung = wanted is None or due is None or due <= now or wanted < due or event.phase.before
    if rung and wanted != due:
        field.event = replace(event, alarm_at=wanted)
        field.tx.events.save(field.event)


# before the start


def _before_start(field: EventState) -> None:
    event, now = field.event, field.s.now
    if (waiting := roll_call.waiting(field)) is not None:
        if now >= roll_call.ends_at(waiting):
            _end_roll_call(field, waiting, departed=[])
        return
    if event.format is Format.SIT_AND_GO:
        if field.full:
            start(field)
        return
    waiting_list.offer_places(field)
    event = field.event
    assert event.starts_at is not None
    # If the bot was down the whole time, check-in never opened, so no entrants are dropped for missing it.
    soon = not event.reminded and call_at(event) <= now < event.starts_at
    people = [entrant for entrant in field.entrants.values() if entrant.registered]
    # Players who register from now on are checked in. In the last minutes, the call before the start covers check-in.
    if open_check_in(field) and people and not soon:
        tell(field, Notice.CHECK_IN, starts_at=event.starts_at)
    if soon:
        field.save(replace(field.event, reminded=True))
        checks = field.event.phase is Phase.CHECK_IN
        called = [entrant.player for entrant in people if not checks or entrant.state is EntrantState.REGISTERED]
        if people:
            tell(field, Notice.SOON, starts_at=event.starts_at, players=called, count=len(people))
    doubtful_start.ask_organiser(field)
    if now >= event.starts_at:
        start(field)


def start(field: EventState, *, early: bool = False) -> None:
    """Start the event, after a roll call if Discord can be asked who has left; ``early`` if an organiser starts it."""
    if field.s.asks_members:
        roll_call.ask(field, early=early)
    else:
        _begin(field, early=early)


def roll_called(s: Session, key: EventKey, called: EventPosting, *, departed: Collection[Player]) -> None:
    """Process the answer to a roll call, unless the event no longer waits for it."""
    field = read_field(s, key)
    if roll_call.waiting(field) == called:
        _end_roll_call(field, called, departed=departed)
        s.events_to_direct.add(key)


def _end_roll_call(field: EventState, called: EventPosting, *, departed: Collection[Player]) -> None:
    """Refund the entrants who have left, and start the event if it's still due to start."""
    field.tx.outbox.event_posted(called.number)
    if field.event.phase is Phase.RUNNING:
        _miss_departed(field, departed)
    if not field.event.phase.before:
        return
    left = [entrant for entrant in field.entrants.values() if entrant.registered and entrant.player in departed]
    for entrant in left:
        field.note("left_server", player=entrant.player)
        drop(field, entrant)
    if left:
        tell(field, Notice.LEFT, players=[entrant.player for entrant in left])
        field.show()
    waiting_list.drop_departed(field, departed)
    early, starts_at = bool(called.details["early"]), field.event.starts_at
    if early or (field.full if starts_at is None else field.s.now >= starts_at):
        _begin(field, early=early)
    else:
        waiting_list.offer_places(field)


def _miss_departed(field: EventState, departed: Collection[Player]) -> None:
    """Let players who have left the server leave the event, in leagues before the next round is paired."""
    if plays_for_chips(field.event):
        if asked := roll_call.absent_players(field):
            field.note(roll_call.ABSENT_CHECKED, players=asked)
        for player in [player for player in asked if player in departed]:
            leaving.leave_departed(field, player)
        return
    if not rounds.has_next_round(field):
        return
    gone = [entrant for entrant in field.playing if entrant.player in departed and not entrant.disqualified]
    for entrant in gone:
        leaving.step_out(field, entrant, kind=absences.GONE)
    field.note("members_checked", round=field.event.round)
    if gone:
        floor.tell(field, Notice.LEFT, players=[entrant.player for entrant in gone], round=field.event.round)


def open_check_in(field: EventState) -> bool:
    """Open check-in if it's due. True if this call opened it."""
    event, opens = field.event, field.event.check_in_at
    if event.phase is not Phase.REGISTERING or opens is None or not opens <= field.s.now < (event.starts_at or 0):
        return False
    field.save(replace(event, phase=Phase.CHECK_IN))
    field.note("check_in")
    return True


def _begin(field: EventState, *, early: bool) -> None:
    """Drop or seat no-shows and draw the first tables. Call the event off if too few entrants are left.

    Free places go to the players on the waiting list who have checked in.

    If an organiser starts it ``early``, or a Sit & Go is full, check-ins and the minimum number of players don't count.
    """
    everybody = early or field.event.format is Format.SIT_AND_GO
    structure = field.event.structure
    need = structure.playable if everybody else structure.fewest
    missed = _no_shows(field) if field.event.phase is Phase.CHECK_IN and not everybody else []
    stood_by = stand_bys.seat(field)
    for player in stood_by:
        flights.leave_other_lists(field, player)
    people = [entrant for entrant in field.entrants.values() if entrant.registered]
    if len(people) < need:
        field.note("too_few", have=len(people), need=need)
        call_off(field, reason="too_few", missed=missed)
        return
    waited = waiting_list.close(field)
    permissions.start_vouched(field)
    _draw(field, people)
    _add_chips(field)
    tables = _format_family(field).first_tables(field)
    handicaps.give(field)
    plan = [[group.round, group.match, *group.players] for group in tables]
    field.note("seats_drawn", tables=plan, missed=missed, waited=waited, stood_by=stood_by)


class FormatFamily(Protocol):
    """A module that runs the events of one family of formats."""

    def first_tables(self, field: EventState) -> list[floor.OpeningTable]:
        """Return the tables of the first round."""
        ...

    def open_table(self, field: EventState, group: floor.OpeningTable) -> None:
        """Open one of the first tables."""
        ...

    def go_on(self, field: EventState) -> bool:
        """Act on the results so far. True if the event is over."""
        ...


FAMILIES: Mapping[Family, FormatFamily] = {
    Family.FREEZEOUT: freezeout,
    Family.KNOCKOUT: knockout,
    Family.ROUNDS: rounds,
}


def _format_family(field: EventState) -> FormatFamily:
    """Return the module that runs events of this format."""
    return FAMILIES[field.event.format.family]


def _group(drawn: Sequence[Any]) -> floor.OpeningTable:
    number, match, *players = drawn
    return floor.OpeningTable(players=players, round=number, match=match)


def _open_first(field: EventState) -> bool:
    """Open some of the first tables. True if all are open and the start has been announced.

    Opening hundreds of tables in one transaction would delay the presses of all servers.
    """
    plan = field.tx.events.last_fact(field.key, ("seats_drawn", "started"))
    if plan is None or plan.kind == "started":
        return True
    waiting = set(field.unseated)
    left = [group for group in map(_group, plan.details["tables"]) if waiting.intersection(group.players)]
    for group in left[:OPENED_AT_ONCE]:
        # A player may have been eliminated since the draw.
        players = [player for player in group.players if player in waiting or is_computer(player)]
        _format_family(field).open_table(field, replace(group, players=players))
    if len(left) > OPENED_AT_ONCE:
        return False
    tables = floor.seated_at(field.spots.values())
    byes = _byes(field)
    field.note("started", tables=tables, byes=byes)
    more = {
        **_stages(field),
        **_added_by(field),
        **seeding.told(field),
        **handicaps.told(field),
        **brackets.told(field),
        "waited": plan.details.get("waited", []),
        **({"stood_by": stood_by} if (stood_by := plan.details.get("stood_by")) else {}),
    }
    tell(field, Notice.STARTED, tables=tables, byes=byes, missed=plan.details["missed"], **more)
    return True


def _byes(field: EventState) -> list[Player]:
    """Return the players without a match in the first round."""
    if field.event.format.family is Family.FREEZEOUT:
        return []  # unseated players are latecomers, who are seated next
    if field.event.format.heads_up and field.event.format is not Format.GROUPS:
        return brackets.first_byes(field)
    return field.unseated


def _stages(field: EventState) -> dict[str, object]:
    """Return the stages of a bracket's first tables; empty unless byes let some of them start in the second round."""
    if not field.event.format.heads_up:
        return {}
    stages = [knockout.stage_in(field, spot.info.match) for spot in field.spots.values()]
    return {"stages": stages} if len({tuple(stage) for stage in stages}) > 1 else {}


def _added_by(field: EventState) -> dict[str, object]:
    """Return the number of chips added to the pool, who added them, and whether they play; empty if there are none."""
    if not field.event.structure.added:
        return {}
    by = permissions.voucher(field.s, field.event)
    return {"added": field.event.structure.added, "by": by, "plays": permissions.takes_part(field, by)}


def _no_shows(field: EventState) -> list[Player]:
    """Drop no-shows or mark them as absent, depending on the structure, and return them."""
    missed = [e for e in field.entrants.values() if e.state is EntrantState.REGISTERED]
    for entrant in missed:
        field.note("no_show", player=entrant.player)
        if field.event.structure.no_show is NoShow.DROP:
            drop(field, entrant)
        else:
            field.save_entrant(replace(entrant, absent=True))
    return [entrant.player for entrant in missed]


def _draw(field: EventState, people: list[Entrant]) -> None:
    """Number all entrants by the draw (in a bracket, by seed) and start the event.

    In other formats, seeds only spread players over the tables.
    """
    s, event = field.s, field.event
    name = draws.event_id(event)
    seed = s.vault.unseal(event.sealed_seed, hand_id=name)
    entropy = [Entropy(entrant.player, entrant.cause) for entrant in people]
    order = draw([entrant.player for entrant in people], event=name, label=START, seed=seed, entropy=entropy)
    seeds = seeding.seeds_of(field, order)
    if seeds.by is not SeededBy.DRAW:
        field.note("seeded", seeded_by=seeds.by.value, seeds=[list(seed) for seed in seeds.seeds])
    if event.format.heads_up:
        order = seeds.order
    field.save(replace(field.event, phase=Phase.RUNNING, started_at=s.now, seed=seed))
    for number, player in enumerate(order, start=1):
        field.save_entrant(replace(field.entrants[Player(player)], number=number, state=EntrantState.PLAYING))


def _add_chips(field: EventState) -> None:
    if field.event.structure.added:
        add_chips(field, field.event.structure.added, cause=f"event:{field.key.number}:added")


def add_chips(field: EventState, added: int, *, cause: str) -> None:
    """Issue chips from the server into the pool, and record them in the audit log."""
    pool, guild = chips.pool_of(field.key), field.key.guild
    field.tx.ledger.issue(guild, mint="", payee=pool, chips=added, kind="added", cause=cause, at=field.s.now)
    permissions.audit_added(field, added, cause=cause)


def drop(field: EventState, entrant: Entrant) -> Entrant:
    """Withdraw an entrant and refund their fee."""
    fee = field.event.structure.fee
    if fee:
        _pay_from_pool(field, entrant.player, fee, kind="refund", cause=f"refund:{entrant.cause}")
    return field.save_entrant(replace(entrant, state=EntrantState.WITHDRAWN, seeded=0, head=0))


def _pay_from_pool(field: EventState, player: Player, amount: int, *, kind: str, cause: str) -> None:
    pool = chips.pool_of(field.key)
    field.tx.ledger.hand_over(
        field.key.guild, payer=pool, payee=player, chips=amount, kind=kind, cause=cause, at=field.s.now
    )


# while it runs


def seat_latecomer(field: EventState, entrant: Entrant) -> Entrant:
    """Give a latecomer or a re-entering player a stack. They're seated when there's a seat."""
    number = entrant.number or 1 + max((e.number for e in field.entrants.values()), default=0)
    entrant = field.save_entrant(replace(entrant, state=EntrantState.PLAYING, number=number, absent=False))
    freezeout.give_entry(field, entrant.player)
    return entrant


def _run(field: EventState) -> None:
    for spot in list(field.spots.values()):
        floor.account(field, spot)
    if _nobody_plays(field):
        call_off(field, reason="nobody_played")
        return
    floor.hold_unshown(field)
    if (waiting := roll_call.waiting(field)) is not None and field.s.now >= roll_call.ends_at(waiting):
        _end_roll_call(field, waiting, departed=[])
    if _format_family(field).go_on(field):
        _end(field)
    elif (rounds.awaits_members(field) or roll_call.absent_players(field)) and roll_call.waiting(field) is None:
        roll_call.ask(field, early=False)


def _nobody_plays(field: EventState) -> bool:
    """True for a Sit & Go if each table has finished its first hand and no human has placed a card."""
    spots = field.spots.values()
    if field.event.format is not Format.SIT_AND_GO or min((spot.info.accounted for spot in spots), default=0) != 1:
        return False
    settled = all(field.tx.results.of(spot.key, 1) for spot in spots)
    return settled and all(is_computer(player) for player in field.tx.badges.placed_in(field.key))


def pause(field: EventState, *, by: Player) -> None:
    """Pause the event, so that no new hands are dealt."""
    field.save(replace(field.event, paused=True))
    _redraw_idle(field)
    tell(field, Notice.PAUSED, by=by)


def go_on(field: EventState, *, by: Player) -> None:
    """Resume the event.

    A level counted in minutes is extended by the pause, except for time already spent on a break.
    """
    began = max((fact.at for fact in field.tx.events.facts(field.key, "paused")), default=field.s.now)
    lost = max(0, field.s.now - max(began, field.event.break_until or 0))
    level_ends_at = field.event.level_ends_at
    field.save(
        replace(field.event, paused=False, level_ends_at=None if level_ends_at is None else level_ends_at + lost)
    )
    _redraw_idle(field)
    tell(field, Notice.RESUMED, by=by)


def _redraw_idle(field: EventState) -> None:
    """Redraw the tables between hands, which show when the next one is dealt unless the event is paused."""
    for spot in field.spots.values():
        if spot.idle:
            field.s.save(spot.table)
            field.refresh(spot)


def may_move(field: EventState) -> bool:
    """True if players can change tables in the event's format."""
    return field.event.format.family is Family.FREEZEOUT


def adjust_stack(field: EventState, entrant: Entrant, *, amount: int, cause: str) -> None:
    """Give a player chips of the event, or take some. Raises Refused during their hand or if it would bust them."""
    spot = field.spot_of(entrant.player)
    if spot is not None and not spot.idle:
        raise Refused(OrganiserReason.WAIT_FOR_HAND)
    have = field.chips(entrant.player)
    if have + amount < 1:
        raise Refused(OrganiserReason.STACK_TOO_SMALL_FOR_THAT, have=have)
    purse = chips.purse_of(field.key, entrant.player)
    if amount > 0:
        floor.issue_stack(field, entrant.player, amount, cause=f"adjust:{cause}")
    if spot is not None:
        move = field.s.tx.ledger.buy_in if amount > 0 else field.s.tx.ledger.cash_out
        change = seats.chip_cause(spot.table)
        move(spot.key, entrant.player, abs(amount), cause=change, at=field.s.now, purse=purse)
        field.s.save(spot.table)
    if amount < 0:
        floor.take_stack(field, entrant.player, cause=f"adjust:{cause}", amount=-amount)


# the end


def _end(field: EventState) -> None:
    """Rank all entrants, pay the prizes, and take the event's chips back.

    If every entrant was disqualified, there's no winner, so the event is called off.
    """
    held = field.stacks()
    order, keys = rank_entrants(field, held)
    if all(entrant.disqualified for entrant in order):
        call_off(field, reason="all_disqualified" if order else "too_few")
        return
    bounties.settle(field, order[0])
    placed = field.tx.badges.placed_in(field.key)
    finals = final_places(field, order, keys)
    pool = field.tx.ledger.purse(field.key.guild, chips.pool_of(field.key))
    won = prizes_won(field, [e for e in order if not e.disqualified], finals, pool=pool)
    for entrant in order:
        place = finals[entrant.player]
        prize = won.get(entrant.player, 0)
        played = entrant.player in placed
        own = field.entrants[entrant.player]
        stack = held[entrant.player] if entrant.playing else own.out_stack
        own = replace(own, place=place, prize=prize, end_place=place, end_prize=prize)
        field.save_entrant(replace(own, played=played, out_stack=stack, move_to=None))
        if prize:
            cause = f"event:{field.key.number}:prize"
            _pay_from_pool(field, entrant.player, prize, kind="prize", cause=cause)
            if field.event.structure.added:
                permissions.audit_won(field, entrant.player, prize)
    _clear(field, reason="event_over")
    places = [entrant.player for entrant in order]
    field.note("ended", places=places)
    field.save(
        replace(
            field.event, phase=Phase.ENDED, ended_at=field.s.now, alarm_at=None, hand_for_hand=False, break_until=None
        )
    )
    earned = badges.note_event(field.s, field.event, finals, at=field.s.now)
    told: dict[str, object] = {}
    if field.event.format.family is Family.ROUNDS:
        told["final"] = rounds.build_report(field)
        last = rounds.last_begun(field)
        if last < field.event.structure.rounds:
            told["cut"] = [last, field.event.structure.rounds]
    if report := series_ends.after_event(field):
        told["series"] = report
    tell(field, Notice.ENDED, badges=[[player, badge.value] for player, badge in earned], **told)


def prizes_won(
    field: EventState, order: Sequence[Entrant], finals: Mapping[Player, int], *, pool: int
) -> dict[Player, int]:
    """Return the prizes by player. Players who share a place split the prizes of the places that they take up.

    Odd chips go to those who come first in the draw, or to the better seeds of a bracket.
    """
    if not pool or not order:
        return {}
    percent = field.payouts
    amounts = prizes(pool, percent, places=min(len(percent), len(order)))
    parts = split(amounts, [finals[entrant.player] for entrant in order])
    return {entrant.player: part for entrant, part in zip(order, parts, strict=True)}


def _clear(field: EventState, *, reason: str) -> None:
    """Close all tables and take back the chips that the event issued."""
    for spot in list(field.spots.values()):
        floor.close_table(field, spot, reason=reason)
    if plays_for_chips(field.event):
        for player in field.entrants:
            floor.take_stack(field, player, cause=f"event:{field.key.number}:end:{player}")


def call_off(field: EventState, *, reason: str, missed: Collection[Player] = (), **told: object) -> None:
    """Call the event off. Running hands are voided and fees are refunded.

    ``missed`` are the no-shows dropped at the start. ``told`` holds the notice's facts about the person who called it
    off.
    """
    if waited := waiting_list.close(field):
        told["waited"] = waited
    if missed:
        told["missed"] = list(missed)
    if back := flights.return_to_lists(field):
        told["back"] = back
    if reason not in WITHOUT_PLACE and field.event.repeat is None:
        told["again"] = True
    _clear(field, reason="event_cancelled")
    for entrant in list(field.entrants.values()):
        owed = 0 if entrant.state is EntrantState.WITHDRAWN else bounties.refund_of(field, entrant)
        if owed:
            cause = f"event:{field.key.number}:refund"
            _pay_from_pool(field, entrant.player, owed, kind="refund", cause=cause)
        field.save_entrant(replace(entrant, head=0))
    pool = chips.pool_of(field.key)
    added = field.tx.ledger.purse(field.key.guild, pool)
    if added:
        cause = f"event:{field.key.number}:added_back"
        field.tx.ledger.take_back(
            field.key.guild, mint="", payer=pool, chips=added, kind="added", cause=cause, at=field.s.now
        )
        permissions.audit_added(field, -added, cause=cause)
    field.note("called_off", reason=reason)
    seed = field.event.seed or draws.revealed_seed(field.s, field.event)
    field.save(
        replace(
            field.event,
            phase=Phase.CANCELLED,
            reason=reason,
            ended_at=field.s.now,
            alarm_at=None,
            break_until=None,
            seed=seed,
        )
    )
    if (
        reason != "too_few"
        or waited
        or missed
        or any(entrant.state is not EntrantState.WITHDRAWN for entrant in field.entrants.values())
    ):
        # If no players registered, there is no one to notify.
        tell(field, Notice.CANCELLED, reason=reason, **told)
    if reason not in WITHOUT_PLACE:
        announce_next(field)


def place_gone(s: Session, key: EventKey, *, reason: str) -> None:
    """Call off an event whose channel or server is gone."""
    field = read_field(s, key)
    if not field.event.phase.over:
        call_off(field, reason=reason)


def after_restore(s: Session, key: EventKey) -> None:
    """Prepare an event for play after a restore from a backup.

    Its draw may have been revealed and its next decks dealt since the backup, so all secrets are renewed.
    Registrations in the backup stay.
    """
    event = s.tx.events.get(key)
    if event is None or event.phase.over:
        return
    fresh = draws.commit_draw(s, event) if event.seed is None else event
    fresh = draws.decks_committed(s, fresh)
    s.tx.events.note(key, "restored", {}, actor=None, cause=None, at=s.now)
    s.tx.events.save(replace(fresh, version=event.version + 1))
    s.changed_events.add(key)
    if (fresh.commitment, fresh.board_commitment) != (event.commitment, event.board_commitment):
        draws.tell_committed(s, fresh, again=True)
