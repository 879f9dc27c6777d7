"""Preparing an event on its page, publishing it, and what the commands answer before the first hand."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import discord
import pytest
from simcord import InteractionResult, ResponseMessage, RoleHandle

from bot.chat.event.screens.draft.event_choices import (
    FORMS,
    START,
    TOPICS,
    EventChoices,
    choices_from_json,
    form_fields,
)
from bot.chat.event.screens.draft.form import ALL_RULES
from bot.model.choices import ServerSettings
from bot.model.clock import DEFAULT_SECONDS, HOUR, Clock, Pace
from bot.model.events import EntrantState, Event, Phase
from bot.model.ids import EventKey, GuildId
from bot.pure.event.draw import check_draw, commitment
from bot.pure.event.scoring import Scoring
from bot.pure.event.structure import PRESETS, Format
from bot.pure.ofc.settlement import WinCap
from bot.text.event_structure import place_name, series_numbers
from bot.text.words import Words, escape_name
from tests.discord.club import RADIOS, TEXT_INPUT, Club, Screen
from tests.discord.forge import deliver, forged_form, forged_press
from tests.discord.forms import enter_in_setup
from tests.in_turn import in_turn

BUTTON = 2
"""A button's type as Discord numbers it."""


def guild_of(club: Club) -> GuildId:
    return GuildId(club.guild.id)


async def open_events(club: Club) -> list[Event]:
    """The events that are announced."""
    return await club.bot.services.events.events(guild_of(club))


async def page(club: Club, **options: Any) -> Screen:
    """The page of a new event as Alice sees it."""
    return await club.draft("alice", **options)


async def choose(club: Club, shown: Screen, verb: str, value: str, argument: str | None = None) -> Screen:
    """Choose in one of the page's menus."""
    return await club.choose("alice", shown, shown.find(verb, argument), [value])


async def opened(club: Club, shown: Screen, form: str, *, by: str = "alice") -> InteractionResult:
    """Open a form of the page: by its button, or by the menu of topics, which shows the buttons of two forms."""
    if not shown.has("ev_form_ask", form):
        (topic,) = (topic for topic, parts in TOPICS.items() if form in parts)
        message = ResponseMessage(club.world.env, shown.message)
        menu = shown.find("ev_form_open")["custom_id"]
        answer = await club.members[by].select(message, [topic], custom_id=menu)
        if answer.modal is not None:
            return answer
        after = await club._answer(answer)  # noqa: SLF001
        assert after is not None
        shown = after
    return await club.ask(by, shown, shown.find("ev_form_ask", form))


async def write(club: Club, shown: Screen, *, by: str = "alice", **written: Any) -> Screen:
    """Fill these fields in, form by form; the others stay as they are."""
    words = club.words(by)
    for form, names in FORMS.items():
        given = {name: written.pop(name) for name in names if name in written}
        if given:
            asked = await opened(club, shown, form, by=by)
            values = {label_of(name, words): value for name, value in given.items()}
            shown = await club.send(by, asked, {label: shaped(asked, label, one) for label, one in values.items()})
    assert not written, f"no such fields: {written}"
    return shown


async def rules_of(club: Club, shown: Screen) -> str:
    """All rules of the event that is prepared, as its members will find them."""
    rules = await choose(club, shown, "ev_form_open", ALL_RULES)
    told = rules.text
    await club.tap("alice", rules, rules.find("ev_form_open"))
    return told


def label_of(name: str, words: Words) -> str:
    """Return a field's label in the form."""
    if name.startswith("role_"):
        return words("event_form.part.roles_for", count=1, places=place_name(int(name[-1]), words))
    return words("event_form.preset" if name == "preset" else f"event_form.field.{name}")


def shaped(form: InteractionResult, label: str, value: Any) -> Any:
    """The value as Discord has it of that kind of field."""
    assert form.modal is not None
    kinds = {one["label"]: one["component"]["type"] for one in form.modal["components"] if "component" in one}
    return value if kinds[label] in (TEXT_INPUT, RADIOS) or isinstance(value, list) else [value]


def fields_of(form: InteractionResult) -> dict[str, Any]:
    """The fields of a form by their labels."""
    assert form.modal is not None
    return {one["label"]: one["component"] for one in form.modal["components"] if "component" in one}


def default_name(club: Club, name: str, preset: str) -> str:
    """Return the default name of an event of this kind."""
    words, person = club.words(name), club.backend.users[club.members[name].id].global_name
    key = f"event_name.kind.{preset}"
    kind = words(key) if words.has(key) else words(f"structure.preset.{preset}")
    return words("event_name.usual", person=person, kind=kind)


async def publish(club: Club, shown: Screen) -> Event:
    """Press Publish; returns the event."""
    before = {event.key for event in await open_events(club)}
    await club.press("alice", shown, shown.find("ev_form_publish"))
    (made,) = [event for event in await open_events(club) if event.key not in before]
    return made


# the page


async def test_an_event_is_prepared_on_one_page_and_published_in_its_channel(club: Club) -> None:
    shown = await page(club, preset="chaipo")
    words = club.words("alice")
    assert not shown.has("ev_form_publish"), "an event without a start cannot be published"
    assert words("event.brief.no_start") in shown.text
    # The form's button is directly below, with that label.
    hour = words("event_form.problem.hour", form=shown.button(words("event_form.sections.start"))["label"])
    assert shown.text.splitlines()[-1] == f"⛔ {hour}"
    shown = await write(club, shown, name="Friday Night", when="in 3 hours", series="Fridays")
    assert "Friday Night" in shown.text
    assert words("event_form.ready") in shown.text
    assert series_numbers(Scoring.PLACE, PRESETS["chaipo"], 12, words) in await rules_of(club, shown), (
        "for as many as the length is told for, not for the maximum"
    )
    made = await publish(club, shown)
    assert (made.name, made.series, made.channel) == ("Friday Night", "Fridays", club.channel.id)
    assert (made.organiser, made.phase) == (club.player("alice"), Phase.REGISTERING)
    assert made.structure == PRESETS["chaipo"]
    assert made.starts_at is not None
    assert abs(made.starts_at - club.world.now_ms() - 3 * HOUR) < 60_000
    assert await club.bot.services.events.draft(guild_of(club), club.player("alice")) is None


