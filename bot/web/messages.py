"""What a page and the bot say to each other: each message is a value, and the JSON schema is made from these types.

Source: docs/web-api.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, with_config

API: Literal[1] = 1
"""The version of all this; it stands in the address."""
MOST_BYTES = 4096
"""A page has nothing longer to say."""
STRICT = ConfigDict(extra="forbid", strict=True)
Cards: TypeAlias = tuple[str, ...]
"""``As``, ``Td``, ``X1`` for a joker; ``?`` is a card that lies face down."""
Rows: TypeAlias = tuple[Cards, Cards, Cards]
Three: TypeAlias = tuple[str, str, str]
"""Front, middle, back."""
Cells: TypeAlias = tuple[str, ...]
Subject: TypeAlias = Literal["rules", "past", "review", "file", "record", "link", "invite"]
"""The rules of a table's game; a finished hand, without and with its review, its file, its record and a link to it; the
address of a table in Discord."""

# What the page is shown: a view and its parts. Sentences are in the reader's language; ``<t:12:R>`` in one is a moment
# (seconds since 1970) that the page counts down to. ``\x02`` and ``\x03`` stand around what is emphasized.


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatShown:
    """One seat and its board, as these eyes may see it."""

    name: str
    you: bool
    chips: str
    note: str
    """What else is known of its player: the dealer button, sitting out, Fantasyland."""
    waiting: bool
    """True while the hand waits for it."""
    placed: bool
    rows: Rows
    hands: Three
    """What each full row is and pays."""
    latest: Cards
    """The cards that were placed last."""
    held: Cards
    """Dealt and not placed; one's own are in `Mine`."""
    discards: Cards
    until: int | None
    """When its turn runs out (ms)."""
    gained: str
    """What the hand has brought, once it is over."""
    fouled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirm:
    """What plays the draft now."""

    verb: Literal["confirm", "ahead", "take_back", ""]
    label: str
    ready: bool
    danger: bool
    """True for a draft that fouls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafted:
    """One's own board with a draft on it: what the rows are and pay, and what is to be said of it."""

    turn: str
    letters: str
    hands: Three
    level: Literal["", "danger", "foul", "fantasyland"]
    warning: str
    asked: str
    """What to do now, and what the clock does with the draft."""
    confirm: Confirm
    type: Literal["drafted"] = "drafted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """A button below the board, and what it asks for."""

    verb: Literal[
        "declare",
        "surrender",
        "next_hand",
        "start",
        "start_now",
        "back",
        "leave",
        "invite",
        "hint",
        "retry",
        "end_retry",
        "let_watch",
        "unwatch",
    ]
    """An intent, or with ``invite`` something to be read."""
    label: str
    text: str
    sure: str
    """The label once it was pressed; empty for one that does what it says at once."""
    turn: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mine:
    """The cards that one has to place."""

    turn: str
    """What was seen: an intent carries it back, and is refused once something else is to be seen."""
    cards: Cards
    """In the order dealt."""
    to_place: int
    whole: bool
    """True where a whole board is set at once: it can be sorted and arranged."""
    told: str
    discards: str
    """Who sees one's discards."""
    draft: Drafted
    """With the draft that is kept of this turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultShown:
    """What a hand has come to."""

    title: str
    totals: tuple[str, ...]
    notes: tuple[str, ...]
    pairs: tuple[str, ...]
    """What each pair has paid, and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableChoice:
    """One of one's own tables."""

    table: int
    title: str
    waits: bool
    until: int | None
    """When one's own turn there runs out (ms)."""
    chosen: bool
    watch: bool
    """True for a table at which one only watches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardShown:
    """Another table of the same event, small."""

    table: int
    title: str
    status: str
    seats: tuple[SeatShown, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EventShown:
    """The event of a table that one watches."""

    title: str
    standings: tuple[str, ...]
    """Its standings, or its bracket."""
    headings: tuple[int, ...]
    """Which of these lines head those below them, counted from 0."""
    boards: tuple[BoardShown, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """All that a page shows."""

    table: int
    """0 while its reader has none."""
    title: str
    about: str
    status: str
    yours: bool
    """True while the hand waits for one's own cards."""
    until: int | None
    """When one's own turn runs out, or the first of those that the hand waits for (ms)."""
    bank: int
    """The last so many milliseconds of it are of a time bank."""
    colours: Literal["four", "two"]
    row_names: Three
    seats: tuple[SeatShown, ...]
    """One's own first, then clockwise."""
    mine: Mine | None
    result: ResultShown | None
    offers: tuple[Offered, ...]
    tables: tuple[TableChoice, ...]
    watches: bool = False
    """True through the eyes of everybody: nothing is shown that the channel's own message doesn't show."""
    past: int = 0
    """The newest hand that can be looked back at; 0 for none."""
    event: EventShown | None = None


