package dev.kymo.cli.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.cli.Kymo;
import dev.kymo.cli.report.OwnProgram;
import dev.kymo.format.Definition;
import dev.kymo.testkit.HoppingThreads;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.viewer.ViewerFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code kymo slice} says and leaves behind. */
class SliceCommandTest {
  private static final String SAID =
      "kymo: the command line of a process is in it; 'kymo info' shows it\n";

  @TempDir Path directory;

  private Path recording = Path.of("");
  private Path part = Path.of("");

  @BeforeEach
  void record() {
    RecordingBuilder r = new RecordingBuilder();
    r.process(1).thread(1, 1, "main").thread(1, 2, "other").thread(1, 3, "late, very");
    r.method(1, 1, "a.B", "run").method(1, 2, "a.B", "step").method(1, 3, "a.B", "never");
    r.ring(1, 0, 1).enter(1000, 1).enter(2000, 2).leave(3000, 2).enter(7000, 3).leave(9000, 1);
    r.ring(1, 1, 2).enter(1200, 1).leave(8000, 1);
    r.ring(1, 2, 3).enter(8500, 3);
    recording = r.write(directory.resolve("run.kymo"));
    part = directory.resolve("part.kymo");
  }

  private Kymo slice(Object... options) {
    Object[] all =
        Stream.concat(Stream.of("slice", recording), Stream.of(options)).toArray(Object[]::new);
    return Kymo.run(all);
  }

  private static void usage(Kymo kymo, String sentence) {
    assertThat(kymo.err()).isEqualTo("kymo: " + sentence + "\n");
    assertThat(kymo.out()).isEmpty();
    assertThat(kymo.code()).isEqualTo(2);
  }

