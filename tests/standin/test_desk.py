"""The organiser's desk on the strict stand-in: forty players at fourteen tables, and the requests to Discord."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.chat.event.screens.desk.page import OTHER
from bot.chat.kit.fragments import MAX_TEXT_LENGTH
from bot.model.ids import Player
from cogs.event.desk import MAX_FETCHED_NAMES
from tests.discord.messages import walk
from tests.standin.rest import MISSING_ACCESS, UNKNOWN_CHANNEL, Fault
from tests.standin.standin import custom_ids
from tests.standin.test_events import BOSS, WEEKLY, WORDS, Evening
from tests.standin.things import Channel, Message
from tests.standin.wired_bot import WiredBot

THREAD_ARCHIVED = 50083
MAX_COMPONENTS, MAX_OPTIONS = 40, 25
PEOPLE = range(1, 41)


@pytest.fixture
def evening(wired: WiredBot) -> Evening:
    return Evening(wired)


async def desk_of(evening: Evening) -> Message:
    """Organise on the event's message, as the owner of the server presses it."""
    message = next(m for m in reversed(evening.wired.channel.public()) if list(custom_ids(m, "ev_details")))
    owner = evening.wired.user(0)
    return await evening.wired.tap(owner, message, "ev_details")


def staff_room(evening: Evening) -> Channel:
    """A channel that only those see who manage the server."""
    room = evening.wired.discord.channel(evening.wired.channel.guild, 9)
    evening.wired.discord.hide_channel(room)
    return room


def assert_fits(shown: Message) -> None:
    parts = list(walk(shown.components))
    assert len(shown.text) <= MAX_TEXT_LENGTH
    assert len(parts) <= MAX_COMPONENTS
    assert all(len(part["options"]) <= MAX_OPTIONS for part in parts if "options" in part)
    ids = [part["custom_id"] for part in parts if "custom_id" in part]
    assert len(set(ids)) == len(ids)
    numbers = [part["id"] for part in parts if "id" in part]
    assert len(set(numbers)) == len(numbers)


def offered(shown: Message, verb: str) -> list[str]:
    """The values of all menus that do this."""
    menus = [part for part in walk(shown.components) if f":{verb}:" in str(part.get("custom_id", ""))]
    return [option["value"] for menu in menus for option in menu.get("options", ()) if option["value"] != OTHER]


def assert_names_people(evening: Evening, shown: Message) -> None:
    """The menu of players is full, of people who are in the event."""
    named = offered(shown, "ev_d_person")
    assert len(named) == MAX_OPTIONS - 1
    assert {*named} < {*evening.players(PEOPLE)}


async def test_forty_people_and_all_tables_are_on_the_desk_and_nothing_is_posted(evening: Evening) -> None:
    key = await evening.announce()
    await evening.press_register(*PEOPLE)
    before = await desk_of(evening)
    assert_fits(before)
    assert_names_people(evening, before)
    await evening.start(key)
    asked = len(evening.wired.discord.requests)
    shown = await desk_of(evening)
    assert_fits(shown)
    assert len(await evening.tables(key)) == 14
    assert sorted(offered(shown, "ev_d_table")) == sorted(str(table.table) for table in await evening.tables(key))
    assert_names_people(evening, shown)
    kinds = Counter(request.kind for request in list(evening.wired.discord.requests)[asked:])
    assert set(kinds) == {"callback"}, "looking costs the answers alone"
    assert WORDS("event_desk.tables") in shown.text

    # Without names, as after a restart, it asks for some and comes all the same.
    evening.wired.bot.services.faces.names.forget()
    asked = len(evening.wired.discord.requests)
    shown = await desk_of(evening)
    assert_fits(shown)
    assert_names_people(evening, shown)
    kinds = Counter(request.kind for request in list(evening.wired.discord.requests)[asked:])
    assert 0 < kinds["member"] <= MAX_FETCHED_NAMES


