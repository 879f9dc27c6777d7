"""Finding acts by typed text in any language: exact names first, then beginnings, parts, and everyday words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from bot.chat.kit.acts.act import EVERYTHING, T, TypedAct
from bot.chat.kit.suggestions import MAX_SUGGESTION_LENGTH, MAX_SUGGESTIONS
from bot.chat.kit.typed_choice import NamedChoice, normalise
from bot.text.languages import LANGUAGES
from bot.text.words import Words, words_for

MAX_LABEL_LENGTH = 80
"""Maximum length of a button's label."""
MAX_INITIAL_SUGGESTIONS = 12
"""Maximum number of suggestions before anything is typed."""
BY_PARTS_OF_NAMES = 3
"""Number of leading groups of :func:`_group_by_fit` that match a name, an everyday word or part of a name."""
BETWEEN = re.compile(r" · |, |、")
"""The separators between an act's name and its target's, as in :meth:`bot.text.words.Words.facts`."""
_ENDING = re.compile(r"(?<=[\u4e00-\u9fff])[\u3041-\u3096]+$")
"""The inflected ending of a Japanese word, as in 取り消し, 取り消す and 取り消したい."""
X = TypeVar("X")


@dataclass(frozen=True, slots=True, kw_only=True)
class PossibleAct(Generic[T]):
    """An act that is possible now, with its target."""

    act: TypedAct[T]
    target: T
    label: str
    """The act's name in the player's language, with the target's name if there are several."""
    short_label: str
    """The name, shortened for a button's label."""
    typed: str
    """The text that stands for the act when it's typed. In contrast to the label, it stays as it is over time."""
    bare: str
    """The act's name without the target."""
    detail: str = ""
    """A detail to distinguish the target from others of the same name."""
    place: int
    """The act's position in its table."""

    @property
    def spellings(self) -> Iterator[str]:
        """Every name of the act, on its own and with the target's name, number and detail."""
        return self._about((self.bare, *act_names(self.act)))

    @property
    def everyday(self) -> Iterator[str]:
        """The everyday words that find the act, on their own and with the target's name, number and detail."""
        return self._about(everyday_words(self.act))

    def _about(self, names: Iterable[str]) -> Iterator[str]:
        for name in names:
            yield name
            if self.target.name:
                yield name + self.target.name
                yield f"{name}{self.target.number}"
                yield f"{name}{self.target.name}{self.target.number}"
                yield f"{name}{self.detail}"


def act_names(act: TypedAct[T]) -> Iterator[str]:
    """Yield the names of an act in every language."""
    yield from (words_for(code)(act.name) for code in LANGUAGES)


def everyday_words(act: TypedAct[T]) -> Iterator[str]:
    """Yield an act's synonyms in every language, and the names of old commands."""
    yield from act.others
    if act.also:
        for code in LANGUAGES:
            yield from words_for(code)(act.also).split("/")


def other_names(act: TypedAct[T]) -> Iterator[str]:
    """Yield every name and synonym of an act."""
    yield from act_names(act)
    yield from everyday_words(act)


def possible_acts(acts: Sequence[TypedAct[T]], targets: Sequence[T], words: Words) -> list[PossibleAct[T]]:
    """Return the acts that are possible now, by target. Labels leave out the name of the channel's own target.

    A detail, such as the date, or the number distinguishes targets of the same name.
    """
    found = [(place, act, target) for target in targets for place, act in enumerate(acts) if act.when(target)]
    several = Counter(act.key for _, act, _ in found)
    near = Counter(act.key for _, act, target in found if target.here)
    namesakes = Counter((act.key, target.name) for _, act, target in found)
    details = {id(target): target.detail(words) for target in targets}
    alike = Counter((act.key, target.name, details[id(target)]) for _, act, target in found)
    offers = list[PossibleAct[T]]()
    for place, act, target in found:
        bare, twins = words(act.name), bool(target.name) and namesakes[act.key, target.name] > 1
        named = twins or (several[act.key] > 1 and not (target.here and near[act.key] == 1))
        name, number = target.name if named else "", str(target.number) if twins else ""
        detail = details[id(target)] if twins else ""
        told = detail if detail and alike[act.key, target.name, detail] == 1 else words.facts([detail, number])
        offers.append(
            PossibleAct(
                act=act,
                target=target,
                label=_fitted(bare, name, told, words, most=MAX_SUGGESTION_LENGTH),
                short_label=_fitted(bare, name, told, words, most=MAX_LABEL_LENGTH),
                typed=_fitted(bare, name, number, words, most=MAX_SUGGESTION_LENGTH),
                bare=bare,
                detail=details[id(target)],
                place=place,
            )
        )
    return offers


def _fitted(bare: str, name: str, told: str, words: Words, *, most: int) -> str:
    """Return an act with its target in up to ``most`` characters. The target's name is shortened first."""
    room = most - len(words.facts([bare, told])) - len(words.dot)
    return words.facts([bare, name[: max(0, room)].strip(), told])[:most].strip()


