"""Each pair of a finished hand, with the numbers that add up to what they won, in points and in chips."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from bot.ofc.cards import ROWS, Row
from bot.ofc.scoring import BoardScore, HandScore, PairScore
from bot.ofc.settlement import Limit
from bot.ofc.view import HandView
from bot.play.look.views import ResultView
from bot.play.paid_pairs import PaidPair
from bot.text.words import Words

MOST_UNGROUPED = 4
"""Players whose pairs are told one by one, the winner first: six lines."""


def pair_lines(view: ResultView, names: Sequence[str], words: Words) -> list[str]:
    """Texts of lines, one for each pair, in the order in which they were paid; ``names`` are those of the seats.

    Many are told in groups, each below the name of the first to be paid with all that follow, and as that player sees
    them. Where the house nets them there is a line for each player instead, and the pairs only where a stack has
    limited one of them. The last text says what has.
    """
    hand = view.hand
    assert hand is not None
    assert hand.score is not None
    if hand.variant.netted_results:
        texts = ["\n".join(_netted(hand, hand.score, seat, names[seat], words) for seat in range(len(hand.seats)))]
        if limited(view):
            texts.append("\n".join(short_pair(view, pair, names, words) for pair in view.pairs))
    elif len(hand.seats) <= MOST_UNGROUPED:
        texts = ["\n".join(_pair(view, hand.score, pair, names, words) for pair in view.pairs)]
    else:
        texts = _groups(view, hand, hand.score, names, words)
    return [*texts, why_limited(view, names, words)] if limited(view) else texts


def short_pair(view: ResultView, pair: PaidPair, names: Sequence[str], words: Words) -> str:
    """``Bob ▸ Alice: +8 · 1,600 of 2,400 chips``, the winner first."""
    return words(
        "result.short_pair" if points_of(view, pair) else "result.short_pair_even",
        first=names[pair.winner],
        second=names[pair.loser],
        points=words.signed(points_of(view, pair)),
        chips=_behind(chips_of(pair, words)),
    )


def chips_of(pair: PaidPair, words: Words, *, sign: int = 0) -> str:
    """``80 chips``, or what was paid of them; nothing where none were owed. ``sign``: +1 or -1 where it is written."""
    if not pair.owed:
        return ""
    chips = words.signed(sign * pair.chips) if sign else words.number(pair.chips)
    if pair.chips == pair.owed:
        return words("result.paid", chips=chips, count=pair.chips)
    return words("result.paid_of", chips=chips, owed=words.number(pair.owed), count=pair.owed)


def points_of(view: ResultView, pair: PaidPair) -> int:
    """The points of a pair, as its winner sees them."""
    return abs(_score(view, pair).points)


def _behind(chips: str) -> str:
    return f" · {chips}" if chips else ""


def limited(view: ResultView) -> bool:
    """True where not all could be paid that the points ask for."""
    return any(pair.chips != pair.owed for pair in view.pairs)


def why_limited(view: ResultView, names: Sequence[str], words: Words) -> str:
    """Whose win or loss a stack has limited, and which stack it was."""
    told = [_limit(pair, pair.limit, names, words) for pair in view.pairs if pair.limit is not None]
    sentences = list(dict.fromkeys(told)) or [words("result.limit.unknown")]
    return f"-# {words.side_by_side([words('result.limit.order'), *sentences])}"


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
    """``Bob ▸ Alice: front +1, middle +1, back −1, royalties 8–0 = +9 · 90 chips``."""
    scored = _seen_by(pair.winner, _score(view, pair))
    return words(
        "result.pair" if scored.points else "result.pair_even",
        first=names[pair.winner],
        second=names[pair.loser],
        parts=_parts(view, score.boards, scored, words, short=False),
        points=words.signed(scored.points),
        chips=_behind(chips_of(pair, words)),
    )


def _groups(view: ResultView, hand: HandView, score: HandScore, names: Sequence[str], words: Words) -> list[str]:
    """The pairs below the name of the one of them who comes first in the order of payment, as that player sees them."""
    count = len(hand.seats)

    def first(pair: PaidPair) -> int:
        return min((pair.winner, pair.loser), key=lambda seat: (seat - hand.button - 1) % count)

    groups = []
    for seat, pairs in groupby(view.pairs, key=first):
        lines = [words("board.against", first=names[seat])]
        for pair in pairs:
            scored = _seen_by(seat, _score(view, pair))
            parts = _parts(view, score.boards, scored, words, short=True)
            chips = _behind(chips_of(pair, words, sign=1 if seat == pair.winner else -1))
            told = {"second": names[scored.second], "points": words.signed(scored.points)}
            lines.append(words("result.pair_of_group", **told, parts=parts, chips=chips))
        groups.append("\n".join(lines))
    return groups


def _seen_by(seat: int, pair: PairScore) -> PairScore:
    """A pair from the side of one of its two seats."""
    if pair.first == seat:
        return pair
    front, middle, back = pair.row_points
    rows = pair.rows
    return PairScore(
        first=pair.second,
        second=pair.first,
        rows=(-rows[0], -rows[1], -rows[2]),
        row_points=(-front, -middle, -back),
        scoop=-pair.scoop,
        bonus=-pair.bonus,
        royalties=-pair.royalties,
        natural=-pair.natural,
        points=-pair.points,
    )


def _parts(view: ResultView, boards: Sequence[BoardScore], pair: PairScore, words: Words, *, short: bool) -> str:
    """What the points of a pair are made of, as its first player sees it."""
    special = _special(boards[pair.first], boards[pair.second], pair, words)
    return special or _ordinary(view, boards, pair, words, short=short)


def _special(first: BoardScore, second: BoardScore, pair: PairScore, words: Words) -> str:
    """What a pair settles by where its rows do not count; empty where they do."""
    if first.surrendered or second.surrendered:
        both = first.surrendered and second.surrendered
        key = "both_surrendered" if both else "surrender_pays"
    elif first.natural or second.natural:
        key = "equal_naturals" if first.natural == second.natural else "natural_pays"
    else:
        return words("result.both_fouled") if first.foul and second.foul else ""
    return words(f"result.{key}", **({"points": words.signed(pair.natural)} if key.endswith("pays") else {}))


def _ordinary(view: ResultView, boards: Sequence[BoardScore], pair: PairScore, words: Words, *, short: bool) -> str:
    """The points of each row, the bonuses, and what royalties both have."""
    label = "board.mark" if short else "row"
    told = [
        words("result.row", row=words(f"{label}.{row.key}"), points=words.signed(points))
        for row, points in zip(ROWS, pair.row_points, strict=True)
    ]
    scoop = pair.scoop * view.record.variant.scoop_bonus
    more = {"scoop": scoop, "bonus": pair.bonus - scoop}
    told += [words(f"result.{key}", points=words.signed(points)) for key, points in more.items() if points]
    first, second = boards[pair.first].royalties, boards[pair.second].royalties
    if first or second:
        told.append(words("board.royalties", first=first, second=second))
    return words.language.joint.join(told)


def _netted(hand: HandView, score: HandScore, seat: int, player: str, words: Words) -> str:
    """``A: back +2, middle 0, front −1, scoop +3 = +4``: what a player won from all the others together."""
    parts: Counter[str] = Counter()
    rows: Counter[Row] = Counter()
    for pair in score.pairs:
        side = (pair.first == seat) - (pair.second == seat)
        scoop = pair.scoop * hand.variant.scoop_bonus
        parts.update({"scoop": side * scoop, "bonus": side * (pair.bonus - scoop), "royalties": side * pair.royalties})
        surrender = score.boards[pair.first].surrendered or score.boards[pair.second].surrendered
        parts["surrender_pays" if surrender else "natural_pays"] += side * pair.natural
        rows.update({row: side * points for row, points in zip(ROWS, pair.row_points, strict=True)})
    told = [words("result.row", row=words(f"row.{r.key}"), points=words.signed(rows[r])) for r in reversed(ROWS)]
    told += [words(f"result.{key}", points=words.signed(points)) for key, points in parts.items() if points]
    parts_told = words.language.joint.join(told)
    return words("result.netted", player=player, parts=parts_told, points=words.signed(score.points[seat]))
