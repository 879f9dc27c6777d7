"""What a master thinks of cards: hints at a practice table, reviews of finished hands, and the same cards once more.

Who asks for a review waits for those who think, and what was found is remembered for a while. A retry is played from
some street on, by one player alone, against the boards that the others made then. Nothing of it is stored: what was
placed so far follows from the letters, which the messages carry.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import ceil

from bot.model.errors import NoThoughtError
from bot.model.ids import Player
from bot.model.reasons import HandReason
from bot.model.refusals import Stale
from bot.play.look.replays import PastHand
from bot.play.look.views import TableView
from bot.play.session.thinkers import Job, T, Thinkers, Urgency
from bot.pure.ofc.cards import Card, RowCards
from bot.pure.ofc.placement import check_placement, place
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.scoring import Board, HandScore, score_hand
from bot.pure.ofc.view import Facing, HandView, SeatView
from bot.pure.solver.arrange import best_arrangement, completed
from bot.pure.solver.levels import Computers, Level
from bot.pure.solver.luck import Account, account
from bot.pure.solver.review import Decision, Moment, decision
from bot.pure.solver.search import Judged
from bot.pure.solver.sight import cards_to_place


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry:
    """Another try at a hand."""

    past: PastHand
    start: int
    """The decision from which cards are placed again, by its place among the hand's moments."""
    letters: tuple[str, ...] = ()
    """The placements since then, one for each decision."""

    @property
    def over(self) -> bool:
        """True when the board is full."""
        return self.start + len(self.letters) == len(self.past.moments)

    @property
    def view(self) -> HandView:
        """The decision at hand: the others' boards as they were then, and one's own as it is now."""
        view = self.past.moments[self.start + len(self.letters)].view
        rows, discards = self._placed
        seats = list(view.seats)
        seats[self.past.seat] = replace(seats[self.past.seat], rows=rows, discards=discards)
        # What has to be declared was declared, or not, in the hand.
        return replace(view, seats=tuple(seats), variant=replace(view.variant, naturals={}, surrender=0))

    @property
    def rows(self) -> RowCards:
        """One's own board as far as it is filled."""
        return self._placed[0]

    @property
    def discards(self) -> tuple[Card, ...]:
        """One's own discards, those from before the try included."""
        return self._placed[1]

    @property
    def score(self) -> HandScore:
        """The hand with the new board in the place of the old one; the board is full."""
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
        """After one more placement; raises Stale for one that is none here."""
        further = replace(self, letters=(*self.letters, letters))
        further.check()
        return further

    def check(self) -> None:
        """Raise Stale where the letters were not placed by these rules: buttons are trusted in nothing."""
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
        """Rows and discards."""
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


MOST = 2
"""How many placements are told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """The best placements of a street, the better one first."""

    hand: HandView
    """As its player has seen it when they asked."""
    letters: tuple[str, ...]
    judged: tuple[Judged, ...]
    """The boards that they lead to; empty in a game with no fitted values."""

    def is_for(self, view: TableView) -> bool:
        """True while the viewer still has to place the cards that it speaks of."""
        return view.may_hint and view.hand is not None and view.hand.mine == self.hand.mine


def asked(view: TableView, *, hand_no: int, street: int) -> HandView:
    """The hand in which somebody asks; raises Refused where they may not, and Stale for another street."""
    if not view.table.terms.practice or view.table.event_no is not None:
        raise Refused(HandReason.HINTS_ARE_FOR_PRACTICE)
    hand = view.hand
    if hand is None or not view.may_hint or (view.table.hand_no, hand.street) != (hand_no, street):
        raise Stale
    return hand


def hint(view: HandView) -> Job[Hint]:
    """The placement of a master, and the next best."""
    return partial(_hint, view=view)


def _hint(computers: Computers, *, view: HandView) -> Hint:
    judged = tuple(computers.evaluate(view)[:MOST])
    letters = tuple(one.letters for one in judged) or (computers.choose(view, Level.MASTER),)
    return Hint(hand=view, letters=letters, judged=judged)


# The jobs of those who think: they hold nothing but what the player in question sees.


def placement(view: HandView, level: Level, *, entering: Mapping[int, float] | None = None) -> Job[str]:
    """The placement of a computer player of this level; ``entering`` is what Fantasyland counts for a master, where it
    is not the next hand.
    """
    return partial(Computers.choose, view=view, level=level, entering=entering)


def computer_turn(view: HandView, level: Level, *, fallback: bool = False) -> Job[tuple[str, bool]]:
    """Return a computer player's placement at ``level``, and ``fallback`` as it was passed."""
    return partial(_turn, view=view, level=level, fallback=fallback)


