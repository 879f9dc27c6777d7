"""Secrets of decks: a tree for a table's next hands, and each hand's seed from it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache

from bot.model.errors import SeedLostError
from bot.model.hands import DealRecord, HandRecord, Vault, hand_id, tree_id
from bot.model.ids import Player, TableKey, is_pseudonym
from bot.model.tables import Table
from bot.pure.ofc.cards import Card, cards_text, parse_cards
from bot.pure.ofc.deck import DealInputs, Entropy, commitment, deal_deck, hidden
from bot.pure.ofc.deck_tree import HANDS, Tree, build_tree, compute_root, leaves_of, path_of, root_of, seed_of
from bot.pure.ofc.proof import Leaf

_ENTROPY = b"entropy"
MAX_TREES = 1024
"""Maximum number of cached trees. They're cached because a table's hands share one. Each takes forty kilobytes."""


def commit_decks(vault: Vault, table: Table, *, epoch: str, given: Callable[[str], bytes | None]) -> Table:
    """Return the table with a secret for the decks of its next hands, and the root that commits to them.

    ``given`` returns the secret of a tree by name; a fresh one is used if it returns None.
    """
    table = replace(table, tree_from=table.hand_no + 1, epoch=epoch, root_message=None)
    name = tree_id(table.key, table.tree_from, epoch=epoch)
    secret = given(hand_id(table.key, table.tree_from, epoch=epoch)) or vault.new_seed()
    return replace(table, commitment=_root(table, secret), sealed_seed=vault.seal(secret, hand_id=name))


def used_up(table: Table, record: HandRecord) -> bool:
    """True if no later hand can be dealt from the table's commitment."""
    lost_secret = record.deal is not None and not record.deal.leaf.path
    return not table.tree_from or lost_secret or record.hand_no == table.tree_from + HANDS - 1


def fixed_by(vault: Vault, table: Table) -> bytes:
    """Compute the commitment from the table's sealed secret, to compare it with the stored one.

    Raises SeedLostError.
    """
    if table.tree_from:
        name = tree_id(table.key, table.tree_from, epoch=table.epoch)
        return _root(table, vault.unseal(table.sealed_seed, hand_id=name))
    name = hand_id(table.key, table.hand_no + 1)
    return commitment(hand_id=name, seed=vault.unseal(table.sealed_seed, hand_id=name))


def with_seed(vault: Vault, table: Table, record: HandRecord, dealt: DealInputs) -> HandRecord:
    """Return the record of the table's next hand with its seed from the table's tree.

    If the secret is lost, it has no seed, :func:`seed` raises SeedLostError, and the hand is void.
    """
    record = replace(record, commitment=table.commitment, sealed_seed=table.sealed_seed)
    if not table.tree_from:
        return record
    leaf = Leaf(place=record.hand_no - table.tree_from, path=())
    record = replace(record, deal=DealRecord(epoch=table.epoch, leaf=leaf, dealt=dealt))
    try:
        return with_own_seed(vault, table.key, record)
    except SeedLostError:
        return record


def with_own_seed(vault: Vault, key: TableKey, record: HandRecord) -> HandRecord:
    """Return the record with its own seed and path, which it lacks while the secret is lost. Raises SeedLostError."""
    deal = record.deal
    if deal is None or deal.leaf.path:
        return record
    first = record.hand_no - deal.leaf.place
    secret = vault.unseal(record.sealed_seed, hand_id=tree_id(key, first, epoch=deal.epoch))
    path = path_of(_tree(secret, key, first, deal.epoch), deal.leaf.place)
    name = record.id_at(key)
    return replace(
        record,
        sealed_seed=vault.seal(seed_of(secret, name), hand_id=name),
        deal=replace(deal, leaf=replace(deal.leaf, path=path)),
    )


def seed(vault: Vault, key: TableKey, record: HandRecord) -> bytes:
    """Return a hand's seed; raises SeedLostError."""
    return vault.unseal(with_own_seed(vault, key, record).sealed_seed, hand_id=record.id_at(key))


def committed_with(vault: Vault, key: TableKey, record: HandRecord) -> bytes:
    """Return the published commitment to a hand's seed; raises SeedLostError."""
    name, found = record.deal_name(key), seed(vault, key, record)
    if record.deal is None:
        return commitment(hand_id=name, seed=found)
    return compute_root(name, found, record.deal.leaf.place, record.deal.leaf.path)


def deck(key: TableKey, record: HandRecord, seed: bytes) -> tuple[Card, ...]:
    """Return a hand's deck from its seed. The first card is dealt first."""
    if record.kept_deck == b"":
        raise SeedLostError(f"the deck of {record.deal_name(key)} was lost before its players' entropy was deleted")
    if record.kept_deck is not None:
        return parse_cards(hidden(record.kept_deck, seed=seed).decode())
    entropy = [Entropy(player, text) for player, text in record.stirred_by]
    dealt = record.deal.dealt if record.deal else None
    return deal_deck(record.variant, hand_id=record.deal_name(key), seed=seed, entropy=entropy, dealt=dealt)


def with_stored_deck(vault: Vault, key: TableKey, record: HandRecord) -> HandRecord:
    """Return the record with its deck and entropy stored, so that players' data isn't needed. Raises SeedLostError."""
    found = seed(vault, key, record)
    return replace(
        record,
        kept_deck=hidden(cards_text(deck(key, record, found)).encode(), seed=found),
        kept_entropy=hide_entropy(record.stirred_by, seed=found),
    )


def hide_entropy(entropy: Iterable[tuple[str, str]], *, seed: bytes) -> bytes:
    """Encrypt the players' entropy with the seed."""
    return hidden(json.dumps([*entropy]).encode(), seed=seed, what=_ENTROPY)


def show_entropy(kept: bytes, *, seed: bytes) -> list[Entropy]:
    """Decrypt the result of :func:`hide_entropy`."""
    return [Entropy(player, text) for player, text in json.loads(hidden(kept, seed=seed, what=_ENTROPY))]


def entropy_of(record: HandRecord, seed: bytes) -> list[Entropy]:
    """Return the entropy of a hand's players for its public record, complete while it's retained."""
    if record.kept_entropy is not None:
        return show_entropy(record.kept_entropy, seed=seed)
    return [Entropy(player, text) for player, text in record.stirred_by]


def withheld(entropy: Iterable[Entropy]) -> tuple[int, ...]:
    """Return the seats (from 0) whose entropy was deleted. Without it, the deck can't be recomputed."""
    return tuple(seat for seat, added in enumerate(entropy) if is_pseudonym(Player(added.player)))


@lru_cache(MAX_TREES)
def _tree(secret: bytes, key: TableKey, first: int, epoch: str) -> Tree:
    return build_tree(leaves_of(secret, [hand_id(key, first + place, epoch=epoch) for place in range(HANDS)]))


def _root(table: Table, secret: bytes) -> bytes:
    first = hand_id(table.key, table.tree_from, epoch=table.epoch)
    return root_of(first, _tree(secret, table.key, table.tree_from, table.epoch))
