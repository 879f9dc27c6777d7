"""Texts requested by pages: rules, and finished hands with their reviews, files, records and links."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

from bot.chat.kit.faces import Faces
from bot.chat.kit.gate import Gate
from bot.chat.kit.page_request import PageRequest
from bot.chat.kit.text_only import spoken
from bot.model.ids import TableId, TableKey
from bot.model.reasons import HandReason, TableReason
from bot.model.refusals import Stale
from bot.play.api.play import Play
from bot.play.queries.reviews import Review
from bot.pure.ofc.refusals import Refused
from bot.web.drawing import TableDrawing
from bot.web.messages import Found, Read
from bot.web.past import past_shown, view_then
from bot.web.rules import rules_shown
from bot.web.watching import WatchableTables

ASKED_BY_GUESTS: Final = frozenset({"past", "file", "link", "record"})
"""Texts for guests with the link to a hand. All others would say where the table is."""


class PageTexts:
    """Finds the texts that pages request, for readers who may see them."""

    def __init__(self, play: Play, gate: Gate, faces: Faces, watching: WatchableTables) -> None:
        self._play = play
        self._gate = gate
        self._faces = faces
        self._watching = watching

    async def find(self, asked: PageRequest, read: Read, *, link: str, found: Callable[[Found], None]) -> None:
        """Pass the requested text to ``found``. A refusal goes into ``asked``.

        ``link`` is set if the page shows one hand to anyone with its link.
        """

        async def body() -> None:
            found(await self._found(asked, read, link))

        await self._gate.ask(asked, body, verb=read.what, table=read.table, hand=read.hand)

    async def _found(self, asked: PageRequest, read: Read, link: str) -> Found:
        key, hand = TableKey(guild=asked.guild, table=TableId(read.table)), read.hand
        if link:
            key, hand = await self._shared(read, link)
            read = replace(read, table=key.table, hand=hand)
        else:
            await self._require_visible(asked, key, hand)
        match read.what:
            case "file" if link:
                text = await self._play.shared_file(key, hand, await self._names_at(asked, key, hand))
                return Found(id=read.id, what="file", text=text, name="chaipo.phh")
            case "record" if link:
                raise Refused(HandReason.RECORD_NOT_SHARED)
            case "rules":
                variant = (await self._play.look(key)).table.terms.variant
                say = partial(spoken, words=asked.words, member_settings=asked.member_settings)
                return Found(id=read.id, what="rules", chapters=rules_shown(variant, asked.words, say))
            case "past":
                return await self._past(asked, read, key, None, link)
            case "review":
                past = await self._play.past(key, read.hand, asked.player)
                return await self._past(asked, read, key, await self._play.review(past, _unheard), link)
            case "file":
                text = await self._play.history_file(key, read.hand, asked.player)
                return Found(id=read.id, what="file", text=text, name=f"chaipo-{key.table}-{read.hand}.phh")
            case "record":
                proof = await self._play.proof(key, read.hand, asked.player)
                text = json.dumps(proof, ensure_ascii=False, indent=2)
                name, names = f"chaipo-{key.table}-{read.hand}.json", self._names(asked, proof)
                return Found(id=read.id, what="record", text=text, name=name, names=names)
            case "invite":
                table = (await self._play.look(key)).table
                way = f"{key.guild}/{table.channel}" + (f"/{table.message}" if table.message else "")
                return Found(id=read.id, what="invite", text=f"https://discord.com/channels/{way}")
            case "link":
                return Found(id=read.id, what="link", text=await self._play.hand_link(key, read.hand, asked.player))
            case "puzzles" | "analysis":
                raise Stale  # a page asks for puzzles only while it shows one, and a guest has no analyses

    def _names(self, asked: PageRequest, proof: Mapping[str, Any]) -> dict[str, str]:
        """Return the names of a record's players. The record itself has only ids, so that it stays as proven."""
        called = self._faces.names.plain
        known = {one["player"]: called(asked.guild, one["player"], asked.words) for one in proof["players"]}
        return {player: name for player, name in known.items() if name}

    async def _past(self, asked: PageRequest, read: Read, key: TableKey, review: Review | None, link: str) -> Found:
        replay = await self._play.replay(key, read.hand, None if link else asked.player)
        drawing = TableDrawing(
            view=view_then(replay),
            words=asked.words,
            faces=self._faces.for_reader(asked.member_settings).in_letters(),
            member_settings=asked.member_settings,
            result=replay.result,
        )
        return Found(id=read.id, what=read.what, past=past_shown(drawing, replay, review, guest=bool(link)))

    async def _shared(self, read: Read, link: str) -> tuple[TableKey, int]:
        """Return the hand of a guest's link. A request must name either this hand or none."""
        key, hand = await self._play.hand_of(link)
        if read.what not in ASKED_BY_GUESTS or (read.table, read.hand) not in ((0, 0), (key.table, hand)):
            raise Refused(HandReason.HAND_NOT_SHARED)
        return key, hand

    async def _names_at(self, asked: PageRequest, key: TableKey, hand: int) -> dict[str, str]:
        """Return the names of a hand's players."""
        result, called = await self._play.result(key, hand, None), self._faces.names.plain
        return {line.player: called(asked.guild, line.player, asked.words) for line in result.results}

    async def _require_visible(self, asked: PageRequest, key: TableKey, hand: int) -> None:
        """Raise Refused, as in Discord, if the reader may see neither the table nor the hand."""
        view = await self._play.look(key, asked.player)
        if view.mine is None and view.table.host != asked.player and not self._watching.allows(view.table):
            played = hand and await self._played(asked, key, hand)
            if not played:
                raise Refused(TableReason.CHANNEL_HIDDEN)

    async def _played(self, asked: PageRequest, key: TableKey, hand: int) -> bool:
        try:
            result = await self._play.result(key, hand, asked.player)
        except Refused:
            return False
        return any(line.player == asked.player for line in result.results)


async def _unheard(done: int) -> None:
    """Ignore a review's progress, because the page already shows that it's waiting."""
