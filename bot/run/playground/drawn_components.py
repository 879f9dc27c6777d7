"""The components of a drawn message, by the keys that the browser sends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from simcord.preview._action_plans import _component_key, _component_paths

# SimCord has no public interface for these internals, so pyproject.toml pins the release they were taken from.


Components: TypeAlias = list[dict[str, Any]]


def localised(part: Mapping[str, Any], key: str, locale: str) -> Any:
    """Return a command part's text for ``key`` in the language of ``locale``."""
    return (part.get(f"{key}_localizations") or {}).get(locale, part.get(key))


@dataclass(frozen=True, slots=True)
class PressedComponent:
    """A component as it was when it was pressed, before its message was redrawn."""

    component: dict[str, Any]


def component_at(components: Components, message_id: int, key: Any) -> dict[str, Any] | None:
    """Return the component with SimCord's key; None if there is none."""
    for index, root in enumerate(components):
        for path, component in _component_paths(root, str(index)):
            if _component_key(component, path, message_id) == key:
                return cast("dict[str, Any]", component)
    return None


def id_of(component: dict[str, Any] | None) -> Any:
    """Return a component's custom id."""
    return None if component is None else component.get("custom_id")
