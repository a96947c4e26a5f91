package dev.kymo.e2e.instructions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Recorded;
import dev.kymo.e2e.kit.SameAnswers;
import dev.kymo.e2e.kit.TableFaces;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import java.io.BufferedReader;
import java.io.InputStreamReader;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every instruction of programs that know nothing of Kymo, in QEMU's user mode. */
@Tag("instructions")
class InstructionsTest extends InstructionRecording {
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
  void allWhoAreAskedSayTheSame() throws Exception {
    record(nested().toString(), "faults", "3");
    SameAnswers.compare(recording());
    try (TableFaces faces = new TableFaces(recording())) {
      SameAnswers.hasSameReports(faces, "files", "--instructions");
    }
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
