"""The JSON schema of the messages, generated from their types."""

from __future__ import annotations

from typing import Any

from bot.web.messages import API, HEARD, SENT


def schema() -> dict[str, Any]:
    """Return the JSON schema of both directions."""
    described = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Chaipo's table as a page, version {API}",
    }
    parts = {}
    definitions: dict[str, Any] = {}
    for name, adapter, mode in (("from_page", HEARD, "validation"), ("from_bot", SENT, "serialization")):
        part = adapter.json_schema(mode=mode, ref_template="#/$defs/{model}")  # type: ignore[arg-type]
        definitions |= part.pop("$defs", {})
        parts[name] = part
    return {**described, "properties": parts, "$defs": dict(sorted(definitions.items()))}
