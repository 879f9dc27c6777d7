"""Cards and people as messages show them: application-owned emojis and display names, or what stands in for them."""

from __future__ import annotations

import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

import discord

from bot.base.clean_text import one_line
from bot.model.choices import BoardSize, DeckColours, Wishes
from bot.model.ids import COMPUTERS, GuildId, is_computer, is_gone
from bot.pure.ofc.cards import Card, card_name
from bot.text.cards import card_text
from bot.text.names import as_read, isolated
from bot.text.players import computer_name, gone_name
from bot.text.words import Words, escape_name

MOST_NAMES = 20_000
"""Names that are remembered; those not seen for longest are forgotten."""


@dataclass(frozen=True, slots=True)
class _Name:
    said: tuple[str, str]
    """The display name and the user name as Discord has them."""
    plain: str
    """The display name as players see it, or the user name if nothing of it can be seen."""
    bold: str
    """``plain`` as messages show it. It's written far more often than it changes."""
    username: str
    key: tuple[GuildId, str]
    """The same for all players of a server whose names read the same."""
    hidden: bool
    """True if nothing of the display name can be seen."""
    wordless: bool
    """True if it has neither letters nor numbers, such as a name of emojis: it can't be read aloud, typed or drawn."""


def _read(guild: GuildId, player: str, name: str, username: str) -> _Name:
    shown = one_line(name)
    plain = shown or one_line(username)
    return _Name(
        said=(name, username),
        plain=plain,
        bold=_bold(plain) if plain else "",
        username=one_line(username) or f"…{player[-4:]}",
        key=(guild, as_read(plain)),
        hidden=not shown,
        wordless=not any(unicodedata.category(letter)[0] in "LN" for letter in plain),
    )


@cache
def _computers_as_read(words: Words) -> frozenset[str]:
    return frozenset(as_read(computer_name(one, words)) for known in COMPUTERS.values() for one in known)


class DisplayNames:
    """Names by server and player. They are in memory only: until somebody has pressed something, a mention stands in.

    Each interaction brings the name of whoever made it. Discord is asked for those that a picture needs, once each.
    Players of a server whose names read the same are shown with their user names, wherever they're shown.
    """

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[GuildId, str], _Name] = OrderedDict()
        self._alike: dict[tuple[GuildId, str], set[str]] = {}
        """The players of a server by what their names read like."""
        self._mentioned: frozenset[str] = frozenset()
        self._sought: set[tuple[GuildId, str]] = set()

    def calling(self, players: Collection[str]) -> DisplayNames:
        """The same names for a message that calls these players: it mentions them, for a name notifies nobody."""
        names = DisplayNames()
        names._known, names._alike, names._mentioned = self._known, self._alike, frozenset(players)
        return names

    def saw(self, guild: GuildId, player: str, name: str, *, username: str = "") -> None:
        """Remember what somebody is called there; the user name is for where that can't be read or drawn."""
        known = self._known.get((guild, player))
        if known is None or known.said != (name, username):
            self._drop((guild, player))
            self._known[guild, player] = known = _read(guild, player, name, username)
            self._alike.setdefault(known.key, set()).add(player)
        self._known.move_to_end((guild, player))
        if len(self._known) > MOST_NAMES:
            self._drop(next(iter(self._known)))

    def _drop(self, who: tuple[GuildId, str]) -> None:
        known = self._known.pop(who, None)
        if known is not None:
            alike = self._alike[known.key]
            alike.discard(who[1])
            if not alike:
                del self._alike[known.key]

    def to_ask(self, guild: GuildId, players: Iterable[str]) -> list[str]:
        """The people among these whose names are to be asked for: they are not known, and nothing was answered yet."""
        unknown = [one for one in players if one.isdigit() and (guild, one) not in self._known]
        return [one for one in unknown if (guild, one) not in self._sought]

    def asked(self, guild: GuildId, player: str) -> None:
        """Discord has answered, and knows nobody there by this id: it is not asked again."""
        if len(self._sought) > MOST_NAMES:
            self._sought.clear()
        self._sought.add((guild, player))

    def forget(self, player: str | None = None) -> None:
        """Remember somebody's name nowhere any more, or nobody's."""
        if player is None:
            self._sought.clear()
        for who in [who for who in self._known if player in (None, who[1])]:
            self._drop(who)

    def bare(self, guild: GuildId, player: str, words: Words) -> str:
        """The name on its own, for where the user name is told apart from it; empty for an unknown player."""
        if is_computer(player):
            return computer_name(player, words)
        if is_gone(player):
            return gone_name(player, words)
        known = self._known.get((guild, player))
        return "" if known is None else isolated(known.plain)

    def plain(self, guild: GuildId, player: str, words: Words) -> str:
        """The name as menus, pages and descriptions have it, or as it's read out; empty for an unknown player."""
        name, username = self.bare(guild, player, words), self.apart(guild, player, words)
        return words("name.apart", name=name, username=username) if username else name

    def option(self, guild: GuildId, player: str, words: Words) -> tuple[str, str]:
        """The name as the label of a menu, and the user name for its description if players need it."""
        return self.bare(guild, player, words), self.apart(guild, player, words)

    def username(self, guild: GuildId, player: str) -> str:
        """The user name, which is made of plain letters; empty for somebody who is not known."""
        known = self._known.get((guild, player))
        return "" if known is None else known.said[1]

    def apart(self, guild: GuildId, player: str, words: Words) -> str:
        """The user name of a player whose name isn't enough to recognise them; empty for the others."""
        known = self._known.get((guild, player))
        if known is None or known.plain == known.username:
            return ""
        alike = len(self._alike[known.key]) > 1 or known.key[1] in _computers_as_read(words)
        return known.username if alike or known.wordless else ""

    def of(self, guild: GuildId, player: str, words: Words) -> str:
        """The name in bold, or a mention, which names the person and is never sent as a ping."""
        if is_computer(player) or is_gone(player):
            return _bold(self.bare(guild, player, words))
        known = self._known.get((guild, player))
        if known is None or not known.bold or player in self._mentioned:
            return self.mention(guild, player, words)
        username = self.apart(guild, player, words)
        return words("name.apart", name=known.bold, username=escape_name(username)) if username else known.bold

    def mention(self, guild: GuildId, player: str, words: Words) -> str:
        """A mention, with the user name if what Discord shows for it can't be seen or told apart."""
        known = self._known.get((guild, player))
        if known is None:
            return f"<@{player}>"
        name = isolated(known.plain, f"<@{player}>")
        username = known.username if known.hidden else self.apart(guild, player, words)
        return words("name.apart", name=name, username=escape_name(username)) if username else name

    def list(self, guild: GuildId, players: Sequence[str], words: Words) -> str:
        """``A, B and C``."""
        return words.list([self.of(guild, player, words) for player in players])


