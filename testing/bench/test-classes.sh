# Sourced by benchmarks that are test classes of a module: `./kymo` does not compile those.
# compile_tests MODULE: with $here, the source tree, and $jdk.
compile_tests() {
  (cd "$here" && JAVA_HOME=$jdk mvn -q -pl "$1" -am -Dquick -Dmaven.test.skip=false -DskipTests test-compile)
}
