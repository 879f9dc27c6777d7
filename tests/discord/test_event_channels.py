"""Additional channels for an event's tables: chosen on its page, shown to everyone, and always usable."""

from __future__ import annotations

from dataclasses import replace

import discord
from simcord import ChannelHandle
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.chat.kit.bot_permissions import NEEDED_FOR_TABLES
from bot.model.events import Official
from bot.model.ids import GuildId
from bot.pure.event.structure import PRESETS
from bot.text.words import words_for
from tests.discord.club import Club, Screen
from tests.discord.messages import text_of
from tests.discord.test_event_form import fields_of, guild_of, open_events, opened, page, publish, write
from tests.discord.test_event_screen import ENGLISH, details, entrant, event_of, view_of
from tests.discord.test_powers import make_host
from tests.in_turn import in_turn

WRITES = discord.Permissions(send_messages=True).value


async def place(club: Club, name: str = "alice") -> Screen:
    """The page of an event."""
    return await club.draft(name, preset="chaipo", name="Night", when="in 2 hours")


async def spread(club: Club, shown: Screen, *channels: ChannelHandle, name: str = "alice") -> Screen:
    """Choose channels for the tables."""
    return await write(club, shown, by=name, channels=[*channels])


def forbid(club: Club, channel: ChannelHandle, who: int) -> None:
    """Forbid a member to write in a channel."""
    club.backend.set_overwrite(channel.id, Overwrite(target_id=who, type=OverwriteType.MEMBER, allow=0, deny=WRITES))


async def test_channels_for_tables_are_chosen_and_told_to_everybody(club: Club) -> None:
    hall, attic = (club.guild.create_text_channel(name) for name in ("hall", "attic"))
    words = club.words("alice")
    shown = await spread(club, await place(club), hall, attic, club.channel)
    both = f"{hall.mention} and {attic.mention}"
    assert words("event_form.channels_seen", channels=both) in shown.text
    field = fields_of(await opened(club, shown, "tables"))[words("event_form.field.channels")]
    assert [int(one["id"]) for one in field["default_values"]] == [hall.id, attic.id]
    made = await publish(club, shown)
    assert made.structure.channels == (hall.id, attic.id), "its own is one already"
    assert words("structure.threads_more", channels=both) in (await club.slash("alice", "event", do="show")).text


async def test_a_channel_where_the_organiser_may_not_write_is_refused(club: Club) -> None:
    hall = club.guild.create_text_channel("hall")
    role = club.guild.create_role("hosts", permissions=discord.Permissions(manage_events=True))
    club.backend.add_member_role(club.guild.id, club.members["hanako"].id, role.id)
    forbid(club, hall, club.members["hanako"].id)
    shown = await spread(club, await place(club, "hanako"), hall, name="hanako")
    assert "⚠️" in shown.text
    assert hall.mention in shown.text
    await club.press("hanako", shown, shown.find("ev_form_publish"))
    (made,) = await open_events(club)
    assert made.structure.channels == ()


async def test_a_channel_where_the_bot_may_not_write_is_refused_and_the_page_says_what_it_needs(club: Club) -> None:
    hall, words = club.guild.create_text_channel("hall"), club.words("alice")
    forbid(club, hall, club.bot.user.id if club.bot.user else 0)
    shown = await spread(club, await place(club), hall)
    needed = words.list([words(f"permission.{one.value}") for one in NEEDED_FOR_TABLES[True]])
    assert words("event_form.channels_refused", channels=hall.mention, permissions=needed) in shown.text


async def test_a_channel_that_closes_after_it_was_chosen_is_left_out(club: Club) -> None:
    hall = club.guild.create_text_channel("hall")
    shown = await spread(club, await place(club), hall)
    forbid(club, hall, club.bot.user.id if club.bot.user else 0)
    assert (await publish(club, shown)).structure.channels == ()


async def test_the_page_says_how_long_a_large_start_takes_and_that_more_channels_shorten_it(club: Club) -> None:
    hall, words = club.guild.create_text_channel("hall"), club.words("alice")
    shown = await write(club, await place(club), table_seats="3", most="300", least="2")
    section = words("event_form.sections.tables")
    told = words(
        "event_form.slow_start", tables=100, most=300, time=words("duration.minutes", count=1), section=section
    )
    assert told in shown.text
    shown = await spread(club, shown, hall)
    assert told[:20] not in shown.text


def test_an_event_says_before_its_start_how_long_those_who_have_come_wait_for_the_last_table() -> None:
    event = event_of(structure=replace(PRESETS["chaipo"], most=300))
    people = [entrant(number) for number in range(1, 301)]

    def told(*, count: int) -> str:
        return text_of(details(view_of(event, people[:count]), ENGLISH).to_components())

    slow = ENGLISH("event.slow_start", time=ENGLISH("duration.minutes", count=1))
    assert slow in told(count=300)
    assert slow[:20] not in told(count=150), "its tables all get their threads at once"


