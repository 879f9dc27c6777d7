"""Secret seeds that an event commits to: one for its draws, and a master seed for its decks."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from bot.model.errors import SeedLostError
from bot.model.events import Event, FormerDecks, Notice
from bot.model.ids import EventKey, Player
from bot.play.session.session import Session
from bot.pure.event import draw
from bot.pure.event.draw import Decks, commitment


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """A seed that an event has committed to and still needs. It's sealed under ``name``."""

    name: str
    commitment: bytes
    sealed: bytes


def event_id(event: Event) -> str:
    """Return the event's unique name in draws, ``guild/event/number``. After a restore, the epoch is appended."""
    return _name(event.key, event.epoch)


def decks_id(event: Event) -> str:
    """Return the name under which the seed of an event's decks is committed to and sealed."""
    return _decks_id(event.key, event.decks_epoch)


def _decks_id(key: EventKey, epoch: str) -> str:
    return f"{_name(key, epoch)}/boards"


def deck_id(event: Event, number: int) -> str:
    """Return the name under which one of the event's decks is shuffled."""
    return f"{_name(event.key, event.decks_epoch)}/board/{number}"


def _name(key: EventKey, epoch: str) -> str:
    return "/".join(filter(None, (f"{key.guild}/event/{key.number}", epoch)))


def commit_draw(s: Session, event: Event) -> Event:
    """Return the event with a new seed for its draws."""
    event = replace(event, epoch=s.tx.timers.epoch())
    name, seed = event_id(event), s.vault.new_seed()
    sealed = s.vault.seal(seed, hand_id=name)
    return replace(event, commitment=commitment(event=name, seed=seed), sealed_seed=sealed)


def tell_committed(
    s: Session, event: Event, *, again: bool = False, players: Sequence[Player] = (), quiet: bool = False
) -> None:
    """Queue a message with the event's commitments. ``again`` is True if they replace earlier ones.

    ``players`` are pinged, because they played on the last date of the event's series. If it's ``quiet``, no role is
    pinged for the new event.
    """
    details: dict[str, object] = {
        "draw": event.commitment.hex(),
        "decks": event.board_commitment.hex(),
        "again": again,
    }
    if players:
        details["players"] = list(players)
    if quiet:
        details["quiet"] = True
    s.tx.outbox.post_event(event.key, Notice.COMMITTED, details, at=s.now)
    s.changed_events.add(event.key)


def revealed_seed(s: Session, event: Event) -> bytes | None:
    """Return the seed of an event's draws, even if it was called off before its draw; None if the seed is lost."""
    try:
        return s.vault.unseal(event.sealed_seed, hand_id=event_id(event))
    except SeedLostError:
        return None


def decks_committed(s: Session, event: Event) -> Event:
    """Return the event with a new master seed, which determines the decks of all its tables.

    The previous master is kept.
    """
    if event.board_sealed:
        former = FormerDecks(epoch=event.decks_epoch, commitment=event.board_commitment, sealed=event.board_sealed)
        event = replace(event, former_decks=(*event.former_decks, former))
    event = replace(event, decks_epoch=s.tx.timers.epoch())
    name, seed = decks_id(event), s.vault.new_seed()
    sealed = s.vault.seal(seed, hand_id=name)
    return replace(event, board_commitment=commitment(event=name, seed=seed), board_sealed=sealed)


def shown_decks(s: Session, event: Event) -> list[Decks]:
    """Return the master seeds of a finished event, newest last. Those whose key is lost are left out."""
    if not event.phase.over:
        return []
    newest = FormerDecks(epoch=event.decks_epoch, commitment=event.board_commitment, sealed=event.board_sealed)
    shown: list[Decks] = []
    for decks in (*event.former_decks, newest):
        with suppress(SeedLostError):
            seed = s.vault.unseal(decks.sealed, hand_id=_decks_id(event.key, decks.epoch))
            shown.append(Decks(event=_name(event.key, decks.epoch), commitment=decks.commitment, seed=seed))
    return shown


def secrets_of(event: Event) -> list[Secret]:
    """Return the seeds that the event still needs: the draw's until the draw, and the decks' until the end."""
    found: list[Secret] = []
    if event.phase.before:
        name = event_id(event)
        found.append(Secret(name=name, commitment=event.commitment, sealed=event.sealed_seed))
    if not event.phase.over:
        name = decks_id(event)
        found.append(Secret(name=name, commitment=event.board_commitment, sealed=event.board_sealed))
    return found


def lost(s: Session, event: Event) -> SeedLostError | None:
    """Return the error that stops the event, if a seed that it needs can't be unsealed; None if all are readable."""
    for secret in secrets_of(event):
        if secret.name == decks_id(event) and not event.hides_shared_decks:
            continue  # replaced by `master_renewed`
        try:
            s.vault.unseal(secret.sealed, hand_id=secret.name)
        except SeedLostError as error:
            return error
    return None


def tree_secret(s: Session, event: Event, tree: str) -> bytes | None:
    """Return the secret for the decks of a table's tree; None if the event shares decks or its master seed is lost.

    ``tree`` is the name of the tree's first hand. The master seed is published after the event, so anyone can then
    derive this secret.
    """
    if event.hides_shared_decks:
        return None
    try:
        master = s.vault.unseal(event.board_sealed, hand_id=decks_id(event))
    except SeedLostError:
        return None
    return draw.tree_secret(master, tree)


def master_renewed(s: Session, event: Event) -> None:
    """If an event's tables need a master seed that is lost, make a new one and announce its commitment."""
    if event.phase.over or event.hides_shared_decks:
        return
    try:
        s.vault.unseal(event.board_sealed, hand_id=decks_id(event))
    except SeedLostError:
        event = decks_committed(s, event)
        s.tx.events.save(replace(event, version=event.version + 1))
        tell_committed(s, event, again=True)
