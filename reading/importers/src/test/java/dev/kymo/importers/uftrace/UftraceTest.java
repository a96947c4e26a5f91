package dev.kymo.importers.uftrace;

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
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What uftrace has recorded is in the recording. */
class UftraceTest {
  @TempDir Path folder;

  static List<Expected> samples() throws Exception {
    return ExchangeSamples.of("uftrace/");
  }

  private Converted convert(Path directory) throws IOException {
    ForeignFile foreign = ForeignFile.of(directory);
    assertThat(new UftraceFormat().recognises(foreign)).isTrue();
    Path recording = Files.createDirectory(folder.resolve("out.kymo"));
    new UftraceFormat().convert(foreign, new Import(recording, (done, all) -> {}));
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
            "imported from uftrace's data: file=%s events=%d"
                .formatted(sample.getFileName(), expected.events()));
    assertThat(read.oddities()).isEmpty();
    if (expected.path().endsWith("uftrace-foobar")) {
      assertThat(read.calls())
          .contains(
              "foobar: foobar.__monstartup 7882529-7882890",
              "foobar: foobar.main 7885774-8176634",
              "foobar: foobar.foo 7885864-7886305",
              "foobar: foobar.bar 7885954-7886034",
              "foobar: foobar.foo 8118965-8119786");
      assertThat(read.events())
          .contains(
              "foobar: 0 linux.task-name name=foobar", "foobar: 8973631 linux.task-exit pid=44929");
    }
  }

  @ParameterizedTest
  @CsvSource({"LITTLE_ENDIAN, 2", "BIG_ENDIAN, 2", "LITTLE_ENDIAN, 1", "BIG_ENDIAN, 1"})
  void bothByteOrdersAndWordSizesAreRead(String order, int words) throws Exception {
    ByteOrder bytes = order.startsWith("B") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    Converted read = convert(UftraceFiles.write(folder.resolve("data"), bytes, words == 2));
    assertThat(read.oddities()).isEmpty();
    assertThat(read.calls())
        .contains(
            "prog: prog.main 100-900",
            "prog: prog.work 200-300",
            "prog: lib.so.help 400-500",
            "prog: blocked. 420-480");
    assertThat(read.events())
        .contains(
            "prog: 200 arguments.work arg1=-7 arg2=hello fparg1=1.5",
            "prog: 300 returned.work retval=42",
            "prog: 600 read.page-fault major=3 minor=4",
            "prog: 700 mine.event ",
            "prog: 0 linux.task-name name=prog");
    assertThat(read.notices())
        .contains(
            "imported from uftrace's data: file=data events=11",
            "imported as calls: 3 (entry 3)",
            "imported as states of threads: 2 (sched-out 1, sched-in 1)");
  }

  @Test
  void unknownArgumentsAreSkipped() throws Exception {
    Path data = UftraceFiles.write(folder.resolve("data"), ByteOrder.LITTLE_ENDIAN, true);
    Files.writeString(data.resolve("prog.dbg"), "");
    Converted read = convert(data);
    assertThat(read.calls()).contains("prog: prog.main 100-900", "prog: lib.so.help 400-500");
    assertThat(read.notices())
        .contains(
            "values whose layout is not known were left out: count=2 first: file=7.dat offset=16 function=work");
  }

  @Test
  void cutFilesAreKeptUpToThere() throws Exception {
    Path data = UftraceFiles.write(folder.resolve("data"), ByteOrder.LITTLE_ENDIAN, true);
    byte[] all = Files.readAllBytes(data.resolve("7.dat"));
    Files.write(data.resolve("7.dat"), java.util.Arrays.copyOf(all, all.length - 5));
    assertThat(convert(data).notices())
        .contains(
            "files are damaged or cut; what follows in them was left out: count=1 first: file=7.dat offset="
                + (all.length - 16));
  }

  @Test
  void unknownVersionsAreRefused() throws Exception {
    Path data = UftraceFiles.write(folder.resolve("data"), ByteOrder.LITTLE_ENDIAN, true);
    byte[] info = Files.readAllBytes(data.resolve("info"));
    info[8] = 9;
    Files.write(data.resolve("info"), info);
    assertThatThrownBy(() -> convert(data))
        .isInstanceOf(ForeignException.class)
        .hasMessage(
            "version is not known: file=%s offset=8 version=9 oldest=3 newest=4"
                .formatted(data.resolve("info")));
  }

  @Test
  void aTimeThatIsNoneIsCounted() throws Exception {
    Path data = UftraceFiles.write(folder.resolve("data"), ByteOrder.LITTLE_ENDIAN, true);
    Files.writeString(
        data.resolve("task.txt"),
        Files.readString(data.resolve("task.txt")) + "TASK timestamp=99999999999 tid=9 pid=9\n");
    assertThat(convert(data).notices()).anyMatch(notice -> notice.startsWith("lines of task.txt"));
  }

  @Tag("formats")
  @Test
  void mutantsAreImportedOrRefused() throws Exception {
    Path data = UftraceFiles.write(folder.resolve("data"), ByteOrder.LITTLE_ENDIAN, true);
    String[] names = {"7.dat", "perf-cpu0.dat", "info", "task.txt", "sid-1.map", "prog.sym"};
    assertThat(Mutants.importMany(new UftraceFormat(), data, names)).isBetween(1, Mutants.MANY - 1);
  }

  @Test
  @Tag("peer")
  void freshDataIsWhatUftraceSays() throws Exception {
    assumeTrue(isThere("uftrace") && isThere("gcc"), "no uftrace or no gcc");
    Files.writeString(
        folder.resolve("a.c"),
        """
        #include <pthread.h>
        #include <string.h>
        #include <unistd.h>
        #include <sys/wait.h>
        int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
        double mixed(const char *s, double x, long y, char c) { return x + y + strlen(s) + c; }
        void *work(void *p) { fib(7); return p; }
        int main(void) {
          pthread_t t;
          mixed("some \\"text\\"", 1.5, -7, 'c');
          pthread_create(&t, 0, work, 0);
          fib(9);
          pthread_join(t, 0);
          pid_t p = fork();
          if (!p) { fib(3); _exit(0); }
          waitpid(p, 0, 0);
          return 0;
        }
        """);
    run("gcc", "-pg", "-g", "-O0", "-o", "a", "a.c", "-lpthread");
    run("uftrace", "record", "--no-pager", "-a", "-d", "data", "./a");
    Dump dump = Dump.of(folder.resolve("data"));
    Converted read = convert(folder.resolve("data"));
    assertThat(read.notices())
        .contains("imported from uftrace's data: file=data events=" + dump.records);
    assertThat(
            read.calls().stream()
                .map(call -> call.replaceFirst("^[^:]*: (?:[^ ]*\\.)?([^ .]+ )", "$1"))
                .toList())
        .containsAll(dump.calls);
    assertThat(dump.calls).hasSizeGreaterThan(150);
    assertThat(read.events())
        .anyMatch(event -> event.contains("mixed arg1=some \"text\" fparg1=1.5 arg2=-7"));
  }

  private static boolean isThere(String tool) throws Exception {
    return new ProcessBuilder("sh", "-c", "command -v " + tool)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }

  private void run(String... command) throws Exception {
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertThat(process.waitFor()).isZero();
  }
}
