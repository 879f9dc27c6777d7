"""``/ofc table``: everything that players can do at cash tables as a typed command, and the tables to choose from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from discord import app_commands
from discord.ext import commands

from bot.chat.client import Client
from bot.chat.kit.acts.act import ActInputs, Option
from bot.chat.kit.acts.command import ActCommand, Choice
from bot.chat.kit.command_words import description_for
from bot.chat.kit.ofc import OFC
from bot.chat.kit.permissions_here import MAX_LISTED, require_visible, tables_seen
from bot.chat.kit.reply import Reply
from bot.chat.kit.typed_choice import NamedChoice
from bot.chat.kit.widgets import Interaction
from bot.chat.services import Services
from bot.model.ids import TableId, TableKey
from bot.model.refusals import Stale
from bot.play.queries.views import TableView
from bot.play.table.seats import may_sit_out
from bot.pure.ofc.refusals import Refused
from cogs.table.acts import FOR_MANAGERS, TableAct, TableActs, TableTarget

VERB = "tb_act"
WAITS, OWN, HERE, OTHER = range(4)
"""Ranks of tables: the player's own where it's their turn, their other ones, those in the channel, and the rest."""
_NUMBER = re.compile(r"(\d{1,9})\D*")
Text = app_commands.Range[str, 0, 100]


class TableSource:
    """The tables that a player may see, and the possible actions on them."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self.acts = TableActs(services).all()

    async def targets(self, reply: Reply, typed: str) -> Sequence[TableTarget]:
        """Return the player's own tables, those in this channel, others that they may see, and the server."""
        if not reply.is_in_server:
            return [_OUTSIDE]
        seen = [one for one in await tables_seen(self._services.play, reply) if not one.hidden_from(reply.player)]
        views = [await self._services.play.look(table.key, reply.player) for table in seen]
        ranked = sorted(views, key=lambda view: _rank(reply, view))[:MAX_LISTED]
        wallet = await self._wallet(reply, views)
        tables = [self._target(reply, view, wallet) for view in ranked]
        tables += await self._numbered(reply, typed, tables)
        server = TableTarget(begins=False, rank=OTHER, at_many=_at_many(views))
        return [TableTarget(begins=True, here=True), *tables, server]

    async def _numbered(self, reply: Reply, typed: str, listed: Sequence[TableTarget]) -> Sequence[TableTarget]:
        """Return the table whose number is in ``typed``, unless it's listed already. Not all tables are listed."""
        match = _NUMBER.search(typed)
        number = int(match[1]) if match is not None else 0
        if not number or any(target.number == number for target in listed):
            return []
        try:
            return [await self._table(reply, TableKey(guild=reply.guild, table=TableId(number)))]
        except (Refused, Stale):
            return []

    async def target(self, reply: Reply, number: int, tag: str) -> TableTarget:
        """Return a button's table, or the server; raises Refused."""
        play = self._services.play
        if not reply.is_in_server:
            return _OUTSIDE
        if not number:
            own = await play.tables_of(reply.guild, reply.player)
            return TableTarget(at_many=_at_many([await play.look(table.key, reply.player) for table in own]))
        key = TableKey(guild=reply.guild, table=TableId(number), tag=tag)
        return await self._table(reply, key)

    async def _wallet(self, reply: Reply, views: Sequence[TableView]) -> int:
        """Return the player's chips that aren't at tables; 0 if ``views`` has no cash table.

        Loading a wallet creates it, and suggestions must not do that.
        """
        if not any(view.mine is not None and view.table.cash for view in views):
            return 0
        return await self._services.play.wallet(reply.guild, reply.player)

    async def _table(self, reply: Reply, key: TableKey) -> TableTarget:
        """Return a table that the player may see, or may close as a manager; otherwise raises Refused."""
        play = self._services.play
        try:
            await require_visible(play, reply, key)
        except Refused:
            if not reply.interaction.permissions.manage_guild:
                raise
            # A manager must be able to close a table even if its channel was deleted or is hidden from them.
            view = await play.look(key, reply.player)
            return replace(self._target(reply, view, 0), names=(), hidden=True)
        view = await play.look(key, reply.player)
        return self._target(reply, view, await self._wallet(reply, [view]))

    def _target(self, reply: Reply, view: TableView, wallet: int) -> TableTarget:
        table, called = view.table, self._services.faces.names.plain
        others = [place.seat for place in view.places if place.seat.player != view.you]
        unknown = partial(reply.words, "table_acts.unknown")
        return TableTarget(
            view=view,
            name=reply.words("table_acts.table", table=table.number),
            here=table.channel == reply.interaction.channel_id,
            rank=_rank(reply, view),
            wallet=wallet,
            manages=reply.interaction.permissions.manage_guild,
            names=tuple(
                NamedChoice(
                    name=called(reply.guild, one.player, reply.words) or unknown(seat=one.number + 1), value=one.player
                )
                for one in others
            ),
            pages=self._services.page_links.served,
        )

    def why_not(self, reply: Reply, act: TableAct, targets: Sequence[TableTarget]) -> str:
        """Explain why no table allows the action."""
        if not reply.is_in_server:
            return reply.words("gate.only_in_servers")
        if act.key in FOR_MANAGERS and not reply.interaction.permissions.manage_guild:
            return reply.words("gate.needs_manage_server")
        seated = any(target.is_seated for target in targets)
        return reply.words(f"table_acts.why.{'seated' if seated else 'not_seated'}", act=reply.words(act.name))


_OUTSIDE = TableTarget(begins=True, here=True)
"""The target in direct messages, where tables of all servers are listed."""


def _at_many(views: Sequence[TableView]) -> bool:
    """True if the reader of ``views`` can sit out at several tables."""
    return sum(view.mine is not None and may_sit_out(view.table, view.mine.seat) for view in views) > 1


def _rank(reply: Reply, view: TableView) -> int:
    if view.mine is not None:
        return WAITS if view.you in view.waiting else OWN
    return HERE if view.table.channel == reply.interaction.channel_id else OTHER


class TableCommand(commands.Cog):
    """The command ``/ofc table``."""

    def __init__(self, bot: Client) -> None:
        services = bot.services
        self._acts = ActCommand(services.gate, TableSource(services), verb=VERB, anywhere=True)

    @app_commands.command(name="table", description=description_for("ofc_table"), extras=OFC)
    @app_commands.describe(
        do=description_for("option_act"),
        player=description_for("option_table_player"),
        value=description_for("option_table_value"),
    )
    async def table(self, interaction: Interaction, do: Text, player: Text = "", value: Text = "") -> None:
        """Do something at a table, or find one."""
        await self._acts.run(interaction, do, ActInputs(player=player, value=value))

    @table.autocomplete("do")
    async def suggest_do(self, interaction: Interaction, current: str) -> list[Choice]:
        """Suggest the actions that are possible now."""
        return await self._acts.suggest_do(interaction, current)

    @table.autocomplete("player")
    async def suggest_player(self, interaction: Interaction, current: str) -> list[Choice]:
        """Suggest the players at the table."""
        return await self._acts.suggest(Option.PLAYER, interaction, current)

    @table.autocomplete("value")
    async def suggest_value(self, interaction: Interaction, current: str) -> list[Choice]:
        """Suggest values for the typed act."""
        return await self._acts.suggest(Option.VALUE, interaction, current)


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(TableCommand(bot))
