"""The choices of servers and players; where nothing was chosen, the defaults hold."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from bot.model.clock import USUAL, Clock, Pace
from bot.model.ids import Player, TableId
from bot.model.weekends import Week
from bot.pure.ofc.variants import Variant


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """The choices of a server. Roles and channels are ids of Discord."""

    organiser_role: int | None = None
    """Its holders may organise events, beside those who manage the server."""
    zone: str = ""
    """The time zone in which hours are written, such as ``Asia/Tokyo``; empty for that of the reader's language."""
    language: str | None = None
    """The code of the language of what everybody reads; None for the one that Discord tells."""
    game: Variant | None = None
    """The game that is played where none was chosen; None for the first preset."""
    point_value: int | None = None
    """Chips a point where nothing else was chosen; None for the bot's own."""
    pace: Pace | None = None
    """The clock where none was chosen; None for the bot's own."""
    turn_seconds: int | None = None
    """The time of that pace; None for the usual one."""
    channels: tuple[int, ...] = ()
    """Where tables may be opened; empty for anywhere."""
    threads: bool = False
    """True: each table is played in a thread of its own."""
    in_words: bool = False
    """True: what everybody reads at a new table is in words alone, for those who hear it."""
    host_role: int | None = None
    """Its holders may open tables, beside those who manage the server; None for everybody."""
    told_role: int | None = None
    """Its holders are told of new tables."""
    told_role_by: Player | None = None
    """Who has chosen that role: members may take it while they could still choose it."""
    told_at: int | None = None
    """When they last were (ms)."""
    told_table: int | None = None
    """The number of the table of which they were told then."""
    welcomed_at: int | None = None
    """When the welcome was sent (ms); None before that."""
    welcome_channel: int | None = None
    welcome_message: int | None = None
    """The welcome; None also where it is not known whether it arrived."""
    left_at: int | None = None
    """Since when (ms) the bot is no member of it; None while it is."""

    @property
    def clock(self) -> Clock:
        """The clock of a table for which none was chosen."""
        pace = self.pace or Pace.PER_TURN
        return Clock(pace=pace, seconds=USUAL[pace] if self.turn_seconds is None else self.turn_seconds)

    def has_tables_in(self, channel: int | None, parent: int | None) -> bool:
        """True where tables may be opened in a channel, or in the one that it is a thread of."""
        return not self.channels or not {channel, parent}.isdisjoint(self.channels)


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A name that a server gives to a table, for others to be opened like it."""

    name: str
    table: TableId


class Calls(Enum):
    """When a player is called whose turn it is."""

    AT_ONCE = "at_once"
    AFTER_SILENCE = "after_silence"
    """Once they have been silent for ``CALL_AFTER_SILENCE_SECONDS``, or half of a shorter turn."""
    NEVER = "never"


class DeckColours(Enum):
    """How the suits are told apart."""

    FOUR = "four_colours"
    TWO = "two_colours"
    WORDS = "words"
    """Their names, for a reader of text only."""


class BoardSize(Enum):
    """How large cards are drawn."""

    LARGE = "large"
    COMPACT = "compact"


@dataclass(frozen=True, slots=True, kw_only=True)
class Vacation:
    """A time in which somebody's clocks stand at their correspondence tables (ms)."""

    begins: int
    ends: int

    def put_off(self, at: int, *, now: int, week: Week | None = None) -> int:
        """When a clock runs out that stands meanwhile, and would have run out at this time.

        ``week`` is that of a table with weekends off, where what is left after the vacation leaves them out too.

        >>> Vacation(begins=10, ends=30).put_off(15, now=5)
        35
        >>> Vacation(begins=10, ends=30).put_off(9, now=5)
        9
        """
        begins = max(self.begins, now)
        if begins >= min(at, self.ends):
            return at
        return at + self.ends - begins if week is None else week.deadline(self.ends, week.counted(begins, at))

    def brought_forward(self, at: int, *, now: int, week: Week | None = None) -> int:
        """The same clock once the vacation ends now, or is called off."""
        if at <= self.ends:
            return at
        begins = max(self.begins, now)
        return at - (self.ends - begins) if week is None else week.deadline(begins, week.counted(self.ends, at))


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """The choices of a player in a server."""

    language: str | None = None
    """The code of the language of what they alone read; None for the one that Discord tells."""
    calls: Calls = Calls.AFTER_SILENCE
    reminders: bool = True
    """Called again when the time is nearly over."""
    confirm_at_once: bool = False
    """The last card placed confirms the placement."""
    deck: DeckColours = DeckColours.FOUR
    size: BoardSize = BoardSize.LARGE
    text_only: bool = False
    """Cards as text, without pictures."""
    profile_visible: bool = True
    """Others may look at their profile, and are told of their badges."""
    hands_shared: bool = False
    """Others may share hands with them by a link, which anyone can open."""
    shown: str = ""
    """The hand that they were shown last, which is the one that they type for: ``t12`` at a table, ``d7`` of a day,
    ``r`` for another try at an old one. Nobody chooses it; it stands here because each press asks for all of this."""
    has_confirmed: bool = False
    """True once they have confirmed a whole hand. Until then their panel says what to tap. Nobody chooses this."""
    new_table: str = ""
    """What they have chosen in the forms of *Open a table*, as ``bot/chat/table/screens/new_table.py`` writes it."""
    vacation_from: int = 0
    """When their vacation begins (ms); 0 for none."""
    vacation_until: int = 0
    vacation_year: int = 0
    """The year whose allowance was drawn on last."""
    vacation_used: int = 0
    """How much of it (ms) vacations before the present one have taken."""
    zone: str = ""
    """The time zone of the hours below, such as ``Asia/Tokyo``."""
    quiet_from: int | None = None
    """The hour of the day from which calls by correspondence are held; None where none are."""
    quiet_until: int = 8
    """The hour at which they come."""
    digest_at: int | None = None
    """The hour of the one digest a day that stands for calls by correspondence; None for calls."""
    digest_due: int = 0
    """When the next one is due (ms). Nobody chooses this: it follows, and moves on once one was sent."""
    digest_channel: int | None = None
    digest_message: int | None = None
    """The last one; None beside a channel while it is not known whether it arrived there."""

    def vacation(self, now: int) -> Vacation | None:
        """Their vacation, running or to come."""
        if self.vacation_until <= now:
            return None
        return Vacation(begins=self.vacation_from, ends=self.vacation_until)


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamLink:
    """A link that shows a server's tables in streaming software until its owner takes it back."""

    player: Player
    """Its owner."""
    name: str
    locale: str
    """As Discord names their language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageToken:
    """Who may open a table's page by a token, and until when (ms); the token itself is kept nowhere."""

    digest: bytes
    player: Player
    locale: str
    """As Discord names their language."""
    until: int
