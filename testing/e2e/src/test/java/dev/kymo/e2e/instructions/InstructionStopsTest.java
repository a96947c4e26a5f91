package dev.kymo.e2e.instructions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import dev.kymo.e2e.kit.Recorded;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where recordings of instructions begin and end, and what is kept of them. */
@Tag("instructions")
class InstructionStopsTest extends InstructionRecording {
  @Test
  void theNewestInstructionsAreKept() throws Exception {
    Kymo.Result result =
        Kymo.runIn(
            folder,
            Map.of(),
            "",
            "record",
            "--instructions",
            "--max-size",
            "1M",
            "--at-full",
            "overwrite",
            "-o",
            recording().toString(),
            "--",
            "sh",
            "-c",
            "gzip -9 -c /usr/bin/qemu-x86_64 | cksum; " + nested() + " calls 12");
    assertThat(result.err())
        .contains("kymo: the oldest instructions are missing, only the newest were to be kept");
    assertThat(result.out()).contains("144 fib");
    long bytes = 0;
    for (String each : files(traces())) {
      bytes += each.contains("-thread-") && !each.endsWith(".nest") ? Files.size(Path.of(each)) : 0;
    }
    assertThat(bytes).isLessThan(1 << 20);
    assertThat(traces().resolve("kept")).doesNotExist();
    Matcher missing =
        Pattern.compile(
                "the oldest instructions are missing, only the newest were to be kept: instructions=(\\d+)")
            .matcher(info());
    assertThat(missing.find()).as(info()).isTrue();
    assertThat(Long.parseLong(missing.group(1))).isGreaterThan(1_000_000_000);
    assertThat(info()).contains("oddities     0").contains("0 leaves without enter");
    long end;
    try (Recorded recorded = new Recorded(recording())) {
      end = recorded.timeline.duration();
      assertThat(recorded.calls("fib")).isEqualTo(465);
      assertThat(recorded.calls("main")).isOne();
      assertThat(recorded.calls("system call.exit_group")).isEqualTo(4);
    }
    Path part = folder.resolve("part.kymo");
    assertThat(Kymo.run("slice", recording().toString(), "-o", part.toString()).exit()).isZero();
    try (Recorded recorded = new Recorded(part)) {
      assertThat(recorded.calls("fib")).isEqualTo(465);
    }
    Kymo.Result listing =
        Kymo.run(
            "print",
            "--instructions",
            "--csv",
            "--from",
            Long.toString(end - 150_000),
            recording().toString());
    assertThat(listing.out()).contains(",nested,calls+");
  }

