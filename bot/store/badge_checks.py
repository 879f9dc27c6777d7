"""SQL that finds badges and feats that contradict the rest of the database. Each returned row is one error.

Each badge is recomputed from results, totals, events, seasons and months.
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.careers import MIN_STREAK, RULES, SEASON_HANDS, Badge, BadgeStat, RecordKind, Rule
from bot.store.queries import ALL_ALIKE

_HANDS = {
    BadgeStat.ROYAL: "royal",
    BadgeStat.ROYALTIES: "royalties",
    BadgeStat.POINTS: "points",
    BadgeStat.SCOOPED: "CASE WHEN scoops = met THEN met ELSE 0 END",
    BadgeStat.LANDS_IN_ROW: "CASE WHEN fantasyland > 0 THEN lands_in_row + 1 ELSE 0 END",
    BadgeStat.WINS_IN_ROW: "wins_in_row",
    BadgeStat.SEATED: "met + 1",
}
"""Values of a result for which hand badges are earned."""
_SUMS = {
    BadgeStat.HANDS: "SELECT guild_id, player, hands AS counted FROM standing "
    "WHERE span = 'all' AND since = 0 AND game = ''",
    BadgeStat.LANDS: "SELECT guild_id, player, visits AS counted FROM standing "
    "WHERE span = 'all' AND since = 0 AND game = ''",
    BadgeStat.GAMES: "SELECT guild_id, player, COUNT(*) AS counted FROM standing "
    "WHERE span = 'all' AND since = 0 AND game <> '' GROUP BY guild_id, player",
    BadgeStat.OPPONENTS: "SELECT guild_id, player, COUNT(*) AS counted FROM versus GROUP BY guild_id, player",
    BadgeStat.TOGETHER: "SELECT guild_id, player, MAX(hands) AS counted FROM versus GROUP BY guild_id, player",
    BadgeStat.EVENTS: "SELECT guild_id, player, COUNT(*) AS counted FROM fair WHERE played = 1 "
    "GROUP BY guild_id, player",
    BadgeStat.EVENTS_WON: "SELECT guild_id, player, COUNT(*) AS counted FROM fair WHERE played = 1 AND place = 1 "
    "GROUP BY guild_id, player",
    BadgeStat.EVENT_BEATEN: "SELECT guild_id, player, size AS counted FROM fair WHERE played = 1 AND place = 1",
    BadgeStat.PODIUM: "SELECT guild_id, player, size AS counted FROM fair WHERE played = 1 AND place <= 3",
    BadgeStat.HOSTED: "SELECT guild_id, organiser AS player, size AS counted FROM fair",
    BadgeStat.SEASONS: "SELECT guild_id, player, COUNT(*) AS counted FROM past "
    f"WHERE hands >= {SEASON_HANDS} GROUP BY guild_id, player",
    BadgeStat.SEASONS_WON: "SELECT guild_id, player, 1 AS counted FROM past WHERE chips > 0 AND place = 1",
    BadgeStat.SEASON_PODIUM: "SELECT guild_id, player, size AS counted FROM past WHERE chips > 0 AND place <= 3",
}
"""Totals over all hands, and over events and seasons that have ended."""
_MONTHS = {BadgeStat.MONTH_CHIPS: "chips", BadgeStat.MONTH_HANDS: "hands", BadgeStat.MONTH_LANDS: "visits"}
_OF_NO_SERVER = ", ".join(f"'{badge.value}'" for badge, rule in RULES.items() if rule.counted is BadgeStat.DAYS)
"""Badges for streaks of daily hands. Streaks belong to no server, and are deleted with the player."""
_ANY_HAND = -1


def _earned_queries() -> Iterator[str]:
    """Yield a query per badge for the players who earned it, with the month and the hand."""
    for badge, rule in RULES.items():
        if rule.counted in _HANDS:
            yield (
                f"SELECT guild_id, player, '{badge.value}' AS badge, 0 AS since, table_id, hand_no FROM result "
                f"WHERE ranked = 1 AND played = 1 AND {_HANDS[rule.counted]} >= {rule.least}"
            )
        elif rule.counted in _SUMS:
            yield (
                f"SELECT guild_id, player, '{badge.value}' AS badge, 0 AS since, {_ANY_HAND} AS table_id, 0 AS hand_no "
                f"FROM ({_SUMS[rule.counted]}) AS sums WHERE counted >= {rule.least}"
            )
        elif rule.counted in _MONTHS:
            yield _of_months(badge, rule)


def _of_months(badge: Badge, rule: Rule) -> str:
    column = _MONTHS[rule.counted]
    return (
        f"SELECT guild_id, player, '{badge.value}' AS badge, since, {_ANY_HAND} AS table_id, 0 AS hand_no FROM ("
        f"SELECT guild_id, player, since, {column} AS counted, COUNT(*) OVER (PARTITION BY guild_id, since) AS size, "
        f"MAX({column}) OVER (PARTITION BY guild_id, since) AS most FROM standing m WHERE span = 'month' AND game = '' "
        "AND NOT EXISTS (SELECT 1 FROM badge_month p WHERE p.guild_id = m.guild_id AND p.since = m.since)"
        f") AS months WHERE counted = most AND most > 0 AND size >= {rule.least}"
    )


_FAIR = f"""
    SELECT n.guild_id, n.event_id, n.player, n.place, t.organiser, t.variant, n.played,
        COUNT(*) OVER (PARTITION BY n.guild_id, n.event_id) AS size
    FROM entrant n JOIN event t ON t.guild_id = n.guild_id AND t.event_id = n.event_id
    WHERE t.phase = 'ended' AND n.place > 0 AND {ALL_ALIKE} AND (n.guild_id, n.event_id) NOT IN (
        SELECT c.guild_id, c.event_id FROM entrant c WHERE c.player LIKE 'computer-%'
    )
