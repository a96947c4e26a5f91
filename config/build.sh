# Sourced by ./kymo and ./test when something is to be built.

# The sentence that names what a machine lacks, with packages; nothing is downloaded before.
need_tools() {
  local missing=() node
  [ -n "${jdk:-}" ] || missing+=("$jdk_needed")
  command -v mvn >/dev/null || missing+=("Maven (package maven)")
  node=$(node --version 2>/dev/null) || node=""
  case $node in
    "") missing+=("Node.js 20.19 or later (package nodejs)") ;;
    v[0-9].* | v1[0-9].* | v20.[0-9].* | v20.1[0-8].*)
      missing+=("Node.js 20.19 or later (here is ${node#v}; nodejs.org has newer ones than Debian 12)") ;;
  esac
  command -v npm >/dev/null || missing+=("npm (package npm)")
  local c="gcc and make (packages gcc, libc6-dev and make)"
  if [ ${#missing[@]} -gt 0 ]; then
    command -v gcc >/dev/null && command -v make >/dev/null || missing+=("$c")
    local all=${missing[0]} each
    for each in "${missing[@]:1}"; do
      all="$all; $each"
    done
    echo "kymo: to build it, this machine lacks: $all" >&2
    exit 1
  fi
  command -v gcc >/dev/null && command -v make >/dev/null ||
    echo "kymo: this machine lacks $c: without them it does not record programs in C" >&2
}

# Shows how far Maven is, for as long as this shell is there.
show_progress() {
  local begin=$SECONDS shown="" line
  while kill -0 $$ 2>/dev/null; do
    sleep 0.5
    line=$(sed -n 's/^\[INFO\] Building \(Kymo[^0-9]*\) [0-9][^ ]* *\[\([0-9]*\)\/\([0-9]*\)\]$/part \2 of \3, \1/p' "$1" | tail -n 1)
    shown="kymo: building, $((SECONDS - begin)) s: ${line:-Maven begins}"
    printf '\r\033[K%s' "$shown" >&2
  done
}

# build SOURCES INSTALLED: builds what runs, without checks and tests, which are the affair of ./test.
build() {
  local here=$1 installed=$2 log=$1/build.log progress=""
  need_tools
  local why="which takes about a minute the first time: Maven and npm download 200 MB"
  [ ! -d "$here/reading/viewer/node_modules" ] || why="because its sources have changed"
  echo "kymo: building it, $why" >&2
  : >"$log"
  if [ -t 2 ]; then
    show_progress "$log" &
    progress=$!
  fi
  # While Maven still gets its plugins; it waits for both.
  (cd "$here/reading/viewer" && build/run.sh install && build/run.sh build) >/dev/null 2>&1 9<&- &
  JAVA_HOME=$jdk "$here/recording/native/build.sh" >/dev/null 2>&1 9<&- &
  local built=0
  # What the second compiler gains in a minute it has taken before.
  export MAVEN_OPTS="-XX:+UseSerialGC -XX:TieredStopAtLevel=1 ${MAVEN_OPTS:-}"
  (cd "$here" && JAVA_HOME=$jdk mvn -T 2 -pl cli,examples/shop -am -Dquick package) >"$log" 2>&1 || built=$?
  if [ -n "$progress" ]; then
    kill "$progress" && wait "$progress" 2>/dev/null || true
    printf '\r\033[K' >&2
  fi
  if [ $built != 0 ]; then
    echo "kymo: the build failed, see $log:" >&2
    grep -m 5 ERROR "$log" >&2 || true
    exit 1
  fi
  rm -f "$log"
  echo "$jdk" >"$installed/.built"
  # What the next commands begin with: this one begins without, rather than wait.
  setsid nice "$here/config/aot-cache.sh" "$jdk" "$installed" </dev/null >/dev/null 2>&1 9<&- &
}
