"""Queries for choices: a server's own games, templates and settings, and the settings of its members."""

from __future__ import annotations

import json

from bot.model.choices import MemberSettings, PageToken, ServerSettings, StreamLink, Template, Vacation
from bot.model.ids import GuildId, Player
from bot.model.tables import HouseGame
from bot.pure.ofc.house_rules import renew
from bot.pure.ofc.variants import Variant
from bot.store.columns import Column, Columns, columns_of, plain
from bot.store.queries import Queries, as_json, spec_text, variant_from


def _house_variant(text: str) -> Variant:
    return renew(variant_from(text))


def _channels(text: str) -> tuple[int, ...]:
    return tuple(json.loads(text))


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
    ServerSettings,
    "server",
    columns_of(
        ServerSettings,
        Column(name="game", attribute="game", to_sql=spec_text, from_sql=_house_variant),
        Column(name="channels", attribute="channels", to_sql=as_json, from_sql=_channels),
    ),
    key=("guild_id",),
    beside=("guild_id",),
)
TEMPLATES = Columns(
    Template,
    "table_template",
    [plain("name"), plain("table_id", "table")],
    key=("guild_id", "folded"),
    beside=("guild_id", "folded", "saved_by", "saved_at"),
)
MEMBERS = Columns(
    MemberSettings,
    "member",
    columns_of(MemberSettings),
    key=("guild_id", "player"),
    beside=("guild_id", "player"),
)


