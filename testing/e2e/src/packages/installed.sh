# installed.sh WORK JDK [FOLDER]: installs the packages of a folder on this system as it would be without any Java, and
# removes them; without a folder, only tries whether that may be done here. WORK has fib.c and Fib.class. What is written
# is seen in WORK only, in an overlay; to be called with a mount name space of its own.
set -eu
work=$1 jdk=$2 packages=${3:-}
root=$work/root
mkdir -p "$work/changes" "$root"
mount -t tmpfs none "$work/changes"
mkdir "$work/changes/up" "$work/changes/work"
mount -t overlay overlay -o "lowerdir=/,upperdir=$work/changes/up,workdir=$work/changes/work" "$root"
mkdir -p "$root/opt/jdk"
mount --bind "$jdk" "$root/opt/jdk"
mount -t tmpfs none "$root/usr/lib/jvm"
mount -t tmpfs none "$root/tmp"
mount -t tmpfs none "$root/root"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys"
mount -t tracefs tracefs "$root/sys/kernel/tracing" 2>/dev/null || true
if [ -z "$packages" ]; then
  exec chroot "$root" /bin/true
fi
cp "$work/fib.c" "$work/Fib.class" "$packages"/*_amd64.deb "$packages"/*_all.deb "$root/tmp/"
cat >"$root/tmp/steps" <<'STEPS'
set -eu
trap 'for job in $(jobs -p); do kill "$job"; done' EXIT
cd /tmp
java -version 2>/dev/null && { echo "there is a Java"; exit 1; }
dpkg -i kymo_*_amd64.deb kymo-kafka_*.deb >dpkg.log 2>&1 || { cat dpkg.log; exit 1; }
echo "caches: $(ls /usr/lib/kymo/*.aot | wc -l)"
kymo --version
gcc -g -finstrument-functions $(pkg-config --cflags kymo) fib.c -o fib $(pkg-config --libs kymo)
kymo record -q -o c.kymo -- ./fib
kymo report c.kymo | grep -q ' fib$'
kymo query c.kymo "SELECT count(*) AS calls FROM calls" --format csv
kymo record -q -o java.kymo -- /opt/jdk/bin/java -cp /tmp Fib
kymo query java.kymo "SELECT count(*) AS calls FROM calls" --format csv
: >link
kymo view c.kymo --no-browser >link &
view=$!
while ! grep -q http link; do sleep 0.1; done
read -r port < <(sed -n 's|.*http://127.0.0.1:\([0-9]*\)/.*|\1|p' link)
read -r path < <(sed -n 's|.*http://127.0.0.1:[0-9]*\(/[^ ]*\).*|\1|p' link)
exec 3<>"/dev/tcp/127.0.0.1/$port"
printf 'GET %s HTTP/1.0\r\nHost: 127.0.0.1:%s\r\n\r\n' "$path" "$port" >&3
read -r answer <&3
echo "view: ${answer%$'\r'}"
exec 3>&-
if [ -x /usr/bin/chromium ]; then
  chromium --headless --no-sandbox --disable-gpu --virtual-time-budget=60000 --dump-dom \
    "http://127.0.0.1:$port$path" >page 2>chromium.log
  grep -o "1 thread" page | head -1
fi
kill "$view"
wait "$view" || true
kymo export c.kymo --to parquet -o parquet
ask() { printf '{"jsonrpc":"2.0",%s}\n' "$1"; }
{
  ask '"id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"t","version":"1"}}'
  ask '"method":"notifications/initialized"'
  ask '"id":2,"method":"tools/call","params":{"name":"picture","arguments":{}}'
  for _ in $(seq 600); do
    ! grep -q '"id":2' answers || break
    sleep 0.1
  done
} | kymo mcp c.kymo >answers
grep -o '"mimeType":"image/png"' answers
if [ -e /sys/kernel/tracing/events ]; then
  kymo daemon &
  daemon=$!
  until [ -S /run/kymo/kernel ]; do sleep 0.1; done
  mkdir -m 777 anybody
  HOME=/tmp/anybody setpriv --reuid 65534 --regid 65534 --clear-groups \
    kymo record -q --kernel cswitch,ipc -o anybody/kernel.kymo -- sleep 0.2
  kymo report anybody/kernel.kymo --threads | grep -q ' sleep'
  kill "$daemon"
  wait "$daemon" || true
  echo "kernel events: by the daemon"
fi
grep -q "<article>" /usr/share/doc/kymo/html/recipes/deadlock.html
echo "pages: $(ls /usr/share/man/man1/kymo*.1.gz | wc -l)"
set +eu
. /usr/share/bash-completion/completions/kymo
COMP_LINE="kymo repo" COMP_POINT=9 COMP_WORDS=(kymo repo) COMP_CWORD=1
_complete_kymo
echo "completed: ${COMPREPLY[*]}"
set -eu
dpkg -i kymo_*_amd64.deb >dpkg.log 2>&1 # as if it were a newer one
kymo --version
dpkg -r kymo-kafka kymo >dpkg.log 2>&1
dpkg -P kymo-kafka kymo >dpkg.log 2>&1 || true
STEPS
chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 bash /tmp/steps
cd "$work/changes/up"
# What dpkg itself and the linker's cache write is theirs.
find . ! -type d | grep -vE '^\./(var/(lib/dpkg|log|cache)|etc/ld\.so\.cache)' | sed 's/^/left: /' || true
