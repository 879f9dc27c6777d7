"""Bounties of a freezeout. A player's bounty goes to those who win their last chips."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.model.events import Entrant
from bot.model.ids import Player
from bot.play.event.floor.event_state import EventState, TableInPlay
from bot.play.session.chips import pool_of


def shares(bounty: int, won: Mapping[str, int]) -> dict[str, int]:
    """Split a bounty by the chips in ``won``, which each winner took from the player in their last hand, clockwise.

    Equal winners get equal shares. Odd chips go to the first winners, one each. Players who get nothing are left out.
    Raises ValueError if no chips were won.
    """
    total = sum(won.values())
    if total <= 0:
        raise ValueError("no one has won any chips")
    made = {player: bounty * chips // total for player, chips in won.items() if chips > 0}
    for player in list(made)[: bounty - sum(made.values())]:
        made[player] += 1
    return {player: chips for player, chips in made.items() if chips}


def kept_share(share: int) -> int:
    """Return the part of a share that goes onto the winner's own head if bounties grow: half, rounded down."""
    return share // 2


def pay(
    field: EventState, spot: TableInPlay, hand_no: int, broke: Sequence[Player], clockwise: Mapping[Player, int]
) -> None:
    """Pay the bounties of the players eliminated in this hand to those who won chips from them in it.

    Bounties count as they were before the hand. If they grow, half of each share goes onto the winner's head. A winner
    who busts in the same hand no longer has a bounty, so they're paid the full share.
    """
    heads = {player: field.entrants[player].head for player in broke if field.entrants[player].head}
    if not heads:
        return
    paid = field.tx.ledger.paid(spot.key, hand_no)
    for loser, bounty in heads.items():
        field.save_entrant(replace(field.entrants[loser], head=0))
        winners = sorted((payee for payer, payee in paid if payer == loser), key=lambda one: clockwise.get(one, 0))
        for winner, share in shares(bounty, {one: paid[loser, one] for one in winners}).items():
            grows = kept_share(share) if field.event.structure.bounty_grows and winner not in broke else 0
            _give(field, spot, hand_no, Player(winner), loser, chips=share - grows, grows=grows)


def _give(
    field: EventState, spot: TableInPlay, hand_no: int, winner: Player, loser: Player, *, chips: int, grows: int
) -> None:
    entrant, gone = field.entrants[winner], field.entrants[loser]
    _hand_over(field, winner, chips, cause=f"event:{field.key.number}:bounty:{gone.number}:{gone.entries}")
    field.save_entrant(replace(entrant, head=entrant.head + grows, bounties=entrant.bounties + chips))
    field.note(
        "bounty",
        player=winner,
        loser=loser,
        amount=chips,
        grows=grows,
        table=spot.key.table,
        hand=hand_no,
    )


def told(field: EventState, spot: TableInPlay, hand_no: int) -> dict[str, object]:
    """Return a hand's bounties for its notice: winner, loser, chips, and growth of the winner's own bounty."""
    if not field.event.structure.bounty:
        return {}
    here = {"table": spot.key.table, "hand": hand_no}
    facts = (fact.details for fact in field.tx.events.facts(field.key, "bounty"))
    mine = [one for one in facts if here.items() <= one.items()]
    return {"bounties": [[one["player"], one["loser"], one["amount"], one["grows"]] for one in mine]} if mine else {}


def settle(field: EventState, champion: Entrant) -> None:
    """Pay the winner their own bounty and clear all others, whose chips stay in the pool for the prizes."""
    if champion.head:
        _hand_over(field, champion.player, champion.head, cause=f"event:{field.key.number}:own_bounty")
        field.note("own_bounty", player=champion.player, amount=champion.head)
        field.save_entrant(replace(champion, head=0, bounties=champion.bounties + champion.head))
    for entrant in list(field.entrants.values()):
        field.save_entrant(replace(entrant, head=0))


def _hand_over(field: EventState, player: Player, amount: int, *, cause: str) -> None:
    if amount:
        pool, guild = pool_of(field.key), field.key.guild
        field.tx.ledger.hand_over(
            guild, payer=pool, payee=player, chips=amount, kind="bounty", cause=cause, at=field.s.now
        )


def refund_of(field: EventState, entrant: Entrant) -> int:
    """Return the refund if the event is called off: the fees minus the bounties that others have won."""
    structure = field.event.structure
    return (structure.fee - structure.bounty) * entrant.entries + entrant.head
