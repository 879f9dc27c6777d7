"""Views of finished hands and closed tables, and the proof record of a hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.model.careers import EarnedBadge
from bot.model.errors import SeedLostError
from bot.model.hands import HandRecord, HandState, Result
from bot.model.ids import GuildId, Player, TableKey
from bot.model.reasons import HandReason
from bot.model.standings import PlayedHand, TableTotal
from bot.model.tables import Table
from bot.play.queries.views import told
from bot.play.session import decks
from bot.play.session.session import Session
from bot.pure.ofc.hand import Hand
from bot.pure.ofc.proof import make_proof
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.settlement import Limit, Stakes, settled_pairs, settling_order
from bot.pure.ofc.view import HandView, view_for

# Chips paid between each pair of players, and the reason if less was paid than owed.


@dataclass(frozen=True, slots=True, kw_only=True)
class PaidPair:
    """Payment between two seats of a hand; ``owed`` and ``chips`` are 0 if neither won."""

    winner: int
    loser: int
    owed: int
    """Chips owed by points."""
    chips: int
    """Chips actually paid."""
    limit: Limit | None = None
    """Reason if less was paid; None if everything was paid or the reason can no longer be determined."""
    stack: int = 0
    """Starting stack that was the limit: the loser's, the winner's, or the smaller of the two."""


def paid_pairs(s: Session, table: Table, record: HandRecord, hand: Hand) -> tuple[PaidPair, ...]:
    """Return the pairs of a finished hand in payment order, with the chips from the ledger."""
    score, players = hand.score, [Player(seat.player) for seat in hand.seats]
    paid = s.tx.ledger.paid(table.key, record.hand_no) if record.point_value else {}
    pairs = []
    for pair in settling_order(score.pairs, seats=len(players), button=hand.button):
        winner, loser = (pair.first, pair.second) if pair.points >= 0 else (pair.second, pair.first)
        owed, chips = abs(pair.points) * record.point_value, paid.get((players[loser], players[winner]), 0)
        pairs.append(PaidPair(winner=winner, loser=loser, owed=owed, chips=chips))
    return (
        tuple(pairs)
        if all(pair.chips == pair.owed for pair in pairs)
        else _explain_limits(s, table, record, hand, pairs)
    )


def _explain_limits(
    s: Session, table: Table, record: HandRecord, hand: Hand, pairs: list[PaidPair]
) -> tuple[PaidPair, ...]:
    """Add the limits to the pairs, if settling them again with the stacks at that time gives the same result."""
    before = s.tx.ledger.stacks_before(table.key, record.hand_no, at=record.started_at)
    stacks = [before.get(Player(seat.player), 0) for seat in hand.seats]
    limits = table.terms.limits
    stakes = Stakes(point_value=record.point_value, win_cap=limits.win_cap, bust_is_final=limits.bust_is_final)
    again = settled_pairs(hand.score, stacks=stacks, button=hand.button, stakes=stakes)
    if [pair.chips for pair in again] != [pair.chips for pair in pairs]:
        return tuple(pairs)
    return tuple(
        PaidPair(
            winner=pair.winner,
            loser=pair.loser,
            owed=pair.owed,
            chips=pair.chips,
            limit=settled.limit,
            stack=_limiting_stack(settled.limit, winner=stacks[pair.winner], loser=stacks[pair.loser]),
        )
        for pair, settled in zip(pairs, again, strict=True)
    )


def _limiting_stack(limit: Limit | None, *, winner: int, loser: int) -> int:
    """Return the starting stack that ``limit`` refers to."""
    match limit:
        case None:
            return 0
        case Limit.LOSS:
            return loser
        case Limit.WIN | Limit.BUST:
            return winner
        case Limit.PAIR:
            return min(winner, loser)


# Finished hands.


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultView:
    """A finished hand as everyone sees it, or as one player sees it with their own discards.

    ``hand`` is None if its seed or log is lost.
    """

    table: Table
    record: HandRecord
    hand: HandView | None
    results: tuple[Result, ...]
    seed: bytes | None
    """The seed; None until it's revealed."""
    broke: bool = False
    """True if this is the table's last hand and a seated player has no chips."""
    badges: tuple[tuple[Player, EarnedBadge], ...] = ()
    """Badges that the hand earned or announces, for players with visible profiles only."""
    pairs: tuple[PaidPair, ...] = ()
    """Each pair of players in a settled hand, in payment order."""
    penalised: frozenset[Player] = frozenset()
    """Players who were auto-placed in the hand because of an organiser's penalty."""
    bounties: tuple[tuple[Player, Player, int], ...] = ()
    """Bounties won in the hand: the winner, the eliminated player, and the chips."""


def is_revealed(table: Table, record: HandRecord) -> bool:
    """True if a hand's seed is public: after the hand, or after the table closes if discards stay secret."""
    if record.state is HandState.PLAYING:
        return False
    return not table.open or not record.variant.hides_discards


def listed_hands(s: Session, key: TableKey, *, limit: int) -> list[PlayedHand]:
    """Return a table's settled hands that may be shown, newest first; raises Refused."""
    table, hands = s.table(key), s.tx.results.played_hands(key, limit=limit)
    if not s.desk.conceals(s, table):
        return hands
    records = ((hand, s.tx.hands.get(key, hand.hand_no)) for hand in hands)
    return [hand for hand, record in records if record is not None and not _played_elsewhere(s, table, record)]


MAX_TABLES = 100
"""Number of a server's newest tables that are searched for a channel's newest hand."""


