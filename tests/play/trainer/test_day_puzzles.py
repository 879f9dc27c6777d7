"""Puzzles of the day: drawn for each server, answered once, secret until the day is over, and then rated."""

from __future__ import annotations

import random
from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from bot.model.bulletins import Bulletin, BulletinKind
from bot.model.clock import DAY, HOUR
from bot.model.ids import GuildId, Player
from bot.model.puzzles import DayPuzzle, PuzzleName, PuzzleRecord, Repetition, Solver
from bot.model.reasons import TrainerReason
from bot.model.refusals import Stale
from bot.play.trainer import day_puzzles, training
from bot.play.trainer.day_puzzles import medium_puzzles
from bot.play.trainer.known_puzzles import known_puzzles
from bot.play.trainer.views import (
    AnswerView,
    AskedView,
    CancelledView,
    DayAnswerView,
    DayPuzzleView,
    DayResultView,
    MorningPuzzle,
    PuzzleView,
)
from bot.pure.ofc.refusals import Refused
from tests.play.test_restore import findings
from tests.play.trainer.conftest import forget_files
from tests.play.trainer.test_puzzles import right, wrong
from tests.play.world import ANN, BOB, CHANNEL, CLEO, DAN, GUILD, OTHER_GUILD, START, World

MORNING = START - START % DAY + DAY + 9 * HOUR
"""The first post's hour."""


class Mornings:
    """A server's morning posts, one a day."""

    def __init__(self, world: World, guild: GuildId = GUILD, *, at: int = MORNING) -> None:
        self.world, self.guild, self.at = world, guild, at
        self.bulletin = Bulletin(
            kind=BulletinKind.MORNING, channel=CHANNEL, hour=at % DAY // HOUR, zone="UTC", puzzle=True
        )

    async def made(self) -> MorningPuzzle:
        """Make the post that is due, as often as the bot is killed."""
        self.world.now = max(self.world.now, self.at)
        return await self.world.trainer.morning(self.guild, self.bulletin, self.at, open_channels=[CHANNEL])

    async def sent(self) -> MorningPuzzle:
        """Make the post, and let it arrive. The next one is due a day later."""
        morning = await self.made()
        await self.world.bulletins.mark_posted(self.guild, BulletinKind.MORNING, self.at)
        self.bulletin = replace(self.bulletin, told=self.at)
        self.at += DAY
        return morning

    async def asked(self) -> AskedView:
        asked = (await self.sent()).asked
        assert asked is not None
        return asked

    async def result(self) -> DayResultView:
        result = (await self.sent()).result
        assert isinstance(result, DayResultView)
        return result

    async def answer(self, player: Player, asked: AskedView, letters: str) -> DayAnswerView:
        cause = self.world.cause()
        return await self.world.trainer.answer_day(self.guild, player, asked.day, asked.name, letters, cause=cause)


@pytest.fixture
def mornings(world: World) -> Mornings:
    return Mornings(world)


async def solver_of(world: World, player: Player = ANN) -> Solver:
    return await world.sessions.read(lambda s: s.tx.puzzles.solver(player))


async def counted(world: World, name: PuzzleName) -> dict[str, int]:
    return await world.sessions.read(lambda s: s.tx.puzzles.choices(name))


async def meet(world: World, player: Player, name: PuzzleName, letters: str) -> AnswerView:
    """Answer a puzzle by /puzzle."""
    return await world.trainer.answer(player, name, letters, cause=world.cause())


# drawing


def test_medium_puzzles_are_the_middle_half() -> None:
    means = [known_puzzles()[name].difficulty.mean for name in medium_puzzles()]
    others = [puzzle.difficulty.mean for name, puzzle in known_puzzles().items() if name not in medium_puzzles()]
    assert len(means) == len(known_puzzles()) // 2
    assert all(not min(means) < mean < max(means) for mean in others)


async def test_a_server_has_each_puzzle_once_before_it_has_one_again(mornings: Mornings) -> None:
    count = len(medium_puzzles())
    names = [(await mornings.asked()).name for _ in range(2 * count)]
    assert {*names[:count]} == {*names[count:]} == {*medium_puzzles()}


