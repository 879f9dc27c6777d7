"""The commit that a version names: from an image's file, a checkout or a worktree of it."""

from pathlib import Path

import pytest

from bot.base.installation import command_of, commit_of

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def checkout(folder: Path, head: str) -> Path:
    """A repository as far as the commit is looked for."""
    repository = folder / ".git"
    repository.mkdir(parents=True)
    (repository / "HEAD").write_text(f"{head}\n", encoding="utf-8")
    return repository


def loose(folder: Path) -> Path:
    repository = checkout(folder, "ref: refs/heads/main")
    (repository / "refs/heads").mkdir(parents=True)
    (repository / "refs/heads/main").write_text(f"{COMMIT}\n", encoding="utf-8")
    return repository


def packed(folder: Path) -> Path:
    repository = checkout(folder, "ref: refs/heads/main")
    (repository / "packed-refs").write_text(
        f"# pack-refs\n{'f' * 40} refs/heads/x/refs/heads/main2\n{COMMIT} refs/heads/main\n", encoding="utf-8"
    )
    return repository


def detached(folder: Path) -> Path:
    return checkout(folder, COMMIT)


def worktree(folder: Path) -> Path:
    repository = loose(folder)
    part = repository / "worktrees/other"
    part.mkdir(parents=True)
    (part / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    (part / "commondir").write_text("../..\n", encoding="utf-8")
    file = folder / "file"
    file.write_text(f"gitdir: {part}\n", encoding="utf-8")
    return file


@pytest.mark.parametrize("make", [loose, packed, detached, worktree])
def test_a_checkout_knows_its_commit(make: object, tmp_path: Path) -> None:
    assert callable(make)
    assert commit_of(tmp_path / "none", make(tmp_path)) == COMMIT[:10]


def test_an_image_has_a_file_with_its_commit(tmp_path: Path) -> None:
    (tmp_path / "_commit").write_text(COMMIT, encoding="ascii")
    assert commit_of(tmp_path / "_commit", tmp_path / "none") == COMMIT[:10]


def test_no_repository_and_a_strange_one_have_no_commit(tmp_path: Path) -> None:
    assert commit_of(tmp_path / "none", tmp_path / "none") == ""
    assert commit_of(tmp_path / "none", checkout(tmp_path, "ref: refs/heads/nowhere")) == ""


@pytest.mark.parametrize(
    ("argv", "command"),
    [
        (["python", "-m", "bot", "move-out"], "python -m bot"),
        ([".venv/bin/python", "-m", "bot"], ".venv/bin/python -m bot"),
        ([r"C:\My clone\.venv\Scripts\python", "-m", "bot"], r'"C:\My clone\.venv\Scripts\python" -m bot'),
        ([".venv/bin/python", "-m", "pytest"], "python -m bot"),
        ([".venv/bin/python", "-c", "..."], "python -m bot"),
    ],
)
def test_messages_call_the_command_line_as_it_was_called(argv: list[str], command: str) -> None:
    assert command_of(argv) == command
