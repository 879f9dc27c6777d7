"""Who is faster than a person can play is told when to go on; everybody else is never held up."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.play.model import Player
from bot.ui.brakes import FORGET_EVERY, Brakes, PressKind, Rate, Rates
from bot.wiring import USUAL_RATES
from tests.discord.club import Club, open_club
from tests.discord.test_metrics import count

ANN, BOB = Player("1"), Player("2")
NARROW = Rates(private=Rate(burst=10, a_minute=60), public=Rate(burst=3, a_minute=6))


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    """A club whose people are held to what people do."""
    async with open_club(tmp_path, rates=USUAL_RATES) as opened:
        yield opened


def test_so_many_at_once_and_then_so_many_a_minute() -> None:
    brakes = Brakes(NARROW)
    assert [brakes.wait_seconds(ANN, PressKind.PUBLIC, at=0) for _ in range(5)] == [0, 0, 0, 10, 10]
    assert brakes.wait_seconds(ANN, PressKind.PUBLIC, at=9_999) == 1
    assert brakes.wait_seconds(ANN, PressKind.PUBLIC, at=10_000) == 0
    assert brakes.wait_seconds(ANN, PressKind.PUBLIC, at=10_001) == 10
    assert [brakes.wait_seconds(ANN, PressKind.PUBLIC, at=60_000) for _ in range(4)] == [0, 0, 0, 10]


def test_people_and_kinds_are_counted_for_themselves() -> None:
    brakes = Brakes(NARROW)
    for _ in range(4):
        brakes.wait_seconds(ANN, PressKind.PUBLIC, at=0)
    assert brakes.wait_seconds(BOB, PressKind.PUBLIC, at=0) == 0
    assert [brakes.wait_seconds(ANN, PressKind.PRIVATE, at=0) for _ in range(10)] == [0] * 10


def test_presses_that_arrive_out_of_order_harm_nobody() -> None:
    brakes = Brakes(NARROW)
    assert [brakes.wait_seconds(ANN, PressKind.PRIVATE, at=at) for at in (5_000, 4_000, 6_000, 3_000)] == [0] * 4


def test_who_has_rested_is_forgotten() -> None:
    brakes = Brakes(Rates())
    for number in range(5 * FORGET_EVERY):
        brakes.wait_seconds(Player(str(number)), PressKind.PRIVATE, at=number * 1_000)
    assert len(brakes._free_at) <= FORGET_EVERY  # noqa: SLF001  # That is what is asked here.


def test_a_quick_player_at_five_tables_is_never_held() -> None:
    """Four taps a second, a minute long, after a hand that was laid at once everywhere."""
    brakes = Brakes(Rates())
    at_once = [brakes.wait_seconds(ANN, PressKind.PRIVATE, at=0) for _ in range(5 * 14)]
    then = [brakes.wait_seconds(ANN, PressKind.PRIVATE, at=250 * tap) for tap in range(240)]
    assert not any(at_once + then)


async def test_who_types_like_a_machine_is_told_when_to_go_on(club: Club) -> None:
    words = club.words("bob")
    answers = [(await club.slash("bob", "ofc tables")).text for _ in range(30)]
    held = [text for text in answers if text != words("lobby.no_tables")]
    assert 5 <= len(held) <= 15
    assert all(text in {words("gate.too_fast", count=seconds) for seconds in range(1, 4)} for text in held)
    assert count(club, "chaipo_held_total", brake="public_rate") == len(held)
    assert (await club.slash("alice", "ofc tables")).text == words("lobby.no_tables")
    assert words("gate.too_fast", count=3) not in (await club.slash("bob", "hand")).text


async def test_what_was_typed_too_fast_changes_nothing(club: Club) -> None:
    for _ in range(20):
        await club.slash("bob", "chips balance")
    answer = await club.slash("bob", "ofc play")
    assert answer.text.startswith(club.words("bob")("gate.too_fast", count=3)[:12])
    assert not await club.bot.services.play.open_tables(club.key(1).guild)


async def test_a_limit_of_play_is_counted_too(club: Club) -> None:
    for _ in range(6):
        await club.slash("bob", "ofc play")
    assert count(club, "chaipo_held_total", brake="too_many_tables") == 1
