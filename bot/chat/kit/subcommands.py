"""Subcommands that stand in files of their own: `/ofc` lists what members do and look up, wherever it's declared."""

from __future__ import annotations

from typing import Any, Final

from discord import app_commands

_PARENT: Final = "parent"
OF_OFC: Final[dict[Any, Any]] = {_PARENT: "ofc"}
"""``extras`` of a command that is a subcommand of `/ofc`: other bots may have commands of such general names."""


def gather(tree: app_commands.CommandTree[Any]) -> None:
    """Move every command that was declared as a subcommand below its parent. All cogs have been loaded."""
    for command in tree.get_commands():
        if isinstance(command, app_commands.Command) and (name := command.extras.get(_PARENT)):
            tree.remove_command(command.name)
            parent = tree.get_command(name)
            assert isinstance(parent, app_commands.Group)
            parent.add_command(command)
