"""The settlement of a hand, told so that a beginner can follow it: boards, points, chips, pairs, the proof."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from discord import ButtonStyle

from bot.chat.kit.custom_ids import Press
from bot.chat.kit.faces import Faces
from bot.chat.kit.fragments import MOST_TEXT, QUIET_COLOUR, RESULT_COLOUR, rules_of, short_fingerprint, verify_hand
from bot.chat.kit.widgets import BUTTONS_A_ROW, Part, Screen, button, gallery, rows_of, screen, separator
from bot.chat.table.screens.boards import Size, foul_reason, row_text, seat_rows, shows_all
from bot.chat.table.screens.lobby import rebuy_button, root_link, table_title
from bot.chat.table.screens.picture import PICTURE, pair_lines
from bot.model.hands import HandState, Result
from bot.model.ids import GuildId
from bot.model.standings import Total
from bot.play.look.results import ClosingView, ResultView
from bot.play.look.views import TableView
from bot.play.table.again import NewTable
from bot.pure.ofc.cards import JOKERS, ROWS, Card, Row, rank_of, suit_of
from bot.pure.ofc.naturals import Natural
from bot.pure.ofc.scoring import BoardScore, HandScore, RowScore
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import Facing, HandView, SeatView
from bot.pure.ofc.wild import became, has_joker
from bot.text.badges import earned_name
from bot.text.cards import hand_text, natural_name
from bot.text.words import Words

HEADS_UP = 2
MOST_APART = 17
"""With room between so many texts, a heading and a row of four buttons, a message has the 40 components it may have."""


def result_screens(
    view: ResultView, words: Words, faces: Faces, *, picture: str = "", whole: bool = False
) -> list[Screen]:
    """The messages after a hand: one, or several where eight boards and their pairs do not fit.

    ``picture`` describes the boards on the attached picture, which takes the place of their text. A reader of text only
    is told who has won what; the boards once they ask for the ``whole``.
    """
    title = words("result.title", hand=view.record.hand_no)
    if view.record.state is not HandState.SETTLED or view.hand is None or view.hand.score is None:
        reason = words(f"closed.{view.record.reason}") if view.record.reason else ""
        text = words("result.void", reason=reason)
        return [screen(_heading(view, title, words), text, *_end(view, words), colour=QUIET_COLOUR)]
    hand, score = view.hand, view.hand.score
    boards = [
        result_board(view, seat, board, words, faces) for seat, board in zip(hand.seats, score.boards, strict=True)
    ]
    pairs = pair_lines(view, [_name(view, seat.player, words, faces) for seat in hand.seats], words)
    if faces.wishes.text_only and not whole:
        return [_brief(view, title, pairs, words, faces)]
    if picture:
        told = [*totals(view, words, faces), *pairs]
        shown: list[str | Part] = [
            _heading(view, title, words),
            told[0],
            gallery(PICTURE, description=picture),
            *told[1:],
            *_end(view, words),
        ]
        return [screen(*shown, colour=RESULT_COLOUR)]
    sections = [totals(view, words, faces), boards, [*pairs, *_proof(view, words)]]
    room = MOST_TEXT - len(_heading(view, words("result.page", title=title, page=10, pages=10), words))
    pages = _pages(sections, room=room)
    screens = []
    for number, page in enumerate(pages, start=1):
        named = words("result.page", title=title, page=number, pages=len(pages)) if len(pages) > 1 else title
        ways = rows_of(_ways(view, words)) if number == len(pages) else []
        screens.append(screen(_heading(view, named, words), *_separated(page), *ways, colour=RESULT_COLOUR))
    return screens


def _brief(view: ResultView, title: str, pairs: Sequence[str], words: Words, faces: Faces) -> Screen:
    """The heading, the totals, between two players what they come from, and the way to all the rest."""
    assert view.hand is not None
    why = pairs[:1] if len(view.hand.seats) == HEADS_UP else []
    table = view.table
    press = Press(verb="read_result", table=table.key.table, tag=table.tag, hand=view.record.hand_no)
    ways = rows_of([button(press, words("aloud.read_all")), *_ways(view, words, most=BUTTONS_A_ROW - 1)])
    return screen(_heading(view, title, words), *totals(view, words, faces), *why, *ways, colour=RESULT_COLOUR)


def _end(view: ResultView, words: Words) -> list[str | Part]:
    return [*_proof(view, words), *rows_of(_ways(view, words))]


def _ways(view: ResultView, words: Words, *, most: int = BUTTONS_A_ROW) -> list[Part]:
    """What a hand leads to, on its last message: chips for who has none left; one that was void cannot be reviewed.

    Another try is offered where there is room for it in a row of ``most``: a review leads to one too.
    """
    table, hand = view.table, view.record.hand_no
    ways = [*verify_ways(view, words), rules_of(view.record.variant, words)]
    if view.record.state is not HandState.SETTLED:
        return ways
    review, retry, replay = (
        Press(verb=verb, table=table.key.table, tag=table.tag, hand=hand) for verb in ("review", "retry_hand", "replay")
    )
    ways = [button(replay, words("replay.button")), button(review, words("review.button_label")), *ways]
    if not view.broke:
        return ways if len(ways) >= most else [*ways[:2], button(retry, words("review.button_retry")), *ways[2:]]
    # Four in all: more would not fit on a phone, nor into the longest results.
    return [rebuy_button(table, words, hand=hand), *ways[: BUTTONS_A_ROW - 1]]


def _heading(view: ResultView, title: str, words: Words) -> str:
    # The point value may have risen since.
    table = replace(view.table, terms=replace(view.table.terms, point_value=view.record.point_value))
    return f"### {title}\n-# {table_title(table, words)}"


Section = list[str]
"""Texts that belong together: the boards, the totals, the pairs."""


def _pages(sections: list[Section], *, room: int) -> list[list[Section]]:
    """The sections in order; a page ends between two of them, and within one only where it fills more than a page."""
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
    """The characters of these sections, counted with the line breaks between their texts."""
    return sum(len(text) + 1 for section in sections for text in section)


def _separated(page: list[Section]) -> list[str | Part]:
    """The texts of a page with a line between its sections, and some room between the texts of one.

    At most eight boards, two texts of totals, seven groups of pairs and the proof: a page with so many texts has no
    room between those of a section, because a message has 40 components at most.
    """
    close = sum(map(len, page)) > MOST_APART
    parts: list[str | Part] = []
    for section in page:
        for number, text in enumerate(section):
            if parts and not (number and close):
                parts.append(separator(line=not number))
            parts.append(text)
    return parts


def result_board(view: ResultView, seat: SeatView, board: BoardScore, words: Words, faces: Faces) -> str:
    """A name line, the three rows with their hands and royalties, and the discards where they lie open."""
    name, variant = _name(view, seat.player, words, faces), view.record.variant
    if board.surrendered:
        return words.facts([name, words("result.surrendered")])
    rows = seat_rows(seat, variant)
    if board.natural is not None:
        told = words("result.natural", natural=natural_name(board.natural, words))
        cards = [card for row in rows for card in row if card is not None]
        return f"{words.facts([name, told])}\n{faces.row(_arranged(board.natural, cards))}"
    scored = board.rows or (None, None, None)
    lines = [_row_line(*each, words, faces) for each in zip(ROWS, rows, scored, strict=True)]
    if variant.open_discards and seat.discards:
        lines.append(words("table.open_discards", cards=faces.row(seat.discards)))
    return "\n".join([words.facts([name, _standing(board, words)]), *lines])


def _name(view: ResultView, player: str, words: Words, faces: Faces) -> str:
    return faces.names.of(view.table.key.guild, player, words)


def _standing(board: BoardScore, words: Words) -> str:
    """What the whole board is, beside its player's name."""
    if board.rows is None:
        return words("result.gave_up")
    if board.foul:
        return words("result.foul")
    return words("result.royalties", points=words.signed(board.royalties)) if board.royalties else ""


