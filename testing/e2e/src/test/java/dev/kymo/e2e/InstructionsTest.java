package dev.kymo.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every instruction of programs that know nothing of Kymo, in QEMU's user mode. */
@Tag("peer")
class InstructionsTest {
  private static final Path SOURCES = Path.of("src/native").toAbsolutePath();
  private static final Pattern TOTAL = Pattern.compile("\"instructions\" ?: ?(\\d+)");

  @TempDir Path folder;

  @BeforeEach
  void emulatorIsThere() throws Exception {
    assumeEmulator(folder);
  }

  static void assumeEmulator(Path folder) throws Exception {
    NativePrograms.assumeInstalled();
    assumeTrue(
        Files.isRegularFile(NativePrograms.LIBRARY.resolve("libkymo-instructions.so")),
        "skipped: libkymo-instructions was not built, this is no x86-64 machine");
    Path emulator = Path.of("/usr/bin/qemu-x86_64");
    assumeTrue(Files.isExecutable(emulator), "skipped: package qemu-user is not installed");
    String version = Kymo.exec(folder, emulator.toString(), "--version").out();
    assumeTrue(version.contains("version 7.2"), "skipped: qemu-user is not version 7.2");
  }

  @AfterEach
  void nothingIsLeftBehind() throws Exception {
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }

  private Path recording() {
    return folder.resolve("run.kymo");
  }

  private Path traces() {
    return recording().resolve("instructions");
  }

  private Kymo.Result record(String... command) throws Exception {
    List<String> all = new ArrayList<>(List.of("record", "--instructions", "-q", "-o"));
    all.add(recording().toString());
    all.add("--");
    all.addAll(List.of(command));
    return Kymo.runIn(folder, Map.of(), "", all.toArray(String[]::new));
  }

  private Path nested(String... options) throws Exception {
    return NativePrograms.compile(SOURCES.resolve("nested.c"), folder.resolve("nested"), options);
  }

  private long executed() throws Exception {
    String json = Kymo.run("report", "--instructions", "--json", recording().toString()).out();
    Matcher total = TOTAL.matcher(json);
    assertThat(total.find()).as(json).isTrue();
    return Long.parseLong(total.group(1));
  }

  private String info() throws Exception {
    return Kymo.run("info", recording().toString()).out();
  }

