"""The services behind the cogs: one record of them, and what takes several at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from discord import app_commands

from bot.live.asked_pictures import AskedPictures
from bot.live.bulletins import BulletinPosts
from bot.live.club_pages import ClubPages
from bot.live.doors import Doors
from bot.live.event.publisher import EventPublisher
from bot.live.event.start_polls import StartPolls
from bot.live.keeper import Keeper
from bot.live.members import Members
from bot.live.page_readers import PageReaders
from bot.live.season_ends import SeasonEnds
from bot.live.table.digests import Digests
from bot.live.table.hand_panels import HandPanels
from bot.live.table.open_panels import PageLinks, Reader
from bot.live.table.own_tables import OwnTables
from bot.live.table.publisher import TablePublisher
from bot.live.table.result_posts import learn_names
from bot.live.table.seated_names import SeatedNames
from bot.live.welcomes import Welcomes, words_of_server
from bot.model.bulletins import Kind
from bot.model.choices import Server
from bot.model.ids import GuildId, Player
from bot.text.zones import zone_of
from bot.thinking.thinkers import Thinkers
from bot.ui.faces import Faces
from bot.ui.game_choice import game_choices
from bot.ui.gate import Gate
from bot.ui.reply import Reply
from bot.ui.widgets import Interaction


@dataclass(frozen=True, slots=True, kw_only=True)
class Services(Doors):
    """Everything that cogs use."""

    gate: Gate
    publisher: TablePublisher
    event_publisher: EventPublisher
    season_ends: SeasonEnds
    club_pages: ClubPages
    bulletin_posts: BulletinPosts
    digests: Digests
    start_polls: StartPolls
    page_readers: PageReaders
    faces: Faces
    members: Members
    seated_names: SeatedNames
    welcomes: Welcomes
    thinkers: Thinkers
    pictures: AskedPictures
    page_links: PageLinks
    own_tables: OwnTables
    hand_panels: HandPanels

    @property
    def keepers(self) -> tuple[Keeper[Any], ...]:
        """What posts and keeps by itself, in the order in which it is seen to."""
        return self.season_ends, self.digests, self.start_polls, self.club_pages, self.bulletin_posts, self.page_readers

    def faces_for(self, reply: Reply) -> Faces:
        """Cards as the one who pressed wants to see them."""
        return self.faces.for_reader(reply.wishes)

    def reader(self, reply: Reply) -> Reader:
        """How the one who pressed reads."""
        return self.hand_panels.reader(reply)

    async def learn_beside(self, reply: Reply, players: Iterable[Player]) -> None:
        """Learn what these are called, beside whom buttons stand, for one who hears the buttons alone.

        A text mentions whoever isn't known, as after a restart; a button can't.
        """
        if reply.wishes.text_only:
            await learn_names(reply.interaction.client, reply.guild, players, self.faces.names)

    async def offered_games(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The games that a command offers while somebody types."""
        words = await self.gate.words_of(interaction)
        return await game_choices(self.play, GuildId(interaction.guild_id or 0), current, words)

    async def choose_for_server(self, reply: Reply, change: Callable[[Server], Server]) -> Server:
        """Change what a server has chosen. Its posts come at their hours in the time zone that is chosen now."""
        server = await self.play.choose_for_server(reply.guild, change)
        guild = reply.interaction.guild
        zone = zone_of(server, reply.words.language if guild is None else words_of_server(guild, server).language)
        for kind in Kind:
            if (await self.bulletins.of(reply.guild, kind)).channel is not None:
                await self.bulletins.change(reply.guild, kind, lambda before: replace(before, zone=zone))
        return server
