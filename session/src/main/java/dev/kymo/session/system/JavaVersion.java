package dev.kymo.session.system;

import dev.kymo.session.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The Java that a command or process will run on, as far as is known without running it. It decides
 * only about the clock.
 */
public final class JavaVersion {
  private static final Pattern RELEASE = Pattern.compile("(?m)^JAVA_VERSION=\"(\\d+)");

  private JavaVersion() {}

  /** Feature version of the JVM that runs as a process; 0 if unknown. */
  public static int ofProcess(long pid) {
    Path process = Path.of("/proc", Long.toString(pid));
    try {
      Path program = Files.readSymbolicLink(process.resolve("exe"));
      Path there = process.resolve("root").resolve(Path.of("/").relativize(program));
      return of(Files.isReadable(there) ? there : program); // in a container the files differ
    } catch (IOException | IllegalArgumentException e) {
      return 0;
    }
  }

  /**
   * Feature version of the JVM that a command runs; of those that a script could find, the oldest;
   * 0 if unknown.
   */
  public static int oldestOf(Path program, Map<String, String> environment) {
    if (agentOption(program) != null) {
      return of(program);
    }
    String home = environment.get("JAVA_HOME");
    return Stream.of(find("java"), home == null ? null : RawText.path(home + "/bin/java"))
        .filter(p -> p != null && Files.isExecutable(p))
        .mapToInt(JavaVersion::of)
        .min()
        .orElse(0);
  }

  /**
   * Option by which a program takes the agent on its command line: {@code java}, or another tool of
   * a JDK like {@code javac}; null for all others.
   */
  public static @Nullable String agentOption(Path program) {
    try {
      Path real = program.toRealPath();
      boolean jdk =
          Files.isRegularFile(real.resolveSibling("../release"))
              && Files.isExecutable(real.resolveSibling("java"))
              && Files.isRegularFile(real.resolveSibling("../lib/modules"));
      if (!jdk) {
        return null;
      }
      return real.getFileName().toString().equals("java") ? "-javaagent:" : "-J-javaagent:";
    } catch (IOException e) {
      return null;
    }
  }

  /** A program as the shell would find it; null if there is none. */
  public static @Nullable Path find(String program) {
    try {
      return ProgramFile.find(program, System.getenv()).path();
    } catch (UsageException e) {
      return null;
    }
  }

  private static int of(Path launcher) {
    try {
      Path real = launcher.toString().startsWith("/proc/") ? launcher : launcher.toRealPath();
      Path release = real.resolveSibling("../release");
      Matcher matcher = RELEASE.matcher(Files.readString(release));
      return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
    } catch (IOException e) {
      return 0;
    }
  }
}
