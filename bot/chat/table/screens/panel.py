"""The private hand: an ephemeral panel with a player's own cards. Only Confirm places them.

Outside Fantasyland, a tap on a row puts the next card there, and a tap on a card chooses it or takes it back. In
Fantasyland, each row has a menu for its cards below it. The draft is stored in the custom ids.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from discord import ButtonStyle
from typing_extensions import override

from bot.chat.kit.custom_ids import Press
from bot.chat.kit.faces import Faces
from bot.chat.kit.fragments import (
    FOUL_COLOUR,
    QUIET_COLOUR,
    TABLE_COLOUR,
    TURN_COLOUR,
    first_fitting,
    moment,
    next_match_lines,
    next_stage,
)
from bot.chat.kit.widgets import Part, Screen, button, button_rows, screen
from bot.chat.table.screens.boards import Size, low_asked, opponents, own_board, warning
from bot.chat.table.screens.lobby import (
    can_start,
    is_placed_for,
    join_buttons,
    may_start,
    next_hand_text,
    own_seat_buttons,
    own_seat_text,
    placed_for_text,
    resume_buttons,
    stalled_text,
    start_now,
    table_title,
    waits_text,
)
from bot.chat.table.screens.placement_draft import PlacementDraft, PlacementPanel, parse_draft, playable, saved_letters
from bot.chat.table.screens.placing import (
    at_once_intro,
    at_once_parts,
    earlier_discards,
    own_rows,
    read_all,
    street_parts,
)
from bot.chat.table.screens.result import last_hand
from bot.chat.table.screens.seats_screen import missed_text
from bot.model.clock import Pace
from bot.model.ids import TableId
from bot.model.tables import EventStatus, Role, TableState
from bot.play.queries.reviews import Hint
from bot.play.queries.views import MissedEvents, TableView
from bot.pure.event.bracket import Stage
from bot.pure.ofc.view import HandView
from bot.text.event_structure import enter_again_label, place_name
from bot.text.words import Words, escape_name, words_for

# Players without a seat at an event's table are shown their place, the table where they play, and where to watch.


def standing_text(view: TableView, standing: EventStatus, words: Words) -> str:
    """Return the player's standing in the event, and their next options."""
    lines = [_stands(view, standing, words)]
    if standing.enter_again:
        press = enter_again_label(standing.fee, words)
        lines.append(words("event_table.standing.enter_again", level=standing.enter_again, press=press))
    if standing.table and standing.part is not Role.SEATED:
        link = _link(view, standing)
        lines.append(words("event_table.standing.watch", table=standing.table, link=link))
    return "\n".join(lines)


def _stands(view: TableView, standing: EventStatus, words: Words) -> str:
    assert view.event is not None
    if standing.part is Role.SEATED:
        return words("event_table.standing.seated", table=standing.table, link=_link(view, standing))
    if standing.part in (Role.NONE, Role.WAITS):
        said = [words(f"event_table.standing.{standing.part.value}")]
        said += [words("event_table.standing.one_life")] if standing.beaten else []
        said += [words("event_table.standing.for_third")] if next_stage(standing.coming) == Stage.THIRD.value else []
        said += next_match_lines(standing.coming, words)
        return "\n".join(said)
    name = escape_name(view.event.name)
    if standing.cancelled and standing.part is not Role.DISQUALIFIED:
        return words("event_table.standing.cancelled", event=name)
    if standing.part is not Role.OUT or not standing.place:
        return words(f"event_table.standing.{standing.part.value}", event=name)
    if standing.place == 1:
        return words(f"event_table.standing.{'won_shared' if standing.tied else 'won'}", event=name)
    key = f"{'finished' if standing.over else 'out_at'}{'_shared' if standing.tied else ''}"
    return words(f"event_table.standing.{key}", event=name, place=place_name(standing.place, words))


def _link(view: TableView, standing: EventStatus) -> str:
    address = f"https://discord.com/channels/{view.table.key.guild}/{standing.channel}"
    return address if standing.message is None else f"{address}/{standing.message}"


def standing_rows(view: TableView, standing: EventStatus, words: Words) -> list[Part]:
    """Return the buttons for the standings and, if allowed, for entering again."""
    assert view.event is not None
    press = Press(verb="ev_standings", table=TableId(view.event.number), tag=standing.tag)
    buttons = [button(press, words("event.button.results" if standing.over else "event.button.standings"))]
    if standing.enter_again:
        enter = press.but("ev_register", terms=standing.terms)
        buttons.insert(0, button(enter, enter_again_label(standing.fee, words), style=ButtonStyle.success))
    return button_rows(buttons)


