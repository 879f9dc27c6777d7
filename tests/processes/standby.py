"""A second PostgreSQL server that has all that a first one has committed, and takes its place."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from tests.databases import Server, ask, run_program

NAME = "standby"


class Standby:
    """A standby server with synchronous replication, so that acknowledged data is on both disks."""

    def __init__(self, primary: Server) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="chaipo-pg-"))
        self._data = self.folder / "data"
        # PostgreSQL refuses to run as root, so it runs as the owner of the primary.
        self._owner = primary.folder.owner() if os.geteuid() == 0 else None
        if self._owner is not None:
            shutil.chown(self.folder, self._owner)
        (socket,) = parse_qs(urlsplit(primary.address("postgres")).query)["host"]
        source = f"host={socket} user=postgres application_name={NAME}"
        self._run("pg_basebackup", "--pgdata", self._data, "--checkpoint=fast", "--write-recovery-conf", "-d", source)
        self._control("start", "-o", f'-h "" -k {self.folder}', "-l", self.folder / "log")
        primary.do("postgres", f"ALTER SYSTEM SET synchronous_standby_names = '{NAME}'")
        primary.do("postgres", "SELECT pg_reload_conf()")
        while ask(primary.address("postgres"), "SELECT sync_state FROM pg_stat_replication") != [("sync",)]:
            time.sleep(0.05)

    def address(self, name: str) -> str:
        """Return a database's address on this server."""
        return f"postgresql://postgres@/{name}?host={self.folder}"

    def promote(self) -> None:
        """Take the first one's place."""
        self._control("promote")

    def close(self) -> None:
        """End the server and take its folder away."""
        self._control("stop", "-m", "immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def _control(self, *args: str | Path) -> None:
        self._run("pg_ctl", "--pgdata", self._data, "--wait", *args)

    def _run(self, program: str, *args: str | Path) -> None:
        run_program(program, *args, user=self._owner)
