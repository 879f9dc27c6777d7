"""The totals of an event's table, whose chips don't always follow the points."""

from dataclasses import replace

import pytest

from bot.chat.kit.faces import Faces
from bot.chat.table.screens.result import closing_screen
from bot.play.queries.results import ClosingView, closing_of
from bot.pure.ofc.settlement import WinCap
from bot.text.languages import LANGUAGES
from bot.text.words import words_for
from tests.discord.test_event_screen import text_of
from tests.play.event.event_world import GUILD, A, B, Scene, structure


def closed(scene: Scene) -> ClosingView:
    """Return the totals of the scene's first table, as if it closed now."""
    view = closing_of(scene.session(), scene.spot(1).key)
    return replace(view, table=replace(view.table, closed_reason="event_over"))


def told(view: ClosingView, language: str) -> list[str]:
    """Return the small lines below the totals."""
    faces = Faces()
    for player, name in ((A, "Ann"), (B, "Bob")):
        faces.names.saw(GUILD, player, name)
    return [line for line in text_of(closing_screen(view, words_for(language), faces)).split("\n") if line[:2] == "-#"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_chips_that_a_higher_level_decided_are_explained(scene: Scene, language: str) -> None:
    scene.begin(structure(levels=(10, 50), level_hands=1), A, B)
    scene.hand(1, {(A, B): 6})
    scene.go_on()
    assert told(closed(scene), language) == [], "points and chips agree so far"
    scene.hand(1, {(B, A): 4})
    view, words = closed(scene), words_for(language)
    assert [(one.player, one.points, one.chips) for one in view.totals] == [(A, 2, -140), (B, -2, 140)]
    both = words.list(["**Ann**", "**Bob**"])
    assert told(view, language) == [words("closing.by_levels", players=both)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_chips_that_a_stack_limited_are_explained(scene: Scene, language: str) -> None:
    scene.begin(replace(structure(stack=200, levels=(10,), level_hands=9), win_cap=WinCap.OWN_STACK), A, B)
    scene.hand(1, {(A, B): 19})
    scene.go_on()
    scene.hand(1, {(B, A): 22})
    view, words = closed(scene), words_for(language)
    assert [(one.player, one.points, one.chips) for one in view.totals] == [(B, 3, -180), (A, -3, 180)]
    both = words.list(["**Bob**", "**Ann**"])
    assert told(view, language) == [words("closing.by_stacks", players=both)]
