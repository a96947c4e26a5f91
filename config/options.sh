# Sourced by ./kymo and by the program of the packages: what Java is started with for each command.

# Runs the command unrecorded where Java itself would not have the files that it opens.
unrecorded_without_files() {
  local most word
  most=$(ulimit -Hn)
  [ "$most" != unlimited ] && [ "$most" -lt 64 ] || return 0
  while [ $# -gt 0 ]; do
    word=$1
    shift
    if [ "$word" = -- ] && [ $# -gt 0 ]; then
      echo "kymo: nothing recorded: this shell may open $most files (ulimit -n), recording needs 64" >&2
      exec "$@"
    fi
  done
}

# start JAVA INSTALLATION ARGUMENT...
start() {
  local java=$1 installed=$2 cache flags later
  shift 2
  [ "${1:-}" != record ] || unrecorded_without_files "$@"
  # Reading is over before the compiler's first stage pays off, but not the listing of some instructions, for which the
  # second one comes too late; a viewer's memory is kept small.
  # Recording mostly copies, in C: what the second compiler would gain it never earns back. Kernel events are merged and
  # decoded. These, and exports, leave to the second compiler what runs very often only.
  later="-XX:Tier4InvocationThreshold=50000 -XX:Tier4MinInvocationThreshold=20000"
  later="$later -XX:Tier4CompileThreshold=100000 -XX:Tier4BackEdgeThreshold=400000"
  case "${1:-}" in
    info | report | replay | print | slice | diff)
      cache=read flags="-XX:-TieredCompilation -Xmx${KYMO_HEAP:-512m}"
      case " $* " in
        " print "*" --instructions"* | " print "*" --data"*) flags="-XX:TieredStopAtLevel=1 -Xmx${KYMO_HEAP:-512m}" ;;
        " print "*" --points"*) flags="-Xmx${KYMO_HEAP:-512m}" ;;
      esac
      ;;
    export) cache=read flags="-Xmx${KYMO_HEAP:-512m} $later" ;;
    import) cache=record flags="-Xmx${KYMO_HEAP:-384m}" ;; # in all it is below 512 MB then
    query | check | mcp) cache=read flags="-Xmx${KYMO_HEAP:-192m}" ;;
    view | index) cache=read flags="-Xmx${KYMO_HEAP:-220m}" ;;
    record | demo)
      cache=record flags="-Xmx${KYMO_HEAP:-512m}"
      case " $* " in
        " demo "* | *" --kernel"* | *" --want-kernel"*)
          flags="$flags $later"
          ;;
        *" --instructions"*) ;; # afterwards calls are found in them
        *) flags="$flags -XX:TieredStopAtLevel=1" ;;
      esac
      ;;
    -*) cache=record flags="-XX:TieredStopAtLevel=1" ;;
    *) cache=record flags="-Xmx${KYMO_HEAP:-512m}" ;;
  esac
  # What a virtual machine wants to have in its core files, the programs that it starts would have in theirs.
  case "${1:-}" in
    record | demo) flags="$flags -XX:+UnlockDiagnosticVMOptions -XX:-DumpPrivateMappingsInCore -XX:-DumpSharedMappingsInCore" ;;
  esac
  # Another JDK than that of the build does without the cache; Java is not to say so in our output. Of zstd's two ways into
  # C, that for all versions of Java takes a tenth of the other one's time to begin; its library lies unpacked.
  launch "$java" -XX:+UseSerialGC -Xlog:disable -XX:AOTCache="$installed/$cache.aot" $flags \
    -Djdk.util.jar.enableMultiRelease=false -Djava.library.path="$installed/native" \
    -Djdk.console=java.base --enable-native-access=ALL-UNNAMED -cp "$installed/lib/*" dev.kymo.cli.Main "$@"
}
