"""An act as its command knows it: its name, when it's possible, what it asks for, and what it does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Generic, Protocol, TypeVar

from discord import ButtonStyle

from bot.chat.kit.reply import Reply
from bot.chat.kit.typed_choice import Named
from bot.text.languages import LANGUAGES
from bot.text.words import words_for

LONGEST_TYPED = 400
"""Characters of any option that an act is typed with. Longer texts are written into its form."""

EVERYTHING = "all"
"""Key of the entry that tells what can be done."""


class Option(Enum):
    """The options of such a command beside ``do``, in the order of its forms."""

    PLAYER = "player"
    TABLE = "table"
    VALUE = "value"
    REASON = "reason"
    EXTRA = "extra"
    """A field that only a form has: what is seldom chosen."""


class Target(Protocol):
    """What acts are about: an event, a table, or the whole server."""

    @property
    def name(self) -> str:
        """Its name, which tells two targets of an act apart; empty if there's only ever one."""

    @property
    def here(self) -> bool:
        """True if it's the one of the channel in which the command is typed."""

    @property
    def rank(self) -> int:
        """0 for the nearest targets: if an act's name alone is typed, the only one of the lowest rank is meant."""

    @property
    def number(self) -> int:
        """Its number, which the act's buttons carry; 0 for the server."""

    @property
    def tag(self) -> str:
        """Its tag in the same buttons; empty for the server."""


T = TypeVar("T", bound=Target)


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """The values that were typed, chosen or written, as texts. Empty if none."""

    player: str = ""
    table: str = ""
    value: str = ""
    reason: str = ""
    extra: str = ""

    def of(self, option: Option) -> str:
        """Return the text of an option."""
        text: str = getattr(self, option.value)
        return text.strip()

    def but(self, option: Option, text: str) -> Given:
        """Return the same with another text in an option."""
        return replace(self, **{option.value: text})


@dataclass(frozen=True, slots=True, kw_only=True)
class Values:
    """The values of an act, read from :class:`Given`."""

    player: str = ""
    """The player's id; empty if the act asks for none."""
    table: int = 0
    hand: int = 0
    """The hand that ran at the table when it was chosen; 0 if none."""
    value: Any = None
    """What the act's field made of its text."""
    reason: str = ""
    extra: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked(Generic[T]):
    """A value that an act asks for: an option of the command and a field of the act's form."""

    option: Option
    label: str
    """Key of the field's label."""
    hint: str = ""
    """Key of the field's hint, such as an example."""
    longest: int = LONGEST_TYPED
    long: bool = False
    optional: bool = False
    choices: Callable[[Reply, T], Sequence[Named[str]]] | None = None
    """What it's chosen from, by name; None for a free text."""
    free: bool = False
    """True for a text that needn't be one of ``choices``, which are only suggested then."""
    members: bool = False
    """True for a player who must be a member of the server. The form then shows Discord's own menu of people."""
    anyone: bool = False
    """True for a player who needn't be one of ``choices``: a mention or an id is taken."""
    read: Callable[[Reply, T, str], Any] = lambda reply, target, text: text
    """Return the value of a free text; raises Refused with a sentence that has an example."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What somebody is shown once before an act is done, because it takes chips, commits them or can't be undone."""

    said: str
    terms: str
    """A digest of what holds now (``bot/play/terms.py``). Under other terms it's asked again."""
    label: str = ""
    """The label of its button; the act's name if empty."""
    style: ButtonStyle = ButtonStyle.success


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedAct(Generic[T]):
    """An entry of a command's table of acts."""

    key: str
    """Its name in custom ids: at most 16 letters, digits, ``-`` and ``_``."""
    name: str
    """Key of its name, which begins with a verb. No two acts of a command share one."""
    says: str
    """Key of the sentence that says what it does, for *What can I do*."""
    when: Callable[[T], bool]
    """True if it's possible. It only hides the act: whoever does it is asked again by the use case."""
    does: Callable[[Reply, T, Values], Awaitable[str]]
    """Do it and return the sentence that reports it; empty if it has shown its own answer. Raises Refused."""
    asks: tuple[Asked[T], ...] = ()
    others: tuple[str, ...] = ()
    """Other names that are understood, such as those of old commands. They are never shown."""
    also: str = ""
    """Key of the everyday words by which it's found too, with ``/`` between them. They are never shown."""
    likely: Callable[[T], bool] = lambda target: True
    """True if it's among those that are suggested before anything is typed."""
    listed: Callable[[T], bool] = lambda target: True
    """True if it's suggested and listed. Otherwise it's found only by typing its whole name."""
    kept: bool = False
    """True if it's always among them where it's possible, however many others are."""
    prefers: Callable[[T], bool] = lambda target: False
    """True of a target that is meant rather than others of its rank if the act's name alone is typed."""
    sure: bool = False
    """True if it can't be undone, so that it's asked once more."""
    means: Callable[[Reply, T, Values], Awaitable[str]] | None = None
    """Return what it means, for its form and the question whether it's meant; raises Refused if it's in vain."""
    asks_once: Callable[[Reply, T, Values], Awaitable[Question | None]] | None = None
    """Return what is shown once before it's done; None if nothing has to be. Raises Refused.

    A form whose act has it shows it too, with whatever is known by then.
    """
    question: Callable[[Reply, T, Values], Awaitable[None]] | None = None
    """Show a page that asks whether it's meant, in place of a form or the usual question."""
    explains: Callable[[T], bool] = lambda target: False
    """True if doing it says best why it isn't possible. It asks for nothing then."""
    undo: str = ""
    """Key of the act that takes it back; empty if none does."""


def everything(when: Callable[[T], bool] = lambda target: True) -> TypedAct[T]:
    """Return the entry *What can I do*, which a command's table may have once: it tells all acts as sentences."""

    async def does(reply: Reply, target: T, values: Values) -> str:
        raise AssertionError("the command answers it itself")

    return TypedAct(
        key=EVERYTHING,
        name="acts.everything.name",
        says="acts.everything.says",
        also="acts.everything.also",
        others=tuple(words_for(code)("acts.everything.row") for code in LANGUAGES),
        when=when,
        does=does,
    )


class ActSource(Protocol[T]):
    """What a command's acts are about, and who may see it."""

    @property
    def acts(self) -> Sequence[TypedAct[T]]:
        """All acts, the likeliest first."""

    async def targets(self, reply: Reply, typed: str) -> Sequence[T]:
        """Return what somebody may see, from memory or by one read: that of the channel, their own, then the rest.

        What was ``typed`` may name one that isn't suggested otherwise.
        """

    async def target(self, reply: Reply, number: int, tag: str) -> T:
        """Return the target of a button; raises Refused."""

    def why_not(self, reply: Reply, act: TypedAct[T], targets: Sequence[T]) -> str:
        """Return a sentence that says why an act isn't possible now."""
