"""``python -m bot.text`` lists missing, different and unused translations per language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from bot.text.catalogue import Gap, GapKind, find_gaps


def report(gaps: Mapping[str, Sequence[Gap]]) -> Iterator[str]:
    """Yield a line for each language, followed by one for each of its gaps."""
    for code, found in gaps.items():
        counts = Counter(gap.kind for gap in found)
        yield f"{code}: " + ", ".join(f"{counts[kind]} {kind.value}" for kind in GapKind)
        yield from (f"  {gap.kind.value:9}  {gap.text}" for gap in sorted(found, key=lambda gap: gap.kind.value))


if __name__ == "__main__":
    print(*report(find_gaps()), sep="\n")
