"""Finding puzzles while the workers are idle, and verifying the stored ones again.

Finished hands come first. Hands between computer players are played only for solvers who have few puzzles left.

A search is split into jobs of about a second or less, so that a table never waits long for a worker. A restart loses at
most the search in progress.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial

from bot import __version__
from bot.model.errors import ComputationFailedError
from bot.model.ids import GuildId
from bot.model.limits import KEPT_FOR_HANDS
from bot.model.puzzles import PuzzleName
from bot.play.api.transactions import Transactions
from bot.play.queries.reviews import MAX_SECONDS
from bot.play.session.workers import Job, Priority, T, Workers
from bot.play.trainer import found_puzzles, hand_puzzles, shortage
from bot.play.trainer.all_puzzles import read_puzzle
from bot.play.trainer.shortage import SelfPlayedHand
from bot.pure.ofc.view import HandView
from bot.pure.rating.model import Rating
from bot.pure.trainer.anonymous import anonymous
from bot.pure.trainer.position import position_in, view_of
from bot.pure.trainer.puzzle import SKILLS, Puzzle, candidate_at, is_hard, puzzle_of, tried_by
from bot.pure.trainer.self_play import seeded_views
from bot.pure.trainer.verification import keeps_best, part, parts_of

log = logging.getLogger(__name__)

OF_ALL = GuildId(0)
"""Server that pays for what everyone gets: verifying puzzles again, and self-play. Only one process serves it."""
HANDS = 20
"""Maximum number of hands in a row. In Pineapple about one in four makes a puzzle, in Classic one in twenty."""


class Finding:
    """Finds puzzles in the hands of this process's servers, and one process of a cluster also in self-play."""

    def __init__(
        self,
        transactions: Transactions,
        workers: Workers,
        *,
        serves: Callable[[GuildId], bool],
        version: str = __version__,
    ) -> None:
        self._read, self._write = transactions.read, transactions.write
        self._workers = workers
        self._serves = serves
        self._version = version
        self._failed: set[PuzzleName] = set()
        """Candidates and puzzles that couldn't be searched. They're tried again after the next start."""
        self._hands_left = 0
        """Number of hands between computer players until the next :meth:`look_again`."""

    def look_again(self) -> None:
        """Ask whether a solver has few puzzles left, and let up to ``HANDS`` hands be played for them."""
        self._hands_left = HANDS

    async def step(self) -> bool:
        """Settle a candidate, verify a stored puzzle again or play a hand; False if there is nothing to do now."""
        return await self._settle_next() or await self._verify_next() or await self._play_next()

    async def _settle_next(self) -> bool:
        candidate = await self._read(lambda s: hand_puzzles.next_candidate(s, serves=self._serves, but=self._failed))
        if candidate is None:
            return False
        try:
            puzzle = None if candidate.view is None else await self.search(candidate.view, candidate.key.guild)
        except ComputationFailedError:
            log.info("a position of a hand at %s could not be searched for a puzzle", candidate.key)
            self._failed.add(candidate.mistake)
            return True
        await self._write(
            lambda s: hand_puzzles.settle(s, candidate, puzzle, version=self._version), patient=True, sets_clocks=False
        )
        return True

    async def _verify_next(self) -> bool:
        if not self._serves(OF_ALL):
            return False
        stored = await self._read(lambda s: found_puzzles.next_unverified(s, self._version, but=self._failed))
        if stored is None:
            return False
        puzzle = read_puzzle(stored)
        try:
            holds = puzzle is not None and await self._is_verified(puzzle, OF_ALL)
        except ComputationFailedError:
            log.info("puzzle %s could not be verified", stored.name)
            self._failed.add(stored.name)
            return True
        await self._write(
            lambda s: found_puzzles.note_verified(s, stored, holds=holds, version=self._version), patient=True
        )
        return True

    async def _play_next(self) -> bool:
        if not self._hands_left or not self._serves(OF_ALL):
            return False
        hand = await self._read(shortage.next_hand)
        if hand is None:
            self._hands_left = 0
            return False
        self._hands_left -= 1
        try:
            puzzle = await self._search_hand(hand)
        except ComputationFailedError:
            log.info("a hand of %s between computer players could not be searched for a puzzle", hand.variant.key)
            self._hands_left = 0
            return False
        if puzzle is not None and await self._write(
            lambda s: found_puzzles.add(s, puzzle, version=self._version, kept=KEPT_FOR_HANDS),
            patient=True,
            sets_clocks=False,
        ):
            log.info("found a puzzle of %s for solvers who have few left", hand.variant.key)
        return True

    async def _search_hand(self, hand: SelfPlayedHand) -> Puzzle | None:
        for view in await self._think(partial(seeded_views, variant=hand.variant, seed=hand.seed), OF_ALL):
            puzzle = await self.search(view_of(anonymous(position_in(view)), view.variant), OF_ALL)
            if puzzle is not None:
                return puzzle
        return None

    async def search(self, view: HandView, guild: GuildId) -> Puzzle | None:
        """Return the puzzle that a position makes; None if it makes none."""
        candidate = await self._think(partial(candidate_at, view=view), guild)
        if candidate is None:
            return None
        attempts: list[tuple[Rating, bool]] = []
        for level in SKILLS:
            trying = partial(tried_by, view=candidate.view, best=candidate.best, level=level)
            attempts += await self._think(trying, guild)
        if not is_hard(attempts):
            return None
        puzzle = await self._think(partial(puzzle_of, candidate=candidate, attempts=attempts), guild)
        return puzzle if await self._is_verified(puzzle, guild) else None

    async def _is_verified(self, puzzle: Puzzle, guild: GuildId) -> bool:
        parts = [
            await self._think(partial(part, puzzle=puzzle, number=number), guild) for number in range(parts_of(puzzle))
        ]
        return keeps_best(parts)

    async def _think(self, job: Job[T], guild: GuildId) -> T:
        return await self._workers.think(job, guild=guild, urgency=Priority.IDLE, seconds=MAX_SECONDS)
