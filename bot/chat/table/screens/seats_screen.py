"""A table's private details: its game and terms, its seats, and everything that the reader can do there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from discord import ButtonStyle, SelectOption

from bot.chat.kit.custom_ids import Press, long_id, short_id
from bot.chat.kit.faces import Faces
from bot.chat.kit.fragments import QUIET_COLOUR, TABLE_COLOUR, how_to_play, rules_button
from bot.chat.kit.widgets import Part, Screen, button, button_rows, number_in, screen, select, separator
from bot.chat.table.screens.lobby import chips_text, event_facts, game_lines, join_button, level_options, table_title
from bot.chat.table.screens.own_seat import OwnSeatAct, SeatOffer, seat_offers
from bot.model.ids import Player, is_computer
from bot.model.limits import MAX_MISSED_HANDS
from bot.model.tables import Seat, Table, TableState
from bot.play import terms as terms_of
from bot.play.queries.views import MissedEvents, SeatStack, TableView
from bot.text.words import Words

MAX_LISTED_HANDS = 5
"""Maximum number of missed hands listed one by one."""


class SeatAction(Enum):
    """Actions on the player's own seat or table, as carried by the buttons on the seats screen."""

    SHOW = "show"
    """Refresh the screen."""
    REBUY = "rebuy"
    TOP_UP = "top_up"
    SIT_OUT = "sit_out"
    BACK = "back"
    LEAVE = "leave"
    CANCEL = "cancel"
    """Close the player's own lobby. Asks for confirmation if other players have joined."""
    CANCEL_SURE = "cancel_sure"
    """Close the lobby after confirmation."""
    LET_WATCH = "let_watch"
    """Allow pages to show the table to others. Only for its host."""
    UNWATCH = "unwatch"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatsPage:
    """A table as the reader sees it, with their wallet and permissions."""

    view: TableView
    wallet: int
    rules: bool
    """True if the reader may manage other players, either as host or because they manage the server."""
    notice: str = ""
    """The result of the reader's last action."""
    pages: bool = False
    """True if pages that show tables are enabled."""

    @property
    def can_cancel(self) -> bool:
        """True for the host of a table that hasn't started."""
        table = self.view.table
        return table.state is TableState.LOBBY and table.host == self.view.you and not self.of_event

    @property
    def lets_watch(self) -> bool:
        """True for the host of a table that pages could show to others."""
        return self.pages and self.view.table.host == self.view.you

    @property
    def adds_computers(self) -> bool:
        """True for the host of a practice table that hasn't started."""
        return self.can_cancel and self.view.table.terms.practice and not self.view.stalled

    @property
    def others(self) -> list[Player]:
        """The other players at the table, without computers."""
        seated = [place.seat.player for place in self.view.places if not place.seat.computer]
        return [player for player in seated if player != self.view.you]

    @property
    def others_and_computers(self) -> list[Player]:
        """The other players at the table, with computers."""
        return [place.seat.player for place in self.view.places if place.seat.player != self.view.you]

    @property
    def of_event(self) -> bool:
        """True at an event's table. The event seats its players, so they can only sit out and come back."""
        return self.view.table.event_no is not None

    @property
    def press(self) -> Press:
        """The press on which every button here is based."""
        table = self.view.table
        return Press(verb="seat", table=table.key.table, tag=table.tag)


def player_argument(player: Player) -> str:
    """Encode a player for a button."""
    return player if is_computer(player) else short_id(int(player))


def parse_player(argument: str) -> Player:
    """Parse a player from a button."""
    return Player(argument) if is_computer(argument) else Player(str(long_id(argument)))


def seats_screen(page: SeatsPage, words: Words, faces: Faces) -> Screen:
    """Draw a table's details: game, terms, seats, the reader's actions, and links to learn more."""
    view = page.view
    about = [f"-# {words.facts(event_facts(view.event, words))}"] if view.event else []
    head = "\n".join([f"### {table_title(view.table, words)}", *about])
    if not view.table.open:
        gone = words(f"closed.{view.table.closed_reason}")
        return screen(
            *filter(None, (head, page.notice)),
            gone,
            *button_rows([*_again_buttons(view.table, words), *_learning_links(view.table, words)]),
            colour=QUIET_COLOUR,
        )
    seats = [_line(page, number, words, faces) for number in range(view.table.terms.max_seats)]
    own = "\n".join(_own_lines(page, words))
    return screen(
        head,
        *([page.notice] if page.notice else []),
        "\n".join(f"-# {line}" for line in game_lines(view, words)),
        "\n".join(seats),
        own,
        *_watching_lines(page, words),
        *button_rows([*_own_buttons(page, words), *_hosts_buttons(page, words)]),
        *_menus(page, words, faces),
        separator(line=True),
        *button_rows(_learning_links(view.table, words)),
        colour=TABLE_COLOUR,
    )


def _again_buttons(table: Table, words: Words) -> list[Part]:
    """Return the button that opens the same game again; empty at an event's table."""
    if table.event_no is not None:
        return []
    press = Press(verb="again", table=table.key.table, tag=table.tag)
    return [button(press, words("closing.again"), style=ButtonStyle.primary)]


