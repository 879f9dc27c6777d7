"""The table's message: seats, stacks, turns, and the public view of every board.

A private table has no public message. Its player's panel shows the same things, and what comes next.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

from discord import ButtonStyle

from bot.chat.kit.custom_ids import Press
from bot.chat.kit.faces import Faces
from bot.chat.kit.fragments import (
    MAX_TEXT_LENGTH,
    QUIET_COLOUR,
    TABLE_COLOUR,
    TURN_COLOUR,
    how_to_play,
    moment,
    names,
    rules_button,
    text_length,
    watch_button,
)
from bot.chat.kit.text_only import WORDS_ALONE, aloud
from bot.chat.kit.widgets import Part, Screen, button, button_rows, screen, separator, text
from bot.chat.table.screens.boards import Size, drawn_line, placed_by, places_heard, seat_board
from bot.chat.table.screens.lobby import (
    chips_text,
    details_button,
    event_facts,
    hand_facts,
    join_press,
    lobby_rows,
    lobby_texts,
    locked_text,
    next_hand_text,
    stack_text,
    stalled_text,
    start_now,
    table_title,
    vacation_text,
    waits_text,
)
from bot.chat.table.screens.panel import Panel, panel_screen
from bot.chat.table.screens.result import practice_result
from bot.model.ids import TableId
from bot.model.tables import TableState
from bot.play.queries.results import ClosingView, ResultView
from bot.play.queries.reviews import Hint
from bot.play.queries.views import SeatStack, TableView
from bot.pure.ofc.cards import DISCARD, ROWS, Card
from bot.pure.ofc.presets import PINEAPPLE
from bot.pure.ofc.view import SeatView
from bot.pure.solver.search import PlacementValue
from bot.text.cards import row_name
from bot.text.durations import duration
from bot.text.games import full_name
from bot.text.words import Words, capital, words_for

MAX_LARGE_BOARDS = 3
"""Maximum number of boards drawn large. More wouldn't fit on a phone's screen."""


def table_screen(view: TableView, words: Words, faces: Faces, *, watched: bool = False) -> Screen:
    """Draw the table's message, in *Text only* if the server has chosen that.

    ``watched`` is True if there are links for watching it.
    """
    if view.table.in_words:
        words, faces = words.aloud, faces.for_reader(WORDS_ALONE)
    state = view.table.state
    if state is TableState.CLOSED:
        drawn = screen(_heading(view, words), words(f"closed.{view.table.closed_reason}"), colour=QUIET_COLOUR)
    elif state is TableState.LOBBY and view.table.event_no is not None:
        drawn = screen(
            _heading(view, words),
            _event_lobby_text(view, words, faces),
            *button_rows([*_event_buttons(view, words), details_button(view.table, words)]),
            colour=TABLE_COLOUR,
        )
    elif state is TableState.LOBBY:
        drawn = screen(
            f"### {table_title(view.table, words)}",
            *lobby_texts(view, words, faces),
            *lobby_rows(view, words),
            colour=TABLE_COLOUR,
        )
    else:
        for size in Size:
            if size is Size.LARGE and len(view.places) > MAX_LARGE_BOARDS:
                continue
            drawn = _game_screen(view, words, faces, size=size, watched=watched)
            if text_length(aloud(drawn, words, faces.member_settings)) <= MAX_TEXT_LENGTH:
                break
    return aloud(drawn, words, faces.member_settings)


def _game_screen(view: TableView, words: Words, faces: Faces, *, size: Size, watched: bool) -> Screen:
    boards: list[str | Part] = []
    if (hand := view.hand) is not None:
        for seat in hand.seats:
            name = faces.names.of(view.table.key.guild, seat.player, words)
            chips = stack_text(view, view.place_of(seat.player), words)
            lines = [words.facts([name, chips, *seat_notes(view, seat, words)], unbroken=True)]
            if any(seat.rows):
                lines.append(seat_board(seat, hand.variant, words, faces, size=size))
            lines += drawn_line(seat, words, faces)
            if hand.variant.open_discards and seat.discards:
                lines.append(words("table.open_discards", cards=faces.row(seat.discards)))
            boards += ["\n".join(lines), separator(line=True)]
    bare = size in {Size.BARE, Size.LETTERS}
    return screen(
        _heading(view, words),
        *boards,
        *not_playing(view, words, faces),
        *filter(None, [_status(view, words, faces, short=bare)]),
        *button_rows([*start_now(view, words), *_play_buttons(view, words, watched=watched)]),
        colour=TURN_COLOUR if view.waiting else TABLE_COLOUR,
    )


def _heading(view: TableView, words: Words) -> str:
    """Return the table's title and, in small letters below it, the hand, the street and the locked decks."""
    title, facts = f"### {table_title(view.table, words)}", _small_facts(view, words)
    return f"{title}\n-# {words.facts(facts)}" if facts else title


