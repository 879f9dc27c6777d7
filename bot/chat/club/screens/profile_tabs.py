"""The parts of a profile, and the menu that leads from one to another."""

from __future__ import annotations

from enum import Enum

from discord import SelectOption

from bot.chat.kit.custom_ids import Press, short_id
from bot.chat.kit.typed_choice import Named
from bot.chat.kit.widgets import Part, select
from bot.model.ids import Player, TableId
from bot.text.languages import LANGUAGES
from bot.text.words import Words, words_for


class ProfilePart(Enum):
    """A part of a profile."""

    RESULTS = "results"
    HANDS = "hands"
    CHIPS = "chips"
    BADGES = "badges"


FOR_OTHERS = (ProfilePart.RESULTS, ProfilePart.BADGES)
"""What others may look at, if a player shows their profile."""
OUTSIDE = (ProfilePart.RESULTS, ProfilePart.HANDS)
"""What there is where the bot has no server."""


def profile_tabs(player: Player, now: ProfilePart, words: Words, *, own: bool, outside: bool = False) -> Part:
    """The menu of the parts of somebody's profile."""
    parts = OUTSIDE if outside else ProfilePart if own else FOR_OTHERS
    options = [SelectOption(label=part_name(part, words), value=part.value, default=part is now) for part in parts]
    press = Press(verb="pf_part", table=TableId(0), argument=short_id(int(player)))
    return select(press, options, placeholder=words("profile.choose_part"))


def part_name(part: ProfilePart, words: Words) -> str:
    """What a part of a profile is called."""
    return words(f"profile.part.{part.value}")


def named_parts(words: Words) -> list[Named[ProfilePart]]:
    """Return the parts by their names in all languages."""
    return [
        Named(
            name=part_name(part, words),
            value=part,
            others=(part.value, *(part_name(part, words_for(language)) for language in LANGUAGES)),
        )
        for part in ProfilePart
    ]
