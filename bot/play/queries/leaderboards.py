"""Leaderboards, profiles and a server's records.

Records include only visible players, with a link to the hand if it can be viewed.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass, field, replace

from bot.model.careers import RULES, BadgeStat, Career, EarnedBadge, Numbers, RecordEntry, RecordKind, Versus, earned_by
from bot.model.daily import day_at
from bot.model.event_standings import compute_standings
from bot.model.events import Event
from bot.model.ids import EventKey, GuildId, Player, TableId, TableKey
from bot.model.reasons import PrivacyReason
from bot.model.standings import (
    EVERY_GAME,
    EventStanding,
    Leaderboard,
    LeaderboardOrder,
    LeaderboardQuery,
    LeaderboardSpan,
    RankingPlace,
    Season,
    Standing,
    places,
)
from bot.play.audience import audience_of
from bot.play.bank import seasons
from bot.play.bank.seasons import leading_order, ranking_of
from bot.play.queries.results import ResultView, require_finished, result_of
from bot.play.session.session import Session
from bot.pure.event.scoring import BY_PLACE
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.refusals import Refused
from bot.pure.rating.model import GROUPS, Rating, group_of

UNRANKED = RankingPlace(rank=0)
"""Place of members who have left."""
SEASONS = 20
"""Number of past seasons that can be viewed."""


def leaderboard(
    s: Session, guild: GuildId, asked: LeaderboardQuery, player: Player, *, page: int, lines: int
) -> Leaderboard:
    """Return a page of ``lines`` players, and the viewer's own place."""
    if asked.span is LeaderboardSpan.SEASON and not asked.season:
        season = seasons.running(s, guild)
        asked = asked._replace(season=season.number if season else 0)
    if asked.order is LeaderboardOrder.RATING:
        return _by_rating(s, guild, asked, player, page=page, lines=lines)
    if asked.order.of_events:
        return _by_events(s, guild, asked, player, page=page, lines=lines)
    gone = departed_from(s, guild, asked)
    own = s.tx.leaderboards.standing(guild, asked, player, at=s.now, without=gone)
    shown = s.tx.leaderboards.standings(guild, asked, at=s.now, limit=lines + 1, skip=page * lines, without=gone)
    # The previous page may end with players who are tied with the first on this one.
    first = (
        s.tx.leaderboards.standing(guild, asked, shown[0].player, at=s.now, without=gone) if page and shown else None
    )
    placed = places([line.value(asked.order) for line in shown], skip=page * lines, first=first and first[1])
    ranked = s.tx.leaderboards.ranked(guild, asked, at=s.now, without=gone)
    if gone and len(shown) <= lines:
        skip, limit = max(0, page * lines - ranked), lines + 1 - len(shown)
        shown += s.tx.leaderboards.standings(guild, asked, at=s.now, limit=limit, skip=skip, only=gone)
        placed += [UNRANKED] * (len(shown) - len(placed))
    return Leaderboard(
        asked=asked,
        page=page,
        lines=shown,
        places=placed,
        ranked=ranked,
        own=own[0] if own else None,
        own_place=own[1] if own else None,
        games=s.tx.leaderboards.games_played(guild),
        seasons=s.tx.seasons.of(guild, limit=SEASONS),
        champions=_champions(s, guild, asked.season) if asked.span is LeaderboardSpan.SEASON else (),
    )


def departed_from(s: Session, guild: GuildId, asked: LeaderboardQuery) -> frozenset[Player]:
    """Return the departed members that a leaderboard doesn't rank. A finished season stays unchanged."""
    season = s.tx.seasons.get(guild, asked.season) if asked.span is LeaderboardSpan.SEASON else None
    over = season is not None and season.ended_at is not None
    return frozenset() if over else s.tx.members.departed(guild)


def club_board(s: Session, guild: GuildId, asked: LeaderboardQuery, *, lines: int) -> Leaderboard:
    """Return the public first page, filled up to ``lines`` even if some players are hidden."""
    hidden = s.tx.choices.hidden_players(guild)
    board = _for_all(leaderboard(s, guild, asked, Player(""), page=0, lines=lines + len(hidden)), hidden)
    return replace(board, lines=board.lines[: lines + 1], places=board.places[: lines + 1])


