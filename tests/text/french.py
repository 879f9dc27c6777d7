"""One more language for tests: a French that a machine makes of the English sentences, and its entry."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from bot.text.catalogue import TEXTS
from bot.text.languages import Language, TypedWords

# The entry. The text between these lines is also written into a copy of the bot.

FRENCH = Language(
    code="machine",
    locales=("fr",),
    documents=".machine",
    zone="Europe/Paris",
    forms=("one", "other"),
    form=lambda number: "one" if abs(number) < 2 else "other",
    ordinal=lambda number: "er" if number == 1 else "e",
    thousands="\u202f",
    decimals=",",
    percent="\u202f%",
    zero="0",
    joint=", ",
    last_joint=" et ",
    space=" ",
    typed=TypedWords(
        units={"j": "days", "jour": "days", "heure": "hours"},
        places={"haut": "F", "milieu": "M", "bas": "B", "défausse": "D"},
        multiples={"mille": 1_000},
        length_ahead=("dans (.+)",),
        hours=((r"(\d)h(?!\d)", r"\1:00"),),
        weekdays=("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
        coming="ce",
        night="du soir",
        fillers="à",
    ),
)

# The end of the entry.

ACCENTS = str.maketrans("aeiouAEIOU", "àéîôùÀÉÎÔÙ")
UNTOUCHED = re.compile(r"(\{\w+\}|`[^`]*`|\]\([^)]*\)|<[^>]*>)")
"""Fields, code, links and comments."""


def in_french(sentence: str) -> str:
    """The sentence with an accent on every vowel, as long as before."""
    parts = UNTOUCHED.split(sentence)
    return "".join(part if number % 2 else part.translate(ACCENTS) for number, part in enumerate(parts))


def write_french(texts: Path) -> None:
    """Write the language's folder next to the English one."""
    (texts / FRENCH.code).mkdir(parents=True)
    for path in (TEXTS / "en").glob("*.toml"):
        sentences = _flat(tomllib.loads(path.read_text(encoding="utf-8")))
        lines = [f"{key} = {json.dumps(in_french(said), ensure_ascii=False)}\n" for key, said in sentences]
        (texts / FRENCH.code / path.name).write_text("".join(lines), encoding="utf-8")


def _flat(table: Mapping[str, object], above: str = "") -> Iterator[tuple[str, str]]:
    """Every sentence with its dotted key."""
    for word, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{above}{word}.")
        else:
            yield above + word, str(value)


def entry_source() -> str:
    """The entry as it is written into the table of languages."""
    _, entry, _ = re.split(r"^# The e.*\n", Path(__file__).read_text(encoding="utf-8"), flags=re.MULTILINE)
    return entry.strip()
