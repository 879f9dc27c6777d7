"""The wire: where every request passes on its way to Discord, and every text is read and written.

Requests are led through a station of ours, also those that discord.py repeats by itself; aiohttp tells a trace of it
all, step by step, which takes longer than what is done here. They go to Discord, or to a proxy such as nirn-proxy,
which keeps Discord's limits for all processes of a bot and is asked the same by the same paths: answers to interactions
too, which carry no token of the bot's, and so do not wait for its budget. The gateway is Discord's own in either case.

discord.py does its JSON with orjson, which is faster than Python's own but refuses half of a surrogate pair. A client
can send one, and discord.py would take the refusal for the end of the connection: such texts go through Python's own.

The bot's own messages are not taken apart when Discord sends them: the bot knows what it has written.

Every press brings the message that was pressed, and every answer, post and edit brings what was written back.
discord.py builds objects of all of it, which costs more than the rest of a press's way through it. Only messages that
somebody looks for (``channel.history``) are read whole.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import aiohttp
import discord
from discord import utils
from discord.http import INTERNAL_API_VERSION, HTTPClient, MultipartParameters, Route, handle_message_parameters
from discord.utils import MISSING
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

from bot.model.refusals import StorageTroubleError
from bot.ui.reply import NO_PINGS
from bot.ui.widgets import Interaction, Screen

Send: TypeAlias = Callable[[], Awaitable[aiohttp.ClientResponse]]
Station: TypeAlias = Callable[[Send], Awaitable[aiohttp.ClientResponse]]
"""Sends a request when it is time, and gives on how it was answered."""

PROXY_IS_WELL = "/nirn/healthz"
"""The address that nirn-proxy itself answers with 200."""
_fast_read, _fast_write = utils._from_json, utils._to_json  # noqa: SLF001


def lead_through(http: HTTPClient, station: Station, *, on_unauthorized: Callable[[], None] | None = None) -> None:
    """Send every request of a client that has logged in through ``station``; discord.py has no other door for this.

    ``on_unauthorized`` is called if Discord answers 401 to a request with the bot's token. A simulated Discord has no
    wire.
    """
    session: Any = http._HTTPClient__session  # type: ignore[attr-defined]  # noqa: SLF001
    if session is None:
        return
    send = session._request  # noqa: SLF001

    async def request(*what: Any, **options: Any) -> aiohttp.ClientResponse:
        response = await station(partial(send, *what, **options))
        if on_unauthorized is not None and response.status == UNAUTHORIZED and _has_token(options.get("headers")):
            on_unauthorized()
        return response

    session._request = request  # noqa: SLF001


def _has_token(headers: Mapping[str, str] | None) -> bool:
    """True if a request carries the bot's token; answers to interactions have tokens of their own."""
    return (headers or {}).get("Authorization", "").startswith("Bot ")


def go_through(proxy: str) -> None:
    """Ask this address, such as ``http://10.0.0.7:8080``, from now on whatever Discord is to be asked."""
    Route.BASE = f"{proxy}/api/v{INTERNAL_API_VERSION}"


def take_every_text() -> None:
    """Have discord.py fall back to Python's own JSON."""
    utils._from_json, utils._to_json = _read, _write  # noqa: SLF001


def _read(text: Any) -> Any:
    try:
        return _fast_read(text)
    except ValueError:
        return json.loads(text)


def _write(obj: Any) -> str:
    try:
        return _fast_write(obj)
    except TypeError:
        return json.dumps(obj, separators=(",", ":"))


# Trouble that passes, of Discord, the network or the storage: worth a line in the log, and no traceback.

UNAUTHORIZED = 401
SERVER_ERROR = 500
WEATHER = (discord.RateLimited, aiohttp.ClientError, OSError, StorageTroubleError)
"""An OSError is a socket's; a TimeoutError is one too."""
_SPEAKERS = ("discord.client", "discord.app_commands.tree", "discord.ext.tasks")
"""Where discord.py logs what a listener, a suggestion or a task of ours has raised."""


def listen() -> None:
    """From now on discord.py tells of such trouble in one line."""
    for name in _SPEAKERS:
        logging.getLogger(name).addFilter(_shortened)


