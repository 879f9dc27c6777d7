"""The parts of a profile, and the menu to switch between them."""

from __future__ import annotations

from enum import Enum

from discord import SelectOption

from bot.chat.kit.custom_ids import Press, short_id
from bot.chat.kit.typed_choice import NamedChoice
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
"""The parts that other players can see if the profile isn't hidden."""
OUTSIDE = (ProfilePart.RESULTS, ProfilePart.HANDS)
"""The parts available outside servers."""


def profile_tabs(player: Player, now: ProfilePart, words: Words, *, own: bool, outside: bool = False) -> Part:
    """Return the menu of the parts of a player's profile."""
    parts = OUTSIDE if outside else ProfilePart if own else FOR_OTHERS
    options = [SelectOption(label=part_name(part, words), value=part.value, default=part is now) for part in parts]
    press = Press(verb="pf_part", table=TableId(0), argument=short_id(int(player)))
    return select(press, options, placeholder=words("profile.choose_part"))


def part_name(part: ProfilePart, words: Words) -> str:
    """Return the name of a part of a profile."""
    return words(f"profile.part.{part.value}")


def named_parts(words: Words) -> list[NamedChoice[ProfilePart]]:
    """Return the parts with their names in all languages."""
    return [
        NamedChoice(
            name=part_name(part, words),
            value=part,
            others=(part.value, *(part_name(part, words_for(language)) for language in LANGUAGES)),
        )
        for part in ProfilePart
    ]
