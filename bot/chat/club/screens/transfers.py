"""Transfers of chips between players: the button, if the server allows them, and the form."""

from __future__ import annotations

from bot.chat.kit.fragments import NOWHERE
from bot.chat.kit.modals import AnyField, FormField, FormPick, PickKind
from bot.chat.kit.widgets import Part, button
from bot.model.bank import BankTerms
from bot.text.numbers import MAX_NUMBER_LENGTH
from bot.text.words import Words


def send_button(words: Words) -> Part:
    """Return the button that opens the form."""
    return button(NOWHERE.but("chips_send"), words("chips.send.button"))


def send_fields(words: Words) -> list[AnyField]:
    """Return the fields for the recipient and the chips."""
    return [
        FormPick(label=words("chips.send.player"), kind=PickKind.USER),
        FormField(label=words("chips.send.chips"), most=MAX_NUMBER_LENGTH),
    ]


def send_told(terms: BankTerms, words: Words) -> str:
    """Return the text above the fields, with the daily maximum and the fee."""
    most = words.number(terms.transfer_cap)
    if not terms.transfer_fee:
        return words("chips.send.most", chips=most)
    return words("chips.send.most_with_fee", chips=most, fee=words.percent(terms.transfer_fee))
