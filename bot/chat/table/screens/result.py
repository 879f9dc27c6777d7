"""A finished hand: its short public message, its private details, and a table's closing message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from discord import ButtonStyle

from bot.chat.kit.custom_ids import Press
from bot.chat.kit.faces import Faces
from bot.chat.kit.fragments import (
    MAX_TEXT_LENGTH,
    QUIET_COLOUR,
    RESULT_COLOUR,
    rules_button,
    short_fingerprint,
    verify_hand,
)
from bot.chat.kit.widgets import Part, Screen, button, button_rows, gallery, screen, select, separator
from bot.chat.table.screens.boards import Size, foul_reason, row_text, seat_rows, shows_all
from bot.chat.table.screens.lobby import hand_title, level_options, rebuy_button, root_link
from bot.chat.table.screens.picture import PICTURE, is_limited, pair_lines, scored, why_limited
from bot.model.hands import HandState, Result
from bot.model.ids import GuildId, Player
from bot.model.standings import TableTotal
from bot.model.tables import TableState
from bot.play.queries.results import ClosingView, ResultView
from bot.play.queries.views import TableView
from bot.play.table.rematch import Rematch
from bot.pure.ofc.cards import JOKERS, ROWS, Card, Row, rank_of, suit_of
from bot.pure.ofc.naturals import Natural
from bot.pure.ofc.scoring import BoardScore, HandScore, RowScore
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import Facing, HandView, SeatView
from bot.pure.ofc.wild import became, has_joker
from bot.text.badges import earned_name
from bot.text.cards import hand_text, natural_name
from bot.text.words import Words

MAX_SPACED_TEXTS = 17
"""Maximum number of texts drawn with space between them.

With a heading and four buttons, they use up all 40 components.
"""


def result_screens(
    view: ResultView, words: Words, faces: Faces, *, picture: str = "", whole: bool = False
) -> list[Screen]:
    """Draw the messages after a hand: usually one, several if eight boards don't fit.

    ``picture`` describes the boards and pairs on the attached picture, which replaces their text. In *Text only*, the
    message has just the totals, and the boards and pairs as well if the reader asks for the ``whole``.
    """
    title = _title(view, words)
    if not scored(view):
        return [
            screen(f"### {title}", _void(view, words), *button_rows(_hand_buttons(view, words)), colour=QUIET_COLOUR)
        ]
    if faces.member_settings.text_only and not whole:
        return [_brief(view, title, words, faces)]
    told = totals(view, words, faces) if whole else _totals_section(view, words, faces)
    if picture:
        shown: list[str | Part] = ["\n".join([f"### {title}", *told]), gallery(PICTURE, description=picture)]
        return [screen(*shown, *button_rows(_hand_buttons(view, words)), colour=RESULT_COLOUR)]
    sections = [told, result_boards(view, words, faces), *([_pairs(view, words, faces)] if whole else [])]
    return _split_pages(sections, _hand_buttons(view, words), words, title=title)


def practice_result(view: ResultView, words: Words, faces: Faces) -> Screen:
    """Draw the result of a private table's hand: each board below its player's total, the winner first."""
    if not scored(view) or faces.member_settings.text_only:
        first, *_ = result_screens(view, words, faces)
        return first
    results = _results(view, words, faces)
    boards = [_total_and_board(view, player, [total, *notes], words, faces) for player, total, notes in results]
    first, *_ = _split_pages(
        [boards, _awards(view, words, faces)], _hand_buttons(view, words), words, title=_title(view, words)
    )
    return first


def _total_and_board(view: ResultView, player: Player, told: Sequence[str], words: Words, faces: Faces) -> str:
    """Return a board below a line that says what it won or lost, and why."""
    assert view.hand is not None
    assert view.hand.score is not None
    seats, boards = view.hand.seats, view.hand.score.boards
    seat, board = next(both for both in zip(seats, boards, strict=True) if both[0].player == player)
    noted = _board_notes(view, seat, board, words)
    head = words.facts([*told, *([] if noted else [_board_verdict(board, words)])])
    return "\n".join([head, *_board_lines(view, seat, board, words, faces)])


def details_screens(view: ResultView, words: Words, faces: Faces) -> list[Screen]:
    """Draw all details of a finished hand as private text: pairs, boards, and how to verify its deal."""
    head = f"-# {hand_title(view.table, view.record.point_value, words)}"
    proof, ways = _proof(view, words), _details_ways(view, words)
    if not scored(view):
        text = "\n".join([head, _void(view, words), *proof])
        shown = [screen(f"### {_title(view, words)}", text, *button_rows(ways), colour=QUIET_COLOUR)]
    else:
        sections = [[head], _pairs(view, words, faces), [*result_boards(view, words, faces), *proof]]
        shown = _split_pages(sections, ways, words, title=_title(view, words))
    return [*shown[:-1], shown[-1].and_below(*_levels(view, words))]


def _levels(view: ResultView, words: Words) -> list[Part]:
    """Return the menu of computers' levels for the last hand of an open private table; empty elsewhere."""
    table = view.table
    if not table.private or table.state is not TableState.BETWEEN or table.hand_no != view.record.hand_no:
        return []
    press, told = _press(view, "level"), words("practice.opponents")
    return [select(press, level_options(words), placeholder=told, number=table.hand_no)]


