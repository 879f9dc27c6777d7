"""Queries for the export of a person's data, one per kind of row."""

from __future__ import annotations

from dataclasses import dataclass

from bot.store.personal import FREE_TEXT, OWNERS, RECAP_LISTS, FreeText, at_tables, in_sql


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportQuery:
    """Query for one kind of row about a person.

    ``sql`` takes the parameter ``player``, and patterns that match the id: ``quoted`` in JSON, ``value`` and ``wide``
    in any text.
    """

    name: str
    sql: str
    lines: tuple[str, ...] = ()
    """JSON columns of which only the entries that name the person are exported."""


def _not_left(rows: str) -> str:
    """Return a condition that excludes hands that are still to be rewritten after the person's deletion."""
    return (
        f"NOT EXISTS (SELECT 1 FROM leaving l WHERE l.guild_id = {rows}.guild_id AND l.table_id = {rows}.table_id "
        f"AND l.player = :player AND l.next_hand <= {rows}.hand_no AND l.last_hand >= {rows}.hand_no)"
    )


_HERE = "({0} LIKE :value OR {0} LIKE :wide)"
_LINES = (
    "SELECT x.guild_id, x.event_id AS tournament_id, x.at, x.kind, x.details FROM event_named AS n JOIN event_log AS x "
    "ON x.guild_id = n.guild_id AND x.event_id = n.event_id "
    f"WHERE n.player = :player AND {_HERE.format('x.details')}"
)
"""Query for the lines of event logs that name the person."""


def _mentions(free: FreeText) -> str:
    """Return a query for free text that mentions the person. The author is left out."""
    return " UNION ALL ".join(
        f"SELECT x.guild_id, '{free.table}' AS written_in, '{column}' AS part, x.{column} AS text "
        f"FROM mentioned AS n CROSS JOIN {in_sql(free.table)} AS x WHERE n.player = :player "
        f"AND n.source = '{free.table}' AND x.guild_id = n.guild_id AND {_HERE.format(f'x.{column}')}"
        for column in free.columns
    )


