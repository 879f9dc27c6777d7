"""Tables and seats as they are stored, and what a table tells of the event whose table it is.

Ids of Discord are integers, players texts, times milliseconds, chips whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

from bot.model.clock import SECOND, Clock
from bot.model.ids import EventKey, Player, TableKey, is_computer, tag_of
from bot.pure.event.structure import Format
from bot.pure.ofc.settlement import WinCap
from bot.pure.ofc.variants import Variant

# What is played at a table, for what and how fast: all that somebody can choose for one.


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The most that a seat can win in a hand, and how the point value rises. Nobody loses more than their stack."""

    win_cap: WinCap = WinCap.OWN_STACK
    bust_is_final: bool = False
    """True: a seat that has lost its last chip collects nothing from the pairs settled after it."""
    levels: tuple[int, ...] = ()
    """Point values one after the other; empty where it stays the same."""
    level_hands: int = 0
    """Hands a level."""
    top_up: bool = True
    """True: players may fill their stack up to the buy-in between hands."""

    def point_value(self, hand_no: int) -> int | None:
        """The point value of a hand by the levels; None without levels. The last level goes on for ever."""
        if not self.levels:
            return None
        return self.levels[min((hand_no - 1) // self.level_hands, len(self.levels) - 1)]


USUAL_LIMITS = Limits()
"""A seat loses its stack at most, and wins as much again at most; the point value stays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The game of a table, its stakes, seats and clock. A table holds them, and so does the offer of one."""

    variant: Variant
    point_value: int
    """Chips a point; 0 is practice without chips."""
    buy_in: int
    max_seats: int
    clock: Clock
    limits: Limits = USUAL_LIMITS
    quiet: bool = False
    """True where nobody is called."""
    weekends_off: bool = False
    """True where clocks stand on Saturday and Sunday and nobody is called then; by correspondence alone."""
    starts_with: int = 0
    """A queue deals by itself once so many sit; 0 where the host starts."""

    @property
    def practice(self) -> bool:
        """True when no chips are played for."""
        return self.point_value == 0


class TableState(Enum):
    """Where a table is."""

    LOBBY = "lobby"
    """Waiting for players; nothing is dealt."""
    PLAYING = "playing"
    BETWEEN = "between"
    """A hand is over and the next one starts by itself."""
    CLOSED = "closed"


TABLE_MOVES: Final[Mapping[TableState, frozenset[TableState]]] = {
    TableState.LOBBY: frozenset((TableState.PLAYING, TableState.BETWEEN, TableState.CLOSED)),
    TableState.PLAYING: frozenset((TableState.BETWEEN,)),
    TableState.BETWEEN: frozenset((TableState.PLAYING, TableState.LOBBY, TableState.CLOSED)),
    TableState.CLOSED: frozenset(),
}
"""Where a table can go from where it is. It begins as a lobby, and pauses from there when its first hand is void before
it is dealt."""


class Timer(Enum):
    """Kinds of deadline; a table has at most one of each."""

    LOBBY = "lobby"
    TURN = "turn"
    """The first deadline of those whose turn it is."""
    REMIND = "remind"
    """The first of their reminders."""
    UNTOLD = "untold"
    """No message has told a turn yet, and its clock stands; at this time it runs all the same."""
    COMPUTER = "computer"
    NEXT_HAND = "next_hand"


class Post(Enum):
    """Messages that are posted once."""

    RESULT = "result"
    VOID = "void"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseGame:
    """A server's own game."""

    name: str
    variant: Variant


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One table as it stands now."""

    key: TableKey
    channel: int
    host: Player
    language: str
    terms: Terms
    state: TableState
    hand_no: int = 0
    """The last hand that was dealt or, after a restore, left out; 0 before the first."""
    button: int = 0
    """Seat number that has the button, or has it next."""
    turn_since: int | None = None
    commitment: bytes
    """The root of the tree that fixes the decks from hand ``tree_from`` on; where that is 0, of the next hand alone."""
    sealed_seed: bytes
    """The tree's secret; where ``tree_from`` is 0, the seed of hand ``hand_no + 1``."""
    tree_from: int = 0
    """The number of the tree's first hand; 0 where each hand is still committed to by itself."""
    epoch: str = ""
    """Names the time since the last restore; empty before the first."""
    root_message: int | None = None
    """The message that shows the root whole; None until it was posted."""
    version: int = 0
    drawn_version: int = 0
    message: int | None = None
    """The message that shows the table; None when it must be posted (a new hand is posted below the talk)."""
    retired: int | None = None
    """The message of the hand before, to be cleaned up."""
    call: int | None = None
    """The message that called the player on turn, to be cleaned up."""
    created_at: int
    called: str = ""
    """The players that the message calls, as its author wrote them down."""
    stood_still: int = 0
    """For how long (ms) the clocks stood still since the present turn began."""
    closed_reason: str | None = None
    event_no: int | None = None
    """The number of the event whose table it is; None for a table of its own."""
    private: bool = False
    """True for a practice table that its player alone sees."""
    threaded: bool = False
    """True where its hands are to be played in a thread of its own; its lobby stands in the channel."""
    home: int | None = None
    """The channel of that thread, once it is played there."""
    removed: tuple[Player, ...] = ()
    """Those who were taken from the table and may not sit down again."""
    invited: tuple[Player, ...] = ()
    """The players that it was opened for: its first message calls them."""
    in_words: bool = False
    """True where what everybody reads of it is in words alone."""
    watched: bool = True
    """True where whoever sees its channel may watch it on a page."""

    @property
    def event(self) -> EventKey | None:
        """The event whose table it is."""
        return None if self.event_no is None else EventKey(guild=self.key.guild, number=self.event_no)

    @property
    def tag(self) -> str:
        """Six hexadecimal digits for its buttons: those of another table of its number differ."""
        return tag_of(f"{self.key.guild}/{self.key.table}", self.created_at, self.epoch)

    @property
    def posted(self) -> bool:
        """True while a message of this hand or of the one before shows it."""
        return self.message is not None or self.retired is not None

    @property
    def housed(self) -> bool:
        """True for a table of its own that is where it is to be played by now."""
        return not self.threaded or self.home is not None or not self.hand_no

    @property
    def rests(self) -> bool:
        """True where clocks stand for a player's vacation: by correspondence, but not in events, which have dates."""
        return self.terms.clock.quiet and self.event_no is None and not self.private

    @property
    def cash(self) -> bool:
        """True where the server's chips are played for."""
        return not self.terms.practice and self.event_no is None

    def hidden_from(self, player: Player | None) -> bool:
        """True for a private table that is another player's; None are the bot's own eyes."""
        return self.private and player is not None and player != self.host and not is_computer(player)

    @property
    def open(self) -> bool:
        """False once the table is closed."""
        return self.state is not TableState.CLOSED


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """One player's place at a table."""

    number: int
    player: Player
    dealt_in: bool
    """False for a newcomer who waits for the next hand."""
    leaving: bool = False
    away: bool = False
    timeouts: int = 0
    """Turns in a row on which the clock acted."""
    fantasyland: int = 0
    """Cards dealt in the present hand while it runs, in the next hand afterwards; 0 outside Fantasyland."""
    entropy: str = ""
    """The text that the player adds to the next shuffle."""
    deadline: int | None = None
    """When the player's turn runs out (ms); None while it is not their turn."""
    remind_at: int | None = None
    """When they are reminded of it (ms); None where they are not, or were already."""
    reminded: bool = False
    left_ms: int = 0
    """The time left of the hand's budget at a live table."""
    bank_ms: int = 0
    """The time left in the player's time bank at a live table."""
    out_since: int | None = None
    """The table's last hand when its player began to sit out; None while they play."""
    tops_up: bool = False
    """True: the stack is filled up to the buy-in before the next hand."""
    moves_to: int | None = None
    """The number of the seat that its player takes before the next hand."""
    ready_for: int = 0
    """The hand that its player wishes to begin before its time; 0 for none."""
    waits_until: int | None = None
    """Until when the player waits in a queue (ms); None at other tables, and once cards were dealt."""
    draft: str = ""
    """The cards that they have placed and not confirmed: a letter for each card held, ``.`` for an open one. Theirs
    alone.
    """
    draft_for: str = ""
    """The turn that the draft is for: hand and street, as in ``12.3``; street 0 in Fantasyland."""
    ahead: str | None = None
    """The press that confirmed the draft before its turn; None for one that was not."""

    @property
    def sits_out(self) -> bool:
        """True for a seat that is dealt into no hand that begins now."""
        return self.out_since is not None

    @property
    def computer(self) -> bool:
        """True for a seat that the computer plays."""
        return is_computer(self.player)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownTurn:
    """A turn as a message has told it: whose it is, and when it is said to run out."""

    hand_no: int
    street: int
    players: frozenset[Player]
    until: int | None
    """None where no countdown is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Posting:
    """A message that waits to be posted."""

    number: int
    key: TableKey
    kind: Post
    hand_no: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenCounts:
    """How many tables of a server are open, those of events left out."""

    tables: int
    tables_in_channel: int
    lobbies_in_channel: int
    lobbies_of_host: int
    """In the whole server."""


BEHIND_MS = 10 * SECOND
"""Messages that wait so long are late."""
FEW_WAITING = 10
"""So many are shown within seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlog:
    """The changes that Discord does not show yet."""

    undrawn: int
    """Tables whose message does not show their state."""
    unposted: int
    """Messages of tables and events that wait to be posted."""
    since: int | None = None
    """When the oldest of those messages was to be posted (ms)."""

    @property
    def waiting(self) -> int:
        """All of it."""
        return self.undrawn + self.unposted

    def behind(self, now: int) -> int:
        """How many wait where Discord is behind; 0 while it is no more than what each act leaves for a moment."""
        late = self.since is not None and now - self.since >= BEHIND_MS
        return self.waiting if late or self.waiting > FEW_WAITING else 0


class Waits(Enum):
    """Why a table of an event does not deal."""

    NOTHING = ""
    SHOWING = "showing"
    """Its message is not posted yet."""
    PLAYERS = "players"
    """Too few sit there: others come, or it is broken."""
    OTHERS = "others"
    """Other tables are behind."""
    HAND_FOR_HAND = "hand_for_hand"
    BREAK = "break"
    PAUSE = "pause"
    HELD = "held"
    """An organiser has paused this table alone."""


class Role(Enum):
    """The part that somebody without a seat at a table has in its event."""

    NONE = "none"
    """They are not in it."""
    SEATED = "seated"
    """They play at another table."""
    WAITS = "waits"
    """They are in the running and have no seat: a bye, or a round that has not begun."""
    OUT = "out"
    DISQUALIFIED = "disqualified"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How somebody who has no seat at a table stands in its event."""

    part: Role
    tag: str
    """Of the event, for its buttons."""
    over: bool
    """True once the event has ended."""
    cancelled: bool = False
    """True where the event was cancelled: then nobody has a place."""
    place: int = 0
    """Where they stand, from 1; 0 while that is open."""
    table: int = 0
    """Where they play, or what they may watch; 0 for none."""
    channel: int = 0
    """Of that table."""
    message: int | None = None
    """That shows that table."""
    enter_again: int = 0
    """Until the end of which level they may enter again; 0 where they may not."""
    fee: int = 0
    """Chips that another entry costs."""
    terms: str = ""
    """The terms of another entry."""
    beaten: bool = False
    """True for who has lost once where two losses put one out."""
    coming: Mapping[str, Any] = field(default_factory=dict)
    """Whom they meet next in a bracket, as ``next_match`` tells it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventNote:
    """The facts that a table shows about the event that it belongs to."""

    number: int
    name: str
    format: Format
    channel: int
    """Where the event is shown."""
    home: int
    """The channel to which the table belongs: its thread is below it."""
    level: int
    """The level in play, from 1; 0 where points decide."""
    round: int
    """From 1; 0 where there are none."""
    rounds: int
    """How many there are; 0 where that is not known."""
    hand: int = 0
    """The hand of the round that is played, from 1; 0 before the first, and where the event counts none."""
    hands: int = 0
    """How many hands a round has; those in Fantasyland are not counted."""
    stage: tuple[str, int] | None = None
    """The name of a bracket's match, and which of its rounds it is."""
    deck_commitment: bytes
    """Fixes the decks of all its tables; empty in events that are older than that."""
    penalties: Mapping[Player, int] = field(default_factory=dict)
    """Hands that are still auto-played for players with a penalty; 0 for those who were disqualified."""
    waits: Waits
    break_until: int | None
    conceals: bool
    """True while only those who play here may see the cards: others have the same deck before them."""
    housed: bool
    """True once the table has the thread that it is to have, or needs none."""