def _title(view: ResultView, words: Words) -> str:
    return words("result.heading", hand=view.record.hand_no, table=view.table.number)


def _void(view: ResultView, words: Words) -> str:
    reason = words(f"closed.{view.record.reason}") if view.record.reason else ""
    return words("result.void", reason=reason)


def _totals_section(view: ResultView, words: Words, faces: Faces) -> Section:
    """Return the totals, and the reason if a stack paid less than its points were worth."""
    limits = [why_limited(view, _names(view, words, faces), words)] if is_limited(view) else []
    return [*totals(view, words, faces), *limits]


def _pairs(view: ResultView, words: Words, faces: Faces) -> Section:
    return pair_lines(view, _names(view, words, faces), words)


def _names(view: ResultView, words: Words, faces: Faces) -> list[str]:
    assert view.hand is not None
    return [_name(view, seat.player, words, faces) for seat in view.hand.seats]


def result_boards(view: ResultView, words: Words, faces: Faces) -> Section:
    """Return every board of a settled hand, each as one text."""
    assert view.hand is not None
    assert view.hand.score is not None
    seats, boards = view.hand.seats, view.hand.score.boards
    return [result_board(view, seat, board, words, faces) for seat, board in zip(seats, boards, strict=True)]


def _split_pages(sections: list[Section], ways: Sequence[Part], words: Words, *, title: str) -> list[Screen]:
    """Split the sections into as few pages as possible. The last page has the buttons ``ways``."""
    room = MAX_TEXT_LENGTH - len(words("result.page", title=title, page=10, pages=10)) - len("### ")
    pages = _pages(sections, room=room)
    screens = []
    for number, page in enumerate(pages, start=1):
        named = words("result.page", title=title, page=number, pages=len(pages)) if len(pages) > 1 else title
        rows = button_rows(ways) if number == len(pages) else []
        screens.append(screen(f"### {named}", *_join_sections(page), *rows, colour=RESULT_COLOUR))
    return screens


def _brief(view: ResultView, title: str, words: Words, faces: Faces) -> Screen:
    """Draw only the totals, with a button that shows the rest."""
    read_all = button(_press(view, "read_result"), words("aloud.read_all"))
    text = "\n".join([f"### {title}", *_totals_section(view, words, faces)])
    return screen(text, *button_rows([read_all, *_hand_buttons(view, words)]), colour=RESULT_COLOUR)


def _press(view: ResultView, verb: str) -> Press:
    table = view.table
    return Press(verb=verb, table=table.key.table, tag=table.tag, hand=view.record.hand_no)


def _hand_buttons(view: ResultView, words: Words) -> list[Part]:
    """Return a hand's buttons.

    A void hand has only the details button. A player without chips gets a rebuy button instead of the replay. At a
    private table, this row also has the button for the next hand, so the replay moves to the details.
    """
    details = button(_press(view, "hand_details"), words("button.details"))
    if view.record.state is not HandState.SETTLED:
        return [details]
    review = button(_press(view, "review"), words("review.button_label"))
    if view.table.private:
        return [review, details]
    replay = button(_press(view, "replay"), words("replay.button"))
    rebuy = rebuy_button(view.table, words, hand=view.record.hand_no) if view.broke else replay
    return [review, rebuy, details]


