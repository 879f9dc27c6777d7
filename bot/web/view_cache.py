"""Cache of drawn views. It helps because a player's pages share them, and most wake-ups don't change a page."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from bot.model.ids import Player, TableKey
from bot.web.drawing import TableDrawing, draw
from bot.web.messages import TableChoice, View

MAX_VIEWS = 2_000
"""Maximum number of cached views, one per table and player. The least recently used one is dropped."""


class ViewCache:
    """Draws views and caches them until they change."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[TableKey, Player | None], tuple[object, View]] = OrderedDict()

    def of(self, drawing: TableDrawing, choices: Sequence[TableChoice]) -> View:
        """Return the view of ``drawing``, from the cache if nothing has changed."""
        view, words = drawing.view, drawing.words
        guild = view.table.key.guild
        names = [drawing.faces.names.of(guild, place.seat.player, words) for place in view.places]
        made_of = (
            view,
            words.language.code,
            drawing.member_settings,
            drawing.result,
            drawing.standing,
            drawing.wallet,
            list(choices),
            names,
        )
        whose = view.table.key, view.you
        known = self._known.pop(whose, None)
        if known is None or known[0] != made_of:
            known = made_of, draw(drawing, choices)
        self._known[whose] = known
        while len(self._known) > MAX_VIEWS:
            self._known.popitem(last=False)
        return known[1]
