"""What an organiser has decided or asks for, in words: of which player, why, and whether they play themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.event.structure import NoShow
from bot.play.event.views import EventView
from bot.text.event_structure import by_refund
from bot.text.words import Words, escape_name
from bot.ui.fragments import player_name


def ruling_text(key: str, details: Mapping[str, Any], view: EventView, words: Words) -> str:
    """What an organiser has done to which player, why, and whether they play in the event themselves."""
    values: dict[str, Any] = {"by": player_name(details["by"], words)}
    if "player" in details:
        values["player"] = player_name(details["player"], words)
    if "amount" in details:
        values["amount"] = words.signed(details["amount"])
    if "table" in details:
        values["table"] = table_text(details["table"], view, words)
    if "computers" in details or "people" in details:
        values["count"] = details["computers" if "computers" in details else "people"]
    if "hands" in details:
        key, values = (key, {**values, "count": details["hands"]}) if details["hands"] else (f"{key}_off", values)
    if details.get("fee") == 0:
        key = f"{key}_free"
    refunded = refunded_text(view, words) if key.startswith("event_notice.cancelled.") else []
    said = [words.side_by_side([words(key, **values), *refunded])]
    said += [f"- {gone}" for gone in _dropped(details, words)]
    if "why" in details:
        said.append(words("event_notice.why", why=escape_name(details["why"])))
    if details["plays"]:
        said.append(plays_text(details, view, words))
    return "\n".join(said)


def _dropped(details: Mapping[str, Any], words: Words) -> list[str]:
    """What an event does not give any more, because nobody vouches for it."""
    said = []
    if chips := details.get("chips"):
        said.append(words("event_notice.dropped.chips", chips=words.number(chips)))
    if roles := details.get("roles"):
        said.append(words("event_notice.dropped.roles", roles=words.list([f"<@&{role}>" for role in roles])))
    if titles := details.get("titles"):
        said.append(words("event_notice.dropped.titles", titles=words.list([escape_name(title) for title in titles])))
    if channels := details.get("channels"):
        said.append(words("event_notice.dropped.channels", channels=words.list([f"<#{one}>" for one in channels])))
    if details.get("repeats"):
        said.append(words("event_notice.dropped.repeats"))
    return said


def plays_text(details: Mapping[str, Any], view: EventView, words: Words) -> str:
    """Who has acted plays too, and by which right they act; notices of old knew of managers alone."""
    own = "plays_helper" if details["by"] in view.event.helpers else "plays_organiser"
    key = "plays" if details.get("manager", True) else own
    return words(f"event_notice.{key}", player=player_name(details["by"], words))


def refunded_text(view: EventView, words: Words) -> list[str]:
    """What became of the fees of an event that was called off; nothing where it cost none."""
    structure = view.event.structure
    return [words(by_refund("event_notice.cancelled.refunded", structure))] if structure.fee else []


def table_text(number: int, view: EventView, words: Words) -> str:
    """``Table 3``, or its thread, which bears its number, where it is still open."""
    name = words("event_notice.table_name", table=number)
    channel = next((line.table.channel for line in view.tables if line.info.table == number), None)
    if channel in (None, view.event.channel):
        return name
    own = channel not in view.event.channels
    return f"<#{channel}>" if own else words("event_notice.table_in", table=number, channel=f"<#{channel}>")


def call_text(details: Mapping[str, Any], view: EventView, words: Words) -> str:
    """Who calls, and what those called are to do."""
    values = {"table": table_text(details["table"], view, words)} if "table" in details else {}
    blind = details["what"] == "check_in" and view.event.structure.no_show is NoShow.BLIND
    what = "check_in_blind" if blind else details["what"]
    return words(f"event_notice.call.{what}", by=player_name(details["by"], words), **values)