async def test_the_next_of_an_event_is_held_only_where_the_one_who_repeats_it_may_write(club: Club) -> None:
    hall, attic = (club.guild.create_text_channel(name) for name in ("hall", "attic"))
    role = club.guild.create_role("hosts", permissions=discord.Permissions(manage_events=True))
    club.backend.add_member_role(club.guild.id, club.members["hanako"].id, role.id)
    shown = await spread(club, await place(club, "hanako"), hall, attic, name="hanako")
    await club.press("hanako", shown, shown.find("ev_form_publish"))
    (first,) = await open_events(club)
    assert first.structure.channels == (hall.id, attic.id)
    await club.slash("hanako", "event", do=f"repeat {first.key.number}", value="week")
    forbid(club, hall, club.members["hanako"].id)
    by = Official(player=club.player("alice"), manager=True)
    await club.bot.services.events.cancel(first.key, by, why="Rain", cause="cancels")
    await club.bot.services.event_publisher.sweep()
    await club.bot.services.event_publisher.drawn()
    (following,) = await open_events(club)
    assert following.structure.channels == (attic.id,)
    assert following.repeat is not None
    assert words_for(following.language)("event_notice.dropped.channels", channels=hall.mention) in club.said()


async def lose_the_channel(club: Club, seen: bool) -> None:
    """Bob registers for Alice's event, and its channel is deleted."""
    services = club.bot.services
    event = await publish(club, await place(club))
    await services.events.register(event.key, club.player("bob"), cause="registers")
    await services.event_publisher.drawn()
    if not seen:
        hidden = discord.Permissions(view_channel=True).value
        club.backend.set_overwrite(
            club.channel.id, Overwrite(target_id=club.guild.id, type=OverwriteType.ROLE, allow=0, deny=hidden)
        )
        await club.settle()
    club.watch.clubs.remove(club)
    club.backend.delete_channel(club.channel.id)
    await club.world.env.settle()
    await services.event_publisher.drawn()
    assert (await services.events.look(event.key)).event.reason == "channel_gone"
    await services.event_publisher.sweep()
    await services.event_publisher.drawn()


async def log_in(club: Club, log: ChannelHandle) -> None:
    """Alice keeps the managers' log in a channel."""
    await club.bot.services.bank.change_terms(
        GuildId(club.guild.id),
        club.player("alice"),
        lambda before: replace(before, audit_channel=log.id),
        cause="log",
    )


def news_in(club: Club, channel: ChannelHandle) -> list[Screen]:
    """The posts of a channel that say that an event has lost its own."""
    wanted = words_for("en")("event_notice.cancelled.channel_gone")
    messages = club.backend.messages.get(channel.id, {}).values()
    shown = [Screen(club, message.channel_id, message.id) for message in messages]
    return [one for one in shown if wanted in one.text]


async def test_a_deleted_channel_is_told_to_organiser_and_players_where_the_server_has_its_tables(club: Club) -> None:
    hall, log = (club.guild.create_text_channel(name) for name in ("hall", "log"))
    guild = GuildId(club.guild.id)
    await club.play.choose_for_server(guild, lambda before: replace(before, channels=(club.channel.id, hall.id)))
    await log_in(club, log)
    await lose_the_channel(club, seen=True)
    (said,) = news_in(club, hall)
    assert "Night" in said.text
    assert {str(one) for one in said.message.ping_user_ids} == {club.player("alice"), club.player("bob")}
    assert news_in(club, log) == []


async def test_news_of_a_hidden_channel_stays_with_the_managers(club: Club) -> None:
    hall, log = (club.guild.create_text_channel(name) for name in ("hall", "log"))
    guild = GuildId(club.guild.id)
    await club.play.choose_for_server(guild, lambda before: replace(before, channels=(club.channel.id, hall.id)))
    await log_in(club, log)
    await lose_the_channel(club, seen=False)
    assert news_in(club, hall) == []
    (said,) = news_in(club, log)
    assert f"<@{club.player('alice')}>" in said.text


@in_turn("name", "alice", "hanako")
async def test_a_copy_says_what_is_unusual_without_saying_that_its_organiser_changed_it(club: Club, name: str) -> None:
    words, there = club.words(name), club.thread("cards")
    await make_host(club, name)
    shown = await there.draft(name, preset="chaipo", name="Night", when="in 2 hours")
    unusual = words("event_form.chosen", changes="").strip()
    assert unusual not in shown.text, "the channel has no threads, and nobody chose that"
    published = await there.press(name, shown, shown.find("ev_form_publish"))
    assert published is not None
    made = (await club.bot.services.events.events(guild_of(club)))[0]
    assert not made.structure.threads
    again = await there.draft(name, like=made.key.number)
    assert words("event_form.threadless") in again.text
    assert unusual not in again.text
    elsewhere = await club.draft(name, like=made.key.number)
    none = words("event_form.option.threads.no")
    tables = words("event_form.changed.brief", field=words("event_form.field.threads"), after=none)
    assert tables in next(line for line in elsewhere.text.splitlines() if line.startswith(unusual))


async def test_a_change_from_a_thread_says_nothing_about_threads(club: Club) -> None:
    made = await publish(club, await page(club, preset="chaipo", name="Night", when="in 2 hours"))
    words = club.words("alice")
    changing = await club.thread("cards").slash("alice", "event", do=f"change {made.key.number}")
    assert words("event_form.title_change", name="Night") in changing.text
    assert words("event_form.threadless") not in changing.text