async def test_the_puzzle_depends_only_on_the_server_and_the_day(tmp_path: Path) -> None:
    walks = []
    for run in range(2):
        world = World(tmp_path / str(run))
        world.folder.mkdir()
        await world.open()
        mornings = Mornings(world)
        walks.append([(await mornings.asked()).name for _ in range(5)])
        await world.close()
    assert walks[0] == walks[1]


async def test_a_post_that_is_made_again_asks_the_same(mornings: Mornings) -> None:
    first = await mornings.made()
    mornings.world.now += HOUR
    assert await mornings.made() == first
    await mornings.world.restart()
    assert await mornings.made() == first


async def test_servers_whose_days_end_together_share_a_puzzle_and_others_never_do(world: World) -> None:
    servers = [Mornings(world, GuildId(number), at=MORNING + number % 24 * HOUR) for number in range(1, 97)]
    open_now: dict[int, set[PuzzleName]] = {}
    for _ in range(3):
        for server in sorted(servers, key=lambda one: one.at):
            at = server.at
            open_now = {ends: names for ends, names in open_now.items() if ends > at}
            asked = await server.asked()
            assert asked.ends_at == at + DAY
            for ends, names in open_now.items():
                assert (asked.name in names) <= (ends == asked.ends_at)
            open_now.setdefault(asked.ends_at, set()).add(asked.name)
    assert sum(map(len, open_now.values())) == 24


async def test_two_servers_that_share_a_day_go_apart_where_one_knows_the_puzzle(world: World) -> None:
    early, late = Mornings(world), Mornings(world, OTHER_GUILD, at=MORNING + 3 * DAY)
    for _ in range(3):
        await early.asked()
    pairs = []
    for _ in range(len(medium_puzzles())):
        pairs.append([(await one.asked()).name for one in (early, late)])
    shared = sum(one == other for one, other in pairs)
    assert len(pairs) // 2 < shared < len(pairs)
    assert len({other for _, other in pairs}) == len(pairs), "it still has none twice"


async def test_no_puzzle_is_asked_where_it_is_off_and_none_while_one_is_open(mornings: Mornings) -> None:
    off = replace(mornings.bulletin, puzzle=False)
    assert await mornings.world.trainer.morning(GUILD, off, MORNING, open_channels=[]) == MorningPuzzle(
        asked=None, result=None, streak=0
    )
    await mornings.asked()
    # The managers choose an earlier hour, so the next post comes before the day is over.
    mornings.bulletin, mornings.at = replace(mornings.bulletin, hour=7), mornings.at - 2 * HOUR
    assert await mornings.sent() == MorningPuzzle(asked=None, result=None, streak=0)
    morning = await mornings.sent()
    assert morning.asked is not None
    assert isinstance(morning.result, DayResultView)


async def test_when_clocks_change_the_day_ends_with_the_next_post(world: World) -> None:
    at = 1_792_908_000_000  # 25 October 2026, 7:00 in Berlin, after the clocks went back
    berlin = Bulletin(kind=BulletinKind.MORNING, channel=CHANNEL, hour=7, zone="Europe/Berlin", puzzle=True)
    world.now = at - 25 * HOUR
    asked = (await world.trainer.morning(GUILD, berlin, world.now, open_channels=[])).asked
    assert asked is not None
    assert asked.ends_at == at


# answering


async def test_each_member_answers_once_and_learns_nothing(mornings: Mornings) -> None:
    world, asked = mornings.world, await mornings.asked()
    counts = await mornings.answer(ANN, asked, right(asked.name))
    assert not {*DayAnswerView.__dataclass_fields__} & {"placements", "theme", "gap", "chosen", "people", "attempt"}
    for letters in (right(asked.name), wrong(asked.name)):
        with pytest.raises(Stale):
            await mornings.answer(ANN, asked, letters)
    assert await world.trainer.look_at_day(GUILD, ANN, asked.day) == counts
    view = await world.trainer.look_at_day(GUILD, BOB, asked.day)
    assert isinstance(view, DayPuzzleView)
    assert not {*DayPuzzleView.__dataclass_fields__} & {"placements", "theme", "gap", "chosen", "people"}
    assert await solver_of(world) == Solver()
    assert await counted(world, asked.name) == {}
    assert world.ask("SELECT * FROM puzzle_attempt") == []


