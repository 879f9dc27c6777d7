"""Limits on pings by invitations: few guests, and none repeatedly."""

from __future__ import annotations

from enum import Enum

import pytest

from bot.model.ids import GuildId, Player, TableId, TableKey
from bot.model.reasons import TableReason
from bot.play.matchmaking import MINUTE_MS, GuestCalls
from bot.pure.ofc.refusals import Refused

GUILD = GuildId(7)
ANN, BOB = Player("1"), Player("2")
GUESTS = [Player(str(number)) for number in range(100, 200)]


def table(number: int) -> TableKey:
    return TableKey(guild=GUILD, table=TableId(number))


def refusal(calls: GuestCalls, number: int, by: Player, guests: list[Player], *, now: int) -> Enum | None:
    """Return the refusal of a call; None, after recording it, if it's allowed."""
    try:
        calls.wanted(table(number), by, guests, now=now)
    except Refused as refused:
        return refused.reason
    return None


def test_everybody_is_called_to_a_table_once_whoever_calls() -> None:
    calls = GuestCalls()
    assert calls.wanted(table(1), ANN, GUESTS[:2], now=0) == GUESTS[:2]
    assert calls.wanted(table(1), BOB, GUESTS[:3], now=0) == GUESTS[2:3], "only those who are new"
    assert refusal(calls, 1, BOB, GUESTS[:3], now=60 * MINUTE_MS) is TableReason.INVITED_BEFORE
    assert calls.wanted(table(2), BOB, GUESTS[:3], now=60 * MINUTE_MS) == GUESTS[:3]


def test_one_player_calls_few_in_a_minute() -> None:
    calls, called = GuestCalls(), 0
    for second in range(60):
        for press in range(2):
            guests = [GUESTS[(10 * second + 5 * press + place) % 100] for place in range(5)]
            fine = refusal(calls, 1_000 * second + press, ANN, guests, now=1_000 * second) is None
            called += 5 * fine
    assert 10 <= called <= 15
    assert refusal(calls, 1, BOB, GUESTS[:5], now=60_000) is None, "others are not held"
    assert refusal(calls, 1, ANN, GUESTS[50:55], now=5 * MINUTE_MS) is None


def test_the_time_that_is_told_is_the_time_that_it_takes() -> None:
    calls = GuestCalls()
    calls.wanted(table(1), ANN, GUESTS[:10], now=0)
    with pytest.raises(Refused) as refused:
        calls.wanted(table(1), ANN, GUESTS[10:15], now=0)
    seconds = int(refused.value.details["count"])
    assert refusal(calls, 1, ANN, GUESTS[10:15], now=1_000 * seconds - 1_000) is TableReason.TOO_MANY_INVITATIONS
    assert refusal(calls, 1, ANN, GUESTS[10:15], now=1_000 * seconds) is None


def test_nobody_is_called_again_and_again_to_table_after_table() -> None:
    calls = GuestCalls()
    opened = [calls.opening(table(number), ANN, GUESTS[:1], now=number * 20_000) for number in range(6)]
    assert opened == [frozenset(GUESTS[:1])] * 3 + [frozenset()] * 3
    assert refusal(calls, 9, ANN, GUESTS[:1], now=6 * 20_000) is TableReason.INVITED_BEFORE
    assert calls.opening(table(9), BOB, GUESTS[:1], now=6 * 20_000) == frozenset(GUESTS[:1])
    assert calls.opening(table(10), ANN, GUESTS[:1], now=15 * MINUTE_MS) == frozenset(GUESTS[:1])


def test_a_first_message_that_is_posted_once_more_calls_the_same() -> None:
    calls = GuestCalls()
    assert calls.opening(table(1), ANN, GUESTS[:2], now=0) == frozenset(GUESTS[:2])
    assert calls.opening(table(1), ANN, GUESTS[:2], now=9_000) == frozenset(GUESTS[:2])
    assert refusal(calls, 1, ANN, GUESTS[:2], now=9_000) is TableReason.INVITED_BEFORE
