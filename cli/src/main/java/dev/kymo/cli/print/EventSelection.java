package dev.kymo.cli.print;

import dev.kymo.analysis.names.EventFilter;
import dev.kymo.analysis.names.ThreadFilter;
import dev.kymo.cli.options.FilterOption;
import dev.kymo.format.Definition;

/**
 * The choice of the events that are printed.
 *
 * @param from nanoseconds since the recording's begin
 * @param to nanoseconds since the recording's begin
 * @param choice what a script chooses of all that
 */
record EventSelection(
    long from,
    long to,
    ThreadFilter threads,
    EventFilter events,
    NumberRange numbers,
    FilterOption.Choice choice) {
  /** Whether a thread is asked for, by its own name or that which the user has given it. */
  boolean thread(Definition.TracedThread thread, Definition.TracedThread named) {
    return threads.test(thread) || (!named.equals(thread) && threads.test(named));
  }

  /** Without a given begin, also what was before the first event. */
  boolean time(long time) {
    return (time >= from || from == 0) && time <= to;
  }

  /** Whether nothing from an event on is printed. */
  boolean isOver(long number, long time) {
    return number > numbers.last() || time > to;
  }
}
