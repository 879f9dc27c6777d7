"""Conversions of an event's draft: to a plan, to changes of an announced event, and from events back to drafts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from bot.base.clean_text import one_line
from bot.chat.event.screens.draft.event_choices import FIRST, PAIRED_AS, EventChoices, choices_from_json
from bot.chat.kit.custom_ids import OWN, game_tag
from bot.model.clock import Pace
from bot.model.events import Event, RepeatInterval
from bot.model.ids import EventKey, GuildId, Player
from bot.model.limits import MAX_EVENT_NAME_LENGTH
from bot.play.event.office.event_fields import plain
from bot.play.event.office.permissions import NO_AUTHORITY, MemberPermissions
from bot.play.event.office.registration import PlannedEvent
from bot.play.event.office.repeating import build_repeat, next_start
from bot.play.event.organisers import changing
from bot.pure.event.structure import PRESETS, Format, Structure, for_new_event, structure_from
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import PRESETS as GAMES
from bot.pure.ofc.variants import Variant
from bot.text.words import Words


def played_game(choices: EventChoices, game: Variant) -> Variant:
    """Return the game to be played. Fantasyland is removed if it's turned off, and always in duplicate events.

    Raises VariantError.
    """
    if game.fantasyland is None or (choices.fantasyland and choices.form is not Format.DUPLICATE):
        return game
    house = {key: value for key, value in game.house.items() if not key.startswith("fantasyland") and key != "button"}
    return house_variant(game.key, {**house, "fantasyland": "off"}, name=game.house_name)


def copied(event: Event, *, zone: str, now: int) -> EventChoices:
    """Return a draft copied from an announced event, one or more weeks later at the same time of day."""
    choices = _like(replace(event, structure=for_new_event(event.structure)))
    weekly = build_repeat(RepeatInterval.WEEK, zone, event.starts_at)
    if weekly is None or event.starts_at is None:
        return choices
    return starting_at(choices, next_start(weekly, event.starts_at, now=now), zone)


def choices_for_changing(event: Event, *, zone: str, aside: EventChoices | None = None) -> EventChoices:
    """Return the draft for changing an event. ``aside`` is its author's previous draft, kept for later."""
    choices = replace(_like(event), of=event.key.number, seen=plain(event), open=open_fields(event))
    if event.starts_at is not None:
        choices = starting_at(choices, event.starts_at, zone)
    if aside is None or replace(aside, pages=False) == EventChoices():
        return choices
    return replace(choices, aside=aside.aside if aside.of else aside.to_json())


def open_fields(event: Event) -> Sequence[str]:
    """Return the fields that can be changed in the event's current state."""
    return [name for name in plain(event) if changing.may_change(name, event)]


def put_aside(choices: EventChoices) -> EventChoices | None:
    """Return the draft that the author set aside to change an announced event; None if there is none."""
    return choices_from_json(choices.aside) if choices.aside else None


def changes_of(choices: EventChoices) -> dict[str, tuple[Any, Any]]:
    """Return the values that differ, by field: the value seen at the beginning, then the draft's."""
    clock = {"pace": choices.pace.value, "seconds": choices.seconds}
    own = {
        "name": choices.name,
        "series": choices.series,
        "description": choices.description,
        "page": choices.page,
        "starts_at": choices.start,
        **clock,
    }
    now = {**choices.structure.to_json(), **own}
    return {name: (value, now[name]) for name, value in choices.seen.items() if name in now and now[name] != value}


def unlike_the_kind(choices: EventChoices) -> list[tuple[str, Any, Any]]:
    """Return a new event's choices that differ from the defaults of its kind, in the form of :func:`told`."""
    usual, now = PRESETS[choices.preset].to_json(), choices.structure.to_json()
    changes = {name: (value, now[name]) for name, value in usual.items() if now[name] != value}
    if choices.page:
        changes["page"] = (False, True)
    return changing.differences(choices.form, changes)


def told(choices: EventChoices) -> list[tuple[str, Any, Any]]:
    """Return a draft's changes for display: field, value before and value after."""
    return changing.differences(choices.form, changes_of(choices))


