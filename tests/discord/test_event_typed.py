"""``/event`` by typing only: suggestions, input, confirmations and refusals in both languages."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.chat.event.acts.dates import when_text
from bot.chat.event.acts.organisers import ACTS
from bot.chat.kit.acts.matching import MAX_INITIAL_SUGGESTIONS
from bot.chat.kit.gate import Rate, Rates
from bot.chat.kit.suggestions import MAX_SUGGESTION_LENGTH, MAX_SUGGESTIONS
from bot.chat.kit.typed_choice import normalise
from bot.model.clock import HOUR, Clock, Pace
from bot.model.events import EntrantState, Official, Phase
from bot.model.ids import EventKey
from bot.play.event.office.registration import PlannedEvent
from bot.pure.event.structure import PRESETS
from bot.pure.ofc.presets import PINEAPPLE
from bot.text.event_structure import kind_name
from bot.text.languages import LANGUAGES
from bot.text.words import Words, words_for
from bot.text.zones import zone_of
from cogs.event.event_command import NAME
from cogs.event.typed_acts import event_acts
from tests.discord.club import Club, Screen
from tests.discord.forge import deliver, forge, forged_command, forged_form
from tests.discord.test_event_acts import FROM_THE_LOG
from tests.discord.test_event_desk import announced, desk_of, guests_of, line, mention, running
from tests.discord.test_event_form import guild_of
from tests.discord.test_hidden_channels import shut_out
from tests.discord.test_powers import make_host
from tests.in_turn import in_turn
from tests.listed import unused_parts
from tests.store.samples import EVENT

READERS = ("bob", "hanako")
MAX_NAME_LENGTH = 34
"""Characters that Discord advises for a button."""


def called(words: Words, key: str) -> str:
    """An act's name."""
    return words(f"event_acts.name.{key}")


async def offered(club: Club, name: str, typed: str = "", option: str = "do", **options: Any) -> list[str]:
    """Return the suggestions for a member's input."""
    choices = await club.members[name].autocomplete(club.channel, NAME, option, typed, **options)
    return [str(choice["name"]) for choice in choices]


async def do(club: Club, name: str, act: str, **options: Any) -> Screen:
    """Type an act, in the reader's own language if it's one of the table; returns the private answer."""
    return await club.slash(name, NAME, do=act, **options)


async def opened(club: Club, name: str, act: str, **options: Any) -> dict[str, Any]:
    """Type an act that opens a form; returns what its fields hold, by their labels."""
    shown = await club.command_form(name, NAME, do=act, **options)
    assert shown.modal is not None
    return {part["label"]: club._stands(part["component"]) for part in shown.modal["components"] if "label" in part}  # noqa: SLF001


async def night(club: Club, name: str, called: str, *, hours: float = 3) -> EventKey:
    """Publish an event with this name and organiser in the current channel."""
    plan = PlannedEvent(
        guild=guild_of(club),
        channel=club.channel.id,
        organiser=club.player(name),
        language="en",
        name=called,
        variant=PINEAPPLE,
        structure=replace(PRESETS["chaipo"], threads=False),
        clock=Clock(pace=Pace.RELAXED, seconds=600),
        starts_at=int(club.world.now_ms() + hours * HOUR),
    )
    made = await club.bot.services.events.create(
        plan, cause=f"announced {called} {club.world.now_ms()} {club.channel.id}"
    )
    await club.settle()
    await club.pass_time(1)
    return made.key


async def date_of(club: Club, key: EventKey, words: Words) -> str:
    """Return an event's date or state as suggestions show it."""
    zone = zone_of(await club.play.server(guild_of(club)), words.language)
    event = (await club.bot.services.events.look(key)).event
    return when_text(event, words, zone=zone, now=club.world.now_ms())


# everyone


@in_turn("name", *READERS)
async def test_somebody_takes_part_by_typing_alone(club: Club, name: str) -> None:
    words, key = club.words(name), await announced(club, "alice", "bicycle", hours=3)
    assert called(words, "enter") in await offered(club, name)
    assert called(words, "withdraw") not in await offered(club, name)
    said = await do(club, name, called(words, "enter"))
    assert "**Night**" in said.text
    assert (await desk_of(club, key)).view.line_of(club.player(name)) is not None
    assert called(words, "enter") not in await offered(club, name), "one registers once"
    left = await club.withdraw(name, called(words, "withdraw"))
    assert left.text == words("event.done.withdrawn_free", name="Night")
    assert (await desk_of(club, key)).view.line_of(club.player(name)) is None


