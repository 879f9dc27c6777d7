#!/usr/bin/env bash
# Install a wheel in a fresh environment and start it: start-wheel.sh FILE.whl
# It has to name its version, score a hand and show the playground's first page.
set -euo pipefail
wheel="$(realpath "$1")"
folder="$(mktemp --directory)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"${PYTHON:-python3}" -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check --only-binary=:all: "$wheel[playground]"
export HOME="$folder/home" CHAIPO_PORT=0
mkdir "$HOME"
venv/bin/chaipo --version
venv/bin/chaipo score QsQd2c/5c5d5h9s9c/AhKhQhJhTh KsKd2d/3h3s4h4c6c/8s8d8c7c7d

venv/bin/chaipo > page.log 2>&1 &
bot=$!
for _ in $(seq 60); do
  address="$(grep --only-matching --max-count=1 'http://[^ ]*' page.log || true)"
  [[ -n "$address" ]] && curl --silent --fail --output page.html "$address" && break
  sleep 1
done
[[ -s page.html ]] || { cat page.log; exit 1; }
kill -INT "$bot"
wait "$bot"
echo "The playground's page has $(wc --bytes < page.html) bytes."
