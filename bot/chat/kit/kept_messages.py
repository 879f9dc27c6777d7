"""Messages that the bot keeps true: edited while they are young, posted again where they are gone or old."""

from __future__ import annotations

import logging

import aiohttp
import discord
from discord.http import Route

from bot.chat.kit.posting import file_of, post
from bot.chat.kit.reply import NO_PINGS
from bot.chat.kit.widgets import Screen
from bot.chat.library.governor import OLD_MS, edit_route, post_route, posted_at
from bot.chat.library.own_messages import edit

log = logging.getLogger(__name__)

FOUND_MS = 2_000
"""A message that is older when it is posted was posted before, and may show what was true then."""
UNKNOWN_CHANNEL = 10003
_THREAD_ARCHIVED = 50083


def way(channel: int, message: int | None, *, now: int, over: bool) -> Route | None:
    """The request that :func:`keep` sends to Discord first; None when it sends none."""
    if message is not None and (over or now - posted_at(message) < OLD_MS):
        return edit_route(channel, message)
    return None if over else post_route(channel)


async def keep(
    channel: discord.PartialMessageable,
    message: int | None,
    screen: Screen,
    *what: object,
    now: int,
    over: bool,
    mentions: discord.AllowedMentions = NO_PINGS,
    silent: bool = False,
    attached: tuple[str, bytes] | None = None,
    is_new: bool = False,
    stays: bool = False,
) -> int | None:
    """Show ``screen`` in the message with this id, or in a new one below the talk; ``now`` in milliseconds.

    ``what`` names a new one for Discord, together with the one that it replaces; ``mentions`` are those that it calls,
    without a sound where it is ``silent``. ``attached`` is the name and the bytes of a file, which is sent to a message
    that is there only where it ``is_new``.
    What ``stays`` is edited however old it is, and posted again where it is gone. What is ``over`` stays as well, and
    is not posted again. Returns the id of the message
    that shows it, None when none does. Raises NotFound with UNKNOWN_CHANNEL when the channel is gone, and whatever else
    Discord refuses.
    """
    shut: discord.PartialMessage | None = None
    if message is not None:
        partial_message = channel.get_partial_message(message)
        if over or stays or now - posted_at(message) < OLD_MS:
            try:
                await edit(partial_message, screen, file=file_of(attached) if is_new else None)
            except discord.NotFound as error:
                if error.code == UNKNOWN_CHANNEL:
                    raise
            except discord.HTTPException as error:
                # A thread that was archived takes no edits; a new message opens it again, and the old one goes then.
                if error.code != _THREAD_ARCHIVED:
                    raise
                shut = partial_message
            else:
                return message
        else:
            await remove(partial_message)
    if over:
        return None
    posted = await post(channel, screen, *what, message or 0, mentions=mentions, silent=silent, attached=attached)
    if now - posted_at(posted.id) > FOUND_MS:
        await edit(channel.get_partial_message(posted.id), screen, file=file_of(attached))
    if shut is not None:
        await remove(shut)
    return posted.id


async def stands(message: discord.PartialMessage) -> bool:
    """True when a message is known to be there. Raises NotFound with UNKNOWN_CHANNEL when the channel is gone."""
    try:
        await message.fetch()
    except discord.HTTPException as error:
        if error.code == UNKNOWN_CHANNEL:
            raise
        return False
    return True


async def remove(message: discord.PartialMessage) -> None:
    """Delete a message; that it cannot be deleted stops nothing."""
    try:
        await message.delete()
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        log.debug("a message was already gone: %s", error)
