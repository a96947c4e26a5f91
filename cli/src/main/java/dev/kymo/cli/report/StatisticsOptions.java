package dev.kymo.cli.report;

import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.analysis.statistics.Grouping;
import dev.kymo.analysis.statistics.Level;
import dev.kymo.analysis.statistics.MatrixKind;
import dev.kymo.analysis.statistics.Subject;
import dev.kymo.cli.options.SelectionOptions;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import dev.kymo.session.UsageException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What statistics and matrices are about. */
final class StatisticsOptions {
  private static final int DEFAULT_COLUMNS = 40;
  private static final int MOST_COLUMNS = 1000;

  /** Numbers of two of them can be added. */
  private static final long END = Long.MAX_VALUE / 2;

  @Option(
      names = "--of",
      paramLabel = "KIND",
      split = ",",
      description =
          "With --statistics: calls, events, messages (these by default), waits, kernel, cpus,"
              + " jvm. With --matrix: messages (default), waits, wakeups, switches. With --shares:"
              + " calls (default), waits, kernel, cpus, jvm.")
  private List<String> of = new ArrayList<>();

  @Option(
      names = "--by",
      paramLabel = "GROUP",
      description =
          "A row for each process, thread or core; --matrix: by thread if not given. With"
              + " --shares: package, class or method; by package if not given, other than calls by"
              + " class.")
  private @Nullable String by;

  @Option(
      names = "--columns",
      paramLabel = "N",
      description =
          "With --statistics and --shares: parts of equal length that the time has; default: 40.")
  private @Nullable Integer columns;

  @Option(
      names = "--heat-map",
      description = "With --statistics: how long they took when, all rows together.")
  private boolean heatMap;

  boolean heatMap() {
    return heatMap;
  }

  /** Whether any of them was given. */
  boolean isGiven() {
    return !of.isEmpty() || by != null || columns != null || heatMap;
  }

  int columns() {
    int wanted = columns == null ? DEFAULT_COLUMNS : columns;
    if (wanted < 1 || wanted > MOST_COLUMNS) {
      throw new UsageException(
          "--columns is a number from 1 to %d: columns=%d".formatted(MOST_COLUMNS, wanted));
    }
    return wanted;
  }

  /** The subjects that were asked for; nothing if none was. */
  List<Subject> subjects() {
    return of.stream().map(word -> named("--of", word, Subject.values())).toList();
  }

  MatrixKind matrix() {
    if (of.size() > 1 || heatMap || columns != null) {
      throw new UsageException("--matrix has one kind, and neither columns nor a heat map");
    }
    return of.isEmpty() ? MatrixKind.MESSAGES : named("--of", of.getFirst(), MatrixKind.values());
  }

  /** The only subject, which takes time. */
  Subject timed() {
    if (of.size() > 1 || heatMap) {
      throw new UsageException("--shares is of one kind, and has no heat map");
    }
    return of.isEmpty()
        ? Subject.CALLS
        : named(
            "--of",
            of.getFirst(),
            Arrays.stream(Subject.values())
                .filter(subject -> !subject.isPoint())
                .toArray(Subject[]::new));
  }

  /** How coarse the groups of such a subject are. */
  Level level(Subject subject) {
    if (by == null) {
      return subject == Subject.CALLS ? Level.PACKAGE : Level.CLASS;
    }
    return named("--by", by, Level.values());
  }

  /** How rows are told apart, if that was said. */
  Optional<Grouping> grouping() {
    return Optional.ofNullable(by)
        .map(word ->
            named("--by", word, new Grouping[] {Grouping.PROCESS, Grouping.THREAD, Grouping.CORE}));
  }

  static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static <E extends Enum<E>> E named(String option, String word, E[] values) {
    return Arrays.stream(values)
        .filter(value -> word(value).equals(word))
        .findFirst()
        .orElseThrow(() ->
            new UsageException(
                "%s is one of %s: %s"
                    .formatted(
                        option,
                        String.join(
                            ", ", Arrays.stream(values).map(StatisticsOptions::word).toList()),
                        word)));
  }

  /** The part of a recording that was asked for. */
  static TimelineSelection selection(Timeline timeline, SelectionOptions options) {
    return new TimelineSelection(
        Math.min(options.from(), END),
        Math.min(options.to(), END),
        timeline.tracks().stream()
            .filter(track -> options.threads().test(track))
            .map(Track::id)
            .toList());
  }
}
