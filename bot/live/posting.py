"""Posting: what is posted once more because nobody knows whether it was posted is the message that stands.

What the bot posts by itself and keeps is looked for at each sweep, and seen to one by one in tasks of their own.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from io import BytesIO
from typing import Any, Generic, TypeVar

import aiohttp
import discord
from discord.http import Route

from bot.live.library.governor import OLD_MS, edit_route, important, post_route, posted_at
from bot.live.library.limits import Importance
from bot.live.library.own_messages import edit
from bot.model.clock import MINUTE
from bot.model.ids import TableId, TableKey, is_computer, is_gone
from bot.model.tables import Table
from bot.play.look.views import TableView
from bot.ui.bot_permissions import reads_history
from bot.ui.custom_ids import BUTTON_TEMPLATE, Press, decode
from bot.ui.mentions import without_user_names
from bot.ui.reply import NO_PINGS, UNKNOWN_MESSAGE
from bot.ui.widgets import Screen

log = logging.getLogger(__name__)
T = TypeVar("T")

LOOKED_AT = 100
"""Messages of a channel, the newest: Discord gives so many at once."""
NONCE_BYTES = 18
"""They make 24 characters; Discord takes 25."""


def calling(players: Iterable[str], *, role: int | None = None) -> discord.AllowedMentions:
    """The mentions that let a new message notify these players and a role. It must mention them too: that alone
    notifies nobody.

    Computers and people whose data were deleted are left out.
    """
    people = [player for player in players if not (is_computer(player) or is_gone(player))]
    return discord.AllowedMentions(
        everyone=False,
        users=[discord.Object(int(player)) for player in people],
        roles=[] if role is None else [discord.Object(role)],
        replied_user=False,
    )


def nonce_of(channel: int, *what: object) -> str:
    """The name of a message for Discord.

    For some minutes a message with the nonce of another one, by the same author and in whatever channel, is that
    other one. So ``what`` tells apart all that are not the same: server, table, hand, kind, page, and what it replaces.
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
    """Post the message that ``what`` names, or find it where it was posted a moment ago; raises what Discord refuses.

    One that was posted and is gone by now is posted again. ``attached`` is the name and the bytes of a file.
    """

    async def send(nonce: str | int) -> discord.Message:
        file = _file(attached)
        files = [file] if file else []
        return await channel.send(view=screen, allowed_mentions=mentions, silent=silent, files=files, nonce=nonce)

    try:
        return await send(nonce_of(channel.id, *what))
    except discord.NotFound as error:
        if error.code != UNKNOWN_MESSAGE:
            raise
        return await send(secrets.randbits(64))


SAME_MS = 4 * MINUTE
"""For so long at least Discord knows what is posted twice as the same message; later it has to be looked for."""
SKEW_MS = 10_000
"""Discord's clock and the machine's may differ by so much."""


