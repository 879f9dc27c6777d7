"""The file for people's own calendars: on the event's message, by a command, and for a series."""

from datetime import UTC, datetime

import icalendar
import pytest
from simcord import ResponseMessage

from bot.model.clock import HOUR
from bot.model.events import Event, Official, Phase, RepeatInterval
from bot.play.event.office.permissions import MemberPermissions
from tests.discord.club import Club, Screen
from tests.discord.test_event_form import page, publish, write
from tests.discord.test_event_tools import event_message
from tests.in_turn import in_turn


def file_name(club: Club, answer: Screen) -> str:
    """Return the name of an answer's file."""
    (attached,) = ResponseMessage(club.world.env, answer.message).attachments
    return attached.filename


def entries(club: Club, answer: Screen) -> list[icalendar.Event]:
    """Return the calendar entries in an answer's file."""
    (attached,) = ResponseMessage(club.world.env, answer.message).attachments
    assert attached.filename.endswith(".ics")
    found = icalendar.Calendar.from_ical(club.backend.cdn.get(attached.url)).walk("VEVENT")
    return [entry for entry in found if isinstance(entry, icalendar.Event)]


async def friday_night(club: Club, *, series: str = "Fridays") -> Event:
    """An event with a start time, of a series."""
    shown = await write(club, await page(club, preset="chaipo"), name="Friday Night", when="in 3 hours", series=series)
    return await publish(club, shown)


async def repeated(club: Club, made: Event, every: RepeatInterval | None, *, cause: str) -> None:
    """Let its organiser hold it again and again, or once."""
    by = Official(player=made.organiser, manager=True)
    authority = MemberPermissions(manager=True, announces=True)
    await club.bot.services.events.repeat(made.key, by, authority, every=every, zone="UTC", cause=cause)
    await club.pass_time(30)
    await club.settle()
    # Where Discord takes no rule it lists one date, and that is that.
    (listed,) = club.backend.get_guild(club.guild.id).scheduled_events.values()
    assert (await club.bot.services.events.look(made.key)).event.scheduled == listed.id
    assert await club.bot.services.events.undrawn() == []


