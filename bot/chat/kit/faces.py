"""Cards and players in messages: the application's emojis and players' display names, with fallbacks."""

from __future__ import annotations

import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

import discord

from bot.base.clean_text import one_line
from bot.model.choices import BoardSize, DeckColours, MemberSettings
from bot.model.ids import COMPUTERS, GuildId, is_computer, is_pseudonym
from bot.pure.ofc.cards import Card, card_name
from bot.text.cards import card_text
from bot.text.names import as_read, isolated
from bot.text.players import computer_name, deleted_name
from bot.text.words import Words, escape_name

MAX_NAMES = 20_000
"""Maximum number of cached names. The least recently seen ones are dropped."""


@dataclass(frozen=True, slots=True)
class _Name:
    said: tuple[str, str]
    """The display name and the user name, as sent by Discord."""
    plain: str
    """The visible form of the display name, or the user name if no part of it is visible."""
    bold: str
    """``plain`` as shown in messages. It's cached because it's used far more often than it changes."""
    username: str
    key: tuple[GuildId, str]
    """The server and the readable form of the name. Players whose names look alike share a key."""
    hidden: bool
    """True if no part of the display name is visible."""
    wordless: bool
    """True for a name without letters and numbers, such as emojis, which can't be read aloud, typed or drawn."""


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
    """In-memory cache of names by server and player. An unknown player is shown as a mention.

    Each interaction contains its player's name. If a picture needs an unknown name, Discord is asked for it once.
    Players in a server whose names look alike are shown with their user names everywhere.
    """

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[GuildId, str], _Name] = OrderedDict()
        self._alike: dict[tuple[GuildId, str], set[str]] = {}
        """Players in a server, by the readable form of their names."""
        self._mentioned: frozenset[str] = frozenset()
        self._sought: set[tuple[GuildId, str]] = set()

    def calling(self, players: Collection[str]) -> DisplayNames:
        """Return names that mention ``players``, for a message that pings them. Plain names don't notify anyone."""
        names = DisplayNames()
        names._known, names._alike, names._mentioned = self._known, self._alike, frozenset(players)
        return names

    def saw(self, guild: GuildId, player: str, name: str, *, username: str = "") -> None:
        """Cache a player's name in a server. ``username`` is used if the name can't be read or drawn."""
        known = self._known.get((guild, player))
        if known is None or known.said != (name, username):
            self._drop((guild, player))
            self._known[guild, player] = known = _read(guild, player, name, username)
            self._alike.setdefault(known.key, set()).add(player)
        self._known.move_to_end((guild, player))
        if len(self._known) > MAX_NAMES:
            self._drop(next(iter(self._known)))

    def _drop(self, who: tuple[GuildId, str]) -> None:
        known = self._known.pop(who, None)
        if known is not None:
            alike = self._alike[known.key]
            alike.discard(who[1])
            if not alike:
                del self._alike[known.key]

    def to_ask(self, guild: GuildId, players: Iterable[str]) -> list[str]:
        """Return the players whose names should be requested: those that are unknown and haven't been requested yet."""
        unknown = [one for one in players if one.isdigit() and (guild, one) not in self._known]
        return [one for one in unknown if (guild, one) not in self._sought]

    def asked(self, guild: GuildId, player: str) -> None:
        """Note that Discord doesn't know ``player`` in this server, so that they aren't requested again."""
        if len(self._sought) > MAX_NAMES:
            self._sought.clear()
        self._sought.add((guild, player))

    def forget(self, player: str | None = None) -> None:
        """Drop the player's name in all servers, or all names if ``player`` is None."""
        if player is None:
            self._sought.clear()
        for who in [who for who in self._known if player in (None, who[1])]:
            self._drop(who)

    def bare(self, guild: GuildId, player: str, words: Words) -> str:
        """Return the name without the user name, for places that show it separately; empty for an unknown player."""
        if is_computer(player):
            return computer_name(player, words)
        if is_pseudonym(player):
            return deleted_name(player, words)
        known = self._known.get((guild, player))
        return "" if known is None else isolated(known.plain)

    def plain(self, guild: GuildId, player: str, words: Words) -> str:
        """Return the name for menus, pages, descriptions and screen readers; empty for an unknown player."""
        name, username = self.bare(guild, player, words), self.apart(guild, player, words)
        return words("name.apart", name=name, username=username) if username else name

    def option(self, guild: GuildId, player: str, words: Words) -> tuple[str, str]:
        """Return the name as a menu option's label, and the user name for the description if it's needed."""
        return self.bare(guild, player, words), self.apart(guild, player, words)

    def username(self, guild: GuildId, player: str) -> str:
        """Return the user name, which has only plain letters; empty for an unknown player."""
        known = self._known.get((guild, player))
        return "" if known is None else known.said[1]

    def apart(self, guild: GuildId, player: str, words: Words) -> str:
        """Return the user name if the name isn't enough to identify the player; otherwise empty."""
        known = self._known.get((guild, player))
        if known is None or known.plain == known.username:
            return ""
        alike = len(self._alike[known.key]) > 1 or known.key[1] in _computers_as_read(words)
        return known.username if alike or known.wordless else ""

    def of(self, guild: GuildId, player: str, words: Words) -> str:
        """Return the name in bold, or a mention, which shows the name and is never sent as a ping."""
        if is_computer(player) or is_pseudonym(player):
            return _bold(self.bare(guild, player, words))
        known = self._known.get((guild, player))
        if known is None or not known.bold or player in self._mentioned:
            return self.mention(guild, player, words)
        username = self.apart(guild, player, words)
        return words("name.apart", name=known.bold, username=escape_name(username)) if username else known.bold

    def mention(self, guild: GuildId, player: str, words: Words) -> str:
        """Return a mention, followed by the user name if the name that Discord shows is invisible or ambiguous."""
        known = self._known.get((guild, player))
        if known is None:
            return f"<@{player}>"
        name = isolated(known.plain, f"<@{player}>")
        username = known.username if known.hidden else self.apart(guild, player, words)
        return words("name.apart", name=name, username=escape_name(username)) if username else name

    def list(self, guild: GuildId, players: Sequence[str], words: Words) -> str:
        """Return a list of names, such as ``A, B and C``."""
        return words.list([self.of(guild, player, words) for player in players])


