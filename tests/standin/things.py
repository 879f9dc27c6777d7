"""The stand-in's objects: users, servers, channels and messages. Ids are derived from small numbers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.discord.messages import text_of, walk

Json = dict[str, Any]

GUILD_IDS = 10**18
CHANNEL_IDS = 2 * 10**18
USER_IDS = 3 * 10**18
BOT_ID = 4 * 10**18
CHANNELS_PER_GUILD = 10_000

EPHEMERAL = 1 << 6
LOADING = 1 << 7
EVERYTHING = (1 << 53) - 1
"""All permissions."""
MANAGE_GUILD = 1 << 5
VIEW_CHANNEL = 1 << 10
READ_MESSAGE_HISTORY = 1 << 16
SEND_MESSAGES = 1 << 11
DEFAULT_PERMISSIONS = 0x4_0000_0C00 | 1 << 31 | 1 << 38
"""See, write, use commands, write in threads."""

BOT_USER: Json = {
    "id": str(BOT_ID),
    "username": "Chaipo",
    "discriminator": "0",
    "global_name": None,
    "avatar": None,
    "bot": True,
    "flags": 0,
}
_BOT_TEXT = json.dumps(BOT_USER, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class User:
    """A Discord user, the same in every server."""

    id: int
    locale: str = "en-US"
    manager: bool = False
    """True for a user who may manage every server."""

    @property
    def payload(self) -> Json:
        """Return the object as sent to the bot."""
        return {
            "id": str(self.id),
            "username": f"user{self.id - USER_IDS}",
            "discriminator": "0",
            "global_name": None,
            "avatar": None,
        }


FREE_ROLE = 77
"""A role of every server, without any power."""


@dataclass(slots=True, eq=False)
class Guild:
    """A server. ``features`` with ``COMMUNITY`` make its locale count."""

    id: int
    locale: str = "en-US"
    features: tuple[str, ...] = ()
    channels: dict[int, Channel] = field(default_factory=dict, repr=False)
    calendar: dict[int, Json] = field(default_factory=dict, repr=False)
    """Its scheduled events as Discord sends them, by id."""
    interested: dict[int, list[User]] = field(default_factory=dict, repr=False)
    """The people who have said of a scheduled event that they come."""
    bot_permissions: int | None = None
    """Permissions of the bot's own role; None if Discord hasn't sent the bot's member here."""
    roles: dict[int, set[int]] = field(default_factory=dict, repr=False)
    """The roles that members were given, by user."""
    left: set[int] = field(default_factory=set, repr=False)
    """Users who are no members any more."""

    @property
    def payload(self) -> Json:
        """The body of GUILD_CREATE, as far as the bot's intents go."""
        return {
            "id": str(self.id),
            "name": f"guild{self.id - GUILD_IDS}",
            "owner_id": str(USER_IDS),
            "unavailable": False,
            "member_count": 100,
            "preferred_locale": self.locale,
            "features": list(self.features),
            "verification_level": 0,
            "default_message_notifications": 0,
            "roles": [self._role(self.id, DEFAULT_PERMISSIONS), self._role(FREE_ROLE, 0), *self._bots_role()],
            "emojis": [],
            "stickers": [],
            "members": [
                {"user": BOT_USER, "roles": [role["id"]], "joined_at": None, "deaf": False, "mute": False, "flags": 0}
                for role in self._bots_role()
            ],
            "channels": [channel.payload for channel in self.channels.values() if channel.parent is None],
            "threads": [thread.payload for thread in self.threads()],
        }

    @staticmethod
    def _role(id: int, permissions: int) -> Json:
        about = {"color": 0, "hoist": False, "managed": False, "mentionable": False, "flags": 0, "position": 0}
        return {"id": str(id), "name": str(id), "permissions": str(permissions), **about}

    @property
    def reads_history(self) -> bool:
        """False where the bot lacks that: Discord gives it no messages then, and refuses nothing."""
        return self.bot_permissions is None or bool((self.bot_permissions | DEFAULT_PERMISSIONS) & READ_MESSAGE_HISTORY)

    def _bots_role(self) -> list[Json]:
        return [] if self.bot_permissions is None else [self._role(BOT_ID, self.bot_permissions) | {"position": 1}]

    def threads(self) -> list[Channel]:
        """Its threads that are not archived."""
        return [channel for channel in self.channels.values() if channel.parent is not None and not channel.archived]


