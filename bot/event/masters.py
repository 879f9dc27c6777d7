"""The master of an event: one seed from which the decks of all its tables follow, shown when the event is over.

To the byte (``docs/fairness.md``), with ``first`` the name of the first hand of a table's tree::

    secret of a tree = HMAC-SHA256(master, frame("chaipo/deal/v2/tree", first))
    seed of deck k   = HMAC-SHA256(master, "board k")            of a duplicate event
    its entropy      = SHA256(frame(player 1, text 1, player 2, text 2 ...)), in the order of the draw

``misfit`` judges by the event's record whether the deck of a hand followed from it.
"""

from __future__ import annotations

import hashlib
import hmac
import re

from bot.event.draw import Decks, DrawProof
from bot.ofc.deck import V2, Entropy, frame
from bot.ofc.deck_tree import first_of, seed_of
from bot.ofc.proof import Proof

PLAYER = "event"
"""Who puts the entropy of all into the decks of a duplicate event."""
_HAND = re.compile(r"([^/]+)/[0-9]+/[0-9]+(?:/([0-9a-f]+))?")
_EVENT = re.compile(r"([^/]+)/event/[0-9]+(?:/([0-9a-f]+))?")


def tree_secret(master: bytes, first: str) -> bytes:
    """What the seeds (32 bytes) of one tree of a table follow from; ``first`` is the name of its first hand."""
    return hmac.digest(master, frame(f"{V2}/tree".encode(), first.encode()), "sha256")


def board_seed(master: bytes, number: int) -> bytes:
    """The seed (32 bytes) of one deck of a duplicate event, numbered from 1."""
    return hmac.digest(master, f"board {number}".encode(), "sha256")


def board_entropy(added: list[tuple[str, str]]) -> Entropy:
    """What all who were drawn put into each of these decks; ``added`` in the order of the draw."""
    parts = [part.encode() for player, text in added for part in (player, text)]
    return Entropy(PLAYER, hashlib.sha256(frame(*parts)).hexdigest())


def misfit(hand: Proof, event: DrawProof) -> str:
    """Why the deck of a hand did not follow from an event that is over; empty where it did.

    Both are right by themselves: this is what neither of them shows.
    """
    masters = [*event.former_decks, *([event.decks] if event.decks else [])]
    board = re.fullmatch(r"(.+)/board/([1-9][0-9]{0,8})", hand.hand_id)
    if hand.leaf is None and board is not None:
        return _of_board(hand, event, [each for each in masters if each.event == board[1]], number=int(board[2]))
    named = _HAND.fullmatch(hand.hand_id)
    first = None if named is None or hand.leaf is None else first_of(hand.hand_id, hand.leaf.place)
    if named is None or first is None:
        return "it is no hand of an event's table"
    # A restore begins a new epoch for all: which master a hand has is told by its own.
    meant = [each for each in masters if _server_and_epoch(each) == named.groups()]
    if not any(hand.seed == seed_of(tree_secret(each.seed, first), hand.hand_id) for each in meant):
        return "its seed does not follow from the decks of this event"
    return ""


def _server_and_epoch(decks: Decks) -> tuple[str | None, ...]:
    named = _EVENT.fullmatch(decks.event)
    return () if named is None else named.groups()


def _of_board(hand: Proof, event: DrawProof, masters: list[Decks], *, number: int) -> str:
    if not any(hand.seed == board_seed(each.seed, number) for each in masters):
        return "its seed does not follow from the decks of this event"
    texts = {added.player: added.text for added in event.entropy}
    if hand.entropy != (board_entropy([(player, texts[player]) for player in event.order if player in texts]),):
        return "its entropy is not what the players of this event have added"
    return ""