def _bold(name: str) -> str:
    return f"**{escape_name(name)}**"


BACK = "back"
SLOT = "slot"
TWO_COLOURED = "2"
"""Suffix of the faces that look different in a two-coloured deck."""
MAX_TEXTS = 4096
"""Maximum number of cached texts with cards. Each takes up to half a kilobyte."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Faces:
    """The application's card emojis for one reader's settings, by face name (``As``, ``Ad2``, ``back``, ``slot``).

    Emojis are added once they have been uploaded, for all readers at once.
    """

    names: DisplayNames = field(default_factory=DisplayNames)
    member_settings: MemberSettings = field(default_factory=MemberSettings)
    """The reader's settings. Public messages use the defaults."""
    _emojis: dict[str, discord.PartialEmoji] = field(default_factory=dict, repr=False)
    _texts: dict[str, str] = field(default_factory=dict, repr=False)
    """The emojis as text, cached because boards are drawn far more often than faces are uploaded."""
    _known: dict[Hashable, str] = field(default_factory=dict, repr=False)

    def for_reader(self, member_settings: MemberSettings) -> Faces:
        """Return the faces for a reader with these settings."""
        return replace(self, member_settings=member_settings)

    def in_letters(self) -> Faces:
        """Return the faces without pictures."""
        return self.for_reader(replace(self.member_settings, text_only=True))

    def use(self, emojis: Mapping[str, discord.PartialEmoji]) -> None:
        """Replace the emojis with ``emojis``."""
        self._emojis.clear()
        self._emojis.update(emojis)
        self._texts.clear()
        self._texts.update({name: str(emoji) for name, emoji in emojis.items()})
        self._known.clear()

    @property
    def ready(self) -> bool:
        """True if cards are shown as emojis."""
        return bool(self._emojis) and not self.member_settings.text_only

    def large(self, line: str) -> str:
        """Return cards as a heading, which enlarges emojis. Text cards and compact boards leave ``line`` unchanged."""
        return f"# {line}" if self.ready and self.member_settings.size is not BoardSize.COMPACT else line

    def emoji(self, card: Card) -> discord.PartialEmoji | None:
        """Return a card's emoji for a button; None if its name should be used instead."""
        face = self._face(card_name(card))
        return None if face is None else self._emojis[face]

    def card(self, card: Card | None) -> str:
        """Return a card as text; None is a face-down card."""
        face = self._face(BACK if card is None else card_name(card))
        if face is not None:
            return self._texts[face]
        name = "??" if card is None else card_text(card)
        return name if self.member_settings.text_only else f"`{name}`"

    def row(self, cards: Iterable[Card | None], *, size: int = 0) -> str:
        """Return a row as text, padded to ``size`` with empty places, except for screen readers."""
        shown = [self.card(card) for card in cards]
        if not self.member_settings.text_only:
            empty = self._face(SLOT)
            shown += ["`··`" if empty is None else self._texts[empty]] * (size - len(shown))
        return ("" if self.ready else " ").join(shown)

    def known(self, what: Hashable, write: Callable[[], str]) -> str:
        """Return a text with cards from the cache, or ``write`` it. Caching pays because most of a board rarely
        changes.

        The text must depend only on ``what`` and the reader's settings.
        """
        member_settings = self.member_settings
        asked = (
            what,
            member_settings.deck is DeckColours.TWO,
            member_settings.text_only,
            member_settings.size is BoardSize.COMPACT,
        )
        text = self._known.get(asked)
        if text is None:
            if len(self._known) >= MAX_TEXTS:
                self._known.clear()
            text = self._known[asked] = write()
        return text

    def _face(self, name: str) -> str | None:
        """Return the name of the face that this reader sees; None if they read cards as text."""
        if self.member_settings.text_only:
            return None
        if self.member_settings.deck is DeckColours.TWO and name + TWO_COLOURED in self._emojis:
            return name + TWO_COLOURED
        return name if name in self._emojis else None
