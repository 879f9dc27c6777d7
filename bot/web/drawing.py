"""Drawing a table's page, solely from the view that its reader is allowed to have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import accumulate
from typing import Literal, TypeAlias

from typing_extensions import override

from bot.chat.kit.faces import DisplayNames, Faces
from bot.chat.table.screens.boards import hand_labels, low_asked, preview_lines, seat_rows, warning
from bot.chat.table.screens.lobby import (
    chips_text,
    event_facts,
    hand_facts,
    may_start,
    next_hand_text,
    table_title,
    waits_text,
)
from bot.chat.table.screens.own_seat import OwnSeatAct, has_room, seat_offers
from bot.chat.table.screens.panel import Panel, clock_line, nothing_to_place, whose_turn
from bot.chat.table.screens.picture import is_limited, pair_lines
from bot.chat.table.screens.placement_draft import PlacementPanel, playable, saved_draft
from bot.chat.table.screens.placing import asked, discards_key, rest_told
from bot.chat.table.screens.result import last_hand, totals_apart
from bot.chat.table.screens.screen import concealed_text, hint_facts, hint_note, not_playing, seat_notes
from bot.model.choices import DeckColours, MemberSettings
from bot.model.clock import Pace
from bot.model.hands import HandState
from bot.model.ids import is_computer
from bot.model.tables import EventStatus, TableState
from bot.play.queries.results import ResultView
from bot.play.queries.reviews import Hint
from bot.play.queries.views import SeatStack, TableView
from bot.pure.ofc.cards import ROWS, card_name
from bot.pure.ofc.placement import RowOrder
from bot.pure.ofc.scoring import BoardScore
from bot.pure.ofc.view import Facing, HandView, SeatView
from bot.text.cards import hand_text, natural_name, row_label
from bot.text.words import Words
from bot.web.duel import duel_of, first_seat, seats_from
from bot.web.messages import (
    Cards,
    Confirm,
    Drafted,
    Hinted,
    Mine,
    Offered,
    ResultShown,
    SeatShown,
    Suggested,
    TableChoice,
    Three,
    View,
)
from bot.web.plain import marked
from bot.web.reader_text import ReaderText
from bot.web.row_rules import row_rules

FACE_DOWN = "?"
Offer: TypeAlias = Literal[
    "declare",
    "surrender",
    "next_hand",
    "start",
    "start_now",
    "back",
    "rebuy",
    "top_up",
    "sit_out",
    "leave",
    "invite",
    "hint",
    "let_watch",
    "unwatch",
]
NOBODY = SeatShown(
    name="",
    you=False,
    chips="",
    dealer=False,
    note="",
    waiting=False,
    placed=False,
    rows=((), (), ()),
    hands=("", "", ""),
    latest=(),
    held=(),
    discards=(),
    until=None,
    gained="",
    fouled=False,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableDrawing(ReaderText):
    """A table to draw for one reader."""

    view: TableView
    faces: Faces
    """Card faces in letters, because the page shows text."""
    result: ResultView | None = None
    """Result of the last hand, if no hand is being played."""
    standing: EventStatus | None = None
    """The reader's standing in the event, if they have no seat at this table."""
    wallet: int = 0
    """The reader's wallet, where it decides what they can do about their seat."""

    @override
    def name(self, player: str) -> str:
        """Return a player's name."""
        return name_at(self.view, player, self.faces.names, self.words)


def name_at(view: TableView, player: str, names: DisplayNames, words: Words) -> str:
    """Return a player's name as on their seat."""
    place = view.place_of(player)
    known = names.plain(view.table.key.guild, player, words)
    return known or words("board.somebody", number=place.seat.number + 1 if place else 0)


def turn_of(view: TableView) -> str:
    """Return the name of a hand's state from the player's point of view. It changes when they place cards."""
    hand, place = view.hand, view.mine
    mine = hand.mine if hand else None
    street = hand.street if hand and mine and not mine.fantasyland else 0
    own = (mine.held, mine.rows, mine.placed, mine.surrendered) if mine else ()
    ahead = place.seat.ahead if place else None
    seen = (view.table.tag, view.table.hand_no, view.table.state.value, street, own, ahead)
    return blake2b(repr(seen).encode(), digest_size=9).hexdigest()


def seat_turn_of(view: TableView) -> str:
    """Return the name of a seat's state. *Leave* means one thing in each. It's the same during a whole hand."""
    return f"{view.table.tag}.{view.table.hand_no}.{view.table.state.value}"


