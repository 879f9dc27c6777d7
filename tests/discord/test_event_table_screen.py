"""Messages of event tables, which name their event and the reason for waiting, and offer no seats."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord
import pytest

from bot.chat.application_assets import emoji_name
from bot.chat.art.faces import FACE_NAMES
from bot.chat.kit.faces import Faces
from bot.chat.kit.fragments import MAX_TEXT_LENGTH, text_length
from bot.chat.kit.widgets import Screen
from bot.chat.table.screens.panel import Panel, panel_screen
from bot.chat.table.screens.screen import table_screen
from bot.model.choices import MemberSettings
from bot.model.ids import Player
from bot.model.tables import EventNote, Seat, TableState, WaitReason
from bot.play.queries.views import SeatStack, TableView
from bot.pure.event.structure import Format
from bot.pure.ofc.cards import Card
from bot.pure.ofc.hand import HandStatus
from bot.pure.ofc.presets import PRESETS as GAMES
from bot.pure.ofc.view import HandView, SeatView
from bot.text.languages import LANGUAGES
from bot.text.words import words_for
from bot.web.drawing import TableDrawing, about
from tests.discord.test_event_screen import NOW, player, table_line

NOTE = EventNote(
    number=9999,
    name="*" * 60,
    format=Format.TOURNAMENT,
    channel=5,
    home=5,
    level=12,
    deck_commitment=b"",
    round=11,
    rounds=60,
    waits=WaitReason.NOTHING,
    break_until=None,
    conceals=False,
    is_placed=True,
)
OWN_NUMBER = ("event_table.own_number", {"hand": 7})


def faces() -> Faces:
    """Cards as emojis with ids as long as Discord's."""
    drawn = Faces()
    drawn.use({name: discord.PartialEmoji(name=emoji_name(name), id=1096000000000000000) for name in FACE_NAMES})
    return drawn


def seat_view(one: Player, *, waiting: bool = False, cards: int = 13) -> SeatView:
    deck = tuple(Card(number) for number in range(cards))
    return SeatView(
        player=one,
        fantasyland=0,
        rows=(deck[:3], deck[3:8], deck[8:]),
        held=(),
        discards=(),
        placed=not waiting,
        waiting=waiting,
        forfeited=False,
        surrendered=False,
        natural=None,
        by_clock=(0, 1),
        clocked=True,
    )


def view_of(
    seats: int = 3, *, state: TableState = TableState.PLAYING, you: int | None = None, **event: Any
) -> TableView:
    people = [player(number) for number in range(1, seats + 1)]
    table = table_line(3, people).table
    table = replace(table, state=state, terms=replace(table.terms, variant=GAMES["double_classic"], max_seats=8))
    hand = HandView(
        variant=table.terms.variant,
        seats=tuple(seat_view(one, waiting=state is TableState.PLAYING) for one in people),
        button=0,
        street=1,
        status=HandStatus.PLAYING,
        you=you,
        score=None,
    )
    seat = [Seat(number=n, player=one, dealt_in=True, away=n == 0) for n, one in enumerate(people)]
    return TableView(
        table=table,
        places=tuple(SeatStack(seat=one, stack=100_000_000) for one in seat),
        hand=None if state is TableState.LOBBY else hand,
        next_hand_at=None,
        lobby_until=None,
        you=None if you is None else people[you],
        event=replace(NOTE, **event),
    )


def text_of(view: Screen) -> str:
    return "\n".join(part["content"] for part in view.walk() if "content" in part)


def verbs_of(view: Screen) -> list[str]:
    return [part["custom_id"].split(":")[1] for part in view.walk() if "custom_id" in part]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("conceals", [False, True])
def test_eight_boards_of_an_event_fit_into_a_message(language: str, conceals: bool) -> None:
    shown = table_screen(view_of(8, conceals=conceals), words_for(language), faces())
    assert text_length(shown) <= MAX_TEXT_LENGTH
    assert len(list(shown.walk())) <= 40


