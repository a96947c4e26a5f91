package dev.kymo.kernel.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Users see what their own processes do, and nothing of others. */
class OwnEventsTest {
  private static final String ALL = "all";
  private static final Set<String> THREAD_FIELDS =
      Set.of("thread", "pid", "prev_pid", "next_pid", "old_pid", "child_pid", "parent_pid");

  @BeforeAll
  static void needsTracefs() {
    Daemons.tracefs("OwnEventsTest");
  }

  /** An event's fields as text. */
  private record Line(String name, Map<String, String> fields) {
    static Line of(String text) {
      String[] parts = text.split("\t");
      Map<String, String> fields = new HashMap<>();
      for (String part : Arrays.asList(parts).subList(1, parts.length)) {
        int equals = part.indexOf('=');
        fields.put(part.substring(0, Math.max(0, equals)), part.substring(equals + 1));
      }
      return new Line(parts[0], fields);
    }

    boolean is(String event, String field, Object value) {
      return name.equals(event) && String.valueOf(value).equals(fields.get(field));
    }
  }

  /** What a user's client gets while it runs a command. */
  private static List<Line> watch(Daemons.Served daemon, String services, String command)
      throws IOException, InterruptedException {
    Process client =
        Daemons.run(
            Daemons.NOBODY, ClientProgram.class, daemon.socket.toString(), services, command);
    try (BufferedReader lines = client.inputReader()) {
      Daemons.linesUpTo("started", lines);
      return Daemons.linesUpTo("end", lines).stream().map(Line::of).toList();
    } finally {
      client.waitFor();
    }
  }

  private static long count(List<Line> lines, String event, Object thread) {
    return lines.stream().filter(line -> line.is(event, "thread", thread)).count();
  }

  /** The process that ran a program, told from its exec event. */
  private static String runner(List<Line> lines, Path program) {
    return lines.stream()
        .filter(line -> line.is("sched_process_exec", "filename", program))
        .map(line -> line.fields.get("pid"))
        .findFirst()
        .orElse("");
  }

  private static Path copy(Daemons.Served daemon, String name, String mode) throws IOException {
    Path copy = daemon.folder.resolve(name);
    Files.copy(Path.of("/bin/dd"), copy);
    int setuid = mode.startsWith("rws") ? 04755 : 0755;
    Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.setAttribute(copy, "unix:mode", setuid);
    return copy;
  }

