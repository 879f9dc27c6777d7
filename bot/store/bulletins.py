"""Queries for bulletins: servers' settings, stored recaps, and the activity of a week."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any

from bot.model.bulletins import (
    Bulletin,
    BulletinKind,
    Climb,
    CloseFinish,
    DailyBest,
    EventPlace,
    Highlight,
    PlayerPair,
    Recap,
    RecapLine,
    Victory,
    WeekBadge,
    WeekPoints,
)
from bot.model.ids import GuildId, Player, TableId
from bot.model.mentions import mentioned_in
from bot.store.columns import Column, Columns, columns_of, plain
from bot.store.queries import Queries, as_json
from bot.store.sql import SqlRow, in_brackets, names_for

BULLETINS = Columns(
    Bulletin,
    "bulletin",
    columns_of(Bulletin, plain("channel_id", "channel")),
    key=("guild_id", "kind"),
    beside=("guild_id",),
)


def _values(named: Sequence[Any]) -> str:
    return as_json([asdict(one) for one in named])


def _list_column(name: str, kind: type) -> Column:
    """Return a column that stores a list of values as JSON."""
    return Column(
        name=name,
        attribute=name,
        to_sql=_values,
        from_sql=lambda text: [kind(**fields) for fields in json.loads(text)],
    )


_LISTS: Mapping[str, type] = {
    "top": RecapLine,
    "climbs": Climb,
    "boards": Highlight,
    "lucky": Highlight,
    "unlucky": Highlight,
    "finishes": CloseFinish,
    "pairs": PlayerPair,
    "victories": Victory,
    "podium": EventPlace,
    "event_points": WeekPoints,
    "badges": WeekBadge,
    "dailies": DailyBest,
}
RECAPS = Columns(
    Recap,
    "recap",
    [
        *(plain(name) for name in ("number", "since", "until")),
        plain("channel_id", "channel"),
        *(plain(name) for name in ("hands", "players", "event_hands", "event_players", "events")),
        *(_list_column(name, kind) for name, kind in _LISTS.items()),
        Column(name="masters", attribute="masters", to_sql=as_json, from_sql=json.loads),
    ],
    key=("guild_id", "number"),
    beside=("guild_id",),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class WeekResult:
    """A player's result in a hand for chips, as used by recaps."""

    table: TableId
    channel: int
    """Channel of the table, or the parent channel of its thread."""
    hand_no: int
    at: int
    player: Player
    points: int
    chips: int
    royalties: int
    foul: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EventHand:
    """A player in a hand of an event."""

    table: TableId
    channel: int
    hand_no: int
    player: Player


@dataclass(frozen=True, slots=True, kw_only=True)
class WeekEvent:
    """An event that has ended."""

    number: int
    name: str
    channel: int
    organiser: Player
    places: Sequence[tuple[int, Player, int]]
    """Each player's place, the player, and the chips won, ordered by place."""


def _week_event(entrants: Sequence[SqlRow]) -> WeekEvent:
    one = entrants[0]
    return WeekEvent(
        number=one["event_id"],
        name=one["name"],
        channel=one["channel_id"],
        organiser=Player(one["organiser"]),
        places=[(row["place"], Player(row["player"]), row["won"]) for row in entrants],
    )


_CHANNEL = "COALESCE(t.home_id, t.channel_id)"
_PLAYED = (
    "result r JOIN game_table t ON t.guild_id = r.guild_id AND t.table_id = r.table_id WHERE r.guild_id = :guild_id"
)


