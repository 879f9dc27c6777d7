"""The sums that leaderboards and careers must have by the results: every row of these answers is a fault.

Of each day the sums are counted from the results, of longer spans from the days, of seasons from the results again. A
longer span is one that the days make, so that nothing is missed where all of its rows are gone.
"""

from __future__ import annotations

from bot.model.careers import GREAT_ROYALTIES

_ZERO = ("hands", "points", "chips", "visits", "stays", "royalties", "fouls")
_OFF = " OR ".join(f"SUM({column}) <> 0" for column in _ZERO)
_OF_RESULTS = """-1 AS hands, -points AS points, -chips AS chips,
    CASE WHEN fantasyland > 0 THEN -1 ELSE 0 END AS visits,
    CASE WHEN fantasyland > 0 AND in_fantasyland = 1 THEN -1 ELSE 0 END AS stays,
    -royalties AS royalties, -foul AS fouls"""
_COLUMNS = ", ".join(_ZERO)
_NEGATED = ", ".join(f"-{column}" for column in _ZERO)
_DAY = "at - at % 86400000"
MONTH_OF_DAYS = """
SELECT since, span_day - (day_of_year - (153 * ((5 * day_of_year + 2) / 153) + 2) / 5) AS first_day
FROM (
    SELECT since, span_day, day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100) AS day_of_year
    FROM (
        SELECT since, span_day, day_of_era,
            (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365 AS year_of_era
        FROM (
            SELECT DISTINCT since, since / 86400000 AS span_day,
                (since / 86400000 + 719468) % 146097 AS day_of_era
            FROM standing WHERE span = 'day'
        ) AS days
    ) AS years
) AS months
"""
"""The first day of each day's month, in days since 1970: counted from March of the year 0, in eras of 400 years."""
_LONGER = f"""
    SELECT guild_id, 'all' AS span, 0 AS since, game, player, {{columns}} FROM standing WHERE span = 'day'
    UNION ALL SELECT guild_id, 'week', since - (since + 259200000) % 604800000, game, player, {{columns}}
    FROM standing WHERE span = 'day'
    UNION ALL SELECT d.guild_id, 'month', m.first_day * 86400000, d.game, d.player, {{columns}}
    FROM standing d JOIN ({MONTH_OF_DAYS}) AS m ON m.since = d.since WHERE d.span = 'day'
"""
DAYS_OFF = f"""
SELECT guild_id AS guild, NULL AS table_no, NULL AS hand_no, player, game, SUM(hands) AS hands, SUM(points) AS points,
    SUM(chips) AS chips
FROM (
    SELECT guild_id, since, game, player, {_COLUMNS} FROM standing WHERE span = 'day'
    UNION ALL SELECT guild_id, {_DAY}, game, player, {_OF_RESULTS} FROM result WHERE ranked = 1 AND game <> ''
    UNION ALL SELECT guild_id, {_DAY}, '', player, {_OF_RESULTS} FROM result WHERE ranked = 1
) AS sides GROUP BY guild_id, since, game, player HAVING {_OFF}
"""
SPANS_OFF = f"""
SELECT guild_id AS guild, NULL AS table_no, NULL AS hand_no, player, game, span, SUM(hands) AS hands,
    SUM(points) AS points, SUM(chips) AS chips
FROM (
    SELECT guild_id, span, since, game, player, {_COLUMNS} FROM standing WHERE span NOT IN ('day', 'season')
    UNION ALL {_LONGER.format(columns=_NEGATED)}
) AS sides GROUP BY guild_id, span, since, game, player HAVING {_OFF}
"""
SEASONS_OFF = f"""
SELECT guild_id AS guild, NULL AS table_no, NULL AS hand_no, player, game, since AS season, SUM(hands) AS hands,
    SUM(points) AS points, SUM(chips) AS chips
FROM (
    SELECT guild_id, since, game, player, {_COLUMNS} FROM standing WHERE span = 'season'
    UNION ALL SELECT guild_id, season, game, player, {_OF_RESULTS}
    FROM result WHERE ranked = 1 AND season > 0 AND game <> ''
    UNION ALL SELECT guild_id, season, '', player, {_OF_RESULTS} FROM result WHERE ranked = 1 AND season > 0
) AS sides GROUP BY guild_id, since, game, player HAVING {_OFF}
"""
BEST_SUMS_OFF = f"""
SELECT guild_id AS guild, NULL AS table_no, NULL AS hand_no, player, game, span, MAX(kept) AS kept, MAX(made) AS made
FROM (
    SELECT guild_id, span, since, game, player, best AS kept, NULL AS made FROM standing
    UNION ALL SELECT guild_id, 'day', {_DAY}, game, player, NULL, points FROM result WHERE ranked = 1 AND game <> ''
    UNION ALL SELECT guild_id, 'day', {_DAY}, '', player, NULL, points FROM result WHERE ranked = 1
    UNION ALL SELECT guild_id, 'season', season, game, player, NULL, points
    FROM result WHERE ranked = 1 AND season > 0 AND game <> ''
    UNION ALL SELECT guild_id, 'season', season, '', player, NULL, points FROM result WHERE ranked = 1 AND season > 0
    UNION ALL {_LONGER.format(columns="NULL, best")}
) AS sides GROUP BY guild_id, span, since, game, player HAVING MAX(kept) <> MAX(made)
"""


# The sums that careers must have by the results, transfers and events: every row of these answers is a fault.

