"""The server's leaderboard: chips won, points a hand, visits to Fantasyland."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.play.model import Standing
from bot.text.words import Words
from bot.ui.fragments import RESULT_COLOUR, player_name
from bot.ui.widgets import Screen, screen

PLACES = 10
HANDS_FOR_AVERAGE = 5
"""Points a hand count from this many hands on, so that one lucky hand is no record."""
ORDERS: dict[str, Callable[[Standing], float]] = {
    "chips": lambda standing: standing.chips,
    "points": lambda standing: standing.points / standing.hands,
    "fantasyland": lambda standing: standing.fantasyland,
}


def leaderboard_screen(standings: Sequence[Standing], words: Words, *, by: str, asker: str) -> Screen:
    """The best ten in one of the :data:`ORDERS`, and the asker's own place; or why there is nobody yet."""
    return screen(_text(standings, words, by=by, asker=asker), colour=RESULT_COLOUR)


def _text(standings: Sequence[Standing], words: Words, *, by: str, asker: str) -> str:
    ranked = [s for s in standings if s.hands >= (HANDS_FOR_AVERAGE if by == "points" else 1)]
    if by == "fantasyland":
        ranked = [s for s in ranked if s.fantasyland]
    ranked.sort(key=lambda s: (-ORDERS[by](s), -s.hands, int(s.player)))
    title = f"### {words('leaderboard.title', by=words(f'leaderboard.by.{by}'))}"
    if not ranked:
        return f"{title}\n{words('leaderboard.empty', hands=HANDS_FOR_AVERAGE if by == 'points' else 1)}"
    lines = [_line(place, s, by=by, words=words) for place, s in enumerate(ranked[:PLACES], 1)]
    own = next((place for place, s in enumerate(ranked, 1) if s.player == asker), 0)
    if own > PLACES:
        lines += ["…", _line(own, ranked[own - 1], by=by, words=words)]
    return "\n".join([title, *lines])


def _line(place: int, standing: Standing, *, by: str, words: Words) -> str:
    value = ORDERS[by](standing)
    shown = words.signed_decimal(value, decimals=2) if by == "points" else words.signed(int(value))
    if by == "fantasyland":
        shown = words.number(int(value))
    name = player_name(standing.player, words)
    return words("leaderboard.line", place=place, player=name, value=shown, hands=words.number(standing.hands))