@dataclass(frozen=True, kw_only=True)
class Panel(PlacementPanel):
    """One drawing of the panel: the table as its player sees it, and their draft."""

    view: TableView
    sure: bool = False
    """True after *Surrender* was pressed, while the panel asks for confirmation."""
    late: bool = False
    """True while the table's public message is out of date."""
    other_games: int = 0
    """Number of other correspondence tables where it's the player's turn."""
    whole: bool = False
    """True after *Read all* was pressed. Otherwise, *Text only* shows little more than the turn."""
    told: str = ""
    """First line of the response to typed cards: the result, or the reason that nothing was done."""
    standing: EventStatus | None = None
    """The reader's standing in the table's event, if they have no seat here."""
    missed: MissedEvents | None = None
    """Hands and streets that the player missed while they were away or because they timed out."""
    hint: Hint | None = None
    """The master's suggestions, if the player asked for them. They're shown only while they match the cards held."""

    @cached_property
    @override
    def hand(self) -> HandView:
        """The running hand."""
        assert self.view.hand is not None
        return self.view.hand

    @property
    @override
    def shown_as(self) -> str:
        """The name of this table's hand, such as ``t12``."""
        return f"t{self.view.table.number}"

    @property
    @override
    def may_place(self) -> bool:
        """True during the player's turn, and in Fantasyland."""
        return self.view.you in self.view.waiting or bool(self.seat.fantasyland)

    @property
    def waits(self) -> bool:
        """True if the player has to place cards now."""
        return playable(self.view) and self.may_place and not self.seat.placed

    @property
    def may_confirm(self) -> bool:
        """True if the player has cards to place, now or ahead of their turn."""
        return playable(self.view) and not self.seat.placed

    @cached_property
    def ahead(self) -> bool:
        """True if the player has confirmed a draft before their turn, which hasn't come yet."""
        seat = self.view.mine.seat if self.view.mine else None
        return (
            seat is not None and seat.ahead is not None and bool(self.kept) and self.view.you not in self.view.waiting
        )

    @cached_property
    def kept(self) -> str:
        """Letters of the draft saved for this turn; empty if there is none."""
        return saved_letters(self.view)

    @cached_property
    @override
    def placement_draft(self) -> PlacementDraft:
        """The draft for these cards, or the one that was confirmed ahead of the turn."""
        if self.ahead:
            return replace(self, view=_without_ahead(self.view), draft=parse_draft(self.kept)).placement_draft
        return super().placement_draft

    @cached_property
    @override
    def press(self) -> Press:
        """The press on which every control of this panel is based."""
        placement_draft = self.placement_draft
        return Press(
            verb="panel",
            table=self.view.table.key.table,
            tag=self.view.table.tag,
            hand=self.view.table.hand_no,
            street=self.hand.street,
            draft=placement_draft.draft,
            chosen=placement_draft.next_card,
        )


def _without_ahead(view: TableView) -> TableView:
    places = tuple(replace(place, seat=replace(place.seat, ahead=None)) for place in view.places)
    return replace(view, places=places)


def panel_screen(panel: Panel, words: Words, faces: Faces, *, spare: int = 0) -> Screen:
    """Draw the panel, leaving ``spare`` characters for parts below it."""
    panel = replace(panel, brief=True) if faces.member_settings.text_only and not panel.whole else panel
    sizes = (Size.TIGHT, Size.BARE, Size.LETTERS)
    return first_fitting((_draw(panel, words, faces, others=size) for size in sizes), spare=spare)


def _draw(panel: Panel, words: Words, faces: Faces, *, others: Size) -> Screen:
    """Draw the panel with the opponents' boards in size ``others``."""
    view = panel.view
    between = view.hand is not None and view.hand.mine is not None and view.table.state is TableState.BETWEEN
    if between:
        return _between_screen(panel, words, faces, others=others)
    if view.hand is None or view.hand.mine is None or view.table.state is not TableState.PLAYING:
        rows = (
            *join_buttons(view, words),
            *own_seat_buttons(view, words),
            *_standing_rows(panel, words),
            *button_rows(next_game(panel, words)),
        )
        return screen(_title(panel, words), nothing_to_place(panel, words, faces), *rows, colour=QUIET_COLOUR)
    if playable(view) and panel.by_select:
        return _select_screen(panel, words, faces, others=others)
    mine = view.you in view.waiting
    # A brief panel leaves out opponents until it's the player's turn. Then it lists their placements.
    told = (
        f"{_title(panel, words)}\n{whose_turn(view, words, faces)}",
        *(opponents(view, panel.hand, words, faces, size=others, brief=panel.brief) if mine or not panel.brief else []),
    )
    if not playable(view):
        return screen(
            *told,
            *filter(None, [own_rows(panel, panel.board, words, faces)]),
            *filter(None, [warning(panel.board, words, panel.board_outlook, brief=panel.brief, placed=True)]),
            *([] if panel.brief else earlier_discards(panel, words, faces)),
            *button_rows(
                [
                    *resume_buttons(view, words),
                    button(panel.press.but("panel"), words("button.refresh")),
                    *next_game(panel, words),
                    *read_all(panel, words),
                ]
            ),
            colour=TABLE_COLOUR,
        )
    return screen(
        *told,
        *(_ahead_parts(panel, words, faces) if panel.ahead else street_parts(panel, words, faces, mine=mine)),
        *([] if panel.ahead or panel.brief else clock_line(panel, words)),
        *button_rows([*resume_buttons(view, words), *([] if mine else next_game(panel, words))]),
        colour=FOUL_COLOUR if panel.fouls else TURN_COLOUR if mine else TABLE_COLOUR,
    )


