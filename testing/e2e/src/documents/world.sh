# What the documents' command lines speak of, under the names that they have there, in an empty folder. SOURCES has the
# files beside this one, API what programs compile with, SHARED samples that may be missing, SOURCE the source tree.
set -eu
kymo events compile "$SOURCES/shop.pleco" --java --package shop -o generated
javac -nowarn -proc:none -cp "$API" -d classes "$SOURCES/Clerk.java" generated/shop/*.java
printf 'Main-Class: shop.Clerk\nClass-Path: %s\n' "file:$API" >manifest
jar cfm app.jar manifest -C classes .
rm -r generated classes manifest

kymo record -q --no-memory --messages --waits on --jvm-events on -o run.kymo -- java -jar app.jar
mkdir -p old build src tables target/kymo
for copy in old new before after old-1 old-2 old-3 new-1 new-2 new-3 target/kymo/tests-4711; do
  cp -r run.kymo $copy.kymo
done
java -XX:StartFlightRecording:filename=app.jfr,settings=profile -jar app.jar >/dev/null 2>&1
cp app.jfr x.jfr

cat >program.c <<'C'
#include <stdio.h>

void commit(int n) { fprintf(stderr, n % 50 == 0 ? "." : ""); }

int parse(int n) { return n < 2 ? n : parse(n - 1) + parse(n - 2); }

void marker(void) { commit(1); }

int main(void) {
  marker();
  printf("%d\n", parse(15));
  for (int i = 0; i < 100; i++) {
    commit(i);
  }
  marker();
  return 0;
}
C
gcc -O1 -g -finstrument-functions program.c -o program
cp program prog
head -c 3000000 /dev/zero | tr '\0' 'k' >big.tar
cat >server.py <<'P'
import socket
server = socket.create_server(("localhost", 0))
print(server.getsockname()[1], file=open("port.part", "w"))
import os; os.rename("port.part", "port")
client = server.accept()[0]
for i in range(100):
    client.sendall(client.recv(100))
P
cat >client.py <<'P'
import os, socket, time
while not os.path.exists("port"): time.sleep(0.01)
with socket.create_connection(("localhost", int(open("port").read()))) as server:
    for i in range(100):
        server.sendall(b"GET /order HTTP/1.1\r\n\r\n")
        server.recv(100)
P
cat >client-and-server.sh <<'S'
rm -f port
python3 server.py &
python3 client.py
wait
S
for name in both.sh redis.sh start-both; do
  { echo '#!/bin/sh' && cat client-and-server.sh; } >$name
  chmod +x $name
done
kymo record -q --messages -o server.kymo -- python3 server.py &
kymo record -q --messages -o client.kymo -- python3 client.py
wait
if command -v qemu-x86_64 >/dev/null; then
  kymo record -q --instructions -o instructions.kymo -- ./program
fi
if [ -e "$SHARED/exchange/trace.dat" ]; then
  xz -dc "$SHARED/exchange/trace.dat/trace_idle.dat.xz" >trace.dat
  cp trace.dat kernel.dat
  cp "$SHARED/barrelfish/demo.1.log" "$SHARED/barrelfish/npc_1_1_0_8.0.log" .
fi
ln -s "$SOURCE/examples" examples

echo 'no deadlock' >my.rules
echo 'SELECT count(*) FROM calls' >question.sql
echo 'thread worker-1 = the other clerk' >names
echo 'function accept(event) { return event.duration >= 1e6; }' >slow.js
cp slow.js x.js
cat >sales.js <<'J'
function activity(event, state) {
  if (event.name != "shop.Clerk.serve") return;
  if (event.kind == "enter") begin(event.thread, "sale");
  if (event.kind == "leave") end(event.thread);
}
J
cat >requests.js <<'J'
function activity(event) {
  if (event.name == "http.request") begin(event.fields.request, event.fields.path);
  if (event.name == "http.answer") end(event.fields.request);
}
J
cat >disk.pleco <<'D'
subsystem disk = 5 {
    event READ begin "" { u32 block; },
    event READ_DONE end READ "",
};
D
cp disk.pleco old/
