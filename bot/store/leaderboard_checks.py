"""SQL that finds errors in the totals of leaderboards and careers. Each returned row is one error.

Totals of a day and of a season are compared with the results, and totals of longer spans with those of their days.
Spans are derived from the days, so even a span without any rows is noticed.
"""

from __future__ import annotations

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
"""First day of each day's month, in days since 1970, computed with years from March and eras of 400 years."""
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


# Totals that careers must have, according to results, transfers and events. Each returned row is one error.

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
LESSONS_OFF = """
SELECT guild_id AS guild, NULL AS table_no, NULL AS hand_no, player, other, SUM(lessons) AS lessons
FROM (
    SELECT guild_id, player, other, lessons FROM versus
    UNION ALL SELECT r.guild_id, r.player, o.player, -1
    FROM result r JOIN result o ON o.guild_id = r.guild_id AND o.table_id = r.table_id AND o.hand_no = r.hand_no
        AND o.player <> r.player
    WHERE r.ranked = 1 AND r.lesson > 0
) AS sides GROUP BY guild_id, player, other
HAVING SUM(lessons) <> 0
"""
