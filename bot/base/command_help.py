"""The layout of ``--help``: wrapped paragraphs, defaults for every option, and examples to copy."""

from __future__ import annotations

import re
import textwrap
from argparse import Action, RawDescriptionHelpFormatter

from typing_extensions import override

EXAMPLES = "examples:"
INDENT = "  "
PROGRAM = "%(prog)s"
_MARKUP = re.compile(r":\w+:(?=`)|`(?=`)")
"""Roles and doubled backticks of docstrings that are used as descriptions."""


class HelpFormatter(RawDescriptionHelpFormatter):
    """Wraps paragraphs but keeps indented lines, and adds the default of each option that has one."""

    @override
    def _fill_text(self, text: str, width: int, indent: str) -> str:
        paragraphs = []
        for paragraph in _MARKUP.sub("", textwrap.dedent(text)).strip().split("\n\n"):
            is_list = any(line.startswith(INDENT) for line in paragraph.splitlines())
            paragraphs.append(paragraph if is_list else textwrap.fill(" ".join(paragraph.split()), width))
        return textwrap.indent("\n\n".join(paragraphs), indent)

    @override
    def _get_help_string(self, action: Action) -> str:
        text, default = action.help or "", action.default
        if action.nargs == 0 or default in (None, [], ()) or "(default" in text:
            return text
        written = " ".join(map(str, default)) if isinstance(default, (list, tuple)) else str(default)
        return f"{text} (default: {written})"


def examples(*arguments: str) -> str:
    """Return an epilog with one example per line.

    Each of ``arguments`` follows the program's name, unless it contains ``%(prog)s`` to say where the name goes.
    """
    lines = [each if PROGRAM in each else f"{PROGRAM} {each}".rstrip() for each in arguments]
    return "\n".join([EXAMPLES, *(INDENT + line for line in lines)])
