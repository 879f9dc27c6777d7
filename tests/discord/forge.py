"""Presses that no client would send: forged, doubled, late, or several at the same moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from simcord.backend import serializers
from simcord.interactions import base_payload

from tests.discord.club import Club, Screen

COMMAND, COMPONENT, MODAL = 2, 3, 5
BUTTON, STRING_SELECT = 2, 3


@dataclass
class Interaction:
    """An interaction to be delivered, as often as wanted."""

    club: Club
    record: Any
    payload: dict[str, Any] = field(repr=False)

    def deliver(self) -> None:
        """Hand it to the bot, without waiting for anything."""
        self.club.backend.emit("INTERACTION_CREATE", self.payload)

    @property
    def acknowledged(self) -> bool:
        """True when Discord has its answer."""
        return bool(self.record.responded)

    @property
    def answers(self) -> list[Screen]:
        """The private messages that it made, or the panel that it redrew."""
        numbers = [self.record.message_id, *self.record.followup_ids]
        screens = [Screen(self.club, self.record.channel_id, number) for number in numbers if number]
        return [screen for screen in screens if not screen.gone and self._for_him(screen)]

    def _for_him(self, screen: Screen) -> bool:
        return bool(screen.message.is_ephemeral and screen.message.visible_to(self.record.user_id))

    @property
    def said(self) -> str:
        """Return the text of the answers."""
        return "\n".join(screen.text for screen in self.answers)


def forged_press(
    club: Club,
    name: str,
    screen: Screen,
    custom_id: str,
    *,
    values: Sequence[str] | None = None,
    id: int = 0,
    guild: bool = True,
) -> Interaction:
    """A press on a message with any custom id; with ``values`` of a select, and with an interaction id of choice.

    One of a direct message is in no ``guild``.
    """
    data: dict[str, Any] = {"custom_id": custom_id, "component_type": BUTTON}
    if values is not None:
        data |= {"component_type": STRING_SELECT, "values": list(values)}
    record, payload = base_payload(
        club.backend,
        type=COMPONENT,
        channel_id=screen.channel_id,
        guild_id=club.guild.id if guild else None,
        user_id=club.members[name].id,
        data=data,
    )
    payload["message"] = dict(serializers.message_payload(club.backend, screen.message))
    record.source_message_id = screen.id
    if id:
        _rename(club, record, payload, id)
    return Interaction(club, record, payload)


def forged_form(club: Club, name: str, screen: Screen, custom_id: str, written: Sequence[str]) -> Interaction:
    """A form that was opened on a message, with any custom id and texts."""
    fields = [
        {"type": 18, "component": {"type": 4, "custom_id": str(place), "value": text}}
        for place, text in enumerate(written)
    ]
    record, payload = base_payload(
        club.backend,
        type=MODAL,
        channel_id=screen.channel_id,
        guild_id=club.guild.id,
        user_id=club.members[name].id,
        data={"custom_id": custom_id, "components": fields},
    )
    payload["message"] = dict(serializers.message_payload(club.backend, screen.message))
    record.source_message_id = screen.id
    return Interaction(club, record, payload)


def forged_command(
    club: Club, name: str, command: str, *, guild: bool, given: Sequence[dict[str, Any]] = ()
) -> Interaction:
    """Return a command typed in the server, or in a direct message, where clients don't offer it.

    ``given`` are the options in Discord's format.
    """
    user = club.members[name].user
    root, *path = command.split()
    options: list[dict[str, Any]] = [{"name": part, "type": 1, "options": [*given]} for part in path] or [*given]
    data = {"id": club.backend.find_command(root, None)["id"], "name": root, "type": 1, "options": options}
    record, payload = base_payload(
        club.backend,
        type=COMMAND,
        channel_id=club.channel.id if guild else user.dm_channel.id,
        guild_id=club.guild.id if guild else None,
        user_id=user.id,
        data=data,
    )
    return Interaction(club, record, payload)


def _rename(club: Club, record: Any, payload: dict[str, Any], number: int) -> None:
    del club.backend.interactions[record.id]
    record.id = number
    club.backend.interactions[number] = record
    club.backend.interaction_tokens[record.token] = number
    payload["id"] = str(number)


async def deliver(*interactions: Interaction) -> None:
    """Deliver all at the same moment, and wait until the bot has done with them."""
    for interaction in interactions:
        interaction.deliver()
    await interactions[0].club.settle()


async def forge(
    club: Club, name: str, screen: Screen, custom_id: str, *, values: Sequence[str] | None = None
) -> Interaction:
    """Deliver one forged press; it must be acknowledged."""
    interaction = forged_press(club, name, screen, custom_id, values=values)
    await deliver(interaction)
    assert interaction.acknowledged, f"{custom_id} was not answered"
    return interaction


async def check_deal(club: Club, name: str, *, table: int = 1, hand: int = 1) -> Screen:
    """Press the button that checks a deal, as an older message has it; returns the verdict, or why there is none."""
    pressed = await forge(club, name, club.public()[-1], f"c1:verify:{table}:{hand}:0:::")
    return pressed.answers[-1]
