"""Values of community events. Times are milliseconds since 1970."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from bot.model.clock import MINUTE, Clock
from bot.model.ids import EventKey, GuildId, Player, TableId, make_tag
from bot.model.tables import Seat, Table, WaitReason
from bot.pure.event.structure import Format, Structure
from bot.pure.ofc.variants import Variant


class Phase(Enum):
    """Phase of an event."""

    REGISTERING = "registering"
    CHECK_IN = "check_in"
    RUNNING = "running"
    ENDED = "ended"
    CANCELLED = "cancelled"

    @property
    def over(self) -> bool:
        """True if the event is finished or cancelled."""
        return self in (Phase.ENDED, Phase.CANCELLED)

    @property
    def before(self) -> bool:
        """True before the event's start."""
        return self in (Phase.REGISTERING, Phase.CHECK_IN)


PHASE_MOVES: Final[Mapping[Phase, frozenset[Phase]]] = {
    Phase.REGISTERING: frozenset((Phase.CHECK_IN, Phase.RUNNING, Phase.CANCELLED)),
    Phase.CHECK_IN: frozenset((Phase.REGISTERING, Phase.RUNNING, Phase.CANCELLED)),
    Phase.RUNNING: frozenset((Phase.ENDED, Phase.CANCELLED)),
    Phase.ENDED: frozenset(),
    Phase.CANCELLED: frozenset(),
}
"""Allowed transitions. An event starts with registration. Postponing it closes check-in again."""


class RepeatInterval(Enum):
    """How often an event repeats."""

    DAY = "day"
    WEEK = "week"
    FORTNIGHT = "fortnight"


DAYS: Final[Mapping[RepeatInterval, int]] = {
    RepeatInterval.DAY: 1,
    RepeatInterval.WEEK: 7,
    RepeatInterval.FORTNIGHT: 14,
}


LISTED_REPEATING: Final = ":repeats"
"""Suffix of the text stored for a Discord scheduled event that repeats automatically."""
HANDED_ON: Final = "next"
"""Text stored once the scheduled event has passed to the next event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat:
    """Schedule of a repeating event."""

    every: RepeatInterval
    zone: str
    """Time zone, such as ``Asia/Tokyo``."""
    minute: int
    """Local time of the start, in minutes since midnight."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormerDecks:
    """An event's commitment to its decks from before a restore. It's revealed at the end, like its replacement."""

    epoch: str
    commitment: bytes
    sealed: bytes


