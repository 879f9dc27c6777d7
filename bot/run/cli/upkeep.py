"""The commands that maintain the database and its key: back up, restore, check, hand over and rotate the key.

As in :mod:`bot.run.cli`, each command is a function from its arguments to an exit code: 0 for success, 1 if something
in the database is wrong, and 2 if the command couldn't run, with one sentence on stderr.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from getpass import getpass
from pathlib import Path

from bot.base.command_help import HelpFormatter, examples
from bot.base.file_rights import left_to_root
from bot.base.installation import COMMAND, HOME
from bot.base.plurals import counted
from bot.base.settings import Settings, SettingsError, load_settings
from bot.run.cli.records import RIGHT, STDIN, WRONG, Commands, InputError, as_json, print_line, refuse, use_utf8
from bot.run.cli.sealed import opened_by
from bot.store import StoreError
from bot.store.address import POSTGRES
from bot.store.beat_mark import BeatMark
from bot.store.disk import waiting
from bot.store.inspection import Content, Report
from bot.store.move import move
from bot.store.movements import ChipOrigins
from bot.store.opening import Place, named
from bot.store.owner import MOVED, described
from bot.store.sqlite.backup import back_up, check_target, name_in, restore, rotate
from bot.store.sqlite.database import MIGRATIONS
from bot.store.sqlite.files import lock_of
from bot.store.upkeep import behind, clear_owner, inspect, put_back, while_stopped
from bot.store.vault import KEY_BYTES, SeedVault, add_key, find_missing_keys, give_up_keys, in_words

Work = Callable[[argparse.Namespace, Settings], int]
ROWS_TOLD = 100_000
ANOTHERS_WORK = 3
"""Exit code if nothing is wrong but nothing was done, so that a nightly timer isn't reported as failed."""
_SHORT_OF_KEY = "It does not contain the key. Back that up separately."


class _UsePostgresToolsError(InputError):
    """PostgreSQL has its own programs for this task."""


def add_commands(subparsers: Commands) -> None:
    """Add the commands to the parser, with the chosen command's function as ``args.run``."""
    backup = _command(
        subparsers,
        "backup",
        _backup,
        help="back up the database, even while the bot is running",
        description="Copy the database to a new file and check the copy. The bot may keep running. The copy doesn't "
        "contain the key, so back that up separately.",
        epilog=examples("chaipo-copy.db", "backups/ --keep 14"),
    )
    backup.add_argument("file", metavar="FILE", help="new file, or a folder, where the copy is named after the time")
    backup.add_argument("--keep", metavar="N", help="number of newest copies to keep in the folder (default: all)")
    back = _command(
        subparsers,
        "restore",
        _restore,
        help="restore the database from a backup",
        description="Check a backup and replace the database with it. Stop the bot first. The current database is kept "
        "under another name.",
        epilog=examples("chaipo-copy.db", "--playground playground-copy.db"),
    )
    back.add_argument("file", metavar="FILE", help="the backup")
    examine = _command(
        subparsers,
        "check",
        _check,
        help="check the database, even while the bot is running",
        description="Check a database without changing it: the file, tables and triggers, chip accounts, counters, "
        "hands in play and events.",
        epilog=examples("", "--json chaipo-copy.db"),
    )
    examine.add_argument("--json", action="store_true", help="print the result as JSON")
    examine.add_argument(
        "file", nargs="?", metavar="DATABASE", help="file or PostgreSQL address (default: the bot's own database)"
    )
    there = _command(
        subparsers,
        "move",
        _move,
        help="copy the database, such as from SQLite to PostgreSQL",
        description="Copy a whole database to an empty one, and check the copy. Stop the bot first. If the copy is "
        "interrupted, run the same command again to resume it.\n\n"
        "SOURCE and TARGET are files, addresses such as postgresql://user:password@host/name, or - to read an address "
        "from standard input. That way, the password isn't visible in the list of processes.",
        epilog=examples("data/var/chaipo.db copied.db", "data/var/chaipo.db -"),
    )
    there.add_argument("source", metavar="SOURCE", help="database to copy")
    there.add_argument("target", metavar="TARGET", help="empty database to fill")
    for command in (backup, back, examine):
        command.add_argument("--playground", action="store_true", help="use the playground's database")
    _command(
        subparsers,
        "disown",
        _disown,
        help="release the database for another Discord application",
        description="Forget which Discord application the database belongs to. Stop the bot first. The next start "
        "takes it over, with whatever token is set. Also lets the bot start again on a database that was moved out.",
        epilog=examples("", "CHAIPO_DATABASE=data/var/trial.db %(prog)s"),
    )
    _command(
        subparsers,
        "new-key",
        _new_key,
        help="add a new key for the decks",
        description="Add a new key to the key file. From its next start, the bot encrypts the seeds of decks with it. "
        "The old keys stay in the file to read older decks.",
        epilog=examples("", "CHAIPO_KEY_FILE=data/var/trial.key %(prog)s"),
    )
    _command(
        subparsers,
        "lost-key",
        _lost_key,
        help="continue without a key that is lost for good",
        description="Give up the keys that the database needs and that the key file lacks. Stop the bot first. Its "
        "next start cancels the hands and events whose decks were encrypted with them, and refunds the fees.",
        epilog=examples("", "CHAIPO_DATABASE=data/var/trial.db %(prog)s"),
    )


