# arm64.sh WORK [ROOT PACKAGES]: runs the packages for ARM64 in QEMU's user mode; without them, only tries whether that may
# be done here. WORK has fib.c and Fib.class, ROOT has Debian's Java 25 for ARM64 and its libraries. To be called in a user
# and a mount name space of its own, which has formats of programs of its own, too.
set -eu
work=$1 root=${2:-} packages=${3:-}
mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
# The first bytes of a program for ARM64.
echo ':arm64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:/usr/bin/qemu-aarch64:F' \
  >/proc/sys/fs/binfmt_misc/register
[ -n "$packages" ] || exit 0
export QEMU_LD_PREFIX="$root" HOME="$work" LC_ALL=C.UTF-8 JAVA_TOOL_OPTIONS=-XX:TieredStopAtLevel=1
java=$root/usr/lib/jvm/java-25-openjdk-arm64/bin/java
cd "$work"
tar xzf "$packages"/kymo-*-linux-arm64.tar.gz
cd kymo-*
here=$PWD
: >read.log # else it makes what later commands begin with, which takes QEMU a minute
cd "$work"
kymo=$here/kymo
"$kymo" --version
aarch64-linux-gnu-gcc -g -finstrument-functions "-I$here/native" fib.c -o fib "-L$here/native" -lkymo "-Wl,-rpath,$here/native"
"$kymo" record -q -o c.kymo -- ./fib
"$kymo" record -q -o java.kymo -- "$java" -cp . Fib
"$kymo" report java.kymo >report
"$kymo" record -q --instructions -o no.kymo -- ./fib || true
"$java" "-javaagent:$packages/kymo-agent.jar=out=alone.kymo,messages" -cp . Fib
# Without bash, which would make them as well.
PATH=/nonexistent "$java" -jar "$packages/kymo.jar" query alone.kymo "SELECT count(*) AS calls FROM calls" --format csv
