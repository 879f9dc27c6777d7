"""Where the database says who somebody is: the one list of all columns that hold a player, and what becomes of them.

``tests/store/test_privacy.py`` asks of every text in the schema whether it is here.
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
from bot.store.sql import Row, Sql

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
    "badges",
    "dailies",
)
"""The columns of a recap that name players."""
Rewrite = Callable[[str, str, str], str]
"""Makes of a stored text that names ``old`` the same text with ``new``."""
TABLES = (
    "SELECT e.guild_id, e.table_id FROM table_log e WHERE e.actor = :player UNION "
    "SELECT t.guild_id, t.table_id FROM entrant n JOIN game_table t ON t.guild_id = n.guild_id "
    "AND t.event_id = n.event_id WHERE n.player = :player"
)
"""All tables at which somebody may have sat: they came by themselves, or an event gave them the seat."""
OWNERS = (
    "SELECT :player AS owner UNION ALL "
    "SELECT 'event:' || n.event_id || ':' || n.player AS owner FROM entrant n WHERE n.player = :player"
)
"""The names under which somebody's accounts stand: their own, and those of the purses that events gave them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """How the rows ``x`` are found that may have the ``:player`` within a text: all of a server are too many to read.

    A cross join is one that SQLite makes in the order in which it stands.
    """

    sql: str
    server: str = "x.guild_id"
    """The column or value that holds their server."""
    by_tables: bool = False
    """They lie in servers in which the player has acted."""


def at_tables(table: str) -> Found:
    """The rows of the tables at which somebody may have sat."""
    return Found(
        sql=f"({TABLES}) AS sat CROSS JOIN {table} AS x WHERE x.guild_id = sat.guild_id AND x.table_id = sat.table_id",
        server="sat.guild_id",
        by_tables=True,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A table that names players.

    When somebody is deleted, their rows of it are ``removed``, or stay under their pseudonym. A table without servers
    is ``everywhere``; one whose rows other rows point to by the player is ``pointed_to``.
    """

    table: str
    players: tuple[str, ...] = ()
    """Columns that hold a player and nothing else."""
    key: tuple[str, ...] = ()
    """The columns that tell a row from others; needed where there is something ``within``."""
    within: dict[str, Rewrite] = field(default_factory=dict)
    """Columns with players inside a text."""
    found: Found | None = None
    """How those are found; None where all that there are may be read."""
    cleared: dict[str, str | None] = field(default_factory=dict)
    """The columns with free text and ids of presses, and what overwrites them, in rows with the player in ``players``.
    """
    removed: bool = False
    everywhere: bool = False
    pointed_to: bool = False
    by_hand: bool = False
    """Rewritten afterwards, some hands at a time (:mod:`bot.store.privacy`)."""


WORDS = frozenset({"text", "why", "name", "series", "description", "structure", "event"})
"""The keys, in JSON, of what people have written in their own words. No pseudonym is put there."""


def renamed(text: str, old: str, new: str) -> str:
    """Return a text of the bot's own with ``new`` in place of ``old``.

    Texts in JSON that are the id and nothing else get the new name. A mention within words is left out, so that the
    pseudonym never stands beside what was said about its owner. Numbers stay.
    """
    if text[:1] in ("{", "["):
        return json.dumps(_in_value(json.loads(text), old, new), ensure_ascii=False, separators=(",", ":"))
    return re.sub(rf"(?<!\d){re.escape(old)}(?!\d)", new, text)


def unmentioned(text: str, old: str) -> str:
    """Return free text, or JSON that holds some, without mentions of ``old``."""
    value = _parsed(text)
    if isinstance(value, str):
        return without_mention(value, old)
    return json.dumps(_in_value(value, old, None), ensure_ascii=False, separators=(",", ":"))


def _parsed(text: str) -> Any:
    """Return the value of JSON; any other text as it is, which may begin like JSON."""
    try:
        return json.loads(text) if text[:1] in ("{", "[") else text
    except ValueError:
        return text


def _in_value(value: Any, old: str, new: str | None) -> Any:
    """Rename ``old`` in a JSON value; without a ``new`` name all of it is free text."""
    if isinstance(value, dict):
        return {
            _in_value(key, old, new): _in_value(inner, old, None if key in WORDS else new)
            for key, inner in value.items()
        }
    if isinstance(value, list):
        # A change of an event: what was changed, and what it was before and after.
        said = bool(value) and isinstance(value[0], str) and value[0] in WORDS
        return [_in_value(inner, old, None if said else new) for inner in value]
    if not isinstance(value, str):
        return value
    return new if new is not None and value == old else without_mention(value, old)


OTHER = "other"
"""Stands for anyone else in what somebody is told about themselves."""


def without_others(value: Any, player: str) -> Any:
    """Return a JSON value with the ids of anyone but ``player`` left out."""
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
    """Return the words of free text that mention ``player``, of JSON those of its texts, without other people."""
    found = [word for word in _texts(_parsed(text)) if player in mentioned_in(word)]
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
    """Return the players of a hand with what they put into its shuffle, but for what is of ``old`` or mentions them."""
    pairs = [
        [new, ""] if player == old else [player, without_mention(added, old)] for player, added in json.loads(text)
    ]
    return json.dumps(pairs, ensure_ascii=False, separators=(",", ":"))


