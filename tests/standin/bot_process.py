"""The bot as it is, in a process of its own that takes the stand-in's service for Discord.

``python -m tests.standin.bot_process URL ...`` is ``python -m bot ...``, told where Discord is; nothing else differs.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.__main__ import main

ROOT = Path(__file__).parents[2]
BUSY_SECONDS = 12.0


class BotProcess:
    """A running bot. ``settings`` are what its environment says beside the token; ``log`` is what it has said."""

    def __init__(
        self, url: str, settings: Mapping[str, str], *, log: Path, token: str = "the-token", module: str = __name__
    ) -> None:
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
        self.token = token
        self._log = log
        with log.open("ab") as written:
            self._process = subprocess.Popen(
                [sys.executable, "-m", module, url],
                cwd=ROOT,
                env={**kept, "DISCORD_TOKEN": token, **settings},
                stdin=subprocess.DEVNULL,
                stdout=written,
                stderr=written,
            )

    @property
    def number(self) -> int:
        """The system's number of the process."""
        return self._process.pid

    @property
    def ended(self) -> int | None:
        """How it has ended: its exit code, or the signal that killed it as a negative number; None while it runs."""
        return self._process.poll()

    @property
    def said(self) -> str:
        """Its log."""
        return self._log.read_text(errors="replace")

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        self._process.send_signal(number)

    def end(self) -> None:
        """Kill it, wherever it is, and wait until it is gone."""
        self._process.kill()
        self._process.wait()


def take_for_discord(url: str) -> None:
    """Let discord.py ask at this address what it would ask Discord."""
    Route.BASE = f"{url}/api/v10"
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(url.replace("http", "ws", 1) + "/")


def be_busy(*_: object) -> None:
    """Keep the event loop from turning, and the processor at work, for longer than a process lives on in silence."""
    until = time.monotonic() + BUSY_SECONDS
    while time.monotonic() < until:
        pass


if __name__ == "__main__":
    signal.signal(signal.SIGUSR1, be_busy)
    take_for_discord(sys.argv[1])
    sys.exit(main(sys.argv[2:]))