def next_game(panel: Panel, words: Words) -> list[Part]:
    """Return the button for another correspondence table where it's the player's turn."""
    table, count = panel.view.table, panel.other_games
    if not count:
        return []
    press = Press(verb="next_game", table=table.key.table, tag=table.tag, hand=table.hand_no)
    return [button(press, words("button.next_game", count=count), style=ButtonStyle.primary)]


def _between_screen(panel: Panel, words: Words, faces: Faces, *, others: Size) -> Screen:
    """Draw the panel between hands: the last result, and the opponents' boards if they aren't shown in public."""
    view = panel.view
    hidden = view.event is not None and view.event.conceals
    return screen(
        _title(panel, words),
        *last_hand(view, words),
        *(opponents(view, panel.hand, words, faces, size=others) if hidden else []),
        _board_after(panel, words, faces),
        nothing_to_place(panel, words, faces),
        *own_seat_buttons(view, words),
        *_standing_rows(panel, words),
        *button_rows([*_start_now(view, words), *next_game(panel, words), *read_all(panel, words)]),
        colour=TABLE_COLOUR,
    )


def _board_after(panel: Panel, words: Words, faces: Faces) -> str:
    """Return the player's own board of a finished hand. A brief panel shows only the ranks in each row."""
    if panel.brief:
        return own_rows(panel, panel.board, words, faces)
    return own_board(panel.board, panel.hand.variant, words, faces)


def _start_now(view: TableView, words: Words) -> list[Part]:
    return start_now(view, words) if view.you in (view.unready or ()) else []


def _title(panel: Panel, words: Words) -> str:
    table, hand = panel.view.table, panel.view.hand
    if hand is None or hand.mine is None or hand.over or hand.mine.fantasyland or hand.variant.at_once:
        street = []  # no street if a whole board is set, or between hands
    else:
        street = [words("panel.street", street=hand.street, streets=len(hand.variant.streets))]
    brief = (street or _whole_board(panel, words)) if panel.brief else []
    lines = [words("aloud.turn", table=table.number, street=brief[0])] if brief else []
    lines = lines or [f"**{table_title(table, words)}**"]
    if table.hand_no and not brief:
        lines.append(f"-# {words.facts([words('table.hand', hand=table.hand_no), *street])}")
    if panel.missed is not None:
        away = is_placed_for(panel.view) or (panel.view.mine is not None and panel.view.mine.seat.away)
        lines.append(missed_text(panel.missed, words, away=away))
    if is_placed_for(panel.view):
        lines.append(placed_for_text(panel.view, words))
    if panel.late:
        lines.append(words("panel.late"))
    return "\n".join(lines)


def _whole_board(panel: Panel, words: Words) -> list[str]:
    """Return a short note if a whole board has to be set; otherwise empty."""
    if not playable(panel.view) or not panel.by_select:
        return []
    return [
        words("aloud.fantasyland_of" if panel.seat.fantasyland else "aloud.at_once", count=panel.placement_draft.count)
    ]


def _standing_rows(panel: Panel, words: Words) -> list[Part]:
    return [] if panel.standing is None else standing_rows(panel.view, panel.standing, words)


