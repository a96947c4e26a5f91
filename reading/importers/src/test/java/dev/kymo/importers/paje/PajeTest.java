package dev.kymo.importers.paje;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.importers.mutants.Mutants;
import dev.kymo.importers.target.Converted;
import dev.kymo.importers.target.ExchangeSamples;
import dev.kymo.importers.target.ExchangeSamples.Expected;
import dev.kymo.importers.target.ForeignException;
import dev.kymo.importers.target.ForeignFile;
import dev.kymo.importers.target.Import;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is in a file of Pajé is in the recording. */
class PajeTest {
  private static final String HEADER =
      """
      # comment
      %EventDef PajeDefineContainerType 0
      % Name string
      % Alias string
      % Type string
      %EndEventDef
      %EventDef PajeDefineStateType 1
      % Alias string
      % ContainerType string
      % Name string
      % Color color
      %EndEventDef
      %EventDef PajeDefineVariableType 2
      % Alias string
      % Type string
      % Name string
      %EndEventDef
      %EventDef PajeDefineLinkType 3
      % Alias string
      % Type string
      % SourceContainerType string
      % DestContainerType string
      % Name string
      %EndEventDef
      %EventDef PajeDefineEventType 4
      % Alias string
      % Type string
      % Name string
      %EndEventDef
      %EventDef PajeDefineEntityValue 5
      % Alias string
      % Type string
      % Name string
      %EndEventDef
      %EventDef PajeCreateContainer 6
      % Time date
      % Alias string
      % Type string
      % Container string
      % Name string
      %EndEventDef
      %EventDef PajeDestroyContainer 7
      % Time date
      % Type string
      % Name string
      %EndEventDef
      %EventDef PajePushState 10
      % Time date
      % Type string
      % Container string
      % Value string
      % Mark int
      %EndEventDef
      %EventDef PajePopState 11
      % Time date
      % Type string
      % Container string
      %EndEventDef
      %EventDef PajeSetState 12
      % Container string
      % Time date
      % Type string
      % Value string
      %EndEventDef
      %EventDef PajeResetState 13
      % Time date
      % Type string
      % Container string
      %EndEventDef
      %EventDef PajeNewEvent 14
      % Time date
      % Type string
      % Container string
      % Value string
      % File string
      %EndEventDef
      %EventDef PajeSetVariable 15
      % Time date
      % Type string
      % Container string
      % Value double
      %EndEventDef
      %EventDef PajeAddVariable 16
      % Time date
      % Type string
      % Container string
      % Value double
      %EndEventDef
      %EventDef PajeSubVariable 17
      % Time date
      % Type string
      % Container string
      % Value double
      %EndEventDef
      %EventDef PajeStartLink 18
      % Time date
      % Type string
      % Container string
      % StartContainer string
      % Value string
      % Key string
      %EndEventDef
      %EventDef PajeEndLink 19
      % Time date
      % Type string
      % Container string
      % EndContainer string
      % Value string
      % Key string
      %EndEventDef
      0 "Program of all" P 0
      0 Thread T P
      1 S T "Thread State" "1 0 0"
      2 V T load
      3 L P T T "A Link"
      4 E T "An Event"
      5 r S "is running"
      6 1.000000001 p P 0 "my program"
      6 1 a T p "thread a"
      6 1 b T p "thread b"
      """;

  private static final String BODY =
      """
      10 1.5 S a r 7
      10 1.600000001 "Thread State" "thread a" 'in quotes' 8
      11 1.7 S a
      12 b 1.25 S r
      12 b 1.75 S other
      13 1.8 S b
      14 1.9 E a "What happens" x.c
      15 2 V a 4
      16 2 V a 1.5
      17 3.0 V a 2
      19 2.5 L p b msg k1
      18 2.25 L p a msg k1
      7 4 T a
      7 4.5 P "my program"
      """;

  @TempDir Path folder;

