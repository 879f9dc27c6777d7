"""Taking part in events and viewing them: handlers of an event's buttons, and calendar files.

A calendar file has one date, all dates of a repeating event, or all dates of a series.
"""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import discord

from bot.chat.event.posts.bracket_picture import bracket_picture
from bot.chat.event.posts.calendar import expected_ms
from bot.chat.event.screens.bracket import bracket_screen, page_for, pages, people_in
from bot.chat.event.screens.details import details_screen, with_details
from bot.chat.event.screens.lists import (
    MAX_LISTED,
    calendar_button,
    list_screen,
    log_screen,
    own_lines,
    results_screen,
    series_choice,
    series_screen,
    standings_screen,
    with_proof,
)
from bot.chat.event.screens.round_report import sheet_screen
from bot.chat.event.screens.screen import BRACKET, SURE, series_calls_button
from bot.chat.event.screens.taking_part import (
    also_at_buttons,
    also_at_text,
    also_in_text,
    fill_button,
    leave_screen,
    left_text,
    left_ways,
    place_text,
    registered_text,
    returned_text,
    terms_screen,
    ways_on,
    ways_on_waiting,
    withdraw_screen,
)
from bot.chat.event.screens.waiting import joined_text, stand_by_text, waiting_text
from bot.chat.kit.custom_ids import Press, game_tag
from bot.chat.kit.fragments import QUIET_COLOUR
from bot.chat.kit.gate import PressKind
from bot.chat.kit.permissions_here import check_may_write, may_see
from bot.chat.kit.reply import PressHandler, Reply, in_a_new_message
from bot.chat.kit.typed_choice import NamedChoice, the_one
from bot.chat.kit.widgets import Part, notice, text
from bot.chat.services import Services
from bot.chat.table.screens.fairness import event_commitments, fairness_screen
from bot.model.events import Entrant, EntrantState, Event, Phase, WaitingPlayer
from bot.model.ids import EventKey, is_computer
from bot.model.reasons import EventReason, PrivacyReason
from bot.model.tables import Table
from bot.play.api.events import OPEN
from bot.play.event.office.views import EventView, start_of
from bot.play.event.organisers.late_rulings import may_rule
from bot.play.event.organisers.organiser import fillable
from bot.play.terms import UNSEEN
from bot.pure.event.structure import Format
from bot.pure.ofc.refusals import Refused
from bot.text.calendar_file import DatedEvent, calendar_file
from bot.text.event_structure import by_fee
from bot.text.refusals import refusal
from bot.text.words import escape_name
from cogs.event.which_event import EVERY_PHASE, MAX_CHOICES, EventAccess, event_of, official

LISTED = (*OPEN, Phase.CANCELLED)


