"""Results of leagues and duplicate events: points and match points per round and deck.

They're computed from the hands' results on each call; nothing is stored. Points that an organiser adds or takes
don't belong to any round.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce

from bot.model.errors import HandLostError
from bot.model.events import Event, EventResult
from bot.model.ids import EventKey, Player, TableId, TableKey, is_computer
from bot.model.reasons import HandReason
from bot.play.hand import hand_log
from bot.play.queries.results import ResultView, result_of
from bot.play.session.session import Session
from bot.play.session.workers import Placer
from bot.pure.event.rounds import cross_points, match_points
from bot.pure.ofc.hand import Hand, PlaceCards, audit, decide, evolve, start
from bot.pure.ofc.log import PlacedBy
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.view import HandView, view_for
from bot.store.transaction import Tx


@dataclass(slots=True, kw_only=True)
class DuplicateScore:
    """A player's results in one round or in all rounds."""

    points: int = 0
    hands: int = 0
    matched: int = 0
    """Match points of a duplicate event."""
    most: int = 0
    """Maximum match points."""

    @property
    def share(self) -> Fraction:
        """Match points as a share of the maximum; 0 if there were none to win."""
        return Fraction(self.matched, self.most) if self.most else Fraction(0)

    def add(self, other: DuplicateScore) -> None:
        """Add another result to this one."""
        self.points += other.points
        self.hands += other.hands
        self.matched += other.matched
        self.most += other.most


