#!/bin/sh
# Installs locked requirements into a virtual environment: deploy/install.sh .venv/bin/python requirements.txt
# It shows the package that pip has got to. pip itself prints either nothing for most of a minute, or several lines per package.
set -u
python="$1" requirements="$2"
total="$(grep -c == "$requirements")"
# On a terminal, each line replaces the one before.
if [ -t 1 ]; then before='\r\033[K' after=''; else before='' after='\n'; fi

# No source is built, because that would fetch its tools without hashes. Nothing is compiled, because most modules are never used.
{
  "$python" -m pip install --disable-pip-version-check --progress-bar off --require-hashes --only-binary=:all: --no-compile \
    -r "$requirements" || echo "failed"
} | {
  count=0 status=0
  while read -r word package rest; do
    case "$word" in
      Ignoring) total=$((total - 1)) ;;
      Collecting) count=$((count + 1)); printf "$before  %d of %d: %s$after" "$count" "$total" "${package%%==*}" ;;
      Processing) count=$((count + 1)); package="${package##*/}"; printf "$before  %d of %d: %s$after" "$count" "$total" "${package%%-*}" ;;
      Installing) printf "$before  Unpacking %d packages ...$after" "$count" ;;
      failed) status=1 ;;
    esac
  done
  [ "$after" ] || printf '%b' "$before"
  exit "$status"
}
