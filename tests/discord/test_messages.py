"""The public messages: calls, few edits, and what happens when they cannot be sent or are taken away."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.discord.club import Club, complaints, open_club, plain_letters
from tests.discord.forge import deliver, forged_press
from tests.discord.messages import text_of
from tests.discord.test_first_hand import in_japanese
from tests.in_turn import in_turn

# Calls


async def test_whoever_is_on_turn_is_called_by_a_message_that_mentions_him_alone(club: Club) -> None:
    await club.call_at_once()
    await club.open_table("alice", "bob")
    (call,) = club.calls()
    assert call.message.ping_user_ids == [club.members["bob"].id]
    assert club.members["bob"].mention in call.text
    await club.pass_time(21)
    await club.type_turn("bob")
    assert call.gone
    (call,) = club.calls()
    assert call.message.ping_user_ids == [club.members["alice"].id]
    await club.type_turn("alice")
    while (await club.look()).waiting:
        await club.pass_time(21)
        await club.type_turn(await club.on_turn())
    assert club.calls() == []
    pinging = [sent for sent in club.watch.sent if sent.notified]
    assert len(pinging) == 10
    assert all(
        (sent.body.get("allowed_mentions") or {}).get("parse") == [] for sent in club.watch.sent if sent.viewer is None
    )


async def test_whoever_has_just_pressed_is_not_called_and_sees_his_turn_in_his_panel(club: Club) -> None:
    await club.call_at_once()
    await club.open_table("alice", "bob", clock="2m")
    await club.open_panel("alice")
    await club.play_turn("bob")
    assert (pings(club, "alice"), pings(club, "bob")) == (0, 1)
    assert club.words()("panel.your_turn_until", until="@").split("@")[0] in club.private("alice")[-1].text
    await club.play_turn("alice")
    await club.play_turn("bob")
    assert (pings(club, "alice"), pings(club, "bob")) == (0, 1)


async def test_whoever_was_active_and_then_stays_silent_for_twenty_seconds_of_his_turn_is_called(club: Club) -> None:
    await club.open_table("alice", "bob", clock="2m")
    await club.open_panel("alice")
    await club.type_turn("bob")
    await club.pass_time(15)
    panel = club.private("alice")[-1]
    await club.tap("alice", panel, panel.find("row"))
    await club.pass_time(18)
    assert pings(club, "alice") == 0
    await club.pass_time(4)
    assert pings(club, "alice") == 1
    await club.pass_time(40)
    assert pings(club, "alice") == 1


async def test_whoever_has_little_time_is_called_before_half_of_it_is_over(club: Club) -> None:
    await club.open_table("alice", "bob", clock="20s")
    await club.open_panel("alice")
    await club.type_turn("bob")
    await club.pass_time(8)
    assert pings(club, "alice") == 0
    await club.pass_time(4)
    assert pings(club, "alice") == 1


async def test_a_call_goes_with_the_turn_that_it_was_for(club: Club) -> None:
    await club.call_at_once()
    await club.open_table("alice", "bob", clock="2m")
    (call,) = club.calls()
    await club.open_panel("alice")
    assert not call.gone
    await club.play_turn("bob")
    await club.settle()
    assert call.gone
    assert not club.calls(), "Alice has her hand open"


async def test_a_hand_costs_at_most_one_and_a_half_requests_a_turn(club: Club) -> None:
    await club.open_table("alice", "bob", clock="2m")
    for name in ("alice", "bob"):
        await club.open_panel(name)
    before, turns = requests(club), 0
    for hand in (1, 2):
        while (await club.look()).waiting:
            await club.play_turn(await club.on_turn())
            turns += 1
        await club.pass_time(13)
        assert (await club.look()).table.hand_no == hand + 1
    assert turns == 20
    assert requests(club) - before <= 1.5 * turns


def requests(club: Club) -> int:
    """Return the number of requests to channels."""
    return sum(club.requests(method, "/channels/") for method in ("POST", "PATCH", "DELETE"))


async def test_the_call_opens_the_hand(club: Club) -> None:
    await club.call_at_once()
    await club.open_table("alice", "bob")
    (call,) = club.calls()
    panel = await club.tap("bob", call, call.find("hand"))
    assert panel.has("card")


async def test_computers_and_people_who_play_against_them_alone_are_not_called(club: Club) -> None:
    await club.practise_here("alice")
    for _ in range(4):
        if (await club.look()).waiting == (club.player("alice"),):
            await club.play_turn("alice")
        await club.pass_time(1)
        assert club.calls() == []


async def test_people_who_are_away_are_not_called(club: Club) -> None:
    await club.call_at_once()
    await club.open_table("alice", "bob", "hanako", clock="30s")
    for _ in range(2):  # Bob is first.
        await club.pass_time(31)
        await club.type_turn("hanako")
        await club.type_turn("alice")
    assert {place.seat.player for place in (await club.look()).places if place.seat.away} == {club.player("bob")}
    calls_for_bob = pings(club, "bob")
    await club.pass_time(1)
    await club.type_turn("hanako")
    await club.type_turn("alice")
    await club.pass_time(1)
    assert (await club.look()).waiting == (club.player("hanako"),)
    # Two calls, and as many reminders.
    assert pings(club, "bob") == calls_for_bob == 4
    # She has just placed: her panel shows her the turn.
    assert pings(club, "hanako") == 2


def pings(club: Club, name: str) -> int:
    """Return the number of messages that have pinged a member."""
    return sum(club.player(name) in sent.notified for sent in club.watch.sent)


# Drawing while something happens


async def test_a_drawing_that_is_under_way_when_the_next_hand_is_dealt_does_not_keep_the_old_message(
    club: Club,
) -> None:
    """The new hand is posted below the talk, and the message of the one before is taken away."""
    await club.slash("alice", "ofc play")
    await club.press("bob", club.table_screen(), club.table_screen().find("join"))
    lobby = club.table_screen()
    club.disk.ready.clear()
    deal = asyncio.create_task(club.play.start(club.key(), club.player("alice"), cause="start"))
    await asyncio.sleep(0)
    assert club.disk.waiting == 1
    # It sees the lobby, draws it, and must then wait for the disk behind the deal.
    club.bot.services.publisher.sought((await club.look()).table)
    while club.disk.waiting < 2:  # noqa: ASYNC110  # No event tells of it.
        await asyncio.sleep(0)
    club.disk.ready.set()
    await deal
    # Passing time doesn't wait for work that the test itself started.
    await club.bot.services.publisher.drawn()
    await club.pass_time(1)
    assert await club.play.undrawn() == []
    assert lobby.gone
    assert club.table_screen().id > lobby.id
    assert len([screen for screen in club.public() if screen.has("seats")]) == 1
    assert (await club.look()).table.message == club.table_screen().id


# Few edits


@pytest.fixture
async def calm_club(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> AsyncIterator[Club]:
    """A club whose bot leaves a minute between two drawings of a table."""
    async with open_club(tmp_path, redraw_pause=60) as opened:
        yield opened
    assert not complaints(caplog.get_records("call"), opened.forgiven)


async def test_many_changes_make_few_edits(calm_club: Club) -> None:
    club = calm_club
    await club.slash("alice", "ofc play")
    table = club.table_screen()
    join = table.find("join")["custom_id"]
    leave = join.replace("join", "leave")
    edits = club.requests("PATCH", f"/messages/{table.id}")
    presses = [
        forged_press(club, name, table, custom_id)
        for _ in range(5)
        for custom_id in (join, leave)
        for name in ("bob", "hanako")
    ]
    await deliver(*presses)
    assert all(press.acknowledged for press in presses)
    await club.pass_time(61)
    assert 1 <= club.requests("PATCH", f"/messages/{table.id}") - edits <= 2


async def test_drawings_of_a_table_keep_their_distance(calm_club: Club) -> None:
    club = calm_club
    await club.slash("alice", "ofc play")
    table = club.table_screen()
    join = table.find("join")["custom_id"]
    leave = join.replace("join", "leave")
    for custom_id in (join, leave, join, leave, join):
        await deliver(forged_press(club, "bob", table, custom_id))
    before = club.requests("PATCH", f"/messages/{table.id}")
    await club.pass_time(61)
    assert club.requests("PATCH", f"/messages/{table.id}") - before <= 1
    assert club.shown("bob") in club.table_screen().text


async def test_a_call_that_discord_fails_to_post_is_tried_again_and_the_table_is_not_doubled(club: Club) -> None:
    await club.call_at_once()
    await club.slash("alice", "ofc play")
    await club.press("bob", club.table_screen(), club.table_screen().find("join"))
    await club.pass_time(club.lobby_seconds)
    club.forgiven.append("could not be drawn")

    def fail_the_next_post(event: str, _: object) -> None:
        if event == "MESSAGE_CREATE":
            club.backend.subscribers.remove(fail_the_next_post)
            fault = {
                "method": "POST",
                "path": "/channels/*/messages",
                "status": 503,
                "code": 0,
                "message": "",
                "times": 1,
            }
            club.backend.faults.append(fault)

    club.backend.subscribers.append(fail_the_next_post)
    await club.press("alice", club.table_screen(), club.table_screen().find("start"))
    assert club.calls() == []
    await club.pass_time(31)
    assert len(club.calls()) == 1
    assert len([screen for screen in club.public() if screen.has("seats")]) == 1


# Messages that are taken away


async def test_a_table_message_that_a_moderator_deletes_is_posted_anew(club: Club) -> None:
    await club.call_at_once()
    await club.open_table("alice", "bob")
    table = club.table_screen()
    (call,) = club.calls()
    for screen in (table, call):
        club.backend.delete_message(screen.channel_id, screen.id)
    await club.slash("bob", "place", cards="BBBBB")
    assert club.table_screen() != table
    await club.pass_time(21)
    assert [c.message.ping_user_ids for c in club.calls()] == [[club.members["alice"].id]]
    await club.type_hand()
    await club.pass_time(13)
    assert (await club.look()).table.hand_no == 2


@pytest.mark.parametrize(("command", "options"), [("hand", {}), ("ofc table", {"do": "tables"})])
async def test_a_deleted_table_is_found_again_by_asking_for_it(
    club: Club, command: str, options: dict[str, str]
) -> None:
    await club.open_table("alice", "bob")
    table = club.table_screen()
    club.backend.delete_message(table.channel_id, table.id)
    await club.slash("bob", command, **options)
    assert (
        club.words()("table.to_act_until", players=club.shown("bob"), until="|").split("|")[0]
        in club.table_screen().text
    )
    assert club.table_screen() != table


async def test_a_panel_that_its_player_dismisses_is_opened_anew(club: Club) -> None:
    await club.open_table("alice", "bob")
    panel = await club.open_panel("alice")
    club.backend.delete_message(panel.channel_id, panel.id)
    await club.slash("bob", "place", cards="BBBBB")
    assert (await club.open_panel("alice")).has("card")


async def test_a_deleted_channel_closes_its_tables_and_gives_the_chips_back(club: Club) -> None:
    await club.open_table("alice", "bob")
    other = club.elsewhere("Another club")
    await other.open_table("alice", "bob")
    club.forgiven.append("was dropped")
    club.backend.delete_channel(club.channel.id)
    await club.settle()
    view = await club.look()
    assert (view.table.state.value, view.table.closed_reason) == ("closed", "channel_gone")
    assert await club.play.wallet(club.key().guild, club.player("bob")) == 10_000
    assert (await other.look()).table.open
    await other.type_hand()


async def test_a_channel_that_was_deleted_unseen_closes_the_table_too(club: Club) -> None:
    """The notification didn't reach the bot, so it finds out when drawing."""
    await club.open_table("alice", "bob")
    club.forgiven.append("was dropped")
    del club.backend.channels[club.channel.id]
    await club.pass_time(61)
    assert (await club.look()).table.closed_reason == "channel_gone"


