package dev.kymo.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.spi.ToolProvider;

/** The programs of {@code src/programs}, compiled once for the oldest Java that can run them. */
final class Programs {
  static final Path SOURCES = Path.of("src/programs").toAbsolutePath();

  /** The location of the API for events of a program's own. */
  static final Path API =
      Path.of(
          dev.kymo.api.Kymo.class.getProtectionDomain().getCodeSource().getLocation().getPath());

  /** The folder of their classes. */
  static final Path CLASSES = compile();

  private Programs() {}

  /** Compiles a source file into a folder. */
  static void compile(Path source, int release, Path into) {
    compile(source, release, into, API.toString());
  }

  /** Compiles a source file that needs libraries. */
  static void compile(Path source, int release, Path into, String classPath) {
    int exit =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(
                System.out,
                System.err,
                "-nowarn",
                "-Xlint:-options",
                "-parameters",
                "-cp",
                classPath,
                "--release",
                Integer.toString(release),
                "-d",
                into.toString(),
                source.toString());
    if (exit != 0) {
      throw new AssertionError("does not compile: " + source);
    }
  }

  private static Path compile() {
    String fork = System.getProperty("e2e.fork", "1"); // two compile at the same time
    Path into = Path.of("target", "programs-" + fork).toAbsolutePath();
    try (var sources = Files.list(SOURCES)) {
      Files.createDirectories(into);
      for (Path source : (Iterable<Path>) sources::iterator) {
        compile(source, source.endsWith("Virtual.java") ? 21 : 17, into);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return into;
  }
}