VIEW_PARTS = tuple(part.name for part in fields(View))

# What is read.


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of a longer text, or a table in it."""

    kind: Literal["heading", "text", "item", "small", "table"]
    text: str = ""
    mark: Literal["", "right", "wrong", "other"] = ""
    """The review's verdict on what the line names."""
    head: Cells = ()
    rows: tuple[Cells, ...] = ()
    """Of a table; each as long as its head."""


Lines: TypeAlias = tuple[Line, ...]

# A hand that is over.


@dataclass(frozen=True, slots=True, kw_only=True)
class Better:
    """The master's placement at a decision of a hand that is reviewed."""

    seat: SeatShown
    """The player's own board with it; ``latest`` are the cards that it places."""
    letters: str
    """One for each card of the decision, as a retry takes them."""
    start: int
    """The decision, by its place among the hand's decisions; a retry begins there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A hand after one of its streets, or at its end."""

    title: str
    seats: tuple[SeatShown, ...]
    value: Lines
    """What the review says of one's own cards on it."""
    better: Better | None = None
    """The master's placement, where it's another one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastShown:
    """A finished hand, street by street."""

    table: int
    hand: int
    title: str
    about: str
    row_names: Three
    steps: tuple[Step, ...]
    result: ResultShown
    told: Lines
    """What the review says of the whole hand."""
    meanings: Lines
    """What the numbers of the review mean; empty without one."""
    played: bool
    """True for one's own hand: it can be reviewed and tried again."""
    provable: bool
    """True once its record is shown: its table has closed, or its decks are all dealt."""


# What the bot sends.


@dataclass(frozen=True, slots=True, kw_only=True)
class WordsSent:
    """The words of the page in its reader's language, and the name of each card."""

    language: str
    words: dict[str, str]
    cards: dict[str, str]
    type: Literal["words"] = "words"


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """All of a view."""

    now: int
    """The bot's clock (ms)."""
    state: str
    """The name of this view: a page that opens again says which one it has."""
    view: View
    type: Literal["snapshot"] = "snapshot"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The parts of a view that are new."""

    now: int
    state: str
    parts: dict[str, Any]
    """By the names of `View`."""
    type: Literal["change"] = "change"


@dataclass(frozen=True, slots=True, kw_only=True)
class Current:
    """The view that the page has is the newest."""

    now: int
    type: Literal["current"] = "current"


@dataclass(frozen=True, slots=True, kw_only=True)
class Working:
    """An intent takes longer than usual, and is answered yet."""

    id: str
    type: Literal["working"] = "working"


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggested:
    """A placement that a hint suggests."""

    letters: str
    """One for each card in the order dealt."""
    facts: str
    """Its odds, and what it costs compared with the first; empty in a game without fitted values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hinted:
    """A hint on one's own cards."""

    turn: str
    """The cards that it's about: the hint is over with them."""
    title: str
    placements: tuple[Suggested, ...]
    """The best first."""
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came of an intent. The view that it led to was sent before."""

    id: str
    outcome: str
    """As metrics count it: ``done``, ``refused``, ``stale``, ``failed``, ``storage_trouble``."""
    said: str
    letters: str = ""
    """The board that *Arrange* has found."""
    hint: Hinted | None = None
    stream: str = ""
    """The last part of the address for streaming software."""
    type: Literal["answer"] = "answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """A page of the rules."""

    title: str
    lines: Lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What was to be read."""

    id: str
    what: Subject
    text: str = ""
    name: str = ""
    """Of a file its name and what it holds; of a link its last part is the text, and of an invitation all of it."""
    chapters: tuple[Chapter, ...] = ()
    past: PastShown | None = None
    names: dict[str, str] = field(default_factory=dict)
    """What those are called whose ids a record holds."""
    type: Literal["found"] = "found"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pong:
    """The connection lives."""

    type: Literal["pong"] = "pong"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bye:
    """The connection ends; ``again`` says whether the page may open one by itself, and ``to`` at which other page."""

    said: str
    again: bool
    to: str = ""
    type: Literal["bye"] = "bye"


