"""Incidents: unexpected failures. The player gets a code that is also in the log."""

from __future__ import annotations

import logging
import secrets

from bot.text.words import Words

log = logging.getLogger(__name__)


def incident_code() -> str:
    """Log the exception being handled with its traceback, and return the code of the log entry."""
    code = secrets.token_hex(3)
    log.exception("incident %s", code, extra={"incident": code})
    return code


def incident(words: Words) -> str:
    """Log the exception being handled, and return the sentence with its code for the player."""
    return words("gate.incident", code=incident_code())
