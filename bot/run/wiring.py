"""Assembly of the bot. Only this module knows all dependencies between the packages.

It opens nothing. The caller that opened the database closes it, after the bot.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bot.base.meter import SILENT, Meter
from bot.base.operator_defaults import REQUESTS_PER_SECOND
from bot.chat.art.asked_pictures import AskedPictures
from bot.chat.clockwork import Clockwork
from bot.chat.club.posts.bulletins import BulletinPosts
from bot.chat.club.posts.club_pages import ClubPagePosts
from bot.chat.club.posts.digests import Digests
from bot.chat.club.posts.season_ends import SeasonEnds
from bot.chat.club.posts.welcomes import Welcomes, WelcomeTime
from bot.chat.discord_patches.activity_readers import DiscordActivityVerifier
from bot.chat.discord_patches.governor import Governor
from bot.chat.event.posts.publisher import EventPublisher
from bot.chat.event.posts.start_polls import StartPollPosts
from bot.chat.kit.faces import Faces
from bot.chat.kit.gate import Gate, Rates
from bot.chat.kit.members import Members
from bot.chat.kit.permissions_here import seen_by_all
from bot.chat.kit.scheduled_poster import PosterContext
from bot.chat.kit.use_cases import AllUseCases
from bot.chat.page_readers import PageReaders
from bot.chat.services import Services
from bot.chat.table.posts.hand_panels import HandPanels
from bot.chat.table.posts.own_tables import OwnTables
from bot.chat.table.posts.publisher import TablePublisher
from bot.chat.table.posts.seated_names import SeatedNames
from bot.chat.table.posts.threads import Threads
from bot.chat.trainer.posts.morning import DayPuzzlePart
from bot.chat.trainer.posts.open_analyses import OpenAnalyses
from bot.chat.trainer.posts.open_puzzles import OpenPuzzles
from bot.chat.trainer.screens.mistake_line import mistake_note
from bot.model.daily import fantasyland_points
from bot.model.hands import Vault
from bot.model.ids import EVERYTHING, GuildId, Player, Shard
from bot.ops.metrics import Metrics
from bot.play.api.daily import DailyHands
from bot.play.api.events import Events
from bot.play.api.play import Play
from bot.play.api.privacy import PersonalData
from bot.play.api.server import Bank, Bulletins, Matchmaking, Seating
from bot.play.api.timekeeper import Timekeeper
from bot.play.api.transactions import Storage, Transactions
from bot.play.bus import Bus
from bot.play.event.office.table_hooks import TableHooks
from bot.play.queries.reviews import MAX_SECONDS, placement
from bot.play.session.policy import Policy
from bot.play.session.workers import Placer, Priority
from bot.play.trainer.mistake_use_cases import Mistakes
from bot.play.trainer.use_cases import Trainer
from bot.pure.ofc.view import HandView
from bot.pure.solver.levels import Level
from bot.run.app import ChaipoBot
from bot.run.cluster.held_shards import HeldShards
from bot.run.cluster.processes import Leases
from bot.store.beat_mark import BeatMark
from bot.store.storage import Database, SqlStorage
from bot.web.activity import Activity
from bot.web.addresses import EVENT
from bot.web.events.pages import EventPages
from bot.web.pages import Pages
from bot.web.personal_links import PersonalLinks
from bot.workers.worker_pool import WorkerPool

REDRAW_PAUSE_SECONDS = 1.0
EVENT_PAUSES = 5
"""Factor by which an event's message is redrawn less often than a table's, because it summarises many tables."""
NAMES_SECONDS = 2.0
"""Maximum time for which an event's public page waits for names that Discord is asked for."""
EVERYWHERE = GuildId(0)
"""Queue for computations that serve all servers. It takes its turn like a single server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """Resources of the bot. The caller that opened them closes them, after the bot."""

    database: Database[Any]
    vault: Vault
    metrics: Metrics = field(default_factory=Metrics)
    workers: WorkerPool | None = None
    """Worker processes for computations. Without them, computations run in a thread."""
    master: Placer | None = None
    """The player that everyone is compared with in daily hands; by default a computer player of the highest level."""
    leases: Leases | None = None
    """Leases on shards, if several processes share the servers."""
    mark: BeatMark | None = None
    """A mark outside the database that reveals a restored copy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorChoices:
    """The operator's choices."""

    policy: Policy = field(default_factory=Policy)
    rates: Rates = field(default_factory=Rates)
    redraw_pause: float = REDRAW_PAUSE_SECONDS
    """Minimum seconds between two drawings of a table's message."""
    requests_a_second: float = REQUESTS_PER_SECOND
    welcoming: WelcomeTime = WelcomeTime.NEVER
    shard_count: int | None = None
    """Number of connections to Discord; None lets Discord choose. Ignored if there are leases, which decide it."""
    sync_guild: int | None = None
    """The only server that gets the commands; None for all servers."""
    owner: str | None = None
    """The application that the database must belong to; by default the one that logs in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSettings:
    """Settings of the tables' pages."""

    url: str = ""
    """Public address of the pages. If it's empty, there are no links to them."""
    secret: str = ""
    """The application's client secret, required to open the pages inside Discord."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Core(AllUseCases):
    """The bot without Discord. Its transactions can read every card, so only parts of it are passed on."""

    bus: Bus
    transactions: Transactions
    timekeeper: Timekeeper


def build_core(
    storage: Storage,
    vault: Vault,
    *,
    policy: Policy,
    now_ms: Callable[[], int],
    shards: Sequence[Shard] = (EVERYTHING,),
    published: bool = False,
    asks_members: bool = False,
    meter: Meter = SILENT,
    workers: WorkerPool | None = None,
    think: Placer | None = None,
    mark: BeatMark | None = None,
) -> Core:
    """Build the use cases and the clocks on a storage. ``now_ms`` returns ms since 1970.

    Without ``workers``, computations run in a thread. ``think`` plays the daily hands for comparison; by default a
    master does. ``mark`` detects a restored copy of the database.
    """
    bus = Bus()
    transactions = Transactions(
        storage,
        vault,
        desk=TableHooks(),
        policy=policy,
        now_ms=now_ms,
        bus=bus,
        published=published,
        asks_members=asks_members,
    )
    workers = workers or WorkerPool(meter=meter)
    play = Play(transactions, workers)
    bus.player_deleted.subscribe(play.forget)
    daily = DailyHands(transactions, think or daily_master(workers))
    timekeeper = Timekeeper(transactions, play, workers, shards=shards, meter=meter, mark=mark)
    return Core(
        bus=bus,
        transactions=transactions,
        play=play,
        events=Events(transactions, think or daily_master(workers), workers),
        seating=Seating(transactions),
        bank=Bank(transactions),
        daily=daily,
        privacy=PersonalData(transactions, bus),
        matchmaking=Matchmaking(transactions),
        bulletins=Bulletins(transactions, workers, daily),
        trainer=Trainer(transactions, workers),
        mistakes=Mistakes(transactions, workers, bus, serves=timekeeper.serves),
        timekeeper=timekeeper,
    )


def daily_master(workers: WorkerPool) -> Placer:
    """Return the master that players of daily hands are compared with.

    It computes at low priority and without a fallback, because a weaker player would distort all comparisons. Like the
    players, it plays for the day's points. If the machine is busy, it takes longer, as reviews do.
    """

    async def think(view: HandView) -> str:
        rule = view.variant.fantasyland
        counts = {cards: fantasyland_points(cards) for cards in rule.numbers} if rule else None
        job = placement(view, Level.MASTER, entering=counts)
        return await workers.think(job, guild=EVERYWHERE, urgency=Priority.LATER, seconds=MAX_SECONDS)

    return think


def build_bot(
    resources: Resources, operation: OperatorChoices, web: WebSettings | None = None, *, now_ms: Callable[[], int]
) -> ChaipoBot:
    """Build the bot without logging in. ``now_ms`` returns ms since 1970."""
    web = web or WebSettings()
    share, leases, metrics = operation.requests_a_second, resources.leases, resources.metrics
    governor = Governor(share=share, now_ms=now_ms)

    async def claim(application: str) -> None:
        await resources.database.claim(operation.owner or application)

    workers = resources.workers or WorkerPool(meter=metrics)
    held = None if leases is None else HeldShards(leases, governor, share=share, now_ms=now_ms)
    core = build_core(
        SqlStorage(resources.database),
        resources.vault,
        policy=operation.policy,
        now_ms=now_ms,
        shards=(EVERYTHING,) if held is None else held.serving,
        published=True,
        asks_members=True,
        meter=metrics,
        workers=workers,
        think=resources.master,
        mark=resources.mark,
    )
    bot = ChaipoBot(
        claim,
        governor=governor,
        metrics=metrics,
        started_at=now_ms(),
        shard_count=operation.shard_count if leases is None else leases.shard_count,
        sync_guild=operation.sync_guild,
        held=held,
    )
    faces = Faces()
    came = core.play.note_returned
    gate = Gate(metrics, rates=operation.rates, member_settings=core.play.member_settings, names=faces.names, came=came)
    pages = Pages(
        core.play,
        core.events,
        gate,
        faces,
        core.bus,
        seating=core.seating,
        trainer=core.trainer,
        now_ms=now_ms,
        serves=bot.serves,
        seen_by_all=lambda channel: seen_by_all(bot.get_channel(channel)) is True,
    )
    links = _links(bot, core, pages, faces, web, leases, now_ms=now_ms)
    services = _services(bot, core, gate, faces, governor, workers, operation, links, now_ms=now_ms)
    bot.equip(services, Clockwork(bot, services, core.timekeeper), pages, links)
    return bot


def _links(
    bot: ChaipoBot,
    core: Core,
    pages: Pages,
    faces: Faces,
    web: WebSettings,
    leases: Leases | None,
    *,
    now_ms: Callable[[], int],
) -> PersonalLinks:
    """Build the links to the pages, the events' pages, and the Activity if the client secret is known."""

    async def url_of(guild: GuildId) -> str:
        return "" if leases is None else await leases.page_url_of(bot.shard_of(guild).number)

    inside = None
    if web.secret and web.url:
        inside = Activity(
            core.play,
            DiscordActivityVerifier(bot, web.secret),
            home=f"{web.url}/table",
            now_ms=now_ms,
            is_in=lambda guild: bot.get_guild(guild) is not None,
        )

    async def learn(guild: GuildId, players: Sequence[Player]) -> None:
        await bot.services.seated_names.ask(guild, players, seconds=NAMES_SECONDS)

    async def elsewhere(guild: GuildId) -> str:
        return await links.base_elsewhere(guild)

    event_pages = EventPages(
        core.events,
        faces.names,
        core.bus,
        serves=bot.serves,
        seen_by_all=lambda channel: seen_by_all(bot.get_channel(channel)) is True,
        learn=learn,
        elsewhere=elsewhere,
    )
    links = PersonalLinks(
        core.play,
        pages,
        core.bus,
        url=web.url,
        now_ms=now_ms,
        serves=bot.serves,
        url_of=url_of,
        inside=inside,
        event_pages=event_pages,
    )
    return links


