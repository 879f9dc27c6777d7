"""Before the start on Discord: the question to the organiser, an event that's called off, stand-ins and pings."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import discord
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.chat.event.screens.screen import about, opened_text
from bot.chat.kit.custom_ids import short_id
from bot.model.clock import HOUR, MINUTE, Clock, Pace
from bot.model.events import Event, Official, Phase
from bot.model.ids import EventKey, Player
from bot.play.event.office.registration import PlannedEvent
from bot.pure.event.structure import PRESETS
from bot.pure.ofc.presets import PINEAPPLE
from cogs.event.event_command import NAME
from tests.discord.club import Club, Screen
from tests.discord.forge import forge
from tests.discord.forms import enter_in_setup, settings_page
from tests.discord.messages import notified
from tests.discord.test_event_desk import announced, guests_of, open_desk, posted
from tests.discord.test_event_desk_kept import staff_room
from tests.discord.test_event_form import guild_of
from tests.discord.test_event_seasons import played
from tests.in_turn import in_turn

BOSS = Official(player=Player("99"), manager=True)


async def doubtful(club: Club, organiser: str = "bob", *, here: int = 1, **changes: Any) -> EventKey:
    """An event a minute before its start, whose check-in is open. ``here`` of its three guests have checked in."""
    values = {"check_in_minutes": 15, "least": 2, "most": 8} | changes
    key = await announced(club, organiser, hours=0.5, **values)
    await guests_of(club, key, 3)
    await club.pass_time(16 * 60)
    for number in range(here):
        await club.slash(f"guest{number}", NAME, do="check in")
    await wait_until(club, key, 60)
    return key


async def event_of(club: Club, key: EventKey) -> Event:
    """Return the event as it's stored."""
    return (await club.bot.services.events.look(key)).event


async def wait_until(club: Club, key: EventKey, seconds: float) -> None:
    """Let time pass until ``seconds`` before the start."""
    starts_at = (await event_of(club, key)).starts_at
    assert starts_at is not None
    await club.pass_time((starts_at - club.world.now_ms()) / 1000 - seconds)
    await posted(club)


def question(club: Club) -> Screen:
    """Return the message that asks the organiser."""
    return next(screen for screen in reversed(club.public()) if screen.has("ev_d_later"))


def sent_with(club: Club, text: str) -> list[Any]:
    """Return the new messages that say this, as they were sent."""
    return [one.json for one in club.backend.http_requests if one.method == "POST" and text in str(one.json)]


@in_turn("name", "bob", "hanako")
async def test_the_organiser_alone_is_asked_who_is_missing_and_postpones_once(club: Club, name: str) -> None:
    key, words = await doubtful(club, name), club.words(name)
    asked = question(club)
    assert "**1 of 3**" in asked.text or "3人中**1人**" in asked.text
    assert all(club.members[who].mention in asked.text for who in ("guest1", "guest2"))
    assert [*asked.message.ping_user_ids] == [club.members[name].id]
    labels = [words("event_notice.doubt.postpone", count=15), words("event_notice.doubt.start")]
    assert asked.labels() == [*labels, words("event_desk.button.call_missing", count=2)]
    before, button = (await event_of(club, key)).starts_at, asked.find("ev_d_later")
    stranger = await club.tap("dave" if "dave" in club.members else "guest0", asked, button)
    assert stranger.text == club.words("guest0")("refused.not_organiser")
    done = await club.tap(name, asked, button)
    starts_at = (await event_of(club, key)).starts_at
    assert before is not None
    assert starts_at == before + 15 * MINUTE
    assert words("event.done.postponed", name="Night", hour=f"<t:{starts_at // 1000}:F>") in done.text
    twice = await forge(club, "alice", asked, button["custom_id"])
    assert twice.said == club.words("alice")("refused.start_moved")
    assert (await event_of(club, key)).starts_at == starts_at
    await posted(club)
    assert not asked.has("ev_d_later"), "the message says that the start has moved"


async def test_a_start_with_everyone_here_is_no_question(club: Club) -> None:
    key = await doubtful(club, here=3)
    assert not any(screen.has("ev_d_later") for screen in club.public())
    await wait_until(club, key, -60)
    assert (await event_of(club, key)).phase is Phase.RUNNING


async def test_the_question_is_closed_once_everyone_is_here(club: Club) -> None:
    await doubtful(club, here=2)
    asked = question(club)
    await club.slash("guest2", NAME, do="check in")
    await posted(club)
    assert club.words()("event_notice.over.complete") in asked.text
    assert not asked.controls()


