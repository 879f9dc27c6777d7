"""What runs in a worker process: it thinks, and knows nothing but what it is asked.

It has no token, no key and no database. It ends when its line to the bot is cut: also when the bot was killed.
"""

from __future__ import annotations

import os
import signal
import threading
from multiprocessing.connection import Connection

from bot.fitted import fitted_arrays
from bot.play.session.thinkers import Job, T
from bot.solver.levels import Computers

NICENESS = 10
"""The bot itself comes first."""
BRAINS = 2
"""A game that a master plays takes up to 220 MB."""

_computers = Computers(fitted_arrays, brains=BRAINS)


def begin(line: Connection) -> None:
    """Make this process a worker, and tell the bot which it is."""
    # Ctrl-C reaches every process of a terminal, and a supervisor's SIGTERM each of a service: the bot says when.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    line.send(os.getpid())
    threading.Thread(target=_end_with, args=(line,), daemon=True).start()


def _end_with(line: Connection) -> None:
    try:
        line.recv()
    except (EOFError, OSError):
        os._exit(0)


def answer(job: Job[T]) -> T:
    """Do a job."""
    return job(_computers)