@in_turn("name", *READERS)
async def test_somebody_checks_in_by_typing_alone(club: Club, name: str) -> None:
    words, key = club.words(name), await announced(club, "alice", "bicycle", hours=0.5)
    await do(club, name, "register")
    assert called(words, "come") not in await offered(club, name)
    await club.pass_hours(20 * 60)
    assert (await offered(club, name))[0] == called(words, "come"), "what is to be done now comes first"
    await do(club, name, called(words, "come"))
    assert (await line(club, key, name)).entrant.state is EntrantState.CHECKED_IN


@in_turn("name", *READERS)
async def test_everything_about_an_event_is_looked_at_by_typing(club: Club, name: str) -> None:
    words, (key, people) = club.words(name), await running(club, "alice", guests=2)
    assert called(words, "log") not in await offered(club, name, called(words, "log")), "it's for those in the event"
    for act, seen in {
        "standings": words.number(10_000),
        "show": "## Night",
        "list": "Night",
        "calendar": words("event.calendar.date", name="Night"),
    }.items():
        assert called(words, act) in await offered(club, name, called(words, act))
        assert seen in (await do(club, name, called(words, act))).text, act
    assert (
        words("event_acts.why.running", act=called(words, "results"), name="Night")
        in (await do(club, name, called(words, "results"))).text
    )
    await club.bot.services.events.cancel(key, Official(player=club.player("alice")), why="rain", cause="rain")
    refused = await do(club, name, called(words, "standings"))
    assert words("event_acts.why.cancelled", act=called(words, "standings"), name="Night") in refused.text
    assert "## Night" in (await do(club, name, called(words, "show"))).text, "what is over can still be seen"
    assert people


@in_turn("name", *READERS)
async def test_results_and_records_are_those_of_the_event_that_ended_last(club: Club, name: str) -> None:
    words = club.words(name)
    for called_so in ("Monday", "Tuesday"):
        key = await night(club, "alice", called_so)
        await guests_of(club, key, 2)
        await club.bot.services.events.start(key, Official(player=club.player("alice")), cause=called_so)
        await club.pass_time(30)
        by = Official(player=club.player("alice"))
        await club.bot.services.events.disqualify(key, by, club.player("guest0"), why="late", cause=f"{called_so} out")
        await club.pass_time(30)
        assert (await club.bot.services.events.look(key)).event.phase is Phase.ENDED
    answer = await do(club, name, called(words, "results"))
    assert "Tuesday" in answer.text
    assert "Monday" not in answer.text
    for typed in ("monday", "1"):
        older = await do(club, name, f"{called(words, 'results')} {typed}")
        assert "Monday" in older.text
    assert words.facts([called(words, "show"), "Monday"]) in await offered(club, name, called(words, "show"))


# Which event


@in_turn("name", *READERS)
async def test_an_events_name_follows_only_where_two_can_be_meant(club: Club, name: str) -> None:
    words = club.words(name)
    first = await night(club, "alice", "Night")
    assert called(words, "enter") in await offered(club, name)
    second = await night(club, "alice", "Night")
    labels = [label for label in await offered(club, name) if label.startswith(called(words, "enter"))]
    assert labels == [
        words.facts([called(words, "enter"), "Night", await date_of(club, key, words), str(key.number)])
        for key in (second, first)
    ]
    assert second.number > first.number
    asked = await do(club, name, called(words, "enter"))
    assert asked.text == words("acts.several")
    assert asked.labels() == labels
    await club.click(name, asked, labels[1])
    assert [line.entrant.player for line in (await desk_of(club, first)).view.lines] == [club.player(name)]
    assert (await desk_of(club, second)).view.lines == ()
    await do(club, name, called(words, "enter"))
    assert [line.entrant.player for line in (await desk_of(club, second)).view.lines] == [club.player(name)]


async def test_the_event_of_the_channel_is_meant_and_others_are_named(club: Club) -> None:
    key, words = await announced(club, "alice"), club.words("bob")
    lounge = club.guild.create_text_channel("lounge")
    there = club.channel
    club.channel = lounge
    assert called(words, "enter") in await offered(club, "bob"), "the only one needs no name"
    other = await night(club, "alice", "Sunday")
    labels = await offered(club, "bob", "register")
    assert labels[0] == called(words, "enter"), "the channel's own event"
    assert len(labels) == 2
    await do(club, "bob", "register")
    assert (await desk_of(club, other)).view.line_of(club.player("bob")) is not None
    assert (await desk_of(club, key)).view.line_of(club.player("bob")) is None
    club.channel = there