@dataclass(slots=True, eq=False)
class Channel:
    """A text channel or thread with its messages, oldest first, including private ones."""

    id: int
    guild: Guild = field(repr=False)
    messages: dict[int, Message] = field(default_factory=dict, repr=False)
    bot_permissions: int = EVERYTHING
    """The bot's permissions according to Discord. To have requests refused as well, let the hook do so."""
    name: str = "cards"
    parent: Channel | None = field(default=None, repr=False)
    """The channel of a thread, which is the bot's."""
    archived: bool = False
    silenced: set[str] = field(default_factory=set)
    """Those who may not write here."""
    hidden: bool = False
    """True for one that only those see who manage the server."""
    members: set[str] = field(default_factory=set)
    """The members of a thread, who were notified of a message in it."""

    @property
    def payload(self) -> Json:
        """Return the object as sent to the bot."""
        if self.parent is not None:
            return self._thread
        everybody = {"id": str(self.guild.id), "type": 0, "allow": "0", "deny": str(VIEW_CHANNEL)}
        return {
            "id": str(self.id),
            "guild_id": str(self.guild.id),
            "type": 0,
            "name": self.name,
            "position": 0,
            "permission_overwrites": [
                *([everybody] if self.hidden else []),
                *({"id": user, "type": 1, "allow": "0", "deny": str(SEND_MESSAGES)} for user in sorted(self.silenced)),
            ],
            "nsfw": False,
        }

    @property
    def _thread(self) -> Json:
        assert self.parent is not None
        about = {"archived": self.archived, "locked": False, "auto_archive_duration": 1440}
        return {
            "id": str(self.id),
            "guild_id": str(self.guild.id),
            "parent_id": str(self.parent.id),
            "owner_id": str(BOT_ID),
            "type": 11,
            "name": self.name,
            "message_count": len(self.messages),
            "member_count": 1,
            "thread_metadata": about | {"archive_timestamp": "2026-01-01T00:00:00+00:00"},
        }

    def public(self) -> list[Message]:
        """Return the public messages, oldest first."""
        return [message for message in self.messages.values() if message.owner is None]

    def private(self, user: User) -> list[Message]:
        """Return the messages that only this user sees, oldest first."""
        return [message for message in self.messages.values() if message.owner == user.id]


@dataclass(slots=True, eq=False)
class Message:
    """A message of the bot. It's stored as written, and parsed only on access."""

    id: int
    channel: Channel = field(repr=False)
    body: str
    """The JSON object of the last request that wrote it."""
    owner: int | None
    """The id of the only person who sees it; None for a public message."""
    flags: int
    metadata: str = ""
    """``interaction_metadata`` as JSON, for an answer to an interaction."""
    edits: int = 0

    @property
    def components(self) -> list[Json]:
        """Its components."""
        return list(json.loads(self.body).get("components") or [])

    @property
    def text(self) -> str:
        """The message's text."""
        return text_of(self.components)

    def controls(self) -> Iterator[Json]:
        """Its buttons and menus, the disabled ones too."""
        return (component for component in walk(self.components) if "custom_id" in component)

    def payload(self) -> str:
        """Return the message in Discord's format. Later keys win, and the bot's are between ours."""
        written = self.body[1:-1]
        parts = [
            '"content":"","embeds":[],"components":[]',
            written,
            f'"id":"{self.id}","channel_id":"{self.channel.id}","author":{_BOT_TEXT},"flags":{self.flags},"type":0,'
            '"edited_timestamp":null,"mentions":[],"mention_roles":[],"mention_everyone":false,"pinned":false',
            self.metadata and f'"interaction_metadata":{self.metadata}',
        ]
        return "{" + ",".join(part for part in parts if part) + "}"

    def write(self, body: str) -> None:
        """Replace what a request names."""
        if '"components":' not in body:
            body = json.dumps({**json.loads(self.body), **json.loads(body)}, separators=(",", ":"))
        self.body = body
        self.edits += 1