def page_for_all(s: Session, guild: GuildId, asked: LeaderboardQuery, *, page: int, lines: int) -> Leaderboard:
    """Return a public page, with the same ranks as each viewer's but without hidden players' lines."""
    board = leaderboard(s, guild, asked, Player(""), page=page, lines=lines)
    board = replace(board, lines=board.lines[:lines], places=board.places[:lines])
    return _for_all(board, s.tx.choices.hidden_players(guild))


def _for_all(board: Leaderboard, hidden: Collection[Player]) -> Leaderboard:
    """Remove the lines of hidden players. Their ranks stay taken."""
    placed = zip(board.places, board.lines, strict=True)
    listed = [(place, line) for place, line in placed if line.player not in hidden]
    return replace(
        board,
        lines=[line for _, line in listed],
        places=[place for place, _ in listed],
        champions=board.champions and [player for player in board.champions if player not in hidden],
    )


def _champions(s: Session, guild: GuildId, number: int) -> Sequence[Player]:
    """Return the champions of a finished season by chips won; none if it isn't over, or if events decided it."""
    season = s.tx.seasons.get(guild, number)
    if season is None or season.ended_at is None:
        return ()
    ranking = ranking_of(s, guild, season)
    return ranking.champions if ranking.order is LeaderboardOrder.CHIPS else ()


def first_order(s: Session, guild: GuildId, asked: LeaderboardQuery) -> LeaderboardOrder:
    """Return the order that the leaderboard of a span starts with, by where most of its hands were played."""
    season = None
    if asked.span is LeaderboardSpan.SEASON:
        season = s.tx.seasons.get(guild, asked.season) if asked.season else seasons.running(s, guild)
        asked = asked._replace(season=season.number if season else 0)
    since, until = _times(s, asked, season)
    return leading_order(s, guild, asked, since=since, until=until)


def _by_rating(
    s: Session, guild: GuildId, asked: LeaderboardQuery, player: Player, *, page: int, lines: int
) -> Leaderboard:
    """Return a leaderboard by rating, for the requested game's group or else the group with the most hands here."""
    tx, least = s.tx, asked.order.min_hands
    groups = tx.ratings.rated_groups(guild)
    chosen = group_of(asked.game)
    key = chosen.key if chosen else next(iter(groups), next(iter(GROUPS)))
    gone = tx.members.departed(guild)
    own = tx.ratings.rated_place(guild, key, player, now=s.now, least=least, without=gone)
    shown = tx.ratings.best_rated(guild, key, now=s.now, least=least, limit=lines + 1, skip=page * lines, without=gone)
    best = shown[0].player if page and shown else None
    first = None if best is None else tx.ratings.rated_place(guild, key, best, now=s.now, least=least, without=gone)
    placed = places([line.rating.least for line in shown], skip=page * lines, first=first and first[1])
    ranked = tx.ratings.rated(guild, key, least=least, without=gone)
    if gone and len(shown) <= lines:
        skip, limit = max(0, page * lines - ranked), lines + 1 - len(shown)
        shown += tx.ratings.best_rated(guild, key, now=s.now, least=least, limit=limit, skip=skip, only=gone)
        placed += [UNRANKED] * (len(shown) - len(placed))
    return Leaderboard(
        asked=asked,
        page=page,
        lines=shown,
        places=placed,
        ranked=ranked,
        own=own[0] if own else None,
        own_place=own[1] if own else None,
        games=[GROUPS[group].games[0] for group in groups if group in GROUPS],
        group=key,
    )


def events_mark(s: Session, guild: GuildId, asked: LeaderboardQuery) -> Hashable:
    """Return a key that covers everything that a leaderboard of events depends on, except deleted players."""
    season = seasons.running(s, guild) if asked.span is LeaderboardSpan.SEASON else None
    told = asked, _times(s, asked, season), season and season.number
    return (
        told,
        s.tx.events.over(guild),
        frozenset(s.tx.choices.hidden_players(guild)),
        s.tx.members.departed(guild),
    )


def _times(s: Session, asked: LeaderboardQuery, season: Season | None) -> tuple[int, int]:
    """Return the range of end times of the events that count; it's empty if there is no season."""
    if asked.span is not LeaderboardSpan.SEASON:
        return asked.span.bounds(s.now)
    return season.bounds if season else (0, 0)


