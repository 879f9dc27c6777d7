"""Collect boards that oppose a Fantasyland: ``python -m study.boards GAME...``.

A master plays against a player in Fantasyland, and its boards, including fouls, are saved for each game with its own
values. Then further boards are set against these from each number of cards, for hands with several players in
Fantasyland. Half of the boards of either kind are never used for choosing, so that reviews can use them for judging.
"""

from __future__ import annotations

import argparse
import random
import time
from functools import reduce

import numpy as np

from bot.base.command_help import HelpFormatter, examples
from bot.base.solver_data import load_arrays
from bot.pure.ofc.cards import BOARD_CARDS, EMPTY, Card, RowCards, full_deck
from bot.pure.ofc.hand import Hand, HandStatus, PlaceCards, decide, evolve, start
from bot.pure.ofc.placement import automatic_placement, place
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import view_for
from bot.pure.solver.boards import mixed, single_board
from bot.pure.solver.evaluator import base_game
from bot.pure.solver.fantasyland import set_board
from bot.pure.solver.levels import MASTER, Computers, Level
from bot.pure.solver.outcomes import board_codes
from bot.pure.solver.row_tables import Ints
from bot.pure.solver.search import Effort
from study.files import added


def shuffled(variant: Variant, seed: str) -> tuple[Card, ...]:
    """Return a shuffled deck of the game."""
    deck = list(full_deck(decks=variant.decks, jokers=variant.jokers))
    random.Random(seed).shuffle(deck)
    return tuple(deck)


def beside_fantasyland(computers: Computers, variant: Variant, deck: tuple[Card, ...]) -> RowCards:
    """Return a master's final board in a hand against a Fantasyland, which stays hidden until the end."""
    assert variant.fantasyland
    cards = variant.fantasyland.numbers[0]
    opening = start(variant, deck, players=["0", "1"], fantasyland=[cards, 0], button=1)
    hand = reduce(evolve, opening, Hand(variant=variant, deck=deck))
    while hand.status is HandStatus.PLAYING:
        seat = hand.waiting[0]
        unseen = automatic_placement(EMPTY, hand.seats[seat].held, to_place=BOARD_CARDS)
        letters = computers.choose(view_for(hand, "1"), Level.MASTER) if seat else unseen
        hand = reduce(evolve, decide(hand, PlaceCards(seat=seat, rows=letters)), hand)
    return hand.seats[1].rows


def codes(boards: list[RowCards]) -> Ints:
    """Return the codes of the boards' rows, of shape (boards, 3)."""
    found: Ints = np.stack(board_codes(mixed([*map(single_board, boards)])), axis=1).astype(np.int16)
    return found


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m study.boards",
        description=__doc__,
        epilog=examples("pineapple", "pineapple progressive --boards 0 --set 256"),
        formatter_class=HelpFormatter,
    )
    parser.add_argument(
        "games",
        nargs="+",
        choices=PRESETS,
        metavar="GAME",
        help="games, starting with those that have their own values (`python -m bot games` lists them)",
    )
    parser.add_argument("--boards", type=int, default=512, help="masters' boards to play; 0 keeps the saved ones")
    parser.add_argument("--set", type=int, default=128, help="boards to set for each number of cards")
    parser.add_argument("--quick", action="store_true", help="place by the networks only, without lookahead")
    parser.add_argument("--seed", type=int, default=1, help="seed of the decks")
    return parser


def main() -> None:
    """Play, and add the boards to each game's file."""
    args = parser().parse_args()
    for game in args.games:
        variant = PRESETS[game]
        if variant.fantasyland is None:
            continue
        began = time.time()
        if args.boards and base_game(variant) == game:
            computers = Computers(load_arrays, Effort(rounds=()) if args.quick else MASTER)
            decks = [shuffled(variant, f"boards:{game}:{args.seed}:{number}") for number in range(args.boards)]
            added(game, {"boards_0": codes([beside_fantasyland(computers, variant, deck) for deck in decks])})
            load_arrays.cache_clear()
        evaluator = Computers(load_arrays).evaluator(variant)
        met = evaluator.opponent_boards(0) if evaluator else None
        assert evaluator
        assert met
        for cards in variant.fantasyland.numbers:
            boards = []
            for number in range(args.set):
                held = shuffled(variant, f"set:{game}:{args.seed}:{cards}:{number}")[:cards]
                letters = set_board(evaluator.scorer, held, (met,), staying=evaluator.staying(cards))
                boards.append(place(EMPTY, held, letters)[0])
            added(game, {f"boards_{cards}": codes(boards)})
        load_arrays.cache_clear()
        print(f"{game}: {time.time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
