"""Tests that differ between languages in wording only run in one of them; ``make deep`` runs them in both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar
from zlib import crc32

import pytest

F = TypeVar("F", bound=Callable[..., Any])


def in_turn(argument: str, english: str, japanese: str) -> Callable[[F], F]:
    """Pass one of the values as ``argument``. The test's name decides, so that each gets about half of the tests.

    Don't use it in tests of limits, typed input or sentences, which need every language.
    """

    def mark(test: F) -> F:
        gated = crc32(test.__name__.encode()) % 2
        values = [
            pytest.param(value, marks=() if number == gated else pytest.mark.deep)
            for number, value in enumerate((english, japanese))
        ]
        marked: F = pytest.mark.parametrize(argument, values)(test)
        return marked

    return mark
