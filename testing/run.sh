# Sourced by ./test: the groups of tests, the tools that tests need, what a run took, and what it left.

groups_table=testing/groups
run=$$-$(date +%s)

# Names of all groups, one a line.
all_groups() { sed -n 's/^\([a-z0-9]\+\) .*/\1/p' $groups_table; }

# Groups with a folder in which the commits of the last hours changed something.
touched_groups() {
  local since changed name folders folder
  since=$(git rev-list -1 --before="${KYMO_SINCE:-4 hours ago}" HEAD)
  changed=$(git diff --name-only "${since:-$(git rev-list --max-parents=0 HEAD)}" HEAD)
  while read -r name folders; do
    for folder in $folders; do
      if grep -q "^$folder/" <<<"$changed"; then
        echo "$name"
        break
      fi
    done
  done < <(grep '^[a-z]' $groups_table)
}

# modules_of GROUP...: modules with a test in one of them, with commas.
modules_of() {
  local tags=() group file
  for group in "$@"; do tags+=(-e "@Tag(\"$group\")"); done
  grep -rlF --include='*Test.java' "${tags[@]}" format recording integrations optional events examples reading session cli testing |
    sed 's|/src/test/.*||' | sort -u | paste -sd,
}

# one_by_one MINUTES GROUP...: runs groups as long as another one is likely to end in time; names the others.
one_by_one() {
  local end=$((SECONDS + $1 * 60)) group late="" failed=0
  shift
  for group in "$@"; do
    if [ $((end - SECONDS)) -lt 600 ]; then
      late="$late $group"
    else
      ./test "$group" || failed=1
    fi
  done
  [ -z "$late" ] || echo "test: no time was left for:$late"
  return $failed
}

