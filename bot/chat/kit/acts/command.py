"""A command with acts. It suggests them, parses the typed text, asks for missing values, and runs the act."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import replace
from typing import Generic

from discord import app_commands

from bot.base.clean_text import one_line
from bot.base.meter import InteractionOutcome
from bot.chat.kit.acts.act import EVERYTHING, ActInputs, ActSource, ActValues, Confirmation, Option, T, TypedAct
from bot.chat.kit.acts.drawing import (
    Verbs,
    act_press,
    everything_screen,
    form,
    offers_screen,
    question_screen,
    refused_screen,
    sure_screen,
)
from bot.chat.kit.acts.fields import (
    MAX_QUOTED_LENGTH,
    insists,
    is_missing,
    read_values,
    shown,
    shown_before,
    suggestions_for,
    typed_names,
    without_insisting,
)
from bot.chat.kit.acts.matching import (
    MAX_INITIAL_SUGGESTIONS,
    PossibleAct,
    is_exact,
    is_named,
    likely,
    matching_acts,
    named_at,
    possible_acts,
    suggest_acts,
)
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.gate import Gate, PressKind
from bot.chat.kit.reply import Reply
from bot.chat.kit.suggestions import MAX_SUGGESTION_LENGTH, shortened
from bot.chat.kit.typed_choice import normalise
from bot.chat.kit.widgets import Interaction, button
from bot.model.ids import TableId
from bot.model.reasons import PlayReason
from bot.model.refusals import OtherTerms, Stale
from bot.pure.ofc.refusals import Refused
from bot.text.refusals import refusal
from bot.text.words import escape_name

AGAIN_MS = 60_000
"""Time within which typing an act again confirms it (ms)."""
MAX_QUESTIONS = 1_000
"""Maximum number of remembered questions."""
Choice = app_commands.Choice[str]


class ActCommand(Generic[T]):
    """The acts of one command. It only routes, because each act's use case checks permissions."""

    def __init__(
        self,
        gate: Gate,
        source: ActSource[T],
        *,
        verb: str,
        no_right: Collection[PlayReason] = (),
        anywhere: bool = False,
    ) -> None:
        """Register the buttons, whose verbs start with ``verb``. ``no_right`` are refusals that no value can avoid.

        With ``anywhere``, the command also works in direct messages.
        """
        self._gate = gate
        self._source = source
        self._verbs = Verbs(own=verb)
        self._no_right = frozenset(no_right)
        self._anywhere = anywhere
        self._asked: dict[tuple[object, ...], int] = {}
        """Time of each confirmation question (ms), by player, act, target and values."""
        for name, handler in {
            self._verbs.own: self._pressed,
            self._verbs.ask: self._ask_pressed,
            self._verbs.form: self._sent,
            self._verbs.yes: self._sure,
        }.items():
            gate.route(name, handler, kind=PressKind.PUBLIC, anywhere=anywhere)

    # suggestions

    async def suggest_do(self, interaction: Interaction, typed: str) -> list[Choice]:
        """Suggest acts that are possible now: those that match ``typed``, or the likely ones if it's empty."""

        async def found(reply: Reply) -> list[Choice]:
            offers = await self._offers(reply, typed)
            shown = suggest_acts(typed, offers, most=len(offers))
            listed = [one for one in offers if one.act.listed(one.target)]
            more = not normalise(typed) and len(shown) < len(listed)
            row = reply.words("acts.everything.row")
            choices = [
                Choice(name=row if more and one.act.key == EVERYTHING else one.label, value=one.typed) for one in shown
            ]
            return shortened(choices, typed, reply.words)

        return await self._gate.suggest(interaction, found)

    async def suggest(self, option: Option, interaction: Interaction, typed: str) -> list[Choice]:
        """Suggest values for another option of the typed act, or of the most likely act that asks for this option."""

        async def found(reply: Reply) -> list[Choice]:
            do = str(getattr(interaction.namespace, "do", "") or "")
            offers = await self._offers(reply, do)
            for offer in matching_acts(do, offers) or (likely(offers, most=len(offers)) if not do.strip() else []):
                asked = next((one for one in offer.act.asks if one.option is option and one.choices), None)
                if asked is not None:
                    named = suggestions_for(asked, reply, offer.target, typed)
                    choices = [Choice(name=one.name[:MAX_SUGGESTION_LENGTH], value=one.value) for one in named]
                    return shortened(choices, typed, reply.words, free=asked.free)
            return []

        return await self._gate.suggest(interaction, found)

    async def _offers(self, reply: Reply, typed: str = "") -> list[PossibleAct[T]]:
        return possible_acts(self._source.acts, await self._source.targets(reply, typed), reply.words)

    # typed commands

    async def run(self, interaction: Interaction, do: str, given: ActInputs) -> None:
        """Run the act that was typed."""

        async def body(reply: Reply) -> None:
            await self.typed(reply, do, given)

        await self._gate.run(interaction, body, kind=PressKind.PUBLIC, anywhere=self._anywhere)

    async def typed(self, reply: Reply, do: str, given: ActInputs) -> None:
        """Run the typed act. If it's ambiguous, offer the matching acts; if nothing matches, offer the likely ones."""
        targets = await self._source.targets(reply, do)
        offers = possible_acts(self._source.acts, targets, reply.words)
        found = matching_acts(do, offers)
        if any(is_named(do, act) for act in self._source.acts) and not any(is_exact(do, one) for one in found):
            found = []  # the full name of an act that isn't possible now
        if len(found) == 1:
            await self._begin(reply, found[0].act, found[0].target, given)
            return
        reply.outcome = InteractionOutcome.REFUSED
        said = reply.words("acts.several")
        if not found:
            named = named_at(do, self._source.acts, targets)
            found = suggest_acts(do, offers) if named is None else []
            if not found:
                said, found = await self._not_found(reply, do, named), likely(offers)
            elif not normalise(do):
                said = reply.words("acts.choose")
            if reply.answered:
                return
        await reply.show(offers_screen(said, found[:MAX_INITIAL_SUGGESTIONS], given, self._verbs, reply.words))

    async def _not_found(self, reply: Reply, do: str, named: tuple[TypedAct[T], Sequence[T]] | None) -> str:
        words = reply.words
        if named is not None:
            return await self._impossible(reply, *named)
        typed = escape_name(one_line(do)[:MAX_QUOTED_LENGTH])
        return words("acts.none", typed=typed)

    async def _impossible(self, reply: Reply, act: TypedAct[T], targets: Sequence[T]) -> str:
        """Return why ``act`` isn't possible. If its use case gives the best reason, run it and return its refusal."""
        nearest = [one for one in targets if one.name and one.rank == min(each.rank for each in targets if each.name)]
        why = self._source.why_not(reply, act, targets)
        if len(nearest) == 1 and act.explains(nearest[0]):
            try:
                await act.does(reply, nearest[0], ActValues())
            except Refused as refused:
                why = refusal(refused, reply.words)
        return "\n".join([why, reply.words("acts.can")])

    async def _begin(self, reply: Reply, act: TypedAct[T], target: T, given: ActInputs) -> None:
        """Run an act, or first ask for confirmation or for missing values."""
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
        elif act.sure and (missing or not (insisted or self._is_repeated(reply, act, target, given))):
            await self._ask_whether(reply, act, target, given)
        else:
            await self._do_once_asked(reply, act, target, given, insisted=insisted)

    async def _do_once_asked(
        self,
        reply: Reply,
        act: TypedAct[T],
        target: T,
        given: ActInputs,
        *,
        shown_terms: str = "",
        insisted: bool = False,
    ) -> None:
        """Run an act, unless it has a question that the player hasn't been asked yet."""
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
        if question is None or seen or self._is_repeated(reply, act, target, given, question.terms):
            await self._do(reply, act, target, given)
        else:
            await self._show_question(reply, act, target, given, question)

    async def _show_question(
        self, reply: Reply, act: TypedAct[T], target: T, given: ActInputs, question: Confirmation, *, said: str = ""
    ) -> None:
        if said:
            question = replace(question, said=f"{said}\n{question.said}")
        names = typed_names(act, reply, target, given)
        await reply.show(question_screen(question, act, target, given, self._verbs, reply.words, names=names))

    async def _question(self, reply: Reply, act: TypedAct[T], target: T, given: ActInputs) -> Confirmation | None:
        if act.asks_once is None:
            return None
        return await act.asks_once(reply, target, read_values(act, reply, target, given))

    def _is_repeated(self, reply: Reply, act: TypedAct[T], target: T, given: ActInputs, terms: str = "") -> bool:
        """True if the player typed exactly this within the last minute. Otherwise, remember it for next time."""
        asked = (reply.guild, reply.player, act.key, target.number, target.tag, given, terms)
        before = self._asked.pop(asked, None)
        if before is not None and 0 <= reply.made_at - before <= AGAIN_MS:
            return True
        self._asked[asked] = reply.made_at
        if len(self._asked) > MAX_QUESTIONS:
            del self._asked[next(iter(self._asked))]
        return False

    def forget(self, reply: Reply) -> None:
        """Forget the player's questions after they cancel, so that typing the same again asks again."""
        who = (reply.guild, reply.player)
        self._asked = {asked: at for asked, at in self._asked.items() if asked[:2] != who}

    async def _ask_whether(self, reply: Reply, act: TypedAct[T], target: T, given: ActInputs) -> None:
        if act.question is not None:
            await act.question(reply, target, read_values(act, reply, target, given))
            return
        if act.asks:
            await self._ask(reply, act, target, given)
            return
        means = await self._means(reply, act, target, given)
        await reply.show(sure_screen(means, act, target, self._verbs, reply.words))

    async def _ask(self, reply: Reply, act: TypedAct[T], target: T, given: ActInputs) -> None:
        """Open the act's form with the known values."""
        means, terms = await self._means(reply, act, target, given), ""
        if not act.sure and (question := await self._question_known(reply, act, target, given)) is not None:
            means, terms = "\n".join(filter(None, [means, question.said])), question.terms
        await reply.ask(
            form(act, reply, target, given, self._verbs, means=means, terms=terms),
            again=act_press(self._verbs.ask, act, target),
            kept=shown(given, reply.words, typed_names(act, reply, target, given)),
        )

    async def _question_known(self, reply: Reply, act: TypedAct[T], target: T, given: ActInputs) -> Confirmation | None:
        """Return the act's question; None if the known values are refused, which the form reports on submission."""
        try:
            return await self._question(reply, act, target, given)
        except Refused as refused:
            if refused.reason in self._no_right:
                raise
            return None

    async def _means(self, reply: Reply, act: TypedAct[T], target: T, given: ActInputs) -> str:
        if act.means is None:
            return ""
        try:
            values = read_values(act, reply, target, given)
        except Refused:
            values = ActValues()  # the form reports the error when it's submitted
        return await act.means(reply, target, values)

    async def _do(self, reply: Reply, act: TypedAct[T], target: T, given: ActInputs) -> None:
        """Run an act and report it, with an undo button. If it's refused, the typed values are kept."""
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
            # The terms have changed since the question was shown, so ask again.
            fresh = await self._source.target(reply, TableId(target.number), target.tag)
            question = await self._question(reply, act, fresh, given)
            if question is None:
                raise
            reply.outcome = InteractionOutcome.STALE
            await self._show_question(reply, act, fresh, given, question, said=reply.words("terms.changed"))
            return
        if not said:
            return
        undo = next((one for one in self._source.acts if one.key == act.undo), None)
        if undo is None:
            await reply.say(said)
            return
        name = reply.words(undo.name)
        back = button(act_press(self._verbs.own, undo, target), name)
        told = reply.words.side_by_side([said, reply.words("acts.undo", act=name)])
        await reply.say(told, then=[back])

    async def _refuse(self, reply: Reply, act: TypedAct[T], target: T, given: ActInputs, why: str) -> None:
        reply.outcome = InteractionOutcome.REFUSED
        names = typed_names(act, reply, target, given)
        await reply.show_refused(refused_screen(why, act, target, given, self._verbs, reply.words, names=names))

    # presses

    async def _pressed(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        await self._on(reply, press, lambda act, target: self._begin(reply, act, target, self._typed_before(reply)))

    async def _ask_pressed(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        async def ask(act: TypedAct[T], target: T) -> None:
            # A forged press may ask for the form of an act that has no fields.
            await (self._ask if act.asks else self._begin)(reply, act, target, self._typed_before(reply))

        await self._on(reply, press, ask)

    async def _sent(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        async def sent(act: TypedAct[T], target: T) -> None:
            if len(values) != len(act.asks):
                raise Stale
            given = ActInputs()
            for asked, value in zip(act.asks, values, strict=True):
                given = given.but(asked.option, value)
            if is_missing(act, given):
                # Discord lets players submit an empty long field.
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

    def _typed_before(self, reply: Reply) -> ActInputs:
        return shown_before(reply.pressed_texts)

    async def _on(self, reply: Reply, press: Press, do: Callable[[TypedAct[T], T], Awaitable[None]]) -> None:
        act = next((one for one in self._source.acts if one.key == press.argument), None)
        if act is None:
            raise Stale
        target = await self._source.target(reply, press.table, press.tag)
        if act.when(target):
            await do(act, target)
            return
        reply.outcome = InteractionOutcome.REFUSED
        said, offers = await self._impossible(reply, act, [target]), likely(await self._offers(reply))
        if reply.answered:
            return
        await reply.show_separately(offers_screen(said, offers, ActInputs(), self._verbs, reply.words))
