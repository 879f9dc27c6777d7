"""Tests of stand-ins: members with the organisers' role who run the events that they don't play in."""

from dataclasses import replace
from itertools import product

import pytest

from bot.model.choices import ServerSettings
from bot.model.events import Official
from bot.model.ids import Player
from bot.model.reasons import EventReason, OrganiserReason
from bot.play import terms as terms_of
from bot.play.event.office import permissions, views
from bot.play.event.organisers import changing, desk_acts, organiser, organiser_desk, overview
from tests.play.event.event_world import BOSS, CHANNEL, GUILD, A, B, C, D, Scene, structure

ROLE, OTHER = 77, 78
AIDE = Official(player=Player("9"), roles=frozenset({ROLE, OTHER}))
MEMBER = Official(player=Player("9"), roles=frozenset({OTHER}))


def choose(scene: Scene, **settings: object) -> None:
    """Change the server's settings."""
    scene.write(lambda s: s.tx.choices.save_server(GUILD, replace(s.tx.choices.server(GUILD), **settings)))  # type: ignore[arg-type]


@pytest.fixture
def aided(scene: Scene) -> Scene:
    """An event for two that starts in an hour, in a server with stand-ins. A and B are registered, and C waits."""
    choose(scene, organiser_role=ROLE, stand_ins=True)
    scene.announce(structure(most=2, least=2))
    scene.register(A, B, C)
    return scene


def may_run(scene: Scene, by: Official) -> bool:
    """True if they may, which the desk, the suggestions and the log agree on."""
    found = scene.write(lambda s: organiser.organises(s, scene.key, by))
    glance = scene.write(lambda s: overview.glance(s, scene.key, by))
    seen = scene.write(lambda s: overview.overview(s, GUILD, by, channel=CHANNEL)).events[0]
    assert (glance.organises, glance.desk is not None) == (found, found)
    assert (seen.organises, seen.desk is not None) == (found, found)
    if not found:
        scene.refused(OrganiserReason.NOT_ORGANISER, lambda: organiser_desk.desk(scene.session(), scene.key, by))
    return found


@pytest.mark.parametrize(("role", "on", "held"), [*product((ROLE, None), (True, False), (AIDE, MEMBER))])
def test_only_the_role_in_a_server_that_allows_it_stands_in(
    scene: Scene, role: int | None, on: bool, held: Official
) -> None:
    choose(scene, organiser_role=role, stand_ins=on)
    scene.announce(structure())
    assert may_run(scene, held) == (role == ROLE and on and held is AIDE)


def test_nobody_stands_in_by_default(scene: Scene) -> None:
    choose(scene, organiser_role=ROLE)
    scene.announce(structure())
    assert not ServerSettings().stand_ins
    assert not may_run(scene, AIDE)


def test_a_player_does_not_run_the_event(aided: Scene) -> None:
    aides = {player: Official(player=player, roles=AIDE.roles) for player in (A, B, C, D)}
    assert {player for player, aide in aides.items() if may_run(aided, aide)} == {D}, "C waits for a place"
    aided.withdraw(A)
    assert may_run(aided, aides[A]), "who has withdrawn doesn't play"


def test_a_player_who_was_disqualified_does_not_run_it_either(aided: Scene) -> None:
    aided.organise(organiser.disqualify, A, why="cheats")
    assert not may_run(aided, Official(player=A, roles=AIDE.roles))


def test_a_stand_in_who_registers_runs_it_no_more(aided: Scene) -> None:
    aided.withdraw(A)
    aided.withdraw(C)
    assert may_run(aided, AIDE)
    aided.register(AIDE.player)
    assert not may_run(aided, AIDE)
    aided.refused(OrganiserReason.NOT_ORGANISER, lambda: aided.organise(organiser.start_now, by=AIDE))


def test_a_stand_in_who_has_ruled_cannot_enter(aided: Scene) -> None:
    aided.organise(organiser.unregister, A, by=AIDE)
    aided.refused(EventReason.HAS_RULED, lambda: aided.register(AIDE.player))


def test_stand_ins_use_the_tools_as_organisers_do(aided: Scene) -> None:
    aided.organise(changing.postpone_a_little, by=AIDE, terms=terms_of.of_start(aided.event))
    aided.organise(organiser.announce, "Soon", by=AIDE)
    aided.organise(organiser.start_now, by=AIDE)
    aided.organise(organiser.pause, by=AIDE)
    assert aided.event.paused
    assert aided.write(lambda s: views.log(s, aided.key, AIDE))
    aided.organise(desk_acts.attend, A, by=AIDE, away=True)
    aided.organise(organiser.cancel, by=AIDE, why="Rain")


def test_stand_ins_choose_no_co_organisers(aided: Scene) -> None:
    for player in (AIDE.player, D):
        aided.refused(
            OrganiserReason.STANDS_IN,
            lambda player=player: aided.organise(organiser.co_organiser, player, by=AIDE, remove=False),  # type: ignore[misc]
        )


def test_the_choice_is_read_at_each_press(aided: Scene) -> None:
    assert may_run(aided, AIDE)
    choose(aided, stand_ins=False)
    aided.refused(OrganiserReason.NOT_ORGANISER, lambda: aided.organise(organiser.start_now, by=AIDE))
    choose(aided, stand_ins=True, organiser_role=OTHER + 1)
    assert not may_run(aided, AIDE)


def test_an_organiser_who_plays_keeps_what_they_may_do(aided: Scene) -> None:
    aided.organise(organiser.co_organiser, A, remove=False)
    own = Official(player=A, roles=AIDE.roles)
    assert may_run(aided, own)
    assert not aided.write(lambda s: permissions.stands_in_now(s, aided.event, own))
    aided.refused(OrganiserReason.PLAYS_HERE, lambda: aided.organise(organiser.disqualify, B, by=own, why="x"))
    assert may_run(aided, BOSS)
