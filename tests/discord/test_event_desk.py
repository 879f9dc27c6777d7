"""The organiser's desk: each act by menus and buttons, the display, refusals and limits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from simcord import InteractionResult, ResponseMessage

from bot.chat.event.acts.drawing import SURE
from bot.chat.event.screens.desk.page import OTHER
from bot.chat.kit.custom_ids import BUTTON_TEMPLATE, decode
from bot.model.clock import HOUR, Clock, Pace
from bot.model.events import EntrantState, Official, Phase
from bot.model.ids import EventKey, TableKey
from bot.model.tables import TableState, WaitReason
from bot.play.event.office.registration import PlannedEvent
from bot.play.event.office.views import StandingsLine
from bot.play.event.organisers.organiser_desk import DeskView
from bot.pure.event.structure import PRESETS, Family
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import PINEAPPLE
from tests.discord.club import Club, Screen
from tests.discord.test_event_form import guild_of, said_in
from tests.in_turn import in_turn

PLAIN = house_variant("pineapple", {"fantasyland": "off"})
ORGANISERS = ["bob", "hanako"]
"""An English and a Japanese reader, neither of whom manages the server."""


async def open_desk(club: Club, name: str) -> Screen:
    """Press Organise on the event's message, then Desk. This also works without the command's permission."""
    await posted(club)
    shown = next(screen for screen in reversed(club.public()) if screen.has("ev_details"))
    tools = await club.tap(name, shown, shown.find("ev_details"))
    return await club.tap(name, tools, tools.find("ev_desk"))


async def posted(club: Club) -> list[Screen]:
    """The public messages, once all that waits is posted."""
    await club.pass_time(5)
    await club.bot.services.event_publisher.drawn()
    await club.settle()
    return club.public()


async def person(club: Club, name: str, shown: Screen, who: str) -> Screen:
    """Choose a player from the desk's own menu."""
    return await club.choose(name, shown, shown.find("ev_d_person"), [str(club.members[who].id)])


async def anyone(club: Club, name: str, shown: Screen, who: Any) -> Screen:
    """Find a member with Discord's menu, behind the last option of the desk's."""
    if not shown.has("ev_d_guest"):
        shown = await club.choose(name, shown, shown.find("ev_d_person"), [OTHER])
    message = ResponseMessage(club.world.env, shown.message)
    result = await club.members[name].select(message, [who], custom_id=shown.find("ev_d_guest")["custom_id"])
    answer = await club._answer(result)  # noqa: SLF001
    assert answer is not None
    return answer


def question(shown: Screen) -> dict[str, Any] | None:
    """The button of a page that asks whether an act is meant."""
    pressed = ((one, BUTTON_TEMPLATE.fullmatch(one.get("custom_id", ""))) for one in shown.controls())
    decoded = ((one, decode(match)) for one, match in pressed if match)
    return next((one for one, press in decoded if press.street == SURE or press.verb == "ev_act_yes"), None)


async def meant(club: Club, name: str, shown: Screen) -> Screen:
    """Say that it's meant, if that is asked."""
    asked = question(shown)
    return shown if asked is None else await club.tap(name, shown, asked)


async def say_why(club: Club, name: str, form: Any, why: str) -> Screen:
    """Write into the one field of a form that was opened."""
    assert form.modal is not None
    (field,) = [part["component"] for part in form.modal["components"] if "component" in part]
    sent = await club.members[name].submit_modal(form, {field["custom_id"]: why})
    answer = await club._answer(sent)  # noqa: SLF001
    assert answer is not None
    return answer


async def chosen_form(club: Club, name: str, shown: Screen, verb: str, value: str) -> InteractionResult:
    """Choose from a menu that asks for the reason."""
    message = ResponseMessage(club.world.env, shown.message)
    return await club.members[name].select(message, [value], custom_id=shown.find(verb)["custom_id"])


async def choose_why(club: Club, name: str, shown: Screen, verb: str, value: str, why: str) -> Screen:
    """Choose an option that asks for a reason, and give one."""
    return await say_why(club, name, await chosen_form(club, name, shown, verb, value), why)


async def press_why(club: Club, name: str, shown: Screen, verb: str, why: str) -> Screen:
    """Press a button that asks for a reason, and give one."""
    return await say_why(club, name, await club.used(name, shown, shown.find(verb)), why)


async def desk_of(club: Club, key: EventKey) -> DeskView:
    return await club.bot.services.events.at_desk(key, Official(player=club.player("alice"), manager=True))


async def line(club: Club, key: EventKey, who: str) -> StandingsLine:
    """Return a player's line in the event."""
    found = (await desk_of(club, key)).view.line_of(club.player(who))
    assert found is not None
    return found


