"""The picture of a hand's result, and the text that describes it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from bot.chat.art.result_picture import DrawnBoard, DrawnPair, DrawnRow, draw_result
from bot.chat.kit.faces import DisplayNames
from bot.chat.kit.picture_names import picture_names
from bot.chat.kit.widgets import MAX_DESCRIPTION_LENGTH
from bot.chat.table.screens.boards import Rows, seat_rows, shows_all
from bot.model.hands import HandState
from bot.play.queries.results import PaidPair, ResultView
from bot.pure.ofc.cards import ROWS, Row, card_name
from bot.pure.ofc.ranks import Category, second_rank, top_rank
from bot.pure.ofc.scoring import BoardScore, HandScore, PairScore, RowScore, bonuses
from bot.pure.ofc.settlement import Limit
from bot.pure.ofc.view import Facing, HandView, SeatView
from bot.pure.ofc.wild import has_joker
from bot.text.cards import category_name, hand_text, natural_name, row_name, row_text
from bot.text.words import Words

# Each pair of players in a finished hand, with the numbers that add up to its points and chips.

MAX_UNGROUPED = 4
"""Maximum number of players whose pairs are listed individually, winner first. Four players make six lines."""


def pair_lines(view: ResultView, names: Sequence[str], words: Words) -> list[str]:
    """Return texts with a line per pair, in the order of payment. ``names`` are the names at the seats.

    With many players, pairs are grouped by whichever player comes first in the order of payment, from that player's
    side. If the house rules net the results, there is a line per player instead. Pairs then follow only if a stack
    limited a payment, and the last text names that stack.
    """
    hand = view.hand
    assert hand is not None
    assert hand.score is not None
    if hand.variant.netted_results:
        texts = ["\n".join(_net_text(hand, hand.score, seat, names[seat], words) for seat in range(len(hand.seats)))]
        if is_limited(view):
            texts.append("\n".join(short_pair(view, pair, names, words) for pair in view.pairs))
    elif len(hand.seats) <= MAX_UNGROUPED:
        texts = ["\n".join(_pair(view, hand.score, pair, names, words) for pair in view.pairs)]
    else:
        texts = _groups(view, hand, hand.score, names, words)
    return [*texts, why_limited(view, names, words)] if is_limited(view) else texts


def short_pair(view: ResultView, pair: PaidPair, names: Sequence[str], words: Words) -> str:
    """Return ``Bob wins 1,600 of 2,400 chips from Alice (+8)``, or ``Bob wins 8 points from Alice`` without chips."""
    players, points = {"first": names[pair.winner], "second": names[pair.loser]}, points_of(view, pair)
    if not points:
        return words("result.pair_even", **players)
    if chips := chips_of(pair, words):
        return words("result.pair_chips", **players, chips=chips, points=words.signed(points))
    return words("result.pair_points", **players, count=points)


def chips_of(pair: PaidPair, words: Words, *, sign: int = 0) -> str:
    """Return ``80 chips``, or the part that was paid; empty if none were owed.

    ``sign`` (+1 or -1) adds a sign.
    """
    if not pair.owed:
        return ""
    chips = words.signed(sign * pair.chips) if sign else words.number(pair.chips)
    if pair.chips == pair.owed:
        return words("result.paid", chips=chips, count=pair.chips)
    return words("result.paid_of", chips=chips, owed=words.number(pair.owed), count=pair.owed)


def points_of(view: ResultView, pair: PaidPair) -> int:
    """Return the points of a pair from the winner's side."""
    return abs(_score(view, pair).points)


def is_limited(view: ResultView) -> bool:
    """True if a stack was too short to pay in full."""
    return any(pair.chips != pair.owed for pair in view.pairs)


def why_limited(view: ResultView, names: Sequence[str], words: Words) -> str:
    """Return a text naming the players whose wins or losses were limited by a stack, and that stack."""
    told = [_limit(pair, pair.limit, names, words) for pair in view.pairs if pair.limit is not None]
    sentences = list(dict.fromkeys(told)) or [words("result.limit.unknown")]
    if len(view.pairs) > 1:
        sentences.append(words("result.limit.order"))
    return f"-# {words.side_by_side(sentences)}"


