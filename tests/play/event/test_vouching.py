"""Prizes of events, which need a permitted organiser at each announcement or are dropped."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from bot.model.bank import Action
from bot.model.events import Notice, Official, Phase, RepeatInterval
from bot.model.ids import Player
from bot.model.reasons import OrganiserReason, PlanReason, PlayReason
from bot.play.event.office import permissions
from bot.play.event.office.permissions import NO_AUTHORITY, MemberPermissions
from bot.play.event.organisers import organiser
from tests.play.event.event_world import ANY, BOSS, CHANNEL, HOUR, A, B, C, Scene, structure
from tests.play.event.test_repeats import others

ZONE = "Europe/Berlin"
HELPER = Official(player=C)
RICH = structure(added=1_000_000, titles=("Champion",), roles=(5,), late_levels=0)
ANNOUNCES = MemberPermissions(announces=True)


def weekly(scene: Scene) -> None:
    """An event with promises that its organiser has set repeating, with a helper who manages nothing."""
    scene.announce(RICH)
    scene.organise(organiser.co_organiser, C, remove=False)
    repeat(scene, BOSS, ANY)


def repeat(
    scene: Scene, by: Official, authority: MemberPermissions, every: RepeatInterval | None = RepeatInterval.WEEK
) -> None:
    """Set the event repeating, or stop it."""
    scene.organise(organiser.repeat, every=every, zone=ZONE, by=by, authority=authority)


def next_one(scene: Scene) -> None:
    """The event is called off; from now on the scene's is the one that follows."""
    scene.organise(organiser.cancel, why="Rain")
    (scene.key,) = others(scene)


def asked(scene: Scene, authority: MemberPermissions) -> None:
    """The bot has asked Discord what the one who vouches may do."""
    scene.write(lambda s: permissions.vouch(s, scene.key, authority))
    for posting in scene.committed.outbox.event_postings(scene.key, limit=100):
        if posting.notice is Notice.VOUCH:
            scene.write(partial(_posted, number=posting.number))


def _posted(s: object, *, number: int) -> None:
    s.tx.outbox.event_posted(number)  # type: ignore[attr-defined]


def given(scene: Scene) -> tuple[int, tuple[int, ...], tuple[str, ...], bool]:
    """Return the event's prizes, and whether another event follows it."""
    plan = scene.event.structure
    return plan.added, tuple(role for role in plan.roles if role), plan.titles, scene.event.repeat is not None


EVERYTHING = (1_000_000, (5,), ("Champion",), True)


# repeating


@pytest.mark.parametrize(
    ("authority", "reason"),
    [
        (NO_AUTHORITY, PlanReason.NO_REPEAT_POWER),
        (ANNOUNCES, PlanReason.NO_ADDED_POWER),
        (MemberPermissions(announces=True, manager=True), PlanReason.NO_ROLE_POWER),
        (MemberPermissions(announces=True, roles=frozenset((5,))), PlanReason.NO_ADDED_POWER),
    ],
)
def test_who_could_not_announce_an_event_does_not_repeat_it(
    scene: Scene, authority: MemberPermissions, reason: PlayReason
) -> None:
    scene.announce(RICH)
    scene.organise(organiser.co_organiser, C, remove=False)
    scene.refused(reason, lambda: repeat(scene, HELPER, authority))
    repeat(scene, HELPER, ANY)
    repeat(scene, HELPER, NO_AUTHORITY, every=None)
    assert scene.event.repeat is None, "anybody who organises may stop it"


def test_repeating_is_told_like_every_act(scene: Scene) -> None:
    weekly(scene)
    repeat(scene, HELPER, NO_AUTHORITY, every=None)
    about = {"plays": False, "manager": False}
    assert scene.notices(Notice.RULING)[1:] == [
        {"what": "repeats_week", "by": BOSS.player, **about},
        {"what": "repeats_no_more", "by": C, **about},
    ]


# the next one


def test_the_next_one_gives_the_same_where_it_is_vouched_for(scene: Scene) -> None:
    weekly(scene)
    next_one(scene)
    first, *_ = scene.committed.outbox.event_postings(scene.key, limit=9)
    assert first.notice is Notice.VOUCH
    asked(scene, ANY)
    assert given(scene) == EVERYTHING
    assert scene.notices(Notice.RULING) == []


@pytest.mark.parametrize(
    ("authority", "left"),
    [
        (NO_AUTHORITY, (0, (), (), False)),
        (ANNOUNCES, (0, (), ("Champion",), True)),
        (MemberPermissions(announces=True, roles=frozenset((5,))), (0, (5,), ("Champion",), True)),
        (MemberPermissions(announces=True, manager=True), (1_000_000, (), ("Champion",), True)),
    ],
)
def test_what_nobody_vouches_for_any_more_is_dropped_and_told(
    scene: Scene, authority: MemberPermissions, left: tuple[object, ...]
) -> None:
    weekly(scene)
    next_one(scene)
    asked(scene, authority)
    assert given(scene) == left
    (told,) = scene.notices(Notice.RULING)
    assert told["by"] == BOSS.player
    assert (told["chips"], told["roles"], told["titles"], told["repeats"]) == (
        1_000_000 - scene.event.structure.added,
        [] if left[1] else [5],
        [] if left[2] else ["Champion"],
        not left[3],
    )
    assert [fact.details["chips"] for fact in scene.log("promises_dropped")] == [told["chips"]]
    asked(scene, authority)
    assert len(scene.notices(Notice.RULING)) == 1, "asked twice, it is told once"


