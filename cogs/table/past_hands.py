"""Finished hands: results with `/ofc result`, the list of a player's own hands, and replays street by street."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

import discord
from discord import app_commands
from discord.ext import commands
from typing_extensions import override

from bot.chat.client import Client
from bot.chat.club.screens.profile_tabs import ProfilePart, profile_tabs
from bot.chat.kit.command_words import description_for
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.fragments import NOWHERE
from bot.chat.kit.game_choice import MAX_CHOICES
from bot.chat.kit.gate import PressKind
from bot.chat.kit.modals import modal
from bot.chat.kit.ofc import OFC
from bot.chat.kit.permissions_here import (
    may_post,
    may_see,
    public_language,
    require_hand_visible,
    require_visible,
    sees,
)
from bot.chat.kit.posting import post
from bot.chat.kit.reply import NO_PINGS, Reply, in_a_new_message
from bot.chat.kit.suggestions import shortened
from bot.chat.kit.text_only import aloud
from bot.chat.kit.typed_choice import NamedChoice, fitting, the_one
from bot.chat.kit.typed_press import LABEL_LENGTH, DoOption
from bot.chat.kit.widgets import Interaction, Screen
from bot.chat.services import Services
from bot.chat.table.posts.own_tables import typed_number_of
from bot.chat.table.posts.result_posts import learn_names, post_picture
from bot.chat.table.screens.fairness import hand_choice, table_choice
from bot.chat.table.screens.replay import (
    HANDS,
    LAST_PAGE,
    STEPS,
    filter_fields,
    filtered,
    history_screen,
    parse_filter,
    parse_step,
    replay_screen,
    shown_to_all,
)
from bot.chat.table.screens.result import details_screens, result_screens
from bot.chat.table.screens.typed_placement import waiting_text
from bot.model.hands import HandFilter
from bot.model.ids import GuildId, TableId, TableKey
from bot.model.reasons import HandReason, TableReason
from bot.model.refusals import Stale
from bot.model.tables import Table, TableState
from bot.play.queries.replays import Replay
from bot.play.queries.results import ResultView
from bot.pure.ofc.refusals import Refused
from bot.text.words import Words, words_for
from bot.text.zones import zone_named

MAX_COMPARED = 100
"""Maximum number of tables or hands compared per keystroke."""
MET_IN = 50
"""Number of recent hands whose players are offered as opponents."""
MAX_NUMBER_LENGTH = 10
"""Number of digits above which a number is too long for a button."""


EXACT = "="
"""Prefix of a suggested table's stored id, if its number for people means another table."""


class Number(app_commands.Transformer):
    """A number, with suggestions while the player types."""

    @property
    @override
    def type(self) -> discord.AppCommandOptionType:
        """Discord's type of the option."""
        return discord.AppCommandOptionType.integer

    @property
    @override
    def min_value(self) -> int:
        """The smallest number."""
        return 1

    @property
    @override
    def max_value(self) -> int:
        """The largest number that a button can carry."""
        return 999_999_999

    @override
    async def transform(self, interaction: Interaction, value: int) -> int:
        """Return the number unchanged."""
        return value


class MyTable(Number):
    """One of the player's tables, suggested by name. Tables where it's their turn come first."""

    @override
    async def autocomplete(self, interaction: Interaction, value: Any) -> list[app_commands.Choice[Any]]:
        """Suggest the tables that match the typed text."""
        services: Services = interaction.client.services
        reply = await services.gate.typing(interaction)
        panels = await services.own_tables.panels(reply)
        panels.sort(key=lambda panel: not panel.waits)
        tables = [panel.view.table for panel in panels]
        named = [
            (waiting_text(panel, reply.words), typed_number_of(table, tables))
            for panel, table in zip(panels, tables, strict=True)
        ]
        return fitting_numbers(named, str(value))


MyTableOption = app_commands.Transform[int, MyTable]


async def _table_seen(interaction: Interaction, key: TableKey) -> bool:
    """True if the table exists and its channel is visible to the user."""
    services: Services = interaction.client.services
    try:
        return may_see(interaction, (await services.play.look(key)).table.channel)
    except Refused:
        return False


def fitting_numbers(named: Sequence[tuple[str, int]], current: str) -> list[app_commands.Choice[Any]]:
    """Return the choices whose number starts with the typed text, or whose name contains it."""
    typed = current.strip().casefold()
    fitting = [(name, value) for name, value in named if str(value).startswith(typed) or typed in name.casefold()]
    return [app_commands.Choice(name=name[:100], value=value) for name, value in fitting[:MAX_CHOICES]]


def numbered(typed: str) -> int:
    """Parse a number, which may have full-width digits; 0 for any other text."""
    text = typed.strip()
    return int(text) if text.isdecimal() and len(text) < MAX_NUMBER_LENGTH else 0


