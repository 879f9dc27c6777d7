"""``make lists``: write docs/commands.md and its twins from the commands, the kinds of event and the house rules.

People write the table of commands at the top of these pages, and the table of options in docs/how-to/open-a-table.md.
A row that one of them lacks is added with what Discord shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import discord
from discord import AppCommandOptionType as BulletinKind
from discord import app_commands
from discord.ext import commands

from bot.base.installation import HOME
from bot.chat.event.screens.draft.event_choices import KINDS as EVENT_KINDS
from bot.chat.event.screens.draft.event_choices import MAX_LENGTHS
from bot.chat.kit.acts.act import TypedAct
from bot.chat.kit.command_words import option_name
from bot.chat.kit.gate import Gate, Rates
from bot.chat.services import Services
from bot.pure.event.limits import MAX_LEAGUE_ROUNDS, MAX_LEVELS, MAX_PAID_PLACES
from bot.pure.event.pairings import Pairings
from bot.pure.event.structure import PRESETS
from bot.pure.ofc.overrides import OVERRIDES, POINTS_OF_HANDS
from bot.run.app import COGS
from bot.text.house_rules import override_name
from bot.text.languages import LANGUAGES
from bot.text.words import Words, words_for
from cogs.event.commands import event_parts
from cogs.event.typed_acts import EventParts, event_acts
from cogs.table.acts import TableActs

Command = app_commands.Command[Any, ..., Any]
Row = Sequence[object]
SAID: Mapping[str, Mapping[str, str]] = {
    "en": {
        "commands": "## Options of the commands",
        "options": "Only commands that have options are here. An option in bold must be given.",
        "managers": "Hidden from members without **{permissions}**, unless the server shows it to them.",
        "command": "Command",
        "option": "Option",
        "takes": "Takes",
        "what": "What it is",
        "manage_guild": "Manage Server",
        "manage_events": "Manage Events",
        "integer": "a whole number",
        "string": "text",
        "boolean": "yes or no",
        "user": "a member",
        "channel": "a channel",
        "role": "a role",
        "attachment": "a file",
        "between": "{kind} from {least} to {most}",
        "long": "{kind}, {least} to {most} characters",
        "events": "## Kinds of event",
        "acts": "## What `/event` does",
        "table_acts": "## What `/ofc table` does",
        "typed": "The names that `do` takes, or any part of one. Only what you can do now is suggested.",
        "act": "Name",
        "does": "What it does",
        "kinds": "What a new event begins with. All of it can be changed.",
        "kind": "Kind",
        "seats": "Seats per table",
        "most": "Players at most",
        "stack": "Stack",
        "levels": "Point values",
        "level": "Hands per level",
        "rounds": "Rounds, hands in each",
        "limits": "## Limits of the form",
        "limit": "What",
        "at_most": "At most",
        "level_count": "Levels",
        "round_count": "Rounds",
        "places": "Paid places",
        "name": "Characters of the name",
        "series": "Characters of the series' name",
        "titles": "Characters of all titles",
        "house": "## House rules",
        "rules": "What **Custom games** in `/setup` can change. `rules` and `score` take them as `--house KEY=VALUE`.",
        "key": "Key",
        "paid": "Points of a single hand, row or natural ({count} keys)",
    },
    "ja": {
        "commands": "## コマンドのオプション",
        "options": "オプションのあるコマンドだけを載せています。太字のオプションは省けません。",
        "managers": "サーバーが見せるように設定しないかぎり、**{permissions}**の権限がない人には表示されません。",
        "command": "コマンド",
        "option": "オプション",
        "takes": "入れるもの",
        "what": "意味",
        "manage_guild": "サーバー管理",
        "manage_events": "イベントの管理",
        "integer": "整数",
        "string": "文字",
        "boolean": "はい、いいえ",
        "user": "メンバー",
        "channel": "チャンネル",
        "role": "ロール",
        "attachment": "ファイル",
        "between": "{kind}（{least}～{most}）",
        "long": "{kind}（{least}～{most}文字）",
        "events": "## イベントの種類",
        "acts": "## `/event`でできること",
        "table_acts": "## `/ofc table`でできること",
        "typed": "「操作」に入力する名前です。一部だけでもかまいません。いまできるものだけが候補に出ます。",
        "act": "名前",
        "does": "内容",
        "kinds": "新しいイベントの出発点です。どの値も変えられます。",
        "kind": "種類",
        "seats": "卓の人数",
        "most": "定員",
        "stack": "スタック",
        "levels": "レート",
        "level": "1レベルのハンド数",
        "rounds": "ラウンドとハンド数",
        "limits": "## 入力欄の上限",
        "limit": "項目",
        "at_most": "上限",
        "level_count": "レベルの数",
        "round_count": "ラウンドの数",
        "places": "賞金の出る順位の数",
        "name": "名前の文字数",
        "series": "シリーズ名の文字数",
        "titles": "称号すべての文字数",
        "house": "## ハウスルール",
        "rules": "`/setup`の**独自のゲーム**で変えられるものです。`rules`と`score`では`--house KEY=VALUE`で"
        "指定します。",
        "key": "キー",
        "paid": "役、段、特殊役1つごとの点（キーは{count}個）",
    },
}
"""Headings and sentences around the lists. Languages without them have no page."""
KINDS = {
    BulletinKind.integer: "integer",
    BulletinKind.string: "string",
    BulletinKind.boolean: "boolean",
    BulletinKind.user: "user",
    BulletinKind.channel: "channel",
    BulletinKind.role: "role",
    BulletinKind.attachment: "attachment",
}


def page(text: str, known: Mapping[str, Command], language: str) -> str:
    """Return the whole page. The beginning of ``text`` is kept, and everything from the options on is rewritten."""
    words, said = words_for(language), SAID[language]
    beginning = text.partition(f"\n{said['commands']}\n")[0].rstrip()
    parts = [purposes(beginning, known, language), said["commands"], said["options"]]
    for name, command in sorted(known.items()):
        parts += _of_command(name, command, words, said)
    parts += [said["acts"], said["typed"], _acts(event_acts(unused_parts()), words, said)]
    parts += [said["table_acts"], said["typed"], _acts(TableActs(cast("Services", None)).all(), words, said)]
    parts += [said["events"], said["kinds"], _events(words, said), said["limits"], _limits(said)]
    parts += [said["house"], said["rules"], _house(words, said)]
    return "\n\n".join(parts) + "\n"


def _of_command(name: str, command: Command, words: Words, said: Mapping[str, str]) -> Iterator[str]:
    if not command.parameters:
        return
    yield f"### `/{name}`"
    if asked := permissions(name, command):
        yield said["managers"].format(permissions=", ".join(said[one] for one in asked))
    rows: list[Row] = []
    for option in command.parameters:
        shown = f"`{option_name(option.display_name, words)}`"
        what = option.locale_description or option.description
        rows.append((f"**{shown}**" if option.required else shown, _takes(option, words, said), _told(what, words)))
    yield table((said["option"], said["takes"], said["what"]), rows)


def permissions(name: str, command: Command) -> list[str]:
    """Return the permissions that a member needs to see a command."""
    asked = (command.root_parent or command).default_permissions or _of_groups().get(name.partition(" ")[0])
    return [permission for permission, wanted in asked or discord.Permissions.none() if wanted]


def _of_groups() -> Mapping[str, discord.Permissions | None]:
    """Return the permissions required by groups that are cogs."""
    cogs = [value for module in map(import_module, COGS) for value in vars(module).values() if isinstance(value, type)]
    return {
        str(cog.__cog_group_name__): getattr(cog, "__discord_app_commands_default_permissions__", None)
        for cog in cogs
        if issubclass(cog, commands.Cog) and cog.__cog_is_app_commands_group__
    }


def _takes(option: app_commands.Parameter, words: Words, said: Mapping[str, str]) -> str:
    if option.choices:
        names = (each._locale_name or each.name for each in option.choices)  # noqa: SLF001
        return ", ".join(_told(name, words) for name in names)
    kind = said[KINDS[option.type]]
    if option.min_value is None or option.max_value is None:
        return kind
    form = "between" if option.type is BulletinKind.integer else "long"
    return said[form].format(kind=kind, least=f"{option.min_value:,}", most=f"{option.max_value:,}")


def _told(text: Any, words: Words) -> str:
    key = getattr(text, "extras", {}).get("key")
    return words(key) if key else str(text)


def _acts(acts: Sequence[TypedAct[Any]], words: Words, said: Mapping[str, str]) -> str:
    rows = [(words(act.name), words(act.says)) for act in acts]
    return table((said["act"], said["does"]), rows)


def unused_parts() -> EventParts:
    """Return the acts of events without their dependencies. They only name their buttons."""
    faces = SimpleNamespace(names=None)
    return event_parts(cast("Services", SimpleNamespace(events=None, gate=Gate(rates=Rates()), faces=faces)))


def _events(words: Words, said: Mapping[str, str]) -> str:
    columns = ("kind", "seats", "most", "stack", "levels", "level", "rounds")
    rows = [
        (
            words(f"structure.preset.{key}"),
            one.table_seats,
            one.most,
            "–" if one.format.value in ("league", "duplicate") else f"{one.stack:,}",
            "–" if one.format.value in ("league", "duplicate") else ", ".join(map(str, one.levels)),
            "–" if one.format.value in ("league", "duplicate") else one.level_hands,
            f"{'–' if one.pairings is Pairings.ALL else one.rounds} × {one.round_hands}"
            if one.format.value in ("league", "duplicate")
            else "–",
        )
        for key, one in PRESETS.items()
        if key in EVENT_KINDS
    ]
    return table([said[name] for name in columns], rows)


def _limits(said: Mapping[str, str]) -> str:
    counts = {"level_count": MAX_LEVELS, "round_count": MAX_LEAGUE_ROUNDS, "places": MAX_PAID_PLACES}
    limits = counts | {name: MAX_LENGTHS[name] for name in ("name", "series", "titles")}
    return table((said["limit"], said["at_most"]), [(said[name], most) for name, most in limits.items()])


def _house(words: Words, said: Mapping[str, str]) -> str:
    single = [key for key in OVERRIDES if key.startswith(POINTS_OF_HANDS)]
    rows: list[Row] = [(f"`{key}`", override_name(key, words)) for key in OVERRIDES if key not in single]
    beginnings = ", ".join(f"`{beginning}*`" for beginning in POINTS_OF_HANDS)
    return table((said["key"], said["what"]), [*rows, (beginnings, said["paid"].format(count=len(single)))])


def table(columns: Sequence[str], rows: Sequence[Row]) -> str:
    """A Markdown table."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def path_of(language: str, name: str = "docs/commands") -> Path:
    """Return the path of a page in a language."""
    return HOME / LANGUAGES[language].document(name)


