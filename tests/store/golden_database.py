"""Create a golden database: ``python -m tests.store.golden_database N`` writes the four files of schema N.

Run it before the schema changes. It writes ``golden/schema-N.db``, its key, ``schema-N.dump``, which is the same
database as dumped by PostgreSQL, and ``schema-N.ends.json``, the result of the running hand under plain placements. The
club has played an evening, and the bot is stopped mid-hand at a table for chips, at each table of a tournament and at a
correspondence table. The decks are random, so each run writes different files. Existing files are never overwritten.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.base.command_help import HelpFormatter, examples
from bot.base.puzzle_files import puzzle_lines
from bot.model.bank import Action, BankTerms, Claim, SeasonTerms
from bot.model.bulletins import Bulletin, BulletinKind
from bot.model.careers import Badge, EarnedBadge
from bot.model.choices import BoardSize, Calls
from bot.model.clock import Clock, Pace
from bot.model.events import Notice, Official
from bot.model.hands import HandState
from bot.model.ids import EventKey, Player, TableId, TableKey
from bot.model.puzzles import FoundPuzzle, PuzzleName
from bot.model.standings import ClubPage, LeaderboardOrder
from bot.model.tables import HouseGame
from bot.play.event.office.registration import PlannedEvent
from bot.play.session.session import Session
from bot.play.trainer import mistakes
from bot.play.trainer.known_puzzles import known_puzzles, puzzle_name
from bot.play.trainer.views import PuzzleView
from bot.pure.event.structure import PRESETS, Format, Structure
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import PINEAPPLE
from bot.pure.ofc.settlement import WinCap
from bot.pure.rating.model import Rating
from bot.pure.solver.comparison import ExpectedResults
from bot.pure.trainer.correction import Correction, Judgement
from bot.pure.trainer.position import parse_position
from bot.pure.trainer.puzzle import PuzzlePlacement
from bot.pure.trainer.suits import RENAMINGS, renamed_position
from bot.pure.trainer.themes import Theme
from bot.store.former_names import RENAMED_IN
from bot.store.move import move
from bot.store.sqlite.database import MIGRATIONS
from bot.store.sqlite.migrate import numbered
from bot.store.upkeep import inspect, open_snapshot
from bot.store.vault import KEY_BYTES, NEEDED, SeedVault, find_missing_keys
from tests.databases import DATABASES, POSTGRES, SQLITE, do, place_in, run_program
from tests.databases import ask as asked
from tests.play.world import ANN, BOB, CHANNEL, CLEO, DAN, EVE, GUILD, OTHER_GUILD, PER_TURN, World, entering, quickly

GOLDEN = Path(__file__).parent / "golden"
RUNNING = TableKey(guild=GUILD, table=TableId(2))
LOBBY = TableKey(guild=OTHER_GUILD, table=TableId(1))
GONE = Player("1099")
"""A player whose data was deleted."""
TOURNAMENT = EventKey(guild=GUILD, number=2)
"""The event that is running, with a hand at each of its tables."""
ENTRANTS = [Player(str(number)) for number in range(2001, 2006)]
SLOW = TableKey(guild=GUILD, table=TableId(6))
"""A correspondence table in the middle of its first hand."""
SMALL = Structure(
    format=Format.TOURNAMENT,
    win_cap=WinCap.NONE,
    table_seats=3,
    least=2,
    most=6,
    fee=500,
    stack=1000,
    levels=(50, 400),
    level_hands=2,
    threads=False,
)
LATER_MS = 60_000
"""Time for which the old bot has been stopped when its database is opened again."""
DAY_MS = 24 * 3_600_000
MAX_HANDS = 60
"""An event of few small stacks is over sooner."""


class GoldenError(ValueError):
    """A golden database that cannot be written now; the text says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ends:
    """The running hand's result under plain placements."""

    results: Mapping[Player, tuple[int, int, bool]]
    """Points, chips, foul."""
    stacks: Mapping[Player, int]
    """After the hand."""


def versions() -> list[int]:
    """The schemas that have a golden database."""
    return sorted(int(path.stem.removeprefix("schema-")) for path in GOLDEN.glob("schema-*.db"))


