"""A server's bulletins: what managers choose for them, and how far each was seen to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bot.model.bulletins import Bulletin, Kind
from bot.model.ids import GuildId
from bot.play.session.session import Session


def change(s: Session, guild: GuildId, kind: Kind, chosen: Callable[[Bulletin], Bulletin]) -> Bulletin:
    """Change what is chosen; returns all of it. An hour that is over when it is chosen is one of the next day.

    One that may have arrived in the channel before counts as posted: another day's is the first in the new one.
    """
    before = s.tx.bulletins.get(guild, kind)
    after = chosen(before)
    if _hour(after) != _hour(before) or before.channel is None:
        after = replace(after, chosen_at=s.now)
    if after.channel != before.channel:
        after = replace(after, told=max(before.told, before.sending))
    s.tx.bulletins.save(guild, after)
    return after


def begin(s: Session, guild: GuildId, bulletin: Bulletin, at: int) -> bool:
    """Note that the one of this hour is about to be posted; False where something else was chosen meanwhile."""
    now = s.tx.bulletins.get(guild, bulletin.kind)
    if now.channel != bulletin.channel or now.due(s.now) != at:
        return False
    s.tx.bulletins.save(guild, replace(now, sending=at))
    return True


def seen_to(s: Session, guild: GuildId, kind: Kind, at: int) -> None:
    """Note that the one of this hour stands, or that nothing was to be said."""
    now = s.tx.bulletins.get(guild, kind)
    s.tx.bulletins.save(guild, replace(now, told=max(now.told, at)))


def given_up(s: Session, guild: GuildId, bulletin: Bulletin) -> None:
    """Turn one off whose channel is gone, unless it was moved meanwhile."""
    now = s.tx.bulletins.get(guild, bulletin.kind)
    if now.channel == bulletin.channel:
        s.tx.bulletins.save(guild, replace(now, channel=None))


def zone_changed(s: Session, guild: GuildId, zone: str) -> None:
    """Count hours by the zone that the server has chosen."""
    for kind in Kind:
        now = s.tx.bulletins.get(guild, kind)
        if zone and now.channel is not None:
            s.tx.bulletins.save(guild, replace(now, zone=zone))


def _hour(bulletin: Bulletin) -> tuple[int, int]:
    return bulletin.hour, bulletin.weekday
