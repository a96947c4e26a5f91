#!/bin/sh
# aot-cache.sh JDK INSTALLATION: makes the caches that ./kymo begins with (-XX:AOTCache), one for what
# records and one for what reads, by running both once. Without profiles: with them the compilers
# are busy at once with what will hardly run.
jdk=$1
kymo=$(cd "$2" && pwd) # with another path than later, Java would not know where its classes are from
cache() {
  rm -f "$kymo/$1.aot"
  env -u JAVA_TOOL_OPTIONS "$jdk/bin/java" -XX:AOTCacheOutput="$kymo/$1.new" -XX:+UnlockDiagnosticVMOptions \
    -XX:-AOTRecordTraining -XX:+UseSerialGC -Djdk.util.jar.enableMultiRelease=false \
    -Djava.library.path="$kymo/native" -Djdk.console=java.base --enable-native-access=ALL-UNNAMED \
    -cp "$kymo/lib/*" dev.kymo.cli.Training "$1" >"$kymo/$1.log" 2>&1 &&
    mv "$kymo/$1.new" "$kymo/$1.aot" ||
    echo "no cache for kymo's first second: see $kymo/$1.log"
}
cache record &
cache read
wait
