"""Chaipo: a Discord bot that hosts Open-Face Chinese Poker."""

import os

# The matrices of the computer players are small: a second thread would cost more than it saves. Read once, by numpy.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

__version__ = "1.0.0rc1"
