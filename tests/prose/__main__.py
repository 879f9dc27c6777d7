"""``python -m tests.prose`` prints how often each marker occurs per 1,000 words, and the texts with the most markers.

With ``--write`` it stores the rates as the new baseline.
"""

from __future__ import annotations

import argparse

from bot.base.command_help import HelpFormatter, examples
from bot.base.installation import HOME
from tests.prose.baseline import measured, read, write
from tests.prose.markers import markers_in
from tests.prose.texts import texts_of

WORST = 20


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.prose",
        description="Measure how often markers of unnatural English occur per 1,000 words, and list the worst texts.",
        epilog=examples("", "--write"),
        formatter_class=HelpFormatter,
    )
    parser.add_argument("--write", action="store_true", help="store the rates as the new baseline")
    return parser


def main() -> None:
    """Print the rates and the worst texts, or store the rates."""
    args = parser().parse_args()
    now, before = measured(), {} if args.write else read()
    for kind, tally in now.items():
        print(f"{kind}: {tally.words} words")
        for marker in sorted(tally.hits, key=tally.rate, reverse=True):
            was = f" (baseline {before[kind].rate(marker):.2f})" if kind in before else ""
            print(f"  {marker:18} {tally.rate(marker):6.2f}{was}")
    if args.write:
        write(now)
        return
    print(f"\nThe {WORST} texts with the most markers:")
    marked = [(markers_in(kind, text).total(), kind, text) for kind, texts in texts_of(HOME).items() for text in texts]
    for count, kind, text in sorted(marked, reverse=True)[:WORST]:
        print(f"  {count} {kind}: {text[:200]}")


if __name__ == "__main__":
    main()