def nothing(words: Words, member_settings: MemberSettings, *, shared: bool = False, late: bool = False) -> View:
    """Return the view for a page without a table.

    ``shared`` is True for a guest with the link to a hand, and ``late`` is True for a stream.
    """
    told = "page.look_again" if shared else "page.no_stream" if late else "page.find_one"
    return View(
        table=0,
        title=words("page.shared_hand" if shared else "page.no_table"),
        about="",
        status=marked(words(told), str),
        yours=False,
        until=None,
        bank=0,
        colours=colours_of(member_settings),
        row_names=row_names_of(words),
        seats=(),
        mine=None,
        result=None,
        offers=(),
        tables=(),
    )


def draw(drawing: TableDrawing, tables: Sequence[TableChoice]) -> View:
    """Draw the whole view."""
    view, words = drawing.view, drawing.words
    variant = view.hand.variant if view.hand else view.table.terms.variant
    until = (view.until(view.you) if view.you and view.you in view.waiting else None) or view.turn_until
    return View(
        table=view.table.key.table,
        title=drawing.plain(table_title(view.table, words)),
        about=about(drawing),
        status=_status(drawing),
        yours=view.you in view.waiting,
        until=until,
        bank=_bank(view, until),
        colours=colours_of(drawing.member_settings),
        row_names=row_names_of(words, strict=view.table.terms.variant.strict_rows),
        seats=tuple(_seats(drawing)),
        mine=_mine(drawing),
        result=result_shown(drawing),
        offers=tuple(_offers(drawing)),
        tables=tuple(tables),
        watches=view.you is None,
        next_hand=view.next_hand_at,
        past=_past(drawing),
        row_rules=row_rules(variant) if view.you else None,
        streets=tuple(accumulate(street.to_place for street in variant.streets)),
        phrases=may_say(view),
    )


def _past(drawing: TableDrawing) -> int:
    """Return the number of the hand whose result is shown, or that of the hand before the current one."""
    if drawing.result is not None:
        return drawing.result.record.hand_no
    table = drawing.view.table
    return max(0, table.hand_no - (table.state is TableState.PLAYING))


def colours_of(member_settings: MemberSettings) -> Literal["two", "four"]:
    """Return the reader's deck."""
    return "two" if member_settings.deck is DeckColours.TWO else "four"


def _bank(view: TableView, until: int | None) -> int:
    """Return the time-bank part (ms) of the time to ``until``; 0 at tables that aren't live."""
    if until is None or view.table.terms.clock.pace is not Pace.LIVE:
        return 0
    return next((place.seat.bank_ms for place in view.places if view.until(place.seat.player) == until), 0)


def row_names_of(words: Words, *, strict: bool = False) -> Three:
    front, middle, back = (row_label(row, words, strict=strict) for row in ROWS)
    return front, middle, back


# heading


def about(drawing: TableDrawing) -> str:
    view, words = drawing.view, drawing.words
    parts = event_facts(view.event, words) if view.event else []
    parts += hand_facts(view, words)
    if view.hand is not None and view.table.hand_no:
        streets = len(view.hand.variant.streets)
        if not view.hand.over and view.hand.street and streets > 1:
            parts.append(words("panel.street", street=view.hand.street, streets=streets))
    return drawing.plain(" · ".join(parts))


def _status(drawing: TableDrawing) -> str:
    view, words, faces = drawing.view, drawing.words, drawing.faces
    if view.you is None:
        return drawing.plain("\n".join(filter(None, watched(drawing))))
    panel = Panel(view=view, standing=drawing.standing)
    if view.table.state is TableState.PLAYING and view.hand is not None and view.hand.mine is not None:
        hidden = (view.event is not None and view.event.conceals) or view.hand.conceals
        lines = [whose_turn(replace_clock(view), words, faces)]
        lines += [words("panel.opponents")] if hidden and view.hand.mine.placed else []
        if not playable(view):
            lines.append(warning(panel.board, words, panel.board_outlook, placed=True))
    else:
        waits = not view.table.private or view.table.state is not TableState.BETWEEN
        told = [] if drawing.result else last_hand(view, words)  # the result already shows this
        lines = [*told, nothing_to_place(panel, words, faces, on_page=True) if waits else ""]
    return drawing.plain("\n".join([*filter(None, lines), *not_playing(view, words, faces)]))


def watched(drawing: TableDrawing) -> list[str]:
    """Return the status lines for a reader who is only watching."""
    view, words, faces = drawing.view, drawing.words, drawing.faces
    told = not_playing(view, words, faces)
    if not view.table.open:
        return [words(f"closed.{view.table.closed_reason}")]
    if view.table.state is TableState.PLAYING and view.hand is not None:
        return [whose_turn(replace_clock(view), words, faces), concealed_text(view, words), *told]
    if view.event is not None and (waits := waits_text(view.event, words)):
        return [waits, *told]
    return [next_hand_text(view, words, faces) if view.next_hand_at is not None else words("page.not_begun"), *told]


