"""Some events with everything at once from fixed seeds; ``make simulate-events`` plays 2,000 of them."""

from collections import Counter
from typing import Any

import pytest

from bot.model import event_standings
from bot.play.event.office import director, waiting_list
from tests.play.event.counted import ANYWHERE, COLUMNS, EVERYWHERE, WITH_A_START, missing, table
from tests.play.event.evening import BrokenPromiseError
from tests.play.event.everything import KINDS, Everything, Kind
from tests.play.event.storage import close_what_is_open

FIXED = 2
"""Events of each kind that are always played."""


def played(seed: int) -> Everything:
    """Play what follows from a seed."""
    event = Everything(seed)
    event.play()
    close_what_is_open()
    return event


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_events_of_each_kind_agree_with_the_models_at_every_step(kind: Kind) -> None:
    first = KINDS.index(kind)
    seen = Counter[str]()
    for seed in range(first, first + FIXED * len(KINDS), len(KINDS)):
        seen += played(seed).counts
    assert all(seen[what] for what in ("ended", "kills", "hand", "register"))


def test_a_seed_gives_the_same_again() -> None:
    once, again = played(3), played(3)
    assert (once.steps, once.counts, once.tale) == (again.steps, again.counts, again.tale)


def _later(event: Any, *, now: int) -> int:
    return int(event.starts_at)


def _more(points: Any, place: int, sharing: int) -> int:
    return int(points[place - 1]) + 1


def _nobody(field: Any, departed: Any) -> None:
    field.note("members_checked", round=field.event.round)


@pytest.mark.parametrize(
    ("seed", "module", "name", "wrong", "broken"),
    [
        (24, waiting_list, "offer_until", _later, "are offered a place"),
        (0, event_standings, "average", _more, "points, not"),
        (8, director, "_miss_departed", _nobody, "has left the server and plays on"),
    ],
    ids=["deadline", "series points", "departed"],
)
def test_the_models_see_what_is_wrong(
    monkeypatch: pytest.MonkeyPatch, seed: int, module: Any, name: str, wrong: Any, broken: str
) -> None:
    monkeypatch.setattr(module, name, wrong)
    with pytest.raises(BrokenPromiseError, match=broken):
        played(seed)


def test_a_run_fails_if_something_was_never_seen() -> None:
    everything = dict.fromkeys((*ANYWHERE, *EVERYWHERE, *WITH_A_START), 1)
    counts = {kind.name: dict(everything) for kind in KINDS}
    assert missing(counts) == []
    counts["Swiss"]["leave"] = 0
    for own in counts.values():
        own["expired"] = 0
    assert missing(counts) == ["expired", "leave (Swiss)"]
    shown = table(counts).splitlines()
    assert len(shown) == len(KINDS) + 2
    assert len(shown[0].split()) == len(COLUMNS)
