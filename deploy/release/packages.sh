#!/usr/bin/env bash
# Build wheel and source archive of a tag, check them, and write notes, SBOM and checksums: packages.sh v1.0.0
# Writes dist/ and release/. Fails if the tag isn't the version or the changelog has no section for it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
version="${1#v}"

python3 -m venv .venv-release
bin="$PWD/.venv-release/bin"
"$bin/pip" install --quiet --disable-pip-version-check hatchling twine cyclonedx-bom
declared="$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' bot/__init__.py)"
[[ "$declared" == "$version" ]] || { echo "The tag says $version, and bot/__init__.py $declared." >&2; exit 1; }

mkdir -p release
awk -v v="$version" '/^## \[/ { on = index($0, "[" v "]") } on' CHANGELOG.md > release/notes.md
[[ -s release/notes.md ]] || { echo "CHANGELOG.md has no section [$version]." >&2; exit 1; }

# On the release's page the links have to lead into the repository.
PYTHONPATH=deploy/wheel "$bin/python" - "v$version" <<'EOF'
import os, sys
from pathlib import Path
from metadata import REPOSITORY, linked
notes = Path("release/notes.md")
address = os.environ.get(REPOSITORY, "").rstrip("/")
if address:
    notes.write_text(linked(notes.read_text(encoding="utf-8"), address, tag=sys.argv[1]), encoding="utf-8")
EOF

rm -rf dist
"$bin/python" -m hatchling build
mv dist release/first
"$bin/python" -m hatchling build
diff --recursive release/first dist || { echo "The same files made different packages." >&2; exit 1; }
rm -rf release/first
"$bin/twine" check --strict dist/*

# What a server installs, by the locked requirements.
"$bin/cyclonedx-py" requirements requirements.txt --output-reproducible --output-file release/chaipo.cdx.json
(cd dist && sha256sum -- *) > release/SHA256SUMS
cat release/SHA256SUMS