def dumped() -> list[int]:
    """The schemas that have a golden database of PostgreSQL: from the first on that it could be given."""
    return sorted(int(path.stem.removeprefix("schema-")) for path in GOLDEN.glob("schema-*.dump"))


def world_of(version: int, folder: Path, *, golden: Path = GOLDEN) -> World:
    """A bot that finds the files of that version in its folder."""
    shutil.copy(golden / f"schema-{version}.db", folder / "chaipo.db")
    return _with_key(version, folder, golden)


def world_on_server(version: int, folder: Path, *, golden: Path = GOLDEN) -> World:
    """Return the world on PostgreSQL, restored from the dump so that the bot sees no difference."""
    place = place_in(folder)
    assert isinstance(place, str)
    do(place, "DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    run_program(
        "pg_restore", "--no-owner", "--single-transaction", f"--dbname={place}", golden / f"schema-{version}.dump"
    )
    do(place, "UPDATE meta SET home = ''")
    return _with_key(version, folder, golden)


def _with_key(version: int, folder: Path, golden: Path) -> World:
    shutil.copy(golden / f"schema-{version}.key", folder / "chaipo.key")
    (folder / "chaipo.key").chmod(0o600)
    ((alive_at,),) = asked(place_in(folder), "SELECT MAX(alive_at) FROM heartbeat")
    return World(folder, now=alive_at + LATER_MS, causes=(f"later {number}" for number in count()))


def ends_of(version: int, *, golden: Path = GOLDEN) -> Ends:
    """Return the running hand's result according to the code of that version."""
    return ends_in(golden / f"schema-{version}.ends.json")


def ends_in(file: Path) -> Ends:
    """Parse a file of results."""
    told = json.loads(file.read_text(encoding="utf-8"))
    results = {Player(player): (points, chips, foul) for player, (points, chips, foul) in told["results"].items()}
    return Ends(results=results, stacks={Player(player): stack for player, stack in told["stacks"].items()})


async def played_out(world: World) -> Ends:
    """Play the running hand of an open world, and tell what it came to."""
    await world.play_hand(RUNNING)
    rows = world.ask(
        "SELECT player, points, chips, foul FROM result WHERE table_id = ? AND hand_no = 2 ORDER BY player",
        RUNNING.table,
    )
    view = await world.play.look(RUNNING)
    return Ends(
        results={Player(player): (points, chips, bool(foul)) for player, points, chips, foul in rows},
        stacks={place.seat.player: place.stack for place in view.places},
    )


async def running_tables(world: World, key: EventKey = TOURNAMENT) -> list[TableKey]:
    """Return an event's tables with a running hand."""
    tables = [line.table.key for line in (await world.events.look(key)).tables]
    return [table for table in tables if (await world.play.look(table)).waiting]


async def play_hands(world: World, key: EventKey) -> None:
    """Play the running hands of an event to their end."""
    for table in await running_tables(world, key):
        await world.play_hand(table)


async def play_event(world: World, key: EventKey) -> None:
    """Play a running event to its end, placing plainly."""
    for _ in range(MAX_HANDS):
        if (await world.events.look(key)).event.phase.over:
            return
        await play_hands(world, key)
        await world.later(world.policy.next_hand_ms)
    raise AssertionError("the event doesn't end")


def of_events(version: int) -> str:
    """The name of the table of events in that schema."""
    return "tournament" if version < RENAMED_IN else "event"


def before_upgrade(world: World) -> list[str]:
    """Return what a check finds in a closed database of an older schema, once its keys were asked for."""
    with open_snapshot(world.place) as sql:
        assert find_missing_keys(sql, SeedVault.open(world.key_file)) == {}
        assert find_missing_keys(sql, SeedVault([bytes(KEY_BYTES)])).keys() == NEEDED.keys()
    return [finding.line for finding in inspect(world.place, secrets=None).report.findings]


