"""Preparing an event or changing an announced one: the page, its menus and forms, and publishing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

from bot.chat.event.screens.doubtful_start import HOLD_AGAIN
from bot.chat.event.screens.draft.event_choices import (
    START,
    EventChoices,
    form_fields,
    too_long,
    topic_of,
    topics,
    with_preset,
    with_written,
    written_value,
)
from bot.chat.event.screens.draft.form import (
    ALL_RULES,
    FORM,
    THIS_DATE,
    form_screen,
    is_chosen,
    opens_at_once,
    rules_screen,
    section_form,
)
from bot.chat.event.screens.draft.plan import build_plan, changes_of, default_name, played_game, put_aside, told
from bot.chat.event.screens.draft.summary import FormPage
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.fragments import QUIET_COLOUR
from bot.chat.kit.game_choice import find_game
from bot.chat.kit.gate import PressKind
from bot.chat.kit.given_roles import gives_roles
from bot.chat.kit.permissions_here import check_may_write, has_threads, may_post, missing_for_threads, public_language
from bot.chat.kit.presses import BETWEEN
from bot.chat.kit.reply import PressHandler, Reply
from bot.chat.kit.shown_terms import ShownTerms
from bot.chat.kit.widgets import notice
from bot.chat.services import Services
from bot.model.events import Event
from bot.model.ids import EventKey
from bot.model.reasons import EventReason, PlanReason
from bot.model.refusals import Stale
from bot.play import terms
from bot.play.event.office.date_changes import for_one_date
from bot.play.event.office.permissions import MemberPermissions
from bot.play.event.office.registration import PlannedEvent, Problem, problems
from bot.play.event.trials.forecast import expected_people
from bot.pure.event.structure import PRESETS, Format, StructureError
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.variants import Variant, VariantError
from bot.text.event_structure import change_lines
from bot.text.hours import is_counted_from_now
from bot.text.words import escape_name, words_for
from cogs.event.drafts import Drafts, OpenDraft
from cogs.event.which_event import (
    EventAccess,
    authority_of,
    official,
    without_unusable_channels,
)

TIMED = next(key for key, structure in PRESETS.items() if structure.format is not Format.SIT_AND_GO)
"""The preset used if only a start time is given."""
ROLE_PLACES = ("1", "2", "3")
DraftHandler = Callable[[Reply, OpenDraft, Press, Sequence[str]], Awaitable[None]]
DRAFT = "draft"
"""The key for remembering the terms of a draft's page."""
LACKING = "event.refuse.missing_permissions"
"""Key of the sentence for a channel where the bot lacks permissions to hold an event."""