async def test_the_page_of_a_series_stands_whatever_numbers_are_written(club: Club) -> None:
    words = club.words("alice")
    for preset in ("chaipo", "sit_and_go"):
        hour = {"when": "in 3 hours"} if preset == "chaipo" else {}
        shown = await write(club, await page(club, preset=preset), name="Night", series="Fridays", **hour)
        # Nine nines: its points are not reckoned for every one of so many places.
        for field, text in (("most", "0"), ("payouts", "0"), ("most", "9" * 9)):
            shown = await write(club, shown, **{field: text, **({"fee": "10"} if field == "payouts" else {})})
            assert "Fridays" in shown.text, (preset, field, text)
            assert "⛔" in shown.text
            shown = await write(club, shown, **({"most": "8"} if field == "most" else {"payouts": ""}))
            assert words("structure.series.rule.place") in await rules_of(club, shown)


@in_turn("name", "alice", "hanako")
async def test_a_sit_and_go_is_announced_as_the_page_opens(club: Club, name: str) -> None:
    role = club.guild.create_role("hosts", permissions=discord.Permissions(manage_events=True))
    club.backend.add_member_role(club.guild.id, club.members[name].id, role.id)
    shown = await club.draft(name)
    await club.press(name, shown, shown.find("ev_form_publish"))
    (made,) = await open_events(club)
    assert made.name == default_name(club, name, "sit_and_go")
    assert made.format is Format.SIT_AND_GO


async def test_a_name_that_nobody_wrote_follows_the_kind_of_event(club: Club) -> None:
    shown = await write(club, await page(club), preset="league")
    shown = await write(club, shown, when="in 3 hours")
    assert default_name(club, "alice", "league") in shown.text
    shown = await write(club, shown, preset="duplicate")
    assert default_name(club, "alice", "duplicate") in shown.text


@in_turn("name", "alice", "hanako")
async def test_the_page_shows_the_five_lines_of_the_message_and_five_controls(club: Club, name: str) -> None:
    role = club.guild.create_role("hosts", permissions=discord.Permissions(manage_events=True))
    club.backend.add_member_role(club.guild.id, club.members[name].id, role.id)
    shown = await club.draft(name, preset="chaipo", name="Night", when="in 3 hours")
    words, lines = club.words(name), shown.text.splitlines()
    assert lines[0] == f"### {words('event_form.title')}"
    assert len(lines) == 8, "the title, five lines, how the start was read, and that nothing is in the way"
    assert lines[-1].startswith(f"✅ {words('event_form.ready')}")
    assert len(shown.controls()) == 5
    await club.press(name, shown, shown.find("ev_form_publish"))
    await club.bot.services.event_publisher.drawn()
    public = club.public()[-1].text.splitlines()
    assert len(public) == 5
    if club.words(name).language is club.words().language:
        assert public == lines[1:6], "exactly as it was shown"


async def test_a_topic_of_which_one_form_holds_all_opens_it_at_once(club: Club) -> None:
    shown, member = await page(club, preset="chaipo", when="in 3 hours"), club.members["alice"]
    message, menu = ResponseMessage(club.world.env, shown.message), shown.find("ev_form_open")["custom_id"]
    whole = {}
    for option in shown.find("ev_form_open")["options"]:
        answer = await member.select(message, [option["value"]], custom_id=menu)
        whole[option["value"]] = answer.modal is not None
        if answer.modal is not None:
            await club.send("alice", answer)
    assert whole == {
        **dict.fromkeys(("people", "levels", "limits", "tables", "season"), True),
        **dict.fromkeys(("prizes", ALL_RULES), False),
    }
    shown = await choose(club, await page(club), "ev_form_open", "prizes")
    assert [shown.has("ev_form_ask", form) for form in ("prizes", "honours", "levels")] == [True, True, False]
    shown = await write(club, shown, titles="Champion")
    assert shown.has("ev_form_ask", "prizes"), "the other form of the topic is still there"


async def test_a_topic_can_be_chosen_again_after_its_form_was_closed(club: Club) -> None:
    """Discord sends nothing for a choice that a menu shows already, so the menu is another one by then."""
    shown, member = await page(club, preset="chaipo", when="in 3 hours"), club.members["alice"]
    numbers, texts = list[int](), list[str]()
    for _ in range(3):
        message, menu = ResponseMessage(club.world.env, shown.message), shown.find("ev_form_open")
        numbers.append(menu["id"])
        texts.append(shown.text)
        answer = await member.select(message, ["people"], custom_id=menu["custom_id"])
        assert answer.modal is not None
    assert len({*numbers}) == len(numbers)
    assert len({*texts}) == 1
    written = await club.send("alice", answer)
    assert written.has("ev_form_publish")


async def test_all_rules_are_one_choice_away_and_lead_back_to_the_draft(club: Club) -> None:
    words = club.words("alice")
    shown = await page(club, preset="chaipo", name="Night", when="in 3 hours")
    rules = await choose(club, shown, "ev_form_open", ALL_RULES)
    assert words("structure.how.tournament") in rules.text
    assert words("structure.stack", chips="10,000") in rules.text
    back = await club.tap("alice", rules, rules.find("ev_form_open"))
    assert back.text == shown.text


