"""Hints at practice tables, reviews of finished hands, and retries of hands with the same cards.

Reviews are computed by workers and cached. In a retry, the player replays a hand from some street on, against the
others' original boards. Retries aren't stored, because messages carry the letters of all placements so far.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import ceil

from bot.model.errors import ComputationFailedError
from bot.model.ids import Player
from bot.model.reasons import HandReason
from bot.model.refusals import Stale
from bot.play.queries.replays import PastHand
from bot.play.queries.views import TableView
from bot.play.session.workers import Job, Priority, T, Workers
from bot.pure.ofc.cards import Card, RowCards
from bot.pure.ofc.placement import check_placement, place
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.scoring import Board, HandScore, score_hand
from bot.pure.ofc.view import Facing, HandView, SeatView
from bot.pure.solver.arrange import best_arrangement, complete_placement
from bot.pure.solver.levels import Computers, Level
from bot.pure.solver.luck import LuckResult, account
from bot.pure.solver.review import Decision, DecisionPoint, decision
from bot.pure.solver.search import PlacementValue
from bot.pure.solver.visible_cards import cards_to_place


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry:
    """A retry of a hand."""

    past: PastHand
    start: int
    """Index of the decision from which the player places again."""
    letters: tuple[str, ...] = ()
    """The placements since then, one per decision."""

    @property
    def over(self) -> bool:
        """True if the board is full."""
        return self.start + len(self.letters) == len(self.past.moments)

    @property
    def view(self) -> HandView:
        """The current decision: the others' boards at that time, and the player's own as it is now."""
        view = self.past.moments[self.start + len(self.letters)].view
        rows, discards = self._placed
        seats = list(view.seats)
        seats[self.past.seat] = replace(seats[self.past.seat], rows=rows, discards=discards)
        # Declarations aren't offered again: the player has already made or skipped them in the hand.
        return replace(view, seats=tuple(seats), variant=replace(view.variant, naturals={}, surrender=0))

    @property
    def rows(self) -> RowCards:
        """The player's own board so far."""
        return self._placed[0]

    @property
    def discards(self) -> tuple[Card, ...]:
        """The player's own discards, including those from before the retry."""
        return self._placed[1]

    @property
    def score(self) -> HandScore:
        """The score of the hand with the new board, which must be full."""
        boards = [
            Board(
                rows=self.rows if number == self.past.seat else _face_up(seat.rows),
                fantasyland=seat.fantasyland,
                forfeited=seat.forfeited,
                natural=None if number == self.past.seat else seat.natural,
                surrendered=seat.surrendered and number != self.past.seat,
            )
            for number, seat in enumerate(self.past.end.seats)
        ]
        return score_hand(self.past.end.variant, boards)

    def then(self, letters: str) -> Retry:
        """Return the retry after one more placement; raises Stale if it's invalid."""
        further = replace(self, letters=(*self.letters, letters))
        further.check()
        return further

    def check(self) -> None:
        """Raise Stale if the placements are against the rules, because the letters in buttons can't be trusted."""
        moments = self.past.moments
        if not 0 <= self.start < len(moments) or self.start + len(self.letters) > len(moments):
            raise Stale
        rows = _face_up(_mine(moments[self.start].view).rows)
        try:
            for moment, letters in zip(moments[self.start :], self.letters, strict=False):
                held = _held(moment.view)
                check_placement(rows, held, letters, to_place=moment.view.to_place)
                rows, _ = place(rows, held, letters)
        except Refused:
            raise Stale from None

    @property
    def _placed(self) -> tuple[RowCards, tuple[Card, ...]]:
        """The player's rows and discards."""
        mine = _mine(self.past.moments[self.start].view)
        rows, discards = _face_up(mine.rows), _known(mine.discards)
        for moment, letters in zip(self.past.moments[self.start :], self.letters, strict=False):
            rows, more = place(rows, _held(moment.view), letters)
            discards += more
        return rows, discards


def _mine(view: HandView) -> SeatView:
    assert view.mine
    return view.mine


def _held(view: HandView) -> tuple[Card, ...]:
    return _known(_mine(view).held)


def _known(cards: Facing) -> tuple[Card, ...]:
    return tuple(card for card in cards if card is not None)


def _face_up(rows: tuple[Facing, Facing, Facing]) -> RowCards:
    front, middle, back = map(_known, rows)
    return front, middle, back


MAX_PLACEMENTS = 2
"""Number of placements shown in a hint."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """The best placements of a street, best first."""

    hand: HandView
    """The hand as its player saw it when asking."""
    letters: tuple[str, ...]
    judged: tuple[PlacementValue, ...]
    """The resulting boards; empty in a game without fitted values."""

    def is_for(self, view: TableView) -> bool:
        """True while the viewer still has to place the hint's cards."""
        return view.may_hint and view.hand is not None and view.hand.mine == self.hand.mine


def asked(view: TableView, *, hand_no: int, street: int) -> HandView:
    """Return the hand to give a hint for; raises Refused if it isn't allowed, and Stale for another street."""
    if not view.table.terms.practice or view.table.event_no is not None:
        raise Refused(HandReason.HINTS_ARE_FOR_PRACTICE)
    hand = view.hand
    if hand is None or not view.may_hint or (view.table.hand_no, hand.street) != (hand_no, street):
        raise Stale
    return hand


