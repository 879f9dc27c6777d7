"""Use cases of community events."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

from bot.model.clock import Clock
from bot.model.errors import ComputationFailedError
from bot.model.events import Call, Entrant, Event, EventDraft, EventPosting, Notice, Official, Phase, RepeatInterval
from bot.model.ids import EventKey, GuildId, Player
from bot.model.reasons import PlanReason
from bot.play.api.transactions import Transactions, UseCases, asks, reads, writes
from bot.play.event.floor import sheets
from bot.play.event.formats import brackets, counting
from bot.play.event.office import (
    director,
    draw_proofs,
    flights,
    leaving,
    permissions,
    public_page,
    registration,
    role_claims,
    roll_call,
    start_polls,
    table_hooks,
    views,
    waiting_list,
    withdrawing,
)
from bot.play.event.office.permissions import MemberPermissions
from bot.play.event.office.registration import PlannedEvent
from bot.play.event.office.role_claims import RefusedRoles
from bot.play.event.office.views import EventView
from bot.play.event.organisers import (
    calls,
    changing,
    desk_acts,
    desk_message,
    flight_acts,
    late_rulings,
    organiser,
    organiser_desk,
    overview,
    seeds,
    series_acts,
    waiting_acts,
)
from bot.play.event.trials import play_speed, progress
from bot.play.event.trials.forecast import Forecast, forecast, left
from bot.play.event.trials.rehearsal import MAX_SECONDS, Rehearsal, RehearsalRequest, max_rehearsed, rehearsed
from bot.play.event.trials.simulator import swing_of
from bot.play.session.session import Session
from bot.play.session.workers import Placer, Workers
from bot.pure.event.structure import Format, Structure
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import HandView
from bot.store.events import EventQueries
from bot.store.tables import OutboxQueries

OPEN = (Phase.REGISTERING, Phase.CHECK_IN, Phase.RUNNING)
POSTINGS_AT_ONCE = 20
MAX_FORECASTS = 200
MAX_REHEARSALS = 12
"""Maximum number of cached rehearsals. Each takes up to half a megabyte."""
MAX_MASTER_DECKS = 100
"""Maximum number of decks whose masters' placements are cached."""


