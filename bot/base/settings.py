"""The settings from the environment and `.env`, as one frozen value. Errors name the variable."""

import os
import re
import stat
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from io import StringIO
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, Self
from urllib.parse import urlsplit

from dotenv.parser import Binding, parse_stream
from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError, model_validator
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict
from typing_extensions import override

from bot.base.file_rights import closed_folder, owned_by_another
from bot.base.installation import HOME, STORED
from bot.base.operator_defaults import LOBBY_MINUTES, NEXT_HAND_SECONDS, REQUESTS_PER_SECOND, START_CHIPS

PREFIX = "CHAIPO_"
PLAYGROUND = "playground"
"""Name, without a suffix, of the playground's own database and key files."""
POSTGRES = ("postgresql://", "postgres://")
"""Prefixes of PostgreSQL addresses."""
NEAR, NEAR_OF_OURS = 0.8, 0.4
"""Similarity (0 to 1) at which an unknown name counts as a typo: for any name, and for names with our prefix."""


class SettingsError(Exception):
    """A setting keeps the bot from starting. The text is one line for the operator."""


class _ClosedFolderError(ValueError):
    """The folder of a file can't be entered. The text is the complete error message."""


def _one_word(token: SecretStr) -> SecretStr:
    if not token.get_secret_value().isascii() or len(token.get_secret_value().split()) != 1:
        raise ValueError("not one word")
    return token


def _address(host: str) -> str:
    if not re.fullmatch(r"[\w.:-]+", host, re.ASCII):
        raise ValueError("not an address")
    return host


def _proxy(address: str) -> str:
    parts = urlsplit(address)
    bare = not (parts.path.strip("/") or parts.query or parts.fragment or parts.username)
    if parts.scheme not in ("http", "https") or not parts.hostname or not bare or parts.port == 0:
        raise ValueError("not an address")
    return f"{parts.scheme}://{_address(parts.netloc)}"


def _page(address: str) -> str:
    parts = urlsplit(address)
    plain = not (parts.query or parts.fragment or parts.username) and bool(parts.hostname) and parts.port != 0
    secure = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in ("localhost", "127.0.0.1", "::1"))
    if not plain or not secure or not re.fullmatch(r"[\w.~/-]*", parts.path, re.ASCII):
        raise ValueError("not an address")
    return f"{parts.scheme}://{parts.netloc.lower()}{parts.path.rstrip('/')}"


def _networks(written: str) -> str:
    for one in written.split(","):
        ip_network(one.strip())
    return written


def _file(written: Path) -> Path:
    try:
        path = HOME / written.expanduser()
        folder = path.is_dir()
    except PermissionError as error:
        if said := closed_folder(HOME / written.expanduser()):
            raise _ClosedFolderError(said) from error
        raise ValueError("no such place") from error
    except (OSError, RuntimeError) as error:  # the path is too long or unreadable, or has `~` without a home
        raise ValueError("no such place") from error
    if folder:
        raise ValueError("a folder")
    return path


def _database(written: str | Path) -> Path | SecretStr:
    """Parse a file path, or an address, which may contain a password."""
    if not str(written).startswith(POSTGRES):
        return _file(Path(written))
    address = str(written)
    parts = urlsplit(address)
    if not parts.path.strip("/") and "dbname" not in parts.query:
        raise ValueError("no database")
    if "@" in address.replace(parts.netloc, "", 1) or re.search(r"%(?![0-9A-Fa-f]{2})|\s", address):
        raise ValueError("a password with characters that must be percent-encoded")
    return SecretStr(address)


FilePath = Annotated[Path, AfterValidator(_file)]


