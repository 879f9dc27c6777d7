"""The addresses of the page and of its socket, below the bot's own."""

from __future__ import annotations

from typing import Final

from bot.web.messages import API

PAGE: Final = "/table"
SOCKET: Final = f"/api/{API}/socket"
