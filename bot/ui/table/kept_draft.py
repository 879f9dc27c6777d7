"""The draft with which a hand is shown: the one that is kept of this turn, or a Fantasyland board as it was set."""

from __future__ import annotations

from bot.ofc.cards import ROWS
from bot.play.look.views import TableView
from bot.ui.custom_ids import Draft
from bot.ui.table.panel import kept_letters, playable
from bot.ui.table.sketch import draft_of


def settled_draft(view: TableView) -> Draft:
    """The draft that is kept of this turn, or shows a Fantasyland board as it was set; empty for neither."""
    if not playable(view) or view.hand is None or view.hand.mine is None:
        return ()
    mine = view.hand.mine
    if letters := kept_letters(view):
        return draft_of(letters)
    if not mine.fantasyland or not mine.placed:
        return ()
    free = list(enumerate(mine.held))
    draft: list[tuple[int, str]] = []
    for row, cards in zip(ROWS, mine.rows, strict=True):
        for card in cards:
            place = next(entry for entry in free if entry[1] == card)
            free.remove(place)
            draft.append((place[0], row.value))
    return tuple(draft)