async def posted_before(
    channel: discord.PartialMessageable,
    screen: Screen,
    me: discord.ClientUser | None,
    *,
    at: int,
    until: int,
    now: int,
) -> discord.Message | None:
    """The message that says what ``screen`` does, and has waited since ``at`` (ms); None where there is none.

    A process before this one, ``until`` this one came, may have posted it and not noted that. It is looked for only
    where Discord would not know the two for the same by now.
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


class Outbox(Generic[T]):
    """Messages that wait to be posted: each is sent once, also when that it was sent cannot be noted at once."""

    def __init__(self, noted: Callable[[int, T], Awaitable[None]]) -> None:
        self._noted = noted
        """Notes that the message with this number was posted, and what sending it has given."""
        self._sent: dict[int, T] = {}
        """The answers of what was sent and not noted yet, by their numbers."""

    async def post(self, number: int, send: Callable[[], Awaitable[T]]) -> None:
        """Send the message with this number, unless that was done, and note it. What ``send`` raises is raised here."""
        if number not in self._sent:
            self._sent[number] = await send()
        await self._noted(number, self._sent[number])
        self._sent.pop(number, None)


@contextmanager
def dropped(whose: str, *refusals: type[discord.HTTPException]) -> Iterator[None]:
    """Give a message up that Discord refuses in one of these ways: it would refuse it again."""
    try:
        yield
    except refusals as error:
        log.warning("a message of %s was dropped: %s", whose, error)


# A message that the bot keeps true: it is edited while it is young, and posted again when it is gone or old.

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
                await edit(partial_message, screen, file=_file(attached) if is_new else None)
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
        await edit(channel.get_partial_message(posted.id), screen, file=_file(attached))
    if shut is not None:
        await remove(shut)
    return posted.id


def _file(attached: tuple[str, bytes] | None) -> discord.File | None:
    return discord.File(BytesIO(attached[1]), filename=attached[0]) if attached else None


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


# After a start: messages that no row names are taken away, and a table's own message is looked for.

VERBS = frozenset(("join", "leave", "start", "add_computer", "hand", "stay"))
"""The buttons of tables and calls: no other message in a channel has them."""


class Orphans:
    """Looks once for each table after a start, when what was posted is noted again, and takes orphans away."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self.unseen: set[TableKey] = set()
        """The tables that are still to be looked at."""
        self._oldest_own = 0
        """Anything that this process posts has a greater id."""
        self._seen: dict[int, asyncio.Task[Mapping[int, frozenset[TableId]]]] = {}
        """The bot's messages in a channel, and of which tables each is. It is read once, whoever waits for it."""

    def look_for(self, tables: Iterable[TableKey], *, now: int) -> None:
        """Look at these tables once each is drawn; ``now`` is when the process started, in milliseconds."""
        self.unseen = set(tables)
        self._oldest_own = discord.utils.time_snowflake(datetime.fromtimestamp(now / 1000, UTC))

    async def look(self, view: TableView) -> bool:
        """Delete what shows or calls to the table and is not what its row names.

        False when the message that its row names is not known to stand: it is gone, or too far up to be seen.
        """
        table = view.table
        self.unseen.discard(table.key)
        places = {table.channel, view.home}
        seen = {place: await self._messages(self._place(table, place)) for place in places}
        if not self.unseen:
            self._seen.clear()
        named = {table.message, table.retired, table.call}
        for place, messages in seen.items():
            for message, tables in messages.items():
                if table.key.table in tables and message not in named and message < self._oldest_own:
                    log.info("an orphaned message of table %s/%s is removed", table.key.guild, table.key.table)
                    with important(Importance.CLEANUP):
                        await remove(self._place(table, place).get_partial_message(message))
        return table.message is None or table.message in seen[table.channel]

    def _place(self, table: Table, channel: int) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(channel, guild_id=table.key.guild)

    def _messages(self, channel: discord.PartialMessageable) -> asyncio.Task[Mapping[int, frozenset[TableId]]]:
        if channel.id not in self._seen:
            with important(Importance.REDRAW):
                self._seen[channel.id] = asyncio.create_task(self._read(channel))
        return self._seen[channel.id]

    async def _read(self, channel: discord.PartialMessageable) -> Mapping[int, frozenset[TableId]]:
        try:
            found = [message async for message in channel.history(limit=LOOKED_AT)]
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.debug("channel %s cannot be read: %s", channel.id, error)
            return {}
        me = self._client.user.id if self._client.user else 0
        return {message.id: _tables_of(message) for message in found if message.author.id == me}


def _tables_of(message: discord.Message) -> frozenset[TableId]:
    return frozenset(press.table for press in presses_of(message) if press.verb in VERBS)


async def own_messages(
    channel: discord.PartialMessageable, client: discord.Client, is_it: Callable[[discord.Message], bool]
) -> list[int]:
    """The bot's newest messages of a channel of which something is true; none where the channel can't be read."""
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
    """Return the message in ``channel`` that ``is_it`` recognises, or None, and delete its duplicates.

    ``noted`` is preferred. A different one is found if the bot stopped between posting a message and storing its id.
    """
    found = await own_messages(channel, client, is_it)
    standing = noted if noted in found or not found else found[0]
    for message in {*found, *filter(None, [noted])} - {standing}:
        await remove(channel.get_partial_message(message))
    return standing


async def find_posted(channel: discord.PartialMessageable, tag: str, *, since: int) -> int | None:
    """The message of a channel that a button marks, posted since then (ms); None where there is none.

    A process before this one may have posted it. Raises what Discord refuses.
    """
    after = datetime.fromtimestamp(since / 1000, UTC)
    async for message in channel.history(limit=3 * LOOKED_AT, after=after, oldest_first=False):
        if any(tag in (press.tag, press.argument) for press in presses_of(message)):
            return message.id
    return None


UNSURE_MS = 120_000
"""For so long one that may have arrived is posted again as the same message; later it would be a second one."""
UNSEEN = 0
"""In place of the id of a message that may stand and can't be seen."""


async def find_sent(
    client: discord.Client, channel: discord.PartialMessageable, tag: str, *, since: int, now: int
) -> int | None:
    """The message that a button marks, of which it was noted that it would be posted; None where it is to be posted.

    It was due ``since`` then (ms). Where the bot can't read what stands there, one that may stand is not posted again:
    rather none than two.
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
    """What the buttons of a message carry."""
    return map(decode, filter(None, map(BUTTON_TEMPLATE.fullmatch, custom_ids(message.components))))


def custom_ids(components: Iterable[Any]) -> Iterator[str]:
    """The custom ids of a message's components, also of those within others."""
    for component in components:
        yield from filter(None, [getattr(component, "custom_id", None)])
        yield from custom_ids(getattr(component, "children", ()))
        yield from custom_ids(filter(None, [getattr(component, "accessory", None)]))
