"""Subjects of commits fit on a line."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from bot.base.installation import HOME

BASE = "32139582a6466ea2356893febe393269cb532c92"
"""The last commit before subjects were checked."""
MAX_SUBJECT_LENGTH = 72


def git(folder: Path, *arguments: str) -> str:
    """Return the output of git; empty if it fails."""
    author = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", *author, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def subjects_since(base: str, folder: Path) -> list[str] | None:
    """Return the subjects after ``base``, without merges; None if the checkout doesn't reach back so far."""
    if not git(folder, "rev-parse", "--verify", "--quiet", f"{base}^{{commit}}"):
        return None
    return git(folder, "log", "--no-merges", "--format=%s", f"{base}..HEAD").splitlines()


def too_long(subjects: list[str]) -> list[str]:
    """Return the subjects that don't fit."""
    return [subject for subject in subjects if len(subject) > MAX_SUBJECT_LENGTH]


@pytest.mark.prose
def test_subjects_of_commits_fit_on_a_line() -> None:
    if not git(HOME, "rev-parse", "HEAD"):
        pytest.skip("no subject was seen: this isn't a clone")
    subjects = subjects_since(BASE, HOME)
    if subjects is None and git(HOME, "rev-parse", "--is-shallow-repository") == "true":
        pytest.skip("no subject was seen: the clone is shallow")
    assert subjects is not None, f"{BASE} is not in the history: name another base"
    assert subjects, f"no subject was seen after {BASE}"
    assert too_long(subjects) == []


def test_a_long_subject_is_seen_after_the_base_and_only_there(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    long, short = "Move " + "x" * 68, "Move " + "x" * 67
    git(tmp_path, "commit", "--quiet", "--allow-empty", "-m", f"Before {long}")
    base = git(tmp_path, "rev-parse", "HEAD")
    for subject in (short, long):
        git(tmp_path, "commit", "--quiet", "--allow-empty", "-m", subject)
    subjects = subjects_since(base, tmp_path)
    assert subjects == [long, short]
    assert too_long(subjects) == [long]


def test_a_shallow_clone_says_that_it_saw_none(tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    whole.mkdir()
    git(whole, "init", "--quiet")
    for subject in ("One", "Two", "Three"):
        git(whole, "commit", "--quiet", "--allow-empty", "-m", subject)
    base = git(whole, "rev-parse", "HEAD~2")
    git(tmp_path, "clone", "--quiet", "--depth=1", whole.as_uri(), "shallow")
    assert git(tmp_path / "shallow", "log", "--format=%s") == "Three"
    assert subjects_since(base, tmp_path / "shallow") is None
    assert subjects_since(base, whole) == ["Three", "Two"]
