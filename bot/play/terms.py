"""Terms of a press: a digest of everything that its button showed, compared in the press's transaction.

A button that takes chips or commits the player contains the digest of the terms it showed. If the terms have changed by
the time it's pressed, nothing happens, and the gate shows the current terms with a new button.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from bot.model.bank import BankTerms
from bot.model.clock import Clock
from bot.model.events import Event
from bot.model.refusals import OtherTerms
from bot.model.tables import Seat, Table, TableState, Terms
from bot.pure.event.structure import Leaving
from bot.pure.event.ties import Ties

UNSEEN = "unseen"
"""No terms were shown, for example for a typed command."""
OLDER = ""
"""The button is from an older version, whose buttons contained no terms."""
DIGITS = 12


def of_event(event: Event) -> str:
    """Return the terms of an entry: fee and prizes, structure, clock and start."""
    structure = {name: value for name, value in event.structure.to_json().items() if name not in _NO_TERMS}
    if event.structure.leaving is Leaving.BLIND:
        del structure["leaving"]  # buttons from versions without this field stay valid
    if event.structure.ties is Ties.DRAW:
        del structure["ties"]  # the same
    return _digest(structure, _clock(event.clock), event.starts_at)


_NO_TERMS = frozenset({"most", "scoring", "counted", "threads", "channels"})
"""Fields of a structure whose changes aren't announced to entrants."""
EVENT_FIELDS_WITHOUT_TERMS = _NO_TERMS | {"name", "series", "description"}
"""Fields of an event that can change while its terms stay the same."""


def of_page(values: Mapping[str, Any]) -> str:
    """Return the terms under which an organiser announces or changes an event: all values of the page."""
    return _digest(values)


def of_form(shown: Sequence[str]) -> str:
    """Return the terms of a form: the values that its fields showed."""
    return _digest(list(shown))


def of_start(event: Event) -> str:
    """Return the terms of a check-in: the start."""
    return _digest(event.starts_at)


def of_flight(event: Event, number: int, players: Sequence[str]) -> str:
    """Return the terms of opening a flight: its ``number``, the ``players`` called, and the event that it's like."""
    return _digest(of_event(event), event.name, event.series, event.structure.most, number, list(players))


def of_leaving(event: Event, *, ends: bool = False) -> str:
    """Return the terms of leaving a running event: its current and last round, and whether leaving ends it."""
    return _digest(event.key.number, event.tag, event.round, event.structure.rounds, *(["ends"] if ends else []))


def of_giving_up(event: Event, match: int, *, ends: Sequence[object] = ()) -> str:
    """Return the terms of giving up in a bracket: the match that's lost first, and how that ``ends`` the event."""
    return _digest(event.key.number, event.tag, "match", match, *([list(ends)] if ends else []))


def of_rulings(event: Event, last: int) -> str:
    """Return the terms of a ruling on a finished event: the rulings so far, of which ``last`` is the newest."""
    return _digest(event.key.number, event.tag, "rulings", last)


def of_leaving_chips(event: Event, shown: Sequence[int], *, ends: bool = False) -> str:
    """Return the terms of leaving a freezeout or shoot-out: the ``shown`` cost, and whether it ``ends`` the event."""
    gives_up = event.structure.gives_up
    return _digest(event.key.number, event.tag, "chips", gives_up, list(shown), *(["ends"] if ends else []))


def of_seat(terms: Terms) -> str:
    """Return the terms of a seat: game, buy-in, chips per point, limits and clock."""
    limits, game = terms.limits, terms.variant
    return _digest(
        game.key,
        dict(game.house),
        terms.point_value,
        terms.buy_in,
        [limits.win_cap.value, limits.bust_is_final, limits.levels, limits.level_hands, limits.top_up],
        _clock(terms.clock),
        terms.weekends_off,
    )


def of_chips(table: Table, chips: int) -> str:
    """Return the terms of a rebuy, or of a top-up between hands: the chips that it takes."""
    return _digest(of_seat(table.terms), chips)


def of_top_up(table: Table, seat: Seat, chips: int) -> str:
    """Return the terms of a top-up that would take ``chips`` now. During a hand, it fills the stack afterwards."""
    return _digest(of_seat(table.terms), "full") if in_hand(table, seat) else of_chips(table, chips)


def of_transfer(terms: BankTerms) -> str:
    """Return the terms of a transfer: the daily maximum and the fee."""
    return of_form([str(terms.transfer_cap), str(terms.transfer_fee)])


def of_hand(table: Table) -> str:
    """Return the terms of ending a table: the hand being played."""
    return _digest(table.key.table, table.tag, table.hand_no)


def in_hand(table: Table, seat: Seat) -> bool:
    """True if the seat is playing the running hand."""
    return table.state is TableState.PLAYING and seat.dealt_in


def require_unchanged(shown: str | None, now: str, *, settled: bool = False) -> None:
    """Raise OtherTerms unless ``shown`` equals ``now``. Callers that ask for confirmation themselves pass None.

    With ``settled``, a press without terms is accepted.
    """
    accepted = shown is None or shown == now or (settled and shown in (UNSEEN, OLDER))
    if not accepted:
        raise OtherTerms


def _clock(clock: Clock) -> list[Any]:
    return [clock.pace.value, clock.seconds]


def _digest(*shown: Mapping[str, Any] | object) -> str:
    told = json.dumps(shown, sort_keys=True, ensure_ascii=False, default=list)
    return hashlib.sha256(told.encode()).hexdigest()[:DIGITS]
