"""What was fitted for the computer players: the files of ``data/solver``, read when they are first asked for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np
from numpy.typing import NDArray

from bot.base.installation import SHIPPED

FOLDER = SHIPPED / "solver"


@cache
def fitted_arrays(game: str) -> Mapping[str, NDArray[np.generic]] | None:
    """The arrays of a game, by its key; None where there is no file."""
    path = FOLDER / f"{game}.npz"
    if not path.is_file():
        return None
    with np.load(path, allow_pickle=False) as arrays:
        return dict(arrays)
