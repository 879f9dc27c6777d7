"""Names of computer players and of players whose data were deleted."""

from __future__ import annotations

from bot.text.words import Words


def gone_name(pseudonym: str, words: Words) -> str:
    """The name of somebody whose data were deleted, so that two of them can be told apart."""
    return words("name.gone", code=pseudonym[-4:])


def computer_name(computer: str, words: Words) -> str:
    """The name of a computer player, with the mark of one and its level."""
    return words(f"name.{computer.replace('-', '_')}")
