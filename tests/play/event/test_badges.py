"""The badge of an event's winner: it is earned by cards that they placed."""

import pytest

from bot.event.structure import Format
from bot.model.careers import Badge
from bot.model.events import Notice, Phase
from bot.play.event import floor
from bot.play.event.field import read_field
from tests.play.event.event_world import A, B, Scene, structure


def _goes_away(scene: Scene) -> None:
    scene.write(lambda s: floor.attend(read_field(s, scene.key), A, away=True))


@pytest.mark.parametrize("placed", [True, False])
def test_a_winner_who_never_placed_a_card_earns_no_badge(scene: Scene, placed: bool) -> None:
    scene.begin(structure(Format.SIT_AND_GO), A, B)
    if placed:
        scene.hand(1)
        scene.go_on()
    _goes_away(scene)
    scene.hand(1)
    scene.go_on()
    scene.knock_out(A, B)
    scene.ends(Phase.ENDED)
    assert scene.places() == [A, B]
    assert [earned.badge for earned in scene.committed.badges(scene.key.guild, A)] == [Badge.EVENT_WON] * placed
    (ended,) = scene.notices(Notice.ENDED)
    assert ended["first_win"] is placed
