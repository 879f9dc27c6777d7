"""Editing the bot's own messages, and parsing only those parts of them that the bot needs.

Each interaction includes the message that was pressed, and each response, post and edit returns the new message.
discord.py would parse all of it, which would take longer than the rest of handling an interaction. The bot knows what
it wrote, so only messages read with ``channel.history`` are fully parsed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import discord
from discord import ui
from discord.http import MultipartParameters, Route, handle_message_parameters
from discord.utils import MISSING
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

READ = frozenset(("id", "type", "content", "channel_id", "flags"))
"""The fields of the bot's messages that are read. discord.py requires the first four."""
PROMISED_EDIT, EDIT = 6, 7
"""Types of responses that create no message, because they concern the message that was pressed."""

Json = Mapping[str, Any]
NOBODY = discord.AllowedMentions.none()
"""Edits have no mentions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageUser:
    """The user whose interaction a message responds to."""

    user: discord.Object


@dataclass(frozen=True, slots=True, kw_only=True)
class PressedMessage:
    """The message that was pressed, with discord.py's names for its parts."""

    id: int
    flags: discord.MessageFlags
    interaction_metadata: MessageUser | None
    parts: Sequence[Json]
    """Its components in Discord's format."""


def trim_message_parsing(client: discord.Client) -> None:
    """Make discord.py parse only the fields that are needed. It has no public API for this."""
    state, http = client._connection, client.http  # noqa: SLF001
    state.parsers["INTERACTION_CREATE"] = _pressed(state, state.parsers["INTERACTION_CREATE"])
    http.send_message = _shortening(http.send_message)  # type: ignore[method-assign]
    # discord.py has a single adapter for the whole process.
    adapter = async_context.get()
    if "create_interaction_response" not in vars(adapter):
        adapter.create_interaction_response = _answering(adapter)  # type: ignore[method-assign]
        for name in ("edit_original_interaction_response", "execute_webhook", "edit_webhook_message"):
            setattr(adapter, name, _shortening(getattr(adapter, name)))


async def edit(message: discord.PartialMessage, screen: ui.LayoutView, *, file: discord.File | None = None) -> None:
    """Show ``screen`` in a message. Unlike the message's own ``edit``, it doesn't parse the result.

    It raises the same errors.

    ``file`` replaces the attachments. Without it, they're kept.
    """
    attachments = MISSING if file is None else [file]
    with handle_message_parameters(view=screen, attachments=attachments, allowed_mentions=NOBODY) as params:
        await message._state.http.edit_message(message.channel.id, message.id, params=params)  # noqa: SLF001


async def edit_answer(interaction: discord.Interaction[Any], screen: ui.LayoutView) -> None:
    """Show ``screen`` in the first response to an interaction, without parsing the result."""
    http = interaction.client.http
    with handle_message_parameters(view=screen, allowed_mentions=NOBODY) as params:
        await async_context.get().edit_original_interaction_response(
            interaction.application_id,
            interaction.token,
            session=interaction._session,  # noqa: SLF001
            proxy=http.proxy,
            proxy_auth=http.proxy_auth,
            payload=params.payload,
        )


def _short(message: Json) -> Json:
    return {"components": [], **{key: message[key] for key in READ & message.keys()}}


def _pressed(state: Any, parse: Callable[[Any], None]) -> Callable[[Any], None]:
    def parse_little(data: dict[str, Any]) -> None:
        if "message" not in data:
            parse(data)
            return
        # This is discord.py's code without its views, because the bot has none.
        little: Any = {key: value for key, value in data.items() if key != "message"}
        interaction: discord.Interaction[Any] = discord.Interaction(data=little, state=state)
        message: Json = data["message"]
        made_for = message.get("interaction_metadata")
        interaction.message = PressedMessage(  # type: ignore[assignment]
            id=int(message["id"]),
            flags=discord.MessageFlags._from_value(message.get("flags", 0)),  # noqa: SLF001
            interaction_metadata=made_for and MessageUser(user=discord.Object(made_for["user"]["id"])),
            parts=message.get("components", ()),
        )
        state.dispatch("interaction", interaction)

    return parse_little


def _shortening(ask: Callable[..., Any]) -> Callable[..., Any]:
    async def ask_and_shorten(*args: Any, **options: Any) -> Any:
        message = await ask(*args, **options)
        return None if message is None else _short(message)

    return ask_and_shorten


def _answering(adapter: AsyncWebhookAdapter) -> Callable[..., Any]:
    async def answer(id: int, token: str, *, params: MultipartParameters, **options: Any) -> Any:
        """Respond to an interaction. Discord is asked to return the message only if it's a new one."""
        route = Route("POST", "/interactions/{webhook_id}/{webhook_token}/callback", webhook_id=id, webhook_token=token)
        if params.files:
            options |= {"files": params.files, "multipart": params.multipart}
        else:
            options["payload"] = params.payload
        known = params.payload is not None and params.payload["type"] in (PROMISED_EDIT, EDIT)
        data = await adapter.request(route, params=None if known else {"with_response": "1"}, **options)
        return {"interaction": {"id": str(id)} if known else data["interaction"]}

    return answer