async def test_a_right_and_a_wrong_answer_leave_the_same_traces(tmp_path: Path) -> None:
    seen = []
    for run in range(2):
        world = World(tmp_path / str(run))
        world.folder.mkdir()
        await world.open()
        mornings = Mornings(world)
        asked = await mornings.asked()
        letters = (right if run else wrong)(asked.name)
        view = await mornings.answer(ANN, asked, letters)
        kept = await world.privacy.kept_about(ANN)
        told = {
            kind: [{**row, "letters": ""} if "letters" in row else row for row in rows]
            for kinds in (kept.everywhere, kept.servers[GUILD])
            for kind, rows in kinds.items()
        }
        assert told["puzzles_of_the_day"]
        given = await world.trainer.give(ANN)
        assert isinstance(given, PuzzleView)
        choices = await world.trainer.choices(ANN)
        seen.append((replace(view, letters=""), told, given.name, given.of, choices))
        await world.close()
    assert seen[0] == seen[1]


async def test_a_press_that_arrives_twice_counts_once(mornings: Mornings) -> None:
    world, asked = mornings.world, await mornings.asked()
    await world.trainer.answer_day(GUILD, ANN, asked.day, asked.name, right(asked.name), cause="twice")
    with pytest.raises(Stale):
        await world.trainer.answer_day(GUILD, ANN, asked.day, asked.name, right(asked.name), cause="twice")


async def test_what_cant_be_answered_is_refused_and_changes_nothing(mornings: Mornings) -> None:
    world, asked = mornings.world, await mornings.asked()
    for letters in ("", "Z" * len(asked.position.held), "F" * 17):
        with pytest.raises(Refused):
            await mornings.answer(ANN, asked, letters)
    other = next(name for name in known_puzzles() if name != asked.name)
    with pytest.raises(Stale):
        await mornings.answer(ANN, replace(asked, name=other), right(other))
    for guild, day in ((GUILD, 2), (OTHER_GUILD, 1), (GuildId(0), 1), (GUILD, 0)):
        with pytest.raises(Refused, match=TrainerReason.NO_DAY_PUZZLE.value):
            await world.trainer.answer_day(guild, ANN, day, asked.name, right(asked.name), cause=world.cause())
    assert world.ask("SELECT * FROM day_answer") == []


# what /puzzle gives


async def test_puzzles_never_are_those_of_the_day(mornings: Mornings) -> None:
    world, asked = mornings.world, await mornings.asked()
    theme = known_puzzles()[asked.name].theme
    for player in (ANN, BOB):
        await world.trainer.choose(player, lambda solver: replace(solver, theme=theme))
        of_theme = [name for name, puzzle in known_puzzles().items() if puzzle.theme is theme]
        assert (await world.trainer.choices(player)).count == len(of_theme), "the number gives nothing away"
    names = set()
    for _ in range(len(of_theme) - 1):
        view = await world.trainer.give(ANN)
        assert isinstance(view, PuzzleView)
        names.add(view.name)
        await meet(world, ANN, view.name, right(view.name))
    assert names == {*of_theme} - {asked.name}
    assert not isinstance(await world.trainer.give(ANN), PuzzleView)
    await mornings.sent()
    view = await world.trainer.give(ANN)
    assert isinstance(view, PuzzleView)
    assert view.name == asked.name


async def test_one_that_was_given_before_is_taken_back_and_cant_be_answered_early(mornings: Mornings) -> None:
    world, name = mornings.world, (await _next_drawn(mornings)).puzzle
    await _give(world, ANN, name)
    await mornings.asked()
    given = await world.trainer.give(ANN)
    assert isinstance(given, PuzzleView)
    assert given.name != name
    for player in (ANN, BOB):
        with pytest.raises(Refused, match=TrainerReason.PUZZLE_OF_THE_DAY.value):
            await meet(world, player, name, right(name))
        with pytest.raises(Refused, match=TrainerReason.PUZZLE_OF_THE_DAY.value):
            await world.trainer.look(player, name)
    await mornings.sent()
    assert isinstance(await meet(world, ANN, name, right(name)), AnswerView)


async def _next_drawn(mornings: Mornings) -> DayPuzzle:
    """The puzzle that will be drawn, from a database that forgets that it was."""
    (day,) = await _then_undone(mornings)
    return day


