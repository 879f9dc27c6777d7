"""Conversions of an event's draft: to a plan or to changes of an announced event, and from events back to drafts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from bot.base.clean_text import one_line
from bot.chat.event.screens.draft.event_choices import FIRST, EventChoices, sheet_from
from bot.chat.kit.custom_ids import OWN, game_tag
from bot.model.clock import Pace
from bot.model.events import Event, RepeatInterval
from bot.model.ids import EventKey, GuildId, Player
from bot.model.limits import LONGEST_EVENT_NAME
from bot.play.event.office.permissions import NO_AUTHORITY, MemberPermissions
from bot.play.event.office.registration import PlannedEvent
from bot.play.event.office.repeating import next_start, repeat_of
from bot.play.event.organisers import changing
from bot.pure.event.structure import PRESETS, Format, Structure, structure_from
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import PRESETS as GAMES
from bot.pure.ofc.variants import Variant
from bot.text.words import Words


def played_game(sheet: EventChoices, game: Variant) -> Variant:
    """Return the game to be played. Fantasyland is removed if it's turned off, and always in a duplicate event.

    Raises VariantError.
    """
    if game.fantasyland is None or (sheet.fantasyland and sheet.form is not Format.DUPLICATE):
        return game
    house = {key: value for key, value in game.house.items() if not key.startswith("fantasyland") and key != "button"}
    return house_variant(game.key, {**house, "fantasyland": "off"}, name=game.house_name)


def copied(event: Event, *, zone: str, now: int) -> EventChoices:
    """Return a draft like an announced event, one or more weeks later at the same time of day."""
    sheet = _like(event)
    weekly = repeat_of(RepeatInterval.WEEK, zone, event.starts_at)
    if weekly is None or event.starts_at is None:
        return sheet
    return starting_at(sheet, next_start(weekly, event.starts_at, now=now), zone)


def changing_sheet(event: Event, *, zone: str, aside: EventChoices | None = None) -> EventChoices:
    """Return the draft for changing an event. ``aside`` is its author's previous draft, kept for later."""
    sheet = replace(_like(event), of=event.key.number, seen=changing.plain(event), open=open_fields(event))
    if event.starts_at is not None:
        sheet = starting_at(sheet, event.starts_at, zone)
    if aside is None or aside == EventChoices():
        return sheet
    return replace(sheet, aside=aside.aside if aside.of else aside.to_json())


def open_fields(event: Event) -> Sequence[str]:
    """Return the fields that can be changed in the event's current state."""
    return [name for name in changing.plain(event) if changing.may_change(name, event)]


def put_aside(sheet: EventChoices) -> EventChoices | None:
    """Return the draft that its author put aside to change an announced event; None if there is none."""
    return sheet_from(sheet.aside) if sheet.aside else None


def changes_of(sheet: EventChoices) -> dict[str, tuple[Any, Any]]:
    """Return the values that differ, by field: the value seen at the beginning, and the draft's."""
    clock = {"pace": sheet.pace.value, "seconds": sheet.seconds}
    own = {
        "name": sheet.name,
        "series": sheet.series,
        "description": sheet.description,
        "starts_at": sheet.start,
        **clock,
    }
    now = {**sheet.structure.to_json(), **own}
    return {name: (value, now[name]) for name, value in sheet.seen.items() if name in now and now[name] != value}


def unlike_the_kind(sheet: EventChoices) -> list[tuple[str, Any, Any]]:
    """Return a new event's choices that differ from the defaults of its kind, in the form of :func:`told`."""
    usual, now = PRESETS[sheet.preset].to_json(), sheet.structure.to_json()
    changes = {name: (value, now[name]) for name, value in usual.items() if now[name] != value}
    return changing.differences(sheet.form, changes)


def told(sheet: EventChoices) -> list[tuple[str, Any, Any]]:
    """Return a draft's changes for display: the field, the value before, and the value after."""
    return changing.differences(sheet.form, changes_of(sheet))


