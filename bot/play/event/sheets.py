"""What the rounds of leagues and duplicate events have come to: points and match points by round and by deck.

All of it is added up from the results of hands whenever it is asked for, so that it needs no place of its own. What an
organiser has added or taken belongs to no round.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from bot.event.rounds import cross_points, match_points
from bot.model.errors import HandLostError
from bot.model.events import Event, EventResult
from bot.model.ids import EventKey, Player, TableId, TableKey
from bot.play.session.session import Session
from bot.store.transaction import Tx


@dataclass(slots=True, kw_only=True)
class Earned:
    """What somebody has made of a round, or of all of them."""

    points: int = 0
    hands: int = 0
    matched: int = 0
    """Match points of a duplicate event."""
    most: int = 0
    """The match points that could be had."""

    @property
    def share(self) -> Fraction:
        """The match points had of those to be had; 0 where there were none."""
        return Fraction(self.matched, self.most) if self.most else Fraction(0)

    def add(self, other: Earned) -> None:
        """Add another one."""
        self.points += other.points
        self.hands += other.hands
        self.matched += other.matched
        self.most += other.most


@dataclass(frozen=True, slots=True, kw_only=True)
class Deck:
    """A deck of a duplicate event that all its tables have played."""

    number: int
    round: int
    hands: Mapping[int, int]
    """Its hand at each table that is compared."""
    seats: Mapping[int, tuple[Player, ...]]
    points: Mapping[int, tuple[int, ...]]
    """By seat."""

    @property
    def compared(self) -> Mapping[int, tuple[int, ...]]:
        """What each seat made beyond those who held its cards elsewhere."""
        return cross_points(self.points)

    @property
    def matched(self) -> Mapping[int, tuple[int, ...]]:
        """The match points of each seat, of twice as many as there are other tables."""
        return match_points(self.points)

    @property
    def most(self) -> int:
        """The match points that a seat could have."""
        return 2 * (len(self.points) - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """What everybody has made of each round so far; computers stand in it as well."""

    rounds: Mapping[Player, Mapping[int, Earned]] = field(default_factory=dict)

    def of(self, player: Player, number: int) -> Earned | None:
        """What somebody has made of a round; None where they have played no hand of it."""
        return self.rounds.get(player, {}).get(number)

    def total(self, player: Player) -> Earned:
        """What somebody has made of all rounds."""
        total = Earned()
        for earned in self.rounds.get(player, {}).values():
            total.add(earned)
        return total


def scores(tx: Tx, event: Event) -> Scores:
    """What the hands that count have come to."""
    results = tx.event_results(event.key)
    made: dict[Player, dict[int, Earned]] = defaultdict(lambda: defaultdict(Earned))
    if not event.hides_shared_decks:
        for result in results:
            made[result.player][result.round].add(Earned(points=result.points, hands=1))
        return Scores(rounds=made)
    for deck in _decks(event, results):
        compared, matched = deck.compared, deck.matched
        for table, players in deck.seats.items():
            for seat, player in enumerate(players):
                points, match = compared[table][seat], matched[table][seat]
                made[player][deck.round].add(Earned(points=points, hands=1, matched=match, most=deck.most))
    return Scores(rounds=made)


def decks(tx: Tx, event: Event) -> list[Deck]:
    """The decks that all tables have played, in the order in which they were dealt."""
    return _decks(event, tx.event_results(event.key))


def _decks(event: Event, results: Iterable[EventResult]) -> list[Deck]:
    """A table at which a hand was void has no result of it, and is left out; so is one that has fewer seats."""
    by_deck: dict[str, dict[TableId, list[EventResult]]] = defaultdict(lambda: defaultdict(list))
    for result in results:
        if result.deck:
            by_deck[result.deck][result.table].append(result)
    found = []
    for name, tables in by_deck.items():
        number = int(name.rsplit("/", 1)[1])
        if number > event.compared:
            continue  # some table still plays it
        first = next(iter(tables.values()))[0]
        found.append(
            Deck(
                number=number,
                round=first.round,
                hands={table: rows[0].hand_no for table, rows in tables.items()},
                seats={table: tuple(row.player for row in rows) for table, rows in tables.items()},
                points={table: tuple(row.points for row in rows) for table, rows in tables.items()},
            )
        )
    return sorted(found, key=lambda deck: (deck.round, deck.number))


def against(s: Session, key: EventKey) -> dict[Player, dict[Player, int]]:
    """What each player has won from each other player, in all hands that can still be told."""
    made: dict[Player, dict[Player, int]] = defaultdict(lambda: defaultdict(int))
    for table, hand_no in dict.fromkeys((result.table, result.hand_no) for result in s.tx.event_results(key)):
        try:
            hand = s.hand(TableKey(guild=key.guild, table=table), hand_no)
        except HandLostError:
            continue
        players = [Player(seat.player) for seat in hand.seats]
        for pair in hand.score.pairs:
            made[players[pair.first]][players[pair.second]] += pair.points
            made[players[pair.second]][players[pair.first]] -= pair.points
    return {player: dict(others) for player, others in made.items()}
