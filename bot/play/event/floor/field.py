"""All that the director looks at, read once: an event, its people with their places, and the tables that still play."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from bot.model.clock import MINUTE
from bot.model.events import ENTRANT_MOVES, PHASE_MOVES, Entrant, EntrantState, Event, EventTable, Phase
from bot.model.ids import EventKey, Player, TableId, TableKey, is_computer, is_meant
from bot.model.moves import check_move
from bot.model.reasons import EventReason
from bot.model.refusals import Stale
from bot.model.tables import Seat, Table, TableState, Timer
from bot.play.event.floor import sheets
from bot.play.session.chips import purse_of
from bot.play.session.session import Session
from bot.pure.event.bracket import (
    Bracket,
    LoserOf,
    Match,
    Progress,
    Seed,
    Stage,
    WinnerOf,
    double,
    grouped,
    progress,
    single,
    stage_of,
)
from bot.pure.event.pairings import Pairings
from bot.pure.event.payouts import usual_payouts
from bot.pure.event.structure import Family, Format, Structure
from bot.pure.ofc.refusals import Refused
from bot.store.transaction import Tx


def event_of(s: Session, key: EventKey) -> Event:
    """The event; raises Refused, or Stale for a button that was drawn for another one."""
    found = s.tx.events.get(key)
    if found is None:
        raise Refused(EventReason.NO_EVENT)
    if not is_meant(key.tag, own=found.tag, epoch=found.epoch):
        raise Stale
    return found


@dataclass(slots=True, kw_only=True)
class TableInPlay:
    """A table that still plays: what the event knows of it, the table itself, and its seats and stacks."""

    info: EventTable
    table: Table
    seats: list[Seat]
    stacks: dict[Player, int]
    pausing: bool
    """True while the pause after a hand lasts."""

    @property
    def key(self) -> TableKey:
        """Of the table."""
        return self.table.key

    def read(self, s: Session) -> None:
        """Read it again."""
        key = self.key
        table = s.tx.tables.get(key)
        assert table is not None
        self.table = table
        self.seats = s.tx.tables.seats(key)
        self.stacks = s.tx.ledger.stacks(key)
        self.pausing = s.tx.timers.of(key).get(Timer.NEXT_HAND) is not None

    @property
    def idle(self) -> bool:
        """True while no hand runs."""
        return self.table.state is not TableState.PLAYING

    @property
    def shown(self) -> bool:
        """True when a message shows it, or when none can: its players could be called as well as may be."""
        return self.table.posted or self.table.drawn_version >= self.table.version

    @property
    def pending(self) -> bool:
        """True while somebody is in Fantasyland, or is dealt it next, and has opponents."""
        dealt = [seat for seat in self.seats if seat.dealt_in]
        enough = len(dealt) >= max(2, self.table.terms.variant.min_seats)
        return enough and any(seat.fantasyland for seat in dealt)

    @property
    def people(self) -> list[Seat]:
        """The seats that are not computers'."""
        return [seat for seat in self.seats if not seat.computer]


