"""Pointing players who typed cards for a table, but have none to place there, to their puzzle or mistake."""

from __future__ import annotations

from bot.chat.kit.reply import Reply
from bot.play.trainer.mistake_use_cases import Mistakes
from bot.play.trainer.use_cases import Trainer
from bot.pure.ofc.refusals import Refused
from bot.text.refusals import refusal


async def pointed_on(refused: Refused, reply: Reply, trainer: Trainer, mistakes: Mistakes) -> str:
    """Return the refusal, and how to answer the puzzle or mistake that waits for the player.

    Raises it again if neither does.
    """
    told = []
    if await trainer.given(reply.player) is not None:
        told.append(reply.words("puzzle.typed_elsewhere"))
    if await mistakes.given(reply.player) is not None:
        told.append(reply.words("mistakes.typed_elsewhere"))
    if not told:
        raise refused
    return "\n".join([refusal(refused, reply.words), *told])