async def test_what_was_changed_is_told_and_what_the_kind_has_is_not(club: Club) -> None:
    words = club.words("alice")
    shown = await page(club, preset="chaipo", name="Night", when="in 3 hours")
    changed = words("event_form.chosen", changes="").strip()
    assert changed not in shown.text
    shown = await write(club, shown, stack="20000", seeding="rating")
    line = next(line for line in shown.text.splitlines() if line.startswith(changed))
    assert f"{words('event_form.field.stack')}: 20,000" in line
    assert words("event_form.option.seeding.rating") in line
    assert words("event_form.field.levels") not in line


async def test_one_form_makes_an_event_with_seven_taps(club: Club) -> None:
    shown, words = await page(club), club.words("alice")
    form = await club.ask("alice", shown, shown.find("ev_form_ask", START))
    said = {
        words("event_form.preset"): "league",
        words("event_form.field.name"): "Night",
        words("event_form.field.when"): "in 3 hours",
        words("event_form.field.game"): ["classic"],
        words("event_form.field.pace"): "live",
    }
    made = await publish(club, await club.send("alice", form, said))
    assert (made.name, made.format, made.variant.key) == ("Night", Format.LEAGUE, "classic")
    assert made.clock == Clock(pace=Pace.LIVE, seconds=DEFAULT_SECONDS[Pace.LIVE])


async def test_the_first_form_keeps_what_can_t_be_read_and_a_start_makes_it_no_sit_and_go(club: Club) -> None:
    shown, words = await page(club), club.words("alice")
    form = await club.ask("alice", shown, shown.find("ev_form_ask", START))
    shown = await club.send("alice", form, {words("event_form.field.when"): "whenever"})
    assert words("event_form.problem.unread_hour", when="whenever", zone="UTC").split(".")[0] in shown.text
    assert (await saved_choices(club)).form is not Format.SIT_AND_GO
    again = await club.ask("alice", shown, shown.find("ev_form_ask", START))
    assert again.modal is not None
    assert "whenever" in [label["component"].get("value") for label in again.modal["components"]]


@pytest.mark.parametrize(("kind", "becomes"), [("league", "league"), (None, "chaipo")])
async def test_in_the_first_form_too_a_name_that_nobody_touched_follows_the_kind(
    club: Club, kind: str | None, becomes: str
) -> None:
    shown, words = await page(club), club.words("alice")
    form = await club.ask("alice", shown, shown.find("ev_form_ask", START))
    said: dict[str, Any] = {words("event_form.field.when"): "in 3 hours"}
    if kind:
        said[words("event_form.preset")] = kind
    shown = await club.send("alice", form, said)
    assert default_name(club, "alice", becomes) in shown.text
    assert default_name(club, "alice", "sit_and_go") not in shown.text


@pytest.mark.parametrize("name", ["alice", "hanako"])
async def test_a_start_that_makes_it_a_tournament_says_so_once(club: Club, name: str) -> None:
    role = club.guild.create_role("hosts", permissions=discord.Permissions(manage_events=True))
    club.backend.add_member_role(club.guild.id, club.members[name].id, role.id)
    shown, words = await club.draft(name), club.words(name)
    for when, told in (("in 3 hours", True), ("in 4 hours", False)):
        form = await club.ask(name, shown, shown.find("ev_form_ask", START))
        shown = await club.send(name, form, {words("event_form.field.when"): when})
        assert (words("event_form.now_timed") in shown.text) is told


async def test_a_kind_chosen_with_the_start_needs_no_note(club: Club) -> None:
    shown, words = await page(club), club.words("alice")
    form = await club.ask("alice", shown, shown.find("ev_form_ask", START))
    said = {words("event_form.field.when"): "in 3 hours", words("event_form.preset"): "league"}
    assert words("event_form.now_timed") not in (await club.send("alice", form, said)).text


async def test_another_pace_brings_its_own_time_unless_one_is_written(club: Club) -> None:
    for time, seconds in ((None, DEFAULT_SECONDS[Pace.LIVE]), ("4m", 240)):
        shown = await page(club, name="Night", when="in 2 hours")
        shown = await write(club, shown, pace="live", **({} if time is None else {"time": time}))
        assert (await saved_choices(club)).clock == Clock(pace=Pace.LIVE, seconds=seconds)
        await write(club, shown, pace="per_turn", time="1m")


@pytest.mark.parametrize("written", [("0", ["45s"]), ("0", []), ("3", ["45s", "live", "x"]), ("5", ["45s"])])
async def test_fields_of_another_form_change_nothing(club: Club, written: tuple[str, list[str]]) -> None:
    shown = await page(club, name="Night", when="in 2 hours")
    before = await saved_choices(club)
    count, values = written
    await deliver(forged_form(club, "alice", shown, f"m1:ev_form_text:0:{count}:0:::tables", values))
    assert await saved_choices(club) == before


async def test_options_fill_the_page_in(club: Club) -> None:
    shown = await page(club, preset="heads_up", name="Duel", when="tomorrow 21:00")
    assert club.words("alice")("structure.format.single") in shown.text
    made = await publish(club, shown)
    assert made.format is Format.SINGLE


async def test_the_draft_is_there_again_after_a_restart(club: Club) -> None:
    shown = await page(club, name="Kept", preset="bicycle")
    await write(club, shown, stack="５０，０００", levels="100 250 500")
    await club.restart()
    again = await page(club)
    assert "Kept" in again.text
    assert "50,000" in again.text
    assert "100 → 250 → 500" in await rules_of(club, again)


async def test_a_damaged_draft_begins_afresh(club: Club) -> None:
    await page(club, name="Kept")
    events, player = club.bot.services.events, club.player("alice")
    for damaged in ({}, {"version": 99}, {"version": 1, "structure": {"format": "poker"}, "name": 5}):
        await events.save_draft(guild_of(club), player, damaged)
        assert default_name(club, "alice", "sit_and_go") in (await page(club)).text


