#!/bin/sh
# Three Java programs on two hosts, recorded to one place: docs/machines.md. The hosts are name spaces of this machine:
# each has a network of its own, and the clock of the right one is an hour ahead. Needs root, ip, unshare and a JDK.
#
#   sh examples/hosts/hosts.sh DIR [ORDERS]     the recordings are in DIR/traces/order then
set -eu
dir=$(mkdir -p "$1" && cd "$1" && pwd)
orders=${2:-20}
here=$(cd "$(dirname "$0")" && pwd)
kymo=${KYMO:-$here/../../kymo}
java=${JAVA:-java}
tag=$$
left=kymo-left-$tag
right=kymo-right-$tag
net=10.77.$((tag % 200 + 20))

# Ends what still runs on the hosts, and them.
end() {
  for host in "$left" "$right"; do
    for process in $(ip netns pids "$host" 2>/dev/null); do kill "$process" 2>/dev/null || true; done
  done
  wait
  for host in "$left" "$right"; do ip netns del "$host" 2>/dev/null || true; done
}
trap end EXIT
trap 'exit 1' INT TERM

ip netns add "$left"
ip netns add "$right"
ip link add name left netns "$left" type veth peer name right netns "$right"
ip -n "$left" addr add "$net.1/24" dev left
ip -n "$right" addr add "$net.2/24" dev right
for host in "$left" "$right"; do ip -n "$host" link set lo up; done
ip -n "$left" link set left up
ip -n "$right" link set right up

# Each host has its own configuration, as if it had its own disk.
on_left() { ip netns exec "$left" env XDG_CONFIG_HOME="$dir/left" XDG_CACHE_HOME="$dir/left" "$@"; }
on_right() {
  ip netns exec "$right" unshare --time --monotonic 3600 --fork \
    env XDG_CONFIG_HOME="$dir/right" XDG_CACHE_HOME="$dir/right" "$@"
}

mkdir -p "$dir/traces" "$dir/classes"
"${java}c" -d "$dir/classes" "$here"/*.java

on_left "$kymo" listen --address "$net.1:7700" -d "$dir/traces" >"$dir/receiver.txt" 2>&1 &
receiver=$!
until grep -q '^kymo://' "$dir/receiver.txt"; do
  kill -0 "$receiver" # it ends the script if the receiver could not begin
  sleep 0.1
done
grep '^kymo://' "$dir/receiver.txt" | on_left "$kymo" trust >/dev/null
grep '^kymo://' "$dir/receiver.txt" | on_right "$kymo" trust >/dev/null

record="--to $net.1:7700 --session order --messages"
on_right "$kymo" record $record -o stock.kymo -- "$java" -cp "$dir/classes" Stock 8082 &
stock=$!
on_right "$kymo" record $record -o shop.kymo -- "$java" -cp "$dir/classes" Shop 8081 "http://$net.2:8082" &
shop=$!
on_left "$kymo" record $record -o client.kymo -- "$java" -cp "$dir/classes" Client \
  "http://$net.2:8081" "http://$net.2:8082" "$orders"
wait "$stock"
wait "$shop"
