"""The secrets that an event commits to: the seed of its draws, and the one from which all its decks follow."""

from __future__ import annotations

from dataclasses import replace

from bot.play.model import TournamentKey
from bot.play.session import Session
from bot.play.tournament.model import Tournament
from bot.tournament.draw import commitment


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