async def _then_undone(mornings: Mornings) -> list[DayPuzzle]:
    world = mornings.world
    now = world.now
    await mornings.made()
    days = await world.sessions.read(lambda s: s.tx.day_puzzles.of(mornings.guild))
    await world.sessions.write(lambda s: s.tx.sql.run("DELETE FROM day_puzzle"))
    world.now = now
    return days


async def _give(world: World, player: Player, name: PuzzleName) -> None:
    solver = await solver_of(world, player)
    await world.sessions.write(lambda s: s.tx.puzzles.save_solver(player, replace(solver, shown=name)))


async def test_someone_who_knows_it_may_look_at_it_and_answer_without_an_effect_on_ratings(mornings: Mornings) -> None:
    world, name = mornings.world, (await _next_drawn(mornings)).puzzle
    met = await meet(world, ANN, name, wrong(name))
    asked = await mornings.asked()
    assert asked.name == name
    assert await world.trainer.look(ANN, name) == met
    view = await world.trainer.look_at_day(GUILD, ANN, asked.day)
    assert isinstance(view, DayPuzzleView)
    assert view.before == met.attempt
    before = await solver_of(world)
    await mornings.answer(ANN, asked, right(name))
    result = await mornings.result()
    assert (result.people, result.solved) == (1, 1)
    assert (await solver_of(world)).rating == before.rating
    assert sum((await counted(world, name)).values()) == 1


async def test_a_missed_puzzle_doesnt_come_back_while_it_is_one_of_the_day(mornings: Mornings) -> None:
    world, name = mornings.world, (await _next_drawn(mornings)).puzzle
    world.now = MORNING - DAY - HOUR
    await meet(world, ANN, name, wrong(name))
    await mornings.asked()
    view = await world.trainer.give(ANN)
    assert isinstance(view, PuzzleView)
    assert view.name != name
    await mornings.sent()
    await world.trainer.put_aside(ANN, view.name)
    assert (await solver_of(world)).shown == name


# ratings and results


async def test_answers_are_rated_like_first_tries_when_the_day_is_over(mornings: Mornings) -> None:
    world, asked = mornings.world, await mornings.asked()
    name = asked.name
    for player, letters in ((ANN, right(name)), (BOB, wrong(name))):
        await mornings.answer(player, asked, letters)
    world.now += 5 * HOUR
    result = await mornings.result()
    assert (result.people, result.solved, result.theme) == (2, 1, known_puzzles()[name].theme)
    solvers = [await solver_of(world, player) for player in (ANN, BOB)]
    assert solvers[0].rating.mean > 0 > solvers[1].rating.mean
    assert [solver.rating.hands for solver in solvers] == [1, 1]
    assert sum((await counted(world, name)).values()) == 2
    assert [repetition.puzzle for repetition in await _repetitions(world, BOB)] == [name]
    assert await _repetitions(world, ANN) == []
    late = await world.trainer.look(ANN, name)
    assert isinstance(late, AnswerView)
    assert late.attempt.at == MORNING
    await world.settle()
    assert findings(world) == []


async def _repetitions(world: World, player: Player) -> list[Repetition]:
    return await world.sessions.read(lambda s: s.tx.puzzles.repetitions(player))


async def test_the_result_shows_what_each_member_chose(mornings: Mornings) -> None:
    asked = await mornings.asked()
    while len(known_puzzles()[asked.name].costs) < 4:
        asked = await mornings.asked()
    name = asked.name
    best = [placement.letters for placement in known_puzzles()[name].placements]
    worst = max(known_puzzles()[name].costs, key=lambda one: (known_puzzles()[name].costs[one], one))
    for player, letters in ((ANN, best[1]), (BOB, worst), (CLEO, best[0]), (DAN, best[1])):
        await mornings.answer(player, asked, letters)
        mornings.world.now += 1
    result = await mornings.result()
    assert [choice.letters for choice in result.choices] == [*best, worst]
    assert [choice.named for choice in result.choices] == [(CLEO,), (ANN, DAN), (), (BOB,)]
    assert [choice.people for choice in result.choices] == [1, 2, 0, 1]
    assert (result.people, result.solved, result.chosen, result.mine) == (4, 1, None, None)
    for player, mine, chosen in ((BOB, 3, None), (DAN, 1, 1)):
        own = await mornings.world.trainer.look_at_day(GUILD, player, asked.day)
        assert isinstance(own, DayResultView)
        assert (own.mine, own.chosen) == (mine, chosen)
        assert not any(choice.named for choice in own.choices)


