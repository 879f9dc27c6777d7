"""An event with its entrants and open tables, read together, and the standings computed from them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from bot.model.clock import MINUTE
from bot.model.events import (
    ENTRANT_MOVES,
    PHASE_MOVES,
    Entrant,
    EntrantState,
    Event,
    EventTable,
    Phase,
    WaitingPlayer,
)
from bot.model.ids import EventKey, Player, TableId, TableKey, is_computer, matches_tag
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
    grouped_bracket,
    progress,
    single,
    stage_of,
)
from bot.pure.event.pairings import Pairings
from bot.pure.event.payouts import default_payouts
from bot.pure.event.structure import Family, Format, Structure
from bot.pure.ofc.refusals import Refused
from bot.store.transaction import Tx


def event_of(s: Session, key: EventKey) -> Event:
    """Return the event. Raises Refused if it doesn't exist, and Stale if the key belongs to another event's button."""
    found = s.tx.events.get(key)
    if found is None:
        raise Refused(EventReason.NO_EVENT)
    if not matches_tag(key.tag, own=found.tag, epoch=found.epoch):
        raise Stale
    return found


@dataclass(slots=True, kw_only=True)
class TableInPlay:
    """An open table of an event, with its seats and stacks."""

    info: EventTable
    table: Table
    seats: list[Seat]
    stacks: dict[Player, int]
    pausing: bool
    """True while the pause between hands lasts."""

    @property
    def key(self) -> TableKey:
        """The table's key."""
        return self.table.key

    def read(self, s: Session) -> None:
        """Reload the table, its seats, stacks and pause."""
        key = self.key
        table = s.tx.tables.get(key)
        assert table is not None
        self.table = table
        self.seats = s.tx.tables.seats(key)
        self.stacks = s.tx.ledger.stacks(key)
        self.pausing = s.tx.timers.of(key).get(Timer.NEXT_HAND) is not None

    @property
    def idle(self) -> bool:
        """True while no hand is in progress."""
        return self.table.state is not TableState.PLAYING

    @property
    def shown(self) -> bool:
        """True if the table's message was posted, or an attempt to post its current version has ended."""
        return self.table.posted or self.table.drawn_version >= self.table.version

    @property
    def pending(self) -> bool:
        """True if a player has Fantasyland now or next, and enough players are dealt in for a hand."""
        dealt = [seat for seat in self.seats if seat.dealt_in]
        enough = len(dealt) >= max(2, self.table.terms.variant.min_seats)
        return enough and any(seat.fantasyland for seat in dealt)

    @property
    def people(self) -> list[Seat]:
        """The seats of human players."""
        return [seat for seat in self.seats if not seat.computer]