def _turn(computers: Computers, *, view: HandView, level: Level, fallback: bool) -> tuple[str, bool]:
    return computers.choose(view, level), fallback


def arrangement(view: HandView) -> Job[str]:
    """The whole board that a master sets."""
    return partial(Computers.arranged, view=view)


def quick_arrangement(view: HandView) -> Job[str]:
    """The board that is paid most by itself: for that nobody needs to know how a game is played."""
    return partial(_arranged, view=view)


def _arranged(computers: Computers, *, view: HandView) -> str:
    return best_arrangement(view.variant, cards_to_place(view))


def completion(view: HandView, draft: str) -> Job[str]:
    """A legal board around what somebody has placed."""
    return partial(_completed, view=view, draft=draft)


def _completed(computers: Computers, *, view: HandView, draft: str) -> str:
    return completed(view.variant, cards_to_place(view), draft)


def judgement(moment: Moment) -> Job[Decision]:
    """The cost of a placement in a finished hand."""
    return partial(decision, moment=moment)


def reckoning(past: PastHand) -> Job[Account]:
    """How much of what a finished hand came to was luck."""
    score = past.end.score
    assert score
    return partial(account, variant=past.end.variant, score=score, deals=past.deals, seat=past.seat)


MOST_KNOWN = 300
"""Reviews that are remembered; turning their pages costs no thought."""
MOST_A_MINUTE = 6
"""Reviews that one person may ask for; each is a second or two of a processor."""
LONGEST_SECONDS = 120.0
"""Nobody reads on after so long."""
MINUTE_MS = 60_000

Told = Callable[[int], Awaitable[None]]
"""Is told, each time, how many decisions have been judged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """A hand with what was found."""

    past: PastHand
    decisions: tuple[Decision, ...]
    """One for each of its moments."""
    account: Account


class Reviews:
    """Reviews that are known, and those that are being thought out."""

    def __init__(self, thinkers: Thinkers, now: Callable[[], int]) -> None:
        self._thinkers = thinkers
        self._now = now
        self._known: OrderedDict[tuple[str, Player], Review] = OrderedDict()
        self._asked: dict[Player, deque[int]] = {}
        """When each person has asked for a review in the last minute."""

    async def of(self, past: PastHand, told: Told) -> Review:
        """The review of a hand; raises Refused for somebody who asks too often, and where nobody has the time."""
        name = past.name, past.player
        found = self._known.get(name)
        if found is None:
            self._brake(past.player)
            found = self._known[name] = await self._thought_out(past, told)
            if len(self._known) > MOST_KNOWN:
                self._known.popitem(last=False)
        self._known.move_to_end(name)
        return found

    def _brake(self, player: Player) -> None:
        now = self._now()
        self._asked = {who: times for who, times in self._asked.items() if times[-1] > now - MINUTE_MS}
        times = self._asked.setdefault(player, deque(maxlen=MOST_A_MINUTE))
        if len(times) == MOST_A_MINUTE and (wait := times[0] + MINUTE_MS - now) > 0:
            raise Refused(HandReason.TOO_MANY_REVIEWS, count=ceil(wait / 1000))
        times.append(now)

    async def _thought_out(self, past: PastHand, told: Told) -> Review:
        try:
            async with asyncio.timeout(LONGEST_SECONDS):
                return await self._judged(past, told)
        except (NoThoughtError, TimeoutError):
            raise Refused(HandReason.REVIEW_LATER) from None

    async def _judged(self, past: PastHand, told: Told) -> Review:
        """One thought after the other: others think in between."""
        decisions: list[Decision] = []
        for moment in past.moments:
            decisions.append(await self._think(judgement(moment), past))
            await told(len(decisions))
        return Review(past=past, decisions=tuple(decisions), account=await self._think(reckoning(past), past))

    async def _think(self, job: Job[T], past: PastHand) -> T:
        """A busy machine takes its time, and the one who waits is told how far it is."""
        guild = past.table.key.guild
        return await self._thinkers.think(job, guild=guild, urgency=Urgency.LATER, seconds=LONGEST_SECONDS)
