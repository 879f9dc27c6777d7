"""The waiting list of a full event.

The list exists before the start. A free place is offered to the first player in order, and kept for them until their
deadline. The fee is paid when they take it. The director calls :func:`offer_places` after each change and when a
deadline has passed, so that every free place is on offer while players wait.

Players who have left the server are skipped. Only Discord knows them, so it's asked before an offer is posted, and
:func:`pass_on` then offers their places to the next.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from bot.model.events import EntrantState, Event, Notice, WaitingPlayer
from bot.model.ids import EventKey, Player
from bot.model.limits import MAX_PLACE_OFFER_MS, MIN_PLACE_OFFER_MS
from bot.model.reasons import EventReason
from bot.play.event.floor.event_state import EventState, read_field
from bot.play.event.floor.floor import tell
from bot.play.event.office import roll_call
from bot.play.session.session import Session
from bot.pure.event.structure import Format
from bot.pure.ofc.refusals import Refused

LEFT = "left_for_flight"
"""Kind of the log line for a player who left the list for a place in another flight."""
SHARE_OF_REST = 4
"""An offer lasts a quarter of the time until the start, within two limits."""


def has_list(event: Event) -> bool:
    """True if players can wait for a place. A Sit & Go starts when it's full, and the list ends at the start."""
    return event.phase.before and event.format is not Format.SIT_AND_GO


