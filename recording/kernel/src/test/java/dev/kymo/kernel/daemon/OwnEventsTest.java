package dev.kymo.kernel.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Users see what their own processes do, and nothing of others. */
@Tag("kernel")
@Tag("daemon")
class OwnEventsTest {
  private static final String ALL = "all";
  private static final Set<String> THREAD_FIELDS =
      Set.of("thread", "pid", "prev_pid", "next_pid", "old_pid", "child_pid", "parent_pid");

  @BeforeAll
  static void needsTracefs() {
    Daemons.tracefs("OwnEventsTest");
  }

  /** A shell command: so many writes by a program that lives long enough to be looked at. */
  private static String dd(Path program, int writes) {
    return " { head -c %d /dev/zero; sleep 2; } | %s of=/dev/null bs=1 2>&-;"
        .formatted(writes, program);
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
      return tids; // one was ended in the meantime
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
          Line.watch(
              daemon, ALL, "for i in 1 2 3 4 5 6 7 8; do sleep 0.05; done;" + dd(program, 500));
      String runner = Line.runner(lines, program);
      assertThat(runner).isNotEmpty();
      assertThat(Line.count(lines, "sys_enter_write", runner)).isBetween(500L, 510L);
      Set<String> threads = new TreeSet<>();
      Set<String> names = new TreeSet<>();
      for (Line line : lines) {
        line.fields()
            .forEach((field, value) -> {
              if (THREAD_FIELDS.contains(field)) {
                threads.add(value);
              } else if (field.endsWith("comm")) {
                names.add(value);
              }
            });
      }
      assertThat(threads).contains("-1", runner).doesNotContainAnyElementsOf(foreign);
      names.removeIf(name -> name.startsWith("swapper/"));
      names.remove(""); // one of the virtual machine's, which has no name when it ends
      assertThat(names).contains("other", "kymodd", "sleep", "java");
      assertThat(names)
          .as("names of the client's own threads and children only")
          .allMatch(name ->
              Set.of("other", "kymodd", "sleep", "sh", "head", "java", "setpriv").contains(name)
                  || isOfJvm(name));
      assertThat(lines.stream().filter(l -> l.is("local_timer_entry", "thread", "-1")).count())
          .isPositive();
      assertThat(lines)
          .filteredOn(line -> line.name().startsWith("hrtimer_expire"))
          .allMatch(line -> line.is(line.name(), "hrtimer", "0"));
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

  @Test
  void setuidProgramsAreNobodysBusiness() throws Exception {
    try (Daemons.Served daemon = new Daemons.Served(8)) {
      Path one = copy(daemon, "one", "rwx");
      Path two = copy(daemon, "two", "rwx");
      Path setuid = copy(daemon, "setuid", "rws");
      List<Line> lines =
          Line.watch(
              daemon,
              "ipc,cswitch",
              dd(one, 300)
                  + " %s if=/dev/zero of=/dev/null bs=1 count=400 2>&-;".formatted(setuid)
                  + dd(setuid, 300_000)
                  + dd(two, 50_000));
      assertThat(writes(lines, Line.runner(lines, one))).isBetween(300L, 310L);
      assertThat(writes(lines, Line.runner(lines, two))).isBetween(50_000L, 50_010L);
      assertThat(Line.runner(lines, setuid)).isEmpty();
      assertThat(lines.stream().filter(line -> line.is("sys_enter_write", "count", 1)).count())
          .as("writes of all programs")
          .isBetween(50_300L, 50_320L);
      assertThat(lines)
          .as("their threads end for who watches where the programs begin")
          .filteredOn(line -> line.is("sched_switch", "prev_state", 16))
          .filteredOn(line -> line.is("sched_switch", "next_pid", -1))
          .hasSizeGreaterThanOrEqualTo(2);
      assertThat(lines)
          .filteredOn(line -> line.name().startsWith("sched_wak"))
          .noneMatch(line -> "setuid".equals(line.fields().get("comm")));
      for (Path program : List.of(one, two, setuid)) {
        Files.delete(program);
      }
    }
  }

  private static long writes(List<Line> lines, String thread) {
    return Line.count(lines, "sys_enter_write", thread);
  }

  /** A process that was root's becomes a user's by running a program as him. */
  @Test
  void whoGivesUpRootIsSeenFromItsNextProgramOn() throws Exception {
    try (Daemons.Served daemon = new Daemons.Served(8)) {
      Path before = copy(daemon, "before", "rwx");
      Path after = copy(daemon, "after", "rwx");
      Path begin = Files.createFile(daemon.folder.resolve("begin"));
      Files.setPosixFilePermissions(begin, PosixFilePermissions.fromString("rw-rw-rw-"));
      Path over = daemon.folder.resolve("over");
      String command =
          "until [ -s %s ]; do sleep 0.1; done;".formatted(begin)
              + dd(before, 300)
              + " setpriv --reuid=65534 --regid=65534 --clear-groups sh -c '%s'; touch %s"
                  .formatted(dd(after, 300), over);
      Process process = new ProcessBuilder("sh", "-c", command).start();
      List<Line> lines =
          Line.watch(
              daemon,
              "ipc",
              "echo x > %s; until [ -e %s ]; do sleep 0.1; done".formatted(begin, over));
      process.waitFor();
      assertThat(Line.runner(lines, before)).isEmpty();
      assertThat(writes(lines, Line.runner(lines, after))).isBetween(300L, 310L);
      for (Path file : List.of(before, after, begin, over)) {
        Files.delete(file);
      }
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
      Path told = daemon.folder.resolve("told");
      Path reused = daemon.folder.resolve("reused");
      Path over = daemon.folder.resolve("over");
      Files.createFile(told);
      Files.setPosixFilePermissions(told, PosixFilePermissions.fromString("rw-rw-rw-"));
      String root =
          """
          until [ -s %1$s ]; do sleep 0.1; done
          sleep 1.5; p=$(cat %1$s); i=0
          while [ $i -lt 500 ]; do
            i=$((i+1))
            echo $((p-1)) > /proc/sys/kernel/ns_last_pid
            %2$s if=/dev/zero of=/dev/null bs=1 count=5000 2>&- &
            q=$!; wait $q
            if [ $q = $p ]; then echo $q > %3$s; break; fi
          done
          touch %4$s
          """;
      Process process =
          new ProcessBuilder("sh", "-c", root.formatted(told, program, reused, over)).start();
      String user =
          """
          mkfifo %1$s.pipe; %2$s if=%1$s.pipe of=/dev/null bs=1 2>&- & p=$!
          { head -c 300 /dev/zero; sleep 2; } > %1$s.pipe; wait $p; echo $p > %1$s
          until [ -e %3$s ]; do sleep 0.1; done; sleep 0.5
          """;
      Files.setAttribute(daemon.folder, "unix:mode", 01777); // the daemon has looked at it already
      List<Line> lines = Line.watch(daemon, "ipc", user.formatted(told, program, over));
      process.waitFor();
      assertThat(reused).as("the number came again").exists();
      String pid = Files.readString(reused).strip();
      assertThat(writes(lines, pid)).isBetween(300L, 310L);
      for (Path file : List.of(program, told, reused, over, Path.of(told + ".pipe"))) {
        Files.delete(file);
      }
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
              "the daemon for kernel events refuses REGISTER: event is for root only, because it may reveal other users' processes: event=signal:signal_generate");
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
