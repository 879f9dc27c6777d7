"""The bot in a separate process that uses the stand-in's service as Discord.

``python -m tests.standin.bot_process URL`` is ``python -m bot`` with Discord's address replaced. Without a URL, it
loads the bot, reads lines of JSON, and forks a bot for each, because a new Python would take a second to load it.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.__main__ import main
from bot.chat import process_mark
from bot.text.languages import LANGUAGES
from bot.text.words import words_for

ROOT = Path(__file__).parents[2]
BUSY_SECONDS = 12.0
LOOKS = "TEST_LOOKS"
"""Variable with the seconds between two looks at the mark of a process, in place of a minute."""
KEPT = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
"""The environment variables passed to a bot."""


class BotProcess:
    """A running bot. ``settings`` are its environment apart from the token, and ``log`` is its output.

    It's forked from a prepared process, unless ``module`` names the module for a new Python.
    """

    def __init__(
        self, url: str, settings: Mapping[str, str], *, log: Path, token: str = "the-token", module: str = ""
    ) -> None:
        environ = {**KEPT, "DISCORD_TOKEN": token, **settings}
        self.token = token
        self._log = log
        # Readers get an empty file until the process writes something.
        log.touch()
        self._process: subprocess.Popen[bytes] | Forked
        if not module and hasattr(os, "fork"):
            self._process = Forked(url, environ, log=log)
            return
        with log.open("ab") as written:
            self._process = subprocess.Popen(
                [sys.executable, "-m", module or __name__, url],
                cwd=ROOT,
                env=environ,
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
        """Return the exit code, or the negative number of the signal that killed it; None while it runs."""
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


class Forked:
    """A process that is a fork, which another one has for its child; to us it answers as ``subprocess.Popen`` does."""

    def __init__(self, url: str, environ: Mapping[str, str], *, log: Path) -> None:
        self.pid: int = _ready().asked(url=url, environ=environ, log=str(log))
        self._ended: int | None = None

    def poll(self) -> int | None:
        """Return the exit code; None while it runs."""
        if self._ended is None:
            self._ended = _ready().asked(pid=self.pid, options=os.WNOHANG)
        return self._ended

    def wait(self) -> None:
        """Wait until it has ended."""
        if self._ended is None:
            self._ended = _ready().asked(pid=self.pid, options=0)

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it, unless it has ended."""
        self.send_signal(signal.SIGKILL)


class Ready:
    """The process that has loaded the bot and is forked; it ends with this one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__],
            cwd=ROOT,
            env=KEPT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        atexit.register(self.end)

    def asked(self, **order: Any) -> Any:
        """Return the answer to an order."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with self._lock:
            print(json.dumps(order), file=self._process.stdin, flush=True)
            return json.loads(self._process.stdout.readline())

    def end(self) -> None:
        """Let it end."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


@cache
def _ready() -> Ready:
    return Ready()


def forked() -> str:
    """Fork a bot for each order, and tell how one has ended; returns in each fork, with the URL of its Discord."""
    for language in LANGUAGES:
        words_for(language)
    # Objects created so far are permanent. A garbage collection in a fork would copy them into it.
    gc.collect()
    gc.freeze()
    while line := sys.stdin.readline():
        order = json.loads(line)
        if "pid" in order:
            pid, status = os.waitpid(order["pid"], order["options"])
            answer = os.waitstatus_to_exitcode(status) if pid else None
        else:
            answer = os.fork()
            if answer == 0:
                _settle(order["environ"], log=order["log"])
                return str(order["url"])
        print(json.dumps(answer), flush=True)
    sys.exit()


def _settle(environ: Mapping[str, str], *, log: str) -> None:
    """Give a fork what a process is started with."""
    os.environ.update(environ)
    written = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    for number, file in enumerate((os.open(os.devnull, os.O_RDONLY), written, written)):
        os.dup2(file, number)


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
    discord_url = sys.argv[1] if len(sys.argv) > 1 else forked()
    signal.signal(signal.SIGUSR1, be_busy)
    if seconds := os.environ.pop(LOOKS, ""):
        process_mark.LOOK_SECONDS = process_mark.SURE_SECONDS = float(seconds)
    take_for_discord(discord_url)
    sys.exit(main([]))
