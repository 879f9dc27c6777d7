"""Refusals at the organiser's desk, each with a sentence and without any change."""

from __future__ import annotations

import pytest

from bot.chat.kit.custom_ids import short_id
from bot.model.clock import MINUTE
from bot.model.events import EntrantState, EventFact, Official
from bot.model.ids import TableId
from bot.model.limits import MAX_EVENT_CALLS_PER_HOUR
from bot.model.refusals import Stale
from bot.play.event.office.roll_call import ABSENT_CHECKED
from bot.text.words import Words
from tests.discord.club import Club
from tests.discord.forge import forge
from tests.discord.test_event_desk import (
    announced,
    anyone,
    desk_of,
    guests_of,
    line,
    open_desk,
    person,
    posted,
    press_why,
    running,
    say_why,
)
from tests.discord.test_event_form import said_in
from tests.in_turn import in_turn


async def test_only_organisers_have_the_desk_also_by_its_command(club: Club) -> None:
    key = await announced(club, "bob")
    shown = next(screen for screen in await posted(club) if screen.has("ev_details"))
    mine = club.words("hanako")
    assert not (await club.tap("hanako", shown, shown.find("ev_details"))).has("ev_desk")
    for verb in ("ev_desk", "ev_tools"):
        assert (await forge(club, "hanako", shown, f"c1:{verb}:{key.number}:0:0:::")).said == mine(
            "refused.not_organiser"
        )
    typed = await club.slash("alice", "event", do="desk")
    assert club.words("alice")("event_desk.private") in typed.text, "those who manage the server may, too"
    with pytest.raises(Exception, match="not_organiser"):
        await club.bot.services.events.at_desk(key, Official(player=club.player("hanako")))


def words_of(club: Club) -> Words:
    return club.words("alice")


@pytest.mark.parametrize("preset", ["chaipo"])
async def test_bad_choices_get_a_sentence_and_change_nothing(club: Club, preset: str) -> None:
    words = words_of(club)
    key = await announced(club, "bob", preset, fee=100)
    club.newcomer("late")
    desk = await club.slash("alice", "event", do="desk")
    robot = club.world.env.create_user("robot", bot=True)
    bot = await anyone(club, "alice", desk, robot)
    assert bot.text == words("refused.not_a_bot")
    found = await anyone(club, "alice", desk, club.members["late"])
    paid = await club.tap("alice", found, found.find("ev_d_register"))
    assert paid.text == words("refused.fee_is_theirs", fee="100", register="Register")
    club.guild.remove_member(club.members["late"])
    left = await club.tap("alice", found, found.find("ev_d_register"))
    assert left.text == words("refused.they_left")
    assert (await desk_of(club, key)).view.lines == ()
    await club.bot.services.events.cancel(key, Official(player=club.player("bob")), why="Rain", cause="called off")
    over = await club.tap("alice", desk, desk.find("ev_desk"))
    assert over.id == desk.id
    assert over.text.endswith(words("event_desk.over"))
    assert not over.controls(), "nothing is left to press"


async def test_old_buttons_of_tables_and_people_say_what_is_so_now(club: Club) -> None:
    words = words_of(club)
    key, _ = await running(club, "bob", guests=4)
    desk = await open_desk(club, "bob")
    menu = desk.find("ev_d_table")
    number = TableId(int(menu["options"][0]["value"]))
    table = await club.choose("bob", desk, menu, [str(number)])
    official = Official(player=club.player("bob"))
    await club.bot.services.events.hold(key, official, table=number, held=True, cause="by another organiser")
    again = await club.tap("bob", table, table.find("ev_d_hold"))
    assert again.text == words("refused.table_paused")
    form = await club.used("bob", table, table.find("ev_d_void"))
    await club.bot.services.events.end_hand(key, official, table=number, hand_no=1, why="First", cause="void")
    late = await say_why(club, "bob", form, "Second")
    assert words("refused.no_hand_runs") in late.text
    assert "Second" in late.text, "what was typed isn't lost"
    mover = club.player("guest0")
    with pytest.raises(Exception, match="not_moving"):
        await club.bot.services.events.stay(key, official, mover, cause="nothing")
    with pytest.raises(Exception, match="they_play"):
        await club.bot.services.events.attend(key, official, mover, away=False, cause="here")
    with pytest.raises(Exception, match="table_gone"):
        await club.bot.services.events.call_table(key, official, table=TableId(99), cause="nowhere")
    with pytest.raises(Exception, match="nobody_misses"):
        await club.bot.services.events.call_missing(key, official, cause="nobody")
    with pytest.raises(Exception, match="they_are_in"):
        await club.bot.services.events.register_for(key, official, mover, cause="twice")