async def test_the_hidden_the_departed_and_the_deleted_are_counted_without_a_name(mornings: Mornings) -> None:
    world, asked = mornings.world, await mornings.asked()
    for player in (ANN, BOB, CLEO, DAN):
        await mornings.answer(player, asked, right(asked.name))
    await world.play.change_member_settings(GUILD, ANN, lambda before: replace(before, profile_visible=False))
    await world.play.note_departed(GUILD, [BOB])
    await mornings.made()
    await world.privacy.delete(CLEO)
    result = await mornings.result()
    assert result.choices[0].named == (DAN,)
    assert result.choices[0].people == 3
    assert (result.people, result.solved) == (4, 4)
    await world.settle()
    assert findings(world) == []


async def test_someone_who_deletes_their_answer_may_give_another(mornings: Mornings) -> None:
    world, asked = mornings.world, await mornings.asked()
    await mornings.answer(ANN, asked, wrong(asked.name))
    await world.privacy.delete(ANN)
    await mornings.answer(ANN, asked, right(asked.name))
    result = await mornings.result()
    assert (result.people, result.solved) == (1, 1)
    told = (await world.privacy.kept_about(ANN)).servers[GUILD]
    assert [row["letters"] for row in told["puzzles_of_the_day"]] == [right(asked.name)]


async def test_nobody_answered(mornings: Mornings) -> None:
    await mornings.asked()
    result = await mornings.result()
    assert (result.people, result.solved) == (0, 0)
    assert not any(choice.people for choice in result.choices)


async def test_the_first_answer_in_any_server_is_rated_once(world: World) -> None:
    here, there = Mornings(world), Mornings(world, OTHER_GUILD)
    asked, other = await here.asked(), await there.asked()
    assert asked.name == other.name
    await there.answer(ANN, other, right(other.name))
    world.now += 1
    await here.answer(ANN, asked, wrong(asked.name))
    result = await here.result()
    assert (result.people, result.solved) == (1, 0)
    solver = await solver_of(world)
    assert solver.rating.mean > 0, "the answer in the other server came first"
    assert (await there.result()).solved == 1
    assert await solver_of(world) == solver
    assert solver.rating.hands == 1
    await world.settle()
    assert findings(world) == []


async def test_an_answer_after_the_end_is_too_late_and_the_button_leads_to_the_result(mornings: Mornings) -> None:
    world, asked = mornings.world, await mornings.asked()
    await mornings.answer(BOB, asked, right(asked.name))
    world.now = asked.ends_at - 1
    await mornings.answer(CLEO, asked, wrong(asked.name))
    world.now = asked.ends_at
    with pytest.raises(Stale):
        await mornings.answer(ANN, asked, right(asked.name))
    # No post has gone out, because the bot was down, but the day is over.
    view = await world.trainer.look_at_day(GUILD, ANN, asked.day)
    assert isinstance(view, DayResultView)
    assert (view.people, view.solved, view.mine) == (2, 1, None)


# posts that aren't sent


async def test_a_skipped_post_leaves_the_result_to_the_next_one(mornings: Mornings) -> None:
    asked = await mornings.asked()
    await mornings.answer(ANN, asked, right(asked.name))
    mornings.at += DAY
    morning = await mornings.sent()
    assert isinstance(morning.result, DayResultView)
    assert morning.result.day == asked.day
    assert morning.asked is not None
    assert morning.asked.day == asked.day + 1
    assert (await mornings.result()).day == asked.day + 1


async def test_a_puzzle_whose_post_was_never_sent_is_replaced_and_not_revealed(mornings: Mornings) -> None:
    asked = await mornings.asked()
    await mornings.answer(ANN, asked, right(asked.name))
    lost = await mornings.made()
    assert lost.asked is not None
    mornings.at += DAY
    morning = await mornings.sent()
    assert morning.asked is not None
    assert morning.asked.day == lost.asked.day
    assert isinstance(morning.result, DayResultView)
    assert morning.result.day == asked.day
    assert len(mornings.world.ask("SELECT number FROM day_puzzle")) == 2


