"""The programs that bench/overhead runs, and the tools that it runs them under."""
import json, re, subprocess, tempfile
from pathlib import Path
from xml.sax.saxutils import quoteattr

MAVEN = {"h2.jar": "com.h2database:h2:2.3.232", "jruby-complete.jar": "org.jruby:jruby-complete:9.4.14.0",
         "jspecify.jar": "org.jspecify:jspecify:1.0.0", "async-profiler.jar": "tools.profiler:async-profiler:4.2",
         "clojure.jar": "org.clojure:clojure:1.8.0", "checkstyle": "com.puppycrawl.tools:checkstyle:10.26.1"}


def run(*command, **options):
  done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
  if done.returncode != 0:
    raise SystemExit("failed: exit=%d command=%s\n%s" % (done.returncode, " ".join(map(str, command)), done.stderr[-4000:]))
  return done.stdout


class Tools:
  """Where things are; fetches what Maven Central has."""

  def __init__(self, here, java_home):
    self.here = here
    find = '. "%s/config/find-jdk.sh"; find_jdk; echo "$jdk"' % here
    own = run("bash", "-c", find).strip()
    self.home = Path(java_home or own)
    self.java = str(self.home / "bin/java")
    self.own_java = str(Path(own) / "bin/java")
    self.kymo = str(here / "kymo")
    self.lib = str(here / "cli/target/kymo/lib")

  def peer(self, name):
    file = self.here / "testing/bench/target/peers" / name
    if not file.exists():
      folder = file.parent / "fetched"
      run("mvn", "-q", "-B", "dependency:copy", "-Dartifact=" + MAVEN[name], "-DoutputDirectory=%s" % folder,
          "-Dmdep.stripVersion=true", cwd=self.here)
      (folder / name).rename(file)
    return str(file)

  def class_path(self, name):
    """Of a program that consists of many files."""
    folder = self.here / "testing/bench/target/peers" / name
    if not (folder / "class-path").exists():
      folder.mkdir(parents=True, exist_ok=True)
      group, artifact, version = MAVEN[name].split(":")
      (folder / "pom.xml").write_text(
          "<project><modelVersion>4.0.0</modelVersion><groupId>bench</groupId><artifactId>bench</artifactId><version>1</version>"
          "<dependencies><dependency><groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version></dependency></dependencies>"
          "</project>" % (group, artifact, version))
      run("mvn", "-q", "-B", "-f", folder / "pom.xml", "dependency:build-classpath", "-Dmdep.outputFile=%s" % (folder / "class-path"))
    return (folder / "class-path").read_text().strip()

  def info(self, recording):
    return json.loads(run(self.kymo, "info", "--json", recording))

  def report(self, recording, *options):
    return json.loads(run(self.kymo, "report", "--json", *options, recording))


class Program:
  """A main class of dev.kymo.bench. Its own classes are never recorded: what explains a thread's time is the program's."""

  def __init__(self, tools, name, warm_up=None, rounds=None, size=None):
    self.tools, self.name = tools, name
    self.warm_up = (1 if name == "h2" else 4) if warm_up is None else warm_up
    self.rounds = rounds or (1 if name == "h2" else 6)
    self.size = size or (3000000 if name == "h2" else 1000000)
    self.selection = ["--include", "com.sun.tools.javac"] if name == "javac" else ["--exclude", "dev.kymo.bench"]

  def command(self, options=(), warm_up=None, rounds=None, size=None):
    warm_up, rounds = self.warm_up if warm_up is None else warm_up, self.rounds if rounds is None else rounds
    size = str(size or self.size)
    bench = "%s/*" % self.tools.lib
    main, path, heap, last = {
        "h2": ("H2Rounds", self.tools.peer("h2.jar"), "3g", [size]),
        "jruby": ("JRubyRounds", self.tools.peer("jruby-complete.jar"), "1g", [size]),
        "javac": ("JavacRounds", self.tools.peer("jspecify.jar"), "1g",
                  ["%s/src/main/java" % m for m in ("format", "reader", "model", "analysis", "cli")]),
    }[self.name]
    return [self.tools.java, "-Xms" + heap, "-Xmx" + heap, *options, "-cp", bench + ":" + path,
            "dev.kymo.bench." + main, str(warm_up), str(rounds), *last]

  def methods(self):
    """What Kymo records of it, as CLASS::METHOD: the same that others are told to trace."""
    with tempfile.TemporaryDirectory(prefix="kymo-methods-") as folder:
      recording = folder + "/methods.kymo"
      run(self.tools.kymo, "record", "-q", "--no-index", "-o", recording, *self.selection, "--",
          *self.command(warm_up=0, rounds=1, size=10000), cwd=self.tools.here)
      names = {m["method"] for m in self.tools.report(recording)["methods"]}
    return sorted("::".join(name.rsplit(".", 1)) for name in names)