@dataclass(slots=True, kw_only=True)
class Field:
    """An event with its people and open tables. Changes go through it, so that it stays what the database holds."""

    s: Session
    event: Event
    entrants: dict[Player, Entrant]
    spots: dict[TableId, TableInPlay]

    @property
    def tx(self) -> Tx:
        """The transaction, with what it keeps of events."""
        return self.s.tx

    @property
    def key(self) -> EventKey:
        """Of the event."""
        return self.event.key

    @property
    def playing(self) -> list[Entrant]:
        """Those who can still win."""
        return [entrant for entrant in self.entrants.values() if entrant.state is EntrantState.PLAYING]

    @property
    def full(self) -> bool:
        """True for a Sit & Go that has all its people: it starts."""
        registered = sum(entrant.registered for entrant in self.entrants.values())
        return self.event.format is Format.SIT_AND_GO and registered >= self.event.structure.most

    @property
    def contested(self) -> bool:
        """True while it is open who wins: two or more are left, and not computers alone."""
        left = self.playing
        return len(left) > 1 and not all(is_computer(entrant.player) for entrant in left)

    @property
    def seated(self) -> set[Player]:
        """Those who have a seat."""
        return {seat.player for spot in self.spots.values() for seat in spot.seats}

    @property
    def unseated(self) -> list[Player]:
        """Those who can still win and have no seat."""
        seated = self.seated
        return [entrant.player for entrant in self.playing if entrant.player not in seated]

    @property
    def has_bracket(self) -> bool:
        """True once its bracket was drawn, or its groups were."""
        return self.event.format.heads_up and self.event.started_at is not None

    @property
    def payouts(self) -> tuple[int, ...]:
        """Percent of the pool by place, for the entries so far."""
        taking_part = (e for e in self.entrants.values() if e.state is not EntrantState.WITHDRAWN)
        return self.event.structure.payouts or usual_payouts(sum(entrant.entries for entrant in taking_part))

    @property
    def on_heads(self) -> int:
        """The chips of the pool that lie on heads as bounties."""
        return sum(entrant.head for entrant in self.entrants.values() if not entrant.forfeits_head)

    def chips(self, player: Player) -> int:
        """A player's chips in the event, at tables and between them."""
        at_tables = sum(spot.stacks.get(player, 0) for spot in self.spots.values())
        return at_tables + self.tx.ledger.purse(self.key.guild, purse_of(self.key, player))

    def stacks(self) -> Counter[Player]:
        """The same of everybody, read at once."""
        held = Counter(self.tx.entrants.purses_in(self.key))
        for spot in self.spots.values():
            held.update(spot.stacks)
        return held

    def spot_of(self, player: Player) -> TableInPlay | None:
        """Where a player sits."""
        for spot in self.spots.values():
            if any(seat.player == player for seat in spot.seats):
                return spot
        return None

    def save(self, event: Event) -> None:
        """Save the event as it is from now on."""
        if event != self.event:
            check_move(PHASE_MOVES, self.event.phase, event.phase)
            self.event = event
            self.show()

    def show(self) -> None:
        """Let its message be drawn again: its people, tables or stacks have changed."""
        self.event = replace(self.event, version=self.event.version + 1)
        self.tx.events.save(self.event)
        self.s.changed_events.add(self.key)

    def save_entrant(self, entrant: Entrant) -> Entrant:
        """Save one of its people as they are from now on; returns them."""
        before = self.entrants.get(entrant.player)
        if entrant != before:
            if before is not None:
                check_move(ENTRANT_MOVES, before.state, entrant.state)
            self.tx.entrants.save(self.key, entrant)
            self.entrants[entrant.player] = entrant
        return entrant

    def save_info(self, spot: TableInPlay, info: EventTable) -> None:
        """Save what the event knows of a table from now on."""
        if info != spot.info:
            self.tx.entrants.save_event_table(self.key, info)
            spot.info = info

    def note(self, kind: str, *, actor: Player | None = None, cause: str | None = None, **details: object) -> None:
        """Write a fact into the event's log."""
        self.tx.events.note(self.key, kind, details, actor=actor, cause=cause, at=self.s.now)

    def refresh(self, spot: TableInPlay) -> None:
        """Read a table again, so that the spot is what the database holds."""
        spot.read(self.s)


def read_field(s: Session, key: EventKey) -> Field:
    """The event as it stands in this transaction; raises Refused."""
    event = event_of(s, key)
    entrants = {entrant.player: entrant for entrant in s.tx.entrants.of(key)}
    field = Field(s=s, event=event, entrants=entrants, spots={})
    for on in s.tx.entrants.floor(key):
        field.spots[on.info.table] = TableInPlay(
            info=on.info, table=on.table, seats=on.seats, stacks=on.stacks, pausing=on.pausing
        )
    return field


def plays_for_chips(event: Event) -> bool:
    """True where stacks decide; leagues and duplicate events count points."""
    return event.structure.format.family is not Family.ROUNDS


# When the director looks at an event whatever happens until then.

SOON_MS = 10 * MINUTE
"""So long before the start people are called."""
ONE_CALL_MS = 15 * MINUTE
"""Where check-in opens no earlier before the start, people are called once, for both."""
LOOK_MS = 10 * MINUTE
"""The director looks at a running event at least this often, although whatever happens in it has it looked at."""


