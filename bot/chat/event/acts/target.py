"""Targets of typed actions: an event with the member's rights in it, or the server."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.chat.event.acts.act import Act, ActContext
from bot.chat.event.acts.dates import when_text
from bot.chat.kit.faces import DisplayNames
from bot.chat.kit.typed_choice import NamedChoice
from bot.model.events import EntrantState, Event, Official, Phase
from bot.model.ids import GuildId, Player, is_computer
from bot.play.event.office.views import registration_open
from bot.play.event.organisers.organiser_desk import DeskTable, DeskView
from bot.play.event.organisers.overview import EventGlance
from bot.pure.event.structure import Family
from bot.text.words import Words

SHOWN_DIGITS = 4
HERE, OWN, OPEN, NEWEST, OVER = range(5)
"""Ranks of events: in this channel, the member's own, other open ones, the newest past one, and other past ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventTarget:
    """An event, or the server for actions that aren't about an event."""

    glance: EventGlance | None = None
    reader: Official
    """The member performing the action."""
    here: bool = False
    announces: bool = False
    """True if the member may announce events."""
    drafts: bool = False
    """True if the member has a draft."""
    organiser_role: int | None = None
    """The role whose members may announce events on the server."""
    series: tuple[str, ...] = ()
    """The server's series that the member may see."""
    zone: str = "UTC"
    """The server's time zone, for dates."""
    now: int = 0
    """The current time (ms)."""
    rank: int = HERE
    """Rank of the event when the target isn't named. Lower ranks are more likely."""

    @property
    def name(self) -> str:
        """The event's name."""
        return self.glance.event.name if self.glance else ""

    def detail(self, words: Words) -> str:
        """Return the event's date or state, which tells it from other dates of its series; empty for the server."""
        return when_text(self.glance.event, words, zone=self.zone, now=self.now) if self.glance else ""

    @property
    def number(self) -> int:
        """The event's number."""
        return self.glance.event.key.number if self.glance else 0

    @property
    def tag(self) -> str:
        """The event's tag."""
        return self.glance.event.tag if self.glance else ""

    @property
    def event(self) -> Event | None:
        """The event; None for the server."""
        return self.glance.event if self.glance else None

    @property
    def phase(self) -> Phase | None:
        """The event's phase; None for the server."""
        return self.glance.event.phase if self.glance else None

    @property
    def desk(self) -> DeskView | None:
        """The desk; None if the member doesn't organise the event or it's over."""
        return self.glance.desk if self.glance else None

    @property
    def case(self) -> ActContext:
        """The event as organisers' actions see it, available only to organisers."""
        assert self.desk is not None
        return ActContext(desk=self.desk)

    @property
    def may_register(self) -> bool:
        """True if the member can register or re-enter, or is on the waiting list and can ask for their place there."""
        if self.glance is None or not registration_open(self.glance.event):
            return False
        if self.glance.waits is not None:
            return True
        own, structure = self.glance.own, self.glance.event.structure
        if own is None or own.disqualified or own.state is EntrantState.WITHDRAWN:
            return own is None or not own.disqualified
        return own.state is EntrantState.OUT and own.entries <= structure.reentries

    @property
    def may_withdraw(self) -> bool:
        """True if the member is registered or on the waiting list, or if they can leave a running event or give up."""
        own = self.glance.own if self.glance else None
        if self.waits:
            return True
        if self.event is None or own is None:
            return False
        return own.registered if self.event.phase.before else own.playing and self.phase is Phase.RUNNING

    @property
    def may_come_back(self) -> bool:
        """True if the member has left a running event, and may be able to come back."""
        own = self.glance.own if self.glance else None
        if self.glance is not None and self.glance.left_seat:
            return True
        return own is not None and own.state is EntrantState.OUT and not own.disqualified and self._in_rounds

    @property
    def _in_rounds(self) -> bool:
        """True while a league or duplicate event is running."""
        event = self.event
        return event is not None and event.phase is Phase.RUNNING and event.format.family is Family.ROUNDS

    @property
    def waits(self) -> bool:
        """True if the member is on the waiting list."""
        return self.glance is not None and self.glance.waits is not None

    @property
    def may_check_in(self) -> bool:
        """True if the member still has to check in, or may check in from the waiting list."""
        own = self.glance.own if self.glance else None
        comes = self.waits or (own is not None and own.state is EntrantState.REGISTERED)
        return self.phase is Phase.CHECK_IN and comes

    @property
    def may_read_log(self) -> bool:
        """True if the member takes part in the event or organises it."""
        return self.glance is not None and (self.glance.own is not None or self.desk is not None)


def people_for(act: Act, target: EventTarget) -> Iterator[Player]:
    """Yield the players in the event that an organiser can perform the action on now."""
    desk = target.desk
    if desk is None:
        return
    known = dict.fromkeys(line.entrant.player for line in desk.view.lines)
    known |= dict.fromkeys(waiting.player for waiting in desk.view.waiting)
    known |= dict.fromkeys((*desk.view.reinstatable, *desk.event.helpers))
    yield from (player for player in known if act.offered(ActContext(desk=desk, player=player)))


def tables_for(act: Act, target: EventTarget) -> Iterator[DeskTable]:
    """Yield the tables at which an organiser can perform the action now."""
    desk = target.desk
    if desk is not None:
        yield from (table for table in desk.tables if act.offered(ActContext(desk=desk, table=table.id)))


def person_named(desk: DeskView, player: Player, names: DisplayNames, guild: GuildId, words: Words) -> NamedChoice[str]:
    """Return a player labelled with table and stack: ``Bob · table 2 · 9,700``."""
    called = names.plain(guild, player, words) or words("event_desk.unknown", digits=str(player)[-SHOWN_DIGITS:])
    line = desk.view.line_of(player)
    facts = [called]
    if line is not None and line.table is not None:
        facts.append(words("event.table_name", table=desk.view.number_of(line.table)))
    if line is not None and line.chips:
        facts.append(words.number(line.chips))
    others = (called, names.bare(guild, player, words), names.username(guild, player))
    return NamedChoice(name=words.facts(facts), value=str(player), others=tuple(filter(None, others)), said=called)


def table_named(table: DeskTable, names: DisplayNames, guild: GuildId, words: Words) -> NamedChoice[str]:
    """Return a table labelled with its number and the players who have to act: ``Table 2 · Bob``."""
    waits = [names.plain(guild, player, words) for player in table.line.acting if not is_computer(player)]
    called = words("event.table_name", table=table.number)
    hand, said = 0, called
    if table.line.playing:
        hand = table.line.table.hand_no
        said = words.facts([called, words("event_desk.hand", hand=table.line.table.hand_no)])
    return NamedChoice(
        name=words.facts([called, words.list([*filter(None, waits)])]),
        value=f"{table.id}-{hand}",
        others=(str(table.number), called, said),
        said=said,
    )