class Settings(BaseSettings):
    """The operator's settings. Each description ends the sentence "it must be ..."."""

    model_config = SettingsConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    discord_token: Annotated[SecretStr, AfterValidator(_one_word)] | None = Field(
        default=None,
        description='only the bot\'s token: one word, without "Bot" in front',
        examples=["your-token"],
    )
    database: Annotated[Path | SecretStr, BeforeValidator(_database)] = Field(
        default=STORED / "chaipo.db",
        description=(
            "the path of a file (not a folder) that the bot's user can access, or an address such as "
            "postgresql://user:password@host/name"
        ),
        examples=["data/var/chaipo.db"],
    )
    key_file: FilePath = Field(
        default=STORED / "chaipo.key",
        description="the path of a file (not a folder) that the bot's user can access",
        examples=["data/var/chaipo.key"],
    )
    # With this limit, the sum of a million players' chips fits into SQLite's 64 bits.
    start_chips: int = Field(
        default=START_CHIPS,
        ge=0,
        le=1_000_000_000_000,
        description="a whole number from 0 to 1000000000000",
        examples=["10000"],
    )
    port: int = Field(
        default=8765,
        ge=0,
        le=65_535,
        description="a whole number from 0 to 65535 (0: any free port)",
        examples=["8765"],
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        default="INFO", description="DEBUG, INFO, WARNING or ERROR", examples=["INFO"]
    )
    log_format: Literal["text", "json"] = Field(default="text", description="text or json", examples=["text"])
    health_port: int = Field(
        default=0,
        ge=0,
        le=65_535,
        description="a whole number from 0 to 65535 (0: no health endpoint)",
        examples=["9464"],
    )
    health_host: Annotated[str, AfterValidator(_address)] = Field(
        default="127.0.0.1",
        description="an address of this machine, or its name",
        examples=["127.0.0.1"],
    )
    web_url: Annotated[str, AfterValidator(_page)] | None = Field(
        default=None,
        description="the https:// address of the tables' pages, or empty for no pages",
        examples=["https://cards.example.org"],
    )
    web_port: int = Field(
        default=8780,
        ge=0,
        le=65_535,
        description="a whole number from 0 to 65535 (0: any free port)",
        examples=["8780"],
    )
    web_host: Annotated[str, AfterValidator(_address)] = Field(
        default="127.0.0.1",
        description="an address of this machine, or its name",
        examples=["127.0.0.1"],
    )
    web_proxies: Annotated[str, AfterValidator(_networks)] = Field(
        default="127.0.0.0/8,::1",
        description="addresses or networks of reverse proxies, with commas between them",
        examples=["127.0.0.0/8,::1"],
    )
    activity: bool = Field(
        default=False,
        description="yes or no: whether the tables' pages also open inside Discord",
        examples=["yes"],
    )
    client_secret: Annotated[SecretStr, AfterValidator(_one_word)] | None = Field(
        default=None,
        description="only the secret, one word, from the application's OAuth2 page",
        examples=["your-secret"],
    )
    requests_a_second: int = Field(
        default=REQUESTS_PER_SECOND, ge=5, le=50, description="a whole number from 5 to 50", examples=["40"]
    )
    discord_proxy: Annotated[str, AfterValidator(_proxy)] | None = Field(
        default=None,
        description="the address of a nirn-proxy: http:// with its host and port, and nothing after them",
        examples=["http://127.0.0.1:8080"],
    )
    shards: int | None = Field(
        default=None,
        ge=1,
        le=100_000,
        description="a whole number from 1 to 100000, or empty if one process serves all servers",
        examples=["4"],
    )
    workers: int | None = Field(
        default=None,
        ge=0,
        le=32,
        description="a whole number from 0 to 32, or empty to match the machine",
        examples=["1"],
    )
    sync_guild: int | None = Field(
        default=None,
        ge=1,
        lt=2**63,
        description="a server's id: the long number that Copy Server ID gives",
        examples=["123456789012345678"],
    )
    lobby_minutes: int = Field(
        default=LOBBY_MINUTES, ge=1, le=1440, description="a whole number from 1 to 1440", examples=["30"]
    )
    next_hand_seconds: int = Field(
        default=NEXT_HAND_SECONDS, ge=0, le=600, description="a whole number from 0 to 600", examples=["12"]
    )
    delete_left_servers_days: int | None = Field(
        default=None,
        ge=1,
        le=3650,
        description="a whole number from 1 to 3650, or empty to keep the data of servers that the bot has left",
        examples=["90"],
    )

    @model_validator(mode="after")
    def _keep_files_apart(self) -> Self:
        if self.file is not None and self.key_file.resolve() == self.file.resolve():
            raise ValueError(
                "CHAIPO_KEY_FILE and CHAIPO_DATABASE name the same file. Choose another path for CHAIPO_KEY_FILE"
            )
        if PLAYGROUND in (self.file and self.file.stem, self.key_file.stem):
            raise ValueError(
                "CHAIPO_DATABASE or CHAIPO_KEY_FILE names a file of the playground. Choose another path, for example "
                "CHAIPO_DATABASE=data/var/chaipo.db"
            )
        if self.activity and (self.web_url is None or self.client_secret is None):
            lacks = "CHAIPO_WEB_URL" if self.web_url is None else "CHAIPO_CLIENT_SECRET"
            raise ValueError(f"CHAIPO_ACTIVITY also needs {lacks}. Set that, or remove CHAIPO_ACTIVITY")
        return self

    @property
    def file(self) -> Path | None:
        """The database's file; None for PostgreSQL."""
        return self.database if isinstance(self.database, Path) else None

    @property
    def place(self) -> Path | str:
        """The database's file, or its address including the password."""
        return self.database if isinstance(self.database, Path) else self.database.get_secret_value()

    @property
    def activity_secret(self) -> str:
        """The client secret if pages open inside Discord, otherwise empty."""
        return self.client_secret.get_secret_value() if self.activity and self.client_secret is not None else ""

    def of_playground(self) -> "Settings":
        """Return the settings of the playground.

        Its own files are in the folder of the bot's database, which it never opens.
        """
        beside = self.file or self.key_file
        files = {
            "shards": None,
            "discord_proxy": None,
            "web_url": None,
            "activity": False,
            "database": beside.with_name(f"{PLAYGROUND}.db"),
            "key_file": beside.with_name(f"{PLAYGROUND}.key"),
        }
        return self.model_copy(update=files)

    @classmethod
    @override
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Use only the values passed in. `load_settings` reads the sources, so that errors can name them."""
        return (init_settings,)


VARIABLES = {name.upper() if name == "discord_token" else PREFIX + name.upper(): name for name in Settings.model_fields}
"""Field for each variable."""


_NO_SECRET = {
    "DISCORD_TOKEN": "is not a token: it must be",
    "CHAIPO_CLIENT_SECRET": "is not a client secret: it must be",
}


class WrittenValue(NamedTuple):
    """A value as the operator wrote it, and its source."""

    value: str
    place: str


def load_settings(environ: Mapping[str, str], env_file: Path | None) -> Settings:
    """Read the settings from the environment, then from `env_file`, which needn't exist.

    An empty value counts as unset. Raises SettingsError.
    """
    written = _written(environ, env_file)
    try:
        return Settings.model_validate({VARIABLES[variable]: value for variable, (value, _) in written.items()})
    except ValidationError as error:
        raise SettingsError(_refusal(error.errors()[0], written)) from None


def source_of(variable: str, environ: Mapping[str, str], env_file: Path | None) -> str:
    """Return the source of a setting's value: a file, the environment or the default."""
    written = _written(environ, env_file).get(variable)
    return f"the default, {variable} is not set" if written is None else f"{variable} {written.place}"


