"""Posting a message only once, even if the response to the request was lost."""

from __future__ import annotations

import hashlib
import logging
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO

import discord

from bot.chat.kit.reply import NO_PINGS, UNKNOWN_MESSAGE
from bot.chat.kit.widgets import Screen
from bot.model.ids import is_computer, is_pseudonym

log = logging.getLogger(__name__)
NONCE_BYTES = 18
"""Length of a nonce. It's encoded as 24 characters, and Discord's limit is 25."""


def calling(players: Iterable[str], *, role: int | None = None) -> discord.AllowedMentions:
    """Return the allowed mentions with which a new message notifies ``players`` and ``role``.

    The message's text has to mention them as well. Computers and deleted players are left out.
    """
    people = [player for player in players if not (is_computer(player) or is_pseudonym(player))]
    return discord.AllowedMentions(
        everyone=False,
        users=[discord.Object(int(player)) for player in people],
        roles=[] if role is None else [discord.Object(role)],
        replied_user=False,
    )


def nonce_for(channel: int, *what: object) -> str:
    """Return the nonce that identifies a message for Discord.

    For a few minutes, Discord treats a message with the same author and nonce as an earlier one as that message, in any
    channel. So ``what`` must distinguish all messages: by server, table, hand, kind, page, and replaced message.
    """
    text = "\x1f".join(map(str, (channel, *what)))
    digest = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=NONCE_BYTES).digest()
    return urlsafe_b64encode(digest).decode()


async def post(
    channel: discord.PartialMessageable,
    screen: Screen,
    *what: object,
    mentions: discord.AllowedMentions = NO_PINGS,
    silent: bool = False,
    attached: tuple[str, bytes] | None = None,
) -> discord.Message:
    """Post the message that ``what`` identifies, or return it if it was posted a moment ago. Raises Discord's errors.

    If it has been deleted since, it's posted again. ``attached`` is a file's name and bytes.
    """

    async def send(nonce: str | int) -> discord.Message:
        file = build_file(attached)
        files = [file] if file else []
        return await channel.send(view=screen, allowed_mentions=mentions, silent=silent, files=files, nonce=nonce)

    try:
        return await send(nonce_for(channel.id, *what))
    except discord.NotFound as error:
        if error.code != UNKNOWN_MESSAGE:
            raise
        return await send(secrets.randbits(64))


@contextmanager
def drop_if_refused(whose: str, *refusals: type[discord.HTTPException]) -> Iterator[None]:
    """Log and drop a message if Discord refuses it with one of ``refusals``, because retries would fail too."""
    try:
        yield
    except refusals as error:
        log.warning("a message of %s was dropped: %s", whose, error)


def build_file(attached: tuple[str, bytes] | None) -> discord.File | None:
    return discord.File(BytesIO(attached[1]), filename=attached[0]) if attached else None
