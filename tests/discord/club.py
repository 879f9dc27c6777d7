"""A club to test in: the real bot, a real SQLite file, people who click what they see."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from simcord import InteractionResult, MemberActor, ResponseMessage

from bot.app import ChaipoBot
from bot.ofc.cards import Card
from bot.play.model import GuildId, Player, TableId, TableKey
from bot.play.service import Play
from bot.play.session import House
from bot.play.views import TableView
from bot.playground.world import GUILD_ID, World, simulated
from bot.solver.arrange import best_arrangement
from bot.solver.place import choose_placement
from bot.store.database import Database
from bot.store.secrets import SeedVault

ROW_LABELS = {"F": ("front", "上段"), "M": ("middle", "中段"), "B": ("back", "下段")}


def walk(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Every component of a message."""
    for component in components:
        yield component
        yield from walk(component.get("components") or [])
        if "accessory" in component:
            yield from walk([component["accessory"]])


def text_of(components: list[dict[str, Any]]) -> str:
    """All text displays of a message."""
    return "\n".join(c["content"] for c in walk(components) if c["type"] == 10)


@dataclass
class Screen:
    """A message as somebody sees it."""

    club: Club
    channel_id: int
    id: int

    @property
    def components(self) -> list[dict[str, Any]]:
        """The components now."""
        components: list[dict[str, Any]] = self.club.backend.get_message(self.channel_id, self.id).components
        return components

    @property
    def text(self) -> str:
        """What is written."""
        return text_of(self.components)

    def buttons(self) -> list[dict[str, Any]]:
        """Its buttons."""
        return [c for c in walk(self.components) if c["type"] == 2]

    def labels(self) -> list[str]:
        """The labels of its buttons."""
        return [str(b.get("label") or "") for b in self.buttons()]

    def button(self, label: str) -> dict[str, Any]:
        """The enabled button whose label begins so."""
        for found in self.buttons():
            if str(found.get("label") or "").startswith(label) and not found.get("disabled"):
                return found
        raise AssertionError(f"no enabled button {label!r} among {self.labels()}")

    def with_verb(self, verb: str, argument: str | None = None) -> dict[str, Any]:
        """The enabled button or select that does ``verb``."""
        for found in walk(self.components):
            custom_id = str(found.get("custom_id") or "")
            parts = custom_id.split(":")
            if len(parts) > 2 and parts[1] == verb and argument in (None, parts[-1]) and not found.get("disabled"):
                return found
        raise AssertionError(f"nothing to press for {verb} {argument}")


