#!/bin/sh
# Unpacks Debian's Java 17 for ARM64, with the libraries that it needs, into a directory, for tests with qemu-aarch64.
# Changes nothing of the machine's own packages.
#   config/arm64-java.sh DIR
set -eu
mkdir -p "$1"
root=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial" "$work/debs"
: >"$work/status"
apt() {
  apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User=root -o Dir::State="$work/state" \
    -o Dir::State::status="$work/status" -o Dir::Cache="$work/cache" "$@"
}
apt update
cd "$work/debs"
apt download openjdk-17-jre-headless libc6 libgcc-s1 libstdc++6 zlib1g libjpeg62-turbo liblcms2-2 libpcsclite1 libharfbuzz0b
for package in *.deb; do
  dpkg -x "$package" "$root"
done