def call_at(event: Event) -> int:
    """When people are called before the start, in milliseconds; 0 for an event without a start time."""
    if event.starts_at is None:
        return 0
    opens = event.check_in_at
    return opens if opens is not None and event.starts_at - opens <= ONE_CALL_MS else event.starts_at - SOON_MS


def next_alarm(event: Event, *, now: int) -> int | None:
    """When something is due by the clock, in milliseconds."""
    if event.phase.over:
        return None
    if event.phase is Phase.RUNNING:
        # A pause stops the clocks: what was due in it is looked at when it is over.
        due = [now + LOOK_MS] if event.paused else [event.level_ends_at, event.break_until, now + LOOK_MS]
        return max(now + 1, min(at for at in due if at is not None))
    if event.starts_at is None:
        return None
    times = [event.starts_at]
    if not event.reminded:
        times.append(call_at(event))
    if event.phase is Phase.REGISTERING and event.check_in_at is not None:
        times.append(event.check_in_at)
    return max(now + 1, min(times))


# The standings: a total order of an event's people, at any time.


def ranking(field: Field) -> list[Entrant]:
    """The order that :func:`ranked` tells."""
    order, _ = ranked(field)
    return order


def ranked(field: Field, held: Mapping[Player, int] | None = None) -> tuple[list[Entrant], dict[Player, Key]]:
    """Everybody who takes part, the first in front; disqualified players come last.

    Freezeout: by chips, then by being put out later; those put out together by their chips at the start of that hand,
    then clockwise from the button. Bracket: by how far one came, then by seed; whoever stays behind in a
    group by the place there, then by matches won. Shoot-out: by tables won, then by hands survived, then by chips.
    League and duplicate: by points; in a duplicate event then by match points, in a Swiss league by the opponents'
    points. What is still equal is decided by the draw. Returned with it is what ranks those who are not disqualified;
    nothing once all have their places. ``held`` is everybody's chips, where they were read already.
    """
    people = [entrant for entrant in field.entrants.values() if entrant.state is not EntrantState.WITHDRAWN]
    if people and all(entrant.place for entrant in people):
        return sorted(people, key=lambda entrant: (entrant.place, entrant.number)), {}
    fair = [entrant for entrant in people if not entrant.disqualified]
    rest = sorted((e for e in people if e.disqualified), key=lambda e: (-e.out_moment, e.number))
    keys = keys_of(field, fair, held)
    return [*sorted(fair, key=lambda entrant: (keys[entrant.player], entrant.number)), *rest], keys


def by_draw(field: Field) -> set[Player]:
    """Those of an event that is over whose place the draw, or the seed, alone decided."""
    if field.event.phase is not Phase.ENDED:
        return set()
    people = [e for e in field.entrants.values() if e.state is not EntrantState.WITHDRAWN and not e.disqualified]
    alike: dict[Key, list[Player]] = defaultdict(list)
    at_the_end = {entrant.player: entrant.out_stack for entrant in people}
    for player, key in keys_of(field, people, at_the_end).items():
        alike[key].append(player)
    places = {entrant.player: entrant.place for entrant in people}
    # Those who share a place weren't separated.
    drawn = [players for players in alike.values() if len({places[player] for player in players}) > 1]
    return {player for players in drawn for player in players}


Key = tuple[float, ...]
"""What ranks a player, the smallest first, without the draw: those with equal keys share a rank while it is played."""


def keys_of(field: Field, people: Sequence[Entrant], held: Mapping[Player, int] | None = None) -> dict[Player, Key]:
    """What ranks each of these players, who are not disqualified; ``held`` as in :func:`ranked`."""
    form = field.event.format
    if field.has_bracket:
        running = [e for e in people if e.playing and field.event.phase is Phase.RUNNING]
        stacks = (held or field.stacks()) if running else {}
        chips = {e.number: stacks[e.player] for e in running}
        made = bracket_progress(field)
        return {e.player: made.rank(e.number, chips) for e in people}
    if form.family is Family.ROUNDS:
        shares = _shares(field, people)
        return {e.player: (-e.score, -shares.get(e.player, 0)) for e in people}
    if form is Format.SHOOTOUT:
        held = held or field.stacks()
        stacks = {e.player: held[e.player] if e.playing else e.out_stack for e in people}
        return {e.player: (not e.playing, -e.score, -e.hands, -stacks[e.player], e.out_order) for e in people}
    held = held or field.stacks()
    return {e.player: _freezeout_key(e, held) for e in people}