async def test_a_puzzle_is_offered_only_once_its_post_was_sent(mornings: Mornings) -> None:
    world = mornings.world
    lost = (await mornings.made()).asked
    assert lost is not None
    assert await world.trainer.day_today(GUILD) is None
    # A forged press answers it all the same. It stays an answer to that puzzle.
    await mornings.answer(ANN, lost, right(lost.name))
    mornings.at += DAY
    asked = await mornings.asked()
    assert (asked.day, asked.name) == (lost.day, lost.name)
    today = await world.trainer.day_today(GUILD)
    assert today is not None
    assert today.puzzle == asked.name
    assert (await mornings.result()).solved == 1
    assert await world.trainer.day_today(OTHER_GUILD) is None


async def test_a_post_that_is_turned_off_still_reveals_the_last_puzzle(mornings: Mornings) -> None:
    asked = await mornings.asked()
    await mornings.answer(ANN, asked, right(asked.name))
    mornings.bulletin = replace(mornings.bulletin, puzzle=False)
    morning = await mornings.sent()
    assert morning.asked is None
    assert isinstance(morning.result, DayResultView)
    assert await mornings.sent() == MorningPuzzle(asked=None, result=None, streak=1)


# the streak


async def _day(mornings: Mornings, solves: Collection[bool]) -> None:
    """Ask a puzzle and let so many answer it rightly or wrongly."""
    asked = await mornings.asked()
    for player, solved in zip((ANN, BOB, CLEO), solves, strict=False):
        await mornings.answer(player, asked, (right if solved else wrong)(asked.name))


@pytest.mark.parametrize(
    ("days", "streak"),
    [
        ([(True,), (True, False), (True, True, False)], 3),
        ([(True,), (True, False, False), (True,)], 1),
        ([(True,), (), (True,)], 1),
        ([(True,), (False,)], 0),
        ([], 0),
    ],
)
async def test_the_streak_counts_days_that_half_of_the_answers_solved(
    mornings: Mornings, days: list[tuple[bool, ...]], streak: int
) -> None:
    for solves in days:
        await _day(mornings, solves)
    assert (await mornings.sent()).streak == streak


async def test_days_without_a_puzzle_dont_end_the_streak(mornings: Mornings) -> None:
    await _day(mornings, (True,))
    mornings.at += 3 * DAY
    await _day(mornings, (True,))
    assert (await mornings.sent()).streak == 2


# withdrawing


async def withdraw(world: World, name: PuzzleName) -> None:
    """Withdraw a puzzle as a release does."""
    record = await world.sessions.read(lambda s: s.tx.puzzles.puzzle(name))
    if record is None:
        puzzle = known_puzzles()[name]
        untried = PuzzleRecord(name=name, rating=replace(puzzle.difficulty, hands=0))
        await world.sessions.write(lambda s: s.tx.puzzles.save_puzzle(untried))
    await world.sessions.write(lambda s: training.withdraw(s, name))


async def test_a_withdrawn_puzzle_cancels_the_day_and_costs_nothing(mornings: Mornings) -> None:
    world = mornings.world
    await _day(mornings, (True,))
    asked = await mornings.asked()
    for player in (ANN, BOB):
        await mornings.answer(player, asked, wrong(asked.name))
    await withdraw(world, asked.name)
    for player in (ANN, CLEO):
        with pytest.raises(Refused, match=TrainerReason.DAY_CANCELLED.value):
            await world.trainer.look_at_day(GUILD, player, asked.day)
        with pytest.raises(Refused, match=TrainerReason.DAY_CANCELLED.value):
            await mornings.answer(player, asked, right(asked.name))
    before = await solver_of(world)
    morning = await mornings.sent()
    assert morning.result == CancelledView(day=asked.day, asked_at=asked.ends_at - DAY)
    assert morning.streak == 1, "it neither counts nor ends the streak"
    assert await solver_of(world) == before
    assert morning.asked is not None
    await world.settle()
    assert findings(world) == []


