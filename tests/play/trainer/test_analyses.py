"""Analyses: one at a time per player, computed once, and refused with a reason where there is none."""

from __future__ import annotations

import asyncio
import threading

import pytest
from typing_extensions import override

from bot.base.meter import SILENT
from bot.model.errors import ComputationFailedError
from bot.model.ids import GuildId, Player
from bot.model.reasons import TrainerReason
from bot.play.session.workers import MAX_COMPUTATION_SECONDS, Job, Priority, T
from bot.play.trainer.analyses import MAX_PER_MINUTE, MAX_WAITING, MINUTE_MS, Analyses
from bot.play.trainer.views import AnalysisView
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import CHINESE, JOKER_PINEAPPLE, PINEAPPLE, THIRTEEN
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.variants import Variant
from bot.pure.trainer.analysis import CANDIDATES, DEEPENED
from bot.pure.trainer.position import Position, parse_position
from bot.workers.worker_pool import WorkerPool
from tests.play.world import ANN, BOB, World

LAST = "KdQh/7c7d2c2h9s/AsKsQsJs +3d4dTs vs Ah8d/9c9d2s3s/JdTdTh4c8h"
"""Positions on the last street, which are searched in no time."""
OTHER = "KdQh/7c7d2c2h9s/AsKsQsJs +5d4dTs vs Ah8d/9c9d2s3s/JdTdTh4c8h"
SECOND = "Kd/7c7d/AsKs +QhQs2c vs Ah/9c9d/JsTs"
LATE = "KdQh/7c7d2c/AsKsQsJs +3d4dTs vs Ah8d/9c9d2s/JdTdTh4c"
"""The street before the last, of which a deeper search takes little longer."""
GUILD = GuildId(0)


class Gated(WorkerPool):
    """Workers that wait until ``ready`` is set, and count the searches."""

    def __init__(self) -> None:
        super().__init__(meter=SILENT)
        self.ready = asyncio.Event()
        self.asked = 0
        self.waits = asyncio.Semaphore(0)
        """Counts the searches that wait."""
        self.fails = False

    async def wait_for(self, searches: int) -> None:
        """Wait until this many more searches have been asked for."""
        for _ in range(searches):
            await self.waits.acquire()

    @override
    async def think(
        self,
        job: Job[T],
        *,
        guild: GuildId,
        quickly: Job[T] | None = None,
        urgency: Priority = Priority.TABLE,
        seconds: float = MAX_COMPUTATION_SECONDS,
        game: str = "",
    ) -> T:
        self.asked += 1
        self.waits.release()
        assert urgency is Priority.LATER, "tables come first"
        await self.ready.wait()
        if self.fails:
            raise ComputationFailedError
        return await super().think(job, guild=guild, quickly=quickly, urgency=urgency, seconds=seconds, game=game)


def read(text: str, variant: Variant = PINEAPPLE) -> Position:
    return parse_position(text, variant)


async def ask(analyses: Analyses, text: str = LAST, player: Player = ANN, *, deeper: bool = False) -> AnalysisView:
    return await analyses.of(player, GUILD, PINEAPPLE, read(text), deeper=deeper)


async def reason(analyses: Analyses, text: str = LAST, player: Player = ANN) -> object:
    """Return the reason for which a request is refused."""
    with pytest.raises(Refused) as error:
        await ask(analyses, text, player)
    return error.value.reason


@pytest.fixture
def workers() -> Gated:
    """Workers that are ready unless a test stops them."""
    gated = Gated()
    gated.ready.set()
    return gated


@pytest.fixture
def analyses(world: World, workers: Gated) -> Analyses:
    """Analyses with these workers."""
    return Analyses(world.sessions, workers)


async def test_the_best_placements_come_first_with_what_they_lead_to(analyses: Analyses) -> None:
    view = await ask(analyses, SECOND)
    values = [one.value for one in view.placements]
    assert values == sorted(values, reverse=True)
    assert len(values) == CANDIDATES
    for one in view.placements:
        assert one.error > 0
        assert 0 <= one.facts.foul <= 1
        assert 0 <= one.facts.fantasyland <= 1
    assert view.may_deepen


async def test_asking_again_costs_nothing(analyses: Analyses, workers: Gated) -> None:
    first = await ask(analyses)
    assert await ask(analyses) == first
    assert await ask(analyses, player=BOB) == first
    assert workers.asked == 1
    await ask(analyses, OTHER)
    assert workers.asked == 2


async def test_a_deeper_search_continues_the_first_one(analyses: Analyses, workers: Gated) -> None:
    first = await ask(analyses, SECOND)
    deeper = await ask(analyses, SECOND, deeper=True)
    assert workers.asked == 2
    assert {one.letters for one in deeper.placements} == {one.letters for one in first.placements[:DEEPENED]}
    assert [one.value for one in deeper.placements] != [one.value for one in first.placements[:DEEPENED]]
    assert not deeper.may_deepen
    assert await ask(analyses, SECOND, deeper=True) == deeper
    assert workers.asked == 2


async def test_a_deeper_search_after_a_restart_makes_the_first_one_again(world: World) -> None:
    workers = Gated()
    workers.ready.set()
    view = await ask(Analyses(world.sessions, workers), LATE, deeper=True)
    assert view.deeper
    assert workers.asked == 2