@pytest.mark.parametrize("language", LANGUAGES)
def test_eight_boards_in_words_fit_into_a_message_with_every_row(language: str) -> None:
    words, view = words_for(language), view_of(8)
    view = replace(view, table=replace(view.table, in_words=True))
    shown = table_screen(view, words, faces())
    assert text_length(shown) <= MAX_TEXT_LENGTH
    assert text_of(shown).count(words("aloud.suit.spades")) == 8 * 3
    assert "<:" not in text_of(shown)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("number", "extra", "expected"),
    [
        (2, False, [("event_table.hand_of", {"hand": 2, "hands": 2})]),
        (
            7,
            True,
            [("event_table.fantasyland_after", {"hand": 2, "hands": 2}), ("event_table.own_number", {"hand": 7})],
        ),
        (7, False, [("event_table.hand_of", {"hand": 2, "hands": 2}), OWN_NUMBER]),
    ],
)
def test_a_round_counts_no_hands_in_fantasyland(
    language: str, number: int, extra: bool, expected: list[tuple[str, dict[str, int]]]
) -> None:
    words = words_for(language)
    view = view_of(hand=2, hands=2, extra=extra)
    view = replace(view, table=replace(view.table, hand_no=number))
    told = words.facts(words(key, **values) for key, values in expected)
    assert told in text_of(table_screen(view, words, faces()))
    assert words("table.hand", hand=number) not in text_of(table_screen(view, words, faces())).replace(told, "")
    page = about(TableDrawing(view=view, words=words, faces=faces(), member_settings=MemberSettings()))
    assert all(words(key, **values) in page for key, values in expected)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("waits", [waits for waits in WaitReason if waits is not WaitReason.NOTHING])
def test_a_table_says_what_it_waits_for(waits: WaitReason, language: str) -> None:
    words = words_for(language)
    view = view_of(state=TableState.BETWEEN, waits=waits)
    assert words(f"event_table.waits.{waits.value}") in text_of(table_screen(view, words, faces()))


def test_a_break_says_when_it_ends() -> None:
    words = words_for("en")
    view = view_of(state=TableState.BETWEEN, waits=WaitReason.BREAK, break_until=NOW)
    assert f"<t:{NOW // 1000}:R>" in text_of(table_screen(view, words, faces()))


def test_before_its_first_hand_a_table_offers_no_seat_and_lets_people_come_back() -> None:
    shown = table_screen(view_of(state=TableState.LOBBY), words_for("en"), faces())
    assert verbs_of(shown) == ["stay", "seats"]


def test_while_it_is_played_ones_hand_and_the_details_are_one_press_away() -> None:
    assert verbs_of(table_screen(view_of(), words_for("en"), faces())) == ["hand", "seats"]


def test_the_heading_names_event_level_and_round() -> None:
    told = text_of(table_screen(view_of(name="Friday"), words_for("en"), faces()))
    assert "**Friday** · round 11 of 60 · level 12 · Hand 1" in told


def test_a_table_without_chips_counts_points_and_is_no_practice() -> None:
    view = view_of()
    view = replace(view, table=replace(view.table, terms=replace(view.table.terms, point_value=0)))
    told = text_of(table_screen(view, words_for("en"), faces()))
    assert words_for("en")("event_table.for_points") in told
    assert words_for("en")("table.practice") not in told


@pytest.mark.parametrize("state", [TableState.PLAYING, TableState.BETWEEN])
def test_a_panel_shows_the_opponents_where_the_table_does_not(state: TableState) -> None:
    words = words_for("en")
    for conceals in (False, True):
        view = view_of(8, state=state, you=0, conceals=conceals)
        shown = panel_screen(Panel(view=view), words, faces())
        told = text_of(shown)
        assert (words("event_table.opponents") in told) is conceals
        assert [f"<@{player(number)}>" in told for number in range(2, 9)].count(True) >= 7 * conceals
        assert text_length(shown) <= MAX_TEXT_LENGTH