class CalendarDates:
    """Sends calendar files."""

    def __init__(self, services: Services, which: EventAccess) -> None:
        self._services = services
        self._events = services.events
        self._which = which
        which.button("ev_calendar", self._give)
        services.gate.route("ev_calendar_of", in_a_new_message(self.part))

    async def of_series(self, reply: Reply, series: str) -> list[Event]:
        """Return a series' visible events that are upcoming or were cancelled before their start, newest first."""
        known = await self._events.events(reply.guild, LISTED)
        now = self._services.publisher.now()
        return [
            event
            for event in known
            if event.series == series
            and event.starts_at is not None
            and (event.starts_at > now or not event.phase.over)
            and may_see(reply.interaction, event.channel)
        ]

    async def part(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Send the file of a single date or of the whole series."""
        key = event_of(reply, press)
        await self._which.require_visible(reply, key)
        event = (await self._events.look(key)).event
        if press.argument == "series" and event.series:
            await self._give_series(reply, event.series)
        else:
            await self._give(reply, key, single=True)

    async def _give(self, reply: Reply, key: EventKey, *, single: bool = False) -> None:
        """Send an event's file, with all dates if the event repeats and ``single`` isn't set."""
        view, words = await self._events.look(key), reply.words
        event = view.event
        if event.starts_at is None:
            await reply.say(words("event.calendar.no_time"))
            return
        all_dates = view.repeats and not single
        then = [calendar_button(event, "one", words, label="calendar_one")] if all_dates else list[Part]()
        if event.series:
            then.append(calendar_button(event, "series", words, label="calendar_series"))
        said = "cancelled" if event.phase is Phase.CANCELLED else "repeating" if all_dates else "date"
        # A stopped or cancelled event still gets a file, to update calendars that already have all its dates.
        called = f"chaipo-event-{key.number}{'-all-dates' if all_dates else ''}"
        file = await self._file(reply, [event], called=called, single=single)
        await reply.say(words(f"event.calendar.{said}", name=escape_name(event.name)), file=file, then=then)

    async def _give_series(self, reply: Reply, series: str) -> None:
        """Send the file of all known dates of a series."""
        events = await self.of_series(reply, series)
        if not events:
            await reply.say(reply.words("event.calendar.no_dates"))
            return
        file = await self._file(reply, events, called="chaipo-series")
        await reply.say(reply.words("event.calendar.series", series=escape_name(series)), file=file)

    async def _file(self, reply: Reply, events: Sequence[Event], *, called: str, single: bool = False) -> discord.File:
        dated = [await self._dated(reply, event, single=single) for event in events]
        data = calendar_file(dated, reply.words, now=self._services.publisher.now())
        return discord.File(io.BytesIO(data), filename=f"{called}.ics")

    async def _dated(self, reply: Reply, event: Event, *, single: bool) -> DatedEvent:
        guild, found = reply.interaction.guild, reply.interaction.client.get_channel(event.channel)
        channel = getattr(found, "name", "")
        link = f"https://discord.com/channels/{event.key.guild}/{event.channel}"
        view = await self._events.look(event.key)
        return DatedEvent(
            event=event,
            lasts_ms=expected_ms(view),
            regular_start=view.regular_start,
            dates_left=view.dates_left,
            place=" · ".join(filter(None, (f"#{channel}" if channel else "", guild.name if guild else ""))),
            link=f"{link}/{event.message}" if event.message else link,
            single=single,
        )


MAX_NUMBER_LENGTH = 9


class EventParticipation:
    """The event actions that every member may use."""

    def __init__(self, services: Services, which: EventAccess, open_desk: PressHandler) -> None:
        self._services = services
        self._events = services.events
        self._which = which
        self._open_desk = open_desk
        self._dates = CalendarDates(services, which)
        services.gate.route("ev_details", self.details)
        services.gate.route("events", in_a_new_message(self.press_list))
        services.gate.route("ev_fairness", in_a_new_message(self.fairness))
        services.gate.route("ev_bracket_page", self.bracket_page, kind=PressKind.DRAWN)
        services.gate.route("ev_masters", in_a_new_message(self.masters))
        services.gate.route("ev_series", self.choose_series)
        services.gate.route("ev_season", self.choose_series)
        services.gate.route("ev_fill", self.fill, kind=PressKind.PUBLIC)
        services.gate.route("ev_dates", self.choose_series_calls)
        public = PressKind.PUBLIC
        which.button("ev_show", self._show)
        which.button("ev_log", self.log)
        which.button("ev_standings", self._standings)
        which.button("ev_bracket", self._bracket, kind=PressKind.DRAWN)
        which.button("ev_results", self._results)
        which.button("ev_register", self._register, kind=public, asks=self._ask_to_register)
        services.gate.route("ev_withdraw", self.withdraw, kind=public)
        which.button("ev_leave", self._leave, kind=public, asks=self._ask_to_leave)
        which.button("ev_return", self._come_back, kind=public)
        which.button("ev_take", self._take, kind=public, asks=self._ask_to_register)
        which.button("ev_pass", self._pass, kind=public)
        which.button("ev_checkin", self._check_in, kind=public, asks=self._ask_to_check_in)

    # views

    async def press_list(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """List the open events, then the most recent ones."""
        await self._list(reply)

    async def fairness(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show how the draw and the decks are committed, with this event's commitments in full."""
        event = (await self._events.look(event_of(reply, press))).event
        await reply.show(fairness_screen(reply.words, event_commitments(event, reply.words)))

    async def masters(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show how the master computer plays a deck of a duplicate event, next to the tables' results."""
        key, words = event_of(reply, press), reply.words
        sheet, view = await self._events.deck_view(key, press.hand), await self._events.look(key)
        await reply.show(notice(words("deck_sheet.thinking", deck=press.hand), colour=QUIET_COLOUR))
        hand = await self._events.mastered(key, press.hand)
        await reply.show(sheet_screen(view, sheet, words, masters=hand))

    async def _list(self, reply: Reply) -> None:
        known = await self._events.events(reply.guild, EVERY_PHASE)
        events = _in_order([event for event in known if may_see(reply.interaction, event.channel)])[:MAX_LISTED]
        views = await asyncio.gather(*(self._events.look(event.key) for event in events))
        await reply.show(list_screen(views, reply.words, reply.player))

    async def details(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show an event's details, or its desk if an organiser asks before the event is over."""
        key = event_of(reply, press)
        await self._which.require_visible(reply, key)
        event = (await self._events.look(key)).event
        if not event.phase.over and await self._events.organises(key, official(reply)):
            await self._open_desk(reply, press, values)
        else:
            await self._show(reply, key)

    async def _show(self, reply: Reply, key: EventKey) -> None:
        """Show all details of an event, with the buttons for the reader."""
        view, by = await self._events.look(key), official(reply)
        plays, now = view.line_of(reply.player) is not None, self._services.publisher.now()
        shown = details_screen(
            view,
            reply.words,
            reply.player,
            told="\n".join(own_lines(view, reply.words, reply.player)),
            organises=await self._events.organises(key, by),
            rules=may_rule(view.event, by, plays=plays, now=now),
            lasts=await self._events.expected(view),
            ends_at=await self._events.ends_at(view),
        )
        await reply.show(shown)

    async def _standings(self, reply: Reply, key: EventKey) -> None:
        """Show the top of the standings and the reader's own line."""
        view = await self._events.look(key)
        ends_at = await self._events.ends_at(view)
        shown = standings_screen(view, reply.words, reply.player, ends_at=ends_at)
        await reply.show(with_details(shown, view.event, reply.words))

    async def _bracket(self, reply: Reply, key: EventKey) -> None:
        """Show the page of the bracket with the reader's own match."""
        await self._show_bracket(reply, key, page=0)

    async def bracket_page(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show another page of the bracket."""
        key = event_of(reply, press)
        await self._which.require_visible(reply, key)
        await self._show_bracket(reply, key, page=press.hand)

    async def _show_bracket(self, reply: Reply, key: EventKey, *, page: int) -> None:
        """Show page ``page`` of the bracket, or the reader's own page if it's 0.

        It's a picture, or text if the bot can't attach files or the reader prefers text.
        """
        services, words = self._services, reply.words
        view = await self._events.bracket(key)
        number, known = min(page, len(pages(view))) or page_for(view, reply.player), services.faces.names
        pictured = reply.interaction.app_permissions.attach_files and not reply.member_settings.text_only
        if not pictured or not view.drawn:
            told = {player: known.of(reply.guild, player, words) for player in people_in(view)}
            shown = bracket_screen(view, words, reply.player, page=number, names=told)
            await reply.show(with_details(shown, view.event, words))
            return
        made = await bracket_picture(
            reply.interaction.client, view, number, known, words, own=reply.player, tables=True
        )
        picture = await services.pictures.draw(("bracket", view.event.name, made.blocks), made.drawing)
        page_shown = bracket_screen(view, words, reply.player, page=number, names=made.names, picture=made.told)
        shown = with_details(page_shown, view.event, words)
        await reply.show(shown, file=discord.File(io.BytesIO(picture), filename=BRACKET))

    async def _results(self, reply: Reply, key: EventKey) -> None:
        """Show the final standings and attach the record of the draw."""
        view = await self._events.look(key)
        if not view.event.phase.over:
            await self._standings(reply, key)
            return
        shown, file = results_screen(view, reply.words), None
        try:
            file = _record(key, await self._events.draw_proof(key))
            shown = with_proof(shown, file.filename, reply.words)
        except Refused as refused:
            if refused.reason is PrivacyReason.DRAW_WITHHELD:
                shown = shown.and_below(text(reply.words("refused.draw_withheld")))
            elif refused.reason is not EventReason.NOT_DRAWN_YET:
                raise
            elif (seed := view.event.seed) is not None:
                shown = shown.and_below(text(reply.words("event.proof.none_drawn", seed=seed.hex())))
        await reply.show_separately(with_details(shown, view.event, reply.words), file=file)

    async def show_series(self, reply: Reply, series: str) -> None:
        """Show the leaderboard of a series, looked up by part of its name, or the series to choose from."""
        seen, words = await self._which.series_seen(reply.interaction), reply.words
        known = [NamedChoice(name=one, value=one) for one in seen]
        name = await self._events.series_meant(reply.guild, series)
        if name not in (seen or await self._events.series(reply.guild)):
            try:
                name = the_one(series, known, words) if seen and series.strip() else ""
            except Refused as refused:
                await reply.show(series_choice(refusal(refused, words), seen, words))
                return
        name = name or (seen[0] if len(seen) == 1 else "")
        if name:
            await self._show_series(reply, name)
        elif seen:
            listed = words.list([escape_name(one) for one in seen[:MAX_CHOICES]])
            await reply.show(series_choice(words("event.series_table.which", series=listed), seen, words))
        else:
            await reply.say(words("event.series_table.none"))

    async def _show_series(self, reply: Reply, name: str, *, season: int = 0) -> None:
        dated = next(iter(await self._dates.of_series(reply, name)), None)
        others = [one for one in await self._which.series_seen(reply.interaction) if one != name]
        try:
            table = await self._events.series_table(reply.guild, name, reply.player, season=season)
        except Refused as refused:
            if refused.reason is not EventReason.NO_SERIES:
                raise
            await self._which.require_series_visible(reply, name)
            early = reply.words("event.series_table.not_yet", series=escape_name(name))
            await reply.show(series_choice(early, others, reply.words, dated=dated))
            return
        if not table.takes_part:
            await self._which.require_series_visible(reply, name)
        await reply.show(series_screen(table, reply.words, reply.player, others=others, dated=dated))

    async def choose_series(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Handle a series chosen on the leaderboard, or a season of the current series."""
        tag = press.argument or next(iter(values), "")
        name = next((one for one in await self._events.series(reply.guild) if game_tag(one) == tag), None)
        if name is None:
            await reply.done()
            return
        chosen = next(iter(values), "") if press.argument else ""
        season = int(chosen) if chosen.isascii() and chosen.isdigit() and len(chosen) < MAX_NUMBER_LENGTH else 0
        await self._show_series(reply, name, season=season)

    async def choose_series_calls(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Turn the reader's pings for the next dates of series on or off."""
        on, words = bool(press.hand), reply.words
        settings = partial(replace, series_calls=on)
        reply.read_as(await self._services.play.change_member_settings(reply.guild, reply.player, settings))
        event = (await self._events.look(event_of(reply, press))).event
        said = words(f"event.done.series_calls_{'on' if on else 'off'}")
        await reply.say(said, then=[series_calls_button(event, words, on=not on)])

    async def log(self, reply: Reply, key: EventKey) -> None:
        """Show the end of an event's log."""
        facts = await self._events.log(key, official(reply))
        view = await self._events.look(key)
        shown = log_screen(view.event, facts, reply.words, numbers=view.table_numbers)
        await reply.show(with_details(shown, view.event, reply.words))

    # taking part

    async def _register(self, reply: Reply, key: EventKey) -> None:
        """Register, re-enter or join the waiting list. Players already on either list are shown their status."""
        try:
            entrant = await self._events.register(key, reply.player, terms=reply.terms, cause=reply.cause)
        except Refused as refused:
            if refused.reason not in (EventReason.ALREADY_REGISTERED, EventReason.ALREADY_WAITING):
                raise
            await self._say_place(reply, key)
            return
        if isinstance(entrant, WaitingPlayer):
            await self._say_waiting(reply, key, joined=True)
        else:
            await self._say_entered(reply, key, entrant)

    async def _take(self, reply: Reply, key: EventKey) -> None:
        """Take the place that's on offer to the reader."""
        entrant = await self._events.take_place(key, reply.player, terms=reply.terms, cause=reply.cause)
        await self._say_entered(reply, key, entrant)

    async def _pass(self, reply: Reply, key: EventKey) -> None:
        """Give up the place that's on offer to the reader."""
        others = (await self._events.look(key)).next_in_line
        event = await self._events.decline_place(key, reply.player, cause=reply.cause)
        said = reply.words(
            "event.waiting.passed" if others else "event.waiting.passed_free", name=escape_name(event.name)
        )
        await reply.say(said, then=ways_on(await self._events.look(key), None, reply.words))

    async def _say_waiting(self, reply: Reply, key: EventKey, *, joined: bool = False) -> None:
        """Show the reader's place on the waiting list, or the event if they aren't on it any more."""
        view = await self._events.look(key)
        waiting = view.waiting_of(reply.player)
        if waiting is None:
            await self._show(reply, key)
            return
        told = joined_text if joined and waiting.offered_until is None else waiting_text
        await reply.say(told(view, waiting, reply.words), then=ways_on_waiting(view, waiting, reply.words))

    async def _say_entered(self, reply: Reply, key: EventKey, entrant: Entrant) -> None:
        """Show what comes next for a reader who has registered or taken a place."""
        view = await self._events.look(key)
        if entrant.state is EntrantState.CHECKED_IN and entrant.cause != reply.cause:
            # They were already registered, so this press checked them in.
            said = await self._done(reply, key, "checked_in")
            await self._say_until_seated(reply, key, said, ways_on(view, entrant, reply.words))
            return
        # Only players who paid a fee are shown their balance.
        fee = view.event.structure.fee
        wallet = await self._services.play.wallet(reply.guild, reply.player) if fee else 0
        said = registered_text(view, entrant, reply.words, wallet=wallet)
        then = ways_on(view, entrant, reply.words)
        own = view.event.format is Format.SIT_AND_GO and official(reply).organises(view.event)
        if own and (missing := fillable(view.event, len(view.lines))):
            said += "\n" + reply.words("event.done.seats_left", count=missing)
            then.insert(0, fill_button(view.event, reply.words))
        await self._say_until_seated(reply, key, said, then)

    async def _say_place(self, reply: Reply, key: EventKey) -> None:
        """Show the status of a reader who is already registered."""
        view = await self._events.look(key)
        if view.waiting_of(reply.player):
            await self._say_waiting(reply, key)
            return
        line = view.line_of(reply.player)
        if line is None or not line.entrant.registered:  # they have just withdrawn or the event has just started
            await self._show(reply, key)
            return
        said = place_text(view, line.entrant, reply.words)
        await self._say_until_seated(reply, key, said, ways_on(view, line.entrant, reply.words))

    async def _ask_to_register(self, reply: Reply, key: EventKey) -> None:
        """Show the terms of an entry, with the button that accepts them."""
        view = await self._events.look(key)
        entrant = view.line_of(reply.player)
        if entrant is not None and entrant.entrant.registered:
            await self._ask_to_check_in(reply, key)
            return
        said = reply.words("terms.typed" if reply.terms == UNSEEN else "terms.changed")
        waiting = view.waiting_of(reply.player)
        takes = waiting is not None and waiting.offered_until is not None
        await reply.show_separately(terms_screen(view, reply.words, said=said, takes=takes))

    async def _ask_to_check_in(self, reply: Reply, key: EventKey) -> None:
        """Show the current start, with a button that checks in for it.

        On the waiting list, show the terms of an entry, because a place at the start may cost a fee.
        """
        view = await self._events.look(key)
        if (waiting := view.waiting_of(reply.player)) is not None:
            offered = waiting.offered_until is not None
            if offered:
                told = waiting_text(view, waiting, reply.words)
            else:
                told = stand_by_text(view, reply.player, reply.words) or reply.words("terms.changed")
            await reply.show_separately(
                terms_screen(view, reply.words, said=told, takes=offered, stands_by=not offered)
            )
            return
        await reply.show_separately(terms_screen(view, reply.words, said=reply.words("terms.changed"), checks_in=True))

    async def withdraw(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Withdraw the reader, or ask first: if registering again wouldn't undo it, and in a running event."""
        key = event_of(reply, press)
        await self._which.require_visible(reply, key)
        if press.street == SURE or not await self._asks_to_withdraw(reply, key):
            await self._withdraw(reply, key)

    async def _asks_to_withdraw(self, reply: Reply, key: EventKey) -> bool:
        """Ask whether to withdraw if it can't be undone; True if the question was shown."""
        try:
            offer = await self._events.withdrawal(key, reply.player)
        except Refused:  # withdrawing is refused for the same reason
            return False
        if offer.final:
            await reply.show_separately(withdraw_screen(offer, reply.words))
        return offer.final

    async def _withdraw(self, reply: Reply, key: EventKey) -> None:
        """Withdraw the reader, take them off the waiting list, or ask if they want to leave a running event."""
        try:
            left = await self._events.withdraw(key, reply.player, cause=reply.cause)
        except Refused as refused:
            if refused.reason is not EventReason.EVENT_RUNS:
                raise
            await self._ask_to_leave(reply, key)
            return
        event = (await self._events.look(key)).event
        if isinstance(left, WaitingPlayer):
            said = reply.words("event.waiting.left", name=escape_name(event.name))
            await reply.say(said, then=ways_on(await self._events.look(key), None, reply.words))
            return
        said, fee = by_fee("event.done.withdrawn", event.structure), event.structure.fee
        values: dict[str, str | int] = {"chips": reply.words.number(fee), "count": fee} if fee else {}
        text = reply.words(said, name=escape_name(event.name), **values)
        await reply.say(text, then=ways_on(await self._events.look(key), None, reply.words))

    async def _ask_to_leave(self, reply: Reply, key: EventKey) -> None:
        """Say what leaving a running event costs, and ask."""
        await reply.show_separately(leave_screen(await self._events.leave_offer(key, reply.player), reply.words))

    async def _leave(self, reply: Reply, key: EventKey) -> None:
        """Let the reader leave a running event, or give up."""
        await self._events.leave(key, reply.player, terms=reply.terms, cause=reply.cause)
        view = await self._events.look(key)
        then = left_ways(view, reply.player, reply.words)
        await reply.say(left_text(view, reply.player, reply.words), then=then)

    async def _come_back(self, reply: Reply, key: EventKey) -> None:
        """Bring the reader back to an event that they have left."""
        await self._events.come_back(key, reply.player, cause=reply.cause)
        view = await self._events.look(key)
        await reply.say(returned_text(view, reply.words), then=left_ways(view, reply.player, reply.words))

    async def _check_in(self, reply: Reply, key: EventKey) -> None:
        """Check the reader in, possibly from the waiting list."""
        entrant = await self._events.check_in(key, reply.player, terms=reply.terms, cause=reply.cause)
        if isinstance(entrant, WaitingPlayer):
            await self._say_waiting(reply, key)
            return
        said, view = await self._done(reply, key, "checked_in"), await self._events.look(key)
        line = view.line_of(reply.player)
        then = ways_on(view, line.entrant if line else None, reply.words)
        await self._say_until_seated(reply, key, said, then)

    async def _done(self, reply: Reply, key: EventKey, what: str) -> str:
        """Return the sentence that reports ``what``, with the event's name."""
        event = (await self._events.look(key)).event
        return reply.words(f"event.done.{what}", name=escape_name(event.name))

    async def _played_beside(self, reply: Reply) -> list[Table]:
        """Return the reader's other tables where they're expected to act promptly.

        This excludes tables of events, practice tables, correspondence tables, and tables where they are sitting out.
        """
        play, found = self._services.play, []
        for table in await play.tables_of(reply.guild, reply.player):
            place = (await play.look(table.key, reply.player)).mine
            own = table.event_no is None and not table.private and not table.terms.clock.quiet
            if own and place is not None and not place.seat.sits_out:
                found.append(table)
        return found

    async def _overlapping(self, reply: Reply, key: EventKey) -> list[Event]:
        """Return the reader's other events that are expected to be on at the same time as this one."""
        others, now = await self._events.other_entries(key, reply.player), self._services.publisher.now()
        if not others:
            return []
        here, *there = [await self._events.look(one) for one in (key, *(event.key for event in others))]
        begin, end = _span(here, now=now)
        spans = [(other.event, *_span(other, now=now)) for other in there]
        return [event for event, begins, ends in spans if begins < end and begin < ends]

    async def fill(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Fill the free seats with computers and start.

        If the organiser plays too, their own table replaces this message.
        """
        key = event_of(reply, press)
        check_may_write(reply.interaction, (await self._events.look(key)).event.channel)
        done = await self._events.fill(key, official(reply), cause=reply.cause)
        filled = any(is_computer(line.entrant.player) for line in (await self._events.look(key)).lines)
        said = reply.words("event.done.filled" if filled else "event.done.started", name=escape_name(done.name))
        message = await reply.show(notice(said, colour=QUIET_COLOUR))
        self._expect(reply, key, message)

    async def _say_until_seated(self, reply: Reply, key: EventKey, said: str, then: Sequence[Part] = ()) -> None:
        """Show ``said`` until the reader's table replaces it.

        If they also play at other tables, mention those, with buttons that open their seats there.
        """
        tables = await self._played_beside(reply)
        beside = also_in_text(await self._overlapping(reply, key), reply.words)
        told = [text for text in (said, beside, also_at_text(tables, reply.words)) if text]
        message = await reply.say("\n".join(told), then=[*then, *also_at_buttons(tables, reply.words)])
        self._expect(reply, key, message)

    def _expect(self, reply: Reply, key: EventKey, message: int | None) -> None:
        """Replace this message with the reader's table when it opens."""
        reader = self._services.reader(reply)
        self._services.publisher.panels.expect(key, reply.player, reply.interaction, reader, message=message)


def _span(view: EventView, *, now: int) -> tuple[int, int]:
    """Return when an event starts and is expected to end (ms)."""
    start = start_of(view.event, now=now)
    return start, start + expected_ms(view)


def _in_order(events: Sequence[Event]) -> list[Event]:
    """Return the open events first and then the others, each group newest first."""
    return sorted(events, key=lambda event: (event.phase.over, -event.key.number))


def _record(key: EventKey, proof: Mapping[str, Any]) -> discord.File:
    """Return the record of a draw as a file."""
    data = json.dumps(proof, ensure_ascii=False, indent=2).encode()
    return discord.File(io.BytesIO(data), filename=f"chaipo-event-{key.number}.json")
