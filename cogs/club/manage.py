"""``/manage``: the managers' actions on chips and templates, and the log of chip actions."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.base.meter import InteractionOutcome
from bot.chat.client import Client
from bot.chat.club.screens.bank import (
    CHANGES,
    ENTRIES,
    HERE,
    MANAGE,
    MAX_QUOTED_LENGTH,
    audit_line,
    audit_screen,
    chips_fields,
    done_line,
)
from bot.chat.kit.acts.act import ActField, ActInputs, ActValues, Option, TypedAct, everything
from bot.chat.kit.acts.command import ActCommand, Choice
from bot.chat.kit.command_words import description_for
from bot.chat.kit.custom_ids import Press, long_id
from bot.chat.kit.fragments import MAX_OPTIONS, QUIET_COLOUR, as_typed_before, refused_form
from bot.chat.kit.modals import AnyField, modal
from bot.chat.kit.permissions_here import for_managers, may_see, parse_people, require_visible
from bot.chat.kit.posting import post
from bot.chat.kit.presses import picked_values
from bot.chat.kit.reply import Reply
from bot.chat.kit.typed_choice import NamedChoice
from bot.chat.kit.widgets import Interaction, notice
from bot.chat.services import Services
from bot.chat.table.screens.lobby import table_title
from bot.model.bank import MAX_CHIPS, MIN_CHIPS, Action, AuditEntry
from bot.model.ids import GuildId, Player, TableId, TableKey
from bot.model.limits import MAX_REASON_LENGTH, MAX_TEMPLATE_NAME_LENGTH
from bot.model.reasons import BankReason
from bot.model.refusals import Stale
from bot.model.tables import Table
from bot.pure.ofc.refusals import Refused
from bot.text.numbers import MAX_NUMBER_LENGTH, whole_number
from bot.text.refusals import refusal
from bot.text.words import Words, escape_name, words_for

log = logging.getLogger(__name__)

LAST_PAGE = 9_999
MAX_TABLES = 100
"""Maximum number of tables, newest first, that are searched for cash tables."""
Text = app_commands.Range[str, 0, 100]
LongText = app_commands.Range[str, 0, MAX_REASON_LENGTH]


@dataclass(frozen=True, slots=True, kw_only=True)
class ManagedServer:
    """The server as a manager sees it."""

    manages: bool
    """False if the player isn't a manager and can't do anything."""
    templates: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    """The newest cash tables, open ones first."""
    name: str = ""
    here: bool = True
    rank: int = 0
    number: int = 0
    tag: str = ""

    def detail(self, words: Words) -> str:
        """Return nothing, because there's only one server."""
        return ""


Does = Callable[[Reply, ManagedServer, ActValues], Awaitable[str]]
ManagersAct = TypedAct[ManagedServer]