def replace_clock(view: TableView) -> TableView:
    """Return the view without countdowns, because the page has its own clock next to the sentence."""
    places = tuple(replace(place, seat=replace(place.seat, deadline=None)) for place in view.places)
    return replace(view, places=places)


# seats


def _seats(drawing: TableDrawing) -> list[SeatShown]:
    view, hand = drawing.view, _hand(drawing)
    if hand is None:
        return [_empty_seat(drawing, place) for place in view.places]
    order = seats_from(first_seat(hand, view.you), len(hand.seats))
    played, waits = {seat.player for seat in hand.seats}, view.table.state in (TableState.LOBBY, TableState.BETWEEN)
    new = [place for place in view.places if waits and place.seat.player not in played]
    seats = [seat_shown(drawing, hand, hand.seats[number], number) for number in order]
    return [*seats, *(_empty_seat(drawing, place) for place in new)]


def _empty_seat(drawing: TableDrawing, place: SeatStack) -> SeatShown:
    """Draw a player who has no cards yet."""
    view = drawing.view
    return replace(
        NOBODY,
        name=drawing.name(place.seat.player),
        you=place.seat.player == view.you,
        chips=drawing.plain(chips_text(view, place, drawing.words)),
        computer=place.seat.computer,
        away=place.seat.away or place.seat.sits_out,
    )


def _hand(drawing: TableDrawing) -> HandView | None:
    """Return the hand to show: the current one, or the one of the last result if no hand is being played."""
    if drawing.view.hand is not None or drawing.result is None:
        return drawing.view.hand
    return drawing.result.hand


def seat_shown(drawing: TableDrawing, hand: HandView, seat: SeatView, number: int) -> SeatShown:
    view, words = drawing.view, drawing.words
    place, own = view.place_of(seat.player), seat.player == view.you
    score = hand.score.boards[number] if hand.score else None
    setting = own and bool(seat.fantasyland) and playable(view)
    rows = ((), (), ()) if setting else seat_rows(seat, hand.variant)
    hands = hand_labels(rows, hand.variant, words)
    if own and hand is view.hand and not hand.over:
        hands = preview_lines(Panel(view=view).board, words, game=hand.variant)
    elif drawing.result and score and score.rows:
        hands = [hand_text(row.strength, words) for row in score.rows]
    notes = seat_notes(view, seat, words) if view.hand is hand else []
    away = bool(notes and place and place.seat.away and view.penalty(place.seat.player) is None)
    told = [drawing.plain(note) for note in [*_special(score, words), *reversed(notes)]]
    badges = {drawing.plain(note) for note in _badge_notes(view, seat, words)}
    return SeatShown(
        name=drawing.name(seat.player),
        you=own,
        chips=drawing.plain(chips_text(view, place, words)),
        dealer=number == hand.button,
        note=" · ".join(filter(None, told)),
        waiting=seat.waiting,
        placed=seat.placed,
        rows=(codes(rows[0]), codes(rows[1]), codes(rows[2])),
        hands=drawing.three(hands),
        latest=() if own else codes(sum(seat.latest, ())),
        held=() if own else codes(seat.held) if any(card is not None for card in seat.held) else (),
        discards=codes(seat.discards),
        until=view.until(seat.player),
        gained=_gained(drawing, seat.player),
        fouled=bool(score and score.foul),
        computer=is_computer(seat.player),
        fantasyland=seat.fantasyland if notes else 0,
        away=away,
        more=" · ".join(note for note in told if note and note not in badges),
    )


def _badge_notes(view: TableView, seat: SeatView, words: Words) -> list[str]:
    """Return the notes that the page shows as badges next to a player's name."""
    sits_out = words("table.away" if view.event is None else "event_table.sitting_out")
    return [words("table.button"), words("table.in_fantasyland", count=seat.fantasyland), sits_out]


def may_say(view: TableView) -> bool:
    """True if the viewer may send phrases, because they and another person have seats."""
    people = sum(not place.seat.computer for place in view.places)
    return view.mine is not None and view.table.open and not view.table.private and people > 1


def _special(score: BoardScore | None, words: Words) -> list[str]:
    """Return a note about a board that wasn't scored row by row because it was surrendered, natural or fouled."""
    if score is None:
        return []
    if score.surrendered:
        return [words("result.surrendered")]
    if score.natural is not None:
        return [words("result.natural", natural=natural_name(score.natural, words))]
    return [words("result.foul")] if score.foul else []


