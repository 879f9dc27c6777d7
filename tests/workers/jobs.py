"""Jobs for workers. They're sent to other processes, so each is a function of a module."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from bot.pure.solver.levels import Computers


def process_id(_: Computers) -> int:
    """Return the worker's process id."""
    return os.getpid()


def environment(_: Computers) -> dict[str, str]:
    """Return the worker's environment."""
    return dict(os.environ)


def rooms(_: Computers) -> set[str]:
    """Return the packages loaded in the worker."""
    return {name.split(".")[0] for name in sys.modules} | {name for name in sys.modules if name.startswith("bot.")}


def niceness(_: Computers) -> int:
    """Return the worker's niceness."""
    return os.nice(0)


def dies(_: Computers) -> int:
    """Kill the process, as a machine without memory does."""
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def hangs(_: Computers, *, file: Path) -> int:
    """Tell which process it is, and never end; nothing else of the process runs meanwhile."""
    file.write_text(str(os.getpid()))
    sys.setswitchinterval(10_000)
    while True:
        pass


def sleeps(_: Computers) -> None:
    """Compute forever, without blocking the process's other threads."""
    while True:
        time.sleep(3_600)


def refuses(_: Computers) -> int:
    """Come to no answer."""
    raise ValueError("no such board")


def interrupted(_: Computers) -> int:
    """Be told to end by a terminal and by a supervisor."""
    os.kill(os.getpid(), signal.SIGINT)
    os.kill(os.getpid(), signal.SIGTERM)
    return os.getpid()


def one(_: Computers) -> int:
    """Come to a quick answer."""
    return 1


def tells(_: Computers, *, file: Path) -> None:
    """Leave word that it was begun."""
    file.touch()


def alive(process: int) -> bool:
    """True while a process runs; one that has ended and is not looked after yet has ended."""
    found = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True, check=False)
    return bool(found.stdout.strip()) and not found.stdout.startswith("Z")


def wait_for_text(file: Path) -> None:
    """Wait until a process has left word."""
    for _ in range(12_000):
        if file.exists() and file.read_text():
            return
        time.sleep(0.05)
    raise AssertionError("it has not begun")


def wait_for_end(process: int) -> None:
    """Come back when a process has ended."""
    while alive(process):
        pass
