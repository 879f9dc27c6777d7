"""The private message of a daily or weekly hand, and the result that a player can share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from discord import ButtonStyle
from typing_extensions import override

from bot.chat.kit.custom_ids import Press
from bot.chat.kit.faces import Faces
from bot.chat.kit.fragments import FOUL_COLOUR, RESULT_COLOUR, TABLE_COLOUR, TURN_COLOUR, daily_hand, moment, short_hash
from bot.chat.kit.widgets import Part, Screen, apart, button, button_rows, screen
from bot.chat.table.screens.boards import (
    Size,
    board_text,
    foul_reason,
    hand_labels,
    placement_text,
    seat_board,
    sorted_row,
)
from bot.chat.table.screens.placement_draft import PlacementPanel
from bot.chat.table.screens.placing import at_once_intro, at_once_parts, street_parts
from bot.model.daily import (
    CARD_POINTS,
    FANTASYLAND_POINTS,
    FOUL_POINTS,
    FREEZE_AFTER,
    MIN_FANTASYLAND_CARDS,
    ChallengeId,
    DailyOutcome,
    DailyPlace,
    Mark,
    Series,
    date_of,
    fantasyland_points,
)
from bot.model.ids import GuildId, TableId
from bot.play.daily.morning import DailyRanking
from bot.play.daily.views import AttemptView, DailyStanding, DayHand, SolvedHand, StreetComparison
from bot.pure.ofc.cards import Card
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import HandView
from bot.text.games import full_name
from bot.text.words import Words

VERB = "day_"
"""Prefix of its controls' verbs. The rest is the same as on every panel."""
SQUARES = {Mark.SAME_ROW: "🟩", Mark.OTHER_ROW: "🟨", Mark.DISCARDED: "🟥"}
STAR, FOULED = "⭐", "⛔"
MANY = 10
"""Minimum number of other players for a place to be given as a percentage."""
OUTSIDE = GuildId(0)
TODAY = ChallengeId(0)
"""Number that stands for today's hand. No hand has this number."""


@dataclass(frozen=True, kw_only=True)
class DailyPanel(PlacementPanel):
    """Panel of a daily or weekly hand in progress."""

    view: AttemptView

    @cached_property
    @override
    def hand(self) -> HandView:
        """The hand in progress."""
        assert self.view.hand is not None
        return self.view.hand

    @property
    @override
    def shown_as(self) -> str:
        """Name of the panel's hand, such as ``d7``."""
        return f"d{self.view.of.number}"

    @cached_property
    @override
    def press(self) -> Press:
        """The data that every control of this panel carries."""
        placement_draft = self.placement_draft
        return Press(
            verb="daily",
            table=TableId(0),
            hand=self.view.of.number,
            street=self.hand.street,
            draft=placement_draft.draft,
            chosen=placement_draft.next_card,
        )

    @override
    def control(self, verb: str, argument: str = "") -> str:
        """Return a control's custom id. The prefix distinguishes it from the table control of the same name."""
        return super().control(VERB + verb, argument)


def try_screen(view: AttemptView, words: Words, faces: Faces) -> Screen:
    """Draw a daily or weekly hand for its player. Raises Refused if it wasn't finished in time."""
    if view.standing is not None:
        return standing_screen(view, words, faces)
    if view.closed is not None:
        raise Refused(view.closed)
    if view.hand is None:
        return invitation_screen(view, words)
    return placing_screen(DailyPanel(view=view), words, faces)


def about(number: ChallengeId, verb: str) -> Press:
    """Return a press about a daily or weekly hand."""
    return Press(verb=VERB + verb, table=TableId(0), hand=number)


# before the hand


def invitation_screen(view: AttemptView, words: Words) -> Screen:
    """Draw a hand that the reader hasn't started, with its rules, how it's scored, and the hash of its deck."""
    hand = view.of
    parts = [
        f"### {day_title(hand, words)}\n{words(f'daily.about.{hand.series.value}')}\n{_closes(hand, words)}",
        f"{_points_rule(hand.game, words)}\n{words('daily.afterwards')}",
        "\n".join([_people(view.people, words), *_streak(view, words)]),
        words("daily.locked", hash=short_hash(hand.commitment)),
    ]
    play = button(about(hand.number, "begin"), words("daily.button.play"), style=ButtonStyle.success)
    return screen(
        *apart(parts), *button_rows([play, *_hand_buttons(view, words), _fingerprint(hand, words)]), colour=TABLE_COLOUR
    )


def _fingerprint(hand: DayHand, words: Words) -> Part:
    return button(about(hand.number, "print"), words("daily.button.fingerprint"))


