"""Actions on pages. Like button presses, they go through the gate and use cases, and apply to the state shown."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial

from bot.base.meter import InteractionOutcome
from bot.chat.kit.faces import DisplayNames, Faces
from bot.chat.kit.gate import Gate, PressKind
from bot.chat.kit.page_request import PageRequest
from bot.chat.kit.text_only import spoken
from bot.chat.table.screens.panel import Panel
from bot.chat.table.screens.placement_draft import ANY_ARRANGEMENT, filled_in, parse_draft, playable
from bot.model.ids import GuildId, Player, TableId, TableKey
from bot.model.refusals import OtherTerms, Stale
from bot.play.api.play import Play
from bot.play.bus import Bus
from bot.play.queries.views import TableView
from bot.pure.ofc.refusals import Reason, Refused
from bot.text.words import Words
from bot.web.drawing import hinted, turn_of
from bot.web.messages import Analysed, Draft, Hinted, Intent, PuzzleChoices
from bot.web.plain import marked
from bot.web.seats import SEAT_VERBS, PageSeats


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentOutcome:
    """Result of an intent, in addition to the sentences for its reader."""

    letters: str = ""
    """Placement letters of an arranged board."""
    hint: Hinted | None = None
    stream: str = ""
    puzzles: PuzzleChoices | None = None
    """The changed choice of puzzles."""
    analysis: Analysed | None = None


NOTHING = IntentOutcome()
PUBLIC_VERBS = SEAT_VERBS | {"start", "start_now"}
"""Verbs with the limits of the public presses that do the same."""


class Intents:
    """Carries out the pages' intents."""

    def __init__(
        self,
        play: Play,
        gate: Gate,
        faces: Faces,
        bus: Bus,
        seats: PageSeats,
        *,
        stream_ended: Callable[[GuildId, Player], None],
    ) -> None:
        """``stream_ended`` is called after a player's stream link has expired."""
        self._play = play
        self._gate = gate
        self._faces = faces
        self._bus = bus
        self._seats = seats
        self._stream_ended = stream_ended

    async def keep(self, asked: PageRequest, draft: Draft, show: Callable[[Panel], None]) -> None:
        """Show a draft's preview, and save the draft for auto-placement."""

        async def body() -> None:
            panel = await self._panel(asked, draft)
            if panel.ahead:
                raise Stale  # a placement confirmed ahead stays until it's taken back
            show(panel)
            self._bus.draft_moved.send(panel.view, panel.draft)
            if not panel.view.table.private:  # private tables have no clock
                table, street = panel.view.table, 0 if panel.seat.fantasyland else panel.hand.street
                await self._play.save_draft(
                    table.key, asked.player, hand_no=table.hand_no, street=street, rows=panel.placement_draft.letters
                )

        await self._gate.ask(asked, partial(unless_late, asked, body), verb="draft", table=draft.table)

    async def do(self, asked: PageRequest, intent: Intent) -> IntentOutcome:
        """Carry out ``intent`` and return its result. Sentences for the reader go into ``asked``."""
        found: list[IntentOutcome] = []

        async def body() -> None:
            try:
                found.append(await self._do(asked, intent))
            except OtherTerms:
                asked.outcome = InteractionOutcome.STALE
                await asked.say(asked.words("terms.changed" if intent.verb == "join" else "terms.amount"))

        kind = PressKind.PUBLIC if intent.verb in PUBLIC_VERBS else PressKind.PRIVATE
        await self._gate.ask(asked, partial(unless_late, asked, body), verb=intent.verb, table=intent.table, kind=kind)
        return found[0] if found else NOTHING

    async def _do(self, asked: PageRequest, intent: Intent) -> IntentOutcome:
        key = TableKey(guild=asked.guild, table=TableId(intent.table))
        match intent.verb:
            case "next_hand":
                view = await self._seen(asked, intent)
                await self._play.next_hand(key, asked.player, hand_no=view.table.hand_no, cause=asked.cause)
            case "start_now":
                view = await self._seen(asked, intent)
                await self._play.start_now(key, asked.player, hand_no=view.table.hand_no + 1, cause=asked.cause)
            case "start":
                await self._seen(asked, intent)
                await self._play.start(key, asked.player, cause=asked.cause)
            case "join" | "rebuy" | "top_up" | "sit_out" | "back" | "leave":
                await self._seats.do(asked, intent, key)
            case "hint":
                panel = await self._panel(asked, intent)
                number, street = panel.view.table.hand_no, panel.hand.street
                hint = await self._play.hint(key, asked.player, hand_no=number, street=street)
                return IntentOutcome(hint=hinted(hint, intent.turn, asked.words, asked.member_settings))
            case "let_watch" | "unwatch":
                table = await self._play.let_watch(key, asked.player, watched=intent.verb == "let_watch")
                await asked.say(asked.words("page.watched_on" if table.watched else "page.watched_off"))
            case "watched":
                raise Stale  # from an older version's page, which doesn't say whether to allow or forbid watching
            case "arrange":
                panel = await self._panel(asked, intent)
                if not panel.by_select or panel.ahead:
                    raise Stale
                letters = await self._play.arranged(asked.guild, panel.hand)
                await asked.say(asked.words("page.arranged"))
                return IntentOutcome(letters=filled_in(panel, letters, "").placement_draft.letters)
            case "surrender":
                panel = await self._panel(asked, intent)
                await self._play.surrender(key, asked.player, hand_no=panel.view.table.hand_no, cause=asked.cause)
            case "take_back":
                panel = await self._panel(asked, intent)
                hand_no, street = panel.view.table.hand_no, panel.hand.street
                await self._play.take_back(key, asked.player, hand_no=hand_no, street=street)
            case "confirm" | "ahead" | "declare":
                await self._place(asked, intent, await self._panel(asked, intent))
            case "stream" | "stream_renew":
                give = self._play.give_stream_link if intent.verb == "stream" else self._play.renew_stream_link
                name = secrets.token_hex(8)
                link = await give(asked.guild, asked.player, name=name, locale=asked.words.language.code)
                if intent.verb == "stream_renew":
                    self._stream_ended(asked.guild, asked.player)
                return IntentOutcome(stream=link)
            case "stream_end":
                await self._play.end_stream_link(asked.guild, asked.player)
                self._stream_ended(asked.guild, asked.player)
                await asked.say(asked.words("page.stream_ended"))
        return NOTHING

    async def _place(self, asked: PageRequest, intent: Intent, panel: Panel) -> None:
        """Place the draft's cards, either now or ahead of the player's turn."""
        view, letters = panel.view, panel.placement_draft.letters
        if panel.ahead:
            raise Stale
        declares = intent.verb == "declare"
        if not panel.placement_draft.complete:
            if not declares:
                raise Refused(Reason.BAD_PLACEMENT)
            letters = ANY_ARRANGEMENT
        key, hand_no, street = view.table.key, view.table.hand_no, panel.hand.street
        back = _back_sentence(view, asked.words)
        if intent.verb == "ahead":
            await self._play.confirm_ahead(
                key, asked.player, hand_no=hand_no, street=street, rows=letters, cause=asked.cause
            )
        else:
            await self._play.place_cards(
                key,
                asked.player,
                hand_no=hand_no,
                street=street,
                rows=letters,
                cause=asked.cause,
                declare=declares,
            )
        if back:
            await asked.say(back)

    async def _seen(self, asked: PageRequest, seen: Draft | Intent) -> TableView:
        """Return the current table; raises Stale if the page showed a different state."""
        view = await self._play.look(TableKey(guild=asked.guild, table=TableId(seen.table)), asked.player)
        if view.mine is None or turn_of(view) != seen.turn:
            raise Stale
        return view

    async def _panel(self, asked: PageRequest, seen: Draft | Intent) -> Panel:
        """Return the panel with the player's draft; raises Stale if they have no cards to place."""
        view = await self._seen(asked, seen)
        if not playable(view):
            raise Stale
        return on_panel(Panel(view=view), seen.letters)


