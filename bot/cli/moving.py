"""The commands that move a bot's data to another installation: one writes a stream, the other reads it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import IO

from bot.cli.records import RIGHT, STDIN, Commands, InputError, refuse, say
from bot.cli.upkeep import Work, holds
from bot.installation import COMMAND, HOME
from bot.settings import Settings, SettingsError, load_settings
from bot.store import StoreError
from bot.store.opening import named
from bot.store.sqlite.database import MIGRATIONS
from bot.store.sqlite.moving import move_in, move_out


def add_commands(subparsers: Commands) -> None:
    """Declare the commands; the chosen one is in ``args.run``."""
    out = subparsers.add_parser(
        "move-out",
        help="send the database and its key to another installation, which reads them with move-in",
        description="Write the database of a stopped bot, its key and the key's mark to standard output or into a new "
        "file, for `move-in` in another place. No bot starts on this database any more, unless `disown` allows it.",
    )
    out.add_argument("file", nargs="?", default=STDIN, metavar="FILE", help="a new file (default: standard output)")
    out.set_defaults(run=partial(_run, work=_move_out))
    back = subparsers.add_parser(
        "move-in",
        help="take over the database and the key that move-out sends",
        description="Read what `move-out` writes from standard input or a file, and make it this bot's database and "
        "key while the bot is stopped. A database that is there is kept under another name. Running hands go on.",
    )
    back.add_argument("file", nargs="?", default=STDIN, metavar="FILE", help="the file (default: standard input)")
    back.set_defaults(run=partial(_run, work=_move_in))


def _run(args: argparse.Namespace, *, work: Work) -> int:
    try:
        return work(args, load_settings(os.environ, HOME / ".env"))
    except (InputError, SettingsError, StoreError) as error:
        return refuse(str(error))


def _move_out(args: argparse.Namespace, settings: Settings) -> int:
    path = _file(settings)
    with _output(args.file) as stream:
        try:
            content = move_out(path, settings.key_file, stream, MIGRATIONS)
        except OSError as error:
            raise InputError(f"not everything could be written ({error.strerror}), and nothing was changed") from error
    # Standard output carries the data.
    print(f"{path} was moved out: {holds(content)}.", file=sys.stderr)
    print(
        f"Start the bot where you move it in. If that fails, run this again, or `{COMMAND} disown` to go on here.",
        file=sys.stderr,
    )
    return RIGHT


def _move_in(args: argparse.Namespace, settings: Settings) -> int:
    path = _file(settings)
    with _input(args.file) as stream:
        done = move_in(path, settings.key_file, stream, MIGRATIONS, now=datetime.now(UTC))
    say(f"{done.path} is now the database that was moved: {holds(done.content)}. Running hands go on.")
    if done.aside is not None:
        say(f"The database that was here is kept as {done.aside}.")
    say(f"{settings.key_file} holds its key: keep a copy of it in another place than the database's copies.")
    return RIGHT


def _file(settings: Settings) -> Path:
    if settings.file is None:
        raise InputError(
            f"{named(settings.place)} is not a file: copy the database with `{COMMAND} move`, and the key file by hand"
        )
    return settings.file


@contextmanager
def _output(file: str) -> Iterator[IO[bytes]]:
    if file == STDIN:
        if sys.stdout.isatty():
            raise InputError(f"pipe this into `{COMMAND} move-in` of the new place, or name a new file")
        yield sys.stdout.buffer
        return
    path = Path(file)
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
            try:
                yield stream
            except BaseException:
                path.unlink()
                raise
    except FileExistsError as error:
        raise InputError(f"{path} is there already: name a file that does not exist yet") from error
    except OSError as error:
        raise InputError(f"{path} cannot be made ({error.strerror}): name another file") from error


@contextmanager
def _input(file: str) -> Iterator[IO[bytes]]:
    if file == STDIN:
        if sys.stdin.isatty():
            raise InputError(f"pipe `{COMMAND} move-out` of the old place into this, or name the file that it wrote")
        yield sys.stdin.buffer
        return
    with ExitStack() as stack:
        try:
            stream = stack.enter_context(Path(file).open("rb"))
        except OSError as error:
            raise InputError(
                f"{file} cannot be read ({error.strerror}): name the file that `move-out` wrote"
            ) from error
        yield stream
