"""A player's stored data, on a screen and as a file, and the confirmation before deleting it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from discord import ButtonStyle

from bot.chat.kit.fragments import FOUL_COLOUR, NOWHERE, QUIET_COLOUR
from bot.chat.kit.widgets import Part, Screen, apart, button, button_rows, file_part, screen
from bot.model.ids import GuildId
from bot.model.privacy import REMEMBERED_DAYS, BlockerKind, DeletionBlocker, StoredData
from bot.text.words import Words

MAX_BLOCKERS = 10
"""Maximum number of deletion blockers that are listed. The others are counted."""
MAX_BYTES = 8_000_000
"""Maximum size of an uncompressed file. Larger files are compressed, because Discord's limit is ten megabytes."""
MAX_EXACT_NUMBER = 2**53
"""From this number on, numbers are written as strings, because many programs would round them."""


def privacy_screen(words: Words) -> Screen:
    """Show which data is stored, who can see it, and that chips have no value, with buttons to export or delete."""
    parts = [words(f"privacy.{part}") for part in ("kept", "seen", "chips", "more")]
    buttons = [
        button(NOWHERE.but("own_export"), words("privacy.button.export"), style=ButtonStyle.primary),
        button(NOWHERE.but("own_ask"), words("privacy.button.ask")),
    ]
    return screen(f"### {words('privacy.title')}", *apart(parts), *button_rows(buttons), colour=QUIET_COLOUR)


def exported_screen(filename: str, words: Words, *, empty: bool) -> Screen:
    """Draw the exported file with an explanation."""
    return screen(words("privacy.nothing" if empty else "privacy.exported"), file_part(filename), colour=QUIET_COLOUR)


def ask_screen(blockers: Sequence[DeletionBlocker], here: GuildId, words: Words) -> Screen:
    """Draw what a deletion removes and what remains, or the ``blockers`` to resolve first."""
    if blockers:
        lines = [
            words("privacy.first"),
            *(f"- {_blocker_text(blocker, here, words)}" for blocker in blockers[:MAX_BLOCKERS]),
        ]
        if len(blockers) > MAX_BLOCKERS:
            lines.append(words("privacy.more_ties", count=len(blockers) - MAX_BLOCKERS))
        again = button(NOWHERE.but("own_ask"), words("privacy.button.look_again"))
        return screen(
            f"### {words('privacy.not_yet_title')}", "\n".join(lines), *button_rows([again]), colour=QUIET_COLOUR
        )
    parts = [words(f"privacy.{part}") for part in ("goes", "stays", "beyond")]
    parts.append(words("privacy.back", days=REMEMBERED_DAYS))
    buttons: list[Part] = [
        button(NOWHERE.but("own_delete"), words("privacy.button.delete"), style=ButtonStyle.danger),
        button(NOWHERE.but("own_export"), words("privacy.button.export")),
        button(NOWHERE.but("own_keep"), words("privacy.button.keep")),
    ]
    return screen(f"### {words('privacy.ask_title')}", *apart(parts), *button_rows(buttons), colour=FOUL_COLOUR)


def _blocker_text(blocker: DeletionBlocker, here: GuildId, words: Words) -> str:
    if blocker.kind is BlockerKind.DAILY:
        return words("privacy.tie.daily")
    text = words(f"privacy.tie.{blocker.kind.value}", number=blocker.number)
    return text if blocker.guild == here else words("privacy.tie.elsewhere", tie=text)


def done_screen(words: Words, *, deleted: bool) -> Screen:
    """Draw the answer after the user's decision."""
    return screen(words("privacy.deleted" if deleted else "privacy.unchanged"), colour=QUIET_COLOUR)


# the file


def data_file(kept: StoredData, player: str, words: Words, *, now_ms: int) -> tuple[str, bytes]:
    """Return a file of all stored data, and its name. Each kind of row is explained in the reader's language."""
    kinds = dict.fromkeys(kind for rows in (*kept.servers.values(), kept.everywhere) for kind in rows)
    document = {
        "about": words("privacy.file"),
        "player": player,
        "made_at": _time(now_ms),
        "explained": {kind: words(f"privacy.told.{kind}") for kind in kinds},
        "servers": {str(guild): _plain(rows) for guild, rows in kept.servers.items()},
        "everywhere": _plain(kept.everywhere),
    }
    data = json.dumps(document, ensure_ascii=False, indent=1).encode()
    name = "chaipo-my-data.json"
    return (name, data) if len(data) <= MAX_BYTES else (f"{name}.gz", gzip.compress(data, mtime=0))


def _plain(rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    return {
        kind: [{name: _value(name, value) for name, value in row.items()} for row in some]
        for kind, some in rows.items()
    }


def _value(name: str, value: object) -> object:
    if type(value) is not int:
        return value
    if name == "at" or name.endswith("_at") or (name in ("since", "until") and value):
        return _time(value)
    return str(value) if value >= MAX_EXACT_NUMBER else value


def _time(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="seconds")
