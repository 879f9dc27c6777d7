"""Weekly recaps of a server, made from results and from luck as measured by reviews."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby, islice

from bot.model.bulletins import (
    Climb,
    CloseFinish,
    DailyBest,
    EventPlace,
    Highlight,
    PlayerPair,
    Recap,
    RecapLine,
    Victory,
    WeekBadge,
    WeekPoints,
)
from bot.model.careers import RULES, BadgeCategory, BadgeStat
from bot.model.daily import Series, day_at
from bot.model.errors import HandLostError
from bot.model.event_standings import compute_standings
from bot.model.ids import GuildId, Player, TableId, TableKey, is_computer
from bot.model.tables import Table, TableState
from bot.play.audience import Audience, audience_of
from bot.play.daily.morning import master_outcome
from bot.play.queries.replays import PastHand, past_hand
from bot.play.session.session import Session
from bot.pure.event.scoring import BY_PLACE
from bot.pure.ofc.refusals import Refused
from bot.store.bulletins import WeekEvent, WeekResult

MAX_BADGES = 60
"""Maximum number of badges kept per week."""
KEPT = 10
"""Length of each stored list. Only the first entry is shown, or the next one if that player is hidden."""
WEIGHED = 6
"""Number of best and of worst results whose luck is computed, which takes a few tenths of a second each."""
MIN_HANDS = 5
"""Minimum number of hands for a table's finish to be listed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LuckCandidate:
    """A hand whose luck will be computed."""

    past: PastHand
    highlight: Highlight


@dataclass(frozen=True, slots=True, kw_only=True)
class WeekRecap:
    """A week's recap from its results, before luck is computed."""

    recap: Recap
    won: Sequence[LuckCandidate]
    """The hands with the most points, candidates for the luckiest."""
    lost: Sequence[LuckCandidate]
    """The hands with the fewest points."""


def load_week(
    s: Session, guild: GuildId, *, since: int, until: int, channel: int, open_channels: Collection[int]
) -> WeekRecap:
    """Return a week for readers of ``open_channels``, leaving out other tables and hidden players."""
    readers = audience_of(s, guild, open_channels)
    later = s.tx.bulletins.week_results(guild, since)
    results = [one for one in later if one.at < until]
    seen = [one for one in results if readers.sees(one.channel)]
    shown = [one for one in seen if readers.may_name(one.player)]
    tables = _Tables(s, guild)
    masters, dailies = _daily_hands(s, guild, readers, since=since, until=until)
    events = [one for one in s.tx.bulletins.week_events(guild, since=since, until=until) if readers.sees(one.channel)]
    at_events = [
        one
        for one in s.tx.bulletins.week_event_hands(guild, since=since, until=until)
        if readers.sees(one.channel) and not is_computer(one.player)
    ]
    climbs = _climbs(s.tx.bulletins.chips_won(guild), results, after=later[len(results) :])
    played = {one.player for one in seen}
    recap = Recap(
        since=since,
        until=until,
        channel=channel,
        hands=len({(one.table, one.hand_no) for one in seen}),
        players=len(played),
        event_hands=len({(one.table, one.hand_no) for one in at_events}),
        event_players=len({one.player for one in at_events}),
        events=len(events),
        top=_top(shown)[:KEPT],
        climbs=[climb for climb in climbs if climb.player in played][:KEPT],
        boards=list(islice(_boards(shown, tables), KEPT)),
        finishes=_finishes(s, [one for one in later if readers.sees(one.channel)], until=until, tables=tables),
        masters=masters,
        dailies=dailies[:KEPT],
        badges=_badges(s, guild, readers, events, since=since, until=until)[:MAX_BADGES],
        pairs=_pairs(shown),
        victories=[Victory(event=one.name, player=player) for one in events for player in _winners(one)],
        podium=_podium(events),
        event_points=_event_points(s, guild, events, since=since, until=until)[:KEPT],
    )
    by_points = sorted(shown, key=lambda one: -one.points)
    return WeekRecap(
        recap=recap.without({player for player in recap.people if not readers.may_name(player)}),
        won=_weigh(s, (one for one in by_points if one.points > 0), tables),
        lost=_weigh(s, (one for one in reversed(by_points) if one.points < 0), tables),
    )


def _winners(event: WeekEvent) -> list[Player]:
    return [player for place, player, _ in event.places if place == 1]


