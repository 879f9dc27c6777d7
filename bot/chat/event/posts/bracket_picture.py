"""A page of a bracket with its players' names, ready to be drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import discord

from bot.chat.art.bracket import DrawnBlock, draw_bracket
from bot.chat.event.screens.bracket import drawn, drawn_names, pages, people_on, picture_in_words
from bot.chat.kit.faces import DisplayNames
from bot.chat.table.posts.result_posts import learn_names
from bot.model.ids import Player
from bot.play.event.formats.brackets import BracketView
from bot.text.words import Words

NOBODY = Player("")


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketPicture:
    """A page of a bracket, ready to be drawn."""

    names: Mapping[Player, str]
    blocks: tuple[DrawnBlock, ...]
    told: str
    """The picture's description."""
    drawing: Callable[[], bytes]


async def bracket_picture(
    client: discord.Client,
    view: BracketView,
    page: int,
    known: DisplayNames,
    words: Words,
    *,
    own: Player = NOBODY,
    tables: bool = False,
) -> BracketPicture:
    """Return page ``page`` (from 1) of a bracket, with ``own`` marked. With ``tables``, matches show their tables."""
    shown = pages(view)[page - 1]
    await learn_names(client, view.event.key.guild, people_on(shown), known)
    names = drawn_names(view, known, words)
    blocks = drawn(shown, view, words, names, own=own, tables=tables)
    drawing = partial(draw_bracket, heading=words("bracket.title", name=view.event.name), blocks=blocks)
    return BracketPicture(names=names, blocks=blocks, told=picture_in_words(shown, view, words, names), drawing=drawing)
