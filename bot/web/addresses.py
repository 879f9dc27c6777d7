"""The paths of the page and of its socket, relative to the bot's own address."""

from __future__ import annotations

from typing import Final

from bot.web.messages import API

PAGE: Final = "/table"
SOCKET: Final = f"/api/{API}/socket"
