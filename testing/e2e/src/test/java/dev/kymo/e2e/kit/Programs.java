package dev.kymo.e2e.kit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;

/** The programs of {@code src/programs}, compiled once for the oldest Java that can run them. */
public final class Programs {
  public static final Path SOURCES = Path.of("src/programs").toAbsolutePath();

  /** The location of the API for events of a program's own. */
  public static final Path API = api();

  /** The folder of their classes. */
  public static final Path CLASSES = compile();

  private Programs() {}

  private static Path api() {
    try {
      Class<?> kymo = dev.kymo.api.Kymo.class;
      return Path.of(kymo.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  /** Compiles a source file into a folder. */
  public static void compile(Path source, int release, Path into) {
    compile(source, release, into, API.toString());
  }

  /** Compiles a source file that needs libraries. */
  public static void compile(Path source, int release, Path into, String classPath) {
    compile(List.of(source), release, into, classPath);
  }

  private static void compile(List<Path> sources, int release, Path into, String classPath) {
    List<String> words =
        new ArrayList<>(List.of("-g", "-nowarn", "-Xlint:-options", "-parameters"));
    words.addAll(List.of("-cp", classPath, "--release", Integer.toString(release)));
    words.addAll(List.of("-d", into.toString()));
    sources.forEach(source -> words.add(source.toString()));
    int exit =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(System.out, System.err, words.toArray(String[]::new));
    if (exit != 0) {
      throw new AssertionError("does not compile: " + sources);
    }
  }

  /** Copies a program's classes to where others can read them, or whatever the locale is. */
  public static void copy(String name, Path into) throws IOException {
    try (var classes = Files.list(CLASSES)) {
      for (Path file : classes.toList()) {
        if (file.getFileName().toString().matches(name + "([$].*)?[.]class")) {
          Files.copy(file, into.resolve(file.getFileName()));
        }
      }
    }
  }

  private static Path compile() {
    String fork = System.getProperty("e2e.fork", "1"); // several compile at the same time
    Path into = Path.of("target", "programs-" + fork).toAbsolutePath();
    try (var sources = Files.list(SOURCES)) {
      Files.createDirectories(into);
      Map<Boolean, List<Path>> all =
          sources.collect(
              Collectors.partitioningBy(
                  path -> path.getFileName().toString().startsWith("Virtual")));
      compile(all.getOrDefault(false, List.of()), 17, into, API.toString());
      compile(all.getOrDefault(true, List.of()), 21, into, API.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return into;
  }
}
