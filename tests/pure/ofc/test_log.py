"""Events as they are stored."""

import json
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.pure.ofc.log import (
    FORMAT,
    CardsPlaced,
    Fact,
    FantasylandDealt,
    FantasylandSet,
    HandEnded,
    HandStarted,
    HandVoided,
    LogError,
    PlacedBy,
    SeatForfeited,
    SeatSurrendered,
    StreetDealt,
    from_json,
    kind_of,
    to_json,
)

STORED: list[tuple[Fact, str, dict[str, Any]]] = [
    (
        HandStarted(players=("7", "9"), fantasyland=(0, 14), button=1),
        "hand_started",
        {"players": ["7", "9"], "fantasyland": [0, 14], "button": 1},
    ),
    (FantasylandDealt(), "fantasyland_dealt", {}),
    (StreetDealt(street=2), "street_dealt", {"street": 2}),
    (
        CardsPlaced(seat=0, street=2, rows="FMD", by=PlacedBy.CLOCK),
        "cards_laid",
        {"seat": 0, "street": 2, "rows": "FMD", "by": "clock"},
    ),
    (
        CardsPlaced(seat=0, street=1, rows="BBBBBMMMMMFFF", by=PlacedBy.PLAYER, natural="six_pairs"),
        "cards_laid",
        {"seat": 0, "street": 1, "rows": "BBBBBMMMMMFFF", "by": "player", "natural": "six_pairs"},
    ),
    (
        FantasylandSet(seat=1, rows="BBBBBMMMMMFFFD", by=PlacedBy.COMPUTER),
        "fantasyland_set",
        {"seat": 1, "rows": "BBBBBMMMMMFFFD", "by": "computer"},
    ),
    (SeatForfeited(seat=1), "seat_forfeited", {"seat": 1}),
    (SeatSurrendered(seat=2), "seat_surrendered", {"seat": 2}),
    (HandEnded(), "hand_ended", {}),
    (HandVoided(reason="lost_seed"), "hand_voided", {"reason": "lost_seed"}),
]


@pytest.mark.parametrize(("fact", "kind", "fields"), STORED)
def test_a_fact_is_stored_like_this_for_ever(fact: Fact, kind: str, fields: dict[str, Any]) -> None:
    assert kind_of(fact) == kind
    assert to_json(fact) == {"v": 1, **fields}
    assert from_json(kind, json.loads(json.dumps(to_json(fact)))) == fact


def test_every_kind_of_event_is_in_that_list() -> None:
    assert {type(fact) for fact, _, _ in STORED} == set(get_args(Fact))
    assert FORMAT == 1


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("card_shown", {"v": 1}),
        ("hand_ended", {}),
        ("hand_ended", {"v": 2}),
        ("hand_ended", {"v": 1, "card": "As"}),
        ("street_dealt", {"v": 1}),
        ("cards_laid", {"v": 1, "seat": 0, "street": 1, "rows": "BBBBB", "by": "ghost"}),
        ("cards_laid", {"v": 1, "seat": 0, "street": 1, "rows": "BBBBB", "by": "clock", "natural": "six"}),
        ("cards_laid", {"v": 1, "seat": 0, "street": 1, "rows": "BBBBB", "by": "clock", "natural": ["six_pairs"]}),
    ],
)
def test_a_fact_that_this_version_cannot_read_is_refused(kind: str, payload: dict[str, Any]) -> None:
    with pytest.raises(LogError, match=f"fact '{kind}'"):
        from_json(kind, payload)


@given(
    players=st.lists(st.text(), min_size=2, max_size=4),
    cards=st.lists(st.integers(0, 17), min_size=2, max_size=4),
    button=st.integers(0, 3),
)
def test_what_is_stored_is_what_is_read(players: list[str], cards: list[int], button: int) -> None:
    fact = HandStarted(players=tuple(players), fantasyland=tuple(cards), button=button)
    assert from_json(kind_of(fact), json.loads(json.dumps(to_json(fact)))) == fact
