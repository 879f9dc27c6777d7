"""Notices of events: both languages, message limits, and pings of the right players."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from discord import EventStatus

from bot.chat.event.acts.act import ActContext
from bot.chat.event.acts.organisers import ABOUT_A_PLAYER
from bot.chat.event.posts.calendar import CalendarNote, _steps, expected_ms
from bot.chat.event.screens.lists import results_screen, standings_screen
from bot.chat.event.screens.notice import MAX_PINGS, NoticePage, notice_pages
from bot.chat.event.screens.picture import _step, on_podium
from bot.chat.event.screens.round_report import MAX_WIDTH
from bot.chat.event.screens.standings import rank_text
from bot.chat.event.screens.taking_part import registered_text
from bot.chat.event.screens.tools import start_screen
from bot.chat.kit.fragments import MAX_TEXT_LENGTH, text_length
from bot.model.careers import RULES, Badge, BadgeCategory
from bot.model.events import EntrantState, EventPosting, Notice, Phase
from bot.play.event.office.views import EventView
from bot.play.event.organisers.organiser_desk import DeskView
from bot.pure.event.bracket import Stage
from bot.pure.event.structure import PRESETS, Format, NoShow
from bot.text.event_structure import stage_text
from bot.text.languages import LANGUAGES
from bot.text.words import escape_name, words_for
from tests.discord.test_event_screen import (
    ENGLISH,
    REASONS,
    details,
    entrant,
    event_of,
    labels_of,
    player,
    table_line,
    view_of,
)
from tests.discord.test_event_screen import text_of as screen_text

NOW = 1_800_000_000_000
HOUR = 3_600_000
MANY = [player(number) for number in range(1, 513)]
TABLES = [[number + 1, MANY[3 * number : 3 * number + 3]] for number in range(171)]
BYES = [player(number) for number in range(601, 801)]
ROWS = [
    {"player": one, "place": place, "tied": place == 2, "before": 0, "score": 40 - place, "hands": 3}
    | {"rounds": [40 - place], "shares": [500], "share": 500}
    for place, one in enumerate(MANY[:60], start=1)
]
SPOKEN = [notice for notice in Notice if notice not in (Notice.VOUCH, Notice.ROLL_CALL, Notice.SHEET)]
"""Notices whose message is made here. A deck's sheet has its own screen."""
DETAILS: Mapping[Notice, Mapping[str, Any]] = {
    Notice.CHECK_IN: {"starts_at": NOW},
    Notice.SOON: {"starts_at": NOW, "players": MANY},
    Notice.MISSING: {
        "starts_at": NOW,
        "here": 3,
        "registered": 515,
        "need": 4,
        "players": MANY,
        "called_off": True,
        "checks": True,
    },
    Notice.STARTED: {
        "tables": TABLES,
        "byes": BYES,
        "missed": MANY[:100],
        "handicaps": [[one, 1234] for one in MANY[:100]],
    },
    Notice.LEVEL: {"level": 2, "point_value": 100, "next": 200},
    Notice.BREAK: {"until": NOW, "level": 4},
    Notice.RESUMED: {},
    Notice.PAUSED: {},
    Notice.MOVED: {"moves": [[one, None if number % 2 else 3, number + 1] for number, one in enumerate(MANY)]},
    Notice.OUT: {
        "players": [[one, number % 7] for number, one in enumerate(MANY)],
        "left": 1,
        "bounties": [[MANY[0], one, 50, number % 2] for number, one in enumerate(MANY[1:8])],
    },
    Notice.MATCH: {
        "winner": MANY[0],
        "loser": MANY[1],
        "stage": ["winners", 2],
        "out": False,
        "left": 5,
        "next_of_winner": {"opponent": MANY[2]},
        "next_of_loser": {"of": MANY[3:5], "loses": False},
    },
    Notice.HAND_FOR_HAND: {"paid": 9, "left": 10},
    Notice.FINAL_TABLE: {"table": 1, "players": MANY[:8], "moves": [[MANY[0], 2, 1]]},
    Notice.ROUND: {"round": 2, "rounds": 5, "tables": TABLES, "byes": [], "report": {"round": 1, "rows": ROWS}},
    Notice.COMMITTED: {"draw": "0" * 64, "decks": "f" * 64},
    Notice.LEFT: {"players": MANY},
    Notice.SAID: {"text": "x" * 1500, "by": MANY[0]},
    Notice.CALLED: {"what": "seat", "by": MANY[0], "players": MANY},
    Notice.OFFERED: {"players": MANY, "until": NOW, "flight_of": "Night"},
    Notice.CHANGED: {
        "by": MANY[0],
        "plays": True,
        "changes": [
            ["name", "*" * 60, "_" * 60],
            ["starts_at", NOW, NOW + 1],
            ["levels", [1_000_000] * 30, [2_000_000] * 30],
            ["titles", ["*" * 40] * 10, []],
            ["no_show", "drop", "blind"],
            ["roles", [10**18, 0, 10**18], []],
        ],
    },
    Notice.RULING: {
        "what": "adjusted",
        "by": MANY[0],
        "plays": True,
        "player": MANY[1],
        "amount": -10_000_000,
        "why": "*" * 200,
    },
    Notice.ENDED: {
        "badges": [
            [player, badge.value]
            for player in MANY[:8]
            for badge in (
                Badge.EVENT_WON,
                *(badge for badge, rule in RULES.items() if rule.shelf is BadgeCategory.EVENTS),
            )
        ]
    },
    Notice.CANCELLED: {"reason": "too_few"},
}
CALLING = {
    Notice.SOON: MANY,
    Notice.STARTED: BYES,
    Notice.CALLED: MANY,
    Notice.OFFERED: MANY,
    Notice.MOVED: MANY,
    Notice.FINAL_TABLE: MANY[:1],
    Notice.LEFT: [event_of().organiser],
    Notice.MISSING: [event_of().organiser],
    Notice.CANCELLED: [event_of().organiser],
}


def an_event() -> EventView:
    """A large event that has ended, with the longest name that it may have."""
    structure = replace(PRESETS["chaipo"], titles=("The one and only champion of the felt",) * 8)
    event = replace(event_of(phase=Phase.ENDED, structure=structure), name="*" * 60)
    people = [entrant(n, EntrantState.OUT, place=n, prize=1_000_000 if n <= 50 else 0) for n in range(1, 513)]
    return replace(view_of(event, people), tables=tuple(table_line(number, MANY[:3]) for number in range(1, 172)))


