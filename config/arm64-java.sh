#!/bin/sh
# Unpacks Debian's Java for ARM64, with the libraries that it needs, into a directory, for tests with qemu-aarch64: 17 of
# this machine's Debian, or 25 of Debian 13, with what jlink needs for ./package. Changes nothing of the machine's own
# packages.
#   config/arm64-java.sh DIR [25]
set -eu
java=${2:-17}
mkdir -p "$1"
root=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial" "$work/debs"
: >"$work/status"
sources=
if [ "$java" = 25 ]; then
  echo "deb http://deb.debian.org/debian trixie main" >"$work/sources.list"
  sources="-o Dir::Etc::sourcelist=$work/sources.list -o Dir::Etc::sourceparts=/none"
fi
apt() {
  # shellcheck disable=SC2086 # several words
  apt-get -qq $sources -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User=root -o Dir::State="$work/state" \
    -o Dir::State::status="$work/status" -o Dir::Cache="$work/cache" "$@"
}
apt update
cd "$work/debs"
apt download openjdk-$java-jre-headless libc6 libgcc-s1 libstdc++6 zlib1g libjpeg62-turbo liblcms2-2 libpcsclite1 libharfbuzz0b
for package in *.deb; do
  dpkg -x "$package" "$root"
done
if [ "$java" = 25 ]; then
  apt download openjdk-25-jdk-headless # 300 MB, of which only this is kept
  dpkg-deb --fsys-tarfile openjdk-25-jdk-headless_*.deb | tar -xC "$root" ./usr/lib/jvm/java-25-openjdk-arm64/jmods
fi
# Debian 13 has all libraries below /usr, and links configuration to the machine's own /etc.
[ -e "$root/lib" ] || ln -s usr/lib "$root/lib"
find "$root/usr/lib/jvm" -type l -lname '/etc/*' | while read -r link; do
  file=$root$(readlink "$link")
  if [ -e "$file" ]; then
    rm "$link"
    cp -r "$file" "$link"
  fi
done
