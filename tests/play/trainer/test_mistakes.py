"""My mistakes: judged in the background, given until they're answered, and never shown before a review may be."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.model.clock import DAY
from bot.model.errors import ComputationFailedError
from bot.model.ids import Player, TableKey
from bot.model.mistakes import MistakeCounts
from bot.model.puzzles import PuzzleName
from bot.model.reasons import TrainerReason
from bot.model.refusals import Stale
from bot.play.trainer import judging, mistakes
from bot.play.trainer.mistake_views import CorrectionView, MistakeView, NoMistakeView
from bot.pure.ofc.refusals import Refused
from bot.pure.solver.levels import Computers
from bot.pure.solver.review import DecisionPoint
from bot.pure.trainer.correction import Judgement, correction_text, parse_correction
from bot.pure.trainer.position import position_in
from bot.pure.trainer.themes import Theme
from tests.play.test_event_tables import duplicate  # noqa: F401 - a fixture
from tests.play.test_restore import findings
from tests.play.world import ANN, BOB, CLEO, GUILD, FixedVault, World
from tests.quickly_judged import LOST, quickly_judged

NO_COMPUTERS = Computers(lambda _: None)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "judged", quickly_judged)


async def played(world: World, *, hands: int = 1) -> TableKey:
    """Ann and Bob play hands as the clock would."""
    key = await world.table(ANN, BOB)
    await world.start(key)
    await world.play_hand(key)
    for _ in range(hands - 1):
        await world.next_hand(key)
        await world.play_hand(key)
    return key


async def opened(world: World, player: Player = ANN) -> MistakeCounts:
    """Open *My mistakes*, and wait until all hands are judged."""
    await world.mistakes.open(player)
    await world.mistakes.done()
    return await world.mistakes.open(player)


async def given(world: World, player: Player = ANN) -> MistakeView:
    view = await world.mistakes.give(player)
    assert isinstance(view, MistakeView)
    return view


async def best_of(world: World, name: PuzzleName, player: Player = ANN) -> str:
    return (await world.mistakes.correction(player, name)).placements[0].letters


async def answered(world: World, *, solves: bool, player: Player = ANN) -> CorrectionView:
    view = await given(world, player)
    found = await world.mistakes.correction(player, view.name)
    letters = found.placements[0].letters if solves else found.placed.letters
    return await world.mistakes.answer(player, view.name, letters, cause=world.cause())


# judging


async def test_only_hands_of_those_who_opened_it_are_judged(world: World, quick: None) -> None:
    await played(world, hands=2)
    await world.mistakes.done()
    assert world.ask("SELECT COUNT(*) FROM judged_hand") == [(0,)]
    assert await world.mistakes.open(ANN) == MistakeCounts(waiting=2, hands=0, mistakes=0, due=0, next_at=None)
    await world.mistakes.done()
    assert world.ask("SELECT DISTINCT player FROM judged_hand") == [(ANN,)]
    counts = await world.mistakes.open(ANN)
    assert (counts.waiting, counts.hands, counts.mistakes, counts.due) == (0, 2, 2, 2)
    assert findings(world) == []


async def test_hands_that_end_later_are_judged_too_also_over_a_restart(world: World, quick: None) -> None:
    key = await played(world)
    await opened(world)
    await world.next_hand(key)
    await world.play_hand(key)
    await world.mistakes.done()
    assert (await world.mistakes.open(ANN)).hands == 2
    await world.next_hand(key)
    await world.play_hand(key)
    await world.restart()
    assert (await world.mistakes.open(ANN)).waiting == 1
    await world.mistakes.done()
    assert (await world.mistakes.open(ANN)).waiting == 0


async def test_the_newest_hand_comes_first_and_players_take_turns(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[tuple[str, int]] = []
    save = mistakes.save_judged

    def noted(s, hand, found):  # type: ignore[no-untyped-def]
        order.append((hand.player, hand.hand_no))
        return save(s, hand, found)

    monkeypatch.setattr(judging, "judged", quickly_judged)
    monkeypatch.setattr(mistakes, "save_judged", noted)
    await played(world, hands=3)
    await world.mistakes.open(ANN)
    await world.mistakes.open(BOB)
    await world.mistakes.done()
    assert order == [(ANN, 3), (BOB, 3), (ANN, 2), (BOB, 2), (ANN, 1), (BOB, 1)]


async def test_a_deck_that_others_still_play_is_judged_only_when_its_review_may_be_seen(
    world: World,
    quick: None,
    duplicate: tuple[TableKey, TableKey],  # noqa: F811
) -> None:
    one, other = duplicate
    player = Player((await world.play.look(one)).places[0].seat.player)
    await world.play_hand(one)
    assert (await opened(world, player)).hands == 0
    with pytest.raises(Refused):
        await world.play.past(one, 1, player)
    await world.play_hand(other)
    await world.mistakes.open(player)
    await world.mistakes.done()
    assert (await world.mistakes.open(player)).hands == 1


async def test_a_hand_whose_key_is_lost_counts_as_judged_and_its_mistakes_are_not_given(
    real_world: World, quick: None
) -> None:
    world = real_world
    key = await played(world)
    await opened(world)
    name = (await given(world)).name
    await world.next_hand(key)
    await world.play_hand(key)
    await world.close()
    world.key_file.unlink()
    await world.open()
    await world.mistakes.done()
    counts = await world.mistakes.open(ANN)
    assert (counts.waiting, counts.hands, counts.mistakes) == (0, 2, 1)
    assert isinstance(await world.mistakes.give(ANN), NoMistakeView)
    with pytest.raises(Refused):
        await world.mistakes.look(ANN, name)


async def test_a_hand_that_no_worker_can_judge_is_tried_again_after_the_next_start(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(computers: Computers, moment: DecisionPoint) -> Judgement:
        raise ComputationFailedError

    await played(world)
    monkeypatch.setattr(judging, "judged", broken)
    assert (await opened(world)).waiting == 1
    monkeypatch.setattr(judging, "judged", quickly_judged)
    await world.mistakes.done()
    assert (await world.mistakes.open(ANN)).waiting == 1
    await world.restart()
    await world.mistakes.done()
    assert (await world.mistakes.open(ANN)).waiting == 0


async def nothing(done: int) -> None:
    del done


async def test_a_mistake_is_what_the_review_calls_one_and_costs_the_same(world: World) -> None:
    key = await played(world)
    await opened(world)
    review = await world.play.review(await world.play.past(key, 1, ANN), nothing)
    wrong = {number: one for number, one in enumerate(review.decisions) if one.mistake}
    assert wrong
    stored = world.ask("SELECT number, lost FROM judged_decision WHERE lost > 0 ORDER BY number")
    assert [number for number, _ in stored] == list(wrong)
    for number, lost in stored:
        assert lost == round(100 * wrong[number].loss)
        found = await world.mistakes.correction(ANN, mistakes.mistake_name(ANN, key, 1, number))
        assert found.placements[0].value - found.placed.value >= found.lost - 1e-9
        assert found.lost >= lost / 100 - 0.01


async def test_a_whole_board_counts_but_is_not_given(world: World) -> None:
    key = await world.table(ANN, BOB)
    await world.into_fantasyland(key, ANN)
    await world.mistakes.open(ANN)
    await world.mistakes.done()
    before = world.ask("SELECT COUNT(*) FROM mistake WHERE whole = 1")
    await world.next_hand(key)
    await world.play_hand(key, {ANN: ["FFFMMMMMBBBBBD"]})
    await world.mistakes.open(ANN)
    await world.mistakes.done()
    assert before == [(0,)]
    ((name, due),) = world.ask("SELECT mistake, due_at FROM mistake WHERE whole = 1")
    found = await world.mistakes.correction(ANN, PuzzleName(name))
    assert (found.street, found.theme, found.due_at) == (0, None, None)
    assert found.lost > 1
    assert len(found.position.held) == 14
    assert due <= world.now
    view = await world.mistakes.give(ANN)
    assert isinstance(view, NoMistakeView) or view.name != name
    with world.refuses(TrainerReason.NO_MISTAKE):
        await world.mistakes.answer(ANN, PuzzleName(name), found.placements[0].letters, cause=world.cause())


async def test_a_correction_is_read_back_as_it_was_stored_and_has_no_card(world: World) -> None:
    past = await world.play.past(await played(world), 1, ANN)
    judged = [quickly_judged(NO_COMPUTERS, moment) for moment in past.moments]
    (correction,) = [one.correction for one in judged if one.correction is not None]
    assert parse_correction(correction_text(correction)) == correction


# giving and answering


async def test_a_mistake_stays_until_it_is_answered_also_over_a_restart(world: World, quick: None) -> None:
    await played(world, hands=2)
    await opened(world)
    first = await given(world)
    await world.restart()
    assert await given(world) == first
    await answered(world, solves=True)
    assert (await given(world)).name != first.name


async def test_a_right_answer_comes_back_later_than_a_wrong_one_and_breaks_grow(world: World, quick: None) -> None:
    await played(world, hands=2)
    await opened(world)
    right, wrong = await answered(world, solves=True), await answered(world, solves=False)
    assert right.solved
    assert not wrong.solved
    assert wrong.cost == LOST
    assert wrong.due_at == world.now + DAY
    assert right.due_at is not None
    assert right.due_at > wrong.due_at
    assert isinstance(await world.mistakes.give(ANN), NoMistakeView)
    world.now += DAY
    again = await given(world)
    assert (again.name, again.last_at, again.solved) == (wrong.name, world.now - DAY, False)
    later = await answered(world, solves=True)
    assert later.due_at is not None
    assert later.due_at > world.now + DAY


async def test_an_answer_counts_once(world: World, quick: None) -> None:
    await played(world)
    await opened(world)
    view = await given(world)
    best = await best_of(world, view.name)
    await world.mistakes.answer(ANN, view.name, best, cause="once")
    for cause in ("once", "twice"):
        with pytest.raises(Stale):
            await world.mistakes.answer(ANN, view.name, best, cause=cause)
    assert world.ask("SELECT tries, cause FROM mistake") == [(1, "once")]


async def test_what_is_put_off_comes_back_tomorrow(world: World, quick: None) -> None:
    await played(world)
    await opened(world)
    view = await given(world)
    assert isinstance(await world.mistakes.put_aside(ANN, view.name), NoMistakeView)
    world.now += DAY
    assert (await given(world)).name == view.name


async def test_what_is_not_possible_is_refused_and_changes_nothing(world: World, quick: None) -> None:
    await played(world)
    await opened(world)
    view = await given(world)
    with world.changes_nothing():
        for letters in ("FFF", "BB", "DDD", "", "BBBB"):
            with pytest.raises(Refused):
                await world.mistakes.answer(ANN, view.name, letters, cause=world.cause())
        for player in (BOB, CLEO):
            for ask in (world.mistakes.look, world.mistakes.correction):
                with world.refuses(TrainerReason.NO_MISTAKE):
                    await ask(player, view.name)
            with world.refuses(TrainerReason.NO_MISTAKE):
                await world.mistakes.answer(player, view.name, "BBD", cause=world.cause())
            with world.refuses(TrainerReason.NO_MISTAKE):
                await world.mistakes.put_aside(player, view.name)


async def test_an_exercise_shows_what_its_player_saw_then_and_no_more(world: World, quick: None) -> None:
    key = await played(world)
    await opened(world)
    view, past = await given(world), await world.play.past(key, 1, ANN)
    then = next(moment.view for moment in past.moments if moment.street == 3)
    assert view.position == position_in(then)
    assert not any(opponent.discards for opponent in view.position.opponents)


# deletion


async def test_a_deleted_player_leaves_no_mistake_also_while_a_hand_is_judged(world: World, quick: None) -> None:
    key = await played(world)
    await opened(world)
    hand = await world.sessions.read(
        lambda s: mistakes.UnjudgedHand(player=ANN, key=key, hand_no=1, at=world.now, past=None)
    )
    await world.play.close(key, reason="by_manager")
    await world.privacy.delete(ANN)
    await world.sessions.write(lambda s: mistakes.save_judged(s, hand, []))
    for table in ("learner", "judged_hand", "judged_decision", "mistake"):
        assert world.ask(f"SELECT COUNT(*) FROM {table}") == [(0,)]


async def test_a_deleted_server_takes_its_mistakes_along(world: World, quick: None) -> None:
    key = await played(world)
    await opened(world)
    await world.play.close(key, reason="by_manager")
    await world.sessions.write(lambda s: s.tx.privacy.delete_server(GUILD))
    assert world.ask("SELECT COUNT(*) FROM mistake") == [(0,)]
    assert world.ask("SELECT player FROM learner") == [(ANN,)]
    assert isinstance(await world.mistakes.give(ANN), NoMistakeView)


async def test_the_same_hands_lead_to_the_same_mistakes(tmp_path: Path) -> None:
    found = []
    for run in range(2):
        world = World(tmp_path / str(run), fixed=FixedVault([b"k" * 32]))
        world.folder.mkdir()
        await world.open()
        await played(world)
        await opened(world)
        found.append([world.ask(f"SELECT * FROM {table}") for table in ("judged_decision", "mistake")])
        await world.close()
    assert found[0] == found[1]
    assert found[0][1]


# months


async def test_a_month_adds_up_points_by_street_and_theme(world: World, quick: None) -> None:
    key = await played(world, hands=2)
    await opened(world)
    view = await world.mistakes.month(ANN)
    assert sum(one.decisions for one in view.losses) == 10
    lost = {(one.month, one.street, one.theme): one.lost for one in view.losses if one.lost}
    assert lost == {(0, 3, Theme.DRAW): 300}
    world.now += 31 * DAY
    await world.next_hand(key)
    view = await world.mistakes.month(ANN)
    assert {one.month for one in view.losses} == {1}
