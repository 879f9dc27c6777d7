"""Series and leaderboards of events, against a small model of its own over random seasons."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from random import Random

import pytest

from bot.model.bank import SeasonTerms
from bot.model.choices import MemberSettings
from bot.model.events import Entrant, EntrantState, Event, Phase
from bot.model.hands import Result
from bot.model.ids import COMPUTERS, EventKey, Player, TableId, TableKey, is_pseudonym
from bot.model.reasons import EventReason
from bot.model.standings import EventStanding, Leaderboard, LeaderboardOrder, LeaderboardQuery, LeaderboardSpan, Season
from bot.play.api import privacy
from bot.play.bank import seasons
from bot.play.event.formats import counting
from bot.play.event.organisers import changing
from bot.play.queries.leaderboards import first_order, leaderboard, profile
from bot.play.session.session import Session
from bot.pure.event.scoring import Scoring
from bot.pure.event.structure import Format, Structure
from bot.pure.ofc.presets import CLASSIC
from bot.pure.ofc.refusals import Refused
from bot.pure.solver.levels import Level
from tests.play.event.event_world import BOSS, GUILD, PER_TURN, START, EventWorld, Scene, somebody, structure

HOUR = 3_600_000
PEOPLE = [somebody(number) for number in range(14)]
COMPUTER = Player(COMPUTERS[Level.CASUAL][0])
NOBODY = Player("")
DEFAULT_PAYOUTS = (
    {entries: [100] for entries in range(1, 4)}
    | {entries: [65, 35] for entries in range(4, 7)}
    | {entries: [50, 30, 20] for entries in range(7, 14)}
    | {entries: [40, 30, 20, 10] for entries in range(14, 23)}
)
"""Default payouts by number of entrants, written out independently."""


@dataclass
class Held:
    """An event of the model."""

    series: str
    ended_at: int
    order: list[Player]
    """First place first."""
    seats: int
    plays_down: bool
    own_payouts: list[int]
    titles: list[str]
    entries: dict[Player, int]
    prizes: dict[Player, int]
    out: set[Player]
    """Those who were disqualified, the last of the order."""
    phase: Phase = Phase.ENDED

    @property
    def counts(self) -> bool:
        return self.phase is Phase.ENDED and COMPUTER not in self.order


@dataclass
class Model:
    """Model of a season's results."""

    scoring: str
    counted: int
    points: dict[Player, list[int]] = field(default_factory=lambda: defaultdict(list))
    wins: dict[Player, int] = field(default_factory=lambda: defaultdict(int))
    finals: dict[Player, int] = field(default_factory=lambda: defaultdict(int))
    titles: dict[Player, int] = field(default_factory=lambda: defaultdict(int))
    chips: dict[Player, int] = field(default_factory=lambda: defaultdict(int))
    places: dict[Player, list[int]] = field(default_factory=lambda: defaultdict(list))

    def add(self, event: Held) -> None:
        """Count one event."""
        people = len(event.order)
        for place, player in enumerate(event.order, start=1):
            fair = player not in event.out
            self.points[player].append(self.worth(event, place) if fair else 0)
            self.places[player].append(place)
            self.chips[player] += event.prizes.get(player, 0)
            if not fair:
                continue
            self.wins[player] += place == 1
            self.finals[player] += event.plays_down and people > event.seats and place <= event.seats
            self.titles[player] += len(event.titles) >= place and event.titles[place - 1] != ""

    def worth(self, event: Held, place: int) -> int:
        """By the words of the documents."""
        people = len(event.order)
        if self.scoring == "place":
            taking_part, behind = 1, people - place
            return taking_part + behind + math.floor(10 * math.sqrt(people / place) + 1e-9) - 10
        if self.scoring == "root":
            return math.floor(100 * math.sqrt(people / place) + 1e-9)
        if self.scoring == "percentile":
            return math.floor(Fraction(people - place, people - 1) * 100)
        percent = event.own_payouts or DEFAULT_PAYOUTS[sum(event.entries.values())]
        percent = percent[: people - len(event.out)]
        parts = [1000 * share // sum(percent) for share in percent]
        missing = 1000 - sum(parts)
        parts = [part + (number < missing) for number, part in enumerate(parts)]
        return parts[place - 1] if place <= len(parts) else 0

    def total(self, player: Player) -> int:
        """The best so many."""
        best = sorted(self.points[player])[::-1]
        return sum(best if self.counted == 0 else best[: self.counted])

    def rank(self, player: Player) -> tuple[int, bool]:
        """Return the players ahead and whether there is a tie. Points decide, then wins, then fewer events."""

        def worth(one: Player) -> tuple[int, int, int]:
            return self.total(one), self.wins[one], -len(self.places[one])

        mine = worth(player)
        return 1 + sum(worth(one) > mine for one in self.points), sum(worth(one) == mine for one in self.points) > 1


FORMATS = (Format.TOURNAMENT, Format.SHOOTOUT, Format.SINGLE, Format.LEAGUE, Format.DUPLICATE)


def season_of_chance(chance: Random, *, series: Sequence[str]) -> tuple[list[Held], list[Structure]]:
    """Some events, and how each is played."""
    held, structures = [], []
    for number in range(chance.randint(2, 9)):
        form = chance.choice(FORMATS)
        seats = 2 if form.heads_up else chance.choice([2, 3])
        order = chance.sample(PEOPLE, chance.randint(2, 7))
        if chance.random() < 0.1:
            order[-1] = COMPUTER
        out = set(order[len(order) - chance.choice([0, 0, 0, 1, len(order) - 1]) :])
        titles = chance.choice([[], ["Champion"], ["", "Second"], ["Champion", "Second", "Third"]])
        payouts = chance.choice([[], [], [100], [50, 30, 20]])
        event = Held(
            series=chance.choice(series),
            ended_at=START + number * HOUR,
            order=order,
            seats=seats,
            plays_down=form not in (Format.LEAGUE, Format.DUPLICATE),
            own_payouts=payouts,
            titles=titles,
            entries={player: chance.choice([1, 1, 1, 2]) for player in order},
            prizes={order[0]: 100 * chance.randint(0, 3)},
            out=out,
            phase=Phase.CANCELLED if chance.random() < 0.1 else Phase.ENDED,
        )
        held.append(event)
        structures.append(structure(form, table_seats=seats, payouts=tuple(payouts), titles=tuple(titles)))
    return held, structures


def write_down(world: EventWorld, held: Sequence[Held], structures: Sequence[Structure]) -> None:
    """Store events as the director leaves them at their end."""

    def job(s: Session) -> None:
        for number, (event, plan) in enumerate(zip(held, structures, strict=True), start=1):
            key = EventKey(guild=GUILD, number=number)
            for phase in (Phase.REGISTERING, Phase.RUNNING, event.phase):
                s.tx.events.save(replace(stored(key, event, plan), phase=phase))
            for place, player in enumerate(event.order, start=1):
                entrant = Entrant(
                    player=player,
                    registered_at=START,
                    cause=f"{number}-{place}",
                    entries=event.entries[player],
                    number=place,
                    place=0 if event.phase is Phase.CANCELLED else place,
                    prize=event.prizes.get(player, 0),
                    disqualified=player in event.out,
                )
                for state in (EntrantState.REGISTERED, EntrantState.PLAYING, EntrantState.OUT):
                    s.tx.entrants.save(key, replace(entrant, state=state))

    world.write(job)


def stored(key: EventKey, event: Held, plan: Structure) -> Event:
    """The event of the model as the database keeps it."""
    return Event(
        key=key,
        name=f"Night {key.number}",
        organiser=BOSS.player,
        channel=90,
        language="en",
        variant=CLASSIC,
        structure=plan,
        clock=PER_TURN,
        series=event.series,
        phase=event.phase,
        starts_at=START,
        created_at=START,
        started_at=START,
        ended_at=event.ended_at,
        commitment=b"",
        sealed_seed=b"",
        seed=b"seed",
        message=5,
        reminded=True,
    )


@pytest.mark.parametrize("seed", range(40))
def test_a_random_season_comes_to_what_the_model_says(seed: int) -> None:
    chance, world = Random(seed), EventWorld(seed)
    held, structures = season_of_chance(chance, series=("Spring", "Spring", "Autumn", ""))
    scoring, counted = chance.choice(list(Scoring)), chance.choice([0, 0, 1, 2, 3])
    # The newest that was not called off says how they count, whatever those before it say.
    structures = [replace(one, scoring=chance.choice(list(Scoring)), counted=9) for one in structures]
    newest = [n for n, event in enumerate(held) if event.series == "Spring" and event.phase is Phase.ENDED]
    for number in newest[-1:]:
        structures[number] = replace(structures[number], scoring=scoring, counted=counted)
    write_down(world, held, structures)
    hidden = chance.sample(PEOPLE, 3)
    for one in hidden:
        world.write(partial(keep_private, one=one))
    gone = chance.choice(PEOPLE)
    if chance.random() < 0.5:
        world.write(lambda s: privacy.delete(s, gone))
        names = {row["player"] for row in world.storage.look.all("SELECT player FROM entrant")}
        pseudonym = next((Player(name) for name in names if is_pseudonym(name)), gone)
        assert gone not in names
        held = [renamed(event, gone, pseudonym) for event in held]
    of_series = [event for event in held if event.series == "Spring" and event.counts]
    model = Model(scoring=scoring.value, counted=counted)
    for event in of_series:
        model.add(event)
    if not of_series:
        refused_series(world)
    else:
        check_table(world, model, hidden)
    check_boards(world, [event for event in held if event.counts], hidden)


def keep_private(s: Session, one: Player) -> None:
    """Make a player's profile private."""
    s.tx.choices.save_member_settings(GUILD, one, MemberSettings(profile_visible=False))


def begin_season(s: Session, season: Season) -> None:
    """A season of the server."""
    s.tx.seasons.save(GUILD, season)


def renamed(event: Held, before: Player, after: Player) -> Held:
    """Return the event after a player's deletion, with the name replaced."""

    def name(player: Player) -> Player:
        return after if player == before else player

    return replace(
        event,
        order=[*map(name, event.order)],
        entries={name(one): count for one, count in event.entries.items()},
        prizes={name(one): chips for one, chips in event.prizes.items()},
        out={*map(name, event.out)},
    )


def refused_series(world: EventWorld) -> None:
    with pytest.raises(Refused) as refused:
        counting.series_table(world.session(), GUILD, "Spring", NOBODY)
    assert refused.value.reason is EventReason.NO_SERIES


def check_table(world: EventWorld, model: Model, hidden: Sequence[Player]) -> None:
    """Compare the series table with the model, as seen by everyone and by a hidden player."""
    table = counting.series_table(world.session(), GUILD, "Spring", NOBODY)
    assert {line.player for line in table.lines} == set(model.points) - set(hidden)
    for place, line in zip(table.places, table.lines, strict=True):
        one = line.player
        assert (place.rank, place.shared) == model.rank(one)
        assert (line.points, line.events) == (model.total(one), len(model.places[one]))
        assert (line.wins, line.finals, line.titles) == (model.wins[one], model.finals[one], model.titles[one])
        assert (line.chips, line.places) == (model.chips[one], sum(model.places[one]))
    ranks = [place.rank for place in table.places]
    assert ranks == sorted(ranks)
    for one in hidden:
        own = counting.series_table(world.session(), GUILD, "Spring", one)
        mine = [place for place, line in zip(own.places, own.lines, strict=True) if line.player == one]
        assert [(place.rank, place.shared) for place in mine] == ([model.rank(one)] if one in model.points else [])
        assert own.takes_part == (one in model.points)
    seeds = counting.series_points_so_far(world.session().tx, GUILD, "Spring")
    assert seeds == {player: model.total(player) for player in model.points}


VALUES: dict[LeaderboardOrder, Callable[[Model, Player], int]] = {
    LeaderboardOrder.EVENT_POINTS: lambda model, one: model.total(one),
    LeaderboardOrder.EVENT_WINS: lambda model, one: model.wins[one],
    LeaderboardOrder.FINAL_TABLES: lambda model, one: model.finals[one],
    LeaderboardOrder.TITLES: lambda model, one: model.titles[one],
    LeaderboardOrder.EVENT_CHIPS: lambda model, one: model.chips[one],
}


def board(world: EventWorld, order: LeaderboardOrder, asker: Player = NOBODY, **asked: object) -> Leaderboard:
    """Return a leaderboard page that is large enough for all players."""
    return leaderboard(world.session(), GUILD, LeaderboardQuery(order=order, **asked), asker, page=0, lines=50)  # type: ignore[arg-type]


def check_boards(world: EventWorld, held: Sequence[Held], hidden: Sequence[Player]) -> None:
    """The server's leaderboards of events count all of them, by place."""
    model = Model(scoring="place", counted=0)
    for event in held:
        model.add(event)
    for order, value in VALUES.items():
        found = board(world, order)
        worth = {one: value(model, one) for one in model.points if value(model, one) > 0}
        assert {line.player for line in found.lines} == set(worth) - set(hidden)
        assert found.ranked == len(worth)
        for place, line in zip(found.places, found.lines, strict=True):
            mine = worth[line.player]
            assert place.rank == 1 + sum(one > mine for one in worth.values())
            assert place.shared == ([*worth.values()].count(mine) > 1)
        for one in hidden:
            own = board(world, order, one)
            assert (own.own_place is not None) == (one in worth)
            assert own.own_place is None or own.own_place.rank == 1 + sum(v > worth[one] for v in worth.values())
    for one in model.points:
        if one == COMPUTER or is_pseudonym(one):
            continue
        events = profile(world.session(), GUILD, one, one).events
        assert events is not None
        assert (events.events, events.wins, events.finals) == (
            len(model.places[one]),
            model.wins[one],
            model.finals[one],
        )
        assert events.average_place == pytest.approx(sum(model.places[one]) / len(model.places[one]))


def event_like(order: Sequence[Player], **changes: object) -> Held:
    """A plain event of the series."""
    usual = Held(
        series="Spring",
        ended_at=START,
        order=[*order],
        seats=3,
        plays_down=True,
        own_payouts=[],
        titles=[],
        entries=dict.fromkeys(order, 1),
        prizes={},
        out=set(),
    )
    return replace(usual, **changes)  # type: ignore[arg-type]


def test_average_places_are_ranked_from_five_events_on_the_lowest_first() -> None:
    a, b, c = PEOPLE[:3]
    world = EventWorld()
    write_down(world, [event_like([a, b])] * 4 + [event_like([c, b, a])], [structure()] * 5)
    found = board(world, LeaderboardOrder.AVERAGE_PLACE)
    assert [
        (line.player, line.value(LeaderboardOrder.AVERAGE_PLACE))
        for line in found.lines
        if isinstance(line, EventStanding)
    ] == [
        (a, 1.4),
        (b, 2.0),
    ]
    assert [place.rank for place in found.places] == [1, 2]


def test_a_season_of_the_server_has_its_own_table_and_champion() -> None:
    a, b, c = PEOPLE[:3]
    world = EventWorld()
    held = [event_like([a, b, c], ended_at=START + n * HOUR) for n in range(2)]
    held.append(event_like([b, c, a], ended_at=START + 2 * HOUR))
    write_down(world, held, [structure()] * 3)
    first = Season(number=1, name="", began_at=START, ended_at=START + 2 * HOUR)
    second = Season(number=2, name="", began_at=START + 2 * HOUR)
    for one in (first, second):
        world.write(partial(begin_season, season=one))
    for number, leader, events in ((1, a, 2), (2, b, 1), (0, a, 3)):
        table = counting.series_table(world.session(), GUILD, "Spring", NOBODY, season=number)
        assert (table.lines[0].player, table.lines[0].events) == (leader, events)
        assert table.champions == ([a] if number == 1 else ())
    over = board(world, LeaderboardOrder.EVENT_POINTS, span=LeaderboardSpan.SEASON, season=1)
    assert (over.lines[0].player, over.champions) == (a, [a])
    runs = board(world, LeaderboardOrder.EVENT_POINTS, span=LeaderboardSpan.SEASON)
    assert (runs.lines[0].player, runs.champions, runs.asked.season) == (b, (), 2)
    assert board(world, LeaderboardOrder.EVENT_WINS, span=LeaderboardSpan.SEASON, season=1).champions == ()
    assert board(world, LeaderboardOrder.EVENT_POINTS, span=LeaderboardSpan.SEASON, season=7).lines == []


def test_a_champion_who_keeps_to_themselves_is_named_to_nobody() -> None:
    a, b = PEOPLE[:2]
    world = EventWorld()
    write_down(world, [event_like([a, b])], [structure()])
    season = Season(number=1, name="", began_at=START, ended_at=START + HOUR)
    world.write(partial(begin_season, season=season))
    world.write(partial(keep_private, one=a))
    assert board(world, LeaderboardOrder.EVENT_POINTS, span=LeaderboardSpan.SEASON, season=1).champions == []
    table = counting.series_table(world.session(), GUILD, "Spring", NOBODY, season=1)
    assert ([line.player for line in table.lines], table.places[0].rank, table.champions) == ([b], 2, [])


# a club that mostly plays events


def play_for_chips(s: Session, *, hands: int, season: int) -> None:
    """Let the second player win hands for chips from the third, outside events."""
    won = [(PEOPLE[1], 6), (PEOPLE[2], -6)]
    for number in range(1, hands + 1):
        results = [
            Result(player=player, points=chips, chips=chips, fantasyland=0, foul=False, ranked=True)
            for player, chips in won
        ]
        s.tx.results.add(TableKey(guild=GUILD, table=TableId(70)), number, results, at=s.now, season=season)


@pytest.mark.parametrize(("cash", "first"), [(3, "event_points"), (4, "chips"), (5, "chips")])
def test_event_points_come_first_where_more_hands_are_played_in_events(cash: int, first: str) -> None:
    a, b, c = PEOPLE[:3]
    world = EventWorld()
    world.now = START + HOUR
    write_down(world, [event_like([a, b, c], ended_at=START + 1)], [structure()])
    world.write(partial(note_hands, hands={a: 4, b: 2, c: 1}))
    season = Season(number=1, name="", began_at=START)
    world.write(partial(begin_season, season=season))
    world.write(partial(play_for_chips, hands=cash, season=1))
    session = world.session()
    for span in (LeaderboardSpan.ALL, LeaderboardSpan.MONTH, LeaderboardSpan.SEASON):
        assert first_order(session, GUILD, LeaderboardQuery(span=span)).value == first
    assert first_order(session, GUILD, LeaderboardQuery(span=LeaderboardSpan.SEASON, season=9)).value == "chips"
    # The season ends with that order, so its champions are those of events or those of tables.
    terms = SeasonTerms(title="King", channel=8)
    world.write(lambda s: s.tx.seasons.save_terms(GUILD, terms))
    over = world.write(lambda s: seasons.end_season(s, GUILD, season))
    world.write(partial(begin_season, season=over))
    end = seasons.season_end(world.session(), GUILD, 1)
    assert end is not None
    assert (end.ranking.order.value, end.champions, end.season.title) == (first, [b if cash > 3 else a], "King")
    assert next(line.player for _, line in end.listed) == end.champions[0]
    board_of_chips = leaderboard(
        world.session(), GUILD, LeaderboardQuery(span=LeaderboardSpan.SEASON, season=1), NOBODY, page=0, lines=9
    )
    assert list(board_of_chips.champions) == ([b] if cash > 3 else [])


def note_hands(s: Session, *, hands: dict[Player, int]) -> None:
    """Set the hands that each has played in the first event."""
    key = EventKey(guild=GUILD, number=1)
    for entrant in s.tx.entrants.of(key):
        s.tx.entrants.save(key, replace(entrant, hands=hands[entrant.player]))


# scoring of a series


def ruled(scoring: Scoring, counted: int = 0) -> Structure:
    """A Sit & Go of two with this rule."""
    return structure(Format.SIT_AND_GO, most=2, least=2, scoring=scoring, counted=counted)


def rule(scene: Scene) -> tuple[Scoring, int] | None:
    """Return the current scoring of the series."""
    return counting.series_rule(scene.session(), GUILD, "Spring")


def test_the_newest_event_that_is_not_called_off_decides(scene: Scene) -> None:
    assert rule(scene) is None
    scene.announce(ruled(Scoring.ROOT, 3), series="Spring")
    assert rule(scene) == (Scoring.ROOT, 3)
    first = scene.key
    scene.announce(ruled(Scoring.PRIZE), series="Spring")
    assert rule(scene) == (Scoring.PRIZE, 0)
    assert counting.series_rule(scene.session(), GUILD, "") is None
    # Changing an older event changes the series.
    second, scene.key = scene.key, first
    scene.organise(changing.change, {"scoring": ("root", "percentile"), "counted": (3, 5)})
    assert rule(scene) == (Scoring.PERCENTILE, 5)
    later = scene.session().tx.events.get(second)
    assert later is not None
    assert (later.structure.scoring, later.structure.counted) == (Scoring.PERCENTILE, 5)
    log = scene.session().tx.events.log(second)[-1]
    told = [["scoring", "prize", "percentile"], ["counted", 0, 5]]
    assert (log.kind, log.actor, log.details["changes"]) == ("changed", BOSS.player, told)
