"""The waiting list of a full event on Discord: pressed, typed, offered, and seen by its organisers."""

from __future__ import annotations

from typing import Any

import pytest

from bot.chat.event.screens.flight import flight_name
from bot.chat.event.screens.screen import about
from bot.model.events import Official, Phase
from bot.model.ids import EventKey
from bot.model.limits import MAX_EVENT_NAME_LENGTH
from bot.text.words import words_for
from cogs.event.event_command import NAME
from tests.discord.club import Club, Screen
from tests.discord.forge import deliver, forge, forged_form, forged_press
from tests.discord.forms import enter_in_setup
from tests.discord.test_event_desk import (
    announced,
    desk_of,
    guests_of,
    mention,
    open_desk,
    person,
    posted,
)
from tests.discord.test_event_form import guild_of
from tests.discord.test_powers import make_host
from tests.in_turn import in_turn

FEE = 50


async def full(club: Club, organiser: str = "bob", *, hours: float = 3) -> EventKey:
    """An event for two with a fee, whose places two guests have taken."""
    key = await announced(club, organiser, hours=hours, most=2, fee=FEE)
    await guests_of(club, key, 2)
    return key


async def shown_event(club: Club) -> Screen:
    """Return the event's own message."""
    return next(screen for screen in reversed(await posted(club)) if screen.has("ev_register"))


async def offer(club: Club) -> Screen:
    """Return the message that offers a place."""
    return next(screen for screen in reversed(await posted(club)) if screen.has("ev_take"))


async def chips(club: Club, who: str) -> int:
    """Return a player's chips."""
    return await club.play.wallet(guild_of(club), club.player(who))


async def waiting(club: Club, key: EventKey) -> list[str]:
    """Return the waiting list in order."""
    return [club.name_of(one.player) for one in (await club.bot.services.events.look(key)).waiting]


async def registered(club: Club, key: EventKey) -> set[str]:
    """Return the registered players."""
    return {club.name_of(line.entrant.player) for line in (await club.bot.services.events.look(key)).lines}


@in_turn("name", "alice", "hanako")
async def test_a_full_event_is_waited_for_and_a_free_place_is_taken_with_its_fee(club: Club, name: str) -> None:
    words, key = club.words(name), await full(club)
    message = await shown_event(club)
    assert message.find("ev_register")["label"] == "Join the waiting list"
    joined = await club.tap(name, message, message.find("ev_register"))
    assert words("event.waiting.unpaid") in joined.text
    assert "1st" in joined.text or "1番目" in joined.text
    assert joined.has("ev_withdraw")
    assert "1 on the waiting list" in (await shown_event(club)).text
    twice = await club.slash(name, NAME, do=words("event_acts.name.enter"))
    assert twice.text == words("event.waiting.at", place="1st" if name == "alice" else "1")

    before = await chips(club, name)
    await club.withdraw("guest0")
    called = await offer(club)
    assert {*called.message.ping_user_ids} == {club.members[name].id}
    assert "A place is free for" in called.text
    shown = (await shown_event(club)).text
    assert "1 on the waiting list, 1 of them offered a place" in shown
    club.newcomer("gina")
    refused = await club.tap("gina", called, called.find("ev_take"))
    assert refused.text == club.words("gina")("refused.offered_to_others")
    taken = await club.tap(name, called, called.find("ev_take"))
    assert words("event.done.registered_check_in", name="Night", at="", from_now="", press="")[:5] in taken.text
    assert await registered(club, key) == {name, "guest1"}
    assert await chips(club, name) == before - FEE
    assert await waiting(club, key) == []
    assert not any(screen.has("ev_take") for screen in club.public()), "the offer says that it's over"
    assert f"<@{club.members[name].id}> took the place." in club.public()[-1].text


