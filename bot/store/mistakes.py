"""Queries for *My mistakes*: whose hands are judged, which aren't yet, and the mistakes found in them."""

from __future__ import annotations

from collections.abc import Sequence

from bot.model.ids import Player, TableKey
from bot.model.mistakes import JudgedDecision, Learner, LossCount, Mistake, MistakeCounts
from bot.model.puzzles import PuzzleName
from bot.pure.trainer.correction import correction_text, parse_correction
from bot.pure.trainer.themes import Theme
from bot.store.columns import Column, Columns, columns_of, millionths, plain
from bot.store.queries import Queries, table_key, table_key_of

LEARNERS = Columns(Learner, "learner", columns_of(Learner), key=("player",), beside=("player",))
DECISIONS = Columns(
    JudgedDecision,
    "judged_decision",
    columns_of(JudgedDecision),
    beside=("player", "guild_id", "table_id", "hand_no", "at"),
)
MISTAKES = Columns(
    Mistake,
    "mistake",
    columns_of(
        Mistake,
        plain("mistake", "name"),
        plain("guild_id", "guild"),
        plain("table_id", "table"),
        Column(name="correction", attribute="correction", to_sql=correction_text, from_sql=parse_correction),
        millionths("stability"),
        millionths("difficulty"),
    ),
    key=("player", "mistake"),
    beside=("player",),
)
_OF_HAND = "player = :player AND guild_id = :guild_id AND table_id = :table_id AND hand_no = :hand_no"
_UNJUDGED = (
    "FROM result r WHERE r.player = :player AND NOT EXISTS (SELECT 1 FROM judged_hand j WHERE j.player = r.player "
    "AND j.guild_id = r.guild_id AND j.table_id = r.table_id AND j.hand_no = r.hand_no)"
)
_ANSWER = ("due_at", "last_at", "stability", "difficulty", "tries", "letters", "cost", "solved", "cause")


