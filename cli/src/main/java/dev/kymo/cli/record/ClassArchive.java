package dev.kymo.cli.record;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a command line says of an archive of classes: an AOT cache, or class data sharing. The
 * virtual machine refuses an archive that was made without what an agent needs, and puts an agent's
 * classes into one that it makes.
 */
final class ClassArchive {
  private static final Pattern MAKES =
      Pattern.compile(
          "-XX:AOTCacheOutput=.*|-XX:AOTMode=(record|create)|-XX:ArchiveClassesAtExit=.*"
              + "|-Xshare:dump|-XX:DumpLoadedClassList=.*|-XX:\\+RecordDynamicDumpInfo");

  private static final Pattern READS =
      Pattern.compile(
          "-XX:AOTCache=.*|-XX:AOTMode=(on|required)|-XX:SharedArchiveFile=.*|-Xshare:on");

  /** Options of {@code java} whose value is the next word. */
  private static final Set<String> WITH_VALUE =
      Set.of(
          "-cp",
          "-classpath",
          "--class-path",
          "-p",
          "--module-path",
          "--upgrade-module-path",
          "--add-modules",
          "--limit-modules",
          "--add-reads",
          "--add-exports",
          "--add-opens",
          "--patch-module",
          "--enable-native-access",
          "--source");

  /** Variables from which the virtual machine takes options, too. */
  private static final List<String> VARIABLES = List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS");

  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final long PATIENCE_SECONDS = 60;

  /** {@code java}, its options, and the rest from the main class on. */
  private final List<String> command;

  private final int options;
  private final Map<String, String> environment;

  /**
   * The archive of a command.
   *
   * @param command of a {@code java}; changed by {@link #leaveOut}
   * @param environment likewise
   */
  ClassArchive(List<String> command, Map<String, String> environment) {
    this.command = command;
    this.environment = environment;
    int end = 1;
    while (end < command.size() && command.get(end).startsWith("-") && !isLast(command.get(end))) {
      end += WITH_VALUE.contains(command.get(end)) ? 2 : 1;
    }
    this.options = Math.min(end, command.size());
  }

  private static boolean isLast(String option) {
    return Set.of("-jar", "-m", "--module").contains(option);
  }

  /** The option by which the program makes an archive; null if it makes none. */
  @Nullable String made() {
    return find(MAKES);
  }

  /** The option by which it uses one; null if it uses none but the JDK's own. */
  @Nullable String read() {
    return find(READS);
  }

  private @Nullable String find(Pattern pattern) {
    Stream<String> inVariables =
        VARIABLES.stream()
            .map(name -> environment.getOrDefault(name, ""))
            .flatMap(value -> Arrays.stream(BLANKS.split(value)));
    return Stream.concat(command.subList(1, options).stream(), inVariables)
        .filter(word -> pattern.matcher(word).matches())
        .findFirst()
        .orElse(null);
  }

  /** Whether the virtual machine takes the archive with the agent: it is asked. */
  boolean isAcceptedWith(Path agent) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(command.subList(0, options));
    boolean aot = String.valueOf(read()).startsWith("-XX:AOT");
    words.add(1, "-javaagent:" + agent + "=/nobody/records");
    words.add(aot ? "-XX:AOTMode=on" : "-Xshare:on");
    words.add("-version");
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().clear();
    builder.environment().putAll(environment);
    Process asked =
        builder
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectInput(Path.of("/dev/null").toFile())
            .start();
    boolean ended = asked.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    asked.destroyForcibly();
    return ended && asked.exitValue() == 0;
  }

  /** Takes its options out. */
  void leaveOut() {
    command.subList(1, options).removeIf(word -> READS.matcher(word).matches());
    for (String name : VARIABLES) {
      environment.computeIfPresent(
          name,
          (same, value) ->
              String.join(
                  " ",
                  Arrays.stream(BLANKS.split(value))
                      .filter(word -> !READS.matcher(word).matches())
                      .toList()));
    }
  }
}