@dataclass
class Club:
    """The world of a test."""

    world: World
    path: Path
    bots: list[ChaipoBot] = field(default_factory=list)
    last_panel: dict[str, Screen] = field(default_factory=dict)

    @property
    def bot(self) -> ChaipoBot:
        """The bot that runs now."""
        return self.bots[-1]

    @property
    def play(self) -> Play:
        """Its use cases, for looking behind the scenes."""
        return self.bot.desk.play

    @property
    def backend(self) -> Any:
        """SimCord's state."""
        return self.world.env.backend

    @property
    def channel(self) -> Any:
        """The card room."""
        return self.world.channel

    def who(self, name: str) -> MemberActor:
        """A member."""
        member: MemberActor = self.world.members[name]
        return member

    def player(self, name: str) -> Player:
        """His id as play knows it."""
        return Player(str(self.who(name).id))

    def key(self, table: int) -> TableKey:
        """A table of the club."""
        return TableKey(guild=GuildId(GUILD_ID), table=TableId(table))

    async def look(self, table: int, name: str | None = None) -> TableView:
        """A table as somebody may see it."""
        return await self.play.look(self.key(table), self.player(name) if name else None)

    # acting

    async def slash(self, name: str, command: str, **options: Any) -> Screen | None:
        """Type a command; returns the private answer."""
        return self._answer(name, await self.who(name).slash(self.channel, command, **options))

    async def click(self, name: str, screen: Screen, label: str) -> Screen | None:
        """Press the enabled button with this label."""
        return await self.press(name, screen, screen.button(label))

    async def press(self, name: str, screen: Screen, control: dict[str, Any]) -> Screen | None:
        """Press a button."""
        message = ResponseMessage(self.world.env, self.backend.get_message(screen.channel_id, screen.id))
        result = await self.who(name).click(message, custom_id=control["custom_id"])
        return self._answer(name, result)

    async def choose(self, name: str, screen: Screen, control: dict[str, Any], values: list[str]) -> Screen | None:
        """Choose options of a select."""
        message = ResponseMessage(self.world.env, self.backend.get_message(screen.channel_id, screen.id))
        result = await self.who(name).select(message, values, custom_id=control["custom_id"])
        return self._answer(name, result)

    def _answer(self, name: str, result: InteractionResult) -> Screen | None:
        assert result.acknowledged, "the interaction was not answered"
        message = result.response
        if message is None:
            return None
        assert message.ephemeral, "an answer to a person is private"
        screen = Screen(self, message.channel_id, message.id)
        if any(
            str(c.get("custom_id", "")).startswith(("c1:card", "c1:confirm", "c1:panel"))
            for c in walk(screen.components)
        ):
            self.last_panel[name] = screen
        return screen

    # what the channel shows

    def public(self) -> list[Screen]:
        """The public messages, oldest first."""
        messages = sorted(self.backend.messages.get(self.channel.id, {}).values(), key=lambda m: m.id)
        return [Screen(self, m.channel_id, m.id) for m in messages if m.visible_to(None)]

    def table_screen(self, table: int = 1) -> Screen:
        """The newest message of the table."""
        for screen in reversed(self.public()):
            ids = [str(b.get("custom_id", "")) for b in screen.buttons()]
            if any(re.match(rf"c1:(join|leave):{table}:", i) for i in ids):
                return screen
        raise AssertionError("the table is not shown")

    def said(self) -> str:
        """Everything that the channel shows to everybody."""
        return "\n---\n".join(screen.text for screen in self.public())

    # playing

    async def open_panel(self, name: str, table: int = 1) -> Screen:
        """Press My hand."""
        screen = self.table_screen(table)
        panel = await self.press(name, screen, screen.with_verb("hand"))
        assert panel is not None
        return panel

    async def lay(self, name: str, letters: str, table: int = 1) -> Screen:
        """Lay a street by tapping rows, then Confirm; returns the panel afterwards."""
        panel = await self.open_panel(name, table)
        for place, letter in enumerate(letters):
            if letter == "D":
                continue
            taps = panel.with_verb("card", str(place))
            if taps.get("style") != 1:
                panel = await self._next(name, panel, taps)
            panel = await self._next(name, panel, panel.with_verb("row", letter))
        return await self._next(name, panel, panel.with_verb("confirm"))

    async def set_fantasyland(self, name: str, letters: str, table: int = 1) -> Screen:
        """Arrange a Fantasyland hand with the three selects, then Confirm."""
        panel = await self.open_panel(name, table)
        for letter in "BMF":
            places = [str(place) for place, laid in enumerate(letters) if laid == letter]
            panel = await self._choose(name, panel, panel.with_verb(f"set_{letter.lower()}"), places)
        return await self._next(name, panel, panel.with_verb("confirm"))

    async def _next(self, name: str, panel: Screen, control: dict[str, Any]) -> Screen:
        answer = await self.press(name, panel, control)
        assert answer is not None
        return answer

    async def _choose(self, name: str, panel: Screen, control: dict[str, Any], values: list[str]) -> Screen:
        answer = await self.choose(name, panel, control, values)
        assert answer is not None
        return answer

    def name_of(self, player: str) -> str:
        """The member with this id."""
        return next(name for name, member in self.world.members.items() if str(member.id) == player)

    async def play_hand(self, table: int = 1, choose: Callable[[TableView], str] | None = None) -> int:
        """Everybody plays the running hand to its end by clicking; returns its number."""
        hand_no = (await self.look(table)).table.hand_no
        for _ in range(200):
            view = await self.look(table)
            if view.table.hand_no != hand_no or not view.waiting:
                return hand_no
            name = self.name_of(view.waiting[0])
            seen = await self.look(table, name)
            assert seen.hand is not None
            assert seen.hand.mine is not None
            letters = choose(seen) if choose else choose_placement(seen.hand)
            if seen.hand.mine.fantasyland:
                await self.set_fantasyland(name, letters, table)
            else:
                await self.lay(name, letters, table)
        raise AssertionError("the hand does not end")

    async def restart(self) -> None:
        """Stop the bot and start it anew on the same database."""
        await self.bot.close()
        await self.world.env.restart_bot(await build_bot(self))


async def build_bot(club: Club) -> ChaipoBot:
    """A bot on the club's database."""
    bot = ChaipoBot(
        await Database.open(club.path / "chaipo.db"),
        SeedVault.open(club.path / "chaipo.key"),
        house=House(),
        now_ms=club.world.now_ms,
        shard_count=1,
        redraw_pause=0,
    )
    club.bots.append(bot)
    return bot


@asynccontextmanager
async def open_club(path: Path) -> AsyncIterator[Club]:
    """A club with its bot; what the bot raised fails the test at the end."""
    bots: list[ChaipoBot] = []

    async def build(now_ms: Callable[[], int]) -> ChaipoBot:
        bot = ChaipoBot(
            await Database.open(path / "chaipo.db"),
            SeedVault.open(path / "chaipo.key"),
            house=House(),
            now_ms=now_ms,
            shard_count=1,
            redraw_pause=0,
        )
        bots.append(bot)
        return bot

    async with simulated(build) as world:
        club = Club(world=world, path=path, bots=bots)
        yield club


def fantasyland_letters(view: TableView) -> str:
    """The best arrangement of somebody's Fantasyland cards."""
    assert view.hand is not None
    assert view.hand.mine is not None
    held: list[Card] = [card for card in view.hand.mine.held if card is not None]
    return best_arrangement(view.hand.variant, held)
