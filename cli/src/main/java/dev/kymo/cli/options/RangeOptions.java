package dev.kymo.cli.options;

import dev.kymo.analysis.names.ThreadFilter;
import dev.kymo.cli.terminal.Nanos;
import dev.kymo.session.UsageException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Options that choose the part of a recording a command is about; how the range's end is given
 * differs.
 */
abstract class RangeOptions {
  @Option(
      names = "--from",
      paramLabel = "TIME",
      converter = Nanos.Converter.class,
      description = "Begin of the time range since the recording's begin: 1.5s, 200ms, 10us, 7.")
  private @Nullable Nanos from;

  @Option(
      names = "--thread",
      paramLabel = "THREAD",
      description = "Only this thread: name (* stands for anything) or number. May be repeated.")
  private List<String> threads = new ArrayList<>();

  /** End of the range, if it is given. */
  abstract @Nullable Nanos end();

  public boolean isAll() {
    return from == null && end() == null && names().isEmpty();
  }

  public long from() {
    return from == null ? 0 : from.value();
  }

  public long to() {
    Nanos given = end();
    long end = given == null ? Long.MAX_VALUE : given.value();
    if (end < from()) {
      throw new UsageException(
          "time range ends before it begins: from=%d to=%d".formatted(from(), end));
    }
    return end;
  }

  public ThreadFilter threads() {
    return new ThreadFilter(names());
  }

  List<String> names() {
    return threads;
  }
}
