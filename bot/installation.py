"""Where this copy of the bot has its files: a checkout beside its code, an installed one in the folder of its user."""

from pathlib import Path
from typing import Final

from platformdirs import user_data_path

_PACKAGE: Final = Path(__file__).resolve().parent
INSTALLED: Final = not (_PACKAGE.parent / "data" / "text").is_dir()
"""False in a checkout, also where it was installed as an editable one."""
SHIPPED: Final = _PACKAGE / "_data" if INSTALLED else _PACKAGE.parent / "data"
"""What comes with the code and is only read: sentences, fonts, what was fitted for the computers. A wheel holds it."""
HOME: Final = user_data_path("chaipo", appauthor=False) if INSTALLED else _PACKAGE.parent
"""Where ``.env`` is looked for, and where relative paths begin, wherever the bot was started from."""
STORED: Final = HOME if INSTALLED else HOME / "data" / "var"
"""Where the database and its key are kept when no setting says otherwise."""
COMMAND: Final = "chaipo" if INSTALLED else "python -m bot"
"""How the command line is called."""
POSTGRES_NEEDS: Final = "chaipo[postgres]" if INSTALLED else 'psycopg (python -m pip install "psycopg[binary]")'
"""What is installed to keep everything in PostgreSQL."""
PLAYGROUND_NEEDS: Final = "chaipo[playground]" if INSTALLED else "requirements-playground.txt"
"""What is installed to have the playground."""