async def announced(
    club: Club,
    name: str,
    preset: str = "chaipo",
    *,
    hours: float = 3,
    series: str = "",
    page: bool = False,
    **changes: Any,
) -> EventKey:
    """Publish an event by an organiser who manages nothing, with its tables in the channel."""
    structure = replace(PRESETS[preset], **{"threads": False, **changes})
    plan = PlannedEvent(
        guild=guild_of(club),
        channel=club.channel.id,
        organiser=club.player(name),
        language="ja" if name == "hanako" else "en",
        name="Night",
        variant=PLAIN if preset == "duplicate" else PINEAPPLE,
        structure=structure,
        clock=Clock(pace=Pace.RELAXED, seconds=600),
        starts_at=None if preset == "sit_and_go" else int(club.world.now_ms() + hours * HOUR),
        series=series,
        page=page,
    )
    made = await club.bot.services.events.create(plan, cause=f"announced {preset}")
    await club.settle()
    return made.key


async def guests_of(club: Club, key: EventKey, count: int) -> list[str]:
    """Return ``count`` new members after each has registered by a press."""
    names = [f"guest{number}" for number in range(count)]
    for guest in names:
        club.newcomer(guest)
        await club.register(guest)
    return names


async def running(
    club: Club, name: str, preset: str = "chaipo", *, guests: int = 4, **changes: Any
) -> tuple[EventKey, list[str]]:
    """Publish an event, and start it until all tables are playing."""
    key = await announced(club, name, preset, **changes)
    people = await guests_of(club, key, guests)
    if preset != "sit_and_go":
        await club.bot.services.events.start(key, Official(player=club.player(name)), cause="begun")
        await club.bot.services.event_publisher.drawn()
    await club.pass_time(45)
    desk = await desk_of(club, key)
    assert desk.event.phase is Phase.RUNNING
    assert all(table.line.playing for table in desk.tables), "every table plays a hand"
    return key, people


def mention(club: Club, name: str) -> str:
    mentioned: str = club.members[name].mention
    return mentioned


# before the start


@in_turn("name", "bob", "hanako")
async def test_before_the_start_people_are_registered_checked_in_called_and_taken_off(club: Club, name: str) -> None:
    words, key = club.words(name), await announced(club, name)
    await guests_of(club, key, 2)
    club.newcomer("late")
    desk = await open_desk(club, name)
    assert words("event_desk.registered", count=2, most=PRESETS["chaipo"].most) in desk.text
    found = await anyone(club, name, desk, club.members["late"])
    assert words("event_desk.state.not_in") in found.text
    done = await club.tap(name, found, found.find("ev_d_register"))
    assert words("event_desk.done.registered", player=mention(club, "late")) in done.text
    assert (await line(club, key, "late")).entrant.state is EntrantState.REGISTERED
    public = club.words(name)(
        "event_notice.ruling.registered_for", by=mention(club, name), player=mention(club, "late")
    )
    await posted(club)
    assert public in club.said(), "it is told that they didn't do it themselves"
    await club.pass_hours(3 * 3600 - 14 * 60)
    assert (await desk_of(club, key)).event.phase is Phase.CHECK_IN
    desk = await open_desk(club, name)
    assert words("event_desk.not_checked_in", players="").rstrip() in desk.text
    assert desk.find("ev_d_call_all")["label"] == words("event_desk.button.call_missing", count=3)
    before = len(await posted(club))
    called = await club.tap(name, desk, desk.find("ev_d_call_all"))
    assert words("event_desk.done.called", count=3) in called.text
    (post,) = (await posted(club))[before:]
    assert set(post.message.ping_user_ids) == {club.members[one].id for one in ("guest0", "guest1", "late")}
    assert post.has("ev_checkin"), "the button is where they are called"
    one = await person(club, name, called, "guest0")
    done = await club.tap(name, one, one.find("ev_d_check_in"))
    assert words("event_desk.done.checked_in", player=mention(club, "guest0")) in done.text
    assert (await line(club, key, "guest0")).entrant.state is EntrantState.CHECKED_IN
    assert done.find("ev_d_call_all")["label"] == words("event_desk.button.call_missing", count=2)
    one = await person(club, name, done, "guest1")
    done = await meant(club, name, await club.tap(name, one, one.find("ev_d_unlist")))
    assert words("event.done.unregistered_free", player=mention(club, "guest1")) in done.text
    assert (await desk_of(club, key)).view.line_of(club.player("guest1")) is None