def _arranged(natural: Natural, cards: Sequence[Card]) -> list[Card]:
    """The cards of a natural without rows, which mean nothing: by suit where suits make it, else by rank."""

    def order(card: Card) -> tuple[int, int]:
        return (
            (-suit_of(card), -rank_of(card)) if natural is Natural.THREE_FLUSHES else (-rank_of(card), -suit_of(card))
        )

    return sorted(cards, key=order)


def _row_line(row: Row, cards: Facing, scored: RowScore | None, words: Words, faces: Faces) -> str:
    """The cards of a row, what they are and what they pay; below, what its jokers became."""
    if scored is None:
        return row_text(row, cards, "", words, faces, size=Size.SMALL)
    line = row_text(row, cards, row_hand(scored, words), words, faces, size=Size.SMALL)
    placed = tuple(card for card in cards if card is not None)
    if not has_joker(placed):
        return line
    stood_for = [new for old, new in zip(placed, became(placed, scored.strength), strict=True) if old != new]
    jokers = faces.row(card for card in placed if card in JOKERS)
    # On a line of its own: beside the hand a phone would break it.
    return f"{line}\n{words('result.joker', jokers=jokers, cards=faces.row(stood_for))}"


def row_hand(scored: RowScore, words: Words) -> str:
    """What a row is, and what it pays where it pays something."""
    hand = hand_text(scored.strength, words)
    return words("hand.with_royalty", hand=hand, points=words.signed(scored.royalty)) if scored.royalty else hand