class Notice(Enum):
    """Kinds of event messages that are posted once, in order."""

    CHECK_IN = "check_in"
    SOON = "soon"
    """The event starts soon. Pings registered and interested players."""
    MISSING = "missing"
    """Shortly before the start, players are missing or too few. Pings the organiser."""
    STARTED = "started"
    """The event has started. Includes the draw."""
    LEVEL = "level"
    BREAK = "break"
    RESUMED = "resumed"
    PAUSED = "paused"
    MOVED = "moved"
    """Players were moved or seated. Pings them."""
    OUT = "out"
    MATCH = "match"
    """The winner of a bracket match, and what's next for both players."""
    HAND_FOR_HAND = "hand_for_hand"
    FINAL_TABLE = "final_table"
    ROUND = "round"
    SHEET = "sheet"
    """Results of a deck in a duplicate event, posted after all tables have played it."""
    COMMITTED = "committed"
    """Commitments to the draws and any shared decks. Posted once, and again after a restore."""
    VOUCH = "vouch"
    """Not posted. Before anything else is shown, checks the permissions of the manager who vouches for prizes."""
    ROLL_CALL = "roll_call"
    """Not posted. The start waits until Discord has reported which entrants have left the server."""
    LEFT = "left"
    """Entrants who left the server before the start. Pings the organiser."""
    SAID = "said"
    """An organiser's announcement."""
    CALLED = "called"
    """An organiser pinged players to check in, come to their table, or come back to it."""
    CHANGED = "changed"
    """An organiser changed the event. Pings the registered players affected."""
    OFFERED = "offered"
    """A place is free. Pings the players on the waiting list who can take it."""
    RULING = "ruling"
    """An organiser's decision about a player or about co-organisers."""
    ENDED = "ended"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A message about an upcoming step, which is edited once the step's time has come."""

    notice: Notice
    at: int
    """The announced time (ms)."""
    message: int
    channel: int | None = None
    """Channel of the message; None for the event's channel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Current state of an event."""

    key: EventKey
    name: str
    organiser: Player
    helpers: tuple[Player, ...] = ()
    """Co-organisers."""
    channel: int
    language: str
    variant: Variant
    structure: Structure
    clock: Clock
    series: str = ""
    """Name of the event's series, which shares a leaderboard; empty for none."""
    description: str = ""
    """Organiser's description; empty for none."""
    page: str = ""
    """The last part of the address of the event's public web page; empty for no page."""
    phase: Phase = Phase.REGISTERING
    starts_at: int | None
    """The start; None for a sit & go."""
    created_at: int
    started_at: int | None = None
    ended_at: int | None = None
    reason: str = ""
    """Reason for the cancellation, as a key of ``data/text`` under ``event.cancelled``."""
    commitment: bytes
    """Commitment to the seed of the draws, made before anyone registers."""
    sealed_seed: bytes
    seed: bytes | None = None
    """The seed, which is public from the first draw on."""
    kept_draw: bytes | None = None
    """The draw's names and entropy, encrypted with the seed, as long as the record must survive a deletion."""
    level: int = 0
    """Current level, from 0."""
    level_ends_at: int | None = None
    """End of a timed level; None if levels are counted in hands."""
    breaks: int = 0
    """Number of breaks that have started, including any skipped on the bubble."""
    break_until: int | None = None
    paused: bool = False
    round: int = 0
    """Current round, from 1; 0 before the first round or if there are no rounds."""
    round_began_at: int | None = None
    moment: int = 0
    """Counter of moments. Players eliminated at the same moment were eliminated together."""
    hand_for_hand: bool = False
    final_table: bool = False
    """True if the final table has been announced."""
    board: int = 0
    """Number of decks dealt so far in a duplicate event."""
    compared: int = 0
    """Number of the last deck compared in a duplicate event."""
    epoch: str = ""
    """Name of the period since the last restore, used in the names of the draws; empty before the first restore."""
    decks_epoch: str = ""
    """Like ``epoch``, but used in the names of the decks."""
    board_commitment: bytes = b""
    """Commitment to the seed behind all tables' decks; empty for events that predate it."""
    board_sealed: bytes = b""
    former_decks: tuple[FormerDecks, ...] = ()
    """Decks that were replaced, oldest first."""
    reminded: bool = False
    """True if the reminder of the start has been sent."""
    calls: tuple[Call, ...] = ()
    """Messages in the event's channel about upcoming steps, oldest first."""
    alarm_at: int | None = None
    """When the director runs next (ms) if nothing happens before then."""
    version: int = 0
    drawn_version: int = 0
    message: int | None = None
    """The event's message."""
    scheduled: int | None = None
    """Id of Discord's scheduled event."""
    scheduled_as: str = ""
    """Text last sent to Discord, in its author's encoding."""
    desk_channel: int | None = None
    """Channel of the organisers' permanent desk; None for none."""
    desk_message: int | None = None
    """Message of that desk."""
    repeat: Repeat | None = None
    """Schedule of the next event; None if the event doesn't repeat or the next one has already been announced."""
    repeats_as: str = ""
    """The name of the event's repetition in calendars, taken from the event that started it.

    Empty if there was no repetition, and once the next event has been announced.
    """
    repeats_changes: int = 0
    """Number of changes to previous events of the same repetition."""

    @property
    def listed_repeating(self) -> bool:
        """True if Discord's scheduled event repeats automatically, so that the next event takes it over."""
        return self.scheduled is not None and self.scheduled_as.endswith(LISTED_REPEATING)

    @property
    def tag(self) -> str:
        """Six hex digits for the event's buttons, which distinguish it from another event with the same number."""
        return make_tag(f"{self.key.guild}/event/{self.key.number}", self.created_at, self.epoch)

    @property
    def format(self) -> Format:
        """The event's format."""
        return self.structure.format

    @property
    def channels(self) -> tuple[int, ...]:
        """Channels of the event's tables or their threads. The event's own channel is first."""
        return (self.channel, *self.structure.channels)

    def channel_of(self, number: int) -> int:
        """Return a table's channel by its number for people. Tables are spread over the channels in rotation."""
        return self.channels[number % len(self.channels)]

    @property
    def check_in_at(self) -> int | None:
        """When check-in opens (ms); None if there is no check-in."""
        if self.starts_at is None or not self.structure.check_in_minutes:
            return None
        return self.starts_at - self.structure.check_in_minutes * MINUTE

    @property
    def treats_tables_apart(self) -> bool:
        """True if a single table can be paused or lose a hand. Tables of a duplicate event can't, because they share
        decks.
        """
        return self.format is not Format.DUPLICATE

    @property
    def hides_shared_decks(self) -> bool:
        """True if one table's cards would reveal another's, so they stay hidden until everyone has played."""
        return self.format is Format.DUPLICATE


@dataclass(frozen=True, slots=True, kw_only=True)
class Official:
    """A user of an organiser's tool."""

    player: Player
    manager: bool = False
    """True if they manage the server, and may therefore organise every event."""
    roles: frozenset[int] = frozenset()
    """Their roles in the server. One of them may let them stand in for an event's organisers."""

    def organises(self, event: Event) -> bool:
        """True if they organise the event or manage the server. Stand-ins aren't counted."""
        return self.manager or self.player in (event.organiser, *event.helpers)


class EntrantState(Enum):
    """State of an entrant."""

    REGISTERED = "registered"
    CHECKED_IN = "checked_in"
    PLAYING = "playing"
    OUT = "out"
    WITHDRAWN = "withdrawn"
    """The entrant withdrew, didn't check in, or was removed before the start."""


