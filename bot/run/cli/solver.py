"""The commands for computer players: playing levels against each other, and arranging a board."""

from __future__ import annotations

import argparse
import json
import random
import time
from dataclasses import dataclass, field
from functools import partial
from statistics import fmean, median, quantiles
from typing import Any

from bot.base.command_help import HelpFormatter, examples
from bot.base.solver_data import load_arrays
from bot.pure.ofc.cards import BOARD_CARDS, EMPTY, ROWS, CardError, cards_text, full_deck, parse_cards
from bot.pure.ofc.placement import place
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.scoring import in_order, resolve, stays
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import HandView
from bot.pure.solver.arrange import STAY_POINTS, arrangement
from bot.pure.solver.duel import YARDSTICKS, Chooser, DuelResult, per_hundred, play_hand, rotations, with_fantasyland
from bot.pure.solver.levels import Computers, Level
from bot.run.cli.games import GAME, add_house, parse_variant
from bot.run.cli.records import RIGHT, Commands, InputError, as_json, print_line, refuse

MAX_HANDS = 1_000_000
MAX_CARDS = 17


def add_commands(subparsers: Commands) -> None:
    """Add the commands to the parser, with the chosen command's function as ``args.run``."""
    duel = subparsers.add_parser(
        "duel",
        help="let computer players play each other",
        description="Let computer players play each other. Each deck is dealt once per player, so that everyone plays "
        "it from every seat. The output is each player's points per 100 hands with a 95 % interval.",
        epilog=examples("club casual", "--variant classic --hands 50 --seed 7 casual club greedy"),
        formatter_class=HelpFormatter,
    )
    _add_game(duel)
    duel.add_argument("--hands", default="200", metavar="N", help="hands to play, rounded up to whole decks")
    duel.add_argument("--seed", default="1", help="text that determines the decks")
    duel.add_argument("--json", action="store_true", help="print a line of JSON per hand")
    levels = ", ".join(level.value for level in Level)
    yardsticks = ", ".join(YARDSTICKS)
    duel.add_argument(
        "levels", nargs="+", metavar="LEVEL", help=f"two or more players: {levels}, or for comparison: {yardsticks}"
    )
    duel.set_defaults(run=main_duel)
    arrange = subparsers.add_parser(
        "arrange",
        help="set the best board from 13 to 17 cards",
        description="Set the best board from 13 to 17 cards, as in Fantasyland, and show the discards.",
        epilog=examples("AsKsQsJsTs9h9d9c5d5cQhQd2c7h", "--variant joker_ultimate --json AsKsQsJsTs9h9d9c5d5cQhX12c"),
        formatter_class=HelpFormatter,
    )
    _add_game(arrange)
    arrange.add_argument("--json", action="store_true", help="print the board as JSON")
    arrange.add_argument(
        "cards", metavar="CARDS", help="13 to 17 cards without spaces, rank before suit; X1 and X2 are the jokers"
    )
    arrange.set_defaults(run=main_arrange)


def _add_game(command: argparse.ArgumentParser) -> None:
    first = next(iter(PRESETS))
    command.add_argument("--variant", default=first, metavar="GAME", help=GAME)
    add_house(command)


@dataclass(slots=True)
class _SolverTotals:
    """Running totals for one player."""

    name: str
    decks: list[list[int]] = field(default_factory=list)
    worth: list[list[float]] = field(default_factory=list)
    """Points including the value of entering Fantasyland."""
    fouls: int = 0
    entries: int = 0
    hands: int = 0
    royalties: int = 0
    milliseconds: list[float] = field(default_factory=list)

    def add(self, showing: DuelResult, worth: float) -> None:
        self.decks[-1].append(showing.points)
        self.worth[-1].append(worth)
        self.hands += 1
        self.fouls += showing.foul
        self.entries += showing.fantasyland_cards > 0
        self.royalties += showing.royalties

    def line(self) -> str:
        """Return the totals as a line."""
        slowest = quantiles(self.milliseconds, n=100)[98] if len(self.milliseconds) > 1 else self.milliseconds[0]
        shares = f"fouls {self.fouls / self.hands:.1%}, enters {self.entries / self.hands:.1%}"
        spent = f"{median(self.milliseconds):.1f} ms, mean {fmean(self.milliseconds):.1f}, 99 % {slowest:.1f}"
        entered = f" ({per_hundred(self.worth)} with Fantasyland)" if self.entries else ""
        return (
            f"{self.name:<10} {per_hundred(self.decks)!s:>16} points per 100 hands{entered}; {shares}, "
            f"royalties {self.royalties / self.hands:.2f}; a decision {spent}"
        )