def totals(view: ResultView, words: Words, faces: Faces) -> Section:
    """What everybody has won or lost, the winner first, and who is in Fantasyland next hand."""
    results = sorted(view.results, key=lambda result: -result.points)
    lines = [_total(view, result, words, faces) for result in results]
    totals = "\n".join(lines)
    # A table that has closed deals no next hand, whoever has earned what.
    last = not view.table.open and view.table.hand_no == view.record.hand_no
    key = "result.fantasyland_earned" if last else "result.fantasyland"
    entered = [
        words(key, player=_name(view, result.player, words, faces), count=result.fantasyland)
        for result in view.results
        if result.fantasyland
    ]
    told = [
        *_fouls(view, words, faces),
        *_clocked(view, words, faces),
        *_bounties(view, words, faces),
        *entered,
        *(
            words("profile.earned", player=_name(view, player, words, faces), badge=earned_name(earned, words))
            for player, earned in view.badges
        ),
    ]
    return [totals, "\n".join(told)] if told else [totals]


def _fouls(view: ResultView, words: Words, faces: Faces) -> list[str]:
    """Why each board that fouled is one, which neither its marks nor the picture of it say."""
    assert view.hand is not None
    assert view.hand.score is not None
    return [
        words("result.fouled", player=_name(view, seat.player, words, faces), why=why)
        for seat, board in zip(view.hand.seats, view.hand.score.boards, strict=True)
        if (why := why_fouled(seat, board, view.hand.variant, words))
    ]


def _clocked(view: ResultView, words: Words, faces: Faces) -> list[str]:
    """Return whose cards the clock or a lower level has placed, and on which streets."""
    assert view.hand is not None
    told, streets = [], len(view.hand.variant.streets)
    for seat in view.hand.seats:
        values: dict[str, str | int] = {"player": _name(view, seat.player, words, faces)}
        if seat.player in view.penalised:
            told.append(words("result.penalty", **values))
        if seat.by_clock and (seat.fantasyland or view.hand.variant.at_once):
            told.append(words("result.auto_board", **values))
        elif seat.by_clock and seat.untouched(streets):
            told.append(words("result.auto_all", **values))
        elif seat.by_clock:
            numbers = words.list([str(street) for street in seat.by_clock])
            told.append(words("result.auto", streets=numbers, count=len(seat.by_clock), **values))
        if seat.by_fallback:
            told.append(words("result.fallback", **values))
    return told


def _bounties(view: ResultView, words: Words, faces: Faces) -> list[str]:
    """Who has won whose bounty."""
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
    """Which rows stand in the wrong order; empty for a board that is no foul, or was given up."""
    if not board.foul or board.rows is None or not shows_all(seat):
        return ""
    front, middle, back = (tuple(card for card in row if card is not None) for row in seat.rows)
    return foul_reason(variant, (front, middle, back), words)


def _total(view: ResultView, result: Result, words: Words, faces: Faces) -> str:
    name = _name(view, result.player, words, faces)
    chips = None if view.table.terms.practice else result.chips
    return total_line(name, points=result.points, chips=chips, words=words)


def total_line(player: str, *, points: int, chips: int | None, words: Words) -> str:
    """``Alice: +13 points (+130 chips)``; ``chips`` is None where none are played for."""
    told = words.signed(points)
    if chips is None:
        return words("result.points", player=player, points=told, count=abs(points))
    won = words("result.chips", chips=words.signed(chips), count=abs(chips))
    key = "result.points_but_chips" if turned(points, chips) else "result.points_and_chips"
    return words(key, player=player, points=told, chips=won, count=abs(points))


def turned(points: int, chips: int) -> bool:
    """True where somebody has points and won no chips, or the reverse: stacks were too short to pay it all."""
    return (points > 0) - (points < 0) != (chips > 0) - (chips < 0)


