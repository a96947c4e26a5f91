package dev.kymo.e2e.code;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.drain.SharedMemory;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import dev.kymo.e2e.kit.Recorded;
import dev.kymo.format.MailboxLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands and triggers for C programs while they are recorded. */
@Tag("native")
class NativeControlTest {
  private static final Path SOURCE = Path.of("src/native/control.c").toAbsolutePath();
  private static final int SIGSTOP = 19;

  @TempDir Path folder;
  private Path program = Path.of("");

  @BeforeEach
  void compile() throws Exception {
    program = NativePrograms.compile(SOURCE, folder.resolve("control"), NativePrograms.shared());
  }

  @AfterEach
  void nothingIsLeftBehind() throws Exception {
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }

  private Path recording() {
    return folder.resolve("control.kymo");
  }

  private String[] record(List<String> options, String... arguments) {
    List<String> all = new ArrayList<>(List.of("record", "-q", "-o", recording().toString()));
    if (!options.contains("--when-full")) {
      all.addAll(List.of("--when-full", "block"));
    }
    all.addAll(options);
    all.addAll(List.of("--", program.toString()));
    all.addAll(List.of(arguments));
    return all.toArray(String[]::new);
  }

  private static Kymo.Result ctl(long pid, String... command) throws Exception {
    List<String> all = new ArrayList<>(List.of("ctl", Long.toString(pid)));
    all.addAll(List.of(command));
    return Kymo.run(all.toArray(String[]::new));
  }

  private static String said(long pid, String... command) throws Exception {
    Kymo.Result result = ctl(pid, command);
    assertThat(result.err()).isEmpty();
    assertThat(result.exit()).isZero();
    return result.out();
  }

  /** Work to do while the program ticks. */
  private interface Work {
    void with(long pid) throws Exception;
  }

  /**
   * Runs the program, which prints its number, until the work is done; returns what else it
   * printed.
   */
  private Kymo.Result whileItRuns(Work work, List<String> options, String... arguments)
      throws Exception {
    Process recorder = Kymo.start(folder, Map.of(), record(options, arguments));
    long pid = 0;
    try {
      pid = Long.parseLong(line(recorder));
      work.with(pid);
      recorder.getOutputStream().close();
      assertThat(recorder.waitFor(600, TimeUnit.SECONDS)).isTrue();
      return new Kymo.Result(
          recorder.exitValue(),
          new String(recorder.getInputStream().readAllBytes(), StandardCharsets.UTF_8),
          new String(recorder.getErrorStream().readAllBytes(), StandardCharsets.UTF_8));
    } finally {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
      recorder.destroy();
      recorder.waitFor();
    }
  }

