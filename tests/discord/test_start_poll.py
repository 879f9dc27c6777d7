"""When shall we play? A poll with the organiser's times, what came of it, and the form with the time that won."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from simcord import ResponseMessage

from bot.chat.event.screens.start_poll import MAX_ANSWER_LENGTH, PREPARE, answers, parse_time, question, result_screen
from bot.chat.kit.custom_ids import BUTTON_TEMPLATE, Press, decode
from bot.model.ids import GuildId, TableId
from bot.model.start_polls import StartPoll
from bot.text.languages import LANGUAGES
from bot.text.words import words_for
from tests.discord.club import Club, Screen
from tests.discord.forge import deliver, forged_press
from tests.discord.test_event_calendar import friday_night
from tests.discord.test_event_tools import tools
from tests.discord.test_powers import make_host
from tests.in_turn import in_turn

TIMES = "2026-01-03 21:00, 2026-01-02 20:30; 2026-01-04 18:00"
FIRST, SECOND, THIRD = (
    int(datetime(2026, 1, day, hour, minute, tzinfo=UTC).timestamp() * 1000)
    for day, hour, minute in ((2, 20, 30), (3, 21, 0), (4, 18, 0))
)
HOUR = 3600


def polls(club: Club) -> list[Any]:
    """The messages of the channel that hold a poll."""
    return [message for message in club.backend.messages[club.channel.id].values() if message.poll is not None]


def results(club: Club) -> list[Screen]:
    """The posts that say what came of one."""
    words = club.words()
    return [screen for screen in club.public() if words("start_poll.title").removeprefix("### ") in screen.text]


async def ask(club: Club, name: str = "alice", *, times: str = TIMES, open_hours: int = 1) -> Screen:
    form = await club.command_form(name, "event", do="poll")
    field = club.words(name)
    written = {field("event_acts.field.times"): times, field("event_acts.field.hours"): str(open_hours)}
    answer = await club.send(name, form, written)
    await club.bot.services.start_polls.done()
    return answer


async def vote(club: Club, name: str, *chosen: int) -> None:
    (message,) = polls(club)
    await club.members[name].set_poll_votes(ResponseMessage(club.world.env, message), answers=list(chosen))


async def close(club: Club) -> None:
    """Let the poll come to its end, and the bot look at it."""
    await club.pass_hours(HOUR + 60)
    await club.bot.services.start_polls.done()
    await club.settle()


async def kept(club: Club) -> list[StartPoll]:
    return await club.bot.services.events.all_start_polls()


async def test_the_times_stand_in_a_poll_in_their_order_and_in_everybodys_own_time_zone(club: Club) -> None:
    answer = await ask(club)
    assert club.words("alice")("start_poll.asked", count=1) in answer.text
    (message,) = polls(club)
    assert [one.text for one in message.poll.answers] == [
        "Fri 2 Jan, 20:30",
        "Sat 3 Jan, 21:00",
        "Sun 4 Jan, 18:00",
    ]
    assert message.poll.allow_multiselect
    for at in (FIRST, SECOND, THIRD):
        assert f"<t:{at // 1000}:F>" in message.content
    assert message.mention_user_ids == []


@pytest.mark.parametrize(("times", "hours"), [("2026-01-01 09:30, 2026-01-03 21:00", 9), (TIMES, 24)])
async def test_a_poll_is_open_for_a_day_or_until_shortly_before_the_first_time(
    club: Club, times: str, hours: int
) -> None:
    answer = await club.slash("alice", "event", do="poll", value=times)
    assert club.words("alice")("start_poll.asked", count=hours) in answer.text
    (poll,) = await kept(club)
    assert poll.hours == hours


async def test_the_time_with_the_most_votes_wins_and_opens_the_form(club: Club) -> None:
    await ask(club)
    await vote(club, "bob", 2, 3)
    await vote(club, "hanako", 2)
    assert results(club) == []
    await close(club)
    (result,) = results(club)
    assert club.words()("start_poll.winner", at=f"<t:{SECOND // 1000}:F>", count=2) in result.text
    assert str(THIRD // 1000) not in result.text
    assert await kept(club) == []
    form = await club.tap("alice", result, result.find(PREPARE))
    assert str(SECOND // 1000) in form.text
    draft = await club.bot.services.events.draft(GuildId(club.guild.id), club.player("alice"))
    assert draft is not None
    assert draft.values["starts_at"] == SECOND
    assert form.has("ev_form_publish"), "nothing else is missing"


def time_told(result: Screen) -> int:
    """Return the time (ms) that the form of a result's button starts with."""
    match = BUTTON_TEMPLATE.fullmatch(result.find(PREPARE)["custom_id"])
    assert match is not None
    return parse_time(decode(match))


