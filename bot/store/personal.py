"""List of all columns that hold a player, and how each changes when the player is deleted.

``tests/store/test_privacy.py`` checks that every text column of the schema is covered.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.model.ids import GuildId, Player, TableKey
from bot.model.mentions import mentioned_in, without_mention
from bot.store.queries import OF_TABLE, Queries, table_key, table_key_of
from bot.store.sql import Sql, SqlRow

RECAP_LISTS = (
    "top",
    "climbs",
    "boards",
    "lucky",
    "unlucky",
    "finishes",
    "masters",
    "pairs",
    "victories",
    "podium",
    "event_points",
    "badges",
    "dailies",
)
"""Recap columns that name players."""
Rewrite = Callable[[str, str, str], str]
"""Return a stored text with ``new`` in place of ``old``."""
TABLES = (
    "SELECT e.guild_id, e.table_id FROM table_log e WHERE e.actor = :player UNION "
    "SELECT t.guild_id, t.table_id FROM entrant n JOIN game_table t ON t.guild_id = n.guild_id "
    "AND t.event_id = n.event_id WHERE n.player = :player"
)
"""All tables where the player may have had a seat, whether they joined or an event seated them."""
OWNERS = (
    "SELECT :player AS owner UNION ALL "
    "SELECT 'event:' || n.event_id || ':' || n.player AS owner FROM entrant n WHERE n.player = :player"
)
"""Owner names of a player's accounts: their own, and their purses in events."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MentionQuery:
    """Query for rows ``x`` that may contain ``:player`` in a text, because scanning all rows of a server is too slow.

    SQLite executes a cross join in the order it's written.
    """

    sql: str
    server: str = "x.guild_id"
    """Column or expression with the row's server."""
    by_tables: bool = False
    """True if rows exist only in servers where the player has acted."""


