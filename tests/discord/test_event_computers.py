"""A Sit & Go without entrants, which its organiser fills with computers and which is played to its end."""

from __future__ import annotations

from bot.model.events import Phase
from bot.model.ids import COMPUTERS, EventKey, GuildId, is_computer
from bot.pure.solver.levels import Level
from bot.text.players import computer_name
from tests.discord.club import Club, Screen
from tests.discord.forge import deliver, forged_press
from tests.discord.test_event_form import page, publish
from tests.discord.test_event_night import steep
from tests.in_turn import in_turn

ROBIN, SAM, _ = COMPUTERS[Level.CASUAL]


async def phase(club: Club) -> Phase:
    """Return the phase of the club's event."""
    return (await club.bot.services.events.look(EventKey(guild=GuildId(club.guild.id), number=1))).event.phase


async def registered(club: Club, name: str) -> Screen:
    """Press Register on the newest event; returns the private answer."""
    shown = club.public()[-1]
    return await club.tap(name, shown, shown.find("ev_register"))


async def finished(club: Club) -> None:
    """Let the clock play until the event is over."""
    for _ in range(20):
        if (await phase(club)).over:
            return
        await club.pass_hours(600)
    raise AssertionError("it does not end")


async def test_an_organiser_who_registers_alone_fills_it_and_their_hand_opens_in_that_message(club: Club) -> None:
    words = club.words("alice")
    await publish(club, await steep(club))
    answer = await registered(club, "alice")
    assert words("event_desk.button.fill") in answer.labels()
    filled = await club.tap("alice", answer, answer.find("ev_fill"))
    assert filled.id == answer.id, "the button goes with the message that had it"
    assert await phase(club) is Phase.RUNNING
    for computer in (ROBIN, SAM):
        assert computer_name(computer, club.words()) in club.said()
    await club.pass_time(15)
    (panel,) = [shown for shown in club.private("alice") if shown.has("row") or shown.has("card")]
    assert panel.id == answer.id
    await club.type_turn("alice")
    await finished(club)
    assert await phase(club) is Phase.ENDED
    results = await club.slash("alice", "event", do="results")
    assert computer_name(ROBIN, words) in results.text
    assert club.members["alice"].mention in results.text


@in_turn("name", "bob", "hanako")
async def test_who_does_not_organise_is_not_offered_it_and_may_not(club: Club, name: str) -> None:
    await publish(club, await page(club))
    own = await registered(club, "alice")
    answer = await registered(club, name)
    assert not answer.has("ev_fill")
    press = forged_press(club, name, answer, own.find("ev_fill")["custom_id"])
    await deliver(press)
    assert press.said == club.words(name)("refused.not_organiser")
    assert await phase(club) is Phase.REGISTERING


async def test_the_organisers_tools_have_it_while_seats_are_left_and_somebody_is_in(club: Club) -> None:
    await publish(club, await page(club))
    shown = club.public()[-1]
    assert not (await club.tap("alice", shown, shown.find("ev_details"))).has("ev_fill"), "nobody would play"
    await registered(club, "bob")
    shown = club.public()[-1]
    tools = await club.tap("alice", shown, shown.find("ev_details"))
    await club.press("alice", tools, tools.find("ev_fill"))
    assert await phase(club) is Phase.RUNNING
    await club.pass_time(15)
    view = await club.look()
    assert sum(is_computer(place.seat.player) for place in view.places) == 2
    assert view.table.hand_no == 1


async def test_a_button_that_is_left_over_says_that_it_has_begun(club: Club) -> None:
    await publish(club, await page(club))
    await registered(club, "bob")
    tools = await club.tap("alice", club.public()[-1], club.public()[-1].find("ev_details"))
    for name in ("alice", "hanako"):
        await registered(club, name)
    late = await club.tap("alice", tools, tools.find("ev_fill"))
    assert late.text == club.words("alice")("refused.event_runs")


async def test_where_a_person_took_the_last_seat_since_it_was_asked_it_starts_without_a_computer(club: Club) -> None:
    """This is a table of three, for which the organiser had chosen a computer."""
    words = club.words("alice")
    await publish(club, await page(club, preset="chaipo", name="Night", when="in 3 hours"))
    club.newcomer("carol")
    for name in ("bob", "carol"):
        await club.slash(name, "event", do="register")
    asked = await club.slash("alice", "event", do="start")
    assert words("event.button.yes_fill", count=1) in asked.labels()
    await club.slash("hanako", "event", do="register")
    started = await club.tap("alice", asked, asked.find("ev_fill"))
    assert started.text == words("event.done.started", name="Night")
    assert await phase(club) is Phase.RUNNING
    view = await club.bot.services.events.look(EventKey(guild=GuildId(club.guild.id), number=1))
    assert sorted(line.entrant.player for line in view.lines) == sorted(
        str(club.members[name].id) for name in ("bob", "carol", "hanako")
    )
