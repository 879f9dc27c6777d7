"""An independent model of each player's status after every hand, in all formats except brackets.

It knows the results of hands, the seats by table and round, the organisers' acts and the documented rules. It shares no
code with the bot. The evening around it has kills, void hands, disqualifications, penalties and restores.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from fractions import Fraction

from typing_extensions import override

from bot.model.events import EventFact, Phase
from bot.model.ids import Player
from bot.model.tables import Role
from bot.play.event.floor.event_state import EventState
from bot.play.event.office import views
from bot.play.event.office.registration import PlannedEvent
from bot.play.event.office.views import EventView, StandingsLine
from bot.play.session.session import Session
from bot.pure.event.pairings import Pairings
from bot.pure.event.structure import Family, Format
from bot.pure.event.ties import Ties
from tests.play.event.evening import Evening
from tests.play.event.event_world import somebody

FORMS = (Format.LEAGUE, Format.DUPLICATE, Format.SHOOTOUT, Format.SIT_AND_GO, Format.TOURNAMENT)


@dataclass(kw_only=True)
class Truth:
    """The true state, computed from raw results."""

    score: dict[Player, int] = field(default_factory=lambda: defaultdict(int))
    rounds: dict[Player, dict[int, int]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(int)))
    won: dict[Player, int] = field(default_factory=lambda: defaultdict(int))
    """Match points, each counted as two: other tables beaten, ties counting one."""
    held: dict[Player, int] = field(default_factory=lambda: defaultdict(int))
    """Other tables that there were to beat."""
    met: dict[Player, list[Player]] = field(default_factory=lambda: defaultdict(list))
    """All opponents with whom each player has settled a hand, once per round."""
    hands: dict[Player, int] = field(default_factory=lambda: defaultdict(int))
    seat: dict[Player, int] = field(default_factory=dict)
    """The open table of each player."""
    chips: dict[Player, int] = field(default_factory=lambda: defaultdict(int))
    gone: dict[Player, int] = field(default_factory=dict)
    """The log line of each player's elimination."""
    left: dict[Player, int] = field(default_factory=dict)
    """The last round of each player who has left a league or duplicate event and isn't back."""
    empty: set[Player] = field(default_factory=set)
    """The players who have left a freezeout and haven't said that they're back."""
    gave_up: set[Player] = field(default_factory=set)
    disqualified: set[Player] = field(default_factory=set)
    swiss: bool = False
    """True if equal scores are ranked by the opponents' scores."""

    def opposition(self, player: Player) -> int:
        """Return the sum of the opponents' scores."""
        return sum(self.score[other] for other in self.met[player])

    def share(self, player: Player) -> Fraction:
        """Return a player's share of the match points."""
        return Fraction(self.won[player], 2 * self.held[player]) if self.held[player] else Fraction(0)


