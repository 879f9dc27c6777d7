"""Incidents: failures that nobody foresaw, answered with a code that the reader and the log share."""

from __future__ import annotations

import logging
import secrets

from bot.text.words import Words

log = logging.getLogger(__name__)


def incident_code() -> str:
    """Log the exception that is being handled, with its traceback, and return the code of its log entry."""
    code = secrets.token_hex(3)
    log.exception("incident %s", code, extra={"incident": code})
    return code


def incident(words: Words) -> str:
    """Log the exception that is being handled, and return the sentence for whoever waits for an answer."""
    return words("gate.incident", code=incident_code())
