"""The commands for positions: analysing one, and listing the puzzles."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from typing import Any

from bot.base.command_help import HelpFormatter, examples
from bot.base.installation import HOME
from bot.base.puzzle_files import puzzle_lines
from bot.base.settings import SettingsError, load_settings
from bot.base.solver_data import load_arrays
from bot.play.trainer.all_puzzles import read_puzzle
from bot.pure.ofc.notation import board_text
from bot.pure.ofc.placement import place
from bot.pure.ofc.presets import PRESETS
from bot.pure.solver.levels import Computers
from bot.pure.trainer.analysis import CANDIDATES, AnalysedPlacement, NoValuesError, analysed
from bot.pure.trainer.position import EXAMPLE, Position, PositionError, parse_position, view_of
from bot.pure.trainer.puzzle import Puzzle
from bot.pure.trainer.records import parse_puzzle, puzzle_record
from bot.run.cli.games import GAME, add_house, parse_variant
from bot.run.cli.records import RIGHT, Commands, InputError, as_json, print_line, refuse
from bot.store import StoreError
from bot.store.transaction import Tx
from bot.store.upkeep import open_current

LISTED = "game", "position", "best", "gap", "error", "theme", "difficulty"
"""Values of a puzzle that are printed."""


def add_commands(subparsers: Commands) -> None:
    """Add the commands to the parser, with the chosen command's function as ``args.run``."""
    first = next(iter(PRESETS))
    analyse = subparsers.add_parser(
        "analyse",
        help="find the best placements of a position",
        description="Find the best placements of a position, with their values in points against all opponents "
        "together, and the chances of a foul and of Fantasyland. A position is your board as front/middle/back, + and "
        "the cards to place, - and your discards, and after 'vs' the other boards, clockwise from your left. @14 is a "
        "player in Fantasyland. The error is that of the difference from the best placement.",
        epilog=examples(f"'{EXAMPLE}'", "--variant classic --json '// +AsKsQd7d2c vs //'"),
        formatter_class=HelpFormatter,
    )
    analyse.add_argument("--variant", default=first, metavar="GAME", help=GAME)
    add_house(analyse)
    analyse.add_argument("--most", type=int, default=CANDIDATES, metavar="N", help="placements to judge, up to 20")
    analyse.add_argument("--deeper", action="store_true", help="search one street further ahead")
    analyse.add_argument("--json", action="store_true", help="print the placements as JSON")
    analyse.add_argument("position", metavar="POSITION", help=f"such as '{EXAMPLE}'")
    analyse.set_defaults(run=main_analyse)
    puzzles = subparsers.add_parser(
        "puzzles",
        help="list the puzzles that come with the bot",
        description="List the puzzles that come with the bot: positions in which one placement clearly beats every "
        "other. The gap is its lead over the next one in points, with its standard error. With --found, list those "
        "that the bot has found in hands. The database is only read, and the bot may keep running.",
        epilog=examples("--variant pineapple", "--found --json"),
        formatter_class=HelpFormatter,
    )
    puzzles.add_argument("--variant", default="", metavar="GAME", help=f"list only those of one game. {GAME}")
    puzzles.add_argument("--json", action="store_true", help="print a line of JSON per puzzle")
    puzzles.add_argument("--found", action="store_true", help="list the puzzles that the bot has found instead")
    puzzles.add_argument("--playground", action="store_true", help="use the playground's database")
    puzzles.set_defaults(run=main_puzzles)


MAX_JUDGED = 20


def main_analyse(args: argparse.Namespace) -> int:
    """Analyse a position."""
    try:
        variant = parse_variant(args)
        if not 1 <= args.most <= MAX_JUDGED:
            raise InputError(f"--most {args.most} is not a number from 1 to {MAX_JUDGED}")
        position = parse_position(args.position, variant)
        found = analysed(Computers(load_arrays), view_of(position, variant), most=args.most, deeper=args.deeper)
    except NoValuesError:
        return refuse(f"there are no fitted values for this kind of {variant.key}, so its positions can't be analysed")
    except (InputError, PositionError) as error:
        return refuse(str(error))
    if args.json:
        print_line(as_json({"placements": [_record(one) for one in found]}))
    else:
        print_line("\n".join(_line(one, position, found) for one in found))
    return RIGHT


def _record(found: AnalysedPlacement) -> dict[str, Any]:
    return {
        "placement": found.letters,
        "value": round(found.value, 3),
        "error": round(found.error, 3),
        "foul": round(found.facts.foul, 4),
        "fantasyland": round(found.facts.fantasyland, 4),
        "royalties": round(found.facts.royalties, 3),
    }


def _line(found: AnalysedPlacement, position: Position, others: list[AnalysedPlacement]) -> str:
    rows, _ = place(position.rows, position.held, found.letters)
    behind = others[0].value - found.value
    apart = "" if found is others[0] else f", {behind:.2f} ± {found.error:.2f} behind"
    facts = found.facts
    chances = f"foul {facts.foul:.0%}, Fantasyland {facts.fantasyland:.0%}, royalties {facts.royalties:.1f}"
    return f"{found.letters}  {board_text(rows)}  {found.value:+.2f}{apart}  ({chances})"


def main_puzzles(args: argparse.Namespace) -> int:
    """List the puzzles."""
    try:
        games = [_game(args.variant)] if args.variant else list(PRESETS)
        puzzles = _found(games, playground=args.playground) if args.found else _shipped(games)
    except (InputError, SettingsError, StoreError) as error:
        return refuse(str(error))
    if not puzzles and args.found:
        return refuse("the bot has found no puzzles yet")
    if not puzzles:
        return refuse(f"there are no puzzles of {games[0]}")
    for puzzle in puzzles:
        print_line(json.dumps(_listed(puzzle)) if args.json else _told(puzzle))
    return RIGHT


def _shipped(games: Sequence[str]) -> list[Puzzle]:
    return [parse_puzzle(line, PRESETS.__getitem__) for game in games for line in puzzle_lines(game)]


def _found(games: Sequence[str], *, playground: bool) -> list[Puzzle]:
    """Return the puzzles that the bot has found and that are given, in the order of the games. Raises StoreError."""
    settings = load_settings(os.environ, HOME / ".env")
    with open_current((settings.of_playground() if playground else settings).place) as sql:
        tx = Tx(sql)
        withdrawn = {record.name for record in tx.puzzles.puzzles() if record.withdrawn}
        puzzles = [read_puzzle(one) for one in tx.found_puzzles.puzzles() if one.name not in withdrawn]
    return [puzzle for game in games for puzzle in puzzles if puzzle is not None and puzzle.variant.key == game]


def _game(name: str) -> str:
    if name not in PRESETS:
        raise InputError(f"{name!r} is not a game. Write one of {', '.join(PRESETS)}")
    return name


def _listed(puzzle: Puzzle) -> dict[str, Any]:
    record = puzzle_record(puzzle)
    return {name: record[name] for name in LISTED}


def _told(puzzle: Puzzle) -> str:
    return (
        f"{puzzle.variant.key}  {puzzle.position}  {puzzle.best}, {puzzle.gap:.2f} ± {puzzle.error:.2f} ahead  "
        f"({puzzle.theme.value}, difficulty {puzzle.difficulty.mean:+.1f})"
    )