@in_turn("name", "alice", "hanako")
async def test_a_place_is_taken_passed_on_and_left_by_typing(club: Club, name: str) -> None:
    words, key = club.words(name), await full(club)
    club.newcomer("erin")
    await club.slash(name, NAME, do=words("event_acts.name.enter"))
    await club.slash("erin", NAME, do="register")
    early = await club.slash(name, NAME, do=words("event_acts.name.take"))
    assert early.text == words("refused.no_offer_yet", place="1")
    await club.withdraw("guest0")
    asked = await club.slash(name, NAME, do=words("event_acts.name.take"))
    assert words("terms.typed") in asked.text
    assert asked.has("ev_take"), "a fee that's typed is asked once"
    assert await waiting(club, key) == [name, "erin"]
    passed = await club.slash(name, NAME, do=words("event_acts.name.pass"))
    assert passed.text == words("event.waiting.passed", name="Night")
    assert await waiting(club, key) == ["erin"]
    late = await club.tap(name, asked, asked.find("ev_take"))
    assert late.text == words("refused.offer_over")
    await club.slash("erin", NAME, do="take the place")
    await club.slash("erin", NAME, do="take the place")
    assert await registered(club, key) == {"erin", "guest1"}
    await club.slash(name, NAME, do=words("event_acts.name.enter"))
    left = await club.withdraw(name, words("event_acts.name.withdraw"))
    assert left.text == words("event.waiting.left", name="Night")
    assert await waiting(club, key) == []


@in_turn("name", "alice", "hanako")
async def test_an_offer_that_ran_out_is_refused_and_the_next_is_called(club: Club, name: str) -> None:
    words, key = club.words(name), await full(club, hours=2)
    club.newcomer("erin")
    await club.register(name)
    await club.register("erin")
    await club.withdraw("guest0")
    first = await offer(club)
    presses = [first.find(verb)["custom_id"] for verb in ("ev_take", "ev_pass")]
    await club.pass_time(31 * 60)
    second = await offer(club)
    assert {*second.message.ping_user_ids} == {club.members["erin"].id}
    for press in presses:
        said = (await forge(club, name, first, press)).said
        assert said == words("refused.offer_over")
    assert await waiting(club, key) == ["erin"]
    assert [screen for screen in club.public() if screen.has("ev_take")] == [second], "the first says that it's over"
    other = (await forge(club, "guest1", second, second.find("ev_take")["custom_id"])).said
    assert other == club.words("guest1")("refused.already_registered", withdraw="Withdraw")


async def test_a_member_who_left_the_server_while_waiting_is_skipped_before_anyone_is_told(club: Club) -> None:
    key = await full(club)
    for one in ("dave", "erin"):
        club.newcomer(one)
        await club.register(one)
    club.guild.remove_member(club.members["dave"])
    await club.withdraw("guest0")
    (called,) = [screen for screen in await posted(club) if screen.has("ev_take")]
    assert await waiting(club, key) == ["erin"]
    assert {*called.message.ping_user_ids} == {club.members["erin"].id}
    assert mention(club, "dave") not in called.text
    taken = await club.tap("erin", called, called.find("ev_take"))
    assert await registered(club, key) == {"erin", "guest1"}, taken.text
    log = await club.slash("bob", NAME, do="log")
    told = club.words("bob")("event.log.list_left_server", players="$").split("$")[0]
    (line,) = [line for line in log.text.splitlines() if told in line]
    assert mention(club, "dave") in line


async def test_the_places_of_a_new_table_are_offered_to_members_only(club: Club) -> None:
    key = await full(club)
    for one in ("dave", "erin", "frank", "grace"):
        club.newcomer(one)
        await club.register(one)
    club.guild.remove_member(club.members["erin"])
    await club.bot.services.events.open_table(key, Official(player=club.player("bob")), cause="more")
    offers = [screen for screen in await posted(club) if screen.has("ev_take")]
    assert [{*screen.message.ping_user_ids} for screen in offers] == [
        {club.members[name].id for name in names} for names in (("dave", "frank"), ("grace",))
    ]
    assert await waiting(club, key) == ["dave", "frank", "grace"]


async def test_a_typed_entry_from_the_list_shows_its_fee_first(club: Club) -> None:
    key = await full(club)
    await club.slash("alice", NAME, do="register")
    await club.withdraw("guest0")
    asked = await club.slash("alice", NAME, do="register")
    assert asked.has("ev_take")
    assert await registered(club, key) == {"guest1"}
    await club.slash("alice", NAME, do="register")
    assert await registered(club, key) == {"alice", "guest1"}


