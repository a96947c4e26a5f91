package dev.kymo.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.cli.terminal.Terminal;
import dev.kymo.testkit.RecordingBuilder;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Wrong usage is answered in one sentence, and never with a stack trace. */
class UsageTest {
  @TempDir Path directory;

  private Path recording() {
    RecordingBuilder r = new RecordingBuilder().process(1).thread(1, 1, "main");
    r.method(1, 1, "a.B", "x").ring(1, 0, 1).enter(100, 1).leave(200, 1);
    return r.write(directory.resolve("r"));
  }

  private static void usage(Kymo kymo, String sentence) {
    assertThat(kymo.err()).isEqualTo("kymo: " + sentence + "\n");
    assertThat(kymo.out()).isEmpty();
    assertThat(kymo.code()).isEqualTo(2);
  }

  @Test
  void noCommand() {
    usage(Kymo.run(), "no command given; see 'kymo --help'");
  }

  @Test
  void helpNamesEveryCommandWithWhatItIsFor() {
    String help = Kymo.run("--help").out();
    String[] commands =
        help.substring(help.indexOf("Commands:")).lines().skip(1).toArray(String[]::new);
    assertThat(commands).hasSizeGreaterThan(10);
    for (String line : commands) {
      if (line.startsWith("   ")) {
        continue; // goes on with the line before
      }
      String[] words = line.strip().split(" +", 2);
      String own = Kymo.run(words[0], "--help").out();
      assertThat(own).startsWith("Usage: kymo " + words[0]);
      assertThat(own.replaceAll("\\s+", " ")).contains(words[1].strip());
    }
    assertThat(String.join("\n", commands).split("\n(?=  \\w)"))
        .as("each is a whole sentence")
        .allMatch(command -> command.endsWith("."));
  }

  /** picocli indents what follows the first text of an option differently. */
  @TestFactory
  Stream<DynamicTest> optionsSayInOneTextWhatTheyDo() {
    CommandLine line = new CommandLine(Main.toDescribe());
    Commands.add(line, new String[0], new Terminal(OutputStream.nullOutputStream(), System.err));
    return all(line)
        .map(command ->
            DynamicTest.dynamicTest(
                command.getCommandSpec().qualifiedName(),
                () ->
                    assertThat(command.getCommandSpec().args())
                        .filteredOn(arg -> !arg.hidden())
                        .allSatisfy(arg -> assertThat(arg.description()).hasSize(1))));
  }

  private static Stream<CommandLine> all(CommandLine command) {
    return Stream.concat(
        Stream.of(command), command.getSubcommands().values().stream().flatMap(UsageTest::all));
  }

  @Test
  void versionHasTwoNames() {
    assertThat(Kymo.run("--version").out()).startsWith("kymo ");
    assertThat(Kymo.run("-V").out()).isEqualTo(Kymo.run("--version").out());
  }

  @Test
  void unknownCommand() {
    usage(Kymo.run("frobnicate"), "Unmatched argument at index 0: 'frobnicate'; see 'kymo --help'");
  }

  @Test
  void unknownOption() {
    usage(
        Kymo.run("report", "--colour", recording()),
        "Unknown option: '--colour'; see 'kymo report --help'");
  }

  @Test
  void noRecordingNamed() {
    usage(Kymo.run("info"), "Missing required parameter: 'RECORDING'; see 'kymo info --help'");
  }

  @Test
  void noSuchRecording() {
    Path none = directory.resolve("none");
    usage(Kymo.run("info", none), "no such recording: path=" + none);
  }

  @ParameterizedTest
  @ValueSource(strings = {"info", "report", "replay", "print"})
  void notARecording(String command) {
    usage(Kymo.run(command, directory), "not a recording, it has no metadata: path=" + directory);
  }

  @Test
  void notATime() {
    usage(
        Kymo.run("report", "--from", "noon", recording()),
        "Invalid value for option '--from': 'noon' is not a time such as 1.5s, 200ms, 10us or 7;"
            + " see 'kymo report --help'");
  }

