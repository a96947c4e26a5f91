package dev.kymo.cli.print;

import dev.kymo.analysis.names.ThreadNames;
import dev.kymo.cli.terminal.Nanos;
import dev.kymo.cli.terminal.Printable;
import dev.kymo.format.Definition;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.model.definitions.TrackKind;

/**
 * Columns. Their widths are known before the first event, so that nothing has to be read twice; a
 * longer cell takes its room from the next cells.
 */
final class TableFormat implements LineFormat {
  private static final int TIME = 14;
  private static final int MIN_TRACK = 6;
  private static final int MIN_EVENT = 6;
  private static final int MIN_ARGUMENT = 8;
  private static final int ARGUMENT = 24;
  private static final int MOST = 32;

  /** Like {@code sched_switch}. */
  private static final int KERNEL_NAME = 12;

  private static final String GAP = "  ";

  private final int eventAt;
  private final int argumentAt;
  private final int placeAt;
  private final int trackAt = 2 * TIME + 2 * GAP.length();

  /**
   * Columns for a recording.
   *
   * @param kernel whether the kernel's events are printed, too
   */
  TableFormat(RecordedDefinitions definitions, boolean kernel) {
    int[] track = {MIN_TRACK};
    definitions.forEachThread(
        (process, thread) -> track[0] = Math.max(track[0], track(process, thread).length()));
    int event = MIN_EVENT;
    for (TracedEvent own : definitions.events()) {
      event = Math.max(event, own.qualifiedName().length());
    }
    for (Definition.KernelEvent kind : definitions.kernelEvents().values()) {
      event = kernel ? Math.max(event, kind.subsystem().length() + 1 + KERNEL_NAME) : event;
    }
    eventAt = trackAt + Math.min(track[0], MOST) + GAP.length();
    argumentAt = eventAt + Math.min(event, MOST) + GAP.length();
    int argument = hasArguments(definitions, kernel) ? ARGUMENT : MIN_ARGUMENT;
    placeAt = argumentAt + argument + GAP.length();
  }

  /** Calls of threads have only a place. */
  private static boolean hasArguments(RecordedDefinitions definitions, boolean kernel) {
    boolean[] found = {kernel || !definitions.events().isEmpty()};
    definitions.forEachThread(
        (process, thread) -> found[0] |= TrackKind.of(thread) != TrackKind.CALLS);
    return found[0];
  }

  @Override
  public String head() {
    StringBuilder to = new StringBuilder();
    right(to, 0, "time");
    right(to, TIME + GAP.length(), "difference");
    cell(to, 0, trackAt, "track");
    cell(to, 0, eventAt, "event");
    cell(to, 0, argumentAt, "argument");
    cell(to, 0, placeAt, "place");
    return to.append('\n').toString();
  }

  @Override
  public void append(PrintedEvent event, long before, StringBuilder to) {
    int begin = to.length();
    EventCells cells = event.cells();
    Nanos.appendSeconds(to, event.time());
    pushRight(to, begin, begin);
    to.append(GAP);
    int difference = to.length();
    difference(to, event.time(), before);
    pushRight(to, difference, begin + TIME + GAP.length());
    cell(to, begin, trackAt, track(event.process(), event.thread()));
    cell(to, begin, eventAt, cells.event());
    cell(to, begin, argumentAt, cells.argument());
    cell(to, begin, placeAt, cells.place());
    to.append('\n');
  }

  private static void difference(StringBuilder to, long time, long before) {
    if (before == NONE) {
      to.append('-');
    } else {
      to.append(time < before ? "" : "+");
      Nanos.appendSeconds(to, time - before);
    }
  }

  /** Moves the text after a place so that it ends at its column's end, if it fits. */
  private static void pushRight(StringBuilder to, int from, int column) {
    int missing = column + TIME - to.length();
    if (missing > 0) {
      to.insert(from, " ".repeat(missing));
    }
  }

  private static void right(StringBuilder to, int at, String text) {
    to.repeat(' ', at + TIME - text.length() - to.length()).append(text);
  }

  /** Appends a cell at its column, or after text that reaches into the column. */
  private static void cell(StringBuilder to, int begin, int at, String text) {
    if (!text.isEmpty()) {
      int missing = begin + at - to.length();
      to.repeat(' ', Math.max(missing, GAP.length()));
      Printable.append(to, text);
    }
  }

  /** A thread with its numbers, a processor by its name. */
  private static String track(int process, Definition.TracedThread thread) {
    if (thread.kind() == Definition.TracedThread.CPU) {
      return thread.name();
    }
    return thread.thread() == 0 && thread.name().isEmpty()
        ? "process " + process
        : process + "/" + thread.thread() + ' ' + ThreadNames.of(thread);
  }
}