async def test_what_cannot_be_is_told_and_cannot_be_published(club: Club) -> None:
    words = club.words("alice")
    shown = await page(club, name="Odd", when="in 2 hours")
    assert shown.has("ev_form_publish")
    shown = await write(club, shown, payouts="50, 30")
    wrong = words("structure.problem.payout_sum", sum="80")
    assert shown.text.count(wrong) == 1
    assert not shown.has("ev_form_publish")
    shown = await write(club, shown, levels="100,50")
    falls = words("structure.problem.levels_fall")
    assert (shown.text.count(wrong), shown.text.count(falls)) == (1, 1), "neither hides the other"
    shown = await write(club, shown, levels="50,100")
    shown = await write(club, shown, payouts="60%、40%", titles="Champion\nRunner-up")
    assert "Champion" in shown.text
    assert wrong not in shown.text
    made = await publish(club, shown)
    assert (made.structure.payouts, made.structure.titles) == ((60, 40), ("Champion", "Runner-up"))


async def test_what_cannot_be_read_stays_as_it_was(club: Club) -> None:
    words = club.words("alice")
    shown = await write(club, await page(club), stack="many", levels="100,200")
    told = words(
        "event_form.unread.number", field=words("event_form.field.stack"), least="1", most="100,000,000", typed="many"
    )
    assert told in shown.text
    assert words("structure.stack", chips="10,000") in await rules_of(club, shown)
    assert "100, 200" in shown.text, "the other field was taken, and that is said"
    assert words("event_form.unread.kept") in shown.text


@pytest.mark.parametrize("when", ["soon", "13/13 21:00"])
async def test_an_hour_that_is_not_understood_is_told(club: Club, when: str) -> None:
    shown = await page(club, name="When?", when=when)
    assert club.words("alice")("event_form.problem.unread_hour", when=escape_name(when), zone="UTC") in shown.text
    assert not shown.has("ev_form_publish")


@pytest.mark.parametrize("when", ["Friday", "今夜"])
async def test_a_day_without_a_time_of_day_asks_for_one(club: Club, when: str) -> None:
    shown = await page(club, name="When?", when=when)
    assert club.words("alice")("event_form.problem.no_clock", when=when) in shown.text
    assert not shown.has("ev_form_publish")


@pytest.mark.parametrize("when", ["yesterday 9pm", "2020-01-05 21:00"])
async def test_a_time_that_has_passed_is_called_that(club: Club, when: str) -> None:
    shown = await page(club, name="When?", when=when)
    assert club.words("alice")("refused.start_passed") in shown.text
    assert not shown.has("ev_form_publish")


@pytest.mark.parametrize("when", ["in 2 hours", "2時間後", "<t:1920000000:F>"])
async def test_a_time_that_is_counted_from_now_names_no_zone(club: Club, when: str) -> None:
    shown = await page(club, name="When?", when=when)
    assert club.words("alice")("event_form.hour_from_now", when=escape_name(when)) in shown.text
    assert "read in the time zone" not in shown.text


async def test_a_weekday_that_is_not_the_dates_is_told(club: Club) -> None:
    shown = await page(club, name="When?", when="Monday 2030-11-27 21:00")
    assert club.words("alice")("event_form.hour_weekday") in shown.text


async def test_the_hour_is_read_in_the_servers_zone_which_is_named(club: Club) -> None:
    await enter_in_setup(club, "alice", "zone", "asia/tokyo")
    shown = await page(club, name="Evening", when="2030-11-27 21:00")
    hour = datetime(2030, 11, 27, 12, 0, tzinfo=UTC)
    assert f"<t:{int(hour.timestamp())}:F>" in shown.text
    assert club.words("alice")("event_form.hour_exact", when="2030-11-27 21\\:00", zone="Asia/Tokyo") in shown.text


async def test_a_duplicate_event_switches_fantasyland_off_and_says_so(club: Club) -> None:
    words = club.words("alice")
    shown = await page(club, name="Same cards", preset="duplicate", when="in 2 hours")
    assert words("event_form.no_fantasyland") in shown.text
    made = await publish(club, shown)
    assert made.variant.fantasyland is None
    assert made.variant.key == "pineapple"


async def test_forms_change_the_rules_of_the_event(club: Club) -> None:
    shown = await page(club, name="House", when="in 2 hours")
    shown = await write(club, shown, win_cap=WinCap.NONE.value)
    shown = await write(club, shown, game="classic", pace="live")
    shown = await write(club, shown, fantasyland="no", time="3m")
    made = await publish(club, shown)
    assert (made.structure.win_cap, made.structure.bust_is_final) == (WinCap.NONE, False)
    assert (made.variant.key, made.variant.fantasyland) == ("classic", None)
    assert (made.clock.pace, made.clock.seconds) == (Pace.LIVE, 180)


@pytest.mark.parametrize(
    ("press", "value", "changed"),
    [
        ("s1:ev_form_preset:0:0:0:::", "league", lambda choices: choices.preset == "league"),
        ("s1:ev_form_game:0:0:0:::", "classic", lambda choices: choices.game == "classic"),
        ("s1:ev_form_set:0:0:0:::win_cap", "none", lambda choices: choices.structure.win_cap is WinCap.NONE),
        ("s1:ev_form_set:0:0:0:::pace", "live", lambda choices: choices.pace is Pace.LIVE),
        ("s1:ev_form_open:0:0:0:::", "rules", lambda choices: choices.name == "Night"),
        ("c1:ev_form_ask:0:0:0:::clock", "", lambda choices: choices.name == "Night"),
    ],
)
async def test_menus_of_an_earlier_version_still_answer(
    club: Club, press: str, value: str, changed: Callable[[EventChoices], bool]
) -> None:
    shown = await page(club, name="Night", when="in 2 hours")
    sent = forged_press(club, "alice", shown, press, values=[value] if value else None)
    await deliver(sent)
    assert sent.answers[0].has("ev_form_publish")
    assert changed(await saved_choices(club))


