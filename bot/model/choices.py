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
    """Settings of a server. Roles and channels are Discord ids."""

    organiser_role: int | None = None
    """Role that may organise events, in addition to those who manage the server."""
    zone: str = ""
    """Time zone of displayed hours, such as ``Asia/Tokyo``; empty for the default of the reader's language."""
    language: str | None = None
    """Language code of public messages; None for the server's language in Discord."""
    game: Variant | None = None
    """Default game of new tables; None for the first preset."""
    point_value: int | None = None
    """Default chips per point; None for the bot's default."""
    pace: Pace | None = None
    """Default pace of new tables; None for the bot's default."""
    turn_seconds: int | None = None
    """Seconds of that pace; None for its default."""
    channels: tuple[int, ...] = ()
    """Channels where tables may be opened; empty for all."""
    threads: bool = False
    """True to play each table in its own thread."""
    in_words: bool = False
    """True to use text without pictures in public messages of new tables, for screen readers."""
    host_role: int | None = None
    """Role that may open tables, in addition to those who manage the server; None for everyone."""
    told_role: int | None = None
    """Role that is pinged for new tables."""
    told_role_by: Player | None = None
    """The manager who chose that role. Members may take it only while the manager is still allowed to choose it."""
    told_at: int | None = None
    """When the role was last pinged (ms)."""
    told_table: int | None = None
    """Number of the table that it was pinged for."""
    welcomed_at: int | None = None
    """When the welcome was sent (ms); None if it wasn't yet."""
    welcome_channel: int | None = None
    welcome_message: int | None = None
    """Message id of the welcome; None as well if it's unknown whether it arrived."""
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
    """After ``CALL_AFTER_SILENCE_SECONDS`` without activity, or half of the turn if that's shorter."""
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
    """A period in which a player's clocks at correspondence tables are stopped (ms)."""

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
    """Settings of a player in a server."""

    language: str | None = None
    """Language code of private messages; None for the player's language in Discord."""
    calls: Calls = Calls.AFTER_SILENCE
    reminders: bool = True
    """True to ping again shortly before a turn times out."""
    confirm_at_once: bool = False
    """True if placing the last card confirms the placement."""
    deck: DeckColours = DeckColours.FOUR
    size: BoardSize = BoardSize.LARGE
    text_only: bool = False
    """True to show cards as text, without pictures."""
    profile_visible: bool = True
    """True if others may see their profile and read about their badges."""
    hands_shared: bool = False
    """True if others may share hands with them by a public link."""
    shown: str = ""
    """The hand shown last, which typed cards are meant for: ``t12`` at table 12, ``d7`` for daily hand 7, ``r`` for a
    retry. It isn't a setting, but it's stored here because every press reads this row."""
    has_confirmed: bool = False
    """True after they have confirmed a whole hand. Until then, their panel explains what to tap. Not a setting."""
    new_table: str = ""
    """Choices in the forms of *Open a table*, encoded by ``bot/chat/table/screens/new_table.py``."""
    vacation_from: int = 0
    """Start of their vacation (ms); 0 for none."""
    vacation_until: int = 0
    vacation_year: int = 0
    """Year whose allowance was used last."""
    vacation_used: int = 0
    """Part of that allowance (ms) used by earlier vacations."""
    zone: str = ""
    """Time zone of the hours below, such as ``Asia/Tokyo``."""
    quiet_from: int | None = None
    """Hour of the day from which pings of correspondence tables are held back; None for no quiet hours."""
    quiet_until: int = 8
    """Hour at which held pings are sent."""
    digest_at: int | None = None
    """Hour of the daily digest that replaces pings of correspondence tables; None for pings."""
    digest_due: int = 0
    """When the next digest is due (ms). Not a setting; it's updated after each digest."""
    digest_channel: int | None = None
    digest_message: int | None = None
    """Message id of the last digest; None with a channel while it's unknown whether it arrived."""

    def vacation(self, now: int) -> Vacation | None:
        """Return their current or upcoming vacation; None if there is none."""
        if self.vacation_until <= now:
            return None
        return Vacation(begins=self.vacation_from, ends=self.vacation_until)


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamLink:
    """A link for streaming software that shows a server's tables until its owner revokes it."""

    player: Player
    """Its owner."""
    name: str
    locale: str
    """Discord's code of the owner's language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageToken:
    """Permission to open a table's page with a token until some time (ms). The token itself isn't stored."""

    digest: bytes
    player: Player
    locale: str
    """Discord's code of the player's language."""
    until: int
