"""Where the bot is put together: the one place that knows which room is given what.

It opens nothing: whoever has opened the database closes it, after the bot.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bot.app import ChaipoBot
from bot.live.asked_pictures import AskedPictures
from bot.live.bulletins import BulletinPosts
from bot.live.clockwork import Clockwork
from bot.live.club_pages import ClubPages
from bot.live.doors import Doors
from bot.live.event.publisher import EventPublisher
from bot.live.event.start_polls import StartPolls
from bot.live.keeper import KeeperContext
from bot.live.library.activity_readers import Vouches
from bot.live.library.governor import Governor
from bot.live.members import Members
from bot.live.page_readers import PageReaders
from bot.live.season_ends import SeasonEnds
from bot.live.services import Services
from bot.live.table.digests import Digests
from bot.live.table.publisher import TablePublisher
from bot.live.table.seated_names import SeatedNames
from bot.live.table.threads import Threads
from bot.live.welcomes import Welcomes, Welcoming
from bot.many.held_shards import HeldShards
from bot.many.processes import Leases
from bot.meter import SILENT, Meter
from bot.model.daily import fantasyland_points
from bot.model.hands import Vault
from bot.model.ids import EVERYTHING, GuildId, Shard
from bot.ofc.view import HandView
from bot.operator_defaults import REQUESTS_A_SECOND
from bot.ops.metrics import Metrics
from bot.play.doors.daily import Daily
from bot.play.doors.events import Events
from bot.play.doors.play import Play
from bot.play.doors.privacy import Privacy
from bot.play.doors.server import Bank, Bulletins, Seating, Together
from bot.play.doors.timekeeper import Timekeeper
from bot.play.doors.transactions import Storage, Transactions
from bot.play.event.office.desk import Desk
from bot.play.look.reviews import LONGEST_SECONDS, placement
from bot.play.session.policy import Policy
from bot.play.session.thinkers import Thinker, Urgency
from bot.solver.levels import Level
from bot.store.disk import BeatMark
from bot.store.storage import Database, SqlStorage
from bot.thinking.thinkers import Thinkers
from bot.ui.faces import Faces
from bot.ui.gate import Gate, Rates
from bot.ui.permissions_here import seen_by_all
from bot.web.activity import Activity
from bot.web.pages import Pages
from bot.web.personal_links import PersonalLinks

REDRAW_PAUSE_SECONDS = 1.0
EVENT_PAUSES = 5
"""An event's message is drawn so many times as seldom as a table's: it shows what many tables do."""
USUAL_RATES = Rates()
EVERYWHERE = GuildId(0)
"""What is thought about for all servers has its turn like one of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Core(Doors):
    """The bot without Discord. With its transactions every card can be seen: it is handed on in parts, never whole."""

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
    thinkers: Thinkers | None = None,
    think: Thinker | None = None,
    mark: BeatMark | None = None,
) -> Core:
    """The use cases and the clocks over a storage. ``now_ms`` is the time, in milliseconds since 1970.

    Without ``thinkers`` what has to be thought out is thought out in a thread. ``think`` plays the hands of a day like
    a master; left out, a master does. By ``mark`` a copy of the database is told that was put back.
    """
    transactions = Transactions(
        storage,
        vault,
        desk=Desk(),
        policy=policy,
        now_ms=now_ms,
        published=published,
        asks_members=asks_members,
    )
    thinkers = thinkers or Thinkers(meter=meter)
    play = Play(transactions, thinkers)
    daily = Daily(transactions, think or daily_master(thinkers))
    return Core(
        transactions=transactions,
        play=play,
        events=Events(transactions, think or daily_master(thinkers), thinkers),
        seating=Seating(transactions),
        bank=Bank(transactions),
        daily=daily,
        privacy=Privacy(transactions, forget=play.forget),
        together=Together(transactions),
        bulletins=Bulletins(transactions, thinkers, daily),
        timekeeper=Timekeeper(transactions, play, thinkers, shards=shards, meter=meter, mark=mark),
    )


def daily_master(thinkers: Thinkers) -> Thinker:
    """A master who thinks between what tables wait for, and is replaced by nobody: all are compared with them.

    They play for what the day counts, as all do who play its hand.
    A busy machine takes its time, as it does for reviews.
    """

    async def think(view: HandView) -> str:
        rule = view.variant.fantasyland
        counts = {cards: fantasyland_points(cards) for cards in rule.numbers} if rule else None
        job = placement(view, Level.MASTER, entering=counts)
        return await thinkers.think(job, guild=EVERYWHERE, urgency=Urgency.LATER, seconds=LONGEST_SECONDS)

    return think


