"""The doctor: which permissions the bot lacks in a channel, what that costs, and how it is mended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import discord

from bot.text.words import Words
from bot.ui.bot_permissions import (
    NEEDED,
    NEEDED_FOR_THREADS,
    NEEDED_IN_THREAD,
    OF_SERVER,
    Permission,
    labels_of,
    missing,
)
from bot.ui.fragments import FOUL_COLOUR, QUIET_COLOUR, TABLE_COLOUR
from bot.ui.server.setup import HOME
from bot.ui.widgets import Part, Screen, apart, button, channel_select, rows_of, screen


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkup:
    """A channel that was looked at."""

    channel: int
    in_thread: bool
    threads: bool
    """True where the server plays in threads."""
    allowed: discord.Permissions | None
    """What the bot may do there; None where that is not known."""
    bot: str
    """The bot's name."""
    invitation: str
    """The address at which the bot is given the permissions of the whole server."""


def doctor_screen(checkup: Checkup, words: Words) -> Screen:
    """Each permission that is missing, and below them those that are there."""
    title = f"### {words('doctor.title', channel=f'<#{checkup.channel}>')}"
    if checkup.allowed is None:
        fault = words("doctor.unknown", names=labels_of(NEEDED, words), bot=checkup.bot)
        return screen(title, fault, *_ways(checkup, words), colour=FOUL_COLOUR)
    lacking = missing(checkup.allowed)
    needed = NEEDED_IN_THREAD if checkup.in_thread else NEEDED + NEEDED_FOR_THREADS if checkup.threads else NEEDED
    given = [permission for permission in Permission if permission not in lacking]
    told = [
        title,
        *[_fault(permission, words, needed=permission in needed) for permission in lacking],
        *_mended(lacking, checkup, words),
        *([words("doctor.given", names=labels_of(given, words))] if lacking and given else []),
        *([] if lacking else [words("doctor.well")]),
    ]
    return screen(
        *apart(told),
        *_ways(checkup, words),
        colour=FOUL_COLOUR if {*lacking} & {*needed} else QUIET_COLOUR if lacking else TABLE_COLOUR,
    )


def _fault(permission: Permission, words: Words, *, needed: bool) -> str:
    name = permission.value
    return words(
        "doctor.needed" if needed else "doctor.useful",
        name=words(f"permission.{name}"),
        use=words(f"permission_use.{name}"),
        cost=words(f"permission_cost.{name}"),
    )


def _mended(lacking: Sequence[Permission], checkup: Checkup, words: Words) -> list[str]:
    """How they are given in this channel, and in the whole server."""
    here = [permission for permission in lacking if permission not in OF_SERVER]
    lines = []
    if here:
        lines.append(words("doctor.in_channel", bot=checkup.bot, names=labels_of(here, words)))
    if lacking:
        names = labels_of(lacking, words)
        lines.append(words("doctor.in_server", bot=checkup.bot, names=names, link=checkup.invitation))
    return lines


def _ways(checkup: Checkup, words: Words) -> list[Part]:
    again = channel_select(HOME.but("su_check"), chosen=[checkup.channel], placeholder=words("doctor.another"))
    return [again, *rows_of([button(HOME, words("setup.back"))])]