async def test_an_organiser_who_plays_rules_over_nobody_from_the_desk_either(club: Club) -> None:
    key = await announced(club, "bob")
    await club.slash("bob", "event", do="register")
    await guests_of(club, key, 3)
    await club.bot.services.events.start(key, Official(player=club.player("bob")), cause="begun")
    await club.bot.services.event_publisher.drawn()
    await club.pass_time(45)
    one = await person(club, "bob", await open_desk(club, "bob"), "guest0")
    refused = await club.tap("bob", one, one.find("ev_d_away"))
    assert refused.text == club.words("bob")("refused.plays_here")
    assert not (await line(club, key, "guest0")).away


async def test_whoever_sat_somebody_out_enters_the_event_no_more(club: Club) -> None:
    key, _ = await running(club, "bob", late_levels=5)
    await club.bot.services.events.attend(
        key, Official(player=club.player("bob")), club.player("guest0"), away=True, cause="ruled"
    )
    assert (await club.slash("bob", "event", do="register")).text == club.words("bob")("refused.has_ruled")
    with pytest.raises(Exception, match="they_have_ruled"):
        await club.bot.services.events.register_for(
            key, Official(player=club.player("alice"), manager=True), club.player("bob"), cause="for bob"
        )


async def test_so_many_calls_an_hour_and_then_a_time_to_wait(club: Club) -> None:
    key, _ = await running(club, "bob")
    official = Official(player=club.player("bob"))
    for number in range(MAX_EVENT_CALLS_PER_HOUR):
        await club.bot.services.events.call_person(key, official, club.player("guest0"), cause=f"call {number}")
    one = await person(club, "bob", await open_desk(club, "bob"), "guest0")
    refused = await club.tap("bob", one, one.find("ev_d_call"))
    assert (
        club.words("bob")("refused.too_many_event_calls", most=MAX_EVENT_CALLS_PER_HOUR, wait="").split(".")[0]
        in refused.text
    )
    await club.bot.services.events.pause(key, official, cause="so that it isn't over by then")
    await club.pass_hours(61 * MINUTE / 1000)
    assert await club.bot.services.events.call_person(key, official, club.player("guest0"), cause="an hour later")


async def test_a_press_that_comes_twice_acts_once(club: Club) -> None:
    key, _ = await running(club, "bob", late_levels=5)
    official, events = Official(player=club.player("bob")), club.bot.services.events
    (table, *_) = (await desk_of(club, key)).tables
    club.newcomer("late")

    async def done() -> list[EventFact]:
        """The log without the bot's own check of who is still in the server, which may come at any time."""
        return [fact for fact in await events.log(key, official) if fact.kind != ABSENT_CHECKED]

    for act in (
        lambda: events.hold(key, official, table=table.id, held=True, cause="a"),
        lambda: events.call_table(key, official, table=table.id, cause="b"),
        lambda: events.attend(key, official, club.player("guest0"), away=True, cause="c"),
        lambda: events.register_for(key, official, club.player("late"), cause="d"),
        lambda: events.end_hand(key, official, table=table.id, hand_no=1, why="Seen", cause="e"),
    ):
        await act()
        before = await done()
        with pytest.raises(Stale):
            await act()
        assert await done() == before


async def test_two_organisers_who_call_those_who_miss_at_once_make_one_post(club: Club) -> None:
    key = await announced(club, "bob", check_in_minutes=15)
    await guests_of(club, key, 3)
    await club.pass_hours(3 * 3600 - 14 * 60)
    mine, theirs = await open_desk(club, "bob"), await club.slash("alice", "event", do="desk")
    before = len(await posted(club))
    called = await club.tap("bob", mine, mine.find("ev_d_call_all"))
    assert club.words("bob")("event_desk.done.called", count=3) in called.text
    again = await club.tap("alice", theirs, theirs.find("ev_d_call_all"))
    assert again.text == words_of(club)("refused.called_just_now")
    assert len(await posted(club)) == before + 1
    await club.pass_time(60)
    called = await club.tap("alice", theirs, theirs.find("ev_d_call_all"))
    assert words_of(club)("event_desk.done.called", count=3) in called.text


async def test_taking_back_a_penalty_never_takes_away_the_one_that_another_organiser_gave_since(club: Club) -> None:
    key, _ = await running(club, "bob", guests=4)
    events, player, official = club.bot.services.events, club.player("guest1"), Official(player=club.player("bob"))
    for hands in (2, 3):
        await events.penalty(key, official, player, hands=hands, why="Slow", cause=f"penalty of {hands}")
    first, second = [fact for fact in (await desk_of(club, key)).acts[::-1] if fact.kind == "penalty"]
    with pytest.raises(Exception, match="nothing_to_take_back"):
        await events.lift_penalty(key, official, number=first.number, why="Taken back", cause="late press")
    assert (await line(club, key, "guest1")).entrant.penalty == 3
    await events.lift_penalty(key, official, number=second.number, why="Taken back", cause="press")
    assert (await line(club, key, "guest1")).entrant.penalty == 0
    with pytest.raises(Exception, match="nothing_to_take_back"):
        await events.lift_penalty(key, official, number=second.number, why="Taken back", cause="the same again")