def _details_ways(view: ResultView, words: Words) -> list[Part]:
    """Return the buttons for the deal's proof (disabled while the seed is secret), replay, retry, file and rules."""
    check = verify_hand(view.table, view.record.hand_no, words, disabled=view.seed is None)
    rules = rules_button(view.record.variant, words)
    if view.record.state is not HandState.SETTLED:
        return [check, rules]
    replay, retry, file = (
        button(_press(view, verb), words(label))
        for verb, label in (
            ("replay", "replay.button"),
            ("retry_hand", "review.button_retry"),
            ("rp_file", "replay.button_file"),
        )
    )
    return [check, replay, retry, file, rules]


Section = list[str]
"""Texts that belong together: the boards, the totals or the pairs."""


def _pages(sections: list[Section], *, room: int) -> list[list[Section]]:
    """Split the sections into pages, in order. A section is split only if it doesn't fit on a page."""
    pages: list[list[Section]] = [[]]
    for section in sections:
        if pages[-1] and _length([*pages[-1], section]) > room:
            pages.append([])
        rest = section
        while _length([rest]) > room:
            fits = next(count for count in range(len(rest) - 1, 0, -1) if _length([rest[:count]]) <= room)
            pages[-1].append(rest[:fits])
            pages.append([])
            rest = rest[fits:]
        pages[-1].append(rest)
    return pages


def _length(sections: list[Section]) -> int:
    """Return the number of characters in ``sections``, including the line breaks between their texts."""
    return sum(len(text) + 1 for section in sections for text in section)


def _join_sections(page: list[Section]) -> list[str | Part]:
    """Return a page's texts with a line between sections and some space between the texts within a section.

    A page holds at most eight boards, two texts of totals, seven groups of pairs and the deck. A page with that many
    texts has no space within sections, because a message can have at most 40 components.
    """
    close = sum(map(len, page)) > MAX_SPACED_TEXTS
    parts: list[str | Part] = []
    for section in page:
        for number, text in enumerate(section):
            if parts and not (number and close):
                parts.append(separator(line=not number))
            parts.append(text)
    return parts


def result_board(view: ResultView, seat: SeatView, board: BoardScore, words: Words, faces: Faces) -> str:
    """Return the name, the three rows with their hands and royalties, and any open discards."""
    head = words.facts([_name(view, seat.player, words, faces), _board_verdict(board, words)])
    return "\n".join([head, *_board_lines(view, seat, board, words, faces)])


def _board_lines(view: ResultView, seat: SeatView, board: BoardScore, words: Words, faces: Faces) -> list[str]:
    """Return the rows below the name; empty if the board was surrendered."""
    if board.surrendered:
        return []
    variant, rows = view.record.variant, seat_rows(seat, view.record.variant)
    if board.natural is not None:
        cards = [card for row in rows for card in row if card is not None]
        return [faces.row(_sort_natural(board.natural, cards))]
    scored = board.rows or (None, None, None)
    lines = [_row_line(*each, words, faces) for each in zip(ROWS, rows, scored, strict=True)]
    if variant.open_discards and seat.discards:
        lines.append(words("table.open_discards", cards=faces.row(seat.discards)))
    return lines


def _name(view: ResultView, player: str, words: Words, faces: Faces) -> str:
    return faces.names.of(view.table.key.guild, player, words)


def _board_verdict(board: BoardScore, words: Words) -> str:
    """Return the verdict on the whole board, shown next to its player's name; empty if there is nothing to say."""
    if board.surrendered:
        return words("result.surrendered")
    if board.natural is not None:
        return words("result.natural", natural=natural_name(board.natural, words))
    if board.rows is None:
        return words("result.gave_up")
    if board.foul:
        return words("result.foul")
    return words("result.royalties", points=words.signed(board.royalties)) if board.royalties else ""


