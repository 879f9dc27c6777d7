"""``make page``: build the table's page from its sources in ``page/``, and the files derived from the message types.

``page/build.js`` bundles the page with esbuild, which needs Node's ``npm`` and its registry. What it makes is
committed, with a digest of its sources, so hosts and tests need neither.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from bot.base.installation import HOME
from bot.chat.art.app_icon import draw_icon
from bot.pure.ofc.presets import PRESETS
from bot.text.languages import LANGUAGES
from bot.text.words import words_for
from bot.web.addresses import FILES
from bot.web.events.document import schema as event_schema
from bot.web.schema import schema
from tests.rows import GOLDEN
from tests.rows import text as rows

SOURCES: Final = HOME / "page"
BUILT: Final = HOME / "bot" / "web" / "built"
SDK: Final = SOURCES / "sdk" / "embedded-app-sdk.js"
SCHEMA: Final = HOME / "docs" / "web-api.schema.json"
EVENT_SCHEMA: Final = HOME / "docs" / "event-page.schema.json"
TYPES: Final = SOURCES / "protocol.d.ts"
GIVEN: Final = SOURCES / "verify" / "given.js"
DIGEST: Final = "sources.sha256"
OFFLINE: Final = "page.verify."
APP: Final = SOURCES / "app"
TEXTS: Final = APP / "texts.json"
ICONS: Final = {"icon192": (192, False), "icon512": (512, False), "full512": (512, True)}
"""Side of each icon in pixels, and whether it fills its corners."""
NEEDED: Final = {".js", ".css", ".html", ".json", ".png", ".txt"}
"""Kinds of files that the build reads."""


def sources() -> list[Path]:
    """The files that the page is built from."""
    found = (path for path in SOURCES.rglob("*") if path.suffix in NEEDED and path.is_file())
    unneeded = {"node_modules", "jsconfig.json"}
    return sorted(path for path in found if not unneeded & set(path.relative_to(SOURCES).parts))


def digest() -> str:
    """The digest of these files' names and contents."""
    told = hashlib.sha256()
    for path in sources():
        text = path.read_bytes()
        told.update(f"{path.relative_to(SOURCES).as_posix()} {len(text)}\n".encode() + text)
    return told.hexdigest() + "\n"


def build(into: Path) -> None:
    """Bundle the page into this folder. Raises SystemExit if npm is missing, and CalledProcessError if it fails."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        raise SystemExit("npm is not installed: it comes with Node")
    lock, kept = SOURCES / "package-lock.json", SOURCES / "node_modules" / ".package-lock.json"
    if not kept.exists() or kept.stat().st_mtime < lock.stat().st_mtime:
        install = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
        subprocess.run(install, cwd=SOURCES, check=True)
    subprocess.run([node, SOURCES / "build.js", into, FILES.removeprefix("/")], check=True)
    (into / DIGEST).write_text(digest(), encoding="utf-8")


def given() -> str:
    """The page's module of what the bot gives it once and for all: cards per street, and words for a saved page."""
    streets = {key: [street.deal for street in game.streets] for key, game in PRESETS.items()}
    return (
        "// Written by `make page`: what a page checks records with where no bot can be asked.\n\n"
        "/** @type {Record<string, number[]>} The cards of each street, by game; they're the same in each edition. */\n"
        f"export const STREETS = {json.dumps(streets)};\n\n"
        "/** @type {Record<string, Record<string, string>>} The words of the check, by language. */\n"
        f"export const OFFLINE = {json.dumps(_offline(), ensure_ascii=False, indent=2)};\n"
    )


def _offline() -> dict[str, dict[str, str]]:
    told = {}
    for code in LANGUAGES:
        words = words_for(code)
        own = [key for key in words.entries if key.startswith(OFFLINE)]
        blank = {key: {field: f"{{{field}}}" for field in words.entries[key].fields} for key in own}
        told[code] = {key.removeprefix(OFFLINE): words(key, **blank[key]) for key in own}
    return told


def app_texts() -> str:
    """The names of the page as an installed app, and what it's for, by language."""
    told = {
        code: {name: words_for(code)(f"page.app.{name}") for name in ("name", "short_name", "description")}
        for code in LANGUAGES
    }
    return json.dumps(told, indent=2, ensure_ascii=False) + "\n"


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


MADE = {
    GIVEN: given,
    GOLDEN: rows,
    TEXTS: app_texts,
    SCHEMA: schema_text,
    EVENT_SCHEMA: event_schema_text,
    TYPES: types,
}


def main() -> None:
    """Write all of them."""
    for name, (side, full) in ICONS.items():
        (APP / f"{name}.png").write_bytes(draw_icon(side, full=full))
    for path, made in MADE.items():
        path.write_text(made(), encoding="utf-8")
        print(f"wrote {path.relative_to(HOME)}")
    build(BUILT)
    print(f"wrote {BUILT.relative_to(HOME)}")


if __name__ == "__main__":
    main()
