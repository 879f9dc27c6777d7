"""The morning post and the weekly recap: the managers' forms, and past recaps to read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from io import BytesIO

import discord
from discord.ext import commands

from bot.chat.client import Client
from bot.chat.club.posts.welcomes import words_of_server
from bot.chat.club.screens.posts.all_posts import ALL_POSTS, PostsContext
from bot.chat.club.screens.posts.forms import POST, Channels
from bot.chat.club.screens.posts.recap import RECAP_PICTURE, build_drawing, recap_screen
from bot.chat.kit.choice_page import Change, PageState
from bot.chat.kit.choosing import answer_form
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.gate import PressKind
from bot.chat.kit.permissions_here import for_managers, may_see, tells_language
from bot.chat.kit.reply import Reply, in_a_new_message
from bot.chat.kit.widgets import Screen
from bot.model.bulletins import Bulletin, BulletinKind, Recap
from bot.model.posts import PAGE, Posts
from bot.text.languages import LANGUAGES
from bot.text.zones import zone_of
from cogs.club.club_page import channels_of, language_noted, moving, show_posts
from cogs.club.setup_page import drawn_setup, show_setup

OF_RECAP = ("po_day", "po_words")
"""Verbs of old controls that only the recap had."""


class BulletinChoices(commands.Cog):
    """The managers' forms for the bulletins, and the recaps for all members.

    ``bot/chat/club/posts/bulletins.py`` posts the bulletins.
    """

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        gate = bot.services.gate
        answer_form(
            ALL_POSTS, gate, state=self._all_state, keep=self._keep_all, show=self._show_all, guard=for_managers
        )
        answer_form(POST, gate, state=self._state, keep=self._keep_post, show=self._show, guard=for_managers)
        gate.route("recaps", in_a_new_message(self.newest), kind=PressKind.DRAWN)
        gate.route("recap_page", self.turn_page, kind=PressKind.DRAWN)

    # choosing

    async def _show(self, reply: Reply, told: str = "") -> None:
        await show_posts(self.services, reply, told)

    async def _state(self, reply: Reply, press: Press) -> PageState[Bulletin, Channels]:
        bulletin = await self.services.bulletins.of(reply.guild, _kind(press))
        return PageState(record=bulletin, context=channels_of(reply), words=reply.words)

    async def _keep_post(self, reply: Reply, press: Press, change: Change[Bulletin]) -> None:
        await self._keep(reply, _kind(press), change)

    # the form for the club page and both posts

    async def _all_state(self, reply: Reply, press: Press) -> PageState[Posts, PostsContext]:
        channels, zone = channels_of(reply), await self._zone_of_form(reply)
        context = PostsContext(zone=zone, known=channels.known, require=channels.require)
        posts = await self.services.bulletins.all_posts(reply.guild)
        return PageState(record=posts, context=context, words=reply.words)

    async def _language(self, reply: Reply) -> str | None:
        """Return the language that the form sets for posts; None for Discord's.

        If neither a manager nor Discord has set one, it's the language of the manager who submits the form.
        """
        server = await self.services.play.server(reply.guild)
        return server.language or (None if tells_language(reply.interaction) else reply.words.language.code)

    async def _zone_of_form(self, reply: Reply) -> str:
        """Return the time zone that the form sets for posts."""
        language = await self._language(reply)
        server = await self.services.play.server(reply.guild)
        return zone_of(server, LANGUAGES[language]) if language else await self._zone(reply)

    async def _keep_all(self, reply: Reply, press: Press, change: Change[Posts]) -> Screen:
        """Apply the ticked posts to the channel, turn off the others, and return the page of `/setup`."""
        bulletins, guild = self.services.bulletins, reply.guild
        # Refuse before changing anything. The transaction checks again.
        wanted = change(await bulletins.all_posts(guild))
        stood, zone = await self.services.bank.club_page(guild), await self._zone_of_form(reply)
        async with moving(self.services, guild, stood, to=wanted.channel if PAGE in wanted.standing else None):
            page = await bulletins.choose_posts(guild, change, zone=zone)
        await self._speak(reply, await self._language(reply))
        stays = page is not None and stood is not None and stood.channel == page.channel
        key = "posts.form_stays" if stays else "posts.form_done"
        told = "" if page is None else reply.words(key, channel=page.channel)
        noted = await language_noted(reply, self.services)
        told = "\n".join(filter(None, [told, noted]))
        return await drawn_setup(self.services, reply, told=told, after=ALL_POSTS.title)

    async def _show_all(self, reply: Reply, problem: str) -> None:
        await show_setup(self.services, reply, told=problem)

    async def _speak(self, reply: Reply, language: str | None) -> None:
        """Set the language of public messages, and redraw the welcome and the club page in it."""
        before = await self.services.play.server(reply.guild)
        if language == before.language:
            return
        server = await self.services.play.choose_for_server(reply.guild, lambda now: replace(now, language=language))
        await self.services.welcomes.redraw(reply.guild, server)
        self.services.club_pages.changed(reply.guild)

    async def _keep(self, reply: Reply, kind: BulletinKind, change: Callable[[Bulletin], Bulletin]) -> None:
        """Change a bulletin, together with the server's current time zone."""
        zone = await self._zone(reply)
        await self.services.bulletins.change(reply.guild, kind, lambda before: replace(change(before), zone=zone))

    async def _zone(self, reply: Reply) -> str:
        guild, server = reply.interaction.guild, await self.services.play.server(reply.guild)
        language = reply.words.language if guild is None else words_of_server(guild, server).language
        return zone_of(server, language)

    # reading

    async def newest(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the newest recap."""
        await self._read(reply, 0)

    async def turn_page(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show an older or newer recap, or the newest one if the press has no number."""
        await self._read(reply, press.hand)

    async def _read(self, reply: Reply, number: int) -> None:
        recap, last = await self.services.bulletins.numbered(reply.guild, number)
        drawn, told, following = b"", "", 0
        if recap is None:
            chosen = await self.services.bulletins.of(reply.guild, BulletinKind.RECAP)
            following = chosen.next_after(self.services.publisher.now())
        if recap is not None and not may_see(reply.interaction, recap.channel):
            recap = recap.of_nobodys_table()
        if recap is not None and not reply.member_settings.text_only:
            drawn, told = await self._drawn(reply, recap)
        names = self.services.faces.names
        file = discord.File(BytesIO(drawn), filename=RECAP_PICTURE) if drawn else None
        page = recap_screen(recap, last, reply.guild, reply.words, names, picture=told, following=following)
        await reply.show(page, file=file)

    async def _drawn(self, reply: Reply, recap: Recap) -> tuple[bytes, str]:
        """Return the picture and its description; both empty if the lines are shown as text."""
        names, guild, words = self.services.faces.names, reply.guild, reply.words
        if not reply.interaction.app_permissions.attach_files:
            return b"", ""
        drawing = build_drawing(recap, guild, names, words)
        if drawing is None:
            return b"", ""
        return await self.services.pictures.draw(drawing, drawing.draw), drawing.told


def _kind(press: Press) -> BulletinKind:
    """Return the kind of post that a press is about. The recap's old controls didn't say."""
    return (
        BulletinKind.RECAP
        if press.argument == BulletinKind.RECAP.value or press.verb in OF_RECAP
        else BulletinKind.MORNING
    )


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(BulletinChoices(bot))