async def test_what_one_may_not_see_is_neither_suggested_nor_done(club: Club) -> None:
    key, words = await announced(club, "alice"), club.words("bob")
    there, lounge = club.channel, club.guild.create_text_channel("lounge")
    asked = await do(club, "bob", "")
    enter = asked.button(called(words, "enter"))
    shut_out(club, "bob")
    club.channel = lounge
    unseen = [called(words, "list"), words("acts.everything.name")]
    assert await offered(club, "bob") == unseen
    assert await offered(club, "bob", "night") == []
    for act in ("register", "show", "log", "calendar", "Register · Night"):
        assert "Night" not in (await do(club, "bob", act)).text, act
    press = await forge(club, "bob", await do(club, "bob", ""), enter["custom_id"])
    assert press.said == words("refused.channel_hidden")
    assert (await desk_of(club, key)).view.lines == ()
    club.channel = there


@in_turn("name", *READERS)
async def test_two_events_of_one_name_and_day_are_told_apart_by_their_numbers(club: Club, name: str) -> None:
    words = club.words(name)
    first, second = await night(club, "alice", "Night"), await night(club, "alice", "Night")
    there, lounge = club.channel, club.guild.create_text_channel("lounge")
    club.channel = lounge
    third = await night(club, "alice", "Night")
    labels = [label for label in await offered(club, name) if label.startswith(called(words, "show"))]
    numbered = [
        words.facts([called(words, "show"), "Night", await date_of(club, key, words), str(key.number)])
        for key in (third, second, first)
    ]
    assert labels == numbered
    for label, key in zip(labels, (third, second, first), strict=True):
        shown = await do(club, name, label)
        number = words("event.number", number=key.number, format="$").split("$")[0]
        assert number in shown.text, label
    club.channel = there


@in_turn("name", *READERS)
async def test_creating_and_the_list_are_among_the_first_and_the_last_row_leads_to_the_rest(
    club: Club, name: str
) -> None:
    words = club.words(name)
    await make_host(club, name)
    await running(club, name, guests=3)
    assert words("event.done.paused", name="Night") in (await do(club, name, called(words, "pause"))).text
    first = await offered(club, name)
    assert len(first) == MAX_INITIAL_SUGGESTIONS
    assert called(words, "create") in first
    assert called(words, "list") in first
    assert first[-1] == words("acts.everything.row")
    choices = await club.members[name].autocomplete(club.channel, NAME, "do", "")
    for typed in (str(choices[-1]["value"]), first[-1]):
        shown = await do(club, name, typed)
        line = words("acts.everything.line", act=called(words, "change"), says=words("event_acts.says.change"))
        assert line in shown.text.splitlines(), typed
    assert words("acts.everything.row") not in shown.text
    other = "hanako" if name == "bob" else "bob"
    assert called(club.words(other), "create") not in await offered(club, other), "only for those who may"


# typed input


EVERYDAY = {
    "leave": "withdraw",
    "cancel": "withdraw",
    "unregister": "withdraw",
    "drop out": "withdraw",
    "キャンセル": "withdraw",
    "きゃんせる": "withdraw",
    "取り消し": "withdraw",
    "取り消したい": "withdraw",
    "とりけし": "withdraw",
    "トリケシ": "withdraw",
    "status": "show",
    "when": "show",
    "where": "show",
    "start time": "show",
    "いつ": "show",
}
BEFORE_ONE_IS_IN = {"さんか": "enter", "とうろく": "enter", "join": "enter", "参加したい": "enter"}


@in_turn("name", *READERS)
async def test_everyday_words_find_what_they_mean_and_are_never_shown(club: Club, name: str) -> None:
    words = club.words(name)
    await announced(club, "alice")
    for typed, act in BEFORE_ONE_IS_IN.items():
        assert called(words, act) in await offered(club, name, typed), typed
    await do(club, name, "join")
    for typed, act in EVERYDAY.items():
        assert called(words, act) in await offered(club, name, typed), typed
    assert (await club.withdraw(name, "leave")).text == words("event.done.withdrawn_free", name="Night")
    everything = await do(club, name, words("acts.everything.name"))
    assert "drop out" not in everything.text
    assert "とりけし" not in everything.text


