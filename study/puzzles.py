"""Find puzzles for ``data/puzzles``: ``python -m study.puzzles pineapple --count 60``, or ``--verify``.

Computer players play hands, and each hand is asked for one puzzle, at a stage and with a number of players that follow
from the hand's number. The stages keep their shares of the puzzles. Equal seeds give equal puzzles, however many
workers there are. The file is written whenever a puzzle is found, so a run that was stopped continues from there.

``--verify`` searches each puzzle one street further ahead, with other deals than when it was found and four times as
many, and prints how many keep their best placement.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from bot.base.command_help import HelpFormatter, examples
from bot.base.puzzle_files import FOLDER
from bot.base.solver_data import load_arrays
from bot.pure.ofc.presets import PRESETS
from bot.pure.solver.levels import Computers
from bot.pure.trainer.deeper import FIRST
from bot.pure.trainer.puzzle import puzzle_at
from bot.pure.trainer.records import parse_puzzle, puzzle_record
from bot.pure.trainer.self_play import STAGES, sampled_views, stage_of
from bot.pure.trainer.verification import MORE, VERIFIED, further_ahead, keeps_best

_computers = Computers(load_arrays)


def found_in(game: str, seed: int, number: int) -> dict[str, Any] | None:
    """Return the record of a hand's puzzle, with the hand's number; None if it has none."""
    chance = np.random.default_rng([seed, number])
    for view in sampled_views(_computers, PRESETS[game], chance, number=number):
        puzzle = puzzle_at(_computers, view)
        if puzzle is not None:
            return {**puzzle_record(puzzle), "hand": number}
    return None


def find(game: str, total: int, *, seed: int, workers: int) -> None:
    """Add puzzles to the game's file until it has ``total``."""
    records = records_of(game)
    have = Counter(stage_of(record["hand"]) for record in records)
    goal = {stage: -(-total * STAGES.count(stage) // len(STAGES)) for stage in set(STAGES)}
    first, began = 1 + max((record["hand"] for record in records), default=-1), time.monotonic()
    with ProcessPoolExecutor(workers) as pool:
        for low in count(first, workers):
            asked = [number for number in range(low, low + workers) if have[stage_of(number)] < goal[stage_of(number)]]
            for record in pool.map(partial(found_in, game, seed), asked):
                if record is None or have[stage_of(record["hand"])] == goal[stage_of(record["hand"])]:
                    continue
                have[stage_of(record["hand"])] += 1
                records.append(record)
                _write(game, records[:total])
                print(f"{game} {len(records)} after {low} hands, {time.monotonic() - began:.0f} s", flush=True)
            if have.total() >= total:
                return


def records_of(game: str) -> list[dict[str, Any]]:
    """Return the records of a game's puzzles; empty if there are none."""
    path = _path(game)
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.is_file() else []


def _write(game: str, records: Sequence[dict[str, Any]]) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(record, separators=(",", ":")) for record in records]
    _path(game).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _path(game: str) -> Path:
    return FOLDER / f"{game}.jsonl"


def is_verified(record: dict[str, Any]) -> bool:
    """True if a search with other deals, one street further ahead, finds a puzzle's best placement again."""
    puzzle = parse_puzzle(json.dumps(record), PRESETS.__getitem__)
    return keeps_best([further_ahead(_computers, puzzle, deals=MORE * FIRST, salt=VERIFIED)])


def verify(games: Sequence[str], *, workers: int) -> None:
    """Print how many puzzles keep their best placement, by game."""
    kept, all_of = 0, 0
    with ProcessPoolExecutor(workers) as pool:
        for game in games:
            records = records_of(game)
            same = list(pool.map(is_verified, records, chunksize=4))
            kept, all_of = kept + sum(same), all_of + len(same)
            lost = [record["hand"] for record, keeps in zip(records, same, strict=True) if not keeps]
            print(
                f"{game}: {sum(same)} of {len(same)} keep their best placement; not those of hands {lost}", flush=True
            )
    print(f"{kept} of {all_of}, {kept / max(1, all_of):.1%}")


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m study.puzzles",
        description=__doc__,
        epilog=examples("pineapple classic --count 60 --seed 1", "--verify pineapple"),
        formatter_class=HelpFormatter,
    )
    parser.add_argument("games", nargs="*", metavar="GAME", default=sorted(PRESETS), help="games; by default all")
    parser.add_argument("--count", type=int, default=60, metavar="N", help="puzzles per game")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="seed of the hands")
    parser.add_argument("--workers", type=int, default=2, metavar="N", help="processes")
    parser.add_argument("--verify", action="store_true", help="search the puzzles in the files one street further")
    return parser


def main() -> None:
    args = parser().parse_args()
    if args.verify:
        verify(args.games, workers=args.workers)
        return
    for game in args.games:
        find(game, args.count, seed=args.seed, workers=args.workers)


if __name__ == "__main__":
    main()
