"""Screens stay small: limits on lines, words and controls in both languages."""

from __future__ import annotations

import pytest

from bot.chat.club.screens.posts.all_posts import POSTED
from bot.chat.club.screens.setup import SetupPage, setup_screen
from bot.model.bank import BankTerms, SeasonsPage, SeasonTerms
from bot.model.choices import ServerSettings
from bot.model.posts import Posts
from bot.model.standings import Season
from bot.model.tables import HouseGame
from bot.pure.ofc.presets import PINEAPPLE
from bot.text.words import words_for
from tests.surface import (
    BUTTON,
    LANGUAGES,
    Size,
    Walk,
    day,
    event_night,
    picker,
    practice,
    registration,
    rows,
    sizes,
    table_evening,
    welcome,
    words_in,
)

MAX_ROWS = {"Rows": 16, "Rows for a member": 14, "Options": 43, "Options, most in one": 5}
MAX_ROWS_BY_TITLE: dict[Walk, dict[str, tuple[int, int, int]]] = {
    welcome: {"Welcome": (3, 50, 5)},
    table_evening: {
        "Opening post": (2, 20, 0),
        "Lobby": (4, 35, 4),
        "Table, first street": (6, 35, 2),
        "Table, full": (21, 65, 2),
        "My hand, street 1": (18, 45, 11),
        "My hand, street 3": (20, 75, 9),
        "Result": (6, 50, 3),
        "Review": (8, 70, 2),
        "Replay, first step": (15, 41, 6),
        "A result, looked up": (18, 105, 3),
        "My games": (5, 35, 5),
        "Seats": (12, 70, 7),
        "Help": (5, 60, 12),
        "Rules": (27, 255, 6),
        "Leaderboard": (5, 30, 3),
        "Records": (5, 45, 3),
        "Recap": (3, 25, 1),
        "Profile": (5, 40, 4),
        "Past hands": (5, 40, 3),
        "Chips": (6, 40, 2),
        "Settings": (8, 90, 6),
        "Setup": (11, 76, 9),
        "Last call": (1, 12, 1),
        "Table closed": (6, 45, 1),
    },
    practice: {
        "Practice, hand": (10, 35, 13),
        "Practice, result": (9, 45, 4),
        "Practice, over": (3, 30, 3),
    },
    registration: {"Event, registration": (5, 50, 2)},
    event_night: {
        "Event draft": (8, 80, 5),
        "Event, announcement": (2, 10, 0),
        "Event, running": (7, 40, 2),
        "Table of an event": (5, 35, 2),
        "Desk": (9, 80, 6),
    },
    day: {
        "Daily hand, shared": (5, 15, 1),
        "Club page": (7, 40, 4),
        "Morning post": (8, 45, 2),
        "Recap, posted": (9, 85, 3),
    },
}
"""Maximum lines, words and controls of each screen. Every screen must be found, so a moved one needs a new path."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("way", MAX_ROWS_BY_TITLE, ids=lambda way: way.__name__)
async def test_every_screen_keeps_its_size(way: Walk, language: str) -> None:
    found = await sizes(language, [way])
    assert [title for title in MAX_ROWS_BY_TITLE[way] if title not in found] == []
    assert [title for title, size in found.items() if not size.lines or not size.words] == []
    larger = {
        title: f"{found[title]}, allowed {most}"
        for title, most in MAX_ROWS_BY_TITLE[way].items()
        if any(part > allowed for part, allowed in zip(_parts(found[title]), most, strict=True))
    }
    assert larger == {}


ROLE, CHANNEL = 1_096_000_000_000_000_005, 1_096_000_000_000_000_006
NOTHING_SET = SetupPage(
    server=ServerSettings(),
    game=PINEAPPLE,
    games=[],
    posts=Posts(hour=8, weekday=6),
    bank=BankTerms(),
    seasons=SeasonsPage(terms=SeasonTerms(), running=None, start_chips=10_000, last=None),
)
EVERYTHING_SET = SetupPage(
    server=ServerSettings(
        organiser_role=ROLE,
        stand_ins=True,
        host_role=ROLE,
        told_role=ROLE,
        event_role=ROLE,
        zone="Europe/Berlin",
        language="en",
        channels=(CHANNEL, CHANNEL + 1),
        threads=True,
        in_words=True,
        point_value=20,
    ),
    game=PINEAPPLE,
    games=[HouseGame(name=name, variant=PINEAPPLE) for name in ("Friday", "Jokers")],
    posts=Posts(channel=CHANNEL, standing=frozenset(POSTED), hour=8, weekday=6),
    bank=BankTerms(account_days=30, hands=20, transfer_cap=1_000, transfer_fee=5, audit_channel=CHANNEL),
    seasons=SeasonsPage(
        terms=SeasonTerms(monthly=True, reset_chips=True),
        running=Season(number=3, name="Autumn", began_at=0),
        start_chips=10_000,
        last=None,
    ),
    nick="Dealer",
)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("page", "most"), [(NOTHING_SET, (11, 76, 9)), (EVERYTHING_SET, (11, 106, 9))])
def test_the_page_of_a_server_s_settings_keeps_its_size(
    page: SetupPage, most: tuple[int, int, int], language: str
) -> None:
    parts = list(setup_screen(page, words_for(language)).walk())
    text = "\n".join(str(part["content"]) for part in parts if "content" in part)
    size = Size(
        lines=len(text.splitlines()), words=words_in(text), controls=sum(part["type"] == BUTTON for part in parts)
    )
    assert all(part <= allowed for part, allowed in zip(_parts(size), most, strict=True)), f"{size}: {text}"
    for role in (page.server.host_role, page.server.organiser_role, page.server.told_role):
        assert role is None or text.count(f"<@&{role}>") == 3


async def test_the_command_picker_keeps_its_size() -> None:
    registered = await rows()
    assert {row.name for row in registered} >= {"hand", "place", "daily"}
    now = picker(registered)
    assert {title: now[title] for title, most in MAX_ROWS.items() if now[title] > most} == {}


def test_words_are_counted_as_they_are_read() -> None:
    assert words_in("**Alice +7** (+70) · <t:1767226200:R>") == 4
    assert words_in("<:qh:123> [Record](https://example.org/a b) <@123>") == 2
    assert words_in("山札は確定済み、10点") == 4


def _parts(size: Size) -> tuple[int, int, int]:
    return size.lines, size.words, size.controls
