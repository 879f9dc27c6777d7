"""The bot's own messages, whose contents aren't requested again."""

import discord

from bot.chat.kit.widgets import Interaction, notice
from tests.standin.standin import custom_ids
from tests.standin.wired_bot import WiredBot


async def test_an_answer_is_asked_back_only_where_it_is_a_new_message(wired: WiredBot) -> None:
    await wired.open(wired.user(0), wired.user(1))
    (waiting,) = (await wired.look()).waiting
    first = wired.user(int(str(wired.user(1).id) == waiting))
    wired.discord.requests.clear()
    panel = await wired.tap(first, wired.table(), "hand")
    panel = await wired.tap(first, panel, "row", "B")
    asked = [request.query for request in wired.discord.requests if request.kind == "callback"]
    assert asked == [{"with_response": "1"}, {}]
    # Yet both are known: an older panel goes when a newer one is opened, and the newest is kept true.
    newer = await wired.tap(first, wired.table(), "hand")
    assert panel.id not in wired.channel.messages
    assert list(custom_ids(newer, "row"))


async def test_of_a_message_that_was_pressed_no_object_of_discord_py_is_made(wired: WiredBot) -> None:
    await wired.open(wired.user(0), wired.user(1))
    panel = await wired.tap(wired.user(0), wired.table(), "hand")
    pressed: list[Interaction] = []

    async def listen(interaction: Interaction) -> None:
        pressed.append(interaction)

    wired.bot.add_listener(listen, "on_interaction")
    wired.discord.press(wired.user(0), panel, "c1:panel:1:1:1:::")
    await wired.discord.press(wired.user(0), panel, "c1:panel:1:1:1:::").finished()
    for message in [interaction.message for interaction in pressed]:
        assert message is not None
        assert (message.id, message.flags.ephemeral) == (panel.id, True)
        assert not isinstance(message, discord.Message)
    assert len(pressed) == 2


async def test_of_a_later_message_no_component_is_read(wired: WiredBot) -> None:
    await wired.open(wired.user(0), wired.user(1))
    pressed: list[Interaction] = []

    async def listen(interaction: Interaction) -> None:
        pressed.append(interaction)

    wired.bot.add_listener(listen, "on_interaction")
    await wired.tap(wired.user(0), wired.table(), "hand")
    sent = await pressed[0].followup.send(view=notice("Hello", colour=1), ephemeral=True, wait=True)
    edited = await pressed[0].followup.edit_message(sent.id, view=notice("Good evening", colour=1))
    assert (sent.id, sent.components, edited.components) == (edited.id, [], [])
    assert sent.id in wired.channel.messages
