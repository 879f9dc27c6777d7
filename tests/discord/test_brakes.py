"""Rate limits: users faster than a person are told when to continue, and others never wait."""

import asyncio
import re
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.chat.kit.gate import FORGET_EVERY, PressKind, Rate, RateLimiter, Rates
from bot.model.ids import Player
from tests.discord.club import Club, open_club
from tests.discord.test_metrics import count
from tests.translated import translated

DOCS = Path(__file__).parents[2] / "docs/how-to"
NAMED = re.compile(r"`/([a-z -]+)`")
ANN, BOB = Player("1"), Player("2")
NARROW = Rates(private=Rate(burst=10, a_minute=60), public=Rate(burst=3, a_minute=6))


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    """A club whose people are held to what people do."""
    async with open_club(tmp_path, rates=Rates()) as opened:
        yield opened


def test_so_many_at_once_and_then_so_many_a_minute() -> None:
    brakes = RateLimiter(NARROW)
    assert [brakes.wait_seconds(ANN, PressKind.PUBLIC, at=0) for _ in range(5)] == [0, 0, 0, 10, 10]
    assert brakes.wait_seconds(ANN, PressKind.PUBLIC, at=9_999) == 1
    assert brakes.wait_seconds(ANN, PressKind.PUBLIC, at=10_000) == 0
    assert brakes.wait_seconds(ANN, PressKind.PUBLIC, at=10_001) == 10
    assert [brakes.wait_seconds(ANN, PressKind.PUBLIC, at=60_000) for _ in range(4)] == [0, 0, 0, 10]


def test_people_and_kinds_are_counted_for_themselves() -> None:
    brakes = RateLimiter(NARROW)
    for _ in range(4):
        brakes.wait_seconds(ANN, PressKind.PUBLIC, at=0)
    assert brakes.wait_seconds(BOB, PressKind.PUBLIC, at=0) == 0
    assert [brakes.wait_seconds(ANN, PressKind.PRIVATE, at=0) for _ in range(10)] == [0] * 10


def test_presses_that_arrive_out_of_order_harm_nobody() -> None:
    brakes = RateLimiter(NARROW)
    assert [brakes.wait_seconds(ANN, PressKind.PRIVATE, at=at) for at in (5_000, 4_000, 6_000, 3_000)] == [0] * 4


def test_who_has_rested_is_forgotten() -> None:
    brakes = RateLimiter(Rates())
    for number in range(5 * FORGET_EVERY):
        brakes.wait_seconds(Player(str(number)), PressKind.PRIVATE, at=number * 1_000)
    assert len(brakes._free_at) <= FORGET_EVERY  # noqa: SLF001  # That is what is asked here.


def test_a_quick_player_at_five_tables_is_never_held() -> None:
    """Four taps a second, a minute long, after a hand that was placed at once everywhere."""
    brakes = RateLimiter(Rates())
    at_once = [brakes.wait_seconds(ANN, PressKind.PRIVATE, at=0) for _ in range(5 * 14)]
    then = [brakes.wait_seconds(ANN, PressKind.PRIVATE, at=250 * tap) for tap in range(240)]
    assert not any(at_once + then)


LIMITS = re.compile(r"^\| (.+) \| \D*(\d+)(?: at once, |回、1分に)(\d+)\D", re.MULTILINE)
"""The rows that say how many at once and how many a minute: of what, and both numbers."""
IN_ORDER = (PressKind.PUBLIC, PressKind.DRAWN, PressKind.PRIVATE)
LIKE_EACH = Rates(public=Rate(burst=1, a_minute=1), drawn=Rate(burst=2, a_minute=1), private=Rate(burst=3, a_minute=1))


def limits_told(page: str) -> list[tuple[str, Rate]]:
    """Return the rate limits for presses and commands in the page on tables."""
    text = (DOCS / page).read_text(encoding="utf-8")
    found = [(row, Rate(burst=int(burst), a_minute=int(many))) for row, burst, many in LIMITS.findall(text)]
    return found[: len(IN_ORDER)]


@pytest.mark.parametrize("page", translated("open-a-table.md", "open-a-table.ja.md"))
def test_the_players_page_says_how_fast_one_may_go_on(page: str) -> None:
    assert [rate for _, rate in limits_told(page)] == [getattr(Rates(), kind.value) for kind in IN_ORDER]


def commands_told(page: str) -> list[tuple[PressKind, str]]:
    """Return the commands named on the page, each with its kind."""
    rows = zip(IN_ORDER, limits_told(page), strict=True)
    return [(kind, name) for kind, (row, _) in rows for name in NAMED.findall(row)]


async def test_the_commands_that_the_players_pages_name_are_held_as_they_say(tmp_path: Path) -> None:
    named = commands_told("open-a-table.md")
    assert {*commands_told("open-a-table.ja.md")} == {*named}
    assert {kind for kind, _ in named} == set(IN_ORDER)
    async with open_club(tmp_path, rates=LIKE_EACH) as club:
        for kind, name in named:
            await club.restart()
            held = club.words()("gate.too_fast", count=1).split("1")[0]
            answers = [(await club.slash("alice", name)).text.startswith(held) for _ in range(4)]
            assert answers.index(True) == getattr(LIKE_EACH, kind.value).burst, name


async def test_who_types_like_a_machine_is_told_when_to_go_on(club: Club) -> None:
    words = club.words("bob")
    answers = [(await club.slash("bob", "ofc leaderboard")).text for _ in range(30)]
    held = [text for text in answers if words("leaderboard.title", by=words("leaderboard.by.chips")) not in text]
    assert 5 <= len(held) <= 15
    assert all(text in {words("gate.too_fast", count=seconds) for seconds in range(1, 4)} for text in held)
    assert count(club, "chaipo_held_total", brake="drawn_rate") == len(held)
    assert "too fast" not in (await club.slash("alice", "ofc leaderboard")).text
    assert words("gate.too_fast", count=3) not in (await club.slash("bob", "hand")).text


async def test_what_was_typed_too_fast_changes_nothing(club: Club) -> None:
    for _ in range(20):
        await club.act("bob", "quick", value="no such game")
    answer = await club.slash("bob", "ofc play")
    assert answer.text.startswith(club.words("bob")("gate.too_fast", count=3)[:12])
    assert not await club.bot.services.play.open_tables(club.key(1).guild)


async def test_what_a_manager_looks_up_is_braked_no_more_than_cards(club: Club) -> None:
    for command in ("setup", "ofc profile", "ofc help") * 10:
        answer = await club.slash("alice", command)
        assert not answer.text.startswith(club.words("alice")("gate.too_fast", count=3)[:12])


async def test_a_limit_of_play_is_counted_too(club: Club) -> None:
    for _ in range(6):
        await club.slash("bob", "ofc play")
    assert count(club, "chaipo_held_total", brake="too_many_tables") == 1


async def test_results_do_not_stand_in_line_behind_pages_that_somebody_turns(club: Club) -> None:
    goes_on = threading.Event()
    await club.open_table("alice", "bob")

    def drawing() -> bytes:
        goes_on.wait()
        return b""

    pictures = club.bot.services.pictures
    asked = [asyncio.create_task(pictures.draw(page, drawing)) for page in range(100)]
    try:
        await asyncio.sleep(0)
        assert await club.play_hand() == 1
        assert club.words()("result.heading", hand=1, table=1) in club.said()
        assert not any(one.done() for one in asked)
    finally:
        goes_on.set()
        await asyncio.gather(*asked)
