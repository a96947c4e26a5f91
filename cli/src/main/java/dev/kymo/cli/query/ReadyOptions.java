package dev.kymo.cli.query;

import dev.kymo.cli.terminal.Terminal;
import dev.kymo.query.library.Library;
import dev.kymo.query.library.Parameter;
import dev.kymo.query.library.ReadyQuestion;
import dev.kymo.session.UsageException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that choose one of the ready questions. */
final class ReadyOptions {
  @Option(
      names = "--question",
      paramLabel = "NAME",
      description = "Ask this ready question; then all arguments are recordings.")
  private @Nullable String name;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "A parameter of the ready question. May be repeated.")
  private Map<String, String> values = new LinkedHashMap<>();

  @Option(
      names = "--questions",
      description = "Show the ready questions with their parameters, ask nothing.")
  private boolean list;

  /** Whether only the list is wanted. */
  boolean list() {
    return list;
  }

  boolean asked() {
    return name != null;
  }

  String sql() {
    try {
      return question(String.valueOf(name)).sql(values);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  void check() {
    if (name == null && !values.isEmpty()) {
      throw new UsageException("--set belongs to --question");
    }
  }

  private static ReadyQuestion question(String name) {
    return Library.find(name)
        .orElseThrow(() ->
            new UsageException(
                "there is no ready question of this name: %s; there are: %s"
                    .formatted(
                        name,
                        Library.all().stream()
                            .map(ReadyQuestion::name)
                            .collect(Collectors.joining(", ")))));
  }

  /** Writes all of them with their parameters. */
  static void write(Terminal terminal) {
    for (ReadyQuestion question : Library.all()) {
      terminal.line(question.name());
      terminal.line("  " + question.description());
      for (Parameter parameter : question.parameters()) {
        String value = parameter.name() + "=" + parameter.initial();
        terminal.line("    %-14s %s".formatted(value, parameter.meaning()));
      }
    }
  }
}
