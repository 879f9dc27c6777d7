"""What managers do: chips, the log of it all, what the bank gives, seasons, and templates for tables."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace

import discord
from discord import app_commands
from discord.ext import commands
from typing_extensions import override

from bot.base.meter import Outcome
from bot.chat.client import Client
from bot.chat.club.screens.bank import (
    BANK,
    ENTRIES,
    HERE,
    LONGEST_SHOWN,
    audit_line,
    audit_screen,
    chips_fields,
    done_line,
    numbers_in,
    terms_screen,
    terms_told,
)
from bot.chat.club.screens.seasons import (
    SURE,
    TITLE,
    asks_first,
    begun_by,
    end_question,
    newest_seen,
    season_form,
    seasons_screen,
    terms_question,
)
from bot.chat.club.screens.setup import templates_text
from bot.chat.kit.bot_permissions import NEEDED, labels_of, missing
from bot.chat.kit.choice_page import Change, PageState
from bot.chat.kit.choosing import answer_form
from bot.chat.kit.command_words import described, named
from bot.chat.kit.custom_ids import Press, long_id
from bot.chat.kit.fragments import QUIET_COLOUR, as_typed_before, refused_form
from bot.chat.kit.given_roles import role_problem
from bot.chat.kit.modals import AnyField, modal
from bot.chat.kit.permissions_here import (
    allowed_in,
    check_may_write,
    chosen_channels,
    demand_seen,
    for_managers,
    people_of,
)
from bot.chat.kit.posting import post
from bot.chat.kit.presses import ids_of, picked
from bot.chat.kit.reply import Reply
from bot.chat.kit.widgets import Interaction, notice
from bot.model.bank import MOST_CHIPS, Action, AuditEntry, BankTerms, SeasonsPage, SeasonTerms
from bot.model.ids import GuildId, Player, TableId, TableKey
from bot.model.limits import LONGEST_REASON
from bot.model.reasons import BankReason
from bot.model.refusals import Stale
from bot.pure.ofc.refusals import Refused
from bot.text.refusals import refusal
from bot.text.words import escape_name, words_for
from cogs.table.open_table import template_choices, template_named
from cogs.table.past_hands import TableOption

log = logging.getLogger(__name__)

LAST_PAGE = 9_999
Reason = app_commands.Range[str, 1, LONGEST_REASON]
TemplateName = app_commands.Range[str, 1, 100]
Amount = app_commands.Range[int, 0, MOST_CHIPS]
CHANGES = (Action.GIVE, Action.TAKE, Action.SET)


def wallet_of(user: object) -> Player:
    """Somebody who can have chips; raises Refused for a bot, and for one that Discord does not name."""
    if not isinstance(user, discord.User | discord.Member) or user.bot:
        raise Refused(BankReason.NO_WALLET)
    return Player(str(user.id))


@app_commands.guild_only()
@app_commands.default_permissions(manage_guild=True)
class Admin(commands.GroupCog, group_name="admin", group_description=described("admin")):
    """What managers do: nobody else, asked again at each command and press."""

    def __init__(self, bot: Client) -> None:
        super().__init__()
        self.bot = bot
        self.services = bot.services
        for verb, handler in {
            "audit": self.turn_page,
            "bank_chips": self.ask_chips,
            "bank_given": self.change_chips,
            "bank_channel": self.set_channel,
            "season_ask": self.ask_season,
            "season_begun": self.start_season,
            "season_terms": self.change_seasons,
            "season_end": self.end_season,
            "season_role": self.set_role,
            "season_channel": self.set_season_channel,
        }.items():
            bot.services.gate.route(verb, for_managers(handler))
        gate = bot.services.gate
        answer_form(
            BANK, gate, state=self._bank_state, keep=self._keep_terms, show=self._show_terms, guard=for_managers
        )
        answer_form(
            TITLE, gate, state=self._season_state, keep=self._keep_seasons, show=self._show_after, guard=for_managers
        )

    @override
    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Only for those who manage the server, whatever its settings for commands say."""
        if not interaction.permissions.manage_guild:
            raise app_commands.MissingPermissions(["manage_guild"])
        return True

    @app_commands.command(name="chips", description=described("admin_chips"))
    @app_commands.describe(
        action=described("option_action"),
        player=described("option_whom"),
        chips=described("option_chips"),
        reason=described("option_reason_told"),
    )
    @app_commands.choices(
        action=[
            app_commands.Choice(name=named(f"bank.action.{action.value}"), value=action.value) for action in CHANGES
        ]
    )
    async def chips(
        self, interaction: Interaction, action: str, player: discord.User, chips: Amount, reason: Reason
    ) -> None:
        """Give chips to a player, take them, or set their wallet to a number."""

        async def body(reply: Reply) -> None:
            whom = wallet_of(player)
            entry = await self.services.bank.change_chips(
                reply.guild, reply.player, whom, Action(action), chips, reason, cause=reply.cause
            )
            await self._tell(reply, entry)

        await self.services.gate.run(interaction, body)

    @app_commands.command(name="freeze", description=described("admin_freeze"))
    @app_commands.describe(player=described("option_whom"), reason=described("option_reason_told"))
    async def freeze(self, interaction: Interaction, player: discord.User, reason: Reason) -> None:
        """Keep a player from moving chips."""

        async def body(reply: Reply) -> None:
            bank, whom = self.services.bank, wallet_of(player)
            await self._tell(reply, await bank.freeze(reply.guild, reply.player, whom, reason, cause=reply.cause))

        await self.services.gate.run(interaction, body)

    @app_commands.command(name="unfreeze", description=described("admin_unfreeze"))
    @app_commands.describe(player=described("option_whom"), reason=described("option_reason_told"))
    async def unfreeze(self, interaction: Interaction, player: discord.User, reason: Reason) -> None:
        """Let a player move chips again."""

        async def body(reply: Reply) -> None:
            bank, whom = self.services.bank, wallet_of(player)
            await self._tell(reply, await bank.unfreeze(reply.guild, reply.player, whom, reason, cause=reply.cause))

        await self.services.gate.run(interaction, body)

    @app_commands.command(name="audit", description=described("admin_audit"))
    @app_commands.describe(player=described("option_about"))
    async def audit(self, interaction: Interaction, player: discord.User | None = None) -> None:
        """What managers have done with chips, and chips that only went one way."""

        async def body(reply: Reply) -> None:
            await self._show_log(reply, page=0, player=None if player is None else Player(str(player.id)))

        await self.services.gate.run(interaction, body)

    @app_commands.command(name="bank", description=described("admin_bank"))
    async def bank(self, interaction: Interaction) -> None:
        """What the bank gives, and to whom."""

        async def body(reply: Reply) -> None:
            await self._show_terms(reply)

        await self.services.gate.run(interaction, body)

    @app_commands.command(name="seasons", description=described("admin_seasons"))
    async def seasons(self, interaction: Interaction) -> None:
        """Which season runs, and how the next one begins."""

        async def body(reply: Reply) -> None:
            await self._show_seasons(reply, await self.services.bank.seasons(reply.guild))

        await self.services.gate.run(interaction, body)

    @app_commands.command(name="templates", description=described("admin_templates"))
    async def templates(self, interaction: Interaction) -> None:
        """The names under which tables are opened."""

        async def body(reply: Reply) -> None:
            await reply.say(templates_text(await self.services.together.templates(reply.guild), reply.words))

        await self.services.gate.run(interaction, body)

    @app_commands.command(name="template-save", description=described("admin_template_save"))
    @app_commands.describe(
        name=described("option_template_name"),
        table=described("option_template_table"),
        replacing=described("option_template_replace"),
    )
    @app_commands.rename(replacing="replace")
    async def save_template(
        self, interaction: Interaction, name: TemplateName, table: TableOption, replacing: bool = False
    ) -> None:
        """Name a table, for others to be opened like it."""

        async def body(reply: Reply) -> None:
            key = TableKey(guild=reply.guild, table=TableId(table))
            await demand_seen(self.services.play, reply, key)
            saved = await self.services.together.save_template(key, name, by=reply.player, replacing=replacing)
            await reply.say(reply.words("template.saved", name=escape_name(saved.name), table=table))

        await self.services.gate.run(interaction, body)

    @app_commands.command(name="template-delete", description=described("admin_template_delete"))
    @app_commands.describe(name=described("option_template"))
    async def delete_template(self, interaction: Interaction, name: TemplateName) -> None:
        """Forget a name."""

        async def body(reply: Reply) -> None:
            meant = await template_named(self.services, reply, name)
            removed = await self.services.together.remove_template(reply.guild, meant)
            await reply.say(reply.words("template.deleted", name=escape_name(removed.name)))

        await self.services.gate.run(interaction, body)

    @delete_template.autocomplete("name")
    async def template_names(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The server's templates."""
        return await template_choices(self.services, interaction, current)

    # the log

    async def turn_page(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Older or newer lines."""
        number = long_id(press.argument)
        await self._show_log(reply, page=min(press.hand, LAST_PAGE), player=Player(str(number)) if number else None)

    async def _show_log(self, reply: Reply, *, page: int, player: Player | None) -> None:
        bank = self.services.bank
        entries = await bank.audit_log(reply.guild, player=player, limit=ENTRIES + 1, skip=page * ENTRIES)
        flows = [] if page or player else await bank.flows(reply.guild)
        await reply.show(audit_screen(entries, flows, reply.words, page=page, player=player))

    async def _tell(self, reply: Reply, entry: AuditEntry) -> None:
        """Answer the manager, then tell the channel of the log where there is one."""
        await reply.say(done_line(entry, reply.words))
        terms = await self.services.bank.terms(reply.guild)
        if terms.audit_channel is not None:
            await self._post(reply.guild, terms.audit_channel, entry, reply)

    async def _post(self, guild: GuildId, channel: int, entry: AuditEntry, reply: Reply) -> None:
        server = await self.services.play.server(guild)
        words = words_for(server.language) if server.language else reply.words
        screen = notice(audit_line(entry, words), colour=QUIET_COLOUR)
        try:
            await post(self.bot.get_partial_messageable(channel), screen, "audit", guild, entry.number)
        except discord.HTTPException as error:
            log.warning("the log of server %s could not be posted: %s", guild, error)

    # seasons

    async def ask_season(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Ask for the next one's name."""
        form = season_form(await self.services.bank.seasons(reply.guild), reply.words)
        await reply.ask(form, again=press.but("season_ask"))

    async def start_season(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """It was named, or not."""
        name, newest = next(iter(values), ""), newest_seen(press)
        page = await self.services.bank.start_season(reply.guild, reply.player, name, newest=newest, cause=reply.cause)
        await self._show_seasons(reply, page)

    async def change_seasons(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """How the next one begins; what decides for all is asked first."""
        page = await self.services.bank.seasons(reply.guild)
        if asks_first(press, page):
            await reply.show(terms_question(press, page, reply.words, now_ms=self.services.publisher.now()))
        else:
            await self._change_seasons(reply, begun_by(press))

    async def set_role(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The role of champions; none chosen is none."""
        role = next(iter(ids_of(values)), None)
        server = await self.services.play.server(reply.guild)
        if role is not None and (problem := role_problem(reply.interaction, role, server)):
            await self._refuse(reply, reply.words(f"given_role.{problem.value}", role=f"<@&{role}>"))
            return
        by = None if role is None else reply.player
        await self._change_seasons(reply, lambda terms: replace(terms, role=role, role_by=by))

    async def set_season_channel(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Where the end of a season is posted; none chosen is nowhere."""
        channel = self._chosen_channel(reply, values)
        allowed = None if channel is None else allowed_in(reply.interaction, channel)
        lacking = [] if allowed is None else missing(allowed, NEEDED)
        if lacking:
            told = labels_of(lacking, reply.words)
            await self._refuse(reply, reply.words("season.channel_refused", channel=channel or 0, permissions=told))
            return
        await self._change_seasons(reply, lambda terms: replace(terms, channel=channel))

    @staticmethod
    def _chosen_channel(reply: Reply, values: Sequence[str]) -> int | None:
        """The channel that was chosen for the bot's own posts; raises Refused where the manager may not write."""
        channel = next(iter(chosen_channels(reply.interaction, values)), None)
        if channel is not None:
            check_may_write(reply.interaction, channel)
        return channel

    async def _season_state(self, reply: Reply, press: Press) -> PageState[SeasonTerms, None]:
        page = await self.services.bank.seasons(reply.guild)
        return PageState(record=page.terms, context=None, words=reply.words)

    async def _keep_seasons(self, reply: Reply, press: Press, change: Change[SeasonTerms]) -> None:
        await self.services.bank.change_seasons(reply.guild, reply.player, change, cause=reply.cause)

    async def _show_after(self, reply: Reply, problem: str) -> None:
        await self._show_seasons(reply, await self.services.bank.seasons(reply.guild), problem=problem)

    async def _change_seasons(self, reply: Reply, change: Callable[[SeasonTerms], SeasonTerms]) -> None:
        page = await self.services.bank.change_seasons(reply.guild, reply.player, change, cause=reply.cause)
        await self._show_seasons(reply, page)

    async def _refuse(self, reply: Reply, problem: str) -> None:
        """Show the page as it was, with why."""
        reply.outcome = Outcome.REFUSED
        await self._show_seasons(reply, await self.services.bank.seasons(reply.guild), problem=problem)

    async def end_season(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The one that runs ends, once it was asked."""
        page = await self.services.bank.seasons(reply.guild)
        if page.running is not None and not press.argument.endswith(SURE):
            await reply.show(end_question(page.running, page, reply.words))
            return
        newest = newest_seen(press)
        page = await self.services.bank.end_season(reply.guild, reply.player, newest=newest, cause=reply.cause)
        await self._show_seasons(reply, page)

    async def _show_seasons(self, reply: Reply, page: SeasonsPage, *, problem: str = "") -> None:
        page = replace(page, terms=_without_gone(page.terms, reply.interaction.guild))
        await reply.show(seasons_screen(page, reply.words, problem=problem))

    # the bank

    async def _terms(self, reply: Reply) -> BankTerms:
        """The terms, without a channel that is gone: a menu that names one is refused by Discord."""
        terms, guild = await self.services.bank.terms(reply.guild), reply.interaction.guild
        gone = guild is not None and guild.get_channel(terms.audit_channel or 0) is None
        return replace(terms, audit_channel=None) if gone else terms

    async def _bank_state(self, reply: Reply, press: Press) -> PageState[BankTerms, None]:
        return PageState(record=await self.services.bank.terms(reply.guild), context=None, words=reply.words)

    async def _keep_terms(self, reply: Reply, press: Press, change: Change[BankTerms]) -> None:
        bank = self.services.bank
        said = terms_told(change(await bank.terms(reply.guild)), reply.words)
        await bank.change_terms(reply.guild, reply.player, change, said=said, cause=reply.cause)

    async def _show_terms(self, reply: Reply, problem: str = "") -> None:
        await reply.show(terms_screen(await self._terms(reply), reply.words))

    async def _asked_back(self, reply: Reply, why: str, fields: Sequence[AnyField], values: Sequence[str]) -> None:
        reply.outcome = Outcome.REFUSED
        await reply.show_refused(refused_form(why, fields, values, HERE.but("bank_chips"), reply.words))

    async def ask_chips(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Ask whose chips, how many and why; what was refused is still there."""
        fields = as_typed_before(chips_fields(reply.words), reply.pressed_texts)
        form = modal(HERE.but("bank_given"), reply.words("bank.chips.title"), fields)
        await reply.ask(form, again=HERE.but("bank_chips"))

    async def change_chips(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Give chips to a player, take them, or set their wallet to a number."""
        fields, words = chips_fields(reply.words), reply.words
        if len(values) != len(fields):
            raise Stale
        whom, done, written, reason = values
        action, numbers = next((one for one in CHANGES if one.value == done), None), numbers_in(written, 1)
        player = next(iter(people_of(reply.interaction, picked(whom))), None)
        try:
            if player is None or action is None:
                raise Refused(BankReason.NO_WALLET)
            if numbers is None or numbers[0] > MOST_CHIPS:
                unread = {"field": words("bank.chips.chips"), "written": escape_name(written.strip()[:LONGEST_SHOWN])}
                await self._asked_back(reply, words("bank.terms.unread", **unread), fields, values)
                return
            entry = await self.services.bank.change_chips(
                reply.guild, reply.player, player, action, numbers[0], reason[:LONGEST_REASON], cause=reply.cause
            )
        except Refused as refused:
            await self._asked_back(reply, refusal(refused, words), fields, values)
            return
        await self._tell(reply, entry)

    async def set_channel(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Where the log is posted; none chosen is nowhere."""
        channel = self._chosen_channel(reply, values)
        terms = await self.services.bank.change_terms(
            reply.guild,
            reply.player,
            lambda before: replace(before, audit_channel=channel),
            said=f"<#{channel}>" if channel else "-",
            cause=reply.cause,
        )
        await reply.show(terms_screen(terms, reply.words))


def _without_gone(terms: SeasonTerms, guild: discord.Guild | None) -> SeasonTerms:
    """The terms without a channel or a role that is gone: a menu that names one is refused by Discord."""
    if guild is None:
        return terms
    channel = terms.channel if guild.get_channel(terms.channel or 0) else None
    return replace(terms, channel=channel, role=terms.role if guild.get_role(terms.role or 0) else None)


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Admin(bot))