@in_turn("name", *READERS)
async def test_what_is_typed_and_not_known_is_answered_with_what_can_be_done(club: Club, name: str) -> None:
    words = club.words(name)
    await announced(club, "alice")
    for typed, said in {
        "": words("acts.choose"),
        "make me a sandwich": words("acts.none", typed="make me a sandwich"),
        "check-in": words("refused.not_registered", register="Register"),
        "bracket": words("event_acts.why.no_bracket", act=called(words, "standings")),
        "pause": words("event_acts.why.organisers", act=called(words, "pause")),
        "penalty": words("event_acts.why.organisers", act=called(words, "penalty")),
        "create": words("event.refuse.not_allowed"),
    }.items():
        answer = await do(club, name, typed)
        assert answer.text.startswith(said), typed
        assert called(words, "enter") in answer.labels(), "with what is possible"
    pressed = await club.click(name, answer, called(words, "list"))
    assert pressed is not None
    assert "Night" in pressed.text
    assert (await do(club, name, "series")).text == words("event.series_table.none")


@in_turn("name", *READERS)
async def test_a_bracket_that_is_still_to_come_is_not_possible_yet(club: Club, name: str) -> None:
    words = club.words(name)
    await announced(club, "alice", "heads_up")
    answer = await do(club, name, "bracket")
    assert answer.text.startswith(words("event_acts.why.registering", act=called(words, "bracket"), name="Night"))


@in_turn("name", *READERS)
async def test_sit_and_gos_never_have_a_bracket(club: Club, name: str) -> None:
    words = club.words(name)
    await announced(club, "alice", "sit_and_go")
    answer = await do(club, name, called(words, "bracket"))
    assert answer.text.startswith(words("event_acts.why.no_bracket", act=called(words, "standings")))
    assert "Night" not in answer.text.splitlines()[0]


@in_turn("name", *READERS)
async def test_a_part_of_an_everyday_word_is_asked_about_and_not_done(club: Club, name: str) -> None:
    words, key = club.words(name), await announced(club, "alice")
    await do(club, name, "register")
    for typed in ("regist", "register", "register 1", "とりけ", "drop"):
        answer = await do(club, name, typed)
        line = (await desk_of(club, key)).view.line_of(club.player(name))
        assert line is not None, f"{typed} took its player off the list"
    assert answer.text == words("acts.several")
    assert called(words, "withdraw") in answer.labels()


@in_turn("name", *READERS)
async def test_everything_is_listed_in_sentences(club: Club, name: str) -> None:
    words = club.words(name)
    await announced(club, name)
    shown = await do(club, name, words("acts.everything.name"))
    for act in ("enter", "desk", "postpone", "cancel", "list"):
        line = words("acts.everything.line", act=called(words, act), says=words(f"event_acts.says.{act}"))
        assert line in shown.text.splitlines(), act
    assert called(words, "penalty") not in shown.text, "nobody plays yet"
    assert len(shown.labels()) == MAX_INITIAL_SUGGESTIONS
    reads = await do(club, "alice" if name == "bob" else "bob", "what")
    assert called(club.words("bob"), "desk") not in reads.text or name == "bob"


@in_turn("name", *READERS)
async def test_a_form_has_what_was_typed_and_a_refusal_keeps_it(club: Club, name: str) -> None:
    words, (key, people) = club.words(name), await running(club, name, guests=2)
    act = called(words, "penalty")
    fields = await opened(club, name, act, player=people[0], reason="Slow")
    player, hands, reason = fields.values()
    assert (player, hands, reason) == (club.player(people[0]), "", "Slow")
    refused = await do(club, name, act, player=people[0], value="lots", reason="Slow")
    assert refused.text.startswith(words("refused.bad_penalty", most=20))
    assert people[0] in refused.text
    again = await club.ask(name, refused, refused.find("ev_act_ask"))
    assert again.modal is not None
    held = [club._stands(part["component"]) for part in again.modal["components"] if "label" in part]  # noqa: SLF001
    assert held == [club.player(people[0]), "lots", "Slow"]
    labels = [part["label"] for part in again.modal["components"] if "label" in part]
    done = await club.send(name, again, {labels[1]: "2"})
    assert words("event.done.penalty", player=mention(club, people[0]), count=2) in done.text
    assert words("acts.undo", act=called(words, "take_back")) in done.text
    assert (await line(club, key, people[0])).entrant.penalty == 2
    undo = await club.ask(name, done, done.button(called(words, "take_back")))
    await club.send(name, undo)
    assert (await line(club, key, people[0])).entrant.penalty == 0


