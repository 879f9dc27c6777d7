"""``python -m tests.play.event`` plays whole events from seeds."""

from __future__ import annotations

import argparse
import logging
import time
from collections import Counter

from bot.base.command_help import HelpFormatter, examples
from tests.play.event.evening import BrokenPromiseError, Evening


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.play.event",
        description="Play whole events from seeds, one after the other, and check that the bot keeps its promises.",
        epilog=examples("--events 20", "--seed 412 --events 1"),
        formatter_class=HelpFormatter,
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of the first event")
    parser.add_argument("--events", type=int, default=100, help="events to play, with consecutive seeds")
    return parser


def main() -> int:
    """Play the events and print the counts; returns 1 if a promise was broken."""
    args = parser().parse_args()
    logging.disable(logging.CRITICAL)
    total: Counter[str] = Counter()
    began = time.monotonic()
    for seed in range(args.seed, args.seed + args.events):
        evening = Evening(seed)
        try:
            evening.run()
        except BrokenPromiseError as broken:
            print(broken)
            print(f"\nThe same again: python -m tests.play.event --seed {seed} --events 1")
            return 1
        total += evening.counts
        total["steps"] += evening.steps
        if (seed - args.seed) % 500 == 499:
            print(f"{seed - args.seed + 1:,} events, clean", flush=True)
    seconds = time.monotonic() - began
    print(f"{args.events:,} events in {seconds:,.0f} s: every promise was kept")
    for what, count in sorted(total.items()):
        print(f"  {what}: {count:,}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
