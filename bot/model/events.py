"""The values of community events. Times are milliseconds since 1970, chips whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from bot.model.clock import MINUTE, Clock
from bot.model.ids import EventKey, GuildId, Player, TableId, tag_of
from bot.model.tables import Seat, Table, Waits
from bot.pure.event.structure import Format, Structure
from bot.pure.ofc.variants import Variant


class Phase(Enum):
    """Where an event is."""

    REGISTERING = "registering"
    CHECK_IN = "check_in"
    RUNNING = "running"
    ENDED = "ended"
    CANCELLED = "cancelled"

    @property
    def over(self) -> bool:
        """True when nothing can happen any more."""
        return self in (Phase.ENDED, Phase.CANCELLED)

    @property
    def before(self) -> bool:
        """True before the start."""
        return self in (Phase.REGISTERING, Phase.CHECK_IN)


PHASE_MOVES: Final[Mapping[Phase, frozenset[Phase]]] = {
    Phase.REGISTERING: frozenset((Phase.CHECK_IN, Phase.RUNNING, Phase.CANCELLED)),
    Phase.CHECK_IN: frozenset((Phase.REGISTERING, Phase.RUNNING, Phase.CANCELLED)),
    Phase.RUNNING: frozenset((Phase.ENDED, Phase.CANCELLED)),
    Phase.ENDED: frozenset(),
    Phase.CANCELLED: frozenset(),
}
"""Where an event can go from where it is; it begins by registering people. Check-in closes where it is postponed."""


class Every(Enum):
    """How often an event is held."""

    DAY = "day"
    WEEK = "week"
    FORTNIGHT = "fortnight"


DAYS: Final[Mapping[Every, int]] = {Every.DAY: 1, Every.WEEK: 7, Every.FORTNIGHT: 14}


LISTED_REPEATING: Final = ":repeats"
"""The end of what is kept of a scheduled event of Discord that repeats by itself."""
HANDED_ON: Final = "next"
"""What is kept instead once the next event has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat:
    """When the next one of an event is held."""

    every: Every
    zone: str
    """The time zone whose clocks are meant, such as ``Asia/Tokyo``."""
    minute: int
    """The minute of the day, as those clocks show it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormerDecks:
    """A commitment of an event to its decks from before a restore: it is shown in the end, as is the one that replaced
    it.
    """

    epoch: str
    commitment: bytes
    sealed: bytes


class Notice(Enum):
    """Messages of an event that are posted once, in order."""

    CHECK_IN = "check_in"
    SOON = "soon"
    """It starts soon: calls those registered and those interested."""
    STARTED = "started"
    """With the draw."""
    LEVEL = "level"
    BREAK = "break"
    RESUMED = "resumed"
    PAUSED = "paused"
    MOVED = "moved"
    """Calls the players who were moved or seated."""
    OUT = "out"
    MATCH = "match"
    """Who has won a match of a bracket, and what comes next for both."""
    HAND_FOR_HAND = "hand_for_hand"
    FINAL_TABLE = "final_table"
    ROUND = "round"
    SHEET = "sheet"
    """A deck of a duplicate event as all its tables have played it."""
    COMMITTED = "committed"
    """The commitment to the draws, and to the decks where all tables share them: told once, and again after a restore.
    """
    VOUCH = "vouch"
    """Nothing is posted: whoever vouches for what an event gives is asked about, before all else of it is shown."""
    ROLL_CALL = "roll_call"
    """Nothing is posted: the start waits until Discord has said which entrants have left the server."""
    LEFT = "left"
    """Entrants who left the server before the start: calls the organiser."""
    SAID = "said"
    """An organiser announces something."""
    CALLED = "called"
    """An organiser calls players: to check in, to their table, or back to it."""
    CHANGED = "changed"
    """An organiser has changed what concerns those who have registered: calls them."""
    RULING = "ruling"
    """A decision of an organiser about somebody's play, or about who organises."""
    ENDED = "ended"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A message about something to come, which is over once that has come: it says so then."""

    notice: Notice
    at: int
    """The time (ms) that it tells."""
    message: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One event as it stands now."""

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
    """Events with the same series share a leaderboard; empty for none."""
    description: str = ""
    """What its organiser says about it, in a few lines; empty for nothing."""
    phase: Phase = Phase.REGISTERING
    starts_at: int | None
    """None for a sit & go."""
    created_at: int
    started_at: int | None = None
    ended_at: int | None = None
    reason: str = ""
    """Why it was cancelled, a key of ``data/text`` under ``event.cancelled``."""
    commitment: bytes
    """Fixes the seed of the draws before anybody has registered."""
    sealed_seed: bytes
    seed: bytes | None = None
    """Public from the first draw on."""
    kept_draw: bytes | None = None
    """Who was drawn with what they added, hidden by the seed, while the record stays whole after a deletion."""
    level: int = 0
    """The level in play, from 0."""
    level_ends_at: int | None = None
    """Only where levels are counted in minutes."""
    breaks: int = 0
    """Breaks that have begun, and those that were passed over on the bubble."""
    break_until: int | None = None
    paused: bool = False
    round: int = 0
    """The round that is played, from 1; 0 before the first, and where there are none."""
    round_began_at: int | None = None
    moment: int = 0
    """Counts what can put players out: those of one moment were put out together."""
    hand_for_hand: bool = False
    final_table: bool = False
    """True once the final table was announced."""
    board: int = 0
    """Decks dealt so far in a duplicate event."""
    compared: int = 0
    """The deck of a duplicate event that was compared last."""
    epoch: str = ""
    """Names the time since the last restore in the names of its draws; empty before the first."""
    decks_epoch: str = ""
    """The same in the names of the decks that all its tables are dealt."""
    board_commitment: bytes = b""
    """Fixes the seed from which the decks of all its tables follow; empty in events that are older than that."""
    board_sealed: bytes = b""
    former_decks: tuple[FormerDecks, ...] = ()
    """The oldest first."""
    reminded: bool = False
    """True once the start was called out."""
    calls: tuple[Call, ...] = ()
    """The messages about something to come that stand in its channel, the oldest first."""
    alarm_at: int | None = None
    """When the director looks again (ms), whatever happens until then."""
    version: int = 0
    drawn_version: int = 0
    message: int | None = None
    """The message that shows the event."""
    scheduled: int | None = None
    """Discord's scheduled event."""
    scheduled_as: str = ""
    """The text that Discord was sent last, as its author wrote it."""
    desk_channel: int | None = None
    """Where its organisers keep their desk; None where they don't."""
    desk_message: int | None = None
    """The message that shows it there."""
    repeat: Repeat | None = None
    """When the next one is held; None for one that is held once, and once the next one was announced."""
    repeats_as: str = ""
    """What its repetition is called in calendars, after the event with which it began; empty for one that had none,
    and once the next one was announced.
    """
    repeats_changes: int = 0
    """How often the events before it in its repetition have changed."""

    @property
    def listed_repeating(self) -> bool:
        """True where Discord's scheduled event repeats by itself: the next one of ours goes on with it."""
        return self.scheduled is not None and self.scheduled_as.endswith(LISTED_REPEATING)

    @property
    def tag(self) -> str:
        """Six hexadecimal digits for its buttons: those of another event of its number differ."""
        return tag_of(f"{self.key.guild}/event/{self.key.number}", self.created_at, self.epoch)

    @property
    def format(self) -> Format:
        """How it is played."""
        return self.structure.format

    @property
    def channels(self) -> tuple[int, ...]:
        """Where its tables are, in the channels or in threads below them; the event's own is the first."""
        return (self.channel, *self.structure.channels)

    def home_of(self, table: TableId) -> int:
        """The channel to which one of its tables belongs: they take turns."""
        return self.channels[table % len(self.channels)]

    @property
    def check_in_at(self) -> int | None:
        """When check-in opens, in milliseconds; None where nobody checks in."""
        if self.starts_at is None or not self.structure.check_in_minutes:
            return None
        return self.starts_at - self.structure.check_in_minutes * MINUTE

    @property
    def treats_tables_apart(self) -> bool:
        """True where one table can wait, or lose a hand, without the others: in a duplicate all share their decks."""
        return self.format is not Format.DUPLICATE

    @property
    def hides_shared_decks(self) -> bool:
        """True where cards on one table would tell the next one's: nobody else sees them before all have played."""
        return self.format is Format.DUPLICATE