@in_turn("name", *READERS)
async def test_a_player_is_suggested_with_table_and_stack_and_named_in_any_way(club: Club, name: str) -> None:
    words, (key, people) = club.words(name), await running(club, name, guests=2)
    act, who = called(words, "sit_out"), people[1]
    shown = await offered(club, name, "", "player", do=act)
    table = words("event.table_name", table=1)
    assert words.facts([who, table, words.number(10_000)]) in shown
    assert await offered(club, name, who[2:].upper(), "player", do=act) == [
        words.facts([who, table, words.number(10_000)])
    ]
    assert await offered(club, name, "", "player", do="nothing like it") == []
    assert (await offered(club, name, "", "table", do=called(words, "call_table")))[0].startswith(table)
    stranger = "alice"
    for wrong in ("nobody", mention(club, stranger), "guest"):
        answer = await do(club, name, act, player=wrong)
        assert answer.has("ev_act_ask"), wrong
        assert (await desk_of(club, key)).sat_out == frozenset()
    done = await do(club, name, act, player=f"@{who}")
    assert words("event_desk.done.sat_out", player=mention(club, who)) in done.text
    assert (await desk_of(club, key)).sat_out == {club.player(who)}
    back = await do(club, name, called(words, "back_in_play"), player=str(club.members[who].id))
    assert words("event_desk.done.brought_back", player=mention(club, who)) in back.text


# irreversible acts


@in_turn("name", *READERS)
async def test_what_cannot_be_undone_is_asked_once_and_done_when_typed_again(club: Club, name: str) -> None:
    words, key = club.words(name), await announced(club, name)
    act = called(words, "cancel")

    async def phase() -> Phase:
        return (await club.bot.services.events.look(key)).event.phase

    assert list((await opened(club, name, act)).values()) == [""]
    assert list((await opened(club, name, act, reason="Rain")).values()) == ["Rain"]
    await club.pass_time(61)
    assert list((await opened(club, name, act, reason="Rain")).values()) == ["Rain"], "a minute later it's asked again"
    await opened(club, name, act, reason="Snow")
    assert await phase() is Phase.REGISTERING
    done = await do(club, name, act, reason="Snow")
    assert words("event.done.cancelled_free", name="Night") in done.text
    assert await phase() is Phase.CANCELLED
    assert words("acts.undo", act="$").split("$")[0] not in done.text


@pytest.mark.parametrize("marks", ["!!", " ！！"])
async def test_two_marks_behind_the_reason_mean_yes(club: Club, marks: str) -> None:
    key = await announced(club, "bob")
    await do(club, "bob", "cancel", reason=f"Rain{marks}")
    view = await club.bot.services.events.look(key)
    assert view.event.phase is Phase.CANCELLED
    assert view.why == "Rain"


@in_turn("name", *READERS)
async def test_an_event_is_started_early_by_typing_it_twice(club: Club, name: str) -> None:
    words, key = club.words(name), await announced(club, name, "bicycle")
    await guests_of(club, key, 2)
    asked = await do(club, name, called(words, "start"))
    assert asked.has("ev_begin"), "the page that asks"
    assert (await desk_of(club, key)).event.phase.before
    done = await do(club, name, called(words, "start"))
    assert words("event.done.started", name="Night") in done.text


# Preparing


@in_turn("name", *READERS)
async def test_an_event_is_prepared_copied_rehearsed_and_asked_about_by_typing(club: Club, name: str) -> None:
    words = club.words(name)
    assert called(words, "create") not in await offered(club, name, called(words, "create"))
    await make_host(club, name)
    assert called(words, "create") in await offered(club, name)
    page = await do(club, name, called(words, "create"), value="in 3 hours" if name == "bob" else "明日 20:00")
    assert page.has("ev_form_publish")
    await club.press(name, page, page.find("ev_form_publish"))
    copied = await do(club, name, called(words, "copy"))
    assert copied.has("ev_form_publish"), "a draft like the event"
    rehearsed = await do(club, name, called(words, "rehearse"), value="4")
    assert "4" in rehearsed.text
    for wrong in ("1", "many", "999999"):
        refused = await do(club, name, called(words, "rehearse"), value=wrong)
        assert refused.text.startswith(words("refused.bad_rehearsed", most="$").split("$")[0]), wrong
    assert list((await opened(club, name, called(words, "poll"))).values()) == ["", ""]
    unread = await do(club, name, called(words, "poll"), value="whenever")
    assert unread.text.startswith(words("refused.bad_poll_time", time="whenever"))
    form = await club.ask(name, unread, unread.find("ev_act_ask"))
    assert form.modal is not None
    times, hours = (part["label"] for part in form.modal["components"] if "label" in part)
    late = await club.send(name, form, {times: "Fri 21:00, Sat 20:00", hours: "soon"})
    assert late.text.startswith(words("refused.bad_poll_hours", most=168))