async def test_of_times_with_as_many_votes_the_earliest_wins_and_that_is_said(club: Club) -> None:
    await ask(club)
    await vote(club, "bob", 3, 2)
    await close(club)
    (result,) = results(club)
    assert time_told(result) == SECOND
    assert "-# Tie between" in result.text
    assert str(FIRST // 1000) not in result.text


async def test_no_vote_is_no_winner(club: Club) -> None:
    await ask(club)
    await close(club)
    (result,) = results(club)
    assert club.words()("start_poll.no_votes") in result.text
    assert [control["disabled"] for control in result.controls()] == [True], "there's nothing to prepare"


async def test_after_a_restart_the_poll_is_found_again_and_its_result_told_once(club: Club) -> None:
    await ask(club)
    await vote(club, "bob", 1)
    await club.restart(down_seconds=2 * HOUR)
    await close(club)
    (result,) = results(club)
    assert time_told(result) == FIRST
    await club.restart()
    await close(club)
    assert len(results(club)) == len(polls(club)) == 1


async def test_a_bot_that_dies_before_it_noted_the_poll_posts_no_second_one(club: Club) -> None:
    await ask(club)
    (poll,) = await kept(club)
    message = poll.message
    await club.disk.write(
        lambda connection: connection.execute("UPDATE start_poll SET message_id = NULL, closes_at = 0")
    )
    await club.restart(down_seconds=600)
    await club.world.pass_time(60)
    await club.bot.services.start_polls.done()
    assert len(polls(club)) == 1
    assert [one.message for one in await kept(club)] == [message]


async def test_a_poll_that_was_deleted_is_forgotten(club: Club) -> None:
    await ask(club)
    (message,) = polls(club)
    del club.backend.messages[club.channel.id][message.id]
    await close(club)
    assert results(club) == []
    assert await kept(club) == []


@in_turn("name", "alice", "hanako")
@pytest.mark.parametrize(
    ("times", "open_hours", "reason", "values"),
    [
        ("2026-01-03 21:00", 1, "poll_times", {"least": 2, "most": 10}),
        ("2026-01-03 21:00, 2026-01-03 21:00", 1, "poll_times", {"least": 2, "most": 10}),
        (", ".join(f"2026-01-{day:02} 21:00" for day in range(3, 15)), 1, "poll_times", {"least": 2, "most": 10}),
        ("2026-01-03 21:00, soon*ish", 1, "bad_poll_time", {"time": "soon\\*ish"}),
        ("2026-01-01 09:00, 2026-01-03 21:00", 24, "poll_too_long", {"count": 24}),
        ("2026-01-03 21:00, 2027-06-03 21:00", 1, "start_too_late", {}),
    ],
)
async def test_what_cannot_be_asked_is_said_and_nothing_is_posted(
    club: Club, name: str, times: str, open_hours: int, reason: str, values: dict[str, Any]
) -> None:
    await make_host(club, name)
    answer = await ask(club, name, times=times, open_hours=open_hours)
    assert answer.text.startswith(club.words(name)(f"refused.{reason}", **values))
    assert polls(club) == []
    assert await kept(club) == []


async def test_only_those_who_publish_events_ask_and_prepare(club: Club) -> None:
    answer = await club.slash("bob", "event", do="poll", value=TIMES)
    assert answer.text.startswith(club.words("bob")("event.refuse.not_allowed"))
    assert polls(club) == []
    await ask(club)
    await vote(club, "bob", 1)
    await close(club)
    (result,) = results(club)
    refused = await club.tap("bob", result, result.find(PREPARE))
    assert refused.text.startswith(club.words("bob")("event.refuse.not_allowed"))


@pytest.mark.parametrize("lacking", ["send_polls", "read_message_history"])
async def test_where_the_bot_may_post_no_polls_or_not_read_their_votes_that_is_said(club: Club, lacking: str) -> None:
    club.forbid(lacking)
    answer = await ask(club)
    assert answer.text.startswith(club.words("alice")("refused.no_polls_here"))
    assert await kept(club) == []


async def test_a_server_has_five_open_polls_at_most(club: Club) -> None:
    for _ in range(5):
        await ask(club)
    answer = await ask(club)
    assert answer.text.startswith(club.words("alice")("refused.too_many_polls", most=5))
    assert len(polls(club)) == 5


async def test_whoever_changes_an_event_finishes_that_first(club: Club) -> None:
    await friday_night(club)
    shown = await tools(club, "alice")
    await club.tap("alice", shown, shown.find("ev_change"))
    await ask(club)
    await vote(club, "bob", 1)
    await close(club)
    (result,) = results(club)
    refused = await club.tap("alice", result, result.find(PREPARE))
    assert refused.text == club.words("alice")("refused.changing_another")


async def test_a_forged_button_breaks_nothing(club: Club) -> None:
    await ask(club)
    await vote(club, "bob", 1)
    await close(club)
    (result,) = results(club)
    for told in ("0:0:::", "0:0:::x", f"0:0:::{'9' * 11}", "0:0:::0", "999999999:99:::abcdef", "1:0:::abcdef"):
        forged = forged_press(club, "alice", result, f"c1:{PREPARE}:0:{told}")
        await deliver(forged)
        assert forged.acknowledged, told
        assert club.words("alice")("gate.incident", code="").split("`")[0] not in forged.said, told


def test_an_answer_fits_in_every_language() -> None:
    poll = StartPoll(
        guild=GuildId(1),
        number=1,
        channel=2,
        language="en",
        zone="America/Argentina/ComodRivadavia",
        times=(FIRST, SECOND),
        hours=1,
        asked_at=0,
    )
    for code in LANGUAGES:
        words = words_for(code)
        assert all(1 <= len(answer) < MAX_ANSWER_LENGTH for answer in answers(poll, words))
        assert len(question(poll, words)) <= 300
        assert PREPARE in str(result_screen(poll, {FIRST: 1}, words, tag="012345").parts)


def test_a_button_tells_its_time_and_a_mark_is_none() -> None:
    here = Press(verb=PREPARE, table=TableId(0))
    assert parse_time(replace(here, hand=FIRST // 100_000, street=FIRST // 1000 % 100, argument="012345")) == FIRST
    assert [parse_time(replace(here, argument=mark)) for mark in ("012345", "abcdef", "")] == [0, 0, 0]
