"""The messages between a page and the bot. Each is a value, and the JSON schema is generated from these types.

Source: docs/web-api.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, with_config

API: Literal[1] = 1
"""Version of the protocol, which is part of its address."""
MAX_BYTES = 4096
"""Maximum size of a page's message."""
STRICT = ConfigDict(extra="forbid", strict=True)
Cards: TypeAlias = tuple[str, ...]
"""Cards such as ``As``, ``Td``, or ``X1`` for a joker; ``?`` is a face-down card."""
Rows: TypeAlias = tuple[Cards, Cards, Cards]
Three: TypeAlias = tuple[str, str, str]
"""Front, middle, back."""
RowPoints: TypeAlias = tuple[int, int, int]
"""Points of front, middle, back."""
Cells: TypeAlias = tuple[str, ...]
Subject: TypeAlias = Literal["rules", "past", "review", "file", "record", "link", "invite", "puzzles", "analysis"]
"""Texts available on request.

They are the rules of a game, a finished hand (plain, reviewed, as a file, as a record or as a link) and the table's
address in Discord. A page with a puzzle can read the choice of puzzles. ``analysis`` stands for the games and the
labels with which positions are assembled.
"""

# The view and its parts. Sentences are in the reader's language. ``<t:12:R>`` in a sentence is a time (seconds since
# 1970) to which the page counts down. ``\x02`` and ``\x03`` enclose emphasised text.


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatShown:
    """A seat and its board, as the reader may see them."""

    name: str
    you: bool
    chips: str
    dealer: bool
    """True for the seat with the dealer button."""
    note: str
    """Notes about the player: the dealer button, sitting out, Fantasyland."""
    waiting: bool
    """True while the hand is waiting for the player."""
    placed: bool
    rows: Rows
    hands: Three
    """Each full row's hand and royalties. With a result, the royalties are in its duel."""
    latest: Cards
    """The cards placed last."""
    held: Cards
    """Cards dealt but not placed yet. The reader's own are in `Mine`."""
    discards: Cards
    until: int | None
    """When the player's turn expires (ms)."""
    gained: str
    """Points won or lost, once the hand is over."""
    fouled: bool
    computer: bool = False
    fantasyland: int = 0
    """Number of Fantasyland cards, while they're being played; 0 outside Fantasyland."""
    away: bool = False
    """True for a player who sits out now."""
    more: str = ""
    """``note`` without the parts that the page shows as badges: the button, Fantasyland and sitting out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirm:
    """The button that plays the draft."""

    verb: Literal["confirm", "ahead", "take_back", ""]
    label: str
    ready: bool
    danger: bool
    """True if the draft fouls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafted:
    """The reader's own board with a draft on it: its hands, royalties and warnings."""

    turn: str
    letters: str
    hands: Three
    level: Literal["", "danger", "foul", "fantasyland"]
    warning: str
    asked: str
    """Instructions, and what happens to the draft on a timeout."""
    confirm: Confirm
    type: Literal["drafted"] = "drafted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """A button below the board."""

    verb: Literal[
        "declare",
        "surrender",
        "next_hand",
        "start",
        "start_now",
        "back",
        "join",
        "rebuy",
        "top_up",
        "sit_out",
        "leave",
        "invite",
        "hint",
        "retry",
        "end_retry",
        "let_watch",
        "unwatch",
        "puzzle_next",
        "puzzle_later",
        "puzzle_harder",
        "puzzle_easier",
        "puzzle_choose",
    ]
    """An intent; ``invite`` and ``puzzle_choose`` are read."""
    label: str
    text: str
    sure: str
    """The label that asks for confirmation after the first press; empty if the first press already acts."""
    turn: str
    """The intent repeats it. It names the state that was shown, or the terms, if the press takes chips or a seat."""


Points: TypeAlias = dict[str, int]
"""Points by hand: ``flush``; in the front ``QQ`` or ``QQQ``; for a low its highest rank, or ``wheel``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FantasylandRules:
    """Hands that enter Fantasyland, and those that stay there."""

    entry: dict[str, int]
    """Number of cards for a front, such as ``QQ``, or ``trips`` for any three of a kind."""
    stay_cards: int
    """Number of cards for a stay; 0 if it stays the same."""
    stay_middle: str
    """The weakest middle that stays; empty if none does."""
    stay_back: str
    wheel_cards: int
    both_cards: int
    wheel_stays: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RowRules:
    """The parts of a game by which the page judges the reader's rows itself."""

    decks: int
    jokers: int
    joker_may_copy: bool
    double_ace_flush: bool
    low_middle: bool
    strict: bool
    royalties: tuple[Points, Points, Points]
    """Front, middle, back. Hands that aren't listed pay nothing."""
    wins: tuple[Points, Points, Points]
    """Points for winning a row, by category, where they aren't those of any other hand."""
    fantasyland: FantasylandRules | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mine:
    """The cards that the reader has to place."""

    turn: str
    """Name of the state that was shown. An intent repeats it, and is refused if the state has changed since."""
    cards: Cards
    """In the order dealt."""
    to_place: int
    whole: bool
    """True if a whole board is set at once, so that the cards can be sorted and arranged."""
    told: str
    discards: str
    """Note about who can see the reader's discards."""
    draft: Drafted
    """The reader's board with the saved draft of this turn."""
    fantasyland: int = 0
    """Number of Fantasyland cards dealt to the reader; 0 outside Fantasyland."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatScored:
    """A seat's part in a duel."""

    royalties: RowPoints
    points: int
    chips: int
    """Chips won or lost; 0 if the game isn't for chips."""
    fantasyland: int
    """Number of Fantasyland cards in the next hand; 0 for none."""
    stays: bool
    """True for a seat that stays in Fantasyland."""
    told: str
    """Sentence about Fantasyland; empty if the seat hasn't earned it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairScored:
    """The points and chips between two seats. Points are positive if ``first`` receives them."""

    first: int
    """Index of a seat, in the order of the seats shown. It's always less than ``second``."""
    second: int
    rows: RowPoints
    scoop: int
    majority: int
    """Bonus for more rows than the opponent."""
    two_rows: int
    """Bonus for two rows or more."""
    total: int
    """Bonus for the higher total."""
    royalties: int
    instead: int
    """Points for a natural or a surrender, which replace all others."""
    why: str
    """The reason that the rows don't count; empty if they do."""
    points: int
    """The sum of all of these points."""
    payer: int
    """Index of the seat that owes chips, if any are owed."""
    owed: int
    chips: int
    """Chips that were paid, fewer than ``owed`` if a stack was too short."""
    paid: str
    """These chips in words, such as ``80 of 120 chips``; empty if none were owed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """The score of a hand: what each seat and each pair of seats has received, and for what."""

    seats: tuple[SeatScored, ...]
    """In the order of the seats shown."""
    pairs: tuple[PairScored, ...]
    """In the order of payment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultShown:
    """The result of a hand."""

    hand: int

    title: str
    totals: tuple[str, ...]
    notes: tuple[str, ...]
    pairs: tuple[str, ...]
    """Payment between each pair of players, with reasons."""
    duel: Duel | None
    """The score as numbers; None for a hand without one, and for a retry."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableChoice:
    """A table that the page can show."""

    table: int
    title: str
    waits: bool
    until: int | None
    """When the reader's turn there expires (ms)."""
    chosen: bool
    watch: bool
    """True if the reader is only watching this table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardShown:
    """Another table, shown small."""

    table: int
    title: str
    status: str
    seats: tuple[SeatShown, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EventShown:
    """The event of a watched table, or of the last table of a reader who is out of it."""

    title: str
    standings: tuple[str, ...]
    """The event's standings, or its bracket."""
    headings: tuple[int, ...]
    """Indexes of the lines that are headings, counted from 0."""
    boards: tuple[BoardShown, ...]
    next: tuple[str, ...] = ()
    """The next steps for a reader who is out of it."""
    address: str = ""
    """The event in Discord, for a reader who is out of it."""


