"""What servers and players have chosen, in SQL: a server's own games and its settings, and a player's reminders."""

from __future__ import annotations

from bot.ofc.house_rules import renewed
from bot.ofc.variants import Variant
from bot.play.event.model import Server
from bot.play.model import GuildId, HouseGame, Player
from bot.store.columns import Column, Columns, plain
from bot.store.queries import Queries
from bot.store.values import spec_text, variant_from


def _house_variant(text: str) -> Variant:
    return renewed(variant_from(text))


HOUSE_GAMES = Columns(
    HouseGame,
    "house_game",
    [
        plain("name"),
        Column(name="spec", attribute="variant", to_sql=spec_text, from_sql=_house_variant),
    ],
    key=("guild_id", "name"),
    beside=("guild_id", "changed_by", "changed_at"),
)
SERVERS = Columns(
    Server,
    "server",
    [
        plain("organiser_role"),
        plain("zone"),
    ],
    key=("guild_id",),
    beside=("guild_id",),
)


class ChoiceQueries(Queries):
    """What :class:`bot.play.event.ports.EventTx` promises of house games, settings and reminders."""

    def house_games(self, guild: GuildId) -> list[HouseGame]:
        rows = self._sql.all(f"SELECT {HOUSE_GAMES.names} FROM house_game WHERE guild_id = :guild_id", guild_id=guild)
        return sorted(map(HOUSE_GAMES.read, rows), key=lambda game: game.name)

    def save_house_game(self, guild: GuildId, game: HouseGame, *, by: Player, at: int) -> None:
        self._save(HOUSE_GAMES, game, guild_id=guild, changed_by=by, changed_at=at)

    def remove_house_game(self, guild: GuildId, name: str) -> None:
        self._sql.run("DELETE FROM house_game WHERE guild_id = :guild_id AND name = :name", guild_id=guild, name=name)

    def wants_reminders(self, guild: GuildId, player: Player) -> bool:
        chosen = self._number(
            "SELECT reminders FROM member WHERE guild_id = :guild_id AND player = :player",
            guild_id=guild,
            player=player,
        )
        return chosen != 0

    def save_reminders(self, guild: GuildId, player: Player, *, on: bool) -> None:
        self._sql.run(
            "INSERT INTO member (guild_id, player, reminders) VALUES (:guild_id, :player, :reminders) "
            "ON CONFLICT (guild_id, player) DO UPDATE SET reminders = excluded.reminders",
            guild_id=guild,
            player=player,
            reminders=int(on),
        )

    def server(self, guild: GuildId) -> Server:
        row = self._sql.one(f"SELECT {SERVERS.names} FROM server WHERE guild_id = :guild_id", guild_id=guild)
        return Server() if row is None else SERVERS.read(row)

    def save_server(self, guild: GuildId, server: Server) -> None:
        self._save(SERVERS, server, guild_id=guild)
