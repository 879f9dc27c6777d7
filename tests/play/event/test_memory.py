"""Caches of events' tables."""

import pytest

from bot.play.queries import views
from bot.pure.event.structure import Format
from bot.store.storage import OF_EVENTS, OF_TABLES
from tests.play.event.event_world import Scene, somebody, structure
from tests.play.event.storage import InMemory
from tests.play.event.test_leagues import NO_FANTASYLAND

READ = 20
"""SQLite's number for a column that is read."""


# Only SQLite shows which tables a connection reads.
@pytest.mark.of_sqlite
@pytest.mark.parametrize("form", list(Format))
def test_whatever_a_look_at_a_table_reads_is_watched(scene: Scene, form: Format) -> None:
    people = [somebody(number) for number in range(1, 9)]
    scene.begin(structure(form), *people, variant=NO_FANTASYLAND)
    asked: set[str] = set()

    def may(action: int, table: str | None, *_: object) -> int:
        if action == READ and table:
            asked.add(table)
        return 0

    session, keys = scene.session(), [spot.table.key for spot in scene.field().spots.values()]
    assert isinstance(scene.storage, InMemory)
    scene.storage.connection.set_authorizer(may)
    for key in keys:
        views.look(session, key)
    scene.storage.connection.set_authorizer(None)
    # The name of a bracket's match depends on the number of players drawn, which is fixed before its tables exist.
    # So are byes in a shoot-out. The winner of a table is recorded with it.
    drawn = {"entrant"} if form.heads_up or form is Format.SHOOTOUT else set[str]()
    assert {"game_table", "event", "event_table"} <= asked <= OF_TABLES | OF_EVENTS | drawn
