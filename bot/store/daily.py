"""Queries for daily hands: the hands, attempts with their logs, counts by points, and streaks."""

from __future__ import annotations

import json
from collections.abc import Sequence

from bot.model.daily import Attempt, Challenge, ChallengeId, Played, Series, Streak
from bot.model.ids import Player
from bot.pure.ofc.log import Fact, kind_of, to_json
from bot.store.columns import Column, Columns, columns_of, plain
from bot.store.hands import fact_from
from bot.store.queries import Queries, as_json, spec_text, variant_from


def _played(text: str) -> Played:
    return tuple(map(tuple, json.loads(text)))


CHALLENGES = Columns(
    Challenge,
    "challenge",
    columns_of(
        Challenge,
        plain("challenge_id", "number"),
        Column(name="game", attribute="game", to_sql=spec_text, from_sql=variant_from),
        Column(name="master", attribute="master", to_sql=as_json, from_sql=_played),
    ),
    key=("challenge_id",),
)
ATTEMPTS = Columns(
    Attempt,
    "attempt",
    columns_of(Attempt, plain("challenge_id", "challenge")),
    key=("challenge_id", "player"),
)
STREAKS = Columns(
    Streak,
    "streak",
    columns_of(Streak, plain("last_day", "last")),
    key=("player",),
    beside=("player",),
)
_ALL_CHALLENGES = 0
"""Lock key for creating and revealing daily hands. Attempts and streaks are locked by player."""
_OF_ATTEMPT = "challenge_id = :number AND player = :player"


class DailyQueries(Queries):
    """Queries for daily hands."""

    def next_challenge(self) -> ChallengeId:
        return ChallengeId((self._number("SELECT MAX(challenge_id) AS last FROM challenge") or 0) + 1)

    def save_challenge(self, challenge: Challenge) -> None:
        self._save(CHALLENGES, challenge)

    def challenge(self, number: ChallengeId) -> Challenge | None:
        row = self._sql.one(f"SELECT {CHALLENGES.names} FROM challenge WHERE challenge_id = :number", number=number)
        return None if row is None else CHALLENGES.read(row)

    def challenge_of(self, series: Series, day: int) -> Challenge | None:
        """Return the newest hand of a day."""
        row = self._sql.one(
            f"SELECT {CHALLENGES.names} FROM challenge WHERE series = :series AND day = :day "
            "ORDER BY challenge_id DESC LIMIT 1",
            series=series.value,
            day=day,
        )
        return None if row is None else CHALLENGES.read(row)

    def unrevealed(self, before: int) -> list[Challenge]:
        """Return the hands of days before ``before`` whose seed is still sealed and not lost."""
        # A writing caller goes on to reveal these hands and create the next ones.
        self._sql.hold(_ALL_CHALLENGES)
        rows = self._sql.all(
            f"SELECT {CHALLENGES.names} FROM challenge WHERE day < :before AND seed IS NULL AND lost = 0 "
            "ORDER BY challenge_id",
            before=before,
        )
        return [CHALLENGES.read(row) for row in rows]

    def attempt(self, number: ChallengeId, player: Player) -> Attempt | None:
        self._sql.hold(int(player))
        row = self._sql.one(f"SELECT {ATTEMPTS.names} FROM attempt WHERE {_OF_ATTEMPT}", number=number, player=player)
        return None if row is None else ATTEMPTS.read(row)

    def save_attempt(self, attempt: Attempt) -> None:
        self._save(ATTEMPTS, attempt)

    def played(self, number: ChallengeId, player: Player) -> list[Fact]:
        """Return the facts of an attempt, in order; raises ``bot.pure.ofc.log.LogError`` for an unreadable one."""
        rows = self._sql.all(
            f"SELECT kind, payload FROM attempt_fact WHERE {_OF_ATTEMPT} ORDER BY seq", number=number, player=player
        )
        return [fact_from(row["kind"], row["payload"]) for row in rows]

    def append_played(self, number: ChallengeId, player: Player, facts: Sequence[Fact], *, cause: str, at: int) -> None:
        last = self._number(
            f"SELECT MAX(seq) AS last FROM attempt_fact WHERE {_OF_ATTEMPT}", number=number, player=player
        )
        first = (last or 0) + 1
        self._sql.many(
            "INSERT INTO attempt_fact (challenge_id, player, seq, kind, payload, cause, at) "
            "VALUES (:number, :player, :seq, :kind, :payload, :cause, :at)",
            [
                {
                    "number": number,
                    "player": player,
                    "seq": seq,
                    "kind": kind_of(fact),
                    "payload": json.dumps(to_json(fact), separators=(",", ":")),
                    "cause": cause if seq == first else None,
                    "at": at,
                }
                for seq, fact in enumerate(facts, first)
            ],
        )

    def counts(self, number: ChallengeId) -> dict[int, int]:
        """Return the number of players who finished with each result, by points."""
        rows = self._sql.all("SELECT points, people FROM challenge_count WHERE challenge_id = :number", number=number)
        return {row["points"]: row["people"] for row in rows}

    def count(self, number: ChallengeId, points: int) -> None:
        """Increment the number of players with ``points``."""
        self._sql.run(
            "INSERT INTO challenge_count (challenge_id, points, people) VALUES (:number, :points, 1) "
            "ON CONFLICT (challenge_id, points) DO UPDATE SET people = challenge_count.people + 1",
            number=number,
            points=points,
        )

    def streak(self, player: Player) -> Streak | None:
        row = self._sql.one(f"SELECT {STREAKS.names} FROM streak WHERE player = :player", player=player)
        return None if row is None else STREAKS.read(row)

    def save_streak(self, player: Player, streak: Streak) -> None:
        self._save(STREAKS, streak, player=player)