def _named_tables(tables: Sequence[Table], words: Words) -> list[NamedChoice[int]]:
    return [NamedChoice(name=table_choice(table, words), value=int(table.key.table)) for table in tables]


def _of_number(number: int, tables: Sequence[Table], *, here: int) -> int:
    """Return the stored id of the table that a typed number means.

    Events number their tables from 1, so a number may mean several tables. The newest of this channel goes first, then
    the server's own table with that number, then the newest of an event.
    """
    found = [table for table in tables if table.number == number]
    near = next((table for table in found if here in (table.channel, table.home)), None)
    if near is not None:
        return int(near.key.table)
    own = not found or any(table.key.table == number for table in found)
    return number if own else int(found[0].key.table)


def _choices(typed: str, named: Sequence[NamedChoice[int]], words: Words) -> list[app_commands.Choice[str]]:
    """Return the choices whose number starts with the typed one or, if there are none, whose name matches."""
    begun = typed.strip()
    found = [one for one in named if begun.isdecimal() and str(one.value).startswith(str(int(begun)))]
    found = found or fitting(typed, named)
    choices = [app_commands.Choice(name=one.name[:LABEL_LENGTH], value=str(one.value)) for one in found]
    return shortened(choices, typed, words)


class PastHands(commands.Cog):
    """Handlers for results, a player's hands, and replays."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        gate = bot.services.gate
        gate.route("history", in_a_new_message(self.newest), anywhere=True)
        gate.route("hist_page", self.turn_page, anywhere=True)
        gate.route("hist_filter", self.ask_filters, anywhere=True)
        gate.route("hist_filtered", self.filter, anywhere=True)
        gate.route("hist_open", in_a_new_message(self.open), anywhere=True)
        gate.route("replay", in_a_new_message(self.step), anywhere=True)
        for verb in STEPS:
            gate.route(verb, self.step, anywhere=True)
        gate.route("read_result", self.read_result, anywhere=True)
        gate.route("hand_details", in_a_new_message(self.details), anywhere=True)
        gate.route("rp_file", in_a_new_message(self.file), anywhere=True)
        gate.route("rp_show", self.show_to_all, kind=PressKind.PUBLIC)

    @app_commands.command(name="result", description=description_for("result"), extras=OFC)
    @app_commands.describe(
        table=description_for("option_result_table"),
        hand=description_for("option_result_hand"),
        do=description_for("option_do"),
    )
    async def result(
        self,
        interaction: Interaction,
        table: app_commands.Range[str, 0, LABEL_LENGTH] = "",
        hand: app_commands.Range[str, 0, LABEL_LENGTH] = "",
        do: DoOption = "",
    ) -> None:
        """Show a finished hand, by default the newest one of the table or of this channel."""

        async def body(reply: Reply) -> None:
            await self._show_result(reply, await self._result(reply, table, hand))

        look = partial(self._look, table=table, hand=hand)
        await self.services.gate.run_or_press(interaction, body, do, look=look, anywhere=True)

    async def _result(self, reply: Reply, table: str, hand: str) -> ResultView:
        key, number = await self._meant(reply, table, hand)
        await require_hand_visible(self.services.play, reply, key, number)
        return await self.services.play.result(key, number, reply.player)

    async def _meant(self, reply: Reply, table: str, hand: str) -> tuple[TableKey, int]:
        """Return the chosen or typed hand; raises Refused."""
        if not table.strip() and not hand.strip():
            return await self._newest_here(reply)
        key = TableKey(guild=reply.guild, table=TableId(await self._table(reply, table)))
        return key, await self._hand(reply, key, hand) if hand.strip() else await self._newest(reply, key)

    async def _newest_here(self, reply: Reply) -> tuple[TableKey, int]:
        """Return the newest hand of this channel or, outside servers, of the player's own practice."""
        if reply.outside:
            mine = await self.services.play.past_hands(reply.guild, reply.player, HandFilter(), page=0, lines=1)
            found = [(line.table.key, line.record.hand_no) for line in mine.lines]
        else:
            here = await self.services.play.newest_hand_in(reply.guild, reply.interaction.channel_id or 0)
            found = [] if here is None else [here]
        if not found:
            raise Refused(HandReason.NO_HAND_HERE)
        return found[0]

    async def _table(self, reply: Reply, typed: str) -> int:
        """Return the number of the typed table, or of this channel's newest table if none was typed. Raises Refused."""
        if not typed.strip():
            key, _ = await self._newest_here(reply)
            return int(key.table)
        if typed.startswith(EXACT) and (exact := numbered(typed.removeprefix(EXACT))):
            return exact
        tables = await self._tables(reply.interaction)
        if number := numbered(typed):
            return _of_number(number, tables, here=reply.interaction.channel_id or 0)
        if not tables:
            raise Refused(TableReason.NO_TABLE)
        return the_one(typed, _named_tables(tables, reply.words), reply.words)

    async def _hand(self, reply: Reply, key: TableKey, typed: str) -> int:
        if number := numbered(typed):
            return number
        await require_visible(self.services.play, reply, key)
        return the_one(typed, await self._hands(key, reply.words), reply.words)

    async def _tables(self, interaction: Interaction) -> list[Table]:
        """Return the tables with hands, newest first."""
        guild = GuildId(interaction.guild_id or 0)
        tables = await self.services.play.newest_tables(guild, limit=MAX_COMPARED)
        return [table for table in tables if table.hand_no and may_see(interaction, table.channel)]

    async def _hands(self, key: TableKey, words: Words) -> list[NamedChoice[int]]:
        """Return the hands of a table, newest first."""
        hands = await self.services.play.listed_hands(key, limit=MAX_COMPARED)
        zone = ZoneInfo(zone_named((await self.services.play.server(key.guild)).zone) or words.language.zone)
        return [NamedChoice(name=hand_choice(hand, words, zone), value=hand.hand_no) for hand in hands]

    @result.autocomplete("table")
    async def suggest_tables(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest the tables that match the typed text."""
        words = await self.services.gate.words_of(interaction)
        tables, begun = await self._tables(interaction), current.strip()
        shown = [table for table in tables if begun.isdecimal() and str(table.number).startswith(str(int(begun)))]
        found = _named_tables(shown, words) or fitting(current, _named_tables(tables, words))
        numbers = {int(table.key.table): table.number for table in tables}
        here = interaction.channel_id or 0

        def typed(table: int) -> str:
            number = numbers[table]
            return str(number) if _of_number(number, tables, here=here) == table else f"{EXACT}{table}"

        choices = [app_commands.Choice(name=one.name[:LABEL_LENGTH], value=typed(one.value)) for one in found]
        return shortened(choices, current, words)

    @result.autocomplete("hand")
    async def suggest_hands(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest the matching hands of the chosen table, or of this channel's newest one."""
        reply = await self.services.gate.typing(interaction)
        typed = str(getattr(interaction.namespace, "table", None) or "")
        try:
            key = TableKey(guild=reply.guild, table=TableId(await self._table(reply, typed)))
            hands = await self._hands(key, reply.words) if await _table_seen(interaction, key) else []
        except Refused:
            return []
        return _choices(current, hands, reply.words)

    async def _look(self, reply: Reply, *, table: str, hand: str) -> None:
        """Show the result, its details and its replay."""
        view = await self._result(reply, table, hand)
        faces = self.services.faces_for(reply)
        for screen in (*result_screens(view, reply.words, faces), *details_screens(view, reply.words, faces)):
            await reply.show(screen)
        press = Press(verb="replay", table=view.table.key.table, tag=view.table.tag, hand=view.record.hand_no)
        await self.services.gate.handle(reply, press, ())

    @result.autocomplete("do")
    async def buttons(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest the buttons on the result and its replay."""
        table, hand = (str(getattr(interaction.namespace, name, None) or "") for name in ("table", "hand"))
        return await self.services.gate.buttons(interaction, partial(self._look, table=table, hand=hand), current)

    async def _show_result(self, reply: Reply, view: ResultView) -> None:
        """Show the result in the form that is posted without a picture."""
        await self._show_pages(reply, result_screens(view, reply.words, self.services.faces_for(reply)))

    async def _show_pages(self, reply: Reply, pages: Sequence[Screen], *, apart: bool = False) -> None:
        first, *more = pages
        await (reply.show_separately(first) if apart else reply.show(first))
        for page in more:
            heard = aloud(page, reply.words, reply.member_settings)
            await reply.interaction.followup.send(view=heard, ephemeral=True, allowed_mentions=NO_PINGS)

    async def read_result(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the complete result in a new message."""
        view, faces = await self._pressed_result(reply, press), self.services.faces_for(reply)
        await self._show_pages(reply, result_screens(view, reply.words, faces, whole=True), apart=True)

    async def details(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show all details of a hand as text, with its proof."""
        view = await self._pressed_result(reply, press)
        await self._show_pages(reply, details_screens(view, reply.words, self.services.faces_for(reply)))

    async def _pressed_result(self, reply: Reply, press: Press) -> ResultView:
        key = reply.key(press)
        await require_hand_visible(self.services.play, reply, key, press.hand)
        return await self.services.play.result(key, press.hand, reply.player)

    async def _newest(self, reply: Reply, key: TableKey) -> int:
        """Return the newest finished hand, because a correspondence hand can take days to finish. Raises Refused."""
        view = await self.services.play.look(key, reply.player)
        if not view.table.hand_no:
            raise Refused(HandReason.NO_SUCH_HAND, last=0)
        running = view.table.state is TableState.PLAYING
        return max(1, view.table.hand_no - running)

    async def newest(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the newest of the player's hands."""
        await self._show_page(reply, HandFilter(), page=0)

    async def turn_page(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show newer or older hands."""
        await self._show_page(reply, parse_filter(press), page=min(press.hand, LAST_PAGE))

    async def ask_filters(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Ask for the game, opponent, period and outcome of the hands."""
        wanted = parse_filter(press)
        recent = await self.services.play.past_hands(reply.guild, reply.player, HandFilter(), page=0, lines=MET_IN)
        opponents = list(dict.fromkeys(player for line in recent.lines for player in line.others))
        await learn_names(self.bot, reply.guild, sorted(opponents), self.services.faces.names)
        fields = filter_fields(wanted, opponents, reply.guild, reply.words, self.services.faces.names)
        form = modal(NOWHERE.but("hist_filtered"), reply.words("history.filter"), fields)
        await reply.ask(form, again=press)

    async def filter(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the hands that match the filters."""
        await self._show_page(reply, filtered(values), page=0)

    async def _show_page(self, reply: Reply, wanted: HandFilter, *, page: int) -> None:
        found = await self.services.play.past_hands(reply.guild, reply.player, wanted, page=page, lines=HANDS)
        # Menus can't contain mentions, so the names are needed even after a restart.
        others = {player for line in found.lines for player in line.others}
        await learn_names(self.bot, reply.guild, sorted(others), self.services.faces.names)
        tabs = profile_tabs(reply.player, ProfilePart.HANDS, reply.words, own=True, outside=reply.outside)
        await reply.show(history_screen(found, reply.words, self.services.faces.names, tabs))

    async def open(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the replay of the chosen hand."""
        table, _, hand = next(iter(values), "").partition("/")
        if not (table.isascii() and table.isdigit() and hand.isascii() and hand.isdigit() and len(table + hand) < 19):
            await reply.done()
            return
        key = TableKey(guild=reply.guild, table=TableId(int(table)))
        replay = await self._replay(reply, key, int(hand))
        await reply.show(replay_screen(replay, 0, reply.words, self.services.faces_for(reply)))

    async def _replay(self, reply: Reply, key: TableKey, hand: int) -> Replay:
        """Return the replay if the player was in the hand or may see its table's channel; otherwise raises Refused."""
        await require_hand_visible(self.services.play, reply, key, hand)
        return await self.services.play.replay(key, hand, reply.player)

    async def step(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the step of a replay that a button leads to."""
        replay = await self._replay(reply, reply.key(press), press.hand)
        step = parse_step(press, replay.last)
        await reply.show(replay_screen(replay, step, reply.words, self.services.faces_for(reply)))

    async def file(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Send the hand as a file."""
        await require_hand_visible(self.services.play, reply, reply.key(press), press.hand)
        text = await self.services.play.history_file(reply.key(press), press.hand, reply.player)
        file = discord.File(io.BytesIO(text.encode()), filename=f"chaipo-{press.table}-{press.hand}.phh")
        number = (await self.services.play.look(reply.key(press), reply.player)).table.number
        await reply.say(reply.words("replay.file", table=number, hand=press.hand), file=file)

    async def show_to_all(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Post the step in the channel. The result gets a picture of its boards."""
        if not await may_post(reply, "lobby.missing_permissions"):
            return
        # This applies even to the player's own hands, because hands from a hidden channel must not be shown elsewhere.
        table = (await self.services.play.look(reply.key(press), reply.player)).table
        if not await sees(reply.interaction, table.channel):
            raise Refused(TableReason.CHANNEL_HIDDEN)
        # The player's own view only serves as a check. What is posted is the public view, without their discards.
        mine = await self.services.play.replay(reply.key(press), press.hand, reply.player)
        if mine.result.table.private:
            raise Stale
        interaction, play = reply.interaction, self.services.play
        channel = interaction.channel_id or 0
        await play.require_postable(reply.key(press), press.hand, reply.player, channel)
        replay = await play.replay(reply.key(press), press.hand, None)
        words = words_for(public_language(interaction, await play.server(reply.guild)).code)
        await self._post(channel, replay, parse_step(press, replay.last), words, cause=reply.cause)
        await reply.say(reply.words("replay.shown"))

    async def _post(self, channel: int, replay: Replay, step: int, words: Words, *, cause: str) -> None:
        where, faces = self.bot.get_partial_messageable(channel), self.services.faces
        if step == replay.last and await post_picture(self.bot, where, replay.result, words, faces, "replay", cause):
            return
        await post(where, shown_to_all(replay, step, words, faces), "replay", cause)


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(PastHands(bot))
