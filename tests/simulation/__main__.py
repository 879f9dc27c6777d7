"""``python -m tests.simulation`` simulates evenings from seeds."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from bot.base.command_help import HelpFormatter, examples
from tests.simulation.world import BrokenPromiseError, Simulation

FIXED = {**os.environ, "PYTHONHASHSEED": "0"}


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.simulation",
        description="Simulate evenings full of accidents from seeds, and check that the bot keeps its promises.",
        epilog=examples("--seed 7 --steps 2000", "--hands 500 --evenings 3"),
        formatter_class=HelpFormatter,
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of the first evening")
    parser.add_argument("--steps", type=int, default=10_000, help="steps per evening")
    parser.add_argument(
        "--hands", type=int, default=0, help="hands to settle per evening instead of --steps; 0 counts steps"
    )
    parser.add_argument("--evenings", type=int, default=1, help="evenings to simulate, with consecutive seeds")
    parser.add_argument("--story", action="store_true", help="print the last steps of each evening")
    parser.add_argument("--log", action="store_true", help="print the bot's log")
    return parser


def again(args: argparse.Namespace, *, seed: int) -> str:
    """Return the command that repeats the evening with ``seed``.

    With a number of hands, the bot is started again at other steps.
    """
    return f"make simulate SEED={seed} " + (f"HANDS={args.hands}" if args.hands else f"STEPS={args.steps}")


def main() -> int:
    """Simulate the evenings and print the counts; returns 1 if a promise was broken."""
    args = parser().parse_args()
    if os.environ.get("PYTHONHASHSEED") != "0":
        # The order of sets is part of the seed's decisions.
        os.execve(sys.executable, [sys.executable, "-m", "tests.simulation", *sys.argv[1:]], FIXED)
    if args.log:
        logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s %(message)s")
    else:
        logging.disable(logging.CRITICAL)
    total: Counter[str] = Counter()
    began = time.monotonic()
    steps = 0
    for seed in range(args.seed, args.seed + args.evenings):
        with tempfile.TemporaryDirectory() as folder:
            evening = Simulation(Path(folder), seed)
            try:
                evening.run(args.steps, hands=args.hands)
            except BrokenPromiseError as broken:
                print(broken)
                print(f"\nThe same again: {again(args, seed=seed)}")
                return 1
            steps += evening.steps
            total += evening.counts
            hands = evening.hands()
            total["hands settled"] += hands
            for (kind, source, target), transfers in evening.movements().items():
                total[f"chips, {kind}: {source} to {target}"] += transfers
            if args.story:
                print("\n".join(evening.story))
            for line in evening.slow[:5]:
                print(f"seed {seed}: blocked the loop: {line}")
            print(f"seed {seed}: {evening.steps:,} steps, {hands:,} hands, clean", flush=True)
    seconds = time.monotonic() - began
    print(f"{steps:,} steps in {seconds:,.0f} s ({steps / seconds:,.0f} a second): every promise was kept")
    for what, count in sorted(total.items()):
        print(f"  {what}: {count:,}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
