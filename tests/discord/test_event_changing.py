"""Changing an event that was announced, as its organiser and those who have registered see it."""

from __future__ import annotations

import pytest

from bot.chat.event.screens.draft.event_choices import START
from bot.chat.event.screens.screen import about
from bot.model.clock import DAY, HOUR, MINUTE
from bot.model.events import EntrantState, Event, Official, Phase, RepeatInterval
from bot.play.event.office.permissions import MemberPermissions
from tests.discord.club import Club, Screen
from tests.discord.forge import forge
from tests.discord.test_event_form import fields_of, page, publish, rules_of, write
from tests.discord.test_event_form import opened as open_form
from tests.discord.test_event_tools import event_message, tools

WEEKLY = MemberPermissions(manager=True, announces=True)


async def now(club: Club, event: Event) -> Event:
    """Return the event's current state."""
    return (await club.bot.services.events.look(event.key)).event


async def registered(club: Club, *names: str) -> None:
    for name in names:
        await club.slash(name, "event", do="register")


async def test_an_event_is_changed_on_its_page_and_those_registered_are_told_once(club: Club) -> None:
    words = club.words("alice")
    event = await publish(club, await page(club, name="Night", when="in 3 hours", preset="chaipo"))
    await registered(club, "bob", "hanako")
    posts = len(club.public())
    opened = await tools(club, "alice")
    shown = await club.tap("alice", opened, opened.find("ev_change"))
    assert words("event_form.title_change", name="Night") in shown.text
    assert words("event_form.changed.nothing") in shown.text
    assert "2 players" in await rules_of(club, shown), "it is told for those who have registered"
    assert event_message(club).text.splitlines()[3] in shown.text, "who has registered"
    assert not shown.has("ev_form_publish"), "there is nothing to save"
    assert words("event_form.preset") not in fields_of(await open_form(club, shown, START)), "its format stays"
    shown = await write(club, shown, stack="20000")
    line = words("event_form.changed.line", field=words("event_form.field.stack"), after="20,000", before="10,000")
    assert line in shown.text
    shown = await write(club, shown, name="Late Night", when="in 5 hours")
    done = await club.tap("alice", shown, shown.find("ev_form_publish"))
    assert words("event.done.changed", name="Late Night") in done.text
    assert line in done.text
    changed = await now(club, event)
    assert (changed.name, changed.structure.stack) == ("Late Night", 20_000)
    assert changed.starts_at is not None
    assert event.starts_at is not None
    assert 1.9 * HOUR < changed.starts_at - event.starts_at < 2.1 * HOUR
    told = [screen for screen in club.public() if line in screen.text]
    assert len(told) == 1, "one post says it"
    assert len(club.public()) == posts + 1
    assert words("event_notice.changed", player=club.members["alice"].mention) in told[0].text
    assert f"<t:{changed.starts_at // 1000}:F>" in told[0].text
    assert set(told[0].message.ping_user_ids) == {club.members["bob"].id, club.members["hanako"].id}
    assert "Late Night" in event_message(club).text
    gone = await club.tap("bob", told[0], told[0].find("ev_withdraw"))
    assert words("event.done.withdrawn_free", name="Late Night") in gone.text
    log = await club.slash("alice", "event", do="log")
    assert line.removeprefix("- ") in log.text


async def test_a_start_moved_into_check_in_pings_once_and_brings_the_button(club: Club) -> None:
    event = await publish(club, await page(club, name="Night", when="in 3 hours", preset="chaipo"))
    await registered(club, "bob", "hanako")
    posts, by = len(club.public()), Official(player=club.player("alice"), manager=True)
    sooner = int(club.world.now_ms() + 12 * MINUTE)
    await club.bot.services.events.postpone(event.key, by, until=sooner, cause="sooner")
    await club.pass_time(60)
    assert (await now(club, event)).phase is Phase.CHECK_IN
    (told,) = club.public()[posts:]
    assert set(told.message.ping_user_ids) == {club.members["bob"].id, club.members["hanako"].id}
    assert told.has("ev_withdraw")
    await club.tap("bob", told, told.find("ev_checkin"))
    (bob, hanako) = (await club.bot.services.events.look(event.key)).lines
    assert (bob.entrant.state, hanako.entrant.state) == (EntrantState.CHECKED_IN, EntrantState.REGISTERED)