async def test_details_show_the_list_and_what_its_readers_can_do(club: Club) -> None:
    await full(club)
    for one in ("dave", "erin"):
        club.newcomer(one)
        await club.register(one)
    shown = await club.slash("dave", NAME, do="show")
    assert "**Waiting list: 2**" in shown.text
    assert f"(1) {mention(club, 'dave')}" in shown.text
    assert "You're 1st on the waiting list." in shown.text
    assert shown.has("ev_withdraw")
    assert not shown.has("ev_register")
    await club.withdraw("guest0")
    kept = await club.slash("dave", NAME, do="show")
    assert kept.has("ev_take")
    assert kept.has("ev_pass")
    assert "on the waiting list" in (await club.slash("erin", NAME, do="list")).text
    assert "you're on the waiting list" in (await club.slash("erin", "ofc table", do="mine")).text
    assert "a place is kept for you" in (await club.slash("dave", "ofc table", do="mine")).text


@in_turn("name", "bob", "hanako")
async def test_organisers_see_the_list_reorder_it_and_open_another_table(club: Club, name: str) -> None:
    words, key = club.words(name), await full(club, name)
    for one in ("dave", "erin", "frank"):
        club.newcomer(one)
        await club.register(one)
    desk = await open_desk(club, name)
    outdated = desk.find("ev_d_add_table")["custom_id"]
    assert words("event.waiting.list", waiting=3) in desk.text
    page = await person(club, name, desk, "frank")
    press = page.find("ev_d_top")["custom_id"]
    await club.tap(name, page, page.find("ev_d_top"))
    assert await waiting(club, key) == ["frank", "dave", "erin"]
    again = await forge(club, name, page, press)
    assert again.said == words("refused.they_are_first")
    done = await club.tap(name, await open_desk(club, name), (await open_desk(club, name)).find("ev_d_add_table"))
    assert words("event_desk.done.table_opened") in done.text
    called = await offer(club)
    assert {*called.message.ping_user_ids} == {club.members[one].id for one in ("frank", "dave", "erin")}
    assert (await desk_of(club, key)).event.structure.most == 2 + (await desk_of(club, key)).event.structure.table_seats
    most = (await desk_of(club, key)).event.structure.most
    late = await forge(club, name, page, outdated)
    assert late.said == words("refused.max_changed", most=most)
    stranger = await forge(club, "dave", called, f"c1:{about((await desk_of(club, key)).event).but('ev_d_add_table')}")
    assert stranger.said == club.words("dave")("refused.not_organiser")


async def test_the_start_tells_everyone_who_still_waits_in_its_own_post(club: Club) -> None:
    key = await full(club)
    club.newcomer("dave")
    await club.register("dave")
    await club.bot.services.events.start(key, Official(player=club.player("bob")), cause="begun")
    told = [screen for screen in await posted(club) if "The waiting list has ended" in screen.text]
    assert len(told) == 1
    assert {*told[0].message.ping_user_ids} == {club.members["dave"].id}
    assert (await club.bot.services.events.look(key)).event.phase is Phase.RUNNING
    said = await club.slash("dave", NAME, do="register")
    assert said.text != ""
    assert await waiting(club, key) == []


async def test_the_list_and_its_deadlines_survive_a_restart(club: Club) -> None:
    key = await full(club, hours=2)
    for one in ("dave", "erin"):
        club.newcomer(one)
        await club.register(one)
    await club.withdraw("guest0")
    await club.restart()
    assert await waiting(club, key) == ["dave", "erin"]
    await club.pass_time(40 * 60)
    assert await waiting(club, key) == ["erin"]


