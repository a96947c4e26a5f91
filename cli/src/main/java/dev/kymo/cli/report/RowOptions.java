package dev.kymo.cli.report;

import dev.kymo.cli.options.EventChoiceOptions;
import dev.kymo.cli.options.FilterOption;
import dev.kymo.cli.options.FormatOptions;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.session.UsageException;
import dev.kymo.session.system.RawText;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which rows a report has, and how it is written. */
final class RowOptions {
  /** More is for programs to read. */
  private static final long TEXT_LIMIT = 100;

  @Mixin private FormatOptions format;
  @Mixin private EventChoiceOptions events;

  @Option(
      names = "--filter",
      paramLabel = "REGEX|FILE.js",
      description =
          "Only methods, threads, events or locks whose name contains this; or only calls, states,"
              + " events and samples for which function accept(event) of this script returns true,"
              + " see docs/scripts.md.")
  private @Nullable String filter;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Maximum number of rows, 0 = all; default: 100 in text, all in JSON and CSV.")
  private @Nullable Long limit;

  @Option(
      names = "--top",
      paramLabel = "N",
      defaultValue = "10",
      description = "Maximum number of longest waits, with --threads and --locks; default: 10.")
  private int top;

  /** Has a terminal write what was asked for. */
  void prepare(Terminal terminal) {
    format.prepare(terminal);
  }

  boolean json() {
    return format.json();
  }

  boolean csv() {
    return format.csv();
  }

  boolean isLimited() {
    return limit != null;
  }

  int top() {
    if (top < 0) {
      throw new UsageException("--top is a number from 0 on: top=" + top);
    }
    return top;
  }

  boolean forPeople() {
    return !format.json() && !format.csv();
  }

  /** The rows that are shown, which are the first of all. */
  <T> List<T> shown(List<T> all) {
    return all.subList(0, (int) Math.min(all.size(), rowLimit()));
  }

  /** Says to people that there are more rows. */
  void tellMore(Terminal terminal, long rows) {
    if (forPeople() && rows > 0) {
      terminal.line("%d more rows, --limit 0 shows all".formatted(rows));
    }
  }

  private long rowLimit() {
    if (limit == null) {
      return format.json() || format.csv() ? Long.MAX_VALUE : TEXT_LIMIT;
    }
    return limit == 0 ? Long.MAX_VALUE : limit;
  }

  private boolean hasScript() {
    return filter != null && filter.endsWith(FilterOption.ENDING);
  }

  /** What options and the script choose; to be used and closed by this thread. */
  FilterOption.Choice choice() throws IOException {
    return FilterOption.open(hasScript() ? RawText.path(String.valueOf(filter)) : null, events);
  }

  /**
   * Refuses choices of events where no single events are asked about.
   *
   * @param table that is asked for
   */
  void refuseChoice(String table) {
    if (events.isGiven()) {
      throw new UsageException(table + " does not go with --core and --process");
    }
    if (hasScript()) {
      throw new UsageException(
          table
              + " does not go with a script: filter="
              + filter
              + "; --filter REGEX chooses names of rows");
    }
  }

  /** What the names of rows must contain. */
  Pattern pattern() {
    try {
      return Pattern.compile(filter == null || hasScript() ? "" : filter);
    } catch (PatternSyntaxException e) {
      throw new UsageException(
          "not a regular expression: filter=%s reason=\"%s\""
              .formatted(filter, e.getDescription()));
    }
  }
}