def _small_facts(view: TableView, words: Words) -> list[str]:
    hand, event = view.hand, view.event
    facts = event_facts(event, words) if event else []
    facts += hand_facts(view, words)
    streets = len(hand.variant.streets) if hand else 0
    if hand and view.waiting and hand.street and streets > 1:
        facts.append(words("table.street", street=hand.street, streets=streets))
    return facts if view.table.state is TableState.CLOSED else [*facts, locked_text(view, words)]


def _event_lobby_text(view: TableView, words: Words, faces: Faces) -> str:
    """Return the text of an event's table before its first deal or while it has too few players."""
    seats = [_event_seat(view, place, words, faces) for place in view.places]
    waits = waits_text(view.event, words) if view.event else ""
    if not waits and view.next_hand_at is not None:
        waits = words("event_table.first_hand", when=moment(view.next_hand_at))
    return "\n".join([*seats, waits or words("event_table.waits.players")])


def _event_seat(view: TableView, place: SeatStack, words: Words, faces: Faces) -> str:
    name = faces.names.of(view.table.key.guild, place.seat.player, words)
    out = _away_text(view, place, words) if place.seat.away else ""
    return words.facts([f"{place.seat.number + 1} {name}", chips_text(view, place, words), out], unbroken=True)


def _away_text(view: TableView, place: SeatStack, words: Words) -> str:
    """Return the reason that a player isn't playing: they sit out, or serve a penalty."""
    if view.penalty(place.seat.player) is not None:
        return words("event_table.penalty")
    return words("table.away" if view.event is None else "event_table.sitting_out")


def seat_notes(view: TableView, seat: SeatView, words: Words) -> list[str]:
    """Return notes about a player, in addition to their cards and chips."""
    hand, place = view.hand, view.place_of(seat.player)
    assert hand is not None
    parts = []
    if hand.seats[hand.button].player == seat.player:
        parts.append(words("table.button"))
    if seat.fantasyland:
        parts.append(words("table.in_fantasyland", count=seat.fantasyland))
    parts += map(words, placed_by(clock=seat.clocked, fallback=seat.fallback))
    if place and place.seat.sits_out and not place.seat.away:
        parts.append(words("table.out_next"))
    if place and place.seat.away:
        parts.append(_away_text(view, place, words))
    if place and place.vacation:
        parts.append(vacation_text(place.vacation, words))
    if place and place.seat.leaving:
        parts.append(words("table.leaving"))
    # A player's progress is shown only if their cards don't show it. On a street that everyone places at the same time,
    # cards stay hidden until every player has placed.
    unseen = hand.variant.together(hand.street) and any(other.waiting and not other.fantasyland for other in hand.seats)
    if hand.over or seat.forfeited:
        return parts
    if seat.waiting:
        return parts  # shown below the boards, once for all players
    if seat.fantasyland:
        parts.append(words("table.has_set" if seat.placed else "table.may_set"))
    elif seat.placed and unseen:
        parts.append(words("table.has_set" if hand.variant.at_once else "table.has_placed"))
    return parts


def not_playing(view: TableView, words: Words, faces: Faces) -> list[str]:
    """Return lines about the seats that aren't in the hand: newcomers, and players who sit out.

    Between hands there are no newcomers, because everyone is waiting.
    """
    playing = {seat.player for seat in view.hand.seats} if view.hand else set()
    others = [place.seat for place in view.places if place.seat.player not in playing]
    told = {
        "table.newcomers": [seat.player for seat in others if view.hand and not seat.sits_out],
        "table.sit_out": [seat.player for seat in others if seat.sits_out],
    }
    guild = view.table.key.guild
    return [words(key, players=faces.names.list(guild, players, words)) for key, players in told.items() if players]