async def test_one_that_is_withdrawn_after_its_day_is_forgiven(mornings: Mornings) -> None:
    world, asked = mornings.world, await mornings.asked()
    await mornings.answer(ANN, asked, wrong(asked.name))
    await mornings.result()
    assert (await solver_of(world)).rating.mean < 0
    await withdraw(world, asked.name)
    assert (await solver_of(world)).rating.mean == 0
    with pytest.raises(Refused, match=TrainerReason.DAY_CANCELLED.value):
        await world.trainer.look_at_day(GUILD, ANN, asked.day)


async def test_withdrawn_puzzles_are_never_drawn(mornings: Mornings) -> None:
    first = (await _next_drawn(mornings)).puzzle
    await withdraw(mornings.world, first)
    names = [(await mornings.asked()).name for _ in range(len(medium_puzzles()) - 1)]
    assert {*names} == {*medium_puzzles()} - {first}


def forget(renewed_files: Path, name: PuzzleName) -> None:
    """Remove a puzzle from the bot's files."""
    position = f'"position":"{known_puzzles()[name].position}"'
    for file in renewed_files.iterdir():
        lines = file.read_text("utf-8").splitlines()
        file.write_text("\n".join(line for line in lines if position not in line), "utf-8")
    forget_files()


async def test_a_puzzle_that_a_release_no_longer_has_is_cancelled(mornings: Mornings, renewed_files: Path) -> None:
    asked = await mornings.asked()
    await mornings.answer(ANN, asked, right(asked.name))
    forget(renewed_files, asked.name)
    assert asked.name not in known_puzzles()
    assert isinstance((await mornings.made()).result, CancelledView)
    with pytest.raises(Refused, match=TrainerReason.DAY_CANCELLED.value):
        await mornings.world.trainer.look_at_day(GUILD, ANN, asked.day)
    assert await solver_of(mornings.world) == Solver()


async def test_ratings_go_on_where_they_were_interrupted(mornings: Mornings) -> None:
    world, asked = mornings.world, await mornings.asked()
    for player in (ANN, BOB, CLEO):
        await mornings.answer(player, asked, right(asked.name))
    world.now = asked.ends_at
    assert await world.sessions.write(lambda s: day_puzzles.rate_next(s, GUILD))
    await world.restart()
    result = await mornings.result()
    assert (result.people, result.solved) == (3, 3)
    assert [(await solver_of(world, player)).rating.hands for player in (ANN, BOB, CLEO)] == [1, 1, 1]
    await world.settle()
    assert findings(world) == []


# the whole


@pytest.mark.parametrize("seed", range(3))
async def test_whatever_members_do_the_books_are_in_order(world: World, seed: int) -> None:
    chance = random.Random(seed)
    servers = [Mornings(world), Mornings(world, OTHER_GUILD, at=MORNING + chance.choice([0, 3]) * HOUR)]
    for _ in range(40):
        server, player = min(servers, key=lambda one: one.at), chance.choice([ANN, BOB, CLEO])
        day = await world.trainer.day_today(server.guild)
        match chance.choice(["sent", "made", "skipped", "answer", "answer", "answer", "puzzle", "withdraw", "delete"]):
            case "sent":
                await server.sent()
            case "made":
                await server.made()
            case "skipped":
                server.at += DAY
            case "answer" if day is not None:
                placement = chance.choice(known_puzzles()[day.puzzle].placements)
                with suppress(Stale, Refused):
                    await world.trainer.answer_day(
                        server.guild, player, day.number, day.puzzle, placement.letters, cause=world.cause()
                    )
            case "puzzle":
                view = await world.trainer.give(player)
                assert isinstance(view, PuzzleView)
                await meet(world, player, view.name, right(view.name))
            case "withdraw" if day is not None and chance.random() < 0.3:
                await withdraw(world, day.puzzle)
            case "delete" if chance.random() < 0.3:
                await world.privacy.delete(player)
        world.now += chance.randint(0, 9) * HOUR
    for server in servers:
        server.at = max(server.at, world.now - world.now % HOUR + HOUR)
        await server.sent()
    await world.settle()
    assert findings(world) == []
    assert world.ask(
        "SELECT COUNT(*) FROM day_answer WHERE rated = 0 AND number IN (SELECT number FROM day_puzzle "
        "WHERE day_puzzle.guild_id = day_answer.guild_id AND people IS NOT NULL)"
    ) == [(0,)]
