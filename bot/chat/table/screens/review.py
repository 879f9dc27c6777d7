"""The review of a hand: an overview of its decisions, a page for each, and retries of the player's own decisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from discord import ButtonStyle
from typing_extensions import override

from bot.chat.kit.custom_ids import Draft, Press
from bot.chat.kit.faces import Faces
from bot.chat.kit.fragments import QUIET_COLOUR, RESULT_COLOUR, TURN_COLOUR, first_fitting
from bot.chat.kit.widgets import Part, Screen, apart, button, button_rows, notice, screen, separator, text
from bot.chat.table.screens.boards import (
    Size,
    board_text,
    foul_reason,
    hand_labels,
    opponents,
    places_heard,
    sorted_row,
)
from bot.chat.table.screens.lobby import hand_title
from bot.chat.table.screens.panel import Panel, panel_screen
from bot.chat.table.screens.placement_draft import BY_RANK
from bot.chat.table.screens.result import why_fouled
from bot.model.refusals import Stale
from bot.model.tables import TableState
from bot.play.queries.replays import PastHand
from bot.play.queries.reviews import Retry, Review
from bot.play.queries.views import TableView
from bot.pure.ofc.cards import BOARD_CARDS, DISCARD, ROWS, Card, RowCards
from bot.pure.ofc.log import PlacedBy
from bot.pure.ofc.placement import place
from bot.pure.solver.comparison import Choice
from bot.pure.solver.review import CERTAIN, Decision, DecisionPoint
from bot.pure.solver.visible_cards import cards_to_place
from bot.text.cards import row_name
from bot.text.words import Words, capital

# A retry: a panel with the cards of a past hand, and a comparison with that hand. The buttons carry its state: the
# decision where it starts, and the cards placed since. So a retry survives a restart, as long as the hand itself can be
# read.

MIN_SHOWN_ERROR = 0.1
"""Minimum margin of error shown for an estimate, because smaller ones round to zero."""
PREFIX = "try_"
"""Prefix of the panel's verbs in a retry."""
ANOTHER_TRY = "r"
"""The name under which ``MemberSettings.shown`` records that a retry was shown last."""
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_LETTERS = "FMBD"


@dataclass(frozen=True, kw_only=True)
class RetryPanel(Panel):
    """The panel of a retry."""

    retry: Retry
    whole: bool = True

    @property
    @override
    def shown_as(self) -> str:
        """A fixed name, because only the buttons record the progress of a retry."""
        return ANOTHER_TRY

    @cached_property
    @override
    def press(self) -> Press:
        """The press on which every control of this panel is based, without the retry's state."""
        press = hand_press(self.retry.past, PREFIX)
        return replace(press, draft=self.placement_draft.draft, chosen=self.placement_draft.next_card)

    @override
    def control(self, verb: str, argument: str = "") -> str:
        """Return a control's custom id, which ends with the retry's state."""
        return super().control(PREFIX + verb, f"{argument}-{encode_retry(self.retry)}")


def retry_panel(retry: Retry, *, draft: Draft = (), chosen: int | None = None, sort: str = BY_RANK) -> RetryPanel:
    """Return the panel for the next decision of a retry."""
    return RetryPanel(view=seen_then(retry.past, retry), retry=retry, draft=draft, chosen=chosen, sort=sort or BY_RANK)


def seen_then(past: PastHand, retry: Retry) -> TableView:
    """Return the table as it would be if the player had to decide now."""
    table = replace(past.table, state=TableState.PLAYING, hand_no=past.hand_no)
    return TableView(
        table=table, places=(), hand=retry.view, next_hand_at=None, lobby_until=None, you=past.player, event=None
    )


