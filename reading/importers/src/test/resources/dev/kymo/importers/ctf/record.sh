# Records ./steps and ./calls into ./trace. It runs in namespaces of its own for mounts and processes: the session
# daemon's sockets and shared memory lie in file systems that are gone afterwards. Ends with 77 if LTTng cannot run.
mount -t tmpfs none /run && mount -t tmpfs none /dev/shm && mkdir /run/lttng || exit 77
lttng-sessiond --daemonize --no-kernel --quiet || exit 77
daemon=$(cat /run/lttng/lttng-sessiond.pid) || exit 77
lttng -n create session -o trace || exit 77
set -e
lttng -n enable-event -u -a
lttng -n add-context -u -t vpid -t vtid -t procname
lttng -n start
./steps
LD_PRELOAD=liblttng-ust-cyg-profile.so ./calls
lttng -n destroy
kill "$daemon"
while kill -0 "$daemon" 2>/dev/null; do
  sleep 0.05
done
