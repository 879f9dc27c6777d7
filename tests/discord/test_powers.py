"""The bot does nothing for people that they may not do themselves, such as ruling on their own event."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.model.events import Phase
from bot.model.ids import EventKey, GuildId
from tests.discord.club import Club
from tests.discord.forms import enter, enter_in_setup
from tests.discord.test_event_form import guild_of, open_events, page, publish, say_why
from tests.in_turn import in_turn


def silence(club: Club, name: str, *permissions: str) -> None:
    """Deny a member these permissions in the channel; without arguments, restore all."""
    silence_in(club, club.channel, name, *permissions)


def silence_in(club: Club, channel: Any, name: str, *permissions: str) -> None:
    """Deny a member these permissions in another channel."""
    denied = discord.Permissions(**dict.fromkeys(permissions, True))
    who = club.members[name].id
    club.backend.set_overwrite(
        channel.id, Overwrite(target_id=who, type=OverwriteType.MEMBER, allow=0, deny=denied.value)
    )


async def make_host(club: Club, name: str) -> None:
    """Allow a member to organise events without managing the server."""
    role = club.guild.create_role("Hosts")
    await enter_in_setup(club, "alice", "organiser role", [role])
    club.backend.add_member_role(club.guild.id, club.members[name].id, role.id)


async def publish_as(club: Club, name: str) -> EventKey:
    """Publish a member's draft."""
    shown = await club.draft(name)
    await club.press(name, shown, shown.find("ev_form_publish"))
    return (await open_events(club))[0].key


# writing


@in_turn("name", "bob", "hanako")
async def test_who_may_not_write_in_a_channel_opens_no_table_there(club: Club, name: str) -> None:
    silence(club, name, "send_messages")
    assert (await club.slash(name, "ofc play")).text == club.words(name)("refused.may_not_write")
    assert await club.play.open_tables(GuildId(club.guild.id)) == []
    assert club.public() == []
    silence(club, name)
    await club.slash(name, "ofc play")
    assert len(club.public()) == 2, "what fixes the decks, and the table"


async def test_in_a_thread_the_right_to_write_in_threads_counts(club: Club) -> None:
    thread = club.thread("cards")
    silence(club, "bob", "send_messages_in_threads")
    assert (await thread.slash("bob", "ofc play")).text == club.words("bob")("refused.may_not_write")
    silence(club, "bob", "send_messages")
    await thread.slash("bob", "ofc play")
    (table,) = await club.play.open_tables(GuildId(club.guild.id))
    assert table.channel == thread.channel.id


async def test_who_may_not_write_in_a_channel_announces_no_event_there(club: Club) -> None:
    await make_host(club, "bob")
    answer = await club.draft("bob", name="Night", when="in 2 hours")
    silence(club, "bob", "send_messages")
    refused = await club.press("bob", answer, answer.find("ev_form_publish"))
    assert refused is not None
    assert refused.text == club.words("bob")("refused.may_not_write")
    assert (await club.draft("bob")).text == club.words("bob")("refused.may_not_write")
    assert await open_events(club) == []


async def test_who_may_not_write_in_an_events_channel_says_nothing_there_from_elsewhere(club: Club) -> None:
    await publish(club, await page(club, name="Night", when="in 3 hours"))
    await club.slash("bob", "event", do="register")
    await club.slash("alice", "event", do="co-organiser", player=str(club.members["hanako"].id))
    silence(club, "hanako", "send_messages")
    elsewhere, before = club.guild.create_text_channel("lounge"), club.said()
    hanako, bob = club.members["hanako"], str(club.members["bob"].id)
    for act, options in (
        ("message", {"value": "Look at me"}),
        ("disqualify", {"player": bob}),
        ("unregister", {"player": bob}),
        ("cancel", {}),
        ("start", {}),
        ("postpone", {"value": "30m"}),
        ("co-organiser", {"player": bob}),
    ):
        words, answer = club.words("hanako"), None
        for _ in range(2 if act == "unregister" else 1):  # a ruling is asked once before it's done
            answer = await club._answer(await hanako.slash(elsewhere, "event", do=act, **options))  # noqa: SLF001
        assert answer is not None
        assert answer.text.startswith(words("refused.may_not_write")), act
    assert club.said() == before
    silence(club, "hanako")
    said = await club._answer(await hanako.slash(elsewhere, "event", do="message 1", value="Hello"))  # noqa: SLF001
    assert said is not None
    assert said.text == club.words("hanako")("event.done.said")


@pytest.mark.parametrize(("topic", "field"), [("", "log channel"), ("seasons", "season channel")])
async def test_a_manager_lets_the_bot_post_in_no_channel_in_which_they_may_not_write(
    club: Club, topic: str, field: str
) -> None:
    managers = club.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    club.backend.add_member_role(club.guild.id, club.members["bob"].id, managers.id)
    bank, guild = club.bot.services.bank, guild_of(club)

    async def posts_in() -> int | None:
        return (await bank.seasons(guild)).terms.channel if topic else (await bank.terms(guild)).audit_channel

    page = await club.slash("bob", "setup", **({"topic": topic} if topic else {}))
    room = club.guild.create_text_channel("staff")
    silence_in(club, room, "bob", "send_messages")
    refused = await enter(club, "bob", page, field, [room])
    assert club.words("bob")("refused.may_not_write") in refused.text
    assert await posts_in() is None
    await enter(club, "bob", page, field, [club.channel])
    assert await posts_in() == club.channel.id
    await enter(club, "bob", page, field, [])
    assert await posts_in() is None


# the attack


async def test_a_host_who_plays_cannot_take_the_pool(club: Club) -> None:
    await make_host(club, "bob")
    words, bob, hanako = club.words("bob"), club.player("bob"), club.player("hanako")
    await club.draft("bob", name="Trap", preset="sit_and_go")
    draft = await club.bot.services.events.draft(guild_of(club), club.player("bob"))
    assert draft is not None
    values = {**draft.values, "structure": {**draft.values["structure"], "fee": 3000, "most": 3}}
    await club.bot.services.events.save_draft(guild_of(club), club.player("bob"), values)
    made = await publish_as(club, "bob")
    for name in ("alice", "bob", "hanako"):
        await club.register(name)
    for act, options in (
        ("adjust", {"player": bob, "value": "10000000", "reason": "mine"}),
        ("penalty", {"player": hanako, "value": "3", "reason": "mine"}),
        ("move", {"player": hanako, "table": "2", "reason": "mine"}),
        ("co-organiser", {"player": hanako}),
        ("disqualify", {"player": hanako}),
        ("cancel", {}),
    ):
        assert (await club.slash("bob", "event", do=act, **options)).text.startswith(words("refused.plays_here")), act
    assert (await club.bot.services.events.look(made)).event.phase is Phase.RUNNING
    for name in ("alice", "bob", "hanako"):
        assert await club.play.wallet(guild_of(club), club.player(name)) == 7000
    form = await club.command_form("alice", "event", do="cancel")
    await say_why(club, "alice", form, "Bob tried to cheat")
    shown = club.said()
    assert club.words()("event_notice.cancelled.by_hand", by=club.members["alice"].mention) in shown
    assert club.words()("event_notice.why", why="Bob tried to cheat") in shown
    assert club.words()("event_notice.plays", player=club.members["alice"].mention) in shown
