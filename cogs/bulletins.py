"""The morning post and the weekly recap: what managers choose for them, and `/recap`, which shows recaps again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from io import BytesIO

import discord
from discord import app_commands
from discord.ext import commands

from bot.live.client import Client
from bot.live.welcomes import words_of_server
from bot.meter import Outcome
from bot.model.bulletins import WEEK_DAYS, Bulletin, Kind, Recap
from bot.model.refusals import Stale
from bot.ofc.refusals import Refused
from bot.text.languages import LANGUAGES
from bot.text.refusals import refusal
from bot.text.zones import zone_of
from bot.ui.command_words import described
from bot.ui.custom_ids import Press
from bot.ui.fragments import NOWHERE, as_typed_before, refused_form
from bot.ui.gate import PressKind
from bot.ui.modals import AnyField, modal
from bot.ui.permissions_here import chosen_channels, for_managers, may_see, tells_language, why_not_kept_in
from bot.ui.presses import picked
from bot.ui.reply import Reply, in_a_new_message
from bot.ui.server.posts.choices import HOURS, PAGE, choices_screen, form_fields
from bot.ui.server.posts.recap import RECAP_PICTURE, drawing_of, recap_screen
from bot.ui.widgets import Interaction
from cogs.club_page import language_noted, stand_in


class BulletinChoices(commands.Cog):
    """What managers choose; it is posted by ``bot/live/bulletins.py``. And the recaps, for everybody."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        gate = bot.services.gate
        for verb, handler in {
            "posts": self.show,
            "po_channel": self.set_channel,
            "po_hour": self.set_hour,
            "po_day": self.set_day,
            "po_words": self.switch_words,
            "po_off": self.turn_off,
            "po_form": self.ask,
            "po_formed": self.set_all,
        }.items():
            gate.route(verb, for_managers(handler))
        gate.route("recaps", in_a_new_message(self.newest), kind=PressKind.DRAWN)
        gate.route("recap_page", self.turn_page, kind=PressKind.DRAWN)

    # choosing

    async def show(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The choices, from `/setup`."""
        await self._show(reply)

    async def _show(self, reply: Reply, *, told: str = "") -> None:
        guild, bulletins = reply.interaction.guild, self.services.bulletins
        chosen = {kind: await bulletins.of(reply.guild, kind) for kind in Kind}
        stands = {
            kind: guild is not None and guild.get_channel(bulletin.channel or 0) is not None
            for kind, bulletin in chosen.items()
        }
        now = self.services.publisher.now()
        told = "\n".join(filter(None, [told, await language_noted(reply, self.services)]))
        await reply.show(choices_screen(chosen, reply.words, now=now, stands=stands, told=told))

    async def set_channel(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Where it is posted; the first channel turns it on. None chosen changes nothing: a button turns it off."""
        kind, channel = _kind(press), next(iter(chosen_channels(reply.interaction, values)), None)
        if channel is None:
            await self._show(reply)
            return
        if problem := why_not_kept_in(reply, channel):
            await self._show(reply, told=problem)
            return
        await self._change(reply, kind, lambda before: replace(before, channel=channel))

    async def set_hour(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """At which hour."""
        hour = _number(values, HOURS)
        await self._change(reply, _kind(press), lambda before: before if hour is None else replace(before, hour=hour))

    async def set_day(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """On which day of the week."""
        day = _number(values, range(WEEK_DAYS))
        await self._change(reply, Kind.RECAP, lambda before: before if day is None else replace(before, weekday=day))

    async def switch_words(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """A picture or words."""
        await self._change(reply, Kind.RECAP, lambda before: replace(before, in_words=bool(press.hand)))

    async def turn_off(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """No more posts; recaps that were kept stay."""
        await self._change(reply, _kind(press), lambda before: replace(before, channel=None))

    # the club page and both posts at once

    async def _fields(self, reply: Reply) -> list[AnyField]:
        page = await self.services.bank.club_page(reply.guild)
        chosen = {kind: await self.services.bulletins.of(reply.guild, kind) for kind in Kind}
        server = await self.services.play.server(reply.guild)
        # What nobody has begun is in English where neither a manager nor Discord has told another language.
        language = server.language or (None if tells_language(reply.interaction) else reply.words.language.code)
        return form_fields(
            page,
            chosen,
            reply.words,
            known=_channels(reply),
            zone=zone_of(server, LANGUAGES[language]) if language else await self._zone(reply),
            language=language,
        )

    async def ask(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Ask for all of it in one form; what was refused is still there."""
        fields = as_typed_before(await self._fields(reply), reply.pressed_texts, known=_channels(reply))
        form = modal(NOWHERE.but("po_formed"), reply.words("posts.form"), fields)
        await reply.ask(form, again=NOWHERE.but("po_form"))

    async def set_all(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """What was ticked is posted in the channel, and what was not is posted nowhere any more."""
        fields = await self._fields(reply)
        if len(values) != len(fields):
            raise Stale
        channel, what = next(iter(chosen_channels(reply.interaction, picked(values[0]))), None), picked(values[1])
        hour, day = _number(values[2:3], HOURS), _number(values[3:4], range(WEEK_DAYS))
        try:
            why = reply.words("posts.no_channel") if channel is None else why_not_kept_in(reply, channel)
        except Refused as refused:
            why = refusal(refused, reply.words)
        if what and (channel is None or why):
            reply.outcome = Outcome.REFUSED
            await reply.show_apart(refused_form(why, fields, values, NOWHERE.but("po_form"), reply.words))
            return
        await self._speak(reply, values[4] if values[4] in LANGUAGES else None)
        page = await stand_in(self.services, reply.guild, channel if PAGE in what else None)
        for kind in Kind:
            place = channel if kind.value in what else None

            def changed(before: Bulletin, place: int | None = place) -> Bulletin:
                after = replace(before, channel=place)
                after = after if hour is None else replace(after, hour=hour)
                return after if day is None else replace(after, weekday=day)

            await self._keep(reply, kind, changed)
        await self._show(reply, told="" if page is None else reply.words("posts.form_done", channel=page.channel))

    async def _speak(self, reply: Reply, language: str | None) -> None:
        """The language of what everybody reads; a page that stands is written anew in it."""
        before = await self.services.play.server(reply.guild)
        if language == before.language:
            return
        server = await self.services.play.choose_for_server(reply.guild, lambda now: replace(now, language=language))
        await self.services.welcomes.redraw(reply.guild, server)
        self.services.club_pages.changed(reply.guild)

    async def _change(self, reply: Reply, kind: Kind, change: Callable[[Bulletin], Bulletin]) -> None:
        """Change it, and show all of them."""
        await self._keep(reply, kind, change)
        await self._show(reply)

    async def _keep(self, reply: Reply, kind: Kind, change: Callable[[Bulletin], Bulletin]) -> None:
        """Change it, with the zone in which the server counts hours now."""
        zone = await self._zone(reply)
        await self.services.bulletins.change(reply.guild, kind, lambda before: replace(change(before), zone=zone))

    async def _zone(self, reply: Reply) -> str:
        guild, server = reply.interaction.guild, await self.services.play.server(reply.guild)
        language = reply.words.language if guild is None else words_of_server(guild, server).language
        return zone_of(server, language)

    # reading

    @app_commands.command(name="recap", description=described("recap"))
    @app_commands.guild_only()
    async def recap(self, interaction: Interaction) -> None:
        """The newest recap."""

        async def body(reply: Reply) -> None:
            await self._read(reply, 0)

        await self.services.gate.run(interaction, body, kind=PressKind.DRAWN)

    async def newest(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The same from a button."""
        await self._read(reply, 0)

    async def turn_page(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """An older one, or a newer."""
        await self._read(reply, max(1, press.hand))

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
    return Kind.RECAP if press.argument == Kind.RECAP.value else Kind.MORNING


def _channels(reply: Reply) -> list[int]:
    """Those that the server has."""
    guild = reply.interaction.guild
    return [] if guild is None else [channel.id for channel in guild.channels]


def _number(values: Sequence[str], among: range) -> int | None:
    """The number that was chosen in a menu; None for what is none of it."""
    return next((number for number in among if str(number) in values), None)


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(BulletinChoices(bot))