@in_turn("name", "bob", "hanako")
async def test_a_registration_and_a_removal_are_taken_back(club: Club, name: str) -> None:
    words, key = club.words(name), await announced(club, name)
    club.newcomer("late")
    desk = await open_desk(club, name)
    assert not desk.has("ev_d_undo"), "nothing was done yet"
    found = await anyone(club, name, desk, club.members["late"])
    desk = await club.tap(name, found, found.find("ev_d_register"))
    asked = await take_back(club, name, desk, "registered_for", player=club.members["late"].user.name)
    desk = await meant(club, name, asked)
    assert words("event.done.unregistered_free", player=mention(club, "late")) in desk.text
    assert (await desk_of(club, key)).view.lines == ()
    desk = await take_back(club, name, desk, "unregistered", player=club.members["late"].user.name)
    assert words("event_desk.done.registered", player=mention(club, "late")) in desk.text
    assert (await line(club, key, "late")).entrant.registered


async def take_back(club: Club, name: str, desk: Screen, what: str, **values: Any) -> Screen:
    """Choose what was done last of this kind in the menu below it."""
    menu = desk.find("ev_d_undo")
    label = club.words(name)("event_desk.take_back_of", what=club.words(name)(f"event_desk.undo.{what}", **values))
    (value,) = [option["value"] for option in menu["options"] if option["label"] == label]
    return await club.choose(name, desk, menu, [value])


# while it is played


@in_turn("name", "bob", "hanako")
async def test_players_are_called_sat_out_punished_and_disqualified_by_choosing_alone(club: Club, name: str) -> None:
    words = club.words(name)
    key, _ = await running(club, name, guests=4)
    desk = await open_desk(club, name)
    before = len(await posted(club))
    one = await person(club, name, desk, "guest0")
    desk = await club.tap(name, one, one.find("ev_d_call"))
    assert words("event_desk.done.called", count=1) in desk.text
    (post,) = (await posted(club))[before:]
    assert list(post.message.ping_user_ids) == [club.members["guest0"].id]
    one = await person(club, name, desk, "guest0")
    desk = await club.tap(name, one, one.find("ev_d_away"))
    assert words("event_desk.done.sat_out", player=mention(club, "guest0")) in desk.text
    assert (await line(club, key, "guest0")).away
    assert words("event_desk.away", players=mention(club, "guest0")) in desk.text
    assert not desk.has("ev_d_call_all"), "nobody is missing"
    desk = await take_back(club, name, desk, "sat_out", player="guest0")
    assert not (await line(club, key, "guest0")).away
    one = await person(club, name, desk, "guest1")
    form = await chosen_form(club, name, one, "ev_d_penal", "3")
    assert said_in(form) == words("event_desk.penalty_counts"), "they play a hand right now"
    desk = await say_why(club, name, form, "Late again")
    assert words("event.done.penalty", player=mention(club, "guest1"), count=3) in desk.text
    assert (await line(club, key, "guest1")).entrant.penalty == 3
    await posted(club)
    assert "Late again" in club.said()
    desk = await take_back(club, name, desk, "penalty", player="guest1")
    assert (await line(club, key, "guest1")).entrant.penalty == 0
    one = await person(club, name, desk, "guest2")
    form = await club.ask(name, one, one.find("ev_d_out"))
    assert said_in(form) == words("event.ask.disqualify", player=mention(club, "guest2"), name="Night")
    desk = await say_why(club, name, form, "Rude")
    assert words("event.done.disqualified", player=mention(club, "guest2")) in desk.text
    assert (await line(club, key, "guest2")).entrant.disqualified
    desk = await take_back(club, name, desk, "disqualified", player="guest2")
    assert not (await line(club, key, "guest2")).entrant.disqualified


@in_turn("name", "bob", "hanako")
async def test_a_player_is_moved_to_a_free_seat_from_a_list_that_says_what_it_does(club: Club, name: str) -> None:
    words = club.words(name)
    key, _ = await running(club, name, guests=5)
    tables = {table.id: table.line.players for table in (await desk_of(club, key)).tables}
    (full,) = [number for number, players in tables.items() if len(players) == 3]
    (free,) = [number for number, players in tables.items() if len(players) == 2]
    mover = club.name_of(tables[full][0])
    one = await person(club, name, await open_desk(club, name), mover)
    (option,) = one.find("ev_d_to")["options"]
    assert option["label"] == words("event_desk.seat", table=free, taken=2, seats=3)
    assert option["description"] == words("event_desk.even", least=2, most=3)
    desk = await choose_why(club, name, one, "ev_d_to", str(free), "Friends apart")
    assert words("event.done.moving", player=mention(club, mover), table=free) in desk.text
    assert (await line(club, key, mover)).entrant.move_to == free
    desk = await take_back(club, name, desk, "to_be_moved", player=mover, table=free)
    assert words("event_desk.done.stays", player=mention(club, mover)) in desk.text
    assert (await line(club, key, mover)).entrant.move_to is None