  private long partly(String option, String place, String... command) throws Exception {
    List<String> all =
        new ArrayList<>(List.of("record", "--instructions", "-q", option, place, "-o"));
    all.addAll(List.of(recording().toString(), "--"));
    all.addAll(List.of(command));
    Kymo.Result result = Kymo.runIn(folder, Map.of(), "", all.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(info()).contains("oddities     0");
    try (Recorded recorded = new Recorded(recording())) {
      return recorded.calls("worked") + 1000 * recorded.calls("main");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--start-at, marker, 3030", // three parts, each in main
    "--start-at, marker#2, 2020",
    "--start-at, worked#12, 1021", // of 33
    "--stop-at, worked#12, 1012"
  })
  void recordingBeginsAndEndsWhereItIsTold(String option, String place, long calls)
      throws Exception {
    assertThat(partly(option, place, nested().toString(), "parts", "3")).isEqualTo(calls);
  }

  /** The longest block that QEMU makes. */
  private static final long BLOCK = 512;

  @ParameterizedTest
  @CsvSource({
    "50000, 60000", // in the first chunk
    "150000000, 150010000", // chunks later
  })
  void recordingBeginsAndEndsAtNumbers(long from, long to) throws Exception {
    Kymo.Result result =
        Kymo.runIn(
            folder,
            Map.of(),
            "",
            "record",
            "--instructions",
            "-q",
            "--start-at",
            Long.toString(from),
            "--stop-at",
            Long.toString(to),
            "-o",
            recording().toString(),
            "--",
            "gzip",
            "-9",
            "-c",
            "/usr/bin/qemu-x86_64");
    assertThat(result.exit()).isZero();
    assertThat(info()).contains("oddities     0").contains("0 leaves without enter");
    assertThat(info()).doesNotContain("missing");
    String csv = Kymo.run("print", "--instructions", "--csv", recording().toString()).out();
    List<Long> numbers =
        csv.lines()
            .filter(line -> line.contains(",instruction,"))
            .map(line -> Long.valueOf(line.substring(0, line.indexOf(','))))
            .toList();
    assertThat(numbers.getFirst()).isBetween(from, from + BLOCK);
    assertThat(numbers.getLast()).isBetween(to - 1, to + BLOCK);
    assertThat(numbers).hasSize((int) (numbers.getLast() - numbers.getFirst() + 1));
    assertThat(executed()).isEqualTo(numbers.size());
  }

  @Test
  void oneFunctionCanBeBothPlaces() throws Exception {
    Kymo.Result result =
        Kymo.runIn(
            folder,
            Map.of(),
            "",
            "record",
            "--instructions",
            "-q",
            "--start-at",
            "worked#12",
            "--stop-at",
            "worked#20",
            "-o",
            recording().toString(),
            "--",
            nested().toString(),
            "parts",
            "3");
    assertThat(result.exit()).isZero();
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.calls("worked")).isEqualTo(8);
    }
  }

  @Test
  void childrenHaveTheirNumbersToo() throws Exception {
    Kymo.Result result =
        Kymo.runIn(
            folder,
            Map.of(),
            "",
            "record",
            "--instructions",
            "-q",
            "--start-at",
            "450000",
            "-o",
            recording().toString(),
            "--",
            "sh",
            "-c",
            nested() + " calls 20; " + nested() + " calls 5");
    assertThat(result.out()).startsWith("6765 fib 21891");
    assertThat(info()).contains("oddities     0").contains("0 leaves without enter");
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.calls("fib")).isGreaterThan(15).isLessThan(21_891);
    }
  }

  @Test
  void aChildIsRecordedThoughItsParentIsNot() throws Exception {
    assertThat(partly("--start-at", "marker", nested().toString(), "forked", "3")).isEqualTo(30);
  }

  private Path faulty() throws Exception {
    return NativePrograms.compile(SOURCES.resolve("faulty.c"), folder.resolve("faulty"), "-no-pie");
  }

  /** Where faulty's functions are, by name. */
  private static Map<String, Long> places(Kymo.Result result) {
    Matcher said = Pattern.compile("(\\w+) 0x([0-9a-f]+)").matcher(result.out());
    Map<String, Long> places = new HashMap<>();
    while (said.find()) {
      places.put(said.group(1), Long.parseLong(said.group(2), 16));
    }
    return places;
  }

  private Kymo.Result untilFault(String what) throws Exception {
    Kymo.Result result =
        Kymo.runIn(
            folder,
            Map.of(),
            "",
            "record",
            "--instructions",
            "--stop-on",
            "fault",
            "-o",
            recording().toString(),
            "--",
            faulty().toString(),
            what);
    assertThat(info()).contains("oddities     0").contains("0 leaves without enter");
    return result;
  }

  /** The number of the instruction that recording has stopped at, as is said. */
  private static long stopped(Kymo.Result result, String signal, int process, String function) {
    Matcher said =
        Pattern.compile(
                "kymo: recording has stopped at a fault: (\\w+) instruction=(\\d+) process=(\\d+) pid=\\d+ thread=1 address=0x([0-9a-f]+) function=(\\w+)\\+0x([0-9a-f]+) file=\\S+/faulty\n")
            .matcher(result.err());
    assertThat(said.find()).as(result.err()).isTrue();
    assertThat(said.group(1)).isEqualTo(signal);
    assertThat(said.group(3)).isEqualTo(Integer.toString(process));
    assertThat(said.group(5)).isEqualTo(function);
    long address = Long.parseLong(said.group(4), 16);
    assertThat(places(result)).containsEntry(function, address - Long.parseLong(said.group(6), 16));
    return Long.parseLong(said.group(2));
  }

  /** The last instruction of a process: it comes just before the one that faults. */
  private String last(long number, int process) throws Exception {
    Kymo.Result listing =
        Kymo.run(
            "print",
            "--instructions",
            "--csv",
            "--from",
            Long.toString(number - 5),
            recording().toString());
    return listing
        .out()
        .lines()
        .filter(line -> line.contains("," + process + ",1,instruction,"))
        .reduce("", (first, second) -> second);
  }

  @Test
  void recordingStopsAtTheFaultThatEndsTheProgram() throws Exception {
    Kymo.Result result = untilFault("crash");
    assertThat(result.exit()).isEqualTo(139);
    long number = stopped(result, "SIGSEGV", 1, "breaks");
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.calls("work")).isEqualTo(1000);
      assertThat(recorded.calls("breaks")).isOne();
      assertThat(recorded.calls("signal.SIGSEGV")).isOne();
    }
    assertThat(last(number, 1)).startsWith(number - 1 + ",1,1,instruction,");
  }

  @Test
  void recordingStopsAtTheFaultThatAHandlerGets() throws Exception {
    Kymo.Result result = untilFault("handled");
    assertThat(result.exit()).isEqualTo(3);
    assertThat(result.out()).endsWith("went on\n");
    long number = stopped(result, "SIGSEGV", 1, "breaks");
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.calls("work")).isEqualTo(1000);
      assertThat(recorded.calls("signal.SIGSEGV")).isOne();
      assertThat(recorded.calls("jumps")).isZero();
      assertThat(recorded.calls("after")).isZero();
    }
    assertThat(last(number, 1)).startsWith(number - 1 + ",1,1,instruction,");
  }

  @Test
  void recordingOfAllStopsAtTheFaultOfAChild() throws Exception {
    Kymo.Result result = untilFault("child");
    assertThat(result.exit()).isEqualTo(3);
    assertThat(result.out()).endsWith("child 11\nwent on\n");
    stopped(result, "SIGSEGV", 2, "breaks");
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.calls("work")).isEqualTo(1000);
      assertThat(recorded.calls("after")).isZero();
    }
  }

  @Test
  void aDivisionByZeroIsAFault() throws Exception {
    stopped(untilFault("traps"), "SIGFPE", 1, "divides");
  }

  @Test
  void whereThereIsNoCodeIsAFault() throws Exception {
    Kymo.Result result = untilFault("nowhere");
    assertThat(result.exit()).isEqualTo(139);
    assertThat(result.err()).contains("fault: SIGSEGV", " address=0x10 function=unknown file=none");
  }

  @Test
  void aSignalThatIsSentIsNoFault() throws Exception {
    stopped(untilFault("sent"), "SIGSEGV", 1, "breaks");
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.calls("returns")).isOne();
      assertThat(recorded.calls("work")).isEqualTo(1000);
    }
  }

  @Test
  void theLastInstructionsAreKept() throws Exception {
    Kymo.Result result =
        Kymo.runIn(
            folder,
            Map.of(),
            "",
            "record",
            "--instructions",
            "--keep",
            "1M",
            "-o",
            recording().toString(),
            "--",
            "gzip",
            "-9",
            "-c",
            "/usr/bin/qemu-x86_64");
    assertThat(result.exit()).isZero();
    assertThat(result.err()).contains("the oldest instructions are missing");
    // Chunks have 4 million blocks.
    assertThat(executed()).isBetween(1_000_000L, 200_000_000L);
  }

  /** Waits until the first thread is recorded no longer, or again: its progress is in a file. */
  private void awaitProgress(boolean wanted) throws Exception {
    Path open = traces().resolve("p1-thread-1.open");
    for (int i = 0; i < 600; i++) {
      long before = progress(open);
      Thread.sleep(100);
      if (wanted == (progress(open) != before)) {
        return;
      }
    }
    throw new AssertionError("recorded: " + !wanted);
  }

  private static long progress(Path open) throws Exception {
    try (FileChannel file = FileChannel.open(open)) {
      ByteBuffer word = ByteBuffer.allocate(8);
      file.read(word, 24);
      return word.getLong(0);
    }
  }

  @Test
  void recordingIsSwitchedFromOutside() throws Exception {
    Process kymo =
        Kymo.start(
            folder,
            Map.of(),
            "record",
            "--instructions",
            "-q",
            "-o",
            recording().toString(),
            "--",
            faulty().toString(),
            "busy");
    BufferedReader out =
        new BufferedReader(new InputStreamReader(kymo.getInputStream(), StandardCharsets.UTF_8));
    out.readLine();
    assertThat(out.readLine()).isEqualTo("under way");
    ProcessHandle program =
        kymo.descendants()
            .filter(p -> p.info().command().orElse("").endsWith("qemu-x86_64"))
            .findFirst()
            .orElseThrow();
    String pid = Long.toString(program.pid());
    awaitProgress(true);
    assertThat(Kymo.run("ctl", pid, "stop").out()).startsWith("instructions off, clock=");
    awaitProgress(false); // it is in a loop without system calls
    assertThat(Kymo.run("ctl", pid, "status").out()).endsWith(" processes=1\n");
    assertThat(Kymo.run("ctl", pid, "start").out()).startsWith("instructions on, clock=");
    awaitProgress(true);
    assertThat(Kymo.run("ctl", pid, "level", "calls").err())
        .contains("of instructions, kymo ctl knows start, stop and status: level calls");
    Kymo.run("ctl", pid, "stop");
    awaitProgress(false);
    Kymo.exec(folder, "kill", "-USR1", pid);
    assertThat(Kymo.finish(kymo, "").exit()).isEqualTo(3);
    assertThat(info()).contains("oddities     0").contains("0 leaves without enter");
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.calls("spins")).isPositive();
      assertThat(recorded.calls("after")).isZero();
    }
    assertThat(Kymo.run("ctl", pid, "status").err()).contains("this process is not recorded");
  }

  @ParameterizedTest
  @ValueSource(strings = {"stop", "overwrite"})
  void whatAKilledRecorderLeavesCanBeRead(String atFull) throws Exception {
    Process kymo =
        Kymo.start(
            folder,
            Map.of(),
            "record",
            "--instructions",
            "--max-size",
            "100M",
            "--at-full",
            atFull,
            "-q",
            "-o",
            recording().toString(),
            "--",
            nested().toString(),
            "spin");
    BufferedReader out =
        new BufferedReader(new InputStreamReader(kymo.getInputStream(), StandardCharsets.UTF_8));
    assertThat(out.readLine()).isEqualTo("under way");
    ProcessHandle program =
        kymo.descendants()
            .filter(p -> p.info().command().orElse("").endsWith("qemu-x86_64"))
            .findFirst()
            .orElseThrow();
    try {
      Path compressed = traces().resolve(atFull.equals("stop") ? "p1-thread-1" : "kept");
      while (!Files.exists(compressed)) {
        assertThat(program.isAlive()).isTrue();
        Thread.sleep(10);
      }
      Kymo.Result early = Kymo.run("info", recording().toString());
      assertThat(early.exit()).isEqualTo(2);
      assertThat(early.err()).contains("instructions are still being recorded");
      kymo.destroyForcibly().waitFor();
    } finally {
      program.destroyForcibly();
      program.onExit().join();
    }
    // in a process of its own, whose standard error has what is said on the way
    Kymo.Result info = Kymo.runIn(folder, Map.of(), "", "info", recording().toString());
    assertThat(info.exit()).as(info.err()).isZero();
    assertThat(info.err()).contains("the recorder was killed before the recording was complete");
    assertThat(info.out()).contains("nested spin").contains("the recorder was killed");
    String calls =
        Kymo.run("report", "--csv", recording().toString())
            .out()
            .lines()
            .filter(line -> line.startsWith("worked,"))
            .findFirst()
            .orElseThrow();
    assertThat(Long.parseLong(calls.split(",")[5])).isGreaterThan(1000);
    assertThat(Kymo.run("info", recording().toString()).err()).isEmpty();
    assertThat(recording().resolve(".recording")).doesNotExist();
  }
}