class ChoiceQueries(Queries):
    """Queries for house games, templates, and settings of servers and members."""

    def house_games(self, guild: GuildId) -> list[HouseGame]:
        rows = self._sql.all(f"SELECT {HOUSE_GAMES.names} FROM house_game WHERE guild_id = :guild_id", guild_id=guild)
        return sorted(map(HOUSE_GAMES.read, rows), key=lambda game: game.name)

    def save_house_game(self, guild: GuildId, game: HouseGame, *, by: Player, at: int) -> None:
        self._save(HOUSE_GAMES, game, guild_id=guild, changed_by=by, changed_at=at)

    def remove_house_game(self, guild: GuildId, name: str) -> None:
        self._sql.run("DELETE FROM house_game WHERE guild_id = :guild_id AND name = :name", guild_id=guild, name=name)

    def templates(self, guild: GuildId) -> list[Template]:
        rows = self._sql.all(f"SELECT {TEMPLATES.names} FROM table_template WHERE guild_id = :guild_id", guild_id=guild)
        return [*map(TEMPLATES.read, rows)]

    def save_template(self, guild: GuildId, template: Template, *, folded: str, by: Player, at: int) -> None:
        self._save(TEMPLATES, template, guild_id=guild, folded=folded, saved_by=by, saved_at=at)

    def remove_template(self, guild: GuildId, folded: str) -> None:
        self._sql.run(
            "DELETE FROM table_template WHERE guild_id = :guild_id AND folded = :folded", guild_id=guild, folded=folded
        )

    def member_settings(self, guild: GuildId, player: Player) -> MemberSettings:
        row = self._sql.one(
            f"SELECT {MEMBERS.names} FROM member WHERE guild_id = :guild_id AND player = :player",
            guild_id=guild,
            player=player,
        )
        return MemberSettings() if row is None else MEMBERS.read(row)

    def save_member_settings(self, guild: GuildId, player: Player, member_settings: MemberSettings) -> None:
        self._save(MEMBERS, member_settings, guild_id=guild, player=player)

    def vacations_during(self, begins: int, ends: int) -> list[tuple[GuildId, Player, Vacation]]:
        """Return the players and vacations that overlap the time from ``begins`` to ``ends`` (ms)."""
        rows = self._sql.all(
            "SELECT guild_id, player, vacation_from, vacation_until FROM member "
            "WHERE vacation_until > :begins AND vacation_from < :ends",
            begins=begins,
            ends=ends,
        )
        return [
            (
                GuildId(row["guild_id"]),
                Player(row["player"]),
                Vacation(begins=row["vacation_from"], ends=row["vacation_until"]),
            )
            for row in rows
        ]

    def hidden_players(self, guild: GuildId) -> set[Player]:
        """Return the players with a hidden profile."""
        rows = self._sql.all(
            "SELECT player FROM member WHERE guild_id = :guild_id AND profile_visible = 0", guild_id=guild
        )
        return {Player(row["player"]) for row in rows}

    def without_series_calls(self, guild: GuildId) -> set[Player]:
        """Return the players who aren't pinged for the next date of a series."""
        rows = self._sql.all(
            "SELECT player FROM member WHERE guild_id = :guild_id AND series_calls = 0", guild_id=guild
        )
        return {Player(row["player"]) for row in rows}

    def digests_due(self, now: int) -> list[tuple[GuildId, Player]]:
        """Return the players whose digest is due, oldest first."""
        rows = self._sql.all(
            "SELECT guild_id, player FROM member WHERE digest_due > 0 AND digest_due <= :now ORDER BY digest_due",
            now=now,
        )
        return [(GuildId(row["guild_id"]), Player(row["player"])) for row in rows]

    def keep_page(
        self, guild: GuildId, player: Player, digest: bytes, *, locale: str, given_at: int, until: int
    ) -> None:
        """Save the digest of a token, unless it's already saved."""
        self._sql.run(
            "INSERT INTO page_token (digest, guild_id, player, locale, given_at, until) "
            "VALUES (:digest, :guild_id, :player, :locale, :given_at, :until) ON CONFLICT (digest) DO NOTHING",
            digest=digest,
            guild_id=guild,
            player=player,
            locale=locale,
            given_at=given_at,
            until=until,
        )

    def page(self, guild: GuildId, digest: bytes) -> PageToken | None:
        """Return the token with this digest in a server."""
        row = self._sql.one(
            "SELECT digest, player, locale, until FROM page_token WHERE digest = :digest AND guild_id = :guild_id",
            digest=digest,
            guild_id=guild,
        )
        if row is None:
            return None
        return PageToken(
            digest=bytes(row["digest"]), player=Player(row["player"]), locale=row["locale"], until=row["until"]
        )

    def close_pages(self, guild: GuildId, player: Player) -> None:
        """Delete a player's page tokens in a server."""
        self._sql.run(
            "DELETE FROM page_token WHERE guild_id = :guild_id AND player = :player", guild_id=guild, player=player
        )

    def save_stream_link(self, guild: GuildId, link: StreamLink) -> None:
        """Save a player's only stream link in a server."""
        self._sql.run(
            "INSERT INTO stream_link (player, guild_id, name, locale, made_at) "
            "VALUES (:player, :guild_id, :name, :locale, :made_at)",
            player=link.player,
            guild_id=guild,
            name=link.name,
            locale=link.locale,
            made_at=link.made_at,
        )

    def stream_link(self, guild: GuildId, player: Player) -> StreamLink | None:
        """Return a player's stream link in a server."""
        found = self._stream_links("player = :player", guild_id=guild, player=player)
        return found[0] if found else None

    def stream_link_named(self, guild: GuildId, name: str) -> StreamLink | None:
        """Return the stream link with this name in a server."""
        found = self._stream_links("name = :name", guild_id=guild, name=name)
        return found[0] if found else None

    def stream_links(self, guild: GuildId) -> list[StreamLink]:
        """Return a server's stream links, newest first."""
        found = self._stream_links("1 = 1", guild_id=guild)
        return sorted(found, key=lambda link: (-link.made_at, link.name))

    def _stream_links(self, where: str, **told: int | str) -> list[StreamLink]:
        rows = self._sql.all(
            f"SELECT player, name, locale, made_at FROM stream_link WHERE guild_id = :guild_id AND {where}", **told
        )
        return [
            StreamLink(player=Player(row["player"]), name=row["name"], locale=row["locale"], made_at=row["made_at"])
            for row in rows
        ]

    def remove_stream_link(self, guild: GuildId, player: Player) -> None:
        """Remove a player's stream link in a server."""
        self._sql.run(
            "DELETE FROM stream_link WHERE guild_id = :guild_id AND player = :player", guild_id=guild, player=player
        )

    def forget_old_pages(self, guild: GuildId, player: Player, *, now: int, most: int) -> None:
        """Delete a server's expired tokens, and a player's tokens beyond the newest ``most``."""
        self._sql.run("DELETE FROM page_token WHERE guild_id = :guild_id AND until <= :now", guild_id=guild, now=now)
        rows = self._sql.all(
            "SELECT digest FROM page_token WHERE guild_id = :guild_id AND player = :player "
            "ORDER BY given_at DESC, digest",
            guild_id=guild,
            player=player,
        )
        for row in rows[most:]:
            self._sql.run(
                "DELETE FROM page_token WHERE guild_id = :guild_id AND digest = :digest",
                guild_id=guild,
                digest=bytes(row["digest"]),
            )

    def refuse_seat(self, guild: GuildId, player: Player, other: Player, *, at: int) -> None:
        self._sql.run(
            "INSERT INTO seat_refusal (guild_id, player, other, at) VALUES (:guild_id, :player, :other, :at) "
            "ON CONFLICT (guild_id, player, other) DO NOTHING",
            guild_id=guild,
            player=player,
            other=other,
            at=at,
        )

    def allow_seat(self, guild: GuildId, player: Player, other: Player) -> None:
        self._sql.run(
            "DELETE FROM seat_refusal WHERE guild_id = :guild_id AND player = :player AND other = :other",
            guild_id=guild,
            player=player,
            other=other,
        )

    def refused_by(self, guild: GuildId, player: Player) -> list[Player]:
        """Return the players blocked by ``player``, in the order they were blocked."""
        rows = self._sql.all(
            "SELECT other FROM seat_refusal WHERE guild_id = :guild_id AND player = :player ORDER BY at, other",
            guild_id=guild,
            player=player,
        )
        return [Player(row["other"]) for row in rows]

    def refusing(self, guild: GuildId, player: Player) -> list[Player]:
        """Return the players who have blocked ``player``. Never show this to the player."""
        rows = self._sql.all(
            "SELECT player FROM seat_refusal WHERE guild_id = :guild_id AND other = :player",
            guild_id=guild,
            player=player,
        )
        return [Player(row["player"]) for row in rows]

    def server(self, guild: GuildId) -> ServerSettings:
        row = self._sql.one(f"SELECT {SERVERS.names} FROM server WHERE guild_id = :guild_id", guild_id=guild)
        return ServerSettings() if row is None else SERVERS.read(row)

    def save_server(self, guild: GuildId, server: ServerSettings) -> None:
        self._save(SERVERS, server, guild_id=guild)
