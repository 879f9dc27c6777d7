"""Badges in SQL: who has earned which, the sums that they are earned by, and the feats that are a server's records."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from bot.model.careers import (
    SEASON_HANDS,
    TOLD_WITH_A_HAND,
    Badge,
    Counted,
    Earned,
    Feat,
    FeatKind,
    Month,
    feats_of,
)
from bot.model.hands import Result
from bot.model.ids import EventKey, GuildId, Player, TableKey
from bot.model.standings import EVERY_GAME, Span
from bot.pure.ofc.presets import PRESETS
from bot.store.columns import Columns, columns_of, plain
from bot.store.queries import ALL_ALIKE, OF_EVENT, Queries, event_key, table_key
from bot.store.sql import Sql, Value, in_brackets, names_for

BADGES = Columns(
    Earned,
    "badge",
    columns_of(Earned, plain("table_id", "table")),
    key=("guild_id", "player", "badge", "since"),
    beside=("guild_id", "player"),
)
FEATS = Columns(
    Feat,
    "feat",
    columns_of(Feat, plain("table_id", "table")),
    key=("guild_id", "kind", "game", "player"),
    beside=("guild_id",),
)
_BETTER_FEAT = (
    f"{FEATS.insert} ON CONFLICT (guild_id, kind, game, player) DO UPDATE SET value = excluded.value, "
    "at = excluded.at, table_id = excluded.table_id, hand_no = excluded.hand_no WHERE excluded.value > feat.value"
)
_SEEN = (
    "NOT EXISTS (SELECT 1 FROM member m WHERE m.guild_id = f.guild_id AND m.player = f.player "
    "AND m.profile_visible = 0) AND NOT EXISTS (SELECT 1 FROM departed d WHERE d.guild_id = f.guild_id "
    "AND d.player = f.player) AND f.player NOT LIKE 'gone-%'"
)
"""True of those who may be named."""


def _done_in(kind: FeatKind, channels: Sequence[int]) -> str:
    """True of feats ``f`` of events, or at tables, in these channels; nothing where there are none."""
    if not channels:
        return ""
    listed = in_brackets(channels)
    if kind is FeatKind.EVENT:
        return (
            "AND EXISTS (SELECT 1 FROM event t WHERE t.guild_id = f.guild_id AND t.event_id = f.table_id "
            f"AND t.channel_id IN ({listed})) "
        )
    return (
        "AND EXISTS (SELECT 1 FROM game_table t WHERE t.guild_id = f.guild_id AND t.table_id = f.table_id "
        f"AND COALESCE(t.home_id, t.channel_id) IN ({listed})) "
    )


_NUMBER = "CASE WHEN f.player = '' THEN 0 ELSE CAST(f.player AS BIGINT) END"
"""Two of one hand stand by the age of their accounts; an event has no player."""
_TO_TELL = ", ".join(f"'{badge.value}'" for badge in Badge if badge in TOLD_WITH_A_HAND)
_FAIR = (
    f"t.phase = 'ended' AND n.place > 0 AND {ALL_ALIKE} AND n.event_id NOT IN "
    "(SELECT c.event_id FROM entrant c WHERE c.guild_id = :guild_id AND c.player LIKE 'computer-%')"
)
"""True of entrants ``n`` of an event ``t`` that people alone have played to its end, without a handicap; events with
computers are looked for once, and not for each entrant.
"""


def add_feats(sql: Sql, key: TableKey, hand_no: int, results: Sequence[Result], *, at: int) -> None:
    """Note what a hand is the best of, and its month, in the transaction that writes its results."""
    feats = [feat for result in results for feat in feats_of(result, at=at, table=key.table, hand_no=hand_no)]
    sql.many(_BETTER_FEAT, [{"guild_id": key.guild, **FEATS.values(feat)} for feat in feats])
    sql.many(
        "INSERT INTO badge_month (guild_id, since) VALUES (:guild_id, :since) ON CONFLICT (guild_id, since) DO NOTHING",
        [{"guild_id": key.guild, "since": Span.MONTH.bounds(at)[0]}],
    )


class BadgeQueries(Queries):
    """The queries of badges and feats."""

    # badges

    def award(self, guild: GuildId, badges: Iterable[tuple[Player, Earned]]) -> None:
        """Note badges; those that somebody has stay as they are."""
        self._sql.many(
            f"{BADGES.insert} ON CONFLICT (guild_id, player, badge, since) DO NOTHING",
            [{"guild_id": guild, "player": player, **BADGES.values(earned)} for player, earned in badges],
        )

    def of(self, guild: GuildId, player: Player) -> list[Earned]:
        """Those of a player in the order of the shelf, and of a badge the latest month first."""
        order = list(Badge)
        found = self.of_each(guild, [player])[player]
        return sorted(found, key=lambda earned: (order.index(earned.badge), -earned.since))

    def of_each(self, guild: GuildId, players: Collection[Player]) -> Mapping[Player, list[Earned]]:
        """Those of each of these players."""
        found: dict[Player, list[Earned]] = {player: [] for player in players}
        if players:
            rows = self._sql.all(
                f"SELECT {BADGES.names}, player FROM badge "
                f"WHERE guild_id = :guild_id AND player IN ({in_brackets(list(players))})",
                guild_id=guild,
                **names_for(list(players)),
            )
            for row in rows:
                found[Player(row["player"])].append(BADGES.read(row))
        return found

    def of_hand(self, key: TableKey, hand_no: int, players: Sequence[Player]) -> list[tuple[Player, Earned]]:
        """The badges that the result of a hand tells of, for those who let others see them."""
        rows = self._sql.all(
            f"SELECT {BADGES.of('b')}, b.player FROM badge b LEFT JOIN member m "
            "ON m.guild_id = b.guild_id AND m.player = b.player "
            "WHERE b.guild_id = :guild_id AND b.table_id = :table_id AND b.hand_no = :hand_no "
            f"AND b.player IN ({in_brackets(players)}) AND COALESCE(m.profile_visible, 1) = 1",
            **table_key(key),
            hand_no=hand_no,
            **names_for(players),
        )
        order = list(Badge)
        told = [(Player(row["player"]), BADGES.read(row)) for row in rows]
        return sorted(told, key=lambda one: (order.index(one[1].badge), one[1].since, one[0]))

    def tell_with(self, key: TableKey, hand_no: int, players: Sequence[Player]) -> None:
        """The result of this hand is to tell of what these have earned without one, and nobody was told."""
        self._sql.run(
            "UPDATE badge SET table_id = :table_id, hand_no = :hand_no WHERE guild_id = :guild_id "
            f"AND player IN ({in_brackets(players)}) AND table_id = 0 AND badge IN ({_TO_TELL})",
            **table_key(key),
            hand_no=hand_no,
            **names_for(players),
        )

    # what they are earned by

    def sums_of_each(self, guild: GuildId, players: Sequence[Player]) -> Mapping[Player, dict[Counted, int]]:
        """What each of these has played for chips: hands, games and Fantasylands."""
        games = [EVERY_GAME, *PRESETS]
        asked = {f"game_{number}": game for number, game in enumerate(games)}
        rows = self._sql.all(
            "SELECT player, game, hands, visits FROM standing WHERE guild_id = :guild_id AND span = 'all' "
            f"AND since = 0 AND game IN ({', '.join(f':{name}' for name in asked)}) "
            f"AND player IN ({in_brackets(players)})",
            guild_id=guild,
            **asked,
            **names_for(players),
        )
        sums: dict[Player, dict[Counted, int]] = {player: defaultdict(int) for player in players}
        for row in rows:
            own = sums[Player(row["player"])]
            if row["game"] == EVERY_GAME:
                own |= {Counted.HANDS: row["hands"], Counted.LANDS: row["visits"]}
            else:
                own[Counted.GAMES] += 1
        return sums

    def company_of_each(self, guild: GuildId, players: Sequence[Player]) -> Mapping[Player, dict[Counted, int]]:
        """How many people each of these has met at hands for chips, and how often the one they met most."""
        if not players:
            return {}
        rows = self._sql.all(
            "SELECT player, COUNT(*) AS others, MAX(hands) AS most FROM versus "
            f"WHERE guild_id = :guild_id AND player IN ({in_brackets(players)}) GROUP BY player",
            guild_id=guild,
            **names_for(players),
        )
        return {
            Player(row["player"]): {Counted.OPPONENTS: row["others"], Counted.TOGETHER: row["most"]} for row in rows
        }

    def streaks_of_each(self, players: Sequence[Player]) -> Mapping[Player, int]:
        """How many daily hands in a row each of these has played at most, in all servers."""
        rows = self._sql.all(
            f"SELECT player, best FROM streak WHERE player IN ({in_brackets(players)})", **names_for(players)
        )
        return {Player(row["player"]): row["best"] for row in rows}

    def placed_in(self, event: EventKey) -> set[Player]:
        """Those who have placed a card in a hand of an event that was settled."""
        rows = self._sql.all(
            "SELECT DISTINCT r.player FROM game_table g CROSS JOIN result r WHERE g.guild_id = :guild_id "
            "AND g.event_id = :event_id AND r.guild_id = g.guild_id AND r.table_id = g.table_id "
            "AND r.played = 1",
            **event_key(event),
        )
        return {Player(row["player"]) for row in rows}

    def winner_of(self, event: EventKey) -> Player | None:
        """The first of an event that is over."""
        row = self._sql.one(f"SELECT player FROM entrant WHERE {OF_EVENT} AND place = 1", **event_key(event))
        return None if row is None else Player(row["player"])

    def events_of_each(self, event: EventKey) -> Mapping[Player, dict[Counted, int]]:
        """How many events those of this one have played to the end, by cards of theirs, and how many they have won."""
        rows = self._sql.all(
            "SELECT n.player, COUNT(*) AS events, COUNT(CASE WHEN n.place = 1 THEN 1 END) AS won "
            "FROM entrant o CROSS JOIN entrant n JOIN event t ON t.guild_id = n.guild_id "
            "AND t.event_id = n.event_id WHERE o.guild_id = :guild_id AND o.event_id = :event_id "
            f"AND n.player = o.player AND n.guild_id = o.guild_id AND n.played = 1 AND {_FAIR} "
            "GROUP BY n.player",
            **event_key(event),
        )
        return {Player(row["player"]): {Counted.EVENTS: row["events"], Counted.EVENTS_WON: row["won"]} for row in rows}

    def so_far(self, guild: GuildId, player: Player) -> dict[Counted, int]:
        """What somebody has come to in all that badges add up, but for days: those are in no server."""
        found = dict(self.sums_of_each(guild, [player])[player])
        found |= self.company_of_each(guild, [player]).get(player, {})
        events = self._sql.one(
            "SELECT COUNT(*) AS events, COUNT(CASE WHEN n.place = 1 THEN 1 END) AS won FROM entrant n "
            "JOIN event t ON t.guild_id = n.guild_id AND t.event_id = n.event_id "
            f"WHERE n.player = :player AND n.guild_id = :guild_id AND n.played = 1 AND {_FAIR}",
            guild_id=guild,
            player=player,
        )
        seasons = self._sql.one(
            "SELECT COUNT(*) AS seasons FROM standing s "
            "JOIN season e ON e.guild_id = s.guild_id AND e.number = s.since "
            "WHERE s.player = :player AND s.guild_id = :guild_id AND s.span = 'season' AND s.game = '' "
            f"AND s.hands >= {SEASON_HANDS} AND e.ended_at IS NOT NULL",
            guild_id=guild,
            player=player,
        )
        assert events is not None
        assert seasons is not None
        return found | {
            Counted.EVENTS: events["events"],
            Counted.EVENTS_WON: events["won"],
            Counted.SEASONS: seasons["seasons"],
        }

    def seasons_of_each(self, guild: GuildId, number: int) -> Mapping[Player, dict[Counted, int]]:
        """In how many seasons that are over each player of this one has played."""
        rows = self._sql.all(
            "SELECT s.player, COUNT(*) AS seasons FROM standing o JOIN standing s ON s.guild_id = o.guild_id "
            "AND s.span = 'season' AND s.game = '' AND s.player = o.player "
            "JOIN season e ON e.guild_id = s.guild_id AND e.number = s.since "
            "WHERE o.guild_id = :guild_id AND o.span = 'season' AND o.since = :number AND o.game = '' "
            f"AND s.hands >= {SEASON_HANDS} AND e.ended_at IS NOT NULL GROUP BY s.player",
            guild_id=guild,
            number=number,
        )
        return {Player(row["player"]): {Counted.SEASONS: row["seasons"]} for row in rows}

    def chips_of_season(self, guild: GuildId, number: int) -> dict[Player, int]:
        """What everybody who has played in a season has won in it."""
        rows = self._sql.all(
            "SELECT player, chips FROM standing WHERE guild_id = :guild_id AND span = 'season' AND since = :number "
            "AND game = ''",
            guild_id=guild,
            number=number,
        )
        return {Player(row["player"]): row["chips"] for row in rows}

    # months

    def months_over(self, now: int) -> list[tuple[GuildId, int]]:
        """The months that are over and whose badges are yet to be given, by their servers and beginnings."""
        rows = self._sql.all(
            "SELECT guild_id, since FROM badge_month WHERE since < :this ORDER BY guild_id, since",
            this=Span.MONTH.bounds(now)[0],
        )
        return [(GuildId(row["guild_id"]), row["since"]) for row in rows]

    def month(self, guild: GuildId, since: int) -> list[Month]:
        """What everybody has done in it in hands for chips."""
        rows = self._sql.all(
            "SELECT player, hands, chips, visits FROM standing WHERE guild_id = :guild_id AND span = 'month' "
            "AND since = :since AND game = ''",
            guild_id=guild,
            since=since,
        )
        return [Month(Player(row["player"]), row["hands"], row["chips"], row["visits"]) for row in rows]

    def month_given(self, guild: GuildId, since: int) -> None:
        """Its badges are given."""
        self._sql.run(
            "DELETE FROM badge_month WHERE guild_id = :guild_id AND since = :since", guild_id=guild, since=since
        )

    # feats

    def note_feat(self, guild: GuildId, feat: Feat) -> None:
        """Note it where nothing as good is noted."""
        self._sql.many(_BETTER_FEAT, [{"guild_id": guild, **FEATS.values(feat)}])

    def best_feat(
        self, guild: GuildId, kind: FeatKind, game: str, *, channels: Sequence[int] | None = None
    ) -> Feat | None:
        """The best of a kind at a game, or at all of them, and of equals the first; by nobody who may not be named.

        With ``channels``, the best at their tables and events. Only the best feat of each player is known.
        """
        if channels is not None and not channels:
            return None
        at_game: dict[str, Value] = {"game": game} if game else {}
        places = channels or ()
        row = self._sql.one(
            f"SELECT {FEATS.of('f')} FROM feat f WHERE f.guild_id = :guild_id AND f.kind = :kind "
            f"{'AND f.game = :game ' if game else ''}AND {_SEEN} {_done_in(kind, places)}"
            f"ORDER BY f.value DESC, f.at, f.table_id, f.hand_no, {_NUMBER} LIMIT 1",
            guild_id=guild,
            kind=kind.value,
            **at_game,
            **names_for(places),
        )
        return None if row is None else FEATS.read(row)