@pytest.mark.parametrize(
    ("preset", "name"),
    [(preset, ORGANISERS[n % 2]) for n, preset in enumerate(("chaipo", "league", "heads_up", "shootout"))],
)
async def test_one_table_is_called_paused_and_loses_its_hand_while_the_others_play(
    club: Club, name: str, preset: str
) -> None:
    words = club.words(name)
    key, _ = await running(club, name, preset, guests=4 if preset == "heads_up" else 6)
    first, other = [table.id for table in (await desk_of(club, key)).tables]
    desk = await open_desk(club, name)

    async def at(desk: Screen) -> Screen:
        return await club.choose(name, desk, desk.find("ev_d_table"), [str(first)])

    shown = await at(desk)
    before = len(await posted(club))
    desk = await club.tap(name, shown, shown.find("ev_d_call_at"))
    (post,) = (await posted(club))[before:]
    seated = next(table for table in (await desk_of(club, key)).tables if table.id == first).line.players
    assert {str(player) for player in post.message.ping_user_ids} == set(seated)
    shown = await at(desk)
    desk = await club.tap(name, shown, shown.find("ev_d_hold"))
    assert words("event_desk.done.held", table=first) in desk.text
    where = TableKey(guild=key.guild, table=first)
    hand = (await club.play.look(where)).table.hand_no
    shown = await at(desk)
    desk = await press_why(club, name, shown, "ev_d_void", "Cards shown")
    assert words("event_desk.done.hand_ended", table=first) in desk.text
    await posted(club)
    assert "Cards shown" in club.said()
    await club.pass_time(60)
    table = (await club.play.look(where)).table
    assert (table.state, table.hand_no) == (TableState.BETWEEN, hand), "no further hand is dealt there"
    held = (await desk_of(club, key)).table(first)
    assert held is not None
    assert held.line.info.waits is WaitReason.HELD
    played = (await desk_of(club, key)).table(other)
    assert played is not None
    assert played.line.playing, "the other table plays"
    assert club.words(name)("event_table.waits.held") in club.said(), "the table's own message says so"
    desk = await take_back(club, name, await open_desk(club, name), "held", table=first)
    assert words("event_desk.done.released", table=first) in desk.text
    await club.pass_time(5)
    again = (await club.play.look(where)).table
    assert (again.state, again.hand_no) == (TableState.PLAYING, hand + 1)


@in_turn("name", "bob", "hanako")
async def test_all_tables_are_paused_and_hear_a_message_and_the_desk_is_shared(club: Club, name: str) -> None:
    words = club.words(name)
    key, _ = await running(club, name)
    desk = await open_desk(club, name)
    desk = await club.tap(name, desk, desk.find("ev_d_pause"))
    assert words("event.done.paused", name="Night") in desk.text
    assert (await desk_of(club, key)).event.paused
    desk = await take_back(club, name, desk, "paused")
    assert not (await desk_of(club, key)).event.paused
    desk = await press_why(club, name, desk, "ev_d_say", "Pizza is here")
    assert words("event.done.said") in desk.text
    await posted(club)
    assert "Pizza is here" in club.said()
    other = next(one for one in ("bob", "hanako") if one != name)
    found = await anyone(club, name, desk, club.members[other])
    desk = await club.tap(name, found, found.find("ev_d_help"))
    assert words("event.done.helper", player=mention(club, other), name="Night") in desk.text
    theirs = await open_desk(club, other)
    assert club.words(other)("event_desk.private") in theirs.text, "it is theirs too"


async def test_the_desk_says_what_was_done_and_by_whom_and_is_up_to_date_when_refreshed(club: Club) -> None:
    key, _ = await running(club, "bob")
    desk = await open_desk(club, "bob")
    assert club.words("bob")("event_desk.acts") in desk.text, "it was started early"
    await club.bot.services.events.pause(key, Official(player=club.player("alice"), manager=True), cause="elsewhere")
    again = await club.tap("bob", desk, desk.find("ev_desk"))
    log = club.words("bob")("event.log.by", what=club.words("bob")("event.log.paused"), player=mention(club, "alice"))
    assert log in again.text
    assert again.has("ev_d_resume")
    assert f"<t:{(await desk_of(club, key)).tables[0].last_at // 1000}:R>" in again.text


