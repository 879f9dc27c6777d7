"""The managers' form for a server's club page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial

from discord.ext import commands

from bot.chat.client import Client
from bot.chat.club.posts.welcomes import words_of_server
from bot.chat.club.screens.posts.choices import PostsPage, posts_screen
from bot.chat.club.screens.posts.forms import CLUB_PAGE, Channels
from bot.chat.kit.choice_page import Change, PageState
from bot.chat.kit.choosing import answer_form
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.permissions_here import allowed_in, for_managers, require_kept_in
from bot.chat.kit.reply import Reply
from bot.chat.services import Services
from bot.model.bulletins import BulletinKind
from bot.model.ids import GuildId
from bot.model.standings import ClubPage

NOWHERE = ClubPage(channel=0)
"""A page that hasn't been posted."""


async def language_noted(reply: Reply, services: Services) -> str:
    """Return a note if public messages aren't in the reader's language and no manager has chosen their language."""
    guild, server = reply.interaction.guild, await services.play.server(reply.guild)
    if guild is None or server.language is not None:
        return ""
    spoken = words_of_server(guild, server)
    if spoken.language is reply.words.language:
        return ""
    return reply.words("posts.in_another", language=spoken("setup.own_language"))


async def show_posts(services: Services, reply: Reply, told: str = "") -> None:
    """Show the settings of the club page and both posts. ``told`` is the result of the last choice."""
    page = await services.bank.club_page(reply.guild)
    allowed = None if page is None else allowed_in(reply.interaction, page.channel)
    shown = PostsPage(
        page=page,
        bulletins={kind: await services.bulletins.of(reply.guild, kind) for kind in BulletinKind},
        now=services.publisher.now(),
        pins=allowed is not None and allowed.pin_messages,
    )
    told = "\n".join(filter(None, [told, await language_noted(reply, services)]))
    await reply.show(posts_screen(shown, reply.words, told=told))


def channels_of(reply: Reply) -> Channels:
    """Return the server's channels, for forms about posts."""
    guild = reply.interaction.guild
    known = frozenset(() if guild is None else (channel.id for channel in guild.channels))
    return Channels(known=known, require=partial(require_kept_in, reply.interaction, words=reply.words))


class ClubPageChoices(commands.Cog):
    """The managers' form for the club page, which ``bot/chat/club/posts/club_pages.py`` posts."""

    def __init__(self, bot: Client) -> None:
        self.services = bot.services
        gate = bot.services.gate
        for verb in ("club", "posts"):
            gate.route(verb, for_managers(self.show))
        answer_form(CLUB_PAGE, gate, state=self._state, keep=self._keep, show=self._show, guard=for_managers)

    async def show(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the choices from `/setup`."""
        await self._show(reply)

    async def _show(self, reply: Reply, told: str = "") -> None:
        await show_posts(self.services, reply, told)

    async def _state(self, reply: Reply, press: Press) -> PageState[ClubPage, Channels]:
        page = await self.services.bank.club_page(reply.guild)
        return PageState(record=page or NOWHERE, context=channels_of(reply), words=reply.words)

    async def _keep(self, reply: Reply, press: Press, change: Change[ClubPage]) -> None:
        """Apply the change and move the page to its channel, which also shows it again.

        Without a channel, it stays off.
        """
        before = await self.services.bank.club_page(reply.guild)
        wanted = change(before or NOWHERE)

        def changed(page: ClubPage | None) -> ClubPage | None:
            after = change(page or NOWHERE)
            if not after.channel:
                return None
            moved = page is None or after.channel != page.channel
            return replace(after, message=None) if moved else after

        async with moving(self.services, reply.guild, before, to=wanted.channel or None):
            await self.services.bank.change_club_page(reply.guild, changed)


@asynccontextmanager
async def moving(services: Services, guild: GuildId, page: ClubPage | None, *, to: int | None) -> AsyncIterator[None]:
    """Delete a page that is moving to another channel, and show it again once the change is recorded.

    The message is deleted first. If the process ends before the change is recorded, or if the change is refused, the
    page is posted again in its old channel.
    """
    if page is not None and page.channel != to:
        await services.club_pages.take_away(page)
    try:
        yield
    finally:
        services.club_pages.changed(guild)


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(ClubPageChoices(bot))
