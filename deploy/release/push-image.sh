#!/usr/bin/env bash
# Push the image for amd64 and arm64 by digest, with SBOM and provenance and without a tag: push-image.sh OWNER/NAME
# Writes its name and digest to $GITHUB_OUTPUT.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
name="ghcr.io/${1,,}" # the registry takes lower case only
echo "$GITHUB_TOKEN" | docker login ghcr.io --username "$GITHUB_ACTOR" --password-stdin
docker run --privileged --rm tonistiigi/binfmt --install arm64
docker buildx create --use
docker buildx build --platform linux/amd64,linux/arm64 --build-arg REQUIREMENTS=requirements-postgres.txt \
  --build-arg COMMIT="$(git rev-parse HEAD)" --sbom=true --provenance=mode=max \
  --output "type=image,name=$name,push-by-digest=true,name-canonical=true,push=true" --metadata-file image.json .
{
  echo "name=$name"
  python3 -c 'import json; print("digest=" + json.load(open("image.json"))["containerimage.digest"])'
} >> "$GITHUB_OUTPUT"
