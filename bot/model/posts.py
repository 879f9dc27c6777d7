"""A server's shared settings for its club page and posts: one channel and one hour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.model.bulletins import Bulletin, BulletinKind
from bot.model.standings import ClubPage, LeaderboardOrder

PAGE = "page"
"""Name of the club page among the kinds of posts."""
PUZZLE = "puzzle"
"""Name of the puzzle of the day, which is a part of the morning post."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Posts:
    """Settings of the club page and both posts, as one form edits them."""

    channel: int | None = None
    """Channel of the page and the posts; None if all are off."""
    standing: frozenset[str] = frozenset()
    """Names of the enabled posts: ``PAGE``, values of ``BulletinKind``, and ``PUZZLE``."""
    hour: int
    """Hour of both posts."""
    weekday: int
    """Weekday of the recap."""
    order: LeaderboardOrder | None = None
    """Ranking on the club page; None to follow where most hands are played."""

    @staticmethod
    def of(page: ClubPage | None, bulletins: Mapping[BulletinKind, Bulletin]) -> Posts:
        """Return the current settings. If channels or hours differ, the first one counts."""
        channels = {PAGE: None if page is None else page.channel}
        channels |= {kind.value: bulletins[kind].channel for kind in BulletinKind}
        morning = bulletins[BulletinKind.MORNING]
        channels[PUZZLE] = morning.channel if morning.puzzle else None
        return Posts(
            channel=next((channel for channel in channels.values() if channel is not None), None),
            standing=frozenset(name for name, channel in channels.items() if channel is not None),
            hour=morning.hour,
            weekday=bulletins[BulletinKind.RECAP].weekday,
            order=None if page is None else page.chosen,
        )