async def test_the_missing_are_called_from_the_question_with_one_ping(club: Club) -> None:
    await doubtful(club)
    asked = question(club)
    await club.tap("bob", asked, asked.find("ev_d_call_all"))
    await posted(club)
    (sent,) = sent_with(club, "Reminder from")
    assert sorted(notified(sent)) == sorted(str(club.members[who].id) for who in ("guest1", "guest2"))
    twice = await club.tap("alice", asked, asked.find("ev_d_call_all"))
    assert twice.text == club.words("alice")("refused.called_just_now")


async def test_the_organiser_starts_anyway_with_those_who_are_registered(club: Club) -> None:
    key = await doubtful(club)
    asked = question(club)
    sure = await club.tap("bob", asked, asked.find("ev_start"))
    assert club.words("bob")("event.ask.start_check_in") in sure.text
    await club.tap("bob", sure, sure.find("ev_begin"))
    await posted(club)
    view = await club.bot.services.events.look(key)
    assert view.event.phase is Phase.RUNNING
    assert {club.name_of(line.entrant.player) for line in view.lines} == {"guest0", "guest1", "guest2"}
    assert not any(screen.has("ev_d_later") for screen in club.public())
    late = await forge(club, "bob", asked, f"c1:{about(view.event).but('ev_d_later', terms='0' * 12)}")
    assert late.said == club.words("bob")("refused.event_runs")


async def test_an_event_of_one_offers_no_start(club: Club) -> None:
    await announced(club, "bob", hours=0.5, check_in_minutes=0, least=3, most=8)
    await guests_of(club, EventKey(guild=guild_of(club), number=1), 1)
    await club.pass_time(29 * 60)
    await posted(club)
    asked = question(club)
    assert asked.labels() == ["Postpone 15 minutes"]
    assert "It takes at least 3 players" in asked.text


async def test_the_question_comes_to_the_desk_that_is_kept_in_a_channel(club: Club) -> None:
    key = await announced(club, "bob", hours=0.5, check_in_minutes=15, least=2, most=8)
    await guests_of(club, key, 3)
    room = await staff_room(club, "alice")
    desk = await room.slash("alice", NAME, do=f"desk {key.number}")
    await room.tap("alice", desk, desk.find("ev_d_keep"))
    await wait_until(club, key, 60)
    assert not any(screen.has("ev_d_later") for screen in club.public())
    asked = question(room)
    assert [*asked.message.ping_user_ids] == [club.members["bob"].id]
    await wait_until(club, key, -90)
    assert (await event_of(club, key)).phase is Phase.CANCELLED
    assert club.words()("event_notice.over.cancelled") in asked.text
    assert not asked.controls()


@in_turn("name", "bob", "hanako")
async def test_everyone_who_registered_is_told_that_it_is_called_off_and_it_is_held_again(
    club: Club, name: str
) -> None:
    key, words = await doubtful(club, name, fee=50), club.words(name)
    await wait_until(club, key, -90)
    event = await event_of(club, key)
    assert (event.phase, event.reason) == (Phase.CANCELLED, "too_few")
    told = next(screen for screen in reversed(club.public()) if screen.has("ev_again"))
    people = [name, "guest0", "guest1", "guest2"]
    assert sorted(told.message.ping_user_ids) == sorted(club.members[one].id for one in people)
    again = told.find("ev_again")
    assert again["label"] == words("event.button.hold_again")
    refused = await club.tap("guest0", told, again)
    assert refused.text == club.words("guest0")("event.refuse.not_allowed")
    role = club.guild.create_role("Organisers")
    club.backend.add_member_role(club.guild.id, club.members[name].id, role.id)
    await club.play.choose_for_server(guild_of(club), partial(replace, organiser_role=role.id))
    draft = await club.tap(name, told, again)
    assert draft.has("ev_form_publish")
    assert "Night" in draft.text
    typed = await club.slash(name, NAME, do=f"{words('event_acts.name.copy')} {key.number}")
    assert typed.has("ev_form_publish"), "the same is typed"


async def test_an_organiser_who_cancels_is_not_pinged_for_it_but_for_what_others_cancel(club: Club) -> None:
    for number, by in enumerate(("bob", "alice")):
        key = await publish(club, number)
        official = Official(player=club.player(by), manager=by == "alice")
        await club.bot.services.events.cancel(key, official, why=f"Rain for {by}", cause=f"off {by}")
        await posted(club)
        (sent,) = sent_with(club, f"Rain for {by}")
        assert notified(sent) == ([] if by == "bob" else [str(club.members["bob"].id)])


