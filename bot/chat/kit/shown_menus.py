"""Menus that open forms. In private messages, they're redrawn because Discord never sends the same choice twice.

Discord doesn't report that a form was closed, so its menu gets a new number when the form opens. This uses the token of
the interaction that showed the message, because the only possible response to the press is the form.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

import discord

from bot.chat.discord_patches.own_messages import edit_answer
from bot.chat.kit.widgets import MEDIA, SELECTS, Interaction, Part, Screen, number_in, walk

log = logging.getLogger(__name__)

FRESH_MS = 14 * 60_000
"""Maximum age of an interaction (ms). Its token can be used to edit its message for 15 minutes."""
MAX_REMEMBERED = 500
"""Maximum number of remembered messages."""


class ShownMenus:
    """The most recent private messages with menus, each with the interaction that it responded to."""

    def __init__(self) -> None:
        self._answered: dict[int, Interaction] = {}

    def note(self, message: int, interaction: Interaction, shown: Screen) -> None:
        """Remember the interaction that showed ``message``, if it has menus."""
        self._answered.pop(message, None)
        if not any(part["type"] in SELECTS for part in shown.walk()):
            return
        self._answered[message] = interaction
        if len(self._answered) > MAX_REMEMBERED:
            del self._answered[next(iter(self._answered))]

    async def draw_again(self, interaction: Interaction, parts: Sequence[Part]) -> None:
        """Give a message's menus new numbers after a choice in one of them opened a form."""
        message = interaction.message
        shown = self._answered.get(message.id) if message is not None else None
        data: Mapping[str, Any] = interaction.data or {}
        if shown is None or data.get("component_type") not in SELECTS or (interaction.id - shown.id) >> 22 > FRESH_MS:
            return
        if any(part["type"] in MEDIA for part in walk(parts)):
            return  # the message's files would have to be sent again
        try:
            await edit_answer(shown, renumbered(parts, interaction.id))
        except discord.HTTPException as error:
            log.debug("a message with a menu is gone: %s", error)


def renumbered(parts: Sequence[Part], drawing: int) -> Screen:
    """Return a message's parts as a screen whose menus are numbered for ``drawing``."""
    place = 0

    def anew(part: Part) -> Part:
        nonlocal place
        made: dict[str, Any] = {name: value for name, value in part.items() if name != "id"}
        if part["type"] in SELECTS:
            place += 1
            made["id"] = number_in(drawing, place)
        if "components" in part:
            made["components"] = [anew(one) for one in part["components"]]
        if "accessory" in part:
            made["accessory"] = anew(part["accessory"])
        return made

    return Screen([anew(part) for part in parts])
