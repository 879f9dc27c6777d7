"""Consistency checks: queries that return no rows if the ledger, the numbering, states and events are in order.

Each query covers all rows in one statement, so that millions of transfers take only seconds.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from bot.model.ids import GuildId
from bot.pure.event.structure import Format
from bot.pure.event.ties import Ties
from bot.store.badge_checks import BADGES_OFF, FEATS_OFF, LARGEST_OFF, PLAYED_OFF, ROWS_OFF
from bot.store.events import people_in
from bot.store.former_names import todays_names
from bot.store.leaderboard_checks import (
    BEST_OFF,
    BEST_SUMS_OFF,
    CAREERS_OFF,
    DAYS_OFF,
    LESSONS_OFF,
    MEETINGS_OFF,
    SEASONS_OFF,
    SPANS_OFF,
)
from bot.store.movements import UNKNOWN_WAYS
from bot.store.sql import Sql


@dataclass(frozen=True, slots=True, kw_only=True)
class Invariant:
    """A query for invalid rows. Each row has ``guild``, ``table_no``, ``hand_no`` and the placeholders of ``text``."""

    kind: str
    text: str
    sql: str = ""
    look: Callable[[Sql], Iterator[dict[str, Any]]] | None = None
    """Yield the invalid rows, for checks that SQL can't express."""
    since: int = 1
    """First schema that the check supports."""


