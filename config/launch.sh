# Sourced by ./kymo: starts Kymo's Java with the environment that the script was started with, and
# tells it in KYMO_LAUNCH what Java itself would change, or could not find out: see Inherited.java.

# Standard input, output and error that are closed are opened: else Java's own files would take
# their numbers. To be called first.
closed=""
open_standard_files() {
  [ -d "/proc/$$/fd" ] || return 0
  [ -e "/proc/$$/fd/0" ] || { closed=0 && exec </dev/null; }
  [ -e "/proc/$$/fd/1" ] || { closed="$closed${closed:+,}1" && exec >/dev/null; }
  # Where it is closed, bash has left the script open there.
  [ -e "/proc/$$/fd/2" ] && [ ! "/proc/$$/fd/2" -ef "$0" ] || { closed="$closed${closed:+,}2" && exec 2>/dev/null; }
}

# Asks the kernel what this shell was started with, with builtins only. A shell ignores more signals
# than its children, of which the one in brackets is one.
launch_facts() {
  local name value open="" file ignored
  ignored=$(while read -r name value; do
    [ "$name" != SigIgn: ] || echo "$value"
  done </proc/self/status)
  for file in /proc/$$/fd/*; do
    case ${file##*/} in
      0 | 1 | 2 | 255) ;; # 255 is the script itself
      *) [ ! -e "$file" ] || open="$open${open:+,}${file##*/}" ;;
    esac
  done
  facts="ignored=$ignored files=$(ulimit -Sn) open=$open closed=$closed"
}

# Java takes the current folder's name for text, and knows none that is not UTF-8; it does not
# start at all in one that was deleted.
find_folder() {
  folder=()
  if ! pwd -P >/dev/null 2>&1 && exec {deleted}<.; then
    cd / 2>/dev/null
    facts="$facts folder=$deleted"
    folder=("-Duser.dir=/proc/$$/fd/$deleted")
    return
  fi
  case $PWD in
    *[!\ -~]*) printf %s "$PWD" | iconv -f UTF-8 -t UTF-8 >/dev/null 2>&1 || folder=("-Duser.dir=/proc/$$/cwd") ;;
  esac
}

# launch JAVA ARGUMENT...
launch() {
  local entries entry list=() java=$1 facts folder deleted
  shift
  if ! mapfile -d '' -t entries 2>/dev/null <"/proc/$$/environ"; then
    exec "$java" "$@" # no /proc, or an old bash
  fi
  launch_facts
  find_folder
  for entry in "${entries[@]}"; do
    case $entry in
      KYMO_LAUNCH=* | KYMO_GIVEN_*) ;;
      LC_ALL=*) list+=("KYMO_GIVEN_$entry") ;;
      ?*=*) list+=("$entry") ;;
    esac
  done
  # Names of files are bytes, and mostly UTF-8, whatever the locale is.
  exec -c /usr/bin/env -- LC_ALL=C.UTF-8 "KYMO_LAUNCH=$facts" "${list[@]}" "$java" "${folder[@]}" "$@"
}
