package dev.kymo.session.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The options of a command that is a {@code java}, those in its environment included. */
final class JavaOptions {
  /** Options whose value is the next word. */
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

  /** Options that name the program. */
  private static final Set<String> LAST = Set.of("-jar", "-m", "--module");

  /** Variables from which the virtual machine takes options, too. */
  private static final List<String> VARIABLES = List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS");

  private static final Pattern BLANKS = Pattern.compile("\\s+");

  private final List<String> command;
  private final Map<String, String> environment;

  /**
   * The options of a command.
   *
   * @param command changed by {@link #remove} and {@link #addFirst}, and by nobody else
   * @param environment likewise
   */
  JavaOptions(List<String> command, Map<String, String> environment) {
    this.command = command;
    this.environment = environment;
  }

  /** Where the name of the program is; what is in a file of arguments counts as that. */
  private int end() {
    int end = 1;
    while (end < command.size()
        && command.get(end).startsWith("-")
        && !LAST.contains(command.get(end))) {
      end += WITH_VALUE.contains(command.get(end)) ? 2 : 1;
    }
    return Math.min(end, command.size());
  }

  /** A copy of {@code java} and its options. */
  List<String> words() {
    return new ArrayList<>(command.subList(0, end()));
  }

  Map<String, String> environment() {
    return environment;
  }

  /** The first option that matches; null if there is none. */
  @Nullable String find(Pattern pattern) {
    Stream<String> inVariables =
        VARIABLES.stream()
            .map(name -> environment.getOrDefault(name, ""))
            .flatMap(value -> Arrays.stream(BLANKS.split(value)));
    return Stream.concat(command.subList(1, end()).stream(), inVariables)
        .filter(word -> pattern.matcher(word).matches())
        .findFirst()
        .orElse(null);
  }

  void remove(Pattern pattern) {
    command.subList(1, end()).removeIf(word -> pattern.matcher(word).matches());
    for (String name : VARIABLES) {
      environment.computeIfPresent(
          name,
          (same, value) ->
              String.join(
                  " ",
                  Arrays.stream(BLANKS.split(value))
                      .filter(word -> !pattern.matcher(word).matches())
                      .toList()));
    }
  }

  /** Adds an option that later ones may change. */
  void addFirst(String option) {
    command.add(1, option);
  }
}
