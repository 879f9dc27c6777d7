"""Launching the Activity, the table's page inside Discord."""

from __future__ import annotations

import logging

import discord

from bot.base.meter import InteractionOutcome
from bot.chat.discord_patches.errors import SERVER_ERROR
from bot.chat.kit.reply import Reply
from bot.chat.kit.widgets import link
from bot.chat.table.posts.open_panels import PageLinks
from bot.model.ids import TableId

log = logging.getLogger(__name__)

GONE = (10062, 40060)
"""Discord's error codes for an interaction that has expired, and for one that already has a response."""


async def launch(page_links: PageLinks, reply: Reply, table: TableId) -> None:
    """Launch the Activity for the player who pressed the button, or respond with their own link if that fails.

    A launch carries no data, and is shared by the whole channel. Discord identifies the player on the page, and
    ``page_links`` remembers the table.
    """
    why = "activity.off"
    if page_links.inside is not None:
        page_links.launched(reply.guild, reply.player, table)
        try:
            if await reply.launch():
                return
            why = "activity.late"
        except discord.HTTPException as error:
            if error.status >= SERVER_ERROR or error.code in GONE:
                raise
            # One example is 50231, if the device can't open Activities.
            log.info("the Activity was not launched: %r", error)
            why = "activity.refused"
    reply.outcome = InteractionOutcome.REFUSED
    url = page_links.link(reply.guild, reply.player, reply.words.language.code, table=table)
    ways = [link(url, reply.words("button.open_page"))] if url else []
    await reply.say(reply.words(why), then=ways)