async def test_a_table_lives_in_a_thread_and_ends_with_it(club: Club) -> None:
    await club.call_at_once()
    thread = club.thread("cards")
    await thread.open_table("alice", "bob")
    assert thread.calls()
    await thread.play_turn("bob")
    assert not [screen for screen in club.public() if screen.controls()]
    club.forgiven.append("was dropped")
    club.backend.delete_channel(thread.channel.id)
    await club.settle()
    assert (await club.look()).table.closed_reason == "channel_gone"


async def test_a_server_that_removes_the_bot_gets_its_chips_back(club: Club) -> None:
    other = club.elsewhere("Another club")
    await other.open_table("alice", "bob")
    other.forgiven += ["was dropped", "cannot be shown"]
    club.backend.remove_guild(other.guild.id)
    await club.settle()
    view = await other.look()
    assert view.table.closed_reason == "guild_gone"
    assert await club.play.wallet(other.key().guild, club.player("alice")) == 10_000
    await club.pass_time(60)


# Permissions


@in_turn("name", "alice", "hanako")
async def test_a_missing_permission_is_named_to_the_host(club: Club, name: str) -> None:
    club.forbid("send_messages")
    words = club.words(name)
    for command in ("ofc play",):
        answer = await club.slash(name, command)
        assert answer.text == words("lobby.missing_permissions", permissions=words("permission.send_messages"))
        assert in_japanese(answer.text) == (name == "hanako")
    club.forbid("view_channel", "send_messages")
    answer = await club.slash(name, "ofc play")
    assert words("permission.view_channel") in answer.text
    assert await club.play.open_tables(club.key().guild) == []
    club.forbid()
    assert "1" in (await club.slash(name, "ofc play")).text


