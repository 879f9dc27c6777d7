"""*Open a table*: a private screen on which the table is chosen by menus before it is opened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import discord
from discord import app_commands
from discord.ext import commands

from bot.chat.client import Client
from bot.chat.kit.bot_permissions import labels_of
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.fragments import QUIET_COLOUR, names
from bot.chat.kit.game_choice import typed_game
from bot.chat.kit.gate import PressKind
from bot.chat.kit.permissions_here import may_post, may_thread, missing_for_threads, public_language, roles_of
from bot.chat.kit.reply import Reply, in_a_new_message
from bot.chat.kit.typed_choice import Named, fitting, the_one
from bot.chat.kit.widgets import Interaction, notice
from bot.chat.services import Services
from bot.chat.table.screens.lobby import can_start
from bot.chat.table.screens.new_table import (
    Choices,
    NewTable,
    choices_of,
    chosen,
    form_chosen,
    new_table_form,
    new_table_screen,
)
from bot.model.choices import Server
from bot.model.clock import USUAL, Clock, Pace, pace_for
from bot.model.ids import GuildId, TableKey
from bot.model.limits import DEFAULT_POINT_VALUE
from bot.model.reasons import ServerReason, TableReason
from bot.model.tables import Table, Terms
from bot.play import terms
from bot.play.table.lobby import Offer, buy_in_of, time_limits
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.variants import Variant, VariantError
from bot.text.durations import parse_duration
from bot.text.games import full_name
from bot.text.house_rules import problem_text
from bot.text.words import words_for

# The table that somebody asks for: its game, stakes and clock, from a command or a button.


async def game_of(services: Services, reply: Reply, text: str) -> Variant:
    """The game that was chosen or typed, or the usual one; raises Refused."""
    return await typed_game(services.play, reply.guild, text, reply.words)


def with_discards(reply: Reply, game: Variant, discards: str) -> Variant:
    """A game with its discards as agreed for this table; raises Refused."""
    try:
        if not discards:
            return game
        return house_variant(game.key, {**game.house, "discards": discards}, name=game.house_name)
    except VariantError as error:
        raise Refused(ServerReason.NO_SUCH_GAME, why=problem_text(error, reply.words)) from error


def offer_of(
    reply: Reply,
    game: Variant,
    server: Server,
    *,
    clock: Clock,
    point_value: int | None = None,
) -> Offer:
    """A table of this game in the channel of an interaction, with all the seats that the game allows."""
    interaction, usual = reply.interaction, server.point_value
    if point_value is None:
        point_value = DEFAULT_POINT_VALUE if usual is None else usual
    return Offer(
        guild=reply.guild,
        channel=interaction.channel_id or 0,
        parent=interaction.channel.parent_id if isinstance(interaction.channel, discord.Thread) else None,
        host=reply.player,
        manager=interaction.permissions.manage_guild,
        roles=roles_of(interaction),
        language=public_language(interaction, server).code,
        terms=Terms(
            variant=game,
            point_value=point_value,
            buy_in=buy_in_of(point_value, chosen=None),
            max_seats=game.max_seats,
            clock=clock,
        ),
        threaded=server.threads and may_thread(interaction),
    )


async def template_choices(
    services: Services, interaction: Interaction, current: str
) -> list[app_commands.Choice[str]]:
    """The server's templates whose name holds what was typed."""
    found = fitting(current, await _templates(services, GuildId(interaction.guild_id or 0)))
    return [app_commands.Choice(name=one.name, value=one.name) for one in found]


async def _templates(services: Services, guild: GuildId) -> list[Named[str]]:
    known = await services.together.templates(guild)
    return [Named(name=template.name, value=template.name) for template, _ in known]


async def template_named(services: Services, reply: Reply, typed: str) -> str:
    """The name of the template that was chosen or typed; raises Refused."""
    known = await _templates(services, reply.guild)
    if not known:
        raise Refused(ServerReason.NO_TEMPLATE)
    return the_one(typed, known, reply.words)


def clock_of(pace: str, time: str, *, usual: Clock) -> Clock:
    """The clock of a pace and a time as it was typed; either may be left out. Raises Refused."""
    if not pace and not time.strip():
        return usual
    seconds = parse_duration(time)
    if time.strip() and seconds is None:
        raise Refused(TableReason.BAD_TIME, **time_limits(Pace(pace) if pace else Pace.PER_TURN))
    chosen = Pace(pace) if pace else Pace.PER_TURN if seconds is None else pace_for(seconds)
    return Clock(pace=chosen, seconds=USUAL[chosen] if seconds is None or chosen is Pace.NONE else seconds)


def levels_of(text: str) -> tuple[int, ...]:
    """``50,100,200`` as numbers; raises Refused."""
    parts = [part.strip() for part in text.replace("、", ",").split(",") if part.strip()]
    if not all(part.isascii() and part.isdigit() and len(part) <= 7 for part in parts):
        raise Refused(TableReason.BAD_LEVELS)
    return tuple(int(part) for part in parts)