# stand-ins


async def stand_in(club: Club, name: str) -> Any:
    """Give a member the organisers' role in a server that lets it stand in."""
    role = club.guild.create_role("Organisers")
    club.backend.add_member_role(club.guild.id, club.members[name].id, role.id)
    await enter_in_setup(club, "alice", "organiser role", [role])
    return role


@in_turn("name", "bob", "hanako")
async def test_stand_ins_are_chosen_in_setup_and_then_run_the_events_of_others(club: Club, name: str) -> None:
    words, organiser = club.words(name), "hanako" if name == "bob" else "bob"
    role = await stand_in(club, name)
    await announced(club, organiser)
    shown = next(screen for screen in reversed(await posted(club)) if screen.has("ev_details"))
    assert not (await club.tap(name, shown, shown.find("ev_details"))).has("ev_start"), "off by default"
    refused = await club.slash(name, NAME, do=words("event_acts.name.start"))
    assert words("event_acts.why.organisers", act=words("event_acts.name.start")) in refused.text
    page = await enter_in_setup(club, "alice", "stand-ins", ["1"])
    assert club.words("alice")("setup.organisers.stand_in", role=role.mention) in page.text
    offered = await club.members[name].autocomplete(club.channel, NAME, "do", words("event_acts.name.desk"))
    assert offered
    desk = await club.tap(name, shown, shown.find("ev_details"))
    assert desk.has("ev_start")
    said = await club.slash(name, NAME, do=words("event_acts.name.say"), value="Hello")
    assert words("event.done.said") in said.text
    await club.register(name)
    plays = await club.tap(name, desk, desk.find("ev_start"))
    assert plays.text == words("refused.not_organiser")
    assert not (await club.tap(name, shown, shown.find("ev_details"))).has("ev_start")
    await club.slash(name, NAME, do=words("event_acts.name.withdraw"))
    club.backend.remove_member_role(club.guild.id, club.members[name].id, role.id)
    gone = await club.slash(name, NAME, do=words("event_acts.name.start"))
    assert words("event_acts.why.organisers", act=words("event_acts.name.start")) in gone.text


async def test_a_stand_in_makes_nobody_a_co_organiser(club: Club) -> None:
    words = club.words("bob")
    await stand_in(club, "bob")
    await enter_in_setup(club, "alice", "stand-ins", ["1"])
    key = await announced(club, "hanako")
    typed = await club.slash("bob", NAME, do=words("event_acts.name.help"), player=str(club.members["bob"].id))
    assert words("refused.stands_in") in typed.text
    desk = await open_desk(club, "bob")
    own = about(await event_of(club, key)).but("ev_d_help", short_id(club.members["bob"].id))
    assert (await forge(club, "bob", desk, f"c1:{own}")).said == words("refused.stands_in")
    assert (await event_of(club, key)).helpers == ()


async def test_stand_ins_run_nothing_in_a_channel_that_is_hidden_from_them(club: Club) -> None:
    await stand_in(club, "bob")
    await enter_in_setup(club, "alice", "stand-ins", ["1"])
    key = await announced(club, "hanako")
    elsewhere = replace(club, channel=club.guild.create_text_channel("other"))
    hidden = discord.Permissions(view_channel=True, send_messages=True).value
    member = Overwrite(target_id=club.members["bob"].id, type=OverwriteType.MEMBER, allow=0, deny=hidden)
    club.backend.set_overwrite(club.channel.id, member)
    await club.settle()
    words = club.words("bob")
    typed = await elsewhere.slash("bob", NAME, do="desk")
    assert "Night" not in typed.text
    assert not typed.has("ev_start")
    here = await elsewhere.slash("bob", NAME, do="list")
    await posted(club)
    event = await event_of(club, key)
    for verb in ("ev_desk", "ev_d_people", "ev_d_keep", "ev_d_let_go", "ev_seeds", "ev_seed_clear", "ev_d_later"):
        press = await forge(elsewhere, "bob", here, f"c1:{about(event).but(verb)}")
        assert press.said in (words("refused.may_not_write"), words("refused.channel_hidden")), verb
    assert (await event_of(club, key)) == event


# pings for a new event


def opening(club: Club) -> Any:
    """Return the request that posted the newest event's opening."""
    return sent_with(club, "registration is open")[-1]