@pytest.mark.parametrize(("name", "by_command"), [("alice", True), ("alice", False), ("hanako", False)])
async def test_the_start_is_put_off_by_one_press_or_one_command(club: Club, name: str, by_command: bool) -> None:
    words = club.words(name)
    event = await publish(club, await page(club, name="Night", when="in 3 hours", preset="chaipo"))
    assert event.starts_at is not None
    if name != "alice":
        await club.slash("alice", "event", do="co-organiser", player=str(club.members[name].id))
    await registered(club, "bob")
    if by_command:
        shown = await club.slash(name, "event", do="postpone", value="30m")
    else:
        opened = await tools(club, name)
        form = await club.used(name, opened, opened.find("ev_d_postpone"))
        shown = await club.send(name, form, {words("event_desk.field.postpone"): "30m"})
    changed = await now(club, event)
    assert changed.starts_at == event.starts_at + 30 * MINUTE
    hour = f"<t:{changed.starts_at // 1000}:F>"
    assert words("event.done.postponed", name="Night", hour=hour) in shown.text
    assert hour in event_message(club).text


async def test_a_new_hour_can_be_written_and_what_cannot_be_read_changes_nothing(club: Club) -> None:
    words = club.words("alice")
    event = await publish(club, await page(club, name="Night", when="in 3 hours", preset="chaipo"))
    shown = await club.slash("alice", "event", do="postpone", value="someday")
    assert "someday" in shown.text
    assert "30m" in shown.text
    assert (await now(club, event)).starts_at == event.starts_at
    refused = await club.slash("alice", "event", do="postpone", value="2020-01-01 20:00")
    assert refused.text.startswith(words("refused.start_passed"))
    assert "2020-01-01 20:00" in refused.text, "what was typed is kept"
    await club.slash("alice", "event", do="postpone", value="tomorrow 21:00")
    assert (await now(club, event)).starts_at != event.starts_at


async def test_who_may_not_organise_any_more_neither_opens_the_page_nor_puts_off(club: Club) -> None:
    event = await publish(club, await page(club, name="Night", when="in 3 hours", preset="chaipo"))
    await club.slash("alice", "event", do="co-organiser", player=str(club.members["bob"].id))
    opened = await tools(club, "bob")
    await club.tap("bob", opened, opened.find("ev_change"))
    again = await tools(club, "bob")
    await club.slash("alice", "event", do="Remove co-organiser", player=str(club.members["bob"].id))
    for shown in (
        await club.press("bob", again, again.find("ev_change")),
        await club.choose("bob", again, again.find("ev_d_more"), ["postpone"]),
    ):
        assert shown is not None
        assert shown.text == club.words("bob")("refused.not_organiser")
    assert (await now(club, event)).starts_at == event.starts_at


async def test_a_co_organiser_without_any_permission_changes_it_too(club: Club) -> None:
    event = await publish(club, await page(club, name="Night", when="in 3 hours", preset="chaipo"))
    await club.slash("alice", "event", do="co-organiser", player=str(club.members["bob"].id))
    opened = await tools(club, "bob")
    shown = await club.tap("bob", opened, opened.find("ev_change"))
    shown = await write(club, shown, by="bob", pace="none")
    await club.press("bob", shown, shown.find("ev_form_publish"))
    assert (await now(club, event)).clock.pace.value == "none"


async def test_what_was_being_prepared_is_there_again_afterwards(club: Club) -> None:
    words = club.words("alice")
    await publish(club, await page(club, name="Night", when="in 3 hours", preset="chaipo"))
    await page(club, name="Next week", preset="league")
    opened = await club.slash("alice", "event", do="edit")
    assert words("event_form.title_change", name="Night") in opened.text
    # Opened once more it goes on where it was.
    shown = await write(club, opened, name="Nights")
    again = await club.slash("alice", "event", do="edit")
    assert words("event_form.changed.title") in again.text
    left = await club.tap("alice", shown, shown.find("ev_form_drop"))
    assert words("event_form.left_unchanged") in left.text
    back = await page(club)
    assert "Next week" in back.text
    assert words("event_form.preset") in fields_of(await open_form(club, back, START))


