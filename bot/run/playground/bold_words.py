"""Discord's rules for bold text, on SimCord's page."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_inline.emphasis import tokenize
from markdown_it.rules_inline.state_inline import Delimiter, StateInline
from simcord.preview import _markdown

# SimCord has no public interface for these internals, so pyproject.toml pins the release they were taken from.
# ruff: noqa: SLF001


def _bold(state: StateInline, silent: bool) -> bool:
    """Parse asterisks like Discord. Next to a letter, they also work if a bracket or a picture is inside.

    Japanese has no space there, and CommonMark leaves ``**ピップ（カジュアル）**が`` unchanged.
    """
    if silent or state.src[state.pos] != "*":
        return tokenize(state, silent)
    run = sum(1 for _ in takewhile("*".__eq__, state.src[state.pos :]))
    before, after = state.src[: state.pos][-1:], state.src[state.pos + run :][:1]
    for _ in range(run):
        state.push("text", "", 0).content = "*"
        state.delimiters.append(
            Delimiter(
                marker=ord("*"),
                length=run,
                token=len(state.tokens) - 1,
                end=-1,
                open=bool(after.strip()),
                close=bool(before.strip()),
            )
        )
    state.pos += run
    return True


_simcord_parser = _markdown._markdown_parser


def draw_bold_words() -> None:
    """Make SimCord's page draw bold text like Discord."""
    _markdown._markdown_parser = _parser


def _parser(policy: Mapping[str, bool | str], context: Mapping[str, Any]) -> MarkdownIt:
    """Return SimCord's parser with Discord's rules for bold text."""
    parser: MarkdownIt = _simcord_parser(policy, context)
    parser.inline.ruler.at("emphasis", _bold)
    return parser
