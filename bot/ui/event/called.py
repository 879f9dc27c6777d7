"""What an organiser's call asks of those whom it names, and how notices of an event name its tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.event.structure import NoShow
from bot.play.event.views import EventView
from bot.text.words import Words
from bot.ui.fragments import player_name


def table_called(number: int, view: EventView, words: Words) -> str:
    """``Table 3``, or its thread, which bears its number, where it is still open."""
    name = words("event_notice.table_name", table=number)
    channel = next((line.table.channel for line in view.tables if line.info.table == number), None)
    if channel in (None, view.event.channel):
        return name
    own = channel not in view.event.channels
    return f"<#{channel}>" if own else words("event_notice.table_in", table=number, channel=f"<#{channel}>")


def call_text(details: Mapping[str, Any], view: EventView, words: Words) -> str:
    """Who calls, and what those called are to do."""
    values = {"table": table_called(details["table"], view, words)} if "table" in details else {}
    blind = details["what"] == "check_in" and view.event.structure.no_show is NoShow.BLIND
    what = "check_in_blind" if blind else details["what"]
    return words(f"event_notice.call.{what}", by=player_name(details["by"], words), **values)
