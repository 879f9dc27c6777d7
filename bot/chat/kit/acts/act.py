"""An act, which is something that a command can do: its name, condition, options and effect."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Generic, Protocol, TypeVar

from discord import ButtonStyle

from bot.chat.kit.reply import Reply
from bot.chat.kit.typed_choice import NamedChoice
from bot.text.languages import LANGUAGES
from bot.text.words import Words, words_for

MAX_TYPED_LENGTH = 400
"""Maximum length of a typed option. Longer texts are entered in the act's form."""

EVERYTHING = "all"
"""Key of the entry that lists all possible acts."""


class Option(Enum):
    """The options of such a command besides ``do``, in the order used in forms."""

    PLAYER = "player"
    TABLE = "table"
    VALUE = "value"
    REASON = "reason"
    EXTRA = "extra"
    """A field for a rarely needed value, which only the form has."""


class Target(Protocol):
    """The target of an act: an event, a table, or the whole server."""

    @property
    def name(self) -> str:
        """The target's name, which distinguishes two targets of an act; empty if there's only ever one."""

    def detail(self, words: Words) -> str:
        """Return what tells the target from others of the same name, such as its date; empty for nothing."""

    @property
    def here(self) -> bool:
        """True if the target belongs to the channel in which the command is typed."""

    @property
    def rank(self) -> int:
        """Distance, 0 for the nearest. Typing only an act's name means the nearest target, if there is only one."""

    @property
    def number(self) -> int:
        """The target's number in the act's buttons; 0 for the server."""

    @property
    def tag(self) -> str:
        """The target's tag in the act's buttons; empty for the server."""


T = TypeVar("T", bound=Target)


@dataclass(frozen=True, slots=True, kw_only=True)
class ActInputs:
    """The typed, chosen or entered values as texts. Missing ones are empty."""

    player: str = ""
    table: str = ""
    value: str = ""
    reason: str = ""
    extra: str = ""

    def of(self, option: Option) -> str:
        """Return the text of ``option``."""
        text: str = getattr(self, option.value)
        return text.strip()

    def but(self, option: Option, text: str) -> ActInputs:
        """Return a copy with ``text`` as the value of ``option``."""
        return replace(self, **{option.value: text})


@dataclass(frozen=True, slots=True, kw_only=True)
class ActValues:
    """The values of an act, parsed from :class:`ActInputs`."""

    player: str = ""
    """The player's id; empty if the act doesn't ask for one."""
    table: int = 0
    hand: int = 0
    """The hand in progress at the table when it was chosen; 0 if there was none."""
    value: Any = None
    """The value that the act's field parsed from its text."""
    reason: str = ""
    extra: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ActField(Generic[T]):
    """A value that an act asks for: an option of the command and a field of the act's form."""

    option: Option
    label: str
    """Key of the field's label."""
    hint: str = ""
    """Key of the field's hint, such as an example."""
    max_length: int = MAX_TYPED_LENGTH
    long: bool = False
    optional: bool = False
    choices: Callable[[Reply, T], Sequence[NamedChoice[str]]] | None = None
    """Return the named choices; None for free text."""
    free: bool = False
    """True if ``choices`` are only suggestions, so the text needn't be one of them."""
    members: bool = False
    """True if the player must be a member of the server. The form then shows Discord's user menu."""
    anyone: bool = False
    """True if the player needn't be one of ``choices``, so that any mention or id is accepted."""
    read: Callable[[Reply, T, str], Any] = lambda reply, target, text: text
    """Parse free text. Raises Refused with a sentence that contains an example."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmation:
    """A confirmation shown before an act that moves or commits chips or can't be undone."""

    said: str
    terms: str
    """A digest of the current terms (``bot/play/terms.py``). If they change, the question is asked again."""
    label: str = ""
    """The button's label; empty for the act's name."""
    style: ButtonStyle = ButtonStyle.success


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedAct(Generic[T]):
    """An entry of a command's table of acts."""

    key: str
    """Key in custom ids: at most 16 letters, digits, ``-`` and ``_``."""
    name: str
    """Key of the name, which starts with a verb and is unique within the command."""
    says: str
    """Key of the sentence that describes the act under *What can I do*."""
    when: Callable[[T], bool]
    """True if the act is possible. Otherwise it's just hidden, because the use case checks permissions anyway."""
    does: Callable[[Reply, T, ActValues], Awaitable[str]]
    """Run the act and return the sentence that reports it; empty if it has already replied. Raises Refused."""
    asks: tuple[ActField[T], ...] = ()
    others: tuple[str, ...] = ()
    """Other accepted names, such as those of old commands. They are never shown."""
    also: str = ""
    """Key of everyday synonyms that find the act, separated by ``/``. They are never shown."""
    likely: Callable[[T], bool] = lambda target: True
    """True if the act is suggested before anything is typed."""
    listed: Callable[[T], bool] = lambda target: True
    """True if the act is suggested and listed. Otherwise, only its full name finds it."""
    kept: bool = False
    """True if the act is always suggested when it's possible, however many others there are."""
    prefers: Callable[[T], bool] = lambda target: False
    """True for a target that takes precedence over others of its rank if only the act's name is typed."""
    sure: bool = False
    """True if the act can't be undone and needs a confirmation."""
    means: Callable[[Reply, T, ActValues], Awaitable[str]] | None = None
    """Describe the effect, for the form and the confirmation. Raises Refused if there would be none."""
    asks_once: Callable[[Reply, T, ActValues], Awaitable[Confirmation | None]] | None = None
    """Return the question to ask once before running the act; None if there is none. Raises Refused.

    The act's form shows it too, based on the values known at that point.
    """
    question: Callable[[Reply, T, ActValues], Awaitable[None]] | None = None
    """Show a page that asks for confirmation, in place of a form or the default question."""
    explains: Callable[[T], bool] = lambda target: False
    """True if running the act explains best why it isn't possible. In that case, it asks for no values."""
    undo: str = ""
    """Key of the act that undoes this one; empty if there is none."""


def everything(when: Callable[[T], bool] = lambda target: True) -> TypedAct[T]:
    """Return the entry *What can I do*, which lists all acts as sentences. A command may have only one."""

    async def does(reply: Reply, target: T, values: ActValues) -> str:
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
    """Source of a command's acts, their targets, and the permission to see them."""

    @property
    def acts(self) -> Sequence[TypedAct[T]]:
        """All acts, most likely first."""

    async def targets(self, reply: Reply, typed: str) -> Sequence[T]:
        """Return the targets that the player may see, from memory or with a single read.

        The channel's target comes first, then the player's own, then the rest. ``typed`` may name a target that isn't
        suggested otherwise.
        """

    async def target(self, reply: Reply, number: int, tag: str) -> T:
        """Return the target of a button; raises Refused."""

    def why_not(self, reply: Reply, act: TypedAct[T], targets: Sequence[T]) -> str:
        """Return a sentence explaining why ``act`` isn't possible now."""
