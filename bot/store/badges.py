"""Queries for badges, the totals that earn them, and feats, which are a server's records."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from bot.model.careers import (
    PODIUM,
    SEASON_HANDS,
    TOLD_WITH_A_HAND,
    Badge,
    BadgeStat,
    EarnedBadge,
    MonthTotals,
    RecordEntry,
    RecordKind,
    feats_of,
)
from bot.model.hands import Result
from bot.model.ids import EventKey, GuildId, Player, TableKey
from bot.model.standings import EVERY_GAME, LeaderboardSpan
from bot.pure.ofc.presets import PRESETS
from bot.store.columns import Columns, columns_of, plain
from bot.store.queries import ALL_ALIKE, OF_EVENT, Queries, event_key, table_key
from bot.store.sql import Sql, Value, in_brackets, names_for

BADGES = Columns(
    EarnedBadge,
    "badge",
    columns_of(EarnedBadge, plain("table_id", "table")),
    key=("guild_id", "player", "badge", "since"),
    beside=("guild_id", "player"),
)
FEATS = Columns(
    RecordEntry,
    "feat",
    columns_of(RecordEntry, plain("table_id", "table")),
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
"""True for feats whose player may be named."""


def _done_in(kind: RecordKind, channels: Sequence[int]) -> str:
    """Return a condition that limits feats ``f`` to events or tables in ``channels``; empty if there are none."""
    if not channels:
        return ""
    listed = in_brackets(channels)
    if kind is RecordKind.EVENT:
        return (
            "AND EXISTS (SELECT 1 FROM event t WHERE t.guild_id = f.guild_id AND t.event_id = f.table_id "
            f"AND t.channel_id IN ({listed})) "
        )
    return (
        "AND EXISTS (SELECT 1 FROM game_table t WHERE t.guild_id = f.guild_id AND t.table_id = f.table_id "
        f"AND COALESCE(t.home_id, t.channel_id) IN ({listed})) "
    )


_NUMBER = "CASE WHEN f.player = '' THEN 0 ELSE CAST(f.player AS BIGINT) END"
"""Sort key for feats of the same hand: the player's id, so older accounts come first. An event has no player."""
_TO_TELL = ", ".join(f"'{badge.value}'" for badge in Badge if badge in TOLD_WITH_A_HAND)
_FAIR = (
    f"t.phase = 'ended' AND n.place > 0 AND {ALL_ALIKE} AND n.event_id NOT IN "
    "(SELECT c.event_id FROM entrant c WHERE c.guild_id = :guild_id AND c.player LIKE 'computer-%')"
)
"""True for entrants ``n`` of ended events ``t`` without a handicap and without computers. The subquery finds events
with computers once instead of per entrant."""


def add_feats(sql: Sql, key: TableKey, hand_no: int, results: Sequence[Result], *, at: int) -> None:
    """Save a hand's feats and its month, in the transaction that writes its results."""
    feats = [feat for result in results for feat in feats_of(result, at=at, table=key.table, hand_no=hand_no)]
    sql.many(_BETTER_FEAT, [{"guild_id": key.guild, **FEATS.values(feat)} for feat in feats])
    sql.many(
        "INSERT INTO badge_month (guild_id, since) VALUES (:guild_id, :since) ON CONFLICT (guild_id, since) DO NOTHING",
        [{"guild_id": key.guild, "since": LeaderboardSpan.MONTH.bounds(at)[0]}],
    )


