"""A server's bulletins: the managers' settings, and how far each has been posted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bot.model.bulletins import Bulletin, BulletinKind
from bot.model.ids import GuildId
from bot.play.session.session import Session


def change(s: Session, guild: GuildId, kind: BulletinKind, chosen: Callable[[Bulletin], Bulletin]) -> Bulletin:
    """Change a bulletin's settings, and return them. An hour that has already passed applies from the next day.

    A post that may have arrived in the old channel counts as posted, so the new channel starts on another day.
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
    """Record that the post for hour ``at`` is about to be sent; False if the settings have changed in the meantime."""
    now = s.tx.bulletins.get(guild, bulletin.kind)
    if now.channel != bulletin.channel or now.due(s.now) != at:
        return False
    s.tx.bulletins.save(guild, replace(now, sending=at))
    return True


def mark_posted(s: Session, guild: GuildId, kind: BulletinKind, at: int) -> None:
    """Record that the post for hour ``at`` was sent, or that there was nothing to post."""
    now = s.tx.bulletins.get(guild, kind)
    s.tx.bulletins.save(guild, replace(now, told=max(now.told, at)))


def turn_off(s: Session, guild: GuildId, bulletin: Bulletin) -> None:
    """Turn off a bulletin because its channel is gone, unless it was moved in the meantime."""
    now = s.tx.bulletins.get(guild, bulletin.kind)
    if now.channel == bulletin.channel:
        s.tx.bulletins.save(guild, replace(now, channel=None))


def zone_changed(s: Session, guild: GuildId, zone: str) -> None:
    """Apply the server's new time zone to its bulletins."""
    for kind in BulletinKind:
        now = s.tx.bulletins.get(guild, kind)
        if zone and now.channel is not None:
            s.tx.bulletins.save(guild, replace(now, zone=zone))


def _hour(bulletin: Bulletin) -> tuple[int, int]:
    return bulletin.hour, bulletin.weekday