def without_late(sheet: EventChoices, *, zone: str) -> tuple[EventChoices, Sequence[str]]:
    """Return the draft without changes that have become impossible, and the fields of these changes."""
    changes = changes_of(sheet)
    seen = {name: before for name, (before, _) in changes.items() if name not in sheet.open}
    if not seen:
        return sheet, ()
    late = [name for name, *_ in changing.differences(sheet.form, {name: changes[name] for name in seen})]
    names = {one.name for one in fields(EventChoices)}
    own: dict[str, Any] = {
        name: Pace(value) if name == "pace" else value for name, value in seen.items() if name in names
    }
    kept = replace(sheet, structure=structure_from({**sheet.structure.to_json(), **seen}), **own)
    return (starting_at(kept, seen["starts_at"], zone) if seen.get("starts_at") else kept), late


def _like(event: Event) -> EventChoices:
    """Return the draft from which an event could have been announced, except for its start."""
    alike = {key: plan for key, plan in PRESETS.items() if plan.format is event.format}
    key = max(alike, key=lambda key: _shared(alike[key], event.structure), default=FIRST)
    game, clock = event.variant, event.clock
    return EventChoices(
        preset=key,
        structure=event.structure,
        game=OWN + game_tag(game.house_name) if game.house_name else game.key,
        fantasyland=game.fantasyland is not None or GAMES[game.key].fantasyland is None,
        name=event.name,
        series=event.series,
        description=event.description,
        pace=clock.pace,
        seconds=clock.seconds,
    )


def _shared(a: Structure, b: Structure) -> int:
    """Return the number of fields with equal values."""
    return sum(getattr(a, one.name) == getattr(b, one.name) for one in fields(Structure))


def starting_at(sheet: EventChoices, at: int, zone: str) -> EventChoices:
    """Return the draft with this start (ms), in the form that its field shows and parses."""
    shown = datetime.fromtimestamp(at / 1000, UTC).astimezone(ZoneInfo(zone))
    return replace(sheet, when=f"{shown:%Y-%m-%d %H:%M}", starts_at=at)


def plan_of(
    sheet: EventChoices,
    game: Variant,
    *,
    guild: GuildId,
    channel: int,
    organiser: Player,
    language: str,
    zone: str,
    authority: MemberPermissions = NO_AUTHORITY,
) -> PlannedEvent:
    """Return the plan to announce. ``game`` is the game to be played, and ``zone`` the time zone for repeating it."""
    return PlannedEvent(
        guild=guild,
        channel=channel,
        organiser=organiser,
        authority=authority,
        language=language,
        name=sheet.name,
        variant=game,
        structure=sheet.structure,
        clock=sheet.clock,
        starts_at=sheet.start,
        series=sheet.series,
        description=sheet.description,
        repeat=repeat_of(sheet.every, zone, sheet.start),
    )


def preview(sheet: EventChoices, game: Variant, *, organiser: Player, zone: str, now: int) -> Event:
    """Return the event as it would be right after its announcement."""
    return Event(
        key=EventKey(guild=GuildId(0), number=0),
        name=sheet.name,
        organiser=organiser,
        channel=0,
        language="",
        variant=game,
        structure=sheet.structure,
        clock=sheet.clock,
        series=sheet.series,
        description=sheet.description,
        starts_at=sheet.start,
        repeat=repeat_of(sheet.every, zone, sheet.start),
        created_at=now,
        commitment=b"",
        sealed_seed=b"",
    )


def usual_name(sheet: EventChoices, person: str, words: Words) -> str:
    """Return a default name such as ``Alice's Sit & Go``."""
    key = f"event_name.kind.{sheet.preset}"
    kind = words(key) if words.has(key) else words(f"structure.preset.{sheet.preset}")
    person = one_line(person)
    return words("event_name.usual", person=person, kind=kind)[:LONGEST_EVENT_NAME] if person else kind