def fingerprint_text(view: AttemptView, words: Words) -> str:
    """Return the full hash of the decks, for readers who want to verify them later."""
    lines = [words("daily.fingerprint.this", title=day_title(view.of, words), hash=view.of.commitment.hex())]
    if view.tomorrow is not None:
        lines.append(words("daily.fingerprint.next", hash=view.tomorrow.hex()))
    return "\n".join([*lines, f"-# {words('daily.fingerprint.keep')}"])


def _people(count: int, words: Words) -> str:
    return words("daily.people", count=count) if count else words("daily.nobody")


def _closes(hand: DayHand, words: Words) -> str:
    return words("daily.closes", until=moment(hand.ends_at))


def day_title(hand: DayHand, words: Words) -> str:
    """Return a title such as ``Daily hand``, followed by the game if it varies from hand to hand."""
    named = words(f"daily.title.{hand.series.value}")
    return named if hand.series is Series.DAILY else words.facts([named, full_name(hand.game, words)])


def dated_title(hand: DayHand, words: Words) -> str:
    """Return a title with the date, such as ``Daily hand · 2026-11-22``, for messages that are also read later."""
    return words.facts([day_title(hand, words), date_of(hand.day).isoformat()])


def _points_rule(game: Variant, words: Words) -> str:
    """Return the scoring rule for ``game``."""
    if game.at_once:
        return words("daily.points.against", count=game.max_seats - 1)
    numbers = game.fantasyland.numbers if game.fantasyland else ()
    rule = {"fantasyland": words.signed(FANTASYLAND_POINTS), "foul": words.signed(FOUL_POINTS)}
    if numbers == (MIN_FANTASYLAND_CARDS,):
        return words("daily.points.alone", **rule)
    return words("daily.points.by_cards", least=MIN_FANTASYLAND_CARDS, more=words.signed(CARD_POINTS), **rule)


def _streak(view: AttemptView, words: Words) -> list[str]:
    if view.of.series is not Series.DAILY or not view.streak:
        return []
    freeze = words("daily.freeze") if view.freeze else words("daily.no_freeze", count=FREEZE_AFTER)
    return [words.facts([words("daily.streak", count=view.streak), freeze])]


def _hand_buttons(view: AttemptView, words: Words) -> list[Part]:
    """Return the buttons for today's other hands, and for the previous hand with its cards."""
    ways = [
        button(about(other.number, "show"), words(f"daily.button.{other.series.value}"), style=ButtonStyle.primary)
        for other in view.beside
    ]
    if view.previous is not None:
        ways.append(button(about(view.previous, "solved"), words(f"daily.button.before_{view.of.series.value}")))
    return ways


# during the hand


def placing_screen(panel: DailyPanel, words: Words, faces: Faces) -> Screen:
    """Draw the hand with its draft."""
    hand, streets = panel.view.of, len(panel.hand.variant.streets)
    until = moment(hand.ends_at)
    told = words("daily.street", street=panel.hand.street, streets=streets, until=until)
    head = f"**{day_title(hand, words)}**\n-# {told}\n-# {words('daily.unfinished')}"
    colour = FOUL_COLOUR if panel.fouls else TURN_COLOUR
    if panel.by_select:
        intro = at_once_intro(panel, words)
        return screen(f"{head}\n{intro}", *at_once_parts(panel, words, faces, mine=True), colour=colour)
    return screen(head, *street_parts(panel, words, faces, mine=True), colour=colour)


# the result


def standing_screen(view: AttemptView, words: Words, faces: Faces) -> Screen:
    """Draw the result, compared with a master's and with all other players."""
    standing, hand = view.standing, view.of
    assert standing is not None
    named = day_title(hand, words) if view.closed is None else dated_title(hand, words)
    parts = [
        f"### {named}\n{_points_line(standing, hand.game, words)}\n{place_line(standing.place, words)}",
        _board(standing.mine, hand.game, words, faces, size=Size.LARGE),
        master_board(standing.master, hand.game, words, faces),
        grid_text(standing, words) if words.heard else f"{grid_text(standing, words)}\n{words('daily.legend')}",
        *_opponents(view, words, faces),
        "\n".join([*_streak(view, words), *_tomorrow(view, words)]),
    ]
    parts = [part for part in parts if part]
    ways = [
        _share(hand, words),
        *_review(standing, hand, words),
        *_hand_buttons(view, words),
        _fingerprint(hand, words),
    ]
    return screen(*apart(parts), *button_rows(ways), colour=RESULT_COLOUR)


def _share(hand: DayHand, words: Words) -> Part:
    return button(about(hand.number, "share"), words("daily.button.share"), style=ButtonStyle.primary)


def _review(standing: DailyStanding, hand: DayHand, words: Words) -> list[Part]:
    """Return the button to compare both boards street by street.

    Empty if all cards were set together, because the result shows both boards already.
    """
    if len(standing.streets) == 1:
        return []
    return [button(about(hand.number, "review"), words("review.button_label"))]