@pytest.mark.parametrize("preset", PRESETS)
async def test_every_preset_can_be_published_as_it_is(club: Club, preset: str) -> None:
    made = await publish(club, await page(club, name="As it is", preset=preset, when="in 2 hours"))
    assert made.structure == PRESETS[preset]
    assert (made.starts_at is None) == (made.format is Format.SIT_AND_GO)


async def test_every_topic_and_all_rules_fit_into_a_message(club: Club) -> None:
    for preset in PRESETS:
        shown = await page(club, name="W" * 60, preset=preset, when="in 2 hours")
        for form in FORMS:
            answer = (
                await opened(club, shown, form) if form_fields(form, await saved_choices(club), roles=True) else None
            )
            if answer is not None:
                shown = await club.send("alice", answer)
                assert shown.has("ev_form_publish")
        assert await rules_of(club, shown)


async def test_a_topic_that_is_chosen_again_is_sent_because_each_drawing_has_a_menu_of_its_own(club: Club) -> None:
    seen = []
    shown = await page(club, name="Night", when="in 3 hours", preset="chaipo")
    for form in ("limits", "tables", "limits"):
        shown = await club.send("alice", await opened(club, shown, form))
        seen.append(shown.find("ev_form_open")["id"])
        await club.pass_time(1)
    assert len(set(seen)) == 3, "a client sends no choice twice from a menu that it knows"
    closed = await club.choose("alice", shown, shown.find("ev_form_open"), [])
    assert closed.find("ev_form_open")["id"] not in seen, "whoever closed a form clears the choice to make it again"


async def test_the_first_form_shows_what_was_chosen_elsewhere(club: Club) -> None:
    shown = await write(club, await page(club, name="Night", when="in 2 hours"), preset="league", pairings="swiss")
    assert default_name(club, "alice", "swiss") in (await write(club, shown, name="")).text
    field = fields_of(await opened(club, shown, START))[club.words("alice")("event_form.preset")]
    assert [option["value"] for option in field["options"] if option.get("default")] == ["league"]


async def test_an_event_that_starts_soon_opens_its_check_in_at_once(club: Club) -> None:
    shown = await page(club, name="Night", when="in 10 minutes")
    assert club.words("alice")("event.brief.check_in_at_once") in shown.text
    made = await publish(club, shown)
    assert made.reminded, "whoever registers now knows when it starts"
    past = await page(club, name="Night", when="<t:1000000000>")
    assert club.words("alice")("event.brief.check_in_at_once") not in past.text


async def test_without_threads_all_tables_come_into_the_channel(club: Club) -> None:
    club.forbid("create_public_threads")
    words = club.words("alice")
    shown = await page(club, name="One room", when="in 2 hours")
    missing = words("permission.create_public_threads")
    assert words("event_form.no_threads", permissions=missing) in shown.text
    assert not (await publish(club, shown)).structure.threads


@pytest.mark.parametrize("place", ["a thread", "a stand-in for Discord without threads"])
async def test_where_there_can_be_no_threads_nobody_is_sent_to_mend_it(club: Club, place: str) -> None:
    words = club.words("alice")
    club.forbid("create_public_threads")
    there = club.thread("cards") if place == "a thread" else club
    club.bot.has_threads = place == "a thread"
    shown = await there.draft("alice", preset="chaipo", name="Night", when="in 2 hours")
    assert words("event_form.threadless") in shown.text
    opened = await there.slash("alice", "ofc play")
    assert "/setup" not in shown.text + opened.text
    setup = await there.slash("alice", "setup")
    checked = await there.tap("alice", setup, setup.find("su_doctor"))
    assert words("permission.create_public_threads") not in checked.text or place == "a thread"


async def test_a_channel_where_the_bot_is_silent_is_refused(club: Club) -> None:
    club.forbid("send_messages")
    words = club.words("alice")
    missing = words("permission.send_messages")
    assert (await page(club)).text == words("event.refuse.missing_permissions", permissions=missing)


async def test_a_draft_is_thrown_away_after_asking_once(club: Club) -> None:
    shown = await page(club, name="Not this")
    asked = await club.press("alice", shown, shown.find("ev_form_drop"))
    assert asked is not None
    assert "Not this" in (await page(club)).text
    await club.press("alice", asked, asked.find("ev_form_drop"))
    assert "Not this" not in (await page(club)).text


# who may


async def test_only_organisers_prepare_events_and_the_others_are_told_who_may(club: Club) -> None:
    refused = await club.draft("bob")
    assert refused.text.startswith(club.words("bob")("event.refuse.not_allowed"))
    role = club.guild.create_role("Hosts")
    await enter_in_setup(club, "alice", "organiser role", [role])
    assert await club.play.server(guild_of(club)) == ServerSettings(organiser_role=role.id)
    refused = await club.draft("bob")
    assert refused.text.startswith(club.words("bob")("event.refuse.not_allowed_role", role=f"<@&{role.id}>"))


async def say_why(club: Club, name: str, form: InteractionResult, why: str) -> Screen:
    """Write the reason into a form, and send it."""
    return await club.send(name, form, {club.words(name)("event.why.label"): why})


def said_in(form: InteractionResult) -> str:
    """Return the text above a form's fields."""
    assert form.modal is not None
    return str(form.modal["components"][0]["content"])


async def promise(club: Club, shown: Screen, place: int, role: RoleHandle) -> Screen:
    """Choose the role of a place."""
    given: dict[str, Any] = {f"role_{place}": [role]}
    return await write(club, shown, **given)


