"""Badges earned by hands, events, seasons and months, awarded in the transaction that ends them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

from bot.model.careers import (
    PODIUM,
    RULES,
    TOLD_WITH_A_HAND,
    Badge,
    BadgeStat,
    EarnedBadge,
    Numbers,
    RecordEntry,
    RecordKind,
    earned_by,
    numbers_of,
    numbers_of_month,
)
from bot.model.events import Event
from bot.model.hands import Result
from bot.model.ids import GuildId, Player, Serves, TableKey, is_computer, is_pseudonym
from bot.play.session.session import Session

MONTHS_AT_ONCE = 50
"""Maximum number of monthly awards (one per server and month) in a transaction."""
_BY_PLACE = (BadgeStat.EVENTS_WON, BadgeStat.EVENT_BEATEN, BadgeStat.PODIUM)
"""The counted numbers that depend on places in events."""
_COMPANY = {badge for badge, rule in RULES.items() if rule.counted in (BadgeStat.OPPONENTS, BadgeStat.TOGETHER)}


def note_hand(s: Session, key: TableKey, hand_no: int, results: Sequence[Result]) -> None:
    """Award the badges and streaks of a hand for chips.

    Its result also announces badges that the players have earned in seasons or months since their last hand.
    """
    tx, played = s.tx, {result.player: numbers_of(result) for result in results if result.ranked}
    if not played:
        return
    players = list(played)
    known = tx.badges.of_each(key.guild, players)
    if any(one.badge in TOLD_WITH_A_HAND and not one.table for own in known.values() for one in own):
        tx.badges.tell_with(key, hand_no, players)
    have = {player: {one.badge for one in own} for player, own in known.items()}
    sums, days = tx.badges.sums_of_each(key.guild, players), tx.badges.streaks_of_each(players)
    company = tx.badges.company_of_each(key.guild, [player for player in players if not have[player] >= _COMPANY])
    numbers = {
        player: {**own, **sums[player], **company.get(player, {}), BadgeStat.DAYS: days.get(player, 0)}
        for player, own in played.items()
    }
    _award(s, key.guild, numbers, have=have, table=key.table, hand_no=hand_no)


def note_event(s: Session, event: Event, places: Mapping[Player, int], *, at: int) -> list[tuple[Player, Badge]]:
    """Award the badges of an event that has just ended, and record its size; return the badges that may be announced.

    ``places`` has the players' places. Players who placed no card in it earn nothing, and neither do events with
    computers or a handicap.
    """
    tx, guild, size = s.tx, event.key.guild, len(places)
    entrants = tx.entrants.of(event.key)
    if event.structure.handicap or any(is_computer(entrant.player) for entrant in entrants):
        return []
    feat = RecordEntry(
        kind=RecordKind.EVENT,
        game=event.variant.key,
        player=Player(""),
        value=size,
        at=at,
        table=event.key.number,
        hand_no=0,
    )
    tx.badges.note_feat(guild, feat)
    numbers: dict[Player, dict[BadgeStat, int]] = {
        player: dict(found) for player, found in tx.badges.events_of_each(event.key).items()
    }
    for player in [entrant.player for entrant in entrants if entrant.played and entrant.player in places]:
        if places[player] == 1:
            numbers[player][BadgeStat.EVENT_BEATEN] = size
        if places[player] <= PODIUM:
            numbers[player][BadgeStat.PODIUM] = size
    numbers.setdefault(event.organiser, {})[BadgeStat.HOSTED] = size
    earned = _award(s, guild, numbers, at=at)
    return [(player, badge) for player, badge in earned if tx.choices.member_settings(guild, player).profile_visible]


def correct_event(
    s: Session, event: Event, players: Sequence[Player], taken_before: Mapping[tuple[Player, Badge], int]
) -> list[tuple[Player, EarnedBadge]]:
    """Award or take back the badges for places of ``players``, after a ruling has changed places in an event.

    Returns the badges taken back. ``taken_before`` has those that earlier rulings took back, with the time when they
    were first earned, which they get again.
    """
    tx, guild = s.tx, event.key.guild
    if not players or event.structure.handicap or any(is_computer(one.player) for one in tx.entrants.of(event.key)):
        return []
    numbers, known = tx.badges.event_wins_of_each(guild, players), tx.badges.of_each(guild, players)
    due = {player: set(earned_by(numbers[player])) for player in players}
    lost = [
        (player, one)
        for player, own in known.items()
        for one in own
        if RULES[one.badge].counted in _BY_PLACE and one.badge not in due[player]
    ]
    tx.badges.take(guild, lost)
    have = {player: {one.badge for one in known[player]} for player in players}
    tx.badges.award(
        guild,
        [
            (player, EarnedBadge(badge=badge, at=taken_before.get((player, badge), s.now)))
            for player in players
            if not is_pseudonym(player)
            for badge in RULES
            if badge in due[player] - have[player]
        ],
    )
    return lost


def note_season(s: Session, guild: GuildId, number: int) -> None:
    """Award the badges of a finished and saved season."""
    tx = s.tx
    numbers: dict[Player, dict[BadgeStat, int]] = {
        player: dict(found) for player, found in tx.badges.seasons_of_each(guild, number).items()
    }
    won = tx.badges.chips_of_season(guild, number)
    best = sorted(won.values(), reverse=True)[:PODIUM]
    for player, chips in won.items():
        if chips > 0 and chips >= best[-1]:
            numbers.setdefault(player, {})[BadgeStat.SEASON_PODIUM] = len(won)
        if chips == best[0] > 0:
            numbers.setdefault(player, {})[BadgeStat.SEASONS_WON] = 1
    _award(s, guild, numbers)


def give_months(s: Session, serves: Serves) -> None:
    """Award the badges of finished months in some of these servers; the rest follow soon.

    A month ends for all servers at the same time, and other writes have to wait for this.
    """
    over = ((guild, since) for guild, since in s.tx.badges.months_over(s.now) if serves(guild))
    for guild, since in islice(over, MONTHS_AT_ONCE):
        _award(s, guild, numbers_of_month(s.tx.badges.month(guild, since)), since=since)
        s.tx.badges.month_given(guild, since)


def _award(
    s: Session,
    guild: GuildId,
    numbers: Mapping[Player, Numbers],
    *,
    have: Mapping[Player, set[Badge]] | None = None,
    at: int | None = None,
    table: int = 0,
    hand_no: int = 0,
    since: int = 0,
) -> list[tuple[Player, Badge]]:
    """Award the badges earned by ``numbers`` that the players don't have yet, and return them.

    Deleted players are skipped.
    """
    earned = {
        player: found for player, own in numbers.items() if (found := earned_by(own)) and not is_pseudonym(player)
    }
    if have is None:
        known = s.tx.badges.of_each(guild, list(earned))
        have = {player: {one.badge for one in own if one.since == since} for player, own in known.items()}
    new = [(player, badge) for player, found in earned.items() for badge in found if badge not in have[player]]
    when = s.now if at is None else at
    s.tx.badges.award(
        guild,
        [
            (player, EarnedBadge(badge=badge, at=when, table=table, hand_no=hand_no, since=since))
            for player, badge in new
        ],
    )
    return new