@dataclass(frozen=True, slots=True, kw_only=True)
class Official:
    """The person who uses an organiser's tool."""

    player: Player
    manager: bool = False
    """True for those who manage the server: they may organise every event."""

    def organises(self, event: Event) -> bool:
        """True for those who may use the event's tools."""
        return self.manager or self.player in (event.organiser, *event.helpers)


class EntrantState(Enum):
    """Where somebody stands in an event."""

    REGISTERED = "registered"
    CHECKED_IN = "checked_in"
    PLAYING = "playing"
    OUT = "out"
    WITHDRAWN = "withdrawn"
    """Took the registration back, did not come, or was put out before the start."""


ENTRANT_MOVES: Final[Mapping[EntrantState, frozenset[EntrantState]]] = {
    EntrantState.REGISTERED: frozenset((EntrantState.CHECKED_IN, EntrantState.PLAYING, EntrantState.WITHDRAWN)),
    EntrantState.CHECKED_IN: frozenset((EntrantState.REGISTERED, EntrantState.PLAYING, EntrantState.WITHDRAWN)),
    EntrantState.PLAYING: frozenset((EntrantState.OUT,)),
    EntrantState.OUT: frozenset((EntrantState.PLAYING,)),
    EntrantState.WITHDRAWN: frozenset((EntrantState.REGISTERED,)),
}
"""Where an entrant can go from where they stand; they begin as registered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """One person in an event."""

    player: Player
    state: EntrantState = EntrantState.REGISTERED
    registered_at: int
    cause: str
    """The press that registered them: it goes into the draw."""
    adds: str = ""
    """The text that they add to the shuffle of their next hand at a table of the event; empty once they sit."""
    entries: int = 1
    number: int = 0
    """Their place in the draw, from 1: table, seat, and seed in a bracket follow from it; 0 before."""
    seeded: int = 0
    """The seed, from 1, that an organiser has given them by hand; 0 for none."""
    score: int = 0
    """Points of a league, comparisons' points of a duplicate event, with what an organiser has added or taken."""
    hands: int = 0
    """Hands played."""
    out_moment: int = 0
    """When they were put out last: the event's moment; 0 while they play."""
    out_stack: int = 0
    """Their chips at the start of the hand that put them out; at the end, if nothing did."""
    out_order: int = 0
    """Among those of one moment with equal chips: clockwise from the button, the first ranks highest."""
    place: int = 0
    """Their final place, from 1; 0 before the end."""
    prize: int = 0
    played: bool = False
    """Once it is over: True where a card in it was placed by them."""
    head: int = 0
    """Chips on their head now, which lie in the event's pool."""
    bounties: int = 0
    """Chips won from the heads of others, and at the end from their own."""
    disqualified: bool = False
    penalty: int = 0
    """Hands that the clock still places for them."""
    move_to: TableId | None = None
    """Where an organiser wants them to sit."""
    absent: bool = False
    """True after a no-show, or for somebody away at their last table: the clock places for them until they are back."""

    @property
    def registered(self) -> bool:
        """True when they are to take part and it has not begun."""
        return self.state in (EntrantState.REGISTERED, EntrantState.CHECKED_IN)

    @property
    def playing(self) -> bool:
        """True while they can still win."""
        return self.state is EntrantState.PLAYING

    @property
    def forfeits_head(self) -> bool:
        """True once they were disqualified and have left: what lies on their head is played for by all."""
        return self.disqualified and self.state is EntrantState.OUT


