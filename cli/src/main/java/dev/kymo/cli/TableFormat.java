package dev.kymo.cli;

import dev.kymo.format.Definition;
import dev.kymo.model.Definitions;
import dev.kymo.model.TracedEvent;

/**
 * Columns. How wide they are is known before the first event, so that nothing has to be read twice;
 * a cell that is longer takes its room from the next ones.
 */
final class TableFormat implements LineFormat {
  private static final int TIME = 14;
  private static final int MIN_TRACK = 6;
  private static final int MIN_EVENT = 6;
  private static final int ARGUMENT = 24;
  private static final int MOST = 32;
  private static final String GAP = "  ";

  private final int eventAt;
  private final int argumentAt;
  private final int placeAt;
  private final int trackAt = 2 * TIME + 2 * GAP.length();

  TableFormat(Definitions definitions) {
    int[] track = {MIN_TRACK};
    definitions.forEachThread(
        (process, thread) -> track[0] = Math.max(track[0], track(process, thread).length()));
    int event = MIN_EVENT;
    for (TracedEvent own : definitions.events()) {
      event = Math.max(event, own.qualifiedName().length());
    }
    eventAt = trackAt + Math.min(track[0], MOST) + GAP.length();
    argumentAt = eventAt + Math.min(event, MOST) + GAP.length();
    placeAt = argumentAt + ARGUMENT + GAP.length();
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

  /** Moves what stands behind a place so that it ends where its column does, if it fits. */
  private static void pushRight(StringBuilder to, int from, int column) {
    int missing = column + TIME - to.length();
    if (missing > 0) {
      to.insert(from, " ".repeat(missing));
    }
  }

  private static void right(StringBuilder to, int at, String text) {
    to.repeat(' ', at + TIME - text.length() - to.length()).append(text);
  }

  /** Appends a cell at its column, or behind what reaches into it. */
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
    return thread.name().isEmpty()
        ? "process " + process
        : process + "/" + thread.thread() + ' ' + thread.name();
  }
}
