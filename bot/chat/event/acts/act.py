"""An organiser's action, as an entry of the table in :mod:`bot.chat.event.acts.organisers`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, assert_never

from discord import ButtonStyle

from bot.chat.event.screens.lists import entry_text
from bot.chat.kit.acts.act import Option
from bot.chat.kit.fragments import player_name
from bot.chat.kit.widgets import Screen
from bot.model.events import Entrant, Event, EventFact, Official, Phase, WaitingPlayer
from bot.model.ids import EventKey, Player, TableId
from bot.play.api.events import Events
from bot.play.event.office.permissions import NO_AUTHORITY, MemberPermissions
from bot.play.event.office.resettling import Resettled
from bot.play.event.office.rulings_made import HELPERS, is_ruling
from bot.play.event.office.views import StandingsLine
from bot.play.event.organisers.organiser_desk import DeskTable, DeskView, misses
from bot.pure.ofc.refusals import Refused
from bot.text.durations import parse_duration
from bot.text.hours import read_hour
from bot.text.numbers import whole_number
from bot.text.words import Words, escape_name

NO_PLAYER, NO_TABLE = Player(""), TableId(0)
NO_SERIES = ("-", "–", "—")
"""Spellings of no series, for commands whose option can't be empty."""
MAX_TIME_LENGTH = 60
"""Maximum length of a time typed into a form."""


class Subject(Enum):
    """The subject of an action."""

    EVENT = "event"
    PLAYER = "player"
    TABLE = "table"


class ValueKind(Enum):
    """The kind of a value."""

    NUMBER = "number"
    TEXT = "text"
    TIME = "time"
    """A delay or a time of day."""
    CHOICE = "choice"
    SERIES = "series"
    """Name of a series, known or new; empty for none."""
    TABLE = "table"
    """An open table, by its number within the event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActContext:
    """An event as its organisers see it, with the action's player or table."""

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
        """True while the event is running."""
        return self.event.phase is Phase.RUNNING

    @property
    def over(self) -> bool:
        """True after the end, when only rulings are possible."""
        return self.event.phase.over

    @property
    def line(self) -> StandingsLine | None:
        """The player's line in the standings; None if they aren't in the event."""
        return self.desk.view.line_of(self.player)

    @property
    def waiting(self) -> WaitingPlayer | None:
        """The player's place on the waiting list; None if they aren't on it."""
        return self.desk.view.waiting_of(self.player)

    @property
    def entrant(self) -> Entrant | None:
        """The player as an entrant; None if they aren't in the event."""
        return None if self.line is None else self.line.entrant

    @property
    def plays(self) -> bool:
        """True if the player is still in a running event."""
        return self.runs and self.entrant is not None and self.entrant.playing and not self.entrant.disqualified

    @property
    def in_hand(self) -> bool:
        """True if the player's hand is in progress."""
        return any(table.line.playing and self.player in table.line.players for table in self.desk.tables)

    @property
    def absent(self) -> bool:
        """True if the player should be playing or checked in but isn't."""
        return self.line is not None and misses(self.event, self.line)

    @property
    def reinstatable(self) -> bool:
        """True if the player was disqualified and can be reinstated."""
        return self.player in self.desk.view.reinstatable

    @property
    def seat(self) -> DeskTable | None:
        """The table; None if it's closed."""
        return self.desk.table(self.table)


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoneRuling:
    """A ruling on a finished event that was undone."""

    ruling: EventFact
    in_force: Sequence[EventFact]
    """The other rulings, which are still in force."""
    made: Resettled | None
    """The changes; None if the ruling was only about the series."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActUse:
    """One use of an action, with the organiser, the event and the values."""

    events: Events
    event: Event
    """The event before the action."""
    by: Official
    cause: str
    """Idempotency key. The action is performed once per cause."""
    player: Player = NO_PLAYER
    table: TableId = NO_TABLE
    number: int = 0
    text: str = ""
    until: int = 0
    """The new start (ms)."""
    choice: str = ""
    round: int = 0
    """A round of the event; 0 for none."""
    terms: str | None = None
    """The terms shown with the press; None for an action without terms."""
    in_hand: bool = False
    """True if the player is in a hand."""
    numbers: Mapping[TableId, int] = field(default_factory=dict)
    """Numbers within the event of its tables."""
    authority: MemberPermissions = NO_AUTHORITY
    """The prizes and roles that the organiser may promise on the server."""
    zone: str = "UTC"
    """The time zone for times that the organiser types."""

    @property
    def where(self) -> tuple[EventKey, Official]:
        """The event and the organiser, which are the first arguments of each use case."""
        return self.event.key, self.by

    @property
    def whom(self) -> tuple[EventKey, Official, Player]:
        """The event, the organiser and the player."""
        return self.event.key, self.by, self.player

    @property
    def table_number(self) -> int:
        """The number of the action's table for people. Some actions carry the table as their number."""
        table = self.table or TableId(self.number)
        return self.numbers.get(table, table)

    def sentence(self, key: str, words: Words, result: object = None) -> str:
        """Return the sentence ``key``, with its placeholders filled from this use."""
        starts_at = result.starts_at if isinstance(result, Event) else None
        named, fee = result if isinstance(result, Event) else self.event, self.event.structure.fee
        values: dict[str, str | int] = {
            "player": player_name(self.player, words) if self.player else "",
            "table": self.table_number,
            "count": len(result) if isinstance(result, Sequence) else self.number or fee,
            "chips": words.number(fee),
            "amount": words.signed(self.number),
            "name": escape_name(named.name),
            "hour": f"<t:{(starts_at or 0) // 1000}:F>",
        }
        if isinstance(result, Event):
            values |= {"before": escape_name(self.event.series), "series": escape_name(result.series)}
        if isinstance(result, UndoneRuling):
            rest = [entry_text(one, words) for one in result.in_force]
            values |= {"what": entry_text(result.ruling, words), "rest": words.list(rest)}
            result = result.made
        if isinstance(result, Resettled):
            values |= {"taken": words.number(result.taken), "missing": words.number(result.missing)}
        return words(key, **{name: value for name, value in values.items() if words.takes(key, name)})


