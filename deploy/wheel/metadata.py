"""Metadata that depends on where the project is hosted: links of the package page.

``CHAIPO_REPOSITORY`` is the repository's address, such as ``https://example.org/club/chaipo``. The release workflow
sets it, so that a fork's package links to the fork. Without it, the package has no project links, and the README's
links stay relative.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

REPOSITORY = "CHAIPO_REPOSITORY"
_LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^\]]*)\]\((?P<path>(?!https?:|#)[^)\s]+)\)")


class LinkedMetadata(MetadataHookInterface):
    """Fills in ``readme`` and ``urls``."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the fields from the README and the environment."""
        readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        address = os.environ.get(REPOSITORY, "").rstrip("/")
        if address:
            readme = linked(readme, address, tag=f"v{_version(Path(self.root))}")
        metadata["readme"] = {"content-type": "text/markdown", "text": readme}
        metadata["urls"] = project_urls(address) if address else {}


def linked(readme: str, address: str, *, tag: str) -> str:
    """Return the README with absolute links to files and pictures of ``tag``."""

    def absolute(link: re.Match[str]) -> str:
        kind = "raw" if link["image"] else "blob"
        return f"{link['image']}[{link['text']}]({address}/{kind}/{tag}/{link['path']})"

    return _LINK.sub(absolute, readme)


def project_urls(address: str) -> dict[str, str]:
    """Return the links beside the package page."""
    return {
        "Repository": address,
        "Documentation": f"{address}/tree/main/docs",
        "Changelog": f"{address}/blob/main/CHANGELOG.md",
        "Issues": f"{address}/issues",
    }


def _version(root: Path) -> str:
    found = re.search(r'^__version__ = "(.+)"$', (root / "bot/__init__.py").read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None
    return found[1]