def _command(subparsers: Commands, name: str, work: Work, **words: str) -> argparse.ArgumentParser:
    command = subparsers.add_parser(name, formatter_class=HelpFormatter, **words)
    command.set_defaults(run=partial(_run, work=work), playground=False)
    return command


def _run(args: argparse.Namespace, *, work: Work) -> int:
    try:
        settings = load_settings(os.environ, HOME / ".env")
        return work(args, settings.of_playground() if args.playground else settings)
    except _UsePostgresToolsError as error:
        refuse(str(error))
        return ANOTHERS_WORK
    except (InputError, SettingsError, StoreError) as error:
        return refuse(str(error))


def _vault(settings: Settings) -> SeedVault | None:
    """Return the vault; None without a key, because only the bot creates one."""
    return SeedVault.open(settings.key_file) if settings.key_file.exists() else None


# Backups


def _backup(args: argparse.Namespace, settings: Settings) -> int:
    began = time.monotonic()
    path = _file(settings, f"pg_dump --format=custom --file={args.file}")
    _require_database(settings, playground=args.playground)
    place = _named_place(args.file)
    keep = _keep(args.keep, folder=place.is_dir())
    file = name_in(place, path, now=datetime.now(UTC)) if place.is_dir() else place
    check_target(file)
    backup = back_up(path, file, MIGRATIONS, secrets=opened_by(_vault(settings)))
    content = "data that cannot be counted" if backup.content is None else holds(backup.content)
    print_line(f"{backup.file} holds {content}, in {backup.file.stat().st_size:,} bytes.\n{_SHORT_OF_KEY}")
    print_line(f"It took {time.monotonic() - began:.1f} seconds.")
    warn_of_root(settings, backup.file)
    complain(backup.report.not_checked)
    if backup.report.findings:
        complain(finding.line for finding in backup.report.findings)
        complain(["The copy was kept, and no older one was removed."])
        return WRONG
    if keep:
        removed = rotate(place, path, keep=keep)
        older = "1 older copy" if len(removed) == 1 else f"{len(removed)} older copies"
        print_line(f"Removed {older}." if removed else "No older copy was removed.")
    return RIGHT


def _file(settings: Settings, program: str) -> Path:
    """Return the database's file; raises _UsePostgresToolsError for PostgreSQL, which has its own backup programs."""
    if settings.file is None:
        raise _UsePostgresToolsError(
            f"{named(settings.place)} is backed up and restored with PostgreSQL's own programs. Run `{program}` with "
            "its address, as docs/how-to/postgresql.md shows"
        )
    return settings.file


def _require_database(settings: Settings, *, playground: bool) -> None:
    """Raise InputError if only the playground has a database. The text names that database."""
    path, another = settings.file, settings.of_playground().file
    if playground or path is None or another is None or path.exists() or waiting(path) or not another.exists():
        return
    raise InputError(
        f"{path} does not exist, because only the playground was used here. Add --playground to use {another}"
    )


def _named_place(text: str) -> Path:
    """Parse a path to an existing folder or to a new file. Raises InputError if the folder doesn't exist."""
    place = Path(text)
    means_folder = text.endswith(("/", os.sep)) or not place.suffix
    if means_folder and not place.exists():
        raise InputError(f"{place} does not exist. Create that folder first, or name a file such as {place}.db")
    return place