@in_turn("name", "bob", "hanako")
async def test_starting_now_says_whose_kept_place_is_lost_and_they_are_told_the_truth(club: Club, name: str) -> None:
    words, key = club.words(name), await announced(club, name, most=3)
    await guests_of(club, key, 3)
    for one in ("dave", "erin"):
        club.newcomer(one)
        await club.register(one)
    await club.withdraw("guest0")
    called = await offer(club)
    assert ("it goes to the next on the waiting list" in called.text) == (name == "bob")
    assert ("次の人に案内します" in called.text) == (name == "hanako")
    press = called.find("ev_take")["custom_id"]
    asked = await club.slash(name, NAME, do=words("event_acts.name.start"))
    (kept,) = [one for one in (await club.bot.services.events.look(key)).waiting if one.offered_until]
    at = f"<t:{(kept.offered_until or 0) // 1000}:f>"
    assert words("event.ask.start_kept", players=mention(club, "dave"), at=at) in asked.text
    assert words("event.ask.start_waiting", count=1) in asked.text
    begun = await club.press(name, asked, asked.find("ev_begin"))
    assert begun is not None
    assert words("event.done.started", name="Night") in begun.text
    assert words("event_desk.starting") in begun.text
    assert ":R>" not in begun.text.split(words("event_desk.acts"))[0], "the announced start is over"
    await club.settle()
    assert (await club.bot.services.events.look(key)).event.phase is Phase.RUNNING
    over = words("event_notice.over.offered_started")
    assert [screen for screen in club.public() if over in screen.text]
    said = (await forge(club, "dave", called, press)).said
    assert said == club.words("dave")("refused.offer_ended_by_start")


async def test_a_place_is_not_promised_to_the_next_if_nobody_is_next(club: Club) -> None:
    await full(club)
    club.newcomer("dave")
    await club.register("dave")
    await club.withdraw("guest0")
    called = await offer(club)
    assert "It's kept until" in called.text
    assert "goes to the next" not in called.text
    passed = await club.slash("dave", NAME, do="pass")
    assert passed.text == club.words("dave")("event.waiting.passed_free", name="Night")


# another flight


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_long_name_leaves_room_for_the_flights_number(language: str) -> None:
    words = words_for(language)
    assert flight_name(words, "Night", 2) in FLIGHTS.values()
    long = flight_name(words, "N" * MAX_EVENT_NAME_LENGTH, 10)
    assert len(long) == MAX_EVENT_NAME_LENGTH
    assert "10" in long


FLIGHTS = {"bob": "Night (Flight 2)", "hanako": "Night（第2フライト）"}
"""The name of the flight, by the first event's organiser."""


async def crowded(club: Club, organiser: str = "bob") -> EventKey:
    """A full event whose organiser may publish events, and three people on its waiting list."""
    await make_host(club, organiser)
    key = await full(club, organiser)
    for one in ("dave", "erin", "frank"):
        club.newcomer(one)
        await club.register(one)
    return key


async def flight_of(club: Club, key: EventKey) -> EventKey:
    """Return the newest event, which must be another one."""
    newest = (await club.bot.services.events.events(guild_of(club)))[0]
    assert newest.key != key
    return newest.key


async def open_events(club: Club) -> int:
    """Return the number of the server's open events."""
    return len([one for one in await club.bot.services.events.events(guild_of(club)) if not one.phase.over])


def text_of(form: Any) -> str:
    """Return the text of a form above its fields."""
    return "\n".join(part["content"] for part in form.modal["components"] if "content" in part)


@in_turn("name", "bob", "hanako")
async def test_an_organiser_opens_another_flight_which_makes_two_posts_and_one_ping(club: Club, name: str) -> None:
    words, key = club.words(name), await crowded(club, name)
    role = club.guild.create_role("Events", mentionable=True)
    await enter_in_setup(club, "alice", "event role", [role])
    before = {screen.message.id for screen in await posted(club)}
    desk = await open_desk(club, name)
    form = await club.used(name, desk, desk.find("ev_d_flight"))
    start = (await desk_of(club, key)).event.starts_at or 0
    said = text_of(form)
    told = (
        FLIGHTS[name],
        f"<t:{start // 1000}:F>",
        words("structure.fee", chips=words.number(FEE)),
        words("event_desk.flight.rest", count=1),
        words("event_desk.flight.keeps"),
    )
    assert [one for one in told if one not in said] == []
    assert [mention(club, one) in said for one in ("dave", "erin", "frank")] == [True, True, False]
    done = await club.send(name, form)
    assert words("event_desk.done.flight_opened", name=FLIGHTS[name], hour=f"<t:{start // 1000}:F>") in done.text
    flight = await flight_of(club, key)
    new = [screen for screen in await posted(club) if screen.message.id not in before]
    pinged = [{*screen.message.ping_user_ids} for screen in new]
    assert pinged == [set(), {club.members[one].id for one in ("dave", "erin")}]
    assert not any(role.mention in screen.text for screen in new), "the role isn't pinged for those who wait"
    called = await offer(club)
    assert "**Night**" in called.text
    assert (
        words_for((await desk_of(club, flight)).event.language)("event_notice.offered_flight", players="#", count=2)[:4]
        in called.text
    )
    assert await waiting(club, key) == await waiting(club, flight) == ["dave", "erin", "frank"]

    had = await chips(club, "dave")
    await club.tap("dave", called, called.find("ev_take"))
    assert await registered(club, flight) == {"dave"}
    assert await chips(club, "dave") == had - FEE
    assert await waiting(club, key) == ["erin", "frank"]
    passed = await club.tap("erin", called, called.find("ev_pass"))
    assert passed.text == club.words("erin")("event.waiting.passed", name=FLIGHTS[name])
    assert await waiting(club, key) == ["erin", "frank"]
    assert {*(await offer(club)).message.ping_user_ids} == {club.members["frank"].id}