@in_turn("name", "alice", "hanako")
async def test_the_button_of_an_events_details_gives_its_date(club: Club, name: str) -> None:
    made = await friday_night(club)
    message = await club.slash(name, "event", do="show")
    answer = await club.tap(name, message, message.find("ev_calendar"))
    assert club.words(name)("event.calendar.date", name="Friday Night") in answer.text
    (entry,) = entries(club, answer)
    assert made.starts_at is not None
    assert entry.start == datetime.fromtimestamp(made.starts_at // 1000, UTC)
    assert entry["summary"] == "Friday Night"
    assert str(entry["url"]).endswith(f"/{club.guild.id}/{club.channel.id}/{event_message(club).message.id}")
    assert "rrule" not in entry


async def test_beside_an_event_without_a_start_time_the_command_gives_the_one_that_has_a_date(club: Club) -> None:
    await friday_night(club)
    await publish(club, await page(club, preset="sit_and_go"))
    answer = await club.slash("bob", "event", do="calendar")
    assert club.words("bob")("event.calendar.date", name="Friday Night") in answer.text
    (entry,) = entries(club, answer)
    assert entry["summary"] == "Friday Night"


async def test_an_event_that_repeats_gives_all_its_dates_or_this_one(club: Club) -> None:
    made = await friday_night(club)
    await repeated(club, made, RepeatInterval.WEEK, cause="again")
    answer = await club.slash("bob", "event", do="calendar")
    assert club.words("bob")("event.calendar.repeating", name="Friday Night") in answer.text
    (every,) = entries(club, answer)
    assert every["rrule"] == {"FREQ": ["WEEKLY"], "INTERVAL": [1]}
    single = await club.tap("bob", answer, answer.find("ev_calendar_of", "one"))
    (one,) = entries(club, single)
    assert one["uid"] != every["uid"]
    assert file_name(club, single) != file_name(club, answer), "neither takes the other's place in a folder"
    await repeated(club, made, None, cause="no more")
    (stopped,) = entries(club, await club.slash("bob", "event", do="calendar"))
    assert stopped["uid"] == every["uid"]
    assert "rrule" not in stopped
    assert int(str(stopped["sequence"])) > int(str(every["sequence"]))


async def test_the_last_date_of_a_series_repeats_in_no_calendar(club: Club) -> None:
    made, events = await friday_night(club), club.bot.services.events
    await repeated(club, made, RepeatInterval.WEEK, cause="again")
    by = Official(player=made.organiser, manager=True)
    await events.plan_series_end(made.key, by, dates=3, cause="three")
    (three,) = entries(club, await club.slash("bob", "event", do="calendar"))
    assert three["rrule"] == {"FREQ": ["WEEKLY"], "INTERVAL": [1], "COUNT": [3]}
    await events.plan_series_end(made.key, by, dates=1, cause="one")
    await club.settle()
    answer = await club.slash("bob", "event", do="calendar")
    assert club.words("bob")("event.calendar.date", name="Friday Night") in answer.text
    (last,) = entries(club, answer)
    assert "rrule" not in last
    assert last["uid"] == three["uid"], "it replaces the entry of all dates"
    refused = await club.slash("alice", "event", do="repeat", value="week")
    assert club.words("alice")("refused.last_date") in refused.text


async def test_the_next_one_of_an_event_that_repeats_goes_on_in_the_same_entry(club: Club) -> None:
    made = await friday_night(club)
    await repeated(club, made, RepeatInterval.WEEK, cause="again")
    (before,) = entries(club, await club.slash("bob", "event", do="calendar"))
    by = Official(player=made.organiser, manager=True)
    await club.bot.services.events.cancel(made.key, by, why="no power", cause="cancel")
    await club.settle()
    (after,) = entries(club, await club.slash("bob", "event", do="calendar"))
    assert after["uid"] == before["uid"]
    assert int(str(after["sequence"])) > int(str(before["sequence"]))
    assert (after.start - before.start).days == 7
    (gone,) = entries(club, await club.slash("bob", "event", do=f"calendar {made.key.number}"))
    assert gone["status"] == "CANCELLED"
    assert gone["uid"] != before["uid"]


async def test_a_series_is_one_file_of_what_was_announced(club: Club) -> None:
    first, second = await friday_night(club), await friday_night(club)
    await friday_night(club, series="Sundays")
    answer = await club.slash("bob", "event", do=f"calendar {first.key.number}")
    whole = await club.tap("bob", answer, answer.find("ev_calendar_of", "series"))
    assert club.words("bob")("event.calendar.series", series="Fridays") in whole.text
    uids = {str(entry["uid"]).split("-")[1] for entry in entries(club, whole)}
    assert uids == {str(first.key.number), str(second.key.number)}
    by = Official(player=first.organiser, manager=True)
    for event in (first, second):
        await club.bot.services.events.cancel(event.key, by, why="no power", cause=f"cancel {event.key.number}")
    gone = entries(club, await club.tap("bob", answer, answer.find("ev_calendar_of", "series")))
    assert [entry["status"] for entry in gone] == ["CANCELLED", "CANCELLED"]
    await club.pass_hours(4 * HOUR / 1000)
    late = await club.tap("bob", answer, answer.find("ev_calendar_of", "series"))
    assert late.text == club.words("bob")("event.calendar.no_dates")


async def test_an_event_without_a_start_time_has_no_date(club: Club) -> None:
    await publish(club, await page(club, preset="sit_and_go"))
    assert not event_message(club).has("ev_calendar")
    answer = await club.slash("bob", "event", do="calendar")
    assert answer.text == club.words("bob")("event.calendar.no_time")


@pytest.mark.parametrize("place", ["its message", "the post that says so"])
@pytest.mark.parametrize("every", [None, RepeatInterval.WEEK])
async def test_a_cancelled_date_is_taken_out_of_calendars_by_a_press_where_that_is_read(
    club: Club, every: RepeatInterval | None, place: str
) -> None:
    made = await friday_night(club)
    if every is not None:
        await repeated(club, made, every, cause="again")
    answer = await club.slash("bob", "event", do="calendar")
    if every is not None:
        answer = await club.tap("bob", answer, answer.find("ev_calendar_of", "one"))
    (before,), name = entries(club, answer), file_name(club, answer)
    by = Official(player=made.organiser, manager=True)
    await club.bot.services.events.cancel(made.key, by, why="no power", cause="cancel")
    await club.pass_time(30)
    await club.settle()
    event = (await club.bot.services.events.look(made.key)).event
    assert event.phase is Phase.CANCELLED
    told = {one.id == event.message: one for one in club.public() if "no power" in one.text}
    message = told[place == "its message"]
    answer = await club.tap("bob", message, message.find("ev_calendar"))
    assert club.words("bob")("event.calendar.cancelled", name="Friday Night") in answer.text
    (gone,) = entries(club, answer)
    assert (gone["uid"], gone["status"], file_name(club, answer)) == (before["uid"], "CANCELLED", name)
    assert int(str(gone["sequence"])) > int(str(before["sequence"]))