@dataclass(slots=True, kw_only=True)
class EventState:
    """An event with its entrants and open tables. Save changes through it, so that it always matches the database."""

    s: Session
    event: Event
    entrants: dict[Player, Entrant]
    spots: dict[TableId, TableInPlay]
    waiting: dict[Player, WaitingPlayer] = field(default_factory=dict)
    """The waiting list; empty after the start."""

    @property
    def tx(self) -> Tx:
        """The session's transaction."""
        return self.s.tx

    @property
    def key(self) -> EventKey:
        """The event's key."""
        return self.event.key

    @property
    def playing(self) -> list[Entrant]:
        """The entrants still in the event."""
        return [entrant for entrant in self.entrants.values() if entrant.state is EntrantState.PLAYING]

    @property
    def queue(self) -> list[WaitingPlayer]:
        """The players on the waiting list in order."""
        return sorted(self.waiting.values(), key=lambda waiting: waiting.order)

    def place_in_list(self, player: Player) -> int:
        """Return the place of a player on the waiting list, from 1."""
        return 1 + [waiting.player for waiting in self.queue].index(player)

    @property
    def full(self) -> bool:
        """True if a Sit & Go has enough entrants to start."""
        registered = sum(entrant.registered for entrant in self.entrants.values())
        return self.event.format is Format.SIT_AND_GO and registered >= self.event.structure.most

    @property
    def contested(self) -> bool:
        """True while at least two entrants are left, at least one of them human."""
        left = self.playing
        return len(left) > 1 and not all(is_computer(entrant.player) for entrant in left)

    @property
    def seated(self) -> set[Player]:
        """The players with a seat."""
        return {seat.player for spot in self.spots.values() for seat in spot.seats}

    @property
    def unseated(self) -> list[Player]:
        """The players still in the event but without a seat."""
        seated = self.seated
        return [entrant.player for entrant in self.playing if entrant.player not in seated]

    @property
    def has_bracket(self) -> bool:
        """True after the bracket or the groups were drawn."""
        return self.event.format.heads_up and self.event.started_at is not None

    @property
    def payouts(self) -> tuple[int, ...]:
        """Each place's percentage of the pool. The default depends on the number of entries so far."""
        taking_part = (e for e in self.entrants.values() if e.state is not EntrantState.WITHDRAWN)
        return self.event.structure.payouts or default_payouts(sum(entrant.entries for entrant in taking_part))

    @property
    def on_heads(self) -> int:
        """Chips of the pool that are currently in bounties."""
        return sum(entrant.head for entrant in self.entrants.values() if not entrant.forfeits_head)

    def chips(self, player: Player) -> int:
        """Return a player's chips in the event, including those in their purse."""
        at_tables = sum(spot.stacks.get(player, 0) for spot in self.spots.values())
        return at_tables + self.tx.ledger.purse(self.key.guild, purse_of(self.key, player))

    def stacks(self) -> Counter[Player]:
        """Return every player's chips in the event, including those in purses, which take a single query."""
        held = Counter(self.tx.entrants.purses_in(self.key))
        for spot in self.spots.values():
            held.update(spot.stacks)
        return held

    def spot_of(self, player: Player) -> TableInPlay | None:
        """Return the player's table; None if they have no seat."""
        for spot in self.spots.values():
            if any(seat.player == player for seat in spot.seats):
                return spot
        return None

    def save(self, event: Event) -> None:
        """Save the event and redraw its message. Checks that the phase may change this way."""
        if event != self.event:
            check_move(PHASE_MOVES, self.event.phase, event.phase)
            self.event = event
            self.show()

    def show(self) -> None:
        """Queue the event's message for redrawing, because its entrants, tables or stacks have changed."""
        self.event = replace(self.event, version=self.event.version + 1)
        self.tx.events.save(self.event)
        self.s.changed_events.add(self.key)

    def save_entrant(self, entrant: Entrant) -> Entrant:
        """Save and return an entrant. Checks that their state may change this way."""
        before = self.entrants.get(entrant.player)
        if entrant != before:
            if before is not None:
                check_move(ENTRANT_MOVES, before.state, entrant.state)
            self.tx.entrants.save(self.key, entrant)
            self.entrants[entrant.player] = entrant
        return entrant

    def save_waiting(self, waiting: WaitingPlayer) -> WaitingPlayer:
        """Save and return a player's place on the waiting list."""
        self.tx.waiting.save(self.key, waiting)
        self.waiting[waiting.player] = waiting
        return waiting

    def remove_waiting(self, player: Player) -> None:
        """Remove a player from the waiting list."""
        self.tx.waiting.remove(self.key, player)
        del self.waiting[player]

    def save_info(self, spot: TableInPlay, info: EventTable) -> None:
        """Save the event's data on a table."""
        if info != spot.info:
            self.tx.entrants.save_event_table(self.key, info)
            spot.info = info

    def note(self, kind: str, *, actor: Player | None = None, cause: str | None = None, **details: object) -> None:
        """Write a fact to the event's log."""
        self.tx.events.note(self.key, kind, details, actor=actor, cause=cause, at=self.s.now)

    def refresh(self, spot: TableInPlay) -> None:
        """Reload a table after it was changed in the database."""
        spot.read(self.s)


def read_field(s: Session, key: EventKey) -> EventState:
    """Load the event with its entrants and open tables. Raises Refused or Stale like :func:`event_of`."""
    event = event_of(s, key)
    entrants = {entrant.player: entrant for entrant in s.tx.entrants.of(key)}
    waiting = {one.player: one for one in s.tx.waiting.of(key)} if event.phase.before else {}
    field = EventState(s=s, event=event, entrants=entrants, spots={}, waiting=waiting)
    for on in s.tx.entrants.floor(key):
        field.spots[on.info.table] = TableInPlay(
            info=on.info, table=on.table, seats=on.seats, stacks=on.stacks, pausing=on.pausing
        )
    return field


