"""An independent model of what players of all formats but brackets are told after each hand.

It knows results of hands, who sat at which table of which round, what organisers have done, and the rules as the
documents put them; it shares no code with what is tested. The evening around it has kills, void hands,
disqualifications, penalties and restores.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from fractions import Fraction

from bot.event.pairings import Pairings
from bot.event.structure import Format
from bot.model.events import Phase
from bot.model.ids import Player, TableKey
from bot.model.tables import Role, TableState
from bot.play.event import views
from bot.play.event.field import Field
from bot.play.event.registration import Plan
from bot.play.event.views import EventView, Line
from tests.play.event.evening import Evening
from tests.play.event.event_world import somebody

FORMS = (Format.LEAGUE, Format.DUPLICATE, Format.SHOOTOUT, Format.SIT_AND_GO, Format.TOURNAMENT)


@dataclass(kw_only=True)
class Truth:
    """What is so, from the raw results."""

    score: dict[Player, int] = field(default_factory=lambda: defaultdict(int))
    rounds: dict[Player, dict[int, int]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(int)))
    won: dict[Player, Fraction] = field(default_factory=lambda: defaultdict(Fraction))
    """Match points: other tables beaten, ties counting half."""
    held: dict[Player, int] = field(default_factory=lambda: defaultdict(int))
    """Other tables that there were to beat."""
    met: dict[Player, list[Player]] = field(default_factory=lambda: defaultdict(list))
    """Everybody with whom somebody has settled a hand, once for each round."""
    hands: dict[Player, int] = field(default_factory=lambda: defaultdict(int))
    seat: dict[Player, int] = field(default_factory=dict)
    """The open table where somebody sits."""
    chips: dict[Player, int] = field(default_factory=lambda: defaultdict(int))
    gone: dict[Player, int] = field(default_factory=dict)
    """Who went out, by the number of the line of the log that says so."""
    disqualified: set[Player] = field(default_factory=set)

    def share(self, player: Player) -> Fraction:
        """The part of the match points that somebody has had."""
        return self.won[player] / self.held[player] if self.held[player] else Fraction(0)


class ToldEvening(Evening):
    """An event of one of these formats for so many people, whose standings are held against the model."""

    def __init__(self, seed: int, *, pairings: Pairings | None = None) -> None:
        """With ``pairings`` it is a league with these."""
        super().__init__(seed)
        self.pairings = pairings
        self.form = FORMS[seed % len(FORMS)] if pairings is None else Format.LEAGUE
        self.people = 2 + seed // len(FORMS) % 16
        if self.form is Format.DUPLICATE:
            self.people = max(4, self.people)
        self.compared = 0
        self._seen = 0

    def _plan(self) -> Plan:
        while (plan := super()._plan()).structure.format is not self.form:
            pass
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

    def _people(self, plan: Plan) -> None:
        for number in range(self.people):
            self._try(self._registers(somebody(number)), "register")

    def _check(self, before: Field, after: Field) -> None:
        super()._check(before, after)
        if not after.event.started_at or after.event.phase is Phase.CANCELLED or self.seating():
            return
        # After each hand, and whatever else has changed what is shown.
        if after.event.version != self._seen:
            self._compare(after)
            self._seen = after.event.version

    # what is so

    def _truth(self, now: Field) -> Truth:
        truth, tx = Truth(), now.tx
        decks: dict[tuple[int, int], list[list[tuple[Player, int]]]] = defaultdict(list)
        unfinished = set()
        for info in tx.event_tables(self.key, over=True):
            key = TableKey(guild=self.key.guild, table=info.table)
            table = tx.table(key)
            assert table is not None
            if table.open:
                for seat in tx.seats(key):
                    truth.seat[seat.player] = info.table
            together: set[Player] = set()
            for hand in range(1, table.hand_no + 1):
                if hand == table.hand_no and table.state is TableState.PLAYING:
                    unfinished.add((info.round, hand))
                    continue
                together |= {result.player for result in tx.results(key, hand)} & now.entrants.keys()
                results = sorted(tx.results(key, hand), key=lambda result: result.seat)
                for result in results:
                    truth.hands[result.player] += 1
                    if self.form is Format.LEAGUE:
                        truth.score[result.player] += result.points
                        truth.rounds[result.player][info.round] += result.points
                if results:
                    decks[info.round, hand].append([(result.player, result.points) for result in results])
            for player in together:
                truth.met[player] += together - {player}
        if self.form is Format.DUPLICATE:
            for deck in decks.keys() - unfinished:
                self._meet(truth, deck[0], decks[deck])
        hand_for_hand = 0
        for fact in tx.event_log(self.key):
            if fact.kind == "adjusted" and self.form in (Format.LEAGUE, Format.DUPLICATE):
                truth.score[Player(str(fact.details["player"]))] += fact.details["amount"]
            elif fact.kind == "disqualified":
                truth.disqualified.add(Player(str(fact.details["player"])))
            elif fact.kind == "out":
                for place, player in enumerate(fact.details["players"]):
                    # Hand for hand those of one round go out together, whichever table was first: no order is known.
                    truth.gone[Player(player)] = 100 * (hand_for_hand or fact.number) + place
            elif fact.kind == "entered_again":
                assert fact.actor is not None
                truth.gone.pop(fact.actor, None)
            elif fact.kind == "hand_for_hand":
                hand_for_hand = hand_for_hand or fact.number
        for player in now.entrants:
            purse = tx.purse(self.key.guild, f"event:{self.key.number}:{player}")
            truth.chips[player] = purse + sum(
                spot.stacks.get(player, 0) for spot in now.spots.values() if spot.key.table == truth.seat.get(player)
            )
        return truth

    @staticmethod
    def _meet(truth: Truth, round_no: int, tables: list[list[tuple[Player, int]]]) -> None:
        """Each player meets all who held the same cards elsewhere."""
        for table in tables:
            for seat, (player, points) in enumerate(table):
                for other in tables:
                    if other is not table:
                        theirs = other[seat][1]
                        truth.score[player] += points - theirs
                        truth.rounds[player][round_no] += points - theirs
                        truth.won[player] += Fraction((points > theirs) - (points < theirs) + 1, 2)
                        truth.held[player] += 1

    # what is told

    def _compare(self, now: Field) -> None:
        session = self.session()
        view = views.look(session, self.key)
        truth = self._truth(now)
        fair = [line for line in view.lines if line.entrant.player not in truth.disqualified]
        self.must(
            {line.entrant.player for line in view.lines} - {line.entrant.player for line in fair}
            == {player for player in truth.disqualified if view.line_of(player)},
            "who is told to be disqualified",
        )
        for line in view.lines:
            self._compare_line(view, line, truth)
        if view.event.phase is Phase.RUNNING:
            self._compare_ranks(fair, truth)
        else:
            self._compare_end(fair, truth)
        self.compared += 1

    def _compare_line(self, view: EventView, line: Line, truth: Truth) -> None:
        player = line.entrant.player
        if self.form in (Format.LEAGUE, Format.DUPLICATE):
            self.must(line.entrant.score == truth.score[player], f"{player} is told {line.entrant.score} points")
        elif line.entrant.playing and view.event.phase is Phase.RUNNING:
            self.must(line.chips == truth.chips[player], f"{player} is told {line.chips} chips")
        self.must(line.entrant.hands == truth.hands[player], f"{player} is told {line.entrant.hands} hands")
        if view.event.phase is not Phase.RUNNING:
            return
        self.must(line.table == truth.seat.get(player), f"{player} is told the table {line.table}")
        spot = next(iter(view.tables), None)
        if spot is None or player in truth.seat:
            return
        table = self.session().table(spot.table.key)
        told = views.standing(self.session(), table, player).part
        out = player in truth.gone
        part = Role.DISQUALIFIED if player in truth.disqualified else Role.OUT if out else Role.WAITS
        self.must(told is part, f"{player} is told {told} and is {part}")
        if part is Role.WAITS and self.form is Format.SHOOTOUT:
            self.must(set(line.waits_for) == set(truth.seat.values()), f"{player} waits for {line.waits_for}")
        if part is Role.WAITS and self.form is Format.LEAGUE:
            played = any(number == view.event.round for number in truth.rounds[player])
            self.must(not (line.bye and played), f"{player} has played and is told of a bye")

    def _rank(self, line: Line, truth: Truth) -> tuple[float | Fraction, ...]:
        """What ranks a player, the smallest first, as the documents say."""
        player = line.entrant.player
        if self.form is Format.LEAGUE:
            swiss = self.field().event.structure.pairings is Pairings.SWISS
            return (-truth.score[player], -sum(truth.score[other] for other in truth.met[player]) if swiss else 0)
        if self.form is Format.DUPLICATE:
            return (-truth.score[player], -truth.share(player))
        if player in truth.gone:
            # The later one went out the better; those of one hand by what they had, which is not known here.
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

    def _compare_ranks(self, fair: list[Line], truth: Truth) -> None:
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

    def _compare_end(self, fair: list[Line], truth: Truth) -> None:
        self.must([line.place for line in fair] == list(range(1, len(fair) + 1)), "places close up")
        if self.form not in (Format.LEAGUE, Format.DUPLICATE):
            self.must(fair[0].entrant.player not in truth.gone, "the winner never went out")
            return
        ranks = [self._rank(line, truth) for line in fair]
        self.must(ranks == sorted(ranks), "the end ranks by points")
        for line, own in zip(fair, ranks, strict=True):
            self.must(line.by_draw is (ranks.count(own) > 1), f"{line.entrant.player}: by draw {line.by_draw}")

    def _check_end(self) -> None:
        super()._check_end()
        now = self.field()
        self.counts["again"] += sum(fact.kind == "entered_again" for fact in now.tx.event_log(self.key))
        if now.event.phase is Phase.ENDED:
            self._compare(now)
            self._compare_reports(now)

    def _compare_reports(self, now: Field) -> None:
        """The last table of a league has each round's points, of everybody who is still named in it."""
        truth = self._truth(now)
        waiting = [one for one in now.tx.event_postings(self.key, limit=10_000) if "final" in one.details]
        for row in (row for one in waiting for row in one.details["final"]["rows"]):
            player, told = Player(row["player"]), row["rounds"]
            known = {number: points for number, points in enumerate(told, start=1) if points is not None}
            self.must(known == dict(truth.rounds[player]), f"{player} is told {known} of the rounds")
            if "met" in row:
                opponents = sum(truth.score[other] for other in truth.met[player])
                self.must(row["met"] == opponents, f"{player} is told {row['met']} of the opponents")
                self.counts["met"] += 1
            self.counts["rows"] += 1
