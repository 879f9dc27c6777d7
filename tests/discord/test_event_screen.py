"""The event's message fits into one message in every phase, and says in both languages what there is to say."""

from __future__ import annotations

import ast
import inspect
import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bot.play.event
from bot.chat.event.screens.details import details_screen
from bot.chat.event.screens.lists import (
    COUNTED,
    list_screen,
    log_screen,
    results_screen,
    series_screen,
    standings_screen,
)
from bot.chat.event.screens.notice import notice_pages
from bot.chat.event.screens.screen import event_screen, register_press
from bot.chat.kit.fragments import MAX_TEXT_LENGTH, short_fingerprint, text_length
from bot.chat.kit.widgets import Screen, button
from bot.model.clock import HOUR, Clock, Pace
from bot.model.event_standings import EndedEvent, EventPlacing, SeriesTable
from bot.model.events import (
    Entrant,
    EntrantState,
    Event,
    EventFact,
    EventPosting,
    EventTable,
    Notice,
    Phase,
)
from bot.model.ids import EventKey, GuildId, Player, TableId, TableKey
from bot.model.standings import EventStanding, Season, places
from bot.model.tables import Table, TableState, Terms
from bot.play.event.formats.brackets import ShootoutRound
from bot.play.event.office.views import EventView, StandingsLine, TableLine
from bot.play.event.organisers import organiser
from bot.play.event.trials.forecast import Forecast
from bot.pure.event.bracket import Stage
from bot.pure.event.limits import MAX_COUNTED_EVENTS
from bot.pure.event.scoring import BY_PLACE, Scoring, SeriesRule, series_points
from bot.pure.event.structure import PRESETS, Format, NoShow
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import PRESETS as GAMES
from bot.pure.ofc.settlement import WinCap
from bot.text.event_structure import kind_name, place_name
from bot.text.languages import LANGUAGES
from bot.text.words import Words, words_for

MAX_COMPONENTS = 40
NOW = 1_800_000_000_000
GUILD = GuildId(1096000000000000001)
ENGLISH = words_for("en")
REASONS = ["organiser", "too_few", "nobody_played", "all_disqualified", "channel_gone", "guild_gone"]
"""Reasons for calling an event off."""


def player(number: int) -> Player:
    return Player(str(1096000000000000000 + number))


def entrant(number: int, state: EntrantState = EntrantState.REGISTERED, **changes: Any) -> Entrant:
    """Return an entrant, by default one who is registered."""
    changes = {"hands": int(state in (EntrantState.PLAYING, EntrantState.OUT)), **changes}
    return Entrant(player=player(number), state=state, registered_at=NOW, cause=str(number), number=number, **changes)


def event_of(preset: str = "chaipo", phase: Phase = Phase.REGISTERING, **changes: Any) -> Event:
    structure = changes.pop("structure", PRESETS[preset])
    return Event(
        key=EventKey(guild=GUILD, number=7),
        name="Friday Night",
        organiser=player(999),
        channel=5,
        language="en",
        variant=GAMES["pineapple"],
        structure=structure,
        clock=Clock(pace=Pace.LIVE, seconds=120),
        phase=phase,
        starts_at=None if structure.format is Format.SIT_AND_GO else NOW,
        created_at=NOW - 86_400_000,
        commitment=bytes(32),
        sealed_seed=b"",
        **changes,
    )


def table_line(number: int, players: Sequence[Player]) -> TableLine:
    table = Table(
        key=TableKey(guild=GUILD, table=TableId(number)),
        channel=1096000000000900000 + number,
        host=players[0],
        language="en",
        terms=Terms(
            variant=GAMES["pineapple"], point_value=50, buy_in=0, max_seats=3, clock=Clock(pace=Pace.LIVE, seconds=120)
        ),
        state=TableState.PLAYING,
        hand_no=1,
        button=0,
        turn_since=None,
        commitment=b"",
        sealed_seed=b"",
        version=1,
        drawn_version=0,
        message=None,
        retired=None,
        call=None,
        created_at=NOW,
        event_no=7,
    )
    return TableLine(info=EventTable(table=TableId(number)), table=table, players=tuple(players))


