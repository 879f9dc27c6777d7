"""``make page``: build the table's page from its sources in ``page/``, and the files derived from the message types.

The page is one file with all modules in order, without their imports and exports. Each top-level name must therefore be
unique among all modules. Discord frames a second page, which includes Discord's SDK (``make sdk``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from bot.base.installation import HOME
from bot.pure.ofc.presets import PRESETS
from bot.text.languages import LANGUAGES
from bot.text.words import words_for
from bot.web.events.document import schema as event_schema
from bot.web.schema import schema

SOURCES = HOME / "page"
BUILT = HOME / "bot" / "web" / "table.html"
FRAMED = HOME / "bot" / "web" / "activity.html"
SDK = SOURCES / "sdk" / "embedded-app-sdk.js"
SCHEMA = HOME / "docs" / "web-api.schema.json"
EVENT_SCHEMA = HOME / "docs" / "event-page.schema.json"
TYPES = SOURCES / "protocol.d.ts"
ENTRY = "main.js"
IN_DISCORD = "activity.js"
OFFLINE = "page.verify."
_SDK_BEGINS = '<script id="sdk" data-application="{{application}}" data-home="{{home}}" nonce="{{nonce}}">'
_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([\w.-]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=const|let|class|function|async function)", re.MULTILINE)
_TOP = re.compile(r"^(?:export )?(?:const|let|class|function|async function) (\w+)", re.MULTILINE)


def modules(name: str = ENTRY, known: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The modules that this one needs, each behind those that it needs itself."""
    source = (SOURCES / name).read_text(encoding="utf-8")
    for needed in _IMPORT.findall(source):
        if needed not in known:
            known = modules(needed, known)
    return (*known, name) if name not in known else known


def framed_modules() -> tuple[str, ...]:
    """Those of the page that Discord frames: how it comes in there is settled before the table opens."""
    return modules(ENTRY, modules(IN_DISCORD))


def twice() -> list[str]:
    """Return names defined by more than one module."""
    names = [
        name for module in framed_modules() for name in _TOP.findall((SOURCES / module).read_text(encoding="utf-8"))
    ]
    return sorted({name for name in names if names.count(name) > 1})


def script(names: tuple[str, ...]) -> str:
    """The script of a page."""
    parts = [_EXPORT.sub("", _IMPORT.sub("", (SOURCES / one).read_text(encoding="utf-8"))) for one in names]
    return "\n".join(part.strip() for part in parts)


def offline() -> str:
    """Return the words embedded in the page in every language, which a saved page shows without a bot."""
    told = {}
    for code in LANGUAGES:
        words = words_for(code)
        own = [key for key in words.entries if key.startswith(OFFLINE)]
        blank = {key: {field: f"{{{field}}}" for field in words.entries[key].fields} for key in own}
        told[code] = {key.removeprefix(OFFLINE): words(key, **blank[key]) for key in own}
    return json.dumps(told, ensure_ascii=False).replace("</", "<\\/")


def streets() -> str:
    """Return the number of cards per street of each game, for verifying records. It's the same in each edition."""
    return json.dumps({key: [street.deal for street in game.streets] for key, game in PRESETS.items()})


def page() -> str:
    """The page."""
    return _whole(modules(), before="")


def framed_page() -> str:
    """The page that Discord frames."""
    notice = (SOURCES / "sdk" / "notice.txt").read_text(encoding="utf-8")
    sdk = SDK.read_text(encoding="utf-8")
    return _whole(framed_modules(), before=f"{_SDK_BEGINS}\n/*!\n{notice}*/\n{sdk}</script>\n")


def _whole(names: tuple[str, ...], *, before: str) -> str:
    whole = (SOURCES / "page.html").read_text(encoding="utf-8")
    style = (SOURCES / "style.css").read_text(encoding="utf-8")
    inside = script(names).replace("/*{{offline}}*/ {}", offline()).replace("/*{{streets}}*/ {}", streets())
    return whole.replace("{{style}}", style).replace("{{before}}", before).replace("{{script}}", inside)


def schema_text() -> str:
    """The JSON schema of the messages."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def event_schema_text() -> str:
    """The JSON schema of events' public pages."""
    return json.dumps(event_schema(), indent=2, ensure_ascii=False) + "\n"


def types() -> str:
    """Return the message types as TypeScript interfaces."""
    told = schema()
    lines = ["// Written by `make page` from the types of bot/web/messages.py.", ""]
    for name, one in told["$defs"].items():
        lines += [f"export interface {name} {{", *_fields(one), "}", ""]
    for name, part in (("Heard", "from_page"), ("Sent", "from_bot")):
        union = " | ".join(_type(one) for one in told["properties"][part]["oneOf"])
        lines += [f"export type {name} = {union};", ""]
    return "\n".join(lines).rstrip() + "\n"


def _fields(one: Mapping[str, Any]) -> Iterator[str]:
    required = one.get("required", ())
    for name, kind in one["properties"].items():
        # The bot always sends fields with a default, but a page may omit them.
        needed = name in required or one.get("additionalProperties") is not False
        yield f"  {name}{'' if needed else '?'}: {_type(kind)};"


def _type(kind: Mapping[str, Any]) -> str:
    if "$ref" in kind:
        return str(kind["$ref"]).rsplit("/", 1)[1]
    if "const" in kind:
        return json.dumps(kind["const"])
    if "enum" in kind:
        return " | ".join(map(json.dumps, kind["enum"]))
    if "anyOf" in kind:
        return " | ".join(map(_type, kind["anyOf"]))
    match kind["type"]:
        case "array" if "prefixItems" in kind:
            return f"[{', '.join(map(_type, kind['prefixItems']))}]"
        case "array":
            return f"{_type(kind['items'])}[]"
        case "object":
            inner = kind.get("additionalProperties")
            return f"Record<string, {_type(inner) if isinstance(inner, dict) and inner else 'any'}>"
        case "integer":
            return "number"
        case plain:
            return str(plain)


MADE = {BUILT: page, FRAMED: framed_page, SCHEMA: schema_text, EVENT_SCHEMA: event_schema_text, TYPES: types}


def main() -> None:
    """Write all of them."""
    for path, made in MADE.items():
        path.write_text(made(), encoding="utf-8")
        print(f"wrote {path.relative_to(HOME)}")


if __name__ == "__main__":
    main()
