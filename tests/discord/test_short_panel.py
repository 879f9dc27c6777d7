"""The panel leaves out what a player knows, and what the clock does after it was said once."""

from __future__ import annotations

from bot.pure.ofc.cards import ROWS
from bot.text.cards import row_label
from tests.discord.club import Club, plain_letters
from tests.in_turn import in_turn


@in_turn("name", "bob", "hanako")
async def test_a_newcomer_is_told_what_to_tap_until_they_have_placed_a_whole_hand(club: Club, name: str) -> None:
    words = club.words(name)
    told = words("panel.where", card="|").split("|")[-1]
    table = await club.open_table("alice", name)
    panel = await club.open_panel(name, table)
    while (await club.on_turn(table)) != name:
        await club.play_turn(await club.on_turn(table), table)
        panel = await club.open_panel(name, table)
    assert told in panel.text
    await club.play_hand(table)
    assert (await club.play.member_settings(club.key().guild, club.player(name))).has_confirmed
    await club.pass_time(15)
    panel = await club.open_panel(name, table)
    assert panel.has("card")
    assert told not in panel.text
    await club.restart()
    assert told not in (await club.open_panel(name, table)).text, "and it's remembered"


@in_turn("name", "bob", "hanako")
async def test_the_clock_is_explained_on_the_first_street_alone(club: Club, name: str) -> None:
    words, table = club.words(name), await club.open_table("alice", name)
    for street in (1, 2):
        while (await club.on_turn(table)) != name or (await club.look(table)).waiting[0] != club.player(name):
            await club.play_turn(await club.on_turn(table), table)
        panel = await club.open_panel(name, table)
        seen = await club.look(table, name)
        assert seen.hand is not None
        assert seen.hand.street == street
        letters = plain_letters(seen)
        panel = await club.place(name, panel, letters)
        assert (words("panel.clock_confirms") in panel.text) == (street == 1)
        await club.tap(name, panel, panel.find("confirm"))


async def test_the_panel_has_ten_controls_on_the_first_street_and_eight_later(club: Club) -> None:
    table = await club.open_table("alice", "bob")
    first = await club.on_turn(table)
    assert len((await club.open_panel(first, table)).controls()) <= 10
    await club.play_turn(first, table)
    await club.play_turn(await club.on_turn(table), table)
    later = await club.open_panel(await club.on_turn(table), table)
    assert len(later.controls()) <= 8
    assert not later.has("rulebook")


async def test_rows_that_an_opponent_has_left_empty_are_not_drawn(club: Club) -> None:
    table = await club.open_table("alice", "bob")
    first = await club.on_turn(table)
    await club.play_turn(first, table, {first: ["BBBBM"]})
    panel = await club.open_panel(await club.on_turn(table), table)
    words = club.words(await club.on_turn(table))
    beside = panel.text.split(club.shown(first))[1]
    marks = [words(f"board.mark.{row.key}") for row in ROWS]
    assert [f"`{mark}`" in beside for mark in marks] == [False, True, True]
    assert all(row_label(row, words, strict=False) in panel.text for row in ROWS), "one's own rows always stand there"