CAREERS_OFF = """
SELECT guild_id AS guild, NULL AS table_no, NULL AS hand_no, player, SUM(met) AS met, SUM(scoops) AS scoops
FROM (
    SELECT guild_id, player, met, scoops FROM career
    UNION ALL SELECT guild_id, player, -met, -scoops FROM result WHERE ranked = 1
) AS sides GROUP BY guild_id, player HAVING SUM(met) <> 0 OR SUM(scoops) <> 0
"""
BEST_OFF = """
SELECT r.guild_id AS guild, NULL AS table_no, NULL AS hand_no, r.player, r.best AS royalties
FROM (SELECT guild_id, player, MAX(royalties) AS best FROM result WHERE ranked = 1 GROUP BY guild_id, player) AS r
LEFT JOIN career c ON c.guild_id = r.guild_id AND c.player = r.player AND c.best_royalties = r.best
LEFT JOIN result b ON b.guild_id = c.guild_id AND b.table_id = c.best_table AND b.hand_no = c.best_hand
    AND b.player = c.player AND b.royalties = c.best_royalties AND b.ranked = 1
WHERE c.player IS NULL OR (r.best > 0 AND b.player IS NULL)
"""
MEETINGS_OFF = """
SELECT guild_id AS guild, NULL AS table_no, NULL AS hand_no, player, other, SUM(hands) AS hands, SUM(ahead) AS ahead,
    SUM(behind) AS behind, SUM(chips) AS chips
FROM (
    SELECT guild_id, player, other, hands, ahead, behind, chips FROM versus
    UNION ALL SELECT r.guild_id, r.player, o.player, -1, CASE WHEN r.points > o.points THEN -1 ELSE 0 END,
        CASE WHEN r.points < o.points THEN -1 ELSE 0 END, 0
    FROM result r JOIN result o ON o.guild_id = r.guild_id AND o.table_id = r.table_id AND o.hand_no = r.hand_no
        AND o.player <> r.player
    WHERE r.ranked = 1
    UNION ALL SELECT t.guild_id, a.owner, b.owner, 0, 0, 0, t.amount
    FROM transfer t JOIN account a ON a.account_id = t.payer JOIN account b ON b.account_id = t.payee
        JOIN result r ON r.guild_id = t.guild_id AND r.table_id = t.table_id AND r.hand_no = t.hand_no
            AND r.player = a.owner AND r.ranked = 1
    WHERE t.kind = 'hand'
    UNION ALL SELECT t.guild_id, b.owner, a.owner, 0, 0, 0, -t.amount
    FROM transfer t JOIN account a ON a.account_id = t.payer JOIN account b ON b.account_id = t.payee
        JOIN result r ON r.guild_id = t.guild_id AND r.table_id = t.table_id AND r.hand_no = t.hand_no
            AND r.player = b.owner AND r.ranked = 1
    WHERE t.kind = 'hand'
) AS sides GROUP BY guild_id, player, other
HAVING SUM(hands) <> 0 OR SUM(ahead) <> 0 OR SUM(behind) <> 0 OR SUM(chips) <> 0
"""
_BEFORE = "LAG(stayed) OVER (PARTITION BY guild_id, player, table_id ORDER BY hand_no) AS before"
_FEATS = f"""
    SELECT guild_id, player, 'royal_flush' AS badge, table_id, hand_no FROM result
    WHERE ranked = 1 AND played = 1 AND royal = 1
    UNION ALL SELECT guild_id, player, 'great_board', table_id, hand_no FROM result
    WHERE ranked = 1 AND played = 1 AND royalties >= {GREAT_ROYALTIES}
    UNION ALL SELECT guild_id, player, 'whole_table', table_id, hand_no FROM result
    WHERE ranked = 1 AND played = 1 AND met > 1 AND scoops = met
    UNION ALL SELECT guild_id, player, 'three_fantasylands', table_id, hand_no FROM (
        SELECT guild_id, player, table_id, hand_no, played, stayed, {_BEFORE}
        FROM (
            SELECT guild_id, player, table_id, hand_no, played,
                CASE WHEN in_fantasyland = 1 AND fantasyland > 0 THEN 1 ELSE 0 END AS stayed
            FROM result WHERE ranked = 1
        ) AS stays
    ) AS runs WHERE stayed = 1 AND before = 1 AND played = 1
    UNION ALL SELECT n.guild_id, n.player, 'event_won', 0, 0
    FROM entrant n JOIN tournament t ON t.guild_id = n.guild_id AND t.tournament_id = n.tournament_id
    WHERE t.phase = 'ended' AND n.place = 1 AND t.ended_at IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM entrant c
        WHERE c.guild_id = n.guild_id AND c.tournament_id = n.tournament_id AND c.player LIKE 'computer-%'
    ) AND EXISTS (
        SELECT 1 FROM game_table g JOIN result r ON r.guild_id = g.guild_id AND r.table_id = g.table_id
        WHERE g.guild_id = n.guild_id AND g.tournament_id = n.tournament_id AND r.player = n.player AND r.played = 1
    )
"""
# A streak of daily hands belongs to no server, and goes with who is deleted.
BADGES_OFF = f"""
WITH feats AS ({_FEATS})
SELECT b.guild_id AS guild, NULL AS table_no, NULL AS hand_no, b.player, b.badge, 'was not earned' AS why
FROM badge b LEFT JOIN feats f ON f.guild_id = b.guild_id AND f.player = b.player AND f.badge = b.badge
    AND f.table_id = b.table_id AND f.hand_no = b.hand_no
WHERE b.badge <> 'daily_week' AND f.player IS NULL
UNION ALL SELECT DISTINCT f.guild_id, NULL, NULL, f.player, f.badge, 'was earned, and is not there'
FROM feats f LEFT JOIN badge b ON b.guild_id = f.guild_id AND b.player = f.player AND b.badge = f.badge
WHERE b.player IS NULL
"""