def _limit(pair: PaidPair, limit: Limit, names: Sequence[str], words: Words) -> str:
    winner, loser = names[pair.winner], names[pair.loser]
    match limit:
        case Limit.LOSS:
            return words("result.limit.loss", player=loser, count=pair.stack)
        case Limit.WIN:
            return words("result.limit.win", player=winner, count=pair.stack)
        case Limit.PAIR:
            return words("result.limit.pair", player=winner, other=loser, count=pair.stack)
        case Limit.BUST:
            return words("result.limit.bust", player=winner)


def _score(view: ResultView, pair: PaidPair) -> PairScore:
    assert view.hand is not None
    assert view.hand.score is not None
    return next(score for score in view.hand.score.pairs if {*score[:2]} == {pair.winner, pair.loser})


def _pair(view: ResultView, score: HandScore, pair: PaidPair, names: Sequence[str], words: Words) -> str:
    """Return ``Bob wins 90 chips from Alice (+9): front +1, middle +1, back −1, royalties 8–0``."""
    parts = _parts(view, score.boards, _score(view, pair).seen_by(pair.winner), words, short=False)
    return words("result.pair_parts", pair=short_pair(view, pair, names, words), parts=parts)


def _groups(view: ResultView, hand: HandView, score: HandScore, names: Sequence[str], words: Words) -> list[str]:
    """Group the pairs by whichever player comes first in the order of payment, from that player's side."""
    count = len(hand.seats)

    def first(pair: PaidPair) -> int:
        return min((pair.winner, pair.loser), key=lambda seat: (seat - hand.button - 1) % count)

    groups = []
    for seat, pairs in groupby(view.pairs, key=first):
        lines = [words("result.of_group", player=names[seat])]
        lines += [_group_text(view, score, seat, pair, names, words) for pair in pairs]
        groups.append("\n".join(lines))
    return groups


def _group_text(
    view: ResultView, score: HandScore, seat: int, pair: PaidPair, names: Sequence[str], words: Words
) -> str:
    """Return ``+90 chips (+9) from Alice: front +1, ...`` or ``−90 chips (−9) to Alice: ...``."""
    scored = _score(view, pair).seen_by(seat)
    told = {"other": names[scored.second], "parts": _parts(view, score.boards, scored, words, short=True)}
    if not scored.points:
        return words("result.of_group_even", **told)
    chips, points = chips_of(pair, words, sign=1 if seat == pair.winner else -1), words.signed(scored.points)
    if chips:
        amount = words("result.of_group_amount", chips=chips, points=points)
    else:
        amount = words("result.points_alone", points=points, count=abs(scored.points))
    return words("result.of_group_from" if scored.points > 0 else "result.of_group_to", **told, amount=amount)


def _parts(view: ResultView, boards: Sequence[BoardScore], pair: PairScore, words: Words, *, short: bool) -> str:
    """Return the parts of a pair's points, from its first player's side."""
    special = special_reason(boards[pair.first], boards[pair.second], pair, words)
    return special or _ordinary(view, boards, pair, words, short=short)


def special_reason(first: BoardScore, second: BoardScore, pair: PairScore, words: Words) -> str:
    """Return the reason that a pair's rows don't count; empty if they do."""
    if first.surrendered or second.surrendered:
        both = first.surrendered and second.surrendered
        key = "both_surrendered" if both else "surrender_pays"
    elif first.natural or second.natural:
        key = "equal_naturals" if first.natural == second.natural else "natural_pays"
    else:
        return words("result.both_fouled") if first.foul and second.foul else ""
    return words(f"result.{key}", **({"points": words.signed(pair.natural)} if key.endswith("pays") else {}))


def _ordinary(view: ResultView, boards: Sequence[BoardScore], pair: PairScore, words: Words, *, short: bool) -> str:
    """Return the points of each row, the bonuses, and both players' royalties."""
    label = "board.mark" if short else "row"
    told = [
        words("result.row", row=words(f"{label}.{row.key}"), points=words.signed(points))
        for row, points in zip(ROWS, pair.row_points, strict=True)
    ]
    more = bonuses(view.record.variant, pair)._asdict()
    told += [words(f"result.{key}", points=words.signed(points)) for key, points in more.items() if points]
    first, second = boards[pair.first].royalties, boards[pair.second].royalties
    if first or second:
        told.append(words("board.royalties", first=first, second=second))
    return words.language.joint.join(told)


