"""The page of a server: what it is to show and where, as managers choose it, and what its message shows by now."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bot.model.ids import GuildId
from bot.model.standings import ClubPage
from bot.play.session.session import Session


def change(s: Session, guild: GuildId, chosen: Callable[[ClubPage | None], ClubPage | None]) -> ClubPage | None:
    """Change what is chosen, or give the page up; what its message shows is looked at again. Returns what holds."""
    page = chosen(s.tx.seasons.club_page(guild))
    if page is None:
        s.tx.seasons.remove_club_page(guild)
        return None
    page = replace(page, shown="")
    s.tx.seasons.save_club_page(guild, page)
    return page


def note_shown(s: Session, guild: GuildId, page: ClubPage, *, message: int, shown: str) -> bool:
    """Note what a message shows of a page. False for one that was moved or given up meanwhile: nothing names it."""
    now = s.tx.seasons.club_page(guild)
    if now is None or now.channel != page.channel:
        return False
    same = _choices(now) == _choices(page)
    s.tx.seasons.save_club_page(guild, replace(now, message=message, shown=shown if same else "", shown_at=s.now))
    return True


def _choices(page: ClubPage) -> ClubPage:
    return replace(page, message=None, shown="", shown_at=0)
