"""Handicaps as they are chosen and read: on the draft, on the page with names and numbers, at the start, in the log."""

from __future__ import annotations

import pytest

from bot.chat.event.screens.lists import fact_line
from bot.chat.kit.fragments import text_length
from bot.model.events import Notice
from bot.pure.event.structure import Format
from bot.text.languages import LANGUAGES
from bot.text.words import words_for
from tests.discord.club import Club
from tests.discord.test_event_bounties import posted
from tests.discord.test_event_form import page, rules_of, write
from tests.discord.test_event_screen import details, text_of
from tests.play.event.event_world import A, B, C, D, Scene, structure
from tests.play.event.test_seeding import rate


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_handicap_is_told_with_names_and_numbers_where_people_look(language: str) -> None:
    scene, words = Scene(), words_for(language)
    rate(scene, A=1.5, B=0.7, C=1.2)
    scene.announce(structure(stack=10_000, handicap=True))
    page = text_of(details(scene.view(), words))
    assert words("structure.handicap.chips", each="200", example="1,600", most="5,000") in page
    scene.register(A, B, C, D)
    shown = details(scene.view(), words)
    given = words("event.between").join(
        words("event.handicap.chips", player=f"<@{player}>", amount=amount)
        for player, amount in ((B, "+1,600"), (C, "+600"))
    )
    assert words("event.handicaps", handicaps=given) in text_of(shown)
    assert text_length(shown) < 4000
    scene.start()
    scene.go_on()
    assert words("event_notice.handicaps", handicaps=given) in posted(scene, Notice.STARTED, language)
    told = fact_line(scene.log("handicapped")[0], words)
    for player, amount in ((B, "+1,600"), (C, "+600")):
        assert words("event.log.handicap", player=f"<@{player}>", amount=amount) in told
    assert words("event.handicaps", handicaps=given) not in text_of(details(scene.view(), words))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_league_tells_points_and_a_bracket_speaks_of_its_matches(language: str) -> None:
    scene, words = Scene(), words_for(language)
    rate(scene, A=1.5, B=0.7)
    scene.announce(structure(Format.LEAGUE, rounds=5, round_hands=6, handicap=True))
    scene.register(A, B)
    shown = text_of(details(scene.view(), words))
    assert words("structure.handicap.points") in shown
    assert words("event.handicap.points", player=f"<@{B}>", amount="+24") in shown
    scene.announce(structure(Format.DOUBLE, handicap=True))
    shown = text_of(details(scene.view(), words))
    assert words("structure.handicap.matches", each="20", example="160", most="500") in shown


async def test_it_is_chosen_on_the_draft_which_says_what_it_is_not_for(club: Club) -> None:
    words = club.words("alice")
    shown = await page(club, name="Friends", preset="heads_up", when="in 2 hours")
    shown = await write(club, shown, handicap="yes")
    assert shown.has("ev_form_publish")
    assert words("structure.handicap.matches", each="200", example="1,600", most="5,000") in await rules_of(club, shown)
    shown = await write(club, shown, fee="100")
    assert words("structure.problem.handicap_at_stake") in shown.text
    assert not shown.has("ev_form_publish")
    shown = await write(club, shown, fee="")
    shown = await write(club, shown, name="Friends", when="in 2 hours", series="Spring")
    assert words("structure.problem.handicap_series") in shown.text
    assert not shown.has("ev_form_publish")