@pytest.mark.parametrize(
    ("closed", "channels", "repeats", "gone"),
    [
        ({31}, (32,), True, [31]),
        ({32, 99}, (31,), True, [32]),
        ({CHANNEL}, (), False, [31, 32]),
        ({99}, (31, 32), True, []),
    ],
)
def test_the_next_one_is_not_held_where_its_voucher_may_not_write_any_more(
    scene: Scene, closed: set[int], channels: tuple[int, ...], *, repeats: bool, gone: list[int]
) -> None:
    scene.announce(structure(channels=(31, 32), late_levels=0))
    repeat(scene, BOSS, ANY)
    next_one(scene)
    asked(scene, replace(ANY, closed=frozenset(closed)))
    assert scene.event.structure.channels == channels
    assert (scene.event.repeat is not None) is repeats
    assert [told["channels"] for told in scene.notices(Notice.RULING)] == ([gone] if gone else [])


def test_the_one_who_has_set_it_repeating_vouches_for_all_that_follow(scene: Scene) -> None:
    weekly(scene)
    repeat(scene, HELPER, ANY)
    for _ in range(2):
        next_one(scene)
        assert scene.write(lambda s: permissions.voucher(s, scene.event)) == C
        asked(scene, ANY)
    assert scene.event.organiser == BOSS.player


def test_one_that_starts_before_anybody_was_asked_gives_nothing(scene: Scene) -> None:
    weekly(scene)
    next_one(scene)
    scene.register(A, B)
    scene.start()
    assert given(scene) == (0, (), (), False)
    assert scene.pool() == 0


# the attack


def test_an_organiser_who_plays_does_not_start_early_where_chips_are_added(scene: Scene) -> None:
    weekly(scene)
    scene.register(C, A)
    scene.refused(OrganiserReason.PLAYS_HERE, lambda: scene.organise(organiser.start_now, by=HELPER))
    scene.organise(organiser.start_now, by=Official(player=C, manager=True))
    assert scene.event.phase is Phase.RUNNING


def test_a_helper_who_manages_nothing_makes_no_chips_by_repeating(scene: Scene) -> None:
    scene.announce(RICH)
    scene.organise(organiser.co_organiser, C, remove=False)
    scene.refused(PlanReason.NO_REPEAT_POWER, lambda: repeat(scene, HELPER, NO_AUTHORITY, every=RepeatInterval.DAY))
    scene.register(A, B)
    scene.wait(2 * HOUR)
    scene.go_on()
    scene.knock_out(A, B)
    scene.ends()
    assert others(scene) == []


# naming the person who adds chips


@pytest.mark.parametrize("plays", [True, False])
def test_the_draw_names_who_has_added_chips_and_whether_they_play(scene: Scene, plays: bool) -> None:
    me: Player = BOSS.player
    scene.announce(structure(added=500))
    scene.register(A, *([me] if plays else [B]))
    scene.organise(organiser.start_now, by=Official(player=me, manager=True))
    scene.go_on()
    (told,) = scene.notices(Notice.STARTED)
    assert (told["added"], told["by"], told["plays"]) == (500, me, plays)


def audited(scene: Scene) -> list[tuple[Player, Player | None, Action, int, str]]:
    entries = scene.committed.bank.audit_log(scene.key.guild, limit=9)
    return [(e.manager, e.player, e.action, e.chips, e.reason) for e in entries]


def test_added_chips_stand_among_what_managers_did_once_there_are_any(scene: Scene) -> None:
    scene.announce(structure(added=500))
    scene.register(A, B)
    assert audited(scene) == []
    scene.start()
    added = (BOSS.player, None, Action.ADD, 500, scene.event.name)
    assert audited(scene) == [added]
    scene.organise(organiser.cancel, why="Rain")
    assert scene.pool() == 0
    assert audited(scene) == [(BOSS.player, None, Action.ADD, -500, scene.event.name), added]


def test_who_has_won_added_chips_stands_there_too_and_that_who_added_them_played(scene: Scene) -> None:
    playing = Official(player=BOSS.player, manager=True)
    scene.announce(structure(added=500, fee=100, payouts=(60, 40)))
    scene.register(A, B, BOSS.player)
    scene.organise(organiser.start_now, by=playing)
    scene.go_on()
    scene.knock_out(A, BOSS.player)
    scene.go_on()
    scene.knock_out(A, B)
    scene.ends()
    name = scene.event.name
    assert audited(scene) == [
        (BOSS.player, B, Action.WON, 320, name),
        (BOSS.player, A, Action.WON, 480, name),
        (BOSS.player, None, Action.ADD_PLAYING, 500, name),
    ]


def test_where_nothing_is_added_the_draw_names_nobody(scene: Scene) -> None:
    scene.begin(structure(), A, B)
    (told,) = scene.notices(Notice.STARTED)
    assert "added" not in told