Sent: TypeAlias = WordsSent | Snapshot | Change | Current | Drafted | Working | Answer | Found | Pong | Bye

# What a page sends.

Letters: TypeAlias = Annotated[str, Field(max_length=20, pattern=r"^[FMBD.]*$")]
Turn: TypeAlias = Annotated[str, Field(max_length=40)]
Number: TypeAlias = Annotated[int, Field(ge=0, lt=2**53)]
Name: TypeAlias = Annotated[str, Field(min_length=8, max_length=40, pattern=r"^[0-9A-Za-z_-]+$")]
"""A word of chance."""


@with_config(STRICT)
@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """The first message: who it is, and which view the page has.

    With a ``ticket`` of a link, or a ``code`` that Discord has given it, the token is one that the page has made, and
    is known from then on.
    """

    type: Literal["open"]
    token: Annotated[str, Field(max_length=100)]
    ticket: Annotated[str, Field(max_length=100)] = ""
    code: Annotated[str, Field(max_length=200)] = ""
    instance: Annotated[str, Field(max_length=200)] = ""
    """The Activity in which Discord has given the code."""
    table: Number = 0
    state: Annotated[str, Field(max_length=40)] = ""
    overlay: bool = False
    """The eyes of everybody, a street late: for streams."""


@with_config(STRICT)
@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """Show another of one's tables."""

    type: Literal["look"]
    table: Number


@with_config(STRICT)
@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """The draft has changed: it is kept for the clock, and answered with what it makes."""

    type: Literal["draft"]
    table: Number
    turn: Turn
    letters: Letters


Verb: TypeAlias = Literal[
    "confirm",
    "ahead",
    "take_back",
    "arrange",
    "declare",
    "surrender",
    "next_hand",
    "start",
    "start_now",
    "back",
    "leave",
    "hint",
    "retry",
    "end_retry",
    "let_watch",
    "unwatch",
    "watched",
    "stream",
    "stream_renew",
    "stream_end",
]


@with_config(STRICT)
@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """Something is to be done. Sent again under the same ``id`` it is done once."""

    type: Literal["intent"]
    id: Name
    verb: Verb
    table: Number
    turn: Turn
    letters: Letters = ""


@with_config(STRICT)
@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """Something is to be read, and changes nothing."""

    type: Literal["read"]
    id: Name
    what: Subject
    table: Number
    hand: Number = 0


@with_config(STRICT)
@dataclass(frozen=True, slots=True, kw_only=True)
class Ping:
    """Is the bot there?"""

    type: Literal["ping"]


Heard: TypeAlias = Open | Look | Draft | Intent | Read | Ping
HEARD: TypeAdapter[Heard] = TypeAdapter(Annotated[Heard, Field(discriminator="type")])
VIEW: TypeAdapter[View] = TypeAdapter(View)
SENT: TypeAdapter[Sent] = TypeAdapter(Annotated[Sent, Field(discriminator="type")])


class UnheardError(ValueError):
    """What came is none of these messages."""


def heard(text: str) -> Heard:
    """A message of a page; raises UnheardError."""
    try:
        return HEARD.validate_json(text)
    except ValidationError as error:
        raise UnheardError(type(error).__name__) from error


def written(message: Sent) -> str:
    """A message as it is sent."""
    return SENT.dump_json(message).decode()
