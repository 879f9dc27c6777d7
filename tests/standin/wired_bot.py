"""The real bot in one channel of the stand-in, for tests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from bot.model.choices import Calls
from bot.model.ids import GuildId, Player, TableId, TableKey
from bot.play.queries.views import TableView
from bot.play.session.policy import Policy
from bot.play.session.workers import Placer
from bot.pure.ofc.cards import DISCARD
from bot.run.app import ChaipoBot
from bot.run.wiring import OperatorChoices, Resources, WebSettings, build_bot
from bot.store import StoreUnavailableError
from bot.store.sqlite.database import SqliteDatabase
from tests.databases import hurried
from tests.discord.club import HASTY, fantasyland_letters, plain_letters
from tests.play.world import FixedVault, quickly
from tests.simulation.disk import Disk
from tests.simulation.loop import SimulatedLoop
from tests.standin.standin import Standin, custom_ids
from tests.standin.things import Channel, Message, User

EPOCH_MS = 1_800_000_000_000
ROOMY = Policy(lobbies_per_channel=1000, tables_per_channel=1000)
"""All tables of a test are in one channel."""


def now_ms() -> int:
    """The clock of Discord and of the bot's machine on a simulated loop."""
    return EPOCH_MS + int(asyncio.get_running_loop().time() * 1000)


@dataclass
class WiredBot:
    """One channel, with the bot in it."""

    discord: Standin
    channel: Channel
    bot: ChaipoBot

    def user(self, number: int) -> User:
        return self.discord.user(number)

    @property
    def key(self) -> TableKey:
        return TableKey(guild=GuildId(self.channel.guild.id), table=TableId(1))

    async def look(self, user: User | None = None) -> TableView:
        return await self.bot.services.play.look(self.key, None if user is None else Player(str(user.id)))

    async def call_at_once(self, *users: User) -> None:
        """They wish to be called when their turn comes, and not only once they have stayed silent."""
        for user in users:
            await self.bot.services.play.change_member_settings(
                self.key.guild,
                Player(str(user.id)),
                lambda member_settings: replace(member_settings, calls=Calls.AT_ONCE),
            )

    def table(self) -> Message:
        """The message of the table."""
        return next(message for message in reversed(self.channel.public()) if list(custom_ids(message, "seats")))

    async def drawn(self) -> None:
        """Wait for the drawing that is under way."""
        await self.bot.services.publisher.drawn()

    async def tap(self, user: User, message: Message, verb: str, argument: str = "") -> Message:
        """Press a visible button; returns the answer."""
        (custom_id,) = (found for found in custom_ids(message, verb) if argument in ("", found.split(":")[-1]))
        sent = await self.discord.press(user, message, custom_id).finished()
        assert sent.acknowledged
        assert sent.answer is not None
        return sent.answer

    async def choose(self, user: User, message: Message, verb: str, value: str) -> Message:
        """Choose an option of a menu; returns what answers it."""
        (custom_id,) = custom_ids(message, verb)
        sent = await self.discord.press(user, message, custom_id, values=[value]).finished()
        assert sent.acknowledged
        assert sent.answer is not None
        return sent.answer

    async def open(self, *users: User) -> None:
        host, *guests = users
        await self.discord.slash(host, self.channel, "ofc play", game="pineapple").finished()
        for user, verb in (*((guest, "join") for guest in guests), (host, "start")):
            await self.drawn()
            await self.tap(user, self.table(), verb)
        await self.drawn()

    async def place_cards(self, user: User) -> None:
        """Place a street by presses, in the panel that My hand opens."""
        panel = await self.tap(user, self.table(), "hand")
        view = await self.look(user)
        assert view.hand is not None
        assert view.hand.mine is not None
        if view.hand.mine.fantasyland:
            letters = fantasyland_letters(view)
            for row in "BMF":
                places = [str(place) for place, letter in enumerate(letters) if letter == row]
                (menu,) = custom_ids(panel, f"set_{row.lower()}")
                answer = (await self.discord.press(user, panel, menu, values=places).finished()).answer
                assert answer is not None
                panel = answer
        else:
            for place, letter in enumerate(plain_letters(view)):
                if letter != DISCARD:
                    panel = await self.tap(user, panel, "card", str(place)) if place else panel
                    panel = await self.tap(user, panel, "row", letter)
        await self.tap(user, panel, "confirm")

    async def play_hand(self) -> None:
        """Play the running hand to its end."""
        while waiting := (await self.look()).waiting:
            await self.place_cards(next(user for user in map(self.user, range(4)) if str(user.id) == waiting[0]))
            await self.drawn()


async def make_bot(
    discord: Standin,
    folder: Path,
    *,
    now_ms: Callable[[], int] = now_ms,
    think: Placer = quickly,
    page_url: str = "",
    client_secret: str = "",
) -> ChaipoBot:
    """Start the bot on a folder's data, and close it at the end. On a simulated loop, its database uses no threads."""
    if isinstance(asyncio.get_running_loop(), SimulatedLoop):
        database = await Disk(folder / "chaipo.db", Random(1)).open(_fail)
    else:
        database = await SqliteDatabase.open(folder / "chaipo.db", connect=hurried)
    discord.closing.push_async_callback(database.close)
    vault = FixedVault.open(folder / "chaipo.key")
    return build_bot(
        Resources(database=database, vault=vault, master=think),
        OperatorChoices(policy=ROOMY, rates=HASTY, shard_count=1, redraw_pause=0),
        WebSettings(url=page_url, secret=client_secret),
        now_ms=now_ms,
    )


def _fail(trouble: StoreUnavailableError) -> None:
    raise trouble
