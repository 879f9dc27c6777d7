"""A server's club page: its settings, and the state of its message."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bot.model.ids import GuildId
from bot.model.standings import ClubPage
from bot.play.session.session import Session


def change(s: Session, guild: GuildId, chosen: Callable[[ClubPage | None], ClubPage | None]) -> ClubPage | None:
    """Change the page's settings or remove the page, and return the settings. Its message will be checked again."""
    page = chosen(s.tx.seasons.club_page(guild))
    if page is None:
        s.tx.seasons.remove_club_page(guild)
        return None
    page = replace(page, shown="")
    s.tx.seasons.save_club_page(guild, page)
    return page


def note_shown(s: Session, guild: GuildId, page: ClubPage, *, message: int, shown: str) -> bool:
    """Record what a page's message shows; False if the page was moved or removed, so the message is orphaned."""
    now = s.tx.seasons.club_page(guild)
    if now is None or now.channel != page.channel:
        return False
    same = _choices(now) == _choices(page)
    s.tx.seasons.save_club_page(guild, replace(now, message=message, shown=shown if same else "", shown_at=s.now))
    return True


def _choices(page: ClubPage) -> ClubPage:
    return replace(page, message=None, shown="", shown_at=0)