def hint(view: HandView) -> Job[Hint]:
    """Return a job for a master's placement and the next best one."""
    return partial(_hint, view=view)


def _hint(computers: Computers, *, view: HandView) -> Hint:
    judged = tuple(computers.evaluate(view)[:MAX_PLACEMENTS])
    letters = tuple(one.letters for one in judged) or (computers.choose(view, Level.MASTER),)
    return Hint(hand=view, letters=letters, judged=judged)


# Jobs for workers. They contain only data that the player in question may see.


def placement(view: HandView, level: Level, *, entering: Mapping[int, float] | None = None) -> Job[str]:
    """Return a job for a computer player's placement at ``level``.

    ``entering`` holds the values of Fantasyland for a master if it isn't played in the next hand.
    """
    return partial(Computers.choose, view=view, level=level, entering=entering)


def computer_turn(view: HandView, level: Level, *, fallback: bool = False) -> Job[tuple[str, bool]]:
    """Return a job for a computer's placement at ``level``, which passes on ``fallback``."""
    return partial(_turn, view=view, level=level, fallback=fallback)


def _turn(computers: Computers, *, view: HandView, level: Level, fallback: bool) -> tuple[str, bool]:
    return computers.choose(view, level), fallback


def arrangement(view: HandView) -> Job[str]:
    """Return a job for a whole board as set by a master."""
    return partial(Computers.arranged, view=view)


def quick_arrangement(view: HandView) -> Job[str]:
    """Return a job for the board that pays the most on its own, without a model of the game."""
    return partial(_arranged, view=view)


def _arranged(computers: Computers, *, view: HandView) -> str:
    return best_arrangement(view.variant, cards_to_place(view))


def completion(view: HandView, draft: str) -> Job[str]:
    """Return a job for a legal board that keeps the player's draft."""
    return partial(_completed, view=view, draft=draft)


def _completed(computers: Computers, *, view: HandView, draft: str) -> str:
    return complete_placement(view.variant, cards_to_place(view), draft)


def judgement(moment: DecisionPoint) -> Job[Decision]:
    """Return a job for the cost of a placement in a finished hand."""
    return partial(decision, moment=moment)


def luck_job(past: PastHand) -> Job[LuckResult]:
    """Return a job for the share of luck in a finished hand's result."""
    score = past.end.score
    assert score
    return partial(account, variant=past.end.variant, score=score, deals=past.deals, seat=past.seat)


MAX_CACHED_REVIEWS = 300
"""Maximum number of cached reviews. They're cached because players page through them."""
MAX_REVIEWS_PER_MINUTE = 6
"""Maximum reviews per player and minute. Each takes one or two seconds of a processor."""
MAX_SECONDS = 120.0
"""Timeout of a review (seconds)."""
MINUTE_MS = 60_000

Told = Callable[[int], Awaitable[None]]
"""Called after each evaluated decision, with the number so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """A reviewed hand."""

    past: PastHand
    decisions: tuple[Decision, ...]
    """One per decision of the player."""
    account: LuckResult


class Reviews:
    """Computes and caches reviews."""

    def __init__(self, workers: Workers, now: Callable[[], int]) -> None:
        self._workers = workers
        self._now = now
        self._known: OrderedDict[tuple[str, Player], Review] = OrderedDict()
        self._asked: dict[Player, deque[int]] = {}
        """Times of each player's requests in the last minute."""

    async def of(self, past: PastHand, told: Told) -> Review:
        """Return the review of a hand; raises Refused if the player asks too often or all workers are busy."""
        name = past.name, past.player
        found = self._known.get(name)
        if found is None:
            self._brake(past.player)
            found = self._known[name] = await self._thought_out(past, told)
            if len(self._known) > MAX_CACHED_REVIEWS:
                self._known.popitem(last=False)
        self._known.move_to_end(name)
        return found

    def _brake(self, player: Player) -> None:
        now = self._now()
        self._asked = {who: times for who, times in self._asked.items() if times[-1] > now - MINUTE_MS}
        times = self._asked.setdefault(player, deque(maxlen=MAX_REVIEWS_PER_MINUTE))
        if len(times) == MAX_REVIEWS_PER_MINUTE and (wait := times[0] + MINUTE_MS - now) > 0:
            raise Refused(HandReason.TOO_MANY_REVIEWS, count=ceil(wait / 1000))
        times.append(now)

    async def _thought_out(self, past: PastHand, told: Told) -> Review:
        try:
            async with asyncio.timeout(MAX_SECONDS):
                return await self._evaluate(past, told)
        except (ComputationFailedError, TimeoutError):
            raise Refused(HandReason.REVIEW_LATER) from None

    async def _evaluate(self, past: PastHand, told: Told) -> Review:
        """Evaluate one decision after another, so that other computations can run in between."""
        decisions: list[Decision] = []
        for moment in past.moments:
            decisions.append(await self._think(judgement(moment), past))
            await told(len(decisions))
        return Review(past=past, decisions=tuple(decisions), account=await self._think(luck_job(past), past))

    async def _think(self, job: Job[T], past: PastHand) -> T:
        """Run a job with a long timeout, because the player sees the progress."""
        guild = past.table.key.guild
        return await self._workers.think(job, guild=guild, urgency=Priority.LATER, seconds=MAX_SECONDS)