def plays_for_chips(event: Event) -> bool:
    """True if stacks decide the event. Leagues and duplicate events count points instead."""
    return event.structure.format.family is not Family.ROUNDS


# Times when the director checks an event even if nothing has happened.

SOON_MS = 10 * MINUTE
"""Time before the start at which entrants are called."""
DOUBT_MS = 2 * MINUTE
"""Time before the start at which the organiser is asked, if players are missing or too few."""
ONE_CALL_MS = 15 * MINUTE
"""If check-in opens at most this long before the start, entrants are called only once, when it opens."""
LOOK_MS = 10 * MINUTE
"""Maximum time between the director's checks on a running event. Most checks are triggered by changes instead."""


def call_at(event: Event) -> int:
    """Return when entrants are called before the start (ms); 0 for an event without a start time."""
    if event.starts_at is None:
        return 0
    opens = event.check_in_at
    return opens if opens is not None and event.starts_at - opens <= ONE_CALL_MS else event.starts_at - SOON_MS


def doubt_at(event: Event) -> int | None:
    """Return when the organiser is asked about missing players (ms); None for an event without a start time.

    An event that's announced later than that asks nothing.
    """
    if event.starts_at is None or event.created_at >= event.starts_at - DOUBT_MS:
        return None
    return event.starts_at - DOUBT_MS


def next_alarm(event: Event, *, now: int) -> int | None:
    """Return the next time at which something is due (ms); None if nothing is."""
    if event.phase.over:
        return None
    if event.phase is Phase.RUNNING:
        # A pause stops the clocks. Anything due during it is checked when it ends.
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


# The standings at any time.


def ranking(field: EventState) -> list[Entrant]:
    """Return the entrants in the order of :func:`rank_entrants`."""
    order, _ = rank_entrants(field)
    return order


def rank_entrants(
    field: EventState, held: Mapping[Player, int] | None = None
) -> tuple[list[Entrant], dict[Player, Key]]:
    """Return all entrants except those who withdrew, the leader first, and their ranking keys.

    A freezeout ranks by chips, then by later elimination. Players eliminated together rank by their stacks at the start
    of that hand, then, unless equals share a place, clockwise from the button. A bracket ranks by rounds reached, then
    by seed. Players who don't get past their group rank by their place in the group, then by matches won. A shoot-out
    ranks by tables won, then by hands survived, then by chips. Leagues and duplicate events rank by points. Duplicate
    events break ties by match points, Swiss leagues by the opponents' points. Equal players are listed in the order of
    the draw.

    Disqualified players come last and have no keys. After final places are set, the keys are empty. ``held`` holds
    every player's chips, to avoid reading them again.
    """
    people = [entrant for entrant in field.entrants.values() if entrant.state is not EntrantState.WITHDRAWN]
    if people and all(entrant.place for entrant in people):
        return sorted(people, key=lambda entrant: (entrant.place, entrant.number)), {}
    fair = [entrant for entrant in people if not entrant.disqualified]
    rest = sorted((e for e in people if e.disqualified), key=lambda e: (-e.out_moment, e.number))
    keys = ranking_keys(field, fair, held)
    return [*sorted(fair, key=lambda entrant: (keys[entrant.player], entrant.number)), *rest], keys


def final_places(field: EventState, order: Sequence[Entrant], keys: Mapping[Player, Key]) -> dict[Player, int]:
    """Return the places at the end of an event, from 1, given the result of :func:`rank_entrants`.

    If equal players share a place, the next place counts all of them.
    """
    shared = ranks(keys) if field.event.structure.shares_places else {}
    return {entrant.player: shared.get(entrant.player, (at, False))[0] for at, entrant in enumerate(order, start=1)}


def by_draw(field: EventState) -> set[Player]:
    """Return the players of a finished event whose place among equals was decided only by the draw or their seed."""
    if field.event.phase is not Phase.ENDED:
        return set()
    people = [e for e in field.entrants.values() if e.state is not EntrantState.WITHDRAWN and not e.disqualified]
    alike: dict[Key, list[Player]] = defaultdict(list)
    at_the_end = {entrant.player: entrant.out_stack for entrant in people}
    for player, key in ranking_keys(field, people, at_the_end).items():
        alike[key].append(player)
    places = {entrant.player: entrant.place for entrant in people}
    # Players who share a place weren't separated.
    drawn = [players for players in alike.values() if len({places[player] for player in players}) > 1]
    return {player for players in drawn for player in players}