async def open_at_once(services: Services, reply: Reply, offer: Offer, *, start: bool = False) -> TableKey | None:
    """Open a table, and deal its first hand or say what its host does now.

    Returns its key, or None where the bot may not write here; raises Refused.
    """
    if not await may_post(reply, "lobby.missing_permissions"):
        return None
    table = await services.play.open_table(offer, cause=reply.cause)
    if start:
        await services.play.start(table.key, reply.player, cause=f"{reply.cause}:start")
    else:
        await reply.say(await opened_text(services, reply, table))
    return table.key


async def opened_text(services: Services, reply: Reply, table: Table) -> str:
    """What its host does now, and why the table gets no thread where the server wants one."""
    view = await services.play.look(table.key, reply.player)
    opened = "lobby.opened_ready" if can_start(view) else "lobby.opened"
    named = {"start": words_for(table.language)("button.start")} if can_start(view) else {}
    told = [reply.words(opened, table=table.key.table, game=full_name(table.terms.variant, reply.words), **named)]
    if table.cash:
        told.append(reply.words("lobby.brought", chips=reply.words.number(table.terms.buy_in)))
    if table.invited:
        told.append(reply.words("lobby.guests_called", players=names([*table.invited], reply.words)))
    lacking = missing_for_threads(reply.interaction)
    if lacking and (await services.play.server(reply.guild)).threads:
        told.append(reply.words("lobby.no_thread", permissions=labels_of(lacking, reply.words)))
    return "\n".join(told)


NO_CHOICE_HELPS = frozenset(
    {
        TableReason.NOT_HERE,
        TableReason.TOO_MANY_LOBBIES,
        TableReason.CHANNEL_WAITS,
        TableReason.CHANNEL_FULL,
        TableReason.SERVER_FULL,
    }
)
"""Refusals of any table whatsoever: they are said before anything is chosen."""


async def new_table(services: Services, reply: Reply, choices: Choices) -> NewTable:
    """The table that choices come to here and now; raises Refused for a game that is gone."""
    play = services.play
    server, game = await play.server(reply.guild), await game_of(services, reply, choices.game)
    usual = DEFAULT_POINT_VALUE if server.point_value is None else server.point_value
    stakes, clock = choices.point_value_or(usual), choices.clock_or(server.clock)
    offer = offer_of(reply, game, server, clock=clock, point_value=stakes)
    terms = replace(offer.terms, weekends_off=choices.weekends_off and clock.quiet)
    offer = replace(offer, computers=choices.computers, terms=terms)
    return NewTable(
        choices=choices,
        offer=offer,
        usual_stakes=usual,
        usual_clock=server.clock,
        games=await play.games(reply.guild),
        zone=server.zone,
        objection=await play.objection(offer),
    )


async def offer_table(services: Services, reply: Reply, choices: Choices) -> None:
    """Show a table, the server's usual one where nothing is chosen, to be opened as it is or changed."""
    if not await may_post(reply, "lobby.missing_permissions"):
        return
    new = await new_table(services, reply, choices)
    if new.objection is not None and new.objection.reason in NO_CHOICE_HELPS:
        raise new.objection
    await reply.show(new_table_screen(new, reply.words))


class OpenTable(commands.Cog):
    """The screen's choices stand in its custom ids; whether they may be opened is asked of play at each press."""

    def __init__(self, bot: Client) -> None:
        self.services = bot.services
        gate = bot.services.gate
        gate.route("open", in_a_new_message(self.begin))
        for verb in ("new_game", "new_own", "new_stakes", "new_pace", "new_company", "new_weekends"):
            gate.route(verb, self.choose)
        gate.route("new_form", self.ask)
        gate.route("new_formed", self.fill_in)
        gate.route("new_open", self.open, kind=PressKind.PUBLIC, asks=self.ask_again)

    async def begin(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """From a button that says so, and may name the game."""
        await offer_table(self.services, reply, choices_of(press))

    async def choose(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Something was chosen in one of the menus, or weekends off by their button."""
        await reply.show(new_table_screen(await new_table(self.services, reply, chosen(press, values)), reply.words))

    async def ask(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Ask for all of it in one form."""
        form = new_table_form(await new_table(self.services, reply, choices_of(press)), reply.words)
        await reply.ask(form, again=press)

    async def fill_in(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The form was filled in."""
        choices = form_chosen(await new_table(self.services, reply, choices_of(press)), values, reply.words)
        await reply.show(new_table_screen(await new_table(self.services, reply, choices), reply.words))

    async def ask_again(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The same choices come to another table by now: show it."""
        new = await new_table(self.services, reply, choices_of(press))
        await reply.show(new_table_screen(new, reply.words, said=reply.words("terms.changed")))

    async def open(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Open the table; what its host does now takes the screen's place."""
        if not await may_post(reply, "lobby.missing_permissions"):
            return
        new = await new_table(self.services, reply, choices_of(press))
        # The server's usual game, stakes or clock may be others by now.
        terms.demand(reply.terms, terms.of_seat(new.offer.terms))
        table = await self.services.play.open_table(new.offer, cause=reply.cause)
        await reply.show(notice(await opened_text(self.services, reply, table), colour=QUIET_COLOUR))


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(OpenTable(bot))