class BadgeQueries(Queries):
    """Queries for badges and feats."""

    # Badges

    def award(self, guild: GuildId, badges: Iterable[tuple[Player, EarnedBadge]]) -> None:
        """Save badges. Badges that a player already has stay unchanged."""
        self._sql.many(
            f"{BADGES.insert} ON CONFLICT (guild_id, player, badge, since) DO NOTHING",
            [{"guild_id": guild, "player": player, **BADGES.values(earned)} for player, earned in badges],
        )

    def take(self, guild: GuildId, badges: Iterable[tuple[Player, EarnedBadge]]) -> None:
        """Delete badges that a ruling on an event has undone."""
        self._sql.many(
            "DELETE FROM badge WHERE guild_id = :guild_id AND player = :player AND badge = :badge AND since = :since",
            [
                {"guild_id": guild, "player": player, "badge": earned.badge.value, "since": earned.since}
                for player, earned in badges
            ],
        )

    def of(self, guild: GuildId, player: Player) -> list[EarnedBadge]:
        """Return a player's badges in display order. Monthly badges are sorted latest first."""
        order = list(Badge)
        found = self.of_each(guild, [player])[player]
        return sorted(found, key=lambda earned: (order.index(earned.badge), -earned.since))

    def of_each(self, guild: GuildId, players: Collection[Player]) -> Mapping[Player, list[EarnedBadge]]:
        """Return the badges of each player."""
        found: dict[Player, list[EarnedBadge]] = {player: [] for player in players}
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

    def of_hand(self, key: TableKey, hand_no: int, players: Sequence[Player]) -> list[tuple[Player, EarnedBadge]]:
        """Return the badges that a hand's result announces, for players with a visible profile."""
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
        """Assign the unannounced badges of ``players`` to this hand, so that its result announces them."""
        self._sql.run(
            "UPDATE badge SET table_id = :table_id, hand_no = :hand_no WHERE guild_id = :guild_id "
            f"AND player IN ({in_brackets(players)}) AND table_id = 0 AND badge IN ({_TO_TELL})",
            **table_key(key),
            hand_no=hand_no,
            **names_for(players),
        )

    # Totals

    def sums_of_each(self, guild: GuildId, players: Sequence[Player]) -> Mapping[Player, dict[BadgeStat, int]]:
        """Return each player's totals over hands for chips: hands, games and Fantasylands."""
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
        sums: dict[Player, dict[BadgeStat, int]] = {player: defaultdict(int) for player in players}
        for row in rows:
            own = sums[Player(row["player"])]
            if row["game"] == EVERY_GAME:
                own |= {BadgeStat.HANDS: row["hands"], BadgeStat.LANDS: row["visits"]}
            else:
                own[BadgeStat.GAMES] += 1
        return sums

    def company_of_each(self, guild: GuildId, players: Sequence[Player]) -> Mapping[Player, dict[BadgeStat, int]]:
        """Return each player's number of opponents in hands for chips, and the hands with the most frequent one."""
        if not players:
            return {}
        rows = self._sql.all(
            "SELECT player, COUNT(*) AS others, MAX(hands) AS most FROM versus "
            f"WHERE guild_id = :guild_id AND player IN ({in_brackets(players)}) GROUP BY player",
            guild_id=guild,
            **names_for(players),
        )
        return {
            Player(row["player"]): {BadgeStat.OPPONENTS: row["others"], BadgeStat.TOGETHER: row["most"]} for row in rows
        }

    def streaks_of_each(self, players: Sequence[Player]) -> Mapping[Player, int]:
        """Return each player's longest streak of daily hands, over all servers."""
        rows = self._sql.all(
            f"SELECT player, best FROM streak WHERE player IN ({in_brackets(players)})", **names_for(players)
        )
        return {Player(row["player"]): row["best"] for row in rows}

    def placed_in(self, event: EventKey) -> set[Player]:
        """Return the players who placed a card in a settled hand of an event."""
        rows = self._sql.all(
            "SELECT DISTINCT r.player FROM game_table g CROSS JOIN result r WHERE g.guild_id = :guild_id "
            "AND g.event_id = :event_id AND r.guild_id = g.guild_id AND r.table_id = g.table_id "
            "AND r.played = 1",
            **event_key(event),
        )
        return {Player(row["player"]) for row in rows}

    def winners_of(self, event: EventKey) -> list[Player]:
        """Return the winners of an ended event. Several players can share first place."""
        rows = self._sql.all(f"SELECT player FROM entrant WHERE {OF_EVENT} AND place = 1", **event_key(event))
        return sorted(Player(row["player"]) for row in rows)

    def events_of_each(self, event: EventKey) -> Mapping[Player, dict[BadgeStat, int]]:
        """Return how many events each entrant has played to the end by placing cards, and how many they have won."""
        rows = self._sql.all(
            "SELECT n.player, COUNT(*) AS events, COUNT(CASE WHEN n.place = 1 THEN 1 END) AS won "
            "FROM entrant o CROSS JOIN entrant n JOIN event t ON t.guild_id = n.guild_id "
            "AND t.event_id = n.event_id WHERE o.guild_id = :guild_id AND o.event_id = :event_id "
            f"AND n.player = o.player AND n.guild_id = o.guild_id AND n.played = 1 AND {_FAIR} "
            "GROUP BY n.player",
            **event_key(event),
        )
        return {
            Player(row["player"]): {BadgeStat.EVENTS: row["events"], BadgeStat.EVENTS_WON: row["won"]} for row in rows
        }

    def event_wins_of_each(self, guild: GuildId, players: Sequence[Player]) -> Mapping[Player, dict[BadgeStat, int]]:
        """Return each player's number of events won, and the sizes of the largest ones that they won or were placed in.

        Only the first three places count as placed.
        """
        rows = self._sql.all(
            "SELECT player, COUNT(CASE WHEN place = 1 THEN 1 END) AS won, "
            "COALESCE(MAX(CASE WHEN place = 1 THEN size END), 0) AS beaten, "
            f"COALESCE(MAX(CASE WHEN place <= {PODIUM} THEN size END), 0) AS podium FROM ("
            "SELECT n.player, n.place, (SELECT COUNT(*) AS people FROM entrant o WHERE o.guild_id = n.guild_id "
            "AND o.event_id = n.event_id AND o.place > 0) AS size "
            "FROM entrant n JOIN event t ON t.guild_id = n.guild_id AND t.event_id = n.event_id "
            f"WHERE n.guild_id = :guild_id AND n.player IN ({in_brackets(players)}) AND n.played = 1 AND {_FAIR}"
            ") AS placed GROUP BY player",
            guild_id=guild,
            **names_for(players),
        )
        counted = {
            Player(row["player"]): {
                BadgeStat.EVENTS_WON: row["won"],
                BadgeStat.EVENT_BEATEN: row["beaten"],
                BadgeStat.PODIUM: row["podium"],
            }
            for row in rows
        }
        return {player: counted.get(player, {}) for player in players}

    def so_far(self, guild: GuildId, player: Player) -> dict[BadgeStat, int]:
        """Return a player's totals for all badges except those for days, which don't belong to a server."""
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
            BadgeStat.EVENTS: events["events"],
            BadgeStat.EVENTS_WON: events["won"],
            BadgeStat.SEASONS: seasons["seasons"],
        }

    def seasons_of_each(self, guild: GuildId, number: int) -> Mapping[Player, dict[BadgeStat, int]]:
        """Return the number of ended seasons that each player of season ``number`` has played."""
        rows = self._sql.all(
            "SELECT s.player, COUNT(*) AS seasons FROM standing o JOIN standing s ON s.guild_id = o.guild_id "
            "AND s.span = 'season' AND s.game = '' AND s.player = o.player "
            "JOIN season e ON e.guild_id = s.guild_id AND e.number = s.since "
            "WHERE o.guild_id = :guild_id AND o.span = 'season' AND o.since = :number AND o.game = '' "
            f"AND s.hands >= {SEASON_HANDS} AND e.ended_at IS NOT NULL GROUP BY s.player",
            guild_id=guild,
            number=number,
        )
        return {Player(row["player"]): {BadgeStat.SEASONS: row["seasons"]} for row in rows}

    def chips_of_season(self, guild: GuildId, number: int) -> dict[Player, int]:
        """Return the chips won by each player of a season."""
        rows = self._sql.all(
            "SELECT player, chips FROM standing WHERE guild_id = :guild_id AND span = 'season' AND since = :number "
            "AND game = ''",
            guild_id=guild,
            number=number,
        )
        return {Player(row["player"]): row["chips"] for row in rows}

    # Months

    def months_over(self, now: int) -> list[tuple[GuildId, int]]:
        """Return the past months whose badges haven't been awarded yet: the server and the month's start."""
        rows = self._sql.all(
            "SELECT guild_id, since FROM badge_month WHERE since < :this ORDER BY guild_id, since",
            this=LeaderboardSpan.MONTH.bounds(now)[0],
        )
        return [(GuildId(row["guild_id"]), row["since"]) for row in rows]

    def month(self, guild: GuildId, since: int) -> list[MonthTotals]:
        """Return each player's totals of the month over hands for chips."""
        rows = self._sql.all(
            "SELECT player, hands, chips, visits FROM standing WHERE guild_id = :guild_id AND span = 'month' "
            "AND since = :since AND game = ''",
            guild_id=guild,
            since=since,
        )
        return [MonthTotals(Player(row["player"]), row["hands"], row["chips"], row["visits"]) for row in rows]

    def month_given(self, guild: GuildId, since: int) -> None:
        """Mark the month's badges as awarded."""
        self._sql.run(
            "DELETE FROM badge_month WHERE guild_id = :guild_id AND since = :since", guild_id=guild, since=since
        )

    # Feats

    def note_feat(self, guild: GuildId, feat: RecordEntry) -> None:
        """Save a feat if it beats the stored one."""
        self._sql.many(_BETTER_FEAT, [{"guild_id": guild, **FEATS.values(feat)}])

    def best_feat(
        self, guild: GuildId, kind: RecordKind, game: str, *, channels: Sequence[int] | None = None
    ) -> RecordEntry | None:
        """Return the best feat of a kind at ``game``, or at any game if it's empty. Ties go to the earliest.

        ``channels`` limits feats to tables and events there. Only each player's best feat is stored. Players who
        mustn't be named are skipped.
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
