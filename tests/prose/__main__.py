"""``python -m tests.prose`` prints how often each marker occurs per 1,000 words, and the texts with the most markers.

With ``--write`` it stores the rates as the new baseline.
"""

from __future__ import annotations

import sys

from bot.base.installation import HOME
from tests.prose.baseline import measured, read, write
from tests.prose.markers import markers_in
from tests.prose.texts import texts_of

WORST = 20


def main(arguments: list[str]) -> None:
    """Print the rates and the worst texts, or store the rates."""
    now, before = measured(), read() if "--write" not in arguments else {}
    for kind, tally in now.items():
        print(f"{kind}: {tally.words} words")
        for marker in sorted(tally.hits, key=tally.rate, reverse=True):
            was = f" (baseline {before[kind].rate(marker):.2f})" if kind in before else ""
            print(f"  {marker:18} {tally.rate(marker):6.2f}{was}")
    if "--write" in arguments:
        write(now)
        return
    print(f"\nThe {WORST} texts with the most markers:")
    marked = [(markers_in(kind, text).total(), kind, text) for kind, texts in texts_of(HOME).items() for text in texts]
    for count, kind, text in sorted(marked, reverse=True)[:WORST]:
        print(f"  {count} {kind}: {text[:200]}")


if __name__ == "__main__":
    main(sys.argv[1:])
