# Sourced by ./kymo and ./test: sets jdk to the folder of a JDK 25 or later, or says what to install.
# JAVA_HOME stays as it is: what ./kymo runs may want it.

# Prints the feature version of the JDK in a folder, nothing if there is none.
jdk_version() {
  if [ -x "$1/bin/javac" ] && [ -r "$1/release" ]; then
    sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
  fi
}

find_jdk() {
  local home version java
  java=$(command -v java || true)
  [ -z "$java" ] || java=$(dirname "$(dirname "$(readlink -f "$java")")")
  for home in "${KYMO_JAVA_HOME:-}" "${JAVA_HOME:-}" "$java" \
      /usr/lib/jvm/* "${HOME:-/}"/.sdkman/candidates/java/* "${HOME:-/}"/.jdks/* /opt/jdk*; do
    [ -n "$home" ] || continue
    version=$(jdk_version "$home")
    if [ -n "$version" ] && [ "$version" -ge 25 ]; then
      jdk="$home"
      return 0
    fi
  done
  echo "kymo: no JDK 25 or later found: install one (for example Temurin 25, package temurin-25-jdk) or set JAVA_HOME to it" >&2
  exit 1
}
