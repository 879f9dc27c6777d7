"""An event numbers its tables from 1, and a table of a later round takes over the thread of its number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from simcord import ChannelHandle

from bot.chat.kit.custom_ids import BUTTON_TEMPLATE, decode
from bot.model.clock import HOUR
from bot.model.events import Official, Phase
from bot.model.ids import EventKey
from bot.play.event.office.registration import PlannedEvent
from bot.play.event.office.views import EventView
from bot.pure.event.pairings import Pairings
from bot.pure.event.structure import PRESETS, Format, Structure
from bot.text.words import words_for
from tests.discord.club import Club
from tests.discord.test_event_rounds import begun, ended
from tests.in_turn import in_turn

SWISS = Structure(
    format=Format.LEAGUE, table_seats=2, most=8, rounds=2, round_hands=1, pairings=Pairings.SWISS, threads=True
)


async def look(club: Club, key: EventKey) -> EventView:
    """The event, once all that waits is posted."""
    await club.settle()
    await club.bot.services.publisher.drawn()
    return await club.bot.services.events.look(key)


def places(view: EventView) -> Mapping[int, int]:
    """The channels of the event's open tables, by their number."""
    return {line.table.number: line.table.channel for line in view.tables}


async def next_round(club: Club, key: EventKey) -> EventView:
    """Let time pass until the second round is shown."""
    while (await look(club, key)).event.round < 2:
        await club.pass_time(10)
    return await look(club, key)


def in_thread(club: Club, channel: int) -> Club:
    """The same people in a table's thread."""
    there = ChannelHandle(club.world.env, club.guild, club.backend.get_channel(channel))
    found = replace(club, channel=there)
    club.watch.clubs.append(found)
    return found


def metadata(club: Club, channel: int) -> Any:
    """A thread's state."""
    return club.backend.channels[channel].thread_metadata


@in_turn("language", "en", "ja")
async def test_a_later_round_is_played_in_the_threads_of_the_first(club: Club, language: str) -> None:
    words = words_for(language)
    await club.open_table("bob", "hanako")
    key = await begun(club, SWISS, 4, language=language)
    first = await look(club, key)
    before = places(first)
    assert sorted(before) == [1, 2], "the server's table 1 is another one"
    assert sorted(line.info.table for line in first.tables) == [2, 3]
    named = {number: club.backend.channels[channel].name for number, channel in before.items()}
    assert named == {number: words("event_table.thread", table=number, name="Evening") for number in (1, 2)}
    second = await next_round(club, key)
    assert places(second) == before
    assert sorted(line.info.table for line in second.tables) == [4, 5]
    assert club.requests("POST", f"/channels/{club.channel.id}/threads") == 2
    assert not any(metadata(club, channel).archived for channel in before.values())
    shown = in_thread(club, before[1]).public()
    ends = [at for at, one in enumerate(shown) if words("result.heading", hand=1, table=1) in one.text]
    begins = [at for at, one in enumerate(shown) if words("event_table.round_of", round=2, rounds=2) in one.text]
    assert ends
    assert begins
    assert ends[0] < begins[0], "the new table is below the last hand of the former one"
    await ended(club, key)
    assert all(metadata(club, channel).archived for channel in before.values())


async def test_buttons_of_the_former_table_in_the_thread_still_answer(club: Club) -> None:
    key = await begun(club, SWISS, 4)
    first = await look(club, key)
    thread = in_thread(club, places(first)[1])
    (former,) = (line for line in first.tables if line.table.number == 1)
    assert former.table.message is not None
    await next_round(club, key)
    pressed = {
        (match, one["custom_id"]): shown
        for shown in thread.public()
        for one in shown.controls()
        if (match := BUTTON_TEMPLATE.fullmatch(one.get("custom_id", ""))) and decode(match).table == former.info.table
    }
    assert pressed
    for (_, custom_id), shown in pressed.items():
        control = next(one for one in shown.controls() if one.get("custom_id") == custom_id)
        answer = await thread.press("bob", shown, control)
        assert answer is not None
        assert answer.text


@pytest.mark.parametrize("what", ["locked", "deleted"])
async def test_a_thread_that_was_locked_or_deleted_is_replaced(club: Club, what: str) -> None:
    key = await begun(club, SWISS, 4)
    before = places(await look(club, key))
    if what == "locked":
        metadata(club, before[1]).locked = True
        club.bot.get_channel(before[1])._unroll_metadata(  # type: ignore[union-attr]  # noqa: SLF001
            {
                "archived": False,
                "auto_archive_duration": 1440,
                "archive_timestamp": "2026-01-01T00:00:00+00:00",
                "locked": True,
            }
        )
    else:
        club.backend.delete_channel(before[1])
    after = places(await next_round(club, key))
    assert after[2] == before[2]
    assert after[1] not in (before[1], club.channel.id)
    assert club.backend.channels[after[1]].name == words_for("en")("event_table.thread", table=1, name="Evening")