@in_turn("name", "bob", "hanako")
async def test_opening_a_flight_says_whether_it_gets_a_web_page(club: Club, name: str) -> None:
    words, key = club.words(name), await crowded(club, name)
    told = words("event_desk.flight.page")
    desk = await open_desk(club, name)
    assert told not in text_of(await club.used(name, desk, desk.find("ev_d_flight")))
    organiser = Official(player=club.player(name))
    await club.bot.services.events.change(key, organiser, {"page": (False, True)}, cause="published")
    desk = await open_desk(club, name)
    form = await club.used(name, desk, desk.find("ev_d_flight"))
    assert told in text_of(form)
    await club.send(name, form)
    flight = await flight_of(club, key)
    pages = {(await desk_of(club, one)).event.page for one in (key, flight)}
    assert "" not in pages
    assert len(pages) == 2, "each has its own address"


@in_turn("name", "bob", "hanako")
async def test_a_flight_is_typed_with_a_later_start_and_asks_once(club: Club, name: str) -> None:
    words, key = club.words(name), await crowded(club, name)
    typed = {"do": words("event_acts.name.open_flight"), "value": "1h"}
    start = (await desk_of(club, key)).event.starts_at or 0
    later = f"<t:{start // 1000 + 3600}:F>"
    asked = await club.slash(name, NAME, **typed)
    assert later in asked.text
    assert words("event_desk.flight.keeps") in asked.text
    club.newcomer("gina")
    await club.register("gina")
    again = await club.slash(name, NAME, **typed)
    assert mention(club, "dave") in again.text
    assert await open_events(club) == 1, "one more waits, so it asks again"
    done = await club.slash(name, NAME, **typed)
    assert words("event_desk.done.flight_opened", name=FLIGHTS[name], hour=later) in done.text
    assert (await desk_of(club, await flight_of(club, key))).event.starts_at == start + 3_600_000


@in_turn("name", "bob", "hanako")
async def test_a_flights_start_that_cannot_be_read_is_kept_and_corrected(club: Club, name: str) -> None:
    words, key = club.words(name), await crowded(club, name)
    desk = await open_desk(club, name)
    form = await club.used(name, desk, desk.find("ev_d_flight"))
    label = words("event_desk.field.flight")
    wrong = await club.send(name, form, {label: "someday"})
    assert "someday" in wrong.text
    assert await open_events(club) == 1
    club.newcomer("gina")
    await club.register("gina")
    form = await club.used(name, wrong, wrong.find("ev_d_flight"))
    assert words("event_desk.flight.rest", count=2) in text_of(form), "it shows the present terms"
    await club.send(name, form, {label: "2h"})
    assert await waiting(club, await flight_of(club, key)) == ["dave", "erin", "frank", "gina"]


