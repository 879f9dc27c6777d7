"""How long it takes until the last table of an event's start is shown: Discord's limits for channels set the pace.

What was measured stands in docs/reliability.md: fifty threads in a channel are made within eight seconds, and no more
for five minutes. The other tables share the channel, which takes one message a second.
"""

from __future__ import annotations

from bot.event.seating import tables_needed
from bot.event.structure import Structure

THREADS_AT_ONCE = 50
FIRST_SECONDS = 8
"""Until the draw was posted and those threads are made."""
UNNOTICED_SECONDS = 30
"""The first hands are dealt so long after the start in any case."""
STEP_SECONDS = 10
"""It is told no more exactly than that."""


def tables_at_start(structure: Structure, players: int) -> int:
    """So many tables are opened for so many players."""
    return tables_needed(players, structure.table_seats)


def start_seconds(structure: Structure, players: int) -> int:
    """About so many seconds after the start the last table is shown."""
    in_channel = -(-tables_at_start(structure, players) // (1 + len(structure.channels)))
    seconds = FIRST_SECONDS + max(0, in_channel - (THREADS_AT_ONCE if structure.threads else 0))
    return -(-seconds // STEP_SECONDS) * STEP_SECONDS
