"""The bot's application-wide assets on Discord: its commands and its card faces.

Both are uploaded in the background. In the meantime, commands that were already registered keep working, and cards are
shown as text until their faces are available. Failures are retried with increasing delays.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import discord
from discord import app_commands

from bot.chat.art.faces import DECK_MARKS, FACE_NAMES, FACES_DIGEST, FOUR_COLOURS, RANKS, TWO_COLOURED, draw_face
from bot.chat.kit.deferral import UNDELIVERED
from bot.chat.kit.faces import Faces

log = logging.getLogger(__name__)

FIRST_WAIT_SECONDS = 30.0
MAX_WAIT_SECONDS = 3600.0
LOOK_AGAIN_SECONDS = 20.0
"""Interval at which a process checks whether another one has uploaded the card faces."""
MAX_DECKS = 10
"""Number of emoji decks to keep, including the current one.

If an emoji is deleted, Discord shows its name in all messages that contain it, and results stay in channels for years.
An application can have 2,000 emojis; ten decks use 820 of them.
"""
REMOVAL_PAUSE_SECONDS = 2.0
"""Pause between removals, which aren't urgent and share a rate limit with presses."""
_IN_FULL = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
_RANKS = dict(zip(RANKS, _IN_FULL, strict=True))
_SUITS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
_SUITS_OF_TWO = {"d": "red_diamonds", "c": "black_clubs"}
_OTHERS = {"X1": "joker_card", "X2": "dark_joker_card", "back": "card_face_down", "slot": "empty_place"}
_NAMED = re.compile(r"([a-z_]+?)(|_[a-z])")
"""The pattern of an emoji name that could be one of the bot's cards."""


async def sync(
    what: str, work: Callable[[], Awaitable[None]], *, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
) -> None:
    """Run ``work``, and retry it as long as Discord fails."""
    wait = FIRST_WAIT_SECONDS
    while True:
        try:
            await work()
        except UNDELIVERED as error:
            log.warning("%s could not be uploaded to Discord, retrying in %.0f s: %r", what, wait, error)
        else:
            return
        await sleep(wait)
        wait = min(4 * wait, MAX_WAIT_SECONDS)


# commands


async def register(tree: app_commands.CommandTree[Any], guild: discord.abc.Snowflake | None) -> None:
    """Register the commands for one guild or for all, unless Discord already has exactly these.

    Discord is asked each time instead of keeping a record. This also detects changes made elsewhere, another
    application's token, and a restored database that is older than the commands.
    """
    if for_servers_alone(tree.client.application):
        for command in tree.get_commands(guild=guild):
            command.allowed_installs = app_commands.AppInstallationType(guild=True)
    wanted = await written_out(tree, guild)
    known = await _commands(tree.client, guild, "GET", params={"with_localizations": "true"})
    own = [command for command in known if command["type"] in _OWN_TYPES]
    if _same(wanted, own):
        log.info("the %s commands are already registered", len(wanted))
        return
    others = [command for command in known if command["type"] not in _OWN_TYPES]
    await _commands(tree.client, guild, "PUT", json=[*wanted, *map(_as_found, others)])
    log.info("%s commands were registered", len(wanted))


def for_servers_alone(application: discord.AppInfo | None) -> bool:
    """True if the application's settings exclude user installs, so that no command may offer one."""
    if application is None or application.guild_integration_config is None:
        return False
    return application.user_integration_config is None


async def written_out(tree: app_commands.CommandTree[Any], guild: discord.abc.Snowflake | None) -> list[dict[str, Any]]:
    """Return the commands' payloads in all locales."""
    assert tree.translator is not None
    return [await command.get_translated_payload(tree, tree.translator) for command in tree.get_commands(guild=guild)]


async def _commands(
    client: discord.Client, guild: discord.abc.Snowflake | None, method: str, **said: Any
) -> list[dict[str, Any]]:
    # discord.py's own methods either leave out the translations or translate everything again.
    place = "" if guild is None else f"/guilds/{guild.id}"
    route = discord.http.Route(method, f"/applications/{client.application_id}{place}/commands")
    found: list[dict[str, Any]] = await client.http.request(route, **said)
    return found


_OWN_TYPES = frozenset(kind.value for kind in discord.AppCommandType)
"""Slash commands and menu entries. The Activity's entry point is Discord's own, and lists without it are refused."""
_NOT_SENT = frozenset(("application_id", "guild_id", "version", "name_localized", "description_localized"))
"""Fields of a command that Discord sends but doesn't accept."""


def _as_found(command: Mapping[str, Any]) -> dict[str, Any]:
    """Return the payload that leaves a command unchanged."""
    return {name: value for name, value in command.items() if name not in _NOT_SENT}


_ADDED = frozenset(
    {
        "id",
        "application_id",
        "guild_id",
        "version",
        "handler",
        "default_permission",
        "dm_permission",
        "contexts",
        "integration_types",
        "name_localized",
        "description_localized",
    }
)
"""Fields that Discord adds if a command doesn't set them."""


