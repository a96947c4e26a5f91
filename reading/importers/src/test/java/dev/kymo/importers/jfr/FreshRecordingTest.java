package dev.kymo.importers.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.importers.mutants.Mutants;
import dev.kymo.importers.target.Converted;
import dev.kymo.importers.target.ForeignFile;
import dev.kymo.importers.target.Import;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that this JDK has just written has, event by event, what this JDK's own tool prints. */
class FreshRecordingTest {
  private static final Pattern EVENT = Pattern.compile("([^:]*): (\\d+) (\\S+) .*", Pattern.DOTALL);
  private static final Pattern COUNTER = Pattern.compile("jdk\\.[A-Za-z]+\\.[A-Za-z]+");

  /** Their values are counters. */
  private static final Set<String> COUNTED =
      Set.of(
          "jdk.CPULoad",
          "jdk.ThreadCPULoad",
          "jdk.ThreadContextSwitchRate",
          "jdk.JavaThreadStatistics",
          "jdk.ClassLoadingStatistics",
          "jdk.PhysicalMemory",
          "jdk.ResidentSetSize",
          "jdk.SwapSpace",
          "jdk.DirectBufferStatistics");

  @TempDir static Path directory;

  private static Path file = Path.of("");

  /** Of a file that is small enough to be read ten thousand times. */
  private static final List<String> SMALL =
      List.of(
          "ThreadPark",
          "ThreadSleep",
          "JavaMonitorWait",
          "JavaMonitorEnter",
          "ThreadStart",
          "JavaExceptionThrow",
          "GarbageCollection",
          "CPULoad",
          "JVMInformation",
          "FileWrite");

  @BeforeAll
  static void record() throws Exception {
    file = directory.resolve("fresh.jfr");
    record(file, "settings=profile");
  }

  private static void record(Path to, String settings) throws Exception {
    String classes =
        Path.of(RecordedProgram.class.getProtectionDomain().getCodeSource().getLocation().toURI())
            .toString();
    run(
        directory.resolve("program.txt"),
        tool("java"),
        "-XX:StartFlightRecording=filename=" + to + "," + settings,
        "-XX:FlightRecorderOptions=maxchunksize=1m",
        "-Xlog:disable",
        "-cp",
        classes,
        RecordedProgram.class.getName());
  }

  private static String tool(String name) {
    return Path.of(System.getProperty("java.home"), "bin", name).toString();
  }

