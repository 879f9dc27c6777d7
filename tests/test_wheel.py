"""The wheel on an empty machine: it contains all its read-only files, and writes to its user's folder."""

from __future__ import annotations

import hashlib
import os
import re
import signal
import subprocess
import sys
import sysconfig
import urllib.request
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from importlib import metadata
from pathlib import Path

import pytest

from bot import __version__
from bot.base.installation import HOME
from bot.base.settings import VARIABLES

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="the paths are those of POSIX")]

ROWS = ("QsQd2c/5c5d5h9s9c/AhKhQhJhTh", "KsKd2d/3h3s4h4c6c/8s8d8c7c7d")


def built(folder: Path) -> Path:
    """The wheel, built into a folder."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=HOME, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module", params=["lent", pytest.param("installed", marks=pytest.mark.deep)])
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the installed wheel's command, in an environment with a server's requirements.

    Unpacking the requirements takes most of the time, so links to the same packages here replace them.
    """
    folder = tmp_path_factory.mktemp("machine")
    wheel = built(folder / "dist")
    python = folder / "venv/bin/python"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / "venv")], check=True)
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check"]
    install = [*pip, "install", "--no-compile"]
    if request.param == "installed":
        locked = ["--require-hashes", "-r", str(HOME / "requirements.txt")]
        subprocess.run([*install, *locked], check=True, capture_output=True)
    else:
        lend(folder / "venv")
    subprocess.run([*install, "--no-deps", "--no-index", str(wheel)], check=True, capture_output=True)
    return folder / "venv/bin/chaipo"


def lend(venv: Path) -> None:
    """Link all that is locked for a server into an environment, and nothing else."""
    (packages,) = venv.glob("lib/*/site-packages")
    named = re.findall(r"^([\w.-]+)==(\S+)", (HOME / "requirements.txt").read_text(encoding="utf-8"), re.MULTILINE)
    lent = 0
    for name, locked in named:
        with suppress(metadata.PackageNotFoundError):  # Requirements of other systems and Python versions.
            package = metadata.distribution(name)
            assert package.version == locked
            lent += 1
            for part in {Path(file).parts[0] for file in package.files or ()} - {"..", "__pycache__"}:
                if not (packages / part).exists():
                    (packages / part).symlink_to(str(package.locate_file(part)))
    assert lent > len(named) // 2


def somebody(home: Path) -> dict[str, str]:
    """Return the environment of a user without settings."""
    ours = {name for name in os.environ if name in VARIABLES or name.startswith(("XDG_", "PYTHON"))}
    return {name: value for name, value in os.environ.items() if name not in ours} | {"HOME": str(home)}


def run(program: Path, *arguments: str, environ: Mapping[str, str], cwd: Path) -> subprocess.CompletedProcess[str]:
    """One command line, done."""
    command = [str(program), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd, env=environ)


def test_the_same_files_make_the_same_wheel(tmp_path: Path) -> None:
    first, second = (hashlib.sha256(built(tmp_path / name).read_bytes()).hexdigest() for name in ("a", "b"))
    assert first == second


def test_the_wheel_claims_no_name_but_its_own(tmp_path: Path) -> None:
    names = {Path(name).parts[0] for name in zipfile.ZipFile(built(tmp_path)).namelist()}
    assert names == {"chaipo", f"chaipo-{__version__}.dist-info"}


def test_another_package_called_bot_does_not_take_its_place(program: Path, tmp_path: Path) -> None:
    (tmp_path / "others/bot").mkdir(parents=True)
    (tmp_path / "others/bot/__init__.py").write_text("raise SystemExit('another bot')\n", encoding="utf-8")
    environ = somebody(tmp_path) | {"PYTHONPATH": str(tmp_path / "others")}
    done = run(program, "--version", environ=environ, cwd=tmp_path)
    assert (done.stdout, done.stderr) == (f"chaipo {__version__}\n", "")


def test_the_wheel_needs_what_a_server_installs(program: Path, tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--python", str(program.with_name("python")), "check"]
    done = subprocess.run(pip, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stdout.strip()) == (0, "No broken requirements found.")


def test_an_installed_bot_knows_its_games_and_its_sentences(program: Path, tmp_path: Path) -> None:
    environ = somebody(tmp_path)
    assert run(program, "--version", environ=environ, cwd=tmp_path).stdout == f"chaipo {__version__}\n"
    commands = [
        ["games"],
        ["score", *ROWS],
        ["puzzles"],
        ["arrange", "--variant", "pineapple", "AsKsQsJsTs9h9d9c2d2c4h5h6h7c"],
    ]
    # One process for all commands, because each would load the whole bot.
    code = f"from chaipo.__main__ import main\nfor command in {commands}: print('ended with', main(command))"
    done = run(program.with_name("python"), "-c", code, environ=environ, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("ended with 0\n") == len(commands)


def test_without_the_playground_one_line_says_what_to_install(program: Path, tmp_path: Path) -> None:
    done = run(program, environ=somebody(tmp_path), cwd=tmp_path)
    assert done.returncode == 78
    (line,) = done.stderr.splitlines()
    assert "install chaipo[playground]" in line
    assert str(tmp_path / ".local/share/chaipo/.env") in line
    assert not (tmp_path / ".local/share/chaipo").exists()


def test_an_installed_playground_opens_and_keeps_its_tables_in_the_users_folder(program: Path, tmp_path: Path) -> None:
    # The tests' own environment provides the playground's requirements.
    environ = somebody(tmp_path) | {"PYTHONPATH": sysconfig.get_path("purelib"), "CHAIPO_PORT": "0"}
    (elsewhere := tmp_path / "elsewhere").mkdir()
    with subprocess.Popen([str(program)], cwd=elsewhere, env=environ, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = next(found[0] for line in process.stdout if (found := re.search(r"http://\S+", line)))
        with urllib.request.urlopen(address) as page:
            assert page.status == 200
        process.send_signal(signal.SIGINT)
        process.stdout.read()
    assert process.returncode == 0
    kept = {path.name for path in (tmp_path / ".local/share/chaipo").iterdir()}
    assert {"playground.db", "playground.key"} <= kept
    assert not list(elsewhere.iterdir())