def on_panel(panel: Panel, letters: str) -> Panel:
    """Return ``panel`` with the draft ``letters``; raises Refused if the draft is impossible."""
    if letters and len(letters) != len(panel.cards):
        raise Refused(Reason.BAD_PLACEMENT)
    drafted = replace(panel, draft=parse_draft(letters))
    if drafted.draft and not drafted.ahead and not drafted.placement_draft.draft:
        raise Refused(Reason.BAD_PLACEMENT)  # a row is too full, or too many cards are placed
    return drafted


def _back_sentence(view: TableView, words: Words) -> str:
    """Return a sentence saying that the player no longer sits out; empty if they weren't sitting out."""
    if view.mine is None or not view.mine.seat.away:
        return ""
    return words("away.back", table=view.table.number)


async def unless_late(asked: PageRequest, body: Callable[[], Awaitable[None]]) -> None:
    """Run ``body``. If it's too late for that, tell the reader. The page shows the current state anyway."""
    try:
        await body()
    except Stale:
        asked.outcome = InteractionOutcome.STALE
        await asked.say(asked.words("page.too_late"))


def said(asked: PageRequest, names: DisplayNames) -> str:
    """Return the reply's sentences as a page shows them."""

    def name_of(player: str) -> str:
        return names.plain(asked.guild, player, asked.words) or player

    return "\n".join(marked(spoken(text, asked.words, asked.member_settings), name_of) for text in asked.said)
