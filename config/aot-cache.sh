#!/bin/sh
# aot-cache.sh JDK INSTALLATION: makes the caches that ./kymo begins with (-XX:AOTCache), one for what
# records and one for what reads, by running both once. Without profiles: with them the compilers
# are busy at once with what will hardly run.
jdk=$1
kymo=$2
for what in record read; do
  rm -f "$kymo/$what.aot"
  env -u JAVA_TOOL_OPTIONS "$jdk/bin/java" -XX:AOTCacheOutput="$kymo/$what.aot" -XX:+UnlockDiagnosticVMOptions \
    -XX:-AOTRecordTraining -XX:+UseSerialGC -Djdk.console=java.base --enable-native-access=ALL-UNNAMED \
    -cp "$kymo/lib/*" dev.kymo.cli.Training "$what" >"$kymo/$what.log" 2>&1 ||
    echo "no cache for kymo's first second: see $kymo/$what.log"
done
