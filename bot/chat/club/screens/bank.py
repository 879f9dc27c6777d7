"""Screens of the bank: a player's claims and movements, the audit log, and the bank's terms."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace

import discord

from bot.chat.club.screens.transfers import send_button
from bot.chat.kit.choice_form import ChoiceForm, FormRow, picked_all
from bot.chat.kit.choice_page import Change, ChoiceError, PageState
from bot.chat.kit.custom_ids import Press, short_id
from bot.chat.kit.fragments import QUIET_COLOUR, player_name
from bot.chat.kit.modals import AnyField, FormChoice, FormField, FormPick, PickKind, still_known
from bot.chat.kit.presses import first_picked
from bot.chat.kit.widgets import Part, Screen, button, button_rows, screen
from bot.model.bank import (
    MAX_CHIPS,
    MAX_DAYS,
    MAX_HANDS,
    MAX_HOURS,
    MAX_TRANSFER_FEE,
    Action,
    AuditEntry,
    BankTerms,
    ChipFlow,
    Claim,
    ClaimOffer,
    Movement,
    PlayerTransfer,
)
from bot.model.ids import DELETED, Player, TableId
from bot.model.limits import MAX_REASON_LENGTH
from bot.pure.ofc.refusals import Refused
from bot.text.numbers import MAX_NUMBER_LENGTH, whole_number
from bot.text.refusals import refusal
from bot.text.words import Words, escape_name

HOURS_PER_DAY = 24
ENTRIES = 8
"""Lines of the audit log per page."""
HERE = Press(verb="bank", table=TableId(0))
MANAGE = "mg_act"
"""Verb of the managers' actions. Each button has its action as the argument."""
CHANGES = (Action.GIVE, Action.TAKE, Action.SET)
AUDIT = Press(verb="audit", table=TableId(0))
_AGAIN = {Claim.REFILL: "bank.next_refill", Claim.BONUS: "bank.next_bonus"}
_LABELS = {Claim.REFILL: "bank.refill", Claim.BONUS: "bank.bonus"}
_SEASON = re.compile(r"season (?P<season>[0-9]+)(?P<ended>: end)?(?: (?P<name>.+))?")
_SEASON_TERMS = "seasons: "
_BANK_TERMS = "bank: "
_BANK_FIELDS = frozenset(field.name for field in fields(BankTerms))
_SAID = {
    "monthly true": "monthly",
    "monthly false": "by_hand",
    "reset chips true": "reset",
    "reset chips false": "kept",
}
_MENTION = re.compile(r"<(?:@&|#)[0-9]+>")
_NAMED = ("role", "title", "channel")
"""Season settings that are followed by a value in the stored log lines. Those lines have no language."""
_ANSWERS = {Claim.REFILL: "bank.refilled", Claim.BONUS: "bank.got_bonus"}


MAX_QUOTED_LENGTH = 40
"""Maximum length of typed text repeated in an answer."""


# players


def claim_buttons(offered: Sequence[ClaimOffer], words: Words) -> list[Part]:
    """Return a button for each claim that would pay chips now."""
    return [
        button(
            HERE.but("claim", offer.claim.value),
            words(_LABELS[offer.claim], chips=words.signed(offer.chips)),
            style=discord.ButtonStyle.success,
        )
        for offer in offered
        if offer.chips
    ]


