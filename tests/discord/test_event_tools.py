"""The organiser's tools by buttons: for organisers that the server does not show their commands to."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from simcord import ResponseMessage

from bot.chat.event.screens.desk.page import OTHER
from bot.model.events import Official, Phase
from tests.discord.club import Club, Screen
from tests.discord.forge import deliver, forged_form
from tests.discord.test_event_desk import anyone, person
from tests.discord.test_event_form import open_events, page, publish, said_in, say_why
from tests.discord.test_event_form import write as fill_in
from tests.discord.test_powers import make_host, publish_as
from tests.in_turn import in_turn


def event_message(club: Club) -> Screen:
    """The event's public message."""
    return next(screen for screen in reversed(club.public()) if screen.has("ev_details"))


async def tools(club: Club, name: str) -> Screen:
    """Press Details, which is the desk for organisers."""
    shown = event_message(club)
    return await club.tap(name, shown, shown.find("ev_details"))


def listed(shown: Screen) -> dict[str, str]:
    """The players that the menu names: names by id."""
    menu = shown.find("ev_d_person") if shown.has("ev_d_person") else {}
    return {option["value"]: option["label"] for option in menu.get("options", []) if option["value"] != OTHER}


async def choose_player(club: Club, name: str, shown: Screen, player: str) -> Screen:
    """Choose a player from the menu of the event's people, or find them in the server."""
    who = club.members[player]
    if str(who.id) in listed(shown):
        return await person(club, name, shown, player)
    return await anyone(club, name, shown, who)


async def write(club: Club, name: str, shown: Screen, verb: str, *written: str) -> Screen:
    """Press a button that asks for words, or choose another number from a menu, and write them."""
    member, message = club.members[name], ResponseMessage(club.world.env, shown.message)
    control = shown.find(verb)
    if "options" in control:
        form = await member.select(message, [OTHER], custom_id=control["custom_id"])
    else:
        form = await club.used(name, shown, control)
    assert form.modal is not None
    fields = [label["component"]["custom_id"] for label in form.modal["components"]]
    answer = await club._answer(await member.submit_modal(form, dict(zip(fields, written, strict=True))))  # noqa: SLF001
    assert answer is not None
    return answer


@in_turn("name", "bob", "hanako")
async def test_an_organiser_without_any_permission_runs_an_event_by_buttons(club: Club, name: str) -> None:
    words = club.words(name)
    await make_host(club, name)
    made = await publish_as(club, name)
    club.newcomer("carol")
    players = ["alice", "carol", "hanako" if name == "bob" else "bob"]
    for guest in players:
        await club.slash(guest, "event", do="register")
    title = (await club.bot.services.events.look(made)).event.name
    shown = await tools(club, name)
    paused = await club.tap(name, shown, shown.find("ev_d_pause"))
    assert words("event.done.paused", name=title) in paused.text
    going = await club.tap(name, paused, paused.find("ev_d_resume"))
    assert words("event.done.resumed", name=title) in going.text
    said = await write(club, name, going, "ev_d_say", "Welcome, everyone")
    assert words("event.done.said") in said.text
    assert "Welcome, everyone" in club.said()
    player = await choose_player(club, name, said, "carol")
    done = await write(club, name, player, "ev_d_penal", "２", "late again")
    assert words("event.done.penalty_next", player=club.members["carol"].mention, count=2) in done.text
    helper = await choose_player(club, name, done, players[-1])
    helped = await club.tap(name, helper, helper.find("ev_d_help"))
    assert words("event.done.helper", player=club.members[players[-1]].mention, name=title) in helped.text
    form = await club.ask(name, helped, helped.find("ev_cancel"))
    assert said_in(form).startswith(words("event.ask.cancel_free", name=title))
    assert words("event.done.cancelled_free", name=title) in (await say_why(club, name, form, "no power")).text
    assert (await club.bot.services.events.look(made)).event.phase is Phase.CANCELLED
    over = await tools(club, name)
    assert words("event.cancelled.title_free") in over.text
    assert not over.has("ev_desk"), "nothing is left to organise"


