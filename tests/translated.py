"""Parameters for tests of documents: errors in English fail, and errors in a translation warn."""

from __future__ import annotations

from typing import Any

import pytest

from bot.text.languages import ENGLISH, LANGUAGES


def translated(*parameters: object) -> list[Any]:
    """Mark parameters of translations as ``prose``: those that name another language, or a document in one."""
    ends = tuple(f"{language.documents}.md" for language in LANGUAGES.values() if language.documents)
    others = {code for code in LANGUAGES if code != ENGLISH.code}
    marked = []
    for parameter in parameters:
        values = parameter if isinstance(parameter, tuple) else (parameter,)
        is_translation = any(value in others or str(value).endswith(ends) for value in values)
        marked.append(pytest.param(*values, marks=[pytest.mark.prose] if is_translation else []))
    return marked