@dataclass(frozen=True, slots=True, kw_only=True)
class ParseContext:
    """The context for parsing typed values."""

    event: Event
    words: Words
    """The organiser's language."""
    zone: str
    now_ms: int
    tables: Mapping[int, TableId] = field(default_factory=dict)
    """The open tables by their numbers within the event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventActField:
    """A value that an action needs, as an option of its command and a field of its form."""

    option: Option
    kind: ValueKind
    of: str
    """The field of :class:`ActUse` that stores the value."""
    max_length: int
    """Maximum length of the text."""
    smallest: int = 0
    largest: int = 0
    """Limits for a number."""
    choices: tuple[tuple[str, str], ...] = ()
    """The values to choose from, each with the key of its label."""
    chosen: Callable[[Event], str] | None = None
    """Returns the current choice."""
    long: bool = False
    optional: bool = False
    field: str = ""
    """Key of the field's label and hint, under ``event_desk.field`` and ``event_desk.hint``."""
    wrong: Callable[[str, ParseContext], Refused] | None = None
    """Returns the refusal of an unreadable value; None for text."""

    def read(self, written: str, reading: ParseContext) -> str | int:
        """Return the value of the text ``written``; raises Refused if it can't be parsed."""
        value = self._meant(written, reading)
        if value is None:
            assert self.wrong is not None
            raise self.wrong(written, reading)
        return value

    def _meant(self, written: str, reading: ParseContext) -> str | int | None:
        match self.kind:
            case ValueKind.TEXT:
                return written
            case ValueKind.SERIES:
                return "" if written.strip() in NO_SERIES else written
            case ValueKind.NUMBER:
                number = whole_number(written)
                return number if number is not None and self.smallest <= number <= self.largest else None
            case ValueKind.TABLE:
                return reading.tables.get(whole_number(written) or 0)
            case ValueKind.CHOICE:
                return self._choice(written, reading.words)
            case ValueKind.TIME:
                return later_start(written, reading)
        assert_never(self.kind)

    def _choice(self, written: str, words: Words) -> str | None:
        wanted = written.strip().casefold()
        labels = {value: words(key).casefold() for value, key in self.choices}
        return next((value for value, label in labels.items() if wanted in (value, label)), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """An entry of the table that the desk, the commands, the forms and the log's *take back* are built from.

    An action without ``does`` is a press for which a cog opens a separate page.
    """

    name: str
    """Key of the action's label under ``event_desk.button``, and of its form's title under ``event_desk.form``."""
    about: Subject
    when: Callable[[ActContext], bool]
    """True if the action is offered. Its use case decides at each press and command whether it's allowed."""
    late: bool = False
    """True for a ruling on a finished event. Other actions end with the event."""
    at_any_time: bool = False
    """True if the action is offered before and after the end."""
    terms: Callable[[ActContext], str] | None = None
    """Returns the terms of the action, which its button and form carry; None if it has none."""
    shows_terms: bool = False
    """True if the form shows the terms, so that it carries the current ones. Other terms are those of the desk."""
    meanwhile: str = "event_desk.late.meanwhile"
    """Key of the sentence for terms that have changed since they were shown."""
    neutral: Callable[[ActContext], bool] = lambda case: False
    """True if organisers who play in the event may not perform it, unless they manage the server."""
    verb: str = ""
    """The verb of the action's button and form; empty if it has neither."""
    argument: str = ""
    """The argument of the action's button, for actions about the event that share a verb."""
    does: Callable[[ActUse], Awaitable[object]] | None = None
    said: str | Callable[[ActUse, Any], str] = ""
    """Key of the sentence that reports the action, or a function that returns the key for the use and its result."""
    asks: tuple[EventActField, ...] = ()
    in_more: bool = False
    """True if the action is in the menu *More* and has no button."""
    on_desk: bool = False
    """True for an action about a player that's also in the desk's own menu *More*. Its form asks for the player."""
    apart: bool = False
    """True if the action's page comes in a separate message, so that the desk stays open."""
    menu: str = ""
    """Custom-id verb of a menu of numbers that replaces the action's button; empty without such a menu."""
    former_menu: str = ""
    """The verb of that menu in messages posted by earlier versions."""
    chosen: str = ""
    """The verb of the form for the remaining values after a number has been chosen."""
    former: tuple[str, ...] = ()
    """Verbs of buttons and forms in messages posted by earlier versions."""
    sure: bool = False
    """True if the action asks for confirmation, in its form or, without values to type, on a page."""
    page: Callable[[ActContext, Words], Screen] | None = None
    """The confirmation page."""
    confirms: str = ""
    """The verb of the confirm button on that page."""
    means: Callable[[ActContext, ActUse, Words], str] | None = None
    """The form's explanation."""
    may: Callable[[ActUse], Awaitable[object]] | None = None
    """Raises Refused if there's no point in filling in the form."""
    members_only: bool = False
    """True if the player must be a human member of the server."""
    final: Callable[[ActContext, Official], str] = lambda case, by: ""
    """Key of the sentence saying why the action can't be undone; empty if it can. Final actions ask for confirmation.
    """
    logs: str = ""
    """The kind of the action's log entry."""
    undoes: tuple[str, ...] = ()
    """The kinds of log entries that the action undoes."""
    shows: Callable[[ActContext], int] | None = None
    """Returns the number that the button carries, so that a press on an outdated desk can be refused."""
    style: ButtonStyle = ButtonStyle.secondary
    count: Callable[[ActContext], int] | None = None
    """Returns the number in the action's label."""

    @property
    def verbs(self) -> tuple[str, ...]:
        """The verbs of presses that perform the action, open its form or confirm it."""
        return tuple(verb for verb in (self.verb, self.chosen, self.confirms, *self.former) if verb)

    @property
    def options(self) -> tuple[Option, ...]:
        """The action's options, in the order in which they're typed."""
        about = {Subject.PLAYER: (Option.PLAYER,), Subject.TABLE: (Option.TABLE,), Subject.EVENT: ()}
        return (*about[self.about], *(ask.option for ask in self.asks))

    def asked(self, verb: str) -> tuple[EventActField, ...]:
        """Return the values that the form of a press asks for. It omits a number that was chosen from a menu."""
        return tuple(ask for ask in self.asks if verb != self.chosen or ask.of != "number")

    def offered(self, case: ActContext) -> bool:
        """True if the action is offered at this stage of the event."""
        if self.late and not case.desk.rules:
            return False
        return (self.late == case.over or self.at_any_time) and self.when(case)

    def open_to(self, by: Official, case: ActContext) -> bool:
        """True if the view lets ``by`` perform the action. Its use case makes the final decision."""
        plays = not by.manager and case.desk.view.line_of(by.player) is not None
        if not by.organises(case.event):
            return by.player == case.desk.stand_in and self.logs not in HELPERS
        return not (plays and self.neutral(case))

    def bars(self, by: Official, case: ActContext) -> bool:
        """True if the action stops ``by`` from entering an event that they could still enter."""
        withdraws = self.logs == "unregistered" and case.player == by.player
        return case.desk.bars and is_ruling(self.logs, case.event) and not withdraws

    def warnings(self, by: Official, case: ActContext, words: Words) -> list[str]:
        """Return the warnings that ``by`` should read before the action."""
        told = [words(final)] if (final := self.final(case, by)) else []
        if self.bars(by, case):
            enters = case.desk.view.line_of(by.player) is None
            told.append(words("event_desk.bars" if enters else "event_desk.bars_registered"))
        return told


def later_start(text: str, reading: ParseContext) -> int | None:
    """Return the event's new start (ms), typed as a delay or a time; None if it can't be parsed."""
    if later := parse_duration(text):
        return (reading.event.starts_at or 0) + later * 1000
    hour = read_hour(text, zone=reading.zone, now_ms=reading.now_ms)
    return None if hour is None else hour.at_ms
