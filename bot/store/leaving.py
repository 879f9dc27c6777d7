"""Who is being deleted: the logs of their hands are rewritten some at a time, and name a pseudonym to readers at once.

Everything else of theirs is renamed in one transaction, which is short; hands are many. A row of ``leaving`` says which
hands of a table are still to be rewritten. Who comes back meanwhile plays later hands, which no row names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.model.ids import GuildId, Player, TableKey
from bot.store.personal import TABLES, renamed, without_entropy
from bot.store.queries import Queries
from bot.store.sql import Row, Sql
from bot.store.values import OF_TABLE, table_key, table_key_of

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
        self._forget()
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
        self._forget()
        hands = {**table_key(key), "first": first, "last": last}
        entropies = self._sql.all(f"SELECT hand_no, entropy AS text FROM hand WHERE {_OF_HANDS}", **hands)
        self._sql.many(
            f"UPDATE hand SET entropy = :text WHERE {OF_TABLE} AND hand_no = :hand_no",
            [
                {**table_key(key), "hand_no": row["hand_no"], "text": without_entropy(row["text"], player, pseudonym)}
                for row in _naming(entropies, player)
            ],
        )
        payloads = self._sql.all(f"SELECT seq, payload AS text FROM event WHERE {_OF_HANDS}", **hands)
        with self._sql.unguarded(("event",)):
            self._sql.many(
                f"UPDATE event SET payload = :text WHERE {OF_TABLE} AND seq = :seq",
                [
                    {**table_key(key), "seq": row["seq"], "text": renamed(row["text"], player, pseudonym)}
                    for row in _naming(payloads, player)
                ],
            )
            self._sql.run(
                f"UPDATE event SET actor = :pseudonym, cause = NULL WHERE {_OF_HANDS} AND actor = :player",
                **hands,
                player=player,
                pseudonym=pseudonym,
            )


def _naming(rows: Sequence[Row], player: Player) -> list[Row]:
    """Those with somebody's name in their text; it may be a number there, which stays."""
    return [row for row in rows if player in row["text"]]
