"""``/ofc``, the command that groups most others, so that typing it in a server lists the bot's features."""

from __future__ import annotations

from typing import Any

from discord import app_commands

from bot.chat.kit.command_words import description_for

NAME = "ofc"
OFC: dict[Any, Any] = {"group": NAME}
"""``extras`` of a command, in any cog, that becomes a subcommand of ``/ofc``."""


def stands_in_ofc(command: app_commands.Command[Any, ..., Any]) -> bool:
    """True for a command that was declared with ``OFC``."""
    return command.extras.get("group") == NAME


def gather(tree: app_commands.CommandTree[Any]) -> None:
    """Move the commands declared with ``OFC`` into ``/ofc``, which works wherever any of them works."""
    group = app_commands.Group(
        name=NAME,
        description=description_for(NAME),
        allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True),
    )
    for command in tree.get_commands():
        if isinstance(command, app_commands.Command) and stands_in_ofc(command):
            tree.remove_command(command.name)
            group.add_command(command)
    tree.add_command(group)