"""
_PAST = """
    SELECT s.guild_id, s.player, s.hands, s.chips, COUNT(*) OVER (PARTITION BY s.guild_id, s.since) AS size,
        RANK() OVER (PARTITION BY s.guild_id, s.since ORDER BY s.chips DESC) AS place
    FROM standing s JOIN season e ON e.guild_id = s.guild_id AND e.number = s.since
    WHERE s.span = 'season' AND s.game = '' AND e.ended_at IS NOT NULL
"""
BADGES_OFF = f"""
WITH fair AS ({_FAIR}), past AS ({_PAST}), earned AS ({" UNION ALL ".join(_earned_queries())})
SELECT b.guild_id AS guild, NULL AS table_no, NULL AS hand_no, b.player, b.badge, 'was not earned' AS why
FROM badge b WHERE b.badge NOT IN ({_OF_NO_SERVER}) AND NOT EXISTS (
    SELECT 1 FROM earned e WHERE e.guild_id = b.guild_id AND e.player = b.player AND e.badge = b.badge
    AND e.since = b.since
    AND (e.table_id = {_ANY_HAND} OR (e.table_id = b.table_id AND e.hand_no = b.hand_no))
)
UNION ALL SELECT DISTINCT e.guild_id, NULL, NULL, e.player, e.badge, 'was earned, but is missing'
FROM earned e LEFT JOIN badge b ON b.guild_id = e.guild_id AND b.player = e.player AND b.badge = e.badge
    AND b.since = e.since
WHERE b.player IS NULL AND e.player NOT LIKE 'gone-%'
"""
PLAYED_OFF = """
SELECT n.guild_id AS guild, NULL AS table_no, NULL AS hand_no, n.player, n.event_id AS event
FROM entrant n JOIN event t ON t.guild_id = n.guild_id AND t.event_id = n.event_id
LEFT JOIN (
    SELECT DISTINCT g.guild_id, g.event_id, r.player FROM game_table g
    JOIN result r ON r.guild_id = g.guild_id AND r.table_id = g.table_id
    WHERE g.event_id IS NOT NULL AND r.played = 1
) AS p ON p.guild_id = n.guild_id AND p.event_id = n.event_id AND p.player = n.player
WHERE t.phase = 'ended' AND n.place > 0 AND n.played <> CASE WHEN p.player IS NULL THEN 0 ELSE 1 END
"""
_ROWS = "OVER (PARTITION BY guild_id, player, table_id ORDER BY hand_no)"
ROWS_OFF = f"""
SELECT guild_id AS guild, table_id AS table_no, hand_no, player, wins_in_row AS wins, lands_in_row AS lands
FROM (
    SELECT guild_id, table_id, hand_no, player, points, in_fantasyland, wins_in_row, lands_in_row,
        COALESCE(LAG(wins_in_row) {_ROWS}, 0) AS won,
        CASE WHEN LAG(fantasyland) {_ROWS} > 0 THEN LAG(lands_in_row) {_ROWS} ELSE 0 END AS stayed
    FROM result WHERE ranked = 1
) AS results
WHERE wins_in_row <> CASE WHEN points > 0 THEN won + 1 ELSE 0 END
    OR lands_in_row <> CASE WHEN in_fantasyland = 1 THEN COALESCE(stayed, 0) + 1 ELSE 0 END
"""
_FEATS = {
    RecordKind.ROYALTIES: "royalties",
    RecordKind.POINTS: "points",
    RecordKind.SCOOP: "CASE WHEN met > 0 AND scoops = met THEN points ELSE 0 END",
    RecordKind.CHIPS: "chips",
    RecordKind.LANDS: f"CASE WHEN lands_in_row >= {MIN_STREAK} THEN lands_in_row ELSE 0 END",
    RecordKind.WINS: f"CASE WHEN wins_in_row >= {MIN_STREAK} THEN wins_in_row ELSE 0 END",
}
_MADE = " UNION ALL ".join(
    f"SELECT guild_id, '{kind.value}' AS kind, game, player, {value} AS value FROM result "
    f"WHERE ranked = 1 AND played = 1 AND {value} > 0"
    for kind, value in _FEATS.items()
)
FEATS_OFF = f"""
SELECT guild_id AS guild, NULL AS table_no, NULL AS hand_no, player, kind, game, COALESCE(MAX(kept), 0) AS kept,
    COALESCE(MAX(made), 0) AS made
FROM (
    SELECT guild_id, kind, game, player, value AS kept, NULL AS made FROM feat WHERE kind <> 'event'
    UNION ALL SELECT guild_id, kind, game, player, NULL, value FROM ({_MADE}) AS made
) AS sides GROUP BY guild_id, kind, game, player HAVING COALESCE(MAX(kept), 0) <> COALESCE(MAX(made), 0)
"""
LARGEST_OFF = f"""
WITH fair AS ({_FAIR})
SELECT f.guild_id AS guild, NULL AS table_no, NULL AS hand_no, f.value AS kept, MAX(e.size) AS made
FROM feat f LEFT JOIN fair e ON e.guild_id = f.guild_id AND e.event_id = f.table_id
WHERE f.kind = 'event' GROUP BY f.guild_id, f.game, f.value HAVING MAX(e.size) IS NULL OR MAX(e.size) <> f.value
UNION ALL SELECT e.guild_id, NULL, NULL, 0, MAX(e.size)
FROM fair e WHERE NOT EXISTS (
    SELECT 1 FROM feat f WHERE f.guild_id = e.guild_id AND f.kind = 'event' AND f.value >= e.size
) GROUP BY e.guild_id
"""