def _net_text(hand: HandView, score: HandScore, seat: int, player: str, words: Words) -> str:
    """Return ``A: back +2, middle 0, front −1, scoop +3 = +4``, a player's result against all the others together."""
    parts: Counter[str] = Counter()
    rows: Counter[Row] = Counter()
    for pair in score.pairs:
        side = (pair.first == seat) - (pair.second == seat)
        parts.update({key: side * points for key, points in bonuses(hand.variant, pair)._asdict().items()})
        parts["royalties"] += side * pair.royalties
        surrender = score.boards[pair.first].surrendered or score.boards[pair.second].surrendered
        parts["surrender_pays" if surrender else "natural_pays"] += side * pair.natural
        rows.update({row: side * points for row, points in zip(ROWS, pair.row_points, strict=True)})
    told = [words("result.row", row=words(f"row.{r.key}"), points=words.signed(rows[r])) for r in reversed(ROWS)]
    told += [words(f"result.{key}", points=words.signed(points)) for key, points in parts.items() if points]
    parts_told = words.language.joint.join(told)
    return words("result.netted", player=player, parts=parts_told, points=words.signed(score.points[seat]))


PICTURE = "result.png"
_NAME = "\x00"
"""Placeholder for a name."""
MAX_BOARDS = 4
"""Maximum number of boards in a picture after each hand. With more, picture and description get too long."""


def scored(view: ResultView) -> bool:
    """True for a result with boards to show."""
    return view.record.state is HandState.SETTLED and view.hand is not None and view.hand.score is not None


def can_draw(view: ResultView) -> bool:
    """True if a picture of the boards needs no further text.

    That is so if it has few boards, all of them full, without jokers, naturals or open discards.
    """
    if not scored(view):
        return False
    assert view.hand is not None
    assert view.hand.score is not None
    seats, boards = view.hand.seats, view.hand.score.boards
    plain = all(board.rows is not None and board.natural is None and not board.surrendered for board in boards)
    return plain and len(seats) <= MAX_BOARDS and all(map(_plain, seats)) and not view.record.variant.open_discards


def _plain(seat: SeatView) -> bool:
    return shows_all(seat) and not any(has_joker(tuple(card for card in row if card is not None)) for row in seat.rows)


def result_picture(view: ResultView, names: DisplayNames, words: Words) -> bytes:
    """Draw the boards as a PNG. Run it in an executor."""
    boards = [drawn_board(view, number, names, words) for number in _order(view)]
    called = _names(view, names, words)
    return draw_result(boards, [_drawn_pair(view, pair, called, words) for pair in _told_pairs(view)])


def describe_picture(view: ResultView, names: DisplayNames, words: Words) -> str:
    """Return the picture's description for screen readers, without formatting. Cards are left out if they don't fit."""
    called = _names(view, names, words)
    pairs = [_pair_in_words(view, pair, called, words) for pair in _told_pairs(view)]
    for cards in (True, False) if len(called) <= MAX_BOARDS else (False,):
        boards = [told_board(view, number, names, words, cards=cards) for number in _order(view)]
        told = words("board.picture", hand=view.record.hand_no, boards=words.side_by_side([*boards, *pairs]))
        if len(told) <= MAX_DESCRIPTION_LENGTH:
            break
    return told


def _told_pairs(view: ResultView) -> Sequence[PaidPair]:
    """Return the pairs if they say more than the points in the picture and the totals above it; otherwise none."""
    return view.pairs if len(view.pairs) > 1 or is_limited(view) else ()


def _drawn_pair(view: ResultView, pair: PaidPair, names: Sequence[str], words: Words) -> DrawnPair:
    points = points_of(view, pair)
    # Long names are truncated, so the picture needs the words between and after the names separately.
    sentence = words("board.wins_from" if points else "board.even_with", first=_NAME, second=_NAME)
    _, between, end = map(str.strip, sentence.split(_NAME))
    return DrawnPair(
        winner=names[pair.winner],
        between=between,
        loser=names[pair.loser],
        end=end,
        points=words.signed(points),
        chips=chips_of(pair, words),
    )


def _pair_in_words(view: ResultView, pair: PaidPair, names: Sequence[str], words: Words) -> str:
    """Return ``Bob wins 1,600 of 2,400 chips from Alice (+8).``"""
    return words("board.pair_end", pair=short_pair(view, pair, names, words))