async def test_only_roles_that_one_could_give_are_promised(club: Club) -> None:
    words = club.words("alice")
    role = club.guild.create_role("Champion")
    guild = club.backend.get_guild(club.guild.id)
    everyone = RoleHandle(club.world.env, club.guild, guild.roles[club.guild.id])
    shown = await promise(club, await page(club, name="Night", when="in 2 hours"), 1, role)
    assert role.mention in shown.text
    assert words("structure.roles", places=f"1st {role.mention}") in await rules_of(club, shown)
    shown = await promise(club, shown, 2, everyone)
    assert everyone.mention not in shown.text
    assert words("event_form.no_role_power") in shown.text
    assert (await publish(club, shown)).structure.roles == (role.id,)


async def test_who_does_not_manage_the_server_makes_no_chips_for_the_pool(club: Club) -> None:
    role = club.guild.create_role("Hosts")
    await enter_in_setup(club, "alice", "organiser role", [role])
    club.backend.get_guild(club.guild.id).members[club.members["bob"].id].role_ids.append(role.id)
    shown = await club.draft("bob", name="Rich", when="in 2 hours")
    draft = await club.bot.services.events.draft(guild_of(club), club.player("bob"))
    assert draft is not None
    values = {**draft.values, "structure": {**draft.values["structure"], "added": 1000}}
    await club.bot.services.events.save_draft(guild_of(club), club.player("bob"), values)
    changed = await club.tap("bob", shown, shown.find("ev_form_publish"))
    assert club.words("bob")("terms.changed") in changed.text
    refused = await club.tap("bob", changed, changed.find("ev_form_publish"))
    assert refused.text == club.words("bob")("refused.no_added_power")
    assert await open_events(club) == []


# before the start


async def test_people_register_look_and_withdraw(club: Club) -> None:
    made = await publish(club, await page(club, name="Night", when="in 3 hours"))
    for name in ("bob", "hanako"):
        words = club.words(name)
        opens = (made.starts_at or 0) // 1000 - 15 * 60
        answer = await club.slash(name, "event", do="register")
        starts = (made.starts_at or 0) // 1000
        told = {at: {"at": f"<t:{at}:F>", "from_now": f"<t:{at}:R>"} for at in (opens, starts)}
        assert words("event.done.registered_check_in", name="Night", press="Check in", **told[opens]) in answer.text
        assert words("event.done.starts", channel=f"<#{made.channel}>", **told[starts]) in answer.text
        shown = await club.slash(name, "event", do="show")
        assert words("event.button.withdraw") in shown.labels()
    assert "2" in (await club.slash("alice", "event", do="list")).text
    public = club.public()[-1]
    for name in ("bob", "hanako"):
        again = await club.slash(name, "event", do="register 1")
        number = ("bob", "hanako").index(name) + 1
        assert club.words(name)("event.done.place", number=number, most=128) in again.text
        assert (again.has("ev_withdraw"), again.has("ev_calendar")) == (True, True)
    await club.withdraw("hanako")
    again = await club.slash("hanako", "event", do="withdraw 1")
    assert again.text.startswith(club.words("hanako")("refused.not_registered", register="Register"))
    assert "Register" in public.labels(), "the buttons are labelled so for everyone"
    await club.slash("hanako", "event", do="register")
    standings = await club.slash("hanako", "event", do="standings")
    assert club.words("hanako")("event.you_registered") in standings.text
    assert club.words("hanako")("event.registered", count=2, most=128) in standings.text
    assert club.words("hanako")("event.state.out") not in standings.text, "nobody is out before it has begun"
    left = await club.withdraw("bob")
    assert left.text == club.words("bob")("event.done.withdrawn_free", name="Night")
    view = await club.bot.services.events.look(made.key)
    assert [line.entrant.player for line in view.lines] == [club.player("hanako")]


@in_turn("name", "bob", "hanako")
async def test_buttons_of_older_messages_of_an_event_still_answer(club: Club, name: str) -> None:
    made = await publish(club, await page(club, name="Night", when="in 3 hours"))
    message, words = club.public()[-1], club.words(name)
    await club.press(name, message, message.find("ev_register"))

    async def pressed(verb: str) -> str:
        press = forged_press(club, name, message, f"c1:{verb}:{made.key.number}:0:0:::")
        await deliver(press)
        return press.answers[0].text

    assert words("event.calendar.date", name="Night") in await pressed("ev_calendar")
    assert words("event.registered", count=1, most=128) in await pressed("ev_standings")
    assert words("event.registered", count=1, most=128) in await pressed("ev_show")
    assert made.commitment.hex() in await pressed("ev_fairness")
    assert await pressed("ev_tools") == words("refused.not_organiser")
    assert words("event.done.withdrawn_free", name="Night") in await pressed("ev_withdraw")


@in_turn("name", "bob", "hanako")
async def test_details_lead_to_the_log_and_the_standings_and_back(club: Club, name: str) -> None:
    await publish(club, await page(club, name="Night", when="in 3 hours"))
    message, words = club.public()[-1], club.words(name)
    await club.press(name, message, message.find("ev_register"))
    shown = await club.tap(name, message, message.find("ev_details"))
    assert words("structure.how.tournament") in shown.text
    for verb in ("ev_log", "ev_withdraw"):
        answer = await club.tap(name, shown, shown.find(verb))
        shown = await club.tap(name, answer, answer.find("ev_show"))
    assert not shown.has("ev_withdraw"), "they have withdrawn"
    assert shown.has("ev_register")


