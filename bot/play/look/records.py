"""A server's records: the best of each kind by those who let others see it, and where the hand can be looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.model.careers import Feat, FeatKind
from bot.model.events import Event
from bot.model.ids import EventKey, GuildId, Player, TableId, TableKey, is_gone
from bot.model.standings import EVERY_GAME
from bot.ofc.presets import PRESETS
from bot.ofc.refusals import Refused
from bot.play.look.results import finished
from bot.play.session.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """The best of a kind."""

    feat: Feat
    channel: int | None = None
    """That of the hand's table; None where there is no hand that can be looked at."""
    event: Event | None = None
    winner: Player | None = None
    """Who has won the event; None for somebody who may not be named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """The records of a server at a game, or at all of them."""

    game: str
    """A preset's key; empty for all games."""
    lines: Sequence[Record]
    games: Sequence[str]
    """The games that were played in the server, as keys of presets."""


def records(s: Session, guild: GuildId, game: str) -> Records:
    """Each kind is one search of an index, however much was played."""
    game = game if game in PRESETS else EVERY_GAME
    found = [feat for kind in FeatKind if (feat := s.tx.best_feat(guild, kind, game)) is not None]
    lines = [_of_event(s, guild, feat) if feat.kind is FeatKind.EVENT else _of_hand(s, guild, feat) for feat in found]
    return Records(game=game, lines=lines, games=[key for key in s.tx.games_played(guild) if key in PRESETS])


def _of_hand(s: Session, guild: GuildId, feat: Feat) -> Record:
    try:
        table = s.table(TableKey(guild=guild, table=TableId(feat.table)))
        finished(s, table, feat.hand_no)
    except Refused:
        return Record(feat=feat)
    return Record(feat=feat, channel=table.channel)


def _of_event(s: Session, guild: GuildId, feat: Feat) -> Record:
    key = EventKey(guild=guild, number=feat.table)
    winner = s.tx.winner_of(key)
    if winner is not None and (is_gone(winner) or not s.tx.wishes(guild, winner).profile_visible):
        winner = None
    return Record(feat=feat, event=s.tx.event(key), winner=winner)
