"""Tables in threads: the lobby stays in the channel, the cards are in a thread, and the thread may disappear."""

from dataclasses import replace

import pytest
from simcord import ChannelHandle

from bot.chat.table.screens.lobby import table_title
from bot.model.ids import GuildId
from bot.model.tables import TableState
from tests.discord.club import Club, Screen
from tests.discord.forge import forge
from tests.discord.forms import enter

THREADED = ("alice", "bob")


async def in_threads(club: Club) -> None:
    """The server plays in threads."""
    await club.play.choose_for_server(GuildId(club.guild.id), lambda before: replace(before, threads=True))


async def thread_of(club: Club, table: int = 1) -> Club:
    """Return the thread of a table, with the same members."""
    await club.settle()
    seen = (await club.look(table)).table
    assert seen.home == club.channel.id, "the table is in no thread"
    there = club.backend.get_channel(seen.channel)
    opened = replace(club, channel=ChannelHandle(club.world.env, club.guild, there))
    club.watch.clubs.append(opened)
    return opened


def lobby_of(club: Club) -> Screen:
    """Return the message in the lobby's channel."""
    shown = (screen for screen in club.public() if "Table 1 ·" in screen.text or "卓1 ·" in screen.text)
    # The table's first message, which names its opener, is above.
    return next(screen for screen in shown if ":fairness:" not in str(screen.controls()))


@pytest.mark.parametrize("language", ["en", "ja"])
async def test_a_table_moves_into_its_thread_with_its_first_cards_and_its_lobby_shows_the_way(
    club: Club, language: str
) -> None:
    await in_threads(club)
    await club.play.choose_for_server(GuildId(club.guild.id), lambda before: replace(before, language=language))
    await club.slash("alice", "ofc play")
    words = club.words("hanako") if language == "ja" else club.words()
    lobby = club.table_screen()
    assert (await club.look()).table.state is TableState.LOBBY
    assert lobby.has("join")
    await club.press("bob", lobby, lobby.find("join"))
    await club.press("alice", lobby, lobby.find("start"))
    thread = await thread_of(club)
    table = (await club.look()).table
    assert lobby.text == f"**{table_title(table, words)}**\n" + words("lobby.moved", thread=f"<#{table.channel}>")
    assert lobby.controls() == []
    assert (thread.channel.name or "").startswith(words("table.thread", table=1, game=""))
    assert words("table.hand", hand=1) in thread.table_screen().text


async def test_the_hand_its_result_and_the_end_stand_in_the_thread_and_nothing_more_in_the_channel(club: Club) -> None:
    await in_threads(club)
    await club.open_table(*THREADED)
    thread = await thread_of(club)
    before = [screen.id for screen in club.public()]
    await thread.play_hand()
    assert club.words()("result.heading", hand=1, table=1) in thread.said()
    await club.closes("alice", 1)
    await club.settle()
    assert [screen.id for screen in club.public()] == before
    assert club.words()("closed.closed_by_admin") in thread.said()
    assert {"archived": True}.items() <= club.backend.http_requests[-1].json.items(), "the thread is put away"
    assert not lobby_of(club).controls()


async def test_a_second_hand_is_dealt_in_the_same_thread(club: Club) -> None:
    await in_threads(club)
    await club.open_table(*THREADED)
    thread = await thread_of(club)
    made = club.requests("POST", "/threads")
    await thread.type_hand()
    await club.pass_time(15)
    assert club.words()("table.hand", hand=2) in thread.table_screen().text
    assert club.requests("POST", "/threads") == made == 1


async def test_without_the_permission_the_table_stays_and_its_host_is_told_why(club: Club) -> None:
    await in_threads(club)
    club.forbid("create_public_threads")
    words = club.words("hanako")
    answer = await club.slash("hanako", "ofc play")
    assert words("lobby.no_thread", permissions=words("permission.create_public_threads")) in answer.text
    await club.press("bob", club.table_screen(), club.table_screen().find("join"))
    await club.press("hanako", club.table_screen(), club.table_screen().find("start"))
    await club.settle()
    assert (await club.look()).table.channel == club.channel.id
    assert words("table.hand", hand=1) in club.table_screen().text
    assert club.requests("POST", "/threads") == 0


async def test_a_server_without_threads_says_nothing_of_them(club: Club) -> None:
    club.forbid("create_public_threads")
    answer = await club.slash("alice", "ofc play")
    assert answer.text.splitlines()[1:] == [club.words()("lobby.brought", chips="1,000")]
    await club.open_table("bob", "hanako")
    assert club.requests("POST", "/threads") == 0


async def test_a_permission_that_goes_before_the_start_leaves_the_table_in_the_channel(club: Club) -> None:
    await in_threads(club)
    await club.slash("alice", "ofc play")
    await club.press("bob", club.table_screen(), club.table_screen().find("join"))
    club.forbid("create_public_threads")
    club.forgiven.append("has no thread and is played in the channel")
    await club.press("alice", club.table_screen(), club.table_screen().find("start"))
    await club.settle()
    table = (await club.look()).table
    assert (table.channel, table.home, table.threaded) == (club.channel.id, None, False)
    assert club.words()("table.hand", hand=1) in club.table_screen().text
    await club.play_hand()