async def test_organisers_tools_are_for_organisers(club: Club) -> None:
    made = await publish(club, await page(club, name="Night", when="in 3 hours"))
    words = club.words("bob")
    for act in ("start", "pause", "resume", "cancel"):
        refused = await club.slash("bob", "event", do=words(f"event_acts.name.{act}"))
        only = words("event_acts.why.organisers", act=words(f"event_acts.name.{act}"))
        assert refused.text.startswith(only)
    added = await club.slash("alice", "event", do="co-organiser", player=str(club.members["bob"].id))
    done = club.words("alice")("event.done.helper", player=f"<@{club.player('bob')}>", name="Night")
    assert added.text.startswith(done)
    too_few = await club.slash("bob", "event", do="start")
    assert too_few.text == club.words("bob")("refused.too_few_entrants", need="2", have="0")
    form = await club.command_form("bob", "event", do="cancel")
    assert [event.key for event in await open_events(club)] == [made.key], "it is only asked"
    form = await club.command_form("bob", "event", do="cancel")
    await say_why(club, "bob", form, "no power")
    assert await open_events(club) == []
    over = await club.slash("bob", "event", do="Cancel the event 1")
    gone = words("event_acts.why.cancelled", act=words("event_acts.name.cancel"), name="Night")
    assert over.text.startswith(gone)
    logged = await club.slash("alice", "event", do="log")
    assert club.words("alice")("event.log.cancelled") in logged.text


async def test_where_several_events_are_open_one_has_to_be_named(club: Club) -> None:
    for name in ("One", "Two"):
        await publish(club, await page(club, name=name, when="in 3 hours"))
    unclear = await club.slash("bob", "event", do="register")
    assert unclear.text == club.words("bob")("acts.several")
    assert unclear.labels() == ["Register · Two", "Register · One"]
    offered = await club.members["bob"].autocomplete(club.channel, "event", "do", "register two")
    assert [choice["value"] for choice in offered] == ["Register · Two"]
    assert club.words("bob")("acts.none", typed="show 9") in (await club.slash("bob", "event", do="show 9")).text


async def test_who_names_no_event_means_their_own(club: Club) -> None:
    words = club.words("bob")
    later = await publish(club, await page(club, name="Later", when="in 3 hours"))
    open_now = await publish(club, await page(club, name="Open now", when="in 10 minutes"))
    await publish(club, await page(club, name="Not mine", when="in 10 minutes"))
    events = club.bot.services.events
    for key in (later.key, open_now.key):
        await events.register(key, club.player("bob"), cause=f"r{key.number}")
    await club.pass_time(1)  # check-in opens by the clock
    view = await events.look(open_now.key)
    assert (view.event.phase, view.lines[0].entrant.state) == (Phase.CHECK_IN, EntrantState.REGISTERED)
    checked = await club.slash("bob", "event", do="check-in")
    assert words("event.done.checked_in", name="Open now") in checked.text
    # Players who press Register instead of Check in are checked in as well.
    await events.register(open_now.key, club.player("hanako"), cause="again")
    (line,) = [one for one in (await events.look(open_now.key)).lines if one.entrant.player == club.player("hanako")]
    assert line.entrant.state is EntrantState.CHECKED_IN
    unclear = await club.slash("bob", "event", do="withdraw")
    assert sorted(unclear.labels()) == ["Withdraw · Later", "Withdraw · Open now"]
    await club.withdraw("bob", f"withdraw {open_now.key.number}")
    left = await club.withdraw("bob")
    assert left.text == words("event.done.withdrawn_free", name="Later")


async def test_standings_and_results_are_of_the_event_that_one_plays_or_played(club: Club) -> None:
    for number, name in enumerate(("First", "Second"), start=1):
        await publish(club, await page(club, name=name, when="in 3 hours"))
        if number == 1:
            for player in ("bob", "hanako"):
                await club.slash(player, "event", do="register 1")
            asked = await club.slash("alice", "event", do="start 1")
            await club.tap("alice", asked, asked.find("ev_begin"))
    assert "## First" in (await club.slash("bob", "event", do="standings")).text


async def test_without_an_event_everybody_is_told_so(club: Club) -> None:
    for name in ("bob", "hanako"):
        words = club.words(name)
        for act, key in (("register", "enter"), ("results", "results")):
            none = words("event_acts.why.no_event", act=words(f"event_acts.name.{key}"))
            assert (await club.slash(name, "event", do=act)).text.startswith(none)
        assert (await club.slash(name, "event", do="list")).text.endswith(club.words(name)("event.list.none"))
        for typed in ({}, {"value": "X"}):
            series = await club.slash(name, "event", do="series", **typed)
            assert series.text.startswith(words("event.series_table.none"))


async def test_an_event_of_another_server_is_not_seen(club: Club) -> None:
    await publish(club, await page(club, name="Here", when="in 3 hours"))
    other = club.elsewhere("Another club")
    assert "Here" not in (await other.slash("bob", "event", do="register 1")).text
    assert EventKey(guild=guild_of(other), number=1) not in [event.key for event in await open_events(club)]


# while it is played


async def test_an_organiser_runs_an_event(club: Club) -> None:
    words = club.words("alice")
    made = await publish(club, await page(club, name="Quick", preset="sit_and_go"))
    for name in ("alice", "bob", "hanako"):
        await club.slash(name, "event", do="register")
    view = await club.bot.services.events.look(made.key)
    assert view.event.phase is Phase.RUNNING
    bob = club.members["bob"]
    shown = await club.slash("bob", "event", do="show")
    assert words("event.left", left=3, entries=3) in shown.text
    standings = await club.press("bob", shown, shown.find("ev_standings"))
    assert standings is not None
    assert words("event.you") in standings.text
    paused = words("event.done.paused", name="Quick")
    undo = words("acts.undo", act=words("event_acts.name.resume"))
    assert (await club.slash("alice", "event", do="pause")).text == f"{paused} {undo}"
    assert words("event.paused") in (await club.slash("bob", "event", do="show")).text
    assert (await club.slash("alice", "event", do="resume")).text == words("event.done.resumed", name="Quick")
    penalty = await club.slash("alice", "event", do="penalty", player=str(bob.id), value="2", reason="late")
    assert penalty.text.startswith(words("event.done.penalty_next", player=bob.mention, count=2))
    off = await club.slash("alice", "event", do="penalty", player=str(bob.id), value="0", reason="came")
    assert off.text.startswith(words("event.done.penalty_off", player=bob.mention))
    said = await club.slash("alice", "event", do="message", value="Welcome")
    assert said.text == words("event.done.said")
    moved = await club.slash("alice", "event", do="move", player=str(bob.id), table="99", reason="balance")
    assert moved.text.startswith(words("event_acts.why.running", act=words("event_acts.name.move"), name="Quick"))
    logged = await club.slash("alice", "event", do="log")
    assert words("event.log.said", text="Welcome") in logged.text
    penalties = words("event.log.penalty", player=bob.mention, count=2)
    assert words("event.log.why", what=penalties, why="late") in logged.text
    assert penalties in (await club.slash("bob", "event", do="log")).text
    told = club.words()("event_notice.ruling.penalty", by=club.members["alice"].mention, player=bob.mention, count=2)
    assert told in club.said()
    club.newcomer("carol")
    hidden = await club.slash("carol", "event", do="log")
    assert hidden.text.startswith(club.words("carol")("refused.not_in_this_event"))