def _bold(name: str) -> str:
    return f"**{escape_name(name)}**"


BACK = "back"
SLOT = "slot"
TWO_COLOURED = "2"
"""At the end of the name of a card that is another one in a deck of two colours."""
MOST_TEXTS = 4096
"""Texts with cards that are kept. One takes up to half a kilobyte."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Faces:
    """The card emojis of the application, by face name (``As``, ``Ad2``, ``back``, ``slot``), as one reader wants them.

    They are filled in when they are uploaded, for all readers at once.
    """

    names: DisplayNames = field(default_factory=DisplayNames)
    wishes: Wishes = field(default_factory=Wishes)
    """What everybody reads follows nobody's."""
    _emojis: dict[str, discord.PartialEmoji] = field(default_factory=dict, repr=False)
    _texts: dict[str, str] = field(default_factory=dict, repr=False)
    """The emojis as text has them: a board is written far more often than faces are uploaded."""
    _known: dict[Hashable, str] = field(default_factory=dict, repr=False)

    def for_reader(self, wishes: Wishes) -> Faces:
        """The same for somebody who has chosen this."""
        return replace(self, wishes=wishes)

    def in_letters(self) -> Faces:
        """The same without a picture."""
        return self.for_reader(replace(self.wishes, text_only=True))

    def use(self, emojis: Mapping[str, discord.PartialEmoji]) -> None:
        """Show these emojis from now on."""
        self._emojis.clear()
        self._emojis.update(emojis)
        self._texts.clear()
        self._texts.update({name: str(emoji) for name, emoji in emojis.items()})
        self._known.clear()

    @property
    def ready(self) -> bool:
        """True when cards are shown as emojis."""
        return bool(self._emojis) and not self.wishes.text_only

    def large(self, line: str) -> str:
        """Cards in a heading, which enlarges emojis; as they are in text, and where a board is to be short."""
        return f"# {line}" if self.ready and self.wishes.size is not BoardSize.COMPACT else line

    def emoji(self, card: Card) -> discord.PartialEmoji | None:
        """The emoji of a card for a button, or None to write its name."""
        face = self._face(card_name(card))
        return None if face is None else self._emojis[face]

    def card(self, card: Card | None) -> str:
        """A card in text; None is a card that lies face down."""
        face = self._face(BACK if card is None else card_name(card))
        if face is not None:
            return self._texts[face]
        name = "??" if card is None else card_text(card)
        return name if self.wishes.text_only else f"`{name}`"

    def row(self, cards: Iterable[Card | None], *, size: int = 0) -> str:
        """A row in text, filled up with empty places to ``size``; a list for a screen reader has none."""
        shown = [self.card(card) for card in cards]
        if not self.wishes.text_only:
            empty = self._face(SLOT)
            shown += ["`··`" if empty is None else self._texts[empty]] * (size - len(shown))
        return ("" if self.ready else " ").join(shown)

    def known(self, what: Hashable, write: Callable[[], str]) -> str:
        """A text with cards as it was written last: most of a board stays from one press to the next.

        It follows from ``what`` and from what the reader has chosen.
        """
        wishes = self.wishes
        asked = (what, wishes.deck is DeckColours.TWO, wishes.text_only, wishes.size is BoardSize.COMPACT)
        text = self._known.get(asked)
        if text is None:
            if len(self._known) >= MOST_TEXTS:
                self._known.clear()
            text = self._known[asked] = write()
        return text

    def _face(self, name: str) -> str | None:
        """The name of the face that this reader sees; None for one who is shown cards in writing."""
        if self.wishes.text_only:
            return None
        if self.wishes.deck is DeckColours.TWO and name + TWO_COLOURED in self._emojis:
            return name + TWO_COLOURED
        return name if name in self._emojis else None
