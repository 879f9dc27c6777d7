"""Lists of suggestions for an option, with a row for those that Discord doesn't show."""

from __future__ import annotations

from collections.abc import Sequence

from discord import app_commands

from bot.text.words import Words

MAX_SUGGESTIONS = 25
"""Maximum number of suggestions that Discord accepts."""
MAX_SUGGESTION_LENGTH = 100


def shortened(
    choices: Sequence[app_commands.Choice[str]], typed: str, words: Words, *, free: bool = False
) -> list[app_commands.Choice[str]]:
    """Return as many suggestions as Discord shows. If there are more, the last row says so and keeps the typed text.

    Without a typed text, choosing the row is refused with a list of the names. Options with ``free`` text would accept
    it, so they get no row then.
    """
    if len(choices) <= MAX_SUGGESTIONS:
        return [*choices]
    if free and not typed.strip():
        return [*choices[:MAX_SUGGESTIONS]]
    shown = [*choices[: MAX_SUGGESTIONS - 1]]
    row = words("acts.everything.more", count=len(choices) - len(shown))[:MAX_SUGGESTION_LENGTH]
    return [*shown, app_commands.Choice(name=row, value=typed.strip()[:MAX_SUGGESTION_LENGTH] or row)]
