"""The bot's own messages: what they say is not asked back."""

from bot.ui.widgets import Interaction
from tests.standin.room import Room
from tests.standin.standin import custom_ids


async def test_an_answer_is_asked_back_only_where_it_is_a_new_message(room: Room) -> None:
    await room.open(room.user(0), room.user(1))
    (waiting,) = (await room.look()).waiting
    first = room.user(int(str(room.user(1).id) == waiting))
    room.discord.requests.clear()
    panel = await room.tap(first, room.table(), "hand")
    panel = await room.tap(first, panel, "row", "B")
    asked = [request.query for request in room.discord.requests if request.kind == "callback"]
    assert asked == [{"with_response": "1"}, {}]
    # Yet both are known: an older panel goes when a newer one is opened, and the newest is kept true.
    newer = await room.tap(first, room.table(), "hand")
    assert panel.id not in room.channel.messages
    assert list(custom_ids(newer, "row"))


async def test_the_parts_of_a_message_that_was_pressed_are_not_kept(room: Room) -> None:
    await room.open(room.user(0), room.user(1))
    panel = await room.tap(room.user(0), room.table(), "hand")
    pressed: list[Interaction] = []

    async def listen(interaction: Interaction) -> None:
        pressed.append(interaction)

    room.bot.add_listener(listen, "on_interaction")
    room.discord.press(room.user(0), panel, "c1:panel:1:1:1:::")
    await room.discord.press(room.user(0), panel, "c1:panel:1:1:1:::").finished()
    for message in [interaction.message for interaction in pressed]:
        assert message is not None
        assert (message.id, message.flags.ephemeral, message.components) == (panel.id, True, [])
    assert len(pressed) == 2
