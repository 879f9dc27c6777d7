"""The question to the organiser shortly before the start, with the buttons for the possible actions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from discord import ButtonStyle

from bot.chat.event.screens.screen import about
from bot.chat.kit.fragments import and_more, moment, player_name
from bot.chat.kit.widgets import Part, button
from bot.model.clock import MINUTE
from bot.model.events import EntrantState, Event
from bot.model.ids import is_computer
from bot.play import terms as terms_of
from bot.play.event.office.doubtful_start import doubt_about
from bot.play.event.office.views import EventView
from bot.play.event.organisers.changing import A_LITTLE_MS
from bot.pure.event.structure import NoShow
from bot.text.words import Words

MAX_NAMED = 20
"""Maximum number of missing players who are named."""
HOLD_AGAIN = "ev_again"
"""The verb of the button that prepares another event like one that was called off."""


def doubt_text(details: Mapping[str, Any], view: EventView, words: Words) -> str:
    """Return the numbers, the missing players and the consequence at the start, addressed to the organiser."""
    key, count, people = "event_notice.doubt", details["registered"], list(details["players"])
    here = "checked" if details["checks"] else "registered"
    values = {"count": count, "here": details["here"], "organiser": player_name(view.event.organiser, words)}
    known = {name: value for name, value in values.items() if words.takes(f"{key}.{here}", name)}
    said = [words(f"{key}.{here}", **known)]
    if people:
        named = [player_name(player, words) for player in people[:MAX_NAMED]]
        said.append(words(f"{key}.missing", players=words.list([*named, *and_more(len(people) - MAX_NAMED, words)])))
    if stand_by := details.get("stand_by"):
        said.append(words(f"{key}.stand_by", count=stand_by))
    when = moment(details["starts_at"])
    if details["called_off"]:
        said.append(words(f"{key}.called_off", count=details["need"], when=when))
    else:
        blind = view.event.structure.no_show is NoShow.BLIND
        said.append(words(f"{key}.blind" if blind else f"{key}.drop", when=when))
    return "\n".join(said)


def doubt_buttons(details: Mapping[str, Any], view: EventView, words: Words) -> list[Part]:
    """Return the buttons to postpone the start, to start anyway and to call the missing; empty once it's too late."""
    event = view.event
    if not event.phase.before or event.starts_at != details["starts_at"]:
        return []
    press = about(event).but("ev_d_later", terms=terms_of.of_start(event))
    made = [button(press, words("event_notice.doubt.postpone", count=A_LITTLE_MS // MINUTE), style=ButtonStyle.primary)]
    if len(view.lines) >= event.structure.playable:
        made.append(button(about(event).but("ev_start"), words("event_notice.doubt.start")))
    people = [line.entrant for line in view.lines if not is_computer(line.entrant.player)]
    missing = sum(entrant.state is EntrantState.REGISTERED for entrant in people) if details["checks"] else 0
    if missing:
        label = words("event_desk.button.call_missing", count=missing)
        made.append(button(about(event).but("ev_d_call_all"), label))
    return made


def is_doubtful(view: EventView, starts_at: int) -> bool:
    """True if the event still waits for that start, and players are still missing or too few."""
    event = view.event
    waits = event.phase.before and event.starts_at == starts_at
    return waits and (not view.lines or _is_missing(view))


def _is_missing(view: EventView) -> bool:
    entrants = [line.entrant for line in view.lines]
    return doubt_about(view.event, entrants, stand_by=len(view.stand_by)) is not None


def again_button(event: Event, words: Words) -> Part:
    """Return the button that prepares another event like this one."""
    return button(about(event).but(HOLD_AGAIN), words("event.button.hold_again"))
