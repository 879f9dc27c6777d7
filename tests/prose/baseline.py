"""The stored rates of markers, in ``baseline.json``: what the texts of the project may not exceed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from bot.base.installation import HOME
from tests.prose.markers import Tally, tally
from tests.prose.texts import texts_of

BASELINE = Path(__file__).with_name("baseline.json")


def measured(root: Path = HOME) -> Mapping[str, Tally]:
    """Return the tallies of a checkout, by kind of text."""
    return {kind: tally(kind, texts) for kind, texts in texts_of(root).items()}


def read() -> Mapping[str, Tally]:
    """Return the stored tallies."""
    stored = json.loads(BASELINE.read_text(encoding="utf-8"))
    return {kind: Tally(words=one["words"], hits=one["hits"]) for kind, one in stored.items()}


def write(tallies: Mapping[str, Tally]) -> None:
    """Store the tallies."""
    stored = {kind: {"words": one.words, "hits": dict(sorted(one.hits.items()))} for kind, one in tallies.items()}
    BASELINE.write_text(json.dumps(stored, indent=2) + "\n", encoding="utf-8", newline="\n")