def _sort_natural(natural: Natural, cards: Sequence[Card]) -> list[Card]:
    """Sort the cards of a natural, whose rows don't matter: by suit if it consists of flushes, otherwise by rank."""

    def order(card: Card) -> tuple[int, int]:
        return (
            (-suit_of(card), -rank_of(card)) if natural is Natural.THREE_FLUSHES else (-rank_of(card), -suit_of(card))
        )

    return sorted(cards, key=order)


def _row_line(row: Row, cards: Facing, scored: RowScore | None, words: Words, faces: Faces) -> str:
    """Return a row's cards, hand and royalty, with the cards that its jokers became on a second line."""
    if scored is None:
        return row_text(row, cards, "", words, faces, size=Size.SMALL)
    line = row_text(row, cards, row_hand(scored, words), words, faces, size=Size.SMALL)
    placed = tuple(card for card in cards if card is not None)
    if not has_joker(placed):
        return line
    stood_for = [new for old, new in zip(placed, became(placed, scored.strength), strict=True) if old != new]
    jokers = faces.row(card for card in placed if card in JOKERS)
    # This is a separate line, because it would wrap on a phone.
    return f"{line}\n{words('result.joker', jokers=jokers, cards=faces.row(stood_for))}"


def row_hand(scored: RowScore, words: Words) -> str:
    """Return a row's hand, with its royalty if it earns one."""
    hand = hand_text(scored.strength, words)
    return words("hand.with_royalty", hand=hand, points=words.signed(scored.royalty)) if scored.royalty else hand


def totals(view: ResultView, words: Words, faces: Faces) -> Section:
    """Return all players' results with notes, the winner first, then bounties and badges."""
    lines = [words.facts([total, *notes]) for _, total, notes in _results(view, words, faces)]
    told = _awards(view, words, faces)
    return ["\n".join(lines), *(["\n".join(told)] if told else [])]


def totals_apart(view: ResultView, words: Words, faces: Faces) -> tuple[list[str], list[str]]:
    """Return the totals and the notes as two separate lists for the web page, which shows Fantasyland on its own."""
    results = _results(view, words, faces, fantasyland=False)
    special = [words.facts([_name(view, player, words, faces), *notes]) for player, _, notes in results if notes]
    return [total for _, total, _ in results], [*special, *_awards(view, words, faces)]


def _awards(view: ResultView, words: Words, faces: Faces) -> list[str]:
    """Return lines for bounties and badges."""
    return [
        *_bounties(view, words, faces),
        *(
            words("profile.earned", player=_name(view, player, words, faces), badge=earned_name(earned, words))
            for player, earned in view.badges
        ),
    ]


def _results(
    view: ResultView, words: Words, faces: Faces, *, fantasyland: bool = True
) -> list[tuple[Player, str, list[str]]]:
    """Return each player with their total and the notes about it, the winner first."""
    results = sorted(view.results, key=lambda result: -result.points)
    best = results[0].points if results else 0
    found = []
    for result in results:
        chips = None if view.table.terms.practice else result.chips
        name = _name(view, result.player, words, faces)
        won = 0 < result.points == best
        total = total_line(name, points=result.points, chips=chips, words=words, won=won)
        notes = _notes(view, result, words)
        if fantasyland and result.fantasyland:
            notes.append(fantasyland_note(view, result, words))
        found.append((result.player, total, notes))
    return found


def _notes(view: ResultView, result: Result, words: Words) -> list[str]:
    """Return a player's notes: fouls and auto-placed cards."""
    assert view.hand is not None
    assert view.hand.score is not None
    number = next(number for number, seat in enumerate(view.hand.seats) if seat.player == result.player)
    seat, board = view.hand.seats[number], view.hand.score.boards[number]
    return [*_board_notes(view, seat, board, words), *_placed_notes(view, seat, words)]


def fantasyland_note(view: ResultView, result: Result, words: Words) -> str:
    """Return the note for a player who has earned Fantasyland."""
    key = "fantasyland_earned" if is_last(view) else "fantasyland"
    return words(f"result.note.{key}", count=result.fantasyland)


