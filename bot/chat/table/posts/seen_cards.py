"""The cards that each player was last shown, and when they first saw them.

Letters typed before then may be meant for earlier cards.
"""

from __future__ import annotations

import time
from collections import OrderedDict

from bot.chat.table.screens.panel import Panel
from bot.chat.table.screens.placement_draft import Moment
from bot.model.ids import Player, TableKey

MAX_PLAYERS = 5_000
"""Maximum number of players whose last cards are cached. Others are asked to confirm."""


class SeenCards:
    """When each player was first shown the cards of a street, by ``time.perf_counter`` as in ``Reply.begun``."""

    def __init__(self) -> None:
        self._seen: OrderedDict[tuple[TableKey, Player | None], tuple[Moment, float]] = OrderedDict()

    def note(self, panel: Panel) -> None:
        """Note that the player of ``panel`` has been shown its cards."""
        who = panel.view.table.key, panel.view.you
        if panel.view.hand is None or panel.view.hand.mine is None:
            return
        if who not in self._seen or self._seen[who][0] != panel.moment:
            self._seen[who] = panel.moment, time.perf_counter()
            self._seen.move_to_end(who)
        if len(self._seen) > MAX_PLAYERS:
            self._seen.popitem(last=False)

    def had_seen(self, panel: Panel, *, at: float) -> bool:
        """True if the player of ``panel`` had been shown its cards by that time."""
        moment, since = self._seen.get((panel.view.table.key, panel.view.you), (None, at))
        return moment == panel.moment and since <= at