async def test_a_table_opened_in_a_thread_is_played_there(club: Club) -> None:
    await in_threads(club)
    thread = club.thread("our corner")
    answer = await thread.slash("alice", "ofc play")
    assert answer.text.splitlines()[1:] == [club.words()("lobby.brought", chips="1,000")], "it is where it should be"
    await thread.press("bob", thread.table_screen(), thread.table_screen().find("join"))
    await thread.press("alice", thread.table_screen(), thread.table_screen().find("start"))
    await club.settle()
    assert (await club.look()).table.channel == thread.channel.id
    assert club.words()("table.hand", hand=1) in thread.table_screen().text


async def test_a_table_whose_thread_is_deleted_goes_on_in_its_channel(club: Club) -> None:
    await in_threads(club)
    await club.open_table(*THREADED)
    thread = await thread_of(club)
    await thread.type_turn("bob")
    club.backend.delete_channel(thread.channel.id)
    club.watch.clubs.remove(thread)
    await club.settle()
    table = (await club.look()).table
    assert (table.state, table.hand_no, table.channel, table.home) == (TableState.PLAYING, 1, club.channel.id, None)
    assert club.words()("table.hand", hand=1) in club.table_screen().text
    await club.play_hand()
    assert club.words()("result.heading", hand=1, table=1) in club.said()


async def test_a_table_whose_channel_is_deleted_closes_and_gives_the_chips_back(club: Club) -> None:
    await in_threads(club)
    await club.open_table(*THREADED)
    thread = await thread_of(club)
    club.watch.clubs.remove(thread)
    club.watch.clubs.remove(club)
    club.forgiven.append("cannot be shown")
    club.backend.delete_channel(club.channel.id)
    await club.world.env.settle()
    await club.world.pass_time(31)
    assert not (await club.look()).table.open
    assert await club.play.wallet(club.key().guild, club.player("bob")) == 10_000


async def test_a_thread_in_which_nothing_may_be_written_is_left(club: Club) -> None:
    await in_threads(club)
    await club.open_table(*THREADED)
    thread = await thread_of(club)
    await thread.type_hand()
    club.forgiven += ["cannot be shown", "was dropped", "cannot be called"]
    club.world.env.inject_error("POST", f"/channels/{thread.channel.id}/messages", status=403, code=50013, times=None)
    await club.pass_time(16)
    await club.settle()
    assert (await club.look()).table.channel == club.channel.id
    assert club.words()("table.hand", hand=2) in club.table_screen().text


async def test_an_archived_thread_is_opened_by_the_next_message(club: Club) -> None:
    await in_threads(club)
    await club.open_table(*THREADED)
    thread = await thread_of(club)
    shown = thread.table_screen().message.id
    club.world.env.inject_error("PATCH", f"/channels/*/messages/{shown}", status=400, code=50083)
    await thread.type_turn("bob")
    assert thread.table_screen().message.id != shown


async def test_a_restart_goes_on_in_the_thread(club: Club) -> None:
    await in_threads(club)
    await club.open_table(*THREADED)
    thread = await thread_of(club)
    await club.restart()
    await thread.play_hand()
    assert club.words()("result.heading", hand=1, table=1) in thread.said()
    assert club.requests("POST", "/threads") == 1
    assert lobby_of(club).controls() == []


async def test_private_practice_has_no_thread(club: Club) -> None:
    await in_threads(club)
    await club.slash("alice", "ofc practice")
    await club.settle()
    assert club.requests("POST", "/threads") == 0


async def test_an_event_keeps_to_its_own_choice_of_threads(club: Club) -> None:
    await in_threads(club)
    await club.open_table("alice", "bob", "hanako")
    thread = await thread_of(club)
    assert "Table 1 ·" in (await thread.slash("alice", "ofc table", do="mine")).text
    assert f"<#{thread.channel.id}>" in (await club.slash("bob", "ofc table", do="tables")).text


# set up


@pytest.mark.parametrize("language", ["en", "ja"])
async def test_managers_choose_threads_on_the_page(club: Club, language: str) -> None:
    await club.play.change_member_settings(
        club.key().guild, club.player("alice"), lambda before: replace(before, language=language)
    )
    words = club.words("hanako") if language == "ja" else club.words()
    page = await club.slash("alice", "setup")
    assert words("setup.threads.off") in page.text
    on = await enter(club, "alice", page, "threads", "1")
    assert words("setup.threads.on") in on.text
    assert (await club.play.server(club.key().guild)).threads
    off = await enter(club, "alice", on, "threads", "0")
    assert words("setup.threads.off") in off.text
    assert not (await club.play.server(club.key().guild)).threads


async def test_nobody_else_may_choose_them(club: Club) -> None:
    page = await club.slash("alice", "setup")
    await forge(club, "bob", page, "c1:su_threads:0:1:0:::")
    assert not (await club.play.server(club.key().guild)).threads


async def test_the_check_needs_the_permissions_for_threads_where_they_are_used(club: Club) -> None:
    words = club.words("alice")
    club.forbid("create_public_threads")
    needed, useful = (
        words(
            f"doctor.{kind}",
            name=words("permission.create_public_threads"),
            use=words("permission_use.create_public_threads"),
            cost=words("permission_cost.create_public_threads"),
        )
        for kind in ("needed", "useful")
    )
    page = await club.slash("alice", "setup")
    assert useful in (await club.tap("alice", page, page.find("su_doctor"))).text
    await in_threads(club)
    page = await club.slash("alice", "setup")
    assert needed in (await club.tap("alice", page, page.find("su_doctor"))).text