async def publish(club: Club, number: int, series: str = "") -> EventKey:
    """Publish one of Bob's events, and wait until it's posted."""
    plan = PlannedEvent(
        guild=guild_of(club),
        channel=club.channel.id,
        organiser=club.player("bob"),
        language="en",
        name=f"Friday {number}",
        variant=PINEAPPLE,
        structure=replace(PRESETS["chaipo"], threads=False),
        clock=Clock(pace=Pace.PER_TURN, seconds=60),
        starts_at=int(club.world.now_ms() + HOUR),
        series=series,
    )
    event = await club.bot.services.events.create(plan, cause=f"published {number}")
    await posted(club)
    return event.key


@in_turn("name", "alice", "hanako")
async def test_a_role_is_pinged_once_for_each_new_event_and_never_for_a_change(club: Club, name: str) -> None:
    role = club.guild.create_role("Events", mentionable=True)
    words = club.words("alice")
    await publish(club, 1)
    assert opening(club)["allowed_mentions"].get("roles", []) == [], "off by default"
    page = await enter_in_setup(club, "alice", "event role", [role])
    assert words("setup.told.events", role=role.mention) in page.text
    key = await publish(club, 2)
    sent = opening(club)
    assert sent["allowed_mentions"]["roles"] == [role.id]
    assert role.mention in str(sent["components"])
    assert any(role.mention in screen.text for screen in club.public()), "a thread would be joined by the whole role"
    event = await event_of(club, key)
    assert opened_text(event, words) in str(sent["components"]), "it says what opens, when and where"
    assert f"<t:{(event.starts_at or 0) // 1000}:" in opened_text(event, words)
    assert str(event.message) in opened_text(event, words)
    count = len(sent_with(club, role.mention))
    official = Official(player=club.player("bob"))
    changes = {"starts_at": (event.starts_at, (event.starts_at or 0) + MINUTE)}
    await club.bot.services.events.change(key, official, changes, cause="later")
    await posted(club)
    assert len(sent_with(club, role.mention)) == count


async def test_everyone_and_deleted_roles_are_refused_and_a_silent_one_is_told(club: Club) -> None:
    words, silent = club.words("alice"), club.guild.create_role("Silent")
    club.forbid("mention_everyone")
    everyone = await enter_in_setup(club, "alice", "event role", [club.guild.default_role])
    assert words("setup.event_role_everyone") in everyone.text
    assert (await club.play.server(guild_of(club))).event_role is None
    page = await enter_in_setup(club, "alice", "event role", [silent])
    assert words("setup.told_role_silent", role=silent.mention) in page.text
    await publish(club, 1)
    assert opening(club)["allowed_mentions"].get("roles", []) == []
    assert silent.mention not in str(opening(club)["components"]), "a name that pings no one is left out"
    club.backend.delete_role(club.guild.id, silent.id)
    await club.settle()
    key = await publish(club, 2)
    assert (await event_of(club, key)).message is not None, "it's published without the ping"
    assert "<@&" not in str(opening(club)["components"])


async def next_date(club: Club, number: int) -> Any:
    """Publish another date of the series, return the request that posted it, and call it off."""
    key = await publish(club, number, "Spring")
    sent = opening(club)
    await club.bot.services.events.cancel(key, BOSS, why="Rain", cause=f"called off {number}")
    await posted(club)
    return sent


@in_turn("winner", "alice", "hanako")
async def test_players_of_the_last_date_are_pinged_and_opt_out_with_one_press(club: Club, winner: str) -> None:
    words = club.words(winner)
    await played(club, winner, "bob")
    sent = await next_date(club, 1)
    assert notified(sent) == [str(club.members[winner].id)], "whoever was disqualified isn't called"
    message = next(screen for screen in club.public() if screen.has("ev_dates"))
    off = await club.tap(winner, message, message.find("ev_dates"))
    assert off.text == words("event.done.series_calls_off")
    assert notified(await next_date(club, 2)) == []
    await club.tap(winner, message, message.find("ev_dates"))
    assert notified(await next_date(club, 3)) == [], "a second press doesn't turn them on"
    on = await club.tap(winner, off, off.find("ev_dates"))
    assert on.text == words("event.done.series_calls_on")
    assert notified(await next_date(club, 4)) == [str(club.members[winner].id)]
    page = await settings_page(club, winner, "wish_series")
    turned = await club.tap(winner, page, page.find("wish_series"))
    assert words("settings.series.off") in turned.text
    assert notified(await next_date(club, 5)) == []