def compared_screen(view: AttemptView, words: Words, faces: Faces) -> Screen:
    """Draw the reader's placements next to a master's, street by street. The reader has already seen these cards."""
    standing, hand = view.standing, view.of
    assert standing is not None
    parts = [
        f"### {words('daily.review.title')}\n{dated_title(hand, words)}",
        *(_both(number, street, words, faces) for number, street in enumerate(standing.streets, 1)),
        f"-# {words('daily.review.apart')}",
    ]
    back = button(about(hand.number, "show"), words("daily.review.back"))
    return screen(*apart(parts), *button_rows([_share(hand, words), back]), colour=RESULT_COLOUR)


def _both(number: int, street: StreetComparison, words: Words, faces: Faces) -> str:
    """Return one street's placed cards, shown once if the reader and the master placed them alike."""
    mine, master = (placement_text(street.cards, letters, words, faces) for letters in (street.mine, street.master))
    named = f"**{words('review.street', street=number)}**"
    if mine == master:
        return f"{words.facts([named, words('review.same')])}\n{mine}"
    return f"{named}\n{words('daily.review.mine', places=mine)}\n{words('daily.review.master', places=master)}"


def _opponents(view: AttemptView, words: Words, faces: Faces) -> list[str]:
    """Return the boards of the masters at the table; empty if the player played on their own."""
    hand = view.hand
    if hand is None or hand.score is None or len(hand.seats) == 1:
        return []
    boards = []
    for number, (seat, points) in enumerate(zip(hand.seats[1:], hand.score.points[1:], strict=True), 1):
        head = words("daily.opponent", number=number, points=words.signed(points), count=abs(points))
        boards.append(f"{head}\n{seat_board(seat, hand.variant, words, faces, size=Size.TIGHT)}")
    return boards


def _points(outcome: DailyOutcome, words: Words) -> dict[str, str | int]:
    """Return the values for a sentence about points, such as ``+19 points``."""
    return {"points": words.signed(outcome.points), "count": abs(outcome.points)}


def _points_line(standing: DailyStanding, game: Variant, words: Words) -> str:
    """Return a line such as ``+19 points · royalties +9 · Fantasyland +10``."""
    mine, total = standing.mine, words("daily.total", **_points(standing.mine, words))
    if mine.foul:
        return words.facts([f"**{total}**", _foul(mine, game, words)])
    gained = []
    if mine.royalties:
        gained.append(words("daily.royalties", points=words.signed(mine.royalties)))
    if mine.fantasyland:
        gained.append(words("daily.fantasyland", points=words.signed(fantasyland_points(mine.fantasyland))))
    return words.facts([f"**{total}**", *gained])


def place_line(place: DailyPlace | None, words: Words) -> str:
    """Return the line with the player's place, as a percentage among many players or a count among few."""
    if place is None:
        return words("daily.first")
    counted = {"count": place.others}
    if place.others >= MANY:
        return words("daily.place.many", share=words.percent(place.share), **counted)
    if place.beaten == place.others:
        return words("daily.place.all", **counted)
    if place.beaten:
        return words("daily.place.some", beaten=place.beaten, **counted)
    if place.equal == place.others:
        return words("daily.place.all_equal", **counted)
    if place.equal:
        return words("daily.place.some_equal", equal=place.equal, **counted)
    return words("daily.place.none", **counted)


def _beaten(place: DailyPlace, words: Words) -> str:
    """Return the share of players beaten, for everyone to read. Call it only if any were beaten."""
    if place.others >= MANY:
        return words("daily.share_place", share=words.percent(place.share))
    return words("daily.share_few", beaten=place.beaten, count=place.others)


def _tomorrow(view: AttemptView, words: Words) -> list[str]:
    if view.of.series is not Series.DAILY:
        return []
    opens = words("daily.next", when=moment(view.of.ends_at))
    return [opens] if view.tomorrow is None else [opens, words("daily.next_locked", hash=short_hash(view.tomorrow))]


def _foul(outcome: DailyOutcome, game: Variant, words: Words) -> str:
    return words("daily.foul_because", why=foul_reason(game, outcome.rows, words))


def headed_board(title: str, outcome: DailyOutcome, game: Variant, words: Words, faces: Faces) -> str:
    """Return a small board below its result."""
    head = words.facts([f"**{title}**", _foul(outcome, game, words) if outcome.foul else ""])
    return f"{head}\n{_board(outcome, game, words, faces, size=Size.SMALL)}"


def master_board(outcome: DailyOutcome, game: Variant, words: Words, faces: Faces) -> str:
    """Return a master's board for the cards that all players were dealt."""
    return headed_board(words("daily.of_master", **_points(outcome, words)), outcome, game, words, faces)