def _gained(drawing: TableDrawing, player: str) -> str:
    result = drawing.result
    found = next((one for one in result.results if one.player == player), None) if result else None
    return drawing.words.signed(found.points) if found else ""


def codes(cards: Facing) -> Cards:
    return tuple(FACE_DOWN if card is None else card_name(card) for card in cards)


# the reader's own cards


def _mine(drawing: TableDrawing) -> Mine | None:
    view = drawing.view
    if not playable(view):
        return None
    panel = Panel(view=view, draft=saved_draft(view))
    seat, words = panel.seat, drawing.words
    count, discard = panel.placement_draft.count, panel.placement_draft.count - panel.placement_draft.to_place
    told = [words("panel.set_already")] if seat.fantasyland and seat.placed else []
    if panel.by_select and not told:
        key = "page.in_fantasyland" if seat.fantasyland else "page.at_once"
        told.append(words(key, cards=count, **({"discard": discard} if seat.fantasyland else {})))
    told += [words("panel.set_once")] if seat.fantasyland and panel.hand.variant.own_clock else []
    discards = panel.placement_draft.count > panel.placement_draft.to_place or seat.discards
    return Mine(
        turn=turn_of(view),
        cards=codes(panel.cards),
        to_place=panel.placement_draft.to_place,
        whole=panel.by_select,
        told=drawing.plain("\n".join(told)),
        discards=drawing.plain(words(discards_key(panel), cards="")) if discards else "",
        draft=drafted(drawing, panel),
        fantasyland=seat.fantasyland,
    )


def drafted(drawing: TableDrawing, panel: Panel) -> Drafted:
    """Draw the reader's own board, with the panel's draft on it."""
    words, variant = drawing.words, panel.hand.variant
    told = warning(panel.preview, words, panel.outlook)
    return Drafted(
        turn=turn_of(panel.view),
        letters=panel.placement_draft.letters,
        hands=drawing.three(preview_lines(panel.preview, words, game=variant)),
        level=draft_level(panel, told),
        warning=drawing.plain("\n".join([*low_asked(panel.preview, variant, words, lost=panel.fouls), told])),
        asked=drawing.plain("\n".join(_asked(panel, words, drawing.faces))),
        confirm=_confirm(panel, words),
    )


def draft_level(panel: PlacementPanel, told: str) -> Literal["", "danger", "foul", "fantasyland"]:
    """Return what a draft's warning ``told`` is about."""
    if panel.fouls:
        return "foul"
    if told and panel.preview.order is RowOrder.DANGER and panel.preview.clash is not None:
        return "danger"
    return "fantasyland" if told else ""


def _asked(panel: Panel, words: Words, faces: Faces) -> list[str]:
    if panel.ahead or _is_set(panel):
        return [words("panel.ahead")] if panel.ahead else []
    if not panel.placement_draft.complete:
        rest = "" if panel.by_select else rest_told(panel, words)
        # Players who have already placed cards know how, so a single line leaves more space for the boards.
        knows = any(panel.preview.rows) if panel.by_select else bool(rest) and any(panel.seat.rows)
        told = filter(None, [rest] if knows else [words("page.place"), rest])
        return [words.side_by_side([*told]), *clock_line(panel, words)]
    ready = asked(panel, words, faces, mine=panel.by_select or panel.view.you in panel.view.waiting)
    return [*filter(None, [ready]), *clock_line(panel, words)]


def _is_set(panel: Panel) -> bool:
    """True if the draft is the same as the board that was already set."""
    drawn, lies = ([sorted(codes(row)) for row in rows] for rows in (panel.preview.rows, panel.seat.rows))
    return bool(panel.seat.fantasyland) and panel.seat.placed and drawn == lies


def _confirm(panel: Panel, words: Words) -> Confirm:
    """Return the confirm button, which works like the panel's own."""
    if panel.ahead:
        return Confirm(verb="take_back", label=words("board.take_back"), ready=True, danger=False)
    waits = panel.view.you in panel.view.waiting
    now = waits or bool(panel.seat.fantasyland)
    ready = panel.placement_draft.complete and (now or not panel.by_select) and not _is_set(panel)
    if now or panel.by_select:
        label = words("board.confirm_foul" if panel.fouls else "button.confirm")
        return Confirm(verb="confirm", label=label, ready=ready, danger=panel.fouls)
    label = words("board.confirm_foul_ahead" if panel.fouls else "board.confirm_ahead")
    return Confirm(verb="ahead", label=label, ready=ready, danger=panel.fouls)


