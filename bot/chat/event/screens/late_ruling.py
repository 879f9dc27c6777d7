"""The announcement of a ruling on a finished event, with its reason and its effects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.chat.kit.fragments import and_more, names, player_name
from bot.text.words import Words, escape_name

MAX_MOVED = 8
"""Maximum number of new places named, the best first."""


def late_ruling_text(key: str, details: Mapping[str, Any], words: Words) -> str:
    """Return the ruling, its reason, the new places, the chips moved, new champions, and whether its author played."""
    undone = key.endswith("_undone")
    said = [_decision(key, details, words)]
    if "why" in details:
        said.append(words("event_notice.why", why=escape_name(details["why"])))
    gains = _gains(details)
    if gains:
        new = [_gain_text(*gain, words) for gain in gains[:MAX_MOVED]]
        listed = words("event.between").join([*new, *and_more(len(gains) - MAX_MOVED, words)])
        said.append(words("event_notice.late.places_back" if undone else "event_notice.late.places", places=listed))
    if taken := details.get("taken"):
        paid = "event_notice.late.taken_back" if undone else "event_notice.late.taken"
        said.append(words(paid, count=taken, chips=words.number(taken)))
    if missing := details.get("missing"):
        said.append(words("event_notice.late.missing", count=missing, chips=words.number(missing)))
    for series, champions in details.get("champions", ()):
        players = names(list(champions), words)
        named = escape_name(series)
        said.append(words("event_notice.late.champions", count=len(champions), series=named, players=players))
    if details["plays"]:
        said.append(words("event_notice.late.played", player=player_name(details["by"], words)))
    return "\n".join(said)


def _gains(details: Mapping[str, Any]) -> list[tuple[str, int, bool, int, int | None]]:
    """Return the players with a new place, prize or number of points, and all three. Older notices have the places."""
    if "gains" in details:
        return [tuple(gain) for gain in details["gains"]]
    placed = sorted((after, player) for player, _, after in details.get("moved", ()) if after)
    places = [after for after, _ in placed]
    return [(player, after, places.count(after) > 1, 0, None) for after, player in placed]


def _gain_text(player: str, place: int, tied: bool, chips: int, points: int | None, words: Words) -> str:
    """Return a player's new place, the chips that they got or gave back, and their points for the series."""
    key = "event_notice.late.place_tied" if tied else "event_notice.late.place"
    told = words(key, place=place, player=player_name(player, words))
    facts = []
    if chips:
        facts.append(words("event_notice.late.chips", count=abs(chips), chips=words.signed(chips)))
    if points is not None:
        facts.append(words("event_notice.late.points", count=points))
    joined = words("event.between").join(facts)
    return words("event_notice.late.place_with", told=told, facts=joined) if facts else told


def _decision(key: str, details: Mapping[str, Any], words: Words) -> str:
    values = {"by": player_name(details["by"], words)}
    for who in ("player", "against"):
        if who in details:
            values[who] = player_name(details[who], words)
    if "amount" in details:
        values["amount"] = words.signed(details["amount"])
    if "against" in details or details.get("round"):
        key = f"{key}{'_match' if 'against' in details else '_round'}"
        values["round"] = words.number(details.get("round", 0))
    series = next(((before, after) for name, before, after in details.get("changes", ()) if name == "series"), None)
    if series is not None:
        before, after = series
        key = key if before and after else f"{key}_into" if after else f"{key}_none"
        values |= {"series": escape_name(after or before), "before": escape_name(before)}
    return words(key, **{name: value for name, value in values.items() if words.takes(key, name)})
