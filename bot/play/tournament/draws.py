"""The secrets that an event commits to: the seed of its draws, and the one from which all its decks follow."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.play.model import TournamentKey
from bot.play.ports import SeedLostError
from bot.play.session import Session
from bot.play.tournament.model import Tournament
from bot.tournament.draw import commitment


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """A seed that an event has committed to and still needs, under the name that it was sealed for."""

    name: str
    commitment: bytes
    sealed: bytes


def event_id(key: TournamentKey) -> str:
    """The name of an event in its draws: ``guild/event/number``, unique for ever."""
    return f"{key.guild}/event/{key.number}"


def decks_id(key: TournamentKey) -> str:
    """The name under which the seed of an event's decks is committed to and sealed."""
    return f"{event_id(key)}/boards"


def committed(s: Session, event: Tournament) -> Tournament:
    """The event with a fresh seed for its draws."""
    name, seed = event_id(event.key), s.vault.new_seed()
    sealed = s.vault.seal(seed, hand_id=name)
    return replace(event, commitment=commitment(event=name, seed=seed), sealed_seed=sealed)


def decks_committed(s: Session, event: Tournament) -> Tournament:
    """The event with a fresh seed for its decks, where all tables are dealt the same ones."""
    if not event.hides_boards:
        return event
    name, seed = decks_id(event.key), s.vault.new_seed()
    sealed = s.vault.seal(seed, hand_id=name)
    return replace(event, board_commitment=commitment(event=name, seed=seed), board_sealed=sealed)


def secrets_of(event: Tournament) -> list[Secret]:
    """The seeds without which the event cannot go on: that of its draw until it is made, that of its decks."""
    found: list[Secret] = []
    if event.phase.before:
        name = event_id(event.key)
        found.append(Secret(name=name, commitment=event.commitment, sealed=event.sealed_seed))
    if event.hides_boards and not event.phase.over:
        name = decks_id(event.key)
        found.append(Secret(name=name, commitment=event.board_commitment, sealed=event.board_sealed))
    return found


def lost(s: Session, event: Tournament) -> SeedLostError | None:
    """Why the event cannot go on, when a seed that it needs cannot be opened any more."""
    for secret in secrets_of(event):
        try:
            s.vault.unseal(secret.sealed, hand_id=secret.name)
        except SeedLostError as error:
            return error
    return None