def pages_of(notice: Notice, language: str = "en", **more: Any) -> list[NoticePage]:
    view = an_event()
    details = more.pop("details", DETAILS[notice])
    posting = EventPosting(number=1, key=view.event.key, notice=notice, details=details, at=NOW)
    return notice_pages(posting, view, words_for(language), **more)


def text_of(pages: list[NoticePage]) -> str:
    return "\n".join(part["content"] for page in pages for part in page.screen.walk() if "content" in part)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("notice", SPOKEN)
def test_every_notice_of_a_large_event_fits(notice: Notice, language: str) -> None:
    for page in pages_of(notice, language, picture="The podium: A, B and C" if notice is Notice.ENDED else ""):
        assert text_length(page.screen) <= MAX_TEXT_LENGTH
        assert len(list(page.screen.walk())) <= 40
        assert len(page.calls) <= MAX_PINGS


@pytest.mark.parametrize("notice", SPOKEN)
def test_only_those_are_called_whom_it_concerns(notice: Notice) -> None:
    called = [one for page in pages_of(notice) for one in page.calls]
    assert called == CALLING.get(notice, [])


def test_a_final_table_of_an_older_outbox_calls_nobody() -> None:
    (page,) = pages_of(Notice.FINAL_TABLE, details={"table": 1, "players": MANY[:8]})
    assert page.calls == ()
    assert f"<@{MANY[7]}>" in text_of([page])


@pytest.mark.parametrize("notice", CALLING)
def test_who_is_called_by_a_message_is_named_in_it(notice: Notice) -> None:
    for page in pages_of(notice):
        assert all(f"<@{one}>" in text_of([page]) for one in page.calls)


def test_those_interested_are_called_once_though_they_are_registered_too() -> None:
    pages = pages_of(Notice.SOON, details={"starts_at": NOW, "players": MANY[:2]}, interested=[MANY[1], MANY[2]])
    assert [one for page in pages for one in page.calls] == MANY[:3]


def test_a_call_before_the_start_that_calls_nobody_is_not_posted() -> None:
    details = {"starts_at": NOW, "players": [], "count": 9}
    assert pages_of(Notice.SOON, details=details) == []
    (page,) = pages_of(Notice.SOON, details=details, interested=MANY[:1])
    assert page.calls == (MANY[0],)
    assert "9 players so far" in text_of([page])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("notice", [Notice.STARTED, Notice.CANCELLED])
def test_those_who_still_wait_are_told_in_the_same_post(notice: Notice, language: str) -> None:
    details = {**DETAILS[notice], "byes": [], "missed": [], "waited": MANY}
    pages = pages_of(notice, language, details=details)
    organiser = CALLING[notice] if notice is Notice.CANCELLED else []
    assert [one for page in pages for one in page.calls] == [*organiser, *MANY]
    assert all(f"<@{one}>" in text_of([page]) for page in pages for one in page.calls)
    assert all(text_length(page.screen) <= MAX_TEXT_LENGTH for page in pages)


def test_everybody_is_told_where_he_plays() -> None:
    told = text_of(pages_of(Notice.STARTED))
    assert all(f"<@{one}>" in told for one in MANY)
    assert all(f"<#{table_line(number, MANY[:1]).table.channel}>" in told for number in range(1, 172))


def test_a_bracket_names_no_place_for_who_is_out() -> None:
    told = text_of(pages_of(Notice.OUT, details={"players": [[MANY[0], 0], [MANY[1], 5]], "left": 4}))
    assert f"<@{MANY[0]}> and <@{MANY[1]}> (5th)" in told


def test_the_last_one_left_has_won_and_is_not_counted() -> None:
    told = text_of(pages_of(Notice.OUT, details={"players": [[MANY[0], 2]], "left": 1}))
    assert "left" not in told


def test_who_is_out_is_told_how_to_enter_again_while_he_may() -> None:
    def told(
        state: EntrantState = EntrantState.OUT, *, entries: int = 1, reentry_open: bool = True, left: int = 4
    ) -> bool:
        event = event_of(phase=Phase.RUNNING, structure=PRESETS["bicycle"])
        view = view_of(event, [entrant(1, state, entries=entries)], reentry_open=reentry_open)
        details = {"players": [[MANY[0], 5]], "left": left}
        posting = EventPosting(number=1, key=event.key, notice=Notice.OUT, details=details, at=NOW)
        (page,) = notice_pages(posting, view, words_for("en"))
        promised = "**Register or re-enter**" in text_of([page])
        # Promised buttons exist, the message pings eligible players, and it names what may end the offer sooner.
        assert promised == ("Register or re-enter" in labels_of(page.screen)) == (page.calls == (MANY[0],))
        assert promised == ("closes early once the final table is set or one player is left" in text_of([page]))
        return promised

    assert told()
    assert not told(entries=2)
    assert not told(reentry_open=False)
    assert not told(EntrantState.PLAYING)
    assert not told(left=1)


@pytest.mark.parametrize(("no_show", "sentence"), [(NoShow.DROP, "not_yet"), (NoShow.BLIND, "not_yet_blind")])
def test_who_is_called_before_the_start_is_told_to_check_in(no_show: NoShow, sentence: str) -> None:
    for minutes in (15, 0):
        structure = replace(PRESETS["chaipo"], check_in_minutes=minutes, no_show=no_show)
        view = view_of(event_of(structure=structure), [])
        posting = EventPosting(number=1, key=view.event.key, notice=Notice.SOON, details=DETAILS[Notice.SOON], at=NOW)
        told = text_of(notice_pages(posting, view, words_for("en")))
        assert (words_for("en")(f"event_notice.{sentence}") in told) == bool(minutes)


def test_the_end_of_a_league_names_the_points() -> None:
    people = [entrant(n, EntrantState.OUT, place=n, score=5 - n, prize=9 if n == 1 else 0) for n in (1, 2, 3)]
    view = view_of(event_of("league", Phase.ENDED), people)
    posting = EventPosting(number=1, key=view.event.key, notice=Notice.ENDED, details={}, at=NOW)
    told = text_of(notice_pages(posting, view, words_for("en")))
    assert f"1\\. <@{player(1)}> · +4 points · 9 chips\n2\\. <@{player(2)}> · +3 points" in told, "no Markdown list"


