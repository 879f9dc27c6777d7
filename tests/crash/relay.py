"""A wire between a bot and its PostgreSQL server that can be cut and held, also in the middle of a commit."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from enum import Enum, auto

from psycopg.conninfo import conninfo_to_dict


class Cut(Enum):
    """The point at which a connection that carries a commit breaks."""

    BEFORE = auto()
    """The server never hears of it."""
    AFTER = auto()
    """The commit is done, but no response arrives."""


class Relay:
    """Listens at ``address`` and carries to the server what comes. ``commits`` says how the next commits go."""

    def __init__(self, address: str) -> None:
        parts = conninfo_to_dict(address)
        self._server = f"{parts['host']}/.s.PGSQL.{parts.get('port', 5432)}"
        self._door = socket.create_server(("127.0.0.1", 0))
        self.address = f"postgresql://{parts['user']}@127.0.0.1:{self._door.getsockname()[1]}/{parts['dbname']}"
        self.commits: list[Cut] = []
        self.then: Callable[[], None] = lambda: None
        """Called while the connection of a commit is cut, before the bot notices."""
        self.flows = threading.Event()
        """While cleared, all data is held back: nothing is lost and nothing arrives."""
        self.flows.set()
        threading.Thread(target=self._listen, daemon=True).start()

    def next_cut(self) -> Cut | None:
        """Return the cut of the next commit; None if it goes through."""
        with suppress(IndexError):
            return self.commits.pop(0)
        return None

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._door.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        server = socket.socket(socket.AF_UNIX)
        with suppress(OSError), closing(client), closing(server):
            server.connect(self._server)
            wire = _Wire(self, client, server)
            back = threading.Thread(target=wire.back, daemon=True)
            back.start()
            wire.there()
            back.join()

    def close(self) -> None:
        """Stop accepting connections."""
        self._door.close()


class _Wire:
    """One connection."""

    def __init__(self, relay: Relay, client: socket.socket, server: socket.socket) -> None:
        self._relay = relay
        self._client = client
        self._server = server
        self._answer_is_lost = threading.Event()
        self._cutting = threading.Lock()
        """While something happens that the bot is to know later."""

    def there(self) -> None:
        """Carry what the bot asks."""
        with suppress(OSError):
            while content := self._client.recv(65536):
                self._relay.flows.wait()
                cut = self._relay.next_cut() if b"COMMIT\0" in content else None
                if cut is Cut.BEFORE:
                    with self._cutting:
                        self._relay.then()
                    break
                if cut is Cut.AFTER:
                    self._answer_is_lost.set()
                self._server.sendall(content)
        self._cut()

    def back(self) -> None:
        """Carry what the server answers."""
        with suppress(OSError):
            while content := self._server.recv(65536):
                self._relay.flows.wait()
                if self._answer_is_lost.is_set():
                    with self._cutting:
                        self._relay.then()
                    break
                self._client.sendall(content)
        self._cut()

    def _cut(self) -> None:
        for end in (self._client, self._server):
            with suppress(OSError), self._cutting:
                end.shutdown(socket.SHUT_RDWR)