async def test_a_missing_permission_for_threads_is_named(club: Club) -> None:
    thread = club.thread("cards")
    club.forbid("send_messages_in_threads")
    answer = await thread.slash("alice", "ofc play")
    words = club.words()
    wanted = words("permission.send_messages_in_threads")
    assert answer.text == words("lobby.missing_permissions", permissions=wanted)


async def test_a_game_goes_on_where_the_bot_may_no_longer_send(club: Club) -> None:
    await club.open_table("alice", "bob")
    club.forgiven += ["cannot be shown", "was dropped"]
    club.forbid("send_messages")
    for _ in range(4):
        await club.play_turn(await club.on_turn())
    club.forbid("send_messages", "view_channel")
    for _ in range(6):
        name = await club.on_turn()
        await club.type(name, plain_letters(await club.look(1, name)))
    assert (await club.look()).table.state.value == "between"
    await club.pass_time(13)
    club.forbid()
    name = await club.on_turn()
    await club.slash(name, "place", cards="BBBBB")
    assert club.words()("table.hand", hand=2) in club.table_screen().text
    assert len([s for s in club.public() if s.has("seats")]) == 1


# Discord's limits


async def test_looking_for_tables_draws_nothing_that_has_not_changed(club: Club) -> None:
    for _ in range(3):
        await club.slash("alice", "ofc play")
    await club.slash("bob", "ofc table", do="tables")
    edits = club.requests("PATCH", "/messages/")
    for _ in range(5):
        await club.slash("bob", "ofc table", do="tables")
        await club.slash("alice", "hand")
    assert club.requests("PATCH", "/messages/") == edits
    await club.pass_time(301)
    await club.slash("bob", "ofc table", do="tables")
    assert club.requests("PATCH", "/messages/") == edits + 3