_BALANCES = """
SELECT a.guild_id AS guild, NULLIF(a.table_id, 0) AS table_no, NULL AS hand_no, a.kind, a.owner, a.balance,
    COALESCE(m.moved, 0) AS moved
FROM account a LEFT JOIN (
    SELECT account_id, SUM(chips) AS moved FROM (
        SELECT payee AS account_id, amount AS chips FROM transfer
        UNION ALL SELECT payer, -amount FROM transfer
    ) AS sides GROUP BY account_id
) AS m ON m.account_id = a.account_id
WHERE a.balance <> COALESCE(m.moved, 0)
"""
# SQLite evaluates check constraints only on writes.
_NEGATIVE = """
SELECT guild_id AS guild, NULLIF(table_id, 0) AS table_no, NULL AS hand_no, kind, owner, balance
FROM account WHERE balance < 0 AND kind <> 'mint'
"""
_SUMS = """
SELECT guild_id AS guild, NULL AS table_no, NULL AS hand_no, SUM(balance) AS chips
FROM account GROUP BY guild_id HAVING SUM(balance) <> 0
"""
_STRANDED = """
SELECT a.guild_id AS guild, a.table_id AS table_no, NULL AS hand_no, a.owner, a.balance,
    CASE WHEN t.state IS NULL THEN 'which does not exist' WHEN t.state = 'closed' THEN 'which is closed'
        ELSE 'where they have no seat' END AS why
FROM account a
LEFT JOIN game_table t ON t.guild_id = a.guild_id AND t.table_id = a.table_id
LEFT JOIN seat s ON s.guild_id = a.guild_id AND s.table_id = a.table_id AND s.player = a.owner
WHERE a.kind = 'seat' AND a.balance <> 0 AND (t.state IS NULL OR t.state = 'closed' OR s.player IS NULL)
"""
_RESULTS = """
SELECT h.guild_id AS guild, h.table_id AS table_no, h.hand_no, COALESCE(r.players, 0) AS players,
    COALESCE(r.points, 0) AS points, COALESCE(r.chips, 0) AS chips
FROM hand h LEFT JOIN (
    SELECT guild_id, table_id, hand_no, COUNT(*) AS players, SUM(points) AS points, SUM(chips) AS chips
    FROM result GROUP BY guild_id, table_id, hand_no
) AS r ON r.guild_id = h.guild_id AND r.table_id = h.table_id AND r.hand_no = h.hand_no
WHERE h.state = 'settled' AND (r.players IS NULL OR r.points <> 0 OR r.chips <> 0)
"""
_HANDS = """
SELECT t.guild_id AS guild, t.table_id AS table_no, NULL AS hand_no, COALESCE(h.hands, 0) AS hands,
    COALESCE(h.last, 0) AS last, t.hand_no + CASE WHEN t.state = 'closed' THEN 1 ELSE 0 END AS wanted
FROM game_table t LEFT JOIN (
    SELECT guild_id, table_id, COUNT(*) AS hands, MIN(hand_no) AS first, MAX(hand_no) AS last
    FROM hand GROUP BY guild_id, table_id
) AS h ON h.guild_id = t.guild_id AND h.table_id = t.table_id
WHERE COALESCE(h.hands, 0) <> t.hand_no + CASE WHEN t.state = 'closed' THEN 1 ELSE 0 END
    OR COALESCE(h.last, 0) <> t.hand_no + CASE WHEN t.state = 'closed' THEN 1 ELSE 0 END OR COALESCE(h.first, 1) <> 1
"""
_TABLES = """
SELECT guild_id AS guild, NULL AS table_no, NULL AS hand_no, COUNT(*) AS tables, MAX(table_id) AS last
FROM game_table GROUP BY guild_id HAVING COUNT(*) <> MAX(table_id) OR MIN(table_id) <> 1
"""
_LOGS = """
SELECT guild_id AS guild, table_id AS table_no, NULL AS hand_no, COUNT(*) AS entries, MAX(seq) AS last
FROM table_log GROUP BY guild_id, table_id HAVING COUNT(*) <> MAX(seq) OR MIN(seq) <> 1
"""
_HOMELESS = """
SELECT DISTINCT r.guild_id AS guild, r.table_id AS table_no, NULL AS hand_no, r.name
FROM (
    SELECT DISTINCT guild_id, table_id, 'hands' AS name FROM hand
    UNION ALL SELECT DISTINCT guild_id, table_id, 'events' FROM table_log
    UNION ALL SELECT DISTINCT guild_id, table_id, 'results' FROM result
) AS r
WHERE NOT EXISTS (SELECT 1 FROM game_table t WHERE t.guild_id = r.guild_id AND t.table_id = r.table_id)
"""
_RUNNING = """
SELECT t.guild_id AS guild, t.table_id AS table_no, t.hand_no, t.state AS table_state, COALESCE(h.state, 'not there')
    AS hand_state
FROM game_table t LEFT JOIN hand h ON h.guild_id = t.guild_id AND h.table_id = t.table_id AND h.hand_no = t.hand_no
WHERE (t.state = 'playing') <> (COALESCE(h.state, '') = 'playing')
"""
_LEFT_OVER = """
SELECT h.guild_id AS guild, h.table_id AS table_no, h.hand_no
FROM hand h JOIN game_table t ON t.guild_id = h.guild_id AND t.table_id = h.table_id
WHERE h.state = 'playing' AND h.hand_no <> t.hand_no
"""
# An event's pool, mint and purses must be empty after the event. SQLite uses the index on the owner only for TEXT
# values.
_PURSES = """
SELECT a.guild_id AS guild, NULL AS table_no, NULL AS hand_no, a.kind, a.owner, a.balance,
    CASE WHEN p.phase IS NULL THEN 'it belongs to no event' ELSE 'its event is over' END AS why
FROM account a LEFT JOIN (
    SELECT guild_id, CAST('pool:' || event_id AS TEXT) AS owner, phase FROM event
    UNION ALL SELECT guild_id, CAST('event:' || event_id AS TEXT), phase FROM event
    UNION ALL SELECT n.guild_id, CAST('event:' || n.event_id || ':' || n.player AS TEXT), e.phase
        FROM entrant n JOIN event e ON e.guild_id = n.guild_id AND e.event_id = n.event_id
) AS p ON p.guild_id = a.guild_id AND p.owner = a.owner
WHERE a.kind <> 'seat' AND a.owner LIKE '%:%' AND a.balance <> 0
    AND (p.phase IS NULL OR p.phase IN ('ended', 'cancelled'))
"""
_EVENT_TABLES = """
SELECT t.guild_id AS guild, t.table_id AS table_no, NULL AS hand_no, t.event_id AS number,
    CASE WHEN e.phase IS NULL THEN 'does not exist' ELSE 'is over' END AS why
FROM game_table t LEFT JOIN event e ON e.guild_id = t.guild_id AND e.event_id = t.event_id
WHERE t.event_id IS NOT NULL AND t.state <> 'closed' AND (e.phase IS NULL OR e.phase IN ('ended', 'cancelled'))
"""
_EVENTS = """
SELECT guild_id AS guild, NULL AS table_no, NULL AS hand_no, COUNT(*) AS events, MAX(event_id) AS last
FROM event GROUP BY guild_id HAVING COUNT(*) <> MAX(event_id) OR MIN(event_id) <> 1
"""
_EVENT_LOGS = """
SELECT guild_id AS guild, NULL AS table_no, NULL AS hand_no, event_id AS number, COUNT(*) AS entries,
    MAX(seq) AS last
FROM event_log GROUP BY guild_id, event_id HAVING COUNT(*) <> MAX(seq) OR MIN(seq) <> 1
"""
# Players share a place in brackets and where the event's rule for ties says so, and the next place then counts all of
# them. In other events, places are consecutive.
_SHARES = " OR ".join(
    f"""e.structure LIKE '%{shown}%'"""
    for shown in (
        *(f'"format":"{form.value}"' for form in Format if form.heads_up),
        f'"ties":"{Ties.SHARE.value}"',
    )
)
_PLACES = f"""
SELECT n.guild_id AS guild, NULL AS table_no, NULL AS hand_no, n.event_id AS number, COUNT(*) AS entrants,
    COUNT(DISTINCT n.place) AS places, MIN(n.place) AS first, MAX(n.place) AS last
FROM (
    SELECT o.guild_id, o.event_id, o.place,
        RANK() OVER (PARTITION BY o.guild_id, o.event_id ORDER BY o.place) AS shared,
        ROW_NUMBER() OVER (PARTITION BY o.guild_id, o.event_id ORDER BY o.place) AS counted
    FROM entrant o WHERE o.state <> 'withdrawn'
) AS n JOIN event e ON e.guild_id = n.guild_id AND e.event_id = n.event_id
WHERE e.phase = 'ended' GROUP BY n.guild_id, n.event_id
HAVING COUNT(CASE WHEN n.place <> CASE WHEN {_SHARES} THEN n.shared ELSE n.counted END THEN 1 END) > 0
"""
# Bounties are part of the pool, and none are left after the event.
_HEADS = """
SELECT n.guild_id AS guild, NULL AS table_no, NULL AS hand_no, n.event_id AS number, SUM(n.head) AS chips,
    COALESCE(MAX(a.balance), 0) AS balance
FROM entrant n JOIN event e ON e.guild_id = n.guild_id AND e.event_id = n.event_id
LEFT JOIN account a ON a.guild_id = n.guild_id AND a.kind = 'wallet' AND a.table_id = 0
    AND a.owner = CAST('pool:' || n.event_id AS TEXT)
WHERE n.head > 0 GROUP BY n.guild_id, n.event_id, e.phase
HAVING SUM(n.head) > COALESCE(MAX(a.balance), 0) OR e.phase IN ('ended', 'cancelled')
"""
# Rulings on a finished event only move its prizes between players.
_RULED = """
SELECT n.guild_id AS guild, NULL AS table_no, NULL AS hand_no, n.event_id AS number, SUM(n.prize) AS chips,
    SUM(n.end_prize) AS won
FROM entrant n JOIN event e ON e.guild_id = n.guild_id AND e.event_id = n.event_id
WHERE e.phase = 'ended' GROUP BY n.guild_id, n.event_id
HAVING SUM(n.prize) <> SUM(n.end_prize)
"""
# Players on a waiting list have no place, and the list ends at the start.
_WAITING = """
SELECT w.guild_id AS guild, NULL AS table_no, NULL AS hand_no, w.event_id AS number, w.player,
    CASE WHEN e.phase IN ('registering', 'check_in') THEN 'has a place' ELSE 'its waiting list has ended' END AS why
FROM waiting_player w LEFT JOIN event e ON e.guild_id = w.guild_id AND e.event_id = w.event_id
LEFT JOIN entrant n ON n.guild_id = w.guild_id AND n.event_id = w.event_id AND n.player = w.player
WHERE e.phase IS NULL OR e.phase NOT IN ('registering', 'check_in') OR n.state IN ('registered', 'checked_in')
"""
# A private table has one human player, no stakes and no event.
_PRIVATE = """
SELECT t.guild_id AS guild, t.table_id AS table_no, NULL AS hand_no, t.point_value, COUNT(s.player) AS players
FROM game_table t LEFT JOIN seat s ON s.guild_id = t.guild_id AND s.table_id = t.table_id AND s.computer = 0
WHERE t.private = 1 GROUP BY t.guild_id, t.table_id, t.point_value, t.event_id
HAVING t.point_value <> 0 OR t.event_id IS NOT NULL OR COUNT(s.player) > 1
"""
# The welcome's location may be set only if it was sent.
_WELCOMES = """
SELECT guild_id AS guild, NULL AS table_no, NULL AS hand_no, welcome_message AS message FROM server
WHERE welcome_message IS NOT NULL AND (welcomed_at IS NULL OR welcome_channel IS NULL)
"""
# Counts by points must match the finished attempts.
_COUNTS = """
SELECT NULL AS guild, NULL AS table_no, NULL AS hand_no, sides.challenge_id AS number, sides.points,
    SUM(sides.counted) AS counted, SUM(sides.finished) AS finished
FROM (
    SELECT challenge_id, points, people AS counted, 0 AS finished FROM challenge_count
    UNION ALL SELECT challenge_id, points, 0, 1 FROM attempt WHERE points IS NOT NULL
) AS sides
GROUP BY sides.challenge_id, sides.points HAVING SUM(sides.counted) <> SUM(sides.finished)
"""
_TRIES = """
SELECT NULL AS guild, NULL AS table_no, NULL AS hand_no, a.challenge_id AS number, a.player,
    COALESCE(f.entries, 0) AS entries, COALESCE(f.last, 0) AS last
FROM attempt a LEFT JOIN (
    SELECT challenge_id, player, COUNT(*) AS entries, MAX(seq) AS last
    FROM attempt_fact GROUP BY challenge_id, player
) AS f ON f.challenge_id = a.challenge_id AND f.player = a.player
WHERE COALESCE(f.entries, 0) <> COALESCE(f.last, 0) OR COALESCE(f.entries, 0) = 0
"""
_ENDS = """
SELECT NULL AS guild, NULL AS table_no, NULL AS hand_no, a.challenge_id AS number, a.player
FROM attempt a WHERE (a.points IS NOT NULL) <> EXISTS (
    SELECT 1 FROM attempt_fact f
    WHERE f.challenge_id = a.challenge_id AND f.player = a.player AND f.kind = 'hand_ended'
)
"""
# A puzzle counts everyone's first attempt. The attempts of deleted players are gone, but stay counted.
_PUZZLES = """
SELECT NULL AS guild, NULL AS table_no, NULL AS hand_no, p.puzzle, p.tries, COALESCE(c.people, 0) AS people,
    COALESCE(a.attempts, 0) AS attempts
FROM puzzle p LEFT JOIN (SELECT puzzle, SUM(people) AS people FROM puzzle_choice GROUP BY puzzle) AS c
    ON c.puzzle = p.puzzle
LEFT JOIN (SELECT puzzle, COUNT(*) AS attempts FROM puzzle_attempt WHERE rated = 1 GROUP BY puzzle) AS a
    ON a.puzzle = p.puzzle
WHERE p.tries <> COALESCE(c.people, 0) OR p.tries < COALESCE(a.attempts, 0)
"""
_SOLVERS = """
SELECT NULL AS guild, NULL AS table_no, NULL AS hand_no, sides.player, SUM(sides.tries) AS tries,
    SUM(sides.attempts) AS attempts
FROM (
    SELECT player, tries, 0 AS attempts FROM solver
    UNION ALL SELECT player, 0, 1 FROM puzzle_attempt WHERE rated = 1
) AS sides
GROUP BY sides.player HAVING SUM(sides.tries) <> SUM(sides.attempts)
"""
# A day that is over counts all of its answers, and each has been considered for the ratings.
_DAY_PUZZLES = """
SELECT d.guild_id AS guild, NULL AS table_no, NULL AS hand_no, d.number, d.people, a.answers, a.rated
FROM day_puzzle d JOIN (SELECT guild_id, number, COUNT(*) AS answers, SUM(rated) AS rated FROM day_answer
    GROUP BY guild_id, number) AS a ON a.guild_id = d.guild_id AND a.number = d.number
WHERE d.people < a.answers OR (d.people IS NOT NULL AND a.rated <> a.answers)
"""
# A clear mistake has a correction, and no other decision has one.
_MISTAKES = """
SELECT d.guild_id AS guild, d.table_id AS table_no, d.hand_no, d.number, d.player, d.lost, COUNT(m.mistake) AS mistakes
FROM judged_decision d LEFT JOIN mistake m ON m.player = d.player AND m.guild_id = d.guild_id
    AND m.table_id = d.table_id AND m.hand_no = d.hand_no AND m.number = d.number
GROUP BY d.guild_id, d.table_id, d.hand_no, d.number, d.player, d.lost
HAVING COUNT(m.mistake) <> CASE WHEN d.lost > 0 THEN 1 ELSE 0 END
"""
_AUDITS = """
SELECT guild_id AS guild, NULL AS table_no, NULL AS hand_no, COUNT(*) AS entries, MAX(number) AS last
FROM audit GROUP BY guild_id HAVING COUNT(*) <> MAX(number) OR MIN(number) <> 1
"""
_DEEDS = """
SELECT t.guild_id AS guild, NULL AS table_no, NULL AS hand_no, t.kind, t.amount, COALESCE(d.chips, 0) AS chips
FROM transfer t LEFT JOIN audit d ON d.guild_id = t.guild_id AND d.cause = SUBSTR(t.cause, 7)
WHERE t.kind IN ('given', 'taken')
    AND (d.chips IS NULL OR d.chips <> CASE WHEN t.kind = 'given' THEN t.amount ELSE -t.amount END)
"""
_FREEZES = """
SELECT f.guild_id AS guild, NULL AS table_no, NULL AS hand_no, f.player
FROM "freeze" f LEFT JOIN audit d ON d.guild_id = f.guild_id AND d.player = f.player AND d.number = (
    SELECT MAX(e.number) AS last FROM audit e
    WHERE e.guild_id = f.guild_id AND e.player = f.player AND e.action IN ('freeze', 'unfreeze')
)
WHERE d.action IS NULL OR d.action <> 'freeze'
"""
_SEASON_NUMBERS = """
SELECT guild_id AS guild, NULL AS table_no, NULL AS hand_no, COUNT(*) AS seasons, MAX(number) AS last
FROM season GROUP BY guild_id HAVING COUNT(*) <> MAX(number) OR MIN(number) <> 1
"""
# These hands are shown with the pseudonym, so none of their results may still have the player's name.
_LEAVING = """
SELECT l.guild_id AS guild, l.table_id AS table_no, r.hand_no, l.player
FROM leaving l JOIN result r ON r.guild_id = l.guild_id AND r.table_id = l.table_id AND r.player = l.player
    AND r.hand_no >= l.next_hand AND r.hand_no <= l.last_hand
"""