async def test_the_page_of_an_event_that_starts_meanwhile_names_what_stays_and_keeps_the_rest(club: Club) -> None:
    words = club.words("alice")
    event = await publish(club, await page(club, name="Night", when="in 3 hours", preset="chaipo"))
    await registered(club, "bob", "hanako")
    opened = await club.slash("alice", "event", do="edit")
    shown = await write(club, opened, stack="20000")
    shown = await write(club, shown, name="Late Night", when="in 5 hours")
    await club.bot.services.events.start(event.key, _official(club), cause="1")
    await club.bot.services.event_publisher.drawn()
    refused = await club.tap("alice", shown, shown.find("ev_form_publish"))
    stays = words.list([words("event_form.field.when"), words("event_form.field.stack")])
    assert words("refused.too_late_to_change", fields=stays) in refused.text
    assert (await now(club, event)).name == "Night", "what is published was shown before"
    different = refused.text.partition(words("event_form.changed.title"))[2].partition("⚠️")[0]
    assert words("event_form.field.stack") not in different
    assert "Late Night" in different
    sections = _values(refused, "ev_form_open")
    assert {"levels", "people"} <= set(sections)
    assert "limits" not in sections, "it has no breaks"
    done = await club.tap("alice", refused, refused.find("ev_form_publish"))
    assert words("event.done.changed", name="Late Night") in done.text
    changed = await now(club, event)
    assert (changed.name, changed.structure.stack, changed.starts_at) == ("Late Night", 10_000, event.starts_at)
    await club.bot.services.events.cancel(event.key, _official(club), why="over", cause="2")
    assert (await now(club, event)).phase is Phase.CANCELLED
    over = await club.slash("alice", "event", do=f"edit {event.key.number}")
    gone = words("event_acts.why.cancelled", act=words("event_acts.name.change"), name="Late Night")
    assert over.text.startswith(gone)


async def test_a_running_sit_and_go_offers_only_what_can_still_be_changed(club: Club) -> None:
    event = await publish(club, await page(club, name="Quick", preset="sit_and_go"))
    club.newcomer("carol")
    await registered(club, "bob", "hanako", "carol")
    await club.bot.services.event_publisher.drawn()
    assert (await now(club, event)).phase is Phase.RUNNING
    shown = await club.slash("alice", "event", do="edit")
    offered = _values(shown, "ev_form_open")
    assert "people" not in offered
    words = club.words("alice")
    assert list(fields_of(await open_form(club, shown, "levels"))) == [words("event_form.field.levels")]


def _official(club: Club) -> Official:
    return Official(player=club.player("alice"), manager=True)


def _values(shown: Screen, verb: str) -> list[str]:
    return [option["value"] for option in shown.find(verb)["options"]]


async def test_another_fee_is_agreed_to_by_one_press_on_the_post_that_tells_it(club: Club) -> None:
    words = club.words("alice")
    event = await publish(club, await page(club, name="Night", when="in 3 hours", preset="chaipo"))
    await registered(club, "bob", "hanako")
    shown = await write(club, await club.slash("alice", "event", do="edit"), fee="300")
    assert words("event_form.changed.asked_free", count=2) in shown.text
    await club.tap("alice", shown, shown.find("ev_form_publish"))
    line = words("event_form.changed.line", field=words("event_form.field.fee"), after="300", before="none")
    (told,) = [screen for screen in club.public() if line in screen.text]
    assert words("event_notice.changed_fee_free", press="Register for 300 chips") in told.text
    assert not told.has("ev_withdraw")
    assert set(told.message.ping_user_ids) == {club.members["bob"].id, club.members["hanako"].id}
    assert (await club.bot.services.events.look(event.key)).lines == ()
    again = await club.tap("bob", told, told.find("ev_register"))
    assert "300" in again.text
    assert [line.entrant.player for line in (await club.bot.services.events.look(event.key)).lines] == [
        club.player("bob")
    ]
    # Repeat it after a player has paid.
    shown = await write(club, await club.slash("alice", "event", do="edit"), fee="200")
    assert words("event_form.changed.asked", count=1) in shown.text
    assert "UTC" not in shown.text, "nobody has entered a time"
    await club.tap("alice", shown, shown.find("ev_form_publish"))
    last = club.public()[-1]
    assert words("event_notice.changed_fee", press="Register for 200 chips") in last.text
    assert set(last.message.ping_user_ids) == {club.members["bob"].id}


