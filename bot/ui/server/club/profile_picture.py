"""A profile as a picture, with the same in words for those who hear it."""

from __future__ import annotations

from bot.art.board_picture import NamedRow
from bot.art.felt import drawable
from bot.art.profile import DrawnProfile, Plot, Tile
from bot.ofc.cards import ROWS, card_name
from bot.ofc.scoring import RowScore
from bot.play.look.profiles import Profile
from bot.text.names import badge_name, hand_text, row_name, row_text
from bot.text.words import Words
from bot.ui.server.club.profile import best_board, best_title, facts_of, form_of, form_told, games_of
from bot.ui.table.boards import seat_rows


def pictured(profile: Profile, name: str) -> bool:
    """True where there is something to draw, and the picture can name the player it shows."""
    return profile.total is not None and bool(drawable(name))


def drawn_on(profile: Profile, name: str, words: Words) -> DrawnProfile:
    """What stands on the picture."""
    return DrawnProfile(
        name=name,
        games=tuple(games_of(profile, words)),
        tiles=tuple(Tile(value=fact.value, label=fact.label) for fact in facts_of(profile, words)),
        plot=_plot(profile, words),
        best_title=best_title(profile, words),
        best=tuple(_rows(profile, words)),
        badges=tuple(badge_name(badge, words) for badge in profile.badges),
    )


def _plot(profile: Profile, words: Words) -> Plot | None:
    form = form_of(profile, words)
    if form is None:
        return None
    return Plot(title=form.title, points=tuple(profile.form), end=form.end, high=form.high, low=form.low)


def in_words(profile: Profile, name: str, words: Words) -> str:
    """The same in words, without marks: what a screen reader says."""
    told = [words("profile.told", label=fact.label, value=fact.value) for fact in facts_of(profile, words)]
    if form := form_of(profile, words):
        told.append(form_told(form, words, end=form.end))
    if rows := _told_rows(profile, words):
        told.append(words("profile.told", label=best_title(profile, words), value=words.list(rows)))
    if profile.badges:
        badges = words.list([badge_name(badge, words) for badge in profile.badges])
        told.append(words("profile.told", label=words("profile.badges"), value=badges))
    games, said = " · ".join(games_of(profile, words)), words("profile.stop").join(told)
    return words("profile.picture", player=name, games=games, told=said)


def _rows(profile: Profile, words: Words) -> list[NamedRow]:
    """The best board row by row; of a natural its cards alone, since its rows mean nothing."""
    found, view = best_board(profile), profile.best
    if found is None or view is None:
        return []
    seat, board = found
    scored = (None, None, None) if board.natural is not None or board.rows is None else board.rows
    return [
        NamedRow(
            name=row_name(row, words),
            cards=tuple(card_name(card) for card in cards if card is not None),
            hand=_hand(shown, words) if shown else "",
        )
        for row, cards, shown in zip(ROWS, seat_rows(seat, view.record.variant), scored, strict=True)
    ]


def _hand(scored: RowScore, words: Words) -> str:
    """``Pair of queens +7``."""
    royalty = words.signed(scored.royalty) if scored.royalty else ""
    return " ".join(filter(None, (hand_text(scored.strength, words), royalty)))


def _told_rows(profile: Profile, words: Words) -> list[str]:
    """``front Q♠ Q♥ 4♣ (pair of queens +7)``."""
    found, view = best_board(profile), profile.best
    if found is None or view is None:
        return []
    seat, _ = found
    cards = [row_text(card for card in row if card is not None) for row in seat_rows(seat, view.record.variant)]
    return [
        words("board.row", row=row.name, cards=told, hand=row.hand)
        for row, told in zip(_rows(profile, words), cards, strict=True)
    ]