def _names(view: ResultView, names: DisplayNames, words: Words) -> list[str]:
    """Return the names of the seats, with the seat's number for an unknown name."""
    assert view.hand is not None
    seats = view.hand.seats
    drawn = picture_names(names, view.table.key.guild, [seat.player for seat in seats], words)
    return [drawn[seat.player] or words("board.somebody", number=number) for number, seat in enumerate(seats, start=1)]


def _order(view: ResultView) -> list[int]:
    """Return the seats, the winner first."""
    assert view.hand is not None
    assert view.hand.score is not None
    points = view.hand.score.points
    return sorted(range(len(points)), key=lambda number: -points[number])


def drawn_board(view: ResultView, number: int, names: DisplayNames, words: Words) -> DrawnBoard:
    """Return a settled hand's board in the form that the picture needs."""
    assert view.hand is not None
    assert view.hand.score is not None
    points = view.hand.score.points[number]
    front, middle, back = (
        DrawnRow(
            letter=words(f"board.mark.{row.key}"),
            cards=tuple(card_name(card) for card in cards if card is not None),
            hand=drawn_hand(scored, words) if scored else "",
            royalty=words.signed(scored.royalty) if scored and scored.royalty else "",
        )
        for row, cards, scored in zip(ROWS, _rows(view, number), _row_scores(view, number), strict=True)
    )
    return DrawnBoard(
        name=_names(view, names, words)[number],
        note=_note(view, number, words),
        points=words.signed(points),
        won=points >= 0,
        rows=(front, middle, back),
    )


def drawn_hand(scored: RowScore, words: Words) -> str:
    """Return the hand of a row, shortened if its full name doesn't fit next to the cards."""
    match scored.category:
        case Category.STRAIGHT_FLUSH:
            return category_name(scored.category, words)
        case Category.FULL_HOUSE:
            ranks = {"ranks": top_rank(scored.strength), "others": second_rank(scored.strength)}
            return words("hand.full_house_drawn", **{name: words(f"ranks.{rank}") for name, rank in ranks.items()})
        case _:
            return hand_text(scored.strength, words)


def _note(view: ResultView, number: int, words: Words) -> str:
    """Return a note on the whole board, if the rows don't make it obvious; usually empty."""
    assert view.hand is not None
    assert view.hand.score is not None
    board = view.hand.score.boards[number]
    if board.surrendered:
        return words("result.surrendered")
    if board.natural is not None:
        return natural_name(board.natural, words)
    seat, streets = view.hand.seats[number], len(view.hand.variant.streets)
    notes = {"foul": board.foul, "auto": seat.untouched(streets)}
    return words.facts(words(f"board.note_{note}") for note, holds in notes.items() if holds)


def told_board(view: ResultView, number: int, names: DisplayNames, words: Words, *, cards: bool) -> str:
    """Return a board as a sentence; without ``cards``, only the hands of its rows."""
    drawn = drawn_board(view, number, names, words)
    rows = [
        _told_row(row, placed if cards else (), shown, words)
        for row, placed, shown in zip(ROWS, _rows(view, number), drawn.rows, strict=True)
    ]
    player = words("board.called", player=drawn.name, what=drawn.note) if drawn.note else drawn.name
    return words("board.told", player=player, points=drawn.points, rows=words.list(rows))


def _told_row(row: Row, cards: Facing, shown: DrawnRow, words: Words) -> str:
    """Return ``front Q♠ Q♥ 4♣ (pair of queens +7)``; without cards, only the hand."""
    hand = " ".join(filter(None, (shown.hand, shown.royalty)))
    if not cards:
        return words("board.row_hand", row=row_name(row, words), hand=hand)
    told = row_text(card for card in cards if card is not None)
    return words("board.row", row=row_name(row, words), cards=told, hand=hand)


def _rows(view: ResultView, number: int) -> Rows:
    assert view.hand is not None
    return seat_rows(view.hand.seats[number], view.record.variant)


def _row_scores(view: ResultView, number: int) -> Sequence[RowScore | None]:
    """Return the scores of the rows; None for each row of a surrendered board."""
    assert view.hand is not None
    assert view.hand.score is not None
    return view.hand.score.boards[number].rows or (None, None, None)
