"""The announcement of a ruling on a finished event, with its reason and its effects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.chat.kit.fragments import and_more, player_name
from bot.text.words import Words, escape_name

MAX_MOVED = 8
"""Maximum number of new places named, the best first."""


def late_ruling_text(key: str, details: Mapping[str, Any], words: Words) -> str:
    """Return the ruling, its reason, the new places, the chips moved, and whether its author played."""
    said = [_decision(key, details, words)]
    if "why" in details:
        said.append(words("event_notice.why", why=escape_name(details["why"])))
    placed = sorted((after, player) for player, _, after in details.get("moved", ()) if after)
    if placed:
        places = [after for after, _ in placed]
        new = [
            words(
                "event_notice.late.place_tied" if places.count(after) > 1 else "event_notice.late.place",
                place=after,
                player=player_name(player, words),
            )
            for after, player in placed[:MAX_MOVED]
        ]
        listed = words("event.between").join([*new, *and_more(len(placed) - MAX_MOVED, words)])
        said.append(words("event_notice.late.places", places=listed))
    if taken := details.get("taken"):
        said.append(words("event_notice.late.taken", count=taken, chips=words.number(taken)))
    if missing := details.get("missing"):
        said.append(words("event_notice.late.missing", count=missing, chips=words.number(missing)))
    if details["plays"]:
        said.append(words("event_notice.late.played", player=player_name(details["by"], words)))
    return "\n".join(said)


def _decision(key: str, details: Mapping[str, Any], words: Words) -> str:
    values = {"by": player_name(details["by"], words)}
    for who in ("player", "against"):
        if who in details:
            values[who] = player_name(details[who], words)
    if "amount" in details:
        values["amount"] = words.signed(details["amount"])
    if "against" in details:
        key = f"{key}_match"
    series = next(((before, after) for name, before, after in details.get("changes", ()) if name == "series"), None)
    if series is not None:
        before, after = series
        key = key if after else f"{key}_none"
        values["series"] = escape_name(after or before)
    return words(key, **{name: value for name, value in values.items() if words.takes(key, name)})
