"""Names on pictures, written in letters that the font has, and disambiguated if they look alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TypeVar

from bot.chat.art.felt import drawable
from bot.chat.kit.faces import DisplayNames
from bot.model.ids import GuildId
from bot.text.names import as_read
from bot.text.words import Words

P = TypeVar("P", bound=str)
_COMPARED = 10
"""Number of letters that always fit in the space for a name. Longer names may be cut off."""


def picture_names(names: DisplayNames, guild: GuildId, players: Iterable[P], words: Words) -> dict[P, str]:
    """Return a name for each player in a picture; empty if no known name can be drawn.

    The user name replaces a name with letters that the font lacks. It comes first if names look alike, because
    the end of a long text may be cut off.
    """
    listed = list(dict.fromkeys(players))
    own = {player: drawable(names.username(guild, player)) for player in listed}
    drawn = {player: drawable(names.bare(guild, player, words)) or own[player] for player in listed}
    looks = {player: as_read(name)[:_COMPARED] for player, name in drawn.items()}
    alike = Counter(looks.values())
    for player in listed:
        name, username = drawn[player], own[player]
        if alike[looks[player]] > 1 and username and username != name:
            drawn[player] = words("name.apart", name=username, username=name)
    return drawn


def picture_name(names: DisplayNames, guild: GuildId, player: str, words: Words) -> str:
    """Return the name of the only player in a picture."""
    return picture_names(names, guild, [player], words)[player]