def is_last(view: ResultView) -> bool:
    """True for the last hand of a closed table, which deals no more, even to players who have earned Fantasyland."""
    return not view.table.open and view.table.hand_no == view.record.hand_no


def _board_notes(view: ResultView, seat: SeatView, board: BoardScore, words: Words) -> list[str]:
    if board.surrendered:
        return [words("result.surrendered")]
    if board.natural is None and board.rows is None:
        return [words("result.gave_up")]
    if not board.foul:
        return []
    why = why_fouled(seat, board, view.record.variant, words)
    return [words("result.note.fouled", why=why) if why else words("result.note.foul")]


def _placed_notes(view: ResultView, seat: SeatView, words: Words) -> list[str]:
    """Return notes about streets that were auto-placed, and about cards placed by a fallback level."""
    variant, notes = view.record.variant, []
    if seat.player in view.penalised:
        notes.append(words("result.note.penalty"))
    if seat.by_clock and (seat.fantasyland or variant.at_once):
        notes.append(words("result.note.auto_board"))
    elif seat.by_clock and seat.untouched(len(variant.streets)):
        notes.append(words("result.note.auto_all"))
    elif seat.by_clock:
        streets = words.list([str(street) for street in seat.by_clock])
        notes.append(words("result.note.auto", streets=streets, count=len(seat.by_clock)))
    return [*notes, words("result.note.fallback")] if seat.by_fallback else notes


def _bounties(view: ResultView, words: Words, faces: Faces) -> list[str]:
    """Return a line per bounty, with the winner and the loser."""
    return [
        words(
            "result.bounty",
            player=_name(view, winner, words, faces),
            loser=_name(view, loser, words, faces),
            count=chips,
        )
        for winner, loser, chips in view.bounties
    ]


def why_fouled(seat: SeatView, board: BoardScore, variant: Variant, words: Words) -> str:
    """Return the rows in the wrong order; empty if the board isn't a foul, was surrendered or isn't fully visible."""
    if not board.foul or board.rows is None or not shows_all(seat):
        return ""
    front, middle, back = (tuple(card for card in row if card is not None) for row in seat.rows)
    return foul_reason(variant, (front, middle, back), words)


def total_line(player: str, *, points: int, chips: int | None, words: Words, won: bool = False) -> str:
    """Return ``Alice +13 (+130)``, in bold if they ``won``. ``chips`` is None if the game isn't for chips."""
    told = f"**{words.signed(points)}**" if won else words.signed(points)
    if chips is None:
        return words("result.sum", player=player, points=told, count=abs(points))
    return words("result.sum_chips", player=player, points=told, chips=words.signed(chips), count=abs(points))


def signs_differ(points: int, chips: int) -> bool:
    """True if points and chips have different signs.

    In a hand, that's because a stack was too short to pay in full. Over several hands, the point value may have risen.
    """
    return (points > 0) - (points < 0) != (chips > 0) - (chips < 0)


def _proof(view: ResultView, words: Words) -> list[str]:
    """Return the linked fingerprint of the deck, and why it can't be verified yet. Private practice has none."""
    if view.table.private:
        return []
    mine = view.record.commitment
    short = root_link(view.table) if mine == view.table.commitment else short_fingerprint(mine)
    if view.seed is not None:
        return [words("result.deck.open", commitment=short)]
    return [words("result.deck.later" if view.hand is not None else "result.deck.gone", commitment=short)]


def verify_ways(view: ResultView, words: Words) -> list[Part]:
    """Return the button for a hand's proof; empty while its seed is secret, or if the seed was lost."""
    return [] if view.seed is None else [verify_hand(view.table, view.record.hand_no, words)]


# One player's result in two lines, shown on their panel until the next hand is dealt.


def last_hand(view: TableView, words: Words) -> list[str]:
    """Return ``**This hand: +13 points** · you scooped``; empty if the hand has no score or the reader had no seat."""
    if view.hand is None or view.hand.score is None or view.hand.you is None:
        return []
    score, you = view.hand.score, view.hand.you
    points = score.points[you]
    lines = [words("board.this_hand", points=words.signed(points), count=abs(points))]
    if (how := _outcome_note(view.hand, score, you, words)) is not None:
        lines[0] = words.facts([lines[0], how])
    if count := score.boards[you].next_fantasyland:
        lines.append(words("board.fantasyland_next", count=count))
    return ["\n".join(lines)]


