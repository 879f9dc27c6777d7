"""Templates of a server: tables under names of their own, for others to be opened like them."""

from __future__ import annotations

import unicodedata

from bot.clean_text import one_line
from bot.model.choices import Template
from bot.model.ids import GuildId, Player, TableKey
from bot.model.refusals import PlayReason
from bot.model.tables import Table
from bot.ofc.refusals import Refused
from bot.play.session.session import Session

MOST_TEMPLATES = 25
"""As many as Discord suggests at once."""
LONGEST_NAME = 32


def folded(name: str) -> str:
    """The common form of names that differ in case, width or signs that show nothing."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", one_line(name)).casefold())


def save(s: Session, key: TableKey, name: str, *, by: Player, replacing: bool) -> Template:
    """Name a cash table, open or closed, in place of an earlier one only where that is wanted; raises Refused."""
    name = one_line(name)
    if not name or len(name) > LONGEST_NAME:
        raise Refused(PlayReason.BAD_TEMPLATE_NAME, most=LONGEST_NAME)
    if not s.table(key).cash:
        raise Refused(PlayReason.NO_CASH_TABLE)
    known = {folded(template.name) for template in s.tx.templates(key.guild)}
    if folded(name) in known and not replacing:
        raise Refused(PlayReason.TEMPLATE_NAME_TAKEN)
    if folded(name) not in known and len(known) >= MOST_TEMPLATES:
        raise Refused(PlayReason.TOO_MANY_TEMPLATES, most=MOST_TEMPLATES)
    template = Template(name=name, table=key.table)
    s.tx.save_template(key.guild, template, folded=folded(name), by=by, at=s.now)
    return template


def remove(s: Session, guild: GuildId, name: str) -> Template:
    """Forget a name; tables opened from it go on. Raises Refused."""
    template = _named(s, guild, name)
    s.tx.remove_template(guild, folded(name))
    return template


def table_named(s: Session, guild: GuildId, name: str) -> Table:
    """The table that a template names; raises Refused."""
    return s.table(TableKey(guild=guild, table=_named(s, guild, name).table))


def known(s: Session, guild: GuildId) -> list[tuple[Template, Table]]:
    """A server's templates by name, each with its table."""
    return [
        (template, s.table(TableKey(guild=guild, table=template.table)))
        for template in sorted(s.tx.templates(guild), key=lambda template: folded(template.name))
    ]


def _named(s: Session, guild: GuildId, name: str) -> Template:
    for template in s.tx.templates(guild):
        if folded(template.name) == folded(name):
            return template
    raise Refused(PlayReason.NO_TEMPLATE)
