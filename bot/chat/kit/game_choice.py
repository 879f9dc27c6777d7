"""Choosing a preset or one of the server's own games by typing part of its name in a command."""

from __future__ import annotations

from discord import app_commands

from bot.chat.kit.custom_ids import OWN, game_tag
from bot.chat.kit.suggestions import shortened
from bot.chat.kit.typed_choice import NamedChoice, fitting, the_one
from bot.model.ids import GuildId
from bot.play.api.play import Play
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.variants import Variant, VariantError
from bot.text.games import preset_name
from bot.text.languages import LANGUAGES
from bot.text.words import Words, words_for

MAX_CHOICES = 25


async def games_named(play: Play, guild: GuildId, words: Words) -> list[NamedChoice[Variant]]:
    """Return the server's own games and the presets, with their names in all languages and the presets' keys."""
    own = [NamedChoice(name=game.name, value=game.variant) for game in await play.games(guild)]
    presets = [
        NamedChoice(
            name=preset_name(variant, words),
            value=variant,
            others=(key, *(preset_name(variant, words_for(language)) for language in LANGUAGES)),
        )
        for key, variant in PRESETS.items()
    ]
    return [*own, *presets]


async def game_choices(play: Play, guild: GuildId, current: str, words: Words) -> list[app_commands.Choice[str]]:
    """Return the games whose name contains ``current``, the server's own games first."""
    found = fitting(current, await games_named(play, guild, words))
    choices = [app_commands.Choice(name=one.name[:100], value=game_sent(one.value)) for one in found]
    return shortened(choices, current, words)


def game_sent(game: Variant) -> str:
    """Return a game as a choice's value, which :func:`find_game` finds."""
    return OWN + game_tag(game.house_name) if game.house_name else game.key


async def typed_game(play: Play, guild: GuildId, text: str, words: Words) -> Variant:
    """Return the game for a choice or part of a name; the default game if ``text`` is empty. Raises Refused."""
    try:
        return await find_game(play, guild, text)
    except VariantError:
        return the_one(text, await games_named(play, guild, words), words)


async def find_game(play: Play, guild: GuildId, text: str) -> Variant:
    """Return the game for a choice, full name or key; the default game if ``text`` is empty. Raises VariantError."""
    if not text:
        return await play.default_game(guild)
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
