package dev.kymo.importers.target;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.testkit.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Other tracers' files with what is known of them; they lie beside the project, or are absent. */
public final class ExchangeSamples {
  private static final Path FOLDER = SourceTree.path("..", "shared", "samples", "exchange");

  private ExchangeSamples() {}

  /**
   * What is known of a sample.
   *
   * @param path below the samples' folder, as {@code expected.txt} has it
   * @param count number of events, or {@code refuse}
   */
  public record Expected(String path, String format, String count, String first, String last) {
    public boolean isRefused() {
      return count.startsWith("refuse");
    }

    public long events() {
      return Long.parseLong(count);
    }

    @Override
    public String toString() {
      return path;
    }
  }

  /** All samples whose path begins so; none if the samples are absent. */
  public static List<Expected> of(String prefix) throws IOException {
    Path expected = FOLDER.resolve("expected.txt");
    if (!Files.exists(expected)) {
      return List.of();
    }
    return Files.readAllLines(expected).stream()
        .filter(line -> line.startsWith(prefix))
        .map(line -> line.split(" \\| ", -1))
        .map(part -> new Expected(part[0], part[1], part[2], part[3], part[4]))
        .toList();
  }

  /** Skips the test if the samples are absent. */
  public static void assume() {
    assumeTrue(Files.exists(FOLDER), "no samples: folder=" + FOLDER);
  }

  /** The sample itself; unpacked into a folder if it is packed. */
  public static Path unpacked(String path, Path folder) throws IOException, InterruptedException {
    Path packed = FOLDER.resolve(path);
    String name = String.valueOf(packed.getFileName());
    if (name.endsWith(".tar.xz")) {
      run(List.of("tar", "-xJf", packed.toString(), "-C", folder.toString()));
      return folder.resolve(name.substring(0, name.length() - ".tar.xz".length()));
    }
    if (name.endsWith(".xz")) {
      Path plain = folder.resolve(name.substring(0, name.length() - ".xz".length()));
      Process process =
          new ProcessBuilder("xz", "-dc", packed.toString())
              .redirectOutput(plain.toFile())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      check(process, "xz");
      return plain;
    }
    return packed;
  }

  private static void run(List<String> command) throws IOException, InterruptedException {
    check(new ProcessBuilder(command).inheritIO().start(), command.get(0));
  }

  private static void check(Process process, String what) throws IOException, InterruptedException {
    if (process.waitFor() != 0) {
      throw new IOException("cannot unpack: command=" + what + " exit=" + process.exitValue());
    }
  }
}