# Puzzles.


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzlePlacementShown:
    """One of a puzzle's placements, with its numbers."""

    name: str
    own: str
    """Note on the reader's own placement, or its name; empty on the others."""
    letters: str
    """One letter per card of the puzzle."""
    numbers: Cells
    """In the order of ``PuzzleSolved.numbers``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleSolved:
    """A puzzle's solution, for a reader who has answered it."""

    right: bool
    title: str
    """Title of the comparison, for screen readers."""
    numbers: Cells
    """Names of the numbers that compare the placements."""
    placements: tuple[PuzzlePlacementShown, ...]
    """The best ones, best first. The reader's own follows if it isn't one of them."""
    told: tuple[str, ...]
    """Others' results, the reader's rating, the date of the puzzle's return, and a note about the points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleShown:
    """The puzzle that the view shows. Its board, its cards and its buttons are where those of a table are."""

    solution: PuzzleSolved | None
    """None until the reader has answered."""
    off: Cells
    """Verbs of offers that can't be pressed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleOption:
    """A theme or a game that the reader can choose."""

    key: str
    """Empty for all of them."""
    label: str
    chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleChoices:
    """The reader's choice of puzzles."""

    title: str
    told: str
    """Number of puzzles that fit."""
    later: str
    """Meaning of *Again later*."""
    theme: str
    """Title of the themes."""
    themes: tuple[PuzzleOption, ...]
    game: str
    games: tuple[PuzzleOption, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Everything that a page shows."""

    table: int
    """0 if the reader has no table, or solves a puzzle."""
    title: str
    about: str
    status: str
    yours: bool
    """True while the hand is waiting for the reader."""
    until: int | None
    """When the reader's turn expires or, if it isn't their turn, the earliest of the turns in progress (ms)."""
    bank: int
    """Length of the part of the remaining time that comes from a time bank, at its end (ms)."""
    colours: Literal["four", "two"]
    row_names: Three
    seats: tuple[SeatShown, ...]
    """The reader's own seat first, then clockwise."""
    mine: Mine | None
    result: ResultShown | None
    offers: tuple[Offered, ...]
    tables: tuple[TableChoice, ...]
    watches: bool = False
    """True for the public view, which shows no more than the channel's message."""
    seatless: bool = False
    """True for a reader without a seat at the table."""
    next_hand: int | None = None
    """When the next hand is dealt (ms); None if that isn't certain."""
    past: int = 0
    """The newest hand that can be replayed; 0 if there is none."""
    event: EventShown | None = None
    row_rules: RowRules | None = None
    """The game, for players at the table."""
    phrases: bool = False
    """True if the reader may send phrases here."""
    streets: tuple[int, ...] = ()
    """Number of cards on a board after each street of the game."""
    viewers: int = 0
    """Number of people who watch this table on a page. Streams aren't counted."""
    others: int = 0
    """Number of other tables that a reader who watches could see next to this one, in an event those of the event."""
    beside: tuple[BoardShown, ...] = ()
    """These tables, if the reader has asked for them. In an event they are part of it."""
    puzzle: PuzzleShown | None = None
    """The puzzle in place of a table."""
    analyses: bool = False
    """True if the reader may have positions analysed here."""


VIEW_PARTS = tuple(part.name for part in fields(View))

# Longer texts.


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of a longer text, or a table within it."""

    kind: Literal["heading", "text", "item", "small", "table"]
    text: str = ""
    mark: Literal["", "right", "wrong", "other"] = ""
    """The review's verdict on the placement on this line."""
    head: Cells = ()
    rows: tuple[Cells, ...] = ()
    """A table's rows, each as long as ``head``."""


Lines: TypeAlias = tuple[Line, ...]

# A finished hand.


@dataclass(frozen=True, slots=True, kw_only=True)
class Better:
    """The master's placement at a decision of a reviewed hand."""

    seat: SeatShown
    """The player's own board with this placement. ``latest`` has the cards that it places."""
    letters: str
    """One letter per card of the decision, as a retry expects them."""
    start: int
    """Index of the decision within the hand, where a retry starts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A hand after one of its streets, or at its end."""

    title: str
    seats: tuple[SeatShown, ...]
    value: Lines
    """The review's comments on the reader's own placement."""
    better: Better | None = None
    """The master's placement, if it differs."""


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
    """The review's summary of the whole hand."""
    meanings: Lines
    """Explanation of the review's numbers; empty without a review."""
    played: bool
    """True for the reader's own hand, which can be reviewed and retried."""
    provable: bool
    """True if the hand's record is available, because the table has closed or all its decks have been dealt."""


# Analyses of positions.


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisGame:
    """A game whose positions can be assembled."""

    game: str
    """Its name in messages."""
    label: str
    row_names: Three
    decks: int
    jokers: int
    opponents: int
    """Maximum number of opponents."""
    fantasyland: tuple[int, ...]
    """Possible numbers of cards in Fantasyland."""
    discards: bool
    """True if players discard."""
    open_discards: bool
    """True if opponents' discards are face up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisChoices:
    """Games and labels for assembling positions."""

    games: tuple[AnalysisGame, ...]
    game: str
    """The one to begin with."""
    labels: dict[str, str]
    """Words for the page, by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardAssembled:
    """A board of a position."""

    rows: Rows
    discards: Cards
    fantasyland: int
    """Number of cards in Fantasyland, where the board isn't visible; 0 outside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionAssembled:
    """A position's cards, which needn't be complete."""

    own: BoardAssembled
    held: Cards
    """The cards to place."""
    opponents: tuple[BoardAssembled, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysedShown:
    """One of the best placements of a position."""

    name: str
    letters: str
    """One letter per card to place, in their order."""
    hands: Three
    """The full rows of the board that it leads to."""
    numbers: Cells
    """In the order of ``Analysed.numbers``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysed:
    """The best placements of a position."""

    game: str
    position: str
    """The position in the intent."""
    title: str
    numbers: Cells
    """Names of the numbers that compare the placements."""
    placements: tuple[AnalysedShown, ...]
    """Best first."""
    told: tuple[str, ...]
    """Whether the best one is clearly best, and notes about the numbers."""
    deeper: bool
    """True if a deeper search may change the order."""


# Messages from the bot.


@dataclass(frozen=True, slots=True, kw_only=True)
class WordsSent:
    """The page's own words in its reader's language, and the name of each card."""

    language: str
    words: dict[str, str]
    cards: dict[str, str]
    hands: dict[str, str]
    """Sentences about poker hands by key, such as ``hand.flush``, for the page to name hands as the bot does."""
    type: Literal["words"] = "words"


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A whole view."""

    now: int
    """The bot's clock (ms)."""
    state: str
    """Name of this view. A page that reopens sends the name of the view that it has."""
    view: View
    type: Literal["snapshot"] = "snapshot"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The changed parts of a view."""

    now: int
    state: str
    parts: dict[str, Any]
    """Keyed by the field names of `View`."""
    type: Literal["change"] = "change"


@dataclass(frozen=True, slots=True, kw_only=True)
class Current:
    """The page already has the current view."""

    now: int
    type: Literal["current"] = "current"


@dataclass(frozen=True, slots=True, kw_only=True)
class Working:
    """An intent is taking a while. Its answer will follow."""

    id: str
    type: Literal["working"] = "working"


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggested:
    """A placement that a hint suggests."""

    letters: str
    """One letter per card in the order dealt."""
    facts: str
    """Its odds, and its cost compared with the first placement; empty in a game without fitted values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hinted:
    """A hint for the reader's cards."""

    turn: str
    """The turn for which the hint was made. The hint expires with it."""
    title: str
    placements: tuple[Suggested, ...]
    """The suggested placements, best first."""
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The result of an intent. The resulting view has already been sent."""

    id: str
    outcome: str
    """Outcome as in the metrics: ``done``, ``refused``, ``stale``, ``failed``, ``storage_trouble``."""
    said: str
    letters: str = ""
    """The board that *Arrange* has found."""
    hint: Hinted | None = None
    stream: str = ""
    """The last part of the address for streaming software."""
    puzzles: PuzzleChoices | None = None
    """The choice of puzzles after a change."""
    analysis: Analysed | None = None
    type: Literal["answer"] = "answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """A chapter of the rules."""

    title: str
    lines: Lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The requested text. For a link, it's the last part of the address. For an invitation, it's the whole address."""

    id: str
    what: Subject
    text: str = ""
    name: str = ""
    """A file's name. Its contents are in ``text``."""
    chapters: tuple[Chapter, ...] = ()
    past: PastShown | None = None
    names: dict[str, str] = field(default_factory=dict)
    """Names of a record's players, keyed by id."""
    puzzles: PuzzleChoices | None = None
    analysis: AnalysisChoices | None = None
    type: Literal["found"] = "found"


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembled:
    """An unfinished position, and the cards that it lacks."""

    game: str
    position: str
    """The position that the page sent."""
    text: str
    """In the notation of positions; empty if it couldn't be read."""
    ready: bool
    """True if it can be analysed."""
    said: str
    """A sentence about the cards that are missing or wrong."""
    read: PositionAssembled | None
    """None if it couldn't be read."""
    type: Literal["assembled"] = "assembled"


Phrase: TypeAlias = Literal["good_luck", "nice_hand", "wow", "thanks", "oops", "thinking", "no_hurry", "good_game"]
"""The ready-made phrases. Each page shows them in its reader's language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhraseSaid:
    """A phrase from a player at the table that the page shows."""

    table: int
    name: str
    """The player's name, as on their seat."""
    phrase: Phrase
    type: Literal["phrase"] = "phrase"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pong:
    """The answer to a ping."""

    type: Literal["pong"] = "pong"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bye:
    """The end of the connection. ``again`` lets the page reconnect automatically, to the address ``to``."""

    said: str
    again: bool
    to: str = ""
    type: Literal["bye"] = "bye"


Sent: TypeAlias = (
    WordsSent | Snapshot | Change | Current | Drafted | Assembled | Working | Answer | Found | PhraseSaid | Pong | Bye
)

# Messages from a page.

Letters: TypeAlias = Annotated[str, Field(max_length=20, pattern=r"^[FMBD.]*$")]
Turn: TypeAlias = Annotated[str, Field(max_length=40)]
Number: TypeAlias = Annotated[int, Field(ge=0, lt=2**53)]
Name: TypeAlias = Annotated[str, Field(min_length=8, max_length=40, pattern=r"^[0-9A-Za-z_-]+$")]
"""A random word."""
GameName: TypeAlias = Annotated[str, Field(max_length=100)]
PositionText: TypeAlias = Annotated[str, Field(max_length=300)]
"""In the notation of positions."""


@with_config(STRICT)
@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """The first message. It identifies the reader and the view that the page has.

    With a ``ticket`` from a link, or a ``code`` from Discord, the page sends a token that it has made itself. The bot
    accepts the token from then on.
    """

    type: Literal["open"]
    token: Annotated[str, Field(max_length=100)]
    ticket: Annotated[str, Field(max_length=100)] = ""
    code: Annotated[str, Field(max_length=200)] = ""
    instance: Annotated[str, Field(max_length=200)] = ""
    """The Activity instance for which Discord issued the code."""
    table: Number = 0
    state: Annotated[str, Field(max_length=40)] = ""
    overlay: bool = False
    """True for a stream: the public view, one street late."""
    puzzle: bool = False
    """True for a puzzle in place of a table, unless a table is asked for."""
    analysis: bool = False
    """True for a page opened to analyse a position."""


@with_config(STRICT)
@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """Show another table, and with ``beside`` also the others that can be watched, shown small."""

    type: Literal["look"]
    table: Number
    beside: bool = False


@with_config(STRICT)
@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A changed draft. The bot saves it for auto-placement and replies with its preview."""

    type: Literal["draft"]
    table: Number
    turn: Turn
    letters: Letters


@with_config(STRICT)
@dataclass(frozen=True, slots=True, kw_only=True)
class Assemble:
    """A position that's being assembled. The bot answers what it lacks."""

    type: Literal["assemble"]
    game: GameName
    position: PositionText


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
    "join",
    "rebuy",
    "top_up",
    "sit_out",
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
    "say",
    "puzzle_next",
    "puzzle_later",
    "puzzle_harder",
    "puzzle_easier",
    "puzzle_theme",
    "puzzle_games",
    "analyse",
    "analyse_deeper",
]


