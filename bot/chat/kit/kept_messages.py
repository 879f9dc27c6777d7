"""Messages that the bot keeps up to date. Recent ones are edited, and deleted or old ones are posted again."""

from __future__ import annotations

import logging

import aiohttp
import discord
from discord.http import Route

from bot.chat.discord_patches.governor import OLD_MS, edit_route, post_route, posted_at
from bot.chat.discord_patches.own_messages import edit
from bot.chat.kit.posting import build_file, post
from bot.chat.kit.reply import NO_PINGS
from bot.chat.kit.widgets import Screen

log = logging.getLogger(__name__)

FOUND_MS = 2_000
"""Age above which a message returned for a new post is an earlier one, so its contents may be outdated (ms)."""
UNKNOWN_CHANNEL = 10003
_THREAD_ARCHIVED = 50083


def way(channel: int, message: int | None, *, now: int, over: bool, stays: bool = False) -> Route | None:
    """Return the first request that :func:`keep` sends to Discord; None if it sends none."""
    if message is not None and (over or stays or now - posted_at(message) < OLD_MS):
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
    """Show ``screen`` in ``message``, or in a new message at the end of the channel. ``now`` is in ms.

    ``what`` and the replaced message identify a new message for Discord. ``mentions`` are its pings, which make no
    sound if it's ``silent``. ``attached`` is a file's name and bytes. An existing message gets the file only if
    ``is_new``.

    With ``stays``, a message is edited regardless of its age, and posted again if it was deleted. With ``over``, it's
    edited in the same way, but never posted again.

    Returns the id of the message with the screen; None if there is none. Raises NotFound with UNKNOWN_CHANNEL if the
    channel was deleted, and other errors from Discord.
    """
    shut: discord.PartialMessage | None = None
    if message is not None:
        partial_message = channel.get_partial_message(message)
        if over or stays or now - posted_at(message) < OLD_MS:
            try:
                await edit(partial_message, screen, file=build_file(attached) if is_new else None)
            except discord.NotFound as error:
                if error.code == UNKNOWN_CHANNEL:
                    raise
            except discord.HTTPException as error:
                # Messages in an archived thread can't be edited. A new message reopens it, and then the old one is
                # deleted.
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
        await edit(channel.get_partial_message(posted.id), screen, file=build_file(attached))
    if shut is not None:
        await remove(shut)
    return posted.id


async def message_exists(message: discord.PartialMessage) -> bool:
    """True if the message is known to exist. Raises NotFound with UNKNOWN_CHANNEL if the channel was deleted."""
    try:
        await message.fetch()
    except discord.HTTPException as error:
        if error.code == UNKNOWN_CHANNEL:
            raise
        return False
    return True


async def remove(message: discord.PartialMessage) -> None:
    """Delete a message, ignoring errors."""
    try:
        await message.delete()
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        log.debug("a message was already gone: %s", error)