@dataclass(frozen=True, slots=True, kw_only=True)
class EventTable:
    """The facts that an event keeps about one of its tables."""

    table: TableId
    round: int = 0
    match: int = 0
    """The match of a bracket."""
    played: int = 0
    """Ordinary hands that were dealt: those in Fantasyland are not counted."""
    extra: bool = False
    """True while the hand that runs, or ran last, is one in Fantasyland."""
    accounted: int = 0
    """The last hand whose result was counted."""
    board: int = 0
    """The deck of a duplicate event that was dealt last."""
    waits: Waits = Waits.NOTHING
    threaded: bool = False
    """True once it has the thread of its own that it is to have, or never will."""
    held: bool = False
    """True while an organiser has paused this table alone."""
    over: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EventResult:
    """What a hand at a table of an event came to for one player."""

    round: int
    table: TableId
    hand_no: int
    deck: str
    """The name of the deck that all tables share; empty where each has its own."""
    player: Player
    seat: int
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPosting:
    """A message of an event that waits to be posted."""

    number: int
    key: EventKey
    notice: Notice
    details: Mapping[str, Any]
    at: int
    """When it happened: the numbers of posted messages are given again."""


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
    """An event that somebody is still preparing: what was chosen so far, as plain values."""

    guild: GuildId
    organiser: Player
    values: Mapping[str, Any]
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorTable:
    """An open table of an event with all that the director looks at."""

    info: EventTable
    table: Table
    seats: list[Seat]
    """By number."""
    stacks: dict[Player, int]
    """Chips of those who have any."""
    pausing: bool
    """True while the pause after a hand lasts."""
