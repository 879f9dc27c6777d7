"""The data kept about people, in SQL: reading it for the person it is about, and putting a pseudonym in their place."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bot.model.clock import DAY
from bot.model.ids import EventKey, GuildId, Player, TableId, TableKey
from bot.model.privacy import Tie, TieKind
from bot.store.personal import (
    FINAL,
    NAMED,
    OF_SERVERS,
    OWNERS,
    Named,
    at_tables,
    found_in,
    in_sql,
    naming,
    without_words,
)
from bot.store.queries import Queries, event_key_of
from bot.store.sql import Row, Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A kind of row as it is told to the person it is about; ``sql`` takes ``player`` and ``quoted``."""

    name: str
    sql: str


def _not_left(rows: str) -> str:
    """True of what belongs to no hand that was theirs before they were deleted, and is yet to be rewritten."""
    return (
        f"NOT EXISTS (SELECT 1 FROM leaving l WHERE l.guild_id = {rows}.guild_id AND l.table_id = {rows}.table_id "
        f"AND l.player = :player AND l.next_hand <= {rows}.hand_no AND l.last_hand >= {rows}.hand_no)"
    )


_OF_ACCOUNTS = f"a.owner IN ({OWNERS})"
_OWN_HANDS = f"{at_tables('hand').sql} AND x.entropy LIKE :quoted AND {_not_left('x')}"
TOLD = (
    Told(name="chips", sql=f"SELECT guild_id, kind, table_id, balance FROM account a WHERE {_OF_ACCOUNTS}"),
    Told(
        name="movements",
        sql="SELECT t.guild_id, t.at, t.kind, CASE WHEN t.payee = a.account_id THEN t.amount ELSE -t.amount END AS "
        "chips, a.kind AS account, t.table_id, t.hand_no FROM account a "
        f"JOIN transfer t ON t.payee = a.account_id OR t.payer = a.account_id WHERE {_OF_ACCOUNTS} "
        "ORDER BY t.transfer_id",
    ),
    Told(name="frozen", sql='SELECT guild_id, at, reason FROM "freeze" WHERE player = :player'),
    Told(
        name="managed_by_others",
        sql="SELECT guild_id, at, action, chips, reason FROM audit WHERE player = :player ORDER BY guild_id, number",
    ),
    Told(
        name="managed",
        sql="SELECT guild_id, at, action, chips, reason FROM audit WHERE manager = :player ORDER BY guild_id, number",
    ),
    Told(
        name="tables_opened",
        sql="SELECT guild_id, table_id, created_at, channel_id, state, private FROM game_table WHERE host = :player",
    ),
    Told(
        name="seats",
        sql="SELECT guild_id, table_id, seat_no, away, leaving, timeouts, fantasyland, entropy, "
        "draft AS placed, draft_for AS placed_for, ahead AS confirmed_ahead FROM seat WHERE player = :player",
    ),
    Told(
        name="hands",
        sql="SELECT x.guild_id, x.table_id, x.hand_no, x.variant, x.state, x.started_at, x.ended_at, x.entropy "
        f"FROM {_OWN_HANDS} ORDER BY x.guild_id, x.table_id, x.hand_no",
    ),
    Told(
        name="actions",
        sql="SELECT e.guild_id, e.table_id, e.hand_no, e.at, e.kind, e.payload, e.cause FROM event e "
        f"WHERE e.actor = :player AND {_not_left('e')}",
    ),
    Told(
        name="results",
        sql="SELECT guild_id, table_id, hand_no, at, game, points, chips, royalties, fantasyland, in_fantasyland, "
        "foul, ranked, met, scoops, royal, played FROM result WHERE player = :player",
    ),
    Told(
        name="standings",
        sql="SELECT guild_id, span, since, game, hands, points, chips, visits, stays, royalties, fouls, best "
        "FROM standing WHERE player = :player",
    ),
    Told(
        name="career",
        sql="SELECT guild_id, met, scoops, best_royalties, best_table, best_hand FROM career WHERE player = :player",
    ),
    Told(
        name="head_to_head",
        sql="SELECT guild_id, hands, ahead, behind, chips FROM versus WHERE player = :player",
    ),
    Told(name="badges", sql="SELECT guild_id, badge, at, table_id, hand_no FROM badge WHERE player = :player"),
    Told(
        name="ratings", sql="SELECT guild_id, game_group, mean, deviation, hands, at FROM rating WHERE player = :player"
    ),
    Told(
        name="events_organised",
        sql="SELECT guild_id, tournament_id, name, phase, created_at FROM tournament WHERE organiser = :player",
    ),
    Told(
        name="events_helped",
        sql="SELECT guild_id, tournament_id, name, phase FROM tournament "
        "WHERE helpers <> '[]' AND helpers LIKE :quoted",
    ),
    Told(
        name="events_entered",
        sql="SELECT guild_id, tournament_id, state, registered_at, entries, score, hands, place, prize, penalty, "
        "disqualified, cause FROM entrant WHERE player = :player",
    ),
    Told(
        name="matches_won",
        sql="SELECT guild_id, tournament_id, match FROM tournament_match WHERE winner = :player",
    ),
    Told(
        name="event_actions",
        sql="SELECT guild_id, tournament_id, at, kind, details, cause FROM tournament_log WHERE actor = :player",
    ),
    Told(
        name="rulings",
        sql="SELECT x.guild_id, x.tournament_id, x.at, x.kind, x.details "
        "FROM tournament_named AS n JOIN tournament_log AS x ON x.guild_id = n.guild_id "
        "AND x.tournament_id = n.tournament_id WHERE n.player = :player AND x.details LIKE :quoted "
        "AND x.actor IS NOT NULL AND x.actor <> :player",
    ),
    Told(
        name="removed_from",
        sql=f"SELECT DISTINCT x.guild_id, x.table_id, x.created_at FROM {at_tables('game_table').sql} "
        "AND x.removed LIKE :quoted",
    ),
    Told(
        name="invited_to",
        sql="SELECT x.guild_id, x.table_id, x.created_at FROM game_table AS x WHERE x.invited <> '[]' "
        "AND x.invited LIKE :quoted",
    ),
    Told(name="event_draft", sql="SELECT guild_id, at, draft FROM tournament_draft WHERE organiser = :player"),
    Told(name="games_saved", sql="SELECT guild_id, changed_at, name FROM house_game WHERE changed_by = :player"),
    Told(name="templates_saved", sql="SELECT guild_id, saved_at, name FROM table_template WHERE saved_by = :player"),
    Told(
        name="roles_chosen",
        sql="SELECT guild_id, told_role AS role_id, 'new tables' AS given_for FROM server WHERE told_role_by = :player "
        "UNION ALL SELECT guild_id, role_id, 'champions' AS given_for FROM season_terms WHERE role_by = :player "
        "UNION ALL SELECT guild_id, role_id, 'champions' AS given_for FROM season WHERE role_by = :player",
    ),
    Told(
        name="settings",
        sql="SELECT guild_id, language, calls, reminders, confirm_at_once, deck, size, text_only, "
        "profile_visible FROM member "
        "WHERE player = :player",
    ),
    Told(name="refusals", sql="SELECT guild_id, at, other FROM seat_refusal WHERE player = :player"),
    Told(
        name="daily_tries",
        sql="SELECT challenge_id, begun_at, points, ended_at, shared_in FROM attempt WHERE player = :player",
    ),
    Told(
        name="daily_actions",
        sql="SELECT challenge_id, at, kind, payload, cause FROM attempt_fact WHERE player = :player",
    ),
    Told(name="daily_streak", sql="SELECT last_day, days, best, frozen FROM streak WHERE player = :player"),
)
"""Everything that names somebody, but for what others may not tell them, such as which manager it was.

Each is found by an index, so that it takes no longer where others have played much.
"""
_BY_PRESS = ("send", "fee", "refund")
"""The first words of transfers' causes that end with the id of a press by the player."""
_AS_JSON = ("payload", "details", "draft")
# Nobody can leave an event's table: the event itself is what is to be finished there.
_SEATED = (
    "SELECT t.guild_id, t.table_id AS number FROM game_table t WHERE t.state <> 'closed' AND t.host = :player "
    "AND t.tournament_id IS NULL "
    "UNION SELECT t.guild_id, t.table_id AS number FROM seat s JOIN game_table t ON t.guild_id = s.guild_id "
    "AND t.table_id = s.table_id WHERE t.state <> 'closed' AND s.player = :player AND t.tournament_id IS NULL"
)
# Who was drawn stands in the record of the draw, also when they are out.
_ENTERED = (
    "SELECT t.guild_id, t.tournament_id AS number FROM tournament t WHERE t.phase NOT IN ('ended', 'cancelled') "
    "AND t.organiser = :player "
    "UNION SELECT t.guild_id, t.tournament_id AS number FROM entrant n JOIN tournament t ON t.guild_id = n.guild_id "
    "AND t.tournament_id = n.tournament_id WHERE t.phase NOT IN ('ended', 'cancelled') AND n.player = :player "
    "AND (n.state <> 'withdrawn' OR n.number > 0)"
)
# A table's log ends with its closing.
_OVER = (
    "kept_entropy IS NOT NULL AND EXISTS (SELECT 1 FROM game_table t WHERE t.guild_id = hand.guild_id "
    "AND t.table_id = hand.table_id AND t.state = 'closed') AND (SELECT MAX(e.at) AS at FROM event e "
    "WHERE e.guild_id = hand.guild_id AND e.table_id = hand.table_id) < :before"
)
_ENDED = "kept_draw IS NOT NULL AND ended_at < :before"
_TRIED = (
    "SELECT a.challenge_id AS number FROM attempt a JOIN challenge c ON c.challenge_id = a.challenge_id "
    "WHERE a.player = :player AND a.points IS NULL AND c.seed IS NULL AND c.lost = 0 AND (c.day + 1) * :a_day > :at"
)


