"""What an organiser's call asks of those whom it names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.event.structure import NoShow
from bot.play.event.views import EventView
from bot.text.words import Words
from bot.ui.event.ruling import table_text
from bot.ui.fragments import player_name


def call_text(details: Mapping[str, Any], view: EventView, words: Words) -> str:
    """Who calls, and what those called are to do."""
    values = {"table": table_text(details["table"], view, words)} if "table" in details else {}
    blind = details["what"] == "check_in" and view.event.structure.no_show is NoShow.BLIND
    what = "check_in_blind" if blind else details["what"]
    return words(f"event_notice.call.{what}", by=player_name(details["by"], words), **values)