def _services(
    bot: ChaipoBot,
    core: Core,
    gate: Gate,
    faces: Faces,
    governor: Governor,
    workers: WorkerPool,
    operation: OperatorChoices,
    links: PersonalLinks,
    *,
    now_ms: Callable[[], int],
) -> Services:
    """Build the publishers and the other services of the cogs."""
    members = Members(bot, core.play, now_ms=now_ms)
    publisher = TablePublisher(
        bot,
        core.play,
        core.matchmaking,
        faces,
        Threads(bot, own=core.play, events=core.events),
        governor,
        core.bus,
        now_ms=now_ms,
        pause_seconds=operation.redraw_pause,
        used_beside=links.pages.used_at,
        may_be_watched=links.may_be_watched,
        serves=bot.serves,
        meter=bot.metrics,
    )
    event_publisher = EventPublisher(
        bot,
        core.events,
        publisher,
        governor,
        core.bus,
        server=core.play.server,
        terms=core.bank.terms,
        now_ms=now_ms,
        pause_seconds=operation.redraw_pause * EVENT_PAUSES,
        names=faces.names,
        members=members,
        may_be_watched=links.may_be_watched,
        page_of=lambda event: f"{links.public_url}{EVENT}/{event.page}" if links.public_url and event.page else "",
        serves=bot.serves,
        meter=bot.metrics,
    )
    own_tables = OwnTables(core.play, core.events)
    poster_context = PosterContext(
        client=bot, use_cases=AllUseCases(**core.each()), faces=faces, now_ms=now_ms, meter=bot.metrics
    )
    return Services(
        **core.each(),
        gate=gate,
        publisher=publisher,
        event_publisher=event_publisher,
        season_ends=SeasonEnds(poster_context),
        club_pages=ClubPagePosts(poster_context, members),
        start_polls=StartPollPosts(poster_context),
        bulletin_posts=BulletinPosts(poster_context, DayPuzzlePart(core.trainer)),
        page_readers=PageReaders(poster_context, links),
        digests=Digests(poster_context),
        faces=faces,
        members=members,
        seated_names=SeatedNames(bot, core.play, faces.names),
        welcomes=Welcomes(bot, core.play, now_ms=now_ms, welcoming=operation.welcoming),
        workers=workers,
        pictures=AskedPictures(),
        page_links=links,
        own_tables=own_tables,
        hand_panels=HandPanels(
            core.play, own_tables, publisher, faces, links, note=partial(mistake_note, core.mistakes.line)
        ),
        open_puzzles=OpenPuzzles(core.trainer, links, core.bus, now_ms=now_ms),
        open_analyses=OpenAnalyses(core.bus, now_ms=now_ms),
    )
