"""Opening tables: immediately with ``/ofc play``, or with *Open a table*, which shows the terms and two forms first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import discord
from discord import app_commands
from discord.ext import commands

from bot.base.meter import InteractionOutcome
from bot.chat.client import Client
from bot.chat.kit.bot_permissions import permission_list
from bot.chat.kit.command_words import description_for
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.fragments import QUIET_COLOUR, as_typed_before, names, refused_form
from bot.chat.kit.game_choice import typed_game
from bot.chat.kit.gate import PressKind
from bot.chat.kit.modals import modal
from bot.chat.kit.ofc import OFC
from bot.chat.kit.permissions_here import (
    may_post,
    may_see,
    may_thread,
    missing_for_threads,
    public_language,
    require_person,
    require_visible,
    roles_of,
)
from bot.chat.kit.reply import Reply, in_a_new_message
from bot.chat.kit.suggestions import shortened
from bot.chat.kit.typed_choice import NamedChoice, fitting, the_one
from bot.chat.kit.widgets import Interaction, notice
from bot.chat.services import Services
from bot.chat.table.screens.fairness import table_choice
from bot.chat.table.screens.lobby import can_start
from bot.chat.table.screens.new_table import (
    CLOCKS,
    OF_FORM,
    NewTableForm,
    NewTablePage,
    TableChoices,
    changes_of,
    choices_kept,
    chosen,
    clock_typed,
    money_form,
    new_table_screen,
    parse_choices,
    table_form,
    with_money,
    with_table,
)
from bot.model.choices import ServerSettings
from bot.model.clock import LIMITS, Clock
from bot.model.ids import GuildId, Player, TableId, TableKey
from bot.model.limits import DEFAULT_POINT_VALUE, MAX_POINT_VALUE
from bot.model.reasons import ServerReason, TableReason
from bot.model.refusals import Stale
from bot.model.tables import Table, Terms
from bot.play import terms as terms_of
from bot.play.table.lobby import TableOffer, buy_in_of
from bot.play.table.rematch import TermChanges, change_terms, like_table
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.variants import Variant, VariantError
from bot.text.clocks import parse_clock, written_clock
from bot.text.event_structure import clock_text
from bot.text.games import full_name
from bot.text.house_rules import problem_text
from bot.text.languages import LANGUAGES
from bot.text.refusals import refusal
from bot.text.words import Words, words_for

MAX_MODELS = 100
"""Maximum number of recent tables offered as models for a new one."""

# The table that a player asks for with a command or a button: its game, stakes and clock


async def game_of(services: Services, reply: Reply, text: str) -> Variant:
    """Return the chosen or typed game, or the default one; raises Refused."""
    return await typed_game(services.play, reply.guild, text, reply.words)


def with_discards(reply: Reply, game: Variant, discards: str) -> Variant:
    """Return the game with the ``discards`` agreed on for this table; raises Refused."""
    try:
        if not discards:
            return game
        return house_variant(game.key, {**game.house, "discards": discards}, name=game.house_name)
    except VariantError as error:
        raise Refused(ServerReason.NO_SUCH_GAME, why=problem_text(error, reply.words)) from error


def build_offer(
    reply: Reply,
    game: Variant,
    server: ServerSettings,
    *,
    clock: Clock,
    point_value: int | None = None,
) -> TableOffer:
    """Return an offer of this game in the reply's channel with the maximum number of seats."""
    interaction, usual = reply.interaction, server.point_value
    if point_value is None:
        point_value = DEFAULT_POINT_VALUE if usual is None else usual
    return TableOffer(
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


async def with_choices(services: Services, reply: Reply, offer: TableOffer, choices: TableChoices) -> TableOffer:
    """Return an offer with the choices applied; raises Refused."""
    game = await game_of(services, reply, choices.game) if choices.game else None
    if choices.open_discards:
        game = with_discards(reply, game or offer.terms.variant, "open")
    by = changes_of(choices, game)
    if choices.clock is not None:
        by = replace(by, others={**by.others, "clock": choices.clock})
    stakes = choices.point_value_or(offer.terms.point_value)
    if stakes != offer.terms.point_value:
        by = replace(by, point_value=stakes)
    terms = change_terms(offer.terms, by)
    terms = replace(terms, weekends_off=choices.weekends_off and terms.clock.quiet)
    return replace(offer, computers=choices.computers, terms=terms)


# Models for a table: the server's templates, and tables played before


async def models(services: Services, interaction: Interaction, words: Words) -> list[NamedChoice[Table]]:
    """Return the templates by name, then the newest tables that the user may see, by game."""
    guild = GuildId(interaction.guild_id or 0)
    templates = await services.matchmaking.templates(guild)
    named = [NamedChoice(name=template.name, value=table) for template, table in templates]
    for table in await services.play.newest_tables(guild, limit=MAX_MODELS):
        if table.event_no is None and not table.private and may_see(interaction, table.channel):
            others = (
                str(table.key.table),
                *(words_for(code)("games.table", table=table.key.table) for code in LANGUAGES),
            )
            named.append(NamedChoice(name=table_choice(table, words)[:100], value=table, others=others))
    return named


async def model_named(services: Services, reply: Reply, typed: str) -> Table:
    """Return the template or table that was chosen or typed; raises Refused."""
    known = await models(services, reply.interaction, reply.words)
    if (number := typed.strip()).isdecimal() and not any(one.name == number for one in known):
        key = TableKey(guild=reply.guild, table=TableId(int(number[:9])))
        return await require_visible(services.play, reply, key)
    if not known:
        raise Refused(ServerReason.NO_TEMPLATE)
    exact = next((one for one in known if one.name == typed.strip()), None)
    return the_one(typed, known, reply.words) if exact is None else exact.value


async def open_at_once(services: Services, reply: Reply, offer: TableOffer, *, start: bool = False) -> TableKey | None:
    """Open a table, then start it or show its host the next step.

    Returns its key, or None if the bot may not post here; raises Refused.
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
    """Return the host's next step, and the reason if the table gets no thread although the server wants one."""
    view = await services.play.look(table.key, reply.player)
    opened = "lobby.opened_ready" if can_start(view) else "lobby.opened"
    named = {"start": words_for(table.language)("button.start")} if can_start(view) else {}
    told = [reply.words(opened, table=table.number, game=full_name(table.terms.variant, reply.words), **named)]
    if table.cash:
        told.append(reply.words("lobby.brought", chips=reply.words.number(table.terms.buy_in)))
    if table.invited:
        told.append(reply.words("lobby.guests_called", players=names([*table.invited], reply.words)))
    lacking = missing_for_threads(reply.interaction)
    if lacking and (await services.play.server(reply.guild)).threads:
        told.append(reply.words("lobby.no_thread", permissions=permission_list(lacking, reply.words)))
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
"""Refusals that apply to any table, so they're shown before the player makes any choices."""


async def new_table(services: Services, reply: Reply, choices: TableChoices) -> NewTablePage:
    """Return the table that the choices currently result in, with the default game if the chosen one is gone."""
    play = services.play
    server = await play.server(reply.guild)
    usual = build_offer(reply, await game_of(services, reply, ""), server, clock=server.clock)
    try:
        offer = await with_choices(services, reply, usual, choices)
    except Refused:
        choices = replace(choices, game="", open_discards=False)
        offer = await with_choices(services, reply, usual, choices)
    return NewTablePage(
        choices=choices,
        offer=offer,
        default_clock=server.clock,
        games=await play.games(reply.guild),
        zone=server.zone,
        objection=await play.objection(offer),
    )


async def offer_table(services: Services, reply: Reply, choices: TableChoices) -> None:
    """Show a table, by default with the server's terms, that the player can open or change.

    Raises Refused if its game is gone.
    """
    if not await may_post(reply, "lobby.missing_permissions"):
        return
    await game_of(services, reply, choices.game)
    new = await new_table(services, reply, choices)
    if new.objection is not None and new.objection.reason in NO_CHOICE_HELPS:
        raise new.objection
    await reply.show(new_table_screen(new, reply.words))


class OpenTable(commands.Cog):
    """Handlers for opening tables. Play checks on each press that this is allowed."""

    def __init__(self, bot: Client) -> None:
        self.services = bot.services
        gate = bot.services.gate
        gate.route("open", in_a_new_message(self.begin))
        gate.route("new_change", self.change)
        for verb in ("new_game", "new_own", "new_stakes", "new_pace", "new_company", "new_weekends"):
            gate.route(verb, self.choose)
        for ask in ("new_table", "new_money", "new_form"):
            gate.route(ask, self.ask)
        for answer in ("new_tabled", "new_moneyed"):
            gate.route(answer, self.fill_in)
        gate.route("new_formed", self.fill_in_former)
        gate.route("new_open", self.open, kind=PressKind.PUBLIC, asks=self.ask_again)

    @app_commands.command(name="play", description=description_for("ofc_play"), extras=OFC)
    @app_commands.describe(
        game=description_for("option_variant"),
        stakes=description_for("option_stakes"),
        clock=description_for("option_clock"),
        guest=description_for("option_with"),
        like=description_for("option_like_table"),
    )
    @app_commands.rename(guest="with")
    async def play(
        self,
        interaction: Interaction,
        game: app_commands.Range[str, 0, 100] = "",
        stakes: app_commands.Range[int, 0, MAX_POINT_VALUE] | None = None,
        clock: app_commands.Range[str, 0, 40] = "",
        guest: discord.User | None = None,
        like: app_commands.Range[str, 0, 100] = "",
    ) -> None:
        """Open a table in this channel."""

        async def body(reply: Reply) -> None:
            invited = () if guest is None else (await self._guest(reply, guest),)
            server = await self.services.play.server(reply.guild)
            usual = build_offer(reply, await game_of(self.services, reply, game), server, clock=server.clock)
            offer = usual
            if like:
                offer = like_table(await model_named(self.services, reply, like), usual)
            changes = TermChanges(
                variant=usual.terms.variant if game else None,
                point_value=stakes,
                others={"clock": clock_typed(clock) if clock.strip() else None},
            )
            terms = change_terms(offer.terms, changes)
            await open_at_once(self.services, reply, replace(offer, terms=terms, invited=invited))

        await self.services.gate.run(interaction, body, kind=PressKind.PUBLIC)

    async def _guest(self, reply: Reply, user: object) -> Player:
        """Return the player to invite; raises Refused."""
        guest = require_person(user)
        await self.services.matchmaking.require_invitable(reply.guild, reply.player, guest)
        return guest

    @play.autocomplete("game")
    async def games(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest the presets and the server's custom games."""
        return await self.services.offered_games(interaction, current)

    @play.autocomplete("clock")
    async def clocks(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest the typed clock, or the default clocks that match."""
        words = await self.services.gate.words_of(interaction)
        typed = parse_clock(current)
        if typed is not None and LIMITS[typed.pace][0] <= typed.seconds <= LIMITS[typed.pace][1]:
            found = [typed]  # a clock that would be refused isn't suggested
        else:
            named = [NamedChoice(name=clock_text(clock, words), value=clock) for clock in CLOCKS]
            found = [one.value for one in fitting(current, named)]
        return [
            app_commands.Choice(name=clock_text(one, words)[:100], value=written_clock(one, words)) for one in found
        ]

    @play.autocomplete("like")
    async def tables_alike(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest the server's templates, then recent tables."""
        words = await self.services.gate.words_of(interaction)
        found = fitting(current, await models(self.services, interaction, words))
        return shortened([app_commands.Choice(name=one.name, value=one.name) for one in found], current, words)

    async def begin(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show a new table, with the button's game if it carries one."""
        await offer_table(self.services, reply, parse_choices(press, "") or TableChoices())

    async def _choices(self, reply: Reply, press: Press) -> TableChoices | None:
        """Return the choices of the pressed screen.

        If they have been replaced since, show the new ones and return None.
        """
        choices = parse_choices(press, reply.member_settings.new_table)
        if choices is None:
            await self._show(reply, choices_kept(reply.member_settings.new_table), notice=reply.words("terms.changed"))
        return choices

    async def _show(self, reply: Reply, choices: TableChoices, *, notice: str = "") -> None:
        new = await new_table(self.services, reply, choices)
        await reply.show(new_table_screen(new, reply.words, notice=notice, changes=True))

    async def _keep(self, reply: Reply, choices: TableChoices) -> None:
        """Store choices that don't fit into custom ids."""
        if (kept := choices.kept) and kept != reply.member_settings.new_table:
            change_member_settings = self.services.play.change_member_settings
            reply.read_as(
                await change_member_settings(
                    reply.guild, reply.player, lambda member_settings: replace(member_settings, new_table=kept)
                )
            )

    async def change(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the buttons that open the forms."""
        if (choices := await self._choices(reply, press)) is not None:
            await self._show(reply, choices)

    async def choose(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Apply a choice from a menu on an old screen or from the weekend button."""
        if (choices := await self._choices(reply, press)) is not None:
            await self._show(reply, chosen(choices, press.verb, values[0] if values else ""))

    def _form(self, verb: str, new: NewTablePage, words: Words) -> NewTableForm:
        """Return the form that a verb opens or submits."""
        return (money_form if verb in ("new_money", "new_moneyed") else table_form)(new, words)

    async def ask(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show one of the forms, filled in with any refused input."""
        if (choices := await self._choices(reply, press)) is None:
            return
        form = self._form(press.verb, await new_table(self.services, reply, choices), reply.words)
        asked = as_typed_before(form.fields, reply.pressed_texts)
        title = reply.words(f"new_table.button.{form.ask}")
        await reply.ask(modal(choices.press(form.answer), title, asked), again=choices.press(form.ask))

    async def fill_in(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Apply a submitted form."""
        if (choices := await self._choices(reply, press)) is None:
            return
        new = await new_table(self.services, reply, choices)
        form = self._form(press.verb, new, reply.words)
        if len(values) != len(form.fields):
            raise Stale
        form, game = replace(form, values=values), new.offer.terms.variant
        try:
            if form.ask == "new_money":
                now = with_money(form, choices)
            else:
                now = with_table(form, choices, game.min_seats, game.max_seats)
        except Refused as refused:
            reply.outcome, why = InteractionOutcome.REFUSED, refusal(refused, reply.words)
            again = choices.press(form.ask)
            await reply.show_refused(refused_form(why, form.fields, values, again, reply.words))
            return
        await self._keep(reply, now)
        await self._show(reply, now)

    async def fill_in_former(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Apply a form submitted from an old screen."""
        if (choices := await self._choices(reply, press)) is None:
            return
        for verb, value in zip(OF_FORM, values, strict=False):
            choices = chosen(choices, verb, value)
        await self._show(reply, choices)

    async def ask_again(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the table again, because the same choices now lead to different terms."""
        if (choices := await self._choices(reply, press)) is not None:
            await self._show(reply, choices, notice=reply.words("terms.changed"))

    async def open(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Open the table, and replace the screen with the host's next step."""
        if not await may_post(reply, "lobby.missing_permissions"):
            return
        if (choices := await self._choices(reply, press)) is None:
            return
        new = await new_table(self.services, reply, choices)
        # The server's default game, stakes or clock may have changed.
        terms_of.require_unchanged(reply.terms, terms_of.of_seat(new.offer.terms))
        table = await self.services.play.open_table(new.offer, cause=reply.cause)
        await reply.show(notice(await opened_text(self.services, reply, table), colour=QUIET_COLOUR))


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(OpenTable(bot))