async def test_a_player_is_disqualified_after_asking_once(club: Club) -> None:
    words, bob = club.words("alice"), club.members["bob"]
    made = await publish(club, await page(club, name="Night", when="in 3 hours"))
    await club.slash("bob", "event", do="register")
    form = await club.command_form("alice", "event", do="disqualify", player=str(bob.id))
    means = words("event.ask.disqualify_before", player=bob.mention, name="Night")
    assert said_in(form) == f"{means}\n{words('event_desk.bars')}"
    done = await say_why(club, "alice", form, "cheated")
    assert words("event.done.disqualified", player=bob.mention) in done.text
    assert (await club.bot.services.events.look(made.key)).lines == ()
    barred = (await club.slash("bob", "event", do="register")).text
    assert barred.startswith(club.words("bob")("refused.disqualified"))
    back = await club.slash("alice", "event", do="Reinstate", player=str(bob.id))
    assert back.text == words("event.done.reinstated_before", player=bob.mention)
    await club.slash("bob", "event", do="register")
    off = await club.slash("alice", "event", do="unregister", player=str(bob.id))
    assert off.text.startswith(words("event.done.unregistered_free", player=bob.mention))
    assert (await club.bot.services.events.look(made.key)).lines == ()


async def called_off(club: Club) -> Event:
    """Register three players for an event, and cancel it."""
    made = await publish(club, await page(club, name="Quick", preset="sit_and_go"))
    for name in ("alice", "bob", "hanako"):
        await club.slash(name, "event", do="register")
    await say_why(club, "alice", await club.command_form("alice", "event", do="cancel"), "no power")
    return made


async def test_results_hand_out_the_record_of_the_draw(club: Club) -> None:
    made = await called_off(club)
    results = await club.slash("hanako", "event", do=f"results {made.key.number}")
    words = club.words("hanako")
    assert words("event.cancelled.title_free") in results.text
    assert words("event.proof.right") in results.text
    (attached,) = results.message.attachments
    assert attached["filename"] == f"chaipo-event-{made.key.number}.json"
    verdict = check_draw(dict(await club.bot.services.events.draw_proof(made.key)))
    assert verdict.ok
    assert len(verdict.order) == 3


@pytest.mark.parametrize("name", ["bob", "hanako"])
async def test_an_event_that_no_one_entered_shows_its_seed_when_it_is_cancelled(club: Club, name: str) -> None:
    made = await publish(club, await page(club, name="Quick", preset="sit_and_go"))
    locked = (await club.bot.services.events.look(made.key)).event.commitment
    await say_why(club, "alice", await club.command_form("alice", "event", do="cancel"), "no power")
    results = await club.slash(name, "event", do=f"results {made.key.number}")
    seed = (await club.bot.services.events.look(made.key)).event.seed
    assert seed is not None
    assert club.words(name)("event.proof.none_drawn", seed=seed.hex()) in results.text
    assert commitment(event=f"{made.key.guild}/event/{made.key.number}", seed=seed) == locked
    assert not results.message.attachments


async def test_results_are_shown_where_the_record_of_their_draw_is_withheld(club: Club) -> None:
    made = await called_off(club)
    await club.bot.services.privacy.delete(club.player("bob"))
    await club.restart(down_seconds=31 * 86_400)
    await club.bot.services.privacy.go_on()
    results = await club.slash("hanako", "event", do=f"results {made.key.number}")
    words = club.words("hanako")
    assert words("event.cancelled.title_free") in results.text
    assert words("refused.draw_withheld") in results.text
    assert words("event.proof.right") not in results.text
    assert not results.message.attachments


async def test_the_same_relative_time_again_counts_from_now_but_for_another_change(
    club: Club,
) -> None:
    shown = await page(club, preset="league", name="Night", when="in 4 hours")
    first = (await saved_choices(club)).starts_at
    assert first is not None
    await club.pass_hours(600)
    shown = await write(club, shown, name="Another name")
    assert (await saved_choices(club)).starts_at == first
    await write(club, shown, when="in 4 hours")
    moved = (await saved_choices(club)).starts_at
    assert moved is not None
    assert moved - first >= 600_000


async def test_the_levels_of_matches_ask_for_hands_alone(club: Club) -> None:
    words = club.words("alice")
    shown = await page(club, preset="heads_up", name="Duel", when="tomorrow 21:00")
    shown = await write(club, shown, level_length="10 minutes")
    assert words("structure.problem.matches_by_hands") in shown.text
    assert words("structure.problem.hands_or_minutes") not in shown.text
    hints = str((await opened(club, shown, "levels")).modal)
    assert words("event_form.hint.level_length_matches") in hints
    assert words("event_form.hint.level_length") not in hints


async def saved_choices(club: Club) -> EventChoices:
    """Return the stored draft of Alice."""
    draft = await club.bot.services.events.draft(guild_of(club), club.player("alice"))
    assert draft is not None
    choices = choices_from_json(draft.values)
    assert choices is not None
    return choices
