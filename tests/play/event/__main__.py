"""``python -m tests.play.event`` plays events of every kind from seeds, with everything at once."""

from __future__ import annotations

import argparse
import json
import logging
import time
from collections import Counter
from pathlib import Path

from bot.base.command_help import HelpFormatter, examples
from tests.play.event.counted import missing, table
from tests.play.event.everything import Everything

EVERY = 20
"""Number of seeds after which the counts are kept and told."""
ENOUGH = 500
"""Number of seeds from which on everything must have been seen."""


def seeds_of(text: str) -> range:
    """Return the seeds that a range such as ``0-499`` or a single number names."""
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.play.event",
        description="Play events from seeds, one after the other, and hold each step against independent models.",
        epilog=examples("--seeds 0-499 --keep counts.json", "--seeds 412"),
        formatter_class=HelpFormatter,
    )
    parser.add_argument("--seeds", type=seeds_of, default=range(2000), help="first and last seed, such as 0-499")
    parser.add_argument("--keep", type=Path, help="file to add the counts to; seeds that it has are skipped")
    return parser


class Kept:
    """The counts so far by kind of event, and the seeds that were played."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        known = json.loads(path.read_text(encoding="utf-8")) if path is not None and path.exists() else {}
        self.seeds: set[int] = set(known.get("seeds", ()))
        self.counts = {name: Counter(counts) for name, counts in known.get("counts", {}).items()}

    def add(self, played: Everything) -> None:
        """Add the counts of an event."""
        self.seeds.add(played.seed)
        self.counts.setdefault(played.kind.name, Counter()).update(played.counts)

    def save(self) -> None:
        """Write the counts to the file."""
        if self._path is not None:
            self._path.write_text(json.dumps({"seeds": sorted(self.seeds), "counts": self.counts}), encoding="utf-8")


def main() -> int:
    """Play the events and print the counts; returns 1 if a promise was broken or something was never seen."""
    args = parser().parse_args()
    logging.disable(logging.CRITICAL)
    kept, began, broken = Kept(args.keep), time.monotonic(), 0
    for number, seed in enumerate((seed for seed in args.seeds if seed not in kept.seeds), start=1):
        event = Everything(seed)
        try:
            event.play()
        except Exception as failure:  # it is told, and the others go on
            broken += 1
            print(f"{type(failure).__name__}: {failure}")
            print(f"\nThe same again: python -m tests.play.event --seeds {seed}\n", flush=True)
            continue
        kept.add(event)
        if number % EVERY == 0:
            kept.save()
            print(f"{number:,} seeds, {broken} broken", flush=True)
    kept.save()
    print(f"{len(kept.seeds):,} seeds, {time.monotonic() - began:,.0f} s, {broken} broken")
    print(table(kept.counts))
    unseen = missing(kept.counts) if len(kept.seeds) >= ENOUGH else []
    for what in unseen:
        print(f"never seen: {what}")
    return 1 if unseen or broken else 0


if __name__ == "__main__":
    raise SystemExit(main())
