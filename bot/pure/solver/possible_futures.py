"""A computer player that samples possible futures. It uses only what its view shows.

It rates each placement by how good the board can still become. It samples some unseen cards, completes the board in the
best legal way, and averages over many such futures. All placements are tried on the same futures. Poor placements drop
out, and the rest are tried on more. Knowing the cards to come makes a player bold. To compensate, a future has barely
more cards than must be placed, and a foul costs more than at the table.

A player with human biases considers only the placements that look best at first sight, and overrates some boards. See
:mod:`bot.pure.solver.biases`.

The futures and biases are derived from the visible cards, so the same view always gets the same placement.

Source: docs/rules.md, "Streets", "Points"; docs/players.md, "Practice and computer players".
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, reduce
from itertools import chain, combinations, islice, product

from bot.pure.ofc.cards import BOARD_CARDS, DISCARD, ROWS, Card, Row, RowCards, full_deck
from bot.pure.ofc.placement import place
from bot.pure.ofc.ranks import (
    Category,
    Strength,
    category_of,
    encode_strength,
    five_card_strength,
    is_low,
    low_strength,
    three_card_strength,
)
from bot.pure.ofc.scoring import next_fantasyland, possible_strengths
from bot.pure.ofc.variants import MiddleRank, Street, Variant
from bot.pure.ofc.view import Facing, HandView
from bot.pure.ofc.wild import has_joker, strongest
from bot.pure.solver.arrange import best_arrangement
from bot.pure.solver.biases import Biases, BoardsView, sample_mood
from bot.pure.solver.general import PLACED, PLACED_LOWS
from bot.pure.solver.visible_cards import seeded_generator

FANTASYLAND_POINTS = {13: 8, 14: 10, 15: 15, 16: 28, 17: 50}
"""Approximate value of entering Fantasyland by number of cards, in points, including the chance to stay."""
FOUL_EXTRA, FOUL_EXTRA_WITHOUT_DISCARDS = 2, 4
"""Extra cost of a foul per street to come. It's lower with discards, because they save more boards."""
FIRST_ROUND = 240
"""Approximate number of boards completed in the first round. Each later round doubles the number of futures."""
SURVIVORS = 4
"""Divisor for the number of placements: one in this many reaches the next round."""
UNSWAYED = Biases()
NO_PULLS: Mapping[str, float] = {}
EARLY = 8
"""A board counts as nearly empty if at least this many cards are still to come after the street."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Option:
    """A placement and the resulting board."""

    letters: str
    rows: RowCards


def choose_placement(
    view: HandView,
    *,
    boards: int = FIRST_ROUND,
    seen: int | None = None,
    biases: Biases = UNSWAYED,
    salt: int = 0,
) -> str:
    """Choose a placement of the viewer's held cards, one letter per card in the order held.

    The cards are a street, or a whole Fantasyland board. ``boards`` is the approximate number of boards completed in
    the first round. ``seen`` limits the placements considered to those that look best; None considers all. ``salt``
    varies the random futures of the same view. Raises ValueError if the view has no seat.
    """
    mine = view.mine
    if mine is None:
        raise ValueError("only a player can place cards")
    held = _known(mine.held)
    if view.to_place == BOARD_CARDS:
        return best_arrangement(view.variant, held)
    front, middle, back = (_known(row) for row in mine.rows)
    judge = _Judge(view.variant, to_come=len(_streets_to_come(view)))
    options = _options((front, middle, back), held, to_place=view.to_place, low=judge.low)
    if biases == UNSWAYED:
        return _best(options, _futures(view, salt=salt), judge, boards=boards).letters
    sampled_biases = sample_mood(biases, seeded_generator(view, salt))
    if not _streets_to_come(view):
        return max(options, key=_out_of_order(judge) if sampled_biases.overlooks else _value_function(judge)).letters
    boards_view = BoardsView(view.variant, sampled_biases)
    pulls = {option.letters: boards_view.pull(option.rows) for option in options}
    if seen is not None and seen < len(options):
        options = sorted(
            options, key=lambda option: boards_view.look(option.rows) + pulls[option.letters], reverse=True
        )[:seen]
    return _best(
        options, _futures(view, forgets=sampled_biases.forgets, salt=salt), judge, boards=boards, pulls=pulls
    ).letters


def _value_function(judge: _Judge) -> Callable[[_Option], float]:
    """Return a function for the value of a full board."""
    future = _Future((), judge)
    return lambda option: future.outcome(option.rows)


def _out_of_order(judge: _Judge) -> Callable[[_Option], float]:
    """Return a function for the value of a full board that ignores the order of its rows."""

    def worth(option: _Option) -> float:
        made = [possible_strengths(judge.variant, row, cards)[0] for row, cards in zip(ROWS, option.rows, strict=True)]
        if judge.low and not is_low(made[Row.MIDDLE.place]):
            return judge.foul
        return sum(worths[strength] for worths, strength in zip(judge.rows, made, strict=True))

    return worth


def completions(view: HandView, placements: Sequence[str], *, futures: int) -> list[list[float]]:
    """Return the value of each placement of a street in each of ``futures`` shared futures.

    Raises ValueError if the view has no seat.
    """
    if view.mine is None:
        raise ValueError("only a player can place cards")
    front, middle, back = (_known(row) for row in view.mine.rows)
    held, judge = _known(view.mine.held), _Judge(view.variant, to_come=len(_streets_to_come(view)))
    boards = [place((front, middle, back), held, letters)[0] for letters in placements]
    dealt = [_Future(cards, judge) for cards in islice(_futures(view), futures)]
    return [[future.outcome(rows) for future in dealt] for rows in boards]


def _streets_to_come(view: HandView) -> tuple[Street, ...]:
    return view.variant.streets[view.street :]


def _known(cards: Facing) -> tuple[Card, ...]:
    return tuple(card for card in cards if card is not None)


def _options(rows: RowCards, held: Sequence[Card], *, to_place: int, low: bool) -> list[_Option]:
    """Return the legal placements that aren't top-heavy, or all legal ones if each is."""
    letters = "FMBD" if to_place < len(held) else "FMB"
    free = [(row.value, row.size - len(cards)) for row, cards in zip(ROWS, rows, strict=True)]
    options = [
        _Option(letters="".join(choice), rows=place(rows, held, "".join(choice))[0])
        for choice in product(letters, repeat=len(held))
        if choice.count(DISCARD) == len(held) - to_place and all(choice.count(letter) <= room for letter, room in free)
    ]
    return [option for option in options if not _top_heavy(option.rows, low=low)] or options