def main_duel(args: argparse.Namespace) -> int:
    """Play levels against each other."""
    try:
        variant = parse_variant(args)
        names = [_level(name) for name in args.levels]
        hands = _number(args.hands, "--hands", most=MAX_HANDS)
        _check_seats(variant, len(names))
    except InputError as error:
        return refuse(str(error))
    tallies = [_SolverTotals(name) for name in _number_names(names)]
    computers = Computers(load_arrays)
    players = [(n, _timed(_chooser(computers, name), tallies[n])) for n, name in enumerate(names)]
    evaluator = None if variant.at_once else computers.evaluator(variant)
    for number in range(-(-hands // len(names))):
        deck = list(full_deck(decks=variant.decks, jokers=variant.jokers))
        random.Random(f"{args.seed}:{number}").shuffle(deck)
        for tally in tallies:
            tally.decks.append([])
            tally.worth.append([])
        for order in rotations(len(players)):
            showings = play_hand(variant, tuple(deck), [players[player] for player in order])
            for showing, worth in zip(
                showings, with_fantasyland(showings, evaluator.worth if evaluator else {}), strict=True
            ):
                tallies[showing.player].add(showing, worth)
            if args.json:
                print_line(json.dumps(_record(number, showings, names)))
    if not args.json:
        print_line("\n".join(tally.line() for tally in tallies))
    return RIGHT


def _level(name: str) -> str:
    known = [level.value for level in Level]
    if name not in known and name not in YARDSTICKS:
        raise InputError(
            f"{name!r} is not a level. Choose {', '.join(known)}, or for comparison {', '.join(YARDSTICKS)}"
        )
    return name


def _number_names(names: list[str]) -> list[str]:
    """Return the names, numbered if one occurs more than once."""
    return [
        f"{name} {names[: place + 1].count(name)}" if names.count(name) > 1 else name
        for place, name in enumerate(names)
    ]


def _chooser(computers: Computers, name: str) -> Chooser:
    if name in YARDSTICKS:
        return YARDSTICKS[name]
    return partial(computers.choose, level=Level(name))


def _number(text: str, option: str, *, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and 1 <= int(text) <= most):
        raise InputError(f"{option} {text!r} is not a number from 1 to {most}")
    return int(text)


def _check_seats(variant: Variant, count: int) -> None:
    if not variant.min_seats <= count <= variant.max_seats:
        raise InputError(
            f"{variant.key} is played by {variant.min_seats} to {variant.max_seats} players. Name that many levels"
        )


def _timed(chooser: Chooser, tally: _SolverTotals) -> Chooser:
    def choose(view: HandView) -> str:
        began = time.thread_time()
        rows = chooser(view)
        tally.milliseconds.append(1000 * (time.thread_time() - began))
        return rows

    return choose


def _record(deck: int, showings: list[DuelResult], names: list[str]) -> dict[str, Any]:
    return {
        "deck": deck,
        "players": [
            {
                "level": names[showing.player],
                "board": "/".join(map(cards_text, showing.board)),
                "royalties": showing.royalties,
                "foul": showing.foul,
                "fantasyland_cards": showing.fantasyland_cards,
                "points": showing.points,
            }
            for showing in showings
        ],
    }


def main_arrange(args: argparse.Namespace) -> int:
    """Arrange the best board."""
    try:
        variant = parse_variant(args)
        cards = _cards(variant, args.cards)
    except InputError as error:
        return refuse(str(error))
    began = time.thread_time()
    found = arrangement(variant, cards)
    milliseconds = 1000 * (time.thread_time() - began)
    rows, _ = place(EMPTY, cards, found.letters)
    strengths = resolve(variant, rows)
    legal = in_order(variant, strengths)
    royalties = sum(variant.royalties.of(row, made) for row, made in zip(ROWS, strengths, strict=True)) * legal
    kept = legal and variant.fantasyland is not None and stays(variant.fantasyland, strengths)
    record = {
        "board": "/".join(map(cards_text, rows)),
        "royalties": royalties,
        "stays": kept,
        "value": royalties + STAY_POINTS * kept,
        "milliseconds": round(milliseconds, 1),
        "proven": found.proven,
    }
    print_line(as_json(record) if args.json else _sentence(record, legal=legal))
    return RIGHT


def _sentence(record: dict[str, Any], *, legal: bool) -> str:
    if not legal:
        return f"{record['board']}  a foul: these cards make no legal board"
    kept = ", stays in Fantasyland" if record["stays"] else ""
    proven = "" if record["proven"] else ", not proven to be the best"
    return f"{record['board']}  royalties {record['royalties']}{kept}{proven}  ({record['milliseconds']} ms)"


def _cards(variant: Variant, text: str) -> tuple[Any, ...]:
    try:
        cards = parse_cards(text)
    except CardError as error:
        raise InputError(str(error)) from error
    if not BOARD_CARDS <= len(cards) <= MAX_CARDS:
        raise InputError(f"{len(cards)} cards were given. Write {BOARD_CARDS} to {MAX_CARDS}, such as AhKd10c")
    deck = list(full_deck(decks=variant.decks, jokers=variant.jokers))
    for card in cards:
        if card not in deck:
            raise InputError(f"{cards_text([card])} occurs more often than in the deck of {variant.key}")
        deck.remove(card)
    return cards
