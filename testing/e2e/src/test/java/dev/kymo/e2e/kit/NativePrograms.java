package dev.kymo.e2e.kit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** C programs, compiled with the installed libkymo. */
public final class NativePrograms {
  public static final Path LIBRARY = Kymo.INSTALLATION.resolve("native");

  private NativePrograms() {}

  /** Skips the test where C programs cannot be compiled. */
  public static void assumeInstalled() {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")), "skipped: gcc is not installed");
    assumeTrue(
        Files.isRegularFile(LIBRARY.resolve("libkymo.so")),
        "skipped: libkymo was not built, because gcc or make was not installed then");
  }

  /** Compiles a source file; skips the test where there is no compiler. */
  public static Path compile(Path source, Path program, String... options) throws Exception {
    assumeInstalled();
    List<String> command =
        new ArrayList<>(List.of("gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-pthread"));
    command.addAll(List.of("-I" + LIBRARY, "-o", program.toString(), source.toString()));
    command.addAll(List.of(options));
    Kymo.Result result = Kymo.exec(Path.of("."), command.toArray(String[]::new));
    if (result.exit() != 0) {
      throw new AssertionError("does not compile: " + source + "\n" + result.err());
    }
    return program;
  }

  /** The options that link the shared library. */
  public static String[] shared() {
    return new String[] {"-L" + LIBRARY, "-lkymo", "-Wl,-rpath," + LIBRARY};
  }
}
