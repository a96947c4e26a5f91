package dev.kymo.recorder.userevents;

import java.util.ArrayList;
import java.util.List;

/**
 * The options for the programs' own events: which are recorded, and what they trigger.
 *
 * @param disabled patterns of events that are switched off at first
 * @param startOn triggers that begin the recording; none = at once
 * @param stopOn triggers that end it
 * @param snapshotOn triggers that have the flight recorder write a snapshot
 * @param nanos duration of the recording from the event that {@code startOn} names; 0 = to the end
 */
public record EventOptions(
    List<String> disabled,
    List<String> startOn,
    List<String> stopOn,
    List<String> snapshotOn,
    long nanos) {
  /** All events, no triggers. */
  public static final EventOptions ALL =
      new EventOptions(List.of(), List.of(), List.of(), List.of(), 0);

  /**
   * Checks all patterns.
   *
   * @throws IllegalArgumentException if one is wrong; the message says why
   */
  public void check() {
    disabled.forEach(EventPattern::of);
    triggers();
  }

  List<Trigger> triggers() {
    List<Trigger> all = new ArrayList<>();
    startOn.forEach(text -> all.add(Trigger.parse(Trigger.Action.START, text)));
    stopOn.forEach(text -> all.add(Trigger.parse(Trigger.Action.STOP, text)));
    snapshotOn.forEach(text -> all.add(Trigger.parse(Trigger.Action.SNAPSHOT, text)));
    return all;
  }
}