@with_config(STRICT)
@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """An action. If it's repeated with the same ``id``, it's carried out only once."""

    type: Literal["intent"]
    id: Name
    verb: Verb
    table: Number
    turn: Turn
    letters: Letters = ""
    phrase: Phrase | Literal[""] = ""
    """The phrase to ``say``."""
    chosen: Annotated[tuple[Annotated[str, Field(max_length=40)], ...], Field(max_length=40)] = ()
    """The theme or the games of puzzles. Empty for all of them."""
    game: GameName = ""
    position: PositionText = ""
    """The position to ``analyse``."""


@with_config(STRICT)
@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A request for a text, which changes nothing."""

    type: Literal["read"]
    id: Name
    what: Subject
    table: Number
    hand: Number = 0


@with_config(STRICT)
@dataclass(frozen=True, slots=True, kw_only=True)
class Ping:
    """A check that the connection works."""

    type: Literal["ping"]


Heard: TypeAlias = Open | Look | Draft | Assemble | Intent | Read | Ping
HEARD: TypeAdapter[Heard] = TypeAdapter(Annotated[Heard, Field(discriminator="type")])
VIEW: TypeAdapter[View] = TypeAdapter(View)
SENT: TypeAdapter[Sent] = TypeAdapter(Annotated[Sent, Field(discriminator="type")])


class InvalidMessageError(ValueError):
    """The text isn't a valid message."""


def heard(text: str) -> Heard:
    """Parse a page's message; raises InvalidMessageError."""
    try:
        return HEARD.validate_json(text)
    except ValidationError as error:
        raise InvalidMessageError(type(error).__name__) from error


def written(message: Sent) -> str:
    """Return a message as JSON."""
    return SENT.dump_json(message).decode()