async def play_evening(world: World) -> None:
    """Play on in an open world where the old bot stopped: tables, the tournament to its prizes, posts and a season."""
    page = await world.play.admitted(GUILD, bytes(32))
    assert page is not None
    assert page.player == ANN
    for key in (RUNNING, SLOW):
        await world.play_hand(key)
        await world.next_hand(key)
        await world.play_hand(key)
        assert (await world.record(key, (await world.play.look(key)).table.hand_no)).state is HandState.SETTLED
    waited = await world.events.postings(TOURNAMENT)
    before = _wallets(world)
    await play_event(world, TOURNAMENT)
    people = [line.entrant for line in (await world.events.look(TOURNAMENT)).lines]
    assert sorted(one.place for one in people) == [1, 2, 3, 4, 5]
    prizes = {one.player: one.prize for one in people}
    assert sum(prizes.values()) == SMALL.fee * len(ENTRANTS)
    assert _wallets(world) == {player: chips + prizes.get(player, 0) for player, chips in before.items()}
    told = await _post(world)
    assert told[: len(waited)] == [posting.notice for posting in waited]
    assert told[-1] is Notice.ENDED
    await world.play.close(RUNNING, reason="closed_by_admin")
    week = await world.bulletins.recap(GUILD, since=0, until=world.now + 1, channel=CHANNEL, open_channels={CHANNEL})
    assert week is not None
    assert week.events == 2
    await world.bank.end_season(OTHER_GUILD, ANN, cause=world.cause())
    last = (await world.bank.seasons(OTHER_GUILD)).last
    assert last is not None
    assert last.name == "Autumn"
    world.check_books()


def _wallets(world: World) -> dict[Player, int]:
    return {Player(owner): chips for owner, chips in world.balances("wallet").items() if ":" not in owner}


async def _post(world: World) -> list[Notice]:
    """Post all that waits to be posted of the tournament, and return it."""
    told = []
    while waiting := await world.events.postings(TOURNAMENT):
        for posting in waiting:
            told.append(posting.notice)
            await world.events.posted(posting.number)
    return told


async def write(version: int, *, golden: Path = GOLDEN) -> list[Path]:
    """Write the files of a schema, and return their paths. Raises GoldenError."""
    _make_folder(version, golden)
    names = {ending: golden / f"schema-{version}.{ending}" for ending in ("db", "key", "dump", "ends.json")}
    with DATABASES.playing_on(SQLITE), TemporaryDirectory() as written, TemporaryDirectory() as tried:
        world = await lived(Path(written))
        shutil.copy(world.path, names["db"])
        shutil.copy(world.key_file, names["key"])
        await _dump(names["db"], names["dump"])
        copy = world_of(version, Path(tried), golden=golden)
        await copy.open()
        names["ends.json"].write_text(_text(await played_out(copy)), encoding="utf-8")
        await copy.close()
    return [*names.values()]


_TODAY: list[tuple[TemporaryDirectory[str], list[Path]]] = []


async def write_today(golden: Path) -> list[Path]:
    """Write the files of the newest schema once per process. Later calls get copies."""
    if not _TODAY:
        folder = TemporaryDirectory()
        _TODAY.append((folder, await write(len(numbered(MIGRATIONS)), golden=Path(folder.name))))
    return [Path(shutil.copy(path, golden)) for path in _TODAY[0][1]]


async def lived(folder: Path) -> World:
    """A closed bot of today with rows of every kind."""
    with DATABASES.playing_on(SQLITE):
        world = World(folder)
        await world.open()
        await _live(world)
        await world.clock.beat()
        await world.close()
        # One file, which a reader leaves as it is.
        world.do("PRAGMA journal_mode=DELETE")
    return world


async def _dump(file: Path, dump: Path) -> None:
    """Write the same database as one of PostgreSQL."""
    with DATABASES.playing_on(POSTGRES), TemporaryDirectory() as folder:
        source, place = Path(shutil.copy(file, folder)), place_in(Path(folder))
        await move(source, place, progress=lambda *_: None)
        run_program("pg_dump", "--format=custom", "--no-owner", "--compress=9", f"--file={dump}", str(place))


