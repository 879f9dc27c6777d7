"""The commands that move a bot's data to another installation. One writes a stream, and the other reads it."""

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

from bot.base.command_help import HelpFormatter, examples
from bot.base.installation import COMMAND, HOME
from bot.base.settings import Settings, SettingsError, load_settings
from bot.run.cli.records import RIGHT, STDIN, Commands, InputError, print_line, refuse
from bot.run.cli.upkeep import Work, complain, holds, warn_of_root
from bot.store import StoreError
from bot.store.disk import waiting
from bot.store.opening import named
from bot.store.sqlite.database import MIGRATIONS
from bot.store.sqlite.moving import ReplacedDatabase, move_in, move_out


def add_commands(subparsers: Commands) -> None:
    """Add the commands to the parser, with the chosen command's function as ``args.run``."""
    out = subparsers.add_parser(
        "move-out",
        help="send the database and its key to another installation",
        description="Write the stopped bot's database and key to standard output or to a new file. Run `move-in` in "
        "the other installation to read them. After that, no bot starts on the database here unless you run `disown`.",
        epilog=examples("moved", "| (cd /opt/chaipo && sudo -u chaipo .venv/bin/python -m bot move-in)"),
        formatter_class=HelpFormatter,
    )
    out.add_argument("file", nargs="?", default=STDIN, metavar="FILE", help="new file (default: standard output)")
    out.set_defaults(run=partial(_run, work=_move_out))
    back = subparsers.add_parser(
        "move-in",
        help="take over a database and key from move-out",
        description="Read the output of `move-out` from standard input or a file, and make it this bot's database and "
        "key. Stop the bot first. An existing database is kept under another name. Hands in play continue.",
        epilog=examples("moved", "--replace moved"),
        formatter_class=HelpFormatter,
    )
    back.add_argument(
        "file", nargs="?", default=STDIN, metavar="FILE", help="file from `move-out` (default: standard input)"
    )
    back.add_argument(
        "--replace", action="store_true", help="replace the database here even if it has hands that the new one lacks"
    )
    back.set_defaults(run=partial(_run, work=_move_in))


def _run(args: argparse.Namespace, *, work: Work) -> int:
    try:
        return work(args, load_settings(os.environ, HOME / ".env"))
    except (InputError, SettingsError, StoreError) as error:
        return refuse(str(error))


def _move_out(args: argparse.Namespace, settings: Settings) -> int:
    path = _file(settings)
    _require_database(path, settings.of_playground().file)
    with _output(args.file) as stream:
        try:
            done = move_out(path, settings.key_file, stream, MIGRATIONS)
        except OSError as error:
            raise InputError(f"not everything could be written ({error.strerror}), and nothing was changed") from error
    # Standard output carries the data.
    complain([f"{path} was moved out: {holds(done.content)}."])
    if done.again:
        complain(
            [
                "It was moved out before. If the bot has run in the new place since, this is an older state. "
                "To move the newer one, run `move-out` in the new place."
            ]
        )
    complain(
        [
            f"Start the bot in the new place. If that fails, run this again, or run `{COMMAND} disown` to "
            "continue here, which cancels hands in progress."
        ]
    )
    warn_of_root(settings)
    return RIGHT


def _require_database(path: Path, playground: Path | None) -> None:
    """Raise InputError if the bot has no database."""
    if path.exists() or waiting(path):
        return
    if playground is not None and playground.exists():
        raise InputError(f"only the playground was used here ({playground}), and it cannot be moved")
    raise InputError(
        f"{path} does not exist, so there is nothing to move. Run this where the bot was running, or check "
        "CHAIPO_DATABASE"
    )


def _move_in(args: argparse.Namespace, settings: Settings) -> int:
    path = _file(settings)
    with _input(args.file) as stream:
        done = move_in(path, settings.key_file, stream, MIGRATIONS, now=datetime.now(UTC), replace=args.replace)
    print_line(f"{done.path} is now the database that was moved: {holds(done.content)}.")
    if done.goes_on:
        print_line("Hands in progress continue.")
    else:
        print_line(
            "The next start cancels hands in progress and deals new decks, as after a restore. The bot has "
            "run on another state of this database, so the old decks may be known."
        )
    if done.former is not None:
        _tell_former(done.former)
    print_line(f"{settings.key_file} contains its key. Back it up separately from the database.")
    warn_of_root(settings, *([done.former.aside] if done.former else []))
    return RIGHT


def _tell_former(former: ReplacedDatabase) -> None:
    content = "data that cannot be counted" if former.content is None else holds(former.content)
    moved = ", which was moved out," if former.moved_out else ""
    print_line(f"The database that was here{moved} is kept as {former.aside}. It holds {content}.")
    if former.content is not None:
        more = f", then `{COMMAND} disown`" if former.moved_out else ""
        print_line(
            f"To go back: stop the bot and run `{COMMAND} restore {former.aside}`{more}. That cancels hands "
            "in progress."
        )


def _file(settings: Settings) -> Path:
    if settings.file is None:
        raise InputError(
            f"{named(settings.place)} is not a file. Copy the database with `{COMMAND} move`, and the key file by hand"
        )
    return settings.file


@contextmanager
def _output(file: str) -> Iterator[IO[bytes]]:
    if file == STDIN:
        if sys.stdout.isatty():
            raise InputError(f"pipe this into `{COMMAND} move-in` in the new place, or name a new file")
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
        raise InputError(f"{path} already exists. Name a new file") from error
    except OSError as error:
        raise InputError(f"{path} cannot be created ({error.strerror}). Name another file") from error


@contextmanager
def _input(file: str) -> Iterator[IO[bytes]]:
    if file == STDIN:
        if sys.stdin.isatty():
            raise InputError(f"pipe `{COMMAND} move-out` from the old place into this, or name the file that it wrote")
        yield sys.stdin.buffer
        return
    with ExitStack() as stack:
        try:
            stream = stack.enter_context(Path(file).open("rb"))
        except OSError as error:
            raise InputError(
                f"{file} cannot be read ({error.strerror}). Name the file that `move-out` wrote"
            ) from error
        yield stream
