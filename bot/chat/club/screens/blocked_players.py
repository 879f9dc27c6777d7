"""A player's list of blocked players, with buttons to unblock them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from bot.chat.kit.custom_ids import Press, short_id
from bot.chat.kit.fragments import QUIET_COLOUR
from bot.chat.kit.widgets import Part, Screen, button, button_rows, screen, section, user_select
from bot.model.ids import Player, TableId
from bot.text.words import Words

PLAYERS_PER_PAGE = 8
"""Maximum number of players per page. Each takes three of a message's 40 components."""
HERE = Press(verb="apart", table=TableId(0))


def on_page(refused: Sequence[Player], page: int) -> Sequence[Player]:
    """Return the players on a page. Any number past the end means the last page."""
    page = min(page, _last_page(refused))
    return refused[page * PLAYERS_PER_PAGE : (page + 1) * PLAYERS_PER_PAGE]


def _last_page(refused: Sequence[Player]) -> int:
    return max(0, -(-len(refused) // PLAYERS_PER_PAGE) - 1)


def apart_screen(
    refused: Sequence[Player], words: Words, *, called: Callable[[Player], str], page: int = 0, notice: str = ""
) -> Screen:
    """Draw the list with a button for each player.

    ``called`` returns a player's name, and ``notice`` confirms the last action.
    """
    last_page, shown = _last_page(refused), on_page(refused, page)
    page = min(page, last_page)
    parts: list[str | Part] = [notice] if notice else []
    parts.append(f"### {words('apart.title')}\n{words('apart.hint')}")
    parts += [_line(player, called(player), words, page=page) for player in shown] or [words("apart.nobody")]
    parts.append(user_select(HERE.but("apart_add"), placeholder=words("apart.choose")))
    return screen(*parts, *_page_buttons(page, last_page, words), colour=QUIET_COLOUR)


def _line(player: Player, name: str, words: Words, *, page: int) -> Part:
    press = replace(HERE.but("apart_allow", short_id(int(player))), hand=page)
    return section(name, button(press, words("apart.allow")))


def _page_buttons(page: int, last_page: int, words: Words) -> list[Part]:
    if not last_page:
        return []
    earlier, later = (replace(HERE, hand=max(0, page - 1)), replace(HERE, hand=page + 1, street=1))
    return button_rows(
        [
            button(earlier, words("apart.earlier"), disabled=page == 0),
            button(later, words("apart.later"), disabled=page == last_page),
        ]
    )
