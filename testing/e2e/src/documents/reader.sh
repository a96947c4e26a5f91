# Bash in which the documents' command lines run as on a reader's terminal, but to an end: what shows a page is ended
# once the page is there, and what records until Ctrl-C after some seconds.
kymo() {
  case $1 in
    view | demo | serve) shown "$@" ;;
    serve-log) timeout --kill-after=30 3 kymo "$@" || [ $? = 124 ] ;;
    record)
      case " $* " in
        *" --duration "* | *" -- "*) timeout --kill-after=10 150 kymo "$@" ;;
        *) timeout --kill-after=60 4 kymo "$@" || [ $? = 124 ] ;;
      esac
      ;;
    *) timeout --kill-after=10 150 kymo "$@" ;;
  esac
}

sudo() { "$@"; }

# shown ARGUMENTS: asks kymo's server for the page that it prints a link to.
shown() {
  local printed pid link port answer
  printed=$(mktemp -p "$PWD" shown.XXXX)
  command kymo "$@" >"$printed" 2>&1 </dev/null &
  pid=$!
  until grep -q 'http://' "$printed"; do
    kill -0 $pid 2>/dev/null || { cat "$printed"; return 1; }
    sleep 0.1
  done
  link=$(grep -o 'http://[^ ]*' "$printed" | head -1)
  link=${link%%#*}
  port=${link#http://*:}
  port=${port%%/*}
  exec 5<>"/dev/tcp/127.0.0.1/$port"
  printf 'GET /%s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\n\r\n' "${link#http://*/}" "$port" >&5
  read -r -t 60 answer <&5
  exec 5>&-
  kill $pid
  wait $pid || true
  # The demo's recording stays for who wants to look again.
  [ "$1" != demo ] || rm -rf "$(grep -o '/[^ ;]*/kymo-demo-[^/ ;]*' "$printed" | head -1)"
  [[ $answer == *" 200"* || $answer == *" 30"* || $answer == *" 401"* ]] || { echo "no page: $link: $answer"; return 1; }
}

# app [recorded]: a program of the reader's that runs; its number is $app.
app() {
  : >app.txt # it is looked for at once
  java -jar app.jar stay >app.txt 2>&1 &
  app=$!
  until grep -q begun app.txt; do sleep 0.1; done
  if [ -n "${1:-}" ]; then
    rm -rf app.kymo
    command kymo record -q --no-memory --pid $app -o app.kymo &
    until command kymo ctl $app status >/dev/null 2>&1; do
      kill -0 $! || return 1
      sleep 0.2
    done
  fi
}

ended() {
  local job
  [ -z "${app:-}" ] || kill "$app" 2>/dev/null || true
  for job in $(jobs -p); do kill "$job" 2>/dev/null || true; done
  wait
}
trap ended EXIT