  @Test
  void callsAreThoseThatTheProgramMakes() throws Exception {
    Path program = nested();
    Kymo.Result result = record(program.toString(), "calls", "15");
    assertThat(result.err()).isEmpty();
    assertThat(result.exit()).isZero();
    Matcher said = Pattern.compile("610 fib (\\d+) compare (\\d+)\n").matcher(result.out());
    assertThat(said.matches()).as(result.out()).isTrue();
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.calls("fib")).isEqualTo(Long.parseLong(said.group(1)));
      assertThat(recorded.calls("compare")).isEqualTo(Long.parseLong(said.group(2)));
      assertThat(recorded.calls("main")).isOne();
      assertThat(recorded.calls("system call.exit_group")).isOne();
    }
    assertThat(info()).contains("oddities     0").contains("0 leaves without enter");
  }

  @Test
  void instructionsAreCountedLikeOneByOne() throws Exception {
    Path program = nested("-static");
    record(program.toString(), "calls", "10");
    Path log = folder.resolve("log");
    Kymo.exec(
        folder,
        "qemu-x86_64",
        "-singlestep",
        "-d",
        "nochain,exec",
        "-D",
        log.toString(),
        "-0",
        program.toString(),
        program.toString(),
        "calls",
        "10");
    try (Stream<String> lines = Files.lines(log)) {
      long steps = lines.filter(line -> line.startsWith("Trace")).count();
      assertThat(executed()).isEqualTo(steps);
    }
    Kymo.Result listing = Kymo.run("print", "--instructions", "--csv", recording().toString());
    assertThat(listing.out().lines().filter(line -> line.contains(",instruction,")))
        .hasSize((int) executed());
  }

  @Test
  void theListingHasTheCodeOfTheFile() throws Exception {
    Path program = nested("-no-pie");
    record(program.toString(), "calls", "3");
    Map<String, String> file = new HashMap<>();
    String disassembly =
        Kymo.exec(folder, "objdump", "-d", "--no-show-raw-insn", program.toString()).out();
    Pattern line = Pattern.compile(" +([0-9a-f]+):\t(\\w+).*");
    for (String each : disassembly.lines().toList()) {
      Matcher matcher = line.matcher(each);
      if (matcher.matches()) {
        file.put(matcher.group(1), matcher.group(2));
      }
    }
    int compared = 0;
    String csv = Kymo.run("print", "--instructions", "--csv", recording().toString()).out();
    for (String each : csv.lines().filter(l -> l.contains(",nested,fib")).toList()) {
      String[] cells = each.split(",", 9);
      String known = file.get(cells[4].substring(2));
      assertThat(known).as(each).isNotNull();
      String text = cells[8].replace("\"", "");
      if (!text.isEmpty()) { // without libcapstone there is none
        assertThat(text.replaceFirst("[ ].*", "").substring(0, 3))
            .startsWith(known.substring(0, 3));
      }
      compared++;
    }
    assertThat(compared).isGreaterThan(20);
  }

  @Test
  void sourceLinesAreThoseThatBinutilsFind() throws Exception {
    Path program = nested("-g", "-no-pie");
    record(program.toString(), "calls", "10");
    assertThat(Kymo.run("print", "--instructions", recording().toString()).out())
        .doesNotContain("nested.c:");
    String csv =
        Kymo.run("print", "--instructions", "--source", "--csv", recording().toString()).out();
    Map<String, String> lines = new TreeMap<>();
    csv.lines()
        .map(line -> line.split(",", -1))
        .filter(words -> words[5].equals("nested") && !words[words.length - 3].isEmpty())
        .forEach(words -> lines.put(words[4], words[words.length - 3]));
    assertThat(lines.size()).isGreaterThan(50);
    List<String> command = new ArrayList<>(List.of("addr2line", "-e", program.toString()));
    command.addAll(lines.keySet());
    List<String> found =
        Kymo.exec(folder, command.toArray(String[]::new))
            .out()
            .lines()
            .map(line -> line.replaceFirst(" \\(discriminator.*", ""))
            .toList();
    assertThat(List.copyOf(lines.values())).isEqualTo(found);
  }

  @Test
  void faultsEndWhereTheHandlerGoes() throws Exception {
    Path program = nested();
    Kymo.Result result = record(program.toString(), "faults", "7");
    assertThat(result.out()).isEqualTo("went on\n");
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.calls("signal.SIGSEGV")).isEqualTo(7);
      assertThat(recorded.calls("jumps_back")).isEqualTo(7);
      assertThat(recorded.unwound).containsEntry("jumps_back", 7L);
      assertThat(recorded.calls("signal.SIGILL")).isEqualTo(7);
      assertThat(recorded.calls("steps_over")).isEqualTo(7);
      assertThat(recorded.calls("faults_once")).isEqualTo(7);
      assertThat(recorded.unwound).doesNotContainKeys("main", "faults_once");
    }
  }

  @Test
  void deepCallsGoOnFromChunkToChunk() throws Exception {
    Kymo.Result result = record(nested().toString(), "deep", "40000");
    assertThat(result.out()).isEqualTo("40000\n");
    assertThat(info()).contains("oddities     0").contains("0 leaves without enter");
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.calls("descend")).isEqualTo(40_001);
      assertThat(recorded.unbalanced).doesNotContainKey("descend 1");
      assertThat(recorded.unwound).isEmpty();
    }
    // The calls are kept once, not with every chunk.
    assertThat(Files.size(traces().resolve("p1-thread-1.nest"))).isLessThan(2_000_000);
  }

  @Test
  void eachThreadHasItsCalls() throws Exception {
    record(nested().toString(), "threads", "4");
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.calls("worked")).isEqualTo(400);
      assertThat(recorded.timeline.tracks()).hasSize(5);
    }
  }

  @Test
  void exceptionsEndTheCallsThatTheyLeave() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/g++")), "skipped: g++ is not installed");
    Path program = folder.resolve("throws");
    Kymo.exec(
        folder, "g++", "-O1", "-o", program.toString(), SOURCES.resolve("throws.cc").toString());
    assertThat(record(program.toString()).out()).isEqualTo("caught 5\n");
    try (Recorded recorded = new Recorded(recording())) {
      String throwing = name(recorded, "throwing");
      assertThat(recorded.calls(throwing)).isEqualTo(20);
      assertThat(recorded.unwound).containsEntry(throwing, 20L);
      assertThat(recorded.calls(name(recorded, "catching"))).isEqualTo(5);
      assertThat(recorded.unwound).doesNotContainKey(name(recorded, "catching"));
    }
  }

  private static String name(Recorded recorded, String part) {
    return recorded.calls.keySet().stream()
        .filter(n -> n.contains(part) && !n.contains(" "))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sort /etc/services",
        "gzip -9 -c /etc/services",
        "ls -l /usr/lib",
        "/usr/bin/python3 -c print(sum(i*i_for_i_in_range(1000)))",
        "sqlite3 :memory: select_sum(value)_from_generate_series(1,1000)",
        "/usr/lib/jvm/java-17-openjdk-amd64/bin/java -version",
        "sh -c exit_7"
      })
  void programsOfOthersDoTheSame(String words) throws Exception {
    String[] command =
        Stream.of(words.split(" ")).map(w -> w.replace('_', ' ')).toArray(String[]::new);
    command[0] = words.split(" ")[0];
    Kymo.Result plain = Kymo.exec(folder, "which", command[0]);
    assumeTrue(plain.exit() == 0, "skipped: " + command[0] + " is not installed");
    plain = Kymo.exec(folder, command);
    Kymo.Result recorded = record(command);
    assertThat(recorded.out()).isEqualTo(plain.out());
    assertThat(recorded.err()).isEqualTo(plain.err());
    assertThat(recorded.exit()).isEqualTo(plain.exit());
    assertThat(info()).contains("oddities     0").contains("0 leaves without enter");
    assertThat(executed()).isGreaterThan(50_000);
  }

  @Test
  void javaRunsWithItsThreads() throws Exception {
    Path source = folder.resolve("Hello.java");
    Files.writeString(
        source,
        """
        class Hello {
          public static void main(String[] a) throws Exception {
            Thread t = new Thread(() -> System.out.println("from a thread"), "worker");
            t.start();
            t.join();
          }
        }
        """);
    Path java = Path.of(System.getProperty("java.home"), "bin");
    Kymo.exec(folder, java.resolve("javac").toString(), "-d", folder.toString(), "" + source);
    Kymo.Result result =
        record(java.resolve("java").toString(), "-Xmx64m", "-cp", folder.toString(), "Hello");
    assertThat(result.out()).isEqualTo("from a thread\n");
    assertThat(result.exit()).isZero();
    try (Timeline timeline = Timelines.open(recording(), ProgressListener.NONE)) {
      assertThat(timeline.tracks()).anyMatch(t -> t.name().equals("worker"));
    }
    String report = Kymo.run("report", "--instructions", recording().toString()).out();
    assertThat(report).contains("generated code").contains("libjvm.so");
    assertThat(info()).contains("oddities     0");
  }

  @Test
  void whatAProgramStartsIsRecordedToo() throws Exception {
    Path script = folder.resolve("script");
    Files.writeString(script, "#!/bin/sh -e\nls / | wc -l\n");
    script.toFile().setExecutable(true);
    Kymo.Result plain = Kymo.exec(folder, script.toString());
    Kymo.Result result = record("sh", "-c", script.toString());
    assertThat(result.out()).isEqualTo(plain.out());
    String report = Kymo.run("report", "--instructions", recording().toString()).out();
    assertThat(report).containsPattern("/ls\n").containsPattern("/wc\n").containsPattern("dash\n");
  }

  @Test
  void aKilledProgramHasWhatItDidBefore() throws Exception {
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
            nested().toString(),
            "spin");
    BufferedReader out =
        new BufferedReader(new InputStreamReader(kymo.getInputStream(), StandardCharsets.UTF_8));
    assertThat(out.readLine()).isEqualTo("under way");
    kymo.descendants()
        .filter(p -> p.info().command().orElse("").endsWith("qemu-x86_64"))
        .forEach(ProcessHandle::destroyForcibly);
    assertThat(Kymo.finish(kymo, "").exit()).isEqualTo(137);
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.calls("worked")).isGreaterThan(1000);
    }
  }

  @Test
  void whatGoesOnAfterTheRecordingIsNotHarmed() throws Exception {
    Path out = folder.resolve("out");
    String left = "(sleep 5; ls / > out; echo $? >> out; echo alive >> out) 2> err & echo begun";
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
            "sh",
            "-c",
            left);
    BufferedReader said =
        new BufferedReader(new InputStreamReader(kymo.getErrorStream(), StandardCharsets.UTF_8));
    assertThat(said.readLine()).contains("recording continues with what it has started");
    Kymo.signal(kymo, "INT");
    assertThat(kymo.waitFor()).isZero();
    List<String> files = files(recording());
    for (int i = 0;
        i < 600 && !(Files.exists(out) && Files.readString(out).contains("alive"));
        i++) {
      Thread.sleep(100);
    }
    assertThat(Files.readString(out)).contains("etc\n").endsWith("0\nalive\n");
    assertThat(folder.resolve("err")).isEmptyFile();
    assertThat(files(recording())).isEqualTo(files);
    assertThat(info()).contains("0 leaves without enter");
  }

  private static List<String> files(Path directory) throws Exception {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.map(Path::toString).sorted().toList();
    }
  }

  @Test
  void withoutRoomInstructionsAreMissingAndThatIsSaid() throws Exception {
    Kymo.Result result =
        Kymo.runIn(
            folder,
            Map.of(),
            "",
            "record",
            "--instructions",
            "-q",
            "--max-size",
            "2M",
            "-o",
            recording().toString(),
            "--",
            "gzip",
            "-9",
            "-c",
            "/usr/bin/qemu-x86_64");
    assertThat(result.exit()).isZero();
    assertThat(info()).contains("instructions are missing, because there was no room");
  }

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
    assertThat(address)
        .isEqualTo(places(result).get(function) + Long.parseLong(said.group(6), 16));
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

  @Test
  void readersOfOthersSeeSystemCallsAndSignals() throws Exception {
    Path program = nested();
    record(program.toString(), "faults", "3");
    String csv = Kymo.run("report", "--csv", recording().toString()).out();
    long levels =
        csv.lines()
            .filter(line -> line.startsWith("system call.") || line.startsWith("signal."))
            .mapToLong(line -> Long.parseLong(line.split(",")[5]))
            .sum();
    assertThat(csv).contains("signal.SIGSEGV");
    // Without the instructions, Kymo sees no more than they do.
    Files.move(traces(), folder.resolve("instructions"));
    String without = Kymo.run("report", "--csv", recording().toString()).out();
    assertThat(without.lines().skip(1)).allMatch(line -> line.matches("(system call|signal)\\..*"));
    assertThat(without.lines().skip(1).mapToLong(line -> Long.parseLong(line.split(",")[5])).sum())
        .isEqualTo(levels);
    assertThat(info()).contains("oddities     0").contains("0 leaves without enter");
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/babeltrace2")),
        "skipped: babeltrace2 is not installed, it was not asked to count");
    Kymo.Result read = Kymo.exec(folder, "babeltrace2", recording().toString());
    assertThat(read.err()).isEmpty();
    assertThat(read.out().lines().filter(line -> line.contains(" enter: "))).hasSize((int) levels);
  }

  @Test
  void aLargeRecordingIsIndexedWhenItIsMade() throws Exception {
    Path program = nested();
    Path small = folder.resolve("small.kymo");
    for (String[] words : new String[][] {{small.toString(), "20"}, {recording() + "", "34"}}) {
      String[] command = {
        "record", "--instructions", "-o", words[0], "--", program.toString(), "calls", words[1]
      };
      Kymo.Result result = Kymo.run(command);
      boolean large = !words[0].equals(small.toString());
      assertThat(result.exit()).as(result.err()).isZero();
      assertThat(result.err().contains("making the index")).as(result.err()).isEqualTo(large);
      assertThat(Files.exists(Path.of(words[0], ".index"))).isEqualTo(large);
    }
    assertThat(Kymo.run("report", recording().toString()).out()).contains("fib");
  }

  @Test
  void anIndexThatIsGoneIsMadeAgain() throws Exception {
    record(nested().toString(), "calls", "12");
    String before = Kymo.run("report", recording().toString()).out();
    Files.delete(traces().resolve("p1-thread-1.nest"));
    assertThat(Kymo.run("report", recording().toString()).out()).isEqualTo(before);
    Files.write(traces().resolve("p1-thread-1.nest"), new byte[100]);
    assertThat(Kymo.run("report", recording().toString()).out()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"p1-thread-1", "p1-facts", "p1-functions", "p1-thread-1.points"})
  void damageIsSaid(String name) throws Exception {
    record(nested().toString(), "calls", "12");
    Path file = traces().resolve(name);
    byte[] whole = Files.readAllBytes(file);
    byte[] flipped = whole.clone();
    for (int i = whole.length / 3; i < whole.length; i += 97) {
      flipped[i] ^= 0x55;
    }
    Files.write(file, flipped);
    readsWithoutHanging();
    Files.write(file, Arrays.copyOf(whole, whole.length / 2));
    readsWithoutHanging();
    Files.write(file, new byte[0]);
    readsWithoutHanging();
    Files.delete(file);
    readsWithoutHanging();
  }

  private void readsWithoutHanging() throws Exception {
    for (List<String> command :
        List.of(
            List.of("report"),
            List.of("print", "--instructions"),
            List.of("print", "--points"),
            List.of("info"))) {
      List<String> all = new ArrayList<>(command);
      all.add(recording().toString());
      Kymo.Result result = Kymo.run(all.toArray(String[]::new));
      assertThat(result.exit()).as(all + result.err()).isLessThan(3);
      assertThat(result.err()).doesNotContain("Exception").doesNotContain("\tat ");
    }
  }

  @Test
  void whatIsMissingIsNamed() throws Exception {
    Kymo.Result result =
        Kymo.runIn(
            folder,
            Map.of("PATH", "/nowhere"),
            "",
            "record",
            "--instructions",
            "-o",
            recording().toString(),
            "--",
            "/bin/true");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).contains("package qemu-user");
    assertThat(recording()).doesNotExist();
    result = Kymo.run("record", "--instructions", "--threads", "--", "/bin/true");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).contains("--instructions does not go with --threads");
  }
}
