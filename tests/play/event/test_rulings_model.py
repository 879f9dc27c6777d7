"""Rulings on finished events of all formats, against an independent model."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from bot.play.event.office import resettling
from tests.play.event.evening import BrokenPromiseError
from tests.play.event.rulings_model import Aftermath


def decided(seeds: Iterable[int]) -> Counter[str]:
    """Play events from ``seeds`` and rule on them, and return the counts."""
    seen: Counter[str] = Counter()
    for seed in seeds:
        aftermath = Aftermath(seed)
        aftermath.decide()
        seen += aftermath.counts
    return seen


@pytest.mark.parametrize("first", [1, 2, 3])
def test_rulings_move_places_and_chips_as_an_independent_model_has_it(first: int) -> None:
    seen = decided(range(first, 40, 3))
    assert seen["strike"] > 5
    assert seen["undo"] > 0
    assert seen["kills"] > 0, "some transactions died and were done again"


def _nothing_paid(paid: Mapping[Any, int], due: Mapping[Any, int], wallets: Mapping[Any, int]) -> dict[Any, int]:
    return dict(paid)


def _only_taken(paid: Mapping[Any, int], due: Mapping[Any, int], wallets: Mapping[Any, int]) -> dict[Any, int]:
    return {player: due[player] if due[player] < paid[player] else paid[player] for player in due}


@pytest.mark.parametrize("wrong", [_nothing_paid, _only_taken])
def test_the_model_sees_chips_that_are_not_where_they_belong(monkeypatch: pytest.MonkeyPatch, wrong: Any) -> None:
    monkeypatch.setattr(resettling, "resettled", wrong)
    with pytest.raises(BrokenPromiseError, match="seed"):
        decided(range(1, 20))


@pytest.mark.deep
def test_rulings_on_300_events() -> None:
    seen = decided(range(300))
    assert seen["correct"] > 50
    assert seen["restored"] > 50