def hinted(hint: Hint, turn: str, words: Words, member_settings: MemberSettings) -> Hinted:
    """Draw a hint for the cards of ``turn``."""

    say = ReaderText(words=words, member_settings=member_settings).marked
    placements = tuple(
        Suggested(letters=letters, facts="\n".join(map(say, hint_facts(hint, number, words))))
        for number, letters in enumerate(hint.letters, start=1)
    )
    title = say(words("hint.title", street=hint.hand.street))
    return Hinted(turn=turn, title=title, placements=placements, note=say(hint_note(hint, words)))


# the result and the buttons


def result_shown(drawing: TableDrawing) -> ResultShown | None:
    result, words, faces = drawing.result, drawing.words, drawing.faces
    if result is None:
        return None
    title = words("result.title", hand=result.record.hand_no)
    if result.record.state is not HandState.SETTLED or result.hand is None or result.hand.score is None:
        reason = result.record.reason
        # If the table closed for the same reason, the status line already says so.
        said = reason and (result.table.open or result.table.closed_reason != reason)
        told = words("result.void", reason=words(f"closed.{reason}") if said else "").strip()
        return ResultShown(hand=result.record.hand_no, title=title, totals=(told,), notes=(), pairs=(), duel=None)
    lines, notes = totals_apart(result, words, faces)
    # The reason for a reduced payment comes right below the change to the stack, because phones show only the first
    # lines.
    names = [drawing.faces.names.of(result.table.key.guild, seat.player, words) for seat in result.hand.seats]
    pairs = pair_lines(result, names, words)
    if is_limited(result):
        notes.insert(0, pairs.pop())
    return ResultShown(
        hand=result.record.hand_no,
        title=title,
        totals=tuple(map(drawing.plain, lines)),
        notes=tuple(line for note in notes for line in drawing.plain(note).split("\n")),
        pairs=tuple(line for text in pairs for line in drawing.plain(text).split("\n")),
        duel=duel_of(result, words, drawing.plain, first=first_seat(result.hand, drawing.view.you)),
    )


_VERBS: dict[OwnSeatAct, Offer] = {
    OwnSeatAct.BACK: "back",
    OwnSeatAct.REBUY: "rebuy",
    OwnSeatAct.TOP_UP: "top_up",
    OwnSeatAct.SIT_OUT: "sit_out",
    OwnSeatAct.LEAVE: "leave",
}


def _offers(drawing: TableDrawing) -> list[Offered]:
    view, words = drawing.view, drawing.words
    turn = turn_of(view)

    def offer(verb: Offer, label: str, text: str = "", sure: str = "") -> Offered:
        return Offered(verb=verb, label=label, text=drawing.plain(text), sure=sure, turn=turn)

    own = {one.act: one for one in seat_offers(view, words, wallet=drawing.wallet)} if view.mine else {}
    if view.penalty(view.you) is not None:
        own.pop(OwnSeatAct.BACK, None)  # they reconnect automatically

    def own_seat(*acts: OwnSeatAct) -> list[Offered]:
        return [
            Offered(verb=_VERBS[act], label=one.label, text="", sure="", turn=one.terms or seat_turn_of(view))
            for act in acts
            if (one := own.get(act)) is not None
        ]

    offers = own_seat(OwnSeatAct.REBUY, OwnSeatAct.BACK)
    if view.table.state is TableState.BETWEEN and view.table.private:
        offers.append(offer("next_hand", words("practice.button.next")))
    if view.you in (view.unready or ()):
        offers.append(offer("start_now", words("button.start_now")))
    lobby = view.table.state is TableState.LOBBY and view.mine is not None and view.event is None
    offers += [offer("start", words("button.start"))] if lobby and may_start(view) else []
    offers += own_seat(OwnSeatAct.LEAVE)
    if lobby and has_room(view) and not view.table.private:
        offers.append(offer("invite", words("lobby.invite")))
    if view.may_hint:
        offers.append(offer("hint", words("practice.button.hint")))
    offers += own_seat(OwnSeatAct.SIT_OUT, OwnSeatAct.TOP_UP)
    if view.table.host == view.you and view.table.open and not view.table.private:
        verb: Offer = "unwatch" if view.table.watched else "let_watch"
        offers.append(offer(verb, words(f"page.{verb}")))
    if playable(view):
        panel = Panel(view=view)
        if panel.natural is not None:
            points = panel.hand.variant.naturals[panel.natural]
            told = words("panel.natural", natural=natural_name(panel.natural, words), count=points)
            offers.append(offer("declare", words("button.declare"), told))
        if (price := panel.hand.variant.surrender) and not panel.seat.placed:
            told = words("panel.surrender", count=price)
            offers.append(offer("surrender", words("button.surrender"), told, words("button.surrender_sure")))
    return offers