async def test_players_are_told_in_their_panel_of_a_message_that_is_late_and_that_passes(club: Club) -> None:
    await club.open_table("alice", "bob", clock="2m")
    await club.open_panel("alice")
    late = club.words()("panel.late")
    fault = {"method": "PATCH", "path": "/channels/*/messages/*", "status": 503, "code": 0, "message": "", "times": 9}
    club.backend.faults.append(fault)
    club.forgiven.append("could not be drawn now")
    await club.type_turn("bob")
    await club.place("alice", await club.open_panel("alice"), "BBMMF")
    await club.slash("alice", "place", cards="undo")
    words = club.words("alice")
    undone = words("typed.undone", where=words("typed.table", table=1, game=words("variant.pineapple.name")))
    assert club.private("alice")[-1].text.startswith(undone)
    assert late not in club.private("alice")[-1].text
    assert club.bot.services.publisher.lag.behind(club.key()) >= 0
    await club.pass_time(12)
    assert club.bot.services.publisher.lag.behind(club.key()) > 10
    assert club.bot.services.publisher.lag_seconds() > 10
    assert late in club.private("alice")[-1].text
    # Being late is no reason to withdraw the answer.
    assert club.private("alice")[-1].text.startswith(undone)
    club.backend.faults.clear()
    await club.pass_time(31)
    assert late not in club.private("alice")[-1].text
    assert club.private("alice")[-1].text.startswith(undone)
    assert club.bot.services.publisher.lag.behind(club.key()) == 0


FULL_DISK = (
    "storage trouble",
    "the clock is waiting for the storage",
    "could not be drawn now",
    "the clocks were stopped",
)


def fill_the_disk_after_a_post(club: Club, *, of: str) -> None:
    """From the next public message on that has these words in it, nothing can be written."""

    def listen(event: str, payload: Any) -> None:
        if event == "MESSAGE_CREATE" and of in text_of(payload["components"]):
            club.backend.subscribers.remove(listen)
            club.troubles.append(sqlite3.SQLITE_FULL)

    club.forgiven.extend(FULL_DISK)
    club.backend.subscribers.append(listen)


async def draw_again(club: Club, times: int) -> None:
    """Let the publisher look at the table again and again."""
    for _ in range(times):
        club.bot.services.publisher.changed(club.key())
        await club.bot.services.publisher.drawn()


async def test_nobody_is_called_again_and_again_while_the_call_cannot_be_noted(club: Club) -> None:
    await club.call_at_once()
    await club.open_table("alice", "bob", clock="2m")
    await club.pass_time(21)
    fill_the_disk_after_a_post(club, of=f"{club.members['alice'].mention}, it's your turn at table 1")
    await club.type_turn("bob")
    assert club.troubles
    await draw_again(club, 5)
    assert pings(club, "alice") == 1
    club.troubles.clear()
    await draw_again(club, 2)
    assert pings(club, "alice") == 1
    assert club.player("alice") in (await club.look()).table.called


async def test_a_result_is_posted_once_though_that_cannot_be_noted(club: Club) -> None:
    await club.open_table("alice", "bob", clock="2m")
    while len((await club.look()).waiting) == 1 and (await club.look()).hand.street < 5:  # type: ignore[union-attr]
        await club.type_turn(await club.on_turn())
    await club.type_turn(await club.on_turn())
    fill_the_disk_after_a_post(club, of=club.words()("result.heading", hand=1, table=1))
    posts = club.requests("POST", "/messages")
    await club.type_turn(await club.on_turn())
    assert club.troubles
    await draw_again(club, 5)
    assert club.requests("POST", "/messages") == posts + 1
    club.troubles.clear()
    await draw_again(club, 2)
    assert club.requests("POST", "/messages") == posts + 1
    assert await club.play.postings() == []