def _make_folder(version: int, golden: Path) -> None:
    newest = len(numbered(MIGRATIONS))
    if version != newest:
        raise GoldenError(
            f"this code writes schema {newest}, not {version}: run it where no migration after {version} is there yet, "
            "for example in a worktree of the branch that you started from"
        )
    if (golden / f"schema-{version}.dump").exists():
        raise GoldenError(f"schema-{version}.dump is there, and a golden database is never written again")
    golden.mkdir(exist_ok=True)


async def _live(world: World) -> None:
    """Tables of every state, events announced, running and over, a daily hand, a bank, seasons, posts and pages."""
    closed = await world.started(ANN, BOB, CLEO)
    await world.into_fantasyland(closed, ANN)
    await world.play.close(closed, reason="closed_by_admin")
    running = await world.table(ANN, BOB, CLEO)
    await _play_bracket(world)
    assert await _begin_tournament(world) == TOURNAMENT
    assert await _play_slowly(world) == SLOW
    # From here on no clock runs out.
    await world.rig(running)
    await world.start(running)
    await world.play_hand(running)
    await world.rig(running, lambda hand: not entering(hand) and any(not board.foul for board in hand.score.boards))
    await world.next_hand(running)
    for key in (running, *await running_tables(world)):
        await world.play_street(key)
    lobby = await world.table(DAN, EVE, guild=OTHER_GUILD)
    assert (running, lobby) == (RUNNING, LOBBY)
    await _choose(world)
    await _fill(world)
    await _announce(world)
    await _play_daily(world)
    await _solve_puzzles(world)
    await _judge_hands(world)
    await _add_found_puzzle(world)
    await _bank(world)
    await world.matchmaking.refuse(GUILD, ANN, DAN)
    await world.matchmaking.save_template(running, "Friday", by=ANN, replacing=False)
    await world.play.admit(GUILD, ANN, bytes(32), locale="ja")
    await world.play.give_stream_link(GUILD, ANN, name="0" * 16, locale="ja")
    week = EarnedBadge(badge=Badge.DAILY_WEEK, at=world.now)
    await world.sessions.write(lambda s: s.tx.badges.award(GUILD, [(ANN, week)]))


async def _choose(world: World) -> None:
    """Set a server's and a player's settings."""
    play = world.play
    kings = house_variant("pineapple", {"fantasyland.entry": "KK"})
    await play.save_game(GUILD, HouseGame(name="Friday", variant=kings), by=ANN)
    await play.choose_for_server(
        GUILD,
        lambda server: replace(
            server,
            organiser_role=2**60,
            zone="Asia/Tokyo",
            language="ja",
            game=kings,
            point_value=10,
            pace=Pace.LIVE,
            turn_seconds=180,
            channels=(CHANNEL,),
            threads=True,
        ),
    )
    await play.change_member_settings(
        GUILD,
        BOB,
        lambda member_settings: replace(
            member_settings, reminders=False, calls=Calls.AT_ONCE, size=BoardSize.COMPACT, text_only=True
        ),
    )


async def _announce(world: World) -> None:
    """An event that two have registered for, and one that is being prepared."""
    plan = _plan(world, "Friday", replace(PRESETS["chaipo"], fee=500))
    event = await world.events.create(plan, cause=world.cause())
    for player in (DAN, EVE, GONE):
        await world.events.register(event.key, player, cause=world.cause())
    by = Official(player=ANN, manager=True)
    await world.events.disqualify(event.key, by, GONE, why="Two accounts", cause=world.cause())
    await world.events.co_organiser(event.key, by, DAN, remove=False, cause=world.cause())
    await world.events.save_draft(GUILD, ANN, {"name": "Saturday"})


def _plan(world: World, name: str, structure: Structure) -> PlannedEvent:
    return PlannedEvent(
        guild=GUILD,
        channel=CHANNEL,
        organiser=ANN,
        language="en",
        name=name,
        variant=PINEAPPLE,
        structure=structure,
        clock=PER_TURN,
        starts_at=world.now + DAY_MS,
    )


async def _begin(world: World, plan: PlannedEvent, people: Sequence[Player]) -> EventKey:
    """Publish an event, register these, start it, and deal its first hands."""
    key = (await world.events.create(plan, cause=world.cause())).key
    for player in people:
        await world.events.register(key, player, cause=world.cause())
    await world.events.start(key, Official(player=ANN, manager=True), cause=world.cause())
    await world.later(world.policy.seating_ms)
    return key


