"""Profiles: what a player's hands for chips came to, as everybody may see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.model.careers import DAILY_DAYS, Badge, Career, Versus
from bot.model.ids import GuildId, Player, TableId, TableKey
from bot.model.refusals import PlayReason
from bot.model.standings import Asked, Order, Standing
from bot.ofc.presets import PRESETS
from bot.ofc.refusals import Refused
from bot.play.look.views import ResultView, result_of
from bot.play.session.session import Session
from bot.rating.model import GROUPS, Rating

FORM_HANDS = 200
"""So many of the last hands make the plot."""
RIVALS = 3
"""So many of those they meet most are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A player as everyone may see them in a server, and the asker as set against them."""

    player: Player
    own: bool
    """True for the asker's own."""
    visible: bool
    """False for one's own profile that is kept from others."""
    total: Standing | None
    """Of all time and all games; None for somebody who has not played for chips."""
    career: Career
    games: Sequence[tuple[str, int]]
    """The games they have played, as keys of presets with their hands, the most played first."""
    group: str
    """The group of games in which they are rated; empty for none yet."""
    rating: Rating | None
    form: Sequence[int]
    """The points of their last hands, oldest first."""
    best: ResultView | None
    """The hand of their best board, where it can be told."""
    badges: Sequence[Badge]
    versus: Sequence[Versus] = ()
    """Against the asker; of one's own profile against those one met most, but for who keeps to themselves."""


def profile(s: Session, guild: GuildId, player: Player, asker: Player) -> Profile:
    """A player's profile; raises Refused for one that is kept from the asker."""
    visible = s.tx.wishes(guild, player).profile_visible
    if not visible and player != asker:
        raise Refused(PlayReason.PROFILE_HIDDEN, player=player)
    total = s.tx.standing(guild, Asked(), player, at=s.now)
    career = s.tx.career(guild, player)
    group, rating = _rating(s, guild, player)
    return Profile(
        player=player,
        own=player == asker,
        visible=visible,
        total=total[0] if total else None,
        career=career,
        games=s.tx.games_of(guild, player, tuple(PRESETS)),
        group=group,
        rating=rating,
        form=s.tx.form(guild, player, limit=FORM_HANDS),
        best=_best(s, guild, career),
        badges=_badges(s, guild, player),
        versus=_versus(s, guild, player, asker),
    )


def _rating(s: Session, guild: GuildId, player: Player) -> tuple[str, Rating | None]:
    """The rating in the group that they have played most, once it means something."""
    found = s.tx.ratings_of(guild, player, tuple(GROUPS))
    group = max(found, key=lambda key: found[key].hands, default="")
    if not group or found[group].hands < Order.RATING.least_hands:
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


def _badges(s: Session, guild: GuildId, player: Player) -> list[Badge]:
    """Those that were earned; a streak of daily hands is noted with the next hand at a table, and had before."""
    earned = {one.badge for one in s.tx.badges(guild, player)}
    streak = s.tx.streak(player)
    if streak is not None and streak.best >= DAILY_DAYS:
        earned.add(Badge.DAILY_WEEK)
    return [badge for badge in Badge if badge in earned]


def _versus(s: Session, guild: GuildId, player: Player, asker: Player) -> list[Versus]:
    if player == asker:
        return s.tx.most_met(guild, player, limit=RIVALS)
    found = s.tx.versus(guild, asker, player)
    return [found] if found else []