  /** Threads of everybody else. */
  private static Set<String> foreign() throws IOException {
    Set<String> tids = new HashSet<>();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : processes) {
        if ((int) Files.getAttribute(process, "unix:uid") != Daemons.NOBODY) {
          try (DirectoryStream<Path> threads = Files.newDirectoryStream(process.resolve("task"))) {
            threads.forEach(thread -> tids.add(String.valueOf(thread.getFileName())));
          }
        }
      }
    } catch (IOException | java.nio.file.DirectoryIteratorException e) {
      return tids; // one was gone in between
    }
    return tids;
  }

  @Test
  void nothingOfOthers() throws Exception {
    Process noise = new ProcessBuilder("sh", "-c", "while :; do sleep 0.001; done").start();
    try (Daemons.Served daemon = new Daemons.Served(8)) {
      Path program = copy(daemon, "kymodd", "rwx");
      Set<String> foreign = foreign();
      List<Line> lines =
          watch(
              daemon,
              ALL,
              "for i in 1 2 3 4 5 6 7 8; do sleep 0.05; done;"
                  + " %s if=/dev/zero of=/dev/null bs=1 count=500 2>&-; sleep 0.2"
                      .formatted(program));
      String runner = runner(lines, program);
      assertThat(runner).isNotEmpty();
      assertThat(count(lines, "sys_enter_write", runner)).isBetween(500L, 510L);
      Set<String> threads = new TreeSet<>();
      Set<String> names = new TreeSet<>();
      for (Line line : lines) {
        line.fields.forEach((field, value) -> {
          if (THREAD_FIELDS.contains(field)) {
            threads.add(value);
          } else if (field.endsWith("comm")) {
            names.add(value);
          }
        });
      }
      assertThat(threads).contains("-1", "0", runner).doesNotContainAnyElementsOf(foreign);
      names.removeIf(name -> name.startsWith("swapper/"));
      assertThat(names).contains("other", "kymodd", "sleep", "java");
      assertThat(names)
          .as("names of the client's own threads and children only")
          .allMatch(name ->
              Set.of("other", "kymodd", "sleep", "sh", "java", "setpriv").contains(name)
                  || isOfJvm(name));
      assertThat(lines.stream().filter(l -> l.is("local_timer_entry", "thread", "-1")).count())
          .isPositive();
      assertThat(lines)
          .filteredOn(line -> line.name.startsWith("hrtimer_expire"))
          .allMatch(line -> line.is(line.name, "hrtimer", "0"));
      assertThat(daemon.log).isEmpty();
      Files.delete(program);
    } finally {
      noise.destroyForcibly().waitFor();
    }
  }

  private static boolean isOfJvm(String name) {
    return name.matches(
        "(VM |GC |G1 |C1 |C2 |Sig|Ref|Fin|Com|Com|Not|Mon|Ser|Ser|Attach|Thread|Unlo|Comm|Java|process"
            + "|main|Cleaner|jspawnhelper|Common).*");
  }

  /** Also of programs that are over before anybody could look at them. */
  @Test
  void setuidProgramsAreNobodysBusiness() throws Exception {
    try (Daemons.Served daemon = new Daemons.Served(8)) {
      Path plain = copy(daemon, "plain", "rwx");
      Path setuid = copy(daemon, "setuid", "rws");
      String dd = " %s if=/dev/zero of=/dev/null bs=1 count=%d 2>&-;";
      List<Line> lines =
          watch(
              daemon,
              "ipc,cswitch",
              dd.formatted(plain, 300)
                  + dd.formatted(setuid, 400)
                  + dd.formatted(setuid, 300_000)
                  + dd.formatted(plain, 50_000)
                  + dd.formatted(plain, 500)
                  + " sleep 0.3");
      List<String> children =
          lines.stream()
              .filter(line -> line.is("task_newtask", "comm", "sh"))
              .map(line -> line.fields.get("pid"))
              .toList();
      assertThat(children).hasSize(6);
      assertThat(writes(lines, children.get(0))).isBetween(300L, 310L);
      assertThat(writes(lines, children.get(1))).isLessThan(5);
      assertThat(writes(lines, children.get(2))).isLessThan(5);
      assertThat(writes(lines, children.get(3))).isBetween(50_000L, 50_010L);
      assertThat(writes(lines, children.get(4))).isBetween(500L, 510L);
      assertThat(runner(lines, setuid)).isEmpty();
      assertThat(lines)
          .as("their threads end for who watches where the programs begin")
          .filteredOn(line -> line.is("sched_switch", "prev_state", 16))
          .filteredOn(line -> line.is("sched_switch", "next_pid", -1))
          .extracting(line -> line.fields.get("prev_pid"))
          .contains(children.get(1), children.get(2));
      assertThat(lines)
          .filteredOn(line -> line.name.startsWith("sched_wak"))
          .noneMatch(line -> "setuid".equals(line.fields.get("comm")));
      Files.delete(plain);
      Files.delete(setuid);
    }
  }

  private static long writes(List<Line> lines, String thread) {
    return count(lines, "sys_enter_write", thread);
  }

  /** A process that was root's becomes a user's by running a program as him. */
  @Test
  void whoGivesUpRootIsSeenFromItsNextProgramOn() throws Exception {
    try (Daemons.Served daemon = new Daemons.Served(8)) {
      Path before = copy(daemon, "before", "rwx");
      Path after = copy(daemon, "after", "rwx");
      String dd = " %s if=/dev/zero of=/dev/null bs=1 count=300 2>&-;";
      Process process =
          new ProcessBuilder(
                  "sh",
                  "-c",
                  "sleep 2;"
                      + dd.formatted(before)
                      + " exec setpriv --reuid=65534 --regid=65534 --clear-groups sh -c 'sleep 0.3;"
                      + dd.formatted(after)
                      + " sleep 0.3'")
              .start();
      List<Line> lines = watch(daemon, "ipc", "sleep 4");
      process.waitFor();
      assertThat(runner(lines, before)).isEmpty();
      assertThat(writes(lines, runner(lines, after))).isBetween(300L, 310L);
      Files.delete(before);
      Files.delete(after);
    }
  }

  /**
   * A number that was a user's process's is root's now, long after the daemon has taken what the
   * process did: of what it has not taken by then it can no longer tell whose it is, and drops it.
   */
  @Test
  void numbersThatComeAgainAreSomebodyElses() throws Exception {
    try (Daemons.Served daemon = new Daemons.Served(8)) {
      Path program = copy(daemon, "again", "rwx");
      String dd = program + " if=/dev/zero of=/dev/null bs=1 count=%d 2>&-";
      Path told = daemon.folder.resolve("told");
      Path reused = daemon.folder.resolve("reused");
      Files.createFile(told);
      Files.setPosixFilePermissions(told, PosixFilePermissions.fromString("rw-rw-rw-"));
      Process root =
          new ProcessBuilder(
                  "sh",
                  "-c",
                  "until [ -s %s ]; do sleep 0.1; done; sleep 1.5; p=$(cat %s); i=0;"
                          .formatted(told, told)
                      + " while [ $i -lt 50 ]; do i=$((i+1));"
                      + " echo $((p-1)) > /proc/sys/kernel/ns_last_pid; "
                      + dd.formatted(5000)
                      + " & q=$!; wait $q; if [ $q = $p ]; then echo $q > "
                      + reused
                      + "; break; fi; done")
              .start();
      List<Line> lines =
          watch(
              daemon,
              "ipc",
              "%s & p=$!; wait $p; echo $p > %s; sleep 5".formatted(dd.formatted(300), told));
      root.waitFor();
      assertThat(reused).as("the number came again").exists();
      String pid = Files.readString(reused).strip();
      assertThat(writes(lines, pid)).isBetween(300L, 310L);
      Files.delete(program);
      Files.delete(told);
      Files.delete(reused);
    }
  }

  @Test
  void somebodyElsesProcessIsRefused() throws Exception {
    try (Daemons.Served daemon = new Daemons.Served(8)) {
      assertThat(answer(daemon, "cswitch", "may see 1"))
          .isEqualTo(
              "the daemon for kernel events refuses MAY_SEE: process is not this user's, or has"
                  + " other rights: pid=1 uid=65534; ask its owner, or root");
      Process own =
          new ProcessBuilder(
                  "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "sleep", "30")
              .start();
      try {
        Daemons.until("it runs as nobody", () -> Credentials.ofTask((int) own.pid()) > 0);
        assertThat(answer(daemon, "cswitch", "may see " + own.pid())).isEqualTo("yes");
      } finally {
        own.destroyForcibly().waitFor();
      }
    }
  }

  @Test
  void eventsThatTellOfOthersAreRefused() throws Exception {
    try (Daemons.Served daemon = new Daemons.Served(8)) {
      assertThat(answer(daemon, "cswitch,signal:signal_generate", "true"))
          .isEqualTo(
              "the daemon for kernel events refuses REGISTER: event is for root only, since it may"
                  + " tell of other users' processes: event=signal:signal_generate");
    }
  }

  /** So that no user can keep others out. */
  @Test
  void oneUserGetsHalfOfTheConnections() throws Exception {
    try (Daemons.Served daemon = new Daemons.Served(2)) {
      Process first =
          Daemons.run(Daemons.NOBODY, ClientProgram.class, daemon.socket.toString(), "cswitch");
      try (BufferedReader lines = first.inputReader()) {
        Daemons.linesUpTo("started", lines);
        assertThat(answer(daemon, "cswitch", "true"))
            .isEqualTo(
                "the daemon for kernel events refuses HELLO: too many connections of one user:"
                    + " uid=65534 connections=1");
        assertThat(DaemonSource.status(daemon.socket)).contains("clients: 2 of 2");
      } finally {
        first.destroyForcibly().waitFor();
      }
    }
  }

  private static String answer(Daemons.Served daemon, String services, String command)
      throws IOException, InterruptedException {
    Process client =
        Daemons.run(
            Daemons.NOBODY, ClientProgram.class, daemon.socket.toString(), services, command);
    try (BufferedReader lines = client.inputReader()) {
      return String.valueOf(lines.readLine());
    } finally {
      client.waitFor();
    }
  }
}
