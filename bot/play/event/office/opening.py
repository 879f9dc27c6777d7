"""Opening of registration, for a new event and for the next one in a repetition."""

from __future__ import annotations

from dataclasses import replace

from bot.model.events import HANDED_ON, Event
from bot.model.ids import EventKey, GuildId, Player
from bot.play.event.floor import draws
from bot.play.event.floor.event_state import EventState, call_at, next_alarm
from bot.play.event.office import date_changes, permissions, repeating, series_calls
from bot.play.event.office.event_fields import page_address
from bot.play.session.session import Session
from bot.pure.event.structure import for_new_event


def next_key(s: Session, guild: GuildId) -> EventKey:
    """Return the key of a server's next event."""
    return EventKey(guild=guild, number=s.tx.events.next_number(guild))


def copied(s: Session, event: Event, *, name: str, starts_at: int) -> Event:
    """Return a new event with the settings of another one. It doesn't repeat, and isn't saved yet.

    In a series, points are counted like those of its newest event.
    """
    structure = event.structure
    if rule := s.tx.events.series_rule(event.key.guild, event.series):
        structure = replace(structure, scoring=rule.scoring, counted=rule.counted)
    return Event(
        key=next_key(s, event.key.guild),
        name=name,
        organiser=event.organiser,
        helpers=event.helpers,
        channel=event.channel,
        language=event.language,
        variant=event.variant,
        structure=structure,
        clock=event.clock,
        series=event.series,
        description=event.description,
        page=page_address() if event.page else "",
        starts_at=starts_at,
        created_at=s.now,
        commitment=b"",
        sealed_seed=b"",
    )


def announced(s: Session, event: Event, *, by: Player, cause: str | None, flight_of: int | None = None) -> Event:
    """Commit to the draw before registration opens, save the event and announce it; ``by`` vouches for its prizes.

    A flight, whose first event has the number ``flight_of``, calls only the waiting list that it's opened for.
    """
    # Players who register in the last few minutes needn't be called.
    soon = event.starts_at is not None and call_at(event) <= s.now
    event = replace(event, structure=for_new_event(event.structure), version=1, reminded=soon)
    event = draws.decks_committed(s, draws.commit_draw(s, event))
    event = replace(event, alarm_at=next_alarm(event, now=s.now))
    event = named_repeating(event)
    players = [] if flight_of else series_calls.players_to_call(s, event, by=None if cause is None else by)
    s.tx.events.save(event)
    details: dict[str, object] = {
        "structure": event.structure.to_json(),
        "name": event.name,
        "starts_at": event.starts_at,
    }
    if flight_of:
        details["flight_of"] = flight_of
    s.tx.events.note(event.key, "created", details, actor=by, cause=cause, at=s.now)
    draws.tell_committed(s, event, players=players, quiet=bool(flight_of))
    return event


def named_repeating(event: Event) -> Event:
    """Return the event with an id for its repetition in calendars, if it repeats and has none."""
    if event.repeat is None or event.repeats_as:
        return event
    return replace(event, repeats_as=f"{event.key.number}-{event.tag}")


def announce_next(field: EventState) -> None:
    """Announce the next event of a repetition once this one is over.

    It takes over the repetition in the same transaction, so there's always exactly one event that repeats. Changes for
    this date only aren't taken over.
    """
    event, s = field.event, field.s
    repeat = event.repeat
    if repeat is None or event.starts_at is None:
        return
    over, listed, told = replace(event, repeat=None, repeats_as=""), None, ""
    if event.listed_repeating:
        listed, told = event.scheduled, event.scheduled_as
        over = replace(over, scheduled=None, scheduled_as=HANDED_ON)
    field.save(over)
    like = date_changes.taken_back(s.tx, event)
    starts_at = repeating.next_start(repeat, like.starts_at or event.starts_at, now=s.now)
    following = replace(
        copied(s, like, name=like.name, starts_at=starts_at),
        repeat=repeat,
        repeats_as=event.repeats_as,
        repeats_changes=event.repeats_changes + field.event.version,
        scheduled=listed,
        scheduled_as=told,
    )
    permissions.ask(s, following)
    announced(s, following, by=permissions.voucher(s, event, lasting=True), cause=None)
    field.note("repeated", number=following.key.number)
