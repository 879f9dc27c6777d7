"""Every sentence is asked for with the fields that it takes, in every language: the code is read, not run.

A refusal is raised far from the sentence that tells it, and only some presses come that way.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path

import pytest

from bot.model.clock import Pace
from bot.model.reasons import PlayReason
from bot.play.table.lobby import time_limits
from bot.pure.ofc.refusals import Reason
from bot.text.languages import LANGUAGES
from bot.text.words import words_for

ROOT = Path(__file__).resolve().parent.parent.parent

RAISED = {
    "Refused": "refused.",
    "StructureError": "structure.problem.",
    "VariantError": "house.problem.",
    "TypedCardsError": "typed.slip.",
}
"""Exceptions with a sentence, and the keys of their sentences."""
KINDS: tuple[type[Enum], ...] = (Reason, *PlayReason.__subclasses__())
REASONS = {kind.__name__: kind for kind in KINDS}
VARIABLES = {
    ("bot/play/table/lobby.py", "reason"): ["too_many_lobbies", "channel_waits", "channel_full", "server_full"],
    ("bot/play/daily/hands.py", "closed"): ["day_over", "day_dealt_anew"],
    ("bot/chat/club/screens/daily_screen.py", "view.closed"): ["day_over", "day_dealt_anew"],
    ("cogs/club/daily.py", "view.closed"): ["day_over", "day_dealt_anew"],
}
"""Reasons that a variable can hold, by file and variable."""
SPREAD = {"time_limits": frozenset(time_limits(Pace.LIVE))}
"""Fields that a function gives."""
ANY = frozenset({"*"})
"""Fields that cannot be read here."""


@dataclass(frozen=True)
class Asked:
    """One place where a sentence is asked for."""

    where: str
    keys: tuple[str, ...]
    fields: frozenset[str]


def faults(asked: Asked, language: str) -> list[str]:
    entries = words_for(language).entries
    found = []
    for key in asked.keys:
        if key not in entries:
            found.append(f"{asked.where}: {language} has no {key}")
        elif asked.fields != ANY and asked.fields != entries[key].fields:
            found.append(f"{asked.where}: {key} takes {sorted(entries[key].fields)}, gets {sorted(asked.fields)}")
    return found


@cache
def read() -> tuple[list[Asked], list[Asked]]:
    """The refusals, and the sentences that are asked for by their keys."""
    refusals, sentences = [], []
    for path in sorted([*(ROOT / "bot").rglob("*.py"), *(ROOT / "cogs").rglob("*.py")]):
        name = path.relative_to(ROOT).as_posix()
        for call in _calls(path):
            called = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
            if called in RAISED and call.args:
                refusals.append(_asked(name, call, RAISED[called]))
            elif called == "words" and call.args and (keys := _literal(call.args[0])):
                sentences.append(Asked(f"{name}:{call.lineno}", keys, _fields(name, call, spread=ANY)))
    return refusals, sentences


def _calls(path: Path) -> Iterator[ast.Call]:
    return (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call))


def _asked(name: str, call: ast.Call, prefix: str) -> Asked:
    reasons = _reasons(name, call.args[0])
    return Asked(f"{name}:{call.lineno}", tuple(prefix + reason for reason in reasons), _fields(name, call))


def _reasons(name: str, given: ast.expr) -> list[str]:
    match given:
        case ast.Constant(value=str(key)):
            return [key]
        case ast.Attribute(value=ast.Name(id=reasons), attr=member) if reasons in REASONS:
            return [str(REASONS[reasons][member].value)]
        case ast.IfExp(body=first, orelse=second):
            return [*_reasons(name, first), *_reasons(name, second)]
        case _ if (name, ast.unparse(given)) in VARIABLES:
            return VARIABLES[name, ast.unparse(given)]
    raise AssertionError(f"{name}: a reason that this test can't read: {ast.unparse(given)}")


def _literal(given: ast.expr) -> tuple[str, ...]:
    match given:
        case ast.Constant(value=str(key)):
            return (key,)
        case ast.IfExp(body=first, orelse=second):
            found = _literal(first), _literal(second)
            return (*found[0], *found[1]) if all(found) else ()
    return ()


def _fields(name: str, call: ast.Call, *, spread: frozenset[str] | None = None) -> frozenset[str]:
    fields = set[str]()
    for keyword in call.keywords:
        if keyword.arg is not None:
            fields.add(keyword.arg)
        elif isinstance(keyword.value, ast.Call) and getattr(keyword.value.func, "id", "") in SPREAD:
            fields |= SPREAD[getattr(keyword.value.func, "id", "")]
        elif spread is not None:
            return spread
        else:
            raise AssertionError(f"{name}:{call.lineno}: fields that this test can't read: {ast.unparse(call)}")
    return frozenset(fields)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_has_the_fields_that_its_sentence_takes(language: str) -> None:
    refusals, _ = read()
    seen = {key for asked in refusals for key in asked.keys}
    assert len(refusals) > 300
    assert {"refused.not_host", "refused.bad_time", "refused.channel_full", "structure.problem.handicap_series"} <= seen
    assert {"house.problem.no_such_game", "typed.slip.no_room"} <= seen
    assert [fault for asked in refusals for fault in faults(asked, language)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_asked_for_with_the_fields_that_it_takes(language: str) -> None:
    _, sentences = read()
    assert len(sentences) > 1_000
    assert {"gate.incident", "terms.changed", "event.button.register"} <= {k for asked in sentences for k in asked.keys}
    assert [fault for asked in sentences for fault in faults(asked, language)] == []


def test_a_refusal_without_its_field_is_found() -> None:
    call = ast.parse("Refused(TableReason.NOT_HOST)", mode="eval").body
    assert isinstance(call, ast.Call)
    assert faults(_asked("cogs/table/seats.py", call, "refused."), "en") == [
        "cogs/table/seats.py:1: refused.not_host takes ['player'], gets []"
    ]
