"""An event numbers its tables from 1, and each number has one thread."""

from __future__ import annotations

from bot.play.event.office import table_hooks
from bot.pure.event.structure import Format
from tests.play.event.event_world import A, B, C, D, E, F, G, H, Scene, structure

THREADS = {1: 1001, 2: 1002}


def numbers(scene: Scene) -> dict[int, int]:
    """The open tables' numbers for people, by their stored ids."""
    return {int(table): spot.table.number for table, spot in scene.field().spots.items()}


def former(scene: Scene, table: int) -> int | None:
    """The thread that a table takes over."""
    found = table_hooks.former_table(scene.session(), scene.spot(table).key)
    return None if found is None else found.channel


def house(scene: Scene, table: int, channel: int | None) -> None:
    """Give an open table this thread."""
    key = scene.spot(table).key
    assert scene.write(lambda s: table_hooks.set_thread(s, key, channel=channel))


def test_each_round_numbers_its_tables_from_one_and_the_views_know_all_of_them(scene: Scene) -> None:
    scene.begin(structure(Format.LEAGUE, rounds=2, round_hands=1), A, B, C, D, E, F)
    assert numbers(scene) == {1: 1, 2: 2}
    scene.hands()
    assert numbers(scene) == {3: 1, 4: 2}
    view = scene.view()
    assert view.table_numbers == {1: 1, 2: 2, 3: 1, 4: 2}
    assert [view.number_of(table) for table in (1, 4, 99)] == [1, 2, 99]


def test_a_table_gets_the_lowest_number_that_is_free(scene: Scene) -> None:
    scene.begin(structure(Format.SINGLE, table_seats=2), A, B, C, D, E, F, G, H)
    assert numbers(scene) == {1: 1, 2: 2, 3: 3, 4: 4}
    for table in (4, 3):
        winner, loser = scene.tables()[table]
        scene.knock_out(winner, loser)
    scene.go_on()
    assert numbers(scene) == {1: 1, 2: 2, 5: 3}


def test_a_table_takes_over_the_thread_of_the_last_one_with_its_number(scene: Scene) -> None:
    scene.begin(structure(Format.LEAGUE, rounds=3, round_hands=1), A, B, C, D, E, F)
    assert [former(scene, table) for table in (1, 2)] == [None, None]
    scene.hand(1)
    keys = [scene.spot(table).key for table in (2,)]
    house(scene, 2, None)
    scene.hand(2)
    assert numbers(scene) == {3: 1, 4: 2}
    assert [former(scene, table) for table in (3, 4)] == [None, None], "they were played in the channel"
    for table in (3, 4):
        house(scene, table, THREADS[scene.spot(table).table.number])
    assert [table_hooks.has_successor(scene.session(), key) for key in keys] == [True]
    scene.go_on()
    scene.hand(3)
    scene.hand(4)
    assert numbers(scene) == {5: 1, 6: 2}
    assert [former(scene, table) for table in (5, 6)] == [THREADS[1], THREADS[2]]
    house(scene, 5, THREADS[1])
    assert former(scene, 5) is None, "an open table is played there"


def test_a_closed_table_has_no_successor_until_one_is_opened(scene: Scene) -> None:
    scene.begin(structure(Format.LEAGUE, rounds=2, round_hands=1), A, B, C, D, E, F)
    key = scene.spot(1).key
    assert table_hooks.has_successor(scene.session(), key), "it's open itself"
    scene.hand(1)
    scene.go_on()
    assert not table_hooks.has_successor(scene.session(), key)
    scene.hand(2)
    assert table_hooks.has_successor(scene.session(), key)
