"""Export of hand histories, and of an event's standings as CSV."""

from __future__ import annotations

import argparse
import csv
import io
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from bot.base.command_help import HelpFormatter, examples
from bot.base.installation import HOME
from bot.base.settings import Settings, SettingsError, load_settings
from bot.model.hands import ExportFilter
from bot.model.ids import EventKey, GuildId, Player, is_computer, is_pseudonym
from bot.model.standings import FOR_EVER
from bot.play.event.office.table_hooks import TableHooks
from bot.play.event.office.views import EventView, look
from bot.play.queries.replays import history_file
from bot.play.session.policy import Policy
from bot.play.session.session import Session
from bot.pure.notation.files import JSON, TOML, as_json, as_toml
from bot.pure.ofc.refusals import Refused
from bot.run.cli.records import RIGHT, STDIN, Commands, InputError, print_line, refuse
from bot.store import StoreError
from bot.store.transaction import Tx
from bot.store.upkeep import open_current
from bot.store.vault import SeedVault

MAX_NUMBER_LENGTH = 19
"""Maximum number of digits in a Discord id or any number in the database."""
COLUMNS = ("place", "player", "points", "chips", "hands", "entries", "prize", "disqualified")


def add_commands(subparsers: Commands) -> None:
    """Add the command to the parser, with its function as ``args.run``."""
    export = subparsers.add_parser(
        "export",
        help="export hand histories, or an event's standings as CSV",
        description="Write finished hands to a folder, one file per hand. With --event, write an event's standings to "
        "a CSV file instead. The database is only read, and the bot may keep running.",
        epilog=examples("hands --since 2026-11-01", "--server 129000000000000001 --event 3 standings.csv"),
        formatter_class=HelpFormatter,
    )
    export.add_argument("--server", metavar="ID", help="Discord ID of a server (default: all; required with --event)")
    export.add_argument("--player", metavar="ID", help="Discord ID of a player: only their hands, as they saw them")
    export.add_argument("--since", metavar="DATE", help="export hands from this day on (YYYY-MM-DD, UTC)")
    export.add_argument("--until", metavar="DATE", help="export hands from before this day (YYYY-MM-DD, UTC)")
    export.add_argument("--json", action="store_true", help="write .json files instead of .phh (TOML)")
    export.add_argument("--event", metavar="N", help="number of the event whose standings to export")
    export.add_argument("--playground", action="store_true", help="use the playground's database")
    export.add_argument(
        "place", metavar="PLACE", help="folder for hands; with --event, a file or - for standard output"
    )
    export.set_defaults(run=main_export)


def main_export(args: argparse.Namespace) -> int:
    """Export the data selected by ``args``."""
    try:
        settings = load_settings(os.environ, HOME / ".env")
        settings = settings.of_playground() if args.playground else settings
        work = partial(_hands, args) if args.event is None else partial(_event, args)
        with _looking_at(settings) as session:
            work(session)
    except OSError as error:
        return refuse(f"{args.place} cannot be written: {error.strerror}")
    except (InputError, SettingsError, StoreError) as error:
        return refuse(str(error))
    return RIGHT


@contextmanager
def _looking_at(settings: Settings) -> Iterator[Session]:
    """Open the database read-only. Raises StoreError."""
    if not settings.key_file.exists():
        raise StoreError(f"{settings.key_file} does not exist. Hands cannot be exported without their key")
    vault = SeedVault.open(settings.key_file)
    with open_current(settings.place) as sql:
        now = time.time_ns() // 1_000_000
        yield Session(tx=Tx(sql), desk=TableHooks(), policy=Policy(), vault=vault, now=now)


# Hands


def _hands(args: argparse.Namespace, session: Session) -> None:
    player = None if args.player is None else _player(args.player)
    exported = ExportFilter(
        guild=None if args.server is None else GuildId(_number(args.server, "--server")),
        player=player,
        since=_moment(args.since, "--since") or 0,
        until=_moment(args.until, "--until") or FOR_EVER,
    )
    folder, write, ending = Path(args.place), as_json if args.json else as_toml, JSON if args.json else TOML
    written = left_out = 0
    for key, hand_no in session.tx.hands.settled(exported):
        folder.mkdir(parents=True, exist_ok=True)
        try:
            history = history_file(session, key, hand_no, player)
        except Refused:
            left_out += 1
            continue
        file = folder / f"{history.hand_id.replace('/', '-')}{ending}"
        _write(file, write(history))
        written += 1
    if not written and not left_out:
        raise InputError("no finished hand matches, and nothing was written. Check --server, --player and the dates")
    print_line(f"Wrote {written:,} hands to {folder}.")
    if left_out:
        print_line(f"{left_out:,} hands were left out, because their decks are still in play elsewhere, or lost.")


def _write(file: Path, text: str) -> None:
    """Write a file. A new one is readable only by this user; an existing one keeps its permissions."""
    with open(file, "w", encoding="utf-8", newline="\n", opener=lambda path, flags: os.open(path, flags, 0o600)) as out:
        out.write(text)


def _player(text: str) -> Player:
    """Parse a player's Discord id, or the pseudonym of a deleted player."""
    if not (
        is_pseudonym(text)
        or is_computer(text)
        or (text.isascii() and text.isdigit() and len(text) <= MAX_NUMBER_LENGTH)
    ):
        raise InputError(f"--player {text[:20]!r} is not a Discord ID. Use a number, as Copy User ID gives it")
    return Player(text)


def _number(text: str, option: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > MAX_NUMBER_LENGTH:
        raise InputError(f"{option} {text[:20]!r} is not valid. Use a whole number")
    return int(text)


def _moment(text: str | None, option: str) -> int | None:
    """Parse a date and return its midnight in UTC (ms)."""
    if text is None:
        return None
    try:
        return int(datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC).timestamp()) * 1000
    except ValueError:
        raise InputError(f"{option} {text[:20]!r} is not a date. Use YYYY-MM-DD, such as 2026-11-22") from None


# Events


def _event(args: argparse.Namespace, session: Session) -> None:
    if args.server is None:
        raise InputError("--event needs --server, because each server numbers its own events")
    key = EventKey(guild=GuildId(_number(args.server, "--server")), number=_number(args.event, "--event"))
    try:
        text = _csv(look(session, key))
    except Refused:
        raise InputError(f"server {key.guild} has no event {key.number}") from None
    if args.place == STDIN:
        print_line(text.rstrip("\n"))
    else:
        _write(Path(args.place), text)


def _csv(view: EventView) -> str:
    """Return one line per entrant, best first."""
    rows: list[Sequence[object]] = [COLUMNS]
    for line in view.lines:
        one = line.entrant
        told = (line.place, one.player, one.score, line.chips, one.hands, one.entries, one.prize, int(one.disqualified))
        rows.append(told)
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(rows)
    return file.getvalue()