def _status(view: TableView, words: Words, faces: Faces, *, short: bool) -> str:
    """Return the table's status: the players to act and their deadline, or what the next hand is waiting for."""
    told = ""
    if not view.waiting:
        if view.event is not None and (waits := waits_text(view.event, words)):
            told = waits
        elif view.stalled:
            told = stalled_text(view, words, faces)
        else:
            told = words("table.pause") if view.next_hand_at is None else next_hand_text(view, words, faces)
    else:
        told = _to_act(view, words, faces)
        if view.turn_until is not None and (lost := view.table.stood_still // 1000):
            told += f"\n{words('table.stood_still', time=duration(lost, words))}"
    return "\n".join(filter(None, [told, "" if short else concealed_text(view, words)]))


def _to_act(view: TableView, words: Words, faces: Faces) -> str:
    players = faces.names.list(view.table.key.guild, list(view.waiting), words)
    if view.turn_until is None:
        return words("table.to_act", players=players)
    return words("table.to_act_until", players=players, until=moment(view.turn_until))


def concealed_text(view: TableView, words: Words) -> str:
    """Return why boards are hidden, and where players can find their own; empty if none are hidden."""
    my_hand = words_for(view.table.language)("button.my_hand")
    if view.event is not None and view.event.conceals:
        return words("event_table.concealed", my_hand=my_hand)
    return words("table.concealed", my_hand=my_hand) if view.hand is not None and view.hand.conceals else ""


def _play_buttons(view: TableView, words: Words, *, watched: bool) -> list[Part]:
    """Return the buttons for the reader's hand, a free seat, coming back to a stalled table, watching, and details."""
    table = view.table
    press = Press(verb="hand", table=table.key.table, tag=table.tag)
    buttons = [button(press, words("button.my_hand"), style=ButtonStyle.primary)]
    if table.event_no is None and len(view.places) < table.terms.max_seats:
        buttons.append(button(join_press(table), words("button.join")))
    if view.stalled and any(place.seat.away or place.seat.sits_out for place in view.places):
        buttons.append(button(press.but("stay"), words("button.stay")))
    if watched:
        buttons.append(watch_button(press.but("watch"), words))
    return [*buttons, details_button(table, words)]


def _event_buttons(view: TableView, words: Words) -> list[Part]:
    """Return the button for coming back to an event's waiting table.

    It's empty if no one is absent or all absent players are serving a penalty.
    """
    away = [place.seat for place in view.places if place.seat.away and not place.seat.computer]
    if all(view.penalty(seat.player) is not None for seat in away):
        return []
    return [button(Press(verb="stay", table=view.table.key.table, tag=view.table.tag), words("button.stay"))]


def call_screen(view: TableView, players: Sequence[str], words: Words, *, reminder: bool) -> Screen:
    """Draw the message that notifies players of their turn, or reminds them of it. Its mentions do notify."""
    until = min((time for player in players if (time := view.until(player)) is not None), default=None)
    values: dict[str, str | int] = {"players": names(list(players), words), "table": view.table.number}
    if until is None:
        text = words("call.turn", **values)
    else:
        text = words("call.reminder" if reminder else "call.turn_until", until=moment(until), **values)
    press = Press(verb="hand", table=view.table.key.table, tag=view.table.tag)
    my_hand = button(press, words("button.my_hand"), style=ButtonStyle.primary)
    return screen(text, *button_rows([my_hand]), colour=TURN_COLOUR)


# Practice: help for learners next to the panel, hints, and the single message of a private table.

CLOSE = 0.1
"""Placements that differ by up to this many points count as equal."""
CERTAIN = 2
"""Number of standard errors that a difference must exceed to be reported."""


def helpful_screen(panel: Panel, words: Words, faces: Faces) -> Screen:
    """Draw the panel with a learner's help below it. At a private table it also has a button to stop."""
    view = panel.view
    told = hint_text(panel.hint, words, faces) if panel.hint and panel.hint.is_for(view) else ""
    helps = []
    if not told and view.may_hint:
        helps.append(button(panel.press.but("hint"), words("practice.button.hint")))
    if view.table.private:
        helps += [*_explanation_link(view, words, faces), _stop(view, words)]
    shown = panel_screen(panel, words, faces, spare=len(told) + 1 + len(panel.told))
    return shown.and_below(*([text(told)] if told else []), *button_rows(helps))


def _explanation_link(view: TableView, words: Words, faces: Faces) -> list[Part]:
    """Return a link to an explanation of the game, for players who haven't placed a whole hand yet."""
    if faces.member_settings.has_confirmed:
        return []
    game = view.table.terms.variant
    return [how_to_play(words) if game == PINEAPPLE else rules_button(game, words)]


def hand_over_screen(view: TableView, result: ResultView, words: Words, faces: Faces) -> Screen:
    """Draw the result of a private table's hand, with buttons to deal the next one or stop."""
    further = button(_press(view, "next_hand"), words("practice.button.next"), style=ButtonStyle.success)
    return practice_result(result, words, faces).and_below(*button_rows([further, _stop(view, words)]))


AGAIN = "again"
"""Argument of the button that replaces a finished practice session with a new one."""


def practice_over_screen(closing: ClosingView, words: Words) -> Screen:
    """Draw a private table that has closed, with its player's totals."""
    table = closing.table
    press = Press(verb="practise", table=TableId(0), argument=AGAIN)
    buttons = [button(press, words("practice.button.again"), style=ButtonStyle.success)]
    session = _session(closing, words)
    if session:
        review = Press(verb="review", table=table.key.table, tag=table.tag, hand=table.hand_no - closing.unfinished)
        buttons.append(button(review, words("practice.button.review")))
    over = words(f"closed.{table.closed_reason}")
    told = [over, *([words.facts([full_name(table.terms.variant, words), *session])] if session else [])]
    return screen("\n".join(told), *button_rows(buttons), colour=QUIET_COLOUR)


def _session(closing: ClosingView, words: Words) -> list[str]:
    """Return the player's hands, points, fouls and Fantasylands; empty if no hand was finished."""
    mine = next((total for total in closing.totals if total.player == closing.table.host), None)
    if mine is None:
        return []
    told = [
        words("practice.session.hands", count=mine.hands),
        words("practice.session.points", points=words.signed(mine.points), count=abs(mine.points)),
        words("practice.session.fouls", count=mine.fouls),
    ]
    if closing.table.terms.variant.fantasyland is not None:
        told.append(words("practice.session.fantasylands", count=mine.fantasylands))
    return told


def _stop(view: TableView, words: Words) -> Part:
    return button(_press(view, "stop"), words("practice.button.stop"))


def _press(view: TableView, verb: str) -> Press:
    table = view.table
    return Press(verb=verb, table=table.key.table, tag=table.tag, hand=table.hand_no)


# Hints


def hint_text(hint: Hint, words: Words, faces: Faces) -> str:
    """Return the suggested placements as text."""
    lines = [words("hint.title", street=hint.hand.street)]
    for number, letters in enumerate(hint.letters, start=1):
        lines.append(words("hint.placement", number=number, places=_places(hint, letters, words, faces)))
        lines += hint_facts(hint, number, words)
    return "\n".join([*lines, hint_note(hint, words)])


def hint_facts(hint: Hint, number: int, words: Words) -> list[str]:
    """Return the odds of placement ``number``, counted from 1. Later ones also show their distance to the first."""
    if not hint.judged:
        return []
    facts = [_facts(hint, hint.judged[number - 1], words)]
    return facts if number == 1 else [*facts, _difference(hint.judged[0], hint.judged[number - 1], words)]


def hint_note(hint: Hint, words: Words) -> str:
    """Return a note on how reliable a hint's numbers are."""
    return words("hint.estimated" if hint.judged else "hint.unknown")


def _places(hint: Hint, letters: str, words: Words, faces: Faces) -> str:
    if words.heard:
        assert hint.hand.mine
        return places_heard([card for card in hint.hand.mine.held if card is not None], letters, words, faces)
    parts = [
        words("hint.place", row=capital(row_name(row, words)), cards=faces.row(cards))
        for row in ROWS
        if (cards := _cards(hint, letters, row.value))
    ]
    if discards := _cards(hint, letters, DISCARD):
        parts.append(words("hint.discard", cards=faces.row(discards)))
    return words.facts(parts)


def _cards(hint: Hint, letters: str, letter: str) -> list[Card]:
    assert hint.hand.mine
    held = [card for card in hint.hand.mine.held if card is not None]
    return [card for card, place in zip(held, letters, strict=True) if place == letter]


def _facts(hint: Hint, judged: PlacementValue, words: Words) -> str:
    foul = words.percent(round(100 * judged.foul))
    royalties = words.signed_decimal(judged.royalties, decimals=1)
    if hint.hand.variant.fantasyland is None:
        return words("hint.facts_without_fantasyland", foul=foul, royalties=royalties)
    fantasyland = words.percent(round(100 * judged.fantasyland))
    return words("hint.facts", foul=foul, fantasyland=fantasyland, royalties=royalties)


def _difference(best: PlacementValue, second: PlacementValue, words: Words) -> str:
    """Return how many points the second is behind, or that the two are too close to tell apart."""
    behind = best.value - second.value
    if behind <= max(CLOSE, CERTAIN * hypot(best.error, second.error)):
        return words("hint.close")
    return words("hint.behind", points=words.decimal(behind, decimals=1))