def _same(wanted: Sequence[Mapping[str, Any]], known: Sequence[Mapping[str, Any]]) -> bool:
    """True if Discord has exactly these commands, in any order."""
    one, other = ({(command["type"], command["name"]): command for command in commands} for commands in (wanted, known))
    return one.keys() == other.keys() and all(_equal(one[name], other[name]) for name in one)


def _equal(wanted: Any, known: Any) -> bool:
    """True if both are equivalent, although Discord leaves out empty values and writes permissions as text."""
    if wanted == known:
        return True
    if isinstance(wanted, Mapping):
        known = known or {}
        said = {name for name, value in wanted.items() if value is not None or name not in _ADDED}
        return all(_equal(wanted.get(name), known.get(name)) for name in said | (known.keys() - _ADDED))
    if isinstance(wanted, list | tuple):
        known = known or []
        return len(wanted) == len(known) and all(map(_equal, wanted, known))
    return str(wanted or 0) == str(known or 0)


# card faces


def emoji_name(face: str) -> str:
    """Return a card's emoji name, in words for screen readers and with its deck's mark, such as ``ten_hearts``."""
    return _in_words(face) + DECK_MARKS[FACES_DIGEST]


def _in_words(face: str) -> str:
    if face in _OTHERS:
        return _OTHERS[face]
    suits = _SUITS_OF_TWO if face.endswith(TWO_COLOURED) and len(face) > len("As") else _SUITS
    return f"{_RANKS[face[0]]}_{suits[face[1]]}"


_IN_WORDS = {*map(_in_words, FACE_NAMES)}


async def upload_card_emojis(client: discord.Client, faces: Faces) -> None:
    """Use the application's card emojis, upload missing ones, and then delete the oldest decks."""
    known = await client.fetch_application_emojis()
    present = {emoji.name: emoji for emoji in known}
    # The four-coloured deck comes first because it's the default, and only some players choose the two-coloured one.
    for names in (FOUR_COLOURS, FACE_NAMES):
        await _upload(client, names, present)
        faces.use({name: _partial(present[emoji_name(name)]) for name in names})
    for emoji in _old_emojis(known):
        await asyncio.sleep(REMOVAL_PAUSE_SECONDS)
        await emoji.delete()
        log.info("the card %s of an older deck was removed", emoji.name)


async def await_faces(client: discord.Client, faces: Faces) -> None:
    """Use the application's card emojis once another process has uploaded them."""
    while True:
        with suppress(*UNDELIVERED):
            present = {emoji.name: emoji for emoji in await client.fetch_application_emojis()}
            if all(emoji_name(name) in present for name in FACE_NAMES):
                faces.use({name: _partial(present[emoji_name(name)]) for name in FACE_NAMES})
                return
        await asyncio.sleep(LOOK_AGAIN_SECONDS)


async def _upload(client: discord.Client, names: Sequence[str], present: dict[str, discord.Emoji]) -> None:
    """Draw and upload the missing faces of ``names``, and add them to ``present``."""
    missing = tuple(name for name in names if emoji_name(name) not in present)
    drawn = await asyncio.get_running_loop().run_in_executor(None, _draw_faces, missing)
    for name, image in drawn.items():
        emoji = await client.create_application_emoji(name=emoji_name(name), image=image)
        present[emoji.name] = emoji


def _partial(emoji: discord.Emoji) -> discord.PartialEmoji:
    return discord.PartialEmoji(name=emoji.name, id=emoji.id)


def _old_emojis(emojis: Iterable[discord.Emoji]) -> list[discord.Emoji]:
    """Return the emojis of all but the newest ``MAX_DECKS`` decks. Emojis that aren't cards are never included."""
    decks: dict[str, list[discord.Emoji]] = {}
    for emoji in emojis:
        deck = _deck_of(emoji.name)
        if deck is not None and deck != DECK_MARKS[FACES_DIGEST]:
            decks.setdefault(deck, []).append(emoji)
    newest_first = sorted(decks.values(), key=lambda deck: max(emoji.id for emoji in deck), reverse=True)
    return [emoji for deck in newest_first[MAX_DECKS - 1 :] for emoji in deck]


def is_card(name: str) -> bool:
    """True if an emoji is one of the bot's cards, from any deck."""
    return _deck_of(name) is not None


def _deck_of(name: str) -> str | None:
    """Return the deck of a card's emoji; None if it isn't one of the bot's cards."""
    match = _NAMED.fullmatch(name)
    return match[2] if match and match[1] in _IN_WORDS else None


def _draw_faces(names: Iterable[str]) -> Mapping[str, bytes]:
    """Return the pictures for ``names``. Drawing all of them takes one or two seconds."""
    return {name: draw_face(name) for name in names}