class ManagerActs:
    """The managers' actions, and the posts about actions on chips."""

    def __init__(self, services: Services, client: Client) -> None:
        self._services = services
        self._client = client
        self.acts: tuple[ManagersAct, ...] = (
            *(self._chips(action) for action in CHANGES),
            self._freezing("freeze", services.bank.freeze, undo="unfreeze"),
            self._freezing("unfreeze", services.bank.unfreeze, undo="freeze"),
            _act("audit", self._audit, asks=(_PLAYER_OR_ALL,)),
            _act("save", self._save, asks=(_TEMPLATE_NAME, _TABLE, _REPLACING)),
            _act("delete", self._delete, asks=(_TEMPLATE,), when=lambda server: bool(server.templates)),
            everything(lambda server: server.manages),
        )

    # interface for the command

    async def targets(self, reply: Reply, typed: str) -> Sequence[ManagedServer]:
        """Return the server if the player is a manager."""
        return [await self.target(reply, 0, "")] if reply.interaction.permissions.manage_guild else []

    async def target(self, reply: Reply, number: int, tag: str) -> ManagedServer:
        """Return the server with everything its managers can choose from."""
        if not reply.interaction.permissions.manage_guild:
            return ManagedServer(manages=False)
        templates = await self._services.matchmaking.templates(reply.guild)
        newest = await self._services.play.newest_tables(reply.guild, limit=MAX_TABLES)
        # A table that has been open for a long time may not be among the newest.
        tables = {table.key: table for table in [*await self._services.play.open_tables(reply.guild), *newest]}
        return ManagedServer(
            manages=True,
            templates=tuple(template.name for template, _ in templates),
            tables=tuple(
                table for table in tables.values() if table.cash and may_see(reply.interaction, table.channel)
            )[:MAX_OPTIONS],
        )

    def why_not(self, reply: Reply, act: ManagersAct, targets: Sequence[ManagedServer]) -> str:
        """Return who may perform the action, or what is missing."""
        if not reply.interaction.permissions.manage_guild:
            return reply.words("gate.needs_manage_server")
        return reply.words("template.none")

    # chips

    def _chips(self, action: Action) -> ManagersAct:
        async def does(reply: Reply, server: ManagedServer, values: ActValues) -> str:
            entry = await self._services.bank.change_chips(
                reply.guild, reply.player, _owner(reply, values), action, values.value, values.reason, cause=reply.cause
            )
            return await self.told(reply, entry)

        return _act(action.value, does, asks=(_PLAYER, _amount(action), _REASON))

    def _freezing(self, key: str, change: Callable[..., Awaitable[AuditEntry]], *, undo: str) -> ManagersAct:
        async def does(reply: Reply, server: ManagedServer, values: ActValues) -> str:
            whom = _owner(reply, values)
            return await self.told(
                reply, await change(reply.guild, reply.player, whom, values.reason, cause=reply.cause)
            )

        return _act(key, does, asks=(_PLAYER, _REASON), undo=undo)

    async def told(self, reply: Reply, entry: AuditEntry) -> str:
        """Post the entry in the log's channel if there is one, and return the text for the manager."""
        terms = await self._services.bank.terms(reply.guild)
        if terms.audit_channel is not None:
            await self._post(reply.guild, terms.audit_channel, entry, reply)
        return done_line(entry, reply.words)

    async def _post(self, guild: GuildId, channel: int, entry: AuditEntry, reply: Reply) -> None:
        server = await self._services.play.server(guild)
        words = words_for(server.language) if server.language else reply.words
        screen = notice(audit_line(entry, words), colour=QUIET_COLOUR)
        try:
            await post(self._client.get_partial_messageable(channel), screen, "audit", guild, entry.number)
        except discord.HTTPException as error:
            log.warning("the log of server %s could not be posted: %s", guild, error)

    async def _audit(self, reply: Reply, server: ManagedServer, values: ActValues) -> str:
        await self.show_log(reply, page=0, player=Player(values.player) if values.player else None)
        return ""

    async def show_log(self, reply: Reply, *, page: int, player: Player | None) -> None:
        """Show a page of the log, for all players or for one ``player``."""
        bank = self._services.bank
        entries = await bank.audit_log(reply.guild, player=player, limit=ENTRIES + 1, skip=page * ENTRIES)
        flows = [] if page or player else await bank.flows(reply.guild)
        await reply.show(audit_screen(entries, flows, reply.words, page=page, player=player))

    # templates

    async def _save(self, reply: Reply, server: ManagedServer, values: ActValues) -> str:
        key = TableKey(guild=reply.guild, table=TableId(values.table))
        await require_visible(self._services.play, reply, key)
        saved = await self._services.matchmaking.save_template(
            key, values.value, by=reply.player, replacing=values.extra == REPLACES
        )
        return reply.words("template.saved", name=escape_name(saved.name), table=key.table)

    async def _delete(self, reply: Reply, server: ManagedServer, values: ActValues) -> str:
        removed = await self._services.matchmaking.remove_template(reply.guild, values.value)
        return reply.words("template.deleted", name=escape_name(removed.name))


def _act(
    key: str, does: Does, *, when: Callable[[ManagedServer], bool] = lambda server: True, **more: Any
) -> ManagersAct:
    return TypedAct(
        key=key,
        name=f"manage.name.{key}",
        says=f"manage.says.{key}",
        also=f"manage.also.{key}",
        when=lambda server: server.manages and when(server),
        does=does,
        **more,
    )


# The fields of the actions.

REPLACES = "1"


def _amount(action: Action) -> ActField[ManagedServer]:
    def read(reply: Reply, server: ManagedServer, text: str) -> int:
        return _parse_chips(text, action)

    hint = "bank.chips.hint" if MIN_CHIPS[action] else "bank.chips.any_hint"
    return ActField(option=Option.VALUE, label="bank.chips.chips", hint=hint, max_length=MAX_NUMBER_LENGTH, read=read)


def _parse_chips(text: str, action: Action) -> int:
    """Return the typed number of chips; raises Refused."""
    chips = whole_number(text)
    if chips is None:
        raise Refused(BankReason.UNREAD_CHIPS, typed=escape_name(text[:MAX_QUOTED_LENGTH]))
    if not MIN_CHIPS[action] <= chips <= MAX_CHIPS:
        raise Refused(BankReason.BAD_CHIPS, least=MIN_CHIPS[action], most=MAX_CHIPS)
    return chips


def _tables(reply: Reply, server: ManagedServer) -> list[NamedChoice[str]]:
    return [
        NamedChoice(name=_titled(table, reply.words), value=str(table.key.table), others=(str(table.key.table),))
        for table in server.tables
    ]


def _titled(table: Table, words: Words) -> str:
    title = table_title(table, words)
    return title if table.open else words.facts([title, words("manage.closed")])


def _templates(reply: Reply, server: ManagedServer) -> list[NamedChoice[str]]:
    return [NamedChoice(name=name, value=name) for name in server.templates]


def _replacing(reply: Reply, server: ManagedServer) -> list[NamedChoice[str]]:
    return [NamedChoice(name=reply.words(f"manage.replace.{value}"), value=value) for value in ("0", REPLACES)]


