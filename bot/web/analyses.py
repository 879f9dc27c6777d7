"""Analyses on the page: positions that are assembled there, and their best placements.

The page holds the position. The bot tells what it lacks, and analyses it as ``/analyse`` does, with the same limits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import accumulate

from bot.chat.kit.game_choice import find_game, game_sent, games_named
from bot.chat.kit.gate import Gate
from bot.chat.kit.page_request import PageRequest
from bot.chat.table.screens.boards import hand_labels
from bot.chat.trainer.screens.analysis import error_text, lead_text
from bot.chat.trainer.screens.answer import percent_text
from bot.chat.trainer.screens.position_form import plain as plain_position
from bot.chat.trainer.screens.position_form import slip_text
from bot.model.choices import MemberSettings
from bot.model.ids import TableKey
from bot.model.puzzles import NO_PUZZLE, PuzzleName
from bot.model.refusals import Stale
from bot.play.api.play import Play
from bot.play.trainer.use_cases import Trainer
from bot.play.trainer.views import AnalysisView
from bot.pure.ofc.cards import Card, RowCards
from bot.pure.ofc.placement import place
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.variants import Variant, VariantError
from bot.pure.trainer.analysis import AnalysedPlacement
from bot.pure.trainer.position import (
    Position,
    PositionError,
    Slip,
    check_position,
    parse_position,
    read_position,
)
from bot.text.games import full_name
from bot.text.words import Words
from bot.web.drawing import codes, row_names_of
from bot.web.intents import unless_late
from bot.web.messages import (
    Analysed,
    AnalysedShown,
    AnalysisChoices,
    AnalysisGame,
    Assemble,
    Assembled,
    BoardAssembled,
    Cells,
    Found,
    Intent,
    PositionAssembled,
    Read,
)
from bot.web.reader_text import ReaderText

VERBS = frozenset({"analyse", "analyse_deeper"})
"""Intents about positions."""
_LABELS = "analysis.page.label."


class PageAnalyses:
    """Checks the positions of pages, and has them analysed."""

    def __init__(self, trainer: Trainer, play: Play, gate: Gate) -> None:
        self._trainer = trainer
        self._play = play
        self._gate = gate

    async def read(
        self,
        asked: PageRequest,
        read: Read,
        found: Callable[[Found], None],
        *,
        puzzle: PuzzleName = NO_PUZZLE,
        table: TableKey | None = None,
    ) -> None:
        """Send the games and the labels. The page begins with the game of the ``puzzle`` or the ``table`` it shows."""

        async def body() -> None:
            words = asked.words
            named = await games_named(self._play, asked.guild, words)
            games = tuple(_game(one.value, words) for one in named)
            here = await self._game_here(asked, puzzle, table)
            offered = here is not None and any(one.game == game_sent(here) for one in games)
            choices = AnalysisChoices(
                games=games,
                game=game_sent(here if here and offered else await self._play.default_game(asked.guild)),
                labels=_labels(words),
            )
            found(Found(id=read.id, what="analysis", analysis=choices))

        await self._gate.ask(asked, partial(unless_late, asked, body), verb="analysis")

    async def _game_here(self, asked: PageRequest, puzzle: PuzzleName, table: TableKey | None) -> Variant | None:
        """Return the game that the page shows; None if it shows none."""
        with suppress(Refused, Stale):
            if puzzle:
                return (await self._trainer.look(asked.player, puzzle)).variant
            if table is not None:
                return (await self._play.look(table)).table.terms.variant
        return None

    async def check(self, asked: PageRequest, message: Assemble, show: Callable[[Assembled], None]) -> None:
        """Send a sentence about the cards that a position lacks."""

        async def body() -> None:
            game = await self._find_game(asked, message.game)
            if game is not None:
                show(_checked(message, game, asked.words, asked.member_settings))

        await self._gate.ask(asked, body, verb="assemble")

    async def do(self, asked: PageRequest, intent: Intent) -> Analysed | None:
        """Analyse a position. Returns None if that was refused."""
        found: list[Analysed] = []

        async def body() -> None:
            game = await self._find_game(asked, intent.game)
            if game is None:
                return
            try:
                position = parse_position(plain_position(intent.position), game)
            except PositionError as error:
                await asked.refuse(_lack(error, game, asked.words))
                return
            deeper = intent.verb == "analyse_deeper"
            view = await self._trainer.analyse(asked.player, asked.guild, game, position, deeper=deeper)
            drawing = AnalysisDrawing(words=asked.words, member_settings=asked.member_settings)
            found.append(drawing.analysed(view, intent))

        await self._gate.ask(asked, body, verb=intent.verb)
        return found[0] if found else None

    async def _find_game(self, asked: PageRequest, name: str) -> Variant | None:
        """Return the game. If the server no longer has it, say so and return None."""
        try:
            return await find_game(self._play, asked.guild, name)
        except VariantError:
            await asked.refuse(asked.words("analysis.page.game_gone"))
            return None


# the games and labels


def _game(game: Variant, words: Words) -> AnalysisGame:
    return AnalysisGame(
        game=game_sent(game),
        label=full_name(game, words),
        row_names=row_names_of(words, strict=game.strict_rows),
        decks=game.decks,
        jokers=game.jokers,
        opponents=game.max_seats - 1,
        fantasyland=tuple(game.fantasyland.numbers) if game.fantasyland else (),
        discards=any(street.discard for street in game.streets),
        open_discards=game.open_discards,
    )


def _labels(words: Words) -> dict[str, str]:
    own = [key for key in words.entries if key.startswith(_LABELS)]
    blank = {key: {field: f"{{{field}}}" for field in words.entries[key].fields} for key in own}
    return {key.removeprefix(_LABELS): words(key, **blank[key]) for key in own}


# unfinished positions


def _checked(message: Assemble, game: Variant, words: Words, member_settings: MemberSettings) -> Assembled:
    position, ready = None, False
    try:
        position = read_position(plain_position(message.position))
        check_position(position, game)
        told, ready = words("analysis.page.ready"), True
    except PositionError as error:
        told = _lack(error, game, words)
    return Assembled(
        game=message.game,
        position=message.position,
        text="" if position is None else str(position),
        ready=ready,
        said=ReaderText(words=words, member_settings=member_settings).plain(told),
        read=None if position is None else _read(position),
    )


def _lack(error: PositionError, game: Variant, words: Words) -> str:
    """Return what to do about a mistake. While a position is assembled, most are missing cards."""
    details = error.details
    ends = [0, *accumulate(street.to_place for street in game.streets)]
    match error.slip:
        case Slip.HELD if details["given"] < details["count"]:
            return words("analysis.page.more", count=details["count"] - details["given"])
        case Slip.HELD:
            return words("analysis.page.fewer", count=details["count"])
        case Slip.BOARD:
            sizes = _sizes(ends[:-1], words)
            return words("analysis.page.board", count=details["count"], sizes=sizes)
        case Slip.OPPONENT_BOARD:
            street = details["street"]
            fitting = ends[street - 1 : street if game.together(street) else street + 1]
            sizes = _sizes(fitting, words)
            return words("analysis.page.opponent_board", count=details["count"], street=street, sizes=sizes)
        case _:
            return slip_text(error, game, words)


def _sizes(sizes: Sequence[int], words: Words) -> str:
    """Return the possible numbers of cards."""
    *front, last = (words("analysis.page.size", count=size) for size in sizes)
    return words("analysis.page.or", sizes=words.language.joint.join(front), last=last) if front else last


def _read(position: Position) -> PositionAssembled:
    return PositionAssembled(
        own=_board(position.rows, position.discards, position.fantasyland),
        held=codes(position.held),
        opponents=tuple(_board(one.rows, one.discards, one.fantasyland) for one in position.opponents),
    )


def _board(rows: RowCards, discards: tuple[Card, ...], fantasyland: int) -> BoardAssembled:
    front, middle, back = map(codes, rows)
    return BoardAssembled(rows=(front, middle, back), discards=codes(discards), fantasyland=fantasyland)


# the best placements


class AnalysisDrawing(ReaderText):
    """Draws analyses for one reader."""

    __slots__ = ()

    def analysed(self, view: AnalysisView, intent: Intent) -> Analysed:
        """Return the placements side by side."""
        words = self.words
        compared = len(view.placements) > 1
        heads = ("points", *(["behind"] if compared else []), "foul", "fantasyland", "royalties")
        told = [
            lead_text(view, words),
            words("analysis.page.deeper") if view.deeper else "",
            words("analysis.errors") if any(one.error for one in view.placements) else "",
            words("puzzle.answer.averages"),
        ]
        return Analysed(
            game=intent.game,
            position=intent.position,
            title=words("puzzle.page.placements"),
            numbers=tuple(
                words(f"analysis.page.{head}" if head == "behind" else f"puzzle.page.{head}") for head in heads
            ),
            placements=tuple(self._placement(view, at, compared=compared) for at in range(len(view.placements))),
            told=tuple(self.plain(text) for text in told if text),
            deeper=view.may_deepen,
        )

    def _placement(self, view: AnalysisView, at: int, *, compared: bool) -> AnalysedShown:
        words, placement = self.words, view.placements[at]
        facts = placement.facts
        rows, _ = place(view.position.rows, view.position.held, placement.letters)
        behind: Cells = (self._behind(placement, view.placements[0]),) if compared else ()
        return AnalysedShown(
            name=words("puzzle.answer.place", number=at + 1) if at else words("puzzle.answer.best"),
            letters=placement.letters,
            hands=self.three(hand_labels(rows, view.variant, words)),
            numbers=(
                words.signed_decimal(placement.value, decimals=1),
                *behind,
                percent_text(facts.foul, words),
                percent_text(facts.fantasyland, words),
                words.decimal(facts.royalties, decimals=1),
            ),
        )

    def _behind(self, placement: AnalysedPlacement, best: AnalysedPlacement) -> str:
        words = self.words
        if placement is best:
            return words("puzzle.page.unknown")
        points = words.decimal(best.value - placement.value, decimals=1)
        if not placement.error:
            return points
        return self.plain(words("analysis.page.difference", points=points, error=error_text(placement, words)))
