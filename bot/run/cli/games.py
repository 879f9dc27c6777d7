"""The commands that list the games and print their rules, and the options for selecting a game."""

from __future__ import annotations

import argparse
from itertools import groupby
from typing import Any

from bot.base.command_help import HelpFormatter, examples
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.overrides import OVERRIDES, POINTS_OF_HANDS
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.variants import Fantasyland, Variant, VariantError, entry_name
from bot.run.cli.records import RIGHT, Commands, InputError, as_json, print_line, refuse
from bot.text.games import preset_name
from bot.text.languages import ENGLISH, LANGUAGES
from bot.text.rulebook.book import rulebook
from bot.text.words import words_for

# options for selecting a game: ``--variant`` and ``--house``


def add_house(command: argparse.ArgumentParser) -> None:
    rule = "house rule, such as jokers=2; repeat the option for more (`rules --help` lists the keys)"
    command.add_argument("--house", action="append", default=[], metavar="KEY=VALUE", help=rule)


GAME = "the game (`games` lists them)"
"""Help for an argument that selects a game."""


def _keys() -> str:
    """Return the keys of house rules as text, with an example of each kind of points."""
    plain = [key for key in OVERRIDES if not key.startswith(POINTS_OF_HANDS)]
    return (
        f"Keys for --house: {', '.join(plain)}. Points of single hands also have keys, such as royalty.front.QQ, "
        "royalty.back.flush, row.middle.pair and natural.six_pairs."
    )


def parse_variant(args: argparse.Namespace) -> Variant:
    """Return the game selected by ``--variant`` and ``--house``; raises InputError."""
    overrides: dict[str, str] = {}
    for text in args.house:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not equals:
            raise InputError(f"{text!r} is not a house rule. Use KEY=VALUE, such as jokers=2")
        if key in overrides:
            raise InputError(f"{key!r} is set twice. Set each house rule once")
        overrides[key] = value
    try:
        return house_variant(args.variant, overrides)
    except VariantError as error:
        raise InputError(_problem(error)) from error


def _problem(error: VariantError) -> str:
    """Return why a game can't be played, in the words that players read."""
    words = words_for(ENGLISH.code)
    details = {
        name: words.number(value) if isinstance(value, int) else "".join(filter(str.isprintable, value))
        for name, value in error.details.items()
    }
    where = f"{error.override}: " if error.override else ""
    return where + words(f"house.problem.{error.problem}", **details)


SPOKEN = " or ".join(LANGUAGES)


def add_commands(subparsers: Commands) -> None:
    """Add the commands to the parser, with the chosen command's function as ``args.run``."""
    listed = subparsers.add_parser(
        "games",
        help="list the games",
        description="List the games with their players, cards, streets and Fantasyland.",
        epilog=examples("", "--json"),
        formatter_class=HelpFormatter,
    )
    listed.add_argument("--json", action="store_true", help="print the games as JSON")
    listed.set_defaults(run=main_games)
    rules = subparsers.add_parser(
        "rules",
        help="print the rules of a game",
        description=f"Print the rules of a game, with house rules if you like.\n\n{_keys()}",
        epilog=examples("classic --lang ja", "pineapple --house fantasyland.entry=KK"),
        formatter_class=HelpFormatter,
    )
    rules.add_argument("variant", metavar="GAME", help=GAME)
    rules.add_argument("--lang", default=ENGLISH.code, help=f"the language: {SPOKEN}")
    add_house(rules)
    rules.set_defaults(run=main_rules)


def main_games(args: argparse.Namespace) -> int:
    """List the games that can be played."""
    print_line(as_json([_game_record(variant) for variant in PRESETS.values()]) if args.json else _table())
    return RIGHT


def _game_record(variant: Variant) -> dict[str, Any]:
    return {
        "variant": variant.key,
        "name": preset_name(variant, words_for(ENGLISH.code)),
        "seats": {"min": variant.min_seats, "max": variant.max_seats},
        "deck": {"decks": variant.decks, "jokers": variant.jokers, "cards": variant.deck_cards},
        "streets": [{"deal": street.deal, "lay": street.to_place} for street in variant.streets],
        "fantasyland": _fantasyland_record(variant.fantasyland) if variant.fantasyland else None,
    }


def _fantasyland_record(rule: Fantasyland) -> dict[str, Any]:
    """Return the cards for each way of entering Fantasyland, and for staying; None if the number doesn't change."""
    entry = {entry_name(rank): cards for rank, cards in rule.entry.items()}
    if rule.wheel_cards:
        entry |= {"7-5-4-3-2": rule.wheel_cards, "both": rule.both_cards or rule.wheel_cards}
    return {"entry": entry, "stay_cards": rule.stay_cards}


def _table() -> str:
    rows = [("game", "players", "cards", "streets", "Fantasyland", "name"), *map(_game_row, PRESETS.values())]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(f"{text:<{width}}" for text, width in zip(row, widths, strict=True)) for row in rows]
    return "\n".join(line.rstrip() for line in lines)


def _game_row(variant: Variant) -> tuple[str, ...]:
    runs = [(street, len(list(run))) for street, run in groupby(street.deal for street in variant.streets)]
    numbers = variant.fantasyland.numbers if variant.fantasyland else ()
    return (
        variant.key,
        _span(variant.min_seats, variant.max_seats),
        str(variant.deck_cards),
        " + ".join(f"{times} x {deal}" if times > 1 else str(deal) for deal, times in runs),
        _span(numbers[0], numbers[-1]) if numbers else "-",
        preset_name(variant, words_for(ENGLISH.code)),
    )


def _span(least: int, most: int) -> str:
    return str(least) if least == most else f"{least}-{most}"


def main_rules(args: argparse.Namespace) -> int:
    """Print the rules of a game."""
    if args.lang not in LANGUAGES:
        return refuse(f"{args.lang!r} is not an available language. Choose {SPOKEN}")
    try:
        variant = parse_variant(args)
    except InputError as error:
        return refuse(str(error))
    print_line(rulebook(variant, words_for(args.lang)).rstrip())
    return RIGHT