def likely(offers: Sequence[PossibleAct[T]], *, most: int = MAX_INITIAL_SUGGESTIONS) -> list[PossibleAct[T]]:
    """Return up to ``most`` suggestions for an empty input, likely ones first.

    Acts in this channel come before acts elsewhere, which keep the table's order. *What can I do* comes last. Acts with
    ``kept`` are always included.
    """
    offers = [one for one in offers if one.act.listed(one.target)]
    ranked = sorted(
        (one for one in offers if one.act.key != EVERYTHING),
        key=lambda one: (not one.act.likely(one.target), not one.target.here, one.place, one.target.rank),
    )
    last = [one for one in offers if one.act.key == EVERYTHING]
    kept = sum(one.act.kept for one in ranked)
    room = max(0, most - len(last) - kept)
    others = [one for one in ranked if not one.act.kept][:room]
    shown = {id(one) for one in others}
    return [*(one for one in ranked if one.act.kept or id(one) in shown), *last][:most]


def suggest_acts(typed: str, offers: Sequence[PossibleAct[T]], *, most: int = MAX_SUGGESTIONS) -> list[PossibleAct[T]]:
    """Return up to ``most`` acts that match ``typed``, exact names first, or the likely ones if it's empty."""
    if not normalise(typed):
        return likely(offers)
    offers = [one for one in offers if one.act.listed(one.target)]
    found = _group_by_fit(typed, offers, _spelt, _everyday)
    if not any(found) and (stem := _ENDING.sub("", typed.strip())) != typed.strip():
        found = _group_by_fit(stem, offers, _spelt, _everyday)
    return [one for group in found for one in group][:most]


def matching_acts(typed: str, offers: Sequence[PossibleAct[T]]) -> list[PossibleAct[T]]:
    """Return the act that was typed, or all candidates if it's ambiguous; empty if nothing matches.

    Everyday words must be typed in full, because a part may be another word, such as *register* in *unregister*.
    """
    if not normalise(typed):
        return []
    if chosen := [one for one in offers if typed.strip() in (one.label, one.short_label, one.typed)]:
        return chosen[:1]
    groups = _group_by_fit(typed, offers, _spelt, _everyday)[:BY_PARTS_OF_NAMES]
    best = next(filter(None, groups), [])
    nearest = [one for one in best if one.target.rank == min(each.target.rank for each in best)]
    if len({one.act.key for one in best}) != 1:
        return best
    preferred = [one for one in nearest if one.act.prefers(one.target)]
    here = [one for one in preferred or nearest if one.target.here]
    return next((found for found in (preferred, nearest, here) if len(found) == 1), best)


def is_exact(typed: str, offer: PossibleAct[T]) -> bool:
    """True if ``typed`` is one of the offer's full names."""
    return normalise(typed) in map(normalise, (*_spelt(offer), *_everyday(offer)))


def is_named(typed: str, act: TypedAct[T]) -> bool:
    """True if ``typed`` is the full name of ``act``, without a target."""
    return normalise(typed) in map(normalise, other_names(act))


def named_at(typed: str, acts: Sequence[TypedAct[T]], targets: Sequence[T]) -> tuple[TypedAct[T], Sequence[T]] | None:
    """Return the typed act and its potential targets; None if it's ambiguous.

    This includes acts that aren't possible now.
    """
    wanted = normalise(typed)
    for act in acts:
        names = [*map(normalise, other_names(act))]
        for target in targets:
            about = normalise(target.name), str(target.number), normalise(f"{target.name}{target.number}")
            if target.name and any(wanted == f"{name}{rest}" for name in names for rest in about):
                return act, [target]
    alone = named_alone(typed, acts)
    return None if alone is None else (alone, targets)


def named_alone(typed: str, acts: Sequence[TypedAct[T]]) -> TypedAct[T] | None:
    """Return the typed act, even if it isn't possible now; None if it's ambiguous."""
    if not normalise(typed):
        return None
    alone = normalise(BETWEEN.split(typed.strip())[0])
    exact = [act for act in acts if alone in map(normalise, other_names(act))]
    if exact:
        return exact[0]
    best = next(filter(None, _group_by_fit(typed, acts, act_names, everyday_words)[:BY_PARTS_OF_NAMES]), [])
    return best[0] if len(best) == 1 else None


def in_order(typed: str, named: Sequence[NamedChoice[X]]) -> list[NamedChoice[X]]:
    """Return the entries that match ``typed``, exact names first, or all of them if it's empty."""
    if not normalise(typed):
        return [*named]
    return [one for group in _group_by_fit(typed, named, lambda one: (one.name, *one.others)) for one in group]


def best_fit(typed: str, named: Sequence[NamedChoice[X]]) -> list[NamedChoice[X]]:
    """Return the best matches: by full name if there are any, then by its beginning, then by any part."""
    return next(filter(None, _group_by_fit(typed, named, lambda one: (one.name, *one.others))), [])


def _spelt(offer: PossibleAct[T]) -> Iterable[str]:
    return offer.label, offer.typed, *offer.spellings


def _everyday(offer: PossibleAct[T]) -> Iterable[str]:
    return offer.everyday


def _group_by_fit(
    typed: str,
    things: Iterable[X],
    spelt: Callable[[X], Iterable[str]],
    everyday: Callable[[X], Iterable[str]] = lambda one: (),
) -> Sequence[list[X]]:
    """Group the things that match ``typed``, by any of their names or by everyday words, best matches first."""
    wanted = normalise(typed)
    groups: Sequence[list[X]] = [], [], [], [], []
    for one in things:
        names, words = ([*map(normalise, found(one))] for found in (spelt, everyday))
        fits = (
            wanted in names or wanted in words,
            any(name.startswith(wanted) for name in names),
            any(wanted in name for name in names),
            any(word.startswith(wanted) for word in words),
            any(wanted in word for word in words),
        )
        if any(fits):
            groups[fits.index(True)].append(one)
    return groups