def at_tables(table: str) -> MentionQuery:
    """Return the rows of tables where the player may have had a seat."""
    return MentionQuery(
        sql=f"({TABLES}) AS sat CROSS JOIN {table} AS x WHERE x.guild_id = sat.guild_id AND x.table_id = sat.table_id",
        server="sat.guild_id",
        by_tables=True,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalTable:
    """A table that names players.

    When a player is deleted, their rows are deleted if ``removed``, and otherwise renamed to their pseudonym.
    ``everywhere`` marks a table without servers, and ``pointed_to`` marks one whose player column is referenced by
    other tables.
    """

    table: str
    players: tuple[str, ...] = ()
    """Columns that hold only a player."""
    key: tuple[str, ...] = ()
    """Columns that identify a row; required with ``within``."""
    within: dict[str, Rewrite] = field(default_factory=dict)
    """Columns with players inside a text, each with the function that rewrites it."""
    found: MentionQuery | None = None
    """Query for those rows; None to scan the whole table."""
    cleared: dict[str, str | None] = field(default_factory=dict)
    """Columns with free text or interaction ids in the player's own rows, each with the value that overwrites it."""
    removed: bool = False
    everywhere: bool = False
    pointed_to: bool = False
    by_hand: bool = False
    """Rewritten later, in batches of hands (:mod:`bot.store.privacy`)."""


WORDS = frozenset({"text", "why", "name", "series", "description", "structure", "event"})
"""JSON keys of free text. Pseudonyms are never inserted there."""


def renamed(text: str, old: str, new: str) -> str:
    """Return a generated text with ``new`` in place of ``old``.

    In JSON, strings equal to the id are renamed. Mentions within free text are removed, so that the pseudonym never
    appears next to remarks about its owner. Numbers stay unchanged.
    """
    if text[:1] in ("{", "["):
        return json.dumps(_in_value(json.loads(text), old, new), ensure_ascii=False, separators=(",", ":"))
    return re.sub(rf"(?<!\d){re.escape(old)}(?!\d)", new, text)


def unmentioned(text: str, old: str) -> str:
    """Return free text, or JSON that contains some, without mentions of ``old``."""
    value = _parse(text)
    if isinstance(value, str):
        return without_mention(value, old)
    return json.dumps(_in_value(value, old, None), ensure_ascii=False, separators=(",", ":"))


def _parse(text: str) -> Any:
    """Return the parsed JSON, or the text itself if it isn't valid JSON."""
    try:
        return json.loads(text) if text[:1] in ("{", "[") else text
    except ValueError:
        return text


def _in_value(value: Any, old: str, new: str | None) -> Any:
    """Rename ``old`` in a JSON value. If ``new`` is None, treat all of it as free text."""
    if isinstance(value, dict):
        return {
            _in_value(key, old, new): _in_value(inner, old, None if key in WORDS else new)
            for key, inner in value.items()
        }
    if isinstance(value, list):
        # A change to an event's setting: its key, then the old and the new value.
        said = bool(value) and isinstance(value[0], str) and value[0] in WORDS
        return [_in_value(inner, old, None if said else new) for inner in value]
    if not isinstance(value, str):
        return value
    return new if new is not None and value == old else without_mention(value, old)


OTHER = "other"
"""Placeholder for other people in exported data."""


def without_others(value: Any, player: str) -> Any:
    """Return a JSON value without the ids of people other than ``player``."""
    if isinstance(value, dict):
        return {without_others(key, player): without_others(inner, player) for key, inner in value.items()}
    if isinstance(value, list):
        return [without_others(inner, player) for inner in value]
    if not isinstance(value, str) or value == player:
        return value
    if value.isascii() and value.isdigit():
        return OTHER
    for other in mentioned_in(value) - {player}:
        value = without_mention(value, other)
    return value


def words_about(text: str, player: str) -> str:
    """Return the strings that mention ``player`` in free text or JSON, without other people."""
    found = [word for word in _texts(_parse(text)) if player in mentioned_in(word)]
    return "\n".join(str(without_others(word, player)) for word in found)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
    elif isinstance(value, str):
        yield value


def without_entropy(text: str, old: str, new: str) -> str:
    """Return a hand's players and their shuffle inputs, without the input of ``old`` and without mentions of them."""
    pairs = [
        [new, ""] if player == old else [player, without_mention(added, old)] for player, added in json.loads(text)
    ]
    return json.dumps(pairs, ensure_ascii=False, separators=(",", ":"))


SPOKEN = ("text", "why")
"""Keys of free text about an event in a line of its log."""


def without_words(details: str) -> str:
    """Return a line of an event's log without its free text."""
    values = {key: "" if key in SPOKEN else value for key, value in json.loads(details).items()}
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def unspoken(details: str, old: str, new: str) -> str:
    """Rename ``old`` in a log line. Its free text is removed if ``old`` is the line's author or subject."""
    values = json.loads(details)
    if old in (values.get("by"), values.get("player")):
        details = without_words(details)
    return renamed(details, old, new)


NAMED = (
    # Chips. Transfers are found through the accounts, so they come first. Transfers between stacks name no player.
    PersonalTable(
        table="transfer",
        key=("transfer_id",),
        within={"cause": renamed},
        found=MentionQuery(
            sql=f"account AS a CROSS JOIN transfer AS x WHERE a.owner IN ({OWNERS}) AND a.kind <> 'seat' "
            "AND (x.payer = a.account_id OR x.payee = a.account_id)",
            server="a.guild_id",
        ),
    ),
    PersonalTable(
        table="account",
        key=("account_id",),
        within={"owner": renamed},
        found=MentionQuery(sql=f"account AS x WHERE x.owner IN ({OWNERS})"),
    ),
    PersonalTable(table="freeze", players=("player",), cleared={"reason": ""}),
    PersonalTable(table="audit", players=("manager", "player"), cleared={"reason": ""}),
    # Tables and hands, found by the acting player
    PersonalTable(
        table="game_table",
        players=("host",),
        key=("guild_id", "table_id"),
        within={"called": renamed, "removed": renamed},
        found=at_tables("game_table"),
    ),
    PersonalTable(
        table="game_table",
        key=("guild_id", "table_id"),
        within={"invited": renamed},
        found=MentionQuery(sql="game_table AS x WHERE x.invited <> '[]'"),
    ),
    PersonalTable(
        table="seat", players=("player",), cleared={"entropy": "", "draft": "", "draft_for": "", "ahead": None}
    ),
    PersonalTable(
        table="hand",
        key=("guild_id", "table_id", "hand_no"),
        within={"entropy": without_entropy},
        found=at_tables("hand"),
        by_hand=True,
    ),
    PersonalTable(
        table="table_log",
        players=("actor",),
        key=("guild_id", "table_id", "seq"),
        within={"payload": renamed},
        found=at_tables("table_log"),
        cleared={"cause": None},
        by_hand=True,
    ),
    PersonalTable(table="result", players=("player",)),
    PersonalTable(table="standing", players=("player",)),
    PersonalTable(table="rating", players=("player",)),
    PersonalTable(table="career", players=("player",)),
    PersonalTable(table="versus", players=("player", "other")),
    PersonalTable(table="badge", players=("player",)),
    PersonalTable(table="feat", players=("player",)),
    # Events
    PersonalTable(
        table="event",
        players=("organiser",),
        key=("guild_id", "event_id"),
        within={"helpers": renamed},
        found=MentionQuery(sql="event AS x WHERE x.helpers <> '[]'"),
    ),
    PersonalTable(table="entrant", players=("player",), cleared={"cause": "", "adds": ""}),
    PersonalTable(table="waiting_player", players=("player",), removed=True),
    PersonalTable(table="event_match", players=("winner",)),
    PersonalTable(
        table="event_log",
        players=("actor",),
        key=("guild_id", "event_id", "seq"),
        within={"details": unspoken},
        found=MentionQuery(
            sql="event_named AS n CROSS JOIN event_log AS x WHERE n.player = :player "
            "AND x.guild_id = n.guild_id AND x.event_id = n.event_id",
            server="n.guild_id",
        ),
        cleared={"cause": None},
    ),
    PersonalTable(table="event_named", players=("player",), removed=True),
    PersonalTable(table="event_outbox", key=("outbox_id",), within={"details": unspoken}),
    PersonalTable(table="event_draft", players=("organiser",), removed=True),
    PersonalTable(table="mentioned", players=("player",), removed=True),
    # Settings and choices
    PersonalTable(
        table="recap",
        key=("guild_id", "number"),
        within=dict.fromkeys(RECAP_LISTS, renamed),
        found=MentionQuery(
            sql="recap_named AS n CROSS JOIN recap AS x WHERE n.player = :player "
            "AND x.guild_id = n.guild_id AND x.number = n.number",
            server="n.guild_id",
        ),
    ),
    PersonalTable(table="recap_named", players=("player",), removed=True),
    PersonalTable(table="house_game", players=("changed_by",)),
    PersonalTable(table="table_template", players=("saved_by",)),
    PersonalTable(table="server", players=("told_role_by",)),
    PersonalTable(table="season", players=("role_by",)),
    PersonalTable(table="season_terms", players=("role_by",)),
    PersonalTable(table="member", players=("player",), removed=True),
    PersonalTable(table="departed", players=("player",), removed=True),
    PersonalTable(table="seat_refusal", players=("player", "other"), removed=True),
    PersonalTable(table="page_token", players=("player",), removed=True),
    PersonalTable(table="stream_link", players=("player",), removed=True),
    # Daily hands
    PersonalTable(table="attempt", players=("player",), everywhere=True, pointed_to=True),
    PersonalTable(
        table="attempt_fact",
        players=("player",),
        key=("challenge_id", "player", "seq"),
        within={"payload": renamed},
        found=MentionQuery(sql="attempt_fact AS x WHERE x.player = :player"),
        cleared={"cause": None},
        everywhere=True,
    ),
    PersonalTable(table="streak", players=("player",), removed=True, everywhere=True),
    # Puzzles. What they chose stays counted without them.
    PersonalTable(table="solver", players=("player",), removed=True, everywhere=True),
    PersonalTable(table="puzzle_attempt", players=("player",), removed=True, everywhere=True),
    PersonalTable(table="repetition", players=("player",), removed=True, everywhere=True),
    PersonalTable(table="day_answer", players=("player",), removed=True),
    # My mistakes. Referencing tables come first.
    PersonalTable(table="learner", players=("player",), removed=True, everywhere=True),
    PersonalTable(table="mistake", players=("player",), removed=True),
    PersonalTable(table="judged_decision", players=("player",), removed=True),
    PersonalTable(table="judged_hand", players=("player",), removed=True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeText:
    """Columns of free text, which may mention anyone.

    Mentions are indexed in ``mentioned`` on each write, because scanning all rows would be too slow.
    """

    table: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    """Columns that identify a row."""


FREE_TEXT = (
    FreeText(table="audit", columns=("reason",), key=("guild_id", "number")),
    FreeText(table="freeze", columns=("reason",), key=("guild_id", "player")),
    FreeText(
        table="event",
        columns=("name", "series", "description", "structure"),
        key=("guild_id", "event_id"),
    ),
    FreeText(table="event_draft", columns=("draft",), key=("guild_id", "organiser")),
    FreeText(table="season", columns=("name", "title"), key=("guild_id", "number")),
    FreeText(table="season_terms", columns=("title",), key=("guild_id",)),
)
"""All free text except in event logs, recaps and shuffle inputs, which are found in other ways."""


def in_sql(table: str) -> str:
    """Return the table's name for SQL, quoted if it's a reserved word in PostgreSQL."""
    return '"freeze"' if table == "freeze" else table


FINAL = ("transfer", "audit", "table_log", "event_log", "attempt_fact")
"""Tables whose rows are final, guarded by triggers. Only a deletion of personal data changes names in them."""
OF_SERVERS = (
    "leaving",
    "remembered",
    "memory",
    "timer",
    "frozen_server",
    "outbox",
    "event_outbox",
    "event_draft",
    "event_named",
    "mentioned",
    "event_log",
    "event_match",
    "event_table",
    "waiting_player",
    "entrant",
    "event",
    "mistake",
    "judged_decision",
    "judged_hand",
    "result",
    "standing",
    "table_log",
    "hand",
    "seat",
    "table_template",
    "game_table",
    "transfer",
    "account",
    "audit",
    "freeze",
    "bank",
    "house_game",
    "member",
    "departed",
    "seat_refusal",
    "page_token",
    "stream_link",
    "rating",
    "career",
    "versus",
    "badge",
    "badge_month",
    "feat",
    "rating_book",
    "luck",
    "season",
    "season_terms",
    "club_page",
    "start_poll",
    "bulletin",
    "day_answer",
    "day_puzzle",
    "recap_named",
    "recap",
    "server",
)
"""All tables with servers' data, in the order of deletion. Referencing tables come first."""


def found_in(named: PersonalTable) -> MentionQuery:
    """Return the query for rows that contain the player within a text. The default is the whole table."""
    return named.found or MentionQuery(sql=f"{named.table} AS x WHERE 1 = 1")


def naming(named: PersonalTable) -> Sequence[str]:
    """Return the FROM clauses of rows ``x`` that name ``:player``, or contain ``:value`` in a text.

    Rows found through tables are omitted, because other rows already cover their servers.
    """
    found = found_in(named)
    return [
        *(f"{in_sql(named.table)} AS x WHERE x.{column} = :player" for column in named.players),
        *(f"{found.sql} AND x.{column} LIKE :value" for column in named.within if not found.by_tables),
    ]


# Deletion of players. The logs of their hands are rewritten in batches, but readers see the pseudonym immediately. All
# other data is renamed in one transaction, which is short because most of the data is hands. A row of ``leaving`` holds
# the range of a table's hands that are still to be rewritten. If the player returns before that's done, their new hands
# are outside the range.

_OF_HAND = f"FROM leaving WHERE {OF_TABLE} AND next_hand <= :hand_no AND last_hand >= :hand_no"
IS_LEFT = f"EXISTS (SELECT 1 {_OF_HAND}) AS is_left"
"""True if the log of a hand may still contain a deleted player. Selected along with the log."""
_OF_HANDS = f"{OF_TABLE} AND hand_no >= :first AND hand_no <= :last"


def pseudonyms(sql: Sql, key: TableKey, hand_no: int) -> Mapping[Player, Player]:
    """Return the pseudonyms of players in a hand's log that hasn't been rewritten yet."""
    rows = sql.all(f"SELECT player, pseudonym {_OF_HAND}", **table_key(key), hand_no=hand_no)
    return {Player(row["player"]): Player(row["pseudonym"]) for row in rows}


class LeavingQueries(Queries):
    """Queries for the hands of deleted players."""

    def leavers(self) -> list[Player]:
        """Return the players whose hands haven't all been rewritten yet."""
        return [Player(row["player"]) for row in self._sql.all("SELECT DISTINCT player FROM leaving")]

    def begin_to_rewrite(self, guild: GuildId, player: Player, pseudonym: Player) -> None:
        """Schedule all of the player's hands in a server for rewriting. Call this before inserting the pseudonym."""
        self._known.forget()
        # The range of a closed table includes one more hand, which was never dealt.
        self._sql.run(
            "INSERT INTO leaving (guild_id, table_id, player, pseudonym, next_hand, last_hand) "
            "SELECT t.guild_id, t.table_id, :player, :pseudonym, 0, "
            "t.hand_no + CASE WHEN t.state = 'closed' THEN 1 ELSE 0 END "
            f"FROM ({TABLES}) AS sat JOIN game_table t ON t.guild_id = sat.guild_id AND t.table_id = sat.table_id "
            "WHERE t.guild_id = :guild_id",
            guild_id=guild,
            player=player,
            pseudonym=pseudonym,
        )

    def rewrite_hands(self, player: Player, *, most: int) -> bool:
        """Rewrite up to ``most`` hands at one table; False if none are left."""
        row = self._sql.one(
            "SELECT guild_id, table_id, pseudonym, next_hand, last_hand FROM leaving WHERE player = :player "
            "ORDER BY guild_id, table_id, next_hand LIMIT 1",
            player=player,
        )
        if row is None:
            return False
        key, pseudonym, first = table_key_of(row), Player(row["pseudonym"]), row["next_hand"]
        last = min(row["last_hand"], first + most - 1)
        self._rewrite(key, player, pseudonym, first=first, last=last)
        this = {**table_key(key), "pseudonym": pseudonym}
        if last < row["last_hand"]:
            self._sql.run(
                f"UPDATE leaving SET next_hand = :next WHERE {OF_TABLE} AND pseudonym = :pseudonym",
                **this,
                next=last + 1,
            )
        else:
            self._sql.run(f"DELETE FROM leaving WHERE {OF_TABLE} AND pseudonym = :pseudonym", **this)
        return True

    def _rewrite(self, key: TableKey, player: Player, pseudonym: Player, *, first: int, last: int) -> None:
        """Insert the pseudonym into a table's hands from ``first`` to ``last`` and their log."""
        self._known.forget()
        hands = {**table_key(key), "first": first, "last": last}
        entropies = self._sql.all(f"SELECT hand_no, entropy AS text FROM hand WHERE {_OF_HANDS}", **hands)
        self._sql.many(
            f"UPDATE hand SET entropy = :text WHERE {OF_TABLE} AND hand_no = :hand_no",
            [
                {**table_key(key), "hand_no": row["hand_no"], "text": without_entropy(row["text"], player, pseudonym)}
                for row in _rows_with_id(entropies, player)
            ],
        )
        payloads = self._sql.all(f"SELECT seq, payload AS text FROM table_log WHERE {_OF_HANDS}", **hands)
        with self._sql.unguarded(("table_log",)):
            self._sql.many(
                f"UPDATE table_log SET payload = :text WHERE {OF_TABLE} AND seq = :seq",
                [
                    {**table_key(key), "seq": row["seq"], "text": renamed(row["text"], player, pseudonym)}
                    for row in _rows_with_id(payloads, player)
                ],
            )
            self._sql.run(
                f"UPDATE table_log SET actor = :pseudonym, cause = NULL WHERE {_OF_HANDS} AND actor = :player",
                **hands,
                player=player,
                pseudonym=pseudonym,
            )


def _rows_with_id(rows: Sequence[SqlRow], player: Player) -> list[SqlRow]:
    """Return the rows whose text contains the player's id, if only as part of a number, which stays unchanged."""
    return [row for row in rows if player in row["text"]]