def nothing_to_place(panel: Panel, words: Words, faces: Faces, *, on_page: bool = False) -> str:
    """Return what a player who has no cards to place is waiting for or can do.

    The page has its own *Start* button in the reader's language. The panel quotes the label on the table's message.
    """
    view, standing = panel.view, panel.standing
    still = standing is not None and (standing.part in (Role.OUT, Role.DISQUALIFIED) or bool(standing.coming))
    if standing is not None and (view.table.open or still):
        return standing_text(view, standing, words)
    if not view.table.open:
        return words(f"closed.{view.table.closed_reason}")
    if told := own_seat_text(view, words):
        return told
    if view.mine is None:
        return words("panel.not_seated")
    if view.event is not None and (waits := waits_text(view.event, words)):
        return waits
    if view.stalled:
        return stalled_text(view, words, faces)
    if view.next_hand_at is not None:
        return next_hand_text(view, words, faces)
    if view.table.state is TableState.LOBBY and view.table.terms.starts_with:
        return words("queue.joined", table=view.table.number, count=view.table.terms.starts_with)
    if view.table.state is TableState.LOBBY:
        key = f"lobby.{_in_lobby(view, on_page=on_page)}"
        label = (words if on_page else words_for(view.table.language))("button.start")
        start = {"start": label} if words.takes(key, "start") else {}
        return words(key, table=view.table.number, **start)
    if view.table.state is TableState.PLAYING:
        return words("lobby.joined_next_hand", table=view.table.number)
    return words("panel.no_hand")


def _in_lobby(view: TableView, *, on_page: bool) -> str:
    """Return the key, within ``lobby``, of the sentence that says what the first hand needs to start."""
    if not can_start(view):
        return "joined_host" if view.table.host == view.you else "joined"
    if not may_start(view):
        return "joined_ready"
    return "may_start_here" if on_page else "may_start"


def whose_turn(view: TableView, words: Words, faces: Faces) -> str:
    """Return whose turn it is, or that the player may set their board at any time."""
    others = [player for player in view.waiting if player != view.you]
    mine = view.hand.mine if view.hand else None
    if mine and mine.fantasyland and mine.held and not mine.placed and view.you not in view.waiting:
        return words("panel.any_time")
    if view.you in view.waiting:
        until = view.until(view.you) if view.you else None
        if until is None:
            return words("panel.your_turn")
        return words("panel.your_turn_until", until=moment(until))
    return words("panel.waiting", players=faces.names.list(view.table.key.guild, others, words)) if others else ""


def _select_screen(panel: Panel, words: Words, faces: Faces, *, others: Size) -> Screen:
    """Draw the panel for a whole board: Fantasyland, or a game with thirteen cards set in private."""
    view = panel.view
    intro = "" if panel.brief else at_once_intro(panel, words)
    told = (_title(panel, words), intro, whose_turn(view, words, faces))
    may_set = bool(panel.seat.fantasyland) or view.you in view.waiting
    return screen(
        "\n".join(text for text in told if text),
        *opponents(view, panel.hand, words, faces, size=others, brief=panel.brief),
        *at_once_parts(panel, words, faces, mine=may_set),
        *([] if panel.brief else clock_line(panel, words)),
        *button_rows(resume_buttons(view, words)),
        *_surrender_parts(panel, words),
        colour=FOUL_COLOUR if panel.fouls else TURN_COLOUR,
    )


def _ahead_parts(panel: Panel, words: Words, faces: Faces) -> list[str | Part]:
    """Return the placement that was confirmed ahead of the turn, and a button that takes it back."""
    back = button(panel.press.but("take_back"), words("board.take_back"))
    board = [own_board(panel.preview, panel.hand.variant, words, faces), *earlier_discards(panel, words, faces)]
    told = [
        *low_asked(panel.preview, panel.hand.variant, words, lost=panel.fouls),
        warning(panel.preview, words, panel.outlook, brief=panel.brief),
        words("panel.ahead"),
    ]
    return [*board, *filter(None, told), *button_rows([back])]


def clock_line(panel: Panel, words: Words) -> list[str]:
    """Return what happens to the draft on a timeout; empty without a draft or a clock, such as in a retry."""
    table = panel.view.table
    timed = panel.view.mine is not None and not table.private and table.terms.clock.pace is not Pace.NONE
    if not timed or not panel.placement_draft.draft or panel.seat.placed:
        return []
    # The general rule is shown once per hand. The warning that a fouling draft is dropped is always shown.
    if panel.fouls and panel.placement_draft.complete:
        return [words("panel.clock_drops")] if panel.asks_first else []
    if panel.hand.street > 1 and not panel.by_select:
        return []
    return [words("panel.clock_confirms" if panel.placement_draft.complete else "panel.clock_completes")]


def _surrender_parts(panel: Panel, words: Words) -> list[str | Part]:
    """Return the surrender button, with a confirmation, if the game has surrender."""
    price = panel.hand.variant.surrender
    if not price:
        return []
    label = words("button.surrender_sure" if panel.sure else "button.surrender")
    verb = "give_up" if panel.sure else "surrender"
    buttons = button_rows([button(panel.press.but(verb), label, style=ButtonStyle.danger)])
    return [words("panel.surrender", count=price), *buttons] if panel.sure else [*buttons]