def _by_events(
    s: Session, guild: GuildId, asked: LeaderboardQuery, player: Player, *, page: int, lines: int
) -> Leaderboard:
    """Return a leaderboard of events that ended within the span. Hidden players keep their rank without a line."""
    order, tx = asked.order, s.tx
    season = tx.seasons.get(guild, asked.season) if asked.span is LeaderboardSpan.SEASON else None
    since, until = _times(s, asked, season)
    every = compute_standings(tx.events.ended(guild, since=since, until=until), BY_PLACE)
    ranked = [line for line in every if line.events >= order.min_events and line.value(order) > 0]
    sign = 1 if order is LeaderboardOrder.AVERAGE_PLACE else -1
    ranked.sort(key=lambda line: (sign * line.value(order), -line.events, line.player))
    gone = departed_from(s, guild, asked)
    left = [line for line in ranked if line.player in gone]
    ranked = [line for line in ranked if line.player not in gone]
    placed = [*zip(places([line.value(order) for line in ranked]), ranked, strict=True)]
    placed += [(UNRANKED, line) for line in left]
    hidden = tx.choices.hidden_players(guild)
    listed = [(place, line) for place, line in placed if line.player not in hidden]
    shown = listed[page * lines : (page + 1) * lines + 1]
    own = next(((place, line) for place, line in placed if line.player == player and place.rank), None)
    over = season is not None and season.ended_at is not None and order is LeaderboardOrder.EVENT_POINTS
    return Leaderboard(
        asked=asked,
        page=page,
        lines=[line for _, line in shown],
        places=[place for place, _ in shown],
        ranked=len(ranked),
        own=own[1] if own else None,
        own_place=own[0] if own else None,
        games=(),
        seasons=tx.seasons.of(guild, limit=SEASONS),
        champions=[line.player for place, line in listed if place.rank == 1] if over else (),
    )


# Profiles: public totals of a player's hands for chips.

FORM_HANDS = 200
"""Number of recent hands in the plot."""
RIVALS = 3
"""Number of most frequent opponents shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A player's public profile in a server, with the record against the viewer."""

    player: Player
    own: bool
    """True if it's the viewer's own profile."""
    visible: bool
    """False if the profile is hidden from everyone but its player."""
    total: Standing | None
    """All-time totals over all games; None if they haven't played for chips."""
    career: Career
    games: Sequence[tuple[str, int]]
    """Keys of the presets they have played, with their hands, most played first."""
    group: str
    """The group of games in which they are rated; empty if there is none yet."""
    rating: Rating | None
    form: Sequence[int]
    """Points of their last hands, oldest first."""
    best: ResultView | None
    """The hand of their best board; None if it can't be shown."""
    badges: Sequence[EarnedBadge]
    events: EventStanding | None = None
    """Totals over their finished events; None if there are none."""
    versus: Sequence[Versus] = ()
    """Record against the viewer. A player's own profile lists the most frequent opponents, without hidden players."""


