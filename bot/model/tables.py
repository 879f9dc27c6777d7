"""Stored values of tables and seats, and the details that a table shows about its event.

Times are in milliseconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

from bot.model.clock import SECOND, Clock
from bot.model.ids import EventKey, Player, TableKey, is_computer, make_tag
from bot.pure.event.structure import Format
from bot.pure.ofc.settlement import WinCap
from bot.pure.ofc.variants import Variant

# The terms of a table, which are everything that can be chosen when it's opened


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits on wins, and rising stakes. A player never loses more than their stack."""

    win_cap: WinCap = WinCap.OWN_STACK
    bust_is_final: bool = False
    """True if a player who busts collects nothing from the pairs settled after that."""
    levels: tuple[int, ...] = ()
    """Point value per level; empty if it doesn't rise."""
    level_hands: int = 0
    """Hands per level."""
    top_up: bool = True
    """True if players may top up to the buy-in between hands."""

    def point_value(self, hand_no: int) -> int | None:
        """Return the point value of a hand; None without levels. The last level never ends."""
        if not self.levels:
            return None
        return self.levels[min((hand_no - 1) // self.level_hands, len(self.levels) - 1)]


DEFAULT_LIMITS = Limits()
"""Default limits: a player can lose or win at most their stack, and the point value doesn't rise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Terms of a table, or of the offer to open one: game, stakes, seats and clock."""

    variant: Variant
    point_value: int
    """Chips per point; 0 for practice without chips."""
    buy_in: int
    max_seats: int
    clock: Clock
    limits: Limits = DEFAULT_LIMITS
    quiet: bool = False
    """True if players aren't pinged."""
    weekends_off: bool = False
    """True if clocks stop and no one is pinged on Saturdays and Sundays. Only for correspondence tables."""
    starts_with: int = 0
    """Number of players at which a queue starts automatically; 0 if the host starts."""

    @property
    def practice(self) -> bool:
        """True if the table isn't played for chips."""
        return self.point_value == 0


class TableState(Enum):
    """State of a table."""

    LOBBY = "lobby"
    """Waiting for players, with no hand dealt."""
    PLAYING = "playing"
    BETWEEN = "between"
    """Between two hands. The next one starts automatically."""
    CLOSED = "closed"


TABLE_MOVES: Final[Mapping[TableState, frozenset[TableState]]] = {
    TableState.LOBBY: frozenset((TableState.PLAYING, TableState.BETWEEN, TableState.CLOSED)),
    TableState.PLAYING: frozenset((TableState.BETWEEN,)),
    TableState.BETWEEN: frozenset((TableState.PLAYING, TableState.LOBBY, TableState.CLOSED)),
    TableState.CLOSED: frozenset(),
}
"""Allowed transitions. Tables start as a lobby, and go to ``BETWEEN`` if their first hand is voided before the deal."""


class Timer(Enum):
    """Kinds of deadlines. A table has at most one of each."""

    LOBBY = "lobby"
    TURN = "turn"
    """Earliest deadline among the players who have to act."""
    REMIND = "remind"
    """Earliest reminder among them."""
    UNANNOUNCED = "untold"
    """When the clock of a turn starts even if its announcement couldn't be posted."""
    COMPUTER = "computer"
    NEXT_HAND = "next_hand"


class PostKind(Enum):
    """Kinds of messages that are posted once."""

    RESULT = "result"
    VOID = "void"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseGame:
    """A server's custom game."""

    name: str
    variant: Variant


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Current state of a table."""

    key: TableKey
    channel: int
    host: Player
    language: str
    terms: Terms
    state: TableState
    hand_no: int = 0
    """Number of the last hand dealt, or of the last one skipped after a restore; 0 before the first."""
    button: int = 0
    """Seat with the button. Between hands, the seat that gets it next."""
    turn_since: int | None = None
    commitment: bytes
    """Root of the tree for the decks from hand ``tree_from`` on. If that's 0, the commitment to the next hand only."""
    sealed_seed: bytes
    """Secret of the tree. If ``tree_from`` is 0, the seed of hand ``hand_no + 1``."""
    tree_from: int = 0
    """Number of the tree's first hand; 0 if each hand has its own commitment."""
    epoch: str = ""
    """Name of the period since the last restore; empty before the first restore."""
    root_message: int | None = None
    """Message with the full root; None until it's posted."""
    version: int = 0
    drawn_version: int = 0
    message: int | None = None
    """The table's message; None if it must be posted. Each hand gets a new one at the end of the channel."""
    retired: int | None = None
    """Message of the previous hand, still to be cleaned up."""
    call: int | None = None
    """Message that pinged the player to act, still to be cleaned up."""
    created_at: int
    called: str = ""
    """Players pinged by that message, in its author's encoding."""
    stood_still: int = 0
    """Time (ms) that the clocks have been stopped during the current turn."""
    closed_reason: str | None = None
    event_no: int | None = None
    """Number of the table's event; None for a cash or practice table."""
    number_in_event: int | None = None
    """The table's number within its event; None outside events, and for tables from before events numbered theirs."""
    private: bool = False
    """True for a practice table that only its player sees."""
    threaded: bool = False
    """True if the table's hands are played in its own thread. Its lobby is in the channel."""
    home: int | None = None
    """Id of that thread once the table is played there."""
    removed: tuple[Player, ...] = ()
    """Players who were removed and can't sit down again."""
    invited: tuple[Player, ...] = ()
    """Players pinged by the table's first message."""
    in_words: bool = False
    """True if the table's public messages are text only."""
    watched: bool = True
    """True if anyone who can see the table's channel may watch it on a page."""

    @property
    def number(self) -> int:
        """The table's number for people: within its event, or else within the server."""
        return self.key.table if self.number_in_event is None else self.number_in_event

    @property
    def event(self) -> EventKey | None:
        """The table's event; None for a cash or practice table."""
        return None if self.event_no is None else EventKey(guild=self.key.guild, number=self.event_no)

    @property
    def tag(self) -> str:
        """Six hex digits for the table's buttons, which distinguish it from another table with the same number."""
        return make_tag(f"{self.key.guild}/{self.key.table}", self.created_at, self.epoch)

    @property
    def posted(self) -> bool:
        """True if the table is shown by a message of this hand or the previous one."""
        return self.message is not None or self.retired is not None

    @property
    def is_placed(self) -> bool:
        """True unless the table still has to move to its thread."""
        return not self.threaded or self.home is not None or not self.hand_no

    @property
    def pauses_for_vacations(self) -> bool:
        """True if vacations stop the table's clocks: at correspondence tables, except in events, which have dates."""
        return self.terms.clock.quiet and self.event_no is None and not self.private

    @property
    def cash(self) -> bool:
        """True if the table is played for the server's chips."""
        return not self.terms.practice and self.event_no is None

    def hidden_from(self, player: Player | None) -> bool:
        """True if it's another player's private table. ``player`` is None for the bot itself."""
        return self.private and player is not None and player != self.host and not is_computer(player)

    @property
    def open(self) -> bool:
        """False if the table is closed."""
        return self.state is not TableState.CLOSED


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """A player's seat at a table."""

    number: int
    player: Player
    dealt_in: bool
    """False if the player joined during a hand and is waiting for the next one."""
    leaving: bool = False
    away: bool = False
    timeouts: int = 0
    """Consecutive turns that timed out."""
    fantasyland: int = 0
    """Fantasyland cards in the current hand or, between hands, in the next one; 0 outside Fantasyland."""
    entropy: str = ""
    """Text that the player adds to the next shuffle."""
    deadline: int | None = None
    """When the player's turn times out (ms); None if it isn't their turn."""
    remind_at: int | None = None
    """When the player gets a reminder (ms); None if there is none or it has been sent."""
    reminded: bool = False
    left_ms: int = 0
    """Remaining budget for the hand at a live table."""
    bank_ms: int = 0
    """Remaining time bank at a live table."""
    out_since: int | None = None
    """The table's last hand when the player started sitting out; None if they're playing."""
    tops_up: bool = False
    """True if the stack will be topped up to the buy-in before the next hand."""
    moves_to: int | None = None
    """Number of the seat that the player will take before the next hand."""
    ready_for: int = 0
    """The hand that the player wants to start early; 0 for none."""
    waits_until: int | None = None
    """When the player's wait in a queue ends (ms); None at other tables, and after the first deal."""
    draft: str = ""
    """Placed but unconfirmed cards, with one letter per card and ``.`` for an open one. Only the player may see it."""
    draft_for: str = ""
    """Turn of the draft: hand and street, as in ``12.3``. The street is 0 in Fantasyland."""
    ahead: str | None = None
    """Press that confirmed the draft before the turn; None if it hasn't been confirmed."""

    @property
    def sits_out(self) -> bool:
        """True if the seat isn't dealt into new hands."""
        return self.out_since is not None

    @property
    def computer(self) -> bool:
        """True if a computer plays the seat."""
        return is_computer(self.player)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnouncedTurn:
    """A turn as a message shows it: the players who have to act, and the deadline."""

    hand_no: int
    street: int
    players: frozenset[Player]
    until: int | None
    """Shown deadline (ms); None without a countdown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Posting:
    """A queued post of a table."""

    number: int
    key: TableKey
    kind: PostKind
    hand_no: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenCounts:
    """Numbers of open tables in a server, excluding those of events."""

    tables: int
    tables_in_channel: int
    lobbies_in_channel: int
    lobbies_of_host: int
    """Lobbies that the host has opened across the server."""


BEHIND_MS = 10 * SECOND
"""Time after which a queued message is late."""
FEW_WAITING = 10
"""Number of queued messages that can be sent within seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlog:
    """Changes that Discord doesn't show yet."""

    undrawn: int
    """Tables whose message is out of date."""
    unposted: int
    """Queued messages of tables and events."""
    since: int | None = None
    """When the oldest of those messages was queued (ms)."""

    @property
    def waiting(self) -> int:
        """Total number of changes."""
        return self.undrawn + self.unposted

    def behind(self, now: int) -> int:
        """Return the number of changes if Discord is behind; 0 for the few that every action briefly causes."""
        late = self.since is not None and now - self.since >= BEHIND_MS
        return self.waiting if late or self.waiting > FEW_WAITING else 0


class WaitReason(Enum):
    """Reason why an event's table isn't dealing."""

    NOTHING = ""
    SHOWING = "showing"
    """The table's message hasn't been posted yet."""
    PLAYERS = "players"
    """The table has too few players. It waits until others join or it's broken."""
    OTHERS = "others"
    """The table is waiting for other tables."""
    HAND_FOR_HAND = "hand_for_hand"
    BREAK = "break"
    PAUSE = "pause"
    HELD = "held"
    """An organiser has paused only this table."""


class Role(Enum):
    """A person's role in an event if they have no seat at the table."""

    NONE = "none"
    """Not in the event."""
    SEATED = "seated"
    """Playing at another table."""
    WAITS = "waits"
    """Still in but without a seat, because of a bye or a round that hasn't started."""
    OUT = "out"
    LEFT = "left"
    """Left a league or duplicate event between rounds."""
    DISQUALIFIED = "disqualified"


@dataclass(frozen=True, slots=True, kw_only=True)
class EventStatus:
    """A person's status in an event if they have no seat at the table."""

    part: Role
    tag: str
    """Tag of the event, for the buttons."""
    over: bool
    """True if the event has ended."""
    cancelled: bool = False
    """True if the event was cancelled, so that no one has a place."""
    place: int = 0
    """Place from 1; 0 while undecided."""
    tied: bool = False
    """True if others share the place."""
    table: int = 0
    """Table where they play or that they may watch; 0 for none."""
    channel: int = 0
    """Channel of that table."""
    message: int | None = None
    """Message of that table."""
    enter_again: int = 0
    """Last level in which they can re-enter; 0 if they can't."""
    fee: int = 0
    """Fee of a re-entry, in chips."""
    terms: str = ""
    """Terms of a re-entry."""
    beaten: bool = False
    """True if they have one loss in a double elimination."""
    coming: Mapping[str, Any] = field(default_factory=dict)
    """Next opponent in a bracket, as returned by ``next_match``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventNote:
    """Details that a table shows about its event."""

    number: int
    name: str
    format: Format
    channel: int
    """Channel of the event's message."""
    home: int
    """Channel of the table, which contains the table's thread."""
    level: int
    """Current level from 1; 0 if points decide."""
    round: int
    """Current round from 1; 0 without rounds."""
    rounds: int
    """Number of rounds; 0 if unknown."""
    hand: int = 0
    """Current hand of the round, from 1; 0 before the first, or if hands aren't counted."""
    extra: bool = False
    """True if the current hand is one in Fantasyland, which comes after ``hand`` and isn't counted."""
    hands: int = 0
    """Number of hands per round, excluding those in Fantasyland."""
    stage: tuple[str, int] | None = None
    """Stage of a bracket match, and its round."""
    deck_commitment: bytes
    """Commitment to the decks of all the event's tables; empty for events that predate it."""
    penalties: Mapping[Player, int] = field(default_factory=dict)
    """Hands still to be auto-played for players with a penalty; 0 for disqualified players."""
    waits: WaitReason
    break_until: int | None
    conceals: bool
    """True while only players at this table may see the cards, because others have yet to play the same deck."""
    is_placed: bool
    """True if the table has its thread or doesn't need one."""
