"""Choosing a game in a command: the presets and the server's own games, found by what is typed."""

from __future__ import annotations

from discord import app_commands

from bot.model.ids import GuildId
from bot.ofc.presets import PRESETS
from bot.ofc.variants import Variant, VariantError
from bot.play.doors.play import Play
from bot.text.languages import LANGUAGES
from bot.text.words import Words, preset_name, words_for
from bot.ui.custom_ids import OWN, game_tag

MOST_CHOICES = 25


async def game_choices(play: Play, guild: GuildId, current: str, words: Words) -> list[app_commands.Choice[str]]:
    """The games whose name holds what was typed, the server's own ones first."""
    own = await play.games(guild)
    named = [(game.name, OWN + game_tag(game.name)) for game in own]
    named += [(preset_name(variant, words), key) for key, variant in PRESETS.items()]
    wanted = current.casefold()
    found = [app_commands.Choice(name=name[:100], value=value) for name, value in named if wanted in name.casefold()]
    return found[:MOST_CHOICES]


async def find_game(play: Play, guild: GuildId, text: str) -> Variant:
    """The game of a choice, or of a name or key that was typed; the usual one for nothing. Raises VariantError."""
    if not text:
        return await play.usual_game(guild)
    if text in PRESETS:
        return PRESETS[text]
    wanted = text.strip().casefold()
    for game in await play.games(guild):
        if text == OWN + game_tag(game.name) or wanted == game.name.casefold():
            return game.variant
    for language in LANGUAGES:
        for variant in PRESETS.values():
            if wanted == preset_name(variant, words_for(language)).casefold():
                return variant
    raise VariantError("no_such_game", value=text[:20], choices=", ".join(PRESETS))