def _board(outcome: DailyOutcome, game: Variant, words: Words, faces: Faces, *, size: Size) -> str:
    front, middle, back = (sorted_row(cards) for cards in outcome.rows)
    return board_text((front, middle, back), hand_labels((front, middle, back), game, words), words, faces, size=size)


# sharing


def grid_text(standing: DailyStanding, words: Words) -> str:
    """Return the board as squares that don't reveal cards. For screen readers, return the number of each kind."""
    if words.heard:
        return _grid_heard(standing, words)
    front, *others = ("".join(SQUARES[mark] for mark in row) for row in standing.grid)
    sign = FOULED if standing.mine.foul else STAR if standing.mine.fantasyland else ""
    return "\n".join([front + sign, *others])


def _grid_heard(standing: DailyStanding, words: Words) -> str:
    counts = Counter(mark for row in standing.grid for mark in row)
    keys = {Mark.SAME_ROW: "same_row", Mark.OTHER_ROW: "other_row", Mark.DISCARDED: "discarded_there"}
    return words.list([words(f"aloud.{key}", count=counts[mark]) for mark, key in keys.items() if counts[mark]])


def shared_lines(view: AttemptView, words: Words) -> list[str]:
    """Return the lines of a shared result, for everyone to read."""
    standing = view.standing
    assert standing is not None
    facts = [words("daily.total", **_points(standing.mine, words))]
    if standing.mine.foul:
        facts.append(words("daily.foul"))
    facts.append(words("daily.master_had", **_points(standing.master, words)))
    if standing.place is not None and standing.place.share:
        facts.append(_beaten(standing.place, words))
    lines = [dated_title(view.of, words), grid_text(standing, words), words.facts(facts)]
    if view.of.series is Series.DAILY and view.streak > 1:
        lines.append(words("daily.streak", count=view.streak))
    return lines


def shared_screen(view: AttemptView, name: str, words: Words) -> Screen:
    """Draw a shared result for the channel, with a button to play the hand."""
    first, *rest = shared_lines(view, words)
    told = "\n".join([words.facts([f"**{name}**", first]), *rest])
    return screen(told, *button_rows([daily_hand(words)]), colour=RESULT_COLOUR)


def copied_text(view: AttemptView, words: Words) -> str:
    """Return a shared result to copy, for channels where the bot can't post."""
    lines = "\n".join(shared_lines(view, words))
    return f"{words('daily.copy')}\n```\n{lines}\n```"


# after its day


def solved_screen(
    solved: SolvedHand, words: Words, faces: Faces, *, here: DailyRanking | None = None, guild: GuildId = OUTSIDE
) -> Screen:
    """Draw a finished hand street by street, with its cards and a master's play, and a button for its record.

    ``here`` is the server's ranking, whose best board is shown too.
    """
    hand = solved.of
    parts = [
        f"### {words('daily.solution')}\n{dated_title(hand, words)}",
        *_streets(solved.streets, words, faces),
        master_board(solved.master, hand.game, words, faces),
        *([] if here is None or here.best.foul else [_best_here(here, guild, words, faces)]),
        "\n".join(_field(solved, words)),
        words("daily.revealed", hash=short_hash(hand.commitment)),
    ]
    today = button(about(TODAY, "show"), words("daily.button.today"), style=ButtonStyle.success)
    record = button(about(hand.number, "record"), words("daily.button.record"))
    return screen(*apart(parts), *button_rows([today, record]), colour=TABLE_COLOUR)


def _best_here(here: DailyRanking, guild: GuildId, words: Words, faces: Faces) -> str:
    _, first, _ = here.lines[0]
    # The line is already bold.
    best = words("morning.best", player=faces.names.of(guild, first, words).replace("**", ""))
    return headed_board(best, here.best, here.of.game, words, faces)


def _streets(streets: Sequence[tuple[tuple[Card, ...], str]], words: Words, faces: Faces) -> list[str]:
    """Return a master's placements per street; empty if all cards were set together."""
    if len(streets) == 1:
        return []
    lines = [_street(number, cards, letters, words, faces) for number, (cards, letters) in enumerate(streets, 1)]
    return ["\n".join(lines)]


def _street(number: int, cards: tuple[Card, ...], letters: str, words: Words, faces: Faces) -> str:
    return f"**{number}.** {placement_text(cards, letters, words, faces)}"


def _field(solved: SolvedHand, words: Words) -> list[str]:
    """Return lines on the results of all players and of the reader."""
    lines = [_people(solved.people, words)]
    if solved.best is not None:
        lines.append(words("daily.best", points=words.signed(solved.best), count=abs(solved.best)))
    if solved.mine is not None:
        lines.append(words("daily.yours", **_points(solved.mine, words)))
    return lines
