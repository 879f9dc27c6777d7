"""The services used by cogs, and functions that combine several of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from discord import app_commands

from bot.chat.art.asked_pictures import AskedPictures
from bot.chat.club.posts.bulletins import BulletinPosts
from bot.chat.club.posts.club_pages import ClubPagePosts
from bot.chat.club.posts.digests import Digests
from bot.chat.club.posts.season_ends import SeasonEnds
from bot.chat.club.posts.welcomes import Welcomes, words_of_server
from bot.chat.event.posts.publisher import EventPublisher
from bot.chat.event.posts.start_polls import StartPollPosts
from bot.chat.kit.faces import Faces
from bot.chat.kit.game_choice import game_choices
from bot.chat.kit.gate import Gate
from bot.chat.kit.members import Members
from bot.chat.kit.reply import Reply
from bot.chat.kit.scheduled_poster import ScheduledPoster
from bot.chat.kit.use_cases import AllUseCases
from bot.chat.kit.widgets import Interaction
from bot.chat.page_readers import PageReaders
from bot.chat.table.posts.hand_panels import HandPanels
from bot.chat.table.posts.open_panels import PageLinks, PanelReader
from bot.chat.table.posts.own_tables import OwnTables
from bot.chat.table.posts.publisher import TablePublisher
from bot.chat.table.posts.result_posts import learn_names
from bot.chat.table.posts.seated_names import SeatedNames
from bot.chat.trainer.posts.open_analyses import OpenAnalyses
from bot.chat.trainer.posts.open_puzzles import OpenPuzzles
from bot.model.bulletins import BulletinKind
from bot.model.choices import ServerSettings
from bot.model.ids import GuildId, Player
from bot.text.zones import zone_of
from bot.workers.worker_pool import WorkerPool


@dataclass(frozen=True, slots=True, kw_only=True)
class Services(AllUseCases):
    """All services used by cogs."""

    gate: Gate
    publisher: TablePublisher
    event_publisher: EventPublisher
    season_ends: SeasonEnds
    club_pages: ClubPagePosts
    bulletin_posts: BulletinPosts
    digests: Digests
    start_polls: StartPollPosts
    page_readers: PageReaders
    faces: Faces
    members: Members
    seated_names: SeatedNames
    welcomes: Welcomes
    workers: WorkerPool
    pictures: AskedPictures
    page_links: PageLinks
    own_tables: OwnTables
    hand_panels: HandPanels
    open_puzzles: OpenPuzzles
    open_analyses: OpenAnalyses

    @property
    def posters(self) -> tuple[ScheduledPoster[Any], ...]:
        """Services that post and update messages automatically, in sweep order."""
        return self.season_ends, self.digests, self.start_polls, self.club_pages, self.bulletin_posts, self.page_readers

    def faces_for(self, reply: Reply) -> Faces:
        """Return the card faces for the player's settings."""
        return self.faces.for_reader(reply.member_settings)

    def reader(self, reply: Reply) -> PanelReader:
        """Return the player's language, cards and links."""
        return self.hand_panels.reader(reply)

    async def load_spoken_names(self, reply: Reply, players: Iterable[Player]) -> None:
        """Load the names of players next to buttons, for players who use *Text only* and may hear only the buttons.

        If a name is unknown, for example after a restart, a text can mention the player instead, but a button can't.
        """
        if reply.member_settings.text_only:
            await learn_names(reply.interaction.client, reply.guild, players, self.faces.names)

    async def offered_games(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Return the games that a command suggests for the typed text."""
        words = await self.gate.words_of(interaction)
        return await game_choices(self.play, GuildId(interaction.guild_id or 0), current, words)

    async def choose_for_server(
        self, reply: Reply, change: Callable[[ServerSettings], ServerSettings]
    ) -> ServerSettings:
        """Change a server's settings, and apply a new time zone to its scheduled posts."""
        server = await self.play.choose_for_server(reply.guild, change)
        guild = reply.interaction.guild
        zone = zone_of(server, reply.words.language if guild is None else words_of_server(guild, server).language)
        for kind in BulletinKind:
            if (await self.bulletins.of(reply.guild, kind)).channel is not None:
                await self.bulletins.change(reply.guild, kind, lambda before: replace(before, zone=zone))
        return server
