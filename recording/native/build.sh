#!/bin/sh
# Builds libkymo where there is a C compiler; elsewhere Kymo is complete except for native programs.
set -eu
cd "$(dirname "$0")"
missing=""
command -v cc >/dev/null || missing="$missing gcc"
command -v make >/dev/null || missing="$missing make"
if [ -n "$missing" ]; then
  echo "libkymo is skipped, not installed:$missing" >&2
  exit 0
fi
# ./kymo begins with it before Maven does: one waits for the other.
exec 9<. && { flock 9 2>/dev/null || true; }
exec make -s -j"$(nproc)"
