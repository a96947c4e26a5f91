#!/bin/sh
# Fails when a file of libkymo includes what lies above it, or files include each other in a circle: see README.md.
# Prints what is wrong; a file and its header count as one.
set -eu
cd "$(dirname "$0")"
pairs=$(awk '
  BEGIN {
    count = split("base shared events calls control api libc threads messages", folders)
    for (i = 1; i <= count; i++) level[folders[i]] = i
  }
  /^#include "/ {
    from = FILENAME; sub(/^src\//, "", from); sub(/\.[ch]$/, "", from)
    to = $2; gsub(/"|\.h"?$/, "", to)
    if (to == "kymo") next
    folder = from; sub(/\/.*/, "", folder)
    if (to !~ /\//) to = folder "/" to
    other = to; sub(/\/.*/, "", other)
    if (!(other in level) || level[other] > level[folder]) {
      print FILENAME ":" FNR ": " folder " is below " other > "/dev/stderr"
      wrong = 1
    }
    if (from != to) print from, to
  }
  END { exit wrong }
' src/*/*.[ch] threads/*.[ch] messages/*.[ch])
printf '%s\n' "$pairs" | tsort >/dev/null
