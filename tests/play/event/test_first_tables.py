"""The first tables of a big event, opened in batches so that no press waits for all of them."""

import pytest

from bot.model.events import Notice, Phase
from bot.model.ids import Player
from bot.play.event.office.director import OPENED_AT_ONCE
from bot.play.event.organisers import organiser
from bot.pure.event.structure import Format
from tests.play.event.event_world import BOSS, POLICY, Scene, structure

MANY = 3 * OPENED_AT_ONCE - 4
"""Tables."""


def crowd(scene: Scene, form: Format) -> list[Player]:
    """An event of so many tables that has just been started."""
    plan = structure(form, most=512, fee=10)
    people = [Player(str(5_000 + number)) for number in range(MANY * plan.table_seats)]
    scene.announce(plan)
    scene.register(*people)
    scene.start()
    return people


def look(scene: Scene) -> None:
    """The event's alarm rings."""
    scene.write(lambda s: s.events_to_direct.add(scene.key))


def tables(scene: Scene) -> int:
    """Return the number of open tables."""
    return len(scene.field().spots)


@pytest.mark.parametrize("form", [Format.TOURNAMENT, Format.SINGLE, Format.SHOOTOUT, Format.LEAGUE])
def test_no_transaction_opens_many_tables_and_all_are_told_together(scene: Scene, form: Format) -> None:
    people = crowd(scene, form)
    opened = [tables(scene)]
    while scene.seating():
        assert not scene.notices(Notice.STARTED)
        assert scene.event.alarm_at == scene.now
        look(scene)
        opened.append(tables(scene))
    assert opened == [OPENED_AT_ONCE, 2 * OPENED_AT_ONCE, MANY]
    (told,) = scene.notices(Notice.STARTED)
    assert len(told["tables"]) == MANY
    assert sorted(player for _, players in told["tables"] for player in players) == sorted(people)
    assert scene.field().seated == set(people)


def test_the_seats_are_those_that_were_drawn(scene: Scene) -> None:
    crowd(scene, Format.TOURNAMENT)
    while scene.seating():
        look(scene)
    order = sorted(scene.field().playing, key=lambda entrant: entrant.number)
    assert [one.player for one in order[:MANY]] == [spot.seats[0].player for spot in scene.field().spots.values()]
    assert {scene.field().chips(one.player) for one in order} == {1000}


def test_who_is_put_out_or_comes_while_tables_are_opened_loses_nothing(scene: Scene) -> None:
    people = crowd(scene, Format.TOURNAMENT)
    gone = scene.field().unseated[0]
    scene.organise(organiser.disqualify, gone, why="cheated")
    while scene.seating():
        look(scene)
    scene.go_on()
    field = scene.field()
    assert field.seated == set(people) - {gone}
    assert sum(field.chips(player) for player in people) == 1000 * (len(people) - 1)


def test_an_event_that_is_called_off_while_tables_are_opened_pays_everybody_back(scene: Scene) -> None:
    people = crowd(scene, Format.TOURNAMENT)
    scene.organise(organiser.cancel, why="no power")
    assert scene.event.phase is Phase.CANCELLED
    assert {scene.wallet(player) for player in people} == {POLICY.start_chips}
    assert BOSS.player not in people
