"""What a server chooses for its club page and its posts at once: one channel, one hour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.model.bulletins import Bulletin, Kind
from bot.model.standings import ClubPage, Order

PAGE = "page"
"""The club page, among what is posted; beside it the kinds of posts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Posts:
    """The club page and both posts, as one form chooses them."""

    channel: int | None = None
    """The channel of all that is posted; None if nothing is."""
    standing: frozenset[str] = frozenset()
    """What is posted: ``PAGE`` and the values of kinds."""
    hour: int
    """Of both posts."""
    weekday: int
    """Of the recap."""
    order: Order = Order.CHIPS
    """What the club page ranks by."""

    @staticmethod
    def of(page: ClubPage | None, bulletins: Mapping[Kind, Bulletin]) -> Posts:
        """Return what holds. If the posts are in several channels or come at several hours, the first counts."""
        channels = {PAGE: None if page is None else page.channel}
        channels |= {kind.value: bulletins[kind].channel for kind in Kind}
        return Posts(
            channel=next((channel for channel in channels.values() if channel is not None), None),
            standing=frozenset(name for name, channel in channels.items() if channel is not None),
            hour=bulletins[Kind.MORNING].hour,
            weekday=bulletins[Kind.RECAP].weekday,
            order=Order.CHIPS if page is None else page.order,
        )