class MistakeQueries(Queries):
    """Queries for *My mistakes*. A player's rows are locked by player."""

    # learners

    def learner(self, player: Player) -> Learner | None:
        self._sql.hold(int(player))
        row = self._sql.one(f"SELECT {LEARNERS.names} FROM learner WHERE player = :player", player=player)
        return None if row is None else LEARNERS.read(row)

    def save_learner(self, player: Player, learner: Learner) -> None:
        self._save(LEARNERS, learner, player=player)

    def learners(self) -> list[Player]:
        """Return all players whose hands are judged, earliest first."""
        rows = self._sql.all("SELECT player FROM learner ORDER BY since")
        return [Player(row["player"]) for row in rows]

    # Hands

    def learners_of_last_hands(self, key: TableKey) -> list[Player]:
        """Return the learners who have played one of a table's last two hands."""
        rows = self._sql.all(
            "SELECT DISTINCT r.player FROM game_table t JOIN result r ON r.guild_id = t.guild_id "
            "AND r.table_id = t.table_id AND r.hand_no >= t.hand_no - 1 JOIN learner l ON l.player = r.player "
            "WHERE t.guild_id = :guild_id AND t.table_id = :table_id",
            **table_key(key),
        )
        return sorted(Player(row["player"]) for row in rows)

    def unjudged(self, player: Player, *, limit: int, skip: int) -> list[tuple[TableKey, int, int]]:
        """Return the player's hands that aren't judged yet, newest first: table, number, and time of the end."""
        rows = self._sql.all(
            f"SELECT r.guild_id, r.table_id, r.hand_no, r.at {_UNJUDGED} "
            "ORDER BY r.at DESC, r.guild_id, r.table_id DESC, r.hand_no DESC LIMIT :limit OFFSET :skip",
            player=player,
            limit=limit,
            skip=skip,
        )
        return [(table_key_of(row), row["hand_no"], row["at"]) for row in rows]

    def is_judged(self, player: Player, key: TableKey, hand_no: int) -> bool:
        row = self._sql.one(
            f"SELECT 1 AS one FROM judged_hand WHERE {_OF_HAND}", player=player, hand_no=hand_no, **table_key(key)
        )
        return row is not None

    def add_judged(
        self,
        player: Player,
        key: TableKey,
        hand_no: int,
        decisions: Sequence[JudgedDecision],
        mistakes: Sequence[Mistake],
        *,
        at: int,
    ) -> None:
        """Save a judged hand, which ended at time ``at``, with its decisions and mistakes."""
        self._sql.run(
            "INSERT INTO judged_hand (player, guild_id, table_id, hand_no, at) "
            "VALUES (:player, :guild_id, :table_id, :hand_no, :at)",
            player=player,
            hand_no=hand_no,
            at=at,
            **table_key(key),
        )
        self._add(DECISIONS, decisions, player=player, hand_no=hand_no, at=at, **table_key(key))
        self._add(MISTAKES, mistakes, player=player)

    # Mistakes

    def mistake(self, player: Player, name: PuzzleName) -> Mistake | None:
        row = self._sql.one(
            f"SELECT {MISTAKES.names} FROM mistake WHERE player = :player AND mistake = :name", player=player, name=name
        )
        return None if row is None else MISTAKES.read(row)

    def due(self, player: Player, *, now: int, but: str, limit: int) -> list[Mistake]:
        """Return the mistakes to give: those that come back, the earliest first, then new ones, the latest first."""
        rows = self._sql.all(
            f"SELECT {MISTAKES.names} FROM mistake WHERE player = :player AND whole = 0 AND due_at <= :now "
            "AND mistake <> :but ORDER BY CASE WHEN last_at IS NULL THEN 1 ELSE 0 END, "
            "CASE WHEN last_at IS NULL THEN -at ELSE due_at END, number, mistake LIMIT :limit",
            player=player,
            now=now,
            but=but,
            limit=limit,
        )
        return [MISTAKES.read(row) for row in rows]

    def save_answer(self, player: Player, mistake: Mistake) -> None:
        """Save the answer to a mistake and when it comes back.

        The rest of the row never changes. It isn't named, because any process may answer for a player, but only one
        writes for the hand's server.
        """
        values = MISTAKES.values(mistake)
        self._sql.run(
            f"UPDATE mistake SET {', '.join(f'{name} = :{name}' for name in _ANSWER)} "
            "WHERE player = :player AND mistake = :mistake",
            player=player,
            mistake=mistake.name,
            **{name: values[name] for name in _ANSWER},
        )

    # Candidates for puzzles

    def candidates(self, *, limit: int, skip: int) -> list[tuple[Player, Mistake]]:
        """Return mistakes at closed tables whose positions may make puzzles, newest first, each with its player."""
        rows = self._sql.all(
            f"SELECT {MISTAKES.of('m')}, m.player FROM mistake m JOIN game_table t ON t.guild_id = m.guild_id "
            "AND t.table_id = m.table_id WHERE m.candidate = 1 AND t.state = 'closed' "
            "ORDER BY m.at DESC, m.guild_id, m.table_id, m.hand_no, m.number, m.mistake LIMIT :limit OFFSET :skip",
            limit=limit,
            skip=skip,
        )
        return [(Player(row["player"]), MISTAKES.read(row)) for row in rows]

    def settle_candidate(self, player: Player, name: PuzzleName) -> None:
        """Note that it's known whether a mistake's position makes a puzzle."""
        self._sql.run(
            "UPDATE mistake SET candidate = 0 WHERE player = :player AND mistake = :name", player=player, name=name
        )

    # Numbers

    def counts(self, player: Player, *, now: int) -> MistakeCounts:
        """Return how many hands and mistakes there are, and how much is still to do."""
        row = self._sql.one(
            f"SELECT (SELECT COUNT(*) AS number {_UNJUDGED}) AS waiting, "
            "(SELECT COUNT(*) AS number FROM judged_hand WHERE player = :player) AS hands, COUNT(*) AS mistakes, "
            "COUNT(CASE WHEN whole = 0 AND due_at <= :now THEN 1 END) AS due, "
            "MIN(CASE WHEN whole = 0 AND due_at > :now THEN due_at END) AS next_at "
            "FROM mistake WHERE player = :player",
            player=player,
            now=now,
        )
        assert row is not None
        return MistakeCounts(
            waiting=row["waiting"],
            hands=row["hands"],
            mistakes=row["mistakes"],
            due=row["due"],
            next_at=row["next_at"],
        )

    def losses(self, player: Player, starts: Sequence[int], *, until: int) -> list[LossCount]:
        """Return the decisions and points lost since each of ``starts``, latest first, up to the start before it."""
        cases = " ".join(f"WHEN at >= :start{number} THEN {number}" for number in range(len(starts)))
        rows = self._sql.all(
            f"SELECT CASE {cases} END AS month, street, theme, COUNT(*) AS decisions, SUM(lost) AS lost "
            "FROM judged_decision WHERE player = :player AND at >= :since AND at < :until "
            f"GROUP BY CASE {cases} END, street, theme",
            player=player,
            since=starts[-1],
            until=until,
            **{f"start{number}": start for number, start in enumerate(starts)},
        )
        found = [
            LossCount(
                month=row["month"],
                street=row["street"],
                theme=None if row["theme"] is None else Theme(row["theme"]),
                decisions=row["decisions"],
                lost=int(row["lost"]),
            )
            for row in rows
        ]
        return sorted(found, key=lambda one: (one.month, one.street, one.theme.value if one.theme else ""))
