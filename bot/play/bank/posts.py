"""The club page and both bulletins of a server, set together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bot.model.bulletins import Bulletin, BulletinKind
from bot.model.ids import GuildId
from bot.model.posts import PAGE, PUZZLE, Posts
from bot.model.standings import ClubPage
from bot.play.bank import bulletins, club_page
from bot.play.session.session import Session


def now(s: Session, guild: GuildId) -> Posts:
    """Return the current settings."""
    return Posts.of(s.tx.seasons.club_page(guild), {kind: s.tx.bulletins.get(guild, kind) for kind in BulletinKind})


def choose(s: Session, guild: GuildId, change: Callable[[Posts], Posts], *, zone: str) -> ClubPage | None:
    """Change the channel, its posts, and their times. Returns the club page.

    ``zone`` is the server's time zone, which hours refer to.
    """
    after = change(now(s, guild))

    def placed(page: ClubPage | None) -> ClubPage | None:
        if after.channel is None or PAGE not in after.standing:
            return None
        page = page or ClubPage(channel=after.channel)
        message = page.message if page.channel == after.channel else None
        return replace(page.ordered_by(after.order), channel=after.channel, message=message)

    for kind in BulletinKind:
        channel = after.channel if kind.value in after.standing else None

        def timed(before: Bulletin, channel: int | None = channel) -> Bulletin:
            puzzle = before.puzzle if before.kind is not BulletinKind.MORNING else PUZZLE in after.standing
            return replace(before, channel=channel, hour=after.hour, weekday=after.weekday, zone=zone, puzzle=puzzle)

        bulletins.change(s, guild, kind, timed)
    return club_page.change(s, guild, placed)
