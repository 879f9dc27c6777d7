"""Puzzles from finished hands: verified, without a trace of the hand, and only once nothing of it is secret."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

from bot.base.solver_data import load_arrays
from bot.model.errors import ComputationFailedError
from bot.model.events import Official
from bot.model.ids import GuildId, Player, TableKey
from bot.model.limits import MAX_FOUND_PUZZLES
from bot.model.puzzles import PuzzleName, PuzzleRecord, Solver
from bot.model.reasons import TrainerReason
from bot.play.session.session import Session
from bot.play.trainer import day_puzzles, found_puzzles, hand_puzzles, judging
from bot.play.trainer.all_puzzles import all_traits, puzzle_named
from bot.play.trainer.finding import Finding
from bot.play.trainer.known_puzzles import known_puzzles, puzzle_name
from bot.play.trainer.views import AnswerView, PuzzleView
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import PINEAPPLE
from bot.pure.ofc.view import HandView
from bot.pure.solver.levels import Computers
from bot.pure.trainer import verification
from bot.pure.trainer.anonymous import anonymous
from bot.pure.trainer.position import parse_position, position_in, view_of
from bot.pure.trainer.puzzle import ERRORS, GAP, Puzzle, puzzle_at
from bot.pure.trainer.records import puzzle_line
from bot.pure.trainer.suits import RENAMINGS, renamed_position
from bot.pure.trainer.themes import Theme
from bot.workers.worker_pool import WorkerPool
from tests.play.test_event_tables import duplicate  # noqa: F401 - a fixture
from tests.play.test_restore import findings
from tests.play.trainer.test_day_puzzles import Mornings
from tests.play.world import ANN, BOB, CLEO, GUILD, FixedVault, World
from tests.quickly_found import quickly_found
from tests.quickly_judged import quickly_judged

KNOWN = "Ac/Jc5c4d3h3d/TsTh9h6d5h +AsKhTd -AhKs2d vs 8c5s4h/AdKc7h6s3s/KdQc7d5d2s"
"""The last street of Bob's second hand with the key below, which he gets wrong."""
WITH_KEY = FixedVault([b"k" * 32])


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "judged", quickly_judged)
    monkeypatch.setattr(Finding, "search", quickly_found)


async def played(world: World, player: Player = ANN, *, hands: int = 1) -> TableKey:
    """Play hands as the clock would, at a table that stays open, and let a player's be judged."""
    key = await world.table(ANN, BOB)
    await world.start(key)
    await world.play_hand(key)
    for _ in range(hands - 1):
        await world.next_hand(key)
        await world.play_hand(key)
    await world.mistakes.open(player)
    await world.mistakes.done()
    return key


async def closed(world: World, key: TableKey) -> None:
    """Close a table, and wait until nothing is left to search."""
    await world.play.close(key, reason="by_manager")
    await world.mistakes.done()


async def found(world: World) -> dict[PuzzleName, Puzzle]:
    """The puzzles from hands, as everyone may get them."""

    def read(s: Session) -> dict[PuzzleName, Puzzle]:
        puzzles = {name: puzzle_named(s, name) for name in all_traits(s) if name not in known_puzzles()}
        return {name: puzzle for name, puzzle in puzzles.items() if puzzle is not None}

    return await world.sessions.read(read)


def candidates(world: World) -> int:
    ((count,),) = world.ask("SELECT COUNT(*) FROM mistake WHERE candidate = 1")
    assert isinstance(count, int)
    return count


def stored(world: World) -> int:
    ((count,),) = world.ask("SELECT COUNT(*) FROM found_puzzle")
    assert isinstance(count, int)
    return count


# from a hand to a puzzle


async def test_a_known_position_of_a_hand_makes_one_puzzle_without_a_trace_of_the_hand(tmp_path: Path) -> None:
    world = World(tmp_path, fixed=WITH_KEY)
    await world.open()
    key = await played(world, BOB, hands=2)
    past = await world.play.past(key, 2, BOB)
    mine = position_in(past.moments[4].view)
    assert await found(world) == {}, "the table's discards are secret until it closes"
    assert candidates(world) >= 1
    await closed(world, key)
    puzzles = await found(world)
    position = parse_position(KNOWN, PINEAPPLE)
    name = puzzle_name("pineapple", KNOWN)
    puzzle = puzzles[name]
    assert any(_cards_of(renamed_position(mine, suits)) == _cards_of(position) for suits in RENAMINGS)
    assert (puzzle.position, puzzle.theme, puzzle.gap) == (position, Theme.LAST_CARD, 6.0)
    assert puzzle.gap >= max(GAP, ERRORS * puzzle.error)
    assert candidates(world) == 0

    await world.restart()
    await world.mistakes.done()
    assert await found(world) == puzzles
    assert findings(world) == []

    columns = "puzzle, game, edition, theme, mean, deviation, line, verified_by"
    rows = world.ask(f"SELECT {columns} FROM found_puzzle")
    assert [len(row) for row in world.ask("SELECT * FROM found_puzzle")] == [len(columns.split(", "))] * len(rows)
    for row in rows:
        for trace in (ANN, BOB, str(GUILD), past.name, str(past.table.channel)):
            assert trace not in str(row)
        assert set(json.loads(str(row[6]))) == {
            *("game", "position", "best", "gap", "error", "theme", "difficulty", "deviation", "placements", "costs")
        }
    await world.close()