def _proof(view: ResultView, words: Words) -> list[str]:
    """The revealed seed, or when it will be revealed. Hands of private practice have the button alone."""
    if view.table.private:
        return []
    table, hand = view.table.key.table, view.record.hand_no
    mine = view.record.commitment
    typed: dict[str, str | int] = {"table": table, "hand": hand}
    short = root_link(view.table) if mine == view.table.commitment else short_fingerprint(mine)
    if view.seed is None:
        when = "seed_later" if view.hand is not None else "seed_gone"
        return [words(f"result.{when}", commitment=short, **typed)]
    return [words("result.seed", commitment=short, **typed)]


def verify_ways(view: ResultView, words: Words) -> list[Part]:
    """The way to a hand's proof; nothing while its seed is secret, or where it was lost."""
    return [] if view.seed is None else [verify_hand(view.table, view.record.hand_no, words)]


# The same in two lines, for one player: what their panel says until the next hand is dealt.


def last_hand(view: TableView, words: Words) -> list[str]:
    """``**This hand: +13 points** · you scooped``; nothing where the hand has no score, or not for these eyes."""
    if view.hand is None or view.hand.score is None or view.hand.you is None:
        return []
    score, you = view.hand.score, view.hand.you
    points = score.points[you]
    lines = [words("board.this_hand", points=words.signed(points), count=abs(points))]
    if (how := _how(view.hand, score, you, words)) is not None:
        lines[0] = words.facts([lines[0], how])
    if count := score.boards[you].next_fantasyland:
        lines.append(words("board.fantasyland_next", count=count))
    return ["\n".join(lines)]


def _how(hand: HandView, score: HandScore, you: int, words: Words) -> str | None:
    """What was special about it for this player."""
    if score.boards[you].foul:
        why = why_fouled(hand.seats[you], score.boards[you], hand.variant, words)
        return words("board.you_fouled_because", why=why) if why else words("board.you_fouled")
    scoops = [
        pair.scoop if pair.first == you else -pair.scoop for pair in score.pairs if you in (pair.first, pair.second)
    ]
    if all(scoop > 0 for scoop in scoops):
        return words("board.you_scooped")
    return words("board.you_were_scooped") if all(scoop < 0 for scoop in scoops) else None


# The last word about a table: what everybody has won or lost there, and a button to play again.

SELF_EVIDENT = "empty"
"""The reason that needs no sentence: everybody has left."""


def closing_screen(view: ClosingView, words: Words, faces: Faces) -> Screen:
    """The message at the end of a table."""
    table = view.table
    parts = [f"### {words('closing.title')}\n-# {table_title(table, words)}"]
    if table.closed_reason != SELF_EVIDENT:
        parts.append(words(f"closed.{table.closed_reason}"))
    parts.append("\n".join(_sums(view, words, faces)))
    if not table.terms.practice:
        parts.append(words("closed.seeds", table=table.key.table))
    return screen(*parts, *rows_of(_buttons(view, words)), colour=QUIET_COLOUR)


SURE = 1
"""Stands in the press of somebody who was asked, where a button says of which hand it speaks."""


def asked_again(new: NewTable, press: Press, guild: GuildId, words: Words, faces: Faces) -> Screen:
    """Asks before a table is opened that calls others."""
    players = faces.names.list(guild, new.others, words)
    told = words("closing.asks", players=players)
    if new.buy_in:
        told = words("closing.asks_chips", players=players, chips=words.number(new.buy_in))
    sure = button(replace(press, hand=SURE), words("closing.open"), style=ButtonStyle.primary)
    return screen(told, *rows_of([sure]), colour=QUIET_COLOUR)


def _sums(view: ClosingView, words: Words, faces: Faces) -> list[str]:
    """Everybody's sum, the winner first, and what became of a hand that was still running."""
    played = max((total.hands for total in view.totals), default=0)
    lines = [words("closing.hands", count=played) if played else words("closing.no_hands")]
    lines += [_sum(view, total, words, faces) for total in view.totals]
    if view.unfinished:
        lines.append(f"-# {words('closing.unfinished', hand=view.table.hand_no)}")
    return lines


def _sum(view: ClosingView, total: Total, words: Words, faces: Faces) -> str:
    name = faces.names.of(view.table.key.guild, total.player, words)
    return total_line(name, points=total.points, chips=None if view.table.terms.practice else total.chips, words=words)


def _buttons(view: ClosingView, words: Words) -> list[Part]:
    """Those of an event's table are seated by the event."""
    table = view.table
    if table.event_no is not None:
        return []
    press = Press(verb="again", table=table.key.table, tag=table.tag)
    return [button(press, words("closing.again"), style=ButtonStyle.primary)]