async def test_a_table_is_called_in_its_thread_and_in_the_channel_once_that_is_gone(evening: Evening) -> None:
    key = await evening.announce()
    await evening.press_register(1, 2, 3, 4)
    await evening.start(key)
    (first, *_) = (await evening.events.look(key)).tables
    thread = evening.wired.discord.channels[first.table.channel]
    assert thread.parent is not None
    posts, there = len(evening.wired.channel.public()), len(thread.public())
    await evening.events.call_table(key, BOSS, table=first.info.table, cause=evening.cause())
    await evening.shown()
    assert len(thread.public()) == there + 1
    assert len(evening.wired.channel.public()) == posts, "the channel hears nothing of it"
    sent = [request for request in evening.wired.discord.requests if request.kind == "send"][-1]
    assert set(sent.notified) == set(first.players)
    evening.wired.discord.hook = lambda request: (
        Fault(status=404, code=UNKNOWN_CHANNEL) if f"/channels/{thread.id}/messages" in request.path else None
    )
    await evening.events.call_table(key, BOSS, table=first.info.table, cause=evening.cause())
    await evening.shown()
    assert not (await evening.event(key)).phase.over, "a thread that is gone takes nothing with it"
    told = WORDS("event_notice.call.table", by=f"<@{BOSS.player}>", table="").removesuffix(".").strip()
    assert [message for message in evening.wired.channel.public() if told in message.text]


async def test_a_call_to_check_in_goes_once_another_repeats_it_and_says_when_the_event_has_started(
    evening: Evening,
) -> None:
    key = await evening.announce(replace(WEEKLY, check_in_minutes=30))
    await evening.press_register(1, 2, 3)

    async def later(minutes: int) -> None:
        for _ in range(minutes):
            await asyncio.sleep(60)
            await evening.wired.bot.clockwork.timekeeper.tick()
        await evening.shown()

    await later(35)
    told = WORDS("event_notice.call.check_in", by=f"<@{BOSS.player}>")
    await evening.events.call_person(key, BOSS, Player(evening.players([1])[0]), cause=evening.cause())
    await evening.shown()
    assert len(evening.said(told)) == 1
    checks = WORDS("event_notice.check_in", at="", when="").split("{")[0][:20]
    assert evening.said(checks), "the call to all stands beside it"
    await later(17)
    assert evening.said(told) == [], "the call before the start asks for the same"
    await evening.events.call_missing(key, BOSS, cause=evening.cause())
    await evening.shown()
    (call,) = evening.said(told)
    assert list(custom_ids(call, "ev_checkin"))
    await evening.start(key)
    assert evening.said(told) == []
    assert WORDS("event_notice.over.started") in call.text
    assert not list(custom_ids(call))


async def test_a_kept_desk_is_one_silent_message_and_nothing_of_the_event_waits_for_it(evening: Evening) -> None:
    key = await evening.announce()
    await evening.press_register(*PEOPLE)
    staff = staff_room(evening)
    await evening.events.keep_desk(key, BOSS, channel=staff.id, cause=evening.cause())
    await evening.shown()
    (kept,) = staff.public()
    assert_fits(kept)
    assert_names_people(evening, kept)
    first = len(evening.wired.discord.requests)
    await evening.start(key)
    for table in (await evening.events.look(key)).tables[:6]:
        await evening.events.hold(key, BOSS, table=table.info.table, held=True, cause=evening.cause())
    await evening.shown()
    assert staff.public() == [kept], "it is edited"
    assert offered(kept, "ev_d_table"), "as the event stands by now"
    there = [one for one in list(evening.wired.discord.requests)[first:] if f"/channels/{staff.id}/" in one.path]
    assert 0 < len(there) <= 4, "many changes make few edits"
    assert not any(one.notified for one in there)


async def test_trouble_with_a_kept_desk_is_tried_again_and_stops_nothing(evening: Evening) -> None:
    key = await evening.announce()
    staff = staff_room(evening)
    evening.wired.discord.hook = lambda request: Fault(status=500) if f"/channels/{staff.id}/" in request.path else None
    await evening.events.keep_desk(key, BOSS, channel=staff.id, cause=evening.cause())
    await evening.press_register(1, 2)
    event = await evening.event(key)
    assert event.drawn_version == event.version, "the event is shown"
    assert event.desk_channel == staff.id
    assert staff.public() == []
    evening.wired.discord.hook = None
    await evening.press_register(3)
    assert len(staff.public()) == 1
    evening.wired.discord.hook = lambda request: (
        Fault(status=403, code=MISSING_ACCESS) if f"/channels/{staff.id}/" in request.path else None
    )
    await evening.press_register(4)
    event = await evening.event(key)
    assert event.desk_channel is None, "a channel that is closed to the bot keeps none"
    assert not event.phase.over


