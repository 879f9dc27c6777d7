"""Writing the files of ``data/solver``."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.base.solver_data import FOLDER

_LONG_AGO = (1980, 1, 1, 0, 0, 0)


def added(game: str, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Add ``arrays`` to a game's file. Equal arrays produce identical bytes."""
    path = FOLDER / f"{game}.npz"
    kept: dict[str, NDArray[Any]] = {}
    if path.is_file():
        with np.load(path, allow_pickle=False) as before:
            kept = dict(before)
    kept |= arrays
    FOLDER.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name in sorted(kept):
            content = io.BytesIO()
            np.lib.format.write_array(content, np.asanyarray(kept[name]), allow_pickle=False)
            entry = zipfile.ZipInfo(f"{name}.npy", _LONG_AGO)
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, content.getvalue())


def weighted_mean(files: Sequence[Path], shares: Sequence[float]) -> dict[str, NDArray[Any]]:
    """Return the weighted mean of the arrays with the same name in all files."""
    rounds = [dict(np.load(file)) for file in files]
    return {
        name: sum(share * arrays[name] for share, arrays in zip(shares, rounds, strict=True)).astype(np.float32)
        for name in rounds[-1]
    }