@in_turn("name", "bob", "hanako")
async def test_the_tools_are_for_organisers_and_change_nothing_that_cannot_be(club: Club, name: str) -> None:
    mine = club.words("alice")
    await publish(club, await page(club, name="Night", when="in 3 hours"))
    assert not (await tools(club, name)).has("ev_desk")
    shown = await tools(club, "alice")
    early = await club.tap("alice", shown, shown.find("ev_start"))
    assert early.text == mine("refused.too_few_entrants", need="2", have="0")
    await club.slash(name, "event", do="register")
    player = await choose_player(club, "alice", shown, name)
    assert not player.has("ev_d_penal"), "there is no hand before the start"
    form = await club.ask("alice", player, player.find("ev_d_out"))
    asked = mine("event.ask.disqualify_before", player=club.members[name].mention, name="Night")
    assert said_in(form) == f"{asked}\n{mine('event_desk.bars')}", "the first ruling says what it costs its organiser"
    out = await say_why(club, "alice", form, "mixed up")
    assert mine("event.done.disqualified", player=club.members[name].mention) in out.text
    again = await choose_player(club, "alice", await tools(club, "alice"), name)
    back = await club.tap("alice", again, again.find("ev_d_back_in"))
    assert mine("event.done.reinstated_before", player=club.members[name].mention) in back.text
    await club.slash(name, "event", do="register")
    listed = await choose_player(club, "alice", back, name)
    off = await club.tap("alice", listed, listed.find("ev_d_unlist"))
    assert mine("event.done.unregistered_free", player=club.members[name].mention) in off.text


async def test_the_menu_names_the_players_and_others_are_offered_what_can_be_done_with_them(club: Club) -> None:
    await publish(club, await page(club, name="Night", when="in 3 hours"))
    assert not listed(await tools(club, "alice")), "nobody has registered: the whole server is in it"
    await club.slash("hanako", "event", do="register")
    shown = await tools(club, "alice")
    assert listed(shown) == {str(club.members["hanako"].id): "花子 Hanako"}
    other = await choose_player(club, "alice", shown, "bob")
    assert other.has("ev_d_help")
    assert not any(other.has(verb) for verb in ("ev_d_out", "ev_d_unlist", "ev_d_penal")), "Bob isn't in it"
    shown = await club.tap("alice", other, other.find("ev_desk"))
    player = await choose_player(club, "alice", shown, "hanako")
    assert player.has("ev_d_out")
    assert player.has("ev_d_unlist")


@pytest.mark.parametrize("by_command", [False, True])
async def test_starting_early_asks_with_how_many_how_early_and_what_latecomers_can_do(
    club: Club, by_command: bool
) -> None:
    words = club.words("alice")
    key = (await publish(club, await page(club, name="Night", when="in 3 hours"))).key

    async def ask() -> Screen:
        if by_command:
            return await club.slash("alice", "event", do="start")
        shown = await tools(club, "alice")
        return await club.tap("alice", shown, shown.find("ev_start"))

    for name in ("bob", "hanako"):
        await club.slash(name, "event", do="register")
    asked = await ask()
    view = await club.bot.services.events.look(key)
    assert view.event.phase.before, "nothing has started"
    assert "2 of 128 seats are taken" in asked.text
    at = (view.event.starts_at or 0) // 1000
    assert words("event.ask.start_hour", at=f"<t:{at}:f>", when=f"<t:{at}:R>") in asked.text
    assert words("event.ask.start_closed") in asked.text
    kept = await club.tap("alice", asked, asked.find("ev_keep"))
    assert words("event.ask.kept") in kept.text
    assert kept.has("ev_start"), "the desk is back"
    assert (await club.bot.services.events.look(key)).event.phase.before
    asked = await ask()
    started = await club.tap("alice", asked, asked.find("ev_begin"))
    assert words("event.done.started", name="Night") in started.text
    assert not any(started.has(verb) for verb in ("ev_start", "ev_postpone"))
    assert (await club.bot.services.events.look(key)).event.phase is Phase.RUNNING


async def test_one_form_cancels_an_event_that_has_not_begun_and_says_that_the_next_date_follows(club: Club) -> None:
    words, name = club.words("alice"), "alice"
    made = (await publish(club, await page(club, name="Night", when="in 3 hours"))).key
    shown = await tools(club, name)
    form = await club.ask(name, shown, shown.find("ev_cancel"))
    asked = [words("event.ask.cancel_before_free", name="Night"), words("event.ask.for_good")]
    assert said_in(form) == words.side_by_side(asked), "nothing is played that could stop"
    shown = await write(club, name, shown, "ev_d_repeat", "week")
    assert words("event.done.repeat_week", name="Night") in shown.text
    form = await club.ask(name, shown, shown.find("ev_cancel"))
    follows = words("event.ask.cancel_repeats", press=words("event_desk.button.repeat"))
    assert said_in(form) == words.side_by_side([asked[0], follows, asked[1]])
    await say_why(club, name, form, "no power")
    assert (await club.bot.services.events.look(made)).event.phase is Phase.CANCELLED
    assert len(await open_events(club)) == 1, "the next date was published"