# Tables that people write: only the rows that they lack are made.


def purposes(text: str, known: Mapping[str, Command], language: str) -> str:
    """Return the page's beginning with a row per command. A missing row is added after the first one of its group."""
    words, first = words_for(language), SAID[language]["command"]
    for name, command in sorted(known.items()):
        what = command._locale_description or command.description  # noqa: SLF001
        text = with_row(text, first, (f"`/{name}`", _told(what, words)), behind=f"`/{name.split()[0]} ")
    return text


def options_of_tables(text: str, play: Command, language: str) -> str:
    """Return the page of tables with a row per option of a new table. A missing row is added in place."""
    words, first, before = words_for(language), SAID[language]["option"], "---"
    for option in play.parameters:
        shown = f"`{option_name(option.display_name, words)}`"
        what = _told(option.locale_description or option.description, words)
        text = with_row(text, first, (shown, what, "–"), behind=before)
        before = shown
    return text


def with_row(text: str, first: str, row: Row, *, behind: str) -> str:
    """Return a document whose table with the header ``first`` has this row. An existing row is kept.

    A new row is added after the first line that begins with ``behind``, or at the end.
    """
    head, mark, rest = text.partition(f"\n| {first} |")
    lines = rest.split("\n")
    end = next((n for n, line in enumerate(lines) if n and not line.startswith("|")), len(lines))
    if any(line.startswith(f"| {row[0]} |") for line in lines[1:end]):
        return text
    place = next((n for n, line in enumerate(lines[:end]) if line.startswith(f"| {behind}")), end - 1)
    lines.insert(place + 1, f"| {' | '.join(map(str, row))} |")
    return head + mark + "\n".join(lines)


if __name__ == "__main__":
    from tests.test_docs import SLASH

    for code in SAID:
        lists, tables = path_of(code), path_of(code, "docs/how-to/open-a-table")
        texts = {lists: page(lists.read_text(encoding="utf-8"), SLASH, code)}
        if tables.exists():
            texts[tables] = options_of_tables(tables.read_text(encoding="utf-8"), SLASH["ofc play"], code)
        for path, text in texts.items():
            path.write_text(text, encoding="utf-8")
            print(path.relative_to(HOME))