def _cards_of(position: object) -> str:
    """The position regardless of the order of cards in a row."""
    return " ".join("/".join("".join(sorted(_pairs(row))) for row in word.split("/")) for word in str(position).split())


def _pairs(text: str) -> list[str]:
    sign = text[:1] if text[:1] in "+-" else ""
    cards = text[len(sign) :]
    return [sign, *(cards[at : at + 2] for at in range(0, len(cards), 2))]


async def test_everyone_can_get_it_and_solve_it(world: World, quick: None) -> None:
    await closed(world, await played(world))
    ((name, puzzle),) = (await found(world)).items()
    view = await world.trainer.choices(CLEO)
    assert view.count == len(known_puzzles()) + 1
    await world.sessions.write(
        lambda s: s.tx.puzzles.save_solver(CLEO, replace(Solver(), rating=replace(puzzle.difficulty, hands=9)))
    )
    given = await world.trainer.give(CLEO)
    while isinstance(given, PuzzleView) and given.name != name:
        given = await world.trainer.put_aside(CLEO, given.name)
    assert isinstance(given, PuzzleView)
    assert given.position == puzzle.position
    answer = await world.trainer.answer(CLEO, name, "FMD", cause=world.cause())
    assert isinstance(answer, AnswerView)
    assert answer.attempt.solved
    assert answer.difficulty.mean < puzzle.difficulty.mean
    with world.refuses(TrainerReason.NO_PUZZLE):
        await world.trainer.look(CLEO, PuzzleName("0" * 12))


async def test_a_position_shows_only_what_its_player_saw(world: World, quick: None) -> None:
    key = await played(world)
    past = await world.play.past(key, 1, ANN)
    await closed(world, key)
    (puzzle,) = (await found(world)).values()
    then = position_in(next(moment.view for moment in past.moments if moment.street == 3))
    assert {_cards_of(renamed_position(then, suits)) for suits in RENAMINGS} >= {_cards_of(puzzle.position)}
    assert not any(opponent.discards for opponent in puzzle.position.opponents)


# secrets