async def test_each_player_has_one_at_a_time(analyses: Analyses, workers: Gated) -> None:
    workers.ready.clear()
    first = asyncio.create_task(ask(analyses))
    other = asyncio.create_task(ask(analyses, player=BOB))
    await workers.wait_for(2)
    assert await reason(analyses, OTHER) is TrainerReason.ANALYSIS_RUNS
    workers.ready.set()
    assert (await first).placements == (await other).placements
    assert await ask(analyses, OTHER)


async def test_a_server_with_many_requests_waits_behind_others(analyses: Analyses, workers: Gated) -> None:
    busy, done = threading.Event(), list[str]()
    others = asyncio.create_task(workers.think(lambda _: busy.wait(60), guild=GuildId(9), urgency=Priority.LATER))
    await workers.wait_for(1)
    tasks = []
    for number, (name, guild) in enumerate({"first": 1, "second": 1, "third": 1, "elsewhere": 2}.items()):
        position = read(LAST.replace("3d4d", f"3d{['5c', '6c', '6d', '6h'][number]}"))
        asked = analyses.of(Player(str(6000 + number)), GuildId(guild), PINEAPPLE, position, deeper=False)
        tasks.append(asyncio.create_task(asked, name=name))
        tasks[-1].add_done_callback(lambda task: done.append(task.get_name()))
        await workers.wait_for(1)
    busy.set()
    await asyncio.gather(others, *tasks)
    assert done == ["first", "elsewhere", "second", "third"]


async def test_more_people_than_can_be_served_soon_are_told_so(analyses: Analyses, workers: Gated) -> None:
    workers.ready.clear()
    people = [Player(str(5000 + number)) for number in range(MAX_WAITING)]
    waiting = [asyncio.create_task(ask(analyses, player=one)) for one in people]
    await workers.wait_for(MAX_WAITING)
    assert await reason(analyses) is TrainerReason.ANALYSES_WAIT
    workers.ready.set()
    await asyncio.gather(*waiting)
    assert await ask(analyses)


async def test_one_who_gives_up_does_not_wait_for_ever(analyses: Analyses, workers: Gated) -> None:
    workers.ready.clear()
    first = asyncio.create_task(ask(analyses))
    await workers.wait_for(1)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    workers.ready.set()
    assert await ask(analyses)


async def test_a_script_is_slowed_down(world: World, analyses: Analyses) -> None:
    left = ("2d", "3c", "3h", "5c", "5h", "5s", "6c", "6d", "6h", "6s", "7h")
    texts = [LAST.replace("3d4d", f"{card}4d") for card in left[: MAX_PER_MINUTE + 1]]
    for text in texts[:MAX_PER_MINUTE]:
        await ask(analyses, text)
    assert await reason(analyses, texts[-1]) is TrainerReason.TOO_MANY_ANALYSES
    await ask(analyses, texts[0])
    world.now += MINUTE_MS
    assert await ask(analyses, texts[-1])


async def test_a_lost_worker_is_told_and_asked_again(analyses: Analyses, workers: Gated) -> None:
    workers.fails = True
    assert await reason(analyses) is TrainerReason.ANALYSIS_LATER
    workers.fails = False
    assert await ask(analyses)


async def test_a_game_without_values_is_refused(analyses: Analyses) -> None:
    unfitted = house_variant("turbo", {"jokers": "1"})
    with pytest.raises(Refused) as error:
        await analyses.of(ANN, GUILD, unfitted, read("// +AsKsQd7d2c vs //", unfitted), deeper=False)
    assert error.value.reason is TrainerReason.NO_VALUES


async def test_a_board_that_is_bound_to_foul_is_refused(analyses: Analyses) -> None:
    fouled = "KdKh/7c7d2c2h3s/6s5hQc4h +3d4dTs vs Ah8d/9c9d2s3h/JdTdTh4c8h"
    assert await reason(analyses, fouled) is TrainerReason.BOARD_FOULS


@pytest.mark.parametrize(
    ("variant", "text"),
    [
        (CHINESE, "// +AsKsQsJsTs9s8s7s6s5s4s3s2s vs //"),
        (THIRTEEN, "// +TdTs7s6s6hJdQd9dTc2sQh9cTh vs // // //"),
        (PINEAPPLE, "@14 +KcKhKsQdJd9h9s8d2s3c4c5c8cTd vs Ah/9c9d2d/JsTs8s"),
        (JOKER_PINEAPPLE, "KdQh/7c7d2c2h9s/AsKsQsX1 +3d4dTs"),
        (PINEAPPLE, LAST),
    ],
)
async def test_nothing_is_deeper_than_the_last_cards(analyses: Analyses, variant: Variant, text: str) -> None:
    view = await analyses.of(ANN, GUILD, variant, read(text, variant), deeper=False)
    assert view.placements
    assert not view.may_deepen
    with pytest.raises(Refused) as error:
        await analyses.of(ANN, GUILD, variant, read(text, variant), deeper=True)
    assert error.value.reason is TrainerReason.NOTHING_DEEPER


async def test_nothing_is_searched_deeper_where_all_is_exact(analyses: Analyses) -> None:
    assert (await ask(analyses, LATE)).may_deepen
    assert not (await ask(analyses, LATE.partition(" vs ")[0])).may_deepen
