#!/bin/sh
# Runs a step of the viewer's build for Maven. Without Node it says so, and the rest of Kymo is built anyway.
if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
  echo "viewer: step=$1 left out: no node or npm; install Node 20.19 or later (Debian: nodejs npm)."
  exit 0
fi
# ./kymo begins with it before Maven does: one waits for the other.
exec 9<. && { flock 9 2>/dev/null || true; }
case $1 in
  install) exec node build/install.mjs ;;
  build)
    built=target/built
    if [ -e "$built" ] && [ -e dist ] && [ -z "$(find src public build ./*.html ./*.json ./*.ts -newer "$built" -print -quit)" ]; then
      exit 0
    fi
    node build/build.mjs && mkdir -p target && touch "$built"
    ;;
  test | lint | unit) exec npm run --silent "$1" ;;
  *) echo "viewer: no such step: step=$1" && exit 2 ;;
esac