def _podium(events: Sequence[WeekEvent]) -> list[EventPlace]:
    """Return the top places of the largest event. Among equals, the one that ended first counts."""
    largest = max(events, key=lambda event: len(event.places), default=None)
    if largest is None:
        return []
    sharing = Counter(place for place, _, _ in largest.places)
    return [
        EventPlace(
            event=largest.name,
            people=len(largest.places),
            place=place,
            shared=sharing[place] > 1,
            player=player,
            won=won,
        )
        for place, player, won in largest.places[:KEPT]
    ]


def _event_points(
    s: Session, guild: GuildId, events: Sequence[WeekEvent], *, since: int, until: int
) -> list[WeekPoints]:
    """Return the players with season points in these ``events`` of the week, most points first."""
    numbers = {one.number for one in events}
    counted = [one for one in s.tx.events.ended(guild, since=since, until=until) if one.number in numbers]
    lines = [line for line in compute_standings(counted, BY_PLACE) if line.points > 0]
    lines.sort(key=lambda line: (-line.points, -line.events, line.player))
    return [WeekPoints(player=line.player, points=line.points, events=line.events) for line in lines]


def _badges(
    s: Session, guild: GuildId, readers: Audience, events: Sequence[WeekEvent], *, since: int, until: int
) -> list[WeekBadge]:
    """Return the new badges that readers may see: from visible hands or events, or earned without playing.

    Badges of seasons and months are public, because the leaderboards are.
    """
    took_part = {player for event in events for _, player, _ in event.places} | {event.organiser for event in events}
    return [
        honour
        for channel, honour in s.tx.bulletins.badges_earned(guild, since=since, until=until)
        if (readers.sees(channel) if channel is not None else not _is_from_event(honour) or honour.player in took_part)
    ]


def _is_from_event(honour: WeekBadge) -> bool:
    """True if an event earned the badge. False for badges of other versions, which aren't shown."""
    rule = next((rule for badge, rule in RULES.items() if badge.value == honour.badge), None)
    return rule is not None and (rule.shelf is BadgeCategory.EVENTS or rule.counted is BadgeStat.HOSTED)


def keep(s: Session, guild: GuildId, recap: Recap) -> Recap:
    """Store a week's recap unless one is already stored, and return the stored one."""
    known = s.tx.bulletins.recap_until(guild, recap.until)
    if known is None:
        known = replace(recap, number=s.tx.bulletins.last_recap(guild) + 1)
        s.tx.bulletins.add_recap(guild, known)
    return shown(s, guild, known)


def kept_of(s: Session, guild: GuildId, until: int) -> Recap | None:
    """Return the recap of the week that ended at ``until``; None if there is none yet."""
    recap = s.tx.bulletins.recap_until(guild, until)
    return None if recap is None else shown(s, guild, recap)


def numbered(s: Session, guild: GuildId, number: int) -> tuple[Recap | None, int]:
    """Return a recap, or the newest if ``number`` is 0, and the newest number. The recap is None if there is none."""
    last = s.tx.bulletins.last_recap(guild)
    recap = s.tx.bulletins.recap(guild, min(number, last) or last)
    return None if recap is None else shown(s, guild, recap), last


def shown(s: Session, guild: GuildId, recap: Recap) -> Recap:
    """Return the recap without the players who are now hidden or deleted."""
    readers = audience_of(s, guild, ())
    return recap.without({player for player in recap.people if not readers.may_name(player)})


class _Tables:
    """A server's tables, each read at most once."""

    def __init__(self, s: Session, guild: GuildId) -> None:
        self._s = s
        self._guild = guild
        self._known: dict[TableId, Table] = {}

    def __call__(self, number: TableId) -> Table:
        if number not in self._known:
            self._known[number] = self._s.table(TableKey(guild=self._guild, table=number))
        return self._known[number]


def _top(results: Sequence[WeekResult]) -> list[RecapLine]:
    chips, hands = Counter[Player](), Counter[Player]()
    for one in results:
        chips[one.player] += one.chips
        hands[one.player] += 1
    lines = [RecapLine(player=player, chips=chips[player], hands=hands[player]) for player in hands]
    return sorted(lines, key=lambda line: (-line.chips, -line.hands, line.player))


def _climbs(
    now: dict[Player, tuple[int, int]], results: Sequence[WeekResult], *, after: Sequence[WeekResult]
) -> list[Climb]:
    """Return the players who rose in the all-time ranking, largest rise first. Newly ranked players don't count."""

    def without(known: dict[Player, tuple[int, int]], some: Sequence[WeekResult]) -> dict[Player, tuple[int, int]]:
        hands, chips = Counter(one.player for one in some), Counter[Player]()
        for one in some:
            chips[one.player] += one.chips
        left = {player: (known[player][0] - hands[player], known[player][1] - chips[player]) for player in known}
        return {player: line for player, line in left.items() if line[0] > 0}

    end = without(now, after)
    begin = without(end, results)
    ranks = [_ranks({player: chips for player, (_, chips) in each.items()}) for each in (begin, end)]
    climbs = [
        Climb(player=player, places=ranks[0][player] - ranks[1][player], rank=ranks[1][player])
        for player in {one.player for one in results} & begin.keys()
    ]
    up = [climb for climb in climbs if climb.places > 0]
    return sorted(up, key=lambda climb: (-climb.places, climb.rank, climb.player))


