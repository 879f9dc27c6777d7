"""The organiser's desk as a message that is kept in a private channel."""

from __future__ import annotations

from dataclasses import replace

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.model.events import Official, Phase
from tests.discord.club import Club, Screen
from tests.discord.test_event_desk import ORGANISERS, desk_of, open_desk, posted, running


async def staff_room(club: Club, name: str) -> Club:
    """Return the club in a channel that only managers and ``name`` can see."""
    room = club.guild.create_text_channel("staff")
    hidden = discord.Permissions(view_channel=True).value
    everyone = Overwrite(target_id=club.guild.id, type=OverwriteType.ROLE, allow=0, deny=hidden)
    club.backend.set_overwrite(room.id, everyone)
    bot = club.bot.user
    assert bot is not None
    writes = discord.Permissions(view_channel=True, send_messages=True, embed_links=True, read_message_history=True)
    for who in (club.members[name].id, bot.id):
        member = Overwrite(target_id=who, type=OverwriteType.MEMBER, allow=writes.value, deny=0)
        club.backend.set_overwrite(room.id, member)
    return replace(club, channel=room)


@pytest.mark.parametrize("name", ORGANISERS)
async def test_the_desk_is_kept_in_one_message_of_a_private_channel(club: Club, name: str) -> None:
    words = club.words(name)
    key, _ = await running(club, name)
    public = await open_desk(club, name)
    refused = await club.tap(name, public, public.find("ev_d_keep"))
    assert refused.text == words("refused.read_by_all")
    assert (await desk_of(club, key)).event.desk_channel is None
    official = Official(player=club.player("alice"), manager=True)
    await club.bot.services.events.co_organiser(
        key, official, club.player("alice"), remove=False, cause="so that alice may"
    )
    room = await staff_room(club, "alice")
    desk = await room.slash("alice", "event", do=f"desk {key.number}")
    done = await room.tap("alice", desk, desk.find("ev_d_keep"))
    assert club.words("alice")("event_desk.done.kept") in done.text
    await posted(club)
    (kept,) = room.public()
    assert (await desk_of(club, key)).event.desk_message == kept.id
    assert words("event_desk.tables") in kept.text
    assert not kept.message.ping_user_ids
    await club.bot.services.events.pause(key, official, cause="all wait")
    await club.pass_time(20)
    await posted(club)
    assert [screen.id for screen in room.public()] == [kept.id], "it is edited"
    assert kept.has("ev_d_resume"), "as the event stands now"
    private = await room.tap("alice", kept, kept.find("ev_desk"))
    assert private.id != kept.id, "what one asks is answered to them alone"
    club.backend.delete_message(room.channel.id, kept.id)
    await club.bot.services.events.resume(key, official, cause="on we go")
    await club.pass_time(20)
    await posted(club)
    (again,) = room.public()
    assert again.has("ev_d_pause"), "a message that was deleted by hand is posted again"
    await club.bot.services.events.cancel(key, official, why="Rain", cause="called off")
    await club.pass_time(20)
    await posted(club)
    assert words("event_desk.over") in again.text
    assert not again.controls()


async def test_a_desk_is_kept_no_more_when_that_is_pressed_or_its_channel_is_closed_to_the_bot(club: Club) -> None:
    key, _ = await running(club, "bob")
    official = Official(player=club.player("alice"), manager=True)
    room = await staff_room(club, "alice")

    async def keep() -> Screen:
        desk = await room.slash("alice", "event", do=f"desk {key.number}")
        return await room.tap("alice", desk, desk.find("ev_d_keep"))

    kept = await keep()
    await posted(club)
    assert len(room.public()) == 1
    gone = await room.tap("alice", kept, kept.find("ev_d_let_go"))
    assert club.words("alice")("event_desk.done.let_go") in gone.text
    assert room.public() == []
    await keep()
    await posted(club)
    club.backend.delete_channel(room.channel.id)
    await club.bot.services.events.pause(key, official, cause="all wait")
    await club.pass_time(20)
    await posted(club)
    event = (await desk_of(club, key)).event
    assert (event.desk_channel, event.phase) == (None, Phase.RUNNING), "nothing else ends with it"


async def test_a_kept_desk_goes_at_once_when_everybody_sees_it_by_a_right_of_the_whole_server(club: Club) -> None:
    key, _ = await running(club, "bob")
    room = await staff_room(club, "alice")
    desk = await room.slash("alice", "event", do=f"desk {key.number}")
    await room.tap("alice", desk, desk.find("ev_d_keep"))
    await posted(club)
    assert len(room.public()) == 1
    # Everyone's right to see it is left to the server now, which takes and gives it.
    before = (await desk_of(club, key)).event.version
    seeing, nothing = discord.Permissions(view_channel=True), discord.Permissions.none()
    club.backend.edit_role(club.guild.id, club.guild.id, {"permissions": nothing.value})
    club.backend.delete_overwrite(room.channel.id, club.guild.id)
    await posted(club)
    assert len(room.public()) == 1, "nobody else sees it yet"
    club.backend.edit_role(club.guild.id, club.guild.id, {"permissions": seeing.value})
    await posted(club)
    assert room.public() == []
    event = (await desk_of(club, key)).event
    assert (event.desk_channel, event.version) == (None, before), "and nothing of the event had changed"
