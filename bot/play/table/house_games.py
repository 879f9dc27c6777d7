"""A server's custom games: presets with overrides, each with a name."""

from __future__ import annotations

from collections.abc import Callable

from bot.base.clean_text import one_line
from bot.model.ids import GuildId, Player
from bot.model.limits import MAX_HOUSE_GAME_NAME_LENGTH, MAX_HOUSE_GAMES
from bot.model.mentions import require_no_mention
from bot.model.reasons import ServerReason
from bot.model.tables import HouseGame
from bot.play.session.session import Session
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.variants import Variant


def change(
    s: Session, guild: GuildId, name: str, chosen: Callable[[HouseGame | None], HouseGame], *, by: Player
) -> HouseGame:
    """Change or create the game ``name`` in its current state, and return it. Raises Refused."""
    game = chosen(next((known for known in s.tx.choices.house_games(guild) if known.name == name), None))
    save(s, guild, game, by=by)
    return game


def save(s: Session, guild: GuildId, game: HouseGame, *, by: Player) -> None:
    """Save a game under its name, replacing one with the same name; raises Refused."""
    if not one_line(game.name) or len(game.name) > MAX_HOUSE_GAME_NAME_LENGTH:
        raise Refused(ServerReason.BAD_GAME_NAME, most=MAX_HOUSE_GAME_NAME_LENGTH)
    require_no_mention(game.name)
    others = {known.name for known in s.tx.choices.house_games(guild)} - {game.name}
    if len(others) >= MAX_HOUSE_GAMES:
        raise Refused(ServerReason.TOO_MANY_GAMES, most=MAX_HOUSE_GAMES)
    s.tx.choices.save_house_game(guild, game, by=by, at=s.now)


def default_game(s: Session, guild: GuildId) -> Variant:
    """Return a server's default game. If it's a custom one, return its current version."""
    game = s.tx.choices.server(guild).game
    if game is None:
        return next(iter(PRESETS.values()))
    if not game.house_name:
        return game
    own = {known.name: known.variant for known in s.tx.choices.house_games(guild)}
    return own.get(game.house_name, game)
