"""The record of an event's draw, which lets anyone repeat the draw."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.model.events import Entrant, EntrantState, Event
from bot.model.ids import EventKey, Player, is_pseudonym
from bot.model.reasons import EventReason, PrivacyReason
from bot.play.event.floor import event_state as fields
from bot.play.event.floor.draws import event_id, shown_decks
from bot.play.event.formats import seeding
from bot.play.session import decks
from bot.play.session.session import Session
from bot.pure.event.draw import START, prove
from bot.pure.ofc.deck import Entropy
from bot.pure.ofc.refusals import Refused


def draw_proof(s: Session, key: EventKey) -> Mapping[str, Any]:
    """Return the record of the first draw. Raises Refused before the draw, or if a drawn player's data was deleted."""
    event = fields.event_of(s, key)
    if event.seed is None:
        raise Refused(EventReason.NOT_DRAWN_YET)
    entropy = drawn_with(s, event)
    if not entropy:
        raise Refused(EventReason.NOT_DRAWN_YET)
    if any(is_pseudonym(Player(added.player)) for added in entropy):
        raise Refused(PrivacyReason.DRAW_WITHHELD)
    names = [added.player for added in entropy]
    masters, seeds = shown_decks(s, event), seeding.fixed_seeds(s.tx, key)
    # A deleted player's name may be missing from the log while the record is still complete.
    known = seeds is not None and sorted(seeds.order) == sorted(names)
    return prove(
        names,
        seeds=seeds if known else None,
        event=event_id(event),
        label=START,
        seed=event.seed,
        entropy=entropy,
        decks=masters[-1] if masters else None,
        former_decks=masters[:-1],
    ).to_json()


def drawn_with(s: Session, event: Event) -> list[Entropy]:
    """Return the entropy of the first draw, in the order of its hash."""
    if event.kept_draw is not None and event.seed is not None:
        return decks.show_entropy(event.kept_draw, seed=event.seed)
    return [Entropy(e.player, e.cause) for e in s.tx.entrants.of(event.key) if any_draw(event, e)]


def any_draw(event: Event, entrant: Entrant) -> bool:
    """True if the entrant took part in the draw or, if the event was called off before that, was in it at the time."""
    drawn_at = event.started_at or event.ended_at or 0
    return entrant.state is not EntrantState.WITHDRAWN and entrant.registered_at <= drawn_at