def encode_retry(retry: Retry) -> str:
    """Encode a retry's state in a few letters of a custom id."""
    number = 1
    for letter in "".join(retry.letters):
        number = number * len(_LETTERS) + _LETTERS.index(letter)
    digits = ""
    while number:
        number, digit = divmod(number, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return _DIGITS[retry.start] + digits


def parse_retry(past: PastHand, argument: str) -> tuple[str, Retry]:
    """Return the panel's own part of ``argument``, and the retry encoded in it; raises Stale if there is none."""
    said, _, state = argument.rpartition("-")
    if len(state) < 2 or set(state) - set(_DIGITS):
        raise Stale
    number, letters = int(state[1:], len(_DIGITS)), ""
    while number >= len(_LETTERS):
        number, letter = divmod(number, len(_LETTERS))
        letters = _LETTERS[letter] + letters
    retry = Retry(past=past, start=_DIGITS.index(state[0]), letters=_split(past, _DIGITS.index(state[0]), letters))
    retry.check()
    return said, retry


def _split(past: PastHand, start: int, letters: str) -> tuple[str, ...]:
    """Split ``letters`` into the letters of each decision; raises Stale if there are too many."""
    found = []
    for moment in past.moments[start:]:
        if letters and moment.view.mine:
            count = len(moment.view.mine.held)
            found.append(letters[:count])
            letters = letters[count:]
    if letters:
        raise Stale
    return tuple(found)


def retry_screen(panel: RetryPanel, words: Words, faces: Faces) -> Screen:
    """Draw the panel of a retry, with a heading above and the button back below."""
    heading = f"### {words('review.retry.title')}\n{words('review.retry.note')}"
    drawn = panel_screen(panel, words, faces)
    return Screen((text(heading), *drawn.parts, *button_rows([_back_button(panel.retry, words)])))


def retried_screen(retry: Retry, words: Words, faces: Faces) -> Screen:
    """Draw a finished retry: its board, its points, and the points of the actual hand."""
    past, score = retry.past, retry.score
    front, middle, back = map(sorted_row, retry.rows)
    rows = (front, middle, back)
    hands = hand_labels(rows, past.end.variant, words)
    parts: list[str | Part] = [
        f"### {words('review.retry.title')}",
        board_text(rows, hands, words, faces, size=Size.LARGE),
        *(
            [words("review.foul", why=foul_reason(past.end.variant, rows, words))]
            if score.boards[past.seat].foul
            else []
        ),
        compare_text(retry, words),
        *button_rows([_retry_button(retry, words), _back_button(retry, words)]),
    ]
    return screen(*parts, colour=RESULT_COLOUR)


def compare_text(retry: Retry, words: Words) -> str:
    """Compare the points of a retry with those of the actual hand."""
    past, score = retry.past, retry.score
    assert past.end.score
    told = words(
        "review.retry.points",
        points=words.signed(score.points[past.seat]),
        before=words.signed(past.end.score.points[past.seat]),
    )
    count = score.boards[past.seat].next_fantasyland
    return f"{told}\n{words('review.retry.fantasyland', count=count)}" if count else told


def hand_press(past: PastHand, verb: str, *, street: int = 0) -> Press:
    """Return a press about this hand."""
    return Press(verb=verb, table=past.table.key.table, tag=past.table.tag, hand=past.hand_no, street=street)


def _retry_button(retry: Retry, words: Words) -> Part:
    press = hand_press(retry.past, "retry", street=retry.start + 1)
    return button(press, words("review.retry.again"), style=ButtonStyle.primary)


def _back_button(retry: Retry, words: Words) -> Part:
    return button(hand_press(retry.past, "reviewed", street=retry.start + 1), words("review.retry.back"))


def progress_screen(past: PastHand, done: int, words: Words) -> Screen:
    """Draw the progress of a review that is being computed."""
    return notice(words("review.progress", done=done, count=len(past.moments)), colour=QUIET_COLOUR)


def review_screen(review: Review, page: int, words: Words, faces: Faces) -> Screen:
    """Draw the page of a decision, counted from 1, or else the overview."""
    if not 1 <= page <= len(review.decisions):
        return _overview(review, words, faces)
    sizes = (Size.TIGHT, Size.BARE, Size.LETTERS)
    return first_fitting(_page(review, page, words, faces, others=size) for size in sizes)


# The overview


def _overview(review: Review, words: Words, faces: Faces) -> Screen:
    past = review.past
    if not review.decisions:
        return screen(_heading(past, words), words("review.nothing"), colour=QUIET_COLOUR)
    lost = lost_tenths(review.decisions)
    told = [_sum(review, lost, words), *_foul(past, words)]
    parts: list[str | Part] = [_heading(past, words), "\n".join(told), "\n".join(_lines(review, lost, words))]
    if luck := _luck(review, words):
        parts += [separator(line=True), *luck]
    meanings = []
    if _meanings(review, words, faces):
        meanings = [button(hand_press(past, "review_how"), words("review.button.how"))]
    parts += button_rows([_first_look(review, words), *meanings])
    return screen(*parts, colour=RESULT_COLOUR)


def meanings_screen(review: Review, words: Words, faces: Faces) -> Screen:
    """Draw the page that explains the overview's numbers, with the button back to it."""
    back = button(hand_press(review.past, "reviewed"), words("review.retry.back"))
    parts = apart([f"### {words('review.button.how')}", *_meanings(review, words, faces)])
    return screen(*parts, *button_rows([back]), colour=QUIET_COLOUR)


def _lines(review: Review, lost: Sequence[int], words: Words) -> list[str]:
    """Return a line per decision. Streets that match the master's play share one line."""
    judged = zip(review.past.moments, review.decisions, lost, strict=True)
    lines, best = list[str](), list[str]()
    for moment, decision, tenths in judged:
        if _as_the_master(moment, decision, tenths):
            best.append(_numbered(decision, words))
        else:
            lines.append(_line(moment, decision, tenths, words))
    return [*lines, words("review.line.best", street=words.list(best))] if best else lines


def _as_the_master(moment: DecisionPoint, decision: Decision, tenths: int) -> bool:
    same = decision.placed.letters == decision.best.letters or not tenths
    return same and _is_own_decision(moment, decision)


def _first_look(review: Review, words: Words) -> Part:
    """Return the button for the worst mistake, or for the first page if there is none."""
    decisions, judged = review.decisions, zip(review.past.moments, review.decisions, strict=True)
    lost = [one.loss if one.mistake and _is_own_decision(moment, one) else 0.0 for moment, one in judged]
    worst = lost.index(max(lost))
    if lost[worst]:
        label = words("review.button.worst", street=_numbered(decisions[worst], words))
        look = hand_press(review.past, "reviewed", street=worst + 1)
        return button(look, label, style=ButtonStyle.primary)
    label = words("review.button.next", street=_numbered(decisions[0], words))
    return button(hand_press(review.past, "reviewed", street=1), label)


def _heading(past: PastHand, words: Words) -> str:
    return f"### {words('review.title', hand=past.hand_no)}\n-# {hand_title(past.table, past.point_value, words)}"


def _sum(review: Review, lost: Sequence[int], words: Words) -> str:
    judged = zip(review.past.moments, review.decisions, lost, strict=True)
    own = [(decision, tenths) for moment, decision, tenths in judged if _is_own_decision(moment, decision)]
    if not own:
        return words("review.arranged" if review.decisions[-1].arranged else "review.auto_placed")
    mistakes = [tenths for decision, tenths in own if decision.mistake]
    if not mistakes:
        return words("review.no_mistakes", count=sum(decision.real for decision, _ in own))
    points = _decimal(sum(mistakes) / 10, words)
    return words("review.mistakes", count=len(mistakes), points=points)


def _is_own_decision(moment: DecisionPoint, decision: Decision) -> bool:
    """True if the player made the decision, rather than the clock or the button that arranges a board."""
    return moment.by is PlacedBy.PLAYER and not decision.arranged


def _foul(past: PastHand, words: Words) -> list[str]:
    """Return the rows of a fouled board that are in the wrong order."""
    assert past.end.score
    why = why_fouled(past.end.seats[past.seat], past.end.score.boards[past.seat], past.end.variant, words)
    return [words("review.foul", why=why)] if why else []


def lost_tenths(decisions: Sequence[Decision]) -> list[int]:
    """Return each decision's loss in tenths of a point, rounded so that the mistakes add up to their displayed sum."""
    exact = [10 * decision.loss for decision in decisions]
    shown = [round(tenths) for tenths in exact]
    mistakes = [index for index, decision in enumerate(decisions) if decision.mistake]
    off = round(sum(exact[index] for index in mistakes)) - sum(shown[index] for index in mistakes)
    step = 1 if off > 0 else -1
    # Correct the mistakes that were rounded furthest in the opposite direction.
    for index in sorted(mistakes, key=lambda index: step * (shown[index] - exact[index]))[: abs(off)]:
        shown[index] += step
    return shown


def _line(moment: DecisionPoint, decision: Decision, tenths: int, words: Words) -> str:
    """Return ``🔸 Street 2: −1.2 points``."""
    name = _numbered(decision, words)
    if moment.by is PlacedBy.CLOCK:
        return words("review.line.auto", street=name)
    if decision.arranged:
        return words("review.line.arranged", street=name)
    points = words.signed_decimal(-tenths / 10, decimals=1)
    if decision.mistake:
        return words("review.line.mistake", street=name, points=points)
    clear = decision.loss > CERTAIN * decision.error
    return words("review.line.small" if clear else "review.line.close", street=name, points=points)


def _luck(review: Review, words: Words) -> list[str]:
    """Return the hand's points, the value of Fantasyland, and the share of luck in both. The numbers add up."""
    account = review.account
    if account.luck is None:
        return []
    worth = [round(10 * points) for points in account.worth]
    result, luck = 10 * account.points + sum(worth), round(10 * account.luck)
    shown = {"luck": luck, "rest": result - luck}
    told = {key: words.signed_decimal(tenths / 10, decimals=1) for key, tenths in shown.items()}
    if not any(worth):
        return [words("review.luck", result=words.signed(account.points), **told)]
    points, fantasyland = words.signed(account.points), words.signed_decimal(sum(worth) / 10, decimals=1)
    return [words("review.luck_of", points=points, fantasyland=fantasyland, **told)]


def _cost_text(review: Review, seat: int, tenths: int, words: Words, faces: Faces) -> str:
    """Return ``Pip's Fantasyland costs you about 8.4.``"""
    past, points = review.past, _decimal(abs(tenths) / 10, words)
    if seat == past.seat:
        return words("review.worth_own", points=points)
    player = faces.names.of(past.table.key.guild, past.end.seats[seat].player, words)
    return words("review.worth_other", player=player, points=points)


def _meanings(review: Review, words: Words, faces: Faces) -> list[str]:
    """Explain loss, luck and the value of each player's Fantasyland, if the overview shows them."""
    if review.account.luck is None:
        return _loss_lines(review, words)
    worth = [round(10 * points) for points in review.account.worth]
    lines = [_cost_text(review, seat, tenths, words, faces) for seat, tenths in enumerate(worth) if tenths]
    return [*_loss_lines(review, words), "\n".join([words("review.luck_how"), *lines])]


def _loss_lines(review: Review, words: Words) -> list[str]:
    """Explain loss, unless every decision matched the master's."""
    if any(decision.placed.facts is None for decision in review.decisions):
        return [words("review.how_rough")]
    if all(decision.placed.letters == decision.best.letters for decision in review.decisions):
        return []
    pays = review.past.end.variant.fantasyland is not None
    return [words("review.how" if pays else "review.how_without_fantasyland")]


# The page of a decision


def _page(review: Review, page: int, words: Words, faces: Faces, *, others: Size) -> Screen:
    past, decision, moment = review.past, review.decisions[page - 1], review.past.moments[page - 1]
    view = seen_then(past, Retry(past=past, start=page - 1))
    title = words("review.page", street=_numbered(decision, words), hand=past.hand_no)
    parts: list[str | Part] = [
        f"### {title}",
        *opponents(view, moment.view, words, faces, size=others),
        *_board_before(moment, words, faces),
        words("review.dealt", cards=large_cards(moment, faces)),
        separator(line=True),
        *_choices(moment, decision, words, faces),
        _verdict(decision, lost_tenths(review.decisions)[page - 1], words),
        *button_rows(_ways_on(review, page, words)),
    ]
    return screen(*parts, colour=TURN_COLOUR if decision.mistake else RESULT_COLOUR)


def large_cards(moment: DecisionPoint, faces: Faces) -> str:
    """Return the cards of a decision on a separate line."""
    return "\n" + faces.large(faces.row(cards_to_place(moment.view)))


def _board_before(moment: DecisionPoint, words: Words, faces: Faces) -> list[str]:
    """Return the board before the cards were placed."""
    rows = _rows(moment)
    if not any(rows):
        return []
    shown = hand_labels(rows, moment.view.variant, words)
    return [f"{words('review.board')}\n{board_text(rows, shown, words, faces, size=Size.SMALL)}"]


def _choices(moment: DecisionPoint, decision: Decision, words: Words, faces: Faces) -> list[str]:
    """Return the player's placement and, if it differs, the master's."""
    heading = words("review.auto" if moment.by is PlacedBy.CLOCK else "review.placed")
    mine = f"{heading}\n{_placement_text(moment, decision.placed, words, faces)}"
    if decision.placed.letters == decision.best.letters:
        return [mine]
    return [mine, f"{words('review.master')}\n{_placement_text(moment, decision.best, words, faces)}"]


def _placement_text(moment: DecisionPoint, choice: Choice, words: Words, faces: Faces) -> str:
    """Return a whole board with its hands, or the row of each card on a street."""
    if moment.view.to_place == BOARD_CARDS:
        (front, middle, back), _ = place(((), (), ()), cards_to_place(moment.view), choice.letters)
        rows = (sorted_row(front), sorted_row(middle), sorted_row(back))
        return board_text(rows, hand_labels(rows, moment.view.variant, words), words, faces, size=Size.SMALL)
    if words.heard:
        return places_heard(cards_to_place(moment.view), choice.letters, words, faces)
    sent = {letter: faces.row(_sent(moment, choice, letter)) for letter in (*(row.value for row in ROWS), DISCARD)}
    told = [f"{capital(row_name(row, words))} {sent[row.value]}" for row in ROWS if sent[row.value]]
    return words.facts([*told, *([words("review.discard", cards=sent[DISCARD])] if sent[DISCARD] else [])])


def _sent(moment: DecisionPoint, choice: Choice, letter: str) -> Sequence[Card]:
    return [card for card, to in zip(cards_to_place(moment.view), choice.letters, strict=True) if to == letter]


def _verdict(decision: Decision, tenths: int, words: Words) -> str:
    """Return the cost of a decision and the reasons for it."""
    if decision.placed.letters == decision.best.letters:
        return words("review.same")
    off = _within(CERTAIN * decision.error, words)
    if decision.mistake:
        told = words("review.costs", points=_decimal(tenths / 10, words), off=off)
    else:
        told = words("review.close", points=_decimal(abs(tenths) / 10, words), off=off)
    return "\n".join([told, *_reasons(decision, words)])


def _within(points: float, words: Words) -> str:
    """Return the margin of error of an estimate; empty if the result is exact."""
    return words("review.within", off=_decimal(max(MIN_SHOWN_ERROR, points), words)) if points else ""


def _reasons(decision: Decision, words: Words) -> list[str]:
    """Return the odds of both placements, leaving out those that are equal."""
    mine, its = decision.placed.facts, decision.best.facts
    if mine is None or its is None:
        return []
    pairs = {
        "foul": (_percent(mine.foul, words), _percent(its.foul, words)),
        "fantasyland": (_percent(mine.fantasyland, words), _percent(its.fantasyland, words)),
        "royalties": (_decimal(mine.royalties, words), _decimal(its.royalties, words)),
    }
    told = [words(f"review.fact.{key}", mine=a, master=b) for key, (a, b) in pairs.items() if a != b]
    return [words("review.facts", facts=words.facts(told))] if told else []


def _ways_on(review: Review, page: int, words: Words) -> list[Part]:
    """Return up to four buttons: the previous and next pages, the overview, and a retry."""
    past = review.past
    ways = []
    if page > 1:
        name = _numbered(review.decisions[page - 2], words)
        label = words("review.button.previous", street=name)
        ways.append(button(hand_press(past, "reviewed", street=page - 1), label))
    if page < len(review.decisions):
        name = _numbered(review.decisions[page], words)
        label = words("review.button.next", street=name)
        ways.append(button(hand_press(past, "reviewed", street=page + 1), label))
    if len(review.decisions) > 1:
        ways.append(button(hand_press(past, "reviewed"), words("review.button.overview")))
    if past.whole:
        ways.append(
            button(hand_press(past, "retry", street=page), words("review.button.retry"), style=ButtonStyle.success)
        )
    return ways


def _numbered(decision: Decision, words: Words) -> str:
    return words("review.street", street=decision.street) if decision.street else words("review.whole")


def _rows(moment: DecisionPoint) -> RowCards:
    assert moment.view.mine
    front, middle, back = (tuple(card for card in row if card is not None) for row in moment.view.mine.rows)
    return front, middle, back


def _percent(share: float, words: Words) -> str:
    return words.percent(round(100 * share))


def _decimal(number: float, words: Words) -> str:  # without a sign
    return words.signed_decimal(number, decimals=1).lstrip("+")