def test_a_name_is_not_read_as_markdown() -> None:
    assert "\\*" * 60 in text_of(pages_of(Notice.PAUSED))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("fee", [0, 100])
def test_a_refund_is_told_where_a_fee_was_paid(fee: int, language: str) -> None:
    words = words_for(language)
    view = view_of(event_of(structure=replace(PRESETS["chaipo"], fee=fee)), [])
    start = {"tables": [], "byes": [], "missed": MANY[:1]}
    by_hand = {"reason": "organiser", "by": MANY[0], "plays": False}

    def told(notice: Notice, details: Mapping[str, Any]) -> str:
        posting = EventPosting(number=1, key=view.event.key, notice=notice, details=details, at=NOW)
        return text_of(notice_pages(posting, view, words))

    refunded = words("event_notice.cancelled.refunded")
    assert (refunded in told(Notice.CANCELLED, {"reason": "too_few"})) == bool(fee)
    assert (refunded in told(Notice.CANCELLED, by_hand)) == bool(fee)
    missed = "event_notice.missed_drop" if fee else "event_notice.missed_drop_free"
    assert words(missed, players=f"<@{MANY[0]}>") in told(Notice.STARTED, start)


def test_the_badge_of_the_winner_stands_apart_from_the_places() -> None:
    told = text_of(pages_of(Notice.ENDED))
    earned = words_for("en")("profile.earned", player=f"<@{player(1)}>", badge=words_for("en")("badge.name.event_won"))
    assert f"\n\n{earned}" in told


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_for_calling_off_has_a_sentence(reason: str) -> None:
    assert text_of(pages_of(Notice.CANCELLED, details={"reason": reason}))


# Discord's own list


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("people", [1, 2, 9, 64, 512])
def test_an_event_is_expected_to_take_an_hour_to_a_month(preset: str, people: int) -> None:
    view = view_of(event_of(preset), [entrant(number) for number in range(1, people + 1)])
    assert HOUR <= expected_ms(view) <= 30 * 24 * HOUR


def test_more_people_are_expected_to_take_longer() -> None:
    few, many = (view_of(event_of(), [entrant(n) for n in range(1, people + 1)]) for people in (3, 100))
    assert expected_ms(few) < expected_ms(many)


@pytest.mark.parametrize("is_now", [EventStatus.scheduled, EventStatus.active, EventStatus.completed])
@pytest.mark.parametrize("wanted", list(EventStatus))
def test_discord_is_asked_for_no_step_that_it_refuses(is_now: EventStatus, wanted: EventStatus) -> None:
    allowed = {(1, 1), (1, 2), (1, 4), (2, 2), (2, 3)}
    for step in _steps(is_now, wanted):
        assert (is_now.value, step.value) in allowed
        is_now = step


def test_what_discord_was_told_is_read_again() -> None:
    told = CalendarNote(status=2, facts="abc", until=NOW)
    assert CalendarNote.read(str(told)) == told
    assert CalendarNote.read("no") is None


def test_every_format_has_a_name_for_discords_list() -> None:
    for language in LANGUAGES:
        assert all(words_for(language)(f"event_notice.format.{format.value}") for format in Format)


