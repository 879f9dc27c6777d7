#!/usr/bin/env bash
# Build the image for this machine and start it as compose.yaml does, with a token that Discord can't know.
# It has to open its database and end with the sentence and the exit code of a refused token.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
docker build --build-arg REQUIREMENTS=requirements-postgres.txt --build-arg COMMIT="$(git rev-parse HEAD)" --tag chaipo:trial .
docker run --rm chaipo:trial python -m bot --version
refused=0
token="$(python3 -c 'import base64; print(base64.b64encode(b"1" * 18).decode() + ".trial." + "x" * 38)')"
docker run --rm --read-only --tmpfs /tmp --cap-drop ALL --volume /app/data/var --env "DISCORD_TOKEN=$token" chaipo:trial \
  2>&1 | tee trial.log || refused="${PIPESTATUS[0]}"
[[ "$refused" == 78 ]] || { echo "The image ended with $refused instead of 78." >&2; exit 1; }
grep --quiet "Discord does not accept DISCORD_TOKEN" trial.log