def offer_until(event: Event, *, now: int) -> int:
    """Return the deadline of an offer made ``now``, at the latest the start (ms)."""
    assert event.starts_at is not None
    rest = event.starts_at - now
    return now + min(rest, max(MIN_PLACE_OFFER_MS, min(MAX_PLACE_OFFER_MS, rest // SHARE_OF_REST)))


def open_offer(field: EventState, player: Player) -> WaitingPlayer | None:
    """Return the player's place in the list if they can take the place on offer now; else None."""
    waiting = field.waiting.get(player)
    if waiting is None or waiting.offered_until is None or waiting.offered_until <= field.s.now:
        return None
    return waiting


def is_full_for(field: EventState, player: Player) -> bool:
    """True if all places are taken by registered players or kept for others on the list."""
    taken = sum(entrant.registered or entrant.playing for entrant in field.entrants.values())
    return taken + sum(other != player for other in field.waiting) >= field.event.structure.most


def join(field: EventState, player: Player, *, cause: str) -> WaitingPlayer:
    """Put a player at the end of the list. Raises Refused if they wait already, or if there's no list any more."""
    if player in field.waiting:
        raise Refused(EventReason.ALREADY_WAITING, place=field.place_in_list(player))
    if not has_list(field.event) or roll_call.waiting(field) is not None:
        raise Refused(EventReason.EVENT_FULL, most=field.event.structure.most)
    last = max(turns(field), default=0)
    waiting = field.save_waiting(WaitingPlayer(player=player, turn=last + 1, since=field.s.now))
    field.note("joined_list", actor=player, cause=cause)
    field.show()
    return waiting


def turns(field: EventState) -> list[int]:
    """Return the turns of the players on the list, and of those who may return to it from a flight."""
    left = field.tx.events.facts(field.key, LEFT)
    return [*(one.turn for one in field.waiting.values()), *(fact.details["turn"] for fact in left)]


def check_offer(field: EventState, player: Player) -> WaitingPlayer:
    """Return the player's open offer. Raises Refused if they have none."""
    if field.event.phase.over:
        raise Refused(EventReason.EVENT_OVER)
    waiting = open_offer(field, player)
    if waiting is not None and has_list(field.event):
        return waiting
    entrant = field.entrants.get(player)
    if entrant is not None and entrant.registered:
        raise Refused(EventReason.ALREADY_REGISTERED, withdraw=field.event.language)
    if player in field.waiting and field.waiting[player].offered_until is None:
        raise Refused(EventReason.NO_OFFER_YET, place=field.place_in_list(player))
    offered = any(player in fact.details["players"] for fact in field.tx.events.facts(field.key, "offered"))
    drawn = field.tx.events.last_fact(field.key, ("seats_drawn",))
    if offered and drawn is not None and player in drawn.details.get("waited", ()):
        raise Refused(EventReason.OFFER_ENDED_BY_START)
    if offered:
        raise Refused(EventReason.OFFER_OVER)
    others = has_list(field.event) and any(open_offer(field, other) for other in field.waiting)
    if others:
        full = is_full_for(field, player)
        raise Refused(EventReason.OFFERED_TO_OTHERS if full else EventReason.OTHER_PLACES_FREE)
    raise Refused(EventReason.NO_OFFER)


def decline(field: EventState, player: Player, *, cause: str) -> None:
    """Remove a player who doesn't want the place on offer. Raises Refused."""
    check_offer(field, player)
    field.note("declined", actor=player, cause=cause)
    _remove(field, player)


def leave(field: EventState, player: Player, *, cause: str) -> WaitingPlayer:
    """Remove a player who doesn't want to wait any more, with or without an offer."""
    waiting = field.waiting[player]
    field.note("left_list", actor=player, cause=cause)
    _remove(field, player)
    return waiting


def take(field: EventState, player: Player) -> None:
    """Remove a player from the list who gets a place."""
    if player in field.waiting:
        _remove(field, player)


def leave_for_flight(field: EventState, player: Player, *, number: int) -> None:
    """Remove a player who has got a place in another flight, the event with that ``number``."""
    waiting = field.waiting[player]
    field.note(LEFT, actor=player, number=number, turn=waiting.turn, since=waiting.since)
    _remove(field, player)


def return_from_flight(field: EventState, players: Sequence[Player], *, number: int) -> list[Player]:
    """Put those of ``players`` back in their old turn who left the list for the event with that ``number``.

    Return these players.
    """
    left = {fact.actor: fact for fact in field.tx.events.facts(field.key, LEFT) if fact.details["number"] == number}
    back = [player for player in players if player in left and player not in field.waiting]
    for player in back:
        told = left[player].details
        field.save_waiting(WaitingPlayer(player=player, turn=told["turn"], since=told["since"]))
    if back:
        field.note("returned_to_list", players=back)
        _changed(field)
    return back


def _remove(field: EventState, player: Player) -> None:
    field.remove_waiting(player)
    _changed(field)


def _changed(field: EventState) -> None:
    """Redraw the event's message, and let the director look at the free places and deadlines."""
    field.show()
    field.s.events_to_direct.add(field.key)


def call_for_flight(field: EventState, players: Sequence[Player], *, of: str) -> None:
    """Put those who wait for the event called ``of`` on the list of its new flight, and offer them its places."""
    for turn, player in enumerate(players, start=1):
        field.save_waiting(WaitingPlayer(player=player, turn=turn, since=field.s.now))
    offer_places(field, flight_of=of)


def offer_places(field: EventState, **told: object) -> None:
    """Pass on the places whose deadline has passed, and offer all free places to the first in order.

    ``told`` are further details of the call.
    """
    if not field.waiting or not has_list(field.event) or roll_call.waiting(field) is not None:
        return
    now = field.s.now
    if now >= (field.event.starts_at or 0):
        return  # the start ends the list, and its post names the players left
    expired = [one.player for one in field.queue if one.offered_until is not None and one.offered_until <= now]
    _drop(field, "offer_expired", expired)
    drop_departed(field, field.tx.members.departed(field.key.guild))
    registered = sum(entrant.registered for entrant in field.entrants.values())
    on_offer = sum(one.offered_until is not None for one in field.queue)
    free = field.event.structure.most - registered - on_offer
    if free <= 0:
        return
    first = [one for one in field.queue if one.offered_until is None][:free]
    if not first:
        return
    until = offer_until(field.event, now=now)
    for one in first:
        field.save_waiting(replace(one, offered_until=until))
    players = [one.player for one in first]
    field.note("offered", players=players, until=until)
    tell(field, Notice.OFFERED, players=players, until=until, **told)
    _changed(field)


def pass_on(s: Session, key: EventKey) -> None:
    """Pass on the places on offer to players who are now known to have left the server."""
    s.events_to_direct.add(key)


def drop_departed(field: EventState, departed: Collection[Player]) -> None:
    """Remove those from the list who have left the server."""
    _drop(field, "list_left_server", [one.player for one in field.queue if one.player in departed])


def _drop(field: EventState, kind: str, players: list[Player]) -> None:
    if players:
        field.note(kind, players=players)
        for player in players:
            field.remove_waiting(player)
        _changed(field)


def keep_places(field: EventState, players: list[Player]) -> None:
    """Keep the places of registered players who must agree to new terms, ahead of everyone on the list.

    Without a list, their places are free for all.
    """
    if not field.waiting or not has_list(field.event):
        return
    first = min(turns(field)) - len(players)
    until = offer_until(field.event, now=field.s.now)
    for turn, player in enumerate(players, start=first):
        field.save_waiting(WaitingPlayer(player=player, turn=turn, since=field.s.now, offered_until=until))
    field.note("offered", players=players, until=until)


def places_taken(s: Session, key: EventKey, *, until: int) -> tuple[list[Player], list[Player]]:
    """Return the players who took a place offered with the deadline ``until``, and the others of that offer.

    Both are empty for an offer whose deadline isn't in the log, as in earlier versions.
    """
    field = read_field(s, key)
    offers = [fact.details for fact in s.tx.events.facts(key, "offered") if fact.details.get("until") == until]
    players = dict.fromkeys(Player(player) for told in offers for player in told["players"])
    inside = {one.player for one in field.entrants.values() if one.state is not EntrantState.WITHDRAWN}
    return [one for one in players if one in inside], [one for one in players if one not in inside]


def cut_offers(field: EventState) -> None:
    """After the start has moved, end the open offers at the new start at the latest."""
    starts_at = field.event.starts_at
    for one in field.queue:
        if one.offered_until is not None and starts_at is not None and one.offered_until > starts_at:
            field.save_waiting(replace(one, offered_until=starts_at))


def close(field: EventState) -> list[Player]:
    """End the list and return the players who still waited, in order. Nothing was taken from them.

    Those who had checked in have got the free places already.
    """
    players = [one.player for one in field.queue]
    for player in players:
        field.remove_waiting(player)
    return players