def _ranks(chips: dict[Player, int]) -> dict[Player, int]:
    """Return each player's rank: one more than the number of players with more chips."""
    values = sorted(-value for value in chips.values())
    return {player: bisect_left(values, -value) + 1 for player, value in chips.items()}


def _boards(results: Sequence[WeekResult], tables: _Tables) -> Iterable[Highlight]:
    """Yield the boards with the most royalties. Among equals, the earliest comes first."""
    for one in sorted(results, key=lambda one: -one.royalties):
        if one.royalties > 0 and not one.foul:
            yield _highlight(one, tables(one.table), one.royalties)


def _highlight(result: WeekResult, table: Table, number: int) -> Highlight:
    return Highlight(player=result.player, number=number, table=result.table, tag=table.tag, hand_no=result.hand_no)


def _weigh(s: Session, results: Iterable[WeekResult], tables: _Tables) -> list[LuckCandidate]:
    found: list[LuckCandidate] = []
    for one in results:
        table = tables(one.table)
        try:
            past = past_hand(s, table.key, one.hand_no, one.player)
        except Refused:
            continue  # its log or seed is lost
        found.append(LuckCandidate(past=past, highlight=_highlight(one, table, 0)))
        if len(found) == WEIGHED:
            break
    return found


def _finishes(s: Session, results: Sequence[WeekResult], *, until: int, tables: _Tables) -> list[CloseFinish]:
    """Return the closed tables whose top two players finished closest."""
    last: dict[TableId, int] = {}
    hands: dict[TableId, set[int]] = defaultdict(set)
    for one in results:
        last[one.table] = one.at
        hands[one.table].add(one.hand_no)
    finishes = []
    for number, at in last.items():
        table = tables(number) if at < until else None
        if table is None or table.state is not TableState.CLOSED:
            continue
        totals = sorted(s.tx.results.totals(table.key), key=lambda total: (-total.points, total.player))
        played = max(total.hands for total in totals)
        if played < MIN_HANDS or len(totals) < 2:
            continue
        first, second = totals[:2]
        finishes.append(
            CloseFinish(
                winner=first.player,
                second=second.player,
                points=first.points - second.points,
                hands=played,
                table=number,
            )
        )
    return sorted(finishes, key=lambda one: (one.points, -one.hands, one.table))[:KEPT]


def _daily_hands(
    s: Session, guild: GuildId, readers: Audience, *, since: int, until: int
) -> tuple[list[Player], list[DailyBest]]:
    """Return the players who beat a master in the week's daily hands, most often first.

    Also return each player's best daily result, most points first.
    """
    beaten, best = Counter[Player](), dict[Player, int]()
    for day in range(day_at(since), day_at(until)):
        challenge = s.tx.daily.challenge_of(Series.DAILY, day)
        if challenge is None or challenge.seed is None:
            continue
        found = [one for one in s.tx.bulletins.daily_points(guild, challenge.number) if readers.may_name(one[0])]
        for player, points in found:
            best[player] = max(points, best.get(player, points))
        try:
            master = master_outcome(s, challenge)
        except HandLostError:
            continue
        if master is not None:
            beaten.update(player for player, points in found if points > master.points)
    dailies = [DailyBest(player=player, points=points) for player, points in best.items()]
    dailies.sort(key=lambda one: (-one.points, one.player))
    return sorted(beaten, key=lambda player: (-beaten[player], player))[:KEPT], dailies


def _pairs(results: Sequence[WeekResult]) -> list[PlayerPair]:
    """Return the pairs who played together, most hands first."""
    together = Counter[tuple[Player, Player]]()
    hand: Callable[[WeekResult], tuple[TableId, int]] = lambda one: (one.table, one.hand_no)  # noqa: E731
    for _, seats in groupby(sorted(results, key=hand), key=hand):
        together.update(combinations(sorted(one.player for one in seats), 2))
    pairs = [PlayerPair(first=first, second=second, hands=count) for (first, second), count in together.items()]
    return sorted(pairs, key=lambda pair: (-pair.hands, pair.first, pair.second))[:KEPT]
