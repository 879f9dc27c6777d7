"""A command of acts: it suggests, understands what was typed, asks for what is missing, and does it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import replace
from typing import Generic

from discord import app_commands

from bot.base.clean_text import one_line
from bot.base.meter import Outcome
from bot.chat.kit.acts.act import EVERYTHING, ActSource, Given, Option, Question, T, TypedAct, Values
from bot.chat.kit.acts.drawing import (
    Verbs,
    everything_screen,
    form,
    offers_screen,
    press_of,
    question_screen,
    refused_screen,
    sure_screen,
)
from bot.chat.kit.acts.fields import (
    LONGEST_SAID,
    choices_of,
    insists,
    is_missing,
    names_of,
    read_values,
    shown,
    shown_before,
    without_insisting,
)
from bot.chat.kit.acts.matching import (
    LONGEST_SUGGESTION,
    MOST_LIKELY,
    MOST_SUGGESTED,
    Offer,
    is_exact,
    is_named,
    likely,
    meant,
    named_at,
    offered,
    suggested,
)
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.gate import Gate, PressKind
from bot.chat.kit.reply import Reply
from bot.chat.kit.typed_choice import folded
from bot.chat.kit.widgets import Interaction, button
from bot.model.ids import TableId
from bot.model.reasons import PlayReason
from bot.model.refusals import OtherTerms, Stale
from bot.pure.ofc.refusals import Refused
from bot.text.refusals import refusal
from bot.text.words import escape_name

AGAIN_MS = 60_000
"""For so long the same act, typed again, means yes."""
MOST_ASKED = 1_000
"""Questions that are remembered for it."""
Choice = app_commands.Choice[str]


class ActCommand(Generic[T]):
    """The acts of one command. It only routes: who may do what is decided by each act's use case."""

    def __init__(
        self,
        gate: Gate,
        source: ActSource[T],
        *,
        verb: str,
        no_right: Collection[PlayReason] = (),
        anywhere: bool = False,
    ) -> None:
        """``verb`` begins the verbs of its buttons. ``no_right`` are refusals that no other value could change.

        A command that works ``anywhere`` does in direct messages too.
        """
        self._gate = gate
        self._source = source
        self._verbs = Verbs(own=verb)
        self._no_right = frozenset(no_right)
        self._anywhere = anywhere
        self._asked: dict[tuple[object, ...], int] = {}
        """When somebody was asked whether they mean it."""
        for name, handler in {
            self._verbs.own: self._pressed,
            self._verbs.ask: self._ask_pressed,
            self._verbs.form: self._sent,
            self._verbs.yes: self._sure,
        }.items():
            gate.route(name, handler, kind=PressKind.PUBLIC, anywhere=anywhere)

    # suggestions

    async def suggest_do(self, interaction: Interaction, typed: str) -> list[Choice]:
        """The acts that are possible now: the likely ones, or all that match the letters."""

        async def found(reply: Reply) -> list[Choice]:
            offers = await self._offers(reply, typed)
            shown = suggested(typed, offers)
            listed = [one for one in offers if one.act.listed(one.target)]
            more = not folded(typed) and len(shown) < len(listed)
            row = reply.words("acts.everything.row")
            return [
                Choice(name=row if more and one.act.key == EVERYTHING else one.label, value=one.label) for one in shown
            ]

        return await self._gate.suggest(interaction, found)

    async def suggest(self, option: Option, interaction: Interaction, typed: str) -> list[Choice]:
        """Suggestions for another option: of the act that is typed, else of the likeliest that asks for one."""

        async def found(reply: Reply) -> list[Choice]:
            do = str(getattr(interaction.namespace, "do", "") or "")
            offers = await self._offers(reply, do)
            for offer in meant(do, offers) or (likely(offers, most=len(offers)) if not do.strip() else []):
                asked = next((one for one in offer.act.asks if one.option is option and one.choices), None)
                if asked is not None:
                    named = choices_of(asked, reply, offer.target, typed)[:MOST_SUGGESTED]
                    return [Choice(name=one.name[:LONGEST_SUGGESTION], value=one.value) for one in named]
            return []

        return await self._gate.suggest(interaction, found)

    async def _offers(self, reply: Reply, typed: str = "") -> list[Offer[T]]:
        return offered(self._source.acts, await self._source.targets(reply, typed), reply.words)

    # what was typed

    async def run(self, interaction: Interaction, do: str, given: Given) -> None:
        """Do what was typed."""

        async def body(reply: Reply) -> None:
            await self.typed(reply, do, given)

        await self._gate.run(interaction, body, kind=PressKind.PUBLIC, anywhere=self._anywhere)

    async def typed(self, reply: Reply, do: str, given: Given) -> None:
        """Do the act that was typed; otherwise show those between which it can't be decided, or the likely ones."""
        targets = await self._source.targets(reply, do)
        offers = offered(self._source.acts, targets, reply.words)
        found = meant(do, offers)
        if any(is_named(do, act) for act in self._source.acts) and not any(is_exact(do, one) for one in found):
            found = []  # the whole name of an act that isn't possible now
        if len(found) == 1:
            await self._begin(reply, found[0].act, found[0].target, given)
            return
        reply.outcome = Outcome.REFUSED
        said = reply.words("acts.several")
        if not found:
            named = named_at(do, self._source.acts, targets)
            found = suggested(do, offers) if named is None else []
            if not found:
                said, found = await self._not_found(reply, do, named), likely(offers)
            elif not folded(do):
                said = reply.words("acts.choose")
            if reply.answered:
                return
        await reply.show(offers_screen(said, found[:MOST_LIKELY], given, self._verbs, reply.words))

    async def _not_found(self, reply: Reply, do: str, named: tuple[TypedAct[T], Sequence[T]] | None) -> str:
        words = reply.words
        if named is not None:
            return await self._impossible(reply, *named)
        typed = escape_name(one_line(do)[:LONGEST_SAID])
        return words("acts.none", typed=typed)

    async def _impossible(self, reply: Reply, act: TypedAct[T], targets: Sequence[T]) -> str:
        """Return why an act isn't possible. Some use cases say it best, so they're asked."""
        nearest = [one for one in targets if one.name and one.rank == min(each.rank for each in targets if each.name)]
        why = self._source.why_not(reply, act, targets)
        if len(nearest) == 1 and act.explains(nearest[0]):
            try:
                await act.does(reply, nearest[0], Values())
            except Refused as refused:
                why = refusal(refused, reply.words)
        return "\n".join([why, reply.words("acts.can")])

    async def _begin(self, reply: Reply, act: TypedAct[T], target: T, given: Given) -> None:
        """Do an act, ask whether it's meant, or ask for what is missing."""
        insisted = insists(given)
        given = without_insisting(given)
        missing = is_missing(act, given)
        try:
            read_values(act, reply, target, given)
        except Refused as refused:
            await self._refuse(reply, act, target, given, refusal(refused, reply.words))
            return
        if missing and not act.sure:
            await self._ask(reply, act, target, given)
        elif act.sure and (missing or not (insisted or self._asked_before(reply, act, target, given))):
            await self._ask_whether(reply, act, target, given)
        else:
            await self._do_once_asked(reply, act, target, given, insisted=insisted)

    async def _do_once_asked(
        self,
        reply: Reply,
        act: TypedAct[T],
        target: T,
        given: Given,
        *,
        shown_terms: str = "",
        insisted: bool = False,
    ) -> None:
        """Do an act, unless something is to be shown before it that the presser hasn't seen yet."""
        try:
            question = await self._question(reply, act, target, given)
        except Refused as refused:
            if refused.reason in self._no_right:
                raise
            await self._refuse(reply, act, target, given, refusal(refused, reply.words))
            return
        if reply.answered:
            return
        seen = question is None or insisted or shown_terms == question.terms
        if question is None or seen or self._asked_before(reply, act, target, given, question.terms):
            await self._do(reply, act, target, given)
        else:
            await self._show_question(reply, act, target, given, question)

    async def _show_question(
        self, reply: Reply, act: TypedAct[T], target: T, given: Given, question: Question, *, said: str = ""
    ) -> None:
        if said:
            question = replace(question, said=f"{said}\n{question.said}")
        names = names_of(act, reply, target, given)
        await reply.show(question_screen(question, act, target, given, self._verbs, reply.words, names=names))

    async def _question(self, reply: Reply, act: TypedAct[T], target: T, given: Given) -> Question | None:
        if act.asks_once is None:
            return None
        return await act.asks_once(reply, target, read_values(act, reply, target, given))

    def _asked_before(self, reply: Reply, act: TypedAct[T], target: T, given: Given, terms: str = "") -> bool:
        """True if the same was typed within the last minute; otherwise it's remembered for the next time."""
        asked = (reply.guild, reply.player, act.key, target.number, target.tag, given, terms)
        before = self._asked.pop(asked, None)
        if before is not None and 0 <= reply.made_at - before <= AGAIN_MS:
            return True
        self._asked[asked] = reply.made_at
        if len(self._asked) > MOST_ASKED:
            del self._asked[next(iter(self._asked))]
        return False

    def forget(self, reply: Reply) -> None:
        """Somebody didn't mean it: the same, typed again, is asked again."""
        who = (reply.guild, reply.player)
        self._asked = {asked: at for asked, at in self._asked.items() if asked[:2] != who}

    async def _ask_whether(self, reply: Reply, act: TypedAct[T], target: T, given: Given) -> None:
        if act.question is not None:
            await act.question(reply, target, read_values(act, reply, target, given))
            return
        if act.asks:
            await self._ask(reply, act, target, given)
            return
        means = await self._means(reply, act, target, given)
        await reply.show(sure_screen(means, act, target, self._verbs, reply.words))

    async def _ask(self, reply: Reply, act: TypedAct[T], target: T, given: Given) -> None:
        """Open the form of an act with what is known."""
        means, terms = await self._means(reply, act, target, given), ""
        if not act.sure and (question := await self._question_known(reply, act, target, given)) is not None:
            means, terms = "\n".join(filter(None, [means, question.said])), question.terms
        await reply.ask(
            form(act, reply, target, given, self._verbs, means=means, terms=terms),
            again=press_of(self._verbs.ask, act, target),
            kept=shown(given, reply.words, names_of(act, reply, target, given)),
        )

    async def _question_known(self, reply: Reply, act: TypedAct[T], target: T, given: Given) -> Question | None:
        """Return what is to be shown before an act as far as that is known; its form says what is wrong once sent."""
        try:
            return await self._question(reply, act, target, given)
        except Refused as refused:
            if refused.reason in self._no_right:
                raise
            return None

    async def _means(self, reply: Reply, act: TypedAct[T], target: T, given: Given) -> str:
        if act.means is None:
            return ""
        try:
            values = read_values(act, reply, target, given)
        except Refused:
            values = Values()  # the form says what is wrong once it's sent
        return await act.means(reply, target, values)

    async def _do(self, reply: Reply, act: TypedAct[T], target: T, given: Given) -> None:
        """Do an act and report it with the way back; what was typed isn't lost if it's refused."""
        if act.key == EVERYTHING:
            await reply.show(everything_screen(await self._offers(reply), self._verbs, reply.words))
            return
        try:
            said = await act.does(reply, target, read_values(act, reply, target, given))
        except Refused as refused:
            if refused.reason in self._no_right:
                raise
            await self._refuse(reply, act, target, given, refusal(refused, reply.words))
            return
        except OtherTerms:
            # They have changed since the question was made: it's asked again.
            fresh = await self._source.target(reply, TableId(target.number), target.tag)
            question = await self._question(reply, act, fresh, given)
            if question is None:
                raise
            reply.outcome = Outcome.STALE
            await self._show_question(reply, act, fresh, given, question, said=reply.words("terms.changed"))
            return
        if not said:
            return
        undo = next((one for one in self._source.acts if one.key == act.undo), None)
        if undo is None:
            await reply.say(said)
            return
        name = reply.words(undo.name)
        back = button(press_of(self._verbs.own, undo, target), name)
        told = reply.words.side_by_side([said, reply.words("acts.undo", act=name)])
        await reply.say(told, then=[back])

    async def _refuse(self, reply: Reply, act: TypedAct[T], target: T, given: Given, why: str) -> None:
        reply.outcome = Outcome.REFUSED
        names = names_of(act, reply, target, given)
        await reply.show_refused(refused_screen(why, act, target, given, self._verbs, reply.words, names=names))

    # presses

    async def _pressed(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        await self._on(reply, press, lambda act, target: self._begin(reply, act, target, self._typed_before(reply)))

    async def _ask_pressed(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        async def ask(act: TypedAct[T], target: T) -> None:
            # A forged press may ask for a form without fields.
            await (self._ask if act.asks else self._begin)(reply, act, target, self._typed_before(reply))

        await self._on(reply, press, ask)

    async def _sent(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        async def sent(act: TypedAct[T], target: T) -> None:
            if len(values) != len(act.asks):
                raise Stale
            given = Given()
            for asked, value in zip(act.asks, values, strict=True):
                given = given.but(asked.option, value)
            if is_missing(act, given):
                # A long field may be sent empty.
                await self._refuse(reply, act, target, given, reply.words("acts.missing"))
            elif act.sure:
                await self._do(reply, act, target, without_insisting(given))
            else:
                plain, insisted = without_insisting(given), insists(given)
                await self._do_once_asked(reply, act, target, plain, shown_terms=press.terms, insisted=insisted)

        await self._on(reply, press, sent)

    async def _sure(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        async def do(act: TypedAct[T], target: T) -> None:
            await self._do_once_asked(reply, act, target, self._typed_before(reply), shown_terms=press.terms)

        await self._on(reply, press, do)

    def _typed_before(self, reply: Reply) -> Given:
        return shown_before(reply.pressed_texts)

    async def _on(self, reply: Reply, press: Press, do: Callable[[TypedAct[T], T], Awaitable[None]]) -> None:
        act = next((one for one in self._source.acts if one.key == press.argument), None)
        if act is None:
            raise Stale
        target = await self._source.target(reply, press.table, press.tag)
        if act.when(target):
            await do(act, target)
            return
        reply.outcome = Outcome.REFUSED
        said, offers = await self._impossible(reply, act, [target]), likely(await self._offers(reply))
        if reply.answered:
            return
        await reply.show_apart(offers_screen(said, offers, Given(), self._verbs, reply.words))
