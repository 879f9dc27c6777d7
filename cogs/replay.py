"""Looking back: my hands, and any finished hand street by street."""

from __future__ import annotations

import io
from collections.abc import Sequence

import discord
from discord import app_commands
from discord.ext import commands

from bot.live.client import Client
from bot.live.posting import post
from bot.live.table.result_posts import learn_names, post_picture
from bot.model.hands import Outcome, Wanted, Within
from bot.model.ids import Player, TableId, TableKey
from bot.model.refusals import PlayReason, Stale
from bot.ofc.presets import PRESETS
from bot.ofc.refusals import Refused
from bot.play.look.replays import Replay
from bot.text.words import Words, words_for
from bot.ui.brakes import PressKind
from bot.ui.command_words import described, named
from bot.ui.custom_ids import Press
from bot.ui.gate import Reply, in_a_new_message
from bot.ui.permissions_here import may_post, public_language, sees
from bot.ui.table.replay import HANDS, LAST_PAGE, STEPS, history_screen, replay_screen, shown_to_all, step_of, wanted_of
from bot.ui.widgets import Interaction


class Replays(commands.Cog):
    """A player's hands, and replays."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        gate = bot.services.gate
        gate.route("history", in_a_new_message(self.newest))
        gate.route("hist_page", self.turn_page)
        gate.route("hist_open", in_a_new_message(self.open))
        gate.route("replay", in_a_new_message(self.step))
        for verb in STEPS:
            gate.route(verb, self.step)
        gate.route("rp_file", in_a_new_message(self.file))
        gate.route("rp_show", self.show_to_all, kind=PressKind.PUBLIC)

    @app_commands.command(name="history", description=described("history"))
    @app_commands.guild_only()
    @app_commands.describe(
        game=described("option_played_game"),
        opponent=described("option_opponent"),
        within=described("option_within"),
        outcome=described("option_outcome"),
    )
    @app_commands.choices(
        game=[app_commands.Choice(name=named(f"variant.{key}.name"), value=key) for key in PRESETS],
        within=[app_commands.Choice(name=named(f"history.within.{each.value}"), value=each.value) for each in Within],
        outcome=[
            app_commands.Choice(name=named(f"history.outcome.{each.value}"), value=each.value) for each in Outcome
        ],
    )
    async def history(
        self,
        interaction: Interaction,
        game: str = "",
        opponent: discord.User | None = None,
        within: str = Within.EVER.value,
        outcome: str = Outcome.ANY.value,
    ) -> None:
        """My hands, newest first."""
        wanted = Wanted(
            game=game,
            opponent=Player(str(opponent.id)) if opponent else None,
            within=Within(within),
            outcome=Outcome(outcome),
        )

        async def body(reply: Reply) -> None:
            await self._show_page(reply, wanted, page=0)

        await self.services.gate.run(interaction, body)

    async def newest(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """All my hands, from a button."""
        await self._show_page(reply, Wanted(), page=0)

    async def turn_page(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Newer or older hands."""
        await self._show_page(reply, wanted_of(press), page=min(press.hand, LAST_PAGE))

    async def _show_page(self, reply: Reply, wanted: Wanted, *, page: int) -> None:
        found = await self.services.play.past_hands(reply.guild, reply.player, wanted, page=page, lines=HANDS)
        # The menu can mention nobody: it needs their names, also after a restart.
        others = {player for line in found.lines for player in line.others}
        await learn_names(self.bot, reply.guild, sorted(others), self.services.faces.names)
        await reply.show(history_screen(found, reply.words, self.services.faces.names))

    async def open(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The replay of the hand that was chosen."""
        table, _, hand = next(iter(values), "").partition("/")
        if not (table.isascii() and table.isdigit() and hand.isascii() and hand.isdigit() and len(table + hand) < 19):
            await reply.done()
            return
        key = TableKey(guild=reply.guild, table=TableId(int(table)))
        replay = await self._replay(reply, key, int(hand))
        await reply.show(replay_screen(replay, 0, reply.words, self.services.faces_for(reply)))

    async def _replay(self, reply: Reply, key: TableKey, hand: int) -> Replay:
        """A hand for somebody who has played it, or may see the channel of its table; raises Refused."""
        await self.services.demand_hand_seen(reply, key, hand)
        return await self.services.play.replay(key, hand, reply.player)

    async def step(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """A step of a hand: that which a button leads to."""
        replay = await self._replay(reply, reply.key(press), press.hand)
        step = step_of(press, replay.last)
        await reply.show(replay_screen(replay, step, reply.words, self.services.faces_for(reply)))

    async def file(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The hand as a file."""
        await self.services.demand_hand_seen(reply, reply.key(press), press.hand)
        text = await self.services.play.history_file(reply.key(press), press.hand, reply.player)
        file = discord.File(io.BytesIO(text.encode()), filename=f"chaipo-{press.table}-{press.hand}.phh")
        await reply.say(reply.words("replay.file", table=press.table, hand=press.hand), file=file)

    async def show_to_all(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Post the step in the channel, the result with a picture of its boards."""
        if not await may_post(reply, "lobby.missing_permissions"):
            return
        # Also of one's own hands: what is played where one may not look is not carried out from there.
        table = (await self.services.play.look(reply.key(press), reply.player)).table
        if not await sees(reply.interaction, table.channel):
            raise Refused(PlayReason.CHANNEL_HIDDEN)
        # For somebody who may see the hand, as everybody may see it: without what they have discarded.
        mine = await self.services.play.replay(reply.key(press), press.hand, reply.player)
        if mine.result.table.private:
            raise Stale
        replay = await self.services.play.replay(reply.key(press), press.hand, None)
        interaction = reply.interaction
        words = words_for(public_language(interaction, await self.services.play.server(reply.guild)).code)
        await self._post(interaction.channel_id or 0, replay, step_of(press, replay.last), words, cause=reply.cause)
        await reply.say(reply.words("replay.shown"))

    async def _post(self, channel: int, replay: Replay, step: int, words: Words, *, cause: str) -> None:
        where, faces = self.bot.get_partial_messageable(channel), self.services.faces
        if step == replay.last and await post_picture(self.bot, where, replay.result, words, faces, "replay", cause):
            return
        await post(where, shown_to_all(replay, step, words, faces), "replay", cause)


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Replays(bot))