async def test_an_archived_thread_is_reopened_for_the_next_round(club: Club) -> None:
    key = await begun(club, replace(SWISS, round_hours=24), 4)
    before = places(await look(club, key))
    while (seen := await look(club, key)).tables:
        await club.pass_time(30)
    assert seen.event.phase is Phase.RUNNING
    assert all(metadata(club, channel).archived for channel in before.values())
    started = seen.event.round_began_at
    assert started is not None
    await club.pass_hours((started + 24 * HOUR - club.world.now_ms()) / 1000 + 5)
    assert places(await look(club, key)) == before
    assert not any(metadata(club, channel).archived for channel in before.values())
    assert club.requests("POST", f"/channels/{club.channel.id}/threads") == 2


async def test_another_event_of_the_same_name_gets_its_own_threads(club: Club) -> None:
    key = await begun(club, SWISS, 4)
    before = places(await look(club, key))
    await ended(club, key)
    another = await begun_again(club, key)
    after = places(await look(club, another))
    assert sorted(after) == [1, 2]
    assert not {*after.values()} & {*before.values()}


async def begun_again(club: Club, key: EventKey) -> EventKey:
    """Hold the event again, with the same players."""
    events, by = club.bot.services.events, Official(player=club.player("alice"), manager=True)
    former = (await events.look(key)).event
    event = await events.create(
        PlannedEvent(
            guild=key.guild,
            channel=former.channel,
            organiser=former.organiser,
            language=former.language,
            name=former.name,
            variant=former.variant,
            structure=former.structure,
            clock=former.clock,
            starts_at=club.world.now_ms() + 3_600_000,
        ),
        cause="created again",
    )
    for name in ("alice", "bob", "hanako", "carol"):
        await events.register(event.key, club.player(name), cause=f"again by {name}")
    await events.start(event.key, by, cause="started again")
    await club.bot.services.event_publisher.drawn()
    return event.key


@in_turn("name", "bob", "hanako")
async def test_players_type_the_number_that_their_event_shows(club: Club, name: str) -> None:
    await club.open_table("bob", "hanako")
    key = await begun(club, replace(SWISS, threads=False), 4)
    await club.pass_time(30)
    (own,) = (line for line in (await look(club, key)).tables if club.player(name) in line.players)
    typed = {
        number: club.words(name)("event_table.for_points") in (await club.slash(name, "hand", table=number)).text
        for number in (own.table.number, int(own.info.table), 1)
    }
    assert typed[int(own.info.table)], "the stored id is still read"
    assert not typed[1], "of two own tables with that number, the server's one goes first"
    assert own.table.number == 1 or typed[2]


async def test_the_desk_its_typed_acts_and_the_log_use_the_numbers_of_the_event(club: Club) -> None:
    words = club.words("alice")
    await club.open_table("bob", "hanako")
    key = await begun(club, replace(PRESETS["heads_up"], threads=False), 4)
    (second,) = (line for line in (await look(club, key)).tables if line.table.number == 2)
    assert second.info.table == 3
    answer = await club.slash("alice", "event", do=words("event_acts.name.hold"), table="2")
    assert words("event_desk.done.held", table=2) in answer.text
    (held,) = (line.info.table for line in (await look(club, key)).tables if line.info.held)
    assert held == second.info.table
    for name in ("alice", "hanako"):
        log = await club.slash(name, "event", do=club.words(name)("event_acts.name.log"))
        assert club.words(name)("event.log.held", table=2) in log.text


async def test_a_result_is_found_by_the_number_and_a_suggestion_means_exactly_one_table(club: Club) -> None:
    await club.open_table("bob", "hanako")
    await club.type_hand()
    key = await begun(club, replace(SWISS, threads=False), 4)
    await club.pass_time(30)
    await club.type_hand(2)
    await look(club, key)
    found = await club.members["alice"].autocomplete(club.channel, "ofc result", "table", "1")
    named = {choice["name"]: choice["value"] for choice in found}
    assert sorted(named.values()) == ["1", "=1"], "both are table 1"
    heading = club.words("alice")("result.heading", hand=1, table=1)
    of_event, of_server = [await club.slash("alice", "ofc result", table=value) for value in ("1", "=1")]
    assert heading in of_event.text
    assert heading in of_server.text
    assert of_event.text != of_server.text