class BulletinQueries(Queries):
    """Queries for bulletins."""

    def get(self, guild: GuildId, kind: BulletinKind) -> Bulletin:
        row = self._sql.one(
            f"SELECT {BULLETINS.names} FROM bulletin WHERE guild_id = :guild_id AND kind = :kind",
            guild_id=guild,
            kind=kind.value,
        )
        return Bulletin(kind=kind) if row is None else BULLETINS.read(row)

    def enabled(self) -> list[tuple[GuildId, Bulletin]]:
        """Return the enabled bulletins of all servers."""
        rows = self._sql.all(
            f"SELECT {BULLETINS.names}, guild_id FROM bulletin WHERE channel_id IS NOT NULL ORDER BY guild_id, kind"
        )
        return [(GuildId(row["guild_id"]), BULLETINS.read(row)) for row in rows]

    def save(self, guild: GuildId, bulletin: Bulletin) -> None:
        self._save(BULLETINS, bulletin, guild_id=guild)

    # Recaps

    def recap(self, guild: GuildId, number: int) -> Recap | None:
        row = self._sql.one(
            f"SELECT {RECAPS.names} FROM recap WHERE guild_id = :guild_id AND number = :number",
            guild_id=guild,
            number=number,
        )
        return None if row is None else RECAPS.read(row)

    def recap_until(self, guild: GuildId, until: int) -> Recap | None:
        """Return the recap of the week that ended at ``until``."""
        row = self._sql.one(
            f"SELECT {RECAPS.names} FROM recap WHERE guild_id = :guild_id AND until = :until",
            guild_id=guild,
            until=until,
        )
        return None if row is None else RECAPS.read(row)

    def last_recap(self, guild: GuildId) -> int:
        """Return the number of the newest recap; 0 if there is none."""
        return self._number("SELECT MAX(number) AS last FROM recap WHERE guild_id = :guild_id", guild_id=guild) or 0

    def add_recap(self, guild: GuildId, recap: Recap) -> None:
        """Save a recap permanently, and index the players it names so that deletions find it."""
        self._add(RECAPS, [recap], guild_id=guild)
        events = [*(one.event for one in recap.victories), *(one.event for one in recap.podium)]
        named = {*recap.people}.union(*map(mentioned_in, events))
        self._sql.many(
            "INSERT INTO recap_named (player, guild_id, number) VALUES (:player, :guild_id, :number)",
            [{"player": one, "guild_id": guild, "number": recap.number} for one in sorted(named)],
        )

    # Activity

    def week_results(self, guild: GuildId, since: int) -> list[WeekResult]:
        """Return the results of all hands for chips since ``since``, in order."""
        rows = self._sql.all(
            f"SELECT r.table_id, {_CHANNEL} AS channel, r.hand_no, r.at, r.player, r.points, r.chips, r.royalties, "
            f"r.foul FROM {_PLAYED} AND r.at >= :since AND r.ranked = 1 ORDER BY r.at, r.table_id, r.hand_no, r.seat",
            guild_id=guild,
            since=since,
        )
        return [
            WeekResult(
                table=TableId(row["table_id"]),
                channel=row["channel"],
                hand_no=row["hand_no"],
                at=row["at"],
                player=Player(row["player"]),
                points=row["points"],
                chips=row["chips"],
                royalties=row["royalties"],
                foul=bool(row["foul"]),
            )
            for row in rows
        ]

    def week_channels(self, guild: GuildId, *, since: int) -> list[int]:
        """Return the channels where hands or events ended since ``since``. Threads count as their parent channel."""
        rows = self._sql.all(
            f"SELECT {_CHANNEL} AS channel FROM {_PLAYED} AND r.at >= :since "
            "UNION SELECT channel_id AS channel FROM event WHERE guild_id = :guild_id AND ended_at >= :since",
            guild_id=guild,
            since=since,
        )
        return sorted(row["channel"] for row in rows)

    def chips_won(self, guild: GuildId) -> dict[Player, tuple[int, int]]:
        """Return the all-time hands and chips of all ranked players."""
        rows = self._sql.all(
            "SELECT player, hands, chips FROM standing "
            "WHERE guild_id = :guild_id AND span = 'all' AND since = 0 AND game = ''",
            guild_id=guild,
        )
        return {Player(row["player"]): (row["hands"], row["chips"]) for row in rows}

    def week_event_hands(self, guild: GuildId, *, since: int, until: int) -> list[EventHand]:
        """Return the players in each hand of an event between ``since`` and ``until``."""
        rows = self._sql.all(
            f"SELECT r.table_id, {_CHANNEL} AS channel, r.hand_no, r.player FROM {_PLAYED} AND r.at >= :since "
            "AND r.at < :until AND t.event_id IS NOT NULL",
            guild_id=guild,
            since=since,
            until=until,
        )
        return [
            EventHand(
                table=TableId(row["table_id"]),
                channel=row["channel"],
                hand_no=row["hand_no"],
                player=Player(row["player"]),
            )
            for row in rows
        ]

    def week_events(self, guild: GuildId, *, since: int, until: int) -> list[WeekEvent]:
        """Return the events that ended between ``since`` and ``until``, in order."""
        rows = self._sql.all(
            "SELECT t.event_id, t.channel_id, t.name, t.organiser, t.ended_at, n.player, n.place, "
            "n.prize + n.bounties AS won FROM event t "
            "JOIN entrant n ON n.guild_id = t.guild_id AND n.event_id = t.event_id "
            "WHERE t.guild_id = :guild_id AND t.phase = 'ended' "
            "AND t.ended_at >= :since AND t.ended_at < :until AND n.place > 0",
            guild_id=guild,
            since=since,
            until=until,
        )
        rows = sorted(rows, key=lambda row: (row["ended_at"], row["event_id"], row["place"], row["player"]))
        return [
            _week_event(list(entrants))
            for _, entrants in groupby(rows, key=lambda row: (row["ended_at"], row["event_id"]))
        ]

    def badges_earned(self, guild: GuildId, *, since: int, until: int) -> list[tuple[int | None, WeekBadge]]:
        """Return the badges earned from ``since`` to ``until``, in order, with the channel of the announcing hand."""
        rows = self._sql.all(
            f"SELECT b.player, b.badge, b.at, {_CHANNEL} AS channel FROM badge b LEFT JOIN game_table t "
            "ON t.guild_id = b.guild_id AND t.table_id = b.table_id "
            "WHERE b.guild_id = :guild_id AND b.at >= :since AND b.at < :until",
            guild_id=guild,
            since=since,
            until=until,
        )
        rows = sorted(rows, key=lambda row: (row["at"], row["player"], row["badge"]))
        return [(row["channel"], WeekBadge(player=Player(row["player"]), badge=row["badge"])) for row in rows]

    def channels_played_in(self, guild: GuildId) -> list[int]:
        """Return the channels where a server has had tables or events. Threads count as their parent channel."""
        rows = self._sql.all(
            f"SELECT {_CHANNEL} AS channel FROM game_table t WHERE t.guild_id = :guild_id "
            "UNION SELECT channel_id AS channel FROM event WHERE guild_id = :guild_id",
            guild_id=guild,
        )
        return sorted(row["channel"] for row in rows)

    def played_before(self, guild: GuildId, before: int, *, channels: Sequence[int]) -> int | None:
        """Return the end of the last hand before ``before`` (ms) in ``channels`` where a player placed cards."""
        if not channels:
            return None
        return self._number(
            f"SELECT r.at FROM {_PLAYED} AND r.at < :before AND r.played = 1 AND r.player NOT LIKE 'computer-%' "
            f"AND t.private = 0 AND {_CHANNEL} IN ({in_brackets(channels)}) ORDER BY r.at DESC LIMIT 1",
            guild_id=guild,
            before=before,
            **names_for(channels),
        )

    def daily_points(self, guild: GuildId, number: int) -> list[tuple[Player, int]]:
        """Return the results of a daily hand by members with a visible profile, best first."""
        rows = self._sql.all(
            "SELECT a.player, a.points, a.ended_at FROM member m CROSS JOIN attempt a "
            "WHERE m.guild_id = :guild_id AND m.profile_visible = 1 AND a.challenge_id = :number "
            "AND a.player = m.player AND a.points IS NOT NULL",
            guild_id=guild,
            number=number,
        )
        rows = sorted(rows, key=lambda row: (-row["points"], row["ended_at"], row["player"]))
        return [(Player(row["player"]), row["points"]) for row in rows]
