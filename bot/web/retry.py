"""Retries of a finished hand on the page. Nothing is stored, and a retry's state exists only in the open page."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from bot.chat.kit.gate import Gate
from bot.chat.kit.page_request import PageRequest
from bot.chat.table.screens.panel import Panel
from bot.chat.table.screens.placement_draft import filled_in
from bot.chat.table.screens.review import compare_text, retry_panel, seen_then
from bot.model.ids import TableId, TableKey
from bot.model.refusals import Stale
from bot.model.tables import TableState
from bot.play.api.play import Play
from bot.play.queries.reviews import Retry
from bot.play.queries.views import TableView
from bot.pure.ofc.cards import BOARD_CARDS
from bot.web.drawing import TableDrawing, draw, turn_of
from bot.web.intents import on_panel, unless_late
from bot.web.messages import Draft, Intent, Offered, ResultShown, View

_HAND = re.compile(r"(\d{1,9})\.(\d{1,2})")
"""A hand and the decision where its retry starts, as in the button's ``turn``."""


def view_of_try(retry: Retry) -> TableView:
    """Return the view of the next decision or, at the end, of all boards with the new one replacing the old."""
    if not retry.over:
        return seen_then(retry.past, retry)
    past = retry.past
    seats = list(past.end.seats)
    seats[past.seat] = replace(
        seats[past.seat],
        rows=retry.rows,
        discards=retry.discards,
        held=(),
        natural=None,
        surrendered=False,
        by_clock=(),
        clocked=False,
    )
    end = replace(past.end, seats=tuple(seats), score=retry.score)
    table = replace(past.table, state=TableState.BETWEEN, hand_no=past.hand_no)
    return TableView(table=table, places=(), hand=end, next_hand_at=None, lobby_until=None, you=past.player, event=None)


def drawn_try(drawing: TableDrawing, retry: Retry) -> View:
    """Return the page's view of a retry."""
    words, past = drawing.words, retry.past
    shown = draw(drawing, ())
    title = words("review.retry.title")
    back = Offered(verb="end_retry", label=words("page.end_retry"), text="", sure="", turn="")
    again = _offer(past.hand_no, retry.start, words("review.retry.again"))
    if not retry.over:
        told = drawing.plain(f"{title}\n{words('review.retry.note')}")
        return replace(shown, status=told, yours=False, until=None, past=0, offers=(back,))
    lines = tuple(drawing.plain(compare_text(retry, words)).split("\n"))
    result = ResultShown(hand=past.hand_no, title=drawing.plain(title), totals=lines, notes=(), pairs=(), duel=None)
    return replace(shown, status="", yours=False, until=None, past=0, result=result, offers=(again, back))


def offers_at_end(drawing: TableDrawing) -> list[Offered]:
    """Return the button below a result that starts a retry, for a player who completed a board in the hand."""
    hand = drawing.result.hand if drawing.result else None
    mine = next((seat for seat in hand.seats if seat.player == drawing.view.you), None) if hand else None
    if drawing.result is None or mine is None or sum(map(len, mine.rows)) != BOARD_CARDS:
        return []
    return [_offer(drawing.result.record.hand_no, 0, drawing.words("page.retry"))]


def _offer(hand: int, start: int, label: str) -> Offered:
    return Offered(verb="retry", label=label, text="", sure="", turn=f"{hand}.{start}")


class RetryActions:
    """Carries out actions on a page that shows a retry."""

    def __init__(self, play: Play, gate: Gate) -> None:
        self._play = play
        self._gate = gate

    async def save_draft(self, asked: PageRequest, draft: Draft, retry: Retry, show: Callable[[Panel], None]) -> None:
        """Show a draft's preview."""

        async def body() -> None:
            show(_panel(retry, draft))

        await self._gate.ask(asked, partial(unless_late, asked, body), verb="draft", table=draft.table)

    async def do(self, asked: PageRequest, intent: Intent, retry: Retry | None) -> tuple[Retry | None, str]:
        """Carry out ``intent``. Returns the retry's new state and the letters of an arranged board."""
        now, letters = [retry], list[str]()

        async def body() -> None:
            if intent.verb == "end_retry":
                now[0] = None
            elif intent.verb == "retry":
                now[0] = await self._begun(asked, intent)
            elif retry is not None and intent.verb == "arrange":
                panel = _panel(retry, intent)
                if not panel.by_select:
                    raise Stale
                found = await self._play.arranged(asked.guild, panel.hand)
                letters.append(filled_in(panel, found, "").placement_draft.letters)
            elif retry is not None and intent.verb == "confirm":
                now[0] = retry.then(_panel(retry, intent).placement_draft.letters)
            else:
                raise Stale

        await self._gate.ask(asked, partial(unless_late, asked, body), verb=intent.verb, table=intent.table)
        return now[0], letters[0] if letters else ""

    async def _begun(self, asked: PageRequest, intent: Intent) -> Retry:
        found = _HAND.fullmatch(intent.turn)
        if found is None:
            raise Stale
        key = TableKey(guild=asked.guild, table=TableId(intent.table))
        past = await self._play.past(key, int(found[1]), asked.player)
        retry = Retry(past=past, start=int(found[2]))
        retry.check()
        return retry


def _panel(retry: Retry, seen: Draft | Intent) -> Panel:
    """Return the panel of the retry with the draft on it; raises Stale if the draft is for another decision."""
    if retry.over:
        raise Stale
    panel = retry_panel(retry)
    if turn_of(panel.view) != seen.turn:
        raise Stale
    return on_panel(panel, seen.letters)