ENTRANT_MOVES: Final[Mapping[EntrantState, frozenset[EntrantState]]] = {
    EntrantState.REGISTERED: frozenset((EntrantState.CHECKED_IN, EntrantState.PLAYING, EntrantState.WITHDRAWN)),
    EntrantState.CHECKED_IN: frozenset((EntrantState.REGISTERED, EntrantState.PLAYING, EntrantState.WITHDRAWN)),
    EntrantState.PLAYING: frozenset((EntrantState.OUT,)),
    EntrantState.OUT: frozenset((EntrantState.PLAYING,)),
    EntrantState.WITHDRAWN: frozenset((EntrantState.REGISTERED,)),
}
"""Allowed transitions. An entrant starts as registered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """An entrant of an event."""

    player: Player
    state: EntrantState = EntrantState.REGISTERED
    registered_at: int
    cause: str
    """The press that registered the player, which is part of the draw's entropy."""
    adds: str = ""
    """Text that the player adds to the shuffle of their next hand in the event; empty once they sit."""
    entries: int = 1
    number: int = 0
    """Position in the draw, from 1, which decides the player's table, seat and seed; 0 before the draw."""
    seeded: int = 0
    """Seed set by an organiser, from 1; 0 for none."""
    score: int = 0
    """League points, or comparison points in a duplicate event, including an organiser's adjustments."""
    hands: int = 0
    """Hands played."""
    out_moment: int = 0
    """The event's moment of the player's last elimination; 0 while they're in."""
    out_stack: int = 0
    """Chips at the start of the hand that eliminated the player, or at the end of the event."""
    out_order: int = 0
    """Tie-break for equal chips at the same moment, clockwise from the button. The first ranks highest."""
    place: int = 0
    """Final place, from 1; 0 before the end."""
    prize: int = 0
    """Chips paid as a prize, less those that a ruling took back."""
    end_place: int = 0
    """Place at the end of the event, before any rulings; 0 before the end."""
    end_prize: int = 0
    """Prize at the end of the event, before any rulings."""
    played: bool = False
    """After the event, True if the player placed any cards themselves."""
    head: int = 0
    """Current bounty on the player, in chips from the event's pool."""
    bounties: int = 0
    """Bounty chips won, including the player's own at the end."""
    disqualified: bool = False
    penalty: int = 0
    """Number of hands still to be auto-played."""
    move_to: TableId | None = None
    """Table that an organiser is moving the player to."""
    absent: bool = False
    """True if the player didn't check in or was away at their last table. They are auto-placed until they're back."""

    @property
    def registered(self) -> bool:
        """True if the player is registered and the event hasn't started."""
        return self.state in (EntrantState.REGISTERED, EntrantState.CHECKED_IN)

    @property
    def playing(self) -> bool:
        """True if the player is still in."""
        return self.state is EntrantState.PLAYING

    @property
    def forfeits_head(self) -> bool:
        """True if the player was disqualified or gave up and is out, so that everyone plays for their bounty.

        The bounty of a player who busts goes to the winners in the same hand.
        """
        return self.state is EntrantState.OUT


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingPlayer:
    """A player on the waiting list of a full event."""

    player: Player
    turn: int
    """Order in the list. Turns may have gaps and be negative. Players with an offer come before all others."""
    since: int
    """Time of joining the list (ms)."""
    offered_until: int | None = None
    """Deadline for taking the place that's kept for them (ms); None without an offer."""

    @property
    def order(self) -> tuple[bool, int, Player]:
        """Sort key of the list: players with an offer first, then by turn."""
        return self.offered_until is None, self.turn, self.player


@dataclass(frozen=True, slots=True, kw_only=True)
class EventTable:
    """An event's data about one of its tables."""

    table: TableId
    round: int = 0
    match: int = 0
    """Number of the table's match in a bracket."""
    played: int = 0
    """Number of hands dealt, excluding those in Fantasyland."""
    extra: bool = False
    """True if the current or last hand is one in Fantasyland."""
    accounted: int = 0
    """The last hand whose result has been counted."""
    board: int = 0
    """The last deck dealt in a duplicate event."""
    waits: WaitReason = WaitReason.NOTHING
    threaded: bool = False
    """True if the table has its thread or will never get one."""
    held: bool = False
    """True while an organiser has paused only this table."""
    over: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EventResult:
    """A player's result in one of an event's hands."""

    round: int
    table: TableId
    hand_no: int
    deck: str
    """Name of a deck shared by all tables; empty if each table has its own."""
    player: Player
    seat: int
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPosting:
    """A queued post of an event."""

    number: int
    key: EventKey
    notice: Notice
    details: Mapping[str, Any]
    at: int
    """When it was queued (ms). This makes ``number`` unique, because numbers are reused after posting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventFact:
    """A line of an event's log."""

    number: int
    kind: str
    details: Mapping[str, Any]
    actor: Player | None
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EventDraft:
    """An event in preparation, with the values chosen so far."""

    guild: GuildId
    organiser: Player
    values: Mapping[str, Any]
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorTable:
    """An open table of an event, with everything the director needs."""

    info: EventTable
    table: Table
    seats: list[Seat]
    """Seats by number."""
    stacks: dict[Player, int]
    """Chips of the players who have any."""
    pausing: bool
    """True during the pause after a hand."""
