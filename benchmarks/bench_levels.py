"""Measure how casual and club computers err, for "Levels that err like people" in docs/solver.md.

``python -m benchmarks.bench_levels`` makes two computers of a level play each other. It prints how often they foul and
enter Fantasyland, the loss per decision by street as judged by a master, and how often the last street is fouled
needlessly. ``--without NAME`` removes one bias, and ``--only NAME`` removes all others. ``--time`` prints the
milliseconds per decision by street. ``bench_solver --part order`` measures how much a better level wins against a worse
one.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from statistics import fmean, median

from bot.base.command_help import HelpFormatter, examples
from bot.base.solver_data import load_arrays
from bot.pure.ofc.cards import BOARD_CARDS, Card, full_deck
from bot.pure.ofc.placement import place
from bot.pure.ofc.presets import PINEAPPLE, PRESETS
from bot.pure.ofc.scoring import in_order, resolve
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import HandView
from bot.pure.solver.biases import Biases
from bot.pure.solver.duel import Chooser, interval, play_hand
from bot.pure.solver.levels import CASUAL_FIRST, CASUAL_LATER, CASUAL_LEANS, CLUB_LEANS, Computers, Level
from bot.pure.solver.possible_futures import FIRST_ROUND, choose_placement
from bot.pure.solver.visible_cards import cards_to_place, known

LEANS = {Level.CASUAL: CASUAL_LEANS, Level.CLUB: CLUB_LEANS}
LOOKS = {Level.CASUAL: (CASUAL_FIRST, CASUAL_LATER), Level.CLUB: ((FIRST_ROUND, None), (FIRST_ROUND, None))}


def shuffled(variant: Variant, seed: int, number: int) -> tuple[Card, ...]:
    """Return the deck with the given number."""
    deck = list(full_deck(decks=variant.decks, jokers=variant.jokers))
    random.Random(f"{seed}:{number}").shuffle(deck)
    return tuple(deck)


def player(level: Level, biases: Biases, computers: Computers) -> Chooser:
    """Return a player of ``level`` with the given biases."""
    if level not in LOOKS:
        return partial(computers.choose, level=level)

    def choose(view: HandView) -> str:
        boards, seen = LOOKS[level][view.street > 1]
        return choose_placement(view, boards=boards, seen=seen, biases=biases)

    return choose


def errs(computers: Computers, variant: Variant, choose: Chooser, *, hands: int, judged: int, seed: int) -> str:
    """Return the fouls, entries and losses of two such players."""
    lost: dict[int, list[float]] = defaultdict(list)
    needless: list[float] = []
    showings = []
    for number in range(hands):
        chooser = _ending(_noting(computers, choose, lost) if number < judged else choose, needless)
        seated = [(seat, chooser) for seat in range(variant.min_seats)]
        showings += play_hand(variant, shuffled(variant, seed, number), seated)
    fouls, entries = (
        interval([100.0 * value for value in values])
        for values in ([one.foul for one in showings], [one.fantasyland_cards > 0 for one in showings])
    )
    by_street = ", ".join(
        f"{street}: {fmean(values):.2f} ± {interval(values).off:.2f}" for street, values in sorted(lost.items())
    )
    return (
        f"{len(showings)} boards: fouls {fouls} %, enters {entries} %, royalties "
        f"{fmean(one.royalties for one in showings):.2f}; lost by street {by_street}; fouled on {interval(needless)} % "
        f"of {len(needless)} last streets that could be placed without"
    )


def _ending(choose: Chooser, needless: list[float]) -> Chooser:
    """Wrap ``choose`` to record needless fouls on the last street."""

    def noted(view: HandView) -> str:
        letters = choose(view)
        if view.to_place != BOARD_CARDS and view.street == len(view.variant.streets):
            sound = choose_placement(view)
            if _legal(view, sound):
                needless.append(100.0 * (not _legal(view, letters)))
        return letters

    return noted


def _legal(view: HandView, letters: str) -> bool:
    assert view.mine
    front, middle, back = map(known, view.mine.rows)
    rows, _ = place((front, middle, back), cards_to_place(view), letters)
    return in_order(view.variant, resolve(view.variant, rows))


def _noting(computers: Computers, choose: Chooser, lost: dict[int, list[float]]) -> Chooser:
    """Wrap ``choose`` to record the losses on each street, as judged by a master."""

    def noted(view: HandView) -> str:
        letters = choose(view)
        if view.to_place != BOARD_CARDS:
            values = {_board(view, one.letters): one.value for one in computers.evaluate(view)}
            lost[view.street].append(max(values.values()) - values[_board(view, letters)])
        return letters

    return noted


def _board(view: HandView, letters: str) -> tuple[tuple[Card, ...], ...]:
    """Return the cards of each row after a placement. Copies of a card are equal."""
    held = cards_to_place(view)
    return tuple(tuple(sorted(card for card, one in zip(held, letters, strict=True) if one == row)) for row in "FMB")


def times(variant: Variant, choosers: dict[str, Chooser], *, hands: int, seed: int) -> None:
    """Print the processor time of a decision by street.

    All choosers decide in the positions that the first one reaches.
    """
    spent: dict[tuple[str, int], list[float]] = defaultdict(list)

    def timed(view: HandView) -> str:
        found = []
        for name, choose in choosers.items():
            start = time.process_time()
            found.append(choose(view))
            spent[name, view.street].append(1000 * (time.process_time() - start))
        return found[0]

    for number in range(hands):
        play_hand(variant, shuffled(variant, seed, number), [(seat, timed) for seat in range(variant.min_seats)])
    for (name, street), values in sorted(spent.items()):
        print(f"{name} street {street}: median {median(values):.1f} ms, mean {fmean(values):.1f}", flush=True)


NAMES = list(asdict(CASUAL_LEANS))
"""The biases by name."""


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.bench_levels",
        description=__doc__,
        epilog=examples("", "--level club --game classic --hands 100 --time"),
        formatter_class=HelpFormatter,
    )
    levels = [level.value for level in LOOKS]
    parser.add_argument("--level", choices=levels, default=Level.CASUAL.value, help="level of the two computers")
    parser.add_argument(
        "--game",
        choices=PRESETS,
        action="append",
        metavar="GAME",
        help=f"the game (`python -m bot games` lists them); repeat the option for more (default: {PINEAPPLE.key})",
    )
    parser.add_argument("--hands", type=int, default=300, help="hands to play per game")
    parser.add_argument("--judged", type=int, default=50, help="hands in which a master judges every decision")
    parser.add_argument("--seed", type=int, default=1, help="seed of the decks")
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=STRENGTH", help="change a bias; repeat the option for more"
    )
    parser.add_argument(
        "--without", choices=NAMES, action="append", default=[], help="remove a bias; repeat the option for more"
    )
    parser.add_argument("--only", choices=NAMES, help="remove all other biases")
    parser.add_argument("--time", action="store_true", help="print milliseconds per decision instead")
    return parser


def main() -> None:
    """Run the measurement chosen on the command line."""
    args = parser().parse_args()
    level = Level(args.level)
    biases = replace(LEANS[level], **{name: float(value) for name, value in (one.split("=") for one in args.set)})
    away = [name for name in NAMES if name in args.without or (args.only and name != args.only)]
    biases = replace(biases, **dict.fromkeys(away, 0.0))
    computers = Computers(load_arrays, evaluators=1)
    choose: Callable[[HandView], str] = player(level, biases, computers)
    for game in args.game or [PINEAPPLE.key]:
        variant = PRESETS[game]
        if args.time:
            times(
                variant,
                {level.value: choose, "no leanings": choose_placement},
                hands=args.hands,
                seed=args.seed,
            )
            continue
        said = errs(computers, variant, choose, hands=args.hands, judged=args.judged, seed=args.seed)
        print(f"{game}, {level.value}, {biases}: {said}", flush=True)


if __name__ == "__main__":
    main()