def without_late(choices: EventChoices, *, zone: str) -> tuple[EventChoices, Sequence[str]]:
    """Return the draft without changes that are no longer possible, and the fields of these changes."""
    changes = changes_of(choices)
    seen = {name: before for name, (before, _) in changes.items() if name not in choices.open}
    if not seen:
        return choices, ()
    late = [name for name, *_ in changing.differences(choices.form, {name: changes[name] for name in seen})]
    names = {one.name for one in fields(EventChoices)}
    own: dict[str, Any] = {
        name: Pace(value) if name == "pace" else value for name, value in seen.items() if name in names
    }
    kept = replace(choices, structure=structure_from({**choices.structure.to_json(), **seen}), **own)
    return (starting_at(kept, seen["starts_at"], zone) if seen.get("starts_at") else kept), late


def _like(event: Event) -> EventChoices:
    """Return a draft that could have produced the event, except for its start."""
    alike = {key: plan for key, plan in PRESETS.items() if plan.format is event.format}
    key = max(alike, key=lambda key: _count_equal(alike[key], event.structure), default=FIRST)
    game, clock = event.variant, event.clock
    return EventChoices(
        preset=key,
        structure=event.structure,
        game=OWN + game_tag(game.house_name) if game.house_name else game.key,
        fantasyland=game.fantasyland is not None or GAMES[game.key].fantasyland is None,
        name=event.name,
        series=event.series,
        description=event.description,
        page=bool(event.page),
        pace=clock.pace,
        seconds=clock.seconds,
    )


def _count_equal(a: Structure, b: Structure) -> int:
    """Return the number of fields with equal values."""
    return sum(getattr(a, one.name) == getattr(b, one.name) for one in fields(Structure))


def starting_at(choices: EventChoices, at: int, zone: str) -> EventChoices:
    """Return the draft with the start ``at`` (ms), in the form that its field shows and parses."""
    shown = datetime.fromtimestamp(at / 1000, UTC).astimezone(ZoneInfo(zone))
    return replace(choices, when=f"{shown:%Y-%m-%d %H:%M}", starts_at=at)


def build_plan(
    choices: EventChoices,
    game: Variant,
    *,
    guild: GuildId,
    channel: int,
    organiser: Player,
    language: str,
    zone: str,
    authority: MemberPermissions = NO_AUTHORITY,
) -> PlannedEvent:
    """Return the plan to announce. ``game`` is the game to be played, and ``zone`` is the time zone for repeats."""
    return PlannedEvent(
        guild=guild,
        channel=channel,
        organiser=organiser,
        authority=authority,
        language=language,
        name=choices.name,
        variant=game,
        structure=choices.structure,
        clock=choices.clock,
        starts_at=choices.start,
        series=choices.series,
        description=choices.description,
        page=choices.page,
        repeat=build_repeat(choices.every, zone, choices.start),
    )


def preview(choices: EventChoices, game: Variant, *, organiser: Player, zone: str, now: int) -> Event:
    """Return the event as it would be right after being announced."""
    return Event(
        key=EventKey(guild=GuildId(0), number=0),
        name=choices.name,
        organiser=organiser,
        channel=0,
        language="",
        variant=game,
        structure=choices.structure,
        clock=choices.clock,
        series=choices.series,
        description=choices.description,
        starts_at=choices.start,
        repeat=build_repeat(choices.every, zone, choices.start),
        created_at=now,
        commitment=b"",
        sealed_seed=b"",
    )


def default_name(choices: EventChoices, person: str, words: Words) -> str:
    """Return a default name such as ``Alice's Sit & Go``."""
    preset = PAIRED_AS[choices.structure.pairings] if choices.form is Format.LEAGUE else choices.preset
    key = f"event_name.kind.{preset}"
    kind = words(key) if words.has(key) else words(f"structure.preset.{preset}")
    person = one_line(person)
    return words("event_name.usual", person=person, kind=kind)[:MAX_EVENT_NAME_LENGTH] if person else kind