@in_turn("name", *READERS)
async def test_a_paused_event_counts_down_to_no_hand(club: Club, name: str) -> None:
    words, key = club.words(name), await announced(club, name)
    await guests_of(club, key, 3)
    await club.bot.services.events.start(key, Official(player=club.player(name)), cause="begun")
    await club.bot.services.event_publisher.drawn()
    await club.settle()
    counts = words("event_table.first_hand", when="$").split("$")[0]
    assert counts in club.said()
    said = await do(club, name, called(words, "pause"))
    undo = words("acts.undo", act=called(words, "resume"))
    assert undo in said.text
    assert ("。 " in said.text, f". {undo}" in said.text) == (False, name == "bob"), "sentences of Japanese have no gap"
    for waited in (0, 60):
        await club.pass_time(waited)
        await club.bot.services.event_publisher.drawn()
        await club.settle()
        assert counts not in club.said(), waited
        assert words("event_table.waits.pause") in club.said(), waited
        assert words("event_desk.first_hand") not in (await do(club, name, called(words, "desk"))).text
    await do(club, name, called(words, "resume"))
    await club.pass_time(45)
    assert all(table.line.playing for table in (await desk_of(club, key)).tables)


@in_turn("name", *READERS)
async def test_a_draft_is_published_by_typing_only_as_it_was_last_seen(club: Club, name: str) -> None:
    words = club.words(name)
    await make_host(club, name)
    assert called(words, "publish") in await offered(club, name, called(words, "publish"))
    shown = await do(club, name, called(words, "publish"))
    assert words("event_acts.publish_again") in shown.text, "nobody has read it yet"
    page = await do(club, name, called(words, "create"), value="in 3 hours")
    other = await do(club, name, called(words, "draft"))
    assert page.has("ev_form_publish")
    form = await club.ask(name, other, other.find("ev_form_ask", "start"))
    changed = await club.send(name, form, {words("event_form.field.name"): "Night"})
    assert "Night" in changed.text
    assert await club.bot.services.events.events(guild_of(club)) == []
    published = await do(club, name, called(words, "publish"))
    (event,) = await club.bot.services.events.events(guild_of(club))
    assert published.text == words("event.done.created", name="Night", number=event.key.number)


@in_turn("name", *READERS)
async def test_a_draft_is_filled_in_topic_by_topic_and_deleted_by_typing(club: Club, name: str) -> None:
    words = club.words(name)
    await make_host(club, name)
    await do(club, name, called(words, "create"), value="in 3 hours")
    topics = await offered(club, name, "", "value", do=called(words, "draft"))
    assert words("event_form.sections.start") in topics
    assert words("event_form.sections.people") in topics
    for topic in topics:
        shown = await club.members[name].slash(club.channel, NAME, do=called(words, "draft"), value=topic)
        assert shown.modal is not None or shown.response is not None, topic
    fields = await opened(club, name, called(words, "draft"), value=words("event_form.sections.start"))
    assert words("event_form.field.when") in fields
    unknown = await do(club, name, called(words, "draft"), value="sandwiches")
    assert "sandwiches" in unknown.text
    asked = await do(club, name, called(words, "drop_draft"))
    assert asked.text, "it's asked once"
    gone = await do(club, name, called(words, "drop_draft"))
    assert gone.text == words("event_form.thrown_away")
    assert await club.bot.services.events.draft(guild_of(club), club.player(name)) is None


async def test_a_fee_is_shown_before_an_entry_that_is_typed_twice_takes_it(club: Club) -> None:
    words, key = club.words("bob"), await announced(club, "alice", "bicycle", fee=200)
    guild, events = guild_of(club), club.bot.services.events
    assert words("terms.typed") in (await do(club, "bob", "register")).text
    await events.change(key, Official(player=club.player("alice")), {"fee": (200, 300)}, cause="dearer")
    assert words("terms.typed") in (await do(club, "bob", "register")).text, "another fee is shown again"
    assert await club.play.wallet(guild, club.player("bob")) == 10_000
    await do(club, "bob", "register")
    assert await club.play.wallet(guild, club.player("bob")) == 10_000 - 300


async def test_a_co_organiser_without_any_permission_types_what_organisers_do(club: Club) -> None:
    key, words = await announced(club, "alice"), club.words("bob")
    assert called(words, "desk") not in await offered(club, "bob")
    await do(club, "alice", "Make co-organiser", player=mention(club, "bob"))
    assert called(words, "desk") in await offered(club, "bob")
    assert (
        words("event.done.postponed", name="Night", hour="$").split("$")[0]
        in (await do(club, "bob", called(words, "postpone"), value="30m")).text
    )
    assert (await desk_of(club, key)).event.helpers == (club.player("bob"),)