Key = tuple[float, ...]
"""A player's ranking key without the draw, smallest first. During the event, players with equal keys share a rank."""


def ranking_keys(
    field: EventState, people: Sequence[Entrant], held: Mapping[Player, int] | None = None
) -> dict[Player, Key]:
    """Return the ranking key of each of ``people``. None of them may be disqualified.

    For ``held``, see :func:`rank_entrants`.
    """
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
    held = held or field.stacks()
    orders = {e.player: 0 if field.event.structure.shares_places else e.out_order for e in people}
    if form is Format.SHOOTOUT:
        stacks = {e.player: held[e.player] if e.playing else e.out_stack for e in people}
        return {e.player: (not e.playing, -e.score, -e.hands, -stacks[e.player], orders[e.player]) for e in people}
    return {e.player: _freezeout_key(e, held, orders[e.player]) for e in people}


def _shares(field: EventState, people: Sequence[Entrant]) -> dict[Player, float]:
    """Return the tie-break for equal scores: match points in duplicate events, opponents' scores in Swiss leagues.

    Empty if no scores are equal or the event has no such tie-break.
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
    """True if a disqualification can still be undone: before the start, or until the player is out of play."""
    return entrant.disqualified and not event.phase.over and (entrant.playing or event.phase.before)


def ranks(keys: Mapping[Player, Key]) -> dict[Player, tuple[int, bool]]:
    """Return each player's rank, counted from 1, and True if others share it."""
    counts = Counter(keys.values())
    first, before = dict[Key, int](), 0
    for key in sorted(counts):
        first[key] = before + 1
        before += counts[key]
    return {player: (first[key], counts[key] > 1) for player, key in keys.items()}


def _freezeout_key(entrant: Entrant, held: Mapping[Player, int], order: int) -> Key:
    if entrant.playing:
        return False, -held[entrant.player], 0, 0
    return True, -entrant.out_moment, -entrant.out_stack, order


@lru_cache(maxsize=64)
def build_bracket(structure: Structure, seeds: int) -> Bracket:
    """Return the bracket for ``seeds`` players."""
    if structure.format is Format.GROUPS:
        return grouped_bracket(seeds, groups=structure.groups, through=structure.through)
    seeds = max(2, seeds)
    return double(seeds) if structure.format is Format.DOUBLE else single(seeds, third=structure.third_place)


def bracket_progress(field: EventState) -> Progress:
    """Return the bracket's state after the matches played so far."""
    winners, seeds = match_winners(field), sum(entrant.number > 0 for entrant in field.entrants.values())
    return _compute_progress(field.event.structure, seeds, frozenset(winners.items()))


def match_winners(field: EventState) -> dict[int, int]:
    """Return the winning seeds of the matches played so far."""
    seeds = {entrant.player: entrant.number for entrant in field.entrants.values() if entrant.number}
    return {match: seeds[winner] for match, winner in field.tx.entrants.matches(field.key).items()}


@lru_cache(maxsize=64)
def _compute_progress(structure: Structure, seeds: int, winners: frozenset[tuple[int, int]]) -> Progress:
    """Return the progress, which is cached because each check needs it often and it changes only when a match ends."""
    return progress(build_bracket(structure, seeds), dict(winners))


def next_match(field: EventState, seed: int, made: Progress | None = None) -> dict[str, object]:
    """Return facts about the next match of the player with that ``seed``; empty if they have none.

    ``opponent`` is the opponent, if known. If the opponent comes from another match, ``of`` lists that match's known
    players, and ``loses`` is True if its loser is the opponent.
    """
    made = made or bracket_progress(field)
    people = {entrant.number: entrant.player for entrant in field.entrants.values() if entrant.number}
    if seed not in made.coming:
        # A player who has finished their group waits for the other groups and the bracket.
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


def _named(field: EventState, match: Match) -> tuple[Stage, int]:
    return stage_of(bracket_in(field), match.number)


def bracket_in(field: EventState) -> Bracket:
    """Return the bracket of an event that has started."""
    drawn = sum(entrant.number > 0 for entrant in field.entrants.values())
    return build_bracket(field.event.structure, drawn)
