"""Finished hands that are shown elsewhere than where they were played, as long as all players allow it.

A link opens what everybody may see. Nothing of it is stored. It carries a keyed hash of the hand's name, so none can be
guessed; whether it opens anything is asked each time, so it ends when one of the players hides their profile or has
their data deleted.
"""

from __future__ import annotations

import hmac
import re

from bot.model.ids import GuildId, Player, TableId, TableKey, is_computer, is_gone
from bot.model.refusals import PlayReason
from bot.ofc.refusals import Refused
from bot.play.look.results import finished
from bot.play.session.session import Session

MARK_LETTERS = 32
"""Of the keyed hash in hexadecimal: 128 bits."""
OF_A_HAND = "hand."
"""What the link of a hand begins with, and no other."""
_LINK = re.compile(rf"hand\.(\d{{1,19}})\.(\d{{1,15}})\.(\d{{1,9}})\.([0-9a-f]{{{MARK_LETTERS}}})")


def link_of(s: Session, key: TableKey, hand_no: int, you: Player | None) -> str:
    """The last part of the address that shows a hand; raises Refused where one of its players doesn't allow it."""
    s.table(key, you)
    _demand_allowed(s, key, hand_no)
    return f"{_named(key, hand_no)}.{s.vault.marks(_named(key, hand_no))[0].hex()[:MARK_LETTERS]}"


def hand_of(s: Session, link: str) -> tuple[TableKey, int]:
    """The hand that a link shows; raises Refused for a link that is none, or doesn't open anything any more."""
    found = _LINK.fullmatch(link)
    if found is None:
        raise Refused(PlayReason.HAND_NOT_SHARED)
    key, hand_no = TableKey(guild=GuildId(int(found[1])), table=TableId(int(found[2]))), int(found[3])
    marks = [mark.hex()[:MARK_LETTERS] for mark in s.vault.marks(_named(key, hand_no))]
    if not any(hmac.compare_digest(found[4], mark) for mark in marks):
        raise Refused(PlayReason.HAND_NOT_SHARED)
    _demand_allowed(s, key, hand_no)
    return key, hand_no


def demand_postable(s: Session, key: TableKey, hand_no: int, you: Player, channel: int) -> None:
    """Raise Refused for a hand with somebody else who hides their profile, but for where its result stands anyway."""
    table = s.table(key)
    others = [result.player for result in s.tx.results(key, hand_no) if result.player != you]
    if channel not in (table.channel, table.home) and s.tx.hidden_players(key.guild).intersection(others):
        raise Refused(PlayReason.REPLAY_NOT_SHOWN, channel=f"<#{table.home or table.channel}>")


def _named(key: TableKey, hand_no: int) -> str:
    return f"hand.{key.guild}.{key.table}.{hand_no}"


def _demand_allowed(s: Session, key: TableKey, hand_no: int) -> None:
    """Raise Refused unless all who have played it let others look at their profile."""
    table = s.table(key)
    finished(s, table, hand_no)
    people = [result.player for result in s.tx.results(key, hand_no) if not is_computer(result.player)]
    shared = not table.private and people
    if not shared or any(is_gone(one) or not s.tx.wishes(key.guild, one).profile_visible for one in people):
        raise Refused(PlayReason.HAND_NOT_SHARED)