_PLAYER: ActField[ManagedServer] = ActField(option=Option.PLAYER, label="bank.chips.player", members=True)
_PLAYER_OR_ALL: ActField[ManagedServer] = ActField(
    option=Option.PLAYER, label="bank.chips.player", members=True, optional=True
)
_REASON: ActField[ManagedServer] = ActField(
    option=Option.REASON, label="bank.chips.reason", hint="bank.chips.reason_hint", max_length=MAX_REASON_LENGTH
)
_TEMPLATE: ActField[ManagedServer] = ActField(
    option=Option.VALUE, label="manage.field.template", choices=_templates, max_length=MAX_TEMPLATE_NAME_LENGTH
)
_TEMPLATE_NAME: ActField[ManagedServer] = ActField(
    option=Option.VALUE,
    label="manage.field.template",
    hint="manage.hint.template",
    max_length=MAX_TEMPLATE_NAME_LENGTH,
)
_TABLE: ActField[ManagedServer] = ActField(
    option=Option.TABLE, label="manage.field.table", hint="manage.hint.table", choices=_tables
)
_REPLACING: ActField[ManagedServer] = ActField(
    option=Option.EXTRA, label="manage.field.replace", choices=_replacing, optional=True
)


def _owner(reply: Reply, values: ActValues) -> Player:
    """Return the player whose chips will be changed.

    Raises Refused if it's a bot, or if the form's data doesn't include the player.
    """
    interaction = reply.interaction
    data: Any = interaction.data or {}
    users = data.get("resolved", {}).get("users", {})
    in_form = interaction.type is discord.InteractionType.modal_submit
    member = interaction.guild.get_member(int(values.player)) if interaction.guild else None
    if (in_form and values.player not in users) or users.get(values.player, {}).get("bot"):
        raise Refused(BankReason.NO_WALLET)
    if member is not None and member.bot:
        raise Refused(BankReason.NO_WALLET)
    return Player(values.player)


class ManagerCommands(commands.Cog):
    """The managers' commands. Each command and press checks the permission again."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        gate = bot.services.gate
        self.source = ManagerActs(bot.services, bot)
        self.acts = ActCommand(gate, self.source, verb=MANAGE)
        for verb, handler in {
            "audit": self.turn_page,
            "bank_chips": self.ask_chips,
            "bank_given": self.change_chips,
        }.items():
            gate.route(verb, for_managers(handler))

    @app_commands.command(name="manage", description=description_for("manage"))
    @app_commands.guild_only()
    @app_commands.default_permissions(manage_guild=True)
    @app_commands.checks.has_permissions(manage_guild=True)
    @app_commands.describe(
        do=description_for("option_act"),
        player=description_for("option_whom"),
        value=description_for("option_manage_value"),
        reason=description_for("option_reason_told"),
    )
    async def manage(
        self,
        interaction: Interaction,
        do: Text,
        player: discord.User | None = None,
        value: Text = "",
        reason: LongText = "",
    ) -> None:
        """Manage chips, templates and the log (Manage Server)."""
        given = ActInputs(player="" if player is None else str(player.id), value=value, reason=reason)
        await self.acts.run(interaction, do, given)

    @manage.autocomplete("do")
    async def suggest_do(self, interaction: Interaction, current: str) -> list[Choice]:
        """Suggest the actions."""
        return await self.acts.suggest_do(interaction, current)

    @manage.autocomplete("value")
    async def suggest_value(self, interaction: Interaction, current: str) -> list[Choice]:
        """Suggest the templates that can be deleted."""
        return await self.acts.suggest(Option.VALUE, interaction, current)

    # the log

    async def turn_page(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show older or newer lines."""
        number = long_id(press.argument)
        player = Player(str(number)) if number else None
        await self.source.show_log(reply, page=min(press.hand, LAST_PAGE), player=player)

    # the form for chips on the log's page

    async def _asked_back(self, reply: Reply, why: str, fields: Sequence[AnyField], values: Sequence[str]) -> None:
        reply.outcome = InteractionOutcome.REFUSED
        await reply.show_refused(refused_form(why, fields, values, HERE.but("bank_chips"), reply.words))

    async def ask_chips(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Ask for the player, the chips and the reason. After a refusal, the form keeps what was typed."""
        fields = as_typed_before(chips_fields(reply.words), reply.pressed_texts)
        form = modal(HERE.but("bank_given"), reply.words("bank.chips.title"), fields)
        await reply.ask(form, again=HERE.but("bank_chips"))

    async def change_chips(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Give chips to a player, take chips, or set their wallet."""
        fields, words = chips_fields(reply.words), reply.words
        if len(values) != len(fields):
            raise Stale
        whom, done, written, reason = values
        action = next((one for one in CHANGES if one.value == done), None)
        player = next(iter(parse_people(reply.interaction, picked_values(whom))), None)
        try:
            if player is None or action is None:
                raise Refused(BankReason.NO_WALLET)
            chips = _parse_chips(written, action)
            entry = await self.services.bank.change_chips(
                reply.guild, reply.player, player, action, chips, reason[:MAX_REASON_LENGTH], cause=reply.cause
            )
        except Refused as refused:
            await self._asked_back(reply, refusal(refused, words), fields, values)
            return
        await reply.say(await self.source.told(reply, entry))


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(ManagerCommands(bot))