  private void nothingLeft() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(f -> f.getFileName().toString())).containsExactly("run.kymo");
    }
  }

  @Test
  void saysWhatOthersMayNotBeMeantToSee() {
    RecordingBuilder r = new RecordingBuilder();
    for (int process = 1; process <= 3; process++) {
      String command = process == 3 ? "/usr/bin/app" : "app --user=me";
      r.define(process, new Definition.TracedProcess(process, 7, 1, command, "native"));
      r.thread(process, 1, "main").method(process, 1, "a.B", "run");
      r.ring(process, 0, 1).enter(1000, 1).leave(2000, 1);
    }
    r.define(4, new Definition.TracedProcess(4, 0, 0, "Linux 6.18.44", ""));
    Path several = r.write(directory.resolve("several.kymo"));
    assertThat(Kymo.run("slice", several, "-o", part).err())
        .isEqualTo("kymo: the command lines of 2 processes are in it; 'kymo info' shows them\n");
  }

  @Test
  void nothingIsSaidOfProgramsWithoutArguments() {
    RecordingBuilder r = new RecordingBuilder();
    r.define(1, new Definition.TracedProcess(1, 7, 1, "/usr/bin/app", "native"));
    r.thread(1, 1, "main").method(1, 1, "a.B", "run").ring(1, 0, 1).enter(1000, 1).leave(2000, 1);
    Path one = r.write(directory.resolve("one.kymo"));
    assertThat(Kymo.run("slice", one, "-o", part).err()).isEmpty();
  }

  @Test
  void writesASmallerRecording() throws IOException {
    Kymo kymo = slice("--from", "500", "--to", "5us", "-o", part);
    assertThat(kymo.err()).isEqualTo(SAID);
    assertThat(kymo.out()).matches(".*/part\\.kymo: 7 events of 2 threads, \\d+ bytes\n");
    assertThat(kymo.code()).isZero();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(part)))
        .isEqualTo("rwx------");
    assertThat(Kymo.run("replay", part).out())
        .isEqualTo(
            """
            # process 1, thread 1 "main"
            0.000000000              a.B.run() {
            0.000000500    1.000 us    a.B.step();
            0.000004500    4.500 us  } a.B.run [open-begin, open-end]
            # process 1, thread 2 "other"
            0.000000000    4.500 us  a.B.run(); [open-begin, open-end]
            """);
    assertThat(Kymo.run("print", part).out().lines().skip(1).limit(1))
        .containsExactly("0.000000000 1/1 main enter a.B.run");
    assertThat(Kymo.run("info", part).out()).contains("notice       slice: recording=run.kymo");
  }

  @Test
  void writesAPage() throws IOException {
    assumeTrue(
        ViewerFiles.read("standalone.html").isPresent(),
        "the viewer was not built (-Dviewer.skip)");
    Path page = directory.resolve("part.html");
    Kymo kymo = slice("--from", "500", "--to", "5us", "-o", page);
    assertThat(kymo.err()).isEqualTo(SAID);
    assertThat(kymo.out()).matches(".*/part\\.html: 3 calls, \\d+ bytes\n");
    String text = Files.readString(page);
    assertThat(text)
        .contains("<title>run.kymo – Kymo</title>", "Content-Security-Policy")
        .doesNotContain("<!--recording-->");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(page)))
        .isEqualTo("rw-------");
    usage(slice("-o", page), "output exists already: path=" + page + "; --force replaces it");
    assertThat(slice("-o", page, "--force").out()).contains("5 calls");
  }

  @Test
  void ofSomeThreads() {
    assertThat(slice("--threads", "main,2", "-o", part).out()).contains("of 2 threads");
    assertThat(slice("--thread", "late, very", "-o", part, "--force").out())
        .contains("of 1 threads");
    assertThat(Kymo.run("report", part).out()).contains("never").doesNotContain("run");
  }

  @Test
  void replacesOnlyWhenTold() throws IOException {
    assertThat(slice("-o", part).code()).isZero();
    usage(slice("-o", part), "output exists already: path=" + part + "; --force replaces it");
    assertThat(slice("--from", "8us", "-o", part, "--force").code()).isZero();
    assertThat(Kymo.run("report", part).out()).doesNotContain("step");
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(f -> f.getFileName().toString()))
          .containsExactlyInAnyOrder("run.kymo", "part.kymo");
    }
  }

  @Test
  void leavesAloneWhatIsNoRecording() throws IOException {
    Files.createDirectory(part);
    usage(
        slice("-o", part, "--force"),
        "output exists and is not a recording, it is left alone: path=" + part);
    usage(slice("-o", recording, "--force"), "output is the recording itself: path=" + recording);
  }

  @Test
  void saysWhatIsWrong() throws IOException {
    usage(slice(), "Missing required option: '--output=NAME'; see 'kymo slice --help'");
    usage(slice("-o", "part.zip"), "output is neither NAME.kymo nor NAME.html: output=part.zip");
    usage(
        slice("--from", "1s", "-o", part),
        "time range begins after the recording's end: from=1000000000 duration=8000");
    usage(
        slice("--thread", "nobody", "-o", part),
        "the recording has no such thread; 'kymo report --per-thread' names them");
    nothingLeft();
    Path nowhere = directory.resolve("none/part.kymo");
    Kymo kymo = slice("-o", nowhere);
    assertThat(kymo.err())
        .isEqualTo("kymo: no such directory to write into: path=" + nowhere.getParent() + "\n");
    assertThat(kymo.code()).isEqualTo(1);
  }

  private Path script(String condition) throws IOException {
    Path file = directory.resolve("chosen.js");
    return Files.writeString(file, "function accept(event) { return " + condition + "; }");
  }

  private String chosen(Path from, Path script) {
    part = directory.resolve("chosen-" + part.getFileName());
    Kymo kymo = Kymo.run("slice", from, "--filter", script, "-o", part);
    assertThat(kymo.err()).isEqualTo(SAID);
    assertThat(kymo.code()).isZero();
    assertThat(Kymo.run("info", part).out())
        .contains("; a filter has chosen some of the calls and events");
    Kymo printed = Kymo.run("print", part);
    assertThat(printed.err()).isEmpty();
    return printed.out();
  }

  @Test
  void keepsWhatAScriptChooses() throws IOException {
    assertThat(chosen(recording, script("event.name == 'a.B.run' && event.duration > 6800")))
        .isEqualTo(
            """
            0.000000000 1/1 main enter a.B.run
            0.000008000 1/1 main leave a.B.run
            """);
    assertThat(chosen(recording, script("event.name == 'a.B.never'")))
        .isEqualTo(
            """
            0.000000000 1/1 main enter a.B.never
            0.000001500 1/3 late, very enter a.B.never
            0.000002000 1/3 late, very switch late, very
            """); // as in every slice, the switch says until when the call ran
  }

  /** A state that is kept says who ended it, events keep their data, losses stay. */
  @Test
  void keepsDetailsAndLosses() throws IOException {
    Path own = OwnProgram.write(directory.resolve("own.kymo"));
    assertThat(chosen(own, script("event.kind == 'state' || event.fields.size === 4096")))
        .isEqualTo(
            """
            0.000000000 1/1 main disk.ALLOC size=4096 owner=me
            0.000000005 1/3 main enter monitor a.Lock
            0.000000008 1/3 main detail object=1b
            0.000000008 1/3 main leave monitor a.Lock
            0.000000050 1/1 main disk.ALLOC size=4096 owner=us
            0.000000080 1/1 main lost 3
            """);
    assertThat(chosen(own, script("event.name == 'a.B.step'")))
        .contains("enter a.B.step")
        .contains("unwind a.B.step")
        .doesNotContain("detail")
        .contains("lost 3");
  }

  /** Threads that hop from stream to stream are asked about as one. */
  @Test
  void reportsOfASliceEqualThoseOfItsScript() throws IOException {
    for (long seed = 1; seed <= 8; seed++) {
      Path hopping =
          HoppingThreads.recording(seed, 4000, false).write(directory.resolve(seed + ".kymo"));
      reportsAreEqual(hopping, seed);
    }
  }

  private void reportsAreEqual(Path hopping, long seed) throws IOException {
    Path script = script("event.duration % 3 == 0 || event.depth > 2");
    part = directory.resolve("part-" + seed + ".kymo");
    Kymo slice = Kymo.run("slice", hopping, "--filter", script, "-o", part);
    assertThat(slice.code()).as(slice.err()).isZero();
    String whole = Kymo.run("report", hopping, "--filter", script, "--csv", "--per-thread").out();
    assertThat(calls(Kymo.run("report", part, "--csv", "--per-thread").out()))
        .as("seed=%d", seed)
        .isEqualTo(calls(whole))
        .hasSizeGreaterThan(20);
  }

  /**
   * Method, thread and number of calls. Their times depend on the calls around: what is recursion,
   * and when a call began of which only the end is recorded.
   */
  private static List<String> calls(String csv) {
    return csv.lines()
        .map(line -> line.split(",", -1))
        .map(c -> String.join(",", c[0], c[4], c[5]))
        .sorted()
        .toList();
  }
}