@dataclass(frozen=True, slots=True, kw_only=True)
class Deck:
    """A deck of a duplicate event that all tables have played."""

    number: int
    round: int
    hands: Mapping[int, int]
    """Hand number by table, for the tables that are compared."""
    seats: Mapping[int, tuple[Player, ...]]
    points: Mapping[int, tuple[int, ...]]
    """Points by table, then by seat."""

    @property
    def compared(self) -> Mapping[int, tuple[int, ...]]:
        """Points that each seat scored beyond the players who held the same cards at other tables."""
        return cross_points(self.points)

    @property
    def matched(self) -> Mapping[int, tuple[int, ...]]:
        """Match points of each seat."""
        return match_points(self.points)

    @property
    def most(self) -> int:
        """Maximum match points per seat: two for each other table."""
        return 2 * (len(self.points) - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """Results of all players by round, including computers."""

    rounds: Mapping[Player, Mapping[int, DuplicateScore]] = field(default_factory=dict)

    def of(self, player: Player, number: int) -> DuplicateScore | None:
        """Return a player's results in a round; None if they haven't played a hand of it."""
        return self.rounds.get(player, {}).get(number)

    def total(self, player: Player) -> DuplicateScore:
        """Return a player's results in all rounds together."""
        total = DuplicateScore()
        for earned in self.rounds.get(player, {}).values():
            total.add(earned)
        return total


def scores(tx: Tx, event: Event) -> Scores:
    """Return the results of all hands that count."""
    made: dict[Player, dict[int, DuplicateScore]] = defaultdict(lambda: defaultdict(DuplicateScore))
    if not event.hides_shared_decks:
        for result in tx.entrants.event_results(event.key):
            made[result.player][result.round].add(DuplicateScore(points=result.points, hands=1))
        return Scores(rounds=made)
    for deck in decks(tx, event):
        compared, matched = deck.compared, deck.matched
        for table, players in deck.seats.items():
            for seat, player in enumerate(players):
                points, match = compared[table][seat], matched[table][seat]
                made[player][deck.round].add(DuplicateScore(points=points, hands=1, matched=match, most=deck.most))
    return Scores(rounds=made)


def sat_together(tx: Tx, event: Event) -> dict[int, list[list[Player]]]:
    """Return, by round, the players of each table that has settled a hand, in seat order. Computers are left out.

    If a player took over another one's seat, both are listed.
    """
    found: dict[int, dict[TableId, dict[Player, int]]] = defaultdict(lambda: defaultdict(dict))
    for result in tx.entrants.event_results(event.key):
        if not is_computer(result.player):
            found[result.round][result.table].setdefault(result.player, result.seat)
    return {
        number: [sorted(seats, key=lambda player: seats[player]) for seats in tables.values()]
        for number, tables in found.items()
    }


def opposition(sat: Mapping[int, list[list[Player]]], scores: Mapping[Player, int]) -> dict[Player, int]:
    """Return each player's Buchholz score, the sum of their opponents' scores. It breaks ties in a Swiss league.

    An opponent played twice counts twice.
    """
    met: dict[Player, int] = defaultdict(int)
    for tables in sat.values():
        for table in tables:
            together = sum(scores[player] for player in table)
            for player in table:
                met[player] += together - scores[player]
    return met


def decks(tx: Tx, event: Event) -> list[Deck]:
    """Return the decks that all tables have played, in the order of their deals."""
    return [deck for deck in _decks(tx.entrants.event_results(event.key)) if deck.number <= event.compared]


def deck_to_compare(tx: Tx, event: Event) -> Deck | None:
    """Return the deck dealt last, with the tables that have a result for it; None if no table has one."""
    return next((deck for deck in _decks(tx.entrants.event_results(event.key)) if deck.number == event.board), None)


def _decks(results: Iterable[EventResult]) -> list[Deck]:
    """Return all decks with results.

    A table whose hand was void, for example after a restore, is left out of that deck.
    """
    by_deck: dict[str, dict[TableId, list[EventResult]]] = defaultdict(lambda: defaultdict(list))
    for result in results:
        if result.deck:
            by_deck[result.deck][result.table].append(result)
    found = []
    for name, tables in by_deck.items():
        first = next(iter(tables.values()))[0]
        found.append(
            Deck(
                number=int(name.rsplit("/", 1)[1]),
                round=first.round,
                hands={table: rows[0].hand_no for table, rows in tables.items()},
                seats={table: tuple(row.player for row in rows) for table, rows in tables.items()},
                points={table: tuple(row.points for row in rows) for table, rows in tables.items()},
            )
        )
    return sorted(found, key=lambda deck: (deck.round, deck.number))


def against(s: Session, key: EventKey) -> dict[Player, dict[Player, int]]:
    """Return how much each player has won from every other player, over all hands that can be replayed."""
    made: dict[Player, dict[Player, int]] = defaultdict(lambda: defaultdict(int))
    for table, hand_no in dict.fromkeys((result.table, result.hand_no) for result in s.tx.entrants.event_results(key)):
        try:
            hand = hand_log.hand_of(s, TableKey(guild=key.guild, table=table), hand_no)
        except HandLostError:
            continue
        players = [Player(seat.player) for seat in hand.seats]
        for pair in hand.score.pairs:
            made[players[pair.first]][players[pair.second]] += pair.points
            made[players[pair.second]][players[pair.first]] -= pair.points
    return {player: dict(others) for player, others in made.items()}


# A single deck, with the boards of all tables and the hand as played by masters.


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckView:
    """A deck with the results of all tables."""

    event: Event
    deck: Deck
    results: Mapping[int, ResultView]
    """Results by table. Hands that can't be replayed are left out."""
    table_numbers: Mapping[TableId, int]
    """The tables' numbers for people, by their stored ids."""

    def number_of(self, table: int) -> int:
        """Return a table's number for people, by its stored id."""
        return self.table_numbers.get(TableId(table), table)

    @property
    def button(self) -> int:
        """The seat that acted last, which is the same at all tables."""
        return next((one.hand.button for one in self.results.values() if one.hand), 0)


def deck_view(s: Session, key: EventKey, number: int) -> DeckView:
    """Return a deck that every table has played. Raises Refused if it doesn't exist or a table hasn't finished it."""
    event = s.tx.events.get(key)
    found = [] if event is None else [deck for deck in decks(s.tx, event) if deck.number == number]
    if event is None or not found:
        raise Refused(HandReason.NOT_REVEALED_YET, hand=number)
    (deck,) = found
    results = {
        table: result_of(s, TableKey(guild=key.guild, table=TableId(table)), hand) for table, hand in deck.hands.items()
    }
    return DeckView(event=event, deck=deck, results=results, table_numbers=s.tx.entrants.table_numbers(key))


def deck_dealt(s: Session, key: EventKey, number: int) -> Hand:
    """Return the hand of a deck before its first card is placed, with a computer in each seat. Raises Refused."""
    view = deck_view(s, key, number)
    table, hand_no = next(iter(view.deck.hands.items()))
    played = hand_log.hand_of(s, TableKey(guild=key.guild, table=TableId(table)), hand_no)
    players = [Player(f"computer-{seat + 1}") for seat in range(len(played.seats))]
    facts = start(played.variant, played.deck, players=players, fantasyland=[0] * len(players), button=played.button)
    return audit(played.variant, played.deck, facts)


async def mastered(hand: Hand, think: Placer, thought: list[str]) -> HandView:
    """Play the hand out with masters in all seats and return it. Each one sees only the cards visible from its seat.

    ``thought`` holds the placements computed earlier, in turn order. New ones are appended, so that a retry resumes.
    """
    before = iter(tuple(thought))
    while hand.waiting:
        seat = hand.waiting[0]
        rows = next(before, "")
        if not rows:
            rows = await think(view_for(hand, hand.seats[seat].player))
            thought.append(rows)
        hand = reduce(evolve, decide(hand, PlaceCards(seat=seat, rows=rows, by=PlacedBy.COMPUTER)), hand)
    return view_for(hand, None)