_OF_ACCOUNTS = f"a.owner IN ({OWNERS})"
OWN_HANDS = f"{at_tables('hand').sql} AND x.entropy LIKE :quoted AND {_not_left('x')}"
TOLD = (
    ExportQuery(name="chips", sql=f"SELECT guild_id, kind, table_id, balance FROM account a WHERE {_OF_ACCOUNTS}"),
    ExportQuery(
        name="movements",
        sql="SELECT t.guild_id, t.at, t.kind, CASE WHEN t.payee = a.account_id THEN t.amount ELSE -t.amount END AS "
        "chips, a.kind AS account, t.table_id, t.hand_no FROM account a "
        f"JOIN transfer t ON t.payee = a.account_id OR t.payer = a.account_id WHERE {_OF_ACCOUNTS} "
        "ORDER BY t.transfer_id",
    ),
    ExportQuery(name="frozen", sql='SELECT guild_id, at, reason FROM "freeze" WHERE player = :player'),
    ExportQuery(
        name="managed_by_others",
        sql="SELECT guild_id, at, action, chips, reason FROM audit WHERE player = :player ORDER BY guild_id, number",
    ),
    ExportQuery(
        name="managed",
        sql="SELECT guild_id, at, action, chips, reason FROM audit WHERE manager = :player ORDER BY guild_id, number",
    ),
    ExportQuery(
        name="tables_opened",
        sql="SELECT guild_id, table_id, created_at, channel_id, state, private FROM game_table WHERE host = :player",
    ),
    ExportQuery(
        name="seats",
        sql="SELECT guild_id, table_id, seat_no, away, leaving, timeouts, fantasyland, entropy, ready_for, "
        "draft AS placed, draft_for AS placed_for, ahead AS confirmed_ahead FROM seat WHERE player = :player",
    ),
    ExportQuery(
        name="hands",
        sql="SELECT x.guild_id, x.table_id, x.hand_no, x.variant, x.state, x.started_at, x.ended_at, x.entropy "
        f"FROM {OWN_HANDS} ORDER BY x.guild_id, x.table_id, x.hand_no",
    ),
    ExportQuery(
        name="actions",
        sql="SELECT e.guild_id, e.table_id, e.hand_no, e.at, e.kind, e.payload, e.cause FROM table_log e "
        f"WHERE e.actor = :player AND {_not_left('e')}",
    ),
    ExportQuery(
        name="results",
        sql="SELECT guild_id, table_id, hand_no, at, game, points, chips, royalties, fantasyland, in_fantasyland, "
        "foul, ranked, met, scoops, royal, played, wins_in_row, lands_in_row FROM result WHERE player = :player",
    ),
    ExportQuery(
        name="standings",
        sql="SELECT guild_id, span, since, game, hands, points, chips, visits, stays, royalties, fouls, best "
        "FROM standing WHERE player = :player",
    ),
    ExportQuery(
        name="career",
        sql="SELECT guild_id, met, scoops, best_royalties, best_table, best_hand FROM career WHERE player = :player",
    ),
    ExportQuery(
        name="head_to_head",
        sql="SELECT guild_id, hands, ahead, behind, chips FROM versus WHERE player = :player",
    ),
    ExportQuery(
        name="badges", sql="SELECT guild_id, badge, at, table_id, hand_no, since FROM badge WHERE player = :player"
    ),
    ExportQuery(
        name="feats",
        sql="SELECT guild_id, kind, game, value, at, table_id, hand_no FROM feat WHERE player = :player",
    ),
    ExportQuery(
        name="ratings", sql="SELECT guild_id, game_group, mean, deviation, hands, at FROM rating WHERE player = :player"
    ),
    ExportQuery(
        name="events_organised",
        sql="SELECT guild_id, event_id AS tournament_id, name, phase, created_at FROM event WHERE organiser = :player",
    ),
    ExportQuery(
        name="events_helped",
        sql="SELECT guild_id, event_id AS tournament_id, name, phase FROM event "
        "WHERE helpers <> '[]' AND helpers LIKE :quoted",
    ),
    ExportQuery(
        name="events_entered",
        sql="SELECT guild_id, event_id AS tournament_id, state, registered_at, entries, seeded, score, hands, "
        "place, prize, end_place, end_prize, head, bounties, played, penalty, disqualified, cause, adds "
        "FROM entrant WHERE player = :player",
    ),
    ExportQuery(
        name="events_waited_for",
        sql="SELECT guild_id, event_id AS tournament_id, turn, since, offered_until FROM waiting_player "
        "WHERE player = :player",
    ),
    ExportQuery(
        name="matches_won",
        sql="SELECT guild_id, event_id AS tournament_id, match FROM event_match WHERE winner = :player",
    ),
    ExportQuery(
        name="event_actions",
        sql="SELECT guild_id, event_id AS tournament_id, at, kind, details, cause FROM event_log WHERE actor = :player",
    ),
    ExportQuery(name="rulings", sql=f"{_LINES} AND x.actor IS NOT NULL AND x.actor <> :player"),
    ExportQuery(name="event_lines", sql=f"{_LINES} AND x.actor IS NULL"),
    ExportQuery(name="mentions", sql=" UNION ALL ".join(map(_mentions, FREE_TEXT))),
    ExportQuery(
        name="removed_from",
        sql=f"SELECT DISTINCT x.guild_id, x.table_id, x.created_at FROM {at_tables('game_table').sql} "
        "AND x.removed LIKE :quoted",
    ),
    ExportQuery(
        name="invited_to",
        sql="SELECT x.guild_id, x.table_id, x.created_at FROM game_table AS x WHERE x.invited <> '[]' "
        "AND x.invited LIKE :quoted",
    ),
    ExportQuery(
        name="recaps",
        lines=RECAP_LISTS,
        sql=f"SELECT x.guild_id, x.number, x.since, x.until, {', '.join(f'x.{name}' for name in RECAP_LISTS)} "
        "FROM recap_named AS n JOIN recap AS x "
        "ON x.guild_id = n.guild_id AND x.number = n.number WHERE n.player = :player",
    ),
    ExportQuery(name="event_draft", sql="SELECT guild_id, at, draft FROM event_draft WHERE organiser = :player"),
    ExportQuery(name="games_saved", sql="SELECT guild_id, changed_at, name FROM house_game WHERE changed_by = :player"),
    ExportQuery(
        name="templates_saved", sql="SELECT guild_id, saved_at, name FROM table_template WHERE saved_by = :player"
    ),
    ExportQuery(
        name="roles_chosen",
        sql="SELECT guild_id, told_role AS role_id, 'new tables' AS given_for FROM server WHERE told_role_by = :player "
        "UNION ALL SELECT guild_id, role_id, 'champions' AS given_for FROM season_terms WHERE role_by = :player "
        "UNION ALL SELECT guild_id, role_id, 'champions' AS given_for FROM season WHERE role_by = :player",
    ),
    ExportQuery(
        name="settings",
        sql="SELECT guild_id, language, calls, reminders, confirm_at_once, deck, size, text_only, "
        "profile_visible, hands_shared, shown, has_confirmed, series_calls, mistake_line, gives_puzzles, new_table, "
        "vacation_from, vacation_until, vacation_year, vacation_used, zone, quiet_from, quiet_until, digest_at, "
        "digest_due, digest_channel, digest_message FROM member WHERE player = :player",
    ),
    ExportQuery(name="left_server", sql="SELECT guild_id, at FROM departed WHERE player = :player"),
    ExportQuery(name="refusals", sql="SELECT guild_id, at, other FROM seat_refusal WHERE player = :player"),
    ExportQuery(name="pages", sql="SELECT guild_id, locale, given_at, until FROM page_token WHERE player = :player"),
    ExportQuery(name="stream_links", sql="SELECT guild_id, locale, made_at FROM stream_link WHERE player = :player"),
    ExportQuery(
        name="daily_tries",
        sql="SELECT challenge_id, begun_at, points, ended_at, shared_in FROM attempt WHERE player = :player",
    ),
    ExportQuery(
        name="daily_actions",
        sql="SELECT challenge_id, at, kind, payload, cause FROM attempt_fact WHERE player = :player",
    ),
    ExportQuery(name="daily_streak", sql="SELECT last_day, days, best, frozen FROM streak WHERE player = :player"),
    ExportQuery(
        name="puzzle_solver",
        sql="SELECT mean, deviation, tries, rated_at, theme, games, harder, shown FROM solver WHERE player = :player",
    ),
    ExportQuery(
        name="puzzle_attempts",
        sql="SELECT number, puzzle, letters, cost, solved, rated, moved, at, cause, forgiven FROM puzzle_attempt "
        "WHERE player = :player ORDER BY number",
    ),
    ExportQuery(
        name="puzzles_to_repeat",
        sql="SELECT puzzle, due_at, last_at, stability, difficulty FROM repetition WHERE player = :player",
    ),
    ExportQuery(
        name="puzzles_of_the_day",
        sql="SELECT a.guild_id, a.number, d.puzzle, a.letters, a.at, a.cause, a.rated FROM day_answer a "
        "JOIN day_puzzle d ON d.guild_id = a.guild_id AND d.number = a.number WHERE a.player = :player "
        "ORDER BY a.at",
    ),
    ExportQuery(name="mistakes_opened", sql="SELECT since, shown FROM learner WHERE player = :player"),
    ExportQuery(
        name="judged_hands",
        sql="SELECT guild_id, table_id, hand_no, at FROM judged_hand WHERE player = :player",
    ),
    ExportQuery(
        name="judged_decisions",
        sql="SELECT guild_id, table_id, hand_no, number, street, at, lost, theme FROM judged_decision "
        "WHERE player = :player",
    ),
    ExportQuery(
        name="mistakes",
        sql="SELECT guild_id, mistake, table_id, hand_no, number, at, correction, whole, due_at, last_at, stability, "
        "difficulty, tries, letters, cost, solved, cause, candidate FROM mistake WHERE player = :player",
    ),
)
"""Queries for all data about a person, except facts that are confidential, such as which manager acted.

Each uses an index, so the export doesn't get slower with other players' activity."""