def claim_lines(offered: Sequence[ClaimOffer], words: Words) -> list[str]:
    """Return a line for each claim already made, with the time when the player can claim again."""
    return [words(_AGAIN[offer.claim], at=offer.again_at // 1000) for offer in offered if offer.again_at is not None]


def claimed_line(claim: Claim, chips: int, words: Words) -> str:
    """Return the line that confirms a claim."""
    return words(_ANSWERS[claim], chips=words.number(chips))


def sent_line(sent: PlayerTransfer, payee: Player, words: Words) -> str:
    """Return the line that confirms a transfer, with the fee if there was one."""
    player, chips = player_name(payee, words), words.number(sent.chips)
    if not sent.fee:
        return words("bank.sent", chips=chips, player=player)
    return words("bank.sent_with_fee", chips=chips, player=player, fee=words.number(sent.fee))


# managers


def done_line(entry: AuditEntry, words: Words) -> str:
    """Return the line that confirms a manager's action."""
    player = player_name(entry.player or "", words)
    if entry.action in (Action.FREEZE, Action.UNFREEZE):
        return words("bank.frozen" if entry.action is Action.FREEZE else "bank.unfrozen", player=player)
    if not entry.chips:
        return words("bank.unchanged", player=player)
    key = "bank.given" if entry.chips > 0 else "bank.taken"
    return words(key, player=player, chips=words.number(abs(entry.chips)), reason=escape_name(entry.reason))


def audit_line(entry: AuditEntry, words: Words) -> str:
    """Return a line of the audit log, with its reason below."""
    what, reason = _describe(entry, words)
    manager, at = player_name(entry.manager, words), entry.at // 1000
    line = words("bank.audit.line", number=entry.number, what=what, manager=manager, at=at)
    return f"{line}\n-# {reason}" if reason else line


def _describe(entry: AuditEntry, words: Words) -> tuple[str, str]:
    """Return an entry's description, and its reason or details."""
    if entry.action is Action.TERMS:
        return _settings(entry.reason, words)
    if entry.action in (Action.ADD, Action.ADD_PLAYING):
        told = words(f"bank.audit.{entry.action.value}", chips=words.signed(entry.chips))
        return told, escape_name(entry.reason)
    if entry.action is Action.RULING:
        about = {"player": player_name(entry.player, words)} if entry.player else {}
        key = "ruling_chips" if entry.chips else "ruling" if entry.player else "ruling_event"
        chips = {"chips": words.signed(entry.chips)} if entry.chips else {}
        return words(f"bank.audit.{key}", **about, **chips), escape_name(entry.reason)
    fields = {"player": player_name(entry.player or "", words)}
    if entry.action in (Action.GIVE, Action.TAKE, Action.SET, Action.WON):
        fields["chips"] = words.signed(entry.chips)
    return words(f"bank.audit.{entry.action.value}", **fields), escape_name(entry.reason)


def _settings(said: str, words: Words) -> tuple[str, str]:
    if season := _SEASON.fullmatch(said):
        key = "bank.audit.season_ended" if season["ended"] else "bank.audit.season_started"
        return words(key, season=season["season"]), escape_name(season["name"] or "")
    if said.startswith(_BANK_TERMS):
        parts = said.removeprefix(_BANK_TERMS).split(", ")
        return words("bank.audit.terms"), words.list([_bank_setting(part, words) for part in parts])
    if said.startswith(_SEASON_TERMS):
        parts = said.removeprefix(_SEASON_TERMS).split(", ")
        return words("bank.audit.season_terms"), words.list([_setting_text(part, words) for part in parts])
    return words("bank.audit.terms"), escape_name(said)


def _bank_setting(said: str, words: Words) -> str:
    name, _, value = said.partition(" ")
    if name not in _BANK_FIELDS:
        return escape_name(said)
    value = value if _MENTION.fullmatch(value) else escape_name(value)
    return words("bank.audit.setting", field=words(f"bank.terms.form.{name}"), value=value)


def _setting_text(said: str, words: Words) -> str:
    """Return the text of one season setting. If a title was split at a comma, the rest of it is returned unchanged."""
    if said in _SAID:
        return words(f"bank.audit.season.{_SAID[said]}")
    name, _, value = said.partition(" ")
    if name not in _NAMED:
        return escape_name(said)
    return words(f"bank.audit.season.{name}", value=value if _MENTION.fullmatch(value) else escape_name(value))


def audit_screen(
    entries: Sequence[AuditEntry], flows: Sequence[ChipFlow], words: Words, *, page: int, player: Player | None
) -> Screen:
    """Draw a page of the log, newest entries first, with one-way flows.

    If there are older entries, ``entries`` has one more than a page shows.
    """
    lines = [audit_line(entry, words) for entry in entries[:ENTRIES]] or [words("bank.audit.empty")]
    parts: list[str | Part] = [f"### {words('bank.audit.title')}", "\n".join(lines)]
    if flows:
        told = [_flow(flow, words) for flow in flows]
        parts.append("\n".join([f"**{words('bank.audit.flows')}**", *told, words("bank.audit.flows_hint")]))
    here = replace(AUDIT, argument=short_id(int(player)) if player else "")
    newer = button(replace(here, hand=max(0, page - 1), street=1), words("button.newer"), disabled=not page)
    older = button(replace(here, hand=page + 1), words("button.older"), disabled=len(entries) <= ENTRIES)
    turned = page or len(entries) > ENTRIES
    changes = [button(HERE.but(MANAGE, action.value), words(f"manage.name.{action.value}")) for action in CHANGES]
    return screen(*parts, *button_rows([*([newer, older] if turned else []), *changes]), colour=QUIET_COLOUR)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogChannels:
    """The channels where the audit log can be posted."""

    known: frozenset[int] = frozenset()
    require: Callable[[int], None] = lambda channel: None
    """Raises Refused if the manager may not write in the channel."""


def _number_row(
    field: str, *, hint: str = "", least: int = 0, most: int = MAX_CHIPS
) -> FormRow[BankTerms, LogChannels]:
    """Return the row for a whole number. Its label is ``bank.terms.form.FIELD``, and ``hint`` is a key."""

    def draw(state: PageState[BankTerms, LogChannels]) -> AnyField:
        return FormField(
            label=state.words(f"bank.terms.form.{field}"),
            value=str(getattr(state.record, field)),
            most=MAX_NUMBER_LENGTH,
            hint=state.words(hint) if hint else "",
        )

    def read(value: str, state: PageState[BankTerms, LogChannels]) -> Change[BankTerms]:
        number = whole_number(value)
        if number is None:
            raise ChoiceError(
                "bank.terms.unread",
                field=state.words(f"bank.terms.form.{field}"),
                written=escape_name(value.strip()[:MAX_QUOTED_LENGTH]) or "-",
            )
        if not least <= number <= most:
            raise ChoiceError(
                "bank.terms.limits",
                field=state.words(f"bank.terms.form.{field}"),
                least=state.words.number(least),
                most=state.words.number(most),
            )
        return lambda before: replace(before, **{field: number})

    return FormRow(fields=(field,), draw=draw, read=read)


def _log_channel(state: PageState[BankTerms, LogChannels]) -> AnyField:
    chosen = state.record.audit_channel
    return FormPick(
        label=state.words("bank.terms.form.audit_channel"),
        kind=PickKind.CHANNEL,
        chosen=still_known(chosen, state.context.known),
        hint=state.words("bank.terms.channel_hint"),
        optional=True,
    )


def _with_log_channel(value: str, state: PageState[BankTerms, LogChannels]) -> Change[BankTerms]:
    channel = first_picked(value, state.context.known)
    if channel is not None:
        state.context.require(channel)
    return lambda before: replace(before, audit_channel=channel)


BANK: ChoiceForm[BankTerms, LogChannels] = ChoiceForm(
    of=BankTerms,
    title="bank.terms.title",
    ask="bank_change",
    answer="bank_written",
    rows=[
        _number_row("bonus", hint="bank.terms.form_off"),
        _number_row("refill_to", hint="bank.terms.form_off"),
        _number_row("transfer_cap", hint="bank.terms.form_off"),
        _number_row("transfer_fee", most=MAX_TRANSFER_FEE),
        FormRow(
            fields=("audit_channel",), draw=_log_channel, read=_with_log_channel, former={"bank_channel": picked_all}
        ),
    ],
)
CLAIMS: ChoiceForm[BankTerms, LogChannels] = ChoiceForm(
    of=BankTerms,
    title="bank.terms.claims",
    ask="bank_needs",
    answer="bank_needed",
    rows=[
        _number_row("account_days", most=MAX_DAYS),
        _number_row("hands", most=MAX_HANDS),
        _number_row("bonus_hours", hint="bank.terms.form_hours", least=1, most=MAX_HOURS),
        _number_row("refill_hours", hint="bank.terms.form_hours", least=1, most=MAX_HOURS),
    ],
)


def terms_facts(terms: BankTerms, words: Words) -> list[str]:
    """Return short facts about the bank's terms."""
    facts = [
        _claim("bonus", terms.bonus, terms.bonus_hours, words),
        _claim("refill", terms.refill_to, terms.refill_hours, words),
        words("bank.facts.transfers", chips=words.number(terms.transfer_cap), fee=terms.transfer_fee)
        if terms.sends
        else words("bank.facts.no_transfers"),
    ]
    if terms.account_days:
        facts.append(words("bank.facts.days", count=terms.account_days))
    if terms.hands:
        facts.append(words("bank.facts.hands", count=terms.hands))
    if terms.audit_channel is not None:
        facts.append(words("bank.facts.log", channel=terms.audit_channel))
    return facts


def _claim(name: str, chips: int, hours: int, words: Words) -> str:
    if not chips:
        return words(f"bank.facts.no_{name}")
    if hours == HOURS_PER_DAY:
        return words(f"bank.facts.{name}", chips=words.number(chips))
    return words(f"bank.facts.{name}_hours", chips=words.number(chips), count=hours)


def chips_fields(words: Words) -> list[AnyField]:
    """Return the form fields for changing a player's chips."""
    actions = [
        discord.SelectOption(label=words(f"bank.action.{action.value}"), value=action.value) for action in CHANGES
    ]
    return [
        FormPick(label=words("bank.chips.player"), kind=PickKind.USER),
        FormChoice(label=words("bank.chips.action"), options=actions),
        FormField(label=words("bank.chips.chips"), most=MAX_NUMBER_LENGTH),
        FormField(label=words("bank.chips.reason"), hint=words("bank.chips.reason_hint"), most=MAX_REASON_LENGTH),
    ]


def _flow(flow: ChipFlow, words: Words) -> str:
    payer, payee = (
        words("bank.audit.deleted") if player == DELETED else player_name(player, words)
        for player in (flow.payer, flow.payee)
    )
    chips = words.number(flow.chips)
    if flow.sent:
        return words("bank.audit.sent", payer=payer, payee=payee, chips=chips, count=flow.times)
    hands = words("bank.audit.share", hands=words.number(flow.times), all=words.number(flow.of))
    return words("bank.audit.flow", payer=payer, payee=payee, chips=chips, share=hands)


# A player's chips: the wallet, the stacks at tables, and all movements of the wallet, newest first.

LINES = 15
"""Movements per page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipsPage:
    """One page of a player's chips."""

    number: int
    """Page number; 0 is the newest."""
    wallet: int
    stacks: Sequence[tuple[TableId, int]]
    """Table and chips of each of the player's seats."""
    movements: Sequence[Movement]
    """The page's movements, plus one if there are older ones."""
    said: str = ""
    """Confirmation of the last action."""
    offered: Sequence[ClaimOffer] = ()
    """The claims that the bank offers; empty on older pages."""
    frozen: Refused | None = None
    """The refusal if a manager has frozen the player's chips; None otherwise."""
    sends: bool = False
    """True if the server allows transfers between players."""


def chips_screen(page: ChipsPage, words: Words, *above: Part) -> Screen:
    """Draw the page, with buttons to turn it if there are several. ``above`` are menus that lead to other pages."""
    lines = [page.said, ""] if page.said else []
    if page.frozen is not None:
        lines += [words.adorned("❄️", refusal(page.frozen, words)), ""]
    lines.append(words("chips.wallet", chips=words.number(page.wallet)))
    lines += [words("chips.at_table", table=table, chips=words.number(stack)) for table, stack in page.stacks]
    lines += claim_lines(page.offered, words)
    lines += ["", words("chips.history"), *(_movement(movement, words) for movement in page.movements[:LINES])]
    older = len(page.movements) > LINES
    press = Press(verb="chips", table=TableId(0))
    buttons = [
        button(replace(press, hand=max(0, page.number - 1), street=1), words("button.newer"), disabled=not page.number),
        button(replace(press, hand=page.number + 1), words("button.older"), disabled=not older),
    ]
    turned = buttons if page.number or older else []
    had = [*claim_buttons(page.offered, words), *([send_button(words)] if page.sends else [])]
    return screen("\n".join(lines), *above, *button_rows(had), *button_rows(turned), colour=QUIET_COLOUR)


OF_EVENTS = frozenset({"entry_fee", "refund", "prize", "prize_back", "bounty"})
"""The kinds of movements that name an event."""


def _movement(movement: Movement, words: Words) -> str:
    """Return a line such as ``+1,200 · left table 3 · <time>``."""
    about: dict[str, str | int] = {} if movement.table is None else {"table": movement.table}
    if movement.kind in OF_EVENTS:
        about["event"] = escape_name(movement.event)
    what = words(f"chips.kind.{movement.kind}", **about)
    chips = words.signed(movement.chips)
    return words.facts([f"{chips if words.heard else f'`{chips:>8}`'} {what}", f"<t:{movement.at // 1000}:R>"])