def view_of(event: Event, people: Sequence[Entrant], **changes: Any) -> EventView:
    """Return a view in which all active players have 10,000 chips at tables of three."""
    seats = event.structure.table_seats
    chips = event.phase is Phase.RUNNING and event.structure.rounds == 0
    lines = tuple(
        StandingsLine(
            place=place,
            entrant=one,
            chips=10_000 if chips and one.playing else 0,
            table=TableId(place // seats + 1) if one.playing else None,
            channel=1096000000000900000 + place // seats if one.playing else None,
        )
        for place, one in enumerate(people, start=1)
    )
    playing = [one.player for one in people if one.playing]
    tables = [table_line(at // seats + 1, playing[at : at + seats]) for at in range(0, len(playing), seats)]
    usual: dict[str, Any] = {"pool": 0, "prizes": (), "registration_open": event.phase.before, "reentry_open": False}
    return EventView(event=event, lines=lines, tables=tuple(tables), **{**usual, **changes})


def text_of(view: Screen) -> str:
    return "\n".join(part["content"] for part in view.walk() if "content" in part)


def labels_of(view: Screen) -> list[str]:
    return [str(part["label"]) for part in view.walk() if "label" in part]


def details(view: EventView, words: Words, you: Player | None = None) -> Screen:
    """Return the details as seen by a viewer who isn't in the event."""
    return details_screen(view, words, you or player(500))


def assert_fits(view: Screen) -> None:
    assert text_length(view) <= MAX_TEXT_LENGTH
    assert len(list(view.walk())) <= MAX_COMPONENTS


# every phase


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("phase", Phase)
def test_512_people_fit_into_one_message(phase: Phase, preset: str, language: str) -> None:
    state = (
        EntrantState.PLAYING if phase is Phase.RUNNING else EntrantState.OUT if phase.over else EntrantState.CHECKED_IN
    )
    structure = replace(PRESETS[preset], fee=1_000_000, titles=("*" * 40,) * 10, roles=(GUILD,) * 3, most=512)
    event = event_of(
        phase=phase,
        structure=structure,
        series="_" * 40,
        helpers=tuple(player(1000 + n) for n in range(10)),
        round=2,
        round_began_at=NOW,
        paused=True,
        hand_for_hand=True,
        final_table=True,
        break_until=NOW,
        level_ends_at=NOW,
        reason="organiser",
        seed=bytes(32) if phase in (Phase.RUNNING, Phase.ENDED) else None,
    )
    people = [entrant(n, state, score=-1000 * n, prize=1_000_000, hands=60) for n in range(1, 513)]
    view = view_of(event, people, pool=512_000_000, prizes=(1_000_000,) * 30, reentry_open=True)
    words = words_for(language)
    assert_fits(event_screen(view, words))
    assert_fits(details_screen(view, words, player(300), organises=True))
    assert_fits(standings_screen(view, words, player(300)))
    assert_fits(results_screen(view, words))


@given(st.integers(0, 60), st.integers(0, 60), st.sampled_from(sorted(PRESETS)), st.sampled_from(sorted(LANGUAGES)))
def test_any_number_of_people_fits(playing: int, out: int, preset: str, language: str) -> None:
    people = [entrant(n, EntrantState.PLAYING) for n in range(1, playing + 1)]
    people += [entrant(playing + n, EntrantState.OUT) for n in range(1, out + 1)]
    view = view_of(event_of(preset, Phase.RUNNING), people)
    assert_fits(event_screen(view, words_for(language)))
    assert_fits(details(view, words_for(language)))
    assert_fits(standings_screen(view, words_for(language), player(1)))


def test_those_who_are_not_named_are_counted() -> None:
    view = view_of(event_of(), [entrant(n) for n in range(1, 101)])
    assert ENGLISH("event.more_people", count=60) in text_of(details(view, ENGLISH))
    assert "All players" in labels_of(details(view, ENGLISH))
    assert ENGLISH("event.more_people", count=88) in text_of(event_screen(view, ENGLISH))
    every = text_of(standings_screen(view, ENGLISH, player(500)))
    assert all(f"<@{player(n)}>" in every for n in range(1, 101))


# before the start


def test_registration_is_open_in_its_own_words() -> None:
    shown = details(view_of(event_of(), []), ENGLISH)
    assert ENGLISH("event.registered_none", press="Register") in text_of(shown)
    assert f"<t:{NOW // 1000}:F>" in text_of(shown)
    assert f"<t:{NOW // 1000 - 900}:R>" in text_of(shown), "check-in opens a quarter of an hour before"
    assert ENGLISH("event.commitment", commitment="`aaaaaaaa`") in text_of(shown)
    assert labels_of(shown) == ["Register", "Calendar", "Fairness"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_message_of_an_event_has_five_lines_and_two_controls(language: str) -> None:
    words = words_for(language)
    shown = event_screen(view_of(event_of(), [entrant(1), entrant(2)]), words)
    lines = text_of(shown).splitlines()
    assert len(lines) == 5
    assert lines[0] == "## Friday Night"
    assert f"<t:{NOW // 1000}:F>" in lines[1]
    assert words("event.brief.check_in", at=f"<t:{NOW // 1000 - 900}:t>") in lines[1]
    assert words("event.brief.stack", chips="10,000") in lines[2]
    named = words("event.between").join([f"<@{player(1)}>", f"<@{player(2)}>"])
    assert words("event.brief.registered", count=2, most=128, players=named) in lines[3]
    assert words("event.brief.locked") in lines[4]
    assert labels_of(shown) == [words("event.button.register"), words("event.button.details")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_member_agrees_to_stands_in_the_message(language: str) -> None:
    words = words_for(language)
    usual = PRESETS["bicycle"]
    costly = replace(usual, fee=500, bounty=100, reentries=2, win_cap=WinCap.NONE)
    agreed = [
        words("event.brief.fee", chips="500"),
        words("event.brief.bounty", chips="100"),
        words("event.brief.reentries_paid", count=2, chips="500"),
        words("event.brief.win_cap.none"),
    ]
    text = text_of(event_screen(view_of(event_of(structure=costly), []), words))
    assert all(one in text.splitlines()[3] for one in agreed)
    text = text_of(event_screen(view_of(event_of(structure=usual), []), words))
    assert not any(one in text for one in agreed)
    assert words("event.brief.free") in text
    grows = replace(costly, bounty_grows=True, win_cap=WinCap.PER_OPPONENT)
    text = text_of(event_screen(view_of(event_of(structure=grows), [], pool=1000), words))
    assert words("event.brief.bounty_grows", chips="100") in text
    assert words("event.brief.win_cap.opponent") in text
    assert words("event.brief.pool_so_far", chips="1,000") in text


def test_an_unusual_clock_a_series_and_the_beginning_of_the_description_stand_in_the_message() -> None:
    slow = event_of(series="Fridays", description="We play for *a cup*.\nBring cards.")
    lines = text_of(event_screen(view_of(slow, []), ENGLISH)).splitlines()
    assert "Live: 2 minutes per player" in lines[2]
    assert lines[4] == "We play for \\*a cup\\*. …"
    assert ENGLISH("event.series", series="Fridays") in lines[5]
    usual = replace(event_of(), clock=Clock(pace=Pace.PER_TURN, seconds=60))
    assert "per turn" not in text_of(event_screen(view_of(usual, []), ENGLISH))


@pytest.mark.parametrize("preset", PRESETS)
def test_every_kind_says_in_its_message_what_is_played_and_when_it_ends(preset: str) -> None:
    event = event_of(preset)
    lasts = Forecast(people=3, low=HOUR // 2, middle=HOUR, high=2 * HOUR)
    line = text_of(event_screen(view_of(event, []), ENGLISH, lasts=lasts)).splitlines()[2]
    assert kind_name(event.structure, ENGLISH) in line
    timed = ENGLISH("event.ends_at", at=f"<t:{(NOW + HOUR) // 1000}:t>")
    assert (timed if event.starts_at else ENGLISH("event.brief.lasts", time="1 hour")) in line


@pytest.mark.parametrize("language", LANGUAGES)
def test_details_offer_their_reader_what_they_can_do(language: str) -> None:
    words = words_for(language)
    people = [entrant(1), entrant(2, EntrantState.CHECKED_IN)]

    def offered(phase: Phase, you: int, *, organises: bool = False) -> list[str]:
        state = {Phase.RUNNING: EntrantState.PLAYING, Phase.ENDED: EntrantState.OUT}.get(phase)
        there = people if state is None else [replace(one, state=state) for one in people]
        view = view_of(event_of(phase=phase, started_at=NOW if state else None), there)
        return labels_of(details_screen(view, words, player(you), organises=organises))

    def labels(*keys: str) -> list[str]:
        return [words("fairness.open" if key == "fairness" else f"event.button.{key}") for key in keys]

    assert offered(Phase.REGISTERING, 500) == labels("register", "calendar", "fairness")
    assert offered(Phase.REGISTERING, 1) == labels("withdraw", "calendar", "log", "fairness")
    assert offered(Phase.CHECK_IN, 1) == labels("check_in", "withdraw", "calendar", "log", "fairness")
    assert offered(Phase.CHECK_IN, 2) == labels("withdraw", "calendar", "log", "fairness")
    assert offered(Phase.RUNNING, 500) == labels("standings", "fairness")
    assert offered(Phase.RUNNING, 500, organises=True) == labels("standings", "log", "fairness", "desk")
    assert offered(Phase.ENDED, 1) == labels("results", "log", "fairness")


@pytest.mark.parametrize(
    ("language", "before", "late"),
    [
        ("en", "Register for 500 chips", "Register or re-enter for 500 chips"),
        ("ja", "参加登録（500チップ）", "途中参加・再エントリー（500チップ）"),
    ],
)
def test_the_button_that_registers_says_what_it_costs(language: str, before: str, late: str) -> None:
    words = words_for(language)
    event = event_of(structure=replace(PRESETS["chaipo"], fee=500, late_levels=3, reentries=1))
    shown = event_screen(view_of(event, []), words)
    (registers,) = [part for part in shown.walk() if part.get("label") == before]
    assert registers["custom_id"] == button(register_press(event), before)["custom_id"]
    assert words("event.registered_none", press=before) in text_of(details(view_of(event, []), words))
    running = replace(event, phase=Phase.RUNNING, started_at=NOW)
    view = view_of(running, [entrant(1), entrant(2)], registration_open=True, reentry_open=True)
    assert late in labels_of(event_screen(view, words))


@pytest.mark.parametrize("no_show", NoShow)
def test_check_in_says_what_becomes_of_who_does_not_come(no_show: NoShow) -> None:
    event = event_of(phase=Phase.CHECK_IN, structure=replace(PRESETS["chaipo"], no_show=no_show))
    shown = details(view_of(event, [entrant(1, EntrantState.CHECKED_IN), entrant(2)]), ENGLISH)
    sentence = "event.check_in_open_blind" if no_show is NoShow.BLIND else "event.check_in_open"
    assert ENGLISH(sentence) in text_of(shown)
    assert ENGLISH("event.came", count=1) in text_of(shown)
    assert f"✅ <@{player(1)}>, <@{player(2)}>" in text_of(shown)
    message = event_screen(view_of(event, [entrant(1, EntrantState.CHECKED_IN), entrant(2)]), ENGLISH)
    assert ENGLISH("event.brief.check_in_open") in text_of(message)
    assert ENGLISH("event.brief.came", count=1, all=2) in text_of(message)
    assert labels_of(message) == ["Register", "Check in", "Details"]


@pytest.mark.parametrize(
    ("phase", "changes", "offered"),
    [
        (Phase.REGISTERING, {}, True),
        (Phase.CHECK_IN, {}, True),
        (Phase.RUNNING, {"started_at": NOW}, False),
        (Phase.ENDED, {"started_at": NOW}, False),
        (Phase.CANCELLED, {}, True),
        (Phase.CANCELLED, {"started_at": NOW}, False),
    ],
)
def test_a_date_that_is_still_to_come_or_was_called_off_goes_into_calendars(
    phase: Phase, changes: dict[str, Any], *, offered: bool
) -> None:
    event = event_of(phase=phase, **changes)
    labels = labels_of(details(view_of(event, [entrant(1), entrant(2)]), ENGLISH))
    assert (ENGLISH("event.button.calendar") in labels) is offered


def test_a_sit_and_go_waits_for_people_and_not_for_an_hour() -> None:
    text = text_of(details(view_of(event_of("sit_and_go"), [entrant(1)]), ENGLISH))
    assert ENGLISH("event.when_full") in text
    assert "<t:" not in text
    assert ENGLISH("event.registered", count=1, most=3) in text
    message = text_of(event_screen(view_of(event_of("sit_and_go"), [entrant(1)]), ENGLISH))
    assert ENGLISH("event.brief.when_full") in message
    assert "<t:" not in message


# while it is played


def test_level_people_and_tables_are_shown_while_it_runs() -> None:
    event = event_of(phase=Phase.RUNNING, level=2, level_ends_at=NOW, started_at=NOW)
    people = [*(entrant(n, EntrantState.PLAYING) for n in (1, 2, 3)), entrant(4, EntrantState.OUT, entries=2)]
    shown = details(view_of(event, people), ENGLISH)
    text = text_of(shown)
    assert ENGLISH("event.level", level=3, value="200") in text
    assert ENGLISH("event.level_next_at", value="400", when=f"<t:{NOW // 1000}:R>") in text
    assert ENGLISH("event.left", left=3, entries=5) in text
    assert ENGLISH("event.average", chips="10,000") in text
    assert "<#1096000000000900001>" in text
    assert f"`4` <@{player(4)}> · out" in text
    message = event_screen(view_of(event, people), ENGLISH, ends_at=NOW)
    lines = text_of(message).splitlines()
    assert lines[1].startswith(ENGLISH("event.level", level=3, value="200"))
    assert lines[2] == ENGLISH.facts(
        [
            ENGLISH("event.left", left=3, entries=5),
            ENGLISH("event.average", chips="10,000"),
            ENGLISH("event.ends_at", at=f"<t:{NOW // 1000}:t>"),
        ]
    )
    assert len(lines) == 4, "and its table"
    assert labels_of(message) == ["Standings", "Details"]


def test_the_message_of_a_running_event_names_eight_tables_and_counts_the_rest() -> None:
    people = [entrant(n, EntrantState.PLAYING) for n in range(1, 40)]
    lines = text_of(event_screen(view_of(event_of(phase=Phase.RUNNING), people), ENGLISH)).splitlines()
    assert len([line for line in lines if line.startswith("<#")]) == 8
    assert lines[-1] == ENGLISH("event.more_tables", count=5)


@pytest.mark.parametrize(("phase", "said"), [(Phase.RUNNING, "event.seed_later"), (Phase.ENDED, "event.seed")])
def test_the_record_of_the_draw_is_promised_for_the_end_and_offered_then(phase: Phase, said: str) -> None:
    text = text_of(details(view_of(event_of(phase=phase, started_at=NOW, seed=bytes(32)), []), ENGLISH))
    line = ENGLISH(said, commitment=short_fingerprint(bytes(32)), number=7)
    assert line in text
    assert text.count("/event do:Results") == 1


def test_whoever_is_out_is_invited_again_while_he_may_come_back() -> None:
    event = event_of("bicycle", Phase.RUNNING)
    people = [entrant(1, EntrantState.PLAYING), entrant(2, EntrantState.PLAYING), entrant(3, EntrantState.OUT)]
    view = view_of(event, people, registration_open=True, reentry_open=True)
    assert labels_of(event_screen(view, ENGLISH)) == ["Register or re-enter", "Standings", "Details"]
    assert ENGLISH("event.brief.late", level=4) in text_of(event_screen(view, ENGLISH))
    assert ENGLISH("event.late_open", level=4) in text_of(details(view, ENGLISH))
    assert "Register or re-enter" in labels_of(details(view, ENGLISH, player(3)))
    assert "Register or re-enter" not in labels_of(details(view, ENGLISH, player(1)))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"paused": True}, ENGLISH("event.paused")),
        ({"break_until": NOW}, ENGLISH("event.break", until=f"<t:{NOW // 1000}:R>")),
        ({"hand_for_hand": True}, ENGLISH("event.hand_for_hand", paid=2)),
        ({"final_table": True}, ENGLISH("event.final_table")),
    ],
)
def test_what_holds_everybody_up_is_told(changes: dict[str, Any], sentence: str) -> None:
    people = [entrant(n, EntrantState.PLAYING) for n in (1, 2, 3)]
    usual, held = event_of(phase=Phase.RUNNING), event_of(phase=Phase.RUNNING, **changes)
    for shown in (event_screen, details):
        assert sentence not in text_of(shown(view_of(usual, people, pool=10, prizes=(7, 3)), ENGLISH))
        assert sentence in text_of(shown(view_of(held, people, pool=10, prizes=(7, 3)), ENGLISH))


def test_where_all_tables_share_the_channel_they_are_named_by_number() -> None:
    people = [entrant(n, EntrantState.PLAYING) for n in range(1, 7)]
    view = view_of(replace(event_of(phase=Phase.RUNNING), channel=5), people)
    here = replace(
        view,
        lines=tuple(replace(line, channel=5) for line in view.lines),
        tables=tuple(replace(line, table=replace(line.table, channel=5)) for line in view.tables),
    )
    text = text_of(details(here, ENGLISH))
    assert f"`1` <@{player(1)}> 10,000 · Table 1" in text
    assert f"Table 2 · <@{player(4)}>" in text
    assert "<#5>" not in text
    assert "Your table: Table 1" in text_of(standings_screen(here, ENGLISH, player(1)))


def test_a_bracket_shows_its_matches() -> None:
    people = [entrant(n, EntrantState.PLAYING) for n in (1, 2, 3, 4)]
    shown = event_screen(view_of(event_of("heads_up", Phase.RUNNING, round=1), people), ENGLISH)
    assert labels_of(shown) == ["Bracket", "Details"]
    text = text_of(shown)
    for first, second in ((1, 2), (3, 4)):
        assert f"<@{player(first)}> – <@{player(second)}> · <#" in text


def test_matches_of_several_stages_say_theirs() -> None:
    people = [entrant(n, EntrantState.PLAYING) for n in (1, 2, 3, 4)]
    view = view_of(event_of("heads_up", Phase.RUNNING, round=3), people)
    stages = [(Stage.WINNERS, 2), (Stage.LOSERS, 1)]
    tables = tuple(replace(table, stage=stage) for table, stage in zip(view.tables, stages, strict=True))
    text = text_of(event_screen(replace(view, tables=tables), ENGLISH))
    assert "**Winners' bracket, round 2** · **Losers' bracket, round 1**" in text
    assert [line.split(" · ")[-1] for line in text.splitlines() if " – <@" in line] == [
        "Winners' bracket, round 2",
        "Losers' bracket, round 1",
    ]
    final = tuple(replace(table, stage=(Stage.FINAL, 0)) for table in view.tables[:1])
    text = text_of(event_screen(replace(view, tables=final), ENGLISH))
    assert "**Final**" in text
    assert "Round" not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_everybody_reads_their_state_in_the_words_of_the_format(language: str) -> None:
    words = words_for(language)

    def told(preset: str, **changes: Any) -> str:
        people = [entrant(n, EntrantState.PLAYING, score=2, hands=1) for n in (1, 2)]
        people.append(entrant(3, EntrantState.OUT, score=1, hands=1))
        view = view_of(event_of(preset, Phase.RUNNING, round=1), people)
        lines = list(view.lines)
        lines[1] = replace(lines[1], chips=0, table=None, channel=None, **changes)
        text = text_of(standings_screen(replace(view, lines=tuple(lines)), words, player(500)))
        return text.split(words("event.standings"))[1].split(words("event.you"))[0]

    tables = (TableId(4),)
    lost = {"coming": {"of": [player(8), player(9)], "loses": False}, "beaten": True}
    bracket = told("heads_up", waits_for=tables, **lost)
    assert f"{words('event.state.one_life')} · {words('event.state.waits_winner', table=4)}" in bracket
    assert words("event.state.waits_loser", table=4) in told(
        "heads_up", waits_for=tables, coming={"of": [player(8), player(9)], "loses": True}
    )
    known = words("structure.next_match.known", opponent=f"<@{player(9)}>")
    assert known in told("heads_up", coming={"opponent": player(9)})
    assert words("event.state.through_waits", round=3, tables="4", count=1) in told("shootout", waits_for=tables)
    assert words("event.state.through", round=3) in told("shootout")
    assert words("event.state.out_in", round=2) in told("shootout")
    assert words("event.state.no_seat") in told("chaipo")
    assert words("event.state.bye") in told("league", bye=True)
    assert words("event.state.round_done") in told("league")
    assert words("event.state.out") in told("league")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_standings_of_a_round_that_stands_still_name_whom_it_waits_for(language: str) -> None:
    words = words_for(language)
    view = view_of(event_of("league", Phase.RUNNING, round=1), [entrant(n, EntrantState.PLAYING) for n in range(1, 7)])
    waits = replace(view, tables=(view.tables[0], replace(view.tables[1], acting=(player(5),))))
    named = words("event.to_act", table=2, players=f"<@{player(5)}>")
    assert named in text_of(standings_screen(waits, words, player(1)))
    assert named not in text_of(standings_screen(view, words, player(1)))
    assert named not in text_of(event_screen(waits, words)), "it would stand there when it is no longer true"


@pytest.mark.parametrize(("language", "first", "tied"), [("en", "1", "2="), ("ja", "1位", "2位タイ")])
def test_those_who_stand_equal_share_their_rank(language: str, first: str, tied: str) -> None:
    words = words_for(language)
    people = [entrant(n, EntrantState.PLAYING, score=5 - n // 2, hands=1) for n in (1, 2, 3)]
    view = view_of(event_of("league", Phase.RUNNING, round=1), people)
    lines = (view.lines[0], *(replace(line, place=2, tied=True) for line in view.lines[1:]))
    text = text_of(details(replace(view, lines=lines), words))
    assert text.count(f"`{tied}`") == 2
    assert f"`{first}`" in text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("preset", ["chaipo", "heads_up", "shootout", "league", "duplicate"])
def test_before_the_first_hand_has_ended_nobody_has_a_rank(preset: str, language: str) -> None:
    words = words_for(language)
    played = [entrant(n, EntrantState.PLAYING) for n in (1, 2, 3, 4)]
    dealt = view_of(event_of(preset, Phase.RUNNING, round=1), played)
    undealt = view_of(event_of(preset, Phase.RUNNING, round=1), [replace(one, hands=0) for one in played])
    rank = f"`{words('event.rank', place=1)}`"
    for shown in (details, lambda view, words: standings_screen(view, words, player(1))):
        assert rank in text_of(shown(dealt, words))
        assert rank not in text_of(shown(undealt, words))
        assert text_of(shown(undealt, words)).count(f"<@{player(1)}>") == 1
    standing = text_of(standings_screen(dealt, words, player(1)))
    assert words("event.no_hand_over") in text_of(standings_screen(undealt, words, player(1)))
    assert words("event.no_hand_over") not in standing
    assert words("event.players_title") in text_of(standings_screen(undealt, words, player(1)))


def test_a_league_counts_points_and_a_duplicate_event_comparisons() -> None:
    people = [entrant(n, EntrantState.PLAYING, score=30 - 20 * n, hands=6) for n in (1, 2, 3, 4, 5, 6)]
    league = text_of(details(view_of(event_of("league", Phase.RUNNING, round=2), people), ENGLISH))
    assert ENGLISH("event.round", round=2, rounds=5) in league
    assert f"`1` <@{player(1)}> +10 points" in league
    duplicate = text_of(details(view_of(event_of("duplicate", Phase.RUNNING, round=1), people), ENGLISH))
    assert f"`1` <@{player(1)}> +1.7 points per comparison" in duplicate
    assert f"`2` <@{player(2)}> −1.7 points per comparison" in duplicate


def test_results_lead_to_their_proof_from_elsewhere_alone() -> None:
    event = replace(event_of("league", Phase.ENDED), seed=b"s" * 32)
    view = view_of(event, [entrant(n, EntrantState.PLAYING, place=n) for n in (1, 2, 3)])
    assert "/event do:Results" in text_of(details(view, ENGLISH))
    assert "/event do:Results" not in text_of(results_screen(view, ENGLISH))


def test_the_podium_says_how_many_points_decided() -> None:
    people = [entrant(n, EntrantState.PLAYING, score=11 - 10 * n, hands=6, place=n) for n in (1, 2, 3)]
    text = text_of(event_screen(view_of(event_of("league", Phase.ENDED), people), ENGLISH))
    assert f"🥇 <@{player(1)}> · +1 point\n🥈 <@{player(2)}> · −9 points" in text
    compared = text_of(event_screen(view_of(event_of("duplicate", Phase.ENDED), people), ENGLISH))
    assert f"🥇 <@{player(1)}> · 0 points per comparison" in compared


def test_nobody_goes_out_in_a_league_so_nobody_is_counted_as_left() -> None:
    people = [entrant(n, EntrantState.PLAYING) for n in (1, 2, 3)]
    text = text_of(details(view_of(event_of("league", Phase.RUNNING, round=1), people), ENGLISH))
    assert "\n3 players\n" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_before_the_start_the_standings_list_who_has_registered(language: str) -> None:
    words = words_for(language)
    people = [entrant(1, EntrantState.CHECKED_IN), entrant(2)]
    text = text_of(standings_screen(view_of(event_of(phase=Phase.CHECK_IN), people), words, player(2)))
    assert words("event.registered", count=2, most=128) in text
    assert f"✅ <@{player(1)}>" in text
    assert words("event.state.out") not in text
    assert words("event.you_registered") in text


def test_what_a_house_has_changed_stands_in_the_list() -> None:
    house = house_variant("pineapple", {"fantasyland": "off"})
    text = text_of(details(view_of(replace(event_of(), variant=house), []), ENGLISH))
    assert f"{ENGLISH('structure.how.tournament')}\n- **Fantasyland**: off\n- " in text


def test_everybody_sees_their_own_line_and_its_neighbours_where_the_list_does_not_show_it() -> None:
    people = [entrant(n, EntrantState.PLAYING, penalty=2 if n == 50 else 0) for n in range(1, 101)]
    text = text_of(standings_screen(view_of(event_of(phase=Phase.RUNNING), people), ENGLISH, player(50)))
    own = text.split(ENGLISH("event.you"))[1]
    assert [n for n in range(1, 101) if f"<@{player(n)}>" in own] == [48, 49, 50, 51, 52]
    assert ENGLISH("event.you_penalty", count=2) in own
    near = text_of(standings_screen(view_of(event_of(phase=Phase.RUNNING), people), ENGLISH, player(16)))
    assert [near.count(f"<@{player(n)}>") for n in (14, 15, 16, 17)] == [1, 1, 1, 1]
    first = text_of(standings_screen(view_of(event_of(phase=Phase.RUNNING), people), ENGLISH, player(2)))
    assert first.count(f"<@{player(2)}>") == 1
    stranger = text_of(standings_screen(view_of(event_of(phase=Phase.RUNNING), people), ENGLISH, player(500)))
    assert ENGLISH("event.you_not_in") in stranger


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_shoot_out_shows_its_tables_with_their_winners_and_the_next_draw_and_no_points(language: str) -> None:
    words = words_for(language)
    people = [entrant(n, EntrantState.PLAYING, score=int(n < 3)) for n in (1, 2, 3, 4)]
    people += [entrant(n, EntrantState.OUT) for n in (5, 6)]
    one, two, three, four, five, six, seven = map(player, range(1, 8))
    rung = ShootoutRound(
        round=1, tables=((TableId(1), (one, five, six), one), (TableId(2), (three, four), None)), byes=(two,)
    )
    view = view_of(event_of("shootout", Phase.RUNNING, round=1), people, ladder=(rung,))
    view = replace(view, tables=(table_line(2, (three, four)),))
    text = text_of(event_screen(view, words))
    name = words("event.table_name", table=1)
    losers = words.list([f"<@{five}>", f"<@{six}>"])
    assert words("event.ladder.won", table=name, player=f"<@{one}>", losers=losers) in text
    playing = words.list([f"<@{three}>", f"<@{four}>"])
    assert words("event.ladder.playing", table=words("event.table_name", table=2), players=playing) in text
    assert words("event.ladder.byes", players=f"<@{two}>") in text
    assert words("event.ladder.next_final", tables="2", players=3, count=1) in text
    waiting = replace(view, lines=tuple(replace(line, chips=0, table=None, channel=None) for line in view.lines))
    assert words("event.state.through_final") in text_of(standings_screen(waiting, words, one))
    final = ShootoutRound(round=2, tables=((TableId(3), (one, two, three), None),), byes=())
    people[1] = entrant(2, EntrantState.OUT, score=1, hands=1)
    played = view_of(event_of("shootout", Phase.RUNNING, round=2), people, ladder=(rung, final))
    table = replace(table_line(3, (one, three)), stage=(Stage.FINAL, 0))
    text = text_of(details(replace(played, tables=(table,)), words))
    assert words("event.state.out_in_final") in text
    assert f"**{words('event.stage.final')}**" in text
    assert text.count(words("event.stage.round", round=2)) == 0
    final = replace(final, tables=((TableId(3), (one, two, three), one),))
    done = replace(view, event=event_of("shootout", Phase.ENDED, round=2), ladder=(rung, final), tables=())
    over = text_of(details(done, words))
    assert over.index(words("event.stage.final")) < over.index(words("event.stage.round", round=1))
    assert words("event.points", points="", count=1).split()[-1] not in over.replace(f"<@{seven}>", "")


def test_one_point_less_is_one_point() -> None:
    people = [entrant(n, EntrantState.PLAYING, score=score, hands=1) for n, score in ((1, 1), (2, -1), (3, -2))]
    text = text_of(details(view_of(event_of("league", Phase.RUNNING, round=1), people), ENGLISH))
    assert [told in text for told in ("+1 point\n", "−1 point\n", "−2 points", "−1 points")] == [
        True,
        True,
        True,
        False,
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_event_says_beforehand_which_seats_computers_may_have(language: str) -> None:
    words = words_for(language)
    made_up = words("structure.computers_unranked")
    seen = set()
    for preset, usual in PRESETS.items():
        # At least one human has to register first.
        may = words("structure.computers", count=min(3, usual.most - 1))
        for changes in (usual, replace(usual, fee=100), replace(usual, titles=("Champion",)), None):
            event = event_of(preset, structure=changes or usual, series="" if changes else "Autumn")
            told = text_of(details(view_of(event, []), words))
            offered = any(organiser.fillable(event, people) for people in range(1, usual.most))
            by_itself = preset == "duplicate"
            assert (may in told, made_up in told) == (offered and not by_itself, by_itself), (preset, changes)
            seen.add((may in told, made_up in told))
    assert seen == {(True, False), (False, False), (False, True)}
    league = replace(event_of("league"), variant=GAMES["thirteen"])
    assert made_up in text_of(details(view_of(league, []), words)), "that game is for four"


# afterwards


def test_the_podium_carries_titles_roles_and_prizes() -> None:
    structure = replace(PRESETS["chaipo"], titles=("Champion",), roles=(77,))
    event = event_of(phase=Phase.ENDED, structure=structure, seed=bytes(32), ended_at=NOW)
    people = [entrant(n, EntrantState.OUT, place=n, prize=p) for n, p in ((1, 600), (2, 400), (3, 0), (4, 0))]
    view = view_of(event, people, pool=1000, prizes=(600, 400))
    text = text_of(event_screen(view, ENGLISH))
    assert f"🥇 <@{player(1)}>, **Champion** · <@&77> · 600 chips" in text
    assert f"🥈 <@{player(2)}> · 400 chips" in text
    assert f"<@{player(4)}>" not in text
    assert labels_of(event_screen(view, ENGLISH)) == ["Results", "Details"]
    text = text_of(details(view, ENGLISH))
    assert f"`4` <@{player(4)}>" in text
    assert ENGLISH("event.seed", commitment="`aaaaaaaa`", number=7) in text


@pytest.mark.parametrize("reason", REASONS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_event_that_was_called_off_says_why(reason: str, language: str) -> None:
    words = words_for(language)
    for fee, title in ((0, "title_free"), (100, "title")):
        structure = replace(PRESETS["chaipo"], fee=fee)
        view = view_of(event_of(phase=Phase.CANCELLED, reason=reason, structure=structure), [])
        shown = event_screen(view, words)
        assert text_of(shown).split("\n")[1] == words(f"event.cancelled.{title}")
    assert words(f"event.cancelled.{reason}") in text_of(shown)
    ways = [words("event.button.calendar"), words("event.button.details")]
    assert labels_of(shown) == ways, "so that it goes from calendars"
    begun = event_of(phase=Phase.CANCELLED, reason=reason, started_at=NOW)
    assert words("event.button.calendar") not in labels_of(details(view_of(begun, []), words))
    given = replace(view_of(event_of(phase=Phase.CANCELLED, reason=reason), []), why="Storm *tonight*")
    for told in (event_screen(given, words), details(given, words), results_screen(given, words)):
        assert words("event_notice.why", why="Storm \\*tonight\\*") in text_of(told)


# lists


def test_events_are_listed_with_how_they_stand() -> None:
    views = [view_of(event_of(phase=phase), [entrant(1)]) for phase in Phase]
    text = text_of(list_screen([*views, view_of(event_of("sit_and_go"), [])] * 10, ENGLISH, ""))
    for state in (
        ENGLISH("event.list.open", when=f"<t:{NOW // 1000}:R>", count=1, most=128),
        ENGLISH("event.list.cancelled"),
        ENGLISH("event.list.filling", count=0, most=3),
    ):
        assert state in text
    assert len(text) <= MAX_TEXT_LENGTH


def test_a_long_list_of_long_names_fits() -> None:
    views = [view_of(replace(event_of(), name="*" * 60, message=GUILD, channel=GUILD), [])] * 40
    assert_fits(list_screen(views, ENGLISH, player(1)))


def table_of(
    lines: Sequence[EventStanding],
    *,
    rule: SeriesRule = BY_PLACE,
    entries: int = 3,
    seasons: Sequence[Season] = (),
    season: Season | None = None,
) -> SeriesTable:
    """The table of a series whose newest event had so many players."""
    people = [
        EventPlacing(player=player(n), entries=1, place=n, prize=0, disqualified=False) for n in range(1, entries + 1)
    ]
    newest = EndedEvent(number=1, structure=PRESETS["chaipo"], people=people)
    return SeriesTable(
        name="Fridays",
        rule=rule,
        lines=lines,
        places=places([line.key for line in lines]),
        takes_part=True,
        newest=newest,
        seasons=seasons,
        season=season,
    )


def test_a_series_ranks_by_points() -> None:
    lines = [
        EventStanding(player=player(n), points=100 - n // 2, events=3, wins=n == 2, places=7) for n in range(1, 50)
    ]
    lines = sorted(lines, key=lambda line: line.key)
    text = text_of(series_screen(table_of(lines), ENGLISH, ""))
    assert f"1 · <@{player(1)}> **100** · 3 events · average place 2.3" in text
    assert f"2 · <@{player(2)}> **99** · 3 events · 1 win" in text
    assert f"3 · <@{player(3)}> **99**" in text
    assert f"4= · <@{player(4)}> **98**" in text
    assert f"4= · <@{player(5)}> **98**" in text
    assert f"<@{player(40)}>" not in text
    assert f"<@{player(40)}>" in text_of(series_screen(table_of(lines), ENGLISH, player(40))), "one's own line"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scoring", Scoring)
def test_the_longest_table_of_a_series_fits(scoring: Scoring, language: str) -> None:
    big = 10**6
    lines = [
        EventStanding(
            player=player(n), points=big, events=big, wins=big, finals=big, titles=big, chips=big, places=big**2
        )
        for n in range(60)
    ]
    seasons = [Season(number=n, name="*" * 40, began_at=NOW, ended_at=NOW) for n in range(1, 21)]
    rule = SeriesRule(scoring, MAX_COUNTED_EVENTS)
    table = table_of(lines, rule=rule, entries=512, seasons=seasons, season=seasons[0])
    shown = series_screen(table, words_for(language), lines[-1].player)
    assert text_length(shown) <= MAX_TEXT_LENGTH
    assert text_of(shown).count("<@") >= 12


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("entries", [2, 3, 9, 40])
def test_a_series_is_scored_as_it_says_wherever_it_says_so(language: str, entries: int) -> None:
    words = words_for(language)
    by_place = [series_points(place, entries) for place in range(1, entries + 1)]
    named = [f"{place_name(place, words)} {points}" for place, points in enumerate(by_place, start=1)]
    numbers = " · ".join(named[:5]) + (f" … {named[-1]}" if entries > 5 else "")
    # The rule that is printed, by hand.
    assert by_place == [
        entries - p + 1 + math.floor(10 * math.sqrt(entries / p) + 1e-9) - 10 for p in range(1, entries + 1)
    ]
    assert numbers in text_of(series_screen(table_of([], entries=entries), words, ""))
    event = event_of("league", phase=Phase.ENDED, series="Fridays")
    view = view_of(event, [entrant(n, EntrantState.PLAYING, place=n) for n in range(1, entries + 1)])
    posting = EventPosting(number=1, key=event.key, notice=Notice.ENDED, details={}, at=NOW)
    assert any(numbers in text_of(page.screen) for page in notice_pages(posting, view, words))


@cache
def noted() -> dict[str, set[str]]:
    """The kinds of lines that the use cases write into an event's log, with the details of each."""
    folder = Path(inspect.getfile(bot.play.event)).parent
    found: dict[str, set[str]] = {}
    for node in (
        node for path in folder.rglob("*.py") for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    ):
        if not isinstance(node, ast.Call):
            continue
        # ``field.note(kind, ...)`` writes a line, and so does ``rule(field, kind, ...)``.
        if isinstance(node.func, ast.Attribute) and node.func.attr == "note":
            kinds = node.args[0]
        elif isinstance(node.func, ast.Name) and node.func.id == "rule":
            kinds = node.args[1]
        else:
            continue
        details = {str(word.arg) for word in node.keywords} - {"actor", "cause"}
        for kind in ast.walk(kinds):
            if isinstance(kind, ast.Constant):
                found[str(kind.value)] = details
    return found


def test_lines_of_organisers_and_of_tables_are_found() -> None:
    assert {"registered", "penalty", "out", "moved"} <= noted().keys()


@pytest.mark.parametrize("kind", sorted(noted()))
def test_everything_that_is_noted_has_words(kind: str) -> None:
    details = {COUNTED.get(name, name) for name in noted()[kind]}
    assert ENGLISH.entries[f"event.log.{kind}"].fields <= details


def test_who_was_out_and_who_was_moved_are_named() -> None:
    told: dict[str, dict[str, Any]] = {
        "out": {"players": [player(1), player(2)]},
        "moved": {"moves": [[player(3), 4, 5]]},
    }
    facts = [EventFact(number=1, kind=kind, details=d, actor=None, at=NOW) for kind, d in told.items()]
    text = text_of(log_screen(event_of(), facts, ENGLISH))
    assert f"out: <@{player(1)}> and <@{player(2)}>" in text
    assert f"moved: <@{player(3)}> to table 5" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_log_is_told_in_words_and_what_has_no_words_by_its_name(language: str) -> None:
    words = words_for(language)
    details = {"player": player(1), "amount": -500, "why": "late", "hands": 2}
    kinds = ("adjusted", "penalty", "moved_by_magic")
    facts = [EventFact(number=n, kind=k, details=details, actor=player(9), at=NOW) for n, k in enumerate(kinds)]
    text = text_of(log_screen(event_of(), facts, words))
    said: tuple[tuple[str, dict[str, str | int]], ...] = (("adjusted", {"amount": "−500"}), ("penalty", {"count": 2}))
    for kind, more in said:
        what = words(f"event.log.{kind}", player=f"<@{player(1)}>", **more)
        assert words("event.log.why", what=what, why="late") in text
    assert "moved_by_magic" in text
    once = replace(facts[1], details={**details, "hands": 1})
    assert "1 hands" not in text_of(log_screen(event_of(), [once], words))
    assert words("event.log.penalty", player=f"<@{player(1)}>", count=1) in text_of(
        log_screen(event_of(), [once], words)
    )
    long = [EventFact(number=n, kind="said", details={"text": "x" * 1500}, actor=None, at=NOW) for n in range(40)]
    assert_fits(log_screen(event_of(), long, words))
