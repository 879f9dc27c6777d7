"""Pictures of an event: the cover of its announcement, and the podium."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from bot.chat.art.felt import drawable
from bot.chat.art.podium import MAX_NAMES, PlacedBoard, PodiumStep, draw_cover, draw_podium
from bot.chat.event.screens.standings import is_seeded, points_text
from bot.chat.table.screens.boards import seat_rows
from bot.model.events import Event
from bot.model.ids import Player, is_computer
from bot.play.event.office.views import EventView, StandingsLine
from bot.play.queries.results import ResultView
from bot.pure.event.structure import Family
from bot.pure.ofc.cards import card_name
from bot.pure.ofc.view import Facing, SeatView
from bot.text.games import full_name
from bot.text.players import computer_name
from bot.text.words import Words

PLACES = 3
MAX_DESCRIBED = 10
"""Maximum number of names in the description of a podium. Any number of players can share a place."""


def on_podium(view: EventView) -> list[StandingsLine]:
    """Return the lines of the first three places, which players can share."""
    return [line for line in view.fair if 1 <= line.place <= PLACES and line.entrant.place]


def pictured(view: EventView, last: ResultView | None) -> list[Player]:
    """Return the players whose names are on the picture: those on the podium and those of the last hand."""
    seats = last.hand.seats if last is not None and last.hand is not None else ()
    people = [line.entrant.player for line in on_podium(view)]
    return list(dict.fromkeys([*people, *(Player(seat.player) for seat in seats if seat.player is not None)]))


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


def describe_podium(view: EventView, names: Mapping[str, str], words: Words) -> str:
    """Return the podium's players as a text."""
    lines = on_podium(view)
    shown = [shown_name(line, names, words) for line in lines[:MAX_DESCRIBED]]
    more = [words("event_picture.more", count=len(lines) - len(shown))] if len(lines) > len(shown) else []
    return words("event_picture.described", players=words.list([*shown, *more]))


def shown_name(line: StandingsLine, names: Mapping[str, str], words: Words) -> str:
    """Return the name to draw. A player whose name can't be drawn is called by their place."""
    player = line.entrant.player
    name = computer_name(player, words) if is_computer(player) else names.get(player, "")
    return name if drawable(name) else words("event_picture.somebody", place=line.place)


def _steps(view: EventView, names: Mapping[str, str], words: Words) -> list[PodiumStep]:
    """Return the podium's steps. Players who share a place share a step."""
    shared = (list(lines) for _, lines in groupby(on_podium(view), key=lambda line: line.place))
    return [_step(lines, view, names, words) for lines in shared]


def _step(sharing: Sequence[StandingsLine], view: EventView, names: Mapping[str, str], words: Words) -> PodiumStep:
    """Return the step of the players who share a place. If there are too many names, the last line counts the rest."""
    line, titles = sharing[0], view.event.structure.titles
    # Only leagues and duplicate events are decided by points. Players of a shoot-out never see points.
    counts = view.event.format.family is Family.ROUNDS
    points = points_text(view, line.entrant, words, key="event_picture.compared") if counts else ""
    title = titles[line.place - 1] if line.place <= len(titles) else ""
    drawn = words("event_picture.by_seed" if is_seeded(view) else "event_picture.by_draw") if line.by_draw else ""
    if drawn:
        title, points = (title, drawn) if title else (drawn, points)
    named = sharing if len(sharing) <= MAX_NAMES else sharing[: MAX_NAMES - 1]
    shown = [shown_name(one, names, words) for one in named]
    if rest := len(sharing) - len(named):
        shown.append(words("event_picture.more", count=rest))
    return PodiumStep(
        place=line.place, names=tuple(shown), prize=_prize_text(sharing, words), title=title, points=points
    )


def _prize_text(sharing: Sequence[StandingsLine], words: Words) -> str:
    """Return the prize of one player, or of each player who shares the place; empty for none."""
    least, most = (bound(line.entrant.prize for line in sharing) for bound in (min, max))
    if not most:
        return ""
    if least < most:
        return words("event_picture.prize_odd", least=words.number(least), most=words.number(most))
    return words("event_picture.prize_each" if len(sharing) > 1 else "event_picture.prize", count=most)


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