async def test_the_clock_of_a_running_event_is_changed_on_its_page(club: Club) -> None:
    words = club.words("alice")
    event = await publish(club, await page(club, name="Night", when="in 3 hours", preset="chaipo"))
    await registered(club, "bob", "hanako")
    await club.bot.services.events.start(event.key, _official(club), cause="1")
    await club.bot.services.event_publisher.drawn()
    shown = await club.slash("alice", "event", do="edit")
    assert "tables" in _values(shown, "ev_form_open")
    shown = await write(club, shown, time="30s")
    await club.tap("alice", shown, shown.find("ev_form_publish"))
    assert (await now(club, event)).clock.seconds == 30
    line = words("event_form.changed.line", field=words("event_form.field.time"), after="30 seconds", before="")
    assert any(line.split("(")[0] in screen.text for screen in club.public())


async def test_of_two_organisers_who_edit_the_same_the_second_is_told_and_loses_nothing(club: Club) -> None:
    words = club.words("alice")
    event = await publish(club, await page(club, name="Night", when="in 3 hours", preset="chaipo"))
    opened = await club.slash("alice", "event", do="edit")
    shown = await write(club, opened, stack="20000")
    shown = await write(club, shown, most="40")
    meanwhile = {"stack": (10_000, 30_000)}
    await club.bot.services.events.change(event.key, _official(club), meanwhile, cause="another organiser")
    refused = await club.tap("alice", shown, shown.find("ev_form_publish"))
    assert words("refused.changed_meanwhile") in refused.text
    assert (await now(club, event)).structure.stack == 30_000, "nothing is overwritten"
    line = words("event_form.changed.line", field=words("event_form.field.most"), after="40", before="128")
    assert line in refused.text, "what else was chosen is still there"


async def test_a_cap_below_those_registered_and_levels_already_passed_are_refused_on_the_page(club: Club) -> None:
    words = club.words("alice")
    event = await publish(club, await page(club, name="Night", when="in 3 hours", preset="chaipo"))
    club.newcomer("carol")
    await registered(club, "bob", "hanako", "carol")
    shown = await club.slash("alice", "event", do="edit")
    shown = await write(club, shown, most="2")
    assert words("refused.cap_too_low", have=3) in shown.text
    assert not shown.has("ev_form_publish")
    await club.bot.services.events.start(event.key, _official(club), cause="1")
    await club.bot.services.event_publisher.drawn()
    shown = await club.slash("alice", "event", do="edit")
    shown = await write(club, shown, levels="70,100,200")
    assert words("refused.level_reached", level=1) in shown.text
    assert not shown.has("ev_form_publish")
    changed = await now(club, event)
    assert (changed.structure.most, changed.structure.levels[0]) == (128, 50)


async def test_an_event_is_put_off_twice_by_the_same_choice(club: Club) -> None:
    field = club.words("alice")("event_desk.field.postpone")
    event = await publish(club, await page(club, name="Night", when="in 3 hours", preset="chaipo"))
    assert event.starts_at is not None
    shown = await tools(club, "alice")
    menus = []
    for _ in range(2):
        menus.append(shown.find("ev_d_more"))
        await club.pass_time(1.01)
        form = await club.used("alice", shown, shown.find("ev_d_postpone"))
        shown = await club.send("alice", form, {field: "15m"})
    assert (await now(club, event)).starts_at == event.starts_at + 30 * 60_000
    for mark in ("id", "custom_id"):
        assert menus[0][mark] != menus[1][mark], "a client would show the same choice as made already, and not send it"
    form = await club.used("alice", shown, shown.find("ev_d_postpone"))
    again = await club.tap("alice", shown, shown.find("ev_desk"))
    assert again.find("ev_d_more")["custom_id"] != menus[1]["custom_id"], "nor after a form that was closed"
    # The menu of an earlier version takes its minutes.
    old = await forge(club, "alice", again, f"s1:{about(event).but('ev_postpone')}", values=["15"])
    assert club.words("alice")("event_desk.private") in old.said
    assert (await now(club, event)).starts_at == event.starts_at + 45 * 60_000