def shows_token(env_file: Path) -> bool:
    """True if other users of this machine can read a `.env` file containing the token."""
    if os.name != "posix" or not _read(env_file).get("DISCORD_TOKEN", "").strip():
        return False
    return bool(env_file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))


def refuse_unknown(environ: Mapping[str, str], env_file: Path | None) -> None:
    """Raise SettingsError for an unknown name, which is a typo. Commands that read no settings also check this."""
    _written(environ, env_file)


def _written(environ: Mapping[str, str], env_file: Path | None) -> dict[str, WrittenValue]:
    """Return the values that are set; raises SettingsError for an unknown name."""
    places = ((f"in {env_file}", _read(env_file)), ("in the environment", environ))
    written: dict[str, WrittenValue] = {}
    for place, values in places:
        for variable, value in values.items():
            if variable in VARIABLES and value.strip():
                written[variable] = WrittenValue(value.strip(), place)
    for place, values in places:
        for variable in values:
            _refuse_unknown(variable, place, written)
    return written


def _refuse_unknown(variable: str, place: str, written: Mapping[str, WrittenValue]) -> None:
    """Raise SettingsError for an unknown name that has our prefix or is similar to one of ours.

    Another program's variable is accepted if ours is set as well.
    """
    if variable in VARIABLES:
        return
    ours = variable.upper().startswith(PREFIX)
    # The prefix is ignored, because it would make all known names similar.
    known = {name.removeprefix(PREFIX) if ours else name: name for name in VARIABLES}
    near = get_close_matches(variable.upper().removeprefix(PREFIX), known, n=1, cutoff=NEAR_OF_OURS if ours else NEAR)
    if ours and not near:
        raise SettingsError(f"{variable} {place} is not a setting. Remove it")
    if near and (ours or known[near[0]] not in written):
        raise SettingsError(f"{variable} {place} is not a setting. Use {known[near[0]]}, or remove it")


def _refusal(error: ErrorDetails, written: Mapping[str, WrittenValue]) -> str:
    cause = error.get("ctx", {}).get("error")
    if not error["loc"] or isinstance(cause, _ClosedFolderError):
        return str(cause)
    variable = next(variable for variable, name in VARIABLES.items() if name == error["loc"][0])
    field = Settings.model_fields[VARIABLES[variable]]
    value, place = written[variable]
    # Secrets are never shown, even invalid ones, and neither is an address with its password.
    shown = _NO_SECRET.get(variable, f"is {value!r}, but it must be")
    if value.startswith(POSTGRES):
        shown = (
            "does not name a database, or its password contains / ? # @ % or a space (write these as %2F, "
            "%3F, %23, %40, %25, %20): it must be"
        )
    example = (field.examples or [""])[0]
    return f"{variable} {place} {shown} {field.description}. For example: {variable}={example}"


def _read(env_file: Path | None) -> dict[str, str]:
    """Read the variables of a `.env` file without interpolation, so that `$` has no special meaning."""
    if env_file is None:
        return {}
    try:
        text = env_file.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return {}
    except UnicodeDecodeError:
        raise SettingsError(f"{env_file} is not UTF-8 text. Save it as UTF-8") from None
    except OSError as error:
        remedy = owned_by_another(env_file) or "give the bot's user permission to read it"
        raise SettingsError(f"{env_file} cannot be read ({error.strerror}): {remedy}") from None
    return dict(_assignments(text, env_file))


def _assignments(text: str, env_file: Path) -> Iterator[tuple[str, str]]:
    for binding in parse_stream(StringIO(text)):
        if binding.key is not None and binding.value is not None:
            yield binding.key, binding.value
        elif binding.error or binding.key is not None:
            # The line isn't shown, because it may contain the token.
            raise SettingsError(f"{env_file}, line {_line(binding)} cannot be read. Write VARIABLE=value")


def _line(binding: Binding) -> int:
    original = binding.original.string
    return binding.original.line + original[: len(original) - len(original.lstrip())].count("\n")