def _top_heavy(rows: RowCards, *, low: bool) -> bool:
    """True for an early board that is hardly ever the best, so that evaluating it would waste time.

    In games with a low middle, many cards in the middle are normal.
    """
    front, middle, back = (len(cards) for cards in rows)
    early = BOARD_CARDS - front - middle - back >= EARLY
    return early and (front > 1 or (middle > back + 1 and not low))


_NOTHING = encode_strength(Category.HIGH_CARD, ())


class _FullRowWorth(dict[Strength, float]):
    """Cache of a full row's value by strength: royalties, Fantasyland, and the chance to beat an opponent's row."""

    def __init__(self, variant: Variant, row: Row) -> None:
        super().__init__()
        self._variant = variant
        self._row = row

    def __missing__(self, strength: Strength) -> float:
        strengths = [_NOTHING] * len(ROWS)
        strengths[self._row.place] = strength
        points = self._variant.royalties.of(self._row, strength)
        points += FANTASYLAND_POINTS.get(next_fantasyland(self._variant, strengths, held=0), 0)
        self[strength] = worth = points + self._expected_points(strength)
        return worth

    def _expected_points(self, strength: Strength) -> float:
        """Return the row's expected points against a typical row."""
        low = is_low(strength)
        marks = PLACED_LOWS if low else PLACED[self._row]
        won = bisect(marks, strength) / len(marks)
        pays = self._variant.row_point if low else self._variant.row_value(self._row, category_of(strength))
        return won * pays - (1 - won) * self._variant.row_point


class _Judge:
    """Values of a game's rows by strength, and of a foul."""

    def __init__(self, variant: Variant, *, to_come: int) -> None:
        extra = FOUL_EXTRA if variant.discards else FOUL_EXTRA_WITHOUT_DISCARDS
        self.variant = variant
        self.low = variant.middle is MiddleRank.DEUCE_TO_SEVEN
        self.rows = (
            _FullRowWorth(variant, Row.FRONT),
            _FullRowWorth(variant, Row.MIDDLE),
            _FullRowWorth(variant, Row.BACK),
        )
        self.foul = float(-variant.foul_points - extra * to_come)
        self.strict = int(variant.strict_rows and not self.low)


@cache
def _subsets(count: int, size: int) -> tuple[int, ...]:
    """Return the bit masks of ``combinations(range(count), size)``, in its order."""
    return tuple(map(sum, combinations([1 << place for place in range(count)], size)))


