"""Fitted values for the computer players: the files in ``data/solver``, loaded on first use."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np
from numpy.typing import NDArray

from bot.base.installation import SHIPPED

FOLDER = SHIPPED / "solver"


@cache
def load_arrays(game: str) -> Mapping[str, NDArray[np.generic]] | None:
    """Return a game's arrays by key; None if it has no file."""
    path = FOLDER / f"{game}.npz"
    if not path.is_file():
        return None
    with np.load(path, allow_pickle=False) as arrays:
        return dict(arrays)