class PrivacyQueries(Queries):
    """The queries of privacy."""

    # what is told

    def kinds_told(self) -> list[str]:
        """The kinds of rows that are told to the person they are about."""
        return [told.name for told in TOLD]

    def told(self, player: Player, kind: str) -> dict[GuildId | None, list[dict[str, Any]]]:
        """All rows of a kind about them, by server; None for what belongs to none. Nothing that is hidden from them."""
        rows: dict[GuildId | None, list[dict[str, Any]]] = {}
        for row in self._told(next(told for told in TOLD if told.name == kind), player):
            rows.setdefault(row.pop("guild_id", None), []).append(row)
        return rows

    def _told(self, told: Told, player: Player) -> Iterator[dict[str, Any]]:
        for found in self._asked(told.sql, player=player, quoted=f'%"{player}"%'):
            row = dict(zip(found.keys(), found, strict=True))
            row |= {name: json.loads(row[name]) for name in _AS_JSON if name in row}
            if told.name == "rulings":
                row["details"].pop("by", None)
            if told.name == "hands":
                row["entropy"] = dict(json.loads(row["entropy"])).get(player, "")
            yield row

    def _asked(self, sql: str, **values: Value) -> Sequence[Row]:
        """The rows of an answer; values that the statement does not ask for are left out."""
        return self._sql.all(sql, **{name: value for name, value in values.items() if f":{name}" in sql})

    def write_alone(self) -> None:
        """Let nobody else write before the end of this transaction, which writes also for other processes' servers."""
        self._sql.hold_all()
        self._sql.write_for_all()

    def write_for_all(self) -> None:
        """Write also for servers that other processes serve."""
        self._sql.write_for_all()

    def ties(self, player: Player, *, at: int) -> list[Tie]:
        """The things that they have to finish before they can be deleted; at that time (ms) the hands of some days are
        over.
        """
        day: dict[str, Value] = {"a_day": DAY, "at": at}
        asked = [(TieKind.TABLE, _SEATED, {}), (TieKind.EVENT, _ENTERED, {}), (TieKind.DAILY, _TRIED, day)]
        return [
            Tie(kind=kind, guild=GuildId(row["guild_id"]) if kind is not TieKind.DAILY else None, number=row["number"])
            for kind, sql, more in asked
            for row in self._sql.all(f"{sql} ORDER BY number", player=player, **more)
        ]

    # a pseudonym

    def hands_to_keep(self, player: Player) -> list[tuple[TableKey, int]]:
        """Their hands that are over and whose deck follows from what they put into it."""
        rows = self._sql.all(
            f"SELECT x.guild_id, x.table_id, x.hand_no FROM {_OWN_HANDS} AND x.kept_deck IS NULL "
            "AND x.shared IS NULL AND x.state IN ('settled', 'void') ORDER BY x.guild_id, x.table_id, x.hand_no",
            player=player,
            quoted=f'%"{player}"%',
        )
        return [
            (TableKey(guild=GuildId(row["guild_id"]), table=TableId(row["table_id"])), row["hand_no"]) for row in rows
        ]

    def draws_to_keep(self, player: Player) -> list[EventKey]:
        """Their events that are over, and whose draw follows from what they added."""
        rows = self._sql.all(
            "SELECT t.guild_id, t.tournament_id FROM entrant n JOIN tournament t ON t.guild_id = n.guild_id "
            "AND t.tournament_id = n.tournament_id WHERE n.player = :player AND t.seed IS NOT NULL "
            "AND t.kept_draw IS NULL AND t.phase IN ('ended', 'cancelled') ORDER BY t.guild_id, t.tournament_id",
            player=player,
        )
        return [event_key_of(row) for row in rows]

    def keeps_proofs(self, *, ended_before: int) -> bool:
        """Whether something is left of what is kept for proofs of tables and events that ended before (ms)."""
        asked = f"SELECT 1 AS found FROM hand WHERE {_OVER} UNION ALL SELECT 1 AS found FROM tournament WHERE {_ENDED}"
        return self._sql.one(f"{asked} LIMIT 1", before=ended_before) is not None

    def forget_proofs(self, *, ended_before: int) -> None:
        """Delete it."""
        self._forget()
        self._sql.run(f"UPDATE hand SET kept_entropy = NULL WHERE {_OVER}", before=ended_before)
        self._sql.run(f"UPDATE tournament SET kept_draw = NULL WHERE {_ENDED}", before=ended_before)

    def keeps(self, player: Player) -> bool:
        """True where anything names them, in a server or in none."""
        everywhere = [f"{named.table} AS x WHERE x.{named.players[0]} = :player" for named in NAMED if named.everywhere]
        own = ["account AS x WHERE x.owner = :player", *everywhere]
        found = any(self._sql.one(f"SELECT 1 AS one FROM {rows} LIMIT 1", player=player) for rows in own)
        return found or bool(self.servers_of(player))

    def servers_of(self, player: Player) -> list[GuildId]:
        """The servers in which a row names them, in order."""
        found = {
            row["guild_id"]
            for named in NAMED
            if not named.everywhere
            for rows in naming(named)
            for row in self._asked(f"SELECT DISTINCT x.guild_id FROM {rows}", player=player, value=f"%{player}%")
        }
        return sorted(map(GuildId, found))

    def put_pseudonym(self, guild: GuildId, player: Player, pseudonym: Player) -> None:
        """Delete what is theirs alone in a server; in what stays the pseudonym takes their place.

        Hands are left out, and are told at once as if they were not (:class:`LeavingRows`).
        """
        self._forget()
        with self._sql.unguarded(FINAL):
            self._take_presses(guild, player)
            for named in NAMED:
                if not named.everywhere and not named.by_hand:
                    self._put(named, player, pseudonym, where="guild_id = :guild_id", beside={"guild_id": guild})

    def put_pseudonym_everywhere(self, player: Player, pseudonym: Player) -> None:
        """The same of what belongs to no server."""
        self._forget()
        with self._sql.unguarded(FINAL):
            for named in NAMED:
                if named.everywhere:
                    self._put(named, player, pseudonym, where="1 = 1", beside={})
            # Rows that others point to can be renamed only as copies, once nobody points to them any more.
            for named in NAMED:
                if named.pointed_to:
                    self._sql.run(f"DELETE FROM {named.table} WHERE {named.players[0]} = :player", player=player)

    def _put(self, named: Named, player: Player, pseudonym: Player, *, where: str, beside: dict[str, Value]) -> None:
        table = f"{in_sql(named.table)} WHERE {where}"
        if named.removed:
            for column in named.players:
                self._sql.run(f"DELETE FROM {table} AND {column} = :player", **beside, player=player)
            return
        if named.table == "tournament_log":
            self._take_words(player, where, beside)
        for column, rewrite in named.within.items():
            rows = self._within(named, column, player, beside)
            self._write(named, column, [(row, rewrite(row["text"], player, pseudonym)) for row in rows])
        for column in named.players:
            if named.cleared:
                cleared = ", ".join(f"{name} = :{name}" for name in named.cleared)
                self._sql.run(
                    f"UPDATE {in_sql(named.table)} SET {cleared} WHERE {where} AND {column} = :player",
                    **beside,
                    **named.cleared,
                    player=player,
                )
        for column in named.players:
            self._rename(named, column, player, pseudonym, where=where, beside=beside)

    def _within(self, named: Named, column: str, player: Player, beside: dict[str, Value]) -> Sequence[Row]:
        """The rows that have somebody within a text, by their key."""
        found = found_in(named)
        here = f"{found.server} = :guild_id AND " if beside else ""
        return self._asked(
            f"SELECT DISTINCT {', '.join(f'x.{name}' for name in named.key)}, x.{column} AS text "
            f"FROM {found.sql} AND {here}x.{column} LIKE :value",
            **beside,
            player=player,
            value=f"%{player}%",
        )

    def _rename(
        self, named: Named, column: str, player: Player, pseudonym: Player, *, where: str, beside: dict[str, Value]
    ) -> None:
        if not named.pointed_to:
            self._sql.run(
                f"UPDATE {in_sql(named.table)} SET {column} = :pseudonym WHERE {where} AND {column} = :player",
                **beside,
                player=player,
                pseudonym=pseudonym,
            )
            return
        for row in self._sql.all(f"SELECT * FROM {named.table} WHERE {where} AND {column} = :player", player=player):
            values = dict(zip(row.keys(), row, strict=True)) | {column: pseudonym}
            names = ", ".join(values)
            self._sql.run(
                f"INSERT INTO {named.table} ({names}) VALUES ({', '.join(f':{name}' for name in values)})", **values
            )

    def _take_presses(self, guild: GuildId, player: Player) -> None:
        """Write over the ids of presses by which somebody has moved chips or acted as a manager.

        Each keeps a cause of its own, which pays once, and a manager's line the same as its transfer.
        """
        acts = self._sql.all(
            "SELECT number, cause FROM audit WHERE guild_id = :guild_id AND manager = :player",
            guild_id=guild,
            player=player,
        )
        self._sql.many(
            "UPDATE transfer SET cause = :new WHERE guild_id = :guild_id AND cause = :old",
            [{"guild_id": guild, "old": f"admin:{row['cause']}", "new": f"admin:gone:{row['number']}"} for row in acts],
        )
        self._sql.many(
            "UPDATE audit SET cause = :new WHERE guild_id = :guild_id AND number = :number",
            [{"guild_id": guild, "number": row["number"], "new": f"gone:{row['number']}"} for row in acts],
        )
        paid = self._sql.all(
            "SELECT t.transfer_id, t.cause FROM account a JOIN transfer t ON t.payer = a.account_id "
            "WHERE a.guild_id = :guild_id AND a.kind = 'wallet' AND a.owner = :player "
            "AND t.kind IN ('sent', 'fee', 'entry_fee') "
            "UNION SELECT t.transfer_id, t.cause FROM account a JOIN transfer t ON t.payee = a.account_id "
            "WHERE a.guild_id = :guild_id AND a.kind = 'wallet' AND a.owner = :player AND t.kind = 'refund'",
            guild_id=guild,
            player=player,
        )
        self._sql.many(
            "UPDATE transfer SET cause = :new WHERE transfer_id = :transfer_id",
            [
                {"transfer_id": row["transfer_id"], "new": f"{row['cause'].split(':')[0]}:gone:{row['transfer_id']}"}
                for row in paid
                if row["cause"].split(":")[0] in _BY_PRESS
            ],
        )

    def _take_words(self, player: Player, where: str, beside: dict[str, Value]) -> None:
        named = next(named for named in NAMED if named.table == "tournament_log")
        rows = self._sql.all(
            f"SELECT {', '.join(named.key)}, details AS text FROM tournament_log WHERE {where} AND actor = :player",
            **beside,
            player=player,
        )
        self._write(named, "details", [(row, without_words(row["text"])) for row in rows])

    def _write(self, named: Named, column: str, texts: Sequence[tuple[Row, str]]) -> None:
        """Write these texts over those of the rows; most of what looks alike is a number, and stays as it is."""
        which = " AND ".join(f"{name} = :{name}" for name in named.key)
        self._sql.many(
            f"UPDATE {named.table} SET {column} = :text WHERE {which}",
            [{"text": text, **{name: row[name] for name in named.key}} for row, text in texts if text != row["text"]],
        )

    # servers

    def known_servers(self) -> dict[GuildId, int | None]:
        """All servers of which something is kept, and since when the bot is no member; None while it is."""
        known = " UNION ".join(
            f"SELECT guild_id FROM {name}" for name in ("game_table", "tournament", "account", "member", "house_game")
        )
        rows = self._sql.all(
            f"SELECT k.guild_id, s.left_at FROM ({known} UNION SELECT guild_id FROM server) AS k "
            "LEFT JOIN server s ON s.guild_id = k.guild_id ORDER BY k.guild_id"
        )
        return {GuildId(row["guild_id"]): row["left_at"] for row in rows}

    def delete_server(self, guild: GuildId) -> None:
        """Delete everything that is kept of a server."""
        self._forget()
        with self._sql.unguarded(FINAL):
            for table in OF_SERVERS:
                self._sql.run(f"DELETE FROM {in_sql(table)} WHERE guild_id = :guild_id", guild_id=guild)