class _Filled(dict[int, Strength]):
    """All ways to fill one row. Maps a mask of cards used elsewhere to the best remaining way's strength."""

    def __init__(self, strengths: Sequence[Strength], masks: Sequence[int], *, everything: int) -> None:
        # If all cards are placed, the cards of the other rows leave exactly one way, so no search is needed.
        super().__init__((everything ^ mask, strength) for strength, mask in zip(strengths, masks, strict=True))
        self.ways = sorted(zip(strengths, masks, strict=True), reverse=True)
        self.others: dict[int, tuple[Strength, ...]] = {}
        """Possible strengths of each way with a joker, strongest first, by its mask."""

    def __missing__(self, taken: int) -> Strength:
        self[taken] = strongest = next(strength for strength, mask in self.ways if not mask & taken)
        return strongest

    def at_most(self, limit: Strength, strength: Strength, mask: int, *, strict: int) -> Strength | None:
        """Return a way's highest strength up to ``limit``, or None. ``strength`` is its highest without a limit."""
        if strength <= limit - strict:
            return strength
        others = self.others.get(mask)
        return None if others is None else strongest(others, limit, strict=bool(strict))


class _Future:
    """Sampled cards to come, with a cache of the rows that they can complete."""

    def __init__(self, cards: tuple[Card, ...], judge: _Judge) -> None:
        self._cards = cards
        self._judge = judge
        self._filled: dict[tuple[bool, int, tuple[Card, ...]], _Filled] = {}

    def outcome(self, rows: RowCards) -> float:
        """Return the value of the best legal board that ``rows`` can become."""
        fronts, middles, backs = (self._row_fillings(row, held) for row, held in zip(ROWS, rows, strict=True))
        if self._judge.low:
            return self._with_low(fronts, middles, backs)
        if fronts.others or middles.others or backs.others:
            return self._with_jokers(fronts, middles, backs)
        return self._with_high(fronts, middles, backs)

    def _with_high(self, fronts: _Filled, middles: _Filled, backs: _Filled) -> float:
        """Search with natural cards only. A middle that is too weak for the front ends the front's search."""
        front_worth, middle_worth, back_worth = self._judge.rows
        best, strict = self._judge.foul, self._judge.strict
        most_below = self._without_front(middles, backs)
        for front, front_mask in fronts.ways:
            if front_worth[front] + most_below <= best:
                break
            most_back = back_worth[backs[front_mask]]
            for middle, middle_mask in middles.ways:
                if middle_mask & front_mask:
                    continue
                worth = front_worth[front] + middle_worth[middle]
                if middle < front + strict or worth + most_back <= best:
                    break
                back = backs[front_mask | middle_mask]
                if back >= middle + strict:
                    best = max(best, worth + back_worth[back])
        return best

    def _with_jokers(self, fronts: _Filled, middles: _Filled, backs: _Filled) -> float:
        """Search with jokers. A row that is too strong for the row below it may still fit as a weaker one."""
        front_worth, middle_worth, back_worth = self._judge.rows
        best, strict = self._judge.foul, self._judge.strict
        most_below = self._without_front(middles, backs)
        for front, front_mask in fronts.ways:
            if front_worth[front] + most_below <= best:
                break
            most_back = back_worth[backs[front_mask]]
            weakest = fronts.others.get(front_mask, (front,))[-1]
            for middle, middle_mask in middles.ways:
                if middle_mask & front_mask:
                    continue
                if middle < weakest + strict or front_worth[front] + middle_worth[middle] + most_back <= best:
                    break
                back = backs[front_mask | middle_mask]
                its_middle = middles.at_most(back, middle, middle_mask, strict=strict)
                its_front = its_middle and fronts.at_most(its_middle, front, front_mask, strict=strict)
                if its_middle and its_front:
                    best = max(best, front_worth[its_front] + middle_worth[its_middle] + back_worth[back])
        return best

    def _with_low(self, fronts: _Filled, middles: _Filled, backs: _Filled) -> float:
        """Search with a deuce-to-seven middle, which isn't part of the order of front and back."""
        front_worth, middle_worth, back_worth = self._judge.rows
        best = self._judge.foul
        most_below = middle_worth[middles.ways[0][0]] + back_worth[backs[0]] if middles.ways else best
        for front, front_mask in fronts.ways:
            if front_worth[front] + most_below <= best:
                break
            most_back = back_worth[backs[front_mask]]
            for middle, middle_mask in middles.ways:
                if middle_mask & front_mask:
                    continue
                worth = front_worth[front] + middle_worth[middle]
                if worth + most_back <= best:
                    break
                back = backs[front_mask | middle_mask]
                if back >= front:
                    best = max(best, worth + back_worth[back])
        return best

    def _without_front(self, middles: _Filled, backs: _Filled) -> float:
        """Return an upper bound of the value of middle and back, as if the front used no cards."""
        _, middle_worth, back_worth = self._judge.rows
        most, most_back = self._judge.foul, back_worth[backs[0]]
        for middle, mask in middles.ways:
            if middle_worth[middle] + most_back <= most:
                break
            back = backs[mask]
            below = middles.at_most(back, middle, mask, strict=0)
            if below is not None:
                most = max(most, middle_worth[below] + back_worth[back])
        return most

    def _row_fillings(self, row: Row, held: tuple[Card, ...]) -> _Filled:
        """Return all ways to fill a row around the cards it holds."""
        # Middle and back share their cache entries, unless the middle is a low.
        key = (self._judge.low and row is Row.MIDDLE, row.size, held)
        if key not in self._filled:
            self._filled[key] = self._rated(row, held)
        return self._filled[key]

    def _rated(self, row: Row, held: tuple[Card, ...]) -> _Filled:
        need, count = row.size - len(held), len(self._cards)
        choices, masks, everything = combinations(self._cards, need), _subsets(count, need), (1 << count) - 1
        if has_joker(held) or has_joker(self._cards):
            return self._rated_with_jokers(row, [held + added for added in choices], masks, everything)
        if row is Row.MIDDLE and self._judge.low:
            lows = [low_strength(held + added) for added in choices]
            kept = [(strength, mask) for strength, mask in zip(lows, masks, strict=True) if is_low(strength)]
            return _Filled([strength for strength, _ in kept], [mask for _, mask in kept], everything=everything)
        rate = three_card_strength if row is Row.FRONT else five_card_strength
        return _Filled([rate(held + added) for added in choices], masks, everything=everything)

    def _rated_with_jokers(
        self, row: Row, choices: Sequence[tuple[Card, ...]], masks: Sequence[int], everything: int
    ) -> _Filled:
        values = [possible_strengths(self._judge.variant, row, cards) for cards in choices]
        filled = _Filled([strengths[0] for strengths in values], masks, everything=everything)
        filled.others = {mask: strengths for mask, strengths in zip(masks, values, strict=True) if len(strengths) > 1}
        return filled


