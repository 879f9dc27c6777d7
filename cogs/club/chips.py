"""Chips: a player's wallet and its movements."""

from __future__ import annotations

from collections.abc import Sequence

from discord.ext import commands

from bot.base.meter import InteractionOutcome
from bot.chat.client import Client
from bot.chat.club.screens.bank import (
    LINES,
    MAX_QUOTED_LENGTH,
    ChipsPage,
    chips_screen,
    claimed_line,
    sent_line,
)
from bot.chat.club.screens.profile_tabs import ProfilePart, profile_tabs
from bot.chat.club.screens.transfers import send_fields, send_told
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.fragments import NOWHERE, as_typed_before, refused_form
from bot.chat.kit.gate import PressKind
from bot.chat.kit.modals import modal
from bot.chat.kit.permissions_here import parse_people
from bot.chat.kit.presses import picked_values
from bot.chat.kit.reply import Reply, in_a_new_message
from bot.model.bank import Claim
from bot.model.reasons import BankReason
from bot.model.refusals import OtherTerms, Stale
from bot.play.terms import of_transfer
from bot.pure.ofc.refusals import Refused
from bot.text.numbers import whole_number
from bot.text.refusals import refusal
from bot.text.words import escape_name

LAST_PAGE = 9_999
"""Limit that keeps the page number short enough for a button. No one turns that many pages."""
ASK = NOWHERE.but("chips_send")


class Chips(commands.Cog):
    """A server's wallets."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        bot.services.gate.route("chips", self.turn_page)
        bot.services.gate.route("wallet", in_a_new_message(self.turn_page))
        bot.services.gate.route("claim", self.claim)
        bot.services.gate.route("chips_send", self.ask)
        bot.services.gate.route("chips_sent", self.send, kind=PressKind.PUBLIC)

    async def ask(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Ask for the recipient and the chips. After a refusal, the form keeps what was typed."""
        terms = await self.services.bank.terms(reply.guild)
        if not terms.sends:
            raise Refused(BankReason.NO_TRANSFERS)
        fields = as_typed_before(send_fields(reply.words), reply.pressed_texts)
        sent = NOWHERE.but("chips_sent", terms=of_transfer(terms))
        form = modal(sent, reply.words("chips.send.button"), fields, said=send_told(terms, reply.words))
        await reply.ask(form, again=ASK)

    async def send(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Send chips to another player, under the terms that the form showed."""
        fields, words = send_fields(reply.words), reply.words
        if len(values) != len(fields):
            raise Stale
        whom, written = values
        payee, chips = next(iter(parse_people(reply.interaction, picked_values(whom))), None), whole_number(written)
        try:
            if payee is None:
                raise Refused(BankReason.NO_WALLET)
            if chips is None:
                raise Refused(BankReason.UNREAD_CHIPS, typed=escape_name(written.strip()[:MAX_QUOTED_LENGTH]))
            sent = await self.services.bank.send(
                reply.guild, reply.player, payee, chips, terms=press.terms, cause=reply.cause
            )
            await self._show(reply, page=0, said=sent_line(sent, payee, words))
            return
        except OtherTerms:
            terms = await self.services.bank.terms(reply.guild)
            problem = words("chips.send.other_terms", terms=send_told(terms, words))
        except Refused as refused:
            problem = refusal(refused, words)
        reply.outcome = InteractionOutcome.REFUSED
        await reply.show_separately(refused_form(problem, fields, values, ASK, words))

    async def claim(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Claim a refill or the bonus."""
        claim = next((claim for claim in Claim if claim.value == press.argument), None)
        if claim is None:
            raise Stale
        chips = await self.services.bank.claim(reply.guild, reply.player, claim)
        await self._show(reply, page=0, said=claimed_line(claim, chips, reply.words))

    async def turn_page(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show older or newer movements."""
        await self._show(reply, page=min(press.hand, LAST_PAGE))

    async def _show(self, reply: Reply, *, page: int, said: str = "") -> None:
        play = self.services.play
        wallet, stacks = await play.wallet(reply.guild, reply.player), []
        for table in await play.tables_of(reply.guild, reply.player):
            place = (await play.look(table.key, reply.player)).mine
            if place is not None and table.cash:
                stacks.append((table.key.table, place.stack))
        # Load one more than a page shows, to find out whether there are older ones.
        movements = await play.history(reply.guild, reply.player, limit=LINES + 1, skip=page * LINES)
        offered = [] if page else await self.services.bank.offered(reply.guild, reply.player)
        frozen = None if page else await self.services.bank.why_frozen(reply.guild, reply.player)
        terms = await self.services.bank.terms(reply.guild)
        shown = ChipsPage(
            number=page,
            wallet=wallet,
            stacks=stacks,
            movements=movements,
            said=said,
            offered=offered,
            frozen=frozen,
            sends=terms.sends and not page and frozen is None,
        )
        tabs = profile_tabs(reply.player, ProfilePart.CHIPS, reply.words, own=True)
        await reply.show(chips_screen(shown, reply.words, tabs))


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Chips(bot))
