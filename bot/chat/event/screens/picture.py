"""Pictures of an event: the cover of its announcement, and the podium."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from bot.chat.art.felt import drawable
from bot.chat.art.podium import PlacedBoard, PodiumPlayer, draw_cover, draw_podium
from bot.chat.event.screens.standings import is_seeded, points_text
from bot.chat.table.screens.boards import seat_rows
from bot.model.events import Event
from bot.model.ids import is_computer
from bot.play.event.office.views import EventView, StandingsLine
from bot.play.queries.results import ResultView
from bot.pure.event.structure import Family
from bot.pure.ofc.cards import card_name
from bot.pure.ofc.view import Facing, SeatView
from bot.text.games import full_name
from bot.text.players import computer_name
from bot.text.words import Words

PLACES = 3


def on_podium(view: EventView) -> list[StandingsLine]:
    """Return the lines of the first three places, which players can share."""
    return [line for line in view.fair if 1 <= line.place <= PLACES and line.entrant.place]


def podium(view: EventView, names: Mapping[str, str], last: ResultView | None, words: Words) -> bytes:
    """Draw the podium as a PNG. ``names`` are display names. Run it in an executor, because it's slow."""
    event = view.event
    game = words("event_picture.game", game=full_name(event.variant, words), count=len(view.lines))
    return draw_podium(
        heading=event.name,
        game=game,
        places=_steps(view, names, words),
        boards=_boards(view, names, last, words) if last else (),
        last_hand=words("event_picture.last_hand"),
    )


def cover(event: Event, words: Words) -> bytes:
    """Draw the cover of Discord's scheduled event as a PNG. Run it in an executor."""
    return draw_cover(heading=event.name, game=full_name(event.variant, words))


def shown_name(line: StandingsLine, names: Mapping[str, str], words: Words) -> str:
    """Return the name to draw. A player whose name can't be drawn is called by their place."""
    player = line.entrant.player
    name = computer_name(player, words) if is_computer(player) else names.get(player, "")
    return name if drawable(name) else words("event_picture.somebody", place=line.place)


def _steps(view: EventView, names: Mapping[str, str], words: Words) -> list[PodiumPlayer]:
    """Return the podium's steps. Players who share a place share a step."""
    steps = []
    for place, sharing in groupby(on_podium(view), key=lambda line: line.place):
        lines = list(sharing)
        step = _step(lines[0], view, names, words)
        name = words("event_picture.between").join(shown_name(line, names, words) for line in lines)
        steps.append(replace(step, place=place, name=name))
    return steps


def _step(line: StandingsLine, view: EventView, names: Mapping[str, str], words: Words) -> PodiumPlayer:
    titles = view.event.structure.titles
    # Only leagues and duplicate events are decided by points. Players of a shoot-out never see points.
    counts = view.event.format.family is Family.ROUNDS
    points = points_text(view, line.entrant, words, key="event_picture.compared") if counts else ""
    prize = words("event_picture.prize", count=line.entrant.prize) if line.entrant.prize else ""
    title = titles[line.place - 1] if line.place <= len(titles) else ""
    drawn = words("event_picture.by_seed" if is_seeded(view) else "event_picture.by_draw") if line.by_draw else ""
    if drawn:
        title, points = (title, drawn) if title else (drawn, points)
    return PodiumPlayer(place=line.place, name=shown_name(line, names, words), prize=prize, title=title, points=points)


def _boards(view: EventView, names: Mapping[str, str], last: ResultView, words: Words) -> Sequence[PlacedBoard]:
    """Return the boards of the last hand, the champion's first."""
    assert last.hand is not None
    lines = {line.entrant.player: line for line in view.lines}
    seats = [seat for seat in last.hand.seats if seat.player in lines]
    seats.sort(key=lambda seat: lines[seat.player].place)  # type: ignore[index]
    fouled = {result.player for result in last.results if result.foul}
    shown = []
    for seat in seats:
        name = shown_name(lines[seat.player], names, words)  # type: ignore[index]
        told = words("event_picture.fouled", player=name) if seat.player in fouled else name
        shown.append(_board(last, seat, told))
    return shown


def _board(last: ResultView, seat: SeatView, name: str) -> PlacedBoard:
    front, middle, back = map(_row, seat_rows(seat, last.record.variant))
    return PlacedBoard(name=name, rows=(front, middle, back))


def _row(cards: Facing) -> tuple[str, ...]:
    return tuple("back" if card is None else card_name(card) for card in cards)
