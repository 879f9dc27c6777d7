"""Events in which players are often equal, to compare shared places, prizes and odd chips with the model."""

from __future__ import annotations

from dataclasses import replace

from typing_extensions import override

from bot.play.event.floor.event_state import EventState, TableInPlay
from bot.play.event.office.registration import PlannedEvent
from bot.pure.event.structure import Family, Format
from bot.pure.event.ties import Ties
from tests.play.event.event_world import ALL, GivenHand, given_hand
from tests.play.event.told_model import ToldEvening


class LevelEvening(ToldEvening):
    """An event with a rule for ties. Hands for points are won by a point, and hands for chips by all of them."""

    def __init__(self, seed: int, ties: Ties) -> None:
        super().__init__(seed)
        self.ties = ties

    @override
    def _plan(self) -> PlannedEvent:
        plan = super()._plan()
        structure = replace(plan.structure, ties=self.ties, added=777, bounty=0, payouts=(50, 30, 20))
        if structure.format in (Format.SIT_AND_GO, Format.TOURNAMENT):
            structure = replace(structure, reentries=0, late_levels=0)
        return replace(plan, structure=structure)

    @override
    def _draw(self, spot: TableInPlay, field: EventState) -> GivenHand:
        seated = [seat for seat in spot.seats if seat.dealt_in]
        chips = field.event.format.family is not Family.ROUNDS
        luck = [self.chance.choice((0, 0, 1)) for _ in seated]
        if chips and any(luck):
            luck = [ALL * (at == luck.index(1)) for at in range(len(seated))]
        pairs = {(a, b): luck[a] - luck[b] for b in range(len(seated)) for a in range(b)}
        return given_hand(spot, pairs, fantasyland=[0] * len(seated))