async def test_two_organisers_at_once_open_one_flight(club: Club) -> None:
    key = await crowded(club)
    forms = {}
    for name in ("bob", "alice"):
        desk = await open_desk(club, name)
        forms[name] = await club.used(name, desk, desk.find("ev_d_flight"))
    await club.send("bob", forms["bob"])
    late = await club.send("alice", forms["alice"])
    assert club.words("alice")("event_desk.flight.meanwhile") in late.text
    assert late.has("ev_desk"), "there's a way on"
    assert await open_events(club) == 2
    assert await waiting(club, key) == ["dave", "erin", "frank"]


@in_turn("name", "bob", "hanako")
async def test_no_flight_is_opened_without_the_right_too_late_or_for_too_few(club: Club, name: str) -> None:
    words, key = club.words(name), await full(club, name)
    typed = {"do": words("event_acts.name.open_flight")}
    few = await club.slash(name, NAME, **typed)
    assert words("refused.too_few_wait", need=2, have=0) in few.text
    for one in ("dave", "erin"):
        club.newcomer(one)
        await club.register(one)
    assert words("refused.no_flight_power") in (await club.slash(name, NAME, **typed)).text
    await make_host(club, name)
    desk = await desk_of(club, key)
    assert desk.flight is not None
    press = f"m1:{about(desk.event).but('ev_d_flight', terms=desk.flight.terms)}"
    shown = await open_desk(club, name)
    stranger = forged_form(club, "dave", shown, press, [""])
    await deliver(stranger)
    assert club.words("dave")("refused.not_organiser") in stranger.said
    await club.bot.services.events.start(key, Official(player=club.player(name)), cause="begun")
    late = forged_form(club, name, shown, press, [""])
    await deliver(late)
    assert words("refused.event_runs") in late.said
    assert await open_events(club) == 1


async def test_a_flights_list_survives_a_restart(club: Club) -> None:
    key = await crowded(club)
    desk = await open_desk(club, "bob")
    await club.send("bob", await club.used("bob", desk, desk.find("ev_d_flight")))
    await club.restart()
    flight = await flight_of(club, key)
    called = await offer(club)
    await club.tap("erin", called, called.find("ev_take"))
    assert await registered(club, flight) == {"erin"}
    assert await waiting(club, key) == ["dave", "frank"]


@in_turn("name", "bob", "hanako")
async def test_players_of_a_cancelled_flight_are_told_that_they_wait_again(club: Club, name: str) -> None:
    key, public = await crowded(club, name), club.words(name)
    desk = await open_desk(club, name)
    await club.send(name, await club.used(name, desk, desk.find("ev_d_flight")))
    called = await offer(club)
    await club.tap("dave", called, called.find("ev_take"))
    assert await waiting(club, key) == ["erin", "frank"]
    official = Official(player=club.player(name))
    await club.bot.services.events.cancel(await flight_of(club, key), official, why="rain", cause="rain")
    told = [screen for screen in await posted(club) if mention(club, "dave") in screen.text]
    assert public("event_notice.back_on_list", players=mention(club, "dave")) in told[-1].text
    assert await waiting(club, key) == ["dave", "erin", "frank"]


