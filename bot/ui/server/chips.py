"""What a player has: wallet, stacks at tables, and every movement of the wallet, newest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.model.bank import Movement, Offered
from bot.model.ids import TableId
from bot.ofc.refusals import Refused
from bot.text.refused import refusal
from bot.text.words import Words, escape_name
from bot.ui.custom_ids import Press
from bot.ui.fragments import QUIET_COLOUR
from bot.ui.server.bank import claim_buttons, claim_lines
from bot.ui.widgets import Screen, button, rows_of, screen

LINES = 15
"""Movements a page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipsPage:
    """One page of a player's chips."""

    number: int
    """From 0 on, the newest."""
    wallet: int
    stacks: Sequence[tuple[TableId, int]]
    """Table and chips of each seat that they hold."""
    movements: Sequence[Movement]
    """Those of the page, and one more where there are older ones."""
    said: str = ""
    """What has just been had."""
    offered: Sequence[Offered] = ()
    """What the bank would give; nothing on older pages."""
    frozen: Refused | None = None
    """Why a manager keeps the player from moving chips; None where nobody does."""


def chips_screen(page: ChipsPage, words: Words) -> Screen:
    """The page, with buttons where there are several."""
    lines = [page.said, ""] if page.said else []
    if page.frozen is not None:
        lines += ["❄️ " + refusal(page.frozen, words), ""]
    lines.append(words("chips.wallet", chips=words.number(page.wallet)))
    lines += [words("chips.at_table", table=table, chips=words.number(stack)) for table, stack in page.stacks]
    lines += claim_lines(page.offered, words)
    lines += ["", words("chips.history"), *(_movement(movement, words) for movement in page.movements[:LINES])]
    older = len(page.movements) > LINES
    press = Press(verb="chips", table=TableId(0))
    buttons = [
        button(replace(press, hand=max(0, page.number - 1), street=1), words("button.newer"), disabled=not page.number),
        button(replace(press, hand=page.number + 1), words("button.older"), disabled=not older),
    ]
    turned = buttons if page.number or older else []
    return screen("\n".join(lines), *rows_of(claim_buttons(page.offered, words)), *rows_of(turned), colour=QUIET_COLOUR)


OF_EVENTS = frozenset({"entry_fee", "refund", "prize"})
"""The kinds of movements that name their event."""


def _movement(movement: Movement, words: Words) -> str:
    """``+1,200 · left table 3 · <time>``."""
    about: dict[str, str | int] = {} if movement.table is None else {"table": movement.table}
    if movement.kind in OF_EVENTS:
        about["event"] = escape_name(movement.event)
    what = words(f"chips.kind.{movement.kind}", **about)
    return f"`{words.signed(movement.chips):>8}` {what} · <t:{movement.at // 1000}:R>"
