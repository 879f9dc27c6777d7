"""A reader of hand history files, written from docs/notation.md only. It imports nothing from the bot."""

import json
import tomllib
from dataclasses import dataclass, field
from typing import Any

ROWS = "FMB"


@dataclass
class Player:
    """A player's cards and placements."""

    fantasyland: int
    held: list[str] = field(default_factory=list)
    rows: dict[str, list[str]] = field(default_factory=lambda: {row: [] for row in ROWS})
    discards: list[str] = field(default_factory=list)
    gave_up: bool = False

    def place(self, letters: str) -> None:
        """Put each card where its letter says."""
        if self.fantasyland:
            self.rows, self.discards = {row: [] for row in ROWS}, []
        assert len(letters) == len(self.held)
        for card, letter in zip(self.held, letters, strict=True):
            (self.discards if letter == "D" else self.rows[letter]).append(card)
        if not self.fantasyland:
            self.held = []


def parsed(text: str) -> dict[str, Any]:
    """The keys of a file in either form."""
    fields: dict[str, Any] = json.loads(text) if text.startswith("{") else tomllib.loads(text)
    assert fields["_format"] == "chaipo/hand/v1"
    return fields


def read(fields: dict[str, Any]) -> list[Player]:
    """The players at the end of the hand, p1 first."""
    players = [Player(count) for count in fields["_fantasyland"]]
    for action in fields["actions"]:
        words = action.partition("#")[0].split()
        if words[:2] == ["d", "dh"]:
            run = words[3]
            players[int(words[2][1:]) - 1].held += [run[at : at + 2] for at in range(0, len(run), 2)]
        elif words[1] == "pl":
            players[int(words[0][1:]) - 1].place(words[2])
        else:
            assert words[1] == "f"
            players[int(words[0][1:]) - 1].gave_up = True
    return players


def board(player: Player) -> str:
    """front/middle/back."""
    return "/".join("".join(player.rows[row]) for row in ROWS)


def check(text: str) -> None:
    """Raise AssertionError for a file that contradicts itself."""
    fields = parsed(text)
    players = read(fields)
    assert [board(player) for player in players] == fields["_boards"]
    for player in players:
        assert not any("?" in card for row in player.rows.values() for card in row)
        placed = [len(player.rows[row]) for row in ROWS]
        assert player.gave_up or placed == [3, 5, 5]
    seats = fields["_seats"]
    assert [(seats[0] + number) % len(seats) for number in range(len(seats))] == seats
    assert sum(fields["_points"]) == 0
    assert sum(fields["starting_stacks"]) == sum(fields["finishing_stacks"])
    for key in ("players", "antes", "_royalties", "_fouls", "_next_fantasyland"):
        assert len(fields[key]) == len(players)
