# Sourced by ./kymo and ./test: finds a JDK 25 or later.
# JAVA_HOME stays as it is: what ./kymo runs may want it.

jdk_needed="a JDK 25 or later (package temurin-25-jdk or openjdk-25-jdk-headless; or set JAVA_HOME to one)"

# Prints the feature version of the JDK in a folder, nothing if there is none.
jdk_version() {
  if [ -x "$1/bin/javac" ] && [ -r "$1/release" ]; then
    sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
  fi
}

# Sets jdk to its folder; to nothing where none is.
look_for_jdk() {
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
  jdk=""
}

# Sets jdk to its folder, or says what to install.
find_jdk() {
  look_for_jdk
  [ -n "$jdk" ] || { echo "kymo: this machine lacks $jdk_needed" >&2; exit 1; }
}
