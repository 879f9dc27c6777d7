"""Puzzles' private messages, which follow the page while Discord lets the bot edit them.

Only the newest message per player is kept. It changes if its puzzle was answered on the page, or left there for another
one, also after the answer. If its link was used, it gets a new one.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeVar

import discord

from bot.chat.discord_patches.own_messages import edit_answer
from bot.chat.kit.faces import Faces
from bot.chat.kit.reply import Reply
from bot.chat.kit.text_only import aloud
from bot.chat.kit.widgets import Interaction, Screen
from bot.chat.table.posts.open_panels import FRESH_MS, PageLinks
from bot.chat.trainer.screens.answer import answer_screen
from bot.chat.trainer.screens.puzzle import PuzzlePanel, no_puzzle_screen, puzzle_screen
from bot.model.errors import StorageUnavailableError
from bot.model.ids import GuildId, Player
from bot.model.puzzles import NO_PUZZLE
from bot.play.bus import Bus
from bot.play.trainer.use_cases import Trainer
from bot.play.trainer.views import AnswerView, NoPuzzleView
from bot.pure.ofc.refusals import Refused
from bot.text.words import Words

log = logging.getLogger(__name__)

MAX_OPEN = 5_000
"""Maximum number of players with a kept message. The one shown least recently is dropped."""
PuzzleContent: TypeAlias = PuzzlePanel | AnswerView | NoPuzzleView
V = TypeVar("V")


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenPuzzle:
    """A private message: its contents, its reader, and the interaction that edits it with its time (ms)."""

    content: PuzzleContent
    interaction: Interaction
    guild: GuildId
    words: Words
    faces: Faces
    at: int


class OpenPuzzles:
    """The puzzles' private messages of this process."""

    def __init__(self, trainer: Trainer, page_links: PageLinks, bus: Bus, *, now_ms: Callable[[], int]) -> None:
        self._trainer = trainer
        self._page_links = page_links
        self._now = now_ms
        self._open: OrderedDict[Player, OpenPuzzle] = OrderedDict()
        self._answering: OrderedDict[Player, bool] = OrderedDict()
        """Players whose press is being answered, with True if something has changed meanwhile."""
        self._working: set[asyncio.Task[None]] = set()
        trainer.changed.subscribe(self._changed)
        bus.link_used.subscribe(self._linked)
        bus.player_deleted.subscribe(self.forget)

    async def show(self, reply: Reply, content: PuzzleContent, faces: Faces, *, told: str = "") -> None:
        """Show a puzzle, its solution, or that none is left, and keep the message. ``told`` is a line above it."""
        guild, player = reply.guild, reply.player
        shown = OpenPuzzle(
            content=content,
            interaction=reply.interaction,
            guild=guild,
            words=reply.words,
            faces=faces,
            at=self._now(),
        )
        screen = self._screen(player, shown)
        if await reply.show(screen.and_above(told) if told else screen) is None:
            return
        _keep(self._open, player, shown)
        if self._answering.pop(player, False):
            self._changed(player)

    def forget(self, player: Player) -> None:
        """Leave a player's message as it is, because it was pressed or its player was deleted."""
        self._open.pop(player, None)
        _keep(self._answering, player, False)

    def _screen(self, player: Player, shown: OpenPuzzle) -> Screen:
        content, words, faces = shown.content, shown.words, shown.faces
        if isinstance(content, NoPuzzleView):
            return no_puzzle_screen(content, words)
        answered = content.name if isinstance(content, AnswerView) else NO_PUZZLE
        page = self._page_links.puzzle_link(shown.guild, player, words.language.code, answered=answered)
        if isinstance(content, AnswerView):
            return answer_screen(content, words, faces, page=page)
        return puzzle_screen(content, words, faces, page=page)

    def _changed(self, player: Player) -> None:
        if player in self._answering:
            self._answering[player] = True
        shown = self._open.get(player)
        if shown is not None and not isinstance(shown.content, NoPuzzleView):
            self._soon(self._follow(player, shown, shown.content))

    def _linked(self, guild: GuildId, player: Player) -> None:
        if (shown := self._open.get(player)) is not None and shown.guild == guild:
            self._soon(self._draw(player, shown))

    def _soon(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(self._done(work))
        self._working.add(task)
        task.add_done_callback(self._working.discard)

    @staticmethod
    async def _done(work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except (Refused, StorageUnavailableError) as error:
            log.debug("a puzzle's message could not follow: %r", error)
        except Exception:
            log.exception("a puzzle's message could not follow")

    async def _follow(self, player: Player, shown: OpenPuzzle, content: PuzzlePanel | AnswerView) -> None:
        """Show the player's puzzle if they've gone on to another one, or the solution if they've answered this one.

        An answer to a puzzle that they had left before stays until they go on from the puzzle that they had then.
        """
        name, then = content.view.name if isinstance(content, PuzzlePanel) else content.name, NO_PUZZLE
        if isinstance(content, AnswerView):
            then = content.of.solver.shown
        view = await self._trainer.look(player, name)
        if (now := view.of.solver.shown) not in ("", name, then):
            other = await self._trainer.look(player, now)
            followed = other if isinstance(other, AnswerView) else PuzzlePanel(view=other)
            await self._draw(player, shown, followed, told=shown.words("puzzle.went_on"))
        elif isinstance(view, AnswerView) and not isinstance(content, AnswerView):
            await self._draw(player, shown, view)

    async def _draw(
        self, player: Player, shown: OpenPuzzle, content: PuzzleContent | None = None, *, told: str = ""
    ) -> None:
        if self._open.get(player) is not shown:
            return  # pressed meanwhile
        if self._now() - shown.at > FRESH_MS:
            self.forget(player)
            return
        drawn = shown if content is None else replace(shown, content=content)
        self._open[player] = drawn
        try:
            screen = self._screen(player, drawn)
            screen = screen.and_above(told) if told else screen
            await edit_answer(drawn.interaction, aloud(screen, drawn.words, drawn.faces.member_settings))
        except discord.HTTPException as error:
            log.debug("a puzzle's message is gone: %s", error)
            if self._open.get(player) is drawn:
                self.forget(player)


def _keep(kept: OrderedDict[Player, V], player: Player, value: V) -> None:
    """Keep a player's value as the newest. With too many, the oldest is dropped."""
    kept.pop(player, None)
    kept[player] = value
    while len(kept) > MAX_OPEN:
        kept.popitem(last=False)
