"""Acts by what was typed: exact names first, then beginnings, then parts, in every language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from bot.chat.kit.acts.act import EVERYTHING, T, TypedAct
from bot.chat.kit.typed_choice import Named, folded
from bot.text.languages import LANGUAGES
from bot.text.words import Words, words_for

MOST_SUGGESTED = 25
"""Suggestions that Discord takes."""
MOST_LIKELY = 12
"""Suggestions before anything is typed."""
LONGEST_SUGGESTION = 100
BETWEEN = re.compile(r" · |, |、")
"""What stands between an act's name and its target's, as :meth:`bot.text.words.Words.facts` has it."""
X = TypeVar("X")


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer(Generic[T]):
    """An act that is possible now, and what it would be about."""

    act: TypedAct[T]
    target: T
    label: str
    """The act's name as its reader sees it, with the target's name if several can be meant."""
    bare: str
    """The act's name alone."""
    place: int
    """The act's place in its table."""

    @property
    def spellings(self) -> Iterator[str]:
        """What it's called, alone, with its target's name and with its number."""
        for name in (self.bare, *other_names(self.act)):
            yield name
            if self.target.name:
                yield name + self.target.name
                yield f"{name}{self.target.number}"


def other_names(act: TypedAct[T]) -> Iterator[str]:
    """Return the names of an act in every language, and those of old commands."""
    yield from (words_for(code)(act.name) for code in LANGUAGES)
    yield from act.others


def offered(acts: Sequence[TypedAct[T]], targets: Sequence[T], words: Words) -> list[Offer[T]]:
    """Return the acts that are possible now, by target. Those about the channel's target go by their name alone."""
    found = [(place, act, target) for target in targets for place, act in enumerate(acts) if act.when(target)]
    several = Counter(act.key for _, act, _ in found)
    near = Counter(act.key for _, act, target in found if target.here)
    offers, seen = list[Offer[T]](), Counter[str]()
    for place, act, target in found:
        bare = words(act.name)
        named = several[act.key] > 1 and not (target.here and near[act.key] == 1)
        label = words.facts([bare, target.name]) if named and target.name else bare
        seen[label] += 1
        if seen[label] > 1:
            label = words.facts([label, str(target.number)])
        offers.append(Offer(act=act, target=target, label=label[:LONGEST_SUGGESTION].strip(), bare=bare, place=place))
    return offers


def likely(offers: Sequence[Offer[T]], *, most: int = MOST_LIKELY) -> list[Offer[T]]:
    """Return those that are suggested before anything is typed, the likely ones first.

    What can be done in the channel goes before acts elsewhere, which are in the order of the table. *What can I do* is
    the last one.
    """
    ranked = sorted(
        (one for one in offers if one.act.key != EVERYTHING),
        key=lambda one: (not one.act.likely(one.target), not one.target.here, one.place, one.target.rank),
    )
    last = [one for one in offers if one.act.key == EVERYTHING]
    return [*ranked[: most - len(last)], *last]


def suggested(typed: str, offers: Sequence[Offer[T]]) -> list[Offer[T]]:
    """Return all that match what was typed, exact names first; without letters, the likely ones."""
    if not folded(typed):
        return likely(offers)
    return [one for group in _by_fit(typed, offers, _spelt) for one in group][:MOST_SUGGESTED]


def meant(typed: str, offers: Sequence[Offer[T]]) -> list[Offer[T]]:
    """Return the act that was typed, or those between which it can't be decided; none if nothing matches."""
    if not folded(typed):
        return []
    if chosen := [one for one in offers if one.label == typed.strip()]:
        return chosen[:1]
    groups = _by_fit(typed, offers, _spelt)
    best = next(filter(None, groups), [])
    nearest = [one for one in best if one.target.rank == min(each.target.rank for each in best)]
    if len({one.act.key for one in best}) != 1:
        return best
    preferred = [one for one in nearest if one.act.prefers(one.target)]
    here = [one for one in preferred or nearest if one.target.here]
    return next((found for found in (preferred, nearest, here) if len(found) == 1), best)


def is_exact(typed: str, offer: Offer[T]) -> bool:
    """True if an offer's whole name was typed."""
    return folded(typed) in map(folded, _spelt(offer))


def is_named(typed: str, act: TypedAct[T]) -> bool:
    """True if the whole name of an act was typed, alone."""
    return folded(typed) in map(folded, other_names(act))


def named_at(typed: str, acts: Sequence[TypedAct[T]], targets: Sequence[T]) -> tuple[TypedAct[T], Sequence[T]] | None:
    """Return the act that was typed among all that exist, and the targets that it may be about.

    It may be impossible. None if it isn't plain.
    """
    wanted = folded(typed)
    for act in acts:
        names = [*map(folded, other_names(act))]
        for target in targets:
            if any(wanted in (name + folded(target.name), f"{name}{target.number}") for name in names if target.name):
                return act, [target]
    alone = named_alone(typed, acts)
    return None if alone is None else (alone, targets)


def named_alone(typed: str, acts: Sequence[TypedAct[T]]) -> TypedAct[T] | None:
    """Return the act that was typed among all that exist, whether it's possible or not; None if it isn't plain."""
    if not folded(typed):
        return None
    alone = folded(BETWEEN.split(typed.strip())[0])
    exact = [act for act in acts if alone in map(folded, other_names(act))]
    best = exact or next(filter(None, _by_fit(typed, acts, other_names)), [])
    return best[0] if len(best) == 1 else None


def in_order(typed: str, named: Sequence[Named[X]]) -> list[Named[X]]:
    """Return the named things that match, exact names first; all of them without letters."""
    if not folded(typed):
        return [*named]
    return [one for group in _by_fit(typed, named, lambda one: (one.name, *one.others)) for one in group]


def best_fit(typed: str, named: Sequence[Named[X]]) -> list[Named[X]]:
    """Return those that match best: by their whole name, else by its beginning, else by any part."""
    return next(filter(None, _by_fit(typed, named, lambda one: (one.name, *one.others))), [])


def _spelt(offer: Offer[T]) -> Iterable[str]:
    return offer.label, *offer.spellings


def _by_fit(typed: str, things: Iterable[X], spelt: Callable[[X], Iterable[str]]) -> tuple[list[X], list[X], list[X]]:
    wanted = folded(typed)
    groups: tuple[list[X], list[X], list[X]] = [], [], []
    for one in things:
        names = [folded(name) for name in spelt(one)]
        if wanted in names:
            groups[0].append(one)
        elif any(name.startswith(wanted) for name in names):
            groups[1].append(one)
        elif any(wanted in name for name in names):
            groups[2].append(one)
    return groups
