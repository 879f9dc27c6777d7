"""The organiser's tools: permissions, refusals, effects and log entries."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from bot.model.clock import HOUR
from bot.model.events import Notice, Official, Phase
from bot.model.ids import Player, TableId
from bot.model.limits import MAX_ADJUSTMENT, MAX_ANNOUNCEMENT_LENGTH, MAX_ANNOUNCEMENTS_PER_HOUR, MAX_PENALTY_HANDS
from bot.model.reasons import EventReason, OrganiserReason
from bot.model.refusals import Stale
from bot.model.tables import Table, Timer
from bot.play.event.organisers import organiser
from bot.play.hand import acting
from bot.play.table import lobby, seats
from bot.pure.event.structure import Format
from bot.pure.ofc.house_rules import house_variant
from tests.play.event.event_world import BOSS, GUILD, STRANGER, A, B, C, D, E, F, Scene, structure

MANAGER = Official(player=Player("3"), manager=True)

Tool = Callable[..., Any]
RUNNING_TOOLS: list[tuple[Tool, tuple[Any, ...], dict[str, Any]]] = [
    (organiser.pause, (), {}),
    (organiser.penalty, (A,), {"hands": 2, "why": "late"}),
    (organiser.adjust, (A,), {"amount": 5, "why": "misdealt"}),
    (organiser.move, (A,), {"table": TableId(2), "why": "balance"}),
]
TOOLS = [
    *RUNNING_TOOLS,
    (organiser.resume, (), {}),
    (organiser.disqualify, (A,), {"why": "cheated"}),
    (organiser.reinstate, (A,), {}),
    (organiser.unregister, (A,), {}),
    (organiser.announce, ("Hello",), {}),
    (organiser.co_organiser, (C,), {"remove": False}),
    (organiser.start_now, (), {}),
    (organiser.cancel, (), {"why": "no power"}),
]


def _ids(tool: object) -> str:
    return getattr(tool, "__name__", "")


# who may


@pytest.mark.parametrize(("tool", "args", "details"), TOOLS, ids=_ids)
def test_a_stranger_may_use_no_tool(scene: Scene, tool: Tool, args: tuple[Any, ...], details: dict[str, Any]) -> None:
    scene.begin(structure(), A, B)
    scene.refused(OrganiserReason.NOT_ORGANISER, partial(scene.organise, tool, *args, by=STRANGER, **details))


@pytest.mark.parametrize(("tool", "args", "details"), TOOLS, ids=_ids)
def test_no_tool_works_after_the_end(scene: Scene, tool: Tool, args: tuple[Any, ...], details: dict[str, Any]) -> None:
    scene.begin(structure(), A, B)
    scene.knock_out(A, B)
    scene.refused(EventReason.EVENT_OVER, partial(scene.organise, tool, *args, **details))


@pytest.mark.parametrize(("tool", "args", "details"), RUNNING_TOOLS, ids=_ids)
def test_some_tools_are_for_a_running_event(
    scene: Scene, tool: Tool, args: tuple[Any, ...], details: dict[str, Any]
) -> None:
    scene.announce(structure())
    scene.register(A, B)
    scene.refused(EventReason.EVENT_NOT_RUNNING, partial(scene.organise, tool, *args, **details))


def test_one_press_of_a_tool_has_one_effect(scene: Scene) -> None:
    scene.begin(structure(), A, B)
    press = partial(organiser.pause, key=scene.key, by=BOSS, cause="77")
    scene.write(press)
    with pytest.raises(Stale):
        scene.write(press)


def test_who_manages_the_server_may_organise_every_event(scene: Scene) -> None:
    scene.begin(structure(), A, B)
    scene.organise(organiser.pause, by=MANAGER)
    assert scene.event.paused
    assert scene.log("paused")[0].actor == MANAGER.player


def test_a_co_organiser_has_the_tools_until_they_are_taken_away(scene: Scene) -> None:
    scene.begin(structure(), A, B)
    scene.organise(organiser.co_organiser, STRANGER.player, remove=False)
    scene.organise(organiser.pause, by=STRANGER)
    scene.organise(organiser.co_organiser, STRANGER.player, remove=True)
    scene.refused(OrganiserReason.NOT_ORGANISER, lambda: scene.organise(organiser.resume, by=STRANGER))
    assert [(fact.kind, fact.details) for kind in ("helper", "helper_removed") for fact in scene.log(kind)] == [
        ("helper", {"player": STRANGER.player}),
        ("helper_removed", {"player": STRANGER.player}),
    ]


def test_nobody_is_a_co_organiser_twice_and_there_are_ten_at_most(scene: Scene) -> None:
    scene.announce(structure())
    add = partial(scene.organise, organiser.co_organiser, remove=False)
    add(Player("100"))
    scene.refused(OrganiserReason.ALREADY_HELPER, lambda: add(Player("100")))
    scene.refused(OrganiserReason.ALREADY_HELPER, lambda: add(BOSS.player))
    scene.refused(OrganiserReason.NO_HELPER, lambda: scene.organise(organiser.co_organiser, Player("7"), remove=True))
    for number in range(101, 110):
        add(Player(str(number)))
    scene.refused(OrganiserReason.TOO_MANY_HELPERS, lambda: add(Player("110")))


# start, pause


def test_an_early_start_needs_as_many_as_can_play_it_and_says_when_fewer_came_than_wanted(scene: Scene) -> None:
    scene.announce(structure(least=3))
    scene.register(A)
    scene.refused(OrganiserReason.TOO_FEW_ENTRANTS, scene.start)
    scene.register(B)
    scene.start()
    (told,) = scene.notices(Notice.RULING)
    assert (told["what"], told["people"]) == ("started_short", 2)
    assert scene.event.phase is Phase.RUNNING
    scene.refused(EventReason.EVENT_RUNS, scene.start)
    assert [fact.actor for fact in scene.log("started_early")] == [BOSS.player]


def test_what_is_paused_is_not_paused_again_and_what_goes_on_does_not_go_on_again(scene: Scene) -> None:
    scene.begin(structure(), A, B)
    scene.refused(OrganiserReason.NOT_PAUSED, lambda: scene.organise(organiser.resume))
    scene.organise(organiser.pause)
    scene.refused(OrganiserReason.ALREADY_PAUSED, lambda: scene.organise(organiser.pause))


# penalties


def _place_cards(scene: Scene, one: Player) -> None:
    """Place cards like a press by the player."""
    spot = scene.spot(scene.table_of(one))
    scene.write(
        lambda s: acting.place_cards(
            s, spot.key, one, hand_no=spot.table.hand_no, street=1, rows="bbbbb", cause=scene.cause()
        )
    )


def _away(scene: Scene, one: Player) -> bool:
    return next(seat.away for seat in scene.spot(scene.table_of(one)).seats if seat.player == one)


def test_the_clock_places_for_who_serves_a_penalty_and_he_comes_back_after_so_many_hands(scene: Scene) -> None:
    scene.begin(structure(), A, B, C)
    scene.hand(1)
    scene.organise(organiser.penalty, A, hands=2, why="late")
    for left in (2, 1):
        scene.go_on()
        assert scene.entrant(A).penalty == left
        assert _away(scene, A)
        scene.refused(EventReason.SERVES_PENALTY, lambda: _place_cards(scene, A))
        scene.hand(1)
    assert scene.entrant(A).penalty == 0
    scene.go_on()
    assert not _away(scene, A)
    scene.hand(1)
    served = [(fact.details["player"], fact.details["hand"]) for fact in scene.log("penalty_served")]
    assert served == [(A, 2), (A, 3)]


def test_a_penalty_begins_with_the_hand_that_runs_and_nobody_waits_for_his_time(scene: Scene) -> None:
    scene.begin(structure(), A, B, C)
    first = next(seat.player for seat in scene.spot(1).seats if seat.deadline is not None)
    scene.organise(organiser.penalty, first, hands=1, why="late")
    key = scene.spot(1).key
    assert scene.session().tx.timers.of(key).get(Timer.TURN) == scene.now
    scene.refused(EventReason.SERVES_PENALTY, lambda: _place_cards(scene, first))
    scene.refused(
        EventReason.SERVES_PENALTY, lambda: scene.write(lambda s: seats.stay(s, key, first, cause=scene.cause()))
    )
    scene.hand(1)
    assert scene.entrant(first).penalty == 0


def test_who_serves_a_penalty_cannot_save_his_points_by_surrendering(scene: Scene) -> None:
    easy = house_variant("chinese", {"surrender": "2"}, name="Easy")
    scene.begin(structure(), A, B, C, variant=easy)

    def surrender(one: Player) -> None:
        key = scene.spot(1).key
        scene.write(lambda s: acting.surrender(s, key, one, hand_no=1, cause=scene.cause()))

    scene.organise(organiser.penalty, A, hands=1, why="late")
    scene.refused(EventReason.SERVES_PENALTY, lambda: surrender(A))
    surrender(B)


def test_a_penalty_that_is_taken_back_gives_him_his_turn_back(scene: Scene) -> None:
    scene.begin(structure(), A, B, C)
    first = next(seat.player for seat in scene.spot(1).seats if seat.deadline is not None)
    scene.organise(organiser.penalty, first, hands=3, why="late")
    scene.organise(organiser.penalty, first, hands=0, why="late")
    assert not _away(scene, first)
    assert scene.session().tx.timers.of(scene.spot(1).key).get(Timer.TURN) == scene.now + 60_000


def test_a_penalty_goes_with_him_to_another_table(scene: Scene) -> None:
    scene.begin(structure(table_seats=4), A, B, C, D, E, F)
    one = scene.tables()[1][0]
    scene.hand(1)
    scene.organise(organiser.penalty, one, hands=2, why="late")
    scene.organise(organiser.move, one, table=TableId(2), why="balance")
    assert scene.table_of(one) == 2
    scene.hands(1)
    assert _away(scene, one)


def test_penalties_have_limits(scene: Scene) -> None:
    scene.begin(structure(), A, B, C)
    for hands_many in (-1, MAX_PENALTY_HANDS + 1):
        scene.refused(
            OrganiserReason.BAD_PENALTY, partial(scene.organise, organiser.penalty, A, hands=hands_many, why="late")
        )
    scene.refused(OrganiserReason.NOT_IN_EVENT, lambda: scene.organise(organiser.penalty, D, hands=1, why="late"))


def test_nobody_waits_for_one_who_was_disqualified_in_a_hand(scene: Scene) -> None:
    scene.begin(structure(), A, B, C)
    first = next(seat.player for seat in scene.spot(1).seats if seat.deadline is not None)
    scene.organise(organiser.disqualify, first, why="cheated")
    key = scene.spot(1).key
    assert scene.session().tx.timers.of(key).get(Timer.TURN) == scene.now
    scene.refused(EventReason.DISQUALIFIED, lambda: _place_cards(scene, first))
    scene.refused(
        EventReason.DISQUALIFIED, lambda: scene.write(lambda s: seats.stay(s, key, first, cause=scene.cause()))
    )


# chips


def test_chips_are_given_and_taken_between_hands_only(scene: Scene) -> None:
    scene.begin(structure(), A, B, C)
    give = partial(scene.organise, organiser.adjust, A, why="misdealt")
    scene.refused(OrganiserReason.WAIT_FOR_HAND, lambda: give(amount=100))
    scene.hand(1)
    give(amount=100)
    assert scene.chips(A) == 1100
    give(amount=-400)
    assert (scene.chips(A), scene.spot(1).stacks[A]) == (700, 700)
    assert scene.log("adjusted")[1].details == {"player": A, "amount": -400, "why": "misdealt"}
    scene.check_books()


def test_nobody_loses_his_last_chip_to_an_organiser(scene: Scene) -> None:
    scene.begin(structure(), A, B, C)
    scene.hand(1)
    take = partial(scene.organise, organiser.adjust, A, why="misdealt")
    scene.refused(OrganiserReason.STACK_TOO_SMALL_FOR_THAT, lambda: take(amount=-1000))
    take(amount=-999)
    assert scene.chips(A) == 1


def test_chips_are_given_for_a_reason_that_can_be_read(scene: Scene) -> None:
    scene.begin(structure(), A, B, C)
    scene.hand(1)
    for reason in ("", "\u2066\u2069"):
        scene.refused(OrganiserReason.NO_REASON, partial(scene.organise, organiser.adjust, B, amount=5, why=reason))
    scene.organise(organiser.adjust, B, amount=5, why="won\u202e\n by  mistake")
    assert scene.log("adjusted")[0].details["why"] == "won by mistake"


def test_amounts_have_limits_and_chips_go_to_those_who_play(scene: Scene) -> None:
    scene.begin(structure(), A, B, C)
    scene.knock_out(B, A)
    for amount in (0, MAX_ADJUSTMENT + 1):
        scene.refused(
            OrganiserReason.BAD_AMOUNT, partial(scene.organise, organiser.adjust, B, amount=amount, why="misdealt")
        )
    scene.refused(OrganiserReason.NOT_IN_EVENT, lambda: scene.organise(organiser.adjust, A, amount=5, why="misdealt"))


# words


def test_an_announcement_is_posted_with_who_made_it(scene: Scene) -> None:
    scene.announce(structure())
    scene.organise(organiser.announce, "  Bring snacks. ")
    assert scene.notices(Notice.SAID) == [{"text": "Bring snacks.", "by": BOSS.player}]
    for text in ("  ", "\u200b\u202e", "x" * (MAX_ANNOUNCEMENT_LENGTH + 1)):
        scene.refused(OrganiserReason.BAD_ANNOUNCEMENT, partial(scene.organise, organiser.announce, text))


def test_an_event_has_so_many_announcements_an_hour(scene: Scene) -> None:
    scene.announce(structure(), minutes=600)
    say = partial(scene.organise, organiser.announce, "Bring snacks.")
    for _ in range(MAX_ANNOUNCEMENTS_PER_HOUR):
        say()
        scene.wait(60_000)
    scene.refused(OrganiserReason.TOO_MANY_ANNOUNCEMENTS, say)
    scene.wait(HOUR - MAX_ANNOUNCEMENTS_PER_HOUR * 60_000)
    say()
    scene.refused(OrganiserReason.TOO_MANY_ANNOUNCEMENTS, say)
    assert len(scene.notices(Notice.SAID)) == MAX_ANNOUNCEMENTS_PER_HOUR + 1


# tables of an event


def test_nobody_joins_starts_or_closes_a_table_of_an_event_by_hand(scene: Scene) -> None:
    scene.announce(structure())
    scene.register(A, B)
    scene.start()
    key = scene.spot(1).key
    for use in (lobby.join, lobby.start, lobby.cancel):
        press: Callable[[Any], Table] = partial(use, key=key, player=BOSS.player, cause=scene.cause())
        scene.refused(EventReason.EVENT_TABLE, partial(scene.write, press))
    assert key.guild == GUILD


def test_who_leaves_his_table_sits_out_and_keeps_his_seat_and_his_chips(scene: Scene) -> None:
    scene.begin(structure(), A, B, C)
    key = scene.spot(1).key
    scene.write(lambda s: lobby.leave(s, key, A, cause=scene.cause()))
    assert _away(scene, A)
    assert scene.chips(A) == 1000
    scene.hands(2)
    assert A in scene.tables()[1]


def test_an_event_that_was_called_off_keeps_the_reason_that_was_given(scene: Scene) -> None:
    scene.announce(structure(Format.SINGLE))
    scene.register(A, B)
    assert scene.view().why == ""
    scene.organise(organiser.cancel, why="The hall is closed")
    assert scene.view().why == "The hall is closed"