class EventCreation:
    """The page on which an organiser prepares an event.

    All its values are stored, so the draft outlives the message.
    """

    def __init__(self, services: Services, which: EventAccess) -> None:
        self._services = services
        self._which = which
        self._events = services.events
        self.drafts = Drafts(services, which)
        self._shown = ShownTerms()
        for verb, handler in {
            "ev_form_open": self.open_section,
            "ev_form_preset": self.set_preset,
            "ev_form_game": self.set_game,
            "ev_form_set": self.set_choice,
            "ev_form_role": self.set_role,
            "ev_form_channels": self.set_channels,
            "ev_form_ask": self.ask,
            "ev_form_text": self.set_text,
            "ev_form_drop": self.throw_away,
        }.items():
            services.gate.route(verb, self._organising(handler))
        publish, asks = self._organising(self._explaining(self.publish)), self._organising(self.ask_again)
        which.button("ev_change", self.change)
        which.button(HOLD_AGAIN, self.hold_again)
        services.gate.route("ev_form_publish", publish, kind=PressKind.PUBLIC, asks=asks)

    def _organising(self, handler: DraftHandler) -> PressHandler:
        """Wrap ``handler`` so that each press loads the draft and checks that the member may organise."""

        async def organising(reply: Reply, press: Press, values: Sequence[str]) -> None:
            draft = await self.drafts.read(reply)
            if draft.view is not None:
                await self._events.require_organiser(draft.view.event.key, official(reply))
            if draft.view is not None or await self._which.may_announce(reply):
                await handler(reply, draft, press, values)

        return organising

    def _explaining(self, handler: DraftHandler) -> DraftHandler:
        """Wrap ``handler`` so that if the draft causes a refusal, the page is shown and explains the problem."""

        async def explaining(reply: Reply, draft: OpenDraft, press: Press, values: Sequence[str]) -> None:
            try:
                await handler(reply, draft, press, values)
            except (Refused, StructureError, VariantError) as error:
                # Reload the draft, because its event may have started or ended by now.
                page = await self.page(reply, await self.drafts.read(reply))
                if page.possible and isinstance(error, Refused):
                    raise
                await reply.show(form_screen(page, reply.words))

        return explaining

    async def open(self, reply: Reply, *, when: str = "", like: int | None = None) -> None:
        """Open the page.

        ``when`` is the start as typed, and ``like`` is the number of an event to copy.
        """
        if not await self._which.may_announce(reply) or not await may_post(reply, LACKING):
            return
        draft = await self.drafts.read(reply)
        choices = draft.choices if like is None else await self.drafts.copied(reply, like)
        if when.strip():
            if choices.form is Format.SIT_AND_GO:
                choices = await self.drafts.clamp_seats(reply, with_preset(choices, TIMED))
            choices = await self.drafts.with_hour(reply, choices, when)
        await self._keep(reply, draft, choices)

    async def hold_again(self, reply: Reply, key: EventKey) -> None:
        """Open the page with an event like one that was called off. Its start is one or more weeks later."""
        await self.open(reply, like=key.number)

    async def change(self, reply: Reply, key: EventKey) -> None:
        """Open the page to change an announced event. The current draft is set aside."""
        view = await self._events.look(key)
        await self._events.require_organiser(key, official(reply))
        if view.event.phase.over:
            raise Refused(EventReason.EVENT_OVER)
        draft = await self.drafts.turned_to(reply, view)
        await self._keep(reply, draft, draft.choices)

    async def publish_typed(self, reply: Reply, dates: str) -> None:
        """Publish the draft if the organiser has seen its current page. Otherwise, show that page first.

        ``dates`` is ``THIS_DATE`` to save a change for this date only.
        """
        if seen := self._shown.take(reply, DRAFT):
            await self._services.gate.handle(reply, FORM.but("ev_form_publish", dates, terms=seen), [])
            return

        async def show(reply: Reply, draft: OpenDraft, press: Press, values: Sequence[str]) -> None:
            await self._draw(reply, draft, said=reply.words("event_acts.publish_again"))

        await self._organising(show)(reply, FORM, [])

    async def open_at(self, reply: Reply, at: int) -> None:
        """Open the page with the start ``at`` (ms), or with an unchanged start if it's 0.

        Raises Refused while the draft changes an announced event.
        """
        draft = await self.drafts.read(reply)
        if draft.view is not None:
            raise Refused(PlanReason.CHANGING_ANOTHER)
        choices = draft.choices
        if choices.form is Format.SIT_AND_GO:
            choices = await self.drafts.clamp_seats(reply, with_preset(choices, TIMED))
        await self._keep(reply, draft, await self.drafts.at_time(reply, choices, at) if at else choices)

    # the page

    async def _keep(self, reply: Reply, draft: OpenDraft, choices: EventChoices, **shown: Any) -> None:
        """Save ``choices`` as the draft and draw the page."""
        await self.drafts.keep(reply, choices)
        await self._draw(reply, replace(draft, choices=choices), **shown)

    async def _draw(self, reply: Reply, draft: OpenDraft, *, section: str = "", **shown: Any) -> None:
        """Draw the page with ``section`` open. ``shown`` sets additional fields of the page."""
        page = await self.page(reply, draft)
        known = section if section in topics(draft.choices) else ""
        self._shown.remember(reply, DRAFT, page.terms)
        await reply.show(form_screen(replace(page, section=known, **shown), reply.words))

    async def page(self, reply: Reply, draft: OpenDraft) -> FormPage:
        """Return the current page with the game, all problems, and the permissions that the bot lacks."""
        game: Variant | VariantError
        found: list[Problem] = []
        choices, view = draft.choices, draft.view
        event = None if view is None else view.event
        try:
            if event is not None:
                game = event.variant
                found = await self._events.may_change(
                    event.key, official(reply), changes_of(choices), await self._authority(reply, choices)
                )
            else:
                plan = await self.plan(reply, choices)
                game, found = plan.variant, problems(plan, now=self.drafts.now())
        except VariantError as error:
            game = error
        wants_threads = event is None and choices.structure.threads
        lasts, people = None, expected_people(choices.structure, 0 if view is None else len(view.lines))
        if isinstance(game, Variant) and not any(isinstance(problem, StructureError) for problem in found):
            lasts = await self._events.forecast(reply.guild, choices.structure, game, choices.clock, people=people)
        return FormPage(
            choices=without_unusable_channels(reply, await self._named(reply, choices)),
            guild=reply.guild,
            organiser=reply.player if event is None else event.organiser,
            event=event,
            late=draft.late,
            people=() if view is None else view.lines,
            pool=0 if view is None else view.pool,
            lasts=lasts,
            games=await self._services.play.games(reply.guild),
            game=game,
            problems=found,
            zone=await self.drafts.zone(reply),
            now=self.drafts.now(),
            no_threads=missing_for_threads(reply.interaction) if wants_threads else [],
            threadless=event is None and not has_threads(reply.interaction),
            may_give_roles=gives_roles(reply.interaction),
            terms=terms.of_page(choices.to_json()),
        )

    async def plan(self, reply: Reply, choices: EventChoices) -> PlannedEvent:
        """Return the plan for announcing the event; raises VariantError if its game can't be played."""
        server = await self._services.play.server(reply.guild)
        return build_plan(
            without_unusable_channels(reply, await self._named(reply, choices)),
            played_game(choices, await find_game(self._services.play, reply.guild, choices.game)),
            guild=reply.guild,
            channel=reply.interaction.channel_id or 0,
            organiser=reply.player,
            authority=await self._authority(reply, choices),
            language=public_language(reply.interaction, server).code,
            zone=await self.drafts.zone(reply),
        )

    async def _authority(self, reply: Reply, choices: EventChoices) -> MemberPermissions:
        """Return the prizes and roles that the member may promise at this event."""
        return authority_of(reply.interaction, await self._services.play.server(reply.guild), choices.structure)

    async def _named(self, reply: Reply, choices: EventChoices) -> EventChoices:
        """Return the choices, with a default name if none was entered."""
        return (
            choices if choices.name or choices.of else replace(choices, name=await self._default_name(reply, choices))
        )

    async def _default_name(self, reply: Reply, choices: EventChoices) -> str:
        """Return a default name such as ``Alice's Sit & Go``, in the channel's language."""
        server = await self._services.play.server(reply.guild)
        words = words_for(public_language(reply.interaction, server).code)
        return default_name(choices, reply.interaction.user.display_name, words)

    # menus and forms

    async def open_section(self, reply: Reply, draft: OpenDraft, press: Press, values: Sequence[str]) -> None:
        """Open the chosen topic's form if that's all it has. Otherwise, open its section or the page of all rules."""
        page, topic = await self.page(reply, draft), values[0] if values else ""
        if topic == ALL_RULES:
            await reply.show(rules_screen(page, reply.words))
        elif opens_at_once(page, topic):
            await reply.ask(section_form(page, topic, reply.words), again=FORM.but("ev_form_ask", topic))
        else:
            known = topic if topic in topics(draft.choices) else ""
            await reply.show(form_screen(replace(page, section=known), reply.words))

    async def set_preset(self, reply: Reply, draft: OpenDraft, press: Press, values: Sequence[str]) -> None:
        """Apply a chosen preset."""
        choices, _ = await self.drafts.with_chosen(reply, draft.choices, {"preset": values[0] if values else ""})
        await self._keep(reply, draft, choices)

    async def set_game(self, reply: Reply, draft: OpenDraft, press: Press, values: Sequence[str]) -> None:
        """Apply a chosen game. If it has since been deleted, change nothing."""
        choices, _ = await self.drafts.with_chosen(reply, draft.choices, {"game": values[0] if values else ""})
        await self._keep(reply, draft, choices, section=START)

    async def set_choice(self, reply: Reply, draft: OpenDraft, press: Press, values: Sequence[str]) -> None:
        """Apply a value chosen from one of the menus."""
        name = press.argument
        choices, _ = await self.drafts.with_chosen(reply, draft.choices, {name: values[0] if values else ""})
        await self._keep(reply, draft, choices, section=topic_of(name))

    async def set_role(self, reply: Reply, draft: OpenDraft, press: Press, values: Sequence[str]) -> None:
        """Apply a role chosen for a place."""
        name = f"role_{press.argument}" if press.argument in ROLE_PLACES else ""
        choices, refused = await self.drafts.with_chosen(reply, draft.choices, {name: values[0] if values else ""})
        await self._keep(reply, draft, choices, section="prizes", **refused)

    async def set_channels(self, reply: Reply, draft: OpenDraft, press: Press, values: Sequence[str]) -> None:
        """Apply the additional channels chosen for tables."""
        choices, refused = await self.drafts.with_chosen(reply, draft.choices, {"channels": BETWEEN.join(values)})
        await self._keep(reply, draft, choices, section="tables", **refused)

    async def ask(self, reply: Reply, draft: OpenDraft, press: Press, values: Sequence[str]) -> None:
        """Open a form."""
        if not form_fields(press.argument, draft.choices, roles=gives_roles(reply.interaction)):
            await self._draw(reply, draft)
            return
        form = section_form(await self.page(reply, draft), press.argument, reply.words)
        await reply.ask(form, again=FORM.but("ev_form_ask", press.argument))

    async def set_text(self, reply: Reply, draft: OpenDraft, press: Press, values: Sequence[str]) -> None:
        """Apply the values entered in a form."""
        before, section = draft.choices, press.argument
        names = form_fields(section, before, roles=gives_roles(reply.interaction))
        if not names or not press.hand == len(names) == len(values):
            raise Stale  # the kind of event was changed on another page of the same draft
        given = dict(zip(names, values, strict=False))
        chosen = {name: given.pop(name) for name in names if is_chosen(name)}
        shown: dict[str, Any] = {}
        timed = section == START and given.get("when", "").strip() and before.form is Format.SIT_AND_GO
        if timed and chosen.get("preset") == before.preset:
            chosen["preset"] = TIMED
            shown["now_timed"] = True
        choices, refused = await self.drafts.with_chosen(reply, before, chosen)
        if choices.pace is not before.pace and given.get("time") == written_value(before, "time", reply.words):
            del given["time"]  # not edited, so use the default of the chosen pace
        if not before.of and given.get("name") == await self._default_name(reply, before):
            given["name"] = ""  # not edited, so use the default name of the chosen kind
        choices = await self._written(reply, choices, given)
        await self._keep(reply, draft, choices, section=topic_of(next(iter(names))), **shown, **refused)

    async def _written(self, reply: Reply, choices: EventChoices, written: dict[str, str]) -> EventChoices:
        when = written.pop("when", choices.when)
        if too_long("when", when):
            written["when"], when = when, choices.when
        same = " ".join(when.split()) == choices.when
        # A relative time that is sent again counts from now if nothing else was changed or the time has passed.
        alone = all(written_value(choices, name, reply.words) == text for name, text in written.items())
        again = is_counted_from_now(when) and (alone or (choices.starts_at or 0) <= self.drafts.now())
        if not same or choices.starts_at is None or ("when" not in written and again):
            choices = await self.drafts.with_hour(reply, choices, when)
        series = choices.series
        choices = with_written(choices, list(written), list(written.values()))
        if choices.series != series:
            choices = await self.drafts.as_its_series(reply, choices)
        if not choices.of and choices.name == await self._default_name(reply, choices):
            choices = replace(choices, name="")
        return choices

    # the end

    async def throw_away(self, reply: Reply, draft: OpenDraft, press: Press, values: Sequence[str]) -> None:
        """Discard the draft after asking once for confirmation."""
        if not press.hand:
            await self._draw(reply, draft, leaving=True)
            return
        await self.drafts.forget(reply, draft.choices)
        text = "event_form.left_unchanged" if draft.choices.of else "event_form.thrown_away"
        await reply.show(notice(reply.words(text), colour=QUIET_COLOUR))

    async def ask_again(self, reply: Reply, draft: OpenDraft, press: Press, values: Sequence[str]) -> None:
        """Show the current draft, because it differs from the page on which the button was pressed."""
        await self._draw(reply, draft, said=reply.words("terms.changed"))

    async def publish(self, reply: Reply, draft: OpenDraft, press: Press, values: Sequence[str]) -> None:
        """Announce the event in this channel, or apply the changes to an announced one."""
        choices = draft.choices
        # The draft may have been changed on another page.
        terms.require_unchanged(reply.terms, terms.of_page(choices.to_json()))
        if draft.view is not None:
            await self._change(reply, draft.view.event, choices, this_date=press.argument == THIS_DATE)
            return
        if not await may_post(reply, LACKING):
            return
        plan = await self.plan(reply, choices)
        await self._which.require_series_visible(reply, plan.series)
        event = await self._events.create(plan, cause=reply.cause)
        text = reply.words("event.done.created", name=escape_name(event.name), number=event.key.number)
        await reply.show(notice("\n".join([text, *self._page_line(reply, event)]), colour=QUIET_COLOUR))

    def _page_line(self, reply: Reply, event: Event) -> list[str]:
        """Return the address of the event's public page; empty if it has none."""
        address = self._services.event_publisher.page_of(event)
        return [reply.words("event.done.page", address=address)] if address else []

    async def _change(self, reply: Reply, event: Event, choices: EventChoices, *, this_date: bool) -> None:
        """Change the event to match ``choices``, possibly for ``this_date`` of its repetition only; raises Refused."""
        check_may_write(reply.interaction, event.channel)
        changes = changes_of(choices)
        if "series" in changes:
            await self._which.require_series_visible(reply, choices.series)
        authority = await self._authority(reply, choices)
        aside = put_aside(choices)
        scope = ("_once" if this_date and for_one_date(event, changes) else "_lasting") if event.repeat else ""
        event = await self._events.change(
            event.key,
            official(reply),
            changes,
            cause=reply.cause,
            authority=authority,
            kept={} if aside is None else aside.to_json(),
            this_date=this_date,
        )
        said = [reply.words(f"event.done.changed{scope}", name=escape_name(event.name))]
        said += change_lines(told(choices), reply.words)
        if "page" in changes:
            said += self._page_line(reply, event)
        await reply.show(notice("\n".join(said), colour=QUIET_COLOUR))