# install_tools MODE GROUP...: installs what tests need, where it may.
install_tools() {
  local mode=$1
  shift
  local missing="" java arm64
  need() { command -v "$1" >/dev/null || missing="$missing $2"; }
  need gcc "gcc libc6-dev"
  need make make
  need aarch64-linux-gnu-gcc "gcc-aarch64-linux-gnu libc6-dev-arm64-cross"
  need babeltrace2 babeltrace2
  need g++ g++
  case " $mode $* " in
    *" all "* | *" plain "*) need gfortran gfortran && need go golang-go && need rustc rustc ;;
  esac
  need gdb gdb
  need lintian lintian
  need musl-gcc musl-tools
  need otf2-print otf2-tools
  need perf linux-perf
  need pigz pigz
  need pj_dump pajeng
  need pkg-config pkg-config
  need protoc protobuf-compiler
  need qemu-x86_64 qemu-user
  need sqlite3 sqlite3
  need strace strace
  need trace-cmd trace-cmd
  need uftrace uftrace
  need valgrind valgrind
  [ -e /usr/include/zlib.h ] || missing="$missing zlib1g-dev"
  [ -e /usr/include/openssl/ssl.h ] || missing="$missing libssl-dev"
  need lttng lttng-tools
  ls /usr/include/*/lttng/tracepoint.h >/dev/null 2>&1 || missing="$missing liblttng-ust-dev"
  need lttng-cputop "python3-lttnganalyses babeltrace"
  need chromium "chromium fonts-dejavu-core"
  need chromium-headless-shell chromium-headless-shell
  [ -n "$(ls -d /usr/lib/jvm/*17* 2>/dev/null)" ] || missing="$missing openjdk-17-jdk-headless"
  [ -n "$(ls /usr/lib*/libdw.so.1 /usr/lib/*/libdw.so.1 2>/dev/null)" ] || missing="$missing libdw1"
  if [ -n "$missing" ]; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
      echo "test: installing$missing"
      { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing; } \
        >build-tools.log 2>&1 || echo "test: could not install$missing, see build-tools.log; what needs them is skipped by name"
    else
      echo "test: not installed, what needs them is skipped by name:$missing"
    fi
  fi
  case " $mode $* " in *" all "* | *" arm64 "* | *" packages "* | *" release "* | *" stress "*) ;; *) return 0 ;; esac
  for java in 17 25; do
    arm64=testing/e2e/target/arm64-java-$java
    if [ ! -e $arm64 ] && command -v apt-get >/dev/null && [ "$(uname -m)" = x86_64 ]; then
      sh config/arm64-java.sh $arm64 $java >>build-tools.log 2>&1 ||
        { rm -rf $arm64; echo "test: no Java $java for ARM64, see build-tools.log"; }
    fi
  done
}

# report_times SECONDS MODE: the slowest classes; names those outside the groups that take too much processor time, and
# fails if it is far too much.
report_times() {
  local all user system
  all=$(find . -name node_modules -prune -o -path '*/target/test-times/*.tsv' -exec cat {} + | sort -t "$(printf '\t')" -k2,2nr)
  times >.left-times # not in a pipe, whose shell would have no children yet
  read -r user system < <(tail -n 1 .left-times | sed 's/[0-9.]*s//g; s/m//g')
  rm -f .left-times
  echo
  echo "test: the slowest classes"
  printf '%9s %9s %6s %7s  %s\n' elapsed processor kymo others class
  awk -F'\t' '
    NR <= 20 { printf "%8.1fs %8.1fs %6d %7d  %s\n", $2 / 1000, $3 / 1000, $4, $5, $1 }
    { elapsed += $2; processor += $3; kymo += $4; others += $5 }
    END {
      printf "%8.1fs %8.1fs %6d %7d  all %d classes\n", elapsed / 1000, processor / 1000, kymo, others, NR
    }' <<<"$all"
  echo "test: in all $(($1 / 60)) min $(($1 % 60)) s elapsed, $user min of processor time in programs, $system in the kernel"
  [ $2 = usual ] || return 0
  # What a class takes differs by a quarter from run to run, and much more from processor to processor.
  awk -F'\t' -v most=60000 '
    { all += $3; processor[$1] = $3 }
    END {
      far = all / 18 > 1.25 * most ? all / 18 : 1.25 * most
      for (class in processor) if (processor[class] > most) {
        printf "test: takes more than 60 s of processor time outside a group of testing/groups: class=%s seconds=%d\n", class, processor[class] / 1000
        if (processor[class] > far) failed = 1
      }
      exit failed
    }' <<<"$all"
}

# What tests may leave, one a line, for a comparison of before and after.
find_left() {
  local own
  own=/dev/shm/kymo-$(id -u) # where recordings come and go; what is in it counts
  find /tmp /dev/shm -mindepth 1 -maxdepth 1 -user "$(id -u)" ! -path "$own" \
    \( -name '*kymo*' -o -name 'junit*' -o -name '*.so' -o -name 'lttng*' -o -name '*.jfr' -o -name '*.aot' \) \
    2>/dev/null || true
  find "$own" -mindepth 1 -maxdepth 1 2>/dev/null || true
  find /sys/kernel/tracing/instances /sys/kernel/debug/tracing/instances /run/netns -mindepth 1 -maxdepth 1 2>/dev/null || true
  git status --porcelain --untracked-files=no 2>/dev/null | sed 's/^/source /' || true
}

# Processes of a run of the tests, this one (=) or another (!=), one a line.
processes_of_run() {
  local file found
  for file in /proc/[0-9]*/environ; do
    found=$({ tr '\0' '\n' <"$file" | sed -n 's/^KYMO_TEST_RUN=//p'; } 2>/dev/null) || continue
    [ -n "$found" ] && [ "$found" "$1" "$run" ] || continue
    file=${file%/environ}
    echo "process ${file##*/}: $({ tr '\0' ' ' <"$file/cmdline"; } 2>/dev/null)"
  done
}

# Names what this run has left; fails if there is anything.
report_left() {
  local left
  left=$(processes_of_run =)
  if [ -n "$(processes_of_run '!=')" ]; then
    echo "test: other tests are running, so only processes were looked for afterwards"
  else
    left+=$'\n'$(find_left | sort | comm -13 <(sort .left-before) -)
  fi
  rm -f .left-before
  left=$(grep . <<<"$left" || true)
  [ -z "$left" ] || { echo "test: the tests have left:" && echo "$left"; return 1; }
}

# report_not_run MODE GROUP...: the groups that were not run.
report_not_run() {
  local mode=$1 left
  shift
  case $mode in
    all) return 0 ;;
    groups) left=$(all_groups | grep -vx "$(printf '%s\n' "$@")" || true) ;;
    *) left=$(all_groups) ;;
  esac
  [ -z "$left" ] || echo "test: not run: $(xargs <<<"$left"); ./test all runs them, ./test GROUP one"
  [ "$mode" != fast ] || echo "test: not run either: checks, and tests tagged slow, kernel, peer or browser"
}
