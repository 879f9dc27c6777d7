"""The puzzle of the day in the morning post."""

from __future__ import annotations

from collections.abc import Collection

from bot.chat.kit.added_parts import AddedParts
from bot.chat.kit.faces import Faces
from bot.chat.trainer.screens.day import morning_parts
from bot.model.bulletins import Bulletin
from bot.model.ids import GuildId
from bot.play.trainer.use_cases import Trainer
from bot.text.words import Words


class DayPuzzlePart:
    """Adds the result of the last puzzle of the day, and the new one, to the morning post."""

    def __init__(self, trainer: Trainer) -> None:
        self._trainer = trainer

    async def parts(
        self, guild: GuildId, bulletin: Bulletin, at: int, words: Words, faces: Faces, *, open_channels: Collection[int]
    ) -> AddedParts | None:
        """Return what the post for hour ``at`` shows; None if there is nothing."""
        morning = await self._trainer.morning(guild, bulletin, at, open_channels=open_channels)
        if morning.asked is None and morning.result is None:
            return None
        return morning_parts(morning, guild, words, faces)
