"""Finding a message that a previous process may have posted without storing its id."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import discord

from bot.chat.discord_patches.governor import posted_at
from bot.chat.kit.bot_permissions import reads_history
from bot.chat.kit.custom_ids import BUTTON_TEMPLATE, SELECT_TEMPLATE, Press, decode
from bot.chat.kit.kept_messages import remove
from bot.chat.kit.mentions import without_user_names
from bot.chat.kit.widgets import Screen
from bot.model.clock import MINUTE

log = logging.getLogger(__name__)

LOOKED_AT = 100
"""Number of newest messages in a channel to search. Discord returns this many per request."""
SAME_MS = 4 * MINUTE
"""Minimum time within which Discord recognises a repeated post. After that, the channel is searched for the message."""
SKEW_MS = 10_000
"""Maximum difference between Discord's clock and this machine's."""


async def posted_before(
    channel: discord.PartialMessageable,
    screen: Screen,
    me: discord.ClientUser | None,
    *,
    at: int,
    until: int,
    now: int,
) -> discord.Message | None:
    """Return a message with the texts of ``screen`` that was due at ``at`` (ms); None if there is none.

    A previous process, which ran ``until`` this one started, may have posted it without storing its id. The search
    happens only if Discord would no longer recognise a repeated post as the same message.
    """
    if now - at < SAME_MS or at - SKEW_MS >= until:
        return None
    after = datetime.fromtimestamp((at - SKEW_MS) / 1000, UTC)
    said = list(_texts(screen.to_components()))
    try:
        async for message in channel.history(limit=LOOKED_AT, after=after, oldest_first=False):
            own = me is not None and message.author.id == me.id and posted_at(message.id) < until
            if own and list(_texts(part.to_dict() for part in message.components)) == said:
                return message
    except discord.Forbidden as error:
        log.debug("channel %s cannot be read: %s", channel.id, error)
    return None


def _texts(parts: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for part in parts:
        if "content" in part:
            yield without_user_names(part["content"]).strip()
        yield from _texts(part.get("components", ()))


async def own_messages(
    channel: discord.PartialMessageable, client: discord.Client, is_it: Callable[[discord.Message], bool]
) -> list[int]:
    """Return the bot's newest messages in a channel that match ``is_it``; empty if the channel can't be read."""
    try:
        there = [message async for message in channel.history(limit=LOOKED_AT)]
    except discord.Forbidden as error:
        log.debug("channel %s cannot be read: %s", channel.id, error)
        return []
    me = client.user
    return [message.id for message in there if me is not None and message.author.id == me.id and is_it(message)]


async def single_message(
    channel: discord.PartialMessageable,
    client: discord.Client,
    noted: int | None,
    is_it: Callable[[discord.Message], bool],
) -> int | None:
    """Return the message in ``channel`` that matches ``is_it``, or None, and delete its duplicates.

    ``noted`` is preferred. There may be others if the bot stopped between posting a message and storing its id.
    """
    found = await own_messages(channel, client, is_it)
    standing = noted if noted in found or not found else found[0]
    for message in {*found, *filter(None, [noted])} - {standing}:
        await remove(channel.get_partial_message(message))
    return standing


async def find_posted(channel: discord.PartialMessageable, tag: str, *, since: int) -> int | None:
    """Return the message in a channel that has a button with ``tag`` and was posted since ``since`` (ms), or None.

    A previous process may have posted it. Raises Discord's errors.
    """
    after = datetime.fromtimestamp(since / 1000, UTC)
    async for message in channel.history(limit=3 * LOOKED_AT, after=after, oldest_first=False):
        if any(tag in (press.tag, press.argument) for press in presses_of(message)):
            return message.id
    return None


UNSURE_MS = 120_000
"""Time within which a repeated post counts as the same message. After that, a second message would appear."""
UNSEEN = 0
"""Placeholder id for a message that may exist but can't be read."""


async def find_sent(
    client: discord.Client, channel: discord.PartialMessageable, tag: str, *, since: int, now: int
) -> int | None:
    """Return the planned message that has a button with ``tag``; None if it still has to be posted.

    The message was due at ``since`` (ms). If the bot can't read the channel, a message that may exist isn't posted
    again, because a missing message is better than a duplicate.
    """
    if reads_history(client, channel.id):
        try:
            return await find_posted(channel, tag, since=since - MINUTE)
        except discord.NotFound:
            return None
        except discord.Forbidden as error:
            log.debug("channel %s cannot be read: %s", channel.id, error)
    return UNSEEN if now - since > UNSURE_MS else None


def presses_of(message: discord.Message) -> Iterator[Press]:
    """Yield the presses encoded in a message's buttons and menus."""
    for custom_id in custom_ids(message.components):
        if match := BUTTON_TEMPLATE.fullmatch(custom_id) or SELECT_TEMPLATE.fullmatch(custom_id):
            yield decode(match)


def custom_ids(components: Iterable[Any]) -> Iterator[str]:
    """Yield the custom ids of components, including nested ones."""
    for component in components:
        yield from filter(None, [getattr(component, "custom_id", None)])
        yield from custom_ids(getattr(component, "children", ()))
        yield from custom_ids(filter(None, [getattr(component, "accessory", None)]))