def _find_unindexed(sql: Sql) -> Iterator[dict[str, Any]]:
    """Find players in event logs who aren't indexed there. An export or a deletion would miss their data."""
    events = "SELECT DISTINCT guild_id, event_id FROM event_log ORDER BY guild_id, event_id"
    of_event = "WHERE guild_id = :guild_id AND event_id = :event_id"
    for event in sql.all(events):
        key = {"guild_id": event["guild_id"], "event_id": event["event_id"]}
        noted = {row["player"] for row in sql.all(f"SELECT player FROM event_named {of_event}", **key)}
        lines = sql.all(f"SELECT details FROM event_log {of_event}", **key)
        people = {player for line in lines for player in people_in(json.loads(line["details"]))}
        for player in sorted(people - noted):
            place = {"guild": event["guild_id"], "table_no": None, "hand_no": None}
            yield {**place, "number": event["event_id"], "player": player}


QUESTIONS = (
    Invariant(
        kind="books",
        text="the {kind} account of {owner!r} holds {balance} chips, but its transfers add up to {moved}",
        sql=_BALANCES,
    ),
    Invariant(
        kind="books", text="the {kind} account of {owner!r} holds {balance} chips, which is less than 0", sql=_NEGATIVE
    ),
    Invariant(kind="books", text="all accounts together hold {chips} chips, but must hold 0", sql=_SUMS),
    Invariant(kind="books", text="{balance} chips of {owner!r} are at this table, {why}", sql=_STRANDED),
    Invariant(
        kind="results",
        text="the results of {players} players add up to {points} points and {chips} chips, but must add up to 0",
        sql=_RESULTS,
    ),
    Invariant(kind="numbers", text="it has {hands} hands up to {last}, but must have {wanted}", sql=_HANDS),
    Invariant(kind="numbers", text="there are {tables} tables, but the last one is {last}", sql=_TABLES),
    Invariant(kind="numbers", text="its log has {entries} entries, but the last one is {last}", sql=_LOGS),
    Invariant(kind="numbers", text="there are {name} of this table, but it does not exist", sql=_HOMELESS),
    Invariant(kind="state", text="the table is '{table_state}', but its hand is '{hand_state}'", sql=_RUNNING),
    Invariant(kind="state", text="it is still in play, but the table has moved on", sql=_LEFT_OVER),
    Invariant(
        kind="events",
        text="the {kind} account of {owner!r} holds {balance} chips, but {why}",
        sql=_PURSES,
    ),
    Invariant(
        kind="events",
        text="it is open, but its event {number} {why}",
        sql=_EVENT_TABLES,
    ),
    Invariant(
        kind="events",
        text="there are {events} events, but the last one is {last}",
        sql=_EVENTS,
    ),
    Invariant(
        kind="events",
        text="the log of event {number} has {entries} entries, but the last one is {last}",
        sql=_EVENT_LOGS,
    ),
    Invariant(
        kind="puzzles",
        text="puzzle {puzzle} counts {tries} tries, but {people} choices and {attempts} first attempts",
        sql=_PUZZLES,
        since=9,
    ),
    Invariant(
        kind="puzzles",
        text="{player!r} has tried {tries} puzzles, but has {attempts} first attempts",
        sql=_SOLVERS,
        since=9,
    ),
    Invariant(
        kind="puzzles",
        text="puzzle of the day {number} counts {people} answers, but has {answers}, {rated} of them rated",
        sql=_DAY_PUZZLES,
        since=9,
    ),
    Invariant(
        kind="puzzles",
        text="decision {number} of {player!r} lost {lost} hundredths of a point, but has {mistakes} mistakes",
        sql=_MISTAKES,
        since=9,
    ),
    Invariant(
        kind="deletions",
        text="the log of event {number} names {player!r}, but a deletion would not find it",
        look=_find_unindexed,
    ),
    Invariant(
        kind="events",
        text="event {number} is over, but its {entrants} entrants have {places} places from {first} to {last}",
        sql=_PLACES,
    ),
    Invariant(
        kind="events",
        text="the prizes of event {number} add up to {chips} chips, but added up to {won} at its end",
        sql=_RULED,
        since=6,
    ),
    Invariant(
        kind="events",
        text="bounties of {chips} chips are on heads in event {number}, but its pool holds {balance}",
        sql=_HEADS,
    ),
    Invariant(
        kind="events",
        text="{player!r} waits for a place in event {number}, but {why}",
        sql=_WAITING,
        since=5,
    ),
    Invariant(
        kind="state",
        text="it is private, but {players} players sit at it with a point value of {point_value}",
        sql=_PRIVATE,
    ),
    Invariant(
        kind="state",
        text="the welcome is message {message}, but it was not sent",
        sql=_WELCOMES,
    ),
    Invariant(
        kind="daily",
        text="hand {number} of the day counts {counted} tries of {points} points, but {finished} were finished",
        sql=_COUNTS,
    ),
    Invariant(
        kind="daily",
        text="the log of {player!r} at hand {number} of the day has {entries} entries, but the last one is {last}",
        sql=_TRIES,
    ),
    Invariant(
        kind="daily",
        text="the try of {player!r} at hand {number} of the day has points or an end, but not both",
        sql=_ENDS,
    ),
    Invariant(
        kind="chips",
        text="{transfers} transfers of the kind {kind!r} went from a {source} to a {target}, which is impossible",
        sql=UNKNOWN_WAYS,
    ),
    Invariant(
        kind="bank",
        text="the managers' log has {entries} entries, but the last one is {last}",
        sql=_AUDITS,
    ),
    Invariant(
        kind="bank",
        text="{amount} chips were {kind} by a manager, but the managers' log says {chips}",
        sql=_DEEDS,
    ),
    Invariant(
        kind="bank",
        text="{player!r} is frozen, but the managers' log does not say so",
        sql=_FREEZES,
    ),
    Invariant(
        kind="standings",
        text="a day's sums of {player!r} at {game!r} differ from the results by {hands} hands and {points} points",
        sql=DAYS_OFF,
    ),
    Invariant(
        kind="standings",
        text="the sums of {player!r} at {game!r} ({span}) differ from the days by {hands} hands and {points} points",
        sql=SPANS_OFF,
    ),
    Invariant(
        kind="standings",
        text="the sums of {player!r} at {game!r} in season {season} differ from the results by {hands} hands and "
        "{points} points",
        sql=SEASONS_OFF,
    ),
    Invariant(
        kind="standings",
        text=(
            "the best hand of {player!r} at {game!r} ({span}) is {made} points by the results, but {kept} are recorded"
        ),
        sql=BEST_SUMS_OFF,
    ),
    Invariant(
        kind="numbers",
        text="there are {seasons} seasons, but the last one is {last}",
        sql=_SEASON_NUMBERS,
    ),
    Invariant(
        kind="careers",
        text="the sums of {player!r} differ from the results by {met} opponents and {scoops} scoops",
        sql=CAREERS_OFF,
    ),
    Invariant(
        kind="careers",
        text="the best board of {player!r} has {royalties} royalties by the results, but is not recorded",
        sql=BEST_OFF,
    ),
    Invariant(
        kind="careers",
        text="{player!r} against {other!r} differs from the hands by {hands} hands, {ahead} ahead, {behind} behind and "
        "{chips} chips",
        sql=MEETINGS_OFF,
    ),
    Invariant(
        kind="careers",
        text="the count of rated hands of {player!r} with {other!r} is off by {lessons}",
        sql=LESSONS_OFF,
        since=8,
    ),
    Invariant(
        kind="careers",
        text="the badge {badge!r} of {player!r} {why}",
        sql=BADGES_OFF,
    ),
    Invariant(
        kind="careers",
        text="{player!r} has {wins} hands won and {lands} Fantasylands in a row, but the hands before say otherwise",
        sql=ROWS_OFF,
    ),
    Invariant(
        kind="careers",
        text="the best of {player!r} at {game!r} ({kind}) is {made} by the results, but {kept} is recorded",
        sql=FEATS_OFF,
    ),
    Invariant(
        kind="careers",
        text="whether {player!r} placed a card in event {event} is recorded wrongly",
        sql=PLAYED_OFF,
    ),
    Invariant(
        kind="careers",
        text="the largest event had {made} players, but {kept} are recorded",
        sql=LARGEST_OFF,
    ),
    Invariant(
        kind="deletions",
        text="{player!r} was deleted, but has a result in this hand that is not rewritten yet",
        sql=_LEAVING,
    ),
)


def unbalanced(sql: Sql) -> list[GuildId]:
    """Return the servers whose ledger is inconsistent, in order.

    An account's balance differs from its transfers, the balances don't add up to zero with the mint, or a closed table
    still has chips.
    """
    with todays_names(sql):
        found = {row["guild"] for question in QUESTIONS if question.kind == "books" for row in ask(sql, question)}
    return sorted(GuildId(guild) for guild in found)


def ask(sql: Sql, question: Invariant) -> list[dict[str, Any]]:
    """Return the invalid rows as dictionaries."""
    if question.look is not None:
        return list(question.look(sql))
    return [dict(row) for row in sql.all(question.sql)]
