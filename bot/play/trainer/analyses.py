"""Analyses of positions, with their limits and queue. Results are kept, so asking again costs nothing."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from math import ceil

from bot.model.errors import ComputationFailedError
from bot.model.ids import GuildId, Player
from bot.model.reasons import TrainerReason
from bot.play.api.transactions import Transactions
from bot.play.session.workers import Job, Priority, T, Workers
from bot.play.trainer import running_hands
from bot.play.trainer.views import AnalysisView
from bot.pure.ofc.outlook import outlook
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import HandView, unseen
from bot.pure.solver.levels import Computers
from bot.pure.trainer.analysis import AnalysedPlacement, NoValuesError, analysed, deepened
from bot.pure.trainer.position import Position, view_of

MAX_KEPT = 500
"""Maximum number of results kept."""
MAX_WAITING = 24
"""Maximum number of players who wait for an analysis. More would wait for more than half a minute."""
MAX_PER_MINUTE = 10
"""Maximum number of analyses per player and minute. Each takes up to three seconds of a processor."""
MAX_SECONDS = 60.0
"""Timeout of a search, on a machine that's busy with other things as well."""
TABLES_AT_ONCE = 20
"""Number of tables looked at in one transaction, so that others are read in between."""
MINUTE_MS = 60_000

_Key = tuple[Variant, str, bool]


class Analyses:
    """Computes analyses one after the other. Each player may have one in the queue, and servers take turns."""

    def __init__(self, transactions: Transactions, workers: Workers) -> None:
        self._read, self._now, self._workers = transactions.read, transactions.now, workers
        self._kept: OrderedDict[_Key, Sequence[AnalysedPlacement]] = OrderedDict()
        self._waiting: set[Player] = set()
        self._asked: dict[Player, deque[int]] = {}
        """Times of each player's requests in the last minute."""

    async def of(
        self, player: Player, guild: GuildId, variant: Variant, position: Position, *, deeper: bool
    ) -> AnalysisView:
        """Return the best placements; raises Refused."""
        view = view_of(position, variant)
        if outlook(variant, position.rows, (*position.held, *unseen(view))).lost:
            raise Refused(TrainerReason.BOARD_FOULS)
        if deeper and position.is_last(variant):
            raise Refused(TrainerReason.NOTHING_DEEPER)
        await self._check_hands(player, position)
        key = variant, str(position), deeper
        if key not in self._kept:
            with self._turn(player):
                self._keep(key, await self._found(key, view, guild))
        self._kept.move_to_end(key)
        return AnalysisView(variant=variant, position=position, placements=self._kept[key], deeper=deeper)

    async def _check_hands(self, player: Player, position: Position) -> None:
        """Raise Refused if the position is from a running hand or a puzzle of the day, even if its result is known."""
        if await self._read(lambda s: running_hands.is_in_own_hand(s, player, position)):
            raise Refused(TrainerReason.IN_YOUR_HAND)
        if await self._read(lambda s: running_hands.is_day_puzzle(s, position)):
            raise Refused(TrainerReason.IN_A_DAY_PUZZLE)
        if not any(position.rows):
            return
        tables = await self._read(running_hands.others_hands)
        for start in range(0, len(tables), TABLES_AT_ONCE):
            some = tables[start : start + TABLES_AT_ONCE]
            if await self._read(partial(running_hands.is_in_hand, player=player, asked=position, tables=some)):
                raise Refused(TrainerReason.IN_A_HAND)

    @contextmanager
    def _turn(self, player: Player) -> Iterator[None]:
        """Count the player as waiting; raises Refused if they may not."""
        if player in self._waiting:
            raise Refused(TrainerReason.ANALYSIS_RUNS)
        if len(self._waiting) >= MAX_WAITING:
            raise Refused(TrainerReason.ANALYSES_WAIT)
        self._brake(player)
        self._waiting.add(player)
        try:
            yield
        finally:
            self._waiting.discard(player)

    def _brake(self, player: Player) -> None:
        now = self._now()
        self._asked = {who: times for who, times in self._asked.items() if times[-1] > now - MINUTE_MS}
        times = self._asked.setdefault(player, deque(maxlen=MAX_PER_MINUTE))
        if len(times) == MAX_PER_MINUTE and (wait := times[0] + MINUTE_MS - now) > 0:
            raise Refused(TrainerReason.TOO_MANY_ANALYSES, count=ceil(wait / 1000))
        times.append(now)

    def _keep(self, key: _Key, found: Sequence[AnalysedPlacement]) -> None:
        self._kept[key] = found
        if len(self._kept) > MAX_KEPT:
            self._kept.popitem(last=False)

    async def _found(self, key: _Key, view: HandView, guild: GuildId) -> Sequence[AnalysedPlacement]:
        variant, text, deeper = key
        if not deeper:
            return await self._think(partial(_analysis, view=view), variant, guild)
        before = variant, text, False
        if before not in self._kept:
            self._keep(before, await self._found(before, view, guild))
        return await self._think(partial(_deeper, view=view, found=self._kept[before]), variant, guild)

    async def _think(self, job: Job[T], variant: Variant, guild: GuildId) -> T:
        try:
            return await self._workers.think(
                job, guild=guild, urgency=Priority.LATER, seconds=MAX_SECONDS, game=variant.key
            )
        except NoValuesError:
            raise Refused(TrainerReason.NO_VALUES) from None
        except ComputationFailedError:
            raise Refused(TrainerReason.ANALYSIS_LATER) from None


def _analysis(computers: Computers, *, view: HandView) -> Sequence[AnalysedPlacement]:
    return analysed(computers, view)


def _deeper(computers: Computers, *, view: HandView, found: Sequence[AnalysedPlacement]) -> Sequence[AnalysedPlacement]:
    return deepened(computers, view, found)
