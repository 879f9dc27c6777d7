"""Hints at practice tables: two placements and their consequences next to the panel, only for the asker."""

from __future__ import annotations

import pytest

from tests.discord.club import Club, Screen
from tests.discord.forge import forge

PEOPLE = ["alice", "hanako"]


async def on_turn(club: Club, name: str, panel: Screen) -> Screen:
    """The panel once its player is to place cards."""
    for _ in range(5):
        view = await club.look(1, name)
        if view.you in view.waiting:
            return panel
        await club.pass_time(2)
    raise AssertionError("it is never their turn")


@pytest.mark.parametrize("name", PEOPLE)
async def test_a_hint_stands_in_the_panel_until_its_street_is_placed(club: Club, name: str) -> None:
    words = club.words(name)
    panel = await on_turn(club, name, await club.slash(name, "ofc practice"))
    hinted = await club.tap(name, panel, panel.find("hint"))
    title = words("hint.title", street=1)
    told = hinted.text.partition(title)[2]
    assert [line[:7] for line in told.splitlines() if line.startswith("**")] == ["**1.** ", "**2.** "]
    assert words("hint.estimated") in told
    assert hinted.id == panel.id
    assert not hinted.has("hint")
    drawn = await club.tap(name, hinted, hinted.find("row"))
    assert title in drawn.text
    placed = await club.place_in(name, drawn, await club.look(1, name))
    assert title not in placed.text
    assert len(club.private(name)) == 1
    assert club.public() == []


async def test_it_is_offered_at_a_practice_table_in_the_channel_too(club: Club) -> None:
    words = club.words("alice")
    panel = await on_turn(club, "alice", await club.practise_here("alice"))
    hinted = await club.tap("alice", panel, panel.find("hint"))
    assert words("hint.title", street=1) in hinted.text
    assert words("hint.title", street=1) not in club.table_screen().text


@pytest.mark.parametrize("name", PEOPLE)
async def test_where_chips_are_at_stake_there_is_none_and_a_forged_press_is_refused(club: Club, name: str) -> None:
    await club.open_table(name, "bob")
    panel = await club.open_panel("bob")
    assert not panel.has("hint")
    before = await club.facts()
    row = panel.find("row")["custom_id"]
    for player in ("bob", name):
        late = await forge(club, player, panel, row.replace(":row:", ":hint:"))
        assert late.said == club.words(player)("refused.hints_are_for_practice")
    assert await club.facts() == before


async def test_a_hint_for_an_earlier_street_shows_the_present_one(club: Club) -> None:
    panel = await on_turn(club, "alice", await club.slash("alice", "ofc practice"))
    asked = panel.find("hint")["custom_id"]
    panel = await club.place_in("alice", panel, await club.look(1, "alice"))
    late = await forge(club, "alice", panel, asked)
    assert club.words("alice")("hint.title", street=1) not in late.said


async def test_nobody_else_gets_a_hint_at_a_private_table(club: Club) -> None:
    panel = await on_turn(club, "alice", await club.slash("alice", "ofc practice"))
    late = await forge(club, "bob", panel, panel.find("hint")["custom_id"])
    assert late.said == club.words("bob")("refused.no_table")