async def test_a_desk_that_is_let_go_while_it_is_being_posted_stands_nowhere(evening: Evening) -> None:
    key = await evening.announce()
    staff = staff_room(evening)
    in_progress: list[asyncio.Task[Any]] = []

    def let_go(request: Any) -> Fault | None:
        if request.kind == "send" and f"/channels/{staff.id}/" in request.path:
            act = evening.events.stop_keeping_desk(key, BOSS, cause=evening.cause())
            in_progress.append(asyncio.create_task(act))
            return Fault(delay=1)
        return None

    evening.wired.discord.hook = let_go
    await evening.events.keep_desk(key, BOSS, channel=staff.id, cause=evening.cause())
    await evening.shown()
    assert len(in_progress) == 1
    await in_progress[0]
    await evening.shown()
    assert (await evening.event(key)).desk_channel is None
    assert staff.public() == []


async def test_a_kept_desk_goes_when_its_channel_is_opened_to_everybody(evening: Evening) -> None:
    key = await evening.announce()
    staff = staff_room(evening)
    await evening.events.keep_desk(key, BOSS, channel=staff.id, cause=evening.cause())
    await evening.shown()
    (kept,) = staff.public()
    version = (await evening.event(key)).version
    await asyncio.gather(*evening.wired.discord.hide_channel(staff))
    await evening.shown()
    assert staff.public() == [kept], "a change that opens nothing leaves it"
    await asyncio.gather(*evening.wired.discord.hide_channel(staff, hidden=False))
    await evening.shown()
    assert (await evening.event(key)).version == version, "nothing of the event has changed"
    assert staff.public() == []
    assert (await evening.event(key)).desk_channel is None


async def test_a_desk_in_a_private_thread_that_was_archived_is_posted_anew_and_stands_there_once(
    evening: Evening,
) -> None:
    key = await evening.announce()
    staff = staff_room(evening)
    await evening.events.keep_desk(key, BOSS, channel=staff.id, cause=evening.cause())
    await evening.shown()
    (kept,) = staff.public()
    archived = True

    def shut(request: Any) -> Fault | None:
        nonlocal archived
        if f"/channels/{staff.id}/messages" not in request.path:
            return None
        archived = archived and request.kind != "send"  # a new message opens it
        return Fault(status=400, code=THREAD_ARCHIVED) if archived else None

    evening.wired.discord.hook = shut
    await evening.press_register(1)
    (again,) = staff.public()
    assert again.id != kept.id
    assert (await evening.event(key)).desk_message == again.id
    assert offered(again, "ev_d_person") == evening.players([1]), "nothing is lost"


async def test_a_desk_says_that_its_event_is_over_also_after_a_bot_that_died_before(
    evening: Evening, tmp_path: Path
) -> None:
    key = await evening.announce()
    staff = staff_room(evening)
    await evening.events.keep_desk(key, BOSS, channel=staff.id, cause=evening.cause())
    await evening.shown()
    (kept,) = staff.public()
    evening.wired.discord.hook = lambda request: Fault(status=500) if f"/channels/{staff.id}/" in request.path else None
    await evening.events.cancel(key, BOSS, why="Rain", cause=evening.cause())
    await evening.shown()
    event = await evening.event(key)
    assert event.drawn_version == event.version, "the event itself is shown"
    assert list(custom_ids(kept)), "its desk is not"
    evening.wired.discord.hook = None
    await evening.restart(tmp_path)
    await evening.wired.bot.services.event_publisher.draw_open_events()
    await evening.shown()
    assert staff.public() == [kept]
    assert WORDS("event_desk.over") in kept.text
    assert not list(custom_ids(kept))


async def test_a_desk_without_names_comes_though_discord_has_no_room_for_asking(evening: Evening) -> None:
    key = await evening.announce()
    await evening.press_register(*PEOPLE)
    await evening.start(key)
    evening.wired.bot.services.faces.names.forget()
    evening.wired.discord.hook = lambda request: Fault(delay=6) if request.kind == "member" else None
    began = asyncio.get_running_loop().time()
    shown = await desk_of(evening)
    assert asyncio.get_running_loop().time() - began < 5
    assert_names_people(evening, shown)
    await asyncio.sleep(6 * MAX_FETCHED_NAMES + 1)
    names = evening.wired.bot.services.faces.names
    known = [one for one in evening.players(PEOPLE) if not names.to_ask(key.guild, [one])]
    assert len(known) == MAX_FETCHED_NAMES, "the next drawing knows them"
