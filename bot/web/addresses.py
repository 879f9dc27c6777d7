"""The paths of the pages and of the socket, relative to the bot's own address."""

from __future__ import annotations

from typing import Final

from bot.web.messages import API

PAGE: Final = "/table"
SOCKET: Final = f"/api/{API}/socket"
FILES: Final = f"/api/{API}/files/"
"""Prefix of the files that the page consists of. Their names contain a digest of their contents."""
EVENT: Final = "/event"
"""Prefix of an event's public page. Its random name follows."""
