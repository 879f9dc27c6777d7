"""The command ``chaipo``, and ``python -m chaipo``."""

import sys

from bot.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