class ToldEvening(Evening):
    """An event of one of these formats for so many people, whose standings are held against the model."""

    def __init__(self, seed: int, *, pairings: Pairings | None = None, kills: float = 0.02) -> None:
        """With ``pairings`` it is a league with these."""
        super().__init__(seed, kills=kills)
        self.pairings = pairings
        self.form = FORMS[seed % len(FORMS)] if pairings is None else Format.LEAGUE
        self.people = 2 + seed // len(FORMS) % 16
        if self.form is Format.DUPLICATE:
            self.people = max(4, self.people)
        self.compared = 0
        self._seen = 0
        self._settled: dict[tuple[int, int], list[tuple[Player, int]]] = {}
        """The players of each finished hand by seat, with their points, which no longer change."""
        self._read: dict[int, int] = {}
        """The last hand of each table that is known so."""
        self._log: list[EventFact] = []
        self._opened = 0
        self._here: dict[int, set[Player]] = {}
        """The players in the event at each round's start."""
        self._byes: Counter[Player] = Counter()
        """Each player's rounds without a settled hand, except missed ones."""

    @override
    def _plan(self) -> PlannedEvent:
        while (plan := super()._plan()).structure.format is not self.form:
            pass
        return self._fitted(plan)

    def _fitted(self, plan: PlannedEvent) -> PlannedEvent:
        """Return the plan for this many people."""
        if self.pairings is not None:
            plan = replace(plan, structure=replace(plan.structure, pairings=self.pairings))
        seats = plan.structure.table_seats
        if self.form is Format.DUPLICATE:
            seats = min(seats, self.people - 1)
            hands = plan.structure.round_hands // plan.structure.table_seats * seats
            structure = replace(plan.structure, table_seats=seats, round_hands=hands, most=self.people, least=2)
            return replace(plan, structure=replace(structure, least=structure.fewest))
        most = self.people if self.form is Format.SIT_AND_GO else max(4, seats + 1, self.people)
        return replace(plan, structure=replace(plan.structure, most=most, least=2))

    @override
    def _people(self, plan: PlannedEvent) -> None:
        for number in range(self.people):
            self._try(self._registers(somebody(number)), "register")

    @override
    def _check(self, before: EventState, after: EventState) -> None:
        super()._check(before, after)
        if not after.event.started_at or after.event.phase is Phase.CANCELLED or self.seating():
            return
        # Compare after each hand, and after any other change to the display.
        if after.event.version != self._seen:
            self._compare(after)
            self._seen = after.event.version
        if after.event.round > self._opened and after.spots and after.event.format.family is Family.ROUNDS:
            self._check_byes(after)
            self._opened = after.event.round

    def _check_byes(self, now: EventState) -> None:
        """Check that only one of an odd number has no table, and that byes go to the players with the fewest."""
        truth, number = self._truth(now), now.event.round
        here = {e.player for e in now.playing}
        self.must(not here & truth.left.keys(), "a player who has left plays on")
        self.must(not truth.seat.keys() & truth.left.keys(), "a player who has left has a seat in the next round")
        for player in self._here.pop(number - 1, ()):
            self._byes[player] += number - 1 not in truth.rounds[player]
        byes = here - truth.seat.keys()
        odd = len(here) % 2 if now.event.structure.table_seats == 2 else 0
        self.must(len(byes) <= odd, f"{len(byes)} of {len(here)} have a bye")
        for player in byes:
            fewest = min(self._byes[one] for one in here)
            self.must(self._byes[player] == fewest, f"{player} has bye {self._byes[player] + 1}, others had {fewest}")
        self.counts["byes"] += len(byes)
        self._here[number] = here

    # true state

    def _truth(self, now: EventState) -> Truth:
        truth = Truth(swiss=now.event.structure.pairings is Pairings.SWISS)
        decks: dict[tuple[int, int], list[list[tuple[Player, int]]]] = defaultdict(list)
        unfinished = set()
        stacks: dict[tuple[int, Player], int] = {}
        rows = self.storage.look.all("SELECT table_id, owner, balance FROM account WHERE kind = 'seat'")
        for row in rows:
            stacks[row["table_id"], Player(row["owner"])] = row["balance"]
        for round_no, table, hand_no, state in self._tables():
            if state != "closed":
                for row in self.storage.look.all("SELECT player FROM seat WHERE table_id = :table", table=table):
                    truth.seat[Player(row["player"])] = table
            over = hand_no - (state == "playing")
            if over < hand_no:
                unfinished.add((round_no, hand_no))
            self._read_to(table, over)
            together: set[Player] = set()
            for hand in range(1, over + 1):
                if results := self._settled.get((table, hand)):
                    decks[round_no, hand].append(results)
                for player, points in results or ():
                    together.add(player)
                    truth.hands[player] += 1
                    if self.form is Format.LEAGUE:
                        truth.score[player] += points
                        truth.rounds[player][round_no] += points
            together &= now.entrants.keys()
            for player in together:
                truth.met[player] += together - {player}
        if self.form is Format.DUPLICATE:
            for deck in decks.keys() - unfinished:
                self._meet(truth, deck[0], decks[deck])
        hand_for_hand = 0
        self._read_log()
        for fact in self._log:
            if fact.kind == "adjusted" and self.form in (Format.LEAGUE, Format.DUPLICATE):
                truth.score[Player(str(fact.details["player"]))] += fact.details["amount"]
            elif fact.kind == "disqualified":
                truth.disqualified.add(Player(str(fact.details["player"])))
            elif fact.kind == "out":
                for place, player in enumerate(fact.details["players"]):
                    # Hand for hand those of one round go out together, whichever table was first: no order is known.
                    truth.gone[Player(player)] = 100 * (hand_for_hand or fact.number) + place
            elif fact.kind == "left" or (fact.kind == "left_server" and "round" in fact.details):
                truth.left[Player(str(fact.details["player"]))] = fact.details["round"]
            elif fact.kind == "came_back":
                truth.left.pop(Player(str(fact.details["player"])), None)
            elif fact.kind in ("left_seat", "gave_up"):
                (truth.empty if fact.kind == "left_seat" else truth.gave_up).add(Player(str(fact.details["player"])))
            elif fact.kind == "back_in_seat":
                truth.empty.discard(Player(str(fact.details["player"])))
            elif fact.kind == "entered_again":
                assert fact.actor is not None
                truth.gone.pop(fact.actor, None)
                truth.empty.discard(fact.actor)
                truth.gave_up.discard(fact.actor)
            elif fact.kind == "hand_for_hand":
                hand_for_hand = hand_for_hand or fact.number
        rows = self.storage.look.all("SELECT owner, balance FROM account WHERE kind = 'wallet' AND balance > 0")
        wallets = {row["owner"]: row["balance"] for row in rows}
        rows = self.storage.look.all("SELECT player FROM seat WHERE away = 0")
        truth.empty -= {Player(row["player"]) for row in rows}
        truth.empty -= {e.player for e in now.playing if e.player not in truth.seat and not e.absent}
        for player in now.entrants:
            purse = wallets.get(f"event:{self.key.number}:{player}", 0)
            truth.chips[player] = purse + stacks.get((truth.seat.get(player, 0), player), 0)
        return truth

    def _tables(self) -> list[tuple[int, int, int, str]]:
        """The round, number, newest hand and state of each table, in order."""
        rows = self.storage.look.all(
            "SELECT e.round, t.table_id, t.hand_no, t.state FROM event_table e "
            "JOIN game_table t ON t.guild_id = e.guild_id AND t.table_id = e.table_id "
            "WHERE e.event_id = :event ORDER BY t.table_id",
            event=self.key.number,
        )
        return [(row["round"], row["table_id"], row["hand_no"], row["state"]) for row in rows]

    def _read_to(self, table: int, hand_no: int) -> None:
        """Know the hands of a table up to this one, which are over."""
        if self._read.get(table, 0) == hand_no:
            return
        rows = self.storage.look.all(
            "SELECT hand_no, player, points FROM result WHERE table_id = :table AND hand_no > :known ORDER BY seat",
            table=table,
            known=self._read.get(table, 0),
        )
        for row in rows:
            self._settled.setdefault((table, row["hand_no"]), []).append((Player(row["player"]), row["points"]))
        self._read[table] = hand_no

    def _read_log(self) -> None:
        """Know the event's log to its end; its lines change no more."""
        rows = self.storage.look.all(
            "SELECT seq, kind, details, actor, at FROM event_log WHERE event_id = :event AND seq > :known ORDER BY seq",
            event=self.key.number,
            known=self._log[-1].number if self._log else 0,
        )
        self._log += [
            EventFact(
                number=row["seq"],
                kind=row["kind"],
                details=json.loads(row["details"]),
                actor=row["actor"] and Player(row["actor"]),
                at=row["at"],
            )
            for row in rows
        ]

    @staticmethod
    def _meet(truth: Truth, round_no: int, tables: list[list[tuple[Player, int]]]) -> None:
        """Let each player meet all who held the same cards. Without any, the round counts nothing."""
        for table in tables:
            for seat, (player, points) in enumerate(table):
                truth.rounds[player][round_no] += 0
                for other in tables:
                    if other is not table:
                        theirs = other[seat][1]
                        truth.score[player] += points - theirs
                        truth.rounds[player][round_no] += points - theirs
                        truth.won[player] += (points > theirs) - (points < theirs) + 1
                        truth.held[player] += 1

    # reports

    def _compare(self, now: EventState) -> None:
        view = views.event_view(now.s, now)
        truth = self._truth(now)
        fair = [line for line in view.lines if line.entrant.player not in truth.disqualified]
        self.must(
            {line.entrant.player for line in view.lines} - {line.entrant.player for line in fair}
            == {player for player in truth.disqualified if view.line_of(player)},
            "who is told to be disqualified",
        )
        for line in view.lines:
            self._compare_line(now.s, view, line, truth)
        if view.event.phase is Phase.RUNNING:
            self._compare_ranks(fair, truth)
        else:
            self._compare_end(fair, truth, shares=view.event.structure.ties is Ties.SHARE)
        self.compared += 1

    def _compare_line(self, session: Session, view: EventView, line: StandingsLine, truth: Truth) -> None:
        player = line.entrant.player
        if self.form in (Format.LEAGUE, Format.DUPLICATE):
            self.must(line.entrant.score == truth.score[player], f"{player} is told {line.entrant.score} points")
        elif line.entrant.playing and view.event.phase is Phase.RUNNING:
            self.must(line.chips == truth.chips[player], f"{player} is told {line.chips} chips")
        self.must(line.entrant.hands == truth.hands[player], f"{player} is told {line.entrant.hands} hands")
        left = None if player in truth.disqualified else truth.left.get(player)
        self.must(line.left_after == left, f"{player} is told to have left after {line.left_after}, not {left}")
        fair = player not in truth.disqualified
        self.must(line.left_seat is (fair and player in truth.empty), f"{player} is told {line.left_seat}: left")
        self.must(line.gave_up is (fair and player in truth.gave_up), f"{player} is told {line.gave_up}: gave up")
        if view.event.phase is not Phase.RUNNING:
            return
        self.must(line.table == truth.seat.get(player), f"{player} is told the table {line.table}")
        spot = next(iter(view.tables), None)
        if spot is None or player in truth.seat:
            return
        told = views.standing_in(view, session.table(spot.table.key), player).part
        out = Role.LEFT if player in truth.left else Role.OUT if player in truth.gone else Role.WAITS
        part = Role.DISQUALIFIED if player in truth.disqualified else out
        self.must(told is part, f"{player} is told {told} and is {part}")
        if part is Role.WAITS and self.form is Format.SHOOTOUT:
            self.must(set(line.waits_for) == set(truth.seat.values()), f"{player} waits for {line.waits_for}")
        if part is Role.WAITS and self.form is Format.LEAGUE:
            played = any(number == view.event.round for number in truth.rounds[player])
            self.must(not (line.bye and played), f"{player} has played and is told of a bye")

    def _rank(self, line: StandingsLine, truth: Truth) -> tuple[float | Fraction, ...]:
        """Return a player's sort key in the standings, smallest first."""
        player = line.entrant.player
        if self.form is Format.LEAGUE:
            return (-truth.score[player], -truth.opposition(player) if truth.swiss else 0)
        if self.form is Format.DUPLICATE:
            return (-truth.score[player], -truth.share(player))
        if player in truth.gone:
            # A later elimination is better. Within a hand, stacks decide, and they aren't known here.
            return (1, -(truth.gone[player] // 100))
        return (
            (0, -line.entrant.score, -truth.hands[player], -truth.chips[player])
            if self._shootout
            else (
                0,
                -truth.chips[player],
            )
        )

    @property
    def _shootout(self) -> bool:
        return self.form is Format.SHOOTOUT

    def _compare_ranks(self, fair: list[StandingsLine], truth: Truth) -> None:
        if self._shootout:
            # Those who are out stand by their rounds, not by the time: only who is in is compared.
            fair = [line for line in fair if line.entrant.player not in truth.gone]
        ranks = {line.entrant.player: self._rank(line, truth) for line in fair}
        exact = self.form in (Format.LEAGUE, Format.DUPLICATE) or self._shootout
        for line in fair:
            own = ranks[line.entrant.player]
            place = 1 + sum(rank < own for rank in ranks.values())
            alike = sum(rank == own for rank in ranks.values())
            right = line.place == place if exact else place <= line.place < place + alike
            self.must(right, f"{line.entrant.player} is told place {line.place} and has {place} of {alike}")
            if exact:
                self.must(line.tied is (alike > 1), f"{line.entrant.player} is told {line.tied} of a tie of {alike}")

    def _compare_end(self, fair: list[StandingsLine], truth: Truth, *, shares: bool) -> None:
        places = [line.place for line in fair]
        self.must(shares or places == list(range(1, len(fair) + 1)), "places close up")
        for line in fair:
            self.must(
                line.tied is (places.count(line.place) > 1), f"{line.entrant.player} is told {line.tied} of a tie"
            )
        if self.form not in (Format.LEAGUE, Format.DUPLICATE):
            self.must(fair[0].entrant.player not in truth.gone, "the winner never went out")
            return
        ranks = [self._rank(line, truth) for line in fair]
        self.must(ranks == sorted(ranks), "the end ranks by points")
        for line, own in zip(fair, ranks, strict=True):
            alike = ranks.count(own) > 1
            self.must(line.by_draw is (alike and not shares), f"{line.entrant.player}: by draw {line.by_draw}")
            place = 1 + sum(rank < own for rank in ranks)
            self.must(not shares or line.place == place, f"{line.entrant.player} is told {line.place}, not {place}")

    @override
    def _check_end(self) -> None:
        super()._check_end()
        now = self.field()
        self._settled.clear()
        self._read.clear()
        self._log.clear()
        log = now.tx.events.log(self.key)
        self.counts["again"] += sum(fact.kind == "entered_again" for fact in log)
        self.counts["gave up"] += sum("gave_up" in fact.details for fact in log if fact.kind == "out")
        if now.event.phase is Phase.ENDED:
            self._compare(now)
            self._compare_reports(now)

    def _compare_reports(self, now: EventState) -> None:
        """Check that a league's last table has each round's points of all players who are still named."""
        truth = self._truth(now)
        waiting = [one for one in now.tx.outbox.event_postings(self.key, limit=10_000) if "final" in one.details]
        for row in (row for one in waiting for row in one.details["final"]["rows"]):
            player, told = Player(row["player"]), row["rounds"]
            known = {number: points for number, points in enumerate(told, start=1) if points is not None}
            self.must(known == dict(truth.rounds[player]), f"{player} is told {known} of the rounds")
            if "met" in row:
                opponents = truth.opposition(player)
                self.must(row["met"] == opponents, f"{player} is told {row['met']} of the opponents")
                self.counts["met"] += 1
            self.counts["rows"] += 1