def _learning_links(table: Table, words: Words) -> list[Part]:
    """Return the links to the tutorial, the rules and the proof of fairness."""
    fairness = button(Press(verb="fairness", table=table.key.table, tag=table.tag), words("fairness.open"))
    return [how_to_play(words), rules_button(table.terms.variant, words), fairness]


def _watching_lines(page: SeatsPage, words: Words) -> list[str]:
    """Return a line for the host saying whether pages may show the table to others."""
    return [words("seats.watched" if page.view.table.watched else "seats.unwatched")] if page.lets_watch else []


def _hosts_buttons(page: SeatsPage, words: Words) -> list[Part]:
    """Return the buttons for actions that only the host may take."""
    buttons = []
    if page.can_cancel:
        buttons.append(button(page.press.but("seat", SeatAction.CANCEL.value), words("button.cancel")))
    if page.lets_watch:
        action, label = (
            (SeatAction.UNWATCH, "unwatch") if page.view.table.watched else (SeatAction.LET_WATCH, "let_watch")
        )
        buttons.append(button(page.press.but("seat", action.value), words(f"page.{label}")))
    return buttons


def _menus(page: SeatsPage, words: Words, faces: Faces) -> list[Part]:
    """Return the menus for taking a seat, adding a computer and managing another player, if the reader may use them."""
    view = page.view
    table, menus = view.table, []
    if page.of_event or view.you in table.removed:
        return []
    wanted = {place.seat.moves_to for place in view.places} | {place.seat.number for place in view.places}
    free = [number for number in range(table.terms.max_seats) if number not in wanted]
    if free and (view.mine or len(free) > 1):  # a single free seat has the button *Join*
        # Changing seats costs nothing, so there are no terms to agree to.
        press = page.press.but("sit", terms="" if view.mine else terms_of.of_seat(table.terms))
        options = [SelectOption(label=words("seats.option", seat=one + 1), value=str(one)) for one in free]
        menus.append(_menu(page, press, options, words("seats.move" if view.mine else "seats.choose"), place=1))
    if page.adds_computers and free:
        add = page.press.but("add_computer")
        menus.append(_menu(page, add, level_options(words), words("button.computer"), place=2))
    if page.rules and (others := [one for one in page.others_and_computers if one not in table.removed]):
        named = [(one, *faces.names.option(table.key.guild, one, words)) for one in others]
        options = [
            SelectOption(label=name or one, value=player_argument(one), description=username or None)
            for one, name, username in named
        ]
        menus.append(_menu(page, page.press.but("seat_of"), options, words("seats.manage"), place=3))
    return menus


def _menu(page: SeatsPage, press: Press, options: Sequence[SelectOption], placeholder: str, *, place: int) -> Part:
    # Each state of the table has a new menu, so that the same option can be chosen again.
    return select(press, options, placeholder=placeholder, number=number_in(page.view.table.version, place))


def _own_lines(page: SeatsPage, words: Words) -> list[str]:
    """Return the reader's own seat and its pending changes."""
    view, place = page.view, page.view.mine
    if place is None:
        none = "none_of_event" if page.of_event else "none"
        return [words("seats.removed" if view.you in view.table.removed else f"seats.{none}")]
    lines = [words("seats.yours", seat=place.seat.number + 1)]
    if page.of_event:
        return [*lines, words("away.sitting_out")] if place.seat.away else lines
    if view.table.cash:
        stack, wallet = words.number(place.stack), words.number(page.wallet)
        lines = [words("seats.yours_with_chips", seat=place.seat.number + 1, chips=stack, wallet=wallet)]
    if view.broke:
        lines.append(words("seats.broke"))
    elif place.seat.sits_out and place.seat.dealt_in and not place.seat.away:
        lines.append(words("seats.out_next"))
    elif place.seat.sits_out or place.seat.away:
        lines.append(words("seats.sits_out"))
    if place.seat.sits_out:
        lines.append(words("seats.kept", count=MAX_MISSED_HANDS))
    if place.seat.leaving:
        lines.append(words("seats.leaves"))
    if place.seat.tops_up:
        lines.append(words("seats.tops_up", chips=words.number(view.table.terms.buy_in)))
    if place.seat.moves_to is not None:
        lines.append(words("seats.moves", seat=place.seat.moves_to + 1))
    return lines


def _own_buttons(page: SeatsPage, words: Words) -> list[Part]:
    """Return the actions on the reader's own seat, or the button that takes one."""
    return [_own_button(page, offer, words) for offer in seat_offers(page.view, words, wallet=page.wallet)]


def _own_button(page: SeatsPage, offer: SeatOffer, words: Words) -> Part:
    press, table = page.press, page.view.table
    if offer.act is OwnSeatAct.JOIN:
        return join_button(table, words)
    if page.of_event:
        verb, style = (
            ("stay", ButtonStyle.success) if offer.act is OwnSeatAct.BACK else ("leave", ButtonStyle.secondary)
        )
        return button(press.but(verb), offer.label, style=style)
    chosen = press.but("seat", offer.act.value, terms=offer.terms)
    return button(chosen, offer.label, style=_STYLES.get(offer.act, ButtonStyle.secondary))


