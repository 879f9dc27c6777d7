"""The end of a table: one message with all totals, and a button to play again."""

import pytest

from bot.model.ids import GuildId
from tests.discord.club import Club, Screen


async def test_leaving_practice_ends_with_one_message_and_another_game_is_one_press_away(club: Club) -> None:
    words = club.words()
    await club.practise_here("alice")
    await club.settle()
    before = club.requests("POST", "/messages")
    await club.leave("alice")
    await club.settle()
    assert club.requests("POST", "/messages") - before == 1
    (last,) = club.public()
    assert words("closing.title", table=1) in last.text
    assert words("closing.unfinished", hand=1) in last.text
    panel = await club.press("alice", last, last.find("again"))
    assert panel is not None
    assert words("table.hand", hand=1) in panel.text


async def _cancel_pressed(club: Club) -> Screen:
    """Press *Cancel table* under *Details* as the host; returns the answer."""
    lobby = club.table_screen()
    seats = await club.tap("alice", lobby, lobby.find("seats"))
    return await club.tap("alice", seats, seats.find("seat", "cancel"))


async def test_a_host_who_sits_alone_cancels_at_once(club: Club) -> None:
    await club.slash("alice", "ofc play")
    gone = await _cancel_pressed(club)
    assert club.words()("closed.cancelled") in gone.text
    assert not (await club.look()).table.open


async def test_cancelling_asks_once_where_others_are_seated(club: Club) -> None:
    await club.slash("alice", "ofc play")
    await club.press("bob", club.table_screen(), club.table_screen().find("join"))
    asked = await _cancel_pressed(club)
    assert "**Bob**" in asked.text
    assert (await club.look()).table.open, "nothing has happened yet"
    back = await club.tap("alice", asked, asked.find("seat", "show"))
    assert back.has("seat", "cancel")
    asked = await club.tap("alice", back, back.find("seat", "cancel"))
    gone = await club.tap("alice", asked, asked.find("seat", "cancel_sure"))
    assert club.words()("closed.cancelled") in gone.text
    assert not (await club.look()).table.open


@pytest.mark.parametrize("point_value", [0, 10])
async def test_playing_again_asks_once_before_it_calls_others(club: Club, point_value: int) -> None:
    words = club.words()
    await club.open_table("alice", "bob", stakes=point_value)
    await club.type_hand()
    await club.closes("alice", 1)
    await club.settle()
    last = next(screen for screen in club.public() if words("closing.title", table=1) in screen.text)
    wallet = await club.play.wallet(GuildId(club.guild.id), club.player("alice"))
    asked = await club.tap("alice", last, last.find("again"))
    await club.settle()
    assert "**Bob**" in asked.text
    assert (words("closing.asks_chips", players="**Bob**", chips="1,000") in asked.text) is bool(point_value)
    assert await club.play.open_tables(GuildId(club.guild.id)) == []
    opened = await club.tap("alice", asked, asked.find("again"))
    assert words("lobby.guests_called", players=f"<@{club.player('bob')}>") in opened.text
    (table,) = await club.play.open_tables(GuildId(club.guild.id))
    assert table.invited == (club.player("bob"),)
    paid = wallet - await club.play.wallet(GuildId(club.guild.id), club.player("alice"))
    assert paid == (1_000 if point_value else 0)
    await club.settle()
    panel = await club.tap("bob", last, last.find("again"))
    assert not panel.has("again"), "a seat in a lobby that waits is taken at once"
    assert len((await club.look(table.key.table)).places) == 2
