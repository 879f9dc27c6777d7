"""A player's settings for private messages and pings, and their stored data."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.base.meter import InteractionOutcome
from bot.chat.client import Client
from bot.chat.club.screens.privacy import ask_screen, data_file, done_screen, exported_screen, privacy_screen
from bot.chat.club.screens.settings import (
    CALL_HOURS,
    PAGES,
    PINGS,
    PLAYING,
    SETTINGS,
    TOPICS,
    LocalTime,
    SettingsExtras,
    reader_screen,
    topics_named,
    vacation_fields,
    vacation_screen,
)
from bot.chat.club.screens.streams import StreamUse
from bot.chat.kit.choice_page import Change, ChoicePage, PageState, build_press
from bot.chat.kit.choosing import answer_page
from bot.chat.kit.command_words import description_for
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.fragments import as_typed_before, refused_form
from bot.chat.kit.gate import PressKind
from bot.chat.kit.given_roles import free_role
from bot.chat.kit.modals import modal
from bot.chat.kit.ofc import OFC
from bot.chat.kit.permissions_here import roles_of
from bot.chat.kit.reply import Reply, in_a_new_message
from bot.chat.kit.typed_choice import fitting
from bot.chat.kit.typed_press import DoOption as TopicOption
from bot.chat.kit.widgets import Interaction
from bot.chat.table.posts.call_hours import rescheduled
from bot.model.choices import MemberSettings
from bot.model.ids import TableId
from bot.model.reasons import VacationReason
from bot.model.refusals import Stale
from bot.pure.ofc.refusals import Refused
from bot.text.hours import read_span
from bot.text.refusals import refusal
from bot.text.words import words_for
from bot.text.zones import zone_named, zone_of


class SettingsPages(commands.Cog):
    """The settings, with a line and a button for each topic. Choices on a topic's page take effect immediately."""

    def __init__(self, bot: Client) -> None:
        self.services = bot.services
        gate = bot.services.gate
        for verb, handler in {
            "by_ear": in_a_new_message(self.by_ear),
            "news": self.set_news,
            "pages_close": self.close_pages,
            "stream_off": self.end_stream,
            "settings_back": self.press_settings,
            "settings": in_a_new_message(self.press_settings),
            "vacation": self.press_vacation,
            "vacation_ask": self.ask_vacation,
        }.items():
            gate.route(verb, handler)
        gate.route("vacation_over", self.end_vacation, kind=PressKind.PUBLIC)
        gate.route("vacation_taken", self.take_vacation, kind=PressKind.PUBLIC)
        for page in PAGES:
            answer_page(page, gate, state=self._state, keep=self._keep, then=self._draw_panels)
        for topic in TOPICS:
            gate.route(topic.verb, partial(self.open_topic, topic.page))

    @app_commands.command(name="settings", description=description_for("settings"), extras=OFC)
    @app_commands.describe(topic=description_for("option_topic_settings"))
    async def settings(self, interaction: Interaction, topic: TopicOption = "") -> None:
        """Show the player's settings in this server, or their stored data in direct messages."""

        async def body(reply: Reply) -> None:
            await (self._show_own(reply) if reply.outside else self._show(reply))

        found = fitting(topic, topics_named(words_for(str(interaction.locale)))) if topic.strip() else []
        if len(found) == 1 and interaction.guild_id is not None:
            press = build_press(found[0].value)
            await self.services.gate.run(interaction, lambda reply: self.services.gate.handle(reply, press, ()))
        else:
            await self.services.gate.run_or_press(interaction, body, topic, look=self._look, anywhere=True)

    @settings.autocomplete("topic")
    async def topics(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest the topics and, once the player has typed something, everything on their pages."""
        look = self._look if current.strip() else self._glance
        return await self.services.gate.buttons(interaction, look, current)

    async def _glance(self, reply: Reply) -> None:
        """Show the first page."""
        await (self._show_own(reply) if reply.outside else self._show(reply))

    async def _look(self, reply: Reply) -> None:
        """Show the settings and all their pages."""
        await self._glance(reply)
        if reply.outside:
            return
        for page in PAGES[1:]:
            await reply.show(page.screen(await self._state(reply)))
        await self._show_vacation(reply)
        for verb in ("hours", "apart_list"):
            await self.services.gate.handle(reply, Press(verb=verb, table=TableId(0)), ())

    @staticmethod
    async def _show_own(reply: Reply) -> None:
        await reply.show(privacy_screen(reply.words))

    async def open_topic(
        self, page: ChoicePage[MemberSettings, SettingsExtras], reply: Reply, press: Press, values: Sequence[str]
    ) -> None:
        """Show a topic's page."""
        await reply.show(page.screen(await self._state(reply)))

    # vacation

    async def press_vacation(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the player's vacation, or how to take one."""
        await self._show_vacation(reply)

    async def ask_vacation(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Ask for the vacation's length. After a refusal, the form keeps what was typed."""
        fields = as_typed_before(vacation_fields(reply.words), reply.pressed_texts)
        form = modal(build_press("vacation_taken"), reply.words("vacation.title"), fields)
        await reply.ask(form, again=build_press("vacation_ask"))

    async def take_vacation(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Take a vacation, which stops the player's clocks at correspondence tables."""
        fields = vacation_fields(reply.words)
        if len(values) != len(fields):
            raise Stale
        until, begins = values
        zone = zone_of(await self.services.play.server(reply.guild), reply.words.language)
        now = self.services.publisher.now()
        try:
            span = read_span(begins.strip(), until.strip(), zone=zone, now_ms=now)
            if span is None:
                raise Refused(VacationReason.VACATION_UNREAD)
            await self.services.play.take_vacation(reply.guild, reply.player, begins=span[0], ends=span[1])
        except Refused as refused:
            reply.outcome = InteractionOutcome.REFUSED
            again = build_press("vacation_ask")
            await reply.show_refused(refused_form(refusal(refused, reply.words), fields, values, again, reply.words))
            return
        await self.services.play.change_member_settings(reply.guild, reply.player, partial(rescheduled, now=now))
        await self._show_vacation(reply, notice=reply.words("vacation.said.taken"))

    async def end_vacation(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """End the vacation, or cancel a planned one."""
        await self.services.play.end_vacation(reply.guild, reply.player)
        await self._show_vacation(reply, notice=reply.words("vacation.said.over"))

    async def _show_vacation(self, reply: Reply, *, notice: str = "") -> None:
        now = self.services.publisher.now()
        member_settings = await self.services.play.member_settings(reply.guild, reply.player)
        tables = [
            table
            for table in await self.services.play.tables_of(reply.guild, reply.player)
            if table.pauses_for_vacations
        ]
        left = await self.services.play.vacation_left(reply.guild, reply.player)
        await reply.show(
            vacation_screen(member_settings, reply.words, left=left, now=now, tables=tables, notice=notice)
        )

    async def press_settings(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the settings from a button."""
        await self._show(reply)

    async def _show(
        self, reply: Reply, page: ChoicePage[MemberSettings, SettingsExtras] = SETTINGS, **known: Any
    ) -> None:
        """Show a page. ``known`` has parts of its context that have just changed."""
        state = await self._state(reply)
        await reply.show(page.screen(replace(state, context=replace(state.context, **known))))

    async def _state(self, reply: Reply) -> PageState[MemberSettings, SettingsExtras]:
        refused = await self.services.matchmaking.refused_by(reply.guild, reply.player)
        role = await free_role(reply.interaction, await self.services.play.server(reply.guild))
        beside = SettingsExtras(
            faces=self.services.faces_for(reply),
            refused=len(refused),
            hears_of_tables=None if role is None else role.id in roles_of(reply.interaction),
            shares_hands=self.services.page_links.served,
            pages="text" if self.services.page_links.url else "",
            stream=await self._stream(reply),
            now=self.services.publisher.now(),
        )
        return PageState(record=reply.member_settings, context=beside, words=reply.words)

    async def _stream(self, reply: Reply) -> StreamUse | None:
        """Return the player's stream link; None if they have none."""
        links = self.services.page_links
        found = await self.services.play.stream_link_of(reply.guild, reply.player) if links.url else None
        return None if found is None else StreamUse(link=found, used_at=links.stream_used(reply.guild, reply.player))

    async def _keep(self, reply: Reply, change: Change[MemberSettings]) -> None:
        reply.read_as(await self.services.play.change_member_settings(reply.guild, reply.player, change))

    async def _draw_panels(self, reply: Reply) -> None:
        """Redraw the player's open panels with their new settings."""
        await self.services.publisher.panels.read_as(reply.guild, reply.player, self.services.reader(reply))

    async def set_news(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Add or remove the role that is pinged for new tables.

        If it can't be assigned, show the page without the switch.
        """
        role = await free_role(reply.interaction, await self.services.play.server(reply.guild))
        member, takes = reply.interaction.user, bool(press.hand)
        if role is None or not isinstance(member, discord.Member):
            reply.outcome = InteractionOutcome.REFUSED
            await self._show(reply, PINGS)
            return
        await (member.add_roles(role) if takes else member.remove_roles(role))
        await self._show(reply, PINGS, hears_of_tables=takes)

    async def close_pages(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Close the player's table pages, wherever they are open."""
        await self.services.page_links.close(reply.guild, reply.player)
        await self._show(reply, PLAYING, pages="closed")

    async def end_stream(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Revoke the player's stream link."""
        await self.services.page_links.end_stream(reply.guild, reply.player)
        await self._show(reply, PLAYING)

    async def by_ear(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show how to play with a screen reader."""
        await reply.show(reader_screen(await self._state(reply)))


class CallHours(commands.Cog):
    """The hours for pings at correspondence tables: quiet hours, and the hour of the digest."""

    def __init__(self, bot: Client) -> None:
        self.services = bot.services
        bot.services.gate.route("hours", self.show)
        answer_page(CALL_HOURS, bot.services.gate, state=self._state, keep=self._keep)

    async def show(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the hours."""
        await reply.show(CALL_HOURS.screen(await self._state(reply)))

    async def _state(self, reply: Reply) -> PageState[MemberSettings, LocalTime]:
        """Return the hours in the player's time zone, or the server's if they haven't chosen one."""
        zone = zone_named(reply.member_settings.zone) or await self._usual_zone(reply)
        local = LocalTime(zone=zone, now=self.services.publisher.now())
        return PageState(record=reply.member_settings, context=local, words=reply.words)

    async def _usual_zone(self, reply: Reply) -> str:
        return zone_of(await self.services.play.server(reply.guild), reply.words.language)

    async def _keep(self, reply: Reply, change: Change[MemberSettings]) -> None:
        """Save a choice together with its time zone, and check again whom to ping at the player's tables."""
        local, usual_zone = (await self._state(reply)).context, await self._usual_zone(reply)

        def scheduled(before: MemberSettings) -> MemberSettings:
            after = change(replace(before, zone=local.zone))
            return rescheduled(replace(after, zone=after.zone or usual_zone), now=local.now)

        reply.read_as(await self.services.play.change_member_settings(reply.guild, reply.player, scheduled))
        for table in await self.services.play.tables_of(reply.guild, reply.player):
            self.services.publisher.recheck(table.key)


class Privacy(commands.Cog):
    """A player's own stored data in all servers, available wherever the daily hand can be played."""

    def __init__(self, bot: Client) -> None:
        self.services = bot.services
        gate = bot.services.gate
        gate.route("own", in_a_new_message(self.explain), anywhere=True)
        gate.route("own_export", in_a_new_message(self.press_export), anywhere=True)
        gate.route("own_ask", in_a_new_message(self.press_ask), anywhere=True)
        gate.route("own_delete", self.press_delete, kind=PressKind.PUBLIC, anywhere=True)
        gate.route("own_keep", self.press_keep, anywhere=True)

    async def explain(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show which data is stored, with buttons for the player's own data."""
        await reply.show(privacy_screen(reply.words))

    async def press_export(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Export the data from a button."""
        await self._export(reply)

    async def press_ask(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Ask whether to delete the data, after a press on a button."""
        await self._ask(reply)

    async def press_delete(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Delete the player's data."""
        await self.services.privacy.delete(reply.player)
        self.services.faces.names.forget(reply.player)
        await reply.show(done_screen(reply.words, deleted=True))

    async def press_keep(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Cancel the deletion."""
        await reply.show(done_screen(reply.words, deleted=False))

    async def _export(self, reply: Reply) -> None:
        kept = await self.services.privacy.kept_about(reply.player)
        now_ms = self.services.publisher.now()
        # This runs in a thread, because it takes a second for a player with years of hands.
        name, data = await asyncio.to_thread(data_file, kept, reply.player, reply.words, now_ms=now_ms)
        empty = not kept.servers and not kept.everywhere
        shown = exported_screen(name, reply.words, empty=empty)
        await reply.show_separately(shown, file=discord.File(io.BytesIO(data), filename=name))

    async def _ask(self, reply: Reply) -> None:
        blockers = await self.services.privacy.blockers(reply.player)
        await reply.show(ask_screen(blockers, reply.guild, reply.words))


async def setup(bot: Client) -> None:
    """Load the cogs."""
    await bot.add_cog(SettingsPages(bot))
    await bot.add_cog(CallHours(bot))
    await bot.add_cog(Privacy(bot))
