"""Handlers for a server's custom games, which its managers create by editing house rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from discord.ext import commands

from bot.base.clean_text import one_line
from bot.base.meter import InteractionOutcome
from bot.chat.client import Client
from bot.chat.kit.choice_page import Change, ChoiceError
from bot.chat.kit.custom_ids import Press, game_tag
from bot.chat.kit.form_terms import FormOutdatedError, form_terms, require_current
from bot.chat.kit.fragments import FOUL_COLOUR, as_typed_before, refused_form
from bot.chat.kit.modals import AnyField, modal
from bot.chat.kit.permissions_here import for_managers
from bot.chat.kit.reply import PressHandler, Reply
from bot.chat.table.screens.house.royalties import (
    RoyaltyLinesError,
    royalties_refused,
    royalty_field,
    royalty_form,
    royalty_screen,
    royalty_table,
    table_at,
    with_royalties,
    written_in,
)
from bot.chat.table.screens.house.rules import (
    ALL_KEYS,
    DEFAULT,
    KEYS,
    MAX_RULES_PER_FORM,
    Range,
    accepts,
    game_screen,
    list_screen,
    name_fields,
    name_form,
    number_field,
    number_form,
    parse_rules,
    rules_fields,
    several_rules,
    typed_value,
    value_screen,
    with_override,
    with_rules,
)
from bot.model.refusals import Stale
from bot.model.tables import HouseGame
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.variants import VariantError
from bot.text.house_rules import problem_text
from bot.text.words import Words


class HouseRules(commands.Cog):
    """Handlers for the server's custom games."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        for verb, handler in {
            "house": self.back,
            "house_open": self.open_game,
            "house_show": self.show_game,
            "house_new": self.new,
            "house_name": self.create,
            "house_pick": self.pick,
            "house_several": self.ask_rules,
            "house_rules": self.set_rules,
            "house_value": self.set_value,
            "house_number": self.set_value,
            "house_royalties": self.royalties,
            "house_hand": self.pick_hand,
            "house_lines": self.write_royalties,
            "house_table": self.set_royalties,
            "house_delete": self.delete,
        }.items():
            bot.services.gate.route(verb, self._managed(handler))

    def _managed(self, handler: PressHandler) -> PressHandler:
        """Restrict a handler to the server's managers, checked on each press, and explain why games are invalid."""

        async def managed(reply: Reply, press: Press, values: Sequence[str]) -> None:
            try:
                await handler(reply, press, values)
            except VariantError as error:
                await reply.say(problem_text(error, reply.words), colour=FOUL_COLOUR)

        return for_managers(managed)

    async def _list(self, reply: Reply) -> None:
        await reply.show(list_screen(await self.services.play.games(reply.guild), reply.words))

    async def _game(self, reply: Reply, wanted: str) -> HouseGame:
        """Return the game with a tag; raises Stale if it has been deleted."""
        for game in await self.services.play.games(reply.guild):
            if game_tag(game.name) == wanted:
                return game
        raise Stale

    async def _change(self, reply: Reply, game: HouseGame, change: Change[HouseGame]) -> HouseGame:
        """Change the stored game; raises Stale if it has been deleted."""

        def changed(now: HouseGame | None) -> HouseGame:
            if now is None:
                raise Stale
            return change(now)

        return await self.services.play.change_game(reply.guild, game.name, changed, by=reply.player)

    async def back(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the list again."""
        await self._list(reply)

    async def open_game(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the game chosen from the list."""
        if not values:
            await self._list(reply)
            return
        await reply.show(game_screen(await self._game(reply, values[0]), reply.words))

    async def show_game(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Go back to the game from one of its overrides."""
        await reply.show(game_screen(await self._game(reply, press.argument), reply.words))

    async def new(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Ask for the name of a new game based on the chosen preset."""
        preset = values[0] if values else press.argument
        if preset not in PRESETS:
            await self._list(reply)
            return
        form = name_form(preset, reply.words, typed=reply.pressed_texts)
        await reply.ask(form, again=replace(press, argument=preset))

    async def create(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Create a game with the submitted name."""
        name, again = one_line(values[0]) if values else "", press.but("house_new", press.argument)

        def made(known: HouseGame | None) -> HouseGame:
            if known is not None:
                raise ChoiceError("house_rules.name_taken")
            return HouseGame(name=name, variant=house_variant(press.argument, {}, name=name))

        try:
            game = await self.services.play.change_game(reply.guild, name, made, by=reply.player)
        except (ChoiceError, VariantError) as error:
            await self._refuse(reply, _why(error, reply.words), name_fields(reply.words), values, again)
            return
        await reply.show(game_screen(game, reply.words))

    async def _refuse(
        self, reply: Reply, why: str, fields: Sequence[AnyField], values: Sequence[str], again: Press
    ) -> None:
        """Explain why a form was refused, with a button that reopens it."""
        reply.outcome = InteractionOutcome.REFUSED
        await reply.show_refused(refused_form(why, fields, values, again, reply.words))

    async def pick(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the options of the chosen override, or ask for its number. Several overrides share one form."""
        game = await self._game(reply, press.argument)
        several = [key for value in values if (key := _parse_key(value)) in KEYS][:MAX_RULES_PER_FORM]
        if len(several) > 1:
            await self.ask_rules(reply, several_rules(press.but("house_several", press.argument), several), ())
            return
        key = _parse_key(values[0]) if values else _parse_key(str(press.hand - 1))
        if key is None:
            await reply.show(game_screen(game, reply.words))
            return
        taken = accepts(game.variant, key)
        if taken is None or isinstance(taken, Range):
            form = number_form(game, key, taken, reply.words, typed=reply.pressed_texts)
            await reply.ask(form, again=_asking(press, key))
        else:
            await reply.show(value_screen(game, key, taken, reply.words))

    async def set_value(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Set the chosen or submitted value. An empty one removes the override."""
        game = await self._game(reply, press.argument)
        if press.hand >= len(ALL_KEYS):
            raise Stale
        value, key = values[0].strip() if values else "", ALL_KEYS[press.hand]

        def change(now: HouseGame) -> HouseGame:
            require_current(press, [number_field(now, key, reply.words)], [value], reply.words)
            return with_override(now, key, typed_value(now, key, value) or DEFAULT)

        try:
            game = await self._change(reply, game, change)
        except (FormOutdatedError, VariantError) as error:
            if press.verb == "house_value":
                raise
            back = _asking(press.but("house_hand" if royalty_table(key) else "house_pick", press.argument), key)
            field = number_field(game, key, reply.words)
            await self._refuse(reply, _why(error, reply.words), [field], values, back)
            return
        table = royalty_table(key)
        await reply.show(royalty_screen(game, reply.words, table=table) if table else game_screen(game, reply.words))

    async def ask_rules(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Ask for several rules in one form, filled in with any refused input."""
        game, keys = await self._game(reply, press.argument), parse_rules(press)
        if not keys:
            raise Stale
        now = rules_fields(game, keys, reply.words)
        fields = as_typed_before(now, reply.pressed_texts)
        form = modal(replace(press, verb="house_rules", terms=form_terms(now)), game.name, fields)
        await reply.ask(form, again=press)

    async def set_rules(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Set several rules from a submitted form."""
        game, keys = await self._game(reply, press.argument), parse_rules(press)
        if not keys or len(values) != len(keys):
            raise Stale
        chosen = {key: typed_value(game, key, value) or DEFAULT for key, value in zip(keys, values, strict=True)}

        def change(now: HouseGame) -> HouseGame:
            require_current(press, rules_fields(now, keys, reply.words), values, reply.words)
            return with_rules(now, chosen)

        try:
            game = await self._change(reply, game, change)
        except (FormOutdatedError, VariantError) as error:
            fields, back = rules_fields(game, keys, reply.words), replace(press, verb="house_several", terms="")
            await self._refuse(reply, _why(error, reply.words), fields, values, back)
            return
        await reply.show(game_screen(game, reply.words))

    async def royalties(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the royalties for individual hands, one table at a time."""
        game = await self._game(reply, press.argument)
        await reply.show(royalty_screen(game, reply.words, table=values[0] if values else ""))

    async def pick_hand(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Ask for the points of the chosen hand."""
        game = await self._game(reply, press.argument)
        key = _parse_key(values[0]) if values else _parse_key(str(press.hand - 1))
        if key is None or not royalty_table(key):
            await reply.show(royalty_screen(game, reply.words, table=table_at(press.street)))
            return
        taken = accepts(game.variant, key)
        numbers = taken if isinstance(taken, Range) else None
        form = number_form(game, key, numbers, reply.words, typed=reply.pressed_texts)
        await reply.ask(form, again=_asking(press, key))

    async def write_royalties(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Ask for the points of several hands in one form, a line for each, filled in with any refused input."""
        game, written = await self._game(reply, press.argument), written_in(reply.pressed_texts)
        await reply.ask(royalty_form(game, reply.words, written=written), again=press)

    async def set_royalties(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Replace all changed royalties for individual hands with the submitted ones."""
        game = await self._game(reply, press.argument)
        written = values[0] if values else ""

        def change(now: HouseGame) -> HouseGame:
            require_current(press, [royalty_field(now, reply.words)], [written], reply.words)
            return with_royalties(now, written)

        try:
            game = await self._change(reply, game, change)
        except (FormOutdatedError, VariantError, RoyaltyLinesError) as error:
            reply.outcome = InteractionOutcome.REFUSED
            await reply.show_separately(royalties_refused(game, error, written, reply.words))
            return
        await reply.show(game_screen(game, reply.words))

    async def delete(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Delete a game after confirmation."""
        game = await self._game(reply, press.argument)
        if not press.hand:
            await reply.show(game_screen(game, reply.words, deleting=True))
            return
        await self.services.play.remove_game(reply.guild, game.name)
        await self._list(reply)


def _why(error: ChoiceError | FormOutdatedError | VariantError, words: Words) -> str:
    """Return the sentence with the reason that a form was refused."""
    match error:
        case VariantError():
            return problem_text(error, words)
        case FormOutdatedError():
            return error.said
        case _:
            return words(error.key, **error.values)


def _parse_key(text: str) -> str | None:
    """Return the override with the number in a menu's value; None for anything else."""
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= 3 else len(ALL_KEYS)
    return ALL_KEYS[number] if number < len(ALL_KEYS) else None


def _asking(press: Press, key: str) -> Press:
    """Convert a menu's press into a button's. It carries the choice, counted from 1 because 0 means no choice."""
    return replace(press, hand=ALL_KEYS.index(key) + 1)


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(HouseRules(bot))
