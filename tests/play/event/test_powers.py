"""Limits for organisers who play, public rulings, and permissions for prizes."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from bot.model.clock import HOUR
from bot.model.events import Entrant, EntrantState, Notice, Official, Phase
from bot.model.ids import EventKey, Player, TableId
from bot.model.reasons import EventReason, OrganiserReason, PlanReason
from bot.play.event.floor import floor
from bot.play.event.floor.event_state import read_field
from bot.play.event.office import views
from bot.play.event.office.permissions import MemberPermissions
from bot.play.event.organisers import calls, desk_acts, organiser, organiser_desk
from bot.play.session.session import Session
from bot.play.table import seats
from tests.play.event.event_world import BOSS, STRANGER, A, B, C, D, E, F, Scene, structure

ME = BOSS.player
WHY = "card shown"
MANAGER = Official(player=D, manager=True)
Tool = Callable[..., Any]
RULINGS: list[tuple[Tool, tuple[Any, ...], dict[str, Any]]] = [
    (organiser.penalty, (A,), {"hands": 2, "why": WHY}),
    (organiser.disqualify, (A,), {"why": WHY}),
    (organiser.reinstate, (A,), {}),
    (organiser.unregister, (A,), {}),
    (organiser.adjust, (ME,), {"amount": 10_000_000, "why": WHY}),
    (organiser.move, (A,), {"table": TableId(2), "why": WHY}),
    (organiser.cancel, (), {"why": WHY}),
    (organiser.co_organiser, (STRANGER.player,), {"remove": False}),
]

NOT_WHILE_IT_RUNS = (organiser.cancel, organiser.reinstate, organiser.unregister)
"""After the first act the event is over, and the others have no player to act on."""


def _absent(s: Session, key: EventKey, player: Player) -> None:
    floor.attend(read_field(s, key), player, away=True)


def _ids(tool: object) -> str:
    return getattr(tool, "__name__", "")


# an organiser who plays


@pytest.mark.parametrize(("tool", "args", "details"), RULINGS, ids=_ids)
def test_an_organiser_who_plays_rules_on_nothing_once_it_has_begun(
    scene: Scene, tool: Tool, args: tuple[Any, ...], details: dict[str, Any]
) -> None:
    scene.begin(structure(), ME, A, B)
    scene.hand(1)
    scene.refused(OrganiserReason.PLAYS_HERE, partial(scene.organise, tool, *args, **details))


@pytest.mark.parametrize(("tool", "args", "details"), RULINGS, ids=_ids)
def test_nor_does_one_who_is_out(scene: Scene, tool: Tool, args: tuple[Any, ...], details: dict[str, Any]) -> None:
    scene.begin(structure(), ME, A, B)
    scene.knock_out(A, ME)
    assert scene.entrant(ME).state is EntrantState.OUT
    scene.refused(OrganiserReason.PLAYS_HERE, partial(scene.organise, tool, *args, **details))


def test_a_co_organiser_who_plays_has_no_more_power_than_the_organiser(scene: Scene) -> None:
    scene.announce(structure())
    scene.organise(organiser.co_organiser, A, remove=False)
    scene.register(A, B, C)
    scene.start()
    by = Official(player=A)
    scene.refused(OrganiserReason.PLAYS_HERE, lambda: scene.organise(organiser.disqualify, B, why=WHY, by=by))
    scene.organise(organiser.disqualify, B, why=WHY)


def test_an_organiser_who_is_registered_puts_nobody_out_before_the_start_but_may_call_it_off(scene: Scene) -> None:
    scene.announce(structure(fee=3000))
    scene.register(ME, A)
    scene.refused(OrganiserReason.PLAYS_HERE, lambda: scene.organise(organiser.disqualify, A, why=WHY))
    scene.organise(organiser.cancel, why=WHY)
    assert [scene.wallet(one) for one in (ME, A)] == [5000, 5000]


def test_an_organiser_who_has_withdrawn_has_all_tools(scene: Scene) -> None:
    scene.announce(structure())
    scene.register(ME, A, B, C)
    scene.withdraw(ME)
    scene.organise(organiser.disqualify, A, why=WHY)
    assert scene.entrant(A).disqualified


def test_an_organiser_who_plays_may_still_pause_and_announce(scene: Scene) -> None:
    scene.begin(structure(), ME, A, B)
    scene.organise(organiser.pause)
    scene.organise(organiser.resume)
    scene.organise(organiser.announce, "Ten minutes")


def test_a_manager_who_plays_acts_and_it_is_told_that_they_play(scene: Scene) -> None:
    scene.begin(structure(), MANAGER.player, A, B)
    scene.organise(organiser.disqualify, A, why=WHY, by=MANAGER)
    assert scene.notices(Notice.RULING)[1:] == [
        {"what": "disqualified", "by": MANAGER.player, "plays": True, "manager": True, "player": A, "why": WHY}
    ]


def test_an_organiser_who_plays_cannot_take_the_tools_from_one_who_does_not(scene: Scene) -> None:
    scene.announce(structure())
    scene.organise(organiser.co_organiser, STRANGER.player, remove=False)
    scene.register(ME, A, B)
    scene.start()
    take = partial(scene.organise, organiser.co_organiser, STRANGER.player, remove=True)
    scene.refused(OrganiserReason.PLAYS_HERE, take)
    take(by=MANAGER)


# ruling first, playing later


@pytest.mark.parametrize(
    ("tool", "args", "details"), [one for one in RULINGS if one[0] not in NOT_WHILE_IT_RUNS], ids=_ids
)
def test_an_organiser_who_has_ruled_does_not_enter_late(
    scene: Scene, tool: Tool, args: tuple[Any, ...], details: dict[str, Any]
) -> None:
    scene.begin(structure(late_levels=2, table_seats=4), A, B, C, D, E, F)
    one = scene.tables()[1][0]
    scene.hand(1)
    scene.organise(tool, *(one if who in (A, ME) else who for who in args), **details)
    scene.refused(EventReason.HAS_RULED, lambda: scene.register(ME))


def test_nor_does_one_who_has_put_somebody_out_before_the_start(scene: Scene) -> None:
    scene.announce(structure())
    scene.register(ME, A, B)
    scene.withdraw(ME)
    scene.organise(organiser.disqualify, A, why=WHY)
    scene.refused(EventReason.HAS_RULED, lambda: scene.register(ME))


def test_nor_does_one_who_has_taken_somebody_off_the_list(scene: Scene) -> None:
    scene.announce(structure())
    scene.register(A, B)
    scene.organise(organiser.unregister, A)
    scene.refused(EventReason.HAS_RULED, lambda: scene.register(ME))


def test_who_has_named_a_co_organiser_before_the_start_may_play(scene: Scene) -> None:
    scene.announce(structure())
    scene.organise(organiser.co_organiser, STRANGER.player, remove=False)
    scene.register(ME)
    assert scene.entrant(ME).registered


# public announcements


def test_every_ruling_is_told_with_who_whom_and_why(scene: Scene) -> None:
    scene.begin(structure(table_seats=3), A, B, C, D)
    one, other = (players[0] for players in scene.tables().values())
    scene.organise(organiser.co_organiser, STRANGER.player, remove=False)
    scene.organise(organiser.penalty, one, hands=2, why=WHY)
    scene.organise(organiser.penalty, one, hands=0, why="a mistake")
    for table in scene.playing():
        scene.hand(table)
    scene.organise(organiser.adjust, one, amount=-5, why=WHY)
    scene.organise(organiser.disqualify, other, why=WHY)
    scene.organise(organiser.co_organiser, STRANGER.player, remove=True)
    by = {"by": ME, "plays": False, "manager": False}
    assert scene.notices(Notice.RULING)[1:] == [
        {**by, "what": "helper", "player": STRANGER.player},
        {**by, "what": "penalty", "player": one, "hands": 2, "why": WHY},
        {**by, "what": "penalty", "player": one, "hands": 0, "why": "a mistake"},
        {**by, "what": "adjusted", "player": one, "amount": -5, "why": WHY},
        {**by, "what": "disqualified", "player": other, "why": WHY},
        {**by, "what": "helper_removed", "player": STRANGER.player},
    ]


def test_a_move_by_hand_is_told_with_who_whom_and_why(scene: Scene) -> None:
    scene.begin(structure(table_seats=4), A, B, C, D, E, F)
    one = scene.tables()[1][0]
    scene.hand(1)
    scene.organise(organiser.move, one, table=TableId(2), why=WHY)
    told = {"by": ME, "plays": False, "manager": False, "player": one, "table": 2, "why": WHY}
    assert scene.notices(Notice.RULING)[1:] == [{"what": "moved", **told}]
    assert scene.table_of(one) == 2
    assert not scene.notices(Notice.MOVED), "one message tells it"
    assert scene.log("moved")[-1].details == {"moves": [[one, 1, 2]]}


def test_a_move_that_a_hand_is_in_the_way_of_is_told_when_it_is_decided_and_when_it_is_made(scene: Scene) -> None:
    scene.begin(structure(table_seats=4), A, B, C, D, E, F)
    one = scene.tables()[1][0]
    scene.go_on()
    scene.organise(organiser.move, one, table=TableId(2), why=WHY)
    assert [told["what"] for told in scene.notices(Notice.RULING)[1:]] == ["to_be_moved"]
    assert not scene.notices(Notice.MOVED)
    scene.hand(1)
    assert [told["moves"] for told in scene.notices(Notice.MOVED)] == [[[one, 1, 2]]]
    assert [told["what"] for told in scene.notices(Notice.RULING)[1:]] == ["to_be_moved"]


def test_calling_it_off_is_told_with_who_and_why(scene: Scene) -> None:
    scene.begin(structure(), A, B)
    scene.organise(organiser.cancel, why=" No\u202e power ")
    assert scene.notices(Notice.CANCELLED) == [
        {"reason": "organiser", "by": ME, "plays": False, "manager": False, "why": "No power", "again": True}
    ]
    assert scene.log("cancelled")[0].details == {"why": "No power"}


def test_pauses_and_an_early_start_are_told_with_who(scene: Scene) -> None:
    scene.begin(structure(), A, B)
    scene.organise(organiser.pause)
    scene.organise(organiser.resume)
    assert scene.notices(Notice.RULING) == [{"what": "started_early", "by": ME, "plays": False, "manager": False}]
    assert [scene.notices(kind) for kind in (Notice.PAUSED, Notice.RESUMED)] == [[{"by": ME}]] * 2


@pytest.mark.parametrize(("tool", "args", "details"), [one for one in RULINGS if "why" in one[2]], ids=_ids)
def test_no_ruling_without_a_reason_that_can_be_read(
    scene: Scene, tool: Tool, args: tuple[Any, ...], details: dict[str, Any]
) -> None:
    scene.begin(structure(), ME, A, B)
    scene.hand(1)
    for why in ("", "\u2066\u2069"):
        scene.refused(
            OrganiserReason.NO_REASON, partial(scene.organise, tool, *args, by=MANAGER, **(details | {"why": why}))
        )


# the log


def test_the_log_is_for_everybody_in_the_event_and_for_its_officials(scene: Scene) -> None:
    scene.begin(structure(), A, B, C)
    scene.organise(organiser.disqualify, B, why=WHY)
    for reader in (Official(player=A), Official(player=B), BOSS, MANAGER):
        assert views.log(scene.session(), scene.key, reader)[-1].kind
    scene.refused(EventReason.NOT_IN_THIS_EVENT, lambda: views.log(scene.session(), scene.key, STRANGER))


# prizes


def test_who_does_not_manage_the_server_makes_no_chips_for_the_pool(scene: Scene) -> None:
    rich = structure(added=1_000_000)
    scene.refused(PlanReason.NO_ADDED_POWER, lambda: scene.announce(rich, authority=MemberPermissions()))
    scene.announce(rich, authority=MemberPermissions(manager=True))
    assert scene.event.structure.added == 1_000_000


def test_only_roles_that_the_organiser_may_give_are_promised(scene: Scene) -> None:
    plan = structure(roles=(5, 0, 6))
    for roles in ((), (5,), (6, 7)):
        authority = MemberPermissions(manager=True, roles=frozenset(roles))
        scene.refused(PlanReason.NO_ROLE_POWER, partial(scene.announce, plan, authority=authority))
    scene.announce(plan, authority=MemberPermissions(roles=frozenset((5, 6))))
    assert scene.event.structure.roles == (5, 0, 6)


# the attack


def test_an_organiser_who_plays_cannot_take_the_pool(scene: Scene) -> None:
    scene.begin(structure(fee=3000, least=3), ME, A, B)
    scene.hand(1)
    for tool, args, details in (*RULINGS, (organiser.disqualify, (B,), {"why": WHY})):
        scene.refused(OrganiserReason.PLAYS_HERE, partial(scene.organise, tool, *args, **details))
    assert scene.event.phase is Phase.RUNNING
    assert [scene.wallet(one) for one in (ME, A, B)] == [2000, 2000, 2000]
    assert scene.pool() == 9000
    people: list[Entrant] = [scene.entrant(one) for one in (ME, A, B)]
    assert all(entrant.playing for entrant in people)


def test_whom_an_organiser_sits_out_is_away_and_not_missing_until_they_have_been_back(scene: Scene) -> None:
    scene.begin(structure(), A, B, C)
    table = scene.spot(1).key

    def seen() -> tuple[set[Player], set[Player]]:
        desk = organiser_desk.desk(scene.session(), scene.key, BOSS)
        return set(desk.away), set(desk.missing)

    def away(*players: Player) -> None:
        """The clock has placed for them long enough."""
        scene.wait(HOUR)
        for player in players:
            scene.write(partial(_absent, key=scene.key, player=player))

    def back(*players: Player) -> None:
        """They say that they are there."""
        scene.wait(HOUR)
        for player in players:
            scene.write(partial(seats.stay, key=table, player=player, cause=scene.cause()))

    scene.organise(desk_acts.attend, A, away=True)
    away(B)
    assert seen() == ({A, B}, {B})
    scene.organise(calls.call_missing)
    (called,) = scene.notices(Notice.CALLED)
    assert called["players"] == [B]
    back(A, B)
    assert seen() == (set(), set())
    scene.refused(OrganiserReason.NOBODY_MISSES, lambda: scene.organise(calls.call_missing))
    away(A, B)
    assert seen() == ({A, B}, {A, B}), "who was back is missing again"
    scene.organise(desk_acts.attend, B, away=False)
    scene.organise(desk_acts.attend, B, away=True)
    assert seen() == ({A, B}, {A})
