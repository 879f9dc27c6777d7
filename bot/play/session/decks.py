"""The secrets from which decks follow: a tree for a table's next hands, and the seed of each hand out of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache

from bot.model.errors import SeedLostError
from bot.model.hands import Deal, HandRecord, Vault, hand_id, tree_id
from bot.model.ids import Player, TableKey, is_gone
from bot.model.tables import Table
from bot.pure.ofc.cards import Card, cards_text, parse_cards
from bot.pure.ofc.deck import Dealt, Entropy, commitment, deal_deck, hidden
from bot.pure.ofc.deck_tree import HANDS, Tree, climbed, leaves_of, path_of, root_of, seed_of, tree_of
from bot.pure.ofc.proof import Leaf

_ENTROPY = b"entropy"
MOST_TREES = 1024
"""Trees that are kept: each hand of a table is dealt out of the same. One takes forty kilobytes."""


def committed(vault: Vault, table: Table, *, epoch: str, given: Callable[[str], bytes | None]) -> Table:
    """The table with a secret for the decks of its next hands, and the root that fixes them.

    The secret is fresh, unless one is ``given`` for the tree of that name.
    """
    table = replace(table, tree_from=table.hand_no + 1, epoch=epoch, root_message=None)
    name = tree_id(table.key, table.tree_from, epoch=epoch)
    secret = given(hand_id(table.key, table.tree_from, epoch=epoch)) or vault.new_seed()
    return replace(table, commitment=_root(table, secret), sealed_seed=vault.seal(secret, hand_id=name))


def used_up(table: Table, record: HandRecord) -> bool:
    """True when no hand after this one can be dealt from what the table has committed to."""
    lost_secret = record.deal is not None and not record.deal.leaf.path
    return not table.tree_from or lost_secret or record.hand_no == table.tree_from + HANDS - 1


def fixed_by(vault: Vault, table: Table) -> bytes:
    """The commitment that the table's sealed secret gives, to be compared with its own; raises SeedLostError."""
    if table.tree_from:
        name = tree_id(table.key, table.tree_from, epoch=table.epoch)
        return _root(table, vault.unseal(table.sealed_seed, hand_id=name))
    name = hand_id(table.key, table.hand_no + 1)
    return commitment(hand_id=name, seed=vault.unseal(table.sealed_seed, hand_id=name))


def with_seed(vault: Vault, table: Table, record: HandRecord, dealt: Dealt) -> HandRecord:
    """The record of the table's next hand, with its seed out of the table's tree.

    Where the secret is lost it has none: :func:`seed` raises SeedLostError, and the hand is void.
    """
    record = replace(record, commitment=table.commitment, sealed_seed=table.sealed_seed)
    if not table.tree_from:
        return record
    leaf = Leaf(place=record.hand_no - table.tree_from, path=())
    record = replace(record, deal=Deal(epoch=table.epoch, leaf=leaf, dealt=dealt))
    try:
        return opened(vault, table.key, record)
    except SeedLostError:
        return record


def opened(vault: Vault, key: TableKey, record: HandRecord) -> HandRecord:
    """The record with a seed and path of its own, which it lacks while the secret is lost; raises SeedLostError."""
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
    """The seed of a hand; raises SeedLostError."""
    return vault.unseal(opened(vault, key, record).sealed_seed, hand_id=record.id_at(key))


def committed_with(vault: Vault, key: TableKey, record: HandRecord) -> bytes:
    """The commitment published for the seed of a hand; raises SeedLostError."""
    name, found = record.deal_name(key), seed(vault, key, record)
    if record.deal is None:
        return commitment(hand_id=name, seed=found)
    return climbed(name, found, record.deal.leaf.place, record.deal.leaf.path)


def deck(key: TableKey, record: HandRecord, seed: bytes) -> tuple[Card, ...]:
    """The deck of a hand that the seed gives; the first card is dealt first."""
    if record.kept_deck == b"":
        raise SeedLostError(f"the deck of {record.deal_name(key)} was lost before its players' entropy was deleted")
    if record.kept_deck is not None:
        return parse_cards(hidden(record.kept_deck, seed=seed).decode())
    entropy = [Entropy(player, text) for player, text in record.stirred_by]
    dealt = record.deal.dealt if record.deal else None
    return deal_deck(record.variant, hand_id=record.deal_name(key), seed=seed, entropy=entropy, dealt=dealt)


def keeping(vault: Vault, key: TableKey, record: HandRecord) -> HandRecord:
    """The record with its deck and its entropy, so that it needs nobody's any more; raises SeedLostError."""
    found = seed(vault, key, record)
    return replace(
        record,
        kept_deck=hidden(cards_text(deck(key, record, found)).encode(), seed=found),
        kept_entropy=hide_entropy(record.stirred_by, seed=found),
    )


def hide_entropy(entropy: Iterable[tuple[str, str]], *, seed: bytes) -> bytes:
    """The players' additions to the shuffle, as only the seed shows them."""
    return hidden(json.dumps([*entropy]).encode(), seed=seed, what=_ENTROPY)


def show_entropy(kept: bytes, *, seed: bytes) -> list[Entropy]:
    """The entropy that :func:`hide_entropy` has hidden."""
    return [Entropy(player, text) for player, text in json.loads(hidden(kept, seed=seed, what=_ENTROPY))]


def entropy_of(record: HandRecord, seed: bytes) -> list[Entropy]:
    """The entropy of a hand's players, for its public record: whole for as long as that stays so."""
    if record.kept_entropy is not None:
        return show_entropy(record.kept_entropy, seed=seed)
    return [Entropy(player, text) for player, text in record.stirred_by]


def withheld(entropy: Iterable[Entropy]) -> tuple[int, ...]:
    """The seats, counted from 0, whose entropy was deleted: without it nobody can make the deck again."""
    return tuple(seat for seat, added in enumerate(entropy) if is_gone(Player(added.player)))


@lru_cache(MOST_TREES)
def _tree(secret: bytes, key: TableKey, first: int, epoch: str) -> Tree:
    return tree_of(leaves_of(secret, [hand_id(key, first + place, epoch=epoch) for place in range(HANDS)]))


def _root(table: Table, secret: bytes) -> bytes:
    first = hand_id(table.key, table.tree_from, epoch=table.epoch)
    return root_of(first, _tree(secret, table.key, table.tree_from, table.epoch))