async def _play_bracket(world: World) -> None:
    """A bracket that is over."""
    structure = replace(SMALL, format=Format.SINGLE, table_seats=2)
    await play_event(world, await _begin(world, _plan(world, "Duel", structure), ENTRANTS[:2]))


async def _begin_tournament(world: World) -> EventKey:
    """A tournament whose tables are in their second hand."""
    key = await _begin(world, _plan(world, "Evening", SMALL), ENTRANTS)
    await play_hands(world, key)
    await world.later(world.policy.next_hand_ms)
    return key


async def _fill(world: World) -> None:
    """An event that's full, with a place on offer to the first on its waiting list."""
    plan = _plan(world, "Queue", replace(SMALL, most=2))
    key = (await world.events.create(plan, cause=world.cause())).key
    for player in ENTRANTS[:4]:
        await world.events.register(key, player, cause=world.cause())
    await world.events.withdraw(key, ENTRANTS[0], cause=world.cause())


async def _play_slowly(world: World) -> TableKey:
    """A correspondence table that has played a street."""
    key = await world.started(BOB, CLEO, clock=Clock(pace=Pace.CORRESPONDENCE, seconds=86_400))
    await world.play_street(key)
    return key


async def _play_daily(world: World) -> None:
    """A daily hand that one has finished and another has begun."""
    view = await world.daily.today(ANN)
    for player, streets in ((ANN, 5), (BOB, 2)):
        await world.daily.begin(view.of.number, player, cause=world.cause())
        for street in range(1, streets + 1):
            hand = (await world.daily.look(view.of.number, player)).hand
            assert hand is not None
            rows = await quickly(hand)
            await world.daily.place(view.of.number, player, street=street, rows=rows, cause=world.cause())


async def _solve_puzzles(world: World) -> None:
    """A puzzle that one was right about and another wrong, one that was put off, and choices of puzzles."""
    name = next(iter(known_puzzles()))
    puzzle = known_puzzles()[name]
    for player, letters in ((ANN, puzzle.best), (BOB, next(one for one, cost in puzzle.costs.items() if cost))):
        await world.trainer.answer(player, name, letters, cause=world.cause())
    first = await world.trainer.give(ANN)
    assert isinstance(first, PuzzleView)
    await world.trainer.put_aside(ANN, first.name)
    await world.trainer.choose(BOB, lambda solver: replace(solver, theme=Theme.FOUL_RISK, games=(PINEAPPLE.key,)))
    post = replace(Bulletin(kind=BulletinKind.MORNING), channel=CHANNEL, zone="UTC", puzzle=True)
    asked = (await world.trainer.morning(GUILD, post, world.now, open_channels=())).asked
    assert asked is not None
    letters = next(iter(known_puzzles()[asked.name].costs))
    await world.trainer.answer_day(GUILD, CLEO, asked.day, asked.name, letters, cause=world.cause())


async def _judge_hands(world: World) -> None:
    """A hand with a mistake that was answered, and the others still to be judged."""
    facts = ExpectedResults(foul=0.25, fantasyland=0.125, royalties=2.5)

    def judge(s: Session) -> PuzzleName:
        mistakes.start_learning(s, ANN)
        hand = mistakes.next_unjudged(s, ANN, serves=lambda _: True, but=set())
        assert hand is not None
        assert hand.past is not None
        number, moment = next((at, one) for at, one in enumerate(hand.past.moments) if one.street)
        placed = PuzzlePlacement(letters=moment.letters, value=-1.5, facts=facts)
        best = replace(placed, letters=moment.letters[::-1], value=0.25)
        correction = Correction(
            placements=(best, placed),
            placed=placed,
            costs={best.letters: 0.0, placed.letters: 1.75},
            right=(best.letters,),
            theme=Theme.FANTASYLAND,
        )
        mistakes.save_judged(
            s, hand, [*[None] * number, Judgement(street=moment.street, lost=1.75, correction=correction)]
        )
        return mistakes.mistake_name(ANN, hand.key, hand.hand_no, number)

    name = await world.sessions.write(judge)
    found = await world.mistakes.correction(ANN, name)
    await world.mistakes.answer(ANN, name, found.placed.letters, cause=world.cause())
    await world.mistakes.put_aside(ANN, name)