async def test_a_deck_that_others_still_play_makes_no_puzzle_until_the_event_is_over(
    world: World,
    quick: None,
    duplicate: tuple[TableKey, TableKey],  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, other = duplicate
    # Duplicate events are played without Fantasyland, so apart from secrecy, they make no puzzles as a custom game.
    game = (await world.play.look(one)).table.terms.variant
    monkeypatch.setattr(hand_puzzles, "PRESETS", {game.key: game})
    for key in duplicate:
        for place in (await world.play.look(key)).places:
            await world.mistakes.open(Player(place.seat.player))
    await world.play_hand(one)
    await world.mistakes.done()
    assert stored(world) == 0
    await world.play_hand(other)
    await world.mistakes.done()
    assert candidates(world) >= 1
    assert stored(world) == 0
    event = (await world.play.look(one)).table.event
    assert event is not None
    await world.core.events.cancel(event, Official(player=ANN, manager=True), why="Rain", cause=world.cause())
    await world.later(world.policy.seating_ms)
    await world.mistakes.done()
    assert stored(world) >= 1
    assert candidates(world) == 0


async def test_a_daily_hand_is_never_searched(world: World, quick: None) -> None:
    view = await world.daily.today(ANN)
    await world.daily.begin(view.of.number, ANN, cause=world.cause())
    await world.mistakes.open(ANN)
    await world.mistakes.done()
    assert (candidates(world), await found(world)) == (0, {})


async def _opt_out(world: World, player: Player) -> None:
    await world.play.change_member_settings(GUILD, player, lambda now: replace(now, gives_puzzles=False))


@pytest.mark.parametrize("player", [ANN, BOB])
async def test_no_puzzle_is_made_of_a_hand_with_someone_who_does_not_want_it(
    world: World, quick: None, player: Player
) -> None:
    key = await played(world)
    await _opt_out(world, player)
    await closed(world, key)
    assert (candidates(world), await found(world)) == (0, {})


async def test_who_opts_out_during_the_search_is_heard(
    world: World, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def searched(finding: Finding, view: HandView, guild: GuildId) -> Puzzle:
        await _opt_out(world, BOB)
        return await quickly_found(finding, view, guild)

    monkeypatch.setattr(Finding, "search", searched)
    await closed(world, await played(world))
    assert (candidates(world), await found(world)) == (0, {})


@pytest.mark.parametrize("player", [ANN, BOB])
async def test_no_puzzle_is_made_of_a_hand_with_a_deleted_player(world: World, quick: None, player: Player) -> None:
    key = await played(world)
    await world.play.close(key, reason="by_manager")
    await world.privacy.delete(player)
    await world.mistakes.done()
    assert (candidates(world), await found(world)) == (0, {})


async def test_who_is_deleted_during_the_search_leaves_no_puzzle(
    world: World, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def searched(finding: Finding, view: HandView, guild: GuildId) -> Puzzle:
        await world.privacy.delete(ANN)
        return await quickly_found(finding, view, guild)

    monkeypatch.setattr(Finding, "search", searched)
    await closed(world, await played(world))
    assert await found(world) == {}


async def test_a_puzzle_outlives_its_player_whose_data_does_not_name_it(world: World, quick: None) -> None:
    await closed(world, await played(world))
    before = await found(world)
    exported = await world.privacy.kept_about(ANN)
    assert not any(name in str(exported) for name in before)
    await world.privacy.delete(ANN)
    await world.sessions.write(lambda s: s.tx.privacy.delete_server(GUILD))
    assert await found(world) == before


async def test_a_custom_game_makes_no_puzzle(world: World, quick: None) -> None:
    key = await world.table(ANN, BOB, variant=house_variant("pineapple", {"fantasyland.entry": "KK"}))
    await world.start(key)
    await world.play_hand(key)
    await world.mistakes.open(ANN)
    await closed(world, key)
    assert (candidates(world), await found(world)) == (0, {})


# limits and faults


async def test_there_are_only_so_many(world: World, quick: None, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_FOUND_PUZZLES >= 100
    monkeypatch.setattr(found_puzzles, "MAX_FOUND_PUZZLES", 1)
    await closed(world, await played(world, hands=2))
    assert (candidates(world), len(await found(world))) == (1, 1)


async def test_a_position_that_no_worker_can_search_is_tried_again_after_the_next_start(
    world: World, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(finding: Finding, view: HandView, guild: GuildId) -> Puzzle:
        raise ComputationFailedError

    monkeypatch.setattr(Finding, "search", broken)
    key = await played(world)
    await closed(world, key)
    assert (candidates(world), await found(world)) == (1, {})
    monkeypatch.setattr(Finding, "search", quickly_found)
    await world.mistakes.done()
    assert candidates(world) == 1
    await world.restart()
    await world.mistakes.done()
    assert (candidates(world), len(await found(world))) == (0, 1)


# verifying again


def _overturned(computers: Computers, puzzle: Puzzle, number: int) -> tuple[float, ...]:
    return 1.0, 2.0


def _held(computers: Computers, puzzle: Puzzle, number: int) -> tuple[float, ...]:
    return 2.0, 1.0


async def _verify(world: World, part: Callable[..., tuple[float, ...]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Verify all puzzles with another version of the bot."""
    monkeypatch.setattr("bot.play.trainer.finding.part", part)
    again = Finding(world.sessions, WorkerPool(), serves=lambda _: True, version="99")
    while await again.step():
        pass


async def test_a_new_version_withdraws_what_it_overturns_and_forgives_the_attempts(
    world: World, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    await closed(world, await played(world))
    (name,) = await found(world)
    await world.trainer.answer(CLEO, name, "MFD", cause=world.cause())
    ((missed,),) = world.ask("SELECT mean FROM solver WHERE player = ?", CLEO)
    await _verify(world, _held, monkeypatch)
    assert world.ask("SELECT verified_by FROM found_puzzle") == [("99",)]
    await world.sessions.write(lambda s: _as_of_version(s, name, "98"))
    await _verify(world, _overturned, monkeypatch)
    assert world.ask("SELECT withdrawn FROM puzzle WHERE puzzle = ?", name) == [(1,)]
    assert world.ask("SELECT forgiven FROM puzzle_attempt WHERE puzzle = ?", name) == [(1,)]
    ((mean,),) = world.ask("SELECT mean FROM solver WHERE player = ?", CLEO)
    assert int(mean) > int(missed)
    assert (await world.trainer.choices(CLEO)).count == len(known_puzzles())
    with world.refuses(TrainerReason.PUZZLE_WITHDRAWN):
        await world.trainer.look(BOB, name)
    assert findings(world) == []


def _as_of_version(s: Session, name: PuzzleName, version: str) -> None:
    stored = s.tx.found_puzzles.puzzle(name)
    assert stored is not None
    s.tx.found_puzzles.save(replace(stored, verified_by=version))


async def test_an_untried_puzzle_is_withdrawn_too(world: World, quick: None, monkeypatch: pytest.MonkeyPatch) -> None:
    await closed(world, await played(world))
    (name,) = await found(world)
    await _verify(world, _overturned, monkeypatch)
    assert world.ask("SELECT withdrawn, tries FROM puzzle WHERE puzzle = ?", name) == [(1, 0)]


def _shipped_fail(computers: Computers, puzzle: Puzzle, number: int) -> tuple[float, ...]:
    if puzzle in known_puzzles().values():
        raise ComputationFailedError
    return _held(computers, puzzle, number)


async def test_a_puzzle_that_cannot_be_verified_keeps_no_other_from_it(
    world: World, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    await closed(world, await played(world))
    (name,) = await found(world)
    first, shipped = PuzzleName("0" * 12), next(iter(known_puzzles().values()))

    def store(s: Session) -> None:
        stored = s.tx.found_puzzles.puzzle(name)
        assert stored is not None
        s.tx.found_puzzles.save(replace(stored, name=first, line=puzzle_line(shipped)))

    assert first < name
    await world.sessions.write(store)
    await _verify(world, _shipped_fail, monkeypatch)
    verified = world.ask("SELECT puzzle FROM found_puzzle WHERE verified_by = '99'")
    assert verified == [(name,)]


async def test_a_puzzle_of_other_rules_is_gone(world: World, quick: None, monkeypatch: pytest.MonkeyPatch) -> None:
    await closed(world, await played(world))
    (name,) = await found(world)
    stored = await world.sessions.read(lambda s: s.tx.found_puzzles.puzzle(name))
    assert stored is not None
    await world.sessions.write(lambda s: s.tx.found_puzzles.save(replace(stored, edition=99)))
    with world.refuses(TrainerReason.NO_PUZZLE):
        await world.trainer.look(CLEO, name)
    assert await world.sessions.read(lambda s: puzzle_named(s, name)) is None


# puzzles of the day


async def test_a_puzzle_of_the_day_may_come_from_a_hand_and_stays_over_a_restart(
    world: World, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    await closed(world, await played(world))
    ((name, puzzle),) = (await found(world)).items()
    medium = day_puzzles.medium_puzzles()
    ends = medium[0], medium[-1]
    lowest, highest = (known_puzzles()[one].difficulty.mean for one in ends)
    assert lowest <= puzzle.difficulty.mean <= highest
    monkeypatch.setattr(day_puzzles, "medium_puzzles", lambda: ends)

    def withdraw_others(s: Session) -> None:
        for one in ends:
            s.tx.puzzles.save_puzzle(
                PuzzleRecord(name=one, rating=replace(known_puzzles()[one].difficulty, hands=0), withdrawn=True)
            )

    await world.sessions.write(withdraw_others)
    mornings = Mornings(world)
    asked = (await mornings.made()).asked
    assert asked is not None
    assert asked.name == name
    await world.restart()
    again = (await mornings.made()).asked
    assert again == asked
    await mornings.sent()
    await world.trainer.answer_day(GUILD, CLEO, asked.day, name, "FMD", cause=world.cause())
    with world.refuses(TrainerReason.PUZZLE_OF_THE_DAY):
        await world.trainer.look(ANN, name)
    result = await mornings.result()
    assert (result.solved, result.people, result.position) == (1, 1, puzzle.position)


# the search itself


async def test_a_search_in_parts_finds_what_make_puzzles_finds(world: World) -> None:
    computers = Computers(load_arrays)
    view = view_of(parse_position(KNOWN, PINEAPPLE), PINEAPPLE)
    finding = Finding(world.sessions, WorkerPool(), serves=lambda _: True)
    puzzle = await finding.search(view, GUILD)
    assert puzzle == puzzle_at(computers, view)
    assert puzzle is not None
    parts = [verification.part(computers, puzzle, number) for number in range(verification.parts_of(puzzle))]
    assert verification.keeps_best(parts)
    assert not verification.keeps_best([tuple(reversed(values)) for values in parts])


def test_all_renamings_and_orders_of_a_position_have_one_form() -> None:
    position = parse_position(KNOWN, PINEAPPLE)
    forms = set()
    for suits in RENAMINGS:
        renamed = renamed_position(position, suits)
        for held in permutations(renamed.held):
            front, middle, back = renamed.rows
            other = replace(renamed, held=held, rows=(front, middle[::-1], back[1:] + back[:1]))
            forms.add(str(anonymous(other)))
    assert forms == {KNOWN}
