"""The installed bot: its code lies in ``_app``, so the wheel claims no name in site-packages but its own."""

import sys
from pathlib import Path

_APP = Path(__file__).resolve().parent / "_app"

# First, so that another package called ``bot`` or ``cogs`` is never imported instead. A checkout has no such folder.
if _APP.is_dir():
    sys.path.insert(0, str(_APP))