def _shares(field: Field, people: Sequence[Entrant]) -> dict[Player, float]:
    """What decides between equal scores: a duplicate event's match points, in a Swiss league the opponents' scores.

    Nothing where none are equal.
    """
    by_met = field.event.structure.pairings is Pairings.SWISS
    if len({entrant.score for entrant in people}) == len(people) or not (by_met or field.event.hides_shared_decks):
        return {}
    if by_met:
        scores = {entrant.player: entrant.score for entrant in field.entrants.values()}
        return {**sheets.opposition(sheets.sat_together(field.tx, field.event), scores)}
    made = sheets.scores(field.tx, field.event)
    return {entrant.player: float(made.total(entrant.player).share) for entrant in people}


def reinstatable(event: Event, entrant: Entrant) -> bool:
    """True as long as a disqualification has had no effect that stays: before the start, and until they leave."""
    return entrant.disqualified and (entrant.playing or event.phase.before)


def ranks(keys: Mapping[Player, Key]) -> dict[Player, tuple[int, bool]]:
    """The place of each, from 1, and whether others share it."""
    counts = Counter(keys.values())
    first, before = dict[Key, int](), 0
    for key in sorted(counts):
        first[key] = before + 1
        before += counts[key]
    return {player: (first[key], counts[key] > 1) for player, key in keys.items()}


def _freezeout_key(entrant: Entrant, held: Mapping[Player, int]) -> Key:
    if entrant.playing:
        return False, -held[entrant.player], 0, 0
    return True, -entrant.out_moment, -entrant.out_stack, entrant.out_order


@lru_cache(maxsize=64)
def bracket_of(structure: Structure, seeds: int) -> Bracket:
    """The bracket of so many."""
    if structure.format is Format.GROUPS:
        return grouped(seeds, groups=structure.groups, through=structure.through)
    seeds = max(2, seeds)
    return double(seeds) if structure.format is Format.DOUBLE else single(seeds, third=structure.third_place)


def bracket_progress(field: Field) -> Progress:
    """How far a bracket has come."""
    seeds = {entrant.player: entrant.number for entrant in field.entrants.values() if entrant.number}
    winners = frozenset((match, seeds[winner]) for match, winner in field.tx.entrants.matches(field.key).items())
    return _progress_of(field.event.structure, len(seeds), winners)


@lru_cache(maxsize=64)
def _progress_of(structure: Structure, seeds: int, winners: frozenset[tuple[int, int]]) -> Progress:
    """Each look at an event asks for it several times, and it changes with a match's end."""
    return progress(bracket_of(structure, seeds), dict(winners))


def next_match(field: Field, seed: int, made: Progress | None = None) -> dict[str, object]:
    """Whom the player with that seed meets next, as plain values; empty where they meet nobody any more.

    Either ``opponent``, or ``of`` with those of another match who are known, and ``loses``: whether its loser comes.
    """
    made = made or bracket_progress(field)
    people = {entrant.number: entrant.player for entrant in field.entrants.values() if entrant.number}
    if seed not in made.coming:
        # Whoever has played all of a group waits for the others, and for the bracket.
        waits = not made.drawn and field.entrants[people[seed]].playing
        return {"stage": [Stage.GROUP.value, 0]} if waits else {}
    match, source = made.coming[seed]
    told: dict[str, object] = {
        "stage": [stage.value if isinstance(stage, Stage) else stage for stage in _named(field, match)]
    }
    if isinstance(source, Seed):
        return {**told, "opponent": people[source.number]}
    if isinstance(source, WinnerOf | LoserOf):
        before = [seed for seed, (coming, _) in made.coming.items() if coming.number == source.match]
        told |= {"of": [people[one] for one in sorted(before)], "loses": isinstance(source, LoserOf)}
    return told


def _named(field: Field, match: Match) -> tuple[Stage, int]:
    return stage_of(bracket_in(field), match.number)


def bracket_in(field: Field) -> Bracket:
    """The bracket of an event that has begun."""
    drawn = sum(entrant.number > 0 for entrant in field.entrants.values())
    return bracket_of(field.event.structure, drawn)