def build_bot(
    database: Database[Any],
    vault: Vault,
    *,
    policy: Policy,
    now_ms: Callable[[], int],
    shard_count: int | None = None,
    sync_guild: int | None = None,
    redraw_pause: float = REDRAW_PAUSE_SECONDS,
    requests_a_second: float = REQUESTS_A_SECOND,
    metrics: Metrics | None = None,
    thinkers: Thinkers | None = None,
    rates: Rates = USUAL_RATES,
    owner: str | None = None,
    welcoming: Welcoming = Welcoming.NEVER,
    think: Thinker | None = None,
    leases: Leases | None = None,
    mark: BeatMark | None = None,
    page_url: str = "",
    client_secret: str = "",
) -> ChaipoBot:
    """The bot, not yet logged in. ``leases`` are those of a process that shares the servers with others.

    ``owner`` is whose database it must be; left out, the application's that logs in. ``page_url`` is where browsers
    reach the pages of tables; without it no link leads to one. With the application's ``client_secret`` they open
    inside Discord too.

    ``think`` plays the hands of a day like a master; left out, a master does. By ``mark`` a copy of the database is
    told that was put back.
    """
    metrics = metrics or Metrics()
    governor = Governor(share=requests_a_second, now_ms=now_ms)

    async def claim(application: str) -> None:
        await database.claim(owner or application)

    thinkers = thinkers or Thinkers(meter=metrics)
    held = None if leases is None else HeldShards(leases, governor, share=requests_a_second, now_ms=now_ms)
    core = build_core(
        SqlStorage(database),
        vault,
        policy=policy,
        now_ms=now_ms,
        shards=(EVERYTHING,) if held is None else held.serving,
        published=True,
        asks_members=True,
        meter=metrics,
        thinkers=thinkers,
        think=think,
        mark=mark,
    )
    bot = ChaipoBot(
        claim,
        governor=governor,
        metrics=metrics,
        started_at=now_ms(),
        shard_count=shard_count if leases is None else leases.shard_count,
        sync_guild=sync_guild,
        held=held,
    )

    async def page_url_of(guild: GuildId) -> str:
        return "" if leases is None else await leases.page_url_of(bot.shard_of(guild).number)

    links = PersonalLinks(core.play, url=page_url, now_ms=now_ms, serves=bot.serves, url_of=page_url_of)
    if client_secret and page_url:
        links.inside = Activity(
            core.play,
            Vouches(bot, client_secret),
            home=f"{page_url}/table",
            now_ms=now_ms,
            is_in=lambda guild: bot.get_guild(guild) is not None,
        )
    core.privacy.on_delete(links.deleted)
    services = _services(
        bot,
        core,
        governor,
        thinkers,
        now_ms=now_ms,
        pause_seconds=redraw_pause,
        rates=rates,
        welcoming=welcoming,
        page_links=links,
    )
    core.transactions.on_change(services.publisher.changed)
    core.transactions.on_event(services.event_publisher.changed)
    core.transactions.on_roll_call(services.event_publisher.call_roll)
    links.pages = pages = Pages(core.play, services.gate, services.faces, now_ms=now_ms, serves=bot.serves)
    core.transactions.on_commit(pages.committed)
    pages.watching.seen_by_all = lambda channel: seen_by_all(bot.get_channel(channel)) is True
    pages.watching.events = core.events
    services.publisher.panels.used_beside = pages.used_at
    pages.tell_drafts(services.publisher.panels.was_moved_beside)
    links.used = services.publisher.panels.link_again
    bot.equip(services, Clockwork(bot, services, core.timekeeper), pages, links)
    return bot


def _services(
    bot: ChaipoBot,
    core: Core,
    governor: Governor,
    thinkers: Thinkers,
    *,
    now_ms: Callable[[], int],
    pause_seconds: float,
    rates: Rates,
    welcoming: Welcoming,
    page_links: PersonalLinks,
) -> Services:
    """What the cogs are given."""
    faces, members = Faces(), Members(bot, core.play, now_ms=now_ms)
    publisher = TablePublisher(
        bot,
        core.play,
        core.together,
        faces,
        Threads(bot, own=core.play, events=core.events),
        governor,
        now_ms=now_ms,
        pause_seconds=pause_seconds,
        serves=bot.serves,
        meter=bot.metrics,
    )
    event_publisher = EventPublisher(
        bot,
        core.events,
        publisher,
        governor,
        server=core.play.server,
        terms=core.bank.terms,
        now_ms=now_ms,
        pause_seconds=pause_seconds * EVENT_PAUSES,
        names=faces.names,
        members=members,
        serves=bot.serves,
        meter=bot.metrics,
    )
    keeping = KeeperContext(client=bot, doors=Doors(**core.each()), faces=faces, now_ms=now_ms, meter=bot.metrics)
    return Services(
        **core.each(),
        gate=Gate(bot.metrics, rates=rates, wishes=core.play.wishes, names=faces.names, came=core.play.note_returned),
        publisher=publisher,
        event_publisher=event_publisher,
        season_ends=SeasonEnds(keeping),
        club_pages=ClubPages(keeping, members),
        start_polls=StartPolls(keeping),
        bulletin_posts=BulletinPosts(keeping),
        page_readers=PageReaders(keeping, page_links),
        digests=Digests(keeping),
        faces=faces,
        members=members,
        seated_names=SeatedNames(bot, core.play, faces.names),
        welcomes=Welcomes(bot, core.play, now_ms=now_ms, welcoming=welcoming),
        thinkers=thinkers,
        pictures=AskedPictures(),
        page_links=page_links,
    )