async def _add_found_puzzle(world: World) -> None:
    """A puzzle from a hand: one that comes with the bot, with its suits renamed."""
    line = next(iter(puzzle_lines(PINEAPPLE.key)))
    record = json.loads(line)
    position = renamed_position(parse_position(record["position"], PINEAPPLE), RENAMINGS[-1])
    record["position"] = str(position)
    puzzle = FoundPuzzle(
        name=puzzle_name(PINEAPPLE.key, str(position)),
        game=PINEAPPLE.key,
        edition=PINEAPPLE.edition,
        theme=Theme(record["theme"]),
        difficulty=Rating(mean=record["difficulty"], deviation=record["deviation"]),
        line=json.dumps(record),
        verified_by="0",
    )
    await world.sessions.write(lambda s: s.tx.found_puzzles.save(puzzle))


async def _bank(world: World) -> None:
    """Terms, a bonus that was had, chips that were given, and a player who is frozen."""
    terms = replace(BankTerms(), bonus=700, audit_channel=CHANNEL)
    await world.bank.change_terms(GUILD, ANN, lambda _: terms, cause=world.cause())
    await world.bank.claim(GUILD, EVE, Claim.BONUS)
    await world.bank.change_chips(GUILD, ANN, EVE, Action.GIVE, 50, "A prize", cause=world.cause())
    await world.bank.freeze(GUILD, ANN, DAN, f"Two accounts, like <@{EVE}>", cause=world.cause())
    await world.play.note_departed(GUILD, [DAN])
    await world.privacy.delete(GONE)
    seasons = SeasonTerms(monthly=True, reset_chips=True, role=71, role_by=ANN, title="Champion", channel=72)
    await world.bank.change_seasons(OTHER_GUILD, ANN, lambda _: seasons, cause=world.cause())
    await world.bank.start_season(OTHER_GUILD, ANN, "Summer", cause=world.cause())
    await world.bank.start_season(OTHER_GUILD, ANN, "Autumn", cause=world.cause())
    await world.events.ask_start(
        GUILD,
        channel=CHANNEL,
        language="en",
        zone="Asia/Tokyo",
        times=[world.now + 2 * DAY_MS, world.now + 3 * DAY_MS],
        hours=24,
        cause=world.cause(),
    )
    page = ClubPage(channel=73, order=LeaderboardOrder.POINTS, follows_play=False, at_bottom=True)
    await world.bank.change_club_page(GUILD, lambda _: page)
    await world.bank.club_page_shown(GUILD, page, message=74, shown="0123")
    await world.bulletins.change(GUILD, BulletinKind.RECAP, lambda before: replace(before, channel=CHANNEL))
    week = await world.bulletins.recap(GUILD, since=0, until=world.now + 1, channel=CHANNEL, open_channels={CHANNEL})
    assert week is not None


def _text(ends: Ends) -> str:
    results, stacks = (json.dumps(dict(told)) for told in (ends.results, ends.stacks))
    return f'{{\n "results": {results},\n "stacks": {stacks}\n}}\n'


def parser() -> ArgumentParser:
    """Return the command line."""
    newest = len(numbered(MIGRATIONS))
    parser = ArgumentParser(
        prog="python -m tests.store.golden_database",
        description="Write the golden database of the current schema, before a migration changes it. Existing files "
        "are never overwritten.",
        epilog=examples("", str(newest)),
        formatter_class=HelpFormatter,
    )
    parser.add_argument(
        "version", type=int, nargs="?", default=newest, metavar="N", help="number of the newest migration"
    )
    return parser


def main(arguments: Sequence[str]) -> int:
    """Write the files and print their names; returns 2 if they can't be written now."""
    try:
        written = asyncio.run(write(parser().parse_args(arguments).version))
    except GoldenError as error:
        print(error, file=sys.stderr)
        return 2
    print(*written, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