async def test_a_table_where_nothing_happens_comes_first(club: Club) -> None:
    key, _ = await running(club, "bob", guests=6)
    first, other = [table.id for table in (await desk_of(club, key)).tables]
    await club.pass_time(200)
    quick = TableKey(guild=key.guild, table=first)
    (player, *_) = (await club.play.look(quick)).waiting
    await club.bot.services.events.attend(
        key, Official(player=club.player("bob")), player, away=True, cause="plays by the clock"
    )
    await club.pass_time(120)
    desk = await desk_of(club, key)
    assert [table.slow for table in desk.tables] == [True, False]
    assert [table.id for table in desk.tables] == [other, first]
    shown = await open_desk(club, "bob")
    assert f"⚠️ [Table {other}]" in shown.text
    assert f"⚠️ [Table {first}]" not in shown.text


@pytest.mark.parametrize("preset", PRESETS)
async def test_tools_that_a_format_lacks_are_not_offered(club: Club, preset: str) -> None:
    people = {"sit_and_go": 3, "heads_up": 4, "double": 4}.get(preset, 6)
    key, names = await running(club, "bob", preset, guests=people)
    event = (await desk_of(club, key)).event
    shown = await person(club, "bob", await open_desk(club, "bob"), names[0])
    assert shown.has("ev_d_penal")
    assert shown.has("ev_d_away")
    moves = event.format.family is Family.FREEZEOUT and preset != "sit_and_go"
    assert shown.has("ev_d_to") == (moves and people % 3 > 0)
    desk = await open_desk(club, "bob")
    menu = desk.find("ev_d_table")
    at = await club.choose("bob", desk, menu, [menu["options"][0]["value"]])
    assert at.has("ev_d_hold") == at.has("ev_d_void") == (preset != "duplicate")


async def test_a_guest_comes_late_and_sits_down(club: Club) -> None:
    words = club.words("bob")
    key, _ = await running(club, "bob", guests=4, late_levels=5)
    club.newcomer("late")
    found = await anyone(club, "bob", await open_desk(club, "bob"), club.members["late"])
    desk = await club.tap("bob", found, found.find("ev_d_register"))
    assert words("event_desk.done.registered", player=mention(club, "late")) in desk.text
    assert (await line(club, key, "late")).entrant.playing
    await club.pass_time(5)
    assert (await line(club, key, "late")).table is not None


# players absent by a ruling


@in_turn("name", "bob", "hanako")
async def test_a_penalised_player_is_told_so_with_their_own_hand(club: Club, name: str) -> None:
    words = club.words(name)
    key, _ = await running(club, name, guests=3)
    official = Official(player=club.player(name))
    await club.bot.services.events.penalty(key, official, club.player("guest1"), hands=2, why="Late", cause="p")
    await club.pass_time(5)
    hand = await club.slash("guest1", "hand")
    assert club.words("guest1")("away.penalty", count=2) in hand.text
    assert club.words("guest1")("away.sitting_out") not in hand.text
    assert words("button.stay") not in hand.labels(), "it would be refused"
    seen = "\n".join(screen.text for screen in club.public())
    assert words("event_table.penalty") in seen
    other = await club.slash("guest0", "hand")
    assert "🚫 **" not in other.text


@in_turn("name", "bob", "hanako")
async def test_a_player_who_is_taken_back_before_the_start_is_called_to_register(club: Club, name: str) -> None:
    key = await announced(club, name, fee=50)
    await guests_of(club, key, 2)
    events, official, guest = club.bot.services.events, Official(player=club.player(name)), club.player("guest1")
    await events.disqualify(key, official, guest, why="Rude", cause="out")
    await posted(club)
    await events.reinstate(key, official, guest, cause="back")
    (said,) = [
        screen for screen in await posted(club) if screen.has("ev_register") and mention(club, "guest1") in screen.text
    ]
    assert club.words(name)("event.button.register") in said.text
    assert list(said.message.ping_user_ids) == [club.members["guest1"].id]
    await club.tap("guest1", said, said.find("ev_register"))
    assert (await line(club, key, "guest1")).entrant.registered


@in_turn("name", "bob", "hanako")
async def test_a_form_of_the_desk_can_be_chosen_again_after_it_was_closed(club: Club, name: str) -> None:
    _, people = await running(club, name)
    one = await person(club, name, await open_desk(club, name), people[0])
    numbers = list[int]()
    for _ in range(3):
        numbers.append(one.find("ev_d_penal")["id"])
        form = await chosen_form(club, name, one, "ev_d_penal", "2")
        assert form.modal is not None
    assert len({*numbers}) == len(numbers)
    done = await say_why(club, name, await chosen_form(club, name, one, "ev_d_penal", "2"), "slow")
    assert club.words(name)("event.done.penalty", player=mention(club, people[0]), count=2) in done.text