def passes(error: BaseException) -> bool:
    """True for such trouble, which is no fault of the bot's."""
    if isinstance(error, discord.HTTPException):
        # A token that was reset is put right by a restart, which draws what is due.
        return error.status >= SERVER_ERROR or (error.status == UNAUTHORIZED and error.code == 0)
    return isinstance(error, WEATHER)


def _shortened(record: logging.LogRecord) -> bool:
    """Let everything pass, but bad weather without its traceback."""
    error = record.exc_info[1] if record.exc_info else None
    if error is not None and passes(error):
        record.msg, record.args, record.exc_info = f"{record.getMessage()}: {error!r}", (), None
        record.levelno, record.levelname = logging.WARNING, logging.getLevelName(logging.WARNING)
    return True


READ = frozenset(("id", "type", "content", "channel_id", "flags"))
"""The fields read of a message of the bot: discord.py builds none without the first four."""
PROMISED_EDIT, EDIT = 6, 7
"""Answers that show nothing new: the message that they speak of is the one that was pressed."""

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeFor:
    """Whose press or command a message answers."""

    user: discord.Object


@dataclass(frozen=True, slots=True, kw_only=True)
class PressedMessage:
    """The message that was pressed, under the names that discord.py gives its parts."""

    id: int
    flags: discord.MessageFlags
    interaction_metadata: MadeFor | None
    parts: Sequence[Json]
    """Its components, as Discord has them."""


def read_little_of_own_messages(client: discord.Client) -> None:
    """Have discord.py take apart no more of them than is asked for; it has no other door for this."""
    state, http = client._connection, client.http  # noqa: SLF001
    state.parsers["INTERACTION_CREATE"] = _pressed(state, state.parsers["INTERACTION_CREATE"])
    http.send_message = _shortening(http.send_message)  # type: ignore[method-assign]
    # discord.py has one of these for the whole process.
    adapter = async_context.get()
    if "create_interaction_response" not in vars(adapter):
        adapter.create_interaction_response = _answering(adapter)  # type: ignore[method-assign]
        for name in ("edit_original_interaction_response", "execute_webhook", "edit_webhook_message"):
            setattr(adapter, name, _shortening(getattr(adapter, name)))


async def edit(message: discord.PartialMessage, screen: Screen, *, file: discord.File | None = None) -> None:
    """Show ``screen`` in a message. Its own ``edit`` makes an object of what comes back; it raises the same.

    ``file`` takes the place of what was attached; without one that stays.
    """
    attachments = MISSING if file is None else [file]
    with handle_message_parameters(view=screen, attachments=attachments, allowed_mentions=NO_PINGS) as params:
        await message._state.http.edit_message(message.channel.id, message.id, params=params)  # noqa: SLF001


async def edit_answer(interaction: Interaction, screen: Screen) -> None:
    """The same in the first answer to an interaction."""
    http = interaction.client.http
    with handle_message_parameters(view=screen, allowed_mentions=NO_PINGS) as params:
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
        # As discord.py does it, but for its views, of which there are none.
        little: Any = {key: value for key, value in data.items() if key != "message"}
        interaction: discord.Interaction[Any] = discord.Interaction(data=little, state=state)
        message: Json = data["message"]
        made_for = message.get("interaction_metadata")
        interaction.message = PressedMessage(  # type: ignore[assignment]
            id=int(message["id"]),
            flags=discord.MessageFlags._from_value(message.get("flags", 0)),  # noqa: SLF001
            interaction_metadata=made_for and MadeFor(user=discord.Object(made_for["user"]["id"])),
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
        """Answer an interaction. Discord sends back what it made of it only where a new message is shown."""
        route = Route("POST", "/interactions/{webhook_id}/{webhook_token}/callback", webhook_id=id, webhook_token=token)
        if params.files:
            options |= {"files": params.files, "multipart": params.multipart}
        else:
            options["payload"] = params.payload
        known = params.payload is not None and params.payload["type"] in (PROMISED_EDIT, EDIT)
        data = await adapter.request(route, params=None if known else {"with_response": "1"}, **options)
        return {"interaction": {"id": str(id)} if known else data["interaction"]}

    return answer