  private static String line(Process process) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = process.getInputStream().read();
        c >= 0 && c != '\n';
        c = process.getInputStream().read()) {
      line.append((char) c);
    }
    return line.toString();
  }

  private Map<String, List<String>> recorded() throws Exception {
    return recorded(recording());
  }

  private static Map<String, List<String>> recorded(Path recording) throws Exception {
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.timeline.oddities()).isEmpty();
      return recorded.ownEvents();
    }
  }

  private static List<String> of(Map<String, List<String>> events, String name) {
    return events.getOrDefault(name, List.of());
  }

  private static long number(String text) {
    return Long.parseLong(text.substring(text.indexOf('=') + 1));
  }

  private static List<String> each(String format, long from, long to) {
    return LongStream.rangeClosed(from, to).mapToObj(n -> format.replace("N", "" + n)).toList();
  }

  @Test
  void switchedWhileItRuns() throws Exception {
    Kymo.Result result =
        whileItRuns(
            pid -> {
              assertThat(said(pid, "status"))
                  .isEqualTo("recording, level all\non disk.TICK\non app.tock\n");
              assertThat(said(pid, "disable", "disk")).isEqualTo("off: 1 event\n");
              assertThat(said(pid, "status")).contains("off disk.TICK\non app.tock\n");
              assertThat(said(pid, "flush")).isEqualTo("flushed\n");
              assertThat(said(pid, "disable", "kind:counter,none")).isEqualTo("off: 1 event\n");
              assertThat(said(pid, "enable", "app.t*", "kind:counter")).isEqualTo("on: 2 events\n");
              assertThat(ctl(pid, "level", "most"))
                  .isEqualTo(error("no such level: level=most; use calls, events or all"));
              assertThat(ctl(pid, "enable", "kind:x"))
                  .isEqualTo(
                      error(
                          "no such kind of events: kind=x; there are instant, begin, end, counter,"
                              + " send, receive"));
              assertThat(ctl(pid, "enable")).isEqualTo(error("no event is named"));
              assertThat(ctl(pid, "sleep")).isEqualTo(error("no such command: command=sleep"));
              assertThat(ctl(pid, "snapshot").err())
                  .startsWith("kymo: there is no flight recorder to take a snapshot of; record");
              assertThat(said(pid, "level", "events")).isEqualTo("level: events\n");
              assertThat(said(pid, "stop")).isEqualTo("stopped\n");
              assertThat(said(pid, "status")).startsWith("stopped, level events\n");
            },
            List.of(),
            "until");
    assertThat(result).isEqualTo(new Kymo.Result(0, "fine\n", ""));
    Map<String, List<String>> events = recorded();
    List<String> tocks = of(events, "app.tock");
    assertThat(number(tocks.getLast())).isGreaterThan(number(of(events, "disk.TICK").getLast()));
    assertThat((long) tocks.size()).isLessThan(number(tocks.getLast())); // some are missing
    assertThat(Kymo.run("info", recording().toString()).out())
        .contains("recording was stopped by kymo ctl here")
        .doesNotContain("recording goes on here");
  }

  private static Kymo.Result error(String text) {
    return new Kymo.Result(1, "", "kymo: " + text + "\n");
  }

  @Test
  void aLevelWithoutEventsAndBack() throws Exception {
    whileItRuns(
        pid -> {
          assertThat(said(pid, "level", "calls")).isEqualTo("level: calls\n");
          assertThat(said(pid, "disable", "disk.TICK")).isEqualTo("off: 1 event\n");
          assertThat(said(pid, "level", "all")).isEqualTo("level: all\n");
          assertThat(said(pid, "stop")).isEqualTo("stopped\n");
          assertThat(said(pid, "start")).isEqualTo("recording\n");
          assertThat(said(pid, "status"))
              .isEqualTo("recording, level all\noff disk.TICK\noff app.tock\n");
        },
        List.of("--disable-events", "app"),
        "until");
    assertThat(recorded()).containsOnlyKeys("disk.TICK");
  }

  @Test
  void whatIsSaidIsAnsweredInPartsIfNeedBe() throws Exception {
    whileItRuns(
        pid -> {
          String expected =
              String.join("\n", each("on many.event_with_a_long_name_N", 0, 1499)) + "\n";
          assertThat(said(pid, "status")).contains("on app.tock\n" + expected);
          String long1 = "x".repeat(3000);
          assertThat(said(pid, "disable", long1 + ",many")).isEqualTo("off: 1500 events\n");
          assertThat(ctl(pid, "disable", long1, long1).err())
              .startsWith("kymo: the command is too long, split it: bytes=6009 max=");
        },
        List.of(),
        "many",
        "1500");
  }

  @Test
  void clientsTakeTurns() throws Exception {
    whileItRuns(
        pid -> {
          List<Process> clients = new ArrayList<>();
          for (int i = 0; i < 6; i++) {
            String verb = i % 2 == 0 ? "disable" : "status";
            List<String> all = new ArrayList<>(List.of("ctl", "" + pid, verb));
            if (i % 2 == 0) {
              all.add("name" + i + ",disk");
            }
            clients.add(Kymo.start(folder, Map.of(), all.toArray(String[]::new)));
          }
          for (int i = 0; i < 6; i++) {
            Kymo.Result result = Kymo.finish(clients.get(i), "");
            assertThat(result.err()).isEmpty();
            if (i % 2 == 0) {
              assertThat(result.out()).isEqualTo("off: 1 event\n");
            } else {
              assertThat(result.out()).startsWith("recording, level all\n").endsWith("app.tock\n");
            }
          }
        },
        List.of(),
        "until");
  }

  @Test
  void aChildMadeByForkHasItsOwn() throws Exception {
    whileItRuns(
        pid -> {
          long parent = ProcessHandle.of(pid).orElseThrow().parent().orElseThrow().pid();
          assertThat(said(pid, "disable", "disk")).isEqualTo("off: 1 event\n");
          assertThat(said(pid, "status")).contains("off disk.TICK\n");
          assertThat(said(parent, "status")).contains("on disk.TICK\n");
        },
        List.of(),
        "child");
  }

  @Test
  void whoWaitsForAProcessThatEndsIsTold() throws Exception {
    whileItRuns(
        pid -> {
          stop(pid);
          Process client = Kymo.start(folder, Map.of(), "ctl", "" + pid, "status");
          awaitRequest();
          assertThat(client.isAlive()).isTrue();
          ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
          assertThat(Kymo.finish(client, ""))
              .isEqualTo(
                  error(
                      "this process has ended, or is recorded no longer, before it answered: pid="
                          + pid));
        },
        List.of(),
        "until");
  }

  /** Waits until a client has sent a request that nobody has answered yet. */
  private void awaitRequest() throws Exception {
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (!hasRequest()) {
      assertThat(System.nanoTime()).as("no client came").isLessThan(limit);
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private boolean hasRequest() throws Exception {
    for (Path session : Kymo.sharedMemory(folder)) {
      for (Path home : SharedMemory.processes(session)) {
        Path mailbox = home.resolve(MailboxLayout.FILE);
        ByteBuffer bytes =
            ByteBuffer.wrap(Files.readAllBytes(mailbox)).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.getInt(MailboxLayout.REQUESTS_OFFSET)
            != bytes.getInt(MailboxLayout.ANSWERS_OFFSET)) {
          return true;
        }
      }
    }
    return false;
  }

  @Test
  void whoGetsNoAnswerDoesNotWaitForEver() throws Exception {
    whileItRuns(
        pid -> {
          stop(pid);
          assertThat(ctl(pid, "status").err())
              .startsWith(
                  "kymo: the recorder of this process does not answer; is the process stopped");
          Kymo.exec(folder, "kill", "-CONT", "" + pid);
          assertThat(said(pid, "disable", "disk")).isEqualTo("off: 1 event\n");
        },
        List.of(),
        "until");
  }

  private void stop(long pid) throws Exception {
    assertThat(Kymo.exec(folder, "kill", "-" + SIGSTOP, "" + pid).exit()).isZero();
  }

  @Test
  void functionsObeyTheLevel() throws Exception {
    List<String> how = new ArrayList<>(List.of("-finstrument-functions", "-fno-inline"));
    how.addAll(List.of(NativePrograms.shared()));
    NativePrograms.compile(SOURCE, program, how.toArray(String[]::new));
    whileItRuns(
        pid -> {
          assertThat(said(pid, "level", "events")).isEqualTo("level: events\n");
          assertThat(said(pid, "flush")).isEqualTo("flushed\n");
          assertThat(said(pid, "stop")).isEqualTo("stopped\n");
          assertThat(said(pid, "level", "calls")).isEqualTo("level: calls\n");
          assertThat(said(pid, "status")).startsWith("stopped, level calls\n");
        },
        List.of(),
        "until");
    try (Recorded recorded = new Recorded(recording())) {
      List<String> ticks = of(recorded.ownEvents(), "disk.TICK");
      assertThat(recorded.calls("main")).isEqualTo(1);
      assertThat(recorded.calls("tick")).isPositive().isLessThan(ticks.size());
    }
  }

  @Test
  void aSnapshotFromOutside() throws Exception {
    Kymo.Result result =
        whileItRuns(
            pid -> {
              assertThat(said(pid, "snapshot")).isEqualTo("snapshot asked for\n");
              while (!Files.isDirectory(folder.resolve("control-1.kymo"))) {
                Thread.sleep(5);
              }
            },
            List.of("--when-full", "overwrite"),
            "until");
    assertThat(result.err()).isEqualTo("kymo: snapshot written: control-1.kymo\n");
    long then = number(of(recorded(folder.resolve("control-1.kymo")), "disk.TICK").getLast());
    assertThat(number(of(recorded(), "disk.TICK").getLast())).isGreaterThanOrEqualTo(then);
  }

  @Test
  void triggersBeginAndEndTheRecording() throws Exception {
    List<String> options = List.of("--start-on", "disk.TICK=100", "--stop-on", "app.tock#50");
    assertThat(Kymo.run(record(options, "numbered", "1000")).out()).isEqualTo("fine\n");
    Map<String, List<String>> events = recorded();
    assertThat(of(events, "disk.TICK")).isEqualTo(each("n=N", 100, 149));
    assertThat(of(events, "app.tock")).isEqualTo(each("value=N", 100, 149));
    assertThat(of(events, "disk.SAID")).hasSize(50);
  }

  @Test
  void callsAndDataTrigger() throws Exception {
    List<String> options =
        List.of("--start-on", "disk.SAID=0x10#1", "--stop-on", "disk.READ_DONE#3");
    Kymo.run(record(options, "numbered", "1000"));
    try (Recorded recorded = new Recorded(recording())) {
      Map<String, List<String>> events = recorded.ownEvents();
      assertThat(of(events, "disk.SAID")).isEqualTo(each("n=N b=", 16, 18));
      assertThat(of(events, "disk.TICK")).isEqualTo(each("n=N", 17, 18));
      // The first began before.
      assertThat(recorded.calls("disk.READ")).isEqualTo(3);
    }
  }

  @Test
  void whatTriggersAndIsOffIsNotRecorded() throws Exception {
    List<String> options =
        List.of("--start-on", "disk.TICK#10", "--disable-events", "disk", "--stop-on", "disk.T*#5");
    Kymo.run(record(options, "numbered", "100"));
    assertThat(recorded()).isEqualTo(Map.of("app.tock", each("value=N", 10, 13)));
  }

  @Test
  void theTimeIsLimitedFromATrigger() throws Exception {
    List<String> options = List.of("--start-on", "disk.TICK=500", "--duration", "40ms");
    Kymo.run(record(options, "slowly", "20000"));
    List<String> ticks = of(recorded(), "disk.TICK");
    assertThat(ticks.getFirst()).isEqualTo("n=500");
    assertThat(number(ticks.getLast())).isLessThan(20_000);
  }

  @Test
  void snapshotsAtAnEvent() throws Exception {
    List<String> options =
        List.of("--when-full", "overwrite", "--snapshot-on", "disk.TICK=300", "--buffer", "128K");
    assertThat(Kymo.run(record(options, "slowly", "6000")).err())
        .isEqualTo("kymo: snapshot written: control-1.kymo\n");
    List<String> ticks = of(recorded(folder.resolve("control-1.kymo")), "disk.TICK");
    assertThat(number(ticks.getLast())).isBetween(300L, 6000L);
    assertThat(ticks).contains("n=300");
  }
}