@in_turn("typed", "pressed", "typed")
@in_turn("name", "alice", "hanako")
async def test_a_waiting_player_checks_in_and_gets_the_place_of_a_no_show(club: Club, name: str, typed: str) -> None:
    words, key = club.words(name), await full(club, hours=0.4)
    for player in (name, "carol"):
        if player == "carol":
            club.newcomer(player)
        await club.slash(player, NAME, do=club.words(player)("event_acts.name.enter"))
    come = words("event_acts.name.come")
    assert words("refused.no_check_in") in (await club.slash(name, NAME, do=come)).text, "check-in isn't open yet"
    await club.pass_hours(10 * 60)
    await club.bot.services.event_publisher.drawn()
    view = await club.bot.services.events.look(key)
    assert view.event.phase is Phase.CHECK_IN
    english = words_for("en")
    post = next(screen for screen in club.public() if english("event_notice.check_in_waiting") in screen.text)
    before = await chips(club, name)
    may = words("event.waiting.may_stand_by_paid", count=FEE, chips=words.number(FEE))
    if typed == "typed":
        asked = await club.slash(name, NAME, do=come)
        assert may in asked.text
        done = await club.slash(name, NAME, do=come)
    else:
        asked = await club.tap(name, post, post.find("ev_checkin"))
        assert may in asked.text
        done = await club.tap(name, asked, asked.find("ev_checkin"))
    stands = words("event.waiting.stands_by_paid", count=FEE, chips=words.number(FEE))
    assert stands in done.text
    assert not done.has("ev_checkin")
    assert (await club.bot.services.events.look(key)).stand_by == {club.player(name)}
    assert await chips(club, name) == before, "nothing is paid yet"
    details = await club.slash("bob", NAME, do="desk")
    assert f"✅ {mention(club, name)}" in details.text, "the organiser sees who is here"
    await club.slash("guest0", NAME, do="check in")
    await club.pass_hours(15 * 60)
    await club.bot.services.event_publisher.drawn()
    view = await club.bot.services.events.look(key)
    assert view.event.phase is Phase.RUNNING
    assert {line.entrant.player for line in view.lines} == {club.player("guest0"), club.player(name)}
    assert await chips(club, name) == before - FEE
    told = next(screen.text for screen in club.public() if "From the waiting list" in screen.text)
    assert english("event_notice.stood_by", players=mention(club, name)) in told
    assert english("event_notice.waited", players=mention(club, "carol")) in told
    log = await club.slash("bob", NAME, do="log")
    assert english("event.log.from_list", players=mention(club, name)) in log.text


async def test_without_a_fee_one_press_checks_a_waiting_player_in(club: Club) -> None:
    key = await announced(club, "bob", hours=0.4, most=2)
    await guests_of(club, key, 2)
    await club.slash("alice", NAME, do="register")
    await club.pass_hours(10 * 60)
    details = await club.slash("alice", NAME, do="show")
    assert club.words("alice")("event.waiting.may_stand_by") in details.text
    assert details.has("ev_checkin")
    press = forged_press(club, "alice", details, f"c1:ev_standings:{key.number}:0:0:::")
    await deliver(press)
    players = press.answers[0].text
    assert club.words("alice")("event.waiting.at", place="1st") in players
    assert club.words("alice")("event.waiting.may_stand_by") not in players, "there's no button here"
    joined = await club.slash("alice", NAME, do="register")
    assert club.words("alice")("event.waiting.may_stand_by") in joined.text
    done = await club.tap("alice", joined, joined.find("ev_checkin"))
    assert club.words("alice")("event.waiting.stands_by") in done.text
    twice = await club.tap("alice", joined, joined.find("ev_checkin"))
    assert club.words("alice")("refused.already_checked_in") in twice.text


async def test_checking_in_with_a_place_on_offer_shows_that_place(club: Club) -> None:
    key = await full(club, hours=0.4)
    await club.slash("alice", NAME, do="register")
    await club.pass_hours(10 * 60)
    await club.withdraw("guest0")
    asked = await club.slash("alice", NAME, do="check in")
    assert asked.has("ev_take")
    await club.tap("alice", asked, asked.find("ev_take"))
    assert await registered(club, key) == {"alice", "guest1"}


@in_turn("name", "alice", "hanako")
async def test_registering_says_if_another_event_is_on_at_the_same_time(club: Club, name: str) -> None:
    words = club.words(name)
    keys = [await announced(club, "bob", preset, hours=hours) for preset, hours in (("chaipo", 3), ("league", 4))]
    keys.append(await announced(club, "bob", "swiss", hours=40))
    said = [(await club.slash(name, NAME, do=f"{words('event_acts.name.enter')} {key.number}")).text for key in keys]
    warning = words("event.done.also_in", events="**Night**", count=1)
    assert [warning in one for one in said] == [False, True, False]


async def test_a_player_of_one_flight_is_refused_by_the_other_and_keeps_their_chips(club: Club) -> None:
    key = await crowded(club, "bob")
    desk = await open_desk(club, "bob")
    await club.send("bob", await club.used("bob", desk, desk.find("ev_d_flight")))
    flight, before = await flight_of(club, key), await chips(club, "guest0")
    refused = await club.slash("guest0", NAME, do=f"register {flight.number}")
    assert club.words("guest0")("refused.in_other_flight", event="Night") in refused.text
    assert await chips(club, "guest0") == before