_STYLES = {
    OwnSeatAct.BACK: ButtonStyle.success,
    OwnSeatAct.REBUY: ButtonStyle.success,
    OwnSeatAct.TOP_UP: ButtonStyle.primary,
}


# The other seats


def _line(page: SeatsPage, number: int, words: Words, faces: Faces) -> str:
    """Return a seat's player and stack, or that it's free."""
    place = next((place for place in page.view.places if place.seat.number == number), None)
    return words("seats.free", seat=number + 1) if place is None else _taken(page, place, words, faces)


def _taken(page: SeatsPage, place: SeatStack, words: Words, faces: Faces) -> str:
    view, seat = page.view, place.seat
    parts = [
        words("seats.taken", seat=seat.number + 1, player=faces.names.of(view.table.key.guild, seat.player, words)),
        chips_text(view, place, words),
        words("lobby.host") if seat.player == view.table.host and not page.of_event else "",
        _absence(seat, words),
        words("table.leaving") if seat.leaving else "",
    ]
    return words.facts(parts, unbroken=True)


def _absence(seat: Seat, words: Words) -> str:
    if seat.away or (seat.sits_out and not seat.dealt_in):
        return words("table.away")
    return words("table.out_next") if seat.sits_out else ""


def person_screen(page: SeatsPage, player: Player, words: Words, faces: Faces) -> Screen:
    """Draw another player's seat, with what the reader may do about them."""
    view, place = page.view, page.view.place_of(player)
    assert place is not None
    buttons = []
    if view.table.host == view.you and not is_computer(player):
        buttons.append(button(page.press.but("make_host", player_argument(player)), words("seats.button.make_host")))
    remove = page.press.but("remove", player_argument(player))
    buttons.append(button(remove, words("seats.button.remove"), style=ButtonStyle.danger))
    buttons.append(button(page.press.but("seat", SeatAction.SHOW.value), words("seats.button.back")))
    told = words("seats.about_computer" if is_computer(player) else "seats.about")
    return screen(
        f"### {table_title(view.table, words)}",
        _taken(page, place, words, faces),
        told,
        *button_rows(buttons),
        colour=TABLE_COLOUR,
    )


def cancelling_screen(page: SeatsPage, words: Words, faces: Faces) -> Screen:
    """Ask for confirmation before closing a table where other players are seated."""
    table = page.view.table
    players = faces.names.list(table.key.guild, page.others, words)
    sure = page.press.but("seat", SeatAction.CANCEL_SURE.value)
    buttons = [
        button(sure, words("seats.button.cancel_sure"), style=ButtonStyle.danger),
        button(page.press.but("seat", SeatAction.SHOW.value), words("seats.button.back")),
    ]
    return screen(
        f"### {table_title(table, words)}",
        words("seats.ask_cancel", players=players, count=len(page.others)),
        *button_rows(buttons),
        colour=TABLE_COLOUR,
    )


# Texts for a returning player about the hands they missed and their next hand


def missed_text(missed: MissedEvents, words: Words, *, table: int = 0, away: bool = True) -> str:
    """Return ``While you were away: streets 2 and 3 were auto-placed, and 2 hands ended (−12, +8).``

    Empty if the player missed nothing. In a list of tables, ``table`` names the table. If ``away`` is False, the text
    says that the turns were auto-placed because time ran out.
    """
    told = _placed(missed, words)
    if missed.points:
        points = words("away.pause").join(words.signed(one) for one in missed.points[-MAX_LISTED_HANDS:])
        more = words("away.before") if len(missed.points) > MAX_LISTED_HANDS else ""
        told.append(words("away.ended", count=len(missed.points), points=more + points))
    if missed.without:
        told.append(words("away.without", count=missed.without))
    if not told:
        return ""
    notice = words("away.joint").join(told)
    if table:
        return words("away.at_table", table=table, told=notice)
    ran_out = not away and not missed.points and not missed.without
    return words("away.ran_out" if ran_out else "away.told", told=notice)


def _placed(missed: MissedEvents, words: Words) -> list[str]:
    if not missed.placed:
        return []
    hands, streets = {hand for hand, _ in missed.placed}, [street for _, street in missed.placed]
    if len(hands) > 1:
        return [words("away.placed_often", count=len(streets), hands=len(hands))]
    if 0 in streets:
        return [words("away.placed_board")]
    return [words("away.placed", count=len(streets), streets=words.list([str(street) for street in streets]))]


def back_sentence(view: TableView) -> str:
    """Return the key of the sentence that welcomes a player back, which depends on the state of their seat."""
    if view.event is not None:
        return "event_table.is_back"
    seat = view.mine.seat if view.mine else None
    if seat is None or not (seat.away or (seat.sits_out and not seat.dealt_in)):
        return "lobby.stays"
    return "away.back" if seat.dealt_in else "away.back_next"
