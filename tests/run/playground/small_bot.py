"""A small bot with one of everything that Chaipo shows, for testing the playground."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Self

import discord
from discord import app_commands
from discord.ext import commands, tasks
from typing_extensions import override

from bot.model.ids import GuildId, TableId, TableKey
from bot.model.tables import Timer
from bot.play.api.alarm_runner import AlarmRunner

JAPANESE = {"Open a table": "卓を立てる", "game": "ゲーム", "Pineapple": "パイナップル"}
HELLO = {"en-US": "Hello", "en-GB": "Good day", "ja": "こんにちは"}
TURN_MS = 8_000
THOUGHT = (TableKey(guild=GuildId(1), table=TableId(1)), Timer.COMPUTER)


class Press(discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"press"):
    """A button that stays the same however often the table is drawn."""

    def __init__(self, label: str = "Press", emoji: discord.PartialEmoji | None = None) -> None:
        super().__init__(discord.ui.Button(label=label, custom_id="press", emoji=emoji))

    @classmethod
    @override
    async def from_custom_id(cls, interaction: Any, item: Any, match: Any, /) -> Self:
        return cls()

    @override
    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        bot: SmallBot = interaction.client
        bot.presses.append(interaction.user.id)
        if bot.slow:
            await bot.held()
        bot.languages.append((str(interaction.locale), str(interaction.guild_locale)))
        await interaction.response.edit_message(view=bot.table())


class PlaceCards(discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"place:(?P<street>[0-9]+)"):
    """A button whose custom id carries the state that it was drawn in."""

    def __init__(self, street: int) -> None:
        super().__init__(discord.ui.Button(label=f"Place {street}", custom_id=f"place:{street}"))

    @classmethod
    @override
    async def from_custom_id(cls, interaction: Any, item: Any, match: Any, /) -> Self:
        return cls(int(match["street"]))

    @override
    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        bot: SmallBot = interaction.client
        bot.street += 1
        await interaction.response.edit_message(view=bot.table())


class Panel(discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"panel"):
    """Opens a panel that only the presser sees."""

    def __init__(self) -> None:
        super().__init__(discord.ui.Button(label="My hand", custom_id="panel"))

    @classmethod
    @override
    async def from_custom_id(cls, interaction: Any, item: Any, match: Any, /) -> Self:
        return cls()

    @override
    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        bot: SmallBot = interaction.client
        word = HELLO.get(str(interaction.locale), "?")
        view = discord.ui.LayoutView(timeout=None)
        view.add_item(discord.ui.TextDisplay(f"{word}, {interaction.user.display_name} {bot.face('c1_As') or ''}"))
        for item in (Choose(), Ask()):
            view.add_item(discord.ui.ActionRow(item))
        await interaction.response.send_message(view=view, ephemeral=True)


class Choose(discord.ui.DynamicItem[discord.ui.Select[Any]], template=r"choose"):
    """A menu of rows."""

    def __init__(self) -> None:
        options = [discord.SelectOption(label=row) for row in ("Front", "Middle", "Back")]
        super().__init__(discord.ui.Select(custom_id="choose", placeholder="Row", options=options, max_values=2))

    @classmethod
    @override
    async def from_custom_id(cls, interaction: Any, item: Any, match: Any, /) -> Self:
        return cls()

    @override
    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        chosen = ", ".join(self.item.values)
        await interaction.response.send_message(f"Chosen: {chosen}", ephemeral=True)


class Ask(discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"ask"):
    """Opens a modal."""

    def __init__(self) -> None:
        super().__init__(discord.ui.Button(label="Seed", custom_id="ask"))

    @classmethod
    @override
    async def from_custom_id(cls, interaction: Any, item: Any, match: Any, /) -> Self:
        return cls()

    @override
    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_modal(Seed())


class Seed(discord.ui.Modal, title="Your seed"):
    words: discord.ui.TextInput[Any] = discord.ui.TextInput(label="Words")

    @override
    async def on_submit(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_message(f"Seed: {self.words.value}", ephemeral=True)


class Translator(app_commands.Translator):
    @override
    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        return JAPANESE.get(string.message) if locale is discord.Locale.japanese else None


class SmallBot(commands.AutoShardedBot):
    """Keeps a count, shows it with a countdown, and says when time is up."""

    def __init__(self, now_ms: Callable[[], int], faces: Mapping[str, bytes]) -> None:
        intents = discord.Intents.default()
        super().__init__(command_prefix=commands.when_mentioned, intents=intents)
        self.now_ms = now_ms
        self.faces = faces
        self.emoji: dict[str, discord.Emoji] = {}
        self.presses: list[int] = []
        self.heard: list[str] = []
        self.street = 0
        self.languages: list[tuple[str, str]] = []
        self.ids: list[int] = []
        self.table_message: discord.Message | None = None
        self.deadline_ms: int | None = None
        self.ended_ms: list[int] = []
        self.work: asyncio.Queue[int] = asyncio.Queue()
        self.done: list[int] = []
        self.ticked = asyncio.Event()
        self.hangs = self.slow = False
        self.free: asyncio.Future[None] | None = None
        """Ends a running computation, if there is one."""
        self.thoughts = AlarmRunner(self.think)
        self.thought: asyncio.Future[None] | None = None
        """Ends the next computation, if one is to start."""
        self.tree.command(name="table", description="Open a table")(self.open_table)
        self.tree.command(name="crash", description="Raise an error")(self.crash)
        self.tree.command(name="stuck", description="Think for long")(self.stuck)
        late = self.tree.command(name="late", description="Answer late")(self.late)
        late.autocomplete("word")(self.late_words)

    @override
    async def setup_hook(self) -> None:
        await self.tree.set_translator(Translator())
        self.add_dynamic_items(Press, PlaceCards, Panel, Choose, Ask)
        self.background = [asyncio.create_task(self.upload()), asyncio.create_task(self.worker())]
        self.watch.start()

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        data: Any = interaction.data
        self.heard.append(data.get("custom_id", ""))

    async def upload(self) -> None:
        known = {emoji.name: emoji for emoji in await self.fetch_application_emojis()}
        for name, face in self.faces.items():
            self.emoji[name] = known.get(name) or await self.create_application_emoji(name=name, image=face)

    async def worker(self) -> None:
        while True:
            self.done.append(await self.work.get())

    @override
    async def close(self) -> None:
        self.watch.cancel()
        await self.thoughts.close()
        for task in self.background:
            task.cancel()
        await super().close()

    def face(self, name: str) -> discord.Emoji | None:
        return self.emoji.get(name)

    def table(self) -> discord.ui.LayoutView:
        view = discord.ui.LayoutView(timeout=None)
        due = f"Time: <t:{self.deadline_ms // 1000}:R>" if self.deadline_ms else "Time is up"
        cards = " ".join(str(emoji) for emoji in self.emoji.values())
        view.add_item(discord.ui.Container(discord.ui.TextDisplay(f"## Table {len(self.presses)}\n{cards}\n{due}")))
        emoji = self.face("c1_As")
        partial = discord.PartialEmoji(name=emoji.name, id=emoji.id) if emoji else None
        view.add_item(discord.ui.ActionRow(Press("Press", partial), PlaceCards(self.street), Panel()))
        return view

    @app_commands.choices(game=[app_commands.Choice(name="Pineapple", value="pineapple")])
    async def open_table(self, interaction: discord.Interaction[Any], game: str = "pineapple") -> None:
        self.ids.append(interaction.id)
        self.languages.append((str(interaction.locale), str(interaction.guild_locale)))
        self.deadline_ms = self.now_ms() + TURN_MS
        await interaction.response.send_message(view=self.table())
        self.table_message = await interaction.original_response()
        self.ids.append(self.table_message.id)
        self.work.put_nowait(self.table_message.id)

    async def think(self, key: TableKey, timer: Timer, due_at: int) -> None:
        assert self.thought is not None
        await self.thought

    async def crash(self, interaction: discord.Interaction[Any]) -> None:
        raise RuntimeError("crashed on purpose")

    async def stuck(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_message("Working", ephemeral=True)
        await self.held()
        await interaction.edit_original_response(content="Done")

    async def late(self, interaction: discord.Interaction[Any], word: str = "") -> None:
        await self.held()
        if word == "form":
            await interaction.response.send_modal(Seed())
        else:
            await interaction.response.send_message(f"Late {word}", ephemeral=True)

    async def late_words(self, interaction: discord.Interaction[Any], current: str) -> list[app_commands.Choice[str]]:
        await self.held()
        return [app_commands.Choice(name=f"{current}!", value=current)]

    async def held(self) -> None:
        """Wait until the test lets it go on."""
        self.free = asyncio.get_running_loop().create_future()
        await self.free

    @tasks.loop(seconds=1)
    async def watch(self) -> None:
        self.ticked.set()
        if self.thought is not None:
            self.thoughts.add(THOUGHT, due_at=0)
        if self.hangs:
            await asyncio.get_running_loop().create_future()
        if self.deadline_ms is None or self.now_ms() < self.deadline_ms or self.table_message is None:
            return
        self.ended_ms.append(self.now_ms())
        self.deadline_ms = None
        await self.table_message.edit(view=self.table())
