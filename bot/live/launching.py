"""Opens the table's page inside Discord: the answer to a press, or to the command that Discord adds for it."""

from __future__ import annotations

import logging

import discord

from bot.live.table.open_panels import PageLinks
from bot.meter import Outcome
from bot.model.ids import TableId
from bot.ui.reply import Reply
from bot.ui.widgets import link

log = logging.getLogger(__name__)

SERVER_ERROR = 500
GONE = (10062, 40060)
"""Discord's numbers for an interaction that takes no answer any more, and for one that has its answer."""


async def launch(page_links: PageLinks, reply: Reply, table: TableId) -> None:
    """Launch the Activity for the one who pressed; where it can't be, the link of their own leads to the same page.

    A launch says nothing and is one for the whole channel: whose page it becomes there is told by Discord, and at which
    table is remembered here.
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
            # Such as 50231: the Activity is not for this kind of device.
            log.info("the Activity was not launched: %r", error)
            why = "activity.refused"
    reply.outcome = Outcome.REFUSED
    url = page_links.link(reply.guild, reply.player, reply.words.language.code, table=table)
    ways = [link(url, reply.words("button.open_page"))] if url else []
    await reply.say(reply.words(why), then=ways)
