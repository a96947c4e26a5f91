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
  local deleted
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

# Leaves in an open file, given, what this shell was started with: for each variable its length in bytes, a colon, and
# NAME=VALUE. It must not stand in a command line, which all users of the machine can read. A shell changes variables of
# its own, so Java cannot take its environment for the one that a recorded program is to get.
keep_environment() {
  local entries entry text=""
  mapfile -d '' -t entries <"/proc/$$/environ" || return 1
  LC_ALL=C # for lengths in bytes
  for entry in "${entries[@]}"; do
    case $entry in
      KYMO_LAUNCH=*) ;;
      ?*=*) text+="${#entry}:$entry" ;;
    esac
  done
  # What a pipe cannot hold would lie in a temporary file.
  if [ ${#text} -gt 60000 ] || ! exec {given}<<<"$text"; then
    exec {given}< <(printf %s "$text")
  fi
} 2>/dev/null

# launch JAVA ARGUMENT...
launch() {
  local java=$1 facts folder given
  shift
  launch_facts
  if keep_environment; then
    find_folder
    export KYMO_LAUNCH="process=$$ environment=$given $facts"
    # Names of files are bytes, and mostly UTF-8, whatever the locale is.
    { export LC_ALL=C.UTF-8; } 2>/dev/null
    exec "$java" "${folder[@]}" "$@"
  fi
  exec "$java" "$@" # no /proc, or an old bash
}