def _keep(text: str | None, *, folder: bool) -> int | None:
    if text is None:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 6 or not int(text):
        raise InputError(f"--keep {text[:20]!r} is not valid. Use a whole number from 1 to 999999")
    if not folder:
        raise InputError("--keep needs a folder. Name one instead of FILE")
    return int(text)


def holds(content: Content) -> str:
    """Return a summary of a database's contents, as part of a sentence."""
    parts = [
        counted(content.open_tables, "open table"),
        f"{counted(content.hands, 'hand')} ({content.running:,} in play)",
        f"{counted(content.chips, 'chip')} of players in {counted(content.guilds, 'server')}",
    ]
    about = [f"schema {content.version}"]
    if content.owner is not None:
        about.append(f"of {described(content.owner)}")
    if content.alive_at is not None:
        about.append(f"as of {_moment(content.alive_at)}")
    return f"{', '.join(parts)} ({', '.join(about)})"


def _moment(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def complain(lines: Iterable[str]) -> None:
    """Print to standard error."""
    use_utf8(sys.stderr)
    for line in lines:
        print(line, file=sys.stderr)


def warn_of_root(settings: Settings, *more: Path) -> None:
    """Warn about files that the bot's user can't open if the command was run as root by mistake."""
    key, mark = settings.key_file, BeatMark(settings.key_file).file
    files = [key.resolve(), *([mark.resolve()] if mark else []), *(file.absolute() for file in more)]
    if settings.file is not None:
        # With resolved paths, `chown` changes the files and not the links to them.
        path = settings.file.resolve()
        files = [path, lock_of(path), *files]
    if said := left_to_root(files):
        complain([f"{said}."])


# restoring a copy


def _restore(args: argparse.Namespace, settings: Settings) -> int:
    path = _file(settings, f"pg_restore --clean --if-exists --single-transaction {args.file}")
    done = restore(path, Path(args.file), MIGRATIONS, now=datetime.now(UTC))
    content = done.content
    print_line(f"{done.path} is now a copy of {args.file}: {holds(content)}.")
    print_line(
        f"The bot's next start voids the hands in play ({content.running:,}) and gives every open table "
        f"({content.open_tables:,}) a new deck, because the old ones may be known by now."
    )
    if done.aside is None:
        print_line("There was no database before.")
    else:
        print_line(f"The previous database is kept as {done.aside}.")
        flag = " --playground" if args.playground else ""
        print_line(
            f"To go back: stop the bot and run `{COMMAND} restore {done.aside}{flag}`. That cancels hands in progress."
        )
    warn_of_root(settings, *([done.aside] if done.aside else []))
    return RIGHT


# checks


def _check(args: argparse.Namespace, settings: Settings) -> int:
    if args.file is None:
        _require_database(settings, playground=args.playground)
    place = settings.place if args.file is None else _place(args.file)
    report, held, chips = inspect(place, secrets=opened_by(_vault(settings)))
    print_line(as_json(_record(place, report, chips)) if args.json else "\n".join(_lines(place, report, held, chips)))
    if args.file is None and held:
        complain(f"{said}." for said in (behind(place, settings.key_file), put_back(place)) if said)
    return WRONG if report.findings else RIGHT


def _lines(place: Place, report: Report, held: Content | None, chips: ChipOrigins | None) -> list[str]:
    lines = [finding.line for finding in report.findings]
    order = "is in order as far as it was checked" if report.not_checked else "is in order"
    verdict = f"{order}: {holds(held)}" if held else f"is not in order, findings: {len(lines):,}"
    return [*lines, *_chip_lines(chips), *report.not_checked, f"{named(place)} {verdict}."]


def _chip_lines(chips: ChipOrigins | None) -> list[str]:
    """Return all chips by kind of movement and by kind of account. The total is zero."""
    if chips is None or not chips.movements:
        return []
    rows = [(m.kind, f"{m.source} -> {m.target}", f"{m.transfers:,}", f"{m.chips:,}") for m in chips.movements]
    rows.insert(0, ("kind", "from -> to", "transfers", "chips"))
    wide = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = [f"{a:<{wide[0]}}  {b:<{wide[1]}}  {c:>{wide[2]}}  {d:>{wide[3]}}" for a, b, c, d in rows]
    sums = ", ".join(f"{sort} {chips:,}" for sort, chips in chips.held.items())
    return [*lines, f"Held: {sums}. Together: {sum(chips.held.values()):,}."]


def _record(place: Place, report: Report, chips: ChipOrigins | None) -> dict[str, object]:
    return {
        "database": named(place),
        "schema": report.version,
        "ok": not report.findings,
        "findings": [
            {"kind": each.kind, "server": each.guild, "table": each.table, "hand": each.hand, "text": each.text}
            for each in report.findings
        ],
        "not_checked": list(report.not_checked),
        "chips": None if chips is None else asdict(chips),
    }


# moving


def _move(args: argparse.Namespace, settings: Settings) -> int:
    if args.source == args.target == STDIN:
        raise InputError("SOURCE and TARGET are both -, but only one address can be read from standard input")
    source, target = _place(args.source), _place(args.target)
    if source == target:
        raise InputError("SOURCE and TARGET are the same database. Name two different ones")
    moved = asyncio.run(move(source, target, progress=_tell_rows))
    warn_of_root(settings, *([target, lock_of(target)] if isinstance(target, Path) else []))
    complain(finding.line for finding in moved.report.findings)
    if moved.content is None:
        return WRONG
    print_line(f"{named(target)} is a complete copy of {named(source)}: {holds(moved.content)}.")
    print_line(
        "Set CHAIPO_DATABASE to its address, keep the key file, and start the bot. Keep the old database as a backup."
    )
    return RIGHT


def _place(written: str) -> Place:
    if written == STDIN:
        written = (getpass("Address: ") if sys.stdin.isatty() else sys.stdin.readline()).strip()
        if not written:
            raise InputError("no address was read. Write a database's address on one line")
    return written if written.startswith(POSTGRES) else Path(written)


def _tell_rows(table: str, rows: int) -> None:
    if rows % ROWS_TOLD == 0:
        print_line(f"{table}: {rows:,} rows")


# ownership and the key


def _disown(args: argparse.Namespace, settings: Settings) -> int:
    former, place = clear_owner(settings.place), named(settings.place)
    warn_of_root(settings)
    if former is None:
        print_line(f"{place} has no owner. The bot's next start takes it over.")
        return RIGHT
    if former.startswith(MOVED):
        print_line(
            f"{place} is used here again. The bot's next start takes it over, cancels the hands in play and gives "
            "every open table a new deck, because the old ones may be known from the new place. Hands played there "
            "are missing here. Don't run a bot on the copy that was moved."
        )
        return RIGHT
    print_line(
        f"{place} was the database of {described(former)} and has no owner now. The bot's next start takes it over.\n"
        "Invite the bot of the new application to every server first. In servers without it, its start "
        "closes the tables and cancels the events."
    )
    return RIGHT


def _new_key(args: argparse.Namespace, settings: Settings) -> int:
    if not settings.key_file.exists() and (settings.file is None or settings.file.exists()):
        raise InputError(
            f"{settings.key_file} does not exist. Restore it, or run `{COMMAND} lost-key` if it is lost for good"
        )
    add_key(settings.key_file)
    warn_of_root(settings)
    print_line(
        f"{settings.key_file} has a new key. The bot uses it from its next start. The old keys still open older decks."
    )
    print_line("Back up the file again, separately from the databases.")
    return RIGHT


def _lost_key(args: argparse.Namespace, settings: Settings) -> int:
    with while_stopped(settings.place) as sql:
        # A vault without a key counts all keys as missing.
        lacks = find_missing_keys(sql, _vault(settings) or SeedVault([bytes(KEY_BYTES)]))
        if settings.key_file.exists() and not lacks:
            print_line(
                f"{settings.key_file} holds every key that {named(settings.place)} needs, and nothing was changed."
            )
            return RIGHT
        give_up_keys(settings.key_file, {number for ids in lacks.values() for number in ids})
    warn_of_root(settings)
    print_line(f"{settings.key_file} now records that the keys are lost ({in_words(lacks) or 'nothing needs them'}).")
    print_line(
        "The bot's next start cancels the hands in play and the events that were sealed with them, and refunds every "
        "fee. Back up the file again, separately from the databases."
    )
    return RIGHT