def profile(s: Session, guild: GuildId, player: Player, asker: Player) -> Profile:
    """Return a player's profile; raises Refused if it's hidden from ``asker``."""
    visible = s.tx.choices.member_settings(guild, player).profile_visible
    if not visible and player != asker:
        raise Refused(PrivacyReason.PROFILE_HIDDEN, player=player)
    total = s.tx.leaderboards.standing(guild, LeaderboardQuery(), player, at=s.now)
    career = s.tx.careers.get(guild, player)
    group, rating = _rating(s, guild, player)
    return Profile(
        player=player,
        own=player == asker,
        visible=visible,
        total=total[0] if total else None,
        career=career,
        games=s.tx.careers.games_of(guild, player, tuple(PRESETS)),
        group=group,
        rating=rating,
        form=s.tx.careers.form(guild, player, limit=FORM_HANDS),
        best=_best(s, guild, career),
        badges=_badges(s, guild, player),
        events=_events(s, guild, player),
        versus=_versus(s, guild, player, asker),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class BadgesView:
    """A player's badges as everyone in a server may see them."""

    player: Player
    own: bool
    """True if they're the viewer's own, in which case the view also shows how to earn the others."""
    earned: Sequence[EarnedBadge]
    so_far: Numbers = field(default_factory=dict)
    """The viewer's own progress in the numbers that badges count; empty for other players."""


def shelf(s: Session, guild: GuildId, player: Player, asker: Player) -> BadgesView:
    """Return a player's badges; raises Refused if their profile is hidden from ``asker``."""
    own = player == asker
    if not own and not s.tx.choices.member_settings(guild, player).profile_visible:
        raise Refused(PrivacyReason.PROFILE_HIDDEN, player=player)
    so_far = _so_far(s, guild, player) if own else {}
    return BadgesView(player=player, own=own, earned=_badges(s, guild, player), so_far=so_far)


def _so_far(s: Session, guild: GuildId, player: Player) -> Numbers:
    """Return a player's progress. The streak is the current one, because a broken streak earns no badge."""
    streak = s.tx.daily.streak(player)
    days = 0 if streak is None else streak.length_on(day_at(s.now))
    return s.tx.badges.so_far(guild, player) | {BadgeStat.DAYS: days}


def _events(s: Session, guild: GuildId, player: Player) -> EventStanding | None:
    lines = compute_standings(s.tx.events.ended(guild, player=player), BY_PLACE)
    return next((line for line in lines if line.player == player), None)


def _rating(s: Session, guild: GuildId, player: Player) -> tuple[str, Rating | None]:
    """Return the rating in the player's most played group; None before enough hands."""
    found = s.tx.ratings.ratings_of(guild, player, tuple(GROUPS))
    group = max(found, key=lambda key: found[key].hands, default="")
    if not group or found[group].hands < LeaderboardOrder.RATING.min_hands:
        return "", None
    return group, found[group].by(s.now)


def _best(s: Session, guild: GuildId, career: Career) -> ResultView | None:
    if not career.best_table:
        return None
    try:
        view = result_of(s, TableKey(guild=guild, table=TableId(career.best_table)), career.best_hand)
    except Refused:
        return None
    return view if view.hand is not None and view.hand.score is not None else None


def _badges(s: Session, guild: GuildId, player: Player) -> list[EarnedBadge]:
    """Return the earned badges. A streak's badge is stored with the next hand at a table, but already counts here."""
    earned, streak = s.tx.badges.of(guild, player), s.tx.daily.streak(player)
    known = {one.badge for one in earned}
    days = {} if streak is None else {BadgeStat.DAYS: streak.best}
    earned += [EarnedBadge(badge=badge, at=s.now) for badge in earned_by(days) if badge not in known]
    order = list(RULES)
    return sorted(earned, key=lambda one: (order.index(one.badge), -one.since))


def _versus(s: Session, guild: GuildId, player: Player, asker: Player) -> list[Versus]:
    if player == asker:
        return s.tx.careers.most_met(guild, player, limit=RIVALS)
    found = s.tx.careers.versus(guild, asker, player)
    return [found] if found else []


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A record of one kind."""

    feat: RecordEntry
    has_hand: bool = False
    """True if its hand can be viewed."""
    event: Event | None = None
    winners: Sequence[Player] = ()
    """Winners of the event who may be named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """A server's records in one game, or in all games."""

    game: str
    """A preset's key; empty for all games."""
    lines: Sequence[Record]
    games: Sequence[str]
    """Keys of the presets that were played in the server."""


def records(s: Session, guild: GuildId, game: str, channels: Collection[int]) -> Records:
    """Return the records set in ``channels``, which must be visible to all readers."""
    game = game if game in PRESETS else EVERY_GAME
    found = [
        feat
        for kind in RecordKind
        if (feat := s.tx.badges.best_feat(guild, kind, game, channels=sorted(channels))) is not None
    ]
    lines = [
        _event_record(s, guild, feat) if feat.kind is RecordKind.EVENT else _hand_record(s, guild, feat)
        for feat in found
    ]
    return Records(
        game=game, lines=lines, games=[key for key in s.tx.leaderboards.games_played(guild) if key in PRESETS]
    )


def _hand_record(s: Session, guild: GuildId, feat: RecordEntry) -> Record:
    try:
        require_finished(s, s.table(TableKey(guild=guild, table=TableId(feat.table))), feat.hand_no)
    except Refused:
        return Record(feat=feat)
    return Record(feat=feat, has_hand=True)


def _event_record(s: Session, guild: GuildId, feat: RecordEntry) -> Record:
    key = EventKey(guild=guild, number=feat.table)
    readers = audience_of(s, guild, ())
    winners = [player for player in s.tx.badges.winners_of(key) if readers.may_name(player)]
    return Record(feat=feat, event=s.tx.events.get(key), winners=winners)