class Whole:
  """A program as its user runs it, from its start to its exit. What is recorded is what Kymo records unasked; of javac, which is
  the JDK's, what must be named."""

  RUBY = """words = (1..6_000_000).map { |i| "word#{i * 7919 % 50_000}" }
    counts = words.each_with_object(Hash.new(0)) { |w, c| c[w] += 1 }
    puts counts.sort_by { |w, c| [-c, w] }.first(3).inspect"""
  CLOJURE = """(defn primes [n] (filter (fn [i] (every? (fn [d] (pos? (rem i d))) (take-while (fn [d] (<= (* d d) i)) (range 2 i)))) (range 2 n)))
    (println (reduce + (primes 700000)) (count (frequencies (map (fn [i] (mod (* i 7919) 50000)) (range 8000000)))))"""
  CHECKS = "/sun_checks.xml"

  def __init__(self, tools, name):
    self.tools, self.name = tools, name
    self.selection = ["--include", "com.sun.tools.javac"] if name == "javac" else []

  def command(self):
    java, peer = self.tools.java, self.tools.peer
    if self.name == "h2":
      return Program(self.tools, "h2", 0, 1).command()
    if self.name == "jruby":
      return [java, "-jar", peer("jruby-complete.jar"), "-e", self.RUBY]
    if self.name == "clojure":
      return [java, "-cp", peer("clojure.jar"), "clojure.main", "-e", self.CLOJURE]
    if self.name == "maven":
      return ["mvn", "-o", "-q", "validate"]
    if self.name == "javac":
      sources = [str(f) for f in sorted((self.tools.here / "cli/src/main/java").rglob("*.java"))]
      return [str(self.tools.home / "bin/javac"), "-proc:none", "-d", str(self.tools.here / "testing/bench/target/whole"),
              "-cp", self.tools.lib + "/*:" + peer("jspecify.jar"), *sources]
    if self.name == "checkstyle":
      sources = [str(f) for f in sorted(self.tools.here.glob("*/src/main/java/**/*.java"))]
      return [java, "-cp", self.tools.class_path("checkstyle"), "com.puppycrawl.tools.checkstyle.Main", "-c", self.CHECKS, *sources]
    raise SystemExit("no such program: " + self.name)


class Kymo:
  def __init__(self, tools, options):
    self.tools, self.options, self.name = tools, options.split(), ("kymo " + options).strip()

  def command(self, program, out):
    return [self.tools.kymo, "record", "-q", "-o", str(out / "run.kymo"), *self.options, *program.selection, "--", *program.command()]

  def facts(self, program, out, seconds, last):
    info = self.tools.info(out / "run.kymo")
    facts = {"events": info["events"], "lost": info["lost"], "bytes": info["bytes"], "seconds": seconds}
    if last:
      counted, facts["steps"], facts["explained"] = self.explained(out / "run.kymo")
      facts["what"] = "%.2f M events, %.1f M calls counted" % (info["events"] / 1e6, counted / 1e6)
    return facts

  def explained(self, recording):
    """Calls counted, steps, and what is explained of threads that lived for more than a hundredth of the longest: mean, least."""
    run("bash", "-c", 'here=$1 jdk=$2; . "$here/testing/bench/test-classes.sh"; compile_tests reading/model', "-",
        str(self.tools.here), str(self.tools.home))
    lines = run(self.tools.own_java, "--enable-native-access=ALL-UNNAMED", "-cp",
                "%s/reading/model/target/test-classes:%s/*" % (self.tools.here, self.tools.lib), "dev.kymo.model.timeline.ExplainedTime", recording)
    first, *threads = lines.splitlines()
    counted, steps = map(int, first.split())
    lives = []
    for line in threads:
      begin, end, explained, name = line.split(" ", 3)
      lives.append((int(end) - int(begin), int(explained), name))
    longest = max((life for life, _, _ in lives), default=0)
    lives = [l for l in lives if l[0] > longest / 100]
    if not lives:
      return counted, steps, ""
    least = min(lives, key=lambda l: l[1] / l[0])
    mean = sum(l[1] for l in lives) / sum(l[0] for l in lives)
    return counted, steps, "%.1f %%, least %.1f %% (%s)" % (100 * mean, 100 * least[1] / least[0], least[2])


