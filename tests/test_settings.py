"""Settings: sources, values, and the refusal of each wrong value."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import ValidationError

from bot.base.installation import HOME
from bot.base.settings import VARIABLES, Settings, SettingsError, load_settings, shows_token

EXAMPLE = HOME / ".env.example"

EnvFile = Callable[[str], Path]


@pytest.fixture
def env_file(tmp_path: Path) -> EnvFile:
    """Write a `.env` file and say where it is."""

    def write(text: str) -> Path:
        path = tmp_path / ".env"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def refusal(environ: dict[str, str], env_file: Path | None = None) -> str:
    """The one line that the operator reads."""
    with pytest.raises(SettingsError) as refused:
        load_settings(environ, env_file)
    text = str(refused.value)
    assert "\n" not in text
    return text


def test_an_empty_environment_gives_the_defaults() -> None:
    settings = load_settings({}, None)
    assert settings.model_dump() == {
        "discord_token": None,
        "database": HOME / "data/var/chaipo.db",
        "key_file": HOME / "data/var/chaipo.key",
        "start_chips": 10_000,
        "port": 8765,
        "log_level": "INFO",
        "log_format": "text",
        "health_port": 0,
        "health_host": "127.0.0.1",
        "discord_proxy": None,
        "shards": None,
        "workers": None,
        "web_url": None,
        "web_port": 8780,
        "web_host": "127.0.0.1",
        "web_proxies": "127.0.0.0/8,::1",
        "activity": False,
        "client_secret": None,
        "requests_a_second": 40,
        "sync_guild": None,
        "lobby_minutes": 30,
        "next_hand_seconds": 12,
        "delete_left_servers_days": None,
    }


def test_every_variable_is_read(tmp_path: Path) -> None:
    settings = load_settings(
        {
            "DISCORD_TOKEN": "abc.def",
            "CHAIPO_DATABASE": str(tmp_path / "a.db"),
            "CHAIPO_KEY_FILE": str(tmp_path / "a.key"),
            "CHAIPO_START_CHIPS": "0",
            "CHAIPO_PORT": "0",
            "CHAIPO_LOG_LEVEL": "DEBUG",
            "CHAIPO_LOG_FORMAT": "json",
            "CHAIPO_HEALTH_PORT": "9464",
            "CHAIPO_HEALTH_HOST": "::1",
            "CHAIPO_DISCORD_PROXY": "http://10.0.0.7:8080/",
            "CHAIPO_SHARDS": "16",
            "CHAIPO_WORKERS": "2",
            "CHAIPO_WEB_URL": "https://Cards.example.org/ofc/",
            "CHAIPO_WEB_PORT": "0",
            "CHAIPO_WEB_HOST": "0.0.0.0",
            "CHAIPO_WEB_PROXIES": "10.0.0.0/8, fd00::/8",
            "CHAIPO_ACTIVITY": "yes",
            "CHAIPO_CLIENT_SECRET": "ghi-jkl",
            "CHAIPO_REQUESTS_A_SECOND": "20",
            "CHAIPO_SYNC_GUILD": "123456789012345678",
            "CHAIPO_LOBBY_MINUTES": "1440",
            "CHAIPO_NEXT_HAND_SECONDS": "600",
            "CHAIPO_DELETE_LEFT_SERVERS_DAYS": "90",
        },
        None,
    )
    assert settings.discord_token is not None
    assert settings.discord_token.get_secret_value() == "abc.def"
    assert settings.activity_secret == "ghi-jkl"
    assert settings.model_dump(exclude={"discord_token", "client_secret"}) == {
        "database": tmp_path / "a.db",
        "key_file": tmp_path / "a.key",
        "start_chips": 0,
        "port": 0,
        "log_level": "DEBUG",
        "log_format": "json",
        "health_port": 9464,
        "health_host": "::1",
        "discord_proxy": "http://10.0.0.7:8080",
        "shards": 16,
        "workers": 2,
        "web_url": "https://cards.example.org/ofc",
        "web_port": 0,
        "web_host": "0.0.0.0",
        "web_proxies": "10.0.0.0/8, fd00::/8",
        "activity": True,
        "requests_a_second": 20,
        "sync_guild": 123456789012345678,
        "lobby_minutes": 1440,
        "next_hand_seconds": 600,
        "delete_left_servers_days": 90,
    }


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CHAIPO_WEB_URL", "cards.example.org"),
        ("CHAIPO_WEB_URL", "http://cards.example.org"),
        ("CHAIPO_WEB_URL", "https://user@cards.example.org"),
        ("CHAIPO_WEB_URL", "https://cards.example.org/?a"),
        ("CHAIPO_WEB_URL", "https://cards.example.org/#a"),
        ("CHAIPO_WEB_URL", "https://"),
        ("CHAIPO_WEB_URL", "https://cards.example.org:0"),
        ("CHAIPO_WEB_URL", "https://cards.example.org/a b"),
        ("CHAIPO_WEB_PROXIES", "proxy.example.org"),
        ("CHAIPO_WEB_PROXIES", "10.0.0.1/8"),
        ("CHAIPO_WEB_PROXIES", ","),
    ],
)
def test_an_address_of_pages_that_is_none_is_refused(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=f"{name} in the environment is .*For example: {name}="):
        load_settings({name: value}, None)


def test_pages_may_be_tried_without_tls_on_this_machine_alone() -> None:
    assert load_settings({"CHAIPO_WEB_URL": "http://localhost:8780"}, None).web_url == "http://localhost:8780"
    assert load_settings({"CHAIPO_WEB_URL": "https://a.example.org"}, None).of_playground().web_url is None


def test_an_activity_names_what_it_lacks_and_its_secret_is_never_shown() -> None:
    whole = {
        "CHAIPO_ACTIVITY": "on",
        "CHAIPO_WEB_URL": "https://cards.example.org",
        "CHAIPO_CLIENT_SECRET": "the-secret",
    }
    settings = load_settings(whole, None)
    assert settings.activity_secret == "the-secret"
    assert "the-secret" not in repr(settings)
    assert settings.of_playground().activity_secret == ""
    assert load_settings(whole | {"CHAIPO_ACTIVITY": "no"}, None).activity_secret == ""
    for lacking in ("CHAIPO_WEB_URL", "CHAIPO_CLIENT_SECRET"):
        with pytest.raises(SettingsError, match=f"^CHAIPO_ACTIVITY also needs {lacking}. "):
            load_settings(whole | {lacking: ""}, None)
    with pytest.raises(
        SettingsError, match="CHAIPO_CLIENT_SECRET in the environment is not a client secret: "
    ) as refused:
        load_settings(whole | {"CHAIPO_CLIENT_SECRET": "two words"}, None)
    assert "two words" not in str(refused.value)
    with pytest.raises(SettingsError, match="CHAIPO_ACTIVITY in the environment is 'maybe', but it must be yes or no"):
        load_settings(whole | {"CHAIPO_ACTIVITY": "maybe"}, None)


def test_settings_cannot_be_changed() -> None:
    settings = load_settings({}, None)
    with pytest.raises(ValidationError):
        settings.port = 1  # type: ignore[misc]


def test_settings_built_by_hand_read_nothing_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "1")
    monkeypatch.setenv("DISCORD_TOKEN", "abc")
    assert Settings() == load_settings({}, None)


def test_the_environment_goes_before_the_file(env_file: EnvFile) -> None:
    path = env_file("CHAIPO_PORT=1\nCHAIPO_LOBBY_MINUTES=2\n")
    settings = load_settings({"CHAIPO_PORT": "3"}, path)
    assert (settings.port, settings.lobby_minutes) == (3, 2)


def test_an_empty_value_counts_as_not_written(env_file: EnvFile) -> None:
    path = env_file("CHAIPO_PORT=1\nCHAIPO_SYNC_GUILD=\n")
    settings = load_settings({"CHAIPO_PORT": " ", "DISCORD_TOKEN": ""}, path)
    assert (settings.port, settings.sync_guild, settings.discord_token) == (1, None, None)


def test_a_missing_file_is_an_empty_one(tmp_path: Path) -> None:
    assert load_settings({}, tmp_path / ".env") == load_settings({}, None)


def test_a_file_may_hold_comments_quotes_a_byte_order_mark_and_dollars(env_file: EnvFile) -> None:
    path = env_file("\ufeff# a comment\n\nexport CHAIPO_PORT='80' # another\nCHAIPO_DATABASE=$HOME.db\n")
    settings = load_settings({"HOME": "no"}, path)
    assert (settings.port, settings.database) == (80, HOME / "$HOME.db")


def test_variables_of_other_programs_are_left_alone(env_file: EnvFile) -> None:
    assert load_settings({"PATH": "/bin", "PORT": "x"}, env_file("COMPOSE_PROJECT_NAME=x\n")) == Settings()


def test_a_relative_path_begins_at_the_checkout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_settings({"CHAIPO_DATABASE": "here.db"}, None).database == HOME / "here.db"


def test_a_tilde_is_the_home_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert load_settings({"CHAIPO_DATABASE": "~/a.db"}, None).database == tmp_path / "a.db"


def test_the_token_is_not_shown() -> None:
    settings = load_settings({"DISCORD_TOKEN": "secret-word"}, None)
    assert "secret-word" not in f"{settings!r} {settings} {settings.model_dump_json()}"


REACHABLE = "the path of a file (not a folder) that the bot's user can access"


@pytest.mark.parametrize(
    ("variable", "value", "must"),
    [
        ("CHAIPO_DATABASE", "bot", REACHABLE),
        ("CHAIPO_KEY_FILE", "~nobody-of-this-name/a.key", REACHABLE),
        ("CHAIPO_KEY_FILE", ".", REACHABLE),
        ("CHAIPO_START_CHIPS", "-1", "a whole number from 0 to 1000000000000"),
        ("CHAIPO_START_CHIPS", "1000000000001", "a whole number from 0 to 1000000000000"),
        ("CHAIPO_START_CHIPS", "1.5", "a whole number from 0 to 1000000000000"),
        ("CHAIPO_PORT", "http", "a whole number from 0 to 65535"),
        ("CHAIPO_PORT", "65536", "a whole number from 0 to 65535"),
        ("CHAIPO_PORT", "-1", "a whole number from 0 to 65535"),
        ("CHAIPO_LOG_LEVEL", "LOUD", "DEBUG, INFO, WARNING or ERROR"),
        ("CHAIPO_LOG_FORMAT", "xml", "text or json"),
        ("CHAIPO_HEALTH_PORT", "65536", "a whole number from 0 to 65535"),
        ("CHAIPO_HEALTH_HOST", "http://here", "an address of this machine, or its name"),
        ("CHAIPO_SHARDS", "0", "a whole number from 1 to 100000"),
        ("CHAIPO_WORKERS", "-1", "a whole number from 0 to 32"),
        ("CHAIPO_WORKERS", "many", "a whole number from 0 to 32"),
        ("CHAIPO_DISCORD_PROXY", "10.0.0.7:8080", "the address of a nirn-proxy: http:// with"),
        ("CHAIPO_DISCORD_PROXY", "http://10.0.0.7:port", "the address of a nirn-proxy: http:// with"),
        ("CHAIPO_DISCORD_PROXY", "http://10.0.0.7:8080/api/v10", "the address of a nirn-proxy: http:// with"),
        ("CHAIPO_DISCORD_PROXY", "socks5://10.0.0.7:8080", "the address of a nirn-proxy: http:// with"),
        ("CHAIPO_REQUESTS_A_SECOND", "4", "a whole number from 5 to 50"),
        ("CHAIPO_REQUESTS_A_SECOND", "51", "a whole number from 5 to 50"),
        ("CHAIPO_SYNC_GUILD", "my server", "a server's id"),
        ("CHAIPO_SYNC_GUILD", "0", "a server's id"),
        ("CHAIPO_SYNC_GUILD", "9223372036854775808", "a server's id"),
        ("CHAIPO_LOBBY_MINUTES", "0", "a whole number from 1 to 1440"),
        ("CHAIPO_LOBBY_MINUTES", "1441", "a whole number from 1 to 1440"),
        ("CHAIPO_NEXT_HAND_SECONDS", "-1", "a whole number from 0 to 600"),
        ("CHAIPO_NEXT_HAND_SECONDS", "601", "a whole number from 0 to 600"),
        ("CHAIPO_DELETE_LEFT_SERVERS_DAYS", "0", "a whole number from 1 to 3650"),
        ("CHAIPO_DELETE_LEFT_SERVERS_DAYS", "3651", "a whole number from 1 to 3650"),
    ],
)
def test_a_wrong_value_is_refused_by_name(variable: str, value: str, must: str) -> None:
    text = refusal({variable: value})
    assert text.startswith(f"{variable} in the environment is {value!r}, but it must be {must}")
    assert f"For example: {variable}=" in text


BESIDE = {"CHAIPO_ACTIVITY": {"CHAIPO_WEB_URL": "https://cards.example.org", "CHAIPO_CLIENT_SECRET": "a-secret"}}
"""Other settings that a setting requires."""


def test_every_example_in_a_refusal_is_itself_accepted() -> None:
    for variable, name in VARIABLES.items():
        for example in Settings.model_fields[name].examples or pytest.fail(f"{variable} has no example"):
            load_settings(BESIDE.get(variable, {}) | {variable: example}, None)


@pytest.mark.parametrize("token", ["Bot secret-word", "secret-word \n secret-word", "secret-word-トークン"])
def test_a_wrong_token_is_refused_without_showing_it(token: str) -> None:
    text = refusal({"DISCORD_TOKEN": token})
    assert text.startswith("DISCORD_TOKEN in the environment is not a token: it must be only the bot's token")
    assert "secret-word" not in text


def test_a_refusal_says_that_the_value_stands_in_the_file(env_file: EnvFile) -> None:
    path = env_file("CHAIPO_PORT=http\n")
    assert refusal({}, path).startswith(f"CHAIPO_PORT in {path} is 'http'")


def test_the_key_may_not_lie_in_the_database() -> None:
    text = refusal({"CHAIPO_KEY_FILE": "data/var/../var/chaipo.db"})
    assert text.startswith("CHAIPO_KEY_FILE and CHAIPO_DATABASE name the same file. Choose another path")


@pytest.mark.parametrize(
    ("variable", "nearest"),
    [
        ("CHAIPO_PROT", "CHAIPO_PORT"),
        ("CHAIPO_DB", "CHAIPO_DATABASE"),
        ("CHAIPO_TOKEN", "DISCORD_TOKEN"),
        ("CHAIPO_DISCORD_TOKEN", "DISCORD_TOKEN"),
        ("chaipo_port", "CHAIPO_PORT"),
        ("CHAIPO_LOG", "CHAIPO_LOG_LEVEL"),
    ],
)
def test_an_unknown_variable_is_refused_with_the_nearest_known_one(
    variable: str, nearest: str, env_file: EnvFile
) -> None:
    told = f"is not a setting. Use {nearest}, or remove it"
    assert refusal({variable: "secret-word"}) == f"{variable} in the environment {told}"
    path = env_file(f"{variable}=\n")
    assert refusal({}, path) == f"{variable} in {path} {told}"


@pytest.mark.parametrize("variable", ["CHAIPO_", "CHAIPO_BACKUP", "CHAIPO_XYZ"])
def test_a_name_that_is_near_to_none_is_refused_without_a_guess(variable: str) -> None:
    assert refusal({variable: "1"}) == f"{variable} in the environment is not a setting. Remove it"


@pytest.mark.parametrize(
    ("variable", "nearest"),
    [
        ("DISCORD_TOKN", "DISCORD_TOKEN"),
        ("DISCORDTOKEN", "DISCORD_TOKEN"),
        ("DISCORD_BOT_TOKEN", "DISCORD_TOKEN"),
        ("discord_token", "DISCORD_TOKEN"),
        ("CHIAPO_DATABASE", "CHAIPO_DATABASE"),
    ],
)
def test_a_slip_of_the_pen_is_refused_with_the_likely_name(variable: str, nearest: str, env_file: EnvFile) -> None:
    path = env_file(f"{variable}=secret-word\n")
    assert refusal({}, path) == f"{variable} in {path} is not a setting. Use {nearest}, or remove it"
    assert refusal({variable: ""}) == f"{variable} in the environment is not a setting. Use {nearest}, or remove it"


def test_a_near_name_beside_the_right_one_is_another_programs(env_file: EnvFile) -> None:
    settings = load_settings({"DISCORD_TOKEN_OLD": "x"}, env_file("DISCORD_TOKEN=abc\n"))
    assert settings.discord_token is not None


@pytest.mark.parametrize("variable", ["CHAIPO_DATABASE", "CHAIPO_KEY_FILE"])
def test_the_bot_cannot_be_given_the_playgrounds_files(variable: str, tmp_path: Path) -> None:
    text = refusal({variable: str(tmp_path / "playground.db")})
    assert "names a file of the playground. Choose another path" in text


def test_the_playground_has_files_of_its_own_beside_the_bots_database(tmp_path: Path) -> None:
    settings = load_settings({"CHAIPO_DATABASE": str(tmp_path / "a.db"), "CHAIPO_KEY_FILE": "secret/a.key"}, None)
    own = settings.of_playground()
    assert (own.database, own.key_file) == (tmp_path / "playground.db", tmp_path / "playground.key")


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such modes")
@pytest.mark.parametrize(
    ("text", "mode", "shown"),
    [
        ("DISCORD_TOKEN=abc\n", 0o644, True),
        ("DISCORD_TOKEN=abc\n", 0o640, True),
        ("DISCORD_TOKEN=abc\n", 0o600, False),
        ("DISCORD_TOKEN=\n", 0o644, False),
    ],
)
def test_a_file_with_the_token_that_others_may_read_is_known(
    env_file: EnvFile, text: str, mode: int, shown: bool
) -> None:
    path = env_file(text)
    path.chmod(mode)
    assert shows_token(path) is shown


def test_a_missing_file_shows_nothing(tmp_path: Path) -> None:
    assert not shows_token(tmp_path / ".env")


@pytest.mark.parametrize(
    "line", ['DISCORD_TOKEN="secret-word', "CHAIPO_PORT", "DISCORD_TOKEN secret-word", "DISCORD_TOKEN: secret-word"]
)
def test_a_line_that_cannot_be_read_is_refused_by_its_number(line: str, env_file: EnvFile) -> None:
    path = env_file(f"# first\n\n\n{line}\n")
    assert refusal({}, path) == f"{path}, line 4 cannot be read. Write VARIABLE=value"


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_bytes("CHAIPO_DATABASE=チャイポ.db".encode("shift_jis"))
    assert refusal({}, path) == f"{path} is not UTF-8 text. Save it as UTF-8"


def test_a_folder_in_the_place_of_the_file_is_refused(tmp_path: Path) -> None:
    assert refusal({}, tmp_path).startswith(f"{tmp_path} cannot be read (")


def test_the_example_file_has_every_variable_and_no_other() -> None:
    named = re.findall(r"^(\w+)=", EXAMPLE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert named == list(VARIABLES)


def test_the_example_file_holds_the_defaults() -> None:
    assert load_settings({}, EXAMPLE) == Settings()


def test_the_example_file_explains_each_variable_in_both_languages() -> None:
    for paragraph in EXAMPLE.read_text(encoding="utf-8").strip().split("\n\n")[1:]:
        english, japanese, assignment = paragraph.splitlines()
        assert english.startswith("# ")
        assert english.isascii()
        assert re.match(r"# .*[ぁ-ん]", japanese)
        assert "=" in assignment