  @Test
  void emptyTimeRange() {
    usage(
        Kymo.run("report", "--from", "2s", "--to", "1s", recording()),
        "time range ends before it begins: from=2000000000 to=1000000000");
  }

  @Test
  void notARegularExpression() {
    usage(
        Kymo.run("report", "--filter", "(", recording()),
        "not a regular expression: filter=( reason=\"Unclosed group\"");
  }

  @Test
  void jsonOrCsv() {
    assertThat(Kymo.run("report", "--json", "--csv", recording()).code()).isEqualTo(2);
  }

  @Test
  void whatCannotBeOpenedFails() throws IOException {
    Path path = recording();
    Files.writeString(path.resolve("metadata"), "nothing");
    Kymo kymo = Kymo.run("info", path);
    assertThat(kymo.err())
        .isEqualTo(
            "kymo: recording's metadata cannot be read: file=metadata missing=kymo_format_major\n");
    assertThat(kymo.code()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"info", "report", "replay", "print"})
  void closedOutputEndsQuietly(String command) {
    OutputStream closed =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    java.io.ByteArrayOutputStream err = new java.io.ByteArrayOutputStream();
    String[] args = {command, recording().toString()};
    assertThat(Kymo.run(args, closed, new PrintStream(err))).isZero();
    assertThat(err.size()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--kernel", "--instructions", "--data", "--points"})
  void whatIsPrintedOnlyOfTheWhole(String option) {
    usage(
        Kymo.run("print", "--follow", option, recording()),
        "--follow does not go with --kernel, --split, --instructions, --data and --points");
  }

  @Test
  void linesOfAWholeRecordingAreNotDelayed() {
    usage(Kymo.run("print", "--delay", "1s", recording()), "--delay goes with --follow only");
  }

  @Test
  void otherTracersFilesAreNotFollowed() throws IOException {
    Path file = Files.writeString(directory.resolve("log"), "something");
    usage(
        Kymo.run("print", "--follow", file),
        "only Kymo's own recordings can be followed: path=" + file);
  }

  @Test
  void aCompleteRecordingIsFollowedToItsEnd() {
    Path recording = recording();
    Kymo kymo = Kymo.run("print", "--follow", recording);
    assertThat(kymo).isEqualTo(Kymo.run("print", recording));
    assertThat(kymo.out()).hasLineCount(2);
  }

  @ParameterizedTest
  @CsvSource({
    "--to=127.0.0.1:1, --to",
    "--instructions, --instructions",
    "--kernel=irq, kernel events",
    "--when-full=overwrite, --when-full overwrite",
  })
  void whatIsNotPrintedWhileItIsRecorded(String option, String named) {
    usage(Kymo.run("record", "-o", "-", option, "true"), "-o - does not go with " + named);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "100  | '100' is neither auto, nor a length of time such as 5s, nor a size such as 4M",
        "1ms  | '1ms' is not at least 10ms",
        "4K   | '4K' is not at least 64K",
      },
      quoteCharacter = '"')
  void notATimeToFlush(String when, String why) {
    usage(
        Kymo.run("record", "--flush", when, "true"),
        "Invalid value for option '--flush': " + why + "; see 'kymo record --help'");
  }

  @Test
  void flightRecordersAreNotFlushed() {
    usage(
        Kymo.run("record", "--flush", "1s", "--when-full", "overwrite", "true"),
        "--flush does not go with --when-full overwrite, which writes nothing before the end");
  }

  @Test
  void formatsAreForStandardOutput() {
    usage(Kymo.run("record", "--format", "raw", "true"), "--format and --delay go with -o -");
  }

  @Test
  void helpIsNoError() {
    assertThat(Kymo.run("--help").code()).isZero();
    assertThat(Kymo.run("report", "--help").out()).contains("--per-thread");
    assertThat(Kymo.run("record", "--help").out()).contains("3%;").doesNotContain("%%");
  }
}