@in_turn("name", "bob", "hanako")
async def test_a_desk_drawn_earlier_says_until_when_a_disqualification_was_open(club: Club, name: str) -> None:
    words = club.words(name)
    key, _ = await running(club, name, guests=4)
    one = await person(club, name, await open_desk(club, name), "guest2")
    desk = await press_why(club, name, one, "ev_d_out", "Rude")
    old = desk.find("ev_d_undo")
    label = words("event_desk.take_back_of", what=words("event_desk.undo.disqualified", player="guest2"))
    (value,) = [option["value"] for option in old["options"] if option["label"] == label]
    seat = await line(club, key, "guest2")
    assert seat.table is not None
    official = Official(player=club.player(name))
    await club.bot.services.events.end_hand(key, official, table=seat.table, hand_no=1, why="Over", cause="void")
    assert (await line(club, key, "guest2")).entrant.state is EntrantState.OUT
    told = await club.choose(name, desk, old, [value])
    assert words("event_desk.too_late.disqualified", player=club.members["guest2"].mention) in told.text
    offered = told.find("ev_d_undo")["options"] if told.has("ev_d_undo") else []
    assert label not in [option["label"] for option in offered], "it is offered no more"
    assert (await line(club, key, "guest2")).entrant.disqualified


@in_turn("name", "bob", "hanako")
async def test_between_hands_it_is_said_that_a_disqualification_is_for_good(club: Club, name: str) -> None:
    words, official = club.words(name), Official(player=club.player(name))
    key, _ = await running(club, name, guests=4)
    seat = await line(club, key, "guest2")
    assert seat.table is not None
    await club.bot.services.events.pause(key, official, cause="paused")
    await club.bot.services.events.end_hand(key, official, table=seat.table, hand_no=1, why="Over", cause="void")
    one = await person(club, name, await open_desk(club, name), "guest2")
    form = await club.ask(name, one, one.find("ev_d_out"))
    asked = words("event.ask.disqualify_at_once", player=club.members["guest2"].mention, name="Night")
    assert said_in(form) == asked
    desk = await say_why(club, name, form, "Rude")
    assert (await line(club, key, "guest2")).entrant.state is EntrantState.OUT
    undone = words("event_desk.undo.disqualified", player="guest2")
    assert undone not in [option["label"] for option in desk.find("ev_d_undo")["options"]]


async def test_what_lasts_no_more_says_so_where_it_is_taken_back(club: Club) -> None:
    words, official = club.words("bob"), Official(player=club.player("bob"))
    key = await announced(club, "bob", hours=3)
    await guests_of(club, key, 3)
    club.newcomer("late")
    found = await anyone(club, "bob", await open_desk(club, "bob"), club.members["late"])
    desk = await club.tap("bob", found, found.find("ev_d_register"))
    old = desk.find("ev_d_undo")
    await club.bot.services.events.start(key, official, cause="begun")
    await club.bot.services.event_publisher.drawn()
    await club.pass_time(45)
    told = await club.choose("bob", desk, old, [old["options"][0]["value"]])
    assert words("event_desk.too_late.started") in told.text
    one = await person(club, "bob", told, "guest0")
    desk = await club.tap("bob", one, one.find("ev_d_away"))
    old = desk.find("ev_d_undo")
    await club.bot.services.events.attend(key, official, club.player("guest0"), away=False, cause="back")
    told = await club.choose("bob", desk, old, [old["options"][0]["value"]])
    assert words("event_desk.too_late.sat_out", player=club.members["guest0"].mention) in told.text
    desk = await club.tap("bob", told, told.find("ev_d_pause"))
    old = desk.find("ev_d_undo")
    await club.bot.services.events.resume(key, official, cause="on")
    told = await club.choose("bob", desk, old, [old["options"][0]["value"]])
    assert words("event_desk.too_late.already") in told.text
    assert not told.has("ev_d_undo")


@pytest.mark.parametrize("verb", ["ev_d_help", "ev_d_register"])
async def test_discord_is_asked_about_a_member_for_organisers_alone(club: Club, verb: str) -> None:
    key = await announced(club, "bob")
    shown = next(screen for screen in await posted(club) if screen.has("ev_details"))
    stranger = club.world.env.create_user("stranger")
    press = f"c1:{verb}:{key.number}:0:0:::{short_id(stranger.id)}"

    def asked() -> int:
        return sum(f"/members/{stranger.id}" in request.path for request in club.backend.http_requests)

    refused = await forge(club, "hanako", shown, press)
    assert refused.said == club.words("hanako")("refused.not_organiser")
    assert asked() == 0
    unknown = await forge(club, "bob", shown, press)
    assert unknown.said == club.words("bob")("refused.they_left")
    assert asked() == 1, "whoever organises learns who is there"
