"""The components of a drawn message, by the keys that the browser presses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from simcord.preview._action_plans import _component_key, _component_paths

# What SimCord keeps to itself has no public door, and pyproject.toml pins the release that this was read in.


Components: TypeAlias = list[dict[str, Any]]


def localised(part: Mapping[str, Any], key: str, locale: str) -> Any:
    """What a part of a command says under this key to readers of a locale."""
    return (part.get(f"{key}_localizations") or {}).get(locale, part.get(key))


@dataclass(frozen=True, slots=True)
class Pressed:
    """A component as it was when it was pressed: its message has been drawn again since."""

    component: dict[str, Any]


def component_at(components: Components, message_id: int, key: Any) -> dict[str, Any] | None:
    """The component that SimCord's page knows by this key."""
    for index, root in enumerate(components):
        for path, component in _component_paths(root, str(index)):
            if _component_key(component, path, message_id) == key:
                return cast("dict[str, Any]", component)
    return None


def id_of(component: dict[str, Any] | None) -> Any:
    """The custom id of a component."""
    return None if component is None else component.get("custom_id")