class Events(UseCases):
    """Use cases of community events."""

    def __init__(self, transactions: Transactions, think: Placer, workers: Workers) -> None:
        """``think`` computes masters' placements for duplicate events, and ``workers`` simulate whole events."""
        super().__init__(transactions)
        self._now = transactions.now
        self._workers = workers
        self._think = think
        self._masters = asyncio.Lock()
        self._thought: dict[tuple[EventKey, int], list[str]] = {}
        """Cache of masters' placements, keyed by event and deck."""
        self._forecasts: dict[tuple[object, ...], Forecast | None] = {}
        """Cache of forecasts, keyed by all their inputs."""
        self._ends: dict[tuple[object, ...], int] = {}
        """Cache of expected ends (ms), keyed by the inputs that matter most."""
        self._paced = play_speed.SampledPeriod()
        self._rehearsed: dict[str, Rehearsal] = {}
        """Cache of rehearsals, because players page through them."""

    # preparing

    draft = asks(EventQueries, EventQueries.draft)

    async def save_draft(self, guild: GuildId, player: Player, values: Mapping[str, Any]) -> None:
        """Save an event's draft."""
        await self._write(
            lambda s: s.tx.events.save_draft(EventDraft(guild=guild, organiser=player, values=values, at=s.now))
        )

    async def forget_draft(self, guild: GuildId, player: Player) -> None:
        """Delete an event's draft."""
        await self._write(lambda s: s.tx.events.forget_draft(guild, player))

    create = writes(registration.create)

    # taking part

    register = writes(registration.register)
    withdrawal = reads(withdrawing.withdrawal)
    withdraw = writes(registration.withdraw)
    leave_offer = reads(leaving.offer)
    leave = writes(leaving.leave)
    come_back = writes(leaving.come_back)
    take_place = writes(registration.take_place)
    decline_place = writes(registration.decline_place)
    pass_on_places = writes(waiting_list.pass_on)
    check_in = writes(registration.check_in)

    # the roll call before the start

    async def roll_call(self, key: EventKey) -> tuple[EventPosting, list[Player]] | None:
        """Return the roll call that an event is waiting for and the entrants to check; None if there is none."""
        try:
            return await self._read(lambda s: roll_call.look(s, key))
        except Refused:
            return None

    roll_called = writes(director.roll_called)

    # organising

    start = writes(organiser.start_now)
    cancel = writes(organiser.cancel)
    change = writes(changing.change)
    postpone = writes(changing.postpone)
    postpone_a_little = writes(changing.postpone_a_little)
    may_change = reads(changing.check_change)
    remove_page = writes(changing.remove_page)

    async def repeat(
        self,
        key: EventKey,
        by: Official,
        authority: MemberPermissions,
        *,
        every: RepeatInterval | None,
        zone: str,
        cause: str,
    ) -> Event:
        """Repeat the event at the same time of day in ``zone``; if ``every`` is None, stop repeating it.

        Raises Refused.
        """
        return await self._write(
            lambda s: organiser.repeat(s, key, by, every=every, zone=zone, cause=cause, authority=authority)
        )

    async def voucher(self, key: EventKey) -> Player:
        """Return the member who vouches for the event's rewards; raises Refused."""
        return await self._read(lambda s: permissions.voucher(s, views.look(s, key).event))

    vouch = writes(permissions.vouch)
    may_start = reads(organiser.check_start)
    may_cancel = reads(organiser.check_cancel)
    may_disqualify = reads(organiser.check_disqualify)
    fill = writes(organiser.fill)
    pause = writes(organiser.pause)
    resume = writes(organiser.resume)
    penalty = writes(organiser.penalty)
    lift_penalty = writes(organiser.lift_penalty)
    disqualify = writes(organiser.disqualify)
    reinstate = writes(organiser.reinstate)
    unregister = writes(organiser.unregister)
    adjust = writes(organiser.adjust)
    move = writes(organiser.move)
    announce = writes(organiser.announce)
    co_organiser = writes(organiser.co_organiser)
    move_to_top = writes(waiting_acts.move_to_top)
    remove_waiting = writes(waiting_acts.remove)
    open_table = writes(waiting_acts.open_table)
    open_flight = writes(flight_acts.open_flight)
    may_open_flight = reads(flight_acts.check_flight)
    plan_series_end = writes(series_acts.plan_end)
    seed = writes(seeds.seed)
    unseed_all = writes(seeds.unseed_all)

    # the desk

    at_desk = reads(organiser_desk.desk)
    organises = reads(organiser.organises)
    require_organiser = reads(organiser.require_organiser)
    kept_desk = reads(organiser_desk.kept_desk_view)
    kept_desks = asks(EventQueries, EventQueries.kept_desks)
    keep_desk = writes(desk_message.keep)
    stop_keeping_desk = writes(desk_message.stop_keeping)
    note_kept = writes(desk_message.note_kept)
    register_for = writes(desk_acts.register_for)
    check_in_for = writes(desk_acts.check_in_for)
    attend = writes(desk_acts.attend)
    stay = writes(desk_acts.stay)
    call_person = writes(calls.call_person)
    call_table = writes(calls.call_table)
    call_missing = writes(calls.call_missing)
    hold = writes(desk_acts.hold)
    end_hand = writes(desk_acts.end_hand)

    # rulings after the end

    strike = writes(late_rulings.strike)
    correct = writes(late_rulings.correct)
    to_series = writes(late_rulings.to_series)
    undo_ruling = writes(late_rulings.undo)
    may_rule = reads(late_rulings.check_ruler)

    # polls for the start time

    ask_start = writes(start_polls.ask)
    start_poll = asks(EventQueries, EventQueries.start_poll)
    all_start_polls = asks(EventQueries, EventQueries.start_polls)
    start_poll_posted = writes(start_polls.posted)
    forget_start_poll = writes(start_polls.forget)

    # queries

    async def expected(self, view: EventView) -> Forecast | None:
        """Return the expected duration of an event before its start; None if it has too few players."""
        event, people = view.event, len(view.lines)
        if not event.phase.before or people < max(1, event.structure.fewest):
            return None
        return await self.forecast(event.key.guild, event.structure, event.variant, event.clock, people=people)

    def learn_pace(self, span: play_speed.SampledPeriod) -> None:
        """Let forecasts learn the speed of play only from hands within ``span``."""
        self._paced = span

    async def forecast(
        self, guild: GuildId, structure: Structure, game: Variant, clock: Clock, *, people: int
    ) -> Forecast | None:
        """Return the expected duration of an event with ``people`` players in a server; None if it can't be estimated.

        The event is simulated in a thread, and the result is cached.
        """
        tempo = await self._read(lambda s: play_speed.tempo(s, guild, clock, self._paced))
        question = (structure, game.key, len(game.streets), tempo, people)
        if question not in self._forecasts:
            while len(self._forecasts) > MAX_FORECASTS:
                del self._forecasts[next(iter(self._forecasts))]
            play = partial(forecast, structure, game, tempo, swing_of(game), people=people)
            self._forecasts[question] = await asyncio.to_thread(play) if people > 1 else None
        return self._forecasts[question]

    async def ends_at(self, view: EventView) -> int | None:
        """Return the expected end of a running event (ms); None if it's paused or can't be estimated.

        The estimate is updated when a level begins or players are eliminated.
        """
        event, people = view.event, len(view.lines)
        if event.phase is not Phase.RUNNING or event.paused or people < 2:
            return None
        now = await self._read(lambda s: s.now)
        # In a large field, only about every tenth elimination triggers a new estimate.
        playing = view.playing - view.playing % max(1, view.playing // 10)
        known = (event.key, event.structure, event.clock, event.level, event.round, playing, event.final_table)
        ends = self._ends.get(known)
        if ends is None or ends < now:
            tempo = await self._read(lambda s: play_speed.tempo(s, event.key.guild, event.clock, self._paced))
            play = partial(left, event.structure, event.variant, tempo, swing_of(event.variant), people=people)
            more = await asyncio.to_thread(play, progress=progress.measure_progress(view, now=now))
            if more is None:
                return None
            while len(self._ends) > MAX_FORECASTS:
                del self._ends[next(iter(self._ends))]
            ends = self._ends[known] = now + more
        return ends

    async def rehearse(self, plan: PlannedEvent, *, people: int) -> Rehearsal:
        """Simulate a planned event with ``people`` players, without saving or announcing anything.

        Raises Refused if ``people`` is out of range or all workers are busy.
        """
        least, most = plan.structure.fewest, max_rehearsed(plan.structure)
        if plan.structure.format is Format.SIT_AND_GO:
            least = plan.structure.most
        if not least <= people <= most:
            raise Refused(PlanReason.BAD_REHEARSAL, asked=people, least=least, most=max(least, most))
        tempo = await self._read(lambda s: play_speed.tempo(s, plan.guild, plan.clock, self._paced))
        now = self._now() if plan.starts_at is None else plan.starts_at
        name = repr((plan, tempo, people))
        if name not in self._rehearsed:
            while len(self._rehearsed) >= MAX_REHEARSALS:
                del self._rehearsed[next(iter(self._rehearsed))]
            job = partial(rehearsed, RehearsalRequest(plan=plan, tempo=tempo, people=people, now=now))
            try:
                self._rehearsed[name] = await self._workers.think_aside(job, seconds=MAX_SECONDS)
            except ComputationFailedError as error:
                raise Refused(PlanReason.REHEARSAL_BUSY) from error
        return self._rehearsed[name]

    look = reads(views.look)
    next_date = reads(flights.date_after)
    event_for = reads(views.event_for)
    overview_for = reads(overview.overview)
    glance_for = reads(overview.glance)
    bracket = reads(brackets.look)
    shown = reads(views.shown)
    public = reads(public_page.public_event)
    public_pages = asks(EventQueries, EventQueries.pages)

    async def events(self, guild: GuildId, phases: Sequence[Phase] = OPEN) -> list[Event]:
        """Return the server's events, newest first."""
        return await self._read(lambda s: s.tx.events.in_phases(guild, phases))

    async def own(
        self, guild: GuildId, player: Player, phases: Sequence[Phase] = OPEN, *, most: int | None = None
    ) -> list[tuple[Event, Entrant]]:
        """Return up to ``most`` of the server's newest events that the player has entered; None for all."""
        return await self._read(lambda s: list(islice(views.own_events(s, guild, player, phases), most)))

    awaited = reads(views.awaited_events)
    places_taken = reads(waiting_list.places_taken)
    other_entries = reads(views.other_entries)
    running = asks(EventQueries, EventQueries.running)
    series = asks(EventQueries, EventQueries.series)
    series_table = reads(counting.series_table)
    series_rule = reads(counting.series_rule)
    series_meant = reads(counting.series_meant)
    log = reads(views.log)
    rulings = reads(views.rulings)
    draw_proof = reads(draw_proofs.draw_proof)
    last_hand = reads(views.last_hand)
    against = reads(sheets.against)
    deck_view = reads(sheets.deck_view)

    async def mastered(self, key: EventKey, number: int) -> HandView:
        """Return a deck that all tables have finished, as played by masters. It's cached. Raises Refused."""
        hand = await self._read(lambda s: sheets.deck_dealt(s, key, number))
        async with self._masters:  # one at a time, because no turn depends on it
            while len(self._thought) > MAX_MASTER_DECKS:
                del self._thought[next(iter(self._thought))]
            try:
                return await sheets.mastered(hand, self._think, self._thought.setdefault((key, number), []))
            except ComputationFailedError as error:
                raise Refused(PlanReason.MASTERS_BUSY) from error

    async def place_gone(self, guild: GuildId, *, channel: int | None = None, reason: str) -> None:
        """Cancel the events of a deleted channel or server, and refund all fees."""
        for event in await self.events(guild):
            if channel is None or event.channel == channel:
                await self._write(partial(director.place_gone, key=event.key, reason=reason))

    # messages

    undrawn = asks(OutboxQueries, OutboxQueries.undrawn_events)

    async def drawn(self, key: EventKey, *, version: int, message: int | None) -> None:
        """Record the version that the event's message shows."""
        await self._write(lambda s: s.tx.events.note_drawn(key, version=version, message=message))

    async def called(self, key: EventKey, call: Call) -> None:
        """Record that a message about an upcoming time was posted."""

        def note(s: Session) -> None:
            if (event := s.tx.events.get(key)) is not None and call not in event.calls:
                s.tx.events.note_calls(key, (*event.calls, call))

        await self._write(note)

    async def call_over(self, key: EventKey, call: Call) -> None:
        """Record that the message of ``call`` shows its end or was deleted."""

        def note(s: Session) -> None:
            if (event := s.tx.events.get(key)) is not None:
                s.tx.events.note_calls(key, [one for one in event.calls if one != call])

        await self._write(note)

    async def scheduled(self, key: EventKey, *, scheduled: int | None, told: str) -> None:
        """Record the content of Discord's scheduled event."""
        await self._write(lambda s: s.tx.events.note_scheduled(key, scheduled=scheduled, told=told))

    async def postings(self, key: EventKey) -> list[EventPosting]:
        """Return the messages to post, oldest first. Roll calls aren't posted, so they're left out."""
        waiting = await self._read(lambda s: s.tx.outbox.event_postings(key, limit=POSTINGS_AT_ONCE))
        return [posting for posting in waiting if posting.notice is not Notice.ROLL_CALL]

    async def posted(self, number: int, refused: RefusedRoles | None = None) -> None:
        """Record that a message was posted, and tell the organiser which roles were refused after it."""
        await self._write(lambda s: role_claims.posted(s, number, refused))

    table_needing_thread = reads(table_hooks.table_needing_thread)
    former_table = reads(table_hooks.former_table)
    has_successor = reads(table_hooks.has_successor)
    leave_thread = writes(table_hooks.leave_thread)
    set_thread = writes(table_hooks.set_thread)
