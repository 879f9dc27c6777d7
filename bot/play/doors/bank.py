"""The door to the bank: every use case as one awaitable call."""

from __future__ import annotations

from bot.model.bank import Flow
from bot.model.clock import DAY
from bot.model.ids import GuildId
from bot.play.bank import claims, managing
from bot.play.bank import club_page as club_cases
from bot.play.bank import seasons as season_cases
from bot.play.doors.transactions import Door, asks, reads, writes
from bot.play.session import chips
from bot.store.transaction import Tx

FLOW_DAYS = 30
LEAST_FLOW = 1_000
FLOWS_SHOWN = 10


class Bank(Door):
    """Use cases of a server's bank, over the same transactions as those of tables."""

    # players

    offered = reads(claims.offered)
    claim = writes(claims.claim)
    send = writes(claims.send)
    why_frozen = reads(chips.why_frozen)

    # managers

    terms = asks(Tx.terms)
    change_terms = writes(managing.change_terms)
    change_chips = writes(managing.change_chips)
    freeze = writes(managing.freeze)
    unfreeze = writes(managing.unfreeze)
    seasons = reads(season_cases.page)
    start_season = writes(season_cases.start)
    end_season = writes(season_cases.end)
    change_seasons = writes(season_cases.change_terms)
    untold_seasons = asks(Tx.untold_seasons)
    season_end = reads(season_cases.end_of)
    season_sending = writes(season_cases.sending)
    season_told = writes(season_cases.told)
    audit_log = asks(Tx.audit_log)
    club_page = asks(Tx.club_page)
    club_pages = asks(Tx.club_pages)
    change_club_page = writes(club_cases.change)
    club_page_shown = writes(club_cases.note_shown)

    async def flows(self, guild: GuildId) -> list[Flow]:
        """The pairs with much going one way in the last days, at tables or sent."""
        return await self._read(
            lambda s: s.tx.flows(guild, since=s.now - FLOW_DAYS * DAY, least=LEAST_FLOW, limit=FLOWS_SHOWN)
        )