async def test_a_player_is_moved_only_where_there_is_another_table(club: Club) -> None:
    words = club.words("alice")
    form = await fill_in(club, await page(club, name="Night", when="in 3 hours", preset="chaipo"), table_seats="2")
    event = await publish(club, form)
    club.newcomer("carol")
    for name in ("alice", "bob", "hanako", "carol"):
        await club.slash(name, "event", do="register")
    by = Official(player=club.player("alice"), manager=True)
    await club.bot.services.events.start(event.key, by, cause="start")
    await club.bot.services.event_publisher.drawn()
    player = await choose_player(club, "alice", await tools(club, "alice"), "bob")
    assert words("event_desk.no_seat") in player.text
    # The button of an earlier version asks for the number.
    form = player.find("ev_d_call")["custom_id"].replace("c1:ev_d_call", "m1:ev_move")
    old = forged_form(club, "alice", player, form, ["x", "He was late"])
    await deliver(old)
    (nowhere,) = old.answers
    assert nowhere.text == refused_with(club, "refused.no_such_table_there", ["x", "He was late"])


def refused_with(club: Club, key: str, typed: Sequence[str], **values: str | int) -> str:
    """Return the text that Alice reads when a form is refused."""
    words = club.words("alice")
    return "\n".join([words(key, **values), "```", *typed, "```", words("gate.form_kept")])


async def offered_again(club: Club, refused: Screen) -> list[str]:
    """Return the contents of the form that Alice opens from a refusal."""
    message = ResponseMessage(club.world.env, refused.message)
    again = refused.button(club.words("alice")("gate.open_form"))
    form = await club.members["alice"].click(message, custom_id=again["custom_id"])
    assert form.modal is not None
    return [part["component"].get("value", "") for part in form.modal["components"] if "component" in part]


async def test_a_message_to_all_that_is_empty_or_too_early_is_offered_again(club: Club) -> None:
    await publish(club, await page(club, name="Night", when="in 3 hours"))
    shown = await tools(club, "alice")
    message = ResponseMessage(club.world.env, shown.message)
    form = await club.members["alice"].click(message, custom_id=shown.find("ev_d_say")["custom_id"])
    assert form.modal is not None
    (field,) = [part["component"] for part in form.modal["components"] if "component" in part]
    assert field["required"], "Discord marks it"
    # Spaces are something for Discord.
    empty = await write(club, "alice", shown, "ev_d_say", "   ")
    assert club.words("alice")("refused.bad_announcement", most="1,500") in empty.text
    assert await offered_again(club, empty) == [""]
    for number in range(6):
        said = await write(club, "alice", shown, "ev_d_say", f"Word {number}")
    many = await write(club, "alice", shown, "ev_d_say", "One more\nand another line")
    assert club.words("alice")("event.done.said") in said.text
    assert "One more" in many.text
    assert await offered_again(club, many) == ["One more\nand another line"]


async def test_numbers_that_are_none_are_refused_in_words(club: Club) -> None:
    words = club.words("alice")
    await publish(club, await page(club, name="Quick"))
    for name in ("alice", "bob", "hanako"):
        await club.slash(name, "event", do="register")
    shown = await tools(club, "alice")
    player = await choose_player(club, "alice", shown, "bob")
    form = await club.members["alice"].select(
        ResponseMessage(club.world.env, player.message), ["2"], custom_id=player.find("ev_d_penal")["custom_id"]
    )
    assert words("event_desk.penalty_counts") not in str(form.modal), "no hand is in progress yet"
    many = await write(club, "alice", player, "ev_d_penal", "many", "He was late")
    assert many.text == refused_with(club, "refused.bad_penalty", ["many", "He was late"], most=20)
    bad = await write(club, "alice", player, "ev_adjust", "0", "He was late")
    assert bad.text == refused_with(club, "refused.bad_amount", ["0", "He was late"], most="10,000,000")
    assert await offered_again(club, bad) == ["0", "He was late"]
    worse = await write(club, "alice", bad, "ev_adjust", "-20,000", "He was rude")
    assert worse.id == bad.id, "nothing is left from which the older text could be sent"
    assert worse.text == refused_with(
        club, "refused.stack_too_small_for_that", ["-20,000", "He was rude"], have="10,000"
    )
    await club.pass_time(40)
    while_a_hand_runs = await write(club, "alice", player, "ev_adjust", "5", "He was late")
    assert while_a_hand_runs.text == refused_with(club, "refused.wait_for_hand", ["5", "He was late"])
    assert not player.has("ev_d_to"), "there is no other table"
    logged = await club.slash("alice", "event", do="log")
    assert words("event.log.penalty", player=club.members["bob"].mention, count=0) not in logged.text
