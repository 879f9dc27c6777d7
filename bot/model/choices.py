"""Settings of servers and players, with their defaults."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from bot.model.clock import DEFAULT_SECONDS, Clock, Pace
from bot.model.ids import Player, TableId
from bot.model.weekends import LocalWeek
from bot.pure.ofc.variants import Variant


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """A server's settings. Roles and channels are Discord ids."""

    organiser_role: int | None = None
    """Role whose members may organise events, in addition to those who manage the server."""
    stand_ins: bool = False
    """True if members with that role may run every event that they don't play in."""
    event_role: int | None = None
    """Role that is pinged when an event opens."""
    zone: str = ""
    """Time zone for displaying hours, such as ``Asia/Tokyo``; empty for the default of the reader's language."""
    language: str | None = None
    """Language code of public messages; None for the server's language in Discord."""
    game: Variant | None = None
    """Default game of new tables; None for the first preset."""
    point_value: int | None = None
    """Default chips per point; None for the bot's default."""
    pace: Pace | None = None
    """Default pace of new tables; None for the bot's default."""
    turn_seconds: int | None = None
    """Turn time for that pace in seconds; None for its default."""
    channels: tuple[int, ...] = ()
    """Channels where tables may be opened; empty for all."""
    threads: bool = False
    """True to play each table in its own thread."""
    in_words: bool = False
    """True if new tables use text instead of pictures in public messages, for screen readers."""
    host_role: int | None = None
    """Role whose members may open tables, in addition to those who manage the server; None for everyone."""
    told_role: int | None = None
    """Role that is pinged for new tables."""
    told_role_by: Player | None = None
    """The manager who chose that role. Members may take it only while the manager is still allowed to choose it."""
    told_at: int | None = None
    """When the role was last pinged (ms)."""
    told_table: int | None = None
    """Number of the table for which the role was last pinged."""
    welcomed_at: int | None = None
    """When the welcome was sent (ms); None if it hasn't been sent."""
    welcome_channel: int | None = None
    welcome_message: int | None = None
    """Message id of the welcome; also None while it's unknown whether it arrived."""
    left_at: int | None = None
    """When the bot left the server (ms); None while it's a member."""

    @property
    def clock(self) -> Clock:
        """Default clock of a new table."""
        pace = self.pace or Pace.PER_TURN
        return Clock(pace=pace, seconds=DEFAULT_SECONDS[pace] if self.turn_seconds is None else self.turn_seconds)

    def has_tables_in(self, channel: int | None, parent: int | None) -> bool:
        """True if tables may be opened in ``channel``, or in its ``parent`` if it's a thread."""
        return not self.channels or not {channel, parent}.isdisjoint(self.channels)


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A named table whose terms are used to open others."""

    name: str
    table: TableId


class Calls(Enum):
    """When a player is pinged for their turn."""

    AT_ONCE = "at_once"
    AFTER_SILENCE = "after_silence"
    """After ``CALL_AFTER_SILENCE_SECONDS`` without activity, or after half of the turn if that's shorter."""
    NEVER = "never"


class DeckColours(Enum):
    """How suits are distinguished."""

    FOUR = "four_colours"
    TWO = "two_colours"
    WORDS = "words"
    """Names of the suits, for text only."""


class BoardSize(Enum):
    """Size of drawn cards."""

    LARGE = "large"
    COMPACT = "compact"


@dataclass(frozen=True, slots=True, kw_only=True)
class Vacation:
    """A period (ms) during which a player's clocks at correspondence tables are stopped."""

    begins: int
    ends: int

    def postpone(self, at: int, *, now: int, week: LocalWeek | None = None) -> int:
        """Return the new deadline of a clock that would have run out at ``at`` without the vacation.

        ``week`` is for a table with weekends off. The time left after the vacation doesn't count them either.

        >>> Vacation(begins=10, ends=30).postpone(15, now=5)
        35
        >>> Vacation(begins=10, ends=30).postpone(9, now=5)
        9
        """
        begins = max(self.begins, now)
        if begins >= min(at, self.ends):
            return at
        return at + self.ends - begins if week is None else week.deadline(self.ends, week.counted(begins, at))

    def resume_early(self, at: int, *, now: int, week: LocalWeek | None = None) -> int:
        """Return the deadline of a postponed clock after the vacation ends early, or is cancelled, at ``now``."""
        if at <= self.ends:
            return at
        begins = max(self.begins, now)
        return at - (self.ends - begins) if week is None else week.deadline(begins, week.counted(self.ends, at))


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberSettings:
    """A player's settings in a server."""

    language: str | None = None
    """Language code of private messages; None for the player's language in Discord."""
    calls: Calls = Calls.AFTER_SILENCE
    reminders: bool = True
    """True to ping the player again shortly before a turn times out."""
    confirm_at_once: bool = False
    """True if placing the last card confirms the placement."""
    deck: DeckColours = DeckColours.FOUR
    size: BoardSize = BoardSize.LARGE
    text_only: bool = False
    """True to show cards as text, without pictures."""
    profile_visible: bool = True
    """True if others may see the player's profile and read about their badges."""
    hands_shared: bool = False
    """True if others may share the player's hands by a public link."""
    shown: str = ""
    """The last hand shown, which typed cards are meant for.

    The value is ``t12`` for table 12, ``d7`` for daily hand 7, or ``r`` for a retry. It isn't a setting, but it's
    stored here because every press reads this row.
    """
    has_confirmed: bool = False
    """True once the player has confirmed a whole hand. Until then, their panel explains what to tap. Not a setting."""
    series_calls: bool = True
    """True to ping the player when a series opens a date and they played on its last one."""
    mistake_line: bool = True
    """True to tell a player who uses *My mistakes* their largest clear mistake after a hand."""
    gives_puzzles: bool = True
    """True if positions of the player's hands may become puzzles, without names."""
    new_table: str = ""
    """Choices in the *Open a table* forms, encoded by ``bot/chat/table/screens/new_table.py``."""
    vacation_from: int = 0
    """Start of the player's vacation (ms); 0 for none."""
    vacation_until: int = 0
    vacation_year: int = 0
    """Year whose allowance was last used."""
    vacation_used: int = 0
    """Part of that allowance (ms) used by earlier vacations."""
    zone: str = ""
    """Time zone for the hours below, such as ``Asia/Tokyo``."""
    quiet_from: int | None = None
    """Hour from which pings at correspondence tables are held back; None for no quiet hours."""
    quiet_until: int = 8
    """Hour at which pings held back are sent."""
    digest_at: int | None = None
    """Hour of the daily digest that replaces pings at correspondence tables; None for pings."""
    digest_due: int = 0
    """When the next digest is due (ms). Not a setting; it's updated after each digest."""
    digest_channel: int | None = None
    digest_message: int | None = None
    """Message id of the last digest; None if there is a channel but it's unknown whether the digest arrived."""

    def vacation(self, now: int) -> Vacation | None:
        """Return the player's current or upcoming vacation; None if there is none."""
        if self.vacation_until <= now:
            return None
        return Vacation(begins=self.vacation_from, ends=self.vacation_until)


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamLink:
    """A link for streaming software, which shows a server's tables until its owner revokes it."""

    player: Player
    """The link's owner."""
    name: str
    locale: str
    """Discord's code for the owner's language."""
    made_at: int
    """When it was made (ms)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageToken:
    """Permission to open a table's page with a token until a given time (ms). The token itself isn't stored."""

    digest: bytes
    player: Player
    locale: str
    """Discord's code for the player's language."""
    until: int
