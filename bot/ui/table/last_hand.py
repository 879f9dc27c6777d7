"""How the last hand went for one player: what the panel says until the next one is dealt."""

from __future__ import annotations

from bot.ofc.scoring import HandScore
from bot.play.views import TableView
from bot.text.words import Words


def last_hand(view: TableView, words: Words) -> list[str]:
    """``**Last hand: +13** · you scooped``; nothing where the hand has no score, or not for these eyes."""
    if view.hand is None or view.hand.score is None or view.hand.you is None:
        return []
    score, you = view.hand.score, view.hand.you
    lines = [words("board.last_hand", points=words.signed(score.points[you]))]
    if (how := _how(score, you)) is not None:
        lines[0] += f" · {words(how)}"
    if count := score.boards[you].next_fantasyland:
        lines.append(words("board.fantasyland_next", count=count))
    return ["\n".join(lines)]


def _how(score: HandScore, you: int) -> str | None:
    """What was special about it for this player."""
    if score.boards[you].foul:
        return "board.you_fouled"
    scoops = [
        pair.scoop if pair.first == you else -pair.scoop for pair in score.pairs if you in (pair.first, pair.second)
    ]
    if all(scoop > 0 for scoop in scoops):
        return "board.you_scooped"
    return "board.you_were_scooped" if all(scoop < 0 for scoop in scoops) else None