def newest_hand_in(s: Session, guild: GuildId, channel: int) -> tuple[TableKey, int] | None:
    """Return the last settled hand that may be shown from a channel and its threads; None if there is none.

    Private practice isn't played in a channel.
    """
    tables = [table for table in s.tx.tables.newest(guild, limit=MAX_TABLES) if channel in (table.channel, table.home)]
    hands = [(hand.at, table.key, hand.hand_no) for table in tables for hand in listed_hands(s, table.key, limit=2)]
    _, key, hand_no = max(hands, default=(0, None, 0))
    return None if key is None else (key, hand_no)


def result_of(s: Session, key: TableKey, hand_no: int, you: Player | None = None) -> ResultView:
    """Return a finished hand; raises Refused if it isn't finished, or if other tables haven't played its deck yet."""
    table = s.table(key, you)
    record = require_finished(s, table, hand_no)
    hand, results = told(s, key, record), s.tx.results.of(key, hand_no)
    return ResultView(
        table=table,
        record=record,
        hand=None if hand is None else view_for(hand, you),
        results=tuple(results),
        seed=_seed(s, key, record) if is_revealed(table, record) else None,
        broke=table.hand_no == hand_no and _broke(s, table),
        badges=_badges(s, key, hand_no, results),
        pairs=paid_pairs(s, table, record, hand) if hand and record.state is HandState.SETTLED else (),
        penalised=_penalised(s, table, hand_no),
        bounties=_bounties(s, table, hand_no),
    )


def _bounties(s: Session, table: Table, hand_no: int) -> tuple[tuple[Player, Player, int], ...]:
    event = table.event
    if event is None:
        return ()
    here = {"table": table.key.table, "hand": hand_no}
    told = (fact.details for fact in s.tx.events.facts(event, "bounty"))
    return tuple((one["player"], one["loser"], one["amount"]) for one in told if here.items() <= one.items())


def _penalised(s: Session, table: Table, hand_no: int) -> frozenset[Player]:
    event = table.event
    if event is None:
        return frozenset()
    here = {"table": table.key.table, "hand": hand_no}
    facts = s.tx.events.facts(event, "penalty_served")
    return frozenset(Player(fact.details["player"]) for fact in facts if here.items() <= fact.details.items())


def _badges(
    s: Session, key: TableKey, hand_no: int, results: Sequence[Result]
) -> tuple[tuple[Player, EarnedBadge], ...]:
    players = [result.player for result in results if result.ranked]
    return tuple(s.tx.badges.of_hand(key, hand_no, players)) if players else ()


def _broke(s: Session, table: Table) -> bool:
    stacks = s.tx.ledger.stacks(table.key)
    return table.cash and any(not stacks.get(seat.player) for seat in s.tx.tables.seats(table.key))


def require_finished(s: Session, table: Table, hand_no: int) -> HandRecord:
    record = s.tx.hands.get(table.key, hand_no)
    if record is None:
        raise Refused(HandReason.NO_SUCH_HAND, last=table.hand_no)
    if record.state is HandState.PLAYING or _played_elsewhere(s, table, record):
        raise Refused(HandReason.NOT_REVEALED_YET, hand=hand_no)
    return record


def _played_elsewhere(s: Session, table: Table, record: HandRecord) -> bool:
    """True while another table hasn't played this hand's deck."""
    if not s.desk.conceals(s, table):
        return False
    last = s.tx.hands.get(table.key, table.hand_no)
    # A void hand may have had the same deck.
    return record.hand_no >= table.hand_no or (last is not None and record.shared == last.shared)


def _seed(s: Session, key: TableKey, record: HandRecord) -> bytes | None:
    try:
        return decks.seed(s.vault, key, record)
    except SeedLostError:
        return None


def proof_of(s: Session, key: TableKey, hand_no: int, you: Player | None = None) -> Mapping[str, Any]:
    """Return the public record for recomputing the deck of a revealed hand; raises Refused."""
    table = s.table(key, you)
    record = require_finished(s, table, hand_no)
    if not is_revealed(table, record):
        raise Refused(HandReason.NOT_REVEALED_BEFORE_CLOSING, hand=hand_no, table=table.number)
    seed = _seed(s, key, record)
    if seed is None:
        raise Refused(HandReason.SEED_LOST, hand=hand_no)
    entropy = decks.entropy_of(record, seed)
    deal = decks.with_own_seed(s.vault, key, record).deal
    proof = make_proof(
        record.variant,
        hand_id=record.deal_name(key),
        seed=seed,
        entropy=entropy,
        committed=record.commitment,
        leaf=deal.leaf if deal else None,
        dealt=deal.dealt if deal else None,
        kept=() if record.kept_deck is None else decks.deck(key, record, seed),
        withheld=decks.withheld(entropy),
    )
    return proof.to_json()


# Closed tables.


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosingView:
    """A closed table with its totals, the winner first."""

    table: Table
    totals: tuple[TableTotal, ...]
    owed: Mapping[Player, int]
    """The chips that each player's points were worth, had every stack been long enough."""
    unfinished: bool
    """True if the last hand was voided because the table closed."""


def closing_of(s: Session, key: TableKey) -> ClosingView:
    """Return a closed table with its totals; raises Refused."""
    table = s.table(key)
    last = s.tx.hands.get(key, table.hand_no)
    void = last is not None and last.state is HandState.VOID and last.reason == table.closed_reason
    totals = sorted(s.tx.results.totals(key), key=lambda total: (-total.points, total.player))
    return ClosingView(table=table, totals=tuple(totals), owed=s.tx.results.owed(key), unfinished=void)