class FlightRecorder:
  """An event of the flight recorder with a filter of the same methods (JDK 25)."""

  def __init__(self, tools, event, settings):
    self.tools, self.event, self.settings, self.filters = tools, event, settings, {}
    self.name = "JFR " + event

  def command(self, program, out):
    if program.name not in self.filters:
      self.filters[program.name] = ";".join(program.methods())
    (out / "settings.jfc").write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n<configuration version="2.0">\n<event name="jdk.%s">\n' % self.event
        + "".join('<setting name="%s">%s</setting>\n' % s for s in {"enabled": "true", **self.settings}.items())
        + '<setting name="filter">%s</setting>\n</event>\n' % quoteattr(self.filters[program.name])[1:-1]
        + '<event name="jdk.DataLoss"><setting name="enabled">true</setting></event>\n</configuration>\n')
    return program.command(["-XX:StartFlightRecording:settings=%s,filename=%s,maxsize=0" % (out / "settings.jfc", out / "run.jfr")])

  def facts(self, program, out, seconds, last):
    summary = run(self.tools.home / "bin/jfr", "summary", out / "run.jfr")
    counts = {name: int(count) for name, count in re.findall(r"^ (\S+) +(\d+) +\d+$", summary, re.M)}
    events = counts.get("jdk." + self.event, 0)
    losses = counts.get("jdk.DataLoss", 0)
    return {"events": events, "lost": "%d times" % losses, "bytes": (out / "run.jfr").stat().st_size, "seconds": seconds,
            "what": "%.3f M %s" % (events / 1e6, "calls" if self.event == "MethodTrace" else "sums of methods")}


class AsyncProfiler:
  """Samples: no call has a beginning, an end or a number in it."""

  def __init__(self, tools, event):
    self.tools, self.event, self.name = tools, event, "async-profiler " + event

  def library(self):
    jar = Path(self.tools.peer("async-profiler.jar"))
    run("unzip", "-qo", jar, "linux-x64/*", "-d", jar.parent)
    return jar.parent / "linux-x64/libasyncProfiler.so"

  def command(self, program, out):
    return program.command(["-agentpath:%s=start,event=%s,interval=10ms,jfr,file=%s" % (self.library(), self.event, out / "run.jfr")])

  def facts(self, program, out, seconds, last):
    summary = run(self.tools.home / "bin/jfr", "summary", out / "run.jfr")
    samples = sum(int(n) for n in re.findall(r"^ (?:jdk\.ExecutionSample|profiler\.WallClockSample) +(\d+) ", summary, re.M))
    return {"events": samples, "lost": "not said", "bytes": (out / "run.jfr").stat().st_size, "seconds": seconds,
            "what": "%d samples" % samples}


PEERS = {
    "jfr-trace": lambda tools: FlightRecorder(tools, "MethodTrace", {"threshold": "0 ns", "stackTrace": "false"}),
    "jfr-timing": lambda tools: FlightRecorder(tools, "MethodTiming", {"period": "endChunk"}),
    "async-cpu": lambda tools: AsyncProfiler(tools, "ctimer"),
    "async-wall": lambda tools: AsyncProfiler(tools, "wall"),
}
