"""``make sdk``: bundle Discord's SDK for Activities, as pinned by the lock file in ``page/sdk``.

It needs Node's ``npm`` and its registry, but only after changes. The lock file has each package's digest without an
address, so any registry gives the same result.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.page import SDK

PINNED = ("package.json", "package-lock.json", "entry.js")
BUNDLED = (
    *("node_modules/.bin/esbuild", "entry.js", "--bundle", "--minify", "--format=iife", "--target=es2020"),
    *("--legal-comments=none", "--log-level=warning"),
)


def bundle(npm: str) -> str:
    """The bundle, made in a folder that is gone afterwards."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        for one in PINNED:
            shutil.copy(SDK.parent / one, folder / one)
        install = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
        subprocess.run(install, cwd=folder, check=True)
        made = subprocess.run(BUNDLED, cwd=folder, check=True, capture_output=True, text=True)
    return made.stdout


def main() -> None:
    """Write it."""
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("npm is not installed: it comes with Node")
    SDK.write_text(bundle(npm), encoding="utf-8")
    print(f"wrote {SDK.name}: run make page")


if __name__ == "__main__":
    main()
