"""Texts about bounties: on the page, at eliminations, in the standings and at the end."""

from __future__ import annotations

import pytest

from bot.chat.event.screens.notice import notice_pages
from bot.chat.event.screens.tools import cancel_text
from bot.chat.kit.fragments import text_length
from bot.model.events import Notice
from bot.play.event.organisers import organiser
from bot.text.event_structure import prize_lines
from bot.text.languages import LANGUAGES
from bot.text.words import words_for
from tests.discord.test_event_screen import details, text_of
from tests.play.event.event_world import A, B, C, D, Scene, structure


def posted(scene: Scene, kind: Notice, language: str) -> str:
    """The text of the last message of a kind."""
    waiting = scene.committed.outbox.event_postings(scene.key, limit=1000)
    last = [one for one in waiting if one.notice is kind][-1]
    return "\n".join(text_of(page.screen) for page in notice_pages(last, scene.view(), words_for(language)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_knock_out_is_told_where_people_look(language: str) -> None:
    scene, words = Scene(), words_for(language)
    plan = structure(fee=300, bounty=100, bounty_grows=True, table_seats=4, payouts=(100,))
    assert words("structure.bounty_grows", chips="100") in prize_lines(plan, words)
    scene.begin(plan, A, B, C, D)
    page = text_of(details(scene.view(), words))
    assert words("structure.bounty_grows", chips="100") in page
    assert words("structure.pool", chips="800") in page
    scene.knock_out(A, B)
    told: dict[str, str | int] = {"player": f"<@{A}>", "loser": f"<@{B}>", "count": 50, "grows": "50"}
    assert words("event_notice.bounty_grows", **told) in posted(scene, Notice.OUT, language)
    running = details(scene.view(), words)
    assert words("event.head", chips="150") in text_of(running)
    assert words("event.bounties", count=50, chips="50") in text_of(running)
    assert text_length(running) < 4000
    scene.go_on()
    scene.knock_out(A, C, D)
    ended = posted(scene, Notice.ENDED, language)
    assert words("event.bounties", count=400, chips="400") in ended
    assert words("event.bounties", count=400, chips="400") in text_of(details(scene.view(), words))


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_bounties_do_not_grow_nothing_stands_on_a_head(language: str) -> None:
    scene, words = Scene(), words_for(language)
    scene.begin(structure(fee=300, bounty=100, table_seats=4), A, B, C, D)
    scene.knock_out(A, B)
    values: dict[str, str | int] = {"player": f"<@{A}>", "loser": f"<@{B}>", "count": 100}
    assert words("event_notice.bounty", **values) in posted(scene, Notice.OUT, language)
    assert words("event.head", chips="100") not in text_of(details(scene.view(), words))


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_it_is_called_off_nobody_reads_that_all_of_each_fee_came_back(language: str) -> None:
    scene, words = Scene(), words_for(language)
    scene.begin(structure(fee=300, bounty=100, table_seats=4), A, B, C, D)
    scene.knock_out(A, B)
    asked = cancel_text(scene.event, words)
    scene.organise(organiser.cancel, why="power cut")
    for text, key in (
        (asked, "event.ask.cancel"),
        (posted(scene, Notice.CANCELLED, language), "event_notice.cancelled.refunded"),
        (text_of(details(scene.view(), words)), "event.cancelled.title"),
    ):
        named = {"name": scene.event.name} if key == "event.ask.cancel" else {}
        assert words(f"{key}_bounty", **named) in text