  private static void run(Path output, String... command) throws Exception {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(output)).isZero();
  }

  private record Printed(String type, String time, String thread) {
    @Override
    public String toString() {
      return type + " " + time + " " + thread;
    }
  }

  /** What the JDK prints, by the indentation of its lines. */
  private static List<Printed> printed() throws Exception {
    Path json = directory.resolve("printed.json");
    run(json, tool("jfr"), "print", "--json", "--stack-depth", "1", file.toString());
    List<Printed> all = new ArrayList<>();
    String type = "";
    String time = "";
    String thread = "";
    String field = "";
    for (String line : Files.readAllLines(json)) {
      int indent = line.length() - line.stripLeading().length();
      String[] words = line.strip().replace("\\/", "/").split("\"", -1);
      String name = words.length > 1 ? words[1] : "";
      String value = words.length > 3 ? words[3] : "";
      if (indent == 6 && name.equals("type")) {
        type = value;
        time = "";
        thread = "";
      } else if (indent == 8) {
        field = name;
        time = name.equals("startTime") ? value : time;
      } else if (indent == 10 && (field.equals("eventThread") || field.equals("sampledThread"))) {
        boolean named = name.equals("javaName") || name.equals("osName");
        thread = named && words.length > 3 ? value : thread;
      } else if (indent == 4 && line.strip().startsWith("}")) {
        all.add(new Printed(type, time, thread));
      }
    }
    return all;
  }

  private static long nanos(String time) {
    java.time.Instant at = java.time.OffsetDateTime.parse(time).toInstant();
    return at.getEpochSecond() * 1_000_000_000 + at.getNano();
  }

  private static Path convert(Path from) throws IOException {
    Path recording = Files.createTempDirectory(directory, "recording");
    new JfrFormat().convert(ForeignFile.of(from), new Import(recording, (done, all) -> {}));
    return recording;
  }

  @Test
  void eachEventIsWhatTheJdkPrints() throws Exception {
    List<Printed> printed = printed();
    long begin = printed.stream().mapToLong(event -> nanos(event.time)).min().orElseThrow();
    List<String> expected =
        printed.stream()
            .filter(event -> !COUNTED.contains(event.type) && !event.type.equals("jdk.MethodTrace"))
            .map(event -> event.type + " " + (nanos(event.time) - begin) + " " + event.thread)
            .sorted()
            .toList();
    Path recording = convert(file);
    Converted read = Converted.read(recording);
    Set<String> machines = Set.of("JVM", "GC", "GC pauses");
    List<String> actual = new ArrayList<>();
    for (String event : read.events()) {
      Matcher parts = EVENT.matcher(event);
      assertThat(parts.matches()).as(event).isTrue();
      String type = parts.group(3).replaceFirst("^sample\\.", "");
      String track = parts.group(1).replace(" (beside)", "");
      boolean machine = machines.contains(track) || type.endsWith("." + track);
      if (!COUNTER.matcher(type).matches()) {
        actual.add(type + " " + parts.group(2) + " " + (machine ? "" : track));
      }
    }
    actual.sort(null);
    assertThat(read.oddities()).isEmpty();
    assertThat(without(actual, expected)).as("only here").isEmpty();
    assertThat(without(expected, actual)).as("only in the JDK's text").isEmpty();
    assertThat(Converted.notices(recording))
        .anyMatch(notice -> notice.endsWith(" events=" + printed.size()))
        .noneMatch(notice -> notice.contains("steps back"));
  }

  private static List<String> without(List<String> all, List<String> others) {
    Map<String, Integer> counts = new HashMap<>();
    others.forEach(other -> counts.merge(other, 1, Integer::sum));
    return all.stream().filter(each -> counts.merge(each, -1, Integer::sum) < 0).toList();
  }

  @Test
  void waitsAreStates() throws Exception {
    Converted read = Converted.read(convert(file));
    assertThat(read.calls().stream().filter(call -> call.startsWith("main: sleep."))).hasSize(3);
    assertThat(read.calls())
        .anyMatch(call -> call.startsWith("main: monitor.java.lang.Object "))
        .anyMatch(call -> call.startsWith("main: wait.java.lang.Object "))
        .anyMatch(call -> call.startsWith("main: park.java.lang.Object "))
        .anyMatch(call -> call.startsWith("light: sleep."))
        .anyMatch(call -> call.startsWith("holder: sleep."))
        .anyMatch(call -> call.startsWith("GC: GC."))
        .anyMatch(call -> call.startsWith("GC pauses: GC pauses."));
  }

  @Test
  void samplesSayWhereTheThreadWas() throws Exception {
    Converted read = Converted.read(convert(file));
    assertThat(read.events())
        .anyMatch(event ->
            event.startsWith("main: ")
                && event.contains(" sample.jdk.ExecutionSample stack=")
                && event.contains("RecordedProgram."));
    assertThat(read.events())
        .anyMatch(event ->
            event.contains("jdk.JavaExceptionThrow stack=java.lang.Throwable.<init>")
                && event.contains("message=number 4")
                && event.contains("thrownClass=java.lang.IllegalStateException"));
  }

  @Tag("formats")
  @Test
  void damagedFilesAreRefusedOrRead() throws Exception {
    Path small = directory.resolve("small.jfr");
    StringBuilder settings = new StringBuilder("settings=none");
    for (String event : SMALL) {
      settings.append(",jdk.").append(event).append("#enabled=true");
      settings.append(",jdk.").append(event).append("#stackTrace=true");
    }
    record(small, settings.toString());
    assertThat(Mutants.importMany(new JfrFormat(), List.of(Files.readAllBytes(small))))
        .isBetween(Mutants.MANY / 10, Mutants.MANY - 1);
  }
}
