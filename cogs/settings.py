"""My settings and my data: how I read what I alone see, when I am called, and what is kept of me."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.live.client import Client
from bot.live.table.call_hours import rescheduled
from bot.meter import Outcome
from bot.model.choices import BoardSize, Calls, DeckColours, Wishes
from bot.model.ids import TableId
from bot.model.refusals import PlayReason
from bot.ofc.refusals import Refused
from bot.text.hours import read_span
from bot.text.languages import LANGUAGES
from bot.text.refusals import refusal
from bot.text.words import escape_name
from bot.text.zones import zone_named, zone_of
from bot.ui.command_words import described
from bot.ui.custom_ids import Press
from bot.ui.gate import PressKind
from bot.ui.given_roles import free_role
from bot.ui.permissions_here import roles_of
from bot.ui.reply import Reply, in_a_new_message
from bot.ui.server.privacy import ask_screen, data_file, done_screen, exported_screen, privacy_screen
from bot.ui.server.settings import (
    HOURS,
    OFF,
    Beside,
    Cards,
    hours_screen,
    reader_screen,
    settings_screen,
    vacation_screen,
    zone_form,
)
from bot.ui.typed_choice import zone_meant
from bot.ui.typed_press import DoOption
from bot.ui.widgets import Interaction

LONGEST_TOLD = 100
"""So much of what was typed for a time zone is said again."""


class Settings(commands.Cog):
    """One screen; what is chosen on it holds at once."""

    def __init__(self, bot: Client) -> None:
        self.services = bot.services
        for verb, handler in {
            "reminders": self.set_reminders,
            "calls": self.set_calls,
            "wish_language": self.set_language,
            "wish_text": self.set_text,
            "by_ear": in_a_new_message(self.by_ear),
            "wish_cards": self.set_cards,
            "wish_size": self.set_size,
            "wish_confirm": self.set_confirm,
            "wish_profile": self.set_profile,
            "wish_shared": self.set_shared,
            "news": self.set_news,
            "pages_close": self.close_pages,
            "settings_back": self.press_settings,
            "settings": in_a_new_message(self.press_settings),
        }.items():
            bot.services.gate.route(verb, handler)
        bot.services.gate.route("vacation_over", self.end_vacation, kind=PressKind.PUBLIC)

    @app_commands.command(name="settings", description=described("settings"))
    @app_commands.guild_only()
    @app_commands.describe(do=described("option_do"))
    async def settings(self, interaction: Interaction, do: DoOption = "") -> None:
        """What I have chosen in this server."""
        await self.services.gate.run_or_press(interaction, self._show, do, look=self._look)

    @settings.autocomplete("do")
    async def buttons(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The buttons and menus of the settings."""
        return await self.services.gate.buttons(interaction, self._look, current)

    async def _look(self, reply: Reply) -> None:
        """The settings and the pages that they lead to."""
        await self._show(reply)
        for verb in ("hours", "apart_list"):
            await self.services.gate.handle(reply, Press(verb=verb, table=TableId(0)), ())

    @app_commands.command(name="vacation", description=described("vacation"))
    @app_commands.guild_only()
    @app_commands.describe(
        until=described("option_until"), begins=described("option_begins"), do=described("option_do")
    )
    async def vacation(
        self,
        interaction: Interaction,
        until: app_commands.Range[str, 1, 60] | None = None,
        begins: app_commands.Range[str, 1, 60] | None = None,
        do: DoOption = "",
    ) -> None:
        """Let my clocks stand at correspondence tables, or see for how long they do."""

        async def body(reply: Reply) -> None:
            if until is None and begins is None:
                await self._show_vacation(reply)
                return
            zone = zone_of(await self.services.play.server(reply.guild), reply.words.language)
            now = self.services.publisher.now()
            span = read_span(begins or "", until or "", zone=zone, now_ms=now)
            if span is None:
                raise Refused(PlayReason.VACATION_UNREAD)
            await self.services.play.take_vacation(reply.guild, reply.player, begins=span[0], ends=span[1])
            await self.services.play.wish(reply.guild, reply.player, partial(rescheduled, now=now))
            await self._show_vacation(reply, said=reply.words("vacation.said.taken"))

        if do:
            await self.services.gate.run_or_press(interaction, self._show_vacation, do)
        else:
            await self.services.gate.run(interaction, body, kind=PressKind.PUBLIC)

    @vacation.autocomplete("do")
    async def ways_back(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The button that ends a vacation."""
        return await self.services.gate.buttons(interaction, self._show_vacation, current)

    async def end_vacation(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Be back, or stay after all."""
        await self.services.play.end_vacation(reply.guild, reply.player)
        await self._show_vacation(reply, said=reply.words("vacation.said.over"))

    async def _show_vacation(self, reply: Reply, *, said: str = "") -> None:
        now = self.services.publisher.now()
        wishes = await self.services.play.wishes(reply.guild, reply.player)
        tables = [table for table in await self.services.play.tables_of(reply.guild, reply.player) if table.rests]
        left = await self.services.play.vacation_left(reply.guild, reply.player)
        await reply.show(vacation_screen(wishes, reply.words, left=left, now=now, tables=tables, said=said))

    async def press_settings(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The same from a button."""
        await self._show(reply)

    async def _show(self, reply: Reply, *, hears: bool | None = None, pages: str = "text") -> None:
        """The screen; ``hears`` is whether they have just taken the role that hears of new tables, or left it.

        ``pages`` is what is said of their pages.
        """
        refused = await self.services.together.refused_by(reply.guild, reply.player)
        role = await free_role(reply.interaction, await self.services.play.server(reply.guild))
        if role is not None and hears is None:
            hears = role.id in roles_of(reply.interaction)
        beside = Beside(
            refused=len(refused),
            hears_of_tables=None if role is None else hears,
            shares_hands=self.services.page_links.served,
            pages=pages if self.services.page_links.url else "",
        )
        faces = self.services.faces_for(reply)
        await reply.show(settings_screen(reply.wishes, reply.words, faces, beside=beside))

    async def set_news(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Take the role that hears of new tables, or leave it; where it cannot be given the page shows none."""
        role = await free_role(reply.interaction, await self.services.play.server(reply.guild))
        member, takes = reply.interaction.user, bool(press.hand)
        if role is None or not isinstance(member, discord.Member):
            reply.outcome = Outcome.REFUSED
            await self._show(reply)
            return
        await (member.add_roles(role) if takes else member.remove_roles(role))
        await self._show(reply, hears=takes)

    async def close_pages(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Close the pages of my tables, wherever they are open."""
        await self.services.page_links.close(reply.guild, reply.player)
        await self._show(reply, pages="closed")

    async def _choose(self, reply: Reply, change: Callable[[Wishes], Wishes]) -> None:
        """Note a choice, answer by it, and draw the open panels anew."""
        reply.read_as(await self.services.play.wish(reply.guild, reply.player, change))
        await self._show(reply)
        await self.services.publisher.panels.read_as(reply.guild, reply.player, self.services.reader(reply))

    async def set_reminders(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Switch reminders on or off."""
        await self._choose(reply, lambda before: replace(before, reminders=bool(press.hand)))

    async def set_confirm(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Let the last card confirm, or the button alone."""
        await self._choose(reply, lambda before: replace(before, confirm_at_once=bool(press.hand)))

    async def set_profile(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Let others see the profile, or keep it to oneself."""
        await self._choose(reply, lambda before: replace(before, profile_visible=bool(press.hand)))

    async def set_shared(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Let others share hands with the player by a link, or not."""
        await self._choose(reply, lambda before: replace(before, hands_shared=bool(press.hand)))

    async def set_calls(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Choose when to be called; where nothing that there is was chosen, nothing changes."""
        chosen = next((calls for calls in Calls if calls.value in values), None)
        await self._choose(reply, lambda before: before if chosen is None else replace(before, calls=chosen))

    async def set_language(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Choose a language, or the one that Discord tells; choosing nothing changes nothing."""
        code = values[0] if values and values[0] in LANGUAGES else None
        await self._choose(reply, lambda before: replace(before, language=code) if values else before)

    async def set_cards(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Choose a deck, or none; text keeps the deck for later."""
        chosen = next((cards for cards in Cards if cards.value in values), None)

        def change(before: Wishes) -> Wishes:
            if chosen is None:
                return before
            if chosen is Cards.WORDS:
                return replace(before, text_only=True, deck=DeckColours.WORDS)
            deck = DeckColours.FOUR if before.deck is DeckColours.WORDS else before.deck
            if chosen is Cards.TEXT:
                return replace(before, text_only=True, deck=deck)
            return replace(before, text_only=False, deck=DeckColours(chosen.value))

        await self._choose(reply, change)

    async def by_ear(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """How one plays with a screen reader."""
        await reply.show(reader_screen(reply.wishes, reply.words))

    async def set_text(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Text only, with the names of cards in words; or the pictures again."""

        def change(before: Wishes) -> Wishes:
            if press.hand:
                return replace(before, text_only=True, deck=DeckColours.WORDS)
            deck = DeckColours.FOUR if before.deck is DeckColours.WORDS else before.deck
            return replace(before, text_only=False, deck=deck)

        await self._choose(reply, change)

    async def set_size(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Choose how large the own board is."""
        size = BoardSize.COMPACT if press.argument == BoardSize.COMPACT.value else BoardSize.LARGE
        await self._choose(reply, lambda before: replace(before, size=size))


class CallHours(commands.Cog):
    """When I am called by correspondence: my quiet hours, and the hour of my digest."""

    def __init__(self, bot: Client) -> None:
        self.services = bot.services
        for verb, handler in {
            "hours": self.show,
            "hours_zone": self.ask_zone,
            "hours_written": self.set_zone,
            "quiet_from": self.set_begin,
            "quiet_until": self.set_end,
            "digest_at": self.set_digest,
        }.items():
            bot.services.gate.route(verb, handler)

    async def show(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """What holds."""
        await self._show(reply)

    async def ask_zone(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Ask for a time zone."""
        await reply.ask(zone_form(reply.words, zone=await self._zone(reply)), again=press)

    async def set_zone(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """One was written."""
        typed = "".join(values[:1]).strip()
        try:
            zone = zone_meant(typed, reply.words)
        except Refused as refused:
            await self._refuse(reply, refusal(refused, reply.words))
            return
        if zone is None:
            await self._refuse(reply, reply.words("hours.zone.unknown", typed=escape_name(typed[:LONGEST_TOLD])))
            return
        await self._choose(reply, zone=zone)

    async def set_begin(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Begin quiet hours at another hour, or have none; where nothing that there is was chosen, nothing changes."""
        if values == (OFF,):
            await self._choose(reply, quiet_from=None)
            return
        hour = _hour(values)
        if hour is not None and hour == reply.wishes.quiet_until and reply.wishes.quiet_from is None:
            await self._choose(reply, quiet_from=hour, quiet_until=(hour + 8) % len(HOURS))
        elif hour == reply.wishes.quiet_until:
            await self._refuse(reply, reply.words("hours.quiet.same"))
        else:
            await self._choose(reply, **({} if hour is None else {"quiet_from": hour}))

    async def set_end(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """End them at another hour."""
        hour = _hour(values)
        if hour is not None and hour == reply.wishes.quiet_from:
            await self._refuse(reply, reply.words("hours.quiet.same"))
        else:
            await self._choose(reply, **({} if hour is None else {"quiet_until": hour}))

    async def set_digest(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Have a digest at an hour, or calls for each turn."""
        hour = _hour(values)
        if hour is None and values != (OFF,):
            await self._choose(reply)
        else:
            await self._choose(reply, digest_at=hour)

    async def _choose(self, reply: Reply, **chosen: Any) -> None:
        """Note a choice with the zone in which it is meant, and look who is to be called by it."""
        if chosen:
            zone, now = await self._zone(reply), self.services.publisher.now()

            def change(before: Wishes) -> Wishes:
                return rescheduled(replace(before, **{"zone": zone} | chosen), now=now)

            reply.read_as(await self.services.play.wish(reply.guild, reply.player, change))
            for table in await self.services.play.tables_of(reply.guild, reply.player):
                self.services.publisher.look_again(table.key)
        await self._show(reply)

    async def _show(self, reply: Reply, *, refused: str = "") -> None:
        now, zone = self.services.publisher.now(), await self._zone(reply)
        await reply.show(hours_screen(reply.wishes, reply.words, zone=zone, now=now, refused=refused))

    async def _refuse(self, reply: Reply, why: str) -> None:
        reply.outcome = Outcome.REFUSED
        await self._show(reply, refused=why)

    async def _zone(self, reply: Reply) -> str:
        """Their own, or the server's where they have chosen none."""
        server = await self.services.play.server(reply.guild)
        return zone_named(reply.wishes.zone) or zone_of(server, reply.words.language)


def _hour(values: Sequence[str]) -> int | None:
    """The hour of the day that was chosen; None for anything else."""
    return next((hour for hour in HOURS if tuple(values) == (str(hour),)), None)


@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
class Privacy(commands.GroupCog, group_name="privacy", group_description=described("privacy")):
    """Everybody's own data, in all servers and in none, wherever the hand of a day can be played."""

    def __init__(self, bot: Client) -> None:
        super().__init__()
        self.services = bot.services
        gate = bot.services.gate
        gate.route("own", in_a_new_message(self.explain), anywhere=True)
        gate.route("own_export", in_a_new_message(self.press_export), anywhere=True)
        gate.route("own_ask", in_a_new_message(self.press_ask), anywhere=True)
        gate.route("own_delete", self.press_delete, kind=PressKind.PUBLIC, anywhere=True)
        gate.route("own_keep", self.press_keep, anywhere=True)

    @app_commands.command(name="export", description=described("privacy_export"))
    async def export(self, interaction: Interaction) -> None:
        """Everything that is kept about me."""
        await self.services.gate.run(interaction, self._export, kind=PressKind.PUBLIC, anywhere=True)

    @app_commands.command(name="delete", description=described("privacy_delete"))
    async def delete(self, interaction: Interaction) -> None:
        """Ask whether I want to be deleted."""
        await self.services.gate.run(interaction, self._ask, kind=PressKind.PUBLIC, anywhere=True)

    async def explain(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """What is kept of people, and the ways to one's own."""
        await reply.show(privacy_screen(reply.words))

    async def press_export(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The file from a button."""
        await self._export(reply)

    async def press_ask(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The question from a button."""
        await self._ask(reply)

    async def press_delete(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Delete me."""
        await self.services.privacy.delete(reply.player)
        self.services.faces.names.forget(reply.player)
        await reply.show(done_screen(reply.words, deleted=True))

    async def press_keep(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Leave everything as it is."""
        await reply.show(done_screen(reply.words, deleted=False))

    async def _export(self, reply: Reply) -> None:
        kept = await self.services.privacy.kept_about(reply.player)
        now_ms = self.services.publisher.now()
        # A thread: of somebody who has played for years it takes a second.
        name, data = await asyncio.to_thread(data_file, kept, reply.player, reply.words, now_ms=now_ms)
        empty = not kept.servers and not kept.everywhere
        shown = exported_screen(name, reply.words, empty=empty)
        await reply.show_apart(shown, file=discord.File(io.BytesIO(data), filename=name))

    async def _ask(self, reply: Reply) -> None:
        ties = await self.services.privacy.ties(reply.player)
        await reply.show(ask_screen(ties, reply.guild, reply.words))


async def setup(bot: Client) -> None:
    """Load the cogs."""
    await bot.add_cog(Settings(bot))
    await bot.add_cog(CallHours(bot))
    await bot.add_cog(Privacy(bot))
