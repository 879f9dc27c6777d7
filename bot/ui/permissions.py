"""Where something is to happen: what the bot may do in a channel, and which language is spoken there."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.meter import Outcome
from bot.ofc.refusals import Refused
from bot.play.refusals import PlayReason
from bot.text.languages import Language, language_of
from bot.ui.gate import Reply
from bot.ui.widgets import Interaction

NEEDED = ("view_channel", "send_messages")
NEEDED_IN_THREAD = ("view_channel", "send_messages_in_threads")
NEEDED_FOR_THREADS = ("create_public_threads", "send_messages_in_threads")


def public_language(interaction: Interaction) -> Language:
    """The language of what everybody sees: the server's where it has chosen one, otherwise that of who begins it.

    Only Community servers choose a language; Discord reports American English for all the others.
    """
    guild = interaction.guild
    community = guild is not None and "COMMUNITY" in guild.features
    chosen = community or interaction.guild_locale not in (None, discord.Locale.american_english)
    return language_of(str(interaction.guild_locale if chosen else interaction.locale))


def missing_permissions(interaction: Interaction) -> list[str]:
    """What the bot may not do in this channel but must."""
    return _missing(interaction, NEEDED_IN_THREAD if _in_thread(interaction) else NEEDED)


async def may_post(reply: Reply, sentence: str) -> bool:
    """True when the bot may write in this channel; otherwise the reader is told in a sentence what it lacks.

    Raises Refused where the reader may not write.
    """
    check_may_write(reply.interaction)
    missing = missing_permissions(reply.interaction)
    if missing:
        reply.outcome = Outcome.REFUSED
        labels = [reply.words(f"permission.{name}") for name in missing]
        await reply.say(reply.words(sentence, permissions=reply.words.list(labels)))
    return not missing


def check_may_write(interaction: Interaction, channel: int | None = None) -> None:
    """Raise Refused where the person who asks may not write: the bot does not do it for them.

    Another ``channel`` than that of the interaction is looked up; in one that the bot does not see it writes nothing.
    """
    allowed, in_thread = interaction.permissions, _in_thread(interaction)
    if channel not in (None, interaction.channel_id):
        found, member = interaction.client.get_channel(channel or 0), interaction.user
        if not isinstance(found, discord.abc.GuildChannel | discord.Thread) or not isinstance(member, discord.Member):
            return
        allowed, in_thread = found.permissions_for(member), isinstance(found, discord.Thread)
    if not (allowed.send_messages_in_threads if in_thread else allowed.send_messages):
        raise Refused(PlayReason.MAY_NOT_WRITE)


def roles_of(interaction: Interaction) -> frozenset[int]:
    """The roles that the person who asks has in this server."""
    user = interaction.user
    return frozenset(role.id for role in user.roles) if isinstance(user, discord.Member) else frozenset()


def may_give(interaction: Interaction, role: int) -> bool:
    """True for a role that the person who asks could give to others themselves, and the bot too."""
    guild, user = interaction.guild, interaction.user
    found = guild.get_role(role) if guild else None
    if guild is None or found is None or not isinstance(user, discord.Member) or not found.is_assignable():
        return False
    above = user.id == guild.owner_id or found < user.top_role
    return above and interaction.permissions.manage_roles


def missing_for_threads(interaction: Interaction) -> list[str]:
    """What keeps the bot from making threads here; a thread holds none."""
    missing = _missing(interaction, NEEDED_FOR_THREADS)
    return missing or ["create_public_threads"] if _in_thread(interaction) else missing


def _in_thread(interaction: Interaction) -> bool:
    return isinstance(interaction.channel, discord.Thread)


def _missing(interaction: Interaction, needed: Sequence[str]) -> list[str]:
    return [name for name in needed if not getattr(interaction.app_permissions, name)]
