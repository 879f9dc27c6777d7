"""The secrets that an event commits to: the seed of its draws, and the one from which all its decks follow."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.event.draw import commitment
from bot.play.event.model import Event, Notice
from bot.play.event.ports import tx_of
from bot.play.model import EventKey
from bot.play.ports import SeedLostError
from bot.play.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """A seed that an event has committed to and still needs, under the name that it was sealed for."""

    name: str
    commitment: bytes
    sealed: bytes


def event_id(event: Event) -> str:
    """The name of an event in its draws, unique for ever: ``guild/event/number``, after a restore with its epoch."""
    return _name(event.key, event.epoch)


def decks_id(event: Event) -> str:
    """The name under which the seed of an event's decks is committed to and sealed."""
    return f"{_name(event.key, event.decks_epoch)}/boards"


def deck_id(event: Event, number: int) -> str:
    """The name under which one of the event's decks is shuffled."""
    return f"{_name(event.key, event.decks_epoch)}/board/{number}"


def _name(key: EventKey, epoch: str) -> str:
    return "/".join(filter(None, (f"{key.guild}/event/{key.number}", epoch)))


def committed(s: Session, event: Event) -> Event:
    """The event with a fresh seed for its draws."""
    event = replace(event, epoch=s.tx.epoch())
    name, seed = event_id(event), s.vault.new_seed()
    sealed = s.vault.seal(seed, hand_id=name)
    return replace(event, commitment=commitment(event=name, seed=seed), sealed_seed=sealed)


def tell_committed(s: Session, event: Event) -> None:
    """Let be posted what the event has committed to."""
    details = {"draw": event.commitment.hex(), "decks": event.board_commitment.hex()}
    tx_of(s).post_event(event.key, Notice.COMMITTED, details, at=s.now)
    s.changed_events.add(event.key)


def revealed(s: Session, event: Event) -> bytes | None:
    """The seed of an event's draws, None when it is lost: also one that is called off shows what it had fixed."""
    try:
        return s.vault.unseal(event.sealed_seed, hand_id=event_id(event))
    except SeedLostError:
        return None


def decks_committed(s: Session, event: Event) -> Event:
    """The event with a fresh seed for its decks, where all tables are dealt the same ones."""
    if not event.hides_shared_decks:
        return event
    event = replace(event, decks_epoch=s.tx.epoch())
    name, seed = decks_id(event), s.vault.new_seed()
    sealed = s.vault.seal(seed, hand_id=name)
    return replace(event, board_commitment=commitment(event=name, seed=seed), board_sealed=sealed)


def secrets_of(event: Event) -> list[Secret]:
    """The seeds without which the event cannot go on: that of its draw until it is made, that of its decks."""
    found: list[Secret] = []
    if event.phase.before:
        name = event_id(event)
        found.append(Secret(name=name, commitment=event.commitment, sealed=event.sealed_seed))
    if event.hides_shared_decks and not event.phase.over:
        name = decks_id(event)
        found.append(Secret(name=name, commitment=event.board_commitment, sealed=event.board_sealed))
    return found


def lost(s: Session, event: Event) -> SeedLostError | None:
    """Why the event cannot go on, when a seed that it needs cannot be opened any more."""
    for secret in secrets_of(event):
        try:
            s.vault.unseal(secret.sealed, hand_id=secret.name)
        except SeedLostError as error:
            return error
    return None
