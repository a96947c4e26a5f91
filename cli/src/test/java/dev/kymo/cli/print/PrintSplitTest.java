package dev.kymo.cli.print;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.cli.Kymo;
import dev.kymo.cli.report.OwnProgram;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.StreamWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events in a file for each process or thread. */
class PrintSplitTest {
  private static final int THREADS = 3000;
  private static final int ROUNDS = 3;

  @TempDir Path folder;

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void aFileForEachThread() throws IOException {
    Path recording = OwnProgram.write(folder.resolve("own.kymo"));
    Path output = folder.resolve("threads");
    Kymo kymo =
        Kymo.run("print", "--format", "table", "--split", "thread", "-o", output, recording);
    assertThat(kymo.err()).isEmpty();
    assertThat(kymo.out())
        .isEqualTo(output + ": 18 events in 3 files, " + bytes(output) + " bytes\n");
    assertThat(names(output)).containsExactly("1-1-main.txt", "1-2-other.txt", "1-3-main.txt");
    assertThat(output.resolve("1-2-other.txt"))
        .hasContent(
            """
                      time      difference  track      event       argument                  place
               0.000000015               -  1/2 other  enter                                 a.B.step(App.java:12)
               0.000000045    +0.000000030  1/2 other  disk.MARK   0xffffffffffffffff        a.B.step(App.java:12)
               2.000000045    +2.000000000  1/2 other  unwind                                a.B.step(App.java:12)
            """);
    assertThat(names(folder)).containsExactly("own.kymo", "threads");
  }

  private static long bytes(Path directory) throws IOException {
    long sum = 0;
    for (String name : names(directory)) {
      sum += Files.size(directory.resolve(name));
    }
    return sum;
  }

  @Test
  void aFileForEachProcess() throws IOException {
    RecordingBuilder r = new RecordingBuilder().process(1).process(2);
    r.thread(1, 1, "main").thread(2, 1, "main").method(1, 1, "a.B", "x").method(2, 1, "a.B", "y");
    r.ring(1, 0, 1).enter(100, 1).leave(200, 1);
    r.ring(2, 0, 1).enter(150, 1).leave(170, 1);
    Path recording = r.write(folder.resolve("two.kymo"));
    Path output = folder.resolve("processes");
    Kymo kymo = Kymo.run("print", "--csv", "--split", "process", "-o", output, recording);
    assertThat(kymo.err()).isEmpty();
    assertThat(names(output)).containsExactly("1-java_App.csv", "2-java_App.csv");
    assertThat(output.resolve("2-java_App.csv"))
        .hasContent(
            """
            time_ns,process,thread,thread_name,event,subject
            50,2,1,main,enter,a.B.y
            70,2,1,main,leave,a.B.y
            """);
  }

  @Test
  void moreThreadsThanFilesMayBeOpen() throws IOException {
    RecordingBuilder r = new RecordingBuilder().process(1).thread(1, 1, "carrier");
    StreamWriter ring = r.method(1, 1, "a.B", "x").ring(1, 0, 1);
    for (int thread = 2; thread < THREADS + 2; thread++) {
      r.virtualThread(1, thread, thread % 2 == 0 ? "../x/ÿ " + "n".repeat(300) : "");
    }
    for (int round = 0; round < ROUNDS; round++) {
      for (int thread = 2; thread < THREADS + 2; thread++) {
        long at = 1000L + 10_000L * round + thread;
        ring.switchTo(at, thread).enter(at, 1).leave(at, 1);
      }
    }
    Path recording = r.write(folder.resolve("many.kymo"));
    Path output = folder.resolve("threads");
    Kymo kymo = Kymo.run("print", "--format", "raw", "--split", "thread", "-o", output, recording);
    assertThat(kymo.err()).isEmpty();
    assertThat(kymo.out()).contains(": 27000 events in 3000 files, ");
    assertThat(names(output)).hasSize(THREADS).contains("1-7.tsv");
    assertThat(names(output)).contains("1-8-.._x_" + "n".repeat(64 - 5) + ".tsv");
    for (String name : names(output)) {
      assertThat(Files.readAllLines(output.resolve(name))).hasSize(1 + 3 * ROUNDS);
    }
  }

  @Test
  void wrongUsage() throws IOException {
    Path recording = OwnProgram.write(folder.resolve("own.kymo"));
    Path output = Files.createDirectory(folder.resolve("there"));
    wrong("--split and -o go together: --split process|thread -o DIR", "-o", output, recording);
    wrong(
        "--split and -o go together: --split process|thread -o DIR",
        "--split",
        "thread",
        recording);
    wrong(
        "output exists already: path=" + output + "; name a new directory",
        "--split",
        "thread",
        "-o",
        output,
        recording);
    Path nowhere = folder.resolve("a").resolve("b");
    Kymo kymo = Kymo.run("print", "--split", "thread", "-o", nowhere, recording);
    assertThat(kymo.err())
        .isEqualTo("kymo: no such directory to write into: path=" + folder.resolve("a") + "\n");
    assertThat(kymo.code()).isEqualTo(1);
  }

  private static void wrong(String sentence, Object... args) {
    Kymo kymo = Kymo.run(Stream.concat(Stream.of("print"), Stream.of(args)).toArray());
    assertThat(kymo.err()).isEqualTo("kymo: " + sentence + "\n");
    assertThat(kymo.code()).isEqualTo(2);
  }
}