SPOKEN = ("text", "why")
"""The keys of texts that people have written about an event in their own words, in a line of its log."""


def without_words(details: str) -> str:
    """A line of an event's log without what was written in it in somebody's own words."""
    values = {key: "" if key in SPOKEN else value for key, value in json.loads(details).items()}
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def unspoken(details: str, old: str, new: str) -> str:
    """The same of a line that was written by somebody or about them; they are renamed in any other too."""
    values = json.loads(details)
    if old in (values.get("by"), values.get("player")):
        details = without_words(details)
    return renamed(details, old, new)


NAMED = (
    # chips; transfers are found by the accounts, which come after them, and between stacks none names anybody
    Named(
        table="transfer",
        key=("transfer_id",),
        within={"cause": renamed},
        found=Found(
            sql=f"account AS a CROSS JOIN transfer AS x WHERE a.owner IN ({OWNERS}) AND a.kind <> 'seat' "
            "AND (x.payer = a.account_id OR x.payee = a.account_id)",
            server="a.guild_id",
        ),
    ),
    Named(
        table="account",
        key=("account_id",),
        within={"owner": renamed},
        found=Found(sql=f"account AS x WHERE x.owner IN ({OWNERS})"),
    ),
    Named(table="freeze", players=("player",), cleared={"reason": ""}),
    Named(table="audit", players=("manager", "player"), cleared={"reason": ""}),
    # tables and hands; they are found by who acted
    Named(
        table="game_table",
        players=("host",),
        key=("guild_id", "table_id"),
        within={"called": renamed, "removed": renamed},
        found=at_tables("game_table"),
    ),
    Named(
        table="game_table",
        key=("guild_id", "table_id"),
        within={"invited": renamed},
        found=Found(sql="game_table AS x WHERE x.invited <> '[]'"),
    ),
    Named(table="seat", players=("player",), cleared={"entropy": "", "draft": "", "draft_for": "", "ahead": None}),
    Named(
        table="hand",
        key=("guild_id", "table_id", "hand_no"),
        within={"entropy": without_entropy},
        found=at_tables("hand"),
        by_hand=True,
    ),
    Named(
        table="table_log",
        players=("actor",),
        key=("guild_id", "table_id", "seq"),
        within={"payload": renamed},
        found=at_tables("table_log"),
        cleared={"cause": None},
        by_hand=True,
    ),
    Named(table="result", players=("player",)),
    Named(table="standing", players=("player",)),
    Named(table="rating", players=("player",)),
    Named(table="career", players=("player",)),
    Named(table="versus", players=("player", "other")),
    Named(table="badge", players=("player",)),
    Named(table="feat", players=("player",)),
    # events
    Named(
        table="event",
        players=("organiser",),
        key=("guild_id", "event_id"),
        within={"helpers": renamed},
        found=Found(sql="event AS x WHERE x.helpers <> '[]'"),
    ),
    Named(table="entrant", players=("player",), cleared={"cause": "", "adds": ""}),
    Named(table="event_match", players=("winner",)),
    Named(
        table="event_log",
        players=("actor",),
        key=("guild_id", "event_id", "seq"),
        within={"details": unspoken},
        found=Found(
            sql="event_named AS n CROSS JOIN event_log AS x WHERE n.player = :player "
            "AND x.guild_id = n.guild_id AND x.event_id = n.event_id",
            server="n.guild_id",
        ),
        cleared={"cause": None},
    ),
    Named(table="event_named", players=("player",), removed=True),
    Named(table="event_outbox", key=("outbox_id",), within={"details": unspoken}),
    Named(table="event_draft", players=("organiser",), removed=True),
    Named(table="mentioned", players=("player",), removed=True),
    # what was chosen
    Named(
        table="recap",
        key=("guild_id", "number"),
        within=dict.fromkeys(RECAP_LISTS, renamed),
        found=Found(
            sql="recap_named AS n CROSS JOIN recap AS x WHERE n.player = :player "
            "AND x.guild_id = n.guild_id AND x.number = n.number",
            server="n.guild_id",
        ),
    ),
    Named(table="recap_named", players=("player",), removed=True),
    Named(table="house_game", players=("changed_by",)),
    Named(table="table_template", players=("saved_by",)),
    Named(table="server", players=("told_role_by",)),
    Named(table="season", players=("role_by",)),
    Named(table="season_terms", players=("role_by",)),
    Named(table="member", players=("player",), removed=True),
    Named(table="departed", players=("player",), removed=True),
    Named(table="seat_refusal", players=("player", "other"), removed=True),
    Named(table="page_token", players=("player",), removed=True),
    Named(table="stream_link", players=("player",), removed=True),
    # the hands of a day
    Named(table="attempt", players=("player",), everywhere=True, pointed_to=True),
    Named(
        table="attempt_fact",
        players=("player",),
        key=("challenge_id", "player", "seq"),
        within={"payload": renamed},
        found=Found(sql="attempt_fact AS x WHERE x.player = :player"),
        cleared={"cause": None},
        everywhere=True,
    ),
    Named(table="streak", players=("player",), removed=True, everywhere=True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeText:
    """Columns that people fill in their own words, in which they may mention anyone.

    Rows that mention someone are noted in ``mentioned`` as they are written, since all rows are too many to read.
    """

    table: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    """The columns that tell a row from others."""


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
"""All free text but for what is found in another way: events' logs, recaps, and what players add to shuffles."""


def in_sql(table: str) -> str:
    """A table's name as a statement has it: one is a word that PostgreSQL keeps for itself."""
    return '"freeze"' if table == "freeze" else table


FINAL = ("transfer", "audit", "table_log", "event_log", "attempt_fact")
"""The tables whose rows a trigger guards: nothing but this changes a name in them, and nothing the rest."""
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
    "entrant",
    "event",
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
    "recap_named",
    "recap",
    "server",
)
"""Every table that holds something of servers, those first whose rows point to others."""


def found_in(named: Named) -> Found:
    """Where rows with somebody within a text are found: the whole table where nothing narrows it."""
    return named.found or Found(sql=f"{named.table} AS x WHERE 1 = 1")


def naming(named: Named) -> Sequence[str]:
    """The rows ``x`` that name the ``:player``, in a text by the ``:value``: what stands behind FROM.

    Those that are found by tables are left out: others tell their servers.
    """
    found = found_in(named)
    return [
        *(f"{in_sql(named.table)} AS x WHERE x.{column} = :player" for column in named.players),
        *(f"{found.sql} AND x.{column} LIKE :value" for column in named.within if not found.by_tables),
    ]


# Who is being deleted: the logs of their hands are rewritten some at a time, and name a pseudonym to readers at once.
#
# Everything else of theirs is renamed in one transaction, which is short; hands are many. A row of ``leaving`` says
# which hands of a table are still to be rewritten. Who comes back meanwhile plays later hands, which no row names.

_OF_HAND = f"FROM leaving WHERE {OF_TABLE} AND next_hand <= :hand_no AND last_hand >= :hand_no"
IS_LEFT = f"EXISTS (SELECT 1 {_OF_HAND}) AS is_left"
"""Whether somebody who was deleted may still stand in the log of a hand: asked for with what is read of it."""
_OF_HANDS = f"{OF_TABLE} AND hand_no >= :first AND hand_no <= :last"


def pseudonyms(sql: Sql, key: TableKey, hand_no: int) -> Mapping[Player, Player]:
    """Who takes whose place in the log of a hand that was not rewritten yet."""
    rows = sql.all(f"SELECT player, pseudonym {_OF_HAND}", **table_key(key), hand_no=hand_no)
    return {Player(row["player"]): Player(row["pseudonym"]) for row in rows}


class LeavingQueries(Queries):
    """The queries of the hands of people who were deleted."""

    def leavers(self) -> list[Player]:
        """Those whose hands are yet to be rewritten."""
        return [Player(row["player"]) for row in self._sql.all("SELECT DISTINCT player FROM leaving")]

    def begin_to_rewrite(self, guild: GuildId, player: Player, pseudonym: Player) -> None:
        """All hands of a server that may name them are to be rewritten; to be asked before their pseudonym is put."""
        self._known.forget()
        # A table that has closed has one hand more, which was never dealt.
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
        """Rewrite some of them, all at one table; False where nothing is left to rewrite."""
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
        """Put the pseudonym into these hands of a table, and into the log of what was done meanwhile."""
        self._known.forget()
        hands = {**table_key(key), "first": first, "last": last}
        entropies = self._sql.all(f"SELECT hand_no, entropy AS text FROM hand WHERE {_OF_HANDS}", **hands)
        self._sql.many(
            f"UPDATE hand SET entropy = :text WHERE {OF_TABLE} AND hand_no = :hand_no",
            [
                {**table_key(key), "hand_no": row["hand_no"], "text": without_entropy(row["text"], player, pseudonym)}
                for row in _naming(entropies, player)
            ],
        )
        payloads = self._sql.all(f"SELECT seq, payload AS text FROM table_log WHERE {_OF_HANDS}", **hands)
        with self._sql.unguarded(("table_log",)):
            self._sql.many(
                f"UPDATE table_log SET payload = :text WHERE {OF_TABLE} AND seq = :seq",
                [
                    {**table_key(key), "seq": row["seq"], "text": renamed(row["text"], player, pseudonym)}
                    for row in _naming(payloads, player)
                ],
            )
            self._sql.run(
                f"UPDATE table_log SET actor = :pseudonym, cause = NULL WHERE {_OF_HANDS} AND actor = :player",
                **hands,
                player=player,
                pseudonym=pseudonym,
            )


def _naming(rows: Sequence[Row], player: Player) -> list[Row]:
    """Those with somebody's name in their text; it may be a number there, which stays."""
    return [row for row in rows if player in row["text"]]
