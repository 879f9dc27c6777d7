"""Names of computer players and of players whose data has been deleted."""

from __future__ import annotations

from bot.text.words import Words


def deleted_name(pseudonym: str, words: Words) -> str:
    """Return the name of a player whose data has been deleted. Its code distinguishes several such players."""
    return words("name.gone", code=pseudonym[-4:])


def computer_name(computer: str, words: Words) -> str:
    """Return the name of a computer player, with the computer symbol and the level."""
    return words(f"name.{computer.replace('-', '_')}")
