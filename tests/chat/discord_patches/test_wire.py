"""discord.py's input and output: any text, including text that its JSON library refuses."""

import json

import pytest
from discord import utils

from bot.chat.discord_patches.wire import take_every_text

TEXTS = ("", "Fantasyland", "役なし", "🃏", "\ud83c", "a\udcffb", "\x00")


@pytest.mark.parametrize("text", TEXTS)
def test_every_text_is_read_and_written(text: str) -> None:
    take_every_text()
    assert utils._from_json(json.dumps({"name": text})) == {"name": text}  # noqa: SLF001
    assert json.loads(utils._to_json({"name": text})) == {"name": text}  # noqa: SLF001


def test_what_is_no_json_is_refused() -> None:
    take_every_text()
    with pytest.raises(json.JSONDecodeError):
        utils._from_json('{"name":')  # noqa: SLF001
