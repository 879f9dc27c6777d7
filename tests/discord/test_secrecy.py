"""Code near Discord can't reach a session, a deck or a hidden hand. Every public name of the running bot is tried."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from bot.play.api.transactions import Transactions
from bot.play.queries.views import UnredactedTable
from bot.play.session.session import Session
from bot.pure.ofc.hand import Hand
from bot.store.sqlite.database import SqliteDatabase
from bot.store.storage import SqlStorage
from bot.store.vault import SeedVault
from tests.backstage import transactions_of
from tests.discord.club import Club

SECRET = (Transactions, Session, SqlStorage, SqliteDatabase, SeedVault, Hand, UnredactedTable)
TELLS = re.compile(
    r"\b(Transactions|Session|Tx|Storage|SqlStorage|Database|SqliteDatabase|Vault|SeedVault|Hand|UnredactedTable|Deck)\b"
)
"""Types that no reachable method may take or return."""


def reached(*starts: object) -> Iterator[object]:
    """Yield all objects reachable by public names without calls, without entering other packages."""
    waiting, known = list(starts), set()
    while waiting:
        found = waiting.pop()
        if id(found) in known:
            continue
        known.add(id(found))
        yield found
        if isinstance(found, Mapping):
            waiting += [*found.keys(), *found.values()]
        elif isinstance(found, list | tuple | set | frozenset):
            waiting += found
        elif type(found).__module__.split(".")[0] in ("bot", "cogs"):
            waiting += [getattr(found, name, None) for name in dir(found) if not name.startswith("_")]


def telling(found: object) -> bool:
    """True for what holds hidden cards, or a way to them, and for a method that asks for one or gives it out."""
    annotations: dict[str, Any] = getattr(found, "__annotations__", {}) if callable(found) else {}
    return isinstance(found, SECRET) or any(TELLS.search(str(named)) for named in annotations.values())


async def test_what_the_cogs_are_given_leads_to_no_hidden_card(club: Club) -> None:
    await club.open_table("alice", "bob")
    view = await club.look(1, "bob")
    near = list(reached(club.bot, club.bot.services, view))
    assert [found for found in near if telling(found)] == []
    # It has looked into every room that is near Discord.
    rooms = {type(found).__module__ for found in near}
    assert rooms >= {
        "bot.play.api.play",
        "bot.play.api.events",
        "bot.chat.clockwork",
        "bot.chat.table.posts.publisher",
    }
    assert rooms >= {"bot.web.pages", "bot.web.tokens"}
    assert rooms >= {type(cog).__module__ for cog in club.bot.cogs.values()}


async def test_the_way_behind_the_scenes_would_be_noticed(club: Club) -> None:
    await club.open_table("alice", "bob")
    sessions = transactions_of(club.play)
    seen = await sessions.seen(club.key())
    for planted in (sessions, seen, seen.hand, club.disk):
        assert any(map(telling, reached({"left lying about": [planted]})))
    assert telling(sessions.read)