def _best(
    options: Sequence[_Option],
    futures: Iterator[tuple[Card, ...]],
    judge: _Judge,
    *,
    boards: int,
    pulls: Mapping[str, float] = NO_PULLS,
) -> _Option:
    """Return the option with the best outcomes, in rounds with fewer and fewer options.

    ``pulls`` is the number of points by which the player overrates each placement.
    """
    left = options
    totals = dict.fromkeys((option.letters for option in options), 0.0)
    count = 1 + boards // len(options)
    met = 0
    while len(left) > 1:
        for cards in islice(futures, count):
            future = _Future(cards, judge)
            for option in left:
                totals[option.letters] += future.outcome(option.rows)
        met += count
        ranking = sorted(
            left, key=lambda option: totals[option.letters] + met * pulls.get(option.letters, 0.0), reverse=True
        )
        left = ranking[: max(1, len(left) // SURVIVORS)]
        count *= 2
    return left[0]


def _seen(view: HandView) -> list[Card]:
    return [card for seat in view.seats for card in _known((*chain(*seat.rows), *seat.held, *seat.discards))]


def _futures(view: HandView, *, forgets: bool = False, salt: int = 0) -> Iterator[tuple[Card, ...]]:
    """Yield samples of the cards to come, drawn from the cards that the viewer hasn't seen, without end.

    A player who ``forgets`` treats the cards on opponents' boards as unseen.
    """
    streets = _streets_to_come(view)
    if not streets:
        return iter([()])
    seen = _seen(view)
    gone = _seen(replace(view, seats=(view.mine,))) if forgets and view.mine else seen
    unseen = Counter(full_deck(decks=view.variant.decks, jokers=view.variant.jokers)) - Counter(gone)
    return _deals(list(unseen.elements()), _future_size(streets), seed=reduce(_stir, seen, salt))


def _future_size(streets: Sequence[Street]) -> int:
    """Return the number of cards in a future: all on the last street, else the number to place, plus one if small."""
    dealt, placed = sum(street.deal for street in streets), sum(street.to_place for street in streets)
    if len(streets) == 1:
        return dealt
    return min(dealt, placed + 1) if placed < EARLY else placed


def _stir(state: int, number: int) -> int:
    """Return the next state of a linear congruential generator (Knuth's MMIX). Use its upper bits only."""
    return ((state + number) * 6364136223846793005 + 1442695040888963407) % (1 << 64)


def _deals(cards: list[Card], count: int, *, seed: int) -> Iterator[tuple[Card, ...]]:
    """Yield ``count`` of the cards, freshly shuffled each time, without end."""
    while True:
        for top in range(count):
            seed = _stir(seed, 0)
            pick = top + ((seed >> 32) * (len(cards) - top) >> 32)
            cards[top], cards[pick] = cards[pick], cards[top]
        yield tuple(cards[:count])
