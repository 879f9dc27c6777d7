"""What simulated events have exercised, by kind of event: a table, and what was never seen."""

from __future__ import annotations

from collections.abc import Mapping

from tests.play.event.everything import KINDS

Counts = Mapping[str, Mapping[str, int]]
"""The counts of each kind of event."""

COLUMNS = {
    "ended": ("ended",),
    "off": ("called off",),
    "hands": ("hand",),
    "kills": ("kills",),
    "twice": ("pressed again",),
    "offers": ("offers",),
    "taken": ("take",),
    "doubts": ("doubts",),
    "left": ("leave",),
    "gone": ("members left",),
    "back": ("return", "members back"),
    "byes": ("byes",),
    "ties": ("shared",),
    "strikes": ("strike",),
    "points": ("correct",),
    "moves": ("to series",),
    "undone": ("undo",),
}
"""The columns of the table, each with its counts."""

ANYWHERE = (
    *("take", "pass", "top", "out", "table", "withdraw", "again", "gave up", "return", "members back", "held again"),
    *("postpone", "start anyway", "call", "byes", "correct", "short", "restored", "odd chips", "shared", "champions"),
    *("series over", "won by the one who stays", "void", "restore", "penalty", "disqualify", "expired"),
    *("stand by", "from list"),
)
"""What at least one kind of event must have seen."""

EVERYWHERE = ("ended", "kills", "leave", "members left", "strike", "to series", "undo", "pressed again")
"""What every kind of event must have seen."""
WITH_A_START = ("called off", "offers", "doubts")
"""What every kind with a time of its start must have seen."""


def summed(counts: Counts, what: str) -> int:
    """Return how often something was seen in all kinds of events."""
    return sum(own.get(what, 0) for own in counts.values())


def missing(counts: Counts) -> list[str]:
    """Return what should have been seen and wasn't."""
    found = [what for what in ANYWHERE if not summed(counts, what)]
    for kind in KINDS:
        own = counts.get(kind.name, {})
        due = EVERYWHERE if kind.name == "sit & go" else (*EVERYWHERE, *WITH_A_START)
        found += [f"{what} ({kind.name})" for what in due if not own.get(what, 0)]
    return found


def table(counts: Counts) -> str:
    """Return the counts as a table with a line for each kind of event, and one for all."""
    lines = [f"{'':12}" + "".join(f"{name:>9}" for name in COLUMNS)]
    for kind in KINDS:
        own = counts.get(kind.name, {})
        cells = [sum(own.get(what, 0) for what in parts) for parts in COLUMNS.values()]
        lines.append(f"{kind.name:12}" + "".join(f"{cell:>9,}" for cell in cells))
    total = [sum(summed(counts, what) for what in parts) for parts in COLUMNS.values()]
    lines.append(f"{'all':12}" + "".join(f"{cell:>9,}" for cell in total))
    return "\n".join(lines)