# Limits


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_act_has_a_name_of_its_own_and_a_sentence_and_what_undoes_it(language: str) -> None:
    words, acts = words_for(language), event_acts(unused_parts())
    keys, names = [act.key for act in acts], [words(act.name) for act in acts]
    assert len(set(keys)) == len(keys)
    assert len(set(map(normalise, names))) == len(names)
    assert all(len(name) <= MAX_NAME_LENGTH for name in names)
    assert all(words.has(act.says) and words.has(act.also) for act in acts)
    assert {act.undo for act in acts} <= {"", *keys}
    for act in ACTS:
        assert act.name in keys or act.name in FROM_THE_LOG, f"{act.name} can't be typed"


async def test_suggestions_stay_within_discords_limits(club: Club) -> None:
    await make_host(club, "bob")
    for number in range(10):
        await night(
            club, "alice" if number % 2 else "bob", f"The long night of many cards, number {number} " + "x" * 20
        )
    for name in ("alice", "bob", "hanako"):
        for typed in ("", "e", "night", "register", "の", "デ"):
            found = await offered(club, name, typed)
            assert len(found) <= (MAX_SUGGESTIONS if typed else MAX_INITIAL_SUGGESTIONS)
            assert len(set(found)) == len(found)
            assert all(0 < len(one) <= MAX_SUGGESTION_LENGTH for one in found)
    assert (await offered(club, "bob"))[-1] == club.words("bob")("acts.everything.row"), "there are more"
    answer = await do(club, "alice", "register")
    assert len(answer.labels()) <= MAX_INITIAL_SUGGESTIONS
    for name, more in (("bob", "Type part of a name"), ("hanako", "入力")):
        cut = await offered(club, name, "night")
        assert len(cut) == MAX_SUGGESTIONS
        assert more in cut[-1]


