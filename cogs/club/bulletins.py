"""The morning post and the weekly recap: what managers choose for them, and recaps read again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from io import BytesIO

import discord
from discord.ext import commands

from bot.base.meter import Outcome
from bot.chat.client import Client
from bot.chat.club.posts.welcomes import words_of_server
from bot.chat.club.screens.posts.choices import PAGE, form_fields
from bot.chat.club.screens.posts.forms import HOURS, POST, Channels, number_in
from bot.chat.club.screens.posts.recap import RECAP_PICTURE, drawing_of, recap_screen
from bot.chat.kit.choice_page import Change, ChoiceError, PageState
from bot.chat.kit.choosing import answer_form, why_refused
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.form_terms import form_terms, overtaken
from bot.chat.kit.fragments import NOWHERE, as_typed_before, refused_form
from bot.chat.kit.gate import PressKind
from bot.chat.kit.modals import AnyField, modal
from bot.chat.kit.permissions_here import (
    chosen_channels,
    for_managers,
    known_ids,
    may_see,
    require_kept_in,
    tells_language,
)
from bot.chat.kit.presses import picked
from bot.chat.kit.reply import Reply, in_a_new_message
from bot.model.bulletins import WEEK_DAYS, Bulletin, Kind, Recap
from bot.model.refusals import Stale
from bot.pure.ofc.refusals import Refused
from bot.text.languages import LANGUAGES
from bot.text.zones import zone_of
from cogs.club.club_page import channels_of, show_posts, stand_in

OF_RECAP = ("po_day", "po_words")
"""Verbs of former controls that only the recap had."""


class BulletinChoices(commands.Cog):
    """What managers choose; it is posted by ``bot/chat/club/posts/bulletins.py``. And the recaps, for everybody."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        gate = bot.services.gate
        for verb, handler in {"po_form": self.ask, "po_formed": self.set_all}.items():
            gate.route(verb, for_managers(handler))
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

    # the club page and both posts at once

    async def _fields(self, reply: Reply) -> list[AnyField]:
        page = await self.services.bank.club_page(reply.guild)
        chosen = {kind: await self.services.bulletins.of(reply.guild, kind) for kind in Kind}
        language = await self._language(reply)
        server = await self.services.play.server(reply.guild)
        return form_fields(
            page,
            chosen,
            reply.words,
            known=known_ids(reply.interaction),
            zone=zone_of(server, LANGUAGES[language]) if language else await self._zone(reply),
        )

    async def _language(self, reply: Reply) -> str | None:
        """Return the language that posts get with the form; None for the one that Discord tells.

        If neither a manager nor Discord has told one, it's that of the manager who sends the form.
        """
        server = await self.services.play.server(reply.guild)
        return server.language or (None if tells_language(reply.interaction) else reply.words.language.code)

    async def ask(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Ask for all of it in one form; what was refused is still there."""
        now = await self._fields(reply)
        fields = as_typed_before(now, reply.pressed_texts, known=known_ids(reply.interaction))
        form = modal(NOWHERE.but("po_formed", terms=form_terms(now)), reply.words("posts.title"), fields)
        await reply.ask(form, again=NOWHERE.but("po_form"))

    async def set_all(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """What was ticked is posted in the channel, and what was not is posted nowhere any more."""
        fields = await self._fields(reply)
        if len(values) != len(fields):
            raise Stale
        problem = overtaken(press, fields, values, reply.words)
        channel, what = next(iter(chosen_channels(reply.interaction, picked(values[0]))), None), picked(values[1])
        hour, day = number_in(values[2], HOURS), number_in(values[3], range(WEEK_DAYS))
        try:
            if not problem and what:
                if channel is None:
                    raise ChoiceError("posts.no_channel")
                require_kept_in(reply.interaction, channel, reply.words)
        except (ChoiceError, Refused) as refused:
            problem = why_refused(refused, reply)
        if problem:
            reply.outcome = Outcome.REFUSED
            await reply.show_refused(refused_form(problem, fields, values, NOWHERE.but("po_form"), reply.words))
            return
        await self._speak(reply, await self._language(reply))
        stood = await self.services.bank.club_page(reply.guild)
        page = await stand_in(self.services, reply.guild, channel if PAGE in what else None)
        for kind in Kind:
            place = channel if kind.value in what else None

            def changed(before: Bulletin, place: int | None = place) -> Bulletin:
                after = replace(before, channel=place)
                after = after if hour is None else replace(after, hour=hour)
                return after if day is None else replace(after, weekday=day)

            await self._keep(reply, kind, changed)
        stays = page is not None and stood is not None and stood.channel == page.channel
        told = "posts.form_stays" if stays else "posts.form_done"
        await self._show(reply, "" if page is None else reply.words(told, channel=page.channel))

    async def _speak(self, reply: Reply, language: str | None) -> None:
        """The language of what everybody reads; a page that stands is written anew in it."""
        before = await self.services.play.server(reply.guild)
        if language == before.language:
            return
        server = await self.services.play.choose_for_server(reply.guild, lambda now: replace(now, language=language))
        await self.services.welcomes.redraw(reply.guild, server)
        self.services.club_pages.changed(reply.guild)

    async def _keep(self, reply: Reply, kind: Kind, change: Callable[[Bulletin], Bulletin]) -> None:
        """Change it, with the zone in which the server counts hours now."""
        zone = await self._zone(reply)
        await self.services.bulletins.change(reply.guild, kind, lambda before: replace(change(before), zone=zone))

    async def _zone(self, reply: Reply) -> str:
        guild, server = reply.interaction.guild, await self.services.play.server(reply.guild)
        language = reply.words.language if guild is None else words_of_server(guild, server).language
        return zone_of(server, language)

    # reading

    async def newest(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The newest recap."""
        await self._read(reply, 0)

    async def turn_page(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """An older one, or a newer; the newest for none."""
        await self._read(reply, press.hand)

    async def _read(self, reply: Reply, number: int) -> None:
        recap, last = await self.services.bulletins.numbered(reply.guild, number)
        drawn, told, following = b"", "", 0
        if recap is None:
            chosen = await self.services.bulletins.of(reply.guild, Kind.RECAP)
            following = chosen.next_after(self.services.publisher.now())
        if recap is not None and not may_see(reply.interaction, recap.channel):
            recap = recap.of_nobodys_table()
        if recap is not None and not reply.wishes.text_only:
            drawn, told = await self._drawn(reply, recap)
        names = self.services.faces.names
        file = discord.File(BytesIO(drawn), filename=RECAP_PICTURE) if drawn else None
        page = recap_screen(recap, last, reply.guild, reply.words, names, picture=told, following=following)
        await reply.show(page, file=file)

    async def _drawn(self, reply: Reply, recap: Recap) -> tuple[bytes, str]:
        """The picture and its description; nothing where the lines are told as text."""
        names, guild, words = self.services.faces.names, reply.guild, reply.words
        if not reply.interaction.app_permissions.attach_files:
            return b"", ""
        drawing = drawing_of(recap, guild, names, words)
        if drawing is None:
            return b"", ""
        return await self.services.pictures.draw(drawing, drawing.draw), drawing.told


def _kind(press: Press) -> Kind:
    """Return the post of a press; former controls of the recap alone named none."""
    return Kind.RECAP if press.argument == Kind.RECAP.value or press.verb in OF_RECAP else Kind.MORNING


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(BulletinChoices(bot))