  static List<Expected> samples() throws Exception {
    return ExchangeSamples.of("paje/");
  }

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("trace"), text);
  }

  private Converted convert(Path file) throws IOException {
    ForeignFile foreign = ForeignFile.of(file);
    assertThat(new PajeFormat().recognises(foreign)).isTrue();
    Path recording = Files.createDirectory(folder.resolve("out.kymo"));
    new PajeFormat().convert(foreign, new Import(recording, (done, all) -> {}));
    return Converted.read(recording);
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("samples")
  void isWhatIsExpected(Expected expected) throws Exception {
    ExchangeSamples.assume();
    Path sample = ExchangeSamples.unpacked(expected.path(), folder);
    Converted read = convert(sample);
    assertThat(read.notices())
        .contains(
            "imported from Paje: file=%s events=%d"
                .formatted(sample.getFileName(), expected.events()));
    assertThat(read.oddities()).isEmpty();
    if (expected.path().endsWith("gattaca.trace")) {
      assertThat(read.calls())
          .hasSize(8)
          .contains("Process: STATE.main 0-18741", "Process: STATE.u 18138-18462");
    } else if (expected.path().endsWith("ms.trace")) {
      assertThat(read.messages()).isEqualTo(17);
      assertThat(read.events())
          .anyMatch(event -> event.startsWith("4: 0 0-LINK4-HOST1.G "))
          .contains("2: 4485137000 variable.bandwidth_used value=0.0");
    }
  }

  @Test
  void allEventsAreKept() throws Exception {
    Converted read = convert(write(HEADER + BODY));
    assertThat(read.oddities()).isEmpty();
    assertThat(read.tracks()).containsExactlyInAnyOrder("thread a", "thread b");
    assertThat(read.calls())
        .containsExactlyInAnyOrder(
            "thread a: Thread State.is running 250000000-2750000000",
            "thread a: Thread State.in quotes 350000001-450000000",
            "thread b: Thread State.is running 0-500000000",
            "thread b: Thread State.other 500000000-550000000");
    assertThat(read.events())
        .contains(
            "thread a: 250000000 Thread State.is running Mark=7",
            "thread a: 650000000 An Event.What happens File=x.c",
            "thread a: 750000000 variable.load value=4.0",
            "thread a: 750000000 variable.load value=5.5",
            "thread a: 1750000000 variable.load value=3.5");
    assertThat(read.messages()).isEqualTo(1);
    assertThat(read.notices())
        .contains(
            "imported from Paje: file=trace events=12",
            "imported as calls: 4 (State 4)",
            "colors were left out: count=1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "11 2 S c|container does not exist|container=\"c\"",
        "11 2 X a|type is not defined|type=\"X\"",
        "11 later S a|time is not a number of seconds|time=later",
        "11 2 S|event lacks fields|event=PajePopState fields=3 given=2",
        "15 2 V a high|value is not a number|value=\"high\"",
        "99 2|event is not defined|number=99",
        "%EventDef PajeUnheardOf 9|no such event can be defined|words=EventDef,PajeUnheardOf,9",
      })
  void linesThatAreWrongAreRefused(String line, String problem, String facts) throws Exception {
    Path file = write(HEADER + line + "\n");
    long number = HEADER.lines().count() + 1;
    assertThatThrownBy(() -> convert(file))
        .isInstanceOf(ForeignException.class)
        .hasMessage("%s: file=%s line=%d %s".formatted(problem, file, number, facts));
  }

  @Test
  void theLastLineMayBeCut() throws Exception {
    Converted read = convert(write(HEADER + "10 1.5 S a r 7\n11 1."));
    assertThat(read.calls()).hasSize(1);
    assertThat(read.notices())
        .anyMatch(notice -> notice.startsWith("the last line is not complete; it was left out"));
  }

  @Tag("formats")
  @Test
  void mutantsAreImportedOrRefused() throws Exception {
    byte[] original = (HEADER + BODY).getBytes(StandardCharsets.UTF_8);
    assertThat(Mutants.importMany(new PajeFormat(), List.of(original)))
        .isBetween(1, Mutants.MANY - 1);
  }

  @Test
  @Tag("peer")
  void freshFilesHaveAsManyEventsAsTheToolSays() throws Exception {
    boolean isThere =
        new ProcessBuilder("sh", "-c", "command -v pj_dump")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor()
            == 0;
    assumeTrue(isThere, "no pj_dump");
    long seed = System.nanoTime();
    System.out.println("PajeTest seed=" + seed);
    Path file = write(HEADER + made(new Random(seed)));
    Process process =
        new ProcessBuilder("pj_dump", "-n", file.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<String> lines =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .filter(line -> line.contains(", "))
            .toList();
    assertThat(process.waitFor()).isZero();
    Converted read = convert(file);
    assertThat(read.notices()).contains("imported from Paje: file=trace events=" + lines.size());
    assertThat(read.calls())
        .hasSize((int) lines.stream().filter(line -> line.startsWith("State, ")).count());
    assertThat(read.messages())
        .isEqualTo((int) lines.stream().filter(line -> line.startsWith("Link, ")).count());
  }

  /** Events of all kinds, in the order of time. */
  private static String made(Random random) {
    StringBuilder text = new StringBuilder();
    int depth = 0;
    long micros = 2_000_000;
    for (int i = 0; i < 2_000; i++) {
      micros += random.nextInt(3);
      String time = "%d.%06d".formatted(micros / 1_000_000, micros % 1_000_000);
      String one =
          switch (random.nextInt(7)) {
            case 0 -> "10 %s S a r 1";
            case 1 -> depth == 0 ? "10 %s S a other 1" : "11 %s S a";
            case 2 -> "12 b %s S value" + random.nextInt(5);
            case 3 -> "14 %s E a mark x.c";
            case 4 -> "15 %s V a " + random.nextInt(100);
            case 5 -> "18 %s L p a msg key" + i + "\n19 " + time + " L p b msg key" + i;
            default -> "13 %s S b";
          };
      depth += one.startsWith("10") ? 1 : one.startsWith("11") ? -1 : 0;
      text.append(one.formatted(time)).append('\n');
    }
    return text + "7 9.0 T a\n7 9.0 T b\n7 9.0 P p\n";
  }
}