async def test_suggestions_count_as_private_presses(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    await announced(club, "alice")
    club.bot.services.gate._limiter.rates = Rates(private=Rate(burst=3, a_minute=1))  # noqa: SLF001
    seen = [bool(await offered(club, "bob")) for _ in range(6)]
    assert seen.count(True) == 3, "who types faster than anybody can is suggested nothing for a while"
    assert seen[-1] is False
    assert (await do(club, "bob", "show")).text, "what is typed is still answered"


RUBBISH = (
    "\u200b",
    "```",
    "<@1>",
    "<@99999999999999999999>",
    "·",
    " · ",
    "{name}",
    "😀" * 40,
    "0",
    "-1-1",
    "@everyone",
    "ﾃﾞｽｸ",
)


@pytest.mark.parametrize("name", ["alice", "hanako"])
async def test_rubbish_is_answered_and_changes_nothing(club: Club, name: str) -> None:
    await running(club, "alice", guests=2)
    before = await club.facts()
    for text in RUBBISH:
        await offered(club, name, text)
        for option in ("player", "table", "value"):
            await offered(club, name, text[:100], option, do="Penalty")
        assert (await do(club, name, text, player=text, table=text, value=text, reason=text)).text
    for act in ("Penalty", "Move a player", "Adjust chips", "Undo an action"):
        for text in RUBBISH:
            shown = await club.members["alice"].slash(
                club.channel, NAME, do=act, player=text, table=text, value=text, reason="!!"
            )
            assert shown.acknowledged
    assert await club.facts() == before


async def test_forged_presses_are_answered_and_change_nothing(club: Club) -> None:
    key, _ = await running(club, "alice", guests=2)
    shown, event = await do(club, "bob", ""), (await desk_of(club, key)).event
    before = await club.facts()
    for verb in ("ev_act", "ev_act_ask", "ev_act_yes"):
        for act in ("", "nothing", "cancel", "pause", "out", "start", "take_back", "all"):
            for place in (f"{key.number}.{event.tag}", f"{key.number}.000000", "0", "99"):
                press = await forge(club, "bob", shown, f"c1:{verb}:{place}:0:0:::{act}")
                assert press.acknowledged
    for written in ([], ["x"], ["x", "y", "z", "w"]):
        for act in ("penalty", "cancel", "nothing"):
            form = forged_form(club, "bob", shown, f"m1:ev_act_form:{key.number}.{event.tag}:0:0:::{act}", written)
            await deliver(form)
            assert form.acknowledged
    assert await club.facts() == before


async def test_it_is_for_servers_alone(club: Club) -> None:
    command = forged_command(club, "bob", NAME, guild=False, given=[{"name": "do", "type": 3, "value": "list"}])
    await deliver(command)
    assert command.said == club.words("bob")("gate.only_in_servers")


@pytest.mark.parametrize("name", READERS)
async def test_what_is_refused_shows_names_and_keeps_what_was_chosen(club: Club, name: str) -> None:
    words, (key, people) = club.words(name), await running(club, name)
    who = club.members[people[0]]
    refused = await do(club, name, called(words, "penalty"), player=str(who.id), value="99", reason="slow")
    assert words("refused.bad_penalty", most=20) in refused.text
    assert who.mention in refused.text
    assert str(who.id) not in refused.text.replace(who.mention, ""), "no number where a name can be read"
    form = await club.ask(name, refused, refused.find("ev_act_ask"))
    done = await club.send(name, form, {words("event_desk.field.penalty"): "２"})
    assert words("event.done.penalty", player=who.mention, count=2) in done.text
    table = (await desk_of(club, key)).tables[0]
    value = f"{table.id}-{table.line.table.hand_no}"
    refused = await do(club, name, called(words, "end_hand"), table=value, reason="x" * 300)
    hand = words("event_desk.hand", hand=table.line.table.hand_no)
    assert words.facts([words("event.table_name", table=table.number), hand]) in refused.text
    assert value not in refused.text
    form = await club.ask(name, refused, refused.find("ev_act_ask"))
    assert form.modal is not None
    chosen = [part["component"] for part in form.modal["components"] if "options" in part.get("component", {})]
    assert [one["value"] for one in chosen[0]["options"] if one.get("default")] == [value]
    done = await club.send(name, form, {words("event.why.label"): "a mistake"})
    assert words("event_desk.done.hand_ended", table=table.number) in done.text


@pytest.mark.parametrize("name", READERS)
async def test_numbers_that_are_out_of_reach_are_told_their_limits(club: Club, name: str) -> None:
    words, (key, people) = club.words(name), await running(club, name)
    who = club.members[people[0]]
    for act, limits in (
        ("penalty", words("refused.bad_penalty", most=20)),
        ("adjust", words("refused.bad_amount", most="$").split("$")[0]),
    ):
        for typed in ("9" * 20, "-" + "9" * 20, "1.5", "many"):
            refused = await do(club, name, called(words, act), player=str(who.id), value=typed, reason="slow")
            assert limits in refused.text, (act, typed)
            assert typed in refused.text
    assert not (await line(club, key, people[0])).entrant.penalty


@in_turn("name", *READERS)
async def test_suggestions_tell_the_dates_of_a_series_apart(club: Club, name: str) -> None:
    words, events = club.words(name), club.bot.services.events
    by = Official(player=club.player("alice"), manager=True)
    keys = [await night(club, "alice", "Friday", hours=hours) for hours in (3, 27, 51, 24 * 60)]
    await events.cancel(keys[0], by, why="rain", cause="rain")
    for player in ("bob", "hanako"):
        await events.register(keys[1], club.player(player), cause=f"{player} enters")
    await events.start(keys[1], by, cause="starts")
    await club.bot.services.event_publisher.drawn()
    details = [await date_of(club, key, words) for key in keys]
    assert details[1] == words("event_acts.when.running")
    assert len({*details}) == 4
    found = await offered(club, name, called(words, "show"))
    assert {words.facts([called(words, "show"), "Friday", detail]) for detail in details} <= {*found}
    for key, detail in zip(keys, details, strict=True):
        choices = await club.members[name].autocomplete(club.channel, NAME, "do", f"{called(words, 'show')} {detail}")
        chosen = next(one for one in choices if str(one["name"]).endswith(detail))
        shown = await do(club, name, str(chosen["value"]))
        event = (await events.look(key)).event
        assert words("event.number", number=key.number, format=kind_name(event.structure, words)) in shown.text


def test_a_date_has_its_year_unless_it_is_the_present_one() -> None:
    year = 365 * 24 * HOUR
    new_year = 1_798_754_400_000  # 31 December 2026, 22:00 in UTC
    event = replace(EVENT, phase=Phase.REGISTERING, starts_at=new_year)
    english, japanese = words_for("en"), words_for("ja")
    assert when_text(event, english, zone="UTC", now=new_year) == "31 December"
    assert when_text(event, english, zone="UTC", now=new_year - year) == "31 December 2026"
    assert when_text(event, english, zone="Asia/Tokyo", now=new_year) == "1 January"
    over = replace(event, phase=Phase.ENDED, ended_at=new_year)
    assert when_text(over, english, zone="UTC", now=new_year) == "finished 31 December"
    assert when_text(over, japanese, zone="UTC", now=new_year) == "12月31日終了"
    assert when_text(replace(event, starts_at=None), english, zone="UTC", now=new_year) == "open"