BY = {"by": MANY[0], "plays": False, "player": MANY[1]}
RULINGS: list[Mapping[str, Any]] = [
    {"what": "started_early", "by": MANY[0], "plays": False},
    {"what": "filled", "by": MANY[0], "plays": False, "computers": 2},
    {"what": "started_short", "by": MANY[0], "plays": False, "people": 2},
    {"what": "penalty", "hands": 2, "why": "late", **BY},
    {"what": "penalty", "hands": 0, "why": "late", **BY},
    {"what": "disqualified", "why": "late", **BY},
    {"what": "reinstated", **BY},
    {"what": "unregistered", "fee": 0, **BY},
    {"what": "unregistered", "fee": 500, **BY},
    {"what": "adjusted", "amount": -5, "why": "late", **BY},
    {"what": "to_be_moved", "table": 2, "why": "late", **BY},
    {"what": "moved", "table": 2, "why": "late", **BY},
    {"what": "helper", **BY},
    {"what": "helper_removed", **BY},
]
CHANGES = {"moved": [[MANY[2], 2, 1], [MANY[1], 1, 0]], "taken": 600, "missing": 400}
LATE_RULINGS: list[Mapping[str, Any]] = [
    {"what": what, "late": True, **BY, **more}
    for what, more in (
        ("struck", {"why": "late", **CHANGES}),
        ("struck_undone", CHANGES),
        ("corrected", {"why": "late", "amount": -5, "round": 0, **CHANGES}),
        ("corrected", {"why": "late", "amount": -5, "round": 2, "against": MANY[3], **CHANGES}),
        ("corrected_undone", {"amount": -5, **CHANGES}),
        ("corrected", {"why": "late", "amount": -5, "round": 2, **CHANGES}),
        ("corrected_undone", {"amount": -5, "against": MANY[3], **CHANGES}),
        ("corrected_undone", {"amount": -5, "against": MANY[3], "round": 2, **CHANGES}),
        ("corrected_undone", {"amount": -5, "round": 2, **CHANGES}),
        ("series_changed", {"why": "late", "changes": [["series", "Spring", "Autumn"], ["counted", 0, 3]]}),
        ("series_changed", {"why": "late", "changes": [["series", "", "Autumn"]]}),
        ("series_changed", {"why": "late", "changes": [["series", "Spring", ""]]}),
        ("series_changed_undone", {"changes": [["series", "", "Spring"]]}),
        ("series_changed_undone", {"changes": [["series", "Autumn", "Spring"]]}),
        ("series_changed_undone", {"changes": [["series", "Autumn", ""]]}),
    )
]
"""Rulings on a finished event."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("details", RULINGS, ids=lambda details: details["what"])
def test_a_ruling_says_who_did_what_to_whom_and_why(details: Mapping[str, Any], language: str) -> None:
    words, text = words_for(language), text_of(pages_of(Notice.RULING, language, details=details))
    assert f"<@{details['by']}>" in text
    assert f"<@{details.get('player', MANY[0])}>" in text
    assert (words("event_notice.why", why="late") in text) == ("why" in details)
    playing = text_of(pages_of(Notice.RULING, language, details={**details, "plays": True}))
    assert words("event_notice.plays", player=f"<@{MANY[0]}>") in playing
    assert words("event_notice.plays", player=f"<@{MANY[0]}>") not in text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("details", LATE_RULINGS, ids=lambda details: details["what"])
def test_a_late_ruling_says_what_it_changed_and_calls_nobody(details: Mapping[str, Any], language: str) -> None:
    words, (page,) = words_for(language), pages_of(Notice.RULING, language, details=details)
    text = text_of([page])
    assert page.calls == ()
    assert f"<@{details['by']}>" in text
    assert (words("event_notice.why", why="late") in text) == ("why" in details)
    for who in ("against", *(["player"] if "series" not in details["what"] else [])):
        assert who not in details or f"<@{details[who]}>" in text
    if "moved" in details:
        place = words("event_notice.late.place", place=1, player=f"<@{MANY[2]}>")
        back = "_back" if details["what"].endswith("_undone") else ""
        assert words(f"event_notice.late.places{back}", places=place) in text
        assert words(f"event_notice.late.taken{back}", count=600, chips="600") in text
        assert words("event_notice.late.missing", count=400, chips="400") in text
    else:
        assert ("Spring" in text) or ("Autumn" in text)
    playing = text_of(pages_of(Notice.RULING, language, details={**details, "plays": True}))
    played = words("event_notice.late.played", player=f"<@{MANY[0]}>")
    assert played in playing
    assert played not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_new_places_that_are_shared_are_named_as_ties(language: str) -> None:
    words = words_for(language)
    details = next(one for one in LATE_RULINGS if "moved" in one)
    moved = [[MANY[2], 2, 1], [MANY[3], 3, 2], [MANY[4], 3, 2]]
    text = text_of(pages_of(Notice.RULING, language, details={**details, "moved": moved}))
    for one in MANY[3:5]:
        assert words("event_notice.late.place_tied", place=2, player=f"<@{one}>") in text
    assert words("event_notice.late.place", place=1, player=f"<@{MANY[2]}>") in text


def test_a_move_between_hands_calls_the_player_and_nobody_else_is_called_by_a_ruling() -> None:
    called = {details["what"]: [page.calls for page in pages_of(Notice.RULING, details=details)] for details in RULINGS}
    assert called.pop("moved") == [(MANY[1],)]
    assert len(called) > 1
    assert all(calls == [()] for calls in called.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_calling_off_and_pausing_say_who_did_it(language: str) -> None:
    words, who = words_for(language), f"<@{MANY[0]}>"
    told = {"reason": "organiser", "by": MANY[0], "plays": False, "why": "no power"}
    text = text_of(pages_of(Notice.CANCELLED, language, details=told))
    assert words("event_notice.cancelled.by_hand", by=who) in text
    assert words("event_notice.why", why="no power") in text
    assert words("event_notice.cancelled.refunded") not in text
    for notice in (Notice.PAUSED, Notice.RESUMED):
        said = text_of(pages_of(notice, language, details={"by": MANY[0]}))
        assert words(f"event_notice.{notice.value}_by", player=who) in said


def test_matches_stand_under_their_stages() -> None:
    words = words_for("ja")
    tables, stages = TABLES[:4], [["winners", 2], ["winners", 2], ["losers", 1], ["final", 0]]
    told = {"round": 2, "rounds": 0, "tables": tables, "byes": [], "stages": stages}
    lines = text_of(pages_of(Notice.ROUND, "ja", details=told)).splitlines()[1:]
    heads = ["勝者側の2回戦を始めます。", "敗者側の1回戦を始めます。", "決勝を始めます。"]
    assert [lines[0], lines[3], lines[5]] == heads
    assert words("event_notice.round", round=2) not in lines


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("stage", Stage)
def test_every_stage_has_its_sentences(stage: Stage, language: str) -> None:
    words = words_for(language)
    for key in ("event.stage", "event_notice.stage"):
        assert stage_text(key, stage.value, int(stage in (Stage.ROUND, Stage.WINNERS, Stage.LOSERS)), words)


def test_the_next_round_of_an_older_outbox_knows_no_stages() -> None:
    text = text_of(pages_of(Notice.ROUND, details={"round": 2, "rounds": 0, "tables": TABLES[:2], "byes": []}))
    assert words_for("en")("event_notice.round", round=2) in text


def test_what_an_older_version_left_to_post_is_still_told() -> None:
    words = words_for("en")
    assert words("event_notice.cancelled.organiser") in text_of(
        pages_of(Notice.CANCELLED, details={"reason": "organiser"})
    )


@pytest.mark.parametrize(("preset", "series", "told"), [("league", "", "by the draw"), ("double", "Autumn", "by seed")])
def test_the_post_the_list_and_the_picture_say_what_broke_a_tie(preset: str, series: str, told: str) -> None:
    event = event_of(preset, phase=Phase.ENDED, series=series)
    view = view_of(event, [entrant(number, EntrantState.PLAYING, place=number) for number in (1, 2)])
    view = replace(view, lines=tuple(replace(line, by_draw=True) for line in view.lines))
    posting = EventPosting(number=1, key=event.key, notice=Notice.ENDED, details={}, at=NOW)
    assert text_of(notice_pages(posting, view, ENGLISH)).count(f"tie broken {told}") == 2
    assert screen_text(results_screen(view, ENGLISH)).count(f"tie broken {told}") == 2
    assert all(told in _step([line], view, {}, ENGLISH).title for line in view.lines)
    titled = replace(view, event=replace(event, structure=replace(event.structure, titles=("King", "Duke"))))
    steps = [_step([line], titled, {}, ENGLISH) for line in titled.lines]
    assert [(step.title, told in step.points) for step in steps] == [("King", True), ("Duke", True)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_is_disqualified_stands_on_no_podium_and_below_everybody(language: str) -> None:
    words = words_for(language)
    structure = replace(PRESETS["chaipo"], titles=("Gold", "Silver", "Bronze"), roles=(1, 2, 3))
    event = event_of(phase=Phase.ENDED, structure=structure)
    people = [entrant(n, EntrantState.OUT, place=n, disqualified=n == 3) for n in (1, 2, 3)]
    view = view_of(event, people)
    assert [line.place for line in on_podium(view)] == [1, 2]
    over = f"<t:{(event.ended_at or event.created_at) // 1000}:F>"
    assert words("event.over_at", when=over) in screen_text(results_screen(view, words))
    posting = EventPosting(number=1, key=event.key, notice=Notice.ENDED, details={}, at=NOW)
    for told in (
        text_of(notice_pages(posting, view, words)),
        screen_text(results_screen(view, words)),
        screen_text(details(view, words)),
    ):
        assert "Silver" in told
        assert not [sign for sign in ("Bronze", "🥉", "<@&3>") if sign in told]
        (line,) = [line for line in told.splitlines() if f"<@{player(3)}>" in line]
        assert line.startswith("-# ")


def test_standings_give_no_rank_to_who_is_disqualified() -> None:
    people = [entrant(1, EntrantState.PLAYING), entrant(2, EntrantState.OUT, disqualified=True)]
    view = view_of(event_of(phase=Phase.RUNNING), people)
    assert f"`–` <@{player(2)}>" in screen_text(standings_screen(view, ENGLISH, player(1)))


def test_a_match_is_told_in_one_post_with_the_life_that_is_left_and_what_comes_next() -> None:
    told = text_of(pages_of(Notice.MATCH))
    first, second, third, fourth, fifth = (f"<@{one}>" for one in MANY[:5])
    assert f"{first} beat {second}. (Winners' bracket, round 2)" in told
    assert f"{first} plays {third} next." in told
    assert f"{second} has one life left and waits for the winner of {fourth} – {fifth}." in told
    assert "5 players are still in" in told


def test_a_match_names_the_one_who_is_known_of_those_who_play_for_the_next() -> None:
    view = view_of(event_of(phase=Phase.RUNNING), [])
    one = f"<@{MANY[3]}>"

    def told(**details: Any) -> str:
        base = {"winner": MANY[0], "loser": MANY[1], "hands": 3, "stage": ["winners", 2], "out": False, "left": 5}
        details = {**base, "next_of_winner": {}, "next_of_loser": {}, **details}
        posting = EventPosting(number=1, key=view.event.key, notice=Notice.MATCH, details=details, at=NOW)
        return text_of(notice_pages(posting, view, ENGLISH))

    winner, loser = ({"of": MANY[3:4], "loses": loses} for loses in (False, True))
    assert f"waits for the winner of {one}'s next match." in told(next_of_winner=winner)
    assert f"one life left and waits for the winner of {one}'s next match." in told(next_of_loser=winner)
    assert f"one life left and waits for the loser of {one}'s next match." in told(next_of_loser=loser)
    assert f"plays the loser of {one}'s next match for third place." in told(
        next_of_loser={**loser, "stage": ["third", 0]}
    )
    assert "waits for their next opponent." in told(next_of_winner={"of": [], "loses": False})


@pytest.mark.parametrize(
    ("office", "told"), [("manager", "manages the server"), ("helper", "is a co-organiser"), ("organiser", "organises")]
)
@pytest.mark.parametrize("notice", [Notice.RULING, Notice.CANCELLED])
def test_a_post_says_the_true_office_of_who_plays_and_acts(notice: Notice, office: str, told: str) -> None:
    event = replace(event_of(phase=Phase.RUNNING), helpers=(MANY[1],))
    by = MANY[1] if office == "helper" else event.organiser
    details = {"by": by, "plays": True, "manager": office == "manager", "why": "late", "reason": "organiser"}
    details |= {"what": "penalty_off", "player": MANY[2]} if notice is Notice.RULING else {}
    posting = EventPosting(number=1, key=event.key, notice=notice, details=details, at=NOW)
    said = text_of(notice_pages(posting, view_of(event, [entrant(1)]), ENGLISH))
    offices = ("manages the server", "is a co-organiser", "organises this event")
    assert [one for one in offices if one in said] == [one for one in offices if one.startswith(told)]


@pytest.mark.parametrize(
    ("notice", "details"),
    [
        (Notice.CHECK_IN, {"starts_at": NOW}),
        (Notice.CANCELLED, {"reason": "too_few"}),
        (Notice.SAID, {"by": MANY[8], "text": "Bring tea"}),
    ],
)
def test_what_concerns_all_who_have_registered_calls_them(notice: Notice, details: Mapping[str, Any]) -> None:
    phase = Phase.CANCELLED if notice is Notice.CANCELLED else Phase.CHECK_IN
    here = entrant(2, EntrantState.CHECKED_IN)
    view = view_of(event_of(phase=phase), [entrant(1), here])
    posting = EventPosting(number=1, key=view.event.key, notice=notice, details=details, at=NOW)
    (page,) = notice_pages(posting, view, ENGLISH)
    # Players who have checked in aren't asked again.
    organiser = (view.event.organiser,) if notice is Notice.CANCELLED else ()
    assert page.calls == ((player(1),) if notice is Notice.CHECK_IN else (player(1), player(2), *organiser))
    assert ("Check in" in labels_of(page.screen)) == (notice is Notice.CHECK_IN)


def test_an_announcement_is_heard_at_the_tables_and_calls_nobody_once_they_play() -> None:
    view = view_of(event_of(phase=Phase.RUNNING), [entrant(1, EntrantState.PLAYING)])
    details = {"by": MANY[8], "text": "Bring tea"}
    posting = EventPosting(number=1, key=view.event.key, notice=Notice.SAID, details=details, at=NOW)
    assert [page.calls for page in notice_pages(posting, view, ENGLISH)] == [()]


def test_the_podium_of_a_league_has_points_and_prize_and_that_of_a_shoot_out_no_points() -> None:
    people = [entrant(n, EntrantState.OUT, place=n, score=s, prize=p) for n, s, p in ((1, 35, 1500), (2, -49, 0))]
    league = view_of(event_of("league", Phase.ENDED), people)
    steps = [_step([line], league, {}, ENGLISH) for line in league.lines]
    assert [(step.points, step.prize) for step in steps] == [("+35 points", "1,500 chips"), ("−49 points", "")]
    shootout = view_of(event_of("shootout", Phase.ENDED), people)
    steps = [_step([line], shootout, {}, ENGLISH) for line in shootout.lines]
    assert [(step.points, step.prize) for step in steps] == [("", "1,500 chips"), ("", "")]


@pytest.mark.parametrize("preset", ["heads_up", "double"])
def test_a_bracket_of_a_series_says_that_it_is_seeded_and_not_drawn(preset: str) -> None:
    for series, told in (("", "random draw"), ("Autumn", "seeded by the series")):
        shown = screen_text(details(view_of(event_of(preset, series=series), []), ENGLISH))
        assert [one for one in ("random draw", "seeded by the series") if one in shown] == [told]


@pytest.mark.parametrize(("preset", "moves"), [("chaipo", True), ("heads_up", False), ("league", False)])
def test_a_player_is_moved_only_where_that_can_be(preset: str, moves: bool) -> None:
    others = [entrant(number, EntrantState.PLAYING) for number in (4, 5, 6)]
    people = [entrant(1, EntrantState.PLAYING), entrant(2, EntrantState.OUT), *others]
    view = view_of(event_of(preset, Phase.RUNNING), people)
    desk = DeskView(view=view, tables=(), wallets={}, acts=(), undoable=())
    offered = [
        {act.name for act in ABOUT_A_PLAYER if act.when(ActContext(desk=desk, player=player(number)))}
        for number in (1, 2, 3)
    ]
    assert ("move" in offered[0]) == moves
    assert {"penalty", "adjust", "out"} < offered[0]
    assert not {"penalty", "move", "out"} & offered[1], "who is out plays no hand"
    assert ("adjust" in offered[1]) == (preset == "league"), "whose points still count"
    assert offered[2] == {"help"}, "they aren't in the event"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_question_before_the_start_says_that_fewer_came_and_offers_computers(language: str) -> None:
    words = words_for(language)
    event = event_of("shootout", structure=replace(PRESETS["shootout"], least=4))
    few = start_screen(view_of(event, [entrant(1), entrant(2)]), words)
    assert words("event.ask.start_few", count=4) in screen_text(few)
    assert {words("event.button.yes_start_few", count=2), words("event.button.yes_fill", count=1)} < {*labels_of(few)}
    paid = replace(event, structure=replace(event.structure, fee=100))
    enough = start_screen(view_of(paid, [entrant(n) for n in range(1, 5)]), words)
    assert labels_of(enough) == [words("event.button.yes_start"), words("event.button.no")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_registers_reads_what_they_paid(language: str) -> None:
    words = words_for(language)
    event = event_of("league", structure=replace(PRESETS["league"], fee=500))
    paid = words("event.done.fee_paid", count=500, chips="500", left="4,500")
    assert paid in registered_text(view_of(event, [entrant(1)]), entrant(1), words, wallet=4500)
    assert "4,500" not in registered_text(view_of(event_of("league"), [entrant(1)]), entrant(1), words, wallet=4500)


@pytest.mark.parametrize(
    ("changes", "told", "left_out"),
    [
        ({"hands": 7, "stage": ["losers", 2]}, "beat <@{second}> in 7 hands. (Losers' bracket, round 2)", "for third"),
        ({"next_of_loser": {"opponent": MANY[2], "stage": ["third", 0]}}, "plays <@{third}> for third place.", "life"),
        ({"out": True, "next_of_loser": {}, "champion": True, "left": 0}, "has won the event", "left"),
        ({"out": True, "next_of_loser": {}, "next_of_winner": {}, "stage": ["third", 0]}, "takes third place", "life"),
    ],
)
def test_a_match_says_what_is_at_stake_next(changes: dict[str, Any], told: str, left_out: str) -> None:
    shown = an_event()
    details = {**DETAILS[Notice.MATCH], **changes}
    posting = EventPosting(number=1, key=shown.event.key, notice=Notice.MATCH, details=details, at=NOW)
    said = text_of(notice_pages(posting, shown, ENGLISH))
    assert told.format(second=MANY[1], third=MANY[2]) in said
    assert left_out not in said


def test_two_who_meet_again_at_once_are_told_so_once() -> None:
    shown = an_event()
    again = {"next_of_loser": {"opponent": MANY[0]}, "next_of_winner": {"opponent": MANY[1]}, "stage": ["grand", 0]}
    details = {**DETAILS[Notice.MATCH], **again}
    posting = EventPosting(number=1, key=shown.event.key, notice=Notice.MATCH, details=details, at=NOW)
    said = text_of(notice_pages(posting, shown, ENGLISH))
    assert f"<@{MANY[1]}> has one life left and plays <@{MANY[0]}> next." in said
    assert said.count(" next.") == 1


# reports of rounds


def _row(number: int, place: int, **changes: Any) -> dict[str, Any]:
    usual = {"player": player(number), "place": place, "tied": False, "before": 0, "score": 0, "hands": 6}
    return {**usual, "rounds": [], "shares": [], "share": 0, **changes}


REPORT = {
    "round": 2,
    "rows": [
        _row(1, 1, before=3, score=35, rounds=[-5, 40], shares=[400, 800], share=600),
        _row(2, 2, before=2, tied=True, score=-7, rounds=[3, None], shares=[None, 450], share=450),
        _row(3, 2, before=1, tied=True, score=-7, rounds=[7, -14], shares=[500, 375], share=438),
    ],
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_after_a_round_a_league_shows_its_table_with_movement_and_a_column_for_each_round(language: str) -> None:
    words = words_for(language)
    view = view_of(event_of("league", Phase.RUNNING), [entrant(n, EntrantState.PLAYING) for n in (1, 2, 3)])
    told = {"round": 3, "rounds": 5, "tables": [[4, [player(1), player(2)]]], "byes": [player(3)], "report": REPORT}
    posting = EventPosting(number=1, key=view.event.key, notice=Notice.ROUND, details=told, at=NOW)
    text = text_of(notice_pages(posting, view, words))
    rows = [line for line in text.splitlines() if line.startswith("`")]
    assert len({_wide(row.split("`")[1]) for row in rows}) == 1, "columns are aligned"
    assert [row.split("`")[1].split()[-4:] for row in rows[1:]] == [
        ["▲2", "+35", "−5", "+40"],
        ["·", "−7", "+3", "·"],
        ["▼1", "−7", "+7", "−14"],
    ]
    assert [f"<@{player(n)}>" in row for n, row in enumerate(rows[1:], start=1)] == [True] * 3
    assert words("event_round.over", round=2, rounds=5) in text
    assert words("event_round.hands", count=6) in text
    assert words("event_round.byes", players=f"<@{player(3)}>") in text
    assert text.index(rows[-1]) < text.index(words("event_notice.round_of", round=3, rounds=5))


@pytest.mark.parametrize("language", LANGUAGES)
def test_byes_and_rounds_after_leaving_differ(language: str) -> None:
    words = words_for(language)
    view = view_of(event_of("league", Phase.RUNNING), [entrant(n, EntrantState.PLAYING) for n in (1, 2, 3)])
    told = {"round": 3, "rounds": 5, "tables": [], "byes": [], "report": REPORT}
    posting = EventPosting(number=1, key=view.event.key, notice=Notice.ROUND, details=told, at=NOW)
    left = words("event.state.left", round=1)
    bye, heard = words("event_round.no_rounds"), words("event_round.heard_bye", round=2)
    assert bye in text_of(notice_pages(posting, view, words))
    assert heard in text_of(notice_pages(posting, view, words.aloud))
    lines = [replace(line, left_after=1) if line.entrant.player == player(2) else line for line in view.lines]
    gone = replace(view, lines=tuple(lines))
    for reader, no in ((words, bye), (words.aloud, heard)):
        text = text_of(notice_pages(posting, gone, reader))
        (row,) = [line for line in text.splitlines() if f"<@{player(2)}>" in line]
        assert left in row
        assert text.count(left) == 1
        assert no not in text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("hands", "key", "values"),
    [
        ((4, 4), "hands", {"count": 4}),
        ((2, 4), "hands_between", {"least": 2, "most": 4}),
        ((7, 7), "hands_fantasyland", {"count": 7}),
        ((6, 8), "hands_between_fantasyland", {"least": 6, "most": 8}),
        ((1, 5), "hands_between_fantasyland", {"least": 1, "most": 5}),
    ],
)
def test_a_report_says_if_hands_in_fantasyland_are_among_those_played(
    language: str, hands: tuple[int, int], key: str, values: dict[str, int]
) -> None:
    words = words_for(language)
    league = event_of("league", Phase.RUNNING)
    league = replace(league, structure=replace(league.structure, rounds=3, round_hands=2))
    view = view_of(league, [entrant(n, EntrantState.PLAYING) for n in (1, 2)])
    rows = [_row(n, n, rounds=[1, 1], hands=count) for n, count in enumerate(hands, start=1)]
    told = {"round": 3, "rounds": 3, "tables": [], "byes": [], "report": {"round": 2, "rows": rows}}
    posting = EventPosting(number=1, key=view.event.key, notice=Notice.ROUND, details=told, at=NOW)
    over = words.side_by_side([words("event_round.over", round=2, rounds=3), words(f"event_round.{key}", **values)])
    assert over in text_of(notice_pages(posting, view, words)).splitlines()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("preset", ["league", "round_robin", "swiss", "duplicate"])
def test_a_line_of_the_standings_and_its_name_fit_a_phone(language: str, preset: str) -> None:
    words, event = words_for(language), event_of(preset, Phase.RUNNING)
    people = [entrant(n, EntrantState.PLAYING) for n in range(1, 13)]
    rows = [
        _row(n, n, before=13 - n, score=90 - 15 * n, met=100 + n, rounds=[-20 - n] * 5, shares=[450] * 5, share=455)
        for n in range(1, 13)
    ]
    told = {"round": 6, "rounds": 9, "tables": [], "byes": [], "report": {"round": 5, "rows": rows}}
    view = view_of(event, people)
    posting = EventPosting(number=1, key=view.event.key, notice=Notice.ROUND, details=told, at=NOW)
    lines = [line for line in text_of(notice_pages(posting, view, words)).splitlines() if line.startswith("`")]
    (rounds,) = [line.strip("`").split() for line in lines if "R5" in line]
    assert rounds[-4:] == ["R2", "R3", "R4", "R5"], "the last four rounds are shown"
    assert len(lines) == (13 if len(rounds) > 4 else 26)
    assert {_wide(line.split("`")[1]) <= MAX_WIDTH for line in lines} == {True}
    assert all(line.endswith(">") for line in lines if "<" in line), "nothing follows the name"


def test_the_next_round_of_another_day_says_who_meets_when_and_calls_nobody_yet() -> None:
    view = view_of(event_of("league", Phase.RUNNING), [entrant(n, EntrantState.PLAYING) for n in (1, 2, 3)])
    told = {"round": 3, "rounds": 5, "tables": [[0, [player(1), player(2)]]], "byes": [player(3)], "report": REPORT}
    posting = EventPosting(
        number=1, key=view.event.key, notice=Notice.ROUND, details={**told, "starts_at": NOW + HOUR}, at=NOW
    )
    (page,) = notice_pages(posting, view, ENGLISH)
    text = text_of([page])
    assert ENGLISH("event_round.next", round=3, rounds=5, when=f"<t:{(NOW + HOUR) // 1000}:R>") in text
    assert f"- <@{player(1)}> and <@{player(2)}>" in text
    assert page.calls == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_duplicate_ranks_rounds_in_percent_of_match_points(language: str) -> None:
    view = view_of(event_of("duplicate", Phase.RUNNING), [entrant(n, EntrantState.PLAYING) for n in (1, 2, 3)])
    told = {"round": 3, "rounds": 5, "tables": [], "byes": [], "report": REPORT}
    posting = EventPosting(number=1, key=view.event.key, notice=Notice.ROUND, details=told, at=NOW)
    text = text_of(notice_pages(posting, view, words_for(language)))
    written = LANGUAGES[language]
    words, rows = words_for(language), [line for line in text.splitlines() if line.startswith("`")]
    head = rows[0].strip("`").split()
    assert head[:2] == [words("event_round.points"), words("event_round.percent")]
    total = f"60{written.decimals}0{written.percent}"
    assert rows[1].split("▲2")[1].split("`")[0].split() == [words.signed(0), total]
    assert [row.split("`")[1].split() for row in rows[4:]] == [
        ["R1", "R2"],
        [words.percent(40), words.percent(80)],
        ["·", words.percent(45)],
        [words.percent(50), words.percent(38)],
    ]
    assert words("event_round.no_shares") in text
    assert words("event_round.percents") in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_end_of_a_small_league_says_who_won_what_from_whom_and_a_large_one_round_by_round(language: str) -> None:
    words = words_for(language)
    people = [entrant(n, EntrantState.PLAYING, place=n, score=20 - 10 * n) for n in (1, 2, 3)]
    view = view_of(event_of("league", Phase.ENDED), people)
    posting = EventPosting(number=1, key=view.event.key, notice=Notice.ENDED, details={"final": REPORT}, at=NOW)
    won = {player(1): {player(2): 4, player(3): 6}, player(2): {player(1): -4}, player(3): {player(1): -6}}
    text = text_of(notice_pages(posting, view, words, against=won))
    rows = [line for line in text.splitlines() if line.startswith("`")]
    assert [row.split("`")[1].split() for row in rows[1:4]] == [
        [rank_text(1, words, tied=False), "■", "+4", "+6", "+10"],
        [rank_text(2, words, tied=False), "−4", "■", "·", words.signed(0)],
        [rank_text(3, words, tied=False), "−6", "·", "■", "−10"],
    ]
    assert words("event_round.cross") in text
    assert [row.split("`")[1].split() for row in rows[4:]] == [["R1", "R2"], ["−5", "+40"], ["+3", "·"], ["+7", "−14"]]
    by_round = text_of(notice_pages(posting, view, words))
    assert words("event_round.cross") not in by_round
    assert "▲2" in by_round


def _wide(text: str) -> int:
    return sum(1 + (unicodedata.east_asian_width(letter) in "WF") for letter in text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_announcement_says_what_its_fingerprints_fix(language: str) -> None:
    words, hashes = words_for(language), {"draw": "x454", "decks": "i666"}
    named = ("draw", "decks", "locked") if language == "en" else ("抽選", "山札", "固定済み")
    for reader in (words, words.aloud):
        said = reader("event_notice.fingerprints", **hashes)
        assert all(word in said.casefold() for word in named)
        assert all(f"`{one}`" in said for one in hashes.values())
        assert ("🔒" in said) is (reader is words)


def series_after(players: Sequence[str], **changes: Any) -> dict[str, Any]:
    """The report on a series whose players have moved in every direction."""
    rows = [
        {
            "player": player,
            "place": place,
            "tied": False,
            "before": {1: 3, 2: 2, 3: 1}.get(place, 0),
            "points": 200 - place,
            "gained": None if place == 2 else place,
        }
        for place, player in enumerate(players, start=1)
    ]
    race = {"dates": 2, "most": 94, "planned": True, "open": False, "first": players[:2], "podium": players[2:4]}
    return {"series": "Spring *", "rows": rows, "more": 4, **race, **changes}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("heard", [False, True])
def test_a_series_in_the_results_fits_and_says_who_moved_and_who_can_still_win(language: str, heard: bool) -> None:
    words = words_for(language).aloud if heard else words_for(language)
    view = an_event()
    details = {**DETAILS[Notice.ENDED], "series": series_after(MANY[:10])}
    posting = EventPosting(number=1, key=view.event.key, notice=Notice.ENDED, details=details, at=NOW)
    pages = notice_pages(posting, view, words)
    assert all(text_length(page.screen) <= MAX_TEXT_LENGTH for page in pages)
    assert [page.calls for page in pages if page.calls] == []
    told = text_of(pages)
    lines = told.splitlines()
    assert words("event_series.title", series=escape_name("Spring *")) in told
    assert words("event_series.left", count=2, most="94") in told
    assert words("event_series.first", players=words.list([f"<@{one}>" for one in MANY[:2]])) in told
    assert words("event_series.podium", players=words.list([f"<@{one}>" for one in MANY[2:4]])) in told
    after_title = lines[lines.index(f"### {words('event_series.title', series=escape_name('Spring *'))}") + 1 :]
    if not heard:
        assert after_title.pop(0).strip("`").split() == [words("event_series.points"), words("event_series.gained")]
    first, second, third = after_title[:3]
    if heard:
        assert words("event_round.heard_up", count=2) in first
        assert words("event_round.heard_down", count=2) in third
        assert words("event_series.heard_gained", points="3") in third
        assert "`" not in "".join(after_title)
    else:
        assert ["▲2" in first, "+1`" in first, "▼2" in third, " · " in second, "·`" in second] == [True] * 5


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"open": True}, "open"),
        ({"first": MANY[:1]}, "won"),
        ({"planned": False}, "lead"),
        ({"planned": False, "open": True}, "lead_open"),
        ({"dates": 1}, "left_last"),
        ({"planned": False, "dates": 1}, "published_next"),
    ],
)
def test_the_race_says_no_more_than_is_known(changes: dict[str, Any], key: str) -> None:
    named = {"won": {"player": f"<@{MANY[0]}>"}, "lead": {"players": ENGLISH.list([f"<@{one}>" for one in MANY[:2]])}}
    named |= {one: {"most": "94"} for one in ("left_last", "published_next")}
    details = {**DETAILS[Notice.ENDED], "series": series_after(MANY[:10], **changes)}
    view = an_event()
    posting = EventPosting(number=1, key=view.event.key, notice=Notice.ENDED, details=details, at=NOW)
    told = text_of(notice_pages(posting, view, ENGLISH))
    assert ENGLISH(f"event_series.{key}", **named.get(key, {})) in told
    if changes.get("planned") is False and key != "published_next":
        assert ENGLISH("event_series.published", count=2, most="94") in told
        assert ENGLISH("event_series.podium", players="").strip() not in told


def test_the_end_of_a_series_names_its_champion_with_title_and_role() -> None:
    report = series_after(MANY[:10], crowned=MANY[:1], champions=MANY[:1], title="King *", role=77)
    for gone in ("dates", "most", "planned", "open", "first", "podium"):
        del report[gone]
    view = an_event()
    details = {**DETAILS[Notice.ENDED], "series": report}
    posting = EventPosting(number=1, key=view.event.key, notice=Notice.ENDED, details=details, at=NOW)
    told = text_of(notice_pages(posting, view, ENGLISH))
    assert ENGLISH("event_series.over", series=escape_name("Spring *")) in told
    assert ENGLISH("season.titled", title=escape_name("King *"), players=f"<@{MANY[0]}>") in told
    assert "<@&77>" in told