def _outcome_note(hand: HandView, score: HandScore, you: int, words: Words) -> str | None:
    """Return a note if this player fouled, scooped or was scooped; None otherwise."""
    if score.boards[you].foul:
        why = why_fouled(hand.seats[you], score.boards[you], hand.variant, words)
        return words("board.you_fouled_because", why=why) if why else words("board.you_fouled")
    scoops = [
        pair.scoop if pair.first == you else -pair.scoop for pair in score.pairs if you in (pair.first, pair.second)
    ]
    if all(scoop > 0 for scoop in scoops):
        return words("board.you_scooped")
    return words("board.you_were_scooped") if all(scoop < 0 for scoop in scoops) else None


# A table's closing message: all results, and a button to play again.

SELF_EVIDENT = "empty"
"""The reason for closing that needs no explanation: all players have left."""


def closing_screen(view: ClosingView, words: Words, faces: Faces) -> Screen:
    """Draw the message at the end of a table."""
    table = view.table
    played = max((total.hands for total in view.totals), default=0)
    title = words.facts(
        [words("closing.title", table=table.number), words("closing.hands", count=played) if played else ""]
    )
    lines = [f"### {title}"]
    if table.closed_reason != SELF_EVIDENT:
        lines.append(words(f"closed.{table.closed_reason}"))
    lines += _sums(view, words, faces) if played else [words("closing.no_hands")]
    if view.unfinished:
        lines.append(f"-# {words('closing.unfinished', hand=table.hand_no)}")
    return screen("\n".join(lines), *button_rows(_buttons(view, words)), colour=QUIET_COLOUR)


SURE = 1
"""Marks a confirmed press, in the field that otherwise holds a hand's number."""


def asked_again(new: Rematch, press: Press, guild: GuildId, words: Words, faces: Faces) -> Screen:
    """Ask for confirmation before opening a table that notifies other players."""
    players = faces.names.list(guild, new.others, words)
    told = words("closing.asks", players=players)
    if new.buy_in:
        told = words("closing.asks_chips", players=players, chips=words.number(new.buy_in))
    sure = button(replace(press, hand=SURE), words("closing.open"), style=ButtonStyle.primary)
    return screen(told, *button_rows([sure]), colour=QUIET_COLOUR)


def _sums(view: ClosingView, words: Words, faces: Faces) -> list[str]:
    """Return the players' totals, the winner first."""
    best = max((total.points for total in view.totals), default=0)
    lines = [_sum(view, total, words, faces, won=0 < total.points == best) for total in view.totals]
    return [*lines, *_why_signs_differ(view, words, faces)]


def _why_signs_differ(view: ClosingView, words: Words, faces: Faces) -> list[str]:
    """Return a line for the players whose points and chips have different signs, for each reason."""
    if view.table.terms.practice:
        return []
    apart = [total for total in view.totals if signs_differ(total.points, total.chips)]
    by_levels = [total.player for total in apart if not signs_differ(view.owed[total.player], total.chips)]
    by_stacks = [total.player for total in apart if total.player not in by_levels]
    return [
        words(f"closing.{key}", players=faces.names.list(view.table.key.guild, players, words))
        for key, players in (("by_levels", by_levels), ("by_stacks", by_stacks))
        if players
    ]


def _sum(view: ClosingView, total: TableTotal, words: Words, faces: Faces, *, won: bool) -> str:
    name = faces.names.of(view.table.key.guild, total.player, words)
    chips = None if view.table.terms.practice else total.chips
    return total_line(name, points=total.points, chips=chips, words=words, won=won)


def _buttons(view: ClosingView, words: Words) -> list[Part]:
    """Return the button to play again; empty at an event's table, because the event seats its players."""
    table = view.table
    if table.event_no is not None:
        return []
    press = Press(verb="again", table=table.key.table, tag=table.tag)
    return [button(press, words("closing.again"), style=ButtonStyle.primary)]
