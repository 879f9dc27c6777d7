"""Analysis of positions: ``/analyse``, its form, its menus and its buttons."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import discord
from discord import app_commands
from discord.ext import commands

from bot.base.meter import InteractionOutcome
from bot.chat.client import Client
from bot.chat.kit.command_words import description_for
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.fragments import as_typed_before, refused_form
from bot.chat.kit.game_choice import find_game, game_sent, games_named
from bot.chat.kit.modals import modal
from bot.chat.kit.reply import Reply
from bot.chat.kit.typed_press import DoOption
from bot.chat.kit.widgets import Interaction, Screen
from bot.chat.table.screens.rules import game_of as named_game
from bot.chat.trainer.screens.analysis import analysis_screen, buttons_screen, decisions_screen
from bot.chat.trainer.screens.position_form import (
    MAX_LENGTH,
    VERB,
    about,
    entry_screen,
    joined,
    plain,
    position_fields,
    shown_position,
    slip_text,
    split,
)
from bot.model.reasons import TrainerReason
from bot.pure.notation.files import HistoryError, read_history
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.variants import Variant, VariantError
from bot.pure.trainer.decisions import HandDecision, decisions
from bot.pure.trainer.packed import unpacked
from bot.pure.trainer.position import Position, PositionError, parse_position
from cogs.table.open_table import game_of

Handler = Callable[[Reply, Press, Sequence[str]], Awaitable[None]]
MAX_FILE_KB = 64
"""Maximum size of a hand's file. The bot's own are a few kilobytes."""


class Analysis(commands.Cog):
    """The command and the controls of analyses, in servers and outside them."""

    def __init__(self, bot: Client) -> None:
        self.services = bot.services
        self.trainer = bot.services.trainer
        self.open = bot.services.open_analyses
        handlers: dict[str, Handler] = {
            "game": self.game,
            "enter": self.enter,
            "entered": self.entered,
            "deeper": self.deeper,
            "from": self.decision,
        }
        for verb, handler in handlers.items():
            bot.services.gate.route(VERB + verb, self._pressed(handler), anywhere=True)

    def _pressed(self, handler: Handler) -> Handler:
        """Wrap a handler so that the link of a pressed message isn't renewed while the message is being replaced."""

        async def handled(reply: Reply, press: Press, values: Sequence[str]) -> None:
            self.open.forget(reply.player)
            await handler(reply, press, values)

        return handled

    @app_commands.command(name="analyse", description=description_for("analyse"))
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.describe(
        position=description_for("option_position"),
        game=description_for("option_variant"),
        hand=description_for("option_hand_file"),
        do=description_for("option_do"),
    )
    async def command(
        self,
        interaction: Interaction,
        position: app_commands.Range[str, 0, MAX_LENGTH] = "",
        game: app_commands.Range[str, 0, 100] = "",
        hand: discord.Attachment | None = None,
        do: DoOption = "",
    ) -> None:
        """Analyse a position, or show the panel for entering one."""

        async def show(reply: Reply) -> None:
            if hand is not None:
                await self._show_file(reply, hand)
                return
            chosen = await game_of(self.services, reply, game)
            if position:
                await self._typed(reply, chosen, plain(position))
            else:
                await self._show_entry(reply, chosen)

        await self.services.gate.run_or_press(interaction, show, do, anywhere=True)

    @command.autocomplete("do")
    async def buttons(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest the buttons, without an analysis while the reader is still typing."""
        position = str(getattr(interaction.namespace, "position", None) or "")
        file = getattr(interaction.namespace, "hand", None)

        async def look(reply: Reply) -> None:
            game = await self.services.play.default_game(reply.guild)
            if position or file:
                await reply.show(buttons_screen(game, reply.words, deeper=not _is_last(position, game)))
            else:
                await self._show_entry(reply, game)

        return await self.services.gate.buttons(interaction, look, current)

    @command.autocomplete("game")
    async def games(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest the presets and the server's own games."""
        return await self.services.offered_games(interaction, current)

    # entering a position

    async def _show_entry(self, reply: Reply, game: Variant) -> None:
        games = [one.value for one in await games_named(self.services.play, reply.guild, reply.words)]
        await self.open.show(reply, lambda: entry_screen(game, games, reply.words, page=self._page(reply, game)))

    async def game(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Choose a game."""
        chosen = next(iter(values), press.argument)
        await self._show_entry(reply, await self._game(reply, press.but(press.verb, chosen)))

    async def enter(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Open the form, filled in with the position that the message shows or that was refused."""
        game, words = await self._game(reply, press), reply.words
        fields = as_typed_before(position_fields(words, self._position_text(reply)), reply.pressed_texts)
        form = modal(about(game, "entered"), words("analysis.entry.title"), fields)
        await reply.ask(form, again=about(game, "enter"))

    async def entered(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Analyse the position from the form."""
        await self._typed(reply, await self._game(reply, press), joined(values), fields=values)

    async def _typed(self, reply: Reply, game: Variant, text: str, *, fields: Sequence[str] = ()) -> None:
        """Analyse a typed position. If it isn't valid or can't be analysed, say why and keep what was typed."""
        try:
            await self._analyse(reply, game, parse_position(text, game))
            return
        except PositionError as error:
            reply.outcome = InteractionOutcome.REFUSED
            why = slip_text(error, game, reply.words)
        except Refused as refused:
            why = self.services.gate.refused(reply, refused)
        board, held, discards, opponents = split(text)
        typed = fields or (board, held, opponents, discards)
        kept = refused_form(why, position_fields(reply.words), typed, about(game, "enter"), reply.words, saves=False)
        await reply.show_refused(kept)

    # the hand file

    async def _show_file(self, reply: Reply, file: discord.Attachment | discord.Object) -> None:
        if not isinstance(file, discord.Attachment):  # discord.py passes only the id of a file that isn't there
            raise Refused(TrainerReason.HAND_FILE_UNREAD)
        if file.size > MAX_FILE_KB * 1024:
            raise Refused(TrainerReason.HAND_FILE_TOO_LARGE, most=MAX_FILE_KB)
        try:
            read = await reply.interaction.client.http.get_from_cdn(file.url)
        except discord.HTTPException:
            raise Refused(TrainerReason.HAND_FILE_UNREAD) from None
        try:
            game, found = await asyncio.to_thread(_read, read)
        except (HistoryError, UnicodeDecodeError):
            raise Refused(TrainerReason.NO_HAND_FILE) from None
        if not found:
            raise Refused(TrainerReason.NO_DECISIONS)
        if not await self._knows(reply, game):
            raise Refused(TrainerReason.OTHER_HOUSE_RULES)
        await reply.show(decisions_screen(game, found, reply.words, you=reply.player))

    async def _knows(self, reply: Reply, game: Variant) -> bool:
        """True if the game's name leads to its house rules, because that's all that a control has room for."""
        try:
            found = await self._game(reply, about(game, "from"))
        except Refused:
            return False
        return (found.key, found.house) == (game.key, game.house)

    async def decision(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Analyse a decision of a hand, which the menu's option holds."""
        game = await self._game(reply, press)
        try:
            position = unpacked(next(iter(values), ""), game)
        except PositionError:
            raise Refused(TrainerReason.NO_POSITION) from None
        reply.reply_separately()
        await self._analyse(reply, game, position)

    # the answer

    async def deeper(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Search the shown position deeper."""
        game = await self._game(reply, press)
        try:
            position = parse_position(self._position_text(reply), game)
        except PositionError:
            raise Refused(TrainerReason.NO_POSITION) from None
        await self._analyse(reply, game, position, deeper=True)

    async def _analyse(self, reply: Reply, game: Variant, position: Position, *, deeper: bool = False) -> None:
        view = await self.trainer.analyse(reply.player, reply.guild, game, position, deeper=deeper)
        words, faces = reply.words, self.services.faces_for(reply)

        def draw() -> Screen:
            page = self._page(reply, game, position, deeper=deeper)
            return analysis_screen(view, words, faces, page=page)

        await self.open.show(reply, draw)

    def _page(self, reply: Reply, game: Variant, position: Position | None = None, *, deeper: bool = False) -> str:
        """Return the address of the reader's page with a position's analysis; empty if there is none."""
        code, text = reply.words.language.code, "" if position is None else str(position)
        links = self.services.page_links
        return links.analysis_link(reply.guild, reply.player, code, game=game_sent(game), position=text, deeper=deeper)

    @staticmethod
    def _position_text(reply: Reply) -> str:
        """Return the position that the pressed message shows, or that was typed with the press; empty if none."""
        typed = str(getattr(reply.interaction.namespace, "position", None) or "")
        return shown_position(reply.pressed_texts) or plain(typed)

    async def _game(self, reply: Reply, press: Press) -> Variant:
        """Return the game of a press; raises Refused if the server no longer has it."""
        try:
            return await find_game(self.services.play, reply.guild, named_game(press))
        except VariantError:
            raise Refused(TrainerReason.GAME_GONE) from None


def _read(file: bytes) -> tuple[Variant, list[HandDecision]]:
    """Return a hand's game and decisions; raises HistoryError or UnicodeDecodeError."""
    history = read_history(file.decode()).history
    return history.variant, decisions(history)


def _is_last(typed: str, game: Variant) -> bool:
    """True if a typed position has the last cards to place."""
    try:
        return parse_position(plain(typed), game).is_last(game)
    except PositionError:
        return False


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Analysis(bot))
