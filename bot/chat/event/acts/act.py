"""An act of an organiser, as an entry of the table in :mod:`bot.chat.event.acts.organisers`."""

from __future__ import annotations

import unicodedata
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from discord import ButtonStyle

from bot.chat.kit.fragments import player_name
from bot.model.events import Entrant, Event, Official, Phase
from bot.model.ids import EventKey, Player, TableId
from bot.play.doors.events import Events
from bot.play.event.office.views import Line
from bot.play.event.organisers.evening import DeskTable, DeskView, misses
from bot.pure.ofc.refusals import Refused
from bot.text.words import Words, escape_name

NO_PLAYER, NO_TABLE = Player(""), TableId(0)
LONGEST_NUMBER = 12
"""Maximum length of a number in a form."""


class Subject(Enum):
    """What an act is about."""

    EVENT = "event"
    PLAYER = "player"
    TABLE = "table"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """An event as its organisers see it, with the player or table that an act would be about."""

    desk: DeskView
    player: Player = NO_PLAYER
    table: TableId = NO_TABLE

    @property
    def event(self) -> Event:
        """The event."""
        return self.desk.event

    @property
    def before(self) -> bool:
        """True before the start."""
        return self.event.phase.before and not self.desk.starting

    @property
    def runs(self) -> bool:
        """True while the event is played."""
        return self.event.phase is Phase.RUNNING

    @property
    def line(self) -> Line | None:
        """The player's line in the standings; None if they aren't in the event."""
        return self.desk.view.line_of(self.player)

    @property
    def entrant(self) -> Entrant | None:
        """The player as an entrant; None if they aren't in the event."""
        return None if self.line is None else self.line.entrant

    @property
    def plays(self) -> bool:
        """True for a player who is still in a running event."""
        return self.runs and self.entrant is not None and self.entrant.playing and not self.entrant.disqualified

    @property
    def absent(self) -> bool:
        """True for a player who should be playing or checked in, and isn't."""
        return self.line is not None and misses(self.event, self.line)

    @property
    def reinstatable(self) -> bool:
        """True for a disqualified player who can be let back in."""
        return self.player in self.desk.view.reinstatable

    @property
    def seat(self) -> DeskTable | None:
        """The table; None if it's closed."""
        return self.desk.table(self.table)


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """One use of an act, with the organiser, the event and the values."""

    events: Events
    event: Event
    """The event as it was before."""
    by: Official
    cause: str
    """Idempotency key: the act is done once per cause."""
    player: Player = NO_PLAYER
    table: TableId = NO_TABLE
    number: int = 0
    text: str = ""

    @property
    def where(self) -> tuple[EventKey, Official]:
        """The event and the organiser, the first arguments of each use case."""
        return self.event.key, self.by

    @property
    def whom(self) -> tuple[EventKey, Official, Player]:
        """The event, the organiser and the player."""
        return self.event.key, self.by, self.player

    def sentence(self, key: str, words: Words, result: object = None) -> str:
        """Return the sentence ``key`` with those of this use's values that it has room for."""
        starts_at = result.starts_at if isinstance(result, Event) else None
        values: dict[str, str | int] = {
            "player": player_name(self.player, words) if self.player else "",
            "table": self.table or self.number,
            "count": len(result) if isinstance(result, Sequence) else self.number,
            "amount": words.signed(self.number),
            "name": escape_name(result.name) if isinstance(result, Event) else "",
            "hour": f"<t:{(starts_at or 0) // 1000}:F>",
        }
        return words(key, **{name: value for name, value in values.items() if words.takes(key, name)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A value that an act needs: an option of its command and a field of its form."""

    option: str
    kind: Any
    """The option's type and limits."""
    describes: str
    """Key of the option's description."""
    of: str
    """The field of a :class:`Use` that takes the value."""
    longest: int
    long: bool = False
    field: str = ""
    """Key of the field's label and hint, under ``event_desk.field`` and ``event_desk.hint``."""
    wrong: Callable[[], Refused] | None = None
    """The refusal of something that isn't a number; None for a text."""

    def read(self, written: str) -> str | int:
        """Return the value of what was written; raises Refused."""
        return written if self.wrong is None else whole_number(written, self.wrong())


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """An entry of the table. The desk, the commands, the forms and the log's *take back* are made from it.

    An act without ``does`` only has its button here: the press opens a page, or is answered in a cog.
    """

    name: str
    """Key of its label under ``event_desk.button``, and of its form's title under ``event_desk.form``."""
    about: Subject
    when: Callable[[Case], bool]
    """True if it's offered. Its use case decides whether it's allowed, at each press and command."""
    verb: str = ""
    """The verb of its button and its form; empty if it has neither."""
    argument: str = ""
    """The argument of its button, for acts about the event that share a verb."""
    does: Callable[[Use], Awaitable[object]] | None = None
    said: str | Callable[[Use, Any], str] = ""
    """Key of the sentence that reports it, or a function of the use and its result that returns the key."""
    asks: tuple[Ask, ...] = ()
    menu: str = ""
    """The verb of the menu from which its number is chosen, and which it has in place of a button; empty for none."""
    chosen: str = ""
    """The verb of the form for the other values, once the number has been chosen."""
    former: tuple[str, ...] = ()
    """Verbs of buttons and forms in messages posted by earlier versions."""
    command: str = ""
    """Its subcommand of ``/event-admin``; empty if it has none, or one written by hand."""
    sure: bool = False
    """True if its command opens the form too, because the form explains what the act means."""
    means: Callable[[Case, Use, Words], str] | None = None
    """The form's explanation."""
    may: Callable[[Use], Awaitable[object]] | None = None
    """Raises Refused if the form is in vain."""
    members_only: bool = False
    """True if the player must be a member of the server and no bot."""
    undoes: tuple[str, ...] = ()
    """The entries of the log that it takes back."""
    style: ButtonStyle = ButtonStyle.secondary
    count: Callable[[Case], int] | None = None
    """The number in its label."""

    @property
    def verbs(self) -> tuple[str, ...]:
        """The verbs that do it, or open its form."""
        return tuple(verb for verb in (self.verb, self.chosen, *self.former) if verb)

    def asked(self, verb: str) -> tuple[Ask, ...]:
        """Return what the form of a press asks for: all, or all but the number that was chosen from a menu."""
        return tuple(ask for ask in self.asks if verb != self.chosen or ask.of != "number")


def whole_number(text: str, otherwise: Refused) -> int:
    """Return a whole number as people write it; raises ``otherwise``."""
    plain = unicodedata.normalize("NFKC", text).replace(",", "").replace("−", "-").strip()
    if len(plain) > LONGEST_NUMBER:
        raise otherwise
    try:
        return int(plain)
    except ValueError:
        raise otherwise from None
