"""The game that a command is about: ``--variant`` and ``--house``."""

from __future__ import annotations

import argparse

from bot.cli.printing import InputError
from bot.ofc.house_rules import house_variant
from bot.ofc.presets import PRESETS
from bot.ofc.variants import Variant, VariantError
from bot.text.languages import ENGLISH
from bot.text.words import words_for


def add_house(command: argparse.ArgumentParser) -> None:
    rule = "a house rule, such as jokers=2; may be repeated"
    command.add_argument("--house", action="append", default=[], metavar="KEY=VALUE", help=rule)


def games() -> str:
    return " or ".join(PRESETS)


def variant_of(args: argparse.Namespace) -> Variant:
    """The game that ``--variant`` and ``--house`` make; raises InputError."""
    overrides: dict[str, str] = {}
    for text in args.house:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not equals:
            raise InputError(f"{text!r} is not a house rule: write KEY=VALUE, such as jokers=2")
        if key in overrides:
            raise InputError(f"{key!r} is set twice: write every house rule once")
        overrides[key] = value
    try:
        return house_variant(args.variant, overrides)
    except VariantError as error:
        raise InputError(_problem(error)) from error


def _problem(error: VariantError) -> str:
    """Why a game cannot be played, in the words that players read too."""
    words = words_for(ENGLISH.code)
    details = {
        name: words.number(value) if isinstance(value, int) else "".join(filter(str.isprintable, value))
        for name, value in error.details.items()
    }
    where = f"{error.override}: " if error.override else ""
    return where + words(f"house.problem.{error.problem}", **details)
