"""A forecast beside whole events of the real director: its range must hold what truly happens.

Hands last, and bring, what the forecast supposes of them; everything else, from seats and levels to waits and breaks,
is done by the bot itself.
"""

from __future__ import annotations

from dataclasses import replace
from math import exp, sqrt
from random import Random

import pytest

from bot.event.structure import Format, Structure
from bot.model.events import Phase
from bot.model.ids import Player, TableId
from bot.ofc.presets import CLASSIC
from bot.ofc.settlement import WinCap
from bot.play.event.forecast import EVENING_SPREAD, TURN_SPREAD, Swing, Tempo, forecast
from tests.play.event.event_world import POLICY, Scene, somebody, structure

TEMPO = Tempo(turn=12_000, between=POLICY.next_hand_ms, seating=POLICY.seating_ms)
SWING = Swing(pair=9.0)
EVENINGS = 12
"""Of each field. Four of five lengths are to lie within the range."""
FIELDS = (3, 6, 9, 17)
STRUCTURES = {
    "tournament": structure(stack=5000, levels=(50, 100, 200, 400, 800)),
    "minutes": structure(stack=5000, levels=(50, 100, 200, 400, 800), level_hands=0, level_minutes=10),
    "single": structure(Format.SINGLE, stack=5000, levels=(50, 100, 200, 400, 800)),
    "double": structure(Format.DOUBLE, stack=5000, levels=(50, 100, 200, 400, 800)),
    "shootout": structure(Format.SHOOTOUT, stack=5000, levels=(50, 100, 200, 400, 800)),
    "league": structure(Format.LEAGUE, rounds=3, round_hands=6),
}


class Evening(Scene):
    """An event whose hands take their time and end as chance has it."""

    def length(self, plan: Structure, people: int, chance: Random) -> int:
        """Play it to its end; returns how long it took, in milliseconds."""
        slow = exp(chance.gauss(0.0, EVENING_SPREAD))
        self.begin(plan, *map(somebody, range(people)))
        ends: dict[tuple[int, int], int] = {}
        while not self.event.phase.over:
            spots = self.field().spots
            running = {(int(number), spot.table.hand_no): spot for number, spot in spots.items() if not spot.idle}
            for key, spot in running.items():
                turns = len(CLASSIC.streets) * len(spot.seats)
                mean = TEMPO.turn * slow
                ends.setdefault(
                    key, self.now + round(max(mean, chance.gauss(mean * turns, mean * TURN_SPREAD * sqrt(turns))))
                )
            due = min((ends[key] for key in running), default=None)
            if due is None or ((alarm := self._due()) is not None and alarm < due):
                self.wait(max(1, (self._due() or self.now) - self.now))
                continue
            self.now = max(self.now, due)
            table = next(number for (number, hand) in running if ends[number, hand] == due)
            self.hand(table, self._wins(table, chance))
        event = self.event
        assert event.phase is Phase.ENDED
        assert event.started_at is not None
        assert event.ended_at is not None
        return event.ended_at - event.started_at

    def _wins(self, table: int, chance: Random) -> dict[tuple[Player, Player], int]:
        players = [seat.player for seat in self.spot(TableId(table)).seats if seat.dealt_in]
        luck = {player: chance.gauss(0.0, SWING.pair / sqrt(2)) for player in players}
        pairs = [(a, b) for at, a in enumerate(players) for b in players[:at]]
        return {(a, b): round(luck[a] - luck[b]) for a, b in pairs}


@pytest.mark.deep
@pytest.mark.parametrize("people", FIELDS)
@pytest.mark.parametrize("name", STRUCTURES)
def test_the_range_holds_what_happens(monkeypatch: pytest.MonkeyPatch, name: str, people: int) -> None:
    plan = replace(STRUCTURES[name], win_cap=WinCap.OWN_STACK)
    said = forecast(plan, CLASSIC, TEMPO, SWING, people=people, seed=1)
    took = sorted(Evening(seed).length(plan, people, Random(seed)) for seed in range(EVENINGS))
    within = sum(said.low <= one <= said.high for one in took)
    print(
        name,
        people,
        [round(x / 60000) for x in (said.low, said.middle, said.high)],
        [round(x / 60000) for x in took],
        within,
    )
    assert within >= EVENINGS // 2
