"""``python -m tests.play.event --seed 1 --events 10000``: whole events from seeds, one after the other."""

from __future__ import annotations

import argparse
import logging
import time
from collections import Counter

from tests.play.event.evening import BrokenPromiseError, Evening


def main() -> int:
    """Run, print what happened; 1 when a promise was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="the first event's seed")
    parser.add_argument("--events", type=int, default=100, help="how many, with the seeds that follow")
    args = parser.parse_args()
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