async def test_a_start_is_not_put_off_past_the_last_day_that_can_be(club: Club) -> None:
    words = club.words("alice")
    event = await publish(club, await page(club, name="Night", when="in 3 hours", preset="chaipo"))
    assert event.starts_at is not None
    late = event.starts_at + 366 * 24 * HOUR - 4 * HOUR
    wanted = {"starts_at": (event.starts_at, late)}
    await club.bot.services.events.change(event.key, _official(club), wanted, cause="much later")
    opened = await tools(club, "alice")
    form = await club.used("alice", opened, opened.find("ev_d_postpone"))
    refused = await club.send("alice", form, {words("event_desk.field.postpone"): "1d"})
    assert words("refused.start_too_late") in refused.text
    assert (await now(club, event)).starts_at == late


async def test_what_one_change_told_stays_when_the_next_one_moves_the_start(club: Club) -> None:
    words = club.words("alice")
    await publish(club, await page(club, name="Night", when="in 3 hours", preset="duplicate"))
    await registered(club, "bob")
    opened = await tools(club, "alice")
    shown = await write(club, await club.tap("alice", opened, opened.find("ev_change")), rounds="1")
    await club.tap("alice", shown, shown.find("ev_form_publish"))
    for _ in range(2):
        await club.slash("alice", "event", do="postpone", value="30m")
    line = words("event_form.changed.line", field=words("event_form.field.rounds"), after="1", before="2")
    (told,) = [screen for screen in club.public() if line in screen.text]
    moved = [screen for screen in club.public() if words("event_notice.over.moved", at="").rstrip(". ") in screen.text]
    assert len(moved) == 1, "the post of the first of two new starts says that it has moved on"
    gone = await club.tap("bob", told, told.find("ev_withdraw"))
    assert words("event.done.withdrawn_free", name="Night") in gone.text


async def repeating(club: Club) -> Event:
    """Publish an event that is held every week."""
    event = await publish(club, await page(club, name="Night", when="in 3 hours", preset="chaipo"))
    by = Official(player=club.player("alice"), manager=True)
    await club.bot.services.events.repeat(event.key, by, WEEKLY, every=RepeatInterval.WEEK, zone="UTC", cause="weekly")
    return await now(club, event)


async def next_date(club: Club, event: Event) -> Event:
    """Cancel the event, and return the next date."""
    by = Official(player=club.player("alice"), manager=True)
    await club.bot.services.events.cancel(event.key, by, why="rain", cause="rain")
    await club.settle()
    (found,) = await club.bot.services.events.events(event.key.guild)
    return found


@pytest.mark.parametrize("typed", [False, True])
@pytest.mark.parametrize("once", [False, True])
async def test_a_change_to_a_repeating_event_is_saved_for_this_date_or_for_later_ones_too(
    club: Club, once: bool, typed: bool
) -> None:
    words, event = club.words("alice"), await repeating(club)
    opened = await tools(club, "alice")
    shown = await club.tap("alice", opened, opened.find("ev_change"))
    label = words("event_form.save_once" if once else "event_form.save_lasting")
    assert {words("event_form.save_once"), words("event_form.save_lasting")} <= {*shown.labels()}
    shown = await write(club, shown, stack="20000")
    if typed:
        done = await club.slash("alice", "event", do=words("event_acts.name.publish"), value=label)
    else:
        done = await club.tap("alice", shown, shown.button(label))
    assert words("event.done.changed_once" if once else "event.done.changed_lasting", name="Night") in done.text
    assert (await now(club, event)).structure.stack == 20_000
    log = (await club.slash("alice", "event", do="log")).text
    assert (words("event.log.this_date", what="$").split("$")[1] in log) == once
    assert (await next_date(club, event)).structure.stack == (event.structure.stack if once else 20_000)


async def test_a_series_is_not_changed_for_one_date(club: Club) -> None:
    words = club.words("alice")
    await repeating(club)
    opened = await tools(club, "alice")
    shown = await club.tap("alice", opened, opened.find("ev_change"))
    shown = await write(club, shown, series="Spring")
    assert words("event_form.save_lasting") in shown.labels()
    assert words("event_form.save_once") not in shown.labels()


async def test_postponing_one_date_says_that_later_ones_stay(club: Club) -> None:
    words, event = club.words("alice"), await repeating(club)
    said = await club.slash("alice", "event", do="postpone", value="30m")
    moved = (await now(club, event)).starts_at or 0
    assert words("event.done.postponed_once", name="Night", hour=f"<t:{moved // 1000}:F>") in said.text
    assert (await next_date(club, event)).starts_at == (event.starts_at or 0) + 7 * DAY
