# Sourced by ./package: what differs from machine to machine. Uses $host, $arm64, $jdk, $built, $out
# and $time.

# choose MACHINE: sets what Debian's packages and folders call it, what its tools' names begin with, and where its Java is
# linked from, empty for this machine's own.
choose() {
  machine=$1 tools="" modules=""
  case $machine in
  x64) port=amd64 triple=x86_64-linux-gnu ;;
  arm64) port=arm64 triple=aarch64-linux-gnu ;;
  esac
  [ "$machine" = "$host" ] || { tools=$triple- modules=$arm64/jmods; }
}

# Kymo's own machine code for ARM64, in $out/code/own, and that of the libraries whose jars have it, in $out/code.
cross_compile() {
  local duckdb zstd
  mkdir -p "$out/code/own"
  make -s -C recording/native -j"$(nproc)" CC=aarch64-linux-gnu-gcc OUT="$out/code/own" JAVA_HOME="$jdk"
  rm -r "$out/code/own/objects"
  aarch64-linux-gnu-strip --strip-unneeded "$out"/code/own/*.so
  zstd=$(echo "$built"/lib/zstd-jni-*.jar)
  duckdb=$(echo "$built"/lib/duckdb-*.jar)
  duckdb=${duckdb##*/duckdb-}
  JAVA_HOME=$jdk mvn -q -pl cli dependency:copy "-Dartifact=org.duckdb:duckdb_jdbc:${duckdb%.jar}" "-DoutputDirectory=$out/code"
  (cd "$out/code" && "$jdk/bin/jar" -xf duckdb_jdbc-*.jar libduckdb_java.so_linux_arm64 && "$jdk/bin/jar" -xf "$zstd" linux/aarch64)
  # Where the agent is alone, it takes the library from its jar.
  mkdir "$out/code/aarch64"
  cp "$out/code/own/libkymo-agent.so" "$out/code/aarch64/"
  "$jdk/bin/jar" --update --no-compress --date "$time" --file "$out/kymo-agent.jar" -C "$out/code" aarch64/libkymo-agent.so
}

# use_cross_compiled FOLDER: puts them into a folder of the program, in place of this machine's. ARM64 does not have all.
use_cross_compiled() {
  local file made
  for file in "$1"/native/*.{so,a} "$1"/native/kymo-init "$1"/agent/*.so; do
    made=$(find "$out/code/own" "$out/code/linux" -name "${file##*/}")
    rm "$file"
    [ -z "$made" ] || install -m 644 "$made" "$file"
  done
  rm "$1"/lib/libduckdb_java.so_*
  cp "$out"/code/libduckdb_java.so_* "$1/lib/"
}
